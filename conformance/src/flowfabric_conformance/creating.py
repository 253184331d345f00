"""Creating: what a new execution is, and that it is made once."""

import pytest

from flowfabric import (
    BlockingEngine,
    Conflict,
    Created,
    Duplicate,
    ExecutionPolicy,
    FlowGraph,
    InvalidInput,
    ManualClock,
    NewExecution,
)
from flowfabric.domain.execution import OnEnded
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import (
    an_execution,
    claim,
    create,
    events_of,
    listed,
    log,
    look,
    refused,
    unchanged,
    vector,
)

DAY_MS = 86_400_000
UUID = "550e8400-e29b-41d4-a716-446655440000"


def test_a_new_execution_waits_for_a_worker(engine: BlockingEngine, clock: ManualClock) -> None:
    answer = engine.create_execution("resize", b"payload")

    assert answer == Created(answer.execution_id, "waiting")
    assert vector(engine, answer.execution_id) == ("runnable/unowned/eligible_now/pending_first_attempt/none/waiting")


def test_a_new_execution_is_described_with_everything_it_was_given(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(
        engine,
        "resize",
        b"payload",
        lane="images",
        namespace="tenant-a",
        priority=7,
        deadline_at_ms=clock.now_ms + 5_000,
        required_capabilities=["gpu", "arm"],
        tags={"team.name": "billing"},
    )

    x = look(engine, execution_id)

    assert (x.kind, x.lane, x.namespace, x.flow_id) == ("resize", "images", "tenant-a", None)
    assert (x.priority, x.attempt_index, x.lease_epoch) == (7, 0, 0)
    assert (x.retry_count, x.interruption_count, x.replay_count) == (0, 0, 0)
    assert (x.created_at_ms, x.started_at_ms, x.terminal_at_ms) == (clock.now_ms, None, None)
    assert (x.delay_until_ms, x.deadline_at_ms) == (None, clock.now_ms + 5_000)
    assert (x.cancellation_reason, x.cancelled_by, x.failure) == (None, None, None)
    assert (x.progress_percent, x.progress_message) == (None, None)
    assert x.blocking_reason == "waiting_for_worker"
    assert sorted(x.required_capabilities) == ["arm", "gpu"]
    assert x.tags == {"team.name": "billing"}


def test_creating_writes_no_event_and_no_attempt(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)

    assert log(engine) == []
    assert engine.list_attempts(execution_id) == []


def test_an_execution_with_a_delay_waits_for_its_time(engine: BlockingEngine, clock: ManualClock) -> None:
    until_ms = clock.now_ms + 1

    answer = engine.create_execution("job", delay_until_ms=until_ms)

    assert answer == Created(answer.execution_id, "delayed")
    assert vector(engine, answer.execution_id) == (
        "runnable/unowned/not_eligible_until_time/pending_first_attempt/none/delayed"
    )
    assert look(engine, answer.execution_id).blocking_reason == "waiting_for_delay"
    assert look(engine, answer.execution_id).delay_until_ms == until_ms


@pytest.mark.parametrize("ms_ago", [0, 1, 1_000_000])
def test_a_delay_that_is_over_already_means_now(engine: BlockingEngine, clock: ManualClock, ms_ago: int) -> None:
    answer = engine.create_execution("job", delay_until_ms=clock.now_ms - ms_ago)

    assert answer == Created(answer.execution_id, "waiting")
    assert look(engine, answer.execution_id).delay_until_ms is None
    assert claim(engine).execution_id == answer.execution_id


@rule_cases(("asked", "given"), [(-1, 0), (-(2**80), 0), (0, 0), (9000, 9000), (9001, 9000), (2**80, 9000)])
def test_priorities_are_brought_into_their_range(
    engine: BlockingEngine, clock: ManualClock, asked: int, given: int
) -> None:
    execution_id = create(engine, priority=asked)

    assert look(engine, execution_id).priority == given


def test_capabilities_named_twice_count_once(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, required_capabilities=["gpu", "arm", "gpu"])

    assert sorted(look(engine, execution_id).required_capabilities) == ["arm", "gpu"]


# ── ids ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("lane", "partition"), [("default", 86), ("gpu", 144), ("urgent", 202), ("workers-a", 193)])
def test_solo_executions_of_a_lane_share_its_partition(
    engine: BlockingEngine, clock: ManualClock, lane: str, partition: int
) -> None:
    execution_id = create(engine, lane=lane)

    assert execution_id.startswith(f"{{fp:{partition}}}:")


def test_minted_ids_are_version_7_and_ascend(engine: BlockingEngine, clock: ManualClock) -> None:
    ids = [create(engine) for _ in range(50)]

    assert {execution_id[-36:][14] for execution_id in ids} == {"7"}
    assert ids == sorted(ids)
    assert len(set(ids)) == 50


@pytest.mark.parametrize("partition", [0, 9, 86, 255])
def test_a_given_id_is_kept_whatever_its_partition(engine: BlockingEngine, clock: ManualClock, partition: int) -> None:
    execution_id = f"{{fp:{partition}}}:{UUID}"

    answer = engine.create_execution("job", lane="gpu", execution_id=execution_id)

    assert answer == Created(execution_id, "waiting")
    assert claim(engine, lanes=["gpu"]).execution_id == execution_id


@rule_cases(
    "spelling",
    [
        f"{{fp:86}}:{UUID.upper()}",
        f"{{fp:86}}:{UUID.replace('-', '')}",
        f"{{fp:86}}:{{{UUID}}}",
        f"{{fp:86}}:urn:uuid:{UUID}",
        f"{{fp:086}}:{UUID}",
    ],
)
def test_an_id_is_accepted_in_any_spelling_and_kept_in_one(
    engine: BlockingEngine, clock: ManualClock, spelling: str
) -> None:
    canonical = f"{{fp:86}}:{UUID}"

    answer = engine.create_execution("job", execution_id=spelling)

    assert answer == Created(canonical, "waiting")
    assert engine.create_execution("job", execution_id=canonical) == Duplicate(canonical)
    assert look(engine, spelling).execution_id == canonical


def test_one_uuid_on_two_partitions_is_two_executions(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, "one", execution_id=f"{{fp:1}}:{UUID}")
    second = create(engine, "two", execution_id=f"{{fp:2}}:{UUID}")

    assert (look(engine, first).kind, look(engine, second).kind) == ("one", "two")


@pytest.mark.parametrize("state", ["waiting", "delayed", "active", "completed", "cancelled", "failed"])
def test_an_id_that_exists_with_the_same_work_is_a_duplicate(
    engine: BlockingEngine, clock: ManualClock, state: str
) -> None:
    execution_id = an_execution(state, engine, clock)

    with unchanged(engine):
        answer = engine.create_execution("job", b"", execution_id=execution_id, priority=99, lane="gpu")

    assert answer == Duplicate(execution_id)


@pytest.mark.parametrize(("kind", "payload"), [("other", b"p"), ("job", b"q"), ("job", b"")])
def test_an_id_that_exists_with_other_work_is_a_conflict(
    engine: BlockingEngine, clock: ManualClock, kind: str, payload: bytes
) -> None:
    execution_id = create(engine, "job", b"p")

    with refused(engine, Conflict):
        engine.create_execution(kind, payload, execution_id=execution_id)


def test_an_id_that_exists_in_another_namespace_is_a_conflict(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine, namespace="tenant-a")

    with refused(engine, Conflict):
        engine.create_execution("job", namespace="tenant-b", execution_id=execution_id)


# ── idempotency keys ─────────────────────────────────────────────────────────────────────────────


def test_the_same_key_means_the_same_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, "job", b"p", idempotency_key="order-7")

    with unchanged(engine):
        answer = engine.create_execution("job", b"p", idempotency_key="order-7")

    assert answer == Duplicate(first)


def test_a_key_means_the_same_execution_in_every_lane_and_partition(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, idempotency_key="order-7", lane="default")

    answers = [
        engine.create_execution("job", idempotency_key="order-7", lane=lane) for lane in ("gpu", "urgent", "main")
    ]

    assert answers == [Duplicate(first)] * 3
    assert engine.create_execution("job", idempotency_key="order-7", execution_id=f"{{fp:3}}:{UUID}") == (
        Duplicate(first)
    )
    assert len(listed(engine)) == 1


def test_a_key_outlives_the_end_of_its_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, idempotency_key="order-7")
    engine.complete(claim(engine).lease)

    assert engine.create_execution("job", idempotency_key="order-7") == Duplicate(first)


@pytest.mark.parametrize(("kind", "payload"), [("other", b"p"), ("job", b"q"), ("job", b"")])
def test_a_key_with_other_work_is_a_conflict(
    engine: BlockingEngine, clock: ManualClock, kind: str, payload: bytes
) -> None:
    create(engine, "job", b"p", idempotency_key="order-7")

    with refused(engine, Conflict):
        engine.create_execution(kind, payload, idempotency_key="order-7")


def test_kind_and_payload_are_compared_apart(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, "job", b"s", idempotency_key="order-7")

    with refused(engine, Conflict):
        engine.create_execution("jobs", b"", idempotency_key="order-7")


def test_a_key_is_its_namespaces_own(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, "job", namespace="tenant-a", idempotency_key="order-7")
    second = create(engine, "other", namespace="tenant-b", idempotency_key="order-7")

    assert first != second
    assert engine.create_execution("job", namespace="tenant-a", idempotency_key="order-7") == Duplicate(first)


def test_namespace_and_key_are_compared_apart(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, "one", namespace="a", idempotency_key="b:c")

    answer = engine.create_execution("two", namespace="a:b", idempotency_key="c")

    assert isinstance(answer, Created)


def test_a_key_holds_until_the_instant_its_time_is_over(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, idempotency_key="order-7", idempotency_ttl_ms=1_000)

    clock.advance(999)
    before = engine.create_execution("job", idempotency_key="order-7", idempotency_ttl_ms=1_000)
    clock.advance(1)
    after = engine.create_execution("job", idempotency_key="order-7", idempotency_ttl_ms=1_000)

    assert before == Duplicate(first)
    assert isinstance(after, Created)
    assert engine.create_execution("job", idempotency_key="order-7") == Duplicate(after.execution_id)


def test_a_key_holds_for_a_day_unless_told_otherwise(engine: BlockingEngine, clock: ManualClock) -> None:
    first = create(engine, idempotency_key="order-7")

    clock.advance(DAY_MS - 1)
    before = engine.create_execution("job", idempotency_key="order-7")
    clock.advance(1)
    after = engine.create_execution("job", idempotency_key="order-7")

    assert before == Duplicate(first)
    assert isinstance(after, Created)


def test_a_duplicate_does_not_lengthen_the_time_of_a_key(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, idempotency_key="order-7", idempotency_ttl_ms=1_000)
    clock.advance(900)
    engine.create_execution("job", idempotency_key="order-7", idempotency_ttl_ms=1_000)

    clock.advance(100)

    assert isinstance(engine.create_execution("job", idempotency_key="order-7"), Created)


def test_a_key_whose_time_is_over_takes_other_work(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, "job", b"p", idempotency_key="order-7", idempotency_ttl_ms=1)
    clock.advance(1)

    answer = engine.create_execution("other", b"q", idempotency_key="order-7")

    assert isinstance(answer, Created)


def _ended_with_keys(engine: BlockingEngine, clock: ManualClock) -> dict[str, str]:
    """One execution for each way to end; the key of each is its state."""
    jobs = {
        state: create(engine, "job", b"first", idempotency_key=state, lane=state)
        for state in ("completed", "failed", "cancelled")
    }
    jobs["expired"] = create(engine, "job", b"first", idempotency_key="expired", deadline_at_ms=clock.now_ms + 1)
    flow = FlowGraph("pair")
    flow.edge(flow.node("a", "job"), flow.node("b", "job", b"first", idempotency_key="skipped"))
    members = engine.submit_flow(flow).execution_ids
    engine.complete(claim(engine, lanes=["completed"]).lease)
    engine.fail(claim(engine, lanes=["failed"]).lease, code="boom", message="", retryable=False)
    engine.cancel_execution(jobs["cancelled"], reason="test")
    engine.cancel_execution(members["a"], reason="test")
    clock.advance(1)
    engine.reconcile()
    return {**jobs, "skipped": members["b"]}


@pytest.mark.parametrize(
    ("on_ended", "renewed"),
    [
        ("return", set()),
        ("renew_failed", {"failed", "cancelled", "expired", "skipped"}),
        ("renew", {"completed", "failed", "cancelled", "expired", "skipped"}),
    ],
)
def test_what_has_ended_gives_its_key_away_if_the_submit_says_so(
    engine: BlockingEngine, clock: ManualClock, on_ended: OnEnded, renewed: set[str]
) -> None:
    old = _ended_with_keys(engine, clock)
    assert {state: look(engine, key).public_state for state, key in old.items()} == {state: state for state in old}

    with_other_payload = {}
    for state in old:
        try:
            answer = engine.create_execution("job", b"second", idempotency_key=state, idempotency_on_ended=on_ended)
            with_other_payload[state] = answer.execution_id
        except Conflict:
            continue

    assert set(with_other_payload) == renewed
    assert not set(with_other_payload.values()) & set(old.values())
    for state, key in old.items():
        holder, payload = (with_other_payload[state], b"second") if state in renewed else (key, b"first")
        again = engine.create_execution("job", payload, idempotency_key=state, idempotency_on_ended=on_ended)
        assert again == Duplicate(holder), "the new one lives, and what keeps its key is returned as ever"


def test_a_live_execution_keeps_its_key_whatever_the_submit_says(engine: BlockingEngine, clock: ManualClock) -> None:
    job = create(engine, "job", b"p", idempotency_key="order-7")
    lease = claim(engine).lease

    assert engine.create_execution("job", b"p", idempotency_key="order-7", idempotency_on_ended="renew") == (
        Duplicate(job)
    )
    with refused(engine, Conflict):
        engine.create_execution("job", b"q", idempotency_key="order-7", idempotency_on_ended="renew")

    engine.cancel_execution(job, reason="test")
    engine.replay_execution(job)
    with refused(engine, Conflict):
        engine.create_execution("job", b"q", idempotency_key="order-7", idempotency_on_ended="renew")
    assert lease.execution_id == job


def test_a_key_that_was_given_away_stays_with_its_new_execution(engine: BlockingEngine, clock: ManualClock) -> None:
    old = create(engine, idempotency_key="order-7", policy=ExecutionPolicy(retention_ms=1_000))
    engine.cancel_execution(old, reason="test")
    new = create(
        engine, idempotency_key="order-7", idempotency_on_ended="renew_failed", idempotency_ttl_ms=5_000, lane="other"
    )

    engine.replay_execution(old)
    assert engine.create_execution("job", idempotency_key="order-7") == Duplicate(new), "a replay asks for no key"
    engine.cancel_execution(old, reason="test")
    clock.advance(1_000)
    engine.reconcile()
    assert engine.describe_execution(old) is None
    assert engine.create_execution("job", idempotency_key="order-7") == Duplicate(new)

    clock.advance(4_000)
    assert isinstance(engine.create_execution("job", idempotency_key="order-7"), Created), "its time counts anew"


def test_a_key_is_given_away_once_also_within_one_call_and_to_a_member_of_a_flow(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    old = create(engine, idempotency_key="order-7")
    engine.cancel_execution(old, reason="test")
    items = [NewExecution(kind="job", idempotency_key="order-7", idempotency_on_ended="renew_failed")] * 2
    first, second = engine.create_executions(items)
    assert isinstance(first, Created) and first.execution_id != old
    assert second == Duplicate(first.execution_id)

    engine.cancel_execution(first.execution_id, reason="test")
    flow = FlowGraph("one")
    flow.node("a", "part", idempotency_key="order-7", idempotency_on_ended="renew_failed")
    submitted = engine.submit_flow(flow)
    member = submitted.execution_ids["a"]
    engine.cancel_execution(member, reason="test")
    added = engine.add_execution(
        submitted.flow_id, "other", idempotency_key="order-7", idempotency_on_ended="renew_failed"
    )
    assert isinstance(added, Created) and added.execution_id != member
    assert engine.create_execution("other", idempotency_key="order-7") == Duplicate(added.execution_id)


# ── several at once ──────────────────────────────────────────────────────────────────────────────


def test_a_batch_gets_one_answer_per_item_in_order(engine: BlockingEngine, clock: ManualClock) -> None:
    existing = create(engine, "old", idempotency_key="order-7")

    answers = engine.create_executions(
        [
            NewExecution(kind="a"),
            NewExecution(kind="b", delay_until_ms=clock.now_ms + 1),
            NewExecution(kind="old", idempotency_key="order-7"),
        ]
    )

    kinds = [look(engine, answer.execution_id).kind for answer in answers]
    assert kinds == ["a", "b", "old"]
    assert answers == [
        Created(answers[0].execution_id, "waiting"),
        Created(answers[1].execution_id, "delayed"),
        Duplicate(existing),
    ]


def test_an_item_has_the_fields_of_a_single_creation(engine: BlockingEngine, clock: ManualClock) -> None:
    policy = ExecutionPolicy(max_replays=0)

    (answer,) = engine.create_executions(
        [
            NewExecution(
                kind="resize",
                payload=b"p",
                lane="gpu",
                namespace="tenant-a",
                execution_id=f"{{fp:5}}:{UUID}",
                priority=3,
                delay_until_ms=clock.now_ms + 1,
                deadline_at_ms=clock.now_ms + 2,
                idempotency_key="order-7",
                idempotency_ttl_ms=1_000,
                required_capabilities=["gpu"],
                policy=policy,
                tags={"team.name": "billing"},
            )
        ]
    )

    x = look(engine, answer.execution_id)
    assert answer == Created(f"{{fp:5}}:{UUID}", "delayed")
    assert (x.kind, x.lane, x.namespace, x.priority) == ("resize", "gpu", "tenant-a", 3)
    assert (x.delay_until_ms, x.deadline_at_ms) == (clock.now_ms + 1, clock.now_ms + 2)
    assert (list(x.required_capabilities), x.tags) == (["gpu"], {"team.name": "billing"})


def test_an_empty_batch_creates_nothing(engine: BlockingEngine, clock: ManualClock) -> None:
    assert engine.create_executions([]) == []
    assert listed(engine) == []


def test_items_of_one_batch_see_each_other(engine: BlockingEngine, clock: ManualClock) -> None:
    answers = engine.create_executions(
        [
            NewExecution(kind="job", idempotency_key="order-7"),
            NewExecution(kind="job", idempotency_key="order-7"),
            NewExecution(kind="job", execution_id=f"{{fp:5}}:{UUID}"),
            NewExecution(kind="job", execution_id=f"{{fp:5}}:{UUID.upper()}"),
        ]
    )

    assert [type(answer) for answer in answers] == [Created, Duplicate, Created, Duplicate]
    assert answers[1].execution_id == answers[0].execution_id
    assert answers[3].execution_id == answers[2].execution_id
    assert len(listed(engine)) == 2


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_bad_item_refuses_the_whole_batch_and_is_named(
    engine: BlockingEngine, clock: ManualClock, index: int
) -> None:
    items = [NewExecution(kind="job") for _ in range(3)]
    items[index] = NewExecution(kind="")

    with refused(engine, InvalidInput) as caught:
        engine.create_executions(items)

    assert f"items[{index}]" in str(caught.value)
    assert listed(engine) == []


@pytest.mark.parametrize("index", [0, 1, 2])
def test_a_conflicting_item_refuses_the_whole_batch_and_is_named(
    engine: BlockingEngine, clock: ManualClock, index: int
) -> None:
    create(engine, "old", idempotency_key="order-7")
    items = [NewExecution(kind="job", idempotency_key=f"new-{number}") for number in range(3)]
    items[index] = NewExecution(kind="job", idempotency_key="order-7")

    with refused(engine, Conflict) as caught:
        engine.create_executions(items)

    assert f"items[{index}]" in str(caught.value)


def test_a_refused_batch_leaves_its_keys_free(engine: BlockingEngine, clock: ManualClock) -> None:
    create(engine, "old", idempotency_key="order-7")
    with refused(engine, Conflict):
        engine.create_executions(
            [NewExecution(kind="job", idempotency_key="new"), NewExecution(kind="job", idempotency_key="order-7")]
        )

    assert isinstance(engine.create_execution("other", idempotency_key="new"), Created)


def test_a_batch_of_a_thousand_is_one_step(engine: BlockingEngine, clock: ManualClock) -> None:
    answers = engine.create_executions([NewExecution(kind="job", payload=b"%d" % n) for n in range(1_000)])

    assert len({answer.execution_id for answer in answers}) == 1_000
    assert {x.execution_id for x in listed(engine)} == {answer.execution_id for answer in answers}


# ── payloads ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\0",
        bytes(range(256)),
        b"\xff\xfe\x80 not text",
        b"\x80" * 4_096,
        b"\x00" * 4_097,
        b'{"json": "\\u0000"}',
    ],
    ids=["empty", "nul", "every-byte", "not-utf8", "4096", "4097", "json"],
)
def test_a_payload_reaches_the_worker_to_the_byte(engine: BlockingEngine, clock: ManualClock, payload: bytes) -> None:
    create(engine, "job", payload)

    assert claim(engine).payload == payload


def test_a_payload_of_the_full_size_reaches_the_worker(engine: BlockingEngine, clock: ManualClock) -> None:
    payload = bytes(range(256)) * 4_096
    assert len(payload) == 1024 * 1024

    create(engine, "job", payload)

    assert claim(engine).payload == payload


def test_payloads_given_as_other_bytes_types_are_kept_as_they_were_then(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    mutable = bytearray(b"before")
    first = create(engine, "job", memoryview(mutable))  # type: ignore[arg-type]
    second = create(engine, "job", mutable)  # type: ignore[arg-type]

    mutable[:] = b"after!"

    payloads = {c.execution_id: c.payload for c in engine.claim(worker_id="w", worker_instance_id="w", limit=2)}
    assert payloads == {first: b"before", second: b"before"}


def test_what_the_caller_does_to_its_arguments_later_changes_nothing(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    tags, capabilities = {"team.name": "billing"}, ["gpu"]
    execution_id = create(engine, tags=tags, required_capabilities=capabilities)

    tags["team.name"] = "sales"
    capabilities.append("arm")

    assert look(engine, execution_id).tags == {"team.name": "billing"}
    assert list(look(engine, execution_id).required_capabilities) == ["gpu"]
    assert events_of(engine, execution_id) == []
