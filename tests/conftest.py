"""What holds for the tests of every room."""

import gc
import os
import shutil
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.assertion import rewrite

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadGroupScheduling

IN_MEMORY = Path("/dev/shm")
DECIDED_ON = "memory"
"""The store that shows all cases of a rule. The other stores get a sample of them."""
LONGEST = (
    *("test_stories.py", "test_wait_stories.py", "test_stream_stories.py", "test_gate_stories.py", "test_dags.py"),
    *("test_family_stories.py", "test_many_parked.py", "test_seeds.py", "test_mutants.py", "test_documentation.py"),
)
"""Files whose tests take longest. All cases of one test run one after the other."""
COLLECT_AFTER = 50_000
"""So many new objects are looked at for garbage at once. Python's own number is for programs that live long."""
ROOM_BYTES = 2 << 30
"""More than the tests ever have on the disk at once; a container may have much less there."""


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C mean what it means at a terminal, and keep the tests' files in memory."""
    # A shell that starts the tests in the background has Ctrl-C ignored.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Power is only cut in a model, so no file has to reach a disk, and most commits of SQLite wait for nothing else.
    if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
    # Until all tests are collected, nothing is garbage.
    gc.disable()
    if hasattr(config, "workerinput") and not sys.dont_write_bytecode:
        _compile_a_share_of_the_tests(config, config.workerinput)


def _compile_a_share_of_the_tests(config: pytest.Config, worker: dict[str, Any]) -> None:
    """Let the processes of a run share this work. On a new clone each of them would compile every test by itself."""
    root = config.rootpath
    tests = [*root.glob("tests/**/test_*.py"), *root.glob("conformance/src/flowfabric_conformance/*.py")]
    number = int(worker["workerid"].removeprefix("gw"))
    for source in sorted(tests)[number :: worker["workercount"]]:
        compiled = rewrite.get_cache_dir(source) / f"{source.stem}{rewrite.PYC_TAIL}"
        if rewrite._read_pyc(source, compiled) is None:
            with suppress(SyntaxError, OSError):  # whoever collects the test says what is wrong with it
                compiled.parent.mkdir(exist_ok=True)
                stat, code = rewrite._rewrite_test(source, config)
                rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, stat, compiled)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what another store shows, and begin with the longest: no process shall wait for them at the end."""
    items[:] = [item for item in items if not _is_decided_elsewhere(item)]
    items.sort(key=_turn_of)


def pytest_collection_finish() -> None:
    """Look for garbage from here on, but not among the tests themselves."""
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)
    gc.enable()


def _turn_of(item: pytest.Item) -> int:
    if item.get_closest_marker("xdist_group") is not None:
        return 0
    return 1 if item.path.name in LONGEST else 2


def _is_decided_elsewhere(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function) or item.get_closest_marker("rule_case") is None:
        return False
    return item.callspec.params.get("store_url") != DECIDED_ON


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: "Producer") -> "LoadGroupScheduling | None":
    """Hand out all cases of a test together: case by case, the handing out takes as long as many of the tests."""
    if config.getoption("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class ByTestOrGroup(LoadGroupScheduling):
        def _split_scope(self, nodeid: str) -> str:
            scope = super()._split_scope(nodeid)
            return scope.partition("[")[0] if scope == nodeid else scope

    return ByTestOrGroup(config, log)
