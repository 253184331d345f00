"""What can be set about a server."""

from typing import Final

import msgspec

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
"""The hosts that only this machine reaches."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """The limits and habits of a server. The defaults are meant for use."""

    allowed_hosts: tuple[str, ...] = LOOPBACK
    """The names under which this server may be addressed, without a port. `*` allows all."""
    body_bytes_max: int = 2 * 1024 * 1024
    stranger_bytes_max: int = 192 * 1024
    """The same for the routes that need no token."""
    batch_bytes_max: int = 64 * 1024 * 1024
    """The same for the routes that take many items at once."""
    bodies_bytes_max: int = 256 * 1024 * 1024
    """How many bytes of bodies the process holds at once, until their requests are answered. A quarter of it is open to
    requests without a token. What would be more is answered with 503."""
    body_s: float = 30.0
    """How long the body of a request may take to arrive."""
    streams_max: int = 64
    """How many streams one token has open at most."""
    heartbeat_s: float = 15.0
    """How often a stream without news sends a line, and its token is checked again."""
    send_s: float = 10.0
    """How long a reader may take to accept what is sent. After that it is cut off."""
