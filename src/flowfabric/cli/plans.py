"""Sentences about what a verb would do to one execution, for --dry-run and for questions.

The engine alone decides. These sentences say what it would decide if nothing changes before.
"""

from typing import TYPE_CHECKING, NamedTuple

from flowfabric.cli.hints import for_waiting
from flowfabric.cli.wait_words import returns_a_value
from flowfabric.domain.words import counted, span, span_ahead

if TYPE_CHECKING:
    from flowfabric.domain.snapshots import AttemptSnapshot, ExecutionSnapshot
    from flowfabric.domain.wait_snapshots import WaitpointSnapshot
    from flowfabric.engine.blocking import BlockingEngine


class Plan(NamedTuple):
    """What a verb would do to one execution."""

    words: str
    is_possible: bool = True
    """False: the engine would refuse it."""
    repeats_a_success: bool = False
    """Whether completed work would be done again from its beginning."""


def cancelling(engine: "BlockingEngine", x: "ExecutionSnapshot") -> Plan:
    """What `ff cancel` would do."""
    if x.public_state == "cancelled":
        return Plan(f"{x.execution_id} is cancelled already")
    if x.terminal_at_ms is not None:
        words = f"{x.execution_id} has already ended as {x.public_state}; there is nothing left to cancel"
        return Plan(words, is_possible=False)
    lease = live_lease(engine, x)
    stops = "" if lease is None else f", and worker {lease.worker_instance_id} would be asked to stop it"
    return Plan(f"{_named(x)} would be cancelled{stops}")


def revoking(engine: "BlockingEngine", x: "ExecutionSnapshot") -> Plan:
    """What `ff revoke` would do."""
    lease = live_lease(engine, x)
    if lease is None or lease.lease_expires_at_ms is None:
        waits = f"; {for_waiting(x.execution_id)}" if x.lifecycle_phase == "suspended" else ""
        return Plan(f"{x.execution_id} is {x.public_state}: no worker has it, so there is no lease to take away{waits}")
    left_ms = lease.lease_expires_at_ms - engine.server_time_ms()
    lasts = f"lasts for another {span_ahead(left_ms)}" if left_ms > 0 else f"ran out {span(-left_ms)} ago"
    return Plan(f"{x.execution_id} would be taken from worker {lease.worker_instance_id}, whose lease {lasts}")


def moving(x: "ExecutionSnapshot", priority: int) -> Plan:
    """What `ff priority` would do."""
    is_queued = x.lifecycle_phase == "runnable" and x.eligibility_state == "eligible_now"
    if is_queued or x.lifecycle_phase == "suspended":
        return Plan(f"{x.execution_id} would have priority {priority} (now: {x.priority})")
    state = "held by an operator" if is_held(x) else x.public_state
    return _refused(x, state, "a waiting execution that may run now has a place in the queue")


def holding(x: "ExecutionSnapshot") -> Plan:
    """What `ff hold` would do."""
    if x.lifecycle_phase == "suspended":
        return Plan(f"{_named(x)} would be held once it is resumed")
    if x.lifecycle_phase != "runnable":
        return _refused(x, x.public_state, "a runnable or suspended execution can be held")
    return Plan(f"{x.execution_id} is held already" if is_held(x) else f"{_named(x)} would be held")


def letting_go(x: "ExecutionSnapshot") -> Plan:
    """What `ff unhold` would do."""
    if x.lifecycle_phase == "suspended":
        return Plan(f"{_named(x)} would be free to run once it is resumed")
    if x.lifecycle_phase != "runnable":
        return _refused(x, x.public_state, "a runnable or suspended execution can be let go")
    return Plan(f"{x.execution_id} would be let go" if is_held(x) else f"{x.execution_id} is not held")


def signalling(x: "ExecutionSnapshot", waitpoint: "WaitpointSnapshot | None", key: str) -> Plan:
    """What `ff signal`, `ff approve` and `ff reject` would do."""
    if x.terminal_at_ms is not None:
        words = f"{x.execution_id} has ended as {x.public_state} and takes no signals, so this would be refused"
        return Plan(words, is_possible=False)
    if waitpoint is not None and waitpoint.state == "closed":
        because = f" ({waitpoint.closed_reason})" if waitpoint.closed_reason else ""
        words = f"The waitpoint {key!r} of {x.execution_id} is closed{because}, so this would be refused"
        return Plan(words, is_possible=False)
    waits = [wait.name for wait in x.waits if key in wait.keys]
    if not waits:
        return Plan(f"{_named(x)} would keep the signal: no open wait waits for {key!r} now")
    return Plan(f"{_named(x)} would get the signal for its wait {waits[0]!r}")


def resuming(x: "ExecutionSnapshot", value: object) -> Plan:
    """What `ff resume` would do with this value."""
    if x.lifecycle_phase != "suspended":
        words = f"{x.execution_id} is {x.public_state}: it is not suspended, so there is nothing to resume"
        return Plan(f"{words}; {let_go(x)}" if is_held(x) else words)
    return Plan(f"{_named(x)} would go on, and {counted(len(x.waits), 'wait')} would end{with_what(x, value)}")


def with_what(x: "ExecutionSnapshot", value: object) -> str:
    """The names of the waits that a resume ends. If their value is null, this is said, as few tasks expect it."""
    names = ", ".join(wait.name for wait in x.waits)
    return f" with the value null ({names})" if value is None and any(map(returns_a_value, x.waits)) else f" ({names})"


def let_go(x: "ExecutionSnapshot") -> str:
    """What to do with a held execution, in words that follow a semicolon."""
    return f"it is held, and `ff unhold {x.execution_id}` lets it go"


def is_held(x: "ExecutionSnapshot") -> bool:
    """Whether an operator holds the execution."""
    return x.eligibility_state == "blocked_by_operator"


def live_lease(engine: "BlockingEngine", x: "ExecutionSnapshot") -> "AttemptSnapshot | None":
    """The attempt that a worker runs now; None: no worker has the execution."""
    if x.lifecycle_phase != "active":
        return None
    return next((each for each in engine.list_attempts(x.execution_id) if each.worker_instance_id is not None), None)


def _refused(x: "ExecutionSnapshot", state: str, rule: str) -> Plan:
    return Plan(f"{x.execution_id} is {state}; only {rule}, so this would be refused", is_possible=False)


def _named(x: "ExecutionSnapshot") -> str:
    return f"{x.execution_id} ({x.public_state})"
