"""What a process waits for, and what a commit or a poll says about that."""

from collections.abc import Callable, Collection, Sequence

import msgspec

from flowfabric.domain.execution import DueKind
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import Lane


class Committed(msgspec.Struct, frozen=True):
    """What a commit means to those who wait."""

    ended: Sequence[str]
    """The executions that have come to their end, and the flows whose cancel is fully acknowledged."""
    has_events: bool
    ready: Collection[Lane] = ()
    """Lanes that have something new to claim."""
    delay_over_in_ms: int | None = None
    """When the first of the delays that were written is over, counted from the commit."""
    lost: Sequence[str] = ()
    """The executions whose lease was taken from its holder."""


OnCommit = Callable[[Committed], None]
OnOthersCommit = Callable[[Committed | None], None]
"""Is called with what another process has committed; None: it may be anything."""


class Waits(msgspec.Struct, frozen=True):
    """What one process waits for, other than work."""

    executions: Sequence[ExecutionId]
    """Executions whose ends are awaited."""
    flows: Sequence[FlowId]
    """Flows whose cancel is still to be acknowledged."""
    events: bool
    leases: Sequence[tuple[ExecutionId, int]] = ()
    """Leases that are held, as execution and epoch."""

    @property
    def has_ends(self) -> bool:
        """Whether anyone waits for an end."""
        return bool(self.executions or self.flows)


class Polled(msgspec.Struct, frozen=True):
    """What one poll of a store has shown."""

    due: Collection[DueKind]
    """The kinds of due moments of which one has come."""
    has_overdue_acks: bool
    """Whether an acknowledgement is overdue."""
    ready: Sequence[Lane]
    """Of the lanes that were asked for, those that hand out work and have some."""
    delay_over_in_ms: int | None = None
    """When the next delay is over, counted from now; None: nothing is delayed."""

    @property
    def anything_due(self) -> bool:
        """Whether there is anything to handle."""
        return bool(self.due) or self.has_overdue_acks
