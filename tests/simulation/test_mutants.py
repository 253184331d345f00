"""Whether the simulator finds what it is there for."""

import pytest

from tests.simulation.mutants import MORE_GATE_MUTANTS, MUTANTS, Mutant, plans_for, planted
from tests.simulation.plan import Plan, plan_of
from tests.simulation.shrinking import report, shrunk
from tests.simulation.test_seeds import SEEDS
from tests.simulation.world import Outcome, run
from tests.sizes import IS_FULL

TRIED = [*MUTANTS, *MORE_GATE_MUTANTS] if IS_FULL else MUTANTS
SEEDS_TRIED = 300 if IS_FULL else 100


@pytest.mark.parametrize("mutant", TRIED, ids=lambda mutant: mutant.name)
def test_a_broken_rule_is_found(mutant: Mutant) -> None:
    """By a world in which everything holds as long as no rule is broken."""
    assert _finding(mutant) is not None


def _finding(mutant: Mutant) -> Outcome | None:
    """How the first world ended that has found the mutant. Those that are known to find it come first."""
    for plan in plans_for(mutant, SEEDS_TRIED):
        with planted(mutant):
            outcome = run(plan)
        if outcome.broken is not None and _holds_without_mutants(plan):
            return outcome
    return None


def _holds_without_mutants(plan: Plan) -> bool:
    """`test_seeds` runs the plans of the first seeds."""
    return (plan.seed < SEEDS and plan == plan_of(plan.seed)) or run(plan).broken is None


def test_a_failure_shrinks_and_says_how_to_repeat_it() -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "an idempotency key is ignored")
    first = _finding(mutant)
    assert first is not None
    with planted(mutant):
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
    for mutant in [*MUTANTS, *MORE_GATE_MUTANTS]:
        with planted(mutant):
            pass
    assert run(plan_of(seed)).log == before
