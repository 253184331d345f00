"""Named steps: a step that has run once is not run again by the next attempt.

A step's result is stored before the function goes on. It is known by its name and by a fingerprint of its arguments, so
that code may change between attempts, and a name that is used for something else is reported instead of reused.
"""

import asyncio
import hashlib
import inspect
import logging
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Final, Protocol

import msgspec

from flowfabric.domain.errors import Conflict, InvalidInput
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.typed_values import decoder_of_result, json_of

log = logging.getLogger("flowfabric.worker")

STEPS_AT_ONCE: Final = 32
"""How many plain steps of one attempt run at the same time. Further steps wait for their turn."""

_is_in_step: ContextVar[bool] = ContextVar("flowfabric_is_in_step", default=False)
"""Whether this code runs inside a plain step, which holds a thread until the code ends."""


class StoredStep(msgspec.Struct, frozen=True):
    """The stored record of a step that has run."""

    name: str
    fingerprint: bytes
    result: bytes
    attempt_index: int


class StepShelf(Protocol):
    """Where the steps of one execution are kept. `..._sync` is for threads that run no event loop."""

    @property
    def threads(self) -> Threads:
        """The threads in which plain functions of an async task run."""

    async def stored_steps(self) -> Sequence[StoredStep]:
        """The steps that are stored."""

    async def store_step(self, name: str, fingerprint: bytes, result: bytes) -> None:
        """Store a step. Raises the engine's error if it refuses."""

    def stored_steps_sync(self) -> Sequence[StoredStep]:
        """The same as `stored_steps`."""

    def store_step_sync(self, name: str, fingerprint: bytes, result: bytes) -> None:
        """The same as `store_step`."""


class Steps:
    """The steps of one attempt."""

    def __init__(self, shelf: StepShelf, attempt_index: int) -> None:
        self._shelf = shelf
        self._attempt_index = attempt_index
        self._lock = threading.Lock()
        self._stored: dict[str, StoredStep] | None = None
        self._under_way: set[str] = set()
        self._left: dict[str, asyncio.Future[Any]] = {}
        """The plain steps that still run although the code that awaited them was cancelled."""
        self._threads: set[asyncio.Future[Any]] = set()
        """The plain steps that run now, including those that nobody awaits any more."""
        self._room: asyncio.Semaphore | None = None

    async def run(
        self, name: str, function: Callable[..., Any], args: Sequence[object], kwargs: Mapping[str, object]
    ) -> Any:
        """Run the step, or return its stored result. Plain functions run in a thread."""
        fingerprint = fingerprint_of(name, args, kwargs)
        if self._stored is None:
            self._remember(await self._shelf.stored_steps())
        # A plain step must not wait here for itself.
        while (left := self._left.get(name)) is not None and not _is_in_step.get():
            await asyncio.wait([left])
        stored = self._begin(name, fingerprint)
        decoder = decoder_of_result(function)
        if stored is not None:
            return _value_in(stored, decoder)

        def in_thread() -> Any:
            value = function(*args, **kwargs)
            # Stored in the thread, so that a step which ends after its task was cancelled need not run again.
            return value if inspect.isawaitable(value) else self._kept(name, fingerprint, value, decoder)

        try:
            if inspect.iscoroutinefunction(function):
                value = await function(*args, **kwargs)
            else:
                value = await self._in_thread(name, in_thread)
                if not inspect.isawaitable(value):
                    return value
                value = await value  # a lambda around a coroutine function
            step = self._written(name, fingerprint, value)
            answer = _value_in(step, decoder)
            await self._shelf.store_step(name, fingerprint, step.result)
            self._remember([step])
        finally:
            if name not in self._left:
                self._end(name)
        return answer

    async def _in_thread(self, name: str, function: Callable[[], Any]) -> Any:
        """Run the function in a thread.

        If the awaiting code is cancelled, the thread goes on, and the name stays in use.
        """
        if self._room is None:
            self._room = asyncio.Semaphore(STEPS_AT_ONCE)
        # A step inside a step must not wait for the thread that the outer step holds.
        room = None if _is_in_step.get() else self._room
        if room is not None:
            await room.acquire()

        def ended(future: "asyncio.Future[Any]") -> None:
            self._threads.discard(future)
            if self._left.pop(name, None) is not None:
                self._end(name)
                if not future.cancelled() and (error := future.exception()) is not None:
                    log.info("step %r raised %r after its code had been stopped; nobody waits for it", name, error)
            if room is not None:
                room.release()

        def step() -> Any:
            _is_in_step.set(True)  # in the thread's own copy of the context
            return function()

        future = asyncio.wrap_future(self._shelf.threads.submit(step))
        self._threads.add(future)
        future.add_done_callback(ended)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            if not future.done():
                self._left[name] = future
            raise

    async def outlast(self) -> None:
        """Wait until no plain step runs any more, even if this is cancelled: nobody can stop a thread."""
        while running := [future for future in self._threads if not future.done()]:
            try:
                await asyncio.wait(running)
            except asyncio.CancelledError:
                continue

    def leave(self) -> None:
        """Stop waiting for plain steps. Those that run go on without an owner."""
        for future in self._threads:
            future.cancel()

    def run_sync(
        self, name: str, function: Callable[..., Any], args: Sequence[object], kwargs: Mapping[str, object]
    ) -> Any:
        """Run the step in the calling thread, or return its stored result."""
        fingerprint = fingerprint_of(name, args, kwargs)
        if self._stored is None:
            self._remember(self._shelf.stored_steps_sync())
        stored = self._begin(name, fingerprint)
        decoder = decoder_of_result(function)
        if stored is not None:
            return _value_in(stored, decoder)
        try:
            value = function(*args, **kwargs)
            if inspect.isawaitable(value):
                _close(value)
                raise InvalidInput(
                    f"Step {name!r} calls an async function, and a plain function cannot wait for it. "
                    "Make the task an async function and use `await ctx.step(...)`."
                )
            return self._kept(name, fingerprint, value, decoder)
        finally:
            self._end(name)

    def _kept(self, name: str, fingerprint: bytes, value: object, decoder: "msgspec.json.Decoder[Any]") -> Any:
        """Store the result of a step, and wait for that in this thread. Returns the value as every attempt sees it."""
        step = self._written(name, fingerprint, value)
        answer = _value_in(step, decoder)
        self._shelf.store_step_sync(name, fingerprint, step.result)
        self._remember([step])
        return answer

    def _remember(self, steps: Sequence[StoredStep]) -> None:
        with self._lock:
            self._stored = {**{step.name: step for step in steps}, **(self._stored or {})}

    def _begin(self, name: str, fingerprint: bytes) -> StoredStep | None:
        """The stored step; None: it is not stored, and counts as under way from now on."""
        with self._lock:
            assert self._stored is not None
            stored = self._stored.get(name)
            if stored is None:
                if name in self._under_way:
                    raise InvalidInput(f"Step {name!r} is under way already. Give each step a name of its own.")
                self._under_way.add(name)
                return None
        if stored.fingerprint != fingerprint:
            raise Conflict(
                f"Step {name!r} was stored by attempt {stored.attempt_index + 1} with other arguments, so its result "
                "is not that of this call. Give another step another name, such as f'mail-{order_id}'; a step has the "
                f"same arguments in every attempt. If a replay brought others, replay it with from_step={name!r}."
            )
        return stored

    def _end(self, name: str) -> None:
        with self._lock:
            self._under_way.discard(name)

    def _written(self, name: str, fingerprint: bytes, value: object) -> StoredStep:
        try:
            data = json_of(value)
        except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
            raise InvalidInput(
                f"Step {name!r} returned what JSON cannot carry: {error}. Return plain types, dataclasses, msgspec "
                "structs or pydantic models."
            ) from error
        return StoredStep(name, fingerprint, data, self._attempt_index)


def fingerprint_of(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> bytes:
    """A digest of a step's arguments. Raises InvalidInput for an argument that cannot be compared later."""
    try:
        data = json_of([list(args), dict(kwargs)], is_canonical=True)
    except (TypeError, ValueError, OverflowError, msgspec.MsgspecError) as error:
        raise InvalidInput(
            f"Step {name!r} has an argument that JSON cannot carry ({error}), so a later attempt cannot tell whether "
            "it is the same. Hand over as arguments what is to be compared, and the rest in a closure: "
            f"ctx.step({name!r}, lambda: charge(session, order))."
        ) from error
    return hashlib.sha256(data).digest()


def _value_in(step: StoredStep, decoder: "msgspec.json.Decoder[Any]") -> Any:
    """The step's value, decoded from its stored result, even at its first run, so that every attempt sees the same."""
    try:
        return decoder.decode(step.result)
    except (msgspec.MsgspecError, ValueError) as error:
        raise InvalidInput(
            f"Step {step.name!r} has the result {step.result[:80]!r} (attempt {step.attempt_index + 1}), which is not "
            f"what its function says it returns: {error}. Correct the type hint, or give the new step another name."
        ) from error


def _close(value: Awaitable[object]) -> None:
    if inspect.iscoroutine(value):
        value.close()
