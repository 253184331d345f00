"""The stream of a handle: the frames of its execution, as they are written, until it has ended."""

from collections.abc import AsyncIterator, Iterator

from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.runtime.engines import CallerEngine, EngineProvider, FollowedStream


class _Following:
    """Follows one stream, for async and for synchronous callers."""

    def __init__(self, access: EngineProvider, execution_id: str, cursor: str | None) -> None:
        self._access = access
        self._execution_id = execution_id
        self._cursor = cursor
        self._followed: FollowedStream | None = None

    @property
    def cursor(self) -> str | None:
        """The cursor after the last frame. With `stream(cursor=...)` another reader goes on there."""
        return self._cursor if self._followed is None else self._followed.cursor

    @property
    def closed_reason(self) -> str | None:
        """How the execution has ended, once the iteration is over."""
        return None if self._followed is None else self._followed.closed_reason

    async def _next(self, engine: CallerEngine) -> StreamFrame | None:
        if self._followed is None:
            self._followed = engine.follow_stream(self._execution_id, cursor=self._cursor)
        try:
            return await self._followed.__anext__()
        except StopAsyncIteration:
            return None


class HandleStream(_Following, AsyncIterator[StreamFrame]):
    """The frames that count, in order. `frame.value` is what was said."""

    async def __anext__(self) -> StreamFrame:
        """The next frame. Waits for it if necessary."""
        frame = await self._next(await self._access.engine())
        if frame is None:
            raise StopAsyncIteration
        return frame


class BlockingHandleStream(_Following, Iterator[StreamFrame]):
    """`HandleStream` for synchronous code."""

    def __next__(self) -> StreamFrame:
        """The next frame. Waits for it if necessary."""
        frame = self._access.run(self._next)
        if frame is None:
            raise StopIteration
        return frame
