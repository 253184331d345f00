"""A payment that waits for a webhook: the provider calls back when it likes, perhaps twice, perhaps never.

The waitpoint has an alias, the provider's own number of the payment, so its webhook needs to know nothing of ours. The
webhook may come before anybody waits: it is kept. It may come twice: the number of its event makes it count once.

Run it: python examples/payment_webhook.py
"""

import asyncio
import json
from dataclasses import dataclass

from flowfabric import Context, FlowFabric, NoWaiter, WaitTimeout

ff = FlowFabric("memory://")  # with sqlite:///shop.db, or PostgreSQL, it would outlive the program


@dataclass
class Paid:
    """What the provider says in its webhook."""

    payment: str
    cents: int


def ask_provider(order: int, cents: int) -> str:
    """Stands for a call of the payment provider: it returns its own number of the payment."""
    return f"pay_{order}"


@ff.task
async def order(ctx: Context, number: int, cents: int, patience: str) -> str:
    payment = await ctx.step("ask", ask_provider, number, cents)
    await ctx.waitpoint("paid", alias=payment)
    try:
        paid = await ctx.wait("paid", Paid, timeout=patience)
    except WaitTimeout:
        return f"order {number}: nobody has paid, so nothing is sent"
    return f"order {number}: {paid.cents} cents are there, so it is sent"


async def webhook(event: str, body: bytes) -> str:
    """The route of a web application. The provider repeats it until the answer is 200."""
    engine = await ff.engine()
    payment = json.loads(body)["payment"]
    try:
        answer = await engine.signal_alias(payment, body, source="provider", idempotency_key=event)
    except NoWaiter:
        return f"404: nobody waits for {payment}"
    return f"200: {type(answer).__name__}"


async def main() -> None:
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(stop=stop))
        paid, unpaid = await order.submit(7, 990, "3d"), await order.submit(8, 120, "100ms")
        engine = await ff.engine()
        while not await engine.list_waitpoints(paid.execution_id):
            await asyncio.sleep(0.01)

        body = b'{"payment": "pay_7", "cents": 990}'
        for event in ("evt_1", "evt_1"):
            print(f"webhook {event}: {await webhook(event, body)}")
        print(f"webhook evt_2: {await webhook('evt_2', body.replace(b'pay_7', b'pay_9'))}")

        for handle in (paid, unpaid):
            print(await handle.result(timeout=30))
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
