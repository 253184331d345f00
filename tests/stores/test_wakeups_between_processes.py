"""What one engine commits wakes those who wait in another on the same store, and nobody has to look for itself.

Two engines in one process stand for two processes: they share nothing but the database.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, Lease
from flowfabric.app import open_store
from flowfabric.domain import inputs, stream_inputs
from flowfabric.domain.news import Waits
from flowfabric.engine import poller, scope
from flowfabric.ports.store import Store
from flowfabric.stores.postgres import listening
from flowfabric.stores.sqlite import watching
from tests.assembled import Assembled, assembled
from tests.faulty_store import FaultyStore
from tests.stores_under_test import SHARED_STORES, STORES

WAIT_S_MAX = 60.0
NEVER_S = 600.0
"""Who waits so long in a test was not woken."""

Open = Callable[[], Assembled]


@pytest.fixture(params=SHARED_STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        open_store(url, migrate=True).close()
        yield url


@pytest.fixture
def opened(store_url: str, pool: ThreadPoolExecutor) -> Iterator[Open]:
    """Opens an engine of its own on the store whenever it is called; closed before the threads that wait there."""
    with ExitStack() as stack:

        def open_another() -> Assembled:
            store = stack.enter_context(closing(FaultyStore(open_store(store_url))))
            return stack.enter_context(assembled(store))

        yield open_another


@pytest.fixture
def nobody_polls(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks without being told; and where a store tells what it was, nobody looks at all."""
    monkeypatch.setattr(scope, "POLL_S", NEVER_S)
    monkeypatch.setattr(poller, "POLL_S", NEVER_S)
    if store_url.startswith("postgresql"):
        monkeypatch.setattr(poller, "AFTER_HINT_S", ())


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(32) as pool:
        yield pool


def claimed_by(engine: BlockingEngine) -> Lease:
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    return claimed.lease


def has_begun_to_wait(parts: Assembled) -> None:
    """Return once somebody waits for an end or for events there, and is listened for."""
    pause = threading.Event()
    while parts.wakeups._poller.is_resting:
        pause.wait(0.002)
    listener = getattr(parts.store.inner, "_listener", None)
    while listener is not None and not (listener._notes.is_listening and listener._wanted):
        pause.wait(0.002)


@pytest.mark.usefixtures("nobody_polls")
@pytest.mark.parametrize("ending", ["completed", "cancelled"])
def test_an_end_wakes_those_who_wait_for_it_in_another_process(
    opened: Open, pool: ThreadPoolExecutor, ending: str
) -> None:
    here, there = opened(), opened()
    execution_id = here.engine.create_execution("job").execution_id
    waiting = pool.submit(here.engine.wait_for_result, execution_id)
    has_begun_to_wait(here)

    if ending == "completed":
        there.engine.complete(claimed_by(there.engine))
    else:
        there.engine.cancel_execution(execution_id, reason="stop")

    assert waiting.result(WAIT_S_MAX).public_state == ending


@pytest.mark.usefixtures("nobody_polls")
def test_events_wake_subscribers_of_another_process(opened: Open, pool: ThreadPoolExecutor) -> None:
    here, there = opened(), opened()
    subscription = here.engine.subscribe(from_now=True)
    waiting = pool.submit(next, subscription)
    has_begun_to_wait(here)
    # One that works as well listens, and so hears what is wanted.
    with there.engine.watch_leases(list, lambda lost: None):
        execution_id = there.engine.create_execution("job").execution_id
        wanted = getattr(there.store.inner, "notes", None)
        while wanted is not None and not wanted._wanted_until["flowfabric_events"]:
            threading.Event().wait(0.002)
        there.engine.cancel_execution(execution_id, reason="stop")

        assert waiting.result(WAIT_S_MAX).execution_id == execution_id


@pytest.mark.usefixtures("nobody_polls")
@pytest.mark.parametrize("taken_by", ["cancel", "revoke", "cancel of its flow"])
def test_a_lease_that_is_taken_away_is_told_to_its_holder_in_another_process(opened: Open, taken_by: str) -> None:
    here, there = opened(), opened()
    flow_id = there.engine.create_flow("flow").flow_id
    execution_id = there.engine.add_execution(flow_id, "job").execution_id
    other = here.engine.create_execution("job", lane="other").execution_id
    leases = [
        each.lease
        for each in here.engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["default", "other"], limit=2)
    ]
    told: list[str] = []
    is_told = threading.Event()

    def on_lost(lost: object) -> None:
        told.extend(lost)  # type: ignore[call-overload]
        is_told.set()

    with here.engine.watch_leases(lambda: leases, on_lost):
        listener = getattr(here.store.inner, "_listener", None)
        while listener is not None and not listener._notes.is_listening:
            threading.Event().wait(0.002)
        if taken_by == "cancel":
            there.engine.cancel_execution(execution_id, reason="stop")
        elif taken_by == "revoke":
            there.engine.revoke_lease(execution_id, reason="stuck")
        else:
            there.engine.cancel_flow(flow_id, reason="stop")
        assert is_told.wait(WAIT_S_MAX)

    assert set(told) == {execution_id}
    assert {lease.execution_id for lease in leases} == {execution_id, other}


@pytest.mark.usefixtures("nobody_polls")
def test_a_signal_wakes_the_worker_that_lingers_in_another_process(opened: Open, pool: ThreadPoolExecutor) -> None:
    here, there = opened(), opened()
    here.engine.create_execution("job")
    lease = claimed_by(here.engine)
    here.engine.open_wait(lease, "approval", "editor")
    waiting = pool.submit(here.engine.wait_for_wait, lease, "approval", timeout_ms=600_000)
    listener = getattr(here.store.inner, "_listener", None)
    while here.wakeups._poller.is_resting or (listener is not None and not listener._notes.is_listening):
        threading.Event().wait(0.002)

    there.engine.signal(lease.execution_id, "editor", b"yes")

    over = waiting.result(WAIT_S_MAX)
    assert over is not None
    assert [signal.payload for signal in over.signals] == [b"yes"]


@pytest.mark.usefixtures("nobody_polls")
def test_a_slot_that_is_given_back_wakes_a_block_of_another_process(opened: Open, pool: ThreadPoolExecutor) -> None:
    here, there = opened(), opened()
    here.engine.set_limit("api", concurrency=1)
    for _ in range(2):
        here.engine.create_execution("job")
    holder, waiter = claimed_by(there.engine), claimed_by(here.engine)
    with there.engine.watch_leases(list, lambda lost: None):
        there.engine.take_slot(holder, "api")
        waiting = pool.submit(here.engine.wait_for_slot, waiter, "api", timeout_ms=600_000)
        has_begun_to_wait(here)
        wanted = getattr(there.store.inner, "notes", None)
        while wanted is not None and not wanted._wanted_until["flowfabric_freed"]:
            threading.Event().wait(0.002)

        there.engine.give_slot(holder, "api")

        assert waiting.result(WAIT_S_MAX) is True


def follows(parts: Assembled, execution_id: str) -> None:
    """Return once somebody waits there for what the execution says, and is listened for."""
    pause = threading.Event()
    while execution_id not in parts.wakeups.waits().streams:
        pause.wait(0.002)
    has_begun_to_wait(parts)
    listener = getattr(parts.store.inner, "_listener", None)
    while listener is not None and "flowfabric_said" not in listener._wanted:
        pause.wait(0.002)


def is_told_of_followers(parts: Assembled) -> None:
    """Return once this process knows that somebody follows a stream in another one."""
    notes = getattr(parts.store.inner, "notes", None)
    while notes is not None and not notes._wanted_until["flowfabric_said"]:
        threading.Event().wait(0.002)


@pytest.mark.usefixtures("nobody_polls")
def test_frames_wake_those_who_follow_in_another_process(opened: Open, pool: ThreadPoolExecutor) -> None:
    here, there = opened(), opened()
    here.engine.create_execution("job")
    lease = claimed_by(there.engine)
    following = here.engine.follow_stream(lease.execution_id)
    with there.engine.watch_leases(list, lambda lost: None):
        for number in range(3):
            waiting = pool.submit(next, following)
            follows(here, lease.execution_id)
            is_told_of_followers(there)
            there.engine.append_frames(lease, [b"%d" % number])

            assert waiting.result(WAIT_S_MAX).payload == b"%d" % number


@pytest.mark.usefixtures("nobody_polls")
def test_a_claim_that_makes_frames_void_wakes_those_who_follow_in_another_process(
    opened: Open, pool: ThreadPoolExecutor
) -> None:
    here, there = opened(), opened()
    here.engine.create_execution("job")
    lease = claimed_by(there.engine)
    there.engine.append_frames(lease, [b"void"])
    following = here.engine.follow_stream(lease.execution_id)
    assert next(following).payload == b"void"
    with there.engine.watch_leases(list, lambda lost: None):
        there.engine.release(lease)
        waiting = pool.submit(next, following)
        follows(here, lease.execution_id)
        is_told_of_followers(there)

        claimed_by(there.engine)

        assert waiting.result(WAIT_S_MAX).kind == "restart"


@pytest.mark.usefixtures("nobody_polls")
@pytest.mark.parametrize("has_last_words", [True, False])
def test_an_end_wakes_those_who_follow_in_another_process(
    opened: Open, pool: ThreadPoolExecutor, has_last_words: bool
) -> None:
    here, there = opened(), opened()
    here.engine.create_execution("job")
    lease = claimed_by(there.engine)
    following = here.engine.follow_stream(lease.execution_id)
    last_words = stream_inputs.append(inputs.fence(lease), [b"last words"], None, None)
    with there.engine.watch_leases(list, lambda lost: None):
        waiting = pool.submit(list, following)
        follows(here, lease.execution_id)
        is_told_of_followers(there)

        (there.engine.saying(last_words) if has_last_words else there.engine).complete(lease)

        assert [frame.payload for frame in waiting.result(WAIT_S_MAX)] == [b"last words"] * has_last_words
    assert following.closed_reason == "completed"


def test_ends_are_found_by_one_look_for_all_who_wait_when_every_wake_up_is_lost(
    store_url: str, opened: Open, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scope, "POLL_S", NEVER_S)
    monkeypatch.setattr(poller, "POLL_S", 0.02)
    with closing(Deaf(open_store(store_url))) as store, assembled(store) as here:
        there = opened()
        ids = [here.engine.create_execution("job").execution_id for _ in range(16)]
        waiting = [pool.submit(here.engine.wait_for_result, each, timeout_ms=60_000) for each in ids]
        while len(here.wakeups.waits().executions) < len(ids):
            threading.Event().wait(0.002)
        for execution_id in ids:
            there.engine.cancel_execution(execution_id, reason="stop")

        ended = [each.result(WAIT_S_MAX).public_state for each in waiting]

    assert ended == ["cancelled"] * len(ids)
    # Each has looked when it began and when it was rung; in between all of them were looked for together.
    assert store.reads <= 2 * len(ids)


class Deaf(FaultyStore):
    """A store that tells nothing of other processes; its single reads are counted."""

    def __init__(self, inner: Store) -> None:
        super().__init__(inner)
        self.reads = 0

    def watch(self, on_commit: object) -> object:
        return ExitStack()

    def _read(self, read: Callable[..., object], *args: object) -> object:
        if getattr(read, "__name__", "") == "execution":
            self.reads += 1
        return super()._read(read, *args)


def test_an_error_while_a_commit_is_told_does_not_end_the_telling(
    opened: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for module in (listening, watching):
        monkeypatch.setattr(module, "RETRY_S", 0.01)
    here, there = opened(), opened()
    heard: list[object] = []
    is_heard = threading.Semaphore(0)

    def on_commit(committed: object) -> None:
        heard.append(committed)
        is_heard.release()
        if len(heard) == 1:
            raise RuntimeError("can't start new thread")

    with here.store.watch(on_commit):
        for _ in range(2):
            there.engine.create_execution("job")
            assert is_heard.acquire(timeout=WAIT_S_MAX)

    assert [record.exc_text is not None for record in caplog.records if record.levelname == "ERROR"] == [True]
    assert not getattr(getattr(here.store.inner, "notes", None), "is_listening", False)


def test_news_are_what_has_ended_is_gone_was_acknowledged_or_is_over(opened: Open) -> None:
    parts = opened()
    engine = parts.engine
    waiting, ended, running, lost = [
        engine.create_execution("job", lane=lane).execution_id for lane in ("a", "b", "c", "d")
    ]
    engine.cancel_execution(ended, reason="stop")
    held = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["c", "d"], limit=2)
    epochs = [(each.execution_id, each.lease.lease_epoch) for each in held]
    engine.revoke_lease(lost, reason="stuck")
    done, owing = [engine.create_flow("flow").flow_id for _ in range(2)]
    engine.add_execution(owing, "job", lane="e")
    engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["e"])
    for flow_id in (done, owing):
        engine.cancel_flow(flow_id, reason="stop")
    gone = waiting[:-4] + "0000"

    news = parts.store.news(Waits([waiting, ended, gone], [done, owing], True, epochs))

    assert set(news.ended) == {ended, gone, done}
    assert list(news.lost) == [lost]
    assert (running, parts.store.news(Waits([], [], False)).ended) == (held[0].execution_id, [])
