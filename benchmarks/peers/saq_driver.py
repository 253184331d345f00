"""SAQ, on PostgreSQL or Valkey: it has no call for many, so fifty are enqueued at the same time."""

import asyncio
import os
import signal

from driver import PAYLOAD, URL, Driver, hit
from saq import Queue, Worker

TOGETHER = 50


async def noop(ctx: object, *, text: str) -> None:
    hit()


class SaqDriver(Driver):
    packages = ("saq", "psycopg" if URL.startswith("postgresql") else "redis")

    async def setup(self) -> None:
        # It makes its tables when it first connects.
        await self.open()
        await self._queue.disconnect()

    async def open(self) -> None:
        self._queue = Queue.from_url(URL)
        await self._queue.connect()

    async def submit(self, count: int) -> None:
        for at in range(0, count, TOGETHER):
            await asyncio.gather(*(self.submit_one() for _ in range(min(TOGETHER, count - at))))

    async def submit_one(self) -> None:
        await self._queue.enqueue("noop", **PAYLOAD)

    async def work_here(self, slots: int) -> None:
        queue = Queue.from_url(URL)
        await queue.connect()
        worker = Worker(queue, functions=[("noop", noop)], concurrency=slots)
        # The signal is ours.
        worker.SIGNALS = []
        await worker.start()

    def work(self, slots: int) -> None:
        async def until_told() -> None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: os._exit(0))
            await self.work_here(slots)

        asyncio.run(until_told())


driver = SaqDriver()
