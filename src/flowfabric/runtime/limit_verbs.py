"""The verb with which a block of a task takes part in a limit, and its twin of plain code."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Protocol

from flowfabric.domain import gate_inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.runtime.blocks import BlockKey, Blocks
from flowfabric.runtime.declared_gates import KeyedLimit, Limit
from flowfabric.runtime.tries import check_not_in_step


class _Limited(Protocol):
    """The parts of a context that are needed here."""

    @property
    def blocks(self) -> Blocks:
        """The blocks of the attempt that take part in limits."""

    def raise_if_cancelled(self) -> None:
        """Raise AttemptCancelled if the attempt must stop."""


class LimitVerbs:
    """The part of a context that takes part in limits."""

    @asynccontextmanager
    async def limited(self: _Limited, limit: Limit | KeyedLimit | str, /, key: str = "") -> AsyncIterator[None]:
        """Run a block under a limit: `async with ctx.limited(openai, key="t-7"): ...`.

        The execution takes a slot and a start of the limit for the block, and gives the slot back at its end. If there
        is no room, it waits: a short while in place, then it is parked and holds nothing. It goes on as the same
        attempt: the function runs again from its top with the slot of this block, and its steps answer from the log.
        An execution holds one slot of a key: a block on a key that it holds already goes on at once.
        """
        at = _key_of(limit, key)
        await self.blocks.enter(at)
        try:
            yield
        finally:
            await self.blocks.leave(at)

    @contextmanager
    def limited_sync(self: _Limited, limit: Limit | KeyedLimit | str, /, key: str = "") -> Iterator[None]:
        """`limited` for plain functions, in a thread or in a child process. It does not wait in place."""
        at = _key_of(limit, key)
        _check_no_loop()
        self.raise_if_cancelled()
        self.blocks.enter_sync(at)
        try:
            yield
        finally:
            self.blocks.leave_sync(at)


def _key_of(limit: Limit | KeyedLimit | str, key: str) -> BlockKey:
    """The names of the limit and of the key."""
    if isinstance(limit, KeyedLimit):
        if key or not isinstance(limit.key, str):
            raise InvalidInput(
                f"Limit {limit.limit!r} comes with a key of its own, or with a function that makes it. Give the limit "
                'itself and the key: ctx.limited(tenant, key="t-7").'
            )
        name, key = limit.limit, limit.key
    elif isinstance(limit, Limit):
        name = limit.name
    elif isinstance(limit, str):
        name = limit
    else:
        raise InvalidInput(f"limit is {shown(limit)}; it must be a limit of the program, or the name of one.")
    check_not_in_step(f"The block with limit {name!r}")
    return gate_inputs.limit_name(name), gate_inputs.limit_key(key)


def _check_no_loop() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InvalidInput(
        "limited_sync would block the event loop that it runs on. Use `async with ctx.limited(...)` in async functions."
    )
