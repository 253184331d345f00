"""Several calls in one request: `POST /v1/calls`. Each is decided and answered by itself, as if it had come alone.

A client sends them so while other requests are under way, and the engine behind the server commits them together.
"""

from typing import Final

import msgspec
from msgspec import Raw

from flowfabric.domain.inputs import ITEMS_MAX

PATH: Final = "/v1/calls"
CALLS_MAX: Final = ITEMS_MAX
"""How many calls one request holds at most."""


class OneCall(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A call: the path and the body of its own route, which must be a POST that does not wait."""

    path: str
    body: Raw
    command_id: str | None = None
    """What alone would be the header `Idempotency-Key`."""
    traceparent: str | None = None
    """What alone would be the header `traceparent`."""


class OneAnswer(msgspec.Struct, frozen=True):
    """The status and the body that the call would have got alone. A body is a problem from status 400 on."""

    status: int
    body: Raw


calls_in: Final = msgspec.json.Decoder(list[OneCall])
answers_in: Final = msgspec.json.Decoder(list[OneAnswer])
NOTHING: Final = Raw(b"null")
