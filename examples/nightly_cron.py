"""A nightly report and a weekly clean-up, through a year in which clocks change and the machine is down for a weekend.

Time is the example's own, so that the year takes a second. Run it: python examples/nightly_cron.py
"""

import asyncio
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from flowfabric import Context, FlowFabric, ManualClock

BERLIN = ZoneInfo("Europe/Berlin")
DAY_MS = 86_400_000

clock = ManualClock(int(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1000))
ff = FlowFabric("memory://", clock=clock)
reports: list[datetime] = []
clean_ups: list[datetime] = []


@ff.task(cron="30 2 * * *", timezone="Europe/Berlin", catch_up="all")
async def report(ctx: Context) -> None:
    assert ctx.scheduled_at is not None  # the night that the report is of, however late it is written
    reports.append(ctx.scheduled_at.astimezone(BERLIN))


@ff.task
async def clean_up(ctx: Context, folder: str) -> None:
    assert ctx.scheduled_at is not None
    clean_ups.append(ctx.scheduled_at.astimezone(BERLIN))


ff.cron("0 4 * * sun", clean_up.bind(folder="uploads"), timezone="Europe/Berlin", name="clean up uploads")


async def live_until(end: datetime) -> None:
    """What a worker does all day: fire what is due, and come back at the next slot. Here time jumps there."""
    engine = await ff.engine()
    while True:
        fired = [await engine.fire_schedule(schedule) for schedule in ff.schedules.values()]
        for execution_id in (execution_id for answer in fired for execution_id in answer.execution_ids):
            await engine.wait_for_result(execution_id, timeout_ms=30_000)
        next_slot_ms = min(answer.next_slot_ms for answer in fired if answer.next_slot_ms is not None)
        if next_slot_ms >= end.timestamp() * 1000:
            return
        clock.advance(next_slot_ms - clock.now_ms)


async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop, poll="10ms"))  # usually: `ff worker nightly_cron:ff`
        await live_until(datetime(2026, 7, 4, tzinfo=UTC))
        clock.advance(3 * DAY_MS)  # nobody is there on Saturday, Sunday and Monday
        await live_until(datetime(2027, 1, 1, tzinfo=UTC))
        stop.set()
        await worker

    print(f"{len(reports)} reports of {len({night.date() for night in reports})} nights")
    print(f"{len(clean_ups)} clean-ups of {len({sunday.date() for sunday in clean_ups})} Sundays")
    for night in sorted(reports):
        if night.date().isoformat() in ("2026-03-29", "2026-10-25"):
            print(f"clocks changed on {night:%d %B}; the report is of {night:%H:%M %Z}")


if __name__ == "__main__":
    asyncio.run(main())
