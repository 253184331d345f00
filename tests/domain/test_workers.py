"""Until when a worker is believed, and what is said of what it runs."""

import pytest
from msgspec.structs import replace

from flowfabric.domain.explaining import explain
from flowfabric.domain.flow import Flow
from flowfabric.domain.ids import FlowId
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.workers import Worker
from tests.domain.records import NOW, an_execution

RUNNING = an_execution(
    lifecycle_phase="active",
    eligibility_state="not_applicable",
    attempt_state="running_attempt",
    worker_instance_id="w-1",
    lease_expires_at_ms=NOW + 30_000,
    policy=ExecutionPolicy(max_interruptions=2),
)
CANCELLED = Flow(FlowId("f"), "default", "film", NOW, {}, "cancelled", cancellation_policy="cancel_pending")
HEARD_OF = Worker("w-1", "w", "default", "box", 77, ("default",), (), "", NOW, NOW, NOW + 30_000)


@pytest.mark.parametrize(
    ("lease_ms", "silent_from_ms"),
    [(600_000, 300_000), (30_000, 15_000), (10_000, 5_000), (6_000, 5_000), (1_000, 1_000)],
)
def test_a_worker_is_silent_after_half_of_its_lease_but_not_for_a_moments_delay(
    lease_ms: int, silent_from_ms: int
) -> None:
    worker = replace(HEARD_OF, alive_until_ms=NOW + lease_ms)
    is_there_a_silence = silent_from_ms < lease_ms

    assert worker.is_alive(NOW + silent_from_ms - 1)
    assert not worker.is_alive(NOW + silent_from_ms)
    assert worker.is_silent(NOW + silent_from_ms) == is_there_a_silence
    assert not worker.is_silent(NOW + lease_ms)


@pytest.mark.parametrize(
    ("interruptions", "flow", "follows"),
    [
        (0, None, "goes back to the queue (interruption 1 of 2)"),
        (1, None, "goes back to the queue (interruption 2 of 2)"),
        (2, None, "fails with worker_lost (its policy allows 2 interruptions)"),
        (0, CANCELLED, "ends as cancelled, like its flow"),
        (0, replace(CANCELLED, cancellation_policy="flow_only"), "goes back to the queue (interruption 1 of 2)"),
    ],
)
def test_what_runs_says_what_follows_when_its_lease_ends(interruptions: int, flow: Flow | None, follows: str) -> None:
    x = replace(RUNNING, interruption_count=interruptions)

    assert explain(x, NOW, workers=[HEARD_OF], flow=flow) == (
        "It is running as attempt 1 on worker 'w-1'; its lease lasts another 30 s, "
        f"and if the worker does not renew it by then, it {follows}."
    )
    assert explain(x, NOW + 20_000, workers=[HEARD_OF], flow=flow) == (
        "It is running as attempt 1 on worker 'w-1', which was last heard of 20 s ago and is probably dead; "
        f"its lease lasts another 10 s, then it {follows}; `ff revoke {x.execution_id}` does that now."
    )
    assert explain(x, NOW + 31_000, workers=[HEARD_OF], flow=flow) == (
        f"The lease of worker 'w-1' expired 1 s ago; it {follows} at the next sweep."
    )
