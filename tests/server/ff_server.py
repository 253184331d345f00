"""`ff server` as a process of its own, at a port of its own; it may be killed and started again."""

import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx

from flowfabric import open_blocking_engine
from tests.chaos.processes import Process, wait_until


class Served:
    """A server that `running` starts, and that a test may kill and start again."""

    def __init__(self, store: str, folder: Path, options: tuple[str, ...]) -> None:
        self.store = store
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._words = ("server", "--store", store, "--port", self.port, "--log-level", "warning", *options)
        self._process: Process | None = None

    def start(self) -> None:
        """Start it, and return when it and its store answer."""
        self._process = Process("tests.chaos.programs", "ff", ("{}", *self._words), self._folder)
        wait_until(self._answers)

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.is_running, self._process.said
        try:
            return httpx.get(f"{self.url}/readyz", timeout=5).is_success
        except httpx.TransportError:
            return False

    @property
    def pid(self) -> int:
        """The process that runs now."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """kill -9, if it runs."""
        if self._process is not None:
            self._process.end()
            self._process = None


@contextmanager
def running(store: str, folder: Path, *options: str) -> Iterator[Served]:
    """One that serves a store until the block ends. The store is made if there is none."""
    with open_blocking_engine(store, migrate=True, reconcile=False):
        pass
    server = Served(store, folder, options)
    try:
        server.start()
        yield server
    finally:
        server.kill()


def free_port() -> int:
    """One that nobody uses, below those that the system gives to connections: it is still free when a server starts."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as one, suppress(OSError):
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(("127.0.0.1", port))
            return port
