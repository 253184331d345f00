"""Power cuts of SQLite files: record a workload, then check images of what is left."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tests.power_cuts.checking import SQLITE_FILE
from tests.power_cuts.recording import ROOT, Record, environment, records, under
from tests.power_cuts.workload import Plan


def plan_for(folder: Path, topic: str, seed: str, **size: int | str) -> Plan:
    """A workload on a new file in a folder of its own."""
    return msgspec.convert(
        {"topic": topic, "url": f"sqlite:///{folder / topic / SQLITE_FILE}", "seed": seed, **size}, Plan
    )


def recorded(folder: Path, plans: Sequence[Plan]) -> dict[str, list[Record]]:
    """Run workloads one after the other in a new process, and return what each of them did to its folder."""
    log = folder.with_suffix(".log")
    log.touch()
    for each in plans:
        (folder / each.topic).mkdir(parents=True)
    subprocess.run(
        [sys.executable, "-m", "tests.power_cuts.workload", str(log), msgspec.json.encode(plans).decode()],
        cwd=ROOT,
        env=environment(folder, log),
        check=True,
    )
    return {each.topic: under(records(log), each.topic) for each in plans}
