"""Who follows an execution, or waits for a flow, is woken with everyone else, and does not poll alone."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from flowfabric import InvalidInput, NotFound
from flowfabric.domain.listing import EventFilter
from flowfabric.engine import following, poller, scope
from flowfabric.stores.memory.store import MemoryStore
from tests.assembled import assembled, assembled_async
from tests.engine.commands import WAIT_S_MAX, an_id, answers, creation, sent
from tests.faulty_store import FaultyStore

NEVER_S = 600.0


class Counting(MemoryStore):
    """Counts its reads of events: for everyone, and for those who follow one execution; and those of flows."""

    def __init__(self) -> None:
        super().__init__("memory-counting")
        self.polls = 0
        self.followed = 0
        self.flows_read = 0

    def events(self, cursor: str | None, where: EventFilter, limit: int) -> object:
        if where.execution_id is None:
            self.polls += 1
        else:
            self.followed += 1
        return super().events(cursor, where, limit)

    def flow_view(self, flow_id: object) -> object:
        self.flows_read += 1
        return super().flow_view(flow_id)


def until(condition: Callable[[], bool]) -> None:
    pause = threading.Event()
    for _ in range(int(WAIT_S_MAX / 0.002)):
        if condition():
            return
        pause.wait(0.002)
    raise AssertionError("it has not come to pass")


@pytest.fixture
def nobody_looks_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "POLL_S", NEVER_S)
    monkeypatch.setattr(following, "FOLLOW_S", 0.0)


@pytest.mark.usefixtures("nobody_looks_by_itself")
def test_a_follower_reads_when_something_has_happened_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poller, "POLL_S", 0.01)
    store = Counting()
    with ThreadPoolExecutor(1) as pool, assembled(FaultyStore(store)) as parts:
        answers(sent(parts.commits, creation(1)))
        waiting = pool.submit(parts.engine.follow_events, an_id(1))
        until(lambda: store.polls >= 30)
        read_by_then = store.followed
        parts.engine.change_priority(an_id(1), 5)
        page = waiting.result(WAIT_S_MAX)

    assert read_by_then <= 2  # the first poll of all rings once: something may have happened before it
    assert [event.event_type for event in page.events] == ["priority_changed"]


@pytest.mark.usefixtures("nobody_looks_by_itself")
def test_a_follower_on_a_loop_is_woken_by_the_commit(store: FaultyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(poller, "POLL_S", NEVER_S)

    async def main() -> list[str]:
        async with assembled_async(store) as parts:
            engine = parts.engine
            await engine.create_execution("mail", execution_id=an_id(1))
            waiting = asyncio.create_task(engine.follow_events(an_id(1)))
            await asyncio.sleep(0)
            await engine.hold(an_id(1))
            page = await asyncio.wait_for(waiting, WAIT_S_MAX)
            await engine.cancel_execution(an_id(1), reason="stop")
            last = await engine.follow_events(an_id(1), cursor=page.next_cursor)
            over = await engine.follow_events(an_id(1), cursor=last.next_cursor)
            return [event.event_type for event in (*page.events, *last.events, *over.events)]

    assert asyncio.run(main()) == ["held", "cancelled"]


def test_what_nobody_knows_cannot_be_followed(store: FaultyStore) -> None:
    with assembled(store) as parts:
        for engine in (parts.engine, parts.engine.scoped("tenant-a")):
            with pytest.raises(NotFound):
                engine.follow_events(an_id(7))
            with pytest.raises(NotFound):
                engine.wait_for_flow("00000000-0000-7000-8000-000000000001")


def test_who_waits_for_a_flow_without_members_does_not_read_all_the_time() -> None:
    store = Counting()
    with assembled(FaultyStore(store)) as parts:
        flow_id = parts.engine.create_flow("order").flow_id

        with pytest.raises(TimeoutError, match="is still open after 100 ms"):
            parts.engine.wait_for_flow(flow_id, timeout_ms=100)
        with pytest.raises(InvalidInput, match="timeout_ms"):
            parts.engine.wait_for_flow(flow_id, timeout_ms=-1)

    assert store.flows_read <= 2


@pytest.mark.usefixtures("nobody_looks_by_itself")
def test_a_flow_is_waited_for_until_its_last_member_has_ended(store: FaultyStore) -> None:
    with ThreadPoolExecutor(1) as pool, assembled(store) as parts:
        engine = parts.engine
        flow_id = engine.create_flow("order").flow_id
        members = [engine.add_execution(flow_id, "job").execution_id for _ in range(3)]
        waiting = pool.submit(engine.wait_for_flow, flow_id)
        for member in members:
            assert not waiting.done()
            engine.cancel_execution(member, reason="stop")

        assert waiting.result(WAIT_S_MAX).state == engine.describe_flow(flow_id).state
