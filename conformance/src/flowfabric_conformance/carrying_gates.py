"""Limits, budgets and fair keys of executions that schedules, flows and replays make."""

from typing import Any, Final

import pytest

from flowfabric import BlockingEngine, Conflict, GatesSnapshot, InvalidInput, ManualClock, NewSchedule, NotFound
from flowfabric_conformance.flow_stage import create_flow, graph_of, submit
from flowfabric_conformance.gate_stage import PARKED, budget_at, claims, limit_at, spending, states
from flowfabric_conformance.stage import claim_ids, listed, look, refused

HOUR_MS: Final = 3_600_000
GATES: Final[dict[str, Any]] = {
    "limits": {"api": "", "tenant": "t-1"},
    "budgets": {"team": {"usd": 3}},
    "fair_key": "t-1",
}
"""What an execution, a schedule or a member may be made with."""
ONE: Final[dict[str, Any]] = {"limits": {"api": ""}, "lane": "default"}


def _set(engine: BlockingEngine, *, concurrency: int = 1) -> None:
    engine.set_limit("api", concurrency=concurrency)
    engine.set_limit("tenant", concurrency=5)
    engine.set_budget("team", limits={"usd": 100})


def _gates(engine: BlockingEngine, execution_id: str) -> GatesSnapshot:
    gates = look(engine, execution_id).gates
    assert gates is not None
    return gates


def _names(gates: GatesSnapshot) -> dict[str, Any]:
    return {"limits": gates.limits, "budgets": gates.budgets, "fair_key": gates.fair_key}


def hourly(**fields: Any) -> NewSchedule:
    return NewSchedule(**{"name": "report", "kind": "report", "every_ms": HOUR_MS, **fields})


def fired(engine: BlockingEngine, clock: ManualClock, schedule: NewSchedule) -> str:
    """The execution of the next slot."""
    engine.fire_schedule(schedule)
    clock.advance(HOUR_MS)
    (execution_id,) = engine.fire_schedule(schedule).execution_ids
    return execution_id


# ── schedules ────────────────────────────────────────────────────────────────────────────────────


def test_executions_of_a_schedule_have_its_limits_budgets_and_fair_key(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _set(engine)
    first = fired(engine, clock, hourly(**GATES))
    by_hand = engine.run_schedule("report").execution_id

    claimed = claim_ids(engine)

    assert [_names(_gates(engine, each)) for each in (first, by_hand)] == [GATES, GATES]
    assert claimed == [first]
    assert states(engine, by_hand) == [PARKED]
    assert (limit_at(engine).in_use, budget_at(engine).reserved) == (1, {"usd": 3})
    (listed_one,) = engine.list_schedules()
    assert (listed_one.limits, listed_one.budgets, listed_one.fair_key) == tuple(GATES.values())


def test_a_schedule_without_limits_makes_plain_executions(engine: BlockingEngine, clock: ManualClock) -> None:
    plain = fired(engine, clock, hourly())

    (schedule,) = engine.list_schedules()

    assert look(engine, plain).gates is None
    assert (schedule.limits, schedule.budgets, schedule.fair_key) == ({}, {}, None)


def test_other_limits_make_another_schedule(engine: BlockingEngine, clock: ManualClock) -> None:
    _set(engine)
    engine.fire_schedule(hourly())
    engine.fire_schedule(hourly(limits={"api": ""}))
    kept = engine.list_schedules()[0].limits
    engine.fire_schedule(hourly(limits={"api": ""}), replace=True)

    assert kept == {}
    assert engine.list_schedules()[0].limits == {"api": ""}
    assert _gates(engine, fired(engine, clock, hourly(limits={"api": ""}))).limits == {"api": ""}


@pytest.mark.parametrize("gates", [{"limits": {"api": ""}}, {"budgets": {"team": {"usd": 1}}}], ids=["limit", "budget"])
def test_a_schedule_that_names_what_is_not_set_is_not_made(
    engine: BlockingEngine, clock: ManualClock, gates: dict[str, Any]
) -> None:
    with refused(engine, NotFound):
        engine.fire_schedule(hourly(**gates))
    engine.fire_schedule(hourly())
    with refused(engine, NotFound):
        engine.fire_schedule(hourly(**gates), replace=True)

    assert [each.limits for each in engine.list_schedules()] == [{}]


def test_slots_of_a_schedule_whose_limit_was_removed_come_when_it_is_set_again(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _set(engine)
    schedule = hourly(limits={"api": ""}, catch_up="all")
    engine.fire_schedule(schedule)
    engine.remove_limit("api")
    clock.advance(2 * HOUR_MS)
    with refused(engine, NotFound):
        engine.fire_schedule(schedule)
    with refused(engine, NotFound):
        engine.run_schedule("report")

    engine.set_limit("api", concurrency=1)
    made = engine.fire_schedule(schedule).execution_ids

    assert (len(made), len(claim_ids(engine))) == (2, 1)


def test_wrong_limits_of_a_schedule_are_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, InvalidInput):
        engine.fire_schedule(hourly(limits=["api"]))
    with refused(engine, InvalidInput):
        engine.fire_schedule(hourly(limits={"api": "k" * 257}))
    with refused(engine, InvalidInput):
        engine.fire_schedule(hourly(budgets={"team": {"usd": -1}}))
    with refused(engine, InvalidInput):
        engine.fire_schedule(hourly(fair_key=""))

    assert engine.list_schedules() == []


# ── flows ────────────────────────────────────────────────────────────────────────────────────────


def test_members_have_their_limits_budgets_and_fair_keys(engine: BlockingEngine, clock: ManualClock) -> None:
    _set(engine)
    dag = submit(engine, "a b", nodes={"a": GATES})
    dag.add("c", **GATES)

    assert [_names(_gates(engine, dag[name])) for name in ("a", "c")] == [GATES, GATES]
    assert look(engine, dag["b"]).gates is None


def test_members_wait_for_their_limit_as_others_do(engine: BlockingEngine, clock: ManualClock) -> None:
    _set(engine)
    dag = submit(engine, "a b c", every=ONE)
    (running,) = claims(engine)
    parked = dag.states("a", "b", "c")
    engine.complete(running.lease)

    assert parked == ["active", PARKED, PARKED]
    assert claim_ids(engine) == [dag["b"]]


def test_a_member_that_waits_for_another_comes_to_its_limit_afterwards(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _set(engine)
    dag = submit(engine, "a>b", every=ONE)
    (first,) = claims(engine)
    blocked = dag.state("b")
    engine.complete(first.lease)
    (second,) = claims(engine)
    used = limit_at(engine).in_use
    engine.complete(second.lease)

    assert (blocked, second.execution_id, used) == ("waiting_children", dag["b"], 1)
    assert (dag.flow().state, limit_at(engine).in_use) == ("completed", 0)


def test_a_member_that_is_ready_joins_those_that_are_parked(engine: BlockingEngine, clock: ManualClock) -> None:
    _set(engine)
    dag = submit(engine, "a>d b c", nodes=dict.fromkeys("bcd", ONE))
    claims(engine)
    dag.complete("a")

    assert dag.states("b", "c", "d") == ["active", PARKED, PARKED]
    assert limit_at(engine).parked == 2


def test_members_take_turns_by_their_fair_keys(engine: BlockingEngine, clock: ManualClock) -> None:
    keys = {"a": "x", "b": "x", "c": "x", "d": "y"}
    dag = submit(engine, "a b c d", nodes={name: {"fair_key": key, "lane": "default"} for name, key in keys.items()})
    of = {execution_id: name for name, execution_id in dag.ids.items()}

    came = [of[execution_id] for execution_id in claim_ids(engine)]

    assert [keys[name] for name in came] == ["x", "y", "x", "x"]


def test_the_cancel_of_a_flow_gives_slots_and_reservations_back(engine: BlockingEngine, clock: ManualClock) -> None:
    _set(engine)
    dag = submit(engine, "a b", every={**GATES, "lane": "default"})
    claims(engine)
    engine.cancel_flow(dag.flow_id, reason="stop")
    engine.reconcile()

    assert (limit_at(engine).in_use, limit_at(engine).parked) == (0, 0)
    assert (budget_at(engine).reserved, budget_at(engine).used) == ({"usd": 0}, {"usd": 0})


@pytest.mark.parametrize("when_full", ["drop_new", "cancel_oldest"])
def test_a_member_always_waits_for_its_limit(engine: BlockingEngine, clock: ManualClock, when_full: str) -> None:
    _set(engine)
    dag = create_flow(engine)
    with refused(engine, InvalidInput) as in_a_graph:
        engine.submit_flow(graph_of("a", every={**ONE, "when_full": when_full}))
    with refused(engine, InvalidInput):
        dag.add("b", **ONE, when_full=when_full)

    assert "node 'a'" in str(in_a_graph.value)
    assert listed(engine) == []


def test_a_flow_that_names_what_is_not_set_is_not_made(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    dag = create_flow(engine)
    for gates in ({"limits": {"other": ""}}, {"budgets": {"team": {"usd": 1}}}):
        with refused(engine, NotFound) as refusal:
            engine.submit_flow(graph_of("a>b", nodes={"b": gates}))
        with refused(engine, NotFound):
            dag.add("c", **gates)
        assert "node 'b'" in str(refusal.value)

    assert listed(engine) == []


def test_the_same_command_id_with_other_limits_is_another_command(engine: BlockingEngine, clock: ManualClock) -> None:
    _set(engine)
    dag = create_flow(engine)
    first = engine.add_execution(dag.flow_id, "a", limits={"api": ""}, command_id="once")
    again = engine.add_execution(dag.flow_id, "a", limits={"api": ""}, command_id="once")
    with refused(engine, Conflict):
        engine.add_execution(dag.flow_id, "a", limits={"tenant": ""}, command_id="once")
    engine.fire_schedule(hourly(limits={"api": ""}), command_id="twice")
    with refused(engine, Conflict):
        engine.fire_schedule(hourly(limits={"tenant": ""}), command_id="twice")

    assert again == first


# ── replays ──────────────────────────────────────────────────────────────────────────────────────


def test_a_replay_keeps_limits_budgets_and_fair_key(engine: BlockingEngine, clock: ManualClock) -> None:
    _set(engine)
    again = fired(engine, clock, hourly(**GATES))
    (running,) = claims(engine)
    engine.spend(running.lease, "team", {"usd": 2})
    engine.fail(running.lease, code="boom", retryable=False)
    other = engine.run_schedule("report").execution_id
    (in_the_way,) = claims(engine)
    engine.replay_execution(again)
    held_back = claim_ids(engine)
    parked = states(engine, again)
    engine.complete(in_the_way.lease)

    assert in_the_way.execution_id == other
    assert (held_back, parked) == ([], [PARKED])
    assert claim_ids(engine) == [again]
    assert _names(_gates(engine, again)) == GATES
    assert (limit_at(engine).in_use, budget_at(engine).reserved) == (1, {"usd": 3})
    # What the first life has spent stays spent, and is still told.
    assert (budget_at(engine).used, spending(engine, "execution")) == ({"usd": 2}, {again: {"usd": 2}})


@pytest.mark.parametrize("what", ["failed", "all"])
def test_the_replay_of_a_flow_keeps_the_limits_of_its_members(
    engine: BlockingEngine, clock: ManualClock, what: Any
) -> None:
    _set(engine)
    dag = submit(engine, "a b>c", every={**GATES, "lane": "default"})
    while running := claims(engine):
        for each in running:
            engine.fail(each.lease, code="boom", retryable=False)
    ended = dag.states("a", "b", "c")
    engine.replay_flow(dag.flow_id, what=what)

    came = [claim_ids(engine)]
    parked = dag.states("a", "b", "c")

    assert ended == ["failed", "failed", "skipped"]
    assert [len(each) for each in came] == [1]
    assert sorted(parked) == sorted(["active", PARKED, "waiting_children"])
    assert [_names(_gates(engine, dag[name])) for name in "abc"] == [GATES] * 3
    assert (limit_at(engine).in_use, budget_at(engine).reserved) == (1, {"usd": 3})
