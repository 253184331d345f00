"""The smallest program: a task that is retried until it works, and a worker beside it.

Run it: python examples/hello.py
"""

import asyncio
import logging

from flowfabric import Context, FlowFabric, Retry

ff = FlowFabric("memory://")  # with sqlite:///hello.db, or PostgreSQL, it would outlive the program


@ff.task(
    retry=Retry(max_retries=5, initial_delay="100ms", give_up_on=(ValueError,)),
    idempotency=lambda name: name,
)
async def greet(ctx: Context, name: str) -> str:
    if ctx.attempt_index < 2:
        print(f"attempt {ctx.attempt_index}: nobody opens the door")
        raise ConnectionError("nobody at home")
    print(f"attempt {ctx.attempt_index}: {name} opens the door")
    return f"Hello, {name}!"


async def main() -> None:
    # Failed attempts are logged with their tracebacks; here they are part of the story.
    logging.getLogger("flowfabric.worker").setLevel(logging.ERROR)
    async with ff:
        # Usually a process of its own: `ff worker hello:ff`.
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop))

        handle = await greet.submit("Ada")
        again = await greet.submit("Ada")  # the task has a key for each name, so this is the same greeting
        print(f"submitted once: {again.execution_id == handle.execution_id}")
        print(await handle.result(timeout=30))
        async for event in handle.events():
            print(f"  {event.seq}. {event.channel}: {event.event_type}")

        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
