"""Reading flows: one, many, their edges, what a blocked member waits for, and what was told of them; and their tags."""

import pytest

from flowfabric import (
    AllOf,
    AnyOf,
    BlockingEngine,
    EdgeGroupSnapshot,
    FlowSnapshot,
    InvalidInput,
    ManualClock,
    NotFound,
    Quorum,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import UNKNOWN_FLOW, Dag, create_flow, submit
from flowfabric_conformance.stage import (
    UNKNOWN,
    Started,
    create,
    events_of,
    listed,
    listed_flows,
    log,
    refused,
    unchanged,
)

STATES = ["open", "running", "completed", "failed", "cancelled"]


def a_flow(state: str, engine: BlockingEngine, member: str = "a", **arguments: str) -> Dag:
    """A flow in the named state, with one member."""
    dag = submit(engine, member, **arguments)
    if state == "cancelled":
        engine.cancel_flow(dag.flow_id, reason="stop")
    elif state == "running":
        dag.start(member)
    elif state != "open":
        dag.end(member, state)
    return dag


# ── one flow ─────────────────────────────────────────────────────────────────────────────────────


def test_a_flow_is_described_with_all_that_it_is(engine: BlockingEngine, clock: ManualClock) -> None:
    created_at_ms = clock.now_ms
    dag = submit(engine, "a>c b>c", joins={"c": Quorum(2, "let_run")}, tags={"team.name": "media"})
    clock.advance(5)
    dag.complete("a")

    assert engine.describe_flow(dag.flow_id) == FlowSnapshot(
        flow_id=dag.flow_id,
        kind="pipeline",
        namespace="default",
        state="running",
        graph_revision=1,
        node_count=3,
        edge_count=2,
        created_at_ms=created_at_ms,
        terminal_at_ms=None,
        cancel_reason=None,
        cancellation_policy=None,
        pending_cancel_acks=[],
        tags={"team.name": "media"},
        groups=[EdgeGroupSnapshot(dag["c"], Quorum(2, "let_run"), 2, 1, 0, 0, 1, "pending")],
    )


def test_an_unknown_flow_is_described_as_none(engine: BlockingEngine, clock: ManualClock) -> None:
    assert engine.describe_flow(UNKNOWN_FLOW) is None


def test_lists_in_a_described_flow_are_real_lists(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")

    assert type(dag.flow().groups) is list
    assert type(dag.flow().pending_cancel_acks) is list
    assert type(engine.list_edges(dag.flow_id)) is list
    assert type(engine.list_flows().items) is list


def test_there_is_a_group_for_each_member_that_something_leads_to(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b a>c b>d c>d")

    groups = dag.flow().groups

    assert sorted(group.downstream for group in groups) == sorted(dag[name] for name in "bcd")
    assert {group.policy for group in groups} == {AllOf()}


@pytest.mark.parametrize("how", ["cancelled", "expired"])
def test_a_group_whose_execution_ended_before_it_was_decided_is_cancelled(
    engine: BlockingEngine, clock: ManualClock, how: str
) -> None:
    dag = submit(engine, "a>b c>b", nodes={"b": {"deadline_at_ms": clock.now_ms + 100}})
    dag.complete("a")
    if how == "expired":
        clock.advance(100)
        engine.reconcile()
    else:
        dag.cancel("b")

    assert (dag.state("b"), dag.group("b").state, dag.counts("b")) == (how, "cancelled", (2, 1, 0, 0, 1))


def test_a_group_that_was_decided_stays_so_whatever_becomes_of_its_execution(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b")
    dag.complete("a")

    dag.cancel("b")

    assert dag.group("b").state == "satisfied"


# ── many flows ───────────────────────────────────────────────────────────────────────────────────


def test_flows_are_listed_newest_first(engine: BlockingEngine, clock: ManualClock) -> None:
    ids = []
    for _ in range(5):
        ids.append(create_flow(engine).flow_id)
        clock.advance(1)

    assert [flow.flow_id for flow in listed_flows(engine)] == ids[::-1]


def test_flows_of_every_partition_are_in_one_order(engine: BlockingEngine, clock: ManualClock) -> None:
    ids = [create_flow(engine).flow_id for _ in range(40)]

    found = [flow.flow_id for flow in listed_flows(engine)]

    assert found == sorted(ids, reverse=True)
    assert len({x.execution_id.split(":")[1] for x in listed(engine)}) <= 256


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 1000])
def test_flows_are_read_page_by_page_without_loss_or_repetition(
    engine: BlockingEngine, clock: ManualClock, limit: int
) -> None:
    ids = [create_flow(engine).flow_id for _ in range(7)]

    found = [flow.flow_id for flow in listed_flows(engine, limit=limit)]

    assert sorted(found) == sorted(ids)
    assert len(found) == 7


def test_the_last_page_has_no_cursor(engine: BlockingEngine, clock: ManualClock) -> None:
    for _ in range(4):
        create_flow(engine)

    first = engine.list_flows(limit=2)
    second = engine.list_flows(limit=2, cursor=first.next_cursor)

    assert first.next_cursor is not None
    assert (len(second.items), second.next_cursor) == (2, None)
    assert engine.list_flows(limit=4).next_cursor is None


def test_flows_that_come_while_a_list_is_read_do_not_disturb_it(engine: BlockingEngine, clock: ManualClock) -> None:
    ids = [create_flow(engine).flow_id for _ in range(4)]
    first = engine.list_flows(limit=2)
    clock.advance(1)
    create_flow(engine)

    rest = engine.list_flows(cursor=first.next_cursor)

    found = [*first.items, *rest.items]
    assert [flow.flow_id for flow in found if isinstance(flow, FlowSnapshot)] == sorted(ids, reverse=True)


@pytest.mark.parametrize("state", STATES)
def test_flows_are_listed_by_state(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    flows = {other: a_flow(other, engine, other).flow_id for other in STATES}

    found = listed_flows(engine, state=state)

    assert [flow.flow_id for flow in found] == [flows[state]]
    assert {flow.state for flow in found} == {state}
    assert len(listed_flows(engine)) == len(STATES)


def test_flows_are_listed_by_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    first, second = create_flow(engine), create_flow(engine, namespace="tenant-a")

    assert [flow.flow_id for flow in listed_flows(engine, namespace="tenant-a")] == [second.flow_id]
    assert [flow.flow_id for flow in listed_flows(engine, namespace="default")] == [first.flow_id]
    assert listed_flows(engine, namespace="tenant-b") == []
    assert listed_flows(engine, namespace="tenant-a", state="running") == []
    assert len(listed_flows(engine)) == 2


def test_a_filtered_list_is_read_page_by_page(engine: BlockingEngine, clock: ManualClock) -> None:
    running = set()
    for number in range(12):
        dag = a_flow("open" if number % 3 else "running", engine, f"n{number}", namespace=f"tenant-{number % 2}")
        if number % 3 == 0:
            running.add(dag.flow_id)

    assert {flow.flow_id for flow in listed_flows(engine, state="running", limit=1)} == running
    assert len(listed_flows(engine, state="running", namespace="tenant-0", limit=1)) == 2


@pytest.mark.parametrize("state", STATES)
def test_a_listed_flow_says_what_a_described_one_says(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    dag = a_flow(state, engine)

    (flow,) = listed_flows(engine)

    assert flow == dag.flow()


@pytest.mark.parametrize("cursor", ["", "garbage", "AAAA", "x" * 10_000])
def test_a_cursor_that_is_none_of_ours_is_refused(engine: BlockingEngine, clock: ManualClock, cursor: str) -> None:
    with refused(engine, InvalidInput):
        engine.list_flows(cursor=cursor)


def test_a_cursor_of_another_list_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    for _ in range(2):
        submit(engine, "a")
    of_executions = engine.list_executions(limit=1).next_cursor
    of_flows = engine.list_flows(limit=1).next_cursor

    with refused(engine, InvalidInput):
        engine.list_flows(cursor=of_executions)
    with refused(engine, InvalidInput):
        engine.list_executions(cursor=of_flows)


def test_executions_are_listed_by_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b c")
    submit(engine, "a>b")
    create(engine)

    assert {x.execution_id for x in listed(engine, flow_id=dag.flow_id)} == set(dag.ids.values())
    assert {x.execution_id for x in listed(engine, flow_id=dag.flow_id.upper())} == set(dag.ids.values())
    assert [x.execution_id for x in listed(engine, flow_id=dag.flow_id, public_state="waiting_children")] == [dag["b"]]
    assert listed(engine, flow_id=UNKNOWN_FLOW) == []


# ── edges ────────────────────────────────────────────────────────────────────────────────────────


def test_edges_are_listed_all_or_by_either_end(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c c>d c>e")

    def pairs(**filters: str) -> set[tuple[str, str]]:
        return {(edge.upstream, edge.downstream) for edge in engine.list_edges(dag.flow_id, **filters)}

    assert pairs() == {(dag[up], dag[down]) for up, down in ("ac", "bc", "cd", "ce")}
    assert pairs(upstream=dag["c"]) == {(dag["c"], dag["d"]), (dag["c"], dag["e"])}
    assert pairs(downstream=dag["c"]) == {(dag["a"], dag["c"]), (dag["b"], dag["c"])}
    assert pairs(upstream=dag["a"], downstream=dag["c"]) == {(dag["a"], dag["c"])}
    assert pairs(upstream=dag["a"], downstream=dag["d"]) == set()
    assert pairs(upstream=dag["d"]) == pairs(upstream=UNKNOWN) == set()


def test_edges_are_listed_in_one_order_on_every_store(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    ids = ["Zebra", "apple", "zebra", "äpfel", "10", "9", "_"]
    for edge_id in ids:
        dag.link("a", "b", edge_id=edge_id)

    found = [edge.edge_id for edge in engine.list_edges(dag.flow_id)]

    assert found == sorted(found)
    assert set(ids) < set(found)


def test_each_edge_can_be_described(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>c b>c", passing={"a>c": "it"})
    dag.fail("b")

    edges = engine.list_edges(dag.flow_id)

    assert [engine.describe_edge(dag.flow_id, edge.edge_id) for edge in edges] == edges
    assert {(edge.pass_result_as, edge.state) for edge in edges} == {("it", "pending"), (None, "impossible")}


def test_an_unknown_edge_is_described_as_none(engine: BlockingEngine, clock: ManualClock) -> None:
    dag, other = submit(engine, "a>b"), submit(engine, "a>b")

    assert engine.describe_edge(dag.flow_id, "no such edge") is None
    assert engine.describe_edge(dag.flow_id, other.edge("a", "b").edge_id) is None
    assert engine.describe_edge(UNKNOWN_FLOW, dag.edge("a", "b").edge_id) is None


def test_the_edges_of_an_unknown_flow_are_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound) as caught:
        engine.list_edges(UNKNOWN_FLOW)

    assert caught.value.entity == "flow"


def test_a_flow_without_edges_lists_none(engine: BlockingEngine, clock: ManualClock) -> None:
    assert engine.list_edges(submit(engine, "a").flow_id) == []


# ── why is it not running ────────────────────────────────────────────────────────────────────────


def test_a_blocked_member_is_explained_by_what_it_waits_for(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>d b>d c>d")
    dag.complete("a")

    why = engine.explain(dag["d"])

    assert "all 3" in why
    assert dag["b"] in why
    assert dag["c"] in why
    assert dag["a"] not in why


@pytest.mark.parametrize("join", [AllOf(), AnyOf("let_run"), Quorum(1, "let_run")])
def test_the_one_upstream_of_a_blocked_member_is_named(
    engine: BlockingEngine, clock: ManualClock, join: AllOf | AnyOf | Quorum
) -> None:
    dag = submit(engine, "a>b", joins={"b": join})

    assert dag["a"] in engine.explain(dag["b"])


@pytest.mark.parametrize(("join", "words"), [(AnyOf("let_run"), "any of the 2"), (Quorum(2, "let_run"), "2 of the 2")])
def test_the_join_of_a_blocked_member_is_named(
    engine: BlockingEngine, clock: ManualClock, join: AnyOf | Quorum, words: str
) -> None:
    dag = submit(engine, "a>c b>c", joins={"c": join})

    assert words in engine.explain(dag["c"])


def test_of_many_upstreams_some_are_named_and_the_others_counted(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, " ".join(f"u{number}>d" for number in range(30)))

    why = engine.explain(dag["d"])

    assert "all 30" in why
    assert "27 more" in why
    assert sum(dag[f"u{number}"] in why for number in range(30)) == 3


def test_a_quorum_that_lacks_edges_is_explained_by_them(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a")
    dag.add("q", "a", join=Quorum(3, "let_run"))

    why = engine.explain(dag["q"])

    assert "3 executions" in why
    assert "only 1" in why


def test_a_skipped_member_is_explained(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    dag.fail("a")

    assert engine.explain(dag["b"]) == (
        f"It was skipped, because {dag['a']} (a), on which it depends, failed with boom: no message given."
    )


def test_a_member_that_was_skipped_for_a_skipped_one_is_explained_by_the_first_that_failed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b>c>d x>d")
    dag.complete("x")
    dag.cancel("a")

    assert engine.explain(dag["d"]) == (
        f"It was skipped, because {dag['a']} (a), on which it depends, was cancelled by an operator: stop."
    )


def test_a_skipped_member_is_explained_by_what_failed_first_and_not_by_what_failed_later(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>b>d c>d")
    dag.fail("a")
    clock.advance(1)
    dag.fail("c")

    assert engine.explain(dag["d"]).startswith(f"It was skipped, because {dag['a']} (a), ")


def test_what_has_come_back_to_life_is_still_what_another_one_was_skipped_for(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = submit(engine, "a>c b>c")
    clock.advance(1)
    dag.fail("b")
    engine.replay_execution(dag["b"])

    skipped = f"It was skipped, because {dag['b']} (b), on which it depends, had failed"
    repair = f"`ff flow replay {dag.flow_id}` brings this one back."
    assert engine.explain(dag["c"]) == f"{skipped}. That one was replayed and has not ended again; {repair}"
    dag.complete("b")
    assert engine.explain(dag["c"]) == f"{skipped}. That one has completed since; {repair}"


def test_a_held_member_that_is_blocked_too_is_explained_by_the_hold(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    engine.hold(dag["b"])

    assert "held" in engine.explain(dag["b"])


def test_waiting_for_a_blocked_member_ends_with_it(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a>b")
    waiting = Started(lambda: engine.wait_for_result(dag["b"]))

    dag.fail("a")

    assert waiting.answer().public_state == "skipped"


# ── events ───────────────────────────────────────────────────────────────────────────────────────


def _eventful(engine: BlockingEngine) -> Dag:
    dag = submit(engine, "a>b c")
    dag.complete("a")
    dag.complete("b")
    dag.fail("c")
    engine.replay_execution(dag["c"])
    dag.start("c")
    engine.cancel_flow(dag.flow_id, reason="stop")
    return dag


def test_events_of_a_flow_and_of_its_members_are_numbered_apart_and_without_gaps(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = _eventful(engine)

    assert [event.seq for event in dag.events()] == [1, 2, 3, 4]
    assert dag.story() == [
        "completion.flow_failed",
        "operator.flow_reopened",
        "operator.flow_cancel_requested",
        "completion.flow_cancelled",
    ]
    for execution_id in dag.ids.values():
        events = events_of(engine, execution_id)
        assert [event.seq for event in events] == list(range(1, len(events) + 1))


def test_reading_the_events_of_a_flow_brings_its_members_too_and_nothing_foreign(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = _eventful(engine)
    other = _eventful(engine)
    create(engine)

    found = log(engine, flow_id=dag.flow_id)

    assert {event.flow_id for event in found} == {dag.flow_id}
    assert {event.execution_id for event in found} == {None, *dag.ids.values()}
    assert [event.event_id for event in found] == sorted(event.event_id for event in found)
    assert len(found) == len(log(engine)) - len(log(engine, flow_id=other.flow_id))


def test_events_of_a_flow_carry_its_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a", namespace="tenant-a")
    engine.cancel_flow(dag.flow_id, reason="stop")

    assert {event.namespace for event in dag.events()} == {"tenant-a"}
    assert log(engine, namespace="default") == []
    assert len(log(engine, namespace="tenant-a")) == 3


def test_events_of_flows_are_read_by_channel(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = _eventful(engine)

    operator = [e.event_type for e in log(engine, flow_id=dag.flow_id, channels=["operator"])]
    completion = [e.event_type for e in log(engine, flow_id=dag.flow_id, channels=["completion"])]

    assert operator == ["flow_reopened", "replayed", "flow_cancel_requested"]
    assert completion.count("flow_failed") == completion.count("flow_cancelled") == 1


def test_reading_the_events_of_an_execution_brings_none_of_its_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = _eventful(engine)

    assert {event.execution_id for event in events_of(engine, dag["c"])} == {dag["c"]}


def test_a_subscriber_hears_of_flows(engine: BlockingEngine, clock: ManualClock) -> None:
    subscription = engine.subscribe(from_now=True, channels=["completion"])
    dag = submit(engine, "a>b")

    dag.fail("a")

    heard = [Started(subscription.__next__).answer().event_type for _ in range(3)]
    assert heard == ["failed", "skipped", "flow_failed"]


def test_building_a_flow_is_not_told(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine)
    dag.add("a")
    dag.add("b", "a")
    dag.add("c")
    dag.link("b", "c")
    engine.set_flow_tag(dag.flow_id, "team.name", "media")
    dag.complete("a")

    assert {event.execution_id for event in log(engine)} == {dag["a"]}


# ── tags ─────────────────────────────────────────────────────────────────────────────────────────


@rule_cases("state", STATES)
def test_a_tag_can_be_put_on_a_flow_in_every_state(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    dag = a_flow(state, engine)
    before, events = dag.flow(), log(engine)

    engine.set_flow_tag(dag.flow_id, "team.name", "media")

    after = dag.flow()
    assert after.tags == {"team.name": "media"}
    assert (after.state, after.graph_revision, after.groups) == (before.state, before.graph_revision, before.groups)
    assert log(engine) == events


def test_a_flows_tag_that_is_set_again_changes_its_value_and_no_other(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    dag = create_flow(engine, tags={"team.name": "media", "team.size": "3"})

    engine.set_flow_tag(dag.flow_id, "team.name", "sales")

    assert dag.flow().tags == {"team.name": "sales", "team.size": "3"}


def test_a_flows_tag_is_no_tag_of_its_members(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = submit(engine, "a", tags={"team.name": "media"})

    assert listed(engine, tag=("team.name", "media")) == []
    assert dag.claim("a").tags == {}


def test_a_flow_takes_64_tags_and_no_more(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = create_flow(engine, tags={f"tag.n{number}": "x" for number in range(63)})
    engine.set_flow_tag(dag.flow_id, "tag.n63", "x")

    with refused(engine, InvalidInput):
        engine.set_flow_tag(dag.flow_id, "tag.n64", "x")

    engine.set_flow_tag(dag.flow_id, "tag.n0", "changed")
    assert dag.flow().tags["tag.n0"] == "changed"


def test_a_tag_on_an_unknown_flow_is_not_found(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound) as caught:
        engine.set_flow_tag(UNKNOWN_FLOW, "team.name", "x")

    assert caught.value.entity == "flow"


def test_reading_a_flow_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    dag = _eventful(engine)

    with unchanged(engine):
        engine.describe_flow(dag.flow_id)
        engine.list_flows()
        engine.list_edges(dag.flow_id)
        engine.explain(dag["b"])
