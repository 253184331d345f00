"""CreateWaitpoint, OpenWait, Suspend: workers make waitpoints and wait."""

from functools import lru_cache

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.children import Children
from flowfabric.domain.commands import CreateWaitpoint, OpenWait, Suspend
from flowfabric.domain.conditions import from_stored, keys_of
from flowfabric.domain.decide.child_counts import is_over
from flowfabric.domain.decide.finishing import cancel_with_flow, must_not_return
from flowfabric.domain.decide.leasing import check_held, held_under, is_lease_of, suspend_attempt
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.decide.seeing import its_executions, its_executions_and_their_flows
from flowfabric.domain.decide.wait_ends import inbox_of, perform_timeouts, store_end
from flowfabric.domain.errors import Conflict, InvalidInput, WaitpointClosed
from flowfabric.domain.execution import Execution
from flowfabric.domain.inboxes import first_page
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    LeaseGivenUp,
    WaitBegun,
    WaitOver,
    WaitpointMade,
)
from flowfabric.domain.remembered_answers import unpack_wait_over
from flowfabric.domain.steps import Step
from flowfabric.domain.waiting import (
    EMPTY_INBOX,
    WAITS_MAX,
    Alias,
    StoredWaitpoint,
    wait_fingerprint,
    waitpoint_id,
)
from flowfabric.domain.waiting import OpenWait as Wait
from flowfabric.domain.working_set import WorkingSet

# ── waitpoints ───────────────────────────────────────────────────────────────────────────────────


def with_inbox(x: Execution) -> Execution:
    """The execution with an inbox, empty if it had none. A replay that clears the steps then clears the inbox, too."""
    return x if x.inbox is not None else replace(x, inbox=EMPTY_INBOX)


def waitpoint_at(ws: WorkingSet, x: Execution, key: str, kid: str) -> StoredWaitpoint:
    """The waitpoint of this key. If there is none, it is made."""
    found = ws.inboxes.waitpoint(x.execution_id, key)
    if found is None:
        life = inbox_of(x).life
        found = StoredWaitpoint(
            x.execution_id, key, life, waitpoint_id(x.execution_id, key, life), ws.now_ms, token_kid=kid
        )
        ws.waitpoints.put(found)
    return found


def check_not_closed(waitpoint: StoredWaitpoint) -> None:
    """Raise the refusal if an operator has closed the waitpoint."""
    if waitpoint.closed_reason is not None:
        raise closed(waitpoint)


def closed(waitpoint: StoredWaitpoint) -> WaitpointClosed:
    """The refusal at a waitpoint that an operator has closed."""
    why = f": {waitpoint.closed_reason}" if waitpoint.closed_reason else ""
    return WaitpointClosed(
        f"An operator has closed waitpoint {waitpoint.key!r} of {waitpoint.execution_id}{why}. "
        "It takes no signals any more."
    )


def made(x: Execution, waitpoint: StoredWaitpoint, subject: str = "") -> WaitpointMade:
    """What the engine needs to make a token of the waitpoint."""
    return WaitpointMade(
        waitpoint.waitpoint_id,
        waitpoint.key,
        x.execution_id,
        waitpoint.life,
        waitpoint.token_kid,
        x.namespace,
        subject,
    )


def _its_waitpoint_and_alias(command: CreateWaitpoint, wanted: Needs) -> None:
    its_executions(command, wanted)
    wanted.waitpoints.add((command.fence.execution_id, command.key))
    if command.alias is not None:
        wanted.aliases.add((command.namespace, command.alias))


@rule(CreateWaitpoint, sees=_its_waitpoint_and_alias)
def create_waitpoint(ws: WorkingSet, command: CreateWaitpoint, scope: str | None) -> WaitpointMade:
    """Make a waitpoint, once. What was given first for it stands. A closed one stays closed."""
    held = held_under(ws, command.fence, scope)
    x = with_inbox(held)
    before = waitpoint_at(ws, x, command.key, command.kid)
    if before.closed_reason is not None:
        return made(x, before)  # a later attempt passes here again, and its wait may be over
    waitpoint = before
    if waitpoint.expires_at_ms is None and command.expires_in_ms is not None:
        waitpoint = replace(waitpoint, expires_at_ms=ws.now_ms + command.expires_in_ms)
    if waitpoint.about is None:
        waitpoint = replace(waitpoint, about=command.about)
    if command.alias is not None:
        waitpoint = _with_alias(ws, x, waitpoint, command.alias)
    if waitpoint != before:
        ws.waitpoints.put(waitpoint)
    if x is not held:
        ws.executions.put(x)
    return made(x, waitpoint)


def _with_alias(ws: WorkingSet, x: Execution, waitpoint: StoredWaitpoint, alias: str) -> StoredWaitpoint:
    """The waitpoint with its alias. If it has had another one before, that one stands."""
    if waitpoint.alias not in (None, alias):
        return waitpoint
    holder = ws.inboxes.alias(x.namespace, alias)
    if holder is not None and (holder.execution_id, holder.key) == (x.execution_id, waitpoint.key):
        return replace(waitpoint, alias=alias)
    if holder is not None and _is_open(ws, holder):
        if waitpoint.alias == alias:
            return waitpoint  # others took it while this execution had ended
        raise Conflict(
            f"Alias {alias!r} belongs to waitpoint {holder.key!r} of {holder.execution_id}, which is open. "
            "Use another alias, or wait until that waitpoint is closed."
        )
    ws.aliases.put(Alias(x.namespace, alias, x.execution_id, waitpoint.key))
    return replace(waitpoint, alias=alias)


def _is_open(ws: WorkingSet, holder: Alias) -> bool:
    """Whether the waitpoint that has an alias still takes signals."""
    if holder.holder_outcome != "none":
        return False
    waitpoint = ws.inboxes.waitpoint(holder.execution_id, holder.key)
    return waitpoint is not None and waitpoint.closed_reason is None and not has_expired(waitpoint, ws.now_ms)


def has_expired(waitpoint: StoredWaitpoint, now_ms: int) -> bool:
    """Whether the time of the waitpoint is over."""
    return waitpoint.expires_at_ms is not None and waitpoint.expires_at_ms <= now_ms


# ── waits ────────────────────────────────────────────────────────────────────────────────────────


def _what_a_wait_sees(command: OpenWait | Suspend, wanted: Needs) -> None:
    its_executions_and_their_flows(command, wanted)
    execution_id = command.fence.execution_id
    wanted.steps.add((execution_id, command.name))
    for key, most in first_page(from_stored(command.condition)).items():
        wanted.waitpoints.add((execution_id, key))
        wanted.kept_signals.add((execution_id, key, most))


@rule(OpenWait, sees=_what_a_wait_sees, enters_queue=True)
def open_wait(ws: WorkingSet, command: OpenWait, scope: str | None) -> WaitBegun | WaitOver:
    """Wait, and keep the lease. If the wait is over, it answers how it ended."""
    begun = _begin(ws, command, scope)
    return begun if isinstance(begun, WaitOver) else WaitBegun(begun)


@rule(Suspend, sees=_what_a_wait_sees, enters_queue=True, ends_attempt=True)
def suspend(ws: WorkingSet, command: Suspend, scope: str | None) -> LeaseGivenUp | WaitOver | AlreadySatisfied:
    """Wait, and give up the lease, unless this wait is over, or another one whose end the worker does not know.

    If the same lease reports it again, it gets the same answer.
    """
    x = ws.execution(command.fence.execution_id, scope)
    if x.attempt_state == "attempt_suspended" and is_lease_of(ws, x, command.fence) and _is_known(ws, x, command):
        return LeaseGivenUp(x.execution_id, _waitpoints(ws, x, command))
    begun = _begin(ws, command, scope)
    if isinstance(begun, WaitOver):
        return begun
    x = ws.executions[x.execution_id]
    inbox = inbox_of(x)
    if inbox.unanswered:
        return AlreadySatisfied("another_wait_is_over")
    keys = dict.fromkeys(key for wait in inbox.waits for key in _keys_in(wait.condition))
    timeouts = [wait.timeout_at_ms for wait in inbox.waits if wait.timeout_at_ms is not None]
    x = ws.emit(
        x,
        "lease",
        "suspended",
        {
            "names": [wait.name for wait in inbox.waits],
            "keys": list(keys),
            "timeout_at_ms": min(timeouts, default=None),
        },
    )
    x = suspend_attempt(ws, x)
    if must_not_return(ws, x):
        cancel_with_flow(ws, x)
    else:
        ws.executions.put(x)
    return LeaseGivenUp(x.execution_id, begun)


def _is_known(ws: WorkingSet, x: Execution, command: Suspend) -> bool:
    """Whether the execution has this very wait, open or over."""
    if any((wait.name, wait.condition) == (command.name, command.condition) for wait in inbox_of(x).waits):
        return True
    step = ws.step((x.execution_id, command.name))
    return step is not None and step.fingerprint == wait_fingerprint(command.condition)


def _waitpoints(ws: WorkingSet, x: Execution, command: OpenWait | Suspend) -> tuple[WaitpointMade, ...]:
    """The waitpoints of the wait. Those that are missing are made."""
    return tuple(made(x, waitpoint_at(ws, x, key, command.kid)) for key in _keys_in(command.condition))


@lru_cache(maxsize=1024)
def _keys_in(stored_condition: str) -> tuple[str, ...]:
    """The keys of a stored condition. Many executions wait for the same one."""
    return keys_of(from_stored(stored_condition))


def _begin(ws: WorkingSet, command: OpenWait | Suspend, scope: str | None) -> WaitOver | tuple[WaitpointMade, ...]:
    """Open the wait, unless it is over or open already. What was stored first stands."""
    x = _after_timeouts(ws, held_under(ws, command.fence, scope), command)
    over = _over(ws, x, command)
    if over is not None:
        return over
    known = next((wait for wait in x.inbox.waits if wait.name == command.name), None) if x.inbox is not None else None
    if known is not None and known.condition != command.condition:
        raise _another_condition(x, command)
    x = with_inbox(x)
    found = [waitpoint_at(ws, x, key, command.kid) for key in _keys_in(command.condition)]
    for waitpoint in found:
        check_not_closed(waitpoint)
    waitpoints = tuple([made(x, waitpoint) for waitpoint in found])
    if known is None:
        wait = Wait(
            command.name,
            command.condition,
            ws.now_ms,
            _timeout_at_ms(ws, command),
            command.on_timeout,
            command.reason,
            lease_epoch=x.lease_epoch,
        )
        if is_over(wait, inbox_of(x)):
            over = store_end(ws, x, wait, [], "children")
            ws.executions.put(ws.emit(x, "signal", "resumed", {"name": wait.name, "cause": "children"}))
            return over
        taken = ws.inboxes.satisfying(x.execution_id, from_stored(command.condition)) if inbox_of(x).signals else None
        if taken is not None:
            signals = ws.inboxes.with_payloads(x.execution_id, taken)
            over = store_end(ws, x, wait, signals, "signal")
            ws.executions.put(ws.emit(x, "signal", "resumed", {"name": wait.name, "cause": "signal"}))
            return over
        inbox = inbox_of(x)
        if len(inbox.waits) >= WAITS_MAX:
            raise InvalidInput(
                f"{x.execution_id} has {len(inbox.waits)} open waits, which is the limit. "
                "Wait for fewer things at once, or for one condition with many keys."
            )
        x = replace(x, inbox=replace(inbox, waits=(*inbox.waits, wait)))
        ws.executions.put(x)
        over = _over(ws, _after_timeouts(ws, x, command), command)
    elif known.lease_epoch != x.lease_epoch:
        asked = replace(known, lease_epoch=x.lease_epoch)
        inbox = inbox_of(x)
        waits = tuple(asked if wait is known else wait for wait in inbox.waits)
        ws.executions.put(replace(x, inbox=replace(inbox, waits=waits)))
    return waitpoints if over is None else over


def _timeout_at_ms(ws: WorkingSet, command: OpenWait | Suspend) -> int | None:
    ends = [] if command.timeout_ms is None else [ws.now_ms + command.timeout_ms]
    return min([*ends, *([] if command.timeout_at_ms is None else [command.timeout_at_ms])], default=None)


def _after_timeouts(ws: WorkingSet, x: Execution, command: OpenWait | Suspend) -> Execution:
    """The execution after the timeouts that are over. If one of them has ended the lease, the command is refused."""
    after = perform_timeouts(ws, x)
    if after is not x:
        ws.keep()
        check_held(ws, after, command.fence)
    return after


def _over(ws: WorkingSet, x: Execution, command: OpenWait | Suspend) -> WaitOver | None:
    """How the wait has ended. None: it has not ended. The worker knows about the end from now on."""
    step = ws.step((x.execution_id, command.name))
    if step is None:
        return None
    if not step.is_wait or step.fingerprint != wait_fingerprint(command.condition):
        raise _another_condition(x, command)
    if _is_of_former_children(x, command, step):
        _forget_end(ws, x, step)
        return None
    if x.inbox is not None and command.name in x.inbox.unanswered:
        unanswered = tuple(name for name in x.inbox.unanswered if name != command.name)
        ws.executions.put(replace(x, inbox=replace(x.inbox, unanswered=unanswered)))
    return unpack_wait_over(step.result)


def _is_of_former_children(x: Execution, command: OpenWait | Suspend, step: Step) -> bool:
    """Whether the wait has ended for children that a replay has brought back or replaced since."""
    condition = from_stored(command.condition)
    if not isinstance(condition, Children):
        return False
    return any(
        step.number is None or step.number <= group.after_step
        for group in inbox_of(x).groups
        if group.name in condition.names
    )


def _forget_end(ws: WorkingSet, x: Execution, step: Step) -> None:
    """Forget how a wait for children has ended, and the signal by which an operator may have ended it."""
    if unpack_wait_over(step.result).signals:
        _, signals = ws.inboxes.all_of(x.execution_id)
        for signal in signals:
            if signal.taken_by == step.name:
                ws.inboxes.give_back(x.execution_id, signal.number)
                ws.signals.remove((x.execution_id, signal.number))
    ws.drop_steps(x.execution_id, [step.name])


def _another_condition(x: Execution, command: OpenWait | Suspend) -> Conflict:
    return Conflict(
        f"{x.execution_id} has a wait or a step {command.name!r} already, and it waits for something else. "
        "Give a wait with another condition another name."
    )
