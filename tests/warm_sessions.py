"""Sessions of PostgreSQL that outlive their engine, so that the next test need not wait for new ones.

A new session reads the catalog before it plans its first statements, and that takes longer than most of the tests on an
empty store. Between two tests a session forgets what it was told, as between two clients of a pooler. What it knows of
the catalog stays, and so do the statements that were prepared on it: to plan them anew takes most of a short test.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg import pq
from psycopg._preparing import PrepareManager
from psycopg.conninfo import conninfo_to_dict

_connect = psycopg.connect

FORGET = (
    b"close all; set session authorization default; reset all; unlisten *; select pg_advisory_unlock_all();"
    b" discard sequences; discard temp"
)
"""What `discard all` does, but for the plans."""


class Session(NamedTuple):
    """A session, and what the driver knows of the statements that are prepared on it."""

    pgconn: pq.abc.PGconn
    prepared: PrepareManager


class WarmSessions:
    """The sessions on one database that nobody uses at the moment, by how they were asked for."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._idle: dict[object, list[Session]] = {}

    @property
    def pids(self) -> list[int]:
        """The server's processes behind them."""
        return [session.pgconn.backend_pid for sessions in self._idle.values() for session in sessions]

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
        session = next((session for session in _taken_from(idle) if _answers(session.pgconn)), None)
        if session is None:
            connection = Returned.connect(conninfo, **options)
        else:
            connection = Returned(session.pgconn)
            connection._prepared = session.prepared
        connection.autocommit = options.get("autocommit", False)
        connection.prepare_threshold = options.get("prepare_threshold", 5)
        connection.idle = idle
        return connection

    def close(self) -> None:
        """End them all."""
        for sessions in self._idle.values():
            for session in sessions:
                session.pgconn.finish()


class Returned(psycopg.Connection[Any]):
    """A connection whose session is given back when it is closed, unless it is in the middle of something."""

    idle: list[Session]

    def close(self) -> None:
        session = self.pgconn
        if session.transaction_status == pq.TransactionStatus.IDLE:
            session.exec_(FORGET)
        if session.transaction_status != pq.TransactionStatus.IDLE:
            super().close()
            return
        while session.notifies():
            pass  # they were for somebody else
        self.pgconn = _closed()
        session.notify_handler = session.notice_handler = None
        self.idle.append(Session(session, self._prepared))


def _taken_from(idle: list[Session]) -> Iterator[Session]:
    while idle:
        yield idle.pop()


def _answers(session: pq.abc.PGconn) -> bool:
    """Whether nobody has ended it while it was idle."""
    return session.exec_(b"").status == pq.ExecStatus.EMPTY_QUERY


def _closed() -> pq.abc.PGconn:
    session = pq.PGconn.connect_start(b"host=/nowhere")
    session.finish()
    return session
