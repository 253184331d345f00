"""Limits: how many executions may run at a time, and how often one may start, for each key by itself.

A limit is a definition with numbers, and an operator may give other numbers to single keys. What is used of a key is a
record of its own (`KeyUse`), which exists only while the key is in use, paused, or has spent part of its rate.

The rate is a generic cell rate algorithm. One number per key, `busy_until_us`, says until when the starts so far keep
the key busy at its steady pace. A start is allowed while that is less than a burst ahead of the clock.
"""

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

LimitAt = tuple[str, str]
"""A namespace and the name of a limit."""
KeyAt = tuple[str, str, str]
"""A namespace, the name of a limit, and a key. The key "" is that of a limit for everyone together."""

LIMITS_MAX: Final = 4
"""How many limits one execution may name."""
BLOCKS_MAX: Final = 8
"""How many blocks of code of one attempt may take part in limits at once, beyond those that its execution names."""
BLOCK_NUMBER_MAX: Final = 2**31 - 1
LIMIT_NUMBER_MAX: Final = 2**31 - 1
PER_MS_MAX: Final = 366 * 86_400_000
PER_MS_DEFAULT: Final = 60_000
PAUSE_MS_MAX: Final = 366 * 86_400_000

BUILT_IN: Final = "ff."
"""The names of all built-in limits begin like this."""
_SIBLINGS: Final = "ff.siblings-"
"""The names of built-in limits begin like this, and end with the number of siblings that may run at a time."""

WhenFull = Literal["wait", "drop_new", "cancel_oldest"]
"""What a creation does when a limit is full: it waits, makes nothing, or cancels the oldest execution of the key."""
Closed = Literal["paused", "rate", "concurrency"]
"""Why a key lets nothing start now."""


class Limit(msgspec.Struct, frozen=True, gc=False):
    """The numbers of a limit, or of one key of it. At least one of concurrency and rate is set."""

    namespace: str
    name: str
    key: str | None
    """None: the numbers hold for every key that has none of its own."""
    concurrency: int | None
    """How many executions may be leased at once. None: as many as come."""
    rate: int | None
    """How many attempts may start within `per_ms`. None: as many as come."""
    per_ms: int
    burst: int | None
    """How many attempts may start at once on a key that was idle. None: as many as the rate says."""

    @property
    def pace_us(self) -> int:
        """The time between two starts at the steady pace. It is rounded up, so no window has more than the rate."""
        assert self.rate is not None
        return -(-self.per_ms * 1000 // self.rate)

    @property
    def starts_at_once(self) -> int:
        """How many attempts may start at once on an idle key."""
        assert self.rate is not None
        return self.rate if self.burst is None else self.burst


class KeyUse(msgspec.Struct, frozen=True, gc=False):
    """What is used of one key of a limit. A key that is idle has no record."""

    namespace: str
    name: str
    key: str
    in_use: int = 0
    """How many leases hold a slot of the key."""
    busy_until_us: int = 0
    """Until when the starts so far keep the key busy at its steady pace, by the store's clock, in microseconds."""
    paused_until_ms: int = 0

    @property
    def at(self) -> KeyAt:
        """Where the record is kept."""
        return (self.namespace, self.name, self.key)


def siblings_limit(number: int) -> str:
    """The name of the built-in limit of siblings that run at a time. Its key is the group of children."""
    return f"{_SIBLINGS}{number}"


def built_in_limit(namespace: str, name: str) -> Limit | None:
    """The built-in limit of this name. Nobody has to set it. None: there is no such limit."""
    number = name.removeprefix(_SIBLINGS)
    if number == name or not number.isascii() or not number.isdecimal() or not 1 <= int(number) <= LIMIT_NUMBER_MAX:
        return None
    return Limit(namespace, name, None, int(number), None, PER_MS_DEFAULT, None)


def unused(at: KeyAt) -> KeyUse:
    """The use of an idle key."""
    return KeyUse(*at)


def why_closed(limit: Limit | None, use: KeyUse, now_ms: int, *, starts: bool = True) -> Closed | None:
    """Why nothing may start under this key now. None: it may. `starts`: the rate counts the start, too."""
    if limit is None:
        return None
    if use.paused_until_ms > now_ms:
        return "paused"
    if starts and limit.rate is not None and _starts_left(limit, use, now_ms) < 1:
        return "rate"
    return "concurrency" if is_full(limit, use) else None


def is_full(limit: Limit | None, use: KeyUse) -> bool:
    """Whether as many are leased under this key as may be, whatever else holds it back."""
    return limit is not None and limit.concurrency is not None and use.in_use >= limit.concurrency


def opens_at_ms(limit: Limit | None, use: KeyUse, now_ms: int) -> int | None:
    """When time alone opens the key. None: it is open, or full, and then the end of a lease opens it."""
    if limit is None or (limit.rate is None and use.paused_until_ms <= now_ms):
        return None
    closed = why_closed(limit, use, now_ms)
    if closed == "paused":
        return use.paused_until_ms
    if closed != "rate":
        return None
    earliest_us = use.busy_until_us - (limit.starts_at_once - 1) * limit.pace_us
    return -(-earliest_us // 1000)


def room_in(limit: Limit | None, use: KeyUse, now_ms: int, most: int, *, starts: bool = True) -> int:
    """How many more may be leased under this key now, at most `most`. `starts`: the rate counts each of them, too."""
    if limit is None:
        return most
    if use.paused_until_ms > now_ms:
        return 0
    if starts and limit.rate is not None:
        most = min(most, _starts_left(limit, use, now_ms))
    if limit.concurrency is not None:
        most = min(most, limit.concurrency - use.in_use)
    return max(most, 0)


def by_present_numbers(limit: Limit | None, use: KeyUse, now_ms: int) -> KeyUse:
    """The use of a key under the numbers that hold now.

    Under these numbers no key is busy for longer than a whole burst takes. It may be, if its starts were made at a
    slower pace: then it counts as having just used up a burst, so that a raised rate is felt at once.
    """
    if limit is None or limit.rate is None:
        return use
    latest_us = now_ms * 1000 + limit.starts_at_once * limit.pace_us
    return use if use.busy_until_us <= latest_us else replace(use, busy_until_us=latest_us)


def _starts_left(limit: Limit, use: KeyUse, now_ms: int) -> int:
    ahead_us = max(use.busy_until_us - now_ms * 1000, 0)
    # What is ahead takes up whole starts: a part of one is not there yet.
    return limit.starts_at_once + -ahead_us // limit.pace_us


def with_slot(limit: Limit | None, use: KeyUse, now_ms: int, *, starts: bool) -> KeyUse:
    """The use of a key after a lease has taken a slot of it. `starts`: an attempt starts, and the rate counts that."""
    busy_until_us = use.busy_until_us
    if starts and limit is not None and limit.rate is not None:
        busy_until_us = max(busy_until_us, now_ms * 1000) + limit.pace_us
    return replace(use, in_use=use.in_use + 1, busy_until_us=busy_until_us)


def without_slot(use: KeyUse, number: int = 1) -> KeyUse:
    """The use of a key after leases have given their slots back. What they have taken of the rate stays taken."""
    assert use.in_use >= number, use
    return replace(use, in_use=use.in_use - number)


def is_idle(use: KeyUse, now_ms: int) -> bool:
    """Whether the record may be removed: an idle key behaves as if it had never been used."""
    return use.in_use == 0 and use.busy_until_us <= now_ms * 1000 and use.paused_until_ms <= now_ms
