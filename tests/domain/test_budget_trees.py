"""Trees of budgets: no chain is too long and none is a ring, in whichever order parents are set."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from flowfabric.domain.budgets import DEPTH_MAX, Budget, BudgetUse, is_old_use
from flowfabric.domain.commands import SetBudget
from flowfabric.domain.cron import Cron
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.gate_inputs import period
from tests.domain.gate_stage import Stage
from tests.domain.gate_world import NS

DAY_MS = 86_400_000
NOW = 1_000 * DAY_MS


def _set(name: str, parent: str | None = None) -> SetBudget:
    return SetBudget(NS, name, {"usd": 100}, {}, None, parent, "pause", False)


def _depth(stage: Stage) -> int:
    """How many budgets the longest chain has."""
    longest = 0
    for budget in stage.store._budgets.values():
        chain = [budget.name]
        while (parent := stage.store._budgets[NS, chain[-1]].parent) is not None:
            assert parent not in chain
            chain.append(parent)
        longest = max(longest, len(chain))
    return longest


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_one_link_of_five_budgets_is_refused_in_whichever_order_they_are_linked(
    order: tuple[int, ...], together: bool
) -> None:
    stage = Stage()
    for name in "abcde":
        stage.budget(name)
    links = [_set("abcde"[number], "abcde"[number + 1]) for number in order]

    answers = stage.send(*links) if together else [answer for link in links for answer in stage.send(link)]

    refused = [answer for answer in answers if isinstance(answer, InvalidInput)]
    assert len(refused) == 1
    assert "a → b → c → d → e would be 5 budgets deep, and the limit is 4" in str(refused[0])
    assert _depth(stage) <= DEPTH_MAX


def test_a_budget_may_be_set_again_where_it_is() -> None:
    stage = Stage()
    for name, parent in (("d", None), ("c", "d"), ("b", "c"), ("a", "b")):
        stage.budget(name, parent=parent)

    stage.budget("c", {"usd": 7}, parent="d")

    assert stage.store._budgets[NS, "c"].limits == {"usd": 7}


def test_a_ring_that_two_operators_have_closed_at_once_can_be_opened() -> None:
    stage = Stage()
    for name, parent in (("c", None), ("b", "c"), ("a", "b"), ("d", None)):
        stage.budget(name, parent=parent)
    stage.store._budgets[NS, "c"] = replace(stage.store._budgets[NS, "c"], parent="a")

    stage.budget("c", parent="d")

    assert _depth(stage) == 4


@pytest.mark.parametrize(
    ("kind", "began_days_ago", "is_old"),
    [
        ("day", 0, False),
        ("day", 90, False),  # it ended 89 days ago
        ("day", 91, True),
        ("month", 125, True),
        (None, 1_000, False),
    ],
)
def test_a_use_is_old_90_days_after_its_period(kind: str | None, began_days_ago: int, is_old: bool) -> None:
    timing = period(kind, "UTC")
    assert not isinstance(timing, int)
    budget = Budget(NS, "team", {"usd": 1}, {}, timing, None, "pause")
    now_ms = NOW + 1
    use = BudgetUse(NS, "team", budget.period_at(now_ms - began_days_ago * DAY_MS), {"usd": 1})

    assert is_old_use(budget, use, now_ms) is is_old
    assert not is_old_use(budget, replace(use, reserved={"usd": 1}), now_ms)


def test_a_use_of_a_period_that_the_budget_has_no_longer_gets_old_too() -> None:
    budget = Budget(NS, "team", {"usd": 1}, {}, None, None, "pause")
    days = Cron("0 0 * * *", "UTC")

    assert is_old_use(budget, BudgetUse(NS, "team", days.latest(0, NOW - 91 * DAY_MS) or 0), NOW)
    assert not is_old_use(budget, BudgetUse(NS, "team", days.latest(0, NOW - 89 * DAY_MS) or 0), NOW)
