"""The log is brought into the database file by whoever holds the write lock, and by nobody else."""

import os
import sqlite3
import time
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, NewExecution, open_blocking_engine
from flowfabric.stores.sqlite import writer
from flowfabric.stores.sqlite.connection import BUSY_MS
from flowfabric.stores.sqlite.store import SqliteStore
from tests.stores.sqlite.books import connected

ROUND = [NewExecution(kind="kind", payload=b"x" * 500)] * 20


@pytest.fixture
def frequent(monkeypatch: pytest.MonkeyPatch) -> int:
    """Let a checkpoint be due after so many bytes."""
    monkeypatch.setattr(writer, "CHECKPOINT_BYTES", 256 * 1024)
    return 256 * 1024


def test_the_log_does_not_grow_without_bound_under_steady_writes(
    engine: BlockingEngine, path: Path, frequent: int
) -> None:
    log = Path(f"{path}-wal")
    sizes = []

    for _ in range(100):
        engine.create_executions(ROUND)
        sizes.append(log.stat().st_size)

    assert path.stat().st_size > 4 * frequent, "nothing reached the database file"
    # Our count of bytes is rough: a few pages are written for each row. What matters is that it does not go on growing.
    assert max(sizes) < 10 * frequent
    assert max(sizes[50:]) < 1.5 * max(sizes[:50])


def test_two_processes_worth_of_writers_keep_the_log_bounded_too(url: str, path: Path, frequent: int) -> None:
    with open_blocking_engine(url, reconcile=False) as one, open_blocking_engine(url, reconcile=False) as other:
        for _ in range(50):
            one.create_executions(ROUND)
            other.create_executions(ROUND)

        assert os.stat(f"{path}-wal").st_size < 20 * frequent


def test_small_writes_are_counted_as_well(engine: BlockingEngine, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "CHECKPOINT_BYTES", 16 * 1024)
    engine.create_execution("kind")
    lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease

    for percent in [*range(100)] * 4:
        engine.progress(lease, percent=percent)

    # Each of these commits adds at least one page of 4 KiB to a log that nobody merges.
    assert os.stat(f"{path}-wal").st_size < 400 * 4096 / 2


def test_the_log_of_one_caller_who_awaits_every_step_stays_short(
    engine: BlockingEngine, path: Path, frequent: int
) -> None:
    for _ in range(200):
        engine.create_execution("kind")

    # Each of these commits writes several pages of 4 KiB, although its rows have a few hundred bytes.
    assert os.stat(f"{path}-wal").st_size < 6 * frequent


def test_automatic_checkpoints_are_off_on_every_connection(path: Path) -> None:
    store = SqliteStore(str(path))
    opened = store.writer()
    with store.readers.reading() as reader:
        limits = [
            connection.execute("pragma wal_autocheckpoint").fetchone() for connection in (opened.connection, reader)
        ]

    assert limits == [(0,), (0,)]
    opened.close()
    store.close()


def test_a_checkpoint_that_a_reader_holds_up_fails_nobody_and_is_made_up_for(
    engine: BlockingEngine, path: Path, frequent: int
) -> None:
    engine.create_execution("kind")
    reader = connected(path)
    reader.execute("begin")
    reader.execute("select count(*) from ff_exec_core").fetchone()
    took_s: list[float] = []
    for _ in range(60):
        started = time.monotonic()
        engine.create_executions(ROUND)
        took_s.append(time.monotonic() - started)
    # Each of them makes a checkpoint; one that waited for the reader would have waited for so long.
    assert max(took_s) < BUSY_MS / 1000, "a checkpoint has waited for the reader"
    held_up = os.stat(f"{path}-wal").st_size

    reader.execute("rollback")
    reader.close()
    for _ in range(60):
        engine.create_executions(ROUND)

    # With nobody in the way the log starts over at its beginning instead of growing by as much again.
    assert os.stat(f"{path}-wal").st_size < held_up * 1.5


def test_the_last_to_close_leaves_one_file_with_everything_in_it(url: str, path: Path) -> None:
    with open_blocking_engine(url, reconcile=False) as engine:
        created = engine.create_execution("kind").execution_id
        engine.describe_execution(created)

    assert not Path(f"{path}-wal").exists()
    copy = path.with_name("copy.db")
    copy.write_bytes(path.read_bytes())
    alone = sqlite3.connect(copy)
    assert alone.execute("select execution_id from ff_execution").fetchall() == [(created,)]
    alone.close()
