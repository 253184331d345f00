"""Ends of children and ends of their parent at once, from two processes: each is counted once, and nobody deadlocks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from typing import NamedTuple

import pytest

from flowfabric import BlockingEngine, Lease, NewChild, open_blocking_engine
from flowfabric.domain.children import Children
from flowfabric.domain.execution import Execution
from flowfabric.ports.store import Store
from tests.chaos.books import all_executions, assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.puppets import Order, Puppets, order, puppets
from tests.chaos.sizes import SIZES

pytestmark = in_group("races")

LEASE_TTL_MS = 300_000
GROUPS = ("pages", "images", "words", "links")
"""The ids of a later group are often before those of an earlier one."""
CHILDREN = 10
"""In each group."""
_numbers = count()


class Family(NamedTuple):
    """A parent that runs, and its children, which run as well."""

    lane: str
    parent: Lease
    children: Sequence[Lease]


@pytest.fixture(scope="module")
def url(server: KillablePostgres) -> str:
    """PostgreSQL alone: on SQLite there is one lock, and other tests race there."""
    url = server.url(server.new_database())
    with open_blocking_engine(url, migrate=True, reconcile=False):
        return url


@pytest.fixture(scope="module")
def engine(url: str) -> Iterator[BlockingEngine]:
    with open_blocking_engine(url, reconcile=False) as engine:
        yield engine


@pytest.fixture(scope="module")
def racers(
    url: str, server: KillablePostgres, engine: BlockingEngine, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Puppets]:
    database = url.partition("///")[2].partition("?")[0]
    with puppets(url, 2, tmp_path_factory.mktemp("racers")) as racers:
        yield racers
    # The server counts what a session has met when the session ends, at the latest.
    assert server.deadlocks(database) == 0, "rows were not locked in the one order"


def test_children_end_while_their_parent_is_cancelled(
    url: str, engine: BlockingEngine, racers: Puppets, figures: Figures
) -> None:
    families = [family(engine) for _ in range(SIZES.family_rounds)]
    told: Counter[str] = Counter()
    for each in families:
        cancel = order("cancel_execution", execution_id=each.parent.execution_id, reason="race")
        here = [cancel, *ends(each.children[1::2])]
        there = [*ends(each.children[0::2]), order("reconcile")]
        cancelled, *answers = [answer for own in racers.race(here, there) for answer in own]
        assert cancelled.name == "Cancelled"
        told.update(answer.name for answer in answers)

    settle(engine)
    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
        executions = members_of(families, store)
    assert not [x for x in executions if not x.has_ended or x.unsettled]
    for x in executions:
        assert sum(event.channel == "completion" for event in happened[x.execution_id]) == 1, x
    states = Counter(x.public_state for x in executions if x.parent_id is not None)
    assert states["completed"] == told["Completed"]
    assert states["cancelled"] == told["ExecutionNotActive"]
    figures(families=len(families), deadlocks=0, **states)


def test_upkeep_passes_on_the_ends_that_their_own_process_passes_on(
    url: str, engine: BlockingEngine, racers: Puppets, figures: Figures
) -> None:
    families = [family(engine) for _ in range(SIZES.family_rounds)]
    for each in families:
        engine.suspend(each.parent, "all", Children(GROUPS))
        racers.race([*ends(each.children), order("reconcile")], [order("reconcile")] * 4)

    settle(engine)
    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
    for each in families:
        events = Counter(event.event_type for event in happened[each.parent.execution_id])
        assert events["resumed"] == 1
    assert {engine.describe_execution(each.parent.execution_id).public_state for each in families} == {"resumable"}
    figures(families=len(families), deadlocks=0, resumed=len(families))


def test_children_end_while_their_parent_is_replayed_and_makes_them_again(
    url: str, engine: BlockingEngine, racers: Puppets, figures: Figures
) -> None:
    """A kept replay locks the parent before its children, and the replay of a child locks the child first."""
    families = [family(engine) for _ in range(SIZES.family_rounds)]
    for each in families:
        for lease in each.children:
            engine.fail(lease, code="broken", retryable=False)
        engine.fail(each.parent, code="broken", retryable=False)
        engine.replay_execution(each.parent.execution_id, steps="keep")
        parent = claim(engine, each.lane)[0]
        items = [{"kind": "part", "lane": f"{each.lane}-children"}] * CHILDREN
        makes = [order("create_children", lease=parent, name=name, items=items) for name in GROUPS]
        back = [order("replay_execution", execution_id=lease.execution_id) for lease in each.children]
        racers.race(makes, back[::-1])

    settle(engine)
    with opened(url) as store:
        assert_nothing_is_broken(store)
        executions = members_of(families, store)
    assert {x.public_state for x in executions if x.parent_id is not None} == {"waiting"}
    assert {x.replay_count for x in executions} == {1}
    figures(families=len(families), deadlocks=0, replayed=len(executions))


def family(engine: BlockingEngine) -> Family:
    """A parent and its children, all of them running."""
    lane = f"family-{next(_numbers)}"
    engine.create_execution("race", lane=lane)
    (parent,) = claim(engine, lane)
    for name in GROUPS:
        engine.create_children(parent, name, [NewChild(kind="part", lane=f"{lane}-children")] * CHILDREN)
    return Family(lane, parent, claim(engine, f"{lane}-children"))


def members_of(families: Sequence[Family], store: Store) -> list[Execution]:
    """The parents and their children."""
    parents = {each.parent.execution_id for each in families}
    return [x for x in all_executions(store) if {x.execution_id, x.parent_id} & parents]


def claim(engine: BlockingEngine, lane: str) -> list[Lease]:
    claimed = engine.claim(worker_id="w", worker_instance_id="test", lanes=[lane], limit=100, lease_ttl_ms=LEASE_TTL_MS)
    return [each.lease for each in claimed]


def ends(leases: Sequence[Lease]) -> list[Order]:
    return [order("complete", lease=lease) for lease in leases]


def settle(engine: BlockingEngine) -> None:
    """Pass on the ends that a racer had not passed on when it was last asked."""
    while any(engine.reconcile().values()):
        pass
