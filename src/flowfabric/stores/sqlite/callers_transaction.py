"""Submits inside the caller's own transaction, on the same file.

Every write to the file holds the lock of `write_lock` from before its first statement until after its commit. Neither
SQLite's library nor Python's module reports that a connection has committed, so a transaction is joined inside a block
that begins and ends it: the lock is held for as long as the block lasts, whatever happens inside. If a commit in the
block makes SQLite run a checkpoint, the checkpoint runs under the lock, too.
"""

import os
import sqlite3
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager, closing, suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.errors import EngineError, InvalidInput, StoreUnavailable
from flowfabric.domain.execution import IdempotencyKey
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.remembered_answers import RememberedAnswer
from flowfabric.ports.errors import ConnectionLost, Overtaken
from flowfabric.ports.joining import Pause
from flowfabric.stores._shared.callers import Caller, check_process, check_waits, unwrapped
from flowfabric.stores._shared.capability_sets import split, stored_tokens, tokens_in, tokens_text
from flowfabric.stores._shared.encoding import key_partition
from flowfabric.stores.sqlite.connection import connect, file_id, translated
from flowfabric.stores.sqlite.forking import callers_block, using
from flowfabric.stores.sqlite.gate_rows import DEFINITIONS
from flowfabric.stores.sqlite.json_rows import EXECUTIONS, Row, calls
from flowfabric.stores.sqlite.rows import execution_of, id_of, key_of
from flowfabric.stores.sqlite.saving import Saving
from flowfabric.stores.sqlite.store_time import KEPT
from flowfabric.stores.sqlite.write_lock import WriteLock

if TYPE_CHECKING:
    from flowfabric.stores.sqlite.store import SqliteStore

_CLOSED: Final = "conn is closed, or belongs to another thread ({what}). Use it in the thread that has opened it."
_WRITES_ALREADY: Final = (
    "conn has an open transaction that has written already, without the lock of the file. Commit or roll back first, "
    "and do all writing inside the block of `transaction(conn)`."
)


class Runner(Protocol):
    """The part of a driver that a submit needs."""

    async def run(self, sql: str, values: Sequence[object] = ()) -> Sequence[Row]:
        """Run a statement, and return its rows."""

    async def end(self, owner: Any, verb: str) -> None:
        """Commit or roll back."""


class CallersSqlite:
    """A connection to our file that the caller has opened."""

    def __init__(self, store: "SqliteStore", connection: object, *, is_async: bool) -> None:
        check_waits(connection, is_async=is_async)
        self._store = store
        self._connection = connection

    @asynccontextmanager
    async def joined(self) -> "AsyncIterator[JoinedSqlite]":
        """A savepoint in the transaction, rolled back after an exception; only inside a block of `transaction`."""
        caller = await unwrapped(self._connection)
        runner = _runner(caller)
        if self._store.blocks.isdisjoint((id(caller.driver), id(caller.owner))):
            raise InvalidInput(
                "On SQLite a submit joins a transaction inside `with ff.transaction(conn):`, or `async with`, because "
                "every write to the file holds its lock from before the first statement until after the commit. Put "
                "the block around everything that belongs to the transaction; it also commits."
            )
        if not _in_transaction(caller):
            # The caller has committed or rolled back within the block, so another transaction begins.
            await runner.run("begin immediate")
        await runner.run("savepoint flowfabric")
        try:
            self._store.time_was(await runner.run(self._store.sql["load_meta"], (KEPT,)))
            yield JoinedSqlite(self._store, runner)
        except BaseException:
            # Also when the submit was cancelled: the caller may go on and commit, and must not commit half of a submit.
            with suppress(EngineError):
                await runner.run("rollback to flowfabric")
                await runner.run("release flowfabric")
            raise
        await runner.run("release flowfabric")

    @asynccontextmanager
    async def transaction(self, pause: Pause) -> AsyncIterator[None]:
        """Take the lock and begin; at the end of the block commit or roll back, and release the lock."""
        caller = await unwrapped(self._connection)
        runner = _runner(caller)
        blocks = self._store.blocks
        names = {id(caller.driver), id(caller.owner)}
        if not blocks.isdisjoint(names):
            raise InvalidInput("conn is in a block of `transaction(conn)` already. One block is enough.")
        await self._check_file(runner)
        pid = os.getpid()
        # A lock of its own: the engine's committer takes its turn like everyone else.
        with callers_block(), closing(WriteLock(self._store.path)) as lock:
            for pause_s in lock.acquiring():
                await pause(pause_s)
            try:
                begun = await self._begun(runner, caller)
                blocks |= names
                try:
                    await self._check_name(runner)
                    yield
                except BaseException:
                    if os.getpid() == pid:
                        await self._end(runner, caller, "rollback", begun)
                    raise
                check_process(pid)
                try:
                    await self._end(runner, caller, "commit", begun)
                except BaseException:
                    await self._end(runner, caller, "rollback", begun)
                    raise
            finally:
                blocks -= names
                lock.release()

    async def _check_file(self, runner: Runner) -> None:
        """Refuse another file.

        The file is not read: what a transaction reads before it has the lock may soon be old.
        """
        path = next((file for _, name, file in await runner.run("pragma database_list") if name == "main"), "")
        if not path or file_id(path) != file_id(self._store.path):
            raise InvalidInput(
                f"conn is connected to {path or 'a database in memory'}, and this engine's file is {self._store.path}. "
                "A transaction cannot span both; open the same file."
            )

    async def _check_name(self, runner: Runner) -> None:
        """Refuse another database that stood, or stands, at the path of our file."""
        found = await runner.run(self._store.sql["load_meta"], ("incarnation",))
        if [f"sqlite-{name}" for (name,) in found] != [self._store.name]:
            raise InvalidInput(
                f"conn is connected to another database that stands, or stood, in the place of {self._store.path}. "
                "Open the connection anew, and restart what uses the file."
            )

    async def _begun(self, runner: Runner, caller: Caller) -> bool:
        try:
            return await self._begin(runner, caller)
        except Exception:
            raise
        except BaseException:
            # Cancelled; but the driver's thread begins the transaction all the same, and the lock is about to be
            # released.
            await runner.end(caller.owner, "rollback")
            raise

    async def _begin(self, runner: Runner, caller: Caller) -> bool:
        """Begin, or become the writer in an open transaction that has not written.

        True: the transaction may have to be ended by SQL, because the driver did not begin it.
        """
        if not _in_transaction(caller):
            await runner.run("begin immediate")
            return True
        # We hold the lock, so no engine writes: if anybody does, it is this transaction itself.
        try:
            with (
                using(),
                closing(connect(self._store.path, synchronous=self._store.synchronous, reading=False)) as probe,
            ):
                probe.execute("pragma busy_timeout = 0")
                probe.execute("begin immediate")
                probe.execute("rollback")
        except sqlite3.OperationalError as error:
            is_busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            raise (InvalidInput(_WRITES_ALREADY) if is_busy else _meaning(error)) from error
        await runner.run(self._store.sql["become_writer"])
        return getattr(caller.driver, "autocommit", None) is True

    async def _end(self, runner: Runner, caller: Caller, verb: str, begun: bool) -> None:
        await runner.end(caller.owner, verb)
        if begun and caller.owner is caller.driver and _in_transaction(caller):
            # A connection in autocommit mode does not commit; the code that sent `begin` must do it.
            await runner.run(verb)


class JoinedSqlite:
    """What a submit reads and writes in the caller's transaction. Nobody else can write until the block ends."""

    def __init__(self, store: "SqliteStore", runner: Runner) -> None:
        self._store = store
        self._sql = store.sql
        self._runner = runner
        self.now_ms = store.now_ms
        self.era = store.era

    async def load(self, needs: Needs) -> Loaded:
        """Read what the submit needs."""
        loaded = Loaded()
        await self._load_executions(needs.executions, loaded)
        for namespace, name in needs.idempotency_keys:
            at = (key_partition(namespace, name), namespace, name)
            for partition, uuid, *rest in await self._runner.run(self._sql["load_idempotency_key"], at):
                loaded.idempotency_keys[namespace, name] = IdempotencyKey(
                    namespace, name, id_of(partition, uuid), *rest
                )
        await self._load_executions(needs.holders_in(loaded), loaded)
        for scope, command_id in needs.answers:
            for row in await self._runner.run(self._sql["load_answer"], (scope, command_id)):
                loaded.answers[scope, command_id] = RememberedAnswer(scope, command_id, *row)
        for key in needs.payloads:
            for (payload,) in await self._runner.run(self._sql["load_payload"], key_of(key)):
                loaded.payloads[key] = payload
        # Nobody looks who is parked: what is made here always joins the queue, and its first claim decides.
        for table in DEFINITIONS:
            for sql, values in table.calls_for(self._sql, needs):
                table.take((await self._runner.run(sql, values))[0][0], loaded)
        return loaded

    async def _load_executions(self, wanted: Iterable[ExecutionId], loaded: Loaded) -> None:
        for sql, values in calls(self._sql, "load_executions", [key_of(key) for key in wanted]):
            for stored in EXECUTIONS.decode((await self._runner.run(sql, values))[0][0]):
                x = execution_of(stored, await self._tokens(stored.capability_set))
                loaded.executions[x.execution_id] = x

    async def _tokens(self, capability_set: int) -> tuple[str, ...]:
        # Not remembered: the set may have been stored by this transaction, and be rolled back with it.
        if capability_set == 0:
            return ()
        found = await self._runner.run(self._sql["load_capability_set"], (capability_set,))
        return split(tokens_in(found[0][0] if found else None, capability_set))[1]

    async def save(self, changes: Changes) -> None:
        """Write the same rows as a batch would."""
        tokens = {stored_tokens(x) for _, x in changes.executions if x is not None}
        sets = {each: await self._capability_set(each) for each in sorted(tokens)}
        for sql, values in Saving(self._sql, sets.__getitem__, self.now_ms).statements_for(changes):
            await self._runner.run(sql, values)
        if (kept := self._store.time_to_keep(self.now_ms)) is not None:
            await self._runner.run(self._sql["save_meta"], kept)

    async def _capability_set(self, tokens: tuple[str, ...]) -> int:
        known = self._store.capabilities.known_id(tokens)
        if known is not None:
            return known
        text = tokens_text(tokens)
        if not (found := await self._runner.run(self._sql["load_capability_set_id"], (text,))):
            await self._runner.run(self._sql["insert_capability_set"], (text,))
            found = await self._runner.run(self._sql["load_capability_set_id"], (text,))
        return int(found[0][0])


# ── drivers ──────────────────────────────────────────────────────────────────────────────────────


def _runner(caller: Caller) -> Runner:
    if caller.kind == "sqlite3.Connection":
        return _Sqlite3(caller.driver)
    if caller.kind == "aiosqlite.Connection":
        return _Aiosqlite(caller.driver)
    raise InvalidInput(
        f"conn is a {caller.kind}, and this engine's database is a SQLite file. Hand in a connection to that file."
    )


def _in_transaction(caller: Caller) -> bool:
    try:
        return bool(caller.driver.in_transaction)
    except (sqlite3.ProgrammingError, ValueError) as error:
        raise InvalidInput(_CLOSED.format(what=error)) from error


class _Sqlite3:
    """The standard library's driver. Neither the row factory nor the text factory of the connection matters."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    async def run(self, sql: str, values: Sequence[object] = ()) -> Sequence[Row]:
        connection = self._connection
        text_factory = connection.text_factory
        try:
            connection.text_factory = str
            with closing(connection.cursor()) as cursor:
                cursor.row_factory = None
                return cursor.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _meaning(error) from error
        finally:
            connection.text_factory = text_factory

    async def end(self, owner: Any, verb: str) -> None:
        getattr(owner, verb)()


class _Aiosqlite:
    """aiosqlite, which runs the standard library's driver in a thread."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def run(self, sql: str, values: Sequence[object] = ()) -> Sequence[Row]:
        connection = self._connection
        try:
            text_factory = connection.text_factory
        except ValueError as error:
            raise InvalidInput(_CLOSED.format(what=error)) from error
        try:
            connection.text_factory = str
            async with connection.cursor() as cursor:
                cursor.row_factory = None
                await cursor.execute(sql, values)
                return list(await cursor.fetchall())
        except sqlite3.Error as error:
            raise _meaning(error) from error
        finally:
            connection.text_factory = text_factory

    async def end(self, owner: Any, verb: str) -> None:
        await getattr(owner, verb)()


def _meaning(error: sqlite3.Error) -> EngineError:
    """What an error means to the caller that owns the connection."""
    code = getattr(error, "sqlite_errorcode", None) or 0
    if isinstance(error, sqlite3.ProgrammingError):
        return InvalidInput(_CLOSED.format(what=error))
    if code == sqlite3.SQLITE_BUSY_SNAPSHOT:
        return InvalidInput(
            "The transaction of conn has read before others wrote, and may not write any more. Commit or roll back "
            "before the block of `transaction(conn)` begins."
        )
    if code & 0xFF == sqlite3.SQLITE_READONLY:
        return InvalidInput(f"conn may only read ({error}). Hand in a connection that may write.")
    if isinstance(error, sqlite3.IntegrityError):
        return Overtaken(str(error))
    meaning = translated(error, "The database of conn")
    if isinstance(meaning, ConnectionLost) or not isinstance(meaning, EngineError):
        return StoreUnavailable(f"conn cannot be used ({error}). Roll back, and check the file and its disk.")
    return meaning
