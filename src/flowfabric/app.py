"""The only place that chooses: which store a url means, and how the parts are put together."""

import asyncio
import os
import re
import secrets
import unicodedata
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.health import Facts
from flowfabric.domain.inputs import PAYLOAD_BYTES_MAX
from flowfabric.engine.blocking import BlockingEngine
from flowfabric.engine.engine import Engine
from flowfabric.engine.group_commit import GroupCommit
from flowfabric.engine.scope import Services
from flowfabric.engine.shells import AsyncShell, BlockingShell, Shell
from flowfabric.engine.wakeups import Wakeups
from flowfabric.ports import Clock, Store
from flowfabric.reconcilers.sweep import Sweeper
from flowfabric.stores._shared.migrate import Plan
from flowfabric.stores.memory.store import MemoryStore
from flowfabric.stores.sqlite.store import SqliteStore
from flowfabric.stores.sqlite.store import plan as sqlite_plan

DEFAULT_URL: Final = "sqlite:///flowfabric.db"
URL_VARIABLE: Final = "FLOWFABRIC_URL"
"""The environment variable that names the database where the program names none."""
_HOSTS: Final = re.compile(r"(?:(?:\[[\da-fA-F:.]+\]|[\w.%-]*)(?::\d+)?,?)*", re.ASCII)
IN_MEMORY: Final = ":memory:"
"""What SQLite itself calls a database that is no file."""


@asynccontextmanager
async def open_engine(
    url: str = DEFAULT_URL,
    *,
    clock: Clock | None = None,
    reconcile: bool = True,
    migrate: bool | None = None,
    payload_bytes_max: int = PAYLOAD_BYTES_MAX,
    notify: bool = True,
    connections: Connections = DEFAULT_CONNECTIONS,
) -> AsyncIterator[Engine]:
    """An engine on the store that the url names, for async code.

    `memory://` · `sqlite:///relative.db` · `sqlite:////absolute.db` · `postgresql://…`. Without `reconcile` nothing
    happens by itself: expired leases and due delays then wait for `engine.reconcile()`. With `notify=False` commits on
    PostgreSQL do not wake the workers of other processes; these find out when they next look. `connections` says how
    many connections the engine may open.
    """
    stack = ExitStack()
    pid = os.getpid()
    try:
        services = await asyncio.to_thread(
            _assemble, stack, url, clock, reconcile, migrate, payload_bytes_max, notify, connections, AsyncShell
        )
        yield Engine(services)
    finally:
        if os.getpid() == pid:  # a forked child has no thread for it, and nothing to close
            await asyncio.to_thread(stack.close)


@contextmanager
def open_blocking_engine(
    url: str = DEFAULT_URL,
    *,
    clock: Clock | None = None,
    reconcile: bool = True,
    migrate: bool | None = None,
    payload_bytes_max: int = PAYLOAD_BYTES_MAX,
    notify: bool = True,
    connections: Connections = DEFAULT_CONNECTIONS,
) -> Iterator[BlockingEngine]:
    """An engine on the store that the url names, for synchronous code; otherwise as `open_engine`."""
    with ExitStack() as stack:
        services = _assemble(
            stack, url, clock, reconcile, migrate, payload_bytes_max, notify, connections, BlockingShell
        )
        yield BlockingEngine(Engine(services))


class Both(NamedTuple):
    """One engine for two kinds of callers: both views share the store, the commits and the wake-ups."""

    engine: Engine
    """For code on event loops, any number of them."""
    blocking: Engine
    """Its coroutines never suspend: `run_now` drives them in the caller's thread."""

    def scoped(self, namespace: str) -> "Both":
        """Both confined to one namespace."""
        return Both(self.engine.scoped(namespace), self.blocking.scoped(namespace))


def open_both(
    stack: ExitStack,
    url: str = DEFAULT_URL,
    *,
    clock: Clock | None = None,
    reconcile: bool = True,
    migrate: bool | None = None,
    payload_bytes_max: int = PAYLOAD_BYTES_MAX,
    notify: bool = True,
    connections: Connections = DEFAULT_CONNECTIONS,
) -> Both:
    """An engine for async and for synchronous code at once, until the stack is closed; otherwise as `open_engine`."""
    services = _assemble(stack, url, clock, reconcile, migrate, payload_bytes_max, notify, connections, AsyncShell)
    return Both(Engine(services), Engine(blocking(services)))


def blocking(services: Services) -> Services:
    """The same services for callers without an event loop."""
    return replace(services, shell=BlockingShell(services.commits))


def _assemble(
    stack: ExitStack,
    url: str,
    clock: Clock | None,
    reconcile: bool,
    migrate: bool | None,
    payload_bytes_max: int,
    notify: bool,
    connections: Connections,
    shell_type: type[AsyncShell] | type[BlockingShell],
) -> Services:
    inputs.payload_bytes_max(payload_bytes_max)
    store = open_store(url, clock=clock, migrate=migrate, notify=notify, connections=connections)
    return assemble(stack, store, reconcile=reconcile, payload_bytes_max=payload_bytes_max, shell_type=shell_type)


def assemble(
    stack: ExitStack,
    store: Store,
    *,
    reconcile: bool,
    payload_bytes_max: int = PAYLOAD_BYTES_MAX,
    shell_type: type[AsyncShell] | type[BlockingShell] = AsyncShell,
) -> Services:
    """Put the parts together on a store, which is theirs from now on; what is started first stops last."""
    stack = stack.enter_context(_closed_by_its_process())
    stack.callback(store.close)
    wakeups = Wakeups(store)
    stack.callback(wakeups.close)
    commits = GroupCommit(store, wakeups.committed)
    wakeups.claims_stand_by_in(commits.standing.lanes, several_commit=store.committers > 1)
    stack.callback(commits.close)
    commits.start()
    shell: Shell = shell_type(commits)
    stack.callback(shell.close)
    sweeper = Sweeper(store, commits, wakeups, commits.outages)
    if reconcile:
        stack.enter_context(sweeper.running())
    return Services(commits, wakeups, sweeper, shell, payload_bytes_max)


@contextmanager
def _closed_by_its_process() -> Iterator[ExitStack]:
    """A stack for what belongs to this process. A forked child comes to its end, too, and leaves everything alone."""
    pid = os.getpid()
    stack = ExitStack()
    try:
        yield stack
    finally:
        if os.getpid() == pid:
            stack.close()


def open_store(
    url: str,
    *,
    clock: Clock | None = None,
    migrate: bool | None = None,
    notify: bool = True,
    connections: Connections = DEFAULT_CONNECTIONS,
) -> Store:
    """The store that a url names."""
    if not isinstance(connections, Connections):
        raise InvalidInput(f"connections is a Connections, not {type(connections).__name__}.")
    if not isinstance(url, str):
        raise InvalidInput(f"url is a string such as {DEFAULT_URL!r}, not {type(url).__name__}.")
    scheme, _, rest = url.partition("://")
    if scheme == "memory" and rest in ("", "/"):
        return MemoryStore(f"memory-{secrets.token_hex(6)}", clock)
    if scheme == "sqlite":
        return _sqlite_store(url, clock=clock, migrate=migrate, connections=connections)
    if scheme in ("postgresql", "postgres"):
        return _postgres_store(url, clock=clock, migrate=migrate, notify=notify, connections=connections)
    # The url itself is not shown: it may hold a password.
    raise InvalidInput(
        f"The url starts with {scheme[:20]!r} and names no store. Use 'memory://', 'sqlite:///relative.db', "
        "'sqlite:////absolute.db' or 'postgresql://…'."
    )


def default_url() -> str:
    """The database where none is named: the environment's, or a file in the current folder."""
    return os.environ.get(URL_VARIABLE) or DEFAULT_URL


def settled(url: str) -> str:
    """The url with the folder that a relative one means now, so that it means the same later."""
    relative = url.removeprefix("sqlite:///")
    if relative == url or relative.startswith("/") or relative.partition("?")[0] == IN_MEMORY:
        return url  # what SQLite has in memory is no file in a folder: it is refused when it is opened
    return f"sqlite:///{os.path.join(_current_folder(), relative)}"


def name_of(url: str) -> str:
    """The database that a url means, in words and without its password: `the file /srv/shop.db`."""
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        path, _ = _sqlite_file(url)
        return f"the file {os.path.abspath(path)}"
    if scheme not in ("postgresql", "postgres"):
        return scheme
    where, _, database = rest.partition("?")[0].partition("/")
    # A password that holds a slash ends up in front of it, so what looks odd is not shown at all.
    if "@" in database or not _HOSTS.fullmatch(where := where.rpartition("@")[2]):
        return "the PostgreSQL database of the url"
    return " ".join(["the PostgreSQL database", *([database] if database else []), *(["on", where] if where else [])])


def missing_file(url: str) -> str | None:
    """The file that the url of a SQLite database names, if it is not there yet; opening it would make it."""
    if not url.startswith("sqlite://"):
        return None
    path, _ = _sqlite_file(url)
    return None if os.path.exists(path) else path


def plan_migrations(url: str) -> Plan:
    """What is still to be applied to the store that a url names; nothing is changed."""
    scheme, _, _ = url.partition("://")
    if scheme == "sqlite":
        path, _ = _sqlite_file(url)
        return sqlite_plan(path)
    if scheme in ("postgresql", "postgres"):
        with _needing_driver():
            from flowfabric.stores.postgres.migrating import plan
        return plan(url)
    open_store(url).close()  # raises if it names no store; what is in memory needs no migration
    return Plan([], "")


def examine(url: str, *, clock: Clock | None = None, machine: Clock | None = None) -> Facts:
    """What the database that a url names tells of its health; nothing that it holds is changed."""
    scheme, _, _ = url.partition("://")
    if scheme == "sqlite":
        from flowfabric.stores.sqlite.health import examine as examine_file

        path, _ = _sqlite_file(url)
        return examine_file(path, clock=clock, machine=machine)
    if scheme in ("postgresql", "postgres"):
        with _needing_driver():
            from flowfabric.stores.postgres.health import examine as examine_server
        return examine_server(url, clock=clock, machine=machine)
    open_store(url).close()  # raises if it names no store
    raise InvalidInput("What is in memory is only there for its own process. Name a database.")


def accept_clock(url: str) -> int:
    """Take the clock of this machine for the time of a SQLite file again; by how many milliseconds time goes back."""
    if not url.startswith("sqlite://"):
        raise InvalidInput(
            "Only a SQLite file keeps its highest time; the time of a PostgreSQL database is the clock of its "
            "server. Set that clock."
        )
    store = _sqlite_store(url, clock=None, migrate=False)
    try:
        return store.accept_clock()
    finally:
        store.close()


def _postgres_store(
    url: str, *, clock: Clock | None, migrate: bool | None, notify: bool, connections: Connections
) -> Store:
    with _needing_driver():
        from flowfabric.stores.postgres.store import PostgresStore
    return PostgresStore(url, migrate=migrate is True, clock=clock, notifies=notify, connections=connections)


@contextmanager
def _needing_driver() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        raise InvalidInput(
            "PostgreSQL needs a driver that is not installed. Run: pip install 'flowfabric[postgres]'."
        ) from error


def _sqlite_store(
    url: str, *, clock: Clock | None, migrate: bool | None, connections: Connections = DEFAULT_CONNECTIONS
) -> SqliteStore:
    path, synchronous = _sqlite_file(url)
    return SqliteStore(
        path, synchronous=synchronous, migrate=migrate is not False, clock=clock, connections=connections
    )


def _sqlite_file(url: str) -> tuple[str, str]:
    """The file that a url names, and how its writes are synchronised."""
    # Cut by hand: no character means more in a folder's name, and in a file's only a question mark does.
    folder, slash, last = url.removeprefix("sqlite://").rpartition("/")
    name, _, query = last.partition("?")
    path = f"{folder}{slash}{name}"[1:]
    options = dict(parse_qsl(query, keep_blank_values=True))
    synchronous = options.pop("synchronous", "full").lower()
    if not url.startswith("sqlite:///") or name in ("", ".", "..") or path == IN_MEMORY:
        raise InvalidInput(
            f"The url {url!r} names no file. Write 'sqlite:///relative.db' or 'sqlite:////absolute.db', "
            "or 'memory://' for a store that is forgotten."
        )
    if any(unicodedata.category(char) == "Cc" for char in path) or not _can_be_a_name(path):
        raise InvalidInput(
            f"The url {url!r} names a file with control characters, or with some that no file can have. Rename it."
        )
    if options or synchronous not in ("full", "normal"):
        raise InvalidInput(f"The url {url!r} has unknown options. The one there is: synchronous=full or normal.")
    if not os.path.isabs(path):
        _current_folder()
    return path, synchronous


def _current_folder() -> str:
    """The folder that a relative path starts from."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise InvalidInput(
            "The url names a file relative to the current folder of this process, and that folder was deleted. "
            "Write an absolute path, such as 'sqlite:////var/lib/jobs.db', or start the process in another folder."
        ) from error


def _can_be_a_name(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True
