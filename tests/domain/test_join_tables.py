"""Every join in every order of ends: what becomes of the child, of the siblings, and of the flow.

What must happen is said by the model.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pytest

from flowfabric.domain.joins import Join, Quorum
from flowfabric.domain.states import TerminalOutcome
from tests.domain.flow_world import World, edge, member, names, submission
from tests.domain.join_model import Model, joins_of, named, wanted_by
from tests.domain.records import NOW
from tests.sizes import IS_FULL

UPSTREAMS_MAX = 5 if IS_FULL else 4
"""Four are enough for a quorum that is neither one nor all, with more than one left over."""
IN_ANY_ORDER_MAX = 3 if IS_FULL else 2
ALL_TO_THE_END_MAX = 4 if IS_FULL else 2


class Path(NamedTuple):
    """One way to end some upstreams, and what came of it."""

    world: World
    model: Model
    story: tuple[tuple[str, str], ...] = ()

    def then(self, name: str, how: TerminalOutcome) -> "Path":
        world, model = self.world.fork(), self.model.fork()
        _bring_to(world, name, how)
        model.end(name, how)
        return Path(world, model, (*self.story, (name, how)))


def _bring_to(world: World, name: str, how: TerminalOutcome) -> None:
    """End an upstream; by its parent, if it is to be skipped, and with its parent, if it has to run first."""
    if how == "skipped":
        world.end(f"p{name}", "failed")
        return
    if how in ("success", "failed") and world.state(name) == "waiting_children":
        world.end(f"p{name}", "success")
    world.end(name, how)


def _paths(start: Path, outcomes: Sequence[TerminalOutcome], *, in_any_order: bool) -> Iterator[Path]:
    """Every way on from here.

    The upstreams differ in nothing but their names, so every order of ends is there also if each time only one of
    them is next, and who that is is left to the story so far. `in_any_order` tells them apart nevertheless.
    """
    candidates = [name for name in start.model.open if name in start.world.upstreams]
    if not in_any_order:
        candidates = candidates[len(start.story) * 3 % max(1, len(candidates)) :][:1]
    for name in candidates:
        for how in outcomes:
            path = start.then(name, how)
            yield path
            yield from _paths(path, outcomes, in_any_order=in_any_order)


class JoinWorld(World):
    """Upstreams u0, u1, … each with a parent of its own, children over them, and a grandchild below each child."""

    def __init__(self, upstreams: Sequence[str] = ()) -> None:
        super().__init__()
        self.upstreams = upstreams

    def fork(self) -> "JoinWorld":
        other = super().fork()
        other.upstreams = self.upstreams
        return other


def _start(upstreams: Sequence[str], children: Mapping[str, tuple[Join, Sequence[str]]]) -> Path:
    world = JoinWorld(upstreams)
    members = [
        *(member(f"p{name}") for name in upstreams),
        # Overdue from the start: it expires as soon as somebody looks.
        *(member(name, deadline_at_ms=NOW) for name in upstreams),
        *(member(name) for child in children for name in (child, f"g{child}")),
    ]
    edges = [
        *(edge(f"p{name}", name) for name in upstreams),
        # The order of their ids is not the order of the upstreams.
        *(edge(n, child, edge_id=f"{9 - int(n[1])}-{child}") for child, (_, up) in children.items() for n in up),
        *(edge(child, f"g{child}") for child in children),
    ]
    world.decide(submission(members, edges, {child: join for child, (join, _) in children.items()}))
    model = Model({child: wanted_by(join, up) for child, (join, up) in children.items()})
    return Path(world, model)


def _all_running(path: Path) -> Path:
    for name in path.world.upstreams:
        path.world.end(f"p{name}", "success")
    path.world.claim(*path.world.upstreams)
    return path


def _differences(path: Path) -> Iterator[str]:
    """Where the world is not what the model says."""
    world, model = path.world, path.model
    yield from world.broken
    for child in model.children:
        group = world.group(child)
        told: list[tuple[object, object]] = [
            (model.shows(child), world.state(child)),
            (model.decided.get(child, "pending"), group.state),
            (model.counts(child), (group.total, group.success_count, group.fail_count, group.skip_count)),
            ("skipped" if child in model.ends else "waiting_children", world.state(f"g{child}")),
        ]
        for expected, found in told:
            if expected != found:
                yield f"{path.story}: {child} should be {expected}, and is {found}"
    for name in world.upstreams:
        x = world.find(name)
        if x.terminal_outcome != model.ends.get(name, "none"):
            yield f"{path.story}: {name} should be {model.ends.get(name)}, and is {x.public_state}"
        if (x.cancelled_by == "engine") != (name in model.needless):
            yield f"{path.story}: {name} was cancelled by {x.cancelled_by}"
        reasons = {f"sibling_quorum_{state}" for state in model.decided.values()}
        if name in model.needless and x.cancellation_reason not in reasons:
            yield f"{path.story}: {name} was cancelled because of {x.cancellation_reason}"


def _end_of_flow(path: Path) -> Iterator[str]:
    """Where the flow does not end as it should, once everybody has come to the end."""
    world, model = path.world.fork(), path.model
    for name in (name for upstream in world.upstreams for name in (f"p{upstream}", upstream)):
        if not world.find(name).has_ended:
            world.end(name, "success")
    for name in (name for child in model.children for name in (child, f"g{child}")):
        if world.state(name) == "waiting":
            world.end(name, "success")
    expected = "failed" if any(child in model.ends for child in model.children) else "completed"
    if world.flow.state != expected:
        yield f"{path.story}: the flow should be {expected}, and is {world.flow.state}"
    yield from world.broken
    yield from (f"{path.story}: {message}" for message in world.at_rest())


def _all_differences(start: Path, outcomes: Sequence[TerminalOutcome], *, in_any_order: bool) -> list[str]:
    found = list(_differences(start))
    for number, path in enumerate(_paths(start, outcomes, in_any_order=in_any_order)):
        found += _differences(path)
        # Of the very many ways for many upstreams, some are followed to the end of the flow.
        if not path.model.open and (len(path.world.upstreams) <= ALL_TO_THE_END_MAX or number % 5 == 0):
            found += _end_of_flow(path)
        if len(found) > 10:
            break
    return found


TABLES = [
    pytest.param(count, join, id=f"{count}-{named(join)}")
    for count in range(1, UPSTREAMS_MAX + 1)
    for join in joins_of(count)
]


@pytest.mark.parametrize(("count", "join"), TABLES)
def test_a_join_of_waiting_upstreams_ends_as_the_counts_say(count: int, join: Join):
    upstreams = names("u", count)
    start = _start(upstreams, {"c": (join, upstreams)})

    found = _all_differences(
        start, ("success", "failed", "skipped", "cancelled"), in_any_order=count <= IN_ANY_ORDER_MAX
    )

    assert found == []


@pytest.mark.parametrize(("count", "join"), TABLES)
def test_a_join_of_running_upstreams_ends_as_the_counts_say(count: int, join: Join):
    upstreams = names("u", count)
    start = _all_running(_start(upstreams, {"c": (join, upstreams)}))

    found = _all_differences(
        start, ("success", "failed", "expired", "cancelled"), in_any_order=count <= IN_ANY_ORDER_MAX
    )

    assert found == []


# A quorum of one means what AnyOf means: the tables above show it.
JOINS = [join for join in joins_of(2) if IS_FULL or not (isinstance(join, Quorum) and join.k == 1)]
PAIRS = [(one, other) for one in JOINS for other in JOINS]
# The world has a mirror: (one, other, "c") is (other, one, "d"). With every second pair each, all differ in more.
CANCELLED = [(*pair, gone) for at, pair in enumerate(PAIRS) for gone in (("c", "d") if IS_FULL else ("cd"[at % 2],))]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=named)
def test_an_upstream_is_needless_once_its_last_join_is_decided_and_one_says_so(one: Join, other: Join):
    start = _start(names("u", 3), {"c": (one, ("u0", "u1")), "d": (other, ("u1", "u2"))})

    found = _all_differences(start, ("success", "failed", "skipped"), in_any_order=True)

    assert found == []


@pytest.mark.parametrize(
    ("one", "other", "gone"), CANCELLED, ids=lambda each: each if each in ("c", "d") else named(each)
)
def test_a_join_whose_child_was_cancelled_needs_nobody(one: Join, other: Join, gone: str):
    start = _start(names("u", 3), {"c": (one, ("u0", "u1")), "d": (other, ("u1", "u2"))})

    found = []
    for path in [start, *_paths(start, ("success", "failed"), in_any_order=True)]:
        if gone not in path.model.ends:
            found += _all_differences(path.then(gone, "cancelled"), ("success", "failed"), in_any_order=False)

    assert found == []
