"""The film: a picture of its flow while it is made, and the parts of the finished film."""

from collections.abc import Mapping, Sequence

import msgspec

from flowfabric.domain.flow import FlowState
from flowfabric.domain.states import PublicState


class Drawn(msgspec.Struct, frozen=True):
    """One member of the flow, as the screen draws it."""

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
    """The parts that make up the published film."""
    return [] if published is None else msgspec.json.decode(published, type=list[str])
