"""What happened, in words: the details of an event for people."""

from collections.abc import Mapping
from typing import Final

from flowfabric.cli.output import clock_time, in_json

_NAMES: Final = {
    "attempt_index": "attempt",
    "next_attempt_index": "next attempt",
    "previous_attempt": "previous attempt",
    "lease_epoch": "token",
    "worker_instance_id": "worker",
    "cancellation_policy": "policy",
}
FIRST: Final = ("claim_type", "first")
_COUNTED_FROM_0: Final = ("attempt_index", "next_attempt_index", "previous_attempt")


def told(details: Mapping[str, object]) -> str:
    """Details in a line: 'attempt 1, token 1, worker till-7'. Attempts count from 1, instants are in UTC.

    That a claim is the first one goes without saying.
    """
    return ", ".join(
        _told(key, value) for key, value in details.items() if (key, value) != FIRST and value not in ("", None)
    )


def _told(key: str, value: object) -> str:
    if key in _COUNTED_FROM_0 and isinstance(value, int):
        value = value + 1
    if key.endswith("_ms") and isinstance(value, int):
        return f"{key.removesuffix('_ms').replace('_', ' ')} {clock_time(value)}"
    name = _NAMES.get(key, key.replace("_", " "))
    return f"{name} {value if isinstance(value, str) else in_json(value)}"
