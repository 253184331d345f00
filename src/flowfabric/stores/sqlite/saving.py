"""The changes of a batch as statements: each table in as few calls as possible."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec.structs import astuple

from flowfabric.domain.batch_io import AckKey, Changes, Generation, KeyInNamespace
from flowfabric.domain.counting import moves_in
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import MINUTE_MS
from flowfabric.domain.tables import K, V
from flowfabric.stores._shared.access import token_row_of
from flowfabric.stores._shared.capability_sets import stored_tokens, tokens_of_place
from flowfabric.stores._shared.counts import count_move_row_of
from flowfabric.stores._shared.encoding import ended_before, key_partition, writes_of
from flowfabric.stores._shared.flows import members_text
from flowfabric.stores._shared.gates import (
    budget_row_of,
    budget_use_row_of,
    gate_row_of,
    key_use_row_of,
    limit_row_of,
    line_row_of,
    spend_key_row_of,
)
from flowfabric.stores._shared.schedules import schedule_row_of
from flowfabric.stores._shared.side_rows import SideRowChanges, add_gate_rows, cleared_of_gates
from flowfabric.stores._shared.statements import Statements, row_counts
from flowfabric.stores._shared.waiting import keys_text
from flowfabric.stores._shared.workers import worker_row_of
from flowfabric.stores.sqlite.gate_rows import at_gate_row_of, gate_key_of, gates_row_of
from flowfabric.stores.sqlite.json_rows import Row
from flowfabric.stores.sqlite.rows import (
    attempt_row_of,
    born_row_of,
    edge_row_of,
    event_row_of,
    failure_row_of,
    flow_key_of,
    flow_row_of,
    gated_row_of,
    group_row_of,
    hot_gated_row_of,
    hot_row_of,
    key_of,
    moved_row_of,
    row_of,
    signal_key_row_of,
    signal_row_of,
    step_row_of,
    waiting_row_of,
    waitpoint_row_of,
)
from flowfabric.stores.sqlite.stream_rows import chunk_row_of, stream_row_of, summary_row_of

Statement = tuple[str, Sequence[object]]
WAIT_TABLES: Final = ("waitpoints", "signals", "signal_keys", "aliases")
"""What an execution that has waited leaves behind, as the statements that delete it call it."""
STREAM_TABLES: Final = ("streams", "chunks", "summaries")
"""The same of an execution that has said something."""


class Saving:
    """Turns the changes of one batch into statements. The transaction itself removes executions and flows."""

    def __init__(self, sql: Statements, capability_set: Callable[[tuple[str, ...]], int], now_ms: int) -> None:
        self._sql = sql
        self._now_ms = now_ms
        self._capability_set = capability_set
        self._statements: list[Statement] = []

    def statements_for(self, changes: Changes) -> list[Statement]:
        """The statements that write all new and changed records, in the order in which they are run."""
        self._each("keep_last_attempt", [key_of(key) for key in ended_before(changes)])
        self._save_executions(changes)
        self._save_tags(changes)
        self._save(changes.payloads, "insert_payloads", lambda key, payload: (*key_of(key), payload))
        self._save(changes.results, "save_results", lambda life, result: (*_life_row(life), result))
        self._delete(changes.results, "delete_result_of_life", _life_row)
        self._save(changes.attempts, "save_attempts", lambda _, attempt: attempt_row_of(attempt))
        self._save(changes.failures, "save_failures", lambda _, failure: failure_row_of(failure))
        self._rows("insert_events", [event_row_of(event) for event in changes.events])
        self._save(
            changes.idempotency_keys,
            "save_idempotency_keys",
            lambda at, row: (*_promise_row(at), *key_of(row.execution_id), row.fingerprint, row.expires_at_ms),
        )
        self._delete(changes.idempotency_keys, "delete_idempotency_keys", _promise_row)
        self._save(changes.answers, "save_answers", lambda _, answer: astuple(answer))
        self._delete(changes.answers, "delete_answers", tuple)
        self._save_flows(changes)
        self._each("delete_steps", [key_of(key) for key in changes.cleared_steps])
        self._each("delete_named_steps", [(*key_of(key), name) for key, name in changes.dropped_steps])
        self._save(changes.steps, "insert_steps", lambda _, step: step_row_of(step))
        self._save_waits(changes)
        self._save_streams(changes)
        self._save(changes.workers, "save_workers", lambda _, worker: worker_row_of(worker))
        self._delete(changes.workers, "delete_workers", tuple)
        tokens = [token_row_of(token) for _, token in changes.access_tokens if token is not None]
        self._rows("save_access_tokens", tokens)
        gone = [(before.token_id,) for before, token in changes.access_tokens if before is not None and token is None]
        self._each("delete_access_tokens", gone)
        self._save(changes.schedules, "save_schedules", lambda _, schedule: schedule_row_of(schedule))
        self._delete(changes.schedules, "delete_schedules", tuple)
        self._save(changes.lanes, "save_lanes", lambda _, lane: astuple(lane))
        self._save_gates(changes)
        self._save_counts(changes)
        return self._statements

    def _save(self, changed: Mapping[K, V | None], statement: str, row_of: Callable[[K, V], Row]) -> None:
        """Write the records that exist."""
        if changed:
            self._rows(statement, [row_of(key, record) for key, record in changed.items() if record is not None])

    def _delete(self, changed: Mapping[K, V | None], statement: str, key_row_of: Callable[[K], Row]) -> None:
        """Delete the rows of removed records."""
        self._each(statement, [key_row_of(key) for key, record in changed.items() if record is None])

    def _each(self, statement: str, rows: Iterable[Row]) -> None:
        self._statements += [(self._sql[statement], row) for row in rows]

    def _rows(self, statement: str, rows: Sequence[Row]) -> None:
        at = 0
        for count in row_counts(len(rows)):
            values = [value for row in rows[at : at + count] for value in row]
            self._statements.append((self._sql.repeated(statement, count), values))
            at += count

    def _lists(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement that takes the first values of a row, and a list of the last ones of all rows with these."""
        lists: dict[Row, list[object]] = {}
        for *first, last in rows:
            lists.setdefault(tuple(first), []).append(last)
        for first_values, its_list in lists.items():
            at = 0
            for count in row_counts(len(its_list)):
                values = [*first_values, *its_list[at : at + count]]
                self._statements.append((self._sql.repeated(statement, count), values))
                at += count

    def _save_executions(self, changes: Changes) -> None:
        executions = writes_of(changes)
        born = [(x, self._capability_set(stored_tokens(x))) for x in executions.born]
        self._rows("insert_executions", [born_row_of(x, its_set) for x, its_set in born if x.gates is None])
        self._rows("insert_gated_executions", [gated_row_of(x, its_set) for x, its_set in born if x.gates is not None])
        self._rows("update_hot_columns", [hot_row_of(x) for x in executions.narrow])
        self._rows("update_waiting_columns", [waiting_row_of(x) for x in executions.waiting])
        self._rows("update_executions", [row_of(x) for x in executions.wide])
        self._rows("update_moved", [moved_row_of(x) for x in executions.moved])
        self._rows("update_hot_columns_and_gates", [hot_gated_row_of(x) for x in executions.narrow_gated])
        self._rows("update_gates", [gates_row_of(x) for x in executions.gated])

    def _save_tags(self, changes: Changes) -> None:
        changed = [
            (before, x)
            for before, x in changes.executions
            if x is not None and x.tags != (before.tags if before is not None else {})
        ]
        replaced = [key_of(x.execution_id) for before, x in changed if before is not None]
        self._each("delete_tags", replaced)
        self._rows(
            "insert_tags",
            [
                (*key_of(x.execution_id), key, value, x.created_at_ms)
                for _, x in changed
                for key, value in x.tags.items()
            ],
        )

    def _save_flows(self, changes: Changes) -> None:
        self._rows("save_flows", [flow_row_of(flow) for _, flow in changes.flows if flow is not None])
        self._rows("save_edges", [edge_row_of(edge) for _, edge in changes.edges])
        self._rows("save_groups", [group_row_of(group) for _, group in changes.groups])
        reopened = [flow_key_of(flow_id) for flow_id in changes.dropped_cancels]
        for statement in ("delete_cancelled_members", "delete_backlogs", "delete_acks_of_flows"):
            self._each(statement, reopened)
        cancelled = changes.cancelled_members
        self._save(cancelled, "insert_cancelled_members", lambda key, ids: (*flow_key_of(key), members_text(ids)))
        self._save(
            changes.backlogs,
            "save_backlogs",
            lambda key, backlog: (*flow_key_of(key), backlog.requested_at_ms, backlog.pending_count),
        )
        self._delete(changes.backlogs, "delete_backlogs", flow_key_of)
        self._save(changes.acks, "save_acks", lambda key, ack: (*_ack_row(key), ack.overdue_at_ms))
        self._delete(changes.acks, "delete_acks", _ack_row)

    def _save_waits(self, changes: Changes) -> None:
        for table in WAIT_TABLES:
            self._each(f"delete_{table}", [key_of(key) for key in changes.cleared_inboxes])
        for statement in ("delete_named_waitpoints", "delete_signal_keys_of_waitpoints"):
            self._each(statement, [_part_row(at) for at in changes.dropped_waitpoints])
        self._delete(changes.signals, "delete_named_signals", _part_row)
        self._delete(changes.aliases, "delete_named_aliases", tuple)
        self._save(changes.waitpoints, "save_waitpoints", lambda _, waitpoint: waitpoint_row_of(waitpoint))
        self._save(changes.signals, "insert_signals", lambda _, signal: signal_row_of(signal))
        self._rows("take_signals", [(*_part_row(at), wait) for at, wait in changes.takings.items()])
        self._save(changes.signal_keys, "save_signal_keys", lambda _, key: signal_key_row_of(key))
        self._save(changes.aliases, "save_aliases", lambda at, alias: (*at, *key_of(alias.execution_id), alias.key))
        self._save(changes.key_rings, "save_key_rings", lambda name, ring: (name, keys_text(ring)))

    def _save_streams(self, changes: Changes) -> None:
        self._save(changes.streams, "save_streams", lambda _, stream: stream_row_of(stream))
        self._delete(changes.chunks, "delete_named_chunks", lambda key: (*key_of(key[0]), *key[1:]))
        self._save(changes.chunks, "insert_chunks", lambda _, chunk: chunk_row_of(chunk))
        self._save(changes.summaries, "save_summaries", lambda _, summary: summary_row_of(summary))

    def _save_gates(self, changes: Changes) -> None:
        common = {(namespace, name): limit for (namespace, name, key), limit in changes.limits.items() if key is None}
        self._save(common, "save_limits", lambda _, limit: limit_row_of(limit))
        self._delete(common, "delete_limits", tuple)
        overrides = {at: limit for at, limit in changes.limits.items() if at[2] is not None}
        self._save(overrides, "save_limit_overrides", lambda _, limit: limit_row_of(limit))
        self._delete(overrides, "delete_limit_overrides", tuple)
        self._save(changes.key_uses, "save_key_uses", lambda _, use: key_use_row_of(use))
        self._lists("delete_key_uses", [at for at, use in changes.key_uses.items() if use is None])
        self._save(changes.lane_turns, "save_lane_turns", lambda _, turn: astuple(turn))
        self._save(changes.key_turns, "save_key_turns", lambda _, turn: astuple(turn))
        self._delete(changes.key_turns, "delete_key_turns", tuple)
        self._save(changes.budgets, "save_budgets", lambda _, budget: budget_row_of(budget))
        self._save(changes.budget_uses, "save_budget_uses", lambda _, use: budget_use_row_of(use))
        self._delete(changes.budget_uses, "delete_budget_uses", tuple)
        self._save(changes.ledger, "save_ledger", lambda at, line: (*key_of(at[0]), *line_row_of(line)))
        self._save(changes.spend_keys, "save_spend_keys", lambda at, key: (*key_of(at[0]), *spend_key_row_of(key)))
        self._each("delete_openings", [gate_row_of(gate) for gate in changes.looked_at])
        self._save(changes.openings, "save_openings", lambda gate, at_ms: (*gate_row_of(gate), at_ms))
        self._save_gate_rows(changes)

    def _save_counts(self, changes: Changes) -> None:
        """Append what has moved, for upkeep to add up: that is one page, and not one for each table of counts."""
        minute = self._now_ms // MINUTE_MS
        self._rows("insert_count_moves", [count_move_row_of(*moved, minute) for moved in moves_in(changes).items()])

    def _save_gate_rows(self, changes: Changes) -> None:
        rows = SideRowChanges()
        add_gate_rows(rows, changes)
        self._lists("delete_gates", [key_of(key) for key in cleared_of_gates(rows)])
        new = {gate_key_of(row): row for row in rows.gates_new}
        self._each("delete_at_gate", [key for key in map(gate_key_of, rows.gates_gone) if key not in new])
        self._rows(
            "save_at_gate",
            [at_gate_row_of(row, self._capability_set(tokens_of_place(row.place))) for row in new.values()],
        )


def _part_row(at: tuple[ExecutionId, str | int]) -> Row:
    return (*key_of(at[0]), at[1])


def _life_row(life: Generation) -> Row:
    return (*key_of(life[0]), life[1])


def _promise_row(at: KeyInNamespace) -> Row:
    return (key_partition(*at), *at)


def _ack_row(key: AckKey) -> Row:
    return (*flow_key_of(key[0]), key_of(key[1])[1])
