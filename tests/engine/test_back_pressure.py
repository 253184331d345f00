"""What waits for the committers is bounded, and callers wait with it instead of filling the memory."""

import asyncio
import threading

import pytest

from flowfabric import Created, StoreUnavailable
from flowfabric.domain.commands import Envelope
from flowfabric.engine import limits
from flowfabric.engine.tickets import Ticket
from tests.assembled import assembled, assembled_async
from tests.engine.commands import (
    WAIT_S_MAX,
    a_claim,
    answers,
    as_one_batch,
    creation,
    one_batch_under_way,
    sent,
)
from tests.faulty_store import FaultyStore


@pytest.fixture(autouse=True)
def room_for_five(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "QUEUE_WEIGHT_MAX", 5)


def test_a_full_queue_takes_nothing_more(store: FaultyStore):
    with assembled(store) as parts:
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, *(creation(number) for number in range(5)))
            taken = parts.commits.submit(Ticket(Envelope(creation(6))))
        told = answers(futures)

    assert not taken
    assert all(isinstance(answer, Created) for answer in told)


def test_a_command_larger_than_the_queue_passes_when_the_queue_is_empty(store: FaultyStore):
    with assembled(store) as parts:
        told = answers(sent(parts.commits, a_claim(1000)))

    assert told == [[]]


def test_blocking_callers_wait_for_room_and_are_all_answered(store: FaultyStore):
    told: list[object] = []
    with assembled(store) as parts:

        def caller(number: int) -> None:
            told.append(parts.engine.create_execution("mail", str(number).encode()))

        threads = [threading.Thread(target=caller, args=(number,)) for number in range(20)]
        with one_batch_under_way(parts.commits, store):
            for thread in threads:
                thread.start()
        for thread in threads:
            thread.join(WAIT_S_MAX)

    assert len(told) == 20
    assert all(isinstance(answer, Created) for answer in told)


def test_async_callers_wait_for_room_and_are_all_answered(store: FaultyStore):
    async def main() -> list[object]:
        async with assembled_async(store) as parts:
            with store.held():
                callers = [
                    asyncio.create_task(parts.engine.create_execution("mail", str(number).encode()))
                    for number in range(20)
                ]
                await asyncio.to_thread(store.reached.wait, WAIT_S_MAX)
            return await asyncio.wait_for(asyncio.gather(*callers), WAIT_S_MAX)

    told = asyncio.run(main())

    assert len(told) == 20
    assert all(isinstance(answer, Created) for answer in told)


def test_a_caller_that_gives_up_waiting_for_room_leaves_nothing_behind(store: FaultyStore):
    async def main() -> int:
        async with assembled_async(store) as parts:
            with store.held():
                served = [asyncio.create_task(parts.engine.create_execution("mail")) for _ in range(6)]
                await asyncio.to_thread(store.reached.wait, WAIT_S_MAX)
                late = [asyncio.create_task(parts.engine.create_execution("late")) for _ in range(3)]
                await asyncio.sleep(0)
                for task in late:
                    task.cancel()
                await asyncio.gather(*late, return_exceptions=True)
            await asyncio.wait_for(asyncio.gather(*served), WAIT_S_MAX)
            return len((await parts.engine.list_executions(kind="late")).items)

    assert asyncio.run(main()) == 0


def test_callers_that_wait_for_room_are_refused_when_the_engine_closes(store: FaultyStore):
    refused: list[BaseException] = []
    with assembled(store) as parts:

        def caller(number: int) -> None:
            try:
                parts.engine.create_execution("mail", str(number).encode())
            except StoreUnavailable as refusal:
                refused.append(refusal)

        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, *(creation(number) for number in range(5)))
            threads = [threading.Thread(target=caller, args=(number,)) for number in range(3)]
            for thread in threads:
                thread.start()
            closing = threading.Thread(target=parts.commits.close)
            closing.start()
            for thread in threads:
                thread.join(WAIT_S_MAX)
        closing.join(WAIT_S_MAX)
        told = answers(futures)

    assert len(refused) == 3
    assert all(isinstance(answer, Created) for answer in told)


def test_what_is_given_back_for_absent_callers_does_not_widen_the_queue(store: FaultyStore):
    with assembled(store) as parts:
        as_one_batch(parts.commits, store, *(creation(number) for number in range(4)))
        for _ in range(4):
            with one_batch_under_way(parts.commits, store):
                (claim,) = sent(parts.commits, a_claim(4))
                claim.cancel()
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, *(creation(100 + number) for number in range(5)))
            taken = parts.commits.submit(Ticket(Envelope(creation(200))))
        answers(futures)

    assert not taken
