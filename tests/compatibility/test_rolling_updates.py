"""A migration that says so lets older programs go on beside it, and every other one makes them refuse.

The older version is the code of this tree. The newer one is a copy of it with one more migration, which adds a column
to every table, as far as older code may go on beside that.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import flowfabric
from flowfabric import SchemaMismatch, open_blocking_engine
from flowfabric.app import examine, open_store, plan_migrations
from flowfabric.stores._shared.migrate import migrations_of
from tests.compatibility.rolling_program import TASKS
from tests.postgres_server import empty_store

ROOT = Path(__file__).parents[2]
CODE = Path(flowfabric.__file__).parent
KNOWN = len(migrations_of("flowfabric.stores.sqlite"))


def newer_code(folder: Path, *, compatible_from: int) -> Path:
    """A folder with a package that knows one more migration."""
    # With its compiled files: they fit, and none of the processes has to compile the package anew. Other processes may
    # write some just now, under another name first.
    shutil.copytree(CODE, folder / "newer" / "flowfabric", ignore=shutil.ignore_patterns("*.pyc.*"))
    for store in ("sqlite", "postgres"):
        made = "".join(each.sql for each in migrations_of(f"flowfabric.stores.{store}"))
        tables = sorted({"ff_schema_version", *re.findall(r"create table (ff_\w+)", made)})
        assert len(tables) > 20
        added = "\n".join(f"alter table {table} add column added_later text;" for table in tables)
        file = folder / "newer" / "flowfabric" / "stores" / store / "migrations" / f"{KNOWN + 1:04}_added.sql"
        file.write_text(f"-- compatible_from: {compatible_from}\n\n{added}\n")
    return folder / "newer"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database as this version makes it."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/jobs.db"
        open_store(url).close()
        yield url
        return
    with empty_store() as url:
        yield url


def migrate(url: str, code: Path) -> str:
    """`ff migrate` of that code; what it says."""
    ended = subprocess.run(
        [sys.executable, "-m", "flowfabric.cli", "migrate", url],
        env={**os.environ, "PYTHONPATH": str(code)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


@contextmanager
def started(url: str, lane: str, lanes: list[str], code: Path) -> Iterator["subprocess.Popen[str]"]:
    """A program that runs that code; its database is open."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "tests/compatibility/rolling_program.py"), url, lane, *lanes],
        env={**os.environ, "PYTHONPATH": str(code)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            process.kill()
            raise AssertionError(process.communicate()[1])
        yield process
    finally:
        process.kill()
        process.communicate()


def test_programs_of_two_versions_work_beside_each_other_through_a_migration(url: str, tmp_path: Path) -> None:
    newer = newer_code(tmp_path, compatible_from=KNOWN)
    lanes = ["older", "newer", "late"]
    with started(url, "older", lanes, CODE.parent) as older:
        assert f"applied: {KNOWN + 1:04}_added.sql" in migrate(url, newer)
        with started(url, "newer", lanes, newer) as new, started(url, "late", lanes, CODE.parent) as late:
            programs = [older, new, late]
            reports = [json.loads(line) for line in tell_each(programs, "go")]
            ends = tell_each(programs, "done")

    expected = [f"{number} by {lane}" for number in range(TASKS) for lane in lanes]
    assert [report["results"] for report in reports] == [expected] * 3
    assert [report["code"] for report in reports] == [str(CODE), str(newer / "flowfabric"), str(CODE)]
    assert ends == ["", "", ""]
    with open_blocking_engine(url, reconcile=False) as engine:
        assert engine.stats().executions["completed"] == 3 * 3 * TASKS


def tell_each(programs: list["subprocess.Popen[str]"], word: str) -> list[str]:
    """Send all of them a line, and then read one of each."""
    for program in programs:
        assert program.stdin is not None
        program.stdin.write(f"{word}\n")
        program.stdin.flush()
    return [program.stdout.readline() for program in programs if program.stdout is not None]


def test_a_migration_that_is_not_compatible_makes_older_code_refuse(url: str, tmp_path: Path) -> None:
    newer = newer_code(tmp_path, compatible_from=KNOWN + 1)

    migrate(url, newer)

    says = rf"schema version {KNOWN + 1}.* version {KNOWN + 1} or newer.* knows {KNOWN}\. Upgrade flowfabric"
    for asked in (None, True, False):
        with pytest.raises(SchemaMismatch, match=says):
            open_store(url, migrate=asked)
    with pytest.raises(SchemaMismatch, match=says):
        plan_migrations(url)
    refusal = examine(url).schema.refusal
    assert refusal is not None
    assert "Upgrade flowfabric" in refusal
