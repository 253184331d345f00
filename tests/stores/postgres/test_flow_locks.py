"""Rows are locked in one order, members only once it is known which of them change, and a claim waits for nobody."""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import pytest

from flowfabric import (
    AnyOf,
    BlockingEngine,
    Claimed,
    Contention,
    FlowGraph,
    FlowSnapshot,
    Lease,
    LeaseExpired,
    NewSchedule,
)
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import (
    AnyCommand,
    Claim,
    Complete,
    CreateExecution,
    Envelope,
    Fail,
    PauseSchedule,
    Renew,
    SayGoodbye,
)
from flowfabric.domain.errors import EngineError
from flowfabric.domain.ids import ExecutionId, FlowId, lane_partition, make_execution_id
from flowfabric.domain.inputs import fence
from flowfabric.domain.outcomes import Completed, Duplicate, Outcome, TerminalFailed
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.engine.batch import Batch as CommittedTogether
from flowfabric.stores.postgres.decided_batch import DecidedBatch
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.stores.postgres.transaction import PostgresTransaction
from flowfabric.testing import ManualClock
from flowfabric_conformance.stage import look
from tests.postgres_server import connected
from tests.record_batches import answered_undecided
from tests.stores.postgres.conftest import Open, Sql
from tests.stores.postgres.processes import wait_until

WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"


class Row(NamedTuple):
    """One row, by its table and the column that tells it from all others there."""

    table: str
    column: str
    value: str

    def is_free(self, sql: Sql) -> bool:
        """Whether nobody holds it."""
        found = sql.execute(f"select 1 from {self.table} where {self.column} = %s for update skip locked", [self.value])
        return found.fetchone() is not None

    @contextmanager
    def held(self, sql: Sql) -> Iterator[None]:
        """Nobody else gets it while the block lasts."""
        with sql.transaction():
            sql.execute(f"select 1 from {self.table} where {self.column} = %s for update", [self.value])
            yield


def core(execution_id: str) -> Row:
    """The row of an execution."""
    return Row("ff_exec_core", "execution_id", execution_id[-36:])


def flow_row(flow_id: str) -> Row:
    """The row of a flow."""
    return Row("ff_flow_core", "flow_id", flow_id)


@pytest.fixture
def store(url: str, clock: ManualClock) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url, clock=clock)) as store:
        yield store


@pytest.fixture
def other(url: str) -> Iterator[Sql]:
    """A second connection of someone else."""
    with connected(url) as connection:
        yield connection


PATIENT_MS = 60_000
"""On a busy machine it takes seconds until a test sees that a batch waits. The batch must still wait then."""


class Batch:
    """Commands that are decided and committed together, on a thread of their own."""

    def __init__(self, store: PostgresStore, *commands: AnyCommand | Envelope, lock_wait_ms: int = PATIENT_MS) -> None:
        self._store = store
        self._lock_wait_ms = lock_wait_ms
        self._batch = [each if isinstance(each, Envelope) else Envelope(each) for each in commands]
        self._thread = threading.Thread(target=self._run)
        self._answers: list[Outcome | EngineError] = []

    def start(self, sql: Sql, *, behind: int = 0) -> None:
        """Begin, and return once it waits for a lock, behind so many others."""
        self._thread.start()
        wait_until(lambda: sql.execute(WAITING).fetchone() == (behind + 1,))

    def answers(self) -> list[Outcome | EngineError]:
        """What was answered, once it has committed."""
        self._thread.join(timeout=20)
        assert not self._thread.is_alive()
        return self._answers

    def _run(self) -> None:
        with closing(self._store.writer()) as writer:
            batch = CommittedTogether(self._batch, self._store.name, lock_wait_ms=self._lock_wait_ms)
            self._answers = list(writer.run(batch).answers)


def claimed(engine: BlockingEngine, lane: str = "default", **options: Any) -> list[Claimed]:
    return engine.claim(worker_id="w", worker_instance_id="i", lanes=[lane], **{"limit": 10, **options})


def submitted(engine: BlockingEngine, *edges: tuple[str, str], join: AnyOf | None = None) -> Mapping[str, str]:
    """The ids of a new flow's members by their names, with the flow's own id as `flow`."""
    graph = FlowGraph("order")
    for name in dict.fromkeys(name for edge in edges for name in edge):
        graph.node(name, "kind", lane=name)
    for upstream, downstream in edges:
        graph.edge(upstream, downstream)
        if join is not None:
            graph.join(downstream, join)
    answer = engine.submit_flow(graph)
    return {**answer.execution_ids, "flow": answer.flow_id}


def look_at_flow(engine: BlockingEngine, ids: Mapping[str, str]) -> FlowSnapshot:
    snapshot = engine.describe_flow(ids["flow"])
    assert snapshot is not None
    return snapshot


# ── the order ────────────────────────────────────────────────────────────────────────────────────

ORDER = ("solo", "flow", "key", "answer", "first member", "second member")


class Scenery(NamedTuple):
    """A batch that needs one row of every kind, and these rows."""

    rows: Mapping[str, Row]
    commands: list[AnyCommand | Envelope]


@pytest.fixture
def scenery(engine: BlockingEngine) -> Scenery:
    solo = engine.create_execution("kind", lane="solo", idempotency_key="once").execution_id
    (solo_lease,) = [each.lease for each in claimed(engine, "solo")]
    engine.renew(solo_lease, command_id="known")
    ids = submitted(engine, ("a", "z"), ("b", "z"))
    leases = {name: claimed(engine, name)[0].lease for name in ("a", "b")}
    first, second = sorted((ids["a"], ids["b"]))
    duplicate = CreateExecution(
        make_execution_id(lane_partition("solo"), "00000000-0000-7000-8000-000000000001"), False, "kind", b"",
        "solo", "default", 0, None, None, "once", 1_000, (), DEFAULT_POLICY, {},
    )  # fmt: skip
    return Scenery(
        {
            "solo": core(solo),
            "flow": flow_row(ids["flow"]),
            "key": Row("ff_idempotency", "idempotency_key", "once"),
            "answer": Row("ff_command", "command_id", "known"),
            "first member": core(first),
            "second member": core(second),
        },
        [
            Complete(fence(leases["b"]), None),
            duplicate,
            Complete(fence(leases["a"]), None),
            Envelope(Renew(fence(solo_lease), None), command_id="known"),
            Fail(fence(solo_lease), "boom", "", False, None),
        ],
    )


@pytest.mark.parametrize("held", ORDER)
def test_a_batch_that_waits_for_a_row_holds_what_comes_before_it_and_nothing_else(
    store: PostgresStore, sql: Sql, other: Sql, scenery: Scenery, held: str
) -> None:
    batch = Batch(store, *scenery.commands)

    with scenery.rows[held].held(sql):
        batch.start(other)
        free = [name for name in ORDER if name != held and scenery.rows[name].is_free(other)]

    assert free == list(ORDER[ORDER.index(held) + 1 :])
    assert [type(answer).__name__ for answer in batch.answers()] == [
        Completed.__name__,
        Duplicate.__name__,
        Completed.__name__,
        "Renewed",
        TerminalFailed.__name__,
    ]


@pytest.mark.parametrize("later", ["schedule", "worker"])
def test_a_batch_that_waits_for_a_flow_holds_no_schedule_and_no_worker(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql, later: str
) -> None:
    engine.fire_schedule(NewSchedule(name="nightly", kind="kind", every_ms=1_000))
    engine.heartbeat(worker_id="w", worker_instance_id="i")
    ids = submitted(engine, ("a", "z"))
    (member,) = claimed(engine, "a")
    command, row = {
        "schedule": (PauseSchedule("default", "nightly", ""), Row("ff_schedule", "name", "nightly")),
        "worker": (SayGoodbye("default", "i"), Row("ff_worker", "worker_instance_id", "i")),
    }[later]
    batch = Batch(store, command, Complete(fence(member.lease), None))

    with flow_row(ids["flow"]).held(sql):
        batch.start(other)
        is_free = row.is_free(other)

    assert is_free
    assert len(batch.answers()) == 2


def test_flows_are_locked_by_their_ids_whoever_names_them(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql
) -> None:
    flows = [submitted(engine, ("a", "z")) for _ in range(6)]
    leases = {each.execution_id: each.lease for each in claimed(engine, "a")}
    in_order = sorted(flows, key=lambda ids: (int(ids["a"][4 : ids["a"].index("}")]), ids["flow"]))
    batch = Batch(store, *[Complete(fence(leases[ExecutionId(ids["a"])]), None) for ids in reversed(in_order)])

    with flow_row(in_order[3]["flow"]).held(sql):
        batch.start(other)
        free = [flow_row(ids["flow"]).is_free(other) for ids in in_order if ids is not in_order[3]]

    assert free == [False] * 3 + [True] * 2
    assert len(batch.answers()) == 6


# ── members ──────────────────────────────────────────────────────────────────────────────────────


def test_a_member_that_changed_while_the_batch_waited_for_it_is_decided_on_as_it_is_now(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql, clock: ManualClock
) -> None:
    ids = submitted(engine, ("a", "z"))
    (member,) = claimed(engine, "a")
    batch = Batch(store, Complete(fence(member.lease), b"too late"))

    with core(ids["a"]).held(sql):
        batch.start(other)
        sql.execute("update ff_exec_core set lease_expires_at_ms = %s where execution_id = %s", [1, ids["a"][-36:]])

    assert [type(answer) for answer in batch.answers()] == [LeaseExpired]
    assert look(engine, ids["a"]).public_state == "active"
    assert look_at_flow(engine, ids).state == "running"


def test_a_renewal_of_a_member_waits_for_no_flow(engine: BlockingEngine, sql: Sql, clock: ManualClock) -> None:
    ids = submitted(engine, ("a", "z"))
    (member,) = claimed(engine, "a")
    clock.advance(1_000)

    with flow_row(ids["flow"]).held(sql):
        renewed = engine.renew(member.lease)
        engine.progress(member.lease, percent=50)

    assert renewed.expires_at_ms == member.lease.expires_at_ms + 1_000
    assert look(engine, ids["a"]).progress_percent == 50


def test_members_that_nothing_happens_to_are_not_locked(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql
) -> None:
    ids = submitted(engine, ("a", "y"), ("a", "z"), ("b", "z"))
    (member,) = claimed(engine, "a")

    # The other upstream of z goes on working, and z goes on waiting for it.
    with core(ids["b"]).held(sql), core(ids["z"]).held(other):
        engine.complete(member.lease)

    assert look(engine, ids["y"]).public_state == "waiting"
    assert look(engine, ids["z"]).public_state == "waiting_children"


def test_two_batches_that_end_members_of_one_flow_take_turns_and_the_join_fires_once(
    engine: BlockingEngine, open_another: Open, clock: ManualClock
) -> None:
    names = [f"u{number}" for number in range(12)]
    ids = submitted(engine, *[(name, "z") for name in names], join=AnyOf("let_run"))
    another = open_another(clock=clock)
    leases = [claimed(engine, name)[0].lease for name in names]
    ends = [
        threading.Thread(target=each.complete, args=(lease,))
        for each, lease in zip((engine, another) * 6, leases, strict=True)
    ]

    for end in ends:
        end.start()
    for end in ends:
        end.join(timeout=20)

    view = look_at_flow(engine, ids)
    assert [(group.success_count, group.running_count, group.state) for group in view.groups] == [(12, 0, "satisfied")]
    assert [each.execution_id for each in claimed(engine, "z")] == [ids["z"]]


# ── lock_touched ─────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def transaction(store: PostgresStore) -> Iterator[Any]:
    with closing(store.writer()) as writer:
        tx = PostgresTransaction(writer, os.urandom(16))
        yield DecidedBatch(tx)
        tx.rollback()


def whole(ids: Mapping[str, str]) -> Needs:
    """The needs of a command on a whole flow."""
    flow_id = FlowId(ids["flow"])
    return Needs(flows={flow_id}, whole_flows={flow_id})


def test_what_is_kept_and_has_not_changed_needs_no_further_decision(
    engine: BlockingEngine, store: PostgresStore, other: Sql
) -> None:
    ids = submitted(engine, ("a", "z"))

    with transaction(store) as tx:
        tx.load(whole(ids))
        was_free = core(ids["a"]).is_free(other)
        decide_again = tx.lock_touched([ExecutionId(ids["a"])])

        assert was_free
        assert not decide_again
        assert not core(ids["a"]).is_free(other)
        assert core(ids["z"]).is_free(other)


def test_what_is_kept_and_has_changed_is_read_anew(
    engine: BlockingEngine, store: PostgresStore, clock: ManualClock
) -> None:
    ids = submitted(engine, ("a", "z"))

    with transaction(store) as tx:
        loaded = tx.load(whole(ids))
        engine.set_tag(ids["a"], "team.name", "billing")
        decide_again = tx.lock_touched([ExecutionId(ids["a"])])

        assert decide_again
        assert loaded.executions[ids["a"]].tags == {"team.name": "billing"}
        assert not tx.lock_touched([ExecutionId(ids["a"])])


@pytest.mark.parametrize("batches_before", [0, 1])
def test_what_a_batch_names_is_kept_with_what_it_changes_and_not_before(
    engine: BlockingEngine, store: PostgresStore, other: Sql, batches_before: int
) -> None:
    ids = submitted(engine, ("a", "z"))
    named = Needs(executions={ExecutionId(ids["a"])}, flows_of={ExecutionId(ids["a"])})
    for _ in range(batches_before):  # from then on the store looks for flows at once
        with transaction(store) as tx:
            tx.load(named)

    with transaction(store) as tx:
        loaded = tx.load(named)
        was_free = core(ids["a"]).is_free(other)
        engine.set_tag(ids["a"], "team.name", "billing")
        decide_again = tx.lock_touched([])

        assert was_free
        assert decide_again
        assert loaded.executions[ids["a"]].tags == {"team.name": "billing"}
        assert not core(ids["a"]).is_free(other)


def test_a_batch_that_after_all_changes_a_member_it_did_not_keep_starts_over(
    engine: BlockingEngine, store: PostgresStore
) -> None:
    ids = submitted(engine, ("a", "z"))

    with transaction(store) as tx:
        tx.load(whole(ids))
        tx.lock_touched([ExecutionId(ids["a"])])

        with pytest.raises(Contention, match="decided anew"):
            tx.lock_touched([ExecutionId(ids["a"]), ExecutionId(ids["z"])])


# ── claims ───────────────────────────────────────────────────────────────────────────────────────


def test_a_claim_passes_over_members_of_a_flow_that_it_would_start_and_someone_holds(
    engine: BlockingEngine, sql: Sql
) -> None:
    ids = submitted(engine, ("a", "z"))
    others = submitted(engine, ("a", "z"))

    with flow_row(ids["flow"]).held(sql):
        at_once = claimed(engine, "a")
    later = claimed(engine, "a")

    assert [each.execution_id for each in at_once] == [others["a"]]
    assert [each.execution_id for each in later] == [ids["a"]]
    assert look_at_flow(engine, ids).state == "running"


def test_a_claim_from_a_flow_that_is_under_way_does_not_need_the_flow(engine: BlockingEngine, sql: Sql) -> None:
    ids = submitted(engine, ("a", "z"), ("b", "z"))
    claimed(engine, "a")

    with flow_row(ids["flow"]).held(sql):
        at_once = claimed(engine, "b")

    assert [each.execution_id for each in at_once] == [ids["b"]]


def test_a_claim_passes_over_a_member_that_someone_holds(engine: BlockingEngine, sql: Sql) -> None:
    first, second = (submitted(engine, ("a", "z")) for _ in range(2))

    with core(first["a"]).held(sql):
        at_once = claimed(engine, "a")

    assert [each.execution_id for each in at_once] == [second["a"]]


def test_the_fast_path_holds_no_member_that_the_batch_may_have_to_wait_beside(
    engine: BlockingEngine, store: PostgresStore, other: Sql
) -> None:
    solo = engine.create_execution("kind", lane="a").execution_id
    ids = submitted(engine, ("a", "z"))
    claim = Claim("w", "i", ("a",), "default", frozenset(), 10, 30_000)

    with closing(store.writer()) as writer:
        were_free: list[bool] = []
        answers = answered_undecided(
            writer, store.name, claim, look=lambda: were_free.append(core(ids["a"]).is_free(other))
        )

    assert (answers, were_free) == ({}, [True])
    assert [each.execution_id for each in claimed(engine, "a")] == [solo, ids["a"]]


@pytest.mark.parametrize("held", ["flow", "member"])
def test_a_batch_takes_from_the_queue_when_it_has_nobody_left_to_wait_for(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, other: Sql, held: str
) -> None:
    ids = submitted(engine, ("a", "z"))
    waiting = submitted(engine, ("b", "z"))
    lease: Lease = claimed(engine, "a")[0].lease
    claim = Claim("w", "i", ("b",), "default", frozenset(), 10, 30_000)
    batch = Batch(store, claim, Complete(fence(lease), None))

    with (flow_row(ids["flow"]) if held == "flow" else core(ids["a"])).held(sql):
        batch.start(other)
        was_free = core(waiting["b"]).is_free(other)

    handed_out, completed = batch.answers()
    assert was_free
    assert isinstance(handed_out, list)
    assert [each.execution_id for each in handed_out if isinstance(each, Claimed)] == [waiting["b"]]
    assert completed == Completed(ExecutionId(ids["a"]))
