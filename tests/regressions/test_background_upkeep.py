"""With `reconcile=True`, which is the default, every duty is done in the background and nobody has to ask."""

import threading
import time
from collections.abc import Callable

from flowfabric import ExecutionPolicy, ManualClock, RetryPolicy, open_blocking_engine
from flowfabric_conformance.stage import claim, create, look

SWEPT_S_MAX = 60.0


def eventually(is_so: Callable[[], bool]) -> bool:
    """Whether it comes to be so within the time that several sweeps take."""
    give_up_at = time.monotonic() + SWEPT_S_MAX
    pause = threading.Event()
    while not is_so():
        if time.monotonic() >= give_up_at:
            return False
        pause.wait(0.01)
    return True


def test_every_duty_is_done_in_the_background(store_url: str, clock: ManualClock) -> None:
    timed = ExecutionPolicy(attempt_timeout_ms=100, retry=RetryPolicy(max_retries=1))
    with open_blocking_engine(store_url, clock=clock, migrate=True) as engine:
        timed_out = create(engine, policy=timed, priority=2)
        lost = create(engine, priority=1)
        for ttl_ms in (100_000, 100):
            claim(engine, lease_ttl_ms=ttl_ms)
        delayed = create(engine, delay_until_ms=clock.now_ms + 100)
        overdue = create(engine, deadline_at_ms=clock.now_ms + 100)
        purged = create(engine, policy=ExecutionPolicy(retention_ms=100))
        engine.cancel_execution(purged, reason="stop")

        clock.advance(100)

        assert engine.wait_for_result(overdue, timeout_ms=60_000).public_state == "expired"
        assert eventually(lambda: look(engine, lost).interruption_count == 1)
        assert eventually(lambda: look(engine, timed_out).retry_count == 1)
        assert eventually(lambda: look(engine, delayed).public_state == "waiting")
        assert eventually(lambda: engine.describe_execution(purged) is None)


def test_a_lost_workers_execution_comes_to_its_end_without_anyone_asking(store_url: str, clock: ManualClock) -> None:
    with open_blocking_engine(store_url, clock=clock, migrate=True) as engine:
        execution_id = create(engine, policy=ExecutionPolicy(max_interruptions=0))
        claim(engine)

        clock.advance(30_000)

        ended = engine.wait_for_result(execution_id, timeout_ms=60_000)
        assert ended.failure is not None
        assert (ended.public_state, ended.failure.code) == ("failed", "worker_lost")
