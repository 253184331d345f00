"""Debouncing: of several submits of one kind with one key, only the last one runs, a while after it was made.

The key is the idempotency key of the execution, in a form of its own. So there is one row for it, which names the last
execution, is locked by whoever makes the next one, and goes with its execution.
"""

from typing import Final

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown

DAY_MS: Final = 86_400_000
DEBOUNCE_MS_MAX: Final = 30 * DAY_MS
_PREFIX: Final = "ff.debounce:"


def debounce_ms(field: str, value: object) -> int:
    """How long a debounced execution waits for another one that replaces it."""
    return inputs.integer(field, value, 1, DEBOUNCE_MS_MAX)


def debounce_key(value: object) -> str:
    """The key of a debounced execution. The empty key is that of all executions of its kind."""
    return "" if value == "" else inputs.name("debounce_key", value, inputs.KEY_CHARS_MAX)


def key_of(kind: str, key: str) -> str:
    """The idempotency key under which the last execution of a kind and a key is found."""
    return f"{_PREFIX}{kind}:{key}"


def kept_ms(debounce_ms: int) -> int:
    """How long that key lives: until the execution has long been claimed, even if workers are slow."""
    return debounce_ms + DAY_MS


def check_not_reserved(idempotency_key: object) -> None:
    """Refuse a key of a caller that looks like one of ours."""
    if isinstance(idempotency_key, str) and idempotency_key.startswith(_PREFIX):
        raise InvalidInput(
            f"idempotency_key is {shown(idempotency_key)}; keys that begin with {_PREFIX!r} belong to debounced "
            "executions. Choose another one."
        )
