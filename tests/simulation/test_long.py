"""Whether `make simulate-long` counts, goes on where it was stopped, and ends at the first world that breaks."""

from pathlib import Path

import pytest

from tests.simulation import long
from tests.simulation.mutants import MUTANTS, planted


def test_what_was_counted_is_kept_and_the_same_command_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--first", "1", "--part", "1", "--processes", "1", "--commands"]

    assert long.main([*words, "1"], tmp_path) == 0
    first = capsys.readouterr().out
    kept = {file.name for file in tmp_path.glob("*/seeds-*.json")}
    assert long.main([*words, "2"], tmp_path) == 0
    again = capsys.readouterr().out

    assert kept == {"seeds-1-1.json"}
    assert "1 worlds (0 with limits and budgets, 0 with streams, 0 with servers)" in first
    assert first.splitlines()[-1] == "Everything holds."
    assert "1 worlds with" in again.splitlines()[0]
    assert first.splitlines()[-2:] == again.splitlines()[-2:]  # one world was enough: nothing is left to do


def test_the_first_world_that_breaks_ends_a_part_and_can_be_repeated() -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "an idempotency key is ignored")

    with planted(mutant):
        counts = long.counted(range(mutant.seed, mutant.seed + 2))

    assert counts.worlds == 1
    assert f"make simulate SEED={mutant.seed} ONLY=" in counts.broken
