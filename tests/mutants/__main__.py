"""`make mutants`: break rules on purpose, one after the other, and see that the suite finds each that has to.

The mutants of `tests/simulation` are looked for by worlds; `make test` and `make soak` do that, too. Those of
`flow_mutants.py` are looked for by the tests that are named there.
"""

import argparse
import contextlib
import io
import sys
import time

import pytest

from tests.mutants.flow_mutants import FLOW_MUTANTS, Sought
from tests.simulation.planting import planted

FAILED = (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)


def found_by(sought: Sought) -> tuple[bool, str]:
    """Whether the suite finds a mutant, and its first test that does."""
    file, which = sought.suite
    words = [file, "-x", "-q", "--tb=no", "-p", "no:xdist", "-p", "no:randomly", "-p", "no:cacheprovider"]
    output = io.StringIO()
    with planted(sought.mutant), contextlib.redirect_stdout(output):
        code = pytest.main([*words, *(["-k", which] if which else [])])
    first = next((line.split("::")[-1] for line in output.getvalue().splitlines() if line.startswith("FAILED")), "")
    return code in FAILED and bool(first), first.partition(" - ")[0]


def main() -> int:
    arguments = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    arguments.add_argument("--only", default="", help="a part of the names of those to plant")
    arguments.add_argument("--part", default="1/1", help="2/3 takes the second of three parts")
    given = arguments.parse_args()
    place, of = map(int, given.part.split("/"))
    chosen = [each for each in FLOW_MUTANTS if given.only in each.mutant.name][place - 1 :: of]
    missed = 0
    for sought in chosen:
        began_s = time.process_time()
        is_found, first = found_by(sought)
        missed += not is_found
        took_s = time.process_time() - began_s
        what = f"{sought.suite[0]}: {first}" if is_found else f"NOBODY FINDS IT ({sought.suite[0]})"
        sys.stdout.write(f"{sought.mutant.name}: {what} ({took_s:.1f} s)\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(chosen)} mutants of flows, {len(chosen) - missed} found.\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
