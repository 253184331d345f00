"""Connecting to PostgreSQL, and its errors in our words.

Every connection is in autocommit and keeps no session state, so that it works the same behind a pooler that hands
each transaction to another server connection. The settings that a connection needs are sent when it is opened, or with
each transaction, because the defaults of the role or the database may be made for other programs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from flowfabric.domain.errors import Contention, EngineError, InvalidInput, SchemaMismatch, StoreError, StoreUnavailable
from flowfabric.ports.errors import AnswerUnclear, ConnectionLost, LockHeld

CONNECT_S_MAX: Final = 10
TCP_TIMEOUTS: Final = {
    "tcp_user_timeout": 20_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
"""After this time without any confirmation from the server a connection counts as lost. The url may set another."""
LOCK_WAIT_MS: Final = 200
"""How long a batch waits for a lock: long enough for the commits of others, too short for a holder that is stuck."""
FOR_TRANSACTION: Final = {"for_transaction": True, "lock_wait_ms": 5_000}
FOR_SESSION: Final = {"for_transaction": False, "lock_wait_ms": LOCK_WAIT_MS}
"""The values of pin_plans: whether they hold for a transaction or a session, and how long to wait for locks."""
OLDEST_SERVER: Final = 140_000
UNREADABLE_URL: Final = (
    "The url does not parse as an address of PostgreSQL; it is not shown, because it may hold a password. "
    "Write postgresql://user:password@host:port/database, with special characters percent-encoded."
)

Connection = psycopg.Connection[tuple[Any, ...]]
Cursor = psycopg.Cursor[tuple[Any, ...]]

_CONTENTION: Final = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.UniqueViolation,
)
_FULL: Final = (errors.DiskFull, errors.OutOfMemory, errors.ConfigurationLimitExceeded, errors.ReadOnlySqlTransaction)
WHERE_ASKED: Final = 2**31 - 1
"""No statement is sent so often: only those are prepared for which the caller asks for it."""
_DOUBTFUL: Final = ("08", "40003", "57", "58", "XX")
"""First characters of error codes that mean trouble with the connection or the server, and not a refused commit."""
_INTERNAL: Final = "XX"
"""The first characters of error codes of the server that mean a mistake in itself, or damaged data."""
_SCHEMA: Final = (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction)


class Connector:
    """Opens connections to one database, and remembers whether a pooler is on the way there."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.is_pooled = False

    def connect(self, *, prepare_after: int | None = None) -> Connection:
        """A new connection. A statement is prepared if it was sent so often before; None: never.

        It pays only where the same statements are sent again and again.
        """
        if _has_two_ats(self._url):
            raise InvalidInput(UNREADABLE_URL)
        try:
            given = conninfo_to_dict(self._url)
            connection = psycopg.connect(
                make_conninfo(self._url, **{name: value for name, value in TCP_TIMEOUTS.items() if name not in given}),
                autocommit=True,
                connect_timeout=CONNECT_S_MAX,
                prepare_threshold=None,
                # Overrides the role and the environment; poolers know this setting and pass it on.
                client_encoding="utf8",
            )
        except psycopg.ProgrammingError:
            # Without the cause, too: the driver's message about a url that it cannot read contains the whole url.
            raise InvalidInput(UNREADABLE_URL) from None
        except psycopg.Error as error:
            raise translated(error) from error
        if connection.info.server_version < OLDEST_SERVER:
            connection.close()
            raise SchemaMismatch(
                f"The server runs PostgreSQL {connection.info.server_version // 10_000}; flowfabric needs 14 or newer."
            )
        connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        # Behind a pooler, the name of a prepared statement may mean another client's statement on the next server
        # connection, and that statement would be run instead of ours.
        if prepare_after is not None and not self.look_for_pooler(connection):
            connection.prepare_threshold = prepare_after
        return connection

    def first(self) -> Connection:
        """The first connection to a database. If it fails, the error also says that the url may be wrong."""
        try:
            return self.connect(prepare_after=WHERE_ASKED)
        except ConnectionLost as error:
            raise StoreUnavailable(
                f"The database could not be opened: {error}. Check the url, and that the server runs."
            ) from error

    def look_for_pooler(self, connection: Connection) -> bool:
        """Whether a pooler is on the way, which hands each transaction to another server connection."""
        # A pooler sends its clients a process id of its own; the server knows the true one.
        try:
            row = connection.execute("select pg_backend_pid()").fetchone()
        except psycopg.Error as error:
            connection.close()
            raise translated(error) from error
        if row != (connection.info.backend_pid,):
            self.is_pooled = True
        return self.is_pooled

    def meaning_of(self, error: psycopg.Error) -> EngineError:
        """What an error means to a caller. The error may also show a pooler that was not noticed before."""
        if isinstance(error, (errors.InvalidSqlStatementName, errors.DuplicatePreparedStatement)):
            self.is_pooled = True  # from now on nothing is prepared
            return ConnectionLost("the pooler lost a prepared statement; going on without them")
        return translated(error)


def check_alive(connection: Connection) -> None:
    """Raise the driver's error if the server has already closed the connection. Nothing is sent."""
    for _ in range(2):  # the first reads the server's last message, the second finds the end
        connection.pgconn.consume_input()


@contextmanager
def translating_errors(connector: Connector | None = None) -> Iterator[None]:
    """Turn errors of PostgreSQL into our errors, with the original as the cause."""
    try:
        yield
    except psycopg.Error as error:
        raise (translated(error) if connector is None else connector.meaning_of(error)) from error


def is_refusal(error: psycopg.Error) -> bool:
    """Whether the server itself refused; other errors come from the driver, a pooler or a shutdown."""
    return error.diag.severity_nonlocalized == "ERROR" and not (error.sqlstate or "XX").startswith(_DOUBTFUL)


def translated(error: psycopg.Error) -> EngineError:
    """What an error of PostgreSQL means to a caller."""
    what = _without_details(error)
    if _ended_the_session(error):
        return ConnectionLost(f"the connection to PostgreSQL is lost ({what})")
    if isinstance(error, errors.LockNotAvailable):
        return LockHeld(what)
    if isinstance(error, _CONTENTION):
        return Contention(what)
    if isinstance(error, _SCHEMA):
        return SchemaMismatch(f"The database lacks what this version of flowfabric needs ({what}). Migrate it first.")
    if isinstance(error, errors.InvalidSchemaName):
        return SchemaMismatch(f"The search_path leads to no schema ({what}). Create the schema, or set search_path.")
    if isinstance(error, errors.InsufficientPrivilege):
        return StoreError(f"The database role may not do what flowfabric needs ({what}). Grant it, then restart.")
    if isinstance(error, _FULL):
        return StoreUnavailable(f"The database cannot write now ({what}). Nothing was changed; send it again later.")
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)):
        return ConnectionLost(f"the connection to PostgreSQL is lost ({what})")
    if (error.sqlstate or "").startswith(_INTERNAL):
        return AnswerUnclear(f"PostgreSQL reports an error within itself ({what}). Look into the log of the server.")
    return StoreError(f"PostgreSQL refused a statement of flowfabric ({what}). Please report this.")


def _has_two_ats(url: str) -> bool:
    """Whether a password holds an @ that is not percent-encoded."""
    # The driver takes the text after the first @ for the host, and its error shows that name: a part of the password.
    _, _, address = url.partition("://")
    before_host, _, rest = address.partition("@")
    return "/" not in before_host and "@" in rest.partition("?")[0]


def _ended_the_session(error: psycopg.Error) -> bool:
    """Whether the server, or a pooler in front of it, closed the session with this error, whatever its code is."""
    # The last message of a pooler comes after the answer to a COMMIT, or instead of that answer, and then the
    # connection ends. The driver counts two answers, and calls that an internal error without a code.
    if isinstance(error, psycopg.InternalError) and error.sqlstate is None:
        return True
    # A pooler does not send the untranslated severity; but it never translates the other one.
    return (error.diag.severity_nonlocalized or error.diag.severity) in ("FATAL", "PANIC")


def _without_details(error: psycopg.Error) -> str:
    # The first line only: details can hold the user's values, and a connection error holds the address.
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
