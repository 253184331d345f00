"""One atomic batch on a SQLite file. The writer holds the write lock until it ends."""

import logging
import sqlite3
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec

from flowfabric.domain.batch_io import Changes, ClaimNeed, Loaded, Needs
from flowfabric.domain.counting import ENDS_KEPT_MINUTES
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import Execution, IdempotencyKey, Ready, queue_order, ready_of
from flowfabric.domain.flow import Flow
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import MINUTE_MS, CountsDuty, LaneState
from flowfabric.domain.remembered_answers import RememberedAnswer
from flowfabric.domain.steps import StepPlace, in_stored_order
from flowfabric.ports.writing import Batch
from flowfabric.stores._shared.encoding import NO_PARTITION, StoredExecution, key_partition
from flowfabric.stores._shared.fast_path import FastAnswers, PlainCommands
from flowfabric.stores._shared.log_position import Purged
from flowfabric.stores._shared.schedules import schedule_of
from flowfabric.stores._shared.statements import Statements, row_counts
from flowfabric.stores._shared.workers import worker_of
from flowfabric.stores.sqlite.access import load_access_tokens
from flowfabric.stores.sqlite.connection import translated, translating_errors
from flowfabric.stores.sqlite.fast_path import FastPath
from flowfabric.stores.sqlite.flow_needs import load_flows, load_for_claims
from flowfabric.stores.sqlite.gate_needs import load_gates
from flowfabric.stores.sqlite.gate_rows import GateRows
from flowfabric.stores.sqlite.graph import Graph
from flowfabric.stores.sqlite.json_rows import EXECUTIONS, Row, calls
from flowfabric.stores.sqlite.rows import execution_of, flow_key_of, id_of, key_of, step_of
from flowfabric.stores.sqlite.saving import STREAM_TABLES, WAIT_TABLES, Saving
from flowfabric.stores.sqlite.stream_rows import StreamRows, load_streams
from flowfabric.stores.sqlite.wait_needs import load_live_children, load_waits
from flowfabric.stores.sqlite.wait_rows import WaitRows

if TYPE_CHECKING:
    from flowfabric.stores._shared.capability_sets import Part
    from flowfabric.stores.sqlite.writer import SqliteWriter

log = logging.getLogger("flowfabric.stores.sqlite")

PURGED: Final = "purged"
"""The name under which ff_meta keeps what purges have removed from the log."""


class SqliteTransaction:
    """One atomic batch."""

    def __init__(self, writer: "SqliteWriter", connection: sqlite3.Connection, batch_id: bytes) -> None:
        self._writer = writer
        self._connection = connection
        self._batch_id = batch_id
        self._sql = writer.sql
        self._capabilities = writer.store.capabilities
        self._new_sets: dict[tuple[str, ...], int] = {}
        self._changed_rows = connection.total_changes
        self._payload_bytes = 0
        self.now_ms = writer.store.now_ms
        self.era = writer.store.era

    # What only a decision needs is made when it begins.

    @cached_property
    def _loaded(self) -> Loaded:
        return Loaded()

    @cached_property
    def _read(self) -> Needs:
        """What was loaded already."""
        return Needs()

    @cached_property
    def _graph(self) -> Graph:
        return Graph(self._connection, self._writer.store)

    @cached_property
    def _wait_rows(self) -> WaitRows:
        return WaitRows(self._connection, self._sql)

    @cached_property
    def _stream_rows(self) -> StreamRows:
        return StreamRows(self._connection, self._sql)

    @cached_property
    def _gate_rows(self) -> GateRows:
        return GateRows(self._connection, self._writer.store, self._new_sets)

    def answer_plain(self, batch: Batch, commands: PlainCommands) -> FastAnswers:
        """Do what fast statements can do, and return its answers."""
        writer = self._writer
        with translating_errors(writer.store.path):
            fast = FastPath(self._connection, writer.store, self.era, self.now_ms)
            answers = fast.answers(batch, commands)
            self._payload_bytes += fast.payload_bytes
            return answers

    # ── load ─────────────────────────────────────────────────────────────────────────────────────

    def load(self, needs: Needs) -> Loaded:
        """Read what the batch needs and has not read yet. Nobody else can write until the transaction ends."""
        # A batch that is decided again needs all that it needed before, and more.
        needs = needs.beyond(self._read)
        self._read.add(needs)
        with translating_errors(self._writer.store.path):
            loaded = self._loaded
            for at in needs.lanes:
                row = self._connection.execute(self._sql["load_lane"], at).fetchone()
                if row is not None:
                    loaded.lanes[at] = LaneState(*row)
            for need, most in needs.claims.items():
                loaded.candidates[need] = self._load_candidates(need, most, loaded)
            # The record of an execution tells to which flow it belongs.
            named = needs.executions.union(needs.outgoing, needs.reach, needs.incoming, needs.groups, needs.inputs)
            for x in self._graph.executions(key for key in named if key not in loaded.executions):
                loaded.executions[x.execution_id] = x
            load_flows(needs, loaded, self._graph)
            if needs.payloads:
                self._load_payloads([key_of(key) for key in needs.payloads], loaded)
            for namespace, name in needs.idempotency_keys:
                self._load_idempotency_key(namespace, name, loaded)
            for x in self._graph.executions(needs.holders_in(loaded)):
                loaded.executions[x.execution_id] = x
            for key, name in needs.steps:
                row = self._connection.execute(self._sql["load_step"], (*key_of(key), name)).fetchone()
                if row is not None:
                    loaded.steps[key, name] = step_of(key, name, row)
                (number,) = self._connection.execute(self._sql["load_last_step_number"], key_of(key)).fetchone()
                if number is not None:
                    loaded.last_step_numbers[key] = number
            self._load_step_places([key_of(key) for key in needs.step_places], loaded)
            load_waits(needs, loaded, self._wait_rows)
            if needs.live_children:
                load_live_children(needs, loaded, self._graph)
            for namespace, name in needs.workers:
                row = self._connection.execute(self._sql["load_worker"], (namespace, name)).fetchone()
                if row is not None:
                    loaded.workers[namespace, name] = worker_of(row)
            load_access_tokens(needs, loaded, self._connection, self._sql)
            for namespace, name in needs.schedules:
                row = self._connection.execute(self._sql["load_schedule"], (namespace, name)).fetchone()
                if row is not None:
                    loaded.schedules[namespace, name] = schedule_of(row)
            for scope, command_id in needs.answers:
                row = self._connection.execute(self._sql["load_answer"], (scope, command_id)).fetchone()
                if row is not None:
                    loaded.answers[scope, command_id] = RememberedAnswer(scope, command_id, *row)
            load_gates(needs, loaded, self._gate_rows, self._graph)
            load_streams(needs, loaded, self._stream_rows)
            return loaded

    def _load_candidates(self, need: ClaimNeed, most: int, loaded: Loaded) -> list[Ready]:
        """The heads of the parts of the queue from which the claim may take, with everything that a claim returns."""
        heads: dict[tuple[Part, str], list[Ready]] = {}
        capability_sets: dict[str, str] = {}
        for lane in need.lanes:
            key = (need.namespace, lane)
            sets_and_switch = self._connection.execute(self._sql["load_ready_capability_sets"], key).fetchone()
            capability_sets[lane], *switch = sets_and_switch
            if switch[-1] is not None:
                loaded.lanes[key] = LaneState(*key, *switch)
        for lane in need.open_lanes(loaded.lanes):
            for capability_set in msgspec.json.decode(capability_sets[lane], type=list[int]):
                try:
                    tokens = self._capabilities.tokens(capability_set, self._connection)
                except Corruption as error:
                    log.error("executions of a damaged set are skipped: %s", error, extra={"cause": str(error)})
                    continue
                if need.capabilities.issuperset(tokens):
                    part = self._capabilities.part(capability_set, self._connection)
                    found = self._load_part((need.namespace, lane, capability_set), tokens, most, loaded)
                    heads.setdefault((part, lane if part == "fair" else ""), []).extend(found)
        return [ready for found in heads.values() for ready in sorted(found, key=queue_order)[:most]]

    def _load_part(self, part: tuple[str, str, int], tokens: tuple[str, ...], most: int, loaded: Loaded) -> list[Ready]:
        """The head of one part of the queue."""
        # A damaged row must not keep its lane from being claimed: another row is read instead.
        damaged = 0
        while True:
            asked = most + damaged
            rows = EXECUTIONS.read(self._connection, self._sql["load_ready"], (*part, asked))
            whole = [ready for row in rows if (ready := self._candidate(row, tokens, loaded)) is not None]
            damaged_members = self._load_for_claims(whole, loaded)
            healthy = [ready for ready in whole if ready.execution_id not in damaged_members]
            if len(healthy) >= most or len(rows) < asked:
                return healthy
            damaged = len(rows) - len(healthy)

    def _candidate(self, row: StoredExecution, tokens: tuple[str, ...], loaded: Loaded) -> Ready | None:
        try:
            x = execution_of(row, tokens)
            if row.payload is not None:
                loaded.payloads[x.execution_id] = bytes.fromhex(row.payload)
            else:
                self._load_payload(x.execution_id, loaded)
                if x.execution_id not in loaded.payloads:
                    raise Corruption(f"ff_payload, key {x.execution_id}: the row is gone.")
        except Corruption as error:
            log.error("a damaged execution is skipped: %s", error, extra={"cause": str(error)})
            return None
        loaded.executions[x.execution_id] = x
        return ready_of(x)

    def _load_for_claims(self, candidates: Sequence[Ready], loaded: Loaded) -> set[ExecutionId]:
        """Read what a claim of a flow's member must see. Returns the members that the claim must skip."""
        members = [x.execution_id for x in candidates if loaded.executions[x.execution_id].flow_id is not None]
        damaged: set[ExecutionId] = set()
        try:
            load_for_claims(members, loaded, self._graph)
        except Corruption:
            for member in members:
                try:
                    load_for_claims([member], loaded, self._graph)
                except Corruption as error:
                    log.error("a damaged execution is skipped: %s", error, extra={"cause": str(error)})
                    damaged.add(member)
        return damaged

    def _load_payloads(self, keys: Sequence[Row], loaded: Loaded) -> None:
        at = 0
        for count in row_counts(len(keys)):
            values = [value for key in keys[at : at + count] for value in key]
            found = self._connection.execute(self._sql.repeated("load_payloads", count), values).fetchone()[0]
            for partition, uuid, payload in msgspec.json.decode(found, type=list[tuple[int, str, str | None]]):
                execution_id = id_of(partition, bytes.fromhex(uuid))
                if payload is None:
                    self._load_payload(execution_id, loaded)
                else:
                    loaded.payloads[execution_id] = bytes.fromhex(payload)
            at += count

    def _load_step_places(self, keys: Sequence[Row], loaded: Loaded) -> None:
        for sql, values in calls(self._sql, "load_step_places", keys):
            found = self._connection.execute(sql, values).fetchone()[0]
            rows = msgspec.json.decode(found, type=list[tuple[int, str, str, int, int | None]])
            for partition, uuid, name, at_ms, number in rows:
                key = id_of(partition, bytes.fromhex(uuid))
                loaded.step_places.setdefault(key, []).append(StepPlace(name, at_ms, number))
        for key, places in loaded.step_places.items():
            loaded.step_places[key] = in_stored_order(places)

    def _load_payload(self, execution_id: ExecutionId, loaded: Loaded) -> None:
        row = self._connection.execute(self._sql["load_payload"], key_of(execution_id)).fetchone()
        if row is not None:
            loaded.payloads[execution_id] = row[0]

    def _load_idempotency_key(self, namespace: str, name: str, loaded: Loaded) -> None:
        at = (key_partition(namespace, name), namespace, name)
        row = self._connection.execute(self._sql["load_idempotency_key"], at).fetchone()
        if row is not None:
            loaded.idempotency_keys[namespace, name] = IdempotencyKey(namespace, name, id_of(row[0], row[1]), *row[2:])

    # ── save ─────────────────────────────────────────────────────────────────────────────────────

    def save(self, changes: Changes | None) -> None:
        """Write whole records and append events, each table in as few calls as possible, and leave the marker."""
        with translating_errors(self._writer.store.path):
            if changes is not None:
                self._save(changes)
            self._connection.execute(self._sql["insert_batch"], (self._batch_id, self.now_ms))
            if (kept := self._writer.store.time_to_keep(self.now_ms)) is not None:
                self._connection.execute(self._sql["save_meta"], kept)

    def _save(self, changes: Changes) -> None:
        for sql, values in Saving(self._sql, self._capability_set, self.now_ms).statements_for(changes):
            self._connection.execute(sql, values)
        gone = [x for x, after in changes.executions if x is not None and after is None]
        flows_gone = [flow for flow, after in changes.flows if flow is not None and after is None]
        if gone or flows_gone:
            self._delete(gone, flows_gone)
        if changes.forget_batches_before_ms is not None:
            self._connection.execute(self._sql["delete_old_batches"], (changes.forget_batches_before_ms,))
        if changes.forget_events_until_ms is not None:
            self._delete_old_events((NO_PARTITION, changes.forget_events_until_ms))
        if changes.counts_duty is not None:
            self._tend_counts(changes.counts_duty)
        self._payload_bytes += sum(map(len, changes.payloads.values()))
        self._payload_bytes += sum(len(result) for result in changes.results.values() if result is not None)
        self._payload_bytes += sum(len(signal.payload) for signal in changes.signals.values() if signal is not None)
        self._payload_bytes += sum(len(chunk.data) for chunk in changes.chunks.values() if chunk is not None)

    def _tend_counts(self, duty: CountsDuty) -> None:
        """Add up what commits have left. All of this is one transaction, so no count is wrong at any moment."""
        if duty == "recount":
            self._connection.execute(self._sql["mend_counts"])
        for statement in ("fold_counts", "fold_ends", "delete_count_moves", "forget_empty_counts"):
            self._connection.execute(self._sql[statement])
        self._connection.execute(self._sql["forget_old_ends"], (self.now_ms // MINUTE_MS - ENDS_KEPT_MINUTES,))

    def _capability_set(self, tokens: tuple[str, ...]) -> int:
        return self._capabilities.id_of(tokens, self._connection, self._new_sets)

    def _delete(self, gone: Sequence[Execution], flows_gone: Sequence[Flow]) -> None:
        """Remove executions and flows with all their records, and note up to where events were removed from the log."""
        keys = [key_of(x.execution_id) for x in gone]
        flow_keys = [flow_key_of(flow.flow_id) for flow in flows_gone]
        last = 0
        for statement, of in (("last_event_id_of_execution", keys), ("last_event_id_of_flow", flow_keys)):
            for key in of:
                last = max(last, self._connection.execute(self._sql[statement], key).fetchone()[0] or 0)
        self._note_purge(last)
        for table in ("events_of_flows", "edges_of_flows", "groups_of_flows", "acks_of_flows"):
            self._connection.executemany(self._sql[f"delete_{table}"], flow_keys)
        for table in ("backlogs", "cancelled_members", "flows"):
            self._connection.executemany(self._sql[f"delete_{table}"], flow_keys)
        for table in ("events", "attempts", "failures", "steps", "tags", "results", "payloads", "executions"):
            self._connection.executemany(self._sql[f"delete_{table}"], keys)
        if gated := [x for x in gone if x.gates is not None]:
            spent = [(*key_of(x.execution_id), x.kind) for x in gated]
            self._connection.executemany(self._sql["keep_daily_sums"], spent)
            for table in ("ledger", "spend_keys", "gates"):
                self._connection.executemany(self._sql[f"delete_{table}"], [key_of(x.execution_id) for x in gated])
        if has_waited := [key_of(x.execution_id) for x in gone if x.inbox is not None]:
            for table in WAIT_TABLES:
                self._connection.executemany(self._sql[f"delete_{table}"], has_waited)
        if speakers := self._stream_rows.speakers(keys):
            for table in STREAM_TABLES:
                self._connection.executemany(self._sql[f"delete_{table}"], speakers)
        self._connection.executemany(
            self._sql["delete_idempotency_keys_of_executions"],
            [
                (
                    key_partition(x.namespace, x.idempotency_key),
                    x.namespace,
                    x.idempotency_key,
                    *key_of(x.execution_id),
                )
                for x in gone
                if x.idempotency_key is not None
            ],
        )

    def _delete_old_events(self, of: tuple[int, int]) -> None:
        """Remove events of lanes and schedules, and note up to where events were removed from the log."""
        last = self._connection.execute(self._sql["last_of_old_events"], of).fetchone()[0]
        if last is not None:
            self._note_purge(last)
            self._connection.execute(self._sql["delete_old_events"], of)

    def _note_purge(self, event_id: int) -> None:
        before = load_purged(self._connection, self._sql)
        purged = Purged(max(before.event_id, event_id), before.purges + 1)
        self._connection.execute(self._sql["save_meta"], (PURGED, msgspec.json.encode(purged).decode()))

    # ── end ──────────────────────────────────────────────────────────────────────────────────────

    def commit(self) -> None:
        """Commit, and let the next process write."""
        try:
            try:
                self._connection.execute("commit")
            except sqlite3.Error as error:
                # After any error: a commit that reached the log before a write or a sync failed may still be found
                # complete later, so only the marker can tell.
                if self._connection.in_transaction:
                    self._connection.rollback()
                raise translated(error, self._writer.store.path) from error
            self._writer.store.log_watch.we_committed()
            self._writer.wrote(self._connection.total_changes - self._changed_rows, self._payload_bytes)
        finally:
            self._writer.end()

    def rollback(self) -> None:
        """Leave everything as it was, and let the next process write."""
        try:
            if self._connection.in_transaction:
                self._connection.rollback()
        except sqlite3.Error as error:
            log.warning("rollback failed; the connection is dropped: %s", error, extra={"cause": str(error)})
        finally:
            self._writer.end()


def load_purged(connection: sqlite3.Connection, sql: Statements) -> Purged:
    """What purges have removed from the log."""
    row = connection.execute(sql["load_meta"], (PURGED,)).fetchone()
    return Purged() if row is None else msgspec.json.decode(row[0], type=Purged)
