"""Schedules: each slot becomes one execution, whoever asks and however late; and the operator's hand on them."""

from datetime import UTC, datetime
from typing import Any, Final

import pytest

from flowfabric import (
    BlockingEngine,
    ExecutionPolicy,
    ManualClock,
    NewSchedule,
    NotFound,
    ScheduleFired,
    ScheduleForgotten,
    ScheduleNotOrphaned,
    SchedulePaused,
    ScheduleResumed,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import claim, listed, log, look, refused, unchanged

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
ORPHANED_MS: Final = 150_000
SLOTS_AT_ONCE: Final = 100


def hourly(**fields: Any) -> NewSchedule:
    return NewSchedule(**{"name": "report", "kind": "report", "every_ms": HOUR_MS, **fields})


def slots(engine: BlockingEngine, name: str = "report") -> list[str]:
    """The slots that have become executions, as their tags tell, in order."""
    found = listed(engine, tag=("schedule.name", name))
    return sorted(x.tags["schedule.slot"] for x in found)


def text_of(slot_ms: int) -> str:
    return datetime.fromtimestamp(slot_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def to_next_hour(clock: ManualClock) -> int:
    """Let the next whole hour come; which instant that is."""
    clock.advance(HOUR_MS - clock.now_ms % HOUR_MS)
    return clock.now_ms


# ── firing ───────────────────────────────────────────────────────────────────────────────────────


def test_the_first_look_makes_a_schedule_known_and_fires_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    next_slot_ms = clock.now_ms // HOUR_MS * HOUR_MS + HOUR_MS

    answer = engine.fire_schedule(hourly())

    assert answer == ScheduleFired([], next_slot_ms, clock.now_ms)
    assert [schedule.name for schedule in engine.list_schedules()] == ["report"]
    assert listed(engine) == []


def test_a_slot_becomes_one_execution_at_its_instant(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    slot_ms = to_next_hour(clock)

    answer = engine.fire_schedule(hourly())

    (execution_id,) = answer.execution_ids
    assert answer.next_slot_ms == slot_ms + HOUR_MS
    assert look(engine, execution_id).public_state == "waiting"
    assert slots(engine) == [text_of(slot_ms)]


def test_nothing_fires_a_millisecond_before_its_slot(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    clock.advance(HOUR_MS - clock.now_ms % HOUR_MS - 1)

    assert list(engine.fire_schedule(hourly()).execution_ids) == []


def test_a_slot_that_was_taken_is_not_taken_again(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    to_next_hour(clock)
    engine.fire_schedule(hourly())

    with unchanged(engine):
        answers = [engine.fire_schedule(hourly()) for _ in range(3)]

    assert [list(answer.execution_ids) for answer in answers] == [[], [], []]


def test_an_execution_is_made_as_the_schedule_says(engine: BlockingEngine, clock: ManualClock) -> None:
    schedule = hourly(
        kind="night",
        payload=b"\x00pay\xff",
        lane="mail",
        priority=7,
        deadline_after_ms=5_000,
        required_capabilities=["gpu"],
        policy=ExecutionPolicy(max_replays=3, retention_ms=1),
        tags={"team.name": "ü"},
    )
    engine.fire_schedule(schedule)
    slot_ms = to_next_hour(clock)

    (execution_id,) = engine.fire_schedule(schedule).execution_ids

    x = look(engine, execution_id)
    claimed = claim(engine, lanes=["mail"], capabilities=["gpu"])
    assert (x.kind, x.lane, x.priority, x.deadline_at_ms) == ("night", "mail", 7, clock.now_ms + 5_000)
    assert x.tags == {"team.name": "ü", "schedule.name": "report", "schedule.slot": text_of(slot_ms)}
    assert (claimed.execution_id, claimed.payload) == (execution_id, b"\x00pay\xff")


def test_a_cron_pattern_fires_by_the_wall_clock_of_its_time_zone(engine: BlockingEngine, clock: ManualClock) -> None:
    # The clock starts on 14 November 2023, 22:13 in universal time, which is 23:13 in Berlin.
    nightly = NewSchedule(name="report", kind="report", cron="30 2 * * *", timezone="Europe/Berlin")

    answer = engine.fire_schedule(nightly)

    assert answer.next_slot_ms is not None
    assert text_of(answer.next_slot_ms) == "2023-11-15T01:30:00.000Z"


def test_an_interval_counts_from_its_anchor(engine: BlockingEngine, clock: ManualClock) -> None:
    anchor_ms = clock.now_ms - 10 * HOUR_MS + 5

    answer = engine.fire_schedule(hourly(anchor_ms=anchor_ms))

    assert answer.next_slot_ms == clock.now_ms + 5


def test_slots_of_one_instant_and_another_schedule_do_not_meet(engine: BlockingEngine, clock: ManualClock) -> None:
    for name in ("one", "two"):
        engine.fire_schedule(hourly(name=name))
    slot_ms = to_next_hour(clock)

    for name in ("one", "two"):
        engine.fire_schedule(hourly(name=name))

    assert (slots(engine, "one"), slots(engine, "two")) == ([text_of(slot_ms)], [text_of(slot_ms)])


# ── catching up ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("catch_up", "fired"), [("skip", []), ("last", [3]), ("all", [1, 2, 3])])
def test_missed_slots_fire_as_the_policy_says(
    engine: BlockingEngine, clock: ManualClock, catch_up: str, fired: list[int]
) -> None:
    schedule = hourly(catch_up=catch_up)
    engine.fire_schedule(schedule)
    first_ms = to_next_hour(clock)
    clock.advance(2 * HOUR_MS + 10 * MINUTE_MS)

    engine.fire_schedule(schedule)
    engine.fire_schedule(schedule)

    assert slots(engine) == [text_of(first_ms + (number - 1) * HOUR_MS) for number in fired]


@pytest.mark.parametrize("catch_up", ["skip", "last", "all"])
def test_a_slot_is_missed_after_a_minute_and_not_before(
    engine: BlockingEngine, clock: ManualClock, catch_up: str
) -> None:
    schedule = hourly(catch_up=catch_up)
    engine.fire_schedule(schedule)
    first_ms = to_next_hour(clock)
    clock.advance(MINUTE_MS - 1)
    engine.fire_schedule(schedule)
    second_ms = to_next_hour(clock)
    clock.advance(MINUTE_MS)

    engine.fire_schedule(schedule)

    late = [] if catch_up == "skip" else [text_of(second_ms)]
    assert slots(engine) == [text_of(first_ms), *late]


@pytest.mark.parametrize("catch_up", ["skip", "last", "all"])
def test_slots_that_are_not_missed_fire_whatever_the_policy(
    engine: BlockingEngine, clock: ManualClock, catch_up: str
) -> None:
    schedule = NewSchedule(name="report", kind="report", every_ms=1_000, catch_up=catch_up)  # type: ignore[arg-type]
    engine.fire_schedule(schedule)
    start_ms = clock.now_ms
    clock.advance(5_500)

    engine.fire_schedule(schedule)

    assert slots(engine) == [text_of(start_ms + seconds * 1_000) for seconds in range(1, 6)]


def test_many_missed_slots_fire_in_several_steps_and_each_once(engine: BlockingEngine, clock: ManualClock) -> None:
    schedule = NewSchedule(name="report", kind="report", every_ms=MINUTE_MS, catch_up="all")
    engine.fire_schedule(schedule)
    start_ms = clock.now_ms // MINUTE_MS * MINUTE_MS
    clock.advance(250 * MINUTE_MS)

    counts = []
    while True:
        answer = engine.fire_schedule(schedule)
        counts.append(len(answer.execution_ids))
        assert answer.next_slot_ms is not None
        if answer.next_slot_ms > clock.now_ms:
            break

    assert counts == [SLOTS_AT_ONCE, SLOTS_AT_ONCE, 50]
    assert slots(engine) == [text_of(start_ms + number * MINUTE_MS) for number in range(1, 251)]


def test_slots_that_fire_together_are_claimed_in_their_order(engine: BlockingEngine, clock: ManualClock) -> None:
    schedule = hourly(catch_up="all")
    engine.fire_schedule(schedule)
    clock.advance(5 * HOUR_MS)
    fired = engine.fire_schedule(schedule).execution_ids

    claimed = engine.claim(worker_id="w", worker_instance_id="w1", limit=10)

    assert [each.execution_id for each in claimed] == list(fired)
    assert len(fired) == 5


# ── definitions ──────────────────────────────────────────────────────────────────────────────────


def test_another_definition_fires_nothing_while_the_stored_one_is_alive(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.fire_schedule(hourly())
    to_next_hour(clock)
    engine.fire_schedule(hourly())

    with unchanged(engine):
        answer = engine.fire_schedule(hourly(every_ms=MINUTE_MS))

    assert (list(answer.execution_ids), answer.next_slot_ms) == ([], None)


def test_a_definition_that_replaces_another_starts_with_its_next_slot(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.fire_schedule(hourly())
    clock.advance(3 * HOUR_MS)

    answer = engine.fire_schedule(hourly(every_ms=MINUTE_MS, catch_up="all"), replace=True)

    (schedule,) = engine.list_schedules()
    assert list(answer.execution_ids) == []
    assert answer.next_slot_ms == clock.now_ms // MINUTE_MS * MINUTE_MS + MINUTE_MS
    assert (schedule.every_ms, schedule.changed_at_ms) == (MINUTE_MS, clock.now_ms)
    assert [event.event_type for event in log(engine)] == ["schedule_changed"]


def test_a_definition_with_the_same_timing_loses_no_slot(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly(catch_up="all"))
    clock.advance(3 * HOUR_MS)

    answer = engine.fire_schedule(hourly(catch_up="all", payload=b"new"), replace=True)

    assert len(answer.execution_ids) == 3
    assert claim(engine).payload == b"new"


def test_payloads_with_one_fingerprint_mean_the_same(engine: BlockingEngine, clock: ManualClock) -> None:
    first, second = (hourly(payload=payload, fingerprint=b"arguments") for payload in (b"secret 1", b"secret 2"))
    engine.fire_schedule(first, replace=True)
    to_next_hour(clock)
    engine.fire_schedule(second)
    to_next_hour(clock)

    engine.fire_schedule(second, replace=True)
    other = engine.fire_schedule(hourly(payload=b"secret 1", fingerprint=b"others"))

    claimed = engine.claim(worker_id="w", worker_instance_id="w1", limit=10)
    assert [each.payload for each in claimed] == [b"secret 1", b"secret 2"]
    assert other.next_slot_ms is None
    assert log(engine, channels=["operator"]) == []


def test_a_definition_replaces_one_whose_code_is_gone(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    clock.advance(ORPHANED_MS - 1)
    too_early = engine.fire_schedule(hourly(kind="other"))
    clock.advance(1)

    engine.fire_schedule(hourly(kind="other"))

    assert too_early.next_slot_ms is None
    assert [schedule.kind for schedule in engine.list_schedules()] == ["other"]


def test_the_same_definition_does_not_replace_itself(engine: BlockingEngine, clock: ManualClock) -> None:
    schedule = hourly(catch_up="all", tags={"a.a": "1", "b.b": "2"})
    engine.fire_schedule(schedule)
    clock.advance(3 * HOUR_MS)

    answer = engine.fire_schedule(hourly(catch_up="all", tags={"b.b": "2", "a.a": "1"}), replace=True)

    assert len(answer.execution_ids) == 3
    assert log(engine) == []


def test_a_slot_that_both_definitions_have_fires_once(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    slot_ms = to_next_hour(clock)
    engine.fire_schedule(hourly())

    engine.fire_schedule(hourly(kind="other", catch_up="all"), replace=True)
    engine.fire_schedule(hourly(), replace=True)

    assert slots(engine) == [text_of(slot_ms)]


# ── pausing ──────────────────────────────────────────────────────────────────────────────────────


def test_a_paused_schedule_fires_nothing_and_passes_its_slots_over(engine: BlockingEngine, clock: ManualClock) -> None:
    schedule = hourly(catch_up="all")
    engine.fire_schedule(schedule)
    paused = engine.pause_schedule("report", reason="migration")
    paused_at_ms = clock.now_ms
    clock.advance(3 * HOUR_MS)
    during = engine.fire_schedule(schedule)

    resumed = engine.resume_schedule("report")
    after = engine.fire_schedule(schedule)
    slot_ms = to_next_hour(clock)
    engine.fire_schedule(schedule)

    assert paused == SchedulePaused("report", paused_at_ms)
    assert (list(during.execution_ids), list(after.execution_ids)) == ([], [])
    assert resumed == ScheduleResumed("report", slot_ms)
    assert slots(engine) == [text_of(slot_ms)]


def test_a_paused_schedule_says_when_to_look_again(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    engine.pause_schedule("report")
    clock.advance(3 * HOUR_MS)

    answer = engine.fire_schedule(hourly())

    assert answer.next_slot_ms == clock.now_ms // HOUR_MS * HOUR_MS + HOUR_MS


def test_a_schedule_that_is_due_when_it_is_paused_does_not_fire_later(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.fire_schedule(hourly(catch_up="all"))
    to_next_hour(clock)
    engine.pause_schedule("report")

    engine.resume_schedule("report")
    answer = engine.fire_schedule(hourly(catch_up="all"))

    assert list(answer.execution_ids) == []


def test_pausing_and_resuming_twice_is_fine(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    first = engine.pause_schedule("report", reason="first")
    clock.advance(10)

    again = engine.pause_schedule("report", reason="second")
    (paused,) = engine.list_schedules()
    engine.resume_schedule("report")
    with unchanged(engine):
        engine.resume_schedule("report")

    assert again == first
    assert (paused.is_paused, paused.pause_reason) == (True, "first")
    assert [(event.channel, event.event_type, event.seq, event.details) for event in log(engine)] == [
        ("operator", "schedule_paused", 1, {"schedule": "report", "reason": "first"}),
        ("operator", "schedule_resumed", 2, {"schedule": "report"}),
    ]


def test_a_schedule_stays_paused_when_its_definition_changes(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    engine.pause_schedule("report")

    engine.fire_schedule(hourly(kind="other"), replace=True)

    (schedule,) = engine.list_schedules()
    assert (schedule.kind, schedule.is_paused) == ("other", True)


# ── out of turn ──────────────────────────────────────────────────────────────────────────────────


def test_a_schedule_can_be_run_out_of_turn_and_its_slots_stay_as_they_are(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    schedule = hourly(payload=b"1", lane="reports", priority=7, deadline_after_ms=HOUR_MS, tags={"team.name": "ops"})
    engine.fire_schedule(schedule)
    (before,) = engine.list_schedules()
    clock.advance(5)

    first, second = engine.run_schedule("report"), engine.run_schedule("report")

    assert first.name == "report"
    assert first.execution_id != second.execution_id
    x = look(engine, first.execution_id)
    assert (x.kind, x.lane, x.priority, x.public_state) == ("report", "reports", 7, "waiting")
    assert x.deadline_at_ms == clock.now_ms + HOUR_MS
    assert x.tags == {"team.name": "ops", "schedule.name": "report", "schedule.slot": text_of(clock.now_ms)}
    assert claim(engine, lanes=["reports"]).payload == b"1"
    assert engine.list_schedules() == [before]
    assert [(event.event_type, event.details) for event in log(engine) if event.execution_id is None] == [
        ("schedule_run", {"schedule": "report", "execution_id": each.execution_id}) for each in (first, second)
    ]
    slot_ms = to_next_hour(clock)
    assert len(engine.fire_schedule(schedule).execution_ids) == 1
    assert text_of(slot_ms) in slots(engine)


def test_an_operator_can_run_a_schedule_that_is_paused_or_orphaned(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    engine.pause_schedule("report")
    clock.advance(ORPHANED_MS)

    made = engine.run_schedule("report")

    assert look(engine, made.execution_id).public_state == "waiting"
    assert [(s.is_paused, s.is_orphaned) for s in engine.list_schedules()] == [(True, True)]


# ── orphans and the list ─────────────────────────────────────────────────────────────────────────


def test_a_schedule_is_orphaned_when_nobody_has_looked_for_a_while(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    clock.advance(ORPHANED_MS - 1)
    (alive,) = engine.list_schedules()
    clock.advance(1)

    (orphaned,) = engine.list_schedules()

    assert (alive.is_orphaned, orphaned.is_orphaned) == (False, True)


def test_a_look_once_a_minute_keeps_a_schedule_from_being_orphaned(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    for _ in range(5):
        clock.advance(MINUTE_MS)
        engine.fire_schedule(hourly())

    (schedule,) = engine.list_schedules()

    assert (schedule.is_orphaned, schedule.seen_at_ms) == (False, clock.now_ms)


def test_looks_that_follow_each_other_closely_write_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    clock.advance(29_999)
    engine.fire_schedule(hourly())
    (soon,) = engine.list_schedules()
    clock.advance(1)

    engine.fire_schedule(hourly())

    (later,) = engine.list_schedules()
    assert (soon.seen_at_ms, later.seen_at_ms) == (soon.created_at_ms, clock.now_ms)


def test_the_list_tells_of_every_schedule(engine: BlockingEngine, clock: ManualClock) -> None:
    created_at_ms = clock.now_ms
    engine.fire_schedule(hourly(anchor_ms=5, lane="mail", priority=3))
    engine.fire_schedule(NewSchedule(name="nightly", kind="k", cron="@daily", timezone="Asia/Tokyo", catch_up="all"))
    slot_ms = to_next_hour(clock) + 5
    clock.advance(5)
    engine.fire_schedule(hourly(anchor_ms=5, lane="mail", priority=3))

    nightly, report = engine.list_schedules()

    assert (nightly.cron, nightly.timezone, nightly.every_ms, nightly.catch_up) == ("@daily", "Asia/Tokyo", None, "all")
    assert (nightly.last_slot_ms, nightly.is_paused, nightly.pause_reason) == (None, False, None)
    assert (report.cron, report.timezone, report.every_ms, report.anchor_ms) == (None, None, HOUR_MS, 5)
    assert (report.kind, report.lane, report.priority, report.namespace) == ("report", "mail", 3, "default")
    assert (report.last_slot_ms, report.next_slot_ms) == (slot_ms, slot_ms + HOUR_MS)
    assert (report.created_at_ms, report.changed_at_ms, report.seen_at_ms) == (
        created_at_ms,
        created_at_ms,
        clock.now_ms,
    )


def test_an_orphaned_schedule_can_be_forgotten(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    clock.advance(ORPHANED_MS)

    answer = engine.forget_schedule("report")

    assert answer == ScheduleForgotten("report")
    assert engine.list_schedules() == []
    assert [event.event_type for event in log(engine)] == ["schedule_forgotten"]


def test_a_schedule_whose_code_is_alive_cannot_be_forgotten(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    clock.advance(ORPHANED_MS - 1)

    with refused(engine, ScheduleNotOrphaned):
        engine.forget_schedule("report")


def test_a_forgotten_schedule_that_comes_back_starts_anew(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.fire_schedule(hourly())
    to_next_hour(clock)
    engine.fire_schedule(hourly())
    clock.advance(ORPHANED_MS)
    engine.pause_schedule("report")
    engine.forget_schedule("report")

    answer = engine.fire_schedule(hourly(catch_up="all"))

    (schedule,) = engine.list_schedules()
    assert list(answer.execution_ids) == []
    assert (schedule.last_slot_ms, schedule.is_paused, schedule.created_at_ms) == (None, False, clock.now_ms)


@rule_cases("method", ["pause_schedule", "resume_schedule", "run_schedule", "forget_schedule"])
def test_an_unknown_schedule_is_not_found(engine: BlockingEngine, clock: ManualClock, method: str) -> None:
    with refused(engine, NotFound) as caught:
        getattr(engine, method)("nobody")

    assert caught.value.entity == "schedule"


# ── namespaces ───────────────────────────────────────────────────────────────────────────────────


@rule_cases("method", ["pause_schedule", "resume_schedule", "run_schedule", "forget_schedule"])
def test_a_schedule_of_another_namespace_is_not_found(engine: BlockingEngine, clock: ManualClock, method: str) -> None:
    engine.scoped("tenant-a").fire_schedule(hourly())
    clock.advance(ORPHANED_MS)

    with refused(engine, NotFound):
        getattr(engine.scoped("tenant-b"), method)("report")

    assert engine.scoped("tenant-b").list_schedules() == []


def test_schedules_of_two_namespaces_share_a_name_and_nothing_else(engine: BlockingEngine, clock: ManualClock) -> None:
    ours, theirs = engine.scoped("ours"), engine.scoped("theirs")
    for scoped in (ours, theirs):
        scoped.fire_schedule(hourly())
    theirs.pause_schedule("report")
    to_next_hour(clock)

    fired = [len(scoped.fire_schedule(hourly()).execution_ids) for scoped in (ours, theirs)]

    assert fired == [1, 0]
    assert [(s.namespace, s.is_paused) for s in engine.list_schedules()] == [("ours", False), ("theirs", True)]
    assert [s.namespace for s in engine.list_schedules(namespace="ours")] == ["ours"]
    assert [x.namespace for x in listed(engine)] == ["ours"]
