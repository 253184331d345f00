"""Notes of a worker's functions, for the proof: which steps they ran, and which results the engine refused."""

import os
from pathlib import Path

import msgspec


class Ran(msgspec.Struct, frozen=True, tag=True):
    """The function of a step was run."""

    execution_id: str
    token: int
    step: str


class Refusal(msgspec.Struct, frozen=True, tag=True):
    """The engine refused the result of a step."""

    execution_id: str
    token: int
    step: str
    code: str


Note = Ran | Refusal


class Notebook:
    """The notes of one worker, in order.

    The worker may be killed at any moment, so a note is written whole or not at all.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, note: Note) -> None:
        """Add a note."""
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.write(file, msgspec.json.encode(note) + b"\n")
        finally:
            os.close(file)

    def read(self) -> list[Note]:
        """All notes so far."""
        return [msgspec.json.decode(line, type=Ran | Refusal) for line in self._path.read_bytes().splitlines()]


def notes_in(folder: Path) -> list[Note]:
    """The notes of all workers."""
    return [note for book in sorted(folder.glob("*.notes")) for note in Notebook(book).read()]
