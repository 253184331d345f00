"""An agent that may spend five dollars a day, and its tests: it stops in the middle, and goes on the next morning.

What the model said before the money ran out is stored, so nothing is asked, and nothing is paid, twice. Meanwhile
nothing runs and no process waits.

Run it: pytest examples/test_agent_budget.py
"""

from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from flowfabric import Context, FlowFabric
from flowfabric.testing import Kit

# ── the program; usually a module of its own ─────────────────────────────────────────────────────

ff = FlowFabric("postgresql://agents@db.example/agents")

DOLLAR = 1_000_000
"""Money is counted in millionths of a dollar, so that a token of a model has a whole price."""
purse = ff.budget("agents", usd_micros=5 * DOLLAR, period="day", timezone="Europe/Berlin")
asked: list[str] = []
"""The questions that the model has heard."""


class Answer(NamedTuple):
    text: str
    usd_micros: int


def ask_model(question: str) -> Answer:
    """Stands for a language model. A real one says how many tokens it took."""
    asked.append(question)
    return Answer(f"all about {question}", DOLLAR)


def what_it_cost(answer: Answer) -> dict[str, int]:
    return {"usd_micros": answer.usd_micros}


@ff.task(budgets={purse: {"usd_micros": DOLLAR}})  # it does not even begin with less than this
async def research(ctx: Context, topics: list[str]) -> list[str]:
    notes = []
    for topic in topics:
        paid = ctx.metered(purse, cost=what_it_cost)  # the answer and its price are stored together
        notes.append((await paid.step(f"ask about {topic}", ask_model, topic)).text)
    return notes


# ── the tests ────────────────────────────────────────────────────────────────────────────────────

TOPICS = ["bees", "clover", "honey", "hives", "smoke", "wax", "queens"]
NOON = datetime(2026, 11, 16, 11, tzinfo=UTC)
"""Twelve o'clock in Berlin."""
MIDNIGHT = datetime(2026, 11, 16, 23, tzinfo=UTC)
at_noon = pytest.mark.ff_kit(start=NOON)


@pytest.fixture
def ff_fabric() -> FlowFabric:
    """Which fabric `ff_kit` is for. With `flowfabric = "agents:ff"` in pytest's settings this is not needed."""
    asked.clear()
    return ff


@at_noon
def test_it_stops_at_five_dollars_and_goes_on_the_next_morning(ff_kit: Kit) -> None:
    agent = research.submit_sync(TOPICS)

    (waits,) = ff_kit.run_until_idle()
    assert asked == TOPICS[:5]
    assert agent.state_sync() == "rate_limited"
    assert "5,000,000 of 5,000,000 usd_micros are used; the next period begins in 12 h" in waits

    ff_kit.run_to_the_end()
    assert agent.result_sync() == [f"all about {topic}" for topic in TOPICS]
    assert asked == TOPICS  # each once
    assert ff_kit.now == MIDNIGHT
    assert ff_kit.attempts(agent) == ["released", "success"]  # it was given back, and has used up no retry


@at_noon
def test_a_second_agent_does_not_begin_without_money(ff_kit: Kit) -> None:
    first, second = research.submit_sync(TOPICS[:5]), research.submit_sync(["frost"])

    ff_kit.run_until_idle()

    assert (first.state_sync(), second.state_sync()) == ("completed", "rate_limited")
    ff_kit.run_to_the_end()
    assert second.result_sync() == ["all about frost"]


@at_noon
def test_with_more_money_it_goes_on_at_once(ff_kit: Kit) -> None:
    agent = research.submit_sync(TOPICS)
    ff_kit.run_until_idle()

    # Usually an operator: `ff budgets set agents --limit usd_micros=9000000 --period day --timezone Europe/Berlin`
    limits = {"usd_micros": 9 * DOLLAR}
    ff_kit.engine.set_budget("agents", limits=limits, period="day", timezone="Europe/Berlin")
    ff_kit.run_until_idle()

    assert len(agent.result_sync()) == len(TOPICS)
    assert ff_kit.now == NOON


@at_noon
def test_what_a_lost_worker_had_reserved_counts_as_spent(ff_kit: Kit) -> None:
    ff_kit.at_step("ask about bees", "unstored").crash()  # the model was asked, and its answer is lost
    agent = research.submit_sync(["bees"])

    ff_kit.run_to_the_end()

    used = ff_kit.engine.describe_budget("agents")
    assert used is not None
    assert asked == ["bees", "bees"]
    assert (used.used, used.assumed) == ({"usd_micros": 2 * DOLLAR}, {"usd_micros": DOLLAR})
    assert ff_kit.attempts(agent)[-1] == "success"
