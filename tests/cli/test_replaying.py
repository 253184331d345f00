"""`ff replay` and `ff flow replay`: what is kept and what is done again is said before it happens."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, Lease
from flowfabric.cli.exits import Exit
from tests.cli.desk import Desk, a_desk
from tests.cli.running import FF, WITHIN_S, ff_here


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

    said = json.loads(ff_here("replay", order, desk.waiting, "--dry-run", "--json", "--url", desk.url).stdout)

    assert (said["matched"], said["done"], said["refused"]) == (2, 0, [])
    assert said["plan"] == [
        f"{order} (failed) will be replayed: it has no stored steps, so all of it is done again",
        f"{desk.waiting} has not ended, so it cannot be replayed",
    ]


@pytest.mark.parametrize(
    ("options", "kept"), [([], ["charge", "pack"]), (["--from-scratch"], []), (["--from-step", "pack"], ["charge"])]
)
def test_a_program_that_names_an_execution_is_not_asked(desk: Desk, options: list[str], kept: list[str]) -> None:
    order = ended(desk, "charge", "pack")

    said = ff_here("replay", order, *options, "--url", desk.url)

    assert said.returncode == Exit.DONE
    with_steps = f", with {len(kept)} stored step{'s' if len(kept) > 1 else ''} kept" if kept else ""
    assert said.stdout == f"{order} is waiting again{with_steps}\n"
    assert steps_of(desk, order) == kept


@pytest.mark.parametrize(("answer", "code", "after"), [("y\n", Exit.DONE, "waiting"), ("\n", Exit.NOT_DONE, "failed")])
def test_whoever_sits_at_the_terminal_is_told_and_asked(desk: Desk, answer: str, code: Exit, after: str) -> None:
    order = ended(desk, "charge")
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", FF, "replay", order, "--url", desk.url],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.write(ours, answer.encode())
        _, asked = process.communicate(timeout=WITHIN_S)
    finally:
        os.close(ours)
        os.close(theirs)

    assert "1 stored step (charge) is kept, and only what comes after is done. Go on? [y/N] " in asked
    assert process.returncode == code
    with desk.engine() as engine:
        x = engine.describe_execution(order)
    assert x is not None
    assert x.public_state == after


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
    assert lines[-1] == "4 members of 4 would be replayed."
    assert states(desk) == ["failed", "skipped", "skipped", "skipped"]


def test_what_failed_is_replayed_once_it_was_agreed_to(desk: Desk) -> None:
    fail_first(desk)

    refused = ff_here("flow", "replay", desk.flow, "--url", desk.url)
    done = ff_here("flow", "replay", desk.flow, "--failed", "--yes", "--url", desk.url)

    assert refused.returncode == Exit.WRONG_CALL
    assert "4 members of 4 will be replayed: what completed starts from scratch, and everything else" in refused.stderr
    assert done.stdout == "4 members of 4 replayed.\n"
    assert states(desk) == ["waiting", "waiting_children", "waiting_children", "waiting_children"]


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
