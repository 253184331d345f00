"""What the sentences about streams are made of: executions that say something, and what readers get of it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from flowfabric import Appended, BlockingEngine, Claimed, Lease, ManualClock, StreamFrame
from flowfabric.domain import inputs
from flowfabric.domain.streams import Said, SpokenIn, StoredFrame, said
from flowfabric_conformance.stage import claim


class Place(NamedTuple):
    """Where a frame stands, and what it says."""

    lease_epoch: int
    seq: int
    payload: bytes


def words(lease: Lease, *texts: str, step: str | None = None, step_try: int = 1, first_seq: int | None = None) -> Said:
    """Texts, packed as a worker packs them: also those of a later try of a step."""
    spoken_in = None if step is None else SpokenIn(step, step_try)
    frames = [StoredFrame("text", text.encode(), spoken_in) for text in texts]
    return said(inputs.fence(lease), frames, first_seq)


def say(engine: BlockingEngine, lease: Lease, *texts: str, step: str | None = None, step_try: int = 1) -> None:
    """Append these texts, together."""
    (answer,) = engine.append_said([words(lease, *texts, step=step, step_try=step_try)])
    assert isinstance(answer, Appended)


def frames(
    engine: BlockingEngine, execution_id: str, *, limit: int = 1000, view: Any = "effective", cursor: str | None = None
) -> list[StreamFrame]:
    """Everything that a reader gets now, page by page."""
    found: list[StreamFrame] = []
    while (page := engine.read_stream(execution_id, cursor=cursor, limit=limit, view=view)).frames:
        found += page.frames
        cursor = page.next_cursor
    return found


def places(found: Sequence[StreamFrame]) -> list[Place]:
    """Where the frames stand, and what they say."""
    return [Place(frame.lease_epoch, frame.seq, frame.payload) for frame in found]


def texts(found: Sequence[StreamFrame]) -> list[str]:
    """What the frames say. A restart frame says why it came."""
    return [
        f"restart: {restart(frame)['why']}" if frame.kind == "restart" else frame.payload.decode() for frame in found
    ]


def heard(engine: BlockingEngine, execution_id: str, **arguments: Any) -> list[str]:
    """What a reader gets now that counts, as texts."""
    return texts(frames(engine, execution_id, **arguments))


def restart(frame: StreamFrame) -> dict[str, Any]:
    """What a restart frame says."""
    assert (frame.kind, frame.seq, frame.step) == ("restart", -1, None)
    found: dict[str, Any] = msgspec.json.decode(frame.payload)
    return found


def again(engine: BlockingEngine, clock: ManualClock, lease: Lease, how: str = "revoked") -> Lease:
    """End the lease in one of several ways, and claim the execution again."""
    end_lease(engine, clock, lease, how)
    return claimed_again(engine, lease).lease


def claimed_again(engine: BlockingEngine, lease: Lease) -> Claimed:
    """The execution of an earlier lease, claimed once more."""
    claimed = claim(engine)
    assert claimed.execution_id == lease.execution_id
    return claimed


def end_lease(engine: BlockingEngine, clock: ManualClock, lease: Lease, how: str) -> None:
    """End the lease, so that the execution can be claimed again."""
    if how == "released":
        engine.release(lease)
    elif how == "revoked":
        engine.revoke_lease(lease.execution_id)
    elif how == "lost":
        clock.advance(31_000)
        engine.reconcile()
    elif how == "resumed":
        engine.suspend(lease, f"wait {lease.lease_epoch}", "editor")
        engine.signal(lease.execution_id, "editor")
    elif how == "replayed":
        engine.complete(lease)
        engine.replay_execution(lease.execution_id)
    else:
        assert how == "retried"
        engine.fail(lease, code="boom")
        clock.advance(1_000)
        engine.reconcile()
