"""An order as a flow: results are handed on, two quotes of three are enough, and a cancel waits for the worker.

                  ┌──▶ north ──┐
    check ──┬─────┼──▶ south ──┼── 2 of 3 ──▶ choose ──┐
            │     └──▶ west ───┘                       ├──▶ ship ──▶ mail
            └────────────▶ charge ─────────────────────┘

Run it: python examples/order_flow.py
"""

import asyncio
import json
import tempfile

from flowfabric import Claimed, Engine, FlowCancelled, FlowGraph, Quorum, Refused, open_engine

RENEW_S = 0.1
PRICES = {"north": (6.20, 0.0), "south": (5.90, 0.0), "west": (4.10, 3600.0)}
"""What each carrier asks, and how many seconds it takes to say so."""


def order(number: int, bank: str) -> FlowGraph:
    graph = FlowGraph("order", tags={"shop.order": str(number)})
    graph.node("check", "check", json.dumps({"order": number}).encode())
    graph.node("charge", "charge", bank.encode())
    graph.node("choose", "choose")
    graph.join("choose", Quorum(2, "cancel_remaining"))
    for carrier in PRICES:
        graph.node(carrier, "quote", carrier.encode())
        graph.edge("check", carrier, pass_result_as="parcel")
        graph.edge(carrier, "choose", pass_result_as=carrier)
    graph.node("ship", "ship")
    graph.node("mail", "mail")
    graph.edge("check", "charge", pass_result_as="parcel")
    graph.edge("charge", "ship", pass_result_as="receipt")
    graph.edge("choose", "ship", pass_result_as="carrier")
    graph.edge("ship", "mail", pass_result_as="tracking")
    return graph


async def step(claimed: Claimed) -> bytes:
    """What there is to do, and with what: the payload is the step's own, the inputs are results of those before it."""
    inputs = claimed.inputs
    match claimed.kind:
        case "check":
            return json.dumps({**json.loads(claimed.payload), "grams": 420}).encode()
        case "quote":
            price, takes_s = PRICES[claimed.payload.decode()]
            await asyncio.sleep(takes_s)
            return f"{price:.2f}".encode()
        case "choose":
            return min(inputs, key=lambda carrier: float(inputs[carrier])).encode()
        case "charge":
            await asyncio.sleep(3600.0 if claimed.payload == b"slow bank" else 0.0)
            return b"paid order %d" % json.loads(inputs["parcel"])["order"]
        case "ship":
            return inputs["carrier"] + b" carries it, " + inputs["receipt"]
        case _:
            return b"mailed: " + inputs["tracking"]


async def run(engine: Engine, claimed: Claimed) -> None:
    """Do one step, and renew its lease meanwhile. If that is refused, stop the step, and say that it has stopped."""
    doing = asyncio.create_task(step(claimed))
    try:
        while not (await asyncio.wait([doing], timeout=RENEW_S))[0]:
            await engine.renew(claimed.lease)
        await engine.complete(claimed.lease, doing.result())
    except Refused:
        doing.cancel()
        await asyncio.wait([doing])
        assert claimed.flow_id is not None
        await engine.ack_cancel_member(claimed.flow_id, claimed.execution_id)


async def work(engine: Engine) -> None:
    """Claim and run steps until cancelled."""
    async with asyncio.TaskGroup() as steps:
        while True:
            for claimed in await engine.claim(worker_id="shop", worker_instance_id="shop-1", limit=10):
                steps.create_task(run(engine, claimed))
            await asyncio.sleep(0.02)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with open_engine(f"sqlite:///{folder}/shop.db") as engine:
            worker = asyncio.create_task(work(engine))

            print("Order 7 goes all the way:")
            seven = await engine.submit_flow(order(7, "quick bank"))
            await engine.wait_for_result(seven.execution_ids["mail"], timeout_ms=20_000)
            print(" ", (await engine.get_result(seven.execution_ids["mail"]) or b"").decode())
            print("  west would have been cheaper.", await engine.explain(seven.execution_ids["west"]))

            print("Order 8 is cancelled while the bank takes its time:")
            eight = await engine.submit_flow(order(8, "slow bank"))
            await engine.wait_for_result(eight.execution_ids["choose"], timeout_ms=20_000)
            # This returns when the worker has said that it has stopped charging.
            answer = await engine.cancel_flow(eight.flow_id, reason="the customer changed her mind", wait=True)
            assert isinstance(answer, FlowCancelled)
            cancelled = [name for name, key in eight.execution_ids.items() if key in answer.member_execution_ids]
            print("  cancelled with it:", ", ".join(cancelled))

            for flow_id in (seven.flow_id, eight.flow_id):
                flow = await engine.describe_flow(flow_id)
                assert flow is not None
                print(f"order {flow.tags['shop.order']} is {flow.state}")

            worker.cancel()
            await asyncio.gather(worker, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(main())
