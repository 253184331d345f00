"""Commands about access tokens and sessions. No command holds a secret: it holds the hash."""

from typing import Any

from msgspec.structs import replace

from flowfabric.domain.access import LoggedIn, Role, TokenKind, TokenMade, TokenRevoked
from flowfabric.domain.commands.command import Command
from flowfabric.domain.outcomes import AlreadySatisfied


class CreateAccessToken(Command[TokenMade], frozen=True, tag=True, gc=False):
    """Store a new token."""

    token_id: str
    secret_hash: bytes
    kind: TokenKind
    role: Role
    namespace: str | None
    name: str | None
    """None: it is called by its id."""
    lifetime_ms: int | None
    approves_own: bool

    def as_request(self) -> "CreateAccessToken":
        """The command without the id and the secret that were made for its caller."""
        return replace(self, token_id="", secret_hash=b"")

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """For tracebacks that show values: the command without the hash of the secret."""
        return [("token_id", self.token_id), ("kind", self.kind), ("role", self.role)]

    def __repr__(self) -> str:
        return f"CreateAccessToken(token_id={self.token_id!r}, kind={self.kind!r}, role={self.role!r})"


class LogIn(Command[LoggedIn], frozen=True, tag=True, gc=False):
    """Open a session with a token, or with a login link, which is used up by this."""

    token_id: str
    secret_hash: bytes
    """Of the token that was presented. It is compared under the lock of the token."""
    session_id: str
    session_hash: bytes

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """For tracebacks that show values: the command without hashes."""
        return [("token_id", self.token_id), ("session_id", self.session_id)]

    def __repr__(self) -> str:
        return f"LogIn(token_id={self.token_id!r}, session_id={self.session_id!r})"


class LogOut(Command[bool], frozen=True, tag=True, gc=False):
    """End a session. False: it had ended already."""

    session_id: str


class RevokeAccessToken(Command[TokenRevoked | AlreadySatisfied], frozen=True, tag=True, gc=False):
    """Make a token worthless at once."""

    token_id: str
    reason: str


class NoteTokenUse(Command[bool], frozen=True, tag=True, gc=False):
    """Note that a token is in use today. False: that is noted already."""

    token_id: str


class ForgetAccessToken(Command[bool], frozen=True, tag=True, gc=False):
    """Remove a token that has been no good for long."""

    token_id: str
