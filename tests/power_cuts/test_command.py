"""`make power-cuts`, when all of its parts have run."""

from pathlib import Path

import msgspec
import pytest

from tests.power_cuts import __main__ as command
from tests.power_cuts import mutants
from tests.power_cuts.parts import Counts, Part

WORDS = ["--sqlite", "5000", "--postgres", "50", "--seed", "7"]


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(command, "KEPT", tmp_path)
    monkeypatch.setattr(command, "recorder", lambda: None)  # nothing is recorded here
    folder = tmp_path / "7"
    folder.mkdir()
    for part in command.parts_of(5_000, 50, "7"):
        keep(folder, part, lost=1 if part.mutant else 0)
    return folder


def keep(folder: Path, part: Part, lost: int = 0, damaged: int = 0) -> None:
    counts = Counts(part.store, part.mutant, images=part.images, lost=lost, damaged=damaged, first="what was wrong")
    (folder / f"{part.name}.json").write_bytes(msgspec.json.encode(counts))


def test_what_was_done_before_an_interruption_is_counted_and_not_done_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(WORDS) == 0

    said = capsys.readouterr().out
    assert "8 recordings were done before" in said
    assert "sqlite        5,000" in said
    assert "seed 7: nothing was damaged, nothing was lost" in said


def test_a_part_that_was_done_with_fewer_images_is_done_again(kept: Path) -> None:
    keep(kept, Part("sqlite", 0, 300, "7"))

    assert command.split(command.parts_of(5_000, 50, "7"), kept)[1] == [Part("sqlite", 0, 5_000, "7")]


def test_an_image_with_a_loss_fails_the_command(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(kept, Part("postgres", 0, 50, "7"), lost=1)

    assert command.main(WORDS) == 1
    assert "postgres: what was wrong" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("mutant", "lost", "damaged"),
    [(mutants.SQLITE[-1], 0, 0), (mutants.STAYS_WHOLE, 0, 0), (mutants.STAYS_WHOLE, 3, 1)],
)
def test_a_mutant_that_is_not_found_or_is_damaged_against_its_promise_fails_the_command(
    mutant: str, lost: int, damaged: int, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(kept, Part("sqlite", 0, 400, "7", mutant), lost, damaged)

    assert command.main(WORDS) == 1
    assert "THIS IS WRONG" in capsys.readouterr().out
