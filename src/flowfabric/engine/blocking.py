"""The engine for synchronous code: the same methods, the same code, waiting in the caller's thread."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from flowfabric.domain.events import Event
from flowfabric.domain.lease import Lease
from flowfabric.engine.blocking_methods import BlockingMethods
from flowfabric.engine.reading import Subscription
from flowfabric.engine.shells import blocking_block, run_now


class BlockingEngine(BlockingMethods):
    """`Engine` without async: each method returns when its answer is there."""

    def scoped(self, namespace: str) -> "BlockingEngine":
        """The same engine confined to one namespace: everything of other namespaces is unknown to it."""
        return BlockingEngine(self._engine.scoped(namespace))

    @contextmanager
    def transaction(self, conn: object) -> Iterator[None]:
        """A transaction on a connection of the caller's own: committed after the block, rolled back if it raises."""
        with blocking_block(self._engine.transaction(conn)):
            yield

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        """While the block lasts, have `on_lost` called as soon as leases may have been taken away."""
        return self._engine.watch_leases(held, on_lost)

    def subscribe(
        self,
        *,
        cursor: str | None = None,
        from_now: bool = False,
        channels: Sequence[str] | None = None,
        namespace: str | None = None,
        execution_id: str | None = None,
        flow_id: str | None = None,
    ) -> "BlockingSubscription":
        """Every event after the cursor, once and in order, for as long as the iteration goes on."""
        return BlockingSubscription(
            self._engine.subscribe(
                cursor=cursor,
                from_now=from_now,
                channels=channels,
                namespace=namespace,
                execution_id=execution_id,
                flow_id=flow_id,
            )
        )


class BlockingSubscription(Iterator[Event]):
    """An endless run of events; each step waits for the next one."""

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription

    @property
    def cursor(self) -> str | None:
        """Where to go on after the last event delivered."""
        return self._subscription.cursor

    def __next__(self) -> Event:
        """The next event, waiting for it if need be."""
        return run_now(self._subscription.__anext__())
