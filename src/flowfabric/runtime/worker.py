"""The worker: claims executions, runs them, keeps their leases, and stops without losing anything.

A worker claims in batches, and never more than it has free slots. When there is nothing to claim, it waits for a
wake-up, and also polls once per poll interval, so that a lost wake-up costs no more than one interval.
"""

import asyncio
import logging
import os
import secrets
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext, suppress
from functools import cache
from typing import Any, Final

from flowfabric.domain.errors import Contention, EngineError, InvalidInput, SchemaMismatch, StoreError, StoreUnavailable
from flowfabric.domain.outcomes import Claimed
from flowfabric.domain.words import counted
from flowfabric.ports.telemetry import Slots, Telemetry
from flowfabric.ports.tracing import Tracer
from flowfabric.runtime.backoff import Backoff
from flowfabric.runtime.capture import capturing
from flowfabric.runtime.codecs import Codec, Plain
from flowfabric.runtime.completions import CompletionBatcher
from flowfabric.runtime.engines import WorkerEngine
from flowfabric.runtime.flusher import Flusher
from flowfabric.runtime.isolation import ChildProcesses
from flowfabric.runtime.lease_keeper import LeaseKeeper
from flowfabric.runtime.lingering import Lingering
from flowfabric.runtime.running import RunnableTask
from flowfabric.runtime.running_attempts import RunningAttempts
from flowfabric.runtime.services import WorkerServices
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.worker_settings import WorkerSettings
from flowfabric.runtime.worker_tasks import WorkerTasks

log = logging.getLogger("flowfabric.worker")

CLAIM_MAX: Final = 200
"""How many executions one claim takes at most. More would only make others wait for the commit."""
CLAIM_MAX_OF_MANY: Final = 500
"""The same for a worker with many slots, which claims for half of them at once: large batches cost least."""
AHEAD_MIN: Final = CLAIM_MAX // 2
"""How much room there must be for a claim that is sent while the functions of the last one run."""
IDLE_POLL_S: Final = 0.002
"""How often a worker that must not wait for work polls while something runs."""
CALM_S: Final = 0.05
"""If a full worker finds no work within this time, its attempts may linger again."""
STOP_S: Final = 0.3
"""How long code has to stop once the grace is over."""
FAREWELL_S: Final = 2.0
"""How long the last reports of a worker may take at most. A healthy store answers within milliseconds.

A lease that is not released ends by itself, a little later.
"""


class Worker:
    """Runs the executions of some lanes until it is stopped."""

    def __init__(
        self,
        engine: WorkerEngine,
        tasks: Mapping[str, RunnableTask],
        settings: WorkerSettings,
        *,
        codec: Codec | None = None,
        keeps_tracebacks: bool = True,
        telemetry: Telemetry | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self._engine = engine
        self._telemetry = telemetry
        self._tracer = tracer
        self._settings = settings
        self._host = socket.gethostname()
        self._version = _version()
        self.worker_id = settings.worker_id or self._host
        self.worker_instance_id = f"{self.worker_id}-{os.getpid()}-{secrets.token_hex(3)}"
        self._tasks = WorkerTasks()
        self._report: asyncio.Task[None] | None = None
        """The last heartbeat that was sent."""
        self._keeper = LeaseKeeper(engine, lease_ttl_ms=settings.lease_ttl_ms, heartbeat=self._heartbeat)
        self._threads = Threads("flowfabric-task")
        self._completions = CompletionBatcher(engine)
        self._flusher = Flusher(engine, self._tasks, settings.flush_s)
        self._attempt_ended = asyncio.Event()
        """Set when code has ended, when an attempt is over or begins to linger, and by `stop`."""
        self._lingering = Lingering(settings.linger_s, on_begin=self._attempt_ended.set)
        self._children = ChildProcesses(
            tasks, self._threads, self._tasks, grace_s=settings.grace_s, flush_s=settings.flush_s
        )
        self._services = WorkerServices(
            engine,
            self._tasks,
            self._keeper,
            self._completions,
            self._threads,
            self._children,
            codec or Plain(),
            tasks,
            settings.lease_ttl_ms,
            settings.processes > 0,
            keeps_tracebacks,
            self._lingering,
            self._flusher,
            telemetry,
            tracer,
        )
        if settings.processes:
            self._children.check_all(tasks.values())
        self._attempts = RunningAttempts(self._services, on_code_ended=self._code_ended, on_end=self._attempt_ended.set)
        self._ahead: asyncio.Task[tuple[int, bool]] | None = None
        """The next claim, if it is already under way."""
        self._busy = 0
        self._way_given = 0
        """How many attempts were last asked to give way. It doubles while there is more work than room."""
        self._stops = 0
        self._is_dead = False
        self._service_ended = asyncio.Event()
        """Set when one of the worker's own tasks has ended, and by `stop`."""

    def stop(self) -> None:
        """Claim nothing more, let attempts finish within the grace, then hand back the rest.

        A second call hands back now.
        """
        self._stops += 1
        self._lingering.is_allowed = False
        self._lingering.give_way(len(self._lingering))
        self._attempt_ended.set()
        self._service_ended.set()

    def die(self) -> None:
        """End as if the process were killed: nothing more is run or reported, and its leases run out by themselves."""
        self._is_dead = True
        for attempt in self._attempts:
            attempt.vanish()
        self._flusher.close()
        self._completions.drop()
        self._stops += 1
        self.stop()

    async def renew(self) -> None:
        """Renew all leases now, ahead of the next beat. An attempt that has lost its lease is stopped."""
        await self._keeper.beat()

    async def run(self, *, when_idle: Callable[[], Awaitable[bool]] | None = None) -> None:
        """Work until `stop` is called. If this is cancelled, the worker hands back all its executions at once.

        The worker waits for a store that is unavailable; an engine that is closed for good is an error. `when_idle` is
        called whenever nothing can be claimed and nothing runs; if it returns False, the worker stops, too.
        """
        settings = self._settings
        log.info(
            "worker %s serves %s with %s",
            self.worker_instance_id,
            ", ".join(settings.lanes),
            counted(settings.slots, "slot"),
        )
        captured = {each for task in self._services.registered.values() for each in task.settings.capture}
        try:
            watched = nullcontext() if self._telemetry is None else self._telemetry.watching(self._slots)
            with capturing(captured), watched:
                async with self._tasks:
                    await self._serve(when_idle)
        finally:
            await self._leave()

    def _slots(self) -> Slots:
        return Slots(self._settings.slots, self._busy)

    async def _serve(self, when_idle: Callable[[], Awaitable[bool]] | None) -> None:
        self._flusher.open()
        keeping = self._tasks.start(self._keeper.run(), on_end=self._end_service)
        claiming = self._tasks.start(self._claim_for_ever(when_idle), on_end=self._end_service)
        try:
            try:
                while not (self._stops or keeping.done() or claiming.done()):
                    self._service_ended.clear()
                    await self._service_ended.wait()
            finally:
                await _ended(claiming)
            for service in (keeping, claiming):
                if service.done() and not service.cancelled():
                    service.result()  # raises: the engine is closed, or we have a bug; without renewals nothing may run
            await self._drain(self._settings.grace_s)
        finally:
            await self._drain(0.0)
            await _ended(keeping)
            self._flusher.close()
            await self._children.close()

    def _end_service(self, service: "asyncio.Task[None]") -> None:
        if not service.cancelled():
            service.exception()  # `_serve` raises it, or that of the other service, which ended for the same reason
        self._service_ended.set()

    # ── claiming ─────────────────────────────────────────────────────────────────────────────────

    async def _claim_for_ever(self, when_idle: Callable[[], Awaitable[bool]] | None) -> None:
        """Claim and start attempts, until this is cancelled, or until nothing is to do and `when_idle` returns False.

        If this is cancelled while a claim is under way, the executions that the claim has leased by then are released.
        """
        try:
            await self._claim_again_and_again(when_idle)
        finally:
            if self._ahead is not None:
                await _ended(self._ahead)

    async def _claim_again_and_again(self, when_idle: Callable[[], Awaitable[bool]] | None) -> None:
        backoff = Backoff()
        refused_since: float | None = None
        while True:
            ahead, self._ahead = self._ahead, None
            room = self._room()
            if ahead is None and room <= 0:
                await self._wait_for_room()
                continue
            were_under_way = ahead is not None or bool(self._attempts)
            try:
                found, is_all = await (ahead or self._claim_and_start(room, waits=when_idle is None))
            except (SchemaMismatch, InvalidInput):
                raise
            except (StoreError, Contention) as error:
                if isinstance(error, StoreUnavailable) and error.is_final:
                    raise
                # The engine itself logs that the store is unavailable.
                if refused_since is None and not isinstance(error, StoreUnavailable):
                    refused_since = time.monotonic()
                    log.warning(
                        "this worker cannot claim; trying again until it can: %s", error, extra={"cause": str(error)}
                    )
                await asyncio.sleep(backoff.next_s())
                continue
            backoff.reset()
            if refused_since is not None:
                log.warning("this worker claims again after %.1f s", time.monotonic() - refused_since)
                refused_since = None
            if self._is_dead:
                return
            # Let their functions begin before the next claim is sent, which would delay them.
            await asyncio.sleep(0)
            if when_idle is not None and is_all:
                if self._attempts:
                    await asyncio.sleep(IDLE_POLL_S)
                elif were_under_way or found:
                    continue  # an execution that has ended since the claim may have made work
                elif not await when_idle():
                    return

    def _room(self, claimed: int = 0) -> int:
        """How many executions the next claim may take, if so many are claimed and not started yet."""
        slots = self._settings.slots
        return min(slots - self._busy - claimed, 2 * slots - len(self._attempts) - claimed, self._claim_max)

    @property
    def _claim_max(self) -> int:
        return max(CLAIM_MAX, min(self._settings.slots // 2, CLAIM_MAX_OF_MANY))

    async def _claim_and_start(self, room: int, *, waits: bool) -> tuple[int, bool]:
        """Claim, and start what was found. Returns how many these are, and whether there were no more.

        A claim that comes back full has probably left work behind. Then the next claim is under way while the functions
        of this one run. Otherwise worker and store would wait for each other.
        """
        claimed = await self._claim(room, waits=waits)
        if self._is_dead:
            return 0, True
        is_full = len(claimed) == self._claim_max
        if is_full and (next_room := self._room(len(claimed))) >= AHEAD_MIN and not self._stops:
            self._ahead = asyncio.create_task(self._claim_and_start(next_room, waits=waits), name="flowfabric claim")
            self._ahead.add_done_callback(_error_is_awaited)
        self._busy += len(claimed)
        self._attempts.start(claimed)
        if len(claimed) < room:
            self._lingering.is_allowed, self._way_given = not self._stops, 0
        return len(claimed), len(claimed) < room

    async def _wait_for_room(self) -> None:
        """Wait until code ends. If work waits meanwhile, attempts that linger give way to it."""
        lingering = self._lingering
        self._attempt_ended.clear()
        if lingering.is_allowed and not lingering:
            await self._attempt_ended.wait()
            return
        settings = self._settings
        ending = asyncio.ensure_future(self._attempt_ended.wait())
        working = asyncio.ensure_future(
            self._engine.wait_until_ready(
                lanes=settings.lanes,
                namespace=settings.namespace,
                capabilities=settings.capabilities,
                poll_ms=int(settings.poll_s * 1000),
            )
        )
        try:
            calm_s = None if lingering.is_allowed else CALM_S
            await asyncio.wait((ending, working), timeout=calm_s, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
                lingering.is_allowed = False
                self._way_given = min(2 * self._way_given or 1, settings.slots)
                lingering.give_way(self._way_given)
                # Those that were asked may have to finish a step first. Then others are asked.
                await asyncio.wait((ending,), timeout=CALM_S if lingering else None)
            elif not ending.done():
                lingering.is_allowed, self._way_given = not self._stops, 0
        except (StoreError, Contention) as error:
            if isinstance(error, StoreUnavailable) and error.is_final:
                raise
            await ending  # the store is away, so nobody knows whether work waits
        finally:
            for each in (ending, working):
                each.cancel()

    async def _claim(self, room: int, *, waits: bool) -> list[Claimed]:
        settings = self._settings
        return await self._engine.wait_for_work(
            worker_id=self.worker_id,
            worker_instance_id=self.worker_instance_id,
            lanes=settings.lanes,
            namespace=settings.namespace,
            capabilities=settings.capabilities,
            limit=room,
            lease_ttl_ms=settings.lease_ttl_ms,
            poll_ms=int(settings.poll_s * 1000),
            timeout_ms=None if waits else 0,
        )

    def _code_ended(self) -> None:
        self._busy -= 1
        self._attempt_ended.set()

    # ── staying on the list ──────────────────────────────────────────────────────────────────────

    async def _heartbeat(self) -> None:
        """Report this worker. If the worker stops meanwhile, the report still comes to its end before the farewell.

        One report is under way at a time. If the store does not answer in time, the next beat waits for the same one.
        """
        if self._report is None or self._report.done():
            settings = self._settings
            report = self._engine.heartbeat(
                worker_id=self.worker_id,
                worker_instance_id=self.worker_instance_id,
                lanes=settings.lanes,
                namespace=settings.namespace,
                capabilities=settings.capabilities,
                host=self._host,
                pid=os.getpid(),
                version=self._version,
                ttl_ms=settings.lease_ttl_ms,
            )
            self._report = asyncio.create_task(report, name="flowfabric heartbeat")
            self._report.add_done_callback(_error_is_awaited)
        await asyncio.shield(self._report)

    # ── stopping ─────────────────────────────────────────────────────────────────────────────────

    async def _drain(self, grace_s: float) -> None:
        """Wait for running attempts.

        Those that have not ended when the grace is over, or at a second `stop`, are handed back.
        """
        give_up_at = time.monotonic() + grace_s
        if self._attempts and grace_s:
            log.info("stopping; time to finish for %s: %g s", counted(len(self._attempts), "attempt"), grace_s)
        while self._attempts and self._stops < 2 and (left := give_up_at - time.monotonic()) > 0:
            self._attempt_ended.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._attempt_ended.wait()
        if not self._attempts:
            return
        for attempt in self._attempts:
            attempt.hand_back()
        await self._attempts.wait(STOP_S)
        self._children.kill()  # before the release: an execution must not be handed back while its process goes on
        await self._attempts.wait(STOP_S / 4)
        if self._attempts:
            abandoning = [self._tasks.start(attempt.abandon()) for attempt in self._attempts]
            await asyncio.wait(abandoning, timeout=FAREWELL_S)
            late = [*abandoning, *self._attempts.tasks]
            for task in late:
                task.cancel()
            await asyncio.wait(late, timeout=STOP_S / 4)

    async def _leave(self) -> None:
        self._threads.close()
        if self._is_dead:
            if self._report is not None:
                self._report.cancel()
            return
        try:
            async with asyncio.timeout(FAREWELL_S):
                if self._report is not None:
                    await asyncio.wait([self._report])  # if it arrived after the farewell, it would undo it
                await self._engine.say_goodbye(self.worker_instance_id, namespace=self._settings.namespace)
        except (EngineError, TimeoutError) as error:
            log.info("the worker could not sign off: %s", str(error) or "the store does not answer in time")
            if self._report is not None:
                self._report.cancel()
        log.info("worker %s has stopped", self.worker_instance_id)


def _error_is_awaited(task: "asyncio.Task[Any]") -> None:
    """The one who waits for the task handles its error. If nobody waits any more, the error does not matter."""
    if not task.cancelled():
        task.exception()


async def _ended(task: "asyncio.Task[Any]") -> None:
    """Cancel one of our own tasks, and wait until it has ended."""
    task.cancel()
    await asyncio.wait([task])


@cache
def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # here, because its import takes long

    try:
        return version("flowfabric")
    except PackageNotFoundError:  # flowfabric runs from its sources
        return ""
