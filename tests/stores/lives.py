"""Lives of executions without gates, one call after the other, for tests of what each call sends to the store."""

from collections.abc import Iterator

from flowfabric import BlockingEngine, ManualClock, NewExecution


def lives_without_gates(engine: BlockingEngine, clock: ManualClock) -> Iterator[None]:
    """Stops before the first call, and after each call."""
    worker = {"worker_id": "w", "worker_instance_id": "i"}
    yield
    engine.create_execution("job")
    yield
    (claimed,) = engine.claim(**worker)
    yield
    clock.advance(10)
    engine.renew(claimed.lease)
    yield
    engine.complete(claimed.lease, b"done")
    yield
    tagged = {"of.job": "tagged"}
    engine.create_executions([NewExecution(kind="job", priority=number, tags=tagged) for number in range(2)])
    yield
    first, second = engine.claim(**worker, limit=2)
    yield
    engine.fail(first.lease, code="torn", retryable=False)
    yield
    engine.release(second.lease)
    yield
    engine.claim(**worker)
    yield
