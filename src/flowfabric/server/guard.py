"""Who sends a request: tokens and sessions, checked together with where the request comes from."""

import hashlib
import time
from collections import OrderedDict
from typing import Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

from flowfabric.domain.access import Principal
from flowfabric.server.messages import HttpError, Request
from flowfabric.server.settings import Settings
from flowfabric.wire.access import Access, Permission

K = TypeVar("K")
V = TypeVar("V")

COOKIE: Final = "ff_session"
"""Of a session. The port of the address follows: a browser sends the cookies of a host to each of its ports."""
CSRF_HEADER: Final = "ff-csrf"
FREE_TRIES: Final = 5
"""How many wrong tokens an address may send before it has to wait."""
PAUSE_S_MAX: Final = 60.0
GOOD_S: Final = 600.0
KNOWN_MAX: Final = 10_000
"""How many addresses and tokens are remembered at most."""


class Caller(NamedTuple):
    """Who sends a request, and how they have said so."""

    principal: Principal
    secret: str
    by_cookie: bool


class _Tries(NamedTuple):
    failures: int
    until_s: float


class Guard:
    """Finds out who sends a request. What it remembers is bounded, and short-lived."""

    def __init__(self, access: Access, settings: Settings, *, is_open: bool) -> None:
        self._access = access
        self._settings = settings
        self.is_open = is_open
        self._good: OrderedDict[bytes, float] = OrderedDict()
        """Tokens that were good lately, as hashes. Wrong tokens of others at their address do not keep them out."""
        self._tries: OrderedDict[str, _Tries] = OrderedDict()

    def check_host(self, request: Request) -> None:
        """Refuse a request for another host: a page of a stranger may point its own name at this machine."""
        allowed = self._settings.allowed_hosts
        if "*" not in allowed and _name_in(request.headers.get("host", "")) not in allowed:
            raise HttpError(
                421,
                "wrong_host",
                "The header Host names another server. Use a name that this server was started with (--allowed-host).",
            )

    async def caller(self, request: Request, needs: Permission) -> Caller | None:
        """Who sends it. None: nobody has to be known. Raises 401 if somebody has to, and 403 for a strange page."""
        if needs == "anyone":
            return None
        scheme, _, secret = request.headers.get("authorization", "").partition(" ")
        by_cookie = False
        if scheme.lower() != "bearer" or not secret.strip():
            secret, by_cookie = cookie_in(request), True
            self.check_origin(request)
        if by_cookie and secret and request.method not in ("GET", "HEAD") and not request.headers.get(CSRF_HEADER):
            raise HttpError(403, "csrf", "A request with a session cookie needs the header FF-CSRF. Send it.")
        principal = await self._principal(request, secret.strip())
        return Caller(principal, secret.strip(), by_cookie)

    async def _principal(self, request: Request, secret: str) -> Principal:
        if not secret and not self.is_open:
            raise unauthenticated("This needs a token: send it as Authorization: Bearer fft_….")
        mark = hashlib.sha256(secret.encode()).digest()
        if time.monotonic() >= self._good.get(mark, 0.0):
            self.check_tries(request)
        principal = await self._access.authenticate(secret)
        if principal is None:
            self._good.pop(mark, None)
            self.failed(request)
            raise unauthenticated("This token is not good here: it is wrong, has expired, or was revoked.")
        _remember(self._good, mark, time.monotonic() + GOOD_S)
        return principal

    async def is_still_good(self, caller: Caller) -> bool:
        """Whether the token is still good, and still the same. It is looked up again."""
        found = await self._access.authenticate(caller.secret)
        return found == caller.principal

    # ── wrong tokens ─────────────────────────────────────────────────────────────────────────────

    def check_tries(self, request: Request) -> None:
        """Raise 429 if this address has sent too many wrong tokens."""
        tries = self._tries.get(request.address)
        left_s = 0.0 if tries is None else tries.until_s - time.monotonic()
        if left_s > 0:
            raise HttpError(
                429,
                "too_many_tries",
                f"This address has sent wrong tokens. Wait {left_s:.0f} s.",
                retryable=True,
                headers={"retry-after": str(int(left_s) + 1)},
            )

    def failed(self, request: Request) -> None:
        """Note that this address has sent a wrong token."""
        now_s = time.monotonic()
        tries = self._tries.get(request.address)
        count = 1 if tries is None or now_s > tries.until_s + PAUSE_S_MAX else tries.failures + 1
        pause_s = min(PAUSE_S_MAX, 2.0 ** (count - FREE_TRIES)) if count >= FREE_TRIES else 0.0
        _remember(self._tries, request.address, _Tries(count, now_s + pause_s))

    # ── browsers ─────────────────────────────────────────────────────────────────────────────────

    def check_origin(self, request: Request) -> None:
        """Refuse a request that a page of another site has sent. Browsers say where a page comes from."""
        site = request.headers.get("sec-fetch-site", "")
        origin = request.headers.get("origin", "")
        is_foreign = site not in ("", "same-origin", "none")
        if origin and urlsplit(origin).netloc != request.headers.get("host", ""):
            is_foreign = True
        if is_foreign:
            raise HttpError(403, "foreign_origin", "A page of another site has sent this. Nothing was done.")


def unauthenticated(why: str) -> HttpError:
    """The answer to a request without a good token."""
    return HttpError(401, "unauthenticated", why, headers={"www-authenticate": "Bearer"})


def _name_in(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def cookie_of(request: Request) -> str:
    """The name of the cookie at the address that the browser shows."""
    port = request.headers.get("host", "").rpartition(":")[2]
    return f"{COOKIE}_{port}" if port.isdecimal() else COOKIE


def cookie_in(request: Request) -> str:
    """The secret of the session that a browser sends. Empty: none."""
    wanted = cookie_of(request)
    for part in request.headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted:
            return value
    return ""


def _remember(known: OrderedDict[K, V], key: K, value: V) -> None:
    known.pop(key, None)
    known[key] = value
    if len(known) > KNOWN_MAX:
        known.popitem(last=False)
