"""Views that a store makes from more than one record."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import EdgeGroup, Flow, FlowState
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.snapshots import Kept, LogExtent
from flowfabric.domain.states import PublicState


class GroupView(msgspec.Struct, frozen=True, gc=False):
    """A group of edges, with facts about the executions at both ends."""

    group: EdgeGroup
    downstream_has_ended: bool
    running_count: int
    """Pending edges whose upstream has not ended."""


class FlowView(msgspec.Struct, frozen=True):
    """A flow at one moment, with its groups and the acknowledgements that it waits for, both by execution id."""

    flow: Flow
    groups: Sequence[GroupView]
    pending_acks: Sequence[ExecutionId]


class SideRows(msgspec.Struct, frozen=True):
    """A record, and whether its side rows are stored as the record requires."""

    execution: Execution
    ready_is_right: bool
    due_is_right: bool
    group: EdgeGroup | None = None
    """The group that a blocked execution waits for."""
    gates_are_right: bool = True
    """Whether its rows at gates are right."""

    @property
    def are_right(self) -> bool:
        """Whether nothing has to be repaired."""
        return self.ready_is_right and self.due_is_right and self.gates_are_right


class SideRowsPage(msgspec.Struct, frozen=True):
    """Executions that may need a repair, and the id after which the next page begins."""

    rows: Sequence[SideRows]
    next_after: ExecutionId | None
    """None after the last page."""


class Tally(msgspec.Struct, frozen=True):
    """The counts of a store. A state with a count of zero may be missing."""

    executions: Mapping[PublicState, int]
    oldest_ready_at_ms: int | None
    flows: Mapping[FlowState, int]
    pending_acks: int
    log: LogExtent | None
    schema_version: int | None
    kept: Kept
    parked_at_budgets: int
