"""The suite as a package: whoever does not run it does not need pytest, and none of it is left out."""

import subprocess
import sys
from pathlib import Path

import flowfabric.testing.conformance as conformance


def test_the_package_works_without_pytest() -> None:
    program = "import sys, flowfabric, flowfabric.testing; assert 'pytest' not in sys.modules"

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 0, done.stderr


def test_every_module_of_the_suite_is_part_of_it() -> None:
    modules = {file.stem for file in Path(conformance.__path__[0]).glob("*.py")}

    assert modules == {*conformance.SUBJECTS, "__init__", "flow_stage", "stage"}


def test_one_import_brings_every_test_under_its_own_name() -> None:
    brought: dict[str, object] = {}
    exec("from flowfabric.testing.conformance import *", brought)

    tests = {name for name in brought if name.startswith("test_")}
    assert tests == set(conformance.__all__)
    assert len(tests) > 300
