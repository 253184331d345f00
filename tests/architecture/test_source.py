"""What no file of the package may do."""

import ast
import tokenize
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

import flowfabric
from flowfabric import testing
from flowfabric.domain import errors, events, lease, outcomes, policies, snapshots
from flowfabric.domain.errors import EngineError

SOURCES = Path(str(files("flowfabric")))
FILES = sorted(SOURCES.rglob("*.py"))
BANNED_MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "jsonpickle", "imp", "code"}
BANNED_CALLS = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}


def _name(file: Path) -> str:
    return str(file.relative_to(SOURCES))


def _comments(file: Path) -> Iterator[str]:
    with file.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type == tokenize.COMMENT:
                yield token.string


def _imported(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_no_file_reads_what_could_run_code(file: Path):
    tree = ast.parse(file.read_text())

    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}

    assert _imported(tree) & BANNED_MODULES == set()
    assert calls & BANNED_CALLS == set()


# The suite for stores sends what no type checker would let pass, on purpose.
@pytest.mark.parametrize("file", [file for file in FILES if "conformance" not in file.parts], ids=_name)
def test_no_file_silences_the_type_checker(file: Path):
    assert [comment for comment in _comments(file) if "type: ignore" in comment or "pyright: ignore" in comment] == []


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_every_module_says_what_it_is_for(file: Path):
    assert ast.get_docstring(ast.parse(file.read_text()))


@pytest.mark.parametrize("file", sorted((SOURCES / "domain").rglob("*.py")), ids=_name)
def test_the_domain_reads_no_clock_and_draws_no_chance(file: Path):
    impure = {"time", "random", "secrets", "uuid", "os", "io", "socket", "threading", "asyncio", "logging"}
    tree = ast.parse(file.read_text())

    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

    assert _imported(tree) & impure == set()
    assert attributes & {"now", "utcnow", "today"} == set()  # the calendar is a rule, what day it is today is not


def test_the_public_names_are_complete_and_in_order():
    assert flowfabric.__all__ == sorted(flowfabric.__all__)
    assert len(set(flowfabric.__all__)) == len(flowfabric.__all__)
    assert all(hasattr(flowfabric, name) for name in flowfabric.__all__)


def test_a_checker_finds_every_public_name_where_it_comes_from():
    tree = ast.parse((SOURCES / "__init__.py").read_text())
    seen = {
        (alias.name, node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("flowfabric.")
        for alias in node.names
    }

    assert sorted(name for name, _ in seen) == flowfabric.__all__
    assert all(getattr(flowfabric, name) is getattr(import_module(str(module)), name) for name, module in seen)


def test_nothing_else_is_exported_by_accident():
    modules = {
        *("app", "cli", "demo", "domain", "engine", "fabric", "ports", "reconcilers", "runtime", "stores", "testing"),
        "wire",
        "TYPE_CHECKING",
    }
    visible = {name for name in vars(flowfabric) if not name.startswith("_")}

    assert visible - set(flowfabric.__all__) <= modules


def test_the_names_for_tests_are_in_order():
    assert testing.__all__ == sorted(testing.__all__)


def test_every_answer_every_value_and_every_error_is_public():
    private = {"RememberedAnswer"}
    for module in (errors, events, lease, outcomes, policies, snapshots):
        made_here = {
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and value.__module__ == module.__name__ and not name.startswith("_")
        }
        assert made_here - private - {"Fence"} <= set(flowfabric.__all__), module.__name__


def _subclasses(of: type) -> Iterator[type]:
    for each in of.__subclasses__():
        yield each
        yield from _subclasses(each)


def test_every_error_has_a_stable_code_of_its_own():
    for file in FILES:
        if "__main__" not in file.name:
            import_module(
                ".".join(("flowfabric", *file.relative_to(SOURCES).with_suffix("").parts)).removesuffix(".__init__")
            )
    public = [error for error in _subclasses(EngineError) if error.__module__ == errors.__name__]

    codes = [error.code for error in public]

    assert len(set(codes)) == len(codes)
    assert all(code == code.lower() and code.replace("_", "").isalpha() for code in codes)
