"""The package does the same where Python leaves out assertions (`python -O`)."""

import os
import subprocess
import sys
from pathlib import Path

EVERYTHING = """
import pkgutil, flowfabric
from importlib import import_module
assert False, "assertions are left out here"
for found in pkgutil.walk_packages(flowfabric.__path__, "flowfabric."):
    if not found.name.endswith("__main__"):
        import_module(found.name)
print("imported")
"""
A_CHAIN = """
import asyncio, sys
from flowfabric import Context, FlowFabric

ff = FlowFabric(f"sqlite:///{sys.argv[1]}/jobs.db")

@ff.task
async def double(ctx: Context, number: int) -> int:
    return 2 * number

async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop))
        async with ff.flow("chain") as flow:
            last = flow.add(double, 1)
            for _ in range(4):
                last = flow.add(double, last.output)
        print(await last.result(timeout=30), await flow.wait(timeout=30))
        stop.set()
        await worker

asyncio.run(main())
"""


def run(program: str, *args: str) -> str:
    environment = {**os.environ, "PYTHONOPTIMIZE": "2"}
    ended = subprocess.run([sys.executable, "-c", program, *args], env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_every_module_can_be_imported_without_assertions():
    assert run(EVERYTHING) == "imported\n"


def test_a_flow_runs_without_assertions(tmp_path: Path):
    assert run(A_CHAIN, str(tmp_path)) == "32 completed\n"
