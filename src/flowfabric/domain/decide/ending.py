"""The one place where an execution ends, and what its end does to the executions that wait for it.

An end passes along the edges that leave the execution, and each downstream group counts it once. If this decides a
group, the downstream execution may run, or it is skipped. A skip is an end, too, and passes on in the same way. Then
upstreams that nobody needs any more are cancelled. All this happens in the transaction of the first end, up to
CASCADE_MAX executions. An execution whose end has not been passed on by then is `unsettled`; this makes it due, and
upkeep resumes the cascade there.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from flowfabric.domain.decide.leasing import end_attempt, runnable_at
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import Edge, EdgeGroup, Flow, FlowState, verdict
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.joins import cancels_the_rest
from flowfabric.domain.lease import spent_mark
from flowfabric.domain.states import AttemptOutcome, TerminalOutcome
from flowfabric.domain.traces import traced
from flowfabric.domain.working_set import WorkingSet

CASCADE_MAX: Final = 500
"""How many executions one end moves in one transaction at most."""
ENGINE: Final = "engine"
"""The source of a cancel of upstreams that are no longer needed."""
_NEEDLESS: Final = "sibling_quorum_"
_BY_NOBODY: Final[Mapping[str, object]] = {}


def end(ws: WorkingSet, x: Execution, outcome: TerminalOutcome) -> None:
    """Bring an execution to its end, and pass this on to all executions that wait for it."""
    cascade = Cascade(ws)
    cascade.end(x, outcome)
    cascade.run()


def end_cancelled(ws: WorkingSet, x: Execution, reason: str, source: str, actor: str | None = None) -> None:
    """Bring an execution to its end as cancelled, running or not. `actor`: the person who has asked for just this."""
    cascade = Cascade(ws)
    cascade.cancel(x, reason, source, {} if actor is None else {"actor": actor})
    cascade.run()


def resume_cascade(ws: WorkingSet, x: Execution) -> None:
    """Pass an end on to the executions that an earlier transaction had no room for."""
    x = replace(x, unsettled=False)
    ws.executions.put(x)
    cascade = Cascade(ws)
    cascade.ended.append(x.execution_id)
    cascade.run()


def decide_group(ws: WorkingSet, group: EdgeGroup) -> None:
    """Evaluate a group whose edges have changed, though no upstream has ended now, and do what follows from it."""
    cascade = Cascade(ws)
    cascade.decide(group)
    cascade.run()


def cancel_the_rest(ws: WorkingSet, downstreams: Iterable[ExecutionId]) -> None:
    """Cancel upstreams that the downstreams no longer need, if their joins say so and no other execution needs them."""
    cascade = Cascade(ws)
    cascade.closed.extend(downstreams)
    cascade.run()


def cancel_children(ws: WorkingSet, parent: Execution, reason: str, most: int) -> bool:
    """Cancel up to `most` children that have not ended. False: there may be more of them."""
    live, are_all = ws.live_children(parent.execution_id, most)
    cascade = Cascade(ws)
    for child in live:
        cascade.cancel(child, reason, ENGINE)
    cascade.run()
    return are_all


def was_cancelled_as_needless(x: Execution) -> bool:
    """Whether a join has cancelled the execution, because nobody needed it any more."""
    return x.cancelled_by == ENGINE and (x.cancellation_reason or "").startswith(_NEEDLESS)


class Cascade:
    """Ends that are still to be passed on, and groups whose upstreams may have become needless."""

    def __init__(self, ws: WorkingSet) -> None:
        self.ws = ws
        self.ended: deque[ExecutionId] = deque()
        self.closed: deque[ExecutionId] = deque()
        self._moved = 0

    # ── ends ─────────────────────────────────────────────────────────────────────────────────────

    def end(self, x: Execution, outcome: TerminalOutcome) -> None:
        """Bring one execution to its end. `run` passes this on to the executions that wait for it."""
        waited = x.eligibility_state in ("blocked_by_dependencies", "blocked_by_operator")
        if x.inbox is not None:
            x = _without_waits(self.ws, x, outcome)
        x = ended(x, outcome, self.ws.now_ms)
        if x.parent_id is not None or (x.has_children and outcome != "success"):
            # Its parent and its children learn of it in a later transaction, so that no end waits for their locks.
            x = replace(x, unsettled=True)
        self.ws.executions.put(x)
        if x.flow_id is None:
            return
        count_end(self.ws, x)
        self.ended.append(x.execution_id)
        if waited and outcome != "skipped":
            # Its group will never be decided now, and its upstreams may be needless.
            self.closed.append(x.execution_id)

    def cancel(self, x: Execution, reason: str, source: str, by: Mapping[str, object] = _BY_NOBODY) -> None:
        """Cancel one execution, running or not. `by`: what events show of the person who has asked for it."""
        ws = self.ws
        if x.lifecycle_phase == "active":
            x = ws.emit(x, "lease", "revoked", {"reason": reason, **by})
        elif x.failure_code is not None:
            # A failure under its last lease has led to a retry, or the lease was given back: that lease has not ended
            # the execution, and must not be told so.
            x = replace(x, lease_mark=spent_mark(x.lease_mark))
        x = end_lease_if_any(ws, x, "cancelled")
        x = ws.emit(x, "completion", "cancelled", {"reason": reason, "source": source, **by})
        self.end(replace(x, cancellation_reason=reason, cancelled_by=source), "cancelled")

    def run(self) -> None:
        """Pass every end on, until nothing is left to do or the transaction is large enough."""
        while self.ended or self.closed:
            if self.closed:
                closed = list(dict.fromkeys(self.closed))
                self.closed.clear()
                self._cancel_needless_upstreams(closed)
                continue
            if self._moved >= CASCADE_MAX:
                self._leave_the_rest()
                return
            if not self.ws.graph.knows_outgoing(self.ended[0]):
                self.ws.graph.need_outgoing(self.ended)
            self._pass_on(self.ended.popleft())

    def _leave_the_rest(self) -> None:
        for execution_id in self.ended:
            x = self.ws.executions[execution_id]
            if any(edge.awaits_life(x.replay_count) for edge in self.ws.graph.outgoing(execution_id)):
                self.ws.executions.put(replace(x, unsettled=True))
        self.ended.clear()

    # ── passing on ───────────────────────────────────────────────────────────────────────────────

    def _pass_on(self, upstream: ExecutionId) -> None:
        """Resolve the edges that leave an ended execution."""
        ws = self.ws
        x = ws.executions[upstream]
        decided: list[ExecutionId] = []
        is_early = False
        for edge in ws.graph.outgoing(upstream):
            if not edge.awaits_life(x.replay_count):
                continue
            if self._moved >= CASCADE_MAX:
                self.ended.append(upstream)  # it is left unsettled, and upkeep resumes here
                break
            child = ws.executions[edge.downstream]
            if child.coming_back is not None:
                is_early = True
                continue
            group = resolve(ws, edge, x)
            if group.state == "pending" and not child.has_ended and verdict(group) != "pending":
                group = replace(group, state=verdict(group))
                decided.append(group.downstream)
                self._moved += 1
            ws.groups.put(group)
        if is_early:
            # The end is passed on again when the downstream that comes back is there.
            ws.executions.put(replace(x, unsettled=True))
        self._carry_out(decided)

    def decide(self, group: EdgeGroup) -> None:
        """Store a group whose edges have changed, and do what follows if the change decides the group."""
        if group.state == "pending":
            group = replace(group, state=verdict(group))
        self.ws.groups.put(group)
        if group.state != "pending":
            self._carry_out([group.downstream])

    def _carry_out(self, decided: list[ExecutionId]) -> None:
        ws = self.ws
        groups = [group for group in map(ws.graph.group, decided) if group is not None]
        # Ask for all of them at once, so that the edges beyond are loaded together.
        ws.graph.need_outgoing((group.downstream for group in groups if group.state == "impossible"), all_beyond=True)
        for group in groups:
            child = ws.executions[group.downstream]
            if group.state == "satisfied":
                unblock(ws, child)
            elif not child.has_ended:
                self.end(ws.emit(child, "completion", "skipped"), "skipped")
            if group.success_count + group.fail_count + group.skip_count < group.total:
                self.closed.append(group.downstream)

    # ── upstreams that nobody needs any more ─────────────────────────────────────────────────────

    def _cancel_needless_upstreams(self, closed: Iterable[ExecutionId]) -> None:
        ws = self.ws
        closed = [downstream for downstream in closed if ws.graph.group(downstream) is not None]
        ws.graph.need_incoming(closed, all_beyond=True)
        running = dict.fromkeys(
            edge.upstream for downstream in closed for edge in ws.graph.incoming(downstream) if edge.state == "pending"
        )
        upstreams = [x for x in map(ws.executions.get, running) if x is not None and not x.has_ended]
        ws.graph.need_outgoing_of_upstreams([x.execution_id for x in upstreams])
        for x in upstreams:
            why = self._why_needless(x.execution_id)
            if why is not None:
                self.cancel(x, why, ENGINE)

    def _why_needless(self, upstream: ExecutionId) -> str | None:
        """Why an execution may be cancelled: all its downstream groups are decided, and one of them asks for a cancel.

        A group whose execution has ended counts as decided. None: the execution may not be cancelled.
        """
        why = None
        for edge in self.ws.graph.outgoing(upstream):
            group = self.ws.graph.group(edge.downstream)
            child = self.ws.executions.get(edge.downstream)
            assert group is not None
            assert child is not None
            if child.coming_back is not None:
                return None
            if group.state != "pending":
                if why is None and cancels_the_rest(group.join):
                    why = f"{_NEEDLESS}{group.state}"
                continue
            if not child.has_ended:
                return None
        return why


# ── one record ───────────────────────────────────────────────────────────────────────────────────


def resolve(ws: WorkingSet, edge: Edge, upstream: Execution) -> EdgeGroup:
    """Write into the edge how its upstream ended. The caller still has to put the returned group."""
    outcome = upstream.terminal_outcome
    resolved = replace(edge, outcome=outcome, generation=upstream.replay_count, resolved_at_ms=ws.now_ms)
    ws.graph.put_resolved(resolved)
    group = ws.graph.group(edge.downstream)
    assert group is not None
    return counted(group, outcome, 1)


def counted(group: EdgeGroup, outcome: TerminalOutcome, by: int) -> EdgeGroup:
    """The group with one edge of this outcome more (`by` is 1) or less (`by` is -1)."""
    if outcome == "success":
        return replace(group, success_count=group.success_count + by)
    if outcome == "skipped":
        return replace(group, skip_count=group.skip_count + by)
    return replace(group, fail_count=group.fail_count + by)


def unblock(ws: WorkingSet, child: Execution) -> None:
    """Let a blocked execution run, now or when its delay is over. A held one stays held."""
    if child.eligibility_state == "blocked_by_dependencies":
        child = runnable_at(child, child.attempt_state, child.delay_until_ms or 0, ws.now_ms)
        ws.executions.put(traced(child, "upstream", ws.trace))


def end_lease_if_any(ws: WorkingSet, x: Execution, outcome: AttemptOutcome) -> Execution:
    """End the running attempt, if there is one, for a command that comes from someone other than the lease's holder."""
    if x.lifecycle_phase != "active":
        return x
    x = end_attempt(ws, x, outcome)
    return replace(x, lease_epoch=x.lease_epoch + 1)


def _without_waits(ws: WorkingSet, x: Execution, outcome: TerminalOutcome) -> Execution:
    """The execution without open waits and groups. If its attempt is suspended, the attempt ends with the execution."""
    assert x.inbox is not None
    if x.inbox.attempt is not None:
        assert outcome != "none"
        x = end_attempt(ws, x, outcome)
    assert x.inbox is not None
    if x.inbox.waits or x.inbox.held or x.inbox.groups:
        x = replace(x, inbox=replace(x.inbox, waits=(), held=False, groups=()))
    return x


def ended(x: Execution, outcome: TerminalOutcome, now_ms: int) -> Execution:
    """The execution at its end."""
    cancelled = outcome == "cancelled"
    succeeded = outcome == "success"
    return replace(
        x,
        lifecycle_phase="cancelled" if cancelled else "terminal",
        eligibility_state="not_applicable",
        attempt_state="cancelled" if cancelled else "attempt_terminal",
        terminal_outcome=outcome,
        terminal_at_ms=now_ms,
        delay_until_ms=None,
        failure_code=None if succeeded else x.failure_code,
        failure_message=None if succeeded else x.failure_message,
    )


# ── the flow ─────────────────────────────────────────────────────────────────────────────────────


def count_end(ws: WorkingSet, x: Execution) -> None:
    """Count the end of a member. With the end of its last member the flow ends, too."""
    flow = flow_of(ws, x)
    is_lost_sink = x.terminal_outcome != "success" and not ws.graph.outgoing(x.execution_id)
    flow = replace(flow, live_count=flow.live_count - 1, lost_sinks=flow.lost_sinks + is_lost_sink)
    if flow.live_count == 0:
        flow = replace(flow, at_rest_since_ms=ws.now_ms)
        if not flow.is_over:
            flow = replace(flow, state="failed" if flow.lost_sinks else "completed", terminal_at_ms=ws.now_ms)
            flow = ws.emit(flow, "completion", f"flow_{flow.state}")
    ws.flows.put(flow)


def count_life(ws: WorkingSet, flow: Flow) -> Flow:
    """The flow with one more live member. A completed or failed flow is open again. The caller has to put the flow."""
    flow = replace(flow, live_count=flow.live_count + 1, at_rest_since_ms=None)
    return reopened(ws, flow) if flow.state in ("completed", "failed") else flow


def reopened(ws: WorkingSet, flow: Flow) -> Flow:
    """The flow, open again. A cancel of the flow is forgotten. The caller has to put the flow."""
    if flow.state == "cancelled":
        ws.drop_cancel(flow.flow_id)
    state: FlowState = "open" if flow.started_at_ms is None else "running"
    flow = replace(flow, state=state, terminal_at_ms=None, cancel_reason=None, cancellation_policy=None)
    return ws.emit(flow, "operator", "flow_reopened")


def flow_of(ws: WorkingSet, x: Execution) -> Flow:
    """The flow that a member belongs to."""
    assert x.flow_id is not None
    return ws.flow(FlowId(x.flow_id))
