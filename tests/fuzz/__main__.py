"""`make fuzz`: hostile values for every parser, others in each run, until the time is up.

With `--atheris`, libFuzzer chooses the values by what code they reach. It has to be installed: `pip install atheris`.
"""

import argparse
import gc
import random
import sys
import time
import traceback
from collections import Counter
from types import FunctionType

from tests.fuzz import answers, documents, engines, requests, texts  # noqa: F401 - they register what is fuzzed
from tests.fuzz.running import run
from tests.fuzz.target import TARGETS

EXAMPLES = 100


def main(words: list[str] | None = None) -> int:
    """Fuzz until the time is up, print the table, and return the exit code."""
    arguments = argparse.ArgumentParser(prog="make fuzz")
    arguments.add_argument("--minutes", type=float, default=2.0, help="for all parsers together")
    arguments.add_argument("--only", default=",".join(TARGETS), help="these parsers")
    arguments.add_argument("--seed", type=int, default=None, help="the same values again")
    arguments.add_argument("--atheris", action="store_true", help="let libFuzzer choose the values of one parser")
    given = arguments.parse_args(words)
    names = given.only.split(",")
    if given.atheris:
        return _by_atheris(names, given.minutes)
    seed = random.randrange(10**6) if given.seed is None else given.seed
    tried: Counter[str] = Counter()
    failed: dict[str, int] = {}
    until = time.monotonic() + given.minutes * 60
    with engines.worlds():
        for turn in range(10**9):
            if (time.monotonic() >= until and turn) or len(failed) == len(names):
                break
            for name in names:
                if name in failed or (turn and time.monotonic() >= until):
                    continue
                try:
                    tried[name] += run(TARGETS[name], EXAMPLES, seed + turn)
                except Exception:
                    failed[name] = seed + turn
                    traceback.print_exc()
    for name in names:
        found = f"FAILED: --only {name} --seed {failed[name]}" if name in failed else "only documented refusals"
        sys.stdout.write(f"{name:<30} {tried[name]:>9,} values  {found}\n")
    sys.stdout.write(f"{sum(tried.values()):,} values, seed {seed}: {len(failed)} of {len(names)} parsers failed\n")
    return 1 if failed else 0


def _by_atheris(names: list[str], minutes: float) -> int:
    """Fuzz one parser with libFuzzer. It ends the process when the time is up, or at the first failure."""
    if len(names) != 1:
        sys.stderr.write("make fuzz: --atheris fuzzes one parser: name it with --only.\n")
        return 2
    try:
        import atheris
    except ImportError:
        sys.stderr.write("make fuzz: atheris is not installed. Write: .venv/bin/pip install atheris\n")
        return 2
    import hypothesis

    target = TARGETS[names[0]]
    # Only the package itself: libFuzzer would otherwise follow what the maker of the values does.
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and (each.__module__ or "").split(".")[0] == "flowfabric":
            atheris.instrument_func(each)

    @hypothesis.settings(database=None, deadline=None)
    @hypothesis.given(target.values)
    def check(value: object) -> None:
        target.check(value)

    atheris.Setup(
        [sys.argv[0], f"-max_total_time={int(minutes * 60)}", "-print_final_stats=1"], check.hypothesis.fuzz_one_input
    )
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
