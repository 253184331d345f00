"""When leases end is kept on sheets: one row for all leases that begin together, and nothing is removed from it.

A sheet may hold leases that are long over. It counts only together with the records, and it is dropped when its instant
has come and none of its leases is left.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, Lease, NewExecution, RetryPolicy
from flowfabric.domain.commands import Claim, Envelope, HandleDue
from flowfabric.domain.execution import Due
from flowfabric.engine.batch import Batch
from flowfabric.reconcilers.sweep import Sweeper
from flowfabric.stores._shared.encoding import DUE_KIND_CODES
from flowfabric.stores._shared.samples import SAMPLES
from flowfabric.stores.postgres import finding
from flowfabric.stores.postgres.single_statement import SingleStatement
from flowfabric.stores.postgres.store import PostgresStore
from flowfabric.testing import ManualClock
from tests.assembled import Assembled
from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.test_fast_path import plain

TTL_MS = 30_000
LEASE = DUE_KIND_CODES["lease"]


@pytest.fixture
def store(url: str, clock: ManualClock) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url, clock=clock)) as store:
        yield store


def leased(engine: BlockingEngine, count: int, policy: ExecutionPolicy | None = None, **options: object) -> list[Lease]:
    """So many leases, given by one claim, unless they are more than a claim can ask for."""
    kept = {} if policy is None else {"policy": policy}
    for begin in range(0, count, 1_000):
        engine.create_executions([NewExecution(kind="kind", **kept, **options)] * min(count - begin, 1_000))  # type: ignore[arg-type]
    leases: list[Lease] = []
    while len(leases) < count:
        claimed = engine.claim(worker_id="w", worker_instance_id="w-1", limit=1_000, lease_ttl_ms=TTL_MS)
        assert claimed
        leases += [each.lease for each in claimed]
    return leases


def sheets(sql: Sql) -> list[tuple[int, int]]:
    """When each sheet is due, and how many leases it holds."""
    return sql.execute("select due_at_ms, cardinality(execution_ids) from ff_lease_sheet order by 1, 2").fetchall()  # type: ignore[return-value]


def due_rows(sql: Sql) -> list[tuple[int, int]]:
    return sql.execute("select due_kind, due_at_ms from ff_due order by 1, 2").fetchall()  # type: ignore[return-value]


def all_due(store: PostgresStore, until_ms: int, page: int = 500) -> list[Due]:
    """All leases that are due, read page by page."""
    found: list[Due] = []
    while some := store.due("lease", until_ms, found[-1] if found else None, page):
        assert len(some) <= page
        found += some
    return found


def states(sql: Sql) -> list[tuple[object, ...]]:
    return sql.execute("select execution_id, public_state, lease_epoch, attempt_index from ff_exec_core").fetchall()


# ── what is written ──────────────────────────────────────────────────────────────────────────────


def test_the_fast_statements_write_sheets_because_a_plain_lease_is_due_at_its_end() -> None:
    assert SAMPLES["leased"]["due_kind"] == LEASE


@pytest.mark.parametrize(
    "options", [{}, {"tags": {"team.name": "billing"}}, {"policy": ExecutionPolicy(retry=RetryPolicy())}]
)
def test_a_claim_writes_one_sheet_however_many_it_gets(
    engine: BlockingEngine, sql: Sql, clock: ManualClock, options: dict[str, object]
) -> None:
    leased(engine, 100, **options)  # type: ignore[arg-type]

    assert sheets(sql) == [(clock.now_ms + TTL_MS, 100)]
    assert due_rows(sql) == []


def test_what_is_leased_as_it_is_made_is_on_a_sheet_for_each_length_of_lease(
    store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    claims = [Claim("w", "w-1", ("default",), "default", frozenset(), 2, ttl_ms) for ttl_ms in (1_000, 2_000, 1_000)]
    with closing(store.writer()) as writer:
        writer.make_ready()
        writer.run(Batch([Envelope(claims[0])], store.name))  # now the lane is known to be idle
        made = [Envelope(plain()) for _ in range(6)]
        batch = Batch([*made, *map(Envelope, claims)], store.name)
        plan = SingleStatement.of(writer, batch)
        assert plan is not None
        plan.run(batch)

    assert sheets(sql) == [(clock.now_ms + 1_000, 4), (clock.now_ms + 2_000, 2)]
    assert due_rows(sql) == []


def test_a_claim_that_finds_nothing_writes_no_sheet(engine: BlockingEngine, sql: Sql) -> None:
    assert engine.claim(worker_id="w", worker_instance_id="w-1") == []

    assert sheets(sql) == []


def test_a_timeout_or_deadline_before_the_end_of_the_lease_has_a_row_of_its_own_and_no_sheet(
    engine: BlockingEngine, sql: Sql, clock: ManualClock
) -> None:
    leased(engine, 1, ExecutionPolicy(attempt_timeout_ms=5_000))
    leased(engine, 1, deadline_at_ms=clock.now_ms + 7_000)

    assert sheets(sql) == []
    assert sorted(at for _, at in due_rows(sql)) == [clock.now_ms + 5_000, clock.now_ms + 7_000]


def test_a_renewal_beyond_the_attempts_timeout_goes_over_to_a_row(
    engine: BlockingEngine, sql: Sql, clock: ManualClock
) -> None:
    (lease,) = leased(engine, 1, ExecutionPolicy(attempt_timeout_ms=TTL_MS + 5_000))
    began_ms = clock.now_ms
    clock.advance(10_000)

    engine.renew(lease)

    assert [at for _, at in due_rows(sql)] == [began_ms + TTL_MS + 5_000]
    clock.advance(TTL_MS - 5_000)
    done = engine.reconcile()
    assert (done["expired_leases"], done["attempt_timeouts"]) == (0, 1)
    assert sheets(sql) == []


# ── how a lease ends ─────────────────────────────────────────────────────────────────────────────

ENDS: dict[str, Callable[[BlockingEngine, Lease], object]] = {
    "completed": lambda engine, lease: engine.complete(lease),
    "completed by a decision": lambda engine, lease: engine.complete(lease, command_id="once"),
    "failed and tried again": lambda engine, lease: engine.fail(lease, code="boom"),
    "failed": lambda engine, lease: engine.fail(lease, code="boom", retryable=False),
    "released": lambda engine, lease: engine.release(lease),
    "revoked": lambda engine, lease: engine.revoke_lease(lease.execution_id, reason="test"),
    "cancelled": lambda engine, lease: engine.cancel_execution(lease.execution_id, reason="test"),
    "suspended": lambda engine, lease: engine.suspend(lease, "approval", "editor"),
}
RETRIED = ExecutionPolicy(retry=RetryPolicy(max_retries=3, initial_delay_ms=3_600_000))


@pytest.mark.parametrize("way", ENDS)
def test_a_lease_that_has_ended_is_not_found_when_its_sheet_comes_and_its_neighbour_is(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock, way: str
) -> None:
    gone, dead = leased(engine, 2, RETRIED)
    ENDS[way](engine, gone)
    assert len(sheets(sql)) == 1
    clock.advance(TTL_MS)

    found = all_due(store, clock.now_ms)
    done = engine.reconcile()

    assert found == [Due("lease", dead.expires_at_ms, dead.execution_id)]
    assert done["expired_leases"] == 1
    assert sheets(sql) == []
    assert not store.poll([]).anything_due


@pytest.mark.parametrize("way", ENDS)
def test_a_sheet_without_a_lease_is_dropped_by_one_look_and_changes_nothing(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock, way: str
) -> None:
    (lease,) = leased(engine, 1, RETRIED)
    ENDS[way](engine, lease)
    before = states(sql)
    clock.advance(TTL_MS - 1)
    store.poll([])
    assert len(sheets(sql)) == 1
    clock.advance(1)

    assert "lease" not in store.poll([]).due

    assert sheets(sql) == []
    assert states(sql) == before


def test_an_execution_that_is_leased_again_is_due_at_the_end_of_its_new_lease(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    (first,) = leased(engine, 1)
    clock.advance(10_000)
    engine.release(first)
    (again,) = engine.claim(worker_id="w", worker_instance_id="w-2", lease_ttl_ms=TTL_MS)

    clock.advance(TTL_MS - 10_000)
    assert engine.reconcile()["expired_leases"] == 0
    assert sheets(sql) == [(again.lease.expires_at_ms, 1)]

    clock.advance(10_000)
    assert engine.reconcile()["expired_leases"] == 1


def test_a_removed_execution_does_not_keep_its_sheet(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    (lease,) = leased(engine, 1, ExecutionPolicy(retention_ms=0))
    engine.complete(lease)
    engine.reconcile()
    assert states(sql) == []
    clock.advance(TTL_MS)

    assert all_due(store, clock.now_ms) == []
    assert sheets(sql) == []


def test_a_lease_whose_execution_waits_for_something_earlier_is_not_found_as_a_lease(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    waiting, dead, other = leased(engine, 3)
    engine.open_wait(waiting, "approval", "editor", timeout_at_ms=clock.now_ms + 1_000)
    engine.open_wait(other, "approval", "editor", timeout_at_ms=clock.now_ms + 1_000)
    clock.advance(TTL_MS)

    for page in (1, 100):
        assert [due.execution_id for due in all_due(store, clock.now_ms, page)] == [dead.execution_id]
    done = engine.reconcile()

    assert (done["wait_timeouts"], done["expired_leases"]) == (2, 3)
    assert sheets(sql) == []


def test_a_damaged_execution_on_a_sheet_does_not_keep_its_neighbours_from_being_found(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    damaged, dead = leased(engine, 2)
    sql.execute("update ff_exec_core set policy = '{' where execution_id = %s", (damaged.execution_id[-36:],))
    clock.advance(TTL_MS)

    assert {due.execution_id for due in all_due(store, clock.now_ms)} == {damaged.execution_id, dead.execution_id}
    assert engine.reconcile()["expired_leases"] == 1


# ── renewals ─────────────────────────────────────────────────────────────────────────────────────


def test_a_lease_that_is_renewed_all_the_time_lives_on_and_leaves_two_sheets_at_most(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    (lease,) = leased(engine, 1)

    for _ in range(12):
        clock.advance(TTL_MS // 3)
        engine.renew(lease)
        assert len(sheets(sql)) <= 2
        assert "lease" not in store.poll([]).due

    assert sheets(sql) == [(clock.now_ms + TTL_MS, 1)]
    clock.advance(TTL_MS)
    assert engine.reconcile()["expired_leases"] == 1


def test_leases_that_are_renewed_together_are_on_one_sheet_and_leave_none_behind(
    engine: BlockingEngine, sql: Sql, clock: ManualClock
) -> None:
    leases = leased(engine, 100)
    clock.advance(1_000)
    engine.renew_all(leases[::-1])
    clock.advance(1_000)

    engine.renew_all(leases)

    now_ms = clock.now_ms
    assert [(due, number) for due, number in sheets(sql) if due != now_ms - 2_000 + TTL_MS] == [(now_ms + TTL_MS, 100)]


def test_old_sheets_of_a_worker_that_ends_some_and_begins_others_go_when_their_instant_has_come(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    running = leased(engine, 10)
    for _ in range(8):
        clock.advance(TTL_MS // 3)
        engine.complete(running.pop(0))
        running += leased(engine, 1)
        engine.renew_all(running)
        assert "lease" not in store.poll([]).due
        assert len(sheets(sql)) <= 8  # those of the last four renewals and claims


def test_a_renewed_lease_is_not_found_on_the_sheet_that_it_shares_with_a_dead_one(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    alive, dead = leased(engine, 2)
    clock.advance(10_000)
    engine.renew(alive)
    clock.advance(TTL_MS - 10_000)

    found = all_due(store, clock.now_ms)

    assert found == [Due("lease", dead.expires_at_ms, dead.execution_id)]
    assert engine.reconcile()["expired_leases"] == 1
    assert sheets(sql) == [(clock.now_ms + 10_000, 1)]


# ── finding ──────────────────────────────────────────────────────────────────────────────────────


def test_a_sheet_of_ten_thousand_is_found_page_by_page_each_lease_once_and_in_order(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    leases = leased(engine, 10_000)
    # The order on a sheet says nothing.
    sql.execute(
        "with all_of as (delete from ff_lease_sheet returning *)"
        " insert into ff_lease_sheet select due_at_ms, array_agg(p order by e desc), array_agg(e order by e desc)"
        " from all_of, unnest(partition_keys, execution_ids) as n (p, e) group by due_at_ms"
    )
    assert sheets(sql) == [(clock.now_ms + TTL_MS, 10_000)]
    engine.complete_all([(lease, None) for lease in leases[::10]])
    clock.advance(TTL_MS)

    found = all_due(store, clock.now_ms, 2_000)

    assert {due.execution_id for due in found} == {
        lease.execution_id for number, lease in enumerate(leases) if number % 10
    }
    assert all(one.execution_id < other.execution_id for one, other in pairwise(found))
    assert len(sheets(sql)) == 1


def test_pages_go_across_sheets_and_older_rows_by_instant_and_then_by_execution(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    expected = []
    for _ in range(4):
        # Several claims of one instant, on sheets of their own.
        engine.create_executions([NewExecution(kind="kind")] * 9)
        claims = [engine.claim(worker_id="w", worker_instance_id="i", limit=3, lease_ttl_ms=TTL_MS) for _ in range(3)]
        expected += sorted(
            (Due("lease", each.lease.expires_at_ms, each.execution_id) for claimed in claims for each in claimed),
            key=lambda due: due.execution_id,
        )
        clock.advance(1)
    as_older_programs_note_it(sql, "due_at_ms = (select min(due_at_ms) from ff_lease_sheet) + 2")
    clock.advance(TTL_MS)

    for page in (1, 2, 4, 100):
        assert all_due(store, clock.now_ms, page) == expected


def test_sheets_are_dropped_a_thousand_at_a_time_until_none_is_left(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "SHEETS_AT_ONCE", 2)
    for _ in range(7):
        (lease,) = leased(engine, 1)
        engine.complete(lease)
    (dead,) = leased(engine, 1)
    clock.advance(TTL_MS)

    found = all_due(store, clock.now_ms)

    assert [due.execution_id for due in found] == [dead.execution_id]
    assert len(sheets(sql)) == 1


def test_a_sheet_that_somebody_holds_locked_is_not_waited_for(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    (lease,) = leased(engine, 1)
    engine.complete(lease)
    clock.advance(TTL_MS)

    with sql.transaction():
        sql.execute("select from ff_lease_sheet for update")
        assert all_due(store, clock.now_ms) == []

    assert all_due(store, clock.now_ms) == []
    assert sheets(sql) == []


# ── several processes, and crashes ───────────────────────────────────────────────────────────────


def test_when_upkeep_dies_between_finding_and_handling_another_process_finds_the_same(
    engine: BlockingEngine, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    leases = leased(engine, 5)
    clock.advance(TTL_MS)
    found_by_the_dead = all_due(store, clock.now_ms)

    done = engine.reconcile()

    assert len(found_by_the_dead) == len(leases)
    assert done["expired_leases"] == 5


def test_a_lease_that_is_renewed_between_finding_and_handling_lives_on(
    parts: Assembled, store: PostgresStore, sql: Sql, clock: ManualClock
) -> None:
    (lease,) = leased(parts.engine, 1)
    (early,) = all_due(store, clock.now_ms + TTL_MS)
    clock.advance(TTL_MS - 1)
    parts.engine.renew(lease)
    clock.advance(1)

    assert parts.commits.execute_all([Envelope(HandleDue(early))]) == [False]

    assert sheets(sql)[-1] == (clock.now_ms - 1 + TTL_MS, 1)
    clock.advance(TTL_MS - 1)
    assert parts.engine.reconcile()["expired_leases"] == 1


def test_two_processes_that_do_upkeep_at_once_end_each_lease_once(
    engine: BlockingEngine, parts: Assembled, url: str, sql: Sql, clock: ManualClock
) -> None:
    for _ in range(10):
        some = leased(engine, 30)
        engine.complete_all([(lease, None) for lease in some[::2]])
    clock.advance(TTL_MS)
    done: list[int] = []
    with closing(PostgresStore(url, clock=clock)) as other:
        sweepers = [Sweeper(parts.store, parts.commits), Sweeper(other, parts.commits)]  # type: ignore[arg-type]
        threads = [
            threading.Thread(target=lambda s=sweeper: done.append(s.run_once()["expired_leases"]))
            for sweeper in sweepers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)

    assert sum(done) == 150
    assert sql.execute("select count(*) from ff_event where event_type = 'expired'").fetchone() == (150,)
    engine.reconcile()
    assert sheets(sql) == []


# ── beside older programs ────────────────────────────────────────────────────────────────────────


def as_older_programs_note_it(sql: Sql, where: str = "true") -> None:
    """Put the leases of sheets into rows, as programs before this schema do."""
    sql.execute(
        f"with taken as (delete from ff_lease_sheet where {where} returning *)"
        f" insert into ff_due select {LEASE}, due_at_ms, unnest(partition_keys), unnest(execution_ids) from taken"
    )


def test_a_lease_of_an_older_program_ends_in_time(engine: BlockingEngine, sql: Sql, clock: ManualClock) -> None:
    leased(engine, 3)
    as_older_programs_note_it(sql)
    assert engine.reconcile()["side_rows"] == 0
    clock.advance(TTL_MS)

    assert engine.reconcile()["expired_leases"] == 3
    assert due_rows(sql) == []


@pytest.mark.parametrize("way", [*ENDS, "renewed"])
def test_the_row_of_an_older_program_goes_when_its_instant_has_come_and_does_nothing(
    engine: BlockingEngine, sql: Sql, clock: ManualClock, way: str
) -> None:
    (lease,) = leased(engine, 1, RETRIED)
    as_older_programs_note_it(sql)
    clock.advance(1_000)
    ENDS[way](engine, lease) if way in ENDS else engine.renew(lease)
    before = states(sql)
    clock.advance(TTL_MS - 1_000)

    assert engine.reconcile()["expired_leases"] == 0

    assert [kind for kind, _ in due_rows(sql) if kind == LEASE] == []
    assert states(sql) == before
    clock.advance(1_000)
    assert engine.reconcile()["expired_leases"] == (way == "renewed")
