"""One run of the kit: real workers, one after the other, on a clock that jumps from one due moment to the next."""

import asyncio
import itertools
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from typing import Final

import msgspec

from flowfabric.domain.execution import DUE_KINDS, Execution
from flowfabric.domain.inputs import INSTANT_MS_MAX
from flowfabric.domain.lease import Lease
from flowfabric.domain.listing import ExecutionFilter
from flowfabric.engine.engine import Engine
from flowfabric.fabric import FlowFabric
from flowfabric.ports.store import Store
from flowfabric.reconcilers.duties import DUE_DUTIES
from flowfabric.runtime.context import AttemptCancelled, Context
from flowfabric.runtime.worker import Worker
from flowfabric.runtime.worker_settings import WorkerSettings
from flowfabric.testing.clock import ManualClock
from flowfabric.testing.moments import Place, Plan
from flowfabric.testing.watching import WatchedTask

ATTEMPTS_MAX: Final = 10_000
"""How many attempts one run may take. A run that needs more has a task that repeats for ever."""
EXECUTIONS_MAX: Final = 1_000_000
WORKER_ID: Final = "kit"


class Stuck(AssertionError):
    """The test waits for something that cannot happen. The message says what, why, and what to do."""


class Stage(msgspec.Struct, frozen=True):
    """What all runs of one kit share: fabric, store, clock and settings, and what has happened so far."""

    fabric: FlowFabric
    store: Store
    clock: ManualClock
    concurrency: int
    lanes: Sequence[str] | None
    capabilities: Sequence[str] | None
    lease_ms: int
    patience_s: float
    plans: list[Plan] = msgspec.field(default_factory=list)
    ran: list[str] = msgspec.field(default_factory=list)
    """The tasks whose functions were started, in order."""
    steps_run: dict[str, Counter[str]] = msgspec.field(default_factory=dict)
    """By execution: how often the function of each step was started."""

    def live(self) -> list[Execution]:
        """The executions that have not ended, oldest first."""
        where = ExecutionFilter(namespace=self.fabric.namespace)
        return [x for x in reversed(self.store.executions(where, None, EXECUTIONS_MAX)) if not x.has_ended]


class _Unprompted(Engine):
    """The engine of a worker that learns of a lost lease only when the test lets it renew."""

    def watch_leases(
        self, held: Callable[[], Sequence[Lease]], on_lost: Callable[[Sequence[str]], None]
    ) -> AbstractContextManager[None]:
        return nullcontext()


class Run:
    """Runs what can run until an instant, and moves the clock there step by step. Also makes the planned troubles."""

    def __init__(
        self,
        stage: Stage,
        engine: Engine,
        until_ms: int,
        *,
        stops_at_the_end: bool = False,
        is_there: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._stage = stage
        self._engine = engine
        self._until_ms = until_ms
        self._stops_at_the_end = stops_at_the_end
        self._is_there = is_there
        self._loop = asyncio.get_running_loop()
        self._tasks = {name: WatchedTask(task, self._reach) for name, task in stage.fabric.tasks.items()}
        self._worker: Worker | None = None
        self._settings: WorkerSettings | None = None
        self._patience: asyncio.Timeout | None = None
        self._attempts: dict[str, Context] = {}
        self._next_slot_ms = INSTANT_MS_MAX
        self._started = itertools.count(1)
        self._failure: Stuck | None = None
        self._is_over = False

    async def run(self) -> None:
        """Run until the instant has come and nothing can run any more. Raises Stuck if that cannot happen."""
        try:
            async with asyncio.timeout(self._stage.patience_s) as self._patience:
                while not self._is_over:
                    await self._work()
        except TimeoutError:
            raise self._impatient() from None
        finally:
            self._is_over = True
        if self._failure is not None:
            raise self._failure

    async def _work(self) -> None:
        """Run one worker, until nothing is left for it, or it dies."""
        stage = self._stage
        self._settings = self._wanted_settings()
        engine = _Unprompted(self._engine._services, self._engine._scope)
        await stage.fabric.gates.state(engine)
        self._worker = Worker(
            engine,
            self._tasks,
            self._settings,
            codec=stage.fabric.codec,
            keeps_tracebacks=stage.fabric.keeps_tracebacks,
        )
        await self._worker.run(when_idle=self._when_idle)

    def _wanted_settings(self) -> WorkerSettings:
        """Settings of a worker that serves all lanes and capabilities in use, unless the test has named some."""
        stage, live = self._stage, self._stage.live()
        lanes, capabilities = stage.lanes, stage.capabilities
        if lanes is None:
            lanes = sorted({"default", *(task.settings.lane for task in self._tasks.values()), *(x.lane for x in live)})
        if capabilities is None:
            capabilities = sorted({name for x in live for name in x.required_capabilities})
        return WorkerSettings(
            lanes=lanes,
            namespace=stage.fabric.namespace,
            capabilities=capabilities,
            concurrency=stage.concurrency,
            lease_ttl_ms=stage.lease_ms,
            linger_s=0.0,  # the kit's time stands still while code waits in memory
            worker_id=WORKER_ID,
        )

    def _serves_all(self) -> bool:
        assert self._settings is not None
        wanted = self._wanted_settings()
        return set(wanted.lanes) <= set(self._settings.lanes) and set(wanted.capabilities) <= set(
            self._settings.capabilities
        )

    # ── time ─────────────────────────────────────────────────────────────────────────────────────

    async def _when_idle(self) -> bool:
        """Do what is due, or jump to the next due moment. False: this worker has nothing left to do."""
        self._progressed()
        if self._is_there is not None and await self._is_there():
            self._is_over = True
            return False
        if not self._serves_all():
            return False  # something waits in a new lane, which the next worker serves
        if await self._handle_due() or await self._fire_schedules():
            return True
        now_ms = self._stage.clock.now_ms
        next_ms = min(self._next_due_ms(), self._next_slot_ms)
        if self._stops_at_the_end and not self._stage.live():
            self._is_over = True
            return False
        if not now_ms < next_ms <= self._until_ms:
            self._is_over = True
            if not self._stops_at_the_end and self._is_there is None:
                self._stage.clock.advance(max(0, self._until_ms - now_ms))
            return False
        self._stage.clock.advance(next_ms - now_ms)
        return True

    async def _handle_due(self) -> bool:
        done = await self._engine.reconcile()
        return any(done[duty] for duty in (*DUE_DUTIES, "gates"))

    async def _fire_schedules(self) -> bool:
        """Fire the slots that are due. `run_to_the_end` fires none, because there would never be an end."""
        if self._stops_at_the_end:
            return False
        schedules = self._stage.fabric.schedules.values()
        fired = [await self._engine.fire_schedule(schedule, replace=True) for schedule in schedules]
        slots = (each.next_slot_ms for each in fired if each.next_slot_ms is not None)
        self._next_slot_ms = min(slots, default=INSTANT_MS_MAX)
        return any(each.execution_ids for each in fired)

    def _next_due_ms(self, *, but_leases: bool = False) -> int:
        """When something happens by itself next; far in the future if nothing will.

        For `run_to_the_end` the removal of an ended execution is no such moment: it ends no other execution.
        """
        left_out = {"lease"} if but_leases else set()
        if self._stops_at_the_end:
            left_out.add("retention")
        store = self._stage.store
        found = (store.due(kind, INSTANT_MS_MAX, None, 1) for kind in DUE_KINDS if kind not in left_out)
        moments = [due.due_at_ms for page in found for due in page]
        in_ms = store.poll([]).delay_over_in_ms  # also: when the next gate opens by itself
        return min(moments if in_ms is None else [*moments, store.now_ms + in_ms], default=INSTANT_MS_MAX)

    # ── what can happen to a worker ──────────────────────────────────────────────────────────────

    async def crash(self, ctx: Context) -> None:
        """The worker dies."""
        self._at_work.die()

    async def lose_lease(self, ctx: Context, *, told: bool) -> None:
        """The worker is frozen for as long as a lease lasts."""
        self._stage.clock.advance(self._stage.lease_ms)
        await self._handle_due()
        if told:
            await self._at_work.renew()

    async def cancel(self, ctx: Context, reason: str) -> None:
        """The execution is cancelled, and the worker learns that."""
        await self._engine.cancel_execution(ctx.execution_id, reason=reason)
        await self._at_work.renew()

    async def pass_time(self, ms: int) -> None:
        """Time passes while the worker works: it renews its leases, and what comes due happens."""
        clock = self._stage.clock
        until_ms = clock.now_ms + ms
        while (now_ms := clock.now_ms) < until_ms:
            renewal_ms = now_ms + self._stage.lease_ms - 1
            next_ms = min(until_ms, renewal_ms, self._next_due_ms(but_leases=True), self._next_slot_ms)
            clock.advance(max(1, next_ms - now_ms))
            await self._handle_due()
            await self._fire_schedules()
            await self._at_work.renew()
            self._progressed()

    @property
    def _at_work(self) -> Worker:
        assert self._worker is not None
        return self._worker

    # ── following attempts; from any thread ──────────────────────────────────────────────────────

    def _reach(self, place: Place, ctx: Context) -> Future[None]:
        if self._is_over:  # this code could not be stopped, and goes on after its run
            raise AttemptCancelled("the run is over")
        return asyncio.run_coroutine_threadsafe(self._reached(place, ctx), self._loop)

    async def _reached(self, place: Place, ctx: Context) -> None:
        self._progressed()
        if place == (None, "before"):
            self._count_attempt(ctx)
        for plan in [plan for plan in self._stage.plans if plan.takes(place, ctx)]:
            await plan.happening(self, ctx)
        if place.when != "before" or ctx.cancelled:
            return
        if place.step is None:
            self._stage.ran.append(ctx.task)
        else:
            self._stage.steps_run.setdefault(ctx.execution_id, Counter())[place.step] += 1

    def _count_attempt(self, ctx: Context) -> None:
        self._attempts[ctx.execution_id] = ctx
        if next(self._started) > ATTEMPTS_MAX:
            most, times = Counter(self._stage.ran).most_common(1)[0]
            self._failure = Stuck(
                f"{ATTEMPTS_MAX:,} attempts in one run, {times:,} of them of {most!r}: it is tried again, or submits "
                "itself, without an end. Give it an end, or run the kit in parts."
            )
            self._is_over = True
            self._at_work.die()

    def _progressed(self) -> None:
        if self._patience is not None and not self._patience.expired():
            self._patience.reschedule(self._loop.time() + self._stage.patience_s)

    def _impatient(self) -> Stuck:
        # The attempts that the worker had to hand back. Attempts that failed or died before have another reason, or
        # none.
        stopped = [ctx for ctx in self._attempts.values() if ctx.cancelled.reason == "worker_stops"]
        named = ", ".join(f"{ctx.task!r} (attempt {ctx.attempt_index + 1})" for ctx in stopped)
        return Stuck(
            f"{named or 'The worker'} took {self._stage.patience_s:g} s by a real clock without getting on. Code that "
            "sleeps or waits really does so, here too. If it waits for another execution, run more at once: "
            "Kit(ff, concurrency=4). If it only takes long: Kit(ff, patience='1m')."
        )
