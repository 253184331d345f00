"""The finds of a SQLite file: what upkeep, purges and waiting callers look for."""

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from flowfabric.domain import expiring
from flowfabric.domain.counting import Miscount
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import DUE_KINDS, TIMERS, Due, DueKind, gate_rows_of
from flowfabric.domain.expiring import Expiring
from flowfabric.domain.flow import Flow
from flowfabric.domain.ids import ExecutionId, FlowId, uuid_from_hex
from flowfabric.domain.lanes import Lane
from flowfabric.domain.listing import ListPosition
from flowfabric.domain.news import Committed, Polled, Waits
from flowfabric.domain.turns import Turn
from flowfabric.domain.views import SideRows, SideRowsPage
from flowfabric.stores._shared.counts import FEW_MOVES
from flowfabric.stores._shared.encoding import DUE_KIND_CODES, NO_PARTITION
from flowfabric.stores._shared.side_rows import same_rows
from flowfabric.stores.sqlite.gate_rows import GateRows
from flowfabric.stores.sqlite.graph import Graph
from flowfabric.stores.sqlite.json_rows import FLOWS, Key, Row, calls
from flowfabric.stores.sqlite.readers import ReadSide
from flowfabric.stores.sqlite.reading import list_position
from flowfabric.stores.sqlite.rows import due_position, flow_key_of, flow_of, id_of, key_of

K = TypeVar("K")
T = TypeVar("T")

log = logging.getLogger("flowfabric.stores.sqlite")


class SqliteFinds(ReadSide):
    """The finds of a store."""

    def ended_executions(
        self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int
    ) -> list[ListPosition]:
        """Executions that ended before an instant and belong to no flow."""
        values = (*list_position(after), namespace, ended_before_ms, limit)
        with self.readers.reading() as connection:
            rows = connection.execute(self.sql["find_ended_executions"], values).fetchall()
        return [ListPosition(at, uuid_from_hex(uuid.hex()), partition) for at, uuid, partition in rows]

    def ended_flows(self, namespace: str | None, ended_before_ms: int, after: ListPosition, limit: int) -> list[Flow]:
        """Flows that were over before an instant."""
        values = (*list_position(after), namespace, ended_before_ms, limit)
        with self.readers.reading() as connection:
            return [flow_of(row) for row in FLOWS.read(connection, self.sql["find_ended_flows"], values)]

    def news(self, waits: Waits) -> Committed:
        """Which of the given executions have ended, which cancels are acknowledged, which leases and waits are over."""
        ended = {key_of(key): key for key in waits.executions}
        leases = {(*key_of(key), epoch): key for key, epoch in waits.leases}
        flows = {flow_key_of(key): key for key in waits.flows}
        lingering = {key_of(key): key for key in waits.lingering}
        with self.readers.reading() as connection:
            return Committed(
                [
                    *self._found(connection, "find_ended_among", ended),
                    *self._found(connection, "find_acknowledged_among", flows),
                ],
                False,
                lost=self._found(connection, "find_leases_over_among", leases),
                waits_over=self._found(connection, "find_waits_over_among", lingering),
            )

    def _found(self, connection: sqlite3.Connection, statement: str, named: Mapping[Row, T]) -> list[T]:
        """The values of `named` whose keys a repeated statement returns."""
        found = (
            row
            for text, values in calls(self.sql, statement, list(named))
            for row in connection.execute(text, values).fetchall()
        )
        return [named[row] for row in found]

    def poll(self, lanes: Sequence[Lane]) -> Polled:
        """What is due now, and which of the lanes have work."""
        timers = [DUE_KIND_CODES[kind] for kind in TIMERS]
        kinds, asked, awaited = (
            msgspec.json.encode(each).decode() for each in (list(DUE_KIND_CODES.values()), lanes, timers)
        )
        now_ms = self.now_ms
        with self.readers.reading() as connection:
            values = (now_ms, kinds, asked, awaited)
            found = connection.execute(self.sql["poll"], values).fetchone()
        due, has_overdue_acks, ready, timer_at_ms, opening_at_ms, has_openings = found
        next_at_ms = min((at_ms for at_ms in (timer_at_ms, opening_at_ms) if at_ms is not None), default=None)
        return Polled(
            [DUE_KINDS[code] for code in msgspec.json.decode(due, type=list[int])],
            bool(has_overdue_acks),
            [lanes[index] for index in msgspec.json.decode(ready, type=list[int])],
            None if next_at_ms is None else next_at_ms - now_ms,
            bool(has_openings),
        )

    def ready_needs(self, lane: Lane) -> list[tuple[str, ...]]:
        """Which sets of capabilities the work of a lane needs."""
        with self.readers.reading() as connection:
            (sets, *_) = connection.execute(self.sql["load_ready_capability_sets"], lane).fetchone()
            return [self.capabilities.tokens(each, connection) for each in msgspec.json.decode(sets, type=list[int])]

    def due(self, kind: DueKind, until_ms: int, after: Due | None, limit: int) -> list[Due]:
        """Due moments of one kind, earliest first."""
        values = (DUE_KIND_CODES[kind], until_ms, *due_position(after), limit)
        with self.readers.reading() as connection:
            rows = connection.execute(self.sql["find_due"], values).fetchall()
            return [Due(kind, at, id_of(partition, uuid)) for at, partition, uuid in rows]

    def expired(self, kind: Expiring[K], until_ms: int, limit: int) -> list[K]:
        """The keys of records whose time is over."""
        statement, before, key_in = EXPIRED[kind]
        with self.readers.reading() as connection:
            found = connection.execute(self.sql[statement], (*before, until_ms, limit)).fetchall()
        return [key_in(row) for row in found]

    def side_rows(self, after: ExecutionId | None, limit: int) -> SideRowsPage:
        """Blocked executions, with the groups for which they wait, and those with gates. Damaged records are skipped.

        Nothing else can need repair: in this store queue and due moments are indexes of the record, and SQLite keeps
        its indexes right.
        """
        position: Row = (-1, b"") if after is None else key_of(after)
        with self.readers.reading() as connection:
            keys: set[Key] = set()
            for statement in ("find_blocked", "find_gated", "find_at_gates"):
                keys.update(connection.execute(self.sql[statement], (*position, limit)).fetchall())
            page = sorted(keys)[:limit]
            rows = _side_rows([id_of(*key) for key in page], Graph(connection, self), GateRows(connection, self))
        return SideRowsPage(rows, id_of(*page[-1]) if len(page) == limit else None)

    def has_counts_to_tend(self) -> bool:
        """Whether many moves wait to be added up."""
        with self.readers.reading() as connection:
            return bool(connection.execute(self.sql["find_count_moves"], (FEW_MOVES,)).fetchone()[0])

    def miscounts(self) -> list[Miscount]:
        """The kept counts that differ from what there is."""
        with self.readers.reading() as connection:
            return [Miscount(*row) for row in connection.execute(self.sql["find_miscounts"]).fetchall()]

    def take_turn(self, holder: str, ttl_ms: int, after: ExecutionId | None) -> Turn:
        """Every process may walk: blocked executions and those with gates have indexes of their own."""
        return Turn(holder, self.now_ms + ttl_ms, after)


def _flow_id_of(uuid: bytes) -> FlowId:
    return FlowId(uuid_from_hex(uuid.hex()))


def _side_rows(execution_ids: Sequence[ExecutionId], graph: Graph, gate_rows: GateRows) -> list[SideRows]:
    """Executions with the groups for which they wait, in the given order, and whether their rows at gates are right."""
    try:
        executions = {x.execution_id: x for x in graph.executions(execution_ids)}
        groups = {group.downstream: group for group in graph.groups(execution_ids)}
        at_gates = gate_rows.rows_of(execution_ids)
    except Corruption as error:
        if len(execution_ids) == 1:
            log.error("a damaged execution is skipped: %s", error, extra={"cause": str(error)})
            return []
        return [row for key in execution_ids for row in _side_rows([key], graph, gate_rows)]
    found = [executions[key] for key in execution_ids if key in executions]
    return [
        SideRows(
            x,
            True,
            True,
            groups.get(x.execution_id) if x.eligibility_state == "blocked_by_dependencies" else None,
            same_rows(at_gates.get(x.execution_id, []), gate_rows_of(x)),
        )
        for x in found
    ]


EXPIRED: Final[Mapping[Expiring[Any], tuple[str, Row, Callable[[Row], Any]]]] = {
    expiring.IDEMPOTENCY_KEYS: ("find_expired_idempotency_keys", (), tuple),
    expiring.ANSWERS: ("find_expired_answers", (), tuple),
    expiring.WORKERS: ("find_silent_workers", (), tuple),
    expiring.ACKS: ("find_overdue_acks", (), lambda row: (_flow_id_of(row[1]), id_of(row[0], row[2]))),
    expiring.FLOWS: ("find_flows_to_purge", (), lambda row: _flow_id_of(row[1])),
    expiring.EVENTS: ("find_old_events", (NO_PARTITION,), lambda row: row[0]),
    expiring.ACCESS_TOKENS: ("find_dead_access_tokens", (), lambda row: row[0]),
}
"""By kind of record: the statement that finds the keys, its values before the instant, and a row's key."""
