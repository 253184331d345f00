"""An engine put together on a given store, with its parts in reach."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import NamedTuple

from msgspec.structs import replace

from flowfabric.domain.inputs import PAYLOAD_BYTES_MAX
from flowfabric.engine.blocking import BlockingEngine
from flowfabric.engine.engine import Engine
from flowfabric.engine.group_commit import GroupCommit
from flowfabric.engine.minting import new_uuid
from flowfabric.engine.scope import Services
from flowfabric.engine.shells import AsyncShell, BlockingShell, Shell
from flowfabric.engine.wakeups import Wakeups
from flowfabric.ports import OnCommit, Store
from flowfabric.reconcilers.sweep import Sweeper

MARK = "mark"
"""The mark of every claim, so that stories told to several stores end equal, and a lease can be guessed."""


class Assembled(NamedTuple):
    """What `app` puts together, without the background sweeps."""

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
    store: Store, *, on_commit: OnCommit | None = None, new_uuid: Callable[[], str] = new_uuid
) -> Iterator[Assembled]:
    """A blocking engine on the store. `on_commit` stands in for the wake-ups, which are then lost."""
    with ExitStack() as stack:
        commits, wakeups = _commits(stack, store, on_commit)
        services = replace(_services(stack, store, commits, wakeups, BlockingShell(commits)), new_uuid=new_uuid)
        yield Assembled(store, commits, wakeups, BlockingEngine(Engine(services)))


@asynccontextmanager
async def assembled_async(store: Store, *, on_commit: OnCommit | None = None) -> AsyncIterator[AssembledAsync]:
    """The same for async code."""
    with ExitStack() as stack:
        commits, wakeups = _commits(stack, store, on_commit)
        services = _services(stack, store, commits, wakeups, AsyncShell(commits))
        yield AssembledAsync(store, commits, wakeups, Engine(services))


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
