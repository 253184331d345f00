"""Submits inside the caller's own transaction, on a connection of any supported driver.

The statements are those of a batch. Two things are different, because the transaction belongs to the caller: no setting
of its session is changed, and everything runs behind a savepoint, so that a refusal, a lost race or a missing privilege
leaves the transaction as it was.
"""

import os
import re
import sys
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

import psycopg
from msgspec.structs import replace
from psycopg.pq import TransactionStatus
from psycopg.rows import tuple_row

from flowfabric.domain.batch_io import Changes, Loaded, Needs
from flowfabric.domain.errors import EngineError, InvalidInput, SchemaMismatch, StoreUnavailable
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import era_of
from flowfabric.ports.errors import ConnectionLost, Overtaken
from flowfabric.ports.joining import Pause
from flowfabric.stores._shared.callers import Caller, check_process, check_waits, unwrapped
from flowfabric.stores._shared.capability_sets import split, stored_tokens, tokens_in, tokens_text
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.connection import translated
from flowfabric.stores.postgres.gate_loading import KEY_TURNS, LANE_TURNS, definitions
from flowfabric.stores.postgres.migrating import name_at
from flowfabric.stores.postgres.record_reads import RecordReads
from flowfabric.stores.postgres.saving import Saving, values_of

if TYPE_CHECKING:
    from flowfabric.stores.postgres.store import PostgresStore

Values = Mapping[str, object]

_PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")
_NO_TRANSACTION: Final = (
    "conn has no open transaction and commits every statement at once, so there is nothing to join. Begin one "
    "(`with conn.transaction():`), or submit without conn=."
)
_FAILED: Final = "The transaction of conn has failed before, and can only be rolled back. Roll it back and begin anew."
_CLOSED: Final = "conn is closed. Open a connection, and begin a transaction on it."


class Runner(Protocol):
    """The part of a driver that a submit needs."""

    def check_open(self) -> None:
        """Refuse a connection that has no transaction to join."""

    async def begin(self) -> None:
        """Begin a transaction, unless the driver does that by itself."""

    async def run(self, sql: str, values: Values | None = None) -> Sequence[rows.Row]:
        """Run a statement, and return its rows."""

    async def end(self, owner: Any, verb: str) -> None:
        """Commit or roll back."""


class CallersPostgres:
    """A connection to our database that the caller has opened."""

    def __init__(self, store: "PostgresStore", connection: object, *, is_async: bool) -> None:
        check_waits(connection, is_async=is_async)
        self._store = store
        self._connection = connection

    @asynccontextmanager
    async def joined(self) -> "AsyncIterator[JoinedPostgres]":
        """A savepoint in the open transaction, which is rolled back after an exception."""
        caller = await unwrapped(self._connection)
        runner = _runner(caller)
        runner.check_open()
        await runner.run("savepoint flowfabric")
        try:
            timeline = await self._check_ours(runner)
            yield JoinedPostgres(self._store, runner, era_of(self._store.name, timeline or ""))
        except BaseException:
            # Also when the submit was cancelled: the caller may go on and commit, and must not commit half of a submit.
            # If the rollback fails, too, the transaction has failed as a whole.
            with suppress(EngineError):
                await runner.run("rollback to savepoint flowfabric")
                await runner.run("release savepoint flowfabric")
            raise
        await runner.run("release savepoint flowfabric")

    @asynccontextmanager
    async def transaction(self, pause: Pause) -> AsyncIterator[None]:
        """Begin a transaction, and commit it at the end of the block. To begin, it waits for nobody."""
        caller = await unwrapped(self._connection)
        runner = _runner(caller)
        await runner.begin()
        pid = os.getpid()
        try:
            yield
        except BaseException:
            if os.getpid() == pid:
                await runner.end(caller.owner, "rollback")
            raise
        check_process(pid)
        await runner.end(caller.owner, "commit")

    async def _check_ours(self, runner: Runner) -> str | None:
        """The timeline of the server. Refuses another database, a copy of ours, and another schema."""
        found = await runner.run(self._store.sql["whose_store"])
        name, database, may_ask, array_nulls, timeline = found[0] if found else (None, 0, False, "on", None)
        if array_nulls != "on":
            raise InvalidInput(
                "conn has the setting array_nulls = off, with which no nulls can be written. Switch it on."
            )
        if name == self._store.name:
            # For a role that may not ask which server this is, the store's name has to be enough.
            server = await runner.run(self._store.sql["server_identity"]) if may_ask else ()
            if not server or name_at(name, server[0][0], database) == name:
                return None if timeline is None else str(timeline)
        raise InvalidInput(
            "conn is connected to another database than this engine, or its search_path leads to another schema. "
            "Transactions cannot span two; open it with the engine's own url."
        )


class JoinedPostgres:
    """What a submit reads and writes in the caller's transaction."""

    def __init__(self, store: "PostgresStore", runner: Runner, era: int) -> None:
        self.era = era
        self._store = store
        self._runner = runner
        self._loaded = Loaded()
        self.now_ms = 0

    async def load(self, needs: Needs) -> Loaded:
        """Lock the idempotency keys, and read the executions without locks.

        The columns that a submit compares never change, and workers must not wait for the end of the caller's
        transaction. Only whether the holder of a key has ended may change; but since the key is locked, both answers
        are correct: the one just before the change and the one just after it.
        """
        await self._read_executions(needs.executions)
        asks = [*RecordReads(self._loaded).asks(needs), *definitions(needs, self._loaded)]
        # Turns are read without locks, and their rows stay as they are: others must not wait for the caller's commit.
        # Nobody looks who is parked, either: what is made here always joins the queue, and its first claim decides.
        asks += [*LANE_TURNS.reading(needs, self._loaded), *KEY_TURNS.reading(needs, self._loaded)]
        for ask in asks:
            ask.take(await self._runner.run(self._store.sql[ask.statement], ask.values))
        self._store.given_turns.add_to(self._loaded, needs.key_turns)
        await self._read_executions(needs.holders_in(self._loaded))
        self.now_ms = self._store.clock_or((await self._runner.run(self._store.sql["clock"]))[0][0])
        return self._loaded

    async def _read_executions(self, wanted: Collection[ExecutionId]) -> None:
        if not wanted:
            return
        for row in await self._runner.run(self._store.sql["read_executions"], rows.keys(wanted)):
            x = rows.execution_in(row, await self._tokens(row[6]))
            self._loaded.executions[x.execution_id] = x

    async def _tokens(self, capability_set: int) -> tuple[str, ...]:
        # Not remembered: the set may have been stored by this transaction, and be rolled back with it.
        if capability_set == 0:
            return ()
        found = await self._runner.run(self._store.sql["read_capability_set"], {"capability_set": capability_set})
        return split(tokens_in(found[0][0] if found else None, capability_set))[1]

    async def save(self, changes: Changes) -> None:
        """Write the same rows as a batch would."""
        self._store.given_turns.note(changes.key_turns)
        changes = replace(changes, key_turns={})
        tokens = {stored_tokens(x) for _, x in changes.executions if x is not None}
        sets = {each: await self._capability_set(each) for each in sorted(tokens)}
        saving = Saving(self._store, self._loaded, sets.__getitem__, self.now_ms)
        statements = saving.statements_for(changes)
        for statement in (*statements, *self._store.notification(saving.news)):
            await self._runner.run(statement[0], values_of(statement))

    async def _capability_set(self, tokens: tuple[str, ...]) -> int:
        known = self._store.capabilities.known_id(tokens)
        if known is not None:
            return known
        values = {"tokens": tokens_text(tokens)}
        if not (found := await self._runner.run(self._store.sql["read_capability_set_id"], values)):
            await self._runner.run(self._store.sql["insert_capability_set"], values)
            found = await self._runner.run(self._store.sql["read_capability_set_id"], values)
        return int(found[0][0])


# ── drivers ──────────────────────────────────────────────────────────────────────────────────────


def _runner(caller: Caller) -> Runner:
    if caller.kind == "psycopg.Connection":
        return _Psycopg(caller.driver)
    if caller.kind == "psycopg.AsyncConnection":
        return _AsyncPsycopg(caller.driver)
    if caller.kind == "asyncpg.Connection":
        return _Asyncpg(caller.driver)
    raise InvalidInput(
        f"conn is a {caller.kind}, and this engine's database is PostgreSQL. Hand in a connection to that database."
    )


class _Psycopg:
    """Synchronous psycopg. Nothing is prepared on the connection, and its row factory does not matter."""

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection = connection

    def check_open(self) -> None:
        _check_psycopg(self._connection, needs_transaction=True)

    async def begin(self) -> None:
        _check_psycopg(self._connection, needs_transaction=False)
        if self._connection.autocommit and _is_idle(self._connection):
            await self.run("begin")

    async def run(self, sql: str, values: Values | None = None) -> Sequence[rows.Row]:
        try:
            with self._connection.cursor(row_factory=tuple_row) as cursor:
                cursor.execute(sql.encode(), values, prepare=False)
                return cursor.fetchall() if cursor.description is not None else []
        except psycopg.Error as error:
            raise _meaning(error) from error

    async def end(self, owner: Any, verb: str) -> None:
        getattr(owner, verb)()


class _AsyncPsycopg:
    """Asynchronous psycopg."""

    def __init__(self, connection: "psycopg.AsyncConnection[Any]") -> None:
        self._connection = connection

    def check_open(self) -> None:
        _check_psycopg(self._connection, needs_transaction=True)

    async def begin(self) -> None:
        _check_psycopg(self._connection, needs_transaction=False)
        if self._connection.autocommit and _is_idle(self._connection):
            await self.run("begin")

    async def run(self, sql: str, values: Values | None = None) -> Sequence[rows.Row]:
        try:
            async with self._connection.cursor(row_factory=tuple_row) as cursor:
                await cursor.execute(sql.encode(), values, prepare=False)
                return await cursor.fetchall() if cursor.description is not None else []
        except psycopg.Error as error:
            raise _meaning(error) from error

    async def end(self, owner: Any, verb: str) -> None:
        await getattr(owner, verb)()


AnyPsycopg = psycopg.Connection[Any] | psycopg.AsyncConnection[Any]


def _is_idle(connection: AnyPsycopg) -> bool:
    return connection.info.transaction_status is TransactionStatus.IDLE


def _check_psycopg(connection: AnyPsycopg, *, needs_transaction: bool) -> None:
    if connection.closed:
        raise InvalidInput(_CLOSED)
    if connection.info.transaction_status is TransactionStatus.INERROR:
        raise InvalidInput(_FAILED)
    if needs_transaction and connection.autocommit and _is_idle(connection):
        raise InvalidInput(_NO_TRANSACTION)


class _Asyncpg:
    """asyncpg. Its placeholders are numbered, and it wants values of the right types; we send all values as text."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        driver = sys.modules["asyncpg"]
        self._errors = (driver.PostgresError, driver.InterfaceError, OSError)

    def check_open(self) -> None:
        if self._connection.is_closed():
            raise InvalidInput(_CLOSED)
        if not self._connection.is_in_transaction():
            raise InvalidInput(_NO_TRANSACTION)

    async def begin(self) -> None:
        if self._connection.is_closed():
            raise InvalidInput(_CLOSED)
        if not self._connection.is_in_transaction():
            await self.run("begin")

    async def run(self, sql: str, values: Values | None = None) -> Sequence[rows.Row]:
        numbered, names = _numbered(sql)
        given = [] if values is None else [None if values[name] is None else str(values[name]) for name in names]
        try:
            return [tuple(row) for row in await self._connection.fetch(numbered, *given)]
        except self._errors as error:
            raise _meaning(error) from error

    async def end(self, owner: Any, verb: str) -> None:
        if owner is self._connection:
            await self.run(verb)
        else:
            await getattr(owner, verb)()


@cache
def _numbered(sql: str) -> tuple[str, list[str]]:
    names = list(dict.fromkeys(_PLACEHOLDER.findall(sql)))
    return _PLACEHOLDER.sub(lambda found: f"${names.index(found[1]) + 1}::text", sql), names


# ── errors ───────────────────────────────────────────────────────────────────────────────────────


def _meaning(error: Exception) -> EngineError:
    """What an error of any driver means to the caller that owns the connection."""
    state = getattr(error, "sqlstate", None)
    what = next(iter(str(error).strip().splitlines()), type(error).__name__)
    if state == "23505":
        return Overtaken(what)
    if state == "25P02":
        return InvalidInput(_FAILED)
    if state == "25006":
        return InvalidInput("The transaction of conn is read-only. Begin one that may write, or submit without conn=.")
    if state == "42P01":
        return SchemaMismatch(
            f"conn does not see the tables of flowfabric ({what}). Connect it to the engine's own database, with the "
            "same search_path."
        )
    if state is None:
        return StoreUnavailable(f"conn cannot be used ({what}). Roll back; if it is lost, open another one.")
    try:
        meaning = translated(psycopg.errors.lookup(state)(what))
    except KeyError:
        meaning = translated(psycopg.DatabaseError(what))
    if isinstance(meaning, ConnectionLost):
        return StoreUnavailable(f"conn cannot be used ({what}). Roll back; if it is lost, open another one.")
    return meaning
