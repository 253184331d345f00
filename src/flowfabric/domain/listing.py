"""Lists that are read page by page: which items a list shows, and where its next page begins."""

from typing import Annotated, Final, Literal

import msgspec

from flowfabric.domain.flow import FlowState
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.known_types import known
from flowfabric.domain.states import Channel, PublicState

Action = Literal["cancel", "revoke", "change_priority", "replay", "hold", "unhold"]
"""The actions that `operate` can do to all executions of a list."""


@known
class ListPosition(msgspec.Struct, frozen=True, order=True, array_like=True, forbid_unknown_fields=True):
    """The position of the last execution that a page has shown. A forged cursor with other fields does not decode."""

    created_at_ms: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
    uuid: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")]
    partition: Annotated[int, msgspec.Meta(ge=0, le=255)]


FIRST_UUID: Final = "00000000-0000-0000-0000-000000000000"
NEWEST: Final = ListPosition(2**63 - 1, "ffffffff-ffff-ffff-ffff-ffffffffffff", 256)
"""The position before the first item of every list."""


class ExecutionFilter(msgspec.Struct, frozen=True):
    """Which executions a list shows; None means any."""

    namespace: str | None = None
    public_state: PublicState | None = None
    lane: str | None = None
    flow_id: str | None = None
    kind: str | None = None
    tag: tuple[str, str] | None = None
    created_before_ms: int | None = None

    def start(self, after: "ListPosition | None") -> "ListPosition":
        """The position after which a list goes on, newest first: it skips what was shown, and what is too new."""
        bound = NEWEST if self.created_before_ms is None else ListPosition(self.created_before_ms, FIRST_UUID, 0)
        return bound if after is None else min(after, bound)


NEWEST_AMONG: Final = 10_000
"""How many events at the end of the log are looked at for the newest ones. A filter may fit hardly any event."""


class EventFilter(msgspec.Struct, frozen=True):
    """Which events a reader sees; None means any."""

    channels: tuple[Channel, ...] | None = None
    namespace: str | None = None
    execution_id: ExecutionId | None = None
    flow_id: str | None = None


class FlowFilter(msgspec.Struct, frozen=True):
    """Which flows a list shows; None means any."""

    namespace: str | None = None
    state: FlowState | None = None
