"""The long past that `make soak` makes: copies that the engine takes for its own."""

import asyncio
import importlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from rich.console import Console

from flowfabric import BlockingEngine, open_blocking_engine

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program's file, which finds the others as it does when it is run."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("history")


@pytest.fixture
def engine(history: ModuleType, tmp_path: Path) -> Iterator[BlockingEngine]:
    """An engine whose past is one execution and forty copies of it."""
    url = f"sqlite:///{tmp_path}/past.db"
    asyncio.run(history.finish_one(url))
    history.multiply(Console(quiet=True), url, 1, 40)
    with open_blocking_engine(url, reconcile=False) as opened:
        yield opened


def test_a_copied_execution_reads_like_one_that_happened(history: ModuleType, engine: BlockingEngine) -> None:
    oldest = engine.list_executions(tag=history.TAG, limit=100).items[-1]

    attempts = engine.list_attempts(oldest.execution_id)
    events = engine.read_events(execution_id=oldest.execution_id).events

    assert engine.describe_execution(oldest.execution_id) == oldest
    assert engine.get_result(oldest.execution_id) == history.RESULT
    assert [attempt.outcome for attempt in attempts] == ["success"]
    assert [event.event_type for event in events] == ["acquired", "completed"]


def test_no_two_copies_are_alike_and_the_oldest_comes_last(engine: BlockingEngine) -> None:
    found = engine.list_executions(limit=100).items

    moments = [each.created_at_ms for each in found]
    assert len({each.execution_id for each in found}) == 41
    assert len(set(moments)) == 41
    assert moments == sorted(moments, reverse=True)
