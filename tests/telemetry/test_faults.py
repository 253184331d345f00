"""What is counted when the store does not do what it should, and that nothing is counted twice."""

from contextlib import ExitStack, suppress

import pytest

from flowfabric import open_blocking_engine
from flowfabric.app import assemble, open_store
from flowfabric.domain.errors import Contention, StoreUnavailable
from flowfabric.engine import limits
from flowfabric.engine.blocking import BlockingEngine
from flowfabric.engine.engine import Engine
from flowfabric.engine.shells import BlockingShell
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from flowfabric.ports.telemetry import CommittedBatch
from flowfabric.telemetry.metrics import Metrics
from tests.faulty_store import FaultyStore, Point
from tests.telemetry.scraping import shown

LOST: list[tuple[Point, Exception, str, float]] = [
    ("load", Contention("deadlock"), "commit_retries_total contention", 1),
    ("load", ConnectionLost("gone"), "commit_retries_total connection", 1),
    ("after commit", CommitUnknown("gone"), "commits_in_doubt_total", 1),
    ("before commit", CommitUnknown("gone"), "commits_in_doubt_total", 1),
]


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CONTENTION_PAUSES_S", (0.0001, 0.0001))
    monkeypatch.setattr(limits, "RECONNECT_PAUSE_S", (0.0001, 0.001))
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 0.05)


@pytest.mark.parametrize(("point", "error", "name", "count"), LOST)
def test_a_batch_that_needs_another_try_is_counted_once_and_the_try_too(
    point: Point, error: Exception, name: str, count: float
) -> None:
    found = _counted(point, error, times=1)

    assert found["submitted_total default mail"] == found["commit_seconds_count"] == 1
    assert found[name] == count
    assert not [key for key in found if key.startswith("refusals")]


def test_a_command_that_is_refused_because_the_store_is_away_is_counted() -> None:
    found = _counted("begin", ConnectionLost("gone"), times=10_000)

    assert found["refusals_total store_unavailable"] == 1
    assert "submitted_total default mail" not in found


def _counted(point: Point, error: Exception, *, times: int) -> dict[str, float]:
    metrics, store = Metrics(), FaultyStore(open_store("memory://"))
    with ExitStack() as stack:
        services = assemble(stack, store, reconcile=False, shell_type=BlockingShell, telemetry=metrics)
        store.breaks(point, error, times=times)
        with suppress(StoreUnavailable):
            BlockingEngine(Engine(services)).create_execution("mail")
        store.heals()
    return shown(metrics)


def test_a_bug_in_the_counting_does_not_disturb_the_commit(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Metrics):
        def committed(self, batch: CommittedBatch) -> None:
            raise ZeroDivisionError

    with open_blocking_engine("memory://", telemetry=Broken()) as engine:
        key = engine.create_execution("mail").execution_id
        found = engine.describe_execution(key)

    assert found is not None
    assert "a batch could not be counted" in caplog.text
