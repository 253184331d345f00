"""One of several programs on one database, each with its own version of the code: it submits to all, and runs its own.

Arguments: a url, the lane that it serves, and all lanes. It says `ready` once its database is open, waits for a line,
and reports which code it is, who ran what it has submitted, and when every program has said that it is done, ends.
"""

import asyncio
import json
import sys
from pathlib import Path

import flowfabric
from flowfabric import FlowFabric

TASKS = 5


async def main(url: str, lane: str, lanes: list[str]) -> None:
    """Submit to everybody, and run what is submitted to its own lane until nothing more can come."""
    async with FlowFabric(url) as ff:

        @ff.task
        async def served(ctx: object, number: int) -> str:
            return f"{number} by {lane}"

        worker = asyncio.create_task(ff.run_worker(lanes=[lane]))
        print("ready", flush=True)  # noqa: T201
        await asyncio.to_thread(sys.stdin.readline)
        handles = [
            await served.options(lane=each, idempotency_key=f"{lane}/{each}/{number}").submit(number)
            for number in range(TASKS)
            for each in lanes
        ]
        results = [await handle.result(timeout=60) for handle in handles]
        print(json.dumps({"code": str(Path(flowfabric.__file__).parent), "results": results}), flush=True)  # noqa: T201
        await asyncio.to_thread(sys.stdin.readline)
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
