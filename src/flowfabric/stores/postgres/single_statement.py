"""A batch whose answers are known before it is sent: one statement, which is its own transaction.

Such a batch only creates plain executions; or it creates them and also holds the claims that take all of them, in lanes
where nothing else waits. The statement itself checks that nothing else waits. If something does, the statement writes
nothing, not even the batch's marker, and the batch is decided by the rules.

The marker is written by the statement, so a lost answer may mean that the statement is still on its way. A process that
looks for the marker and does not find it leaves a marker of its own, which makes the late statement fail.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from flowfabric.domain.commands import Claim, CreateExecution, Envelope, creations_in
from flowfabric.domain.execution import QueueOrder, Ready, queue_order
from flowfabric.domain.lanes import Lane
from flowfabric.domain.lease import lease_mark
from flowfabric.domain.news import Committed
from flowfabric.domain.outcomes import Claimed, Outcome
from flowfabric.domain.plain import LEASED, first_claim, is_plain
from flowfabric.ports.errors import CommitUnknown, Overtaken
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.connection import check_alive, translating_errors
from flowfabric.stores.postgres.fast_path import (
    answers_to,
    create_values,
    is_bare,
    lease_details_text,
    parts_entered,
)
from flowfabric.stores.postgres.transaction import meaning_at_commit, send

if TYPE_CHECKING:
    from flowfabric.stores.postgres.store import PostgresStore
    from flowfabric.stores.postgres.writer import PostgresWriter

Creations = Mapping[int, Sequence[CreateExecution]]
"""By place in the batch, the executions that each call creates."""
Shares = Mapping[int, tuple[Claim, Sequence[CreateExecution]]]
"""By place in the batch, the claims, and the executions that each of them gets."""


class SingleStatement:
    """Everything in one statement, the batch's marker and the commit included."""

    def __init__(
        self,
        writer: "PostgresWriter",
        statement: str,
        values: Mapping[str, object],
        creations: Creations,
        shares: Shares,
    ) -> None:
        self._writer = writer
        self._store = writer.store
        self.statement = statement
        self._values = values
        self._creations = creations
        self._shares = shares

    @classmethod
    def of(cls, writer: "PostgresWriter", batch: Batch) -> "SingleStatement | None":
        """The plan, if the batch can be one statement; otherwise None."""
        # Behind a pooler, and for an unusual wait for locks, the settings need a transaction.
        has_session = writer.has_pinned_plans and not writer.store.connector.is_pooled
        if not has_session or batch.lock_wait_ms is not None:
            return None
        parted = _creations_before_claims(batch.envelopes)
        if parted is None:
            return None
        creations, claims = parted
        store, made = writer.store, _all_of(creations)
        marker = {"batch_id": batch.batch_id, "now_ms": store.given_now_ms, "lease_era": writer.era}
        if not claims:
            note = rows.texts(store.notes.of_lanes(_lanes_of(made)))
            return cls(writer, "fast_create", {**create_values(made), **marker, "note": note}, creations, {})
        shares = _shares(made, claims)
        if not _can_be_leased(made, shares, store):
            return None
        return cls(writer, "create_leased", {**_leased_values(shares), **marker}, creations, shares)

    def run(self, batch: Batch) -> Answered:
        """Send the statement. Overtaken: another process has filled or paused a lane, and nothing was written."""
        if not self._shares:
            self._store.queue_heads.enter(parts_entered(_all_of(self._creations)))
        connection = self._writer.connection
        with translating_errors(self._store.connector):
            check_alive(connection)  # on a dead connection the outcome of the statement would be unknown
        # Only the server knows when leases end; `was_committed` asks it, should the answer be lost.
        answered = None if self._shares else self.answered(batch, 0)
        batch.commits(answered)
        try:
            with self._writer.noting_lasting_errors():
                found = send(connection, self._store.sql[self.statement], self._values).fetchone()
        except Exception as error:
            meaning = meaning_at_commit(self._store.connector, connection, error)
            if isinstance(meaning, CommitUnknown):
                self._writer.in_doubt = self, batch
            raise meaning from error
        if found is None:
            self._store.queue_heads.are_busy(_served_by(self._shares))
            raise Overtaken("A lane that was idle is not any more; the batch is decided anew.")
        return self.answered(batch, found[0]) if answered is None else answered

    def answered(self, batch: Batch, now_ms: int) -> Answered:
        """The answers, if the batch was committed at this instant."""
        answers = answers_to(self._creations, batch.envelopes)
        for place, (claim, share) in self._shares.items():
            answers[place] = [_first_claim(each, claim, self._store.name, now_ms) for each in share]
        ready = () if self._shares else _lanes_of(_all_of(self._creations))
        in_order: list[Outcome] = [answers[place] for place in range(len(batch.envelopes))]
        return Answered(in_order, Committed((), has_events=bool(self._shares), ready=ready))


def _creations_before_claims(
    batch: Sequence[Envelope],
) -> tuple[dict[int, Sequence[CreateExecution]], dict[int, Claim]] | None:
    """Creations and claims by place in the batch; None if the batch is not plain creations followed by claims."""
    creations: dict[int, Sequence[CreateExecution]] = {}
    claims: dict[int, Claim] = {}
    for index, envelope in enumerate(batch):
        made = creations_in(envelope.command)
        if not is_bare(envelope) or (made and claims) or not all(is_plain(each, "created") for each in made):
            return None
        if made:
            creations[index] = made
        elif isinstance(envelope.command, Claim):
            claims[index] = envelope.command
        else:
            return None
    return (creations, claims) if creations else None


def _shares(made: Sequence[CreateExecution], claims: Mapping[int, Claim]) -> Shares:
    """Which claim gets which executions: in queue order, each claim as many as it has room for."""
    left = sorted(made, key=_queue_order)
    shares: dict[int, tuple[Claim, Sequence[CreateExecution]]] = {}
    for index, claim in claims.items():
        fitting = [each for each in left if each.namespace == claim.namespace and each.lane in claim.lanes]
        shares[index] = claim, fitting[: claim.limit]
        taken = {each.execution_id for each in shares[index][1]}
        left = [each for each in left if each.execution_id not in taken]
    return shares


def _can_be_leased(made: Sequence[CreateExecution], shares: Shares, store: "PostgresStore") -> bool:
    """Whether the claims take all new executions, the lanes are known to be idle, and all is plain."""
    is_all_shared = sum(len(share) for _, share in shares.values()) == len(made)
    is_known_to_be_first = is_all_shared and store.queue_heads.are_idle(_served_by(shares))
    return is_known_to_be_first and all(is_plain(each, "leased") for each in made)


def _leased_values(shares: Shares) -> Mapping[str, object]:
    """The values of create_leased."""
    leases = [(each, claim) for claim, share in shares.values() for each in share]
    served = _served_by(shares)
    return {
        **create_values([each for each, _ in leases]),
        "worker_id": rows.texts(claim.worker_id for _, claim in leases),
        "worker_instance_id": rows.texts(claim.worker_instance_id for _, claim in leases),
        "lease_ttl_ms": rows.numbers(claim.lease_ttl_ms for _, claim in leases),
        "details": rows.texts(lease_details_text(claim) for _, claim in leases),
        "lease_mark": rows.texts(lease_mark(LEASED.after.lease_epoch, claim.mark) for _, claim in leases),
        "of_namespace": rows.texts(namespace for namespace, _ in served),
        "of_lane": rows.texts(lane for _, lane in served),
    }


def _served_by(shares: Shares) -> Collection[Lane]:
    """The lanes that have to be idle."""
    return {(claim.namespace, lane) for claim, _ in shares.values() for lane in claim.lanes}


def _all_of(creations: Creations) -> list[CreateExecution]:
    return [each for several in creations.values() for each in several]


def _lanes_of(made: Sequence[CreateExecution]) -> Collection[Lane]:
    return {(each.namespace, each.lane) for each in made}


def _queue_order(creation: CreateExecution) -> QueueOrder:
    # All of them become ready at the same instant, so any instant will do.
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
