"""A server that answers from a script, byte for byte: for what a well-behaved server never does."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

Script = Callable[[bytes], bytes | None]
"""Gets a whole request, and returns the bytes of the answer. None: the connection is cut."""


class ScriptedServer:
    def __init__(self, script: Script) -> None:
        self._script = script
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._tls: ssl.SSLContext | None = None
        self.requests: list[bytes] = []
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listening.getsockname()[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def encrypt(self, context: ssl.SSLContext) -> None:
        self._tls = context

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
        with suppress(OSError), connection:
            while request := _request_on(connection):
                self.requests.append(request)
                answer = self._script(request)
                if answer is None:
                    return
                connection.sendall(answer)


@contextmanager
def scripted(script: Script) -> Iterator[ScriptedServer]:
    server = ScriptedServer(script)
    try:
        yield server
    finally:
        server.close()


def answer(status: int, body: bytes = b"", media_type: str = "application/json") -> bytes:
    return b"HTTP/1.1 %d X\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n%b" % (
        status,
        media_type.encode(),
        len(body),
        body,
    )


def _request_on(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        more = connection.recv(65536)
        if not more:
            return b""
        received += more
        if received.startswith(b"\x16\x03"):  # the first words of TLS
            return received
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    length = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body
