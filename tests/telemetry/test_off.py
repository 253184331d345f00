"""Without metrics and traces, none of their code runs for a job, and nothing of it is imported."""

import subprocess
import sys
import threading
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from types import FrameType

import pytest

import flowfabric
from flowfabric import Context, FlowFabric
from tests.runtime.working import run, working
from tests.server.running import running

PACKAGE = Path(flowfabric.__file__).parent
FILES = {
    str(PACKAGE / name)
    for name in (
        *("ports/telemetry.py", "ports/tracing.py", "domain/traces.py"),
        *(f"telemetry/{file.name}" for file in (PACKAGE / "telemetry").glob("*.py")),
    )
}

PROGRAM = """
import sys
from flowfabric import open_blocking_engine
with open_blocking_engine("memory://") as engine:
    engine.create_execution("mail")
print([name for name in sys.modules if name.startswith(("flowfabric.telemetry", "prometheus", "opentelemetry"))])
"""


@pytest.mark.parametrize("way", ["direct", "through a server"])
def test_no_function_of_metrics_or_traces_is_called_for_a_job(way: str) -> None:
    called: Counter[str] = Counter()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename in FILES:
            called[frame.f_code.co_qualname] += 1

    async def main() -> None:
        async with working(ff):
            for handle in [await work.submit() for _ in range(20)]:
                assert await handle.result() == 0

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        with running() if way == "through a server" else nullcontext() as server:
            ff = FlowFabric("memory://" if server is None else server.url)

            @ff.task
            async def work(ctx: Context) -> int:
                return await ctx.step("one", int)

            run(main)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)

    assert called == {}


def test_neither_prometheus_nor_opentelemetry_is_imported_unless_it_is_used() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)

    assert (ended.stdout.strip(), ended.stderr) == ("[]", "")
