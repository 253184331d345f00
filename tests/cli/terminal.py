"""`ff` at a terminal: what somebody who types sees there."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

from tests.cli.running import FF, WITHIN_S


def answered(folder: Path, answer: str, *arguments: str, **environment: str) -> tuple[str, int]:
    """Run a command at a terminal, type the answer, and wait for its end: all that was shown, and the exit code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", FF, *arguments],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    try:
        if answer:
            os.write(ours, answer.encode())
        shown = _all_of(ours)
        return shown, process.wait(timeout=WITHIN_S)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _all_of(terminal: int) -> str:
    shown = b""
    until = time.monotonic() + WITHIN_S
    while select.select([terminal], [], [], max(0.0, until - time.monotonic()))[0]:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # nobody has it open any more
            break
        if not part:
            break
        shown += part
    return shown.decode()
