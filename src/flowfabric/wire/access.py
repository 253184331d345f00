"""Who may do what: the roles, what each of them may do, and what a server asks to learn who sends a request."""

from typing import Final, Literal, Protocol

from flowfabric.domain.access import Principal, Role, Session

Permission = Literal["anyone", "known", "look", "submit", "approve", "work", "steer", "manage"]
"""What a route needs. `anyone`: no credential, or one that is part of the path. `known`: any good token."""

MAY: Final[dict[Role, frozenset[Permission]]] = {
    "viewer": frozenset({"known", "look"}),
    "submitter": frozenset({"known", "submit"}),
    "approver": frozenset({"known", "look", "approve"}),
    "worker": frozenset({"known", "look", "work"}),
    "operator": frozenset({"known", "look", "approve", "steer"}),
    "admin": frozenset({"known", "look", "submit", "approve", "work", "steer", "manage"}),
}
"""What each role may do. A submitter may also look at what it has made itself, and cancel it."""


def may(principal: Principal, permission: Permission) -> bool:
    """Whether the role of a principal includes this."""
    return permission == "anyone" or permission in MAY[principal.role]


class Access(Protocol):
    """What a server asks to learn who sends a request."""

    async def authenticate(self, secret: str) -> Principal | None:
        """Who holds this token or this session. None: it is not good, and nothing says why."""

    async def log_in(self, secret: str) -> Session | None:
        """Open a session with an access token, or with the secret of a login link, which is used up. None: not good."""

    async def log_out(self, secret: str) -> None:
        """End a session. A repeat does no harm."""


class OpenAccess:
    """Everybody may do everything. Only for a server that nobody else can reach."""

    def __init__(self, name: str = "local") -> None:
        self._everybody = Principal(name, "admin")

    async def authenticate(self, secret: str) -> Principal | None:
        """The same for everybody, with or without a secret."""
        return self._everybody

    async def log_in(self, secret: str) -> Session | None:
        """There is nothing to log in to."""
        return None

    async def log_out(self, secret: str) -> None:
        """There is nothing to log out of."""
