"""The waits of one attempt: how they linger, how they suspend the execution, and how they go on.

    ctx.wait(...) ──▶ Waits (beside the code) ──▶ WaitDesk (the worker; for a child process, over its line) ──▶ engine

- **Async functions.** A wait is opened, and its coroutine waits on a future. One task per attempt attends to all open
  waits, so that `gather` and `TaskGroup` open all their waits before the execution is suspended. While the waits
  linger, each of them is watched; one that ends goes on in place. The attempt is suspended when nothing has happened
  for as long as it may linger, and no step runs. A wait that need not linger and is alone is opened and suspended in
  one command.
- **Plain functions** in threads and in child processes do not linger. A wait suspends the execution at once, or as soon
  as no other thread of the attempt runs a step.
- **Suspended.** The worker has given up the lease, and every pending wait raises AttemptSuspended. Whatever the code
  does then, no step or wait begins any more, and the worker reports nothing.
- **Going on.** If the engine answers that the wait is over, or that another one is, the attempt keeps its lease, and
  all waits of the attempt are asked for again.
"""

import asyncio
import logging
import time
from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, Literal, Protocol

import msgspec

from flowfabric.domain.errors import EngineError, InvalidInput
from flowfabric.domain.outcomes import WaitOver, Waitpoint
from flowfabric.domain.waiting import OnTimeout
from flowfabric.runtime.standstill import AttemptSuspended, Standstill
from flowfabric.runtime.steps import check_not_in_step

log = logging.getLogger("flowfabric.worker")

TURNS: Final = 8
"""How many turns of the event loop waits have to begin together, before the first of them may suspend the attempt."""
WATCH_S: Final = 86_400.0
"""How long one watch of a wait lasts at most."""
ASK_AGAIN_S: Final = (0.005, 0.5)
"""The shortest and the longest pause before the engine is asked again whether a wait is over."""

SuspendAnswer = WaitOver | Literal["suspended", "go on"]
"""`go on`: another wait of the execution is over, and the lease is kept."""


class WaitTimeout(TimeoutError):
    """The time of a wait is over, and what it waited for has not come.

    The end of the wait is stored, so every later attempt raises this again. That is why no retry follows it.
    """


class Wait(msgspec.Struct, frozen=True):
    """A wait as it is sent to the engine."""

    name: str
    condition: str
    """The condition in its stored form."""
    timeout_ms: int | None = None
    timeout_at_ms: int | None = None
    on_timeout: OnTimeout = "resume"
    reason: str = "waiting_for_signal"


class NewWaitpoint(msgspec.Struct, frozen=True):
    """A waitpoint to be made."""

    key: str
    expires_in_ms: int | None = None
    about: str | None = None
    """JSON that is shown to people."""
    alias: str | None = None


class WaitDesk(Protocol):
    """Sends the waits of one attempt to the engine. `..._sync` is for threads that run no event loop."""

    @property
    def linger_s(self) -> float:
        """How long the waits of this attempt stay in memory."""

    @property
    def may_linger(self) -> bool:
        """Whether they may linger now: the worker goes on, and has room for more work."""

    def lingers(self, waits: "Waits", *, begins: bool) -> None:
        """Note that the attempt begins to linger, or has stopped."""

    async def open_wait(self, wait: Wait) -> WaitOver | None:
        """Open the wait. None: it is not over. Payloads in the answer are decoded."""

    async def watch_wait(self, wait: Wait, timeout_s: float) -> WaitOver | None:
        """Wait until the wait is over. None: the time is over, or the lease is."""

    async def suspend(self, wait: Wait) -> SuspendAnswer:
        """Suspend the execution until one of its waits is over."""

    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """Make a waitpoint. If there is one of this key already, return it."""

    def open_wait_sync(self, wait: Wait) -> WaitOver | None:
        """The same as `open_wait`."""

    def suspend_sync(self, wait: Wait) -> SuspendAnswer:
        """The same as `suspend`."""

    def make_waitpoint_sync(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """The same as `make_waitpoint`."""


class _Pending:
    """A wait for which a coroutine waits."""

    def __init__(self, wait: Wait, loop: asyncio.AbstractEventLoop) -> None:
        self.wait = wait
        self.end: asyncio.Future[WaitOver] = loop.create_future()
        self.is_open = False
        self.watch: asyncio.Task[None] | None = None

    def over(self, over: WaitOver) -> None:
        if not self.end.done():
            self.end.set_result(over)

    def failed(self, error: BaseException) -> None:
        if not self.end.done():
            self.end.set_exception(error)
            self.end.exception()  # its coroutine may be cancelled just now, and asyncio would log that nobody looked

    def leave(self) -> None:
        self.end.cancel()
        if self.watch is not None:
            self.watch.cancel()


class Waits:
    """The waits of one attempt."""

    def __init__(self, desk: WaitDesk, standstill: Standstill) -> None:
        self._desk = desk
        self._standstill = standstill
        self._pending: dict[str, _Pending] = {}
        self._opened: dict[str, Wait] = {}
        """Waits that this attempt has opened, and whose end the engine does not know to be answered."""
        self._attendant: asyncio.Task[None] | None = None
        self._news: asyncio.Event | None = None
        self._stirred_at = 0.0
        """When a wait or a step of this attempt has begun or ended last."""
        self._must_hurry = False
        self._is_deciding = False
        self.turns: dict[str, int] = {}
        """For each inbox, how many turns it has had."""

    # ── async functions ──────────────────────────────────────────────────────────────────────────

    async def wait(self, wait: Wait) -> WaitOver:
        """Wait until the wait is over. Raises AttemptSuspended if the execution is suspended meanwhile."""
        self._check(wait)
        if self._is_short_sleep(wait):
            return await self._sleep_in_place(wait)
        pending = self._pending[wait.name] = _Pending(wait, asyncio.get_running_loop())
        self._stir()
        try:
            return await pending.end
        except AttemptSuspended:
            if (task := asyncio.current_task()) is not None:
                task.add_done_callback(_note_unwinding)
            raise
        finally:
            pending.leave()
            self._pending.pop(wait.name, None)
            self._must_hurry = False
            self._stir()

    def _is_short_sleep(self, wait: Wait) -> bool:
        return wait.condition == SLEEP and wait.timeout_ms is not None and wait.timeout_ms / 1000 < self._desk.linger_s

    async def _sleep_in_place(self, wait: Wait) -> WaitOver:
        """A sleep that is shorter than the linger: like a step, it keeps the attempt from being suspended."""
        async with self._standstill.running():
            assert wait.timeout_ms is not None
            pause_s = wait.timeout_ms / 1000
            least_s, most_s = ASK_AGAIN_S
            while (over := await self._desk.open_wait(wait)) is None:
                if (over := await self._desk.watch_wait(wait, pause_s)) is not None:
                    self._opened[wait.name] = wait
                    return over
                pause_s, least_s = least_s, min(2 * least_s, most_s)
            return over

    def hurry(self) -> None:
        """Linger no longer: suspend the execution as soon as no step runs."""
        self._must_hurry = True
        if self._news is not None:
            self._news.set()

    async def finish(self) -> None:
        """End what runs beside the code, even if this is cancelled. If a suspension is under way, wait for its end."""
        while (attendant := self._attendant) is not None:
            if not self._is_deciding:
                for pending in self._pending.values():
                    pending.leave()
                attendant.cancel()
            try:
                await asyncio.wait([attendant])
            except asyncio.CancelledError:
                continue

    def _check(self, wait: Wait) -> None:
        check_not_in_step(f"Wait {wait.name!r}")
        if self._standstill.is_suspended:
            raise AttemptSuspended("the attempt is suspended, so no wait of it would count")
        if wait.name in self._pending:
            raise InvalidInput(f"Wait {wait.name!r} is under way already. Give each wait its own name, with name=.")

    def _stir(self) -> None:
        """Something has begun or ended: the time to linger starts anew, and the attendant looks again."""
        self._stirred_at = time.monotonic()
        if self._news is not None:
            self._news.set()
        self._start_attending()

    def _start_attending(self) -> None:
        if self._attendant is None and any(not each.end.done() for each in self._pending.values()):
            self._news = asyncio.Event()
            self._attendant = asyncio.create_task(self._attend())
            self._attendant.add_done_callback(self._attended)

    def _attended(self, attendant: "asyncio.Task[None]") -> None:
        self._attendant = self._news = None
        if attendant.cancelled():
            return
        if (error := attendant.exception()) is not None:
            for pending in self._pending.values():
                pending.failed(error)
        self._start_attending()  # a wait may have begun in the last moment

    async def _attend(self) -> None:
        """Attend to all waits of the attempt, until there are none."""
        desk = self._desk
        is_lingering = False
        try:
            while pending := [each for each in self._pending.values() if not each.end.done()]:
                may_linger = desk.linger_s > 0 and desk.may_linger and not self._must_hurry
                if not may_linger and await self._is_stirred():
                    continue
                new = [each for each in pending if not each.is_open]
                if new and (may_linger or len(pending) > 1 or not self._standstill.is_at_rest):
                    # In their order, for which the engine must know its keys when the others come.
                    await self._open(new[0])
                    await asyncio.gather(*map(self._open, new[1:]))
                elif may_linger and (left_s := self._stirred_at + desk.linger_s - time.monotonic()) > 0:
                    if not is_lingering:
                        is_lingering = True
                        desk.lingers(self, begins=True)
                    self._watch(pending)
                    await self._news_within(left_s)
                elif not may_linger or not await self._is_stirred():
                    await self._suspend_or_rest(pending)
        finally:
            if is_lingering:
                desk.lingers(self, begins=False)

    async def _is_stirred(self) -> bool:
        """Whether the code of the attempt goes on: it has a few turns of the loop to begin or end another wait."""
        before = self._stirred_at
        for _ in range(TURNS):
            await asyncio.sleep(0)
        return self._stirred_at != before

    async def _suspend_or_rest(self, pending: "list[_Pending]") -> None:
        """Suspend the attempt. If a step runs, wait until none does; then the waits linger once more."""
        if self._standstill.close():
            await self._suspend(pending[0])
            return
        self._watch(pending)
        loop, news = asyncio.get_running_loop(), self._news
        assert news is not None
        self._standstill.call_at_rest(lambda: _call_on(loop, news.set))
        await self._news_within(None)
        self._stirred_at = time.monotonic()

    async def _news_within(self, seconds: float | None) -> None:
        assert self._news is not None
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return
        finally:
            self._news.clear()

    async def _open(self, pending: _Pending) -> None:
        """Open a wait, or ask whether it is over."""
        try:
            over = await self._desk.open_wait(pending.wait)
        except EngineError as error:
            pending.failed(error)
            return
        if over is None:
            pending.is_open = True
            self._opened[pending.wait.name] = pending.wait
        else:
            self._opened.pop(pending.wait.name, None)
            pending.over(over)

    def _watch(self, waits: Iterable[_Pending]) -> None:
        for pending in waits:
            if pending.watch is None:
                pending.watch = asyncio.create_task(self._watched(pending))

    async def _watched(self, pending: _Pending) -> None:
        """Go on in place when the wait is over."""
        try:
            over = await self._desk.watch_wait(pending.wait, WATCH_S)
        except (
            EngineError
        ) as error:  # the store is away; when the attempt is to be suspended, the engine is asked again
            log.debug("wait %r cannot be watched: %s", pending.wait.name, error)
            return
        if over is not None:
            pending.over(over)

    async def _suspend(self, first: _Pending) -> None:
        """Suspend the attempt, or let it go on. The standstill is closed."""
        is_suspended = False
        self._is_deciding = True
        try:
            answer = await self._desk.suspend(first.wait)
            is_suspended = answer == "suspended"
        except EngineError as error:
            first.failed(error)
            return
        finally:
            self._is_deciding = False
            self._standstill.decide(is_suspended=is_suspended)
        first.is_open = True
        if is_suspended:
            for pending in self._pending.values():
                pending.failed(AttemptSuspended("the execution waits, so this attempt ends here"))
        elif isinstance(answer, WaitOver):
            self._opened.pop(first.wait.name, None)
            first.over(answer)
        else:
            await self._ask_for_all(first)

    async def _ask_for_all(self, first: _Pending) -> None:
        """Another wait of the execution is over: ask for every wait that this attempt has opened."""
        self._opened[first.wait.name] = first.wait
        for name, wait in list(self._opened.items()):
            pending = self._pending.get(name)
            if pending is not None:
                await self._open(pending)
            elif await self._desk.open_wait(wait) is not None:
                # Its coroutine has gone on already, or was cancelled. Now the engine knows that its end is known.
                self._opened.pop(name, None)

    # ── plain functions ──────────────────────────────────────────────────────────────────────────

    def wait_sync(self, wait: Wait) -> WaitOver:
        """`wait` for plain functions. Raises AttemptSuspended in nearly every case in which it has to wait."""
        self._check(wait)
        pause_s, pause_s_max = ASK_AGAIN_S
        is_asked = False
        while True:
            if not self._standstill.close():
                if self._standstill.is_suspended:
                    raise AttemptSuspended("another wait has suspended the execution")
                if not self._standstill.is_at_rest and not is_asked:
                    if (over := self._desk.open_wait_sync(wait)) is not None:
                        return over
                    is_asked = True
                rest: Future[None] = Future()
                self._standstill.call_at_rest(partial(rest.set_result, None))
                rest.result()
                continue
            is_suspended = False
            try:
                answer = self._desk.suspend_sync(wait)
                is_suspended = answer == "suspended"
            finally:
                self._standstill.decide(is_suspended=is_suspended)
            if is_suspended:
                raise AttemptSuspended("the execution waits, so this attempt ends here")
            if isinstance(answer, WaitOver):
                return answer
            # Another thread of the attempt waits for the wait that is over, and asks for it now.
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, pause_s_max)

    # ── waitpoints ───────────────────────────────────────────────────────────────────────────────

    async def make_waitpoint(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """Make a waitpoint."""
        async with self._standstill.running():
            return await self._desk.make_waitpoint(waitpoint)

    def make_waitpoint_sync(self, waitpoint: NewWaitpoint) -> Waitpoint:
        """`make_waitpoint` for plain functions."""
        with self._standstill.running_sync():
            return self._desk.make_waitpoint_sync(waitpoint)


SLEEP: Final = '{"operator_only":true}'
"""The stored condition of a sleep: only its time ends it, or an operator."""


def is_suspension(error: BaseException) -> bool:
    """Whether the error is a suspension, alone or in a group, as a TaskGroup raises it."""
    if isinstance(error, BaseExceptionGroup):
        return any(map(is_suspension, error.exceptions))
    return isinstance(error, AttemptSuspended)


def _call_on(loop: asyncio.AbstractEventLoop, function: Any) -> None:
    try:
        loop.call_soon_threadsafe(function)
    except RuntimeError:  # the loop is closed, and nothing waits there any more
        return


def _note_unwinding(task: "asyncio.Task[Any]") -> None:
    """Look at the error of a task that a suspension ended: nobody may await it, and asyncio would log that."""
    if not task.cancelled() and (error := task.exception()) is not None and not is_suspension(error):
        log.info("%s raised %r while its attempt was suspended", task.get_name(), error)
