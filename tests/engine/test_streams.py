"""Streams through an engine: frames of any bytes, streams of any length, and what repeated calls do."""

from collections.abc import Iterator

import pytest

from flowfabric import (
    Appended,
    BlockingEngine,
    Conflict,
    EngineError,
    ExecutionPolicy,
    Frame,
    InvalidInput,
    Lease,
    LeaseLost,
    ManualClock,
    Summary,
    open_blocking_engine,
)
from flowfabric.domain import inputs
from flowfabric.domain.streams import Said, SpokenIn, StoredFrame, said
from flowfabric.stores.memory.store import MemoryStore
from flowfabric_conformance.stage import claim, create, start
from tests.assembled import assembled
from tests.faulty_store import FaultyStore

EVERY_BYTE = bytes(range(256)) * 256


@pytest.fixture
def engine(clock: ManualClock) -> Iterator[BlockingEngine]:
    with open_blocking_engine("memory://", clock=clock, reconcile=False) as engine:
        yield engine


def _texts(engine: BlockingEngine, execution_id: str, **how: object) -> list[bytes]:
    return [frame.payload for frame in engine.read_stream(execution_id, limit=1_000, **how).frames]


# ── frames ───────────────────────────────────────────────────────────────────────────────────────


def test_frames_of_64_kib_come_back_byte_for_byte(engine: BlockingEngine) -> None:
    lease = start(engine)
    frames = [Frame(EVERY_BYTE, "blob"), Frame(b"\xff\xfe\x00\xd8", "text"), Frame(b"", "stdout"), Frame(b"{", "json")]

    engine.append_frames(lease, frames)

    found = engine.read_stream(lease.execution_id).frames
    assert [(frame.payload, frame.kind) for frame in found] == [(frame.payload, frame.kind) for frame in frames]


def test_a_frame_of_one_byte_more_is_refused_and_so_are_its_neighbours(engine: BlockingEngine) -> None:
    lease = start(engine)

    with pytest.raises(InvalidInput, match=r"frames\[1\] is 65537 bytes; the limit is 65536"):
        engine.append_frames(lease, [b"good", EVERY_BYTE + b"x"])

    assert _texts(engine, lease.execution_id) == []


def test_a_page_of_large_frames_is_no_larger_than_it_may_be(engine: BlockingEngine) -> None:
    lease = start(engine)
    for _ in range(6):
        engine.append_frames(lease, [EVERY_BYTE] * 16)

    pages = []
    cursor = None
    while (page := engine.read_stream(lease.execution_id, cursor=cursor)).frames:
        pages.append(len(page.frames))
        cursor = page.next_cursor

    assert pages == [64, 32]


def test_a_stream_of_an_execution_that_says_nothing_is_empty_and_open(engine: BlockingEngine) -> None:
    lease = start(engine)

    page = engine.read_stream(lease.execution_id)

    assert (page.frames, page.truncated, page.closed_reason) == ((), False, None)
    engine.complete(lease)
    assert engine.read_stream(lease.execution_id, cursor=page.next_cursor).closed_reason == "completed"
    assert engine.read_summary(lease.execution_id) is None


def test_the_stream_goes_with_its_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine, policy=ExecutionPolicy(retention_ms=1_000))
    engine.append_frames(lease, [b"a"])
    engine.patch_summary(lease, {"a": 1})
    engine.complete(lease)
    engine.reconcile()
    assert _texts(engine, lease.execution_id) == [b"a"]

    clock.advance(1_000)
    engine.reconcile()

    for read in (engine.read_stream, engine.read_summary):
        with pytest.raises(EngineError) as refusal:
            read(lease.execution_id)
        assert refusal.value.code == "not_found"


# ── long streams ─────────────────────────────────────────────────────────────────────────────────


def test_a_million_frames_are_trimmed_to_what_the_policy_allows(engine: BlockingEngine) -> None:
    """By the thousand. Upkeep comes now and then, as it does beside a worker."""
    lease = start(engine)
    a_thousand = said(inputs.fence(lease), [StoredFrame("text", b"%d" % number, None) for number in range(1_000)])
    long_ago = engine.read_stream(lease.execution_id).next_cursor

    for number in range(1_000):
        (answer,) = engine.append_said([a_thousand])
        assert answer == Appended(number * 1_000, (number + 1) * 1_000)
        if number == 10:
            long_ago = engine.read_stream(lease.execution_id).next_cursor
        if number % 40 == 39:
            engine.reconcile()

    page = engine.read_stream(lease.execution_id, limit=1_000)
    assert (page.truncated, page.frames[0].seq, page.frames[0].payload) == (True, 990_000, b"0")
    kept = [len(page.frames)]
    while page.frames:
        page = engine.read_stream(lease.execution_id, limit=1_000, cursor=page.next_cursor)
        kept.append(len(page.frames))
    assert sum(kept) == 10_000
    with pytest.raises(InvalidInput) as refusal:
        engine.read_stream(lease.execution_id, cursor=long_ago)
    assert refusal.value.code == "cursor_gone"


@pytest.mark.parametrize("policy", [ExecutionPolicy(stream_max_frames=5), ExecutionPolicy(stream_max_bytes=5)])
def test_the_bounds_of_the_policy_are_kept(engine: BlockingEngine, policy: ExecutionPolicy) -> None:
    lease = start(engine, policy=policy)
    for number in range(9):
        engine.append_frames(lease, [b"%d" % number])

    engine.reconcile()

    assert _texts(engine, lease.execution_id) == [b"4", b"5", b"6", b"7", b"8"]


def test_upkeep_has_nothing_left_to_do_after_it_has_trimmed(engine: BlockingEngine) -> None:
    leases = [start(engine, policy=ExecutionPolicy(stream_max_frames=1)) for _ in range(3)]
    for lease in leases:
        engine.append_frames(lease, [b"a", b"b"])

    assert [engine.reconcile()["long_streams"] for _ in range(2)] == [3, 0]


# ── repeats ──────────────────────────────────────────────────────────────────────────────────────


def test_a_repeated_command_id_gets_the_first_answer_whatever_has_happened_since(engine: BlockingEngine) -> None:
    lease = start(engine)

    def all_of_them() -> list[object]:
        return [
            engine.append_frames(lease, [b"a"], command_id="frames"),
            engine.append_all([(lease, [b"b"], "step", None)], command_id="all"),
            engine.patch_summary(lease, {"a": {"b": [1]}}, command_id="patch"),
        ]

    first = all_of_them()
    assert first == [Appended(0, 1), [Appended(1, 2)], Summary(1, {"a": {"b": [1]}})]
    engine.complete(lease)
    assert all_of_them() == first
    assert _texts(engine, lease.execution_id) == [b"a", b"b"]
    for other in (
        lambda: engine.append_frames(lease, [b"other"], command_id="frames"),
        lambda: engine.append_all([(lease, [b"b"], None, None)], command_id="all"),
        lambda: engine.patch_summary(lease, {"a": 2}, command_id="patch"),
    ):
        with pytest.raises(Conflict):
            other()


def test_frames_with_a_number_may_be_sent_again_and_count_once(engine: BlockingEngine) -> None:
    lease = start(engine)

    answers = [engine.append_frames(lease, [b"a", b"b"], first_seq=0) for _ in range(3)]

    assert answers == [Appended(0, 2)] * 3
    assert _texts(engine, lease.execution_id) == [b"a", b"b"]
    with pytest.raises(Conflict):
        engine.append_frames(lease, [b"a", b"x"], first_seq=0)


def test_many_appends_get_an_answer_each_in_their_order(engine: BlockingEngine) -> None:
    lease, lost = start(engine), start(engine)
    engine.release(lost)

    answers = engine.append_all(
        [(lease, [b"a"], None, None), (lost, [b"x"], None, None), (lease, [b"b", b"c"], "step", 1)]
    )

    assert answers == [Appended(0, 1), LeaseLost(lost.execution_id, "execution_not_active"), Appended(1, 3)]


def test_on_a_store_that_commits_one_partition_at_a_time_appends_are_split_and_answered_in_order() -> None:
    store = MemoryStore("one-partition", ManualClock(), batches_stay_in_one_partition=True)
    with assembled(store) as parts:
        engine = parts.engine
        lanes = ("default", "mail", "video", "default", "mail")
        for lane in lanes:
            engine.create_execution("job", lane=lane)
        leases = [
            claimed.lease
            for lane in ("default", "mail", "video")
            for claimed in engine.claim(worker_id="w", worker_instance_id="w", lanes=[lane], limit=5)
        ]
        interleaved = [leases[place] for place in (0, 2, 4, 1, 3)]

        def append() -> list[Appended | LeaseLost]:
            return engine.append_all([(lease, [b"x"] * 2, None, None) for lease in interleaved], command_id="once")

        assert append() == append() == [Appended(0, 2)] * 5
        for lease in leases:
            assert _texts(engine, lease.execution_id) == [b"x", b"x"]


# ── together with another command ────────────────────────────────────────────────────────────────


def _said(lease: Lease, *payloads: bytes, step: str | None = None) -> Said:
    spoken_in = None if step is None else SpokenIn(step, 1)
    return said(inputs.fence(lease), [StoredFrame("text", payload, spoken_in) for payload in payloads])


def test_what_an_engine_says_is_appended_by_its_next_command_and_not_by_the_engine_itself(
    engine: BlockingEngine,
) -> None:
    lease = start(engine)

    engine.saying(_said(lease, b"in a", step="a")).record_step(lease, "a", b"")
    engine.record_step(lease, "b", b"")
    engine.saying(_said(lease, b"bye")).complete(lease)

    found = engine.read_stream(lease.execution_id).frames
    assert [(frame.payload, frame.step) for frame in found] == [(b"in a", "a"), (b"bye", None)]


def test_a_step_and_its_frames_are_committed_together_or_not_at_all() -> None:
    store = FaultyStore(MemoryStore("memory-together", ManualClock()))
    with assembled(store) as parts:
        engine = parts.engine
        lease = start(engine)
        before = len(store.committed)

        engine.saying(_said(lease, b"in a", step="a")).record_step(lease, "a", b"")

        (changes,) = store.committed[before:]
        assert (len(changes.steps), len(changes.chunks), len(changes.streams)) == (1, 1, 1)


# ── what others got wrong ────────────────────────────────────────────────────────────────────────


def test_a_frame_from_a_worker_that_has_lost_its_lease_is_refused_and_not_stored(engine: BlockingEngine) -> None:
    old = start(engine)
    engine.revoke_lease(old.execution_id)
    new = claim(engine).lease

    with pytest.raises(EngineError) as refusal:
        engine.append_frames(old, [b"from the grave"])
    engine.append_frames(new, [b"alive"])

    assert refusal.value.code == "stale_lease"
    assert _texts(engine, old.execution_id, view="all") == [b"alive"]


def test_after_the_end_nothing_is_appended_and_the_page_says_how_it_ended(engine: BlockingEngine) -> None:
    lease = start(engine)
    engine.append_frames(lease, [b"a"])
    engine.complete(lease)

    for call in (lambda: engine.append_frames(lease, [b"b"]), lambda: engine.patch_summary(lease, {})):
        with pytest.raises(EngineError) as refusal:
            call()
        assert refusal.value.code == "execution_not_active"
    page = engine.read_stream(lease.execution_id)
    assert (_texts(engine, lease.execution_id), page.closed_reason) == ([b"a"], "completed")


def test_an_empty_list_in_a_summary_stays_a_list_and_an_empty_patch_replaces_nothing(engine: BlockingEngine) -> None:
    lease = start(engine)
    engine.patch_summary(lease, {"list": [], "object": {"a": 1}, "text": "__ff_null__"})

    engine.patch_summary(lease, {})
    engine.patch_summary(lease, {"object": {}})

    document = {"list": [], "object": {"a": 1}, "text": "__ff_null__"}
    assert engine.read_summary(lease.execution_id) == Summary(3, document)


def test_patches_and_frames_do_not_trim_each_other(engine: BlockingEngine) -> None:
    lease = start(engine, policy=ExecutionPolicy(stream_max_frames=100))
    for number in range(100):
        engine.append_frames(lease, [b"%d" % number])
        engine.patch_summary(lease, {"number": number})
    engine.reconcile()

    assert len(_texts(engine, lease.execution_id)) == 100
    assert engine.read_summary(lease.execution_id) == Summary(100, {"number": 99})


def test_a_suspended_execution_keeps_its_stream_open_and_goes_on_in_it(engine: BlockingEngine) -> None:
    create(engine)
    lease = claim(engine).lease
    engine.append_frames(lease, [b"before"])
    engine.suspend(lease, "wait", "editor")
    assert engine.read_stream(lease.execution_id).closed_reason is None

    engine.signal(lease.execution_id, "editor")
    again = claim(engine).lease
    engine.append_frames(again, [b"before", b"after"])
    engine.complete(again)

    assert _texts(engine, lease.execution_id) == [b"before", b"after"]
    found = engine.read_stream(lease.execution_id).frames
    assert {frame.attempt_index for frame in found} == {0}
