"""A task: a function, how it is written down, and the options it is submitted with.

`charge.submit(order_id=7, cents=990)` takes exactly the function's arguments; everything else goes through
`charge.options(...)`. A bare call runs the function as it is.
"""

import copy
import functools
import inspect
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from types import SimpleNamespace, UnionType
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    ParamSpec,
    Self,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from flowfabric.domain import inputs
from flowfabric.domain.creation import NewExecution, NewSchedule
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.execution import OnEnded
from flowfabric.domain.joins import AllOf, AnyOf, Quorum
from flowfabric.domain.outcomes import Created, Duplicate
from flowfabric.domain.policies import DEFAULT_POLICY, ExecutionPolicy, RetryPolicy
from flowfabric.domain.schedule import CatchUp
from flowfabric.runtime.context import Context
from flowfabric.runtime.durations import Duration, instant_ms, milliseconds
from flowfabric.runtime.engines import CallerEngine, EngineProvider
from flowfabric.runtime.handles import Handle
from flowfabric.runtime.payloads import Codec, Output, Signature, holds_output

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

DAY_MS: Final = 86_400_000
RETENTION: Final = "30d"
"""How long tasks and flows are kept after their end, unless the program says otherwise."""


class Retry(msgspec.Struct, frozen=True):
    """How often a failed attempt is tried again, and after how long: `Retry(5, initial_delay="2s")`."""

    max_retries: int = 0
    backoff: Literal["fixed", "exponential"] = "exponential"
    initial_delay: Duration = "1s"
    max_delay: Duration = "5m"
    multiplier: float = 2.0
    jitter: float = 0.1
    """A fraction of the delay that is added to it at most; 0 turns it off."""
    give_up_on: tuple[type[BaseException], ...] = ()
    """Exceptions after which no retry follows: `Retry(5, give_up_on=(CardStolen,))`."""

    def __post_init__(self) -> None:
        """Refuse what could not be followed."""
        self.policy()
        given: object = self.give_up_on
        if not isinstance(given, tuple) or not all(isinstance(each, type) for each in given):
            raise InvalidInput(
                f"give_up_on is {shown(given)}; it must be a tuple of exceptions, such as (ValueError,)."
            )

    def policy(self) -> RetryPolicy:
        """The same as the engine keeps it."""
        return RetryPolicy(
            max_retries=self.max_retries,
            backoff=self.backoff,
            initial_delay_ms=milliseconds("initial_delay", self.initial_delay),
            max_delay_ms=milliseconds("max_delay", self.max_delay),
            multiplier=self.multiplier,
            jitter=self.jitter,
        )


class TaskOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a task's executions are made with, unless a call says otherwise."""

    lane: str = "default"
    priority: int = 0
    policy: ExecutionPolicy = DEFAULT_POLICY
    deadline: Duration | datetime | None = None
    capabilities: tuple[str, ...] = ()
    tags: Mapping[str, str] = msgspec.field(default_factory=dict)
    idempotency: Callable[..., str] | None = None
    """The idempotency key as a function of the task's arguments."""
    idempotency_ttl_ms: int = DAY_MS
    idempotency_on_ended: OnEnded = "return"
    isolation: Literal["process"] | None = None
    """None: async functions run on the worker's event loop, plain ones in its threads."""
    give_up_on: tuple[type[BaseException], ...] = ()
    """The exceptions after which no retry follows. Workers know it from the task, not from the execution."""


class CallOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What one submit is made with, beside the task's options."""

    idempotency_key: str | None = None
    delay: Duration | datetime | None = None
    after: tuple[Handle[Any], ...] = ()
    join: AllOf | AnyOf | Quorum | None = None
    conn: Any = None
    """A connection of the caller's own, whose transaction the submit joins."""


def changed(
    options: TaskOptions,
    *,
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
) -> TaskOptions:
    """The options with those changed that are given, checked; tags are added to those there are."""
    policy = options.policy
    if retry is not None:
        if not isinstance(retry, Retry):
            raise InvalidInput(f"retry is a Retry, such as Retry(max_retries=5), not {type(retry).__name__}.")
        policy = replace(policy, retry=retry.policy())
        options = replace(options, give_up_on=retry.give_up_on)
    if timeout is not None:
        timeout_ms = milliseconds("timeout", timeout)
        if not timeout_ms:
            raise InvalidInput(
                f"timeout is {shown(timeout)}; no attempt could end in time. Leave it out for no timeout."
            )
        policy = replace(policy, attempt_timeout_ms=timeout_ms)
    if retention is not UNSET:
        policy = replace(policy, retention_ms=retention_ms(retention))
    if deadline is not None:
        instant_ms("deadline", deadline, 0)
    if idempotency_ttl is not None:
        ttl_ms = milliseconds("idempotency_ttl", idempotency_ttl)
        if ttl_ms < 1:
            raise InvalidInput(f"idempotency_ttl is {shown(idempotency_ttl)}; it must be a millisecond at least.")
        options = replace(options, idempotency_ttl_ms=ttl_ms)
    if idempotency_on_ended is not None:
        options = replace(options, idempotency_on_ended=inputs.on_ended(idempotency_on_ended))
    _check_keys_live(options.idempotency_ttl_ms, policy.retention_ms)
    return replace(
        options,
        lane=options.lane if lane is None else inputs.lane(lane),
        priority=options.priority if priority is None else inputs.priority(priority),
        policy=policy,
        deadline=options.deadline if deadline is None else deadline,
        capabilities=options.capabilities
        if capabilities is None
        else inputs.capabilities("capabilities", capabilities),
        tags=options.tags if tags is None else inputs.tags({**options.tags, **inputs.tags(tags)}),
    )


def _check_keys_live(ttl_ms: int, kept_ms: int | None) -> None:
    """Refuse keys that are to live longer than a day and go earlier, because they go with their execution."""
    if ttl_ms > DAY_MS and kept_ms is not None and kept_ms < ttl_ms:
        raise InvalidInput(
            f"idempotency_ttl is {ttl_ms / DAY_MS:.3g} days, and an execution is removed {kept_ms / DAY_MS:.3g} days "
            "after its end, together with its key. Give a retention= that is as long, or retention=None to keep "
            "executions for ever."
        )


def retention_ms(retention: Duration | None) -> int | None:
    """How long what has ended is kept; None: for ever."""
    return None if retention is None else milliseconds("retention", retention)


class Bound(Generic[R_co]):
    """A task with its arguments, checked and ready to be submitted."""

    def __init__(
        self, task: "Task[..., Any]", payload: bytes, idempotency_key: str | None, arguments: bytes = b""
    ) -> None:
        self.task = task
        self._payload = payload
        self._arguments = arguments
        self._idempotency_key = idempotency_key

    @property
    def needs_time(self) -> bool:
        """Whether something of it is counted from the moment of the submit."""
        spans = (self.task.settings.deadline, self.task.call.delay)
        return any(span is not None and not isinstance(span, datetime) for span in spans)

    def creation(self, now_ms: int) -> NewExecution:
        """What the engine is asked to make, at this time of the store."""
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
        """A schedule that makes executions of it. Raises InvalidInput for what a schedule cannot have."""
        settings, call = self.task.settings, self.task.call
        chosen = inputs.name("name", self.task.name if name is None else name)
        if call.idempotency_key is not None or call.delay is not None or isinstance(settings.deadline, datetime):
            raise InvalidInput(
                f"Schedule {chosen!r}: its executions cannot share an idempotency_key=, a delay= or an instant as "
                "deadline=. Each slot is made once by itself; a deadline is a span, counted from when the slot fires."
            )
        inputs.timing(cron, timezone, every_ms, anchor_ms)
        return NewSchedule(
            name=chosen,
            kind=self.task.name,
            payload=self._payload,
            # A codec that encrypts writes the same arguments differently in every process.
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
        )


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
    ) -> None:
        self.function = function
        self.name = name
        _check_context(function, name)
        self.signature = Signature(function, name)
        self.settings = settings
        self.call = CallOptions()
        self.access = access
        self._codec = codec
        if settings.isolation is not None:
            _check_importable(function, name)
        if settings.idempotency is not None:
            self.signature.check_taken_by(settings.idempotency, "idempotency")
        functools.update_wrapper(cast("Callable[..., Any]", self), function, updated=())

    def __repr__(self) -> str:
        return f"<task {self.name}{self.signature}>"

    @property
    def is_async(self) -> bool:
        """Whether the function is a coroutine function."""
        return inspect.iscoroutinefunction(self.function)

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
    ) -> Self:
        """The same task with other options; what is not given stays as it was, and the task itself is unchanged.

        `retention=None` keeps executions for ever; one that is not given is the task's own.
        `delay` and `deadline` are spans from the submit on, or instants. `after` and `join` are for members of flows.
        With `conn`, a connection of the caller's own to the same database, a submit is part of the transaction there.
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
        )
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
        """Make an execution with these arguments. When this returns, it cannot be lost."""
        bound = self.bind(*args, **kwargs)
        return await self._submit(await self.access.engine(), bound)

    def submit_sync(self, *args: P.args, **kwargs: P.kwargs) -> Handle[R]:
        """`submit` for synchronous code."""
        bound = self.bind(*args, **kwargs)
        return self.access.run(lambda engine: self._submit(engine, bound))

    async def _submit(self, engine: CallerEngine, call: Bound[R]) -> Handle[R]:
        now_ms = await engine.server_time_ms() if call.needs_time else 0
        return self._handle_of(await engine.create_from(call.creation(now_ms), conn=self.call.conn))

    def bind(self, *args: P.args, **kwargs: P.kwargs) -> Bound[R]:
        """The task with these arguments, for `submit_many`. Raises InvalidInput that names a wrong one."""
        if self.call.after or self.call.join is not None:
            raise InvalidInput(
                f"Task {self.name!r}: after= and join= are for members of flows. Use flow.add(...), or leave them out."
            )
        return self.bound(self.signature.bind(args, kwargs))

    def bound(self, arguments: Mapping[str, object], name_input: Callable[[Output], str] | None = None) -> Bound[R]:
        """The task with arguments by name; `name_input` names the inputs of a member of a flow."""
        written = self.signature.payload(arguments, name_input)
        return Bound(self, self._codec.encode(written), self._idempotency_key(arguments), written)

    def _idempotency_key(self, arguments: Mapping[str, object]) -> str | None:
        key_of = self.settings.idempotency
        if self.call.idempotency_key is not None or key_of is None:
            return self.call.idempotency_key
        if any(holds_output(value) for value in arguments.values()):
            return None  # what is not known yet cannot be part of a key
        key = key_of(**self.signature.with_defaults(arguments))
        if not isinstance(key, str):
            raise InvalidInput(
                f"Task {self.name!r}: idempotency returned {shown(key)}; it must return a string made of the arguments."
            )
        # Keys of a namespace are shared by all tasks; that another task's function returns the same is no conflict.
        return f"{self.name}:{key}"

    async def submit_many(self, calls: Iterable[Bound[R]]) -> list[Handle[R]]:
        """Make all of them or none: `await charge.submit_many([charge.bind(order_id=7, cents=990), ...])`."""
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
        return bound

    async def _submit_many(self, engine: CallerEngine, calls: Sequence[Bound[R]]) -> list[Handle[R]]:
        now_ms = await engine.server_time_ms() if any(call.needs_time for call in calls) else 0
        creations = [call.creation(now_ms) for call in calls]
        answers = await engine.create_executions(creations, conn=self.call.conn)
        return [self._handle_of(answer) for answer in answers]

    def _handle_of(self, answer: Created | Duplicate) -> Handle[R]:
        is_duplicate = isinstance(answer, Duplicate)
        return Handle(self.access, self.name, self.result_in, answer.execution_id, is_duplicate=is_duplicate)

    # ── following ────────────────────────────────────────────────────────────────────────────────

    def handle(self, execution_id: str) -> Handle[R]:
        """A handle on an execution of this task that was submitted before, here or elsewhere."""
        return Handle(self.access, self.name, self.result_in, execution_id)

    def result_in(self, data: bytes | None) -> R:
        """The result as it was returned, from what is stored."""
        result: R = self.signature.result_in(b"null" if data is None else self._codec.decode(data))
        return result


class AsyncTask(Task[P, R]):
    """A task whose function is a coroutine function; it runs on the worker's event loop."""

    def __call__(self, ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, R]:
        """Run the function as it is, here and now; nothing is submitted."""
        coroutine: Coroutine[Any, Any, R] = self.function(ctx, *args, **kwargs)
        return coroutine


class PlainTask(Task[P, R]):
    """A task whose function is a plain one; it runs in a thread of the worker."""

    def __call__(self, ctx: Context, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the function as it is, here and now; nothing is submitted."""
        result: R = self.function(ctx, *args, **kwargs)
        return result


def _check_context(function: Callable[..., Any], name: str) -> None:
    """Refuse a function whose first parameter is annotated as something that a Context is not."""
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is None or first.annotation is inspect.Parameter.empty:
        return
    hint = first.annotation
    try:
        globalns = getattr(inspect.unwrap(function), "__globals__", {})
        hint = get_type_hints(SimpleNamespace(__annotations__={"ctx": hint}), globalns=globalns)["ctx"]
    except (NameError, AttributeError):
        return  # nobody has to be able to import the type of the context
    if not _admits_context(hint):
        called = getattr(hint, "__name__", None) if isinstance(hint, type) and not get_args(hint) else None
        raise InvalidInput(
            f"Task {name!r}: its first parameter, {first.name!r}, is annotated as {called or hint}, and the first "
            f"parameter of a task is its Context. Write def {function.__name__}(ctx: Context, ...); what submit takes "
            "comes after it."
        )


def _admits_context(hint: Any) -> bool:
    """Whether a Context may be handed to a parameter with this annotation. What cannot be told is taken for a yes."""
    if get_origin(hint) in (Union, UnionType):
        return any(_admits_context(each) for each in get_args(hint))
    kind = get_origin(hint) or hint
    if kind is Any or not isinstance(kind, type) or getattr(kind, "_is_protocol", False):
        return kind is not Literal
    return issubclass(Context, kind) or issubclass(kind, Context)


def _check_importable(function: Callable[..., Any], name: str) -> None:
    """Refuse what a spawned process could not find again by its module and name."""
    why = None
    if function.__name__ == "<lambda>":
        why = "it is a lambda, which has no name"
    elif "<locals>" in function.__qualname__:
        why = f"it is defined inside {function.__qualname__.split('.<locals>')[0]!r}, not at the top of a module"
    elif function.__module__ == "__main__" and not hasattr(sys.modules["__main__"], "__file__"):
        why = "it was typed into an interpreter, and there is no file to import it from"
    if why is not None:
        raise InvalidInput(
            f"Task {name!r} cannot run with isolation='process': {why}, and the process that runs it has to "
            "import it. Write it with `def` at the top level of a module, or leave isolation out."
        )
