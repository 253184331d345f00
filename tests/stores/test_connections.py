"""How many connections a process holds is what it was told, and a read does not wait for one for ever."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from flowfabric import Connections, InvalidInput, StoreUnavailable, open_blocking_engine
from flowfabric.app import open_store
from tests.assembled import assembled_async
from tests.faulty_store import FaultyStore
from tests.postgres_server import connected, empty_store
from tests.stores_under_test import SHARED_STORES, STORES

ONE_READER = Connections(read=1, wait_ms=20)


@pytest.fixture(params=SHARED_STORES)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with STORES[request.param].empty(tmp_path) as url:
        yield url


def test_a_read_that_finds_no_connection_in_time_is_refused_with_what_to_do(store_url: str) -> None:
    with closing(open_store(store_url, migrate=True, connections=ONE_READER)) as store:
        # In another thread, as on SQLite nobody reads twice at once in one.
        with ThreadPoolExecutor(1) as other, store.readers.reading():
            reading = other.submit(store.ping)
            with pytest.raises(StoreUnavailable, match="All 1 read connections of this process have been busy"):
                reading.result(30)

        store.ping()


def test_an_awaited_read_that_does_not_begin_in_time_is_refused_too(store_url: str) -> None:
    async def main() -> None:
        store = FaultyStore(open_store(store_url, migrate=True, connections=ONE_READER))
        async with assembled_async(store) as parts, asyncio.timeout(60):
            with store.reads_held():
                first = asyncio.create_task(parts.engine.ping())
                await asyncio.sleep(0)
                with pytest.raises(StoreUnavailable, match="All 1 read connections of this process have been busy"):
                    await parts.engine.ping()
            await first
            await parts.engine.ping()
        store.close()

    asyncio.run(main())


def test_an_engine_opens_no_more_connections_than_it_was_told() -> None:
    with (
        empty_store() as url,
        connected(url) as sql,
        open_blocking_engine(url, reconcile=False, connections=Connections(write=1, read=2)) as engine,
        ThreadPoolExecutor(16) as callers,
    ):
        together = threading.Barrier(16)

        def call(number: int) -> None:
            together.wait(60)
            engine.create_execution("job", lane=f"lane-{number}")
            engine.list_executions()

        list(callers.map(call, range(16)))
        [(sessions,)] = sql.execute(
            "select count(*) from pg_stat_activity"
            " where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()"
        ).fetchall()

    assert 2 <= sessions <= 3


@pytest.mark.parametrize("wrong", [{"write": 0}, {"read": 0}, {"read": 1_000}, {"wait_ms": 0}, {"write": True}])
def test_numbers_that_could_not_work_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="connections"):
        Connections(**wrong)


def test_what_is_no_connections_is_refused() -> None:
    with (
        pytest.raises(InvalidInput, match="connections is a Connections, not int"),
        open_blocking_engine(
            "memory://",
            connections=2,  # type: ignore[arg-type]
        ),
    ):
        pass
