"""New ids (uuid version 7, ascending within a process, so that older executions sort first) and marks of claims."""

import os
import threading
import time

_lock = threading.Lock()
_last = 0
_COUNTER_BITS = 26
_pool = b""
_pool_at = 0


def new_uuid() -> str:
    """A uuid of version 7: 48 bits of milliseconds, a counter that never goes back, and random bits."""
    global _last
    with _lock:
        # Milliseconds and counter are one number. Within a millisecond, or if the clock goes back, the number grows.
        now = (time.time_ns() // 1_000_000) << _COUNTER_BITS
        _last = max(now, _last + 1)
        moment = _last
        chance = _chance()
    time_high = moment >> _COUNTER_BITS + 16
    time_low = moment >> _COUNTER_BITS & 0xFFFF
    count_high = moment >> 14 & 0xFFF
    count_low = moment & 0x3FFF
    return f"{time_high:08x}-{time_low:04x}-7{count_high:03x}-{0x8000 | count_low:04x}-{chance.hex()}"


def new_mark() -> str:
    """A random text that distinguishes a claim from every other claim."""
    with _lock:
        return _chance().hex()


def _chance() -> bytes:
    global _pool, _pool_at
    if _pool_at >= len(_pool):
        _pool = os.urandom(6 * 256)
        _pool_at = 0
    _pool_at += 6
    return _pool[_pool_at - 6 : _pool_at]


def _after_fork() -> None:
    """A child process must not use the random bytes that its parent has drawn."""
    global _pool, _lock
    _pool = b""
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
