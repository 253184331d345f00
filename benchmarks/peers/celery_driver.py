"""Celery on Valkey: no results, acknowledged late, the solo pool with a long prefetch; one connection for all sends."""

import os
import sys

from celery import Celery, chain
from driver import CHAIN, PAYLOAD, URL, Driver, hit

PREFETCH = 64
app = Celery("bench", broker=URL)
app.conf.update(
    task_ignore_result=True,
    # Without it a killed worker takes its jobs with it.
    task_acks_late=True,
    worker_prefetch_multiplier=PREFETCH,
    broker_connection_retry_on_startup=True,
    worker_send_task_events=False,
    task_send_sent_event=False,
)


@app.task(name="noop")
def noop(text: str) -> None:
    hit()


@app.task(name="link")
def link(before: int, text: str) -> int:
    if before == CHAIN - 1:
        hit()
    return before + 1


class CeleryDriver(Driver):
    packages = ("celery", "kombu", "redis")

    async def submit(self, count: int) -> None:
        with app.producer_pool.acquire(block=True) as producer:
            for _ in range(count):
                noop.apply_async(kwargs=PAYLOAD, producer=producer)

    async def submit_one(self) -> None:
        noop.apply_async(kwargs=PAYLOAD)

    async def submit_chain(self) -> None:
        chain(link.s(0, **PAYLOAD), *(link.s(**PAYLOAD) for _ in range(CHAIN - 1))).apply_async()

    def work(self, slots: int) -> None:
        quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "ERROR"]
        program = [sys.executable, "-m", "celery", "--app", "celery_driver", "worker", "--pool", "solo", *quiet]
        os.execv(sys.executable, [*program, "--hostname", f"worker-{os.getpid()}@bench"])


driver = CeleryDriver()
