"""Every join in every order of ends: what becomes of the child, of the siblings, and of the flow.

What must happen is said by a small model that knows nothing of the code: counts, and three sentences about them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pytest

from flowfabric.domain.joins import AllOf, AnyOf, Join, Quorum
from flowfabric.domain.states import TerminalOutcome
from tests.domain.flow_world import World, edge, member, names, submission
from tests.domain.records import NOW

LOSSES = ("failed", "cancelled", "expired", "skipped")
SHOWN = {
    "success": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
    "expired": "expired",
    "skipped": "skipped",
}


# ── the model ────────────────────────────────────────────────────────────────────────────────────


class Wanted(NamedTuple):
    """What one child waits for: so many of these must complete; then, maybe, the others are of no use."""

    upstreams: Sequence[str]
    successes: int
    cancels_the_rest: bool


class Model:
    """Who has ended how, and which children are decided."""

    def __init__(self, children: Mapping[str, Wanted]) -> None:
        self.children = children
        self.ends: dict[str, str] = {}
        self.decided: dict[str, str] = {}
        self.needless: set[str] = set()
        """Whom the engine has cancelled."""

    def fork(self) -> "Model":
        other = Model(self.children)
        other.ends, other.decided, other.needless = dict(self.ends), dict(self.decided), set(self.needless)
        return other

    @property
    def open(self) -> list[str]:
        """Upstreams that have not ended."""
        every = dict.fromkeys(name for wanted in self.children.values() for name in wanted.upstreams)
        return [name for name in every if name not in self.ends]

    def end(self, name: str, how: str) -> None:
        """Somebody has ended, an upstream or a child; draw every conclusion."""
        self.ends[name] = how
        for child, wanted in self.children.items():
            if child not in self.decided and child not in self.ends:
                self._judge(child, wanted)
        for upstream in self.open:
            if self._is_needless(upstream):
                self.needless.add(upstream)
                self.end(upstream, "cancelled")

    def _judge(self, child: str, wanted: Wanted) -> None:
        outcomes = [self.ends.get(name) for name in wanted.upstreams]
        if outcomes.count("success") >= wanted.successes:
            self.decided[child] = "satisfied"
        elif len(outcomes) - sum(outcome in LOSSES for outcome in outcomes) < wanted.successes:
            self.decided[child] = "impossible"
            self.ends[child] = "skipped"

    def _is_needless(self, upstream: str) -> bool:
        served = [child for child, wanted in self.children.items() if upstream in wanted.upstreams]
        settled = all(child in self.decided or child in self.ends for child in served)
        return settled and any(child in self.decided and self.children[child].cancels_the_rest for child in served)

    def counts(self, child: str) -> tuple[int, int, int, int]:
        """Total, successes, failures, skips."""
        outcomes = [self.ends.get(name) for name in self.children[child].upstreams]
        failures = sum(outcome in LOSSES[:3] for outcome in outcomes)
        return len(outcomes), outcomes.count("success"), failures, outcomes.count("skipped")

    def shows(self, child: str) -> str:
        """The public state of a child that nobody claims."""
        if child in self.ends:
            return SHOWN[self.ends[child]]
        return "waiting" if child in self.decided else "waiting_children"


def _wanted(join: Join, upstreams: Sequence[str]) -> Wanted:
    if isinstance(join, AllOf):
        return Wanted(upstreams, len(upstreams), False)
    successes = join.k if isinstance(join, Quorum) else 1
    return Wanted(upstreams, successes, join.on_satisfied == "cancel_remaining")


def _joins(upstreams: int) -> list[Join]:
    joins: list[Join] = [AllOf()]
    for rest in ("cancel_remaining", "let_run"):
        joins += [AnyOf(rest), *(Quorum(k, rest) for k in range(1, upstreams + 1))]
    return joins


def _named(join: Join) -> str:
    return "-".join(str(each) for each in (type(join).__name__, *(getattr(join, f) for f in join.__struct_fields__)))


# ── every order ──────────────────────────────────────────────────────────────────────────────────


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
    model = Model({child: _wanted(join, up) for child, (join, up) in children.items()})
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
        # Of the very many ways for five upstreams, some are followed to the end of the flow.
        if not path.model.open and (len(path.world.upstreams) < 5 or number % 5 == 0):
            found += _end_of_flow(path)
        if len(found) > 10:
            break
    return found


TABLES = [pytest.param(count, join, id=f"{count}-{_named(join)}") for count in range(1, 6) for join in _joins(count)]


@pytest.mark.parametrize(("count", "join"), TABLES)
def test_a_join_of_waiting_upstreams_ends_as_the_counts_say(count: int, join: Join):
    upstreams = names("u", count)
    start = _start(upstreams, {"c": (join, upstreams)})

    found = _all_differences(start, ("success", "failed", "skipped", "cancelled"), in_any_order=count <= 3)

    assert found == []


@pytest.mark.parametrize(("count", "join"), TABLES)
def test_a_join_of_running_upstreams_ends_as_the_counts_say(count: int, join: Join):
    upstreams = names("u", count)
    start = _all_running(_start(upstreams, {"c": (join, upstreams)}))

    found = _all_differences(start, ("success", "failed", "expired", "cancelled"), in_any_order=count <= 3)

    assert found == []


PAIRS = [(one, other) for one in _joins(2) for other in _joins(2)]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=_named)
def test_an_upstream_is_needless_once_its_last_join_is_decided_and_one_says_so(one: Join, other: Join):
    start = _start(names("u", 3), {"c": (one, ("u0", "u1")), "d": (other, ("u1", "u2"))})

    found = _all_differences(start, ("success", "failed", "skipped"), in_any_order=True)

    assert found == []


@pytest.mark.parametrize("gone", ["c", "d"])
@pytest.mark.parametrize(("one", "other"), PAIRS, ids=_named)
def test_a_join_whose_child_was_cancelled_needs_nobody(one: Join, other: Join, gone: str):
    start = _start(names("u", 3), {"c": (one, ("u0", "u1")), "d": (other, ("u1", "u2"))})

    found = []
    for path in [start, *_paths(start, ("success", "failed"), in_any_order=True)]:
        if gone not in path.model.ends:
            found += _all_differences(path.then(gone, "cancelled"), ("success", "failed"), in_any_order=False)

    assert found == []
