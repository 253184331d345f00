"""Ends pass between parents and children right after their commit, without upkeep."""

from collections.abc import Iterator

import pytest

from flowfabric import BlockingEngine, Lease, NewChild, Suspended, WaitOver
from flowfabric.domain.children import Children
from tests.assembled import Assembled, assembled
from tests.faulty_store import FaultyStore


@pytest.fixture
def parts(store: FaultyStore) -> Iterator[Assembled]:
    with assembled(store) as parts:
        yield parts


def parent_of(engine: BlockingEngine, number: int) -> Lease:
    """The lease of a new parent, and its children in a lane of their own."""
    engine.create_execution("parent")
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    engine.create_children(claimed.lease, "page", [NewChild(kind="page", lane="children")] * number)
    return claimed.lease


def claim_child(engine: BlockingEngine) -> Lease:
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["children"])
    return claimed.lease


def state_of(engine: BlockingEngine, execution_id: str) -> str:
    """The state after all commands that were sent before."""
    engine.set_tag(execution_id, "test.order", "kept")
    found = engine.describe_execution(execution_id)
    assert found is not None
    return found.public_state


def test_the_last_end_resumes_the_parent_at_once(parts: Assembled) -> None:
    engine = parts.engine
    lease = parent_of(engine, 2)
    assert isinstance(engine.suspend(lease, "wait", Children(("page",))), Suspended)

    engine.complete(claim_child(engine))
    assert state_of(engine, lease.execution_id) == "suspended"
    engine.complete(claim_child(engine))

    assert state_of(engine, lease.execution_id) == "resumable"
    assert engine.get_wait(lease.execution_id, "wait") == WaitOver((), "children")


def test_a_worker_that_lingers_hears_of_the_last_end(parts: Assembled) -> None:
    engine = parts.engine
    lease = parent_of(engine, 1)
    engine.open_wait(lease, "wait", Children(("page",)))

    engine.complete(claim_child(engine))

    assert engine.wait_for_wait(lease, "wait", timeout_ms=60_000) == WaitOver((), "children")


def test_the_cancel_of_a_parent_reaches_three_generations_at_once(parts: Assembled) -> None:
    engine = parts.engine
    lease = parent_of(engine, 1)
    child = claim_child(engine)
    (below,) = engine.create_children(child, "part", [NewChild(kind="part")])

    engine.cancel_execution(lease.execution_id, reason="not wanted")

    assert state_of(engine, child.execution_id) == "cancelled"
    assert state_of(engine, below.execution_id) == "cancelled"
