"""Reading: describe, results, attempts, lists with cursors and filters, explain, and waiting for an end."""

from typing import TYPE_CHECKING, Any, cast, get_args

import pytest

from flowfabric import (
    AnyOf,
    BlockingEngine,
    Cancelled,
    ExecutionPolicy,
    ExecutionSnapshot,
    Failure,
    InvalidInput,
    ManualClock,
    NewExecution,
    NotAMember,
    NotFound,
    PublicState,
    Revoked,
)
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    ENDED,
    LIVE,
    RETRIED,
    UNKNOWN,
    Started,
    an_execution,
    claim,
    create,
    everything,
    listed,
    look,
    refused,
    start,
    unchanged,
)

if TYPE_CHECKING:
    from collections.abc import Callable

UUIDS = [f"00000000-0000-7000-8000-{number:012d}" for number in range(10)]
ODD_TEXT = "quote ' \" back\\slash, new\nline, \x01\x1f\x7f, ünïcode, \u2028, \uffff, \U0001f600, %s {} $1 ?"


def ids(executions: list[ExecutionSnapshot]) -> list[str]:
    """The ids of what a list showed."""
    return [x.execution_id for x in executions]


# ── one execution ────────────────────────────────────────────────────────────────────────────────


def test_the_unknown_is_described_as_none(engine: BlockingEngine, clock: ManualClock) -> None:
    assert engine.describe_execution(UNKNOWN) is None


def test_the_same_uuid_on_another_partition_is_unknown(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, execution_id=f"{{fp:1}}:{UUIDS[0]}")

    assert engine.describe_execution(f"{{fp:2}}:{UUIDS[0]}") is None


def test_a_uuid_finds_what_has_it_on_every_partition(engine: BlockingEngine, clock: ManualClock) -> None:
    twice = [create(engine, execution_id=f"{{fp:{number}}}:{UUIDS[0]}") for number in (0, 255)]
    once = create(engine, lane="mail")

    assert ids(engine.find_executions(UUIDS[0])) == twice
    assert engine.find_executions(once[-36:].upper()) == [look(engine, once)]
    assert engine.find_executions(UUIDS[1]) == []


def test_a_uuid_alone_names_its_execution_wherever_an_id_is_taken(engine: BlockingEngine, clock: ManualClock) -> None:
    job = create(engine, lane="mail")
    uuid = job[-36:]

    engine.hold(uuid)
    assert look(engine, job).blocking_reason == "paused_by_operator"
    engine.unhold(uuid.upper())
    assert engine.change_priority(uuid, 7).execution_id == job
    engine.set_tag(uuid, "team.name", "mail")
    lease = claim(engine, lanes=["mail"]).lease
    assert engine.revoke_lease(uuid) == Revoked(lease.lease_id, 2)
    assert engine.cancel_execution(uuid.replace("-", ""), reason="test") == Cancelled(job, "cancelled")
    assert engine.describe_execution(uuid) == look(engine, job)
    assert engine.explain(uuid) == engine.explain(job)
    assert engine.wait_for_result(uuid, timeout_ms=0).execution_id == job
    assert engine.get_result(uuid) is None
    assert [attempt.outcome for attempt in engine.list_attempts(uuid)] == ["interrupted"]
    assert engine.list_steps(uuid) == []
    assert engine.attempt_deadline_ms(uuid) is None
    events = engine.read_events(execution_id=uuid).events
    assert [event.event_type for event in events][-2:] == ["revoked", "cancelled"]
    assert next(iter(engine.subscribe(execution_id=uuid))) == events[0]
    assert engine.replay_execution(uuid).execution_id == job


def test_a_uuid_alone_that_names_nothing_or_several_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    mine = create(engine, namespace="tenant-a")
    twice = [create(engine, execution_id=f"{{fp:{number}}}:{UUIDS[0]}") for number in (3, 4)]
    elsewhere = engine.scoped("tenant-b")

    assert engine.describe_execution(UUIDS[1]) is None
    assert elsewhere.describe_execution(mine[-36:]) is None
    with refused(engine, NotFound):
        engine.cancel_execution(UUIDS[1], reason="test")
    with refused(engine, NotFound):
        elsewhere.cancel_execution(mine[-36:], reason="test")
    with refused(engine, NotFound):
        engine.read_events(execution_id=UUIDS[1])
    with refused(engine, InvalidInput) as caught:
        engine.hold(UUIDS[0])
    assert all(each in str(caught.value) for each in twice)


def test_members_of_a_flow_may_be_named_by_their_uuids(engine: BlockingEngine, clock: ManualClock) -> None:
    flow_id = engine.create_flow("pair").flow_id
    a = engine.add_execution(flow_id, "a").execution_id
    b = engine.add_execution(flow_id, "b", after=[a[-36:]]).execution_id
    c = engine.add_execution(flow_id, "c").execution_id
    engine.set_edge_group_policy(flow_id, c[-36:], AnyOf())
    engine.add_dependency(flow_id, b[-36:], c[-36:])

    assert [edge.downstream for edge in engine.list_edges(flow_id, upstream=a[-36:])] == [b]
    assert [edge.upstream for edge in engine.list_edges(flow_id, downstream=c[-36:])] == [b]
    with refused(engine, NotAMember):
        engine.add_dependency(flow_id, UUIDS[0], c)


@pytest.mark.parametrize("read", ["result", "payload", "attempts", "explain", "wait"])
def test_every_other_read_of_the_unknown_is_not_found(engine: BlockingEngine, clock: ManualClock, read: str) -> None:
    reads: dict[str, Callable[[], object]] = {
        "result": lambda: engine.get_result(UNKNOWN),
        "payload": lambda: engine.get_payload(UNKNOWN),
        "attempts": lambda: engine.list_attempts(UNKNOWN),
        "explain": lambda: engine.explain(UNKNOWN),
        "wait": lambda: engine.wait_for_result(UNKNOWN, timeout_ms=0),
    }

    with refused(engine, NotFound) as caught:
        reads[read]()

    assert caught.value.entity == "execution"


@pytest.mark.parametrize("state", [*LIVE, *ENDED])
def test_reading_changes_nothing(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    with unchanged(engine):
        engine.describe_execution(execution_id)
        engine.get_result(execution_id)
        engine.list_attempts(execution_id)
        engine.explain(execution_id)
        engine.list_executions()
        engine.read_events()


@rule_cases("state", [state for state in (*LIVE, *ENDED) if state != "completed"], sample=3)
def test_there_is_no_result_before_an_execution_has_completed(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    assert engine.get_result(execution_id) is None


@pytest.mark.parametrize("payload", [b"", bytes(range(256)) * 4_096], ids=["empty", "full-size"])
def test_a_payload_can_be_read_to_the_byte_whatever_has_happened(
    engine: BlockingEngine, clock: ManualClock, payload: bytes
) -> None:
    execution_id = create(engine, payload=payload)
    before = engine.get_payload(execution_id)

    engine.complete(claim(engine).lease, b"result")

    assert (before, engine.get_payload(execution_id)) == (payload, payload)


def test_a_result_is_gone_after_a_replay(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("completed", engine, clock)
    before = engine.get_result(execution_id)

    engine.replay_execution(execution_id)

    assert (before, engine.get_result(execution_id)) == (b"done", None)


def test_attempts_are_listed_first_to_last_with_how_they_ended(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, policy=RETRIED)
    engine.release(claim(engine, worker="a").lease)
    claim(engine, worker="b")
    engine.revoke_lease(execution_id)
    engine.fail(claim(engine, worker="c").lease, code="boom", retry_after_ms=0)
    engine.complete(claim(engine, worker="d").lease)

    attempts = engine.list_attempts(execution_id)

    assert [(a.attempt_index, a.lease_epoch, a.outcome) for a in attempts] == [
        (0, 1, "released"),
        (1, 2, "interrupted"),
        (2, 4, "retry"),
        (3, 5, "success"),
    ]
    assert {a.worker_id for a in attempts} == {"worker"}
    assert {(a.worker_instance_id, a.lease_expires_at_ms) for a in attempts} == {(None, None)}


def test_text_comes_back_as_it_was_sent(engine: BlockingEngine, clock: ManualClock) -> None:
    printable = ODD_TEXT.translate(dict.fromkeys((*range(32), 127)))
    execution_id = create(
        engine,
        printable,
        namespace=printable,
        lane="~ lane !",
        idempotency_key=printable,
        tags={"text.odd": ODD_TEXT, "text.empty": ""},
        required_capabilities=["é!\"'\\{}"],
        policy=RETRIED,
    )
    claimed = engine.claim(
        worker_id=printable,
        worker_instance_id=printable,
        lanes=["~ lane !"],
        namespace=printable,
        capabilities=["é!\"'\\{}"],
    )[0]
    engine.progress(claimed.lease, message=ODD_TEXT)
    running = engine.list_attempts(execution_id)[0]
    engine.fail(claimed.lease, code=printable, message=ODD_TEXT)
    engine.cancel_execution(execution_id, reason=ODD_TEXT, source=printable)

    x = look(engine, execution_id)
    assert (x.kind, x.namespace, x.lane) == (printable, printable, "~ lane !")
    assert x.tags == {"text.odd": ODD_TEXT, "text.empty": ""}
    assert list(x.required_capabilities) == ["é!\"'\\{}"]
    assert (x.progress_message, x.failure) == (ODD_TEXT, Failure(printable, ODD_TEXT))
    assert (x.cancellation_reason, x.cancelled_by) == (ODD_TEXT, printable)
    assert (running.worker_id, running.worker_instance_id) == (printable, printable)
    events = engine.read_events(namespace=printable).events
    assert events[0].details["worker_instance_id"] == printable
    assert events[-1].details == {"reason": ODD_TEXT, "source": printable}
    assert ids(listed(engine, tag=("text.odd", ODD_TEXT))) == [execution_id]
    assert engine.create_execution(printable, namespace=printable, idempotency_key=printable).execution_id == (
        execution_id
    )


def test_names_that_differ_in_case_or_in_form_are_different(engine: BlockingEngine, clock: ManualClock) -> None:
    composed, decomposed = "\u00e9", "e\u0301"
    for name in ("Name", "name", "name ", composed, decomposed):
        create(engine, name, namespace=name, idempotency_key="k")

    assert [len(listed(engine, kind=name)) for name in ("Name", "name", "name ", composed, decomposed)] == [1] * 5
    assert [len(listed(engine, namespace=name)) for name in ("Name", "name", "name ", composed, decomposed)] == [1] * 5


def test_what_a_caller_does_to_an_answer_changes_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, tags={"team.name": "billing"}, required_capabilities=["gpu"])
    claimed = claim(engine, capabilities=["gpu"])
    before = everything(engine)

    cast("dict[str, Any]", claimed.tags)["team.name"] = "changed"
    x = look(engine, execution_id)
    cast("dict[str, Any]", x.tags)["team.name"] = "changed"
    cast("list[str]", x.required_capabilities).append("changed")
    (event,) = engine.read_events().events
    cast("dict[str, Any]", event.details)["worker_instance_id"] = "changed"
    engine.list_attempts(execution_id).clear()

    # `before` was read through the same calls, so it is compared with what was sent as well.
    after = everything(engine)
    assert after.executions == before.executions
    assert after.executions[0].tags == {"team.name": "billing"}
    assert after.events[0].details["worker_instance_id"] == "w1"


# ── lists ────────────────────────────────────────────────────────────────────────────────────────


def test_an_empty_store_lists_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    page = engine.list_executions()

    assert (page.items, page.next_cursor) == ([], None)


def test_a_list_shows_the_newest_first(engine: BlockingEngine, clock: ManualClock) -> None:
    made = []
    for uuid in (UUIDS[1], UUIDS[0], UUIDS[2]):
        made.append(create(engine, execution_id=f"{{fp:86}}:{uuid}"))
        clock.advance(1)

    assert ids(listed(engine)) == made[::-1]


def test_of_the_same_instant_the_higher_uuid_is_newer(engine: BlockingEngine, clock: ManualClock) -> None:
    for partition, uuid in ((9, UUIDS[1]), (200, UUIDS[0]), (30, UUIDS[2])):
        create(engine, execution_id=f"{{fp:{partition}}}:{uuid}")

    assert [x.execution_id[-36:] for x in listed(engine)] == [UUIDS[2], UUIDS[1], UUIDS[0]]


def test_a_listed_execution_is_the_described_one(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("active", engine, clock)

    assert listed(engine) == [look(engine, execution_id)]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 1000])
def test_pages_show_everything_once_whatever_their_size(engine: BlockingEngine, clock: ManualClock, limit: int) -> None:
    made = [answer.execution_id for answer in engine.create_executions([NewExecution(kind="job")] * 7)]
    shown: list[str] = []
    cursor, pages = None, 0
    while True:
        page = engine.list_executions(cursor=cursor, limit=limit)
        assert len(page.items) <= limit
        shown += ids(cast("list[ExecutionSnapshot]", page.items))
        cursor, pages = page.next_cursor, pages + 1
        if cursor is None:
            break

    assert shown == sorted(made, reverse=True)
    assert pages == -(-7 // limit)


def test_what_is_created_meanwhile_does_not_disturb_the_pages(engine: BlockingEngine, clock: ManualClock) -> None:
    made = [create(engine) for _ in range(4)]
    first = engine.list_executions(limit=2)
    clock.advance(1)
    create(engine)

    second = engine.list_executions(limit=2, cursor=first.next_cursor)

    shown = cast("list[ExecutionSnapshot]", [*first.items, *second.items])
    assert ids(shown) == made[::-1]
    assert second.next_cursor is None


def test_what_is_purged_meanwhile_does_not_disturb_the_pages(engine: BlockingEngine, clock: ManualClock) -> None:
    made = [create(engine, policy=ExecutionPolicy(retention_ms=0)) for _ in range(4)]
    first = engine.list_executions(limit=2)
    engine.cancel_execution(made[2], reason="the last one shown")
    engine.reconcile()

    second = engine.list_executions(limit=2, cursor=first.next_cursor)

    assert ids(cast("list[ExecutionSnapshot]", second.items)) == [made[1], made[0]]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "abcdef"),
        ({"namespace": "tenant-a"}, "bf"),
        ({"namespace": "default"}, "acde"),
        ({"namespace": "nobody"}, ""),
        ({"lane": "gpu"}, "cf"),
        ({"lane": "default"}, "abde"),
        ({"kind": "mail"}, "df"),
        ({"tag": ("team.name", "billing")}, "ef"),
        ({"tag": ("team.name", "sales")}, "a"),
        ({"tag": ("team.name", "bill")}, ""),
        ({"tag": ("team.size", "billing")}, ""),
        ({"flow_id": "550e8400-e29b-41d4-a716-446655440000"}, ""),
        ({"public_state": "waiting"}, "abcdef"),
        ({"public_state": "completed"}, ""),
        ({"namespace": "tenant-a", "lane": "gpu", "kind": "mail", "tag": ("team.name", "billing")}, "f"),
        ({"namespace": "default", "tag": ("team.name", "billing"), "public_state": "waiting"}, "e"),
        ({"namespace": "tenant-a", "kind": "job"}, "b"),
        ({"lane": "gpu", "kind": "job"}, "c"),
    ],
)
def test_a_list_shows_and_a_count_counts_what_passes_every_filter(
    engine: BlockingEngine, clock: ManualClock, filters: dict[str, Any], expected: str
) -> None:
    made = {
        "a": create(engine, tags={"team.name": "sales"}),
        "b": create(engine, namespace="tenant-a"),
        "c": create(engine, lane="gpu"),
        "d": create(engine, "mail"),
        "e": create(engine, tags={"team.name": "billing", "team.size": "3"}),
        "f": create(engine, "mail", namespace="tenant-a", lane="gpu", tags={"team.name": "billing"}),
    }

    shown = ids(listed(engine, **filters))
    counted = engine.count_executions(**filters)

    assert shown == [made[letter] for letter in reversed(expected)]
    assert counted == len(expected)


@pytest.mark.parametrize("filters", [{}, {"kind": "job"}, {"tag": ("t.t", "x")}, {"flow_id": "its flow"}])
def test_created_before_leaves_out_what_is_newer(
    engine: BlockingEngine, clock: ManualClock, filters: dict[str, Any]
) -> None:
    flow_id = engine.create_flow("pipeline").flow_id
    filters = {name: flow_id if value == "its flow" else value for name, value in filters.items()}
    made = []
    for _ in range(4):
        made.append(engine.add_execution(flow_id, "job", tags={"t.t": "x"}).execution_id)
        clock.advance(10)
    third = look(engine, made[2]).created_at_ms

    shown = {before: ids(listed(engine, created_before_ms=before, **filters)) for before in (0, third, third + 1)}
    counted = {before: engine.count_executions(created_before_ms=before, **filters) for before in shown}

    assert shown == {0: [], third: made[1::-1], third + 1: made[2::-1]}
    assert counted == {0: 0, third: 2, third + 1: 3}


def test_pages_of_what_is_older_show_everything_once(engine: BlockingEngine, clock: ManualClock) -> None:
    made = [create(engine) for _ in range(5)]
    clock.advance(1)
    create(engine)
    older: dict[str, Any] = {"created_before_ms": clock.now_ms, "limit": 2}
    first = engine.list_executions(**older)

    second = engine.list_executions(cursor=first.next_cursor, **older)
    third = engine.list_executions(cursor=second.next_cursor, **older)

    shown = cast("list[ExecutionSnapshot]", [*first.items, *second.items, *third.items])
    assert ids(shown) == made[::-1]
    assert third.next_cursor is None


def test_a_page_after_the_newest_still_leaves_out_what_is_too_new(engine: BlockingEngine, clock: ManualClock) -> None:
    old = create(engine)
    for _ in range(2):
        clock.advance(1)
        create(engine)
    newest = engine.list_executions(limit=1)

    page = engine.list_executions(cursor=newest.next_cursor, created_before_ms=clock.now_ms - 1)

    assert ids(cast("list[ExecutionSnapshot]", page.items)) == [old]


@pytest.mark.parametrize("state", [*LIVE, *ENDED])
def test_a_count_by_public_state_counts_exactly_what_is_described_so(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    public_state = look(engine, an_execution(state, engine, clock)).public_state

    counted = {other: engine.count_executions(public_state=other, lane="default") for other in get_args(PublicState)}

    assert {other for other, count in counted.items() if count} == {public_state}
    assert counted[public_state] == 1


@pytest.mark.parametrize("state", [*LIVE, *ENDED])
def test_a_list_by_public_state_shows_exactly_what_is_described_so(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)
    public_state = look(engine, execution_id).public_state

    shown = {other: ids(listed(engine, public_state=other, lane="default")) for other in get_args(PublicState)}

    assert {other for other, found in shown.items() if found} == {public_state}
    assert shown[public_state] == [execution_id]


def test_pages_of_a_filtered_list_skip_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    made = [create(engine, "even" if number % 2 == 0 else "odd", tags={"t.t": "x"}) for number in range(8)]
    for filters in ({"kind": "odd"}, {"kind": "odd", "tag": ("t.t", "x")}):
        shown: list[str] = []
        cursor = None
        while True:
            page = engine.list_executions(cursor=cursor, limit=1, **filters)
            shown += ids(cast("list[ExecutionSnapshot]", page.items))
            cursor = page.next_cursor
            if cursor is None:
                break

        assert shown == made[1::2][::-1]


def test_a_list_by_tag_follows_every_change_of_the_tag(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, tags={"team.name": "billing"})
    engine.set_tag(execution_id, "team.name", "sales")
    engine.set_tag(execution_id, "team.size", "3")
    claim(engine)

    assert ids(listed(engine, tag=("team.name", "billing"))) == []
    assert ids(listed(engine, tag=("team.name", "sales"))) == [execution_id]
    assert ids(listed(engine, tag=("team.size", "3"))) == [execution_id]


# ── explain ──────────────────────────────────────────────────────────────────────────────────────


def test_explain_names_the_lane_and_the_namespace_that_nobody_serves(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    execution_id = create(engine, lane="images", namespace="tenant-a")

    sentence = engine.explain(execution_id)

    assert "'images'" in sentence
    assert "'tenant-a'" in sentence


def test_explain_names_the_missing_capabilities(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, required_capabilities=["gpu", "arm"])

    sentence = engine.explain(execution_id)

    assert "gpu" in sentence
    assert "arm" in sentence


def test_explain_says_how_long_a_delay_lasts(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, delay_until_ms=clock.now_ms + 1_234)

    assert engine.explain(execution_id) == "It is delayed for another 1.2 s, then it goes to the queue."


def test_explain_says_what_failed_and_when_it_is_tried_again(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = an_execution("retrying", engine, clock)

    sentence = engine.explain(execution_id)

    assert "boom" in sentence
    assert "retried in 1 s" in sentence


def test_explain_says_that_a_sweep_is_due(engine: BlockingEngine, clock: ManualClock) -> None:
    delayed = create(engine, delay_until_ms=clock.now_ms + 1)
    lease = start(engine)
    clock.advance(30_000)

    assert "sweep" in engine.explain(delayed)
    assert "sweep" in engine.explain(lease.execution_id)


def test_explain_names_the_worker_that_runs_it(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine)
    execution_id = claim(engine, worker="worker-7").execution_id

    assert "'worker-7'" in engine.explain(execution_id)


@rule_cases(
    ("state", "word"),
    [
        ("held", "held"),
        ("completed", "completed"),
        ("failed", "boom: it broke"),
        ("cancelled", "no longer wanted"),
        ("expired", "deadline"),
    ],
)
def test_explain_says_who_holds_it_or_how_it_ended(
    engine: BlockingEngine, clock: ManualClock, state: str, word: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    assert word in engine.explain(execution_id)


# ── waiting ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("state", ENDED)
def test_waiting_for_what_has_ended_returns_it_at_once(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    assert engine.wait_for_result(execution_id, timeout_ms=0) == look(engine, execution_id)


@rule_cases("state", LIVE)
def test_waiting_gives_up_when_its_time_is_over(engine: BlockingEngine, clock: ManualClock, state: str) -> None:
    execution_id = an_execution(state, engine, clock)

    with pytest.raises(TimeoutError):
        engine.wait_for_result(execution_id, timeout_ms=0)


def test_a_waiting_caller_is_told_of_the_end(engine: BlockingEngine, clock: ManualClock) -> None:
    lease = start(engine)

    waiting = Started(lambda: engine.wait_for_result(lease.execution_id))

    engine.complete(lease, b"done")

    ended = waiting.answer()
    assert ended == look(engine, lease.execution_id)
    assert ended.public_state == "completed"


# ── the store itself ─────────────────────────────────────────────────────────────────────────────


def test_the_stores_time_is_the_clocks(engine: BlockingEngine, clock: ManualClock) -> None:
    clock.advance(1_234)

    assert engine.server_time_ms() == clock.now_ms


def test_a_healthy_store_answers_a_ping(engine: BlockingEngine, clock: ManualClock) -> None:
    engine.ping()
