"""An edge that is added late: what it does to a downstream that waits, may run, runs or has ended."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from flowfabric.domain.commands import AddDependency
from flowfabric.domain.errors import ExecutionNotEligible
from flowfabric.domain.joins import AllOf, Join
from flowfabric.domain.outcomes import DependencyAdded
from flowfabric.domain.states import TerminalOutcome
from tests.domain.flow_world import FLOW, World, edge, member, submission
from tests.domain.join_model import Model, joins_of, named, wanted_by

LATE: list[TerminalOutcome] = ["none", "success", "failed", "cancelled"]
ADD = AddDependency(FLOW, edge("late", "c"), True, None)


class Moment(NamedTuple):
    """A child with two upstreams at one moment, a third that is no upstream yet, and what the model says of it."""

    world: World
    model: Model
    story: tuple[str, ...]


def _moments(join: Join, late: TerminalOutcome) -> Iterator[Moment]:
    """Every way in which the two upstreams may have ended so far."""
    world = World()
    members = [member(name) for name in ("u0", "u1", "late", "c")]
    world.decide(submission(members, [edge("u0", "c"), edge("u1", "c")], {"c": join}))
    if late != "none":
        world.end("late", late)
    start = Moment(world, Model({"c": wanted_by(join, ("u0", "u1"))}), ())
    yield start._replace(world=world.fork())
    yield from _later(start)


def _later(moment: Moment) -> Iterator[Moment]:
    for name in moment.model.open:
        for how in ("success", "failed"):
            world, model = moment.world.fork(), moment.model.fork()
            world.end(name, how)
            model.end(name, how)
            later = Moment(world, model, (*moment.story, name, how))
            yield later._replace(world=world.fork())
            yield from _later(later)


def _linked(moment: Moment, join: Join, late: TerminalOutcome) -> Model:
    """What the model says once the edge is there."""
    model = Model({"c": wanted_by(join, ("u0", "u1", "late"))})
    model.ends, model.decided = dict(moment.model.ends), dict(moment.model.decided)
    model.needless = set(moment.model.needless)
    if late != "none":
        model.ends["late"] = late
    if isinstance(join, AllOf) and model.decided.get("c") == "satisfied":
        del model.decided["c"]
    if "c" not in model.decided:
        model.conclude()
    return model


def _differences(moment: Moment, model: Model) -> Iterator[str]:
    world, group = moment.world, moment.world.group("c")
    told: list[tuple[object, object]] = [
        (model.shows("c"), world.state("c")),
        (model.decided.get("c", "pending"), group.state),
        (model.counts("c"), (group.total, group.success_count, group.fail_count, group.skip_count)),
        *((model.ends.get(name, "none"), world.find(name).terminal_outcome) for name in ("u0", "u1", "late")),
    ]
    for expected, found in told:
        if expected != found:
            yield f"{moment.story}: should be {expected}, and is {found}"
    yield from (f"{moment.story}: {message}" for message in (*world.broken, *world.at_rest()))


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("join", joins_of(2), ids=named)
def test_a_late_edge_counts_at_once_and_reopens_a_join_of_all(join: Join, late: TerminalOutcome):
    found = []
    for moment in _moments(join, late):
        if "c" in moment.model.ends:
            continue
        (answer,) = moment.world.decide(ADD)
        assert isinstance(answer, DependencyAdded)
        found += _differences(moment, _linked(moment, join, late))

    assert found == []


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("join", [join for join in joins_of(2) if not isinstance(join, AllOf)], ids=named)
def test_a_late_edge_to_a_satisfied_any_of_or_quorum_is_only_recorded(join: Join, late: TerminalOutcome):
    for moment in _moments(join, late):
        if moment.model.decided.get("c") != "satisfied":
            continue
        before = dict(moment.world.loaded.executions)
        moment.world.now_ms += 1

        moment.world.decide(ADD)

        assert moment.world.loaded.executions == before


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("join", joins_of(2), ids=named)
def test_a_late_edge_to_one_that_runs_or_has_ended_is_refused(join: Join, late: TerminalOutcome):
    for moment in _moments(join, late):
        world = moment.world
        if world.state("c") == "waiting":
            world.claim("c")
        if world.state("c") == "waiting_children":
            continue

        (running,) = world.decide(ADD)
        if world.state("c") == "active":
            world.end("c", "success")
        (ended,) = world.decide(ADD)

        assert isinstance(running, ExecutionNotEligible)
        assert isinstance(ended, ExecutionNotEligible)
        assert world.group("c").total == 2
