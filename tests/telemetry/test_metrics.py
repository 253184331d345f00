"""What an engine counts: it follows from what commits say, on every store and on every way through it."""

import pytest

from flowfabric import BlockingEngine, Claimed, ExecutionPolicy, ManualClock, NewExecution, RetryPolicy
from flowfabric.telemetry import catalogue
from flowfabric.telemetry.counting import NAMES_MAX, SECONDS, Histogram
from flowfabric.telemetry.metrics import Metrics
from tests.stores_under_test import on_one_store
from tests.telemetry.scraping import shown


def claim(engine: BlockingEngine, limit: int = 1, lane: str = "default") -> list[Claimed]:
    return engine.claim(worker_id="w", worker_instance_id="w-1", lanes=[lane], limit=limit, lease_ttl_ms=1_000)


def test_plain_executions_are_counted_from_their_creation_to_their_end(
    engine: BlockingEngine, metrics: Metrics, clock: ManualClock
) -> None:
    # given executions that are all made, leased and completed in the fastest way that a store knows
    engine.create_executions([NewExecution(kind="mail") for _ in range(3)])
    clock.advance(500)
    claimed = claim(engine, 2)
    clock.advance(2_000 - 1_100)
    for each in claimed:
        engine.complete(each.lease)

    found = shown(metrics)

    assert found["submitted_total default mail"] == 3
    assert found["started_total default mail first"] == 2
    assert found["queue_seconds_count default mail"] == 2
    assert found["queue_seconds_sum default mail"] == 1.0
    assert found["attempts_ended_total default mail success"] == 2
    assert found["ended_total default mail success"] == 2
    assert found["attempt_seconds_sum default mail"] == pytest.approx(1.8)
    assert found["commit_seconds_count"] == found["commit_batch_size_count"] == 4


def test_what_is_made_and_leased_in_one_batch_is_counted_once(engine: BlockingEngine, metrics: Metrics) -> None:
    # given a lane that is known to be idle, and a claim that waits there: both go in one batch
    assert claim(engine) == []
    engine.create_execution("mail")
    (claimed,) = claim(engine)
    engine.complete(claimed.lease)

    found = shown(metrics)

    counts = [
        found[f"{name} default mail{word}"] for name, word in (("submitted_total", ""), ("ended_total", " success"))
    ]
    assert counts == [1, 1]
    assert found["started_total default mail first"] == found["queue_seconds_count default mail"] == 1


def test_decided_executions_are_counted_by_how_their_attempts_end(
    engine: BlockingEngine, metrics: Metrics, clock: ManualClock
) -> None:
    # given one execution that is retried, loses its lease, is released and then fails; tags make it no plain one
    policy = ExecutionPolicy(retry=RetryPolicy(max_retries=1, initial_delay_ms=0))
    engine.create_execution("mail", policy=policy, tags={"team.name": "us"})
    engine.fail(claim(engine)[0].lease, code="no", message="no")
    claim(engine)
    clock.advance(1_500)
    engine.reconcile()
    engine.release(claim(engine)[0].lease)
    engine.fail(claim(engine)[0].lease, code="no", message="no")

    found = shown(metrics)

    ended = {key.rpartition(" ")[2]: n for key, n in found.items() if key.startswith("attempts_ended_total")}
    started = {key.rpartition(" ")[2]: n for key, n in found.items() if key.startswith("started_total")}
    assert ended == {"retry": 1, "interrupted": 1, "released": 1, "failed": 1}
    assert started == {"first": 1, "retry": 1, "reclaim": 2}
    assert found["ended_total default mail failed"] == 1
    assert found["leases_lost_total default mail expired"] == 1
    assert found["sweep_late_seconds_sum lease"] == 0.5


@pytest.mark.parametrize(
    ("why", "policy"),
    [
        ("cancelled", ExecutionPolicy()),
        ("revoked", ExecutionPolicy()),
        ("timeout", ExecutionPolicy(attempt_timeout_ms=100)),
        ("deadline", ExecutionPolicy()),
    ],
)
@on_one_store
def test_a_lost_lease_is_counted_with_the_reason(
    engine: BlockingEngine, metrics: Metrics, clock: ManualClock, why: str, policy: ExecutionPolicy
) -> None:
    deadline = clock.now_ms + 100 if why == "deadline" else None
    key = engine.create_execution("mail", policy=policy, deadline_at_ms=deadline).execution_id
    (claimed,) = claim(engine)
    if why == "cancelled":
        engine.cancel_execution(key, reason="enough")
    elif why == "revoked":
        engine.revoke_lease(key, reason="enough")
    else:
        clock.advance(150)
        engine.reconcile()

    lost = {key: n for key, n in shown(metrics).items() if key.startswith("leases_lost")}

    assert lost == {f"leases_lost_total default mail {why}": 1}
    assert claimed.execution_id == key


@on_one_store
def test_refusals_renewals_signals_and_frames_are_counted(
    engine: BlockingEngine, metrics: Metrics, clock: ManualClock
) -> None:
    engine.create_execution("mail")
    (claimed,) = claim(engine)
    engine.renew(claimed.lease)
    engine.append_frames(claimed.lease, [b"abc", b"de"])
    engine.signal(claimed.execution_id, "later")
    engine.signal(claimed.execution_id, "now", idempotency_key="1")
    engine.signal(claimed.execution_id, "now", idempotency_key="1")
    clock.advance(600)
    engine.suspend(claimed.lease, "wait", "never")
    with pytest.raises(Exception, match="suspended"):
        engine.complete(claimed.lease)
    assert engine.renew_all([claimed.lease])

    found = shown(metrics)

    assert found["renewals_total renewed"] == found["renewals_total lost"] == 1
    assert (found["stream_frames_total"], found["stream_bytes_total"]) == (2, 5)
    assert found["signals_total buffered"] == 2
    assert found["signals_total duplicate"] == 1
    assert found["refusals_total execution_not_active"] == 1


@on_one_store
def test_a_resumed_attempt_is_no_wait_in_the_queue(
    engine: BlockingEngine, metrics: Metrics, clock: ManualClock
) -> None:
    # given an execution that was suspended for an hour, and goes on at once after its signal
    engine.create_execution("mail")
    (claimed,) = claim(engine)
    engine.suspend(claimed.lease, "wait", "go")
    clock.advance(3_600_000)
    engine.signal(claimed.execution_id, "go")
    claim(engine)

    found = shown(metrics)

    assert found["signals_total resumed"] == 1
    assert found["started_total default mail resume"] == 1
    assert (found["queue_seconds_count default mail"], found["queue_seconds_sum default mail"]) == (1, 0)


@on_one_store
def test_charges_are_counted_also_those_of_steps(engine: BlockingEngine, metrics: Metrics) -> None:
    engine.set_budget("money", limits={"cents": 100})
    engine.create_execution("mail", budgets={"money": {}})
    (claimed,) = claim(engine)
    engine.spend(claimed.lease, "money", {"cents": 5})
    engine.record_step(claimed.lease, "pay", b"1", budget="money", spent={"cents": 7})
    engine.record_step(claimed.lease, "thank", b"1")

    assert shown(metrics)["charges_total"] == 2


@on_one_store
def test_many_task_names_share_one_label_after_the_first(engine: BlockingEngine, metrics: Metrics) -> None:
    engine.create_executions([NewExecution(kind=f"kind {number}") for number in range(NAMES_MAX + 50)])

    submitted = {key: n for key, n in shown(metrics).items() if key.startswith("submitted_total")}

    assert len(submitted) == NAMES_MAX + 1
    assert submitted["submitted_total default other"] == 50
    assert sum(submitted.values()) == NAMES_MAX + 50


@on_one_store
def test_a_scrape_has_every_metric_once_with_its_help_and_no_id(engine: BlockingEngine, metrics: Metrics) -> None:
    key = engine.create_execution("mail").execution_id
    metrics.request_ended("/v1/executions/{id}", "GET", 200, 0.1)

    text = metrics.render("application/openmetrics-text; version=1.0.0").body.decode()

    named = [line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")]
    known = {catalogue.PREFIX + each.name for each in catalogue.ALL}
    assert len(named) == len(set(named))
    assert set(named) <= known
    assert all(each.help.endswith(".") for each in catalogue.ALL)
    assert key.rpartition(":")[2] not in text
    assert 'http_requests_total{method="GET",route="/v1/executions/{id}",status="200"} 1.0' in text


def test_a_value_falls_into_the_first_bucket_that_holds_it() -> None:
    histogram = Histogram()
    for value in (-1.0, 0.001, 0.0011, 4_000.0):
        histogram.observe(value)

    buckets = dict(histogram.buckets())

    assert [buckets[str(bound)] for bound in SECONDS[:2]] == [2, 3]
    assert (buckets["3600.0"], buckets["+Inf"]) == (3, 4)
