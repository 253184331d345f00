"""An engine put together on a given store, or as `app` does it for a url, with its parts in reach."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import NamedTuple

from msgspec.structs import replace

from flowfabric.app import assemble, open_store
from flowfabric.domain.inputs import PAYLOAD_BYTES_MAX
from flowfabric.domain.news import OnCommit
from flowfabric.engine.blocking import BlockingEngine
from flowfabric.engine.engine import Engine
from flowfabric.engine.group_commit import GroupCommit
from flowfabric.engine.minting import new_uuid
from flowfabric.engine.scope import Services
from flowfabric.engine.shells import AsyncShell, BlockingShell, Shell
from flowfabric.engine.signing import KnownKeys
from flowfabric.engine.wakeups import Wakeups
from flowfabric.ports.clock import Clock
from flowfabric.ports.store import Store
from flowfabric.ports.telemetry import Telemetry
from flowfabric.reconcilers.sweep import Sweeper

MARK = "mark"
"""The mark of every claim, so that stories told to several stores end equal, and a lease can be guessed."""


class Assembled(NamedTuple):
    """An engine and what it is made of."""

    store: Store
    commits: GroupCommit
    wakeups: Wakeups
    engine: BlockingEngine


class AssembledAsync(NamedTuple):
    """The same for async code."""

    store: Store
    commits: GroupCommit
    wakeups: Wakeups
    engine: Engine


@contextmanager
def assembled(
    store: Store,
    *,
    on_commit: OnCommit | None = None,
    new_uuid: Callable[[], str] = new_uuid,
    keys: KnownKeys | None = None,
) -> Iterator[Assembled]:
    """A blocking engine on the store. `on_commit` stands in for the wake-ups, which are then lost."""
    with ExitStack() as stack:
        commits, wakeups = _commits(stack, store, on_commit)
        services = replace(_services(stack, store, commits, wakeups, BlockingShell(commits)), new_uuid=new_uuid)
        if keys is not None:
            services = replace(services, keys=keys)
        yield Assembled(store, commits, wakeups, BlockingEngine(Engine(services)))


@asynccontextmanager
async def assembled_async(store: Store, *, on_commit: OnCommit | None = None) -> AsyncIterator[AssembledAsync]:
    """The same for async code."""
    with ExitStack() as stack:
        commits, wakeups = _commits(stack, store, on_commit)
        services = _services(stack, store, commits, wakeups, AsyncShell(commits))
        yield AssembledAsync(store, commits, wakeups, Engine(services))


@contextmanager
def assembled_at(
    url: str, *, clock: Clock | None = None, migrate: bool | None = None, telemetry: Telemetry | None = None
) -> Iterator[Assembled]:
    """What `open_blocking_engine` opens, without the background sweeps."""
    with ExitStack() as stack:
        store = open_store(url, clock=clock, migrate=migrate)
        services = assemble(stack, store, reconcile=False, shell_type=BlockingShell, telemetry=telemetry)
        yield Assembled(store, services.commits, services.wakeups, BlockingEngine(Engine(services)))


@asynccontextmanager
async def assembled_async_at(url: str, *, reconcile: bool) -> AsyncIterator[AssembledAsync]:
    """What `open_engine` opens."""
    stack = ExitStack()
    try:
        store = await asyncio.to_thread(open_store, url)
        services = await asyncio.to_thread(assemble, stack, store, reconcile=reconcile)
        yield AssembledAsync(store, services.commits, services.wakeups, Engine(services))
    finally:
        await asyncio.to_thread(stack.close)


def _commits(stack: ExitStack, store: Store, on_commit: OnCommit | None) -> tuple[GroupCommit, Wakeups]:
    wakeups = Wakeups(store)
    commits = GroupCommit(store, on_commit or wakeups.committed)
    wakeups.claims_stand_by_in(commits.standing.lanes, several_commit=store.committers > 1)
    stack.callback(wakeups.close)
    stack.callback(commits.close)
    commits.start()
    return commits, wakeups


def _services(stack: ExitStack, store: Store, commits: GroupCommit, wakeups: Wakeups, shell: Shell) -> Services:
    stack.callback(shell.close)
    return Services(commits, wakeups, Sweeper(store, commits), shell, PAYLOAD_BYTES_MAX, new_mark=lambda: MARK)
