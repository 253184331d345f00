"""Programs that the operating system brings, and pip does not."""

import os
import shutil

import pytest

NEEDED = ("pgbouncer", "nginx", "caddy", "systemd-analyze")
SBIN = "/usr/sbin:/usr/local/sbin:/opt/homebrew/bin"
"""Where system packages put them, which is not on everyone's path."""


def program(name: str) -> str:
    """Where a program is."""
    found = _find(name)
    assert found is not None, f"{name} was there a moment ago"
    return found


def check_that_all_are_there() -> None:
    """Without one of them no test is run."""
    if missing := [name for name in NEEDED if _find(name) is None]:
        packages = " ".join("systemd" if name == "systemd-analyze" else name for name in missing)
        pytest.exit(f"These tests need {', '.join(missing)}: Debian, Ubuntu: apt install {packages}.", returncode=1)


def _find(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{SBIN}")
