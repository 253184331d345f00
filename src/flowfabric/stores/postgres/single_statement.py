"""A batch whose answers are known before it is sent: one statement, which is its own transaction.

Such a batch only creates executions that are plain, or plain but for their limits; or it creates plain ones and also
holds the claims that take all of them, in lanes where nothing else waits. The statement itself checks that nothing else
waits there, or that nobody is parked at the limits. If somebody is, the statement writes nothing, not even the batch's
marker, and the batch is decided by the rules. So it is if a creation comes with an id under which an answer is kept
already: then the statement fails.

The marker is written by the statement, so a lost answer may mean that the statement is still on its way. A process that
looks for the marker and does not find it leaves a marker of its own, which makes the late statement fail.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from psycopg.errors import UniqueViolation

from flowfabric.domain.commands import Claim, CreateExecution, Envelope, creations_in
from flowfabric.domain.errors import Contention
from flowfabric.domain.execution import QueueOrder, Ready, queue_order
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.lease import lease_mark
from flowfabric.domain.news import Committed, PlainStep
from flowfabric.domain.outcomes import Claimed, Outcome
from flowfabric.domain.plain import LEASED, first_claim, is_plain, is_plain_but_for_limits
from flowfabric.domain.remembered_answers import ANSWER_TTL_MS, remembered
from flowfabric.ports.errors import CommitUnknown, Overtaken
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores._shared.capability_sets import MARKS, tokens_text
from flowfabric.stores._shared.fast_path import (
    actors_of,
    answers_to,
    has_only_an_id,
    is_bare,
    key_of_answer,
    lease_details_text,
)
from flowfabric.stores._shared.gates import gates_text
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.fast_path import create_values, parts_entered

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
        if not writer.can_send_alone(batch):
            return None
        parted = _creations_before_claims(batch.envelopes)
        if parted is None:
            return None
        creations, claims = parted
        store, made, actors = writer.store, _all_of(creations), actors_of(creations, batch.envelopes)
        marker = {"batch_id": batch.batch_id, "now_ms": store.given_now_ms, "lease_era": writer.era}
        are_plain = all(each.gates is None for each in made)
        keyed = [at for at in creations if batch.envelopes[at].command_id is not None]
        if keyed:
            keys = [key_of_answer(batch.envelopes[at]) for at in keyed]
            if claims or not are_plain or len({*keys}) < len(keys) or not writer.ids_in_use.isdisjoint(keys):
                return None
        if not claims:
            noted = {**marker, "note": rows.texts(store.notes.of_lanes(_lanes_of(made)))}
            if keyed:
                values = {
                    **create_values(made, actors),
                    **noted,
                    **_remembered_values(creations, keyed, batch.envelopes),
                }
                return cls(writer, "create_remembered", values, creations, {})
            if are_plain:
                return cls(writer, "fast_create", {**create_values(made, actors), **noted}, creations, {})
            at_limits = _values_at_limits(made, store)
            if at_limits is None:
                return None
            return cls(writer, "create_at_limits", {**create_values(made, actors), **at_limits, **noted}, creations, {})
        if not are_plain:
            return None
        shares = _shares(made, claims)
        if not _can_be_leased(made, shares, store):
            return None
        return cls(writer, "create_leased", {**_leased_values(shares, actors), **marker}, creations, shares)

    def run(self, batch: Batch) -> Answered:
        """Send the statement. Overtaken: another process has filled or paused a lane, and nothing was written."""
        if not self._shares:
            self._store.queue_heads.enter(parts_entered(_all_of(self._creations)))
        # Only the server knows when leases end; `was_committed` asks it, should the answer be lost.
        answered = None if self._shares else self.answered(batch, 0)
        try:
            found = self._writer.send_alone(batch, self.statement, self._values, answered).fetchone()
        except CommitUnknown:
            self._writer.in_doubt = self, batch
            raise
        except Contention as error:
            if not _says_that_an_id_is_in_use(error):
                raise
            self._writer.ids_in_use = frozenset(
                key_of_answer(each) for each in batch.envelopes if each.command_id is not None
            )
            raise Overtaken("An id is in use; the batch is decided anew.") from error
        if found is None:
            if self._shares:
                self._store.queue_heads.are_busy(_served_by(self._shares))
            else:
                self._store.gate_hints.note_crowd()
            raise Overtaken("Others wait in a lane, or at a limit; the batch is decided anew.")
        return self.answered(batch, found[0]) if answered is None else answered

    def answered(self, batch: Batch, now_ms: int) -> Answered:
        """The answers, if the batch was committed at this instant."""
        answers = answers_to(self._creations, batch.envelopes)
        for place, (claim, share) in self._shares.items():
            answers[place] = [_first_claim(each, claim, self._store.name, now_ms) for each in share]
        ready = () if self._shares else _lanes_of(_all_of(self._creations))
        in_order: list[Outcome] = [answers[place] for place in range(len(batch.envelopes))]
        told = self._told() if batch.is_told else ()
        return Answered(in_order, Committed((), has_events=bool(self._shares), ready=ready, plain=told))

    def _told(self) -> list[PlainStep]:
        """The news of what the statement did. What it leases has not waited."""
        leased = (each for _, share in self._shares.values() for each in share)
        return [
            *(PlainStep("created", each.namespace, each.lane, each.kind) for each in _all_of(self._creations)),
            *(PlainStep("leased", each.namespace, each.lane, each.kind) for each in leased),
        ]


def _says_that_an_id_is_in_use(error: Contention) -> bool:
    cause = error.__cause__
    return isinstance(cause, UniqueViolation) and cause.diag.table_name == "ff_command"


def _creations_before_claims(
    batch: Sequence[Envelope],
) -> tuple[dict[int, Sequence[CreateExecution]], dict[int, Claim]] | None:
    """Creations and claims by place in the batch; None if the batch is not plain creations followed by claims."""
    creations: dict[int, Sequence[CreateExecution]] = {}
    claims: dict[int, Claim] = {}
    for index, envelope in enumerate(batch):
        made = creations_in(envelope.command)
        may_be = is_bare(envelope) or (made and has_only_an_id(envelope))
        if not may_be or (made and claims) or not all(map(_is_simple, made)):
            return None
        if made:
            creations[index] = made
        elif isinstance(envelope.command, Claim):
            claims[index] = envelope.command
        else:
            return None
    return (creations, claims) if creations else None


def _remembered_values(creations: Creations, keyed: Sequence[int], batch: Sequence[Envelope]) -> Mapping[str, object]:
    """The further values of create_remembered. Answers are locked in the order of their keys."""
    answers = answers_to(creations, batch)
    kept = [
        remembered(batch[at], answers[at], 0) for at in sorted(keyed, key=lambda at: key_of_answer(batch[at]) or ())
    ]
    return {**rows.answers(kept), "kept_for_ms": ANSWER_TTL_MS}


def _is_simple(creation: CreateExecution) -> bool:
    return is_plain(creation, "created") or is_plain_but_for_limits(creation)


def _values_at_limits(made: Sequence[CreateExecution], store: "PostgresStore") -> Mapping[str, object] | None:
    """The further values of create_at_limits. None: a creation would be refused, or would probably park."""
    gated_set = store.capabilities.known_id(MARKS["gated"])
    if gated_set is None or store.gate_hints.expects_crowd():
        return None
    at = [(each, name, key) for each in made if each.gates is not None for name, key in each.gates.limits]
    limits = sorted({(each.namespace, name) for each, name, _ in at})
    rooms = sorted({(each.namespace, name, key, each.lane) for each, name, key in at})
    marked = [(*room, tokens_text(MARKS[part])) for room in rooms for part in ("gated", "fair")]
    return {
        "gates": rows.texts(gates_text(each.gates) for each in made),
        "capability_set": rows.numbers(0 if each.gates is None else gated_set for each in made),
        "limit_namespace": rows.texts(namespace for namespace, _ in limits),
        "limit_name": rows.texts(name for _, name in limits),
        "room_namespace": rows.texts(room[0] for room in marked),
        "room_name": rows.texts(room[1] for room in marked),
        "room_key": rows.texts(room[2] for room in marked),
        "room_lane": rows.texts(room[3] for room in marked),
        "room_tokens": rows.texts(room[4] for room in marked),
        **{f"at_{column}": values for column, values in rows.keys(each.execution_id for each, _, _ in at).items()},
        "at_namespace": rows.texts(each.namespace for each, _, _ in at),
        "at_lane_id": rows.texts(each.lane for each, _, _ in at),
        "at_priority": rows.numbers(each.priority for each, _, _ in at),
        "at_name": rows.texts(name for _, name, _ in at),
        "at_gate_key": rows.texts(key for _, _, key in at),
        "at_capability_set": rows.numbers(gated_set for _ in at),
    }


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


def _leased_values(shares: Shares, actors: Mapping[ExecutionId, str]) -> Mapping[str, object]:
    """The values of create_leased."""
    leases = [(each, claim) for claim, share in shares.values() for each in share]
    served = _served_by(shares)
    return {
        **create_values([each for each, _ in leases], actors),
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
