"""Which commands of a batch the statements of a store may answer without the rules, and what these answers mean.

A command is tried only if no other command of the batch can disturb it: a completion whose execution no other command
names, creations before all claims, and claims in batches where nothing enters or leaves the queue by another way. A
command that the statements do not answer is decided by the rules, in the same transaction.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Final, cast

import msgspec

from flowfabric.domain.commands import (
    Claim,
    Complete,
    CreateExecution,
    CreateExecutions,
    Envelope,
    SubmitFlow,
    creations_in,
    executions_named_by,
)
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.lease import mark_in_own_id
from flowfabric.domain.limits import KeyAt
from flowfabric.domain.news import Committed, PlainStep
from flowfabric.domain.outcomes import Claimed, Completed, Created, Duplicate, FlowSubmitted, Outcome
from flowfabric.domain.plain import created, first_lease_details, is_plain, is_plain_but_for_limits, is_plain_policy
from flowfabric.domain.plain_flows import NewFlow, form_of, made_of
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.stores._shared.encoding import policy_of


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


AnswerKey = tuple[str, str]
"""The scope of a command, and its id."""


class PlainCompletion(msgspec.Struct, frozen=True):
    """A completion that a fast statement may answer, and its place in the batch."""

    index: int
    command: Complete
    lease_mark: str | None
    """The mark in its lease id."""


class PlainFlow(msgspec.Struct, frozen=True):
    """A flow that fast statements may create, and what the rules make of flows of its form."""

    command: SubmitFlow
    made: NewFlow
    actor: str | None

    @property
    def answer(self) -> FlowSubmitted:
        """The answer to the command."""
        ids = {name: creation.execution_id for name, creation in self.command.nodes}
        return FlowSubmitted(self.command.flow.flow_id, ids)

    @property
    def entering(self) -> list[CreateExecution]:
        """The members that may run at once."""
        nodes = zip(self.command.nodes, self.made.are_blocked, strict=True)
        return [creation for (_, creation), is_blocked in nodes if not is_blocked]


def plain_flow_in(envelope: Envelope) -> PlainFlow | None:
    """The flow that a command creates, if fast statements may do it."""
    command = envelope.command
    if not isinstance(command, SubmitFlow) or (form := form_of(command)) is None:
        return None
    made = made_of(form)
    return None if made is None else PlainFlow(command, made, envelope.actor)


class PlainCommands:
    """The commands of one batch that the fast statements may answer."""

    def __init__(
        self,
        batch: Sequence[Envelope],
        store_name: str,
        *,
        lanes_max: int | None = 1,
        keeps_answers: bool = False,
        with_limits: bool = False,
        with_flows: bool = False,
    ) -> None:
        """`lanes_max`: how many lanes a claim may name. `with_limits`: whether creations may name limits.

        `with_flows`: whether flows may be created, too.

        `keeps_answers`: creations may have ids under which their answers are kept. The store looks for earlier answers.
        """
        self._store_name = store_name
        self._lanes_max = lanes_max
        self._keeps_answers = keeps_answers
        self._with_limits = with_limits
        self.completions: dict[str | None, list[PlainCompletion]] = {}
        self.creations: dict[int, Sequence[CreateExecution]] = {}
        """By place in the batch, the executions that each call creates."""
        self.flows: dict[int, PlainFlow] = {}
        """By place in the batch, the flows that are created."""
        self.answer_keys: dict[int, AnswerKey] = {}
        """Of these creations, the ids under which the answers are kept."""
        self.actors: Mapping[ExecutionId, str] = {}
        self.claims: list[tuple[int, Claim]] = []
        self.named: Counter[ExecutionId] = Counter()
        """How often the batch names each execution."""
        self._may_claim = False
        kinds = {type(envelope.command) for envelope in batch}
        # Other commands lock executions of their own. After the locks of fast statements these would break the order.
        if not kinds <= {Claim, Complete, CreateExecution, CreateExecutions} | ({SubmitFlow} if with_flows else set()):
            return
        self.named.update([key for envelope in batch for key in _executions_of(envelope)])
        made: dict[int, Sequence[CreateExecution]] = {}
        if not kinds <= {Claim, Complete}:
            made = {index: several for index, each in enumerate(batch) if (several := creations_in(each.command))}
        self._find_completions(batch)
        flows = [index for index, each in enumerate(batch) if isinstance(each.command, SubmitFlow)]
        claimed_at = next((index for index, each in enumerate(batch) if isinstance(each.command, Claim)), len(batch))
        # A claim must see what the commands before it in the batch create, and nothing of the commands after it.
        if all(index < claimed_at for index in (*made, *flows)):
            self._find_creations(batch, made, flows)
        self._may_claim = len(self.creations) == len(made) and len(self.flows) == len(flows)
        self.find_claims(batch)

    @property
    def is_empty(self) -> bool:
        """Whether the fast statements may answer no command of the batch."""
        return not (self.completions or self.claims or self.creations or self.flows)

    def is_all_of(self, batch: Sequence[Envelope]) -> bool:
        """Whether the fast statements may answer every command of the batch."""
        creations = len(self.creations) + len(self.flows)
        return len(self.claims) + creations + self.number_of_completions == len(batch)

    def _find_creations(
        self, batch: Sequence[Envelope], made: Mapping[int, Sequence[CreateExecution]], flows: Sequence[int]
    ) -> None:
        keys = Counter(map(key_of_answer, batch)) if self._keeps_answers else Counter[AnswerKey | None]()
        for index in (*made, *flows):
            envelope, key = batch[index], key_of_answer(batch[index])
            # If an id comes twice, the second one gets the answer of the first one, or a refusal.
            is_first = key is not None and keys[key] == 1 and has_only_an_id(envelope)
            if not (is_bare(envelope) or is_first):
                continue
            if index in made:
                if not all(map(self._may_be_made, made[index])):
                    continue
                self.creations[index] = made[index]
            elif (flow := plain_flow_in(envelope)) is not None:
                self.flows[index] = flow
            else:
                continue
            if key is not None:
                self.answer_keys[index] = key
        self.actors = actors_of(self.creations, batch)

    def _may_be_made(self, creation: CreateExecution) -> bool:
        return is_plain(creation, "created") or (self._with_limits and is_plain_but_for_limits(creation))

    def leave_to_the_rules(self, index: int) -> None:
        """Do not answer this creation by a fast statement, and no claim of the batch, which must see what it makes."""
        self.creations.pop(index, None)
        self.flows.pop(index, None)
        self.answer_keys.pop(index, None)
        self._may_claim = False
        self.claims.clear()

    def leave_creations_with_limits(self) -> None:
        """Leave the calls to the rules that create something with limits."""
        for index, made in list(self.creations.items()):
            if any(each.gates is not None for each in made):
                self.leave_to_the_rules(index)

    def _find_completions(self, batch: Sequence[Envelope]) -> None:
        for index, envelope in enumerate(batch):
            one = completion_in(index, envelope, self._store_name)
            if one is not None and self.named[one.command.fence.execution_id] == 1:
                self.completions.setdefault(envelope.scope, []).append(one)

    def find_claims(self, batch: Sequence[Envelope]) -> None:
        """Find the claims of the batch, also those that have joined it since."""
        self.claims.clear()
        if not self._may_claim:
            return
        for index, envelope in enumerate(batch):
            command = envelope.command
            if isinstance(command, Claim):
                if not is_bare(envelope) or (self._lanes_max is not None and len(command.lanes) > self._lanes_max):
                    # Claims keep their order: after a claim that must be decided, all later ones are decided, too.
                    return
                self.claims.append((index, command))

    @property
    def number_of_completions(self) -> int:
        """How many completions the fast statements may answer."""
        return sum(map(len, self.completions.values()))

    def ends_come_first(self, batch: Sequence[Envelope]) -> bool:
        """Whether the fast statements may answer all completions of the batch, in one scope, and no claim comes before.

        The end of a member may let another one run. A claim before it must not see that one, and a completion that is
        left to the rules may concern the same flow.
        """
        kinds = [type(envelope.command) for envelope in batch]
        ends = [place for place, kind in enumerate(kinds) if kind is Complete]
        if len(self.completions) != 1 or len(ends) != self.number_of_completions:
            return False
        return Claim not in kinds[: ends[-1]]

    @property
    def made(self) -> list[CreateExecution]:
        """All executions that fast_create makes."""
        return [creation for creations in self.creations.values() for creation in creations]

    def lanes_left_filled(self, answers: Mapping[int, Outcome]) -> set[Lane]:
        """The lanes of executions that fast statements made, that may run, and that nobody has claimed yet."""
        entering = [*self.made, *(each for flow in self.flows.values() for each in flow.entering)]
        if not entering:
            return set()
        taken = {
            each.execution_id for index, _ in self.claims for each in cast("list[Claimed]", answers.get(index, []))
        }
        return {(each.namespace, each.lane) for each in entering if each.execution_id not in taken}


def completion_in(index: int, envelope: Envelope, store_name: str) -> PlainCompletion | None:
    """The completion at a place in the batch, if a statement may answer it."""
    command = envelope.command
    if not isinstance(command, Complete) or not is_bare(envelope):
        return None
    mark = mark_in_own_id(command.fence, store_name)
    return None if mark is None else PlainCompletion(index, command, mark[0])


def is_bare(envelope: Envelope) -> bool:
    """Whether nothing comes with the command: no id under which its answer is kept, no frames, and no trace."""
    return envelope.command_id is None and envelope.said is None and envelope.trace is None


def has_only_an_id(envelope: Envelope) -> bool:
    """Whether nothing comes with the command but the id under which its answer is kept."""
    return envelope.command_id is not None and envelope.said is None and envelope.trace is None


def key_of_answer(envelope: Envelope) -> "AnswerKey | None":
    """Under what the answer to a command is kept. None: it is not kept."""
    return None if envelope.command_id is None else (envelope.scope or "", envelope.command_id)


def _executions_of(envelope: Envelope) -> Collection[ExecutionId]:
    """The executions that the command names, and the one whose frames come with it."""
    command = envelope.command
    named = (command.fence.execution_id,) if isinstance(command, Complete) else executions_named_by(command)
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


@lru_cache(maxsize=1024)
def plain_policy(text: str | None) -> ExecutionPolicy | None:
    """The policy that was stored. None: it is not plain, or it is damaged, which a decision reports."""
    try:
        policy = policy_of(text)
    except (msgspec.MsgspecError, InvalidInput):
        return None
    return policy if is_plain_policy(policy) else None


NO_FAST_ANSWERS: Final = FastAnswers({})
