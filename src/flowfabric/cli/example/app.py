"""A small shop. Run a worker with `ff worker`, and then, in another terminal, `python app.py`."""

from flowfabric import Context, FlowFabric, Retry

ff = FlowFabric("sqlite:///flowfabric.db")  # or "postgresql://user:password@host/database"


def charge(order_id: int, cents: int) -> str:
    print(f"charging {cents} cents for order {order_id}")
    return f"receipt-{order_id}"


def pack(order_id: int) -> str:
    print(f"packing order {order_id}")
    return f"parcel-{order_id}"


# Two steps. A step that is done is not run again: not by a retry, and not after a crash.
@ff.task(retry=Retry(max_retries=3), timeout="2m")
async def fulfil(ctx: Context, order_id: int, cents: int) -> str:
    receipt = await ctx.step("charge", charge, order_id, cents)
    parcel = await ctx.step("pack", pack, order_id)
    return f"{parcel}, paid with {receipt}"


# Plain functions run in threads.
@ff.task
def thank(ctx: Context, customer: str, parcels: list[str]) -> str:
    return f"Thank you, {customer}! On their way: " + "; ".join(parcels)


if __name__ == "__main__":
    # One execution. When submit returns, it is on disk; its result may come much later.
    order = fulfil.submit_sync(order_id=1, cents=990)
    print(f"submitted {order.execution_id}")
    print(order.result_sync(timeout=60))

    # A flow: two orders side by side, and thanks when both are done. It is submitted as a whole when the block ends.
    with ff.flow("two-orders") as flow:
        first = flow.add(fulfil, order_id=2, cents=490)
        second = flow.add(fulfil, order_id=3, cents=1290)
        thanks = flow.add(thank, "Ada", [first.output, second.output])
    print(thanks.result_sync(timeout=60))
