"""Records in dictionaries: the reference store, for tests and for work that may be forgotten.

One lock guards everything. A transaction holds it from `begin` to its end and writes only in `commit`, so a rolled
back batch has changed nothing.
"""

from bisect import bisect_left, insort
from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

from flowfabric.domain.batch_io import Changes, ClaimNeed, Loaded, Needs
from flowfabric.domain.connections import DEFAULT_CONNECTIONS
from flowfabric.domain.counting import ENDS_KEPT_MINUTES, moves_in
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Execution, QueueOrder, Ready, queue_order
from flowfabric.domain.flow import Edge, EdgeKey, Flow
from flowfabric.domain.ids import ExecutionId, FlowId, flow_partition, partition_in, uuid_in
from flowfabric.domain.lanes import MINUTE_MS
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.news import OnOthersCommit
from flowfabric.domain.steps import StepPlace, in_stored_order
from flowfabric.ports.clock import Clock
from flowfabric.ports.joining import CallersConnection
from flowfabric.ports.writing import Answered
from flowfabric.stores._shared.counts import ended_in_minute
from flowfabric.stores._shared.log_position import Purged
from flowfabric.stores._shared.partitions import changed_partitions, in_first_partition
from flowfabric.stores._shared.side_rows import side_row_changes
from flowfabric.stores._shared.unit_of_work import run_in
from flowfabric.stores.memory.families import MemoryFamilies
from flowfabric.stores.memory.finding import MemoryFinds
from flowfabric.stores.memory.reading import MemoryReads
from flowfabric.stores.memory.records import holds, moment_of, part_of
from flowfabric.stores.memory.streams import MemoryStreams
from flowfabric.stores.memory.waiting import MemoryWaiting

if TYPE_CHECKING:
    from flowfabric.ports.writing import Batch

K = TypeVar("K")
V = TypeVar("V")


class MemoryStore(MemoryReads, MemoryWaiting, MemoryFamilies, MemoryStreams, MemoryFinds):
    """A store that lasts as long as the process."""

    committers = 1
    connections = DEFAULT_CONNECTIONS

    def __init__(self, name: str, clock: Clock | None = None, *, batches_stay_in_one_partition: bool = False) -> None:
        super().__init__(name, clock)
        self.batches_stay_in_one_partition = batches_stay_in_one_partition
        """Whether the store refuses a batch that changes two partitions, as a store on several machines would."""

    def writer(self) -> "MemoryWriter":
        return MemoryWriter(self)

    def callers_connection(self, connection: object, *, is_async: bool) -> CallersConnection:
        raise InvalidInput(
            "This engine keeps its records in memory, and there is no connection whose transaction it could join. "
            "Submit without conn=, or use a SQLite file in tests, too."
        )

    def watch(self, on_commit: OnOthersCommit) -> AbstractContextManager[None]:
        return nullcontext()  # no other process can reach this store

    def listen_for(self, *, ends: bool, events: bool, slots: bool, streams: bool) -> None:
        pass

    def close(self) -> None:
        self._closed = True

    # ── writes, by a transaction that holds the lock ─────────────────────────────────────────────

    def _load(self, needs: Needs) -> Loaded:
        loaded = Loaded()
        loaded.idempotency_keys = _chosen(self._idempotency_keys, needs.idempotency_keys)
        loaded.executions = _chosen(self._executions, needs.executions | needs.holders_in(loaded))
        loaded.payloads = _chosen(self._payloads, needs.payloads)
        loaded.answers = _chosen(self._answers, needs.answers)
        read_by_claims = {(need.namespace, lane) for need in needs.claims for lane in need.lanes}
        loaded.lanes |= _chosen(self._lanes, needs.lanes | read_by_claims)
        for need, most in needs.claims.items():
            candidates = self._candidates(need, need.open_lanes(loaded.lanes), most)
            if self.batches_stay_in_one_partition:
                candidates = in_first_partition(candidates)
            loaded.candidates[need] = candidates
            for ready in candidates:
                key = ready.execution_id
                if key in self._executions:
                    loaded.executions[key] = x = self._executions[key]
                    loaded.payloads[key] = self._payloads[key]
                    if x.flow_id is not None:
                        loaded.flows[FlowId(x.flow_id)] = self._flows[FlowId(x.flow_id)]
                        self._load_inputs(key, loaded)
        if needs.concerns_flows:
            self._load_flows(needs, loaded)
        for key in needs.inputs:
            self._load_inputs(key, loaded)
        for key, name in needs.steps:
            if name in self._steps.get(key, {}):
                loaded.steps[key, name] = self._steps[key][name]
            numbers = (step.number or 0 for step in self._steps.get(key, {}).values())
            loaded.last_step_numbers[key] = max(numbers, default=0)
        for key in needs.step_places:
            steps = in_stored_order(self._steps.get(key, {}).values())
            loaded.step_places[key] = [StepPlace(step.name, step.recorded_at_ms, step.number) for step in steps]
        self._load_inboxes(needs, loaded)
        self._load_live_children(needs, loaded)
        self._load_gates(needs, loaded)
        self._load_streams(needs, loaded)
        loaded.workers |= _chosen(self._workers, needs.workers)
        loaded.access_tokens |= _chosen(self._access_tokens, needs.access_tokens)
        loaded.schedules |= _chosen(self._schedules, needs.schedules)
        return loaded

    def _load_flows(self, needs: Needs, loaded: Loaded) -> None:
        members = [x for x in map(self._executions.get, needs.flows_of) if x is not None and x.flow_id is not None]
        loaded.flows |= _chosen(self._flows, {*needs.flows, *(FlowId(x.flow_id or "") for x in members)})
        loaded.groups |= _chosen(self._groups, needs.groups)
        loaded.edges |= {key: self._edge_at(key) for key in needs.edges if key[1] in self._edges.get(key[0], {})}
        loaded.cancelled_members |= _chosen(self._cancelled_members, needs.cancelled_members)
        loaded.backlogs |= _chosen(self._backlogs, needs.backlogs)
        loaded.acks |= _chosen(self._acks, needs.acks)
        for key in needs.outgoing:
            self._load_outgoing(key, loaded)
        frontier = list(needs.reach)
        while frontier:
            key = frontier.pop()
            if key not in loaded.outgoing:
                self._load_outgoing(key, loaded)
                frontier += [edge.downstream for edge in map(self._edge_at, loaded.outgoing[key])]
        for key in needs.incoming:
            self._load_incoming(key, loaded)
        for flow_id in needs.whole_flows:
            loaded.members[flow_id] = sorted(self._members.get(flow_id, ()), key=uuid_in)
            for key in loaded.members[flow_id]:
                loaded.executions[key] = self._executions[key]
                self._load_outgoing(key, loaded)
                self._load_incoming(key, loaded)

    def _load_outgoing(self, key: ExecutionId, loaded: Loaded) -> None:
        for edge in self._load_edges(self._outgoing, key, loaded.outgoing, loaded):
            loaded.executions[edge.downstream] = self._executions[edge.downstream]
            loaded.groups[edge.downstream] = self._groups[edge.downstream]

    def _load_incoming(self, key: ExecutionId, loaded: Loaded) -> None:
        for edge in self._load_edges(self._incoming, key, loaded.incoming, loaded):
            loaded.executions[edge.upstream] = self._executions[edge.upstream]
        if key in self._groups:
            loaded.groups[key] = self._groups[key]

    def _load_inputs(self, key: ExecutionId, loaded: Loaded) -> None:
        passing = [at for at in self._incoming.get(key, ()) if self._edge_at(at).pass_result_as is not None]
        for edge in self._load_edges({key: passing}, key, loaded.passing, loaded):
            at = (edge.upstream, edge.generation)
            if edge.state == "satisfied" and at in self._results:
                loaded.results[at] = self._results[at]

    def _load_edges(
        self,
        stored: Mapping[ExecutionId, list[EdgeKey]],
        key: ExecutionId,
        known: dict[ExecutionId, list[EdgeKey]],
        loaded: Loaded,
    ) -> list[Edge]:
        known[key] = list(stored.get(key, ()))
        edges = [self._edge_at(at) for at in known[key]]
        loaded.edges.update((edge.key, edge) for edge in edges)
        return edges

    def _candidates(self, need: ClaimNeed, lanes: Collection[str], most: int) -> list[Ready]:
        """So many without gates, so many with gates, and so many with turns from each lane, each in queue order."""
        heads: dict[tuple[bool, str], list[tuple[QueueOrder, Ready]]] = {}
        for (namespace, lane, required, is_gated, has_turn), queue in self._ready.items():
            if namespace == need.namespace and lane in lanes and need.capabilities.issuperset(required):
                heads.setdefault((is_gated, lane if has_turn else ""), []).extend(queue[:most])
        return [ready for entries in heads.values() for _, ready in sorted(entries, key=_order)[:most]]

    def _apply(self, changes: Changes, batch_id: bytes, now_ms: int) -> None:
        self._batches[batch_id] = now_ms
        for before, after in changes.executions:
            if after is None:
                assert before is not None
                self._remove(before)
            else:
                if before is None:
                    insort(self._newest, _position_of(after))
                    self._add_child(after)
                    if after.flow_id is not None:
                        self._members.setdefault(FlowId(after.flow_id), []).append(after.execution_id)
                self._executions[after.execution_id] = after
        self._payloads.update(changes.payloads)
        _update(self._results, changes.results)
        for (key, index), attempt in changes.attempts.items():
            self._attempts.setdefault(key, {})[index] = attempt
        for (key, index), failure in changes.failures.items():
            self._failures.setdefault(key, {})[index] = failure
        for event in changes.events:
            self._append(event)
        self._apply_flows(changes)
        for key in changes.cleared_steps:
            self._steps.pop(key, None)
        for key, name in changes.dropped_steps:
            self._steps.get(key, {}).pop(name, None)
        for (key, name), step in changes.steps.items():
            self._steps.setdefault(key, {})[name] = step
        self._apply_inboxes(changes)
        self._apply_streams(changes)
        _update(self._workers, changes.workers)
        for known, token in changes.access_tokens:
            if token is not None:
                self._access_tokens[token.token_id] = token
            elif known is not None:
                del self._access_tokens[known.token_id]
        _update(self._schedules, changes.schedules)
        self._lanes.update(changes.lanes)
        _update(self._idempotency_keys, changes.idempotency_keys)
        _update(self._answers, changes.answers)
        if changes.forget_batches_before_ms is not None:
            self._batches = {k: at for k, at in self._batches.items() if at >= changes.forget_batches_before_ms}
        if changes.forget_events_until_ms is not None:
            self._purge_events([each.event_id for each in self._old_events(changes.forget_events_until_ms)])
        for minute, namespace, state, number in ended_in_minute(moves_in(changes), now_ms):
            self._ends[minute, namespace, state] = self._ends.get((minute, namespace, state), 0) + number
        if changes.counts_duty is not None:
            oldest = now_ms // MINUTE_MS - ENDS_KEPT_MINUTES
            self._ends = {at: number for at, number in self._ends.items() if at[0] >= oldest}
        self._apply_side_rows(changes)

    def _apply_side_rows(self, changes: Changes) -> None:
        rows = side_row_changes(changes)
        for ready in rows.ready_gone:
            _discard(self._ready.get(part_of(ready), []), (queue_order(ready), ready))
        for ready in rows.ready_new:
            insort(self._ready.setdefault(part_of(ready), []), (queue_order(ready), ready))
        for due in rows.due_gone:
            _discard(self._due.get(due.kind, []), moment_of(due))
        for due in rows.due_new:
            insort(self._due.setdefault(due.kind, []), moment_of(due))
        self._apply_gates(changes, rows)

    def _apply_flows(self, changes: Changes) -> None:
        for before, flow in changes.flows:
            if flow is None:
                assert before is not None
                self._remove_flow(before)
            else:
                if before is None:
                    insort(self._newest_flows, _position_of_flow(flow))
                self._flows[flow.flow_id] = flow
        for known, edge in changes.edges:
            self._edges.setdefault(edge.flow_id, {})[edge.edge_id] = edge
            if known is None:
                insort(self._outgoing.setdefault(edge.upstream, []), edge.key)
                insort(self._incoming.setdefault(edge.downstream, []), edge.key)
        for _, group in changes.groups:
            self._groups[group.downstream] = group
        for flow_id in changes.dropped_cancels:
            self._drop_cancel(flow_id)
        self._cancelled_members.update(changes.cancelled_members)
        _update(self._backlogs, changes.backlogs)
        _update(self._acks, changes.acks)

    def _remove_flow(self, flow: Flow) -> None:
        key = flow.flow_id
        del self._flows[key]
        _discard(self._newest_flows, _position_of_flow(flow))
        for member in self._members.pop(key, ()):
            for graph in (self._outgoing, self._incoming, self._groups):
                graph.pop(member, None)
        self._edges.pop(key, None)
        self._drop_cancel(key)
        self._purge_events(self._events_of_flow.pop(key, []))

    def _drop_cancel(self, key: FlowId) -> None:
        self._cancelled_members.pop(key, None)
        self._backlogs.pop(key, None)
        self._acks = {at: ack for at, ack in self._acks.items() if at[0] != key}

    def _append(self, event: Event) -> None:
        self._last_event_id += 1
        self._events[self._last_event_id] = Event(
            self._last_event_id,
            event.channel,
            event.event_type,
            event.namespace,
            event.execution_id,
            event.flow_id,
            event.seq,
            event.details,
            event.occurred_at_ms,
        )
        if event.execution_id is not None:
            self._events_of.setdefault(ExecutionId(event.execution_id), []).append(self._last_event_id)
        elif event.flow_id is not None:
            self._events_of_flow.setdefault(FlowId(event.flow_id), []).append(self._last_event_id)

    def _remove(self, x: Execution) -> None:
        key = x.execution_id
        del self._executions[key]
        _discard(self._newest, _position_of(x))
        self._remove_child(x)
        self._payloads.pop(key, None)
        for generation in range(x.replay_count + 1):
            self._results.pop((key, generation), None)
        self._attempts.pop(key, None)
        self._failures.pop(key, None)
        self._steps.pop(key, None)
        self._forget_inbox(key)
        self._forget_stream(key)
        self._forget_spending(x)
        self._purge_events(self._events_of.pop(key, []))
        if x.idempotency_key is not None:
            promised = self._idempotency_keys.get((x.namespace, x.idempotency_key))
            if promised is not None and promised.execution_id == key:
                del self._idempotency_keys[x.namespace, x.idempotency_key]

    def _purge_events(self, event_ids: list[int]) -> None:
        for event_id in event_ids:
            del self._events[event_id]
        self._purged = Purged(max([self._purged.event_id, *event_ids]), self._purged.purges + 1)


class MemoryWriter:
    """The write side of a memory store."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def run(self, batch: "Batch") -> Answered:
        return run_in(self.begin(batch.batch_id), batch)

    def begin(self, batch_id: bytes) -> "MemoryTransaction":
        self._store.ping()
        self._store._lock.acquire()
        try:
            return MemoryTransaction(self._store, batch_id)
        except BaseException:
            self._store._lock.release()
            raise

    def was_committed(self, batch_id: bytes) -> bool:
        with self._store._lock:
            return batch_id in self._store._batches

    def reconnect(self) -> None:
        self._store.ping()

    def close(self) -> None:
        pass


class MemoryTransaction:
    """One atomic batch; holds the store's lock until it ends."""

    def __init__(self, store: MemoryStore, batch_id: bytes) -> None:
        self._store = store
        self._batch_id = batch_id
        self._changes: Changes | None = None
        self._now_ms = store.now_ms
        self.era = 0  # a memory store never loses only its last commits

    @property
    def now_ms(self) -> int:
        return self._now_ms

    def load(self, needs: Needs) -> Loaded:
        return self._store._load(needs)

    def save(self, changes: Changes | None) -> None:
        if changes is not None and self._store.batches_stay_in_one_partition:
            partitions = changed_partitions(changes)
            assert len(partitions) <= 1, f"a batch changes records of partitions {sorted(partitions)}"
        self._changes = changes

    def commit(self) -> None:
        try:
            if self._changes is not None:
                self._store._apply(self._changes, self._batch_id, self._now_ms)
        finally:
            self._store._lock.release()

    def rollback(self) -> None:
        self._store._lock.release()


def _order(entry: tuple[QueueOrder, Ready]) -> QueueOrder:
    return entry[0]


def _discard(ordered: list[Any], entry: Any) -> None:
    if holds(ordered, entry):
        del ordered[bisect_left(ordered, entry)]


def _chosen(table: dict[K, V], keys: Collection[K]) -> dict[K, V]:
    return {key: table[key] for key in keys if key in table} if keys else {}


def _update(table: dict[K, V], changes: Mapping[K, V | None]) -> None:
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value


def _position_of(x: Execution) -> ListPosition:
    return ListPosition(x.created_at_ms, uuid_in(x.execution_id), partition_in(x.execution_id))


def _position_of_flow(flow: Flow) -> ListPosition:
    return ListPosition(flow.created_at_ms, flow.flow_id, flow_partition(flow.flow_id))
