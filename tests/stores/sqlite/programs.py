"""What the processes of these tests do. Each program is a function, called by name from the command line.

A program writes `ready` when it is set up, may wait for a line of JSON, and reports one line of JSON at its end.
"""

import asyncio
import json
import multiprocessing
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from flowfabric import (
    BlockingEngine,
    Claimed,
    Context,
    Engine,
    EngineError,
    ExecutionSnapshot,
    FlowFabric,
    InvalidInput,
    Lease,
    NewExecution,
    StoreError,
    open_blocking_engine,
    open_engine,
)
from flowfabric.app import open_store
from flowfabric.engine import limits
from flowfabric.runtime.tasks import PlainTask
from flowfabric.stores.sqlite import forking, write_lock, writer
from flowfabric.stores.sqlite.store import SqliteStore
from flowfabric.stores.sqlite.write_lock import WriteLock

sys.path.insert(0, str(Path(__file__).parents[3]))
from tests.assembled import assembled_at
from tests.stores.sqlite.books import connected, violations


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
    """Complete, cancel, revoke, expire and claim again the same executions at once, one thread per verb.

    Reports every answer as verb, execution and what was answered.
    """
    with open_blocking_engine(url, reconcile=False) as engine:
        _ready()
        message = _told()
        assert isinstance(message, list)
        leases = [Lease(*fields) for fields in message]
        answers: list[tuple[str, str, str]] = []
        threads = [
            threading.Thread(target=_race_one, args=(engine, verb, leases, answers))
            for verb in ("complete", "cancel", "revoke", "expire", "claim")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    _report(answers=answers)


def _race_one(engine: BlockingEngine, verb: str, leases: list[Lease], answers: list[tuple[str, str, str]]) -> None:
    def complete(lease: Lease) -> object:
        return engine.complete(lease, lease.lease_id.encode())

    held: list[Lease] = []

    def claim_and_complete(_: Lease) -> object:
        # What was claimed is held for a while: long enough for those to come who held it before.
        while len(held) > 20:
            complete_again(held.pop(0))
        claimed = engine.claim(worker_id="w", worker_instance_id=f"{os.getpid()}", limit=5)
        held.extend(each.lease for each in claimed)
        return claimed

    def complete_again(lease: Lease) -> None:
        answers.append(("complete", lease.execution_id, _answer_to(lambda: complete(lease))))

    commands: dict[str, Callable[[Lease], object]] = {
        "complete": complete,
        "cancel": lambda lease: engine.cancel_execution(lease.execution_id, reason="race"),
        "revoke": lambda lease: engine.revoke_lease(lease.execution_id, expected_lease_id=lease.lease_id),
        "expire": lambda lease: engine.reconcile(),
        "claim": claim_and_complete,
    }
    # Everyone goes through the same few leases at the same time, but not in the same order: else one verb always wins.
    order = [at for start in range(0, len(leases), 10) for at in random.sample(range(start, start + 10), 10)]
    for lease in (leases[at] for at in order):
        answer = _answer_to(lambda: commands[verb](lease))  # noqa: B023
        answers.append((verb, lease.execution_id, answer))
    for lease in held:
        complete_again(lease)


def _answer_to(command: Callable[[], object]) -> str:
    try:
        return type(command()).__name__
    except EngineError as refusal:
        return refusal.code


# ── holding the lock ─────────────────────────────────────────────────────────────────────────────


def write_without_end(url: str) -> None:
    """Keep the committer supplied, so that it asks for the lock again in the moment it lets it go."""
    with open_blocking_engine(url, reconcile=False) as engine:

        def write() -> None:
            while True:
                engine.create_execution("kind")

        threads = [threading.Thread(target=write, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        _ready()
        for thread in threads:
            thread.join()


def hold_the_write_lock(path: str) -> None:
    """Open a transaction and stay in it until a line comes."""
    store = SqliteStore(path)
    transaction = store.writer().begin(os.urandom(16))
    _ready()
    _told()
    transaction.rollback()
    _report()


def hold_a_read(path: str) -> None:
    """Begin a read as any program may, and stay in it until a line comes."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as connection:
        connection.execute("begin")
        connection.execute("select * from ff_meta").fetchall()
        _ready()
        _told()
    _report()


def fork_and_use_the_engine(url: str) -> None:
    """Fork while the write lock is held, use the engine in the child, and report what it met there."""
    write_lock.WAIT_S_MAX = 0.2
    with assembled_at(url) as parts:
        engine, store = parts.engine, parts.store
        known = engine.create_execution("kind").execution_id
        engine.describe_execution(known)
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


# ── forking ──────────────────────────────────────────────────────────────────────────────────────


def _shop(url: str) -> tuple[FlowFabric, PlainTask[[int], None]]:
    """A program's fabric and its one task."""
    ff = FlowFabric(url, reconcile=False)

    @ff.task
    def greet(ctx: Context, number: int) -> None: ...

    return ff, greet


class _Notes:
    """What was acknowledged, one id a line, in a file that all processes append to."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def add(self, execution_id: str) -> None:
        os.write(self._file, f"{execution_id}\n".encode())


def _ended_well(child: int) -> bool:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def fork_after_use(url: str, acknowledged: str, parents_end: str) -> None:
    """Use the fabric, fork, let the child submit before and after its parent's end; note what was acknowledged."""
    ff, greet = _shop(url)
    notes = _Notes(acknowledged)
    notes.add(greet.submit_sync(0).execution_id)
    begun, child_begins = os.pipe()
    ended, parent_ends = os.pipe()
    if os.fork() == 0:
        os.close(parent_ends)
        for number in range(5):
            notes.add(greet.submit_sync(number).execution_id)
        os.write(child_begins, b"!")
        os.read(ended, 1)
        for number in range(20):
            notes.add(greet.submit_sync(number).execution_id)
        sys.exit(0)
    os.close(child_begins)
    assert os.read(begun, 1) == b"!"
    if parents_end == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if parents_end == "goes on":
        notes.add(greet.submit_sync(1).execution_id)
    if parents_end in ("closes", "goes on"):
        ff.close()
    if parents_end == "goes on":
        notes.add(greet.submit_sync(2).execution_id)
    if parents_end != "exits":
        os.close(parent_ends)
        os.wait()


def fork_beside_an_open_engine(url: str, acknowledged: str) -> None:
    """As above, with engines that are opened by hand: the parent closes its own while the child uses another."""
    notes = _Notes(acknowledged)
    begun, child_begins = os.pipe()
    ended, parent_ends = os.pipe()
    with open_blocking_engine(url, reconcile=False) as engine:
        notes.add(engine.create_execution("kind").execution_id)
        engine.list_executions()
        child = os.fork()
        if child == 0:
            os.close(parent_ends)
            with open_blocking_engine(url, reconcile=False) as own:
                notes.add(own.create_execution("kind").execution_id)
                os.write(child_begins, b"!")
                os.read(ended, 1)
                notes.add(own.create_execution("kind").execution_id)
            os._exit(0)
        os.read(begun, 1)
        notes.add(engine.create_execution("kind").execution_id)
    os.close(parent_ends)
    assert _ended_well(child)


_task_of_pool: list[PlainTask[[int], None]] = []


def _submit_in_pool(number: int) -> str:
    return _task_of_pool[0].submit_sync(number).execution_id


def fork_a_pool(url: str, acknowledged: str) -> None:
    """Submit from a pool of processes that multiprocessing has forked from one that has used the fabric."""
    ff, greet = _shop(url)
    notes = _Notes(acknowledged)
    notes.add(greet.submit_sync(0).execution_id)
    _task_of_pool.append(greet)
    with multiprocessing.get_context("fork").Pool(3) as pool:
        for execution_id in pool.imap_unordered(_submit_in_pool, range(20)):
            notes.add(execution_id)
            ff.close()
            notes.add(greet.submit_sync(0).execution_id)
        pool.close()
        pool.join()


def serve_preloaded(url: str, acknowledged: str) -> None:
    """A server that loads the program, uses it, forks its workers, and replaces each that ends, as gunicorn does."""
    ff, greet = _shop(url)
    notes = _Notes(acknowledged)
    notes.add(greet.submit_sync(0).execution_id)

    def worker() -> int:
        child = os.fork()
        if child == 0:
            for number in range(10):
                notes.add(greet.submit_sync(number).execution_id)
            sys.exit(0)
        return child

    workers = [worker() for _ in range(3)]
    ff.close()
    for _ in range(2):
        assert _ended_well(workers.pop(0))
        notes.add(greet.submit_sync(0).execution_id)
        workers.append(worker())
    assert all(_ended_well(child) for child in workers)


def fork_amid_threads(url: str, acknowledged: str, forks: str) -> None:
    """Threads submit and read without pause while the process forks again and again, and each child submits, too."""
    _, greet = _shop(url)
    notes = _Notes(acknowledged)
    errors: list[str] = []
    stop = threading.Event()

    def submit_without_end() -> None:
        try:
            while not stop.is_set():
                handle = greet.submit_sync(0)
                notes.add(handle.execution_id)
                handle.state_sync()
        except Exception as error:
            errors.append(repr(error))

    threads = [threading.Thread(target=submit_without_end) for _ in range(4)]
    for thread in threads:
        thread.start()
    children = []
    for _ in range(int(forks)):
        child = os.fork()
        if child == 0:
            # A child that hangs is killed by its own alarm, and does not end well.
            signal.alarm(20)
            notes.add(greet.submit_sync(1).execution_id)
            sys.exit(0)
        children.append(child)
        if len(children) % 4 == 0:
            assert _ended_well(children.pop(0))
    ended_well = [_ended_well(child) for child in children]
    stop.set()
    for thread in threads:
        thread.join()
    _report(ended_well=ended_well, errors=errors)


def fork_with_an_own_connection(url: str, path: str) -> None:
    """Fork while a connection that is not ours is open; report what the child met, and whether its parent goes on."""
    _, greet = _shop(url)
    greet.submit_sync(0)
    own = sqlite3.connect(path)
    own.execute("select count(*) from ff_execution").fetchone()
    met = _met_in_child(lambda: greet.submit_sync(1))
    greet.submit_sync(2)
    own.close()
    met_after_close = _met_in_child(lambda: greet.submit_sync(3))
    _report(met=met, met_after_close=met_after_close)


def fork_inside_a_block(url: str, path: str) -> None:
    """Fork inside a transaction; both leave its block. Report what the child met there, and in using the fabric."""
    ff, greet = _shop(url)
    own = sqlite3.connect(path, isolation_level=None)
    ff.blocking_engine().ping()
    began_at = time.monotonic()
    answers, child_writes = os.pipe()
    child = None
    try:
        with ff.blocking_engine().transaction(own):
            greet.options(conn=own).submit_sync(0)
            child = os.fork()
    except StoreError as error:
        os.write(child_writes, str(error).encode())
        sys.exit(0)
    assert child
    took_s = time.monotonic() - began_at
    assert _ended_well(child)
    _report(met=os.read(answers, 10_000).decode(), took_s=took_s)


def fork_while_a_write_waits(url: str, path: str) -> None:
    """Fork while a thread of ours waits for the lock that another process holds; report what the child met."""
    forking.FORK_WAIT_S = 0.2
    write_lock.WAIT_S_MAX = 3.0
    ff, greet = _shop(url)
    greet.submit_sync(0)
    writing = threading.Thread(target=lambda: greet.submit_sync(1))
    _ready()
    _told()
    writing.start()
    while not forking._uses.is_busy:
        time.sleep(0.001)
    met = _met_in_child(lambda: greet.submit_sync(2))
    _ready()
    writing.join()
    _report(met=met, executions=len(ff.blocking_engine().list_executions().items))


def fork_while_reading(url: str, other_url: str) -> None:
    """Fork in the thread that uses SQLite; report what the child met on a file that nobody has opened before."""
    _ff, greet = _shop(url)
    greet.submit_sync(0)
    with forking.using():
        met = _met_in_child(lambda: open_store(other_url))
    _report(met=met)


def fork_and_fail_to_look(url: str) -> None:
    """Fork, and let the first look at the descriptors fail in the child; report what the child met, and what is there.

    The failure is a lack of memory, which can happen anywhere.
    """
    ff, greet = _shop(url)
    greet.submit_sync(0)
    listdir = os.listdir

    def fail_once(path: str) -> list[str]:
        os.listdir = listdir
        raise MemoryError

    os.listdir = cast("Any", fail_once)
    met = _met_in_child(lambda: greet.submit_sync(1))
    os.listdir = listdir
    _report(met=met, executions=len(ff.blocking_engine().list_executions().items))


def _met_in_child(use: Callable[[], object]) -> str:
    answers, child_writes = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            use()
            met = "nothing"
        except Exception as error:
            met = f"{type(error).__name__}: {error}"
        os.write(child_writes, met.encode())
        # Not os._exit: what is left over in the child is garbage collected, as it is at the end of any process.
        sys.exit(0)
    assert _ended_well(child)
    os.close(child_writes)
    with os.fdopen(answers) as answer:
        return answer.read()


# ── running out of space ─────────────────────────────────────────────────────────────────────────


def fill_the_disk(folder: str, disk: str) -> None:
    """Submit until there is no room, make room, and go on; report what was acknowledged and what was refused."""
    limits.RECONNECT_S_MAX = 0.3
    if disk == "small disk":
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=900k", "none", folder], check=True)
    path = Path(folder, "shop.db")
    acknowledged: list[str] = []
    refusals: list[str] = []
    with open_blocking_engine(f"sqlite:///{path}", reconcile=False) as engine:
        acknowledged += [engine.create_execution("kind").execution_id for _ in range(3)]
        lease = engine.claim(worker_id="w", worker_instance_id="i")[0].lease
        if disk == "limited file size":
            size = os.stat(f"{path}-wal").st_size
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 200_000, resource.RLIM_INFINITY))
        else:
            _leave(100_000, Path(folder))
        started = time.monotonic()
        while not refusals:
            try:
                acknowledged.append(engine.create_execution("kind", b"x" * 3000).execution_id)
            except EngineError as refusal:
                refusals.append(f"{refusal.code}: {refusal}")
        try:
            engine.create_executions([NewExecution(kind="kind", payload=b"x" * 9000)] * 10)
        except EngineError as refusal:
            refusals.append(f"{refusal.code}: {refusal}")
        took_s = time.monotonic() - started
        readable = sum(engine.describe_execution(each) is not None for each in acknowledged)

        if disk == "limited file size":
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        else:
            Path(folder, "filler").unlink()
        engine.complete(lease, b"done")
        acknowledged.append(engine.create_execution("kind").execution_id)
        stored = [each.execution_id for each in _all_executions(engine)]
        result = engine.get_result(lease.execution_id)
    books = connected(path)
    _report(
        refusals=refusals,
        took_s=took_s,
        unreadable=len(acknowledged) - 1 - readable,
        missing=sorted(set(acknowledged) - set(stored)),
        beyond=sorted(set(stored) - set(acknowledged)),
        result=None if result is None else result.decode(),
        violations=violations(books),
    )
    books.close()


def open_without_room(path: str) -> None:
    """Open a new file while nothing can be written, then with room again; report what each try met."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    without = _refusal_of(Path(path))
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    # As another process would: a lock that the failed try had kept would make this wait.
    other = WriteLock(path)
    other.acquire()
    other.release()
    other.close()
    _report(without=without, afterwards=_refusal_of(Path(path)))


def _leave(room: int, folder: Path) -> None:
    """Fill the disk up to so many bytes."""
    space = os.statvfs(folder)
    Path(folder, "filler").write_bytes(b"x" * (space.f_bavail * space.f_frsize - room))


def _all_executions(engine: BlockingEngine) -> list[ExecutionSnapshot]:
    page = engine.list_executions(limit=1000)
    assert page.next_cursor is None
    return cast("list[ExecutionSnapshot]", list(page.items))


# ── opening ──────────────────────────────────────────────────────────────────────────────────────

NOBODY = 65534


def open_in_read_only_folders() -> None:
    """Try to open files in folders that only may be read; report the sentence of each refusal."""
    paths = {}
    with tempfile.TemporaryDirectory() as open_to_all:
        for name in ("new file", "existing file", "existing database"):
            inside = Path(open_to_all, name)
            inside.mkdir()
            paths[name] = inside / "shop.db"
        paths["existing file"].touch(0o666)
        SqliteStore(str(paths["existing database"])).close()
        for each in Path(open_to_all).rglob("*"):
            each.chmod(0o555 if each.is_dir() else 0o666)
        Path(open_to_all).chmod(0o755)
        if os.geteuid() == 0:
            os.seteuid(NOBODY)
        sentences = {name: _refusal_of(path) for name, path in paths.items()}
        if os.getuid() == 0:
            os.seteuid(0)
        for each in Path(open_to_all).iterdir():
            each.chmod(0o755)
    _report(**sentences)


def _refusal_of(path: Path) -> str:
    try:
        SqliteStore(str(path)).close()
    except EngineError as refusal:
        return f"{refusal.code}: {refusal}"
    return "it was opened"


def name_of(url: str) -> None:
    """Report which incarnation of which database the url names."""
    store = SqliteStore(url.removeprefix("sqlite:///"))
    _report(name=store.name)
    store.close()


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
