"""What statements do with executions that name limits is what deciding would have done."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from flowfabric import Claimed, ExecutionPolicy, ManualClock
from flowfabric.domain import inputs
from flowfabric.domain.commands import (
    AnyCommand,
    Claim,
    Complete,
    CreateExecution,
    CreateExecutions,
    Envelope,
    PauseLane,
    SetLimit,
)
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import lane_partition, make_execution_id
from flowfabric.domain.limits import Limit
from flowfabric.domain.outcomes import Completed, Created, Outcome
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.engine.batch import Batch
from flowfabric.engine.minting import new_uuid
from flowfabric.ports.writing import Answered
from flowfabric.stores._shared.encoding import ELIGIBILITY_CODES, PUBLIC_STATE_CODES
from flowfabric.stores.sqlite.store import SqliteStore
from tests.record_batches import answered_undecided
from tests.stores.last_attempts import with_last_attempt_apart
from tests.stores_under_test import new_sqlite_file

TABLES = ("ff_exec_core", "ff_payload", "ff_result", "ff_attempt", "ff_event", "ff_at_gate")
OF_ONE_ALONE = {"execution_id", "event_id"}


@pytest.fixture
def store(path: Path, clock: ManualClock) -> Iterator[SqliteStore]:
    """A store in which the limits `api` and `db` are set, and something with limits has been made."""
    path.write_bytes(new_sqlite_file())
    with closing(SqliteStore(str(path), clock=clock)) as store:
        for name in ("api", "db"):
            told(store, SetLimit(a_limit(name), if_new=False))
        told(store, limited(("db", "of others"), lane="other"))
        yield store


def a_limit(name: str, concurrency: int = 2, rate: int | None = None) -> Limit:
    return Limit("default", name, None, concurrency, rate, 60_000, None)


def limited(
    *limits: tuple[str, str],
    lane: str = "default",
    priority: int = 0,
    policy: ExecutionPolicy = DEFAULT_POLICY,
    payload: bytes = b"x",
) -> CreateExecution:
    key = make_execution_id(lane_partition(lane), new_uuid())
    gates = Gates(limits=limits or (("api", ""),))
    return CreateExecution(
        key, False, "mail", payload, lane, "default", priority, None, None, None, 1000, (), policy, {}, gates=gates
    )


def a_claim(limit: int = 1, *lanes: str) -> Claim:
    return Claim("w", "w-1", lanes or ("default",), "default", frozenset(), limit, 30_000, "m1")


def answered(store: SqliteStore, batch: Batch) -> Answered:
    with closing(store.writer()) as writer:
        return writer.run(batch)


def told(store: SqliteStore, *commands: AnyCommand, command_id: str | None = None) -> list[Outcome]:
    """The answers to one batch. Claims and ends that have an id are decided, and so is an id that comes twice."""
    batch = [Envelope(command, None, command_id) for command in commands]
    return list(answered(store, Batch(batch, store.name)).answers)  # type: ignore[arg-type]


def undecided(store: SqliteStore, *commands: AnyCommand) -> set[int]:
    """Which commands of a batch the store answers by itself. What it does is taken back."""
    with closing(store.writer()) as writer:
        return set(answered_undecided(writer, store.name, *commands))


def leased(store: SqliteStore, number: int) -> list[Complete]:
    """Lease so many executions. Returns the commands that complete them, in the order of the queue."""
    (answer,) = told(store, a_claim(number))
    leases = [each.lease for each in claimed_in(answer)]
    assert len(leases) == number
    return [Complete(inputs.fence(lease), b"result") for lease in leases]


def claimed_in(answer: Outcome) -> list[Claimed]:
    assert isinstance(answer, list)
    return [each for each in answer if isinstance(each, Claimed)]


def found(store: SqliteStore, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(store.path)) as connection:
        return connection.execute(sql, values).fetchall()


def in_use(store: SqliteStore) -> list[tuple[object, ...]]:
    return found(store, "select name, key, in_use from ff_limit_key order by name, key")


def rows_of(store: SqliteStore, execution_id: str) -> Mapping[str, list[dict[str, object]]]:
    rows = {}
    with closing(sqlite3.connect(store.path)) as connection:
        connection.row_factory = sqlite3.Row
        for table in TABLES:
            uuid = bytes.fromhex(execution_id[-36:].replace("-", ""))
            of_one = connection.execute(f"select * from {table} where execution_id = ?", (uuid,)).fetchall()
            rows[table] = [{name: row[name] for name in row.keys() if name not in OF_ONE_ALONE} for row in of_one]  # noqa: SIM118
    return with_last_attempt_apart(rows)


# ── creations ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("limits", [(("api", ""),), (("api", "t-7"), ("db", "x"))])
def test_what_statements_make_is_stored_as_what_was_decided(
    store: SqliteStore, limits: tuple[tuple[str, str], ...]
) -> None:
    policy = ExecutionPolicy(retention_ms=5_000)
    easy, decided = (limited(*limits, priority=3, policy=policy) for _ in range(2))
    assert undecided(store, easy) == {0}

    assert told(store, easy) == [Created(easy.execution_id, "waiting")]
    assert told(store, decided, decided, command_id="once") == [Created(decided.execution_id, "waiting")] * 2

    rows = rows_of(store, easy.execution_id)
    assert rows == rows_of(store, decided.execution_id)
    assert len(rows["ff_at_gate"]) == len(limits)


def test_plain_executions_are_made_beside_those_with_limits(store: SqliteStore) -> None:
    plain, with_limit = replace(limited(), gates=None), limited()
    assert undecided(store, CreateExecutions((with_limit, plain)), a_claim(2)) == {0, 1}

    _, answer = told(store, CreateExecutions((with_limit, plain)), a_claim(2))

    assert [each.execution_id for each in claimed_in(answer)] == [plain.execution_id, with_limit.execution_id]


def test_what_is_made_where_others_are_parked_is_decided_and_joins_them(store: SqliteStore) -> None:
    told(store, limited(), limited(), limited())
    told(store, a_claim(3))  # one is parked
    late, elsewhere, plain = limited(), limited(("api", "t-7")), replace(limited(), gates=None)

    assert undecided(store, elsewhere) == {0}
    assert undecided(store, plain, late, elsewhere) == {0}
    told(store, late)

    assert found(store, "select count(*) from ff_at_gate where gate_state = 1") == [(2,)]


@pytest.mark.parametrize(
    "change",
    [
        {"gates": Gates(limits=(("api", ""),), fair_key="tenant")},
        {"gates": Gates(limits=(("nobody-set-this", ""),))},
        {"when_full": "drop_new"},
        {"idempotency_key": "order-7"},
        {"delay_until_ms": 2**50},
    ],
    ids=["fair key", "unknown limit", "when full", "idempotency key", "delay"],
)
def test_what_needs_more_than_limits_is_decided(store: SqliteStore, change: dict[str, object]) -> None:
    assert undecided(store, replace(limited(), **change)) == set()


# ── claims ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("size", [0, 4096, 4097])
def test_what_statements_lease_is_stored_as_what_was_decided(store: SqliteStore, clock: ManualClock, size: int) -> None:
    easy, decided = limited(("api", "a"), payload=b"x" * size), limited(("api", "a"), payload=b"x" * size)
    told(store, easy, decided)
    clock.advance(5)
    assert undecided(store, a_claim()) == {0}

    [one] = claimed_in(told(store, a_claim())[0])
    [other] = claimed_in(told(store, a_claim(), command_id="claim")[0])

    assert rows_of(store, easy.execution_id) == rows_of(store, decided.execution_id)
    lease = replace(other.lease, execution_id=one.execution_id, lease_id=one.lease.lease_id)
    assert one == replace(other, execution_id=one.execution_id, lease=lease)
    assert in_use(store) == [("api", "a", 2)]


def test_a_claim_parks_those_whose_key_is_full(store: SqliteStore) -> None:
    told(store, *(limited(("api", key)) for key in "aaabbb"))
    assert undecided(store, a_claim(9)) == {0}

    assert len(claimed_in(told(store, a_claim(9))[0])) == 4

    states = found(store, "select gate_key, gate_state, count(*) from ff_at_gate where name = 'api' group by 1, 2")
    assert sorted(states) == [("a", 1, 1), ("a", 2, 2), ("b", 1, 1), ("b", 2, 2)]
    parked = "select gates from ff_exec_core where eligibility_state = ? and public_state = ? order by gates"
    codes = ELIGIBILITY_CODES["blocked_by_quota"], PUBLIC_STATE_CODES["rate_limited"]
    assert found(store, parked, *codes) == [
        ('{"limits":[["api","a"]],"parked":["limit","api","a"]}',),
        ('{"limits":[["api","b"]],"parked":["limit","api","b"]}',),
    ]


def test_a_claim_of_a_lane_with_limits_and_without_takes_them_in_the_order_of_the_queue(
    store: SqliteStore, clock: ManualClock
) -> None:
    made = []
    for number, gates in enumerate((None, Gates(limits=(("api", ""),)), None, Gates(limits=(("api", "k"),)), None)):
        made.append(replace(limited(priority=number % 2), gates=gates))
        told(store, made[-1])
        clock.advance(1)
    assert undecided(store, a_claim(3), a_claim(3)) == {0, 1}

    answers = told(store, a_claim(3), a_claim(3))

    ids = [[each.execution_id for each in claimed_in(answer)] for answer in answers]
    assert ids == [[made[place].execution_id for place in places] for places in ((1, 3, 0), (2, 4))]


def test_a_claim_of_several_lanes_looks_at_the_limits_of_all(store: SqliteStore) -> None:
    told(store, limited(), limited(lane="other", priority=1), limited(lane="other"), limited())
    claims = a_claim(9, "default", "other"), a_claim(9, "default", "other")
    assert undecided(store, *claims) == {0, 1}

    answers = told(store, *claims)

    assert [[each.lane for each in claimed_in(answer)] for answer in answers] == [["other", "other", "default"], []]


@pytest.mark.parametrize(
    "disturbance",
    [
        SetLimit(a_limit("api", rate=60), if_new=False),
        PauseLane("default", "default", "closed"),
        replace(limited(), gates=None, required_capabilities=("gpu",)),
        limited(policy=ExecutionPolicy(attempt_timeout_ms=5)),
        replace(limited(), gates=Gates(limits=(("api", ""),), fair_key="tenant")),
    ],
    ids=["rate", "paused lane", "capability", "timeout", "fair key"],
)
def test_where_more_matters_than_slots_claims_are_decided(store: SqliteStore, disturbance: AnyCommand) -> None:
    told(store, limited())
    assert undecided(store, a_claim(5)) == {0}

    told(store, disturbance)

    assert undecided(store, a_claim(5)) == set()


# ── completions ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("retention_ms", [None, 9_000])
@pytest.mark.parametrize("limits", [(("api", ""),), (("api", "t-7"), ("db", "x"))])
def test_what_statements_complete_is_stored_as_what_was_decided(
    store: SqliteStore, limits: tuple[tuple[str, str], ...], retention_ms: int | None
) -> None:
    policy = ExecutionPolicy(retention_ms=retention_ms)
    told(store, limited(*limits, policy=policy), limited(*limits, policy=policy))
    easy, decided = leased(store, 2)
    assert undecided(store, easy) == {0}

    assert told(store, easy) == [Completed(easy.fence.execution_id)]
    assert in_use(store) == [(name, key, 1) for name, key in limits]
    told(store, decided, command_id="once")

    assert rows_of(store, easy.fence.execution_id) == rows_of(store, decided.fence.execution_id)
    assert in_use(store) == []


def test_a_claim_after_completions_gets_the_slots_that_they_give_back(store: SqliteStore) -> None:
    told(store, limited(), limited())
    completions = leased(store, 2)
    later = limited()
    told(store, later)
    assert undecided(store, *completions, a_claim()) == {0, 1, 2}

    *ended, claimed = told(store, *completions, a_claim())

    assert ended == [Completed(each.fence.execution_id) for each in completions]
    assert [each.execution_id for each in claimed_in(claimed)] == [later.execution_id]
    assert in_use(store) == [("api", "", 1)]


def test_a_claim_before_completions_does_not_get_their_slots(store: SqliteStore) -> None:
    told(store, limited(), limited())
    completions = leased(store, 2)
    told(store, limited())

    claimed, *_ = told(store, a_claim(), *completions)

    assert claimed == []


def test_where_somebody_is_parked_the_end_of_a_lease_lets_it_in(store: SqliteStore) -> None:
    told(store, limited(), limited(), limited())
    completions = leased(store, 2)
    told(store, a_claim())  # it parks the third
    batch = [Envelope(completions[0])]

    committed = answered(store, Batch(batch, store.name)).committed

    assert committed is not None
    assert (committed.ready, committed.freed) == ({("default", "default")}, {("default", "api", "")})
    assert found(store, "select gate_state from ff_at_gate where name = 'api' order by 1") == [(0,), (2,)]
    assert found(store, "select gates from ff_exec_core where gates like '%admitted%'") == [
        ('{"limits":[["api",""]],"admitted":true}',)
    ]
    assert undecided(store, a_claim()) == {0}
    [third] = claimed_in(told(store, a_claim())[0])
    assert rows_of(store, third.execution_id)["ff_exec_core"][0]["gates"] == '{"limits":[["api",""]]}'


@pytest.mark.parametrize("size", [1, 5_000])
def test_a_claim_that_stands_by_gets_the_one_that_is_let_in(store: SqliteStore, size: int) -> None:
    told(store, *(limited(payload=b"x" * size) for _ in range(4)))
    completions = leased(store, 2)
    told(store, a_claim(2))  # it parks two
    stand_by = [Envelope(a_claim())]

    batch = Batch([Envelope(completions[0])], store.name, take_along=lambda *_: [stand_by.pop() for _ in stand_by[:1]])
    ended, claimed = answered(store, batch).answers

    assert ended == Completed(completions[0].fence.execution_id)
    assert [each.payload for each in claimed_in(claimed)] == [b"x" * size]  # type: ignore[arg-type]
    assert (batch.changes, in_use(store)) == (None, [("api", "", 2)])
    assert found(store, "select count(*) from ff_at_gate where gate_state = 1") == [(1,)]


def test_a_lease_that_is_over_is_refused_and_its_neighbours_are_completed(
    store: SqliteStore, clock: ManualClock
) -> None:
    told(store, limited())
    (one,) = leased(store, 1)
    clock.advance(20_000)
    told(store, limited())
    (other,) = leased(store, 1)
    clock.advance(20_000)

    refused, ended = told(store, one, other)

    assert "expired" in str(refused)
    assert ended == Completed(other.fence.execution_id)


def test_a_thousand_keys_are_served_at_once(store: SqliteStore) -> None:
    made = [limited(("api", f"t-{number}")) for number in range(1_000)]
    told(store, CreateExecutions(tuple(made)))

    completions = leased(store, 1_000)
    assert undecided(store, *completions) == set(range(1_000))
    assert len(in_use(store)) == 1_000
    told(store, *completions)

    assert (in_use(store), found(store, "select * from ff_at_gate where name = 'api'")) == ([], [])
