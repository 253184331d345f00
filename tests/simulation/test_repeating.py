"""The same seed is the same world, byte for byte: in another process, under another hash seed, after other seeds."""

import os
import subprocess
import sys

from tests.simulation.plan import plan_of
from tests.simulation.world import run

SEEDS = (230, 243, 259, 275, 1_075)
"""Worlds of every kind: with neither of these, with servers, with streams, with limits and budgets; and a server that
stops while it has several connections."""
_PROGRAM = """
import sys
from tests.simulation.plan import plan_of
from tests.simulation.world import run
for seed in map(int, sys.argv[1:]):
    sys.stdout.write(run(plan_of(seed)).text + "\\n")
"""


def test_a_seed_gives_the_same_log_whatever_the_hash_seed_and_whatever_ran_before() -> None:
    elsewhere = _logs_elsewhere()
    assert len(elsewhere.splitlines()) > 100 * len(SEEDS) // 2
    here = {seed: run(plan_of(seed)).text for seed in reversed(SEEDS)}
    assert elsewhere == "".join(f"{here[seed]}\n" for seed in SEEDS)


def _logs_elsewhere() -> str:
    """The logs of another process, which has another hash seed and runs the seeds in another order."""
    hash_seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    program = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *map(str, SEEDS)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert program.returncode == 0, program.stderr
    return program.stdout
