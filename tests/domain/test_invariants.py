"""Each invariant finds what it is there to find, and finds nothing in what is sound."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.commands import AnyCommand, Complete, Fail, HandleDue, Hold, Release, Renew, ReplayExecution
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Due, Execution, IdempotencyKey
from flowfabric.domain.invariants import (
    Contents,
    record_violations,
    violations,
    violations_at_rest,
)
from flowfabric.domain.lease import Fence, lease_id
from flowfabric.domain.life import STEPS
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from tests.domain.records import NOW, STORE, a_claim, an_execution, an_id, creation, decided, fence_of
from tests.domain.states_reached import STATES

WAITING, ACTIVE, COMPLETED, CANCELLED = (STATES[name] for name in ("waiting", "active", "completed", "cancelled"))


# ── one record ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("x", "found"),
    [
        (replace(WAITING, eligibility_state="not_applicable"), "no legal state"),
        (replace(COMPLETED, terminal_outcome="none", terminal_at_ms=None), "no legal state"),
        (replace(COMPLETED, lifecycle_phase="cancelled"), "no legal state"),
        (replace(CANCELLED, lifecycle_phase="terminal"), "no legal state"),
        (replace(STATES["replayed"], eligibility_state="not_eligible_until_time", delay_until_ms=1), "no legal state"),
        (replace(ACTIVE, lease_expires_at_ms=None), "without a whole lease"),
        (replace(ACTIVE, worker_instance_id=None), "without a whole lease"),
        (replace(COMPLETED, lease_expires_at_ms=NOW), "still leased"),
        (replace(WAITING, worker_id="worker-1"), "still leased"),
        (replace(STATES["delayed"], delay_until_ms=None), "until no instant"),
        (replace(WAITING, delay_until_ms=NOW), "keeps the delay"),
        (replace(COMPLETED, terminal_at_ms=None), "terminal_at_ms is None"),
        (replace(WAITING, terminal_at_ms=NOW), "terminal_at_ms is"),
        (replace(CANCELLED, cancelled_by=None), "cancelled by None"),
        (replace(COMPLETED, cancellation_reason="no"), "cancelled by None"),
        (replace(STATES["failed"], failure_code=None), "without a cause"),
        (replace(COMPLETED, failure_code="boom"), "still shows a failure"),
        (replace(WAITING, retry_count=4), "was retried 4 times of 3"),
        (replace(WAITING, interruption_count=2), "lives on after 2 interruptions"),
        (replace(WAITING, policy=ExecutionPolicy(max_replays=0), replay_count=1, lease_epoch=1), "replayed 1 times"),
        (replace(WAITING, priority=9001), "has priority 9001"),
        (replace(WAITING, priority=-1), "has priority -1"),
        (replace(ACTIVE, lease_epoch=0), "had 1 attempts"),
        (replace(STATES["replayed"], lease_epoch=1), "had 1 attempts and 1 replays by epoch 1"),
        (replace(WAITING, attempt_index=1), "never ran"),
    ],
)
def test_a_broken_record_is_found(x: Execution, found: str):
    assert any(found in message for message in record_violations(x))


# ── one batch ────────────────────────────────────────────────────────────────────────────────────


def _complete() -> Changes:
    return decided(Complete(fence_of(ACTIVE), b"result"), executions=[ACTIVE]).changes


def _renew() -> Changes:
    return decided(Renew(fence_of(ACTIVE), 90_000), executions=[ACTIVE]).changes


def _changed(changes: Changes, **difference: object) -> Changes:
    """The changes of a batch, with a difference in the one record they leave behind."""
    ((before, after),) = changes.executions
    assert after is not None
    return replace(changes, executions=[(before, replace(after, **difference))])


def _from(changes: Changes, **difference: object) -> Changes:
    """The changes of a batch, had the record been different before it."""
    ((before, after),) = changes.executions
    assert before is not None
    return replace(changes, executions=[(replace(before, **difference), after)])


def _tagged_after_the_end(**difference: object) -> Changes:
    changes = _complete()
    return replace(
        changes, executions=[(COMPLETED, replace(COMPLETED, **difference))], events=[], results={}, attempts={}
    )


def _gone(x: Execution) -> Changes:
    return replace(_complete(), executions=[(x, None)], events=[], results={}, attempts={})


def _expired_early() -> Changes:
    over = replace(ACTIVE, lease_expires_at_ms=NOW)
    changes = decided(HandleDue(Due("lease", NOW, over.execution_id)), executions=[over]).changes
    return _from(changes, lease_expires_at_ms=NOW + 1)


BATCHES: list[tuple[str, Callable[[], Changes], str]] = [
    ("kind", lambda: _changed(_complete(), kind="print"), "changed its kind"),
    ("created", lambda: _changed(_complete(), created_at_ms=1), "changed its created_at_ms"),
    ("epoch back", lambda: _from(_complete(), lease_epoch=7), "went back from epoch 7"),
    (
        "same epoch",
        lambda: _from(decided(a_claim(), executions=[WAITING]).changes, lease_epoch=1, event_seq=0),
        "leased again under epoch 1",
    ),
    ("frozen outcome", lambda: _tagged_after_the_end(terminal_at_ms=NOW + 1), "changed after it had ended"),
    ("frozen progress", lambda: _tagged_after_the_end(progress_percent=5), "changed after it had ended"),
    (
        "frozen result",
        lambda: replace(_tagged_after_the_end(tags={"a.b": "c"}), results={(an_id(1), 0): b"other"}),
        "another result",
    ),
    ("shortened", lambda: _changed(_renew(), lease_expires_at_ms=NOW + 1), "shortened the lease"),
    ("revived", lambda: _from(_renew(), lease_expires_at_ms=NOW), "revived a lease"),
    ("early", _expired_early, "a live lease was taken for expired"),
    ("kept for good", lambda: _gone(COMPLETED), "keeps it for good"),
    (
        "kept longer",
        lambda: _gone(replace(COMPLETED, policy=ExecutionPolicy(retention_ms=60_000))),
        "50000 ms too early",
    ),
    ("no event", lambda: replace(_complete(), events=[]), "by its events stage is active, by its record completed"),
    ("event twice", lambda: replace(_complete(), events=_complete().events * 2), "happened while completed"),
    ("no record", lambda: replace(_complete(), executions=[]), "has events and no record"),
    ("attempt alone", lambda: replace(_complete(), executions=[], events=[]), "has an attempt 0 and no record"),
    ("result alone", lambda: _changed(_complete(), terminal_outcome="failed", failure_code="x"), "did not complete"),
    ("retries", lambda: _changed(_complete(), retry_count=1), "by its events retry_count is 0"),
    ("attempt", lambda: _changed(_complete(), attempt_index=1), "by its events attempt_index is 0"),
    ("moved epoch", lambda: _changed(_complete(), lease_epoch=2), "by its events the epoch is 1"),
    ("ended when", lambda: _changed(_complete(), terminal_at_ms=NOW + 1), "by its events terminal_at_ms"),
    ("count", lambda: _changed(_complete(), event_seq=9), "by its events event_seq is 2"),
]


@pytest.mark.parametrize(("changes", "found"), [case[1:] for case in BATCHES], ids=[case[0] for case in BATCHES])
def test_a_broken_batch_is_found(changes: Callable[[], Changes], found: str):
    messages = violations(changes(), NOW)

    assert any(found in message for message in messages), messages


@pytest.mark.parametrize("changes", [_complete, _renew, lambda: decided(creation(1), a_claim()).changes])
def test_a_sound_batch_passes(changes: Callable[[], Changes]):
    assert violations(changes(), NOW) == []


# ── a store at rest ──────────────────────────────────────────────────────────────────────────────


def _lease(attempt_index: int, epoch: int) -> Fence:
    return Fence(an_id(1), attempt_index, epoch, lease_id(STORE, an_id(1), attempt_index, epoch))


STORY: list[AnyCommand] = [
    creation(1, key="order-7", policy=ExecutionPolicy(retry=RetryPolicy(max_retries=2, jitter=0.0))),
    a_claim(),
    Release(_lease(0, 1)),
    a_claim(),
    Fail(_lease(1, 2), "boom", "", True, 0),
    a_claim(),
    Complete(_lease(2, 3), b"first"),
    ReplayExecution(an_id(1)),
    a_claim(),
    Complete(_lease(2, 5), b"second"),
]


def _contents(commands: list[AnyCommand]) -> Contents:
    changes = decided(*commands).changes
    return Contents(
        executions=[after for _, after in changes.executions if after is not None],
        attempts=list(changes.attempts.values()),
        events=[replace(event, event_id=number) for number, event in enumerate(changes.events, 1)],
        with_result={key for (key, _), result in changes.results.items() if result is not None},
        idempotency_keys=[row for row in changes.idempotency_keys.values() if row is not None],
    )


SOUND = _contents(STORY)
RUNNING = _contents(STORY[:4])


def _with_event(at: int, **difference: object) -> Contents:
    events = list(SOUND.events)
    events[at] = replace(events[at], **difference)
    return replace(SOUND, events=events)


def _with_details(at: int, **difference: object) -> Contents:
    return _with_event(at, details={**SOUND.events[at].details, **difference})


def _with_attempt(at: int, **difference: object) -> Contents:
    attempts = list(SOUND.attempts)
    attempts[at] = replace(attempts[at], **difference)
    return replace(SOUND, attempts=attempts)


def _with_record(contents: Contents = SOUND, **difference: object) -> Contents:
    return replace(contents, executions=[replace(contents.executions[0], **difference)])


def _and_then(*events: Event) -> Contents:
    return replace(SOUND, events=[*SOUND.events, *events])


def _next_event(channel: str, event_type: str) -> Event:
    last = SOUND.events[-1]
    return replace(last, event_id=last.event_id + 1, seq=last.seq + 1, channel=channel, event_type=event_type)


STRANGER = Attempt(an_id(9), 0, 1, None, None, None, None, "success")
KEY = IdempotencyKey("default", "order-7", an_id(1), b"", NOW + 1)

AT_REST: list[tuple[str, Contents, str]] = [
    ("a gap", replace(SOUND, events=[*SOUND.events[:2], *SOUND.events[3:]]), "follows event 2"),
    ("a repeat", _with_event(3, seq=3), "follows event 3"),
    ("an order", _with_event(3, event_id=1), "comes after event"),
    ("an unknown type", _with_event(1, event_type="vanished"), "not in the state machine"),
    ("an unknown channel", _with_event(1, channel="operator"), "not in the state machine"),
    ("a second end", _and_then(_next_event("completion", "completed")), "happened after the end"),
    ("a claim after the end", _and_then(_next_event("lease", "acquired")), "happened after the end"),
    ("an epoch again", _with_details(2, lease_epoch=1), "under epoch 1 after 1"),
    ("an epoch too far", _with_details(2, lease_epoch=9), "is under epoch 9"),
    ("an attempt too far", _with_details(2, attempt_index=2), "is attempt 2, a reclaim after attempt 0"),
    ("a second first", _with_details(2, claim_type="first"), "is a first"),
    ("a wrong promise", _with_details(3, next_attempt_index=5), "promises attempt 5 after 1"),
    ("a wrong replay", _with_details(6, previous_attempt=0), "names attempt 0, not 2"),
    ("a failure out of nothing", _with_event(1, channel="completion", event_type="failed"), "happened after the end"),
    ("no record", replace(SOUND, executions=[]), "events and no record"),
    ("two records", replace(SOUND, executions=list(SOUND.executions) * 2), "two records share"),
    ("an orphan", replace(SOUND, attempts=[*SOUND.attempts, STRANGER]), "no record"),
    ("a missing attempt", replace(SOUND, attempts=SOUND.attempts[1:]), "attempt 0 is over and has no outcome"),
    ("an open attempt", _with_attempt(0, outcome=None), "attempt 0 is over and has no outcome"),
    ("an attempt too many", _with_attempt(0, attempt_index=7), "has rows for 7"),
    ("an epoch twice", _with_attempt(1, lease_epoch=1), "under epochs [1, 1, 5]"),
    ("an epoch ahead", _with_attempt(2, lease_epoch=6), "and it is at 5"),
    ("another end", _with_attempt(2, outcome="failed"), "its last attempt ended as failed"),
    ("no last attempt", replace(SOUND, attempts=SOUND.attempts[:2]), "its last attempt ended as None"),
    (
        "ended while running",
        replace(RUNNING, attempts=[*RUNNING.attempts, replace(RUNNING.attempts[0], attempt_index=1, lease_epoch=2)]),
        "is running and has ended as released",
    ),
    ("a result too early", replace(RUNNING, with_result={an_id(1)}), "is active and has a result"),
    ("another worker", _with_record(RUNNING, worker_instance_id="worker-9/z"), "by its events worker_instance_id"),
    ("another start", _with_record(started_at_ms=NOW - 1), "by its events started_at_ms"),
    ("a dead key", replace(SOUND, idempotency_keys=[replace(KEY, execution_id=an_id(9))]), "which is gone"),
    ("another's key", replace(SOUND, idempotency_keys=[replace(KEY, key="order-8")]), "made under another key"),
]


@pytest.mark.parametrize(("contents", "found"), [case[1:] for case in AT_REST], ids=[case[0] for case in AT_REST])
def test_a_broken_store_is_found(contents: Contents, found: str):
    messages = violations_at_rest(contents, NOW)

    assert any(found in message for message in messages), messages


@pytest.mark.parametrize("length", range(1, len(STORY) + 1))
def test_a_sound_store_passes(length: int):
    assert violations_at_rest(_contents(STORY[:length]), NOW) == []


def test_a_key_whose_time_is_over_may_mean_what_is_gone():
    over = replace(KEY, execution_id=an_id(9), expires_at_ms=NOW)

    assert violations_at_rest(replace(SOUND, idempotency_keys=[over]), NOW) == []


def test_every_event_that_decisions_write_is_in_the_state_machine():
    held = decided(Hold(an_id(1), ""), executions=[an_execution(1)]).changes.events

    assert {(event.channel, event.event_type) for event in [*SOUND.events, *held]} <= STEPS.keys()
