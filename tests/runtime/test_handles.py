import asyncio
from typing import Any

import pytest

from flowfabric import (
    Context,
    ExecutionNotCompleted,
    FlowFabric,
    Handle,
    InvalidInput,
    ManualClock,
    NotFound,
    Retry,
)
from flowfabric.runtime.tasks import Task
from tests.runtime.by_hand import claim, complete, work


@pytest.fixture
def ff(still_ff: FlowFabric) -> FlowFabric:
    return still_ff


@pytest.fixture
def charge(ff: FlowFabric) -> Task[[int], str]:
    @ff.task(retry=Retry(1, initial_delay=0))
    async def charge(ctx: Context, order_id: int) -> str:
        return f"charge-{order_id}"

    return charge


def test_a_handle_waits_for_the_result(ff: FlowFabric, charge: Task[[int], str]) -> None:
    async def waited_for() -> str:
        handle = await charge.submit(7)
        result = asyncio.create_task(handle.result(timeout=30))
        await asyncio.to_thread(work, ff)
        return await result

    assert asyncio.run(waited_for()) == "charge-7"


def test_who_waits_too_long_is_told_what_became_of_it_so_far(charge: Task[[int], str]) -> None:
    handle = charge.submit_sync(7)

    with pytest.raises(TimeoutError, match="is still waiting after 1 ms"):
        handle.result_sync(timeout="1ms")
    with pytest.raises(TimeoutError, match="is still waiting after 0 ms"):
        asyncio.run(handle.result(timeout=0))


def test_a_task_that_returns_nothing_has_none_as_its_result(ff: FlowFabric) -> None:
    @ff.task
    def nothing(ctx: Context) -> None: ...

    by_a_worker, by_other_means = nothing.submit_sync(), nothing.submit_sync()
    first, second = claim(ff)
    complete(ff, first, None)
    ff.blocking_engine().complete(second.lease)

    results: list[Any] = [handle.result_sync() for handle in (by_a_worker, by_other_means)]

    assert results == [None, None]


def test_a_failure_is_raised_with_its_code_and_message(ff: FlowFabric, charge: Task[[int], str]) -> None:
    handle = charge.submit_sync(7)
    ff.blocking_engine().fail(claim(ff)[0].lease, code="declined", message="no funds", retryable=False)

    with pytest.raises(ExecutionNotCompleted, match=r"^'charge' \(.*\) is failed, .*: declined, no funds\.") as raised:
        handle.result_sync()

    assert (raised.value.code, raised.value.public_state) == ("execution_not_completed", "failed")
    assert (raised.value.failure_code, raised.value.failure_message) == ("declined", "no funds")


def test_every_other_ending_is_raised_with_its_state(
    ff: FlowFabric, charge: Task[[int], str], clock: ManualClock
) -> None:
    late, stopped = charge.options(deadline="1s").submit_sync(7), charge.submit_sync(8)
    clock.advance(1_000)
    ff.blocking_engine().reconcile()
    stopped.cancel_sync("the customer left")

    with pytest.raises(ExecutionNotCompleted, match="is expired") as expired:
        late.result_sync()
    with pytest.raises(ExecutionNotCompleted, match=r"is cancelled, .*: the customer left") as cancelled:
        asyncio.run(stopped.result())

    assert (expired.value.public_state, cancelled.value.public_state) == ("expired", "cancelled")
    assert cancelled.value.failure_code is None


def test_a_result_of_another_type_than_the_code_says_now_is_named(ff: FlowFabric, charge: Task[[int], str]) -> None:
    handle = charge.submit_sync(7)
    ff.blocking_engine().complete(claim(ff)[0].lease, b"7")

    with pytest.raises(InvalidInput, match=r"^Task 'charge': its result: Expected `str`, got `int`"):
        handle.result_sync()


def test_a_handle_shows_the_state_and_everything_else(ff: FlowFabric, charge: Task[[int], str]) -> None:
    handle = charge.submit_sync(7)
    before = asyncio.run(handle.state())
    lease = claim(ff)[0].lease
    ff.blocking_engine().progress(lease, percent=40, message="asking the bank")

    seen = asyncio.run(handle.describe())

    assert (before, handle.state_sync()) == ("waiting", "active")
    assert (seen.progress_percent, seen.progress_message) == (40, "asking the bank")


def test_a_handle_made_from_an_id_is_as_good(ff: FlowFabric, charge: Task[[int], str]) -> None:
    execution_id = charge.submit_sync(7).execution_id
    work(ff)

    assert charge.handle(execution_id).result_sync() == "charge-7"
    by_uuid = charge.handle(execution_id[-36:])
    assert by_uuid.result_sync() == "charge-7"
    assert [event.event_type for event in by_uuid.events_sync()] == ["acquired", "completed"]


@pytest.mark.parametrize(
    "unknown", ["{fp:86}:0198c0de-0000-7000-8000-000000000008", "0198c0de-0000-7000-8000-000000000008"]
)
def test_an_unknown_execution_is_not_found(charge: Task[[int], str], unknown: str) -> None:
    handle = charge.handle(unknown)

    for verb in (handle.state_sync, handle.result_sync, handle.cancel_sync, lambda: list(handle.events_sync())):
        with pytest.raises(NotFound):
            verb()


def test_a_cancel_is_true_as_often_as_it_is_asked(charge: Task[[int], str]) -> None:
    handle = charge.submit_sync(7)

    answers = [handle.cancel_sync("enough"), asyncio.run(handle.cancel())]

    assert answers == [True, True]
    assert handle.describe_sync().cancellation_reason == "enough"


def test_what_has_ended_otherwise_is_not_cancelled(ff: FlowFabric, charge: Task[[int], str]) -> None:
    handle = charge.submit_sync(7)
    work(ff)

    assert handle.cancel_sync() is False
    assert handle.state_sync() == "completed"


def test_a_cancel_that_cannot_be_written_down_is_refused(charge: Task[[int], str]) -> None:
    handle = charge.submit_sync(7)

    with pytest.raises(InvalidInput, match="reason is 5000 bytes long"):
        handle.cancel_sync("x" * 5_000)
    assert handle.state_sync() == "waiting"


def test_events_are_followed_to_the_end(ff: FlowFabric, charge: Task[[int], str], clock: ManualClock) -> None:
    async def followed(handle: Handle[str]) -> list[str]:
        return [event.event_type async for event in handle.events()]

    async def told() -> list[str]:
        handle, _ = await charge.submit(7), await charge.submit(8)
        story = asyncio.create_task(followed(handle))
        first, other = await asyncio.to_thread(claim, ff)
        engine = await ff.engine()
        await engine.fail(first.lease, code="declined")
        await engine.complete(other.lease, b'"b"')
        await engine.reconcile()
        await asyncio.to_thread(work, ff)
        return await story

    assert asyncio.run(told()) == ["acquired", "retry_scheduled", "acquired", "completed"]


def test_events_of_what_has_ended_are_read_and_over(ff: FlowFabric, charge: Task[[int], str]) -> None:
    handle = charge.submit_sync(7)
    work(ff)

    events = list(handle.events_sync())

    assert [event.event_type for event in events] == ["acquired", "completed"]
    assert {event.execution_id for event in events} == {handle.execution_id}


def test_what_waits_does_not_stop_an_event_loop(charge: Task[[int], str]) -> None:
    async def on_a_loop() -> None:
        handle = await charge.submit(7)
        with pytest.raises(InvalidInput, match=r"result_sync\(\) would stop the event loop.* Use `result\(\)`"):
            handle.result_sync()
        with pytest.raises(InvalidInput, match=r"events_sync\(\) would stop the event loop"):
            next(handle.events_sync())

    asyncio.run(on_a_loop())
