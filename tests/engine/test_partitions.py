"""On a store whose batches stay in one partition, commands share batches by partition."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from flowfabric import Created, ManualClock, StoreUnavailable
from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import CreateExecution, Envelope
from flowfabric.domain.ids import lane_partition, make_execution_id, uuid_from_hex, uuid_in
from flowfabric.engine.batch import Batch
from flowfabric.stores.memory.store import MemoryStore
from tests.assembled import assembled, assembled_async
from tests.engine.commands import WAIT_S_MAX, a_claim, a_hold, answers, creation, one_batch_under_way, sent
from tests.faulty_store import FaultyStore

LANES = ("default", "mail", "video")


@pytest.fixture
def store(clock: ManualClock) -> Iterator[FaultyStore]:
    opened = FaultyStore(MemoryStore("one-partition", clock, batches_stay_in_one_partition=True))
    yield opened
    opened.close()


def in_lane(number: int, lane: str) -> CreateExecution:
    command = creation(number)
    return replace(
        command, execution_id=make_execution_id(lane_partition(lane), uuid_in(command.execution_id)), lane=lane
    )


def test_commands_of_many_partitions_become_one_batch_for_each(store: FaultyStore):
    with assembled(store) as parts:
        with one_batch_under_way(parts.commits, store):
            futures = sent(parts.commits, *(in_lane(number, LANES[number % 3]) for number in range(30)))
            begun_before = store.begun
        told = answers(futures)

    assert [type(answer) for answer in told] == [Created] * 30
    assert store.begun - begun_before == 1 + len(LANES)  # the one that was held up, and one for each partition
    assert {len(changes.executions) for changes in store.committed[1:]} == {10}


def test_claims_go_alone_and_nobody_gets_past_what_names_the_same(store: FaultyStore):
    with assembled(store) as parts:
        with one_batch_under_way(parts.commits, store):
            commands = (in_lane(1, "mail"), a_claim(), creation(2), a_hold(2), in_lane(3, "mail"), a_claim())
            futures = sent(parts.commits, *commands)
            begun_before = store.begun
        first, nothing, second, held, third, claimed = answers(futures)

    assert [type(each) for each in (first, second, third)] == [Created] * 3
    assert type(held).__name__ == "Held"
    assert (nothing, claimed) == ([], [])  # the only one in its lane is held
    assert store.begun - begun_before == 5  # the one that was held up, two of mail together, a claim, two, a claim


def test_the_store_refuses_a_batch_that_changes_two_partitions(store: FaultyStore):
    batch = Batch([Envelope(in_lane(1, "mail")), Envelope(in_lane(2, "video"))], store.inner.name)

    with pytest.raises(AssertionError, match="records of partitions"):
        store.inner.writer().run(batch)

    assert store.inner.execution(make_execution_id(lane_partition("mail"), uuid_from_hex(f"{1:032x}"))) is None


def test_a_claim_that_fails_in_the_second_partition_keeps_what_it_has_from_the_first(store: FaultyStore):
    with assembled(store) as parts:
        for lane in LANES:
            parts.engine.create_execution("job", lane=lane)
        is_second = iter([False, True])
        store.breaks("load", StoreUnavailable("away"), when=lambda needs: next(is_second))

        claimed = parts.engine.claim(worker_id="w", worker_instance_id="w1", lanes=LANES, limit=3)
        rest = parts.engine.claim(worker_id="w", worker_instance_id="w1", lanes=LANES, limit=3)

    assert store.struck == 1
    assert (len(claimed), len(rest)) == (1, 2)


async def _leave_after_the_first(store: FaultyStore) -> int:
    async with assembled_async(store) as parts:
        for lane in LANES:
            await parts.engine.create_execution("job", lane=lane)
        came = asyncio.Event()
        loop = asyncio.get_running_loop()
        is_second = iter([False, True, *[False] * 10])

        def wait(needs: Needs) -> bool:
            if needs.claims and next(is_second):
                loop.call_soon_threadsafe(came.set)
                assert left.wait(WAIT_S_MAX)
            return False

        left = threading.Event()
        store.breaks("load", StoreUnavailable("away"), when=wait)
        claim = asyncio.create_task(parts.engine.claim(worker_id="w", worker_instance_id="w1", lanes=LANES, limit=3))
        await came.wait()
        claim.cancel()
        left.set()
        with pytest.raises(asyncio.CancelledError):
            await claim
        given_back = 0
        while given_back < len(LANES) and (
            more := await parts.engine.wait_for_work(
                worker_id="w", worker_instance_id="w2", lanes=LANES, limit=3, timeout_ms=10_000
            )
        ):
            given_back += len(more)
        return given_back


def test_what_was_claimed_for_a_caller_who_goes_away_between_two_partitions_is_given_back(store: FaultyStore):
    assert asyncio.run(_leave_after_the_first(store)) == len(LANES)
