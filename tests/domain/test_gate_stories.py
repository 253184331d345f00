"""Random stories of limits, budgets and turns: after every batch, the counters equal a recount."""

import pytest

from tests.domain.gate_world import GateWorld


@pytest.mark.parametrize("seed", range(20))
def test_counters_equal_a_recount_after_every_batch_and_in_the_end_everything_has_run(seed: int) -> None:
    world = GateWorld(seed)
    world.turn_over(120)
    world.finish()
