"""Requests that a blocking caller sends in its own thread, on a socket of its own.

The line's thread would take the request from the caller and hand the answer back. Two changes of threads take longer
than the request itself.
"""

import os
import select
import socket
import ssl
import threading
import time
import weakref
from typing import Final

from flowfabric.client.address import Address
from flowfabric.client.connection import CONNECT_S_MAX
from flowfabric.client.http1 import Answer, AnswerReader, Cut
from flowfabric.client.line import CONNECTIONS_MAX, IDLE_MAX, closed

BODY_BYTES_MAX: Final = 64 * 1024
"""How large a body may be. A larger one takes the line, which reads a refusal while it is still sending."""
PIECE_BYTES: Final = 256 * 1024
"""How much of an answer is read at once."""


class OwnSockets:
    """The sockets of all blocking callers of an engine. Each is used by one thread at a time."""

    def __init__(self, address: Address, tls: ssl.SSLContext | None) -> None:
        self._address = address
        self._tls = tls
        self._begin()
        _all.add(self)

    def _begin(self) -> None:
        """Start from nothing. A forked child begins anew, and leaves the sockets to its parent."""
        self._idle: list[OwnSocket] = []
        self._room = threading.Semaphore(CONNECTIONS_MAX)
        self._alone = threading.Lock()
        self._closing = threading.Event()

    # ── who may use one ──────────────────────────────────────────────────────────────────────────

    def enter(self, *, alone: bool) -> bool:
        """Whether the caller may send by itself. Then it calls `leave` afterwards.

        `alone`: if no other such call is under way, because several of them are better sent together.
        """
        if alone and not self._alone.acquire(blocking=False):
            return False
        if self._room.acquire(blocking=False):
            return True
        if alone:
            self._alone.release()
        return False

    def leave(self, *, alone: bool) -> None:
        """The caller has its answer, or has given up."""
        self._room.release()
        if alone:
            self._alone.release()

    # ── sending ──────────────────────────────────────────────────────────────────────────────────

    async def ask(self, request: bytes, *, within_s: float, waits: bool = False) -> Answer:
        """Send a request and wait for its answer. Raises OSError, Cut or Malformed, as the line does."""
        give_up_at = time.monotonic() + within_s
        while True:
            if self._closing.is_set():
                raise closed()
            connection = self._taken() or OwnSocket(self._address, self._tls)
            try:
                answer = connection.ask(request, give_up_at)
            except BaseException as error:
                connection.close()  # what comes later would be taken for the answer to the next request
                is_stale = connection.is_used and isinstance(error, OSError | Cut)
                if is_stale and not isinstance(error, TimeoutError):
                    continue
                raise
            self._put_back(connection)
            return answer

    async def pause(self, pause_s: float) -> None:
        """Wait for so long, or until the engine is closed."""
        self._closing.wait(pause_s)

    def close(self) -> None:
        """Refuse further requests. Those that are under way come to their end."""
        self._closing.set()
        while (connection := self._taken()) is not None:
            connection.close()

    def _taken(self) -> "OwnSocket | None":
        """A connection that is kept, and that is still good."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:  # another thread has taken the last one
                break
            if connection.is_silent:
                return connection
            connection.close()
        return None

    def _put_back(self, connection: "OwnSocket") -> None:
        if connection.is_usable and len(self._idle) < IDLE_MAX and not self._closing.is_set():
            self._idle.append(connection)
        else:
            connection.close()


class OwnSocket:
    """One connection, with at most one request under way."""

    def __init__(self, address: Address, tls: ssl.SSLContext | None) -> None:
        """A new connection. Raises OSError."""
        self.is_used = False
        """Whether a request was answered on it. The server may have closed such a connection meanwhile."""
        self.is_usable = False
        """Whether another request can be sent."""
        self._socket = socket.create_connection((address.host, address.port), CONNECT_S_MAX)
        try:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if tls is not None:
                self._socket = tls.wrap_socket(self._socket, server_hostname=address.host)
        except BaseException:
            self._socket.close()
            raise

    @property
    def is_silent(self) -> bool:
        """Whether nothing has come since the last answer: not the end, and no bytes that nobody has asked for."""
        if hasattr(select, "poll"):  # `select` takes no file beyond the first 1,024
            poll = select.poll()
            poll.register(self._socket, select.POLLIN)
            return not poll.poll(0)
        return not any(select.select([self._socket], [], [], 0))

    def ask(self, request: bytes, give_up_at: float) -> Answer:
        """Send a request and wait for the whole answer. Raises Malformed, Cut, or OSError, which TimeoutError is."""
        reader = AnswerReader()
        self._socket.settimeout(_left_s(give_up_at))
        self._socket.sendall(request)
        while True:
            piece = self._socket.recv(PIECE_BYTES)
            if piece:
                reader.feed(piece)
            else:
                reader.end()
            if reader.is_complete:
                break
            self._socket.settimeout(_left_s(give_up_at))
        self.is_used, self.is_usable = True, bool(piece) and reader.leaves_connection_open
        return reader.answer()

    def close(self) -> None:
        """End the connection."""
        self._socket.close()


def _left_s(give_up_at: float) -> float:
    left_s = give_up_at - time.monotonic()
    if left_s <= 0:
        raise TimeoutError
    return left_s


_all: "weakref.WeakSet[OwnSockets]" = weakref.WeakSet()


def _start_anew() -> None:
    for sockets in list(_all):
        sockets._begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
