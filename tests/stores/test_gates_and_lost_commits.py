"""The connection is lost when a batch about limits and budgets commits: it is sent again, and nothing counts twice."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from flowfabric import BlockingEngine, Lease, ManualClock, StoreUnavailable
from flowfabric.app import open_store
from flowfabric.engine import limits
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from flowfabric_conformance.gate_stage import budget_at, claims, limit_at
from flowfabric_conformance.stage import create
from tests.assembled import assembled
from tests.chaos.books import assert_nothing_is_broken
from tests.faulty_store import FaultyStore, Point
from tests.stores_under_test import SHARED_STORES

pytestmark = pytest.mark.parametrize("store_url", SHARED_STORES, indirect=True)

MANY = 10_000
Send = Callable[[BlockingEngine, Lease, str | None], Any]

COMMANDS: dict[str, Send] = {
    "claim": lambda engine, lease, command_id: claims(engine, command_id=command_id),
    "complete": lambda engine, lease, command_id: engine.complete(lease, command_id=command_id),
    "release": lambda engine, lease, command_id: engine.release(lease, command_id=command_id),
    "revoke": lambda engine, lease, command_id: engine.revoke_lease(lease.execution_id, command_id=command_id),
    "reserve": lambda engine, lease, command_id: engine.reserve(lease, "team", {"usd": 2}, command_id=command_id),
    "spend": lambda engine, lease, command_id: engine.spend(lease, "team", {"usd": 7}, command_id=command_id),
    "charge": lambda engine, lease, command_id: engine.charge_budget(
        "team", {"usd": 4}, reason="elsewhere", command_id=command_id
    ),
}
EXPECTED = {
    "claim": (2, 0, 6, 0),
    "complete": (0, 0, 0, 0),
    "release": (0, 0, 0, 0),
    "revoke": (0, 3, 0, 3),
    "reserve": (1, 0, 5, 0),
    "spend": (1, 7, 0, 0),
    "charge": (1, 4, 3, 0),
}
"""How many slots are in use then, and what is used, reserved and assumed of the budget."""


@pytest.fixture
def store(store_url: str, clock: ManualClock) -> Iterator[Any]:
    inner = open_store(store_url, clock=clock, migrate=True)
    yield FaultyStore(inner)
    inner.close()


def a_lease(engine: BlockingEngine) -> Lease:
    """One execution runs, and a second one is in the queue."""
    engine.set_limit("api", concurrency=2)
    engine.set_budget("company", limits={"usd": 100})
    engine.set_budget("team", limits={"usd": 100}, parent="company")
    engine.reconcile()
    first, _ = [create(engine, limits={"api": ""}, budgets={"team": {"usd": 3}}) for _ in range(2)]
    (claimed,) = claims(engine, 1)
    assert claimed.execution_id == first
    return claimed.lease


def counted(engine: BlockingEngine, name: str) -> tuple[int, int, int, int]:
    budget = budget_at(engine, name)
    return limit_at(engine).in_use, budget.used["usd"], budget.reserved["usd"], budget.assumed["usd"]


@pytest.mark.parametrize("point", ["before commit", "after commit"])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_commit_that_is_in_doubt_counts_once(store: FaultyStore, name: str, point: Point) -> None:
    with assembled(store) as parts:  # type: ignore[arg-type]
        lease = a_lease(parts.engine)
        store.breaks(point, CommitUnknown("the connection was reset"))
        COMMANDS[name](parts.engine, lease, None)

        assert store.struck == 1
        assert [counted(parts.engine, budget) for budget in ("team", "company")] == [EXPECTED[name]] * 2
        assert_nothing_is_broken(store.inner)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_caller_who_got_no_answer_sends_the_same_command_again(
    store: FaultyStore, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 0.0)
    with assembled(store) as parts:  # type: ignore[arg-type]
        lease = a_lease(parts.engine)
        store.breaks("after commit", CommitUnknown("the connection was reset"))
        store.breaks("reconnect", ConnectionLost("gone for good"), times=MANY)
        with pytest.raises(StoreUnavailable, match="may have happened"):
            COMMANDS[name](parts.engine, lease, "once")
        store.heals()
        COMMANDS[name](parts.engine, lease, "once")

        assert [counted(parts.engine, budget) for budget in ("team", "company")] == [EXPECTED[name]] * 2
        assert_nothing_is_broken(store.inner)
