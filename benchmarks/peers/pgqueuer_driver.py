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
CONNECTIONS = 2
"""For submitting, so that one prepares its next call while the server works on the other's."""


class PgQueuerDriver(Driver):
    packages = ("pgqueuer", "asyncpg", "uvloop")

    async def setup(self) -> None:
        await self.open()
        await self._queries[0].install()

    async def open(self) -> None:
        self._queries = [Queries(AsyncpgDriver(await asyncpg.connect(URL))) for _ in range(CONNECTIONS)]

    async def submit(self, count: int) -> None:
        left = iter(range(0, count, BULK))

        async def caller(queries: Queries) -> None:
            for at in left:
                some = min(BULK, count - at)
                await queries.enqueue(["noop"] * some, [BODY] * some, [0] * some)

        await asyncio.gather(*map(caller, self._queries))

    async def submit_one(self) -> None:
        await self._queries[0].enqueue("noop", BODY, 0)

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
