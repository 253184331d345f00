"""RotateSecret: which key signs tokens, and how long tokens of the keys before it are good."""

import re
from typing import Final

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import RotateSecret
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.errors import Conflict, Refused
from flowfabric.domain.outcomes import SecretRotated
from flowfabric.domain.waiting import WAITPOINT_KEYS, KeyRing, SigningKey
from flowfabric.domain.working_set import WorkingSet

_NUMBERED: Final = re.compile("k[0-9]{1,9}")

KEYS_MAX: Final = 100
"""How many keys are kept. A key whose grace is over is kept, too, as long as there is room: so its secret is known if
somebody wants to use it again."""


def _what_a_rotation_sees(command: RotateSecret, wanted: Needs) -> None:
    wanted.key_rings.add(WAITPOINT_KEYS)


@rule(RotateSecret, sees=_what_a_rotation_sees)
def rotate_secret(ws: WorkingSet, command: RotateSecret) -> SecretRotated:
    """Sign with the given key from now on. Tokens of the keys before it are good for the grace, and not for longer.

    A grace that ends earlier stays as it is: a rotation never lengthens one. Without a grace no former token is good.
    If the store has this very key, nothing changes. A first key changes nothing if there is a key.
    """
    ring = ws.key_rings.get(WAITPOINT_KEYS) or KeyRing(WAITPOINT_KEYS)
    known = None if command.kid is None else ring.key(command.kid)
    if ring.keys and (command.is_first or (known is not None and known.secret == command.secret)):
        current, *before = reversed(ring.keys)
        return SecretRotated(current.kid, before[0].kid if before else None)
    if known is not None:
        raise Conflict(
            f"There is a key {command.kid!r} with another secret, and tokens were signed with it. "
            "Nothing was changed. Choose another kid, or leave it out."
        )
    ends_at_ms = ws.now_ms + command.grace_ms
    former = [key if _ends_before(key, ends_at_ms) else replace(key, valid_until_ms=ends_at_ms) for key in ring.keys]
    new = SigningKey(_next_kid(ring) if command.kid is None else command.kid, command.secret)
    ws.key_rings.put(replace(ring, keys=(*_with_room(former, ws.now_ms), new)))
    return SecretRotated(new.kid, former[-1].kid if former else None)


def _ends_before(key: SigningKey, ends_at_ms: int) -> bool:
    return key.valid_until_ms is not None and key.valid_until_ms <= ends_at_ms


def _with_room(keys: list[SigningKey], now_ms: int) -> list[SigningKey]:
    """The keys without the oldest one whose grace is over, if there is no room for another key."""
    if len(keys) < KEYS_MAX:
        return keys
    oldest = next((key for key in keys if not key.is_valid(now_ms)), None)
    if oldest is None:
        raise Refused(
            f"There are {len(keys)} keys whose grace is not over, and the store keeps {KEYS_MAX}. Nothing was changed. "
            "Rotate less often, or with a shorter grace."
        )
    return [key for key in keys if key is not oldest]


def _next_kid(ring: KeyRing) -> str:
    numbers = [int(key.kid[1:]) for key in ring.keys if _NUMBERED.fullmatch(key.kid)]
    return f"k{max(numbers, default=0) + 1}"
