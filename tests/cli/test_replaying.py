"""`ff replay` and `ff flow replay`: what is kept and what is done again is said before it happens."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, FlowGraph, Lease
from flowfabric.cli import flows
from flowfabric.cli.exits import Exit
from flowfabric.domain.words import span
from tests.cli.desk import UNKNOWN, Desk, a_desk
from tests.cli.running import at_a_terminal, ff_here


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk("sqlite", tmp_path) as desk:
        yield desk


def ended(desk: Desk, *steps: str, well: bool = False) -> str:
    """An execution that has ended after these steps."""
    with desk.engine() as engine:
        engine.create_execution("order", lane="orders")
        (claimed,) = engine.claim(worker_id="till", worker_instance_id="till-1", lanes=["orders"])
        for step in steps:
            engine.record_step(claimed.lease, step, b"null")
        if well:
            engine.complete(claimed.lease)
        else:
            _fail(engine, claimed.lease)
    return claimed.execution_id


def _fail(engine: BlockingEngine, lease: Lease) -> None:
    engine.fail(lease, code="boom", retryable=False)


def steps_of(desk: Desk, execution_id: str) -> list[str]:
    with desk.engine() as engine:
        return [step.name for step in engine.list_steps(execution_id)]


@pytest.mark.parametrize(
    ("well", "options", "words"),
    [
        (False, [], "(failed) will be replayed: 2 stored steps (charge, pack) are kept, and only what comes after is"),
        (
            True,
            [],
            "(completed) will be replayed from scratch: 2 stored steps (charge, pack) are cleared and done",
        ),
        (False, ["--from-scratch"], "from scratch: 2 stored steps (charge, pack) are cleared and done again."),
        (False, ["--from-step", "pack"], "1 stored step (charge) is kept, and done again from pack on (pack)."),
        (True, ["--from-step", "charge"], "no step is kept, and done again from charge on (charge, pack)."),
    ],
)
def test_a_dry_run_says_what_is_kept_and_what_is_done_again(
    desk: Desk, well: bool, options: list[str], words: str
) -> None:
    order = ended(desk, "charge", "pack", well=well)

    said = ff_here("replay", order, *options, "--dry-run", "--url", desk.url)

    assert (said.returncode, said.stderr) == (Exit.DONE, "")
    assert said.stdout.startswith(order)
    assert words in said.stdout
    assert steps_of(desk, order) == ["charge", "pack"]


def test_a_dry_run_in_json_has_the_plan(desk: Desk) -> None:
    order = ended(desk)

    ran = ff_here("replay", order, desk.waiting, "--dry-run", "--json", "--url", desk.url)
    said = json.loads(ran.stdout)

    assert ran.returncode == Exit.NOT_DONE
    assert (said["matched"], said["done"], said["refused"]) == (2, 0, [])
    assert said["plan"] == [
        f"{order} (failed) will be replayed: it has no stored steps, so all of it is done again",
        f"{desk.waiting} has not ended, so it cannot be replayed",
    ]


def test_a_dry_run_of_what_cannot_be_replayed_says_why_and_is_no_success(desk: Desk) -> None:
    order = ended(desk, "charge")
    with desk.engine() as engine:
        engine.cancel_flow(desk.flow, reason="late", policy="cancel_all")
        member = engine.list_executions(flow_id=desk.flow).items[0].execution_id

    running = ff_here("replay", desk.active, "--dry-run", "--url", desk.url)
    unknown_step = ff_here("replay", order, "--from-step", "pack", "--dry-run", "--url", desk.url)
    cancelled = ff_here("replay", member, "--dry-run", "--url", desk.url)
    unknown = ff_here("replay", UNKNOWN, "--dry-run", "--url", desk.url)

    assert (unknown.returncode, unknown.stdout) == (Exit.NOT_FOUND, "")
    assert running == (Exit.NOT_DONE, f"{desk.active} has not ended, so it cannot be replayed.\n", "")
    assert unknown_step == (Exit.NOT_DONE, f"{order} has no stored step 'pack', only these: charge.\n", "")
    assert cancelled.returncode == Exit.NOT_DONE
    assert cancelled.stdout == (
        f"{member} belongs to a cancelled flow, so it cannot be replayed by itself; "
        f"`ff flow replay {desk.flow}` brings it back.\n"
    )


@pytest.mark.parametrize(
    ("options", "kept", "words"),
    [
        ([], ["charge", "pack"], "with 2 stored steps kept"),
        (["--from-scratch"], [], "from scratch: 2 stored steps were cleared"),
        (["--from-step", "pack"], ["charge"], "with 1 stored step kept and 1 cleared"),
    ],
)
def test_a_program_that_names_an_execution_is_not_asked(
    desk: Desk, options: list[str], kept: list[str], words: str
) -> None:
    order = ended(desk, "charge", "pack")

    said = ff_here("replay", order, *options, "--url", desk.url)

    assert said == (Exit.DONE, f"{order} is waiting again, {words}\n", "")
    assert steps_of(desk, order) == kept


def test_a_program_must_say_that_it_means_to_do_again_what_has_completed(desk: Desk) -> None:
    order = ended(desk, "charge", "pack", well=True)

    refused = ff_here("replay", order, "--url", desk.url)
    kept = steps_of(desk, order)
    done = ff_here("replay", order, "--yes", "--url", desk.url)

    assert (refused.returncode, refused.stdout) == (Exit.WRONG_CALL, "")
    assert (
        f"{order} (completed) will be replayed from scratch: 2 stored steps (charge, pack) are cleared and done again, "
        "and ff cannot ask, because its input is not a terminal. Add --yes or --from-scratch to go on, or --dry-run"
    ) in refused.stderr
    assert kept == ["charge", "pack"]
    assert done == (Exit.DONE, f"{order} is waiting again, from scratch: 2 stored steps were cleared\n", "")


@pytest.mark.parametrize(
    ("steps", "options", "words"),
    [
        ([], ["--from-scratch"], "from scratch: it had no stored steps"),
        (["charge", "pack"], ["--from-step", "pack"], "with 1 stored step kept and 1 cleared"),
        (["charge", "pack"], ["--from-scratch"], "from scratch: 2 stored steps were cleared"),
    ],
)
def test_a_program_that_says_what_is_done_again_is_not_asked(
    desk: Desk, steps: list[str], options: list[str], words: str
) -> None:
    order = ended(desk, *steps, well=True)

    said = ff_here("replay", order, *options, "--url", desk.url)

    assert said == (Exit.DONE, f"{order} is waiting again, {words}\n", "")


def test_nothing_is_replayed_if_one_of_several_would_be_done_again_unasked(desk: Desk) -> None:
    failed, completed = ended(desk, "charge"), ended(desk, "charge", well=True)

    said = ff_here("replay", failed, UNKNOWN, completed, "--url", desk.url)

    assert (said.returncode, said.stdout) == (Exit.WRONG_CALL, "")
    assert said.stderr.startswith(f"ff: {completed} (completed) will be replayed from scratch")
    with desk.engine() as engine:
        x = engine.describe_execution(failed)
    assert x is not None
    assert x.public_state == "failed"


@pytest.mark.parametrize(("answer", "code", "after"), [("y\n", Exit.DONE, "waiting"), ("\n", Exit.NOT_DONE, "failed")])
def test_whoever_sits_at_the_terminal_is_told_and_asked(desk: Desk, answer: str, code: Exit, after: str) -> None:
    order = ended(desk, "charge")

    asked, ended_with = at_a_terminal(answer, "replay", order, "--url", desk.url)

    assert "1 stored step (charge) is kept, and only what comes after is done. Go on? [y/N] " in asked
    assert ended_with == code
    with desk.engine() as engine:
        x = engine.describe_execution(order)
    assert x is not None
    assert x.public_state == after


def test_nobody_is_asked_about_what_is_refused_anyway(desk: Desk) -> None:
    order = ended(desk, "charge")

    of_one, code_of_one = at_a_terminal("n\n", "replay", desk.active, "--url", desk.url)
    of_three, code_of_three = at_a_terminal("y\n", "replay", UNKNOWN, desk.active, order, "--url", desk.url)

    assert (code_of_one, "Go on?" in of_one) == (Exit.NOT_DONE, False)
    assert f"{desk.active} has not ended, so it cannot be replayed.\n" in of_three
    assert "1 execution will be replayed. Go on? [y/N] " in of_three
    assert f"There is no execution {UNKNOWN}" in of_three
    assert code_of_three == Exit.NOT_FOUND
    with desk.engine() as engine:
        x = engine.describe_execution(order)
    assert x is not None
    assert x.public_state == "waiting"


def test_what_filters_find_is_replayed_from_scratch(desk: Desk) -> None:
    order = ended(desk, "charge")

    refused = ff_here("replay", "--lane", "orders", "--from-scratch", "--url", desk.url)
    done = ff_here("replay", "--lane", "orders", "--from-scratch", "--yes", "--url", desk.url)

    assert refused.returncode == Exit.WRONG_CALL
    assert "1 execution will be replayed, from scratch: all their stored steps are cleared" in refused.stderr
    assert done.stdout == "1 execution replayed.\n"
    assert steps_of(desk, order) == []


@pytest.mark.parametrize(
    "call",
    [
        ["replay", "ID", "--from-scratch", "--from-step", "pack"],
        ["replay", "--lane", "orders", "--from-step", "pack"],
        ["flow", "replay", "FLOW", "--failed", "--all"],
        ["flow", "replay", "FLOW", "--all", "--from", "cut"],
    ],
    ids=" ".join,
)
def test_options_that_do_not_go_together_are_refused(desk: Desk, call: list[str]) -> None:
    words = [{"ID": desk.completed, "FLOW": desk.flow}.get(word, word) for word in call]

    said = ff_here(*words, "--url", desk.url)

    assert (said.returncode, said.stdout) == (Exit.WRONG_CALL, "")


def test_a_step_that_is_not_there_is_told_with_those_that_are(desk: Desk) -> None:
    order = ended(desk, "charge")

    said = ff_here("replay", order, "--from-step", "pack", "--url", desk.url)

    assert said.returncode == Exit.NOT_DONE
    assert "no stored step 'pack'. Its steps are, first to last: 'charge'." in said.stderr


# ── flows ────────────────────────────────────────────────────────────────────────────────────────


def fail_first(desk: Desk) -> None:
    """Let the first member of the flow fail, and with it the others be skipped."""
    with desk.engine() as engine:
        (claimed,) = engine.claim(worker_id="till", worker_instance_id="till-1", lanes=["default"])
        _fail(engine, claimed.lease)


def states(desk: Desk) -> list[str]:
    said = json.loads(ff_here("flow", "show", desk.flow, "--json", "--url", desk.url).stdout)
    return [member["public_state"] for member in said["members"]]


def test_a_dry_run_lists_the_members(desk: Desk) -> None:
    fail_first(desk)

    said = ff_here("flow", "replay", desk.flow, "--dry-run", "--url", desk.url)

    lines = said.stdout.splitlines()
    assert [line.split(" {fp:")[0] for line in lines[:-1]] == [
        "failed split",
        "skipped cut",
        "skipped dub",
        "skipped show",
    ]
    assert lines[-1] == "4 members of 4 would run: 1 goes on after its stored steps, 3 run for the first time."
    assert states(desk) == ["failed", "skipped", "skipped", "skipped"]


def test_what_failed_is_replayed_once_it_was_agreed_to(desk: Desk) -> None:
    fail_first(desk)

    refused = ff_here("flow", "replay", desk.flow, "--url", desk.url)
    done = ff_here("flow", "replay", desk.flow, "--failed", "--yes", "--url", desk.url)

    assert refused.returncode == Exit.WRONG_CALL
    assert (
        "ff: 4 members of 4 will run: 1 goes on after its stored steps, 3 run for the first time, and" in refused.stderr
    )
    assert done.stdout == "4 members of 4 replayed.\n"
    assert states(desk) == ["waiting", "waiting_children", "waiting_children", "waiting_children"]


def test_what_is_left_alone_is_said_first_and_only_what_applies(desk: Desk) -> None:
    with desk.engine() as engine:
        (split,) = engine.claim(worker_id="till", worker_instance_id="till-1", lanes=["default"])
        engine.complete(split.lease)
        for claimed in engine.claim(worker_id="till", worker_instance_id="till-1", lanes=["default"], limit=2):
            _fail(engine, claimed.lease)

    def asked(*options: str) -> str:
        return ff_here("flow", "replay", desk.flow, *options, "--url", desk.url).stderr.partition("ff: ")[2]

    assert asked().startswith(
        "1 that has completed is left alone; 3 members of 4 will run: 2 go on after their stored steps, "
        "1 runs for the first time, and ff cannot ask"
    )
    assert asked("--from", "cut", "--steps", "clear").startswith(
        "2 are left alone (1 completed, 1 failed); 2 members of 4 will run: 1 starts from scratch, 1 runs for"
    )
    assert asked("--all").startswith(
        "4 members of 4 will run: 1 has completed and starts from scratch, 2 start from scratch, 1 runs for the first"
    )


def test_a_node_that_is_not_there_is_told_with_those_that_are(desk: Desk) -> None:
    said = ff_here("flow", "replay", desk.flow, "--from", "nosuch", "--url", desk.url)

    assert said.returncode == Exit.WRONG_CALL
    assert said.stderr == (
        f"ff: Flow {desk.flow} has no node 'nosuch'. Its nodes are: split, cut, dub, show. An id does as well.\n"
    )


def test_a_replay_of_a_member_says_what_stays_skipped_and_what_brings_it_back(desk: Desk) -> None:
    fail_first(desk)
    with desk.engine() as engine:
        split, _, dub, _ = (x.execution_id for x in engine.list_executions(flow_id=desk.flow).items[::-1])
    stay = "3 members were skipped because of it and stay skipped"
    repair = f"`ff flow replay {desk.flow}` brings them back, too."

    planned = ff_here("replay", split, "--dry-run", "--url", desk.url)
    of_two = ff_here("replay", split, dub, "--dry-run", "--url", desk.url)
    asked, code = at_a_terminal("n\n", "replay", split, "--url", desk.url)
    done = ff_here("replay", split, "--url", desk.url)

    assert (code, asked.count(f"done again. {stay}; {repair} Go on? [y/N] ")) == (Exit.NOT_DONE, 1)
    assert planned.stdout.endswith(f"so all of it is done again. {stay}; {repair}\n")
    assert f"done again. {stay.replace('3', '2')}; {repair}\n{dub} (skipped)" in of_two.stdout
    assert done.stdout == f"{split} is waiting again, from scratch: it had no stored steps. {stay}; {repair}\n"
    brought_back = json.loads(ff_here("flow", "replay", desk.flow, "--yes", "--json", "--url", desk.url).stdout)
    assert [member["node"] for member in brought_back["members"]] == ["cut", "dub", "show"]


def test_what_the_same_call_brings_back_is_not_said_to_stay_skipped(desk: Desk) -> None:
    fail_first(desk)
    with desk.engine() as engine:
        split, _, dub, _ = (x.execution_id for x in engine.list_executions(flow_id=desk.flow).items[::-1])

    said = ff_here("replay", split, dub, "--url", desk.url).stdout.splitlines()

    assert said[0].startswith(f"{split} is waiting again")
    assert "2 members were skipped because of it and stay skipped" in said[0]
    assert said[1].startswith(f"{dub} is waiting_children again")


def test_a_member_is_named_by_its_node_or_by_its_id(desk: Desk) -> None:
    fail_first(desk)
    with desk.engine() as engine:
        cut = next(x.execution_id for x in engine.list_executions(flow_id=desk.flow).items if x.node == "cut")

    for name in ("cut", cut, cut[-36:]):
        said = json.loads(
            ff_here("flow", "replay", desk.flow, "--from", name, "--dry-run", "--json", "--url", desk.url).stdout
        )
        assert [member["node"] for member in said["members"]] == ["cut", "show"]
        assert said["done"] is False


def test_a_flow_that_has_not_ended_is_not_replayed_as_a_whole(desk: Desk) -> None:
    said = ff_here("flow", "replay", desk.flow, "--all", "--yes", "--url", desk.url)

    assert said.returncode == Exit.NOT_DONE
    assert "has not ended" in said.stderr


def test_with_nothing_to_replay_nobody_is_asked(desk: Desk) -> None:
    said = ff_here("flow", "replay", desk.flow, "--url", desk.url)

    assert (said.returncode, said.stdout) == (Exit.DONE, "0 members of 4 replayed.\n")


def test_a_member_that_was_replayed_lasts_from_its_first_claim_since_then(desk: Desk) -> None:
    def show(name: str) -> str:
        said = ff_here("flow", "show", desk.flow, "--url", desk.url).stdout
        return next(line for line in said.splitlines() if f" {name} " in line)

    fail_first(desk)
    ff_here("flow", "replay", desk.flow, "--yes", "--url", desk.url)
    waiting = show("split")
    with desk.engine() as engine:
        (claimed,) = engine.claim(worker_id="till", worker_instance_id="till-1", lanes=["default"])
        engine.complete(claimed.lease)
        split = engine.describe_execution(claimed.execution_id)
        events = engine.read_events(execution_id=claimed.execution_id).events
    claims = [event.occurred_at_ms for event in events if event.event_type == "acquired"]

    assert waiting == f"waiting split {claimed.execution_id}"
    assert split is not None
    assert split.terminal_at_ms is not None
    assert claims[0] < claims[1]
    assert show("split") == f"completed split {claimed.execution_id}, took {span(split.terminal_at_ms - claims[1])}"


def test_of_members_that_are_alike_and_were_replayed_nothing_is_said_of_the_time_before(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = FlowGraph("many")
    for number in range(5):
        graph.node(f"part-{number}", "part", lane="parts")
    with desk.engine() as engine:
        flow = engine.submit_flow(graph).flow_id
        for claimed in engine.claim(worker_id="till", worker_instance_id="till-1", lanes=["parts"], limit=5):
            _fail(engine, claimed.lease)
    before = ff_here("flow", "show", flow, "--url", desk.url).stdout
    ff_here("flow", "replay", flow, "--yes", "--url", desk.url)

    after = ff_here("flow", "show", flow, "--url", desk.url).stdout
    with desk.engine() as engine:
        for claimed in engine.claim(worker_id="till", worker_instance_id="till-1", lanes=["parts"], limit=5):
            engine.complete(claimed.lease)
    done = ff_here("flow", "show", flow, "--url", desk.url).stdout
    monkeypatch.setattr(flows, "LOOKED_UP_MAX", 4)
    too_many = ff_here("flow", "show", flow, "--url", desk.url).stdout

    assert " each, boom" in before.splitlines()[-1]
    assert after.splitlines()[-1] == "5 × waiting part"
    assert re.fullmatch(r"5 × completed part, \d+ ms to \d+ ms each", done.splitlines()[-1])
    assert too_many.splitlines()[-1] == "5 × completed part"


# ── the log ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("well", "options", "words"),
    [
        (False, [], "after failed; 2 stored steps kept"),
        (False, ["--from-step", "pack"], "after failed; 1 stored step kept, done again from pack on"),
        (False, ["--from-step", "charge"], "after failed; done again from charge on"),
        (True, ["--from-scratch"], "after completed; from scratch"),
    ],
)
def test_the_log_says_in_words_what_a_replay_was(
    desk: Desk, well: bool, options: list[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = ended(desk, "charge", "pack", well=well)
    ff_here("replay", order, *options, "--url", desk.url)

    shown = ff_here("show", order, "--url", desk.url).stdout
    tailed = ff_here("tail", "--from", "start", "--until-idle", "--url", desk.url).stdout
    monkeypatch.setenv("COLUMNS", "90")
    narrow = ff_here("tail", "--from", "start", "--until-idle", "--url", desk.url).stdout

    assert [line.partition("replayed")[2].strip() for line in shown.splitlines() if " replayed " in line] == [words]
    assert [line for line in tailed.splitlines() if line.endswith(words)] != []
    (cut,) = (line.partition("replayed: ")[2] for line in narrow.splitlines() if "replayed: " in line)
    assert words.startswith(cut.removesuffix("…"))
    assert len(cut) > len("after failed")


def test_the_log_of_a_member_that_never_ran_has_no_attempt_before_its_replay(desk: Desk) -> None:
    fail_first(desk)
    ff_here("flow", "replay", desk.flow, "--yes", "--url", desk.url)
    with desk.engine() as engine:
        show = engine.list_executions(flow_id=desk.flow).items[0].execution_id

    shown = ff_here("show", show, "--url", desk.url).stdout

    (line,) = (line for line in shown.splitlines() if " replayed " in line)
    assert line.endswith("  after skipped")
