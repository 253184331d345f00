"""What holds for the tests of every room."""

import os
import shutil
import signal
from pathlib import Path

IN_MEMORY = Path("/dev/shm")
ROOM_BYTES = 1 << 30
"""More than the tests ever have on the disk at once; a container may have much less there."""


def pytest_configure() -> None:
    """Let Ctrl-C mean what it means at a terminal, and keep the tests' files in memory."""
    # A shell that starts the tests in the background has Ctrl-C ignored.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # No test cuts the power, so no file has to reach a disk, and most commits of SQLite wait for nothing else.
    if IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free > ROOM_BYTES:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))
