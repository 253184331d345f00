"""Connections to a database file, with our settings, and the translation of SQLite's errors into ours."""

import os
import re
import sqlite3
import sys
from functools import cache
from typing import Any, Final
from urllib.parse import quote

from flowfabric.domain.errors import Contention, Corruption, StoreError, StoreUnavailable
from flowfabric.ports.errors import ConnectionLost

BUSY_MS: Final = 5_000
"""How long to wait for a program that writes to the file without our lock."""
CACHE_KIB: Final = 16_384
FileId = tuple[int, int]
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_GONE: Final = (
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_PROTOCOL,
)
_NUMBERED: Final = re.compile(r"\?(\d+)")
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class UnnumberedConnection(sqlite3.Connection):
    """Replaces ?1, ?2 and so on by plain question marks, and repeats each value as often as it is used."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run a statement with numbered placeholders."""
        if "?1" not in sql:
            return super().execute(sql, parameters)
        unnumbered, order = _unnumbered(sql)
        return super().execute(unnumbered, [parameters[place] for place in order])


@cache
def _unnumbered(sql: str) -> tuple[str, list[int]]:
    return _NUMBERED.sub("?", sql), [int(number) - 1 for number in _NUMBERED.findall(sql)]


# Python 3.12.0 to 3.12.3 take ?1 for a name, and warn if the values are a list.
_CONNECTION: Final = UnnumberedConnection if (3, 12) <= sys.version_info < (3, 12, 4) else sqlite3.Connection


def connect(path: str, *, synchronous: str, reading: bool) -> sqlite3.Connection:
    """A connection to an existing file. To write or checkpoint through it, a thread must hold the write lock."""
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}?mode=rw",
        uri=True,
        timeout=BUSY_MS / 1000,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=512,
        factory=_CONNECTION,
    )
    try:
        connection.execute("pragma wal_autocheckpoint = 0")
        connection.execute("pragma synchronous = normal" if synchronous == "normal" else "pragma synchronous = full")
        connection.execute(f"pragma cache_size = -{CACHE_KIB}")
        connection.execute("pragma temp_store = memory")
        if reading:
            connection.execute("pragma query_only = on")
    except BaseException:
        connection.close()
        raise
    return connection


def create_if_missing(path: str) -> None:
    """Make an empty file that only its owner may read.

    A file that exists is never opened by hand: closing it would drop the locks that SQLite holds on it.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        check_is_file(path)
    except OSError as error:
        raise StoreUnavailable(
            f"The database file {path} cannot be created: {error.strerror}. "
            "Check that its folder exists and is writable."
        ) from error


def check_is_file(path: str) -> None:
    """Refuse a path that exists and is not an ordinary file."""
    if os.path.exists(path) and not os.path.isfile(path):
        what = "a folder" if os.path.isdir(path) else "no ordinary file"
        raise StoreUnavailable(f"{path} is {what}, and a database is a file. Name a file, which may be a new one.")


def file_id(path: str) -> FileId | None:
    """The identity of the file that is at the path now; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def translating_errors(path: str) -> "_Translating":
    """Turn errors of SQLite into our errors, with the original as the cause."""
    return _Translating(path)


class _Translating:
    """A class, and no generator: every commit enters it several times, and a generator takes more calls."""

    __slots__ = ("_path",)

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Raise our error in the place of SQLite's."""
        if isinstance(error, sqlite3.Error):
            raise translated(error, self._path) from error


def translated(error: sqlite3.Error, path: str) -> Exception:
    """What an error of SQLite means to a caller."""
    # Extended codes carry the primary code in their low byte.
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
    if isinstance(error, sqlite3.IntegrityError):
        return Contention(f"another writer got there first: {error}")
    if code in _BUSY:
        return StoreUnavailable(
            f"{path} is locked by a program that writes it without flowfabric. Nothing was changed; send it again, "
            "and let only flowfabric write to this file."
        )
    if code == sqlite3.SQLITE_FULL:
        return StoreUnavailable(
            f"The disk that holds {path} is full. Nothing was changed; free some space and send it again."
        )
    if is_undecodable(error):
        return Corruption(f"{path} holds a text that is not UTF-8 ({error}). Repair the row, or restore a backup.")
    if code in _DAMAGED:
        return Corruption(f"{path} is not a healthy SQLite database ({error}). Restore it from a backup.")
    if code in _GONE or isinstance(error, sqlite3.ProgrammingError):
        return ConnectionLost(f"{path} cannot be used: {error}. Check the file and its disk.")
    return StoreError(f"SQLite refused a statement of flowfabric on {path}: {error}. Please report this.")


def is_undecodable(error: sqlite3.Error) -> bool:
    """Whether a stored text is not UTF-8. Python notices this, not SQLite, so the error has no code of SQLite."""
    return isinstance(error, sqlite3.OperationalError) and "decode to UTF-8" in str(error)
