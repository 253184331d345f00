"""Fair tenants: one of them orders 100 letters, and the tenants after that need not wait until all these are sent.

Tenants take turns. And no tenant has more than two letters under way, so that one alone cannot take all places of the
workers. A tenant who pays for more gets another number.

Run it: python examples/fair_tenants.py
"""

import asyncio
from collections import Counter
from typing import NamedTuple

from flowfabric import Context, FlowFabric

ff = FlowFabric("memory://")  # with sqlite:///letters.db, or PostgreSQL, it would outlive the program
tenants = ff.limit("tenant", concurrency=2)  # for each tenant by itself

sent: list[str] = []
"""Whose letters were sent, in order."""
under_way: Counter[str] = Counter()
most: Counter[str] = Counter()


class Letter(NamedTuple):
    tenant: str
    number: int


@ff.task(limits=[tenants(lambda letter: letter.tenant)], fair_by=lambda letter: letter.tenant)
async def send(ctx: Context, letter: Letter) -> None:
    sent.append(letter.tenant)
    under_way[letter.tenant] += 1
    most[letter.tenant] = max(most[letter.tenant], under_way[letter.tenant])
    await asyncio.sleep(0.001)  # the printer
    under_way[letter.tenant] -= 1


async def main() -> None:
    async with ff:
        handles = await send.submit_many([send.bind(Letter("big", number)) for number in range(100)])
        for tenant in ("ann", "bob"):  # they come later
            handles += await send.submit_many([send.bind(Letter(tenant, number)) for number in range(3)])
        print(f"{len(handles)} letters wait, 100 of them of one tenant")

        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(concurrency=8, stop=stop))
        for handle in handles:
            await handle.result(timeout=30)
        for tenant in ("ann", "bob"):
            print(f"{tenant}: the last letter was number {max(at for at, who in enumerate(sent, 1) if who == tenant)}")
        print(f"most letters under way: {dict(sorted(most.items()))}")

        # The big one pays for more. Usually an operator: `ff limits set tenant --key big --concurrency 6`
        engine = await ff.engine()
        await engine.set_limit("tenant", key="big", concurrency=6)
        for tenant in ("big", "ann"):
            limit = await engine.describe_limit("tenant", tenant)
            assert limit is not None
            print(f"{tenant}: {limit.in_use} of {limit.concurrency} in use")
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
