"""Waiting for a result, and listening to the log: woken at once, and served all the same when no wake-up comes."""

import asyncio
import threading
import time

import pytest

from flowfabric import Event, InvalidInput, NotFound
from flowfabric.engine import poller, scope
from tests.assembled import Assembled, assembled, assembled_async
from tests.engine.commands import WAIT_S_MAX, an_id, answers, creation, sent
from tests.faulty_store import FaultyStore

UNWOKEN_S = 60.0
"""Whoever waits this long in a test was not woken."""


@pytest.fixture
def nobody_looks_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "POLL_S", UNWOKEN_S)
    monkeypatch.setattr(poller, "POLL_S", UNWOKEN_S)


@pytest.fixture
def everybody_looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scope, "POLL_S", 0.01)
    monkeypatch.setattr(poller, "POLL_S", UNWOKEN_S)


def _made(parts: Assembled, *numbers: int) -> None:
    answers(sent(parts.commits, *(creation(number) for number in numbers)))


def _completed(parts: Assembled) -> None:
    (claimed,) = parts.engine.claim(worker_id="worker-1", worker_instance_id="worker-1/a")
    parts.engine.complete(claimed.lease, b"result")


# ── waiting for a result ─────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("nobody_looks_by_itself")
def test_a_waiting_thread_is_woken_by_the_end(store: FaultyStore):
    told: list[object] = []
    with assembled(store) as parts:
        _made(parts, 1)
        waiting = threading.Thread(target=lambda: told.append(parts.engine.wait_for_result(an_id(1))))
        began_at = time.monotonic()
        waiting.start()
        _completed(parts)
        waiting.join(WAIT_S_MAX)

    assert [snapshot.public_state for snapshot in told] == ["completed"]
    assert time.monotonic() - began_at < UNWOKEN_S / 2


@pytest.mark.usefixtures("nobody_looks_by_itself")
@pytest.mark.parametrize("ending", ["completed", "cancelled"])
def test_a_waiting_task_is_woken_by_every_kind_of_end(store: FaultyStore, ending: str):
    async def main() -> str:
        async with assembled_async(store) as parts:
            engine = parts.engine
            await engine.create_execution("mail", execution_id=an_id(1))
            waiting = asyncio.create_task(engine.wait_for_result(an_id(1)))
            (claimed,) = await engine.claim(worker_id="worker-1", worker_instance_id="worker-1/a")
            if ending == "completed":
                await engine.complete(claimed.lease)
            else:
                await engine.cancel_execution(an_id(1), reason="")
            return (await asyncio.wait_for(waiting, WAIT_S_MAX)).public_state

    assert asyncio.run(main()) == ending


@pytest.mark.usefixtures("everybody_looks_often")
def test_a_waiting_thread_whose_wake_up_is_lost_looks_by_itself(store: FaultyStore):
    told: list[object] = []
    with assembled(store, on_commit=lambda committed: None) as parts:
        _made(parts, 1)
        waiting = threading.Thread(target=lambda: told.append(parts.engine.wait_for_result(an_id(1))))
        waiting.start()
        _completed(parts)
        waiting.join(WAIT_S_MAX)

    assert [snapshot.public_state for snapshot in told] == ["completed"]


def test_what_has_ended_is_not_waited_for(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts, 1)
        _completed(parts)

        snapshot = parts.engine.wait_for_result(an_id(1), timeout_ms=0)

    assert snapshot.public_state == "completed"


@pytest.mark.parametrize("timeout_ms", [0, 1, 30])
def test_waiting_ends_with_its_time_and_says_what_is_still_going_on(store: FaultyStore, timeout_ms: int):
    with assembled(store) as parts:
        _made(parts, 1)

        with pytest.raises(TimeoutError, match="still waiting"):
            parts.engine.wait_for_result(an_id(1), timeout_ms=timeout_ms)


def test_waiting_for_what_does_not_exist_is_refused(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts, 1)

        with pytest.raises(NotFound):
            parts.engine.wait_for_result(an_id(7))
        with pytest.raises(NotFound):
            parts.engine.scoped("tenant-a").wait_for_result(an_id(1))


def test_a_time_that_is_no_time_is_refused(store: FaultyStore):
    with assembled(store) as parts, pytest.raises(InvalidInput):
        parts.engine.wait_for_result(an_id(1), timeout_ms=-1)


def test_nobody_is_left_listening(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts, 1)
        with pytest.raises(TimeoutError):
            parts.engine.wait_for_result(an_id(1), timeout_ms=1)

        assert parts.wakeups._listening == {}


# ── waiting for work ─────────────────────────────────────────────────────────────────────────────


def test_a_resumed_lane_rings_for_those_who_wait_for_its_work(store: FaultyStore):
    rung: list[str] = []
    with assembled(store) as parts, parts.wakeups.listening(("default", "mail"), lambda: rung.append("mail")):
        parts.engine.pause_lane("mail")
        before = list(rung)
        parts.engine.resume_lane("mail")
        parts.engine.resume_lane("mail")

    assert (before, rung) == ([], ["mail"])


# ── listening to the log ─────────────────────────────────────────────────────────────────────────


def _happens(parts: Assembled, *numbers: int) -> None:
    """One event for each."""
    for number in numbers:
        parts.engine.change_priority(an_id(number), number)


def _ids(events: list[Event]) -> list[str | None]:
    return [event.execution_id for event in events]


def _next(parts: Assembled, subscription: object, count: int) -> list[Event]:
    """The next events, got in a thread of its own so that a test never hangs."""
    events: list[Event] = []

    def listen() -> None:
        for event in subscription:  # type: ignore[attr-defined]
            events.append(event)
            if len(events) == count:
                return

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    thread.join(WAIT_S_MAX)
    return events


@pytest.mark.usefixtures("nobody_looks_by_itself")
def test_a_subscriber_is_woken_by_every_commit(store: FaultyStore):
    async def main() -> list[str | None]:
        async with assembled_async(store) as parts:
            engine = parts.engine
            await engine.create_execution("mail", execution_id=an_id(1))
            events: list[str | None] = []

            async def listen() -> None:
                async for event in engine.subscribe():
                    events.append(event.event_type)
                    if len(events) == 3:
                        return

            listening = asyncio.create_task(listen())
            for what in (engine.hold, engine.unhold, engine.hold):
                await what(an_id(1))
                await asyncio.sleep(0)
            await asyncio.wait_for(listening, WAIT_S_MAX)
            return events

    assert asyncio.run(main()) == ["held", "unheld", "held"]


@pytest.mark.usefixtures("nobody_looks_by_itself")
def test_subscribers_that_ask_for_the_same_share_their_reads(store: FaultyStore, monkeypatch: pytest.MonkeyPatch):
    subscribers, events = 50, 4
    reads: list[str | None] = []

    async def main() -> list[list[str]]:
        async with assembled_async(store) as parts:
            engine = parts.engine
            await engine.create_execution("mail", execution_id=an_id(1))
            real = parts.store.events
            monkeypatch.setattr(
                parts.store, "events", lambda cursor, *given: (reads.append(cursor), real(cursor, *given))[1]
            )
            told: list[list[str]] = [[] for _ in range(subscribers)]

            async def listen(to: list[str]) -> None:
                async for event in engine.subscribe():
                    to.append(event.event_type)
                    if len(to) == events:
                        return

            listening = [asyncio.create_task(listen(to)) for to in told]
            for number in range(events):
                await (engine.unhold if number % 2 else engine.hold)(an_id(1))
                while min(map(len, told)) <= number:  # noqa: ASYNC110
                    await asyncio.sleep(0)
            await asyncio.wait_for(asyncio.gather(*listening), WAIT_S_MAX)
            return told

    assert asyncio.run(main()) == [["held", "unheld", "held", "unheld"]] * subscribers
    assert len(reads) < subscribers


@pytest.mark.usefixtures("everybody_looks_often")
def test_a_subscriber_whose_wake_ups_are_lost_still_gets_everything(store: FaultyStore):
    with assembled(store, on_commit=lambda committed: None) as parts:
        _made(parts, 1, 2, 3)
        subscription = parts.engine.subscribe()
        happening = threading.Thread(target=lambda: _happens(parts, 1, 2, 3))
        happening.start()

        events = _next(parts, subscription, 3)
        happening.join(WAIT_S_MAX)

    assert _ids(events) == [an_id(1), an_id(2), an_id(3)]


def test_from_now_on_means_from_the_moment_of_asking(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts, 1, 2, 3)
        _happens(parts, 1)
        subscription = parts.engine.subscribe(from_now=True)
        _happens(parts, 2, 3)

        events = _next(parts, subscription, 2)

    assert _ids(events) == [an_id(2), an_id(3)]


def test_asking_for_events_from_now_on_does_not_hold_up_the_loop_and_misses_nothing_of_its_own_engine(
    store: FaultyStore,
):
    async def main() -> list[str]:
        async with assembled_async(store) as parts:
            await parts.engine.pause_lane("north", reason="before")
            with store.reads_held():
                subscription = parts.engine.subscribe(from_now=True)
                happening = asyncio.create_task(parts.engine.pause_lane("east", reason="at once"))
                for _ in range(100):
                    await asyncio.sleep(0)
            await happening
            await parts.engine.pause_lane("south", reason="later")
            async with asyncio.timeout(WAIT_S_MAX):
                return [(await anext(subscription)).details["reason"] for _ in range(2)]

    assert asyncio.run(main()) == ["at once", "later"]


@pytest.mark.parametrize("read_first", [0, 1, 2, 3, 4])
def test_a_cursor_goes_on_exactly_where_it_was_taken_also_on_another_engine(store: FaultyStore, read_first: int):
    with assembled(store) as parts:
        _made(parts, 1, 2, 3, 4)
        _happens(parts, 1, 2, 3, 4)
        subscription = parts.engine.subscribe()
        first = _next(parts, subscription, read_first) if read_first else []
        cursor = subscription.cursor
    with assembled(store) as parts:
        _happens(parts, 1)
        rest = _next(parts, parts.engine.subscribe(cursor=cursor), 5 - read_first)

    assert _ids(first + rest) == [an_id(1), an_id(2), an_id(3), an_id(4), an_id(1)]


def test_a_subscriber_gets_what_it_asked_for_and_moves_past_the_rest(store: FaultyStore):
    with assembled(store) as parts:
        _made(parts, 1, 2)
        _happens(parts, 1)
        _completed(parts)
        _happens(parts, 2)
        parts.engine.cancel_execution(an_id(2), reason="")

        events = _next(parts, parts.engine.subscribe(channels=["completion"]), 2)

    assert [event.event_type for event in events] == ["completed", "cancelled"]


def test_a_scoped_subscriber_hears_nothing_of_others(store: FaultyStore):
    with assembled(store) as parts:
        mine = parts.engine.scoped("tenant-a").create_execution("mail")
        theirs = parts.engine.scoped("tenant-b").create_execution("mail")
        parts.engine.hold(theirs.execution_id)
        parts.engine.hold(mine.execution_id)

        events = _next(parts, parts.engine.scoped("tenant-a").subscribe(), 1)

    assert _ids(events) == [mine.execution_id]


@pytest.mark.parametrize(
    "wrong",
    [
        {"cursor": "some cursor", "from_now": True},
        {"channels": ["leases"]},
        {"channels": "lease"},
        {"namespace": ""},
    ],
)
def test_a_subscription_that_can_never_work_is_refused_when_it_is_made(store: FaultyStore, wrong: dict[str, object]):
    with assembled(store) as parts, pytest.raises(InvalidInput):
        parts.engine.subscribe(**wrong)


def test_a_cursor_that_is_none_is_refused_at_the_first_step(store: FaultyStore):
    with assembled(store) as parts, pytest.raises(InvalidInput):
        next(parts.engine.subscribe(cursor="not a cursor"))
