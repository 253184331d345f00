"""The checks of the arguments of methods about waiting, in the manner of `inputs`."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from flowfabric.domain import conditions, inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.inputs import KEY_CHARS_MAX
from flowfabric.domain.json_inputs import JsonBounds, json_mapping
from flowfabric.domain.policies import DURATION_MS_MAX
from flowfabric.domain.tokens import KID
from flowfabric.domain.waiting import ON_TIMEOUT, OnTimeout

SIGNAL_BYTES_MAX: Final = 64 * 1024
ABOUT_BYTES_MAX: Final = 8 * 1024
_ABOUT: Final = JsonBounds("about", ABOUT_BYTES_MAX, depth_max=16, integer_max=inputs.INSTANT_MS_MAX)
SECRET_BYTES_MIN: Final = 32
SECRET_BYTES_MAX: Final = 1024


def signal_payload(value: object) -> bytes:
    """The payload of a signal, or of an operator's resume: at most 64 KiB."""
    return inputs.payload("payload", value, SIGNAL_BYTES_MAX)


def key(value: object) -> str:
    """The key of a waitpoint."""
    return inputs.name("key", value, KEY_CHARS_MAX)


def optional_key(value: object) -> str | None:
    """The key of a waitpoint to filter by, or None."""
    return None if value is None else key(value)


def wait_name(value: object) -> str:
    """The name of a wait."""
    return inputs.name("name", value, KEY_CHARS_MAX)


def alias(value: object) -> str:
    """A business key of a waitpoint."""
    return inputs.name("alias", value, KEY_CHARS_MAX)


def optional_alias(value: object) -> str | None:
    """A business key of a waitpoint, or None."""
    return None if value is None else alias(value)


def signal_name(value: object) -> str:
    """The name of a signal; it may be empty."""
    return _short("name", value)


def source(value: object) -> str:
    """The sender of a signal, or the person for whom a token is issued; it may be empty."""
    return _short("source", value)


def _short(field: str, value: object) -> str:
    # Control characters are refused here, too: a stranger may choose the text, and terminals and logs show it.
    return "" if isinstance(value, str) and not value else inputs.name(field, value, KEY_CHARS_MAX)


def condition(value: object) -> str:
    """A condition in its stored form."""
    return _stored_key(value) if isinstance(value, str) else conditions.stored(conditions.checked(value))


@lru_cache(maxsize=1024)
def _stored_key(key: str) -> str:
    return conditions.stored(conditions.checked(key))


class Timeout(NamedTuple):
    """When the time of a wait is over. Both None: never."""

    after_ms: int | None
    at_ms: int | None


def timeout(timeout_ms: object, timeout_at_ms: object) -> Timeout:
    """A span or an instant, or neither. 0 is over at once."""
    if timeout_ms is not None and timeout_at_ms is not None:
        raise InvalidInput("timeout_ms and timeout_at_ms are both given. Give one of them, or neither.")
    after_ms = None if timeout_ms is None else inputs.integer("timeout_ms", timeout_ms, 0, DURATION_MS_MAX)
    return Timeout(after_ms, inputs.optional_instant("timeout_at_ms", timeout_at_ms))


def on_timeout(value: object, *, has_timeout: bool) -> OnTimeout:
    """What happens when the time of a wait is over. Without a timeout that is never, so only the default is taken."""
    choice = next((choice for choice in ON_TIMEOUT if choice == value), None)
    if choice is None:
        raise InvalidInput(f"on_timeout is {shown(value)}; it must be one of {', '.join(ON_TIMEOUT)}.")
    if choice != "resume" and not has_timeout:
        raise InvalidInput(
            f"on_timeout is {choice!r}, and the wait has no timeout, so this would never happen. "
            "Give a timeout, or leave on_timeout out."
        )
    return choice


def reason(value: object) -> str:
    """Why an execution waits, why an operator resumes it, or why a waitpoint is closed."""
    return inputs.text("reason", value)


def expires_in_ms(value: object) -> int | None:
    """How long a waitpoint takes signals. None: as long as the execution lives."""
    return None if value is None else inputs.integer("expires_in_ms", value, 0, DURATION_MS_MAX)


def about(value: object) -> str | None:
    """What people are shown about a waitpoint, as JSON of at most 8 KiB."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise InvalidInput(f"about is a mapping such as {{'title': 'Publish?'}}, not {type(value).__name__}.")
    encoded = msgspec.json.encode(json_mapping(value, _ABOUT))
    if len(encoded) > ABOUT_BYTES_MAX:
        raise InvalidInput(
            f"about is {len(encoded)} bytes as JSON; the limit is {ABOUT_BYTES_MAX}. Pass a link instead."
        )
    return encoded.decode()


def kid(value: object) -> str | None:
    """The name of a key that signs tokens. None: the store chooses one."""
    if value is None:
        return None
    if not isinstance(value, str) or not KID.fullmatch(value):
        raise InvalidInput(f"kid is {shown(value)}; it must be 1 to 16 letters a-z, digits and hyphens.")
    return str(value)


def secret(value: object) -> bytes | None:
    """A secret that signs tokens. None: one is made. No message shows it."""
    if value is None:
        return None
    if not isinstance(value, bytes):
        raise InvalidInput(f"secret is bytes, not {type(value).__name__}. Leave it out, and one is made.")
    if not SECRET_BYTES_MIN <= len(value) <= SECRET_BYTES_MAX:
        raise InvalidInput(
            f"secret is {len(value)} bytes long; it must be {SECRET_BYTES_MIN} to {SECRET_BYTES_MAX} random bytes. "
            "Leave it out, and one is made."
        )
    return value


def grace_ms(value: object) -> int:
    """How long tokens of the former key are good."""
    return inputs.integer("grace_ms", value, 0, DURATION_MS_MAX)
