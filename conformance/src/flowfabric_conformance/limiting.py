"""Limits: how many run at a time and how often one starts, for each key by itself, however a lease ends."""

from contextlib import suppress
from typing import cast

import pytest

from flowfabric import (
    BlockingEngine,
    Dropped,
    EngineError,
    InvalidInput,
    LimitSet,
    LimitSnapshot,
    ManualClock,
    NewExecution,
    NotFound,
)
from flowfabric_conformance.gate_stage import ENDS, PARKED, RETRIED, claims, gated, limit_at, states
from flowfabric_conformance.stage import claim, claim_ids, create, log, look, refused

# ── slots ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("end", ENDS)
def test_a_slot_comes_back_however_the_lease_ends_and_only_once(
    engine: BlockingEngine, clock: ManualClock, end: str
) -> None:
    engine.set_limit("api", concurrency=1)
    first = gated(engine, policy=RETRIED, deadline_at_ms=clock.now_ms + 50_000 if end == "deadline" else None)
    second = gated(engine)
    (claimed,) = claims(engine)
    taken = limit_at(engine).in_use
    ENDS[end](engine, clock, claimed.lease)

    given_back = limit_at(engine).in_use
    next_one = [each.execution_id for each in claims(engine, limit=1)]
    with suppress(EngineError):
        ENDS[end](engine, clock, claimed.lease)

    assert (taken, given_back) == (1, 0)
    assert claimed.execution_id == first
    assert next_one == [second]
    assert limit_at(engine).in_use == (0 if end in ("expiry", "timeout", "deadline") else 1)


def test_a_claim_takes_as_many_as_there_are_slots_and_parks_the_others(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", concurrency=2)
    first, second, third, fourth = (gated(engine) for _ in range(4))
    plain = create(engine)

    claimed = claim_ids(engine)

    assert claimed == [first, second, plain]
    assert states(engine, third, fourth) == [PARKED, PARKED]
    assert look(engine, third).blocking_reason == "waiting_for_quota"
    assert (limit_at(engine).in_use, limit_at(engine).parked) == (2, 2)


def test_one_lease_after_another_ends_and_the_parked_come_in_their_order(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    running = claims(engine)
    late = [gated(engine, priority=priority) for priority in (0, 5, 0, 5)]
    claims(engine)
    came = []
    for _ in late:
        engine.complete(running[0].lease)
        running = claims(engine)
        came += [each.execution_id for each in running]

    assert came == [late[1], late[3], late[0], late[2]]


def test_what_becomes_ready_while_others_are_parked_joins_them_at_its_place(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (running,) = claims(engine)
    parked = gated(engine)
    claims(engine)
    urgent, later = gated(engine, priority=9), gated(engine)
    engine.reconcile()
    before = states(engine, urgent, later)
    engine.complete(running.lease)

    came = []
    for _ in range(3):
        (running,) = claims(engine)
        came.append(running.execution_id)
        engine.complete(running.lease)

    assert before == [PARKED, PARKED]
    assert came == [urgent, parked, later]


def test_two_limits_are_taken_together_or_not_at_all(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=2)
    engine.set_limit("tenant", concurrency=1)
    first, second = (gated(engine, {"api": "", "tenant": "t-1"}) for _ in range(2))
    other = gated(engine, {"api": "", "tenant": "t-2"})

    claimed = claim_ids(engine)

    assert claimed == [first, other]
    assert states(engine, second) == [PARKED]
    assert limit_at(engine).in_use == 2
    assert [limit_at(engine, "tenant", key).in_use for key in ("t-1", "t-2")] == [1, 1]
    assert [limit_at(engine, "tenant", key).parked for key in ("t-1", "t-2")] == [1, 0]


def test_each_key_has_slots_of_its_own(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("tenant", concurrency=1)
    ids = {key: [gated(engine, {"tenant": key}) for _ in range(2)] for key in ("a", "b", "c")}

    assert claim_ids(engine) == [first for first, _ in ids.values()]
    assert [limit_at(engine, "tenant", key).in_use for key in ("a", "b", "c", "")] == [1, 1, 1, 0]


def test_two_lanes_share_a_key_and_neither_holds_up_the_other(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine, lane="mail")
    (running,) = claims(engine, lanes=["mail"])
    mail, prints = gated(engine, lane="mail"), gated(engine, lane="print")
    claims(engine, lanes=["mail", "print"])
    engine.pause_lane("mail")
    engine.complete(running.lease)

    assert claim_ids(engine, lanes=["mail", "print"]) == [prints]
    assert states(engine, mail) != ["active"]


def test_a_missing_capability_in_one_room_does_not_hold_up_another(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (running,) = claims(engine)
    special = gated(engine, required_capabilities=["gpu"], priority=9)
    plain = gated(engine)
    claims(engine, capabilities=["gpu"])
    parked = states(engine, special, plain)
    engine.complete(running.lease)
    admitted = states(engine, special, plain)
    (next_one,) = claims(engine)
    still_full = claim_ids(engine, capabilities=["gpu"])
    engine.complete(next_one.lease)

    assert (parked, admitted) == ([PARKED, PARKED], ["waiting", "waiting"])
    assert next_one.execution_id == plain
    assert still_full == []
    assert look(engine, special).required_capabilities == ["gpu"]
    assert claim_ids(engine, capabilities=["gpu"]) == [special]


@pytest.mark.parametrize("leave", ["hold", "cancel"])
def test_what_leaves_the_queue_unclaimed_lets_the_next_one_in(
    engine: BlockingEngine, clock: ManualClock, leave: str
) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (running,) = claims(engine)
    first, second = gated(engine), gated(engine)
    claims(engine)
    engine.complete(running.lease)
    if leave == "hold":
        engine.hold(first)
    else:
        engine.cancel_execution(first, reason="no longer wanted")

    assert claim_ids(engine) == [second]


def test_a_parked_execution_can_be_held_cancelled_and_moved(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    (running,) = claims(engine)
    moved, held, cancelled, last = (gated(engine) for _ in range(4))
    claims(engine)
    engine.change_priority(last, 7)
    engine.hold(held)
    engine.cancel_execution(cancelled, reason="no longer wanted")
    parked = limit_at(engine).parked
    engine.complete(running.lease)
    (next_one,) = claims(engine)
    engine.unhold(held)
    engine.complete(next_one.lease)

    assert parked == 2
    assert next_one.execution_id == last
    assert claim_ids(engine) == [moved]
    assert states(engine, held, cancelled) in (["waiting", "cancelled"], [PARKED, "cancelled"])


def test_a_resume_takes_a_slot_again(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    sleeper = gated(engine)
    (claimed,) = claims(engine)
    engine.suspend(claimed.lease, "approval", "editor")
    other = gated(engine)
    (running,) = claims(engine)
    engine.signal(sleeper, "editor")
    blocked = claim_ids(engine)
    engine.complete(running.lease)

    assert running.execution_id == other
    assert blocked == []
    assert claim_ids(engine) == [sleeper]
    assert limit_at(engine).in_use == 1


def test_a_resume_is_no_start(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", rate=1, per_ms=60_000)
    sleeper = gated(engine)
    (claimed,) = claims(engine)
    engine.suspend(claimed.lease, "approval", "editor")
    engine.signal(sleeper, "editor")

    assert claim_ids(engine) == [sleeper]


def test_members_of_a_batch_of_claims_do_not_overrun_a_limit(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=3)
    engine.create_executions([NewExecution(kind="job", limits={"api": ""}) for _ in range(250)])

    found = [claim_ids(engine, limit=limit) for limit in (1, 5, 100, 1000)]

    assert [len(each) for each in found] == [1, 2, 0, 0]
    assert limit_at(engine).in_use == 3


def test_a_limit_lets_hundreds_through_one_after_another(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=10)
    made = engine.create_executions([NewExecution(kind="job", limits={"api": ""}) for _ in range(150)])
    came: list[str] = []
    for _ in range(40):
        running = claims(engine, limit=20)
        assert len(running) <= 10
        came += [each.execution_id for each in running]
        for each in running:
            engine.complete(each.lease)

    assert sorted(came) == sorted(each.execution_id for each in made)
    assert (limit_at(engine).in_use, limit_at(engine).parked) == (0, 0)


# ── numbers ──────────────────────────────────────────────────────────────────────────────────────


def test_a_raised_limit_lets_the_parked_in(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    ids = [gated(engine) for _ in range(4)]
    claims(engine)

    answer = engine.set_limit("api", concurrency=3)
    engine.reconcile()

    assert answer == LimitSet("api")
    assert claim_ids(engine) == ids[1:3]
    assert limit_at(engine).in_use == 3


def test_a_lowered_limit_lets_nothing_in_until_enough_has_ended(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=3)
    for _ in range(4):
        gated(engine)
    running = claims(engine)
    engine.set_limit("api", concurrency=1)
    engine.reconcile()
    came = []
    for each in running:
        engine.complete(each.lease)
        came.append(len(claim_ids(engine)))

    assert came == [0, 0, 1]


def test_a_removed_limit_lets_all_in_and_still_counts_what_runs(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    ids = [gated(engine) for _ in range(3)]
    claims(engine)
    engine.remove_limit("api")
    engine.reconcile()
    gone = engine.describe_limit("api")
    free = claim_ids(engine)
    engine.set_limit("api", concurrency=3)
    late = gated(engine)

    assert gone is None
    assert free == ids[1:]
    assert limit_at(engine).in_use == 3
    assert claim_ids(engine) == []
    assert states(engine, late) == [PARKED]


def test_one_key_may_have_numbers_of_its_own(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("tenant", concurrency=1)
    engine.set_limit("tenant", key="big", concurrency=2)
    for key in ("big", "big", "big", "small", "small"):
        gated(engine, {"tenant": key})
    with_own = len(claim_ids(engine))
    engine.remove_limit("tenant", key="big")
    without_own = limit_at(engine, "tenant", "big").concurrency

    assert with_own == 3
    assert without_own == 1


def test_a_limit_for_all_keys_that_is_raised_lets_each_key_in(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("tenant", concurrency=1)
    for number in range(12):
        for _ in range(2):
            gated(engine, {"tenant": f"t-{number}"})
    first = len(claim_ids(engine))
    engine.set_limit("tenant", concurrency=2)
    engine.reconcile()

    assert (first, len(claim_ids(engine))) == (12, 12)


def test_a_pause_lets_nothing_start_until_it_is_over(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=5)
    engine.pause_limit("api", for_ms=20_000)
    engine.pause_limit("api", for_ms=5_000)
    first = gated(engine)
    during = claim_ids(engine)
    snapshot = limit_at(engine)
    clock.advance(19_999)
    engine.reconcile()
    still = claim_ids(engine)
    clock.advance(1)
    engine.reconcile()

    assert (during, still) == ([], [])
    assert snapshot.paused_until_ms == clock.now_ms
    assert (states(engine, first), claim_ids(engine)) == (["waiting"], [first])


def test_a_program_does_not_change_the_numbers_of_an_operator(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=7)

    engine.set_limit("api", concurrency=1, if_new=True)

    assert limit_at(engine).concurrency == 7


def test_what_is_unknown_or_wrong_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, NotFound):
        gated(engine)
    with refused(engine, NotFound):
        engine.set_limit("api", key="a", concurrency=1)
    with refused(engine, NotFound):
        engine.remove_limit("api")
    with refused(engine, NotFound):
        engine.pause_limit("api", for_ms=1)
    with refused(engine, InvalidInput):
        engine.set_limit("api")
    with refused(engine, InvalidInput):
        engine.set_limit("api", concurrency=0)

    assert engine.describe_limit("api") is None


# ── rate ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_rate_lets_a_burst_start_and_then_one_at_each_pace(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", rate=60, per_ms=60_000, burst=3)
    for _ in range(10):
        gated(engine)
    came = [len(claim_ids(engine))]
    for _ in range(4):
        clock.advance(999)
        engine.reconcile()
        early = len(claim_ids(engine))
        clock.advance(1)
        engine.reconcile()
        came.append(early * 100 + len(claim_ids(engine)))

    assert came == [3, 1, 1, 1, 1]


def test_a_rate_without_a_burst_lets_as_many_start_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", rate=5, per_ms=1_000)
    for _ in range(12):
        gated(engine)
    first = len(claim_ids(engine))
    clock.advance(1_000)
    engine.reconcile()

    assert (first, len(claim_ids(engine))) == (5, 5)


def test_a_retry_counts_as_a_start_and_nothing_is_given_back(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", rate=2, per_ms=60_000)
    gated(engine, policy=RETRIED)
    (claimed,) = claims(engine)
    engine.fail(claimed.lease, code="boom")
    clock.advance(1_000)
    engine.reconcile()
    (again,) = claims(engine)
    engine.complete(again.lease)
    third = gated(engine)

    assert claim_ids(engine) == []
    assert states(engine, third) == [PARKED]


def test_keys_that_are_idle_are_forgotten(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("tenant", rate=1, per_ms=1_000)
    for number in range(5):
        gated(engine, {"tenant": f"t-{number}"})
    running = claims(engine)
    for each in running:
        engine.complete(each.lease)
    before = _keys(engine)
    clock.advance(999)
    engine.reconcile()
    cooling = _keys(engine)
    clock.advance(1)
    done = engine.reconcile()

    assert before == cooling == ["", "t-0", "t-1", "t-2", "t-3", "t-4"]
    assert done["idle_keys"] == 5
    assert _keys(engine) == [""]


def _keys(engine: BlockingEngine, *, limit: int = 2) -> list[str]:
    found: list[LimitSnapshot] = []
    cursor = None
    while True:
        page = engine.list_limits(cursor=cursor, limit=limit)
        found += cast("list[LimitSnapshot]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return [each.key for each in found]


def test_limits_are_listed_by_name_and_key(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("b", concurrency=1)
    engine.set_limit("a", concurrency=1, rate=3, per_ms=500, burst=2)
    engine.set_limit("a", key="vip", concurrency=9)
    engine.set_limit("a", concurrency=4, namespace="other")
    gated(engine, {"a": "k"})
    gated(engine, {"a": "k"})
    claims(engine)

    found = cast("list[LimitSnapshot]", engine.list_limits(namespace="default").items)

    assert [(each.name, each.key, each.concurrency, each.in_use, each.parked) for each in found] == [
        ("a", "", 1, 0, 0),
        ("a", "k", 1, 1, 1),
        ("a", "vip", 9, 0, 0),
        ("b", "", 1, 0, 0),
    ]
    assert (found[0].rate, found[0].per_ms, found[0].burst) == (3, 500, 2)
    everywhere = cast("list[LimitSnapshot]", engine.list_limits().items)
    assert [(each.namespace, each.name) for each in everywhere][-1] == ("other", "a")
    assert limit_at(engine, "a", namespace="other").concurrency == 4


# ── when it is full ──────────────────────────────────────────────────────────────────────────────


def test_a_full_limit_may_drop_what_is_new(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    with_room = gated(engine, when_full="drop_new")
    claims(engine)

    dropped = engine.create_execution("job", limits={"api": ""}, when_full="drop_new")

    assert dropped == Dropped(with_room)
    assert len(engine.list_executions().items) == 1


def test_a_full_limit_may_cancel_the_oldest_that_waits(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    running = gated(engine)
    claims(engine)
    clock.advance(1)
    older = gated(engine)
    clock.advance(1)
    newer = gated(engine)
    claims(engine)
    clock.advance(1)

    newest = gated(engine, when_full="cancel_oldest")

    assert states(engine, running, older, newer) == ["active", "cancelled", PARKED]
    assert look(engine, older).cancellation_reason == "replaced"
    assert states(engine, newest) == [PARKED]


def test_a_full_limit_cancels_what_runs_if_nothing_waits(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=2)
    older, newer = gated(engine), gated(engine)
    claims(engine, limit=1)
    clock.advance(5)
    claims(engine)

    newest = gated(engine, when_full="cancel_oldest")

    assert states(engine, older, newer) == ["cancelled", "active"]
    assert claim_ids(engine) == [newest]
    assert limit_at(engine).in_use == 2


def test_when_full_needs_a_limit(engine: BlockingEngine, clock: ManualClock) -> None:
    with refused(engine, InvalidInput):
        create(engine, when_full="drop_new")


def test_a_submit_in_another_transaction_always_waits_for_its_limits(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", concurrency=1)
    conn = object()  # it is not looked at
    with refused(engine, InvalidInput) as one:
        engine.create_execution("job", limits={"api": ""}, when_full="drop_new", conn=conn)
    with refused(engine, InvalidInput) as several:
        engine.create_executions([NewExecution(kind="job", limits={"api": ""}, when_full="cancel_oldest")], conn=conn)

    assert "when_full" in str(one.value)
    assert "when_full" in str(several.value)


# ── in numbers ───────────────────────────────────────────────────────────────────────────────────


def test_parked_executions_are_counted_apart_from_those_that_could_be_claimed(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    engine.set_limit("api", concurrency=1)
    engine.set_budget("team", limits={"usd": 5})
    create(engine, budgets={"team": {"usd": 5}}, limits={"api": ""})
    claims(engine)
    clock.advance(1_000)
    for _ in range(2):
        gated(engine)
    create(engine, budgets={"team": {"usd": 1}})
    claims(engine)
    plain_since_ms = clock.now_ms
    clock.advance(1_000)
    create(engine, delay_until_ms=clock.now_ms + 1)
    create(engine)
    (lane,) = engine.list_lanes()
    stats = engine.stats()
    elsewhere = engine.stats(namespace="other")

    assert (lane.waiting, lane.parked, lane.delayed, lane.active, lane.blocked) == (1, 3, 1, 1, 0)
    assert lane.oldest_ready_at_ms == stats.oldest_ready_at_ms == plain_since_ms + 1_000
    assert (stats.executions[PARKED], stats.parked_at_limits, stats.parked_at_budgets) == (3, 2, 1)
    assert stats.executions["waiting"] == 1
    assert (elsewhere.parked_at_limits, elsewhere.parked_at_budgets) == (0, 0)


# ── the log ──────────────────────────────────────────────────────────────────────────────────────


def test_what_operators_do_to_limits_is_in_the_log(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    engine.set_limit("api", concurrency=1)
    engine.set_limit("api", key="a", concurrency=2)
    engine.pause_limit("api", "a", for_ms=10)
    engine.remove_limit("api", key="a")
    engine.remove_limit("api")

    events = [(event.event_type, event.details.get("key")) for event in log(engine, channels=["operator"])]

    assert events == [
        ("limit_set", None),
        ("limit_set", "a"),
        ("limit_paused", "a"),
        ("limit_removed", "a"),
        ("limit_removed", None),
    ]


def test_an_execution_without_limits_does_not_care(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.set_limit("api", concurrency=1)
    gated(engine)
    claims(engine)
    gated(engine, priority=9)
    plain = create(engine)

    assert claim(engine).execution_id == plain
