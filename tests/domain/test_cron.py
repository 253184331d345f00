"""Cron patterns: what they mean, what is refused, and what happens to them when clocks change."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flowfabric import InvalidInput
from flowfabric.domain.cron import Cron, cron, parsed
from tests.domain.slots_oracle import (
    BY_MINUTES,
    HALF_HOURLY,
    ONE_OF_EACH_KIND,
    ZONES,
    changes_of,
    slots_found,
    step_of,
    utc,
)
from tests.sizes import IS_FULL

YEAR = (utc(2026, 1, 1), utc(2027, 1, 1))
MINUTE = timedelta(minutes=1)
A_CHANGE = (utc(2026, 3, 28, 12), utc(2026, 3, 29, 12))
WALKED_BY_MINUTES = YEAR if IS_FULL else A_CHANGE
"""A walk through all minutes of a year takes seconds in each zone: `make soak` does it."""


def ms(at: datetime) -> int:
    return int(at.timestamp() * 1000)


def slots(pattern: Cron, start: datetime, end: datetime) -> list[datetime]:
    """All slots after `start` and up to `end`, one after the other."""
    found = []
    at_ms: int | None = ms(start)
    while at_ms is not None and (at_ms := pattern.next_after(at_ms)) is not None and at_ms <= ms(end):
        found.append(datetime.fromtimestamp(at_ms / 1000, UTC))
    return found


def moments(text: str, timezone: str, start: datetime, end: datetime) -> list[str]:
    """The same as day and time in universal time."""
    return [f"{at:%d %H:%M}" for at in slots(cron(text, timezone), start, end)]


# ── against the slow way ─────────────────────────────────────────────────────────────────────────


def test_there_are_sixty_different_zones() -> None:
    assert len(set(ZONES)) == 60


def days_around(changes: list[datetime]) -> list[tuple[datetime, datetime]]:
    return [(change - timedelta(days=1), change + timedelta(days=1)) for change in changes]


@pytest.mark.parametrize("timezone", ZONES if IS_FULL else ONE_OF_EACH_KIND)
def test_in_a_year_every_slot_is_found_once(timezone: str) -> None:
    expected = slots_found(list(HALF_HOURLY.values()), timezone, *YEAR, step_of(timezone))

    for text, found in zip(HALF_HOURLY, expected, strict=True):
        assert slots(cron(text, timezone), *YEAR) == found, text


@pytest.mark.parametrize("timezone", ZONES)
def test_around_every_change_of_clocks_every_slot_is_found_once_in_every_zone(timezone: str) -> None:
    for around in days_around(changes_of(timezone, *YEAR)):
        expected = slots_found(list(HALF_HOURLY.values()), timezone, *around, step_of(timezone))

        for text, found in zip(HALF_HOURLY, expected, strict=True):
            assert slots(cron(text, timezone), *around) == found, (text, around)


@pytest.mark.parametrize("timezone", ZONES)
def test_every_minute_is_right_in_every_zone(timezone: str) -> None:
    expected = slots_found(list(BY_MINUTES.values()), timezone, *WALKED_BY_MINUTES, MINUTE)

    for text, found in zip(BY_MINUTES, expected, strict=True):
        assert slots(cron(text, timezone), *WALKED_BY_MINUTES) == found, text


@pytest.mark.parametrize("timezone", ["Africa/Casablanca", "America/Havana", "Australia/Lord_Howe", "Asia/Gaza"])
def test_around_a_change_of_clocks_every_minute_is_right(timezone: str) -> None:
    for around in days_around(changes_of(timezone, *YEAR)):
        expected = slots_found(list(BY_MINUTES.values()), timezone, *around, MINUTE)

        for text, found in zip(BY_MINUTES, expected, strict=True):
            assert slots(cron(text, timezone), *around) == found, (text, around)


HISTORY = {
    "a day that never was": ("Pacific/Apia", utc(2011, 12, 27), utc(2012, 1, 3)),
    "a day that was twice": ("Pacific/Kwajalein", utc(1969, 9, 28), utc(1969, 10, 4)),
    "one minute past midnight": ("America/St_Johns", utc(2010, 11, 5), utc(2010, 11, 10)),
    "two hours": ("America/St_Johns", utc(1988, 4, 1), utc(1988, 11, 3)),
    "a quarter of an hour to half an hour": ("Asia/Pyongyang", utc(2015, 8, 12), utc(2018, 5, 8)),
}


@pytest.mark.parametrize("moment", HISTORY)
def test_odd_moments_of_history_are_right(moment: str) -> None:
    timezone, start, end = HISTORY[moment]
    for change in [start, *changes_of(timezone, start, end)]:
        around = (change - timedelta(days=2), change + timedelta(days=2))

        expected = slots_found(list(BY_MINUTES.values()), timezone, *around, MINUTE)

        for text, found in zip(BY_MINUTES, expected, strict=True):
            assert slots(cron(text, timezone), *around) == found, (text, change)


@given(
    timezone=st.sampled_from(ZONES),
    text=st.sampled_from([*BY_MINUTES, "0 0 29 2 *", "0 12 31 * *"]),
    at=st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001
    span=st.timedeltas(timedelta(0), timedelta(days=400)),
)
def test_the_latest_slot_up_to_an_instant_is_the_one_before_the_next(
    timezone: str, text: str, at: datetime, span: timedelta
) -> None:
    pattern = cron(text, timezone)
    until_ms = ms(at.replace(tzinfo=UTC))
    after_ms = until_ms - span // timedelta(milliseconds=1)

    latest = pattern.latest(after_ms, until_ms)

    if latest is None:
        following = pattern.next_after(after_ms)
        assert following is None or following > until_ms
    else:
        following = pattern.next_after(latest)
        assert after_ms < latest <= until_ms
        assert pattern.next_after(latest - 1) == latest
        assert following is None or following > until_ms


# ── when clocks change ───────────────────────────────────────────────────────────────────────────


def test_a_time_of_day_that_is_skipped_fires_at_the_first_instant_after_the_gap() -> None:
    # In Berlin 02:00 becomes 03:00 on 29 March 2026, at 01:00 in universal time.
    night = (utc(2026, 3, 28, 12), utc(2026, 3, 29, 12))

    assert moments("30 2 * * *", "Europe/Berlin", *night) == ["29 01:00"]
    assert moments("0,15,30 2 * * *", "Europe/Berlin", *night) == ["29 01:00"]
    assert moments("0 2,3 * * *", "Europe/Berlin", *night) == ["29 01:00"]
    assert moments("30 1,2,3 * * *", "Europe/Berlin", *night) == ["29 00:30", "29 01:00", "29 01:30"]


def test_a_time_of_day_that_comes_twice_fires_the_first_time() -> None:
    # In Berlin 03:00 becomes 02:00 on 25 October 2026, at 01:00 in universal time.
    night = (utc(2026, 10, 24, 12), utc(2026, 10, 25, 12))

    assert moments("30 2 * * *", "Europe/Berlin", *night) == ["25 00:30"]
    assert moments("0 2,3 * * *", "Europe/Berlin", *night) == ["25 00:00", "25 02:00"]


def test_an_interval_goes_on_through_both_changes() -> None:
    for night in ((utc(2026, 3, 28, 22), utc(2026, 3, 29, 4)), (utc(2026, 10, 24, 22), utc(2026, 10, 25, 4))):
        found = slots(cron("*/20 * * * *", "Europe/Berlin"), *night)

        assert [later - earlier for earlier, later in pairwise(found)] == [timedelta(minutes=20)] * 17


def test_an_interval_within_an_hour_is_skipped_with_it_and_comes_twice_with_it() -> None:
    spring, autumn = (utc(2026, 3, 28, 12), utc(2026, 3, 29, 12)), (utc(2026, 10, 24, 12), utc(2026, 10, 25, 12))

    assert moments("*/30 2 * * *", "Europe/Berlin", *spring) == []
    assert moments("*/30 2 * * *", "Europe/Berlin", *autumn) == ["25 00:00", "25 00:30", "25 01:00", "25 01:30"]


def test_half_an_hour_is_skipped_and_comes_twice_on_lord_howe() -> None:
    # 02:00 becomes 02:30 on 4 October 2026, at 15:30 in universal time; back on 5 April, at 15:00.
    spring, autumn = (utc(2026, 10, 3, 13), utc(2026, 10, 3, 18)), (utc(2026, 4, 4, 13), utc(2026, 4, 4, 18))

    assert moments("15 2 * * *", "Australia/Lord_Howe", *spring) == ["03 15:30"]
    assert moments("45 1 * * *", "Australia/Lord_Howe", *autumn) == ["04 14:45"]
    assert moments("0 1-3 * * *", "Australia/Lord_Howe", *spring) == ["03 14:30", "03 15:30", "03 16:00"]
    assert moments("0 1-3 * * *", "Australia/Lord_Howe", *autumn) == ["04 14:00", "04 15:30", "04 16:30"]


def test_a_day_that_never_was_fires_at_its_end() -> None:
    # Samoa went from 29 to 31 December 2011, at 10:00 in universal time on the 30th.
    week = (utc(2011, 12, 29), utc(2012, 1, 1))

    assert moments("0 12 * * *", "Pacific/Apia", *week) == ["29 22:00", "30 10:00", "30 22:00", "31 22:00"]
    assert moments("0 12 30 12 *", "Pacific/Apia", *week) == ["30 10:00"]


# ── patterns ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "minutes", "hours", "months", "weekdays"),
    [
        ("0 0 * * *", (0,), (0,), range(1, 13), range(7)),
        ("1,3-5,50-59/4 */8 * * *", (1, 3, 4, 5, 50, 54, 58), (0, 8, 16), range(1, 13), range(7)),
        ("0 0 * jan,MAR-may *", (0,), (0,), (1, 3, 4, 5), range(7)),
        ("0 0 * * mon-fri", (0,), (0,), range(1, 13), range(1, 6)),
        ("0 0 * * fri-sun", (0,), (0,), range(1, 13), (5, 6, 0)),
        ("0 0 * * sun-tue", (0,), (0,), range(1, 13), (0, 1, 2)),
        ("0 0 * * 7", (0,), (0,), range(1, 13), (0,)),
        ("0 0 * * 5-7", (0,), (0,), range(1, 13), (5, 6, 0)),
        ("  0\t0  * * 0 ", (0,), (0,), range(1, 13), (0,)),
        ("@hourly", (0,), range(24), range(1, 13), range(7)),
        ("@Weekly", (0,), (0,), range(1, 13), (0,)),
    ],
)
def test_a_field_means_its_values(
    text: str, minutes: tuple[int, ...], hours: tuple[int, ...], months: tuple[int, ...], weekdays: tuple[int, ...]
) -> None:
    pattern = parsed(text)

    assert (pattern.minutes, pattern.hours) == (tuple(minutes), tuple(hours))
    assert (pattern.months, pattern.weekdays) == (set(months), set(weekdays))


def test_a_day_matches_by_either_field_if_both_are_restricted_and_by_both_otherwise() -> None:
    may = (utc(2026, 4, 30), utc(2026, 5, 31))

    # In May 2026 the Mondays are 4, 11, 18 and 25.
    assert moments("0 0 11,12 * mon", "UTC", *may) == ["04 00:00", "11 00:00", "12 00:00", "18 00:00", "25 00:00"]
    assert moments("0 0 */2 * mon", "UTC", *may) == ["11 00:00", "25 00:00"]
    assert moments("0 0 11,12 * *", "UTC", *may) == ["11 00:00", "12 00:00"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("* * * *", "five fields"),
        ("61 * * * *", "minute has '61'; a value must be from 0 to 59"),
        ("* 1-24 * * *", "hour has '1-24'"),
        ("* * 0 * *", "day of month has '0'"),
        ("* * * smarch *", "month has 'smarch'; a value must be from 1 to 12, or a name such as 'jan'"),
        ("* * * * mon-wod", "day of week has 'mon-wod'"),
        ("5/2 * * * *", "a step needs a range"),
        ("*/0 * * * *", "the step after '/'"),
        ("* 5-3 * * *", "runs backwards"),
        ("* * 31 4,6 *", "day of month 31 does not occur"),
    ],
)
def test_a_wrong_pattern_is_refused_by_the_name_of_its_field(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        cron(text, "UTC")

    assert says in str(caught.value)
    assert repr(text) in str(caught.value)


def test_rare_days_are_found_decades_ahead_and_back() -> None:
    leap_sunday = cron("0 0 29 2 */7", "UTC")

    found = slots(leap_sunday, utc(2026, 1, 1), utc(2110, 1, 1))

    assert [f"{day:%Y}" for day in found] == ["2032", "2060", "2088"]
    assert leap_sunday.latest(0, ms(utc(2087, 1, 1))) == ms(found[1])


def test_the_calendar_has_an_end() -> None:
    end_ms = ms(utc(9989, 12, 31))

    assert cron("@yearly", "Asia/Tokyo").next_after(end_ms) is None
    assert cron("@yearly", "Asia/Tokyo").next_after(2**53 - 1) is None
    assert cron("@daily", "UTC").latest(end_ms - 86_400_000, 2**53 - 1) is not None
