"""Somebody changes a limit or a budget while another transaction decides by what it has read of it before."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from flowfabric import BlockingEngine, InvalidInput, ManualClock
from flowfabric.app import open_store
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import AnyCommand, ChargeBudget, Envelope, ResetBudget, SetBudget
from flowfabric.domain.outcomes import Spent
from flowfabric.engine.batch import Batch
from flowfabric_conformance.gate_stage import budget_at, gated, limit_at
from flowfabric_conformance.stage import claim_ids, create
from tests.assembled import assembled, assembled_at
from tests.faulty_store import FaultyStore, Point
from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.processes import wait_until

PATIENCE_S = 60.0
DEADLOCKS = "select deadlocks from pg_stat_database where datname = current_database()"
WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"


class Interrupted:
    """A second engine. Something happens in the middle of its next batch."""

    def __init__(self, engine: BlockingEngine, store: FaultyStore, sql: Sql) -> None:
        self.engine = engine
        self._store = store
        self._sql = sql
        self._threads: list[threading.Thread] = []
        self.answers: list[Any] = []

    def by(self, act: Callable[[], Any], point: Point) -> None:
        """Let this happen once, until it is done, or waits for a lock that the batch holds."""
        left = [act]

        def strike(needs: Needs) -> bool:
            if left:
                self._begin(left.pop())
            return False

        self._store.breaks(point, AssertionError("it never strikes"), when=strike)

    def _begin(self, act: Callable[[], Any]) -> None:
        def run() -> None:
            try:
                self.answers.append(act())
            except Exception as error:
                self.answers.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        self._threads.append(thread)
        wait_until(lambda: not thread.is_alive() or self._sql.execute(WAITING).fetchall() != [(0,)])

    def is_over(self) -> None:
        """Wait until what has interrupted it is done, too."""
        (thread,) = self._threads
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


@pytest.fixture
def interrupted(url: str, clock: ManualClock, sql: Sql) -> Iterator[Interrupted]:
    store = open_store(url, clock=clock)
    faulty: Any = FaultyStore(store)
    with assembled(faulty) as parts:
        yield Interrupted(parts.engine, faulty, sql)
    store.close()


@pytest.fixture(params=["decided", "before commit"])
def point(request: pytest.FixtureRequest) -> Point:
    """Where the batch is interrupted: before or after the last look at what it depends on."""
    found: Point = request.param
    return found


@pytest.fixture(autouse=True)
def no_deadlock(sql: Sql) -> Iterator[None]:
    yield
    assert sql.execute(DEADLOCKS).fetchall() == [(0,)]


# ── nobody is parked for nothing ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("change", ["raise", "remove"])
def test_a_limit_is_opened_while_a_claim_parks_the_first_at_it(
    engine: BlockingEngine, interrupted: Interrupted, clock: ManualClock, change: str, point: Point
) -> None:
    engine.set_limit("tenant", concurrency=1)
    engine.reconcile()
    ids = [gated(engine, {"tenant": "t"}) for _ in range(2)]

    def opens() -> None:
        if change == "raise":
            engine.set_limit("tenant", concurrency=2)
        else:
            engine.remove_limit("tenant")
        engine.reconcile()

    interrupted.by(opens, point)
    claimed = claim_ids(interrupted.engine)
    interrupted.is_over()
    clock.advance(1_000)
    engine.reconcile()
    claimed += claim_ids(engine)

    assert interrupted.answers == [None]
    assert claimed == ids


@pytest.mark.parametrize("change", ["reset", "raise"])
def test_a_budget_is_opened_while_a_claim_parks_the_first_at_it(
    engine: BlockingEngine, interrupted: Interrupted, clock: ManualClock, change: str, point: Point
) -> None:
    engine.set_budget("team", limits={"usd": 5})
    engine.charge_budget("team", {"usd": 5}, reason="spent elsewhere")
    engine.reconcile()
    clock.advance(1_000)
    made = create(engine, budgets={"team": {"usd": 1}})

    def opens() -> None:
        if change == "reset":
            engine.reset_budget("team")
        else:
            engine.set_budget("team", limits={"usd": 10})
        engine.reconcile()

    interrupted.by(opens, point)
    claimed = claim_ids(interrupted.engine)
    interrupted.is_over()
    clock.advance(1_000)
    engine.reconcile()
    claimed += claim_ids(engine)

    assert interrupted.answers == [None]
    assert claimed == [made]


@pytest.mark.parametrize("gate", ["key", "budget"])
def test_a_gate_is_opened_further_while_somebody_looks_at_it(
    engine: BlockingEngine, interrupted: Interrupted, clock: ManualClock, gate: str, point: Point
) -> None:
    """Somebody is noted to look already, so it is the same note: who looks now must not remove it."""
    engine.set_limit("api", concurrency=1)
    engine.set_budget("team", limits={"usd": 1})
    given = {"limits": {"api": "t"}} if gate != "budget" else {"budgets": {"team": {"usd": 1}}}
    ids = [create(engine, **given) for _ in range(2)]
    claimed = claim_ids(engine)
    engine.reconcile()

    def opens(number: int) -> None:
        if gate == "budget":
            engine.set_budget("team", limits={"usd": number}, soft_limits={"usd": 1})
        else:
            engine.set_limit("api", key="t", concurrency=number, rate=1_000)

    opens(1)
    interrupted.by(lambda: opens(2), point)
    interrupted.engine.reconcile()
    interrupted.is_over()
    clock.advance(1_000)
    engine.reconcile()
    claimed += claim_ids(engine)

    assert interrupted.answers == [None]
    assert claimed == ids


# ── a batch comes to its end ─────────────────────────────────────────────────────────────────────


class TickingClock(ManualClock):
    """A clock that goes on whenever it is read, as the server's does."""

    @property
    def now_ms(self) -> int:
        self.advance(1)
        return super().now_ms


@pytest.mark.parametrize(
    "begins",
    [
        [ResetBudget("default", "team")],
        [ResetBudget("default", "team")] * 3,
        [SetBudget("default", "team", {"usd": 9}, {}, 3_600_000, None, "pause", False)],
    ],
)
def test_a_period_begins_in_the_batch_in_which_something_is_spent_in_it(url: str, begins: list[AnyCommand]) -> None:
    with assembled_at(url, clock=TickingClock()) as parts:
        parts.engine.set_budget("team", limits={"usd": 9})
        parts.engine.charge_budget("team", {"usd": 5}, reason="before")
        charge = ChargeBudget("default", "team", {"usd": 4}, "after")
        with closing(parts.store.writer()) as writer:
            batch = Batch([Envelope(each) for begun in begins for each in (begun, charge)], parts.store.name)
            answers = writer.run(batch).answers

        told = [dict(answer.remaining) for answer in answers[1::2] if isinstance(answer, Spent)]
        assert told == [{"usd": 5}] * len(begins)


# ── nothing that was stated is lost ──────────────────────────────────────────────────────────────


def test_a_budget_is_reset_while_somebody_states_it_anew(
    engine: BlockingEngine, interrupted: Interrupted, clock: ManualClock, point: Point
) -> None:
    engine.set_budget("team", limits={"usd": 5})
    engine.charge_budget("team", {"usd": 4}, reason="spent elsewhere")
    clock.advance(1_000)

    interrupted.by(lambda: engine.reset_budget("team"), point)
    interrupted.engine.set_budget("team", limits={"usd": 7})
    interrupted.is_over()

    assert dict(budget_at(engine).limits) == {"usd": 7}
    assert dict(budget_at(engine).used) == {"usd": 0}


def test_two_who_make_each_others_budget_the_parent_do_not_make_a_ring(
    engine: BlockingEngine, interrupted: Interrupted, point: Point
) -> None:
    engine.set_budget("a", limits={"usd": 5})
    engine.set_budget("b", limits={"usd": 5})

    interrupted.by(lambda: engine.set_budget("b", limits={"usd": 5}, parent="a"), point)
    told: list[Any] = []
    try:
        told.append(interrupted.engine.set_budget("a", limits={"usd": 5}, parent="b"))
    except InvalidInput as refusal:
        told.append(refusal)
    interrupted.is_over()

    told += interrupted.answers
    assert sorted(type(answer).__name__ for answer in told) == ["BudgetSet", "InvalidInput"]
    assert [budget_at(engine, name).parent for name in "ab"].count(None) == 1


def test_a_program_that_starts_does_not_overwrite_what_an_operator_states_meanwhile(
    engine: BlockingEngine, interrupted: Interrupted, point: Point
) -> None:
    interrupted.by(lambda: engine.set_limit("api", concurrency=7), point)
    interrupted.engine.set_limit("api", concurrency=2, if_new=True)
    interrupted.is_over()

    assert limit_at(engine).concurrency == 7
