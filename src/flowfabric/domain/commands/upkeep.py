"""Commands of upkeep. Each one is decided anew from the record, so it does no harm if a find is out of date."""

from flowfabric.domain.commands.command import Command
from flowfabric.domain.execution import Due
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import CountsDuty


class HandleDue(Command[bool], frozen=True, tag=True, gc=False):
    """Do what is due for an execution. False: the find was out of date, and its row in the list of due moments goes."""

    due: Due


class PassOnEnd(Command[bool], frozen=True, tag=True, gc=False):
    """Pass an end on to the parent, and to children that are to be cancelled. False: this has been done already.

    The parent is named first, so the ends of its children share a batch. An execution without a parent names itself.
    """

    parent_id: ExecutionId
    execution_id: ExecutionId


class RepairSideRows(Command[bool], frozen=True, tag=True, gc=False):
    """Write an execution's place in the queue and its due moment again."""

    execution_id: ExecutionId


class SettleGroup(Command[bool], frozen=True, tag=True, gc=False):
    """Check again what a blocked execution waits for. False: it still has to wait."""

    execution_id: ExecutionId


class PurgeExecution(Command[bool], frozen=True, tag=True, gc=False):
    """Remove an execution that ended before an instant and belongs to no flow, even before its retention is over."""

    execution_id: ExecutionId
    ended_before_ms: int


class PurgeFlow(Command[bool], frozen=True, tag=True, gc=False):
    """Remove a flow with all that belongs to it: because it ended before an instant, or its retention is over."""

    flow_id: FlowId
    ended_before_ms: int | None = None


class ForgetOverdueAck(Command[bool], frozen=True, tag=True, gc=False):
    """Acknowledge a cancel for a worker that has not answered and whose lease would have ended by now."""

    flow_id: FlowId
    execution_id: ExecutionId


class ForgetWorker(Command[bool], frozen=True, tag=True, gc=False):
    """Remove a worker that has been silent for long from the list of workers."""

    namespace: str
    worker_instance_id: str


class ForgetIdempotencyKey(Command[bool], frozen=True, tag=True, gc=False):
    """Drop a key whose time is over."""

    namespace: str
    key: str


class ForgetAnswer(Command[bool], frozen=True, tag=True, gc=False):
    """Drop the kept answer of a command id whose time is over."""

    scope: str
    command_id: str


class ForgetBatches(Command[bool], frozen=True, tag=True, gc=False):
    """Drop the markers of batches whose callers have long been answered."""


class TendCounts(Command[bool], frozen=True, tag=True, gc=False):
    """Add up what commits have left for the kept counts, or count everything and put right what differs."""

    duty: CountsDuty


class ForgetEvents(Command[bool], frozen=True, tag=True, gc=False):
    """Drop events of lanes and schedules that happened up to an instant and whose time is over."""

    until_ms: int
