"""When a pattern fires, found the slow way: walk through universal time, look at the wall clock, and compare.

It shares nothing with the code it judges. Patterns come with what they mean, written by hand.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

ZONES: Final = (
    *("Africa/Cairo", "Africa/Casablanca", "Africa/El_Aaiun", "Africa/Johannesburg", "Africa/Lagos", "Africa/Nairobi"),
    *("America/Adak", "America/Anchorage", "America/Argentina/Buenos_Aires", "America/Asuncion", "America/Bogota"),
    *("America/Caracas", "America/Chicago", "America/Denver", "America/Godthab", "America/Halifax", "America/Havana"),
    *("America/Los_Angeles", "America/Mexico_City", "America/Miquelon", "America/New_York", "America/Phoenix"),
    *("America/Santiago", "America/Sao_Paulo", "America/Scoresbysund", "America/St_Johns", "Antarctica/McMurdo"),
    *("Antarctica/Troll", "Asia/Amman", "Asia/Beirut", "Asia/Dubai", "Asia/Gaza", "Asia/Hong_Kong", "Asia/Jerusalem"),
    *("Asia/Kabul", "Asia/Kathmandu", "Asia/Kolkata", "Asia/Riyadh", "Asia/Shanghai", "Asia/Singapore", "Asia/Tehran"),
    *("Asia/Tokyo", "Asia/Yangon", "Atlantic/Azores", "Australia/Adelaide", "Australia/Brisbane", "Australia/Eucla"),
    *("Australia/Lord_Howe", "Australia/Sydney", "Europe/Berlin", "Europe/Chisinau", "Europe/Dublin"),
    *("Europe/Istanbul", "Europe/London", "Europe/Moscow", "Pacific/Apia", "Pacific/Chatham", "Pacific/Easter"),
    *("Pacific/Kiritimati", "UTC"),
)
"""Sixty, among them all kinds of rules: half an hour, three quarters, midnight, Ramadan, and none."""
ONE_OF_EACH_KIND: Final = (
    "UTC",
    "Asia/Kathmandu",  # clocks never change, and are three quarters of an hour off
    "Europe/Berlin",  # by an hour
    "Australia/Lord_Howe",  # by half an hour, in the other half of the year
    "Antarctica/Troll",  # by two hours
    "America/Havana",  # at midnight
    "Africa/Casablanca",  # in Ramadan
)


class Meaning(NamedTuple):
    """What a pattern means."""

    matches: Callable[[datetime], bool]
    speaks_of_intervals: bool


HALF_HOURLY: Final[dict[str, Meaning]] = {
    "30 */3 * * *": Meaning(lambda wall: wall.minute == 30 and wall.hour % 3 == 0, True),
    "*/30 1-3 * * *": Meaning(lambda wall: wall.minute % 30 == 0 and 1 <= wall.hour <= 3, True),
    "30 2 * * *": Meaning(lambda wall: (wall.hour, wall.minute) == (2, 30), False),
    "0,30 0,1,23 * * *": Meaning(lambda wall: wall.minute % 30 == 0 and wall.hour in (0, 1, 23), False),
    "0 3 13 * fri": Meaning(
        lambda wall: (wall.hour, wall.minute) == (3, 0) and (wall.day == 13 or wall.weekday() == 4), False
    ),
}
"""Those that fire at whole and half hours only, so that a walk can take longer steps."""
BY_MINUTES: Final[dict[str, Meaning]] = {
    **HALF_HOURLY,
    "*/5 * * * *": Meaning(lambda wall: wall.minute % 5 == 0, True),
    "7-59/13 * * * *": Meaning(lambda wall: wall.minute in (7, 20, 33, 46, 59), True),
    "0 0 * * *": Meaning(lambda wall: (wall.hour, wall.minute) == (0, 0), False),
    "0,15,45 0-3 * * *": Meaning(lambda wall: wall.minute in (0, 15, 45) and wall.hour <= 3, False),
    "59 1,2 * * *": Meaning(lambda wall: wall.minute == 59 and wall.hour in (1, 2), False),
    "30 1 */2 * *": Meaning(lambda wall: (wall.hour, wall.minute) == (1, 30) and wall.day % 2 == 1, False),
    "15 2 * mar,oct sun": Meaning(
        lambda wall: (wall.hour, wall.minute) == (2, 15) and wall.month in (3, 10) and wall.weekday() == 6, False
    ),
}


def step_of(timezone: str) -> timedelta:
    """The steps in which a walk meets every whole and half hour of a wall clock."""
    offset = utc(2026, 1, 1).astimezone(ZoneInfo(timezone)).utcoffset()
    return timedelta(minutes=30) if offset is not None and not offset % timedelta(minutes=30) else timedelta(minutes=15)


def slots_found(
    meanings: Sequence[Meaning], timezone: str, start: datetime, end: datetime, step: timedelta
) -> list[list[datetime]]:
    """The slots of each pattern after `start` and up to `end`."""
    slots: list[list[datetime]] = [[] for _ in meanings]
    for at, wall, skipped in _walk(ZoneInfo(timezone), start, end, step):
        for found, meaning in zip(slots, meanings, strict=True):
            if meaning.speaks_of_intervals:
                fires = meaning.matches(wall)
            else:
                fires = (meaning.matches(wall) and not wall.fold) or any(map(meaning.matches, skipped))
            if fires:
                found.append(at)
    return slots


def _walk(
    zone: ZoneInfo, start: datetime, end: datetime, step: timedelta
) -> Iterator[tuple[datetime, datetime, list[datetime]]]:
    """Each moment, what the wall clock shows then, and which times it has just skipped."""
    before = start.astimezone(zone)
    at = start + step
    while at <= end:
        wall = at.astimezone(zone)
        skipped: list[datetime] = []
        if wall.utcoffset() != before.utcoffset():
            expected = before.replace(tzinfo=None) + step
            while expected < wall.replace(tzinfo=None):
                skipped.append(expected)
                expected += step
        yield at, wall, skipped
        before, at = wall, at + step


def changes_of(timezone: str, start: datetime, end: datetime) -> list[datetime]:
    """Hours in which clocks change."""
    zone, changes = ZoneInfo(timezone), []
    at = start
    while at < end:
        if at.astimezone(zone).utcoffset() != (at + timedelta(hours=1)).astimezone(zone).utcoffset():
            changes.append(at)
        at += timedelta(hours=1)
    return changes


def utc(*fields: int) -> datetime:
    return datetime(*fields, tzinfo=UTC)  # type: ignore[arg-type, misc]
