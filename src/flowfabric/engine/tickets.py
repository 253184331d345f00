"""Commands on their way to a commit, and how they are grouped into batches."""

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import Future

from flowfabric.domain import inputs
from flowfabric.domain.commands import (
    AnyCommand,
    Claim,
    Complete,
    Envelope,
    Release,
    creations_in,
    executions_named_by,
    flow_named_by,
)
from flowfabric.domain.decide import needs
from flowfabric.domain.decide.rule import batch_class, rule_of, weight_of, weight_of_data
from flowfabric.domain.errors import EngineError
from flowfabric.domain.lanes import Lane
from flowfabric.domain.outcomes import Claimed, Outcome
from flowfabric.engine import limits

Reply = Outcome | EngineError
"""What a caller gets: an answer, or the error that refuses its command."""
AnyFuture = asyncio.Future[Outcome] | Future[Outcome]


class Group:
    """The commands of one caller on an event loop that waits for all answers together."""

    __slots__ = ("_answers", "_left", "all_answers", "loop")

    def __init__(self, size: int, loop: asyncio.AbstractEventLoop) -> None:
        self._answers: list[Reply] = [[]] * size
        self._left = size
        self.loop = loop
        self.all_answers: asyncio.Future[list[Reply]] = loop.create_future()

    def take(self, found: Sequence[tuple[int, Reply]]) -> None:
        """Take some answers, each with its place. Runs on the caller's loop."""
        for place, answer in found:
            self._answers[place] = answer
        self._left -= len(found)
        if not self._left and not self.all_answers.done():
            self.all_answers.set_result(self._answers)


class Ticket:
    """A command on its way, and the receiver of its answer: a future of an event loop or a thread, a group, or none."""

    __slots__ = (
        "_names",
        "batch_class",
        "envelope",
        "future",
        "group",
        "lanes",
        "loop",
        "place",
        "queued_at",
        "weight",
    )

    def __init__(
        self,
        envelope: Envelope,
        future: AnyFuture | None = None,
        loop: asyncio.AbstractEventLoop | None = None,
        lanes: Collection[Lane] = (),
        group: Group | None = None,
        place: int = 0,
    ) -> None:
        self.envelope = envelope
        self.future = future
        self.loop = loop
        self.weight = weight_of(envelope.command)
        if envelope.said is not None:
            self.weight += weight_of_data(envelope.said.data)
        self.batch_class = batch_class(envelope.command)
        self.lanes = lanes
        """The lanes in which a claim waits."""
        self.group = group
        self.place = place
        self._names: frozenset[object] | None = None
        self.queued_at = 0.0
        """When it came into its queue, on the monotonic clock. It is noted only if there is telemetry."""

    @property
    def names(self) -> frozenset[object]:
        """The records that the command names. Later commands that name one of them must not overtake it."""
        if self._names is None:
            wanted = needs([self.envelope])
            self._names = frozenset[object]().union(
                wanted.executions, wanted.flows, wanted.idempotency_keys, wanted.answers
            )
        return self._names

    @property
    def comes_again(self) -> bool:
        """Whether the sender repeats the command by itself, so that the command need not wait for a lock."""
        return rule_of(self.envelope.command).comes_again

    @property
    def is_renewal(self) -> bool:
        """Whether the command keeps leases."""
        return rule_of(self.envelope.command).is_renewal

    @property
    def is_cancelled(self) -> bool:
        """Whether the caller no longer waits."""
        return self.future is not None and self.future.cancelled()

    @property
    def is_moot(self) -> bool:
        """Whether the command can be dropped, because its caller no longer waits. An attempt's end is never dropped."""
        return self.is_cancelled and not rule_of(self.envelope.command).ends_attempt


Replies = Sequence[tuple[Ticket, Reply]]
"""Commands, each with what its caller gets."""


def releases_of(outcome: Outcome) -> list[Ticket]:
    """Commands that release what was claimed. No caller waits for their answers."""
    if not isinstance(outcome, list):
        return []
    leases = [claimed.lease for claimed in outcome if isinstance(claimed, Claimed)]
    return [Ticket(Envelope(Release(inputs.fence(lease)))) for lease in leases]


def route_key(command: AnyCommand) -> str | None:
    """The id whose commands must stay in order. None: any committer will do, as for ids that nobody else knows yet."""
    if isinstance(command, Complete):  # most commands with such an id
        return command.fence.execution_id
    made = creations_in(command)
    if made and not any(each.id_was_given for each in made):
        return None
    return flow_named_by(command) or next(iter(executions_named_by(command)), None)


def first_batch(queue: deque[Ticket]) -> list[Ticket]:
    """Take the commands from a queue that may share a batch, up to the weight of one batch."""
    batch: list[Ticket] = []
    weight = 0
    while queue and (not batch or fits(queue[0], batch, weight)):
        ticket = queue.popleft()
        weight += ticket.weight
        batch.append(ticket)
    return batch


def claims_last(batch: list[Ticket]) -> list[Ticket]:
    """The same commands with the claims behind all others."""
    claims = [ticket for ticket in batch if isinstance(ticket.envelope.command, Claim)]
    return [ticket for ticket in batch if not isinstance(ticket.envelope.command, Claim)] + claims if claims else batch


def fits(ticket: Ticket, batch: Sequence[Ticket], weight: int) -> bool:
    """Whether a command may share a batch that already has this weight."""
    return ticket.batch_class == batch[0].batch_class and weight + ticket.weight <= limits.BATCH_WEIGHT_MAX


def split_followers(tickets: Iterable[Ticket], before: Iterable[Ticket]) -> tuple[list[Ticket], list[Ticket]]:
    """Split commands into those that may go ahead, and those that must not overtake a command in `before`."""
    named: set[object] = set().union(*(ticket.names for ticket in before))
    free: list[Ticket] = []
    followers: list[Ticket] = []
    for ticket in tickets:
        if named.isdisjoint(ticket.names):
            free.append(ticket)
        else:
            followers.append(ticket)
            named |= ticket.names
    return free, followers
