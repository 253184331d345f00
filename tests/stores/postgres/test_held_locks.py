"""Somebody stays in a transaction for long: who needs what it holds waits, and nobody else does."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any

import psycopg
import pytest

from flowfabric import (
    BlockingEngine,
    Cancelled,
    Claimed,
    Completed,
    Conflict,
    Created,
    Duplicate,
    Renewed,
    RetryExhausted,
    open_blocking_engine,
    open_engine,
)
from flowfabric.domain.ids import ExecutionId, uuid_in
from flowfabric.engine import limits
from flowfabric.runtime.lease_keeper import LeaseKeeper
from flowfabric.testing import ManualClock
from tests.assembled import Assembled
from tests.stores.postgres.conftest import LEASE_ENDS, Open, Sql
from tests.stores.postgres.pooler import Pooler
from tests.stores.postgres.processes import wait_until

MANY = 8
"""So many that both committers have some."""
ANSWERED_S_MAX = 30.0
RENEWED_S_MAX = 10.0
"""A second or two on a quiet machine, so that leases of five seconds survive; this one may be busy."""
LEASE_TTL_MS = 60_000


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4 * MANY) as threads:
        yield threads


@contextmanager
def held(url: str) -> Iterator[psycopg.Connection[Any]]:
    """A transaction of somebody else's, which holds what it takes for as long as the block lasts."""
    with psycopg.connect(url) as conn:
        try:
            yield conn
        finally:
            conn.rollback()


def lock(conn: psycopg.Connection[Any], *execution_ids: str) -> None:
    uuids = [uuid_in(ExecutionId(execution_id)) for execution_id in execution_ids]
    conn.execute("select from ff_exec_core where execution_id = any (%s::uuid[]) for update", (uuids,))


def claimed(engine: BlockingEngine, number: int) -> list[Claimed]:
    for _ in range(number):
        engine.create_execution("work")
    return engine.claim(worker_id="w", worker_instance_id="w-1", limit=number, lease_ttl_ms=LEASE_TTL_MS)


def someone_waits(sql: Sql, for_whom: psycopg.Connection[Any] | None = None) -> bool:
    row = sql.execute(
        "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        " and (%(pid)s::int is null or %(pid)s = any (pg_blocking_pids(pid))))",
        {"pid": None if for_whom is None else for_whom.info.backend_pid},
    ).fetchone()
    return row == (True,)


def answers(futures: list[Future[Any]], within_s: float = ANSWERED_S_MAX) -> list[Any]:
    return [future.exception(within_s) or future.result() for future in futures]


@pytest.mark.parametrize("commits", [True, False])
def test_submits_whose_keys_an_application_holds_wait_for_it_and_nobody_waits_with_them(
    engine: BlockingEngine, url: str, sql: Sql, threads: ThreadPoolExecutor, commits: bool
) -> None:
    leased = claimed(engine, MANY)
    keys = [f"order-{number}" for number in range(MANY)]
    with held(url) as conn:
        taken = [engine.create_execution("mail", idempotency_key=key, conn=conn).execution_id for key in keys]
        waiting = [threads.submit(engine.create_execution, "mail", idempotency_key=key) for key in keys]
        wait_until(lambda: someone_waits(sql))

        renewing = [threads.submit(engine.renew, each.lease) for each in leased]
        submitting = [threads.submit(engine.create_execution, "other") for _ in range(MANY)]
        submitting += [threads.submit(engine.create_execution, "x", idempotency_key=f"k-{n}") for n in range(MANY)]

        assert [type(answer) for answer in answers(renewing, RENEWED_S_MAX)] == [Renewed] * MANY
        # Not beside the others: two renewals of one lease at once may meet in two transactions of this very engine.
        renewing = [threads.submit(engine.renew_all, [each.lease for each in leased])]
        assert [type(answer) for answer in answers(renewing, RENEWED_S_MAX)] == [list]
        assert [type(answer) for answer in answers(submitting)] == [Created] * 2 * MANY
        assert not any(future.done() for future in waiting)
        (conn.commit if commits else conn.rollback)()

        if commits:
            assert answers(waiting) == [Duplicate(execution_id) for execution_id in taken]
        else:
            assert [type(answer) for answer in answers(waiting)] == [Created] * MANY


@pytest.fixture(params=["directly", "behind a pooler"])
def engine_somewhere(request: pytest.FixtureRequest, url: str, open_another: Open) -> Iterator[BlockingEngine]:
    if request.param == "directly":
        yield open_another()
    else:
        with Pooler(url, 3).running() as pooler, open_blocking_engine(pooler.url, reconcile=False) as engine:
            yield engine


def test_the_row_that_an_operator_holds_keeps_nobody_elses_command_waiting(
    engine_somewhere: BlockingEngine, url: str, sql: Sql, threads: ThreadPoolExecutor
) -> None:
    engine = engine_somewhere
    first, *others = claimed(engine, 1 + MANY)
    with held(url) as conn:
        lock(conn, first.execution_id)
        waiting = [threads.submit(engine.complete, first.lease)]
        wait_until(lambda: someone_waits(sql))

        completing = [threads.submit(engine.complete, each.lease) for each in others]

        assert [type(answer) for answer in answers(completing)] == [Completed] * MANY
        assert not waiting[0].done()

    assert answers(waiting) == [Completed(first.execution_id)]


def test_commands_of_an_execution_whose_row_is_held_keep_their_order(
    parts: Assembled, url: str, sql: Sql, threads: ThreadPoolExecutor
) -> None:
    engine = parts.engine
    leased = claimed(engine, 1)[0]
    execution_id = leased.execution_id
    with held(url) as conn:
        lock(conn, execution_id)
        waiting: list[Future[Any]] = []
        orders: list[Callable[[], object]] = [
            lambda: engine.renew(leased.lease),
            lambda: engine.progress(leased.lease, message="first"),
            lambda: engine.progress(leased.lease, message="second"),
            lambda: engine.complete(leased.lease),
            lambda: engine.cancel_execution(execution_id, reason="too late"),
        ]
        for number, order in enumerate(orders):
            waiting.append(threads.submit(order))
            wait_until(lambda number=number: pending(parts) == number + 1)
        wait_until(lambda: someone_waits(sql))

    told = answers(waiting)

    assert isinstance(told[0], Renewed)
    assert told[1:3] == [None, None]
    assert isinstance(told[3], Completed)
    assert not isinstance(told[4], Cancelled)
    snapshot = engine.describe_execution(execution_id)
    assert snapshot is not None
    assert (snapshot.public_state, snapshot.progress_message) == ("completed", "second")


def pending(parts: Assembled) -> int:
    """How many commands wait for what somebody else holds."""
    return parts.commits.held_locks.waiting


def test_who_has_waited_for_long_enough_is_told_and_nothing_was_changed(
    engine: BlockingEngine, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "LOCK_PATIENCE_S", 0.6)
    leased = claimed(engine, 1)[0]
    with held(url) as conn:
        lock(conn, leased.execution_id)

        with pytest.raises(RetryExhausted, match=r"waited 0\.6 s for what another transaction holds") as told:
            engine.complete(leased.lease)

    assert told.value.retryable
    assert engine.complete(leased.lease) == Completed(leased.execution_id)


def test_a_worker_keeps_all_its_leases_but_the_one_that_somebody_holds(url: str, clock: ManualClock, sql: Sql) -> None:
    lost: list[str] = []

    class Running:
        def __init__(self, each: Claimed) -> None:
            self.lease = each.lease

        def lose(self, code: str) -> None:
            lost.append(self.lease.execution_id)

        def pause(self) -> None:
            raise AssertionError("no budget is exceeded")

    async def beat_often() -> list[str]:
        async def heartbeat() -> None: ...

        async with open_engine(url, clock=clock, reconcile=False) as engine:
            for _ in range(MANY):
                await engine.create_execution("work")
            leased = await engine.claim(worker_id="w", worker_instance_id="w-1", limit=MANY, lease_ttl_ms=LEASE_TTL_MS)
            keeper = LeaseKeeper(
                engine, lease_ttl_ms=LEASE_TTL_MS, heartbeat=heartbeat, monotonic=lambda: clock.now_ms / 1000
            )
            with ExitStack() as holding, held(url) as conn:
                for each in leased:
                    holding.enter_context(keeper.holding(Running(each)))
                lock(conn, leased[2].execution_id)
                for _ in range(4):
                    clock.advance(LEASE_TTL_MS // 3)
                    await keeper.beat()
            return [each.execution_id for each in leased]

    leased = asyncio.run(beat_often())

    assert lost == [leased[2]]
    kept = f"select count(distinct execution_id) from {LEASE_ENDS} where due_at_ms > %s"
    assert sql.execute(kept, (clock.now_ms,)).fetchone() == (MANY - 1,)


def test_a_sweep_goes_on_where_one_row_is_held_and_comes_back_to_it(
    engine: BlockingEngine, url: str, clock: ManualClock
) -> None:
    leased = claimed(engine, MANY)
    clock.advance(LEASE_TTL_MS)
    with held(url) as conn:
        lock(conn, leased[0].execution_id)
        assert engine.reconcile()["expired_leases"] == MANY - 1
    assert engine.reconcile()["expired_leases"] == 1


@pytest.mark.parametrize(
    ("verb", "on_ended"),
    [("create_execution", "renew_failed"), ("add_execution", "renew_failed"), ("add_execution", "return")],
)
def test_who_needs_the_execution_of_a_key_waits_for_it_before_it_locks_the_key(
    engine: BlockingEngine, url: str, sql: Sql, threads: ThreadPoolExecutor, verb: str, on_ended: str
) -> None:
    old = engine.create_execution("work", idempotency_key="order-7").execution_id
    engine.cancel_execution(old, reason="test")
    where = [engine.create_flow("order").flow_id] if verb == "add_execution" else []
    with held(url) as conn:
        lock(conn, old)
        asked = threads.submit(
            getattr(engine, verb), *where, "work", idempotency_key="order-7", idempotency_on_ended=on_ended
        )
        wait_until(lambda: someone_waits(sql))

        # Any other batch locks in the same order: it must not find the key in the hands of who waits for it.
        conn.execute("select from ff_idempotency for update nowait")

    (answer,) = answers([asked])
    assert isinstance(answer, Conflict if on_ended == "return" else Created)


def test_a_key_that_was_renewed_just_before_it_is_locked_is_let_go_before_its_new_execution_is_waited_for(
    engine: BlockingEngine, url: str, sql: Sql, threads: ThreadPoolExecutor
) -> None:
    old = engine.create_execution("work", idempotency_key="order-7").execution_id
    new = engine.create_execution("work").execution_id
    for each in (old, new):
        engine.cancel_execution(each, reason="test")
    with held(url) as of_new:
        lock(of_new, new)
        with held(url) as of_old:
            lock(of_old, old)
            asked = threads.submit(
                engine.create_execution, "work", idempotency_key="order-7", idempotency_on_ended="renew"
            )
            wait_until(lambda: someone_waits(sql, of_old))
            of_old.execute(
                "update ff_idempotency set (execution_partition, execution_id) ="
                " (select partition_key, execution_id from ff_exec_core where execution_id = %s)",
                (uuid_in(ExecutionId(new)),),
            )
            of_old.commit()
        wait_until(lambda: someone_waits(sql, of_new))

        of_new.execute("select from ff_idempotency for update nowait")

    (answer,) = answers([asked])
    assert isinstance(answer, Created)
