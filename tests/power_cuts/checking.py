"""What must hold after a power cut: the store opens, is whole, goes on, and has everything that was acknowledged."""

import hashlib
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from flowfabric import open_blocking_engine
from flowfabric.app import examine
from flowfabric.domain.health.judging import findings
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.power_cuts import facts
from tests.power_cuts.disk import Image
from tests.power_cuts.facts import Fact
from tests.power_cuts.recording import Kind, Record

LONG_MS = 10_000
SQLITE_FILE = "jobs.db"
NOT_OURS = {"dead_worker", "lane_unserved", "work_failed", "commits_unsafe"}
"""What a doctor may find: nobody works in an image, some work failed on purpose, and its server need not sync."""


class Verdict(NamedTuple):
    """What is wrong with an image. Empty: nothing."""

    damage: str = ""
    lost: str = ""


class Told:
    """What callers were told, and by when: the facts, in the order of the log."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._facts: list[Fact] = []
        self._places: dict[Fact, int] = {}
        self._told: list[int] = [0]
        for record in records:
            for fact in facts.unpacked(record.data) if record.kind is Kind.NOTE else ():
                self._places.setdefault(fact, len(self._facts))
                self._facts.append(fact)
            self._told.append(len(self._facts))

    @property
    def count(self) -> int:
        """How many facts there are."""
        return len(self._facts)

    def missing(self, found: set[Fact]) -> int:
        """The place of the first fact that is not there; or how many there are."""
        return min((place for fact, place in self._places.items() if fact not in found), default=len(self._facts))

    def lost(self, missing: int, position: int) -> str:
        """What of all that was told by this position is not there. Empty: nothing."""
        told = self._told[position]
        return "" if missing >= told else f"{self._facts[missing]}, one of {told} facts that were told by then"


def written(image: Image, folder: Path) -> None:
    """Put an image into a folder that is made for it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    for path, content in image.items():
        if content is None:
            (folder / path).mkdir(mode=0o700, exist_ok=True)
        else:
            (folder / path).write_bytes(content)


def facts_of(url: str) -> set[Fact]:
    """Open a store as after any start, look whether all is well, and return what is true in it. It must also go on."""
    with opened(url) as store:
        assert_nothing_is_broken(store)
        found = facts.all_in(store)
    problems = [each for each in findings(examine(url), long_transaction_ms=LONG_MS) if each.problem not in NOT_OURS]
    if problems:
        raise AssertionError(f"the doctor finds {problems}")
    with open_blocking_engine(url, reconcile=False) as engine:
        made = engine.create_execution("after", lane="after").execution_id
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="i", lanes=("after",))
        assert claimed.execution_id == made
        engine.complete(claimed.lease, b"went on")
    return found


class SqliteImages:
    """Checks images of a folder with one SQLite file.

    SQLite alone recovers each image. If the database is then equal, byte for byte, to one that was examined before, all
    that was found about that one holds for this one, too. Only a database that is new is examined.
    """

    def __init__(self, folder: Path, told: Told) -> None:
        self._folder = folder
        self._told = told
        self._known: dict[bytes, Verdict | int] = {}
        """By the digest of a database: what is wrong with it, or which fact is missing first."""

    @property
    def examined(self) -> int:
        """How many different databases there were."""
        return len(self._known)

    def check(self, image: Image, position: int) -> Verdict:
        """What is wrong with the image of a cut at this position."""
        try:
            key = self._recovered(image)
        except sqlite3.DatabaseError as error:
            return Verdict(damage=f"SQLite cannot recover it: {error}")
        if key not in self._known:
            self._known[key] = self._examined(image)
        known = self._known[key]
        return known if isinstance(known, Verdict) else Verdict(lost=self._told.lost(known, position))

    def _recovered(self, image: Image) -> bytes:
        """Let SQLite recover an image, bring its log into the file, and return the digest of that."""
        folder = self._folder / "recovered"
        written(image, folder)
        path = folder / SQLITE_FILE
        if not path.exists():
            return b""
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("pragma synchronous = off")
            connection.execute("select count(*) from sqlite_schema").fetchone()
            connection.execute("pragma wal_checkpoint(truncate)").fetchone()
        return hashlib.blake2b(path.read_bytes(), digest_size=16).digest()

    def _examined(self, image: Image) -> Verdict | int:
        path = self._folder / "recovered" / SQLITE_FILE
        if path.exists():
            with closing(sqlite3.connect(path)) as connection:
                try:
                    found = connection.execute("pragma integrity_check").fetchall()
                except sqlite3.DatabaseError as error:
                    found = [str(error)]
                if found != [("ok",)]:
                    return Verdict(damage=f"integrity_check says {found[:3]}")
        # The engine gets what the cut has left, and not what SQLite has made of it.
        folder = self._folder / "examined"
        written(image, folder)
        return examined(f"sqlite:///{folder / SQLITE_FILE}", self._told)


def examined(url: str, told: Told) -> Verdict | int:
    """What is wrong with a store, or the place of the first fact that is missing in it."""
    try:
        return told.missing(facts_of(url))
    except Exception as error:  # whatever it is, this store is of no use any more
        return Verdict(damage=f"{type(error).__name__}: {error}")
