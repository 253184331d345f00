"""What must hold for waits, waitpoints and signals after every batch, and for a store at rest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.conditions import from_stored, keys_of, satisfied
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.inboxes import mark_of
from flowfabric.domain.remembered_answers import unpack_wait_over
from flowfabric.domain.steps import Step
from flowfabric.domain.waiting import EMPTY_INBOX, StoredSignal, StoredWaitpoint, waitpoint_id

# ── one record ───────────────────────────────────────────────────────────────────────────────────


def inbox_violations(x: Execution) -> Iterator[str]:
    """What is wrong with what one execution waits for."""
    inbox = x.inbox or EMPTY_INBOX
    names = [wait.name for wait in inbox.waits]
    if x.lifecycle_phase == "suspended" and not names:
        yield f"{x.execution_id} is suspended and waits for nothing"
    if x.has_ended and (inbox.waits or inbox.unanswered or inbox.held or inbox.attempt):
        yield f"{x.execution_id} is {x.public_state} and still waits: {inbox}"
    if len(set(names)) != len(names):
        yield f"{x.execution_id} has two open waits of one name: {names}"
    if inbox.unanswered and x.lifecycle_phase != "active":
        yield f"{x.execution_id} is {x.public_state}, and a worker is to hear about {inbox.unanswered}"
    if not set(names).isdisjoint(inbox.unanswered):
        yield f"{x.execution_id} has waits that are open and over: {names}, {inbox.unanswered}"
    if inbox.held and x.lifecycle_phase != "suspended":
        yield f"{x.execution_id} is {x.public_state} and is to be held when it is resumed"
    is_suspended = x.attempt_state == "attempt_suspended"
    if is_suspended != (inbox.attempt is not None) and x.lifecycle_phase != "active":
        yield f"{x.execution_id} is {x.attempt_state}, and its suspended attempt is {inbox.attempt}"


# ── one batch ────────────────────────────────────────────────────────────────────────────────────


def wait_violations(changes: Changes) -> Iterator[str]:
    """What one batch broke."""
    kept = {after.execution_id: after for _, after in changes.executions if after is not None}
    for before, after in changes.executions:
        if before is not None and after is not None:
            yield from _timeouts_do_not_move(before, after)
            yield from _numbers_only_grow(before, after)
    for (execution_id, name), step in changes.steps.items():
        x = kept.get(execution_id)
        if x is not None and x.inbox is not None and any(wait.name == name for wait in x.inbox.waits):
            yield f"{execution_id} has a step {name!r} (of a wait: {step.is_wait}) and an open wait of this name"
    for (execution_id, number), taken_by in changes.takings.items():
        if taken_by is not None and not _is_end_of_wait(changes.steps.get((execution_id, taken_by))):
            yield f"{execution_id}: wait {taken_by!r} has taken signal {number} and is not over"
    new = [signal for signal in changes.signals.values() if signal is not None]
    for signal in new:
        x = kept.get(signal.execution_id)
        if x is None or x.inbox is None or signal.number > x.inbox.signals:
            yield f"{signal.execution_id} has not counted signal {signal.number}"
    yield from _ids_are_their_own([each for each in changes.waitpoints.values() if each is not None], new, kept)


def _is_end_of_wait(step: Step | None) -> bool:
    return step is not None and step.is_wait


def _timeouts_do_not_move(before: Execution, after: Execution) -> Iterator[str]:
    if before.inbox is None or after.inbox is None or before.attempt_index != after.attempt_index:
        return
    known = {(wait.name, wait.since_ms): wait for wait in before.inbox.waits}
    for wait in after.inbox.waits:
        was = known.get((wait.name, wait.since_ms), wait)
        is_escalated = was.on_timeout == "escalate" and wait.is_escalated and wait.timeout_at_ms is None
        if (was.timeout_at_ms, was.on_timeout) != (wait.timeout_at_ms, wait.on_timeout) and not is_escalated:
            yield f"{after.execution_id}: the time of wait {wait.name!r} was moved"
        if was.condition != wait.condition:
            yield f"{after.execution_id}: wait {wait.name!r} waits for something else"


def _numbers_only_grow(before: Execution, after: Execution) -> Iterator[str]:
    was, now = before.inbox or EMPTY_INBOX, after.inbox or EMPTY_INBOX
    if now.life < was.life or (now.life == was.life and now.signals < was.signals):
        yield f"{after.execution_id} had {was.signals} signals in life {was.life}, and {now.signals} in {now.life}"
    if now.life != was.life and before.replay_count == after.replay_count:
        yield f"{after.execution_id} began life {now.life} of its waitpoints without a replay"


# ── a store at rest ──────────────────────────────────────────────────────────────────────────────


def wait_violations_at_rest(
    executions: Mapping[ExecutionId, Execution],
    steps: Sequence[Step],
    waitpoints: Sequence[StoredWaitpoint],
    signals: Sequence[StoredSignal],
) -> Iterator[str]:
    """What is broken between executions, their steps, waitpoints and signals."""
    stored = {(step.execution_id, step.name): step for step in steps}
    made = {(each.execution_id, each.key) for each in waitpoints}
    sent: dict[ExecutionId, list[StoredSignal]] = {}
    for signal in signals:
        sent.setdefault(signal.execution_id, []).append(signal)
    for x in executions.values():
        kept = [mark_of(signal) for signal in sent.get(x.execution_id, ()) if signal.taken_by is None]
        for wait in (x.inbox or EMPTY_INBOX).waits:
            condition = from_stored(wait.condition)
            if satisfied(condition, kept) is not None:
                yield f"{x.execution_id} waits for {wait.name!r}, and has got all that it needs"
            if (x.execution_id, wait.name) in stored:
                yield f"{x.execution_id} has a step {wait.name!r} and an open wait of this name"
            for key in keys_of(condition):
                if (x.execution_id, key) not in made:
                    yield f"{x.execution_id} waits at {key!r}, and there is no such waitpoint"
    for signal in signals:
        at = (signal.execution_id, signal.taken_by or "")
        if signal.taken_by is not None and not _is_end_of_wait(stored.get(at)):
            yield f"{signal.execution_id}: wait {signal.taken_by!r} has taken signal {signal.number} and is not over"
        if signal.execution_id not in executions:
            yield f"{signal.execution_id} has a signal {signal.number} and no record"
        elif signal.number > (executions[signal.execution_id].inbox or EMPTY_INBOX).signals:
            yield f"{signal.execution_id} has not counted signal {signal.number}"
    yield from _each_signal_is_taken_once(stored.values(), signals)
    for waitpoint in waitpoints:
        if waitpoint.execution_id not in executions:
            yield f"{waitpoint.execution_id} has a waitpoint {waitpoint.key!r} and no record"
    yield from _ids_are_their_own(waitpoints, signals, executions)


def _each_signal_is_taken_once(steps: Iterable[Step], signals: Iterable[StoredSignal]) -> Iterator[str]:
    """A wait that is over has its signals, and no other wait gets them."""
    taken_by = {signal.signal_id: signal.taken_by for signal in signals}
    for step in steps:
        if not step.is_wait:
            continue
        for signal in unpack_wait_over(step.result).signals:
            if taken_by.get(signal.signal_id, step.name) != step.name:
                by = taken_by[signal.signal_id]
                yield f"{step.execution_id}: wait {step.name!r} has got signal {signal.signal_id}, taken by {by!r}"


def _ids_are_their_own(
    waitpoints: Iterable[StoredWaitpoint], signals: Iterable[StoredSignal], executions: Mapping[ExecutionId, Execution]
) -> Iterator[str]:
    """A token names the id of its waitpoint, so the id must not fit another execution, another key or another life."""
    for waitpoint in waitpoints:
        if waitpoint.waitpoint_id != waitpoint_id(waitpoint.execution_id, waitpoint.key, waitpoint.life):
            yield f"{waitpoint.execution_id}: waitpoint {waitpoint.key!r} has the id of another one"
        x = executions.get(waitpoint.execution_id)
        if x is not None and (x.inbox is None or waitpoint.life > x.inbox.life):
            yield f"{waitpoint.execution_id}: waitpoint {waitpoint.key!r} is of life {waitpoint.life}, not yet begun"
    for signal in signals:
        x = executions.get(signal.execution_id)
        lives = range((x.inbox or EMPTY_INBOX).life + 1) if x is not None else ()
        if signal.waitpoint_id not in ("", *(waitpoint_id(signal.execution_id, signal.key, life) for life in lives)):
            yield f"{signal.execution_id}: signal {signal.number} is of a waitpoint of another execution"
