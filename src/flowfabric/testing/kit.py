"""The kit for tests of tasks: the user's own fabric on a store in memory, time that jumps, and workers that crash."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from msgspec.structs import replace

from flowfabric.app import EnginePair, assemble, blocking
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.events import EventPage
from flowfabric.domain.outcomes import DuplicateSignal, Signalled
from flowfabric.domain.snapshots import ExecutionSnapshot
from flowfabric.domain.states import AttemptOutcome
from flowfabric.domain.stream_pages import StreamFrame
from flowfabric.engine.blocking import BlockingEngine
from flowfabric.engine.engine import Engine
from flowfabric.engine.scope import Services
from flowfabric.engine.shells import Bell
from flowfabric.engine.streaming import StreamFollower
from flowfabric.fabric import FlowFabric
from flowfabric.runtime.durations import Duration, instant_ms, milliseconds
from flowfabric.runtime.handles import Handle
from flowfabric.runtime.tasks import Task
from flowfabric.stores.memory.store import MemoryStore
from flowfabric.testing.clock import ManualClock
from flowfabric.testing.moments import Moment, When
from flowfabric.testing.runs import WORKER_ID, Run, Stage, Stuck

T = TypeVar("T")

WORKER_MAY_COME_MS: Final = 100
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Kit:
    """A fabric for one test: nothing is on disk, nothing happens by itself, and the test moves the time.

        with Kit(shop.ff) as kit:
            handle = shop.charge.submit_sync(order_id=7, cents=990)
            kit.at_step("pay", "unstored").crash()
            kit.run_to_the_end()
            assert handle.result_sync() == "charge-7"

    Its verbs that run something are for synchronous tests; each has a twin for tests on an event loop, `..._async`.

    Time starts at `start`. One execution runs at a time, so that the order is the same in each run of a test; with more
    `concurrency` it may differ. Without `lanes` and `capabilities` the worker serves all that any execution needs.
    `lease` is how long the worker's leases last, by the kit's time. `patience` is how long code may take between two
    steps, by a real clock.
    """

    def __init__(
        self,
        fabric: FlowFabric,
        *,
        start: datetime | None = None,
        concurrency: int = 1,
        lanes: Sequence[str] | None = None,
        capabilities: Sequence[str] | None = None,
        lease: Duration = "30s",
        patience: Duration = "10s",
    ) -> None:
        if not isinstance(fabric, FlowFabric):
            raise InvalidInput(
                f"{shown(fabric)} is no FlowFabric. Write Kit(shop.ff), with the fabric of your program."
            )
        self.clock = ManualClock() if start is None else ManualClock(instant_ms("start", start, 0))
        self._fabric = fabric
        self._store = MemoryStore("kit", self.clock)
        self._stage = Stage(
            fabric,
            self._store,
            self.clock,
            concurrency,
            lanes,
            capabilities,
            milliseconds("lease", lease),
            milliseconds("patience", patience) / 1000,
        )
        self._stack = ExitStack()
        self._engines: EnginePair | None = None
        self._run: Run | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:  # closed if a schedule is refused; otherwise the fabric would stay on this engine
            self._engines = stack.enter_context(self._fabric.rebound(self._open))
            for schedule in self._fabric.schedules.values():
                self.engine.fire_schedule(schedule)  # stores the schedule, as a worker does when it starts
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._engines = None
        self._stack.close()
        missed = [str(plan) for plan in self._stage.plans if not plan.is_over]
        if missed and error is None:
            steps = sorted({step for steps in self._stage.steps_run.values() for step in steps})
            raise Stuck(
                f"What was planned has not happened, or not as often: {'; '.join(missed)}. The steps that ran are: "
                f"{', '.join(steps) or 'none'}. Check the names, and run the kit after planning."
            )

    def _open(self, stack: ExitStack) -> EnginePair:
        services = replace(
            assemble(stack, self._store, reconcile=False),
            new_uuid=_ids_in_order(self.clock),
            new_mark=map("{:012x}".format, itertools.count(1)).__next__,
        )
        view = self._fabric.namespace, self._fabric.actor
        return EnginePair(
            _PromptEngine(services, *view, self._anyone_works),
            _PromptEngine(blocking(services), *view, self._anyone_works),
        )

    @property
    def _opened(self) -> EnginePair:
        if self._engines is None:
            raise InvalidInput("The kit is not open. Use it inside its block: `with Kit(shop.ff) as kit:`.")
        return self._engines

    def _anyone_works(self) -> bool:
        if self._run is not None:
            return True
        others = (worker for worker in self._store.workers(self._fabric.namespace) if worker.worker_id != WORKER_ID)
        return any(worker.alive_until_ms > self.clock.now_ms for worker in others)

    # ── time ─────────────────────────────────────────────────────────────────────────────────────

    @property
    def now(self) -> datetime:
        """The kit's time."""
        return _EPOCH + timedelta(milliseconds=self.clock.now_ms)

    def advance(self, span: Duration) -> None:
        """Move the time forward: `kit.advance("3d")`. What comes due meanwhile happens at the next run."""
        self.clock.advance(milliseconds("span", span))

    # ── running ──────────────────────────────────────────────────────────────────────────────────

    def run_until_idle(self) -> list[str]:
        """Run everything that can run now to its end, including retries that are due. No time passes.

        Returns a sentence for each execution that has not ended: what it waits for.
        """
        return _on_a_loop("run_until_idle", self.run_until_idle_async)

    async def run_until_idle_async(self) -> list[str]:
        """`run_until_idle` for tests on an event loop; the tasks run on the same loop."""
        return await self._drive(self.clock.now_ms)

    def run_for(self, span: Duration) -> list[str]:
        """Let time pass, from one due moment to the next, and run all that can run.

        Returns what `run_until_idle` returns.
        """
        return _on_a_loop("run_for", lambda: self.run_for_async(span))

    async def run_for_async(self, span: Duration) -> list[str]:
        """`run_for` for tests on an event loop."""
        return await self._drive(self.clock.now_ms + milliseconds("span", span))

    def run_to_the_end(self, within: Duration = "365d") -> None:
        """Run until all executions have ended, and jump to the next due moment whenever nothing can run.

        Raises Stuck if no due moment can end the rest, or if it does not end `within` this span of the kit's time.
        """
        _on_a_loop("run_to_the_end", lambda: self.run_to_the_end_async(within))

    async def run_to_the_end_async(self, within: Duration = "365d") -> None:
        """`run_to_the_end` for tests on an event loop."""
        left = await self._drive(self.clock.now_ms + milliseconds("within", within), stops_at_the_end=True)
        if left:
            raise Stuck("\n".join((f"The end was not reached; at {self.now.isoformat()} there are left:", *left)))

    def run_until_waiting(self, handle: Handle[Any], within: Duration = "365d") -> ExecutionSnapshot:
        """Run until an execution is suspended, and return it. Time passes as far as that takes, and no further.

        A sleep counts as waiting, too. Raises Stuck if the execution ends, or waits for no signal `within` this span.
        """
        return _on_a_loop("run_until_waiting", lambda: self.run_until_waiting_async(handle, within))

    async def run_until_waiting_async(self, handle: Handle[Any], within: Duration = "365d") -> ExecutionSnapshot:
        """`run_until_waiting` for tests on an event loop."""
        engine, execution_id = self._opened.engine, handle.execution_id

        async def x() -> ExecutionSnapshot:
            found = await engine.describe_execution(execution_id)
            if found is None:
                raise Stuck(f"There is no execution {execution_id}, so it will never wait.")
            return found

        async def is_there() -> bool:
            return (now := await x()).public_state == "suspended" or now.terminal_at_ms is not None

        await self._drive(self.clock.now_ms + milliseconds("within", within), is_there=is_there)
        if (found := await x()).public_state != "suspended":
            raise Stuck(f"{found.kind} does not wait: {await engine.explain(execution_id)}")
        return found

    async def _drive(
        self,
        until_ms: int,
        *,
        stops_at_the_end: bool = False,
        is_there: Callable[[], Coroutine[Any, Any, bool]] | None = None,
    ) -> list[str]:
        if self._run is not None:
            raise InvalidInput(
                "The kit runs already: a task, or something planned, has called it. Call it from the test."
            )
        self._run = Run(
            self._stage, self._opened.engine, until_ms, stops_at_the_end=stops_at_the_end, is_there=is_there
        )
        try:
            await self._run.run()
        finally:
            self._run = None
        return self.left()

    def left(self) -> list[str]:
        """A sentence for each execution that has not ended, oldest first: what it waits for."""
        return [f"{x.kind} ({x.execution_id}): {self.engine.explain(x.execution_id)}" for x in self._stage.live()]

    # ── signals ──────────────────────────────────────────────────────────────────────────────────

    def signal(
        self, handle: Handle[Any], key: str, value: object = None, *, name: str = "", source: str = ""
    ) -> Signalled | DuplicateSignal:
        """Send a signal to an execution: `kit.signal(handle, "editor", "accept")`. It goes on at the next run.

        In a test on an event loop, use `await handle.signal(...)`.
        """
        return handle.signal_sync(key, value, name=name, source=source)

    # ── planning what happens ────────────────────────────────────────────────────────────────────

    def at_step(
        self,
        name: str,
        when: When = "before",
        *,
        of: Task[..., Any] | None = None,
        attempt: int | None = None,
        times: int = 1,
    ) -> Moment:
        """A moment of a step: `"before"` it runs, when it has run and is `"unstored"` yet, or when it is `"stored"`.

        `kit.at_step("pay", "unstored").crash()`. It is the next such moment of any task and attempt, unless `of` names
        a task and `attempt` an attempt (0 is the first). With `times` it is that many moments in a row.
        """
        return Moment(self._stage.plans, name, when, of=of, attempt=attempt, times=times)

    def at_attempt(
        self,
        attempt: int | None = None,
        when: When = "before",
        *,
        of: Task[..., Any] | None = None,
        times: int = 1,
    ) -> Moment:
        """A moment of an attempt: `"before"` its function runs, or when its result is still `"unstored"`."""
        return Moment(self._stage.plans, None, when, of=of, attempt=attempt, times=times)

    # ── what has happened ────────────────────────────────────────────────────────────────────────

    @property
    def engine(self) -> BlockingEngine:
        """The engine of the test, for everything that the kit does not offer."""
        return BlockingEngine(self._opened.blocking)

    @property
    def ran(self) -> list[str]:
        """The names of the tasks whose functions were started, in order: one for each attempt."""
        return list(self._stage.ran)

    def steps_run(self, handle: Handle[Any]) -> dict[str, int]:
        """How often the function of each step of an execution was started, in all attempts, by name."""
        return dict(self._stage.steps_run.get(handle.execution_id, {}))

    def attempts(self, handle: Handle[Any]) -> list[AttemptOutcome | None]:
        """How each attempt of an execution ended, from first to last; None: it has not ended."""
        return [attempt.outcome for attempt in self.engine.list_attempts(handle.execution_id)]

    def frames(self, handle: Handle[Any]) -> list[StreamFrame]:
        """What an execution has written and what counts now, in order; `frame.value` is what was said."""
        found: list[StreamFrame] = []
        cursor: str | None = None
        while True:
            page = self.engine.read_stream(handle.execution_id, cursor=cursor)
            if not page.frames:
                return found
            found += page.frames
            cursor = page.next_cursor

    def events(self, handle: Handle[Any]) -> list[str]:
        """The types of all events of an execution, in order."""
        found: list[str] = []
        cursor: str | None = None
        while True:
            page = self.engine.read_events(cursor=cursor, execution_id=handle.execution_id)
            if not page.events:
                return found
            found += [event.event_type for event in page.events]
            cursor = page.next_cursor


class _PromptEngine(Engine):
    """The engine, except that it raises instead of waiting while no worker runs."""

    def __init__(self, services: Services, scope: str, actor: str | None, anyone_works: Callable[[], bool]) -> None:
        super().__init__(services, scope, actor)
        self._anyone_works = anyone_works

    async def expect_worker(self, execution_id: str) -> None:
        """Raise Stuck if the execution has not ended, and nobody works on it."""
        if self._anyone_works():
            return
        # A worker that the program itself has just started may take a moment to report itself.
        with suppress(TimeoutError):
            await super().wait_for_result(execution_id, timeout_ms=WORKER_MAY_COME_MS)
            return
        if not self._anyone_works():
            raise Stuck(
                f"{execution_id} has not ended, and nobody works while the test waits. "
                f"{await self.explain(execution_id)} Run the kit first, as with kit.run_until_idle()."
            )

    async def wait_for_result(self, execution_id: str, *, timeout_ms: int | None = None) -> ExecutionSnapshot:
        await self.expect_worker(execution_id)
        return await super().wait_for_result(execution_id, timeout_ms=timeout_ms)

    async def follow_events(self, execution_id: str, *, cursor: str | None = None) -> EventPage:
        if not self._anyone_works():
            page = await self.read_events(cursor=cursor, execution_id=execution_id)
            if page.events:
                return page
            await self.wait_for_result(execution_id)
        return await super().follow_events(execution_id, cursor=cursor)

    def follow_stream(self, execution_id: str, *, cursor: str | None = None) -> StreamFollower:
        return _PromptFollower(self, execution_id, cursor)


class _PromptFollower(StreamFollower):
    """The frames of one stream. It raises instead of waiting while no worker runs."""

    def __init__(self, engine: _PromptEngine, execution_id: str, cursor: str | None) -> None:
        super().__init__(engine, execution_id, cursor)
        self._prompt = engine

    async def _wait_for_more(self, bell: Bell) -> None:
        assert self._key is not None
        await self._prompt.expect_worker(self._key)
        await super()._wait_for_more(bell)


def _ids_in_order(clock: ManualClock) -> Callable[[], str]:
    """Ids that are the same in each run of a test. The jitter of retries depends on them, too."""
    numbers = itertools.count(1)

    def new_uuid() -> str:
        now_ms = clock.now_ms
        return f"{now_ms >> 16:08x}-{now_ms & 0xFFFF:04x}-7000-8000-{next(numbers):012x}"

    return new_uuid


def _on_a_loop(verb: str, run: Callable[[], Coroutine[Any, Any, T]]) -> T:
    with suppress(RuntimeError):
        asyncio.get_running_loop()
        raise InvalidInput(
            f"{verb}() would stop the event loop that runs in this thread. Use `await kit.{verb}_async(...)`."
        )
    return asyncio.run(run())
