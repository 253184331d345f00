"""Huey, on SQLite with fsync or on Valkey: threads, no results, its shortest delays."""

import os
import sys

from driver import CHAIN, PAYLOAD, URL, Driver, hit
from huey import RedisHuey, SqliteHuey

IS_SQLITE = URL.startswith("sqlite:///")
if IS_SQLITE:
    huey = SqliteHuey("bench", filename=URL.removeprefix("sqlite:///"), results=False, fsync=True)
else:
    huey = RedisHuey("bench", url=URL, results=False)


@huey.task()
def noop(text: str) -> None:
    hit()


@huey.task()
def link(before: int, text: str = "") -> int:
    if before == CHAIN - 1:
        hit()
    return before + 1


class HueyDriver(Driver):
    packages = ("huey",) if IS_SQLITE else ("huey", "redis")

    async def submit(self, count: int) -> None:
        for _ in range(count):
            noop(**PAYLOAD)

    async def submit_one(self) -> None:
        noop(**PAYLOAD)

    async def submit_chain(self) -> None:
        pipeline = link.s(0, **PAYLOAD)
        for _ in range(CHAIN - 1):
            pipeline = pipeline.then(link, **PAYLOAD)
        huey.enqueue(pipeline)

    def work(self, slots: int) -> None:
        program = [sys.executable, "-m", "huey.bin.huey_consumer", "huey_driver.huey", "--quiet"]
        delays = ["--delay", "0.01", "--max-delay", "0.02", "--backoff", "1.1"]
        os.execv(sys.executable, [*program, "--workers", str(slots), "--worker-type", "thread", *delays])


driver = HueyDriver()
