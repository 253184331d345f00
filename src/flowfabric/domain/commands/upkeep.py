"""Commands of reconcilers. Each is decided again from the record, so a stale find is harmless."""

from flowfabric.domain.commands.command import Command
from flowfabric.domain.execution import Due
from flowfabric.domain.ids import ExecutionId, FlowId


class HandleDue(Command[bool], frozen=True, tag=True, gc=False):
    """Do what is due for an execution. False: the find was stale, and its row is dropped."""

    due: Due


class RepairSideRows(Command[bool], frozen=True, tag=True, gc=False):
    """Write an execution's place in the queue and its due moment again."""

    execution_id: ExecutionId


class SettleGroup(Command[bool], frozen=True, tag=True, gc=False):
    """Look again at what a blocked execution waits for. False: it does right to wait."""

    execution_id: ExecutionId


class PurgeExecution(Command[bool], frozen=True, tag=True, gc=False):
    """Remove an execution that ended before an instant and belongs to no flow, whatever its retention says."""

    execution_id: ExecutionId
    ended_before_ms: int


class PurgeFlow(Command[bool], frozen=True, tag=True, gc=False):
    """Remove a flow with all that belongs to it: it ended before an instant, or else its retention is over."""

    flow_id: FlowId
    ended_before_ms: int | None = None


class ForgetOverdueAck(Command[bool], frozen=True, tag=True, gc=False):
    """Wait no longer for a worker whose lease would have ended by now."""

    flow_id: FlowId
    execution_id: ExecutionId


class ForgetWorker(Command[bool], frozen=True, tag=True, gc=False):
    """Take a worker off the list that has been silent for long."""

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


class ForgetEvents(Command[bool], frozen=True, tag=True, gc=False):
    """Drop events of lanes and schedules that happened up to an instant, as far as their time is over."""

    until_ms: int
