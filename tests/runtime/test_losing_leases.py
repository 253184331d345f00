"""An attempt whose lease is over stops at once, reports nothing, and acknowledges the cancel of a flow."""

import asyncio
import threading
from typing import Any

import pytest

from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context
from tests.runtime.working import WAIT_S_MAX, run, seen, snapshot, until, working

LEASE = "600ms"


@pytest.mark.parametrize("how", ["cancel", "revoke"])
def test_an_async_function_is_cancelled_when_its_lease_is_taken(ff: FlowFabric, how: str) -> None:
    heard: list[str] = []
    attempts: list[int] = []

    @ff.task
    async def wait(ctx: Context) -> str:
        attempts.append(ctx.attempt_index)
        if len(attempts) > 1:
            return "second"
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            heard.append(str(ctx.cancelled.reason))
            raise
        return "never"

    async def main() -> Any:
        async with working(ff, lease=LEASE):
            engine = await ff.engine()
            handle = await wait.submit()
            await until(lambda: bool(attempts))
            if how == "cancel":
                await engine.cancel_execution(handle.execution_id, reason="enough")
            else:
                await engine.revoke_lease(handle.execution_id, reason="enough")
            await until(lambda: bool(heard))
            return await engine.wait_for_result(handle.execution_id, timeout_ms=int(WAIT_S_MAX * 1000))

    x = run(main)

    assert heard in (["execution_not_active"], ["stale_lease"])
    assert (x.public_state, len(attempts)) == (("cancelled", 1) if how == "cancel" else ("completed", 2))


@pytest.mark.parametrize("how", ["cancel", "revoke", "cancel of its flow"])
def test_code_is_told_at_once_and_not_when_its_lease_is_next_renewed(ff: FlowFabric, how: str) -> None:
    heard = threading.Event()
    started = threading.Event()

    @ff.task
    def wait(ctx: Context) -> None:
        if started.is_set():
            return  # it was revoked, and runs again
        started.set()
        if ctx.cancelled.wait(WAIT_S_MAX):
            heard.set()
        ctx.raise_if_cancelled()

    async def main() -> None:
        async with working(ff, lease="1h"):
            engine = await ff.engine()
            async with ff.flow("pair") as flow:
                member = flow.add(wait)
            await until(started.is_set)
            if how == "cancel":
                await engine.cancel_execution(member.execution_id, reason="enough")
            elif how == "revoke":
                await engine.revoke_lease(member.execution_id, reason="enough")
            else:
                await engine.cancel_flow(flow.flow_id, reason="enough")
            await until(heard.is_set)

    run(main)


def test_a_thread_is_told_through_its_context_and_keeps_its_slot_until_it_has_stopped(ff: FlowFabric) -> None:
    started, told, may_end = threading.Event(), threading.Event(), threading.Event()

    @ff.task
    def wait(ctx: Context) -> None:
        started.set()
        ctx.cancelled.wait(WAIT_S_MAX)
        told.set()
        may_end.wait(WAIT_S_MAX)
        ctx.raise_if_cancelled()

    @ff.task
    async def next_one(ctx: Context) -> str:
        return "ran"

    async def main() -> tuple[str, str]:
        async with working(ff, lease=LEASE, concurrency=1):
            engine = await ff.engine()
            handle = await wait.submit()
            await until(started.is_set)
            await engine.cancel_execution(handle.execution_id, reason="enough")
            await until(told.is_set)
            other = await next_one.submit()
            waits = (await snapshot(ff, other)).public_state
            may_end.set()
            return waits, await other.result(timeout=WAIT_S_MAX)

    assert run(main) == ("waiting", "ran")


def test_what_a_function_returns_after_it_has_lost_its_lease_is_discarded(ff: FlowFabric) -> None:
    attempts: list[int] = []

    @ff.task
    async def stubborn(ctx: Context) -> str:
        attempts.append(ctx.attempt_index)
        if len(attempts) > 1:
            return "second"
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "first"  # as if nothing had happened
        return "never"

    async def main() -> str:
        async with working(ff, lease=LEASE):
            handle = await stubborn.submit()
            await until(lambda: bool(attempts))
            await (await ff.engine()).revoke_lease(handle.execution_id)
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == "second"


def test_a_lease_is_renewed_for_as_long_as_the_function_runs(ff: FlowFabric) -> None:
    @ff.task
    async def slow(ctx: Context) -> int:
        await asyncio.sleep(3.0)  # the work: three times as long as the lease
        return ctx.attempt_index

    async def main() -> tuple[int, Any]:
        async with working(ff, lease="1s"):
            handle = await slow.submit()
            return await handle.result(timeout=WAIT_S_MAX), await snapshot(ff, handle)

    index, x = run(main)

    assert (index, x.interruption_count, x.lease_epoch) == (0, 0, 1)


def test_a_cancelled_member_of_a_flow_is_acknowledged_once_its_code_has_stopped() -> None:
    ff = FlowFabric("memory://", reconcile=False)  # which would acknowledge by itself, later
    started, stopped = asyncio.Event(), asyncio.Event()

    @ff.task
    async def member(ctx: Context) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def main() -> tuple[list[str], Any]:
        async with working(ff, lease=LEASE):
            engine = await ff.engine()
            async with ff.flow("order") as flow:
                flow.add(member)
            flow_id = flow.flow_id
            await started.wait()
            await engine.cancel_flow(flow_id, reason="enough")
            pending = await engine.describe_flow(flow_id)
            assert pending is not None
            acknowledged = await seen(
                lambda: engine.describe_flow(flow_id), lambda found: found is not None and not found.pending_cancel_acks
            )
            return list(pending.pending_cancel_acks), acknowledged

    pending, flow = run(main)

    assert len(pending) == 1
    assert stopped.is_set()
    assert flow.state == "cancelled"


def test_a_worker_that_lost_a_member_earlier_does_not_acknowledge_for_the_one_that_runs_it_now(
    ff: FlowFabric,
) -> None:
    started, may_end, ended = asyncio.Event(), asyncio.Event(), asyncio.Event()

    @ff.task
    async def member(ctx: Context) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await may_end.wait()
            ended.set()
            raise

    async def main() -> list[str]:
        async with working(ff, lease=LEASE, concurrency=1) as stop:
            engine = await ff.engine()
            async with ff.flow("order") as flow:
                one = flow.add(member)
            await started.wait()
            await engine.revoke_lease(one.execution_id)
            # The renewal by which the worker finds out may hold the row when a claim looks, so this one waits.
            other = {"worker_id": "other", "worker_instance_id": "other", "lease_ttl_ms": 600_000}
            (claimed,) = await engine.wait_for_work(**other, timeout_ms=60_000)
            assert claimed.flow_id == flow.flow_id
            await engine.cancel_flow(flow.flow_id, reason="enough")
            may_end.set()
            await ended.wait()
            stop.set()
            await seen(engine.list_workers, lambda workers: not workers)
            found = await engine.describe_flow(flow.flow_id)
            assert found is not None
            return list(found.pending_cancel_acks)

    assert len(run(main)) == 1
