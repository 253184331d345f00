"""Plain flows: those that a store may create by statements of its own, without the rules.

All members of a plain flow are plain creations (see `plain`), and the flow and its edges are new. What the rules make
of such a flow depends on nothing but its form. So they decide a sample of each form, once, and stores write what has
become of the sample, with the ids, names and payloads of their own flow.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from flowfabric.domain.batch_io import Loaded
from flowfabric.domain.commands import CreateExecution, Envelope, NewEdge, SubmitFlow
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import EdgeGroup
from flowfabric.domain.ids import make_execution_id, partition_in
from flowfabric.domain.joins import Join
from flowfabric.domain.plain import is_plain
from flowfabric.domain.plain_members import SAMPLE_SUBMIT, SUBMITTED
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.working_set import WorkingSet

MEMBERS_MAX: Final = 200
EDGES_MAX: Final = 1_000
"""A larger flow is left to the rules: its form would rarely come again."""


class Form(NamedTuple):
    """What the rules look at when they create a plain flow. Members stand for themselves by their places."""

    retentions_ms: tuple[int | None, ...]
    edges: tuple[tuple[int, int, bool], ...]
    """Upstream, downstream, and whether a result is passed on."""
    joins: tuple[tuple[int, Join], ...]


class NewFlow(msgspec.Struct, frozen=True):
    """What the rules have made of a sample, where it differs from form to form."""

    node_count: int
    edge_count: int
    live_count: int
    retention_ms: int | None
    are_blocked: Sequence[bool]
    """Which members wait for others. The rest may run at once."""
    groups: Sequence[tuple[int, EdgeGroup]]
    """Each with the place of the member that it belongs to."""


def form_of(command: SubmitFlow) -> Form | None:
    """The form of a flow. None: it is not plain."""
    flow = command.flow
    if flow.id_was_given or len(command.nodes) > MEMBERS_MAX or len(command.edges) > EDGES_MAX:
        return None
    places = {creation.execution_id: place for place, (_, creation) in enumerate(command.nodes)}
    for _, creation in command.nodes:
        if creation.namespace != flow.namespace or not is_plain(creation, "created"):
            return None
    return Form(
        tuple([creation.policy.retention_ms for _, creation in command.nodes]),
        tuple([(places[e.upstream], places[e.downstream], e.pass_result_as is not None) for e in command.edges]),
        tuple([(places[downstream], join) for downstream, join in command.joins]),
    )


@lru_cache(maxsize=256)
def made_of(form: Form) -> NewFlow | None:
    """What the rules make of flows of this form. None: they refuse it, or do more with it than statements can."""
    submit = _sample_of(form)
    batch = [Envelope(submit)]
    wanted = needs(batch)
    ws = WorkingSet(Loaded(), wanted, now_ms=0, store="sample")
    (answer,) = apply_batch(ws, batch)
    assert ws.missing.is_empty
    if isinstance(answer, Exception):
        return None
    changes = ws.changes()
    flow = ws.flow(submit.flow.flow_id)
    members = [ws.executions[creation.execution_id] for _, creation in submit.nodes]
    places = {x.execution_id: place for place, x in enumerate(members)}
    groups = [(places[group.downstream], group) for _, group in changes.groups]
    if (
        changes.events
        or replace(flow, node_count=2, edge_count=1, live_count=2, retention_ms=0) != SUBMITTED.flow
        or not all(_as_sample(x) in (SUBMITTED.first, SUBMITTED.second) for x in members)
        or not all(replace(group, **_OF_A_GROUP) == SUBMITTED.group for _, group in groups)
        or not all(replace(edge, **_OF_AN_EDGE) == SUBMITTED.edge for _, edge in changes.edges)
    ):
        return None
    return NewFlow(
        flow.node_count,
        flow.edge_count,
        flow.live_count,
        flow.retention_ms,
        [_as_sample(x) == SUBMITTED.second for x in members],
        groups,
    )


def _sample_of(form: Form) -> SubmitFlow:
    """A flow of this form, which is the sample but for the form."""
    partition = partition_in(_FIRST.execution_id)
    keys = [make_execution_id(partition, f"00000000-0000-7000-8000-{at + 1:012x}") for at in range(MEMBERS_MAX)]
    nodes = [
        (f"{place}", replace(_FIRST, execution_id=keys[place], policy=ExecutionPolicy(retention_ms=retention_ms)))
        for place, retention_ms in enumerate(form.retentions_ms)
    ]
    edges = [
        NewEdge(f"{number}", keys[upstream], keys[downstream], "sample" if passes else None)
        for number, (upstream, downstream, passes) in enumerate(form.edges)
    ]
    joins = [(keys[place], join) for place, join in form.joins]
    return SubmitFlow(SAMPLE_SUBMIT.flow, tuple(nodes), tuple(edges), tuple(joins))


def _as_sample(x: Execution) -> Execution:
    """The member with everything that a statement takes from the command, taken from a member of the sample flow."""
    sample = SUBMITTED.first if x.eligibility_state == SUBMITTED.first.eligibility_state else SUBMITTED.second
    return replace(x, execution_id=sample.execution_id, node=sample.node, policy=sample.policy)


_FIRST: Final[CreateExecution] = SAMPLE_SUBMIT.nodes[0][1]
_OF_A_GROUP: Final = {
    "downstream": SUBMITTED.group.downstream,
    "join": SUBMITTED.group.join,
    "total": SUBMITTED.group.total,
    "passes_results": SUBMITTED.group.passes_results,
}
_OF_AN_EDGE: Final = {
    "edge_id": SUBMITTED.edge.edge_id,
    "upstream": SUBMITTED.edge.upstream,
    "downstream": SUBMITTED.edge.downstream,
    "pass_result_as": SUBMITTED.edge.pass_result_as,
}
