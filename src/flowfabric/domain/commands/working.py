"""Commands of workers: they claim executions, keep their leases, and report how attempts end."""

from typing import Final, cast

import msgspec
from msgspec.structs import astuple, replace

from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.commands.command import Command
from flowfabric.domain.lease import Fence
from flowfabric.domain.outcomes import (
    Claimed,
    Completed,
    LeaseLost,
    Released,
    Renewed,
    RetryScheduled,
    StepRecorded,
    TerminalFailed,
)


class Claim(Command[list[Claimed]], frozen=True, tag=True, gc=False, omit_defaults=True):
    """Lease executions that may run now: highest priority first, then oldest first."""

    worker_id: str
    worker_instance_id: str
    lanes: tuple[str, ...]
    namespace: str
    capabilities: frozenset[str]
    limit: int
    lease_ttl_ms: int
    mark: str = ""
    """A text that distinguishes this claim from every other claim."""

    def as_request(self) -> "Claim":
        """The same without its mark."""
        return replace(self, mark="")


class Renew(Command[Renewed], frozen=True, tag=True, gc=False):
    """Keep a lease. None: the lease keeps the length with which it was claimed."""

    fence: Fence
    lease_ttl_ms: int | None


class RenewAll(Command[list[Renewed | LeaseLost]], frozen=True, tag=True, gc=False):
    """Keep many leases at once. Each lease gets its own answer."""

    fences: tuple[Fence, ...]
    lease_ttl_ms: int | None


class RecordStep(Command[StepRecorded], frozen=True, tag=True, gc=False):
    """Store the result of a named step, so that no later attempt runs the step again."""

    fence: Fence
    name: str
    fingerprint: bytes
    result: bytes
    tries: int = 1
    charge: StepCharge | None = None
    """What the step has spent."""

    def as_request(self) -> "RecordStep":
        """The same, in the form of releases in which a step spends nothing, if it spends nothing."""
        return self if self.charge is not None else cast("RecordStep", _StepWithoutCharge(*astuple(self)[:-1]))


_StepWithoutCharge: Final = msgspec.defstruct(
    "RecordStep", RecordStep.__struct_fields__[:-1], frozen=True, tag="RecordStep"
)


class Heartbeat(Command[None], frozen=True, tag=True, gc=False):
    """Say that a worker lives, and what it serves."""

    worker_instance_id: str
    worker_id: str
    namespace: str
    host: str
    pid: int
    lanes: tuple[str, ...]
    capabilities: tuple[str, ...]
    version: str
    ttl_ms: int


class SayGoodbye(Command[None], frozen=True, tag=True, gc=False):
    """Remove a worker from the list of workers, because it stops."""

    namespace: str
    worker_instance_id: str


class Complete(Command[Completed], frozen=True, tag=True, gc=False):
    """End an execution with success."""

    fence: Fence
    result: bytes | None


class Fail(Command[RetryScheduled | TerminalFailed], frozen=True, tag=True, gc=False, omit_defaults=True):
    """Report that an attempt failed; the policy decides what follows."""

    fence: Fence
    failure_code: str
    message: str
    retryable: bool
    retry_after_ms: int | None
    traceback: str | None = None


class Release(Command[Released], frozen=True, tag=True, gc=False):
    """Give a claimed execution back. Nothing is counted against it."""

    fence: Fence


class Delay(Command[Released], frozen=True, tag=True, gc=False):
    """Give a claimed execution back, to be run again later."""

    fence: Fence
    until_ms: int


class ReportProgress(Command[None], frozen=True, tag=True, gc=False):
    """Store the progress of an attempt. A field that is None stays as it was."""

    fence: Fence
    percent: int | None
    message: str | None
