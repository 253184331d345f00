"""An order with steps, and a payment that a late worker cannot make.

Order 7: the carrier does not answer at first. The order is tried again, and what was done is not done again.
Order 8: a worker freezes in front of the bank. Its lease is taken away, another attempt pays, and when the first one
thaws, the bank refuses it.

Run it: python examples/order.py
"""

import asyncio
import logging
import threading

from flowfabric import Context, FlowFabric, Retry

ff = FlowFabric("memory://")  # with sqlite:///shop.db, or PostgreSQL, it would outlive the program


class Bank:
    """The outside world. It keeps the highest token of each payment, and refuses whoever comes with a lower one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens: dict[str, int] = {}
        self.taken: list[int] = []

    def pay(self, payment: str, *, token: int, cents: int) -> str:
        with self._lock:
            highest = self._tokens.get(payment, 0)
            if token < highest:
                raise PermissionError("a later attempt was here before")
            if payment not in self._tokens:
                self.taken.append(cents)  # paying again under the same or a higher token takes nothing more
            self._tokens[payment] = token
        return f"receipt for {cents} cents"


bank = Bank()
at_the_bank, thawed, refused = threading.Event(), threading.Event(), threading.Event()


@ff.task(retry=Retry(max_retries=3, initial_delay="100ms"))
async def fulfil(ctx: Context, order_id: int, cents: int) -> str:
    # The token is another one in each attempt, so it is no argument of the step: those have to be the same.
    def charge(order_id: int, cents: int) -> str:
        print(f"order {order_id}: attempt {ctx.attempt_index} charges")
        if order_id == 8 and ctx.attempt_index == 0:
            freeze()
        try:
            return bank.pay(ctx.execution_id, token=ctx.fencing_token, cents=cents)
        except PermissionError as error:
            print(f"order {order_id}: the bank refuses attempt {ctx.attempt_index}: {error}")
            refused.set()
            raise

    def ship(order_id: int) -> str:
        print(f"order {order_id}: attempt {ctx.attempt_index} ships")
        if order_id == 7 and ctx.attempt_index == 0:
            raise ConnectionError("the carrier does not answer")
        return f"parcel {order_id}"

    receipt = await ctx.step("charge", charge, order_id, cents)
    parcel = await ctx.step("ship", ship, order_id)
    return f"{parcel}, with the {receipt}"


def freeze() -> None:
    """What a suspended machine does to a worker: nobody can stop it, and it goes on when all is over."""
    at_the_bank.set()
    thawed.wait(timeout=60)


async def main() -> None:
    # Failed attempts are logged with their tracebacks; here they are part of the story.
    logging.getLogger("flowfabric.worker").setLevel(logging.ERROR)
    async with ff:
        stop = asyncio.Event()
        worker = asyncio.create_task(ff.run_worker(lease="1s", stop=stop))

        seven = await fulfil.submit(order_id=7, cents=990)
        print(await seven.result(timeout=30))

        eight = await fulfil.submit(order_id=8, cents=120)
        await asyncio.to_thread(at_the_bank.wait, 30)
        # Its lease would run out by itself; an operator need not wait for that.
        await (await ff.engine()).revoke_lease(eight.execution_id, reason="its worker does not move")
        print(await eight.result(timeout=30))
        thawed.set()
        await asyncio.to_thread(refused.wait, 30)

        print(f"the bank took {bank.taken}")
        stop.set()
        await worker


if __name__ == "__main__":
    asyncio.run(main())
