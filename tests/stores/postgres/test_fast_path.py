"""What one statement does is what deciding would have done, in a batch as well as alone."""

import re
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import NoReturn

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.rows import dict_row

from flowfabric import (
    BlockingEngine,
    Claimed,
    Contention,
    Created,
    ExecutionPolicy,
    LeaseExpired,
    ManualClock,
    NewExecution,
    NotFound,
    RetryPolicy,
    StaleLease,
    open_blocking_engine,
)
from flowfabric.app import open_store
from flowfabric.domain import inputs
from flowfabric.domain.commands import AnyCommand, Claim, Complete, CreateExecution, CreateExecutions, Envelope
from flowfabric.domain.ids import lane_partition, make_execution_id, parse_execution_id
from flowfabric.domain.lease import ERA_STRIDE, lease_id
from flowfabric.domain.outcomes import Completed, Outcome
from flowfabric.domain.plain import COMPLETED, LEASED, Transition, is_plain
from flowfabric.domain.policies import DEFAULT_POLICY, DURATION_MS_MAX
from flowfabric.engine import limits
from flowfabric.engine.batch import Batch
from flowfabric.engine.minting import new_uuid
from flowfabric.ports.errors import CommitUnknown
from flowfabric.stores._shared.encoding import policy_text
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres import writer as write_side
from flowfabric.stores.postgres.single_statement import SingleStatement
from flowfabric.stores.postgres.store import PostgresStore
from tests.assembled import assembled
from tests.faulty_store import FaultyStore
from tests.record_batches import answered_undecided
from tests.stores.last_attempts import LEFT, with_last_attempt_apart
from tests.stores.postgres.conftest import LEASE_ENDS, Sql

STATEMENTS = Statements("flowfabric.stores.postgres")
OF_ONE_ALONE = {"execution_id", "event_id", "txid"}
TABLES = ("ff_exec_core", "ff_payload", "ff_ready", "ff_due", LEASE_ENDS, "ff_tag", "ff_attempt", "ff_event")


@pytest.fixture
def store(url: str, clock: ManualClock) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url, clock=clock)) as store:
        yield store


def plain(
    *, priority: int = 0, key: str | None = None, lane: str = "default", policy: ExecutionPolicy = DEFAULT_POLICY
) -> CreateExecution:
    """What asks for no look at anything, unless it has a key."""
    execution_id = make_execution_id(lane_partition(lane), new_uuid())
    return CreateExecution(
        execution_id, False, "mail", b"x", lane, "default", priority, None, None, key, 1000, (), policy, {}
    )


def a_claim(limit: int = 10, *lanes: str) -> Claim:
    return Claim("w", "w-1", lanes or ("default",), "default", frozenset(), limit, 30_000)


def told(store: PostgresStore, *commands: AnyCommand, command_id: str | None = None) -> list[Outcome]:
    """The answers to one batch."""
    first, *others = commands
    batch = [Envelope(first, None, command_id), *map(Envelope, others)]
    with closing(store.writer()) as writer:
        return list(writer.run(Batch(batch, store.name)).answers)  # type: ignore[arg-type]


def claimed_in(answer: Outcome) -> list[Claimed]:
    assert isinstance(answer, list)
    return [each for each in answer if isinstance(each, Claimed)]


def ids_of(answer: Outcome) -> list[str]:
    return [each.execution_id for each in claimed_in(answer)]


def test_a_claim_gets_what_is_made_before_it_in_the_batch(store: PostgresStore) -> None:
    one, two = plain(), plain(priority=5)

    answers = told(store, one, CreateExecutions((two,)), a_claim())

    assert answers[:2] == [Created(one.execution_id, "waiting"), [Created(two.execution_id, "waiting")]]
    assert ids_of(answers[2]) == [two.execution_id, one.execution_id]


def test_a_claim_does_not_get_what_is_made_after_it_in_the_batch(store: PostgresStore) -> None:
    one, two = plain(), plain()

    answers = told(store, one, a_claim(), two)

    assert ids_of(answers[1]) == [one.execution_id]


@pytest.mark.parametrize("meets_members", [False, True])
def test_a_claim_takes_nothing_before_an_earlier_one_that_has_to_be_decided(
    store: PostgresStore, meets_members: bool
) -> None:
    one, hasty = plain(), replace(plain(), deadline_at_ms=2**50)
    told(store, one, hasty)
    store.meets_members = meets_members

    answers = told(store, a_claim(2), a_claim(1))

    assert [ids_of(answer) for answer in answers] == [[one.execution_id, hasty.execution_id], []]


def test_a_claim_leaves_what_comes_from_another_era_to_be_decided(store: PostgresStore, sql: Sql) -> None:
    foreign, ours = plain(), plain()
    told(store, foreign, ours)
    sql.execute("update ff_exec_core set lease_era = 7 where execution_id = %s", (foreign.execution_id[-36:],))

    epochs = {each.execution_id: each.lease.lease_epoch for each in claimed_in(told(store, a_claim())[0])}

    assert epochs[foreign.execution_id] >= ERA_STRIDE
    assert epochs[ours.execution_id] == 1


def test_a_claim_gives_an_era_to_what_has_none_also_in_company(store: PostgresStore, sql: Sql) -> None:
    without, ours = plain(), plain()
    told(store, without, ours)
    eras = sql.execute("select distinct lease_era from ff_exec_core").fetchall()
    sql.execute("update ff_exec_core set lease_era = null where execution_id = %s", (without.execution_id[-36:],))

    epochs = [each.lease.lease_epoch for each in claimed_in(told(store, a_claim())[0])]

    assert epochs == [1, 1]
    assert sql.execute("select distinct lease_era from ff_exec_core").fetchall() == eras


def test_a_completion_under_another_mark_is_refused_and_one_under_a_mark_left_behind_is_not(
    engine: BlockingEngine, sql: Sql
) -> None:
    execution_id = engine.create_execution("mail").execution_id
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    lease = claimed.lease
    marked, _, _ = lease.lease_id.rpartition(":")
    for another in (marked, marked + ":another"):
        with pytest.raises(StaleLease):
            engine.complete(replace(lease, lease_id=another))

    # A release that knows no marks has claimed it since.
    sql.execute("update ff_exec_core set lease_epoch = 2 where execution_id = %s", (execution_id[-36:],))
    theirs = replace(lease, lease_epoch=2, lease_id=marked.removesuffix(":1") + ":2")
    assert engine.complete(theirs).execution_id == execution_id


@pytest.mark.parametrize("mark", ["", "m1"])
def test_a_completion_is_answered_undecided_only_under_its_lease_id(store: PostgresStore, mark: str) -> None:
    told(store, plain())
    [claimed] = claimed_in(told(store, replace(a_claim(), mark=mark))[0])
    fence = inputs.fence(claimed.lease)

    assert is_answered_undecided(store, Complete(fence, None))
    assert not is_answered_undecided(store, Complete(replace(fence, lease_id="another"), None))


def test_a_completion_that_is_twice_in_a_batch_ends_its_execution_once(store: PostgresStore, sql: Sql) -> None:
    told(store, plain())
    [claimed] = claimed_in(told(store, a_claim())[0])
    complete = Complete(inputs.fence(claimed.lease), None)

    assert told(store, complete, complete) == [Completed(claimed.lease.execution_id)] * 2
    assert sql.execute("select count(*) from ff_event where event_type = 'completed'").fetchone() == (1,)


def test_what_needs_a_look_is_made_beside_what_needs_none(store: PostgresStore) -> None:
    simple, keyed = plain(), plain(key="order-7")

    answers = told(store, simple, keyed, plain(key="order-7"), a_claim())

    assert answers[2].execution_id == keyed.execution_id  # type: ignore[union-attr]
    assert sorted(ids_of(answers[3])) == sorted([simple.execution_id, keyed.execution_id])


def test_what_is_made_easily_is_stored_as_what_was_decided(
    engine: BlockingEngine, url: str, clock: ManualClock
) -> None:
    policy = ExecutionPolicy(retention_ms=5_000)
    easy = engine.create_execution("mail", b"hello", lane="post", priority=3, policy=policy).execution_id
    # With an id of its own a command is remembered, and goes the long way.
    decided = engine.create_execution(
        "mail", b"hello", lane="post", priority=3, policy=policy, command_id="once"
    ).execution_id
    [in_bulk] = engine.create_executions(
        [NewExecution(kind="mail", payload=b"hello", lane="post", priority=3, policy=policy)]
    )

    assert rows_of(url, easy) == rows_of(url, decided) == rows_of(url, in_bulk.execution_id)


RETRY = RetryPolicy(max_retries=3)


@pytest.mark.parametrize(
    "policy",
    [
        DEFAULT_POLICY,
        ExecutionPolicy(retention_ms=0),
        ExecutionPolicy(retention_ms=9_000),
        ExecutionPolicy(retry=RETRY),
        ExecutionPolicy(retry=RETRY, retention_ms=9_000),
        ExecutionPolicy(retry=RETRY, max_interruptions=3, retention_ms=DURATION_MS_MAX, stream_max_frames=7),
    ],
)
def test_what_has_no_timeout_is_claimed_and_completed_easily_and_stored_as_what_was_decided(
    store: PostgresStore, url: str, policy: ExecutionPolicy
) -> None:
    one, other = plain(policy=policy), plain(policy=policy)
    told(store, one, other)
    assert is_answered_undecided(store, a_claim())
    leases = {each.execution_id: each.lease for each in claimed_in(told(store, a_claim())[0])}
    complete, decided = (Complete(inputs.fence(leases[each.execution_id]), b"result") for each in (one, other))
    assert is_answered_undecided(store, complete)

    told(store, complete)
    told(store, decided, command_id="once")

    assert rows_of(url, one.execution_id) == rows_of(url, other.execution_id)
    due = [(row["due_kind"], row["due_at_ms"]) for row in rows_of(url, one.execution_id)["ff_due"]]
    assert due == ([] if policy.retention_ms is None else [(4, store.now_ms + policy.retention_ms)])


@pytest.mark.parametrize(
    "policy",
    [
        '{"retention_ms":-1}',
        '{"retention_ms":1e3}',
        '{"retention_ms":1',
        '{"retention_ms":99999999999999999999}',
        '{"retention_ms":"1"}',
        '{"attempt_timeout_ms":5,"retention_ms":1}',
        "{}",
        "damaged",
    ],
)
def test_a_policy_that_has_a_timeout_or_is_damaged_is_left_to_be_decided(
    store: PostgresStore, sql: Sql, policy: str
) -> None:
    told(store, plain())
    (claimed,) = claimed_in(told(store, a_claim())[0])
    sql.execute("update ff_exec_core set policy = %s", (policy,))

    assert not is_answered_undecided(store, Complete(inputs.fence(claimed.lease), None))


def is_answered_undecided(store: PostgresStore, command: AnyCommand) -> bool:
    """Whether a statement would do it. What it does is taken back."""
    with closing(store.writer()) as writer:
        return bool(answered_undecided(writer, store.name, command))


def rows_of(url: str, execution_id: str) -> dict[str, list[dict[str, object]]]:
    found = {}
    with psycopg.connect(url, row_factory=dict_row) as connection:
        for table in TABLES:
            rows = connection.execute(
                f"select * from {table} where execution_id = %s", (execution_id[-36:],)
            ).fetchall()
            found[table] = [{name: value for name, value in row.items() if name not in OF_ONE_ALONE} for row in rows]
    return with_last_attempt_apart(found)


# ── sent together with the commit ────────────────────────────────────────────────────────────────


def is_one_statement(store: PostgresStore, *commands: AnyCommand) -> bool:
    with closing(store.writer()) as writer:
        writer.make_ready()
        return SingleStatement.of(writer, Batch(list(map(Envelope, commands)), store.name)) is not None


@pytest.mark.parametrize("policy", [DEFAULT_POLICY, ExecutionPolicy(retention_ms=9_000)])
def test_what_is_leased_as_it_is_made_is_stored_as_what_was_decided(
    store: PostgresStore, url: str, policy: ExecutionPolicy
) -> None:
    told(store, a_claim())  # finds nothing: from now on the lane is known to be idle
    one, other = plain(priority=3, policy=policy), plain(priority=3, policy=policy)
    assert is_one_statement(store, one, a_claim())

    at_once = told(store, one, a_claim())
    # With an id of its own a command is remembered, and goes the long way.
    decided = told(store, other, a_claim(), command_id="once")

    assert rows_of(url, one.execution_id) == rows_of(url, other.execution_id)
    assert len(rows_of(url, one.execution_id)["ff_event"]) == 1
    [mine], [others] = claimed_in(at_once[1]), claimed_in(decided[1])
    assert (mine.execution_id, mine.lease.lease_epoch) == (one.execution_id, others.lease.lease_epoch)
    assert mine.lease.expires_at_ms == others.lease.expires_at_ms
    assert (mine.kind, mine.payload, mine.claim_type, mine.tags) == (
        others.kind,
        others.payload,
        others.claim_type,
        others.tags,
    )


def test_a_lease_given_at_once_ends_by_the_servers_clock(url: str) -> None:
    store = open_store(url)
    told(store, a_claim())
    one = plain()

    [claimed] = claimed_in(told(store, one, a_claim())[1])
    store.close()

    [row] = rows_of(url, one.execution_id)["ff_exec_core"]
    assert claimed.lease.expires_at_ms == row["lease_expires_at_ms"]


def test_claims_share_what_is_made_for_them_in_queue_order(store: PostgresStore) -> None:
    told(store, a_claim(1, "a", "b"))
    low, high, other = plain(lane="a"), plain(lane="a", priority=8), plain(lane="b", priority=4)
    batch = (low, CreateExecutions((high, other)), a_claim(1, "a"), a_claim(5, "a", "b"))
    assert is_one_statement(store, *batch)

    answers = told(store, *batch)

    assert ids_of(answers[2]) == [high.execution_id]
    assert ids_of(answers[3]) == [other.execution_id, low.execution_id]


def test_what_nobody_has_room_for_waits(store: PostgresStore) -> None:
    told(store, a_claim())
    first, second = plain(priority=1), plain()

    answers = told(store, first, second, a_claim(1))

    assert ids_of(answers[2]) == [first.execution_id]
    assert ids_of(told(store, a_claim())[0]) == [second.execution_id]


@pytest.mark.parametrize("is_paused", [True, False])
def test_a_lane_that_is_no_longer_idle_is_looked_at_anew(
    store: PostgresStore, engine: BlockingEngine, is_paused: bool
) -> None:
    told(store, a_claim())
    if is_paused:
        engine.pause_lane("default")
        before_it = []
    else:
        before_it = [engine.create_execution("mail", priority=9).execution_id]
    one = plain()

    with pytest.raises(Contention):
        told(store, one, a_claim())
    answers = told(store, one, a_claim())

    assert ids_of(answers[1]) == ([] if is_paused else [*before_it, one.execution_id])


def test_an_engine_that_believes_a_lane_to_be_idle_notices_nothing_of_its_mistake(url: str) -> None:
    with open_blocking_engine(url) as mine, open_blocking_engine(url) as theirs:
        assert mine.claim(worker_id="w", worker_instance_id="w-1") == []
        urgent = theirs.create_execution("mail", priority=9).execution_id

        made = mine.create_execution("mail").execution_id
        found = mine.claim(worker_id="w", worker_instance_id="w-1", limit=5)

    assert [each.execution_id for each in found] == [urgent, made]


@pytest.mark.parametrize("is_claimed", [True, False])
def test_a_batch_that_was_given_up_cannot_happen_any_more(store: PostgresStore, url: str, is_claimed: bool) -> None:
    told(store, a_claim())
    one = plain()
    batch = Batch([Envelope(one), *([Envelope(a_claim())] if is_claimed else [])], store.name)

    with closing(store.writer()) as late, closing(store.writer()) as other:
        answers = [other.was_committed(batch.batch_id) for _ in range(2)]
        with pytest.raises(Contention):
            late.run(batch)

    assert answers == [False, False]
    assert rows_of(url, one.execution_id)["ff_exec_core"] == []


def test_a_lease_whose_answer_was_lost_ends_when_the_server_says(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = plain()
    with closing(open_store(url)) as store:
        told(store, a_claim())
        with closing(store.writer()) as writer:
            batch = Batch([Envelope(one), Envelope(a_claim())], store.name)
            monkeypatch.setattr(write_side, "send", lost_after)
            with pytest.raises(CommitUnknown):
                writer.run(batch)
            assert writer.was_committed(batch.batch_id)

    [row] = rows_of(url, one.execution_id)["ff_exec_core"]
    assert batch.prepared is not None
    claimed = claimed_in(batch.prepared.answers[1])  # type: ignore[arg-type]
    assert [each.lease.expires_at_ms for each in claimed] == [row["lease_expires_at_ms"]]


def lost_after(connection: psycopg.Connection, sql: str, values: Mapping[str, object]) -> NoReturn:
    """Run it, and lose the answer."""
    connection.execute(sql.encode(), values)
    raise psycopg.OperationalError("the line is dead")


def test_a_lane_that_another_process_has_filled_costs_no_try(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONTENTION_PAUSES_S", ())  # one try, and what fails by contention is refused
    store = FaultyStore(open_store(url))
    with assembled(store) as mine, open_blocking_engine(url, reconcile=False, notify=False) as theirs:
        assert mine.engine.claim(worker_id="w", worker_instance_id="w-1") == []
        with ThreadPoolExecutor(1) as pool:
            who = {"worker_id": "w", "worker_instance_id": "w-1"}
            waiting = pool.submit(mine.engine.wait_for_work, **who, limit=5, poll_ms=60_000)
            give_up_at, pause = time.monotonic() + 60, threading.Event()
            while not mine.commits.standing and time.monotonic() < give_up_at:
                pause.wait(0.002)
            urgent = theirs.create_execution("mail", priority=9).execution_id
            made = mine.engine.create_execution("mail").execution_id
            found = waiting.result(60)
    store.close()

    assert (store.undecided["create_leased"], [each.execution_id for each in found]) == (1, [urgent, made])


# ── completions as one statement ─────────────────────────────────────────────────────────────────


@pytest.fixture
def quiet(store: PostgresStore) -> PostgresStore:
    """A store that knows that nobody waits for ends."""
    store.notes.is_listening = True
    return store


def leased(store: PostgresStore, number: int) -> list[Complete]:
    """Completions of so many executions that are leased."""
    told(store, *(plain(policy=ExecutionPolicy(retention_ms=9_000)) for _ in range(number)))
    return [Complete(inputs.fence(each.lease), b"done") for each in claimed_in(told(store, a_claim(number))[0])]


def plan_of(store: PostgresStore, *commands: AnyCommand) -> tuple[str, list[Outcome]]:
    """How a batch was run in the end, and what it answered."""
    with closing(store.writer()) as writer:
        answers = writer.run(Batch([Envelope(each) for each in commands], store.name)).answers
        return type(writer.plan).__name__, list(answers)  # type: ignore[arg-type]


def test_completions_at_once_are_stored_as_completions_in_a_transaction(quiet: PostgresStore, url: str) -> None:
    at_once, beside_a_claim = leased(quiet, 2)

    ways = [plan_of(quiet, at_once)[0], plan_of(quiet, beside_a_claim, a_claim())[0]]

    assert ways == ["CompleteAtOnce", "FastBatch"]
    one, other = (rows_of(url, each.fence.execution_id) for each in (at_once, beside_a_claim))
    assert one == other
    assert one["ff_due"]


def test_completions_at_once_are_answered_in_the_order_of_the_batch(quiet: PostgresStore) -> None:
    ends = leased(quiet, 5)[::-1]

    way, answers = plan_of(quiet, *ends)

    assert (way, answers) == ("CompleteAtOnce", [Completed(each.fence.execution_id) for each in ends])


def test_one_completion_that_is_not_plain_leaves_the_others_to_the_usual_way(quiet: PostgresStore, sql: Sql) -> None:
    one, late, other = leased(quiet, 3)
    sql.execute("update ff_exec_core set lease_epoch = 7 where execution_id = %s", (late.fence.execution_id[-36:],))

    way, answers = plan_of(quiet, one, late, other)

    assert way == "FastBatch"
    assert [type(each) for each in answers] == [Completed, StaleLease, Completed]
    assert sql.execute("select count(*) from ff_event where event_type = 'completed'").fetchone() == (2,)


def test_one_completion_of_nothing_leaves_the_others_to_the_usual_way(quiet: PostgresStore) -> None:
    one, gone = leased(quiet, 2)
    never_made = make_execution_id(lane_partition("default"), new_uuid())
    stranger = lease_id(quiet.name, never_made, 0, 1)

    way, answers = plan_of(quiet, one, Complete(replace(gone.fence, execution_id=never_made, lease_id=stranger), None))

    assert way == "FastBatch"
    assert [type(each) for each in answers] == [Completed, NotFound]


def test_a_lease_that_is_over_is_not_completed_at_once(quiet: PostgresStore, clock: ManualClock) -> None:
    (end,) = leased(quiet, 1)
    clock.advance(30_000)

    assert [type(each) for each in plan_of(quiet, end)[1]] == [LeaseExpired]


def test_completions_whose_answer_was_lost_are_known_to_have_happened(
    quiet: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = leased(quiet, 2)
    batch = Batch([Envelope(each) for each in ends], quiet.name)
    with closing(quiet.writer()) as writer:
        monkeypatch.setattr(write_side, "send", lost_after)
        with pytest.raises(CommitUnknown):
            writer.run(batch)

        assert writer.was_committed(batch.batch_id)
    assert batch.prepared is not None
    assert batch.prepared.answers == [Completed(each.fence.execution_id) for each in ends]


def test_completions_that_were_given_up_cannot_happen_any_more(quiet: PostgresStore, sql: Sql) -> None:
    ends = leased(quiet, 2)
    batch = Batch([Envelope(each) for each in ends], quiet.name)

    with closing(quiet.writer()) as late, closing(quiet.writer()) as other:
        assert not other.was_committed(batch.batch_id)
        with pytest.raises(Contention):
            late.run(batch)

    assert sql.execute("select count(*) from ff_event where event_type = 'completed'").fetchone() == (0,)


def test_completions_that_somebody_waits_for_are_told_in_a_transaction(quiet: PostgresStore) -> None:
    (end,) = leased(quiet, 1)
    quiet.notes.are_wanted(["flowfabric_ended"])

    assert plan_of(quiet, end)[0] == "FastBatch"


# ── the rules behind the statements ──────────────────────────────────────────────────────────────


def updated_by(statement: str) -> set[str]:
    """The columns of an execution that a statement sets."""
    update = re.search(r"update ff_exec_core c\s+set (.*?)\s+from plain", STATEMENTS[statement], re.DOTALL)
    assert update is not None
    return set(re.findall(r"(\w+) = ", update[1]))


@pytest.mark.parametrize(("statement", "step"), [("fast_claim", LEASED), ("fast_complete", COMPLETED)])
def test_a_statement_sets_every_column_that_the_rules_change(statement: str, step: Transition) -> None:
    fields = step.after.__struct_fields__
    changed = {field for field in fields if getattr(step.before, field) != getattr(step.after, field)}

    left = set(LEFT) if step is COMPLETED else set()
    assert changed - left | {"public_state"} <= updated_by(statement)


@pytest.mark.parametrize("field", [name for name in ExecutionPolicy.__struct_fields__ if name != "retry"])
def test_a_statement_takes_the_policies_that_are_plain(store: PostgresStore, sql: Sql, field: str) -> None:
    policy = ExecutionPolicy(**{field: 5})
    takes = is_plain(replace(LEASED.after, policy=policy), "completed")
    told(store, plain())
    sql.execute("update ff_exec_core set policy = %s", (policy_text(policy),))

    assert is_answered_undecided(store, a_claim()) == takes
    (claimed,) = claimed_in(told(store, a_claim())[0])
    assert is_answered_undecided(store, Complete(inputs.fence(claimed.lease), None)) == takes


@pytest.mark.parametrize("keys", [("early",), ("early", "editor")])
def test_what_has_an_inbox_is_decided_and_keeps_its_signals(
    store: PostgresStore, engine: BlockingEngine, keys: tuple[str, ...]
) -> None:
    known = engine.create_execution("mail").execution_id
    for key in keys:
        engine.signal(known, key, b"yes")
    with closing(store.writer()) as writer:
        by_itself = answered_undecided(writer, store.name, a_claim())
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
    with closing(store.writer()) as writer:
        by_itself = {**by_itself, **answered_undecided(writer, store.name, Complete(inputs.fence(claimed.lease), None))}
    engine.complete(claimed.lease)

    assert by_itself == {}
    assert [signal.key for signal in engine.list_signals(known)] == list(keys)
    x = store.execution(parse_execution_id(known))
    assert x is not None
    assert x.inbox is not None
    assert not is_plain(x, "leased")
    assert not is_plain(x, "completed")
    assert x.inbox.signals == len(keys)
