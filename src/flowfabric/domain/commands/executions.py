"""Commands about executions and lanes: callers make executions, and operators steer executions and lanes."""

from collections.abc import Mapping
from typing import Final, cast

import msgspec
from msgspec.structs import astuple, replace

from flowfabric.domain.commands.command import Command
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.limits import WhenFull
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    Cancelled,
    Created,
    Dropped,
    Duplicate,
    Held,
    LanePaused,
    LaneResumed,
    PriorityChanged,
    Replayed,
    Revoked,
    Unheld,
)
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.steps import StepsRule


class CreateExecution(Command[Created | Duplicate | Dropped], frozen=True, tag=True, gc=False):
    """Make an execution, once."""

    execution_id: ExecutionId
    id_was_given: bool
    kind: str
    payload: bytes
    lane: str
    namespace: str
    priority: int
    delay_until_ms: int | None
    deadline_at_ms: int | None
    idempotency_key: str | None
    idempotency_ttl_ms: int
    required_capabilities: tuple[str, ...]
    policy: ExecutionPolicy
    tags: Mapping[str, str]
    idempotency_on_ended: OnEnded = "return"
    gates: Gates | None = None
    """The limits and budgets that it must pass at each claim."""
    when_full: WhenFull = "wait"
    debounce_ms: int | None = None
    """It replaces the execution of its key, if that has not started, and starts after this time at the earliest."""

    def as_request(self) -> "CreateExecution":
        """The same without an id that was minted."""
        asked = self if self.id_was_given else replace(self, execution_id=ExecutionId(""))
        if asked.gates is not None or asked.when_full != "wait" or asked.debounce_ms is not None:
            return asked
        if asked.idempotency_on_ended != "return":
            return cast("CreateExecution", _CreationWithoutGates(*astuple(asked)[:-3]))
        return cast("CreateExecution", _CreationBefore(*astuple(asked)[:-4]))


_CreationWithoutGates: Final = msgspec.defstruct(
    "CreateExecution", CreateExecution.__struct_fields__[:-3], frozen=True, tag="CreateExecution"
)
_CreationBefore: Final = msgspec.defstruct(
    "CreateExecution", CreateExecution.__struct_fields__[:-4], frozen=True, tag="CreateExecution"
)
"""The form of a creation in releases without `idempotency_on_ended`. The fingerprint is the same in all releases."""


class CreateExecutions(Command[list[Created | Duplicate | Dropped]], frozen=True, tag=True, gc=False):
    """Make several executions, all or none."""

    items: tuple[CreateExecution, ...]

    def as_request(self) -> "CreateExecutions":
        """The same without ids that were minted."""
        return CreateExecutions(tuple(item.as_request() for item in self.items))


class CancelExecution(Command[Cancelled], frozen=True, tag=True, gc=False):
    """End an execution for good, running or not."""

    execution_id: ExecutionId
    reason: str
    source: str
    lease_epoch: int | None


class RevokeLease(Command[Revoked | AlreadySatisfied], frozen=True, tag=True, gc=False):
    """Take a lease away from its holder. Empty texts match any holder and any lease."""

    execution_id: ExecutionId
    worker_instance_id: str
    expected_lease_id: str
    reason: str


class ChangePriority(Command[PriorityChanged], frozen=True, tag=True, gc=False):
    """Move a waiting execution in the queue."""

    execution_id: ExecutionId
    priority: int


class ReplayExecution(Command[Replayed], frozen=True, tag=True, gc=False, omit_defaults=True):
    """Bring an ended execution back to life, in place."""

    execution_id: ExecutionId
    steps: StepsRule | None = None
    """None: the default for the outcome with which the execution ended."""
    from_step: str | None = None
    """The first step that runs again."""


class Hold(Command[Held], frozen=True, tag=True, gc=False):
    """Keep a runnable execution from being claimed."""

    execution_id: ExecutionId
    reason: str


class Unhold(Command[Unheld], frozen=True, tag=True, gc=False):
    """End the hold of an execution."""

    execution_id: ExecutionId


class PauseLane(Command[LanePaused], frozen=True, tag=True, gc=False):
    """Keep everything in a lane from being claimed."""

    namespace: str
    lane: str
    reason: str


class ResumeLane(Command[LaneResumed], frozen=True, tag=True, gc=False):
    """Let the executions in a lane be claimed again."""

    namespace: str
    lane: str


class SetTag(Command[None], frozen=True, tag=True, gc=False):
    """Put a tag on an execution, or change its value."""

    execution_id: ExecutionId
    key: str
    value: str
