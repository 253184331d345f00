"""A worker, whole and small: claim, renew while the work goes on, complete or fail, stop when the lease is lost.

`python -m flowfabric.demo.worker URL FOLDER NAME` works until it is told to stop. What it has to say goes to standard
output, one JSON line each, because in the demo that is a file.
"""

import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from flowfabric.app import open_blocking_engine
from flowfabric.demo.film import Step, result_of
from flowfabric.demo.ledger import Ledger
from flowfabric.domain.errors import EngineError, StoreUnavailable
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Claimed
from flowfabric.engine.blocking import BlockingEngine

CHARGE: Final = "charge"
"""The kind of orders; all others are steps of a film."""
LEASE_MS: Final = 2_000
RENEW_S: Final = LEASE_MS / 3000
"""Three chances to renew before the lease is over."""
SLOTS: Final = 2
IDLE_S: Final = 0.05
TICKS: Final = 5
"""How often a step of a film says how far it is."""
ORPHAN_S: Final = 0.5
"""How often a worker looks whether whoever started it is still there."""


class Order(msgspec.Struct, frozen=True):
    """The payload of an order: what there is to do."""

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


class WorkFailed(Exception):
    """What was to be done cannot be done, now or at all."""

    def __init__(self, code: str, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable


class LeaseLost(Exception):
    """Someone else has the execution, or it has ended; the work on it was stopped."""


class Worker:
    """Runs orders and steps in a few threads, and keeps their leases."""

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
        try:
            result = self._result_of(claimed)
            self._engine.complete(lease, result)
        except WorkFailed as failure:
            self._fail(lease, failure)
        except LeaseLost:
            self._acknowledge(claimed)
        except EngineError as refusal:
            # Someone else has the execution, or will have it when the lease is over. Ours is discarded.
            self._report(lease, "complete", refusal)
            self._acknowledge(claimed)

    def _fail(self, lease: Lease, failure: WorkFailed) -> None:
        try:
            self._engine.fail(lease, code=failure.code, message=str(failure), retryable=failure.retryable)
        except EngineError as refusal:
            self._report(lease, "fail", refusal)

    def _acknowledge(self, claimed: Claimed) -> None:
        """Say that our work on a member of a flow has stopped, in case someone waits for that."""
        if claimed.flow_id is not None:
            with suppress(EngineError):
                self._engine.ack_cancel_member(claimed.flow_id, claimed.execution_id)

    def _result_of(self, claimed: Claimed) -> bytes:
        """Do the work while its lease is kept."""
        lost = self._keep(claimed.lease)
        try:
            if claimed.kind == CHARGE:
                return self._charge(msgspec.json.decode(claimed.payload, type=Order), claimed.lease, lost)
            return self._make(msgspec.json.decode(claimed.payload, type=Step), claimed, lost)
        finally:
            self._let_go(claimed.lease)

    def _make(self, step: Step, claimed: Claimed, lost: threading.Event) -> bytes:
        for tick in range(1, TICKS + 1):
            if lost.wait(step.takes_ms / TICKS / 1000):
                raise LeaseLost
            self._progress(claimed.lease, percent=100 * tick // TICKS, message=step.name)
            if step.is_damaged and tick > TICKS // 2:
                raise WorkFailed("damaged", f"{step.name} cannot be read", retryable=False)
        return result_of(step, claimed.inputs)

    def _charge(self, order: Order, lease: Lease, lost: threading.Event) -> bytes:
        if lost.wait(order.pack_ms / 1000):
            raise LeaseLost
        if order.provider_is_down and self._outage.exists():
            raise WorkFailed("provider_down", "the payment provider does not answer", retryable=True)
        self._progress(lease, percent=50, message="charging")
        # A call that is under way cannot be called back, and the process may be frozen before it arrives.
        # That is what the token is for.
        time.sleep(order.charge_ms / 1000)
        self._ledger.write(lease.execution_id, token=lease.lease_epoch, worker=self._name)
        return b"paid"

    def _progress(self, lease: Lease, *, percent: int, message: str) -> None:
        try:
            self._engine.progress(lease, percent=percent, message=message)
        except EngineError as refusal:
            self._report(lease, "progress", refusal)
            raise LeaseLost from refusal

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
