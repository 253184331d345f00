"""Counts are kept by the commits that change them, and lists end when they have shown all that there is."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import product

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, ExecutionSnapshot, ManualClock, RetryPolicy
from flowfabric.domain.counting import ENDS_KEPT_MINUTES
from flowfabric.domain.lanes import MINUTE_MS
from flowfabric_conformance.stage import claim, create, look, start
from tests.assembled import Assembled
from tests.postgres_server import connected

TAG = ("team.name", "blue")
shared = pytest.mark.parametrize("store_url", ["sqlite", "postgres"], indirect=True)
"""For a test in which somebody else writes to the store."""


@contextmanager
def _somebody_else(store_url: str) -> Iterator[object]:
    """A function that runs a statement on the database, past the engine."""
    if store_url.startswith("sqlite"):
        with closing(sqlite3.connect(store_url.removeprefix("sqlite:///"), isolation_level=None)) as connection:
            yield connection.execute
    else:
        with connected(store_url) as server:
            yield server.execute


def _all_sorts(engine: BlockingEngine, clock: ManualClock) -> list[ExecutionSnapshot]:
    """Executions of every sort: two lanes, two kinds, some with a tag, in as many states as a few calls reach."""
    for lane, kind, tags in product(("mail", "print"), ("send", "keep"), ({}, {TAG[0]: TAG[1]})):
        for _ in range(3):
            clock.advance(10)
            create(engine, lane=lane, kind=kind, tags=tags)
        create(engine, lane=lane, kind=kind, tags=tags, delay_until_ms=clock.now_ms + 1_000_000)
    for index, lane in enumerate(("mail", "mail", "print", "mail", "print", "mail")):
        held = claim(engine, lanes=[lane])
        if index % 3 == 0:
            engine.complete(held.lease, b"done")
        elif index % 3 == 1:
            engine.fail(held.lease, code="broken", message="no paper", retryable=False)
    engine.cancel_execution(create(engine, lane="mail", kind="send"), reason="enough")
    return list(engine.list_executions(limit=1000).items)


def test_a_list_shows_what_passes_its_filters_and_a_count_says_how_many(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    everything = _all_sorts(engine, clock)
    states = {each.public_state for each in everything}
    assert states == {"waiting", "delayed", "active", "completed", "failed", "cancelled"}

    for state, lane, kind, tag in product(
        [None, *sorted(states), "expired"], [None, "mail", "none"], [None, "send"], [None, TAG]
    ):
        shown = engine.list_executions(public_state=state, lane=lane, kind=kind, tag=tag, limit=1000)
        expected = [
            each.execution_id
            for each in everything
            if state in (None, each.public_state)
            and lane in (None, each.lane)
            and kind in (None, each.kind)
            and (tag is None or each.tags.get(tag[0]) == tag[1])
        ]
        assert [each.execution_id for each in shown.items] == expected
        assert engine.count_executions(public_state=state, lane=lane, kind=kind, tag=tag) == len(expected)


@pytest.mark.parametrize("state", ["waiting", "failed", "completed"])
def test_a_list_with_filters_has_pages(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    everything = [each.execution_id for each in _all_sorts(engine, clock) if each.public_state == state]

    pages, cursor = [], None
    while True:
        page = engine.list_executions(public_state=state, limit=1, cursor=cursor)
        pages += [each.execution_id for each in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break

    assert pages == everything


def test_what_is_on_hold_is_listed_with_what_waits(engine: BlockingEngine) -> None:
    waiting, held = create(engine), create(engine)
    engine.hold(held)

    assert {each.execution_id for each in engine.list_executions(public_state="waiting").items} == {waiting, held}


def test_a_long_queue_is_listed_as_a_short_one(engine: BlockingEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flowfabric.stores._shared.counts.QUEUED_MAX", 2)
    queued = [create(engine, lane="mail") for _ in range(3)]

    for lane in (None, "mail"):
        listed = engine.list_executions(public_state="waiting", lane=lane).items
        assert {each.execution_id for each in listed} == set(queued)


def test_what_has_failed_lately_is_grouped_by_kind_code_and_message(engine: BlockingEngine, clock: ManualClock) -> None:
    for kind, message in (("send", "no paper"), ("send", "no ink"), ("keep", "no paper"), ("send", "no paper")):
        clock.advance(1_000)
        engine.fail(start(engine, kind=kind), code="broken", message=message, retryable=False)
    lease = start(engine, kind="retried", policy=ExecutionPolicy(retry=RetryPolicy(max_retries=1)))
    engine.fail(lease, code="broken", message="later")

    found = engine.recent_failures(since_ms=0)
    assert [(each.kind, each.code, each.message, each.count) for each in found] == [
        ("send", "broken", "no paper", 2),
        ("keep", "broken", "no paper", 1),
        ("send", "broken", "no ink", 1),
    ]
    assert found[0].last_at_ms == clock.now_ms
    assert [each.count for each in engine.recent_failures(since_ms=clock.now_ms - 1_500)] == [1, 1]
    assert engine.recent_failures(since_ms=0, limit=1) == found[:1]
    assert engine.recent_failures(since_ms=0, namespace="other") == []


@pytest.fixture
def _adds_up_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for store in ("sqlite", "postgres"):
        monkeypatch.setattr(f"flowfabric.stores.{store}.finding.FEW_MOVES", 0)


@pytest.mark.usefixtures("_adds_up_at_once")
def test_ends_are_counted_by_the_minute_and_forgotten_after_a_day(engine: BlockingEngine, clock: ManualClock) -> None:
    began_at_ms = clock.now_ms - clock.now_ms % MINUTE_MS
    for _ in range(2):
        engine.complete(start(engine), None)
    clock.advance(2 * MINUTE_MS)
    engine.cancel_execution(create(engine), reason="enough")

    found = engine.throughput(since_ms=began_at_ms)
    assert [(each.began_at_ms, each.ended) for each in found] == [
        (began_at_ms, {"completed": 2}),
        (began_at_ms + 2 * MINUTE_MS, {"cancelled": 1}),
    ]
    assert engine.throughput(since_ms=began_at_ms, until_ms=began_at_ms)[0].ended == {"completed": 2}
    assert engine.throughput(since_ms=0, namespace="other") == []

    clock.advance((ENDS_KEPT_MINUTES + 1) * MINUTE_MS)
    engine.cancel_execution(create(engine), reason="enough")
    engine.reconcile()
    (left,) = engine.throughput(since_ms=0)
    assert left.began_at_ms > began_at_ms + 2 * MINUTE_MS


@pytest.mark.usefixtures("_adds_up_at_once")
def test_upkeep_adds_up_what_commits_have_left_and_no_number_changes(parts: Assembled) -> None:
    engine = parts.engine
    for _ in range(3):
        engine.complete(start(engine, policy=ExecutionPolicy(retention_ms=10**9)), None)
    before = engine.stats(), engine.throughput(since_ms=0)

    engine.reconcile()

    assert not parts.store.has_counts_to_tend()
    assert (engine.stats(), engine.throughput(since_ms=0)) == before
    assert parts.store.miscounts() == []
    assert engine.stats().kept.executions_to_go == 3


@shared
def test_wrong_counts_are_found_and_put_right_on_request(parts: Assembled, store_url: str) -> None:
    engine = parts.engine
    ids = [create(engine, lane="mail") for _ in range(3)]
    engine.cancel_execution(ids[0], reason="enough")
    with _somebody_else(store_url) as run:
        run("delete from ff_exec_core where public_state = 9")  # type: ignore[operator]

    assert [(each.lane, each.kept, each.counted) for each in parts.store.miscounts()] == [("mail", 1, 0)]
    assert engine.stats().executions["cancelled"] == 1

    assert engine.recount() == 1
    assert parts.store.miscounts() == []
    assert engine.stats().executions["cancelled"] == 0
    assert engine.recount() == 0
    assert look(engine, ids[1]).public_state == "waiting"
