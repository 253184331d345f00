"""Links that log a browser in: `ff dashboard` prints one, and so does `ff server` at a terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from flowfabric import open_blocking_engine

pytestmark = pytest.mark.xdist_group("server: process")

LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/login#(fft_[\w-]+)\s")
WITHIN_S = 60.0


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'jobs.db'}"
    with open_blocking_engine(url, reconcile=False):
        return url


class Started:
    """A process of `ff`, and what it has shown so far."""

    def __init__(self, process: subprocess.Popen[bytes], output: int) -> None:
        self._process = process
        self._output = output
        self.shown = ""

    def wait_for(self, pattern: re.Pattern[str]) -> re.Match[str]:
        until = time.monotonic() + WITHIN_S
        while not (found := pattern.search(self.shown)):
            ready, _, _ = select.select([self._output], [], [], max(0.0, until - time.monotonic()))
            assert ready, self.shown
            self.shown += os.read(self._output, 65_536).decode()
        return found

    def stop(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(WITHIN_S)


@contextmanager
def started(*words: str, at_a_terminal: bool = False, **environment: str) -> Iterator[Started]:
    ours, theirs = pty.openpty() if at_a_terminal else os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "flowfabric.cli", *words, "--port", "0"],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, **environment},
    )
    os.close(theirs)
    try:
        yield Started(process, ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def logged_in(url: str, secret: str) -> int:
    return httpx.post(f"{url}/v1/session", json={"token": secret}, timeout=WITHIN_S).status_code


def test_the_dashboard_of_one_person_lets_in_who_has_the_link_and_nobody_else(database: str):
    with started("dashboard", "--store", database, "--no-browser") as dashboard:
        url, secret = dashboard.wait_for(LINK).groups()

        assert httpx.get(f"{url}/v1/stats", timeout=WITHIN_S).status_code == 401
        assert [logged_in(url, secret), logged_in(url, secret)] == [200, 401]
        assert dashboard.stop() == 0


def test_the_dashboard_opens_the_link_in_the_browser(database: str, tmp_path: Path):
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\necho "opened: $1"\n')
    browser.chmod(0o755)
    with started("dashboard", "--store", database, BROWSER=str(browser)) as dashboard:
        opened = dashboard.wait_for(re.compile(f"opened: {LINK.pattern}"))

        assert opened.groups() == dashboard.wait_for(LINK).groups()


def test_a_server_with_tokens_prints_a_link_at_a_terminal(database: str):
    with open_blocking_engine(database, reconcile=False) as engine:
        engine.create_access_token("viewer")
    with started("server", "--store", database, at_a_terminal=True) as server:
        url, secret = server.wait_for(LINK).groups()

        assert logged_in(url, secret) == 200


@pytest.mark.parametrize("has_tokens", [True, False])
def test_a_server_that_writes_to_a_log_prints_no_link(database: str, has_tokens: bool):
    with open_blocking_engine(database, reconcile=False) as engine:
        if has_tokens:
            engine.create_access_token("viewer")
    with started("server", "--store", database) as server:
        server.wait_for(re.compile(r"serving .* on http"))
        server.stop()
        server.wait_for(re.compile("stopped"))

    assert "fft_" not in server.shown
    assert "/login" not in server.shown
