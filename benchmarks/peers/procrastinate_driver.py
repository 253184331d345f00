"""Procrastinate: psycopg, jobs deferred in batches."""

import asyncio
import logging
import os
import signal

import procrastinate
from driver import PAYLOAD, URL, Driver, hit

BULK = 1000
app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=URL, min_size=2, max_size=20))


@app.task(name="noop", queue="bench")
async def noop(text: str) -> None:
    hit()


class ProcrastinateDriver(Driver):
    packages = ("procrastinate", "psycopg")

    async def setup(self) -> None:
        async with app.open_async():
            await app.schema_manager.apply_schema_async()

    async def open(self) -> None:
        await app.open_async()

    async def submit(self, count: int) -> None:
        for at in range(0, count, BULK):
            await noop.batch_defer_async(*[PAYLOAD] * min(BULK, count - at))

    async def submit_one(self) -> None:
        await noop.defer_async(**PAYLOAD)

    async def work_here(self, slots: int) -> None:
        await app.run_worker_async(concurrency=slots, install_signal_handlers=False)

    def work(self, slots: int) -> None:
        logging.disable(logging.WARNING)

        async def until_told() -> None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: os._exit(0))
            await app.open_async()
            await self.work_here(slots)

        asyncio.run(until_told())


driver = ProcrastinateDriver()
