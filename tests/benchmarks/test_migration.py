"""The migration under load that `make soak` makes: what it finds, and what it would notice."""

import importlib
from pathlib import Path
from types import ModuleType

import pytest
from rich.console import Console

from flowfabric import open_blocking_engine

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def migration(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program's file, which finds the others as it does when it is run."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    found = importlib.import_module("migration")
    monkeypatch.setattr(found, "BEFORE_S", 0.1)
    return found


def test_writers_go_on_beside_migrations_and_lose_nothing(migration: ModuleType, tmp_path: Path) -> None:
    console = Console(record=True, quiet=True, width=200)

    is_well = migration.check_migration(console, f"sqlite:///{tmp_path}/jobs.db", 50)

    assert is_well, console.export_text()


def test_what_was_written_and_is_not_there_is_noticed(migration: ModuleType, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.db"
    with open_blocking_engine(url, reconcile=False):
        pass
    seen = migration.Written(completed=["one"])

    # The code of this tree stands for the newest one, too: so an older program is not refused, either.
    code = tmp_path / "code"
    code.mkdir()
    (code / str(migration.KNOWN + 3)).symlink_to(migration.CODE.parent)
    wrong = migration._wrong_at_the_end(url, code, [seen], 0)

    assert wrong == [
        "an older program is not refused after the last migration",
        "['0', '0'] are counted and completed, 1 were written",
    ]
