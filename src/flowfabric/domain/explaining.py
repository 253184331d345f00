"""Why is it not running? One sentence an operator can act on."""

from collections.abc import Sequence

import msgspec

from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Edge, EdgeGroup
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.lanes import LaneSwitch
from flowfabric.domain.workers import Worker


class WaitsFor(msgspec.Struct, frozen=True):
    """What a blocked execution waits for."""

    group: EdgeGroup
    edges: Sequence[Edge]


def explain(
    x: Execution,
    now_ms: int,
    waits_for: WaitsFor | None = None,
    workers: Sequence[Worker] | None = None,
    switches: Sequence[LaneSwitch] = (),
) -> str:
    """What the execution waits for, what it does, or how it ended."""
    if x.has_ended:
        return _how_it_ended(x)
    if x.lifecycle_phase == "active":
        return _what_it_does(x, now_ms)
    if x.eligibility_state == "blocked_by_operator":
        return "It is held by an operator; unhold it to let it run."
    if x.eligibility_state == "blocked_by_dependencies":
        return "It waits for the executions it depends on." if waits_for is None else _what_it_waits_for(waits_for)
    if x.eligibility_state == "not_eligible_until_time":
        return _what_delays_it(x, now_ms)
    for switch in switches:
        if switch.paused_at_ms is not None and (switch.namespace, switch.lane) == (x.namespace, x.lane):
            return (
                f"Lane {x.lane!r} in namespace {x.namespace!r} has been paused for {now_ms - switch.paused_at_ms} ms: "
                f"{switch.reason or 'no reason given'}. Resume the lane to let it run."
            )
    return _what_worker_it_needs(x, now_ms, workers or ())


def _what_worker_it_needs(x: Execution, now_ms: int, workers: Sequence[Worker]) -> str:
    wanted = f"serves lane {x.lane!r} in namespace {x.namespace!r}"
    if x.required_capabilities:
        wanted += f" and has the capabilities {', '.join(x.required_capabilities)}"
    alive = [worker for worker in workers if worker.alive_until_ms > now_ms]
    fitting = sum(worker.serves(x.namespace, x.lane, x.required_capabilities) for worker in alive)
    if fitting:
        return f"It waits for a worker that {wanted}; {fitting} of those are alive, and busy or about to claim it."
    if workers:
        return f"It waits for a worker that {wanted}, and of the {len(alive)} that are alive none does."
    return f"It waits for a worker that {wanted}."


def _what_it_waits_for(waits_for: WaitsFor) -> str:
    group = waits_for.group
    match group.join:
        case AllOf():
            wanted = f"all {group.total}"
        case AnyOf():
            wanted = f"any of the {group.total}"
        case Quorum(k=k):
            if group.total < k:
                return (
                    f"It waits for {k} executions to complete, and only {group.total} lead to it: "
                    "add the other edges, or cancel it."
                )
            wanted = f"{k} of the {group.total}"
    if len(waits_for.edges) == 1:
        return f"It waits for {waits_for.edges[0].upstream} to complete."
    pending = [edge.upstream for edge in waits_for.edges if edge.state == "pending"]
    named = ", ".join(pending[:3]) + (f" and {len(pending) - 3} more" if len(pending) > 3 else "")
    return (
        f"It waits for {wanted} executions it depends on to complete: {group.success_count} have, "
        f"and still to end are {named or 'none'}."
    )


def _how_it_ended(x: Execution) -> str:
    if x.terminal_outcome == "cancelled":
        return f"It was cancelled by {x.cancelled_by}: {x.cancellation_reason or 'no reason given'}."
    if x.terminal_outcome == "failed":
        return f"It failed with {x.failure_code}: {x.failure_message or 'no message given'}."
    if x.terminal_outcome == "expired":
        return "It expired: its deadline passed before it ended."
    if x.terminal_outcome == "skipped":
        return "It was skipped: an execution it depends on did not succeed."
    return "It completed."


def _what_it_does(x: Execution, now_ms: int) -> str:
    assert x.lease_expires_at_ms is not None
    if x.lease_expires_at_ms <= now_ms:
        return (
            f"The lease of worker {x.worker_instance_id!r} expired {now_ms - x.lease_expires_at_ms} ms ago; "
            "it goes back to the queue at the next sweep."
        )
    left_ms = x.lease_expires_at_ms - now_ms
    return (
        f"It is running as attempt {x.attempt_index} on worker {x.worker_instance_id!r}; lease for {left_ms} ms more."
    )


def _what_delays_it(x: Execution, now_ms: int) -> str:
    assert x.delay_until_ms is not None
    if x.delay_until_ms <= now_ms:
        return "Its delay is over; it goes to the queue at the next sweep."
    left_ms = x.delay_until_ms - now_ms
    if x.attempt_state == "pending_retry_attempt":
        return f"It failed with {x.failure_code} and is retried in {left_ms} ms (retry {x.retry_count})."
    return f"It is delayed for {left_ms} ms more."
