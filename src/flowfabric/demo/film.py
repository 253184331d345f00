"""A film while it is made: what is drawn, and what it was made of in the end."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.flow import FlowState
from flowfabric.domain.states import PublicState


class Drawn(msgspec.Struct, frozen=True):
    """One member, as it is drawn."""

    name: str
    state: PublicState
    percent: int
    worker: str


class Picture(msgspec.Struct, frozen=True):
    """The flow at one moment."""

    state: FlowState
    parts_there: int
    nodes: Mapping[str, Drawn]

    @property
    def is_over(self) -> bool:
        """True once nothing will change any more."""
        return self.state not in ("open", "running")


def parts_in(published: bytes | None) -> Sequence[str]:
    """Which parts the published film was made of."""
    return [] if published is None else msgspec.json.decode(published, type=list[str])
