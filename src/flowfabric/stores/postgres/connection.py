"""Connecting to PostgreSQL, and its errors in our words.

Every connection is in autocommit and keeps no session state, so that it works the same behind a pooler that hands
each transaction to another server connection. What it needs of its session comes with the connection or with each
transaction, because roles and databases may be set for other programs.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from flowfabric.domain.errors import Contention, EngineError, InvalidInput, SchemaMismatch, StoreError, StoreUnavailable
from flowfabric.ports.writing import ConnectionLost, LockHeld

CONNECT_S_MAX: Final = 10
SILENCE: Final = {
    "tcp_user_timeout": 20_000,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
}
"""After how long a connection counts as lost whose other end does not even confirm what it gets. A url may differ."""
LOCK_WAIT_MS: Final = 200
"""How long a batch waits for what others hold: as long as their commits take, and not as long as they think."""
FOR_TRANSACTION: Final = {"for_transaction": True, "lock_wait_ms": 5_000}
FOR_SESSION: Final = {"for_transaction": False, "lock_wait_ms": LOCK_WAIT_MS}
"""How far plans are pinned, and how long locks are waited for."""
OLDEST_SERVER: Final = 140_000
UNREADABLE_URL: Final = (
    "The url does not parse as an address of PostgreSQL; it is not shown, because it may hold a password. "
    "Write postgresql://user:password@host:port/database, with special characters percent-encoded."
)

Connection = psycopg.Connection[tuple[Any, ...]]

_CONTENTION: Final = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.UniqueViolation,
)
_FULL: Final = (errors.DiskFull, errors.OutOfMemory, errors.ConfigurationLimitExceeded, errors.ReadOnlySqlTransaction)
_DOUBTFUL: Final = ("08", "40003", "57", "58", "XX")
"""Beginnings of error codes that tell of trouble on the way to a commit, or beside it, and not of its refusal."""
_SCHEMA: Final = (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction)


class Connector:
    """Opens connections to one database, and remembers whether a pooler is on the way there."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.is_pooled = False

    def connect(self, *, prepares: bool = False) -> Connection:
        """A new connection; one that prepares its statements is worth it only where they come again and again."""
        if _has_two_ats(self._url):
            raise InvalidInput(UNREADABLE_URL)
        try:
            given = conninfo_to_dict(self._url)
            connection = psycopg.connect(
                make_conninfo(self._url, **{name: value for name, value in SILENCE.items() if name not in given}),
                autocommit=True,
                connect_timeout=CONNECT_S_MAX,
                prepare_threshold=None,
                # Whatever the role or the environment says; poolers know this setting and pass it on.
                client_encoding="utf8",
            )
        except psycopg.ProgrammingError:
            # Not as the cause either: what the driver says of a url that it cannot read, it says with the whole url.
            raise InvalidInput(UNREADABLE_URL) from None
        except psycopg.Error as error:
            raise translated(error) from error
        if connection.info.server_version < OLDEST_SERVER:
            connection.close()
            raise SchemaMismatch(
                f"The server runs PostgreSQL {connection.info.server_version // 10_000}; flowfabric needs 14 or newer."
            )
        connection.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        # Behind a pooler a name may mean another client's statement on the next server connection, which would then be
        # run instead of ours.
        if prepares and not self.look_for_pooler(connection):
            connection.prepare_threshold = 0
        return connection

    def first(self) -> Connection:
        """The connection with which someone begins; where there is none, the url may be wrong, and that is said."""
        try:
            return self.connect()
        except ConnectionLost as error:
            raise StoreUnavailable(
                f"The database could not be opened: {error}. Check the url, and that the server runs."
            ) from error

    def look_for_pooler(self, connection: Connection) -> bool:
        """Whether a pooler is on the way, which hands each transaction to another server connection."""
        # A pooler greets its clients in its own name; the server knows its process better.
        try:
            row = connection.execute("select pg_backend_pid()").fetchone()
        except psycopg.Error as error:
            connection.close()
            raise translated(error) from error
        if row != (connection.info.backend_pid,):
            self.is_pooled = True
        return self.is_pooled

    def meaning_of(self, error: psycopg.Error) -> EngineError:
        """What an error means to a caller; it may show that a pooler is in the way, which had passed for the server."""
        if isinstance(error, (errors.InvalidSqlStatementName, errors.DuplicatePreparedStatement)):
            self.is_pooled = True  # from now on nothing is prepared
            return ConnectionLost("the pooler lost a prepared statement; going on without them")
        return translated(error)


def check_alive(connection: Connection) -> None:
    """Raise the driver's error if the server is known to have hung up. Nothing is sent."""
    for _ in range(2):  # its last words, and that there are no more
        connection.pgconn.consume_input()


@contextmanager
def translating_errors(connector: Connector | None = None) -> Iterator[None]:
    """PostgreSQL's errors in our words, the original kept as the cause."""
    try:
        yield
    except psycopg.Error as error:
        raise (translated(error) if connector is None else connector.meaning_of(error)) from error


def is_refusal(error: psycopg.Error) -> bool:
    """Whether the server itself refuses what it was sent, and not the driver, a pooler or a shutdown."""
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
    return StoreError(f"PostgreSQL refused a statement of flowfabric ({what}). Please report this.")


def _has_two_ats(url: str) -> bool:
    """Whether a password holds an @ that is not percent-encoded."""
    # The driver takes what follows the first one for the host, and says the host's name when it does not find it.
    _, _, address = url.partition("://")
    before_host, _, rest = address.partition("@")
    return "/" not in before_host and "@" in rest.partition("?")[0]


def _ended_the_session(error: psycopg.Error) -> bool:
    """Whether the server, or a pooler before it, said goodbye with this error, whatever the error is called."""
    # What a pooler says as it goes comes on top of the answer to a COMMIT, or instead of it, and is then followed by
    # the end of the connection: the driver counts two answers and calls that an internal error, without a code.
    if isinstance(error, psycopg.InternalError) and error.sqlstate is None:
        return True
    # A pooler leaves out the severity that is never translated, and translates none.
    return (error.diag.severity_nonlocalized or error.diag.severity) in ("FATAL", "PANIC")


def _without_details(error: psycopg.Error) -> str:
    # The first line only: details can hold values of the user's, and a connection error holds the address.
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
