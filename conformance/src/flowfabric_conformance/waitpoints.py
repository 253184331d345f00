"""Waitpoints: each is an inbox of one execution, known by its key, open until it is closed or the execution ends."""

from flowfabric import (
    AlreadySatisfied,
    AtLeast,
    BlockingEngine,
    Every,
    ManualClock,
    NotFound,
    Resumed,
    Signalled,
    WaitpointClosed,
    WaitpointSnapshot,
)
from flowfabric_conformance.stage import UNKNOWN, claim, create, events_of, look, refused, story, unchanged, vector
from flowfabric_conformance.wait_stage import (
    ACTIVE,
    HOUR_MS,
    SUSPENDED,
    events,
    opened,
    over,
    payloads,
    resumed,
    started,
    suspend,
    waiting,
    waitpoint,
)


def test_a_waitpoint_has_one_id_and_one_token_in_every_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    first = engine.create_waitpoint(lease, "editor")
    engine.revoke_lease(lease.execution_id)
    again = claim(engine).lease

    assert first.key == "editor"
    assert engine.create_waitpoint(again, "editor") == first
    assert opened(engine, again, "editor") == (first,)
    assert engine.issue_token(lease.execution_id, "editor") == first
    assert engine.create_waitpoint(again, "author") != first


def test_two_executions_have_different_waitpoints_of_one_key(engine: BlockingEngine, clock: ManualClock) -> None:
    first, second = (engine.create_waitpoint(started(engine), "editor") for _ in range(2))

    assert first.waitpoint_id != second.waitpoint_id
    assert first.token != second.token


def test_a_waitpoint_is_listed_with_what_people_are_shown(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    about = {"title": "Publish?", "choices": ["yes", "no"], "form": {"note": None, "stars": 4.5, "is_final": True}}
    made = engine.create_waitpoint(lease, "editor", about=about, expires_in_ms=HOUR_MS)
    clock.advance(5)
    engine.signal(lease.execution_id, "author")

    editor, author = engine.list_waitpoints(lease.execution_id)

    assert editor == WaitpointSnapshot(
        made.waitpoint_id,
        lease.execution_id,
        "editor",
        "open",
        clock.now_ms - 5,
        clock.now_ms - 5 + HOUR_MS,
        None,
        0,
        about,
        editor.token_kid,
        editor.token_fingerprint,
    )
    assert (author.key, author.about, author.expires_at_ms, author.waiting_signals) == ("author", {}, None, 1)
    assert editor.token_kid == author.token_kid
    assert editor.token_fingerprint != author.token_fingerprint
    assert len(editor.token_fingerprint) == 16


def test_no_listing_and_no_event_shows_a_token(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    token = engine.create_waitpoint(lease, "editor", alias="order-7").token
    engine.signal_by_token(token, b"1")
    suspend(engine, lease, "author")
    mac = token.rpartition(".")[2]

    shown = [
        engine.list_waitpoints(lease.execution_id),
        engine.list_signals(lease.execution_id),
        engine.list_waiting().items,
        look(engine, lease.execution_id),
        events_of(engine, lease.execution_id),
        engine.explain(lease.execution_id),
    ]

    assert mac not in repr(shown)


def test_what_is_given_first_stands(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.signal(lease.execution_id, "editor")
    engine.create_waitpoint(lease, "editor", about={"title": "first"}, alias="one")
    before = waitpoint(engine, lease.execution_id, "editor")

    engine.create_waitpoint(lease, "editor", about={"title": "second"}, alias="two", expires_in_ms=1)

    after = waitpoint(engine, lease.execution_id, "editor")
    assert before.about == after.about == {"title": "first"}
    engine.signal_alias("one")


def test_an_expired_waitpoint_is_closed(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    token = engine.create_waitpoint(lease, "editor", expires_in_ms=1_000).token
    clock.advance(999)
    engine.signal(lease.execution_id, "editor", b"in time")

    clock.advance(1)

    with refused(engine, WaitpointClosed):
        engine.signal(lease.execution_id, "editor")
    with refused(engine, WaitpointClosed):
        engine.signal_by_token(token)
    found = waitpoint(engine, lease.execution_id, "editor")
    assert (found.state, found.closed_reason) == ("closed", "expired")
    assert found.waiting_signals == 1


def test_an_operator_closes_a_waitpoint(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    token = engine.create_waitpoint(lease, "editor").token

    engine.close_waitpoint(lease.execution_id, "editor", reason="not needed")

    with refused(engine, WaitpointClosed):
        engine.signal(lease.execution_id, "editor")
    with refused(engine, WaitpointClosed):
        engine.signal_by_token(token)
    with refused(engine, WaitpointClosed):
        engine.open_wait(lease, "wait", "editor")
    with refused(engine, WaitpointClosed):
        engine.suspend(lease, "wait", "editor")
    found = waitpoint(engine, lease.execution_id, "editor")
    assert (found.state, found.closed_reason) == ("closed", "operator: not needed")
    engine.signal(lease.execution_id, "author")


def test_closing_twice_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "editor")
    engine.close_waitpoint(lease.execution_id, "editor")
    assert waitpoint(engine, lease.execution_id, "editor").closed_reason == "operator"

    with unchanged(engine):
        engine.close_waitpoint(lease.execution_id, "editor", reason="again")


def test_there_must_be_a_waitpoint_to_close(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)

    with refused(engine, NotFound):
        engine.close_waitpoint(UNKNOWN, "editor")
    with refused(engine, NotFound):
        engine.close_waitpoint(execution_id, "editor")


def test_an_end_closes_all_waitpoints(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "editor")
    engine.complete(lease)

    found = waitpoint(engine, lease.execution_id, "editor")

    assert (found.state, found.closed_reason) == ("closed", "ended")


# ── an operator resumes ──────────────────────────────────────────────────────────────────────────


def test_an_operator_ends_every_open_wait(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "alice", "first")
    suspend(engine, lease, "bob", "second")

    assert engine.resume_execution(lease.execution_id, b"go", reason="they are on holiday") == Resumed(
        lease.execution_id
    )

    for name, key in (("first", "alice"), ("second", "bob")):
        found = over(engine, lease.execution_id, name)
        assert found.cause == "operator"
        assert [(signal.key, signal.name, signal.source, signal.payload) for signal in found.signals] == [
            (key, "resumed", "operator", b"go")
        ]
    assert [signal.name for signal in engine.list_signals(lease.execution_id)] == ["resumed", "resumed"]
    assert [details for event, details in events(engine, lease.execution_id, "signal") if event == "resumed"] == [
        {"name": name, "cause": "operator", "reason": "they are on holiday"} for name in ("first", "second")
    ]
    resumed(engine, lease.execution_id)


def test_an_execution_that_is_not_suspended_is_not_resumed(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    opened(engine, lease, "editor")

    with unchanged(engine):
        assert engine.resume_execution(lease.execution_id) == AlreadySatisfied("not_suspended")
    assert vector(engine, lease.execution_id) == ACTIVE


def test_an_escalated_execution_is_resumed_by_an_operator(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine, timeout_ms=HOUR_MS, on_timeout="escalate")
    clock.advance(HOUR_MS)
    engine.reconcile()
    assert vector(engine, paused.execution_id) == SUSPENDED

    engine.resume_execution(paused.execution_id, b"go")

    assert payloads(over(engine, paused.execution_id)) == [b"go"]


def test_what_an_operator_does_names_the_operator(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    other = started(engine)
    engine.create_waitpoint(other, "editor")
    ann = engine.acting_as("ann")

    ann.hold(paused.execution_id, reason="wait")
    ann.close_waitpoint(other.execution_id, "editor", reason="no")
    ann.resume_execution(paused.execution_id, reason="go")

    assert events(engine, paused.execution_id, "operator") == [("held", {"reason": "wait", "actor": "ann"})]
    ((event, closing),) = events(engine, other.execution_id, "operator")
    assert (event, closing["key"], closing["reason"], closing["actor"]) == ("waitpoint_closed", "editor", "no", "ann")
    assert events(engine, paused.execution_id, "signal")[-1] == (
        "resumed",
        {"name": "wait", "cause": "operator", "reason": "go", "actor": "ann"},
    )


def test_explain_names_the_condition_what_has_arrived_what_is_missing_and_the_timeout(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    condition = AtLeast(2, "alice", "bob", "carol")
    paused = waiting(engine, condition, "votes", timeout_ms=5 * HOUR_MS, on_timeout="fail")
    engine.signal(paused.execution_id, "alice", source="ann")
    clock.advance(2 * HOUR_MS)
    engine.pause_lane("default", reason="night")

    said = engine.explain(paused.execution_id)

    assert said == (
        "It waits in 'votes' for 2 of alice, bob, carol and has done so for 2 h: alice from ann has arrived; "
        "still missing: 1 more of bob, carol; in 3 h the attempt fails with wait_timeout. "
        "Lane 'default' in namespace 'default' has been paused for 0 ms: night. Resume the lane to let it run."
    )


def test_explain_names_closed_waitpoints_and_what_to_do(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = started(engine)
    engine.create_waitpoint(lease, "editor", expires_in_ms=HOUR_MS)
    engine.suspend(lease, "wait", Every("editor", "boss"))
    engine.close_waitpoint(lease.execution_id, "boss", reason="left")

    closed = engine.explain(lease.execution_id)
    clock.advance(HOUR_MS)
    expired = engine.explain(lease.execution_id)

    what_to_do = "no signals, so resume or cancel the execution if nothing else ends this wait."
    assert closed.endswith(f"; waitpoint boss (operator: left) is closed and takes {what_to_do}")
    assert expired.endswith(f"; waitpoints editor (expired), boss (operator: left) are closed and take {what_to_do}")
    assert look(engine, lease.execution_id).public_state == "suspended"


def test_explain_names_signals_that_were_never_read(engine: BlockingEngine, clock: ManualClock) -> None:
    read, unread = waiting(engine), waiting(engine)
    engine.signal(read.execution_id, "editor")
    for key in ("editor", "edtior", "edtior"):
        engine.signal(unread.execution_id, key)
    for paused in (read, unread):
        engine.complete(resumed(engine, paused.execution_id).lease)

    assert engine.explain(read.execution_id) == "It completed."
    assert engine.explain(unread.execution_id) == "It completed. 2 signals to edtior were never read."


def test_a_waitpoint_counts_only_its_own_kept_signals(engine: BlockingEngine, clock: ManualClock) -> None:
    paused = waiting(engine)
    answers = [engine.signal(paused.execution_id, "editor", b"%d" % number) for number in range(3)]

    assert [answer.effect for answer in answers if isinstance(answer, Signalled)] == [
        "resumed",
        "buffered",
        "buffered",
    ]
    assert waitpoint(engine, paused.execution_id, "editor").waiting_signals == 2
    assert story(engine, paused.execution_id).count("signal.delivered") == 3
