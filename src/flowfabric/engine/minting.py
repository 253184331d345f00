"""Fresh ids: uuid version 7, ascending within a process, so that what was submitted first sorts first."""

import os
import threading
import time

from flowfabric.domain.ids import uuid_from_hex

_lock = threading.Lock()
_last = 0
_COUNTER_BITS = 26
_pool = b""
_pool_at = 0


def new_uuid() -> str:
    """A uuid of version 7: 48 bits of milliseconds, a counter that never goes back, and chance."""
    global _last, _pool, _pool_at
    with _lock:
        # Milliseconds and counter are one number: within a millisecond, or when the clock steps back, it counts on.
        now = (time.time_ns() // 1_000_000) << _COUNTER_BITS
        _last = max(now, _last + 1)
        moment = _last
        if _pool_at >= len(_pool):
            _pool = os.urandom(8 * 256)
            _pool_at = 0
        chance = int.from_bytes(_pool[_pool_at : _pool_at + 8], "big")
        _pool_at += 8
    counter = moment & ((1 << _COUNTER_BITS) - 1)
    value = (
        ((moment >> _COUNTER_BITS) & 0xFFFFFFFFFFFF) << 80
        | 0x7 << 76
        | (counter >> 14) << 64
        | 0b10 << 62
        | (counter & 0x3FFF) << 48
        | chance & 0xFFFFFFFFFFFF
    )
    return uuid_from_hex(f"{value:032x}")


def _after_fork() -> None:
    """A child must not repeat the chance its parent drew."""
    global _pool, _lock
    _pool = b""
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
