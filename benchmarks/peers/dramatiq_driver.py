"""Dramatiq on Valkey: one process of some threads."""

import os
import sys

import dramatiq
from dramatiq.brokers.redis import RedisBroker
from driver import CHAIN, PAYLOAD, URL, Driver, hit

dramatiq.set_broker(RedisBroker(url=URL))


@dramatiq.actor(queue_name="bench")
def noop(text: str) -> None:
    hit()


@dramatiq.actor(queue_name="bench")
def link(text: str, before: int) -> int:
    if before == CHAIN - 1:
        hit()
    return before + 1


class DramatiqDriver(Driver):
    packages = ("dramatiq", "redis")

    async def submit(self, count: int) -> None:
        for _ in range(count):
            noop.send(**PAYLOAD)

    async def submit_one(self) -> None:
        noop.send(**PAYLOAD)

    async def submit_chain(self) -> None:
        # A pipeline hands the result on behind the arguments that a message has already.
        text = PAYLOAD["text"]
        dramatiq.pipeline([link.message(text, 0), *(link.message(text) for _ in range(CHAIN - 1))]).run()

    def work(self, slots: int) -> None:
        program = [sys.executable, "-m", "dramatiq", "dramatiq_driver", "--processes", "1"]
        os.execv(sys.executable, [*program, "--threads", str(slots)])


driver = DramatiqDriver()
