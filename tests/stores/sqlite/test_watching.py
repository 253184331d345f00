"""What others commit to a file is noticed, whatever is committed here meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, StoreUnavailable, open_blocking_engine
from flowfabric.stores.sqlite import watching
from flowfabric.stores.sqlite.store import SqliteStore
from tests.assembled import Assembled, assembled
from tests.stores.sqlite.conftest import Open

WAIT_S_MAX = 10.0


@pytest.fixture
def ours(path: Path) -> Iterator[Assembled]:
    with closing(SqliteStore(str(path))) as store, assembled(store) as parts:
        yield parts


@pytest.fixture
def theirs(ours: Assembled, open_another: Open) -> BlockingEngine:
    return open_another()


def test_what_others_commit_is_told(ours: Assembled, theirs: BlockingEngine):
    told = threading.Event()
    with ours.store.watch(lambda _: told.set()):
        theirs.create_execution("mail")

        assert told.wait(WAIT_S_MAX)


def test_what_others_commit_is_told_also_if_we_commit_before_anyone_has_looked(
    ours: Assembled, theirs: BlockingEngine, monkeypatch: pytest.MonkeyPatch
):
    told = threading.Event()
    monkeypatch.setattr(watching, "LOOK_S", 0.5)
    with ours.store.watch(lambda _: told.set()):
        theirs.create_execution("mail")
        ours.engine.create_execution("mail")

        assert told.wait(WAIT_S_MAX)


def test_nobody_watches_for_a_caller_that_is_refused_because_its_engine_is_closed(url: str):
    with open_blocking_engine(url, reconcile=False) as engine:
        pass
    threads = set(threading.enumerate())

    with pytest.raises(StoreUnavailable, match="closed"):
        engine.wait_for_work(worker_id="worker-1", worker_instance_id="worker-1/a")

    assert set(threading.enumerate()) <= threads
