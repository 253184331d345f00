"""What the sentences about waiting are made of: executions that wait, and what becomes of them."""

from typing import Any, Final, NamedTuple

from flowfabric import (
    BlockingEngine,
    Claimed,
    Condition,
    Event,
    Lease,
    Suspended,
    WaitOpened,
    WaitOver,
    Waitpoint,
    WaitpointSnapshot,
)
from flowfabric_conformance.stage import claim, create, events_of, vector

SUSPENDED: Final = "suspended/unowned/not_applicable/attempt_suspended/none/suspended"
RESUMABLE: Final = "runnable/unowned/eligible_now/attempt_suspended/none/resumable"
ACTIVE: Final = "active/leased/not_applicable/running_attempt/none/active"

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 3_600_000
DAY_MS: Final = 86_400_000


class Waiting(NamedTuple):
    """A suspended execution, the lease that it has given up, and its waitpoints."""

    execution_id: str
    lease: Lease
    waitpoints: tuple[Waitpoint, ...]

    @property
    def token(self) -> str:
        """The token of its first waitpoint."""
        return self.waitpoints[0].token


def waiting(
    engine: BlockingEngine,
    condition: Condition | str = "editor",
    name: str = "wait",
    *,
    timeout_ms: int | None = None,
    on_timeout: Any = "resume",
    **creation: Any,
) -> Waiting:
    """An execution that is suspended until the condition is met."""
    lease = started(engine, **creation)
    return suspend(engine, lease, condition, name, timeout_ms=timeout_ms, on_timeout=on_timeout)


def started(engine: BlockingEngine, **creation: Any) -> Lease:
    """The lease of a new execution that runs before all others."""
    execution_id = create(engine, **{"priority": 9000, **creation})
    claimed = claim(engine, namespace=creation["namespace"]) if "namespace" in creation else claim(engine)
    assert claimed.execution_id == execution_id
    return claimed.lease


def suspend(
    engine: BlockingEngine, lease: Lease, condition: Condition | str, name: str = "wait", **arguments: Any
) -> Waiting:
    """Give the lease up until the condition is met."""
    answer = engine.suspend(lease, name, condition, **arguments)
    assert isinstance(answer, Suspended)
    assert answer.execution_id == lease.execution_id
    return Waiting(lease.execution_id, lease, tuple(answer.waitpoints))


def opened(
    engine: BlockingEngine, lease: Lease, condition: Condition | str, name: str = "wait", **arguments: Any
) -> tuple[Waitpoint, ...]:
    """Open a wait that is not over, and keep the lease."""
    answer = engine.open_wait(lease, name, condition, **arguments)
    assert isinstance(answer, WaitOpened)
    return tuple(answer.waitpoints)


def over(engine: BlockingEngine, execution_id: str, name: str = "wait") -> WaitOver:
    """The end of a wait."""
    found = engine.get_wait(execution_id, name)
    assert found is not None
    return found


def payloads(wait_over: WaitOver) -> list[bytes]:
    """What the signals say that a wait has taken."""
    return [signal.payload for signal in wait_over.signals]


def resumed(engine: BlockingEngine, execution_id: str) -> Claimed:
    """The execution, claimed again after a wait."""
    assert vector(engine, execution_id) == RESUMABLE
    claimed = claim(engine)
    assert claimed.execution_id == execution_id
    assert claimed.claim_type == "resume"
    return claimed


def waitpoint(engine: BlockingEngine, execution_id: str, key: str) -> WaitpointSnapshot:
    """The waitpoint of this key."""
    (found,) = (each for each in engine.list_waitpoints(execution_id) if each.key == key)
    return found


def events(engine: BlockingEngine, execution_id: str, channel: str) -> list[tuple[str, dict[str, object]]]:
    """Type and details of its events on one channel."""
    found: list[Event] = events_of(engine, execution_id)
    return [(event.event_type, dict(event.details)) for event in found if event.channel == channel]
