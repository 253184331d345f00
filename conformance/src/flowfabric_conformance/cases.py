"""Cases that the rules of the engine decide alone, so that a store need not see all of them."""

from collections.abc import Callable, Collection
from typing import Any

import pytest

RULE_CASE = pytest.mark.rule_case


def rule_cases(
    names: str | tuple[str, ...],
    cases: Collection[Any],
    *,
    sample: int = 2,
    ids: Callable[[object], str] | None = None,
) -> pytest.MarkDecorator:
    """Parametrize a test whose cases vary the command or the state that it meets, but not what a store does for it.

    A sample, spread evenly from the first case to the last, is for every store. The others are marked `rule_case`: they
    have to pass on every store as well, but one store is enough to show that the rule is right.
    """
    last = len(cases) - 1
    sampled = {round(number * last / (sample - 1)) for number in range(sample)}
    is_one_name = isinstance(names, str)
    return pytest.mark.parametrize(
        names,
        [
            pytest.param(*([case] if is_one_name else case), marks=() if number in sampled else RULE_CASE)
            for number, case in enumerate(cases)
        ],
        ids=ids,
    )
