"""What a batch about parents and children needs late is not waited for, so no two batches wait for each other."""

from collections.abc import Iterator
from threading import Thread

import pytest

from flowfabric import BlockingEngine, Lease, NewChild
from flowfabric.domain.ids import ExecutionId, lane_partition, make_execution_id
from tests.postgres_server import connected
from tests.stores.postgres.conftest import Sql
from tests.stores.postgres.processes import wait_until
from tests.stores.postgres.test_flow_locks import WAITING, core

FIRST = make_execution_id(lane_partition("default"), "00000000-0000-4000-8000-000000000001")
LAST = make_execution_id(lane_partition("default"), "ffffffff-ffff-4fff-bfff-ffffffffffff")
"""Before and after all children, in the order of locks."""


@pytest.fixture
def other(url: str) -> Iterator[Sql]:
    with connected(url) as connection:
        yield connection


def parent_of_two(engine: BlockingEngine, execution_id: ExecutionId) -> tuple[Lease, list[str]]:
    engine.create_execution("parent", execution_id=execution_id)
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1")
    made = engine.create_children(claimed.lease, "page", [NewChild(kind="page", lane="pages")] * 2)
    return claimed.lease, [each.execution_id for each in made]


def test_the_cancel_of_all_children_holds_nothing_that_comes_after_the_child_it_waits_for(
    engine: BlockingEngine, sql: Sql, other: Sql
):
    _, children = parent_of_two(engine, LAST)

    with core(children[0]).held(other):
        engine.cancel_execution(LAST, reason="enough")
        wait_until(lambda: is_waited_for(sql))
        assert core(LAST).is_free(sql)
        assert core(children[1]).is_free(sql)

    wait_until(lambda: {state(engine, each) for each in children} == {"cancelled"})


def test_the_replay_of_a_child_holds_nothing_that_comes_after_the_parent_it_waits_for(
    engine: BlockingEngine, sql: Sql, other: Sql
):
    _, children = parent_of_two(engine, FIRST)
    (child, *_) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["pages"])
    engine.fail(child.lease, code="broken", retryable=False)
    engine.reconcile()
    replay = Thread(target=engine.replay_execution, args=[child.execution_id])

    with core(FIRST).held(other):
        replay.start()
        wait_until(lambda: is_waited_for(sql))
        assert core(child.execution_id).is_free(sql)

    replay.join()
    assert {state(engine, each) for each in children} == {"waiting"}


def is_waited_for(sql: Sql) -> bool:
    """Whether a batch waits for a row."""
    row = sql.execute(WAITING).fetchone()
    assert row is not None
    return bool(row[0])


def state(engine: BlockingEngine, execution_id: str) -> str:
    x = engine.describe_execution(execution_id)
    assert x is not None
    return x.public_state
