"""Tests of an order: a bank that is away for days, a worker that dies between payment and parcel, a change of mind.

Nothing here waits, and nothing reaches the database that the program names.

Run it: pytest examples/test_order.py
"""

from datetime import timedelta

import pytest

from flowfabric import Context, ExecutionNotCompleted, FlowFabric, Retry
from flowfabric.testing import Kit

# ── the program; usually a module of its own ─────────────────────────────────────────────────────

ff = FlowFabric("postgresql://shop@db.example/shop")
paid: list[int] = []
"""What the bank has taken, by order."""


@ff.task(retry=Retry(max_retries=4, initial_delay="1h", max_delay="3d", multiplier=12, jitter=0))
async def fulfil(ctx: Context, order_id: int) -> str:
    await ctx.step("pay", pay, order_id)
    return await ctx.step("ship", ship, order_id)


def pay(order_id: int) -> None:
    paid.append(order_id)


async def ship(order_id: int) -> str:
    return f"parcel {order_id}"


@ff.task
def thank(ctx: Context, parcel: str) -> str:
    return f"Thank you! Look out for {parcel}."


# ── the tests ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def ff_fabric() -> FlowFabric:
    """Which fabric `ff_kit` is for. With `flowfabric = "shop:ff"` in pytest's settings this is not needed."""
    paid.clear()
    return ff


def test_a_bank_that_is_away_for_six_days_costs_no_order(ff_kit: Kit) -> None:
    start = ff_kit.now
    ff_kit.at_step("pay", times=4).fail(ConnectionError("the bank does not answer"))
    order = fulfil.submit_sync(7)

    ff_kit.run_to_the_end()

    assert order.result_sync() == "parcel 7"
    assert ff_kit.attempts(order) == ["retry", "retry", "retry", "retry", "success"]
    assert ff_kit.now - start == timedelta(hours=1) + timedelta(hours=12) + 2 * timedelta(days=3)


def test_a_bank_that_stays_away_fails_the_order_and_nothing_was_paid(ff_kit: Kit) -> None:
    ff_kit.at_step("pay", times=5).fail(ConnectionError("the bank does not answer"))
    order = fulfil.submit_sync(7)

    ff_kit.run_to_the_end()

    assert paid == []
    with pytest.raises(ExecutionNotCompleted, match="the bank does not answer"):
        order.result_sync()


def test_a_worker_that_dies_after_the_payment_was_stored_does_not_pay_twice(ff_kit: Kit) -> None:
    ff_kit.at_step("pay", "stored").crash()
    order = fulfil.submit_sync(7)

    ff_kit.run_to_the_end()

    assert paid == [7]
    assert ff_kit.attempts(order) == ["interrupted", "success"]


def test_a_worker_that_dies_before_the_payment_was_stored_pays_twice(ff_kit: Kit) -> None:
    """Nobody can rule that out: this is why `ctx.fencing_token`, or the order's number, goes to a real bank."""
    ff_kit.at_step("pay", "unstored").crash()
    order = fulfil.submit_sync(7)

    ff_kit.run_to_the_end()

    assert paid == [7, 7]
    assert ff_kit.steps_run(order) == {"pay": 2, "ship": 1}


def test_an_order_that_is_cancelled_while_it_runs_is_not_shipped(ff_kit: Kit) -> None:
    ff_kit.at_step("ship").cancel("changed my mind")
    order = fulfil.submit_sync(7)

    ff_kit.run_to_the_end()

    assert order.state_sync() == "cancelled"
    assert ff_kit.steps_run(order) == {"pay": 1}


def test_the_customer_is_thanked_when_the_parcel_is_on_its_way(ff_kit: Kit) -> None:
    with ff.flow("order") as flow:
        parcel = flow.add(fulfil, 7)
        thanks = flow.add(thank, parcel.output)

    ff_kit.run_until_idle()

    assert thanks.result_sync() == "Thank you! Look out for parcel 7."
    assert ff_kit.ran == ["fulfil", "thank"]
