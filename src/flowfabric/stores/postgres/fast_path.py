"""The values of the fast statements, and what their rows mean. `_shared.fast_path` says which commands are tried."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final

import msgspec

from flowfabric.domain.commands import Claim, CreateExecution, Envelope, creations_in
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import QueueOrder
from flowfabric.domain.flow import Passed, inputs_from
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.news import PlainStep
from flowfabric.domain.outcomes import Claimed, Completed
from flowfabric.domain.plain import first_claim
from flowfabric.stores._shared import fast_path
from flowfabric.stores._shared.encoding import policy_text, tags_of
from flowfabric.stores._shared.fast_path import (
    PlainCommands,
    PlainCompletion,
    is_bare,
    lease_details_around_epoch,
    plain_policy,
)
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.notes import News
from flowfabric.stores.postgres.queue_heads import Part, Place


class FastAnswers(fast_path.FastAnswers, frozen=True):
    """What fast statements have done with a batch, and what other processes are to hear about it."""

    @property
    def news(self) -> News:
        """What other processes are to hear about it."""
        ended = list(self.ended)
        return News(ready=set(self.ready), ended=ended, has_events=self.has_events, freed=set(self.freed))


NO_FAST_ANSWERS: Final = FastAnswers({})
_place: Final = itemgetter(0, 1)
"""Where a row stands in the order in which rows are locked."""


class FastPath(PlainCommands):
    """The commands of one batch that the fast statements may answer."""

    def __init__(self, batch: Sequence[Envelope], store_name: str) -> None:
        super().__init__(batch, store_name)
        self.to_lock_first = self._first_locks(batch)

    def _first_locks(self, batch: Sequence[Envelope]) -> list[ExecutionId]:
        """Rows are locked in one order, so all named executions are locked first, if one statement does not do it."""
        if len(self.completions) == 1 and len(self.named) == self.number_of_completions:
            return []  # the batch names nothing else
        creations = (each for envelope in batch for each in creations_in(envelope.command))
        stored = self.named.keys() - {each.execution_id for each in creations if not each.id_was_given}
        if len(self.completions) == 1 and len(stored) == sum(map(len, self.completions.values())):
            return []
        return sorted(stored, key=rows.lock_order)

    def claim_values(self, command: Claim, start: Place, era: int, now_ms: int | None) -> Mapping[str, object]:
        """The values for fast_claim, which reads the queue from `start` on."""
        before, after = lease_details_around_epoch(command)
        return {
            "namespace": command.namespace,
            "lane_id": command.lanes[0],
            "most": command.limit,
            "from_rank": start[0],
            "from_ready_at_ms": start[1],
            "worker_id": command.worker_id,
            "worker_instance_id": command.worker_instance_id,
            "lease_ttl_ms": command.lease_ttl_ms,
            "details_before_epoch": before,
            "details_after_epoch": after,
            "claim_mark": command.mark or None,
            "lease_era": era,
            "now_ms": now_ms,
        }

    def first_place(self, found: Sequence[rows.Row]) -> Place:
        """The place in the queue of the first execution that fast_claim found."""
        return min((-row[8], row[9]) for row in found)

    def claimed(self, command: Claim, found: Sequence[rows.Row]) -> list[Claimed]:
        """The answer of fast_claim, in queue order."""
        return [self._claimed_one(command, row) for row in sorted(found, key=_queue_order)]

    def _claimed_one(self, command: Claim, row: rows.Row) -> Claimed:
        partition, uuid, epoch, kind, namespace, lane, tags, policy, _, _, now_ms, payload, *of_member = row
        flow_id, name, result = of_member or (None, None, None)
        key = make_execution_id(partition, uuid)
        if payload is None:
            raise Corruption(f"ff_payload, key {key}: the row is gone.")
        try:
            known_tags = {} if tags is None else dict(tags_of(tags))
        except msgspec.MsgspecError as error:
            raise Corruption(f"ff_exec_core, key {key}: column tags does not parse ({error}).") from error
        if plain_policy(policy) is None:
            raise Corruption(f"ff_exec_core, key {key}: column policy does not parse.")
        return first_claim(
            command,
            self._store_name,
            key,
            kind=kind,
            namespace=namespace,
            lane=lane,
            epoch=epoch,
            payload=payload,
            tags=known_tags,
            now_ms=now_ms,
            flow_id=flow_id,
            inputs=None if name is None else inputs_from([Passed(0, "", name, result)]),
        )


def complete_values(
    scope: str | None, plain: list[PlainCompletion], now_ms: int | None, *, is_told: bool
) -> Mapping[str, object]:
    """The arrays for fast_complete; sorts the completions into the order in which rows are locked."""
    in_order = sorted(((*rows.lock_order(one.command.fence.execution_id), one) for one in plain), key=_place)
    plain[:] = [one for _, _, one in in_order]
    fences = [one.command.fence for one in plain]
    return {
        "partition_key": rows.numbers([partition for partition, _, _ in in_order]),
        "execution_id": rows.words([uuid for _, uuid, _ in in_order]),
        "attempt_index": rows.numbers([fence.attempt_index for fence in fences]),
        "lease_epoch": rows.numbers([fence.lease_epoch for fence in fences]),
        "lease_mark": rows.texts([one.lease_mark for one in plain]),
        "result": rows.blobs([one.command.result for one in plain]),
        "scope": scope,
        "now_ms": now_ms,
        "is_told": is_told,
    }


def completed(plain: Sequence[PlainCompletion], found: Sequence[rows.Row]) -> dict[int, Completed]:
    """The answers of fast_complete by place in the batch."""
    answered = [plain[row[0] - 1] for row in found]
    return {one.index: Completed(one.command.fence.execution_id) for one in answered}


def create_values(made: Sequence[CreateExecution], actors: Mapping[ExecutionId, str]) -> Mapping[str, object]:
    """The arrays for the executions that are created."""
    return {
        **rows.keys(each.execution_id for each in made),
        "namespace": rows.texts(each.namespace for each in made),
        "lane_id": rows.texts(each.lane for each in made),
        "execution_kind": rows.texts(each.kind for each in made),
        "policy": rows.texts(policy_text(each.policy) for each in made),
        "priority": rows.numbers(each.priority for each in made),
        "payload": rows.blobs(each.payload for each in made),
        "created_by": rows.texts(actors.get(each.execution_id) for each in made),
    }


def parts_entered(made: Sequence[CreateExecution]) -> dict[Part, int]:
    """The parts of the queue that creations fill, each with the lowest rank of its new executions."""
    ranks: dict[Part, int] = {}
    for each in made:
        part = (each.namespace, each.lane, 0)
        ranks[part] = min(ranks.get(part, 0), -each.priority)
    return ranks


def told_of(
    made: Sequence[CreateExecution], completed: Sequence[rows.Row], claimed: Sequence[rows.Row]
) -> list[PlainStep]:
    """The news of what fast statements did: new executions, and what fast_complete and fast_claim have returned."""
    return [
        *(PlainStep("created", each.namespace, each.lane, each.kind) for each in made),
        *(PlainStep("completed", *row[1:]) for row in completed),
        *(PlainStep("leased", row[4], row[5], row[3], row[10] - row[9]) for row in claimed),
    ]


def only_claims(batch: Sequence[Envelope]) -> list[Claim]:
    """The claims of a batch that holds only bare claims; otherwise an empty list.

    Claims that find nothing write nothing, not even a marker, because idle workers send them all the time.
    """
    claims: list[Claim] = []
    for envelope in batch:
        if not isinstance(envelope.command, Claim) or not is_bare(envelope):
            return []
        claims.append(envelope.command)
    return claims


def is_out_of_turn(claims: Sequence[tuple[int, Claim]], heads: Sequence[Sequence[rows.Row]]) -> bool:
    """Whether a claim has taken something, although one before it in the same lane is left to the rules."""
    left: set[Part] = set()
    for (_, command), head in zip(claims, heads, strict=True):
        if not head:
            left.add(part_of(command))
        elif part_of(command) in left:
            return True
    return False


def part_of(command: Claim) -> Part:
    """The part of the queue that a fast claim reads."""
    return command.namespace, command.lanes[0], 0


def _queue_order(row: rows.Row) -> QueueOrder:
    # The same as `queue_order` of the domain, without a record for each row.
    return -row[8], 0, row[9], row[1], row[0]
