"""One look tells whether anything has come due, and where there is work. What it forgot would be overlooked."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, ManualClock
from flowfabric.app import open_store
from flowfabric.domain.execution import DUE_KINDS
from flowfabric.ports.store import Store
from tests.stores_under_test import SHARED_STORES, STORES

IN_MS = 5_000


@pytest.fixture(params=SHARED_STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        yield url


@pytest.fixture
def store(store_url: str, engine: BlockingEngine, clock: ManualClock) -> Iterator[Store]:
    store = open_store(store_url, clock=clock)
    yield store
    store.close()


def _claimed(engine: BlockingEngine, lease_ttl_ms: int = 60_000, **policy: int) -> None:
    engine.create_execution("job", policy=ExecutionPolicy(**policy))
    engine.claim(worker_id="w", worker_instance_id="w1", lease_ttl_ms=lease_ttl_ms)


def _ended(engine: BlockingEngine, clock: ManualClock) -> None:
    created = engine.create_execution("job", policy=ExecutionPolicy(retention_ms=IN_MS))
    engine.cancel_execution(created.execution_id, reason="done")


def _cancelled_while_leased(engine: BlockingEngine, clock: ManualClock) -> None:
    flow_id = engine.create_flow("flow").flow_id
    engine.add_execution(flow_id, "job")
    engine.claim(worker_id="w", worker_instance_id="w1", lease_ttl_ms=IN_MS)
    engine.cancel_flow(flow_id, reason="stop")


def _suspended(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.create_execution("job")
    lease = engine.claim(worker_id="w", worker_instance_id="w1")[0].lease
    engine.suspend(lease, "approval", "approval", timeout_ms=IN_MS)


COMES_DUE: dict[str, Callable[[BlockingEngine, ManualClock], object]] = {
    "deadline": lambda engine, clock: engine.create_execution("job", deadline_at_ms=clock.now_ms + IN_MS),
    "attempt_timeout": lambda engine, clock: _claimed(engine, attempt_timeout_ms=IN_MS),
    "lease": lambda engine, clock: _claimed(engine, IN_MS),
    "delay": lambda engine, clock: engine.create_execution("job", delay_until_ms=clock.now_ms + IN_MS),
    "retention": _ended,
    "wait": _suspended,
    "acknowledgement": _cancelled_while_leased,
}
AT_ONCE = {"resolution"}
"""What is due from its first instant on; the tests of cascades see that it is handled in the background, too."""


def test_every_kind_is_looked_for_here() -> None:
    assert COMES_DUE.keys() - {"acknowledgement"} | AT_ONCE == set(DUE_KINDS)


@pytest.mark.parametrize("kind", COMES_DUE)
def test_one_look_sees_what_has_come_due_and_nothing_earlier(
    engine: BlockingEngine, store: Store, clock: ManualClock, kind: str
) -> None:
    COMES_DUE[kind](engine, clock)

    clock.advance(IN_MS - 1)
    before = store.poll([]).anything_due
    clock.advance(1)

    assert (before, store.poll([]).anything_due) == (False, True)
    engine.reconcile()
    assert not store.poll([]).anything_due


def test_one_look_sees_which_lanes_have_work_to_hand_out(
    engine: BlockingEngine, store: Store, clock: ManualClock
) -> None:
    engine.create_execution("job", lane="mail")
    engine.create_execution("job", lane="mail", namespace="elsewhere")
    engine.create_execution("job", lane="gpu", required_capabilities=["h100"])
    engine.create_execution("job", lane="later", delay_until_ms=clock.now_ms + IN_MS)
    engine.create_execution("job", lane="paused")
    engine.pause_lane("paused")

    look = store.poll([("default", lane) for lane in ("none", "paused", "mail", "later", "gpu")])

    assert list(look.ready) == [("default", "mail"), ("default", "gpu")]


def test_a_lane_says_what_capabilities_its_work_needs(engine: BlockingEngine, store: Store, clock: ManualClock) -> None:
    for capabilities in ([], ["h100", "gpu"], ["gpu"], ["gpu"]):
        engine.create_execution("job", lane="mail", required_capabilities=capabilities)
    engine.create_execution("job", lane="mail", namespace="elsewhere", required_capabilities=["disk"])
    engine.create_execution("job", lane="mail", delay_until_ms=clock.now_ms + IN_MS, required_capabilities=["tape"])

    assert sorted(store.ready_needs(("default", "mail"))) == [(), ("gpu",), ("gpu", "h100")]
    assert store.ready_needs(("default", "none")) == []


def test_a_lane_that_is_resumed_or_was_emptied_is_seen_as_it_is_now(engine: BlockingEngine, store: Store) -> None:
    engine.create_execution("job", lane="mail")
    engine.create_execution("job", lane="back")
    engine.pause_lane("back")
    engine.resume_lane("back")
    engine.claim(worker_id="w", worker_instance_id="w1", lanes=["mail"])

    look = store.poll([("default", "mail"), ("default", "back")])

    assert list(look.ready) == [("default", "back")]
