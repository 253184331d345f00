"""One engine in one process, told by its parent what to do: `create N`, `bulk N`, `drain`, `single N`, a line each."""

import asyncio
import sys

from workload import CALLERS, create_all, create_in_bulk, drain_all, one_at_a_time

from flowfabric import open_engine


async def main(url: str, callers: int) -> None:
    """Do what the lines say, and answer each with one line."""
    loop = asyncio.get_running_loop()
    async with open_engine(url, reconcile=False) as engine:
        print("ready", flush=True)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            verb, *numbers = line.split()
            if verb == "create":
                print(await create_all(engine, int(numbers[0]), callers), flush=True)
            elif verb == "bulk":
                print(await create_in_bulk(engine, int(numbers[0])), flush=True)
            elif verb == "drain":
                print(await drain_all(engine, callers), flush=True)
            elif verb == "single":
                measured = await one_at_a_time(engine, int(numbers[0]))
                print(measured.create, measured.drain, measured.whole, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else CALLERS))
