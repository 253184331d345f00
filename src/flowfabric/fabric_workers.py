"""The part of a fabric that runs workers."""

import asyncio
from collections.abc import Sequence

from flowfabric.ports.telemetry import Telemetry
from flowfabric.ports.tracing import Tracer
from flowfabric.process_engine import ProcessEngine, collecting_seldom
from flowfabric.runtime.codecs import Codec
from flowfabric.runtime.declared_gates import DeclaredGates
from flowfabric.runtime.durations import Duration, milliseconds
from flowfabric.runtime.loops import Loop, loop_factory
from flowfabric.runtime.registry import Registry


class WorkerVerbs:
    """Runs workers of a fabric."""

    namespace: str
    codec: Codec
    keeps_tracebacks: bool
    gates: DeclaredGates
    telemetry: Telemetry | None
    tracer: Tracer | None
    _engine: ProcessEngine
    _registry: Registry

    async def run_worker(
        self,
        *,
        lanes: Sequence[str] | None = None,
        concurrency: int = 16,
        processes: int = 0,
        capabilities: Sequence[str] = (),
        lease: Duration = "30s",
        poll: Duration = "1s",
        grace: Duration = "30s",
        linger: Duration = "5s",
        flush: Duration = "20ms",
        worker_id: str = "",
        stop: asyncio.Event | None = None,
        signals: bool = False,
    ) -> None:
        """Run executions of its tasks on this event loop until `stop` is set, or for ever.

        Without `lanes` the worker serves the lanes of the tasks and schedules, or `default` if there are none. When the
        worker stops, it claims nothing more, running attempts may finish within the grace, and the rest is handed back.
        If this is cancelled, everything is handed back at once. With `signals`, SIGTERM and SIGINT stop the worker, and
        a second signal makes it hand back everything at once.

        `linger` is how long waits of async functions stay in memory, with their lease and their slot, before their
        execution is suspended. They give way earlier when the worker stops, or when it is full and work waits. `flush`
        is how long what attempts write to their streams is gathered before it is stored, unless it is much.
        """
        # Imported here, because most programs only submit, and need not wait for these modules.
        from flowfabric.runtime.scheduler import firing
        from flowfabric.runtime.signals import refuse_in_child, stopping
        from flowfabric.runtime.worker import Worker
        from flowfabric.runtime.worker_settings import WorkerSettings

        refuse_in_child()
        settings = WorkerSettings(
            lanes=self._registry.lanes if lanes is None else lanes,
            namespace=self.namespace,
            capabilities=capabilities,
            concurrency=concurrency,
            processes=processes,
            lease_ttl_ms=milliseconds("lease", lease),
            poll_s=milliseconds("poll", poll) / 1000,
            grace_s=milliseconds("grace", grace) / 1000,
            linger_s=milliseconds("linger", linger) / 1000,
            flush_s=milliseconds("flush", flush) / 1000,
            worker_id=worker_id,
        )
        await self._engine.engine()
        engine = self._engine.enter().engine
        try:
            await self.gates.state(engine)
            worker = Worker(
                engine,
                self._registry.tasks,
                settings,
                codec=self.codec,
                keeps_tracebacks=self.keeps_tracebacks,
                telemetry=self.telemetry,
                tracer=self.tracer,
            )
            with stopping(worker, stop, signals=signals):
                async with firing(engine, list(self._registry.schedules.values()), self.gates):
                    await worker.run()
        finally:
            await asyncio.to_thread(self._engine.leave, closes=False)

    def run_worker_sync(
        self,
        *,
        lanes: Sequence[str] | None = None,
        concurrency: int = 16,
        processes: int = 0,
        capabilities: Sequence[str] = (),
        lease: Duration = "30s",
        poll: Duration = "1s",
        grace: Duration = "30s",
        linger: Duration = "5s",
        flush: Duration = "20ms",
        worker_id: str = "",
        loop: Loop = "auto",
    ) -> None:
        """`run_worker` as a whole program: on an event loop of its own, until SIGTERM or SIGINT.

        The loop is uvloop's where uvloop is installed (`flowfabric[speed]`), unless `loop` says otherwise.
        """
        with collecting_seldom(), asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
            runner.run(
                self.run_worker(
                    lanes=lanes,
                    concurrency=concurrency,
                    processes=processes,
                    capabilities=capabilities,
                    lease=lease,
                    poll=poll,
                    grace=grace,
                    linger=linger,
                    flush=flush,
                    worker_id=worker_id,
                    signals=True,
                )
            )
