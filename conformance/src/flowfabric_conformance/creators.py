"""Creators: an execution tells on whose behalf it was made, however it was made."""

from typing import Any

from flowfabric import BlockingEngine, Created, ManualClock, NewChild, NewExecution, NewSchedule
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.flow_stage import graph_of
from flowfabric_conformance.stage import claim, create, listed, listed_flows, log, look

HOUR_MS = 3_600_000

WAYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "with a delay": {"delay_until_ms": 2**50},
    "with tags": {"tags": {"team.name": "billing"}},
    "with a key": {"idempotency_key": "order-7"},
    "with a command id": {"command_id": "once"},
    "with a fair key": {"fair_key": "tenant"},
    "with a debounce": {"debounce_ms": 1_000},
    "in another namespace": {"namespace": "shop"},
}


@rule_cases("way", WAYS, sample=len(WAYS))
def test_an_execution_tells_on_whose_behalf_it_was_made(engine: BlockingEngine, clock: ManualClock, way: str) -> None:
    made = engine.acting_as("ann").create_execution("job", **WAYS[way])

    assert look(engine, made.execution_id).created_by == "ann"


def test_an_execution_that_was_made_for_nobody_says_so(engine: BlockingEngine, clock: ManualClock) -> None:
    assert look(engine, create(engine)).created_by is None


def test_several_executions_of_one_call_have_one_creator(engine: BlockingEngine, clock: ManualClock) -> None:
    items = [NewExecution(kind="job"), NewExecution(kind="job", limits={}, tags={"team.name": "x"})]

    made = engine.acting_as("ann").create_executions(items)

    assert {look(engine, each.execution_id).created_by for each in made if isinstance(each, Created)} == {"ann"}


def test_the_creator_stays_through_the_whole_life(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = engine.acting_as("ann").create_execution("job").execution_id
    bob = engine.acting_as("bob")

    bob.hold(execution_id, reason="wait")
    bob.unhold(execution_id)
    bob.change_priority(execution_id, 7)
    engine.complete(claim(engine).lease)
    bob.replay_execution(execution_id)

    assert look(engine, execution_id).created_by == "ann"
    assert [x.created_by for x in listed(engine)] == ["ann"]


def test_a_creation_that_a_worker_waits_for_has_its_creator(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.acting_as("ann").create_execution("job", lane="mail")

    claimed = claim(engine, lanes=["mail"])

    assert look(engine, claimed.execution_id).created_by == "ann"


def test_a_repeated_creation_does_not_change_the_creator(engine: BlockingEngine, clock: ManualClock) -> None:
    first = engine.acting_as("ann").create_execution("job", idempotency_key="order-7")

    second = engine.acting_as("bob").create_execution("job", idempotency_key="order-7")

    assert second.execution_id == first.execution_id
    assert look(engine, first.execution_id).created_by == "ann"


def test_members_of_a_flow_have_the_creator_of_the_flow(engine: BlockingEngine, clock: ManualClock) -> None:
    submitted = engine.acting_as("ann").submit_flow(graph_of("pay>ship")).flow_id
    flow_id = engine.acting_as("bob").create_flow("other").flow_id
    added = engine.acting_as("carol").add_execution(flow_id, "job")

    assert {x.kind: x.created_by for x in listed(engine)} == {"pay": "ann", "ship": "ann", "job": "carol"}
    assert look(engine, added.execution_id).created_by == "carol"
    found = {each.flow_id: each.created_by for each in listed_flows(engine)}
    described = [engine.describe_flow(each) for each in (submitted, flow_id)]
    assert found == {submitted: "ann", flow_id: "bob"}
    assert [each.created_by for each in described if each is not None] == ["ann", "bob"]


def test_children_have_the_creator_of_their_parent(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.acting_as("ann").create_execution("parent")
    lease = claim(engine).lease

    made = engine.acting_as("worker").create_children(lease, "page", [NewChild(kind="page", lane="children")])

    assert [look(engine, each.execution_id).created_by for each in made if isinstance(each, Created)] == ["ann"]


def test_a_schedule_makes_executions_on_behalf_of_who_declared_it(engine: BlockingEngine, clock: ManualClock) -> None:
    def fired(who: BlockingEngine, **what: Any) -> list[str | None]:
        clock.advance(HOUR_MS)
        schedule = NewSchedule(name="report", kind="report", every_ms=HOUR_MS, **what)
        answer = who.fire_schedule(schedule, replace=bool(what))
        return [look(engine, each).created_by for each in answer.execution_ids]

    ann, bob = engine.acting_as("ann"), engine.acting_as("bob")
    assert fired(ann) == []

    assert fired(engine) == ["ann"]
    assert fired(bob) == ["ann"]
    assert fired(bob, lane="reports") == ["bob"]
    assert fired(engine, lane="reports") == ["bob"]
    run = [each.run_schedule("report").execution_id for each in (engine, ann)]
    assert [look(engine, each).created_by for each in run] == ["bob", "ann"]


def test_a_schedule_that_nobody_declared_makes_executions_for_nobody(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    schedule = NewSchedule(name="report", kind="report", every_ms=HOUR_MS)
    engine.fire_schedule(schedule)
    clock.advance(HOUR_MS)

    fired = engine.acting_as("ann").fire_schedule(schedule)

    assert [look(engine, each).created_by for each in fired.execution_ids] == [None]


# ── who steers ───────────────────────────────────────────────────────────────────────────────────


def test_events_name_the_person_who_steers(engine: BlockingEngine, clock: ManualClock) -> None:
    ann = engine.acting_as("ann")
    execution_id = create(engine)

    ann.hold(execution_id, reason="wait")
    ann.unhold(execution_id)
    ann.change_priority(execution_id, 7)
    claim(engine)
    ann.revoke_lease(execution_id, reason="stuck")
    claim(engine)
    ann.cancel_execution(execution_id, reason="enough")
    ann.replay_execution(execution_id)

    by_ann = ["held", "unheld", "priority_changed", "revoked", "revoked", "cancelled", "replayed"]
    found = [(each.event_type, each.details.get("actor")) for each in log(engine)]
    assert found == [("acquired", None) if each == "acquired" else (each, "ann") for each, _ in found]
    assert [each for each, actor in found if actor == "ann"] == by_ann


def test_only_what_a_person_asked_for_names_this_person(engine: BlockingEngine, clock: ManualClock) -> None:
    parent = engine.acting_as("ann").create_execution("parent").execution_id
    lease = claim(engine).lease
    (child,) = engine.create_children(lease, "page", [NewChild(kind="page", lane="children")])

    engine.acting_as("ann").cancel_execution(parent, reason="enough")
    engine.reconcile()

    ends = {each.execution_id: dict(each.details) for each in log(engine) if each.event_type == "cancelled"}
    assert ends[parent]["actor"] == "ann"
    assert "actor" not in ends[child.execution_id]


def test_without_a_person_no_event_names_one(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)
    engine.hold(execution_id)
    engine.cancel_execution(execution_id, reason="enough")

    assert [each.event_type for each in log(engine)] == ["held", "cancelled"]
    assert all("actor" not in each.details for each in log(engine))
