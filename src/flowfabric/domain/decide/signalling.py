"""SendSignal, ResumeExecution, CloseWaitpoint, IssueToken: what others do to an execution that waits."""

from typing import Final

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import CloseWaitpoint, IssueToken, ResumeExecution, SendSignal
from flowfabric.domain.conditions import On, from_stored, keys_of, matches
from flowfabric.domain.decide.replaying import brought_back
from flowfabric.domain.decide.rule import rule, weight_of_data
from flowfabric.domain.decide.seeing import its_executions, its_executions_and_their_flows
from flowfabric.domain.decide.wait_ends import end_open_wait, inbox_of, perform_timeouts
from flowfabric.domain.decide.waiting import check_not_closed, closed, has_expired, made, waitpoint_at, with_inbox
from flowfabric.domain.errors import (
    Conflict,
    InvalidInput,
    NotFound,
    NotSignalable,
    NoWaiter,
    Refused,
    SignalLimitExceeded,
    WaitpointClosed,
)
from flowfabric.domain.execution import Execution
from flowfabric.domain.inboxes import mark_of
from flowfabric.domain.outcomes import AlreadySatisfied, DuplicateSignal, Resumed, Signalled, WaitpointMade
from flowfabric.domain.steps import NO_STEP
from flowfabric.domain.traces import traced
from flowfabric.domain.waiting import (
    SIGNALS_MAX,
    SUBJECTS_MAX,
    Effect,
    OpenWait,
    SignalKey,
    StoredSignal,
    StoredWaitpoint,
    signal_fingerprint,
    signal_id,
)
from flowfabric.domain.working_set import WorkingSet

OPERATOR: Final = "operator"
"""The source of the signals by which an operator ends waits."""
RESUMED: Final = "resumed"
"""The name of those signals."""


def _what_a_signal_sees(command: SendSignal, wanted: Needs) -> None:
    its_executions_and_their_flows(command, wanted)
    wanted.waitpoints.add((command.execution_id, command.key))
    wanted.steps.add((command.execution_id, NO_STEP))  # if the signal ends a wait, the wait becomes a step
    if command.idempotency_key is not None:
        wanted.signal_keys.add((command.execution_id, command.key, command.idempotency_key))
    if command.alias is not None and command.namespace is not None:
        wanted.aliases.add((command.namespace, command.alias))
        if command.idempotency_key is not None:
            wanted.alias_keys.add((command.namespace, command.alias, command.idempotency_key))


@rule(
    SendSignal,
    sees=_what_a_signal_sees,
    enters_queue=True,
    leaves_queue=True,
    weight=lambda command: weight_of_data(command.payload),
)
def send_signal(ws: WorkingSet, command: SendSignal, scope: str | None) -> Signalled | DuplicateSignal:
    """Store a signal. The oldest open wait that it satisfies takes it; otherwise it is kept for a later wait."""
    if command.alias is not None:
        if scope not in (None, command.namespace):
            raise _nobody(command)
        known = _sent_to_alias(ws, command)
        if known is not None:
            return _repeated(known, command)
    x = brought_back(ws, ws.execution(command.execution_id, scope))
    waitpoint = ws.inboxes.waitpoint(x.execution_id, command.key)
    is_former = command.waitpoint_id is not None and (
        waitpoint is None or (waitpoint.waitpoint_id, waitpoint.life) != (command.waitpoint_id, command.life)
    )
    if command.idempotency_key is not None and not is_former:
        known = ws.inboxes.signal_key(x.execution_id, command.key, command.idempotency_key)
        if known is not None:
            return _repeated(known, command)
    x = perform_timeouts(ws, x)
    ws.keep()
    _check_takes_signals(ws, x, command, None if is_former else waitpoint, is_former=is_former)
    x = with_inbox(x)
    waitpoint = waitpoint_at(ws, x, command.key, command.kid)
    x, signal = _stored(ws, x, waitpoint, command.payload, command.name, command.source, command.claimed_source)
    if command.idempotency_key is not None:
        ws.inboxes.remember(
            SignalKey(
                x.execution_id,
                command.key,
                command.idempotency_key,
                signal_fingerprint(command.name, command.payload),
                signal.signal_id,
                x.namespace,
                command.alias,
            )
        )
    return Signalled(signal.signal_id, _deliver(ws, x, signal))


def _sent_to_alias(ws: WorkingSet, command: SendSignal) -> SignalKey | None:
    """The signal that was sent before to the alias with the same key. If the alias has moved on, nobody waits there."""
    assert command.alias is not None
    assert command.namespace is not None
    if command.idempotency_key is not None:
        known = ws.inboxes.alias_key(command.namespace, command.alias, command.idempotency_key)
        if known is not None:
            return known
    holder = ws.inboxes.alias(command.namespace, command.alias)
    if holder is None or (holder.execution_id, holder.key) != (command.execution_id, command.key):
        raise _nobody(command)
    return None


def _nobody(command: SendSignal) -> NoWaiter:
    return NoWaiter(
        f"No open waitpoint has the alias {command.alias!r} in namespace {command.namespace!r}. "
        "Check the alias; the execution may not wait yet, or may have ended."
    )


def _repeated(known: SignalKey, command: SendSignal) -> DuplicateSignal:
    if known.fingerprint != signal_fingerprint(command.name, command.payload):
        raise Conflict(
            f"idempotency_key {command.idempotency_key!r} was used for another signal to waitpoint {known.key!r} of "
            f"{known.execution_id}. Use a new key for a new signal."
        )
    return DuplicateSignal(known.signal_id)


def _check_takes_signals(
    ws: WorkingSet, x: Execution, command: SendSignal, waitpoint: StoredWaitpoint | None, *, is_former: bool
) -> None:
    refusal: Refused | None = None
    if x.has_ended:
        refusal = NotSignalable(x.public_state)
    elif is_former:
        refusal = WaitpointClosed(
            f"The token is of a former life of {x.execution_id}: a replay has begun it anew. Ask for a new token."
        )
    elif waitpoint is not None and has_expired(waitpoint, ws.now_ms):
        refusal = WaitpointClosed(f"The time of waitpoint {waitpoint.key!r} of {x.execution_id} is over.")
    elif waitpoint is not None and waitpoint.closed_reason is not None:
        refusal = closed(waitpoint)
    if refusal is not None:
        raise refusal if command.alias is None else _nobody(command)
    if x.inbox is not None and x.inbox.signals >= SIGNALS_MAX:
        raise SignalLimitExceeded(
            f"{x.execution_id} has got {SIGNALS_MAX} signals, which is the limit of one execution. "
            "Start a new execution for what follows."
        )


def _stored(
    ws: WorkingSet,
    x: Execution,
    waitpoint: StoredWaitpoint | None,
    payload: bytes,
    name: str,
    source: str,
    claimed_source: str = "",
) -> tuple[Execution, StoredSignal]:
    """Store a signal, with the next number. The caller has to put the returned execution."""
    inbox = inbox_of(x)
    number = inbox.signals + 1
    signal = StoredSignal(
        x.execution_id,
        number,
        signal_id(x.execution_id, inbox.life, number),
        "" if waitpoint is None else waitpoint.waitpoint_id,
        "" if waitpoint is None else waitpoint.key,
        name,
        source,
        claimed_source,
        ws.now_ms,
        payload,
    )
    ws.inboxes.send(signal)
    return replace(x, inbox=replace(inbox, signals=number)), signal


def _deliver(ws: WorkingSet, x: Execution, signal: StoredSignal) -> Effect:
    """Show a new signal to the open waits, oldest first."""
    effect: Effect = "buffered"
    mark = mark_of(signal)
    for wait in inbox_of(x).waits:
        condition = from_stored(wait.condition)
        if not matches(condition, mark):
            continue
        # Earlier signals did not satisfy the wait. If it waits for one signal, this is the one.
        taken = (mark,) if isinstance(condition, On) else ws.inboxes.satisfying(x.execution_id, condition)
        if taken is not None:
            signals = ws.inboxes.with_payloads(x.execution_id, taken)
            x = _delivered(ws, x, signal, "resumed")
            ws.executions.put(traced(end_open_wait(ws, x, wait, signals, "signal"), "signal", ws.trace))
            return "resumed"
        if effect != "counted" and ws.inboxes.counts(x.execution_id, condition, mark):
            effect = "counted"
    ws.executions.put(_delivered(ws, x, signal, effect))
    return effect


def _delivered(ws: WorkingSet, x: Execution, signal: StoredSignal, effect: Effect) -> Execution:
    return ws.emit(
        x,
        "signal",
        "delivered",
        {
            "key": signal.key,
            "name": signal.name,
            "signal_id": signal.signal_id,
            "waitpoint_id": signal.waitpoint_id,
            "source_identity": signal.source,
            "effect": effect,
        },
    )


# ── operators ────────────────────────────────────────────────────────────────────────────────────


def _what_a_resume_sees(command: ResumeExecution, wanted: Needs) -> None:
    its_executions_and_their_flows(command, wanted)
    wanted.steps.add((command.execution_id, NO_STEP))


@rule(ResumeExecution, sees=_what_a_resume_sees, enters_queue=True, leaves_queue=True)
def resume_execution(ws: WorkingSet, command: ResumeExecution, scope: str | None) -> Resumed | AlreadySatisfied:
    """End every open wait, whatever its condition. Each takes a signal of its own, which the operator sends."""
    x = perform_timeouts(ws, ws.execution(command.execution_id, scope))
    if x.lifecycle_phase != "suspended":
        return AlreadySatisfied("not_suspended")
    for wait in inbox_of(x).waits:
        x, signal = _stored(ws, x, _first_waitpoint(ws, x, wait), command.payload, RESUMED, OPERATOR)
        x = _delivered(ws, x, signal, "resumed")
        x = end_open_wait(ws, x, wait, [signal], "operator", command.reason)
    ws.executions.put(x)
    return Resumed(x.execution_id)


def _first_waitpoint(ws: WorkingSet, x: Execution, wait: OpenWait) -> StoredWaitpoint | None:
    """The waitpoint of the first key of the condition. None: the wait has none, because no signal ends it."""
    keys = keys_of(from_stored(wait.condition))
    return ws.inboxes.waitpoint(x.execution_id, keys[0]) if keys else None


def _its_waitpoint(command: CloseWaitpoint | IssueToken, wanted: Needs) -> None:
    its_executions(command, wanted)
    wanted.waitpoints.add((command.execution_id, command.key))


@rule(CloseWaitpoint, sees=_its_waitpoint)
def close_waitpoint(ws: WorkingSet, command: CloseWaitpoint, scope: str | None) -> None:
    """Take no more signals at a waitpoint. A second close changes nothing: the first reason stays."""
    x = ws.execution(command.execution_id, scope)
    waitpoint = ws.inboxes.waitpoint(x.execution_id, command.key)
    if waitpoint is None:
        raise NotFound("waitpoint", f"{x.execution_id} has no waitpoint {command.key!r}. Check the key.")
    if waitpoint.closed_reason is None:
        ws.waitpoints.put(replace(waitpoint, closed_reason=command.reason))
        if not x.has_ended:  # after its end, an execution has no events but that of a replay
            closing = {"key": waitpoint.key, "waitpoint_id": waitpoint.waitpoint_id, "reason": command.reason}
            ws.executions.put(ws.emit(x, "operator", "waitpoint_closed", closing))


@rule(IssueToken, sees=_its_waitpoint)
def issue_token(ws: WorkingSet, command: IssueToken, scope: str | None) -> WaitpointMade:
    """Note for whom a token is issued. The same person gets the same token again."""
    x = ws.execution(command.execution_id, scope)
    if x.has_ended:
        raise NotSignalable(x.public_state)
    if x.inbox is None:
        x = with_inbox(x)
        ws.executions.put(x)
    waitpoint = waitpoint_at(ws, x, command.key, command.kid)
    check_not_closed(waitpoint)
    if command.subject and command.subject not in waitpoint.subjects:
        if len(waitpoint.subjects) >= SUBJECTS_MAX:
            raise InvalidInput(
                f"Tokens of waitpoint {waitpoint.key!r} of {x.execution_id} were issued for {SUBJECTS_MAX} persons, "
                "which is the limit. Use another key for further persons, or a token without a source."
            )
        waitpoint = replace(waitpoint, subjects=(*waitpoint.subjects, command.subject))
        ws.waitpoints.put(waitpoint)
    return made(x, waitpoint, command.subject)
