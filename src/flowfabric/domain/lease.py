"""The epoch rule: which worker may report on an execution, and until when.

`lease_epoch` belongs to the execution and only grows: +1 at every claim, at every replay, and whenever someone other
than its holder ends a lease. A lease is valid while its execution is active under the same attempt and epoch
and its time is not over by the store's clock.

A store can fall back to an earlier state: a standby takes over that lacks the last commits, or a backup is restored.
Then some answered claims no longer exist, and the next claims would get the same epochs. Two things distinguish them.
Every claim has a mark of its own, which is part of the lease id. And the store lives in eras: a new era begins after
each such event. If an execution comes from another era, its next claim raises the epoch so far that it exceeds every
epoch that may have been lost.
"""

from hashlib import blake2b
from typing import Final

import msgspec

from flowfabric.domain.ids import ExecutionId, uuid_in

ERA_STRIDE: Final = 1_000_000
"""How far an epoch jumps at least. No execution is leased so often within the commits that a store may lose."""


class Lease(msgspec.Struct, frozen=True):
    """The right to run one attempt of an execution. It holds the fencing token that user code passes on."""

    execution_id: str
    attempt_index: int
    lease_epoch: int
    lease_id: str
    worker_instance_id: str
    expires_at_ms: int


class Fence(msgspec.Struct, frozen=True):
    """The fields of a lease that are compared. The expiry is not among them: it changes with every renewal."""

    execution_id: ExecutionId
    attempt_index: int
    lease_epoch: int
    lease_id: str


def lease_id(
    store: str, execution_id: ExecutionId, attempt_index: int, lease_epoch: int, lease_mark: str | None = None
) -> str:
    """The printable id of a lease. `store` names one incarnation of one store, so a lease of another never fits.

    A mark of another epoch does not count: a release that knows no marks leaves an old mark in the record.
    """
    name = f"{store}:{uuid_in(execution_id)}:{attempt_index}:{lease_epoch}"
    if lease_mark is None or not lease_mark.startswith(f"{lease_epoch}."):
        return name
    return f"{name}:{lease_mark.partition('.')[2]}"


def lease_mark(lease_epoch: int, claim_mark: str) -> str | None:
    """The mark of a claim as the execution's record keeps it: with the epoch of the claim."""
    return f"{lease_epoch}.{claim_mark}" if claim_mark else None


def id_of_claim(store: str, execution_id: ExecutionId, attempt_index: int, lease_epoch: int, claim_mark: str) -> str:
    """The printable id of the lease that a claim with this mark has made."""
    name = f"{store}:{uuid_in(execution_id)}:{attempt_index}:{lease_epoch}"
    return f"{name}:{claim_mark}" if claim_mark else name


def mark_in_own_id(fence: Fence, store: str) -> tuple[str | None] | None:
    """The mark in a lease id, in the form of the record. None: this store gives no such id to such a lease."""
    name = f"{store}:{uuid_in(fence.execution_id)}:{fence.attempt_index}:{fence.lease_epoch}"
    given = fence.lease_id
    if given == name:
        return (None,)
    if not given.startswith(f"{name}:") or len(given) == len(name) + 1:
        return None
    return (f"{fence.lease_epoch}.{given[len(name) + 1 :]}",)


def spent_mark(mark: str | None) -> str | None:
    """The mark of a claim whose lease has no more to say: the epoch stays, and no lease id fits it."""
    return None if mark is None else mark.partition(".")[0] + "."


def era_of(store: str, timeline: str = "") -> int:
    """The number of the era of a store with this name. `timeline` changes when a standby takes over."""
    return int.from_bytes(blake2b(f"{store}/{timeline}".encode(), digest_size=8).digest(), "big") >> 1


def next_epoch(lease_epoch: int, lease_era: int | None, era: int, now_ms: int) -> int:
    """The epoch of the next lease of an execution. `lease_era` is the era in which it was made or last leased.

    If that is another era, the epoch jumps by ERA_STRIDE, or to the seconds of the store's clock if that is more: a
    backup may be restored twice.
    """
    if lease_era is None or lease_era == era:
        return lease_epoch + 1
    return max(lease_epoch + ERA_STRIDE, now_ms // 1000)
