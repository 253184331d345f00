"""The values with which callers describe a new execution, or a schedule that makes executions."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.execution import OnEnded
from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.limits import WhenFull
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy
from flowfabric.domain.schedule import CatchUp


class NewExecution(msgspec.Struct, frozen=True, kw_only=True):
    """One item of `create_executions`: the arguments of `create_execution`."""

    kind: str
    payload: bytes = b""
    lane: str = "default"
    namespace: str = DEFAULT_NAMESPACE
    execution_id: str | None = None
    priority: int = 0
    delay_until_ms: int | None = None
    deadline_at_ms: int | None = None
    idempotency_key: str | None = None
    idempotency_ttl_ms: int = 86_400_000
    required_capabilities: Sequence[str] = ()
    policy: ExecutionPolicy = DEFAULT_POLICY
    tags: Mapping[str, str] = msgspec.field(default_factory=dict)
    idempotency_on_ended: OnEnded = "return"
    """What happens to a key whose execution has ended: see `create_execution`."""
    limits: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Names of limits that it must pass at each claim, with its key of each. The key "" is for everyone together."""
    fair_key: str | None = None
    """Executions of one lane and priority with different keys take turns."""
    budgets: Mapping[str, Mapping[str, int]] = msgspec.field(default_factory=dict)
    """Names of budgets, with what is reserved of each at a claim."""
    when_full: WhenFull = "wait"
    """What happens if a limit is full: it waits, nothing is made, or the oldest execution of the key is cancelled."""
    debounce_ms: int | None = None
    """It starts after this time, unless another one of the same kind and key is made before: that one replaces it."""
    debounce_key: str = ""


class NewChild(msgspec.Struct, frozen=True, kw_only=True):
    """One item of `create_children`: a new execution whose id, namespace and parent follow from where it is made."""

    kind: str
    payload: bytes = b""
    lane: str = "default"
    priority: int = 0
    delay_until_ms: int | None = None
    deadline_at_ms: int | None = None
    required_capabilities: Sequence[str] = ()
    policy: ExecutionPolicy = DEFAULT_POLICY
    tags: Mapping[str, str] = msgspec.field(default_factory=dict)
    limits: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Names of limits that it must pass at each claim, with its key of each. The key "" is for everyone together."""
    fair_key: str | None = None
    """Executions of one lane and priority with different keys take turns."""
    budgets: Mapping[str, Mapping[str, int]] = msgspec.field(default_factory=dict)
    """Names of budgets, with what is reserved of each at a claim."""


class NewSchedule(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule as its code states it: either a cron pattern with a time zone, or an interval with an anchor."""

    name: str
    kind: str
    payload: bytes = b""
    fingerprint: bytes = b""
    """Compared instead of the payload, for a codec that writes the same value differently each time."""
    cron: str | None = None
    timezone: str = "UTC"
    every_ms: int | None = None
    anchor_ms: int = 0
    catch_up: CatchUp = "last"
    """Which slots fire that were missed by more than a minute: none of them, the newest one, or each."""
    lane: str = "default"
    namespace: str = DEFAULT_NAMESPACE
    priority: int = 0
    deadline_after_ms: int | None = None
    """Counted from the moment at which a slot fires."""
    required_capabilities: Sequence[str] = ()
    policy: ExecutionPolicy = DEFAULT_POLICY
    tags: Mapping[str, str] = msgspec.field(default_factory=dict)
    limits: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Names of limits that each of its executions must pass at each claim, with the key of each."""
    fair_key: str | None = None
    """The key by which its executions take turns with others of their lane and priority."""
    budgets: Mapping[str, Mapping[str, int]] = msgspec.field(default_factory=dict)
    """Names of budgets, with what is reserved of each at a claim."""
