"""Small libraries that are loaded into a process before all others: they watch or disturb what it does to files."""

import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

BUILD = Path(__file__).parents[1] / "build" / "preloaded"


@cache
def compiled(source: Path) -> Path:
    """The library that is made of a file in C. It is compiled again only if the file has changed."""
    made = BUILD / f"{source.stem}-{hashlib.sha256(source.read_bytes()).hexdigest()[:16]}.so"
    if not made.exists():
        BUILD.mkdir(parents=True, exist_ok=True)
        fresh = made.with_suffix(f".{os.getpid()}")
        # It needs no library but the one that the program has loaded, so none has to be built for it.
        options = ["-shared", "-fPIC", "-O1", "-nostdlib", "-fno-sanitize=undefined", "-fno-stack-protector"]
        subprocess.run(
            [sys.executable, "-m", "ziglang", "cc", *options, "-Wall", "-Werror", "-o", str(fresh), str(source)],
            check=True,
            env={**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(BUILD), "ZIG_LOCAL_CACHE_DIR": str(BUILD)},
        )
        fresh.rename(made)  # other processes may do the same at this moment
    return made
