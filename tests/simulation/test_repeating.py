"""The same seed is the same world, byte for byte: in another process, under another hash seed, after other seeds."""

import os
import subprocess
import sys

from tests.simulation.plan import plan_of
from tests.simulation.world import run

SEEDS = range(200, 204)
_PROGRAM = """
import sys
from tests.simulation.plan import plan_of
from tests.simulation.world import run
for seed in map(int, sys.argv[1:]):
    sys.stdout.write(run(plan_of(seed)).text + "\\n")
"""


def _logs_under(hash_seed: int) -> str:
    program = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *map(str, SEEDS)],
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert program.returncode == 0, program.stderr
    return program.stdout


def test_a_seed_gives_the_same_log_whatever_the_hash_seed() -> None:
    first = _logs_under(1)
    assert len(first.splitlines()) > 100 * len(SEEDS) // 2
    assert _logs_under(2) == first


def test_a_seed_gives_the_same_log_whatever_ran_before() -> None:
    logs = {seed: run(plan_of(seed)).log for seed in SEEDS}
    assert {seed: run(plan_of(seed)).log for seed in reversed(SEEDS)} == logs
