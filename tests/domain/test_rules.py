"""Every command has a rule, and a rule says all that the engine must know of its command."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import get_args, get_type_hints

import msgspec
import pytest

from flowfabric.domain import commands
from flowfabric.domain.commands import Command, Hold, executions_named_by, flow_named_by
from flowfabric.domain.commands.naming import EXECUTIONS_IN, FLOW_IN
from flowfabric.domain.decide.rule import RULES, rule
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.outcomes import Held
from flowfabric.domain.working_set import WorkingSet
from tests.domain.records import a_claim, an_id

FILES = [import_module(f"{commands.__name__}.{file.name}") for file in iter_modules(commands.__path__)]
COMMANDS = sorted(
    {
        each
        for file in FILES
        for each in vars(file).values()
        if isinstance(each, type) and issubclass(each, Command) and not each.__subclasses__()
    },
    key=lambda command: command.__name__,
)

NAMES_NO_MORE = {
    ("AddExecution", "edges"),  # where they lead to is the new member, which is named already
    ("ReplayFlow", "what"),  # members of the flow, which is locked as a whole
    ("SubmitFlow", "edges"),
    ("SubmitFlow", "joins"),
}
"""Fields with ids by which no order is kept."""


def _name(command: type) -> str:
    return command.__name__


def test_there_are_commands_in_every_subject():
    assert len(COMMANDS) >= 47


@pytest.mark.parametrize("command", COMMANDS, ids=_name)
def test_every_command_has_a_rule(command: type):
    assert command in RULES, f"declare @rule({command.__name__}, ...) above its rule in domain/decide"


@pytest.mark.parametrize("command", COMMANDS, ids=_name)
def test_every_command_can_be_imported_from_one_place(command: type):
    assert getattr(commands, command.__name__) is command


@pytest.mark.parametrize("command", COMMANDS, ids=_name)
def test_a_rule_answers_what_its_command_promises(command: type):
    (promised,) = get_args(command.__orig_bases__[0])

    assert get_type_hints(RULES[command].decide)["return"] == promised


def _mentioned(annotation: object) -> Iterator[object]:
    """The types in an annotation, and in the fields of the structs among them."""
    yield annotation
    parts = get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        parts = tuple(field.type for field in msgspec.structs.fields(annotation))
    for part in parts:
        yield from _mentioned(part)


@pytest.mark.parametrize("command", COMMANDS, ids=_name)
def test_no_field_with_an_id_is_overlooked(command: type):
    overlooked = {
        field.name
        for field in msgspec.structs.fields(command)
        if {ExecutionId, FlowId} & set(_mentioned(field.type)) and field.type not in {*EXECUTIONS_IN, *FLOW_IN}
    }

    assert {(command.__name__, name) for name in overlooked} <= NAMES_NO_MORE


def test_a_command_without_ids_names_nothing():
    assert executions_named_by(a_claim()) == ()
    assert flow_named_by(a_claim()) is None
    assert executions_named_by(Hold(an_id(1), "")) == (an_id(1),)


def test_a_command_cannot_have_two_rules():
    def another(ws: WorkingSet, command: Hold) -> Held:
        return Held(command.execution_id)

    with pytest.raises(AssertionError, match="Hold has two rules"):
        rule(Hold)(another)
