"""Reads of waitpoints, signals, aliases and signing keys: each read takes a set of keys, and makes few calls."""

import sqlite3
from collections.abc import Iterable

from flowfabric.domain.batch_io import AliasKeyAt, KeyInNamespace, SignalKeyAt, SignalNumber, WaitpointKey
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.waiting import Alias, KeyRing, SignalKey, SignalMark, StoredSignal, StoredWaitpoint
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores._shared.waiting import alias_of, damaged, key_ring_of, waitpoint_of
from flowfabric.stores.sqlite.json_rows import (
    ALIASES,
    SIGNAL_KEYS,
    SIGNALS,
    WAITPOINTS,
    Row,
    SignalKeyRow,
    SignalRow,
    WaitpointRow,
    calls,
)
from flowfabric.stores.sqlite.rows import id_of, key_of


class WaitRows:
    """Reads on one connection, inside one transaction. The results are in no order unless a method says so."""

    def __init__(self, connection: sqlite3.Connection, sql: Statements) -> None:
        self._connection = connection
        self._sql = sql

    def waitpoints(self, keys: Iterable[WaitpointKey]) -> list[StoredWaitpoint]:
        """Those of the waitpoints that exist."""
        at = [(*key_of(execution_id), key) for execution_id, key in keys]
        return [_waitpoint(row) for row in WAITPOINTS.read_all(self._connection, self._sql, "load_waitpoints", at)]

    def waitpoints_of(self, execution_ids: Iterable[ExecutionId]) -> list[tuple[StoredWaitpoint, int]]:
        """All waitpoints of the executions, and how many kept signals each has."""
        at = [key_of(key) for key in execution_ids]
        rows = WAITPOINTS.read_all(self._connection, self._sql, "load_waitpoints_of_executions", at)
        return [(_waitpoint(row), row.kept_signals) for row in rows]

    def waitpoint_of_id(self, execution_id: ExecutionId, waitpoint_id: str) -> StoredWaitpoint | None:
        """The waitpoint of the execution that has this id."""
        at = (*key_of(execution_id), waitpoint_id)
        rows = WAITPOINTS.read(self._connection, self._sql["load_waitpoint_of_id"], at)
        return _waitpoint(rows[0]) if rows else None

    def signals(self, numbers: Iterable[SignalNumber]) -> list[StoredSignal]:
        """Those of the signals that exist, with their payloads."""
        at = [(*key_of(execution_id), number) for execution_id, number in numbers]
        found = []
        for row in SIGNALS.read_all(self._connection, self._sql, "load_signals", at):
            signal = _signal(row, b"" if row.payload is None else bytes.fromhex(row.payload))
            if row.payload is None:
                key = (*key_of(signal.execution_id), signal.number)
                (payload,) = self._connection.execute(self._sql["load_signal_payload"], key).fetchone()
                signal = _signal(row, payload)
            found.append(signal)
        return found

    def signals_of(self, execution_ids: Iterable[ExecutionId]) -> list[StoredSignal]:
        """All signals of the executions, without their payloads."""
        at = [key_of(key) for key in execution_ids]
        rows = SIGNALS.read_all(self._connection, self._sql, "load_signals_of_executions", at)
        return [_signal(row, b"") for row in rows]

    def signals_at(self, execution_id: ExecutionId, key: str | None, after: int, limit: int) -> list[StoredSignal]:
        """The signals of an execution, or of one of its waitpoints, with their payloads, in the order of arrival."""
        where = (*key_of(execution_id), key, after, limit)
        numbers = self._connection.execute(self._sql["list_signal_numbers"], where).fetchall()
        return sorted(self.signals((execution_id, number) for (number,) in numbers), key=_number)

    def kept_signals(self, keys: Iterable[WaitpointKey], most: int) -> dict[WaitpointKey, list[SignalMark]]:
        """The oldest signals of the waitpoints that no wait has taken, at most so many, in the order of arrival."""
        at: list[Row] = [(*key_of(execution_id), key) for execution_id, key in keys]
        kept: dict[WaitpointKey, list[StoredSignal]] = {}
        for sql, values in calls(self._sql, "load_kept_signals", at):
            for row in SIGNALS.read(self._connection, sql, (*values, most)):
                signal = _signal(row, b"")
                kept.setdefault((signal.execution_id, signal.key), []).append(signal)
        return {
            key: [SignalMark(each.number, each.key, each.name, each.source) for each in sorted(found, key=_number)]
            for key, found in kept.items()
        }

    def signal_keys(self, keys: Iterable[SignalKeyAt]) -> list[SignalKey]:
        """Those of the idempotency keys of signals that exist."""
        at = [(*key_of(execution_id), *rest) for execution_id, *rest in keys]
        return [_signal_key(row) for row in SIGNAL_KEYS.read_all(self._connection, self._sql, "load_signal_keys", at)]

    def alias_keys(self, keys: Iterable[AliasKeyAt]) -> dict[AliasKeyAt, SignalKey]:
        """The signals that were sent to aliases with these idempotency keys."""
        found: dict[AliasKeyAt, SignalKey] = {}
        for row in SIGNAL_KEYS.read_all(self._connection, self._sql, "load_alias_keys", list(keys)):
            key = _signal_key(row)
            assert key.alias is not None
            found[key.namespace, key.alias, key.idempotency_key] = key
        return found

    def aliases(self, keys: Iterable[KeyInNamespace]) -> list[Alias]:
        """Those of the aliases that an execution has."""
        found = []
        for row in ALIASES.read_all(self._connection, self._sql, "load_aliases", list(keys)):
            if row.damaged is not None:
                raise damaged("ff_alias", f"{row.namespace}, {row.alias}", row.damaged, "cannot be read")
            execution_id = id_of(row.partition_key, bytes.fromhex(row.execution_id))
            found.append(alias_of(row.namespace, row.alias, execution_id, row.key, row.terminal_outcome))
        return found

    def key_ring(self, name: str) -> KeyRing | None:
        """The keys that sign tokens, if the store keeps some."""
        row = self._connection.execute(self._sql["load_key_ring"], (name,)).fetchone()
        return None if row is None else key_ring_of(name, row[0])


def _waitpoint(row: WaitpointRow) -> StoredWaitpoint:
    execution_id = id_of(row.partition_key, bytes.fromhex(row.execution_id))
    if row.damaged is not None:
        raise damaged("ff_waitpoint", f"{execution_id}, {row.key}", row.damaged, "cannot be read")
    return waitpoint_of(
        execution_id,
        (
            row.key,
            row.life,
            row.waitpoint_id,
            row.created_at_ms,
            row.token_kid,
            row.expires_at_ms,
            row.about,
            row.alias,
            row.closed_reason,
            row.subjects,
        ),
    )


def _signal(row: SignalRow, payload: bytes) -> StoredSignal:
    execution_id = id_of(row.partition_key, bytes.fromhex(row.execution_id))
    if row.damaged is not None:
        raise damaged("ff_signal", f"{execution_id}, {row.number}", row.damaged, "cannot be read")
    return StoredSignal(
        execution_id,
        row.number,
        row.signal_id,
        row.waitpoint_id,
        row.key,
        row.name,
        row.source,
        row.claimed_source,
        row.delivered_at_ms,
        payload,
        row.taken_by,
    )


def _signal_key(row: SignalKeyRow) -> SignalKey:
    execution_id = id_of(row.partition_key, bytes.fromhex(row.execution_id))
    if row.damaged is not None:
        key = f"{execution_id}, {row.key}, {row.idempotency_key}"
        raise damaged("ff_signal_key", key, row.damaged, "cannot be read")
    fingerprint = bytes.fromhex(row.fingerprint)
    return SignalKey(execution_id, row.key, row.idempotency_key, fingerprint, row.signal_id, row.namespace, row.alias)


def _number(signal: StoredSignal) -> int:
    return signal.number
