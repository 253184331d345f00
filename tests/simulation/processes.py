"""A simulated process: an event loop, an engine with its threads, a worker, and those who ask for something."""

import asyncio
import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import TYPE_CHECKING, Literal, cast

from msgspec.structs import replace

from flowfabric import BlockingEngine, EngineError, NewSchedule
from flowfabric.app import EnginePair, assemble, blocking
from flowfabric.client.address import address_in
from flowfabric.client.engine import open_remote
from flowfabric.domain.execution import DueKind
from flowfabric.engine.engine import Engine
from flowfabric.ports.telemetry import CommittedBatch, Slots, WhyAgain
from flowfabric.runtime.scheduler import firing
from flowfabric.runtime.worker import Worker
from flowfabric.runtime.worker_settings import WorkerSettings
from flowfabric.server import app
from flowfabric.server.serving import Listening, Server
from tests.simulation import work
from tests.simulation.plan import Actor
from tests.simulation.standins import EPOCH_S
from tests.simulation.store import Connected, Line
from tests.simulation.strands import Process, Scheduler, run_loop

if TYPE_CHECKING:
    from tests.simulation.world import World

Role = Literal["start", "serve", "call"]
"""Whether a process has an engine on the store, such an engine that it offers over HTTP, or one behind the servers."""
SERVERS = "http://127.0.0.1:7433"
LEASES_MS = (1_000, 1_500, 3_000)
CLOSED_S_MAX = 5.0
"""How long it may take until everyone knows that an engine is closed."""


class Simulated(Process):
    """One process from its start to its end."""

    engine: Engine
    blocking_engine: BlockingEngine
    """The same engine for threads."""

    def __init__(
        self, world: "World", number: int, chance: random.Random, *, serves_all: bool = False, role: Role = "start"
    ) -> None:
        super().__init__(f"process-{number}", 1000 + number, skew_s=chance.choice((0.0, 0.0, -3600.0, 3600.0)))
        self.world = world
        self.role = role
        self.chance = chance
        self.line = Line()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._committers = chance.choice((1, 1, 2))
        self._has_schedules = chance.random() < 0.5
        self._reads_events = chance.random() < 0.5
        lanes = work.LANES if serves_all else chance.choice((work.LANES, work.LANES, work.LANES[:1]))
        self._settings = WorkerSettings(
            lanes=lanes,
            capabilities=work.CAPABILITIES if serves_all or chance.random() < 0.5 else (),
            concurrency=chance.randint(1, 4),
            lease_ttl_ms=chance.choice(LEASES_MS),
            grace_s=chance.choice((0.2, 5.0)),
            worker_id=self.name,
        )
        self._tasks = dict(work.ff.tasks)
        self.is_old = not serves_all and chance.random() < 0.3
        """Whether it runs an older release of the program, without one of the tasks."""
        if self.is_old:
            del self._tasks["rare"]
        self._works = (serves_all or chance.random() < 0.85) and role != "serve"
        self._wanted: list[tuple[str, Actor, random.Random]] = []
        self.unanswered: list[str] = []
        """What somebody has asked for, without an answer yet."""
        self._asking: list[asyncio.Task[None]] = []
        self._stop: asyncio.Event | None = None
        self._is_stopped = False
        self._schedules_end: asyncio.Event | None = None
        self.has_left = False
        """Whether it has come to its end by itself."""
        self.left_at = 0.0

    def start(self, scheduler: Scheduler) -> None:
        """Begin."""
        scheduler.start(self, lambda: run_loop(self._main), "main")

    # ── from the world ───────────────────────────────────────────────────────────────────────────

    def ask(self, name: str, actor: Actor, chance: random.Random) -> None:
        """Let somebody in this process ask for something."""
        self._wanted.append((name, actor, chance))
        self.unanswered.append(name)
        self._on_loop(self._begin_wanted)

    def end_schedules(self) -> None:
        """Let no schedule fire any more."""
        self._has_schedules = False
        if self._schedules_end is not None:
            self._on_loop(self._schedules_end.set)

    def stop(self) -> None:
        """Let it end as after SIGTERM."""
        self._is_stopped = True
        if self._stop is not None:
            self._on_loop(self._stop.set)

    def _on_loop(self, function: Callable[[], None]) -> None:
        if self._loop is not None and not self.is_dead:
            self._loop.call_soon_threadsafe(function)

    # ── in the process ───────────────────────────────────────────────────────────────────────────

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._stop, self._schedules_end = asyncio.Event(), asyncio.Event()
        if self._is_stopped:
            self._stop.set()
        stack = ExitStack()
        self.engine, for_threads = self._opened(stack)
        self.blocking_engine = BlockingEngine(for_threads)
        server = Server(app(self.engine), Listening(grace_s=5)) if self.role == "serve" else None
        serving = None if server is None else asyncio.create_task(server.serve())
        beside = [asyncio.create_task(self._read_events())] if self._reads_events else []
        if self._has_schedules:
            beside.append(asyncio.create_task(self._fire()))
        for task in beside:
            task.add_done_callback(self._beside_ended)
        if self.world.plan.has_gates:
            await self._declare_gates()
        self._begin_wanted()
        worker = Worker(self.engine, self._tasks, self._settings, keeps_tracebacks=False)
        working = asyncio.create_task(worker.run()) if self._works else None
        await self._stop.wait()
        if working is not None:
            worker.stop()
            await working
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        if server is not None and serving is not None:
            server.should_exit = True
            await serving
        await asyncio.to_thread(stack.close)
        if self._asking:  # who still waits gets the answer that the engine is closed
            await asyncio.wait(self._asking, timeout=CLOSED_S_MAX)
        for name in self.unanswered:
            self.world.fail(f"{name} was asked for in {self.name}, and got no answer when its engine was closed")
        self.has_left, self.left_at = True, self.world.now
        self.world.network.process_ended(self)

    def _opened(self, stack: ExitStack) -> EnginePair:
        if self.role == "call":
            remote, for_threads = open_remote(address_in(SERVERS), None)
            stack.callback(remote.close)
            return EnginePair(cast("Engine", remote), cast("Engine", for_threads))
        store = Connected(self.world, self, self.line, self.world.store, self._committers)
        services = assemble(stack, store, reconcile=True, telemetry=_Counted(self.world))
        services = replace(services, new_uuid=self._new_uuid, new_mark=self._new_mark)
        return EnginePair(Engine(services), Engine(blocking(services)))

    async def _declare_gates(self) -> None:
        """Write the limits and budgets of the program where there are none, as a program does when it starts."""
        while not self._is_stopped:
            try:
                await work.ff.gates.state(self.engine)
            except EngineError:
                await asyncio.sleep(0.2)
            else:
                return

    def _beside_ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self.world.fail(f"{self.name} raised {error!r}", error)

    async def _fire(self) -> None:
        assert self._schedules_end is not None
        async with firing(self.engine, [SCHEDULE]):
            await self._schedules_end.wait()

    async def _read_events(self) -> None:
        """A subscriber that goes on where the last one stopped, if there is no other."""
        ledger = self.world.ledger
        while True:
            if ledger.reader is None or ledger.reader.is_dead or ledger.reader.has_left:
                ledger.reader = self
            if ledger.reader is not self:
                await asyncio.sleep(1.0)
                continue
            subscription = self.engine.subscribe(cursor=ledger.cursor)
            try:
                async for event in subscription:
                    ledger.read.append(event)
                    ledger.cursor = subscription.cursor
            except EngineError as error:
                if error.code != "cursor_gone":
                    raise
                ledger.cursor = None
                ledger.read.clear()

    def _begin_wanted(self) -> None:
        wanted, self._wanted = self._wanted, []
        self._asking = [task for task in self._asking if not task.done()]
        for name, actor, chance in wanted:
            self._asking.append(asyncio.create_task(self._ask(name, actor, chance)))

    async def _ask(self, name: str, actor: Actor, chance: random.Random) -> None:
        try:
            answer = await actor(self, chance)
        except EngineError as error:
            answer = type(error).__name__
        except Exception as error:
            self.world.fail(f"{name} in {self.name} raised {error!r}", error)
            raise
        self.unanswered.remove(name)
        self.world.note(self, f"{name}: {answer}")

    def _new_uuid(self) -> str:
        now_ms = int((EPOCH_S + self.world.now + self.skew_s) * 1000)
        head, middle, tail = self.chance.getrandbits(12), self.chance.getrandbits(12), self.chance.getrandbits(48)
        return f"{now_ms >> 16:08x}-{now_ms & 0xFFFF:04x}-7{head:03x}-8{middle:03x}-{tail:012x}"

    def _new_mark(self) -> str:
        return f"{self.chance.getrandbits(48):012x}"


class _Counted:
    """The telemetry of an engine: how many commands it has committed."""

    def __init__(self, world: "World") -> None:
        self._world = world

    def committed(self, batch: CommittedBatch) -> None:
        self._world.commands += len(batch.envelopes)

    def waited(self, seconds: float) -> None: ...
    def refused(self, codes: Iterable[str]) -> None: ...
    def tries_again(self, why: WhyAgain) -> None: ...
    def in_doubt(self) -> None: ...
    def handled_due(self, kind: DueKind, late_s: Sequence[float]) -> None: ...
    def step_stored(self, namespace: str, lane: str, task: str, seconds: float) -> None: ...
    def watching(self, slots: Callable[[], Slots]) -> AbstractContextManager[None]:
        return nullcontext()


SCHEDULE = NewSchedule(
    name="tick", kind="roam", payload=work.payload({"n": 1, "pauses_ms": [5]}), every_ms=3_000, catch_up="last"
)
