"""The epoch rule: who may speak for an execution, and until when.

`lease_epoch` belongs to the execution and only grows: +1 at every claim, at every replay, and whenever a lease
ends by anyone but its holder. A lease is valid while its execution is active under the same attempt and epoch
and its time is not over by the store's clock.

A store can fall back: a standby takes over that lacks the last commits, or a backup is restored. Then claims that were
answered have never been, and the next ones would get the same numbers. Two things tell them apart. Every claim has a
mark of its own, which is part of the lease id. And the store lives in eras, a new one after each such event: the first
claim of an execution that comes from another era jumps ahead, so that its epoch exceeds all that may have been lost.
"""

from hashlib import blake2b
from typing import Final

import msgspec

from flowfabric.domain.ids import ExecutionId, uuid_in

ERA_STRIDE: Final = 1_000_000
"""At least so far an epoch jumps: no execution is leased as often within what a store may lose."""


class Lease(msgspec.Struct, frozen=True):
    """The right to run one attempt of an execution; also the fencing token that user code hands on."""

    execution_id: str
    attempt_index: int
    lease_epoch: int
    lease_id: str
    worker_instance_id: str
    expires_at_ms: int


class Fence(msgspec.Struct, frozen=True):
    """What of a lease is compared: never its expiry, which moves with every renewal."""

    execution_id: ExecutionId
    attempt_index: int
    lease_epoch: int
    lease_id: str


def lease_id(
    store: str, execution_id: ExecutionId, attempt_index: int, lease_epoch: int, lease_mark: str | None = None
) -> str:
    """The printable id of a lease. `store` names one incarnation of one store, so a lease of another never fits.

    A mark of another epoch does not count: releases that know no marks leave the last one where it is.
    """
    name = f"{store}:{uuid_in(execution_id)}:{attempt_index}:{lease_epoch}"
    if lease_mark is None or not lease_mark.startswith(f"{lease_epoch}."):
        return name
    return f"{name}:{lease_mark.partition('.')[2]}"


def lease_mark(lease_epoch: int, claim_mark: str) -> str | None:
    """The mark of a claim as it is kept with the execution, together with the epoch that it belongs to."""
    return f"{lease_epoch}.{claim_mark}" if claim_mark else None


def presented_mark(fence: Fence, store: str) -> str | None:
    """The mark that a lease id holds, as it would be kept; None if it holds none, or is no lease id of this store."""
    name = lease_id(store, fence.execution_id, fence.attempt_index, fence.lease_epoch) + ":"
    return lease_mark(fence.lease_epoch, fence.lease_id.removeprefix(name)) if fence.lease_id.startswith(name) else None


def era_of(store: str, timeline: str = "") -> int:
    """The era in which a store of this name lives, as a number; `timeline` changes when a standby takes over."""
    return int.from_bytes(blake2b(f"{store}/{timeline}".encode(), digest_size=8).digest(), "big") >> 1


def next_epoch(lease_epoch: int, lease_era: int | None, era: int, now_ms: int) -> int:
    """The epoch of the next lease of an execution that was made or last leased in the given era, if that is known.

    From another era it jumps, to the seconds of the store's clock if these are more: a backup may be restored twice.
    """
    if lease_era is None or lease_era == era:
        return lease_epoch + 1
    return max(lease_epoch + ERA_STRIDE, now_ms // 1000)
