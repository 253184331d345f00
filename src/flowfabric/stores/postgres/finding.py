"""The finds of a PostgreSQL database: what upkeep, purges and waiting callers look for."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

import msgspec

from flowfabric.domain import expiring
from flowfabric.domain.counting import Miscount
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import (
    DUE_KINDS,
    TIMERS,
    AtGate,
    Due,
    DueKind,
    Execution,
    due_of,
    gate_rows_of,
    ready_of,
)
from flowfabric.domain.expiring import Expiring
from flowfabric.domain.flow import EdgeGroup, Flow
from flowfabric.domain.ids import (
    PARTITIONS,
    ExecutionId,
    FlowId,
    flow_partition,
    make_execution_id,
    partition_in,
    uuid_in,
)
from flowfabric.domain.lanes import Lane
from flowfabric.domain.listing import FIRST_UUID, ListPosition
from flowfabric.domain.news import Committed, Polled, Waits
from flowfabric.domain.turns import Turn, turn_after
from flowfabric.domain.views import SideRows, SideRowsPage
from flowfabric.ports.errors import LockHeld
from flowfabric.stores._shared.counts import FEW_MOVES
from flowfabric.stores._shared.encoding import DUE_KIND_CODES, NO_PARTITION
from flowfabric.stores._shared.side_rows import same_rows
from flowfabric.stores.postgres import flow_rows, gate_rows, rows
from flowfabric.stores.postgres.connection import FOR_TRANSACTION, LOCK_WAIT_MS, Connection
from flowfabric.stores.postgres.queue_heads import QueueHeads
from flowfabric.stores.postgres.readers import ReadSide, key_or_first, refusing_bad_cursors

K = TypeVar("K")

log = logging.getLogger("flowfabric.stores.postgres")

SHEETS_AT_ONCE: Final = 1_000
"""How many sheets of leases are dropped in one transaction."""

EXPIRED: Final[Mapping[Expiring[Any], tuple[str, Callable[[rows.Row], Any]]]] = {
    expiring.IDEMPOTENCY_KEYS: ("find_expired_idempotency_keys", tuple),
    expiring.ANSWERS: ("find_expired_answers", tuple),
    expiring.WORKERS: ("find_silent_workers", tuple),
    expiring.ACKS: ("find_overdue_acks", flow_rows.ack_key_in),
    expiring.FLOWS: ("find_flows_to_purge", lambda row: FlowId(row[0])),
    expiring.EVENTS: ("find_old_events", lambda row: row[0]),
    expiring.ACCESS_TOKENS: ("find_dead_access_tokens", lambda row: row[0]),
}
"""By kind of record, the statement that finds the keys, and a function from a row to its key."""


class PostgresFinds(ReadSide):
    """The finds of a store."""

    queue_heads: QueueHeads

    def ended_executions(
        self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int
    ) -> list[ListPosition]:
        """Executions that ended before an instant and belong to no flow."""
        position = {"created_at_ms": after.created_at_ms, "execution_id": after.uuid, "partition_key": after.partition}
        values = {**position, "namespace": namespace, "ended_before_ms": ended_before_ms, "most": limit}
        with self.readers.reading() as connection, refusing_bad_cursors():
            found = connection.execute(self.sql["find_ended_executions"].encode(), values).fetchall()
        return [ListPosition(*row) for row in found]

    def ended_flows(self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int) -> list[Flow]:
        """Flows that were over before an instant."""
        position = {"created_at_ms": after.created_at_ms, "flow_id": after.uuid, "partition_key": after.partition}
        values = {**position, "namespace": namespace, "ended_before_ms": ended_before_ms, "most": limit}
        with self.readers.reading() as connection, refusing_bad_cursors():
            found = connection.execute(self.sql["find_ended_flows"].encode(), values, binary=True).fetchall()
        return [flow_rows.flow_in(row) for row in found]

    def news(self, waits: Waits) -> Committed:
        """Which of the given executions have ended, which leases and waits are over, which cancels are acknowledged."""
        ended, leases = rows.keys(waits.executions), rows.keys(key for key, _ in waits.leases)
        lingering = rows.keys(waits.lingering)
        values = {
            "partition_key": ended["partition_key"],
            "execution_id": ended["execution_id"],
            "lease_partition": leases["partition_key"],
            "lease_execution": leases["execution_id"],
            "lease_epoch": rows.numbers(epoch for _, epoch in waits.leases),
            "flow_partition": rows.numbers(map(flow_partition, waits.flows)),
            "flow_id": rows.words(waits.flows),
            "lingering_partition": lingering["partition_key"],
            "lingering_execution": lingering["execution_id"],
        }
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["find_news"].encode(), values).fetchone()
        assert found is not None
        of_executions, of_leases, of_flows, of_waits = found
        return Committed(
            [waits.executions[place - 1] for place in of_executions] + [waits.flows[place - 1] for place in of_flows],
            False,
            lost=[waits.leases[place - 1][0] for place in of_leases],
            waits_over=[waits.lingering[place - 1] for place in of_waits],
        )

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        """What is due now, and which of the lanes have work. Sheets without a lease are dropped on the way."""
        values = {
            "now_ms": self.given_now_ms,
            "due_kind": rows.numbers(DUE_KIND_CODES.values()),
            "timer": rows.numbers(DUE_KIND_CODES[kind] for kind in TIMERS),
            "namespace": rows.texts(namespace for namespace, _ in lanes),
            "lane_id": rows.texts(lane for _, lane in lanes),
        }
        due, has_overdue_acks, ordinals, delay_over_in_ms, has_openings = self._polled(values)
        if DUE_KIND_CODES["lease"] in due:
            # Most sheets hold no lease any more when their instant comes.
            self._drop_lease_sheets(self.given_now_ms)
            due, has_overdue_acks, ordinals, delay_over_in_ms, has_openings = self._polled(values)
        ready = [lanes[ordinal - 1] for ordinal in ordinals]
        self.queue_heads.are_busy(ready)
        return Polled([DUE_KINDS[code] for code in due], has_overdue_acks, ready, delay_over_in_ms, has_openings)

    def _polled(self, values: Mapping[str, object]) -> rows.Row:
        with self.readers.reading() as connection:
            ((found,),) = self._by_key(connection, ("poll", values))
        return found

    def ready_needs(self, lane: Lane) -> list[tuple[str, ...]]:
        """Which sets of capabilities the work of a lane needs."""
        values = dict(zip(("namespace", "lane_id"), lane, strict=True))
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["ready_capability_sets"].encode(), values).fetchall()
            return [self.capabilities.tokens(each, connection) for each, *_ in found if each is not None]

    def due(self, kind: DueKind, until_ms: int, after: Due | None, limit: int) -> list[Due]:
        """Due moments of one kind, earliest first."""
        if kind == "lease" and after is None:
            self._drop_lease_sheets(until_ms)
        with self.readers.snapshot() as connection:
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            while True:
                values = {
                    "due_kind": DUE_KIND_CODES[kind],
                    "until_ms": until_ms,
                    "due_at_ms": -1 if after is None else after.due_at_ms,
                    "partition_key": -1 if after is None else partition_in(after.execution_id),
                    "execution_id": FIRST_UUID if after is None else uuid_in(after.execution_id),
                    "most": limit,
                }
                found = connection.execute(self.sql["find_due"].encode(), values).fetchall()
                page = {
                    Due(kind, at, make_execution_id(partition, uuid)): is_on for at, partition, uuid, is_on in found
                }
                others = self._due_for_another_reason(connection, [due.execution_id for due in page if page[due]])
                kept = [due for due, is_on_sheet in page.items() if not (is_on_sheet and due.execution_id in others)]
                if kept or not page:
                    return kept
                after = list(page)[-1]

    def _due_for_another_reason(self, connection: Connection, leased: Sequence[ExecutionId]) -> set[ExecutionId]:
        """Which of the leased executions have a due moment before the end of their lease, and a row for it.

        A damaged execution is none of them, so that the command for its lease reports the damage.
        """
        others: set[ExecutionId] = set()
        if not leased:
            return others
        values = rows.keys(leased)
        for row in connection.execute(self.sql["read_executions"].encode(), values, binary=True).fetchall():
            with suppress(Corruption):
                x = self._execution_in(row, connection)
                if (due := due_of(x)) is not None and due.kind != "lease":
                    others.add(x.execution_id)
        return others

    def _drop_lease_sheets(self, until_ms: int | None) -> None:
        """Drop the sheets whose instant has come and that hold no lease any more. None: the server's clock counts."""
        values = {"until_ms": until_ms, "most": SHEETS_AT_ONCE}
        dropped = SHEETS_AT_ONCE
        while dropped == SHEETS_AT_ONCE:
            with self.readers.reading() as connection, connection.transaction():
                connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
                dropped = connection.execute(self.sql["drop_lease_sheets"].encode(), values).rowcount

    def expired(self, kind: Expiring[K], until_ms: int, limit: int) -> list[K]:
        """The keys of records whose time is over."""
        statement, key_in = EXPIRED[kind]
        values = {"partition_key": NO_PARTITION, "until_ms": until_ms, "most": limit}
        with self.readers.reading() as connection:
            found = connection.execute(self.sql[statement].encode(), values).fetchall()
        return [key_in(row) for row in found]

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        """The next executions with their side rows. Ended executions that need no side row are left out."""
        with self.readers.snapshot() as connection:
            connection.execute(self.sql["pin_plans"].encode(), FOR_TRANSACTION)
            last = self._nth_after(connection, after, limit)
            page = self._with_ready_rows(connection, after, last)
            wanted = [due for x, _, _ in page if (due := due_of(x)) is not None]
            there = connection.execute(self.sql["find_due_rows"].encode(), rows.due_rows(wanted)).fetchall()
            at_gates = self._rows_at_gates(connection, [x.execution_id for x, _, _ in page if x.gates is not None])
        right = {(kind, at, make_execution_id(partition, uuid)) for kind, at, partition, uuid in there}
        return SideRowsPage(
            [
                SideRows(
                    x,
                    has_ready == (ready_of(x) is not None),
                    (due := due_of(x)) is None or (DUE_KIND_CODES[due.kind], due.due_at_ms, due.execution_id) in right,
                    group,
                    x.gates is None or same_rows(at_gates.get(x.execution_id, []), gate_rows_of(x)),
                )
                for x, has_ready, group in page
            ],
            last,
        )

    def _rows_at_gates(
        self, connection: Connection, execution_ids: Sequence[ExecutionId]
    ) -> dict[ExecutionId, list[AtGate]]:
        """Where executions stand. A damaged row counts as missing, so that it is written anew."""
        found: dict[ExecutionId, list[AtGate]] = {}
        if not execution_ids:
            return found
        values = rows.keys(execution_ids)
        for row in connection.execute(self.sql["read_gate_rows"].encode(), values).fetchall():
            try:
                execution_id, at_gate = gate_rows.at_gate_in(row, self.capabilities.tokens(row[8], connection))
            except Corruption as error:
                log.error("a damaged place at a gate is not counted: %s", error, extra={"cause": str(error)})
                continue
            found.setdefault(execution_id, []).append(at_gate)
        return found

    def _nth_after(self, connection: Connection, after: ExecutionId | None, count: int) -> ExecutionId | None:
        """The id of the last execution of a page of `count` executions; None: there are fewer."""
        values = {**key_or_first(after), "most": count}
        found = connection.execute(self.sql["find_end_of_page"].encode(), values).fetchone()
        return None if found is None else make_execution_id(*found)

    def _with_ready_rows(
        self, connection: Connection, after: ExecutionId | None, last: ExecutionId | None
    ) -> list[tuple[Execution, bool, EdgeGroup | None]]:
        """Executions, whether the queue holds them in the right place, and the groups of those that are blocked.

        Damaged executions are skipped.
        """
        partition, uuid = (PARTITIONS, FIRST_UUID) if last is None else (partition_in(last), uuid_in(last))
        values = {**key_or_first(after), "last_partition": partition, "last_execution": uuid}
        page: list[tuple[Execution, bool, EdgeGroup | None]] = []
        for row in connection.execute(self.sql["find_side_rows"].encode(), values, binary=True).fetchall():
            try:
                has_ready, *group = row[rows.EXECUTION_COLUMNS :]
                page.append((self._execution_in(row, connection), has_ready, flow_rows.group_in(tuple(group))))
            except Corruption as error:
                log.error("a damaged execution is skipped: %s", error, extra={"cause": str(error)})
        return page

    def has_counts_to_tend(self) -> bool:
        """Whether many moves wait to be added up."""
        with self.readers.reading() as connection:
            found = connection.execute(self.sql["find_count_moves"].encode(), {"few": FEW_MOVES}).fetchone()
        return found is not None and bool(found[0])

    def miscounts(self) -> list[Miscount]:
        """The kept counts that differ from what there is."""
        with self.readers.reading() as connection:
            return [Miscount(*row) for row in connection.execute(self.sql["find_miscounts"].encode()).fetchall()]

    def take_turn(self, holder: str, ttl_ms: int, after: ExecutionId | None) -> Turn:
        """Which process may walk through all executions now.

        A turn is a row with an expiry, so it needs no open session.
        """
        name = {"name": "turn"}
        try:
            with self.readers.reading() as connection, connection.transaction():
                connection.execute(self.sql["pin_plans"].encode(), {**FOR_TRANSACTION, "lock_wait_ms": LOCK_WAIT_MS})
                connection.execute(self.sql["insert_turn"].encode(), name)
                values = {**name, "now_ms": self.given_now_ms}
                row = connection.execute(self.sql["lock_turn"].encode(), values).fetchone()
                assert row is not None
                kept, now_ms = row
                before = _turn_in(kept)
                turn = turn_after(before, Turn(holder, now_ms + ttl_ms, after), now_ms)
                if turn != before:
                    value = msgspec.json.encode(turn).decode()
                    connection.execute(self.sql["save_meta"].encode(), {**name, "value": value})
        except LockHeld:
            return Turn("", 0, None)  # another process asks at this moment, or stopped while it asked
        return turn


def _turn_in(value: str) -> Turn | None:
    """The stored turn; None: nobody has had a turn yet, or the row cannot be read."""
    try:
        return msgspec.json.decode(value, type=Turn)
    except msgspec.MsgspecError:
        return None
