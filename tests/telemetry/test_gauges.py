"""Gauges that are read from the store: they are there without a worker, and cost a bounded part of the time."""

import asyncio
from typing import Any

import pytest

from flowfabric import Engine, ManualClock, NewExecution, NewSchedule, Page, StoreUnavailable, open_engine
from flowfabric.domain.snapshots import LaneSnapshot, Stats
from flowfabric.telemetry.counting import NAMES_MAX
from flowfabric.telemetry.gauges import KEPT_S, StoreGauges
from flowfabric.telemetry.metrics import Metrics
from tests.telemetry.scraping import shown_in


class Watch:
    """A monotonic clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def scraped(gauges: StoreGauges) -> dict[str, float]:
    return shown_in((await gauges.rendered()).body.decode())


def test_the_gauges_of_a_store_are_there_without_a_worker(store_url: str, clock: ManualClock) -> None:
    async def main() -> dict[str, float]:
        async with open_engine(store_url, clock=clock, reconcile=False, migrate=True) as engine:
            await _fill(engine, clock)
            return await scraped(StoreGauges(Metrics(), engine))

    found = asyncio.run(main())

    assert found["store_up"] == 1
    assert found["executions waiting"] == 2
    assert found["executions suspended"] == found["executions rate_limited"] == 1
    assert found["ready mail"] == 2
    assert found["oldest_ready_seconds mail"] == 70
    assert found["workers mail"] == 0
    assert found["lane_paused mail"] == 1
    assert found["lane_paused slow"] == 0
    assert found["suspended slow"] == found["active slow"] == found["lane_parked slow"] == 1
    assert found["oldest_suspended_seconds slow"] == 70
    assert found["parked gpu"] == found["limit_running gpu"] == 1
    assert found["budget_spent_ratio money cents"] == 0.25
    assert found["schedule_lag_seconds nightly"] == 10
    assert found["event_log_rows"] >= 4
    assert store_url.startswith("memory") or found["schema_version"] > 0


async def _fill(engine: Engine, clock: ManualClock) -> None:
    lease: dict[str, Any] = {"worker_id": "w", "worker_instance_id": "w-1", "lanes": ["slow"], "lease_ttl_ms": 900_000}
    await engine.set_limit("gpu", concurrency=1)
    await engine.set_budget("money", limits={"cents": 100})
    await engine.charge_budget("money", {"cents": 25}, reason="test")
    clock.advance(60_000 - clock.now_ms % 60_000)
    await engine.fire_schedule(NewSchedule(name="nightly", kind="report", every_ms=60_000))
    await engine.create_executions([NewExecution(kind="mail", lane="mail") for _ in range(2)])
    await engine.create_execution("waits", lane="slow")
    (waiting,) = await engine.claim(**lease)
    await engine.suspend(waiting.lease, "wait", "go")
    for _ in range(2):
        await engine.create_execution("draws", lane="slow", limits={"gpu": ""})
    await engine.claim(limit=2, **lease)
    await engine.pause_lane("mail", reason="test")
    clock.advance(70_000)


def test_a_read_is_kept_and_longer_if_it_took_long() -> None:
    watch, reads = Watch(), 0

    class Slow(_Nothing):
        async def stats(self) -> Stats:
            nonlocal reads
            reads += 1
            watch.now += 2.0
            return await super().stats()

    async def main() -> list[int]:
        gauges = StoreGauges(Metrics(), Slow(), monotonic=watch)
        seen = []
        for pause_s in (0.0, KEPT_S + 1, 10 * 2.0 - KEPT_S - 2, 1.5):
            watch.now += pause_s
            await gauges.refresh()
            seen.append(reads)
        return seen

    assert asyncio.run(main()) == [1, 1, 1, 2]


def test_a_store_that_is_away_is_shown_as_down_and_the_counts_stay() -> None:
    class Away(_Nothing):
        async def stats(self) -> Stats:
            raise StoreUnavailable("gone")

    async def main() -> dict[str, float]:
        return await scraped(StoreGauges(Metrics(), Away()))

    found = asyncio.run(main())

    assert found["store_up"] == 0
    assert "executions waiting" not in found
    assert found["commits_in_doubt_total"] == 0


def test_two_scrapes_at_once_read_once() -> None:
    class Waiting(_Nothing):
        reads = 0

        async def stats(self) -> Stats:
            self.reads += 1
            await asyncio.sleep(0)
            return await super().stats()

    async def main() -> int:
        engine = Waiting()
        gauges = StoreGauges(Metrics(), engine)
        await asyncio.gather(*(gauges.refresh() for _ in range(5)))
        return engine.reads

    assert asyncio.run(main()) == 1


@pytest.mark.parametrize("closes", [False, True])
def test_many_lanes_are_added_up_and_closed_gauges_are_gone(closes: bool) -> None:
    async def main() -> dict[str, float]:
        gauges = StoreGauges(metrics, _Nothing(lanes=NAMES_MAX + 3))
        await gauges.refresh()
        if closes:
            gauges.close()
        return shown_in(metrics.render().body.decode())

    metrics = Metrics()
    ready = {key: n for key, n in asyncio.run(main()).items() if key.startswith("ready ")}

    assert len(ready) == (0 if closes else NAMES_MAX + 1)
    assert closes or ready["ready other"] == 3


class _Nothing:
    """The reads of a store with some lanes and nothing else."""

    def __init__(self, lanes: int = 0) -> None:
        names = [f"lane {number}" for number in range(lanes)]
        self._lanes = [LaneSnapshot("default", name, None, "", 1, 0, 0, 0, None, 0, 0) for name in names]

    async def stats(self) -> Stats:
        return Stats({}, {}, None, 0, 0, None, None)

    async def list_lanes(self) -> list[LaneSnapshot]:
        return self._lanes

    async def list_schedules(self) -> list[Any]:
        return []

    async def list_limits(self, *, limit: int) -> Page:
        return Page([], None)

    async def list_budgets(self, *, limit: int) -> Page:
        return Page([], None)

    async def server_time_ms(self) -> int:
        return 0
