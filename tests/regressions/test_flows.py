"""A flow says what it is: its state, its groups and its revision are stored, and every refusal has its own name."""

from binascii import crc_hqx

import pytest

from flowfabric import (
    AllOf,
    AlreadySet,
    AnyOf,
    BlockingEngine,
    Conflict,
    EdgeExists,
    ManualClock,
    NotAMember,
    PolicyFixed,
    PolicySet,
    Quorum,
    StaleGraphRevision,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import create_flow, submit
from flowfabric_conformance.stage import ENDED, an_execution, listed, listed_flows, refused

UUID = "550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize(("how", "state"), [("completed", "completed"), ("failed", "failed"), ("cancelled", "failed")])
def test_the_state_of_a_flow_is_there_as_soon_as_its_last_member_has_ended(
    engine: BlockingEngine, clock: ManualClock, how: str, state: str
) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")

    dag.end("b", how)

    assert (dag.flow().state, dag.flow().terminal_at_ms) == (state, clock.now_ms)
    assert dag.story() == [f"completion.flow_{state}"]


def test_the_state_of_a_group_follows_its_edges(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>x b>x a>y b>y", joins={"x": AllOf(), "y": AnyOf("let_run")})
    seen = [(dag.group("x").state, dag.group("y").state)]
    for name, how in (("a", "completed"), ("b", "failed")):
        dag.end(name, how)
        seen.append((dag.group("x").state, dag.group("y").state))

    assert seen == [("pending", "pending"), ("pending", "satisfied"), ("impossible", "satisfied")]


def test_a_list_by_state_and_the_members_themselves_use_the_same_words(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b c>d e f")
    dag.start("a")
    dag.fail("c")
    dag.complete("e")

    by_state = {
        state: {x.execution_id for x in listed(engine, flow_id=dag.flow_id, public_state=state)}
        for state in ("waiting", "waiting_children", "active", "completed", "failed", "skipped")
    }

    for name in dag.ids:
        assert dag[name] in by_state[dag.state(name)]
    assert sum(map(len, by_state.values())) == len(dag.ids) == dag.flow().node_count


@pytest.mark.parametrize("other", [{"kind": "other"}, {"namespace": "other"}])
def test_a_flow_made_again_as_something_else_is_not_taken_for_the_same(
    engine: BlockingEngine, clock: ManualClock, other: dict[str, str]
) -> None:
    create_flow(engine, flow_id=UUID)

    with refused(engine, Conflict):
        engine.create_flow(**{"kind": "pipeline", "namespace": "default", "flow_id": UUID, **other})


@rule_cases("state", ["waiting", *ENDED])
def test_an_execution_that_was_made_by_itself_never_becomes_a_member(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    solo = an_execution(state, engine, clock)
    partition = int(solo[len("{fp:") : solo.index("}")])
    flow_id = next(
        flow_id
        for flow_id in (f"00000000-0000-7000-8000-{number:012x}" for number in range(100_000))
        if crc_hqx(bytes.fromhex(flow_id.replace("-", "")), 0) % 256 == partition
    )
    dag = create_flow(engine, flow_id=flow_id)
    dag.add("a")

    with refused(engine, Conflict):
        engine.add_execution(flow_id, "job", execution_id=solo)
    with refused(engine, NotAMember):
        engine.add_dependency(flow_id, solo, dag["a"])


def test_a_flow_that_runs_can_be_built_further(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    dag.start("a")

    dag.add("b", "a")
    dag.add("c")
    dag.link("b", "c", expected_graph_revision=dag.flow().graph_revision)

    assert (dag.flow().state, dag.flow().graph_revision) == ("running", 4)


def test_a_stale_revision_is_told_by_its_own_name_and_only_where_one_was_expected(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a b c")
    dag.link("a", "b")

    with refused(engine, StaleGraphRevision):
        dag.link("a", "c", expected_graph_revision=1)
    dag.link("a", "c")

    assert dag.flow().edge_count == 2


def test_an_edge_id_that_is_taken_moves_nobodys_group(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b c d")
    dag.link("a", "b", edge_id="the edge")

    with refused(engine, EdgeExists):
        dag.link("c", "d", edge_id="the edge")
    dag.complete("a")

    assert dag.states("b", "d") == ["waiting", "waiting"]
    assert [group.downstream for group in dag.flow().groups] == [dag["b"]]


def test_a_policy_with_another_k_is_never_silently_kept(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a b c")
    answers = [engine.set_edge_group_policy(dag.flow_id, dag["c"], Quorum(k, "let_run")) for k in (1, 2, 2)]
    dag.link("a", "c")

    with refused(engine, PolicyFixed):
        engine.set_edge_group_policy(dag.flow_id, dag["c"], Quorum(1, "let_run"))

    assert answers == [PolicySet(), PolicySet(), AlreadySet()]
    assert dag.group("c").policy == Quorum(2, "let_run")


@rule_cases("how", ["completed", "failed", "cancelled"])
def test_a_flow_that_is_over_stays_in_the_list(engine: BlockingEngine, clock: ManualClock, how: str) -> None:
    dag = submit(engine, "a")
    if how == "cancelled":
        engine.cancel_flow(dag.flow_id, reason="stop")
    else:
        dag.end("a", how)
    clock.advance(10_000_000)
    engine.reconcile()

    assert [flow.flow_id for flow in listed_flows(engine)] == [dag.flow_id]
    assert [flow.flow_id for flow in listed_flows(engine, state=how)] == [dag.flow_id]


def test_a_tag_leaves_a_flow_readable_and_usable(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")

    engine.set_flow_tag(dag.flow_id, "team.name", "media")

    assert dag.flow().tags == {"team.name": "media"}
    dag.complete("a")
    dag.add("c", "b")
    assert dag.flow().tags == {"team.name": "media"}
    assert listed_flows(engine)[0].tags == {"team.name": "media"}


@rule_cases("number", range(8))
def test_a_flow_and_its_members_are_on_the_partition_that_its_id_says(
    engine: BlockingEngine, clock: ManualClock, number: int
) -> None:
    flow_id = f"550e8400-e29b-41d4-a716-44665544000{number}"
    partition = crc_hqx(bytes.fromhex(flow_id.replace("-", "")), 0) % 256

    dag = submit(engine, "a>b", flow_id=flow_id)
    dag.add("c", "b")

    assert {execution_id.partition(":")[2].partition("}")[0] for execution_id in dag.ids.values()} == {str(partition)}


def test_a_member_is_made_straight_into_the_state_it_belongs_in(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine)

    states = [
        dag.add("a"),
        dag.add("b", "a"),
        dag.add("c", delay_until_ms=clock.now_ms + 1),
        dag.add("d", "a", delay_until_ms=clock.now_ms + 1),
    ]

    assert states == ["waiting", "waiting_children", "delayed", "waiting_children"] == dag.states(*"abcd")
