"""Reads never wait for writes, never make them wait, and see whole batches only."""

import threading
from pathlib import Path

from flowfabric import BlockingEngine, NewExecution
from tests.stores.sqlite.books import connected, violations


def test_a_long_running_reader_blocks_no_writer_and_sees_one_moment(engine: BlockingEngine, path: Path) -> None:
    engine.create_executions([NewExecution(kind="kind")] * 10)
    reader = connected(path)
    reader.execute("begin")
    first_look = reader.execute("select public_state, count(*) from ff_execution group by 1").fetchall()

    for _ in range(20):
        engine.create_executions([NewExecution(kind="kind")] * 10)
        for claimed in engine.claim(worker_id="w", worker_instance_id="i", limit=5):
            engine.complete(claimed.lease)

    assert reader.execute("select public_state, count(*) from ff_execution group by 1").fetchall() == first_look
    reader.execute("rollback")
    assert reader.execute("select public_state, count(*) from ff_execution group by 1").fetchall() == [
        ("completed", 100),
        ("waiting", 110),
    ]
    reader.close()


def test_a_reader_never_sees_half_a_batch(engine: BlockingEngine, path: Path) -> None:
    done = threading.Event()

    def write() -> None:
        try:
            for _ in range(15):
                engine.create_executions([NewExecution(kind="kind")] * 25)
                for claimed in engine.claim(worker_id="w", worker_instance_id="i", limit=20):
                    engine.complete(claimed.lease, b"done")
        finally:
            done.set()

    writing = threading.Thread(target=write)
    reader = connected(path)
    looks, seen = 0, set()
    writing.start()

    while not done.is_set():
        assert violations(reader) == []
        created = reader.execute("select count(*) from ff_exec_core").fetchone()[0]
        assert created % 25 == 0, "a call of create_executions was seen in part"
        looks += 1
        seen.add(created)

    writing.join()
    assert len(seen) > 3, f"only {looks} looks met the writer at work"
    reader.close()


def test_a_page_of_executions_and_its_parts_are_of_one_moment(engine: BlockingEngine) -> None:
    known = engine.create_execution("kind").execution_id
    stop = threading.Event()

    def run_again_and_again() -> None:
        while not stop.is_set():
            lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
            engine.release(lease)

    running = threading.Thread(target=run_again_and_again)
    running.start()
    try:
        for _ in range(200):
            attempts = engine.list_attempts(known)

            # An attempt is open exactly while it is the last one and holds the lease.
            assert all(attempt.outcome == "released" for attempt in attempts[:-1])
            assert [attempt.attempt_index for attempt in attempts] == list(range(len(attempts)))
            for attempt in attempts[-1:]:
                assert (attempt.outcome is None) == (attempt.worker_instance_id is not None)
    finally:
        stop.set()
        running.join()
