"""Threads that take turns: one runs at a time, a seed says which is next, and time passes only when all of them wait.

A strand is a thread of a simulated process. It is a greenlet, so that the code of the engine, which blocks on locks,
conditions and futures, runs as it is. A strand gives up its turn only where it would block; an event loop does so after
each callback. So a process can die between any two callbacks, and wherever one of its threads waits.
"""

import asyncio
import heapq
import itertools
import random
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

STEPS_MAX = 400_000
"""How many turns a simulation may take: more is a loop that never waits."""

_scheduler: "Scheduler | None" = None


class Endless(AssertionError):
    """The simulation takes turns for ever, and no time passes."""


class Process:
    """A simulated process: what its strands share, and what ends all of them at once."""

    def __init__(self, name: str, pid: int, skew_s: float = 0.0) -> None:
        self.name = name
        self.pid = pid
        self.skew_s = skew_s
        """How far its wall clock is ahead of the world's."""
        self.is_dead = False
        self.is_frozen = False
        self.stalled: list[Strand] = []
        """Strands whose turn has come while it was frozen."""
        self.steps = 0
        self.dies_at_step: int | None = None
        self.on_death: list[Callable[[], None]] = []

    def die(self) -> None:
        """End as by `kill -9`: its strands get no other turn, and nothing is cleaned up."""
        if not self.is_dead:
            self.is_dead = True
            for tell in self.on_death:
                tell()


class Strand:
    """One thread of a process."""

    def __init__(self, scheduler: "Scheduler", process: Process, function: Callable[[], Any], name: str) -> None:
        self.process = process
        self.name = name
        self.number = next(scheduler.numbers)
        self.waits = 0
        self.is_waiting = False
        self.was_woken = False
        self.is_over = False
        self.joined: list[Strand] = []
        self.running_loop: Any = None
        """The event loop that runs in it. Nothing but `Loop.run_forever` changes that."""
        self.generator_hooks: tuple[Any, Any] = (None, None)
        self.thread: Thread | None = None
        """What the strand's code knows of as its thread, unless it is the first one of its process."""
        self.greenlet = greenlet(lambda: self._run(scheduler, function), scheduler.greenlet)

    def _run(self, scheduler: "Scheduler", function: Callable[[], Any]) -> None:
        try:
            function()
        except GreenletExit:
            pass
        except BaseException as error:
            scheduler.failed(self, error)
        finally:
            self.is_over = True
            for strand in self.joined:
                scheduler.wake(strand)


class Scheduler:
    """Whose turn it is, and what time it is."""

    def __init__(self, chance: random.Random, on_failure: Callable[[Strand, BaseException], None]) -> None:
        self.now = 1000.0
        self.chance = chance
        self._bits = chance.getrandbits
        self.failed = on_failure
        self.numbers = itertools.count(1)
        self.current: Strand | None = None
        self.greenlet = getcurrent()
        self.network: Any = None
        """What connects the event loops of processes, if anything does."""
        self.finalizers: list[Any] = []
        """What `weakref.finalize` has made. Nothing is finalized in a process that was killed."""
        self.strands: list[Strand] = []
        self.steps = 0
        self.is_over = False
        self.has_enough = False
        """Whether `run` is to return: a flag, because it is looked at before every turn."""
        self._drawn = -1
        """Whose turn is next, if that was drawn already: a place among those who are ready."""
        self._loop_in_place: Any = None
        """Whose event loop asyncio takes for the running one: another is put in place only when another is needed."""
        self._ready: list[Strand] = []
        self._moments: list[tuple[float, int, Strand | Callable[[], None], int]] = []
        self._order = itertools.count()

    # ── for the world ────────────────────────────────────────────────────────────────────────────

    def start(self, process: Process, function: Callable[[], Any], name: str) -> Strand:
        """A new thread of a process."""
        strand = Strand(self, process, function, name)
        self.strands.append(strand)
        self._ready.append(strand)
        return strand

    def thaw(self, process: Process) -> None:
        """Let a frozen process go on."""
        process.is_frozen = False
        self._ready += process.stalled
        process.stalled.clear()

    def at(self, moment: float, happening: Callable[[], None]) -> None:
        """Let something happen to the world at an instant."""
        heapq.heappush(self._moments, (moment, next(self._order), happening, 0))

    def run(self) -> None:
        """Give turns until somebody says that it is enough, or nobody is left who could do so."""
        moments, ready = self._moments, self._ready
        while not self.has_enough:
            if moments and moments[0][0] <= self.now:
                self._pass_moments()
            elif ready:
                self._give_turn()
            elif moments:
                self.now = moments[0][0]
            else:
                return

    def _pass_moments(self) -> None:
        while self._moments and self._moments[0][0] <= self.now:
            _, _, whose, wait = heapq.heappop(self._moments)
            if not isinstance(whose, Strand):
                self._put_loop_in_place(None, (None, None))
                whose()
            elif whose.is_waiting and whose.waits == wait:
                whose.is_waiting = False
                self._ready.append(whose)

    def _give_turn(self) -> None:
        ready, place = self._ready, self._drawn
        if place < 0:
            place = self._draw(len(ready)) if len(ready) > 1 else 0
        self._drawn = -1
        strand = ready[place]
        ready[place] = ready[-1]
        ready.pop()
        process = strand.process
        if process.is_dead:
            return
        if process.is_frozen:
            process.stalled.append(strand)
            return
        process.steps += 1
        if process.dies_at_step is not None and process.steps >= process.dies_at_step:
            process.die()
            return
        self.steps += 1
        if self.steps > STEPS_MAX:
            raise Endless(f"{STEPS_MAX} turns were taken; the last one by {process.name}, {strand.name}")
        self.current = strand
        if strand.running_loop is not self._loop_in_place:
            self._put_loop_in_place(strand.running_loop, strand.generator_hooks)
        try:
            strand.greenlet.switch()
        finally:
            self.current = None

    def _draw(self, below: int) -> int:
        """What `randrange(below)` would draw; this is asked for with every turn."""
        bits, drawn = below.bit_length(), below
        while drawn >= below:
            drawn = self._bits(bits)
        return drawn

    def _put_loop_in_place(self, loop: Any, hooks: tuple[Any, Any]) -> None:
        """The loops of all strands share one thread, and so what belongs to a thread."""
        if loop is not self._loop_in_place:
            self._loop_in_place = loop
            asyncio._set_running_loop(loop)
            sys.set_asyncgen_hooks(*hooks)

    def now_runs(self, loop: Any, hooks: tuple[Any, Any]) -> None:
        """The present strand begins to run an event loop, which puts itself in place; or, if it is None, has ended."""
        strand = self.current
        assert strand is not None
        strand.running_loop, strand.generator_hooks = loop, hooks
        self._loop_in_place = loop

    def end(self) -> None:
        """Unwind every strand that is left. What their code does on the way out reaches nobody."""
        self.is_over = True
        self._put_loop_in_place(None, (None, None))
        for finalizer in self.finalizers:
            finalizer.detach()
        for strand in self.strands:
            strand.process.is_dead = True
            for _ in range(100):
                if strand.greenlet.dead or not strand.greenlet:
                    break
                self.current = strand
                with suppress(BaseException):
                    strand.greenlet.throw(GreenletExit)
            self.current = None
        asyncio._set_running_loop(None)
        self.strands.clear()
        self._ready.clear()
        self._moments.clear()

    # ── for strands ──────────────────────────────────────────────────────────────────────────────

    def wait(self, timeout_s: float | None = None) -> bool:
        """Give the turn up until somebody wakes this strand, or for so long. False: time was over."""
        strand = self.current
        assert strand is not None
        if self.is_over:
            raise GreenletExit
        strand.waits += 1
        strand.is_waiting, strand.was_woken = True, False
        if timeout_s is not None:
            heapq.heappush(self._moments, (self.now + max(0.0, timeout_s), next(self._order), strand, strand.waits))
        self.greenlet.switch()
        return strand.was_woken

    def wake(self, strand: Strand) -> None:
        """Let a strand that waits go on."""
        if strand.is_waiting:
            strand.is_waiting, strand.was_woken = False, True
            self._ready.append(strand)

    def step_back(self) -> None:
        """Give others a turn."""
        strand = self.current
        assert strand is not None
        if self.is_over:
            raise GreenletExit
        ready, moments = self._ready, self._moments
        ready.append(strand)
        if not self.has_enough and not (moments and moments[0][0] <= self.now):
            self._drawn = place = self._draw(len(ready)) if len(ready) > 1 else 0
            process, steps = strand.process, strand.process.steps + 1
            is_to_die = process.is_dead or (process.dies_at_step is not None and steps >= process.dies_at_step)
            if ready[place] is strand and not is_to_die and not process.is_frozen and self.steps < STEPS_MAX:
                # Its turn goes on. That is so often that it saves much not to go to the scheduler and back.
                self._drawn = -1
                ready[place] = ready[-1]
                ready.pop()
                process.steps = steps
                self.steps += 1
                return
        self.greenlet.switch()


def use(scheduler: Scheduler | None) -> None:
    """From now on strands belong to this scheduler."""
    global _scheduler
    _scheduler = scheduler


def here() -> Scheduler | None:
    """The scheduler, if this is called from one of its strands."""
    if _scheduler is None or _scheduler.current is None or _scheduler.current.greenlet is not getcurrent():
        return None
    return _scheduler


def _scheduler_here() -> Scheduler:
    scheduler = here()
    assert scheduler is not None
    return scheduler


# ── what threads wait with ───────────────────────────────────────────────────────────────────────


class Lock:
    """A lock of strands; with `is_reentrant`, its owner may take it again."""

    def __init__(self, *, is_reentrant: bool = False) -> None:
        self._is_reentrant = is_reentrant
        self._owner: Strand | None = None
        self._depth = 0
        self._waiting: deque[Strand] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        scheduler = _scheduler
        if scheduler is None or scheduler.is_over or scheduler.current is None:
            return True  # the world itself looks at a store while nobody has a turn
        me = scheduler.current
        if self._owner is me and self._is_reentrant:
            self._depth += 1
            return True
        while self._owner is not None:
            if not blocking:
                return False
            self._waiting.append(me)
            scheduler.wait(None if timeout < 0 else timeout)
            if me in self._waiting:
                self._waiting.remove(me)
                return False
        self._owner, self._depth = me, 1
        return True

    def release(self) -> None:
        scheduler = _scheduler
        if scheduler is None or scheduler.is_over or scheduler.current is None:
            return
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
            if self._waiting:
                scheduler.wake(self._waiting.popleft())

    def locked(self) -> bool:
        return self._owner is not None

    def __enter__(self) -> bool:
        scheduler = _scheduler
        if self._owner is None and scheduler is not None and not scheduler.is_over and scheduler.current is not None:
            self._owner, self._depth = scheduler.current, 1  # as in `acquire`, and nearly always so
            return True
        return self.acquire()

    def __exit__(self, *error: object) -> None:
        self.release()


class Condition:
    """A condition of strands."""

    def __init__(self, lock: Lock | None = None) -> None:
        self._lock = Lock(is_reentrant=True) if lock is None else lock
        self._waiting: deque[Strand] = deque()
        self.acquire = self._lock.acquire
        self.release = self._lock.release

    def __enter__(self) -> bool:
        return self._lock.__enter__()

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        scheduler = _scheduler_here()
        me = scheduler.current
        assert me is not None
        depth, self._lock._depth = self._lock._depth, 1
        self._waiting.append(me)
        self._lock.release()
        try:
            return scheduler.wait(timeout)
        finally:
            if me in self._waiting:
                self._waiting.remove(me)
            self._lock.acquire()
            self._lock._depth = depth

    def notify(self, n: int = 1) -> None:
        if self._waiting:
            scheduler = _scheduler
            for _ in range(min(n, len(self._waiting))):
                if scheduler is not None:
                    scheduler.wake(self._waiting.popleft())

    def notify_all(self) -> None:
        self.notify(len(self._waiting))


class Event:
    """An event of strands."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._is_set = False

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True
        self._condition.notify_all()

    def clear(self) -> None:
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        if not self._is_set:
            with self._condition:
                self._condition.wait(timeout)
        return self._is_set


class Thread:
    """A thread of the process that makes it."""

    def __init__(
        self,
        group: None = None,
        target: Callable[..., Any] | None = None,
        name: str | None = None,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        *,
        daemon: bool | None = None,
    ) -> None:
        assert target is not None
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.name = name or "thread"
        self.daemon = daemon
        self._strand: Strand | None = None

    def start(self) -> None:
        scheduler = _scheduler_here()
        assert scheduler.current is not None
        process = scheduler.current.process
        self._strand = scheduler.start(process, lambda: self._target(*self._args, **self._kwargs), self.name)
        self._strand.thread = self

    def is_alive(self) -> bool:
        return self._strand is not None and not self._strand.is_over

    def join(self, timeout: float | None = None) -> None:
        scheduler = _scheduler_here()
        if self.is_alive() and not scheduler.is_over:
            assert self._strand is not None
            assert scheduler.current is not None
            self._strand.joined.append(scheduler.current)
            scheduler.wait(timeout)


class Executor:
    """A pool of strands."""

    def __init__(self, max_workers: int = 4, thread_name_prefix: str = "pool") -> None:
        self._most, self._name = max_workers, thread_name_prefix
        self._jobs: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._threads: list[Thread] = []
        self._running = 0

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        self._jobs.append((future, lambda: function(*args, **kwargs)))
        if self._running < self._most:
            self._running += 1
            thread = Thread(target=self._work, name=self._name)
            self._threads.append(thread)
            thread.start()
        return future

    def _work(self) -> None:
        try:
            while self._jobs:
                future, job = self._jobs.popleft()
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    result = job()
                except GreenletExit:
                    raise
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)
        finally:
            self._running -= 1

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for thread in self._threads:
            thread.join()


class Queue:
    """`queue.SimpleQueue` for strands."""

    def __init__(self) -> None:
        self._items: deque[Any] = deque()
        self._filled = Condition()

    def __class_getitem__(cls, item: object) -> type["Queue"]:
        return cls

    def put(self, item: object) -> None:
        self._items.append(item)
        self._filled.notify()

    def get(self) -> Any:
        while not self._items:
            with self._filled:
                self._filled.wait()
        return self._items.popleft()


# ── event loops ──────────────────────────────────────────────────────────────────────────────────


class _Task(asyncio.Task):  # type: ignore[type-arg]
    """A task whose place in a set does not depend on where it lies in memory."""

    def __init__(self, *args: Any, number: int, **kwargs: Any) -> None:
        self._number = number
        super().__init__(*args, **kwargs)

    def __hash__(self) -> int:
        return self._number


class _Future(asyncio.Future):  # type: ignore[type-arg]
    """The same for a future. `Loop.create_future` numbers it: a method that does so would cost more than the rest."""

    _number: int

    def __hash__(self) -> int:
        return self._number


class Loop(asyncio.base_events.BaseEventLoop):
    """The standard library's event loop in a strand: where it would poll for I/O, it gives others a turn.

    It does so before each callback, too, and runs one of them in each round.
    """

    def __init__(self) -> None:
        super().__init__()
        self._strands = _scheduler_here()
        assert self._strands.current is not None
        self._mine = self._strands.current
        self._scheduled: list[asyncio.TimerHandle]
        self._ready: deque[asyncio.Handle]
        self._has_news = False
        self._numbers = itertools.count(1)
        self._clock_resolution = 1e-6
        self.set_task_factory(self._new_task)
        self.set_exception_handler(_report_error)

    def run_forever(self) -> None:
        """Run in the strand that calls this; another one may have made the loop."""
        assert self._strands.current is not None
        self._mine = self._strands.current
        self._strands.now_runs(self, (self._asyncgen_firstiter_hook, self._asyncgen_finalizer_hook))
        try:
            super().run_forever()
        finally:
            self._strands.now_runs(None, (None, None))

    def _run_once(self) -> None:
        """One round, as in the standard library: timers that were cancelled go, a poll, timers that are due, and then
        callbacks; but one of them only.
        """
        if len(self._scheduled) > 100 and self._timer_cancelled_count / len(self._scheduled) > 0.5:
            self._drop_cancelled()
        scheduled, ready = self._scheduled, self._ready
        while scheduled and scheduled[0]._cancelled:  # type: ignore[attr-defined]
            self._forget(heapq.heappop(scheduled))
        pause_s = scheduled[0]._when - self._strands.now if scheduled else None  # type: ignore[attr-defined]
        if ready or self._stopping or (pause_s is not None and pause_s <= 0):
            self._strands.step_back()
        elif not self._has_news:
            self._strands.wait(pause_s)
        self._has_news = False
        due = self._strands.now + self._clock_resolution
        while scheduled and scheduled[0]._when < due:  # type: ignore[attr-defined]
            handle = heapq.heappop(scheduled)
            handle._scheduled = False  # type: ignore[attr-defined]
            ready.append(handle)
        if ready:
            first = ready.popleft()
            if not first._cancelled:  # type: ignore[attr-defined]
                self._call(first)

    def _call(self, handle: Any) -> None:
        """What `Handle._run` does."""
        try:
            handle._context.run(handle._callback, *handle._args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self.call_exception_handler({"message": f"{handle} has failed", "exception": error, "handle": handle})

    def _drop_cancelled(self) -> None:
        kept = []
        for handle in self._scheduled:
            if handle._cancelled:
                handle._scheduled = False
            else:
                kept.append(handle)
        heapq.heapify(kept)
        self._scheduled = kept
        self._timer_cancelled_count = 0

    def _forget(self, handle: asyncio.TimerHandle) -> None:
        self._timer_cancelled_count -= 1
        handle._scheduled = False  # type: ignore[attr-defined]

    def _new_task(self, loop: asyncio.AbstractEventLoop, coroutine: Any, **kwargs: Any) -> Any:
        return _Task(coroutine, loop=loop, number=next(self._numbers), **kwargs)

    def create_future(self) -> Any:
        future = _Future(loop=self)
        future._number = next(self._numbers)
        return future

    get_debug = staticmethod(bool)  # type: ignore[assignment]
    """False. Every future, task and handle asks for it, and this answer takes no turn of the interpreter."""

    def time(self) -> float:
        return self._strands.now

    def _write_to_self(self) -> None:
        self._has_news = True
        self._strands.wake(self._mine)

    async def create_connection(self, protocol_factory: Any, host: Any = None, port: Any = None, **_: Any) -> Any:
        return await self._strands.network.connect(self._mine.process, self, protocol_factory)

    async def create_server(self, protocol_factory: Any, host: Any = None, port: Any = None, **_: Any) -> Any:
        return self._strands.network.listen(self._mine.process, self, protocol_factory)

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> Any:
        pool = Executor(1, "executor")
        return asyncio.wrap_future(pool.submit(func, *args), loop=self)


def _report_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An error that nobody has caught breaks the world; a task that never ends is one of a dead process."""
    error = context.get("exception")
    assert isinstance(loop, Loop)
    if error is not None and not loop._strands.is_over:
        loop._strands.failed(loop._mine, error)


def run_loop(main: Callable[[], Any]) -> None:
    """Run a coroutine on a new loop, in this strand."""
    loop = Loop()
    try:
        loop.run_until_complete(main())
    finally:
        loop._ready.clear()
        loop._scheduled.clear()
        asyncio._set_running_loop(None)
