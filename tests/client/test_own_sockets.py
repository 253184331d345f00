"""Blocking callers send in their own thread, on sockets of their own; what waits or gathers takes the line."""

import signal
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from flowfabric import BlockingEngine, InvalidInput, open_blocking_engine
from flowfabric.client import own_sockets
from tests.client.scripted_server import ScriptedServer, answer, scripted
from tests.http_server import serving

CREATED = b'{"type":"Created","execution_id":"x","public_state":"waiting"}'
THREAD = "flowfabric-http"


def line_of(engine: BlockingEngine) -> threading.Thread | None:
    """The thread of the line, if there is one."""
    thread: threading.Thread | None = engine._engine._services.line._thread  # type: ignore[attr-defined]
    return thread


def test_a_blocking_caller_needs_no_other_thread() -> None:
    with serving() as served, open_blocking_engine(served.url) as engine:
        made = engine.create_execution("job", b"x")
        found = engine.describe_execution(made.execution_id)

        assert found is not None
        assert line_of(engine) is None


def test_one_connection_serves_one_request_after_the_other() -> None:
    with scripted(lambda _: answer(200, b"7")) as server, open_blocking_engine(server.url) as engine:
        assert [engine.server_time_ms() for _ in range(5)] == [7] * 5

    assert server.connections == 1


def test_what_waits_and_what_is_claimed_takes_the_line() -> None:
    with serving() as served, open_blocking_engine(served.url) as engine:
        engine.create_execution("job")
        assert line_of(engine) is None

        assert len(engine.claim(worker_id="w", worker_instance_id="i")) == 1

        assert line_of(engine) is not None


def test_a_large_body_takes_the_line_and_its_refusal_is_read() -> None:
    with serving() as served, open_blocking_engine(served.url) as engine:
        engine.create_execution("job", b"x" * 1_000)
        assert line_of(engine) is None

        with pytest.raises(InvalidInput, match="too much for one call"):
            engine.create_execution("job", b"x" * 3_000_000)

        assert line_of(engine) is not None


def test_bytes_that_nobody_has_asked_for_are_no_answer() -> None:
    class Talkative(ScriptedServer):
        def _serve(self, connection: socket.socket) -> None:
            self.accepted = connection
            super()._serve(connection)

    server = Talkative(lambda _: answer(200, b"7"))
    try:
        with open_blocking_engine(server.url) as engine:
            assert engine.server_time_ms() == 7
            server.accepted.sendall(answer(200, b"8"))
            assert engine.server_time_ms() == 7
    finally:
        server.close()

    assert server.connections == 2


def test_a_connection_whose_answer_nobody_waits_for_any_more_is_not_kept() -> None:
    """Ctrl-C ends the wait for an answer, and the answer to the next request must not be taken for it."""
    asked: list[bytes] = []
    me = threading.get_ident()

    def script(request: bytes) -> bytes:
        asked.append(request)
        if len(asked) == 2:
            signal.pthread_kill(me, signal.SIGINT)
        return answer(200, b"%d" % len(asked))

    with scripted(script) as server, open_blocking_engine(server.url) as engine:
        assert engine.server_time_ms() == 1
        with pytest.raises(KeyboardInterrupt):
            engine.server_time_ms()
        assert not engine._engine._services.sockets._idle  # type: ignore[attr-defined]
        assert engine.server_time_ms() == 3

    assert server.connections == 2


def test_while_one_caller_sends_by_itself_the_others_send_together() -> None:
    may_go_on = threading.Event()
    is_first = threading.Lock()

    def script(request: bytes) -> bytes:
        if is_first.acquire(blocking=False):
            may_go_on.wait(10)
        return answer(200, CREATED)

    with scripted(script) as server, open_blocking_engine(server.url) as engine, ThreadPoolExecutor(2) as threads:
        alone = threads.submit(engine.create_execution, "job")
        while not server.requests:
            threading.Event().wait(0.001)
        assert line_of(engine) is None

        threads.submit(engine.create_execution, "job").result(10)

        assert line_of(engine) is not None
        may_go_on.set()
        assert alone.result(10).execution_id == "x"


def test_a_caller_who_finds_no_room_takes_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_sockets, "CONNECTIONS_MAX", 0)
    with scripted(lambda _: answer(200, b"7")) as server, open_blocking_engine(server.url) as engine:
        assert engine.server_time_ms() == 7

        assert line_of(engine) is not None
