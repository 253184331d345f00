"""Bad input is refused before any store is asked, so that one store is enough to show it.

Nothing passes that one store would take and another refuse: a NUL, a lone surrogate, a number beyond its range.
What every store must do with what is just within the limits is part of the conformance suite.
"""

from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any, Final

import pytest
from msgspec.structs import replace

from flowfabric import (
    AllOf,
    AnyOf,
    BlockingEngine,
    ExecutionPolicy,
    FlowGraph,
    InvalidInput,
    ManualClock,
    NewExecution,
    NewSchedule,
    Quorum,
    RetryPolicy,
    open_blocking_engine,
)
from flowfabric_conformance.flow_stage import graph_of, submit
from flowfabric_conformance.stage import claim, create, refusing, start

UUID = "550e8400-e29b-41d4-a716-446655440000"
NO_TEXT: Final = [None, 5, 1.5, True, b"bytes", ["text"], {"text": 1}, object()]
UNSTORABLE: Final = ["nul\0", "\0", "lone \ud800", "\udfff"]
NAMES: Final = [*NO_TEXT, *UNSTORABLE, "", "x" * 129, "tab\t", "line\n", "\x1f", "del\x7f", "c1\x85"]
KEYS: Final = ["", "x" * 257, "line\n", *UNSTORABLE, 5, b"bytes", ["text"]]
LANES: Final = [*NO_TEXT, "", "x" * 65, "größe", "tab\t", "line\n", "\n", "nul\0", "del\x7f", "\ud800", "\u3000"]
TEXTS: Final = [*NO_TEXT, *UNSTORABLE, "x" * 4_097, "é" * 2_049, "\U0001f600" * 1_025]
NO_INTEGER: Final = ["1", 1.0, 1.5, True, False, b"1", [1], float("nan"), float("inf"), object()]
EXECUTION_IDS: Final = [
    *(value for value in NO_TEXT if value is not None),
    *UNSTORABLE,
    "",
    "job-7",
    f"{{fp:256}}:{UUID}",
    f"{{fp:99999}}:{UUID}",
    f"{{fp:-1}}:{UUID}",
    f"{{fp:}}:{UUID}",
    f"{{fp:\u0661}}:{UUID}",
    f"fp:86:{UUID}",
    f"{{b:86}}:{UUID}",
    "{fp:86}:",
    "{fp:86}:not-a-uuid",
    f"{{fp:86}}:{UUID}0",
    f"{{fp:86}}:{UUID[:-1]}",
    f"{{fp:86}}:{UUID[:-1]}g",
    f"{{fp:86}}:{UUID[:-1]}\u0661",
    "x" * 100_000,
]
CAPABILITIES: Final = [
    None,
    5,
    "gpu",
    b"gpu",
    {"gpu": 1},
    iter(["gpu"]),
    ["a,b"],
    ["a b"],
    ["tab\t"],
    ["line\n"],
    ["nul\0"],
    ["del\x7f"],
    ["\ud800"],
    [""],
    [5],
    [None],
    [b"gpu"],
    [["gpu"]],
    [f"token-{number}" for number in range(65)],
]
TAG_KEYS: Final = [
    *NO_TEXT,
    *UNSTORABLE,
    "",
    "plain",
    ".name",
    "team.",
    "team..name",
    "Team.name",
    "team.Name",
    "1team.name",
    "_team.name",
    "te-am.name",
    "team.na-me",
    "team.name ",
    "team.name\n",
    " team.name",
    "téam.name",
    "team.\u0661",
]
TAG_VALUES: Final = [*NO_TEXT, *UNSTORABLE, "x" * 1_025, "é" * 513]
TAGS: Final = [
    None,
    5,
    "team.name",
    [("team.name", "x")],
    *({key: "x"} for key in TAG_KEYS if not isinstance(key, (list, dict))),
    *({"team.name": value} for value in TAG_VALUES),
    {f"tag.n{number}": "x" for number in range(65)},
]
INSTANTS: Final = [*NO_INTEGER, -1, -(2**63), 2**53, 2**63, 2**64, 10**30]
PAYLOADS: Final = [None, 5, "text", [1, 2], {"a": 1}, object(), b"x" * (1024 * 1024 + 1), bytearray(1024 * 1024 + 1)]
LIMITS: Final = [*NO_INTEGER, None, 0, -1, 1_001, 2**63, 10**30]
SPANS: Final = [*NO_INTEGER, 0, -1, 2**63, 10**30]


@pytest.fixture
def engine(clock: ManualClock) -> Iterator[BlockingEngine]:
    with open_blocking_engine("memory://", clock=clock, reconcile=False) as engine:
        yield engine


# ── creating ─────────────────────────────────────────────────────────────────────────────────────

CREATION: Final[dict[str, list[Any]]] = {
    "kind": NAMES,
    "payload": PAYLOADS,
    "lane": LANES,
    "namespace": NAMES,
    "execution_id": [UUID, *EXECUTION_IDS],
    "priority": [*NO_INTEGER, None],
    "delay_until_ms": INSTANTS,
    "deadline_at_ms": INSTANTS,
    "idempotency_key": KEYS,
    "idempotency_ttl_ms": [*SPANS, None],
    "required_capabilities": CAPABILITIES,
    "policy": [None, 5, {}, [], "policy", RetryPolicy(), ExecutionPolicy],
    "tags": TAGS,
    "idempotency_on_ended": ["", "RENEW", None, True, ["renew"], b"renew"],
    "command_id": KEYS,
}


@pytest.mark.parametrize("argument", CREATION)
def test_a_creation_with_a_bad_argument_is_refused(engine: BlockingEngine, clock: ManualClock, argument: str) -> None:
    def create_with(value: Any) -> object:
        return engine.create_execution(**{"kind": "job", argument: value})

    assert refusing(engine, create_with, CREATION[argument]) == []


@pytest.mark.parametrize("argument", [argument for argument in CREATION if argument != "command_id"])
def test_a_batch_with_a_bad_item_is_refused(engine: BlockingEngine, clock: ManualClock, argument: str) -> None:
    def create_with(value: Any) -> object:
        return engine.create_executions([NewExecution(kind="job"), NewExecution(**{"kind": "job", argument: value})])

    assert refusing(engine, create_with, CREATION[argument]) == []


def test_items_that_differ_in_the_payload_only_are_checked_and_made_one_by_one(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    like = NewExecution(kind="job", lane="mail", priority=7, tags={"team.name": "a"}, idempotency_ttl_ms=5_000)
    items = [replace(like, payload=bytes([number])) for number in range(3)]

    made = engine.create_executions([*items, replace(items[2], lane="post")])

    claimed = engine.claim(worker_id="w", worker_instance_id="i", lanes=["mail", "post"], limit=10)
    assert [each.execution_id for each in claimed] == [each.execution_id for each in made]
    assert [each.payload for each in claimed] == [b"\0", b"\1", b"\2", b"\2"]
    assert [(each.lane, each.tags) for each in claimed] == [
        *[("mail", {"team.name": "a"})] * 3,
        ("post", {"team.name": "a"}),
    ]
    with pytest.raises(InvalidInput, match=r"items\[3\]: payload is bytes, not str"):
        engine.create_executions([*items, replace(like, payload="text")])


def test_an_item_that_comes_twice_is_the_same_execution_only_if_it_has_an_id(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    named = NewExecution(kind="job", execution_id=f"{{fp:1}}:{UUID}")

    one, again = engine.create_executions([named, named])
    two = engine.create_executions([NewExecution(kind="job")] * 2)

    assert one.execution_id == again.execution_id
    assert len({each.execution_id for each in two}) == 2


def test_a_batch_that_is_no_sequence_of_items_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    good = NewExecution(kind="job")
    values = [None, 5, "job", b"job", {"kind": "job"}, iter([good]), [None], [good, {"kind": "job"}], [good, "job"]]

    assert refusing(engine, engine.create_executions, values) == []


def test_a_batch_of_more_items_than_the_limit_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    assert refusing(engine, engine.create_executions, [[NewExecution(kind="job")] * 10_001]) == []


def test_a_batch_of_more_bytes_than_the_limit_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    large = NewExecution(kind="job", payload=bytes(1024 * 1024))
    tagged = NewExecution(kind="job", tags={f"team.n{number}": "x" * 1024 for number in range(64)})

    assert refusing(engine, engine.create_executions, [[large] * 64 + [tagged], [large] * 600, [tagged] * 1_100]) == []


def test_a_batch_of_large_payloads_is_made_whole_and_ended_with_large_results(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    payloads = [bytes([number]) * 1024 * 1024 for number in range(8)]

    made = engine.create_executions([NewExecution(kind="job", payload=payload) for payload in payloads])

    claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=10)
    assert [each.execution_id for each in claimed] == [each.execution_id for each in made]
    assert [each.payload for each in claimed] == payloads
    engine.complete_all([(each.lease, each.payload) for each in claimed])
    assert [engine.get_result(each.execution_id) for each in made] == payloads


# ── policies ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("max_retries", [*NO_INTEGER, None, -1, 10**30]),
        ("backoff", [None, "linear", "", 5, "Fixed"]),
        ("initial_delay_ms", [*NO_INTEGER, None, -1, 10**30]),
        ("max_delay_ms", [*NO_INTEGER, None, -1, 10**30]),
        ("multiplier", ["2", None, True, 0, 0.99, -1.0, float("nan"), float("inf"), [2]]),
        ("jitter", ["0", None, True, -0.01, 1.01, float("nan"), float("inf"), [0]]),
    ],
)
def test_a_retry_policy_that_cannot_be_followed_is_refused(
    engine: BlockingEngine, clock: ManualClock, field: str, values: list[Any]
) -> None:
    assert refusing(engine, lambda value: RetryPolicy(**{field: value}), values) == []


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("retry", [None, {}, 3, ExecutionPolicy()]),
        ("attempt_timeout_ms", [*NO_INTEGER, 0, -1, 10**30]),
        ("max_interruptions", [*NO_INTEGER, None, -1, 10**30]),
        ("max_replays", [*NO_INTEGER, -1, 10**30]),
        ("retention_ms", [*NO_INTEGER, -1, 10**30]),
    ],
)
def test_an_execution_policy_that_cannot_be_followed_is_refused(
    engine: BlockingEngine, clock: ManualClock, field: str, values: list[Any]
) -> None:
    assert refusing(engine, lambda value: ExecutionPolicy(**{field: value}), values) == []


# ── working ──────────────────────────────────────────────────────────────────────────────────────

NEEDED: Final[dict[str, dict[str, Any]]] = {"fail": {"code": "boom"}, "delay": {"until_ms": 1}}
"""What a worker's command cannot do without, beside its lease."""


@pytest.mark.parametrize(
    ("argument", "values"),
    [
        ("worker_id", [*NO_TEXT, *UNSTORABLE, "", "x" * 257, "line\n"]),
        ("worker_instance_id", [*NO_TEXT, *UNSTORABLE, "", "x" * 257, "line\n"]),
        (
            "lanes",
            [None, 5, "default", b"default", {"default": 1}, [], iter(["default"]), ["default"] * 65]
            + [["default", lane] for lane in LANES],
        ),
        ("namespace", NAMES),
        ("capabilities", CAPABILITIES),
        ("limit", LIMITS),
        ("lease_ttl_ms", [*SPANS, None]),
        ("command_id", KEYS),
    ],
)
def test_a_claim_with_a_bad_argument_is_refused(
    engine: BlockingEngine, clock: ManualClock, argument: str, values: list[Any]
) -> None:
    create(engine)

    def claim_with(value: Any) -> object:
        return engine.claim(**{"worker_id": "w", "worker_instance_id": "w1", argument: value})

    assert refusing(engine, claim_with, values) == []


@pytest.mark.parametrize("method", ["renew", "complete", "fail", "release", "delay", "progress"])
def test_what_is_no_lease_is_refused(engine: BlockingEngine, clock: ManualClock, method: str) -> None:
    lease = start(engine)
    no_leases: list[Any] = [None, 5, "lease", lease.lease_id, lease.execution_id, {}, object(), claim]
    no_leases += [replace(lease, execution_id=value) for value in [None, UUID, *EXECUTION_IDS]]
    no_leases += [replace(lease, attempt_index=value) for value in [*NO_INTEGER, None, -1, 2**63, 10**30]]
    no_leases += [replace(lease, lease_epoch=value) for value in [*NO_INTEGER, None, -1, 2**63, 10**30]]
    no_leases += [replace(lease, lease_id=value) for value in [*NO_TEXT, *UNSTORABLE]]

    assert refusing(engine, lambda value: getattr(engine, method)(value, **NEEDED.get(method, {})), no_leases) == []


@pytest.mark.parametrize(
    ("method", "argument", "values"),
    [
        ("renew", "lease_ttl_ms", SPANS),
        ("complete", "result", [value for value in PAYLOADS if value is not None]),
        ("fail", "code", NAMES),
        ("fail", "message", TEXTS),
        ("fail", "retryable", [None, 0, 1, "yes", [], object()]),
        ("fail", "retry_after_ms", [*NO_INTEGER, -1, 2**63, 10**30]),
        ("delay", "until_ms", [*INSTANTS, None]),
        ("progress", "percent", [*NO_INTEGER, -1, 101, 10**30]),
        ("progress", "message", [value for value in TEXTS if value is not None]),
        *((method, "command_id", KEYS) for method in ("renew", "complete", "fail", "release", "delay", "progress")),
    ],
)
def test_a_workers_command_with_a_bad_argument_is_refused(
    engine: BlockingEngine, clock: ManualClock, method: str, argument: str, values: list[Any]
) -> None:
    lease = start(engine)

    def send_with(value: object) -> object:
        return getattr(engine, method)(lease, **{**NEEDED.get(method, {}), argument: value})

    assert refusing(engine, send_with, values) == []


# ── operating ────────────────────────────────────────────────────────────────────────────────────

OPERATING: Final[dict[str, dict[str, Any]]] = {
    "cancel_execution": {"reason": "stop"},
    "revoke_lease": {},
    "change_priority": {"priority": 1},
    "replay_execution": {},
    "hold": {},
    "unhold": {},
    "set_tag": {"key": "team.name", "value": "x"},
}


@pytest.mark.parametrize("method", OPERATING)
def test_an_operators_command_on_what_is_no_id_is_refused(
    engine: BlockingEngine, clock: ManualClock, method: str
) -> None:
    create(engine)

    def send_to(value: object) -> object:
        return getattr(engine, method)(value, **OPERATING[method])

    assert refusing(engine, send_to, [None, *EXECUTION_IDS]) == []


@pytest.mark.parametrize(
    ("method", "argument", "values"),
    [
        ("cancel_execution", "reason", TEXTS),
        ("cancel_execution", "source", NAMES),
        ("cancel_execution", "lease_epoch", [*NO_INTEGER, -1, 2**63, 10**30]),
        ("revoke_lease", "worker_instance_id", TEXTS),
        ("revoke_lease", "expected_lease_id", TEXTS),
        ("revoke_lease", "reason", TEXTS),
        ("change_priority", "priority", [*NO_INTEGER, None]),
        ("hold", "reason", TEXTS),
        ("set_tag", "key", TAG_KEYS),
        ("set_tag", "value", TAG_VALUES),
        *((method, "command_id", KEYS) for method in OPERATING),
    ],
)
def test_an_operators_command_with_a_bad_argument_is_refused(
    engine: BlockingEngine, clock: ManualClock, method: str, argument: str, values: list[Any]
) -> None:
    execution_id = start(engine).execution_id

    def send_with(value: object) -> object:
        return getattr(engine, method)(execution_id, **{**OPERATING[method], argument: value})

    assert refusing(engine, send_with, values) == []


# ── schedules ────────────────────────────────────────────────────────────────────────────────────

PATTERNS: Final = [
    5,
    b"* * * * *",
    ["*"] * 5,
    "",
    " ",
    "*",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "-1 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * 32 * *",
    "* * * 0 *",
    "* * * 13 *",
    "* * * * 8",
    "* * * january *",
    "* * * * monday",
    "mon * * * *",
    "1.5 * * * *",
    "\u0661 * * * *",
    "*/0 * * * *",
    "*/60 * * * *",
    "*/x * * * *",
    "*/ * * * *",
    "5/10 * * * *",
    "10-5 * * * *",
    "1- * * * *",
    "-5 * * * *",
    "1-2-3 * * * *",
    "1,,2 * * * *",
    ",1 * * * *",
    "1, * * * *",
    "** * * * *",
    "*-5 * * * *",
    "? * * * *",
    "L * * * *",
    "* * 30 2 *",
    "* * 31 4,6,9,11 *",
    "* * 30,31 feb *",
    "@never",
    "@reboot",
    "@",
    "1," * 200 + "1 * * * *",
    "nul\0 * * * *",
]
TIMEZONES: Final = [
    *NO_TEXT,
    *UNSTORABLE,
    "",
    "Berlin",
    "Europe",
    "europe/nowhere",
    "Europe/Berlin ",
    "/etc/localtime",
    "../etc/passwd",
    "UTC+1",
    "x" * 1_000,
]
GATES: Final = {"limits", "budgets", "fair_key"}
"""What `test_bad_input_of_gates` tries."""
SCHEDULE: Final[dict[str, list[Any]]] = {
    "name": NAMES,
    "kind": NAMES,
    "payload": PAYLOADS,
    "fingerprint": [None, 5, "text", [1], b"x" * 65],
    "cron": [*PATTERNS, None],
    "timezone": TIMEZONES,
    "every_ms": [*SPANS, 999, 1],
    "anchor_ms": [*INSTANTS, None],
    "catch_up": [None, "", "none", "Last", "newest", 5, b"last", ["last"]],
    "lane": LANES,
    "namespace": NAMES,
    "priority": [*NO_INTEGER, None],
    "deadline_after_ms": [*NO_INTEGER, -1, 2**63, 10**30],
    "required_capabilities": CAPABILITIES,
    "policy": CREATION["policy"],
    "tags": [*TAGS, {f"tag.n{number}": "x" for number in range(63)}],
}


@pytest.mark.parametrize("field", SCHEDULE)
def test_a_schedule_with_a_bad_field_is_refused(engine: BlockingEngine, clock: ManualClock, field: str) -> None:
    timing: dict[str, Any] = {"every_ms": 1_000} if field == "anchor_ms" else {"cron": "@daily"}
    good = {} if field == "every_ms" else timing

    def fire_with(value: Any) -> object:
        return engine.fire_schedule(NewSchedule(**{"name": "report", "kind": "report", **good, field: value}))

    assert refusing(engine, fire_with, SCHEDULE[field]) == []


def test_every_field_of_a_schedule_is_tried() -> None:
    assert set(SCHEDULE) | GATES == set(NewSchedule.__struct_fields__)


def test_a_schedule_with_both_a_pattern_and_an_interval_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    both = NewSchedule(name="report", kind="report", cron="@daily", every_ms=1_000)

    assert refusing(engine, engine.fire_schedule, [both]) == []


@pytest.mark.parametrize(
    ("method", "argument", "values"),
    [
        ("fire_schedule", "schedule", [None, 5, "report", {}, {"name": "report"}, object(), NewSchedule]),
        ("fire_schedule", "replace", [None, 0, 1, "yes", [], object()]),
        ("pause_schedule", "reason", TEXTS),
        *(
            (method, "name", NAMES)
            for method in ("pause_schedule", "resume_schedule", "run_schedule", "forget_schedule")
        ),
        *(
            (method, "namespace", NAMES)
            for method in ("pause_schedule", "resume_schedule", "run_schedule", "forget_schedule")
        ),
        ("list_schedules", "namespace", [value for value in NAMES if value is not None]),
        *(
            (method, "command_id", KEYS)
            for method in ("fire_schedule", "pause_schedule", "resume_schedule", "run_schedule", "forget_schedule")
        ),
    ],
)
def test_a_command_to_a_schedule_or_a_read_of_it_with_a_bad_argument_is_refused(
    engine: BlockingEngine, clock: ManualClock, method: str, argument: str, values: list[Any]
) -> None:
    schedule = NewSchedule(name="report", kind="report", cron="@daily")
    engine.fire_schedule(schedule)
    needed: dict[str, Any] = {"fire_schedule": {"schedule": schedule}, "list_schedules": {}}
    good = needed.get(method, {"name": "report"})

    def send_with(value: Any) -> object:
        return getattr(engine, method)(**{**good, argument: value})

    assert refusing(engine, send_with, values) == []


@pytest.mark.parametrize(
    ("method", "argument", "values"),
    [
        ("pause_lane", "reason", TEXTS),
        *((method, "lane", LANES) for method in ("pause_lane", "resume_lane")),
        *((method, "namespace", NAMES) for method in ("pause_lane", "resume_lane")),
        *((method, "command_id", KEYS) for method in ("pause_lane", "resume_lane")),
    ],
)
def test_a_switch_of_a_lane_with_a_bad_argument_is_refused(
    engine: BlockingEngine, clock: ManualClock, method: str, argument: str, values: list[Any]
) -> None:
    def send_with(value: object) -> object:
        return getattr(engine, method)(**{"lane": "default", argument: value})

    assert refusing(engine, send_with, values) == []


# ── flows ────────────────────────────────────────────────────────────────────────────────────────

FLOW_IDS: Final = [
    *(value for value in NO_TEXT if value is not None),
    *UNSTORABLE,
    "",
    "flow",
    f"{UUID}0",
    UUID[:-1],
    f"{UUID[:-1]}g",
    f"{{fp:86}}:{UUID}",
    "x" * 100_000,
]
ON_SATISFIED: Final[list[Any]] = ["", "cancel", "Let_Run", None, 5, ["let_run"]]
QUORUMS: Final[list[Any]] = [*NO_INTEGER, None, 0, -1, 2**31, 10**30]
JOINS: Final = [
    5,
    "all_of",
    "AnyOf",
    {},
    AllOf,
    AnyOf,
    object(),
    *(AnyOf(value) for value in ON_SATISFIED),
    *(Quorum(1, value) for value in ON_SATISFIED),
    *(Quorum(value, "let_run") for value in QUORUMS),
]
INPUT_NAMES: Final = [value for value in NAMES if value is not None]
EDGE_IDS: Final = [value for value in NAMES if value is not None]

BUILDING: Final[dict[str, dict[str, list[Any]]]] = {
    "create_flow": {
        "kind": NAMES,
        "namespace": NAMES,
        "flow_id": FLOW_IDS,
        "tags": TAGS,
        "command_id": KEYS,
    },
    "add_execution": {
        **CREATION,
        "flow_id": [None, *FLOW_IDS],
        "after": [
            None,
            5,
            "job",
            b"job",
            {"job": "it"},
            iter(["job"]),
            *([value] for value in [None, *EXECUTION_IDS]),
            *([(f"{{fp:86}}:{UUID}", value)] for value in INPUT_NAMES),
            [(f"{{fp:86}}:{UUID}",)],
            [(f"{{fp:86}}:{UUID}", "it", "more")],
            [()],
        ],
        "join": JOINS,
    },
    "add_dependency": {
        "flow_id": [None, *FLOW_IDS],
        "upstream": [None, *EXECUTION_IDS],
        "downstream": [None, *EXECUTION_IDS],
        "edge_id": EDGE_IDS,
        "condition": [None, "", "always", "Success_Only", 5, b"success_only", ["success_only"]],
        "pass_result_as": INPUT_NAMES,
        "expected_graph_revision": [*NO_INTEGER, -1, 2**63, 10**30],
        "command_id": KEYS,
    },
    "set_edge_group_policy": {
        "flow_id": [None, *FLOW_IDS],
        "downstream": [None, *EXECUTION_IDS],
        "policy": [None, *JOINS],
        "command_id": KEYS,
    },
    "cancel_flow": {
        "flow_id": [None, *FLOW_IDS],
        "reason": TEXTS,
        "policy": [None, "", "cancel", "all", "Cancel_All", "CANCEL_ALL", 5, b"cancel_all", ["cancel_all"], {}],
        "wait": [None, 0, 1, "yes", [], object()],
        "command_id": KEYS,
    },
    "ack_cancel_member": {
        "flow_id": [None, *FLOW_IDS],
        "execution_id": [None, *EXECUTION_IDS],
        "command_id": KEYS,
    },
    "set_flow_tag": {
        "flow_id": [None, *FLOW_IDS],
        "key": TAG_KEYS,
        "value": TAG_VALUES,
        "command_id": KEYS,
    },
    "submit_flow": {"graph": [None, 5, "graph", {}, object(), FlowGraph], "command_id": KEYS},
    "describe_flow": {"flow_id": [None, *FLOW_IDS]},
    "list_flows": {
        "namespace": [value for value in NAMES if value is not None],
        "state": ["", "active", "Open", "waiting", 5, b"open", ["open"]],
        "cursor": ["", "garbage", 5, b"x", ["x"], "\ud800"],
        "limit": LIMITS,
    },
    "list_edges": {
        "flow_id": [None, *FLOW_IDS],
        "upstream": EXECUTION_IDS,
        "downstream": EXECUTION_IDS,
    },
    "describe_edge": {"flow_id": [None, *FLOW_IDS], "edge_id": [None, *EDGE_IDS]},
}


def _arguments(method: str, engine: BlockingEngine) -> dict[str, Any]:
    """Good arguments for the method, on a flow of two members that are not linked."""
    dag = submit(engine, "a b")
    flow: dict[str, Any] = {"flow_id": dag.flow_id}
    arguments: dict[str, dict[str, Any]] = {
        "create_flow": {"kind": "pipeline"},
        "add_execution": {**flow, "kind": "job"},
        "add_dependency": {**flow, "upstream": dag["a"], "downstream": dag["b"]},
        "set_edge_group_policy": {**flow, "downstream": dag["b"], "policy": AllOf()},
        "cancel_flow": {**flow, "reason": "stop"},
        "ack_cancel_member": {**flow, "execution_id": dag["a"]},
        "set_flow_tag": {**flow, "key": "team.name", "value": "x"},
        "submit_flow": {"graph": graph_of("a")},
        "describe_flow": flow,
        "list_flows": {},
        "list_edges": flow,
        "describe_edge": {**flow, "edge_id": "the edge"},
    }
    return arguments[method]


@pytest.mark.parametrize(
    ("method", "argument"), [(method, argument) for method, of in BUILDING.items() for argument in of]
)
def test_a_command_to_a_flow_or_a_read_of_it_with_a_bad_argument_is_refused(
    engine: BlockingEngine, clock: ManualClock, method: str, argument: str
) -> None:
    good = _arguments(method, engine)

    def send_with(value: Any) -> object:
        return getattr(engine, method)(**{**good, argument: value})

    assert refusing(engine, send_with, BUILDING[method][argument]) == []


@pytest.mark.parametrize("method", BUILDING)
def test_every_argument_that_a_flow_is_given_is_tried(method: str) -> None:
    parameters = set(signature(getattr(BlockingEngine, method)).parameters) - {"self"}

    assert set(BUILDING[method]) == parameters - GATES - {"when_full"}


@pytest.mark.parametrize("argument", ["kind", "namespace", "flow_id", "tags"])
def test_a_graph_with_a_bad_argument_is_refused(engine: BlockingEngine, clock: ManualClock, argument: str) -> None:
    def submit_with(value: Any) -> object:
        return engine.submit_flow(FlowGraph(**{"kind": "pipeline", argument: value}))

    values = [value for value in BUILDING["create_flow"][argument] if argument != "tags" or value is not None]
    assert refusing(engine, submit_with, values) == []


@pytest.mark.parametrize("argument", [argument for argument in CREATION if argument not in ("command_id", "namespace")])
def test_a_graph_with_a_bad_node_is_refused(engine: BlockingEngine, clock: ManualClock, argument: str) -> None:
    def submit_with(value: Any) -> object:
        graph = graph_of("a")
        graph.node(**{"name": "b", "kind": "b", argument: value})
        return engine.submit_flow(graph)

    assert refusing(engine, submit_with, CREATION[argument]) == []


@pytest.mark.parametrize("part", ["name", "upstream", "downstream", "pass_result_as", "joined", "policy"])
def test_a_graph_with_a_bad_name_edge_or_join_is_refused(engine: BlockingEngine, clock: ManualClock, part: str) -> None:
    def submit_with(value: Any) -> object:
        graph = graph_of("a>c b")
        parts: dict[str, Callable[[], object]] = {
            "name": lambda: graph.node(value, "job"),
            "upstream": lambda: graph.edge(value, "c"),
            "downstream": lambda: graph.edge("a", value),
            "pass_result_as": lambda: graph.edge("b", "c", pass_result_as=value),
            "joined": lambda: graph.join(value, AllOf()),
            "policy": lambda: graph.join("c", value),
        }
        parts[part]()
        return engine.submit_flow(graph)

    values = {"pass_result_as": INPUT_NAMES, "policy": [None, *JOINS]}.get(part, NAMES)
    assert refusing(engine, submit_with, values) == []


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", ["describe_execution", "get_result", "wait_for_result", "list_attempts", "explain"])
def test_a_read_of_what_is_no_id_is_refused(engine: BlockingEngine, clock: ManualClock, method: str) -> None:
    create(engine)

    assert refusing(engine, getattr(engine, method), [None, *EXECUTION_IDS]) == []


def test_what_is_no_uuid_finds_nothing_and_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)

    assert refusing(engine, engine.find_executions, [None, "", "uuid", 5, b"uuid", f"{UUID}0", execution_id]) == []


FILTERS: Final[dict[str, list[Any]]] = {
    "namespace": [value for value in NAMES if value is not None],
    "public_state": ["", "running", "Waiting", "runnable", 5, b"waiting", ["waiting"]],
    "lane": [value for value in LANES if value is not None],
    "flow_id": ["", "flow", 5, b"flow", f"{UUID}0", "\ud800"],
    "kind": [value for value in NAMES if value is not None],
    "tag": ["", "team.name", "ab", 5, ("team.name",), ("team.name", "x", "y"), {"team.name": "x"}]
    + [(key, "x") for key in TAG_KEYS]
    + [("team.name", value) for value in TAG_VALUES],
    "created_before_ms": INSTANTS,
}
"""What narrows down which executions are meant."""


@pytest.mark.parametrize(
    ("method", "argument", "values"),
    [
        *(("list_executions", argument, values) for argument, values in FILTERS.items()),
        *(("count_executions", argument, values) for argument, values in FILTERS.items()),
        ("list_executions", "limit", LIMITS),
        *(("operate", argument, values) for argument, values in FILTERS.items()),
        ("operate", "reason", TEXTS),
        ("operate", "limit", LIMITS),
        ("operate", "cursor", ["", "garbage", 5, b"x", ["x"], "\ud800"]),
        ("purge", "namespace", [value for value in NAMES if value is not None]),
        ("purge", "ended_before_ms", [*INSTANTS, None]),
        ("purge", "limit", LIMITS),
        ("purge", "cursor", ["", "garbage", 5, b"x", ["x"], "\ud800"]),
        ("list_lanes", "namespace", [value for value in NAMES if value is not None]),
        ("stats", "namespace", [value for value in NAMES if value is not None]),
        ("read_events", "channels", ["lease", b"lease", 5, {"lease": 1}, ["leases"], ["lease", ""], [None], [5], [[]]]),
        ("read_events", "namespace", [value for value in NAMES if value is not None]),
        ("read_events", "execution_id", EXECUTION_IDS),
        ("read_events", "flow_id", ["", "flow", 5, b"flow", f"{UUID}0", "\ud800"]),
        ("read_events", "limit", LIMITS),
        ("subscribe", "channels", ["lease", 5, {"lease": 1}, ["leases"], [None]]),
        ("subscribe", "namespace", [value for value in NAMES if value is not None]),
    ],
)
def test_a_read_with_a_bad_argument_is_refused(
    engine: BlockingEngine, clock: ManualClock, method: str, argument: str, values: list[Any]
) -> None:
    start(engine)
    needed: dict[str, dict[str, Any]] = {"operate": {"action": "cancel"}, "purge": {"ended_before_ms": 1}}

    def read_with(value: object) -> object:
        return getattr(engine, method)(**{**needed.get(method, {}), argument: value})

    assert refusing(engine, read_with, values) == []


def test_a_wait_for_no_length_of_time_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    execution_id = create(engine)

    def wait(value: Any) -> object:
        return engine.wait_for_result(execution_id, timeout_ms=value)

    assert refusing(engine, wait, [*NO_INTEGER, -1, 10**30]) == []


def test_a_scope_that_is_no_name_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    assert refusing(engine, engine.scoped, NAMES) == []
