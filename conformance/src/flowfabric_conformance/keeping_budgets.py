"""Trees of budgets, and what is kept of periods that are over."""

import pytest

from flowfabric import BlockingEngine, InvalidInput, ManualClock
from flowfabric_conformance.gate_stage import budget_at, claims, spending
from flowfabric_conformance.stage import create

DAY_MS = 86_400_000
KEPT_MS = 90 * DAY_MS


def _line(engine: BlockingEngine, *names: str, namespace: str = "default") -> None:
    """Budgets, each the parent of the one before it."""
    for name, parent in zip(reversed(names), [None, *reversed(names[1:])], strict=True):
        engine.set_budget(name, limits={"usd": 10}, parent=parent, namespace=namespace)


def _spend_today(engine: BlockingEngine, usd: int) -> None:
    create(engine)
    (claimed,) = claims(engine)
    engine.spend(claimed.lease, "team", {"usd": usd})
    engine.complete(claimed.lease)


def _begin_a_day(clock: ManualClock) -> None:
    clock.advance(DAY_MS - clock.now_ms % DAY_MS)


# ── trees ────────────────────────────────────────────────────────────────────────────────────────


def test_a_budget_with_others_under_it_is_not_put_where_they_would_be_too_deep(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _line(engine, "squad", "crew", "unit")
    _line(engine, "group", "company")
    engine.set_budget("guests", limits={"usd": 10}, parent="unit")

    with pytest.raises(InvalidInput, match="squad → crew → unit → group → company would be 5 budgets deep"):
        engine.set_budget("unit", limits={"usd": 10}, parent="group")

    assert budget_at(engine, "unit").parent is None
    engine.set_budget("unit", limits={"usd": 10}, parent="company")
    assert budget_at(engine, "unit").parent == "company"


def test_only_those_that_are_under_a_budget_now_and_in_its_namespace_count(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _line(engine, "squad", "crew", "unit")
    _line(engine, "group", "company")
    _line(engine, "deeper", "deep", "unit", namespace="other")
    engine.set_budget("squad", limits={"usd": 10}, parent="company")

    engine.set_budget("unit", limits={"usd": 10}, parent="group")

    assert budget_at(engine, "unit").parent == "group"


def test_a_budget_with_many_under_it_gets_a_parent(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_budget("company", limits={"usd": 10})
    engine.set_budget("unit", limits={"usd": 10})
    for number in range(300):
        engine.set_budget(f"team-{number}", limits={"usd": 10}, parent="unit")

    engine.set_budget("unit", limits={"usd": 10}, parent="company")

    assert budget_at(engine, "unit").parent == "company"


# ── old periods ──────────────────────────────────────────────────────────────────────────────────


def test_what_was_used_in_a_period_is_forgotten_90_days_later_and_the_sums_of_days_stay(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _begin_a_day(clock)
    engine.set_budget("company", limits={"usd": 1_000})
    engine.set_budget("team", limits={"usd": 100}, period="day", parent="company")
    for usd in (3, 4):
        _spend_today(engine, usd)
        clock.advance(DAY_MS)
    before = spending(engine, "day")

    clock.advance(KEPT_MS - DAY_MS - 1)  # the first day has been over for 90 days, but for a millisecond
    early = engine.reconcile()["old_uses"]
    clock.advance(1)
    first = engine.reconcile()["old_uses"]
    clock.advance(DAY_MS)
    second = engine.reconcile()["old_uses"]
    again = engine.reconcile()["old_uses"]

    assert (early, first, second, again) == (0, 1, 1, 0)
    assert spending(engine, "day") == before
    assert (budget_at(engine).used, budget_at(engine, "company").used) == ({"usd": 0}, {"usd": 7})


def test_a_long_period_is_not_forgotten_while_it_lasts(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_budget("team", limits={"usd": 100}, period="300d")
    _spend_today(engine, 3)
    clock.advance(299 * DAY_MS)

    assert engine.reconcile()["old_uses"] == 0
    assert budget_at(engine).used == {"usd": 3}


def test_a_period_in_which_something_is_reserved_is_not_forgotten(engine: BlockingEngine, clock: ManualClock) -> None:
    _begin_a_day(clock)
    engine.set_budget("team", limits={"usd": 100}, period="day")
    create(engine, budgets={"team": {"usd": 40}})
    (claimed,) = claims(engine)
    done = 0
    for _ in range(5):
        engine.renew(claimed.lease, lease_ttl_ms=21 * DAY_MS)
        clock.advance(20 * DAY_MS)
        done += engine.reconcile()["old_uses"]
    spent = engine.spend(claimed.lease, "team", {"usd": 30})
    engine.complete(claimed.lease)

    assert (done, dict(spent.remaining)) == (0, {"usd": 60})
    assert engine.reconcile()["old_uses"] == 1


def test_what_is_spent_in_a_period_that_was_forgotten_still_counts_by_day(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    _begin_a_day(clock)
    engine.set_budget("team", limits={"usd": 100}, period="day")
    create(engine)
    (claimed,) = claims(engine)
    engine.spend(claimed.lease, "team", {"usd": 2})
    for _ in range(5):
        engine.renew(claimed.lease, lease_ttl_ms=21 * DAY_MS)
        clock.advance(20 * DAY_MS)
    forgotten = engine.reconcile()["old_uses"]
    engine.spend(claimed.lease, "team", {"usd": 5})

    assert forgotten == 1
    assert list(spending(engine, "day").values()) == [{"usd": 2}, {"usd": 5}]
    assert budget_at(engine).used == {"usd": 0}
