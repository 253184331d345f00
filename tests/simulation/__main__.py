"""`make simulate`: run seeds, and show what breaks.

SEED=7 runs one seed and shows its log; ONLY=0,3,9 takes these parts of its plan alone. SEEDS=1000 runs so many, from
SEED on, and stops at the first that breaks. ARGS=--mutants says which seeds find each mutant, the cheapest first.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice

from tests.simulation.mutants import MORE_GATE_MUTANTS, MUTANTS, plans_for, planted
from tests.simulation.plan import Plan, plan_of
from tests.simulation.shrinking import report, shrunk
from tests.simulation.world import Outcome, run

TOLD_EVERY = 100
FINDINGS = 3
"""Of so many seeds that find a mutant, the one that does so with the least work is named first."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="make simulate", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="the first seed")
    parser.add_argument("--seeds", type=int, default=None, help="how many seeds")
    parser.add_argument("--only", default=None, help="the numbers of the parts to run, with commas between them")
    parser.add_argument("--mutants", action="store_true", help="look for seeds that find each mutant")
    given = parser.parse_args()
    if given.mutants:
        return _mutants(given.seeds or 100)
    if given.seeds is None and given.seed is not None:
        return _one(given.seed, given.only)
    return _many(given.seed or 0, given.seeds or 100)


def _one(seed: int, only: str | None) -> int:
    plan = plan_of(seed)
    if only is not None:
        plan = plan.only([int(number) for number in only.split(",") if number])
    outcome = run(plan)
    sys.stdout.write("\n".join([*map(str, plan.parts), *outcome.log, ""]))
    if outcome.broken is None:
        sys.stdout.write(f"Seed {seed}: everything holds after {outcome.batches} batches.\n")
        return 0
    if only is None:
        sys.stdout.write(report(outcome, shrunk(outcome)) + "\n")
    return 1


def _many(first: int, count: int) -> int:
    began_at, batches = time.monotonic(), 0
    for done, seed in enumerate(range(first, first + count), 1):
        outcome = run(plan_of(seed))
        batches += outcome.batches
        if outcome.broken is not None:
            sys.stdout.write(report(outcome, shrunk(outcome)) + "\n")
            return 1
        if done % TOLD_EVERY == 0 or done == count:
            took_s = time.monotonic() - began_at
            sys.stdout.write(f"{done} seeds, {batches} batches, {took_s:.0f} s: everything holds.\n")
            sys.stdout.flush()
    return 0


def _breaking(plans: Iterable[Plan]) -> Iterator[Outcome]:
    return (outcome for plan in plans if (outcome := run(plan)).broken is not None)


def _mutants(count: int) -> int:
    """Say which seed `mutants.py` should name for each mutant."""
    is_blind = False
    for mutant in [*MUTANTS, *MORE_GATE_MUTANTS]:
        with planted(mutant):
            found = list(islice(_breaking(plans_for(mutant, count)), FINDINGS))
        seeds = ", ".join(str(outcome.plan.seed) for outcome in sorted(found, key=lambda each: each.steps))
        sys.stdout.write(f"{mutant.name}: {seeds or 'nobody finds it'}\n")
        sys.stdout.flush()
        is_blind = is_blind or not found
    return 1 if is_blind else 0


if __name__ == "__main__":
    sys.exit(main())
