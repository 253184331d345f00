"""Which commands of a batch the fast statements may answer, with their values and their answers.

A command is tried only if no other command of the batch can disturb it: a completion whose execution no other command
names, creations before all claims, and claims in batches where nothing enters or leaves the queue by another way. A
command that the statements do not answer is decided by the rules, in the same transaction.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, cast

import msgspec

from flowfabric.domain.commands import (
    Claim,
    Complete,
    CreateExecution,
    CreateExecutions,
    Envelope,
    creations_in,
    executions_named_by,
)
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import QueueOrder, Ready, queue_order
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.lanes import Lane
from flowfabric.domain.lease import lease_id, presented_mark
from flowfabric.domain.limits import KeyAt
from flowfabric.domain.news import Committed, PlainStep
from flowfabric.domain.outcomes import Claimed, Completed, Created, Duplicate, Outcome
from flowfabric.domain.plain import created, first_claim, first_lease_details, is_plain
from flowfabric.stores._shared.encoding import policy_text, tags_of
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.notes import News
from flowfabric.stores.postgres.queue_heads import Part, Place


class FastAnswers(msgspec.Struct, frozen=True):
    """What fast statements have done with a batch, before the rest of the batch is decided."""

    answers: Mapping[int, Outcome]
    """By place in the batch."""
    ready: Collection[Lane] = ()
    """The lanes of new executions that nobody has claimed yet."""
    has_events: bool = False
    plain: Sequence[PlainStep] = ()
    freed: Collection[KeyAt] = ()
    """The keys of limits that got a slot back."""

    @property
    def committed(self) -> Committed:
        """What this process is to hear about the batch, if the fast statements have answered every command."""
        return Committed(self._ended, self.has_events, self.ready, freed=self.freed, plain=self.plain)

    @property
    def news(self) -> News:
        """What other processes are to hear about it."""
        ended = list(self._ended)
        return News(ready=set(self.ready), ended=ended, has_events=self.has_events, freed=set(self.freed))

    @property
    def _ended(self) -> Sequence[str]:
        return [answer.execution_id for answer in self.answers.values() if isinstance(answer, Completed)]

    def then(self, committed: Committed) -> Committed:
        """What this process is to hear about the batch, including what was decided afterwards."""
        if not self.answers:
            return committed
        return msgspec.structs.replace(
            committed,
            ended=[*self._ended, *committed.ended],
            has_events=committed.has_events or self.has_events,
            ready={*committed.ready, *self.ready},
            freed={*committed.freed, *self.freed},
            plain=self.plain,
        )


NO_FAST_ANSWERS: Final = FastAnswers({})


class PlainCompletion(msgspec.Struct, frozen=True):
    """A completion that a fast statement may answer, and its place in the batch."""

    index: int
    command: Complete
    lease_mark: str | None
    """The mark in its lease id."""


class FastPath:
    """The commands of one batch that the fast statements may answer."""

    def __init__(self, batch: Sequence[Envelope], store_name: str) -> None:
        self._store_name = store_name
        self.completions: dict[str | None, list[PlainCompletion]] = {}
        self.creations: dict[int, Sequence[CreateExecution]] = {}
        """By place in the batch, the executions that each call creates."""
        self.actors: Mapping[ExecutionId, str] = {}
        self.claims: list[tuple[int, Claim]] = []
        self.to_lock_first: list[ExecutionId] = []
        kinds = {type(envelope.command) for envelope in batch}
        # Other commands lock executions of their own. After the locks of fast statements these would break the order.
        if not kinds <= {Claim, Complete, CreateExecution, CreateExecutions}:
            return
        named = Counter(key for envelope in batch for key in _executions_of(envelope))
        made = {index: several for index, envelope in enumerate(batch) if (several := creations_in(envelope.command))}
        self._find_completions(batch, named)
        self._find_first_locks(named, made)
        claimed_at = next((index for index, each in enumerate(batch) if isinstance(each.command, Claim)), len(batch))
        # A claim must see what the commands before it in the batch create, and nothing of the commands after it.
        if all(index < claimed_at for index in made):
            self._find_creations(batch, made)
        if len(self.creations) == len(made):
            self._find_claims(batch)

    @property
    def is_empty(self) -> bool:
        """Whether the fast statements may answer no command of the batch."""
        return not (self.completions or self.claims or self.creations)

    def is_all_of(self, batch: Sequence[Envelope]) -> bool:
        """Whether the fast statements may answer every command of the batch."""
        return len(self.claims) + len(self.creations) + sum(map(len, self.completions.values())) == len(batch)

    def _find_creations(self, batch: Sequence[Envelope], made: Mapping[int, Sequence[CreateExecution]]) -> None:
        for index, creations in made.items():
            if is_bare(batch[index]) and all(is_plain(each, "created") for each in creations):
                self.creations[index] = creations
        self.actors = actors_of(self.creations, batch)

    def _find_completions(self, batch: Sequence[Envelope], named: Mapping[ExecutionId, int]) -> None:
        for index, envelope in enumerate(batch):
            one = completion_in(index, envelope, self._store_name)
            if one is not None and named[one.command.fence.execution_id] == 1:
                self.completions.setdefault(envelope.scope, []).append(one)

    def _find_first_locks(
        self, named: Mapping[ExecutionId, int], made: Mapping[int, Sequence[CreateExecution]]
    ) -> None:
        """Rows are locked in one order, so all named executions are locked first, if one statement does not do it."""
        minted = {each.execution_id for creations in made.values() for each in creations if not each.id_was_given}
        stored = named.keys() - minted
        if len(self.completions) != 1 or len(stored) != sum(map(len, self.completions.values())):
            self.to_lock_first = sorted(stored, key=rows.lock_order)

    def _find_claims(self, batch: Sequence[Envelope]) -> None:
        for index, envelope in enumerate(batch):
            command = envelope.command
            if isinstance(command, Claim):
                if not is_bare(envelope) or len(command.lanes) != 1:
                    # Claims keep their order: after a claim that must be decided, all later ones are decided, too.
                    return
                self.claims.append((index, command))

    @property
    def made(self) -> list[CreateExecution]:
        """All executions that fast_create makes."""
        return [creation for creations in self.creations.values() for creation in creations]

    def lanes_left_filled(self, answers: Mapping[int, Outcome]) -> set[Lane]:
        """The lanes of executions that fast_create made and that nobody has claimed yet."""
        if not self.creations:
            return set()
        taken = {
            each.execution_id for index, _ in self.claims for each in cast("list[Claimed]", answers.get(index, []))
        }
        return {(each.namespace, each.lane) for each in self.made if each.execution_id not in taken}

    def claim_values(self, command: Claim, start: Place, era: int, now_ms: int | None) -> Mapping[str, object]:
        """The values for fast_claim, which reads the queue from `start` on."""
        # The event's details are JSON, cut in two at the epoch, because only the row knows the epoch.
        before, after = lease_details_text(command).split('"lease_epoch":1', 1)
        return {
            "namespace": command.namespace,
            "lane_id": command.lanes[0],
            "most": command.limit,
            "from_rank": start[0],
            "from_ready_at_ms": start[1],
            "worker_id": command.worker_id,
            "worker_instance_id": command.worker_instance_id,
            "lease_ttl_ms": command.lease_ttl_ms,
            "details_before_epoch": before + '"lease_epoch":',
            "details_after_epoch": after,
            "claim_mark": command.mark or None,
            "lease_era": era,
            "now_ms": now_ms,
        }

    def first_place(self, found: Sequence[rows.Row]) -> Place:
        """The place in the queue of the first execution that fast_claim found."""
        return min((-row[7], row[8]) for row in found)

    def claimed(self, command: Claim, found: Sequence[rows.Row]) -> list[Claimed]:
        """The answer of fast_claim, in queue order."""
        return [self._claimed_one(command, row) for row in sorted(found, key=_queue_order)]

    def _claimed_one(self, command: Claim, row: rows.Row) -> Claimed:
        partition, uuid, epoch, kind, namespace, lane, tags, _, _, now_ms, payload = row
        key = make_execution_id(partition, uuid)
        if payload is None:
            raise Corruption(f"ff_payload, key {key}: the row is gone.")
        try:
            known_tags = dict(tags_of(tags))
        except msgspec.MsgspecError as error:
            raise Corruption(f"ff_exec_core, key {key}: column tags does not parse ({error}).") from error
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
        )


def completion_in(index: int, envelope: Envelope, store_name: str) -> PlainCompletion | None:
    """The completion at a place in the batch, if a statement may answer it."""
    command = envelope.command
    if not isinstance(command, Complete) or not is_bare(envelope):
        return None
    fence = command.fence
    mark = presented_mark(fence, store_name)
    of = (fence.execution_id, fence.attempt_index, fence.lease_epoch)
    return PlainCompletion(index, command, mark) if fence.lease_id == lease_id(store_name, *of, mark) else None


def complete_values(
    scope: str | None, plain: list[PlainCompletion], now_ms: int | None, *, is_told: bool
) -> Mapping[str, object]:
    """The arrays for fast_complete; sorts the completions into the order in which rows are locked."""
    plain.sort(key=lambda one: rows.lock_order(one.command.fence.execution_id))
    fences = [one.command.fence for one in plain]
    return {
        **rows.keys(fence.execution_id for fence in fences),
        "attempt_index": rows.numbers(fence.attempt_index for fence in fences),
        "lease_epoch": rows.numbers(fence.lease_epoch for fence in fences),
        "lease_mark": rows.texts(one.lease_mark for one in plain),
        "result": rows.blobs(one.command.result for one in plain),
        "scope": scope,
        "now_ms": now_ms,
        "is_told": is_told,
    }


def completed(plain: Sequence[PlainCompletion], found: Sequence[rows.Row]) -> dict[int, Completed]:
    """The answers of fast_complete by place in the batch."""
    answered = [plain[row[0] - 1] for row in found]
    return {one.index: Completed(one.command.fence.execution_id) for one in answered}


def is_bare(envelope: Envelope) -> bool:
    """Whether nothing comes with the command: no id under which its answer is kept, no frames, and no trace."""
    return envelope.command_id is None and envelope.said is None and envelope.trace is None


def _executions_of(envelope: Envelope) -> Collection[ExecutionId]:
    """The executions that the command names, and the one whose frames come with it."""
    named = executions_named_by(envelope.command)
    return named if envelope.said is None else {*named, envelope.said.fence.execution_id}


def actors_of(
    creations: Mapping[int, Sequence[CreateExecution]], batch: Sequence[Envelope]
) -> Mapping[ExecutionId, str]:
    """The actor of each execution that is created. An execution without an actor is left out."""
    return {
        each.execution_id: actor
        for index, several in creations.items()
        if (actor := batch[index].actor) is not None
        for each in several
    }


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


def answers_to(creations: Mapping[int, Sequence[CreateExecution]], batch: Sequence[Envelope]) -> dict[int, Outcome]:
    """The answers to creations by place in the batch."""
    answers: dict[int, Outcome] = {}
    for index, several in creations.items():
        made: list[Created | Duplicate] = [created(each) for each in several]
        answers[index] = made if isinstance(batch[index].command, CreateExecutions) else made[0]
    return answers


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
        *(PlainStep("leased", row[4], row[5], row[3], row[9] - row[8]) for row in claimed),
    ]


def lease_details_text(command: Claim) -> str:
    """The details of a first lease's event, as they are stored."""
    return msgspec.json.encode(first_lease_details(command)).decode()


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


def part_of(command: Claim) -> Part:
    """The part of the queue that a fast claim reads."""
    return command.namespace, command.lanes[0], 0


def _queue_order(row: rows.Row) -> QueueOrder:
    partition, uuid, _, _, namespace, lane, _, priority, ready_at_ms, _, _ = row
    return queue_order(Ready(namespace, lane, (), priority, ready_at_ms, make_execution_id(partition, uuid)))
