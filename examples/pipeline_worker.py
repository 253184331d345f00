"""A worker loop that keeps its leases alive and fences its effects.

One worker renews while it works, so a job may take far longer than its lease. Another one stalls: its lease passes
on, and when it wakes up, neither the engine nor the ledger listens to it any more.

Run it: python examples/pipeline_worker.py
"""

import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flowfabric import BlockingEngine, Claimed, Lease, NewExecution, Refused, open_blocking_engine

LEASE_MS = 600


class Ledger:
    """A table of our own. It keeps the highest fencing token per job and takes nothing from a lower one."""

    def __init__(self, path: str) -> None:
        self._path = path
        with self._open() as connection:
            connection.execute("create table effect (job text primary key, token integer, worker text)")

    def write(self, lease: Lease) -> bool:
        """True if the effect took place; False if a later attempt was here before."""
        with self._open() as connection:
            changed = connection.execute(
                "insert into effect values (?, ?, ?) on conflict (job) do update"
                " set token = excluded.token, worker = excluded.worker where excluded.token >= token",
                (lease.execution_id, lease.lease_epoch, lease.worker_instance_id),
            )
            return changed.rowcount == 1

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._path)
        try:
            with connection:
                yield connection
        finally:
            connection.close()


@contextmanager
def keeping(engine: BlockingEngine, lease: Lease) -> Iterator[threading.Event]:
    """Renew the lease while the block runs; the event is set if it is lost, and then the work should stop."""
    lost, done = threading.Event(), threading.Event()

    def renew() -> None:
        while not done.wait(LEASE_MS / 3000):
            try:
                engine.renew(lease)
            except Refused:
                lost.set()
                return

    keeper = threading.Thread(target=renew)
    keeper.start()
    try:
        yield lost
    finally:
        done.set()
        keeper.join()


def run(engine: BlockingEngine, ledger: Ledger, claimed: Claimed) -> None:
    frames = int(claimed.payload)
    with keeping(engine, claimed.lease) as lost:
        for frame in range(frames):
            if lost.wait(0.1):
                return
            engine.progress(claimed.lease, percent=100 * (frame + 1) // frames)
        ledger.write(claimed.lease)
        engine.complete(claimed.lease, b"%d frames" % frames)
        print(f"{claimed.lease.worker_instance_id}: {frames} frames, attempt {claimed.attempt_index}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_blocking_engine(f"sqlite:///{folder}/jobs.db") as engine:
        ledger = Ledger(f"{folder}/ledger.db")
        engine.create_executions(
            [NewExecution(kind="render", payload=b"%d" % frames, lane="video") for frames in (1, 2, 12)]
        )

        # This one claims a job and then stalls, as a process does whose machine is suspended.
        (stalled,) = claim(engine, "stalled")
        while len(engine.list_executions(public_state="completed").items) < 3:
            for claimed in claim(engine, "steady"):
                # If the lease was lost, another attempt has the job, or will; what we made is discarded.
                with suppress(Refused):
                    run(engine, ledger, claimed)
            time.sleep(0.05)

        print(f"stalled wakes up; the ledger takes its effect: {ledger.write(stalled.lease)}")
        try:
            engine.complete(stalled.lease, b"too late")
        except Refused as refusal:
            print(f"and the engine refuses its result: {refusal.code}")
        print(f"result that counts: {engine.get_result(stalled.execution_id)!r}")


def claim(engine: BlockingEngine, worker: str) -> list[Claimed]:
    return engine.claim(
        worker_id=worker, worker_instance_id=f"{worker}-1", lanes=["video"], limit=1, lease_ttl_ms=LEASE_MS
    )


if __name__ == "__main__":
    main()
