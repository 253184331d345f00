"""A claim passes over what others hold; it gets that when they let go, although nobody rings for it then."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from typing import Any

import psycopg
import pytest

from flowfabric.app import open_store
from flowfabric.domain.ids import ExecutionId, uuid_in
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed, Polled
from flowfabric.engine import poller
from tests.assembled import Assembled, assembled
from tests.engine.test_standing_claims import ids_of, standing_by
from tests.faulty_store import FaultyStore

WAIT_S_MAX = 60.0


@pytest.fixture
def opened(url: str) -> Iterator[list[Assembled]]:
    """Two engines that share nothing but the database. Nothing is swept."""
    with ExitStack() as stack:
        stores = [stack.enter_context(closing(FaultyStore(open_store(url)))) for _ in range(2)]
        yield [stack.enter_context(assembled(store)) for store in stores]


def test_what_a_claim_had_to_pass_over_is_claimed_as_soon_as_it_is_let_go(
    url: str, opened: list[Assembled], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller, "CHECKS_S", (0.02,) * 3_000)
    here, there = opened
    there.engine.pause_lane("default")
    execution_id = there.engine.create_execution("job").execution_id
    rings, is_checked = [], threading.Event()
    ring = here.wakeups.others_committed

    def noting(committed: Committed) -> None:
        rings.append(committed.ready)
        if len(rings) == 3:
            is_checked.set()
        ring(committed)

    monkeypatch.setattr(here.wakeups, "others_committed", noting)
    with standing_by(here, here.store) as waiting, psycopg.connect(url) as holder:
        until_listening(here)
        rings.clear()
        lock(holder, execution_id)
        there.engine.resume_lane("default")  # rings for the claim, which cannot have what is held
        assert is_checked.wait(WAIT_S_MAX)
        holder.rollback()

        claimed = waiting.answer()

    assert ids_of(claimed) == [execution_id]


def lock(conn: psycopg.Connection[Any], execution_id: str) -> None:
    uuid = uuid_in(ExecutionId(execution_id))
    conn.execute("select from ff_exec_core where execution_id = %s::uuid for update", (uuid,))


def until_listening(parts: Assembled) -> None:
    pause = threading.Event()
    while not parts.store.inner.notes.is_listening:
        pause.wait(0.002)


def test_what_this_process_has_made_ready_is_not_passed_over_for_long_either(
    url: str, opened: list[Assembled], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(poller, "CHECKS_S", (0.02,) * 3_000)
    here, _ = opened
    here.engine.pause_lane("default")
    execution_id = here.engine.create_execution("job").execution_id
    is_checked = threading.Event()
    look = here.store.inner.poll

    def noting(lanes: Sequence[Lane]) -> Polled:
        found = look(lanes)
        if found.ready:
            is_checked.set()
        return found

    monkeypatch.setattr(here.store.inner, "poll", noting)
    with standing_by(here, here.store) as waiting, psycopg.connect(url) as holder:
        lock(holder, execution_id)
        here.engine.resume_lane("default")
        assert is_checked.wait(WAIT_S_MAX)
        holder.rollback()

        claimed = waiting.answer()

    assert ids_of(claimed) == [execution_id]


def test_a_claim_that_does_not_wait_gets_what_is_let_go_within_a_moment(url: str, opened: list[Assembled]) -> None:
    here, _ = opened
    execution_id = here.engine.create_execution("job").execution_id
    look = here.store.inner.poll
    with psycopg.connect(url) as holder:
        lock(holder, execution_id)

        def noting(lanes: Sequence[Lane]) -> Polled:
            found = look(lanes)
            holder.rollback()  # the claim has found nothing, and there is work
            return found

        here.store.inner.poll = noting
        claimed = here.engine.claim(worker_id="w", worker_instance_id="w-1")

    assert ids_of(claimed) == [execution_id]


def test_a_claim_that_does_not_wait_gives_up_what_stays_held(url: str, opened: list[Assembled]) -> None:
    here, _ = opened
    execution_id = here.engine.create_execution("job").execution_id
    with psycopg.connect(url) as holder:
        lock(holder, execution_id)

        assert here.engine.claim(worker_id="w", worker_instance_id="w-1") == []

    assert ids_of(here.engine.claim(worker_id="w", worker_instance_id="w-1")) == [execution_id]
