"""Brings answers back to the threads and event loops that wait for them, with one wake-up for each loop."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress

from flowfabric.domain.errors import EngineError
from flowfabric.domain.outcomes import Outcome
from flowfabric.engine.tickets import AnyFuture, Group, Replies, Reply, Ticket

Delivered = tuple[asyncio.Future[Outcome], Reply]
"""A caller's future, and the answer that it gets."""
GiveBack = Callable[[Outcome], None]
"""Releases the executions of a claim."""


class Delivery:
    """Gives every caller its answer. Executions that were claimed for a caller that no longer waits are given back."""

    def __init__(self, stand_by: Callable[[Ticket], bool], give_back: GiveBack) -> None:
        self._stand_by = stand_by
        """Returns whether a claim that found nothing goes on waiting instead of getting an answer."""
        self._give_back = give_back

    def deliver(self, replies: Replies, give_back: GiveBack | None = None) -> None:
        """Deliver the answers of a batch. May be called from any thread.

        A committer passes its own `give_back`: when the engine is closed, it is sure to commit what it gives itself.
        """
        give_back = give_back or self._give_back
        by_loop: dict[asyncio.AbstractEventLoop, tuple[list[Delivered], list[Delivered]]] = {}
        by_group: dict[Group, list[tuple[int, Reply]]] = {}
        for ticket, answer in replies:
            if ticket.lanes and answer == [] and self._stand_by(ticket):
                continue
            future = ticket.future
            if isinstance(future, Future):
                if future.set_running_or_notify_cancel():
                    _resolve(future, answer)
                else:
                    _take_back(answer, give_back)
            elif future is not None and future.cancelled():
                _take_back(answer, give_back)
            elif future is not None and ticket.loop is not None:
                first, then = by_loop.setdefault(ticket.loop, ([], []))
                (first if ticket.lanes else then).append((future, answer))
            elif ticket.group is not None:
                by_group.setdefault(ticket.group, []).append((ticket.place, answer))
        for group, found in by_group.items():
            with suppress(RuntimeError):  # the loop is closed: no caller on it waits any more
                group.loop.call_soon_threadsafe(group.take, found)
        for loop, (first, then) in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._resolve_all, loop, first, then)
            except RuntimeError:  # the loop is closed: no caller on it waits any more
                for _, answer in (*first, *then):
                    _take_back(answer, give_back)

    def _resolve_all(
        self, loop: asyncio.AbstractEventLoop, first: Sequence[Delivered], then: Sequence[Delivered]
    ) -> None:
        """Runs on the loop. Workers that have waited for work get their answers first."""
        for future, answer in first or then:
            if not future.done():
                _resolve(future, answer)
            else:
                _take_back(answer, self._give_back)
        if first and then:
            loop.call_soon(self._resolve_all, loop, then, ())


def _take_back(answer: Reply, give_back: GiveBack) -> None:
    if not isinstance(answer, EngineError):
        give_back(answer)


def _resolve(future: AnyFuture, answer: Reply) -> None:
    if isinstance(answer, EngineError):
        future.set_exception(answer)
    else:
        future.set_result(answer)
