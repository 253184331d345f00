"""Commands about waiting: workers open waits, others send signals, and operators resume and close."""

from typing import Any, Generic

from msgspec.structs import replace

from flowfabric.domain.commands.command import Command, R
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lease import Fence
from flowfabric.domain.outcomes import (
    AlreadySatisfied,
    DuplicateSignal,
    LeaseGivenUp,
    Resumed,
    SecretRotated,
    Signalled,
    WaitBegun,
    WaitOver,
    WaitpointMade,
)
from flowfabric.domain.waiting import OnTimeout


class CreateWaitpoint(Command[WaitpointMade], frozen=True, tag=True, gc=False):
    """Make a waitpoint before anybody waits there, so that its token can be handed out."""

    fence: Fence
    key: str
    kid: str
    """The key that signs its token."""
    expires_in_ms: int | None
    about: str | None
    alias: str | None
    namespace: str
    """The namespace of the execution, in which the alias is unique."""

    def as_request(self) -> "CreateWaitpoint":
        """A repeated request may come under another key."""
        return replace(self, kid="")


class BeginWait(Command[R], Generic[R], frozen=True, gc=False):
    """What the two commands that begin a wait have in common."""

    fence: Fence
    name: str
    condition: str
    """The condition in its stored form (`conditions.stored`)."""
    timeout_ms: int | None
    timeout_at_ms: int | None
    on_timeout: OnTimeout
    reason: str
    kid: str

    def as_request(self) -> "BeginWait[R]":
        """A repeated request may come under another key."""
        return replace(self, kid="")


class OpenWait(BeginWait[WaitBegun | WaitOver], frozen=True, tag=True, gc=False):
    """Wait for a condition, and keep the lease."""


class Suspend(BeginWait[LeaseGivenUp | WaitOver | AlreadySatisfied], frozen=True, tag=True, gc=False):
    """Wait for a condition, and give the lease up unless the wait is over already."""


class SendSignal(Command[Signalled | DuplicateSignal], frozen=True, tag=True, gc=False):
    """Send a message to a waitpoint of an execution."""

    execution_id: ExecutionId
    key: str
    payload: bytes
    name: str
    source: str
    claimed_source: str
    idempotency_key: str | None
    kid: str
    waitpoint_id: str | None = None
    """The waitpoint that the token names. None: the sender is trusted, and makes the waitpoint if there is none."""
    life: int | None = None
    """The life that the token names."""
    alias: str | None = None
    """The alias that led here. If it is free by now, or leads to another waitpoint, nobody waits there."""
    namespace: str | None = None
    """The namespace of the alias."""

    def as_request(self) -> "SendSignal":
        """A repeated request may come under another key."""
        return replace(self, kid="")


class ResumeExecution(Command[Resumed | AlreadySatisfied], frozen=True, tag=True, gc=False):
    """End all open waits of an execution, whatever their conditions."""

    execution_id: ExecutionId
    payload: bytes
    reason: str
    kid: str

    def as_request(self) -> "ResumeExecution":
        """A repeated request may come under another key."""
        return replace(self, kid="")


class CloseWaitpoint(Command[None], frozen=True, tag=True, gc=False):
    """Take no more signals at a waitpoint."""

    execution_id: ExecutionId
    key: str
    reason: str


class IssueToken(Command[WaitpointMade], frozen=True, tag=True, gc=False):
    """Note for whom a token is issued. If there is no waitpoint of this key, make one."""

    execution_id: ExecutionId
    key: str
    subject: str
    kid: str

    def as_request(self) -> "IssueToken":
        """A repeated request may come under another key."""
        return replace(self, kid="")


class RotateSecret(Command[SecretRotated], frozen=True, tag=True, gc=False):
    """Sign tokens with another key from now on."""

    kid: str | None
    """None: the next free name of k1, k2, …"""
    secret: bytes
    grace_ms: int
    is_first: bool = False
    """Nobody asked for it: the store needs a first key. If there is one already, nothing changes."""
    secret_was_given: bool = True
    """False: the secret was made for this command."""

    def as_request(self) -> "RotateSecret":
        """The same without a secret that was made."""
        return self if self.secret_was_given else replace(self, secret=b"")

    def __repr__(self) -> str:
        return f"RotateSecret(kid={self.kid!r}, grace_ms={self.grace_ms!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """The same for tracebacks that show values."""
        return [("kid", self.kid), ("grace_ms", self.grace_ms)]
