"""Sessions of PostgreSQL that outlive their engine, so that the next test need not wait for new ones.

A new session reads the catalog before it plans its first statements, and that takes longer than most of the tests on an
empty store. `discard all` takes away what a session was told, as poolers do between clients. What the session knows of
the catalog stays.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict

_connect = psycopg.connect


class WarmSessions:
    """The sessions on one database that nobody uses at the moment, by how they were asked for."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._idle: dict[object, list[pq.abc.PGconn]] = {}

    @property
    def pids(self) -> list[int]:
        """The server's processes behind them."""
        return [session.backend_pid for sessions in self._idle.values() for session in sessions]

    @contextmanager
    def used(self) -> Iterator[None]:
        """Whoever connects to the database within the block gets one of these sessions, if there is one."""
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(psycopg, "connect", self._connect)
            yield

    def _connect(self, conninfo: str = "", **options: Any) -> psycopg.Connection[Any]:
        if conninfo_to_dict(conninfo).get("dbname") != self._database or "row_factory" in options:
            return _connect(conninfo, **options)
        idle = self._idle.setdefault((conninfo, *sorted(options.items())), [])
        session = next((session for session in _taken_from(idle) if _answers(session)), None)
        connection = Returned.connect(conninfo, **options) if session is None else Returned(session)
        connection.autocommit = options.get("autocommit", False)
        connection.prepare_threshold = options.get("prepare_threshold", 5)
        connection.idle = idle
        return connection

    def close(self) -> None:
        """End them all."""
        for sessions in self._idle.values():
            for session in sessions:
                session.finish()


class Returned(psycopg.Connection[Any]):
    """A connection whose session is given back when it is closed, unless it is in the middle of something."""

    idle: list[pq.abc.PGconn]

    def close(self) -> None:
        session = self.pgconn
        if session.transaction_status == pq.TransactionStatus.IDLE:
            session.exec_(b"discard all")
        if session.transaction_status != pq.TransactionStatus.IDLE:
            super().close()
            return
        while session.notifies():
            pass  # they were for somebody else
        self.pgconn = _closed()
        session.notify_handler = session.notice_handler = None
        self.idle.append(session)


def _taken_from(idle: list[pq.abc.PGconn]) -> Iterator[pq.abc.PGconn]:
    while idle:
        yield idle.pop()


def _answers(session: pq.abc.PGconn) -> bool:
    """Whether nobody has ended it while it was idle."""
    return session.exec_(b"").status == pq.ExecStatus.EMPTY_QUERY


def _closed() -> pq.abc.PGconn:
    session = pq.PGconn.connect_start(b"host=/nowhere")
    session.finish()
    return session
