"""A worker, whole and small: claim, renew while the work goes on, complete or fail, stop when the lease is lost.

`python -m flowfabric.demo.worker URL FOLDER NAME` works until it is told to stop. What it has to say goes to standard
output, one JSON line each, because in the demo that is a file.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Final, Literal

import msgspec

from flowfabric.app import open_blocking_engine
from flowfabric.demo.ledger import Ledger
from flowfabric.domain.errors import EngineError, StoreUnavailable
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Claimed
from flowfabric.engine.blocking import BlockingEngine

LEASE_MS: Final = 2_000
RENEW_S: Final = LEASE_MS / 3000
"""Three chances to renew before the lease is over."""
SLOTS: Final = 2
IDLE_S: Final = 0.05
ORPHAN_S: Final = 0.5
"""How often a worker looks whether whoever started it is still there."""


class Order(msgspec.Struct, frozen=True):
    """The payload: what there is to do."""

    name: str
    pack_ms: int = 60
    charge_ms: int = 60
    provider_is_down: bool = False


class Refusal(msgspec.Struct, frozen=True):
    """What a worker reports when it was told no."""

    execution_id: str
    token: int
    command: str
    code: str


class Worker:
    """Runs orders in a few threads, and keeps their leases."""

    def __init__(self, engine: BlockingEngine, folder: Path, name: str) -> None:
        self._engine = engine
        self._ledger = Ledger(folder / "ledger")
        self._outage = folder / "outage"
        self._name = name
        self._stopping = threading.Event()
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._held: dict[Lease, threading.Event] = {}

    def run(self) -> None:
        """Work until told to stop; what is in hand is finished first."""
        slots = [threading.Thread(target=self._work) for _ in range(SLOTS)]
        keeper = threading.Thread(target=self._keep_leases)
        keeper.start()
        for slot in slots:
            slot.start()
        parent = os.getppid()
        while not self._stopping.wait(ORPHAN_S) and os.getppid() == parent:
            pass
        self._stopping.set()
        for slot in slots:
            slot.join()
        self._stopped.set()
        keeper.join()

    def stop(self, *_: object) -> None:
        """Claim nothing more."""
        self._stopping.set()

    def _work(self) -> None:
        instance = f"{self._name}-{os.getpid()}"
        while not self._stopping.is_set():
            try:
                batch = self._engine.claim(worker_id=self._name, worker_instance_id=instance, lease_ttl_ms=LEASE_MS)
            except StoreUnavailable:
                batch = []
            for claimed in batch:
                self._run_one(claimed)
            if not batch:
                self._stopping.wait(IDLE_S)

    def _run_one(self, claimed: Claimed) -> None:
        lease = claimed.lease
        lost = self._keep(lease)
        try:
            ended = self._try(msgspec.json.decode(claimed.payload, type=Order), lease, lost)
        except EngineError as refusal:
            self._report(lease, "progress", refusal)
            ended = "lost"
        finally:
            self._let_go(lease)
        try:
            if ended == "done":
                self._engine.complete(lease, b"paid")
            elif ended == "failed":
                self._engine.fail(lease, code="provider_down", message="the payment provider does not answer")
        except EngineError as refusal:
            # Someone else has the execution, or will have it when the lease is over. Ours is discarded.
            self._report(lease, "complete", refusal)

    def _try(self, order: Order, lease: Lease, lost: threading.Event) -> Literal["done", "failed", "lost"]:
        if lost.wait(order.pack_ms / 1000):
            return "lost"
        if order.provider_is_down and self._outage.exists():
            return "failed"
        self._engine.progress(lease, percent=50, message="charging")
        # A call that is under way cannot be called back, and the process may be frozen before it arrives.
        # That is what the token is for.
        time.sleep(order.charge_ms / 1000)
        self._ledger.write(lease.execution_id, token=lease.lease_epoch, worker=self._name)
        return "done"

    # ── leases ───────────────────────────────────────────────────────────────────────────────────

    def _keep(self, lease: Lease) -> threading.Event:
        """Have the lease renewed from now on; the event is set if that fails."""
        lost = threading.Event()
        with self._lock:
            self._held[lease] = lost
        return lost

    def _let_go(self, lease: Lease) -> None:
        with self._lock:
            del self._held[lease]

    def _keep_leases(self) -> None:
        while not self._stopped.wait(RENEW_S):
            with self._lock:
                held = list(self._held.items())
            for lease, lost in held:
                try:
                    self._engine.renew(lease)
                except EngineError as refusal:
                    with self._lock:
                        still_held = lease in self._held
                    if still_held and not refusal.retryable:
                        self._report(lease, "renew", refusal)
                        lost.set()

    def _report(self, lease: Lease, command: str, refusal: EngineError) -> None:
        line = msgspec.json.encode(Refusal(lease.execution_id, lease.lease_epoch, command, refusal.code))
        print(line.decode(), flush=True)


def main(url: str, folder: str, name: str) -> None:
    """Run a worker until it is asked to stop."""
    with open_blocking_engine(url) as engine:
        worker = Worker(engine, Path(folder), name)
        signal.signal(signal.SIGTERM, worker.stop)
        signal.signal(signal.SIGINT, worker.stop)
        worker.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
