"""Events: one log, numbered without a gap per execution, read with a cursor that neither loses nor repeats."""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

import pytest

from flowfabric import (
    BlockingEngine,
    Event,
    ExecutionPolicy,
    InvalidInput,
    ManualClock,
    NewExecution,
    NewSchedule,
    RetryPolicy,
)
from flowfabric.domain.events import LANE_EVENTS_KEPT_MS
from flowfabric_conformance.stage import (
    RETRIED,
    UNKNOWN,
    Started,
    an_execution,
    claim,
    create,
    events_of,
    log,
    look,
    refused,
    start,
    story,
    unchanged,
)


def read_in_pages(engine: BlockingEngine, limit: int, **filters: Any) -> Iterator[list[Event]]:
    """Pages of the log until it is caught up."""
    cursor = None
    while (page := engine.read_events(cursor=cursor, limit=limit, **filters)).events:
        assert len(page.events) <= limit
        yield list(page.events)
        cursor = page.next_cursor


def a_few_events(engine: BlockingEngine, lives: int = 3) -> list[str]:
    """Executions that were claimed and completed: two events each."""
    answers = engine.create_executions([NewExecution(kind="job") for _ in range(lives)])
    for claimed in engine.claim(worker_id="w", worker_instance_id="w1", limit=lives):
        engine.complete(claimed.lease)
    return [answer.execution_id for answer in answers]


# ── what is told ─────────────────────────────────────────────────────────────────────────────────


def test_a_whole_life_is_told_in_order_and_numbered_without_a_gap(engine: BlockingEngine, clock: ManualClock) -> None:
    policy = ExecutionPolicy(
        retry=RetryPolicy(max_retries=9, backoff="fixed", initial_delay_ms=100, jitter=0.0), attempt_timeout_ms=10_000
    )
    execution_id = create(engine, policy=policy, delay_until_ms=clock.now_ms + 100)
    clock.advance(100)
    engine.reconcile()
    engine.change_priority(execution_id, 5)
    engine.hold(execution_id)
    engine.unhold(execution_id)
    engine.release(claim(engine).lease)
    engine.delay(claim(engine).lease, until_ms=clock.now_ms)
    engine.fail(claim(engine).lease, code="boom", retry_after_ms=0)
    claim(engine)
    engine.revoke_lease(execution_id)
    claim(engine, lease_ttl_ms=100)
    clock.advance(100)
    engine.reconcile()
    claim(engine, lease_ttl_ms=20_000)
    clock.advance(10_000)
    engine.reconcile()
    clock.advance(100)
    engine.reconcile()
    claim(engine)
    engine.cancel_execution(execution_id, reason="stop")
    engine.replay_execution(execution_id)
    engine.complete(claim(engine).lease)

    assert story(engine, execution_id) == [
        "operator.priority_changed",
        "operator.held",
        "operator.unheld",
        "lease.acquired",
        "lease.released",
        "lease.acquired",
        "lease.released",
        "lease.acquired",
        "lease.retry_scheduled",
        "lease.acquired",
        "lease.revoked",
        "lease.acquired",
        "lease.expired",
        "lease.acquired",
        "lease.retry_scheduled",
        "lease.acquired",
        "lease.revoked",
        "completion.cancelled",
        "operator.replayed",
        "lease.acquired",
        "completion.completed",
    ]
    assert [event.seq for event in events_of(engine, execution_id)] == list(range(1, 22))


def test_quiet_commands_tell_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    delayed = create(engine, delay_until_ms=clock.now_ms + 1)
    before = log(engine)
    clock.advance(1)

    engine.renew(lease)
    engine.progress(lease, percent=5)
    engine.set_tag(lease.execution_id, "team.name", "billing")
    engine.reconcile()

    assert look(engine, delayed).public_state == "waiting"
    assert log(engine) == before


def test_a_refused_command_leaves_no_gap(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)
    engine.release(lease)
    for _ in range(3):
        with pytest.raises(Exception, match="not active"):
            engine.complete(lease)

    engine.complete(claim(engine).lease)

    assert [event.seq for event in events_of(engine, lease.execution_id)] == [1, 2, 3, 4]


def test_every_event_says_whose_it_is_and_when_it_happened(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, namespace="tenant-a")
    clock.advance(5)
    lease = claim(engine, namespace="tenant-a").lease
    clock.advance(5)
    engine.complete(lease)

    first, second = log(engine)

    assert {(event.namespace, event.execution_id, event.flow_id) for event in (first, second)} == {
        ("tenant-a", execution_id, None)
    }
    assert (first.occurred_at_ms, second.occurred_at_ms) == (clock.now_ms - 5, clock.now_ms)
    assert 0 < first.event_id < second.event_id


def test_what_falls_due_at_one_instant_is_told_in_the_same_order_everywhere(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    uuids = [f"00000000-0000-7000-8000-{number:012d}" for number in range(4)]
    made = [f"{{fp:{partition}}}:{uuid}" for partition, uuid in zip((100, 9, 10, 9), uuids, strict=True)]
    for execution_id in made:
        create(engine, execution_id=execution_id, deadline_at_ms=clock.now_ms + 1)
    clock.advance(1)

    engine.reconcile()

    by_id = sorted(made, key=lambda execution_id: (int(execution_id[4:].split("}")[0]), execution_id))
    assert [event.execution_id for event in log(engine)] == by_id


# ── pages and cursors ────────────────────────────────────────────────────────────────────────────


def test_an_empty_log_is_an_empty_page_with_a_cursor_to_go_on_from(engine: BlockingEngine, clock: ManualClock) -> None:
    page = engine.read_events()
    a_few_events(engine)

    assert page.events == []
    assert len(engine.read_events(cursor=page.next_cursor).events) == 6


@pytest.mark.parametrize("limit", [1, 2, 5, 6, 7, 1000])
def test_pages_tell_everything_once_and_in_order_whatever_their_size(
    engine: BlockingEngine, clock: ManualClock, limit: int
) -> None:
    a_few_events(engine)

    told = [event for page in read_in_pages(engine, limit) for event in page]

    assert told == log(engine)
    assert [event.event_id for event in told] == sorted({event.event_id for event in told})
    assert len(told) == 6


def test_a_reader_that_has_caught_up_sees_only_what_is_new(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)
    cursor = engine.read_events().next_cursor

    caught_up = engine.read_events(cursor=cursor)
    execution_id = an_execution("cancelled", engine, clock)
    new = engine.read_events(cursor=caught_up.next_cursor)

    assert caught_up.events == []
    assert [event.execution_id for event in new.events] == [execution_id]


def test_an_older_cursor_tells_the_same_events_again(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)
    cursor = engine.read_events(limit=2).next_cursor

    first = engine.read_events(cursor=cursor)
    again = engine.read_events(cursor=cursor)

    assert first.events == again.events
    assert len(first.events) == 4


def test_reading_moves_nothing_in_the_store(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)

    with unchanged(engine):
        engine.read_events(limit=1)


def test_500_events_are_read_unless_told_otherwise(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine, lives=251)

    assert len(engine.read_events().events) == 500


# ── the end of the log ───────────────────────────────────────────────────────────────────────────


def test_the_newest_events_are_the_end_of_the_log_in_its_order(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine, lives=5)

    page = engine.newest_events(limit=4)

    assert page.events == log(engine)[-4:]
    assert engine.newest_events().events == log(engine)


def test_after_the_newest_events_nothing_is_missed_and_nothing_told_twice(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    a_few_events(engine)
    page = engine.newest_events(limit=2)

    later = a_few_events(engine, lives=1)

    new = engine.read_events(cursor=page.next_cursor).events
    assert [(event.execution_id, event.seq) for event in new] == [(later[0], 1), (later[0], 2)]


def test_the_newest_events_of_an_empty_log_are_none_and_have_a_cursor(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    page = engine.newest_events()
    a_few_events(engine, lives=1)

    assert page.events == []
    assert len(engine.read_events(cursor=page.next_cursor).events) == 2


def test_the_newest_events_are_found_by_channel_and_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    elsewhere = create(engine, namespace="tenant-a")
    claim(engine, namespace="tenant-a")
    a_few_events(engine)

    assert [event.execution_id for event in engine.newest_events(namespace="tenant-a", limit=1).events] == [elsewhere]
    completed = engine.newest_events(channels=["completion"], limit=2).events
    assert completed == engine.read_events(channels=["completion"]).events[-2:]
    assert engine.newest_events(channels=["signal"]).events == []


def test_the_newest_events_of_a_scoped_engine_hold_nothing_foreign(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)

    assert engine.scoped("tenant-a").newest_events().events == []


@pytest.mark.parametrize("limit", [0, 1_001])
def test_a_number_of_newest_events_that_can_never_be_read_is_refused(
    engine: BlockingEngine, clock: ManualClock, limit: int
) -> None:
    with refused(engine, InvalidInput):
        engine.newest_events(limit=limit)


# ── filters ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("channels", "expected"),
    [
        (None, ["acquired", "completed", "replayed", "acquired", "revoked", "cancelled"]),
        (["lease"], ["acquired", "acquired", "revoked"]),
        (["completion"], ["completed", "cancelled"]),
        (["operator"], ["replayed"]),
        (["signal"], []),
        (["operator", "completion"], ["completed", "replayed", "cancelled"]),
        (("completion", "completion"), ["completed", "cancelled"]),
    ],
)
def test_channels_are_read_apart_or_together(
    engine: BlockingEngine, clock: ManualClock, channels: list[str] | None, expected: list[str]
) -> None:
    execution_id = an_execution("completed", engine, clock)
    engine.replay_execution(execution_id)
    claim(engine)
    engine.cancel_execution(execution_id, reason="stop")

    assert [event.event_type for event in engine.read_events(channels=channels).events] == expected


def test_the_events_of_one_execution_are_read_alone(engine: BlockingEngine, clock: ManualClock) -> None:
    first, second, _ = a_few_events(engine)
    engine.replay_execution(first)

    assert [event.event_type for event in events_of(engine, first)] == ["acquired", "completed", "replayed"]
    assert {event.execution_id for event in events_of(engine, second)} == {second}
    assert engine.read_events(execution_id=first.upper().replace("FP", "fp")).events == events_of(engine, first)


def test_the_events_of_one_namespace_are_read_alone(engine: BlockingEngine, clock: ManualClock) -> None:
    an_execution("cancelled", engine, clock)
    execution_id = create(engine, namespace="tenant-a")
    claim(engine, namespace="tenant-a")

    assert [event.execution_id for event in engine.read_events(namespace="tenant-a").events] == [execution_id]
    assert engine.read_events(namespace="tenant-b").events == []
    assert len(engine.read_events().events) == 2


def test_the_events_of_the_unknown_are_none(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)

    assert engine.read_events(execution_id=UNKNOWN).events == []
    assert engine.read_events(flow_id="550e8400-e29b-41d4-a716-446655440000").events == []


def test_filters_combine(engine: BlockingEngine, clock: ManualClock) -> None:
    first, second, _ = a_few_events(engine)

    page = engine.read_events(channels=["completion"], namespace="default", execution_id=second)

    assert [(event.execution_id, event.event_type) for event in page.events] == [(second, "completed")]
    assert engine.read_events(channels=["operator"], execution_id=first).events == []


def test_a_filter_never_keeps_a_cursor_from_advancing(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)

    for filters in ({"channels": ["signal"]}, {"namespace": "nobody"}, {"execution_id": UNKNOWN}):
        page = engine.read_events(**filters)
        assert page.events == []
        assert engine.read_events(cursor=page.next_cursor).events == []


@pytest.mark.parametrize("limit", [1, 2, 1000])
def test_filtered_pages_skip_nothing_that_passes(engine: BlockingEngine, clock: ManualClock, limit: int) -> None:
    a_few_events(engine, lives=5)

    told = [event for page in read_in_pages(engine, limit, channels=["completion"]) for event in page]

    assert told == [event for event in log(engine) if event.channel == "completion"]
    assert len(told) == 5


@pytest.mark.parametrize("limit", [1, 2, 1000])
def test_pages_of_one_execution_skip_nothing(engine: BlockingEngine, clock: ManualClock, limit: int) -> None:
    execution_id = create(engine, policy=RETRIED)
    for _ in range(5):
        engine.release(claim(engine).lease)
        an_execution("cancelled", engine, clock)

    told = [event for page in read_in_pages(engine, limit, execution_id=execution_id) for event in page]

    assert [event.seq for event in told] == list(range(1, 11))


# ── cursors that do not fit ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "0",
        "-1",
        "garbage",
        "!!!",
        "a b",
        "kept\0",
        "é",
        "\ud800",
        "A" * 100_000,
        urlsafe_b64encode(b"\x00" * 30).decode(),
        urlsafe_b64encode(b"\x94\x01\xa6events\xa5other\x01").decode().rstrip("="),
        5,
        b"bytes",
    ],
)
def test_garbage_is_no_cursor(engine: BlockingEngine, clock: ManualClock, garbage: Any) -> None:
    a_few_events(engine)

    with refused(engine, InvalidInput):
        engine.read_events(cursor=garbage)
    with refused(engine, InvalidInput):
        engine.list_executions(cursor=garbage)


def test_a_cursor_of_one_list_is_no_cursor_of_another(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)
    of_events = engine.read_events(limit=1).next_cursor
    of_executions = engine.list_executions(limit=1).next_cursor

    with refused(engine, InvalidInput):
        engine.list_executions(cursor=of_events)
    with refused(engine, InvalidInput):
        engine.read_events(cursor=of_executions)


def test_a_cursor_that_was_tampered_with_is_refused_or_harmless(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)
    of_events = engine.read_events(limit=1).next_cursor
    of_executions = engine.list_executions(limit=1).next_cursor
    assert of_executions is not None

    with unchanged(engine):
        for read, cursor in ((engine.read_events, of_events), (engine.list_executions, of_executions)):
            for at in range(len(cursor)):
                for letter in "Az9_":
                    try:
                        read(cursor=cursor[:at] + letter + cursor[at + 1 :])
                    except InvalidInput as refusal:
                        assert not refusal.retryable
            for length in range(len(cursor)):
                with pytest.raises(InvalidInput):
                    read(cursor=cursor[:length])


def test_a_cursor_older_than_what_was_purged_is_gone(engine: BlockingEngine, clock: ManualClock) -> None:
    start_cursor = engine.read_events().next_cursor
    execution_id = create(engine, policy=ExecutionPolicy(retention_ms=10))
    engine.complete(claim(engine).lease)
    middle = engine.read_events(limit=1).next_cursor
    end = engine.read_events().next_cursor
    clock.advance(10)
    engine.reconcile()

    assert engine.describe_execution(execution_id) is None
    for cursor in (start_cursor, middle):
        with pytest.raises(InvalidInput) as caught:
            engine.read_events(cursor=cursor)
        assert (caught.value.code, caught.value.retryable) == ("cursor_gone", False)
    assert engine.read_events(cursor=end).events == []
    assert engine.read_events().events == []


def test_events_of_lanes_and_schedules_are_removed_after_thirty_days(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    schedule = NewSchedule(name="nightly", kind="report", cron="0 2 * * *")
    engine.fire_schedule(schedule)
    engine.pause_schedule("nightly")
    behind = engine.read_events().next_cursor
    engine.pause_lane("mail")
    kept = create(engine)
    engine.cancel_execution(kept, reason="test")
    seen = engine.read_events().next_cursor
    clock.advance(1)
    engine.resume_lane("mail")
    later = engine.read_events().next_cursor

    clock.advance(LANE_EVENTS_KEPT_MS - 2)
    assert engine.reconcile()["old_events"] == 0
    clock.advance(1)
    assert engine.reconcile()["old_events"] == 2
    assert engine.reconcile()["old_events"] == 0

    told = [(event.event_type, event.seq) for event in engine.read_events().events]
    assert told == [("cancelled", 1), ("lane_resumed", 2)], "what belongs to an execution stays with it"
    with pytest.raises(InvalidInput) as caught:
        engine.read_events(cursor=behind)
    assert caught.value.code == "cursor_gone"
    assert [event.event_type for event in engine.read_events(cursor=seen).events] == ["lane_resumed"]
    assert engine.read_events(cursor=later).events == []

    clock.advance(1)
    assert engine.reconcile()["old_events"] == 1
    engine.pause_lane("mail")
    assert [(event.event_type, event.seq) for event in engine.read_events(cursor=later).events] == [("lane_paused", 3)]


def test_a_reader_that_kept_up_is_not_disturbed_by_a_purge(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, policy=ExecutionPolicy(retention_ms=10))
    engine.complete(claim(engine).lease)
    cursor = engine.read_events().next_cursor
    clock.advance(10)
    engine.reconcile()

    execution_id = an_execution("cancelled", engine, clock)

    (event,) = engine.read_events(cursor=cursor).events
    assert (event.execution_id, event.event_type) == (execution_id, "cancelled")


# ── subscriptions ────────────────────────────────────────────────────────────────────────────────


def test_a_subscription_tells_the_log_from_its_start(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)

    assert Started(lambda: list(islice(engine.subscribe(), 6))).answer() == log(engine)


def test_a_subscription_goes_on_after_a_cursor(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)
    cursor = engine.read_events(limit=2).next_cursor

    assert Started(lambda: list(islice(engine.subscribe(cursor=cursor), 4))).answer() == log(engine)[2:]


def test_a_subscription_can_be_left_anywhere_and_taken_up_again(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)
    told: list[Event] = []
    cursor = None
    for _ in range(6):
        subscription = engine.subscribe(cursor=cursor)
        told.append(Started(subscription.__next__).answer())
        cursor = subscription.cursor

    assert told == log(engine)


def test_a_subscription_tells_only_its_channels_and_its_namespace(engine: BlockingEngine, clock: ManualClock) -> None:
    a_few_events(engine)
    create(engine, namespace="tenant-a")
    claim(engine, namespace="tenant-a")

    completions = Started(lambda: list(islice(engine.subscribe(channels=["completion"]), 3))).answer()
    of_tenant = Started(engine.subscribe(namespace="tenant-a").__next__).answer()

    assert [event.event_type for event in completions] == ["completed"] * 3
    assert of_tenant.namespace == "tenant-a"


def test_a_subscription_tells_only_of_its_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    first, second = create(engine), create(engine)
    engine.hold(first)
    engine.hold(second)

    event = Started(engine.subscribe(execution_id=second).__next__).answer()

    assert (event.execution_id, event.event_type) == (second, "held")


def test_a_subscription_from_now_tells_what_happens_after_it_was_made(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    a_few_events(engine)
    subscription = engine.subscribe(from_now=True)
    execution_id = an_execution("cancelled", engine, clock)

    event = Started(subscription.__next__).answer()

    assert (event.execution_id, event.event_type) == (execution_id, "cancelled")


def test_a_waiting_subscriber_is_told_of_what_happens(engine: BlockingEngine, clock: ManualClock) -> None:
    waiting = Started(lambda: list(islice(engine.subscribe(), 2)))

    ids = [an_execution("cancelled", engine, clock) for _ in range(2)]

    assert [event.execution_id for event in waiting.answer()] == ids


def test_a_subscription_starts_at_a_cursor_or_from_now_and_not_both(engine: BlockingEngine, clock: ManualClock) -> None:
    cursor = engine.read_events().next_cursor

    with refused(engine, InvalidInput):
        engine.subscribe(cursor=cursor, from_now=True)


def test_a_subscription_from_garbage_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, InvalidInput):
        next(engine.subscribe(cursor="garbage"))


def test_events_of_concurrent_writers_are_told_once_and_in_order(engine: BlockingEngine, clock: ManualClock) -> None:
    lives_each, writers = 15, 4

    def live(writer: int) -> None:
        for _ in range(lives_each):
            create(engine, lane=f"lane-{writer}")
            engine.complete(claim(engine, lanes=[f"lane-{writer}"]).lease)

    told: list[Event] = []
    cursor = None
    with ThreadPoolExecutor(writers) as threads:
        running = [threads.submit(live, writer) for writer in range(writers)]
        while not all(writer.done() for writer in running):
            page = engine.read_events(cursor=cursor, limit=7)
            told += page.events
            cursor = page.next_cursor
        for writer in running:
            writer.result()
    while (page := engine.read_events(cursor=cursor)).events:
        told += page.events
        cursor = page.next_cursor

    assert len({event.event_id for event in told}) == len(told) == 2 * lives_each * writers
    by_execution: dict[str | None, list[int]] = {}
    for event in told:
        by_execution.setdefault(event.execution_id, []).append(event.seq)
    assert set(map(tuple, by_execution.values())) == {(1, 2)}
