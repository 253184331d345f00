"""The access tokens that an engine has read lately.

A server asks with every request who sent it. So an engine remembers what it has read of a token for at most a second: a
token that another process revokes is good for that long at most, and most requests read nothing.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from flowfabric.domain.access import AccessToken

REFRESH_S: Final = 0.5
"""After this time one caller reads a token again. The others go on with what is known."""
FRESH_S: Final = 1.0
"""What is older than this is never used."""
KNOWN_MAX: Final = 10_000
"""How many tokens an engine remembers. What was not used for longest is forgotten first."""


class KnownToken(NamedTuple):
    """A token as it was read, the token of a session, and the store's time at the read."""

    token: AccessToken | None
    parent: AccessToken | None
    now_ms: int


class KnownTokens:
    """The tokens that an engine has read lately. All its views and threads share them."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.monotonic = monotonic
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[KnownToken, float, float]] = OrderedDict()
        """What was read, when the read began, and when the next one may begin."""
        self._forgot_at_s = -1.0

    def __repr__(self) -> str:
        return f"KnownTokens({len(self._known)} tokens)"

    def fresh(self, token_id: str) -> KnownToken | None:
        """The token. None: read it first. Of many callers at once, one reads before the time is over."""
        now_s = self.monotonic()
        with self._lock:
            entry = self._known.get(token_id)
            if entry is None or now_s - entry[1] >= FRESH_S:
                return None
            known, read_at_s, again_at_s = entry
            self._known.move_to_end(token_id)
            if now_s < again_at_s:
                return known
            self._known[token_id] = (known, read_at_s, now_s + REFRESH_S)
            return None

    def learn(self, token_id: str, known: KnownToken, read_at_s: float) -> None:
        """Note what was read. A token that does not exist is not noted: strangers can send any id."""
        with self._lock:
            before = self._known.get(token_id)
            if read_at_s < self._forgot_at_s or (before is not None and before[1] > read_at_s):
                return
            if known.token is None:
                self._known.pop(token_id, None)
                return
            self._known[token_id] = (known, read_at_s, read_at_s + REFRESH_S)
            self._known.move_to_end(token_id)
            if len(self._known) > KNOWN_MAX:
                self._known.popitem(last=False)

    def forget(self) -> None:
        """Read every token again before it is used next: this engine has revoked one, and maybe its sessions."""
        with self._lock:
            self._known.clear()
            self._forgot_at_s = self.monotonic()
