"""Waits in words: for whom an execution waits, since when, until when, and what happens then."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.cli.output import when

if TYPE_CHECKING:
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.domain.wait_snapshots import WaitpointSnapshot, WaitSnapshot

THEN: Final[Mapping[str, str]] = {
    "resume": "goes on",
    "fail": "fails",
    "cancel": "is cancelled",
    "expire": "expires",
    "escalate": "asks an operator",
}
"""What an execution does when the time of a wait is over."""
SLEEP: Final = "its time"
OPERATOR: Final = "an operator"
CHILDREN: Final = "waiting_for_children"
"""The reason of a wait for children."""


def is_escalated(wait: "WaitSnapshot") -> bool:
    """Whether the time of a wait was over, and an operator was asked. Then the wait has no timeout any more."""
    return wait.on_timeout == "escalate" and wait.timeout_at_ms is None


def whom(wait: "WaitSnapshot", closed: Collection[str] = ()) -> str:
    """For whom or what a wait waits: its keys, or what it waits for if it has none. `closed` waitpoints are marked."""
    if wait.keys:
        return ", ".join(f"{key} (closed)" if key in closed else key for key in wait.keys)
    if wait.reason == CHILDREN:
        return "its children"
    return OPERATOR if wait.timeout_at_ms is None else SLEEP


def returns_a_value(wait: "WaitSnapshot") -> bool:
    """Whether the task may use the value of a signal that ends the wait. Sleeps and questions to people do not."""
    return bool(wait.keys) and not is_question(wait)


def is_question(wait: "WaitSnapshot") -> bool:
    """Whether people are asked to decide."""
    from flowfabric.domain.waiting import FOR_APPROVAL

    return wait.reason == FOR_APPROVAL


def until(wait: "WaitSnapshot", now_ms: int) -> str:
    """When the time of a wait is over: 'in 3 d', or that it has no end."""
    if wait.timeout_at_ms is not None:
        return when(wait.timeout_at_ms, now_ms)
    return "escalated" if is_escalated(wait) else "-"


def then(wait: "WaitSnapshot") -> str:
    """What follows when the time of a wait is over; empty if it has no end."""
    return "" if wait.timeout_at_ms is None else THEN.get(wait.on_timeout, wait.on_timeout)


def open_keys(x: "ExecutionSnapshot") -> list[str]:
    """The keys that open waits wait for, each once."""
    return list(dict.fromkeys(key for wait in x.waits for key in wait.keys))


def title_of(waitpoint: "WaitpointSnapshot") -> str:
    """The title that people are shown; empty if there is none."""
    title = waitpoint.about.get("title")
    return title if isinstance(title, str) else ""


def choices_of(waitpoint: "WaitpointSnapshot | None") -> Sequence[str]:
    """The choices that people have; empty if none are named."""
    choices = None if waitpoint is None else waitpoint.about.get("choices")
    return [each for each in choices if isinstance(each, str)] if isinstance(choices, (list, tuple)) else []
