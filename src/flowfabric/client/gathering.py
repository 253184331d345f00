"""Calls that are made while others are under way go to the server together, in one request.

There is no timer: a call that finds nothing under way is sent at once. While requests are under way, calls gather, and
the next request takes all of them. The engine behind the server then commits them together.
"""

import asyncio
import copy
from collections import defaultdict, deque
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Final, NamedTuple

import msgspec
from msgspec import Raw

from flowfabric.client.calling import Calls, Headers
from flowfabric.client.http1 import Answer
from flowfabric.client.line import Line
from flowfabric.domain.errors import EngineError
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.wire import several
from flowfabric.wire.operations import Request
from flowfabric.wire.problems import MEDIA_TYPE

AT_ONCE: Final = 2
"""How many requests with gathered calls are under way: the server works on one while the other travels."""
SLOW_S: Final = 0.25
"""A request that takes longer no longer keeps others back: one of its calls may wait for a lock."""
CALLS_MAX: Final = 500
BYTES_MAX: Final = 4 * 1024 * 1024
"""How many calls and how many bytes one request holds. A call that is larger is sent alone."""

Outcome = Answer | EngineError


class Waiter(NamedTuple):
    """A caller that waits for its answer: on an event loop, or, without a loop, in its thread."""

    loop: asyncio.AbstractEventLoop | None
    future: asyncio.Future[Answer] | Future[Answer]


class Gathered(NamedTuple):
    """One call on its way."""

    request: Request
    headers: Headers
    waiter: Waiter


class Gatherer:
    """Takes calls from any thread. Everything else happens on the line's thread."""

    def __init__(self, line: Line, calls: Calls) -> None:
        self._line = line
        self._calls = calls
        self._waiting: dict[tuple[tuple[str, str], ...], deque[Gathered]] = defaultdict(deque)
        """By the headers that all calls of one request share."""
        self._under_way = 0

    @property
    def is_idle(self) -> bool:
        """Whether no request is under way. Another thread may change that at any moment."""
        return not self._under_way

    def send(self, call: Gathered) -> None:
        """Send a call soon. Raises StoreUnavailable if the line is closed."""
        self._line.run(lambda: self._add(call))

    def _add(self, call: Gathered) -> None:
        self._waiting[tuple(call.headers)].append(call)
        self._begin()

    def _begin(self) -> None:
        """Start a request for what waits, if few are under way."""
        while self._waiting and self._under_way < AT_ONCE:
            key = next(iter(self._waiting))
            batch = self._taken(self._waiting[key])
            if not self._waiting[key]:
                del self._waiting[key]
            if batch:
                self._under_way += 1
                self._line.spawn(self._serve(batch), is_brief=True)

    def _taken(self, waiting: deque[Gathered]) -> list[Gathered]:
        """The calls of the next request. Those whose caller has given up are left out."""
        batch: list[Gathered] = []
        size = 0
        while waiting and len(batch) < CALLS_MAX:
            size += len(waiting[0].request.body or b"")
            if batch and size > BYTES_MAX:
                break
            call = waiting.popleft()
            if not call.waiter.future.cancelled():
                batch.append(call)
        return batch

    async def _serve(self, batch: list[Gathered]) -> None:
        is_counted = True

        def let_others_begin() -> None:
            nonlocal is_counted
            if is_counted:
                is_counted = False
                self._under_way -= 1
                self._begin()

        slow = asyncio.get_running_loop().call_later(SLOW_S, let_others_begin)
        try:
            _deliver(zip(batch, await self._outcomes(batch), strict=True))
        except EngineError as error:
            _deliver((call, copy.copy(error)) for call in batch)
        finally:
            slow.cancel()
            let_others_begin()

    async def _outcomes(self, batch: list[Gathered]) -> list[Answer]:
        headers = batch[0].headers
        if len(batch) == 1:
            return [await self._calls.answer_to(self._calls.written(batch[0].request, headers))]
        body = msgspec.json.encode(
            [
                several.OneCall(call.path, Raw(call.body or b""), call.idempotency_key, call.traceparent)
                for call, _, _ in batch
            ]
        )
        whole = await self._calls.answer_to(self._calls.written(Request("POST", several.PATH, [], body, None), headers))
        if whole.status != 200:
            return [whole] * len(batch)
        try:
            answers = several.answers_in.decode(whole.body)
        except UNDECODABLE:
            raise self._calls.not_understood() from None
        return [Answer(each.status, _PROBLEM if each.status >= 400 else _JSON, bytes(each.body)) for each in answers]


_PROBLEM: Final = {"content-type": MEDIA_TYPE}
_JSON: Final = {"content-type": "application/json"}


def _deliver(outcomes: Iterable[tuple[Gathered, Outcome]]) -> None:
    """Give every caller its answer, with one wake-up for each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Waiter, Outcome]]] = {}
    for call, outcome in outcomes:
        waiter = call.waiter
        if waiter.loop is None:
            _resolve(waiter, outcome)
        else:
            by_loop.setdefault(waiter.loop, []).append((waiter, outcome))
    for loop, found in by_loop.items():
        try:
            loop.call_soon_threadsafe(_resolve_all, found)
        except RuntimeError:  # the loop is closed: no caller on it waits any more
            continue


def _resolve_all(found: list[tuple[Waiter, Outcome]]) -> None:
    for waiter, outcome in found:
        _resolve(waiter, outcome)


def _resolve(waiter: Waiter, outcome: Outcome) -> None:
    if waiter.future.done():  # its caller has given up
        return
    if isinstance(outcome, EngineError):
        waiter.future.set_exception(outcome)
    else:
        waiter.future.set_result(outcome)
