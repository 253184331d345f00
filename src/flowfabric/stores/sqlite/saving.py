"""What a batch has changed, as the statements that write it: each table in as few calls as possible."""

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import astuple

from flowfabric.domain.exchange import Changes
from flowfabric.stores._shared.encoding import key_partition, writes_of
from flowfabric.stores._shared.flows import members_text
from flowfabric.stores._shared.schedules import schedule_row_of
from flowfabric.stores._shared.statements import Statements, row_counts
from flowfabric.stores._shared.workers import worker_row_of
from flowfabric.stores.sqlite.json_rows import Row
from flowfabric.stores.sqlite.rows import (
    attempt_row_of,
    born_row_of,
    edge_row_of,
    event_row_of,
    failure_row_of,
    flow_key_of,
    flow_row_of,
    group_row_of,
    hot_row_of,
    key_of,
    row_of,
    step_row_of,
)

Statement = tuple[str, Sequence[object]]


class Saving:
    """The changes of one batch, on their way into rows. What is gone for good is another matter."""

    def __init__(self, sql: Statements, capability_set: Callable[[tuple[str, ...]], int]) -> None:
        self._sql = sql
        self._capability_set = capability_set
        self._statements: list[Statement] = []

    def statements_for(self, changes: Changes) -> list[Statement]:
        """What writes all that is new or different, in the order in which it is to be run."""
        executions = writes_of(changes)
        born = [born_row_of(x, self._capability_set(x.required_capabilities)) for x in executions.born]
        self._rows("insert_executions", born)
        self._rows("update_hot_columns", [hot_row_of(x) for x in executions.narrow])
        self._rows("update_executions", [row_of(x) for x in executions.wide])
        self._rows("insert_payloads", [(*key_of(key), payload) for key, payload in changes.payloads.items()])
        self._save_results(changes)
        self._save_tags(changes)
        self._rows("save_attempts", [attempt_row_of(attempt) for attempt in changes.attempts.values()])
        self._rows("save_failures", [failure_row_of(failure) for failure in changes.failures.values()])
        self._rows("insert_events", [event_row_of(event) for event in changes.events])
        self._save_keys(changes)
        self._save_flows(changes)
        self._save_steps_and_workers(changes)
        schedules = changes.schedules.items()
        self._rows("save_schedules", [schedule_row_of(schedule) for _, schedule in schedules if schedule is not None])
        self._each("delete_schedules", [at for at, schedule in schedules if schedule is None])
        self._rows("save_lanes", [astuple(switch) for switch in changes.lanes.values()])
        return self._statements

    def _each(self, statement: str, rows: Iterable[Row]) -> None:
        self._statements += [(self._sql[statement], row) for row in rows]

    def _rows(self, statement: str, rows: Sequence[Row]) -> None:
        at = 0
        for count in row_counts(len(rows)):
            values = [value for row in rows[at : at + count] for value in row]
            self._statements.append((self._sql.repeated(statement, count), values))
            at += count

    def _save_results(self, changes: Changes) -> None:
        kept: list[Row] = []
        gone: list[Row] = []
        for (key, generation), result in changes.results.items():
            if result is None:
                gone.append((*key_of(key), generation))
            else:
                kept.append((*key_of(key), generation, result))
        self._rows("save_results", kept)
        self._each("delete_result_of_life", gone)

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

    def _save_keys(self, changes: Changes) -> None:
        keys = changes.idempotency_keys
        self._rows(
            "save_idempotency_keys",
            [
                (key_partition(*at), *at, *key_of(row.execution_id), row.fingerprint, row.expires_at_ms)
                for at, row in keys.items()
                if row is not None
            ],
        )
        gone = [(key_partition(*at), *at) for at, row in keys.items() if row is None]
        self._each("delete_idempotency_keys", gone)
        answers = changes.answers
        self._rows(
            "save_answers",
            [
                (row.scope, row.command_id, row.fingerprint, row.answer, row.expires_at_ms)
                for row in answers.values()
                if row is not None
            ],
        )
        self._each("delete_answers", [at for at, row in answers.items() if row is None])

    def _save_flows(self, changes: Changes) -> None:
        self._rows("save_flows", [flow_row_of(flow) for _, flow in changes.flows if flow is not None])
        self._rows("save_edges", [edge_row_of(edge) for before, edge in changes.edges if before is not edge])
        self._rows("save_groups", [group_row_of(group) for before, group in changes.groups if before is not group])
        reopened = [flow_key_of(flow_id) for flow_id in changes.dropped_cancels]
        for statement in ("delete_cancelled_members", "delete_backlogs", "delete_acks_of_flows"):
            self._each(statement, reopened)
        cancelled = changes.cancelled_members.items()
        self._rows("insert_cancelled_members", [(*flow_key_of(key), members_text(ids)) for key, ids in cancelled])
        backlogs = changes.backlogs.items()
        self._rows(
            "save_backlogs",
            [(*flow_key_of(key), row.requested_at_ms, row.pending_count) for key, row in backlogs if row is not None],
        )
        gone: list[Row] = [flow_key_of(key) for key, row in backlogs if row is None]
        self._each("delete_backlogs", gone)
        acks = [((*flow_key_of(flow_id), key_of(key)[1]), row) for (flow_id, key), row in changes.acks.items()]
        self._rows("save_acks", [(*at, row.overdue_at_ms) for at, row in acks if row is not None])
        self._each("delete_acks", [at for at, row in acks if row is None])

    def _save_steps_and_workers(self, changes: Changes) -> None:
        self._each("delete_steps", [key_of(key) for key in changes.cleared_steps])
        self._each("delete_named_steps", [(*key_of(key), name) for key, name in changes.dropped_steps])
        self._rows("insert_steps", [step_row_of(step) for step in changes.steps.values()])
        workers = changes.workers.items()
        self._rows("save_workers", [worker_row_of(worker) for _, worker in workers if worker is not None])
        self._each("delete_workers", [at for at, worker in workers if worker is None])
