"""How people read numbers: spans of time, and counted things."""

from typing import Final

COUNTED_MAX: Final = 10_000
"""How many parked executions are counted at most where they are counted to be shown: a look must not cost more, however
many there are."""
_UNITS: Final = (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000))
_PARTS: Final = (("d", 24, "h", 3_600_000), ("h", 60, "min", 60_000), ("min", 60, "s", 1_000))
"""Each unit, of how many parts it consists, and the name and the length of a part."""
_PARTS_SHOWN_BELOW: Final = 10
"""From so many units on, parts are not shown: nobody plans by the minutes of 30 hours."""


def span(ms: int) -> str:
    """A span of time that is over, in one unit and rounded down: '340 ms', '3.4 s', '95 s', '30 h', '12 d'."""
    for unit, unit_ms in _UNITS:
        if ms >= 2 * unit_ms:
            return f"{ms // unit_ms} {unit}"
    if ms >= 10_000:
        return f"{ms // 1000} s"
    return f"{ms // 100 / 10:g} s" if ms >= 1_000 else f"{max(ms, 0)} ms"


def span_ahead(ms: int) -> str:
    """A span of time that is still to come, rounded to the nearest: '3 d' for a second less, '2 d 23 h', '30 h'."""
    for unit, number, part, part_ms in _PARTS:
        units, parts = divmod(_nearest(ms, part_ms), number)
        if units >= _PARTS_SHOWN_BELOW:
            return f"{_nearest(ms, number * part_ms)} {unit}"
        if units >= 2:
            return f"{units} {unit} {parts} {part}" if parts else f"{units} {unit}"
    return span(ms + 500 if ms >= 9_950 else ms + 50 if ms >= 1_000 else ms)


def _nearest(ms: int, unit_ms: int) -> int:
    return (ms + unit_ms // 2) // unit_ms


def times(number: int) -> str:
    """How often: 'once', '3 times'."""
    return "once" if number == 1 else f"{number} times"


def counted(number: int, what: str) -> str:
    """A number of things: '1 flow', '3 flows', '3 members of a flow'."""
    noun, of, rest = what.partition(" of ")
    return f"{number} {noun}{'' if number == 1 else 's'}{of}{rest}"


def counted_up_to_max(number: int) -> str:
    """A number that was counted up to `COUNTED_MAX`, as tables show it: `7`, or `10000+`."""
    return f"{number}+" if number >= COUNTED_MAX else str(number)
