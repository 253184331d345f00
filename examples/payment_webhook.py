"""A payment that waits for a webhook: the provider calls back when it likes, perhaps twice, perhaps never.

The waitpoint has an alias, the number of the order. The provider gets that number and sends it back, so its webhook
needs to know nothing else of ours. The webhook may come before anybody waits: it is kept. It may come twice: the number
of its event makes it count once.

Run it: python examples/payment_webhook.py
"""

import asyncio
import json
from dataclasses import dataclass

from flowfabric import Context, FlowFabric, NoWaiter, WaitTimeout

ff = FlowFabric("memory://")  # with sqlite:///shop.db, or PostgreSQL, it would outlive the program

provider: asyncio.Queue[str] = asyncio.Queue()
"""The references of the payments that the provider was asked for."""


@dataclass
class Paid:
    """What the provider says in its webhook."""

    reference: str
    cents: int


async def ask_provider(reference: str, cents: int) -> None:
    await provider.put(reference)


@ff.task
async def order(ctx: Context, number: int, cents: int, patience: str) -> str:
    reference = f"order-{number}"
    await ctx.waitpoint("paid", alias=reference)  # before the provider can call back
    await ctx.step("ask", ask_provider, reference, cents)
    try:
        paid = await ctx.wait("paid", Paid, timeout=patience)
    except WaitTimeout:
        return f"{reference}: nobody has paid, so nothing is sent"
    return f"{reference}: {paid.cents} cents are there, so it is sent"


async def webhook(event: str, body: bytes) -> str:
    """The route of a web application. The provider repeats its call until the answer is 200."""
    engine = await ff.engine()
    reference = json.loads(body)["reference"]
    try:
        answer = await engine.signal_alias(reference, body, source="provider", idempotency_key=event)
    except NoWaiter:
        return f"404, nobody waits for {reference}"
    return f"200, {type(answer).__name__}"


async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop))
        paid = await order.submit(7, 990, "3d")
        reference = await provider.get()

        body = json.dumps({"reference": reference, "cents": 990}).encode()
        for event in ("evt_1", "evt_1"):
            print(f"webhook {event}: {await webhook(event, body)}")
        print(f"webhook evt_2: {await webhook('evt_2', body.replace(b'order-7', b'order-9'))}")
        print(await paid.result(timeout=30))

        unpaid = await order.submit(8, 120, "100ms")
        print(await unpaid.result(timeout=30))
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
