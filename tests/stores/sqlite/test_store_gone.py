"""The file is moved away, comes back, or another one stands in its place."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, EngineError, NewExecution, StoreUnavailable, open_blocking_engine
from flowfabric.app import plan_migrations
from flowfabric.engine import limits
from tests.stores.sqlite.books import connected, violations

PARTS = ("", "-wal", "-shm")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up on a store that is gone after a moment."""
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 0.2)


@pytest.fixture
def known(engine: BlockingEngine) -> str:
    """An execution that was written and read before anything went wrong."""
    created = engine.create_execution("kind", b"payload").execution_id
    assert engine.describe_execution(created) is not None
    return created


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Path]:
    """A whole database of another incarnation."""
    path = tmp_path / "another.db"
    with open_blocking_engine(f"sqlite:///{path}", reconcile=False) as engine:
        engine.create_execution("another kind")
    return path


def move(source: Path, target: Path) -> None:
    for part in PARTS:
        if Path(f"{source}{part}").exists():
            Path(f"{source}{part}").rename(f"{target}{part}")


@pytest.mark.parametrize("whole", [True, False], ids=["with its log", "without its log"])
def test_while_the_file_is_away_writes_are_refused_and_reads_stay_up(
    engine: BlockingEngine, known: str, path: Path, tmp_path: Path, whole: bool
) -> None:
    away = tmp_path / "away.db"
    move(path, away) if whole else path.rename(away)

    with pytest.raises(StoreUnavailable, match=r"shop\.db is gone.* Nothing was changed; send it again later\."):
        engine.create_execution("kind")
    snapshot = engine.describe_execution(known)

    assert snapshot is not None
    assert snapshot.public_state == "waiting"
    move(away, path) if whole else away.rename(path)
    engine.create_execution("kind")
    assert len(engine.list_executions().items) == 2
    assert [each.payload for each in engine.claim(worker_id="w", worker_instance_id="i")] == [b"payload"]


def test_a_write_waits_for_a_file_that_comes_back_in_time(
    engine: BlockingEngine, known: str, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 20.0)
    away = tmp_path / "away.db"
    move(path, away)
    writing = threading.Thread(target=engine.create_execution, args=("kind",))
    writing.start()
    assert engine.describe_execution(known) is not None
    assert writing.is_alive()

    move(away, path)
    writing.join(timeout=20)

    assert not writing.is_alive()
    assert len(engine.list_executions().items) == 2


def test_a_read_waits_for_a_file_that_comes_back_in_time_and_a_health_check_does_not(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 20.0)
    away = tmp_path / "away.db"
    with open_blocking_engine(f"sqlite:///{path}", reconcile=False) as engine:  # it has no read connection yet
        move(path, away)
        with pytest.raises(StoreUnavailable, match="unable to open") as checked:
            engine.ping()
        found: list[object] = []
        reading = threading.Thread(target=lambda: found.append(engine.list_executions().items))
        reading.start()
        reading.join(timeout=0.2)
        assert reading.is_alive()

        move(away, path)
        reading.join(timeout=20)

    assert checked.type is StoreUnavailable
    assert found == [[]]


def test_a_whole_folder_may_go_and_come_back(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    home.mkdir()
    with open_blocking_engine(f"sqlite:///{home}/shop.db", reconcile=False) as engine:
        known = engine.create_execution("kind").execution_id
        engine.describe_execution(known)
        home.rename(away)

        with pytest.raises(StoreUnavailable, match="is gone"):
            engine.create_execution("kind")
        assert engine.describe_execution(known) is not None

        away.rename(home)
        engine.create_execution("kind")
        assert len(engine.list_executions().items) == 2


def test_another_database_in_its_place_is_refused(
    engine: BlockingEngine, known: str, path: Path, tmp_path: Path, another: Path
) -> None:
    move(path, tmp_path / "away.db")
    move(another, path)
    sentence = r"Another database was put in the place of .*shop\.db\. Restart what uses it"

    with pytest.raises(StoreUnavailable, match=sentence):
        engine.create_execution("kind")
    with pytest.raises(StoreUnavailable, match=sentence):
        engine.describe_execution(known)
    with pytest.raises(StoreUnavailable, match=sentence):
        engine.list_executions()

    move(path, another)
    move(tmp_path / "away.db", path)
    engine.create_execution("kind")
    assert {item.kind for item in engine.list_executions().items} == {"kind"}
    with open_blocking_engine(f"sqlite:///{another}", reconcile=False) as untouched:
        assert [item.kind for item in untouched.list_executions().items] == ["another kind"]


def test_an_empty_file_in_its_place_is_refused(engine: BlockingEngine, known: str, path: Path, tmp_path: Path) -> None:
    move(path, tmp_path / "away.db")
    path.touch()

    with pytest.raises(StoreUnavailable, match="Another database was put in the place"):
        engine.create_execution("kind")

    path.unlink()
    move(tmp_path / "away.db", path)
    assert engine.create_execution("kind").public_state == "waiting"


def test_reads_follow_to_a_copy_of_the_database_that_writes_have_moved_to(
    engine: BlockingEngine, known: str, path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    with connected(path) as source, connected(copy) as target:
        source.backup(target)
    source.close()
    target.close()
    move(path, tmp_path / "old.db")
    shutil.move(copy, path)

    lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
    engine.complete(lease, b"done")

    snapshot = engine.describe_execution(known)
    assert snapshot is not None
    assert snapshot.public_state == "completed"
    assert engine.get_result(known) == b"done"
    # Closing what belonged to the old file took nothing away from the new one.
    books = connected(path)
    assert violations(books) == []
    assert books.execute("select public_state from ff_execution").fetchall() == [("completed",)]
    books.close()


def test_everyone_who_waits_is_told_and_nobody_is_told_twice(
    engine: BlockingEngine, known: str, path: Path, tmp_path: Path
) -> None:
    away = tmp_path / "away.db"
    move(path, away)
    answers: list[object] = []

    def write() -> None:
        try:
            answers.append(engine.create_executions([NewExecution(kind="kind")] * 3))
        except EngineError as error:
            answers.append(error)

    writers = [threading.Thread(target=write) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(timeout=20)

    assert [type(answer) for answer in answers] == [StoreUnavailable] * 8
    assert len(set(map(id, answers))) == 8
    move(away, path)
    books = connected(path)
    assert violations(books) == []
    assert books.execute("select count(*) from ff_exec_core").fetchone() == (1,)
    books.close()


def test_what_cannot_be_opened_or_read_is_unavailable_under_no_other_name(
    engine: BlockingEngine, known: str, path: Path, tmp_path: Path
) -> None:
    move(path, tmp_path / "away.db")
    path.mkdir()

    with pytest.raises(StoreUnavailable) as opening, open_blocking_engine(f"sqlite:///{path}", reconcile=False):
        pass
    with pytest.raises(StoreUnavailable) as reading:
        engine.describe_execution(known)
    with pytest.raises(StoreUnavailable) as planning:
        plan_migrations(f"sqlite:///{path}")

    for error in (opening, reading, planning):
        assert error.type is StoreUnavailable
