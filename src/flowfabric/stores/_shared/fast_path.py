"""Which commands of a batch the statements of a store may answer without the rules, and what these answers mean.

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
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.lease import lease_id, presented_mark
from flowfabric.domain.limits import KeyAt
from flowfabric.domain.news import Committed, PlainStep
from flowfabric.domain.outcomes import Claimed, Completed, Created, Duplicate, Outcome
from flowfabric.domain.plain import created, first_lease_details, is_plain


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
        return Committed(self.ended, self.has_events, self.ready, freed=self.freed, plain=self.plain)

    @property
    def ended(self) -> Sequence[str]:
        """The executions that have come to their end."""
        return [answer.execution_id for answer in self.answers.values() if isinstance(answer, Completed)]

    def then(self, committed: Committed) -> Committed:
        """What this process is to hear about the batch, including what was decided afterwards."""
        if not self.answers:
            return committed
        return msgspec.structs.replace(
            committed,
            ended=[*self.ended, *committed.ended],
            has_events=committed.has_events or self.has_events,
            ready={*committed.ready, *self.ready},
            freed={*committed.freed, *self.freed},
            plain=self.plain,
        )


class PlainCompletion(msgspec.Struct, frozen=True):
    """A completion that a fast statement may answer, and its place in the batch."""

    index: int
    command: Complete
    lease_mark: str | None
    """The mark in its lease id."""


class PlainCommands:
    """The commands of one batch that the fast statements may answer."""

    def __init__(self, batch: Sequence[Envelope], store_name: str, lanes_max: int | None = 1) -> None:
        """`lanes_max`: how many lanes a claim may name."""
        self._store_name = store_name
        self._lanes_max = lanes_max
        self.completions: dict[str | None, list[PlainCompletion]] = {}
        self.creations: dict[int, Sequence[CreateExecution]] = {}
        """By place in the batch, the executions that each call creates."""
        self.actors: Mapping[ExecutionId, str] = {}
        self.claims: list[tuple[int, Claim]] = []
        self.named: Counter[ExecutionId] = Counter()
        """How often the batch names each execution."""
        kinds = {type(envelope.command) for envelope in batch}
        # Other commands lock executions of their own. After the locks of fast statements these would break the order.
        if not kinds <= {Claim, Complete, CreateExecution, CreateExecutions}:
            return
        self.named.update(key for envelope in batch for key in _executions_of(envelope))
        made = {index: several for index, envelope in enumerate(batch) if (several := creations_in(envelope.command))}
        self._find_completions(batch)
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

    def _find_completions(self, batch: Sequence[Envelope]) -> None:
        for index, envelope in enumerate(batch):
            one = completion_in(index, envelope, self._store_name)
            if one is not None and self.named[one.command.fence.execution_id] == 1:
                self.completions.setdefault(envelope.scope, []).append(one)

    def _find_claims(self, batch: Sequence[Envelope]) -> None:
        for index, envelope in enumerate(batch):
            command = envelope.command
            if isinstance(command, Claim):
                if not is_bare(envelope) or (self._lanes_max is not None and len(command.lanes) > self._lanes_max):
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


def completion_in(index: int, envelope: Envelope, store_name: str) -> PlainCompletion | None:
    """The completion at a place in the batch, if a statement may answer it."""
    command = envelope.command
    if not isinstance(command, Complete) or not is_bare(envelope):
        return None
    fence = command.fence
    mark = presented_mark(fence, store_name)
    of = (fence.execution_id, fence.attempt_index, fence.lease_epoch)
    return PlainCompletion(index, command, mark) if fence.lease_id == lease_id(store_name, *of, mark) else None


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


def answers_to(creations: Mapping[int, Sequence[CreateExecution]], batch: Sequence[Envelope]) -> dict[int, Outcome]:
    """The answers to creations by place in the batch."""
    answers: dict[int, Outcome] = {}
    for index, several in creations.items():
        made: list[Created | Duplicate] = [created(each) for each in several]
        answers[index] = made if isinstance(batch[index].command, CreateExecutions) else made[0]
    return answers


def lease_details_text(command: Claim) -> str:
    """The details of a first lease's event, as they are stored."""
    return msgspec.json.encode(first_lease_details(command)).decode()


def lease_details_around_epoch(command: Claim) -> tuple[str, str]:
    """The same text, before the epoch and after it, for statements that put in the epoch that they find in a row."""
    before, found, after = lease_details_text(command).partition('"lease_epoch":1')
    assert found
    return before + '"lease_epoch":', after


NO_FAST_ANSWERS: Final = FastAnswers({})
