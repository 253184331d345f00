"""What the sentences about flows are made of: a graph drawn as text, and its members called by their names."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final

from flowfabric import (
    AllOf,
    AnyOf,
    BlockingEngine,
    Claimed,
    Created,
    EdgeGroupSnapshot,
    EdgeSnapshot,
    Event,
    FlowCreated,
    FlowGraph,
    FlowSnapshot,
    Lease,
    ManualClock,
    Quorum,
)
from flowfabric_conformance.stage import claim, look

Join = AllOf | AnyOf | Quorum

UNKNOWN_FLOW: Final = "00000000-0000-7000-8000-000000000000"


class Dag:
    """A flow whose members are called by name; each is alone on the lane of its name."""

    def __init__(self, engine: BlockingEngine, flow_id: str, ids: Mapping[str, str]) -> None:
        self.engine = engine
        self.flow_id = flow_id
        self.ids = dict(ids)

    def __getitem__(self, name: str) -> str:
        return self.ids[name]

    # ── acting ───────────────────────────────────────────────────────────────────────────────────

    def claim(self, name: str, **arguments: Any) -> Claimed:
        """What a worker gets that asks for this member alone."""
        namespace = look(self.engine, self.ids[name]).namespace
        claimed = claim(self.engine, lanes=[name], namespace=namespace, **arguments)
        assert claimed.execution_id == self.ids[name]
        return claimed

    def start(self, name: str) -> Lease:
        """The lease of the member, which runs now."""
        return self.claim(name).lease

    def complete(self, name: str, result: bytes | None = None) -> None:
        """Run the member to a good end."""
        self.engine.complete(self.start(name), result)

    def fail(self, name: str) -> None:
        """Run the member until it fails for good."""
        self.engine.fail(self.start(name), code="boom", retryable=False)

    def cancel(self, name: str) -> None:
        """Cancel the member."""
        self.engine.cancel_execution(self.ids[name], reason="stop")

    def end(self, name: str, how: str) -> None:
        """Bring the member to the named end: completed, failed or cancelled."""
        {"completed": self.complete, "failed": self.fail, "cancelled": self.cancel}[how](name)

    def add(self, name: str, *after: str | tuple[str, str], **arguments: Any) -> str:
        """A further member that waits for those named, or for pairs of a name and how its result is passed on."""
        upstreams = [self.ids[u] if isinstance(u, str) else (self.ids[u[0]], u[1]) for u in after]
        answer = self.engine.add_execution(self.flow_id, name, after=upstreams, **{"lane": name, **arguments})
        assert isinstance(answer, Created)
        self.ids[name] = answer.execution_id
        return answer.public_state

    def link(self, upstream: str, downstream: str, **arguments: Any) -> str:
        """A further edge's id."""
        added = self.engine.add_dependency(self.flow_id, self.ids[upstream], self.ids[downstream], **arguments)
        return added.edge_id

    # ── looking ──────────────────────────────────────────────────────────────────────────────────

    def flow(self) -> FlowSnapshot:
        """The flow as it is now."""
        return look_at_flow(self.engine, self.flow_id)

    def state(self, name: str) -> str:
        """The member's public state."""
        return look(self.engine, self.ids[name]).public_state

    def states(self, *names: str) -> list[str]:
        """The public states of these members."""
        return [self.state(name) for name in names]

    def group(self, name: str) -> EdgeGroupSnapshot:
        """What the member waits for."""
        (group,) = (group for group in self.flow().groups if group.downstream == self.ids[name])
        return group

    def counts(self, name: str) -> tuple[int, int, int, int, int]:
        """Of the member's group: total, successes, failures, skips, and how many have not ended."""
        group = self.group(name)
        return group.total, group.success_count, group.fail_count, group.skip_count, group.running_count

    def edge(self, upstream: str, downstream: str) -> EdgeSnapshot:
        """The one edge between these two."""
        (edge,) = self.engine.list_edges(self.flow_id, upstream=self.ids[upstream], downstream=self.ids[downstream])
        return edge

    def events(self) -> list[Event]:
        """What was told of the flow itself, first to last."""
        return flow_events(self.engine, self.flow_id)

    def story(self) -> list[str]:
        """What happened to the flow itself, as `channel.type`."""
        return [f"{event.channel}.{event.event_type}" for event in self.events()]


def graph_of(drawing: str, *, joins: Mapping[str, Join] | None = None, **arguments: Any) -> FlowGraph:
    """A graph from a drawing such as `a>c b>c d`; `nodes` may hold arguments by name."""
    nodes: Mapping[str, Mapping[str, Any]] = arguments.pop("nodes", {})
    every: Mapping[str, Any] = arguments.pop("every", {})
    passing: Mapping[str, str] = arguments.pop("passing", {})
    graph = FlowGraph("pipeline", **arguments)
    chains = [chain.split(">") for chain in drawing.split()]
    for name in dict.fromkeys(name for chain in chains for name in chain):
        graph.node(name, name, **{"lane": name, **every, **nodes.get(name, {})})
    for chain in chains:
        for upstream, downstream in pairwise(chain):
            graph.edge(upstream, downstream, pass_result_as=passing.get(f"{upstream}>{downstream}"))
    for name, policy in (joins or {}).items():
        graph.join(name, policy)
    return graph


def submit(engine: BlockingEngine, drawing: str, **arguments: Any) -> Dag:
    """The drawn flow, submitted in one step."""
    submitted = engine.submit_flow(graph_of(drawing, **arguments))
    return Dag(engine, submitted.flow_id, submitted.execution_ids)


def create_flow(engine: BlockingEngine, kind: str = "pipeline", **arguments: Any) -> Dag:
    """A new flow without members."""
    answer = engine.create_flow(kind, **arguments)
    assert isinstance(answer, FlowCreated)
    return Dag(engine, answer.flow_id, {})


def look_at_flow(engine: BlockingEngine, flow_id: str) -> FlowSnapshot:
    """The flow as it is now."""
    snapshot = engine.describe_flow(flow_id)
    assert snapshot is not None
    return snapshot


def flow_events(engine: BlockingEngine, flow_id: str) -> list[Event]:
    """What was told of the flow itself, first to last."""
    found = engine.read_events(flow_id=flow_id, limit=1000).events
    return [event for event in found if event.execution_id is None]


def expire(dag: Dag, clock: ManualClock, name: str) -> None:
    """Let the deadline of a member pass that was made with one."""
    deadline_at_ms = look(dag.engine, dag[name]).deadline_at_ms
    assert deadline_at_ms is not None
    clock.advance(deadline_at_ms - clock.now_ms)
    dag.engine.reconcile()
