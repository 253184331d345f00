"""What executions wait for, and what was sent to them, as column values: the same in every SQL store, and back.

An inbox, the subjects of a waitpoint and a ring of signing keys are JSON text. A value that does not parse raises
Corruption, which names table, key and column, and never shows a secret.
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from flowfabric.domain.children import ChildPlace
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.states import TERMINAL_OUTCOMES
from flowfabric.domain.waiting import Alias, Inbox, KeyRing, SigningKey, StoredWaitpoint

_INBOX: Final = msgspec.json.Decoder(Inbox)
_CHILD_PLACE: Final = msgspec.json.Decoder(ChildPlace)
_SUBJECTS: Final = msgspec.json.Decoder(tuple[str, ...])
_KEYS: Final = msgspec.json.Decoder(tuple[SigningKey, ...])

WAITPOINT_COLUMNS: Final = (
    *("key", "life", "waitpoint_id", "created_at_ms", "token_kid", "expires_at_ms", "about", "alias"),
    *("closed_reason", "subjects"),
)
"""The columns of ff_waitpoint after those that name the execution, in the order of the row."""


def inbox_text(inbox: Inbox | None) -> str | None:
    """An inbox as it is stored."""
    return None if inbox is None else msgspec.json.encode(inbox).decode()


def inbox_of(text: str | None) -> Inbox | None:
    """The inbox that was stored. Raises what msgspec raises: the caller knows whose inbox it is."""
    return None if text is None else _INBOX.decode(text)


def child_place_text(place: ChildPlace | None) -> str | None:
    """The place of a child as it is stored."""
    return None if place is None else msgspec.json.encode(place).decode()


def child_place_of(text: str | None) -> ChildPlace | None:
    """The place that was stored. Raises what msgspec raises: the caller knows whose place it is."""
    return None if text is None else _CHILD_PLACE.decode(text)


def waiting_since_ms(x: Execution) -> int | None:
    """When the oldest open wait of a suspended execution began. It is stored, so that a list can be sorted by it.

    Other executions have none, even if they wait: an update that changes this column touches its index.
    """
    if x.lifecycle_phase != "suspended" or x.inbox is None or not x.inbox.waits:
        return None
    return x.inbox.waits[0].since_ms


def waitpoint_columns(waitpoint: StoredWaitpoint) -> tuple[Any, ...]:
    """The values of `WAITPOINT_COLUMNS`."""
    return (
        waitpoint.key,
        waitpoint.life,
        waitpoint.waitpoint_id,
        waitpoint.created_at_ms,
        waitpoint.token_kid,
        waitpoint.expires_at_ms,
        waitpoint.about,
        waitpoint.alias,
        waitpoint.closed_reason,
        msgspec.json.encode(waitpoint.subjects).decode() if waitpoint.subjects else None,
    )


def waitpoint_of(execution_id: ExecutionId, columns: Sequence[Any]) -> StoredWaitpoint:
    """The waitpoint that the values of `WAITPOINT_COLUMNS` spell."""
    key, life, waitpoint_id, created_at_ms, kid, expires_at_ms, about, alias, closed_reason, subjects = columns
    try:
        persons = () if subjects is None else _SUBJECTS.decode(subjects)
    except msgspec.MsgspecError as error:
        raise damaged("ff_waitpoint", f"{execution_id}, {key}", "subjects", f"does not parse ({error})") from error
    return StoredWaitpoint(
        execution_id, key, life, waitpoint_id, created_at_ms, kid, expires_at_ms, about, alias, closed_reason, persons
    )


def alias_of(namespace: str, alias: str, execution_id: ExecutionId, key: str, outcome: int) -> Alias:
    """An alias, with the stored outcome of the execution that has it."""
    if not 0 <= outcome < len(TERMINAL_OUTCOMES):
        raise damaged("ff_exec_core", execution_id, "terminal_outcome", f"does not parse ({outcome})")
    return Alias(namespace, alias, execution_id, key, TERMINAL_OUTCOMES[outcome])


def keys_text(ring: KeyRing) -> str:
    """The keys of a ring as they are stored."""
    return msgspec.json.encode(ring.keys).decode()


def key_ring_of(name: str, keys: str) -> KeyRing:
    """The ring whose keys were stored."""
    try:
        return KeyRing(name, _KEYS.decode(keys))
    except msgspec.MsgspecError as error:
        raise Corruption(
            f"ff_key_ring, key {name}: column keys does not parse ({error}). Restore the row from a backup: tokens "
            "that were signed with lost keys are refused."
        ) from error


def damaged(table: str, key: str, column: str, finding: str) -> Corruption:
    """The error that names a damaged column."""
    return Corruption(f"{table}, key {key}: column {column} {finding}. Repair or delete the row.")
