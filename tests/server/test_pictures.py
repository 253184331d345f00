"""The route of a flow's picture: places that are kept while the graph stays, states that are always fresh."""

import pytest

from flowfabric import AnyOf, FlowGraph, InvalidInput
from flowfabric.drawing.svg import SHAPES
from flowfabric.server import dashboard, pictures
from tests.server.running import Caller, Running

pytestmark = pytest.mark.xdist_group("server: routes")


def a_film(call: Caller, lane: str, scenes: int = 6) -> tuple[str, dict[str, str]]:
    """A flow that splits a film and encodes its scenes. Its id, and those of its members by name."""
    graph = FlowGraph("film")
    graph.node("split", "split", lane=lane)
    graph.node("merge", "merge", lane=lane)
    for number in range(scenes):
        graph.node(f"encode{number}", "encode", lane=lane)
        graph.edge("split", f"encode{number}")
        graph.edge(f"encode{number}", "merge")
    submitted = call("submit_flow", graph)
    return submitted.flow_id, submitted.execution_ids


def work(call: Caller, lane: str, count: int = 1) -> None:
    for claim in call("claim", worker_id="w", worker_instance_id="i", lanes=[lane], limit=count):
        call("complete", claim.lease)


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The flows that were laid out."""
    made: list[str] = []
    real = pictures.plan

    def noted(records, expand):
        made.append(records.flow.flow_id)
        return real(records, expand)

    monkeypatch.setattr(pictures, "plan", noted)
    return made


def test_a_picture_has_places_states_joins_and_progress(call: Caller) -> None:
    flow, ids = a_film(call, "p1")
    work(call, "p1")
    answer = call.http.get(f"/v1/flows/{flow}/layout").json()
    assert (answer["flow_id"], answer["kind"], answer["state"], answer["revision"]) == (flow, "film", "running", 1)
    split, merge, encode = answer["nodes"]
    assert (split["id"], split["label"], split["state"], split["join"]) == (ids["split"], "split", "completed", None)
    assert (encode["label"], encode["count"], encode["states"], encode["members"]) == (
        "encode × 6", 6, {"waiting": 6}, None,
    )  # fmt: skip
    assert (merge["join"]["label"], merge["join"]["completed"]) == ("all 6", 0)
    assert split["x"] < encode["x"] < merge["x"] < answer["width"]
    assert {(edge["source"], edge["target"], edge["count"]) for edge in answer["edges"]} == {
        (ids["split"], encode["id"], 6),
        (encode["id"], ids["merge"], 6),
    }
    assert answer["progress"] == {
        "total": 8,
        "ended": 1,
        "states": {"waiting": 6, "waiting_children": 1, "completed": 1},
    }


def test_a_node_is_opened_and_groups_name_their_members(call: Caller) -> None:
    flow, ids = a_film(call, "p2")
    encodes = {key for name, key in ids.items() if name.startswith("encode")}
    (group,) = [node for node in call("flow_layout", flow, members=True).nodes if node.count > 1]
    assert set(group.members) == encodes
    opened = call("flow_layout", flow, expand=[group.id])
    assert {node.id for node in opened.nodes} == set(ids.values())


def test_places_are_found_once_for_each_revision_and_states_are_fresh(call: Caller, plans: list[str]) -> None:
    # Given a picture of a flow
    flow, ids = a_film(call, "p3")
    before = call("flow_layout", flow)
    # When a member runs
    work(call, "p3")
    after = call("flow_layout", flow)
    # Then its state has changed, and nothing was laid out again
    assert (before.nodes[0].state, after.nodes[0].state) == ("waiting", "completed")
    assert [(node.x, node.y) for node in before.nodes] == [(node.x, node.y) for node in after.nodes]
    assert plans == [flow]
    # When a member is added, which changes the revision
    call("add_execution", flow, "mail", lane="p3", after=[ids["merge"]])
    grown = call("flow_layout", flow)
    # Then it is in the picture
    assert grown.revision == after.revision + 1
    assert len(grown.nodes) == len(after.nodes) + 1
    assert plans == [flow, flow]


def test_the_plans_that_were_used_least_recently_are_given_up(
    call: Caller, plans: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "KEPT_NODES_MAX", 16)
    first, second, third = (a_film(call, "p4")[0] for _ in range(3))
    for flow in (first, second, first, third, first):
        call("flow_layout", flow)
    assert plans == [first, second, third]
    call("flow_layout", second)
    assert plans[3:] == [second]


def test_a_large_flow_is_drawn_on_a_thread(call: Caller) -> None:
    flow, _ = a_film(call, "p5", scenes=pictures.LARGE)
    assert [node.count for node in call("flow_layout", flow).nodes] == [1, 1, pictures.LARGE]


def test_too_many_opened_nodes_are_refused(call: Caller) -> None:
    flow, ids = a_film(call, "p6")
    with pytest.raises(InvalidInput, match=r"expand names 51 nodes; the limit is 50"):
        call("flow_layout", flow, expand=[ids["split"]] * 51)


def test_a_join_of_any_is_drawn_as_such(call: Caller) -> None:
    graph = FlowGraph("hedged")
    for name in ("a", "b", "end"):
        graph.node(name, name, lane="p7")
    graph.edge("a", "end")
    graph.edge("b", "end")
    graph.join("end", AnyOf())
    flow = call("submit_flow", graph).flow_id
    work(call, "p7")
    end = next(node for node in call("flow_layout", flow).nodes if node.label == "end")
    assert (end.join.rule, end.join.label, end.join.state) == ("any", "any of 2", "satisfied")


def test_a_submitter_sees_pictures_of_its_own_flows(guarded: Running, callers) -> None:
    mine, other = (callers(guarded.url, guarded.token("submitter", name=name)) for name in ("ann", "ben"))
    flow, _ = a_film(mine, "p8")
    assert mine("flow_layout", flow).flow_id == flow
    assert other.http.get(f"/v1/flows/{flow}/layout").status_code == 404
    elsewhere = callers(guarded.url, guarded.token("viewer", name="zoe", namespace="elsewhere"))
    assert elsewhere.http.get(f"/v1/flows/{flow}/layout").status_code == 404


def test_the_dashboard_draws_the_same_signs_as_ff_does() -> None:
    script = dashboard.asset("format.js").body.decode()
    for shape in SHAPES.values():
        assert shape.split("zM", 1)[-1].removeprefix("M") in script
