"""Named steps of an execution: what one attempt has done, and the next need not do again."""

import msgspec

from flowfabric.domain.ids import ExecutionId


class Step(msgspec.Struct, frozen=True, gc=False):
    """The stored result of one step. It stays until the execution is replayed or purged."""

    execution_id: ExecutionId
    name: str
    fingerprint: bytes
    """What the step was called with: the same name with another one is another step."""
    result: bytes
    attempt_index: int
    recorded_at_ms: int


def stored_order(step: Step) -> tuple[int, str]:
    """First to last; those of one instant by name."""
    return step.recorded_at_ms, step.name
