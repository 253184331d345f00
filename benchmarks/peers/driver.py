"""What the driver of every contender is built on: the work, a count of it that all processes share, and the verbs.

A driver runs in the environment of its contender, so this file needs nothing but the standard library.
"""

import json
import mmap
import os
import struct
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PAYLOAD = {"text": "x" * 188}
BODY = json.dumps(PAYLOAD).encode()
URL = os.environ.get("BENCH_URL", "")
CHAIN = 10
_SLOT = struct.Struct("<qqq")


class Driver:
    """How one contender is told to work; `None` stands for what it does not offer."""

    packages: tuple[str, ...] = ()
    """Whose versions are recorded."""

    others: Mapping[str, str] = {}
    """Versions of what does not come from pip."""

    async def setup(self) -> None:
        """Make an empty database ready."""

    async def open(self) -> None:
        """Connect, for submitting."""

    async def submit(self, count: int) -> None:
        """Submit so many jobs, in the quickest way that is documented."""
        raise NotImplementedError

    async def submit_one(self) -> None:
        """Submit a single job."""
        raise NotImplementedError

    submit_chain = None
    """Submit ten jobs of which each waits for the one before; the last one counts."""

    submit_steps = None
    """Submit one job of ten steps whose results are remembered; the last one counts."""

    work_here = None
    """Run a worker on this event loop, until cancelled."""

    def work(self, slots: int) -> None:
        """Be a worker until SIGTERM."""
        raise NotImplementedError


class Seen(NamedTuple):
    """How many job bodies have run, and when the first and the last of them began."""

    count: int
    first_ns: int
    last_ns: int


class Hits:
    """Counts of job bodies, one small file per process, so that nobody waits for anybody."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._pid = 0
        self._mine: mmap.mmap | None = None
        self._count = 0
        self._first_ns = 0
        self._others: dict[str, mmap.mmap] = {}

    def hit(self) -> None:
        """Count a job body, at its beginning."""
        now = time.monotonic_ns()
        with self._lock:
            # A process that was forked counts for itself.
            if self._pid != os.getpid():
                self._begin(now)
            self._count += 1
            _SLOT.pack_into(self._mine, 0, self._count, self._first_ns, now)

    def _begin(self, now: int) -> None:
        self._pid = os.getpid()
        self._count, self._first_ns = 0, now
        path = self._folder / str(self._pid)
        # Under another name at first: whoever looks must not find an empty file.
        draft = path.with_suffix(".draft")
        draft.write_bytes(bytes(_SLOT.size))
        self._mine = _mapped(draft)
        draft.rename(path)

    def seen(self) -> Seen:
        """What all processes have counted."""
        for name in os.listdir(self._folder):
            if name not in self._others and name.isdigit():
                self._others[name] = _mapped(self._folder / name)
        slots = [slot for each in self._others.values() if (slot := _SLOT.unpack_from(each))[0]]
        if not slots:
            return Seen(0, 0, 0)
        counts, firsts, lasts = zip(*slots, strict=True)
        return Seen(sum(counts), min(firsts), max(lasts))


def _mapped(path: Path) -> mmap.mmap:
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), _SLOT.size)


hits = Hits(Path(os.environ.get("BENCH_HITS", ".")))
hit = hits.hit
