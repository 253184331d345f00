"""Why does an execution not run? The answer is one sentence that an operator can act on."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from flowfabric.domain.execution import Execution
from flowfabric.domain.explaining_waits import never_read, what_it_waits_for
from flowfabric.domain.flow import Edge, EdgeGroup, Flow
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.states import TerminalOutcome
from flowfabric.domain.waiting import SYSTEM_TIMEOUT, WAIT_TIMEOUT, SignalMark
from flowfabric.domain.words import counted, span, span_ahead
from flowfabric.domain.workers import Worker

_CANCELLED_BY: Final = {
    "operator_override": "an operator",
    "cancel_flow": "the cancel of its flow",
    "engine": "the engine",
    SYSTEM_TIMEOUT: "the timeout of a wait",
}
_HAD_ENDED: Final[dict[TerminalOutcome, str]] = {
    "failed": "had failed",
    "cancelled": "had been cancelled",
    "expired": "had expired",
    "skipped": "had been skipped",
}


class WaitsFor(msgspec.Struct, frozen=True):
    """What a blocked execution waits for."""

    group: EdgeGroup
    edges: Sequence[Edge]


class Culprit(msgspec.Struct, frozen=True):
    """The execution that caused the skip of another one."""

    execution: Execution
    ended_as: TerminalOutcome
    """How it had ended at that time."""


def explain(
    x: Execution,
    now_ms: int,
    waits_for: WaitsFor | None = None,
    workers: Sequence[Worker] | None = None,
    switches: Sequence[LaneState] = (),
    culprit: Culprit | None = None,
    flow: Flow | None = None,
    kept: Sequence[SignalMark] = (),
    children: Sequence[Execution] = (),
    closed: Mapping[str, str] | None = None,
    unread: Mapping[str, int] | None = None,
) -> str:
    """What the execution waits for, or what it does and what happens next, or how it ended.

    For a skipped execution, the sentence names the execution that caused the skip. `kept` are the signals that no wait
    has taken, `children` some children that have not ended, `closed` says why waitpoints are closed, and `unread` how
    many signals to a waitpoint no wait had taken when it ended.
    """
    if x.coming_back is not None:
        return "Its flow was replayed, and it comes back to life in a moment, once those that wait for it are back."
    if x.terminal_outcome == "skipped" and culprit is not None:
        return _why_it_was_skipped(x, culprit)
    if x.has_ended:
        return f"It {_how_it_ended(x)}.{never_read(unread or {})}"
    if x.lifecycle_phase == "active":
        does = _what_it_does(x, now_ms, workers or (), flow)
        waits = what_it_waits_for(x, now_ms, kept, children, closed) if x.inbox is not None and x.inbox.waits else ""
        return f"{does} {waits}".rstrip()
    if x.lifecycle_phase == "suspended":
        waits = what_it_waits_for(x, now_ms, kept, children, closed)
        return f"{waits}{_what_keeps_it_after_that(x, now_ms, switches)}"
    if x.eligibility_state == "blocked_by_operator":
        return f"It is held by an operator; `ff unhold {x.execution_id}` lets it run."
    if x.eligibility_state == "blocked_by_dependencies":
        return "It waits for the executions it depends on." if waits_for is None else _what_it_waits_for(waits_for)
    if x.eligibility_state == "not_eligible_until_time":
        return _what_delays_it(x, now_ms)
    return _what_pauses_its_lane(x, now_ms, switches) or _what_worker_it_needs(x, now_ms, workers or ())


def _what_pauses_its_lane(x: Execution, now_ms: int, switches: Sequence[LaneState]) -> str | None:
    for switch in switches:
        if switch.paused_at_ms is not None and (switch.namespace, switch.lane) == (x.namespace, x.lane):
            since = span(now_ms - switch.paused_at_ms)
            return (
                f"Lane {x.lane!r} in namespace {x.namespace!r} has been paused for {since}: "
                f"{_without_stop(switch.reason) or 'no reason given'}. Resume the lane to let it run."
            )
    return None


def _what_keeps_it_after_that(x: Execution, now_ms: int, switches: Sequence[LaneState]) -> str:
    """What stops a suspended execution from running when its wait is over: a hold, a paused lane, or nothing."""
    held = x.inbox is not None and x.inbox.held
    unhold = f" It is held by an operator; `ff unhold {x.execution_id}` lets it run after that."
    reasons = [unhold] if held else []
    if (paused := _what_pauses_its_lane(x, now_ms, switches)) is not None:
        reasons.append(f" {paused}")
    return "".join(reasons)


def _what_worker_it_needs(x: Execution, now_ms: int, workers: Sequence[Worker]) -> str:
    wanted = f"serves lane {x.lane!r} in namespace {x.namespace!r}"
    if x.required_capabilities:
        wanted += f" and has the capabilities {', '.join(x.required_capabilities)}"
    alive = [worker for worker in workers if worker.is_alive(now_ms)]
    fitting = sum(worker.serves(x.namespace, x.lane, x.required_capabilities) for worker in alive)
    if fitting:
        return f"It waits for a worker that {wanted}; {_alive(fitting, 'such worker')}, and busy or about to claim it."
    if alive:
        return f"It waits for a worker that {wanted}; {_alive(len(alive), 'worker')}, and none of them does."
    return f"It waits for a worker that {wanted}{'; no worker is alive' if workers else ''}."


def _alive(number: int, what: str) -> str:
    return f"{counted(number, what)} {'is' if number == 1 else 'are'} alive"


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


def to_blame(edges: Sequence[Edge]) -> Edge | None:
    """The edge that caused the skip of an execution: its upstream was the first one that did not succeed."""
    failed = [edge for edge in edges if edge.state == "impossible"]
    return min(
        failed, key=lambda edge: (edge.resolved_at_ms or 0, edge.outcome == "skipped", edge.upstream), default=None
    )


def _why_it_was_skipped(x: Execution, culprit: Culprit) -> str:
    because = (
        f"It was skipped, because {culprit.execution.execution_id} ({culprit.execution.kind}), on which it depends,"
    )
    lives = not culprit.execution.has_ended or culprit.execution.coming_back is not None
    if not lives and culprit.execution.terminal_outcome != "success":
        return f"{because} {_how_it_ended(culprit.execution)}."
    since = "was replayed and has not ended again" if lives else "has completed since"
    repair = f"`ff flow replay {x.flow_id}` brings this one back"
    return f"{because} {_HAD_ENDED[culprit.ended_as]}. That one {since}; {repair}."


def _how_it_ended(x: Execution) -> str:
    if x.terminal_outcome == "cancelled":
        by = _CANCELLED_BY.get(x.cancelled_by or "", x.cancelled_by)
        return f"was cancelled by {by}: {_without_stop(x.cancellation_reason) or 'no reason given'}"
    if x.terminal_outcome == "failed":
        return f"failed with {x.failure_code}: {_without_stop(x.failure_message) or 'no message given'}"
    if x.terminal_outcome == "expired":
        # An earlier attempt may have left this code, so the deadline is looked at, too.
        in_time = x.deadline_at_ms is None or (x.terminal_at_ms or 0) < x.deadline_at_ms
        if x.failure_code == WAIT_TIMEOUT and in_time:
            return f"expired: {_without_stop(x.failure_message)}"
        return "expired: its deadline passed before it ended"
    if x.terminal_outcome == "skipped":
        return "was skipped, because an execution on which it depends did not succeed"
    return "completed"


def _without_stop(text: str | None) -> str:
    """A text of a user without its full stop, because it becomes part of a sentence that has its own."""
    return (text or "").removesuffix(".")


def _what_it_does(x: Execution, now_ms: int, workers: Sequence[Worker], flow: Flow | None) -> str:
    assert x.lease_expires_at_ms is not None
    left_ms = x.lease_expires_at_ms - now_ms
    then = _what_an_interruption_does(x, flow)
    if left_ms <= 0:
        return (
            f"The lease of worker {x.worker_instance_id!r} expired {span(-left_ms)} ago; it {then} at the next sweep."
        )
    running = f"It is running as attempt {x.attempt_index + 1} on worker {x.worker_instance_id!r}"
    worker = next((each for each in workers if each.worker_instance_id == x.worker_instance_id), None)
    if worker is not None and not worker.is_alive(now_ms):
        return (
            f"{running}, which was last heard of {span(now_ms - worker.seen_at_ms)} ago and is probably dead; its "
            f"lease lasts another {span_ahead(left_ms)}, then it {then}; "
            f"`ff revoke {x.execution_id}` does that now."
        )
    left = span_ahead(left_ms)
    return f"{running}; its lease lasts another {left}, and if the worker does not renew it by then, it {then}."


def _what_an_interruption_does(x: Execution, flow: Flow | None) -> str:
    if flow is not None and flow.is_cancelled_for_members:
        return "ends as cancelled, like its flow"
    most = x.policy.max_interruptions
    if x.interruption_count < most:
        return f"goes back to the queue (interruption {x.interruption_count + 1} of {most})"
    return f"fails with worker_lost (its policy allows {counted(most, 'interruption')})"


def _what_delays_it(x: Execution, now_ms: int) -> str:
    assert x.delay_until_ms is not None
    if x.delay_until_ms <= now_ms:
        return "Its delay is over; it goes to the queue at the next sweep."
    left = span_ahead(x.delay_until_ms - now_ms)
    if x.attempt_state == "pending_retry_attempt":
        which = f"retry {x.retry_count} of {x.policy.retry.max_retries}"
        return f"It failed with {x.failure_code} and is retried in {left} ({which})."
    return f"It is delayed for another {left}, then it goes to the queue."
