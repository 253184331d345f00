"""Each invariant of waiting finds what it is there to find. That sound stores pass is seen in all other tests."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.commands import AnyCommand, Envelope
from flowfabric.domain.conditions import AtLeast
from flowfabric.domain.execution import Execution
from flowfabric.domain.invariants import Contents, record_violations, violations, violations_at_rest
from flowfabric.domain.waiting import Inbox
from flowfabric.engine.batch import Deciding
from tests.domain.records import STORE, an_id
from tests.domain.states_reached import STATES
from tests.domain.waiting_world import WaitingWorld, a_signal

SUSPENDED, RESUMABLE, ACTIVE, ENDED = (
    STATES[name] for name in ("suspended", "resumable", "active", "cancelled while suspended")
)
(WAIT,) = SUSPENDED.inbox.waits


def _with(x: Execution, **difference: object) -> Execution:
    return replace(x, inbox=replace(x.inbox or Inbox(), **difference))


# ── one record ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("x", "found"),
    [
        (_with(SUSPENDED, waits=()), "waits for nothing"),
        (replace(SUSPENDED, inbox=None), "waits for nothing"),
        (replace(SUSPENDED, worker_id="worker-1"), "still leased"),
        (_with(ENDED, waits=(WAIT,)), "still waits"),
        (_with(ENDED, held=True), "still waits"),
        (_with(SUSPENDED, waits=(WAIT, WAIT)), "two open waits of one name"),
        (_with(SUSPENDED, unanswered=("other",)), "a worker is to hear"),
        (_with(ACTIVE, waits=(WAIT,), unanswered=("editor",)), "open and over"),
        (_with(RESUMABLE, held=True), "to be held"),
        (_with(SUSPENDED, attempt=None), "its suspended attempt is None"),
        (_with(STATES["waiting"], attempt=SUSPENDED.inbox.attempt), "its suspended attempt is Suspended"),
        (replace(RESUMABLE, eligibility_state="not_eligible_until_time", delay_until_ms=1), "no legal state"),
    ],
)
def test_a_broken_record_is_found(x: Execution, found: str):
    assert any(found in message for message in record_violations(x))


# ── one batch ────────────────────────────────────────────────────────────────────────────────────


def _changes(world: WaitingWorld, *commands: AnyCommand) -> Changes:
    """What the commands would change."""
    tx = world.store.writer().begin(b"id")
    try:
        deciding = Deciding([Envelope(command) for command in commands], STORE)
        while (ws := deciding.on(tx.load(deciding.wanted), tx.now_ms, tx.era)) is None:
            pass
        return ws.changes()
    finally:
        tx.rollback()


def _signalled(**difference: object) -> Changes:
    """The changes of a signal that ends a wait, with a difference in the inbox that they leave behind."""
    world = WaitingWorld()
    world.open_wait("lawyer", "lawyer", timeout_ms=1_000)
    world.suspend()
    changes = _changes(world, a_signal(world.x_id))
    ((before, after),) = changes.executions
    assert after is not None
    return replace(changes, executions=[(before, _with(after, **difference))])


def _moved(**difference: object) -> Changes:
    (wait,) = _signalled().executions[0][1].inbox.waits
    return _signalled(waits=(replace(wait, **difference),))


def _of_another(field: str, **difference: object) -> Changes:
    changes = _signalled() if field == "signals" else _changes(WaitingWorld(), a_signal(an_id()))
    ((key, record),) = getattr(changes, field).items()
    return replace(changes, **{field: {key: replace(record, **difference)}})


BATCHES: list[tuple[str, Callable[[], Changes], str]] = [
    ("still open", lambda: _signalled(waits=(WAIT,)), "and an open wait of this name"),
    ("not stored", lambda: replace(_signalled(), steps={}), "and is not over"),
    ("not counted", lambda: _signalled(signals=0), "has not counted signal 1"),
    ("later", lambda: _moved(timeout_at_ms=9), "the time of wait 'lawyer' was moved"),
    ("never", lambda: _moved(timeout_at_ms=None), "the time of wait 'lawyer' was moved"),
    ("another end", lambda: _moved(on_timeout="cancel"), "the time of wait 'lawyer' was moved"),
    ("another condition", lambda: _moved(condition=WAIT.condition), "waits for something else"),
    ("another life", lambda: _signalled(life=1), "without a replay"),
    ("another id", lambda: _of_another("waitpoints", waitpoint_id="other"), "has the id of another one"),
    ("a later life", lambda: _of_another("waitpoints", life=1), "not yet begun"),
    ("another waitpoint", lambda: _of_another("signals", waitpoint_id="other"), "waitpoint of another execution"),
]


@pytest.mark.parametrize(("changes", "found"), [each[1:] for each in BATCHES], ids=[each[0] for each in BATCHES])
def test_a_broken_batch_is_found(changes: Callable[[], Changes], found: str):
    broken = violations(changes(), WaitingWorld().now_ms)

    assert any(found in message for message in broken), broken


def test_a_sound_batch_is_sound():
    assert violations(_signalled(), WaitingWorld().now_ms) == []


# ── a store at rest ──────────────────────────────────────────────────────────────────────────────


def _at_rest() -> Contents:
    """One wait is over, and one is open that needs another signal."""
    world = WaitingWorld()
    world.signal()
    world.open_wait()
    world.signal("vote")
    world.suspend(AtLeast(2, "vote", distinct="signals"), "votes")
    return world.contents()


def _and_a_vote(contents: Contents) -> Contents:
    kept = contents.signals[-1]
    (x,) = contents.executions
    return replace(
        contents,
        executions=[_with(x, signals=3)],
        signals=[*contents.signals, replace(kept, number=3, signal_id="third")],
    )


AT_REST: list[tuple[str, Callable[[Contents], Contents], str]] = [
    ("satisfied", _and_a_vote, "has got all that it needs"),
    ("stored", lambda c: replace(c, steps=[*c.steps, replace(c.steps[0], name="votes")]), "and an open wait"),
    ("no waitpoint", lambda c: replace(c, waitpoints=[]), "there is no such waitpoint"),
    ("no step", lambda c: replace(c, steps=[]), "and is not over"),
    ("other step", lambda c: replace(c, steps=[replace(c.steps[0], is_wait=False)]), "and is not over"),
    ("uncounted", lambda c: replace(c, executions=[_with(c.executions[0], signals=1)]), "has not counted signal 2"),
    ("no record", lambda c: replace(c, executions=[]), "and no record"),
    (
        "another execution",
        lambda c: replace(c, signals=[replace(c.signals[0], waitpoint_id=c.signals[1].waitpoint_id)]),
        "waitpoint of another execution",
    ),
]


@pytest.mark.parametrize(("change", "found"), [each[1:] for each in AT_REST], ids=[each[0] for each in AT_REST])
def test_a_broken_store_is_found(change: Callable[[Contents], Contents], found: str):
    contents = _at_rest()
    assert violations_at_rest(contents, 0) == []

    broken = violations_at_rest(change(contents), 0)

    assert any(found in message for message in broken), broken
