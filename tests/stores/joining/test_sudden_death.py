"""kill -9 of the caller: before its commit nothing was submitted, after it the submit is there with everything else."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, Created, Duplicate, open_blocking_engine
from tests.postgres_server import connected
from tests.stores.joining.kinds import database, path_in
from tests.stores.sqlite.books import violations

PROGRAM = Path(__file__).with_name("program.py")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as url:
        with open_blocking_engine(url, reconcile=False, migrate=True):
            pass
        yield url


def killed(url: str, moment: str) -> list[str]:
    """What the caller has said before it was killed there."""
    process = subprocess.Popen(
        [sys.executable, str(PROGRAM), url, moment], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        said = [process.stdout.readline().strip()]
        if moment == "after":
            said.append(process.stdout.readline().strip())
    finally:
        process.kill()
        process.communicate(timeout=20)
    assert process.returncode == -9
    return said


def orders_in(url: str) -> list[tuple[str]]:
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(path_in(url), isolation_level=None)) as books:
            assert violations(books) == []
            return books.execute("select name from orders").fetchall()
    with connected(url) as books:
        return books.execute("select name from orders").fetchall()


def submit_again(engine: BlockingEngine) -> Created | Duplicate:
    return engine.create_execution("mail", b"pen", idempotency_key="order-7")


def test_killed_before_the_commit_it_has_submitted_nothing_and_holds_nothing(url: str) -> None:
    (lost,) = killed(url, "before")

    with open_blocking_engine(url, reconcile=False) as engine:
        assert engine.describe_execution(lost) is None
        assert orders_in(url) == []
        assert isinstance(submit_again(engine), Created)


def test_killed_after_the_commit_it_has_submitted_once(url: str) -> None:
    kept, committed = killed(url, "after")

    assert committed == "committed"
    with open_blocking_engine(url, reconcile=False) as engine:
        assert submit_again(engine) == Duplicate(kept)
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", limit=10)
        assert (claimed.execution_id, claimed.payload) == (kept, b"pen")
        assert orders_in(url) == [("pen",)]
