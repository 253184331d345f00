"""The changes of a batch as statements: one per table and kind of change, with arrays of values."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes, KeyInNamespace, Loaded, ends_in, leases_taken, waits_over_in
from flowfabric.domain.counting import ENDS_KEPT_MINUTES, moves_in
from flowfabric.domain.execution import Due, Execution, Ready, ready_of
from flowfabric.domain.gates import GateAt
from flowfabric.domain.ids import ExecutionId, FlowId, partition_in, uuid_in
from flowfabric.domain.lanes import MINUTE_MS
from flowfabric.domain.stream_pages import with_news_for_readers
from flowfabric.domain.tables import K, V
from flowfabric.stores._shared.capability_sets import stored_tokens, tokens_of_place
from flowfabric.stores._shared.encoding import NO_PARTITION, ended_before, writes_of
from flowfabric.stores._shared.flows import members_text
from flowfabric.stores._shared.side_rows import SideRowChanges, side_row_changes
from flowfabric.stores.postgres import access, flow_rows, gate_rows, rows, stream_rows, wait_rows
from flowfabric.stores.postgres.gate_saving import gate_writes, rows_at_gates, spending_removed
from flowfabric.stores.postgres.notes import News

if TYPE_CHECKING:
    from flowfabric.stores.postgres.store import PostgresStore

Values = Mapping[str, object] | None
Statement = tuple[str, Values | Callable[[], Values]]
"""A statement with its values, or with what makes them: so the server works while the next values are made."""
Name = TypeVar("Name", str, KeyInNamespace)
MOVES_FOLDED_MAX: Final = 50_000
"""How many moves of counts one batch adds up."""
MENDING_LOCK: Final = 0x466C6F77_436F756E
"""The advisory lock that a batch holds while it mends counts: two at once would mend twice."""
_NO_LOOKS: Final[Mapping[GateAt, str]] = {}


class Saving:
    """Turns the changes of one batch into statements."""

    def __init__(
        self,
        store: "PostgresStore",
        loaded: Loaded,
        capability_set: Callable[[tuple[str, ...]], int],
        now_ms: int,
        noted_looks: Mapping[GateAt, str] = _NO_LOOKS,
    ) -> None:
        """`noted_looks`: see `gate_writes`."""
        self._store = store
        self._sql = store.sql
        self._loaded = loaded
        self._capability_set = capability_set
        self._now_ms = now_ms
        self._noted_looks = noted_looks
        self._statements: list[Statement] = []
        self.news = News()
        """What other processes are to hear about the batch."""

    def statements_for(self, changes: Changes) -> list[Statement]:
        """The statements that write the changes, in the order in which they are run."""
        self._write_all("keep_last_attempts", ended_before(changes), rows.keys)
        self._save_executions(changes)
        self._save_side_rows(changes)
        self._save(changes.attempts, "save_attempts", rows.attempts)
        self._save(changes.failures, "save_failures", rows.failures)
        self._save_results(changes)
        self._save_tags(changes)
        # If two batches insert the same row at once, the second one is refused, and then sees what the first has
        # written.
        known = self._loaded
        self._save_in_order(
            changes.idempotency_keys,
            known.idempotency_keys,
            ("insert_idempotency_keys", "update_idempotency_keys"),
            rows.promises,
        )
        self._save_in_order(changes.answers, known.answers, ("insert_answers", "update_answers"), rows.answers)
        self._delete(changes.idempotency_keys, "delete_idempotency_keys", rows.idempotency_keys)
        self._delete(changes.answers, "delete_answers", rows.answer_keys)
        self._write_all("delete_steps", changes.cleared_steps, rows.keys)
        self._write_all("delete_named_steps", changes.dropped_steps, rows.step_keys)
        self._save(changes.steps, "insert_steps", rows.steps)
        self._save_inboxes(changes)
        self._save_streams(changes)
        self._save(dict(sorted(changes.workers.items())), "save_workers", rows.workers)
        self._delete(changes.workers, "delete_workers", rows.worker_keys)
        self._save_access_tokens(changes)
        self._save_in_order(
            changes.schedules, known.schedules, ("insert_schedules", "update_schedules"), rows.schedules
        )
        self._delete(changes.schedules, "delete_schedules", rows.schedule_keys)
        self._save_in_order(changes.lanes, known.lanes, ("insert_lanes", "update_lanes"), rows.lanes)
        self._save_flows(changes)
        for statement, values in gate_writes(changes, self._noted_looks):
            self._write(statement, values)
        self._write_all("insert_events", changes.events, rows.events)
        self._remove_deleted(changes)
        self._save_counts(changes)
        self._note_news(changes)
        return self._statements

    def _note_news(self, changes: Changes) -> None:
        self.news.ready.update(key for key, lane in changes.lanes.items() if not lane.is_paused)
        self.news.ready.update(changes.cut_short)
        self.news.has_events = bool(changes.events)
        self.news.lost += leases_taken(changes)
        self.news.ended += ends_in(changes)
        self.news.waits_over += waits_over_in(changes)
        self.news.freed |= changes.freed
        self.news.streams += with_news_for_readers(changes)
        if changes.steps and self.news.ready:  # a wait that ends is a step
            self._note_resumed(changes)

    def _note_resumed(self, changes: Changes) -> None:
        """Say where resumed executions stand in the queue: they keep their old places, before all that is new."""
        for _, x in changes.executions:
            if x is not None and x.attempt_state == "attempt_suspended" and (ready := ready_of(x)) is not None:
                part = (ready.namespace, ready.lane, self._capability_set(tokens_of_place(ready)))
                self.news.comes_back(part, (-ready.priority, ready.ready_at_ms))

    def _save_counts(self, changes: Changes) -> None:
        """Leave what has moved, for upkeep to add up. Nobody waits for a row that others change, too."""
        minute = self._now_ms // MINUTE_MS
        self._write_all("insert_count_moves", list(moves_in(changes).items()), partial(rows.count_moves, minute=minute))
        if changes.counts_duty is None:
            return
        if changes.counts_duty == "recount":
            self._write("lock_counts", {"lock": MENDING_LOCK})
            self._write("mend_counts", None)
        self._write("fold_counts", {"most": MOVES_FOLDED_MAX})
        self._write("forget_empty_counts", None)
        self._write("forget_old_ends", {"before_minute": minute - ENDS_KEPT_MINUTES})

    def _remove_deleted(self, changes: Changes) -> None:
        gone = [x for x, after in changes.executions if x is not None and after is None]
        if gone:
            self._remove_executions(gone)
        gone_flows = [flow.flow_id for flow, after in changes.flows if flow is not None and after is None]
        if gone_flows:
            self._remove_flows(gone_flows)
        if changes.forget_batches_before_ms is not None:
            self._write("delete_old_batches", {"before_ms": changes.forget_batches_before_ms})
        if changes.forget_events_until_ms is not None:
            of = {"partition_key": NO_PARTITION, "until_ms": changes.forget_events_until_ms}
            self._write("delete_old_events", of)

    def _save(
        self,
        changed: Mapping[K, V | None],
        statement: str,
        arrays_of: Callable[[Sequence[V]], Mapping[str, object]],
    ) -> None:
        """Write the records that exist, new or changed."""
        if changed and (kept := [record for record in changed.values() if record is not None]):
            self._write(statement, partial(arrays_of, kept))

    def _save_in_order(
        self,
        changed: Mapping[Name, V | None],
        known: Container[Name],
        statements: tuple[str, str],
        arrays_of: Callable[[Sequence[V]], rows.Arrays],
    ) -> None:
        """Insert the new records, and update those that existed before, both in the order of locks."""
        if changed:
            kept = [(at in known, record) for at, record in sorted(changed.items()) if record is not None]
            for was_known, statement in enumerate(statements):
                if chosen := [record for is_known, record in kept if is_known == was_known]:
                    self._write(statement, partial(arrays_of, chosen))

    def _delete(
        self, changed: Mapping[K, V | None], statement: str, arrays_of: Callable[[Sequence[K]], rows.Arrays]
    ) -> None:
        """Delete the rows of removed records."""
        self._write_all(statement, [key for key, record in changed.items() if record is None], arrays_of)

    def _write_all(self, statement: str, of: Sequence[V], arrays_of: Callable[[Sequence[V]], rows.Arrays]) -> None:
        if of:
            self._write(statement, partial(arrays_of, of))

    def _write(self, statement: str, values: Values | Callable[[], Values]) -> None:
        self._statements.append((self._sql[statement], values))

    def _save_executions(self, changes: Changes) -> None:
        executions = writes_of(changes)
        if executions.born:
            born = sorted(executions.born, key=_lock_order)
            for tokens in sorted(set(map(stored_tokens, born))):
                self._capability_set(tokens)  # new sets are stored in one order: two batches may have the same ones
            self._write_all("insert_executions", [x for x in born if x.gates is None], self._born)
            self._write_all("insert_gated_executions", [x for x in born if x.gates is not None], self._born_with_gates)
            ids = [x.execution_id for x in born]
            self._write_all("insert_payloads", ids, lambda of: _payloads(of, changes))
        self._write_all("update_hot_columns", executions.narrow, _hot)
        self._write_all("update_executions", executions.wide, _wide)
        self._write_all("update_waiting_columns", executions.waiting, _waiting)
        self._write_all("update_moved", executions.moved, _moved)
        self._write_all("update_hot_columns_and_gates", executions.narrow_gated, _hot_and_gates)
        self._write_all("update_gates", executions.gated, _gates)

    def _born(self, xs: Sequence[Execution]) -> rows.Arrays:
        return rows.born(xs, lambda x: self._capability_set(stored_tokens(x)))

    def _born_with_gates(self, xs: Sequence[Execution]) -> rows.Arrays:
        return {**self._born(xs), **gate_rows.gates_columns(xs)}

    def _save_side_rows(self, changes: Changes) -> None:
        side = side_row_changes(changes)
        # In the order of keys, as with every other lock, because a delete locks the row.
        self._write_all("delete_ready", sorted(side.ready_gone, key=_lock_order), self._ready_rows)
        for ready in side.ready_new:
            part = (ready.namespace, ready.lane, self._capability_set(tokens_of_place(ready)))
            self._store.queue_heads.entered(part, (-ready.priority, ready.ready_at_ms))
        self.news.ready.update((ready.namespace, ready.lane) for ready in side.ready_new)
        self._write_all("insert_ready", side.ready_new, self._ready_rows)
        self._save_due(side, set(changes.stale_due))
        for statement, values in rows_at_gates(side, self._capability_set):
            self._write(statement, values)

    def _save_due(self, side: SideRowChanges, stale: set[Due]) -> None:
        """Write rows for what is due, but the ends of leases on sheets. A lease that is over stays on its sheet.

        A lease that is renewed gets a new sheet. A sheet that holds nothing but renewed leases is dropped, so one lease
        that is renewed all the time does not leave more and more of them.
        """
        # Older programs write rows for leases, too. Such a row is deleted once it turns out to be stale.
        gone = [due for due in side.due_gone if due.kind != "lease" or due in stale]
        self._write_all("delete_due", sorted(gone, key=_lock_order), rows.due_rows)
        self._write_all("insert_due", [due for due in side.due_new if due.kind != "lease"], rows.due_rows)
        leases = sorted([due for due in side.due_new if due.kind == "lease"], key=_lock_order)
        if leases:
            renewed = {due.execution_id for due in leases}
            before = [due for due in side.due_gone if due.kind == "lease" and due.execution_id in renewed]
            self._write_all("delete_lease_sheets", sorted(before, key=_lock_order), rows.ends_of_leases)
            self._write("insert_lease_sheets", partial(rows.ends_of_leases, leases))

    def _ready_rows(self, of: Sequence[Ready]) -> rows.Arrays:
        return rows.ready_rows(of, self._capability_set)

    def _save_results(self, changes: Changes) -> None:
        kept = {life: result for life, result in changes.results.items() if result is not None}
        if kept:
            self._write("save_results", lambda: {**rows.lives(kept), "result": rows.blobs(kept.values())})
        if len(kept) < len(changes.results):
            self._write("delete_results_of_lives", rows.lives(life for life in changes.results if life not in kept))

    def _save_tags(self, changes: Changes) -> None:
        changed = [
            (before, x)
            for before, x in changes.executions
            if x is not None and x.tags != (before.tags if before is not None else {})
        ]
        replaced = [x.execution_id for before, x in changed if before is not None]
        if replaced:
            self._write("delete_tags", rows.keys(replaced))
        tags = [(x, key, value) for _, x in changed for key, value in x.tags.items()]
        if tags:
            self._write(
                "insert_tags",
                {
                    **rows.keys(x.execution_id for x, _, _ in tags),
                    "key": rows.texts(key for _, key, _ in tags),
                    "value": rows.texts(value for _, _, value in tags),
                    "created_at_ms": rows.numbers(x.created_at_ms for x, _, _ in tags),
                },
            )

    def _remove_executions(self, gone: Sequence[Execution]) -> None:
        """Remove executions with all their records, and note up to where events were removed from the log."""
        keys = rows.keys(x.execution_id for x in gone)
        self._write("note_purge", keys)
        for table in ("events", "attempts", "failures", "steps", "tags", "results", "payloads", "executions"):
            self._write(f"delete_{table}", keys)
        # An execution without an inbox has none of these.
        with_inbox = [x.execution_id for x in gone if x.inbox is not None]
        for table in _INBOX_TABLES:
            self._write_all(f"delete_{table}", with_inbox, rows.keys)
        for statement, values in spending_removed(gone):
            self._write(statement, values)
        # Only a lease can speak.
        was_leased = [x.execution_id for x in gone if x.lease_epoch]
        self._write_all("delete_all_that_was_said", was_leased, rows.keys)
        keyed = [x for x in gone if x.idempotency_key is not None]
        if keyed:
            promised = [(x.namespace, x.idempotency_key or "") for x in keyed]
            self._write(
                "delete_idempotency_keys_of_executions",
                {
                    **rows.idempotency_keys(promised),
                    "execution_partition": rows.numbers(partition_in(x.execution_id) for x in keyed),
                    "execution_id": rows.words(uuid_in(x.execution_id) for x in keyed),
                },
            )

    def _save_access_tokens(self, changes: Changes) -> None:
        """Write tokens. Those that existed before are locked, and change in what shows their use and their end."""
        if changes.access_tokens:
            born = [token for before, token in changes.access_tokens if before is None and token is not None]
            self._write_all("insert_access_tokens", sorted(born, key=lambda token: token.token_id), access.tokens)
            changed = [token for before, token in changes.access_tokens if before is not None and token is not None]
            self._write_all("update_access_tokens", changed, access.changing_columns)
            gone = [before.token_id for before, token in changes.access_tokens if before is not None and token is None]
            self._write_all("delete_access_tokens", gone, access.token_ids)

    # ── waiting ──────────────────────────────────────────────────────────────────────────────────

    def _save_inboxes(self, changes: Changes) -> None:
        """Write waitpoints, signals, their keys, aliases and key rings. What is cleared and removed goes first."""
        for table in _INBOX_TABLES:
            self._write_all(f"delete_{table}", changes.cleared_inboxes, rows.keys)
        for statement in ("delete_named_waitpoints", "delete_signal_keys_of_waitpoints"):
            self._write_all(statement, changes.dropped_waitpoints, wait_rows.waitpoint_keys)
        self._delete(changes.signals, "delete_named_signals", wait_rows.signal_numbers)
        self._delete(changes.aliases, "delete_named_aliases", wait_rows.alias_keys)
        self._save(changes.waitpoints, "save_waitpoints", wait_rows.waitpoints)
        self._save_signals(changes)
        self._save(changes.signal_keys, "insert_signal_keys", wait_rows.signal_keys)
        cleared = set(changes.cleared_inboxes)
        known = {at for at, alias in self._loaded.aliases.items() if alias.execution_id not in cleared}
        self._save_in_order(changes.aliases, known, ("insert_aliases", "update_aliases"), wait_rows.aliases)
        self._save_in_order(
            changes.key_rings,
            self._loaded.key_rings,
            ("insert_key_rings", "update_key_rings"),
            wait_rows.key_rings,
        )

    def _save_signals(self, changes: Changes) -> None:
        """Insert new signals, together with the wait that has taken each of them. Others are updated."""
        taken = changes.takings
        new = {
            at: replace(signal, taken_by=taken[at]) if at in taken else signal
            for at, signal in changes.signals.items()
            if signal is not None
        }
        self._write_all("insert_signals", list(new.values()), wait_rows.signals)
        older = [(at, name) for at, name in taken.items() if at not in changes.signals]
        self._write_all("take_signals", older, wait_rows.takings)

    # ── streams ──────────────────────────────────────────────────────────────────────────────────

    def _save_streams(self, changes: Changes) -> None:
        """Write what executions have said, and remove chunks."""
        self._delete(changes.chunks, "delete_named_chunks", stream_rows.chunk_keys)
        self._save(changes.chunks, "insert_chunks", stream_rows.chunks)
        self._save(changes.streams, "save_streams", stream_rows.streams)
        self._save(changes.summaries, "save_summaries", stream_rows.summaries)

    # ── flows ────────────────────────────────────────────────────────────────────────────────────

    def _save_flows(self, changes: Changes) -> None:
        """Write flows, their graphs and the records of their cancels. The locks of the flows guard all of these."""
        born = [flow for before, flow in changes.flows if before is None and flow is not None]
        if born:
            born.sort(key=lambda flow: flow_rows.lock_order(flow.flow_id))
            self._write("insert_flows", flow_rows.flows(born))
        changed = [flow for before, flow in changes.flows if before is not None and flow is not None]
        if changed:
            keys = flow_rows.flow_keys(flow.flow_id for flow in changed)
            self._write("update_flows", {**keys, **flow_rows.changing_columns(changed)})
        self._write_all("insert_edges", [edge for before, edge in changes.edges if before is None], flow_rows.edges)
        resolved = [edge for before, edge in changes.edges if before is not None]
        self._write_all("update_edges", resolved, flow_rows.resolved_edges)
        self._write_all(
            "insert_groups", [group for before, group in changes.groups if before is None], flow_rows.groups
        )
        self._write_all(
            "update_groups", [group for before, group in changes.groups if before is not None], flow_rows.groups
        )
        for statement in ("delete_cancelled_members", "delete_backlogs", "delete_acks_of_flows"):
            self._write_all(statement, changes.dropped_cancels, flow_rows.flow_keys)
        if changes.cancelled_members:
            members = {"members": rows.texts(map(members_text, changes.cancelled_members.values()))}
            self._write("insert_cancelled_members", {**flow_rows.flow_keys(changes.cancelled_members), **members})
        self._save(changes.backlogs, "save_backlogs", flow_rows.backlogs)
        self._delete(changes.backlogs, "delete_backlogs", flow_rows.flow_keys)
        self._save(changes.acks, "save_acks", flow_rows.acks)
        self._delete(changes.acks, "delete_acks", flow_rows.ack_keys)

    def _remove_flows(self, gone: Sequence[FlowId]) -> None:
        """Remove flows with all their records except members, and note up to where events were removed from the log."""
        keys = flow_rows.flow_keys(gone)
        self._write("note_purge_of_flows", keys)
        for what in ("events_of_flows", "edges_of_flows", "groups_of_flows", "backlogs", "acks_of_flows"):
            self._write(f"delete_{what}", keys)
        self._write("delete_cancelled_members", keys)
        self._write("delete_flows", keys)


_INBOX_TABLES: Final = ("waitpoints", "signals", "signal_keys", "aliases")
"""What an execution loses when its inbox is cleared, and when it is removed."""


def values_of(statement: Statement) -> Values:
    """The values of a statement."""
    values = statement[1]
    return values() if callable(values) else values


def _payloads(ids: Sequence[ExecutionId], changes: Changes) -> rows.Arrays:
    return {**rows.keys(ids), "payload": rows.blobs([changes.payloads[key] for key in ids])}


def _hot(xs: Sequence[Execution]) -> rows.Arrays:
    return {**_keys(xs), **rows.hot_columns(xs)}


def _wide(xs: Sequence[Execution]) -> rows.Arrays:
    return {**_hot(xs), **rows.cold_columns(xs), **rows.waiting_columns(xs)}


def _waiting(xs: Sequence[Execution]) -> rows.Arrays:
    return {**_hot(xs), **rows.waiting_columns(xs)}


def _moved(xs: Sequence[Execution]) -> rows.Arrays:
    return {**_keys(xs), **rows.eligibility_columns(xs), **gate_rows.gates_columns(xs)}


def _hot_and_gates(xs: Sequence[Execution]) -> rows.Arrays:
    return {**_hot(xs), **gate_rows.gates_columns(xs)}


def _gates(xs: Sequence[Execution]) -> rows.Arrays:
    return {**_keys(xs), **gate_rows.gates_columns(xs)}


def _keys(xs: Sequence[Execution]) -> rows.Arrays:
    return rows.keys([x.execution_id for x in xs])


def _lock_order(row: Execution | Ready | Due) -> tuple[int, str]:
    return rows.lock_order(row.execution_id)
