"""What does an execution wait for? Each open wait in words: its condition, what has arrived, what is missing."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from flowfabric.domain.children import Children
from flowfabric.domain.condition_words import KEYS_SHOWN_MAX, missing, words
from flowfabric.domain.conditions import (
    AtLeast,
    Condition,
    Either,
    On,
    OperatorOnly,
    from_stored,
    keys_of,
    matches,
)
from flowfabric.domain.execution import Execution
from flowfabric.domain.waiting import FOR_APPROVAL, OnTimeout, OpenWait, SignalMark
from flowfabric.domain.words import counted, span, span_ahead

ARRIVED_MAX: Final = 5
"""How many signals are named. Further ones are counted."""


def keys_waited_for(x: Execution) -> tuple[str, ...]:
    """The keys of the waitpoints at which the execution waits, each once."""
    waits = () if x.inbox is None else x.inbox.waits
    return tuple(dict.fromkeys(key for wait in waits for key in keys_of(from_stored(wait.condition))))


def waits_for_children(x: Execution) -> bool:
    """Whether one of its open waits is for children."""
    waits = () if x.inbox is None else x.inbox.waits
    return any(isinstance(from_stored(wait.condition), Children) for wait in waits)


def what_it_waits_for(
    x: Execution,
    now_ms: int,
    kept: Sequence[SignalMark],
    children: Sequence[Execution] = (),
    closed: Mapping[str, str] | None = None,
) -> str:
    """The open waits of an execution in words, oldest first.

    `kept` are its signals that no wait has taken, `children` some of its children that have not ended, and `closed`
    says why waitpoints are closed, by their keys.
    """
    waits = () if x.inbox is None else x.inbox.waits
    first, *more = (_wait(x, wait, now_ms, kept, children) + _closed(wait, closed or {}) for wait in waits)
    sentences = [f"It {first}.", *(f"It also {other}." for other in more)]
    if more:
        sentences.append("The first of these waits that is over lets it go on.")
    return " ".join(sentences)


def _wait(x: Execution, wait: OpenWait, now_ms: int, kept: Sequence[SignalMark], children: Sequence[Execution]) -> str:
    condition = from_stored(wait.condition)
    for_what = words(condition)
    since = span(now_ms - wait.since_ms)
    if isinstance(condition, OperatorOnly):
        if wait.timeout_at_ms is not None and wait.on_timeout == "resume":
            return f"sleeps in {wait.name!r} and has done so for {since}; {_wake_up(wait.timeout_at_ms, now_ms)}"
        arrived = "only an operator can end this wait"
    elif isinstance(condition, Children):
        arrived = _how_far_children_are(x, condition, children)
    elif wait.reason == FOR_APPROVAL and (enough := _enough(condition)) is not None:
        for_what, arrived = _decisions_wanted(condition, enough), _decisions_made(enough, kept)
    else:
        signals = [mark for mark in kept if matches(condition, mark)]
        arrived = "nothing has arrived" if not signals else _what_arrived(signals)
        if signals:
            arrived += f"; still missing: {missing(condition, kept) or 'nothing'}"
    return f"waits in {wait.name!r} for {for_what} and has done so for {since}: {arrived}; {_timeout(wait, now_ms)}"


def _enough(condition: Condition) -> AtLeast | None:
    """The part of a question to people that says how many have to decide."""
    part = condition.conditions[0] if isinstance(condition, Either) else condition
    return part if isinstance(part, AtLeast) and part.distinct == "sources" else None


def _decisions_wanted(condition: Condition, enough: AtLeast) -> str:
    if enough.name is None:
        return counted(enough.n, "decision")
    rejections = condition.conditions[1:] if isinstance(condition, Either) else ()
    names = " or ".join(each.name or each.key for each in rejections if isinstance(each, On))
    return f"{counted(enough.n, 'approval')} ({enough.name})" + (f" or 1 rejection ({names})" if names else "")


def _decisions_made(enough: AtLeast, kept: Sequence[SignalMark]) -> str:
    people = list(dict.fromkeys(mark.source or "unnamed" for mark in kept if matches(enough, mark)))
    if not people:
        return "nothing has arrived"
    return f"{len(people)} of {enough.n} {'has' if len(people) == 1 else 'have'} arrived, from {', '.join(people)}"


def _closed(wait: OpenWait, closed: Mapping[str, str]) -> str:
    """Which waitpoints of a wait take no signals, and what to do about it."""
    keys = [key for key in keys_of(from_stored(wait.condition)) if key in closed][:KEYS_SHOWN_MAX]
    if not keys:
        return ""
    named = ", ".join(f"{key} ({closed[key]})" for key in keys)
    are = "waitpoint {} is closed and takes" if len(keys) == 1 else "waitpoints {} are closed and take"
    return f"; {are.format(named)} no signals, so resume or cancel the execution if nothing else ends this wait"


def never_read(unread: Mapping[str, int]) -> str:
    """A sentence about signals that no wait has taken. Empty: there are none."""
    if not unread:
        return ""
    number = sum(unread.values())
    named = ", ".join(list(unread)[:KEYS_SHOWN_MAX]) + (", …" if len(unread) > KEYS_SHOWN_MAX else "")
    return f" {counted(number, 'signal')} to {named} {'was' if number == 1 else 'were'} never read."


def _how_far_children_are(x: Execution, condition: Children, children: Sequence[Execution]) -> str:
    assert x.inbox is not None
    groups = [group for group in x.inbox.groups if group.name in condition.names]
    ended = sum(group.succeeded + group.failed for group in groups)
    said = f"{ended} of {sum(group.total for group in groups)} have ended"
    if failed := sum(group.failed for group in groups):
        said += f" ({failed} without success)"
    for child in children:
        place = child.child_place
        if place is not None and place.group in condition.names and place.life == x.inbox.life:
            return f"{said}, and {child.execution_id} is {child.public_state}"
    return said


def _what_arrived(signals: Sequence[SignalMark]) -> str:
    named = [_named(mark) for mark in signals[:ARRIVED_MAX]]
    if len(signals) > len(named):
        named.append(counted(len(signals) - len(named), "more signal"))
    return f"{', '.join(named)} {'has' if len(named) == 1 else 'have'} arrived"


def _named(mark: SignalMark) -> str:
    key = f"{mark.key} ({mark.name})" if mark.name else mark.key
    return f"{key} from {mark.source}" if mark.source else key


def _wake_up(at_ms: int, now_ms: int) -> str:
    return f"it wakes up in {span_ahead(at_ms - now_ms)}" if at_ms > now_ms else "it wakes up at the next sweep"


def _timeout(wait: OpenWait, now_ms: int) -> str:
    if wait.is_escalated:
        return "its time was over, and it waits on for an operator"
    if wait.timeout_at_ms is None:
        return "it has no timeout"
    then = _what_a_timeout_does(wait.on_timeout)
    left_ms = wait.timeout_at_ms - now_ms
    return f"in {span_ahead(left_ms)} {then}" if left_ms > 0 else f"its time is over, and at the next sweep {then}"


def _what_a_timeout_does(on_timeout: OnTimeout) -> str:
    match on_timeout:
        case "resume":
            return "it goes on without an answer"
        case "fail":
            return "the attempt fails with wait_timeout"
        case "cancel":
            return "it is cancelled"
        case "expire":
            return "it expires"
        case "escalate":
            return "an operator is asked, and it waits on"
        case _:
            assert_never(on_timeout)
