"""Access tokens: who may use a server, in which role, in which namespace, and until when.

A token is `fft_<id>_<secret>`. The secret is 32 random bytes, and only its SHA-256 is stored: what a store holds opens
nothing. There are three kinds:

- `access`: what an operator gives to a program or a person.
- `session`: what a browser gets when somebody logs in with a token. It ends with that token.
- `login`: a link that opens one session, once.

Several tokens may have the same name: the name says who it is, and a new token can take the place of an old one.
"""

import re
from base64 import b32encode, urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, Literal, NamedTuple, get_args

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.outcomes import Answer
from flowfabric.domain.policies import DURATION_MS_MAX

Role = Literal["viewer", "submitter", "approver", "worker", "operator", "admin"]
"""What the holder of a token may do:

- `viewer`: look.
- `submitter`: make executions, and look at and cancel those that it has made.
- `approver`: look, signal and approve; not what it has made itself.
- `worker`: claim, and everything that needs a lease.
- `operator`: look and steer.
- `admin`: everything, also tokens, secrets, limits and budgets.
"""
TokenKind = Literal["access", "session", "login"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
TOKEN_KINDS: Final[tuple[TokenKind, ...]] = get_args(TokenKind)

SESSION_MS: Final = 12 * 3_600_000
"""How long a session is good."""
SESSIONS_MAX: Final = 20
"""How many sessions of one token are good at the same time. A further one ends the oldest."""
LOGIN_MS: Final = 600_000
"""How long a login link is good."""
DEAD_TOKENS_KEPT_MS: Final = 30 * 86_400_000
"""How long a token that is no good any more is still shown."""
DAY_MS: Final = 86_400_000

SECRET_BYTES: Final = 32
ID_CHANCE_BYTES: Final = 8
ID_CHARS: Final = 12
_ID: Final = re.compile(rf"[a-z2-7]{{{ID_CHARS}}}")
_TOKEN: Final = re.compile(rf"fft_(?P<id>{_ID.pattern})_(?P<secret>[A-Za-z0-9_-]{{43}})")


class AccessToken(msgspec.Struct, frozen=True, gc=False):
    """What is stored of a token."""

    token_id: str
    secret_hash: bytes
    kind: TokenKind
    role: Role
    namespace: str | None
    """The only namespace that it opens. None: all."""
    name: str
    """Who holds it. Events show this as the actor."""
    created_at_ms: int
    created_by: str | None = None
    expires_at_ms: int | None = None
    """None: never."""
    revoked_at_ms: int | None = None
    """When it was revoked, logged out, or used, if it is a login link."""
    parent_id: str | None = None
    """The token with which somebody logged in. None: it is no session, or was opened by a login link."""
    approves_own: bool = False
    """Whether an approver may also approve what it has made itself."""
    used_day_ms: int | None = None
    """The start of the day (UTC) on which it was last used."""

    @property
    def ends_at_ms(self) -> int | None:
        """From when on it is no good by itself. None: it does not end."""
        ends = [at_ms for at_ms in (self.expires_at_ms, self.revoked_at_ms) if at_ms is not None]
        return min(ends, default=None)

    def is_alive(self, now_ms: int) -> bool:
        """Whether it is good by itself. A session also needs its token."""
        ends_at_ms = self.ends_at_ms
        return ends_at_ms is None or now_ms < ends_at_ms

    def __repr__(self) -> str:
        return f"AccessToken({', '.join(f'{name}={value!r}' for name, value in self.__rich_repr__())})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """The same for tracebacks that show values: without the hash of the secret."""
        return [(name, getattr(self, name)) for name in self.__struct_fields__ if name != "secret_hash"]


class Principal(msgspec.Struct, frozen=True):
    """Who sent a token, and what this token allows."""

    name: str
    """Who it is: operator events and `created_by` show this name."""
    role: Role
    namespace: str | None = None
    """The only namespace that is open. None: all."""
    token_id: str = ""
    approves_own: bool = False
    """Whether an approver may also approve what it has made itself."""
    kind: TokenKind = "access"
    expires_at_ms: int | None = None

    def has_made(self, created_by: str | None) -> bool:
        """Whether something that has this `created_by` was made by this principal."""
        return created_by is not None and created_by == self.name

    def may_approve(self, created_by: str | None) -> bool:
        """Whether it may approve and signal what has this `created_by`: an approver does not approve its own work."""
        if self.role != "approver":
            return self.role in ("operator", "admin")
        return self.approves_own or not self.has_made(created_by)


class TokenMade(Answer, frozen=True, tag=True):
    """A token is stored. The answer has no secret: answers are kept."""

    token_id: str
    created_at_ms: int
    expires_at_ms: int | None


class LoggedIn(Answer, frozen=True, tag=True):
    """A session is stored, for this principal. The answer has no secret."""

    principal: Principal
    expires_at_ms: int


class Session(msgspec.Struct, frozen=True):
    """What a browser gets when somebody logs in."""

    secret: str
    """The token of the session, for a cookie. It is not in the text of this object."""
    principal: Principal
    expires_at_ms: int

    def __repr__(self) -> str:
        return f"Session(principal={self.principal!r}, expires_at_ms={self.expires_at_ms!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """The same for tracebacks that show values."""
        return [("principal", self.principal), ("expires_at_ms", self.expires_at_ms)]


class TokenRevoked(Answer, frozen=True, tag=True):
    """The token is no good any more, and neither are the sessions that it has opened."""

    token_id: str


class AccessTokenSnapshot(msgspec.Struct, frozen=True):
    """One token as of a moment. Nothing in it opens anything."""

    token_id: str
    kind: TokenKind
    role: Role
    namespace: str | None
    """None: all namespaces."""
    name: str
    is_alive: bool
    """Whether it is good. A session may have ended with its token all the same."""
    created_at_ms: int
    created_by: str | None
    expires_at_ms: int | None
    revoked_at_ms: int | None
    parent_id: str | None
    approves_own: bool
    used_day_ms: int | None
    """The start of the day (UTC) on which it was last used."""


class NewAccessToken(msgspec.Struct, frozen=True):
    """A token that was just made. Its secret is shown here and nowhere else."""

    secret: str
    """The whole token, `fft_…`. It is not in the text of this object."""
    token: AccessTokenSnapshot

    def __repr__(self) -> str:
        return f"NewAccessToken(token={self.token!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """The same for tracebacks that show values."""
        return [("token", self.token)]


def snapshot_of(token: AccessToken, now_ms: int) -> AccessTokenSnapshot:
    """A token as callers see it."""
    return AccessTokenSnapshot(
        token.token_id,
        token.kind,
        token.role,
        token.namespace,
        token.name,
        token.is_alive(now_ms),
        token.created_at_ms,
        token.created_by,
        token.expires_at_ms,
        token.revoked_at_ms,
        token.parent_id,
        token.approves_own,
        token.used_day_ms,
    )


def principal_of(
    token: AccessToken | None, parent: AccessToken | None, presented: "Presented", scope: str | None, now_ms: int
) -> Principal | None:
    """Who presents a token, if the token is good now in this scope. `parent`: the token of a session."""
    # Compared in a time that does not depend on where the difference is.
    if token is None or not compare_digest(token.secret_hash, presented.secret_hash):
        return None
    if token.kind == "login" or not token.is_alive(now_ms):
        return None
    if token.parent_id is not None and (parent is None or not parent.is_alive(now_ms)):
        return None
    if scope is not None and token.namespace not in (None, scope):
        return None
    return principal_for(token, token.namespace if scope is None else scope)


def principal_for(token: AccessToken, namespace: str | None) -> Principal:
    """Who holds a token, confined to a namespace."""
    return Principal(
        token.name, token.role, namespace, token.token_id, token.approves_own, token.kind, token.expires_at_ms
    )


# ── how a token is written ───────────────────────────────────────────────────────────────────────


class Presented(NamedTuple):
    """What somebody has sent as a token."""

    token_id: str
    secret_hash: bytes

    def __repr__(self) -> str:
        return f"Presented(token_id={self.token_id!r})"


class Minted(NamedTuple):
    """A new token: what its holder gets, and what is stored of it."""

    text: str
    token_id: str
    secret_hash: bytes

    def __repr__(self) -> str:
        return f"Minted(token_id={self.token_id!r})"


def minted(chance: bytes) -> Minted:
    """A new token from so much chance: the bytes of its id, then those of its secret."""
    assert len(chance) == ID_CHANCE_BYTES + SECRET_BYTES
    token_id = b32encode(chance[:ID_CHANCE_BYTES])[:ID_CHARS].decode().lower()
    secret = chance[ID_CHANCE_BYTES:]
    return Minted(f"fft_{token_id}_{_encoded(secret)}", token_id, sha256(secret).digest())


def presented(token: object) -> Presented | None:
    """What a token names, if it is spelled in the only valid way. It need not be good."""
    match = _TOKEN.fullmatch(token) if isinstance(token, str) else None
    if match is None:
        return None
    secret = urlsafe_b64decode(match["secret"] + "=")
    # The last character has bits that mean nothing: without this a token would have other spellings.
    if _encoded(secret) != match["secret"]:
        return None
    return Presented(match["id"], sha256(secret).digest())


def _encoded(secret: bytes) -> str:
    return urlsafe_b64encode(secret).rstrip(b"=").decode()


# ── checks of arguments ──────────────────────────────────────────────────────────────────────────


def role(value: object) -> Role:
    """A role."""
    for choice in ROLES:
        if choice == value:
            return choice
    raise InvalidInput(f"role is {shown(value)}; it must be one of {', '.join(ROLES)}.")


def kind(value: object) -> TokenKind | None:
    """A kind of token, or None for all kinds."""
    if value is None:
        return None
    for choice in TOKEN_KINDS:
        if choice == value:
            return choice
    raise InvalidInput(f"kind is {shown(value)}; it must be one of {', '.join(TOKEN_KINDS)}, or None.")


def token_id(value: object) -> str:
    """The id of a token. A whole token is refused without being shown: it holds a secret."""
    if isinstance(value, str) and _ID.fullmatch(value):
        return value
    if presented(value) is not None:
        raise InvalidInput(
            "token_id is a whole token, with its secret. Give only its id, which stands between the two underscores."
        )
    raise InvalidInput(f"token_id is no id of an access token: it must be {ID_CHARS} characters of a-z and 2-7.")


def lifetime_ms(value: object) -> int | None:
    """How long a token is good. None: without end."""
    return None if value is None else inputs.integer("expires_in_ms", value, 1, DURATION_MS_MAX)
