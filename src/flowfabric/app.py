"""Puts the parts together: an engine on the store that a url names."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import Final, NamedTuple, NoReturn, cast

from msgspec.structs import replace

from flowfabric.client.address import SCHEMES, address_in, is_address
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
from flowfabric.ports.telemetry import Telemetry
from flowfabric.ports.tracing import Tracer
from flowfabric.reconcilers.sweep import Sweeper
from flowfabric.stores._shared.migrate import Plan
from flowfabric.stores.kinds import Opening, StoreKind
from flowfabric.stores.registry import find_kind, kind_of, register

DEFAULT_URL: Final = "sqlite:///flowfabric.db"
URL_VARIABLE: Final = "FLOWFABRIC_URL"
"""The environment variable that names the database if the program names none."""
TOKEN_VARIABLE: Final = "FLOWFABRIC_TOKEN"  # noqa: S105 - the name of a variable, not a secret
"""The environment variable that holds the access token for a server if the program gives none."""
_AS_EVER: Final = Opening()


@asynccontextmanager
async def open_engine(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    clock: Clock | None = None,
    reconcile: bool = True,
    migrate: bool | None = None,
    payload_bytes_max: int = PAYLOAD_BYTES_MAX,
    notify: bool = True,
    connections: Connections = DEFAULT_CONNECTIONS,
    telemetry: Telemetry | None = None,
    tracer: Tracer | None = None,
) -> AsyncIterator[Engine]:
    """An engine on the store that the url names, for async code.

    `memory://` · `sqlite:///relative.db` · `sqlite:////absolute.db` · `postgresql://…`. Without `reconcile` nothing
    happens by itself: expired leases and due delays then wait for `engine.reconcile()`. With `notify=False` commits on
    PostgreSQL do not wake the workers of other processes; these find work when they next poll. `connections` sets how
    many connections the engine may open. `telemetry` counts what the engine does, and `tracer` makes spans: see
    `flowfabric.telemetry`.

    `http://host:7433` or `https://host` is a FlowFabric server. `token` is the access token for it; without it, that of
    the environment variable `FLOWFABRIC_TOKEN`. The server decides about time, upkeep, payloads and connections.
    """
    how = Opening(clock, migrate, notify, connections)
    stack = ExitStack()
    pid = os.getpid()
    try:
        if _is_server(url, token):
            yield _remote(stack, url, token, how, tracer).engine
        else:
            services = await asyncio.to_thread(
                _assemble, stack, url, how, reconcile, payload_bytes_max, AsyncShell, telemetry, tracer
            )
            yield Engine(services)
    finally:
        if os.getpid() == pid:  # a forked child has no such thread, and nothing to close
            await asyncio.to_thread(stack.close)


@contextmanager
def open_blocking_engine(
    url: str = DEFAULT_URL,
    *,
    token: str | None = None,
    clock: Clock | None = None,
    reconcile: bool = True,
    migrate: bool | None = None,
    payload_bytes_max: int = PAYLOAD_BYTES_MAX,
    notify: bool = True,
    connections: Connections = DEFAULT_CONNECTIONS,
    telemetry: Telemetry | None = None,
    tracer: Tracer | None = None,
) -> Iterator[BlockingEngine]:
    """An engine on the store that the url names, for synchronous code; otherwise as `open_engine`."""
    how = Opening(clock, migrate, notify, connections)
    with ExitStack() as stack:
        if _is_server(url, token):
            yield BlockingEngine(_remote(stack, url, token, how, tracer).blocking)
            return
        services = _assemble(stack, url, how, reconcile, payload_bytes_max, BlockingShell, telemetry, tracer)
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

    def acting_as(self, actor: str | None) -> "EnginePair":
        """Both engines, acting for a person, if one is named."""
        return self if actor is None else EnginePair(self.engine.acting_as(actor), self.blocking.acting_as(actor))


def open_engine_pair(
    stack: ExitStack,
    url: str = DEFAULT_URL,
    how: Opening = _AS_EVER,
    *,
    token: str | None = None,
    reconcile: bool = True,
    telemetry: Telemetry | None = None,
    tracer: Tracer | None = None,
) -> EnginePair:
    """An engine for async and for synchronous code at once, until the stack is closed; otherwise as `open_engine`."""
    if _is_server(url, token):
        return _remote(stack, url, token, how, tracer)
    services = _assemble(stack, url, how, reconcile, PAYLOAD_BYTES_MAX, AsyncShell, telemetry, tracer)
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
    telemetry: Telemetry | None,
    tracer: Tracer | None,
) -> Services:
    inputs.payload_bytes_max(payload_bytes_max)
    store = _opened(url, how)
    return assemble(
        stack,
        store,
        reconcile=reconcile,
        payload_bytes_max=payload_bytes_max,
        shell_type=shell_type,
        telemetry=telemetry,
        tracer=tracer,
    )


def assemble(
    stack: ExitStack,
    store: Store,
    *,
    reconcile: bool,
    payload_bytes_max: int = PAYLOAD_BYTES_MAX,
    shell_type: type[AsyncShell] | type[BlockingShell] = AsyncShell,
    telemetry: Telemetry | None = None,
    tracer: Tracer | None = None,
) -> Services:
    """Put the parts of an engine together. They own the store from now on. The part that starts first stops last."""
    stack = stack.enter_context(_closed_by_its_process())
    stack.callback(store.close)
    wakeups = Wakeups(store)
    stack.callback(wakeups.close)
    commits = GroupCommit(store, wakeups.committed, telemetry)
    wakeups.claims_stand_by_in(commits.standing.lanes, several_commit=store.committers > 1)
    stack.callback(commits.close)
    commits.start()
    shell: Shell = shell_type(commits)
    stack.callback(shell.close)
    sweeper = Sweeper(store, commits, wakeups, commits.outages, telemetry)
    if reconcile:
        stack.enter_context(sweeper.running())
    keys = KnownKeys(keys_in_environment(os.environ))
    return Services(commits, wakeups, sweeper, shell, payload_bytes_max, keys=keys, tracer=tracer)


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


# ── a store behind a server ──────────────────────────────────────────────────────────────────────


def _is_server(url: str, token: str | None) -> bool:
    """Whether the url names a server. A token is only for a server."""
    given: object = url
    is_server = isinstance(given, str) and is_address(given)
    if token is not None and not is_server:
        raise InvalidInput("token= is for a server, and the url names none. Leave it out, or write http://host:7433.")
    return is_server


def _remote(stack: ExitStack, url: str, token: str | None, how: Opening, tracer: Tracer | None) -> EnginePair:
    """The engines that ask a server. They have the methods of `Engine`, and are used in its place."""
    from flowfabric.client.engine import open_remote  # most programs never need it

    if how.clock is not None:
        raise InvalidInput("clock= has no effect on a server, which has its own time. Leave it out.")
    if how.migrate:
        raise InvalidInput("migrate= does not reach the database of a server. Run `ff migrate` where the server runs.")
    secret = os.environ.get(TOKEN_VARIABLE) if token is None else token
    remote, blocking = open_remote(address_in(url), secret, tracer, own_sockets=True)
    stack.enter_context(_closed_by_its_process()).callback(remote.close)
    return EnginePair(cast("Engine", remote), cast("Engine", blocking))


class _ServerKind(StoreKind):
    """What is behind a server is no store of this process. Only an engine is opened there."""

    examples = ("http://host:7433",)

    def open(self, url: str, how: Opening) -> Store:
        self._refuse(url)

    def plan(self, url: str) -> Plan:
        self._refuse(url)

    def examine(self, url: str, *, clock: Clock | None, machine: Clock | None) -> Facts:
        self._refuse(url)

    def accept_clock(self, url: str) -> int:
        self._refuse(url)

    def name_of(self, url: str) -> str:
        return f"the server {address_in(url)}"

    def _refuse(self, url: str) -> NoReturn:
        raise InvalidInput(
            f"This needs the database itself, and {self.name_of(url)} does not show it. Run it where the server runs, "
            "with the url of the database."
        )


for _scheme in SCHEMES:
    register(_scheme, _ServerKind())


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
