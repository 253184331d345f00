"""What is left of a failure when everything that it does not need is gone, and how to see it again."""

import re
from collections.abc import Callable, Sequence

from tests.simulation.plan import Plan
from tests.simulation.world import Outcome, run

RUNS_MAX = 200
"""How often a plan is tried with parts left out."""
LINES_SHOWN = 30
_NAMES = re.compile(r"\{fp:\d+\}|[0-9a-f]{8}-[0-9a-f-]{27}|\d+")


def shrunk(outcome: Outcome, run: Callable[[Plan], Outcome] = run) -> Outcome:
    """The same failure with as few parts of the plan as can be found."""
    assert outcome.broken is not None
    kind = _kind(outcome.broken)
    runs = 0
    left = [part.number for part in outcome.plan.parts]
    size = len(left)
    while size >= 1 and runs < RUNS_MAX:
        start, before = 0, len(left)
        while start < len(left) and runs < RUNS_MAX:
            without = left[:start] + left[start + size :]
            runs += 1
            tried = run(outcome.plan.only(without))
            if tried.broken is not None and _kind(tried.broken) == kind:
                left, outcome = without, tried
            else:
                start += size
        if size > 1 or len(left) == before:
            size //= 2
    return outcome


def _kind(broken: str) -> str:
    """What is broken, whichever execution it is."""
    return _NAMES.sub("#", broken)


def report(first: Outcome, shrunk: Outcome) -> str:
    """What broke, with what little, and how to repeat both."""
    numbers = ",".join(str(number) for number in sorted(part.number for part in shrunk.plan.parts))
    return "\n".join(
        [
            f"Seed {first.plan.seed} breaks: {first.broken}",
            f"  repeat it:  make simulate SEED={first.plan.seed}",
            f"{len(shrunk.plan.parts)} of its {len(first.plan.parts)} parts are enough: {shrunk.broken}",
            f"  repeat it:  make simulate SEED={first.plan.seed} ONLY={numbers}",
            *(f"  {part}" for part in shrunk.plan.parts),
            f"The end of its log, of {len(shrunk.log)} lines:",
            *_last(shrunk.log),
        ]
    )


def _last(log: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in log[-LINES_SHOWN:]]
