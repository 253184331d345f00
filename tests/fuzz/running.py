"""Runs one target for so many values."""

import hypothesis
from hypothesis import HealthCheck, Phase

from tests.fuzz.target import Target


def run(target: Target, examples: int, seed: int | None) -> int:
    """Try about so many values, and return how many they were. Without a seed they are always the same.

    The first value that fails is made small, and its error is raised.
    """
    tried = 0

    @hypothesis.settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=seed is None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )
    @hypothesis.given(target.values)
    def check(value: object) -> None:
        nonlocal tried
        tried += 1
        target.check(value)

    (check if seed is None else hypothesis.seed(seed)(check))()
    return tried
