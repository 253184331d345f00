"""`--loop` of `ff worker` and `ff server`: which event loop they run on."""

import asyncio
import gc
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import uvloop

from flowfabric import InvalidInput, open_blocking_engine
from flowfabric.cli.server import serve, server
from flowfabric.process_engine import COLLECT_AFTER
from flowfabric.runtime.loops import Loop, loop_factory
from tests.cli.running import FF, WITHIN_S

PROGRAM = """
import asyncio

from flowfabric import Context, FlowFabric

ff = FlowFabric("sqlite:///shop.db")

@ff.task
async def runs_on(ctx: Context) -> str:
    return type(asyncio.get_running_loop()).__module__.partition(".")[0]
"""


@pytest.mark.parametrize(
    ("options", "expected"),
    [([], b'"uvloop"'), (["--loop", "uvloop"], b'"uvloop"'), (["--loop", "asyncio"], b'"asyncio"')],
)
def test_a_worker_runs_on_the_loop_that_it_is_given_and_leaves_with_0_when_told_to(
    tmp_path: Path, options: list[str], expected: bytes
) -> None:
    (tmp_path / "shop.py").write_text(PROGRAM)
    with open_blocking_engine(f"sqlite:///{tmp_path}/shop.db") as engine:
        key = engine.create_execution("runs_on", b'{"arguments":{}}').execution_id
        command = [sys.executable, "-c", FF, "worker", "shop:ff", *options]
        worker = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
        try:
            engine.wait_for_result(key, timeout_ms=int(WITHIN_S * 1000))
            result = engine.get_result(key)
            worker.send_signal(signal.SIGTERM)
            worker.communicate(timeout=WITHIN_S)
        finally:
            worker.kill()
            worker.communicate()

    assert result is not None
    assert expected in result
    assert worker.returncode == 0


def test_without_uvloop_a_worker_runs_on_asyncio_unless_uvloop_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loop_factory("auto") is uvloop.new_event_loop
    monkeypatch.setitem(sys.modules, "uvloop", None)

    assert loop_factory("auto") is None
    assert loop_factory("asyncio") is None
    with pytest.raises(InvalidInput, match=r"'uvloop', which is not installed. Install flowfabric\[speed\]"):
        loop_factory("uvloop")


def test_a_loop_that_is_not_known_is_refused() -> None:
    with pytest.raises(InvalidInput, match="loop is 'trio'; it must be one of auto, asyncio, uvloop"):
        loop_factory("trio")  # type: ignore[arg-type]


@pytest.mark.parametrize(("loop", "expected"), [("auto", "uvloop"), ("uvloop", "uvloop"), ("asyncio", "asyncio")])
def test_a_server_runs_on_the_loop_that_it_is_given_and_collects_seldom(loop: Loop, expected: str) -> None:
    found: list[object] = []

    async def work() -> None:
        found.append(type(asyncio.get_running_loop()).__module__.partition(".")[0])
        found.append(gc.get_threshold()[0])

    before = gc.get_threshold()
    serve(work, loop)

    assert found == [expected, COLLECT_AFTER]
    assert gc.get_threshold() == before


def test_a_server_refuses_a_loop_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)

    with pytest.raises(InvalidInput, match="'uvloop', which is not installed"):
        server(store=f"sqlite:///{tmp_path}/shop.db", loop="uvloop")
