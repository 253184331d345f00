"""What a batch may see, and what it has changed.

A store loads what `Needs` names into `Loaded`; decisions read and change it through a `WorkingSet`, in arrival
order, so each sees what the ones before it did; what differs at the end is `Changes`, and the store saves that.
A refused command is undone: its neighbours never learn of it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from flowfabric.domain.errors import NotFound
from flowfabric.domain.events import Event
from flowfabric.domain.execution import (
    Attempt,
    Due,
    Execution,
    IdempotencyKey,
    Ready,
    queue_order,
    ready_of,
)
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.outcomes import RememberedAnswer
from flowfabric.domain.states import Channel

KeyInNamespace = tuple[str, str]


class NotLoaded(AssertionError):
    """A decision read something that its needs did not ask for: our bug, found before it becomes a race."""


class ClaimNeed(msgspec.Struct, frozen=True):
    """Which part of the queue a claim reads."""

    namespace: str
    lanes: tuple[str, ...]
    capabilities: frozenset[str]

    def admits(self, ready: Ready) -> bool:
        """Whether a claim of this kind may take the execution."""
        return (
            ready.lane in self.lanes
            and ready.namespace == self.namespace
            and self.capabilities.issuperset(ready.required_capabilities)
        )


class Needs(msgspec.Struct):
    """Everything a batch must see before it can be decided."""

    executions: set[ExecutionId] = msgspec.field(default_factory=set)
    payloads: set[ExecutionId] = msgspec.field(default_factory=set)
    """Executions whose payload is compared with another one."""
    idempotency_keys: set[KeyInNamespace] = msgspec.field(default_factory=set)
    answers: set[KeyInNamespace] = msgspec.field(default_factory=set)
    claims: dict[ClaimNeed, int] = msgspec.field(default_factory=dict)
    """How many candidates each claim could use at most."""

    @property
    def is_empty(self) -> bool:
        """True if nothing has to be seen."""
        return not (self.executions or self.payloads or self.idempotency_keys or self.answers or self.claims)


class Loaded(msgspec.Struct):
    """What a store found. Between load and commit nobody else changes these records."""

    executions: dict[ExecutionId, Execution] = msgspec.field(default_factory=dict)
    payloads: dict[ExecutionId, bytes] = msgspec.field(default_factory=dict)
    """Of those asked for, and of all candidates."""
    idempotency_keys: dict[KeyInNamespace, IdempotencyKey] = msgspec.field(default_factory=dict)
    answers: dict[KeyInNamespace, RememberedAnswer] = msgspec.field(default_factory=dict)
    candidates: dict[ClaimNeed, list[Ready]] = msgspec.field(default_factory=dict)
    """In queue order, with their executions loaded."""


class Changes(msgspec.Struct):
    """What a batch has changed, for a store to write as sets."""

    executions: list[tuple[Execution | None, Execution | None]]
    """(before, after): None before is new, None after is gone with everything that belongs to it."""
    payloads: Mapping[ExecutionId, bytes]
    results: Mapping[ExecutionId, bytes | None]
    """None: there is no result any more."""
    attempts: Mapping[tuple[ExecutionId, int], Attempt]
    events: list[Event]
    idempotency_keys: Mapping[KeyInNamespace, IdempotencyKey | None]
    answers: Mapping[KeyInNamespace, RememberedAnswer | None]
    stale_ready: list[Ready]
    """Rows of the queue that no record stands behind."""
    stale_due: list[Due]
    repaired: list[Execution]
    """Records whose side rows are to be written whether they changed or not."""
    forget_batches_before_ms: int | None

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to write."""
        return not (
            self.executions
            or self.results
            or self.events
            or self.idempotency_keys
            or self.answers
            or self.stale_ready
            or self.stale_due
            or self.repaired
            or self.forget_batches_before_ms is not None
        )


class WorkingSet:
    """The records of one batch as decisions see them."""

    def __init__(self, loaded: Loaded, needs: Needs, *, now_ms: int, store: str) -> None:
        self.now_ms = now_ms
        self.store = store
        self.forget_batches_before_ms: int | None = None
        self._needs = needs
        self._loaded = loaded
        self._executions: dict[ExecutionId, Execution | None] = {}
        self._payloads: dict[ExecutionId, bytes] = {}
        self._results: dict[ExecutionId, bytes | None] = {}
        self._attempts: dict[tuple[ExecutionId, int], Attempt] = {}
        self._idempotency_keys: dict[KeyInNamespace, IdempotencyKey | None] = {}
        self._answers: dict[KeyInNamespace, RememberedAnswer | None] = {}
        self._events: list[Event] = []
        self._newly_ready: list[Ready] = []
        self._taken: dict[ClaimNeed, int] = {}
        self._stale_ready: list[Ready] = []
        self._stale_due: list[Due] = []
        self._repaired: list[Execution] = []
        self._journal: list[tuple[dict[Any, Any], Any, Any]] = []
        self._events_kept = 0

    # ── one command at a time ────────────────────────────────────────────────────────────────────

    def begin(self) -> None:
        """From here on `undo` comes back to this point."""
        self._journal.clear()
        self._events_kept = len(self._events)

    def undo(self) -> None:
        """Forget everything since `begin`."""
        for table, key, before in reversed(self._journal):
            if before is _ABSENT:
                del table[key]
            else:
                table[key] = before
        self._journal.clear()
        del self._events[self._events_kept :]

    def _set(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        self._journal.append((table, key, table.get(key, _ABSENT)))
        table[key] = value

    # ── executions ───────────────────────────────────────────────────────────────────────────────

    def find(self, execution_id: ExecutionId) -> Execution | None:
        """The execution as it is now, or None if there is none."""
        if execution_id in self._executions:
            return self._executions[execution_id]
        x = self._loaded.executions.get(execution_id)
        if x is None and execution_id not in self._needs.executions:
            raise NotLoaded(execution_id)
        return x

    def execution(self, execution_id: ExecutionId, scope: str | None) -> Execution:
        """The execution as it is now; one of another namespace is as unknown as one that never was."""
        x = self.find(execution_id)
        if x is None or (scope is not None and x.namespace != scope):
            raise NotFound(
                "execution",
                f"There is no execution {execution_id}{'' if scope is None else f' in namespace {scope!r}'}. "
                "Check the id; it may also have been purged by its retention.",
            )
        return x

    def put(self, x: Execution) -> None:
        """Make this the execution's state."""
        self._set(self._executions, x.execution_id, x)
        ready = ready_of(x)
        if ready is not None:
            self._newly_ready.append(ready)

    def remove(self, x: Execution) -> None:
        """Make the execution and everything that belongs to it disappear."""
        self._set(self._executions, x.execution_id, None)

    def emit(
        self, x: Execution, channel: Channel, event_type: str, details: Mapping[str, object] | None = None
    ) -> Execution:
        """Append to the log; the returned record has counted the event and is still to be put."""
        x = msgspec.structs.replace(x, event_seq=x.event_seq + 1)
        self.append_event(x, channel, event_type, details or {})
        return x

    def append_event(self, x: Execution, channel: Channel, event_type: str, details: Mapping[str, object]) -> None:
        """Append to the log the event that the record has already counted."""
        self._events.append(
            Event(0, channel, event_type, x.namespace, x.execution_id, x.flow_id, x.event_seq, details, self.now_ms)
        )

    def payload(self, execution_id: ExecutionId) -> bytes:
        """The execution's payload, if it was asked for or is new in this batch."""
        payload = self._payloads.get(execution_id)
        if payload is None:
            payload = self._loaded.payloads.get(execution_id)
        if payload is None:
            raise NotLoaded(("payload", execution_id))
        return payload

    def put_payload(self, execution_id: ExecutionId, payload: bytes) -> None:
        """Keep the payload of a new execution."""
        self._set(self._payloads, execution_id, payload)

    def put_result(self, execution_id: ExecutionId, result: bytes | None) -> None:
        """Keep a result; None removes it."""
        self._set(self._results, execution_id, result)

    def put_attempt(self, attempt: Attempt) -> None:
        """Write an attempt's row."""
        self._set(self._attempts, (attempt.execution_id, attempt.attempt_index), attempt)

    # ── the queue ────────────────────────────────────────────────────────────────────────────────

    def claimable(self, need: ClaimNeed, limit: int) -> list[Execution]:
        """The next executions that such a claim may take, in queue order, as the batch has left them."""
        chosen: list[Execution] = []
        fresh = self._fresh(need)
        stored = self._stored(need)
        entry = next(stored, None)
        while len(chosen) < limit and (entry is not None or fresh):
            if fresh and (entry is None or queue_order(fresh[-1]) < queue_order(entry)):
                ready = fresh.pop()
            else:
                assert entry is not None
                ready = entry
                entry = next(stored, None)
            x = self.find(ready.execution_id)
            assert x is not None
            chosen.append(x)
        if entry is not None:
            self._taken[need] -= 1  # looked at, not taken
        return chosen

    def _fresh(self, need: ClaimNeed) -> list[Ready]:
        """What became ready in this batch and still is, first to run last."""
        self._newly_ready = [r for r in dict.fromkeys(self._newly_ready) if self._still_ready(r)]
        return sorted((r for r in self._newly_ready if need.admits(r)), key=queue_order, reverse=True)

    def _still_ready(self, ready: Ready) -> bool:
        x = self._executions.get(ready.execution_id)
        return x is not None and ready_of(x) == ready

    def _stored(self, need: ClaimNeed) -> Iterator[Ready]:
        """The store's candidates that no earlier command of the batch has touched."""
        candidates = self._loaded.candidates.get(need)
        if candidates is None:
            raise NotLoaded(need)
        while (index := self._taken.get(need, 0)) < len(candidates):
            self._taken[need] = index + 1
            ready = candidates[index]
            if ready.execution_id in self._executions:
                continue
            x = self._loaded.executions.get(ready.execution_id)
            if x is None or ready_of(x) != ready or not need.admits(ready):
                self._stale_ready.append(ready)
                continue
            yield ready

    def drop_stale_due(self, due: Due) -> None:
        """Remove a due row that no record stands behind."""
        self._stale_due.append(due)

    def repair(self, x: Execution) -> None:
        """Write the execution's side rows again."""
        self._repaired.append(x)

    # ── keys ─────────────────────────────────────────────────────────────────────────────────────

    def idempotency_key(self, namespace: str, key: str) -> IdempotencyKey | None:
        """The live promise of a key; one whose time is over is none."""
        row = self._keyed(
            self._idempotency_keys, self._loaded.idempotency_keys, self._needs.idempotency_keys, namespace, key
        )
        return None if row is None or row.expires_at_ms <= self.now_ms else row

    def put_idempotency_key(self, row: IdempotencyKey) -> None:
        """Promise that the key means this execution."""
        self._set(self._idempotency_keys, (row.namespace, row.key), row)

    def forget_idempotency_key(self, namespace: str, key: str) -> None:
        """Withdraw the promise."""
        self._set(self._idempotency_keys, (namespace, key), None)

    def answer(self, scope: str, command_id: str) -> RememberedAnswer | None:
        """The live answer of a command id; one whose time is over is none."""
        row = self._keyed(self._answers, self._loaded.answers, self._needs.answers, scope, command_id)
        return None if row is None or row.expires_at_ms <= self.now_ms else row

    def put_answer(self, row: RememberedAnswer) -> None:
        """Keep the answer of a command id."""
        self._set(self._answers, (row.scope, row.command_id), row)

    def forget_answer(self, scope: str, command_id: str) -> None:
        """Drop the answer of a command id."""
        self._set(self._answers, (scope, command_id), None)

    @staticmethod
    def _keyed(changed: Any, loaded: Any, asked: set[KeyInNamespace], namespace: str, key: str) -> Any:
        at = (namespace, key)
        if at in changed:
            return changed[at]
        if at not in asked:
            raise NotLoaded(at)
        return loaded.get(at)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    def changes(self) -> Changes:
        """Everything that is different now."""
        before = self._loaded.executions
        return Changes(
            executions=[(before.get(key), x) for key, x in self._executions.items() if before.get(key) is not x],
            payloads=self._payloads,
            results=self._results,
            attempts=self._attempts,
            events=self._events,
            idempotency_keys=self._idempotency_keys,
            answers=self._answers,
            stale_ready=self._stale_ready,
            stale_due=self._stale_due,
            repaired=self._repaired,
            forget_batches_before_ms=self.forget_batches_before_ms,
        )


_ABSENT: Any = object()
