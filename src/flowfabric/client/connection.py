"""One connection to a server: a request and its answer, then the next one. It lives on the line's event loop."""

import asyncio
import ssl
from collections.abc import AsyncGenerator
from typing import Final

from flowfabric.client.address import Address
from flowfabric.client.http1 import Answer, AnswerReader, Cut
from flowfabric.wire.http1 import Malformed

CONNECT_S_MAX: Final = 5.0
"""How long it may take to connect, with TLS."""


class Connection(asyncio.Protocol):
    """A connection, with at most one request under way."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._reader = AnswerReader()
        self._news: asyncio.Future[None] | None = None
        """Done when more of the answer has come, or the connection has ended."""
        self._error: Exception | None = None
        self._is_listening = False
        self.is_used = False
        """Whether a request was answered on it. The server may have closed such a connection meanwhile."""

    @classmethod
    async def open(cls, address: Address, tls: ssl.SSLContext | None) -> "Connection":
        """A new connection. Raises OSError, which TimeoutError and errors of TLS are."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_S_MAX):
            _, connection = await loop.create_connection(cls, address.host, address.port, ssl=tls)
        return connection

    @property
    def is_open(self) -> bool:
        """Whether a request can be sent."""
        return self._error is None and self._transport is not None and not self._transport.is_closing()

    def close(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    async def ask(self, request: bytes) -> Answer:
        """Send a request and wait for the whole answer. Raises Malformed, Cut, or OSError."""
        reader = self._send(request)
        try:
            while not reader.is_complete:
                await self._more()
        except BaseException:
            self.close()  # what comes later would be taken for the answer to the next request
            raise
        self.is_used = True
        if not reader.leaves_connection_open:
            self.close()
        return reader.answer()

    async def listen(self, request: bytes) -> AsyncGenerator[Answer]:
        """Send a request whose answer does not end soon, and yield what has come of it, piece by piece.

        An answer other than 200 is yielded whole.
        """
        reader = self._send(request)
        self._is_listening = True
        try:
            while True:
                await self._more()
                is_last = reader.is_complete
                if is_last or reader.status == 200:
                    yield reader.answer()
                if is_last:
                    return
                self._read_on()
        finally:
            self.close()

    def _read_on(self) -> None:
        if self.is_open and self._transport is not None:
            self._transport.resume_reading()

    def _send(self, request: bytes) -> AnswerReader:
        if not self.is_open or self._transport is None:
            raise Cut
        self._reader = AnswerReader()
        self._transport.write(request)
        return self._reader

    async def _more(self) -> None:
        """Wait until more of the answer has come. Raises what has ended the connection before."""
        if self._error is None:
            self._news = asyncio.get_running_loop().create_future()
            await self._news
        self._check()

    def _check(self) -> None:
        if self._error is not None and not self._reader.is_complete:
            raise self._error

    # ── what the event loop calls ────────────────────────────────────────────────────────────────

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The connection is open."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """More bytes have come."""
        try:
            self._reader.feed(data)
        except Malformed as error:
            self._error = error
        if self._is_listening and self._transport is not None:
            self._transport.pause_reading()  # until somebody has taken this piece
        self._tell()

    def connection_lost(self, error: Exception | None) -> None:
        """The connection has ended, by either side."""
        try:
            self._reader.end()
        except Cut as cut:
            self._error = self._error or error or cut
        else:
            self._error = self._error or Cut()
        self._tell()

    def _tell(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)
