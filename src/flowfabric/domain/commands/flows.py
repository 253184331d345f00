"""Commands about flows: they are built, cancelled and replayed."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from flowfabric.domain.commands.command import Command
from flowfabric.domain.commands.executions import CreateExecution
from flowfabric.domain.flow import CancellationPolicy
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.joins import Join
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
from flowfabric.domain.steps import StepsRule


class CreateFlow(Command[FlowCreated | FlowExists], frozen=True, tag=True, gc=False):
    """Make an empty flow, once."""

    flow_id: FlowId
    id_was_given: bool
    kind: str
    namespace: str
    tags: Mapping[str, str]

    def as_request(self) -> "CreateFlow":
        """The same without an id that was minted."""
        return self if self.id_was_given else replace(self, flow_id=FlowId(""))


class NewEdge(msgspec.Struct, frozen=True, gc=False):
    """One edge to be made."""

    edge_id: str
    upstream: ExecutionId
    downstream: ExecutionId
    pass_result_as: str | None


class AddExecution(Command[Created | Duplicate], frozen=True, tag=True, gc=False):
    """Make a member of a flow together with the edges that lead to it."""

    flow_id: FlowId
    creation: CreateExecution
    """The member gets the flow's namespace. Empty: the caller gave no namespace."""
    edges: tuple[NewEdge, ...]
    join: Join | None

    def as_request(self) -> "AddExecution":
        """The same without ids that were minted."""
        creation = self.creation.as_request()
        edges = tuple(replace(edge, edge_id="", downstream=creation.execution_id) for edge in self.edges)
        return replace(self, creation=creation, edges=edges)


class AddDependency(Command[DependencyAdded], frozen=True, tag=True, gc=False):
    """Let one member wait for another."""

    flow_id: FlowId
    edge: NewEdge
    id_was_given: bool
    expected_graph_revision: int | None

    def as_request(self) -> "AddDependency":
        """The same without an id that was minted."""
        return self if self.id_was_given else replace(self, edge=replace(self.edge, edge_id=""))


class SetEdgeGroupPolicy(Command[PolicySet | AlreadySet], frozen=True, tag=True, gc=False):
    """Say how the edges that lead to a member are joined."""

    flow_id: FlowId
    downstream: ExecutionId
    join: Join


class SubmitFlow(Command[FlowSubmitted], frozen=True, tag=True, gc=False):
    """Make a whole flow at once. The graph was checked: names are known, and there is no cycle."""

    flow: CreateFlow
    nodes: tuple[tuple[str, CreateExecution], ...]
    edges: tuple[NewEdge, ...]
    joins: tuple[tuple[ExecutionId, Join], ...]

    def as_request(self) -> "SubmitFlow":
        """The same graph, with the names of its nodes instead of their ids."""
        names = {creation.execution_id: ExecutionId(name) for name, creation in self.nodes}
        return SubmitFlow(
            self.flow.as_request(),
            tuple((name, creation.as_request()) for name, creation in self.nodes),
            tuple(
                NewEdge("", names[edge.upstream], names[edge.downstream], edge.pass_result_as) for edge in self.edges
            ),
            tuple((names[downstream], join) for downstream, join in self.joins),
        )


class CancelFlow(Command[FlowCancelled | FlowAlreadyTerminal], frozen=True, tag=True, gc=False):
    """End a flow for good, and those of its members that the policy names."""

    flow_id: FlowId
    reason: str
    policy: CancellationPolicy


class ReplayFlow(Command[FlowReplayed], frozen=True, tag=True, gc=False):
    """Bring members of a flow back to life: those that did not complete, all, or named ones with their downstream."""

    flow_id: FlowId
    what: Literal["failed", "all"] | tuple[ExecutionId, ...]
    steps: StepsRule | None
    is_dry_run: bool = False
    """True: change nothing, only answer which members would come back."""


class AckCancelMember(Command[None], frozen=True, tag=True, gc=False):
    """Say that the code of a cancelled member has stopped."""

    flow_id: FlowId
    execution_id: ExecutionId


class SetFlowTag(Command[None], frozen=True, tag=True, gc=False):
    """Put a tag on a flow, or change its value."""

    flow_id: FlowId
    key: str
    value: str
