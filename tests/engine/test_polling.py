"""Who waits for work looks by itself, unless upkeep has just looked for everyone."""

from flowfabric.reconcilers.sweep import Sweeper
from tests.assembled import assembled
from tests.engine.commands import an_id, answers, creation, sent
from tests.engine.test_standing_claims import ids_of, standing_by
from tests.faulty_store import FaultyStore


def deaf(committed: object) -> None:
    """Every wake-up is lost."""


def test_a_look_of_upkeep_finds_work_for_those_who_wait(store: FaultyStore):
    with (
        assembled(store, on_commit=deaf) as parts,
        assembled(store, on_commit=deaf) as elsewhere,
        standing_by(parts, store) as waiting,
    ):
        answers(sent(elsewhere.commits, creation(1)))
        with Sweeper(store, parts.commits, parts.wakeups).running():
            claimed = waiting.answer()

    assert ids_of(claimed) == [an_id(1)]


def test_whoever_was_looked_for_does_not_look(store: FaultyStore):
    with assembled(store) as parts:
        parts.wakeups.looked([])

        seen = [parts.wakeups.has_looked_within(seconds) for seconds in (60.0, 0.0)]

    assert seen == [True, False]


def test_a_lane_nobody_waits_for_is_not_looked_at(store: FaultyStore):
    with assembled(store) as parts:
        before = parts.wakeups.lanes()
        with standing_by(parts, store, lanes=["mail"]) as waiting:
            during = parts.wakeups.lanes()
            parts.engine.create_execution("job", lane="mail")
            waiting.answer()

    assert (list(before), list(during)) == ([], [("default", "mail")])
