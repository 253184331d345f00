"""A wire to PostgreSQL that loses things at the worst moment: around a commit.

It reads the protocol as far as it must: messages from the server, and requests of the client up to the end of each
pipeline. It listens on the loopback only, and needs a connection without TLS.
"""

import asyncio
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from math import inf
from pathlib import Path
from typing import Literal

Fault = Literal["answer lost", "answer replaced", "commit late", "commit stranded"]
"""What happens to a commit:

- answer lost: the server commits, and its answer never arrives;
- answer replaced: the server commits, and something on the way says that there was an error;
- commit late: the client is gone before the server hears of the commit, which then happens;
- commit stranded: the server never hears of the commit, nor that its client is gone.
"""

CALM_COMMITS = 20
LATE_S = 0.25
"""How late a late commit is: long enough for the client to come back and ask what has become of it."""

_ENDS_OF_REQUESTS = b"SHQX"  # Sync, Flush, Query, Terminate
_COMMITTED = b"COMMIT\0"
_ERROR = b"SERROR\0VERROR\0CXX000\0Mthe answer was not understood\0\0"
_ANSWERED: tuple[Fault, ...] = ("answer lost", "answer replaced")
"""The server hears of the commit in time."""


class Wire:
    """What one client has prepared, and where it stands."""

    def __init__(self) -> None:
        self._prepared: dict[bytes, bytes] = {}
        self._is_in_transaction = False
        self.only_reads = False
        """Whether the transaction only reads, so that its end makes nothing so."""
        self.asks = False
        """Whether it asks what has become of a batch, and says that it shall not happen any more."""
        self.awaits_whole_batch = False
        """Whether the next answer is that of a batch which is one statement, and so its own transaction."""

    def commits(self, kind: bytes, body: bytes) -> bool:
        """Whether a message of the client's makes something so."""
        query = b""
        if kind == b"P":
            name, prepared = body.split(b"\0", 2)[:2]
            self._prepared[name] = prepared
        elif kind == b"B":
            query = self._prepared[body.split(b"\0", 2)[1]]
        elif kind == b"Q":
            query = body.rstrip(b"\0").lower()
        if query and not self._is_in_transaction:
            self.asks = False
        verb = query.split(b" ", 1)[0]
        if verb in (b"begin", b"commit", b"rollback"):
            self._is_in_transaction = verb == b"begin"
        if verb == b"begin":
            self.only_reads = b"read only" in query
        self.asks |= b"insert into ff_batch" in query and b"-coalesce" in query
        is_whole_batch = b"insert into ff_batch" in query and not self._is_in_transaction
        self.awaits_whole_batch |= is_whole_batch
        return is_whole_batch or (query == b"commit" and not self.only_reads)


class LossyProxy:
    """Lets `fault` happen to one commit in `one_in`, at most `most` times.

    If so told, only to whole batches, or also to the end of one in `one_read_in` transactions that only read.
    """

    def __init__(
        self,
        server: Path,
        fault: Fault,
        *,
        one_in: int,
        most: int | None = None,
        of_whole_batches: bool = False,
        one_read_in: int | None = None,
        seed: int = 0,
    ) -> None:
        self.faults = 0
        self.faults_of_questions = 0
        """Of those, how many happened to somebody who asked what has become of a batch."""
        self.commits = 0
        self.port = 0
        self._server = server
        self._fault = fault
        self._one_in = one_in
        self._calm_until: float = 0
        self._most = most
        self._of_whole_batches = of_whole_batches
        self._one_read_in = one_read_in
        self._chance = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._wires: set[asyncio.Task[None]] = set()

    @contextmanager
    def running(self) -> Iterator["LossyProxy"]:
        """Serve in a thread of its own while the block lasts."""
        listening = threading.Event()
        stopping = asyncio.Event()

        async def serve() -> None:
            server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
            self.port = server.sockets[0].getsockname()[1]
            listening.set()
            await stopping.wait()
            server.close()
            wires = list(self._wires)
            for wire in wires:
                wire.cancel()
            await asyncio.gather(*wires, return_exceptions=True)

        thread = threading.Thread(target=lambda: self._loop.run_until_complete(serve()))
        thread.start()
        try:
            assert listening.wait(10)
            yield self
        finally:
            self._loop.call_soon_threadsafe(stopping.set)
            thread.join()
            self._loop.close()

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}?sslmode=disable&gssencmode=disable"

    async def _connect(self, from_client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        serving = asyncio.current_task()
        assert serving is not None
        self._wires.add(serving)
        serving.add_done_callback(self._wires.discard)
        ends = [to_client]
        directions: list[asyncio.Future[None]] = []
        try:
            from_server, to_server = await asyncio.open_unix_connection(self._server)
            ends.append(to_server)
            wire = Wire()
            directions.append(asyncio.ensure_future(self._requests(wire, from_client, to_client, to_server)))
            directions.append(asyncio.ensure_future(self._answers(wire, from_server, to_client)))
            # Whichever end goes, the other is cut, unless the fault is that it does not notice.
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            return  # the proxy is closed
        finally:
            # Both ends are cut before anything is waited for: a proxy that is closed meanwhile ends the wait.
            for end in ends:
                end.transport.abort()
            for direction in directions:
                direction.cancel()
            await asyncio.gather(*directions, return_exceptions=True)
            for end in ends:
                with suppress(ConnectionError):
                    await end.wait_closed()

    async def _answers(self, wire: Wire, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await reader.readexactly(5)
                body = await reader.readexactly(int.from_bytes(head[1:]) - 4)
                counts = self._one_read_in is not None or not wire.only_reads
                if head[:1] == b"C" and counts and (body == _COMMITTED or wire.awaits_whole_batch):
                    self.commits += 1
                    if self._fault in _ANSWERED and self._is_hit(wire):
                        if self._fault == "answer lost":
                            return
                        head, body = b"E" + (len(_ERROR) + 4).to_bytes(4), _ERROR
                    wire.awaits_whole_batch = False
                if not client.is_closing():
                    client.write(head + body)

    async def _requests(
        self, wire: Wire, reader: asyncio.StreamReader, client: asyncio.StreamWriter, server: asyncio.StreamWriter
    ) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            size = await reader.readexactly(4)
            server.write(size + await reader.readexactly(int.from_bytes(size) - 4))
            pipeline: list[bytes] = []
            has_commit = False
            while True:
                head = await reader.readexactly(5)
                body = await reader.readexactly(int.from_bytes(head[1:]) - 4)
                pipeline.append(head + body)
                has_commit |= wire.commits(head[:1], body)
                if head[:1] in _ENDS_OF_REQUESTS:
                    if has_commit and self._fault not in _ANSWERED and self._is_hit(wire):
                        await self._strand(wire, client, server, b"".join(pipeline))
                        return
                    server.write(b"".join(pipeline))
                    await server.drain()
                    pipeline.clear()
                    has_commit = False

    async def _strand(
        self, wire: Wire, client: asyncio.StreamWriter, server: asyncio.StreamWriter, pipeline: bytes
    ) -> None:
        client.transport.abort()
        if self._fault == "commit stranded" and wire.awaits_whole_batch:
            await asyncio.Event().wait()  # it holds nothing, so nobody ends it
        if self._fault == "commit stranded":
            # One at a time, with some that get through in between: a batch can be patient only once.
            self._calm_until = inf
            try:
                await asyncio.Event().wait()  # until the server hangs up, or the proxy is closed
            finally:
                self._calm_until = self.commits + CALM_COMMITS
        await asyncio.sleep(LATE_S)
        server.write(pipeline)
        await server.drain()
        # A server that cannot answer rolls back what it has not yet done, so it must be able to for a while.
        await asyncio.sleep(LATE_S)

    def _is_hit(self, wire: Wire) -> bool:
        if self._of_whole_batches and not wire.awaits_whole_batch:
            return False
        if self.commits < self._calm_until or self.faults == self._most:
            return False
        one_in = (self._one_read_in or self._one_in) if wire.only_reads else self._one_in
        hit = self._chance.randrange(one_in) == 0
        self.faults += hit
        self.faults_of_questions += hit and wire.asks
        return hit
