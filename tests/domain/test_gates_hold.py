"""Limits and budgets hold: what others got wrong about them, each by the name of the behaviour that is right."""

import random
from collections import Counter

import pytest

from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.commands import (
    CancelExecution,
    ChargeBudget,
    Complete,
    CreateExecutions,
    Delay,
    Fail,
    Hold,
    OpenGate,
    ParkAtLimit,
    PauseLimit,
    RecordStep,
    Release,
    RemoveLimit,
    Reserve,
    ResetBudget,
    ResumeExecution,
    Spend,
)
from flowfabric.domain.errors import BudgetExceeded, EngineError, InvalidInput, NotFound
from flowfabric.domain.outcomes import Dropped
from tests.domain.gate_stage import LEASE_MS, LONG_MS, Stage
from tests.domain.gate_world import NS

API = {"limits": {"api": ""}}
PARKED = "rate_limited"


def _usd(amount: int, budget: str = "team") -> dict[str, dict[str, dict[str, int]]]:
    return {"budgets": {budget: {"usd": amount} if amount else {}}}


# ── a gate that is named is a gate that holds ────────────────────────────────────────────────────


def test_a_limit_that_is_named_at_creation_holds_at_every_claim():
    stage = Stage()
    stage.limit(concurrency=1)
    ids = [stage.make(**API) for _ in range(3)]

    assert stage.claimed() == ids[:1]
    assert stage.states(*ids) == ["active", PARKED, PARKED]
    assert stage.claimed() == []


def test_a_budget_that_is_named_at_creation_holds_at_every_claim():
    stage = Stage()
    stage.budget(limits={"usd": 10})
    stage.one(ChargeBudget(NS, "team", {"usd": 10}, ""))
    made = stage.make(**_usd(0))

    assert stage.claimed() == []
    assert stage.states(made) == [PARKED]


def test_ten_claims_at_once_cannot_overrun_a_budget_by_ten_estimates():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    ids = [stage.make(**_usd(30)) for _ in range(10)]

    assert stage.claimed() == ids[:3]
    assert stage.use().reserved == {"usd": 90}


def test_exactly_what_is_left_may_be_reserved_and_a_budget_that_is_used_up_is_exceeded():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    stage.make(**_usd(60))
    (lease,) = stage.claim()
    stage.one(Reserve(lease, "team", {"usd": 40}))
    with pytest.raises(BudgetExceeded):
        stage.one(Reserve(lease, "team", {"usd": 1}))
    almost = stage.spend(lease, {"usd": 99})
    full = stage.spend(lease, {"usd": 1})
    stage.make(**_usd(0))

    assert (almost.exceeded, full.exceeded) == ((), ("usd",))
    assert stage.claimed() == []


def test_two_estimates_under_one_parent_must_fit_into_it_together():
    stage = Stage()
    stage.budget("company", {"usd": 50})
    stage.budget("a", {"usd": 100}, parent="company")
    stage.budget("b", {"usd": 100}, parent="company")
    both = {"budgets": {"a": {"usd": 40}, "b": {"usd": 40}}}
    made = stage.make(**both)

    parked = stage.claimed()
    stage.budget("company", {"usd": 80})

    assert parked == []
    assert stage.claimed() == [made]
    assert stage.use("company").reserved == {"usd": 80}


@pytest.mark.parametrize("on_exceeded", ["pause", "cancel"])
def test_what_is_stated_for_an_exceeded_budget_happens(on_exceeded: str):
    stage = Stage()
    stage.budget(limits={"usd": 10}, on_exceeded=on_exceeded)
    ids = [stage.make(**_usd(0)) for _ in range(2)]
    leases = stage.claim()
    stage.spend(leases[0], {"usd": 10})
    stage.look()

    if on_exceeded == "cancel":
        assert stage.states(*ids) == ["cancelled", "cancelled"]
    else:
        assert [stage.x(key).gates.must_pause for key in ids] == [True, True]


def test_what_runs_is_stopped_again_when_a_raised_budget_is_exceeded_again():
    stage = Stage()
    stage.budget(limits={"usd": 10})
    ids = [stage.make(**_usd(0)) for _ in range(2)]
    first, _ = stage.claim()
    stage.spend(first, {"usd": 10})
    stage.look()
    for lease in stage.fences:
        stage.one(Release(lease))
    stage.budget(limits={"usd": 20})
    stage.look()
    again, _ = stage.claim()
    stage.spend(again, {"usd": 10})
    stage.look()

    assert [stage.x(key).gates.must_pause for key in ids] == [True, True]
    assert stage.events.count("budget_exceeded") == 1, "once in each period"


def test_a_limit_below_what_is_used_stops_what_runs_and_says_so():
    stage = Stage()
    stage.budget(limits={"usd": 100}, soft={"usd": 50})
    made = stage.make(**_usd(0))
    (lease,) = stage.claim()
    stage.spend(lease, {"usd": 30})
    stage.budget(limits={"usd": 20}, soft={"usd": 10})
    stage.look()

    assert stage.x(made).gates.must_pause
    assert stage.events == ["budget_set", "budget_set", "soft_limit_passed", "budget_exceeded"]


# ── slots ────────────────────────────────────────────────────────────────────────────────────────


def test_a_slot_is_free_with_the_end_of_its_lease_and_the_same_transaction_admits_the_next():
    stage = Stage()
    stage.limit(concurrency=1)
    ids = [stage.make(**API) for _ in range(2)]
    (lease,) = stage.claim()
    stage.claim()
    parked = stage.states(ids[1])
    stage.one(Complete(lease, None))

    assert (parked, stage.states(ids[1])) == ([PARKED], ["waiting"])
    assert stage.claimed() == [ids[1]]


def test_a_repeated_end_does_not_take_the_slot_of_another():
    stage = Stage()
    stage.limit(concurrency=2)
    ids = [stage.make(**API) for _ in range(3)]
    first, _ = stage.claim()
    for _ in range(3):
        stage.send(Release(first), Complete(first, None), Fail(first, "late", "", True, None))
    stage.claim()

    assert stage.key().in_use == 2
    assert stage.states(*ids).count("active") == 2


def test_a_claim_that_one_limit_refuses_takes_nothing_of_the_other():
    stage = Stage()
    stage.limit("api", concurrency=5, rate=5)
    stage.limit("tenant", concurrency=1)
    both = {"limits": {"api": "", "tenant": "t"}}
    ids = [stage.make(**both) for _ in range(3)]

    assert stage.claimed() == ids[:1]
    busy_us = stage.key("api").busy_until_us
    stage.claim()
    assert stage.key("api").in_use == 1
    assert stage.key("api").busy_until_us == busy_us


def test_a_suspended_execution_holds_no_slot():
    stage = Stage()
    stage.limit(concurrency=1)
    ids = [stage.make(**API) for _ in range(2)]
    (lease,) = stage.claim()
    stage.one(stage.suspend_command(lease))

    assert stage.claimed() == ids[1:]


def test_what_is_blocked_by_a_rate_stays_parked_until_the_next_start_is_possible():
    stage = Stage()
    stage.limit(rate=6)  # one start in ten seconds, six at once
    ids = [stage.make(**API) for _ in range(8)]
    stage.claim()
    for _ in range(9):
        stage.wait(1_000)
        assert stage.claimed() == []
        assert stage.states(*ids[6:]) == [PARKED, PARKED]
        assert stage.store.openings(stage.store.now_ms, 100) == [], "nobody is woken for nothing"
    stage.wait(1_000)

    assert stage.claimed() == [ids[6]]


def test_a_resume_needs_a_slot_and_no_start():
    stage = Stage()
    stage.limit(concurrency=1, rate=2)
    resumed, other = stage.make(**API), stage.make(**API)
    (lease,) = stage.claim(limit=1)
    stage.one(stage.suspend_command(lease))
    (running,) = stage.claim(limit=1, ttl_ms=LONG_MS)
    stage.one(ResumeExecution(resumed, b"", "", "kid"))
    later = stage.make(**API)
    full = stage.claimed()
    stage.one(Complete(running, None))

    assert (full, running.execution_id) == ([], other)
    assert stage.states(resumed, later) == ["resumable", PARKED], "both starts of this minute were made"
    assert stage.claimed() == [resumed]


def test_starts_that_became_possible_meanwhile_are_used_by_those_who_wait_behind():
    stage = Stage()
    stage.limit(rate=60, burst=3)
    ids = [stage.make(**API) for _ in range(6)]
    stage.claim()
    stage.wait(1_000)
    admitted = stage.states(*ids[3:])
    stage.clock.advance(2_000)  # nobody claims, nobody looks, and two more starts become possible

    assert admitted == ["waiting", PARKED, PARKED]
    assert [stage.claimed() for _ in range(3)] == [[key] for key in ids[3:]]


def test_starts_that_became_possible_meanwhile_are_used_by_blocks_that_wait_behind():
    stage = Stage()
    stage.limit(rate=60, burst=2)
    ids = [stage.make() for _ in range(4)]
    for number, fence in enumerate(stage.claim(), 1):
        stage.one(ParkAtLimit(fence, "api", "", number))
    stage.wait(1_000)
    admitted = stage.states(*ids[2:])
    stage.clock.advance(2_000)  # nobody claims, nobody looks, and two more starts become possible

    assert admitted == ["resumable", PARKED]
    assert [stage.claimed() for _ in range(2)] == [[key] for key in ids[2:]]


def test_a_removed_limit_holds_nobody_back_even_if_its_key_was_paused():
    stage = Stage()
    stage.limit(concurrency=1)
    stage.one(PauseLimit(NS, "api", "", LONG_MS))
    ids = [stage.make(**API) for _ in range(2)]
    paused = stage.claimed()
    stage.one(RemoveLimit(NS, "api", None))
    for _ in range(2):
        stage.look()

    assert paused == []
    assert stage.claimed() == ids


def test_one_room_does_not_hold_up_another():
    stage = Stage()
    stage.limit(concurrency=1)
    running = stage.make(**API)
    (lease,) = stage.claim(limit=1)
    nobody = stage.make(**API, capabilities=("gpu",))
    elsewhere = stage.make(**API, lane="other")
    here = stage.make(**API)
    assert stage.claimed(lanes=("default", "other"), able=("gpu",)) == []
    stage.one(Complete(lease, None))

    assert lease.execution_id == running
    assert stage.states(nobody, elsewhere, here) == ["waiting"] * 3
    assert stage.claimed(limit=1) == [here]


def test_creations_that_join_a_waiting_room_cost_one_look_in_a_second_and_none_at_once():
    stage = Stage()
    stage.limit(concurrency=1)
    for _ in range(2):
        stage.make(**API)
    stage.claim()
    stage.look()
    for _ in range(20):
        assert stage.states(stage.make(**API)) == [PARKED]
        assert stage.store.openings(stage.store.now_ms, 10) == []
    stage.clock.advance(1_000)

    assert stage.store.openings(stage.store.now_ms, 10) == [(NS, "limit", "api", "")]
    assert stage.look() == [False]
    assert stage.store.openings(2**60, 10) == []


# ── a key that is full ───────────────────────────────────────────────────────────────────────────


def test_in_one_batch_each_new_one_replaces_the_one_before_it():
    stage = Stage()
    stage.limit(concurrency=1)
    stage.make(**API)
    stage.claim(ttl_ms=LONG_MS)
    old = [stage.make(**API) for _ in range(2)]
    stage.clock.advance(1)
    new = [stage.creation(**API, when_full="cancel_oldest") for _ in range(4)]
    stage.send(*new)

    ids = [*old, *(each.execution_id for each in new)]
    assert stage.states(*ids) == ["cancelled"] * 4 + ["waiting"] * 2
    assert {stage.x(key).cancellation_reason for key in ids[:4]} == {"replaced"}


def test_creations_of_one_call_see_the_slot_that_the_one_before_has_freed():
    stage = Stage()
    stage.limit(concurrency=1)
    running = stage.make(**API)
    stage.claim(ttl_ms=LONG_MS)
    new = tuple(stage.creation(**API, when_full="cancel_oldest") for _ in range(2))
    stage.one(CreateExecutions(new))

    assert stage.states(running, *(each.execution_id for each in new)) == ["cancelled", "waiting", "waiting"]


def test_a_paused_key_is_full_if_all_its_slots_are_taken():
    stage = Stage()
    stage.limit(concurrency=1)
    running = stage.make(**API)
    stage.claim(ttl_ms=LONG_MS)
    stage.one(PauseLimit(NS, "api", "", LONG_MS))

    assert stage.one(stage.creation(**API, when_full="drop_new")) == Dropped(running)


# ── what fits into a budget ──────────────────────────────────────────────────────────────────────


def test_what_is_spent_is_taken_out_of_what_was_reserved_in_the_same_period():
    stage = Stage()
    stage.budget(limits={"usd": 10}, period=60_000)
    stage.make(**_usd(5))
    (lease,) = stage.claim()
    stage.budget(limits={"usd": 10})  # it has no periods any more, so what was reserved before is not part of it
    stage.one(Reserve(lease, "team", {"usd": 3}))
    stage.spend(lease, {"usd": 2})

    assert (stage.use().used, stage.use().reserved) == ({"usd": 2}, {"usd": 1})


def test_all_that_fit_into_what_a_lease_gives_back_are_admitted():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    stage.make(**_usd(100))
    (lease,) = stage.claim()
    ids = [stage.make(**_usd(40)) for _ in range(3)]
    stage.claim()
    stage.one(Complete(lease, None))

    assert stage.states(*ids) == ["waiting", "waiting", PARKED]
    assert stage.claimed() == ids[:2]


def test_one_that_needs_too_much_does_not_hold_up_those_behind_it():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    stage.make(**_usd(90))
    (lease,) = stage.claim()
    large, small = stage.make(**_usd(500)), stage.make(**_usd(20))
    stage.claim()
    stage.one(Complete(lease, None))

    assert stage.states(large, small) == [PARKED, "waiting"]


def test_who_waits_at_one_budget_does_not_keep_those_at_another_waiting():
    stage = Stage()
    stage.budget("a", {"usd": 10})
    stage.budget("b", {"usd": 10})
    stage.make(budgets={"a": {"usd": 10}})
    (of_a,) = stage.claim()
    stage.make(budgets={"b": {"usd": 10}})
    stage.claim(ttl_ms=LONG_MS)
    both = stage.make(budgets={"a": {"usd": 10}, "b": {"usd": 1}})
    only_a = stage.make(budgets={"a": {"usd": 10}})
    stage.claim()
    stage.one(Complete(of_a, None))

    stage.claim()  # the first one fits into a now, and parks at b
    assert stage.states(both, only_a) == [PARKED, "waiting"]
    assert stage.claimed() == [only_a]


@pytest.mark.parametrize("how", ["raise", "correct", "reset"])
def test_room_that_an_operator_makes_admits_the_parked_in_the_same_transaction(how: str):
    stage = Stage()
    stage.budget(limits={"usd": 10})
    stage.one(ChargeBudget(NS, "team", {"usd": 10}, ""))
    made = stage.make(**_usd(1))
    stage.claim()
    parked = stage.states(made)
    stage.clock.advance(1)
    if how == "raise":
        stage.budget(limits={"usd": 20})
    else:
        stage.one(ResetBudget(NS, "team") if how == "reset" else ChargeBudget(NS, "team", {"usd": -5}, ""))

    assert parked == [PARKED]
    assert stage.claimed() == [made]


def test_a_reset_in_the_first_instant_of_a_period_admits_the_parked_in_the_next_instant():
    stage = Stage()
    stage.budget(limits={"usd": 10})
    stage.clock.advance(1)
    stage.one(ResetBudget(NS, "team"))
    stage.one(ChargeBudget(NS, "team", {"usd": 10}, ""))
    made = stage.make(**_usd(1))
    parked = stage.claimed()
    stage.one(ResetBudget(NS, "team"))
    stage.wait(1)

    assert parked == []
    assert stage.claimed() == [made]


# ── what is spent and reserved ───────────────────────────────────────────────────────────────────


def test_a_spend_below_the_limits_wakes_nobody():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    stage.make(**_usd(10))
    (lease,) = stage.claim()
    for _ in range(5):
        stage.spend(lease, {"usd": 2})

    assert stage.store.openings(2**60, 10) == []


def test_a_reservation_outlasts_a_change_of_dimensions_and_ends_with_its_lease():
    stage = Stage()
    stage.budget("company", {"usd": 100})
    stage.budget(limits={"usd": 100, "tokens": 100}, parent="company")
    stage.make(budgets={"team": {"usd": 10, "tokens": 40}})
    (lease,) = stage.claim()
    stage.budget(limits={"usd": 100}, parent="company")
    stage.budget("company", {"usd": 100, "tokens": 50})
    stage.one(Complete(lease, None))
    stage.budget(limits={"usd": 100, "tokens": 100}, parent="company")
    made = stage.make(budgets={"team": {"tokens": 50}})

    assert [stage.use(name).reserved for name in ("team", "company")] == [{}, {}]
    assert stage.claimed() == [made]


def test_the_result_of_a_step_is_kept_though_its_reserved_dimension_was_dropped():
    stage = Stage()
    stage.budget(limits={"usd": 100, "tokens": 100})
    stage.make(**_usd(10))
    (lease,) = stage.claim()
    stage.one(Reserve(lease, "team", {"tokens": 40}))
    stage.budget(limits={"usd": 100})
    stage.one(RecordStep(lease, "ask", b"", b"answer", 1, StepCharge("team", {"usd": 3}, {"tokens": 40})))

    assert (stage.use().used, stage.use().reserved) == ({"usd": 3}, {"usd": 7})


def test_a_reservation_pays_though_the_budget_has_got_another_parent():
    stage = Stage()
    stage.budget("old", {"usd": 100})
    stage.budget("new", {"usd": 100})
    stage.budget(limits={"usd": 100}, parent="old")
    stage.make(**_usd(30))
    (lease,) = stage.claim()
    stage.budget(limits={"usd": 100}, parent="new")
    spent = stage.spend(lease, {"usd": 20})

    assert spent.remaining == {"usd": 70}
    assert [stage.use(name).reserved for name in ("team", "old", "new")] == [{"usd": 10}, {"usd": 10}, {}]
    assert [stage.use(name).used for name in ("team", "old", "new")] == [{"usd": 20}, {}, {"usd": 20}]


def test_a_reset_leaves_what_was_reserved_and_spent_before_in_the_old_period():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    old_ms = stage.use().period_ms
    stage.make(**_usd(30))
    (lease,) = stage.claim()
    stage.clock.advance(1)
    stage.one(ResetBudget(NS, "team"))
    other = stage.make(**_usd(50))
    stage.claim(ttl_ms=LONG_MS)
    stage.spend(lease, {"usd": 20})
    stage.one(Complete(lease, None))

    old = stage.store._budget_uses[NS, "team", old_ms]
    assert (old.used, old.reserved) == ({"usd": 20}, {})
    assert (stage.use().used, stage.use().reserved) == ({}, {"usd": 50})
    assert stage.states(other) == ["active"]


def test_a_correction_takes_no_more_from_the_ancestors_than_from_the_budget_itself():
    stage = Stage()
    stage.budget("company", {"usd": 100})
    for name, amount in (("a", 5), ("b", 15)):
        stage.budget(name, {"usd": 100}, parent="company")
        stage.one(ChargeBudget(NS, name, {"usd": amount}, ""))
    stage.one(ChargeBudget(NS, "a", {"usd": -20}, "all of it"))

    assert [stage.use(name).used for name in ("a", "b", "company")] == [{}, {"usd": 15}, {"usd": 15}]


def test_a_refused_reservation_may_be_tried_again_and_a_spend_is_never_refused():
    stage = Stage()
    stage.budget(limits={"usd": 10})
    stage.make(**_usd(0))
    (lease,) = stage.claim()
    stage.spend(lease, {"usd": 8})
    with pytest.raises(BudgetExceeded) as refused:
        stage.one(Reserve(lease, "team", {"usd": 5}))
    stage.budget(limits={"usd": 20})
    stage.one(Reserve(lease, "team", {"usd": 5}))
    over = stage.spend(lease, {"usd": 50})

    assert (refused.value.dimension, refused.value.remaining) == ("usd", 2)
    assert (over.remaining, over.exceeded) == ({"usd": -38}, ("usd",))


def test_a_key_of_a_spend_stands_for_one_spend_and_another_key_for_another():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    stage.make(**_usd(10))
    (lease,) = stage.claim()
    first = stage.spend(lease, {"usd": 4}, key="k1")
    stage.one(Release(lease))
    (again,) = stage.claim()
    repeated = stage.spend(again, {"usd": 4}, key="k1")
    stage.spend(again, {"usd": 4}, key="k2")

    assert repeated == first
    assert stage.use().used == {"usd": 8}


def test_only_the_holder_of_a_lease_spends_and_reserves():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    stage.make(**_usd(10))
    (lease,) = stage.claim()
    stage.clock.advance(LEASE_MS)
    for command in (Spend(lease, "team", {"usd": 1}, None), Reserve(lease, "team", {"usd": 1})):
        with pytest.raises(EngineError):
            stage.one(command)

    assert stage.use().used == {}


def test_a_budget_that_is_not_there_is_never_made_up():
    stage = Stage()
    stage.budget(limits={"usd": 100})
    stage.make(**_usd(0))
    (lease,) = stage.claim()
    for command in (
        Spend(lease, "nobody", {"usd": 1}, None),
        Reserve(lease, "nobody", {"usd": 1}),
        ResetBudget(NS, "nobody"),
        ChargeBudget(NS, "nobody", {"usd": 1}, ""),
        stage.creation(**_usd(1, "nobody")),
        stage.creation(limits={"nobody": ""}),
    ):
        with pytest.raises(NotFound):
            stage.one(command)
    with pytest.raises(InvalidInput):
        stage.one(Spend(lease, "team", {"tokens": 1}, None))

    assert set(stage.store._budgets) == {(NS, "team")}
    assert set(stage.use().used) == set(), "only dimensions are in what is used"


# ── turns ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("seed", range(3))
def test_keys_that_always_wait_get_equal_shares_of_the_claims(seed: int):
    chance = random.Random(seed)
    stage = Stage()
    keys = ["a", "b", "c", "d"]
    for number, key in enumerate(keys):
        for _ in range(12 + 10 * number):
            stage.make(fair_key=key)
    got: Counter[str] = Counter()
    while sum(got.values()) < 44:
        for lease in stage.claim(limit=chance.choice((1, 3))):
            got[stage.x(lease.execution_id).gates.fair_key] += 1
            stage.one(chance.choice((Complete(lease, None), Delay(lease, stage.store.now_ms + LONG_MS))))
        assert max(got.values()) - min(got[key] for key in keys) <= 1


def test_a_new_key_waits_for_at_most_one_turn_of_every_other():
    stage = Stage()
    for key in ("a", "b"):
        for _ in range(20):
            stage.make(fair_key=key)
    stage.claim(limit=5)
    new = stage.make(fair_key="new")

    assert new in stage.claimed(limit=3)


def test_whoever_leaves_the_queue_unclaimed_lets_the_next_in():
    for leave in (lambda key: Hold(key, ""), lambda key: CancelExecution(key, "r", "operator_override", None)):
        stage = Stage()
        stage.limit(concurrency=1)
        stage.make(**API)
        (lease,) = stage.claim()
        ids = [stage.make(**API) for _ in range(2)]
        stage.claim()
        stage.one(Complete(lease, None))
        stage.one(leave(ids[0]))

        assert stage.claimed() == [ids[1]]


def test_a_look_at_a_gate_that_nobody_waits_at_changes_nothing():
    stage = Stage()
    stage.limit(concurrency=1)
    stage.budget()

    for gate in ((NS, "limit", "api", ""), (NS, "budget", "team", ""), (NS, "limits", "api", "")):
        assert stage.one(OpenGate(gate)) is False
    assert stage.store.openings(2**60, 10) == []
