"""The options of a submit: those of the task, those of one call, and the retry policy."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy, RetryPolicy
from flowfabric.runtime.capture import Captured
from flowfabric.runtime.debounce_options import DebounceOptions
from flowfabric.runtime.declared_signals import DeclaredSignals
from flowfabric.runtime.durations import Duration, instant_ms, milliseconds
from flowfabric.runtime.gate_options import NO_GATES, GateOptions
from flowfabric.runtime.handles import Handle

DAY_MS: Final = 86_400_000
RETENTION: Final = "30d"
"""How long tasks and flows are kept after their end, unless the program says otherwise."""


class Retry(msgspec.Struct, frozen=True):
    """How often a failed attempt is tried again, and after how long: `Retry(5, initial_delay="2s")`."""

    max_retries: int = 0
    backoff: Literal["fixed", "exponential"] = "exponential"
    initial_delay: Duration = "1s"
    max_delay: Duration = "5m"
    multiplier: float = 2.0
    jitter: float = 0.1
    """The largest random addition to the delay, as a fraction of the delay; 0 turns it off."""
    give_up_on: tuple[type[BaseException], ...] = ()
    """Exceptions after which no retry follows: `Retry(5, give_up_on=(CardStolen,))`."""

    def __post_init__(self) -> None:
        """Refuse values that the engine would refuse later."""
        self.policy()
        given: object = self.give_up_on
        if not isinstance(given, tuple) or not all(isinstance(each, type) for each in given):
            raise InvalidInput(
                f"give_up_on is {shown(given)}; it must be a tuple of exceptions, such as (ValueError,)."
            )

    def policy(self) -> RetryPolicy:
        """The same policy as the engine stores it."""
        return RetryPolicy(
            max_retries=self.max_retries,
            backoff=self.backoff,
            initial_delay_ms=milliseconds("initial_delay", self.initial_delay),
            max_delay_ms=milliseconds("max_delay", self.max_delay),
            multiplier=self.multiplier,
            jitter=self.jitter,
        )


class TaskOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of all executions of a task. A call may override them."""

    lane: str = "default"
    priority: int = 0
    policy: ExecutionPolicy = DEFAULT_POLICY
    deadline: Duration | datetime | None = None
    capabilities: tuple[str, ...] = ()
    tags: Mapping[str, str] = msgspec.field(default_factory=dict)
    idempotency: Callable[..., str] | None = None
    """The idempotency key as a function of the task's arguments."""
    idempotency_ttl_ms: int = DAY_MS
    idempotency_on_ended: OnEnded = "return"
    isolation: Literal["process"] | None = None
    """None: async functions run on the worker's event loop, plain ones in its threads."""
    give_up_on: tuple[type[BaseException], ...] = ()
    """The exceptions after which no retry follows. Workers read this from the task; it is not stored."""
    linger_ms: int | None = None
    """How long waits stay in memory before the execution is suspended. Workers read this, too; None: they decide."""
    capture: frozenset[Captured] = frozenset()
    """What of the output of its code becomes frames. Workers read this, too."""
    signals: DeclaredSignals | None = None
    """The signals that executions of the task take; None: any."""
    gates: GateOptions = NO_GATES
    """The limits and budgets of its executions."""
    debounce: DebounceOptions | None = None
    """How long a submit waits for another one that replaces it; None: every one runs."""


class CallOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of one submit, beside those of the task."""

    idempotency_key: str | None = None
    delay: Duration | datetime | None = None
    after: tuple[Handle[Any], ...] = ()
    join: AllOf | AnyOf | Quorum | None = None
    conn: Any = None
    """A connection of the caller's own, whose transaction the submit joins."""


def changed(
    options: TaskOptions,
    *,
    lane: str | None = None,
    priority: int | None = None,
    retry: Retry | None = None,
    timeout: Duration | None = None,
    deadline: Duration | datetime | None = None,
    capabilities: Sequence[str] | None = None,
    tags: Mapping[str, str] | None = None,
    retention: Duration | UnsetType | None = UNSET,
    idempotency_ttl: Duration | None = None,
    idempotency_on_ended: OnEnded | None = None,
    stream_max_frames: int | None = None,
    stream_max_bytes: int | None = None,
) -> TaskOptions:
    """The options with the given ones changed and checked. Tags are added to the existing tags."""
    policy = options.policy
    if retry is not None:
        if not isinstance(retry, Retry):
            raise InvalidInput(f"retry is a Retry, such as Retry(max_retries=5), not {type(retry).__name__}.")
        policy = replace(policy, retry=retry.policy())
        options = replace(options, give_up_on=retry.give_up_on)
    if timeout is not None:
        timeout_ms = milliseconds("timeout", timeout)
        if not timeout_ms:
            raise InvalidInput(
                f"timeout is {shown(timeout)}; no attempt could end in time. Leave it out for no timeout."
            )
        policy = replace(policy, attempt_timeout_ms=timeout_ms)
    if retention is not UNSET:
        policy = replace(policy, retention_ms=retention_ms(retention))
    if stream_max_frames is not None:
        policy = replace(policy, stream_max_frames=stream_max_frames)
    if stream_max_bytes is not None:
        policy = replace(policy, stream_max_bytes=stream_max_bytes)
    if deadline is not None:
        instant_ms("deadline", deadline, 0)
    if idempotency_ttl is not None:
        ttl_ms = milliseconds("idempotency_ttl", idempotency_ttl)
        if ttl_ms < 1:
            raise InvalidInput(f"idempotency_ttl is {shown(idempotency_ttl)}; it must be a millisecond at least.")
        options = replace(options, idempotency_ttl_ms=ttl_ms)
    if idempotency_on_ended is not None:
        options = replace(options, idempotency_on_ended=inputs.on_ended(idempotency_on_ended))
    _check_keys_live(options.idempotency_ttl_ms, policy.retention_ms)
    return replace(
        options,
        lane=options.lane if lane is None else inputs.lane(lane),
        priority=options.priority if priority is None else inputs.priority(priority),
        policy=policy,
        deadline=options.deadline if deadline is None else deadline,
        capabilities=options.capabilities
        if capabilities is None
        else inputs.capabilities("capabilities", capabilities),
        tags=options.tags if tags is None else inputs.tags({**options.tags, **inputs.tags(tags)}),
    )


def _check_keys_live(ttl_ms: int, kept_ms: int | None) -> None:
    """Refuse keys that should live longer than a day, and longer than their execution, with which they are removed."""
    if ttl_ms > DAY_MS and kept_ms is not None and kept_ms < ttl_ms:
        raise InvalidInput(
            f"idempotency_ttl is {ttl_ms / DAY_MS:.3g} days, and an execution is removed {kept_ms / DAY_MS:.3g} days "
            "after its end, together with its key. Give a retention= that is as long, or retention=None to keep "
            "executions for ever."
        )


def retention_ms(retention: Duration | None) -> int | None:
    """How long an ended execution or flow is kept; None: for ever."""
    return None if retention is None else milliseconds("retention", retention)
