"""The center of a program: `ff = FlowFabric("sqlite:///shop.db")`, with its tasks and flows.

The engine is opened when it is first needed and shared by everyone in the process: async code on any event loop, and
synchronous code in any thread.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from datetime import datetime
from types import MappingProxyType, TracebackType
from typing import Any, Concatenate, Final, Literal, ParamSpec, Self, TypeVar, overload

from msgspec import UNSET, UnsetType

from flowfabric.app import EnginePair, default_url, is_shared, open_engine_pair, settled
from flowfabric.domain import inputs
from flowfabric.domain.connections import DEFAULT_CONNECTIONS, Connections
from flowfabric.domain.creation import NewSchedule
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.limits import WhenFull
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.domain.schedule import INTERVAL_MS_MIN, CatchUp
from flowfabric.engine.blocking import BlockingEngine
from flowfabric.engine.engine import Engine
from flowfabric.fabric_workers import WorkerVerbs
from flowfabric.ports.clock import Clock
from flowfabric.ports.telemetry import Telemetry
from flowfabric.ports.tracing import Tracer
from flowfabric.process_engine import ProcessEngine
from flowfabric.runtime.capture import captured_in
from flowfabric.runtime.codecs import Codec, Plain
from flowfabric.runtime.context import Context
from flowfabric.runtime.debounce_options import changed_debounce
from flowfabric.runtime.declared_gates import Budget, DeclaredGates, GateDeclarations, KeyedLimit, Limit
from flowfabric.runtime.declared_signals import DeclaredSignals
from flowfabric.runtime.durations import Duration, instant_ms, milliseconds
from flowfabric.runtime.flow_builder import Flow
from flowfabric.runtime.flow_handles import FlowHandle
from flowfabric.runtime.gate_options import NO_GATES, changed_gates
from flowfabric.runtime.own_transaction import OwnTransaction
from flowfabric.runtime.registry import Registry
from flowfabric.runtime.task_options import RETENTION, Retry, TaskOptions, changed, retention_ms
from flowfabric.runtime.tasks import AsyncTask, Bound, PlainTask, Task, TaskDecorator
from flowfabric.runtime.token_signals import TokenSignals
from flowfabric.stores.kinds import Opening

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_PLAIN: Final = Plain()


class FlowFabric(TokenSignals, GateDeclarations, WorkerVerbs):
    """Tasks, flows and the engine they run on.

        ff = FlowFabric("sqlite:///shop.db")

        @ff.task
        async def charge(ctx: Context, order_id: int, cents: int) -> str: ...

    Without a url the database is the one that the environment variable `FLOWFABRIC_URL` names, or the file
    `flowfabric.db` in the current folder. `FlowFabric("http://host:7433", token=...)` is a program whose store is
    behind a server; without `token`, the access token is that of the environment variable `FLOWFABRIC_TOKEN`.

    The engine is opened when it is first needed, and closed at the end of the process. `close()`, or a `with` or
    `async with` block, closes it earlier; the next use then opens it anew. While several blocks or workers use the
    engine, the last of them closes it.

    Executions and flows are removed 30 days after their end. `retention` sets another time, here for all of them, or
    for a single task, call or flow; None keeps them for ever.

    `actor` names the person or the program on whose behalf all this is done.

    `telemetry` counts what the engine and the workers of this process do, and `tracer` makes spans of it: `Metrics` of
    `flowfabric.telemetry.metrics`, and `Tracing` of `flowfabric.telemetry.tracing`.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        namespace: str = "default",
        codec: Codec = _PLAIN,
        tracebacks: bool = True,
        clock: Clock | None = None,
        reconcile: bool = True,
        migrate: bool | None = None,
        notify: bool = True,
        connections: Connections = DEFAULT_CONNECTIONS,
        retention: Duration | None = RETENTION,
        actor: str | None = None,
        telemetry: Telemetry | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self.names_its_url = url is not None
        """Whether the program itself names its database. Otherwise the environment may name it."""
        chosen = default_url() if url is None else url
        given: object = chosen
        self.url = settled(chosen) if isinstance(given, str) else chosen  # other types are refused by `open`
        self.namespace = inputs.name("namespace", namespace)
        self.codec = codec
        self.keeps_tracebacks = inputs.flag("tracebacks", tracebacks)
        """Whether workers store the tracebacks of failed attempts. Workers always log them."""
        self.telemetry = telemetry
        self.tracer = tracer
        self._policy = ExecutionPolicy(retention_ms=retention_ms(retention))
        """The default options of all tasks."""
        self.actor = inputs.key("actor", actor)
        """On whose behalf this program acts. Operator events show the name, and so do executions that it makes."""
        self._token = token
        how = Opening(clock, migrate, notify, connections)
        self._engine = ProcessEngine(
            lambda stack: self._view_of(self._opened(stack, how, reconcile=reconcile)),
            is_shared=not isinstance(given, str) or is_shared(chosen),
        )
        self.gates = DeclaredGates(self.namespace)
        self._registry = Registry(self._engine, codec, self.gates)

    def _opened(self, stack: ExitStack, how: Opening, *, reconcile: bool) -> EnginePair:
        return open_engine_pair(
            stack,
            self.url,
            how,
            token=self._token,
            reconcile=reconcile,
            telemetry=self.telemetry,
            tracer=self.tracer,
        )

    def _view_of(self, engines: EnginePair) -> EnginePair:
        """The engines as this fabric uses them."""
        return engines.scoped(self.namespace).acting_as(self.actor)

    # ── tasks ────────────────────────────────────────────────────────────────────────────────────

    @property
    def tasks(self) -> Mapping[str, Task[..., Any]]:
        """The tasks of this fabric, by name."""
        return MappingProxyType(self._registry.tasks)

    @overload
    def task(self, function: Callable[Concatenate[Context, P], Coroutine[Any, Any, R]], /) -> AsyncTask[P, R]: ...
    @overload
    def task(self, function: Callable[Concatenate[Context, P], R], /) -> PlainTask[P, R]: ...
    @overload
    def task(
        self,
        /,
        *,
        name: str | None = None,
        lane: str | None = None,
        priority: int | None = None,
        retry: Retry | None = None,
        timeout: Duration | None = None,
        deadline: Duration | None = None,
        capabilities: Sequence[str] | None = None,
        idempotency: Callable[..., str] | None = None,
        tags: Mapping[str, str] | None = None,
        retention: Duration | UnsetType | None = UNSET,
        idempotency_ttl: Duration | None = None,
        idempotency_on_ended: OnEnded | None = None,
        stream_max_frames: int | None = None,
        stream_max_bytes: int | None = None,
        capture: str | None = None,
        isolation: Literal["process"] | None = None,
        signals: Mapping[str, Any] | None = None,
        linger: Duration | None = None,
        limits: Sequence[Limit | KeyedLimit] | None = None,
        fair_by: Callable[..., str] | None = None,
        budgets: Mapping[Budget | str, Mapping[str, int]] | None = None,
        when_full: WhenFull | None = None,
        debounce: Duration | None = None,
        debounce_by: Callable[..., str] | None = None,
        cron: str | None = None,
        timezone: str | None = None,
        catch_up: CatchUp | None = None,
    ) -> TaskDecorator: ...
    def task(
        self,
        function: Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        lane: str | None = None,
        priority: int | None = None,
        retry: Retry | None = None,
        timeout: Duration | None = None,
        deadline: Duration | None = None,
        capabilities: Sequence[str] | None = None,
        idempotency: Callable[..., str] | None = None,
        tags: Mapping[str, str] | None = None,
        retention: Duration | UnsetType | None = UNSET,
        idempotency_ttl: Duration | None = None,
        idempotency_on_ended: OnEnded | None = None,
        stream_max_frames: int | None = None,
        stream_max_bytes: int | None = None,
        capture: str | None = None,
        isolation: Literal["process"] | None = None,
        signals: Mapping[str, Any] | None = None,
        linger: Duration | None = None,
        limits: Sequence[Limit | KeyedLimit] | None = None,
        fair_by: Callable[..., str] | None = None,
        budgets: Mapping[Budget | str, Mapping[str, int]] | None = None,
        when_full: WhenFull | None = None,
        debounce: Duration | None = None,
        debounce_by: Callable[..., str] | None = None,
        cron: str | None = None,
        timezone: str | None = None,
        catch_up: CatchUp | None = None,
    ) -> Any:
        """Make a task of a function whose first parameter is the context: `@ff.task`, or `@ff.task(lane="mail")`.

        Async functions run on the worker's event loop, plain functions in its threads. With `isolation="process"` both
        run in a process of their own, which suits code that computes. With `cron` the task is also scheduled under its
        own name, without arguments.

        `signals` declares which signals its executions take, and the types of their values: `{"approve": Decision}`.
        Handles then refuse other keys and values. `linger` is how long waits of an async function stay in memory before
        the execution is suspended; without it, the worker decides. An execution waits until its `limits` and `budgets`
        let it start; executions with different keys by `fair_by` take turns; `Task.options` explains `when_full`. Of
        several submits with one key by `debounce_by`, only the last one runs, the span `debounce` after it was made.

        With `capture="stdout,stderr,logging"`, or some of these, what its code prints and logs becomes frames of the
        stream. `stream_max_frames` and `stream_max_bytes` say how much of the stream of an attempt is kept.
        """
        if isolation not in (None, "process"):
            raise InvalidInput(f"isolation is {shown(isolation)}; it must be 'process', or left out.")
        if idempotency is not None and not callable(idempotency):
            raise InvalidInput("idempotency is a function of the task's arguments that returns the key.")
        settings = changed(
            TaskOptions(
                policy=self._policy,
                idempotency=idempotency,
                isolation=isolation,
                linger_ms=None if linger is None else milliseconds("linger", linger),
                capture=frozenset() if capture is None else captured_in(capture),
                signals=None if signals is None else DeclaredSignals(signals),
                gates=changed_gates(NO_GATES, limits=limits, fair_by=fair_by, budgets=budgets, when_full=when_full),
                debounce=changed_debounce(None, debounce=debounce, debounce_by=debounce_by),
            ),
            lane=lane,
            priority=priority,
            retry=retry,
            timeout=timeout,
            deadline=deadline,
            capabilities=capabilities,
            tags=tags,
            retention=retention,
            idempotency_ttl=idempotency_ttl,
            idempotency_on_ended=idempotency_on_ended,
            stream_max_frames=stream_max_frames,
            stream_max_bytes=stream_max_bytes,
        )

        if cron is None and not timezone is catch_up is None:
            raise InvalidInput(
                "timezone= and catch_up= belong to cron=, which is not given. Give it, or leave them out."
            )

        def decorate(function: Callable[..., Any], /) -> Task[..., Any]:
            task = self._registry.add_task(function, name, settings)
            if cron is not None:
                self._registry.schedules.pop(task.name, None)  # a task that is registered again replaces its schedule
                self.cron(cron, task, timezone=timezone or "UTC", catch_up=catch_up or "last")
            return task

        return decorate if function is None else decorate(function)

    # ── schedules ────────────────────────────────────────────────────────────────────────────────

    @property
    def schedules(self) -> Mapping[str, NewSchedule]:
        """The schedules of this fabric, by name. Its workers fire them."""
        return MappingProxyType(self._registry.schedules)

    def cron(
        self,
        pattern: str,
        call: Task[..., Any] | Bound[Any],
        /,
        *,
        timezone: str = "UTC",
        catch_up: CatchUp = "last",
        name: str | None = None,
    ) -> None:
        """Create an execution whenever the pattern matches: `ff.cron("0 2 * * *", report.bind(kind="daily"))`.

        Without `name` the schedule has the name of the task. `catch_up` says what happens to slots that no worker fired
        within a minute: "skip", "last" (the newest one fires) or "all".
        """
        bound = self._registry.bound(call)
        self._registry.add_schedule(bound.schedule(name=name, cron=pattern, timezone=timezone, catch_up=catch_up))

    def every(
        self,
        interval: Duration,
        call: Task[..., Any] | Bound[Any],
        /,
        *,
        anchor: datetime | None = None,
        catch_up: CatchUp = "last",
        name: str | None = None,
    ) -> None:
        """Create an execution at fixed intervals: `ff.every("10m", sync.bind(region="eu"), name="sync eu")`.

        Slots are the whole multiples of the interval since the anchor, or since the start of 1970 in UTC. The other
        parameters are those of `cron`.
        """
        bound = self._registry.bound(call)
        every_ms = milliseconds("interval", interval)
        if every_ms < INTERVAL_MS_MIN:
            raise InvalidInput(f"interval is {shown(interval)}; it must be a second at least.")
        anchor_ms = 0 if anchor is None else instant_ms("anchor", anchor, 0)
        self._registry.add_schedule(
            bound.schedule(name=name, every_ms=every_ms, anchor_ms=anchor_ms, catch_up=catch_up)
        )

    # ── flows ────────────────────────────────────────────────────────────────────────────────────

    def flow(
        self,
        kind: str,
        *,
        flow_id: str | None = None,
        tags: Mapping[str, str] | None = None,
        command_id: str | None = None,
        retention: Duration | UnsetType | None = UNSET,
    ) -> Flow:
        """A flow that is built in a `with` or `async with` block, and submitted in one transaction at its end.

        A second flow with the same `command_id` within a day is not submitted: it becomes a handle on the first one.
        `retention` counts for the whole flow, and overrides its tasks; None keeps the flow for ever.
        """
        return Flow(self._engine, kind, flow_id=flow_id, tags=tags, command_id=command_id, retention=retention)

    def flow_handle(self, flow_id: str) -> FlowHandle:
        """A handle on a flow that was submitted before, here or elsewhere, with its nodes by name."""
        return FlowHandle(self._engine, flow_id, self.tasks)

    # ── transactions ─────────────────────────────────────────────────────────────────────────────

    def transaction(self, conn: object) -> OwnTransaction:
        """A transaction on your own connection: committed after the block, rolled back if the block raises.

            with ff.transaction(conn):
                conn.execute("insert into orders ...")
                charge.options(conn=conn).submit_sync(order_id=7, cents=990)

        On SQLite a submit with `conn` must be inside such a block; on PostgreSQL it may be in any open transaction.
        """
        return OwnTransaction(self._engine, conn)

    # ── the engine ───────────────────────────────────────────────────────────────────────────────

    @property
    def access(self) -> ProcessEngine:
        """The engine as tasks and handles use it: on any event loop, and in any thread."""
        return self._engine

    async def engine(self) -> Engine:
        """The engine itself, for everything that tasks and handles do not offer."""
        return await self._engine.engine()

    def blocking_engine(self) -> BlockingEngine:
        """`engine` for synchronous code."""
        return BlockingEngine(self._engine.opened().blocking)

    def rebound(self, open_: Callable[[ExitStack], EnginePair]) -> AbstractContextManager[EnginePair]:
        """While the block lasts, all tasks, handles, flows and workers of this fabric use another engine.

        This is for tests: `flowfabric.testing.Kit` uses it. The fabric's own engine is neither opened nor closed.
        """
        return self._engine.rebound(open_)

    def move_to(self, url: str) -> None:
        """Use another database than the program names. An open engine is closed. This is for `ff worker --url`."""
        self.close()
        self._token = None  # it is not for another server
        self.url = settled(url)

    def report_to(self, telemetry: Telemetry | None) -> None:
        """Report to another telemetry than the program names. An open engine is closed. This is for `ff worker`."""
        self.close()
        self.telemetry = telemetry

    def close(self) -> None:
        """Close the engine, after all submits under way are committed. It may be closed twice.

        While a block or a worker of this process uses the engine, the last of them closes it.
        """
        self._engine.close()

    def __enter__(self) -> Self:
        self._engine.enter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._engine.leave(closes=True)

    async def __aenter__(self) -> Self:
        await self._engine.engine()
        self._engine.enter()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._engine.is_used:  # otherwise this is a forked child, which has neither engine nor threads
            await asyncio.to_thread(self._engine.leave, closes=True)
