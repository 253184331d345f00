"""Taskiq on Valkey: the stream broker, which acknowledges what was executed; fifty are sent at the same time."""

import asyncio
import os
import sys

from driver import PAYLOAD, URL, Driver, hit
from taskiq_redis import RedisStreamBroker

TOGETHER = 50
broker = RedisStreamBroker(url=URL)


@broker.task(task_name="noop")
async def noop(text: str) -> None:
    hit()


class TaskiqDriver(Driver):
    packages = ("taskiq", "taskiq-redis", "redis")

    async def setup(self) -> None:
        # Makes the group of consumers: what is sent before there is one is not delivered.
        await broker.startup()
        await broker.shutdown()

    async def open(self) -> None:
        await broker.startup()

    async def submit(self, count: int) -> None:
        for at in range(0, count, TOGETHER):
            await asyncio.gather(*(self.submit_one() for _ in range(min(TOGETHER, count - at))))

    async def submit_one(self) -> None:
        await noop.kiq(**PAYLOAD)

    def work(self, slots: int) -> None:
        program = [sys.executable, "-m", "taskiq", "worker", "taskiq_driver:broker", "--workers", "1"]
        settings = ["--max-async-tasks", str(slots), "--ack-type", "when_executed", "--log-level", "ERROR"]
        os.execv(sys.executable, [*program, *settings])


driver = TaskiqDriver()
