"""The queue and the due moments follow from the records: what is missing is put back, what is left over goes."""

from collections.abc import Iterator

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, FlowGraph, NewExecution, RetryPolicy
from flowfabric.domain.commands import Complete, Envelope
from flowfabric.domain.decide.ending import CASCADE_MAX
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.inputs import fence
from flowfabric.domain.views import SideRowsPage
from flowfabric.reconcilers import repairs
from flowfabric.reconcilers.duties import Duties
from flowfabric.reconcilers.repairs import Repairs
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.testing import ManualClock
from tests.assembled import Assembled
from tests.stores.postgres.conftest import LEASE_ENDS, Sql

READY = "select * from ff_ready order by execution_id, ready_at_ms, rank"
DUE = (
    f"select * from ff_due union all select 2, lease_ends.* from {LEASE_ENDS} join ff_exec_core using (execution_id)"
    " where lease_expires_at_ms = due_at_ms order by due_kind, execution_id"
)
"""What is due: rows, and the ends of leases on sheets. A sheet may also hold leases that are over."""
POLICY = ExecutionPolicy(retention_ms=3_600_000, retry=RetryPolicy(max_retries=3))


@pytest.fixture
def lives(engine: BlockingEngine, clock: ManualClock) -> dict[str, str]:
    """An execution in each state that calls for a side row, and in some that call for none."""
    ids = {}
    for name, options in {
        "ended": {"priority": 9000},
        "retried": {"priority": 8000},
        "leased": {"priority": 7000, "required_capabilities": ["gpu"]},
        "waiting": {},
        "urgent": {"priority": 5},
        "held": {},
        "delayed": {"delay_until_ms": clock.now_ms + 60_000},
        "with a deadline": {"deadline_at_ms": clock.now_ms + 90_000},
    }.items():
        ids[name] = engine.create_execution("kind", policy=POLICY, **options).execution_id
    claimed = engine.claim(worker_id="w", worker_instance_id="i", capabilities=["gpu"], limit=3, lease_ttl_ms=600_000)
    leases = {each.execution_id: each.lease for each in claimed}
    engine.complete(leases[ids["ended"]])
    engine.fail(leases[ids["retried"]], code="boom")
    engine.hold(ids["held"])
    return ids


@pytest.mark.parametrize("lost", ["ff_ready", "ff_due", "ff_lease_sheet", "ff_ready, ff_due, ff_lease_sheet"])
def test_lost_side_rows_are_put_back_as_they_were(
    engine: BlockingEngine, sql: Sql, lives: dict[str, str], lost: str
) -> None:
    before = sql.execute(READY).fetchall(), sql.execute(DUE).fetchall()
    sql.execute(f"truncate {lost}")

    repaired = engine.reconcile()["side_rows"]

    assert repaired > 0
    assert (sql.execute(READY).fetchall(), sql.execute(DUE).fetchall()) == before
    assert engine.reconcile()["side_rows"] == 0


def test_healthy_side_rows_are_left_alone(engine: BlockingEngine, sql: Sql, lives: dict[str, str]) -> None:
    before = sql.execute("select xmin, ctid from ff_ready").fetchall()

    assert engine.reconcile()["side_rows"] == 0
    assert sql.execute("select xmin, ctid from ff_ready").fetchall() == before


@pytest.mark.parametrize("name", ["ended", "retried", "leased", "held", "delayed"])
def test_a_place_in_the_queue_that_is_left_over_is_dropped(
    engine: BlockingEngine, sql: Sql, lives: dict[str, str], name: str
) -> None:
    before = sql.execute(READY).fetchall()
    sql.execute(
        "insert into ff_ready select namespace, lane_id, capability_set, -priority, ready_at_ms, execution_id,"
        " partition_key from ff_exec_core where execution_id = %s",
        (lives[name][-36:],),
    )

    claimed = engine.claim(worker_id="w", worker_instance_id="i", capabilities=["gpu"], limit=1)
    repaired = engine.reconcile()["side_rows"]

    assert [each.execution_id for each in claimed] == [lives["urgent"]]
    assert repaired == 1
    taken = [row for row in before if str(row[5]) == lives["urgent"][-36:]]
    assert sql.execute(READY).fetchall() == [row for row in before if row not in taken]


@pytest.mark.parametrize("assignment", ["rank = -9000", "ready_at_ms = 1", "rank = -9000, ready_at_ms = 1"])
@pytest.mark.parametrize("policy", [ExecutionPolicy(), POLICY])
def test_an_execution_that_stands_in_the_queue_twice_is_claimed_once_and_in_its_own_place(
    engine: BlockingEngine, sql: Sql, assignment: str, policy: ExecutionPolicy
) -> None:
    first, second, third = engine.create_executions([NewExecution(kind="kind", policy=policy)] * 3)
    sql.execute(
        "create temp table wrong as select * from ff_ready where execution_id = %s", (third.execution_id[-36:],)
    )
    sql.execute(f"update wrong set {assignment}")
    sql.execute("insert into ff_ready select * from wrong")

    claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=10)

    assert [each.execution_id for each in claimed] == [first.execution_id, second.execution_id, third.execution_id]
    assert engine.claim(worker_id="w", worker_instance_id="i", limit=10) == []


def test_a_place_in_the_queue_without_an_execution_is_passed_over(engine: BlockingEngine, sql: Sql) -> None:
    sql.execute("insert into ff_ready values ('default', 'default', 0, -9000, 1, gen_random_uuid(), 86)")
    created = engine.create_execution("kind").execution_id

    claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=1)

    assert [each.execution_id for each in claimed] == [created]


@pytest.mark.parametrize("kind", range(5))
def test_a_due_moment_that_is_left_over_does_nothing_and_is_dropped(
    engine: BlockingEngine, sql: Sql, clock: ManualClock, lives: dict[str, str], kind: int
) -> None:
    before = sql.execute(DUE).fetchall()
    states = sql.execute("select execution_id, public_state, lease_epoch from ff_execution order by 1").fetchall()
    sql.execute(
        "insert into ff_due select %s, %s, partition_key, execution_id from ff_exec_core", (kind, clock.now_ms - 1_000)
    )
    sql.execute("insert into ff_due values (%s, %s, 86, gen_random_uuid())", (kind, clock.now_ms - 1_000))

    done = engine.reconcile()

    assert sum(done.values()) == 0
    assert sql.execute(DUE).fetchall() == before
    assert (
        sql.execute("select execution_id, public_state, lease_epoch from ff_execution order by 1").fetchall() == states
    )


def test_a_lease_whose_due_moment_was_lost_expires_all_the_same(
    engine: BlockingEngine, sql: Sql, clock: ManualClock
) -> None:
    lost = engine.create_execution("kind").execution_id
    engine.claim(worker_id="w", worker_instance_id="dead", lease_ttl_ms=1_000)
    sql.execute("delete from ff_lease_sheet")
    clock.advance(1_000)

    done = engine.reconcile()

    assert (done["side_rows"], done["expired_leases"]) == (1, 1)
    assert [each.execution_id for each in engine.claim(worker_id="w", worker_instance_id="i")] == [lost]


def test_a_round_of_repairs_goes_through_all_executions_page_by_page(engine: BlockingEngine, sql: Sql) -> None:
    engine.create_executions([NewExecution(kind="kind")] * 1_200)
    before = sql.execute(READY).fetchall()
    sql.execute("delete from ff_ready")

    assert engine.reconcile()["side_rows"] == 1_200
    assert sql.execute(READY).fetchall() == before


def test_an_end_whose_telling_was_to_go_on_and_was_lost_is_told_in_the_same_sweep(
    engine: BlockingEngine, sql: Sql
) -> None:
    graph = FlowGraph("fan")
    graph.node("first", "kind")
    for number in range(CASCADE_MAX + 50):
        graph.node(f"member {number}", "kind")
        graph.edge("first", f"member {number}")
    flow = engine.submit_flow(graph)
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
    engine.fail(claimed.lease, code="boom", retryable=False)
    assert sql.execute("delete from ff_due").rowcount == 1

    done = engine.reconcile()

    assert (done["side_rows"], done["unsettled_ends"]) == (1, 1)
    ended = engine.list_executions(flow_id=flow.flow_id, public_state="skipped", limit=1000).items
    assert len(ended) == CASCADE_MAX + 50
    assert not any(engine.reconcile().values())


def test_members_that_were_to_come_back_and_whose_due_moments_were_lost_come_back_in_the_same_sweep(
    engine: BlockingEngine, sql: Sql
) -> None:
    graph = FlowGraph("fan")
    graph.node("first", "kind")
    for number in range(CASCADE_MAX + 50):
        graph.node(f"member {number}", "kind")
        graph.edge("first", f"member {number}")
    flow = engine.submit_flow(graph)
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
    engine.fail(claimed.lease, code="boom", retryable=False)
    while any(engine.reconcile().values()):
        pass
    answer = engine.replay_flow(flow.flow_id)
    assert sql.execute("delete from ff_due").rowcount == 51

    done = engine.reconcile()

    assert len(answer.execution_ids) == CASCADE_MAX + 51
    assert done["side_rows"] == 51
    replayed = "select count(*) from ff_exec_core where replay_count = 1 and coming_back is null"
    assert sql.execute(replayed).fetchone() == (CASCADE_MAX + 51,)
    assert not any(engine.reconcile().values())


# ── what a round reads, and who does it ──────────────────────────────────────────────────────────


def finish(parts: Assembled, count: int, policy: ExecutionPolicy) -> None:
    """Have so many executions come to their end."""
    engine = parts.engine
    engine.create_executions([NewExecution(kind="kind", lane="done", policy=policy)] * count)
    claimed = engine.claim(worker_id="w", worker_instance_id="i", lanes=["done"], limit=count)
    parts.commits.execute_all([Envelope(Complete(fence(each.lease), None)) for each in claimed])


def test_a_round_shows_nothing_of_what_has_ended_and_calls_for_no_side_row(
    parts: Assembled, lives: dict[str, str]
) -> None:
    finish(parts, 300, ExecutionPolicy())
    finish(parts, 300, ExecutionPolicy(retry=RetryPolicy(max_retries=3)))

    page = parts.store.side_rows(None, 1_000)

    assert {row.execution.execution_id for row in page.rows} == set(lives.values())
    assert page.next_after is None


def test_a_page_of_ended_executions_is_empty_and_says_where_the_next_one_begins(parts: Assembled) -> None:
    finish(parts, 5, ExecutionPolicy())

    first = parts.store.side_rows(None, 3)
    assert first.next_after is not None
    second = parts.store.side_rows(first.next_after, 3)

    assert (list(first.rows), list(second.rows), second.next_after) == ([], [], None)


def test_a_place_in_the_queue_that_a_plain_end_has_left_over_is_dropped(
    parts: Assembled, engine: BlockingEngine, sql: Sql
) -> None:
    finish(parts, 1, ExecutionPolicy())
    sql.execute(
        "insert into ff_ready select namespace, lane_id, capability_set, -priority, ready_at_ms, execution_id,"
        " partition_key from ff_exec_core"
    )

    assert engine.reconcile()["side_rows"] == 1
    assert sql.execute(READY).fetchall() == []


class Walked(PostgresStore):
    """Counts the pages that are read."""

    pages = 0

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        self.pages += 1
        return super().side_rows(after, limit)


@pytest.fixture
def processes(
    url: str, parts: Assembled, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[tuple[Walked, Repairs]]]:
    """What three processes do to mend one store, of which a page is two executions."""
    monkeypatch.setattr(repairs, "PAGE", 2)
    monkeypatch.setattr(repairs, "REST", 0)
    monkeypatch.setattr(repairs, "EXTEND_S", 0.0)
    monkeypatch.setattr(repairs, "ASK_S", 0.0)
    stores = [Walked(url, clock=clock) for _ in range(3)]
    yield [(store, Repairs(store, Duties(store, parts.commits))) for store in stores]
    for store in stores:
        store.close()


def test_one_process_of_many_walks_through_the_executions(
    parts: Assembled, processes: list[tuple[Walked, Repairs]]
) -> None:
    finish(parts, 7, ExecutionPolicy())

    for _ in range(10):
        for _, process in processes:
            process.step()

    assert [store.pages for store, _ in processes] == [4, 0, 0]


def test_the_walk_rests_after_a_page_for_many_times_as_long_as_the_page_took(
    parts: Assembled, processes: list[tuple[Walked, Repairs]], monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(parts, 7, ExecutionPolicy())
    (store, walks), *_ = processes
    monkeypatch.setattr(repairs, "REST", 1_000_000)
    for _ in range(5):
        walks.step()
    assert store.pages == 1

    monkeypatch.setattr(repairs, "REST", 0)
    monkeypatch.setattr(walks, "_rest_until", 0.0)
    for _ in range(5):
        walks.step()
    assert store.pages == 4


def test_when_a_process_dies_another_one_goes_on_where_it_was(
    parts: Assembled, clock: ManualClock, processes: list[tuple[Walked, Repairs]]
) -> None:
    finish(parts, 7, ExecutionPolicy())
    (dead, walks), (other, takes_over), _ = processes
    for _ in range(3):
        walks.step()
        takes_over.step()
    clock.advance(int(repairs.TURN_S * 1000))

    for _ in range(5):
        takes_over.step()

    # The dead one had noted two pages before it read the third.
    assert (dead.pages, other.pages) == (3, 2)


def test_a_process_that_ends_leaves_its_turn_to_others_at_once(
    parts: Assembled, processes: list[tuple[Walked, Repairs]]
) -> None:
    finish(parts, 7, ExecutionPolicy())
    (first, walks), (other, takes_over), _ = processes
    for _ in range(3):
        walks.step()
    walks.stop()

    for _ in range(5):
        takes_over.step()

    assert (first.pages, other.pages) == (3, 1)


def test_after_a_round_everyone_pauses_and_then_somebody_begins_again(
    parts: Assembled, clock: ManualClock, processes: list[tuple[Walked, Repairs]]
) -> None:
    finish(parts, 3, ExecutionPolicy())
    (first, walks), (other, waits), _ = processes
    for _ in range(5):
        walks.step()
        waits.step()
    clock.advance(int(repairs.ROUND_S * 1000))

    waits.step()

    assert (first.pages, other.pages) == (2, 1)


def test_a_turn_that_somebody_holds_locked_is_not_waited_for(sql: Sql, processes: list[tuple[Walked, Repairs]]) -> None:
    (first, walks), (other, waits), _ = processes
    walks.step()
    with sql.transaction():
        sql.execute("select from ff_meta where name = 'turn' for update")
        waits.step()

    assert (first.pages, other.pages) == (1, 0)
