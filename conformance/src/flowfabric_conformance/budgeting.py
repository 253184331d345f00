"""Budgets: what is reserved and spent, in periods and with parents, what exceeding one does, and who has spent what."""

from collections import Counter
from typing import Any, cast

import pytest

from flowfabric import (
    BlockingEngine,
    BudgetExceeded,
    BudgetSet,
    BudgetSnapshot,
    Claimed,
    Conflict,
    EngineError,
    ExecutionPolicy,
    InvalidInput,
    ManualClock,
    NotFound,
    Reserved,
    Spent,
)
from flowfabric_conformance.flow_stage import graph_of
from flowfabric_conformance.gate_stage import ENDS, LOST, PARKED, RETRIED, budget_at, claims, spending, states
from flowfabric_conformance.stage import claim_ids, create, listed, log, look, refused

DAY_MS = 86_400_000


def _team(engine: BlockingEngine, **arguments: Any) -> None:
    """A budget of 100 usd, unless other limits are given."""
    engine.set_budget("team", **{"limits": {"usd": 100}, **arguments})


def _job(engine: BlockingEngine, usd: int = 0, *, budget: str = "team", **arguments: Any) -> str:
    """A new execution that reserves so much of a budget at each claim."""
    return create(engine, budgets={budget: {"usd": usd} if usd else {}}, **arguments)


def _started(engine: BlockingEngine, usd: int = 0, **arguments: Any) -> Claimed:
    """The lease of a new execution that runs on the budget."""
    made = _job(engine, usd, **arguments)
    (claimed,) = claims(engine)
    assert claimed.execution_id == made
    return claimed


# ── reserve and spend ────────────────────────────────────────────────────────────────────────────


def test_a_claim_reserves_the_estimate_and_what_does_not_fit_is_parked(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _team(engine)
    ids = [_job(engine, 40) for _ in range(3)]

    claimed = claim_ids(engine)

    assert claimed == ids[:2]
    assert states(engine, ids[2]) == [PARKED]
    assert look(engine, ids[2]).blocking_reason == "waiting_for_budget"
    budget = budget_at(engine)
    assert (budget.used, budget.reserved, budget.parked) == ({"usd": 0}, {"usd": 80}, 1)


@pytest.mark.parametrize("end", ENDS)
def test_a_reservation_ends_with_its_lease_and_is_charged_only_if_the_lease_was_lost(
    engine: BlockingEngine, clock: ManualClock, end: str
) -> None:
    _team(engine)
    _job(engine, 60, policy=RETRIED, deadline_at_ms=clock.now_ms + 50_000 if end == "deadline" else None)
    (claimed,) = claims(engine)
    ENDS[end](engine, clock, claimed.lease)

    budget = budget_at(engine)

    charged = 60 if end in LOST else 0
    assert (budget.used, budget.reserved, budget.assumed) == ({"usd": charged}, {"usd": 0}, {"usd": charged})
    assert spending(engine, "execution") == ({claimed.execution_id: {"usd": 60}} if charged else {})


def test_a_released_reservation_lets_the_next_one_in(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    first = _started(engine, 80)
    second = _job(engine, 80)
    claims(engine)
    parked = states(engine, second)
    engine.complete(first.lease)

    assert parked == [PARKED]
    assert claim_ids(engine) == [second]


def test_a_spend_counts_and_its_reservation_pays_first(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine, limits={"usd": 100, "tokens": 1_000})
    claimed = _started(engine, 30)

    first = engine.spend(claimed.lease, "team", {"usd": 20, "tokens": 7})
    second = engine.spend(claimed.lease, "team", {"usd": 20})

    assert first == Spent({"tokens": 993, "usd": 70}, (), ())
    assert second == Spent({"tokens": 993, "usd": 60}, (), ())
    budget = budget_at(engine)
    assert (budget.used, budget.reserved) == ({"usd": 40, "tokens": 7}, {"usd": 0, "tokens": 0})


def test_an_attempt_may_reserve_more_and_is_refused_if_it_does_not_fit(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _team(engine)
    claimed = _started(engine, 30)

    answer = engine.reserve(claimed.lease, "team", {"usd": 50})
    with refused(engine, BudgetExceeded) as caught:
        engine.reserve(claimed.lease, "team", {"usd": 21})

    assert answer == Reserved({"usd": 20})
    assert (caught.value.dimension, caught.value.remaining) == ("usd", 20)
    assert budget_at(engine).reserved == {"usd": 80}
    engine.complete(claimed.lease)
    assert budget_at(engine).reserved == {"usd": 0}


def test_an_execution_that_names_no_budget_may_spend_and_reserve(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    plain = create(engine)
    (claimed,) = claims(engine)
    engine.reserve(claimed.lease, "team", {"usd": 10})
    engine.spend(claimed.lease, "team", {"usd": 4})
    reserved = budget_at(engine).reserved
    engine.complete(claimed.lease)

    assert reserved == {"usd": 6}
    assert (budget_at(engine).used, budget_at(engine).reserved) == ({"usd": 4}, {"usd": 0})
    assert spending(engine, "execution") == {plain: {"usd": 4}}


def test_the_same_key_is_one_spend(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    claimed = _started(engine)

    first = engine.spend(claimed.lease, "team", {"usd": 5}, idempotency_key="call-1")
    engine.spend(claimed.lease, "team", {"usd": 5}, idempotency_key="call-2")
    again = engine.spend(claimed.lease, "team", {"usd": 5}, idempotency_key="call-1")
    with refused(engine, Conflict):
        engine.spend(claimed.lease, "team", {"usd": 6}, idempotency_key="call-1")

    assert again == first
    assert budget_at(engine).used == {"usd": 10}


def test_a_key_holds_over_attempts_of_its_execution_and_not_for_others(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _team(engine)
    claimed = _started(engine)
    engine.spend(claimed.lease, "team", {"usd": 5}, idempotency_key="call")
    engine.release(claimed.lease)
    (again,) = claims(engine)
    engine.spend(again.lease, "team", {"usd": 5}, idempotency_key="call")
    other = _started(engine)
    engine.spend(other.lease, "team", {"usd": 5}, idempotency_key="call")

    assert budget_at(engine).used == {"usd": 10}


def test_a_lost_lease_spends_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    claimed = _started(engine)
    engine.release(claimed.lease)

    for call in (engine.spend, engine.reserve):
        with pytest.raises(EngineError):
            call(claimed.lease, "team", {"usd": 5})

    assert budget_at(engine).used == {"usd": 0}


def test_what_is_unknown_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    claimed = _started(engine)
    with refused(engine, NotFound):
        engine.spend(claimed.lease, "nobody", {"usd": 1})
    with refused(engine, InvalidInput):
        engine.spend(claimed.lease, "team", {"tokens": 1})
    with refused(engine, NotFound):
        _job(engine, budget="nobody")
    with refused(engine, InvalidInput):
        create(engine, budgets={"team": {"tokens": 1}})
    with refused(engine, NotFound):
        engine.reset_budget("nobody")
    with refused(engine, NotFound):
        engine.set_budget("team", limits={"usd": 1}, parent="nobody")


# ── parents ──────────────────────────────────────────────────────────────────────────────────────


def test_what_is_spent_counts_in_every_ancestor_that_names_the_dimension(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_budget("company", limits={"usd": 50})
    _team(engine, limits={"usd": 100, "tokens": 10}, parent="company")
    claimed = _started(engine, 20)
    reserved = [budget_at(engine, name).reserved for name in ("team", "company")]

    spent = engine.spend(claimed.lease, "team", {"usd": 50, "tokens": 3})

    assert reserved == [{"usd": 20, "tokens": 0}, {"usd": 20}]
    assert spent == Spent({"tokens": 7, "usd": 50}, ("company:usd",), ())
    assert [budget_at(engine, name).used for name in ("team", "company")] == [{"usd": 50, "tokens": 3}, {"usd": 50}]
    assert spending(engine, "execution", "company") == {claimed.execution_id: {"usd": 50}}


def test_an_estimate_must_fit_into_every_ancestor(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_budget("company", limits={"usd": 50})
    _team(engine, parent="company")
    first, second = _job(engine, 30), _job(engine, 30)
    claimed = claim_ids(engine)
    engine.set_budget("company", limits={"usd": 90})
    engine.reconcile()

    assert claimed == [first]
    assert claim_ids(engine) == [second]


def test_a_ring_of_parents_and_a_chain_that_is_too_long_are_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    parent = None
    for name in ("a", "b", "c", "d"):
        engine.set_budget(name, limits={"usd": 1}, parent=parent)
        parent = name
    with refused(engine, InvalidInput):
        engine.set_budget("e", limits={"usd": 1}, parent="d")
    with refused(engine, InvalidInput):
        engine.set_budget("a", limits={"usd": 1}, parent="d")


# ── periods ──────────────────────────────────────────────────────────────────────────────────────


def test_a_new_period_begins_with_nothing_used_and_lets_the_parked_in(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _team(engine, period="day")
    claimed = _started(engine, 90)
    engine.spend(claimed.lease, "team", {"usd": 90})
    engine.complete(claimed.lease)
    parked = _job(engine, 50)
    before = claim_ids(engine)
    at = budget_at(engine).next_reset_at_ms
    assert at is not None
    clock.advance(at - clock.now_ms)
    engine.reconcile()

    assert at % DAY_MS == 0
    assert before == []
    assert budget_at(engine).used == {"usd": 0}
    assert claim_ids(engine) == [parked]
    assert budget_at(engine).reserved == {"usd": 50}


def test_a_late_spend_belongs_to_the_period_in_which_its_lease_began(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _team(engine, period="1h")
    claimed = _started(engine, 10)
    at = budget_at(engine).next_reset_at_ms
    assert at is not None
    engine.renew(claimed.lease, lease_ttl_ms=7_200_000)
    clock.advance(at - clock.now_ms)

    engine.spend(claimed.lease, "team", {"usd": 10})

    assert (budget_at(engine).used, budget_at(engine).reserved) == ({"usd": 0}, {"usd": 0})
    assert spending(engine, "execution") == {claimed.execution_id: {"usd": 10}}


def test_a_reset_begins_a_period_now(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    claimed = _started(engine)
    engine.spend(claimed.lease, "team", {"usd": 100})
    engine.complete(claimed.lease)
    parked = _job(engine)
    before = claim_ids(engine)

    engine.reset_budget("team")
    engine.reconcile()

    assert before == []
    assert budget_at(engine).used == {"usd": 0}
    assert claim_ids(engine) == [parked]


# ── exceeded ─────────────────────────────────────────────────────────────────────────────────────


def test_what_runs_on_an_exceeded_budget_is_asked_to_pause(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    ids = [_job(engine) for _ in range(3)]
    running = claims(engine)
    spent = engine.spend(running[0].lease, "team", {"usd": 100})
    engine.reconcile()

    renewed = engine.renew_all([each.lease for each in running])
    for each in running:
        engine.release(each.lease)
    claimed = claim_ids(engine)

    assert spent.exceeded == ("usd",)
    assert [cast("bool", getattr(answer, "pause", None)) for answer in renewed] == [True, True, True]
    assert claimed == []
    assert set(states(engine, *ids)) == {PARKED}


def test_what_runs_on_an_exceeded_budget_may_be_cancelled(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine, on_exceeded="cancel")
    ids = [_job(engine) for _ in range(3)]
    bystander = create(engine)
    running = claims(engine)
    engine.spend(running[0].lease, "team", {"usd": 100})
    engine.reconcile()

    assert states(engine, *ids, bystander) == ["cancelled", "cancelled", "cancelled", "active"]
    assert {look(engine, key).cancellation_reason for key in ids} == {"budget_exceeded"}
    assert budget_at(engine).reserved == {"usd": 0}


def test_a_raised_budget_lets_the_parked_in(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    claimed = _started(engine)
    engine.spend(claimed.lease, "team", {"usd": 100})
    parked = [_job(engine) for _ in range(3)]
    before = claim_ids(engine)

    answer = engine.set_budget("team", limits={"usd": 101})
    engine.reconcile()

    assert (before, answer) == ([], BudgetSet("team"))
    assert claim_ids(engine) == parked


def test_a_correction_may_give_back_and_never_goes_below_zero(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine)
    claimed = _started(engine)
    engine.spend(claimed.lease, "team", {"usd": 100})
    parked = _job(engine)
    before = claim_ids(engine)

    answer = engine.charge_budget("team", {"usd": -30}, reason="a wrong bill")
    engine.reconcile()
    after = claim_ids(engine)
    engine.charge_budget("team", {"usd": -500}, reason="all of it")

    assert before == []
    assert answer == Spent({"usd": 30}, (), ())
    assert after == [parked]
    assert budget_at(engine).used == {"usd": 0}


def test_limits_that_are_passed_are_in_the_log_once_in_a_period(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine, soft_limits={"usd": 50})
    claimed = _started(engine)
    soft = [engine.spend(claimed.lease, "team", {"usd": 30}).soft_exceeded for _ in range(4)]
    engine.reset_budget("team")

    events = [event.event_type for event in log(engine, channels=["operator"])]

    assert soft == [(), ("usd",), ("usd",), ("usd",)]
    assert events == ["budget_set", "soft_limit_passed", "budget_exceeded", "budget_reset"]


def test_every_definition_of_a_budget_is_in_the_log_and_a_repeated_one_is_not(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_budget("company", limits={"usd": 500})
    for _ in range(2):
        _team(engine, soft_limits={"usd": 80}, period="day", timezone="Europe/Berlin", parent="company")
    _team(engine, period="7d", on_exceeded="cancel", if_new=True)
    _team(engine, period="7d", on_exceeded="cancel")

    events = [event for event in log(engine, channels=["operator"]) if event.event_type == "budget_set"]

    plain: dict[str, object] = {
        "soft_limits": {},
        "period": None,
        "timezone": None,
        "parent": None,
        "on_exceeded": "pause",
    }
    first = {"soft_limits": {"usd": 80}, "period": "day", "timezone": "Europe/Berlin", "parent": "company"}
    assert [event.details for event in events] == [
        {**plain, "budget": "company", "limits": {"usd": 500}},
        {**plain, **first, "budget": "team", "limits": {"usd": 100}},
        {**plain, "budget": "team", "limits": {"usd": 100}, "period": "7d", "on_exceeded": "cancel"},
    ]


# ── who has spent what ───────────────────────────────────────────────────────────────────────────


def test_spending_is_summed_up_by_execution_kind_flow_and_day(engine: BlockingEngine, clock: ManualClock) -> None:
    clock.advance(DAY_MS - clock.now_ms % DAY_MS)
    _team(engine, limits={"usd": 10_000, "tokens": 10_000})
    spent: dict[str, dict[str, int]] = {}
    for number, kind in enumerate(["mail", "print", "mail", "print", "mail"], start=1):
        create(engine, kind)
        (claimed,) = claims(engine)
        for _ in range(2):
            engine.spend(claimed.lease, "team", {"usd": number, "tokens": 10})
        spent[claimed.execution_id] = {"tokens": 20, "usd": 2 * number}
        engine.complete(claimed.lease)
    today = spending(engine, "day")
    clock.advance(DAY_MS)
    create(engine, "mail")
    (late,) = claims(engine)
    engine.spend(late.lease, "team", {"usd": 1})

    assert spending(engine, "execution", limit=2) == {**spent, late.execution_id: {"usd": 1}}
    assert spending(engine, "kind", limit=1) == {
        "mail": {"tokens": 60, "usd": 2 * (1 + 3 + 5) + 1},
        "print": {"tokens": 40, "usd": 2 * (2 + 4)},
    }
    assert spending(engine, "flow") == {}
    assert list(today.values()) == [{"tokens": 100, "usd": 30}]
    assert list(spending(engine, "day", limit=1).values()) == [{"tokens": 100, "usd": 30}, {"usd": 1}]


def test_spending_of_flows_is_summed_up(engine: BlockingEngine, clock: ManualClock) -> None:
    _team(engine, limits={"usd": 1_000})
    flows = {}
    for amount in (3, 4):
        flow_id = engine.create_flow("pipeline").flow_id
        flows[flow_id] = {"usd": 2 * amount}
        for _ in range(2):
            engine.add_execution(flow_id, "job")
            (claimed,) = claims(engine)
            engine.spend(claimed.lease, "team", {"usd": amount})
            engine.complete(claimed.lease)

    assert spending(engine, "flow", limit=1) == flows


def test_what_removed_executions_have_spent_stays_in_the_sums_of_days(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _team(engine, limits={"usd": 1_000, "tokens": 1_000})
    policy = ExecutionPolicy(retention_ms=1_000)
    for usd in (5, 7):
        _job(engine, policy=policy)
        (claimed,) = claims(engine)
        engine.spend(claimed.lease, "team", {"usd": usd, "tokens": 1}, idempotency_key="call")
        engine.complete(claimed.lease)
    lasting = _started(engine)
    engine.spend(lasting.lease, "team", {"usd": 1})
    before = spending(engine, "day")
    clock.advance(1_000)
    engine.reconcile()

    assert list(before.values()) == [{"tokens": 2, "usd": 13}]
    assert spending(engine, "day") == before
    assert spending(engine, "execution") == {lasting.execution_id: {"usd": 1}}
    assert budget_at(engine).used == {"usd": 13, "tokens": 2}


def test_what_was_spent_by_day_and_by_kind_adds_up_to_what_is_used_before_and_after_removals(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_budget("company", limits={"usd": 1_000, "tokens": 1_000})
    _team(engine, limits={"usd": 1_000}, parent="company")
    short, long = (ExecutionPolicy(retention_ms=ms, max_interruptions=0) for ms in (1_000, 5 * DAY_MS))
    kinds = {"ask": short, "embed": short, "sum up": long}
    for kind, policy in kinds.items():
        create(engine, kind, policy=policy, budgets={"team": {"usd": 3}})
    engine.submit_flow(graph_of("member", every={"lane": "default", "policy": short, "budgets": {"team": {"usd": 1}}}))
    running = claims(engine)
    for usd, each in enumerate(running[:-1], start=5):
        engine.spend(each.lease, "team", {"usd": usd})
    clock.advance(DAY_MS)
    engine.reconcile()  # all leases are lost, and what they had reserved is charged

    sums = [_sums(engine)]
    clock.advance(1_000)
    engine.reconcile()
    sums.append(_sums(engine))
    gone = len(listed(engine))
    clock.advance(5 * DAY_MS)
    engine.reconcile()
    sums.append(_sums(engine))

    used = {"usd": 5 + 6 + 7 + 1}
    assert (len(running), gone, listed(engine)) == (4, 1, [])
    assert sums == [{"team": (used, used, used), "company": (used, used, used)}] * 3
    assert set(spending(engine, "kind")) == {*kinds, "member"}
    assert len(spending(engine, "day", limit=1)) == 2
    assert (spending(engine, "execution"), spending(engine, "flow")) == ({}, {})


def _sums(engine: BlockingEngine) -> dict[str, tuple[dict[str, int], ...]]:
    """What is used of each budget, and what its spending adds up to by day and by kind."""
    found: dict[str, tuple[dict[str, int], ...]] = {}
    for name in ("team", "company"):
        used = {dimension: amount for dimension, amount in budget_at(engine, name).used.items() if amount}
        by_day, by_kind = (Counter[str]() for _ in range(2))
        for amounts in spending(engine, "day", name, limit=1).values():
            by_day.update(amounts)
        for amounts in spending(engine, "kind", name, limit=1).values():
            by_kind.update(amounts)
        found[name] = (used, dict(by_day), dict(by_kind))
    return found


def test_budgets_are_described_and_listed(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_budget("company", limits={"usd": 9}, period="month", timezone="Europe/Berlin", on_exceeded="cancel")
    _team(engine, soft_limits={"usd": 60}, parent="company")
    engine.set_budget("team", limits={"usd": 1}, namespace="other")
    _team(engine, limits={"usd": 7}, if_new=True)

    team, first_page = budget_at(engine), engine.list_budgets(namespace="default", limit=1)
    second_page = engine.list_budgets(namespace="default", limit=1, cursor=first_page.next_cursor)

    assert team == BudgetSnapshot(
        "team", {"usd": 100}, {"usd": 60}, {"usd": 0}, {"usd": 0}, {"usd": 0}, "company", "pause", None, 0
    )
    found = cast("list[BudgetSnapshot]", [*first_page.items, *second_page.items])
    assert [each.name for each in found] == ["company", "team"]
    assert second_page.next_cursor is None
    assert found[0].on_exceeded == "cancel"
    assert found[0].next_reset_at_ms is not None
    assert len(engine.list_budgets().items) == 3
    assert engine.describe_budget("nobody") is None
