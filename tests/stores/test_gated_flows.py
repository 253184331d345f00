"""A flow of many members that stand at limits and budgets is cancelled: all that they held and waited for is free."""

import pytest

from flowfabric import BlockingEngine, FlowGraph, ManualClock
from flowfabric_conformance.gate_stage import budget_at, claims, gated, limit_at, states
from flowfabric_conformance.stage import claim_ids
from tests.assembled import Assembled
from tests.chaos.books import assert_nothing_is_broken
from tests.stores_under_test import SHARED_STORES

MEMBERS = 600
"""More than one transaction cancels, and more than one transaction lets in."""
RUNNING = 40
OTHERS = 10


@pytest.mark.parametrize("store_url", SHARED_STORES, indirect=True)
def test_a_cancelled_flow_gives_back_every_slot_and_others_are_let_in(parts: Assembled, clock: ManualClock) -> None:
    engine = parts.engine
    engine.set_limit("api", concurrency=RUNNING)
    engine.set_budget("team", limits={"usd": RUNNING + OTHERS})
    flow_id = a_wide_flow(engine)
    running = claims(engine)  # and the rest is parked
    others = [gated(engine, budgets={"team": {"usd": 1}}, lane="other") for _ in range(OTHERS)]
    poor = gated(engine, {}, budgets={"team": {"usd": RUNNING + OTHERS}}, lane="other")
    for _ in range(2):  # what the first claim parks at the limit lets the last one look at the budget again
        assert claim_ids(engine, lanes=["other"]) == []
    before = (limit_at(engine).in_use, limit_at(engine).parked, budget_at(engine).reserved["usd"])
    parked = states(engine, *others, poor)

    engine.cancel_flow(flow_id, reason="enough", policy="cancel_all")
    while any(engine.reconcile().values()):
        clock.advance(100)

    assert len(running) == RUNNING
    assert before == (RUNNING, MEMBERS - RUNNING + OTHERS, RUNNING)
    assert set(parked) == {"rate_limited"}
    assert engine.count_executions(flow_id=flow_id, public_state="cancelled") == MEMBERS
    assert (limit_at(engine).in_use, limit_at(engine).parked, budget_at(engine).reserved["usd"]) == (0, 0, 0)
    assert_nothing_is_broken(parts.store)
    assert claim_ids(engine, lanes=["other"]) == others
    assert (limit_at(engine).in_use, budget_at(engine).parked) == (OTHERS, 1)


def a_wide_flow(engine: BlockingEngine) -> str:
    graph = FlowGraph("wide")
    for number in range(MEMBERS):
        graph.node(f"member {number}", "job", limits={"api": ""}, budgets={"team": {"usd": 1}})
    return engine.submit_flow(graph).flow_id
