"""Whether the simulator finds what it is there for."""

import pytest

from tests.simulation.mutants import MUTANTS, Mutant, planted
from tests.simulation.plan import plan_of
from tests.simulation.shrinking import report, shrunk
from tests.simulation.world import run

SEEDS_MAX = 60
"""How many seeds it may take to find a mutant."""


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_broken_rule_is_found(mutant: Mutant) -> None:
    with planted(mutant):
        found = next((seed for seed in range(SEEDS_MAX) if run(plan_of(seed)).broken is not None), None)
    assert found is not None
    assert run(plan_of(found)).broken is None, "something else was found"


def test_a_failure_shrinks_and_says_how_to_repeat_it() -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "an idempotency key is ignored")
    with planted(mutant):
        first = next(found for seed in range(SEEDS_MAX) if (found := run(plan_of(seed))).broken is not None)
        small = shrunk(first)
        again = run(plan_of(first.plan.seed).only([part.number for part in small.plan.parts]))
    assert again == small
    assert small.broken is not None
    assert {part.what for part in small.plan.parts} == {"start", "submit_with_key"}
    assert len(small.plan.parts) <= 5 < len(first.plan.parts)
    text = report(first, small)
    numbers = ",".join(str(part.number) for part in sorted(small.plan.parts, key=lambda part: part.number))
    assert f"make simulate SEED={first.plan.seed}\n" in text
    assert f"make simulate SEED={first.plan.seed} ONLY={numbers}\n" in text


def test_a_mutant_leaves_no_trace() -> None:
    seed = 3
    before = run(plan_of(seed)).log
    for mutant in MUTANTS:
        with planted(mutant):
            pass
    assert run(plan_of(seed)).log == before
