"""The page about `ff` against the program: every verb and option is there, nothing else is, and the examples run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App

from flowfabric.cli.exits import Exit
from flowfabric.cli.program import ff as program
from flowfabric.domain.health.finding import PROBLEMS, severity_of
from tests.cli.desk import a_desk
from tests.cli.running import ff_here

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()
SECTION = re.compile(r"^### `ff ([a-z ]+)`\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(SECTION.findall(PAGE))
OPTION = re.compile(r"--[a-z][a-z-]*")
EXAMPLES = re.findall(r"^\$ ff (.+)$", PAGE, re.MULTILINE)


def verbs_of(app: App, before: str = "") -> Iterator[tuple[str, App]]:
    for name, each in app.resolved_commands().items():
        if not name.startswith("-"):
            if each.default_command is not None:
                yield f"{before}{name}", each
            yield from verbs_of(each, f"{before}{name} ")


VERBS = dict(verbs_of(program))
STEERING = ["cancel", "revoke", "priority", "replay", "hold", "unhold"]


def options_of(verb: str) -> set[str]:
    arguments = VERBS[verb].assemble_argument_collection(default_parameter=program.default_parameter)
    return {name for argument in arguments for name in argument.names if name.startswith("--")}


def part(heading: str) -> str:
    """What stands under a heading before the next one."""
    return re.split(r"^##", PAGE.split(f"\n## {heading}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]


def test_every_verb_has_a_section_and_no_section_is_about_another() -> None:
    assert SECTIONS.keys() == VERBS.keys()


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_of_a_verb_is_told_and_no_other(verb: str) -> None:
    everywhere = set(OPTION.findall(part("Where the database is"))) | set(OPTION.findall(part("Look")))
    steering = set(OPTION.findall(part("Steer"))) if verb in STEERING else set()
    filters = options_of("ls") - {"--limit", "--cursor"} if verb in STEERING else set()
    told = set(OPTION.findall(SECTIONS[verb]))

    assert options_of(verb) <= told | everywhere | steering | filters
    assert told <= options_of(verb)


def test_every_exit_code_has_a_row() -> None:
    rows = re.findall(r"^\| (\d+) \|", part("How it ends"), re.MULTILINE)

    assert [int(row) for row in rows] == [code.value for code in Exit]


def test_every_problem_that_the_doctor_may_find_has_a_row() -> None:
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", SECTIONS["doctor"], re.MULTILINE)

    assert [problem for row in rows for problem in re.findall(r"`(\w+)`", row)] == list(PROBLEMS)


def test_the_severity_of_every_problem_is_told() -> None:
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (\w+) \|", SECTIONS["doctor"], re.MULTILINE)

    told = {problem: severity for row, severity in rows for problem in re.findall(r"`(\w+)`", row)}
    assert told == {problem: severity_of(problem) for problem in PROBLEMS}


def test_the_examples_run_in_the_order_of_the_page(tmp_path: Path) -> None:
    with a_desk("sqlite", tmp_path) as desk:
        for example in EXAMPLES:
            words = [{"ID": desk.waiting, "FLOW": desk.flow}.get(word, word) for word in shlex.split(example)]

            ended = ff_here(*words, "--url", desk.url)

            assert ended.returncode == 0, (example, ended.stderr)
            assert ended.stdout or ended.stderr, example
