"""What processes do to the files of one folder, as one ordered log; `recorder.c` writes it.

A workload adds notes to the same log: what it was told by then. So for each moment of the log it is known what
must be there after a power cut.
"""

import os
import struct
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from tests.preloading import compiled

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MAGIC = 0x46465043
HEAD = struct.Struct("<IIIIIIQQ")


class Kind(IntEnum):
    """What a record says. The numbers are those of `recorder.c`; only NOTE is written here."""

    WRITE = 1
    RESIZE = 2
    CREATE = 3
    RENAME = 4
    LINK = 5
    UNLINK = 6
    MKDIR = 7
    RMDIR = 8
    SYNC_BEGIN = 9
    SYNC_END = 10
    SYNC_ALL_BEGIN = 11
    SYNC_ALL_END = 12
    MAPPED = 13
    NOTE = 100


class Record(NamedTuple):
    """One line of the log."""

    kind: Kind
    thread: int
    inode: int
    offset: int
    """Of a write: where. Of a resize: the new size."""
    path: str
    """Inside the folder. Of a note: its topic."""
    other: str
    data: bytes


class Notes:
    """Adds notes to a log, also beside other processes."""

    def __init__(self, log: Path, topic: str) -> None:
        self._file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        self._topic = topic.encode()

    def add(self, data: bytes) -> None:
        """Note what is known from now on."""
        head = HEAD.pack(MAGIC, Kind.NOTE, 0, len(self._topic), 0, len(data), 0, 0)
        whole = head + self._topic + data
        assert os.write(self._file, whole) == len(whole)

    def close(self) -> None:
        os.close(self._file)


def records(log: Path) -> Iterator[Record]:
    """All records, in order."""
    content = memoryview(log.read_bytes())
    at = 0
    while at < len(content):
        magic, kind, thread, path_length, other_length, data_length, inode, offset = HEAD.unpack_from(content, at)
        assert magic == MAGIC, f"the log is damaged at {at}"
        at += HEAD.size
        path = bytes(content[at : at + path_length]).decode()
        at += path_length
        other = bytes(content[at : at + other_length]).decode()
        at += other_length
        yield Record(Kind(kind), thread, inode, offset, path, other, bytes(content[at : at + data_length]))
        at += data_length


def under(all_records: Iterator[Record], folder: str) -> list[Record]:
    """The records of one folder inside the recorded one, as if it had been recorded alone, and the notes on it."""
    prefix = folder + "/"

    def inner(path: str) -> str:
        return "" if path == folder else path.removeprefix(prefix)

    def is_inside(path: str) -> bool:
        return path == folder or path.startswith(prefix)

    return [
        each._replace(path=inner(each.path), other=inner(each.other))
        for each in all_records
        if is_inside(each.path) or each.kind in (Kind.SYNC_ALL_BEGIN, Kind.SYNC_ALL_END)
    ]


def environment(folder: Path, log: Path) -> dict[str, str]:
    """The variables with which a process records what happens in a folder. The log must exist."""
    return {
        **os.environ,
        "LD_PRELOAD": str(recorder()),
        "FF_RECORDED_FOLDER": str(folder.resolve()),
        "FF_RECORDED_LOG": str(log),
    }


def recorder() -> Path:
    """The compiled recorder."""
    return compiled(HERE / "recorder.c")
