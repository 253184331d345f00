"""Random flows that have ended are replayed as a whole, a few members at a time, and always come to an end again."""

import random
from collections.abc import Sequence

import pytest

from flowfabric.domain.commands import CancelFlow, HandleDue, ReplayExecution, ReplayFlow
from flowfabric.domain.decide import ending
from flowfabric.domain.execution import due_of
from flowfabric.domain.joins import AllOf, AnyOf, Join, Quorum
from flowfabric.domain.outcomes import FlowReplayed
from tests.domain.flow_world import FLOW, World, edge, member, member_id, submission
from tests.sizes import IS_FULL

FLOWS = 200 if IS_FULL else 120
TURNS_MAX = 2000


class Played:
    """One flow, from its seed alone."""

    def __init__(self, seed: int, members: int) -> None:
        self.chance = random.Random(seed)
        self.names = [f"{number:02}" for number in range(members)]
        self.world = World()
        edges, joins = [], {}
        for number, name in enumerate(self.names):
            before = self.names[:number]
            upstreams = self.chance.sample(before, min(len(before), self.chance.choice((0, 0, 1, 2, 3))))
            edges += [edge(upstream, name) for upstream in upstreams]
            if upstreams:
                joins[name] = self._join(len(upstreams))
        self.world.decide(submission([member(name) for name in self.names], edges, joins))

    def _join(self, edges: int) -> Join:
        rest = self.chance.choice(("cancel_remaining", "let_run"))
        return self.chance.choice((AllOf(), AllOf(), AnyOf(rest), Quorum(self.chance.randint(1, edges), rest)))

    def go_on_until_all_have_ended(self, luck: float) -> None:
        """End one member after the other, and do what is due, in any order."""
        assert not self.go_on(luck, TURNS_MAX), "it goes on for ever"

    def go_on(self, luck: float, turns: int) -> bool:
        """The same for so many turns; whether anything is left to do."""
        for _ in range(turns):
            waiting = [name for name in self.names if self.world.state(name) == "waiting"]
            due = self._unsettled()
            # What is due comes late, so that much happens in between.
            if due and (not waiting or self.chance.random() < 0.2):
                self.world.decide(self.chance.choice(due))
            elif not waiting:
                return False
            elif self.chance.random() < 0.05:
                self.world.end(self.chance.choice(waiting), "cancelled")
            else:
                self.world.end(self.chance.choice(waiting), "success" if self.chance.random() < luck else "failed")
        return True

    def _unsettled(self) -> list[HandleDue]:
        found = [due_of(self.world.find(name)) for name in self.names]
        return [HandleDue(due) for due in found if due is not None and due.kind == "resolution"]

    def states(self) -> Sequence[str]:
        return [self.world.state(name) for name in self.names]


@pytest.mark.parametrize("at_once", [1, 3, 500])
def test_a_flow_that_is_replayed_always_ends_again_and_well_if_nothing_is_lost_any_more(
    at_once: int, monkeypatch: pytest.MonkeyPatch
):
    for seed in range(FLOWS):
        played = Played(seed, members=3 + seed % 12)
        world = played.world
        played.go_on_until_all_have_ended(luck=0.6)
        cancelled = seed % 5 == 0
        what = "all" if seed % 4 == 0 else "failed"
        monkeypatch.setattr(ending, "CASCADE_MAX", at_once)
        if cancelled:
            # Only what lives can be cancelled.
            world.decide(ReplayFlow(FLOW, "all", None))
            world.decide(CancelFlow(FLOW, "stop", "cancel_all"))
            assert not any(world.find(name).counts_as_live for name in played.names), seed

        for luck in (0.7, 1.0):
            (answer,) = world.decide(ReplayFlow(FLOW, what, None))
            assert isinstance(answer, FlowReplayed), (seed, answer)
            played.go_on_until_all_have_ended(luck)
            what = "failed"

            assert set(played.states()) <= {"completed", "failed", "cancelled", "skipped"}, seed
            assert (world.broken, world.at_rest()) == ([], []), seed
        monkeypatch.undo()


@pytest.mark.parametrize("at_once", [1, 2, 500])
def test_a_flow_that_is_replayed_while_it_runs_always_ends(at_once: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ending, "CASCADE_MAX", at_once)
    for seed in range(FLOWS):
        played = Played(seed, members=3 + seed % 12)
        world = played.world
        for _ in range(6):
            played.go_on(luck=0.5, turns=played.chance.randrange(8))
            world.decide(ReplayFlow(FLOW, "failed", None))
        played.go_on_until_all_have_ended(luck=0.7)

        assert set(played.states()) <= {"completed", "failed", "cancelled", "skipped"}, seed
        assert (world.broken, world.at_rest()) == ([], []), seed


def test_nobody_is_replayed_twice_by_one_replay(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ending, "CASCADE_MAX", 2)
    for seed in range(FLOWS):
        played = Played(seed, members=9)
        world = played.world
        played.go_on_until_all_have_ended(luck=0.5)
        before = {name: world.find(name).replay_count for name in played.names}

        (answer,) = world.decide(ReplayFlow(FLOW, "failed", None))
        played.go_on_until_all_have_ended(luck=1.0)

        assert isinstance(answer, FlowReplayed)
        named = {name for name in played.names if member_id(name) in answer.execution_ids}
        assert {name for name in played.names if world.find(name).replay_count > before[name]} == named
        assert all(world.find(name).replay_count - before[name] in (0, 1) for name in played.names)


def test_what_was_skipped_comes_back_with_its_flow_also_if_members_were_replayed_one_by_one_before():
    some_had_only_skipped = 0
    for seed in range(FLOWS):
        played = Played(seed, members=3 + seed % 12)
        world = played.world
        played.go_on_until_all_have_ended(luck=0.5)
        for name in played.names:
            if world.state(name) in ("failed", "cancelled"):
                world.decide(ReplayExecution(member_id(name)))
        played.go_on_until_all_have_ended(luck=1.0)
        skipped = {name for name in played.names if world.state(name) == "skipped"}
        some_had_only_skipped += bool(skipped) and not {"failed", "cancelled"} & set(played.states())

        (answer,) = world.decide(ReplayFlow(FLOW, "failed", None))
        played.go_on_until_all_have_ended(luck=1.0)

        assert isinstance(answer, FlowReplayed)
        assert {member_id(name) for name in skipped} <= set(answer.execution_ids), seed
        assert (world.broken, world.at_rest()) == ([], []), seed
    assert some_had_only_skipped
