"""`explain` of executions that wait for a limit or a budget."""

import pytest
from msgspec.structs import replace

from flowfabric.domain.budgets import Budget, BudgetUse
from flowfabric.domain.cron import Cron
from flowfabric.domain.execution import Execution
from flowfabric.domain.explaining import explain
from flowfabric.domain.explaining_gates import FullBudget, FullLimit
from flowfabric.domain.gate_snapshots import KeyView, gates_snapshot_of
from flowfabric.domain.gates import Gate, Gates
from flowfabric.domain.limits import KeyUse, Limit
from tests.domain.records import an_execution

NOW = 1_700_000_000_000
HOUR = 3_600_000
AT = ("default", "tenant", "t-7")


def parked(gate: Gate) -> Execution:
    state = "blocked_by_budget" if gate[0] == "budget" else "blocked_by_quota"
    return replace(an_execution(), eligibility_state=state, gates=Gates(parked=gate))


def a_view(
    *,
    concurrency: int | None = None,
    rate: int | None = None,
    in_use: int = 0,
    busy_until_us: int = 0,
    paused_until_ms: int = 0,
) -> KeyView:
    numbers = Limit("default", "tenant", None, concurrency, rate, 60_000, None)
    return KeyView(numbers, KeyUse(*AT, in_use, busy_until_us, paused_until_ms), 3)


@pytest.mark.parametrize(
    ("at_gate", "said"),
    [
        (
            FullLimit(a_view(concurrency=2, in_use=2), ["a", "b"], 14),
            ": 2 of 2 in use by a, b; 14 are in front of it.",
        ),
        (
            FullLimit(a_view(concurrency=5, in_use=5), ["a", "b", "c"], 1),
            ": 5 of 5 in use by a, b, c and 2 more; 1 is in front of it.",
        ),
        (
            FullLimit(a_view(rate=1, busy_until_us=(NOW + 3_000) * 1000), [], 0),
            ": it allows 1 start in 60 s; the next start is possible in 3 s.",
        ),
        (
            FullLimit(a_view(concurrency=2, in_use=2, paused_until_ms=NOW + 20_000), ["a"], 1_200),
            ", which is paused for another 20 s; 1,200 are in front of it.",
        ),
        (
            FullLimit(a_view(concurrency=2, in_use=1), ["a"], 2),
            ", which has room again (1 of 2 in use); it goes to the queue at the next sweep; 2 are in front of it.",
        ),
        (FullLimit(None, [], 0), ", which was removed; it goes to the queue at the next sweep."),
        (None, "."),
    ],
)
def test_a_limit_says_why_nothing_starts_and_who_is_in_front(at_gate: FullLimit | None, said: str) -> None:
    x = parked(("limit", "tenant", "t-7"))

    assert explain(x, NOW, at_gate=at_gate) == f"It waits for limit tenant[t-7]{said}"


def test_the_limit_for_everyone_is_named_without_a_key() -> None:
    full = FullLimit(a_view(concurrency=1, in_use=1), ["a"], 0)

    assert explain(parked(("limit", "openai", "")), NOW, at_gate=full) == (
        "It waits for limit openai: 1 of 1 in use by a."
    )


def a_budget(*, has_periods: bool = True) -> Budget:
    # 1,700,000,000,000 is 22:13:20 in universal time.
    period = Cron("0 0 * * *") if has_periods else None
    return Budget("default", "team-a", {"usd": 10, "tokens": 5_000}, {}, period, None, "pause")


@pytest.mark.parametrize(
    ("use", "needs", "said"),
    [
        (
            {"used": {"usd": 9}, "reserved": {"usd": 1}},
            {"usd": 2},
            ": 9 of 10 usd are used and 1 reserved, and it needs 2; the next period begins in 107 min.",
        ),
        (
            {"used": {"tokens": 4_999}},
            {"tokens": 1_000},
            ": 4,999 of 5,000 tokens are used, and it needs 1,000; the next period begins in 107 min.",
        ),
        ({"used": {"usd": 12}}, {"tokens": 1}, ": 12 of 10 usd are used; the next period begins in 107 min."),
        ({}, {"usd": 2}, ", which has room again; it goes to the queue at the next sweep."),
        (
            {"used": {"usd": 1}},
            {"usd": 11},
            ": 1 of 10 usd is used, and it needs 11, so it never starts unless the limit is raised.",
        ),
    ],
)
def test_a_budget_says_what_is_used_what_is_needed_and_when_it_begins_anew(
    use: dict[str, dict[str, int]], needs: dict[str, int], said: str
) -> None:
    budget = a_budget()
    at_gate = FullBudget(
        budget, BudgetUse("default", "team-a", 0, use.get("used", {}), use.get("reserved", {})), needs, 0
    )

    assert explain(parked(("budget", "team-a", "")), NOW, at_gate=at_gate) == f"It waits for budget team-a{said}"


def test_a_budget_without_periods_waits_for_an_operator_and_those_in_front_are_counted() -> None:
    use = BudgetUse("default", "team-a", 0, {"usd": 10})
    at_gate = FullBudget(a_budget(has_periods=False), use, {"usd": 2}, 3)

    assert explain(parked(("budget", "team-a", "")), NOW, at_gate=at_gate) == (
        "It waits for budget team-a: 10 of 10 usd are used; it has no periods, so only an operator makes room; "
        "3 are in front of it."
    )


@pytest.mark.parametrize(
    ("gate", "seen"),
    [
        (None, (None, None, None)),
        (("limit", "openai", ""), ("openai", "", None)),
        (("limit", "tenant", "t-7"), ("tenant", "t-7", None)),
        (("budget", "team-a", ""), (None, None, "team-a")),
    ],
)
def test_a_snapshot_says_what_an_execution_waits_for(
    gate: Gate | None, seen: tuple[str | None, str | None, str | None]
) -> None:
    found = gates_snapshot_of(Gates((("openai", ""),), (("team-a", {"usd": 2}),), "t-7", parked=gate))

    assert (found.parked_at_limit, found.parked_at_key, found.parked_at_budget) == seen
    assert (found.limits, found.budgets, found.fair_key) == ({"openai": ""}, {"team-a": {"usd": 2}}, "t-7")
