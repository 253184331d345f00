"""Noticing what other processes make ready in PostgreSQL: NOTIFY, at most once per lane and commit.

Behind a pooler that hands each transaction to another server connection nobody can listen; then workers poll.
"""

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import msgspec
import psycopg

from flowfabric.domain.errors import EngineError
from flowfabric.ports import Lane, OnReady
from flowfabric.stores.postgres.connection import Connection, Connector

log = logging.getLogger("flowfabric.stores.postgres")

CHANNEL: Final = "flowfabric_ready"
LISTEN_S: Final = 0.5
"""How long one wait for notifications lasts, and with it the way to an end."""
RETRY_S: Final = 2.0

_LANE: Final = msgspec.json.Decoder(tuple[str, str])


def notification_of(lane: Lane) -> str:
    """What is sent when something has become ready in a lane."""
    return msgspec.json.encode(lane).decode()


@contextmanager
def listening(connector: Connector, our_sessions: Mapping[object, int], on_ready: OnReady) -> Iterator[None]:
    """Call `on_ready` for what others make ready, while the block lasts, on a connection of its own."""
    stopping = threading.Event()
    thread = threading.Thread(
        target=_listen, args=(connector, our_sessions, on_ready, stopping), name="flowfabric-listener", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def _listen(
    connector: Connector, our_sessions: Mapping[object, int], on_ready: OnReady, stopping: threading.Event
) -> None:
    while not stopping.is_set() and not connector.is_pooled:
        try:
            with connector.connect() as connection:
                connection.execute(f"listen {CHANNEL}")
                on_ready(None)  # what happened before may have gone unheard
                _hear(connection, our_sessions, on_ready, stopping)
        except (psycopg.Error, EngineError) as error:
            log.debug("cannot listen; workers poll until then: %s", error, extra={"cause": str(error)})
            stopping.wait(RETRY_S)


def _hear(
    connection: Connection, our_sessions: Mapping[object, int], on_ready: OnReady, stopping: threading.Event
) -> None:
    while not stopping.is_set():
        for note in connection.notifies(timeout=LISTEN_S, stop_after=1):
            if note.pid in tuple(our_sessions.values()):
                continue  # our own commits ring at once
            try:
                on_ready([_LANE.decode(note.payload)])
            except msgspec.MsgspecError:
                on_ready(None)
