"""A store is closed while another thread is about to read."""

import queue
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from flowfabric import StoreUnavailable
from flowfabric.app import open_store
from tests.stores_under_test import SHARED_STORES, STORES


@pytest.fixture(params=SHARED_STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        yield url


class LateQueue(queue.LifoQueue[Any]):
    """The thread that is named takes something only after the store was closed."""

    def __init__(self, late: threading.Thread) -> None:
        super().__init__()
        self.late = late
        self.arrived, self.may_go_on = threading.Event(), threading.Event()

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        if threading.current_thread() is self.late:
            self.arrived.set()
            self.may_go_on.wait(10)
        return super().get(block, timeout)


def test_a_read_that_waits_for_its_turn_while_the_store_is_closed_is_refused(store_url: str) -> None:
    store: Any = open_store(store_url, migrate=True)
    refused: list[StoreUnavailable] = []

    def read() -> None:
        with pytest.raises(StoreUnavailable, match="is closed") as caught:
            store.ping()
        refused.append(caught.value)

    reading = threading.Thread(target=read, daemon=True)
    late = LateQueue(reading)
    while not store.readers.free.empty():
        late.put(store.readers.free.get())
    store.readers.free = late
    reading.start()
    assert late.arrived.wait(10)

    store.close()
    late.may_go_on.set()
    reading.join(5)

    assert [error.is_final for error in refused] == [True]
