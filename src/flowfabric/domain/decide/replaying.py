"""ReplayExecution, ReplayFlow: ended executions live again, under the same ids.

A generation is one life of an execution. Within a generation each edge resolves once, and a decided group never
changes its decision. A replay starts a new generation of exactly those executions that it resets.

Members of one flow come back downstream first: a member is back before its upstreams are, so that no end is passed on
to a member that is not back yet. Beyond CASCADE_MAX members, the others are only marked as coming back. The mark makes
them due, and upkeep brings them back.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import ReplayExecution, ReplayFlow
from flowfabric.domain.decide import ending
from flowfabric.domain.decide.child_counts import take_back_end
from flowfabric.domain.decide.ending import (
    cancel_the_rest,
    count_life,
    counted,
    flow_of,
    reopened,
    resolve,
    was_cancelled_as_needless,
)
from flowfabric.domain.decide.joining import block
from flowfabric.domain.decide.keeping import FateOfSteps, fate_of_steps, keep_steps
from flowfabric.domain.decide.leasing import runnable_now
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.decide.seeing import its_executions_and_their_flows, its_whole_flow
from flowfabric.domain.errors import (
    ExecutionNotTerminal,
    FlowNotTerminal,
    FlowTerminal,
    MaxReplaysExhausted,
    NotAMember,
)
from flowfabric.domain.execution import Attempt, Execution
from flowfabric.domain.flow import Edge, Flow, holds_back, verdict
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.joins import state_of
from flowfabric.domain.outcomes import FlowReplayed, Replayed
from flowfabric.domain.states import AttemptState
from flowfabric.domain.steps import StepsRule, rule_after
from flowfabric.domain.words import times
from flowfabric.domain.working_set import WorkingSet

_NOT_STARTED: Final[tuple[AttemptState, ...]] = ("pending_first_attempt", "pending_replay_attempt")

Members = Mapping[ExecutionId, Execution]


def _what_a_replay_sees(command: ReplayExecution, wanted: Needs) -> None:
    its_executions_and_their_flows(command, wanted)
    if command.steps != "clear":
        wanted.step_places.add(command.execution_id)
    if command.from_step is not None:
        wanted.inboxes.add(command.execution_id)


@rule(ReplayExecution, sees=_what_a_replay_sees, enters_queue=True)
def replay(ws: WorkingSet, command: ReplayExecution, scope: str | None) -> Replayed:
    """Let an ended execution live again, with the same attempt index, a new epoch and fresh budgets."""
    x = ws.execution(command.execution_id, scope)
    if x.coming_back is not None:
        raise ExecutionNotTerminal(
            f"{x.execution_id} is about to live again, because its flow was replayed. There is nothing left to do."
        )
    if not x.has_ended:
        raise ExecutionNotTerminal(
            f"{x.execution_id} is {x.public_state} and has not ended, so it cannot be replayed. "
            "Cancel it first, or wait."
        )
    _check_replays_left(x)
    if x.flow_id is not None:
        flow = flow_of(ws, x)
        if flow.is_cancelled_for_members:
            raise FlowTerminal(
                f"{x.execution_id} belongs to flow {flow.flow_id}, which is cancelled: nothing of it comes back to "
                "life by itself. Replay the flow, or submit the work again in a new one."
            )
        ws.flows.put(replace(count_life(ws, flow), lost_sinks=flow.lost_sinks - _is_lost_sink(ws, x)))
    if x.parent_id is not None:
        take_back_end(ws, x)
    answer = bring_back(ws, x, fate_of_steps(ws, x, command.steps, command.from_step), is_late=False)
    if x.flow_id is not None:
        _cancel_the_rest(ws, [answer])
    return answer


def has_replays_left(x: Execution) -> bool:
    """Whether the policy allows another replay."""
    return x.policy.max_replays is None or x.replay_count < x.policy.max_replays


def _check_replays_left(x: Execution) -> None:
    if not has_replays_left(x):
        raise MaxReplaysExhausted(
            f"{x.execution_id} was replayed {times(x.replay_count)} and its policy allows {x.policy.max_replays}. "
            "Create a new execution."
        )


def _is_lost_sink(ws: WorkingSet, x: Execution) -> bool:
    return x.terminal_outcome != "success" and not ws.graph.outgoing(x.execution_id)


# ── one execution ────────────────────────────────────────────────────────────────────────────────


def bring_back(ws: WorkingSet, x: Execution, steps: FateOfSteps, *, is_late: bool) -> Replayed:
    """Let the execution live again. Its flow has counted it as live already.

    `is_late`: the replay was decided in an earlier transaction, and upstreams that have ended since then still count.
    """
    rejoined = _Rejoined() if x.flow_id is None else _rejoin(ws, x, is_late)
    x = ws.emit(
        x,
        "operator",
        "replayed",
        {
            "branch": "skipped_flow_member" if x.terminal_outcome == "skipped" else "normal",
            "groups_reset": rejoined.groups_reset,
            "previous_outcome": x.terminal_outcome,
            "previous_attempt": x.attempt_index,
            "steps": steps.what,
            "steps_kept": steps.kept,
            "from_step": steps.from_step,
        },
    )
    epoch = x.lease_epoch + 1
    if x.started_at_ms is not None:
        ws.attempts.put(Attempt(x.execution_id, x.attempt_index, epoch, None, None, None, None, None))
    if not rejoined.keeps_result:
        ws.results.remove((x.execution_id, x.replay_count))
    deadline_is_past = x.deadline_at_ms is not None and x.deadline_at_ms <= ws.now_ms
    x = replace(
        x,
        terminal_outcome="none",
        terminal_at_ms=None,
        lease_epoch=epoch,
        retry_count=0,
        interruption_count=0,
        replay_count=x.replay_count + 1,
        deadline_at_ms=None if deadline_is_past else x.deadline_at_ms,
        cancellation_reason=None,
        cancelled_by=None,
        failure_code=None,
        failure_message=None,
        progress_percent=None,
        progress_message=None,
        unsettled=False,
        coming_back=None,
    )
    x = keep_steps(ws, x, steps)
    x = runnable_now(x, "pending_replay_attempt", ws.now_ms)
    if rejoined.is_blocked:
        x = replace(x, eligibility_state="blocked_by_dependencies")
    ws.executions.put(x)
    return Replayed(x.execution_id, x.public_state, rejoined.groups_reset, steps.kept)


def _cancel_the_rest(ws: WorkingSet, replayed: Iterable[Replayed]) -> None:
    """Cancel upstreams that nobody needs, because completed upstreams have already decided a replayed member's join."""
    decided = [answer.execution_id for answer in replayed if answer.public_state != "waiting_children"]
    cancel_the_rest(ws, map(ExecutionId, decided))


class _Rejoined(msgspec.Struct, frozen=True):
    """What a replay found at the edges of its execution."""

    is_blocked: bool = False
    groups_reset: int = 0
    keeps_result: bool = False
    """Whether a downstream execution has been given the result of the life that ended."""


def _rejoin(ws: WorkingSet, x: Execution, is_late: bool) -> _Rejoined:
    """Reset the edges around a member: downstreams that can still wait for it do so, and its own group is recounted."""
    keeps_result = False
    for edge in ws.graph.outgoing(x.execution_id):
        if not _take_back(ws, edge):
            keeps_result = keeps_result or (edge.state == "satisfied" and edge.pass_result_as is not None)
    group = ws.graph.group(x.execution_id)
    if group is None or group.total == 0:
        return _Rejoined(keeps_result=keeps_result)
    is_reset = holds_back(group)
    for edge in ws.graph.incoming(x.execution_id):
        is_reset = _count_afresh(ws, edge, is_late) or is_reset
    group = ws.graph.group(x.execution_id)
    assert group is not None
    group = replace(group, state="satisfied" if verdict(group) == "satisfied" else "pending")
    ws.groups.put(group)
    return _Rejoined(group.state == "pending", int(is_reset), keeps_result)


def _take_back(ws: WorkingSet, edge: Edge) -> bool:
    """Make an edge pending again, if its downstream can still wait for the new end. False: the edge stays as it is."""
    child = ws.executions[edge.downstream]
    if edge.state == "pending" or child.lifecycle_phase != "runnable" or child.attempt_state not in _NOT_STARTED:
        return False
    group = ws.graph.group(edge.downstream)
    assert group is not None
    ws.edges.put(replace(edge, outcome="none", resolved_at_ms=None))
    group = counted(group, edge.outcome, -1)
    if group.state == "satisfied" and verdict(group) != "satisfied":
        group = replace(group, state="pending")
        block(ws, edge.downstream)
    ws.groups.put(group)
    return True


def _count_afresh(ws: WorkingSet, edge: Edge, is_late: bool) -> bool:
    """Set an edge to the present state of its upstream: completed, or pending until its next end. True: it changed."""
    upstream = ws.executions[edge.upstream]
    has_completed = upstream.terminal_outcome == "success" and upstream.coming_back is None
    generation = upstream.replay_count if upstream.has_ended else edge.generation
    if is_late and upstream.unsettled and edge.awaits_life(upstream.replay_count):
        return False  # it has ended since this replay was decided, and its end is passed on soon
    outcome: Literal["success", "none"] = "success" if has_completed else "none"
    if (edge.outcome, edge.generation) == (outcome, generation):
        return False
    group = ws.graph.group(edge.downstream)
    assert group is not None
    if edge.outcome != "none":
        ws.groups.put(counted(group, edge.outcome, -1))
    pending = replace(edge, outcome="none", generation=generation, resolved_at_ms=None)
    ws.edges.put(pending)
    if has_completed:
        ws.groups.put(resolve(ws, pending, upstream))
    return True


# ── a flow ───────────────────────────────────────────────────────────────────────────────────────


@rule(ReplayFlow, sees=its_whole_flow)
def replay_flow(ws: WorkingSet, command: ReplayFlow, scope: str | None) -> FlowReplayed:
    """Let members of a flow live again. One decision covers all of them. A flow that is over is open again."""
    flow = ws.flow(command.flow_id, scope)
    members = {key: x for key in ws.graph.members(flow.flow_id) if (x := ws.executions.get(key)) is not None}
    chosen = _chosen(ws, command, flow, members)
    _check_have_ended(chosen.values())
    for x in chosen.values():
        _check_replays_left(x)
    if not chosen or command.is_dry_run:
        return FlowReplayed(flow.flow_id, tuple(chosen))
    flow = reopened(ws, _with_its_start(flow, members.values())) if flow.is_over else flow
    lost = sum(_is_lost_sink(ws, x) for x in chosen.values())
    ws.flows.put(
        replace(
            flow, live_count=flow.live_count + len(chosen), lost_sinks=flow.lost_sinks - lost, at_rest_since_ms=None
        )
    )
    steps: StepsRule | None = "clear" if command.what == "all" and command.steps is None else command.steps
    for x in chosen.values():
        ws.executions.put(replace(x, coming_back=rule_after(x.terminal_outcome, steps)))
    _bring_back_all(ws, _downstream_first(ws, chosen), is_late=False, most=ending.CASCADE_MAX)
    return FlowReplayed(flow.flow_id, tuple(chosen))


def _with_its_start(flow: Flow, members: Iterable[Execution]) -> Flow:
    """The flow with the start time of its first member. A cancelled flow has not noted when spared members started."""
    starts = [x.started_at_ms for x in members if x.started_at_ms is not None]
    return replace(flow, started_at_ms=min(starts)) if flow.started_at_ms is None and starts else flow


def _check_have_ended(members: Iterable[Execution]) -> None:
    for x in members:
        if x.coming_back is not None:
            raise FlowNotTerminal(f"{x.execution_id} is about to live again: the flow was replayed just before.")
        if not x.has_ended:
            raise FlowNotTerminal(
                f"{x.execution_id} would be replayed and has not ended: it is {x.public_state}. Wait for it, cancel "
                "it, or name other members."
            )


def _chosen(ws: WorkingSet, command: ReplayFlow, flow: Flow, members: Members) -> dict[ExecutionId, Execution]:
    """The members that a replay of the flow brings back, by uuid."""
    if command.what == "all":
        return dict(members)
    if command.what == "failed":
        chosen = _not_completed(ws, members)
    else:
        for key in command.what:
            if key not in members:
                raise NotAMember(f"{key} is not a member of flow {flow.flow_id}. Name members of this flow only.")
        chosen = set(command.what)
        frontier = list(chosen)
        while frontier:
            beyond = {edge.downstream for edge in ws.graph.outgoing(frontier.pop())} - chosen
            chosen |= beyond
            frontier += beyond
    return {key: x for key, x in members.items() if key in chosen}


def _not_completed(ws: WorkingSet, members: Members) -> set[ExecutionId]:
    """The members that failed, expired, were cancelled or were skipped.

    A skipped member also comes back if the upstream that had failed was replayed by itself and has completed since:
    nothing else would bring the skipped one back. A member that a join has cancelled as needless stays as it is, unless
    a member that comes back, or that is back already and waits, may need it: otherwise that one could wait for ever.
    """
    added = {
        key
        for key, x in members.items()
        if x.terminal_outcome in ("failed", "expired", "cancelled", "skipped")
        and not x.counts_as_live
        and not was_cancelled_as_needless(x)
    }
    waiting = {key for key, x in members.items() if x.lifecycle_phase == "runnable" and holds_back(ws.graph.group(key))}
    chosen = set(added)
    asking = added | waiting
    while asking:
        asking = {key for each in asking for key in _needed_by(ws, each, chosen, members)}
        chosen |= asking
    return chosen


def _needed_by(
    ws: WorkingSet, downstream: ExecutionId, chosen: set[ExecutionId], members: Members
) -> Iterator[ExecutionId]:
    """The upstreams that have ended without success and for which a member might have to wait."""
    group = ws.graph.group(downstream)
    if group is None:
        return
    upstreams = [edge.upstream for edge in ws.graph.incoming(downstream) if edge.upstream not in chosen]
    completed = [key for key in upstreams if members[key].terminal_outcome == "success"]
    if state_of(group.join, group.total, len(completed), 0) != "satisfied":
        yield from (key for key in upstreams if key not in completed and not members[key].counts_as_live)


# ── coming back ──────────────────────────────────────────────────────────────────────────────────


def come_back(ws: WorkingSet, x: Execution) -> None:
    """Continue the replay of a flow for members that an earlier transaction had no room for."""
    flow = flow_of(ws, x)
    if flow.is_cancelled_for_members:
        ws.flows.put(stay_ended(ws, flow, [x]))
        return
    _come_back(ws, x, ending.CASCADE_MAX)


def brought_back(ws: WorkingSet, x: Execution) -> Execution:
    """The execution after its return, if it is coming back. Otherwise the execution as it is."""
    if x.coming_back is None:
        return x
    _come_back(ws, x, None)
    return ws.executions[x.execution_id]


def _come_back(ws: WorkingSet, x: Execution, most: int | None) -> None:
    ws.graph.need_outgoing([x.execution_id], all_beyond=True)
    _bring_back_all(ws, _downstream_first(ws, [x.execution_id]), is_late=True, most=most)


def stay_ended(ws: WorkingSet, flow: Flow, members: Iterable[Execution]) -> Flow:
    """Leave members that were coming back as they had ended. The caller has to put the returned flow."""
    for x in members:
        ws.executions.put(replace(x, coming_back=None))
        live_count = flow.live_count - 1
        flow = replace(
            flow,
            live_count=live_count,
            lost_sinks=flow.lost_sinks + _is_lost_sink(ws, x),
            at_rest_since_ms=None if live_count else ws.now_ms,
        )
    return flow


def _bring_back_all(ws: WorkingSet, order: Sequence[ExecutionId], *, is_late: bool, most: int | None) -> None:
    """Bring back the first `most` of the members that are coming back. All that they need is loaded together."""
    keys = order if most is None else order[:most]
    coming = [x for x in map(ws.executions.get, keys) if x is not None and x.coming_back is not None]
    ws.graph.need_outgoing([x.execution_id for x in coming])
    ws.graph.need_incoming([x.execution_id for x in coming])
    ws.need_step_places([x.execution_id for x in coming if x.coming_back == "keep"])
    back = [bring_back(ws, x, fate_of_steps(ws, x, x.coming_back), is_late=is_late) for x in coming]
    _cancel_the_rest(ws, back)


def _downstream_first(ws: WorkingSet, start: Iterable[ExecutionId]) -> list[ExecutionId]:
    """These members and all that must come back after them. A member comes after every member that waits for it."""
    order: dict[ExecutionId, None] = {}
    # This is a loop with a stack, not a recursion, because a flow may be a chain of thousands of members.
    stack = [(key, False) for key in start]
    while stack:
        key, is_ripe = stack.pop()
        if key in order:
            continue
        if is_ripe:
            order[key] = None
            continue
        stack.append((key, True))
        children = (edge.downstream for edge in ws.graph.outgoing(key))
        stack += [(child, False) for child in children if child not in order and _is_coming_back(ws, child)]
    return list(order)


def _is_coming_back(ws: WorkingSet, execution_id: ExecutionId) -> bool:
    x = ws.executions.get(execution_id)
    return x is not None and x.coming_back is not None
