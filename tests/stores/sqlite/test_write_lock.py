"""Who may write to a file: one process at a time, in turn, and never for longer than it lives."""

import fcntl
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, StoreUnavailable, open_blocking_engine
from flowfabric.app import plan_migrations
from flowfabric.stores.sqlite import write_lock
from flowfabric.stores.sqlite.write_lock import WriteLock
from tests.stores.sqlite.books import connected
from tests.stores.sqlite.conftest import Open
from tests.stores.sqlite.processes import report_of, run, running, tell, wait_until, wait_until_ready


@contextmanager
def lock_held(path: Path) -> Iterator[None]:
    """Hold the write lock as another process would."""
    file = os.open(f"{path}-lock", os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


@pytest.mark.xdist_group("sqlite: fairness")
def test_a_process_that_writes_without_pause_does_not_starve_another(url: str, path: Path, open_another: Open) -> None:
    engine = open_another()
    books = connected(path)

    def commits() -> int:
        return int(books.execute("select count(*) from ff_batch").fetchone()[0])

    with running("write_without_end", url) as greedy:
        wait_until_ready(greedy)
        wait_until(lambda: commits() > 50)
        before = commits()

        for _ in range(100):
            engine.create_execution("kind")

        others = commits() - before - 100
    books.close()
    # In turn means one each, for as long as both ask; between two questions of ours the other is free to write.
    assert others < 10 * 100


def test_whoever_waits_is_next_even_if_the_holder_asks_again_at_once(path: Path) -> None:
    greedy, patient = WriteLock(str(path)), WriteLock(str(path))
    turns: list[str] = []

    def wait_in_turn() -> None:
        patient.acquire()
        turns.append("patient")
        patient.release()

    greedy.acquire()
    waiting = threading.Thread(target=wait_in_turn)
    waiting.start()
    wait_until(lambda: is_locked(f"{path}-turn"))

    greedy.release()
    greedy.acquire()
    turns.append("greedy")

    greedy.release()
    waiting.join()
    assert turns == ["patient", "greedy"]
    greedy.close()
    patient.close()


def test_threads_that_share_a_lock_take_turns_like_processes_do(path: Path) -> None:
    shared = WriteLock(str(path))
    inside: list[str] = []
    met: list[list[str]] = []

    def close_a_connection() -> None:
        with shared.held():
            inside.append("closing")
            met.append(list(inside))
            inside.remove("closing")

    with shared.held():
        inside.append("writing")
        closing = threading.Thread(target=close_a_connection)
        closing.start()
        closing.join(timeout=0.1)
        assert is_locked(f"{path}-lock"), "the lock was given away by a thread that did not hold it"
        inside.remove("writing")
    closing.join(timeout=10)

    assert met == [["closing"]]
    shared.close()


def test_a_thread_that_gives_up_leaves_the_lock_to_the_thread_that_holds_it(path: Path) -> None:
    shared = WriteLock(str(path))
    refusals: list[StoreUnavailable] = []

    def wait_briefly() -> None:
        try:
            shared.acquire(0.05)
        except StoreUnavailable as refusal:
            refusals.append(refusal)

    with shared.held():
        impatient = threading.Thread(target=wait_briefly)
        impatient.start()
        impatient.join(timeout=10)

        assert is_locked(f"{path}-lock")
    assert len(refusals) == 1
    assert not is_locked(f"{path}-lock")
    shared.close()


def test_a_wait_that_is_broken_off_lets_the_others_wait(path: Path) -> None:
    shared, other = WriteLock(str(path)), WriteLock(str(path))
    with other.held():
        waiting = shared.acquiring()
        next(waiting)

        waiting.close()

    shared.acquire(1.0)
    shared.release()
    shared.close()
    other.close()


def is_locked(path: str) -> bool:
    file = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def test_a_write_that_has_waited_long_enough_names_the_process_it_waited_for(
    engine: BlockingEngine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_lock, "WAIT_S_MAX", 0.2)
    with running("hold_the_write_lock", path) as holder:
        wait_until_ready(holder)

        with pytest.raises(StoreUnavailable, match=rf"locked for writing .* by the process with pid {holder.pid}\b"):
            engine.create_execution("kind")

        tell(holder, "let go")
        report_of(holder)
    assert engine.create_execution("kind").public_state == "waiting"


def test_looking_at_what_is_to_be_migrated_waits_its_turn(
    engine: BlockingEngine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_lock, "WAIT_S_MAX", 0.2)
    link = path.with_name("link.db")
    link.symlink_to(path)
    with running("hold_the_write_lock", path) as holder:
        wait_until_ready(holder)

        with pytest.raises(StoreUnavailable, match=rf"by the process with pid {holder.pid}\b"):
            plan_migrations(f"sqlite:///{link}")

    assert plan_migrations(f"sqlite:///{link}").migrations == []


def test_one_that_waits_behind_another_waiter_is_told_of_the_holder_too(
    engine: BlockingEngine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_lock, "WAIT_S_MAX", 0.2)
    turnstile = os.open(f"{path}-turn", os.O_RDWR)
    with running("hold_the_write_lock", path) as holder:
        wait_until_ready(holder)
        fcntl.flock(turnstile, fcntl.LOCK_EX)

        with pytest.raises(StoreUnavailable, match=rf"pid {holder.pid}\b"):
            engine.create_execution("kind")

    os.close(turnstile)


def test_a_killed_holder_leaves_the_lock_free(engine: BlockingEngine, path: Path) -> None:
    with running("hold_the_write_lock", path) as holder:
        wait_until_ready(holder)

        holder.send_signal(signal.SIGKILL)
        holder.wait(timeout=60)

        assert engine.create_execution("kind").public_state == "waiting"


def test_a_forked_child_that_outlives_a_killed_holder_does_not_keep_the_lock(
    engine: BlockingEngine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_lock, "WAIT_S_MAX", 2.0)
    with running("fork_and_die_with_the_lock", path) as holder:
        wait_until_ready(holder)

        holder.kill()
        holder.wait(timeout=60)

        assert engine.create_execution("kind").public_state == "waiting"


def test_an_engine_used_in_a_forked_child_raises_and_says_what_to_do(url: str) -> None:
    report = run("fork_and_use_the_engine", url)

    for use, met in report["met"].items():
        assert met.startswith("StoreError: This engine was opened in process"), (use, met)
        assert met.endswith("Open an engine of its own in the child process."), (use, met)
    assert report["child_status"] == 0, "leaving the engine's block in the child failed"
    assert report["still_there"], "the parent's engine was disturbed"


def test_reads_stay_up_while_the_writer_is_blocked(engine: BlockingEngine, path: Path) -> None:
    known = engine.create_execution("kind").execution_id
    claimed = engine.claim(worker_id="w", worker_instance_id="i")[0]
    with lock_held(path):
        waiting = threading.Thread(target=engine.complete, args=(claimed.lease, b"done"))
        waiting.start()

        snapshot = engine.describe_execution(known)
        assert snapshot is not None
        assert snapshot.public_state == "active"
        assert engine.get_result(known) is None
        assert len(engine.list_executions().items) == 1
        assert len(engine.list_attempts(known)) == 1
        assert [event.event_type for event in engine.read_events().events] == ["acquired"]
        engine.ping()
        assert waiting.is_alive()
    waiting.join(timeout=60)

    assert engine.get_result(known) == b"done"


def test_closing_waits_for_the_lock_because_the_last_close_writes(url: str, path: Path) -> None:
    opened = open_blocking_engine(url, reconcile=False)
    engine = opened.__enter__()
    engine.create_execution("kind")
    closing = threading.Thread(target=opened.__exit__, args=(None, None, None))
    with lock_held(path):
        closing.start()

        closing.join(timeout=0.3)
        assert closing.is_alive()
        assert Path(f"{path}-wal").stat().st_size > 0
    closing.join(timeout=60)

    assert not Path(f"{path}-wal").exists()


def test_two_engines_of_one_process_take_turns(url: str, path: Path, open_another: Open) -> None:
    engines = [open_another(), open_another()]
    threads = [
        threading.Thread(target=lambda engine=engine: [engine.create_execution("kind") for _ in range(50)])
        for engine in engines
    ]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)

    assert len(engines[0].list_executions(limit=1000).items) == 100


def test_one_file_under_two_names_has_one_lock(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_lock, "WAIT_S_MAX", 0.2)
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "alias.db").symlink_to(path)
    with (
        open_blocking_engine(f"sqlite:///{path}", reconcile=False),
        open_blocking_engine(f"sqlite:///{tmp_path}/link/shop.db", reconcile=False) as through_a_folder,
        open_blocking_engine(f"sqlite:///{tmp_path}/alias.db", reconcile=False) as through_a_link,
        lock_held(path),
    ):
        for engine in (through_a_folder, through_a_link):
            with pytest.raises(StoreUnavailable, match="locked for writing"):
                engine.create_execution("kind")


def test_the_lock_can_be_taken_again_after_a_wait_that_was_given_up(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_lock, "WAIT_S_MAX", 0.05)
    one, other = WriteLock(str(path)), WriteLock(str(path))
    one.acquire()
    with pytest.raises(StoreUnavailable):
        other.acquire()

    one.release()
    other.acquire()

    other.release()
    one.close()
    other.close()
