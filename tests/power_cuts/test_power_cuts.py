"""A sample of what `make power-cuts` does: the power is cut, and nothing that was acknowledged is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.power_cuts import mutants, postgres_cuts, sqlite_cuts
from tests.power_cuts.checking import SqliteImages, Told, Verdict
from tests.power_cuts.cutting import cuts
from tests.power_cuts.disk import Disk, Image, is_memory
from tests.power_cuts.parts import Part, private_folder, run
from tests.power_cuts.recording import Record
from tests.sizes import IS_FULL

SQLITE_IMAGES = 30
POSTGRES_IMAGES = 2
IMAGES_UNTIL_FOUND = 300
HEALTHY = "healthy"


@pytest.mark.xdist_group("power cuts of SQLite")
def test_sqlite_keeps_what_it_has_acknowledged_and_a_store_that_does_not_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "recorded"
    topics = {f"mutant-{number}": mutant for number, mutant in enumerate(mutants.SQLITE)}
    plans = [
        sqlite_cuts.plan_for(folder, topic, "sample", rounds=3, lives=1, mutant=mutant)
        for topic, mutant in ((HEALTHY, ""), *topics.items())
    ]

    # One process for all of them: to start it takes longer than to run them.
    recorded = sqlite_cuts.recorded(folder, plans)

    assert_the_model_has_seen_everything(None, recorded[HEALTHY], folder / HEALTHY)
    assert list(_wrong(recorded[HEALTHY], tmp_path, SQLITE_IMAGES)) == []
    for topic, mutant in topics.items():
        found = next(_wrong(recorded[topic], tmp_path, IMAGES_UNTIL_FOUND), None)
        assert found is not None, f"{mutant} was not found"
        assert not found.damage or mutant != mutants.STAYS_WHOLE


@pytest.mark.xdist_group("power cuts of PostgreSQL")
def test_postgres_keeps_what_it_has_acknowledged() -> None:
    with private_folder() as folder:
        base = postgres_cuts.base(folder / "base")
        recorded = postgres_cuts.recorded(folder / "recorded", base, "sample", rounds=4)

        assert_the_model_has_seen_everything(base, recorded, folder / "recorded" / "data")
        images = postgres_cuts.PostgresImages(folder / "image", Told(recorded))
        found = [each.verdict for each in cuts(base, recorded, images, POSTGRES_IMAGES, "sample")]
        assert found == [Verdict()] * POSTGRES_IMAGES


if IS_FULL:  # each takes half a minute

    @pytest.mark.parametrize("mutant", mutants.POSTGRES)
    def test_a_server_that_acknowledges_too_early_or_tears_pages_is_found(mutant: str, tmp_path: Path) -> None:
        counts = run(Part("postgres", 0, IMAGES_UNTIL_FOUND, "mutants", mutant), tmp_path)

        assert counts.damaged + counts.lost > 0


def assert_the_model_has_seen_everything(base: Image | None, records: list[Record], folder: Path) -> None:
    """What the disk would be without a cut is what the folder is, byte for byte."""
    disk = Disk(base)
    for each in records:
        disk.apply(each)
    seen = {path: content for path, content in disk.seen().items() if not is_memory(path)}
    there = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    assert seen == {
        name: None if path.is_dir() else path.read_bytes() for name, path in there.items() if not is_memory(name)
    }


def _wrong(records: list[Record], folder: Path, count: int) -> Iterator[Verdict]:
    images = SqliteImages(folder, Told(records))
    return (each.verdict for each in cuts(None, records, images, count, "sample") if each.verdict != Verdict())
