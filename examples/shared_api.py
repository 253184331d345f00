"""An API that allows 60 calls a minute, and three workers that share them.

The limit is kept in the database, so it holds for all workers together, on all machines. A call that must wait takes
no place in a worker. If the service says "too many requests" all the same, everyone stops for as long as it asks.

Run it: python examples/shared_api.py 1m
"""

import asyncio
import sys

from flowfabric import Context, FlowFabric, RateLimited

PER = sys.argv[1] if len(sys.argv) > 1 else "300ms"  # so short that you see the end; with 1m it takes over a minute
CALLS = 70

ff = FlowFabric("memory://")  # with PostgreSQL the workers could be on three machines: `ff worker shared_api:ff`
# At most 5 at once, and then one after the other: never more than 55 + 5 in any minute.
weather = ff.limit("weather", rate=55, per=PER, burst=5)

refused_once = ["Rome"]
"""The service has a bad moment, and refuses this call."""


@ff.task(limits=[weather])
async def forecast(ctx: Context, city: str) -> str:
    if city in refused_once:
        refused_once.remove(city)
        raise RateLimited(weather, retry_after="100ms")  # usually the header Retry-After of an answer 429
    return f"{city}: sunny"


async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        names = ("anna", "bert", "cora")
        workers = [asyncio.create_task(ff.run_worker(worker_id=name, stop=stop)) for name in names]

        cities = ["Rome", *(f"city {number}" for number in range(1, CALLS))]
        handles = await forecast.submit_many([forecast.bind(city) for city in cities])
        answers = [await handle.result(timeout=120) for handle in handles]
        print(f"{len(answers)} answers; {answers[0]}")

        engine = await ff.engine()
        limit = await engine.describe_limit("weather")
        assert limit is not None
        attempts = [attempt for each in handles for attempt in await engine.list_attempts(each.execution_id)]
        starts = [attempt.started_at_ms for attempt in attempts if attempt.started_at_ms is not None]
        most = max(sum(at <= start < at + limit.per_ms for start in starts) for at in starts)
        print(f"{len(starts)} calls, {len(starts) - CALLS} refused; more than 60 in {PER}: {most > 60}")
        stop.set()
        await asyncio.gather(*workers)


if __name__ == "__main__":
    asyncio.run(main())
