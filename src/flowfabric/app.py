"""Puts the parts together: an engine on the store that a url names."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import Final, NamedTuple

from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.health.facts import Facts
from flowfabric.domain.inputs import PAYLOAD_BYTES_MAX
from flowfabric.engine.blocking import BlockingEngine
from flowfabric.engine.engine import Engine
from flowfabric.engine.group_commit import GroupCommit
from flowfabric.engine.scope import Services
from flowfabric.engine.shells import AsyncShell, BlockingShell, Shell
from flowfabric.engine.signing import KnownKeys, keys_in_environment
from flowfabric.engine.wakeups import Wakeups
from flowfabric.ports.clock import Clock
from flowfabric.ports.store import Store
from flowfabric.reconcilers.sweep import Sweeper
from flowfabric.stores._shared.migrate import Plan
from flowfabric.stores.kinds import Opening
from flowfabric.stores.registry import find_kind, kind_of

DEFAULT_URL: Final = "sqlite:///flowfabric.db"
URL_VARIABLE: Final = "FLOWFABRIC_URL"
"""The environment variable that names the database if the program names none."""
_AS_EVER: Final = Opening()


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
    PostgreSQL do not wake the workers of other processes; these find work when they next poll. `connections` sets how
    many connections the engine may open.
    """
    how = Opening(clock, migrate, notify, connections)
    stack = ExitStack()
    pid = os.getpid()
    try:
        services = await asyncio.to_thread(_assemble, stack, url, how, reconcile, payload_bytes_max, AsyncShell)
        yield Engine(services)
    finally:
        if os.getpid() == pid:  # a forked child has no such thread, and nothing to close
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
    how = Opening(clock, migrate, notify, connections)
    with ExitStack() as stack:
        services = _assemble(stack, url, how, reconcile, payload_bytes_max, BlockingShell)
        yield BlockingEngine(Engine(services))


class EnginePair(NamedTuple):
    """One engine for two kinds of callers: both views share the store, the commits and the wake-ups."""

    engine: Engine
    """For code on event loops; there may be several loops."""
    blocking: Engine
    """For synchronous code. Its coroutines never suspend: `run_now` runs them in the caller's thread."""

    def scoped(self, namespace: str) -> "EnginePair":
        """Both engines, confined to one namespace."""
        return EnginePair(self.engine.scoped(namespace), self.blocking.scoped(namespace))


def open_engine_pair(
    stack: ExitStack,
    url: str = DEFAULT_URL,
    how: Opening = _AS_EVER,
    *,
    reconcile: bool = True,
) -> EnginePair:
    """An engine for async and for synchronous code at once, until the stack is closed; otherwise as `open_engine`."""
    services = _assemble(stack, url, how, reconcile, PAYLOAD_BYTES_MAX, AsyncShell)
    return EnginePair(Engine(services), Engine(blocking(services)))


def blocking(services: Services) -> Services:
    """The same services for callers without an event loop."""
    return replace(services, shell=BlockingShell(services.commits))


def _assemble(
    stack: ExitStack,
    url: str,
    how: Opening,
    reconcile: bool,
    payload_bytes_max: int,
    shell_type: type[AsyncShell] | type[BlockingShell],
) -> Services:
    inputs.payload_bytes_max(payload_bytes_max)
    store = _opened(url, how)
    return assemble(stack, store, reconcile=reconcile, payload_bytes_max=payload_bytes_max, shell_type=shell_type)


def assemble(
    stack: ExitStack,
    store: Store,
    *,
    reconcile: bool,
    payload_bytes_max: int = PAYLOAD_BYTES_MAX,
    shell_type: type[AsyncShell] | type[BlockingShell] = AsyncShell,
) -> Services:
    """Put the parts of an engine together. They own the store from now on. The part that starts first stops last."""
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
    keys = KnownKeys(keys_in_environment(os.environ))
    return Services(commits, wakeups, sweeper, shell, payload_bytes_max, keys=keys)


@contextmanager
def _closed_by_its_process() -> Iterator[ExitStack]:
    """A stack that only this process closes. A forked child also reaches the end of the block, and closes nothing."""
    pid = os.getpid()
    stack = ExitStack()
    try:
        yield stack
    finally:
        if os.getpid() == pid:
            stack.close()


# ── what a url means ─────────────────────────────────────────────────────────────────────────────


def default_url() -> str:
    """The database if none is named: that of the environment, or a file in the current folder."""
    return os.environ.get(URL_VARIABLE) or DEFAULT_URL


def open_store(
    url: str,
    *,
    clock: Clock | None = None,
    migrate: bool | None = None,
    notify: bool = True,
    connections: Connections = DEFAULT_CONNECTIONS,
) -> Store:
    """The store that a url names."""
    return _opened(url, Opening(clock, migrate, notify, connections))


def _opened(url: str, how: Opening) -> Store:
    given: object = how.connections
    if not isinstance(given, Connections):
        raise InvalidInput(f"connections is a Connections, not {type(given).__name__}.")
    given = url
    if not isinstance(given, str):
        raise InvalidInput(f"url is a string such as {DEFAULT_URL!r}, not {type(given).__name__}.")
    return kind_of(url).open(url, how)


def settled(url: str) -> str:
    """The url with an absolute path, so that it means the same file later, in any folder."""
    kind = find_kind(url)
    return url if kind is None else kind.settled(url)  # a wrong url is refused when it is opened


def is_shared(url: str) -> bool:
    """Whether other processes can reach the records of the store that a url names."""
    kind = find_kind(url)
    return kind is None or kind.is_shared


def name_of(url: str) -> str:
    """The database of a url in words, without its password: `the file /srv/shop.db`."""
    kind = find_kind(url)
    return url.partition("://")[0] if kind is None else kind.name_of(url)


def missing_file(url: str) -> str | None:
    """The file that the url of a SQLite database names, if it does not exist yet and `open` would create it."""
    kind = find_kind(url)
    return None if kind is None else kind.missing_file(url)


def plan_migrations(url: str) -> Plan:
    """The migrations that the store of a url still lacks. Nothing is changed."""
    return kind_of(url).plan(url)


def examine(url: str, *, clock: Clock | None = None, machine: Clock | None = None) -> Facts:
    """The facts about the health of a url's database. Nothing in the database is changed."""
    return kind_of(url).examine(url, clock=clock, machine=machine)


def accept_clock(url: str) -> int:
    """Use the clock of this machine as the time of a SQLite file again. Returns by how many ms time goes back."""
    return kind_of(url).accept_clock(url)
