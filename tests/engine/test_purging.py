"""A purge of a flow is decided again when its turn comes: a find that is stale by then removes nothing."""

import pytest

from flowfabric import FlowGraph
from flowfabric.domain.commands import Envelope, PurgeFlow
from flowfabric.domain.ids import FlowId
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
