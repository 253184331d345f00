"""How commands share batches on a store whose batches stay in one partition.

Nearly every command changes records of one partition: that of its execution or of its flow. Commands of one partition
share a batch. Keys, kept answers, lanes, schedules and workers belong to no partition, so commands that change only
these share a batch, too. A claim has a batch of its own: only the store knows in which partition it finds something.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.domain.commands import (
    AnyCommand,
    Claim,
    CreateExecutions,
    FireSchedule,
    RunSchedule,
    executions_named_by,
    flow_named_by,
)
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.ids import flow_partition, lane_partition, partition_in
from flowfabric.domain.lease import Fence

if TYPE_CHECKING:
    from collections import deque

    from flowfabric.engine.tickets import Ticket

NO_PARTITION: Final = -1
UNKNOWN: Final = -2
"""The partition of a command is known only when it is decided."""
PASSED_MAX: Final = 500
"""How many commands of other partitions are skipped to fill a batch."""


def partition_of(command: AnyCommand) -> int:
    """The partition whose records a command changes."""
    if isinstance(command, (Claim, RunSchedule)):
        return UNKNOWN
    if isinstance(command, FireSchedule):
        return lane_partition(command.definition.lane)
    flow_id = flow_named_by(command)
    if flow_id is not None:
        return flow_partition(flow_id)
    return next(map(partition_in, executions_named_by(command)), NO_PARTITION)


def route_key_in_one(command: AnyCommand) -> str | None:
    """The key that sends all commands of a partition to the same committer. None: any committer will do."""
    partition = partition_of(command)
    return None if partition == UNKNOWN else str(partition)


def check_stays_in_one(command: AnyCommand) -> None:
    """Refuse a command that would have to change several partitions at once."""
    if isinstance(command, CreateExecutions):
        partitions = {partition_in(item.execution_id) for item in command.items}
        if len(partitions) > 1:
            raise InvalidInput(
                f"The items belong to {len(partitions)} partitions, and this store cannot create all of them or none. "
                "Send the items of each lane in a call of their own."
            )


def first_batch_in_one(
    queue: "deque[Ticket]", fits: "Callable[[Ticket, Sequence[Ticket], int], bool]"
) -> "list[Ticket]":
    """Take the first command, and later ones of the same partition, up to the weight of one batch.

    The other commands keep their places. A command never overtakes another one that names the same record.
    """
    if not queue:
        return []
    first = queue.popleft()
    batch, weight = [first], first.weight
    partition = partition_of(first.envelope.command)
    passed: list[Ticket] = []
    named: set[object] = set()
    while queue and partition != UNKNOWN and len(passed) < PASSED_MAX:
        ticket = queue.popleft()
        may_share = partition_of(ticket.envelope.command) == partition and fits(ticket, batch, weight)
        if may_share and named.isdisjoint(ticket.names):
            batch.append(ticket)
            weight += ticket.weight
        else:
            passed.append(ticket)
            named |= ticket.names
    queue.extendleft(reversed(passed))
    return batch


def places_by_partition(fences: Sequence[Fence]) -> list[list[int]]:
    """The places of the leases in a call, grouped by partition."""
    found: dict[int, list[int]] = {}
    for place, fence in enumerate(fences):
        found.setdefault(partition_in(fence.execution_id), []).append(place)
    return list(found.values())


def part_of(command_id: str | None, number: int) -> str | None:
    """The id of one of the commands of a call. The first command, number 0, has the id of the call."""
    return command_id if command_id is None or number == 0 else f"{command_id} {number}"
