"""How people read numbers: spans of time, and counted things."""

from typing import Final

_UNITS: Final = (("d", 86_400_000), ("h", 3_600_000), ("min", 60_000))


def span(ms: int) -> str:
    """A span of time in one unit: '340 ms', '3.4 s', '95 s', '45 min', '30 h', '12 d'."""
    for unit, unit_ms in _UNITS:
        if ms >= 2 * unit_ms:
            return f"{ms // unit_ms} {unit}"
    if ms >= 10_000:
        return f"{ms // 1000} s"
    return f"{ms // 100 / 10:g} s" if ms >= 1_000 else f"{max(ms, 0)} ms"


def times(number: int) -> str:
    """How often: 'once', '3 times'."""
    return "once" if number == 1 else f"{number} times"


def counted(number: int, what: str) -> str:
    """A number of things: '1 flow', '3 flows', '3 members of a flow'."""
    noun, of, rest = what.partition(" of ")
    return f"{number} {noun}{'' if number == 1 else 's'}{of}{rest}"
