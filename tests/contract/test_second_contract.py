"""The package against `contract-2.pyi`, as far as it is built: see `second.py`."""

import ast
import inspect
import re
from pathlib import Path
from typing import get_args

import pytest

import flowfabric
from flowfabric import BlockingEngine, Engine
from tests.contract.second import CONDITIONS, ERRORS, GROWN, ITEMS, METHODS, READS, VALUES
from tests.contract.test_contract import Method, check_parameters, make

HERE = Path(__file__).parent
CONTRACT = ast.parse((HERE / "contract-2.pyi").read_text())
CLASSES = {node.name: node for node in CONTRACT.body if isinstance(node, ast.ClassDef)}
WANTED = {node.name: node for node in CLASSES["Engine"].body if isinstance(node, Method)}


def fields_of(name: str) -> dict[str, ast.expr | None]:
    return {ast.unparse(node.target): node.value for node in CLASSES[name].body if isinstance(node, ast.AnnAssign)}


def test_what_there_is_of_the_contract_is_checked_here() -> None:
    there = {name for name in CLASSES if name != "Engine" and hasattr(flowfabric, name)}

    assert there == {*VALUES, *ITEMS, *CONDITIONS, *ERRORS}
    assert {name for name in WANTED if hasattr(Engine, name)} == set(METHODS)
    assert {name for name in WANTED if hasattr(BlockingEngine, name)} == set(METHODS)


def test_every_type_of_the_contract_that_has_a_name_can_be_imported() -> None:
    types = {ast.unparse(node.targets[0]): node.value for node in CONTRACT.body if isinstance(node, ast.Assign)}

    assert [name for name in types if not hasattr(flowfabric, name)] == []
    kinds = ast.unparse(types["FrameKind"]).removeprefix("Literal")
    assert list(get_args(flowfabric.FrameKind)) == ast.literal_eval(kinds)


@pytest.mark.parametrize("name", VALUES)
def test_a_value_has_the_fields_of_the_contract_and_is_immutable(name: str) -> None:
    cls = getattr(flowfabric, name)
    parameters = inspect.signature(cls).parameters
    fields = fields_of(name)
    values = [f"value of {field}" for field in fields]

    assert list(parameters) == [*fields, *GROWN.get(name, {})]
    for field, default in GROWN.get(name, {}).items():
        assert parameters[field].default == default
    for field, default in fields.items():
        expected = inspect.Parameter.empty if default is None else ast.literal_eval(default)
        assert parameters[field].default == expected
    assert cls(*values) == cls(**dict(zip(fields, values, strict=True)))
    for index, field in enumerate(fields):
        assert cls(*values[:index], "another", *values[index + 1 :]) != cls(*values)
        with pytest.raises(AttributeError):
            setattr(cls(*values), field, "another")


def test_a_child_is_made_from_the_fields_of_an_execution_except_those_that_its_parent_gives() -> None:
    of_execution = inspect.signature(flowfabric.NewExecution).parameters
    beside = {
        "execution_id",
        "namespace",
        "when_full",
        *(name for name in of_execution if name.startswith(("idempotency_", "debounce_"))),
    }

    of_child = inspect.signature(flowfabric.NewChild).parameters

    assert list(of_child) == [name for name in of_execution if name not in beside]
    child, execution = flowfabric.NewChild(kind="page"), flowfabric.NewExecution(kind="page")
    assert all(getattr(child, name) == getattr(execution, name) for name in of_child)


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_has_the_arguments_of_the_contract_compares_by_value_and_is_immutable(name: str) -> None:
    cls = getattr(flowfabric, name)
    init = [node for node in CLASSES[name].body if isinstance(node, Method)]
    examples: dict[str, list[tuple[object, ...]]] = {
        "AtLeast": [(1, "a"), (2, "a", "b"), (1, "b")],
        "OperatorOnly": [()],
    }
    given = examples.get(name, [("a",), ("a", "b"), (flowfabric.On("b"),)])

    if init:
        found = inspect.signature(cls).parameters
        wanted = [*init[0].args.args[1:], *([init[0].args.vararg] if init[0].args.vararg else [])]
        assert list(found) == [arg.arg for arg in [*wanted, *init[0].args.kwonlyargs]]
    for place, args in enumerate(given):
        assert cls(*args) == cls(*args)
        assert hash(cls(*args)) == hash(cls(*args))
        assert [other for other in range(len(given)) if cls(*given[other]) == cls(*args)] == [place]
    with pytest.raises((AttributeError, TypeError)):  # some versions of Python answer with the wrong one of the two
        cls(*given[0]).anything = 1


@pytest.mark.parametrize("name", ERRORS)
def test_a_refusal_has_the_base_and_the_code_of_the_contract(name: str) -> None:
    cls = getattr(flowfabric, name)

    assert [base.__name__ for base in cls.__bases__] == [ast.unparse(base) for base in CLASSES[name].bases]
    assert make(cls).code == re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
    assert make(cls).retryable is False


@pytest.mark.parametrize("cls", [Engine, BlockingEngine])
@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_the_parameters_of_the_contract(cls: type, name: str) -> None:
    method = getattr(cls, name)
    parameters = inspect.signature(method).parameters

    check_parameters(inspect.signature(method), WANTED[name], extras=True)
    assert inspect.iscoroutinefunction(method) is (cls is Engine and isinstance(WANTED[name], ast.AsyncFunctionDef))
    if name not in READS:
        assert parameters["command_id"].kind == inspect.Parameter.KEYWORD_ONLY
        assert parameters["command_id"].default is None


@pytest.mark.parametrize("blocking", [False, True])
def test_the_types_that_mypy_checks_are_those_of_the_contract(blocking: bool) -> None:
    protocols = {
        node.name: node for node in ast.parse((HERE / "typed.py").read_text()).body if isinstance(node, ast.ClassDef)
    }
    protocol = protocols["SecondBlockingEngine" if blocking else "SecondEngine"]

    wanted = [ast.unparse(WANTED[name]) for name in METHODS]
    if blocking:
        wanted = [
            method.replace("async def", "def")
            .replace("AsyncIterator[", "Iterator[")
            .replace("-> 'Engine'", "-> 'BlockingEngine'")
            for method in wanted
        ]
    assert [ast.unparse(node) for node in protocol.body] == wanted
