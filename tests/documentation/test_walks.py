"""The walks of `docs/internals.md` lead along what is there: each file exists, and has the name that a walk gives."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "flowfabric"
SECTION = re.compile(r"^## Five walks$(.*?)^## ", re.MULTILINE | re.DOTALL)
WALK = re.compile(r"^### (\d)\. ", re.MULTILINE)
PLACE = re.compile(r"`([\w/]+\.py) ([\w.]+)`")


def the_walks() -> str:
    section = SECTION.search((ROOT / "docs" / "internals.md").read_text())
    assert section is not None
    return section[1]


@cache
def names_in(file: Path) -> set[str]:
    """What a file defines: functions, classes, constants, and the members of classes after a dot."""
    return set(_defined(ast.parse(file.read_text()).body, ""))


def _defined(body: list[ast.stmt], prefix: str) -> list[str]:
    names: list[str] = []
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.append(prefix + node.name)
        if isinstance(node, ast.ClassDef):
            names += _defined(node.body, f"{prefix}{node.name}.")
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        names += [prefix + target.id for target in targets if isinstance(target, ast.Name)]
    return names


def is_there(file: str, name: str) -> bool:
    return (SOURCES / file).is_file() and name in names_in(SOURCES / file)


def test_every_step_names_what_is_there():
    lost = [f"{file} {name}" for file, name in PLACE.findall(the_walks()) if not is_there(file, name)]

    assert lost == []


def test_every_walk_is_there_and_names_its_places():
    walks = WALK.split(the_walks())

    assert walks[1::2] == ["1", "2", "3", "4", "5"]
    assert all(len(PLACE.findall(walk)) >= 7 for walk in walks[2::2])


def test_every_file_in_a_walk_comes_with_a_name():
    alone = re.findall(r"`([\w/]+\.py)(?! [\w.]+`)", the_walks())

    assert alone == ["tests/documentation/test_walks.py"]


def test_a_place_that_is_gone_is_noticed():
    assert is_there("engine/batch.py", "Batch.decide")
    assert is_there("domain/life.py", "STEPS")
    assert not is_there("engine/batch.py", "Batch.undecide")
    assert not is_there("engine/no_such_file.py", "Batch")
