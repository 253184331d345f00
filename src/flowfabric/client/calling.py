"""One request until it is answered: tried again while the server is away, and its answer or its error read."""

import logging
import ssl
import time
from collections.abc import Sequence
from importlib.metadata import version
from random import SystemRandom
from typing import Final, Protocol
from urllib.parse import urlencode

import msgspec

from flowfabric.client.http1 import Answer, Cut, request_bytes
from flowfabric.client.line import Line
from flowfabric.domain.errors import AccessDenied, EngineError, InvalidInput, StoreUnavailable
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.wire.headers import header_of
from flowfabric.wire.http1 import Malformed
from flowfabric.wire.operations import Request
from flowfabric.wire.problems import MEDIA_TYPE, Problem, error_of

log = logging.getLogger("flowfabric.client")

AWAY_S_MAX: Final = 10.0
"""For how long a server that is away is asked again before the caller gets an error. A direct engine tries as long."""
PAUSE_S: Final = (0.05, 1.0)
"""The first and the longest pause between two of these tries."""
ANSWER_S_MAX: Final = 60.0
"""How long an answer may take, beyond the time that the request itself waits for something."""
GATEWAY: Final = (502, 503, 504)
"""What a proxy answers while its server is away."""

TARGET_CHARS_MAX: Final = 16_000
"""How long a path with its query may be. Servers and proxies accept no more than some KiB."""

Headers = Sequence[tuple[str, str]]

EXPECTED: Final = ("application/json", "text/event-stream")
_problems: Final = msgspec.json.Decoder(Problem)


class Sender(Protocol):
    """A way to send requests."""

    async def ask(self, request: bytes, *, within_s: float, waits: bool = False) -> Answer:
        """Send a request and wait for its answer. Raises OSError, Cut or Malformed."""

    async def pause(self, pause_s: float) -> None:
        """Wait before the next try."""


class TooMuch(InvalidInput):
    """The request or its answer would be larger than the server allows."""


class Calls:
    """Sends requests to one server, and reads what is wrong with it from its answers."""

    def __init__(self, line: Line, token: str | None) -> None:
        self._line = line
        self._address = line.address
        own = [("host", self._address.authority), ("user-agent", f"flowfabric/{version('flowfabric')}")]
        self._headers = own if token is None else [*own, ("authorization", f"Bearer {token}")]
        self._has_token = token is not None
        self._away_since: float | None = None

    def written(self, request: Request, headers: Headers) -> bytes:
        """A request as it is sent."""
        more = list(headers)
        if request.body is not None:
            more.append(("content-type", "application/json"))
        if request.idempotency_key is not None:
            more.append(("idempotency-key", header_of("command_id", request.idempotency_key)))
        if request.traceparent is not None:
            more.append(("traceparent", request.traceparent))
        try:
            query = f"?{urlencode(request.query)}" if request.query else ""
        except UnicodeEncodeError:
            raise InvalidInput("An argument is text that UTF-8 cannot write. Correct it.") from None
        target = f"{self._address.prefix}{request.path}{query}"
        if len(target) > TARGET_CHARS_MAX:
            raise InvalidInput(f"The arguments have more than {TARGET_CHARS_MAX} characters. Send less at once.")
        return request_bytes(request.verb, target, [*self._headers, *more], request.body or b"")

    async def answer_to(
        self, request: bytes, *, until: float | None = None, wait_s: float = 0.0, by: Sender | None = None
    ) -> Answer:
        """Send a request, again and again while the server is away, and return its answer.

        It is tried for as long as a direct engine would try to reach its store. `until`, an instant of the monotonic
        clock, is for callers that wait for something. `wait_s` is how long the server may wait before it answers. `by`
        sends it instead of the line.
        """
        sender = self._line if by is None else by
        give_up_at = time.monotonic() + AWAY_S_MAX if until is None else until
        pause_s, pause_s_max = PAUSE_S
        while True:
            began_at = time.monotonic()
            try:
                answer = await sender.ask(request, within_s=ANSWER_S_MAX + wait_s, waits=wait_s > 0)
            except (OSError, Cut, Malformed) as error:
                why = self.why_away(error)
            else:
                if not self.is_of_a_proxy(answer):
                    self.note_back()
                    return answer
                why = f"a proxy in front of it answers {answer.status}"
            self.note_away(why)
            left_s = give_up_at - time.monotonic()
            if left_s <= 0:
                raise StoreUnavailable(
                    f"The server at {self._address} could not be reached for "
                    f"{time.monotonic() - (self._away_since or began_at):.1f} s: {why}. Try again later."
                )
            await sender.pause(min(left_s, pause_s * SystemRandom().uniform(0.5, 1.5)))
            pause_s = min(pause_s * 2, pause_s_max)

    def is_given(self, answer: Answer) -> bool:
        """Whether an answer holds what was asked for. False: there is no such thing. Raises every other error."""
        if answer.status == 200 and answer.headers.get("content-type", "").startswith(EXPECTED):
            return True
        error = self._error_in(answer)
        if error is None:
            return False
        raise error

    def _error_in(self, answer: Answer) -> EngineError | None:
        """The error that an answer stands for: one of the engine's, or what is wrong between us and the server."""
        where = self._address
        if answer.status == 401:
            if not self._has_token:
                return AccessDenied(
                    f"The server at {where} needs an access token. Give it as token=, or in the environment variable "
                    "FLOWFABRIC_TOKEN."
                )
            return AccessDenied(
                f"The server at {where} does not know the access token, or the token is not good any more. Ask for a "
                "new one."
            )
        if answer.headers.get("content-type", "").startswith(MEDIA_TYPE):
            try:
                problem = _problems.decode(answer.body)
                if answer.status == 413:  # the engine itself would refuse as much
                    return TooMuch(f"This is too much for one call: {problem.detail}")
                return None if problem.absent else error_of(problem)
            except UNDECODABLE:
                return self.not_understood()
        return InvalidInput(
            f"There is no FlowFabric server at {where}: the answer is {answer.status}, and not from one. Check the url."
        )

    def not_understood(self) -> InvalidInput:
        """The error for an answer that another release may have written."""
        return InvalidInput(
            f"The server at {self._address} answers in a way that this release of flowfabric does not understand. Use "
            "the same release on both sides."
        )

    def why_away(self, error: Exception) -> str:
        """Why the server cannot be reached now. Raises what trying again would not change."""
        where = self._address
        if isinstance(error, ssl.SSLCertVerificationError):
            raise InvalidInput(
                f"The certificate of {where} is not accepted: {error.verify_message}. If it was issued by an authority "
                "of your own, name the file with its certificate in the environment variable SSL_CERT_FILE."
            ) from error
        if isinstance(error, ssl.SSLError) and error.reason in ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE"):
            raise InvalidInput(
                f"The server at {where} does not speak TLS. Write http:// instead of https://."
            ) from error
        if isinstance(error, Malformed):
            raise InvalidInput(
                f"What is at {where} does not speak HTTP/1.1. Check host and port, and whether https:// is meant."
            ) from error
        if isinstance(error, TimeoutError):
            return "it does not answer in time"
        if isinstance(error, Cut):
            return "it has ended the connection without an answer"
        return str(error) or type(error).__name__

    def note_away(self, why: str) -> None:
        """Say once in the log that the server is away."""
        if self._away_since is None:
            self._away_since = time.monotonic()
            log.warning("the server is away, and is asked again until it answers: %s", why, extra={"cause": why})

    def note_back(self) -> None:
        """Say once in the log that the server is back."""
        if self._away_since is not None:
            away_s, self._away_since = time.monotonic() - self._away_since, None
            log.warning("the server is back after %.1f s", away_s, extra={"duration_ms": round(away_s * 1000)})

    def is_of_a_proxy(self, answer: Answer) -> bool:
        """Whether a proxy has answered, because its server is away."""
        return answer.status in GATEWAY and not answer.headers.get("content-type", "").startswith(MEDIA_TYPE)
