"""`ff worker --metrics-port`: what a scrape of a worker shows, and what is refused."""

import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from flowfabric import open_blocking_engine
from tests.cli.running import FF, WITHIN_S, ff
from tests.telemetry.scraping import shown_in

PROGRAM = """
from flowfabric import Context, FlowFabric

ff = FlowFabric("sqlite:///shop.db")

@ff.task
def double(ctx: Context, number: int) -> int:
    return 2 * number
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(PROGRAM)
    return tmp_path


def test_a_worker_serves_its_own_metrics_and_those_of_the_store(folder: Path) -> None:
    with open_blocking_engine(f"sqlite:///{folder}/shop.db") as engine:
        key = engine.create_execution("double", b'{"arguments":{"number":21}}').execution_id
        command = [sys.executable, "-c", FF, "worker", "shop:ff", "--metrics-port", "0"]
        worker = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        try:
            assert worker.stderr is not None
            line = next(line for line in worker.stderr if "metrics are served at " in line)
            url = line.rpartition(" at ")[2].strip()
            engine.wait_for_result(key, timeout_ms=int(WITHIN_S * 1000))
            with urllib.request.urlopen(url, timeout=WITHIN_S) as answer:
                found = shown_in(answer.read().decode())
            worker.send_signal(signal.SIGTERM)
            worker.communicate(timeout=WITHIN_S)
        finally:
            worker.kill()
            worker.communicate()

    assert url.startswith("http://127.0.0.1:")
    assert worker.returncode == 0
    assert found["attempts_ended_total default double success"] == 1
    assert found["executions completed"] == 1
    assert found["workers default"] == 1
    assert found["worker_slots free"] == 16


@pytest.mark.parametrize(("option", "says"), [("99999", "--metrics-port is 99999; it must be from 0 to 65535.")])
def test_a_port_that_cannot_be_is_answered_with_a_sentence(folder: Path, option: str, says: str) -> None:
    ended = ff(folder, "worker", "shop:ff", "--metrics-port", option)

    assert ended.returncode == 2
    assert says in ended.stderr
