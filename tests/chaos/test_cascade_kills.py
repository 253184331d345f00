"""kill -9 of an engine in the middle of a cascade: what it had begun is brought to its end by whoever comes next."""

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from itertools import cycle, pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from flowfabric import AllOf, AnyOf, BlockingEngine, FlowGraph, Lease, Quorum, open_blocking_engine
from flowfabric.domain.decide.ending import CASCADE_MAX
from tests.chaos.books import all_events, assert_nothing_is_broken, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.processes import running
from tests.chaos.puppets import Order, order
from tests.chaos.sizes import SIZES

pytestmark = in_group("races")

MEMBERS = SIZES.cascade_members
"""Several times as many as one transaction may move; in the long form also more than it moves by itself."""
WIDTH = 20
ROOT = "root"
BOUNDS = (40, CASCADE_MAX)
"""How many executions one transaction moves: few, so that a cascade is many transactions, and as many as usual."""
PROGRAMS = "tests.chaos.flow_programs"


class Cascade(NamedTuple):
    """A flow, what starts its cascade, and how everyone has ended afterwards."""

    graph: Callable[[], FlowGraph]
    start: Callable[[BlockingEngine, str, str], Order]
    flow_state: str
    ends: Counter[str]


def chain() -> FlowGraph:
    """Everyone waits for the one before."""
    graph = _with_members(MEMBERS)
    for number in range(1, MEMBERS):
        graph.edge(_name(number - 1), _name(number))
    return graph


def fan() -> FlowGraph:
    """Everyone waits for the root, and the last one for everyone."""
    graph = _with_members(MEMBERS)
    for number in range(1, MEMBERS - 1):
        graph.edge(ROOT, _name(number))
        graph.edge(_name(number), _name(MEMBERS - 1))
    return graph


def mixed() -> FlowGraph:
    """Layers, in which everyone waits for some of the layer before, by every kind of join."""
    chance = random.Random(7)
    graph = _with_members(MEMBERS)
    layers = [[0], *([*range(first, min(first + WIDTH, MEMBERS))] for first in range(1, MEMBERS, WIDTH))]
    for before, layer in pairwise(layers):
        for number in layer:
            upstreams = chance.sample(before, min(len(before), 3))
            for upstream in upstreams:
                graph.edge(_name(upstream), _name(number))
            graph.join(_name(number), chance.choice((AllOf(), AnyOf("let_run"), Quorum(len(upstreams), "let_run"))))
    return graph


def voters() -> FlowGraph:
    """All but the last vote, and one vote is enough."""
    graph = _with_members(MEMBERS)
    graph.join(_name(MEMBERS - 1), AnyOf("cancel_remaining"))
    for number in range(MEMBERS - 1):
        graph.edge(_name(number), _name(MEMBERS - 1))
    return graph


def _with_members(count: int) -> FlowGraph:
    graph = FlowGraph("cascade")
    for number in range(count):
        # The root comes first, so that a claim finds it.
        graph.node(_name(number), "kind", priority=9 if number == 0 else 0)
    return graph


def _name(number: int) -> str:
    return ROOT if number == 0 else f"member {number}"


def fail_the_root(engine: BlockingEngine, flow_id: str, root: str) -> Order:
    return order("fail", lease=_lease_of(engine, root), code="broken", retryable=False)


def complete_the_root(engine: BlockingEngine, flow_id: str, root: str) -> Order:
    return order("complete", lease=_lease_of(engine, root))


def cancel_the_flow(engine: BlockingEngine, flow_id: str, root: str) -> Order:
    return order("cancel_flow", flow_id=flow_id, reason="enough")


def _lease_of(engine: BlockingEngine, root: str) -> Lease:
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="test", lease_ttl_ms=300_000)
    assert claimed.execution_id == root
    return claimed.lease


ALL_SKIPPED = Counter(failed=1, skipped=MEMBERS - 1)
REST_CANCELLED = Counter(completed=1, cancelled=MEMBERS - 2, waiting=1)
CASCADES = {
    "chain": Cascade(chain, fail_the_root, "failed", ALL_SKIPPED),
    "fan": Cascade(fan, fail_the_root, "failed", ALL_SKIPPED),
    "mixed": Cascade(mixed, fail_the_root, "failed", ALL_SKIPPED),
    "voters": Cascade(voters, complete_the_root, "running", REST_CANCELLED),
    "cancel": Cascade(mixed, cancel_the_flow, "cancelled", Counter(cancelled=MEMBERS)),
}


@pytest.mark.parametrize("name", CASCADES)
def test_an_engine_dies_in_the_middle_of_a_cascade_and_the_next_one_brings_it_to_its_end(
    url: str, name: str, tmp_path: Path, figures: Figures
) -> None:
    cascade = CASCADES[name]
    met = Counter[str]()
    with open_blocking_engine(url, reconcile=False) as engine:
        takes_s = {bound: rehearsed(engine, url, cascade, bound, tmp_path) for bound in BOUNDS[: SIZES.cascade_kills]}
        for _, bound in zip(range(SIZES.cascade_kills), cycle(BOUNDS), strict=False):
            flow_id, start = begun(engine, cascade)

            with running("start_a_cascade", url, bound, folder=tmp_path, module=PROGRAMS) as victim:
                assert victim.line() == "ready"
                victim.tell(json.dumps(start))
                time.sleep(random.uniform(0, takes_s[bound]))  # so that a kill meets any step of the cascade
            met[how_far(engine, flow_id, cascade)] += 1
            engine.reconcile()
            # Its answer may have been lost with it: the same again is the same answer, and has no effect.
            resend(engine, start)
            engine.reconcile()

            assert_is_at_its_end(engine, url, flow_id, cascade)
    figures(kills=SIZES.cascade_kills, members=MEMBERS, **met)


def begun(engine: BlockingEngine, cascade: Cascade) -> tuple[str, Order]:
    """A new flow, and the command that starts its cascade."""
    flow = engine.submit_flow(cascade.graph())
    return flow.flow_id, cascade.start(engine, flow.flow_id, flow.execution_ids[ROOT])


def rehearsed(engine: BlockingEngine, url: str, cascade: Cascade, bound: int, folder: Path) -> float:
    """How many seconds the cascade takes if nobody is killed."""
    flow_id, start = begun(engine, cascade)
    with running("start_a_cascade", url, bound, folder=folder, module=PROGRAMS) as process:
        assert process.line() == "ready"
        started_at = time.monotonic()
        process.tell(json.dumps(start))
        process.line()
        took_s = time.monotonic() - started_at
    assert states_in(engine, flow_id) == cascade.ends
    return took_s


def resend(engine: BlockingEngine, start: Order) -> None:
    given = dict(start.given)
    if "lease" in given:
        given["lease"] = msgspec.convert(given["lease"], Lease)
    getattr(engine, start.method)(**given)


def how_far(engine: BlockingEngine, flow_id: str, cascade: Cascade) -> str:
    states = states_in(engine, flow_id)
    if states == cascade.ends:
        return "at_the_end"
    return "in_the_middle" if states["skipped"] or states["cancelled"] else "at_the_start"


def states_in(engine: BlockingEngine, flow_id: str) -> Counter[str]:
    return Counter(x.public_state for x in engine.list_executions(flow_id=flow_id, limit=1000).items)


def assert_is_at_its_end(engine: BlockingEngine, url: str, flow_id: str, cascade: Cascade) -> None:
    """Everyone has ended once and as expected, every edge tells it, the flow knows, and nothing is left to be done."""
    flow = engine.describe_flow(flow_id)
    assert flow is not None
    assert flow.state == cascade.flow_state
    assert states_in(engine, flow_id) == cascade.ends
    assert not any(edge.state == "pending" for edge in engine.list_edges(flow_id))
    with opened(url) as store:
        assert_nothing_is_broken(store, flow_id)
        ended = Counter(event.execution_id for event in all_events(store, flow_id) if event.channel == "completion")
    del ended[None]  # the flow itself
    assert set(ended.values()) == {1}
    assert len(ended) == MEMBERS - cascade.ends["waiting"]
    assert not any(engine.reconcile().values())
