"""What the sentences about limits and budgets are made of."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, cast

from flowfabric import (
    BlockingEngine,
    BudgetSnapshot,
    Claimed,
    EngineError,
    ExecutionPolicy,
    Lease,
    LimitSnapshot,
    ManualClock,
    RetryPolicy,
    Spending,
)
from flowfabric_conformance.stage import create, look

LEASE_MS: Final = 30_000
PARKED: Final = "rate_limited"
"""The public state of an execution that is parked."""
RETRIED: Final = ExecutionPolicy(
    retry=RetryPolicy(max_retries=9, backoff="fixed", initial_delay_ms=1_000, jitter=0.0),
    attempt_timeout_ms=60_000,
    max_interruptions=9,
)

End = Callable[[BlockingEngine, ManualClock, Lease], object]


def _expires(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    clock.advance(LEASE_MS)
    engine.reconcile()


def _times_out(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    clock.advance(20_000)
    with suppress(EngineError):
        engine.renew(lease, lease_ttl_ms=3_600_000)
    clock.advance(40_000)
    engine.reconcile()


def _misses_its_deadline(engine: BlockingEngine, clock: ManualClock, lease: Lease) -> None:
    with suppress(EngineError):
        engine.renew(lease, lease_ttl_ms=3_600_000)
    clock.advance(50_000)
    engine.reconcile()


ENDS: Final[dict[str, End]] = {
    "complete": lambda engine, clock, lease: engine.complete(lease, b"done"),
    "fail": lambda engine, clock, lease: engine.fail(lease, code="boom", retryable=False),
    "retry": lambda engine, clock, lease: engine.fail(lease, code="boom"),
    "release": lambda engine, clock, lease: engine.release(lease),
    "delay": lambda engine, clock, lease: engine.delay(lease, until_ms=clock.now_ms + 3_600_000),
    "suspend": lambda engine, clock, lease: engine.suspend(lease, "approval", "editor"),
    "revoke": lambda engine, clock, lease: engine.revoke_lease(lease.execution_id),
    "cancel": lambda engine, clock, lease: engine.cancel_execution(lease.execution_id, reason="no longer wanted"),
    "expiry": _expires,
    "timeout": _times_out,
    "deadline": _misses_its_deadline,
}
"""Every way in which a lease can end."""
LOST: Final = ("revoke", "expiry")
"""The ways in which nobody can say what the attempt has spent."""


def gated(engine: BlockingEngine, limits: Mapping[str, str] | None = None, **arguments: Any) -> str:
    """A new execution that names limits: `api`, unless others are given."""
    return create(engine, limits={"api": ""} if limits is None else limits, **arguments)


def claims(engine: BlockingEngine, limit: int = 1000, **arguments: Any) -> list[Claimed]:
    """What a claim gets."""
    return engine.claim(worker_id="worker", worker_instance_id="w1", limit=limit, lease_ttl_ms=LEASE_MS, **arguments)


def limit_at(engine: BlockingEngine, name: str = "api", key: str = "", **arguments: Any) -> LimitSnapshot:
    """One key of a limit as it is now."""
    found = engine.describe_limit(name, key, **arguments)
    assert found is not None
    return found


def budget_at(engine: BlockingEngine, name: str = "team") -> BudgetSnapshot:
    """A budget as it is now."""
    found = engine.describe_budget(name)
    assert found is not None
    return found


def spending(engine: BlockingEngine, by: str, name: str = "team", *, limit: int = 100) -> dict[str, dict[str, int]]:
    """What was spent of a budget, from all pages of the list."""
    found: dict[str, dict[str, int]] = {}
    cursor = None
    while True:
        page = engine.list_spending(name, by=cast("Any", by), cursor=cursor, limit=limit)
        for line in cast("list[Spending]", page.items):
            assert line.by not in found
            found[line.by] = dict(line.amounts)
        cursor = page.next_cursor
        if cursor is None:
            return found


def states(engine: BlockingEngine, *execution_ids: str) -> list[str]:
    """The public states of executions."""
    return [look(engine, execution_id).public_state for execution_id in execution_ids]
