"""Executions that are plain but for their limits, as rows for `LimitBatch`, and what becomes of them as arrays."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from flowfabric.domain.commands import Claim
from flowfabric.domain.counting import Move, Standing
from flowfabric.domain.execution import Ready, queue_order
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.lanes import MINUTE_MS, Lane
from flowfabric.domain.lease import lease_mark, next_epoch
from flowfabric.domain.limits import KeyAt
from flowfabric.domain.news import PlainStep
from flowfabric.domain.outcomes import Claimed
from flowfabric.domain.plain import first_claim
from flowfabric.domain.slots import RulesNeeded, Waiting
from flowfabric.stores._shared.encoding import tags_of
from flowfabric.stores._shared.fast_path import lease_details_around_epoch, plain_policy
from flowfabric.stores._shared.limited import PARKED, QUEUED, admitted_text, leased, only_limits, parked_text, slots_of
from flowfabric.stores.postgres import rows

LIMITED_COLUMNS: Final = 13


class Limited(NamedTuple):
    """What a claim needs of such an execution."""

    execution_id: ExecutionId
    lease_epoch: int
    event_seq: int
    kind: str
    namespace: str
    lane: str
    tags: str
    priority: int
    ready_at_ms: int
    gates: Gates
    payload: bytes | None
    """None: it was not read."""
    is_ready: bool
    """Whether it is in the queue. If not, it is parked."""
    waiting: Waiting
    """The execution as `Sharing` sees it."""

    @property
    def slots(self) -> Sequence[KeyAt]:
        """A claim takes a slot of each of these keys."""
        return self.waiting.slots


def limited_in(row: rows.Row, payload: bytes | None, *, is_ready: bool) -> Limited:
    """The execution that the columns of `limited` spell. RulesNeeded: more matters about it than its limits."""
    (partition, uuid, epoch, event_seq, kind, namespace, lane, tags, policy, priority, ready_at_ms, text, is_plain) = (
        row[:LIMITED_COLUMNS]
    )
    gates = only_limits(text) if is_plain and plain_policy(policy) is not None else None
    if gates is None or (is_ready and payload is None):
        raise RulesNeeded
    key = make_execution_id(partition, uuid)
    order = queue_order(Ready(namespace, lane, (), priority, ready_at_ms, key))
    waiting = Waiting(order, key, slots_of(namespace, gates))
    numbers = (epoch, event_seq, kind, namespace, lane, tags, priority, ready_at_ms)
    return Limited(key, *numbers, gates, payload, is_ready, waiting)


class Lease(NamedTuple):
    """An execution with the claim that leases it."""

    x: Limited
    claim: Claim

    @property
    def gates(self) -> Gates:
        """The gates of the execution from now on."""
        return leased(self.x.gates)[0]


def lease_values(
    leases: Sequence[Lease], lane: Lane, capability_set: int, era: int, now_ms: int
) -> Mapping[str, object]:
    """The values of lease_limited."""
    xs = [each.x for each in leases]
    claims = [each.claim for each in leases]
    epochs = [next_epoch(x.lease_epoch, era, era, now_ms) for x in xs]
    parts = {id(claim): lease_details_around_epoch(claim) for claim in claims}
    details = [str(epoch).join(parts[id(claim)]) for claim, epoch in zip(claims, epochs, strict=True)]
    return {
        **_places(xs, lane, capability_set),
        "gates": rows.texts(leased(x.gates)[1] for x in xs),
        "is_ready": rows.words("t" if x.is_ready else "f" for x in xs),
        "event_seq": rows.numbers(x.event_seq for x in xs),
        "lease_epoch": rows.numbers(epochs),
        "lease_mark": rows.texts(lease_mark(epoch, claim.mark) for epoch, claim in zip(epochs, claims, strict=True)),
        "details": rows.texts(details),
        "worker_id": rows.texts(claim.worker_id for claim in claims),
        "worker_instance_id": rows.texts(claim.worker_instance_id for claim in claims),
        "lease_ttl_ms": rows.numbers(claim.lease_ttl_ms for claim in claims),
        "now_ms": now_ms,
    }


def park_values(xs: Sequence[Limited], lane: Lane, capability_set: int) -> Mapping[str, object]:
    """The values of park_limited."""
    return {**_places(xs, lane, capability_set), "gates": rows.texts(parked_text(x.gates) for x in xs)}


def admit_values(xs: Sequence[Limited], lane: Lane, capability_set: int) -> Mapping[str, object]:
    """The values of admit_limited."""
    return {**_places(xs, lane, capability_set), "gates": rows.texts(admitted_text(x.gates) for x in xs)}


def _places(xs: Sequence[Limited], lane: Lane, capability_set: int) -> Mapping[str, object]:
    return {
        **rows.keys(x.execution_id for x in xs),
        "rank": rows.numbers(-x.priority for x in xs),
        "ready_at_ms": rows.numbers(x.ready_at_ms for x in xs),
        "namespace": lane[0],
        "lane_id": lane[1],
        "capability_set": capability_set,
    }


def move_values(moved: Iterable[tuple[Sequence[Limited], Standing]], now_ms: int) -> Mapping[str, object] | None:
    """The values of insert_count_moves: what stood in the queue, or was parked, stands elsewhere now."""
    moves = Counter(
        Move(x.namespace, x.lane, x.kind, QUEUED if x.is_ready else PARKED, standing)
        for xs, standing in moved
        for x in xs
    )
    return rows.count_moves(list(moves.items()), minute=now_ms // MINUTE_MS) if moves else None


def claimed(lease: Lease, store_name: str, era: int, now_ms: int) -> Claimed:
    """What the worker gets. RulesNeeded: a row is damaged; a decision skips it."""
    x, claim = lease
    if x.payload is None:
        raise RulesNeeded
    try:
        tags = dict(tags_of(x.tags))
    except msgspec.MsgspecError:
        raise RulesNeeded from None
    return first_claim(
        claim,
        store_name,
        x.execution_id,
        kind=x.kind,
        namespace=x.namespace,
        lane=x.lane,
        epoch=next_epoch(x.lease_epoch, era, era, now_ms),
        payload=x.payload,
        tags=tags,
        now_ms=now_ms,
    )


def told_of_leases(leases: Iterable[Lease], now_ms: int) -> list[PlainStep]:
    """The news of these leases."""
    return [
        PlainStep("leased", x.namespace, x.lane, x.kind, now_ms - x.ready_at_ms) for x in (each.x for each in leases)
    ]
