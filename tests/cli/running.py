"""`ff` as a program of its own, in the folder of the program it is about."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FF = "import sys; sys.argv[0] = 'ff'; from flowfabric.cli.main import main; main()"
WITHIN_S = 60.0


def ff(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    command = [sys.executable, "-c", FF, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=WITHIN_S)


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that runs while the block lasts, and not longer."""
    process = subprocess.Popen(
        [sys.executable, "-c", FF, *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
