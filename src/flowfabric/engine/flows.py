"""The engine's methods about flows: build, cancel, replay and read them."""

import math
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.commands import (
    AckCancelMember,
    AddDependency,
    AddExecution,
    CancelFlow,
    CreateExecution,
    CreateFlow,
    NewEdge,
    ReplayFlow,
    SetEdgeGroupPolicy,
    SetFlowTag,
    SubmitFlow,
)
from flowfabric.domain.creation import NewExecution
from flowfabric.domain.cursors import pack_cursor, unpack_cursor
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.flow import Flow
from flowfabric.domain.flow_snapshots import (
    SUCCESS_ONLY,
    EdgeSnapshot,
    FlowSnapshot,
    edge_snapshot_of,
    flow_snapshot_of,
    group_snapshot_of,
)
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.ids import ExecutionId, FlowId, parse_member_id
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.limits import WhenFull
from flowfabric.domain.listing import FlowFilter, ListPosition
from flowfabric.domain.outcomes import (
    AlreadySet,
    Created,
    DependencyAdded,
    Duplicate,
    FlowAlreadyTerminal,
    FlowCancelled,
    FlowCreated,
    FlowExists,
    FlowReplayed,
    FlowSubmitted,
    PolicySet,
)
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy
from flowfabric.domain.snapshots import Page
from flowfabric.engine.scope import position_of_flow
from flowfabric.engine.submitting import NO_BUDGETS, NO_LIMITS, Submitting

_NO_TAGS: Final[Mapping[str, str]] = {}


class Flows(Submitting):
    """The engine's methods about flows."""

    async def create_flow(
        self,
        kind: str,
        *,
        namespace: str = DEFAULT_NAMESPACE,
        flow_id: str | None = None,
        tags: Mapping[str, str] = _NO_TAGS,
        command_id: str | None = None,
    ) -> FlowCreated | FlowExists:
        """Make an empty flow, once per id."""
        return await self._execute(self._flow_creation_of(kind, namespace, flow_id, tags), command_id)

    def _flow_creation_of(self, kind: str, namespace: str, flow_id: str | None, tags: Mapping[str, str]) -> CreateFlow:
        return CreateFlow(
            FlowId(self._new_uuid()) if flow_id is None else inputs.flow_id(flow_id),
            flow_id is not None,
            inputs.name("kind", kind),
            inputs.namespace_in_scope(namespace, self._scope),
            inputs.tags(tags),
        )

    async def add_execution(
        self,
        flow_id: str,
        kind: str,
        payload: bytes = b"",
        *,
        after: Sequence[str | tuple[str, str]] = (),
        join: AllOf | AnyOf | Quorum | None = None,
        lane: str = "default",
        namespace: str = DEFAULT_NAMESPACE,
        execution_id: str | None = None,
        priority: int = 0,
        delay_until_ms: int | None = None,
        deadline_at_ms: int | None = None,
        idempotency_key: str | None = None,
        idempotency_ttl_ms: int = 86_400_000,
        required_capabilities: Sequence[str] = (),
        policy: ExecutionPolicy = DEFAULT_POLICY,
        tags: Mapping[str, str] = _NO_TAGS,
        idempotency_on_ended: OnEnded = "return",
        limits: Mapping[str, str] = NO_LIMITS,
        fair_key: str | None = None,
        budgets: Mapping[str, Mapping[str, int]] = NO_BUDGETS,
        when_full: WhenFull = "wait",
        command_id: str | None = None,
    ) -> Created | Duplicate:
        """Make a member of a flow that waits for other members. An upstream with a name passes its result on.

        The keywords are those of `create_execution`. A member always waits for its limits: `when_full` is `"wait"`.
        """
        of_flow = inputs.flow_id(flow_id)
        item = NewExecution(
            kind=kind,
            payload=payload,
            lane=lane,
            namespace=namespace,
            execution_id=execution_id,
            priority=priority,
            delay_until_ms=delay_until_ms,
            deadline_at_ms=deadline_at_ms,
            idempotency_key=idempotency_key,
            idempotency_ttl_ms=idempotency_ttl_ms,
            idempotency_on_ended=idempotency_on_ended,
            required_capabilities=required_capabilities,
            policy=policy,
            tags=tags,
            limits=limits,
            fair_key=fair_key,
            budgets=budgets,
            when_full=when_full,
        )
        creation = self._creation_of(item, of_flow)
        if namespace is DEFAULT_NAMESPACE and self._scope is None:
            creation = replace(creation, namespace="")
        edges = tuple(
            NewEdge(self._new_uuid(), upstream, creation.execution_id, passed_as)
            for upstream, passed_as in _upstreams(after, of_flow)
        )
        command = AddExecution(of_flow, creation, edges, None if join is None else inputs.join(join))
        return await self._execute(command, command_id)

    async def add_dependency(
        self,
        flow_id: str,
        upstream: str,
        downstream: str,
        *,
        edge_id: str | None = None,
        condition: Literal["success_only"] = "success_only",
        pass_result_as: str | None = None,
        expected_graph_revision: int | None = None,
        command_id: str | None = None,
    ) -> DependencyAdded:
        """Let one member wait for another. Refused if it has already started: use `add_execution(after=...)`."""
        if condition != SUCCESS_ONLY:
            raise InvalidInput(f"condition is {condition!r}; the only one there is is {SUCCESS_ONLY!r}.")
        if expected_graph_revision is not None:
            inputs.integer("expected_graph_revision", expected_graph_revision, 0, inputs.INSTANT_MS_MAX)
        of_flow = inputs.flow_id(flow_id)
        edge = NewEdge(
            self._new_uuid() if edge_id is None else inputs.edge_id(edge_id),
            parse_member_id(upstream, of_flow),
            parse_member_id(downstream, of_flow),
            inputs.input_name(pass_result_as),
        )
        command = AddDependency(of_flow, edge, edge_id is not None, expected_graph_revision)
        return await self._execute(command, command_id)

    async def set_edge_group_policy(
        self, flow_id: str, downstream: str, policy: AllOf | AnyOf | Quorum, *, command_id: str | None = None
    ) -> PolicySet | AlreadySet:
        """Set how the edges that lead to a member are joined. This is possible only before the first edge."""
        of_flow = inputs.flow_id(flow_id)
        command = SetEdgeGroupPolicy(of_flow, parse_member_id(downstream, of_flow), inputs.join(policy))
        return await self._execute(command, command_id)

    async def submit_flow(self, graph: FlowGraph, *, command_id: str | None = None) -> FlowSubmitted:
        """Make a whole flow in one transaction: all of it, or nothing."""
        if not isinstance(graph, FlowGraph):
            raise InvalidInput(f"graph is a FlowGraph, not {type(graph).__name__}.")
        graph.check()
        flow = self._flow_creation_of(graph.kind, graph.namespace, graph.flow_id, graph.tags)
        nodes: dict[str, CreateExecution] = {}
        for name, item in graph.nodes.items():
            try:
                nodes[name] = self._creation_of(replace(item, namespace=flow.namespace), flow.flow_id)
            except InvalidInput as error:
                raise InvalidInput(f"node {name!r}: {error} Nothing of the flow was created.") from None
        inputs.size_of_call((node.payload, node.tags) for node in nodes.values())
        edges = tuple(
            NewEdge(
                self._new_uuid(),
                nodes[edge.upstream].execution_id,
                nodes[edge.downstream].execution_id,
                edge.pass_result_as,
            )
            for edge in graph.edges
        )
        joins = tuple((nodes[name].execution_id, join) for name, join in graph.joins.items())
        return await self._execute(SubmitFlow(flow, tuple(nodes.items()), edges, joins), command_id)

    async def cancel_flow(
        self,
        flow_id: str,
        *,
        reason: str,
        policy: Literal["cancel_all", "cancel_pending", "flow_only"] = "cancel_all",
        wait: bool = False,
        command_id: str | None = None,
    ) -> FlowCancelled | FlowAlreadyTerminal:
        """End a flow for good. With `wait`, return when the code of every member has stopped, or its worker is lost."""
        inputs.flag("wait", wait)
        key = inputs.flow_id(flow_id)
        command = CancelFlow(key, inputs.text("reason", reason), inputs.cancellation_policy(policy))
        answer = await self._execute(command, command_id)
        if wait:
            bell = self._shell.bell()
            with self._services.wakeups.listening(key, bell.ring):
                while True:
                    view = await self._shell.read(lambda: self._store.flow_view(key), until=math.inf)
                    if view is None or not view.pending_acks:
                        break
                    await self._wait_for_news(bell, math.inf)
        return answer

    async def replay_flow(
        self,
        flow_id: str,
        *,
        what: Literal["failed", "all"] | Sequence[str] = "failed",
        steps: Literal["keep", "clear"] | None = None,
        dry_run: bool = False,
        command_id: str | None = None,
    ) -> FlowReplayed:
        """Bring members of a flow back to life, in one decision; also members of a cancelled flow.

        `failed`: the members that did not complete, also the skipped ones. `all`: all members, from scratch unless
        `steps` says otherwise. A sequence of ids: these members and everything downstream of them. With `dry_run`
        nothing is changed, and the answer or the refusal is the same.
        """
        of_flow = inputs.flow_id(flow_id)
        command = ReplayFlow(
            of_flow,
            inputs.what_to_replay(what, of_flow),
            inputs.steps_rule(steps),
            inputs.flag("dry_run", dry_run),
        )
        return await self._execute(command, command_id)

    async def ack_cancel_member(self, flow_id: str, execution_id: str, *, command_id: str | None = None) -> None:
        """Acknowledge that the code of a member that was cancelled while it ran has stopped. A repeat does no harm."""
        of_flow = inputs.flow_id(flow_id)
        command = AckCancelMember(of_flow, parse_member_id(execution_id, of_flow))
        await self._execute(command, command_id)

    async def set_flow_tag(self, flow_id: str, key: str, value: str, *, command_id: str | None = None) -> None:
        """Put a tag on a flow, or change its value."""
        command = SetFlowTag(inputs.flow_id(flow_id), inputs.tag_key(key), inputs.tag_value(value))
        await self._execute(command, command_id)

    async def describe_flow(self, flow_id: str) -> FlowSnapshot | None:
        """The flow as it is now, with what its members wait for. None: there is no such flow."""
        key = inputs.flow_id(flow_id)
        view = await self._shell.read(lambda: self._store.flow_view(key))
        if view is None or (self._scope is not None and view.flow.namespace != self._scope):
            return None
        groups = [group_snapshot_of(each.group, each.running_count, each.downstream_has_ended) for each in view.groups]
        return flow_snapshot_of(view.flow, groups, view.pending_acks)

    async def list_flows(
        self,
        *,
        namespace: str | None = None,
        state: str | None = None,
        cursor: str | None = None,
        limit: int = 100,
    ) -> Page:
        """Flows as snapshots, newest first. `describe_flow` also shows what the members wait for."""
        where = FlowFilter(inputs.optional_namespace_in_scope(namespace, self._scope), inputs.flow_state(state))
        after = None
        if cursor is not None:
            after = unpack_cursor(cursor, "flows", self._store.name, ListPosition)
        limit = inputs.limit(limit)
        found = await self._shell.read(lambda: self._store.flows(where, after, limit + 1))
        shown = found[:limit]
        position = None
        if len(found) > limit:
            position = pack_cursor("flows", self._store.name, position_of_flow(shown[-1]))
        pending = await self._pending_acks(shown)
        return Page([flow_snapshot_of(flow, (), pending.get(flow.flow_id, ())) for flow in shown], position)

    async def _pending_acks(self, flows: Sequence[Flow]) -> Mapping[FlowId, Sequence[ExecutionId]]:
        cancelled = [flow.flow_id for flow in flows if flow.state == "cancelled"]
        return await self._shell.read(lambda: self._store.pending_acks(cancelled)) if cancelled else {}

    async def list_edges(
        self, flow_id: str, *, upstream: str | None = None, downstream: str | None = None
    ) -> list[EdgeSnapshot]:
        """The flow's edges, by id: all, or those from one execution, or to one."""
        key = await self._known_flow(flow_id)
        source = None if upstream is None else parse_member_id(upstream, key)
        target = None if downstream is None else parse_member_id(downstream, key)
        found = await self._shell.read(lambda: self._store.edges(key, source, target))
        return [edge_snapshot_of(edge) for edge in found]

    async def describe_edge(self, flow_id: str, edge_id: str) -> EdgeSnapshot | None:
        """One edge as it is now. None: there is no such edge, or no such flow."""
        of_flow, key = inputs.flow_id(flow_id), inputs.edge_id(edge_id)
        flow = await self._find_flow(of_flow)
        edge = None if flow is None else await self._shell.read(lambda: self._store.edge(of_flow, key))
        return None if edge is None else edge_snapshot_of(edge)


def _upstreams(after: object, flow_id: FlowId) -> list[tuple[ExecutionId, str | None]]:
    if isinstance(after, (str, bytes, Mapping)) or not isinstance(after, Sequence):
        raise InvalidInput(
            f"after is a sequence of execution ids, or of pairs (id, name of the input), not {type(after).__name__}."
        )
    if len(after) > inputs.UPSTREAMS_MAX:
        raise InvalidInput(f"after has {len(after)} entries; the limit is {inputs.UPSTREAMS_MAX}.")
    upstreams: list[tuple[ExecutionId, str | None]] = []
    for entry in after:
        if isinstance(entry, tuple):
            if len(entry) != 2:
                raise InvalidInput("An entry of after is an execution id, or a pair of an id and a name of the input.")
            upstreams.append((parse_member_id(entry[0], flow_id), inputs.input_name(entry[1])))
        else:
            upstreams.append((parse_member_id(entry, flow_id), None))
    return upstreams
