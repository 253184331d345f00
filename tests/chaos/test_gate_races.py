"""Limits and budgets under everything that several processes do to them at once."""

import json
import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import psycopg
import pytest

from flowfabric import (
    BlockingEngine,
    ExecutionNotActive,
    Lease,
    LeaseExpired,
    NewExecution,
    PublicState,
    StaleLease,
    open_blocking_engine,
)
from tests.chaos import test_wait_races
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.chaos.conftest import Deadlocks, Figures, in_group
from tests.chaos.gate_programs import BUDGET, CONCURRENCIES, KEYS, LIMIT, PARENT
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.processes import FINISH_S_MAX, Process, running, wait_until
from tests.chaos.puppets import Answer, Order, Puppets, order, puppets
from tests.chaos.sizes import IS_LONG, SIZES

pytestmark = in_group("races")

WORKERS = 4
RACERS = 3
PROGRAMS = "tests.chaos.gate_programs"
LEASE_TTL_MS = 300_000
BACKLOG = 40
ALIVE: tuple[PublicState, ...] = ("waiting", "rate_limited", "active")
TURNS_MAX = 500
"""How often everything is driven on before it counts as stuck."""


@contextmanager
def processes(count: int, program: str, url: str, argument: object, folder: Path) -> Iterator[list[Process]]:
    """So many processes that are ready to run the program."""
    with ExitStack() as stack:
        started = [
            stack.enter_context(running(program, url, argument, f"racer-{number}", folder=folder, module=PROGRAMS))
            for number in range(count)
        ]
        for process in started:
            assert process.line() == "ready"
        yield started


# ── one at a time ────────────────────────────────────────────────────────────────────────────────


def test_four_processes_on_one_key_run_one_at_a_time(
    url: str, tmp_path: Path, figures: Figures, deadlocks: Deadlocks
) -> None:
    item = NewExecution(kind="job", limits={LIMIT: "key"})
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.set_limit(LIMIT, concurrency=1)
        until_ms = engine.server_time_ms() + 1000 * SIZES.one_at_a_time_s
        made = 0
        with processes(WORKERS, "take_turns", url, tmp_path / "door", tmp_path) as workers:
            while made < SIZES.one_at_a_time or engine.server_time_ms() < until_ms:
                made += len(engine.create_executions([item] * BACKLOG))
                wait_until(lambda made=made: unfinished(engine, made) < BACKLOG // 2, FINISH_S_MAX)
            wait_until(lambda: unfinished(engine, made) == 0, FINISH_S_MAX)
            for worker in workers:
                worker.tell("stop")
            reports = [worker.report() for worker in workers]

    assert [report["met"] for report in reports] == [[]] * WORKERS, "two ran at once"
    done = Counter(key for report in reports for key in report["done"])
    assert (len(done), set(done.values())) == (made, {1})
    assert sum(bool(report["done"]) for report in reports) > 1, "only one process took part"
    with opened(url) as store:
        assert_nothing_is_broken(store)
    assert deadlocks() == 0
    figures(executions=made, processes=WORKERS, two_at_once=0, deadlocks=0)


def unfinished(engine: BlockingEngine, made: int) -> int:
    return made - engine.count_executions(public_state="completed")


# ── changes under load ───────────────────────────────────────────────────────────────────────────


class Change(NamedTuple):
    """A statement of how many may run: when it was sent and answered, and the number. None: there is none."""

    sent_at: float
    answered_at: float
    number: int | None


def test_limits_and_budgets_change_under_load_and_nobody_is_let_in_or_kept_out_wrongly(
    url: str, tmp_path: Path, figures: Figures, deadlocks: Deadlocks
) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        engine.set_limit(LIMIT, concurrency=CONCURRENCIES[0])
        engine.set_budget(PARENT, limits={"usd": 10_000})
        engine.set_budget(BUDGET, limits={"usd": 10_000}, parent=PARENT)
        with processes(RACERS, "change_under_load", url, SIZES.gate_race_s, tmp_path) as racers:
            for racer in racers:
                racer.tell("go")
            reports = [racer.report(within_s=SIZES.gate_race_s + FINISH_S_MAX) for racer in racers]
        assert [report["surprises"] for report in reports] == [[]] * RACERS
        told: Counter[str] = sum((Counter(report["answers"]) for report in reports), Counter())
        claims = checked_claims(reports)

        # With what operators have left behind, everybody is either let in or looked at.
        engine.set_limit(LIMIT, concurrency=CONCURRENCIES[0], if_new=True)
        with opened(url) as store:
            assert_nothing_is_broken(store)
        for name in (PARENT, BUDGET):
            engine.set_budget(name, limits={"usd": 10**9})
        drive(engine, [])
    with opened(url) as store:
        assert_nothing_is_broken(store)
        periods = used_by_period(url, BUDGET)
    expected = sum(report["spent"] + report["charged"] for report in reports)
    assert sum(used - assumed for used, assumed in periods) == expected, "a spend was lost, or counted twice"
    assert deadlocks() == 0, "rows were not locked in the one order"
    for answer in ("claim: list", "set_limit: LimitSet", "remove_limit: NoneType", "set_budget: BudgetSet"):
        assert told[answer] > 0, told
    figures(commands=told.total(), claims=claims, surprises=0, deadlocks=0)


def checked_claims(reports: Sequence[Any]) -> int:
    """Check each claim against the largest number that can have held while it was decided. Returns how many were."""
    changes = {of: [Change(-math.inf, -math.inf, None if of else CONCURRENCIES[0])] for of in (None, *KEYS)}
    for report in reports:
        for sent_at, answered_at, key, number in report["numbers"]:
            changes[key].append(Change(sent_at, answered_at, number))
    leases = [lease for report in reports for lease in report["leases"]]
    groups = Counter((key, sent_at, answered_at) for key, sent_at, answered_at, _ in leases)
    for (key, sent_at, answered_at), new in groups.items():
        # Those that were leased before the claim was sent, and whose end was sent only after it was answered.
        beside = sum(of == key and since <= sent_at and end_at >= answered_at for of, _, since, end_at in leases)
        most = most_at_once(changes[None], changes[key], sent_at, answered_at)
        assert beside + new <= most, (key, beside, new, most)
    return len(groups)


def most_at_once(common: Sequence[Change], own: Sequence[Change], begin: float, end: float) -> float:
    """The largest number that can have held for a key at any moment of a span."""
    of_all, of_key = possible(common, begin, end), possible(own, begin, end)
    if None in of_all:
        return math.inf
    numbers = of_key - {None} | (of_all if None in of_key else set())
    return max(number for number in numbers if number is not None)


def possible(changes: Sequence[Change], begin: float, end: float) -> set[int | None]:
    """What can have held at any moment of a span: nothing that was certainly replaced before it."""
    found: set[int | None] = set()
    for change in changes:
        later = (each.answered_at for each in changes if each.sent_at >= change.answered_at and each is not change)
        if change.sent_at <= end and min(later, default=math.inf) >= begin:
            found.add(change.number)
    return found


def used_by_period(url: str, budget: str) -> list[tuple[int, int]]:
    """What was used of a budget in each of its periods, and how much of that was assumed."""
    query = "select used, assumed from ff_budget_use where name = "
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as file:
            found = file.execute(f"{query}?", (budget,)).fetchall()
    else:
        with psycopg.connect(url) as connection:
            found = connection.execute(f"{query}%s".encode(), (budget,)).fetchall()
    return [(json.loads(used).get("usd", 0), json.loads(assumed).get("usd", 0)) for used, assumed in found]


# ── every two verbs ──────────────────────────────────────────────────────────────────────────────

TENANT = "tenant"


class Subject(NamedTuple):
    """An execution that runs, with a key of its own at which another one is parked."""

    execution_id: str
    lease: Lease
    key: str


def of_waiting(verb: str) -> Callable[[Subject], Order]:
    """A verb of the races of executions that wait."""
    found = test_wait_races.VERBS[verb]
    return lambda x: found(test_wait_races.Subject(x.execution_id, x.lease, "", None))


def item(key: str) -> dict[str, Any]:
    """What makes an execution that stands at two limits and at two budgets, and takes turns with others."""
    return {"kind": "race", "limits": {LIMIT: "", TENANT: key}, "budgets": {BUDGET: {"usd": 1}}, "fair_key": key[:1]}


USD = {"usd": 1}
VERBS: dict[str, Callable[[Subject], Order]] = {
    "set_limit": lambda x: order("set_limit", name=TENANT, concurrency=2),
    "set_key": lambda x: order("set_limit", name=TENANT, key=x.key, concurrency=3),
    "remove_limit": lambda x: order("remove_limit", name=TENANT),
    "pause_limit": lambda x: order("pause_limit", name=TENANT, key=x.key, for_ms=1),
    "set_budget": lambda x: order("set_budget", name=BUDGET, limits={"usd": 10**6}, parent=PARENT),
    "reset_budget": lambda x: order("reset_budget", name=BUDGET),
    "charge_budget": lambda x: order("charge_budget", name=BUDGET, amounts=USD, reason="race"),
    "reserve": lambda x: order("reserve", lease=x.lease, budget=BUDGET, amounts=USD),
    "spend": lambda x: order("spend", lease=x.lease, budget=BUDGET, amounts=USD),
    "claim": lambda x: order("claim", worker_id="w", worker_instance_id="w-2", limit=2, lease_ttl_ms=LEASE_TTL_MS),
    "complete": lambda x: order("complete", lease=x.lease),
    "create": lambda x: order("create_execution", **item(x.key)),
    "look": lambda x: order("reconcile"),
    "cancel": of_waiting("cancel"),
    "revoke": of_waiting("revoke"),
    "replay": of_waiting("replay"),
}
OF_LEASES = {"LeaseExpired", "StaleLease", "ExecutionNotActive"}
REFUSALS: dict[str, set[str]] = {
    "set_key": {"NotFound"},
    "remove_limit": {"NotFound"},
    "pause_limit": {"NotFound"},
    "create": {"NotFound"},
    "look": {"ReadersBusy"},  # many at once in one process
    "reserve": OF_LEASES,
    "spend": OF_LEASES,
    "complete": OF_LEASES,
    "cancel": {"InvalidInput"},
    "replay": {"ExecutionNotTerminal"},
}
PAIRS = list(combinations_with_replacement(VERBS, 2))


@pytest.fixture
def url_of_postgres(server: KillablePostgres, database: str) -> str:
    return server.url(database)


def test_every_two_verbs_about_limits_and_budgets_meet(
    url_of_postgres: str, server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    url = url_of_postgres
    met: Counter[str] = Counter()
    with open_blocking_engine(url, reconcile=False) as engine, puppets(url, 2, tmp_path) as racers:
        engine.set_budget(PARENT, limits={"usd": 10**6})
        for number in range(SIZES.gate_rounds):
            if IS_LONG:
                subjects = scenes(engine, f"calm-{number}")
                told = [one_by_one(engine, racers, pair, x) for pair, x in zip(PAIRS, subjects, strict=True)]
                met += checked(engine, url, subjects, told)
            subjects = scenes(engine, f"crowd-{number}")
            met += checked(engine, url, subjects, in_a_crowd(racers, subjects, turned=number % 2))
    deadlocks = server.deadlocks(database)
    assert deadlocks == 0, "rows were not locked in the one order"
    assert met["spend: Spent"] > 0
    assert met["replay: Replayed"] > 0
    figures(rounds=met.total() // 2, deadlocks=deadlocks)


def scenes(engine: BlockingEngine, name: str) -> list[Subject]:
    """A subject for each pair of verbs. Those that are to be replayed have ended."""
    engine.set_limit(LIMIT, concurrency=10_000)
    engine.set_limit(TENANT, concurrency=1)
    engine.set_budget(BUDGET, limits={"usd": 10**6}, parent=PARENT)
    keys = [f"{name}-{number}" for number in range(len(PAIRS))]
    for _ in range(2):  # the first of each key runs, and the second is parked
        engine.create_executions([NewExecution(payload=key.encode(), **item(key)) for key in keys])
    leases = {}
    while found := engine.claim(worker_id="w", worker_instance_id="w-1", limit=1000, lease_ttl_ms=LEASE_TTL_MS):
        leases.update({each.payload.decode(): each.lease for each in found})
    subjects = [Subject(leases[key].execution_id, leases[key], key) for key in keys]
    ended = [x.lease for pair, x in zip(PAIRS, subjects, strict=True) if "replay" in pair]
    engine.complete_all([(lease, b"") for lease in ended])
    return subjects


def one_by_one(engine: BlockingEngine, racers: Puppets, pair: tuple[str, str], x: Subject) -> list[Answer]:
    """Have two verbs meet on one subject, and nothing else beside them."""
    if "remove_limit" in pair:
        engine.set_limit(TENANT, concurrency=1)
    (one,), (other,) = racers.race(*([VERBS[verb](x)] for verb in pair))
    return [one, other]


def in_a_crowd(racers: Puppets, subjects: Sequence[Subject], *, turned: int) -> list[list[Answer]]:
    """Have all pairs meet at once. Each process takes them in another order, and its commands share batches."""
    orders = [[VERBS[pair[side]](x) for pair, x in zip(PAIRS, subjects, strict=True)] for side in (0, 1)]
    orders[turned].reverse()
    answers = racers.race(*orders)
    answers[turned].reverse()
    return [list(both) for both in zip(*answers, strict=True)]


def checked(
    engine: BlockingEngine, url: str, subjects: Sequence[Subject], told: Sequence[Sequence[Answer]]
) -> Counter[str]:
    """Check that callers were told what happened, that all counts are right, and that everything goes on to its end."""
    named: Counter[str] = Counter()
    for pair, answers in zip(PAIRS, told, strict=True):
        for verb, answer in zip(pair, answers, strict=True):
            assert not answer.message or answer.name in REFUSALS.get(verb, ()), (pair, answer)
            named[f"{verb}: {answer.name}"] += 1
    engine.set_limit(TENANT, concurrency=1)
    with opened(url) as store:
        assert_nothing_is_broken(store)
    claimed = [each for answers in told for answer in answers if answer.name == "list" for each in answer.value]
    leases = [x.lease for x in subjects] + [msgspec.convert(each["lease"], Lease) for each in claimed]
    drive(engine, leases)
    with opened(url) as store:
        assert_nothing_is_broken(store)
    counted = named["spend: Spent"] + named["charge_budget: Spent"]
    spent = sum(used - assumed for used, assumed in used_by_period(url, BUDGET))
    assert spent == counted, "a spend was lost, or counted twice"
    forget_spending(url)
    return named


def forget_spending(url: str) -> None:
    """Let the next round begin with nothing spent."""
    with psycopg.connect(url) as connection:
        connection.execute("update ff_budget_use set used = '{}', assumed = '{}'")


def drive(engine: BlockingEngine, leases: Sequence[Lease]) -> None:
    """Complete what runs under these leases, then everything else, until nothing is left."""
    for lease in leases:
        complete(engine, lease)
    for _ in range(TURNS_MAX):
        engine.reconcile()
        found = engine.claim(worker_id="w", worker_instance_id="w-3", limit=1000, lease_ttl_ms=LEASE_TTL_MS)
        engine.complete_all([(each.lease, b"") for each in found])
        if found:
            continue
        if not any(engine.count_executions(public_state=state) for state in ALIVE):
            return
        for x in engine.list_executions(public_state="active", limit=1000).items:
            engine.revoke_lease(x.execution_id, reason="the end")
    states = {state: engine.count_executions(public_state=state) for state in ALIVE}
    raise AssertionError(f"nobody lets them in any more: {states}")


def complete(engine: BlockingEngine, lease: Lease) -> None:
    with suppress(LeaseExpired, StaleLease, ExecutionNotActive):
        engine.complete(lease)
