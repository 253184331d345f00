"""The engine's methods for what running executions say: frames, summaries, and those who read and follow them."""

import math
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Final, Literal, cast, get_args

from msgspec.structs import replace

from flowfabric.domain import inputs, stream_inputs
from flowfabric.domain.commands import AppendAll, AppendFrames, Envelope, PatchSummary
from flowfabric.domain.errors import EngineError, InvalidInput, NotFound, shown
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Appended, LeaseLost, Summary
from flowfabric.domain.stream_pages import (
    PAGE_BYTES_MAX,
    Part,
    StreamCursor,
    StreamFrame,
    StreamPage,
    StreamPart,
    StreamView,
    cursor_in,
    packed,
    page_of,
    read_on,
)
from flowfabric.domain.streams import Append, Frame, Said
from flowfabric.domain.summaries import document_of
from flowfabric.engine.followers import Followed, Read
from flowfabric.engine.partitions import part_of, places_by_partition
from flowfabric.engine.scope import Scoped
from flowfabric.engine.shells import Bell

FRAMES_AT_ONCE: Final = 500
"""How many frames a follower reads at once."""
CHUNKS_AT_ONCE: Final = 100
"""How many chunks the store is asked for at once."""


class Streaming(Scoped):
    """The engine's methods for streams and summaries."""

    async def append_frames(
        self,
        lease: Lease,
        frames: Sequence[Frame | bytes],
        *,
        step: str | None = None,
        first_seq: int | None = None,
        command_id: str | None = None,
    ) -> Appended:
        """Append frames to the stream of a leased execution. Bytes are the frame of a text.

        With `first_seq`, the number of the first frame, the same frames may be sent again: they count once.
        """
        said = stream_inputs.append(inputs.fence(lease), frames, step, first_seq)
        return await self._execute(AppendFrames(said), command_id)

    async def append_all(
        self, appends: Sequence[Append], *, command_id: str | None = None
    ) -> list[Appended | LeaseLost]:
        """`append_frames` for many executions in one command. Each gets its own answer, in order."""
        checked = stream_inputs.sequence(appends, "appends is a sequence of (lease, frames, step, first_seq)")
        items = [_said_in(place, each) for place, each in enumerate(checked)]
        stream_inputs.size_of_call(items)
        return await self.append_said(items, command_id=command_id)

    async def append_said(self, items: Sequence[Said], *, command_id: str | None = None) -> list[Appended | LeaseLost]:
        """`append_all` for frames that are packed already, as a worker's are.

        Wait for the answer before you send more frames of the same execution: only then it is certain that these come
        first.
        """
        checked = enumerate(stream_inputs.sequence(items, "items is a sequence of packed frames"))
        items = [stream_inputs.packed(each, f"items[{place}]") for place, each in checked]
        command_id = inputs.key("command_id", command_id)
        if not items:
            return []
        if not self._services.store.batches_stay_in_one_partition:
            return await self._execute(AppendAll(tuple(items)), command_id)
        parts = places_by_partition([said.fence for said in items])
        answers = await self._shell.execute_all(
            [
                Envelope(
                    AppendAll(tuple(items[place] for place in places)),
                    self._scope,
                    part_of(command_id, places[0]),
                )
                for places in parts
            ]
        )
        found: dict[int, Appended | LeaseLost] = {}
        for places, answer in zip(parts, answers, strict=True):
            if isinstance(answer, EngineError):
                raise answer
            found.update(zip(places, cast("list[Appended | LeaseLost]", answer), strict=True))
        return [found[place] for place in range(len(items))]

    async def patch_summary(
        self, lease: Lease, patch: Mapping[str, object], *, command_id: str | None = None
    ) -> Summary:
        """Merge a patch into the summary of a leased execution: None removes a member, objects are merged."""
        return await self._execute(PatchSummary(inputs.fence(lease), stream_inputs.patch(patch)), command_id)

    async def read_summary(self, execution_id: str) -> Summary | None:
        """The summary of an execution. None: it has none."""
        key = await self._id_of(execution_id)
        x, summary = await self._shell.read(lambda: self._store.summary(key))
        self._check_known(key, x)
        return None if summary is None else Summary(summary.version, document_of(summary))

    async def read_stream(
        self,
        execution_id: str,
        *,
        cursor: str | None = None,
        limit: int = FRAMES_AT_ONCE,
        view: Literal["effective", "all"] = "effective",
    ) -> StreamPage:
        """The next frames of a stream, in order. An empty page: there are no more for now.

        `effective`: the frames that count. If frames that were read before the cursor no longer count, the page begins
        with a `restart` frame, which is not counted for `limit`. `all`: every frame that was written and is kept.
        """
        key = await self._id_of(execution_id)
        after = cursor_in(cursor, key, self._store.name)
        wanted = stream_inputs.stream_view(view)
        part, found = await self._shell.read(partial(self._read_part, key, after, inputs.limit(limit), wanted))
        return page_of(part, found.execution, found.stream, self._store.name)

    def follow_stream(self, execution_id: str, *, cursor: str | None = None) -> "StreamFollower":
        """The frames that count, as they are written, until the execution has ended. Its end ends the iteration."""
        return StreamFollower(self, execution_id, cursor)

    def _read_part(
        self, key: ExecutionId, cursor: StreamCursor, limit: int, view: StreamView
    ) -> tuple[Part, StreamPart]:
        """Read until the page is full or the end is reached. Frames that do not count are passed over.

        A restart frame is always the first one: what its cursor knows holds for all frames of the part.
        """
        frames: list[StreamFrame] = []
        left, size = limit, 0
        while True:
            found = self._store.stream_part(key, cursor.position, CHUNKS_AT_ONCE)
            self._check_known(key, None if found is None else found.execution)
            assert found is not None
            one = read_on(found, cursor, left, view)
            if frames and one.frames and one.frames[0].kind == "restart":
                return Part(frames, cursor, is_at_end=False), found
            frames += one.frames
            left -= sum(frame.kind != "restart" for frame in one.frames)
            size += sum(len(frame.payload) for frame in one.frames)
            cursor = one.cursor
            if one.is_at_end or not left or size >= PAGE_BYTES_MAX:
                return Part(frames, cursor, one.is_at_end), found


def _said_in(place: int, append: object) -> Said:
    if not isinstance(append, tuple) or len(append) != len(get_args(Append)):
        raise InvalidInput(f"appends[{place}] is a tuple of lease, frames, step and first_seq, not {shown(append)}.")
    lease, frames, step, first_seq = append
    try:
        return stream_inputs.append(inputs.fence(lease), frames, step, first_seq)
    except InvalidInput as error:
        raise InvalidInput(f"appends[{place}]: {error}") from None


class StreamFollower(AsyncIterator[StreamFrame]):
    """The frames of one stream, as they are written. Keep `cursor` to go on later, also in another process."""

    def __init__(self, engine: Streaming, execution_id: str, cursor: str | None) -> None:
        self._engine = engine
        self._execution_id = execution_id
        self._text = cursor
        self._key: ExecutionId | None = None
        self._before = self._part = Part([], StreamCursor(""), is_at_end=False)
        self._delivered = 0
        self._has_read = False
        self._is_over = False
        self.closed_reason: str | None = None
        """How the execution has ended, once the iteration is over. None: it was removed."""

    @property
    def cursor(self) -> str | None:
        """The cursor after the last frame that was delivered. None: the start of the stream."""
        return packed(self._cursor, self._engine._store.name) if self._has_read else self._text

    @property
    def _cursor(self) -> StreamCursor:
        """The same before it is packed. What the last read has shown is known from its first frame on."""
        known = self._part.cursor
        if self._delivered == len(self._part.frames):
            return known
        passed = [frame for frame in self._part.frames[: self._delivered] if frame.kind != "restart"]
        at = passed[-1] if passed else self._before.cursor
        return replace(known, lease_epoch=at.lease_epoch, seq=at.seq)

    @property
    def has_more(self) -> bool:
        """Whether the next frame is there already."""
        return self._delivered < len(self._part.frames)

    async def __anext__(self) -> StreamFrame:
        """The next frame. Waits for it if necessary."""
        if self._delivered == len(self._part.frames):
            if self._is_over:
                raise StopAsyncIteration
            await self._read_on()
            if not self._part.frames:
                raise StopAsyncIteration
        self._delivered += 1
        return self._part.frames[self._delivered - 1]

    async def _read_on(self) -> None:
        """Read until there are frames, or the stream is over."""
        engine = self._engine
        if self._key is None:
            key = await engine._id_of(self._execution_id)
            self._part = Part([], cursor_in(self._text, key, engine._store.name), is_at_end=False)
            self._key = key
        bell = engine._shell.bell()
        with engine._services.wakeups.followers.following(self._key, bell.ring) as followed:
            while not self._is_over:
                try:
                    read = await self._shared(followed, bell)
                except NotFound:
                    if not self._has_read:
                        raise
                    self._is_over = True  # its retention is over
                    self._part, self._delivered = Part([], self._part.cursor, is_at_end=True), 0
                    return
                if read is not None:
                    self._take(*read)
                    if self._part.frames:
                        return
                if not self._is_over:
                    await self._wait_for_more(bell)

    async def _wait_for_more(self, bell: Bell) -> None:
        await self._engine._wait_for_news(bell, math.inf)

    async def _shared(self, followed: Followed, bell: Bell) -> Read | None:
        """The next part. Everyone in this process who has read as far gets the same one. None: somebody reads it."""
        engine, cursor, key = self._engine, self._part.cursor, self._key
        assert key is not None
        read = followed.kept(cursor)
        if read is None:
            under_way = followed.begin(cursor, bell.ring)
            if under_way is None:
                return None
            try:
                reading = partial(engine._read_part, key, cursor, FRAMES_AT_ONCE, "effective")
                read = await engine._shell.read(reading, until=math.inf)
            finally:
                followed.end(cursor, under_way, read)
        engine._check_known(key, read[1].execution)  # it may have been read by an engine of another scope
        return read

    def _take(self, part: Part, found: StreamPart) -> None:
        x = found.execution
        self._before, self._part, self._delivered = self._part, part, 0
        self._has_read = True
        self._is_over = part.is_at_end and x.has_ended and x.coming_back is None
        self.closed_reason = x.public_state if self._is_over else None
