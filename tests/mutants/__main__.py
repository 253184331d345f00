"""`make mutants`: break rules on purpose, one after the other, and see that the tests that are named for each find it.

Processes that a test starts have the broken rule, too. The mutants of `tests/simulation` are looked for by simulated
worlds: `make test` and `make soak` do that.
"""

import argparse
import contextlib
import io
import sys
import time

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants.rules import ALL
from tests.mutants.sought import Sought
from tests.simulation.planting import planted


class Looking:
    """A plugin: collects the tests of one file once, and runs those that may find a mutant, for each mutant."""

    def __init__(self, wanted: list[Sought]) -> None:
        self._wanted = wanted
        self.found = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for sought in self._wanted:
            began_s = time.process_time()
            chosen = [item for item in session.items if sought.may_be_found_by(item.name)]
            with planted(sought.mutant):
                found_by = _first_that_fails(chosen)
            if found_by is None:
                what = "NOBODY FINDS IT"
            elif _first_that_fails([found_by]) is not None:
                what = f"{found_by.name} FAILS WITHOUT IT, TOO"
            else:
                what, self.found = f"{sought.file}::{found_by.name}", self.found + 1
            say(f"{sought.mutant.name}: {what} ({time.process_time() - began_s:.1f} s)")
        return True


def _first_that_fails(items: list[pytest.Item]) -> pytest.Item | None:
    for place, item in enumerate(items):
        following = items[place + 1] if place + 1 < len(items) else None
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
            item.session._setupstate.teardown_exact(None)
            return item
    return None


def say(sentence: str) -> None:
    """Print a line, also while pytest prints what nobody wants to see."""
    sys.__stdout__.write(sentence + "\n")  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]


def main(words: list[str] | None = None) -> int:
    """Plant them, and return the exit code."""
    arguments = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    arguments.add_argument("--only", default="", help="a part of the names of those to plant")
    arguments.add_argument(
        "--found-by", default="", help="a part of the names of the files of tests that look for them"
    )
    given = arguments.parse_args(words)
    chosen = [each for each in ALL if given.only in each.mutant.name and given.found_by in each.file]
    found = 0
    for file in dict.fromkeys(each.file for each in chosen):
        looking = Looking([each for each in chosen if each.file == file])
        quietly = ["-q", "-p", "no:randomly", "-p", "no:cacheprovider"]
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main([file, "-s", *quietly], plugins=[looking])
        found += looking.found
    say(f"{len(chosen)} mutants, {found} found.")
    return 0 if found == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
