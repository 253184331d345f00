"""Which slots of a schedule are due, whatever the clock has done."""

from uuid import UUID

import pytest
from msgspec.structs import replace

from flowfabric.domain.cron import Cron
from flowfabric.domain.ids import uuid_in
from flowfabric.domain.intervals import Every
from flowfabric.domain.policies import DEFAULT_POLICY
from flowfabric.domain.schedule import (
    CATCH_UPS,
    GRACE_MS,
    SLOTS_BYTES_MAX,
    SLOTS_MAX,
    CatchUp,
    Definition,
    Schedule,
    execution_id_of,
    slots_to_fire,
)

NOW = 1_700_000_000_000
MINUTE_MS = 60_000
YEAR_MS = 365 * 86_400_000


def a_schedule(catch_up: CatchUp = "last", timing: Cron | Every | None = None, settled_ms: int = NOW) -> Schedule:
    definition = Definition(
        "default",
        "report",
        "report",
        b"",
        b"",
        Every(MINUTE_MS) if timing is None else timing,
        catch_up,
        "default",
        0,
        None,
        (),
        DEFAULT_POLICY,
        {},
    )
    return Schedule(definition, NOW, NOW, NOW, settled_ms)


@pytest.mark.parametrize("catch_up", CATCH_UPS)
@pytest.mark.parametrize("back_ms", [0, 1, MINUTE_MS, YEAR_MS])
def test_a_clock_that_is_put_back_fires_nothing_again(catch_up: CatchUp, back_ms: int) -> None:
    schedule = a_schedule(catch_up)

    assert slots_to_fire(schedule, NOW - back_ms) == ([], NOW)


@pytest.mark.parametrize("catch_up", CATCH_UPS)
def test_a_clock_that_goes_to_and_fro_fires_each_slot_once(catch_up: CatchUp) -> None:
    schedule, fired = a_schedule(catch_up), []
    for jump_ms in (30_000, -10_000, 50_000, -90_000, 70_000, 20_000, 59_000, -1, 1, 45_000):
        slots, settled_ms = slots_to_fire(schedule, schedule.seen_at_ms + jump_ms)
        fired += slots
        schedule = replace(schedule, settled_until_ms=settled_ms, seen_at_ms=schedule.seen_at_ms + jump_ms)

    first = NOW // MINUTE_MS * MINUTE_MS + MINUTE_MS
    assert fired == list(range(first, schedule.settled_until_ms + 1, MINUTE_MS))
    assert len(fired) == 3


@pytest.mark.parametrize("timing", [Every(MINUTE_MS), Cron("* * * * *", "Europe/Berlin"), Cron("0 2 * * *", "UTC")])
@pytest.mark.parametrize("catch_up", CATCH_UPS)
def test_an_outage_of_a_year_is_decided_in_bounded_steps(catch_up: CatchUp, timing: Cron | Every) -> None:
    schedule = a_schedule(catch_up, timing)

    slots, settled_ms = slots_to_fire(schedule, NOW + YEAR_MS)

    assert len(slots) <= SLOTS_MAX
    assert slots == sorted(set(slots))
    if catch_up == "all":
        assert (slots[0], settled_ms) == (timing.next_after(NOW), slots[-1])
    else:
        assert settled_ms == NOW + YEAR_MS
        assert len([slot for slot in slots if slot <= NOW + YEAR_MS - GRACE_MS]) == (catch_up == "last")


def test_slots_with_large_payloads_fire_in_steps_of_bounded_size() -> None:
    schedule = a_schedule("all", Every(MINUTE_MS))
    large, huge = (
        replace(schedule, definition=replace(schedule.definition, payload=bytes(size)))
        for size in (SLOTS_BYTES_MAX // 4, SLOTS_BYTES_MAX * 2)
    )

    assert len(slots_to_fire(schedule, NOW + YEAR_MS)[0]) == SLOTS_MAX
    assert len(slots_to_fire(large, NOW + YEAR_MS)[0]) == 4
    assert len(slots_to_fire(huge, NOW + YEAR_MS)[0]) == 1


def test_a_slot_has_an_id_of_its_own_that_says_when_it_was() -> None:
    one = a_schedule()
    other = replace(one, definition=replace(one.definition, name="other"))
    made_anew = replace(one, created_at_ms=NOW + 1)

    ids = [execution_id_of(schedule, NOW + ms) for schedule in (one, other, made_anew) for ms in (0, MINUTE_MS)]

    uuids = [UUID(uuid_in(execution_id)) for execution_id in ids]
    assert len(set(ids)) == 6
    assert {(uuid.version, uuid.variant) for uuid in uuids} == {(7, "specified in RFC 4122")}
    assert [uuid.int >> 80 for uuid in uuids] == [NOW, NOW + MINUTE_MS] * 3
    assert ids[0] == execution_id_of(one, NOW)
