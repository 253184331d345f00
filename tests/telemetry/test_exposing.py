"""The small server for scrapes: what it answers, and what it refuses."""

import socket
import urllib.error
import urllib.request

import pytest

from flowfabric import InvalidInput
from flowfabric.telemetry.exposing import SCRAPES_MAX, exposed
from flowfabric.telemetry.metrics import Metrics, Rendered


def get(address: tuple[str, int], path: str = "/metrics", **headers: str) -> tuple[int, str, bytes]:
    request = urllib.request.Request(f"http://{address[0]}:{address[1]}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"], error.read()


def test_a_scrape_gets_the_metrics_in_the_format_that_it_asks_for() -> None:
    with exposed(Metrics().render, "127.0.0.1", 0) as address:
        plain = get(address)
        open_metrics = get(address, Accept="application/openmetrics-text; version=1.0.0")

    assert plain[0] == open_metrics[0] == 200
    assert plain[1].startswith("text/plain")
    assert open_metrics[1].startswith("application/openmetrics-text")
    assert b"flowfabric_commit_seconds_count 0.0" in plain[2]
    assert open_metrics[2].endswith(b"# EOF\n")


def test_another_path_is_not_found_and_an_error_is_not_shown() -> None:
    def broken(accept: str) -> Rendered:
        raise ValueError("secret")

    with exposed(broken, "127.0.0.1", 0) as address:
        elsewhere, failed = get(address, "/"), get(address)

    assert elsewhere[0] == 404
    assert failed[0] == 500
    assert b"secret" not in failed[2]


def test_silent_clients_do_not_take_more_than_their_places_and_the_block_ends_all_the_same() -> None:
    with exposed(Metrics().render, "127.0.0.1", 0) as address:
        silent = [socket.create_connection(address, timeout=10) for _ in range(SCRAPES_MAX)]
        refused = socket.create_connection(address, timeout=10)
        # A connection beyond the places is closed at once.
        assert refused.recv(1) == b""
    for each in (*silent, refused):
        each.close()


def test_a_port_that_is_taken_is_a_clear_error() -> None:
    with (
        exposed(Metrics().render, "127.0.0.1", 0) as (host, port),
        pytest.raises(InvalidInput, match=f"port {port}.*Choose another port"),
        exposed(Metrics().render, host, port),
    ):
        pass
