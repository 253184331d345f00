"""Replays around a join: every short run of ends and replays, and many long ones, against a model of what they mean."""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

from flowfabric.domain.commands import Release, ReplayExecution
from flowfabric.domain.joins import AllOf, AnyOf, Join, Quorum
from tests.domain.flow_world import World, edge, member, member_id, names, submission
from tests.domain.records import fence_of
from tests.sizes import IS_FULL

CHILD = "c"
STEPS_EXHAUSTED = 5 if IS_FULL else 4
WALKS = 40 if IS_FULL else 10
STEPS_WALKED = 30

Op = tuple[str, str]
"""What is done, and to whom."""


class Model:
    """One child over some upstreams: what each edge has counted, and what the join says of that."""

    def __init__(self, upstreams: Sequence[str], join: Join) -> None:
        self.join = join
        self.lives = dict.fromkeys(upstreams, "live")
        self.edges = dict.fromkeys(upstreams, "pending")
        self.group = "pending"
        self.child = "blocked"

    def fork(self) -> "Model":
        other = Model((), self.join)
        other.lives, other.edges = dict(self.lives), dict(self.edges)
        other.group, other.child = self.group, self.child
        return other

    @property
    def wanted(self) -> int:
        if isinstance(self.join, AllOf):
            return len(self.edges)
        return self.join.k if isinstance(self.join, Quorum) else 1

    @property
    def successes(self) -> int:
        return list(self.edges.values()).count("success")

    @property
    def counts(self) -> tuple[int, int, int]:
        """Total, successes, failures."""
        pending = list(self.edges.values()).count("pending")
        return len(self.edges), self.successes, len(self.edges) - pending - self.successes

    def ops(self) -> list[Op]:
        """What can be done now."""
        found: list[Op] = []
        for name, life in self.lives.items():
            found += [("success", name), ("failed", name)] if life == "live" else [("replay", name)]
        if self.child in ("blocked", "waiting"):
            found.append(("cancelled", CHILD))
        if self.child in ("waiting", "released"):
            found.append(("claim", CHILD))
        if self.child == "active":
            found += [("success", CHILD), ("release", CHILD)]
        if self.child in ("completed", "skipped", "cancelled"):
            found.append(("replay", CHILD))
        return found

    def do(self, op: Op) -> None:
        what, name = op
        if name == CHILD:
            self._to_the_child(what)
        elif what == "replay":
            self._replay(name)
        else:
            self._end(name, what)

    def _end(self, name: str, how: str) -> None:
        self.lives[name] = how
        if self.edges[name] == "pending":
            self.edges[name] = how
            self._judge()

    def _judge(self) -> None:
        """A group that is pending and whose child lives may be decided; then the rest may be of no use."""
        if self.group != "pending" or self.child != "blocked":
            return
        lost = self.counts[2]
        if self.successes >= self.wanted:
            self.group, self.child = "satisfied", "waiting"
        elif len(self.edges) - lost < self.wanted:
            self.group, self.child = "impossible", "skipped"
        if self.group != "pending":
            self._cancel_the_rest()

    def _cancel_the_rest(self) -> None:
        if isinstance(self.join, AllOf) or self.join.on_satisfied == "let_run":
            return
        for name, state in self.edges.items():
            if state == "pending" and self.lives[name] == "live":
                self.lives[name] = self.edges[name] = "cancelled"

    def _replay(self, name: str) -> None:
        """Whoever lives and has not started waits for the new end; all others are left alone."""
        self.lives[name] = "live"
        if self.child not in ("blocked", "waiting"):
            return
        self.edges[name] = "pending"
        if self.group == "satisfied" and self.successes < self.wanted:
            self.group, self.child = "pending", "blocked"

    def _to_the_child(self, what: str) -> None:
        if what == "claim":
            self.child = "active"
        elif what == "release":
            self.child = "released"  # it has started, whoever goes on with it
        elif what == "success":
            self.child = "completed"
        elif what == "cancelled":
            self.child = "cancelled"
        else:
            self._start_anew()

    def _start_anew(self) -> None:
        """Whoever has completed counts; all other edges wait for the next end, whatever they have told before."""
        for name, life in self.lives.items():
            self.edges[name] = "success" if life == "success" else "pending"
        self.group, self.child = "pending", "blocked"
        if self.successes >= self.wanted:
            self.group, self.child = "satisfied", "waiting"
            self._cancel_the_rest()


class Path(NamedTuple):
    """What was done so far, and what came of it."""

    world: World
    model: Model
    done: tuple[Op, ...] = ()

    def then(self, op: Op) -> "Path":
        world, model = self.world.fork(), self.model.fork()
        _do(world, op)
        model.do(op)
        return Path(world, model, (*self.done, op))


def _do(world: World, op: Op) -> None:
    what, name = op
    if what == "replay":
        world.decide(ReplayExecution(member_id(name)))
    elif what == "claim":
        world.claim(name)
    elif what == "release":
        world.decide(Release(fence_of(world.find(name))))
    else:
        assert what in ("success", "failed", "cancelled")
        world.end(name, what)


def _start(count: int, join: Join) -> Path:
    upstreams = names("u", count)
    world = World()
    members = [member(name) for name in (*upstreams, CHILD)]
    world.decide(submission(members, [edge(name, CHILD) for name in upstreams], {CHILD: join}))
    return Path(world, Model(upstreams, join))


_SHOWN = {"blocked": "waiting_children", "released": "waiting"}


def _differences(path: Path) -> Iterator[str]:
    world, model = path.world, path.model
    group = world.group(CHILD)
    assert group.skip_count == 0
    told: list[tuple[object, object]] = [
        (_SHOWN.get(model.child, model.child), world.state(CHILD)),
        (model.group, group.state),
        (model.counts, (group.total, group.success_count, group.fail_count)),
        *((life, _life(world, name)) for name, life in model.lives.items()),
        *((state, _edge_state(world, name)) for name, state in model.edges.items()),
    ]
    for expected, found in told:
        if expected != found:
            yield f"{path.done}: should be {expected}, and is {found}"
    yield from (f"{path.done}: {message}" for message in (*world.broken, *world.at_rest()))


def _life(world: World, name: str) -> str:
    x = world.find(name)
    return x.terminal_outcome if x.has_ended else "live"


def _edge_state(world: World, name: str) -> str:
    outcome = next(each.outcome for key, each in world.loaded.edges.items() if key[1] == f"{name}>{CHILD}")
    return "pending" if outcome == "none" else outcome


def _runs(path: Path, steps: int) -> Iterator[Path]:
    """Every run of so many steps, with all its beginnings."""
    yield path
    if steps:
        for op in path.model.ops():
            yield from _runs(path.then(op), steps - 1)


def _first_differences(paths: Iterator[Path]) -> list[str]:
    for path in paths:
        if found := list(_differences(path)):
            return found
    return []


def _joins(count: int) -> list[Join]:
    both = ("cancel_remaining", "let_run")
    return [AllOf(), *(AnyOf(rest) for rest in both), *(Quorum(k, rest) for k in range(2, count + 1) for rest in both)]


@pytest.mark.parametrize("join", _joins(2), ids=str)
def test_every_short_run_of_ends_and_replays_means_what_the_model_says(join: Join):
    start = _start(2, join)

    found = _first_differences(_runs(start, STEPS_EXHAUSTED))

    assert found == []


@pytest.mark.parametrize("join", _joins(4), ids=str)
def test_long_runs_of_ends_and_replays_mean_what_the_model_says(join: Join):
    start = _start(4, join)

    found = [message for seed in range(WALKS) for message in _first_differences(_walk(start, seed))]

    assert found == []


def _walk(path: Path, seed: int) -> Iterator[Path]:
    chance = random.Random(seed)
    for _ in range(STEPS_WALKED):
        path = path.then(chance.choice(path.model.ops()))
        yield path
