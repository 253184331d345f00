"""A task: a function, the encoding of its arguments and result, and the options of its submits.

`charge.submit(order_id=7, cents=990)` takes exactly the function's arguments; everything else goes through
`charge.options(...)`. A bare call runs the function as it is.
"""

import copy
import functools
import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, Self, TypeVar, cast, overload

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.creation import NewExecution, NewSchedule
from flowfabric.domain.errors import InvalidInput, LimitReached, shown
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.limits import WhenFull
from flowfabric.domain.outcomes import Created, Dropped, Duplicate
from flowfabric.domain.schedule import CatchUp
from flowfabric.runtime.codecs import Codec
from flowfabric.runtime.context import Context
from flowfabric.runtime.debounce_options import changed_debounce
from flowfabric.runtime.declared_gates import Budget, DeclaredGates, KeyedLimit, Limit
from flowfabric.runtime.declared_signals import payload_of
from flowfabric.runtime.durations import Duration, instant_ms, milliseconds
from flowfabric.runtime.engines import CallerEngine, EngineProvider
from flowfabric.runtime.gate_options import NO_CALL_GATES, CallGates, call_gates, changed_gates
from flowfabric.runtime.handles import Handle
from flowfabric.runtime.outputs import Output, holds_output
from flowfabric.runtime.payloads import Signature
from flowfabric.runtime.task_functions import check_context, check_importable
from flowfabric.runtime.task_options import CallOptions, Retry, TaskOptions, changed

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Bound(Generic[R_co]):
    """A task with its arguments, checked and ready to be submitted."""

    def __init__(
        self,
        task: "Task[..., Any]",
        payload: bytes,
        idempotency_key: str | None,
        arguments: bytes = b"",
        gates: CallGates = NO_CALL_GATES,
        debounce_key: str = "",
    ) -> None:
        self.task = task
        self._debounce_key = debounce_key
        self._gates = gates
        self._payload = payload
        self._arguments = arguments
        self._idempotency_key = idempotency_key

    @property
    def needs_time(self) -> bool:
        """Whether its delay or its deadline counts from the moment of the submit."""
        return _is_span(self.task.settings.deadline) or _is_span(self.task.call.delay)

    def creation(self, now_ms: int) -> NewExecution:
        """The execution that the engine is asked to create, at this time of the store."""
        settings, call = self.task.settings, self.task.call
        return NewExecution(
            kind=self.task.name,
            payload=self._payload,
            lane=settings.lane,
            priority=settings.priority,
            delay_until_ms=None if call.delay is None else instant_ms("delay", call.delay, now_ms),
            deadline_at_ms=None if settings.deadline is None else instant_ms("deadline", settings.deadline, now_ms),
            idempotency_key=self._idempotency_key,
            idempotency_ttl_ms=settings.idempotency_ttl_ms,
            idempotency_on_ended=settings.idempotency_on_ended,
            required_capabilities=settings.capabilities,
            policy=settings.policy,
            tags=settings.tags,
            limits=self._gates.limits,
            fair_key=self._gates.fair_key,
            budgets=self._gates.budgets,
            when_full=settings.gates.when_full,
            debounce_ms=None if settings.debounce is None else settings.debounce.span_ms,
            debounce_key=self._debounce_key,
        )

    def schedule(
        self,
        *,
        name: str | None,
        cron: str | None = None,
        timezone: str = "UTC",
        every_ms: int | None = None,
        anchor_ms: int = 0,
        catch_up: CatchUp = "last",
    ) -> NewSchedule:
        """A schedule that submits this call again and again.

        Raises InvalidInput for options that a schedule cannot have.
        """
        settings, call = self.task.settings, self.task.call
        chosen = inputs.name("name", self.task.name if name is None else name)
        if call.idempotency_key is not None or call.delay is not None or isinstance(settings.deadline, datetime):
            raise InvalidInput(
                f"Schedule {chosen!r}: its executions cannot share an idempotency_key=, a delay= or an instant as "
                "deadline=. Each slot is made once by itself; a deadline is a span, counted from when the slot fires."
            )
        self.task.check_suits(f"schedule {chosen!r}")
        inputs.timing(cron, timezone, every_ms, anchor_ms)
        return NewSchedule(
            name=chosen,
            kind=self.task.name,
            payload=self._payload,
            # The plain arguments: with a codec, the same arguments may become different bytes in another process.
            fingerprint=blake2b(self._arguments, digest_size=16).digest(),
            cron=cron,
            timezone=timezone,
            every_ms=every_ms,
            anchor_ms=anchor_ms,
            catch_up=inputs.catch_up(catch_up),
            lane=settings.lane,
            priority=settings.priority,
            deadline_after_ms=None if settings.deadline is None else milliseconds("deadline", settings.deadline),
            required_capabilities=settings.capabilities,
            policy=settings.policy,
            tags=inputs.schedule_tags(settings.tags),
            limits=self._gates.limits,
            fair_key=self._gates.fair_key,
            budgets=self._gates.budgets,
        )


def _is_span(given: Duration | datetime | None) -> bool:
    return given is not None and not isinstance(given, datetime)


class Task(Generic[P, R]):
    """A function that can be submitted: `await charge.submit(order_id=7, cents=990)`."""

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        name: str,
        settings: TaskOptions,
        access: EngineProvider,
        codec: Codec,
        gates: DeclaredGates,
    ) -> None:
        self.function = function
        self.is_async = inspect.iscoroutinefunction(function)
        """Whether the function is a coroutine function."""
        self.name = name
        check_context(function, name)
        self.signature = Signature(function, name)
        self.settings = settings
        self.call = CallOptions()
        self.access = access
        self.gates = gates
        """The limits and budgets that its program declares."""
        self._codec = codec
        if settings.isolation is not None:
            check_importable(function, name)
        if settings.idempotency is not None:
            self.signature.check_taken_by(settings.idempotency, "idempotency")
        self._check_functions(settings)
        functools.update_wrapper(cast("Callable[..., Any]", self), function, updated=())

    def __repr__(self) -> str:
        return f"<task {self.name}{self.signature}>"

    def options(
        self,
        *,
        idempotency_key: str | None = None,
        delay: Duration | datetime | None = None,
        after: Sequence[Handle[Any]] | None = None,
        join: AllOf | AnyOf | Quorum | None = None,
        conn: object = None,
        lane: str | None = None,
        priority: int | None = None,
        retry: Retry | None = None,
        timeout: Duration | None = None,
        deadline: Duration | datetime | None = None,
        capabilities: Sequence[str] | None = None,
        tags: Mapping[str, str] | None = None,
        retention: Duration | UnsetType | None = UNSET,
        idempotency_ttl: Duration | None = None,
        idempotency_on_ended: OnEnded | None = None,
        stream_max_frames: int | None = None,
        stream_max_bytes: int | None = None,
        limits: Sequence[Limit | KeyedLimit] | None = None,
        fair_by: Callable[..., str] | None = None,
        budgets: Mapping[Budget | str, Mapping[str, int]] | None = None,
        when_full: WhenFull | None = None,
        debounce: Duration | None = None,
        debounce_key: str | None = None,
    ) -> Self:
        """The same task with other options. Options that are not given stay as they are; the task itself is unchanged.

        `retention=None` keeps executions for ever; without `retention`, the task's own counts. Of the stream of an
        attempt, the last `stream_max_frames` frames and `stream_max_bytes` bytes are kept.
        `delay` and `deadline` are spans from the submit on, or instants. `after` and `join` are for members of flows.
        With `conn`, a connection of the caller's own to the same database, a submit is part of the transaction there.
        `limits`, `budgets` and `fair_by` replace those of the task. `when_full` says what a submit does if a limit is
        full: it waits, it raises LimitReached ("drop_new"), or it cancels the oldest execution ("cancel_oldest").
        With `debounce`, a submit starts after this span, unless another one with the same `debounce_key` comes before.
        """
        settings = changed(
            self.settings,
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
        gates = changed_gates(settings.gates, limits=limits, fair_by=fair_by, budgets=budgets, when_full=when_full)
        debounced = changed_debounce(settings.debounce, debounce=debounce, debounce_key=debounce_key)
        if gates != settings.gates or debounced != settings.debounce:
            settings = replace(settings, gates=gates, debounce=debounced)
            self._check_functions(settings)
        if delay is not None:
            instant_ms("delay", delay, 0)
        call = self.call
        call = CallOptions(
            idempotency_key=call.idempotency_key if idempotency_key is None else idempotency_key,
            delay=call.delay if delay is None else delay,
            after=call.after if after is None else tuple(after),
            join=call.join if join is None else inputs.join(join),
            conn=call.conn if conn is None else conn,
        )
        other = copy.copy(self)
        other.settings, other.call = settings, call
        return other

    # ── submitting ───────────────────────────────────────────────────────────────────────────────

    async def submit(self, *args: P.args, **kwargs: P.kwargs) -> Handle[R]:
        """Create an execution with these arguments. When this returns, the execution is stored and cannot be lost."""
        bound = self.bind(*args, **kwargs)
        return await self._submit(await self.access.engine(), bound)

    def submit_sync(self, *args: P.args, **kwargs: P.kwargs) -> Handle[R]:
        """`submit` for synchronous code."""
        bound = self.bind(*args, **kwargs)
        return self.access.run(lambda engine: self._submit(engine, bound))

    async def _submit(self, engine: CallerEngine, call: Bound[R]) -> Handle[R]:
        now_ms = await engine.server_time_ms() if call.needs_time else 0
        creation, conn = call.creation(now_ms), self.call.conn
        answer = await self.gates.stated(
            engine, lambda: engine.create_from(creation, conn=conn), may_write=conn is None
        )
        return self._handle_of(answer)

    def _check_functions(self, settings: TaskOptions) -> None:
        for what, function in settings.gates.functions:
            self.signature.check_taken_by(function, what)
        if settings.debounce is not None and settings.debounce.function is not None:
            self.signature.check_taken_by(settings.debounce.function, "debounce_by")

    def check_suits(self, where: str) -> None:
        """Raise InvalidInput if the task has an option that means nothing there."""
        if self.settings.debounce is not None:
            raise InvalidInput(
                f"Task {self.name!r} has debounce=, and {where} cannot be debounced. Use a task without debounce=."
            )
        when_full = self.settings.gates.when_full
        if when_full != "wait":
            raise InvalidInput(
                f"Task {self.name!r} has when_full={when_full!r}, and {where} always waits for its limits. "
                f"Use {self.name}.options(when_full='wait')."
            )

    def bind(self, *args: P.args, **kwargs: P.kwargs) -> Bound[R]:
        """The task with these arguments, for `submit_many`. Raises InvalidInput that names a wrong argument."""
        if self.call.after or self.call.join is not None:
            raise InvalidInput(
                f"Task {self.name!r}: after= and join= are for members of flows. Use flow.add(...), or leave them out."
            )
        if self.call.conn is not None:
            self.check_suits("a submit in another transaction")
        return self.bound(self.signature.bind(args, kwargs))

    def bound(self, arguments: Mapping[str, object], name_input: Callable[[Output], str] | None = None) -> Bound[R]:
        """The task with arguments by name; `name_input` names the inputs of a member of a flow."""
        written = self.signature.payload(arguments, name_input)
        gates = call_gates(self.name, self.settings.gates, lambda: self.signature.with_defaults(arguments))
        debounce = self.settings.debounce
        key = "" if debounce is None else debounce.key_of(self.name, lambda: self.signature.with_defaults(arguments))
        return Bound(self, self._codec.encode(written), self._idempotency_key(arguments), written, gates, key)

    def _idempotency_key(self, arguments: Mapping[str, object]) -> str | None:
        key_of = self.settings.idempotency
        if self.call.idempotency_key is not None or key_of is None:
            return self.call.idempotency_key
        if any(holds_output(value) for value in arguments.values()):
            return None  # a result that is not known yet cannot be part of a key
        key = key_of(**self.signature.with_defaults(arguments))
        if not isinstance(key, str):
            raise InvalidInput(
                f"Task {self.name!r}: idempotency returned {shown(key)}; it must return a string made of the arguments."
            )
        # All tasks of a namespace share its keys. The task's name keeps equal keys of two tasks apart.
        return f"{self.name}:{key}"

    async def submit_many(self, calls: Iterable[Bound[R]]) -> list[Handle[R]]:
        """Create all executions or none: `await charge.submit_many([charge.bind(order_id=7, cents=990), ...])`.

        With `when_full="drop_new"`, submit them one by one: each of them may raise LimitReached.
        """
        bound = self._own(calls)
        return await self._submit_many(await self.access.engine(), bound)

    def submit_many_sync(self, calls: Iterable[Bound[R]]) -> list[Handle[R]]:
        """`submit_many` for synchronous code."""
        bound = self._own(calls)
        return self.access.run(lambda engine: self._submit_many(engine, bound))

    def _own(self, calls: Iterable[Bound[R]]) -> list[Bound[R]]:
        bound = list(calls)
        for index, each in enumerate(cast("list[object]", bound)):
            if not isinstance(each, Bound) or each.task.function is not self.function:
                raise InvalidInput(
                    f"Task {self.name!r}: calls[{index}] is {shown(each)}; make it with {self.name}.bind(...)."
                )
            if each.task.call.conn is not self.call.conn:
                raise InvalidInput(
                    f"Task {self.name!r}: calls[{index}] was bound with another conn= than submit_many has. Write "
                    f"{self.name}.options(conn=conn) once, and use it for both."
                )
            if each.task.settings.gates.when_full == "drop_new":
                raise InvalidInput(
                    f"Task {self.name!r}: calls[{index}] has when_full='drop_new', and submit_many makes all or none. "
                    "Submit them one by one."
                )
        return bound

    async def _submit_many(self, engine: CallerEngine, calls: Sequence[Bound[R]]) -> list[Handle[R]]:
        now_ms = await engine.server_time_ms() if any(call.needs_time for call in calls) else 0
        creations = [call.creation(now_ms) for call in calls]
        conn = self.call.conn
        answers = await self.gates.stated(
            engine, lambda: engine.create_executions(creations, conn=conn), may_write=conn is None
        )
        return [self._handle_of(answer) for answer in answers]

    def _handle_of(self, answer: Created | Duplicate | Dropped) -> Handle[R]:
        if isinstance(answer, Dropped):
            raise LimitReached(
                answer.execution_id,
                f"A limit of task {self.name!r} is full, and {answer.execution_id} is in the way. Nothing was "
                "submitted, because when_full is 'drop_new'.",
            )
        is_duplicate = isinstance(answer, Duplicate)
        return Handle(
            self.access,
            self.name,
            self.result_in,
            answer.execution_id,
            is_duplicate=is_duplicate,
            payload_of=self.signal_payload,
        )

    # ── following ────────────────────────────────────────────────────────────────────────────────

    def handle(self, execution_id: str) -> Handle[R]:
        """A handle on an execution of this task that was submitted before, here or elsewhere."""
        return Handle(self.access, self.name, self.result_in, execution_id, payload_of=self.signal_payload)

    def signal_payload(self, key: str, value: object) -> bytes:
        """The payload of a signal to an execution of this task. Raises InvalidInput if it is not declared like this."""
        return payload_of(self._codec, self.name, key, value, self.settings.signals)

    def result_in(self, data: bytes | None) -> R:
        """The result as the function returned it, from the stored bytes."""
        result: R = self.signature.result_in(b"null" if data is None else self._codec.decode(data))
        return result


class AsyncTask(Task[P, R]):
    """A task whose function is a coroutine function; it runs on the worker's event loop."""

    def __call__(self, ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, R]:
        """Call the function directly. Nothing is submitted."""
        coroutine: Coroutine[Any, Any, R] = self.function(ctx, *args, **kwargs)
        return coroutine


class PlainTask(Task[P, R]):
    """A task whose function is a plain one; it runs in a thread of the worker."""

    def __call__(self, ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function directly. Nothing is submitted."""
        result: R = self.function(ctx, *args, **kwargs)
        return result


class TaskDecorator(Protocol):
    """The decorator that `@ff.task(...)` returns."""

    @overload
    def __call__(self, function: Callable[Concatenate[Context, P], Coroutine[Any, Any, R]], /) -> AsyncTask[P, R]: ...
    @overload
    def __call__(self, function: Callable[Concatenate[Context, P], R], /) -> PlainTask[P, R]: ...
