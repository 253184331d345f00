"""A store that cannot be read for a while: reads try as long as writes do, and a wait spends its own time."""

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from flowfabric import StoreError, StoreUnavailable
from flowfabric.engine import limits
from flowfabric.ports.errors import AnswerUnclear, ConnectionLost
from tests.assembled import Assembled, assembled, assembled_async
from tests.engine.commands import WAIT_S_MAX, an_id, answers, creation, sent
from tests.faulty_store import FaultyStore

FOR_GOOD = 1_000_000


def _made(parts: Any) -> None:
    answers(sent(parts.commits, creation(1)))


def _completed_by_then(parts: Assembled) -> None:
    (claimed,) = parts.engine.claim(worker_id="worker-1", worker_instance_id="worker-1/a")
    parts.engine.complete(claimed.lease, b"result")


def _after_an_outage(store: FaultyStore, then: Callable[[], object]) -> threading.Thread:
    """Reads fail for longer than any of them is tried; then something happens, and they are answered again."""
    long_enough_at = time.monotonic() + 2 * limits.RECONNECT_S_MAX
    store.breaks("read", ConnectionLost("the server has gone away"), times=FOR_GOOD)

    def end() -> None:
        _has_met(store, 3)
        time.sleep(max(0.0, long_enough_at - time.monotonic()))  # how long an outage takes is what is tested
        then()
        store.heals()

    thread = threading.Thread(target=end)
    thread.start()
    return thread


def _has_met(store: FaultyStore, faults: int) -> None:
    """Return once somebody has met so many faults."""
    give_up_at = time.monotonic() + WAIT_S_MAX
    while store.struck < faults:
        assert time.monotonic() < give_up_at
        time.sleep(0.002)  # a bounded wait for what another thread does


def test_a_read_in_a_thread_rides_out_a_short_outage(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts)
        store.breaks("read", ConnectionLost("the server has gone away"), times=2)

        found = parts.engine.describe_execution(an_id(1))

    assert found is not None
    assert store.struck == 2


def test_a_read_on_a_loop_rides_out_a_short_outage(store: FaultyStore):
    async def main() -> object:
        async with assembled_async(store) as parts:
            _made(parts)
            store.breaks("read", ConnectionLost("the server has gone away"), times=2)
            return await parts.engine.describe_execution(an_id(1))

    assert asyncio.run(main()) is not None
    assert store.struck == 2


def test_a_read_whose_answer_is_unclear_is_made_again_a_few_times(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts)
        store.breaks("read", AnswerUnclear("an error within the store"), times=limits.UNCLEAR_MAX)

        found = parts.engine.describe_execution(an_id(1))
        store.breaks("read", AnswerUnclear("an error within the store"), times=FOR_GOOD)
        with pytest.raises(StoreError, match="an error within the store") as told:
            parts.engine.describe_execution(an_id(1))

    assert found is not None
    assert type(told.value) is StoreError
    assert store.struck == 2 * limits.UNCLEAR_MAX + 1


def test_a_store_that_stays_away_is_told_to_a_reader_after_as_long_as_to_a_writer(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts)
        store.breaks("read", ConnectionLost("the server has gone away"), times=FOR_GOOD)
        began_at = time.monotonic()

        with pytest.raises(StoreUnavailable, match=r"could not be read for .* the server has gone away") as told:
            parts.engine.describe_execution(an_id(1))

    assert type(told.value) is StoreUnavailable
    assert limits.RECONNECT_S_MAX <= time.monotonic() - began_at < WAIT_S_MAX


def test_a_health_check_says_at_once_that_the_store_is_away(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("read", ConnectionLost("the server has gone away"), times=FOR_GOOD)

        with pytest.raises(StoreUnavailable, match="the server has gone away"):
            parts.engine.ping()

    assert store.struck == 1


def test_a_thread_that_waits_for_a_result_rides_out_an_outage(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts)
        outage = _after_an_outage(store, lambda: _completed_by_then(parts))

        ended = parts.engine.wait_for_result(an_id(1), timeout_ms=int(WAIT_S_MAX * 1000))
        outage.join(WAIT_S_MAX)

    assert ended.public_state == "completed"


def test_a_task_that_waits_for_a_result_without_a_limit_rides_out_an_outage(store: FaultyStore):
    async def main() -> str:
        async with assembled_async(store) as parts:
            _made(parts)
            _after_an_outage(store, lambda: None)
            waiting = asyncio.create_task(parts.engine.wait_for_result(an_id(1)))
            (claimed,) = await parts.engine.claim(worker_id="worker-1", worker_instance_id="worker-1/a")
            await parts.engine.complete(claimed.lease)
            return (await waiting).public_state

    assert asyncio.run(main()) == "completed"


def test_a_wait_whose_time_is_over_during_an_outage_says_that_the_store_is_away(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts)
        store.breaks("read", ConnectionLost("the server has gone away"), times=FOR_GOOD)

        with pytest.raises(TimeoutError, match="the server has gone away") as told:
            parts.engine.wait_for_result(an_id(1), timeout_ms=50)

    assert isinstance(told.value.__cause__, StoreUnavailable)


def test_a_wait_also_rides_out_a_file_that_another_program_has_locked(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts)
        _completed_by_then(parts)
        store.breaks("read", StoreUnavailable("the file is locked"), times=3)

        assert parts.engine.wait_for_result(an_id(1)).public_state == "completed"


def test_a_subscriber_rides_out_an_outage_and_misses_nothing(store: FaultyStore):
    async def main() -> str:
        async with assembled_async(store) as parts:
            _after_an_outage(store, lambda: None)
            subscription = parts.engine.subscribe()
            next_one = asyncio.create_task(anext(subscription))
            await parts.engine.pause_lane("north", reason="a test")
            async with asyncio.timeout(WAIT_S_MAX):
                return (await next_one).event_type

    assert asyncio.run(main()) == "lane_paused"


def test_what_is_sent_during_a_short_outage_waits_until_it_is_known_what_from_now_on_means(store: FaultyStore):
    async def main() -> str:
        async with assembled_async(store) as parts:
            store.breaks("read", ConnectionLost("the server has gone away"), times=2)
            subscription = parts.engine.subscribe(from_now=True)
            await parts.engine.pause_lane("north", reason="a test")
            async with asyncio.timeout(WAIT_S_MAX):
                return (await anext(subscription)).event_type

    assert asyncio.run(main()) == "lane_paused"


def test_a_subscriber_learns_that_nobody_knows_where_it_began_instead_of_beginning_later(store: FaultyStore):
    async def main() -> None:
        async with assembled_async(store) as parts:
            store.breaks("read", StoreUnavailable("the file is locked"), times=FOR_GOOD)
            subscription = parts.engine.subscribe(from_now=True)
            await parts.engine.pause_lane("north", reason="it waits until the read has failed")
            store.heals()

            with pytest.raises(StoreUnavailable, match="Subscribe again"):
                await anext(subscription)

    asyncio.run(main())


def test_renewals_go_on_while_it_is_read_what_from_now_on_means(store: FaultyStore):
    async def main() -> None:
        async with assembled_async(store) as parts:
            await parts.engine.create_execution("kind")
            (claimed,) = await parts.engine.claim(worker_id="worker-1", worker_instance_id="worker-1/a")
            with store.reads_held():
                parts.engine.subscribe(from_now=True)
                async with asyncio.timeout(WAIT_S_MAX):
                    await parts.engine.renew(claimed.lease)
                    await parts.engine.renew_all([claimed.lease])

    asyncio.run(main())


def test_a_wait_for_work_rides_out_an_outage(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts)
        store.breaks("begin", StoreUnavailable("the disk is full"), times=3)

        claimed = parts.engine.wait_for_work(
            worker_id="worker-1", worker_instance_id="worker-1/a", timeout_ms=int(WAIT_S_MAX * 1000)
        )

    assert [each.execution_id for each in claimed] == [an_id(1)]


def test_a_wait_for_work_whose_time_is_over_during_an_outage_says_so(store: FaultyStore):
    with assembled(store) as parts:
        store.breaks("begin", StoreUnavailable("the disk is full"), times=FOR_GOOD)

        with pytest.raises(StoreUnavailable, match="the disk is full"):
            parts.engine.wait_for_work(worker_id="worker-1", worker_instance_id="worker-1/a", timeout_ms=50)


def test_closing_the_engine_ends_a_wait_for_a_store_that_is_away(store: FaultyStore):
    async def main() -> BaseException:
        async with assembled_async(store) as parts:
            _made(parts)
            store.breaks("read", ConnectionLost("the server has gone away"), times=FOR_GOOD)
            waiting = asyncio.create_task(parts.engine.wait_for_result(an_id(1)))
            async with asyncio.timeout(WAIT_S_MAX):
                await asyncio.to_thread(_has_met, store, 3)
        async with asyncio.timeout(WAIT_S_MAX):
            (told,) = await asyncio.gather(waiting, return_exceptions=True)
        assert isinstance(told, BaseException)
        return told

    told = asyncio.run(main())

    assert isinstance(told, StoreUnavailable)
    assert "closed" in str(told)


def test_ctrl_c_ends_a_wait_for_a_store_that_is_away(store: FaultyStore):
    main_thread = threading.main_thread().ident
    assert main_thread == threading.get_ident()

    def interrupt() -> None:
        _has_met(store, 4)
        signal.pthread_kill(main_thread, signal.SIGINT)

    with assembled(store) as parts:
        _made(parts)
        store.breaks("read", ConnectionLost("the server has gone away"), times=FOR_GOOD)
        began_at = time.monotonic()
        threading.Thread(target=interrupt).start()

        with pytest.raises(KeyboardInterrupt):
            parts.engine.wait_for_result(an_id(1))

    assert time.monotonic() - began_at < WAIT_S_MAX
