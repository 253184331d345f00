"""A purge of a flow is decided again when its turn comes: a find that is stale by then removes nothing."""

from collections.abc import Sequence

import pytest

from flowfabric import ExecutionPolicy, FlowGraph, NewExecution
from flowfabric.domain.commands import AnyCommand, Envelope, HandleDue, PurgeFlow
from flowfabric.domain.errors import EngineError
from flowfabric.domain.ids import FlowId
from flowfabric.domain.outcomes import Outcome
from flowfabric.reconcilers.duties import FLOW_PAGE, PAGE
from flowfabric.reconcilers.sweep import Sweeper
from flowfabric.testing.clock import ManualClock
from tests.assembled import Assembled, assembled
from tests.faulty_store import FaultyStore


def _flow(parts: Assembled) -> FlowId:
    graph = FlowGraph("order")
    graph.node("pay", "kind")
    return FlowId(parts.engine.submit_flow(graph).flow_id)


def _ended(parts: Assembled) -> FlowId:
    flow_id = _flow(parts)
    parts.engine.complete(parts.engine.claim(worker_id="w", worker_instance_id="w-1")[0].lease)
    return flow_id


def _cancelled_with_a_live_member(parts: Assembled) -> FlowId:
    flow_id = _flow(parts)
    parts.engine.cancel_flow(flow_id, reason="", policy="flow_only")
    return flow_id


@pytest.mark.parametrize("found", [_flow, _cancelled_with_a_live_member])
def test_a_flow_that_lives_is_not_purged(store: FaultyStore, found):
    with assembled(store) as parts:
        flow_id = found(parts)

        answers = parts.commits.execute_all([Envelope(PurgeFlow(flow_id, parts.engine.server_time_ms() + 60_000))])

        assert answers == [False]
        assert parts.engine.describe_flow(flow_id) is not None


@pytest.mark.parametrize(("early_ms", "scope"), [(0, None), (60_000, "tenant-a")])
def test_a_flow_that_ended_later_or_elsewhere_is_not_purged(store: FaultyStore, early_ms: int, scope: str | None):
    with assembled(store) as parts:
        flow_id = _ended(parts)
        ended_at_ms = parts.engine.describe_flow(flow_id).terminal_at_ms

        answers = parts.commits.execute_all([Envelope(PurgeFlow(flow_id, ended_at_ms + early_ms), scope)])

        assert answers == [False]
        assert parts.engine.describe_flow(flow_id) is not None


def test_a_flow_that_was_over_before_is_purged(store: FaultyStore):
    with assembled(store) as parts:
        flow_id = _ended(parts)
        ended_at_ms = parts.engine.describe_flow(flow_id).terminal_at_ms

        answers = parts.commits.execute_all([Envelope(PurgeFlow(flow_id, ended_at_ms + 1))])

        assert answers == [True]
        assert parts.engine.describe_flow(flow_id) is None


class _SlowRemovals:
    """Takes commands; while it removes the first page of something, a lease runs out."""

    def __init__(self, parts: Assembled, clock: ManualClock) -> None:
        self._parts = parts
        self._clock = clock
        self.sent: list[list[str]] = []

    def execute_all(self, batch: Sequence[Envelope]) -> list[Outcome | EngineError]:
        kinds = [_kind_of(envelope.command) for envelope in batch]
        answers = self._parts.commits.execute_all(batch)
        if kinds and kinds[0] in ("retention", "PurgeFlow"):
            self._clock.advance(1_000)
        self.sent.append(kinds)
        return answers


def _kind_of(command: AnyCommand) -> str:
    return command.due.kind if isinstance(command, HandleDue) else type(command).__name__


@pytest.mark.parametrize("of", ["executions", "flows"])
def test_a_lease_that_runs_out_does_not_wait_for_the_end_of_a_long_removal(
    store: FaultyStore, clock: ManualClock, of: str
):
    gone_at_once = ExecutionPolicy(retention_ms=0)
    with assembled(store) as parts:
        engine = parts.engine
        leased = engine.create_execution("job").execution_id
        engine.claim(worker_id="w", worker_instance_id="w-1", lease_ttl_ms=500)
        if of == "executions":
            engine.create_executions([NewExecution(kind="old", policy=gone_at_once)] * (PAGE + 1))
        for _ in range(FLOW_PAGE + 1 if of == "flows" else 0):
            graph = FlowGraph("old")
            graph.node("a", "old", policy=gone_at_once)
            engine.submit_flow(graph)
        engine.operate("cancel", reason="test", kind="old", limit=1000)
        gateway = _SlowRemovals(parts, clock)

        Sweeper(parts.commits.store, gateway).run_once()

        sent = [kinds[0] for kinds in gateway.sent if kinds]
        removal = "retention" if of == "executions" else "PurgeFlow"
        assert [kind for kind in sent if kind in ("lease", removal)] == [removal, "lease", removal]
        described = engine.describe_execution(leased)
        assert described is not None
        assert described.interruption_count == 1
