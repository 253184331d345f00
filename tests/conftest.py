"""What holds for the tests of every room."""

import os
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.remote import Producer
    from xdist.scheduler import LoadGroupScheduling

IN_MEMORY = Path("/dev/shm")
ROOM_BYTES = 2 << 30
"""More than the tests ever have on the disk at once; a container may have much less there."""


def pytest_configure() -> None:
    """Let Ctrl-C mean what it means at a terminal, and keep the tests' files in memory."""
    # A shell that starts the tests in the background has Ctrl-C ignored.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # No test cuts the power, so no file has to reach a disk, and most commits of SQLite wait for nothing else.
    if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the groups. They are the longest, and at the end no process shall wait for the last of them."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


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
