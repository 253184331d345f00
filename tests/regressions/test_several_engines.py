"""Several engines on one store, as several processes have: nothing is lost between them, and no wake-up is needed."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import pytest

from flowfabric import Completed, Event, InvalidInput, ManualClock, StaleLease, open_blocking_engine
from flowfabric_conformance.stage import Started, claim, create, everything, listed, look, refused, start
from tests.stores_under_test import STORES


def test_what_was_committed_is_there_after_a_reopen(shared_url: str, clock: ManualClock) -> None:
    with open_blocking_engine(shared_url, clock=clock, reconcile=False) as engine:
        lease = start(engine, payload=b"\x00\xff", tags={"team.name": "billing"})
        create(engine, required_capabilities=["gpu"], delay_until_ms=clock.now_ms + 10)
        before = everything(engine)
        cursor = engine.read_events().next_cursor

    with open_blocking_engine(shared_url, clock=clock, reconcile=False) as engine:
        assert everything(engine) == before
        assert engine.complete(lease, b"done") == Completed(lease.execution_id)
        assert [event.event_type for event in engine.read_events(cursor=cursor).events] == ["completed"]


def test_a_subscriber_and_a_waiting_caller_hear_of_what_another_engine_did(shared_url: str, clock: ManualClock) -> None:
    with (
        open_blocking_engine(shared_url, clock=clock, reconcile=False) as here,
        open_blocking_engine(shared_url, clock=clock, reconcile=False) as there,
    ):
        execution_id = create(here)
        told = Started(lambda: list(islice(here.subscribe(), 2)))
        ended = Started(lambda: here.wait_for_result(execution_id))

        there.complete(claim(there).lease)

        assert [event.event_type for event in told.answer()] == ["acquired", "completed"]
        assert ended.answer().public_state == "completed"


def test_engines_that_claim_at_once_never_get_the_same_execution(shared_url: str, clock: ManualClock) -> None:
    with ExitStack() as stack:
        engines = [
            stack.enter_context(open_blocking_engine(shared_url, clock=clock, reconcile=False)) for _ in range(3)
        ]
        for _ in range(60):
            create(engines[0])

        def live(number: int) -> list[str]:
            done: list[str] = []
            while found := engines[number].claim(worker_id="w", worker_instance_id=f"w{number}", limit=2):
                for claimed in found:
                    done.append(engines[number].complete(claimed.lease).execution_id)
            return done

        with ThreadPoolExecutor(3) as threads:
            shares = list(threads.map(live, range(3)))

        done = [execution_id for share in shares for execution_id in share]
        assert len(done) == len(set(done)) == 60
        assert {x.lease_epoch for x in listed(engines[0])} == {1}


def test_a_reader_loses_nothing_while_several_engines_write(shared_url: str, clock: ManualClock) -> None:
    lives_each, writers = 12, 3
    with ExitStack() as stack:
        engines = [
            stack.enter_context(open_blocking_engine(shared_url, clock=clock, reconcile=False))
            for _ in range(writers + 1)
        ]

        def live(number: int) -> None:
            for _ in range(lives_each):
                create(engines[number], lane=f"lane-{number}")
                engines[number].complete(claim(engines[number], lanes=[f"lane-{number}"]).lease)

        told: list[Event] = []
        cursor = None
        with ThreadPoolExecutor(writers) as threads:
            running = [threads.submit(live, number) for number in range(writers)]
            while not all(writer.done() for writer in running):
                page = engines[-1].read_events(cursor=cursor, limit=5)
                told += page.events
                cursor = page.next_cursor
            for writer in running:
                writer.result()
        while (page := engines[-1].read_events(cursor=cursor)).events:
            told += page.events
            cursor = page.next_cursor

    assert len({event.event_id for event in told}) == len(told) == 2 * lives_each * writers
    seqs: dict[str | None, list[int]] = {}
    for event in told:
        seqs.setdefault(event.execution_id, []).append(event.seq)
    assert set(map(tuple, seqs.values())) == {(1, 2)}


def test_sweeps_of_several_engines_do_everything_once(shared_url: str, clock: ManualClock) -> None:
    with ExitStack() as stack:
        engines = [
            stack.enter_context(open_blocking_engine(shared_url, clock=clock, reconcile=False)) for _ in range(3)
        ]
        for _ in range(30):
            create(engines[0])
        engines[0].claim(worker_id="w", worker_instance_id="w1", limit=30)
        clock.advance(30_000)

        with ThreadPoolExecutor(3) as threads:
            done = list(threads.map(lambda engine: engine.reconcile()["expired_leases"], engines))

        assert sum(done) == 30
        assert {(x.interruption_count, x.lease_epoch) for x in listed(engines[0])} == {(1, 2)}


@pytest.mark.parametrize("other", STORES)
def test_a_cursor_of_another_store_is_refused(store_url: str, clock: ManualClock, tmp_path: Path, other: str) -> None:
    elsewhere_folder = tmp_path / "elsewhere"
    elsewhere_folder.mkdir()
    with (
        STORES[other].empty(elsewhere_folder) as other_url,
        open_blocking_engine(store_url, clock=clock, reconcile=False, migrate=True) as here,
        open_blocking_engine(other_url, clock=clock, reconcile=False, migrate=True) as elsewhere,
    ):
        for engine in (here, elsewhere):
            start(engine)
            start(engine)
        of_events = elsewhere.read_events(limit=1).next_cursor
        of_executions = elsewhere.list_executions(limit=1).next_cursor

        with refused(here, InvalidInput):
            here.read_events(cursor=of_events)
        with refused(here, InvalidInput):
            here.list_executions(cursor=of_executions)


@pytest.mark.parametrize("other", STORES)
def test_a_lease_of_another_store_is_stale_even_where_everything_else_fits(
    store_url: str, clock: ManualClock, tmp_path: Path, other: str
) -> None:
    elsewhere_folder = tmp_path / "elsewhere"
    elsewhere_folder.mkdir()
    with (
        STORES[other].empty(elsewhere_folder) as other_url,
        open_blocking_engine(store_url, clock=clock, reconcile=False, migrate=True) as here,
        open_blocking_engine(other_url, clock=clock, reconcile=False, migrate=True) as elsewhere,
    ):
        execution_id = create(here)
        create(elsewhere, execution_id=execution_id)
        claim(here)
        lease = claim(elsewhere).lease

        with refused(here, StaleLease):
            here.complete(lease)

        assert look(here, execution_id).public_state == "active"
