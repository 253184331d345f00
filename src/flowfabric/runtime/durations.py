"""Spans of time and instants as people write them, turned into whole milliseconds."""

import re
from datetime import datetime, timedelta
from typing import Final

from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.policies import DURATION_MS_MAX

Duration = str | int | float | timedelta
"""`"1h30m"`, `"2m"`, `"500ms"`, a number of seconds, or a timedelta."""

_UNITS_MS: Final = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_PART: Final = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)(ms|s|m|h|d)")
_WHOLE: Final = re.compile(rf"(?:{_PART.pattern})+")


def milliseconds(field: str, value: Duration) -> int:
    """A span in whole milliseconds, rounded up, so that a span above zero never becomes zero."""
    if isinstance(value, timedelta):
        ms = -(-value // timedelta(milliseconds=1))
    elif isinstance(value, str) and _WHOLE.fullmatch(text := value.replace(" ", "")):
        ms = sum(_scaled(float(number), _UNITS_MS[unit]) for number, unit in _PART.findall(text))
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= DURATION_MS_MAX:
        ms = _scaled(value, 1_000)
    else:
        raise _not_a_duration(field, value)
    if not 0 <= ms <= DURATION_MS_MAX:
        raise _not_a_duration(field, value)
    return ms


def instant_ms(field: str, value: Duration | datetime, now_ms: int) -> int:
    """An instant in milliseconds since the epoch: the given instant, or now plus the given span."""
    if not isinstance(value, datetime):
        return now_ms + milliseconds(field, value)
    if value.tzinfo is None:
        raise InvalidInput(f"{field} is {value.isoformat()} without a time zone, and zones differ. Say datetime.UTC.")
    return max(0, _scaled(value.timestamp(), 1_000))


def _scaled(number: float, unit_ms: int) -> int:
    ms = number * unit_ms
    # Floats are binary fractions: 0.29 s times 1000 is 290.00000000000006.
    return round(ms) if abs(ms - round(ms)) < 1e-6 else int(ms) + (ms > 0)


def _not_a_duration(field: str, value: object) -> InvalidInput:
    return InvalidInput(
        f"{field} is {shown(value)}; it must be a span of time up to 100 years: '1h30m', '500ms', "
        "a number of seconds, or a timedelta."
    )
