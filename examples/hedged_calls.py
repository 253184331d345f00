"""Hedged calls: ask three mirrors at once, go on with the first answer, and stop the others.

Run it: python examples/hedged_calls.py
"""

import asyncio

from flowfabric import AnyOf, Context, FlowFabric

ff = FlowFabric("memory://")  # with sqlite:///calls.db, or PostgreSQL, it would outlive the program

ANSWERS_AFTER_S = {"paris": 3600.0, "oslo": 0.0, "rome": 3600.0}


@ff.task
async def fetch(ctx: Context, mirror: str, file: str) -> str:
    try:
        await asyncio.sleep(ANSWERS_AFTER_S[mirror])
    except asyncio.CancelledError:
        print(f"{mirror}: stopped")
        raise
    return f"{file} from {mirror}"


@ff.task
async def unpack(ctx: Context, copies: list[str]) -> str:
    return f"unpacked {copies[0]}"


async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(lease="1s", stop=stop))

        async with ff.flow("download") as flow:
            asked = flow.map(fetch, list(ANSWERS_AFTER_S), file="atlas.zip")
            first = unpack.options(join=AnyOf("cancel_remaining"))
            unpacked = flow.add(first, [each.output for each in asked])  # a list of those that have come: one

        print(await unpacked.result(timeout=30))
        for node in asked:
            described = await node.describe()
            print(f"{node.name}: {described.public_state} {described.cancellation_reason or ''}".rstrip())

        # Those that run are cancelled with their leases, and their code is stopped at once.
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
