"""Reading rows: each statement returns one JSON array, and there are as few statements as possible."""

import codecs
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec

from flowfabric.stores._shared.encoding import (
    StoredExecution,
)
from flowfabric.stores._shared.flows import (
    StoredEdge,
    StoredFlow,
    StoredGroup,
)
from flowfabric.stores._shared.statements import ROWS_MAX, Statements
from flowfabric.stores.sqlite.connection import is_undecodable

Key = tuple[int, bytes]
Row = tuple[Any, ...]


class StoredBacklog(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_cancel_backlog as the statements spell it."""

    partition_key: int
    flow_id: str
    requested_at_ms: int
    pending_count: int
    damaged: str | None = None


class StoredAck(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_cancel_backlog_member as the statements spell it."""

    partition_key: int
    flow_id: str
    execution_id: str
    overdue_at_ms: int
    damaged: str | None = None


class WaitpointRow(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_waitpoint as the statements spell it."""

    partition_key: int
    execution_id: str
    key: str
    life: int
    waitpoint_id: str
    created_at_ms: int
    token_kid: str
    expires_at_ms: int | None
    about: str | None
    alias: str | None
    closed_reason: str | None
    subjects: str | None
    kept_signals: int = 0
    damaged: str | None = None


class SignalRow(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_signal as the statements spell it."""

    partition_key: int
    execution_id: str
    number: int
    signal_id: str
    waitpoint_id: str
    key: str
    name: str
    source: str
    claimed_source: str
    delivered_at_ms: int
    taken_by: str | None
    payload: str | None = None
    """The payload in hexadecimal; None if the statement does not read it, or if it is large."""
    damaged: str | None = None


class SignalKeyRow(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_signal_key as the statements spell it."""

    partition_key: int
    execution_id: str
    key: str
    idempotency_key: str
    fingerprint: str
    signal_id: str
    namespace: str
    alias: str | None
    damaged: str | None = None


class AliasRow(msgspec.Struct, array_like=True, gc=False, forbid_unknown_fields=True):
    """A row of ff_alias as the statements spell it, with the outcome of its execution."""

    namespace: str
    alias: str
    partition_key: int
    execution_id: str
    key: str
    terminal_outcome: int
    damaged: str | None = None


Stored = TypeVar(
    "Stored",
    StoredExecution,
    StoredFlow,
    StoredEdge,
    StoredGroup,
    StoredBacklog,
    StoredAck,
    WaitpointRow,
    SignalRow,
    SignalKeyRow,
    AliasRow,
)


class JsonRows(Generic[Stored]):
    """Rows of one kind, which statements return as one JSON array."""

    def __init__(self, kind: type[Stored], decoder: msgspec.json.Decoder[list[Stored]]) -> None:
        self._decoder: msgspec.json.Decoder[list[Stored]] = decoder
        self._texts = [field.name for field in msgspec.structs.fields(kind) if field.type in (str, str | None)]

    def read(self, connection: sqlite3.Connection, statement: str, values: Sequence[object]) -> list[Stored]:
        """The rows of a statement. A row that cannot be read names its damaged column."""
        rows: list[Stored]
        try:
            rows = self._decoder.decode(connection.execute(statement, values).fetchone()[0])
        except sqlite3.OperationalError as error:
            if not is_undecodable(error):
                raise
        else:
            return rows
        # One text that is not UTF-8 spoils the whole array. Read again, and mark the damage by a character that no text
        # has.
        connection.text_factory = _marking_damage
        try:
            rows = self._decoder.decode(connection.execute(statement, values).fetchone()[0])
        finally:
            connection.text_factory = str
        for row in rows:
            row.damaged = next((column for column in self._texts if "\0" in (getattr(row, column) or "")), None)
        return rows

    def read_all(
        self, connection: sqlite3.Connection, sql: Statements, statement: str, keys: Sequence[Row]
    ) -> list[Stored]:
        """The rows that a repeated statement finds for keys, in as few calls as possible."""
        return [row for text, values in calls(sql, statement, keys) for row in self.read(connection, text, values)]

    def decode(self, answer: str | bytes) -> list[Stored]:
        """The rows in an answer that was fetched elsewhere."""
        return self._decoder.decode(answer)


def calls(sql: Statements, statement: str, keys: Sequence[Row]) -> Iterator[tuple[str, list[object]]]:
    """A repeated statement and its values for all keys, in as few calls as possible."""
    for at in range(0, len(keys), ROWS_MAX):
        part = keys[at : at + ROWS_MAX]
        count = 1 << (len(part) - 1).bit_length()
        values: list[object] = [value for key in part for value in key]
        # Filled up to a power of two with null keys, which match no row.
        values += [None] * ((count - len(part)) * len(part[0]))
        yield sql.repeated(statement, count), values


def _marking_damage(data: bytes) -> str:
    return data.decode("utf-8", "flowfabric_damage")


def _mark(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "\\u0000", error.end


codecs.register_error("flowfabric_damage", _mark)

EXECUTIONS: Final = JsonRows(StoredExecution, msgspec.json.Decoder(list[StoredExecution]))
FLOWS: Final = JsonRows(StoredFlow, msgspec.json.Decoder(list[StoredFlow]))
EDGES: Final = JsonRows(StoredEdge, msgspec.json.Decoder(list[StoredEdge]))
GROUPS: Final = JsonRows(StoredGroup, msgspec.json.Decoder(list[StoredGroup]))
BACKLOGS: Final = JsonRows(StoredBacklog, msgspec.json.Decoder(list[StoredBacklog]))
ACKS: Final = JsonRows(StoredAck, msgspec.json.Decoder(list[StoredAck]))
WAITPOINTS: Final = JsonRows(WaitpointRow, msgspec.json.Decoder(list[WaitpointRow]))
SIGNALS: Final = JsonRows(SignalRow, msgspec.json.Decoder(list[SignalRow]))
SIGNAL_KEYS: Final = JsonRows(SignalKeyRow, msgspec.json.Decoder(list[SignalKeyRow]))
ALIASES: Final = JsonRows(AliasRow, msgspec.json.Decoder(list[AliasRow]))
