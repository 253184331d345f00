"""The records of a memory store, in dictionaries, and the order in which they are kept."""

import threading
import time
from bisect import bisect_left
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from flowfabric.domain.errors import StoreUnavailable
from flowfabric.domain.events import Event
from flowfabric.domain.execution import (
    Attempt,
    Due,
    DueKind,
    Execution,
    FailedAttempt,
    IdempotencyKey,
    QueueOrder,
    Ready,
)
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, EdgeKey, Flow, PendingAck
from flowfabric.domain.ids import ExecutionId, FlowId, make_execution_id, partition_in
from flowfabric.domain.listing import ListPosition
from flowfabric.ports.clock import Clock
from flowfabric.stores._shared.log_position import Purged

if TYPE_CHECKING:
    from flowfabric.domain.access import AccessToken
    from flowfabric.domain.batch_io import AckKey, Generation, KeyInNamespace, LineAt, NumbersAt, SpendKeyAt
    from flowfabric.domain.budgets import Amounts, Budget, BudgetAt, BudgetUse, LedgerLine, SpendKey, UseAt
    from flowfabric.domain.fairness import KeyTurn, KeyTurnAt, LaneTurn, TurnsAt
    from flowfabric.domain.gates import GateAt, GateState
    from flowfabric.domain.lanes import LaneState
    from flowfabric.domain.limits import KeyAt, KeyUse, Limit
    from flowfabric.domain.remembered_answers import RememberedAnswer
    from flowfabric.domain.schedule import Schedule
    from flowfabric.domain.steps import Step
    from flowfabric.domain.streams import Chunk, Stream
    from flowfabric.domain.summaries import StoredSummary
    from flowfabric.domain.waiting import Alias, KeyRing, SignalKey, StoredSignal, StoredWaitpoint
    from flowfabric.domain.workers import Worker

QueuePart = tuple[str, str, tuple[str, ...], bool, bool]
Moment = tuple[int, int, ExecutionId]
"""A due moment in the order in which SQL stores find them: instant, partition number, id."""


class Records:
    """Everything that a memory store holds. One lock guards all records."""

    def __init__(self, name: str, clock: Clock | None = None) -> None:
        self.name = name
        self._clock = clock
        self._lock = threading.RLock()
        self._closed = False
        self._executions: dict[ExecutionId, Execution] = {}
        self._newest: list[ListPosition] = []
        self._children: dict[ExecutionId, list[ListPosition]] = {}
        """Oldest first."""
        self._payloads: dict[ExecutionId, bytes] = {}
        self._results: dict[Generation, bytes] = {}
        self._attempts: dict[ExecutionId, dict[int, Attempt]] = {}
        self._failures: dict[ExecutionId, dict[int, FailedAttempt]] = {}
        self._ready: dict[QueuePart, list[tuple[QueueOrder, Ready]]] = {}
        self._due: dict[DueKind, list[Moment]] = {}
        self._events: dict[int, Event] = {}
        self._events_of: dict[ExecutionId, list[int]] = {}
        self._last_event_id = 0
        self._purged = Purged()
        self._idempotency_keys: dict[KeyInNamespace, IdempotencyKey] = {}
        self._answers: dict[KeyInNamespace, RememberedAnswer] = {}
        self._ends: dict[tuple[int, str, int], int] = {}
        """How many executions have ended, by minute, namespace and public state."""
        self._batches: dict[bytes, int] = {}
        self._flows: dict[FlowId, Flow] = {}
        self._newest_flows: list[ListPosition] = []
        self._members: dict[FlowId, list[ExecutionId]] = {}
        self._edges: dict[FlowId, dict[str, Edge]] = {}
        self._outgoing: dict[ExecutionId, list[EdgeKey]] = {}
        self._incoming: dict[ExecutionId, list[EdgeKey]] = {}
        self._groups: dict[ExecutionId, EdgeGroup] = {}
        self._cancelled_members: dict[FlowId, tuple[ExecutionId, ...]] = {}
        self._backlogs: dict[FlowId, CancelBacklog] = {}
        self._acks: dict[AckKey, PendingAck] = {}
        self._steps: dict[ExecutionId, dict[str, Step]] = {}
        self._waitpoints: dict[ExecutionId, dict[str, StoredWaitpoint]] = {}
        self._signals: dict[ExecutionId, dict[int, StoredSignal]] = {}
        self._signal_keys: dict[ExecutionId, dict[tuple[str, str], SignalKey]] = {}
        self._aliases: dict[KeyInNamespace, Alias] = {}
        self._key_rings: dict[str, KeyRing] = {}
        self._streams: dict[ExecutionId, Stream] = {}
        self._chunks: dict[ExecutionId, dict[tuple[int, int], Chunk]] = {}
        """In the order of their positions."""
        self._summaries: dict[ExecutionId, StoredSummary] = {}
        self._workers: dict[KeyInNamespace, Worker] = {}
        self._access_tokens: dict[str, AccessToken] = {}
        self._schedules: dict[KeyInNamespace, Schedule] = {}
        self._lanes: dict[KeyInNamespace, LaneState] = {}
        self._events_of_flow: dict[FlowId, list[int]] = {}
        self._limits: dict[NumbersAt, Limit] = {}
        self._key_uses: dict[KeyAt, KeyUse] = {}
        self._lane_turns: dict[TurnsAt, LaneTurn] = {}
        self._key_turns: dict[KeyTurnAt, KeyTurn] = {}
        self._budgets: dict[BudgetAt, Budget] = {}
        self._budget_uses: dict[UseAt, BudgetUse] = {}
        self._ledger: dict[LineAt, LedgerLine] = {}
        self._spend_keys: dict[SpendKeyAt, SpendKey] = {}
        self._daily_sums: dict[tuple[str, str, str, str], Amounts] = {}
        """What executions had spent that are gone, by namespace, budget, day and kind."""
        self._openings: dict[GateAt, int] = {}
        self._at_gates: dict[tuple[GateAt, GateState], list[tuple[QueueOrder, Ready]]] = {}
        """Who stands at which gate, in the order of the queue."""

    def _reading(self) -> AbstractContextManager[bool]:
        self.ping()
        return self._lock

    @property
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000 if self._clock is None else self._clock.now_ms

    def ping(self) -> None:
        if self._closed:
            raise StoreUnavailable("This memory store was closed, and what it held is gone. Open a new engine.")

    def _at(self, position: ListPosition) -> Execution:
        return self._executions[make_execution_id(position.partition, position.uuid)]

    def _edge_at(self, key: EdgeKey) -> Edge:
        return self._edges[key[0]][key[1]]

    def _old_events(self, until_ms: int) -> list[Event]:
        return [
            event
            for event in self._events.values()
            if event.execution_id is None and event.flow_id is None and event.occurred_at_ms <= until_ms
        ]


def holds(ordered: list[Any], entry: Any) -> bool:
    """Whether an ordered list has an entry."""
    index = bisect_left(ordered, entry)
    return index < len(ordered) and ordered[index] == entry


def part_of(ready: Ready) -> QueuePart:
    """The queue in which an execution waits."""
    return (ready.namespace, ready.lane, ready.required_capabilities, ready.is_gated, ready.turn > 0)


def moment_of(due: Due) -> Moment:
    """A due moment as it is kept."""
    return due.due_at_ms, partition_in(due.execution_id), due.execution_id
