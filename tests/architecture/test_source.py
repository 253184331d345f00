"""What no file of the package may do."""

import ast
import tokenize
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import flowfabric
from flowfabric import testing
from flowfabric.domain import errors, events, lease, outcomes, policies, snapshots
from flowfabric.domain.errors import EngineError

SOURCES = Path(str(files("flowfabric")))
FILES = sorted(SOURCES.rglob("*.py"))
BANNED_MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "jsonpickle", "imp", "code"}
LINES_MAX = 450
BANNED_CALLS = {"eval", "exec", "compile", "__import__", "input", "breakpoint"}


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


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


def _offenders(found: Callable[[Path], object], files: list[Path] = FILES) -> dict[str, object]:
    """What is found in each file, where anything is."""
    return {str(file.relative_to(SOURCES)): what for file in files if (what := found(file))}


def test_no_file_reads_what_could_run_code():
    def dangerous(file: Path) -> set[str]:
        tree = _tree(file)
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        return _imported(tree) & BANNED_MODULES | called & BANNED_CALLS

    assert _offenders(dangerous) == {}


def test_no_file_silences_the_type_checker():
    def silencing(file: Path) -> list[str]:
        return [comment for comment in _comments(file) if "type: ignore" in comment or "pyright: ignore" in comment]

    assert _offenders(silencing) == {}


def test_no_file_is_too_long_to_be_read_in_one_go():
    def too_long(file: Path) -> int | None:
        lines = file.read_text().count("\n")
        return lines if lines > LINES_MAX else None

    assert _offenders(too_long) == {}


def test_every_module_says_what_it_is_for():
    assert _offenders(lambda file: not ast.get_docstring(_tree(file))) == {}


def test_the_domain_reads_no_clock_and_draws_no_chance():
    impure = {"time", "random", "secrets", "uuid", "os", "io", "socket", "threading", "asyncio", "logging"}

    def impurities(file: Path) -> set[str]:
        tree = _tree(file)
        attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        # The calendar is a rule, what day it is today is not.
        return _imported(tree) & impure | attributes & {"now", "utcnow", "today"}

    assert _offenders(impurities, sorted((SOURCES / "domain").rglob("*.py"))) == {}


def test_the_random_numbers_of_a_program_are_left_to_it():
    """A program may seed them, and tools such as hypothesis watch who draws them."""

    def shared(file: Path) -> list[str]:
        imports = [node for node in ast.walk(_tree(file)) if isinstance(node, ast.Import | ast.ImportFrom)]
        spelled = [ast.unparse(node) for node in imports]
        return [each for each in spelled if "random" in each.split() and each != "from random import SystemRandom"]

    assert _offenders(shared) == {}


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
        *("client", "drawing", "fabric_workers", "process_engine", "server", "telemetry", "wire"),
        "TYPE_CHECKING",
    }
    visible = {name for name in vars(flowfabric) if not name.startswith("_")}

    assert visible - set(flowfabric.__all__) <= modules


def test_the_names_for_tests_are_in_order():
    assert testing.__all__ == sorted(testing.__all__)


def test_every_answer_every_value_and_every_error_is_public():
    # The last three hold no tokens. The engine adds these and answers with the public ones.
    private = {"Answer", "LeaseGivenUp", "WaitBegun", "WaitpointMade"}
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
