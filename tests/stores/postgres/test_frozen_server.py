"""A server that takes everything and answers nothing: closing does not wait for it."""

import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

import pytest
from psycopg.conninfo import conninfo_to_dict

from flowfabric import EngineError
from flowfabric.engine import poller
from flowfabric.reconcilers import sweep
from flowfabric.reconcilers.sweep import Sweeper
from flowfabric.stores.postgres import listening, readers
from flowfabric.stores.postgres.store import PostgresStore
from tests.assembled import assembled
from tests.postgres_server import name_in

WAIT_S_MAX = 5.0


class FreezingProxy:
    """Passes everything on, until it is told to keep it."""

    def __init__(self, url: str) -> None:
        self._server = conninfo_to_dict(url)
        self._flows = threading.Event()
        self._flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self.kept = threading.Semaphore(0)
        """One more for each piece that was kept back."""
        password = f":{self._server['password']}" if "password" in self._server else ""
        address = f"{self._server.get('user', 'postgres')}{password}@127.0.0.1:{self._listener.getsockname()[1]}"
        self.url = f"postgresql://{address}/{name_in(url)}?sslmode=disable&gssencmode=disable"

    @contextmanager
    def running(self) -> Iterator["FreezingProxy"]:
        self._start(self._serve)
        try:
            yield self
        finally:
            self.thaw()
            for end in (self._listener, *self._ends):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            for thread in self._threads:
                thread.join(WAIT_S_MAX)

    def freeze(self) -> None:
        self._flows.clear()

    def thaw(self) -> None:
        self._flows.set()

    def _start(self, run: object, *args: object) -> None:
        thread = threading.Thread(target=run, args=args, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = self._connected()
                self._ends += (client, server)
                self._start(self._pass_on, client, server)
                self._start(self._pass_on, server, client)

    def _connected(self) -> socket.socket:
        host, port = str(self._server.get("host", "127.0.0.1")), str(self._server.get("port", 5432))
        if not host.startswith("/"):
            return socket.create_connection((host, int(port)))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(65_536):
                if not self._flows.is_set():
                    self.kept.release()
                    self._flows.wait()
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)


def our_threads(*, but: Collection[threading.Thread] = ()) -> list[threading.Thread]:
    """The threads of this package, without those that were there before."""
    return [each for each in threading.enumerate() if each.name.startswith("flowfabric-") and each not in but]


def test_a_database_that_does_not_answer_keeps_nobody_from_closing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (listening, poller, readers, sweep):
        monkeypatch.setattr(module, "CLOSE_S_MAX", 0.1)
    before = our_threads()
    with FreezingProxy(url).running() as proxy, ExitStack() as stack:
        opened = stack.enter_context(closing(PostgresStore(proxy.url)))
        parts = stack.enter_context(assembled(opened))
        stack.enter_context(Sweeper(opened, parts.commits, parts.wakeups).running())
        execution_id = parts.engine.create_execution("job").execution_id

        def wait() -> None:
            with suppress(EngineError):
                parts.engine.wait_for_result(execution_id)

        waiting = threading.Thread(target=wait)
        waiting.start()
        while not opened.notes.is_listening or parts.wakeups._poller.is_resting:
            threading.Event().wait(0.002)
        proxy.freeze()
        opened.listen_for(ends=True, events=True, slots=True, streams=True)
        for _ in range(3):  # the listener, the poller, and the sweeper
            assert proxy.kept.acquire(timeout=WAIT_S_MAX)
        closer = threading.Thread(target=stack.pop_all().close)

        closer.start()
        closer.join(WAIT_S_MAX)
        has_closed = not closer.is_alive()
        left_behind = {thread.name for thread in our_threads(but=before)}
        proxy.thaw()
        for thread in (closer, waiting, *our_threads(but=before)):
            thread.join(WAIT_S_MAX)

        assert has_closed
        assert {"flowfabric-listener", "flowfabric-poller"} <= left_behind
        assert our_threads(but=before) == []


def test_a_connection_whose_other_end_is_gone_is_noticed_in_seconds_unless_the_url_says_otherwise(url: str) -> None:
    separator = "&" if "?" in url else "?"
    with (
        closing(PostgresStore(f"{url}{separator}keepalives_idle=77")) as opened,
        opened.connector.connect() as connection,
    ):
        said = connection.info.get_parameters()

    assert (said["tcp_user_timeout"], said["keepalives_interval"], said["keepalives_count"]) == ("20000", "5", "2")
    assert said["keepalives_idle"] == "77"
