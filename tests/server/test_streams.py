"""Server-Sent Events: in order, from where the reader was, and no longer than the reader may."""

import itertools
import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest

from flowfabric.server import Settings, live
from flowfabric.server.live import rest_s
from tests.server.running import Caller, Running, running

pytestmark = pytest.mark.xdist_group("server: streams")

EVENTS = {"accept": "text/event-stream"}


class Reader:
    """Reads Server-Sent Events."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.iter_lines()

    def next(self) -> dict[str, str]:
        """The fields of the next event, or of the next comment."""
        found: dict[str, str] = {}
        for line in self._lines:
            if line:
                name, _, value = line.partition(": ")
                found[name or "comment"] = value
            elif found and "retry" not in found:
                return found
            else:
                found = {}
        raise EOFError

    def next_event(self) -> dict[str, str]:
        while "comment" in (found := self.next()) or "data" not in found:
            pass
        return found


@contextmanager
def reading(server: Running, path: str, token: str = "", **headers: str) -> Iterator[Reader]:
    own = {"authorization": f"Bearer {token}"} if token else {}
    with httpx.stream("GET", server.url + path, headers={**EVENTS, **own, **headers}, timeout=60) as response:
        yield Reader(response)


def speaking(call: Caller, lane: str):
    made = call("create_execution", "job", lane=lane)
    (claim,) = call("claim", worker_id="w", worker_instance_id="i", lanes=[lane])
    return made.execution_id, claim.lease


def test_a_reader_gets_frames_as_they_are_written_and_hears_of_the_end(server: Running, call: Caller):
    key, lease = speaking(call, "frames")
    call("append_frames", lease, [b"one"])
    with reading(server, f"/v1/executions/{key}/stream") as reader:
        assert reader.response.headers["content-type"].startswith("text/event-stream")
        first = reader.next_event()
        call("append_frames", lease, [b"two"])
        second = reader.next_event()
        call("complete", lease, b"done")
        end = reader.next_event()
        with pytest.raises(EOFError):
            reader.next_event()

    assert [json.loads(each["data"])["payload"] for each in (first, second)] == [{"base64": "b25l"}, {"base64": "dHdv"}]
    assert (end["event"], json.loads(end["data"])) == ("end", {"closed_reason": "completed"})


def test_a_reader_that_comes_back_goes_on_where_it_was(server: Running, call: Caller):
    key, lease = speaking(call, "back")
    call("append_frames", lease, [b"1", b"2", b"3"])
    with reading(server, f"/v1/executions/{key}/stream") as reader:
        first = reader.next_event()

    with reading(server, f"/v1/executions/{key}/stream", **{"last-event-id": first["id"]}) as reader:
        assert json.loads(reader.next_event()["data"])["seq"] == 1


def test_values_are_shown_as_json_if_the_reader_wants_that_also_if_they_have_line_breaks(server: Running, call: Caller):
    key, lease = speaking(call, "json")
    call("append_frames", lease, [b'{\n"n": 1\r\n}'])

    with reading(server, f"/v1/executions/{key}/stream", **{"accept-payload": "json"}) as reader:
        assert json.loads(reader.next_event()["data"])["payload"] == {"json": {"n": 1}}


def test_events_are_followed_from_a_cursor_and_from_now_on(server: Running, call: Caller):
    made = call("create_execution", "job", lane="log")
    call("hold", made.execution_id)
    path = f"/v1/events?execution_id={made.execution_id}"
    with reading(server, path) as reader:
        held = reader.next_event()
        assert json.loads(held["data"])["event_type"] == "held"
    with reading(server, path + "&from_now=true") as later, reading(server, path + f"&cursor={held['id']}") as after:
        call("unhold", made.execution_id)
        assert json.loads(later.next_event()["data"])["event_type"] == "unheld"
        assert json.loads(after.next_event()["data"])["event_type"] == "unheld"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/events?cursor=nonsense", 400),
        ("/v1/events?from_now=true&cursor=x", 400),
        ("/v1/executions/{fp:86}:01890000-0000-7000-8000-0000000000ff/stream", 404),
        ("/v1/executions/nonsense/stream", 400),
    ],
)
def test_what_cannot_be_followed_is_a_problem_and_no_stream(server: Running, path: str, status: int):
    response = httpx.get(server.url + path, headers=EVENTS, timeout=60)

    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json")


def test_a_revoked_token_ends_its_streams():
    with running(with_tokens=True, settings=Settings(heartbeat_s=0.05)) as server:
        made = server.run(server.engine.create_access_token("viewer"))
        with reading(server, "/v1/events", made.secret) as reader:
            while reader.next().get("comment") != "alive":
                pass
            server.run(server.engine.revoke_access_token(made.token.token_id))
            while "event" not in (end := reader.next_event()):
                pass

    assert (end["event"], json.loads(end["data"])["code"]) == ("end", "unauthenticated")


def test_a_revoked_token_ends_a_stream_that_always_has_news():
    """The token is checked at its time, and not only when there is nothing to send."""
    with running(with_tokens=True, settings=Settings(heartbeat_s=0.5)) as server:
        made = server.run(server.engine.create_access_token("viewer"))
        busy = server.run(server.engine.create_execution("job")).execution_id
        with reading(server, "/v1/events", made.secret) as reader:
            server.run(server.engine.revoke_access_token(made.token.token_id))
            deadline = time.monotonic() + 60
            for step in itertools.cycle((server.engine.hold, server.engine.unhold)):
                server.run(step(busy))
                if "event" in (end := reader.next_event()):
                    break
                assert time.monotonic() < deadline

    assert (end["event"], json.loads(end["data"])["code"]) == ("end", "unauthenticated")


def test_a_token_has_so_many_streams_and_no_more():
    with running(settings=Settings(streams_max=1)) as server:
        with reading(server, "/v1/events") as reader:
            assert reader.response.status_code == 200
            refused = httpx.get(f"{server.url}/v1/events", headers=EVENTS)
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
            assert refused.headers["retry-after"]
        deadline = time.monotonic() + 60
        while _status_of_a_stream(server) != 200:  # the place is free once the server has noticed
            assert time.monotonic() < deadline


def _status_of_a_stream(server: Running) -> int:
    with reading(server, "/v1/events") as reader:
        return reader.response.status_code


def test_a_server_that_stops_ends_its_streams_and_waits():
    answers: list[Any] = []
    with running() as server:
        call = Caller(server.url)
        made = call("create_execution", "job")
        path = f"{server.url}/v1/executions/{made.execution_id}/end"
        waiting = threading.Thread(target=lambda: answers.append(httpx.get(path, timeout=60).status_code))
        waiting.start()
        with reading(server, "/v1/events") as reader:
            server.drain()
            end = reader.next_event()
        waiting.join(60)
        not_ready = call.http.get("/readyz")
        call.http.close()

    assert json.loads(end["data"])["code"] == "server_stops"
    assert answers == [204]
    assert (not_ready.status_code, not_ready.json()["code"]) == (503, "server_stops")


def test_a_reader_that_does_not_read_is_cut_off_and_others_go_on(call: Caller):
    with running(settings=Settings(send_s=0.2)) as server:
        own = Caller(server.url)
        key, lease = speaking(own, "slow")
        with socket.create_connection(("127.0.0.1", server.port)) as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            head = f"GET /v1/executions/{key}/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
            slow.sendall(head.encode())
            slow.recv(64)
            deadline = time.monotonic() + 60
            while server.server._app.streams._open:
                assert time.monotonic() < deadline
                own("append_frames", lease, [b"x" * 65_536] * 8)
        assert own("server_time_ms")
        own.http.close()


# ── many readers ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("readers", "every_s"), [(1, 0.0025), (10, 0.025), (100, 0.25), (1_000, 0.25)])
def test_the_more_readers_the_log_has_the_longer_each_of_them_rests(readers: int, every_s: float):
    rests = [rest_s(readers, now_s) for now_s in (1_000.0, 1_000.001, 1_003.14)]

    assert all(0 < each <= every_s for each in rests)


def test_readers_that_rest_go_on_at_the_same_moment():
    assert {round(now_s + rest_s(100, now_s), 6) for now_s in (7.001, 7.1, 7.2499)} == {7.25}


def test_what_has_come_together_is_sent_in_one_piece_and_each_event_has_its_place(server: Running, call: Caller):
    start = call("newest_events").next_cursor
    made = call("create_execution", "job").execution_id
    for _ in range(5):
        call("hold", made, reason="x")
        call("unhold", made)

    with httpx.stream("GET", f"{server.url}/v1/events?cursor={start}", headers=EVENTS, timeout=60) as response:
        raw = response.iter_raw()
        piece = next(each for each in raw if b"data:" in each).decode()

    assert piece.count("data:") == 10
    ids = [line.removeprefix("id: ") for line in piece.splitlines() if line.startswith("id: ")]
    after = [call("read_events", cursor=each).events for each in ids[-10:]]
    assert [len(each) for each in after] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]


def test_many_readers_of_a_busy_log_get_everything_once_and_in_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(live, "REST_EACH_S", live.REST_S_MAX)  # as if there were a hundred
    with running() as started:
        call = Caller(started.url)
        with call.http, ExitStack() as stack:
            made = call("create_execution", "job").execution_id
            readers = [stack.enter_context(reading(started, "/v1/events?from_now=true")) for _ in range(3)]
            for number in range(20):
                call("unhold" if number % 2 else "hold", made)
            got = [[json.loads(each.next_event()["data"])["seq"] for _ in range(20)] for each in readers]

    assert got == [[*range(1, 21)]] * 3
