"""What a store shows of its records, where that is more than one record."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import EdgeGroup, Flow, FlowState
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.snapshots import Kept, LogExtent
from flowfabric.domain.states import PublicState


class GroupView(msgspec.Struct, frozen=True):
    """A group of edges, with what is shown of the executions at both ends."""

    group: EdgeGroup
    downstream_has_ended: bool
    running_count: int
    """Pending edges whose upstream has not ended."""


class FlowView(msgspec.Struct, frozen=True):
    """A flow with its groups and the acknowledgements it waits for, as of one moment, both by execution id."""

    flow: Flow
    groups: Sequence[GroupView]
    pending_acks: Sequence[ExecutionId]


class SideRows(msgspec.Struct, frozen=True):
    """A record, and whether what follows from it is stored as it should be."""

    execution: Execution
    ready_is_right: bool
    due_is_right: bool
    group: EdgeGroup | None = None
    """Of an execution that is blocked by its dependencies: what it waits for."""


class SideRowsPage(msgspec.Struct, frozen=True):
    """Executions that may need mending, and the id after which the next page begins."""

    rows: Sequence[SideRows]
    next_after: ExecutionId | None
    """None after the last page."""


class Tally(msgspec.Struct, frozen=True):
    """What a store holds, counted; states of which there is nothing may be missing."""

    executions: Mapping[PublicState, int]
    oldest_ready_at_ms: int | None
    flows: Mapping[FlowState, int]
    pending_acks: int
    log: LogExtent | None
    schema_version: int | None
    kept: Kept
