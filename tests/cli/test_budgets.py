"""`ff budgets`, and what other verbs say about budgets."""

import json

import pytest

from flowfabric import Claimed, open_blocking_engine
from tests.cli.press import Press


def family(press: Press) -> None:
    press.ff("budgets", "set", "company", "--limit", "usd=100")
    press.ff("budgets", "set", "team-a", "--limit", "usd=10", "--limit", "tokens=2000", "--soft", "usd=5",
             "--period", "day", "--timezone", "Europe/Berlin", "--parent", "company")  # fmt: skip
    press.ff("budgets", "set", "team-b", "--limit", "usd=10", "--parent", "company", "--on-exceeded", "cancel")


def claimed(press: Press, number: int, usd: int) -> tuple[list[str], list[Claimed]]:
    with open_blocking_engine(press.url, reconcile=False) as engine:
        estimate = {"team-a": {"usd": usd}}
        made = [engine.create_execution("ask", lane="press", budgets=estimate).execution_id for _ in range(number)]
        return made, list(engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["press"], limit=number))


def test_budgets_are_a_tree_with_bars(press: Press) -> None:
    nothing = press.ff("budgets")
    family(press)
    _, (first, _) = claimed(press, 2, 2)
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.spend(first.lease, "team-a", {"usd": 3, "tokens": 500})

    rows = [line.split()[:6] for line in press.ff("budgets").stdout.splitlines()[1:]]

    assert nothing.stdout.startswith("There are no budgets. ")
    assert rows[0] == ["company", "usd", "░░░░░░░░░░", "3", "2", "100"]
    assert rows[1] == ["├─", "team-a", "tokens", "██░░░░░░░░", "500", "0"]
    assert rows[2] == ["usd", "███▒▒░░░░░", "3", "2", "10", "0"]
    assert rows[3] == ["└─", "team-b", "usd", "░░░░░░░░░░", "0", "0"]


def test_a_budget_shows_what_was_spent_by_kind_and_day(press: Press) -> None:
    family(press)
    _, (first,) = claimed(press, 1, 2)
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.spend(first.lease, "team-a", {"usd": 3})

    shown = press.ff("budgets", "show", "team-a")
    in_json = json.loads(press.ff("budgets", "show", "team-a", "--json").stdout)
    by_execution = press.ff("budgets", "spending", "team-a", "--by", "execution")
    of_parent = json.loads(press.ff("budgets", "spending", "company", "--by", "kind", "--json").stdout)

    facts = {line[:13].strip(): line[13:] for line in shown.stdout.splitlines()[:7]}
    assert (facts["parent"], facts["period"], facts["if exceeded"]) == ("company", "day, Europe/Berlin", "pause")
    assert ["usd", "███░░░░░░░", "3", "0", "7", "10", "5", "0"] in [line.split() for line in shown.stdout.splitlines()]
    assert in_json["kinds"] == [{"by": "ask", "amounts": {"usd": 3}}]
    assert [day["amounts"] for day in in_json["days"]] == [{"usd": 3}]
    assert [line.split() for line in by_execution.stdout.splitlines()] == [
        ["EXECUTION", "USD"],
        [first.execution_id, "3"],
    ]
    assert of_parent == {"spending": [{"by": "ask", "amounts": {"usd": 3}}], "next_cursor": None}


def test_a_parked_execution_says_what_it_needs_and_what_can_be_typed(press: Press) -> None:
    family(press)
    (first, waits), given = claimed(press, 2, 6)

    said = press.ff("explain", waits).stdout.splitlines()
    shown = press.ff("show", first).stdout

    assert [each.execution_id for each in given] == [first]
    start = (
        "It waits for budget team-a: 0 of 10 usd are used and 6 reserved, and it needs 6; the next period begins in "
    )
    assert said[0].startswith(start)
    assert [line.split("  ")[0] for line in said[3:]] == [
        "ff budgets show team-a",
        "ff budgets charge team-a DIMENSION=-AMOUNT --reason TEXT",
        "ff budgets reset team-a",
    ]
    assert "6 usd of team-a" in shown
    assert "team-a (reserves 6 usd)" in shown


def test_a_parent_that_lacks_room_is_named(press: Press) -> None:
    press.ff("budgets", "set", "company", "--limit", "usd=5")
    press.ff("budgets", "set", "team-a", "--limit", "usd=10", "--parent", "company")
    (waits,), given = claimed(press, 1, 6)

    assert given == []
    assert press.ff("explain", waits).stdout.startswith(
        "It waits for budget company: 0 of 5 usd are used, and it needs 6, "
        "so it never starts unless the limit is raised.\n"
    )


def test_a_correction_and_a_reset_are_answered_and_logged(press: Press) -> None:
    family(press)

    charged = press.ff("budgets", "charge", "team-a", "usd=12", "--reason", "a bill")
    given_back = press.ff("budgets", "charge", "team-a", "usd=-4", "--reason", "was wrong")
    reset = press.ff("budgets", "reset", "team-a")
    log = press.ff("tail", "--from", "start", "--until-idle", "--channel", "operator").stdout.splitlines()

    assert charged.stdout == "Budget team-a has 2,000 tokens, -2 usd left. Exceeded: usd.\n"
    assert given_back.stdout == "Budget team-a has 2,000 tokens, 2 usd left.\n"
    assert reset.stdout == "A new period of budget team-a has begun; it has 2,000 tokens, 10 usd.\n"
    assert [line[25:] for line in log] == [
        "budget_set: budget company allows 100 usd",
        "budget_set: budget team-a allows 2,000 tokens, 10 usd in each period (day), within company",
        "budget_set: budget team-b allows 10 usd, within company",
        "soft_limit_passed: budget team-a: 12 usd are used; the soft limit is 5",
        "budget_exceeded: budget team-a: 12 usd are used; the limit is 10",
        "budget_charged: budget team-a was charged with 12 usd: a bill",
        "budget_charged: budget team-a got 4 usd back: was wrong",
        "budget_reset: a new period of budget team-a has begun",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["set", "a", "--limit", "usd"], 2, "--limit is 'usd'; write a dimension and a whole number"),
        (["set", "a", "--limit", "usd=much"], 2, "--limit is 'usd=much'; write a dimension"),
        (["set", "a", "--limit", "usd=1", "--limit", "usd=2"], 2, "--limit names usd twice"),
        (["set", "a", "--limit", "usd=1", "--parent", "nope"], 3, "nope"),
        (["set", "a", "--limit", "usd=1", "--period", "soon"], 2, "period is 'soon'"),
        (["show", "nope"], 3, "There is no budget nope here. `ff budgets` lists"),
        (["spending", "nope"], 3, "There is no budget 'nope'"),
        (["charge", "nope", "usd=1", "--reason", "x"], 3, "nope"),
        (["reset", "nope"], 3, "nope"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(press: Press, arguments: list[str], code: int, said: str) -> None:
    ended = press.ff("budgets", *arguments)

    assert ended.returncode == code
    assert said in ended.stderr


def test_the_doctor_advises_on_an_exceeded_budget_and_finds_counters_that_leases_do_not_explain(press: Press) -> None:
    import sqlite3

    family(press)
    press.ff("limits", "set", "tenant", "--concurrency", "5")
    claimed(press, 1, 2)
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.create_execution("ask", lane="press", limits={"tenant": "t-7"})
        engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["press"])
    healthy = json.loads(press.ff("doctor", "--json").stdout)["problems"]
    press.ff("budgets", "charge", "team-a", "usd=12", "--reason", "a bill")
    with sqlite3.connect(press.url.removeprefix("sqlite:///")) as connection:
        connection.execute("update ff_limit_key set in_use = 3")
        connection.execute("update ff_budget_use set reserved = '{\"usd\":7}' where name = 'company'")
    connection.close()

    found = {each["problem"]: each for each in json.loads(press.ff("doctor", "--json").stdout)["problems"]}

    gates = ("limit_miscounted", "budget_miscounted", "budget_exceeded")
    assert [each["problem"] for each in healthy if each["problem"] in gates] == []
    assert [found[name]["severity"] for name in gates] == ["warning", "warning", "advice"]
    assert found["limit_miscounted"]["what"] == (
        "Limit tenant[t-7] of namespace 'default' counts 3 in use, and 1 lease holds a slot of it"
    )
    assert found["budget_miscounted"]["what"] == (
        "Budget company of namespace 'default' counts 7 usd as reserved, and leases have reserved 2"
    )
    assert found["budget_exceeded"]["what"].endswith("is exceeded: 12 of 10 usd are used")
