"""Bad input about limits and budgets is refused, and nothing is written. The sentence names what was given."""

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any, Final

import pytest

from flowfabric import (
    BlockingEngine,
    FlowGraph,
    InvalidInput,
    ManualClock,
    NewExecution,
    NewSchedule,
    NotFound,
    open_blocking_engine,
)
from flowfabric_conformance.stage import refusing, start
from tests.engine.test_bad_input import KEYS, LIMITS, NAMES, NO_INTEGER, NO_TEXT, TEXTS, UNSTORABLE

LONG: Final = "k" * 257
LIMIT_NAMES: Final = [*NO_TEXT, *UNSTORABLE, "", LONG, "tab\t", "line\n", "del\x7f"]
NUMBERS: Final = [*NO_INTEGER, 0, -1, 2**31, 10**30]
LIMIT_KEYS: Final = [LONG, "line\n", *UNSTORABLE, 5, True, b"bytes", ["text"]]
FLAGS: Final = [None, 1, 0, "yes"]
NAMESPACES: Final = [value for value in NAMES if value is not None]
CURSORS: Final = ["", "garbage", 5, b"x", ["x"], "\ud800"]
NO_AMOUNTS: Final = [
    None,
    5,
    "usd",
    ["usd"],
    [("usd", 1)],
    {"": 1},
    {"a:b": 1},
    {"x" * 129: 1},
    {"line\n": 1},
    {5: 1},
    {None: 1},
    {"usd": 5, 5: 5},
    {f"d{number}": 1 for number in range(17)},
    *({"usd": value} for value in [*NO_INTEGER, None, -(2**53), 2**53, 10**30]),
]
NO_SPENDING: Final = [*NO_AMOUNTS, {}, {"usd": 0}, {"usd": -1}]
LEASES: Final = [None, 5, "lease", {}, ()]
PERIODS: Final = [
    5,
    True,
    "",
    "daily",
    "7",
    "7 d",
    "30s",
    "0d",
    "367d",
    "* * * *",
    "99 * * * *",
    "@never",
    b"day",
    ["day"],
]

BAD: Final[dict[str, dict[str, list[Any]]]] = {
    "set_limit": {
        "name": [*LIMIT_NAMES, "ff.siblings-3", "ff."],
        "key": LIMIT_KEYS,
        "concurrency": NUMBERS,
        "rate": [*NUMBERS, 60_000_001],
        "per_ms": [*NUMBERS[:-2], None, 366 * 86_400_000 + 1],
        "burst": NUMBERS,
        "namespace": NAMES,
        "if_new": FLAGS,
        "command_id": KEYS,
    },
    "remove_limit": {"name": LIMIT_NAMES, "key": LIMIT_KEYS, "namespace": NAMES, "command_id": KEYS},
    "pause_limit": {
        "name": LIMIT_NAMES,
        "key": [None, *LIMIT_KEYS],
        "for_ms": [*NO_INTEGER, None, "20s", 0, -1, 366 * 86_400_000 + 1],
        "namespace": NAMES,
        "command_id": KEYS,
    },
    "describe_limit": {"name": LIMIT_NAMES, "key": [None, *LIMIT_KEYS], "namespace": NAMES},
    "list_limits": {"namespace": NAMESPACES, "cursor": CURSORS, "limit": LIMITS},
    "set_budget": {
        "name": LIMIT_NAMES,
        "limits": [*NO_AMOUNTS, {}, {"usd": -1}],
        "soft_limits": [*NO_AMOUNTS, {"usd": -1}, {"usd": 11}, {"eur": 1}],
        "period": PERIODS,
        "timezone": [None, 5, "", "Mars/Olympus", "../etc/passwd"],
        "parent": [value for value in LIMIT_NAMES if value is not None],
        "on_exceeded": [None, "", "PAUSE", "stop", True, ["pause"]],
        "namespace": NAMES,
        "if_new": FLAGS,
        "command_id": KEYS,
    },
    "reset_budget": {"name": LIMIT_NAMES, "namespace": NAMES, "command_id": KEYS},
    "charge_budget": {
        "name": LIMIT_NAMES,
        "amounts": [*NO_AMOUNTS, {}, {"usd": 0}, {"eur": 1}],
        "reason": TEXTS,
        "namespace": NAMES,
        "command_id": KEYS,
    },
    "describe_budget": {"name": LIMIT_NAMES, "namespace": NAMES},
    "list_budgets": {"namespace": NAMESPACES, "cursor": CURSORS, "limit": LIMITS},
    "list_spending": {
        "name": LIMIT_NAMES,
        "by": [None, "", "DAY", "week", 5, ["day"]],
        "namespace": NAMES,
        "cursor": CURSORS,
        "limit": LIMITS,
    },
    "reserve": {"lease": LEASES, "budget": LIMIT_NAMES, "amounts": [*NO_SPENDING, {"eur": 1}], "command_id": KEYS},
    "spend": {
        "lease": LEASES,
        "budget": LIMIT_NAMES,
        "amounts": [*NO_SPENDING, {"eur": 1}],
        "idempotency_key": KEYS,
        "command_id": KEYS,
    },
}
"""For each method that is about limits and budgets: what it refuses as each of its arguments."""
GOOD: Final[dict[str, dict[str, Any]]] = {
    "set_limit": {"name": "openai", "concurrency": 2, "rate": 60},
    "remove_limit": {"name": "openai"},
    "pause_limit": {"name": "openai", "for_ms": 20_000},
    "describe_limit": {"name": "openai"},
    "set_budget": {"name": "team", "limits": {"usd": 10}},
    "reset_budget": {"name": "team"},
    "charge_budget": {"name": "team", "amounts": {"usd": 1}, "reason": "a bill"},
    "describe_budget": {"name": "team"},
    "list_spending": {"name": "team", "by": "day"},
    "reserve": {"budget": "team", "amounts": {"usd": 1}},
    "spend": {"budget": "team", "amounts": {"usd": 1}},
}


@pytest.fixture
def engine(clock: ManualClock) -> Iterator[BlockingEngine]:
    with open_blocking_engine("memory://", clock=clock, reconcile=False) as engine:
        engine.set_limit("openai", concurrency=2, rate=60)
        engine.set_budget("team", limits={"usd": 10})
        yield engine


@pytest.mark.parametrize("method", BAD)
def test_a_call_with_a_bad_argument_is_refused(engine: BlockingEngine, method: str) -> None:
    good = dict(GOOD.get(method, {}))
    if "lease" in BAD[method]:
        good["lease"] = start(engine)

    for argument, values in BAD[method].items():

        def send_with(value: Any, argument: str = argument) -> object:
            return getattr(engine, method)(**{**good, argument: value})

        assert refusing(engine, send_with, values) == [], argument


@pytest.mark.parametrize("method", BAD)
def test_every_argument_is_tried(method: str) -> None:
    assert set(BAD[method]) == set(signature(getattr(BlockingEngine, method)).parameters) - {"self"}


CREATION: Final[dict[str, list[Any]]] = {
    "limits": [
        None,
        5,
        "openai",
        ["openai"],
        [("openai", "")],
        {"openai": None},
        {"openai": 5},
        {"openai": LONG},
        {"": ""},
        {LONG: ""},
        {5: ""},
        {f"limit-{number}": "" for number in range(5)},
    ],
    "budgets": [
        None,
        5,
        "team",
        ["team"],
        {"team": None},
        {"team": 5},
        {"": {}},
        {LONG: {}},
        {5: {}},
        {f"team-{number}": {} for number in range(5)},
        *({"team": amounts} for amounts in NO_AMOUNTS),
        {"team": {"usd": -1}},
    ],
    "fair_key": ["", LONG, "line\n", *UNSTORABLE, 5, b"bytes", ["text"]],
    "when_full": [None, "", "WAIT", 5, ["wait"], "drop_new", "cancel_oldest"],
}
"""What an execution cannot have. The last two values of `when_full` are about a limit, and none is named."""


def _alone(engine: BlockingEngine, **gates: Any) -> object:
    return engine.create_execution("job", **gates)


def _with_others(engine: BlockingEngine, **gates: Any) -> object:
    return engine.create_executions([NewExecution(kind="job"), NewExecution(kind="job", **gates)])


def _in_a_flow(engine: BlockingEngine, **gates: Any) -> object:
    graph = FlowGraph("pipeline")
    graph.node("a", "job", **gates)
    return engine.submit_flow(graph)


def _into_a_flow(engine: BlockingEngine, **gates: Any) -> object:
    flow_id = engine.create_flow("pipeline").flow_id
    return engine.add_execution(flow_id, "job", **gates)


def _by_a_schedule(engine: BlockingEngine, **gates: Any) -> object:
    return engine.fire_schedule(NewSchedule(name="report", kind="report", cron="@daily", **gates))


@pytest.mark.parametrize("argument", ["limits", "budgets", "fair_key"])
def test_no_schedule_gets_bad_gates(engine: BlockingEngine, argument: str) -> None:
    assert refusing(engine, lambda value: _by_a_schedule(engine, **{argument: value}), CREATION[argument]) == []


@pytest.mark.parametrize("door", [_alone, _with_others, _in_a_flow])
@pytest.mark.parametrize("argument", CREATION)
def test_no_execution_gets_bad_gates(engine: BlockingEngine, door: Callable[..., object], argument: str) -> None:
    assert refusing(engine, lambda value: door(engine, **{argument: value}), CREATION[argument]) == []


@pytest.mark.parametrize("door", [_alone, _with_others, _in_a_flow, _into_a_flow])
def test_a_dimension_that_the_budget_does_not_have_is_named(
    engine: BlockingEngine, door: Callable[..., object]
) -> None:
    # Among others, the sentence begins with the item, or the member, that cannot be made.
    with pytest.raises(InvalidInput, match=r"Budget 'team' has no dimension 'eur'\. It has usd\.") as refusal:
        door(engine, budgets={"team": {"eur": 1}})

    assert refusal.value.code == "invalid_input"
    assert engine.list_executions().items == []


SAID: Final[list[tuple[str, dict[str, Any], str]]] = [
    ("set_limit", {"name": "x"}, "A limit needs concurrency or rate, or both. To have no limit, remove it."),
    ("set_limit", {"name": "ff.mine", "concurrency": 1}, "names that begin with 'ff.' belong to built-in limits"),
    ("set_limit", {"name": "x", "rate": 1, "per_ms": 10**10, "burst": 10**6}, "more than 100 years until so many may"),
    ("create_execution", {"limits": dict.fromkeys("abcde", "")}, "limits names 5 limits; an execution has at most 4"),
    ("create_execution", {"limits": {"openai": None}}, "limits['openai'] is a string, not NoneType"),
    (
        "create_execution",
        {"budgets": {"team": {"usd": 1.5}}},
        "budgets['team']['usd'] is 1.5; it must be a whole number",
    ),
    ("set_budget", {"period": "0d"}, "period is '0d'; a span must be from 1 minute to 366 days: '1m' to '366d'."),
    ("set_budget", {"period": "99 * * * *"}, "period is not a cron pattern: "),
    ("set_budget", {"period": "7d", "timezone": "Mars"}, "timezone is 'Mars', which is not known here."),
    (
        "set_budget",
        {"soft_limits": {"usd": 12}},
        "soft_limits['usd'] is 12, and the limit is 10; it would never be passed",
    ),
    ("set_budget", {"parent": ""}, "parent is ''; it must be 1 to 256 characters"),
    ("set_budget", {"parent": "team"}, "team → team is a ring: a budget cannot be its own ancestor."),
    ("charge_budget", {"amounts": {"usd": 0}}, "amounts holds nothing but 0. Give at least one amount, such as"),
]


@pytest.mark.parametrize(("method", "arguments", "said"), SAID, ids=[said for *_, said in SAID])
def test_the_sentence_names_what_was_given_and_what_to_do(
    engine: BlockingEngine, method: str, arguments: dict[str, Any], said: str
) -> None:
    good = {} if method == "set_limit" else GOOD.get(method, {"kind": "job"})

    with pytest.raises(InvalidInput) as refusal:
        getattr(engine, method)(**{**good, **arguments})

    assert said in str(refusal.value)


def test_a_key_without_numbers_of_its_own_has_none_to_remove(engine: BlockingEngine) -> None:
    with pytest.raises(NotFound, match="Key 't-7' has no numbers of its own; it has those of limit 'openai' already"):
        engine.remove_limit("openai", key="t-7")


@pytest.mark.parametrize(
    "call",
    [
        lambda e: e.create_execution("job", limits={"nope": ""}),
        lambda e: e.create_execution("job", budgets={"nope": {}}),
        lambda e: e.set_limit("nope", key="k", concurrency=1),
        lambda e: e.pause_limit("nope", for_ms=1),
        lambda e: e.remove_limit("nope"),
        lambda e: e.set_budget("x", limits={"usd": 1}, parent="nope"),
        lambda e: e.reset_budget("nope"),
        lambda e: e.charge_budget("nope", {"usd": 1}, reason="r"),
        lambda e: e.list_spending("nope", by="day"),
        lambda e: e.spend(start(e), "nope", {"usd": 1}),
        lambda e: e.reserve(start(e), "nope", {"usd": 1}),
    ],
)
def test_what_nobody_has_set_is_not_found_and_the_sentence_says_what_to_type(
    engine: BlockingEngine, call: Callable[[BlockingEngine], object]
) -> None:
    with pytest.raises(NotFound, match=r"There is no (limit|budget) 'nope'.*`ff (limits|budgets)") as refusal:
        call(engine)

    assert refusal.value.entity in ("limit", "budget")


# ── trees of budgets ─────────────────────────────────────────────────────────────────────────────


def _line(engine: BlockingEngine, *names: str, namespace: str = "default") -> None:
    """Budgets, each the parent of the one before it."""
    for name, parent in zip(reversed(names), [None, *reversed(names[1:])], strict=True):
        engine.set_budget(name, limits={"usd": 10}, parent=parent, namespace=namespace)


def test_no_budget_gets_a_parent_under_which_those_below_it_would_be_too_deep(engine: BlockingEngine) -> None:
    _line(engine, "squad", "crew", "unit")
    _line(engine, "group", "company")

    with pytest.raises(InvalidInput) as refusal:
        engine.set_budget("unit", limits={"usd": 10}, parent="group")

    said = "parent is 'group': squad → crew → unit → group → company would be 5 budgets deep, and the limit is 4."
    assert str(refusal.value) == said
    assert _parents(engine)["unit"] is None
    engine.set_budget("unit", limits={"usd": 10}, parent="company")
    assert _parents(engine)["unit"] == "company"


def test_a_budget_that_was_moved_away_counts_no_longer(engine: BlockingEngine) -> None:
    _line(engine, "squad", "crew", "unit")
    _line(engine, "group", "company")
    engine.set_budget("squad", limits={"usd": 10}, parent="company")

    engine.set_budget("unit", limits={"usd": 10}, parent="group")

    assert _parents(engine)["unit"] == "group"


def test_budgets_of_another_namespace_are_not_under_a_budget(engine: BlockingEngine) -> None:
    _line(engine, "squad", "crew", "unit", namespace="other")
    _line(engine, "group", "company")
    engine.set_budget("unit", limits={"usd": 10})

    engine.set_budget("unit", limits={"usd": 10}, parent="group")

    assert _parents(engine)["unit"] == "group"


def test_a_ring_is_refused_from_whichever_end_it_is_closed(engine: BlockingEngine) -> None:
    _line(engine, "squad", "crew", "unit", "company")

    for name, ring in {
        "company": "company → squad → crew → unit → company",
        "unit": "unit → squad → crew → unit",
    }.items():
        with pytest.raises(InvalidInput, match=f"parent is 'squad', but {ring} is a ring"):
            engine.set_budget(name, limits={"usd": 10}, parent="squad")


def _parents(engine: BlockingEngine) -> dict[str, str | None]:
    return {each.name: each.parent for each in engine.list_budgets(namespace="default").items}
