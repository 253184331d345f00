"""The facts about the health of a database file. Nothing in the file is changed.

The file may be one that no engine can open: one with another schema, or one that nobody can write to.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import msgspec

from flowfabric.domain.errors import StoreUnavailable
from flowfabric.domain.health.facts import ENDLESS_MS, FAILED_MS, Clocks, Facts, Work
from flowfabric.domain.health.file import DatabaseFile
from flowfabric.domain.passing_time import read_time
from flowfabric.ports.clock import Clock
from flowfabric.ports.errors import for_callers
from flowfabric.stores._shared.health import ALL_DUE_KINDS, DUE_KINDS_OF_RUNNING, schema_of, work_of
from flowfabric.stores._shared.migrate import migrations_of
from flowfabric.stores._shared.statements import statements_of
from flowfabric.stores.sqlite.connection import check_is_file, connect, translating_errors
from flowfabric.stores.sqlite.forking import refuse_inherited, using
from flowfabric.stores.sqlite.migrating import applied_migrations
from flowfabric.stores.sqlite.store_time import KEPT, ThisMachine, kept_in
from flowfabric.stores.sqlite.write_lock import WriteLock

WAIT_S: Final = 2.0
"""After how long a lock of another process is reported."""
LOCK_POLL_S: Final = 0.1
FRAME_HEAD_BYTES: Final = 24
# Where SQLite takes its locks in the index of the log: one byte for the writer, five for readers.
WRITER_BYTES: Final = range(120, 121)
READER_BYTES: Final = range(123, 128)


@for_callers()
def examine(path: str, *, clock: Clock | None = None, machine: Clock | None = None) -> Facts:
    """All facts about the file. StoreUnavailable: there is no file, or it cannot be read."""
    path = os.path.realpath(path)
    if not os.path.exists(path):
        raise StoreUnavailable(f"There is no database at {path}. Check the url, or make one with `ff migrate`.")
    check_is_file(path)
    refuse_inherited(path)
    with using(), _opened(path) as (connection, lock, file), translating_errors(path):
        schema = schema_of(migrations_of(__package__), applied_migrations(connection))
        machine_ms = ThisMachine().wall_ms if machine is None else machine.now_ms
        clocks = Clocks(machine_ms, machine_ms if clock is None else clock.now_ms, 0)
        if not schema.is_current:
            return Facts(schema, clocks, store=file)
        if clock is None:
            clocks = _clocks_in(connection, machine_ms)
        work, newest_ms = _work_in(connection, clocks.store_ms)
        if not file.write_lock_is_held:
            file = _locks_on(connection, lock, file)
        return Facts(schema, msgspec.structs.replace(clocks, newest_record_ms=newest_ms), work, file)


@contextmanager
def _opened(path: str) -> Iterator[tuple[sqlite3.Connection, WriteLock, DatabaseFile]]:
    """A connection, the write lock, and the facts about the file, with the lock's holder if it is another process."""
    lock = WriteLock(path)
    try:
        file = DatabaseFile(path, free_bytes=shutil.disk_usage(path).free)
        try:
            lock.acquire(WAIT_S)
            lock.release()
        except StoreUnavailable:
            holder = f"The process with pid {lock.holder}"
            file = msgspec.structs.replace(file, write_lock_is_held=True, write_lock_holder=holder)
        with translating_errors(path):
            connection = connect(path, synchronous="full", reading=False)
        try:
            yield connection, lock, file
        finally:
            # The last close of a file checkpoints it; but the holder of the lock has it open, and closes after us.
            is_ours = False
            with suppress(StoreUnavailable):
                lock.acquire(0.0 if file.write_lock_is_held else WAIT_S)
                is_ours = True
            connection.close()
            if is_ours:
                lock.release()
    finally:
        lock.close()


def _clocks_in(connection: sqlite3.Connection, machine_ms: int) -> Clocks:
    """The machine's clock, and the time of the file as a newly opened engine would read it."""
    kept = kept_in(connection.execute(statements_of(__package__)["load_meta"], (KEPT,)).fetchall())
    here = ThisMachine()
    now = read_time(None, kept, wall_ms=machine_ms, monotonic_ms=here.monotonic_ms, boot_id=here.boot_id)
    return Clocks(machine_ms, now.now_ms, 0, behind_ms=now.behind_ms)


def _work_in(connection: sqlite3.Connection, now_ms: int) -> tuple[Work, int]:
    """The work that there is, as of one moment, and when the newest record was written."""
    sql = statements_of(__package__)
    connection.execute("begin")
    try:
        newest_ms: int = connection.execute(sql["newest_record"]).fetchone()[0]
        work = work_of(
            workers=connection.execute(sql["list_workers"], (None,)).fetchall(),
            leases=connection.execute(sql["count_leases"], (_json(DUE_KINDS_OF_RUNNING),)).fetchall(),
            waiting=connection.execute(sql["count_waiting"]).fetchall(),
            due=connection.execute(sql["count_due"], (now_ms, _json(ALL_DUE_KINDS))).fetchall(),
            overdue_acks=connection.execute(sql["count_overdue_acks"], (now_ms,)).fetchall(),
            schedules=connection.execute(sql["list_schedules"], (None,)).fetchall(),
            lanes=connection.execute(sql["list_lane_switches"], (None,)).fetchall(),
            kept=connection.execute(sql["count_kept"], (None,)).fetchall(),
            kept_flows=connection.execute(sql["count_kept_flows"], (None,)).fetchall(),
            held=connection.execute(sql["count_held"]).fetchall(),
            failed=connection.execute(sql["count_failed"], (now_ms - FAILED_MS,)).fetchall(),
            endless=connection.execute(sql["count_endless_waits"], (now_ms - ENDLESS_MS,)).fetchall(),
            ends_of_secrets=connection.execute(sql["list_ends_of_secrets"]).fetchall(),
            now_ms=now_ms,
            openings=connection.execute(sql["count_overdue_openings"], (now_ms,)).fetchall(),
            leased_gates=connection.execute(sql["list_leased_gates"]).fetchall(),
            key_uses=connection.execute(sql["list_keys_in_use"]).fetchall(),
            budgets=connection.execute(sql["list_budgets"], ("", "", None, -1)).fetchall(),
            budget_uses=connection.execute(sql["list_uses_that_matter"]).fetchall(),
            miscounts=connection.execute(sql["find_miscounts"]).fetchall(),
        )
    finally:
        connection.rollback()
    return work, newest_ms


def _locks_on(connection: sqlite3.Connection, lock: WriteLock, file: DatabaseFile) -> DatabaseFile:
    """The facts with the processes that hold SQLite's own locks for too long."""
    connection.execute(f"pragma busy_timeout = {int(WAIT_S * 1000)}")
    try:
        lock.acquire(WAIT_S)
    except StoreUnavailable:
        return file  # another process took the lock just now, so it is not stuck
    try:
        connection.execute("begin immediate")
        connection.rollback()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        pids = ", ".join(map(str, _holders(file.path, WRITER_BYTES))) or "unknown"
        holder = f"A program that writes without flowfabric (pid {pids})"
        return msgspec.structs.replace(file, write_lock_is_held=True, write_lock_holder=holder)
    finally:
        lock.release()
    held_back = _bytes_held_back(connection, lock)
    readers = _holders(file.path, READER_BYTES) if held_back else []
    return msgspec.structs.replace(file, held_back_bytes=held_back, readers=readers)


def _bytes_held_back(connection: sqlite3.Connection, lock: WriteLock) -> int:
    """How many bytes of the log a checkpoint cannot bring into the database file, because an old read is still open.

    While nobody writes, a checkpoint brings in everything except what is newer than the oldest open read. If it stops
    at the same place for seconds, that read is no ordinary one.
    """
    stopped_at = None
    give_up_at = time.monotonic() + WAIT_S
    while True:
        try:
            lock.acquire(WAIT_S)
        except StoreUnavailable:
            return 0
        try:
            _, frames, moved = connection.execute("pragma wal_checkpoint(passive)").fetchone()
        finally:
            lock.release()
        if moved >= frames or (stopped_at is not None and moved != stopped_at):
            return 0
        if time.monotonic() >= give_up_at:
            page_bytes: int = connection.execute("pragma page_size").fetchone()[0]
            return int(frames - moved) * (page_bytes + FRAME_HEAD_BYTES)
        stopped_at = moved
        time.sleep(LOCK_POLL_S)


def _holders(path: str, of: range) -> list[int]:
    """The processes that hold some of these bytes of the log's index, where the system tells (Linux does)."""
    try:
        inode = os.stat(f"{path}-shm").st_ino
        with open("/proc/locks", encoding="ascii") as file:
            lines = [line.split() for line in file]
    except OSError:
        return []
    found = set()
    for _, kind, _, _, pid, place, first, last in (line for line in lines if len(line) == 8):
        is_there = kind == "POSIX" and place.rpartition(":")[2] == str(inode) and last != "EOF"
        if is_there and int(first) < of.stop and int(last) >= of.start:
            found.add(int(pid))
    return sorted(found)


def _json(numbers: list[int]) -> str:
    return msgspec.json.encode(numbers).decode()
