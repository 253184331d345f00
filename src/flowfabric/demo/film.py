"""A film as a flow: it is split, its parts are encoded side by side, and it is published once enough of them are there.

split --+--> part-1 --+
        +--> ...      +-- 5 of 8 --> publish
        +--> part-8 --+
"""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from flowfabric.domain.flow import FlowState
from flowfabric.domain.graph import FlowGraph
from flowfabric.domain.joins import Quorum
from flowfabric.domain.states import PublicState

SPLIT: Final = "split"
PUBLISH: Final = "publish"
PARTS: Final = tuple(f"part-{number}" for number in range(1, 9))
ENOUGH: Final = 5
"""How many parts have to be there; the others are cancelled."""
DAMAGED: Final = "part-2"
"""The part that cannot be encoded."""
SCENES: Final = "scenes"
"""What the split is called where it is passed on."""
STEP_MS: Final = 250
SLOWER_MS: Final = 60
"""Each part takes longer than the one before it by this, so that some are under way when enough are there."""


class Step(msgspec.Struct, frozen=True):
    """The payload of each node: what there is to do."""

    name: str
    takes_ms: int = STEP_MS
    is_damaged: bool = False


class Drawn(msgspec.Struct, frozen=True):
    """One node, as it is drawn."""

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


def film() -> FlowGraph:
    """The whole pipeline, to be submitted in one transaction."""
    graph = FlowGraph("film")
    _add(graph, Step(SPLIT))
    _add(graph, Step(PUBLISH))
    graph.join(PUBLISH, Quorum(ENOUGH, "cancel_remaining"))
    for number, part in enumerate(PARTS, 1):
        _add(graph, Step(part, STEP_MS + number * SLOWER_MS, is_damaged=part == DAMAGED))
        graph.edge(SPLIT, part, pass_result_as=SCENES)
        graph.edge(part, PUBLISH, pass_result_as=part)
    return graph


def _add(graph: FlowGraph, step: Step) -> None:
    graph.node(step.name, step.name.partition("-")[0], msgspec.json.encode(step))


def result_of(step: Step, inputs: Mapping[str, bytes]) -> bytes:
    """What a step makes of the results that it was given."""
    if step.name == SPLIT:
        return msgspec.json.encode({part: f"scene {number}" for number, part in enumerate(PARTS, 1)})
    if step.name == PUBLISH:
        return msgspec.json.encode(sorted(inputs))
    return msgspec.json.decode(inputs[SCENES], type=dict[str, str])[step.name].encode()


def parts_in(published: bytes | None) -> Sequence[str]:
    """Which parts the published film was made of."""
    return [] if published is None else msgspec.json.decode(published, type=list[str])
