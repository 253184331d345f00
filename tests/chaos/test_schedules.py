"""Three processes have the same schedules, are killed, and come back: each slot becomes one execution."""

from contextlib import ExitStack
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

from flowfabric import BlockingEngine, open_blocking_engine
from tests.chaos import timetable
from tests.chaos.conftest import in_group
from tests.chaos.processes import Process, running, wait_until

pytestmark = in_group("workers")


def slots(engine: BlockingEngine, name: str) -> list[datetime]:
    """The slots that a schedule's executions are of, in order."""
    found = engine.list_executions(tag=("schedule.name", name), limit=1000).items
    return sorted(datetime.fromisoformat(x.tags["schedule.slot"]) for x in found)  # type: ignore[attr-defined]


def test_each_slot_becomes_one_execution_whoever_is_killed(url: str, tmp_path: Path) -> None:
    with open_blocking_engine(url, reconcile=False) as engine, ExitStack() as stack:

        def start() -> Process:
            return stack.enter_context(running("work", url, folder=tmp_path, module="tests.chaos.timetable"))

        def taken_of_each() -> int:
            return min(len(slots(engine, name)) for name in timetable.NAMES)

        def wait_for_slots(more: int) -> None:
            enough = taken_of_each() + more
            wait_until(lambda: taken_of_each() >= enough)

        first, *others = [start() for _ in range(3)]
        wait_for_slots(2)
        first.kill()
        wait_for_slots(1)
        for process in others:
            process.kill()
        made, last_ms = engine.count_executions(), engine.server_time_ms()
        # Nobody is there for two slots; they are late then, but not missed.
        wait_until(lambda: engine.server_time_ms() >= last_ms + 2_000)
        made_by_nobody = engine.count_executions() - made
        start()
        wait_for_slots(3)

        taken = {name: slots(engine, name) for name in timetable.NAMES}

    for name, found in taken.items():
        assert [later - earlier for earlier, later in pairwise(found)] == [timedelta(seconds=1)] * (len(found) - 1), (
            name
        )
        assert len(found) >= 6
    assert made_by_nobody == 0
