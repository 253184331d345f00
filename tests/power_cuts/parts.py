"""One recording and the cuts that are made of it: what one process does at a time."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from tests.conftest import IN_MEMORY
from tests.power_cuts import mutants, postgres_cuts, sqlite_cuts
from tests.power_cuts.checking import SqliteImages, Told, written
from tests.power_cuts.cutting import Found, cuts

FAILURES_KEPT = 3
SQLITE_SIZE = {"rounds": 12, "processes": 2}
MUTANT_SIZE = {"rounds": 10}
POSTGRES_ROUNDS = 40


class Part(msgspec.Struct, frozen=True):
    """One recording, and the cuts that are made of it."""

    store: str
    number: int
    images: int
    seed: str
    mutant: str = ""

    @property
    def name(self) -> str:
        return f"{self.store}-{self.mutant or self.number}".replace(" ", "_")


class Counts(msgspec.Struct):
    """What came of it."""

    store: str
    mutant: str
    images: int = 0
    examined: int = 0
    """How many different databases the engine has opened."""
    facts: int = 0
    """How many facts callers were told."""
    records: int = 0
    damaged: int = 0
    lost: int = 0
    first: str = ""
    """What was wrong first."""
    cpu_s: float = 0.0

    def add(self, other: "Counts") -> None:
        """Count what came of another part, too."""
        for name in ("images", "examined", "facts", "records", "damaged", "lost", "cpu_s"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.first = self.first or other.first


def run(part: Part, kept: Path) -> Counts:
    """Record a store, cut its power, and keep the counts."""
    begun = os.times()
    counts = Counts(part.store, part.mutant)
    with private_folder() as folder:
        for found in _cuts(part, folder, counts):
            counts.images += 1
            counts.damaged += bool(found.verdict.damage)
            counts.lost += bool(found.verdict.lost)
            if found.verdict.damage or found.verdict.lost:
                counts.first = counts.first or f"cut {found.number} at {found.position}: {found.verdict}"
                if part.mutant == mutants.STAYS_WHOLE:
                    continue
                if part.mutant:
                    break
                if counts.damaged + counts.lost <= FAILURES_KEPT:
                    _keep(found, folder, kept / f"{part.name}-{found.number}")
    counts.cpu_s = sum(os.times()[:4]) - sum(begun[:4])
    fresh = kept / f"{part.name}.fresh"
    fresh.write_bytes(msgspec.json.encode(counts))
    fresh.rename(kept / f"{part.name}.json")
    return counts


def _cuts(part: Part, folder: Path, counts: Counts) -> Iterator[Found]:
    place, seed = folder / "recorded", f"{part.seed}-{part.name}"
    if part.store == "sqlite":
        base = None
        size = MUTANT_SIZE if part.mutant else SQLITE_SIZE
        plan = sqlite_cuts.plan_for(place, "store", seed, mutant=part.mutant, **size)
        records = sqlite_cuts.recorded(place, [plan])["store"]
    else:
        base = postgres_cuts.base(folder / "base")
        settings = [part.mutant] if part.mutant else []
        records = postgres_cuts.recorded(place, base, seed, POSTGRES_ROUNDS, settings)
    told = Told(records)
    counts.records, counts.facts = len(records), told.count
    images = (SqliteImages if part.store == "sqlite" else postgres_cuts.PostgresImages)(folder / "image", told)
    for found in cuts(base, records, images, part.images, seed):
        counts.examined = images.examined
        yield found


def _keep(found: Found, folder: Path, place: Path) -> None:
    written(found.image, place)
    (place / "verdict").write_text(f"{found.position}: {found.verdict}\n")
    shutil.copyfile(folder / "recorded.log", place / "recorded.log")


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder in memory, if there is any. A server may be in it: the path of its socket must be short."""
    place = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="ff-cuts-", dir=place, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # a server may run as somebody else
        yield Path(folder)
