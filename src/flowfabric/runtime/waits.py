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
from typing import Any, Final

from flowfabric.domain.errors import EngineError, InvalidInput
from flowfabric.domain.outcomes import WaitOver, Waitpoint
from flowfabric.runtime.standstill import AttemptSuspended, Standstill, is_suspension
from flowfabric.runtime.tries import check_not_in_step
from flowfabric.runtime.wait_desk import SLEEP, NewWaitpoint, Wait, WaitDesk

log = logging.getLogger("flowfabric.worker")

TURNS: Final = 8
"""How many turns of the event loop waits have to begin together, before the first of them may suspend the attempt."""
WATCH_S: Final = 86_400.0
"""How long one watch of a wait lasts at most."""
ENDS_MAX: Final = 32
"""How many waits may end in place before the engine is asked for them. Until then, the record of the execution has
their names."""
ASK_AGAIN_S: Final = (0.005, 0.5)
"""The shortest and the longest pause before the engine is asked again whether a wait is over."""


class WaitTimeout(TimeoutError):
    """The time of a wait is over, and what it waited for has not come.

    The end of the wait is stored, so every later attempt raises this again. That is why no retry follows it.
    """


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
        """Waits that this attempt has opened, and has not asked for since they ended: watched ones, and left ones."""
        self._ended_in_place: list[Wait] = []
        """Those of them that have ended in place."""
        self._attendant: asyncio.Task[None] | None = None
        self._news: asyncio.Event | None = None
        self._stirred_at = 0.0
        """When a wait or a step of this attempt has begun or ended last."""
        self._must_hurry = False
        self._is_lingering = False
        """The desk has noted that the attempt lingers, and has not asked it to hurry since."""
        self._is_deciding = False
        self._is_over = False
        """The function of the attempt has ended."""
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
            self._opened[wait.name] = wait
            await self._ask_for_ended()
            while (over := await self._desk.open_wait(wait)) is None:
                if (over := await self._desk.watch_wait(wait, pause_s)) is not None:
                    self._ended_in_place.append(wait)
                    return over
                pause_s, least_s = least_s, min(2 * least_s, most_s)
            self._opened.pop(wait.name, None)
            return over

    def hurry(self) -> None:
        """Linger no longer: suspend the execution as soon as no step runs."""
        self._must_hurry, self._is_lingering = True, False
        if self._news is not None:
            self._news.set()

    async def finish(self) -> None:
        """End what runs beside the code, even if this is cancelled. If a suspension is under way, wait for its end."""
        self._is_over = True
        while (attendant := self._attendant) is not None:
            if not self._is_deciding:
                attendant.cancel()
            try:
                await asyncio.wait([attendant])
            except asyncio.CancelledError:
                continue
        for pending in self._pending.values():
            pending.leave()

    def _check(self, wait: Wait) -> None:
        check_not_in_step(f"Wait {wait.name!r}")
        if self._standstill.is_suspended:
            raise AttemptSuspended("the attempt is suspended, so no wait of it would count")
        if self._is_over:
            raise InvalidInput(
                f"Wait {wait.name!r} begins after the task's function has ended. Await it in the function."
            )
        if wait.name in self._pending:
            raise InvalidInput(f"Wait {wait.name!r} is under way already. Give each wait its own name, with name=.")

    def _stir(self) -> None:
        """Something has begun or ended: the time to linger starts anew, and the attendant looks again."""
        self._stirred_at = time.monotonic()
        if self._news is not None:
            self._news.set()
        self._start_attending()

    def _start_attending(self) -> None:
        if (
            self._attendant is None
            and not self._is_over
            and any(not each.end.done() for each in self._pending.values())
        ):
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
        try:
            while not self._is_over and (pending := [each for each in self._pending.values() if not each.end.done()]):
                may_linger = desk.linger_s > 0 and desk.may_linger and not self._must_hurry
                if not may_linger and await self._is_stirred():
                    continue
                new = [each for each in pending if not each.is_open]
                if new and (may_linger or len(pending) > 1 or not self._standstill.is_at_rest):
                    # In their order, for which the engine must know its keys when the others come.
                    await self._open(new[0])
                    await asyncio.gather(*map(self._open, new[1:]))
                elif may_linger and (left_s := self._stirred_at + desk.linger_s - time.monotonic()) > 0:
                    if not self._is_lingering:
                        self._is_lingering = True
                        desk.lingers(self, begins=True)
                    self._watch(pending)
                    await self._news_within(left_s)
                elif not may_linger or not await self._is_stirred():
                    await self._suspend_or_rest(pending)
        finally:
            if self._is_lingering:
                self._is_lingering = False
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
            # A slot mostly comes sooner than a signal, and a signal that comes first is kept.
            await self._suspend(next((each for each in pending if each.wait.slot is not None), pending[0]))
            return
        if self._standstill.is_suspended:  # by a wait in a thread
            self._unwind()
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
        await self._ask_for_ended()
        try:
            over = await self._desk.open_wait(pending.wait)
        except EngineError as error:
            pending.failed(error)
            return
        if over is None:
            pending.is_open = True
            self._note_opened(pending.wait)
        else:
            self._opened.pop(pending.wait.name, None)
            pending.over(over)

    def _note_opened(self, wait: Wait) -> None:
        """Note a wait that the engine keeps in mind. It does so for signals and times, but not for slots of limits."""
        if wait.slot is None:
            self._opened[wait.name] = wait

    def _watch(self, waits: Iterable[_Pending]) -> None:
        for pending in waits:
            if pending.watch is None:
                pending.watch = asyncio.create_task(self._watched(pending))

    async def _watched(self, pending: _Pending) -> None:
        """Go on in place when the wait is over."""
        try:
            over = await self._desk.watch_wait(pending.wait, WATCH_S)
        except EngineError as error:  # the store is away; the command that suspends the attempt asks again
            log.debug("wait %r cannot be watched: %s", pending.wait.name, error)
            return
        if over is not None:
            if pending.wait.slot is None:
                self._ended_in_place.append(pending.wait)
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
            self._unwind()
        elif isinstance(answer, WaitOver):
            self._opened.pop(first.wait.name, None)
            first.over(answer)
        else:
            await self._ask_for_all(first)

    def _unwind(self) -> None:
        for pending in self._pending.values():
            pending.failed(AttemptSuspended("the execution waits, so this attempt ends here"))

    async def _ask_for_all(self, first: _Pending) -> None:
        """Ask for every wait that this attempt has opened: until then, one that is over prevents a suspension."""
        self._note_opened(first.wait)
        self._ended_in_place.clear()
        await asyncio.gather(*map(self._ask_for, list(self._opened.values())))

    async def _ask_for_ended(self) -> None:
        """If many waits have ended in place, ask for them: so the engine learns that the worker knows their ends."""
        if len(self._ended_in_place) >= ENDS_MAX:
            ended, self._ended_in_place = self._ended_in_place, []
            await asyncio.gather(*map(self._ask_for, ended))

    async def _ask_for(self, wait: Wait) -> None:
        pending = self._pending.get(wait.name)
        if pending is not None:
            await self._open(pending)
            return
        try:
            over = await self._desk.open_wait(wait)
        except EngineError as error:  # its waitpoint may be closed; nobody waits for it any more
            log.debug("wait %r cannot be asked for: %s", wait.name, error)
            return
        if over is not None:
            self._opened.pop(wait.name, None)

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
            # Another thread waits for the wait that is over, and asks for it now; or a coroutine has left that wait.
            for name, left in list(self._opened.items()):
                if name not in self._pending and self._desk.open_wait_sync(left) is not None:
                    self._opened.pop(name, None)
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


def _call_on(loop: asyncio.AbstractEventLoop, function: Any) -> None:
    try:
        loop.call_soon_threadsafe(function)
    except RuntimeError:  # the loop is closed, and nothing waits there any more
        return


def _note_unwinding(task: "asyncio.Task[Any]") -> None:
    """Look at the error of a task that a suspension ended: nobody may await it, and asyncio would log that."""
    if not task.cancelled() and (error := task.exception()) is not None and not is_suspension(error):
        log.info("%s raised %r while its attempt was suspended", task.get_name(), error)
