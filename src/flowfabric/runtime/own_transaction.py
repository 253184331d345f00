"""The caller's own transaction as a block, for synchronous code and for code on an event loop."""

from types import TracebackType
from typing import TYPE_CHECKING

from flowfabric.runtime.engines import CallerEngine, EngineProvider

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager


class OwnTransaction:
    """`with ff.transaction(conn):`, or `async with` for an async connection."""

    def __init__(self, access: EngineProvider, conn: object) -> None:
        self._access = access
        self._conn = conn
        self._block: AbstractAsyncContextManager[None] | None = None

    def __enter__(self) -> None:
        self._access.run(self._begin)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._access.run(lambda _: self._end(kind, error, trace))

    async def __aenter__(self) -> None:
        await self._begin(await self._access.engine())

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end(kind, error, trace)

    async def _begin(self, engine: CallerEngine) -> None:
        self._block = engine.transaction(self._conn)
        await self._block.__aenter__()

    async def _end(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._block is not None
        await self._block.__aexit__(kind, error, trace)
