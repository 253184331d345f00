"""The suite for stores is a distribution of its own: the package does without it, and none of it is left out."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import flowfabric_conformance as conformance

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "conformance"


def settings(distribution: Path) -> dict[str, Any]:
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
    packed = settings(SUITE)["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    plugins = settings(SUITE)["project"]["entry-points"]["pytest11"]

    assert [SUITE / place for place in packed] == [
        Path(conformance.__path__[0]),
        *(SUITE / "src" / f"{plugin}.py" for plugin in plugins.values()),
    ]
    assert (SUITE / packed[0] / "py.typed").is_file()


def test_the_suite_is_for_the_engine_of_its_own_version() -> None:
    project = settings(SUITE)["project"]

    assert project["version"] == version("flowfabric")
    assert f"flowfabric=={project['version']}" in project["dependencies"]


def test_both_distributions_have_the_same_licence() -> None:
    assert (SUITE / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_every_module_of_the_suite_is_part_of_it() -> None:
    modules = {file.stem for file in Path(conformance.__path__[0]).glob("*.py")}

    stages = {"stage", "flow_stage", "gate_stage", "stream_stage", "wait_stage"}
    assert modules == {*conformance.SUBJECTS, *stages, "__init__", "cases"}


def test_one_import_brings_every_test_under_its_own_name() -> None:
    brought: dict[str, object] = {}
    exec("from flowfabric_conformance import *", brought)

    tests = {name for name in brought if name.startswith("test_")}
    assert tests == set(conformance.__all__)
    assert len(tests) > 300


def test_every_store_gets_a_sample_of_the_cases_that_the_rules_decide() -> None:
    parametrized = [
        mark
        for name in conformance.__all__
        for mark in getattr(getattr(conformance, name), "pytestmark", [])
        if mark.name == "parametrize"
    ]
    sampled = [
        [bool(case.marks) for case in mark.args[1]]
        for mark in parametrized
        if any(getattr(case, "marks", ()) for case in mark.args[1])
    ]

    assert len(sampled) > 40
    assert all(not cases[0] and not cases[-1] for cases in sampled)
    assert all(cases.count(False) < len(cases) for cases in sampled)


def test_a_store_of_ones_own_runs_the_suite_with_two_fixtures(pytester: pytest.Pytester) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", (SUITE / "README.md").read_text(), re.DOTALL)
    pytester.makepyfile(test_store=program)
    options = ["-p", "pytest_flowfabric_conformance", "-p", "no:cacheprovider", "--strict-markers", "-W", "error"]

    result = pytester.runpytest_subprocess(*options, "-k", "makes_no_sense", "-m", "not rule_case", timeout=60)

    result.assert_outcomes(passed=6, deselected=result.parseoutcomes()["deselected"])
