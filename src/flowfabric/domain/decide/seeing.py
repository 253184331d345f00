"""Needs that several commands share. The needs of a single command stand next to its rule."""

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import AnyCommand, CreateExecution, executions_named_by, flow_named_by
from flowfabric.domain.gates import GateAt, Gates


def its_executions(command: AnyCommand, wanted: Needs) -> None:
    """The executions that the command names."""
    wanted.executions.update(executions_named_by(command))


def its_executions_and_their_flows(command: AnyCommand, wanted: Needs) -> None:
    """The executions that the command names, and their flows: the command may end or queue these executions."""
    wanted.flows_of.update(executions_named_by(command))


def its_flow(command: AnyCommand, wanted: Needs) -> None:
    """The flow that the command names."""
    flow_id = flow_named_by(command)
    assert flow_id is not None
    wanted.flows.add(flow_id)


def its_whole_flow(command: AnyCommand, wanted: Needs) -> None:
    """The flow that the command names, with all members, edges and groups."""
    flow_id = flow_named_by(command)
    assert flow_id is not None
    wanted.flows.add(flow_id)
    wanted.whole_flows.add(flow_id)


def what_a_creation_sees(creation: CreateExecution, wanted: Needs) -> None:
    """The present holders of the id and of the key. An id that was just minted cannot be taken."""
    if creation.id_was_given:
        wanted.executions.add(creation.execution_id)
        wanted.payloads.add(creation.execution_id)
    if creation.idempotency_key is not None:
        wanted.idempotency_keys.add((creation.namespace, creation.idempotency_key))
        if creation.idempotency_on_ended != "return" or creation.debounce_ms is not None:
            wanted.key_holders.add((creation.namespace, creation.idempotency_key))
    if creation.gates is not None:
        _gates_of_a_creation(creation, creation.gates, wanted)


def _gates_of_a_creation(creation: CreateExecution, gates: Gates, wanted: Needs) -> None:
    """Its limits and budgets, whether others are parked there, and what gives it a turn."""
    namespace, lane = creation.namespace, creation.lane
    what_gates_need(namespace, gates, wanted)
    if creation.delay_until_ms is None:
        named: list[GateAt] = [(namespace, "budget", name, "") for name, _ in gates.budgets]
        named += [(namespace, "limit", name, key) for name, key in gates.limits]
        wanted.crowded.update((gate, lane, creation.required_capabilities) for gate in named)
        if gates.fair_key is not None:
            wanted.lane_turns.add((namespace, lane, creation.priority))
            wanted.key_turns.add((namespace, lane, creation.priority, gates.fair_key))


def what_gates_need(namespace: str, gates: Gates, wanted: Needs) -> None:
    """The limits and budgets that the gates of a new execution name."""
    wanted.limits.update((namespace, name, None) for name, _ in gates.limits)
    wanted.budgets.update((namespace, name) for name, _ in gates.budgets)
