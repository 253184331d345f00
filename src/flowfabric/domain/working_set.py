"""What a batch may see, and what it has changed.

A store loads what `Needs` names into `Loaded`. Decisions read and change it through a `WorkingSet`, in arrival order,
so each command sees the changes of the commands before it. The differences at the end are `Changes`, and the store
saves them. A refused command is undone: the other commands of the batch see nothing of it.

What a command about a flow must see depends on what it finds. If a decision lacks something, it notes this in `missing`
and stops. The batch is decided again when that is loaded, too.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec.structs import replace

from flowfabric.domain.batch_io import KINDS, AckKey, Changes, Kinds, Loaded, Needs, StepKey
from flowfabric.domain.dependency_graph import DependencyGraph
from flowfabric.domain.errors import Corruption, NotFound
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Due, Execution, IdempotencyKey
from flowfabric.domain.flow import CancelBacklog, Flow, PendingAck
from flowfabric.domain.gated_changes import GatedChanges
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.inboxes import Inboxes
from flowfabric.domain.lanes import CountsDuty, LaneState
from flowfabric.domain.queue import Queue
from flowfabric.domain.remembered_answers import RememberedAnswer
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.states import Channel
from flowfabric.domain.steps import NO_STEP, Step, StepPlace, in_stored_order
from flowfabric.domain.streams import Chunk
from flowfabric.domain.tables import C, Journal, K, Kind, MoreNeeded, NotLoaded, Table, V, note, undo
from flowfabric.domain.turnstiles import Turnstiles

if TYPE_CHECKING:
    from flowfabric.domain.limits import KeyAt

__all__ = ["MoreNeeded", "NotLoaded", "WorkingSet"]

_IN_SLOTS: Final = ("executions",)
"""Kinds that nearly every batch reads many times."""

BY_ITSELF: Final = frozenset({"escalated", "budget_exceeded", "soft_limit_passed"})
"""Operator events that no operator causes."""

Subject = TypeVar("Subject", bound=Execution | Flow | LaneState | Schedule)
"""A record that can have events."""


class WorkingSet(Kinds):
    """The records of one batch as decisions see them: a table for each kind, and operations on several tables."""

    # A slot is quicker to read than an attribute that is declared in a base class, as the tables are.
    __slots__ = (
        "_events",
        "_events_kept",
        "_graph",
        "_inboxes",
        "_journal",
        "_last_step_numbers",
        "_loaded",
        "_needs",
        "_puts",
        "_repaired",
        "_stale_due",
        "_tables",
        "_turnstiles",
        "actor",
        "counts_duty",
        "trace",
        "era",
        "forget_batches_before_ms",
        "forget_events_until_ms",
        "freed",
        "gated_changes",
        "missing",
        "now_ms",
        "queue",
        "store",
        *_IN_SLOTS,
    )

    def __init__(self, loaded: Loaded, needs: Needs, *, now_ms: int, store: str, era: int = 0) -> None:
        self.now_ms = now_ms
        self.store, self.era = store, era
        self.actor: str | None = None
        self.trace: str | None = None
        """The person on whose behalf the command was sent that is decided now."""
        self.missing = Needs()
        """What decisions lacked. If it is not empty: load it and decide again."""
        self.forget_batches_before_ms: int | None = None
        self.forget_events_until_ms: int | None = None
        self.counts_duty: CountsDuty | None = None
        self.freed: set[KeyAt] = set()
        """Keys of limits of which a slot was given back. A refused command may have left some here: they are hints."""
        self._needs = needs
        self._loaded = loaded
        self._tables: list[tuple[Kind[Any, Any, Any], Table[Any, Any]]] = []
        self._journal: Journal = []
        self._events: list[Event] = []
        self._events_kept = 0
        self._stale_due: list[Due] = []
        self._repaired: list[Execution] = []
        self._last_step_numbers: dict[ExecutionId, int] = {}
        self._graph: DependencyGraph | None = None
        self._inboxes: Inboxes | None = None
        self._turnstiles: Turnstiles | None = None
        for name in _IN_SLOTS:
            setattr(self, name, self.new_table(KINDS[name]))
        self._puts = self.executions.log_puts()
        self.queue = Queue(self.executions, self._puts, loaded, needs, self.missing)
        self.gated_changes = GatedChanges(self.executions, self._puts, self._journal).since_last_call

    def new_table(self, kind: Kind[K, V, C]) -> Table[K, V]:
        """Make the table of a kind when it is first used."""
        name = kind.name
        loaded = getattr(self._loaded, name) if kind.is_found else {}
        asked, missing = (
            (getattr(self._needs, name), getattr(self.missing, name)) if kind.is_asked else (_NEVER, _NEVER)
        )
        table: Table[K, V] = Table(loaded, asked, missing, self._journal, kind.key_of)
        self._tables.append((kind, table))
        return table

    @property
    def graph(self) -> DependencyGraph:
        """The members of flows and the edges between them."""
        if self._graph is None:
            self._graph = DependencyGraph(self, self._loaded, self._needs, self._journal)
        return self._graph

    @property
    def inboxes(self) -> Inboxes:
        """The waitpoints and the signals of executions."""
        if self._inboxes is None:
            self._inboxes = Inboxes(self, self._loaded, self._needs)
        return self._inboxes

    @property
    def turnstiles(self) -> Turnstiles:
        """Limits, budgets, and the executions that are parked there."""
        if self._turnstiles is None:
            self._turnstiles = Turnstiles(self, self._loaded, self._needs, self._puts, self._journal)
        return self._turnstiles

    # ── one command at a time ────────────────────────────────────────────────────────────────────

    def begin(self, actor: str | None = None, trace: str | None = None) -> None:
        """Set the point to which `undo` returns, and on whose behalf and in which span the next command was sent."""
        self.actor, self.trace = actor, trace
        self._journal.clear()
        self._events_kept = len(self._events)

    def keep(self) -> None:
        """Keep what was done so far, even if the command is refused: it was due before the command came."""
        self.begin(self.actor, self.trace)

    def undo(self) -> None:
        """Undo everything since `begin` or `keep`."""
        undo(self._journal)
        del self._events[self._events_kept :]

    # ── events ───────────────────────────────────────────────────────────────────────────────────

    def emit(
        self, record: Subject, channel: Channel, event_type: str, details: Mapping[str, object] | None = None
    ) -> Subject:
        """Append an event to the log. The returned record has counted the event, and the caller has to put it."""
        record = replace(record, event_seq=record.event_seq + 1)
        self.append_event(record, channel, event_type, details or {})
        return record

    def append_event(
        self,
        record: Execution | Flow | LaneState | Schedule,
        channel: Channel,
        event_type: str,
        details: Mapping[str, object],
    ) -> None:
        """Append an event to the log that the record has already counted. What an operator did shows who it was."""
        if self.actor is not None and channel == "operator" and event_type not in BY_ITSELF:
            details = {**details, "actor": self.actor}
        execution_id: ExecutionId | None = None
        flow_id: str | None = None
        if isinstance(record, Execution):
            namespace, execution_id, flow_id = record.namespace, record.execution_id, record.flow_id
        elif isinstance(record, Flow):
            namespace, flow_id = record.namespace, record.flow_id
        elif isinstance(record, LaneState):
            namespace, details = record.namespace, {"lane": record.lane, **details}
        else:
            of = record.definition
            namespace, details = of.namespace, {"schedule": of.name, **details}
        self._events.append(
            Event(0, channel, event_type, namespace, execution_id, flow_id, record.event_seq, details, self.now_ms)
        )

    def announce(self, namespace: str, event_type: str, details: Mapping[str, object]) -> None:
        """Append an operator event about a limit or a budget to the log. Such events have no numbers of their own."""
        if self.actor is not None and event_type not in BY_ITSELF:
            details = {**details, "actor": self.actor}
        self._events.append(Event(0, "operator", event_type, namespace, None, None, 0, details, self.now_ms))

    # ── executions ───────────────────────────────────────────────────────────────────────────────

    def execution(self, execution_id: ExecutionId, scope: str | None) -> Execution:
        """The execution as it is now. NotFound if there is none, or if it belongs to another namespace."""
        x = self.executions.get(execution_id)
        if x is None or (scope is not None and x.namespace != scope):
            raise _not_found("execution", execution_id, scope)
        return x

    def payload(self, execution_id: ExecutionId) -> bytes:
        """The execution's payload, if it was asked for or is new in this batch."""
        payload = self.payloads.get(execution_id)
        if payload is None:
            # The payload was asked for and is not there: asking again would go on for ever.
            raise Corruption(f"ff_payload, key {execution_id}: the row is gone. Restore it from a backup.")
        return payload

    def inputs_of(self, x: Execution) -> dict[str, bytes]:
        """The results that are passed to an execution, by name. Only a member of a flow has some."""
        return {} if x.flow_id is None else self.graph.inputs_of(x)

    def to_hand_out(self, chosen: Iterable[Execution]) -> list[tuple[bytes, dict[str, bytes]]]:
        """The payload and the inputs of each execution. All that is missing is noted, so that it is loaded together."""
        found: list[tuple[bytes, dict[str, bytes]]] = []
        lacking = False
        for x in chosen:
            try:
                found.append((self.payload(x.execution_id), self.inputs_of(x)))
            except MoreNeeded:
                lacking = True
        if lacking:
            raise MoreNeeded
        return found

    # ── families ─────────────────────────────────────────────────────────────────────────────────

    def parent_of(self, x: Execution) -> Execution | None:
        """The parent of an execution, if there still is one. Its flow is loaded as well, so that it may be resumed."""
        assert x.parent_id is not None
        return self.execution_with_flow(x.parent_id)

    def execution_with_flow(self, execution_id: ExecutionId) -> Execution | None:
        """An execution, if there still is one. Its flow is loaded as well, so that it may be ended or queued."""
        if execution_id not in self._needs.flows_of:
            self.missing.executions.add(execution_id)
            self.missing.flows_of.add(execution_id)
            raise MoreNeeded
        return self.executions.get(execution_id)

    def live_children(self, parent_id: ExecutionId, most: int) -> tuple[list[Execution], bool]:
        """The first `most` children that have not ended, by id, and whether these are all."""
        if not any(key == parent_id and asked >= most for key, asked in self._needs.live_children):
            self.missing.live_children.add((parent_id, most))
            raise MoreNeeded
        stored = self._loaded.live_children.get(parent_id, ())
        made = (key for key, x in self.executions.changed.items() if x is not None and x.parent_id == parent_id)
        found = [x for key in sorted({*stored, *made}) if (x := self.executions.get(key)) is not None]
        live = [x for x in found if not x.has_ended]
        return live[:most], len(live) <= most and len(stored) < most

    def drop_stale_due(self, due: Due) -> None:
        """Remove a due row that no record justifies."""
        self._stale_due.append(due)

    def repair(self, x: Execution) -> None:
        """Write the execution's side rows again."""
        self._repaired.append(x)

    # ── what expires ─────────────────────────────────────────────────────────────────────────────

    def idempotency_key(self, namespace: str, key: str, *, with_holder: bool = False) -> IdempotencyKey | None:
        """The record of a key, if it has not expired. `with_holder`: the execution of the key is needed as well."""
        at = (namespace, key)
        if with_holder and not self.idempotency_keys.was_asked(at):
            self.missing.key_holders.add(at)
        row = self.idempotency_keys.get(at)
        return None if row is None or row.expires_at_ms <= self.now_ms else row

    def answer(self, scope: str, command_id: str) -> RememberedAnswer | None:
        """The kept answer of a command id, if it has not expired."""
        row = self.answers.get((scope, command_id))
        return None if row is None or row.expires_at_ms <= self.now_ms else row

    def put_answer(self, row: RememberedAnswer) -> None:
        """Keep the answer of a command id."""
        self.answers.put(row)

    # ── flows ────────────────────────────────────────────────────────────────────────────────────

    def flow(self, flow_id: FlowId, scope: str | None = None) -> Flow:
        """The flow as it is now. NotFound if there is none, or if it belongs to another namespace."""
        flow = self.flows.get(flow_id)
        if flow is None or (scope is not None and flow.namespace != scope):
            raise _not_found("flow", flow_id, scope)
        return flow

    def flow_to_start(self, flow_id: FlowId) -> Flow | None:
        """The flow of an execution that is being claimed. None: the flow is known to run already."""
        if flow_id in self._loaded.started_flows and self.flows.known(flow_id) is None:
            return None
        return self.flows.get(flow_id)

    def drop_cancel(self, flow_id: FlowId) -> None:
        """Forget which members the cancel of the flow cancelled, and which acknowledgements it waits for."""
        self.dropped_cancels.put_at(flow_id, True)
        self.cancelled_members.remove(flow_id)
        self.backlogs.remove(flow_id)
        for key in [key for key in self.acks.changed if key[0] == flow_id]:
            self.acks.remove(key)

    def pending_ack(self, key: AckKey) -> PendingAck | None:
        """The acknowledgement that a member has not given yet, if there is one."""
        if key not in self.acks.changed and key[0] in self.dropped_cancels.changed:
            return None
        return self.acks.get(key)

    def put_backlog(self, backlog: CancelBacklog) -> None:
        """Store what the cancel of a flow waits for. If it waits for nothing any more, the record is removed."""
        if backlog.pending_count:
            self.backlogs.put(backlog)
        else:
            self.backlogs.remove(backlog.flow_id)

    # ── steps ────────────────────────────────────────────────────────────────────────────────────

    def step(self, key: StepKey) -> Step | None:
        """The stored step of this name, if there is one."""
        if key not in self.steps.changed and (key[0] in self.cleared_steps.changed or self.executions.is_new(key[0])):
            return None  # a dropped step is noted as removed
        return self.steps.get(key)

    def put_step(self, step: Step) -> None:
        """Store the result of a step."""
        self.steps.put(step)
        if step.number is not None:
            note(self._journal, self._last_step_numbers, step.execution_id, step.number)

    def clear_steps(self, execution_id: ExecutionId) -> None:
        """Forget all steps of an execution."""
        note(self._journal, self._last_step_numbers, execution_id, 0)
        self.cleared_steps.put_at(execution_id, True)
        for key in [key for key in self.steps.changed if key[0] == execution_id]:
            self.steps.remove(key)

    def drop_steps(self, execution_id: ExecutionId, names: Iterable[str]) -> None:
        """Forget some steps of an execution."""
        for name in names:
            self.dropped_steps.put_at((execution_id, name), True)
            self.steps.remove((execution_id, name))

    def need_step_places(self, execution_ids: Iterable[ExecutionId]) -> None:
        """Make sure that the steps of these executions are known. All that are missing are loaded together."""
        unknown = [key for key in execution_ids if not self._knows_steps(key)]
        if unknown:
            self.missing.step_places.update(unknown)
            raise MoreNeeded

    def _knows_steps(self, execution_id: ExecutionId) -> bool:
        return (
            execution_id in self._needs.step_places
            or execution_id in self.cleared_steps.changed
            or self.executions.is_new(execution_id)
        )

    def step_places(self, execution_id: ExecutionId) -> list[StepPlace]:
        """The places of its stored steps, first to last."""
        self.need_step_places([execution_id])
        is_cleared = execution_id in self.cleared_steps.changed
        stored = [] if is_cleared else self._loaded.step_places.get(execution_id, [])
        gone = {key[1] for key in self.dropped_steps.changed if key[0] == execution_id}
        fresh = (step for key, step in self.steps.changed.items() if key[0] == execution_id and step is not None)
        kept = [step for step in stored if step.name not in gone]
        return kept + [StepPlace(step.name, step.recorded_at_ms, step.number) for step in in_stored_order(fresh)]

    def last_step_number(self, execution_id: ExecutionId) -> int:
        """The highest number of a stored step of the execution. 0: no step has a number."""
        stored = self._loaded.last_step_numbers.get(execution_id, 0)
        return self._last_step_numbers.get(execution_id, stored)

    def next_step_number(self, execution_id: ExecutionId, name: str) -> int:
        """The number of the next step of an execution, which gets this name. If it is not known yet, it is loaded."""
        if execution_id not in self._last_step_numbers and not self.executions.is_new(execution_id):
            steps = self.steps
            if not steps.was_asked((execution_id, NO_STEP)) and not steps.was_asked((execution_id, name)):
                self.missing.steps.add((execution_id, NO_STEP))
                raise MoreNeeded
        return self.last_step_number(execution_id) + 1

    # ── streams ──────────────────────────────────────────────────────────────────────────────────

    def oldest_chunks(self, execution_id: ExecutionId, most: int) -> list[Chunk]:
        """The oldest chunks of a stream that were stored before this batch, at most so many, without their frames."""
        assert (execution_id, most) in self._needs.oldest_chunks, "the needs of a trim ask for them"
        removed = {key for key, chunk in self.chunks.changed.items() if chunk is None}
        stored = self._loaded.oldest_chunks.get(execution_id, [])
        return [each for each in stored if (execution_id, each.lease_epoch, each.first_seq) not in removed]

    # ── lanes ────────────────────────────────────────────────────────────────────────────────────

    def lane(self, namespace: str, lane: str) -> LaneState:
        """The state of a lane. A lane without a record is not paused."""
        return self.lanes.get((namespace, lane)) or LaneState(namespace, lane)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @property
    def touched(self) -> Iterable[ExecutionId]:
        """The executions that are different now."""
        return self.executions.changed

    def lanes_with_news(self) -> set[tuple[str, str]]:
        """The lanes (with namespaces) in which this batch has made an execution ready that is still there."""
        return self.queue.lanes_with_news()

    def changes(self) -> Changes:
        """Everything that is different now."""
        records: dict[str, Any] = {kind.name: kind.changes_of(of.loaded, of.changed) for kind, of in self._tables}
        return Changes(
            events=self._events,
            stale_ready=self.queue.stale,
            stale_due=self._stale_due,
            repaired=self._repaired,
            cut_short=self.queue.cut_short,
            freed=self.freed,
            forget_batches_before_ms=self.forget_batches_before_ms,
            forget_events_until_ms=self.forget_events_until_ms,
            counts_duty=self.counts_duty,
            **records,
        )


class _Never(set[Any]):
    """The keys of a kind that nobody can ask for."""

    def add(self, key: Any) -> None:
        raise NotLoaded(key)


_NEVER = _Never()


def _not_found(what: str, key: str, scope: str | None) -> NotFound:
    return NotFound(
        what,
        f"There is no {what} {key}{'' if scope is None else f' in namespace {scope!r}'}. "
        "Check the id; it may also have been purged by its retention.",
    )
