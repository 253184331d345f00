"""Those who read streams, each in a process of its own, and the notebooks in which they keep what they have read.

A note is one line: frames, and the cursor after them. So a reader that was killed goes on where its last note ends.
"""

import asyncio
import itertools
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from flowfabric import Engine, StreamFrame, Transcript, open_blocking_engine, open_engine

DONE = '"done"\n'


class Note(msgspec.Struct):
    """What a reader has got at once."""

    execution_id: str
    cursor: str | None
    frames: Sequence[StreamFrame]


class Notebook:
    """The notes of one reader."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.touch()
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND)

    @property
    def size(self) -> int:
        """It grows when something is read."""
        return self._path.stat().st_size

    def add(self, note: Note) -> None:
        """Write a note, in one piece."""
        os.write(self._file, msgspec.json.encode(note) + b"\n")

    def by_execution(self) -> dict[str, list[Note]]:
        """What was read of each stream, in order."""
        found: dict[str, list[Note]] = {}
        for line in self._path.read_bytes().splitlines():
            note = msgspec.json.decode(line, type=Note)
            found.setdefault(note.execution_id, []).append(note)
        return found


def read(notes: Sequence[Note]) -> Transcript:
    """What is left of all that was read."""
    transcript = Transcript()
    for frame in itertools.chain.from_iterable(note.frames for note in notes):
        transcript.add(frame)
    return transcript


# ── programs ─────────────────────────────────────────────────────────────────────────────────────


def follow(url: str, execution_ids: str, notebook: str, frames_max: str) -> None:
    """Follow all streams to their ends. With a number, hang up after each so many frames or fewer, and come back."""
    book = Notebook(Path(notebook))
    cursors: dict[str, str | None] = dict.fromkeys(json.loads(execution_ids))
    cursors |= {key: notes[-1].cursor for key, notes in book.by_execution().items()}

    async def main() -> None:
        async with open_engine(url, reconcile=False) as engine:
            reading = (_follow(engine, key, cursor, book, int(frames_max)) for key, cursor in cursors.items())
            await asyncio.gather(*reading)
        sys.stdout.write(DONE)

    asyncio.run(main())


async def _follow(engine: Engine, execution_id: str, cursor: str | None, book: Notebook, frames_max: int) -> None:
    chance, is_over = random.Random(), False
    while not is_over:
        stream = engine.follow_stream(execution_id, cursor=cursor)
        left, is_over = chance.randint(1, frames_max) if frames_max else -1, True
        async for frame in stream:
            cursor = stream.cursor
            book.add(Note(execution_id, cursor, [frame]))
            left -= 1
            if not left:
                is_over = False
                break


def turn_pages(url: str, execution_ids: str, notebook: str) -> None:
    """Read all streams in small pages, one after the other, again and again until all of them are over."""
    book, chance, cursors = Notebook(Path(notebook)), random.Random(), dict.fromkeys(json.loads(execution_ids))
    with open_blocking_engine(url, reconcile=False) as engine:
        while cursors:
            for key in list(cursors):
                page = engine.read_stream(key, cursor=cursors[key], limit=chance.randint(1, 5))
                if page.frames:
                    book.add(Note(key, page.next_cursor, page.frames))
                cursors[key] = page.next_cursor
                if page.closed_reason is not None:
                    del cursors[key]
            time.sleep(0.01)  # a reader of pages has a pace of its own
    sys.stdout.write(DONE)
