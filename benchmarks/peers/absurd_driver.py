"""Absurd: it has no call for many, so eight connections spawn at the same time; it polls, here every 20 ms."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

from absurd_sdk import AsyncAbsurd
from driver import CHAIN, PAYLOAD, URL, Driver, hit

QUEUE = "bench"
CONNECTIONS = 8
POLL_S = 0.02


class AbsurdDriver(Driver):
    packages = ("absurd-sdk", "absurdctl", "psycopg")

    async def setup(self) -> None:
        program = Path(sys.executable).with_name("absurdctl")
        for words in (["init"], ["create-queue", QUEUE]):
            subprocess.run([program, *words, "-d", URL], check=True, stdout=sys.stderr)

    async def open(self) -> None:
        self._clients = [AsyncAbsurd(URL, queue_name=QUEUE) for _ in range(CONNECTIONS)]
        self._free: asyncio.Queue[AsyncAbsurd] = asyncio.Queue()
        for client in self._clients:
            self._free.put_nowait(client)

    async def submit(self, count: int) -> None:
        left = iter(range(count))

        async def spawn(client: AsyncAbsurd) -> None:
            for _ in left:
                await client.spawn("noop", PAYLOAD, queue=QUEUE)

        await asyncio.gather(*map(spawn, self._clients))

    async def submit_one(self) -> None:
        await self._clients[0].spawn("noop", PAYLOAD, queue=QUEUE)

    async def submit_steps(self) -> None:
        client = await self._free.get()
        await client.spawn("in_steps", PAYLOAD, queue=QUEUE)
        self._free.put_nowait(client)

    async def work_here(self, slots: int) -> None:
        app = AsyncAbsurd(URL, queue_name=QUEUE)

        @app.register_task(name="noop")
        async def noop(params: object, ctx: object) -> None:
            hit()

        @app.register_task(name="in_steps")
        async def in_steps(params: object, ctx: object) -> None:
            for number in range(CHAIN):
                await ctx.step(f"step-{number}", _nothing)
            hit()

        await app.start_worker(concurrency=slots, batch_size=slots, poll_interval=POLL_S)

    def work(self, slots: int) -> None:
        async def until_told() -> None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, lambda: os._exit(0))
            await self.work_here(slots)

        asyncio.run(until_told())


async def _nothing() -> int:
    return 1


driver = AbsurdDriver()
