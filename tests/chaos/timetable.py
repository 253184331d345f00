"""A worker with three schedules, for tests that kill it."""

from flowfabric.fabric import FlowFabric
from flowfabric.runtime.context import Context

NAMES = ("all", "last", "skip")


def timetable(url: str) -> FlowFabric:
    ff = FlowFabric(url)

    @ff.task
    def tick(ctx: Context) -> None: ...

    ff.every("1s", tick, name="all", catch_up="all")
    ff.every("1s", tick, name="last", catch_up="last")
    ff.every("1s", tick, name="skip", catch_up="skip")
    return ff


def work(url: str) -> None:
    """Work until killed."""
    timetable(url).run_worker_sync()
