"""A pooler in transaction mode: many clients over few server connections, another one for each transaction.

It reads as much of the wire protocol as it needs to see where a transaction ends, and does what PgBouncer does: a
client is greeted with a key of the pooler's own; whatever it then sends first, even a Flush, gets it a server
connection, which it keeps until the server is next idle; a connection that is left in the middle of something is
closed; prepared statements are passed on as they are, to be there or not as chance will have it.
"""

import asyncio
import os
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

import psycopg

from tests.postgres_server import name_in, with_options

_STARTUP_WORDS = ("server_version", "server_encoding", "client_encoding", "DateStyle", "TimeZone", "integer_datetimes")
_STARTUP_WORDS += ("standard_conforming_strings", "is_superuser", "session_authorization", "IntervalStyle")
_NO_ENCRYPTION = (80877103, 80877104)
_STARTUP = 196608


class Message(NamedTuple):
    kind: bytes
    body: bytes

    @property
    def wire(self) -> bytes:
        return self.kind + struct.pack("!i", len(self.body) + 4) + self.body


async def _read(reader: asyncio.StreamReader) -> Message | None:
    """The next message; None at the end."""
    try:
        kind = await reader.readexactly(1)
        (length,) = struct.unpack("!i", await reader.readexactly(4))
        return Message(kind, await reader.readexactly(length - 4))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


class ServerConnection:
    """One of the few."""

    def __init__(self, url: str) -> None:
        # The driver logs in, whatever that takes; from then on we speak through its socket.
        self._connection = psycopg.connect(with_options(url, sslmode="disable", gssencmode="disable"))
        self.words = {word: self._connection.info.parameter_status(word) for word in _STARTUP_WORDS}
        self.pid = self._connection.info.backend_pid
        self.last_client: object = None

    async def open(self) -> None:
        copy = socket.socket(fileno=os.dup(self._connection.fileno()))
        copy.setblocking(False)
        self.reader, self.writer = await asyncio.open_connection(sock=copy)

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()
        self._connection.close()


class Farewell(NamedTuple):
    """What a client hears last; then its connection is closed."""

    severity: str
    code: str
    words: str

    @property
    def message(self) -> Message:
        # As short as that of PgBouncer: the severity that is never translated is left out.
        return Message(b"E", f"S{self.severity}\0C{self.code}\0M{self.words}\0\0".encode())


_MOMENTS = {
    "begin": lambda message: message.kind == b"P" and b"begin" in message.body,
    "commit": lambda message: message == Message(b"Q", b"COMMIT\0"),
    "committed": lambda message: message == Message(b"C", b"COMMIT\0"),
}


class Pooler:
    """Listens on the loopback interface."""

    def __init__(self, url: str, connections: int, *, passes_for_server: bool = False) -> None:
        self._server_url = url
        self._passes_for_server = passes_for_server
        self._count = connections
        self._loop = asyncio.new_event_loop()
        self._clients: set[asyncio.Task[None]] = set()
        self.url = ""
        self.transactions = 0
        self.switches = 0
        """How often a client was given another connection than the one it had before."""
        self.stray_flushes = 0
        """How often a client sent a Flush behind the end of a transaction.

        By chance it comes before the end is noticed, or gets the client a connection that is not given back for long.
        """
        self.errors: Counter[str] = Counter()
        """What the servers refused, by SQLSTATE."""
        self.named = 0
        """How many statements clients have prepared under a name."""
        self._farewell: tuple[str, Farewell] | None = None

    # ── running ──────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def running(self) -> Iterator["Pooler"]:
        thread = threading.Thread(target=self._loop.run_forever, name="pooler")
        thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(20)
            yield self
        finally:
            asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(20)
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()
            self._loop.close()

    async def _start(self) -> None:
        # First in, first out: whoever comes back gets another connection than the one it has just given away.
        self._idle: asyncio.Queue[ServerConnection] = asyncio.Queue()
        self._all: list[ServerConnection] = []
        for _ in range(self._count):
            await self._add_server()
        self._listener = await asyncio.start_server(self._welcome, "127.0.0.1", 0)
        port = self._listener.sockets[0].getsockname()[1]
        self.url = f"postgresql://client@127.0.0.1:{port}/{name_in(self._server_url)}"

    async def _add_server(self) -> None:
        server = ServerConnection(self._server_url)
        await server.open()
        self._all.append(server)
        self._idle.put_nowait(server)

    async def _stop(self) -> None:
        self._listener.close()
        for task in self._clients:
            task.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        for server in self._all:
            await server.close()

    # ── clients ──────────────────────────────────────────────────────────────────────────────────

    async def _welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._clients.add(task)
        try:
            if await self._greeted(reader, writer):
                await Client(self, reader, writer).serve()
        except (ConnectionError, asyncio.CancelledError):
            return
        finally:
            self._clients.discard(task)
            writer.close()

    async def _greeted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        while True:
            try:
                length, code = struct.unpack("!ii", await reader.readexactly(8))
                await reader.readexactly(length - 8)
            except asyncio.IncompleteReadError:
                return False
            if code in _NO_ENCRYPTION:
                writer.write(b"N")
            elif code >= _STARTUP and code >> 16 == 3:
                break
            else:
                return False
        writer.write(Message(b"R", struct.pack("!i", 0)).wire)
        for word, value in self._all[0].words.items():
            writer.write(Message(b"S", f"{word}\0{value}\0".encode()).wire)
        # Whoever wants to cancel has to ask the pooler, so the process and the secret are of its making.
        key = os.urandom(8)
        if self._passes_for_server:
            key = struct.pack("!i", self._all[0].pid) + key[4:]
        writer.write(Message(b"K", key).wire + Message(b"Z", b"I").wire)
        return True

    def bid_farewell(self, moment: str, farewell: Farewell) -> None:
        """Leave the next client that begins or commits, or whose commit has just been done, without its answer."""
        self._farewell = (moment, farewell)

    @property
    def has_bidden_farewell(self) -> bool:
        return self._farewell is None

    def farewell_at(self, message: Message) -> Message | None:
        if self._farewell is None or not _MOMENTS[self._farewell[0]](message):
            return None
        _, farewell = self._farewell
        self._farewell = None
        return farewell.message

    async def take(self, client: object) -> ServerConnection:
        """A connection for one transaction."""
        server = await self._idle.get()
        self.transactions += 1
        self.switches += server.last_client is not client
        server.last_client = client
        return server

    def give_back(self, server: ServerConnection) -> None:
        self._idle.put_nowait(server)

    async def replace(self, server: ServerConnection) -> None:
        """Its client went away in the middle of a transaction: nobody else may find what is left of it."""
        self._all.remove(server)
        await server.close()
        await self._add_server()


class Client:
    """One client, and the transaction it is in."""

    def __init__(self, pooler: Pooler, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._pooler = pooler
        self._reader = reader
        self._writer = writer

    async def serve(self) -> None:
        coming = asyncio.ensure_future(_read(self._reader))
        try:
            while (first := await coming) is not None and first.kind != b"X":
                self._pooler.stray_flushes += first.kind == b"H"
                server = await self._pooler.take(self)
                try:
                    coming, is_clean = await self._transaction(server, first)
                except BaseException:
                    await self._pooler.replace(server)
                    raise
                if not is_clean:
                    await self._pooler.replace(server)
                    return
                self._pooler.give_back(server)
        finally:
            coming.cancel()

    async def _transaction(
        self, server: ServerConnection, first: Message
    ) -> tuple["asyncio.Future[Message | None]", bool]:
        """Pass messages both ways until the server is idle again; the client's next message, and if it is clean."""
        awaited = 0  # answers to Sync and simple queries
        is_open = False  # something was sent that no Sync has ended yet
        flushes = 0  # behind the last Sync
        coming: asyncio.Future[Message | None] = asyncio.ensure_future(asyncio.sleep(0, first))
        answering = asyncio.ensure_future(_read(server.reader))
        try:
            while True:
                done, _ = await asyncio.wait({coming, answering}, return_when=asyncio.FIRST_COMPLETED)
                if coming in done:
                    message = coming.result()
                    if message is None or message.kind == b"X":
                        return coming, False
                    if farewell := self._pooler.farewell_at(message):
                        self._to_client(farewell)
                        return coming, False
                    awaited += message.kind in (b"Q", b"S", b"F")
                    if message.kind == b"H":  # it asks for answers, and for nothing to be answered
                        flushes += not is_open
                    else:
                        # A Flush that came late, behind a Sync within the transaction, is none behind its end.
                        flushes = 0
                        is_open = message.kind not in (b"Q", b"S", b"F")
                    self._to_server(server, message)
                    coming = asyncio.ensure_future(_read(self._reader))
                if answering in done:
                    answer = answering.result()
                    if answer is None:
                        return coming, False
                    if farewell := self._pooler.farewell_at(answer):
                        self._to_client(farewell)
                        return coming, False
                    self._to_client(answer)
                    awaited -= answer.kind == b"Z"
                    if answer == Message(b"Z", b"I") and not awaited and not is_open:
                        self._pooler.stray_flushes += flushes
                        await self._writer.drain()
                        return coming, True
                    if answer.kind == b"Z":
                        flushes = 0
                    answering = asyncio.ensure_future(_read(server.reader))
        finally:
            answering.cancel()

    def _to_server(self, server: ServerConnection, message: Message) -> None:
        self._pooler.named += message.kind == b"P" and message.body[:1] != b"\0"
        server.writer.write(message.wire)

    def _to_client(self, answer: Message) -> None:
        if answer.kind == b"E":
            fields = {field[:1]: field[1:].decode() for field in answer.body.split(b"\0") if field}
            self._pooler.errors[fields[b"C"]] += 1
        self._writer.write(answer.wire)
