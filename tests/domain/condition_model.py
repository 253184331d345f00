"""What conditions mean, by trying everything: a slow model that knows nothing of the code.

A run is the first so many of the kept signals. The model looks for the shortest run that satisfies the condition, and
in it for the first combination of signals that each leaf is content with.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations

from flowfabric.domain.conditions import AtLeast, Condition, Either, Every, On, OperatorOnly
from flowfabric.domain.waiting import SignalMark


def taken_by(condition: Condition, marks: Sequence[SignalMark]) -> tuple[SignalMark, ...] | None:
    for length in range(len(marks) + 1):
        chosen = _choice(condition, marks[:length])
        if chosen is not None:
            return tuple(mark for mark in marks if mark in chosen)
    return None


def _choice(condition: Condition, run: Sequence[SignalMark]) -> set[SignalMark] | None:
    """The signals that the condition takes from this run."""
    if isinstance(condition, OperatorOnly):
        return None
    if isinstance(condition, Every):
        choices = [_choice(part, run) for part in condition.conditions]
        return None if None in choices else {mark for choice in choices for mark in choice or ()}
    if isinstance(condition, Either):
        return _first(_choice(part, run) for part in condition.conditions)
    n = 1 if isinstance(condition, On) else condition.n
    return _first(set(some) if _is_content(condition, some) else None for some in combinations(run, n))


def _is_content(leaf: On | AtLeast, some: Sequence[SignalMark]) -> bool:
    keys = [leaf.key] if isinstance(leaf, On) else leaf.keys
    if not all(mark.key in keys and leaf.name in (None, mark.name) for mark in some):
        return False
    if isinstance(leaf, On) or leaf.distinct == "signals":
        return True
    who = [mark.key if leaf.distinct == "waitpoints" else mark.source for mark in some]
    return len(set(who)) == len(who)


def _first(choices: Iterable[set[SignalMark] | None]) -> set[SignalMark] | None:
    return next((choice for choice in choices if choice is not None), None)
