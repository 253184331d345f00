"""A committer that ends by itself: whoever waits for it is told, whoever comes later is refused, and workers end."""

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from flowfabric import StoreUnavailable
from flowfabric.domain.commands import Envelope
from flowfabric.engine.tickets import Ticket
from flowfabric.ports.writing import Answered, Batch
from flowfabric.runtime.worker import Worker
from flowfabric.runtime.worker_settings import WorkerSettings
from tests.assembled import assembled, assembled_async
from tests.engine.commands import WAIT_S_MAX, a_claim, answers, creation, one_batch_under_way, sent
from tests.engine.test_standing_claims import standing_by
from tests.faulty_store import FaultyStore, FaultyWriter

if TYPE_CHECKING:
    from flowfabric.domain.outcomes import Outcome


class Gone(BaseException):
    """What no thread is prepared for."""


def test_everyone_who_waits_is_told_and_nobody_waits_for_ever(store: FaultyStore):
    store.breaks("load", Gone("out of the blue"), when=lambda needs: bool(needs.claims))
    with assembled(store) as parts:
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, *(creation(number) for number in range(3)), a_claim())
        told = answers(futures)

        assert all(isinstance(each, StoreUnavailable) and each.is_final for each in told)
        assert "may have happened" in str(told[0])


def test_whoever_comes_later_is_refused_with_the_reason(store: FaultyStore):
    store.breaks("load", Gone("out of the blue"))
    with assembled(store) as parts:
        answers(sent(parts.commits, creation(1)))

        with pytest.raises(StoreUnavailable, match=r"A thread that commits has ended.*out of the blue.*Restart"):
            parts.engine.create_execution("mail")


def test_a_claim_that_stands_by_is_answered(store: FaultyStore):
    with assembled(store) as parts, standing_by(parts, store) as waiting:
        store.breaks("load", Gone("out of the blue"))
        answers(sent(parts.commits, creation(1)))

        with pytest.raises(StoreUnavailable, match="A thread that commits has ended"):
            waiting.answer()


def test_whoever_is_put_aside_after_the_thread_that_serves_there_has_ended_is_told(store: FaultyStore):
    store.breaks("begin", Gone("out of the blue"), when=lambda _: threading.current_thread().name.endswith("aside"))
    with assembled(store) as parts:
        told: list[object] = []
        for number in (1, 2):
            future: Future[Outcome] = Future()
            parts.commits.held_locks.put_aside([Ticket(Envelope(creation(number)), future)])
            told += answers([future])

    assert all(isinstance(each, StoreUnavailable) and each.is_final for each in told)
    assert "was not begun" in str(told[1])


def test_awaiting_callers_are_told_too(store: FaultyStore):
    async def main() -> list[object]:
        store.breaks("begin", Gone("out of the blue"))
        async with assembled_async(store) as parts, asyncio.timeout(WAIT_S_MAX):
            creations = [parts.engine.create_execution("mail") for _ in range(5)]
            return await asyncio.gather(*creations, return_exceptions=True)

    assert all(isinstance(each, StoreUnavailable) and each.is_final for each in asyncio.run(main()))


def test_a_worker_ends_with_the_error(store: FaultyStore) -> None:
    async def main() -> None:
        async with assembled_async(store) as parts, asyncio.timeout(WAIT_S_MAX):
            store.breaks("load", Gone("out of the blue"), when=lambda needs: bool(needs.claims))
            await Worker(parts.engine, {}, WorkerSettings()).run()

    with pytest.raises(StoreUnavailable, match="A thread that commits has ended"):
        asyncio.run(main())


def test_commands_of_a_store_that_returns_too_few_answers_are_not_committed_twice(
    store: FaultyStore, monkeypatch: pytest.MonkeyPatch
):
    run = FaultyWriter.run

    def run_and_lose_an_answer(writer: FaultyWriter, batch: Batch) -> Answered:
        answered = run(writer, batch)
        return replace(answered, answers=answered.answers[:-1])

    with assembled(store) as parts:
        before = len(store.committed)
        monkeypatch.setattr(FaultyWriter, "run", run_and_lose_an_answer)
        told = answers(sent(parts.commits, creation(1)))

        assert len(store.committed) == before + 1
        assert "may have happened" in str(told[0])
