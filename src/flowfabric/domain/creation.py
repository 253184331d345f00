"""What callers say of an execution that is to be made."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.inputs import DEFAULT_NAMESPACE
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy


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
