"""Every mutant still has its place. `make mutants` sees whether it is found."""

import pytest

from tests.mutants.rules import ALL, Sought
from tests.simulation.planting import planted


@pytest.mark.parametrize("sought", ALL, ids=lambda sought: sought.mutant.name)
def test_a_mutant_has_its_place(sought: Sought) -> None:
    with planted(sought.mutant):
        pass
