"""Every store finds every kind of record whose time is over, and no other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, ManualClock
from flowfabric.app import open_store
from flowfabric.domain.expiring import (
    ACCESS_TOKENS,
    ACKS,
    ANSWERS,
    EVENTS,
    EXPIRING,
    FLOWS,
    IDEMPOTENCY_KEYS,
    WORKERS,
    Expiring,
)
from flowfabric.ports.store import Store
from tests.assembled import assembled
from tests.stores_under_test import STORES

SECOND = 1_000
"""When everything that this file makes is over."""
LATER = 365 * 86_400_000


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: ManualClock) -> Iterator[Store]:
    with STORES[request.param].empty(tmp_path) as url:
        opened = open_store(url, clock=clock)
        yield opened
        opened.close()


def with_one_of_each(engine: BlockingEngine, clock: ManualClock) -> dict[Expiring[object], object]:
    """Make one record of each kind; its key, by kind."""
    made_at_ms = clock.now_ms
    engine.create_execution("job", lane="a", idempotency_key="order-7", idempotency_ttl_ms=SECOND, command_id="once")
    engine.heartbeat(worker_id="w", worker_instance_id="w1", ttl_ms=SECOND)
    over = engine.create_flow("over").flow_id
    engine.add_execution(over, "job", lane="b", policy=ExecutionPolicy(retention_ms=SECOND))
    engine.cancel_flow(over, reason="enough")
    flow_id = engine.create_flow("cancelled while it runs").flow_id
    member = engine.add_execution(flow_id, "job", lane="c").execution_id
    engine.claim(worker_id="w", worker_instance_id="w1", lanes=["c"], lease_ttl_ms=SECOND)
    engine.cancel_flow(flow_id, reason="stop")
    # The event of the token belongs to no execution and no flow.
    token_id = engine.create_access_token("viewer", expires_in_ms=SECOND).token.token_id
    return {
        IDEMPOTENCY_KEYS: ("default", "order-7"),
        ANSWERS: ("", "once"),
        WORKERS: ("default", "w1"),
        ACKS: (flow_id, member),
        FLOWS: over,
        EVENTS: made_at_ms,
        ACCESS_TOKENS: token_id,
    }


def test_each_kind_is_found_once_its_time_is_over(store: Store, clock: ManualClock) -> None:
    with assembled(store) as parts:
        expected = with_one_of_each(parts.engine, clock)
        before = {kind: store.expired(kind, clock.now_ms - 1, 10) for kind in EXPIRING}
        after = {kind: store.expired(kind, clock.now_ms + LATER, 10) for kind in EXPIRING}

    assert before == {kind: [] for kind in EXPIRING}
    assert after == {kind: [expected[kind]] for kind in EXPIRING}
