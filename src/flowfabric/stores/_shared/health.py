"""The facts that the rules of health examine, made from rows that look the same in every SQL store."""

from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

import msgspec

from flowfabric.domain.counting import Miscount
from flowfabric.domain.errors import Corruption, SchemaMismatch
from flowfabric.domain.execution import DUE_KINDS, DueKind
from flowfabric.domain.gates import Gates
from flowfabric.domain.health.facts import EndlessWaits, Failures, HeldLeases, HeldWork, Overdue, Queue, Schema, Work
from flowfabric.domain.health.gates import GateFacts
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.limits import KeyUse
from flowfabric.domain.waiting import is_good_until
from flowfabric.stores._shared.capability_sets import split
from flowfabric.stores._shared.counts import kept_of
from flowfabric.stores._shared.encoding import DUE_KIND_CODES
from flowfabric.stores._shared.gates import budget_of, budget_use_of, gates_of
from flowfabric.stores._shared.migrate import Applied, Migration, pending
from flowfabric.stores._shared.schedules import schedule_of
from flowfabric.stores._shared.workers import worker_of

Row = tuple[Any, ...]

_TOKENS: Final = msgspec.json.Decoder(tuple[str, ...])
_OF_RUNNING: Final[tuple[DueKind, ...]] = ("lease", "attempt_timeout", "deadline", "wait")
DUE_KINDS_OF_RUNNING: Final = [DUE_KIND_CODES[kind] for kind in _OF_RUNNING]
"""One of these is the next due moment of an execution that runs."""
_OF_SUSPENDED: Final[tuple[DueKind, ...]] = ("wait", "deadline")
DUE_KINDS_OF_SUSPENDED: Final = [DUE_KIND_CODES[kind] for kind in _OF_SUSPENDED]
"""One of these is the next due moment of a suspended execution that ends by itself."""
ALL_DUE_KINDS: Final = list(DUE_KIND_CODES.values())


def schema_of(known: list[Migration], applied: dict[int, Applied]) -> Schema:
    """Which migrations a database has and lacks, by its table of versions."""
    newest = max(applied, default=0)
    try:
        pending(known, applied, "The database")
    except SchemaMismatch as error:
        return Schema(newest, len(known), str(error))
    return Schema(newest, len(known))


def work_of(
    *,
    workers: Iterable[Row],
    leases: Iterable[Row],
    waiting: Iterable[Row],
    due: Iterable[Row],
    overdue_acks: Iterable[Row],
    schedules: Iterable[Row],
    lanes: Iterable[Row],
    kept: Iterable[Row],
    kept_flows: Iterable[Row],
    held: Iterable[Row],
    failed: Iterable[Row],
    endless: Iterable[Row],
    ends_of_secrets: Iterable[Row],
    now_ms: int,
    openings: Iterable[Row],
    leased_gates: Iterable[Row],
    key_uses: Iterable[Row],
    budgets: Iterable[Row],
    budget_uses: Iterable[Row],
    miscounts: Iterable[Row],
) -> Work:
    """The work that waits or runs, and the workers that can do it."""
    overdue = [Overdue(DUE_KINDS[kind], count, oldest_ms) for kind, count, oldest_ms in due]
    overdue += [Overdue("acknowledgement", count, oldest_ms) for count, oldest_ms in overdue_acks if count]
    overdue += [Overdue("gate", count, oldest_ms) for count, oldest_ms in openings if count]
    return Work(
        [worker_of(row) for row in workers],
        [_leases_of(*row) for row in leases],
        _queues_of(waiting),
        overdue,
        [schedule_of(row) for row in schedules],
        [LaneState(*row) for row in lanes],
        kept_of(kept, kept_flows),
        [_held_of(*row) for row in held],
        [Failures(namespace, int(executions), int(flows)) for namespace, executions, flows in failed],
        [_endless_of(*row) for row in endless],
        sum(is_good_until(end_ms, now_ms) for (end_ms,) in ends_of_secrets),
        GateFacts(
            [(namespace, _gates_in(text)) for namespace, text in leased_gates],
            [KeyUse(*row) for row in key_uses],
            [budget_of(row) for row in budgets],
            [budget_use_of(row) for row in budget_uses],
        ),
        [Miscount(*row) for row in miscounts],
    )


def _gates_in(text: str) -> Gates:
    try:
        return gates_of(text, is_leased=True) or Gates()
    except msgspec.MsgspecError as error:
        raise Corruption(
            f"ff_exec_core: column gates does not parse ({error}). Repair the row, or restore a backup."
        ) from error


def _queues_of(waiting: Iterable[Row]) -> list[Queue]:
    """What waits by lane and capabilities. Executions without gates, with gates and with fair keys count together."""
    queues: dict[tuple[str, str, tuple[str, ...]], Queue] = {}
    for namespace, lane, tokens, count, oldest_ms in waiting:
        at = (namespace, lane, _tokens_in(tokens))
        known = queues.get(at)
        if known is not None:
            count, oldest_ms = known.count + count, min(known.oldest_ms, oldest_ms)
        queues[at] = Queue(*at, count, oldest_ms)
    return list(queues.values())


def _leases_of(namespace: str, worker: str, count: int, first_ms: int, last_ms: int, *ids: str) -> HeldLeases:
    return HeldLeases(namespace, worker, count, first_ms, last_ms, _uuids(*ids))


def _held_of(namespace: str, count: int, since_ms: int | None, *ids: str) -> HeldWork:
    return HeldWork(namespace, count, since_ms, _uuids(*ids))


def _endless_of(namespace: str, count: int, since_ms: int, *ids: str) -> EndlessWaits:
    return EndlessWaits(namespace, count, since_ms, _uuids(*ids))


def _uuids(first: str, last: str) -> list[str]:
    """One or two ids as people write them."""
    return [str(UUID(text)) for text in dict.fromkeys((first, last))]


def _tokens_in(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    try:
        return split(_TOKENS.decode(text))[1]
    except msgspec.MsgspecError as error:
        raise Corruption(
            f"ff_capability_set: column tokens does not parse ({error}). Repair the row, or restore a backup."
        ) from error
