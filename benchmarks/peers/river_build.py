"""Builds the program of River, which is in Go: `python river_build.py`, run by the environment that has Go from pip.

The modules come from where the settings of Go say, and everything that Go keeps stays in the environment.
"""

import os
import subprocess
import sys
from pathlib import Path

SOURCES = Path(__file__).parent / "river"
ENVIRONMENT = Path(sys.prefix)
PROGRAM = ENVIRONMENT / "bin" / "river"


def build() -> None:
    """Build it, or end with one sentence about why not."""
    settings = {
        **os.environ,
        "CGO_ENABLED": "0",
        "GOCACHE": str(ENVIRONMENT / "go-cache"),
        # What Go downloads is read-only otherwise, so that the environment could not be removed.
        "GOFLAGS": "-modcacherw -mod=readonly",
        "GOMODCACHE": str(ENVIRONMENT / "go-modules"),
        "GOTOOLCHAIN": "local",
    }
    go = ENVIRONMENT / "bin" / "go"
    if not go.exists():
        sys.exit("Go is not here, so River cannot be built.")
    for verb in (["mod", "download"], ["build", "-o", str(PROGRAM), "."]):
        done = subprocess.run([str(go), *verb], cwd=SOURCES, env=settings, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            sys.exit(f"Go could not {verb[0]} it ({lines[-1] if lines else 'no word'}).")


if __name__ == "__main__":
    build()
