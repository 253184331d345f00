"""Whether there is an order of calls, one at a time, that explains every answer.

Each call must take its place between its beginning and its end, and each answer must be the one that the model of one
execution gives at that place. A call whose answer was lost may take a place at any time since its beginning, or none.

The search goes along the ends of the calls and keeps every way in which things may stand: the state of the execution,
and which of the open calls have already had their place. Two orders that lead to the same are one. When the end of
a call leaves no way, no order explains its answer together with those before it: that call is named.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, Protocol

from tests.histories.history import Call

WAYS_MAX = 200_000


class Model(Protocol):
    """What one execution does, one call at a time."""

    first: Hashable

    def after(self, state: Hashable, call: Call, alone: bool) -> Iterable[Hashable]:
        """Every state in which the execution may be after the call was answered so; none if it cannot be.

        `alone` says that no other call was under way at any time between the beginning and the end of this one.
        """

    def words(self, state: Hashable) -> str:
        """The state, for people."""


class Unexplained(NamedTuple):
    """A call whose answer no order explains."""

    call: Call
    before: tuple[Call, ...]
    """The last calls that ended before it."""
    meanwhile: tuple[Call, ...]
    """Calls that were under way when it ended, and those whose answers were lost."""
    states: tuple[str, ...]
    """How the execution may have stood."""

    def __str__(self) -> str:
        lines = [f"No order of the calls explains this answer about {self.call.about}:", f"  {self.call.told}"]
        lines += ["The execution may have been:", *(f"  {state}" for state in self.states)]
        lines += ["The last answers before it:", *(f"  {call.told}" for call in self.before)]
        lines += ["Under way meanwhile, or lost:", *(f"  {call.told}" for call in self.meanwhile)]
        return "\n".join(lines)


class TooManyWays(Exception):
    """So much was lost that the search would not end."""


def check(calls: Sequence[Call], model: Model) -> Unexplained | None:
    """Look for an order of the calls about one execution. None: there is one."""
    calls = sorted(calls, key=lambda call: call.begun)
    moments = sorted(
        [(call.begun, 0, place) for place, call in enumerate(calls)]
        + [(call.ended, 1, place) for place, call in enumerate(calls) if call.answer is not None]
    )
    alone = _alone(calls)
    open_calls: set[int] = set()
    ways: set[tuple[Hashable, frozenset[int]]] = {(model.first, frozenset())}
    answered: list[Call] = []
    for _, is_end, place in moments:
        if not is_end:
            open_calls.add(place)
            continue
        found: set[tuple[Hashable, frozenset[int]]] = set()
        seen = set(ways)
        todo = list(ways)
        while todo:
            state, done = todo.pop()
            if place in done:
                found.add((state, done - {place}))
                continue
            for each in open_calls - done:
                for after in model.after(state, calls[each], alone[each]):
                    if after == state and calls[each].answer is None:
                        continue  # as if it had not happened yet
                    way = (after, done | {each})
                    if way not in seen:
                        seen.add(way)
                        todo.append(way)
            if len(seen) > WAYS_MAX:
                raise TooManyWays(f"{len(calls)} calls about {calls[place].about}")
        if not found:
            states = sorted({model.words(state) for state, _ in ways})
            others = tuple(calls[each] for each in sorted(open_calls) if each != place)
            return Unexplained(calls[place], tuple(answered[-8:]), others, tuple(states[:6]))
        open_calls.discard(place)
        answered.append(calls[place])
        ways = found
    return None


def _alone(calls: Sequence[Call]) -> list[bool]:
    """For each of the calls, in order of their beginnings: whether no other overlaps it."""
    latest_end = float("-inf")
    alone = []
    for place, call in enumerate(calls):
        follows = calls[place + 1].begun if place + 1 < len(calls) else float("inf")
        alone.append(latest_end < call.begun and call.ended < follows)
        latest_end = max(latest_end, call.ended)
    return alone
