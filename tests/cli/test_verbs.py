"""Every verb on every store that programs can share, and one of each module as a program of its own."""

import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from cyclopts import App

from flowfabric import AccessTokenSnapshot, BlockingEngine, BudgetSnapshot, ExecutionSnapshot, LimitSnapshot
from flowfabric.cli.program import ff as program
from flowfabric.runtime.payloads import untyped_call
from tests.cli.desk import Desk, a_desk
from tests.cli.running import ff, ff_here
from tests.stores_under_test import SHARED_STORES


@pytest.fixture(params=SHARED_STORES)
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with a_desk(request.param, tmp_path) as desk:
        yield desk


def looked(engine: BlockingEngine, execution_id: str) -> ExecutionSnapshot:
    found = engine.describe_execution(execution_id)
    assert found is not None
    return found


def ids(listed: Any) -> set[str]:
    return {each["execution_id"] for each in listed}


Call = Callable[[Desk], list[str]]
Check = Callable[[Any, Desk, BlockingEngine], tuple[object, object]]
"""What was found, in what the verb says and in the database, and what should be."""


def all_limits(engine: BlockingEngine) -> Sequence[LimitSnapshot]:
    return cast("Sequence[LimitSnapshot]", engine.list_limits().items)


def limit_at(engine: BlockingEngine, key: str) -> LimitSnapshot:
    found = engine.describe_limit("tenant", key)
    assert found is not None
    return found


def budget_of(engine: BlockingEngine) -> BudgetSnapshot:
    found = engine.describe_budget("team-a")
    assert found is not None
    return found


def with_limit(desk: Desk, *arguments: str) -> list[str]:
    """The arguments, once there is a limit."""
    desk.look(lambda engine: engine.set_limit("tenant", concurrency=2))
    return ["limits", *arguments]


def with_token(desk: Desk, verb: str, *arguments: str) -> list[str]:
    """The arguments, once there is an access token."""
    with desk.engine() as engine:
        token = engine.create_access_token("viewer", name="ann").token
    return ["tokens", verb, *([token.token_id] if verb == "revoke" else []), *arguments]


def all_tokens(engine: BlockingEngine) -> Sequence[AccessTokenSnapshot]:
    return cast("Sequence[AccessTokenSnapshot]", engine.list_access_tokens().items)


def known_by(engine: BlockingEngine, secret: str) -> tuple[str, str, str | None]:
    who = engine.authenticate(secret)
    assert who is not None
    return who.name, who.role, who.namespace


def with_budget(desk: Desk, *arguments: str) -> list[str]:
    """The arguments, once there is a budget of which something is used."""
    desk.look(lambda engine: engine.set_budget("team-a", limits={"usd": 10}))
    desk.look(lambda engine: engine.charge_budget("team-a", {"usd": 4}, reason="a bill"))
    return ["budgets", *arguments]


def with_words(desk: Desk) -> list[str]:
    """The arguments, once there is an execution that has said something."""
    with desk.engine() as engine:
        engine.create_execution("answer", lane="talk")
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["talk"])
        engine.append_frames(claimed.lease, [b"why not?"])
        return ["logs", claimed.execution_id]


VERBS: dict[str, tuple[Call, Check]] = {
    "logs": (
        with_words,
        lambda said, desk, engine: ((said["kind"], said["value"]), ("text", "why not?")),
    ),
    "limits": (
        with_limit,
        lambda said, desk, engine: ([each["name"] for each in said["limits"]], ["tenant"]),
    ),
    "limits show": (
        lambda desk: with_limit(desk, "show", "tenant", "t-7"),
        lambda said, desk, engine: ((said["limit"]["key"], said["limit"]["concurrency"]), ("t-7", 2)),
    ),
    "limits set": (
        lambda desk: with_limit(desk, "set", "tenant", "--rate", "60", "--per", "1h", "--burst", "3", "--key", "t-7"),
        lambda said, desk, engine: (
            [(each.key, each.concurrency, each.rate, each.per_ms, each.burst) for each in all_limits(engine)],
            [("", 2, None, 60_000, None), ("t-7", None, 60, 3_600_000, 3)],
        ),
    ),
    "limits pause": (
        lambda desk: with_limit(desk, "pause", "tenant", "t-7", "1h"),
        lambda said, desk, engine: (
            limit_at(engine, "t-7").paused_until_ms,
            said["limit"]["paused_until_ms"],
        ),
    ),
    "limits remove": (
        lambda desk: with_limit(desk, "remove", "tenant"),
        lambda said, desk, engine: ((said["removed"], engine.describe_limit("tenant")), (True, None)),
    ),
    "budgets": (
        with_budget,
        lambda said, desk, engine: ([each["used"] for each in said["budgets"]], [{"usd": 4}]),
    ),
    "budgets show": (
        lambda desk: with_budget(desk, "show", "team-a"),
        lambda said, desk, engine: (
            (said["budget"]["used"], said["kinds"], said["days"]),
            ({"usd": 4}, [], []),
        ),
    ),
    "budgets spending": (
        lambda desk: with_budget(desk, "spending", "team-a", "--by", "flow"),
        lambda said, desk, engine: (said, {"spending": [], "next_cursor": None}),
    ),
    "budgets set": (
        lambda desk: with_budget(
            desk,
            "set",
            "child",
            "--limit",
            "usd=5",
            "--soft",
            "usd=3",
            "--period",
            "week",
            "--timezone",
            "Asia/Tokyo",
            "--parent",
            "team-a",
            "--on-exceeded",
            "cancel",
        ),
        lambda said, desk, engine: (
            [said["budget"][name] for name in ("limits", "soft_limits", "period", "timezone", "parent", "on_exceeded")],
            [{"usd": 5}, {"usd": 3}, "week", "Asia/Tokyo", "team-a", "cancel"],
        ),
    ),
    "budgets charge": (
        lambda desk: with_budget(desk, "charge", "team-a", "usd=-3", "--reason", "was wrong"),
        lambda said, desk, engine: (
            (said["answer"]["remaining"], budget_of(engine).used),
            ({"usd": 9}, {"usd": 1}),
        ),
    ),
    "budgets reset": (
        lambda desk: with_budget(desk, "reset", "team-a"),
        lambda said, desk, engine: (
            (said["budget"]["used"], budget_of(engine).used),
            ({"usd": 0}, {"usd": 0}),
        ),
    ),
    "ls": (
        lambda desk: ["ls", "--lane", "mail", "--state", "waiting", "--kind", "charge"],
        lambda said, desk, engine: (ids(said["executions"]), {desk.waiting, desk.held}),
    ),
    "show": (
        lambda desk: ["show", desk.completed],
        lambda said, desk, engine: (
            {
                **{name: said[name] for name in ("result", "explanation")},
                "steps": [step["result"] for step in said["steps"]],
                "events": [event["event_type"] for event in said["events"]],
                "attempts": [attempt["outcome"] for attempt in said["attempts"]],
            },
            {
                "result": {"total": 42},
                "explanation": "It completed.",
                "steps": ["paid"],
                "events": ["acquired", "completed"],
                "attempts": ["success"],
            },
        ),
    ),
    "explain": (
        lambda desk: ["explain", desk.held[-36:]],
        lambda said, desk, engine: (
            said,
            {
                "execution_id": desk.held,
                "explanation": f"It is held by an operator; `ff unhold {desk.held}` lets it run.",
                "commands": [f"ff unhold {desk.held}"],
            },
        ),
    ),
    "tail": (
        lambda desk: ["tail", "--from", "start", "--execution", desk.held, "--count", "1"],
        lambda said, desk, engine: ((said["event_type"], said["execution_id"]), ("held", desk.held)),
    ),
    "workers": (
        lambda desk: ["workers"],
        lambda said, desk, engine: ([each["worker_instance_id"] for each in said["workers"]], ["till-1"]),
    ),
    "flow ls": (
        lambda desk: ["flow", "ls", "--state", "open"],
        lambda said, desk, engine: ([each["flow_id"] for each in said["flows"]], [desk.flow]),
    ),
    "flow show": (
        lambda desk: ["flow", "show", desk.flow],
        lambda said, desk, engine: (
            ([each["kind"] for each in said["members"]], len(said["edges"])),
            (["split", "cut", "dub", "show"], 4),
        ),
    ),
    "flow cancel": (
        lambda desk: ["flow", "cancel", desk.flow, "--policy", "cancel_pending", "--wait", "--reason", "late"],
        lambda said, desk, engine: (
            (len(said["answer"]["member_execution_ids"]), looked_flow(engine, desk.flow)),
            (4, ("cancelled", "cancel_pending", "late")),
        ),
    ),
    "flow replay": (
        lambda desk: ["flow", "replay", desk.flow, "--steps", "keep", "--yes"],
        lambda said, desk, engine: ((said["execution_ids"], said["members"]), ([], [])),
    ),
    "submit": (
        lambda desk: [
            *("submit", "charge", '{"order_id": 7}', "--lane", "mail", "--priority", "9", "--delay", "1h"),
            *("--idempotency-key", "order-7", "--tag", "team.name=billing", "--tag", "team.lead=ada"),
        ],
        lambda said, desk, engine: (
            (said["is_duplicate"], *submitted(looked(engine, said["execution_id"]))),
            (False, "delayed", "charge", "mail", 9, {"team.name": "billing", "team.lead": "ada"}),
        ),
    ),
    "cancel": (
        lambda desk: ["cancel", desk.active, desk.held, "--reason", "duplicate"],
        lambda said, desk, engine: (
            (ids(said["answers"]), looked(engine, desk.active).cancellation_reason),
            ({desk.active, desk.held}, "duplicate"),
        ),
    ),
    "revoke": (
        lambda desk: ["revoke", desk.active],
        lambda said, desk, engine: (
            (said["answers"][0]["answer"]["type"], looked(engine, desk.active).public_state),
            ("Revoked", "waiting"),
        ),
    ),
    "priority": (
        lambda desk: ["priority", "500", desk.waiting],
        lambda said, desk, engine: (
            (said["answers"][0]["answer"]["old_priority"], looked(engine, desk.waiting).priority),
            (0, 500),
        ),
    ),
    "replay": (
        lambda desk: ["replay", desk.completed, "--yes"],
        lambda said, desk, engine: (
            (ids(said["answers"]), looked(engine, desk.completed).replay_count),
            ({desk.completed}, 1),
        ),
    ),
    "hold": (
        lambda desk: ["hold", desk.waiting],
        lambda said, desk, engine: (
            (ids(said["answers"]), looked(engine, desk.waiting).blocking_reason),
            ({desk.waiting}, "paused_by_operator"),
        ),
    ),
    "unhold": (
        lambda desk: ["unhold", desk.held],
        lambda said, desk, engine: (
            (ids(said["answers"]), looked(engine, desk.held).blocking_reason),
            ({desk.held}, "waiting_for_worker"),
        ),
    ),
    "stats": (
        lambda desk: ["stats"],
        lambda said, desk, engine: (
            (
                *(said["executions"]["active"], said["executions"]["completed"], said["flows"]["open"]),
                *(said["live_workers"], said["kept"]["executions_for_ever"]),
            ),
            (1, 1, 1, 1, 1),
        ),
    ),
    "purge": (
        lambda desk: ["purge", "--older", "0s", "--yes"],
        lambda said, desk, engine: (
            (said["executions"], said["flows"], engine.describe_execution(desk.completed)),
            (1, 0, None),
        ),
    ),
    "lanes": (
        lambda desk: ["lanes", "--namespace", "default"],
        lambda said, desk, engine: (
            {each["lane"]: (each["waiting"], each["blocked"]) for each in said["lanes"]}["mail"],
            (1, 1),
        ),
    ),
    "lanes pause": (
        lambda desk: ["lanes", "pause", "mail", "--reason", "the server is down"],
        lambda said, desk, engine: (
            (said["answer"]["reason"], engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["mail"])),
            ("the server is down", []),
        ),
    ),
    "lanes resume": (
        lambda desk: ["lanes", "resume", "mail"],
        lambda said, desk, engine: (said["answer"]["paused_since_ms"], None),
    ),
    "schedules": (
        lambda desk: ["schedules"],
        lambda said, desk, engine: ([each["name"] for each in said["schedules"]], ["nightly"]),
    ),
    "schedules pause": (
        lambda desk: ["schedules", "pause", "nightly", "--reason", "holidays"],
        lambda said, desk, engine: (engine.list_schedules()[0].pause_reason, "holidays"),
    ),
    "schedules resume": (
        lambda desk: ["schedules", "resume", "nightly"],
        lambda said, desk, engine: (said["answer"]["next_slot_ms"], engine.list_schedules()[0].next_slot_ms),
    ),
    "schedules run": (
        lambda desk: ["schedules", "run", "nightly", "--command-id", "again"],
        lambda said, desk, engine: (
            (said["name"], looked(engine, said["answer"]["execution_id"]).tags["schedule.name"]),
            ("nightly", "nightly"),
        ),
    ),
    "waiting": (
        lambda desk: ["waiting", "--key", "editor", "--limit", "5"],
        lambda said, desk, engine: (
            (said["next_cursor"], [[wait["keys"] for wait in x["waits"]] for x in said["executions"]]),
            (None, []),
        ),
    ),
    "waitpoints": (
        lambda desk: ["waitpoints", desk.waiting],
        lambda said, desk, engine: (
            said,
            {"execution_id": desk.waiting, "waitpoints": [], "signals": []},
        ),
    ),
    "signal": (
        lambda desk: [
            *("signal", desk.waiting, "editor", "--data", '{"good": true}', "--name", "yes", "--as", "ann"),
            *("--idempotency-key", "mail-1"),
        ],
        lambda said, desk, engine: (
            (said["key"], said["answer"]["effect"], signals(engine, desk.waiting)),
            ("editor", "buffered", [("editor", "yes", b'{"good":true}', "ann")]),
        ),
    ),
    "approve": (
        lambda desk: ["approve", desk.waiting, "editor", "--as", "ann", "--note", "fine"],
        lambda said, desk, engine: (
            (said["answer"]["effect"], signals(engine, desk.waiting)),
            ("buffered", [("editor", "yes", b'{"choice":"yes","note":"fine"}', "ann")]),
        ),
    ),
    "reject": (
        lambda desk: ["reject", desk.waiting, "editor", "--as", "ben"],
        lambda said, desk, engine: (
            (said["answer"]["effect"], signals(engine, desk.waiting)),
            ("buffered", [("editor", "no", b'{"choice":"no","note":""}', "ben")]),
        ),
    ),
    "resume": (
        lambda desk: ["resume", desk.waiting],
        lambda said, desk, engine: (said["answer"], {"type": "AlreadySatisfied", "reason": "not_suspended"}),
    ),
    "secrets list": (
        lambda desk: ["secrets", "list"],
        lambda said, desk, engine: (said, {"kids": dict(engine.list_waitpoint_kids())}),
    ),
    "secrets rotate": (
        lambda desk: ["secrets", "rotate", "--kid", "spring", "--grace", "1h", "--yes"],
        lambda said, desk, engine: (
            (said["answer"]["kid"], [kid for kid, until in engine.list_waitpoint_kids().items() if until is None]),
            ("spring", ["spring"]),
        ),
    ),
    "tokens create": (
        lambda desk: [
            "tokens",
            "create",
            "--role",
            "operator",
            "--namespace",
            "shop",
            "--expires",
            "90d",
            "--name",
            "ann",
        ],
        lambda said, desk, engine: (
            (said["secret"].split("_")[1], known_by(engine, said["secret"])),
            (said["token"]["token_id"], ("ann", "operator", "shop")),
        ),
    ),
    "tokens list": (
        lambda desk: with_token(desk, "list"),
        lambda said, desk, engine: ([each["name"] for each in said["tokens"]], ["ann"]),
    ),
    "tokens revoke": (
        lambda desk: with_token(desk, "revoke", "--reason", "left", "--yes"),
        lambda said, desk, engine: (
            (said["answer"]["type"], [each.is_alive for each in all_tokens(engine)]),
            ("TokenRevoked", [False]),
        ),
    ),
    "migrate": (
        lambda desk: ["migrate", "--plan"],
        lambda said, desk, engine: (
            (said["migrations"], said["applied"], said["compatible_from"], said["database"][:4]),
            ([], False, None, "the "),
        ),
    ),
}
WITH_TESTS_OF_THEIR_OWN = {
    "bench",
    "clock accept",
    "completion",
    "dashboard",
    "doctor",
    "init",
    "server",
    "worker",
    "schedules forget",
}


def submitted(x: ExecutionSnapshot) -> tuple[object, ...]:
    return x.public_state, x.kind, x.lane, x.priority, dict(x.tags)


def signals(engine: BlockingEngine, execution_id: str) -> list[tuple[str, str, bytes, str]]:
    return [(each.key, each.name, each.payload, each.source) for each in engine.list_signals(execution_id)]


def looked_flow(engine: BlockingEngine, flow_id: str) -> tuple[str, str | None, str | None]:
    found = engine.describe_flow(flow_id)
    assert found is not None
    return found.state, found.cancellation_policy, found.cancel_reason


def verbs_of(app: App, before: str = "") -> Iterator[tuple[str, str]]:
    """Every verb that can be called, nouns included where they are one, too, and the module that it is in."""
    for name, each in app.resolved_commands().items():
        if not name.startswith("-"):
            if each.default_command is not None:
                yield f"{before}{name}", each.default_command.__module__
            yield from verbs_of(each, f"{before}{name} ")


MODULES = dict(verbs_of(program))
FIRST_OF_ITS_MODULE = {MODULES[verb]: verb for verb in reversed(VERBS)}.values()


def test_every_verb_is_tried() -> None:
    assert MODULES.keys() - WITH_TESTS_OF_THEIR_OWN == VERBS.keys()
    assert len(FIRST_OF_ITS_MODULE) > 10


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_does_what_it_says_and_says_it_in_json(desk: Desk, verb: str, tmp_path: Path) -> None:
    call, check = VERBS[verb]
    arguments = [*call(desk), "--json", "--url", desk.url]

    # A process of its own is what most of the time goes to. What it needs is the same for a module and on every store.
    has_its_own = verb in FIRST_OF_ITS_MODULE and desk.url.startswith("sqlite:")
    ended = ff(tmp_path, *arguments) if has_its_own else ff_here(*arguments)

    assert ended.returncode == 0, ended.stderr
    with desk.engine() as engine:
        found, expected = check(json.loads(ended.stdout), desk, engine)
    assert found == expected


def test_a_hyphen_has_the_arguments_read_from_standard_input(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"order_id": 7}')))

    ended = ff_here("submit", "charge", "-", "--lane", "till", "--url", desk.url)

    assert ended.returncode == 0, ended.stderr
    with desk.engine() as engine:
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["till"])
        assert claimed.payload == untyped_call({"order_id": 7})
