"""`flowfabric.__version__` is that of the installed distribution, and costs nothing until it is asked for."""

import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

import flowfabric

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def in_a_new_process(program: str) -> str:
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_the_version_is_the_one_that_the_project_declares() -> None:
    declared = tomllib.loads(PROJECT.read_text())["project"]["version"]

    assert flowfabric.__version__ == declared
    assert "__version__" in dir(flowfabric)


def test_importing_the_package_reads_no_metadata_and_asking_for_the_version_imports_no_engine() -> None:
    seen = in_a_new_process(
        "import sys, flowfabric\n"
        "print('importlib.metadata' in sys.modules, end=' ')\n"
        "flowfabric.__version__\n"
        "print('flowfabric.engine' in sys.modules)"
    )

    assert seen == "False False"


def test_a_package_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", not_installed)
    monkeypatch.delitem(vars(flowfabric), "__version__", raising=False)

    assert not hasattr(flowfabric, "__version__")


def test_a_name_that_does_not_exist_is_still_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute 'versoin'"):
        _ = flowfabric.versoin  # type: ignore[attr-defined]
