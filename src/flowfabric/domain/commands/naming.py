"""Which executions and which flow a command names by id. The types of its fields show this."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, TypeVar

import msgspec

from flowfabric.domain.commands.command import AnyCommand
from flowfabric.domain.commands.executions import CreateExecution, CreateExecutions
from flowfabric.domain.commands.flows import CreateFlow, NewEdge
from flowfabric.domain.execution import Due
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lease import Fence
from flowfabric.domain.streams import Said

T = TypeVar("T")

EXECUTIONS_IN: Final[Mapping[object, Callable[[Any], Sequence[ExecutionId]]]] = {
    ExecutionId: lambda execution_id: (execution_id,),
    Fence: lambda fence: (fence.execution_id,),
    Due: lambda due: (due.execution_id,),
    CreateExecution: lambda creation: (creation.execution_id,),
    NewEdge: lambda edge: (edge.downstream, edge.upstream),
    Said: lambda said: (said.fence.execution_id,),
    tuple[Said, ...]: lambda items: [said.fence.execution_id for said in items],
    tuple[Fence, ...]: lambda fences: [fence.execution_id for fence in fences],
    tuple[CreateExecution, ...]: lambda items: [item.execution_id for item in items],
    tuple[tuple[str, CreateExecution], ...]: lambda nodes: [creation.execution_id for _, creation in nodes],
}
"""The executions that a field of this type names."""
FLOW_IN: Final[Mapping[object, Callable[[Any], FlowId]]] = {
    FlowId: lambda flow_id: flow_id,
    CreateFlow: lambda creation: creation.flow_id,
}
"""The flow that a field of this type names."""


def executions_named_by(command: AnyCommand) -> Sequence[ExecutionId]:
    """The executions that a command names by their ids. Executions that a schedule will make are not among them."""
    found: Sequence[ExecutionId] = ()
    for name, executions_in in _fields_with_executions(type(command)):
        named = executions_in(getattr(command, name))
        found = [*found, *named] if found else named
    return found


def flow_named_by(command: AnyCommand) -> FlowId | None:
    """The flow that a command names by its id."""
    for name, flow_in in _fields_with_a_flow(type(command)):
        return flow_in(getattr(command, name))
    return None


@cache
def _fields_with_executions(command: type[AnyCommand]) -> Sequence[tuple[str, Callable[[Any], Sequence[ExecutionId]]]]:
    return _fields(command, EXECUTIONS_IN)


@cache
def _fields_with_a_flow(command: type[AnyCommand]) -> Sequence[tuple[str, Callable[[Any], FlowId]]]:
    return _fields(command, FLOW_IN)


def _fields(command: type[AnyCommand], naming: Mapping[object, T]) -> list[tuple[str, T]]:
    fields = msgspec.structs.fields(command)
    return [(field.name, naming[field.type]) for field in fields if field.type in naming]


def creations_in(command: AnyCommand) -> Sequence[CreateExecution]:
    """The executions that a command makes and that belong to no flow."""
    if isinstance(command, CreateExecution):
        return (command,)
    return command.items if isinstance(command, CreateExecutions) else ()


def lanes_filled_by(command: AnyCommand) -> Sequence[tuple[str, str]]:
    """The lanes (with namespaces) in which a command makes an execution ready, if the command alone shows that."""
    return [
        (each.namespace, each.lane)
        for each in creations_in(command)
        if each.delay_until_ms is None and each.debounce_ms is None
    ]
