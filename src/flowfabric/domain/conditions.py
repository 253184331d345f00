"""Conditions: what a wait waits for, and which signals satisfy it.

A condition is evaluated anew each time, over the signals that are kept, in the order of their arrival. It has no state
of its own. A signal counts for every part of the condition that it matches, and each part counts for itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from flowfabric.domain.children import Children
from flowfabric.domain.errors import Corruption, InvalidInput, shown
from flowfabric.domain.inputs import KEY_CHARS_MAX, integer
from flowfabric.domain.inputs import name as checked_name
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.domain.waiting import SIGNALS_MAX, SignalMark

Distinct = Literal["waitpoints", "signals", "sources"]
"""What `AtLeast` counts."""
DISTINCT: Final[tuple[Distinct, ...]] = get_args(Distinct)

DEPTH_MAX: Final = 4
"""How deep conditions nest. A leaf is 1."""
LEAVES_MAX: Final = 32
KEYS_MAX: Final = 256
"""How many different keys a condition names. A wait makes a waitpoint for each."""


# ── the classes ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, repr=False)
class On:
    """One signal to the waitpoint `key`. If `name` is given, only signals of this name count."""

    key: str
    name: str | None = None

    def __repr__(self) -> str:
        return f"On({self.key!r})" if self.name is None else f"On({self.key!r}, name={self.name!r})"


@dataclass(frozen=True, repr=False, init=False)
class _Group:
    conditions: "tuple[Condition, ...]"

    def __init__(self, *conditions: "Condition | str") -> None:
        object.__setattr__(self, "conditions", tuple(map(_condition_of, conditions)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.conditions))})"


@dataclass(frozen=True, repr=False, init=False)
class Every(_Group):
    """All of these conditions. A text means `On(text)`. One signal may satisfy several of them.

    `Every("contract", Either("card", "invoice"))`
    """


@dataclass(frozen=True, repr=False, init=False)
class Either(_Group):
    """One of these conditions. A text means `On(text)`. If several are satisfied, the first of them takes its signals.

    `Either("paid", On("order", name="cancelled"))`
    """


@dataclass(frozen=True, repr=False, init=False)
class AtLeast:
    """So many signals to these waitpoints. If `name` is given, only signals of this name count.

    `distinct` says what is counted: different waitpoints, single signals, or signals from different sources. All
    signals without a source are from one source.

    `AtLeast(2, "alice", "bob", "carol")` · `AtLeast(3, "vote", distinct="sources")`
    """

    n: int
    keys: tuple[str, ...]
    name: str | None
    distinct: Distinct

    def __init__(self, n: int, *keys: str, name: str | None = None, distinct: Distinct = "waitpoints") -> None:
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "keys", keys)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "distinct", distinct)

    def __repr__(self) -> str:
        options = [repr(self.n), *map(repr, self.keys)]
        if self.name is not None:
            options.append(f"name={self.name!r}")
        if self.distinct != "waitpoints":
            options.append(f"distinct={self.distinct!r}")
        return f"AtLeast({', '.join(options)})"


@dataclass(frozen=True)
class OperatorOnly:
    """No signal ends this wait: an operator does, or its timeout."""


Condition: TypeAlias = On | Every | Either | AtLeast | OperatorOnly | Children


def _condition_of(value: "Condition | str") -> Condition:
    return On(value) if isinstance(value, str) else value


# ── checks ───────────────────────────────────────────────────────────────────────────────────────


def checked(condition: object) -> Condition:
    """The condition, if it can be met; a text means `On(text)`. Otherwise InvalidInput."""
    condition = _checked(condition, depth=1)
    leaves, keys = sum(1 for _ in _leaves(condition)), len(keys_of(condition))
    if leaves > LEAVES_MAX:
        raise InvalidInput(
            f"The condition has {leaves} parts On(…) and AtLeast(…); the limit is {LEAVES_MAX}. "
            "Use AtLeast(…) with many keys, or wait several times."
        )
    if keys > KEYS_MAX:
        raise InvalidInput(
            f"The condition names {keys} different keys; the limit is {KEYS_MAX}. "
            "Let several senders share a key: AtLeast(n, key, distinct='sources')."
        )
    return condition


def _checked(condition: object, depth: int) -> Condition:
    if depth > DEPTH_MAX:
        raise InvalidInput(f"The condition is nested deeper than {DEPTH_MAX}. Put all parts of the same kind into one.")
    match condition:
        case str():
            return On(_key(condition))
        case On():
            return On(_key(condition.key), name=_signal_name(condition.name))
        case Every():
            return Every(*_parts("Every", condition.conditions, depth))
        case Either():
            return Either(*_parts("Either", condition.conditions, depth))
        case AtLeast():
            return _at_least(condition)
        case OperatorOnly():
            if depth > 1:
                raise InvalidInput(
                    "OperatorOnly() is inside another condition, where no signal can satisfy it. "
                    "Use it alone; an operator can end every wait anyway."
                )
            return OperatorOnly()
        case Children():
            if depth > 1 or not condition.names:
                raise InvalidInput("A wait for children names at least one group, and is no part of another condition.")
            return Children(tuple(map(_key, condition.names)), condition.all_ended)
        case _:
            raise InvalidInput(
                f"condition is {shown(condition)}; it must be a key, On(…), Every(…), Either(…), AtLeast(…) or "
                "OperatorOnly()."
            )


def _parts(kind: str, conditions: Sequence[object], depth: int) -> Iterator[Condition]:
    if not conditions:
        raise InvalidInput(f"{kind}() has no conditions, so nothing can satisfy it. Name at least one.")
    if len(conditions) > LEAVES_MAX:
        raise InvalidInput(
            f"{kind}(…) has {len(conditions)} conditions; the limit is {LEAVES_MAX}. "
            "Use AtLeast(…) with many keys, or wait several times."
        )
    return (_checked(each, depth + 1) for each in conditions)


def _at_least(condition: AtLeast) -> AtLeast:
    if not condition.keys:
        raise InvalidInput("AtLeast(…) has no keys, so nothing can satisfy it. Name at least one.")
    keys = tuple(map(_key, condition.keys))
    n = integer("n of AtLeast(n, …)", condition.n, 1, SIGNALS_MAX)
    different = len(set(keys))
    if condition.distinct not in DISTINCT:
        raise InvalidInput(f"distinct is {shown(condition.distinct)}; it must be one of {', '.join(DISTINCT)}.")
    if condition.distinct == "waitpoints" and n > different:
        raise InvalidInput(
            f"AtLeast({n}, …) counts waitpoints, and names only {different} different keys, so nothing can satisfy it. "
            "Name more keys, lower n, or count distinct='signals' or 'sources'."
        )
    return AtLeast(n, *keys, name=_signal_name(condition.name), distinct=condition.distinct)


def _key(value: object) -> str:
    return checked_name("key", value, KEY_CHARS_MAX)


def _signal_name(value: object) -> str | None:
    # Signals may have an empty name, so a condition may ask for it.
    return "" if value == "" else None if value is None else checked_name("name", value, KEY_CHARS_MAX)


# ── the stored form ──────────────────────────────────────────────────────────────────────────────


def stored(condition: Condition) -> str:
    """A checked condition as JSON. Equal conditions have the same text."""
    return msgspec.json.encode(plain(condition)).decode()


@lru_cache(maxsize=4096)
def from_stored(text: str) -> Condition:
    """The condition that was stored. A text that is no stored condition is Corruption."""
    try:
        return checked(from_plain(msgspec.json.decode(text)))
    except (*UNDECODABLE, InvalidInput) as error:
        raise Corruption(f"{shown(text)} is not the stored condition of a wait: {error}") from None


def plain(condition: Condition) -> dict[str, object]:
    """A checked condition as an object of JSON."""
    match condition:
        case On():
            return {"on": condition.key, **_plain_name(condition)}
        case Every():
            return {"every": [plain(each) for each in condition.conditions]}
        case Either():
            return {"either": [plain(each) for each in condition.conditions]}
        case AtLeast():
            distinct = {} if condition.distinct == "waitpoints" else {"distinct": condition.distinct}
            return {"at_least": condition.n, "of": condition.keys, **_plain_name(condition), **distinct}
        case OperatorOnly():
            return {"operator_only": True}
        case Children():
            return {"children": condition.names, "all_ended": condition.all_ended}


def _plain_name(leaf: On | AtLeast) -> dict[str, object]:
    return {} if leaf.name is None else {"name": leaf.name}


def from_plain(plain: Any, depth: int = 1) -> Condition:
    """The condition that an object of JSON describes. It is not checked yet."""
    if depth > DEPTH_MAX:
        raise InvalidInput("It is nested too deep.")
    match plain:
        case {"on": key}:
            return On(key, name=plain.get("name"))
        case {"every": [*parts]}:
            return Every(*(from_plain(each, depth + 1) for each in parts))
        case {"either": [*parts]}:
            return Either(*(from_plain(each, depth + 1) for each in parts))
        case {"at_least": n, "of": [*keys]}:
            return AtLeast(n, *keys, name=plain.get("name"), distinct=plain.get("distinct", "waitpoints"))
        case {"operator_only": True}:
            return OperatorOnly()
        case {"children": [*names]}:
            return Children(tuple(names), plain.get("all_ended", False))
        case _:
            raise InvalidInput(f"{shown(plain)} is no condition.")


# ── evaluation ───────────────────────────────────────────────────────────────────────────────────


def keys_of(condition: Condition) -> tuple[str, ...]:
    """The keys of all waitpoints that the condition names, in their order, each once."""
    return tuple(dict.fromkeys(key for leaf in _leaves(condition) for key in _keys(leaf)))


def oldest_needed(condition: Condition) -> Mapping[str, int]:
    """For each key, how many of its kept signals decide, from the oldest on. Later ones change nothing."""
    needed = dict.fromkeys(keys_of(condition), 1)
    for leaf in _leaves(condition):
        for key in _keys(leaf):
            needed[key] = max(needed[key], _oldest_needed_by(leaf))
    return needed


def matches(condition: Condition, mark: SignalMark) -> bool:
    """Whether the signal counts for any part of the condition."""
    return any(_matches(leaf, mark) for leaf in _leaves(condition))


def counts(condition: Condition, marks: Sequence[SignalMark], mark: SignalMark) -> bool:
    """Whether a part of the condition counts this one of the kept signals.

    A part does not count a signal that it does not need: one from a source that it has counted, for example.
    """
    arrived = sorted(marks, key=number_of)
    return any(mark in counted_by(leaf, arrived) for leaf in _leaves(condition))


def satisfied(condition: Condition, marks: Sequence[SignalMark]) -> tuple[SignalMark, ...] | None:
    """The signals that a wait for the condition takes, in the order of their arrival. None: it needs more signals.

    From the shortest run of the kept signals that satisfies the condition, beginning with the oldest one, it takes the
    earliest signals that each part needs. Of an `Either` it takes those of the first alternative that this run
    satisfies. `marks` are the kept signals; those that match nothing are ignored.
    """
    arrived = sorted(marks, key=number_of)
    end = satisfied_by(condition, arrived)
    if end is None:
        return None
    taken = {mark.number: mark for mark in _taken(condition, arrived, end)}
    return tuple(taken[number] for number in sorted(taken))


def satisfied_by(condition: Condition, arrived: Sequence[SignalMark]) -> int | None:
    """The number of the signal that satisfies the condition. None: no signal does. `arrived` is in order."""
    match condition:
        case On() | AtLeast():
            counted = counted_by(condition, arrived)
            return None if len(counted) < _wanted(condition) else counted[-1].number
        case Every():
            ends = [satisfied_by(each, arrived) for each in condition.conditions]
            reached = [end for end in ends if end is not None]
            return None if len(reached) < len(ends) else max(reached, default=None)
        case Either():
            ends = [satisfied_by(each, arrived) for each in condition.conditions]
            return min((end for end in ends if end is not None), default=None)
        case OperatorOnly() | Children():
            return None


def _taken(condition: Condition, arrived: Sequence[SignalMark], end: int) -> Iterator[SignalMark]:
    """The signals that each part needs, of a condition that is satisfied by the signal `end` or an earlier one."""
    match condition:
        case On() | AtLeast():
            yield from counted_by(condition, arrived)
        case Every():
            for each in condition.conditions:
                yield from _taken(each, arrived, end)
        case Either():
            for each in condition.conditions:
                end_of_each = satisfied_by(each, arrived)
                if end_of_each is not None and end_of_each <= end:
                    yield from _taken(each, arrived, end)
                    return
        case OperatorOnly() | Children():
            return


def counted_by(leaf: On | AtLeast, arrived: Sequence[SignalMark]) -> list[SignalMark]:
    """The earliest signals that count for a leaf, at most as many as it wants. `arrived` is in order."""
    distinct = _DISTINCT_BY[leaf.distinct] if isinstance(leaf, AtLeast) else number_of
    counted: dict[object, SignalMark] = {}
    for mark in arrived:
        if _matches(leaf, mark):
            counted.setdefault(distinct(mark), mark)
            if len(counted) == _wanted(leaf):
                break
    return list(counted.values())


def _matches(leaf: On | AtLeast, mark: SignalMark) -> bool:
    return mark.key in _keys(leaf) and (leaf.name is None or leaf.name == mark.name)


def number_of(mark: SignalMark) -> int:
    """The place of the signal in the order of arrival."""
    return mark.number


_DISTINCT_BY: Final[Mapping[Distinct, Callable[[SignalMark], object]]] = {
    "waitpoints": lambda mark: mark.key,
    "signals": number_of,
    "sources": lambda mark: mark.source,
}


def _wanted(leaf: On | AtLeast) -> int:
    return 1 if isinstance(leaf, On) else leaf.n


def _keys(leaf: On | AtLeast) -> tuple[str, ...]:
    return (leaf.key,) if isinstance(leaf, On) else leaf.keys


def _oldest_needed_by(leaf: On | AtLeast) -> int:
    # Any number of signals may have another name, or come from a source that has been counted.
    if leaf.name is not None or (isinstance(leaf, AtLeast) and leaf.distinct == "sources"):
        return SIGNALS_MAX
    return leaf.n if isinstance(leaf, AtLeast) and leaf.distinct == "signals" else 1


def _leaves(condition: Condition) -> Iterator[On | AtLeast]:
    match condition:
        case On() | AtLeast():
            yield condition
        case Every() | Either():
            for each in condition.conditions:
                yield from _leaves(each)
        case OperatorOnly() | Children():
            return
