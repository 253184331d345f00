"""What a reader of a stream gets: the frames that count, in order, and a word when some no longer count.

A frame counts if what it was written in counts. Of the last epoch that was claimed all frames count. Of earlier epochs
only the frames of those steps count that were stored under them: everything else was or will be written again. If a
step was tried several times, only its last try counts.

A cursor holds the position of the last frame that was passed, and what the reader could know at that time. If frames
before that position have become void since, the next page begins with a `restart` frame, which says what still counts.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, get_args

import msgspec

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.inputs import INSTANT_MS_MAX
from flowfabric.domain.states import PublicState
from flowfabric.domain.steps import Step
from flowfabric.domain.streams import START, Chunk, FrameKind, Position, SpokenIn, Stream, frames_of
from flowfabric.domain.undecodable import UNDECODABLE

StreamView = Literal["effective", "all"]
"""Which frames a reader gets: those that count, or all."""
STREAM_VIEWS: Final[tuple[StreamView, ...]] = get_args(StreamView)
Why = Literal["retried", "worker_lost", "released", "resumed", "replayed", "step_retried"]
"""Why some frames no longer count."""

PAGE_BYTES_MAX: Final = 4 * 1024 * 1024
"""A page ends after the frame with which its payloads have so many bytes."""


class KeptStep(msgspec.Struct, frozen=True):
    """A step whose frames still count after a restart."""

    step: str
    lease_epoch: int
    step_try: int = msgspec.field(name="try")


class Restarted(msgspec.Struct, frozen=True):
    """What a `restart` frame says. As a text it is empty, so that a reader who prints all values prints nothing."""

    why: Why
    kept: tuple[KeptStep, ...] = ()
    """Of earlier epochs, only the frames of these steps count."""
    tries: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Of these steps, only the frames of this try count in the present epoch, and those of later ones."""

    def __str__(self) -> str:
        return ""


class StreamFrame(msgspec.Struct, frozen=True):
    """One frame as a reader gets it."""

    lease_epoch: int
    seq: int
    """Its number in its epoch, from 0 without a gap. -1: a `restart` frame."""
    kind: FrameKind | Literal["restart"]
    payload: bytes
    attempt_index: int
    step: str | None
    """The step in which it was written."""
    at_ms: int
    step_try: int = 1
    """Which try of the step wrote it."""

    @property
    def value(self) -> Any:
        """What was said: a text, or bytes for `blob`, or a value for `json`, or `Restarted` for `restart`.

        A payload of kind `json` that is no JSON, because somebody has appended it by hand, is returned as it is.
        """
        if self.kind == "blob":
            return self.payload
        if self.kind == "restart":
            return _RESTARTED.decode(self.payload)
        if self.kind == "json":
            try:
                return msgspec.json.decode(self.payload)
            except UNDECODABLE:
                return self.payload
        return self.payload.decode("utf-8", "replace")


_RESTARTED: Final = msgspec.json.Decoder(Restarted)


class StreamPage(msgspec.Struct, frozen=True):
    """Frames in order, and the cursor of the next page. Without frames: there are no more for now."""

    frames: Sequence[StreamFrame]
    next_cursor: str
    truncated: bool
    """Older frames were removed, because the stream had become too long."""
    closed_reason: PublicState | None
    """The execution has ended, and this page reaches the end of its stream. A replay may bring more."""


class StepMark(msgspec.Struct, frozen=True, gc=False):
    """A stored step, without its result: under which epoch it was stored, and after how many tries."""

    name: str
    lease_epoch: int
    tries: int
    number: int


class RetriedIn(msgspec.Struct, frozen=True, gc=False):
    """A chunk with frames of steps that were tried more than once."""

    lease_epoch: int
    first_seq: int
    retried: tuple[SpokenIn, ...]


class StreamPart(msgspec.Struct, frozen=True):
    """What a store has read for one page, all as of one moment."""

    execution: Execution
    stream: Stream | None
    steps: Sequence[StepMark]
    """The stored steps of the execution, except those without an epoch."""
    retried: Sequence[RetriedIn]
    """The chunks of the last claimed epoch with such steps: all, or of those with the same steps only the first."""
    chunks: Sequence[Chunk]
    """The chunks after the position that was asked for, in order. A store may return fewer, if they are large."""
    has_more: bool
    """Whether there are further chunks behind these."""


Counted = Annotated[int, msgspec.Meta(ge=0, le=INSTANT_MS_MAX)]
"""A number that every store can keep. A cursor comes from outside."""
Life = tuple[Counted, Counted, Counted, Counted]


class StreamCursor(msgspec.Struct, frozen=True, array_like=True):
    """Up to where a reader has read, and what was known then."""

    execution_id: str
    lease_epoch: Counted = START.lease_epoch
    seq: Annotated[int, msgspec.Meta(ge=-1, le=INSTANT_MS_MAX)] = START.seq
    known_epoch: Counted = 0
    """The last epoch that was claimed."""
    known_seq: Counted = 0
    """The number of the next frame in that epoch."""
    known_step: Counted = 0
    """The number of the last stored step."""
    known_replays: Counted = 0
    """How often the execution had been replayed."""
    known_life: Life = (0, 0, 0, 0)
    """How often the execution had been replayed, retried and interrupted at that claim, and its attempt."""

    @property
    def position(self) -> Position:
        """The last frame that was passed."""
        return Position(self.lease_epoch, self.seq)


class Part(msgspec.Struct, frozen=True):
    """The frames of one read, and where the next read begins."""

    frames: list[StreamFrame]
    cursor: StreamCursor
    is_at_end: bool


def cursor_in(text: str | None, execution_id: ExecutionId, store: str) -> StreamCursor:
    """The cursor that a reader has presented. None: the reader begins at the start."""
    if text is None:
        return StreamCursor(execution_id)
    cursor = unpack_cursor(text, "stream", store, StreamCursor)
    if cursor.execution_id != execution_id:
        raise InvalidInput(
            f"The cursor belongs to the stream of {cursor.execution_id}, not of {execution_id}. Start without a cursor."
        )
    return cursor


def packed(cursor: StreamCursor, store: str) -> str:
    """The cursor as a text for readers."""
    return pack_cursor("stream", store, cursor)


def check_not_gone(cursor: StreamCursor, stream: Stream | None) -> None:
    """Refuse a cursor after which frames were removed. A reader that has read nothing begins with the first kept."""
    if cursor.position == START:
        return
    if stream is None or cursor.position >= stream.end:
        raise InvalidInput(
            "The frame at this cursor is no longer in the stream: the store was restored to an earlier moment, or a "
            "standby took over that lacked the last commits. Drop what you have read, and start again without a "
            "cursor.",
            code="cursor_gone",
        )
    if (cursor.lease_epoch, cursor.seq + 1) < stream.first:
        raise InvalidInput(
            "Frames after this cursor were removed, because the stream had become longer than its policy allows. "
            "Start again without a cursor; it then begins with the first frame that is kept.",
            code="cursor_gone",
        )


def claimed_epoch(x: Execution, stream: Stream | None) -> int:
    """The last epoch under which the execution was leased. 0: it never was."""
    marked = 0 if x.lease_mark is None else int(x.lease_mark.partition(".")[0])
    spoken = 0 if stream is None else stream.lease_epoch
    return max(marked, spoken)  # a release that knows no marks may have claimed it


def read_on(part: StreamPart, cursor: StreamCursor, limit: int, view: StreamView) -> Part:
    """The next frames for a reader, at most `limit`. A restart frame is not counted."""
    what = _WhatCounts(part)
    check_not_gone(cursor, part.stream)
    frames: list[StreamFrame] = []
    if view == "effective" and (why := what.news_for(cursor)) is not None:
        frames.append(what.restart_frame(why))
    position = cursor.position
    first = START if part.stream is None else part.stream.first
    left, size, is_cut = limit, 0, False
    for chunk in part.chunks:
        if is_cut or not left:
            is_cut = True
            break
        for seq, (kind, payload, spoken_in) in enumerate(frames_of(chunk), chunk.first_seq):
            at = Position(chunk.lease_epoch, seq)
            if at <= position or at < first:
                continue
            counts = view == "all" or what.counts(chunk.lease_epoch, spoken_in)
            if counts and (not left or size >= PAGE_BYTES_MAX):
                is_cut = True
                break
            position = at
            if counts:
                step, step_try = spoken_in or (None, 1)
                frames.append(StreamFrame(*at, kind, payload, chunk.attempt_index, step, chunk.at_ms, step_try))
                left, size = left - 1, size + len(payload)
    return Part(frames, what.known_at(position), not is_cut and not part.has_more)


class _WhatCounts:
    """Which frames count, as of one read."""

    def __init__(self, part: StreamPart) -> None:
        self._part = part
        self._epoch = claimed_epoch(part.execution, part.stream)
        self._stored = {mark.name: (mark.lease_epoch, mark.tries) for mark in part.steps}
        self._tries = self._tries_until(math.inf, math.inf)
        """The last try of each step of the last claimed epoch that was tried more than once."""

    def counts(self, lease_epoch: int, spoken_in: SpokenIn | None) -> bool:
        """Whether a frame counts."""
        if lease_epoch >= self._epoch:
            return spoken_in is None or spoken_in.step_try >= self._tries.get(spoken_in.step, 1)
        return spoken_in is not None and self._stored.get(spoken_in.step) == (lease_epoch, spoken_in.step_try)

    def news_for(self, cursor: StreamCursor) -> Why | None:
        """Why frames that the reader may have got no longer count. None: all still count."""
        if cursor.position == START:
            return None
        if cursor.known_replays < self._part.execution.replay_count:
            return "replayed"  # also before it is claimed: steps whose frames counted may have been dropped
        if cursor.known_epoch < self._epoch:
            return _why(cursor.known_life, _life_of(self._part.execution, self._epoch))
        known = self._tries_until(cursor.known_seq, cursor.known_step)
        return "step_retried" if known != self._tries else None

    def _tries_until(self, next_seq: float, last_step: float) -> dict[str, int]:
        """The last tries as they show in the chunks before a number and in the steps up to a number."""
        tries = {
            mark.name: mark.tries
            for mark in self._part.steps
            if mark.lease_epoch == self._epoch and mark.tries > 1 and mark.number <= last_step
        }
        for chunk in self._part.retried:
            if chunk.lease_epoch == self._epoch and chunk.first_seq < next_seq:
                for step, step_try in chunk.retried:
                    tries[step] = max(step_try, tries.get(step, 1))
        return tries

    def restart_frame(self, why: Why) -> StreamFrame:
        """The frame that says what still counts of everything before this moment."""
        x = self._part.execution
        kept = tuple(
            KeptStep(mark.name, mark.lease_epoch, mark.tries)
            for mark in sorted(self._part.steps, key=lambda mark: mark.number)
            if mark.lease_epoch < self._epoch
        )
        payload = msgspec.json.encode(Restarted(why, kept, self._tries))
        at_ms = x.attempt_started_at_ms or x.terminal_at_ms or x.started_at_ms or x.created_at_ms
        return StreamFrame(self._epoch, -1, "restart", payload, x.attempt_index, None, at_ms)

    def known_at(self, position: Position) -> StreamCursor:
        """The cursor of a reader that has read up to this position, and knows what this read has shown."""
        x, stream = self._part.execution, self._part.stream
        next_seq = stream.next_seq if stream is not None and stream.lease_epoch == self._epoch else 0
        last_step = max((mark.number for mark in self._part.steps), default=0)
        known = self._epoch, next_seq, last_step, x.replay_count
        return StreamCursor(x.execution_id, *position, *known, _life_of(x, self._epoch))


def _life_of(x: Execution, claimed_epoch: int) -> Life:
    """How often the execution had been replayed, retried and interrupted when it was last claimed, and its attempt.

    What has happened since then is why the next claim makes frames void.
    """
    return (
        x.replay_count - (x.attempt_state == "pending_replay_attempt"),
        x.retry_count - (x.attempt_state == "pending_retry_attempt"),
        x.interruption_count - (x.attempt_state == "attempt_interrupted" and x.lease_epoch > claimed_epoch),
        x.attempt_index,
    )


def _why(before: Life, now: Life) -> Why:
    if now[0] > before[0]:
        return "replayed"
    if now[1] > before[1]:
        return "retried"
    if now[2] > before[2]:
        return "worker_lost"
    return "resumed" if now[3] == before[3] else "released"


def page_of(part: Part, x: Execution, stream: Stream | None, store: str) -> StreamPage:
    """The page of a reader."""
    is_over = part.is_at_end and x.has_ended and x.coming_back is None
    return StreamPage(
        tuple(part.frames),
        packed(part.cursor, store),
        stream is not None and stream.first > Position(0, 0),
        x.public_state if is_over else None,
    )


def with_news_for_readers(changes: Changes) -> list[ExecutionId]:
    """The executions whose readers get something new: they have spoken, or some of their frames may no longer count."""
    found = dict.fromkeys(changes.streams)
    for before, x in changes.executions:
        # One that was never claimed has said nothing. A claim and a replay raise the epoch.
        if (
            before is not None
            and before.lease_mark is not None
            and x is not None
            and x.lease_epoch > before.lease_epoch
        ):
            found[x.execution_id] = None
    found.update((key, None) for (key, _), step in changes.steps.items() if step.tries > 1)
    return list(found)


def mark_of(step: Step) -> StepMark | None:
    """The mark of a stored step. None: an older release has stored it, or it is the end of a wait."""
    if step.lease_epoch is None or step.number is None:
        return None
    return StepMark(step.name, step.lease_epoch, step.tries, step.number)


class Transcript:
    """What counts of the frames that a reader has got so far. It drops what a `restart` frame makes void."""

    def __init__(self) -> None:
        self._frames: list[StreamFrame] = []

    @property
    def frames(self) -> Sequence[StreamFrame]:
        """The frames that count, in order."""
        return tuple(self._frames)

    def add(self, frame: StreamFrame) -> None:
        """Take the next frame of a stream, in the order in which it was read."""
        if frame.kind != "restart":
            self._frames.append(frame)
            return
        restarted = _RESTARTED.decode(frame.payload)
        kept = {(each.step, each.lease_epoch, each.step_try) for each in restarted.kept}
        tries = restarted.tries
        self._frames = [
            each
            for each in self._frames
            if (
                (each.step, each.lease_epoch, each.step_try) in kept
                if each.lease_epoch < frame.lease_epoch
                else each.step is None or each.step_try >= tries.get(each.step, 1)
            )
        ]
