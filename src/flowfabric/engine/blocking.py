"""The engine for synchronous code: the same methods and the same code, but they wait in the caller's thread."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from flowfabric.domain.access import Principal
from flowfabric.domain.events import Event
from flowfabric.domain.lease import Lease
from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.domain.streams import Said
from flowfabric.engine.blocking_methods import BlockingMethods
from flowfabric.engine.reading import Subscription
from flowfabric.engine.shells import blocking_block, run_now
from flowfabric.engine.streaming import StreamFollower


class BlockingEngine(BlockingMethods):
    """`Engine` without async. Each method returns when its answer is there."""

    def scoped(self, namespace: str) -> "BlockingEngine":
        """The same engine, confined to one namespace. It finds nothing in other namespaces."""
        return BlockingEngine(self._engine.scoped(namespace))

    def acting_as(self, actor: str) -> "BlockingEngine":
        """The same engine, acting for a person. Operator events name this person as `actor`."""
        return BlockingEngine(self._engine.acting_as(actor))

    @contextmanager
    def transaction(self, conn: object) -> Iterator[None]:
        """A transaction on the caller's own connection: committed after the block, rolled back if the block raises."""
        with blocking_block(self._engine.transaction(conn)):
            yield

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        """While the block lasts, `on_lost` is called as soon as held leases may have been ended."""
        return self._engine.watch_leases(held, on_lost)

    def saying(self, said: Said) -> "BlockingEngine":
        """The same engine for one command of a worker: these frames are appended in the transaction of the command."""
        return BlockingEngine(self._engine.saying(said))

    def sent_from(self, traceparent: str) -> "BlockingEngine":
        """The same engine for one command, which a span of another process sends."""
        return BlockingEngine(self._engine.sent_from(traceparent))

    def deciding_as(self, who: Principal) -> "BlockingEngine":
        """The same engine for signals of this person. AccessDenied: they may not decide about that execution."""
        return BlockingEngine(self._engine.deciding_as(who))

    def follow_stream(self, execution_id: str, *, cursor: str | None = None) -> "BlockingStreamFollower":
        """The frames that count, as they are written, until the execution has ended. Its end ends the iteration."""
        return BlockingStreamFollower(self._engine.follow_stream(execution_id, cursor=cursor))

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
        """Every event after the cursor, once and in order, while the iteration goes on."""
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


class BlockingStreamFollower(Iterator[StreamFrame]):
    """The frames of one stream, as they are written. Each step waits for the next frame."""

    def __init__(self, follower: StreamFollower) -> None:
        self._follower = follower

    @property
    def cursor(self) -> str | None:
        """The cursor after the last frame that was delivered."""
        return self._follower.cursor

    @property
    def closed_reason(self) -> str | None:
        """How the execution has ended, once the iteration is over."""
        return self._follower.closed_reason

    def __next__(self) -> StreamFrame:
        """The next frame. Waits for it if necessary."""
        try:
            return run_now(self._follower.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None


class BlockingSubscription(Iterator[Event]):
    """An endless sequence of events. Each step waits for the next event."""

    def __init__(self, subscription: Subscription) -> None:
        self._subscription = subscription

    @property
    def cursor(self) -> str | None:
        """The cursor after the last delivered event."""
        return self._subscription.cursor

    def __next__(self) -> Event:
        """The next event. Waits for it if necessary."""
        return run_now(self._subscription.__anext__())
