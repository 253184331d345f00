"""What a process waits for, and what a commit or a poll says about that."""

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

import msgspec

from flowfabric.domain.execution import DueKind
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.limits import KeyAt
from flowfabric.domain.states import PublicState


class WaitEnd(msgspec.Struct, frozen=True, gc=False):
    """How a wait of a leased execution has ended, for the worker that has the lease."""

    execution_id: ExecutionId
    namespace: str
    lease_epoch: int
    """The lease under which the execution runs after the commit."""
    name: str
    fingerprint: bytes
    """The fingerprint of the condition, as its step has it."""
    result: bytes
    """The packed `WaitOver`."""
    is_unanswered: bool
    """Whether the engine keeps in mind that this worker does not know of the end yet."""


class PlainStep(NamedTuple):
    """What a store has done to a plain execution by itself, without a decision: see `plain`."""

    what: Literal["created", "leased", "completed"]
    namespace: str
    lane: str
    kind: str
    after_ms: int = 0
    """How long the execution was ready before it was leased, or leased before it was completed."""


class Committed(msgspec.Struct, frozen=True):
    """What a commit means to callers that wait."""

    ended: Sequence[str]
    """The executions that have come to their end, and the flows whose cancel is fully acknowledged."""
    has_events: bool
    ready: Collection[Lane] = ()
    """Lanes that have something new to claim."""
    delay_over_in_ms: int | None = None
    """When the first of the written delays ends, the time of the first wait is over, or the first gate is to be looked
    at, counted from the commit."""
    lost: Sequence[str] = ()
    """The executions whose lease was taken from its holder."""
    waits_over: Sequence[str] = ()
    """The executions that are leased, and one of whose waits has ended without the knowledge of their worker."""
    unsettled: Sequence[tuple[ExecutionId, ExecutionId]] = ()
    """The executions whose ends are still to be passed on to a parent or to children, each after its parent."""
    wait_ends: Sequence[WaitEnd] = ()
    """Waits of leased executions that have ended, so that workers of this process need not read how they ended."""
    freed: Collection[KeyAt] = ()
    """Keys of limits that may have room again."""
    streams: Collection[str] = ()
    """The executions that have said something, or that have frames which may no longer count."""
    plain: Sequence[PlainStep] = ()
    """What the store has done to plain executions by itself, if the batch asked to be told."""


StreamEnd = tuple[int, int, int, PublicState]
"""The epoch and the number after the last frame of a stream, the epoch of its execution, and its state. If one of them
has changed, there is something to read."""

OnCommit = Callable[[Committed], None]
OnOthersCommit = Callable[[Committed | None], None]
"""A function that is called with what another process has committed. None: it is not known what."""


class Waits(msgspec.Struct, frozen=True):
    """What one process waits for, other than work."""

    executions: Sequence[ExecutionId]
    """Executions whose ends are awaited."""
    flows: Sequence[FlowId]
    """Flows whose cancel is still to be acknowledged."""
    events: bool
    leases: Sequence[tuple[ExecutionId, int]] = ()
    """Leases that are held, as execution and epoch."""
    lingering: Sequence[ExecutionId] = ()
    """Leased executions whose worker waits until one of their waits is over."""
    slots: Sequence[KeyAt] = ()
    """Keys of limits at which a worker waits for a slot."""
    streams: Sequence[ExecutionId] = ()
    """Executions whose streams are followed."""

    @property
    def has_ends(self) -> bool:
        """Whether anyone waits for an end."""
        return bool(self.executions or self.flows)

    @property
    def need_polls(self) -> bool:
        """Whether anyone waits for something that a poll may find without a hint."""
        return bool(self.executions or self.flows or self.lingering or self.events or self.slots or self.streams)


class Polled(msgspec.Struct, frozen=True):
    """What one poll of a store has shown."""

    due: Collection[DueKind]
    """The kinds of due moments that have come for some execution."""
    has_overdue_acks: bool
    """Whether an acknowledgement is overdue."""
    ready: Sequence[Lane]
    """Those of the asked lanes that are not paused and have work."""
    delay_over_in_ms: int | None = None
    """When the next delay ends, the time of the next wait is over, or a gate is to be looked at, counted from now.
    None: there is none."""
    has_openings: bool = False
    """Whether a gate is to be looked at now."""

    @property
    def anything_due(self) -> bool:
        """Whether there is anything to handle."""
        return bool(self.due) or self.has_overdue_acks or self.has_openings
