"""A rule that is broken on purpose, with the suite that has to find it."""

from typing import NamedTuple

from tests.simulation.planting import Mutant

DATABASES = ("sqlite", "postgres")


class Sought(NamedTuple):
    """A mutant, and who has to find it."""

    mutant: Mutant
    file: str
    """A file of tests."""
    words: tuple[str, ...]
    """Words in the names of the tests that look for it. Of tests for all stores, those of the memory store look, unless
    a database is one of the words."""

    def may_be_found_by(self, test: str) -> bool:
        """Whether a test of the file is to look for it."""
        others = [store for store in DATABASES if store not in self.words]
        return all(word in test for word in self.words) and not any(store in test for store in others)


def rule(name: str, where: str, text: str, instead: str, file: str, *words: str) -> Sought:
    """The rule at a place, what stands there instead of a piece of its text, and who looks for it."""
    return Sought(Mutant(name, where, text, instead), file, words)
