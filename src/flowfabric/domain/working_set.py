"""What a batch may see, and what it has changed.

A store loads what `Needs` names into `Loaded`; decisions read and change it through a `WorkingSet`, in arrival
order, so each sees what the ones before it did; what differs at the end is `Changes`, and the store saves that.
A refused command is undone: its neighbours never learn of it.

What a flow's command must see depends on what it finds: a decision that lacks something notes it in `missing` and is
given up, and the batch is decided again once that is loaded, too.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from flowfabric.domain.errors import Corruption, NotFound
from flowfabric.domain.events import Event
from flowfabric.domain.exchange import (
    AckKey,
    AttemptKey,
    Changes,
    ClaimNeed,
    Generation,
    KeyInNamespace,
    Loaded,
    Needs,
    StepKey,
)
from flowfabric.domain.execution import (
    Attempt,
    Due,
    Execution,
    FailedAttempt,
    IdempotencyKey,
    Ready,
    queue_order,
    ready_of,
)
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, EdgeKey, Flow, PendingAck
from flowfabric.domain.ids import ExecutionId, FlowId, uuid_in
from flowfabric.domain.lanes import LaneSwitch
from flowfabric.domain.outcomes import RememberedAnswer
from flowfabric.domain.schedule import Schedule
from flowfabric.domain.states import Channel
from flowfabric.domain.steps import Step, in_stored_order
from flowfabric.domain.workers import Worker


class MoreNeeded(Exception):
    """A decision needs to see more than was loaded; what, is noted in the working set."""


class NotLoaded(AssertionError):
    """A decision read something that its needs did not ask for: our bug, found before it becomes a race."""


class WorkingSet:
    """The records of one batch as decisions see them."""

    def __init__(self, loaded: Loaded, needs: Needs, *, now_ms: int, store: str, era: int = 0) -> None:
        self.now_ms = now_ms
        self.store = store
        self.era = era
        self.forget_batches_before_ms: int | None = None
        self.forget_events_until_ms: int | None = None
        self._needs = needs
        self._loaded = loaded
        self._executions: dict[ExecutionId, Execution | None] = {}
        self._payloads: dict[ExecutionId, bytes] = {}
        self._results: dict[Generation, bytes | None] = {}
        self._attempts: dict[AttemptKey, Attempt] = {}
        self._failures: dict[AttemptKey, FailedAttempt] = {}
        self._idempotency_keys: dict[KeyInNamespace, IdempotencyKey | None] = {}
        self._answers: dict[KeyInNamespace, RememberedAnswer | None] = {}
        self._events: list[Event] = []
        self._newly_ready: list[Ready] = []
        self._taken: dict[ClaimNeed, int] = {}
        self._stale_ready: list[Ready] = []
        self._stale_due: list[Due] = []
        self._repaired: list[Execution] = []
        self._journal: list[tuple[dict[Any, Any], Any, Any]] = []
        self._events_kept = 0
        self._flows: dict[FlowId, Flow | None] = {}
        self._edges: dict[EdgeKey, Edge] = {}
        self._groups: dict[ExecutionId, EdgeGroup] = {}
        self._new_outgoing: dict[ExecutionId, dict[EdgeKey, None]] = {}
        self._new_incoming: dict[ExecutionId, dict[EdgeKey, None]] = {}
        self._new_members: dict[FlowId, dict[ExecutionId, None]] = {}
        self._cancelled_members: dict[FlowId, tuple[ExecutionId, ...] | None] = {}
        self._backlogs: dict[FlowId, CancelBacklog | None] = {}
        self._acks: dict[AckKey, PendingAck | None] = {}
        self._dropped_cancels: dict[FlowId, bool] = {}
        self._cleared_steps: dict[ExecutionId, bool] = {}
        self._dropped_steps: dict[StepKey, bool] = {}
        self._last_step_numbers: dict[ExecutionId, int] = {}
        self._steps: dict[StepKey, Step | None] = {}
        self._workers: dict[KeyInNamespace, Worker | None] = {}
        self._schedules: dict[KeyInNamespace, Schedule | None] = {}
        self._lanes: dict[KeyInNamespace, LaneSwitch] = {}
        self.missing = Needs()
        """What decisions lacked. Anything here means: load it and decide again."""

    # ── one command at a time ────────────────────────────────────────────────────────────────────

    def begin(self) -> None:
        """From here on `undo` comes back to this point."""
        self._journal.clear()
        self._events_kept = len(self._events)

    def undo(self) -> None:
        """Forget everything since `begin`."""
        for table, key, before in reversed(self._journal):
            if before is _ABSENT:
                del table[key]
            else:
                table[key] = before
        self._journal.clear()
        del self._events[self._events_kept :]

    def _set(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        self._journal.append((table, key, table.get(key, _ABSENT)))
        table[key] = value

    # ── executions ───────────────────────────────────────────────────────────────────────────────

    def find(self, execution_id: ExecutionId) -> Execution | None:
        """The execution as it is now, or None if there is none."""
        if execution_id in self._executions:
            return self._executions[execution_id]
        x = self._loaded.executions.get(execution_id)
        if x is None and execution_id not in self._needs.executions:
            self.missing.executions.add(execution_id)
            raise MoreNeeded
        return x

    def execution(self, execution_id: ExecutionId, scope: str | None) -> Execution:
        """The execution as it is now; one of another namespace is as unknown as one that never was."""
        x = self.find(execution_id)
        if x is None or (scope is not None and x.namespace != scope):
            raise NotFound(
                "execution",
                f"There is no execution {execution_id}{'' if scope is None else f' in namespace {scope!r}'}. "
                "Check the id; it may also have been purged by its retention.",
            )
        return x

    def put(self, x: Execution) -> None:
        """Make this the execution's state."""
        self._set(self._executions, x.execution_id, x)
        ready = ready_of(x)
        if ready is not None:
            self._newly_ready.append(ready)

    def remove(self, x: Execution) -> None:
        """Make the execution and everything that belongs to it disappear."""
        self._set(self._executions, x.execution_id, None)

    def emit(
        self, x: Execution, channel: Channel, event_type: str, details: Mapping[str, object] | None = None
    ) -> Execution:
        """Append to the log; the returned record has counted the event and is still to be put."""
        x = msgspec.structs.replace(x, event_seq=x.event_seq + 1)
        self.append_event(x, channel, event_type, details or {})
        return x

    def emit_of_flow(
        self, flow: Flow, channel: Channel, event_type: str, details: Mapping[str, object] | None = None
    ) -> Flow:
        """Append to the log; the returned flow has counted the event and is still to be put."""
        flow = msgspec.structs.replace(flow, event_seq=flow.event_seq + 1)
        self._events.append(
            Event(
                0, channel, event_type, flow.namespace, None, flow.flow_id, flow.event_seq, details or {}, self.now_ms
            )
        )
        return flow

    def emit_of_lane(self, switch: LaneSwitch, event_type: str, details: Mapping[str, object]) -> LaneSwitch:
        """Append to the log; the returned switch has counted the event and is still to be put."""
        switch = msgspec.structs.replace(switch, event_seq=switch.event_seq + 1)
        told = {"lane": switch.lane, **details}
        self._events.append(
            Event(0, "operator", event_type, switch.namespace, None, None, switch.event_seq, told, self.now_ms)
        )
        return switch

    def append_event(self, x: Execution, channel: Channel, event_type: str, details: Mapping[str, object]) -> None:
        """Append to the log the event that the record has already counted."""
        self._events.append(
            Event(0, channel, event_type, x.namespace, x.execution_id, x.flow_id, x.event_seq, details, self.now_ms)
        )

    def payload(self, execution_id: ExecutionId) -> bytes:
        """The execution's payload, if it was asked for or is new in this batch."""
        payload = self._payloads.get(execution_id)
        if payload is None:
            payload = self._loaded.payloads.get(execution_id)
        if payload is None:
            if execution_id in self._needs.payloads:
                # Asked for and not there: to ask again would be to ask for ever.
                raise Corruption(f"ff_payload, key {execution_id}: the row is gone. Restore it from a backup.")
            self.missing.payloads.add(execution_id)
            raise MoreNeeded
        return payload

    def put_payload(self, execution_id: ExecutionId, payload: bytes) -> None:
        """Keep the payload of a new execution."""
        self._set(self._payloads, execution_id, payload)

    def put_result(self, x: Execution, result: bytes | None) -> None:
        """Keep the result of this life of an execution; None removes it."""
        self._set(self._results, (x.execution_id, x.replay_count), result)

    def put_attempt(self, attempt: Attempt) -> None:
        """Write an attempt's row."""
        self._set(self._attempts, (attempt.execution_id, attempt.attempt_index), attempt)

    def put_failure(self, failure: FailedAttempt) -> None:
        """Keep why an attempt failed."""
        self._set(self._failures, (failure.execution_id, failure.attempt_index), failure)

    def lanes_with_news(self) -> set[tuple[str, str]]:
        """The lanes of namespaces in which this batch has made something ready that is still there."""
        return {(ready.namespace, ready.lane) for ready in self._newly_ready if self._still_ready(ready)}

    # ── the queue ────────────────────────────────────────────────────────────────────────────────

    def claimable(self, need: ClaimNeed, limit: int) -> list[Execution]:
        """The next executions that such a claim may take, in queue order, as the batch has left them."""
        chosen: list[Execution] = []
        open_lanes = need.open_lanes(self._loaded.lanes)
        fresh = self._fresh(need, open_lanes)
        stored = self._stored(need, open_lanes)
        entry = next(stored, None)
        while len(chosen) < limit and (entry is not None or fresh):
            if fresh and (entry is None or queue_order(fresh[-1]) < queue_order(entry)):
                ready = fresh.pop()
            else:
                assert entry is not None
                ready = entry
                entry = next(stored, None)
            x = self.find(ready.execution_id)
            assert x is not None
            chosen.append(x)
        if entry is not None:
            self._taken[need] -= 1  # looked at, not taken
        elif len(chosen) < limit:
            self._look_further(need)
        return chosen

    def _look_further(self, need: ClaimNeed) -> None:
        """Ask for more of the queue, if earlier commands took away so much of what was loaded that it ran out."""
        asked = self._needs.claims.get(need, 0)
        if 0 < asked <= len(self._loaded.candidates[need]):
            self.missing.claims[need] = asked * 2
            raise MoreNeeded

    def need_to_hand_out(self, chosen: Iterable[Execution]) -> None:
        """Make sure that the payloads and inputs of all of these are known; together, so that they load together."""
        lacking = False
        for x in chosen:
            try:
                self.payload(x.execution_id)
                self.inputs_of(x)
            except MoreNeeded:
                lacking = True
        if lacking:
            raise MoreNeeded

    def _fresh(self, need: ClaimNeed, open_lanes: Collection[str]) -> list[Ready]:
        """What became ready in this batch and still is, first to run last."""
        self._newly_ready = [r for r in dict.fromkeys(self._newly_ready) if self._still_ready(r)]
        admitted = (r for r in self._newly_ready if r.lane in open_lanes and need.admits(r))
        return sorted(admitted, key=queue_order, reverse=True)

    def _still_ready(self, ready: Ready) -> bool:
        x = self._executions.get(ready.execution_id)
        return x is not None and ready_of(x) == ready

    def _stored(self, need: ClaimNeed, open_lanes: Collection[str]) -> Iterator[Ready]:
        """The store's candidates that no earlier command of the batch has touched."""
        candidates = self._loaded.candidates.get(need)
        if candidates is None:
            raise NotLoaded(need)
        while (index := self._taken.get(need, 0)) < len(candidates):
            self._taken[need] = index + 1
            ready = candidates[index]
            if ready.execution_id in self._executions or ready.lane not in open_lanes:
                continue
            x = self._loaded.executions.get(ready.execution_id)
            if x is None or ready_of(x) != ready or not need.admits(ready):
                self._stale_ready.append(ready)
                continue
            yield ready

    def drop_stale_due(self, due: Due) -> None:
        """Remove a due row that no record stands behind."""
        self._stale_due.append(due)

    def repair(self, x: Execution) -> None:
        """Write the execution's side rows again."""
        self._repaired.append(x)

    # ── keys ─────────────────────────────────────────────────────────────────────────────────────

    def idempotency_key(self, namespace: str, key: str, *, with_holder: bool = False) -> IdempotencyKey | None:
        """The live promise of a key; one whose time is over is none. `with_holder`: its execution is looked at, too."""
        if with_holder and (namespace, key) not in self._needs.idempotency_keys:
            self.missing.key_holders.add((namespace, key))
        row = self._keyed(
            self._idempotency_keys,
            self._loaded.idempotency_keys,
            self._needs.idempotency_keys,
            self.missing.idempotency_keys,
            (namespace, key),
        )
        return None if row is None or row.expires_at_ms <= self.now_ms else row

    def put_idempotency_key(self, row: IdempotencyKey) -> None:
        """Promise that the key means this execution."""
        self._set(self._idempotency_keys, (row.namespace, row.key), row)

    def forget_idempotency_key(self, namespace: str, key: str) -> None:
        """Withdraw the promise."""
        self._set(self._idempotency_keys, (namespace, key), None)

    def answer(self, scope: str, command_id: str) -> RememberedAnswer | None:
        """The live answer of a command id; one whose time is over is none."""
        row = self._keyed(
            self._answers, self._loaded.answers, self._needs.answers, self.missing.answers, (scope, command_id)
        )
        return None if row is None or row.expires_at_ms <= self.now_ms else row

    def put_answer(self, row: RememberedAnswer) -> None:
        """Keep the answer of a command id."""
        self._set(self._answers, (row.scope, row.command_id), row)

    def forget_answer(self, scope: str, command_id: str) -> None:
        """Drop the answer of a command id."""
        self._set(self._answers, (scope, command_id), None)

    @staticmethod
    def _keyed(changed: Any, loaded: Any, asked: set[Any], noted: set[Any], at: Any) -> Any:
        if at in changed:
            return changed[at]
        if at not in asked:
            noted.add(at)
            raise MoreNeeded
        return loaded.get(at)

    # ── flows ────────────────────────────────────────────────────────────────────────────────────

    def flow(self, flow_id: FlowId, scope: str | None = None) -> Flow:
        """The flow as it is now; one of another namespace is as unknown as one that never was."""
        flow = self.find_flow(flow_id)
        if flow is None or (scope is not None and flow.namespace != scope):
            raise NotFound(
                "flow",
                f"There is no flow {flow_id}{'' if scope is None else f' in namespace {scope!r}'}. "
                "Check the id; it may also have been purged by its retention.",
            )
        return flow

    def find_flow(self, flow_id: FlowId) -> Flow | None:
        """The flow as it is now, or None if there is none."""
        found: Flow | None
        if flow_id in self._flows:
            found = self._flows[flow_id]
        else:
            found = self._loaded.flows.get(flow_id)
            if found is None and flow_id not in self._needs.flows:
                self.missing.flows.add(flow_id)
                raise MoreNeeded
        return found

    def flow_to_start(self, flow_id: FlowId) -> Flow | None:
        """The flow of an execution that is being claimed, unless it is known to be under way."""
        if flow_id not in self._flows and flow_id not in self._loaded.flows and flow_id in self._loaded.started_flows:
            return None
        return self.find_flow(flow_id)

    def put_flow(self, flow: Flow) -> None:
        """Make this the flow's state."""
        self._set(self._flows, flow.flow_id, flow)

    def remove_flow(self, flow: Flow) -> None:
        """Make the flow disappear with everything that belongs to it; its members are removed one by one."""
        self._set(self._flows, flow.flow_id, None)

    def members(self, flow_id: FlowId) -> list[ExecutionId]:
        """All members of the flow, by uuid."""
        stored = self._loaded.members.get(flow_id)
        if stored is None:
            if self._is_new_flow(flow_id):
                stored = []
            else:
                self.missing.flows.add(flow_id)
                self.missing.whole_flows.add(flow_id)
                raise MoreNeeded
        return sorted([*stored, *self._new_members.get(flow_id, ())], key=uuid_in)

    def _is_new_flow(self, flow_id: FlowId) -> bool:
        return flow_id not in self._loaded.flows and self._flows.get(flow_id) is not None

    def join_flow(self, x: Execution) -> None:
        """Note a new member of its flow."""
        assert x.flow_id is not None
        self._set(self._new_members.setdefault(FlowId(x.flow_id), {}), x.execution_id, None)

    # ── the graph ────────────────────────────────────────────────────────────────────────────────

    def need_outgoing(self, execution_ids: Iterable[ExecutionId], *, all_beyond: bool = False) -> None:
        """Make sure that the edges leaving these executions are known; together, so that they are loaded together."""
        unknown = [key for key in execution_ids if not self._knows_edges(self._loaded.outgoing, key)]
        if unknown:
            (self.missing.reach if all_beyond else self.missing.outgoing).update(unknown)
            raise MoreNeeded

    def knows_outgoing(self, execution_id: ExecutionId) -> bool:
        """Whether the edges leaving an execution are known."""
        return self._knows_edges(self._loaded.outgoing, execution_id)

    def need_outgoing_of_upstreams(self, execution_ids: Collection[ExecutionId]) -> None:
        """The same for upstreams that may have become needless.

        What is lacking is loaded together with the same of all known upstreams that live: a cascade would lack it next.
        """
        if all(self._knows_edges(self._loaded.outgoing, key) for key in execution_ids):
            return
        upstreams = {self._loaded.edges[key].upstream for keys in self._loaded.incoming.values() for key in keys}
        live = (key for key in upstreams if (x := self._loaded.executions.get(key)) is not None and not x.has_ended)
        self.need_outgoing({*execution_ids, *live})

    def outgoing(self, execution_id: ExecutionId) -> list[Edge]:
        """The edges that leave an execution, by edge id."""
        self.need_outgoing((execution_id,))
        return self._edges_at(self._loaded.outgoing, self._new_outgoing, execution_id)

    def need_incoming(self, execution_ids: Iterable[ExecutionId], *, all_beyond: bool = False) -> None:
        """Make sure that the edges leading to these executions are known.

        With all beyond them, what is lacking is loaded together with the same of everyone who is known to wait for
        them, directly or not: a cascade that goes on there would lack it next.
        """
        unknown = {key for key in execution_ids if not self._knows_edges(self._loaded.incoming, key)}
        if unknown:
            self.missing.incoming |= unknown
            if all_beyond:
                self.missing.incoming |= self._joined_beyond(unknown)
            raise MoreNeeded

    def _joined_beyond(self, execution_ids: Iterable[ExecutionId]) -> set[ExecutionId]:
        """Who can be reached from these by edges that are loaded, and waits for several; as far as they are unknown."""
        seen: set[ExecutionId] = set()
        frontier = list(execution_ids)
        while frontier:
            for key in self._loaded.outgoing.get(frontier.pop(), ()):
                downstream = self._loaded.edges[key].downstream
                if downstream not in seen:
                    seen.add(downstream)
                    frontier.append(downstream)
        joined = (key for key in seen if (group := self._loaded.groups.get(key)) is not None and group.total > 1)
        return {key for key in joined if key not in self._loaded.incoming}

    def incoming(self, execution_id: ExecutionId) -> list[Edge]:
        """The edges that lead to an execution, by edge id."""
        self.need_incoming((execution_id,))
        return self._edges_at(self._loaded.incoming, self._new_incoming, execution_id)

    def _knows_edges(self, known: Mapping[ExecutionId, list[EdgeKey]], execution_id: ExecutionId) -> bool:
        return execution_id in known or self._is_new(execution_id)

    def _is_new(self, execution_id: ExecutionId) -> bool:
        return execution_id not in self._loaded.executions and self._executions.get(execution_id) is not None

    def _edges_at(
        self,
        stored: Mapping[ExecutionId, list[EdgeKey]],
        new: Mapping[ExecutionId, Iterable[EdgeKey]],
        execution_id: ExecutionId,
    ) -> list[Edge]:
        keys = stored.get(execution_id, [])
        fresh = new.get(execution_id)
        return [self._edge(key) for key in (sorted([*keys, *fresh]) if fresh else keys)]

    def _edge(self, key: EdgeKey) -> Edge:
        edge = self._edges.get(key)
        return self._loaded.edges[key] if edge is None else edge

    def has_edge(self, key: EdgeKey) -> bool:
        """Whether the flow has an edge of this id."""
        if key in self._edges or key in self._loaded.edges:
            return True
        if key not in self._needs.edges and not self._is_new_flow(key[0]):
            self.missing.edges.add(key)
            raise MoreNeeded
        return False

    def add_edge(self, edge: Edge) -> None:
        """Put a new edge into the graph."""
        self._set(self._edges, edge.key, edge)
        for new, end in ((self._new_outgoing, edge.upstream), (self._new_incoming, edge.downstream)):
            self._set(new.setdefault(end, {}), edge.key, None)

    def put_edge(self, edge: Edge) -> None:
        """Make this the edge's state."""
        self._set(self._edges, edge.key, edge)

    def group(self, downstream: ExecutionId) -> EdgeGroup | None:
        """The group of edges that lead to an execution, if there is one."""
        group = self._groups.get(downstream)
        if group is None:
            group = self._loaded.groups.get(downstream)
        if group is None and downstream not in self._needs.groups and not self._is_new(downstream):
            self.missing.groups.add(downstream)
            raise MoreNeeded
        return group

    def put_group(self, group: EdgeGroup) -> None:
        """Make this the group's state."""
        self._set(self._groups, group.downstream, group)

    def inputs_of(self, x: Execution) -> dict[str, bytes]:
        """The results that are passed to a member, by name; of two with one name, what was resolved first."""
        if x.flow_id is None:
            return {}
        stored = self._loaded.passing.get(x.execution_id)
        if stored is None and not self._is_new(x.execution_id):
            group = self.group(x.execution_id)
            if group is None or not group.passes_results:
                return {}
            self.missing.inputs.add(x.execution_id)
            raise MoreNeeded
        edges = self._edges_at(self._loaded.passing, self._new_incoming, x.execution_id)
        passed: dict[str, bytes] = {}
        for edge in sorted(edges, key=_resolved_at):
            if edge.pass_result_as is None or edge.state != "satisfied" or edge.pass_result_as in passed:
                continue
            result = self._result(edge, x.execution_id)
            if result is not None:
                passed[edge.pass_result_as] = result
        return passed

    def _result(self, edge: Edge, child: ExecutionId) -> bytes | None:
        at = (edge.upstream, edge.generation)
        if at in self._results:
            return self._results[at]
        result = self._loaded.results.get(at)
        if result is None and child not in self._needs.inputs and child not in self._loaded.passing:
            self.missing.inputs.add(child)
            raise MoreNeeded
        return result

    # ── the cancel of a flow ─────────────────────────────────────────────────────────────────────

    def cancelled_members(self, flow_id: FlowId) -> tuple[ExecutionId, ...]:
        """What the cancel of the flow cancelled."""
        if flow_id in self._cancelled_members:
            return self._cancelled_members[flow_id] or ()
        if flow_id not in self._needs.cancelled_members:
            self.missing.cancelled_members.add(flow_id)
            raise MoreNeeded
        return self._loaded.cancelled_members.get(flow_id, ())

    def put_cancelled_members(self, flow_id: FlowId, members: tuple[ExecutionId, ...]) -> None:
        """Keep what the cancel of the flow cancelled, so that it can be told again."""
        self._set(self._cancelled_members, flow_id, members)

    def drop_cancel(self, flow_id: FlowId) -> None:
        """Forget what the cancel of the flow cancelled, and what it still waits for."""
        self._set(self._dropped_cancels, flow_id, True)
        self._set(self._cancelled_members, flow_id, None)
        self._set(self._backlogs, flow_id, None)
        for key in [key for key in self._acks if key[0] == flow_id]:
            self._set(self._acks, key, None)

    def backlog(self, flow_id: FlowId) -> CancelBacklog | None:
        """What the cancel of the flow still waits for, if anything."""
        found: CancelBacklog | None = self._keyed(
            self._backlogs, self._loaded.backlogs, self._needs.backlogs, self.missing.backlogs, flow_id
        )
        return found

    def pending_ack(self, key: AckKey) -> PendingAck | None:
        """The acknowledgement that a member still owes, if it does."""
        if key not in self._acks and key[0] in self._dropped_cancels:
            return None
        found: PendingAck | None = self._keyed(self._acks, self._loaded.acks, self._needs.acks, self.missing.acks, key)
        return found

    def put_backlog(self, backlog: CancelBacklog) -> None:
        """Keep what the cancel of a flow waits for; once that is nothing, it is gone."""
        self._set(self._backlogs, backlog.flow_id, backlog if backlog.pending_count else None)

    def put_pending_ack(self, ack: PendingAck) -> None:
        """Wait for a member's acknowledgement."""
        self._set(self._acks, (ack.flow_id, ack.execution_id), ack)

    def forget_ack(self, key: AckKey) -> None:
        """Wait for a member's acknowledgement no longer."""
        self._set(self._acks, key, None)

    # ── steps and workers ────────────────────────────────────────────────────────────────────────

    def step(self, key: StepKey) -> Step | None:
        """The stored step of this name, if there is one."""
        if key not in self._steps and key[0] in self._cleared_steps:
            return None  # one that was dropped is noted as gone
        found: Step | None = self._keyed(self._steps, self._loaded.steps, self._needs.steps, self.missing.steps, key)
        return found

    def put_step(self, step: Step) -> None:
        """Keep a step's result."""
        self._set(self._steps, (step.execution_id, step.name), step)
        if step.number is not None:
            self._set(self._last_step_numbers, step.execution_id, step.number)

    def clear_steps(self, execution_id: ExecutionId) -> None:
        """Forget all steps of an execution."""
        self._set(self._last_step_numbers, execution_id, 0)
        self._set(self._cleared_steps, execution_id, True)
        for key in [key for key in self._steps if key[0] == execution_id]:
            self._set(self._steps, key, None)

    def drop_steps(self, execution_id: ExecutionId, names: Iterable[str]) -> None:
        """Forget some steps of an execution."""
        for name in names:
            self._set(self._dropped_steps, (execution_id, name), True)
            self._set(self._steps, (execution_id, name), None)

    def need_step_places(self, execution_ids: Iterable[ExecutionId]) -> None:
        """Make sure that the steps of these executions are known; together, so that they are loaded together."""
        unknown = [key for key in execution_ids if not self._knows_steps(key)]
        if unknown:
            self.missing.step_places.update(unknown)
            raise MoreNeeded

    def _knows_steps(self, execution_id: ExecutionId) -> bool:
        return (
            execution_id in self._needs.step_places or execution_id in self._cleared_steps or self._is_new(execution_id)
        )

    def step_names(self, execution_id: ExecutionId) -> list[str]:
        """The names of its stored steps, first to last."""
        self.need_step_places([execution_id])
        stored = [] if execution_id in self._cleared_steps else self._loaded.step_places.get(execution_id, [])
        gone = {key[1] for key in self._dropped_steps if key[0] == execution_id}
        fresh = (step for key, step in self._steps.items() if key[0] == execution_id and step is not None)
        kept = [step.name for step in stored if step.name not in gone]
        return kept + [step.name for step in in_stored_order(fresh)]

    def last_step_number(self, execution_id: ExecutionId) -> int:
        """The highest number that a stored step of the execution has; 0 if none has one."""
        stored = self._loaded.last_step_numbers.get(execution_id, 0)
        return self._last_step_numbers.get(execution_id, stored)

    def worker(self, namespace: str, worker_instance_id: str) -> Worker | None:
        """What a worker said of itself, if it did."""
        found: Worker | None = self._keyed(
            self._workers,
            self._loaded.workers,
            self._needs.workers,
            self.missing.workers,
            (namespace, worker_instance_id),
        )
        return found

    def put_worker(self, worker: Worker) -> None:
        """Keep what a worker says of itself."""
        self._set(self._workers, (worker.namespace, worker.worker_instance_id), worker)

    def forget_worker(self, worker: Worker) -> None:
        """Drop a worker."""
        self._set(self._workers, (worker.namespace, worker.worker_instance_id), None)

    # ── schedules ────────────────────────────────────────────────────────────────────────────────

    def schedule(self, namespace: str, name: str) -> Schedule | None:
        """The schedule as it is now, or None if there is none."""
        found: Schedule | None = self._keyed(
            self._schedules, self._loaded.schedules, self._needs.schedules, self.missing.schedules, (namespace, name)
        )
        return found

    def put_schedule(self, schedule: Schedule) -> None:
        """Make this the schedule's state."""
        self._set(self._schedules, (schedule.definition.namespace, schedule.definition.name), schedule)

    def forget_schedule(self, schedule: Schedule) -> None:
        """Drop a schedule."""
        self._set(self._schedules, (schedule.definition.namespace, schedule.definition.name), None)

    def emit_of_schedule(
        self, schedule: Schedule, event_type: str, details: Mapping[str, object] | None = None
    ) -> Schedule:
        """Append to the log; the returned schedule has counted the event and is still to be put."""
        schedule = msgspec.structs.replace(schedule, event_seq=schedule.event_seq + 1)
        of = schedule.definition
        told = {"schedule": of.name, **(details or {})}
        self._events.append(
            Event(0, "operator", event_type, of.namespace, None, None, schedule.event_seq, told, self.now_ms)
        )
        return schedule

    # ── lanes ────────────────────────────────────────────────────────────────────────────────────

    def lane(self, namespace: str, lane: str) -> LaneSwitch:
        """What was set for a lane, if it was: at first it is not paused."""
        found: LaneSwitch | None = self._keyed(
            self._lanes, self._loaded.lanes, self._needs.lanes, self.missing.lanes, (namespace, lane)
        )
        return LaneSwitch(namespace, lane) if found is None else found

    def put_lane(self, switch: LaneSwitch) -> None:
        """Make this what is set for the lane."""
        self._set(self._lanes, (switch.namespace, switch.lane), switch)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @property
    def touched(self) -> Iterable[ExecutionId]:
        """The executions that are different now."""
        return self._executions

    def changes(self) -> Changes:
        """Everything that is different now."""
        loaded = self._loaded
        before = loaded.executions
        return Changes(
            executions=[(before.get(key), x) for key, x in self._executions.items() if before.get(key) is not x],
            payloads=self._payloads,
            results=self._results,
            attempts=self._attempts,
            failures=self._failures,
            events=self._events,
            idempotency_keys=self._idempotency_keys,
            answers=self._answers,
            stale_ready=self._stale_ready,
            stale_due=self._stale_due,
            repaired=self._repaired,
            forget_batches_before_ms=self.forget_batches_before_ms,
            forget_events_until_ms=self.forget_events_until_ms,
            flows=[(loaded.flows.get(key), flow) for key, flow in self._flows.items()],
            edges=[(loaded.edges.get(key), edge) for key, edge in self._edges.items()],
            groups=[(loaded.groups.get(key), group) for key, group in self._groups.items()],
            cancelled_members={key: ids for key, ids in self._cancelled_members.items() if ids is not None},
            dropped_cancels=list(self._dropped_cancels),
            backlogs=self._backlogs,
            acks=self._acks,
            cleared_steps=list(self._cleared_steps),
            dropped_steps=list(self._dropped_steps),
            steps={key: step for key, step in self._steps.items() if step is not None},
            workers=self._workers,
            schedules=self._schedules,
            lanes=self._lanes,
        )


def _resolved_at(edge: Edge) -> tuple[int, str]:
    return edge.resolved_at_ms or 0, edge.edge_id


_ABSENT: Any = object()
