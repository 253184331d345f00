"""A database with one of each, for the verbs to look at and to steer."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from flowfabric import AnyOf, BlockingEngine, Claimed, FlowGraph, NewSchedule, open_blocking_engine
from tests.stores_under_test import STORES

UNKNOWN = "{fp:86}:00000000-0000-7000-8000-00000000abcd"
UNKNOWN_FLOW = "00000000-0000-7000-8000-00000000abcd"
DAY_MS = 86_400_000


class Desk(NamedTuple):
    """Where everything is, and what is there."""

    url: str
    waiting: str
    held: str
    active: str
    completed: str
    flow: str

    @contextmanager
    def engine(self) -> Iterator[BlockingEngine]:
        """An engine to look with at what a verb has done."""
        with open_blocking_engine(self.url, reconcile=False, migrate=True) as engine:
            yield engine

    def look(self, see: Callable[[BlockingEngine], object]) -> object:
        """What there is to see after a verb."""
        with self.engine() as engine:
            return see(engine)


@contextmanager
def a_desk(store: str, folder: Path) -> Iterator[Desk]:
    """A database on the store that is named, for as long as the block lasts."""
    with STORES[store].empty(folder) as url:
        yield _furnished(url)


def _furnished(url: str) -> Desk:
    with open_blocking_engine(url, reconcile=False, migrate=True) as engine:
        completed = _leased(engine, "completed")
        engine.record_step(completed.lease, "charge", b'"paid"')
        engine.complete(completed.lease, b'{"total":42}')
        active = _leased(engine, "active")
        waiting = engine.create_execution("charge", lane="mail", tags={"team.name": "billing"}).execution_id
        held = engine.create_execution("charge", lane="mail").execution_id
        engine.hold(held)
        engine.heartbeat(worker_id="till", worker_instance_id="till-1", lanes=["mail"], host="here", pid=7)
        graph = FlowGraph("film")
        split, cut, dub, show = (graph.node(name, name) for name in ("split", "cut", "dub", "show"))
        graph.edge(split, cut)
        graph.edge(split, dub)
        graph.edge(cut, show)
        graph.edge(dub, show)
        graph.join(show, AnyOf())
        flow = engine.submit_flow(graph).flow_id
        engine.fire_schedule(NewSchedule(name="nightly", kind="charge", every_ms=DAY_MS))
    return Desk(url, waiting, held, active.execution_id, completed.execution_id, flow)


def _leased(engine: BlockingEngine, kind: str) -> Claimed:
    engine.create_execution(kind, lane=kind)
    (claimed,) = engine.claim(worker_id="till", worker_instance_id="till-1", lanes=[kind])
    return claimed
