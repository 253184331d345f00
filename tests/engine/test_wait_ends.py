"""How a wait has ended is part of the news of its commit, so a worker of the same process reads and writes nothing."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from flowfabric import BlockingEngine, Claimed, Conflict, EngineError, Suspended, WaitOver
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import Fence
from flowfabric.domain.news import WaitEnd
from flowfabric.domain.remembered_answers import pack_wait_over
from flowfabric.domain.waiting import wait_fingerprint
from flowfabric.engine.wait_ends import BYTES_MAX, ENDS_MAX, WaitEnds
from tests.assembled import Assembled, assembled
from tests.engine.test_lingering import WAIT_S_MAX, lingering, waiting_in_a_thread
from tests.engine.test_standing_claims import standing_by
from tests.faulty_store import FaultyStore

OVER = WaitOver((), "operator")


def suspended(engine: BlockingEngine) -> str:
    engine.create_execution("job")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    assert isinstance(engine.suspend(claimed.lease, "wait", "editor"), Suspended)
    return claimed.execution_id


def resumed(parts: Assembled, store: FaultyStore) -> Claimed:
    """An execution that the worker of this process has got back in the commit of the signal."""
    execution_id = suspended(parts.engine)
    with standing_by(parts, store) as waiting:
        parts.engine.signal(execution_id, "editor", b"yes")
        (claimed,) = waiting.answer()
    return claimed


def payloads(over: object) -> list[bytes]:
    assert isinstance(over, WaitOver)
    return [signal.payload for signal in over.signals]


def test_a_worker_that_lingers_hears_the_end_without_a_read(store: FaultyStore) -> None:
    has_read = threading.Event()
    reads: list[str] = []
    read = store.step

    def counted(execution_id: ExecutionId, name: str) -> object:
        found = read(execution_id, name)
        reads.append(name)
        has_read.set()
        return found

    store.step = counted
    with assembled(store) as parts, ThreadPoolExecutor(1) as pool:
        lease = lingering(parts.engine)
        answer = waiting_in_a_thread(pool, parts, lease)
        assert has_read.wait(WAIT_S_MAX)  # that the wait is not over yet
        parts.engine.signal(lease.execution_id, "editor", b"yes")

        assert payloads(answer()) == [b"yes"]
    assert reads == ["wait"]


@pytest.mark.parametrize("method", ["open_wait", "suspend"])
def test_an_attempt_that_is_resumed_gets_the_end_of_its_wait_without_a_transaction(
    store: FaultyStore, method: str
) -> None:
    with assembled(store) as parts:
        claimed = resumed(parts, store)

        assert payloads(getattr(parts.engine, method)(claimed.lease, "wait", "editor")) == [b"yes"]
        assert store.begun == 1  # that of the signal

        assert payloads(getattr(parts.engine, method)(claimed.lease, "wait", "editor")) == [b"yes"]
        assert store.begun == 2


def test_another_condition_is_still_refused(store: FaultyStore) -> None:
    with assembled(store) as parts:
        claimed = resumed(parts, store)

        with pytest.raises(Conflict):
            parts.engine.open_wait(claimed.lease, "wait", "author")


def test_a_lease_that_was_taken_away_gets_no_end(store: FaultyStore) -> None:
    with assembled(store) as parts:
        claimed = resumed(parts, store)
        parts.engine.revoke_lease(claimed.execution_id)

        with pytest.raises(EngineError):
            parts.engine.suspend(claimed.lease, "wait", "editor")


def test_the_end_that_a_lingering_worker_has_not_asked_for_still_prevents_a_suspension(store: FaultyStore) -> None:
    with assembled(store) as parts:
        lease = lingering(parts.engine)
        with parts.wakeups.listening(f"waits of {lease.execution_id}", lambda: None):
            parts.engine.signal(lease.execution_id, "editor", b"yes")

        assert not isinstance(parts.engine.suspend(lease, "other", "author"), Suspended)
        assert payloads(parts.engine.open_wait(lease, "wait", "editor")) == [b"yes"]
        assert isinstance(parts.engine.suspend(lease, "other", "author"), Suspended)


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────


def an_end(number: int, result: bytes = b"", *, epoch: int = 1, namespace: str = "default") -> WaitEnd:
    packed = result or pack_wait_over(OVER)
    return WaitEnd(an_id(number), namespace, epoch, "wait", wait_fingerprint("editor"), packed, is_unanswered=False)


def an_id(number: int) -> ExecutionId:
    return ExecutionId(f"{{fp:1}}:{number:032x}")


def a_fence(number: int, epoch: int = 1) -> Fence:
    return Fence(an_id(number), 0, epoch, "lease")


def test_an_end_is_for_one_lease_one_condition_and_one_namespace() -> None:
    ends = WaitEnds()
    ends.learn([an_end(1)])

    assert ends.asked(a_fence(2), "wait", "editor", None) is None
    assert ends.asked(a_fence(1, epoch=2), "wait", "editor", None) is None
    assert ends.asked(a_fence(1), "other", "editor", None) is None
    assert ends.asked(a_fence(1), "wait", "author", None) is None
    assert ends.asked(a_fence(1), "wait", "editor", "shop") is None
    assert ends.asked(a_fence(1), "wait", "editor", "default") == OVER
    assert ends.asked(a_fence(1), "wait", "editor", "default") is None


def test_the_oldest_ends_go_when_there_are_too_many() -> None:
    ends = WaitEnds()
    ends.learn(an_end(number) for number in range(ENDS_MAX + 1))

    assert ends.watched(a_fence(0), "wait", None) is None
    assert ends.watched(a_fence(1), "wait", None) == OVER


def test_the_oldest_ends_go_when_they_are_too_large() -> None:
    ends = WaitEnds()
    ends.learn([an_end(1), an_end(2, b"x" * BYTES_MAX)])
    assert ends.watched(a_fence(1), "wait", None) is None

    ends.forget([an_id(2)])
    ends.learn([an_end(1), an_end(1), an_end(3)])

    assert ends.watched(a_fence(1), "wait", None) == OVER
    assert ends.watched(a_fence(3), "wait", None) == OVER
