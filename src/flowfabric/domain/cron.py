"""Cron patterns: how they are written, and at which instants they fire.

Five fields, minute, hour, day of month, month and day of week, each a list of values, ranges and steps. Days: if both
day fields are restricted, a day matches when either does; a field that begins with `*` restricts nothing by itself, so
with one of those both have to match.

When clocks change, there are two kinds of patterns:
- A pattern whose minute or hour begins with `*` means intervals. It fires whenever the wall clock shows a matching
  time: not at all for a time that is skipped, twice for a time that comes twice.
- Any other pattern means times of day. It fires once for each: a time that is skipped fires at the first instant
  after the gap, and a time that comes twice fires at its first occurrence.
"""

from bisect import bisect_right
from calendar import monthrange
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final

import msgspec

from flowfabric.domain.errors import InvalidInput, shown

CRON_CHARS_MAX: Final = 256
TIMEZONE_CHARS_MAX: Final = 64

_SHORTHANDS: Final = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_WEEKDAYS: Final = {name: number for number, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
_FIELDS: Final[tuple[tuple[str, int, int, dict[str, int]], ...]] = (
    ("minute", 0, 59, {}),
    ("hour", 0, 23, {}),
    ("day of month", 1, 31, {}),
    ("month", 1, 12, _MONTHS),
    ("day of week", 0, 7, _WEEKDAYS),
)
_LEAP_YEAR: Final = 2000
_DAYS_MAX: Final = 60 * 366
"""The longest distance between two slots: a 29 February that is a Sunday comes again after 40 years at most."""
_LAST_DAY: Final = date(9990, 1, 1).toordinal()
"""The last day for which slots are computed."""
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - this file itself keeps wall times and universal time apart
_EPOCH_DAY: Final = _EPOCH.toordinal()
_DAY_MS: Final = 86_400_000
_HOUR: Final = timedelta(hours=1)
_MS: Final = timedelta(milliseconds=1)


class Cron(msgspec.Struct, frozen=True, tag=True):
    """When to fire, as a cron pattern in a time zone."""

    text: str
    timezone: str = "UTC"

    def next_after(self, at_ms: int) -> int | None:
        """The first slot after an instant. None: there is none before the calendar ends."""
        pattern, zone = parsed(self.text), zone_of(self.timezone)
        best: int | None = None
        # Start with yesterday: where clocks are put back at midnight, a part of yesterday is still to come.
        first = _local_day(at_ms, zone) - 1
        days = pattern.days(range(first, min(first + _DAYS_MAX, _LAST_DAY)))
        for day in days:
            if best is not None and day > _local_day(best, zone) + 1:
                break
            slots = _slots_of(self.text, self.timezone, day)
            index = bisect_right(slots, at_ms)
            if index < len(slots) and (best is None or slots[index] < best):
                best = slots[index]
        return best

    def latest(self, after_ms: int, until_ms: int) -> int | None:
        """The last slot that is later than `after_ms` and not later than `until_ms`. None: there is none."""
        pattern, zone = parsed(self.text), zone_of(self.timezone)
        best: int | None = None
        last = min(_local_day(until_ms, zone) + 1, _LAST_DAY)
        first = max(_local_day(after_ms, zone) - 1, last - _DAYS_MAX)
        for day in pattern.days(range(last, first - 1, -1)):
            if best is not None and day < _local_day(best, zone) - 1:
                break
            slots = _slots_of(self.text, self.timezone, day)
            index = bisect_right(slots, until_ms) - 1
            if index >= 0 and slots[index] > after_ms and (best is None or slots[index] > best):
                best = slots[index]
        return best


class Pattern(msgspec.Struct, frozen=True):
    """What the five fields of a pattern mean."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days_of_month: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    """0 is Sunday."""
    either_day: bool
    """Whether a day matches if only one of the two day fields matches."""
    speaks_of_intervals: bool
    """Whether the pattern fires each time the wall clock shows a matching time, even if that time comes twice."""

    def days(self, ordinals: Iterable[int]) -> Iterator[int]:
        """Those of the given days that match."""
        for ordinal in ordinals:
            day = date.fromordinal(ordinal)
            if day.month in self.months:
                in_month, in_week = day.day in self.days_of_month, ordinal % 7 in self.weekdays
                if (in_month or in_week) if self.either_day else (in_month and in_week):
                    yield ordinal


@lru_cache(maxsize=1024)
def parsed(text: str) -> Pattern:
    """The meaning of a pattern. Raises an InvalidInput that names the wrong field."""
    fields = _SHORTHANDS.get(text.strip().lower(), text).split()
    if len(fields) != len(_FIELDS):
        raise InvalidInput(
            f"cron is {shown(text)}; it must have five fields, minute, hour, day of month, month and day of week, such "
            f"as '*/5 * * * *', or be one of {', '.join(_SHORTHANDS)}."
        )
    values = [
        _values(text, field, name, low, high, names)
        for field, (name, low, high, names) in zip(fields, _FIELDS, strict=True)
    ]
    minutes, hours, days_of_month, months, weekdays = values
    is_open = [field.startswith("*") for field in fields]
    either_day = not is_open[2] and not is_open[4]
    if not either_day and not any(min(days_of_month) <= monthrange(_LEAP_YEAR, month)[1] for month in months):
        raise InvalidInput(
            f"cron is {shown(text)}: day of month {min(days_of_month)} does not occur in any of its months, so it "
            "would never fire. Choose another day or month."
        )
    return Pattern(
        tuple(sorted(minutes)),
        tuple(sorted(hours)),
        frozenset(days_of_month),
        frozenset(months),
        frozenset(day % 7 for day in weekdays),
        either_day,
        is_open[0] or is_open[1],
    )


def _values(text: str, field: str, name: str, low: int, high: int, names: dict[str, int]) -> set[int]:
    """Every value that a field stands for."""
    values: set[int] = set()
    for part in field.split(","):
        span, has_step, step_text = part.partition("/")
        step = 1
        if has_step:
            if not _is_number(step_text) or not 1 <= int(step_text) <= high:
                raise _wrong(text, name, part, f"the step after '/' must be from 1 to {high}")
            step = int(step_text)
        if span == "*":
            first, last = low, high if name != "day of week" else 6
        else:
            first_text, is_range, last_text = span.partition("-")
            first = last = _value(text, name, part, first_text, low, high, names)
            if is_range:
                last = _value(text, name, part, last_text, low, high, names)
                # A week may end on Sunday: fri-sun.
                last = 7 if names is _WEEKDAYS and last_text.lower() == "sun" and first > 0 else last
            elif has_step:
                raise _wrong(text, name, part, f"a step needs a range, such as {first}-{high}/{step} or */{step}")
            if first > last:
                raise _wrong(text, name, part, "the range runs backwards; write it as a list of two ranges")
        values.update(range(first, last + 1, step))
    return values


def _value(text: str, name: str, part: str, value: str, low: int, high: int, names: dict[str, int]) -> int:
    if value.lower() in names:
        return names[value.lower()]
    if not _is_number(value) or not low <= int(value) <= high:
        wanted = f"a value must be from {low} to {high}"
        raise _wrong(text, name, part, f"{wanted}, or a name such as {next(iter(names))!r}" if names else wanted)
    return int(value)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 2


def _wrong(text: str, name: str, part: str, why: str) -> InvalidInput:
    return InvalidInput(f"cron is {shown(text)}: {name} has {shown(part)}; {why}.")


def cron(text: object, timezone: object) -> Cron:
    """A checked pattern in a time zone. One space separates its fields."""
    if not isinstance(text, str):
        raise InvalidInput(f"cron is a string such as '*/5 * * * *', not {type(text).__name__}.")
    if len(text) > CRON_CHARS_MAX:
        raise InvalidInput(f"cron is {len(text)} characters long; the limit is {CRON_CHARS_MAX}.")
    if not isinstance(timezone, str):
        raise InvalidInput(f"timezone is a string such as 'Europe/Berlin', not {type(timezone).__name__}.")
    parsed(text)
    zone_of(timezone)
    return Cron(" ".join(text.lower().split()), timezone)


@lru_cache(maxsize=1024)
def zone_of(timezone: str) -> tzinfo:
    """The time zone with this name. Raises InvalidInput if there is none."""
    from zoneinfo import ZoneInfo  # takes a while to import, and most programs have no schedules

    try:
        if not 1 <= len(timezone) <= TIMEZONE_CHARS_MAX:
            raise ValueError(timezone)
        return ZoneInfo(timezone)
    except (KeyError, ValueError, OSError):
        raise InvalidInput(
            f"timezone is {shown(timezone)}, which is not known here. Use a name of the IANA time zone database, such "
            "as 'Europe/Berlin'; if it is a new one, update tzdata."
        ) from None


# ── wall times and instants ──────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=512)
def _slots_of(text: str, timezone: str, day: int) -> tuple[int, ...]:
    """The slots of one matching day, in order."""
    pattern, zone = parsed(text), zone_of(timezone)
    slots: set[int] = set()
    midnight = datetime.fromordinal(day)
    for hour in pattern.hours:
        start = midnight + timedelta(hours=hour)
        steady = _steady_offset(start, zone)
        if steady is not None:
            start_ms = (start - _EPOCH - steady) // _MS
            slots.update(start_ms + minute * 60_000 for minute in pattern.minutes)
        else:
            for minute in pattern.minutes:
                wall = start + timedelta(minutes=minute)
                slots.update(_occurrences(wall, zone) if pattern.speaks_of_intervals else [_once(wall, zone)])
    return tuple(sorted(slots))


def _steady_offset(start: datetime, zone: tzinfo) -> timedelta | None:
    """The offset from universal time during a whole hour of wall time; None: clocks change in it."""
    offset = _offset(start, zone, 0)
    end = start + _HOUR - _MS
    steady = offset == _offset(start, zone, 1) == _offset(end, zone, 0) == _offset(end, zone, 1)
    return offset if steady else None


def _occurrences(wall: datetime, zone: tzinfo) -> list[int]:
    """Every instant at which the wall clock shows this time: one, none or two."""
    before, after = _offset(wall, zone, 0), _offset(wall, zone, 1)
    if before < after:
        return []
    return [(wall - _EPOCH - offset) // _MS for offset in (before, after)]


def _once(wall: datetime, zone: tzinfo) -> int:
    """The first instant at which the wall clock shows this time. If clocks skip it: the first instant after the gap."""
    before, after = _offset(wall, zone, 0), _offset(wall, zone, 1)
    if before >= after:
        return (wall - _EPOCH - before) // _MS
    # Clocks are put forward between these two instants: search for the first second after the change.
    low, high = (wall - _EPOCH - after) // _MS // 1000, (wall - _EPOCH - before) // _MS // 1000
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, zone).utcoffset() == after:
            high = middle
        else:
            low = middle
    return high * 1000


def _offset(wall: datetime, zone: tzinfo, fold: int) -> timedelta:
    """The offset of a wall time from universal time. At a clock change: before it (fold 0), or after it (fold 1)."""
    offset = wall.replace(tzinfo=zone, fold=fold).utcoffset()
    assert offset is not None
    return offset


def _local_day(at_ms: int, zone: tzinfo) -> int:
    day = at_ms // _DAY_MS + _EPOCH_DAY
    if day >= _LAST_DAY:
        return _LAST_DAY
    return datetime.fromtimestamp(at_ms // 1000, UTC).astimezone(zone).toordinal()
