"""PgQueuer: asyncpg and uvloop, many jobs to a call, as its guide to performance says."""

import asyncio
import os
import signal
from datetime import timedelta

import asyncpg
import uvloop
from driver import BODY, URL, Driver, hit
from pgqueuer import PgQueuer
from pgqueuer.db import AsyncpgDriver
from pgqueuer.queries import Queries

BULK = 1000


class PgQueuerDriver(Driver):
    packages = ("pgqueuer", "asyncpg", "uvloop")

    async def setup(self) -> None:
        await self.open()
        await self._queries.install()

    async def open(self) -> None:
        self._queries = Queries(AsyncpgDriver(await asyncpg.connect(URL)))

    async def submit(self, count: int) -> None:
        for at in range(0, count, BULK):
            some = min(BULK, count - at)
            await self._queries.enqueue(["noop"] * some, [BODY] * some, [0] * some)

    async def submit_one(self) -> None:
        await self._queries.enqueue("noop", BODY, 0)

    async def work_here(self, slots: int) -> None:
        queue = PgQueuer(AsyncpgDriver(await asyncpg.connect(URL)))

        @queue.entrypoint("noop")
        async def noop(job: object) -> None:
            hit()

        await queue.run(batch_size=slots, dequeue_timeout=timedelta(seconds=5))

    def work(self, slots: int) -> None:
        async def until_told() -> None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: os._exit(0))
            await self.work_here(slots)

        uvloop.run(until_told())


driver = PgQueuerDriver()
