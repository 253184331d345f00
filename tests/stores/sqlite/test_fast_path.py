"""What the fast statements do is what deciding would have done, and they do every plain step."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import fields, replace

from flowfabric import Claimed, Created, ExecutionPolicy, ManualClock, NewExecution
from flowfabric.domain import inputs
from flowfabric.domain.commands import (
    AnyCommand,
    Claim,
    Complete,
    CreateExecution,
    CreateExecutions,
    Envelope,
    PauseLane,
)
from flowfabric.domain.errors import Conflict
from flowfabric.domain.ids import lane_partition, make_execution_id
from flowfabric.domain.outcomes import Completed, Outcome
from flowfabric.domain.plain import COMPLETED, CREATED, LEASED, Transition
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.engine.batch import Batch
from flowfabric.engine.minting import new_uuid
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.sqlite.store import SqliteStore
from tests.record_batches import answered_undecided
from tests.stores.last_attempts import LEFT, with_last_attempt_apart
from tests.stores.sqlite.conftest import Open
from tests.stores_under_test import new_sqlite_file

STATEMENTS = Statements("flowfabric.stores.sqlite")
OF_ONE_ALONE = {"execution_id", "event_id"}
TABLES = ("ff_exec_core", "ff_payload", "ff_result", "ff_attempt", "ff_event")
POLICIES = [DEFAULT_POLICY, ExecutionPolicy(retention_ms=0), ExecutionPolicy(retention_ms=9_000, max_interruptions=3)]


@pytest.fixture
def store(path: Path, clock: ManualClock) -> Iterator[SqliteStore]:
    path.write_bytes(new_sqlite_file())
    with closing(SqliteStore(str(path), clock=clock)) as store:
        yield store


def plain(
    *, priority: int = 0, policy: ExecutionPolicy = DEFAULT_POLICY, payload: bytes = b"x", lane: str = "post"
) -> CreateExecution:
    """What asks for no look at anything."""
    execution_id = make_execution_id(lane_partition(lane), new_uuid())
    return CreateExecution(
        execution_id, False, "mail", payload, lane, "default", priority, None, None, None, 1000, (), policy, {}
    )


def a_claim(limit: int = 10, *lanes: str) -> Claim:
    return Claim("w", "w-1", lanes or ("post",), "default", frozenset(), limit, 30_000, "m1")


def told(
    store: SqliteStore, *commands: AnyCommand, command_id: str | None = None, actor: str | None = None
) -> list[Outcome]:
    """The answers to one batch. Claims and ends that have an id are decided, and so is an id that comes twice."""
    batch = [Envelope(command, None, command_id, actor=actor) for command in commands]
    with closing(store.writer()) as writer:
        return list(writer.run(Batch(batch, store.name)).answers)  # type: ignore[arg-type]


def claimed_in(answer: Outcome) -> list[Claimed]:
    assert isinstance(answer, list)
    return [each for each in answer if isinstance(each, Claimed)]


def undecided(store: SqliteStore, *commands: AnyCommand) -> set[int]:
    """Which commands of a batch the store answers by itself. What it does is taken back."""
    with closing(store.writer()) as writer:
        return set(answered_undecided(writer, store.name, *commands))


def rows_of(store: SqliteStore, execution_id: str) -> dict[str, list[dict[str, object]]]:
    found = {}
    with closing(sqlite3.connect(store.path)) as connection:
        for table in TABLES:
            rows = connection.execute(
                f"select * from {table} where execution_id = ?", (bytes.fromhex(execution_id[-36:].replace("-", "")),)
            )
            columns = [column[0] for column in rows.description]
            records = [dict(zip(columns, row, strict=True)) for row in rows]
            found[table] = [{name: record[name] for name in columns if name not in OF_ONE_ALONE} for record in records]
    return with_last_attempt_apart(found)


def counted(store: SqliteStore) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute("select * from ff_counted order by 1, 2, 3, 4").fetchall()


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("result", [None, b"result"])
def test_what_is_not_decided_is_stored_as_what_was_decided(
    store: SqliteStore, clock: ManualClock, policy: ExecutionPolicy, result: bytes | None
) -> None:
    easy, decided = plain(priority=3, policy=policy), plain(priority=3, policy=policy)
    assert undecided(store, easy) == {0}

    made = [*told(store, easy, actor="ada"), *told(store, decided, decided, command_id="create", actor="ada")[:1]]
    assert rows_of(store, easy.execution_id) == rows_of(store, decided.execution_id)
    clock.advance(5)
    assert undecided(store, a_claim(1)) == {0}
    [one] = claimed_in(told(store, a_claim(1))[0])
    [other] = claimed_in(told(store, a_claim(1), command_id="claim")[0])
    assert rows_of(store, easy.execution_id) == rows_of(store, decided.execution_id)
    clock.advance(7)
    complete, completes = (Complete(inputs.fence(each.lease), result) for each in (one, other))
    assert undecided(store, complete) == {0}
    ended = [*told(store, complete), *told(store, completes, command_id="complete")]

    assert rows_of(store, easy.execution_id) == rows_of(store, decided.execution_id)
    assert made == [Created(each.execution_id, "waiting") for each in (easy, decided)]
    assert ended == [Completed(each.execution_id) for each in (easy, decided)]
    lease = replace(other.lease, execution_id=one.execution_id, lease_id=one.lease.lease_id)
    assert one == replace(other, execution_id=one.execution_id, lease=lease)
    [(namespace, lane, kind, _, number)] = counted(store)
    assert (namespace, lane, kind, number) == ("default", "post", "mail", 2)


def test_a_batch_of_plain_commands_is_not_decided_at_all(store: SqliteStore) -> None:
    told(store, plain(), plain())
    leases = [each.lease for each in claimed_in(told(store, a_claim())[0])]
    ends = [Complete(inputs.fence(lease), b"done") for lease in leases]

    assert undecided(store, *ends, plain(), CreateExecutions((plain(), plain())), a_claim(2), a_claim()) == set(
        range(6)
    )


def with_ids(*commands: tuple[str | None, AnyCommand]) -> list[Envelope]:
    return [Envelope(command, None, command_id) for command_id, command in commands]


def run(store: SqliteStore, *envelopes: Envelope) -> list[object]:
    with closing(store.writer()) as writer:
        return list(writer.run(Batch(list(envelopes), store.name)).answers)


def kept(store: SqliteStore) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute("select * from ff_command order by command_id").fetchall()


def test_creations_that_have_an_id_are_not_decided_and_what_is_kept_is_what_the_rules_keep(store: SqliteStore) -> None:
    one, many = plain(), CreateExecutions((plain(), plain()))
    envelopes = with_ids(("one", one), (None, plain()), ("many", many))
    with closing(store.writer()) as writer:
        assert set(answered_undecided(writer, store.name, *envelopes)) == {0, 1, 2}

    first = run(store, *envelopes)
    by_statements = kept(store)
    assert run(store, envelopes[0], envelopes[2]) == [first[0], first[2]]  # the rules read them
    with closing(sqlite3.connect(store.path)) as connection:
        connection.execute("delete from ff_command")
        connection.execute("delete from ff_exec_core")
        connection.execute("delete from ff_payload")
        connection.commit()
    assert run(store, envelopes[0], envelopes[0], envelopes[2], envelopes[2]) == [first[0]] * 2 + [first[2]] * 2
    assert kept(store) == by_statements


def test_an_id_that_was_used_before_is_left_to_the_rules(store: SqliteStore) -> None:
    one, other, new = plain(), plain(), plain()
    (created,) = run(store, *with_ids(("one", one)))
    batch = with_ids(("one", one), ("two", new), (None, a_claim()))
    with closing(store.writer()) as writer:
        assert set(answered_undecided(writer, store.name, *batch)) == {1}

    repeated, made, claimed = run(store, *batch)
    (refused,) = run(store, *with_ids(("one", replace(other, payload=b"another"))))

    assert repeated == created
    assert made == Created(new.execution_id, "waiting")
    assert [each.execution_id for each in claimed_in(claimed)] == [one.execution_id, new.execution_id]  # type: ignore[arg-type]
    assert isinstance(refused, Conflict)


def test_an_id_that_comes_twice_in_a_batch_is_used_once(store: SqliteStore) -> None:
    one, other = plain(), plain(payload=b"another")

    first, second, third = run(store, *with_ids(("one", one), ("one", one), ("one", other)))

    assert first == second == Created(one.execution_id, "waiting")
    assert isinstance(third, Conflict)
    assert [each.execution_id for each in claimed_in(told(store, a_claim())[0])] == [one.execution_id]


def test_the_same_id_in_two_scopes_is_two_ids(store: SqliteStore) -> None:
    one, other = plain(), plain()

    answers = run(store, Envelope(one, None, "one"), Envelope(other, "default", "one"))

    assert answers == [Created(each.execution_id, "waiting") for each in (one, other)]
    assert len(kept(store)) == 2


def test_claims_share_the_queue_in_its_order(store: SqliteStore) -> None:
    low, high = plain(), plain(priority=5)

    answers = told(store, low, CreateExecutions((high,)), a_claim(1), a_claim())

    assert [each.execution_id for answer in answers[2:] for each in claimed_in(answer)] == [
        high.execution_id,
        low.execution_id,
    ]


def test_a_claim_of_several_lanes_takes_what_comes_first_in_any_of_them(store: SqliteStore, clock: ManualClock) -> None:
    made = [
        plain(lane=lane, priority=priority) for priority, lane in ((0, "a"), (5, "b"), (0, "b"), (5, "a"), (7, "c"))
    ]
    for each in made:
        told(store, each)
        clock.advance(1)
    first, second, third, fourth, paused = (each.execution_id for each in made)
    told(store, PauseLane("default", "c", "closed"))
    claims = a_claim(3, "a", "b", "c"), a_claim(3, "a", "b", "c")

    assert undecided(store, *claims) == {0, 1}
    answers = told(store, *claims)

    assert [[each.execution_id for each in claimed_in(answer)] for answer in answers] == [
        [second, fourth, first],
        [third],
    ]
    assert [row["public_state"] for row in rows_of(store, paused)["ff_exec_core"]] == [0]


def test_a_claim_of_a_lane_that_holds_something_for_capable_workers_is_decided(store: SqliteStore) -> None:
    told(store, plain(), replace(plain(lane="b", priority=9), required_capabilities=("gpu",)))

    assert undecided(store, a_claim(1)) == {0}
    assert undecided(store, a_claim(1, "post", "b")) == set()


def test_a_claim_sees_what_was_decided_before_it_in_the_batch(store: SqliteStore) -> None:
    keyed = replace(plain(priority=9), idempotency_key="order-7")
    batch = keyed, plain(), a_claim(1)

    assert undecided(store, *batch) == {1}
    assert [each.execution_id for each in claimed_in(told(store, *batch)[2])] == [keyed.execution_id]


def test_a_claim_that_finds_something_that_is_not_plain_is_decided(store: SqliteStore) -> None:
    told(store, plain(), plain(policy=ExecutionPolicy(attempt_timeout_ms=5)))

    assert undecided(store, a_claim(1)) == {0}
    assert undecided(store, a_claim(2)) == set()
    assert len(claimed_in(told(store, a_claim(2))[0])) == 2


def test_a_claim_that_finds_nothing_writes_nothing(store: SqliteStore) -> None:
    with closing(store.writer()) as writer:
        answered = writer.run(Batch([Envelope(a_claim())], store.name))

    assert (answered.answers, answered.committed) == ([[]], None)


def test_a_completion_that_is_twice_in_a_batch_ends_its_execution_once(store: SqliteStore) -> None:
    told(store, plain())
    [claimed] = claimed_in(told(store, a_claim())[0])
    complete = Complete(inputs.fence(claimed.lease), None)

    assert told(store, complete, complete) == [Completed(claimed.execution_id)] * 2
    assert [event["event_type"] for event in rows_of(store, claimed.execution_id)["ff_event"]] == [
        "acquired",
        "completed",
    ]


def test_a_completion_of_another_namespace_than_the_callers_is_left_to_the_rules(store: SqliteStore) -> None:
    told(store, plain())
    [claimed] = claimed_in(told(store, a_claim())[0])
    complete = Complete(inputs.fence(claimed.lease), None)

    with closing(store.writer()) as writer:
        (answer,) = writer.run(Batch([Envelope(complete, "another")], store.name)).answers

    assert isinstance(answer, Exception)
    assert rows_of(store, claimed.execution_id)["ff_attempt"] == []


@pytest.mark.parametrize("size", [0, 4096, 4097])
def test_a_claim_brings_payloads_of_every_size(store: SqliteStore, size: int) -> None:
    told(store, plain(payload=b"x" * size))
    assert undecided(store, a_claim()) == {0}

    [claimed] = claimed_in(told(store, a_claim())[0])

    assert claimed.payload == b"x" * size


def test_a_thousand_at_once_are_created_claimed_and_completed(store: SqliteStore) -> None:
    made = [plain() for _ in range(1_000)]
    told(store, CreateExecutions(tuple(made)))

    claimed = claimed_in(told(store, a_claim(1_000))[0])
    ends = [Complete(inputs.fence(each.lease), each.execution_id.encode()) for each in claimed]
    assert undecided(store, *ends) == set(range(1_000))
    told(store, *ends)

    assert [each.execution_id for each in claimed] == sorted(each.execution_id for each in made)
    assert [store.result(each.execution_id) for each in made] == [each.execution_id.encode() for each in made]


# ── the rules behind the statements ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("statement", "step"), [("fast_claim", LEASED), ("fast_complete", COMPLETED)])
def test_a_statement_sets_every_column_that_the_rules_change(statement: str, step: Transition) -> None:
    set_by_it = set(re.findall(r"(\w+) = ", STATEMENTS[statement].partition("where rowid")[0]))
    names = step.after.__struct_fields__
    changed = {name for name in names if getattr(step.before, name) != getattr(step.after, name)}

    left = set(LEFT) if step is COMPLETED else set()
    assert changed - left | {"public_state", "due_kind", "due_at_ms"} <= set_by_it


def test_the_statement_that_creates_leaves_nothing_out_that_the_rules_fill() -> None:
    names = {"lane": "lane_id", "kind": "execution_kind"}
    found = ((field, getattr(CREATED.after, field.name)) for field in fields(CREATED.after))
    filled = {names.get(field.name, field.name) for field, value in found if value not in (None, (), {}, field.default)}

    assert filled <= set(re.findall(r"\w+", STATEMENTS["insert_plain_executions"]))


@pytest.mark.parametrize("keys", [(), ("early",)])
def test_what_has_an_inbox_is_decided_and_keeps_its_signals(
    store: SqliteStore, open_another: Open, clock: ManualClock, keys: tuple[str, ...]
) -> None:
    engine = open_another(clock=clock)
    known = engine.create_executions([NewExecution(kind="mail", lane="post")])[0].execution_id
    for key in keys:
        engine.signal(known, key, b"yes")
    by_itself = undecided(store, a_claim())
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="i", lanes=["post"])
    by_itself |= undecided(store, Complete(inputs.fence(claimed.lease), None))
    engine.complete(claimed.lease)

    assert by_itself == (set() if keys else {0})
    assert [signal.key for signal in engine.list_signals(known)] == list(keys)
