"""Tokens: each lets its holder send signals to one waitpoint, and to nothing else.

A token is `wp1.<kid>.<ids>.<mac>`, at most 200 characters that need no quoting in an address. `ids` holds the
namespace (as a hash), partition and uuid of the execution, the waitpoint, its life, and a hash of the subject if the
token was issued for somebody. `mac` is an HMAC-SHA256 of the purpose, the version, the kid and `ids`.

The namespace is in `ids`, so that a token is checked before anything is read. The store's name is not: it changes
when a backup is restored, and tokens that people have got must survive this. Where two stores are given the same key,
a token of the other store names an execution that is not here.

A token that is not right raises InvalidToken, which does not say why.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest, digest
from struct import Struct
from typing import Final

import msgspec

from flowfabric.domain.errors import InvalidToken
from flowfabric.domain.ids import PARTITIONS, ExecutionId, make_execution_id, partition_in, uuid_from_hex, uuid_in
from flowfabric.domain.waiting import SigningKey

KID: Final = re.compile(r"[a-z0-9-]{1,16}")
FINGERPRINT_CHARS: Final = 16

_VERSION: Final = "wp1"
_PURPOSE: Final = b"flowfabric: a signal to a waitpoint"
_IDS: Final = Struct(">16s H 16s 16s I")
_HASH_BYTES: Final = 16
_BASE64: Final = r"[A-Za-z0-9_-]"
_TOKEN: Final = re.compile(
    # 54 bytes of ids, or 70 with a subject, and 32 bytes of mac.
    rf"{_VERSION}\.(?P<kid>{KID.pattern})\.(?P<ids>{_BASE64}{{72}}|{_BASE64}{{94}})\.(?P<mac>{_BASE64}{{43}})"
)
_IN_DATA: Final = re.compile(_TOKEN.pattern.encode())


class TokenIds(msgspec.Struct, frozen=True, gc=False):
    """What an authentic token names."""

    execution_id: ExecutionId
    waitpoint_id: str
    life: int
    subject_hash: bytes = b""
    """Empty: the token names no person."""

    def subject_among(self, subjects: Iterable[str]) -> str | None:
        """The subject of the token. None: it has none, or it is not among these."""
        return next((subject for subject in subjects if _hash(subject) == self.subject_hash), None)


def mint(
    key: SigningKey, namespace: str, execution_id: ExecutionId, waitpoint_id: str, life: int, subject: str = ""
) -> str:
    """The token of a waitpoint under this key. The same arguments always give the same token."""
    ids = _IDS.pack(
        _hash(namespace), partition_in(execution_id), _bytes(uuid_in(execution_id)), _bytes(waitpoint_id), life
    )
    if subject:
        ids += _hash(subject)
    return f"{_VERSION}.{key.kid}.{_encoded(ids)}.{_encoded(_mac(key, ids))}"


def kid_of(token: object) -> str:
    """The kid that the token names. The token is well-formed, and need not be authentic."""
    return _parts(token)[0]


def verify(token: object, key: SigningKey, namespace: str | None) -> TokenIds:
    """What the token names, if it was minted under this key. `namespace`: it must belong to this one; None: to any."""
    kid, ids, mac = _parts(token)
    # Compared in a time that does not depend on where the difference is.
    is_authentic = compare_digest(mac, _mac(key, ids))
    namespace_hash, partition, execution, waitpoint, life = _IDS.unpack_from(ids)
    if not is_authentic or kid != key.kid or partition >= PARTITIONS:
        raise InvalidToken
    if namespace is not None and namespace_hash != _hash(namespace):
        raise InvalidToken
    execution_id = make_execution_id(partition, uuid_from_hex(execution.hex()))
    return TokenIds(execution_id, uuid_from_hex(waitpoint.hex()), life, ids[_IDS.size :])


def fingerprint(token: str) -> str:
    """A name of the token that does not open anything: 16 hexadecimal digits."""
    return sha256(_parts(token)[2]).hexdigest()[:FINGERPRINT_CHARS]


def without_signatures(data: bytes) -> bytes:
    """The data with all tokens in it shortened to what they name: waitpoint and subject. These survive a rotation."""
    return _IN_DATA.sub(rb"wp1.\g<ids>", data) if b"wp1." in data else data


def _parts(token: object) -> tuple[str, bytes, bytes]:
    """The kid, the ids and the mac of a token that is spelled in the only valid way."""
    match = _TOKEN.fullmatch(token) if isinstance(token, str) else None
    if match is None:
        raise InvalidToken
    ids, mac = _decoded(match["ids"]), _decoded(match["mac"])
    # The last character has bits that mean nothing: without this a token would have other spellings.
    if _encoded(ids) != match["ids"] or _encoded(mac) != match["mac"]:
        raise InvalidToken
    return match["kid"], ids, mac


def _mac(key: SigningKey, ids: bytes) -> bytes:
    return digest(key.secret, b"\0".join((_PURPOSE, _VERSION.encode(), key.kid.encode(), ids)), "sha256")


@lru_cache(maxsize=1024)
def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()[:_HASH_BYTES]


def _bytes(uuid: str) -> bytes:
    return bytes.fromhex(uuid.replace("-", ""))


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
