"""The walk through the turns of fair keys is bounded, and goes on where it has ended."""

import pytest

from flowfabric import ManualClock, NewExecution
from flowfabric.domain.fairness import KEPT_MS
from flowfabric.reconcilers import duties
from tests.assembled import Assembled

KEYS = [f"k-{number}" for number in range(5)]


def _stored(parts: Assembled) -> list[str]:
    return [turn.fair_key for turn, _ in parts.store.turns_of_keys(None, 100)]


def test_a_pass_looks_at_some_fair_keys_and_the_next_one_at_the_others(
    parts: Assembled, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duties, "TURN_PAGE", 2)
    parts.engine.create_executions([NewExecution(kind="job", fair_key=key) for key in KEYS])
    for claimed in parts.engine.claim(worker_id="w", worker_instance_id="w1", limit=10):
        parts.engine.complete(claimed.lease)
    clock.advance(KEPT_MS)
    walk = duties.Duties(parts.store, parts.commits)

    left = [(walk.forget_idle_turns(pages=1), _stored(parts)) for _ in range(4)]

    assert left == [(2, KEYS[2:]), (2, KEYS[4:]), (1, []), (0, [])]


def test_pages_of_turns_follow_each_other_in_one_order_in_every_store(parts: Assembled, clock: ManualClock) -> None:
    parts.engine.create_executions(
        [
            NewExecution(kind="job", fair_key=key, lane=lane, priority=priority, namespace=namespace)
            for key in ("b", "a", "é", "Z")
            for lane in ("mail", "Print")
            for priority in (0, 7)
            for namespace in ("default", "Other")
        ]
    )
    parts.engine.claim(worker_id="w", worker_instance_id="w1", lanes=["mail"], limit=3)
    found: list[tuple[str, str, int, str]] = []
    while page := parts.store.turns_of_keys(found[-1] if found else None, 5):
        found += [(turn.namespace, turn.lane, turn.priority, turn.fair_key) for turn, _ in page]
    claimed = {(turn.namespace, turn.lane, turn.priority): last for turn, last in parts.store.turns_of_keys(None, 100)}

    assert (len(found), found) == (32, sorted(found))
    assert {at for at, last in claimed.items() if last} == {("default", "mail", 7)}
