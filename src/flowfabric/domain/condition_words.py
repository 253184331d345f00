"""Conditions in words: what a wait waits for, and what is still missing."""

import re
from collections.abc import Sequence
from typing import Final

from flowfabric.domain.children import Children
from flowfabric.domain.conditions import (
    AtLeast,
    Condition,
    Either,
    Every,
    On,
    OperatorOnly,
    counted_by,
    number_of,
    satisfied,
    satisfied_by,
)
from flowfabric.domain.waiting import SignalMark

KEYS_SHOWN_MAX: Final = 10
_SIMPLE: Final = re.compile(r"[\w.:/@+-]+")


def words(condition: Condition) -> str:
    """The condition as people read it: 'editor', '2 of alice, bob, carol', 'paid and (card or invoice)'."""
    return missing(condition, ())


def missing(condition: Condition, marks: Sequence[SignalMark]) -> str:
    """What must still arrive before the condition is satisfied, as people read it. Empty: nothing."""
    return "" if satisfied(condition, marks) is not None else _missing(condition, sorted(marks, key=number_of))


def _missing(condition: Condition, arrived: Sequence[SignalMark], *, is_part: bool = False) -> str:
    match condition:
        case On():
            return _with_name(_shown(condition.key), condition.name)
        case AtLeast():
            said = _missing_of(condition, counted_by(condition, arrived))
            return f"({said})" if is_part and "," in said else said
        case Every():
            parts = [each for each in condition.conditions if satisfied_by(each, arrived) is None]
        case Either():
            parts = list(condition.conditions)
        case OperatorOnly():
            return "an operator"
        case Children():
            return f"its children ({_listed(condition.names)})"
    is_alone = len(parts) == 1
    word = " and " if isinstance(condition, Every) else " or "
    said = word.join(_missing(each, arrived, is_part=is_part or not is_alone) for each in parts)
    return f"({said})" if is_part and not is_alone else said


def _missing_of(condition: AtLeast, counted: Sequence[SignalMark]) -> str:
    number = condition.n - len(counted)
    more = f"{number} more" if counted else f"{number}"
    keys = list(dict.fromkeys(condition.keys))
    match condition.distinct:
        case "waitpoints":
            open_keys = [key for key in keys if all(key != mark.key for mark in counted)]
            said = _listed(open_keys) if len(open_keys) == 1 else f"{more} of {_listed(open_keys)}"
            return _with_name(said, condition.name)
        case "signals":
            return f"{more} {'signal' if number == 1 else 'signals'} to {_with_name(_listed(keys), condition.name)}"
        case "sources":
            besides = f", besides {_listed([mark.source or 'unnamed' for mark in counted])}" if counted else ""
            senders = "sender" if number == 1 else "different senders"
            return f"{_with_name(_listed(keys), condition.name)} from {more} {senders}{besides}"


def _with_name(said: str, name: str | None) -> str:
    return said if name is None else f"{said} ({_shown(name)})"


def _listed(keys: Sequence[str]) -> str:
    listed = ", ".join(map(_shown, keys[:KEYS_SHOWN_MAX]))
    return listed if len(keys) <= KEYS_SHOWN_MAX else f"{listed} and {len(keys) - KEYS_SHOWN_MAX} more"


def _shown(key: str) -> str:
    return key if _SIMPLE.fullmatch(key) else repr(key)
