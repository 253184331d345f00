"""A thread that listens for the commits of other processes, on a connection of its own.

Behind a pooler that hands each transaction to another server connection nobody can listen; then everyone polls.
"""

import logging
import os
import selectors
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import msgspec
import psycopg

from flowfabric.domain.errors import EngineError
from flowfabric.domain.news import Committed, OnOthersCommit
from flowfabric.stores.postgres.connection import Connection, Connector
from flowfabric.stores.postgres.notes import (
    ANYTHING,
    ENDED,
    EVENTS,
    FREED,
    LOST,
    READY,
    RESUMED,
    SAID,
    WAITS_OVER,
    WANTED,
    WANTED_S,
    Notes,
)
from flowfabric.stores.postgres.queue_heads import Part, Place, QueueHeads

log = logging.getLogger("flowfabric.stores.postgres")

ANNOUNCE_S: Final = WANTED_S / 3
"""How often a listener repeats what it waits for."""
RETRY_S: Final = 2.0
LINGER_S: Final = 5.0
"""How long a listener stays on an optional channel after the last wait, because many callers wait again and again."""
CLOSE_S_MAX: Final = 2.0
"""How long a close waits for the thread. If the database does not answer, the thread is left behind."""

_LANE: Final = msgspec.json.Decoder(tuple[str, str])
_IDS: Final = msgspec.json.Decoder(list[str])
_KEY: Final = msgspec.json.Decoder(tuple[str, str, str])
_PLACE: Final = msgspec.json.Decoder(tuple[Part, Place])


class Listener:
    """Receives the notifications of other processes."""

    def __init__(
        self, connector: Connector, our_sessions: Mapping[object, int], notes: Notes, queue_heads: QueueHeads
    ) -> None:
        self._connector = connector
        self._our_sessions = our_sessions
        self._notes = notes
        self._queue_heads = queue_heads
        self._wanted: frozenset[str] = frozenset()
        """The optional channels on which somebody in this process waits: ends, events, slots of limits, frames."""
        self._wanted_until: dict[str, float] = {}
        """When the listener leaves channels on which nobody waits any more."""
        self._wake: int | None = None
        """A socket: a byte written to it ends the thread's wait."""
        self._lock = threading.Lock()
        self._stopping = threading.Event()

    def listen_for(self, *, ends: bool, events: bool, slots: bool, streams: bool) -> None:
        """Say whether anyone here waits for ends, for events, for slots of limits or for frames. From any thread."""
        # The end of an execution is also the end of its stream.
        channels = ((ENDED, ends or streams), (EVENTS, events), (FREED, slots), (SAID, streams))
        wanted = frozenset(channel for channel, is_wanted in channels if is_wanted)
        if wanted == self._wanted:
            return
        now = time.monotonic()
        with self._lock:
            listened_to = self._channels_at(now)
            self._wanted_until.update(dict.fromkeys(self._wanted - wanted, now + LINGER_S))
            self._wanted = wanted
        if not wanted <= listened_to:
            self._wake_up()

    def _channels_at(self, now: float) -> frozenset[str]:
        """The optional channels on which this process listens at a moment. The lock must be held."""
        return self._wanted.union(channel for channel, until in self._wanted_until.items() if until > now)

    @contextmanager
    def listening(self, on_commit: OnOthersCommit) -> Iterator[None]:
        """Call `on_commit` for each commit of other processes, while the block lasts."""
        woken_at, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        self._stopping.clear()
        thread = threading.Thread(
            target=self._listen, args=(on_commit, woken_at), name="flowfabric-listener", daemon=True
        )
        thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            self._wake_up()
            thread.join(CLOSE_S_MAX)
            with self._lock:
                wake, self._wake = self._wake, None
            if not thread.is_alive():  # otherwise it may still read from the socket, once the database answers
                os.close(wake)
                os.close(woken_at)

    def _wake_up(self) -> None:
        with self._lock:
            if self._wake is not None:
                try:
                    os.write(self._wake, b"!")
                except BlockingIOError:
                    return  # the thread is about to wake up anyway

    def _listen(self, on_commit: OnOthersCommit, woken_at: int) -> None:
        while not self._stopping.is_set() and not self._connector.is_pooled:
            try:
                with self._connector.connect() as connection:
                    # A process that only waits has not written yet, so it has not looked for a pooler.
                    if self._connector.look_for_pooler(connection):
                        return
                    for channel in (READY, LOST, WAITS_OVER, RESUMED, WANTED):
                        connection.execute(f"listen {channel}")
                    self._notes.is_listening = True
                    on_commit(None)  # earlier commits may have been missed
                    self._hear(connection, on_commit, woken_at)
            except (psycopg.Error, EngineError) as error:
                log.debug("this process cannot listen now, so it polls: %s", error, extra={"cause": str(error)})
            except Exception as error:
                log.exception("the listener failed; everyone polls until it listens again", extra={"cause": str(error)})
            finally:
                self._notes.is_listening = False
            self._stopping.wait(RETRY_S)

    def _hear(self, connection: Connection, on_commit: OnOthersCommit, woken_at: int) -> None:
        # Not select(): it refuses file descriptors above 1,023, and a busy process has more.
        with selectors.DefaultSelector() as sockets:
            sockets.register(connection.fileno(), selectors.EVENT_READ)
            sockets.register(woken_at, selectors.EVENT_READ)
            self._hear_at(sockets, connection, on_commit, woken_at)

    def _hear_at(
        self, sockets: selectors.BaseSelector, connection: Connection, on_commit: OnOthersCommit, woken_at: int
    ) -> None:
        listened_to: frozenset[str] = frozenset()
        announce_at = 0.0
        while not self._stopping.is_set() and not self._connector.is_pooled:
            with self._lock:
                wanted = self._channels_at(time.monotonic())
            for channel in wanted - listened_to:
                connection.execute(f"listen {channel}")
            for channel in listened_to - wanted:
                connection.execute(f"unlisten {channel}")
            if wanted and (wanted != listened_to or time.monotonic() >= announce_at):
                said = msgspec.json.encode(sorted(wanted)).decode()
                connection.execute("select pg_notify(%s, %s)", (WANTED, said))
                announce_at = time.monotonic() + ANNOUNCE_S
            if not wanted <= listened_to:
                on_commit(None)  # until now nobody has notified us of ends and events
            listened_to = wanted
            # Notifications that came with the answers above have been received already; the socket will not announce
            # them.
            self._tell(connection, on_commit)
            left_s = max(0.0, announce_at - time.monotonic()) if wanted else ANNOUNCE_S
            if any(key.fd == woken_at for key, _ in sockets.select(left_s)):
                os.read(woken_at, 4096)

    def _tell(self, connection: Connection, on_commit: OnOthersCommit) -> None:
        for note in connection.notifies(timeout=0):
            if note.pid in tuple(self._our_sessions.values()) or note.pid == connection.info.backend_pid:
                continue  # this process has heard of its own commits already
            try:
                if note.channel == WANTED:
                    self._notes.are_wanted(_IDS.decode(note.payload))
                elif note.channel == RESUMED:
                    self._queue_heads.entered(*_PLACE.decode(note.payload))
                else:
                    on_commit(_commit_in(note.channel, note.payload))
            except msgspec.MsgspecError:
                on_commit(None)


def _commit_in(channel: str, said: str) -> Committed | None:
    if channel == READY:
        return Committed((), False, [_LANE.decode(said)])
    if channel == LOST:
        return Committed((), False, lost=_IDS.decode(said))
    if channel == WAITS_OVER:
        return Committed((), False, waits_over=_IDS.decode(said))
    if channel == FREED:
        return Committed((), False, freed=[_KEY.decode(said)])
    if channel == SAID:
        return None if said == ANYTHING else Committed((), False, streams=_IDS.decode(said))
    return Committed((), True) if channel == EVENTS else Committed(_IDS.decode(said), False)
