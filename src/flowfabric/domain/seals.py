"""Seals: texts that one server hands out and another server of the same store recognises.

A sealed text is `<kid>.<data>.<mac>`, in base64 without padding. `mac` is an HMAC-SHA256 of the purpose, the kid and
the data, so a text that was sealed for one purpose is worth nothing for another. The data is not hidden.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hmac import compare_digest, digest
from typing import Final

import msgspec

from flowfabric.domain.tokens import KID
from flowfabric.domain.waiting import SigningKey

_SEALED: Final = re.compile(rf"(?P<kid>{KID.pattern})\.(?P<data>[A-Za-z0-9_-]{{1,4096}})\.(?P<mac>[A-Za-z0-9_-]{{43}})")


class Seals(msgspec.Struct, frozen=True):
    """The keys that are good at one moment, for one purpose."""

    purpose: str
    keys: tuple[SigningKey, ...]
    """The last one seals. There must be one."""

    def seal(self, data: bytes) -> str:
        """The data with a seal. The same data always gives the same text, as long as the key is the same."""
        key = self.keys[-1]
        return f"{key.kid}.{encoded(data)}.{encoded(self._mac(key, data))}"

    def opened(self, text: str) -> bytes | None:
        """The data of a sealed text. None: the seal is not of a good key, or is broken."""
        match = _SEALED.fullmatch(text)
        key = None if match is None else next((key for key in self.keys if key.kid == match["kid"]), None)
        if match is None or key is None:
            return None
        data = decoded(match["data"])
        # Compared in a time that does not depend on where the difference is.
        is_authentic = compare_digest(encoded(self._mac(key, data)), match["mac"])
        return data if is_authentic and encoded(data) == match["data"] else None

    def _mac(self, key: SigningKey, data: bytes) -> bytes:
        return digest(
            key.secret, b"\0".join((b"flowfabric seal", self.purpose.encode(), key.kid.encode(), data)), "sha256"
        )


def encoded(data: bytes) -> str:
    """Base64 that needs no quoting in an address, without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes of such a text. A length that base64 cannot have is ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
