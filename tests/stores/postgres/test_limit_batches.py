"""What statements do with executions that name limits is what deciding would have done."""

import threading
from collections.abc import Iterator
from contextlib import closing

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.rows import dict_row

from flowfabric import BlockingEngine, Claimed, ExecutionPolicy, ManualClock, NotFound
from flowfabric.domain import inputs
from flowfabric.domain.commands import AnyCommand, Claim, Complete, CreateExecution, Envelope, SetLimit
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import lane_partition, make_execution_id
from flowfabric.domain.limits import Limit
from flowfabric.domain.outcomes import Completed, Created, Outcome
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.engine.batch import Batch
from flowfabric.engine.minting import new_uuid
from flowfabric.ports.errors import Overtaken
from flowfabric.stores._shared.encoding import ELIGIBILITY_CODES, PUBLIC_STATE_CODES
from flowfabric.stores.postgres.single_statement import SingleStatement
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.stores.postgres.transaction import PostgresTransaction
from flowfabric.stores.postgres.writer import PostgresWriter
from tests.postgres_server import connected
from tests.stores.last_attempts import with_last_attempt_apart
from tests.stores.postgres.conftest import LEASE_ENDS, Sql
from tests.stores.postgres.processes import wait_until

TABLES = (
    *("ff_exec_core", "ff_payload", "ff_ready", "ff_due", LEASE_ENDS, "ff_event", "ff_at_gate", "ff_attempt"),
    "ff_result",
)
OF_ONE_ALONE = {"execution_id", "event_id", "txid"}
WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
PATIENCE_S = 60.0
PARKED = '{"limits":[["api",""]],"parked":["limit","api",""]}'


@pytest.fixture
def writer(url: str, clock: ManualClock) -> Iterator[PostgresWriter]:
    """A writer of a store in which the limits `api` and `db` are set, and executions with limits have been made."""
    with closing(PostgresStore(url, clock=clock)) as store, closing(store.writer()) as writer:
        for name in ("api", "db"):
            told(writer, SetLimit(Limit("default", name, None, 2, None, 60_000, None), if_new=False))
        for _ in range(2):  # the first makes the part of the queue for executions with limits, the second finds it
            told(writer, limited(("db", "of others"), lane="other"))
        yield writer


def limited(
    *limits: tuple[str, str], lane: str = "default", priority: int = 0, policy: ExecutionPolicy = DEFAULT_POLICY
) -> CreateExecution:
    key = make_execution_id(lane_partition(lane), new_uuid())
    gates = Gates(limits=limits or (("api", ""),))
    return CreateExecution(
        key, False, "mail", b"x", lane, "default", priority, None, None, None, 1000, (), policy, {}, gates=gates
    )


def a_claim(limit: int = 1) -> Claim:
    return Claim("w", "w-1", ("default",), "default", frozenset(), limit, 30_000)


def told(writer: PostgresWriter, *commands: AnyCommand, command_id: str | None = None) -> list[Outcome]:
    """The answers to one batch. With an id of its own, the first command goes the long way."""
    first, *others = commands
    batch = [Envelope(first, None, command_id), *map(Envelope, others)]
    try:
        return list(writer.run(Batch(batch, writer.store.name)).answers)  # type: ignore[arg-type]
    except Overtaken:  # then it is decided again at once
        return list(writer.run(Batch(batch, writer.store.name)).answers)  # type: ignore[arg-type]


def plan_of(writer: PostgresWriter) -> str:
    """How the last batch was run."""
    return writer.plan.statement if isinstance(writer.plan, SingleStatement) else type(writer.plan).__name__


def leased(writer: PostgresWriter, number: int) -> list[Complete]:
    """Lease so many executions. Returns the commands that complete them, in the order of the queue."""
    (answer,) = told(writer, a_claim(number))
    assert isinstance(answer, list)
    leases = [each.lease for each in answer if isinstance(each, Claimed)]
    assert len(leases) == number
    return [Complete(inputs.fence(lease), b"result") for lease in leases]


def rows_of(sql: Sql, execution_id: str) -> dict[str, list[dict[str, object]]]:
    found = {}
    for table in TABLES:
        cursor = psycopg.Cursor(sql, row_factory=dict_row)
        rows = cursor.execute(f"select * from {table} where execution_id = %s", (execution_id[-36:],)).fetchall()
        found[table] = [{name: value for name, value in row.items() if name not in OF_ONE_ALONE} for row in rows]
    return with_last_attempt_apart(found)


def in_use(sql: Sql) -> list[tuple[str, str, int]]:
    return sql.execute("select name, key, in_use from ff_limit_key order by name, key").fetchall()  # type: ignore[return-value]


# ── creations ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("limits", [(("api", ""),), (("api", "t-7"), ("db", "x"))])
def test_what_is_made_by_one_statement_is_stored_as_what_was_decided(
    writer: PostgresWriter, sql: Sql, limits: tuple[tuple[str, str], ...]
) -> None:
    policy = ExecutionPolicy(retention_ms=5_000)
    easy, decided = (limited(*limits, priority=3, policy=policy) for _ in range(2))

    assert told(writer, easy) == [Created(easy.execution_id, "waiting")]
    assert plan_of(writer) == "create_at_limits"
    assert told(writer, decided, command_id="once") == [Created(decided.execution_id, "waiting")]

    rows = rows_of(sql, easy.execution_id)
    assert rows == rows_of(sql, decided.execution_id)
    assert len(rows["ff_at_gate"]) == len(limits)


def test_plain_executions_are_made_beside_those_with_limits(writer: PostgresWriter) -> None:
    plain = replace(limited(), gates=None)
    with_limit = limited()

    told(writer, with_limit, plain)

    assert plan_of(writer) == "create_at_limits"
    (answer,) = told(writer, a_claim(2))
    assert {each.execution_id for each in answer} == {plain.execution_id, with_limit.execution_id}  # type: ignore[union-attr]


def test_what_is_made_where_others_are_parked_is_decided_and_joins_them(writer: PostgresWriter, sql: Sql) -> None:
    told(writer, limited(), limited(), limited())
    told(writer, a_claim(3))  # one is parked
    late, elsewhere = limited(), limited(("api", "t-7"))

    told(writer, late)
    made_there = plan_of(writer)
    told(writer, elsewhere)

    parked = sql.execute("select count(*) from ff_at_gate where gate_state = 1").fetchone()
    assert (made_there, parked) == ("DecidedBatch", (2,))
    assert rows_of(sql, elsewhere.execution_id)["ff_ready"] != []


@pytest.mark.parametrize(
    "change",
    [
        {"gates": Gates(limits=(("api", ""),), fair_key="tenant")},
        {"when_full": "drop_new"},
        {"idempotency_key": "order-7"},
        {"delay_until_ms": 2**50},
    ],
    ids=["fair key", "when full", "idempotency key", "delay"],
)
def test_what_needs_more_than_limits_is_decided(writer: PostgresWriter, change: dict[str, object]) -> None:
    told(writer, replace(limited(), **change))

    assert plan_of(writer) == "DecidedBatch"


def test_an_unknown_limit_is_refused(engine: BlockingEngine) -> None:
    engine.set_limit("api", concurrency=1)
    for _ in range(3):
        engine.create_execution("mail", limits={"api": ""})

    with pytest.raises(NotFound, match="nobody-set-this"):
        engine.create_execution("mail", limits={"api": "", "nobody-set-this": ""})

    assert engine.count_executions() == 3


# ── completions ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("retention_ms", [None, 9_000])
@pytest.mark.parametrize("limits", [(("api", ""),), (("api", "t-7"), ("db", "x"))])
def test_what_is_completed_by_a_statement_is_stored_as_what_was_decided(
    writer: PostgresWriter, sql: Sql, limits: tuple[tuple[str, str], ...], retention_ms: int | None
) -> None:
    policy = ExecutionPolicy(retention_ms=retention_ms)
    told(writer, limited(*limits, policy=policy), limited(*limits, policy=policy))
    easy, decided = leased(writer, 2)

    assert told(writer, easy) == [Completed(easy.fence.execution_id)]
    assert plan_of(writer) == "LimitBatch"
    assert in_use(sql) == [(name, key, 1) for name, key in limits]
    told(writer, decided, command_id="once")

    assert rows_of(sql, easy.fence.execution_id) == rows_of(sql, decided.fence.execution_id)
    assert in_use(sql) == []


def test_the_last_slot_that_is_given_back_leaves_no_row(writer: PostgresWriter, sql: Sql) -> None:
    told(writer, limited(), limited(("api", "t-7")))

    told(writer, *leased(writer, 2))

    assert (plan_of(writer), in_use(sql)) == ("LimitBatch", [])


def test_a_claim_after_completions_gets_the_slots_that_they_give_back(writer: PostgresWriter, sql: Sql) -> None:
    told(writer, limited(), limited())
    completions = leased(writer, 2)
    later = limited()
    told(writer, later)

    *ended, claimed = told(writer, *completions, a_claim())

    assert plan_of(writer) == "LimitBatch"
    assert ended == [Completed(each.fence.execution_id) for each in completions]
    assert [each.execution_id for each in claimed] == [later.execution_id]  # type: ignore[union-attr]
    assert in_use(sql) == [("api", "", 1)]


def test_a_claim_before_completions_does_not_get_their_slots(writer: PostgresWriter) -> None:
    told(writer, limited(), limited())
    completions = leased(writer, 2)
    told(writer, limited())

    claimed, *_ = told(writer, a_claim(), *completions)

    assert claimed == []


def test_where_somebody_is_parked_the_end_of_a_lease_lets_it_in(writer: PostgresWriter, sql: Sql) -> None:
    told(writer, limited(), limited(), limited())
    completions = leased(writer, 2)
    told(writer, a_claim())  # it parks the third

    told(writer, completions[0])

    assert plan_of(writer) == "LimitBatch"
    assert sql.execute("select gate_state from ff_at_gate where name = 'api' order by gate_state").fetchall() == [
        (0,),
        (2,),
    ]


def test_a_claim_that_stands_by_gets_the_one_that_is_let_in(writer: PostgresWriter, sql: Sql) -> None:
    told(writer, *(limited() for _ in range(4)))
    completions = leased(writer, 2)
    told(writer, a_claim(2))  # it parks two
    stand_by = [Envelope(a_claim())]

    batch = Batch(
        [Envelope(completions[0])],
        writer.store.name,
        take_along=lambda lanes, *_: [stand_by.pop() for _ in stand_by[:1] if lanes],
    )
    ended, claimed = writer.run(batch).answers

    assert (plan_of(writer), ended) == ("LimitBatch", Completed(completions[0].fence.execution_id))
    assert [type(each) for each in claimed] == [Claimed]  # type: ignore[union-attr]
    assert in_use(sql) == [("api", "", 2)]
    assert sql.execute("select count(*) from ff_at_gate where gate_state = 1").fetchone() == (1,)


def test_where_others_are_known_to_be_parked_a_claim_that_stands_by_joins_before_anything_is_read(
    writer: PostgresWriter, sql: Sql, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(writer, *(limited() for _ in range(4)))
    completions = leased(writer, 2)
    told(writer, a_claim(2))  # it parks two
    stand_by = [Envelope(a_claim())]
    asked: list[int] = []
    ask = PostgresTransaction.ask

    def noting(tx: PostgresTransaction, *args: object, **keywords: object) -> None:
        asked.append(len(stand_by))
        ask(tx, *args, **keywords)  # type: ignore[arg-type]

    monkeypatch.setattr(PostgresTransaction, "ask", noting)
    batch = Batch(
        [Envelope(completions[0])],
        writer.store.name,
        take_along=lambda lanes, *_: [stand_by.pop() for _ in stand_by[:1] if lanes],
    )
    ended, claimed = writer.run(batch).answers

    assert (plan_of(writer), ended) == ("LimitBatch", Completed(completions[0].fence.execution_id))
    assert [type(each) for each in claimed] == [Claimed]  # type: ignore[union-attr]
    assert asked == [0], "all was read in one round trip, after the claim had joined"


def test_a_claim_that_joins_where_nobody_is_parked_any_more_finds_nothing(
    writer: PostgresWriter, engine: BlockingEngine, sql: Sql
) -> None:
    told(writer, *(limited() for _ in range(3)))
    completions = leased(writer, 2)
    told(writer, a_claim(2))  # it parks one
    (parked,) = (x for x in engine.list_executions(lane="default").items if x.public_state == "rate_limited")
    engine.cancel_execution(parked.execution_id, reason="by another process")
    stand_by = [Envelope(a_claim())]

    batch = Batch(
        [Envelope(completions[0])],
        writer.store.name,
        take_along=lambda lanes, *_: [stand_by.pop() for _ in stand_by[:1] if lanes],
    )
    ended, claimed = writer.run(batch).answers

    assert (ended, claimed) == (Completed(completions[0].fence.execution_id), [])
    assert in_use(sql) == [("api", "", 1)]


def test_a_claim_gets_nobody_of_another_lane_who_is_let_in(writer: PostgresWriter, sql: Sql) -> None:
    told(writer, limited(), limited(), limited(lane="other"), limited(("api", "t-7")), limited(("api", "t-7")))
    completions = leased(writer, 4)
    told(writer, replace(a_claim(9), lanes=("other",)))  # it parks the one of the other lane
    told(writer, limited(("api", "t-8")))

    *_, claimed = told(writer, completions[0], a_claim(5))

    assert [each.lane for each in claimed] == ["default"]  # type: ignore[union-attr]
    assert sql.execute("select lane_id from ff_ready").fetchall() == [("other",)]


def test_a_lease_that_is_over_is_refused_and_its_neighbours_are_completed(
    writer: PostgresWriter, clock: ManualClock, sql: Sql
) -> None:
    told(writer, limited(), limited())
    one, other = leased(writer, 2)
    sql.execute(
        "update ff_exec_core set lease_expires_at_ms = 1 where execution_id = %s", (one.fence.execution_id[-36:],)
    )

    refused, ended = told(writer, one, other)

    assert "expired" in str(refused)
    assert ended == Completed(other.fence.execution_id)
    assert in_use(sql) == [("api", "", 1)]


def test_a_key_with_a_rate_is_decided(writer: PostgresWriter) -> None:
    told(writer, SetLimit(Limit("default", "api", None, 2, 60, 60_000, None), if_new=False))
    told(writer, limited(), limited())
    one, other = leased(writer, 2)

    assert told(writer, one) == [Completed(one.fence.execution_id)]  # and finds out
    assert told(writer, other) == [Completed(other.fence.execution_id)]

    assert plan_of(writer) == "DecidedBatch"


def test_one_that_is_parked_while_a_completion_waits_for_the_key_is_let_in(
    engine: BlockingEngine, url: str, sql: Sql
) -> None:
    engine.set_limit("api", concurrency=1)
    for _ in range(2):
        engine.create_execution("mail", limits={"api": ""})
    (first,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    with connected(url) as other:
        other.execute("begin")
        other.execute("select * from ff_limit_key for update")
        ending = threading.Thread(target=engine.complete, args=(first.lease,))
        ending.start()
        wait_until(lambda: sql.execute(WAITING).fetchone() == (1,), PATIENCE_S)
        # As a claim of another process would, while it holds the key.
        other.execute("delete from ff_ready")
        other.execute("update ff_at_gate set gate_state = 1 where gate_state = 0")
        other.execute(
            "update ff_exec_core set eligibility_state = %s, public_state = %s, gates = %s where lifecycle_phase = 0",
            (ELIGIBILITY_CODES["blocked_by_quota"], PUBLIC_STATE_CODES["rate_limited"], PARKED),
        )
        other.execute("commit")
        ending.join(PATIENCE_S)

    assert len(engine.claim(worker_id="w", worker_instance_id="w-1")) == 1
