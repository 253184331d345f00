"""What the processes of these tests do. Each program is a function: its name and its arguments come from the command line.

A program writes `ready` when it is set up, may wait for a line of JSON, and reports one line of JSON at its end.
"""

import asyncio
import json
import os
import random
import sys
import threading
from collections.abc import Callable
from hashlib import sha256

from flowfabric import BlockingEngine, Engine, EngineError, InvalidInput, Lease, open_blocking_engine, open_engine
from flowfabric.domain.outcomes import Claimed
from flowfabric.stores.sqlite import writer
from flowfabric.stores.sqlite.store import SqliteStore


def _ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def _told() -> object:
    return json.loads(sys.stdin.readline())


def _report(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")


# ── claiming ─────────────────────────────────────────────────────────────────────────────────────


def claim_everything(url: str, name: str) -> None:
    """Claim and complete with four workers until the queue is empty; report every run and every error."""
    ran: list[str] = []
    errors: list[str] = []

    async def work(engine: Engine, instance: str) -> None:
        while True:
            try:
                claimed = await engine.claim(worker_id=name, worker_instance_id=instance, limit=50)
                if not claimed:
                    return
                ran.extend(each.execution_id for each in claimed)
                await asyncio.gather(*(engine.complete(each.lease, name.encode()) for each in claimed))
            except EngineError as error:
                errors.append(f"{error.code}: {error}")
                return

    async def main() -> None:
        async with open_engine(url) as engine:
            _ready()
            await asyncio.to_thread(_told)
            await asyncio.gather(*(work(engine, f"{name}-{index}") for index in range(4)))

    asyncio.run(main())
    _report(ran=ran, errors=errors)


# ── dying ────────────────────────────────────────────────────────────────────────────────────────


def work_until_killed(url: str, acknowledged: str, seed: str) -> None:
    """Create, claim, complete and cancel without end; note each answer in a file the moment it is there."""
    chance = random.Random(seed)
    notes = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    # A checkpoint every few batches, so that some of the kills meet one.
    writer.CHECKPOINT_BYTES = 128 * 1024

    def note(*words: str) -> None:
        os.write(notes, (" ".join(words) + "\n").encode())

    async def submit(engine: Engine) -> None:
        while True:
            payload = chance.randbytes(chance.choice((8, 200, 6000)))
            created = await engine.create_execution("kind", payload)
            note("created", created.execution_id, sha256(payload).hexdigest())
            if chance.random() < 0.1:
                try:
                    await engine.cancel_execution(created.execution_id, reason="changed my mind")
                except InvalidInput:
                    note("refused", created.execution_id, "completed_before_the_cancel")
                else:
                    note("cancelled", created.execution_id)

    async def finish(engine: Engine, claimed: Claimed) -> None:
        result = chance.randbytes(chance.choice((8, 200, 6000)))
        try:
            await engine.complete(claimed.lease, result)
        except EngineError as refusal:
            note("refused", claimed.execution_id, refusal.code)
        else:
            note("completed", claimed.execution_id, sha256(result).hexdigest())

    async def work(engine: Engine, instance: str) -> None:
        while True:
            claimed = await engine.claim(worker_id="w", worker_instance_id=instance, limit=5, lease_ttl_ms=400)
            await asyncio.gather(*(finish(engine, each) for each in claimed))

    async def main() -> None:
        async with open_engine(url) as engine:
            await asyncio.gather(*(submit(engine) for _ in range(8)), *(work(engine, f"{seed}-{n}") for n in range(3)))

    asyncio.run(main())


# ── racing ───────────────────────────────────────────────────────────────────────────────────────


def race(url: str) -> None:
    """Complete, cancel, revoke and expire the same leases at once, one thread per verb; report every answer."""
    with open_blocking_engine(url, reconcile=False) as engine:
        _ready()
        message = _told()
        assert isinstance(message, list)
        leases = [Lease(*fields) for fields in message]
        answers: dict[str, list[str]] = {}
        threads = [
            threading.Thread(target=_race_one, args=(engine, verb, leases, answers))
            for verb in ("complete", "cancel", "revoke", "expire")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    _report(**answers)


def _race_one(engine: BlockingEngine, verb: str, leases: list[Lease], answers: dict[str, list[str]]) -> None:
    commands: dict[str, Callable[[Lease], object]] = {
        "complete": lambda lease: engine.complete(lease, b"done"),
        "cancel": lambda lease: engine.cancel_execution(lease.execution_id, reason="race"),
        "revoke": lambda lease: engine.revoke_lease(lease.execution_id, expected_lease_id=lease.lease_id),
        "expire": lambda lease: engine.reconcile(),
    }
    # Everyone goes through the same few leases at the same time, but not in the same order: else one verb always wins.
    order = [at for start in range(0, len(leases), 10) for at in random.sample(range(start, start + 10), 10)]
    got = [""] * len(leases)
    for at in order:
        try:
            got[at] = type(commands[verb](leases[at])).__name__
        except EngineError as refusal:
            got[at] = refusal.code
    answers[verb] = got


# ── holding the lock ─────────────────────────────────────────────────────────────────────────────


def write_without_end(url: str, counted: str) -> None:
    """Commit one execution after the other; the length of a file counts them."""
    count = os.open(counted, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with open_blocking_engine(url, reconcile=False) as engine:
        _ready()
        while True:
            engine.create_execution("kind")
            os.write(count, b".")


def hold_the_write_lock(path: str) -> None:
    """Open a transaction and stay in it until a line comes."""
    store = SqliteStore(path)
    transaction = store.writer().begin(os.urandom(16))
    _ready()
    _told()
    transaction.rollback()
    _report()


def fork_and_use_the_engine(url: str) -> None:
    """Fork while the write lock is held, use the engine in the child, and report what it met there."""
    with open_blocking_engine(url, reconcile=False) as engine:
        known = engine.create_execution("kind").execution_id
        engine.describe_execution(known)
        store = engine._engine._services.store
        assert isinstance(store, SqliteStore)
        store.write_lock.acquire()
        answers, child_writes = os.pipe()
        child = os.fork()
        if child == 0:
            _use_after_fork(engine, known, child_writes)
        store.write_lock.release()
        os.close(child_writes)
        with os.fdopen(answers) as lines:
            met = json.loads(lines.readline())
        _, status = os.waitpid(child, 0)
        # The parent's own engine must not have noticed.
        engine.create_execution("kind")
        still_there = engine.describe_execution(known) is not None
    _report(met=met, child_status=status, still_there=still_there)


def _use_after_fork(engine: BlockingEngine, known: str, answers: int) -> None:
    uses: dict[str, Callable[[], object]] = {
        "create": lambda: engine.create_execution("kind"),
        "describe": lambda: engine.describe_execution(known),
        "list": engine.list_executions,
        "ping": engine.ping,
        "reconcile": engine.reconcile,
    }
    met = {}
    for name, use in uses.items():
        try:
            use()
            met[name] = "nothing was raised"
        except Exception as error:
            met[name] = f"{type(error).__name__}: {error}"
    os.write(answers, json.dumps(met).encode() + b"\n")
    os.close(answers)
    # Not os._exit: the blocks around us are left, as they are when a forked worker's function returns.
    sys.exit(0)


def fork_and_die_with_the_lock(path: str) -> None:
    """Leave a forked child behind that outlives the holder of the lock; report the child's pid, then hold on."""
    store = SqliteStore(path)
    store.writer().begin(os.urandom(16))
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writes)
        os.read(reads, 1)  # ends when the parent is gone, and the pipe with it
        os.read(0, 1)  # ends when the test closes our standard input
        os._exit(0)
    _ready()
    os.read(0, 1)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
