"""`ff limits`, and what other verbs say about limits."""

import json

from flowfabric import Claimed, open_blocking_engine
from tests.cli.press import Press


def claimed(press: Press, number: int, **gates: object) -> tuple[list[str], list[Claimed]]:
    """Executions in the order of their creation, and those that a worker was given."""
    with open_blocking_engine(press.url, reconcile=False) as engine:
        made = [engine.create_execution("ask", lane="press", **gates).execution_id for _ in range(number)]  # type: ignore[arg-type]
        return made, list(engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["press"], limit=number))


def test_a_limit_is_set_listed_and_removed(press: Press) -> None:
    nothing = press.ff("limits")
    common = press.ff("limits", "set", "tenant", "--concurrency", "2")
    own = press.ff("limits", "set", "tenant", "--key", "t-8", "--rate", "60", "--per", "1h", "--burst", "5")
    listed = press.ff("limits")
    back = press.ff("limits", "remove", "tenant", "--key", "t-8")
    removed = press.ff("limits", "remove", "tenant")

    assert nothing.stdout == "There are no limits. `ff limits set NAME --concurrency 10` makes one.\n"
    assert common.stdout == "Limit tenant allows 2 at once.\n"
    assert own.stdout == "Limit tenant[t-8] allows 60 starts in 60 min, at most 5 of them together.\n"
    assert [line.split() for line in listed.stdout.splitlines()] == [
        ["LIMIT", "KEY", "IN", "USE", "RATE", "PARKED", "PAUSED", "NAMESPACE"],
        ["tenant", "0", "of", "2", "-", "0", "no", "default"],
        ["tenant", "t-8", "0", "60", "in", "60", "min", "0", "no", "default"],
    ]
    assert back.stdout == "Limit tenant[t-8] has the numbers of limit tenant again.\n"
    assert removed.stdout == "Limit tenant is removed; what waited for it goes on.\n"
    assert json.loads(press.ff("limits", "--json").stdout) == {"limits": [], "next_cursor": None}


def test_a_limit_that_nobody_has_set_is_an_error_with_advice(press: Press) -> None:
    shown = press.ff("limits", "show", "nope")
    paused = press.ff("limits", "pause", "nope", "", "20s")
    empty = press.ff("limits", "set", "nope")

    assert shown.stderr == "ff: There is no limit nope here. `ff limits` lists those that there are.\n"
    assert (shown.returncode, paused.returncode, empty.returncode) == (3, 3, 2)
    assert "concurrency or rate" in empty.stderr


def test_a_full_limit_shows_what_runs_under_it_and_explain_says_who_is_in_front(press: Press) -> None:
    press.ff("limits", "set", "tenant", "--concurrency", "2")
    (first, second, third, fourth), given = claimed(press, 4, limits={"tenant": "t-7"})

    shown = press.ff("limits", "show", "tenant", "t-7")
    said = [press.ff("explain", each).stdout.splitlines() for each in (third, fourth)]
    counted = press.ff("stats").stdout
    lane = json.loads(press.ff("lanes", "--json").stdout)["lanes"][0]

    assert [each.execution_id for each in given] == [first, second]
    facts = {line[:14].strip(): line[14:] for line in shown.stdout.splitlines()[:6]}
    assert (facts["key"], facts["in use"], facts["parked"]) == ("t-7", "2 of 2", "2")
    assert [line.split()[:2] for line in shown.stdout.splitlines()[-2:]] == [[first, "ask"], [second, "ask"]]
    in_use = f"It waits for limit tenant[t-7]: 2 of 2 in use by {first}, {second}"
    assert [lines[0] for lines in said] == [f"{in_use}.", f"{in_use}; 1 is in front of it."]
    assert said[0][3].startswith("ff limits show tenant t-7 ")
    assert said[0][4].startswith("ff limits set tenant --key t-7 --concurrency N ")
    assert "executions rate_limited   2\n" in counted
    assert "parked at limits          2\n" in counted
    assert "parked at budgets" not in counted
    assert (lane["parked"], lane["blocked"], lane["waiting"], lane["active"]) == (2, 0, 0, 2)


def test_a_paused_limit_says_until_when(press: Press) -> None:
    press.ff("limits", "set", "openai", "--rate", "1", "--per", "1h")
    paused = press.ff("limits", "pause", "openai", "", "20m")
    (waits,), given = claimed(press, 1, limits={"openai": ""})

    said = press.ff("explain", waits).stdout
    listed = press.ff("limits").stdout

    assert given == []
    assert paused.stdout.startswith("Limit openai is paused until 20")
    assert said.startswith("It waits for limit openai, which is paused for another 20 min.\n")
    assert "for another 20 min" in listed
    assert "ff limits set openai --rate N --per 1h " in said


def test_show_names_the_limits_the_fair_key_and_what_the_lease_holds(press: Press) -> None:
    press.ff("limits", "set", "tenant", "--concurrency", "1")
    (runs, waits), _ = claimed(press, 2, limits={"tenant": "t-7"}, fair_key="t-7")

    running, waiting = press.ff("show", runs).stdout, press.ff("show", waits).stdout
    in_json = json.loads(press.ff("show", waits, "--json").stdout)["execution"]["gates"]

    facts = dict(line.split(None, 1) for line in running.splitlines()[:15] if " " in line)
    assert (facts["limits"], facts["holds"]) == ("tenant[t-7]", "a slot of tenant[t-7]")
    assert "fair key" in running
    assert "rate_limited" in waiting
    assert "ff limits show tenant t-7" in waiting
    assert "holds" not in waiting
    assert (in_json["parked_at_limit"], in_json["parked_at_key"], in_json["slots"]) == ("tenant", "t-7", {})


def test_the_log_tells_of_limits_in_words(press: Press) -> None:
    press.ff("limits", "set", "openai", "--concurrency", "10", "--rate", "60")
    press.ff("limits", "set", "openai", "--key", "k", "--concurrency", "1")
    press.ff("limits", "pause", "openai", "k", "20s")
    press.ff("limits", "remove", "openai", "--key", "k")
    press.ff("limits", "remove", "openai")

    log = press.ff("tail", "--from", "start", "--until-idle", "--channel", "operator").stdout.splitlines()

    assert [line[25:].split(" until ")[0] for line in log] == [
        "limit_set: limit openai allows 10 at once, 60 starts in 60 s",
        "limit_set: limit openai[k] allows 1 at once",
        "limit_paused: limit openai[k] lets nothing start",
        "limit_removed: limit openai[k] has the numbers of limit openai again",
        "limit_removed: limit openai holds nothing back any more",
    ]


def test_a_list_of_many_keys_goes_on_where_it_ended(press: Press) -> None:
    press.ff("limits", "set", "tenant", "--concurrency", "1")
    for key in ("a", "b"):
        press.ff("limits", "set", "tenant", "--key", key, "--concurrency", "2")

    first = press.ff("limits", "--limit", "2")
    rest = press.ff("limits", "--cursor", first.stderr.split()[-1])

    assert [line.split()[0] for line in first.stdout.splitlines()] == ["LIMIT", "tenant", "tenant"]
    assert [line.split()[:2] for line in rest.stdout.splitlines()[1:]] == [["tenant", "b"]]
