"""Nobody waits for what is decided: whatever happened to the stored records, one sweep puts it right."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest

from flowfabric import AnyOf, BlockingEngine, FlowGraph, FlowSubmitted
from flowfabric.domain.decide.ending import CASCADE_MAX
from flowfabric.stores._shared.encoding import ELIGIBILITY_CODES, PUBLIC_STATE_CODES
from flowfabric.stores._shared.flows import GROUP_STATE_CODES, ON_SATISFIED
from tests.postgres_server import connected
from tests.stores_under_test import SHARED_STORES, STORES

BLOCKED = f"""update ff_exec_core set eligibility_state = {ELIGIBILITY_CODES["blocked_by_dependencies"]},
    public_state = {PUBLIC_STATE_CODES["waiting_children"]} where execution_id = :id"""
SATISFIED, IMPOSSIBLE, PENDING = (
    f"update ff_edge_group set state = {GROUP_STATE_CODES[state]} where downstream = :id"
    for state in ("satisfied", "impossible", "pending")
)
CANCELS_THE_REST = f"""update ff_edge_group set policy_on_satisfied = {ON_SATISFIED.index("cancel_remaining")}
    where downstream = :id"""

Damage = Callable[[str, str], None]


@pytest.fixture(params=SHARED_STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The url of an empty store whose records others can damage."""
    with STORES[request.param].empty(tmp_path) as url:
        yield url


@pytest.fixture
def damage(store_url: str, engine: BlockingEngine) -> Damage:
    """Change a stored record behind everyone's back."""

    def damage(statement: str, execution_id: str) -> None:
        uuid = UUID(execution_id[-36:])
        if store_url.startswith("sqlite:"):
            connection = sqlite3.connect(store_url.removeprefix("sqlite:///"), isolation_level=None)
            changed = connection.execute(statement, {"id": uuid.bytes}).rowcount
            connection.close()
        else:
            with connected(store_url) as sql:
                changed = sql.execute(statement.replace(":id", "%(id)s"), {"id": uuid}).rowcount
        assert changed == 1

    return damage


def test_whom_a_satisfied_join_left_behind_runs(engine: BlockingEngine, damage: Damage) -> None:
    flow = submitted(engine, "first -> second", "second -> third")
    damage(SATISFIED, flow.execution_ids["second"])

    repaired = engine.reconcile()["stuck_joins"]

    assert repaired == 1
    assert states(engine, flow) == {"first": "waiting", "second": "waiting", "third": "waiting_children"}
    assert engine.reconcile()["stuck_joins"] == 0


def test_whom_an_impossible_join_left_behind_is_skipped_with_all_who_wait_for_it(
    engine: BlockingEngine, damage: Damage
) -> None:
    flow = submitted(engine, "first -> second", "second -> third", "third -> fourth")
    damage(IMPOSSIBLE, flow.execution_ids["second"])

    repaired = engine.reconcile()["stuck_joins"]

    assert repaired == 1
    assert states(engine, flow) == {"first": "waiting", "second": "skipped", "third": "skipped", "fourth": "skipped"}


def test_whoever_is_blocked_by_a_join_without_edges_runs(engine: BlockingEngine, damage: Damage) -> None:
    flow_id = engine.create_flow("flow").flow_id
    alone = engine.add_execution(flow_id, "alone", join=AnyOf("let_run")).execution_id
    damage(BLOCKED, alone)

    repaired = engine.reconcile()["stuck_joins"]

    assert repaired == 1
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
    assert claimed.execution_id == alone


def test_a_join_that_its_counts_decide_is_decided(engine: BlockingEngine, damage: Damage) -> None:
    flow = submitted(engine, "first -> second", "first -> third", "second -> fourth")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
    engine.complete(claimed.lease)
    # As if the end had been counted, and then nothing more.
    for name in ("second", "third"):
        damage(PENDING, flow.execution_ids[name])
        damage(BLOCKED, flow.execution_ids[name])

    repaired = engine.reconcile()["stuck_joins"]

    assert repaired == 2
    assert states(engine, flow) == {
        "first": "completed",
        "second": "waiting",
        "third": "waiting",
        "fourth": "waiting_children",
    }
    described = engine.describe_flow(flow.flow_id)
    assert described is not None
    assert {group.state for group in described.groups} == {"satisfied", "pending"}


def test_a_join_that_its_counts_make_impossible_is_decided_too(engine: BlockingEngine, damage: Damage) -> None:
    flow = submitted(engine, "first -> second", "second -> third")
    damage("update ff_edge_group set fail_count = 1 where downstream = :id", flow.execution_ids["second"])

    repaired = engine.reconcile()["stuck_joins"]

    assert repaired == 1
    assert states(engine, flow) == {"first": "waiting", "second": "skipped", "third": "skipped"}


def test_upstreams_that_a_late_decision_makes_needless_are_cancelled(engine: BlockingEngine, damage: Damage) -> None:
    flow = submitted(engine, "first -> joined", "other -> joined", join=("joined", AnyOf("let_run")))
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
    engine.complete(claimed.lease)
    # As if it had been one that cancels the rest, and had come no further than to be decided.
    damage(CANCELS_THE_REST, flow.execution_ids["joined"])
    damage(BLOCKED, flow.execution_ids["joined"])

    repaired = engine.reconcile()["stuck_joins"]

    assert repaired == 1
    assert states(engine, flow) == {"first": "completed", "joined": "waiting", "other": "cancelled"}


def test_a_late_decision_moves_everyone_in_the_same_sweep_however_many_they_are(
    engine: BlockingEngine, damage: Damage
) -> None:
    names = [f"member {number}" for number in range(CASCADE_MAX + 50)]
    flow = submitted(engine, "first -> second", *(f"second -> {name}" for name in names))
    damage(IMPOSSIBLE, flow.execution_ids["second"])

    done = engine.reconcile()

    assert done["stuck_joins"] == 1
    assert done["unsettled_ends"] == 1
    assert {state for name, state in states(engine, flow).items() if name != "first"} == {"skipped"}
    assert not any(engine.reconcile().values())


def test_who_waits_rightly_is_left_alone(engine: BlockingEngine, damage: Damage) -> None:
    flow = submitted(engine, "first -> second", "second -> third")
    engine.hold(flow.execution_ids["third"])
    # A held one waits for an operator, whatever its join says.
    damage(SATISFIED, flow.execution_ids["third"])
    before = states(engine, flow), engine.read_events().events

    done = engine.reconcile()

    assert not any(done.values())
    assert (states(engine, flow), engine.read_events().events) == before


def submitted(engine: BlockingEngine, *edges: str, join: tuple[str, AnyOf] | None = None) -> FlowSubmitted:
    """A flow of these edges, each spelled `upstream -> downstream`."""
    pairs = [tuple(edge.split(" -> ")) for edge in edges]
    graph = FlowGraph("stuck")
    for name in dict.fromkeys(name for pair in pairs for name in pair):
        graph.node(name, "kind")
    for upstream, downstream in pairs:
        graph.edge(upstream, downstream)
    if join is not None:
        graph.join(*join)
    return engine.submit_flow(graph)


def states(engine: BlockingEngine, flow: FlowSubmitted) -> dict[str, str]:
    found = {x.execution_id: x.public_state for x in engine.list_executions(flow_id=flow.flow_id, limit=1000).items}
    return {name: found[key] for name, key in flow.execution_ids.items()}
