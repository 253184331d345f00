"""A trial period of 14 days, and its tests: two weeks pass in milliseconds.

The customer may subscribe at any moment. Two days before the end a mail reminds of it. Meanwhile nothing runs and no
process waits: workers can be stopped, replaced and started again.

Run it: pytest examples/test_trial.py
"""

from datetime import timedelta

import pytest

from flowfabric import Context, FlowFabric, WaitTimeout
from flowfabric.testing import Kit

# ── the program; usually a module of its own ─────────────────────────────────────────────────────

ff = FlowFabric("postgresql://shop@db.example/shop")
mails: list[str] = []
"""The mails that were sent."""


@ff.task(signals={"subscribed": str})
async def trial(ctx: Context, customer: str) -> str:
    await ctx.step("welcome", send, f"Welcome, {customer}!")
    try:
        plan = await ctx.wait("subscribed", str, timeout="12d")
    except WaitTimeout:
        await ctx.step("remind", send, f"{customer}, your trial ends in two days.")
        try:
            plan = await ctx.wait("subscribed", str, name="last days", timeout="2d")
        except WaitTimeout:
            await ctx.step("farewell", send, f"Goodbye, {customer}.")
            return "ended"
    return f"subscribed to {plan}"


def send(text: str) -> None:
    mails.append(text)


# ── the tests ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def ff_fabric() -> FlowFabric:
    """Which fabric `ff_kit` is for. With `flowfabric = "shop:ff"` in pytest's settings this is not needed."""
    mails.clear()
    return ff


def test_who_never_subscribes_is_reminded_once_and_leaves_after_fourteen_days(ff_kit: Kit) -> None:
    start = ff_kit.now
    customer = trial.submit_sync("Ada")

    ff_kit.run_to_the_end()

    assert customer.result_sync() == "ended"
    assert ff_kit.now - start == timedelta(days=14)
    assert mails == ["Welcome, Ada!", "Ada, your trial ends in two days.", "Goodbye, Ada."]


def test_who_subscribes_on_the_third_day_is_not_reminded(ff_kit: Kit) -> None:
    customer = trial.submit_sync("Ada")
    ff_kit.run_for("3d")

    ff_kit.signal(customer, "subscribed", "gold")
    ff_kit.run_until_idle()

    assert customer.result_sync() == "subscribed to gold"
    assert mails == ["Welcome, Ada!"]


def test_who_subscribes_on_the_last_day_stays(ff_kit: Kit) -> None:
    customer = trial.submit_sync("Ada")
    ff_kit.run_for("13d")

    ff_kit.signal(customer, "subscribed", "silver")
    ff_kit.run_to_the_end()

    assert customer.result_sync() == "subscribed to silver"
    assert mails[-1] == "Ada, your trial ends in two days."


def test_nothing_runs_and_no_attempt_is_used_up_while_the_trial_lasts(ff_kit: Kit) -> None:
    customer = trial.submit_sync("Ada")

    ff_kit.run_until_waiting(customer)

    assert customer.state_sync() == "suspended"
    ff_kit.signal(customer, "subscribed", "gold")
    ff_kit.run_to_the_end()
    assert ff_kit.attempts(customer) == ["success"]
