"""Fires the schedules of one process while its worker runs. It polls at each slot, and once a minute as a sign of life.

There is no leader: every process that has a schedule's code asks the store, and the first one takes the slot. A poll
that finds nothing is a small transaction that writes nothing, unless nobody has polled for a while.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from typing import Final, Protocol

from flowfabric.domain.creation import NewSchedule
from flowfabric.domain.errors import Contention, EngineError, StoreError, StoreUnavailable
from flowfabric.domain.outcomes import ScheduleFired
from flowfabric.domain.schedule import POLL_MS
from flowfabric.runtime.backoff import Backoff
from flowfabric.runtime.declared_gates import DeclaredGates, GateEngine
from flowfabric.runtime.engines import ScheduleEngine

log = logging.getLogger("flowfabric.scheduler")

SCHEDULE_POLL_S: Final = POLL_MS / 1000


class Scheduler:
    """Polls schedules when a slot is due, and no more often than necessary."""

    def __init__(
        self,
        engine: ScheduleEngine,
        schedules: Collection[NewSchedule],
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engine = engine
        self._monotonic = monotonic
        self._schedules = {schedule.name: schedule for schedule in schedules}
        # A process stores its definition when it starts, and never again. Otherwise two versions of a program that run
        # side by side would replace each other's definitions in turn.
        self._unstarted = set(self._schedules)
        self._poll_at = dict.fromkeys(self._schedules, float("-inf"))
        self._round_at = float("-inf")
        self._backoff = Backoff()
        self._cause: Exception | None = None
        """Why the last poll of a schedule failed."""
        self._failing_since: float | None = None

    async def run(self) -> None:
        """Fire due slots, for ever."""
        while True:
            pause_s = await self.poll()
            await asyncio.sleep(pause_s)

    async def poll(self) -> float:
        """Fire the slots that are due now. Returns in how many seconds to poll again."""
        now = self._monotonic()
        if now >= self._round_at:
            # All schedules together, so that a process with many schedules costs one transaction a minute.
            self._round_at = now + SCHEDULE_POLL_S
            due = list(self._schedules)
        else:
            due = [name for name, at in self._poll_at.items() if at <= now]
        found_all = all(await asyncio.gather(*map(self._fire, due)))
        self._note(found_all)
        if not found_all:
            return self._backoff.next_s()
        return max(0.0, min(self._round_at, *self._poll_at.values()) - self._monotonic())

    async def _fire(self, name: str) -> bool:
        """Fire one schedule, and note when its next slot comes. False: the store is unavailable, so poll again soon."""
        self._poll_at[name] = float("-inf")
        try:
            fired = await self._engine.fire_schedule(self._schedules[name], replace=name in self._unstarted)
        except (StoreError, Contention) as error:
            log.debug("schedule %s could not be polled: %s", name, error)
            self._cause = error
            return False
        except EngineError as error:
            log.error("schedule %s fires nothing: %s", name, error, extra={"schedule": name, "cause": str(error)})
            self._poll_at[name] = self._monotonic() + SCHEDULE_POLL_S
            return True
        self._unstarted.discard(name)
        wait_s = SCHEDULE_POLL_S if fired.next_slot_ms is None else (fired.next_slot_ms - fired.server_time_ms) / 1000
        self._poll_at[name] = self._monotonic() + min(max(0.0, wait_s), SCHEDULE_POLL_S)
        if fired.execution_ids:
            log.info("schedule %s made %s", name, ", ".join(fired.execution_ids), extra={"schedule": name})
        return True

    def _note(self, is_there: bool) -> None:
        """Log once that schedules cannot fire, and once that they can. The engine itself logs an unavailable store."""
        if is_there:
            self._backoff.reset()
            if self._failing_since is not None:
                log.warning("schedules fire again after %.1f s", self._monotonic() - self._failing_since)
                self._failing_since = None
        elif self._failing_since is None and not isinstance(self._cause, StoreUnavailable):
            self._failing_since = self._monotonic()
            log.warning(
                "schedules cannot fire; trying again until they can: %s", self._cause, extra={"cause": str(self._cause)}
            )


class FiringEngine(ScheduleEngine, GateEngine, Protocol):
    """The part of the engine that fires schedules, and states the limits and budgets that they name."""


class _Stating:
    """Fires schedules. If an operator has removed a limit or a budget of the program, it is written again first."""

    def __init__(self, engine: FiringEngine, gates: DeclaredGates) -> None:
        self._engine = engine
        self._gates = gates

    async def fire_schedule(self, schedule: NewSchedule, *, replace: bool) -> ScheduleFired:
        return await self._gates.stated(self._engine, lambda: self._engine.fire_schedule(schedule, replace=replace))


@asynccontextmanager
async def firing(
    engine: FiringEngine, schedules: Collection[NewSchedule], gates: DeclaredGates | None = None
) -> AsyncIterator[None]:
    """Fire schedules while the block lasts. `gates`: the limits and budgets of their program."""
    if not schedules:
        yield
        return
    scheduler = Scheduler(engine if gates is None else _Stating(engine, gates), schedules)
    task = asyncio.create_task(scheduler.run(), name="flowfabric scheduler")
    task.add_done_callback(_ended)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


def _ended(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("schedules fire no more in this process, because of a bug in flowfabric", exc_info=error)
