"""Every mutant still has its place, and those of servers are found. `make mutants` sees whether all are."""

import subprocess
import sys

import pytest

from tests.mutants.rules import ALL
from tests.mutants.server_rules import ACCESS, SERVER_MUTANTS
from tests.mutants.sought import Sought
from tests.simulation.planting import planted


@pytest.mark.parametrize("sought", ALL, ids=lambda sought: sought.mutant.name)
def test_a_mutant_has_its_place(sought: Sought) -> None:
    with planted(sought.mutant):
        pass


def test_each_rule_about_who_may_do_what_over_http_is_found_when_it_is_broken() -> None:
    command = [sys.executable, "-m", "tests.mutants", "--found-by", ACCESS]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.stdout.splitlines()[-1] == f"{len(SERVER_MUTANTS)} mutants, {len(SERVER_MUTANTS)} found.", done.stdout
