"""What the verbs that steer say to somebody on call: before, afterwards, and where the wrong thing was named."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric.cli.exits import Exit
from tests.cli.desk import UNKNOWN, Desk, a_desk
from tests.cli.running import Ended, ff_here


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk("sqlite", tmp_path) as desk:
        yield desk


def ff_at(desk: Desk, call: str) -> Ended:
    """The call, in which names stand for what is on the desk."""
    words = [getattr(desk, word.lower()) if word.isupper() else word for word in call.split()]
    return ff_here(*words, "--url", desk.url)


@pytest.mark.parametrize(
    ("call", "instead"),
    [
        ("replay FLOW", "ff flow replay FLOW"),
        ("cancel FLOW", "ff flow cancel FLOW"),
        ("explain FLOW", "ff flow show FLOW"),
        ("hold FLOW", "ff hold --flow FLOW"),
        ("priority 7 FLOW", "ff priority 7 --flow FLOW"),
        ("tail --execution FLOW", "ff tail --flow FLOW"),
        ("flow replay WAITING", "ff replay WAITING"),
        ("flow cancel WAITING", "ff cancel WAITING"),
        ("flow show WAITING", "ff show WAITING"),
        ("tail --flow WAITING", "ff tail --execution WAITING"),
    ],
)
def test_the_id_of_the_other_thing_is_answered_with_the_command_for_it(desk: Desk, call: str, instead: str) -> None:
    command = instead.replace("FLOW", desk.flow).replace("WAITING", desk.waiting)

    ended = ff_at(desk, call)

    assert ended.returncode == Exit.WRONG_CALL
    assert f"Write `{command}`" in ended.stderr


@pytest.mark.parametrize("number", ["-1", "9001"])
@pytest.mark.parametrize(
    "call", ["priority {} WAITING", "priority {} --lane mail --yes", "submit charge --priority {}"]
)
def test_a_priority_that_does_not_exist_is_a_wrong_call(desk: Desk, call: str, number: str) -> None:
    ended = ff_at(desk, call.format(number))

    assert ended.returncode == Exit.WRONG_CALL
    assert "0 to 9000" in ended.stderr
    assert desk.look(lambda engine: engine.count_executions(lane="mail")) == 2


def test_what_was_not_held_is_said_not_to_have_been(desk: Desk) -> None:
    assert ff_at(desk, "unhold WAITING").stdout == f"{desk.waiting} was not held\n"
    assert ff_at(desk, "unhold HELD").stdout == f"{desk.held} is let go\n"


def test_a_lane_that_nobody_knows_is_said_to_be_unknown(desk: Desk) -> None:
    ended = ff_at(desk, "lanes resume nosuch")

    assert ended.stdout == (
        "Lane nosuch was not paused. Nothing is in it, and no worker serves it: `ff lanes` lists the others.\n"
    )
    assert ff_at(desk, "lanes resume mail").stdout == "Lane mail was not paused.\n"


def test_a_lane_that_is_paused_in_another_namespace_is_named(desk: Desk) -> None:
    ff_at(desk, "lanes pause press --namespace news")

    ended = ff_at(desk, "lanes resume press")

    assert ended.stdout == "Lane press was not paused in namespace default. It is paused with `--namespace news`.\n"


def test_somebody_who_revokes_reads_which_worker_had_it_and_a_program_the_lease(desk: Desk) -> None:
    ended = ff_at(desk, "revoke ACTIVE")

    assert ended.stdout == f"{desk.active} was taken from worker till-1 and waits for a worker again\n"
    with desk.engine() as engine:
        (claimed,) = engine.claim(worker_id="till", worker_instance_id="till-2", lanes=["active"])
    (told,) = json.loads(ff_at(desk, "revoke ACTIVE --json").stdout)["answers"]
    assert told["answer"]["lease_id"] == claimed.lease.lease_id


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("revoke ACTIVE", "would be taken from worker till-1, whose lease lasts for another "),
        ("revoke WAITING", "is waiting: no worker has it, so there is no lease to take away"),
        ("cancel ACTIVE", "(active) would be cancelled, and worker till-1 would be asked to stop it"),
        ("cancel WAITING", "(waiting) would be cancelled"),
        ("cancel COMPLETED", "has already ended as completed; there is nothing left to cancel"),
        ("priority 7 WAITING", "would have priority 7 (now: 0)"),
        ("priority 7 ACTIVE", "is active; only a waiting execution that may run now has a place in the queue"),
        ("hold WAITING", "(waiting) would be held"),
        ("hold HELD", "is held already"),
        ("hold ACTIVE", "is active; only a runnable or suspended execution can be held"),
        ("unhold HELD", "would be let go"),
        ("unhold WAITING", "is not held"),
        ("replay COMPLETED", "will be replayed"),
    ],
)
def test_a_dry_run_with_an_id_says_what_would_happen_and_changes_nothing(desk: Desk, call: str, says: str) -> None:
    before = desk.look(lambda engine: engine.list_executions().items)

    ended = ff_at(desk, f"{call} --dry-run")

    would_be_refused = call in ("cancel COMPLETED", "priority 7 ACTIVE", "hold ACTIVE")
    assert ended.returncode == (Exit.NOT_DONE if would_be_refused else Exit.DONE), ended.stderr
    assert says in ended.stdout
    assert desk.look(lambda engine: engine.list_executions().items) == before
    assert says in json.loads(ff_at(desk, f"{call} --dry-run --json").stdout)["plan"][0]


def test_a_dry_run_says_which_ids_do_not_exist(desk: Desk) -> None:
    ended = ff_here("cancel", UNKNOWN, desk.waiting, "--dry-run", "--url", desk.url)

    assert ended.returncode == Exit.NOT_FOUND
    assert ended.stdout == f"{desk.waiting} (waiting) would be cancelled.\n"
    assert ended.stderr.startswith(f"ff: There is no execution {UNKNOWN}")


def test_only_what_runs_is_to_be_revoked_instead_of_held(desk: Desk) -> None:
    assert "Revoke its lease or cancel it" in ff_at(desk, "hold ACTIVE").stderr
    assert "evoke" not in ff_at(desk, "hold COMPLETED").stderr
    assert "evoke" not in ff_at(desk, "unhold ACTIVE").stderr
