"""A year of budget periods, in time zones that change their clocks in different ways."""

import random
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from flowfabric import ManualClock
from flowfabric.domain.budgets import PERIODS, Budget
from flowfabric.domain.commands import Renew, ResetBudget
from flowfabric.domain.cron import Cron
from flowfabric.domain.gate_inputs import period
from flowfabric.domain.schedule import Every
from flowfabric.stores.memory.store import MemoryStore
from tests.domain.gate_stage import LONG_MS, Stage
from tests.domain.gate_world import NS

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
ZONES = ("Europe/Berlin", "America/Santiago", "Australia/Lord_Howe")
"""Clocks change at night, at midnight, and by half an hour."""
KINDS = ("day", "week", "month", "7d", "36h", "30 2 * * *", "0 */6 * * *", "15 1 1,15 * 0")
STARTS = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()) * 1000
ENDS = STARTS + 366 * DAY_MS


def _budget(kind: str, zone: str) -> Budget:
    timing = period(kind, zone)
    when = Every(timing, STARTS + 12_345) if isinstance(timing, int) else timing
    return Budget(NS, "team", {"usd": 100}, {}, when, None, "pause")


def _bounds(budget: Budget) -> list[int]:
    """The starts of all periods of the year, and of the one after it."""
    found = [budget.period_at(STARTS)]
    while found[-1] <= ENDS:
        next_ms = budget.next_reset_ms(found[-1])
        assert next_ms is not None
        found.append(next_ms)
    return found


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_instant_of_a_year_belongs_to_exactly_one_period(kind: str, zone: str):
    budget = _budget(kind, zone)
    chance = random.Random(7)
    bounds = _bounds(budget)

    for start, end in pairwise(bounds):
        assert start < end
        for at_ms in (start, chance.randrange(start, end), end - 1):
            assert (budget.period_at(at_ms), budget.next_reset_ms(at_ms)) == (start, end)


@pytest.mark.parametrize("zone", ZONES)
def test_a_year_has_as_many_days_weeks_and_months_as_the_calendar_has(zone: str):
    counts = {
        kind: sum(STARTS < at <= STARTS + 365 * DAY_MS for at in _bounds(_budget(kind, zone))) for kind in PERIODS
    }

    assert counts == {"day": 365, "week": 52, "month": 12}


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("kind", ["day", "month"])
def test_a_day_and_a_month_begin_at_the_first_instant_of_their_date(kind: str, zone: str):
    from zoneinfo import ZoneInfo

    def shown(at_ms: int) -> datetime:
        return datetime.fromtimestamp(at_ms / 1000, ZoneInfo(zone))

    for start, end in pairwise(_bounds(_budget(kind, zone))):
        assert shown(start).date() > shown(start - 1).date()
        if kind == "day":
            assert shown(start).date() == shown(end - 1).date(), "no date has two periods"


def test_a_reset_ends_a_period_early_and_leaves_the_other_bounds_where_they_are():
    plain = _budget("day", "Europe/Berlin")
    bounds = _bounds(plain)[:10]
    reset_ms = bounds[4] + 5 * HOUR_MS
    budget = Budget(NS, "team", {"usd": 100}, {}, plain.period, None, "pause", reset_ms)

    starts = [budget.period_at(at) for at in range(bounds[0], bounds[9], HOUR_MS // 2)]

    assert sorted(set(starts)) == sorted({*bounds[:9], reset_ms})
    assert starts == sorted(starts)
    assert budget.period_at(reset_ms - 1) == bounds[4]


def _clock_changes(zone: str) -> list[int]:
    """The days of the year on which a day is longer or shorter than others, and an ordinary one."""
    odd = [start for start, end in pairwise(_bounds(_budget("day", zone))) if end - start != DAY_MS]
    return [*odd[:2], STARTS + 100 * DAY_MS]


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("kind", ["day", "week", "month", "36h", "30 2 * * *"])
def test_a_late_charge_goes_to_the_period_in_which_its_lease_began(kind: str, zone: str):
    for near_ms in _clock_changes(zone):
        stage = Stage()
        stage.clock = ManualClock(near_ms - DAY_MS)
        stage.store = MemoryStore("s", stage.clock)
        stage.budget("team", {"usd": 100}, period=period(kind, zone))
        budget = stage.store._budgets[NS, "team"]
        end_ms = budget.next_reset_ms(near_ms)
        assert end_ms is not None
        stage.clock.advance(end_ms - 1 - stage.store.now_ms)
        began_in = budget.period_at(end_ms - 1)
        stage.make(budgets={"team": {"usd": 40}})
        (lease,) = stage.claim(ttl_ms=LONG_MS)
        stage.clock.advance(1)
        late = stage.spend(lease, {"usd": 30})
        stage.one(ResetBudget(NS, "team"))
        stage.clock.advance(HOUR_MS // 2)
        stage.spend(lease, {"usd": 5})

        old = stage.store._budget_uses[NS, "team", began_in]
        assert (old.used, old.reserved) == ({"usd": 35}, {"usd": 5})
        assert late.remaining == {"usd": 60}
        assert (stage.use().used, stage.use().reserved) == ({}, {})


def test_a_lease_that_is_lost_in_a_later_period_is_charged_to_the_one_in_which_it_began():
    stage = Stage()
    stage.budget(period=Cron("0 * * * *", "UTC"))
    stage.make(budgets={"team": {"usd": 40}})
    began_in = stage.use().period_ms
    (lease,) = stage.claim()
    stage.one(Renew(lease, 2 * LONG_MS))
    stage.wait(2 * LONG_MS)

    old = stage.store._budget_uses[NS, "team", began_in]
    assert (old.used, old.assumed, old.reserved) == ({"usd": 40}, {"usd": 40}, {})
    assert stage.use().used == {}
