"""Leases as one text. A server seals it; a client reads its fields, and sends it back as it came.

A sealed lease is `ls1.<kid>.<fields>.<mac>`, and any server of the same store recognises it. A lease without a seal is
`ls0.<fields>`: a client writes it for a `Lease` that did not come over this wire. Only an admin may present one, and
the store compares it as it compares every lease.
"""

from typing import Final

import msgspec

from flowfabric.domain.errors import StaleLease
from flowfabric.domain.lease import Fence, Lease
from flowfabric.domain.seals import Seals, decoded, encoded
from flowfabric.domain.undecodable import UNDECODABLE

PURPOSE: Final = "a lease"
"""What leases are sealed for."""

_SEALED: Final = "ls1."
_PLAIN: Final = "ls0."


class _Fields(msgspec.Struct, frozen=True, array_like=True):
    """The fields of a lease, in their order."""

    execution_id: str
    attempt_index: int
    lease_epoch: int
    lease_id: str
    worker_instance_id: str
    expires_at_ms: int


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(_Fields)


def sealed(lease: Lease, seals: Seals) -> str:
    """The text of a lease that a server hands out."""
    return _SEALED + seals.seal(_packed(lease))


def plain(lease: Lease) -> str:
    """The text of a lease that did not come over this wire."""
    return _PLAIN + encoded(_packed(lease))


def fields_of(text: str) -> Lease:
    """The lease that a text names. Nothing is verified: this is for a client."""
    data = text.removeprefix(_PLAIN) if text.startswith(_PLAIN) else text.removeprefix(_SEALED).split(".")[1]
    return _lease(decoded(data))


def verified(text: str, seals: Seals, *, may_be_plain: bool) -> Lease:
    """The lease that a text names, for a server. StaleLease: the seal is not good."""
    try:
        if text.startswith(_SEALED):
            data = seals.opened(text.removeprefix(_SEALED))
            if data is not None:
                return _lease(data)
        elif may_be_plain and text.startswith(_PLAIN):
            lease = _lease(decoded(text.removeprefix(_PLAIN)))
            if plain(lease) == text:  # the same fields can be written in several ways
                return lease
    except (*UNDECODABLE, ValueError):  # neither base64 nor the fields of a lease
        pass
    raise StaleLease(
        "The lease is not one that this store has given, or the key that has sealed it is not good any more. "
        "Nothing was changed. Stop the attempt, and claim again."
    )


def lease_in(fence: Fence) -> Lease:
    """The fields that are compared, as a lease. The others are empty."""
    return Lease(fence.execution_id, fence.attempt_index, fence.lease_epoch, fence.lease_id, "", 0)


def _packed(lease: Lease) -> bytes:
    return _ENCODER.encode(
        (
            lease.execution_id,
            lease.attempt_index,
            lease.lease_epoch,
            lease.lease_id,
            lease.worker_instance_id,
            lease.expires_at_ms,
        )
    )


def _lease(data: bytes) -> Lease:
    found = _DECODER.decode(data)
    return Lease(
        found.execution_id,
        found.attempt_index,
        found.lease_epoch,
        found.lease_id,
        found.worker_instance_id,
        found.expires_at_ms,
    )
