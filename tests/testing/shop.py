"""A program to be tested. Its database is nowhere, so a test that reached for it would fail."""

from flowfabric import Context, FlowFabric, Retry

ff = FlowFabric("postgresql://nobody@nowhere.invalid/shop")

bank: list[str] = []
"""What was paid: the outside world."""


@ff.task(retry=Retry(max_retries=3, backoff="fixed", initial_delay="3d", max_delay="3d", jitter=0))
async def charge(ctx: Context, order_id: int, declined: int = 0) -> str:
    if ctx.attempt_index < declined:
        raise ConnectionError("the bank does not answer")
    return f"charge-{order_id}"


@ff.task(lane="mail")
def receipt(ctx: Context, charge_id: str) -> str:
    return f"receipt for {charge_id}"


@ff.task
async def order(ctx: Context, order_id: int) -> None:
    await charge.options(priority=5).submit(order_id)


@ff.task
async def fulfil(ctx: Context, order_id: int) -> str:
    """Two steps on the loop."""

    async def pay() -> str:
        bank.append(f"pay-{ctx.attempt_index}")
        return "paid"

    async def ship() -> str:
        bank.append(f"ship-{ctx.attempt_index}")
        return "shipped"

    return f"{await ctx.step('pay', pay)} and {await ctx.step('ship', ship)}"


@ff.task
async def fulfil_with_threads(ctx: Context, order_id: int) -> str:
    """The same with plain functions, which run in threads, and with a coroutine that is made in one."""

    def pay() -> str:
        bank.append(f"pay-{ctx.attempt_index}")
        return "paid"

    async def ship() -> str:
        bank.append(f"ship-{ctx.attempt_index}")
        return "shipped"

    return f"{await ctx.step('pay', pay)} and {await ctx.step('ship', lambda: ship())}"


@ff.task
def fulfil_in_a_thread(ctx: Context, order_id: int) -> str:
    """The same as a plain function."""

    def pay() -> str:
        bank.append(f"pay-{ctx.attempt_index}")
        return "paid"

    def ship() -> str:
        bank.append(f"ship-{ctx.attempt_index}")
        return "shipped"

    return f"{ctx.step_sync('pay', pay)} and {ctx.step_sync('ship', ship)}"
