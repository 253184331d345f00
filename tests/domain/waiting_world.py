"""One execution that waits, in a memory store. Every batch is checked, and so is the store after it."""

import os
from collections.abc import Sequence
from typing import Any, Self

from flowfabric import ManualClock
from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    CloseWaitpoint,
    Complete,
    CreateExecution,
    CreateWaitpoint,
    Envelope,
    Fail,
    HandleDue,
    OpenWait,
    ReplayExecution,
    ResumeExecution,
    SendSignal,
    Suspend,
)
from flowfabric.domain.conditions import Condition, checked, stored
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Execution, due_of
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.invariants import Contents, violations, violations_at_rest
from flowfabric.domain.lease import Fence
from flowfabric.domain.listing import EventFilter
from flowfabric.domain.outcomes import Claimed
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from flowfabric.domain.waiting import Inbox, OnTimeout, StoredSignal
from flowfabric.engine.batch import Deciding
from flowfabric.stores.memory.store import MemoryStore
from tests.domain.records import NOW, STORE, a_claim, an_id, creation

KID = "k1"
PATIENT = ExecutionPolicy(retry=RetryPolicy(max_retries=3, initial_delay_ms=1_000, jitter=0.0))


class WaitingWorld:
    """A memory store, and shorter ways to send commands about one execution."""

    def __init__(self, *, starts: bool = True, **created_with: Any) -> None:
        self.clock = ManualClock(NOW)
        self.store = MemoryStore(STORE, self.clock)
        self.x_id = an_id()
        self._fence: Fence | None = None
        self.decide(creation(**{"policy": PATIENT, **created_with}))
        if starts:
            self.claim()

    def copy(self) -> Self:
        """A world that goes on from here by itself. Records never change, so only what holds them is copied."""
        other = type(self).__new__(type(self))
        other.__dict__.update(vars(self))
        other.clock = ManualClock(self.now_ms)
        other.store = MemoryStore(STORE, other.clock)
        for name, held in vars(self.store).items():
            if name not in ("_lock", "_clock"):
                setattr(other.store, name, _copied(held))
        return other

    # ── batches ──────────────────────────────────────────────────────────────────────────────────

    def decide(self, *commands: AnyCommand | Envelope, is_checked: bool = True) -> list[Any]:
        """Commit the commands as one batch. Nothing may be broken after it."""
        batch = [command if isinstance(command, Envelope) else Envelope(command) for command in commands]
        tx = self.store.writer().begin(os.urandom(16))
        deciding = Deciding(batch, STORE)
        while (ws := deciding.on(tx.load(deciding.wanted), tx.now_ms, tx.era)) is None:
            pass
        changes = ws.changes()
        broken = violations(changes, tx.now_ms, may_purge=True) if is_checked else []
        tx.save(changes)
        tx.commit()
        if not is_checked:
            return list(deciding.answers)
        assert broken == [], f"broken by {commands}"
        assert violations_at_rest(self.contents(), self.now_ms) == [], f"broken by {commands}"
        return list(deciding.answers)

    def one(self, command: AnyCommand, *, command_id: str | None = None) -> Any:
        """Commit one command. Its refusal is raised."""
        (answer,) = self.decide(Envelope(command, None, command_id))
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def now_ms(self) -> int:
        return self.clock.now_ms

    def advance(self, ms: int) -> None:
        self.clock.advance(ms)

    def sweep(self) -> int:
        """Handle what is due, until nothing is. Returns how much it was."""
        handled = 0
        while (due := due_of(self.x)) is not None and due.due_at_ms <= self.now_ms:
            assert self.one(HandleDue(due)) is True
            handled += 1
        return handled

    # ── what there is ────────────────────────────────────────────────────────────────────────────

    @property
    def x(self) -> Execution:
        found = self.store.execution(self.x_id)
        assert found is not None
        return found

    @property
    def inbox(self) -> Inbox:
        assert self.x.inbox is not None
        return self.x.inbox

    @property
    def events(self) -> list[Event]:
        return list(self.store.events(None, EventFilter(execution_id=self.x_id), 100_000).events)

    @property
    def event_names(self) -> list[str]:
        return [f"{event.channel} {event.event_type}" for event in self.events]

    @property
    def signals(self) -> list[StoredSignal]:
        return self.store.signals(self.x_id, None)[1]

    @property
    def attempts(self) -> list[Attempt]:
        return self.store.attempts(self.x_id)[1]

    def contents(self) -> Contents:
        store = self.store
        executions = list(store._executions.values())
        return Contents(
            executions=executions,
            attempts=[row for x in executions for row in store.attempts(x.execution_id)[1]],
            events=store.events(None, EventFilter(), 1_000_000).events,
            with_result={x.execution_id for x in executions if store.result(x.execution_id) is not None},
            steps=[step for x in executions for step in store.steps(x.execution_id)[1]],
            waitpoints=[each for x in executions for each, _ in store.waitpoints(x.execution_id)[1]],
            signals=[each for x in executions for each in store.signals(x.execution_id, None)[1]],
        )

    # ── a worker ─────────────────────────────────────────────────────────────────────────────────

    def claim(self, **how: Any) -> Claimed:
        (claimed,) = self.one(a_claim(**how))
        assert isinstance(claimed, Claimed)
        lease = claimed.lease
        self._fence = Fence(ExecutionId(lease.execution_id), lease.attempt_index, lease.lease_epoch, lease.lease_id)
        return claimed

    @property
    def fence(self) -> Fence:
        """The last lease, live or not."""
        assert self._fence is not None
        return self._fence

    def waitpoint_command(
        self, key: str, *, expires_in_ms: int | None = None, about: str | None = None, alias: str | None = None
    ) -> CreateWaitpoint:
        return CreateWaitpoint(self.fence, key, KID, expires_in_ms, about, alias, "default")

    def create_waitpoint(self, key: str, **what: Any) -> Any:
        return self.one(self.waitpoint_command(key, **what))

    def open_wait(self, condition: Condition | str = "editor", name: str = "editor", **how: Any) -> Any:
        return self.one(OpenWait(self.fence, name, stored(checked(condition)), **_how(**how)))

    def suspend_command(self, condition: Condition | str = "editor", name: str = "editor", **how: Any) -> Suspend:
        return Suspend(self.fence, name, stored(checked(condition)), **_how(**how))

    def suspend(self, condition: Condition | str = "editor", name: str = "editor", **how: Any) -> Any:
        return self.one(self.suspend_command(condition, name, **how))

    def complete(self) -> Any:
        return self.one(Complete(self.fence, b"result"))

    def fail(self, *, retryable: bool = True) -> Any:
        return self.one(Fail(self.fence, "boom", "it broke", retryable, 0))

    # ── others ───────────────────────────────────────────────────────────────────────────────────

    def signal(self, key: str = "editor", payload: bytes = b"yes", **what: Any) -> Any:
        return self.one(a_signal(self.x_id, key, payload, **what))

    def resume(self, payload: bytes = b"") -> Any:
        return self.one(ResumeExecution(self.x_id, payload, "", KID))

    def close(self, key: str = "editor", reason: str = "spam") -> Any:
        return self.one(CloseWaitpoint(self.x_id, key, reason))

    def cancel(self) -> Any:
        return self.one(CancelExecution(self.x_id, "not wanted", "operator_override", None))

    def replay(self, **how: Any) -> Any:
        return self.one(ReplayExecution(self.x_id, **how))

    def create_another(self, number: int = 2, **created_with: Any) -> CreateExecution:
        command = creation(number, **created_with)
        self.one(command)
        return command


def _copied(held: Any) -> Any:
    if isinstance(held, dict):
        return {key: value.copy() if isinstance(value, dict | list) else value for key, value in held.items()}
    return held.copy() if isinstance(held, list) else held


def a_signal(
    execution_id: ExecutionId,
    key: str = "editor",
    payload: bytes = b"yes",
    *,
    name: str = "",
    source: str = "",
    claimed_source: str = "",
    idempotency_key: str | None = None,
    waitpoint_id: str | None = None,
    life: int | None = None,
    alias: str | None = None,
    namespace: str | None = None,
) -> SendSignal:
    if alias is not None and namespace is None:
        namespace = "default"
    return SendSignal(
        execution_id,
        key,
        payload,
        name,
        source,
        claimed_source,
        idempotency_key,
        KID,
        waitpoint_id,
        life,
        alias,
        namespace,
    )


def _how(
    timeout_ms: int | None = None,
    timeout_at_ms: int | None = None,
    on_timeout: OnTimeout = "resume",
    reason: str = "waiting_for_signal",
) -> dict[str, Any]:
    return {
        "timeout_ms": timeout_ms,
        "timeout_at_ms": timeout_at_ms,
        "on_timeout": on_timeout,
        "reason": reason,
        "kid": KID,
    }


def payloads(over: Any) -> Sequence[bytes]:
    """The payloads of the signals that a wait has taken."""
    return [signal.payload for signal in over.signals]
