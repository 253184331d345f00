"""Two hundred worlds in which everything goes wrong that can. More of them: `make simulate SEEDS=1000`."""

import pytest

from tests.simulation.plan import plan_of
from tests.simulation.shrinking import report, shrunk
from tests.simulation.world import run

SEEDS = 200
SEEDS_AT_ONCE = 10


@pytest.mark.parametrize("first", range(0, SEEDS, SEEDS_AT_ONCE))
def test_everything_holds_under_faults_and_ends_after_them(first: int) -> None:
    for seed in range(first, first + SEEDS_AT_ONCE):
        outcome = run(plan_of(seed))
        if outcome.broken is not None:
            pytest.fail(report(outcome, shrunk(outcome)), pytrace=False)


def test_an_attempt_whose_lease_ends_while_it_spends_begins_no_further_step() -> None:
    outcome = run(plan_of(6580))
    assert outcome.broken is None
