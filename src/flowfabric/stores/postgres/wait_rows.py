"""Waitpoints, signals, their keys, aliases and key rings as arrays for PostgreSQL, and rows as records."""

from collections.abc import Iterable, Sequence

from flowfabric.domain.batch_io import AliasKeyAt, KeyInNamespace, SignalKeyAt, SignalNumber, WaitpointKey
from flowfabric.domain.ids import make_execution_id, partition_in, uuid_in
from flowfabric.domain.waiting import Alias, KeyRing, SignalKey, StoredSignal, StoredWaitpoint
from flowfabric.stores._shared.waiting import alias_of, key_ring_of, keys_text, waitpoint_columns, waitpoint_of
from flowfabric.stores.postgres.rows import Arrays, Row, blobs, keys, numbers, texts, words


def waitpoint_keys(of: Iterable[WaitpointKey]) -> Arrays:
    """The key columns of ff_waitpoint."""
    wanted = list(of)
    return {**keys(execution_id for execution_id, _ in wanted), "key": texts(key for _, key in wanted)}


def waitpoints(rows: Sequence[StoredWaitpoint]) -> Arrays:
    """Every column of ff_waitpoint."""
    key, life, waitpoint_id, created_at_ms, kid, expires_at_ms, about, alias, closed_reason, subjects = zip(
        *map(waitpoint_columns, rows), strict=True
    )
    return {
        **keys(row.execution_id for row in rows),
        "key": texts(key),
        "life": numbers(life),
        "waitpoint_id": texts(waitpoint_id),
        "created_at_ms": numbers(created_at_ms),
        "token_kid": texts(kid),
        "expires_at_ms": numbers(expires_at_ms),
        "about": texts(about),
        "alias": texts(alias),
        "closed_reason": texts(closed_reason),
        "subjects": texts(subjects),
    }


def waitpoint_in(row: Row) -> StoredWaitpoint:
    """The waitpoint that a row spells."""
    return waitpoint_of(make_execution_id(row[0], row[1]), row[2:])


def kept_keys(of: Iterable[tuple[WaitpointKey, int]]) -> Arrays:
    """The waitpoints whose kept signals are read, and how many of each at most."""
    wanted = list(of)
    return {**waitpoint_keys(at for at, _ in wanted), "most": numbers(most for _, most in wanted)}


def signal_numbers(of: Iterable[SignalNumber]) -> Arrays:
    """The key columns of ff_signal."""
    wanted = list(of)
    return {**keys(execution_id for execution_id, _ in wanted), "number": numbers(number for _, number in wanted)}


def takings(taken: Sequence[tuple[SignalNumber, str | None]]) -> Arrays:
    """Which wait has taken each signal."""
    return {**signal_numbers(at for at, _ in taken), "taken_by": texts(name for _, name in taken)}


def signals(rows: Sequence[StoredSignal]) -> Arrays:
    """Every column of ff_signal."""
    return {
        **signal_numbers((row.execution_id, row.number) for row in rows),
        "signal_id": texts(row.signal_id for row in rows),
        "waitpoint_id": texts(row.waitpoint_id for row in rows),
        "key": texts(row.key for row in rows),
        "name": texts(row.name for row in rows),
        "source": texts(row.source for row in rows),
        "claimed_source": texts(row.claimed_source for row in rows),
        "delivered_at_ms": numbers(row.delivered_at_ms for row in rows),
        "taken_by": texts(row.taken_by for row in rows),
        "payload": blobs(row.payload for row in rows),
    }


def signal_in(row: Row) -> StoredSignal:
    """The signal that a row spells. A row without the payload spells a signal with empty bytes."""
    partition, uuid, number, signal_id, waitpoint_id, key, name, source, claimed_source, at, taken_by, *read = row
    payload = bytes(read[0]) if read else b""
    of = make_execution_id(partition, uuid)
    return StoredSignal(of, number, signal_id, waitpoint_id, key, name, source, claimed_source, at, payload, taken_by)


def signal_key_keys(of: Iterable[SignalKeyAt]) -> Arrays:
    """The key columns of ff_signal_key."""
    wanted = list(of)
    at = waitpoint_keys((execution_id, key) for execution_id, key, _ in wanted)
    return {**at, "idempotency_key": texts(name for *_, name in wanted)}


def alias_key_keys(of: Iterable[AliasKeyAt]) -> Arrays:
    """The columns of ff_signal_key by which a repeated signal to an alias is found."""
    wanted = list(of)
    at = alias_keys((namespace, alias) for namespace, alias, _ in wanted)
    return {**at, "idempotency_key": texts(name for *_, name in wanted)}


def signal_keys(rows: Sequence[SignalKey]) -> Arrays:
    """Every column of ff_signal_key."""
    return {
        **signal_key_keys((row.execution_id, row.key, row.idempotency_key) for row in rows),
        "fingerprint": blobs(row.fingerprint for row in rows),
        "signal_id": texts(row.signal_id for row in rows),
        "namespace": texts(row.namespace for row in rows),
        "alias": texts(row.alias for row in rows),
    }


def signal_key_in(row: Row) -> SignalKey:
    """The key of a signal that a row spells."""
    partition, uuid, key, idempotency_key, fingerprint, signal_id, namespace, alias = row
    of = make_execution_id(partition, uuid)
    return SignalKey(of, key, idempotency_key, bytes(fingerprint), signal_id, namespace, alias)


def alias_keys(of: Iterable[KeyInNamespace]) -> Arrays:
    """The key columns of ff_alias."""
    wanted = list(of)
    return {"namespace": texts(namespace for namespace, _ in wanted), "alias": texts(alias for _, alias in wanted)}


def aliases(rows: Sequence[Alias]) -> Arrays:
    """Every column of ff_alias."""
    return {
        **alias_keys((row.namespace, row.alias) for row in rows),
        "partition_key": numbers(partition_in(row.execution_id) for row in rows),
        "execution_id": words(uuid_in(row.execution_id) for row in rows),
        "key": texts(row.key for row in rows),
    }


def alias_in(row: Row) -> Alias:
    """The alias that a row spells, with the outcome of its holder."""
    namespace, alias, partition, uuid, key, outcome = row
    return alias_of(namespace, alias, make_execution_id(partition, uuid), key, outcome)


def ring_names(names: Iterable[str]) -> Arrays:
    """The key column of ff_key_ring."""
    return {"name": texts(names)}


def key_rings(rows: Sequence[KeyRing]) -> Arrays:
    """Every column of ff_key_ring."""
    return {**ring_names(ring.name for ring in rows), "keys": texts(map(keys_text, rows))}


def key_ring_in(row: Row) -> KeyRing:
    """The key ring that a row spells."""
    return key_ring_of(*row)
