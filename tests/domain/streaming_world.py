"""One execution that speaks, in a memory store. Every batch is checked, and so is the store after it."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from flowfabric.domain.commands import (
    AnyCommand,
    AppendFrames,
    Complete,
    Envelope,
    Fail,
    PatchSummary,
    RecordStep,
    Release,
    TrimStream,
)
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.invariants import Contents
from flowfabric.domain.lease import Fence
from flowfabric.domain.outcomes import Appended, Claimed
from flowfabric.domain.stream_pages import Part, StreamCursor, StreamFrame, StreamView, read_on
from flowfabric.domain.streams import START, Chunk, Said, SpokenIn, StoredFrame, Stream, said
from tests.domain.records import a_claim
from tests.domain.waiting_world import WaitingWorld


def text(payload: bytes, spoken_in: SpokenIn | None = None) -> StoredFrame:
    return StoredFrame("text", payload, spoken_in)


class StreamingWorld(WaitingWorld):
    """A memory store, and shorter ways to speak in one execution and to read what it says."""

    claims = 0

    # ── a worker ─────────────────────────────────────────────────────────────────────────────────

    def claim(self, **how: Any) -> Claimed:
        """The next claim, with a mark of its own, as every claim of an engine has."""
        self.claims += 1
        (claimed,) = self.one(replace(a_claim(**how), mark=f"mark-{self.claims}"))
        assert isinstance(claimed, Claimed)
        lease = claimed.lease
        self._fence = Fence(ExecutionId(lease.execution_id), lease.attempt_index, lease.lease_epoch, lease.lease_id)
        return claimed

    def said(self, *payloads: bytes, step: str | None = None, step_try: int = 1, first_seq: int | None = None) -> Said:
        spoken_in = None if step is None else SpokenIn(step, step_try)
        return said(self.fence, [text(payload, spoken_in) for payload in payloads], first_seq)

    def say(self, *payloads: bytes, **how: Any) -> Appended:
        """Append one chunk."""
        answer: Appended = self.one(AppendFrames(self.said(*payloads, **how)))
        return answer

    def send(self, command: AnyCommand, said: Said | None = None, *, command_id: str | None = None) -> Any:
        """Send a command, with frames in front of it or without. Its refusal is raised."""
        (answer,) = self.decide(Envelope(command, None, command_id, said=said))
        if isinstance(answer, Exception):
            raise answer
        return answer

    def record_step(self, name: str, *, tries: int = 1, said: Said | None = None) -> Any:
        return self.send(RecordStep(self.fence, name, b"same arguments", b"result", tries), said)

    def complete(self, said: Said | None = None) -> Any:
        return self.send(Complete(self.fence, b"result"), said)

    def fail(self, *, retryable: bool = True, said: Said | None = None) -> Any:
        return self.send(Fail(self.fence, "boom", "it broke", retryable, 0), said)

    def release(self, said: Said | None = None) -> Any:
        return self.send(Release(self.fence), said)

    def lose(self) -> None:
        """The worker dies, and its lease runs out."""
        expires_at_ms = self.x.lease_expires_at_ms
        assert expires_at_ms is not None
        self.advance(expires_at_ms - self.now_ms)
        assert self.sweep()

    def patch(self, patch: dict[str, Any]) -> Any:
        return self.one(PatchSummary(self.fence, patch))

    def trim(self) -> bool:
        answer: bool = self.one(TrimStream(self.x_id))
        return answer

    # ── what there is ────────────────────────────────────────────────────────────────────────────

    @property
    def stream(self) -> Stream:
        found = self.store.stream_part(self.x_id, START, 1)
        assert found is not None
        assert found.stream is not None
        return found.stream

    @property
    def chunks(self) -> Sequence[Chunk]:
        found = self.store.stream_part(self.x_id, START, 1_000_000)
        assert found is not None
        return found.chunks

    def contents(self) -> Contents:
        store = self.store
        return replace(
            super().contents(),
            streams=list(store._streams.values()),
            chunks=[chunk for of_one in store._chunks.values() for chunk in of_one.values()],
            summaries=list(store._summaries.values()),
        )

    # ── a reader ─────────────────────────────────────────────────────────────────────────────────

    @property
    def start(self) -> StreamCursor:
        return StreamCursor(self.x_id)

    def read(
        self,
        cursor: StreamCursor | None = None,
        limit: int = 1_000_000,
        *,
        view: StreamView = "effective",
        chunks_at_once: int = 100,
    ) -> Part:
        """One page, read as an engine reads it."""
        cursor = cursor or self.start
        frames: list[StreamFrame] = []
        while True:
            found = self.store.stream_part(self.x_id, cursor.position, chunks_at_once)
            assert found is not None
            one = read_on(found, cursor, limit - sum(frame.kind != "restart" for frame in frames), view)
            frames += one.frames
            cursor = one.cursor
            if one.is_at_end or sum(frame.kind != "restart" for frame in frames) == limit:
                return Part(frames, cursor, one.is_at_end)

    def read_all(self, limit: int = 1_000_000, cursor: StreamCursor | None = None, **how: Any) -> list[StreamFrame]:
        """All pages of one size, from a cursor or from the start."""
        found: list[StreamFrame] = []
        while True:
            part = self.read(cursor, limit, **how)
            found += part.frames
            cursor = part.cursor
            if part.is_at_end:
                return found

    @property
    def effective(self) -> list[bytes]:
        """What a reader from the start gets."""
        return [frame.payload for frame in self.read_all()]
