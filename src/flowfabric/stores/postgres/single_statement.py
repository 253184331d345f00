"""Batches whose answers are known before they are sent: they are one statement, which is its own transaction.

Such a batch makes plain executions, and nothing else; or it makes them for claims that take all of them, in lanes where
nothing else waits. Whether that is so the statement sees for itself. If not, it writes nothing, not even the batch's
marker, and the batch is decided as ever.

The marker comes with the statement, so a lost answer may mean that the statement is still on its way. Whoever asks for
the marker then leaves one that makes it fail.
"""

import time
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from flowfabric.domain.commands import Claim, CreateExecution, Envelope, creations_in
from flowfabric.domain.execution import Ready, queue_order
from flowfabric.domain.lease import lease_mark
from flowfabric.domain.outcomes import Claimed, Outcome
from flowfabric.domain.plain import LEASED, first_claim, is_plain
from flowfabric.ports import Easily, Lane
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.fast_path import answers_to, create_values, lease_details_text

if TYPE_CHECKING:
    from flowfabric.stores.postgres.store import PostgresStore


class AtOnce(msgspec.Struct):
    """A batch that is one statement."""

    statement: str
    values: Mapping[str, object]
    easily: Easily
    served: Collection[Lane] = ()
    """The lanes that have to be idle."""
    left: Sequence[CreateExecution] = ()
    """What is put into the queue."""
    leased: Sequence[tuple[list[Claimed], int]] = ()
    """The answers of claims, and for how long each leases."""

    def happened(self, now_ms: int) -> None:
        """It was committed at this instant; until now the answers had to do with this machine's time."""
        for answer, lease_ttl_ms in self.leased:
            answer[:] = [
                msgspec.structs.replace(
                    each, lease=msgspec.structs.replace(each.lease, expires_at_ms=now_ms + lease_ttl_ms)
                )
                for each in answer
            ]


def sent_at_once(batch: Sequence[Envelope], store: "PostgresStore", marker: Mapping[str, object]) -> AtOnce | None:
    """The batch as one statement, if it can be; otherwise None."""
    parted = _creations_before_claims(batch)
    if parted is None:
        return None
    creations, claims = parted
    made = [each for several in creations.values() for each in several]
    if not made:
        return None
    if claims:
        return _made_in_their_hands(made, claims, answers_to(creations, batch), store, marker)
    lanes = {(each.namespace, each.lane) for each in made}
    values = {**create_values(made), **marker, "note": rows.texts(store.notes.of_lanes(lanes))}
    return AtOnce("fast_create", values, Easily(answers_to(creations, batch), lanes), left=made)


def _creations_before_claims(
    batch: Sequence[Envelope],
) -> tuple[dict[int, Sequence[CreateExecution]], dict[int, Claim]] | None:
    """What is made and who claims, by place in the batch; None if it is not plain creations, and claims after them."""
    creations: dict[int, Sequence[CreateExecution]] = {}
    claims: dict[int, Claim] = {}
    for index, envelope in enumerate(batch):
        made = creations_in(envelope.command)
        if envelope.command_id is not None or (made and claims) or not all(is_plain(each, "created") for each in made):
            return None
        if made:
            creations[index] = made
        elif isinstance(envelope.command, Claim):
            claims[index] = envelope.command
        else:
            return None
    return creations, claims


def _made_in_their_hands(
    made: Sequence[CreateExecution],
    claims: Mapping[int, Claim],
    answers: dict[int, Outcome],
    store: "PostgresStore",
    marker: Mapping[str, object],
) -> AtOnce | None:
    """What is made and leased in one go; None if something would be left over, or other things may have to go first."""
    served = {(claim.namespace, lane) for claim in claims.values() for lane in claim.lanes}
    shares = _shares(made, claims)
    is_all_shared = sum(map(len, shares.values())) == len(made)
    # With a time limit, something else than the end of the lease may come due first.
    if (
        not is_all_shared
        or not store.queue_heads.are_idle(served)
        or not all(is_plain(each, "leased") for each in made)
    ):
        return None
    now_ms = int(time.time() * 1000) if store.given_now_ms is None else store.given_now_ms
    claimed = {
        index: [_first_claim(each, claims[index], store.name, now_ms) for each in share]
        for index, share in shares.items()
    }
    leases = [(each, claims[index]) for index, share in shares.items() for each in share]
    values = {
        **create_values([each for each, _ in leases]),
        **marker,
        "worker_id": rows.texts(claim.worker_id for _, claim in leases),
        "worker_instance_id": rows.texts(claim.worker_instance_id for _, claim in leases),
        "lease_ttl_ms": rows.numbers(claim.lease_ttl_ms for _, claim in leases),
        "details": rows.texts(lease_details_text(claim) for _, claim in leases),
        "lease_mark": rows.texts(lease_mark(LEASED.after.lease_epoch, claim.mark) for _, claim in leases),
        "of_namespace": rows.texts(namespace for namespace, _ in served),
        "of_lane": rows.texts(lane for _, lane in served),
    }
    leased = [(answer, claims[index].lease_ttl_ms) for index, answer in claimed.items()]
    return AtOnce("create_leased", values, Easily({**answers, **claimed}, has_events=True), served, leased=leased)


def _shares(made: Sequence[CreateExecution], claims: Mapping[int, Claim]) -> dict[int, list[CreateExecution]]:
    """Which claim gets what: each in queue order, as much as it has room for."""
    left = sorted(made, key=_queue_order)
    shares: dict[int, list[CreateExecution]] = {}
    for index, claim in claims.items():
        fitting = [each for each in left if each.namespace == claim.namespace and each.lane in claim.lanes]
        shares[index] = fitting[: claim.limit]
        taken = {each.execution_id for each in shares[index]}
        left = [each for each in left if each.execution_id not in taken]
    return shares


def _queue_order(creation: CreateExecution) -> tuple[int, int, str, int]:
    # All of them become ready at one instant, whichever.
    return queue_order(Ready(creation.namespace, creation.lane, (), creation.priority, 0, creation.execution_id))


def _first_claim(creation: CreateExecution, claim: Claim, store_name: str, now_ms: int) -> Claimed:
    return first_claim(
        claim,
        store_name,
        creation.execution_id,
        kind=creation.kind,
        namespace=creation.namespace,
        lane=creation.lane,
        epoch=LEASED.after.lease_epoch,
        payload=creation.payload,
        tags={},
        now_ms=now_ms,
    )
