"""What a batch must see of limits, budgets, and the executions at their gates."""

import logging
from collections.abc import Collection

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.errors import Corruption
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.stores.sqlite.gate_rows import DEFINITIONS, USES, GateRows
from flowfabric.stores.sqlite.graph import Graph

log = logging.getLogger("flowfabric.stores.sqlite")


def load_gates(needs: Needs, loaded: Loaded, rows: GateRows, graph: Graph) -> None:
    """Read what the batch asks for. Most batches ask for nothing."""
    rows.load((*DEFINITIONS, *USES), needs, loaded)
    crowded = rows.crowded_gates(needs.parked)
    for gate, most in needs.parked.items():
        loaded.parked[gate] = rows.parked(gate, most) if gate in crowded else []
    parked = [place.execution_id for gate in needs.parked for place in loaded.parked[gate]]
    _load_executions(parked, loaded, graph)
    for gate, most in needs.running.items():
        loaded.running[gate] = rows.running(gate, most)
        _load_executions(loaded.running[gate], loaded, graph)
        _load_flows(loaded.running[gate], loaded, graph)
    loaded.crowded |= rows.crowded(needs.crowded)
    for gate, most in needs.in_the_way.items():
        loaded.in_the_way[gate] = (rows.ages(gate, most, "queued", "parked"), rows.ages(gate, most, "leased"))
    for asked in needs.crowded_keys:
        loaded.crowded_keys[asked] = rows.crowded_keys(*asked)
    if needs.budgets_under:
        loaded.budgets_under.update(rows.budgets_under(sorted(needs.budgets_under)))


def _load_executions(execution_ids: Collection[ExecutionId], loaded: Loaded, graph: Graph) -> None:
    """Read executions. A damaged one must not keep the others waiting: it is left out."""
    unknown = [key for key in execution_ids if key not in loaded.executions]
    try:
        loaded.executions.update((x.execution_id, x) for x in graph.executions(unknown))
    except Corruption as error:
        if len(unknown) == 1:
            log.error("a damaged execution is skipped: %s", error, extra={"cause": str(error)})
            return
        for key in unknown:
            _load_executions([key], loaded, graph)


def _load_flows(execution_ids: Collection[ExecutionId], loaded: Loaded, graph: Graph) -> None:
    members = [x for key in execution_ids if (x := loaded.executions.get(key)) is not None and x.flow_id is not None]
    flow_ids = {FlowId(x.flow_id) for x in members if x.flow_id is not None}
    loaded.flows.update((flow.flow_id, flow) for flow in graph.flows(flow_ids - loaded.flows.keys()))
