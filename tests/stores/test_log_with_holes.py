"""Retention takes events out of the middle of the log; readers either miss nothing or are told."""

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, InvalidInput, ManualClock
from flowfabric.engine import reading

BRIEFLY = ExecutionPolicy(retention_ms=1000)


def _happens(engine: BlockingEngine, policy: ExecutionPolicy | None = None) -> str:
    """An execution that is made and cancelled: one event."""
    made = engine.create_execution("mail", policy=policy or ExecutionPolicy())
    engine.cancel_execution(made.execution_id, reason="")
    return made.execution_id


def _purge(engine: BlockingEngine, clock: ManualClock) -> None:
    clock.advance(1000)
    assert engine.reconcile()["retention"] > 0


def _read_on(engine: BlockingEngine, cursor: str | None, limit: int = 1) -> tuple[list[str | None], str]:
    """Whose events come after the cursor, page by page, and where they end."""
    ids: list[str | None] = []
    while True:
        page = engine.read_events(cursor=cursor, limit=limit)
        cursor = page.next_cursor
        if not page.events:
            return ids, cursor
        ids += [event.execution_id for event in page.events]


@pytest.mark.parametrize("limit", [1, 2, 1000])
def test_a_log_with_holes_can_be_read_from_its_beginning_in_pages_of_any_size(
    engine: BlockingEngine, clock: ManualClock, limit: int
):
    kept = [_happens(engine), _happens(engine)]
    _happens(engine, BRIEFLY)
    kept.append(_happens(engine))
    _happens(engine, BRIEFLY)
    _purge(engine, clock)
    kept.append(_happens(engine))

    ids, _ = _read_on(engine, None, limit)

    assert ids == kept


def test_a_subscription_from_the_beginning_passes_the_holes(engine: BlockingEngine, clock: ManualClock):
    kept = [_happens(engine)]
    _happens(engine, BRIEFLY)
    _purge(engine, clock)
    kept += [_happens(engine), _happens(engine)]

    subscription = engine.subscribe()
    first = next(subscription)
    resumed = engine.subscribe(cursor=subscription.cursor)

    assert [first.execution_id, next(resumed).execution_id, next(resumed).execution_id] == kept


def test_a_reader_that_retention_has_overtaken_is_told(engine: BlockingEngine, clock: ManualClock):
    _happens(engine)
    _happens(engine, BRIEFLY)
    page = engine.read_events(limit=1)
    _purge(engine, clock)

    with pytest.raises(InvalidInput) as refusal:
        engine.read_events(cursor=page.next_cursor)

    assert refusal.value.code == "cursor_gone"


def test_a_reader_that_had_read_what_is_gone_reads_on(engine: BlockingEngine, clock: ManualClock):
    _happens(engine)
    _happens(engine, BRIEFLY)
    _, cursor = _read_on(engine, None)
    _purge(engine, clock)
    later = _happens(engine)

    ids, _ = _read_on(engine, cursor)

    assert ids == [later]


def test_a_reader_from_now_on_is_not_concerned_by_what_is_purged_of_before(engine: BlockingEngine, clock: ManualClock):
    _happens(engine, BRIEFLY)
    subscription = engine.subscribe(from_now=True)
    _purge(engine, clock)
    later = _happens(engine)

    assert next(subscription).execution_id == later


def test_ids_of_events_are_never_given_twice(engine: BlockingEngine, clock: ManualClock):
    _happens(engine, BRIEFLY)
    gone = engine.read_events().events[-1].event_id
    _purge(engine, clock)
    _happens(engine)

    assert engine.read_events().events[-1].event_id > gone


def test_the_newest_events_are_those_with_the_last_ids_and_holes_count(
    engine: BlockingEngine, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reading, "NEWEST_AMONG", 4)
    for policy in (None, None, BRIEFLY, None, BRIEFLY, None):
        _happens(engine, policy)
    everything = engine.read_events().events
    _purge(engine, clock)

    page = engine.newest_events()

    assert page.events == [everything[3], everything[5]]
    assert engine.newest_events(limit=1).events == [everything[5]]
    assert _read_on(engine, page.next_cursor) == ([], page.next_cursor)
