"""The epoch rule: who may speak for an execution, and until when.

`lease_epoch` belongs to the execution and only grows: +1 at every claim, at every replay, and whenever a lease
ends by anyone but its holder. A lease is valid while its execution is active under the same attempt and epoch
and its time is not over by the store's clock.
"""

import msgspec

from flowfabric.domain.ids import ExecutionId, uuid_in


class Lease(msgspec.Struct, frozen=True):
    """The right to run one attempt of an execution; also the fencing token that user code hands on."""

    execution_id: str
    attempt_index: int
    lease_epoch: int
    lease_id: str
    worker_instance_id: str
    expires_at_ms: int


class Fence(msgspec.Struct, frozen=True):
    """What of a lease is compared: never its expiry, which moves with every renewal."""

    execution_id: ExecutionId
    attempt_index: int
    lease_epoch: int
    lease_id: str


def lease_id(store: str, execution_id: ExecutionId, attempt_index: int, lease_epoch: int) -> str:
    """The printable id of a lease. `store` names one incarnation of one store, so a lease of another never fits."""
    return f"{store}:{uuid_in(execution_id)}:{attempt_index}:{lease_epoch}"
