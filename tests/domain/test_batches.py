"""A batch means exactly what its commands would mean one by one."""

import msgspec
import pytest

from flowfabric.domain.commands import (
    AnyCommand,
    CancelExecution,
    ChangePriority,
    Complete,
    CreateExecutions,
    Envelope,
    Fail,
    HandleDue,
    Hold,
    PauseLane,
    PurgeExecution,
    Release,
    Renew,
    ReplayExecution,
    ResumeLane,
    RevokeLease,
    SetTag,
    Unhold,
)
from flowfabric.domain.decide import needs
from flowfabric.domain.errors import Conflict, ExecutionNotActive, NotFound, StaleLease
from flowfabric.domain.execution import Due, Execution, IdempotencyKey, due_of
from flowfabric.domain.ids import uuid_in
from flowfabric.domain.lanes import LaneState
from flowfabric.domain.lease import Fence, lease_id
from flowfabric.domain.outcomes import Claimed, Created, Duplicate, LanePaused, LaneResumed
from flowfabric.domain.policies import ExecutionPolicy
from tests.domain.records import NOW, STORE, a_claim, an_execution, an_id, creation, decided, fence_of
from tests.domain.states_reached import STATES


def _ids(answer: object) -> list[str]:
    """What a claim took, in order."""
    assert isinstance(answer, list)
    return [claimed.execution_id for claimed in answer if isinstance(claimed, Claimed)]


def _queue(*numbers: int, **changes: object) -> list[Execution]:
    """Waiting executions that became ready one after the other."""
    return [an_execution(number, ready_at_ms=NOW - 100 + number, **changes) for number in numbers]


def _active(number: int) -> Execution:
    return an_execution(
        number,
        lifecycle_phase="active",
        eligibility_state="not_applicable",
        attempt_state="running_attempt",
        lease_epoch=1,
        event_seq=1,
        worker_id="worker-1",
        worker_instance_id="worker-1/a",
        lease_ttl_ms=30_000,
        lease_expires_at_ms=NOW + 30_000,
        attempt_started_at_ms=NOW,
        started_at_ms=NOW,
    )


# ── what a claim sees of the commands before it ──────────────────────────────────────────────────


def test_a_claim_takes_the_highest_priority_then_the_oldest_then_the_lowest_uuid():
    queue = [
        an_execution(1, priority=1, ready_at_ms=NOW - 5),
        an_execution(2, priority=5, ready_at_ms=NOW - 1),
        an_execution(3, priority=5, ready_at_ms=NOW - 2),
        an_execution(5, priority=5, ready_at_ms=NOW - 3),
        an_execution(4, priority=5, ready_at_ms=NOW - 3),
    ]

    done = decided(a_claim(5), executions=queue)

    assert _ids(done.answers[0]) == [an_id(number) for number in (4, 5, 3, 2, 1)]


def test_a_claim_sees_a_create_before_it_and_not_one_after_it():
    done = decided(creation(1), a_claim(5), creation(2))

    assert _ids(done.answers[1]) == [an_id(1)]


def test_a_create_takes_its_place_among_the_stored_by_priority():
    done = decided(creation(9, priority=3), a_claim(2), executions=_queue(1, 2))

    assert _ids(done.answers[1]) == [an_id(9), an_id(1)]


def test_a_create_of_the_same_priority_queues_behind_the_stored():
    done = decided(creation(9), a_claim(3), executions=_queue(1, 2))

    assert _ids(done.answers[1]) == [an_id(1), an_id(2), an_id(9)]


def test_a_claim_sees_what_was_released_before_it():
    x = _active(1)

    done = decided(Release(fence_of(x)), a_claim(), executions=[x])

    assert _ids(done.answers[1]) == [an_id(1)]
    assert done.after(an_id(1)).attempt_index == 1


def test_a_claim_sees_what_was_revoked_before_it():
    x = _active(1)

    done = decided(RevokeLease(x.execution_id, "", "", ""), a_claim(), executions=[x])

    assert _ids(done.answers[1]) == [an_id(1)]
    assert done.after(an_id(1)).lease_epoch == 3


def test_a_claim_sees_a_replay_before_it():
    x = STATES["completed"]

    done = decided(ReplayExecution(x.execution_id), a_claim(), executions=[x])

    assert _ids(done.answers[1]) == [x.execution_id]


def test_a_claim_sees_a_lease_that_expired_before_it():
    x = STATES["active, lease over"]
    due = due_of(x)
    assert due is not None

    done = decided(HandleDue(due), a_claim(), executions=[x])

    assert _ids(done.answers[1]) == [x.execution_id]


def test_a_claim_sees_a_delay_that_ended_before_it():
    x = STATES["delayed"]
    due = due_of(x)
    assert due is not None

    done = decided(HandleDue(due), a_claim(), executions=[x], now_ms=due.due_at_ms)

    assert _ids(done.answers[1]) == [x.execution_id]


def test_a_raised_priority_comes_first():
    done = decided(ChangePriority(an_id(3), 9), a_claim(2), executions=_queue(1, 2, 3))

    assert _ids(done.answers[1]) == [an_id(3), an_id(1)]


def test_a_lowered_priority_goes_behind_others_that_the_claim_must_still_find():
    queue = _queue(1, 2, 3, 4, priority=5)

    done = decided(ChangePriority(an_id(1), 0), ChangePriority(an_id(2), 0), a_claim(2), executions=queue)

    assert _ids(done.answers[2]) == [an_id(3), an_id(4)]


def test_priority_changed_twice_counts_once():
    queue = _queue(1, 2, priority=5)

    done = decided(ChangePriority(an_id(1), 9), ChangePriority(an_id(1), 0), a_claim(2), executions=queue)

    assert _ids(done.answers[2]) == [an_id(2), an_id(1)]


def test_a_held_execution_is_passed_over_and_the_next_one_found():
    done = decided(Hold(an_id(1), ""), Hold(an_id(2), ""), a_claim(), executions=_queue(1, 2, 3))

    assert _ids(done.answers[2]) == [an_id(3)]


def test_what_was_held_and_let_go_queues_by_when_it_was_let_go():
    done = decided(Hold(an_id(1), ""), Unhold(an_id(1)), a_claim(2), executions=_queue(1, 2))

    assert _ids(done.answers[2]) == [an_id(2), an_id(1)]


def test_a_cancelled_execution_is_passed_over_and_the_next_one_found():
    cancel = CancelExecution(an_id(1), "", "operator_override", None)

    done = decided(cancel, a_claim(), executions=_queue(1, 2))

    assert _ids(done.answers[1]) == [an_id(2)]


def test_a_missed_deadline_is_passed_over_and_the_next_one_found():
    late, waiting = an_execution(1, deadline_at_ms=NOW, ready_at_ms=NOW - 9), an_execution(2)

    done = decided(HandleDue(Due("deadline", NOW, an_id(1))), a_claim(), executions=[late, waiting])

    assert _ids(done.answers[1]) == [an_id(2)]


def test_a_tagged_execution_keeps_its_place_and_is_claimed_with_the_tag():
    done = decided(SetTag(an_id(1), "team.name", "mail"), a_claim(2), executions=_queue(1, 2))

    claimed = done.answers[1]
    assert isinstance(claimed, list)
    assert [c.execution_id for c in claimed if isinstance(c, Claimed)] == [an_id(1), an_id(2)]
    assert claimed[0].tags == {"team.name": "mail"}


def test_a_refused_command_before_it_does_not_hide_an_execution_from_a_claim():
    refused = CreateExecutions((creation(1), creation(2, kind="print")))

    done = decided(refused, a_claim(3), executions=_queue(2))

    assert isinstance(done.answers[0], Conflict)
    assert _ids(done.answers[1]) == [an_id(2)]


# ── several claims in one batch ──────────────────────────────────────────────────────────────────


def test_claims_share_the_queue_and_never_take_the_same():
    done = decided(a_claim(2), a_claim(2), a_claim(2), executions=_queue(1, 2, 3, 4, 5))

    assert [_ids(answer) for answer in done.answers] == [
        [an_id(1), an_id(2)],
        [an_id(3), an_id(4)],
        [an_id(5)],
    ]


def test_claims_of_several_lanes_take_from_each_lane_what_is_first_in_all_of_them():
    mail = [an_execution(n, lane="mail", ready_at_ms=NOW - 100 + n) for n in (1, 3, 5)]
    print_ = [an_execution(n, lane="print", ready_at_ms=NOW - 100 + n) for n in (2, 4, 6)]
    both = a_claim(3, lanes=("print", "mail"))

    done = decided(both, a_claim(1, lanes=("mail",)), a_claim(9, lanes=("print", "mail")), executions=mail + print_)

    assert [_ids(answer) for answer in done.answers] == [
        [an_id(1, "mail"), an_id(2, "print"), an_id(3, "mail")],
        [an_id(5, "mail")],
        [an_id(4, "print"), an_id(6, "print")],
    ]


def test_a_claim_takes_only_what_its_capabilities_cover():
    queue = [
        an_execution(1, required_capabilities=("gpu",), ready_at_ms=NOW - 9),
        an_execution(2, required_capabilities=("gpu", "ssd"), ready_at_ms=NOW - 8),
        an_execution(3, ready_at_ms=NOW - 7),
    ]

    done = decided(
        a_claim(3),
        a_claim(3, capabilities=("ssd",)),
        a_claim(1, capabilities=("gpu", "other")),
        a_claim(3, capabilities=("gpu", "ssd")),
        executions=queue,
    )

    assert [_ids(answer) for answer in done.answers] == [[an_id(3)], [], [an_id(1)], [an_id(2)]]


def test_a_claim_takes_only_from_its_namespace():
    queue = [an_execution(1, namespace="tenant-a"), an_execution(2, namespace="tenant-b")]

    done = decided(a_claim(9, namespace="tenant-b"), a_claim(9), executions=queue)

    assert [_ids(answer) for answer in done.answers] == [[an_id(2)], []]


def test_what_is_released_between_two_claims_is_claimed_again_by_the_second():
    taken = Fence(an_id(1), 0, 1, lease_id(STORE, an_id(1), 0, 1))

    done = decided(a_claim(), Release(taken), a_claim(), executions=_queue(1))

    assert _ids(done.answers[0]) == _ids(done.answers[2]) == [an_id(1)]
    assert [event[1] for event in done.events] == ["acquired", "released", "acquired"]
    assert done.after(an_id(1)).lease_epoch == 2


def test_a_whole_life_fits_in_one_batch():
    taken = Fence(an_id(1), 0, 1, lease_id(STORE, an_id(1), 0, 1))
    again = Fence(an_id(1), 0, 3, lease_id(STORE, an_id(1), 0, 3))

    done = decided(
        creation(1),
        a_claim(),
        Complete(taken, b"first"),
        ReplayExecution(an_id(1)),
        a_claim(),
        Complete(taken, b"late"),
        Complete(again, b"second"),
    )

    assert isinstance(done.answers[5], StaleLease)
    assert done.after(an_id(1)).public_state == "completed"
    assert done.changes.results == {(an_id(1), 0): None, (an_id(1), 1): b"second"}
    assert [event.seq for event in done.changes.events] == [1, 2, 3, 4, 5]


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "refused",
    [
        Complete(fence_of(an_execution(2)), b"result"),
        Renew(fence_of(_active(1), epoch=5), 1),
        Fail(fence_of(_active(1), epoch=-1), "boom", "", True, None),
        Hold(an_id(77), ""),
        CreateExecutions((creation(8), creation(9), creation(2, kind="other"))),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_refused_command_leaves_no_trace_among_its_neighbours(refused: AnyCommand):
    records = [_active(1), an_execution(2)]
    around = [SetTag(an_id(2), "team.name", "mail"), Release(fence_of(_active(1)))]

    with_it = decided(around[0], refused, around[1], executions=records)
    without = decided(*around, executions=records)

    assert [with_it.answers[0], with_it.answers[2]] == without.answers
    assert with_it.changes == without.changes


def test_several_executions_are_made_all_or_none_and_the_bad_one_is_named():
    done = decided(CreateExecutions((creation(1, key="a"), creation(2, kind="print"))), executions=_queue(2))

    refusal = done.answers[0]
    assert isinstance(refusal, Conflict)
    assert str(refusal).startswith("items[1]: ")
    assert done.changes.is_empty
    assert not done.changes.payloads


def test_several_executions_may_name_each_other_by_id_and_by_key():
    done = decided(CreateExecutions((creation(1, key="a"), creation(1), creation(2, key="a"))))

    assert done.answers[0] == [Created(an_id(1), "waiting"), Duplicate(an_id(1)), Duplicate(an_id(1))]


# ── ids and keys ─────────────────────────────────────────────────────────────────────────────────


def test_a_given_id_is_taken_from_the_moment_of_the_create():
    done = decided(creation(1), creation(1), creation(1, payload=b"other"), creation(1, kind="print"))

    assert done.answers[:2] == [Created(an_id(1), "waiting"), Duplicate(an_id(1))]
    assert [type(answer) for answer in done.answers[2:]] == [Conflict, Conflict]


def test_a_given_id_of_another_namespace_is_taken_too():
    done = decided(creation(1, namespace="tenant-a"), creation(1, namespace="tenant-b"))

    assert isinstance(done.answers[1], Conflict)


def test_a_key_means_one_execution_from_the_moment_of_the_create():
    done = decided(creation(1, key="order-7"), creation(2, key="order-7"), creation(3, key="order-7", payload=b"other"))

    assert done.answers[:2] == [Created(an_id(1), "waiting"), Duplicate(an_id(1))]
    assert isinstance(done.answers[2], Conflict)


def test_a_key_belongs_to_its_namespace():
    done = decided(creation(1, key="order-7"), creation(2, key="order-7", namespace="tenant-a"))

    assert done.answers == [Created(an_id(1), "waiting"), Created(an_id(2), "waiting")]


@pytest.mark.parametrize(("age_ms", "answer"), [(999, Duplicate), (1000, Created), (1001, Created)])
def test_a_key_may_be_used_anew_at_the_instant_its_time_is_over(age_ms: int, answer: type):
    made = decided(creation(1, key="order-7", key_ttl_ms=1000)).changes.idempotency_keys["default", "order-7"]
    assert isinstance(made, IdempotencyKey)

    done = decided(creation(2, key="order-7"), keys=[made], now_ms=NOW + age_ms)

    assert isinstance(done.answers[0], answer)


def test_scopes_see_only_their_own():
    mine, foreign = an_execution(1, namespace="tenant-a"), an_execution(2, namespace="tenant-b")

    done = decided(
        Envelope(Hold(an_id(1), ""), "tenant-a"),
        Envelope(Hold(an_id(2), ""), "tenant-a"),
        Envelope(Hold(an_id(2), ""), None),
        executions=[mine, foreign],
    )

    assert [type(answer).__name__ for answer in done.answers] == ["Held", "NotFound", "Held"]


def test_a_worker_of_another_scope_cannot_complete():
    x = _active(1)

    done = decided(Envelope(Complete(fence_of(x), None), "tenant-a"), executions=[x])

    assert isinstance(done.answers[0], NotFound)


# ── lanes ────────────────────────────────────────────────────────────────────────────────────────

PAUSED = LaneState("default", "default", NOW, "stop", 1)


def test_a_claim_takes_neither_what_waits_in_a_paused_lane_nor_what_has_just_come_there():
    done = decided(creation(3), a_claim(5), executions=_queue(1, 2), switches=[PAUSED])

    assert done.answers[1] == []
    assert done.changes.stale_ready == []


def test_pauses_and_resumes_of_a_batch_follow_each_other():
    pause, resume = PauseLane("default", "mail", "stop"), ResumeLane("default", "mail")

    done = decided(pause, pause, resume, resume, pause)

    assert [type(answer) for answer in done.answers] == [LanePaused, LanePaused, LaneResumed, LaneResumed, LanePaused]
    assert [(event.event_type, event.seq) for event in done.changes.events] == [
        ("lane_paused", 1),
        ("lane_resumed", 2),
        ("lane_paused", 3),
    ]
    assert done.changes.lanes == {("default", "mail"): LaneState("default", "mail", NOW, "stop", 3)}


@pytest.mark.parametrize("other", [a_claim(), creation(1)])
def test_a_switch_of_a_lane_never_shares_a_batch_with_anything_else(other: AnyCommand):
    with pytest.raises(AssertionError):
        needs([Envelope(PauseLane("default", "default", "stop")), Envelope(other)])


# ── removals ─────────────────────────────────────────────────────────────────────────────────────


def _kept_for(ms: int, number: int = 1) -> Execution:
    return an_execution(
        number,
        policy=ExecutionPolicy(retention_ms=ms),
        lifecycle_phase="cancelled",
        eligibility_state="not_applicable",
        attempt_state="cancelled",
        terminal_outcome="cancelled",
        terminal_at_ms=NOW,
        cancellation_reason="",
        cancelled_by="operator_override",
    )


def test_removals_share_a_batch():
    first, second = _kept_for(0, 1), _kept_for(0, 2)

    done = decided(
        *(HandleDue(Due("retention", NOW, x.execution_id)) for x in (first, second, first)),
        executions=[first, second],
    )

    assert done.answers == [True, True, False]
    assert done.changes.executions == [(first, None), (second, None)]


def test_a_purge_removes_what_ended_before_its_instant_whatever_its_policy_says():
    for_good = msgspec.structs.replace(_kept_for(0), policy=ExecutionPolicy())

    done = decided(PurgeExecution(for_good.execution_id, NOW + 1), executions=[for_good])

    assert done.answers == [True]
    assert done.changes.executions == [(for_good, None)]


@pytest.mark.parametrize(
    ("x", "ended_before_ms", "scope"),
    [
        (_kept_for(0), NOW, None),
        (_kept_for(0), NOW + 1, "tenant-a"),
        (msgspec.structs.replace(_kept_for(0), flow_id=uuid_in(an_id(7))), NOW + 1, None),
        (an_execution(1), NOW + 1, None),
        (_active(1), NOW + 1, None),
    ],
    ids=["ended at the instant", "of another namespace", "a member", "waiting", "active"],
)
def test_a_purge_that_was_overtaken_removes_nothing(x: Execution, ended_before_ms: int, scope: str | None):
    done = decided(Envelope(PurgeExecution(x.execution_id, ended_before_ms), scope), executions=[x])

    assert done.answers == [False]
    assert done.changes.is_empty


def test_a_removal_never_shares_a_batch_with_a_create_that_could_bring_its_id_back():
    remove = Envelope(HandleDue(Due("retention", NOW, an_id(1))))

    with pytest.raises(AssertionError):
        needs([remove, Envelope(creation(1))])


def test_what_is_kept_longer_is_not_removed_early():
    x = _kept_for(10)

    done = decided(HandleDue(Due("retention", NOW + 10, x.execution_id)), executions=[x], now_ms=NOW + 9)

    assert done.answers == [False]
    assert done.changes.is_empty


def test_a_late_worker_learns_what_became_of_its_execution():
    x = STATES["cancelled while active"]

    done = decided(Complete(fence_of(x, epoch=-1), b"late"), executions=[x])

    refusal = done.answers[0]
    assert isinstance(refusal, ExecutionNotActive)
    assert (refusal.public_state, refusal.lease_epoch) == ("cancelled", x.lease_epoch)
