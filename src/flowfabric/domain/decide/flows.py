"""CreateFlow, AddExecution, AddDependency, SetEdgeGroupPolicy, SubmitFlow, CancelFlow and their upkeep."""

from collections import deque

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import (
    AckCancelMember,
    AddDependency,
    AddExecution,
    CancelFlow,
    CreateExecution,
    CreateFlow,
    ForgetOverdueAck,
    PurgeFlow,
    SetEdgeGroupPolicy,
    SetFlowTag,
    SettleGroup,
    SubmitFlow,
)
from flowfabric.domain.decide.creating import create
from flowfabric.domain.decide.ending import Cascade, count_life, decide_group, unblock
from flowfabric.domain.decide.finishing import CANCEL_FLOW
from flowfabric.domain.decide.joining import apply_new_edges, link
from flowfabric.domain.decide.replaying import stay_ended
from flowfabric.domain.decide.rule import rule, weight_of_data
from flowfabric.domain.decide.seeing import (
    its_executions_and_their_flows,
    its_flow,
    its_whole_flow,
    what_a_creation_sees,
)
from flowfabric.domain.errors import (
    Conflict,
    CycleDetected,
    EdgeExists,
    EngineError,
    ExecutionNotEligible,
    FlowTerminal,
    InvalidInput,
    NotAMember,
    PolicyFixed,
    SelfEdge,
    StaleGraphRevision,
    with_place,
)
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import CancelBacklog, EdgeGroup, Flow, PendingAck, is_open, over_since_ms, purge_at_ms
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.inputs import TAGS_MAX
from flowfabric.domain.outcomes import (
    AlreadySet,
    Created,
    DependencyAdded,
    Duplicate,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowCreated,
    FlowExists,
    FlowSubmitted,
    PolicySet,
)
from flowfabric.domain.working_set import WorkingSet


def _what_a_new_flow_sees(command: CreateFlow, wanted: Needs) -> None:
    if command.id_was_given:
        wanted.flows.add(command.flow_id)


@rule(CreateFlow, sees=_what_a_new_flow_sees)
def create_flow(ws: WorkingSet, command: CreateFlow) -> FlowCreated | FlowExists:
    """Make an empty flow, unless its id shows that it was made before."""
    existing = ws.flows.get(command.flow_id) if command.id_was_given else None
    if existing is None:
        made = Flow(command.flow_id, command.namespace, command.kind, ws.now_ms, command.tags, "open")
        ws.flows.put(replace(made, created_by=ws.actor))
        return FlowCreated(command.flow_id)
    if (existing.namespace, existing.kind) != (command.namespace, command.kind):
        raise Conflict(
            f"flow_id {command.flow_id} is taken by a flow with another namespace or kind. Use a new id for a new flow."
        )
    return FlowExists(command.flow_id)


# ── building ─────────────────────────────────────────────────────────────────────────────────────


def _what_a_new_member_sees(command: AddExecution, wanted: Needs) -> None:
    its_flow(command, wanted)
    wanted.executions.update(edge.upstream for edge in command.edges)
    if command.creation.id_was_given:
        wanted.executions.add(command.creation.execution_id)


@rule(
    AddExecution,
    sees=_what_a_new_member_sees,
    weight=lambda command: weight_of_data(command.creation.payload) + len(command.edges),
)
def add_execution(ws: WorkingSet, command: AddExecution, scope: str | None) -> Created | Duplicate:
    """Make a member with the edges that lead to it, so that it is never claimable too early."""
    flow = _not_cancelled(ws.flow(command.flow_id, scope))
    creation = command.creation
    if creation.namespace not in ("", flow.namespace):
        raise InvalidInput(
            f"namespace is {creation.namespace!r}, but flow {flow.flow_id} is in {flow.namespace!r}, "
            "and members take the flow's namespace. Leave it out."
        )
    creation = replace(creation, namespace=flow.namespace)
    answer = create(ws, creation, ws.actor, flow.flow_id)
    if isinstance(answer, Duplicate):
        promised = ws.executions.get(ExecutionId(answer.execution_id))
        if promised is None or promised.flow_id != flow.flow_id:
            raise Conflict(
                f"idempotency_key {creation.idempotency_key!r} belongs to {answer.execution_id}, which is not a member "
                f"of flow {flow.flow_id}. Use a new key for new work."
            )
        return answer
    for edge in command.edges:
        if edge.upstream == creation.execution_id:
            raise SelfEdge(f"{creation.execution_id} cannot wait for itself. Name other executions in `after`.")
        _member(ws, flow, edge.upstream)
    flow = replace(_joined(ws, flow, creation), graph_revision=flow.graph_revision + 1)
    ws.flows.put(flow)
    x = ws.executions[creation.execution_id]
    ws.graph.add_member(x)
    if command.join is not None:
        ws.groups.put(EdgeGroup(flow.flow_id, x.execution_id, command.join))
    for edge in command.edges:
        flow = link(ws, flow, edge)
    ws.flows.put(flow)
    if command.edges:
        apply_new_edges(ws, x.execution_id)
        x = ws.executions[creation.execution_id]
    return Created(x.execution_id, x.public_state)


def _what_a_new_edge_sees(command: AddDependency, wanted: Needs) -> None:
    its_flow(command, wanted)
    wanted.executions |= {command.edge.upstream, command.edge.downstream}
    wanted.groups.add(command.edge.downstream)
    wanted.reach.add(command.edge.downstream)
    if command.id_was_given:
        wanted.edges.add((command.flow_id, command.edge.edge_id))


@rule(AddDependency, sees=_what_a_new_edge_sees, leaves_queue=True)
def add_dependency(ws: WorkingSet, command: AddDependency, scope: str | None) -> DependencyAdded:
    """Let one member wait for another, from this commit on."""
    edge = command.edge
    flow = _not_cancelled(ws.flow(command.flow_id, scope))
    if edge.upstream == edge.downstream:
        raise SelfEdge(f"{edge.upstream} cannot wait for itself. Name two different executions.")
    _member(ws, flow, edge.upstream)
    child = _member(ws, flow, edge.downstream)
    expected = command.expected_graph_revision
    if expected is not None and expected != flow.graph_revision:
        raise StaleGraphRevision(
            f"Flow {flow.flow_id} is at graph revision {flow.graph_revision}, not {expected}: it was changed since. "
            "Read it again before you change it."
        )
    if command.id_was_given and ws.graph.has_edge((flow.flow_id, edge.edge_id)):
        raise EdgeExists(f"Flow {flow.flow_id} has an edge {edge.edge_id} already. Use a new id for a new edge.")
    _check_acyclic(ws, edge.upstream, edge.downstream)
    if child.lifecycle_phase != "runnable":
        raise ExecutionNotEligible(
            f"{child.execution_id} is {child.public_state}: it can no longer wait for anything. Add edges before the "
            "execution starts, or together with it by add_execution(after=...)."
        )
    flow = replace(link(ws, flow, edge), graph_revision=flow.graph_revision + 1)
    ws.flows.put(flow)
    apply_new_edges(ws, edge.downstream)
    return DependencyAdded(edge.edge_id, flow.graph_revision)


def _check_acyclic(ws: WorkingSet, upstream: ExecutionId, downstream: ExecutionId) -> None:
    seen = {downstream}
    frontier = deque([downstream])
    while frontier:
        ws.graph.need_outgoing(frontier, all_beyond=True)
        for edge in ws.graph.outgoing(frontier.popleft()):
            if edge.downstream == upstream:
                raise CycleDetected(
                    f"{upstream} already waits for {downstream}, by itself or through others, so {downstream} cannot "
                    f"wait for {upstream}. A flow must have no cycle."
                )
            if edge.downstream not in seen:
                seen.add(edge.downstream)
                frontier.append(edge.downstream)


def _its_group(command: SetEdgeGroupPolicy, wanted: Needs) -> None:
    its_flow(command, wanted)
    wanted.executions.add(command.downstream)
    wanted.groups.add(command.downstream)


@rule(SetEdgeGroupPolicy, sees=_its_group)
def set_edge_group_policy(ws: WorkingSet, command: SetEdgeGroupPolicy, scope: str | None) -> PolicySet | AlreadySet:
    """Set how the edges of a member are joined. The join cannot change once there is an edge."""
    flow = ws.flow(command.flow_id, scope)
    _member(ws, flow, command.downstream)
    group = ws.graph.group(command.downstream)
    if group is not None and group.join == command.join:
        return AlreadySet()
    _not_cancelled(flow)
    if group is not None and group.total:
        raise PolicyFixed(
            f"{command.downstream} has {group.total} edges, joined by {group.join}; that stands once there is "
            "an edge. Set the policy first, or give it to add_execution(join=...)."
        )
    ws.groups.put(EdgeGroup(flow.flow_id, command.downstream, command.join))
    return PolicySet()


def _what_a_graph_sees(command: SubmitFlow, wanted: Needs) -> None:
    _what_a_new_flow_sees(command.flow, wanted)
    for _, creation in command.nodes:
        what_a_creation_sees(creation, wanted)


def _weight_of_graph(command: SubmitFlow) -> int:
    return sum(weight_of_data(creation.payload) for _, creation in command.nodes) + len(command.edges)


@rule(SubmitFlow, sees=_what_a_graph_sees, weight=_weight_of_graph)
def submit_flow(ws: WorkingSet, command: SubmitFlow) -> FlowSubmitted:
    """Make a whole flow: nodes, edges, joins, all or nothing."""
    if isinstance(create_flow(ws, command.flow), FlowExists):
        raise Conflict(
            f"Flow {command.flow.flow_id} exists already. Submit a new flow under a new id, or repeat a submit with "
            "the command_id of its first try."
        )
    flow = replace(ws.flow(command.flow.flow_id), graph_revision=1)
    for name, creation in command.nodes:
        try:
            answer = create(ws, creation, ws.actor, flow.flow_id, name)
        except EngineError as refusal:
            why = f"node {name!r}: {refusal} Nothing of the flow was created."
            raise with_place(refusal, why) from None
        if isinstance(answer, Duplicate):
            raise Conflict(
                f"node {name!r} exists already as {answer.execution_id}. Nothing of the flow was created; "
                "use a new id or idempotency_key."
            )
        flow = _joined(ws, flow, creation)
        x = ws.executions[creation.execution_id]
        ws.graph.add_member(x)
    for downstream, join in command.joins:
        ws.groups.put(EdgeGroup(flow.flow_id, downstream, join))
    for edge in command.edges:
        flow = link(ws, flow, edge)
    ws.flows.put(flow)
    for downstream in dict.fromkeys(edge.downstream for edge in command.edges):
        apply_new_edges(ws, downstream)
    return FlowSubmitted(flow.flow_id, {name: creation.execution_id for name, creation in command.nodes})


def _joined(ws: WorkingSet, flow: Flow, creation: CreateExecution) -> Flow:
    """The flow with one more member."""
    kept_ms = creation.policy.retention_ms
    if flow.node_count:
        known = flow.retention_ms
        kept_ms = None if known is None or kept_ms is None else max(known, kept_ms)
    return replace(count_life(ws, flow), node_count=flow.node_count + 1, retention_ms=kept_ms)


def _not_cancelled(flow: Flow) -> Flow:
    if flow.state == "cancelled":
        raise FlowTerminal(
            f"Flow {flow.flow_id} is cancelled: nothing can be added to it. Create a new flow, or replay this one."
        )
    return flow


def _member(ws: WorkingSet, flow: Flow, execution_id: ExecutionId) -> Execution:
    x = ws.executions.get(execution_id)
    if x is None or x.flow_id != flow.flow_id:
        raise NotAMember(
            f"{execution_id} is not a member of flow {flow.flow_id}. Add it to the flow first; an execution that was "
            "created by itself cannot join one later."
        )
    return x


# ── cancelling ───────────────────────────────────────────────────────────────────────────────────


@rule(CancelFlow, sees=its_whole_flow)
def cancel_flow(ws: WorkingSet, command: CancelFlow, scope: str | None) -> FlowCancelled | FlowAlreadyTerminal:
    """End the flow for good, and those members that the policy names. A repeated cancel gets the first one's result."""
    flow = ws.flow(command.flow_id, scope)
    if flow.state == "cancelled":
        members: list[str] = list(ws.cancelled_members.get(flow.flow_id) or ())
        return FlowAlreadyTerminal(flow.cancellation_policy, flow.cancel_reason, members)
    if flow.is_over:
        return FlowAlreadyTerminal(None, None, [])
    targets = _to_cancel(ws, command)
    if command.policy != "flow_only":
        flow = stay_ended(ws, flow, [x for x in _members(ws, flow) if x.coming_back is not None])
    flow = replace(
        flow,
        state="cancelled",
        terminal_at_ms=ws.now_ms,
        cancel_reason=command.reason,
        cancellation_policy=command.policy,
    )
    requested = {
        "flow_id": flow.flow_id,
        "cancellation_policy": command.policy,
        "reason": command.reason,
        "member_count": len(targets),
    }
    flow = ws.emit(flow, "operator", "flow_cancel_requested", requested)
    ws.flows.put(ws.emit(flow, "completion", "flow_cancelled"))
    ws.cancelled_members.put_at(flow.flow_id, tuple(x.execution_id for x in targets))
    leased = [x for x in targets if x.lifecycle_phase == "active"]
    if leased:
        ws.put_backlog(CancelBacklog(flow.flow_id, ws.now_ms, len(leased)))
    for x in leased:
        assert x.lease_expires_at_ms is not None
        ws.acks.put(PendingAck(flow.flow_id, x.execution_id, x.lease_expires_at_ms))
    cascade = Cascade(ws)
    for x in targets:
        cascade.cancel(x, command.reason, CANCEL_FLOW)
    # A member that the policy spares is not cancelled as needless either.
    cascade.closed.clear()
    cascade.run()
    return FlowCancelled(command.policy, [x.execution_id for x in targets])


def _to_cancel(ws: WorkingSet, command: CancelFlow) -> list[Execution]:
    if command.policy == "flow_only":
        return []
    members = [x for x in _members(ws, ws.flow(command.flow_id)) if not x.has_ended]
    if command.policy == "cancel_pending":
        return [x for x in members if x.lifecycle_phase != "active"]
    return members


def _members(ws: WorkingSet, flow: Flow) -> list[Execution]:
    return [x for x in map(ws.executions.get, ws.graph.members(flow.flow_id)) if x is not None]


def _its_ack(command: AckCancelMember | ForgetOverdueAck, wanted: Needs) -> None:
    its_flow(command, wanted)
    wanted.backlogs.add(command.flow_id)
    wanted.acks.add((command.flow_id, command.execution_id))


@rule(AckCancelMember, sees=_its_ack)
def ack_cancel_member(ws: WorkingSet, command: AckCancelMember, scope: str | None) -> None:
    """Note that the code of a member has stopped. An acknowledgement that nobody waits for changes nothing."""
    ws.flow(command.flow_id, scope)
    _settle_ack(ws, command.flow_id, command.execution_id)


def _settle_ack(ws: WorkingSet, flow_id: FlowId, execution_id: ExecutionId) -> None:
    if ws.pending_ack((flow_id, execution_id)) is None:
        return
    ws.acks.remove((flow_id, execution_id))
    backlog = ws.backlogs[flow_id]
    ws.put_backlog(replace(backlog, pending_count=backlog.pending_count - 1))


@rule(SetFlowTag, sees=its_flow)
def set_flow_tag(ws: WorkingSet, command: SetFlowTag, scope: str | None) -> None:
    """Put a tag on the flow, in any state."""
    flow = ws.flow(command.flow_id, scope)
    tags = {**flow.tags, command.key: command.value}
    if len(tags) > TAGS_MAX:
        raise InvalidInput(f"Flow {flow.flow_id} has {TAGS_MAX} tags already, which is the limit. Change one instead.")
    ws.flows.put(replace(flow, tags=tags))


# ── upkeep ───────────────────────────────────────────────────────────────────────────────────────


def _its_flow_and_group(command: SettleGroup, wanted: Needs) -> None:
    its_executions_and_their_flows(command, wanted)
    wanted.groups.add(command.execution_id)


@rule(SettleGroup, sees=_its_flow_and_group, comes_again=True)
def settle_group(ws: WorkingSet, command: SettleGroup) -> bool:
    """Let an execution go on that is blocked although its group is decided. False: it still has to wait."""
    x = ws.executions.get(command.execution_id)
    if x is None or x.eligibility_state != "blocked_by_dependencies":
        return False
    group = ws.graph.group(command.execution_id)
    if is_open(group):
        return False
    if group is None or group.total == 0:
        unblock(ws, x)
    else:
        decide_group(ws, group)
    return True


@rule(PurgeFlow, sees=its_whole_flow, batch_class="removals", comes_again=True)
def purge_flow(ws: WorkingSet, command: PurgeFlow, scope: str | None) -> bool:
    """Remove the flow and all its members, unless it has come back to life."""
    flow = ws.flows.get(command.flow_id)
    if flow is None or scope not in (None, flow.namespace) or not _may_go(flow, command, ws.now_ms):
        return False
    members = [ws.executions[key] for key in ws.graph.members(flow.flow_id)]
    if any(x.unsettled and x.has_children for x in members):
        return False  # children that have no parent any more would never be cancelled
    for x in members:
        ws.executions.remove(x.execution_id)
    ws.flows.remove(flow.flow_id)
    return True


def _may_go(flow: Flow, command: PurgeFlow, now_ms: int) -> bool:
    if command.ended_before_ms is None:
        due_at_ms = purge_at_ms(flow)
        return due_at_ms is not None and due_at_ms <= now_ms
    since_ms = over_since_ms(flow)
    return since_ms is not None and since_ms < command.ended_before_ms


@rule(ForgetOverdueAck, sees=_its_ack, comes_again=True)
def forget_overdue_ack(ws: WorkingSet, command: ForgetOverdueAck) -> bool:
    """Acknowledge a cancel for a worker that is lost: its lease would have ended by now."""
    ack = ws.pending_ack((command.flow_id, command.execution_id))
    if ack is None or ack.overdue_at_ms > ws.now_ms:
        return False
    _settle_ack(ws, command.flow_id, command.execution_id)
    return True
