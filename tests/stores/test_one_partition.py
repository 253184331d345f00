"""A store whose batches stay in one partition passes the suite, except for what it says that it cannot do.

Left out are subjects that depend on reads, or on what is checked before a store is asked.
"""

from collections.abc import Iterator
from importlib import import_module

import pytest

from flowfabric import BlockingEngine, InvalidInput, ManualClock, NewExecution, open_blocking_engine
from flowfabric.domain.ids import ExecutionId, partition_in
from flowfabric.domain.inputs import KEY_CHARS_MAX
from flowfabric.stores.registry import register
from tests.stores.one_partition import OnePartitionKind

SUITE = "flowfabric_conformance"
SUBJECTS = (
    *("creating", "claiming", "leasing", "finishing", "cancelling", "lanes", "upkeep", "scheduling"),
    *("submitting", "joining", "cancelling_flows", "replaying_in_flows", "keeping_flows"),
    *("waiting", "wait_timeouts", "signalling", "tokens", "while_waiting", "replaying_waits", "repeating_waits"),
    "families",
)
CANNOT = {
    # Both create executions of two partitions, all or none.
    "test_items_of_one_batch_see_each_other",
    "test_long_queues_of_other_lanes_and_namespaces_do_not_stand_in_the_way",
}

register("one-partition", OnePartitionKind())
import_module(SUITE)
_TESTS = {
    name: test
    for subject in SUBJECTS
    for name, test in vars(import_module(f"{SUITE}.{subject}")).items()
    if name.startswith("test_")
}
globals().update({name: test for name, test in _TESTS.items() if name not in CANNOT})

LANES = ("mail", "video", "report")
"""Each on a partition of its own."""


@pytest.fixture
def engine(clock: ManualClock) -> Iterator[BlockingEngine]:
    with open_blocking_engine("one-partition://", clock=clock, reconcile=False) as engine:
        yield engine


def in_every_lane(engine: BlockingEngine) -> list[str]:
    return [engine.create_execution("job", lane=lane).execution_id for lane in LANES]


def test_what_it_cannot_do_is_known_to_the_suite() -> None:
    assert _TESTS.keys() >= CANNOT


def test_one_claim_takes_from_several_partitions(engine: BlockingEngine) -> None:
    created = in_every_lane(engine)

    claimed = engine.claim(worker_id="w", worker_instance_id="w1", lanes=LANES, limit=2)
    rest = engine.claim(worker_id="w", worker_instance_id="w1", lanes=LANES, limit=10)

    assert len({partition_in(ExecutionId(each)) for each in created}) == len(LANES)
    assert (len(claimed), len(rest)) == (2, 1)
    assert {each.execution_id for each in (*claimed, *rest)} == set(created)


def test_a_repeated_claim_over_partitions_gets_the_same_leases(engine: BlockingEngine) -> None:
    in_every_lane(engine)

    first, again = (
        engine.claim(worker_id="w", worker_instance_id="w1", lanes=LANES, limit=3, command_id="once") for _ in range(2)
    )

    assert len(first) == 3
    assert again == first


def test_leases_of_several_partitions_are_renewed_in_order(engine: BlockingEngine) -> None:
    in_every_lane(engine)
    leases = [each.lease for each in engine.claim(worker_id="w", worker_instance_id="w1", lanes=LANES, limit=3)]
    engine.release(leases[1])

    renewed = engine.renew_all(leases)

    assert [type(each).__name__ for each in renewed] == ["Renewed", "LeaseLost", "Renewed"]


def test_a_call_with_the_longest_id_can_be_made_of_several_commands(engine: BlockingEngine) -> None:
    in_every_lane(engine)
    longest = "x" * KEY_CHARS_MAX

    claimed = engine.claim(worker_id="w", worker_instance_id="w1", lanes=LANES, limit=3, command_id=longest)
    renewed = engine.renew_all([each.lease for each in claimed], command_id=longest[1:])

    assert len(renewed) == 3


def test_executions_of_several_partitions_are_not_created_at_once(engine: BlockingEngine) -> None:
    with pytest.raises(InvalidInput, match="The items belong to 3 partitions"):
        engine.create_executions([NewExecution(kind="job", lane=lane) for lane in LANES])

    assert engine.count_executions() == 0
    assert len(engine.create_executions([NewExecution(kind="job", lane="mail")] * 3)) == 3


def test_whoever_waits_for_work_is_woken(clock: ManualClock) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with open_blocking_engine("one-partition://", clock=clock) as engine, ThreadPoolExecutor(1) as other:
        waiting = other.submit(
            engine.wait_for_work, worker_id="w", worker_instance_id="w1", lanes=LANES, poll_ms=3_600_000
        )
        created = engine.create_execution("job", lane="video")

        assert [each.execution_id for each in waiting.result(30)] == [created.execution_id]
