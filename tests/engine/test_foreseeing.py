"""A batch about executions with gates is decided once: what their gates need is loaded before."""

from collections.abc import Callable

import pytest

from flowfabric import BlockingEngine, NewExecution, open_blocking_engine
from flowfabric.domain.decide import apply_batch
from flowfabric.engine import batch

WORKER = {"worker_id": "w", "worker_instance_id": "w-1"}


def times_decided(monkeypatch: pytest.MonkeyPatch, call: Callable[[], object]) -> int:
    times = 0

    def counting(*arguments: object) -> object:
        nonlocal times
        times += 1
        return apply_batch(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patches:
        patches.setattr(batch, "apply_batch", counting)
        call()
    return times


def gated(engine: BlockingEngine) -> None:
    items = [NewExecution(kind="job", limits={"tenant": key}, fair_key=key) for key in ("a", "b", "a")]
    engine.create_executions(items)


@pytest.mark.parametrize(("concurrency", "running"), [(1, 2), (10, 3)])
def test_creations_claims_and_ends_are_decided_once(
    monkeypatch: pytest.MonkeyPatch, concurrency: int, running: int
) -> None:
    with open_blocking_engine("memory://", reconcile=False) as engine:
        engine.set_limit("tenant", concurrency=concurrency)

        created = times_decided(monkeypatch, lambda: gated(engine))
        leases = [each.lease for each in engine.claim(**WORKER, limit=3)]
        joined = times_decided(monkeypatch, lambda: gated(engine))
        claimed = times_decided(monkeypatch, lambda: engine.claim(**WORKER, limit=3))
        completed = times_decided(monkeypatch, lambda: engine.complete(leases[0]))
        ended = times_decided(monkeypatch, lambda: engine.complete_all([(lease, None) for lease in leases[1:]]))

        assert len(leases) == running
        assert (created, joined, claimed, completed, ended) == (1, 1, 1, 1, 1)
