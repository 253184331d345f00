"""Somebody who reads along while an execution speaks, and drops what no longer counts."""

from collections.abc import Sequence
from typing import Final

from flowfabric.domain.stream_pages import StreamFrame, StreamView, Transcript
from flowfabric.engine.blocking import BlockingEngine

PART_CHARS: Final = 30
"""How much of its beginning and of its end is shown of a long text."""


class Reader:
    """The reader of one stream. It keeps every frame that it has got."""

    def __init__(self, engine: BlockingEngine, execution_id: str) -> None:
        self._engine = engine
        self._execution_id = execution_id
        self._cursor: str | None = None
        self.frames: list[StreamFrame] = []
        """All frames in the order in which they came, also those that are void now."""

    def read_on(self) -> None:
        """Read what was said since the last time."""
        frames, self._cursor = frames_of(self._engine, self._execution_id, self._cursor)
        self.frames += frames

    @property
    def has_restarted(self) -> bool:
        """Whether something that was read no longer counts."""
        return any(frame.kind == "restart" for frame in self.frames)

    @property
    def text(self) -> str:
        """What counts of everything that was read."""
        return text_of(counting(self.frames))


def frames_of(
    engine: BlockingEngine, execution_id: str, cursor: str | None = None, view: StreamView = "effective"
) -> tuple[list[StreamFrame], str]:
    """All frames after a cursor, and the next cursor."""
    found: list[StreamFrame] = []
    while True:
        page = engine.read_stream(execution_id, cursor=cursor, view=view)
        found += page.frames
        cursor = page.next_cursor
        if not page.frames:
            return found, cursor


def counting(frames: Sequence[StreamFrame]) -> Sequence[StreamFrame]:
    """The frames that count of those that a reader has got."""
    transcript = Transcript()
    for frame in frames:
        transcript.add(frame)
    return transcript.frames


def text_of(frames: Sequence[StreamFrame]) -> str:
    """What frames say together."""
    return "".join(frame.value for frame in frames)


def in_short(text: str) -> str:
    """A text, or its first and last words."""
    text = text.strip()
    if len(text) <= 2 * PART_CHARS:
        return text
    return f"{text[:PART_CHARS].rpartition(' ')[0]} ... {text[-PART_CHARS:].partition(' ')[2]}"
