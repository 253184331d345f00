"""Oban for Python: a pool of psycopg connections, jobs enqueued a thousand to a call, uvloop."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import uvloop
from driver import PAYLOAD, URL, Driver, hit
from oban import Oban, worker
from psycopg_pool import AsyncConnectionPool

BULK = 1000


@worker(queue="bench", max_attempts=5)
class Noop:
    async def process(self, job: object) -> None:
        hit()


async def _pool() -> AsyncConnectionPool:
    pool = AsyncConnectionPool(conninfo=URL, min_size=2, max_size=10, open=False)
    await pool.open()
    return pool


class ObanDriver(Driver):
    packages = ("oban", "psycopg", "uvloop")

    async def setup(self) -> None:
        program = Path(sys.executable).with_name("oban")
        subprocess.run([program, "install", "--dsn", URL], check=True, stdout=sys.stderr)

    async def open(self) -> None:
        self._oban = Oban(pool=await _pool())

    async def submit(self, count: int) -> None:
        for at in range(0, count, BULK):
            await self._oban.enqueue_many([Noop.new(PAYLOAD) for _ in range(min(BULK, count - at))])

    async def submit_one(self) -> None:
        await self._oban.enqueue(Noop.new(PAYLOAD))

    async def work_here(self, slots: int) -> None:
        async with Oban(name="worker", pool=await _pool(), queues={"bench": slots}, metrics=False):
            await asyncio.Event().wait()

    def work(self, slots: int) -> None:
        async def until_told() -> None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: os._exit(0))
            await self.work_here(slots)

        uvloop.run(until_told())


driver = ObanDriver()
