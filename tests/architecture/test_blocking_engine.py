"""The engine for synchronous code has every method of the other one, at run time and for type checkers."""

import inspect
import subprocess
import sys
from pathlib import Path

from flowfabric import BlockingEngine, Engine

ROOT = Path(__file__).parents[2]


def _public(engine: type) -> set[str]:
    return {name for name in dir(engine) if not name.startswith("_")}


def test_both_engines_have_the_same_methods():
    assert _public(BlockingEngine) == _public(Engine)


def test_the_methods_of_both_engines_take_the_same_arguments():
    for name in _public(Engine):
        ours, theirs = (inspect.signature(getattr(engine, name)) for engine in (BlockingEngine, Engine))
        assert ours.parameters == theirs.parameters, name


def test_type_checkers_see_the_methods_as_they_are():
    written = subprocess.run(
        [sys.executable, "tools/blocking_stub.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert written.returncode == 0, written.stderr
