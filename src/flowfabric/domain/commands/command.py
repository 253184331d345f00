"""What all commands have in common, and the envelope in which one is sent."""

from hashlib import blake2b
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from flowfabric.domain.streams import Said

R = TypeVar("R")


class Command(msgspec.Struct, Generic[R], frozen=True, tag=True, gc=False):
    """One request to change something."""

    def as_request(self) -> "Command[R]":
        """The command without the ids that were minted for its caller: a repeated request must look the same."""
        return self


AnyCommand: TypeAlias = Command[Any]


class Envelope(msgspec.Struct, frozen=True, gc=False):
    """A command and its sender: the namespace to which the sender is confined, and the id of a repeatable command."""

    command: AnyCommand
    scope: str | None = None
    command_id: str | None = None
    actor: str | None = None
    """The person on whose behalf it is sent. The operator events of the command name this person."""
    said: Said | None = None
    """What the attempt has said before it sends the command. It is appended in the same transaction, before it."""
    trace: str | None = None
    """The span in which it is sent, as a traceparent. Executions that the command makes or moves remember it."""


def request_fingerprint(command: AnyCommand) -> bytes:
    """What makes two commands the same request."""
    request = msgspec.msgpack.encode(command.as_request(), enc_hook=sorted, order="deterministic")
    return blake2b(request, digest_size=16).digest()


def content_fingerprint(kind: str, payload: bytes) -> bytes:
    """What makes two executions the same work."""
    return blake2b(kind.encode() + b"\0" + payload, digest_size=16).digest()
