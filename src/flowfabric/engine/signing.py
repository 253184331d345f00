"""Tokens of waitpoints, signed and verified with the keys that this engine knows.

The keys are in the store, and the first one is made when it is first needed. If the environment names keys, those of
the store do not count: then nothing secret is in the store, and nothing there can be rotated.

    FLOWFABRIC_SIGNING_KEYS=k2:<base64 of 32 bytes or more>,k1:<base64>@2026-12-31

The first key signs. The others only verify; a date is the last day (UTC) on which tokens of the key are good.
FLOWFABRIC_SIGNING_KEYS_FILE names a file with the same content, in which lines may take the place of commas.

No secret appears in a message, in a log or in the text of an object.
"""

import math
import re
import secrets
import threading
import time
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from flowfabric.domain import tokens
from flowfabric.domain.commands import Envelope, RotateSecret
from flowfabric.domain.errors import InvalidInput, InvalidToken, Refused
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.inputs import INSTANT_MS_MAX
from flowfabric.domain.outcomes import Waitpoint, WaitpointMade
from flowfabric.domain.seals import Seals
from flowfabric.domain.tokens import KID, TokenIds
from flowfabric.domain.wait_inputs import SECRET_BYTES_MIN
from flowfabric.domain.waiting import WAITPOINT_KEYS, KeyRing, SigningKey
from flowfabric.engine.shells import Shell

if TYPE_CHECKING:
    from flowfabric.ports.reading import Reads

KEYS_VARIABLE: Final = "FLOWFABRIC_SIGNING_KEYS"
FILE_VARIABLE: Final = "FLOWFABRIC_SIGNING_KEYS_FILE"
"""The environment variables that name the keys, or a file of keys."""

SECRET_BYTES: Final = 32
FRESH_S: Final = 1.0
"""After this time the keys are read again before they are used: another process may have rotated them."""
UNKNOWN_S: Final = 0.1
"""How often an unknown kid makes the engine read the keys at most. Strangers can send any kid."""
WITHOUT_END_MS: Final = INSTANT_MS_MAX
"""Until when tokens of a configured key are good that has no date."""


class _Read(NamedTuple):
    ring: KeyRing
    at_s: float
    """When the read began, on the monotonic clock."""


class KnownKeys:
    """The keys that an engine knows. All its views and threads share them."""

    def __init__(self, configured: KeyRing | None = None, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.configured = configured
        """The keys of the environment. None: the keys of the store count."""
        self.monotonic = monotonic
        self._lock = threading.Lock()
        self._read: _Read | None = None
        self._asked_at_s = -math.inf
        self._unknown_at_s = -math.inf
        self._forgot_at_s = -math.inf

    def __repr__(self) -> str:
        return f"KnownKeys(configured={self.configured!r})"

    def fresh(self) -> KeyRing | None:
        """The keys. None: read them first. Of many callers at once, one reads, and the others use what is known."""
        if self.configured is not None:
            return self.configured
        read, now_s = self._read, self.monotonic()
        if read is None:
            return None
        if now_s - read.at_s < FRESH_S:
            return read.ring
        with self._lock:
            if now_s - self._asked_at_s < FRESH_S:
                return read.ring
            self._asked_at_s = now_s
            return None

    def may_look_for_unknown(self) -> bool:
        """Whether the keys may be read now because of an unknown kid. True counts as a read."""
        with self._lock:
            now_s = self.monotonic()
            if self.configured is not None or now_s - self._unknown_at_s < UNKNOWN_S:
                return False
            self._unknown_at_s = now_s
            return True

    def learn(self, ring: KeyRing, at_s: float) -> None:
        """Note the keys that were read. `at_s` is the moment at which the read began; the newest read counts."""
        with self._lock:
            if at_s >= self._forgot_at_s and (self._read is None or self._read.at_s <= at_s):
                self._read = _Read(ring, at_s)

    def forget(self) -> None:
        """Read the keys again before they are used next: this engine has rotated them."""
        with self._lock:
            self._read = None
            self._forgot_at_s = self.monotonic()


class Signing:
    """Mints and verifies tokens. It is made for one call, or for one view of an engine."""

    def __init__(self, keys: KnownKeys, shell: Shell, store: "Reads") -> None:
        self._keys = keys
        self._shell = shell
        self._store = store

    async def current_kid(self) -> str:
        """The kid of the key that signs now. If the store has no key, a first one is made."""
        return (await self._ring()).current.kid

    async def mint(self, made: WaitpointMade) -> str:
        """The token of a waitpoint: under the kid of the waitpoint, or under the current one when its grace is over."""
        key = await self._key(made.kid)
        if key is None or not await self._is_valid(key):
            key = (await self._ring()).current
        return _minted(key, made)

    async def shown(self, made: WaitpointMade) -> tuple[str, str]:
        """The kid and the fingerprint of the token of a waitpoint, for a list. Nothing is written.

        The fingerprint is empty if there is no key: the token was signed with a key of another environment.
        """
        key = await self._key(made.kid)
        if key is None or not await self._is_valid(key):
            ring = self._keys.fresh() or await self._read()
            if not ring.keys:
                return made.kid, ""
            key = ring.current
        return key.kid, tokens.fingerprint(_minted(key, made))

    async def waitpoint(self, made: WaitpointMade) -> Waitpoint:
        """The answer to a caller: the waitpoint with its token."""
        return Waitpoint(made.waitpoint_id, made.key, await self.mint(made))

    async def waitpoints(self, made: Sequence[WaitpointMade]) -> tuple[Waitpoint, ...]:
        """The same for several waitpoints, in their order."""
        return tuple([await self.waitpoint(each) for each in made])

    async def verify(self, token: object, scope: str | None) -> TokenIds:
        """What an authentic token names. `scope` is the namespace to which the engine is confined.

        Every other token is InvalidToken: forged, garbled, of an unknown kid, of a kid whose grace is over, of another
        namespace. A token that is authentic and names no waitpoint of this store is InvalidToken, too; the caller finds
        that out.
        """
        key = await self._key(tokens.kid_of(token))
        if key is None:
            raise InvalidToken
        ids = tokens.verify(token, key, scope)
        if not await self._is_valid(key):
            raise InvalidToken
        return ids

    async def kids(self) -> dict[str, int | None]:
        """The kids whose tokens are good, with the end of their grace. None: it is the current one."""
        ring = await self._read()
        now_ms = await self._now_ms()
        return {key.kid: key.valid_until_ms for key in ring.keys if key.is_valid(now_ms)}

    async def seals(self, purpose: str) -> Seals:
        """Seals with the keys that are known, also those whose grace is over.

        What is sealed outlives a key: a lease may be renewed for weeks. It is compared with the store in any case.
        """
        return Seals(purpose, (await self._ring()).keys)

    def rotation(self, kid: str | None, secret: bytes | None, grace_ms: int) -> RotateSecret:
        """The command that rotates, with a new secret if none is given. Call `KnownKeys.forget` after it."""
        if self._keys.configured is not None:
            raise Refused(
                f"The keys that sign tokens come from the environment ({KEYS_VARIABLE} or {FILE_VARIABLE}), so the "
                "store has none to rotate. Put a new key in front there, keep the former one behind it with a date, "
                "and restart all processes."
            )
        made = secret is None
        return RotateSecret(
            kid, secrets.token_bytes(SECRET_BYTES) if secret is None else secret, grace_ms, secret_was_given=not made
        )

    async def _key(self, kid: str) -> SigningKey | None:
        """The key of this kid, valid or not. Nothing is written: a stranger may ask."""
        key = (self._keys.fresh() or await self._read()).key(kid)
        if key is None and self._keys.may_look_for_unknown():
            key = (await self._read()).key(kid)
        return key

    async def _is_valid(self, key: SigningKey) -> bool:
        """Whether tokens of the key are good now. Only for a former key the store is asked for its time."""
        return key.is_current or key.is_valid(await self._now_ms())

    async def _ring(self) -> KeyRing:
        """The keys. If the store has none, it gets a first one."""
        ring = self._keys.fresh() or await self._read()
        if not ring.keys:
            first = RotateSecret(None, secrets.token_bytes(SECRET_BYTES), 0, is_first=True)
            await self._shell.execute(Envelope(first))
            ring = await self._read()
        return ring

    async def _read(self) -> KeyRing:
        if self._keys.configured is not None:
            return self._keys.configured
        at_s = self._keys.monotonic()
        ring = await self._shell.read(lambda: self._store.key_ring(WAITPOINT_KEYS)) or KeyRing(WAITPOINT_KEYS)
        self._keys.learn(ring, at_s)
        return ring

    async def _now_ms(self) -> int:
        return await self._shell.read(lambda: self._store.now_ms)


def _minted(key: SigningKey, made: WaitpointMade) -> str:
    return tokens.mint(key, made.namespace, ExecutionId(made.execution_id), made.waitpoint_id, made.life, made.subject)


# ── the keys of the environment ──────────────────────────────────────────────────────────────────

_SEPARATORS: Final = re.compile(r"[,\n]")
_HOW_TO_MAKE: Final = (
    "An entry is kid:secret, and the secret is base64 of 32 bytes or more. This makes one: python -c "
    "'import base64, secrets; print(\"k1:\" + base64.b64encode(secrets.token_bytes(32)).decode())'"
)


def keys_in_environment(environment: Mapping[str, str]) -> KeyRing | None:
    """The keys that the environment names, or None."""
    text, path = environment.get(KEYS_VARIABLE, ""), environment.get(FILE_VARIABLE, "")
    if text and path:
        raise InvalidInput(f"{KEYS_VARIABLE} and {FILE_VARIABLE} are both set. Set one of them.")
    if not path:
        return parse_keys(KEYS_VARIABLE, text) if text else None
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InvalidInput(
            f"The file {path}, which {FILE_VARIABLE} names, cannot be read: {why}. Correct the path, or let this "
            "process read the file."
        ) from None
    return parse_keys(f"The file {path}", text)


def parse_keys(where: str, text: str) -> KeyRing:
    """The keys that a text lists: the first signs. `where` says in messages where the text comes from."""
    entries = [entry for entry in map(str.strip, _SEPARATORS.split(text)) if entry]
    if not entries:
        raise InvalidInput(f"{where} names no key. {_HOW_TO_MAKE}")
    keys = [_parse_key(where, entry, number) for number, entry in enumerate(entries, 1)]
    if len({key.kid for key in keys}) < len(keys):
        raise InvalidInput(f"{where} names a kid twice. Give each key a kid of its own.")
    return KeyRing(WAITPOINT_KEYS, tuple(reversed(keys)))


def _parse_key(where: str, entry: str, number: int) -> SigningKey:
    """One entry. No message shows any of it: with one wrong character, anything may be a part of the secret."""
    entry, has_date, day = entry.partition("@")
    kid, _, encoded = entry.partition(":")
    which = f"Entry {number} of {where}"
    if not KID.fullmatch(kid):
        raise InvalidInput(f"{which} has no kid of 1 to 16 letters a-z, digits and hyphens. {_HOW_TO_MAKE}")
    try:
        secret = b64decode(
            encoded.translate(_URL_SAFE).rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4), validate=True
        )
    except (NotBase64, ValueError):
        raise InvalidInput(f"{which} has a secret that is not base64. {_HOW_TO_MAKE}") from None
    if len(secret) < SECRET_BYTES_MIN:
        raise InvalidInput(f"{which} has a secret of {len(secret)} bytes. {_HOW_TO_MAKE}")
    if number == 1:
        if has_date:
            raise InvalidInput(f"{which} has a date, but the first key signs. Put a new key in front of it.")
        return SigningKey(kid, secret)
    return SigningKey(kid, secret, _end_of(which, day) if has_date else WITHOUT_END_MS)


_URL_SAFE: Final = str.maketrans("-_", "+/")


def _end_of(which: str, day: str) -> int:
    try:
        after = datetime.combine(date.fromisoformat(day) + timedelta(days=1), datetime.min.time(), UTC)
    except (ValueError, OverflowError):
        raise InvalidInput(f"{which} has a date that is not like 2026-12-31. Correct it.") from None
    return int(after.timestamp()) * 1000
