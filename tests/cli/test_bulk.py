"""Verbs with filters: counted first, asked for, and each execution decided by itself."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from flowfabric import BlockingEngine, ExecutionSnapshot
from flowfabric.cli.exits import Exit
from tests.cli.desk import Desk, a_desk
from tests.cli.running import at_a_terminal, ff, ff_here
from tests.stores_under_test import SHARED_STORES


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk("sqlite", tmp_path) as desk:
        yield desk


def states(engine: BlockingEngine, desk: Desk) -> dict[str, Any]:
    found = {
        name: engine.describe_execution(getattr(desk, name)) for name in ("waiting", "held", "active", "completed")
    }
    return {name: None if x is None else x.public_state for name, x in found.items()}


@pytest.mark.parametrize("store", SHARED_STORES)
def test_everything_that_a_filter_finds_is_steered_and_nothing_else(store: str, tmp_path: Path) -> None:
    with a_desk(store, tmp_path) as desk:
        ended = ff(tmp_path, "cancel", "--lane", "mail", "--state", "waiting", "--yes", "--json", "--url", desk.url)

        assert json.loads(ended.stdout) == {"matched": 2, "done": 2, "refused": []}
        with desk.engine() as engine:
            assert states(engine, desk) == {
                "waiting": "cancelled",
                "held": "cancelled",
                "active": "active",
                "completed": "completed",
            }


@pytest.mark.parametrize(
    ("call", "matched"),
    [
        ("cancel --lane mail", 2),
        ("revoke --state active", 1),
        ("priority 7 --kind charge", 2),
        ("replay --state completed", 1),
        ("hold --tag team.name=billing", 1),
        ("unhold --older 0s --lane mail", 2),
    ],
)
def test_a_dry_run_counts_and_changes_nothing(desk: Desk, call: str, matched: int) -> None:
    with desk.engine() as engine:
        before = engine.list_executions().items

    ended = ff_here(*call.split(), "--dry-run", "--json", "--url", desk.url)

    assert json.loads(ended.stdout) == {"matched": matched, "done": 0, "refused": []}
    with desk.engine() as engine:
        assert engine.list_executions().items == before


def test_more_than_a_page_is_steered(desk: Desk) -> None:
    with desk.engine() as engine:
        for _ in range(600):
            engine.create_execution("many", lane="many")

    ended = ff_here("hold", "--lane", "many", "--yes", "--url", desk.url)

    assert ended.stdout == "600 executions held.\n"
    with desk.engine() as engine:
        found = cast("Sequence[ExecutionSnapshot]", engine.list_executions(lane="many", limit=1000).items)
        reasons = {x.blocking_reason for x in found}
    assert reasons == {"paused_by_operator"}


def test_what_is_refused_is_told_with_its_reason_and_disturbs_nobody(desk: Desk) -> None:
    ended = ff_here("cancel", "--older", "0s", "--kind", "completed", "--yes", "--url", desk.url)

    assert ended.returncode == Exit.NOT_DONE
    assert ended.stdout == "0 executions cancelled.\n"
    assert ended.stderr.startswith("ff: 1 refused (invalid_input), such as this one:")


def test_nothing_that_matches_is_no_error(desk: Desk) -> None:
    ended = ff_here("cancel", "--lane", "empty", "--url", desk.url)

    assert (ended.returncode, ended.stdout) == (Exit.DONE, "0 executions cancelled.\n")


@pytest.mark.parametrize(
    ("answer", "code", "after"), [("y\n", Exit.DONE, "cancelled"), ("\n", Exit.NOT_DONE, "waiting")]
)
def test_whoever_sits_at_the_terminal_is_asked(desk: Desk, answer: str, code: Exit, after: str) -> None:
    asked, ended_with = at_a_terminal(answer, "cancel", "--lane", "mail", "--url", desk.url)

    assert asked.startswith("2 executions will be cancelled. Go on? [y/N] ")
    assert ended_with == code
    with desk.engine() as engine:
        assert states(engine, desk)["waiting"] == after
