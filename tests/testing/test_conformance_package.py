"""The suite for stores is a distribution of its own: the package does without it, and none of it is left out."""

import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import flowfabric_conformance as conformance

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "conformance"


def settings(distribution: Path) -> dict:
    return tomllib.loads((distribution / "pyproject.toml").read_text())


def test_the_package_works_without_pytest_and_without_the_suite() -> None:
    program = (
        "import sys, flowfabric, flowfabric.testing; assert not {'pytest', 'flowfabric_conformance'} & {*sys.modules}"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr


def test_the_wheel_of_the_package_has_no_tests() -> None:
    packed = settings(ROOT)["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    files = [file for place in packed for file in (ROOT / place, *(ROOT / place).rglob("*.py")) if file.is_file()]

    assert SUITE / "src" in Path(conformance.__path__[0]).parents
    assert len(files) > 100
    assert [
        file for file in files if "\ndef test_" in file.read_text() or "conformance" in str(file.relative_to(ROOT))
    ] == []


def test_the_wheel_of_the_suite_has_all_of_it() -> None:
    packed = settings(SUITE)["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]

    assert [SUITE / package for package in packed] == [Path(conformance.__path__[0])]
    assert (SUITE / packed[0] / "py.typed").is_file()


def test_the_suite_is_for_the_engine_of_its_own_version() -> None:
    project = settings(SUITE)["project"]

    assert project["version"] == version("flowfabric")
    assert f"flowfabric=={project['version']}" in project["dependencies"]


def test_both_distributions_have_the_same_licence() -> None:
    assert (SUITE / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_every_module_of_the_suite_is_part_of_it() -> None:
    modules = {file.stem for file in Path(conformance.__path__[0]).glob("*.py")}

    assert modules == {*conformance.SUBJECTS, "__init__", "flow_stage", "stage"}


def test_one_import_brings_every_test_under_its_own_name() -> None:
    brought: dict[str, object] = {}
    exec("from flowfabric_conformance import *", brought)

    tests = {name for name in brought if name.startswith("test_")}
    assert tests == set(conformance.__all__)
    assert len(tests) > 300
