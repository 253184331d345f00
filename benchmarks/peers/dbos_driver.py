"""DBOS, on PostgreSQL or SQLite: an async workflow for each job, from a queue that is polled every 50 ms.

It has no call for many; on PostgreSQL five hundred are enqueued in one transaction.
"""

import asyncio
import os
import signal
import sqlite3
import sys
import time

from driver import CHAIN, PAYLOAD, URL, Driver, hit

IS_SQLITE = URL.startswith("sqlite:///")
if IS_SQLITE and sqlite3.sqlite_version_info < (3, 42):
    # Its schema needs a newer SQLite than this Python may have come with.
    import pysqlite3
    import pysqlite3.dbapi2

    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2

import sqlalchemy  # noqa: E402 - it must find the SQLite that was just chosen
from dbos import DBOS, DBOSClient  # noqa: E402

QUEUE = "bench"
POLL_S = 0.05
BULK = 500
SYSTEM_URL = URL.replace("postgresql://", "postgresql+psycopg://")
SETTINGS = {
    "name": "bench",
    "system_database_url": SYSTEM_URL,
    "run_admin_server": False,
    "log_level": "ERROR",
    "application_version": "1",
    "executor_id": f"worker-{os.getpid()}",
}


@DBOS.workflow(name="noop")
async def noop(text: str) -> None:
    hit()


@DBOS.step(name="nothing")
async def _nothing(number: int) -> int:
    return number


@DBOS.workflow(name="in_steps")
async def in_steps(text: str) -> None:
    for number in range(CHAIN):
        await _nothing(number)
    hit()


class DbosDriver(Driver):
    packages = ("dbos", "sqlalchemy", "pysqlite3-binary" if IS_SQLITE else "psycopg")

    async def setup(self) -> None:
        # It launches only where no event loop runs.
        await asyncio.to_thread(self._launch, 1)
        await asyncio.to_thread(DBOS.destroy)

    async def open(self) -> None:
        self._client = DBOSClient(system_database_url=SYSTEM_URL)
        self._engine = None if IS_SQLITE else sqlalchemy.create_engine(SYSTEM_URL)

    async def submit(self, count: int) -> None:
        if self._engine is None:
            for _ in range(count):
                await self.submit_one()
            return
        for at in range(0, count, BULK):
            with self._engine.begin() as connection:
                for _ in range(min(BULK, count - at)):
                    self._client.enqueue_in_transaction(connection, _options("noop"), **PAYLOAD)

    async def submit_one(self) -> None:
        self._client.enqueue(_options("noop"), **PAYLOAD)

    async def submit_steps(self) -> None:
        self._client.enqueue(_options("in_steps"), **PAYLOAD)

    def work(self, slots: int) -> None:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        self._launch(slots)
        while True:
            time.sleep(1)

    def _launch(self, slots: int) -> None:
        DBOS(config=SETTINGS)
        DBOS.launch()
        settings = {"worker_concurrency": slots, "polling_interval_sec": POLL_S}
        DBOS.register_queue(QUEUE, **settings, on_conflict="always_update")


def _options(workflow: str) -> dict[str, str]:
    return {"workflow_name": workflow, "queue_name": QUEUE, "app_version": "1"}


driver = DbosDriver()
