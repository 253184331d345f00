"""Events in words: their names and details for people."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.cli.gate_words import gate_event_in_words
from flowfabric.cli.output import clock_time, in_json
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from flowfabric.domain.events import Event
    from flowfabric.domain.snapshots import StepSnapshot
    from flowfabric.engine.blocking import BlockingEngine

_NAMES: Final = {
    "attempt_index": "attempt",
    "next_attempt_index": "next attempt",
    "lease_epoch": "token",
    "worker_instance_id": "worker",
    "cancellation_policy": "policy",
}
FIRST: Final = ("claim_type", "first")
WHY: Final = ("code", "reason")
"""The details that say why something happened."""
_COUNTED_FROM_0: Final = ("attempt_index", "next_attempt_index")


def happened(event: "Event") -> str:
    """What happened, in a word or two. A lease that expires is named otherwise than an execution that expires."""
    return "lease expired" if (event.channel, event.event_type) == ("lease", "expired") else event.event_type


def details_in_words(event: "Event") -> str:
    """The event's details on one line."""
    in_words = _IN_WORDS.get((event.channel, event.event_type))
    if event.channel == "operator" and (said := gate_event_in_words(event.event_type, event.details)) is not None:
        return said
    if in_words is None:
        return listed(event.details)
    actor = event.details.get("actor")
    return f"{in_words(event.details)}{f', by {actor}' if actor else ''}"


def step_in_words(step: "StepSnapshot") -> str:
    """A stored step on one line."""
    tries = f", {step.tries} tries" if step.tries > 1 else ""
    return f"{step.name}, attempt {step.attempt_index + 1}{tries}"


def listed(details: Mapping[str, object]) -> str:
    """Details on one line: 'attempt 1, token 1, worker till-7'. Attempts count from 1, instants are in UTC.

    The detail that a claim is the first one is left out.
    """
    return ", ".join(
        _one_detail(key, value) for key, value in details.items() if (key, value) != FIRST and value not in ("", None)
    )


def _replay_in_words(details: Mapping[str, object]) -> str:
    """The state before a replay, and what the replay did with stored steps: 'after failed; 1 stored step kept'."""
    outcome, kept, from_step = (details.get(key) for key in ("previous_outcome", "steps_kept", "from_step"))
    steps = ["from scratch"] if details.get("steps") == "cleared" else []
    if isinstance(kept, int) and kept:
        steps.append(f"{counted(kept, 'stored step')} kept")
    if from_step is not None:
        steps.append(f"done again from {from_step} on")
    after = f"after {'completed' if outcome == 'success' else outcome}"
    return f"{after}; {', '.join(steps)}" if steps else after


def _suspended_in_words(details: Mapping[str, object]) -> str:
    """What an execution waits for: 'waits for editor, until 2026-11-19 09:30:00.000'."""
    names, keys, until_ms = (details.get(key) for key in ("names", "keys", "timeout_at_ms"))
    known = [each for each in (keys, names) if isinstance(each, (list, tuple)) and each]
    whom = ", ".join(map(str, known[0])) if known else "an operator"
    said = [f"waits for {whom}" if keys else f"sleeps: {whom}" if isinstance(until_ms, int) else f"waits: {whom}"]
    if isinstance(until_ms, int):
        said.append(f"until {clock_time(until_ms)}")
    return ", ".join(said)


_EFFECTS: Final = {
    "resumed": "ended a wait",
    "counted": "counted, and more are needed",
    "buffered": "kept for a later wait",
}
_CAUSES: Final[Mapping[str, str]] = {
    "signal": "by a signal",
    "timeout": "by its timeout",
    "operator": "by an operator",
    "children": "by its children",
}


def _delivered_in_words(details: Mapping[str, object]) -> str:
    """A signal: 'editor from ann: ended a wait'."""
    key, name, source, effect = (str(details.get(each) or "") for each in ("key", "name", "source_identity", "effect"))
    key = key or "a signal"  # the operator's, for a wait that no other signal ends
    what = f"{key} ({name})" if name else key
    return f"{what}{f' from {source}' if source else ''}: {_EFFECTS.get(effect, effect)}"


def _resumed_in_words(details: Mapping[str, object]) -> str:
    """Which wait is over, and why: 'wait editor is over, by a signal'."""
    cause, reason = (str(details.get(key) or "") for key in ("cause", "reason"))
    return f"wait {details.get('name')} is over, {_CAUSES.get(cause, cause)}{f': {reason}' if reason else ''}"


def _escalated_in_words(details: Mapping[str, object]) -> str:
    return f"the time of wait {details.get('name')} is over, and an operator is asked"


def _token_in_words(details: Mapping[str, object]) -> str:
    """A token: 'token abcdefghijkl of ann, operator, expires at 2026-11-19 09:30:00.000'."""
    role, expires_at_ms, reason = (details.get(key) for key in ("role", "expires_at_ms", "reason"))
    said = [f"token {details.get('token')} of {details.get('name')}"]
    said += [str(role)] if role else []
    said += [f"expires at {clock_time(expires_at_ms)}"] if isinstance(expires_at_ms, int) else []
    return f"{', '.join(said)}{f': {reason}' if reason else ''}"


_IN_WORDS: Final[Mapping[tuple[str, str], Callable[[Mapping[str, object]], str]]] = {
    ("operator", "replayed"): _replay_in_words,
    ("lease", "suspended"): _suspended_in_words,
    ("signal", "delivered"): _delivered_in_words,
    ("signal", "resumed"): _resumed_in_words,
    ("operator", "escalated"): _escalated_in_words,
    ("operator", "token_created"): _token_in_words,
    ("operator", "token_revoked"): _token_in_words,
    ("operator", "logged_in"): _token_in_words,
    ("operator", "logged_out"): _token_in_words,
}
"""Events whose details are a sentence."""


def _one_detail(key: str, value: object) -> str:
    if key in _COUNTED_FROM_0 and isinstance(value, int):
        value = value + 1
    if key.endswith("_ms") and isinstance(value, int):
        return f"{key.removesuffix('_ms').replace('_', ' ')} {clock_time(value)}"
    name = _NAMES.get(key, key.replace("_", " "))
    return f"{name} {value if isinstance(value, str) else in_json(value)}"


def events_of(engine: "BlockingEngine", execution_id: str) -> "list[Event]":
    """All events of one execution."""
    events: list[Event] = []
    page = engine.read_events(execution_id=execution_id)
    while page.events:
        events += page.events
        page = engine.read_events(execution_id=execution_id, cursor=page.next_cursor)
    return events


def began_since_replay(events: "Sequence[Event]") -> int | None:
    """When the first attempt since the last replay began; None: none has begun, or its event was removed."""
    began: int | None = None
    for event in reversed(events):
        if event.event_type == "replayed":
            return began
        if event.event_type == "acquired":
            began = event.occurred_at_ms
    return None
