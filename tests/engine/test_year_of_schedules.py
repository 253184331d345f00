"""A year of schedules in many time zones, with outages: no slot is lost, and none fires twice, whatever the policy."""

import random
from datetime import UTC, datetime
from itertools import pairwise
from typing import Literal, NamedTuple

import pytest

from flowfabric import BlockingEngine, ManualClock, NewSchedule, open_blocking_engine
from tests.domain.slots_oracle import HALF_HOURLY, ONE_OF_EACH_KIND, ZONES, slots_found, step_of, utc
from tests.sizes import IS_FULL

START, END = utc(2026, 1, 1), utc(2027, 1, 1)
PATTERNS = ("30 2 * * *", "0 3 13 * fri")
CATCH_UPS: tuple[Literal["skip", "last", "all"], ...] = ("skip", "last", "all")
MINUTE_MS, DAY_MS = 60_000, 86_400_000


class Outage(NamedTuple):
    """A time in which nobody looks."""

    start_ms: int
    end_ms: int


def ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def outages(chance: random.Random) -> list[Outage]:
    """A dozen of them, of minutes, hours and days."""
    starts = sorted(chance.randrange(ms(START), ms(END) - 20 * DAY_MS) for _ in range(12))
    lengths = [chance.choice((MINUTE_MS, 90 * MINUTE_MS, DAY_MS, 12 * DAY_MS)) for _ in starts]
    return [Outage(start, start + length) for start, length in zip(starts, lengths, strict=True)]


def live_through(
    engine: BlockingEngine, clock: ManualClock, schedules: list[NewSchedule], chance: random.Random
) -> dict[str, list[int]]:
    """Look at each schedule at its slots, at times a little late, but not during outages; when it was looked at."""
    looks: dict[str, list[int]] = {schedule.name: [] for schedule in schedules}
    next_slots = dict.fromkeys(looks, clock.now_ms)
    gone = outages(chance)
    while clock.now_ms < ms(END):
        for schedule in schedules:
            while next_slots[schedule.name] <= clock.now_ms:
                answer = engine.fire_schedule(schedule)
                assert answer.next_slot_ms is not None
                looks[schedule.name].append(clock.now_ms)
                next_slots[schedule.name] = answer.next_slot_ms
        then_ms = min(min(next_slots.values()) + chance.choice((0, 0, 3, 40_000)), ms(END))
        then_ms = max([then_ms, *(outage.end_ms for outage in gone if outage.start_ms <= then_ms < outage.end_ms)])
        clock.advance(then_ms - clock.now_ms)
    return looks


def to_fire(slots: list[int], looks: list[int], catch_up: str) -> list[int]:
    """Which slots fire, told look by look: of those that are a minute old or older, none, the last, or all."""
    fired: list[int] = []
    for before, look in pairwise(looks):
        due = [slot for slot in slots if before < slot <= look]
        missed = [slot for slot in due if slot <= look - MINUTE_MS]
        kept = {"skip": [], "last": missed[-1:], "all": missed}[catch_up]
        fired += [*kept, *(slot for slot in due if slot > look - MINUTE_MS)]
    return fired


def slots_fired(engine: BlockingEngine, name: str) -> list[int]:
    found = engine.list_executions(tag=("schedule.name", name), limit=1000).items
    texts = [x.tags["schedule.slot"] for x in found]  # type: ignore[attr-defined]
    return sorted(ms(datetime.fromisoformat(text)) for text in texts)


@pytest.mark.parametrize("catch_up", CATCH_UPS)
def test_in_a_year_each_slot_fires_once_or_as_its_policy_says(catch_up: Literal["skip", "last", "all"]) -> None:
    zones = ZONES if IS_FULL else ONE_OF_EACH_KIND
    chance = random.Random(catch_up)
    clock = ManualClock(ms(START))
    schedules = [
        NewSchedule(name=zone, kind="tick", cron=PATTERNS[index % 2], timezone=zone, catch_up=catch_up)
        for index, zone in enumerate(zones)
    ]
    with open_blocking_engine("memory://", clock=clock, reconcile=False) as engine:
        looks = live_through(engine, clock, schedules, chance)
        fired = {schedule.name: slots_fired(engine, schedule.name) for schedule in schedules}

    for schedule in schedules:
        meaning = HALF_HOURLY[schedule.cron or ""]
        (found,) = slots_found([meaning], schedule.name, START, END, step_of(schedule.name))
        slots = [ms(slot) for slot in found if ms(slot) <= looks[schedule.name][-1]]
        assert fired[schedule.name] == to_fire(slots, looks[schedule.name], catch_up), schedule.name
        if catch_up == "all":
            assert fired[schedule.name] == slots, schedule.name
        assert len(slots) > 50


def test_an_interval_does_not_care_about_clocks() -> None:
    clock = ManualClock(ms(utc(2026, 3, 28)))
    every = NewSchedule(name="every", kind="tick", every_ms=7 * 3_600_000)
    with open_blocking_engine("memory://", clock=clock, reconcile=False) as engine:
        next_slot_ms = engine.fire_schedule(every).next_slot_ms or 0
        for _ in range(20):
            clock.advance(next_slot_ms - clock.now_ms)
            next_slot_ms = engine.fire_schedule(every).next_slot_ms or 0

        slots = slots_fired(engine, "every")

    assert {later - earlier for earlier, later in pairwise(slots)} == {7 * 3_600_000}
    assert datetime.fromtimestamp(slots[0] / 1000, UTC).minute == 0
