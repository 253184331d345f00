"""Every mutant still has its place. `make mutants` sees whether it is found."""

import pytest

from tests.mutants.flow_mutants import FLOW_MUTANTS, Sought
from tests.simulation.planting import planted


@pytest.mark.parametrize("sought", FLOW_MUTANTS, ids=lambda sought: sought.mutant.name)
def test_a_mutant_of_flows_has_its_place(sought: Sought) -> None:
    with planted(sought.mutant):
        pass
