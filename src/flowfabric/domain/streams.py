"""Streams: what a running execution says. Frames are known by their positions, and kept in chunks.

A position is an epoch and a number in it, which counts from 0 without a gap. Epochs only grow, so positions are ordered
for the whole life of an execution. What was sent together is one chunk, one row. The record of a stream says where its
end is, so that the next chunk finds its place without a look at those before it.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple, get_args

import msgspec

from flowfabric.domain.errors import Corruption
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import Fence, Lease
from flowfabric.domain.undecodable import UNDECODABLE

FrameKind = Literal["text", "json", "stdout", "stderr", "log", "blob"]
FRAME_KINDS: Final[tuple[FrameKind, ...]] = get_args(FrameKind)
_KIND_NUMBERS: Final = {kind: number for number, kind in enumerate(FRAME_KINDS)}

FRAME_BYTES_MAX: Final = 65_536
FRAMES_MAX: Final = 10_000
"""How many frames one append has at most."""
APPEND_BYTES_MAX: Final = 1024 * 1024
"""How many bytes one append has at most, all payloads together."""


class Frame(msgspec.Struct, frozen=True):
    """One thing that an execution says. The kind is a label: the payload is not checked."""

    payload: bytes
    kind: FrameKind = "text"


Append = tuple[Lease, Sequence[Frame | bytes], str | None, int | None]
"""A lease, frames, the step in which they were written, and the number of the first frame, if it is known."""


class Position(NamedTuple):
    """Where a frame stands in the stream of its execution."""

    lease_epoch: int
    seq: int


START: Final = Position(0, -1)
"""The position before every frame."""


class SpokenIn(NamedTuple):
    """The step in which a frame was written, and which try of the step it was."""

    step: str
    step_try: int


class Said(msgspec.Struct, frozen=True):
    """Frames on their way to the store, packed: at least one. The function `said` makes it."""

    fence: Fence
    first_seq: int | None
    """The number of the first frame. None: the next one."""
    count: int
    size: int
    """The bytes of all payloads."""
    data: bytes
    """The frames, packed (`pack`)."""
    retried: tuple[SpokenIn, ...] = ()
    """The steps in which frames were written and that were tried more than once, each with its last try."""


class Chunk(msgspec.Struct, frozen=True, gc=False):
    """Frames that were sent together."""

    execution_id: ExecutionId
    lease_epoch: int
    first_seq: int
    attempt_index: int
    count: int
    size: int
    at_ms: int
    retried: tuple[SpokenIn, ...]
    data: bytes
    """Empty where only the place of the chunk was asked for."""

    @property
    def end(self) -> Position:
        """The position after its last frame."""
        return Position(self.lease_epoch, self.first_seq + self.count)


class Stream(msgspec.Struct, frozen=True, gc=False):
    """Where the stream of an execution ends, and how much of it is kept. An execution that says nothing has none."""

    execution_id: ExecutionId
    lease_epoch: int
    """The epoch of its last frame."""
    next_seq: int
    """The number of the next frame in that epoch."""
    attempt_index: int
    """The attempt of its last frame."""
    kept_frames: int
    """How many frames of that attempt are kept."""
    kept_bytes: int
    is_too_long: bool
    """More is kept of that attempt than its policy allows. Upkeep removes the oldest."""
    first_epoch: int = 0
    """Every frame before this position was removed."""
    first_seq: int = 0

    @property
    def first(self) -> Position:
        """The position of the first frame that may still be there."""
        return Position(self.first_epoch, self.first_seq)

    @property
    def end(self) -> Position:
        """The position after its last frame."""
        return Position(self.lease_epoch, self.next_seq)


class StoredFrame(NamedTuple):
    """A frame as a chunk holds it."""

    kind: FrameKind
    payload: bytes
    spoken_in: SpokenIn | None


class _Packed(msgspec.Struct, array_like=True):
    """The frames of a chunk. Each names its step by its place in `steps`, counted from 1. 0: it was in none."""

    steps: list[SpokenIn]
    frames: list[tuple[int, int, bytes]]


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(_Packed)


def pack(frames: Iterable[StoredFrame]) -> bytes:
    """Frames as bytes."""
    places: dict[SpokenIn | None, int] = {None: 0}
    packed = [
        (_KIND_NUMBERS[kind], places.setdefault(spoken_in, len(places)), payload) for kind, payload, spoken_in in frames
    ]
    return _ENCODER.encode(_Packed([step for step in places if step is not None], packed))


def unpack(data: bytes) -> list[StoredFrame]:
    """The frames that were packed."""
    packed = _DECODER.decode(data)
    steps: list[SpokenIn | None] = [None, *packed.steps]
    return [StoredFrame(FRAME_KINDS[kind], payload, steps[place]) for kind, place, payload in packed.frames]


def frames_of(chunk: Chunk) -> list[StoredFrame]:
    """The frames of a chunk. Data that does not parse is Corruption."""
    try:
        return unpack(chunk.data)
    except (*UNDECODABLE, IndexError) as error:
        raise Corruption(
            f"ff_stream_chunk, key {chunk.execution_id}, {chunk.lease_epoch}, {chunk.first_seq}: column data does not "
            f"parse ({error}). Delete the row: its frames are lost."
        ) from error


def said(fence: Fence, frames: Sequence[StoredFrame], first_seq: int | None = None) -> Said:
    """These frames, ready to be sent. There must be at least one."""
    assert frames, "a chunk without frames has no place in a stream"
    return Said(
        fence,
        first_seq,
        len(frames),
        sum(len(frame.payload) for frame in frames),
        pack(frames),
        last_tries(frame.spoken_in for frame in frames),
    )


def last_tries(spoken_in: Iterable[SpokenIn | None]) -> tuple[SpokenIn, ...]:
    """The steps that were tried more than once, each with its last try, by name."""
    tries: dict[str, int] = {}
    for each in spoken_in:
        if each is not None and each.step_try > tries.get(each.step, 1):
            tries[each.step] = each.step_try
    return tuple(SpokenIn(step, tries[step]) for step in sorted(tries))
