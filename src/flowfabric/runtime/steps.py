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
from concurrent import futures
from concurrent.futures import Future
from typing import Any, Final, Protocol

import msgspec

from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.errors import Conflict, InvalidInput
from flowfabric.domain.tokens import without_signatures
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.runtime.standstill import Standstill
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.tries import StepTimeout, StepWatch, Try, is_in_plain_step
from flowfabric.runtime.typed_values import decoder_of_result, json_of

log = logging.getLogger("flowfabric.worker")

STEPS_AT_ONCE: Final = 32
"""How many plain steps of one attempt run at the same time. Further steps wait for their turn."""


class StoredStep(msgspec.Struct, frozen=True):
    """The stored record of a step that has run."""

    name: str
    fingerprint: bytes
    result: bytes
    attempt_index: int
    is_wait: bool = False


class StepShelf(Protocol):
    """Where the steps of one execution are kept. `..._sync` is for threads that run no event loop."""

    @property
    def threads(self) -> Threads:
        """The threads in which plain functions of an async task run."""

    async def stored_step(self, name: str) -> StoredStep | None:
        """The stored step of this name. None: there is none."""

    async def store_step(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        """Store a step, and charge what it has spent. Raises the engine's error if it refuses.

        `took_s`: how long it ran. None: nobody wants to know, or it is no step of the code.
        """

    def stored_step_sync(self, name: str) -> StoredStep | None:
        """The same as `stored_step`."""

    def store_step_sync(
        self,
        name: str,
        fingerprint: bytes,
        result: bytes,
        tries: int = 1,
        charge: StepCharge | None = None,
        took_s: float | None = None,
    ) -> None:
        """The same as `store_step`."""


class Steps:
    """The steps of one attempt."""

    def __init__(self, shelf: StepShelf, attempt_index: int, *, may_be_stored: bool = True) -> None:
        self._shelf = shelf
        self._attempt_index = attempt_index
        self.may_be_stored = may_be_stored
        """Whether earlier leases of the execution may have stored steps."""
        self._lock = threading.Lock()
        self._known: dict[str, StoredStep] = {}
        """Steps that this attempt has stored or loaded. Each is loaded when it is asked for: there may be many."""
        self._missing: set[str] = set()
        """Steps that were not stored when this attempt looked. Nobody else can store them while the lease lasts."""
        self._under_way: set[str] = set()
        self._left: dict[str, asyncio.Future[Any]] = {}
        """The plain steps that still run although the code that awaited them was cancelled."""
        self._threads: set[asyncio.Future[Any]] = set()
        """The plain steps that run now, including those that nobody awaits any more."""
        self._beside: dict[str, Future[None]] = {}
        """The steps of `run_sync` that still run although their time is over. A future is done when its step ends."""
        self._overdue: set[str] = set()
        """The plain steps that still run although their time is over."""
        self._room: asyncio.Semaphore | None = None
        self.watch: StepWatch | None = None
        """Watches the steps that run. None: nobody does."""
        self.standstill = Standstill()
        """While a step runs, the attempt is not suspended."""

    async def run(
        self,
        name: str,
        function: Callable[..., Any],
        args: Sequence[object],
        kwargs: Mapping[str, object],
        this: Try | None = None,
    ) -> Any:
        """Run the step, or return its stored result. Plain functions run in a thread."""
        this = this or Try(name)
        fingerprint = fingerprint_of(name, args, kwargs)
        # A plain step must not wait here for itself.
        while (left := self._left.get(name)) is not None and not is_in_plain_step.get():
            await this.in_time(asyncio.wait([left]))
        this.restart()
        await self.load(name)
        while isinstance(begun := self._begin(name), Future):
            await asyncio.shield(asyncio.wrap_future(begun))
        decoder = decoder_of_result(function)
        if begun is not None:
            return self._value_of(begun, fingerprint, decoder)
        try:
            return await self._run(name, fingerprint, decoder, lambda: function(*args, **kwargs), function, this)
        finally:
            if name not in self._left:
                self._end(name)

    async def load(self, name: str) -> StoredStep | None:
        """The step, if it is stored."""
        if self._must_load(name):
            self._note_loaded(name, await self._shelf.stored_step(name))
        return self._known.get(name)

    def load_sync(self, name: str) -> StoredStep | None:
        """`load` for a thread that runs no event loop."""
        if self._must_load(name):
            self._note_loaded(name, self._shelf.stored_step_sync(name))
        return self._known.get(name)

    async def _run(
        self,
        name: str,
        fingerprint: bytes,
        decoder: "msgspec.json.Decoder[Any]",
        call: Callable[[], Any],
        function: Callable[..., Any],
        this: Try,
    ) -> Any:
        """Run the function, and store its result."""

        def in_thread() -> Any:
            value = call()
            if inspect.isawaitable(value):
                return value
            this.has_returned = True
            # Stored in the thread, so that a step which ends after its task was cancelled need not run again.
            return self._kept(name, fingerprint, value, decoder, this)

        with this.begun(self.watch):
            if inspect.iscoroutinefunction(function):
                value = await this.in_time(call())
            else:
                value = await self._in_thread(name, in_thread, this)
                if not inspect.isawaitable(value):
                    return value
                value = await this.in_time(value)  # a lambda around a coroutine function
            this.has_returned = True
        step = self._written(name, fingerprint, value)
        answer = _value_in(step, decoder)
        charge = this.charge(answer)
        await self._shelf.store_step(name, fingerprint, step.result, this.number, charge, this.took_s)
        this.is_charged = True
        self._remember(step)
        return answer

    async def _in_thread(self, name: str, function: Callable[[], Any], this: Try) -> Any:
        """Run the function in a thread.

        If the awaiting code is cancelled, the thread goes on, and the name stays in use.
        """
        if self._room is None:
            self._room = asyncio.Semaphore(STEPS_AT_ONCE)
        # A step inside a step must not wait for the thread that the outer step holds.
        room = None if is_in_plain_step.get() else self._room
        if room is not None:
            await room.acquire()

        def ended(future: "asyncio.Future[Any]") -> None:
            self._threads.discard(future)
            self._overdue.discard(name)
            if self._left.pop(name, None) is not None:
                self._end(name)
                if not future.cancelled() and (error := future.exception()) is not None:
                    log.info("step %r raised %r after its code had been stopped; nobody waits for it", name, error)
            if room is not None:
                room.release()

        def step() -> Any:
            is_in_plain_step.set(True)  # in the thread's own copy of the context
            return function()

        future = asyncio.wrap_future(self._shelf.threads.submit(step))
        self._threads.add(future)
        future.add_done_callback(ended)
        try:
            return await this.in_time(asyncio.shield(future))
        except (asyncio.CancelledError, StepTimeout):
            if not future.done():
                self._left[name] = future
                if this.is_late:
                    self._overdue.add(name)
                    _warn_of_thread(name)
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
        self,
        name: str,
        function: Callable[..., Any],
        args: Sequence[object],
        kwargs: Mapping[str, object],
        this: Try | None = None,
    ) -> Any:
        """Run the step, or return its stored result. It runs in the calling thread, or with a timeout in another."""
        this = this or Try(name)
        fingerprint = fingerprint_of(name, args, kwargs)
        while (beside := self._beside.get(name)) is not None and not is_in_plain_step.get():
            if not futures.wait([beside], this.timeout_s).done:
                raise this.timed_out()
        self.load_sync(name)
        while isinstance(begun := self._begin(name), Future):
            begun.result()
        decoder = decoder_of_result(function)
        if begun is not None:
            return self._value_of(begun, fingerprint, decoder)

        def step() -> Any:
            with this.begun(self.watch):
                value = function(*args, **kwargs)
            if inspect.isawaitable(value):
                _close(value)
                raise InvalidInput(
                    f"Step {name!r} calls an async function, and a plain function cannot wait for it. "
                    "Make the task an async function and use `await ctx.step(...)`."
                )
            this.has_returned = True
            return self._kept(name, fingerprint, value, decoder, this)

        if this.timeout_s is not None:
            return self._run_beside(name, step, this)
        try:
            return step()
        finally:
            self._end(name)

    def _run_beside(self, name: str, step: Callable[[], Any], this: Try) -> Any:
        """Run the step in another thread, and wait for it in this one. If it takes too long, the thread goes on."""
        over: Future[None] = Future()

        def job() -> Any:
            is_in_plain_step.set(True)  # in the thread's own copy of the context
            try:
                return step()
            except BaseException as error:
                if this.is_late:
                    log.info("step %r raised %r after its time was over; nobody waits for it", name, error)
                raise
            finally:
                # Before the future of this job is done: the step may be tried again at once.
                self._overdue.discard(name)
                self._beside.pop(name, None)
                self._end(name)
                over.set_result(None)

        future = self._shelf.threads.submit(job)
        futures.wait([future], this.timeout_s)
        if future.done():
            return future.result()
        error = this.timed_out()
        self._beside[name] = over
        self._overdue.add(name)
        if over.done():  # in the last moment
            self._beside.pop(name, None)
            self._overdue.discard(name)
        else:
            _warn_of_thread(name)
        raise error

    @property
    def has_overdue(self) -> bool:
        """Whether a plain step still runs although its time is over."""
        return bool(self._overdue)

    def _kept(
        self, name: str, fingerprint: bytes, value: object, decoder: "msgspec.json.Decoder[Any]", this: Try
    ) -> Any:
        """Store the result of a step, and wait for that in this thread. Returns the value as every attempt sees it."""
        step = self._written(name, fingerprint, value)
        answer = _value_in(step, decoder)
        self._shelf.store_step_sync(name, fingerprint, step.result, this.number, this.charge(answer), this.took_s)
        this.is_charged = True
        self._remember(step)
        return answer

    def _must_load(self, name: str) -> bool:
        """Whether an earlier lease may have stored the step, and nobody has looked yet."""
        is_known = name in self._known or name in self._missing or name in self._under_way
        return self.may_be_stored and not is_known

    def _note_loaded(self, name: str, step: StoredStep | None) -> None:
        if step is None:
            self._missing.add(name)
        else:
            self._remember(step)

    def _remember(self, step: StoredStep) -> None:
        with self._lock:
            self._known[step.name] = step

    def _begin(self, name: str) -> StoredStep | Future[None] | None:
        """The stored step. None: it is not stored, and counts as under way from now on.

        If a suspension of the attempt is under way, the future is done when the caller may try again.
        """
        with self._lock:
            if (stored := self._known.get(name)) is not None:
                return stored
            if name in self._under_way:
                raise InvalidInput(f"Step {name!r} is under way already. Give each step a name of its own.")
            suspension = self.standstill.begin()
            if suspension is None:
                self._under_way.add(name)
            return suspension

    def _end(self, name: str) -> None:
        with self._lock:
            self._under_way.discard(name)
        self.standstill.end()

    def _value_of(self, stored: StoredStep, fingerprint: bytes, decoder: "msgspec.json.Decoder[Any]") -> Any:
        """The value of a stored step. Raises Conflict if the step is not that of this call."""
        if stored.is_wait:
            raise Conflict(
                f"{stored.name!r} is the name of a wait that is over, and of a step. Give the step another name."
            )
        if stored.fingerprint != fingerprint:
            raise Conflict(
                f"Step {stored.name!r} was stored by attempt {stored.attempt_index + 1} with other arguments, so its "
                "result is not that of this call. Give another step another name, such as f'mail-{order_id}'; a step "
                "has the same arguments in every attempt. If a replay brought others, replay it with "
                f"from_step={stored.name!r}."
            )
        return _value_in(stored, decoder)

    def _written(self, name: str, fingerprint: bytes, value: object) -> StoredStep:
        try:
            data = json_of(value)
        except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
            raise InvalidInput(
                f"Step {name!r} returned what JSON cannot carry: {error}. Return plain types, dataclasses, msgspec "
                "structs or pydantic models."
            ) from error
        return StoredStep(name, fingerprint, data, self._attempt_index)


def fingerprint_of(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> bytes:
    """A digest of a step's arguments. Raises InvalidInput for an argument that cannot be compared later."""
    try:
        data = json_of([list(args), dict(kwargs)], is_canonical=True)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError) as error:
        raise InvalidInput(
            f"Step {name!r} has an argument that JSON cannot carry ({error}), so a later attempt cannot tell whether "
            "it is the same. Hand over as arguments what is to be compared, and the rest in a closure: "
            f"ctx.step({name!r}, lambda: charge(session, order))."
        ) from error
    # The token of a waitpoint changes when the secret that signs it is rotated. What it names stays the same.
    return hashlib.sha256(without_signatures(data)).digest()


def _warn_of_thread(name: str) -> None:
    log.warning("the time of step %r is over, but it runs in a thread, which cannot be stopped; it goes on", name)


def _value_in(step: StoredStep, decoder: "msgspec.json.Decoder[Any]") -> Any:
    """The step's value, decoded from its stored result, even at its first run, so that every attempt sees the same."""
    try:
        return decoder.decode(step.result)
    except (*UNDECODABLE, ValueError) as error:
        raise InvalidInput(
            f"Step {step.name!r} has the result {step.result[:80]!r} (attempt {step.attempt_index + 1}), which is not "
            f"what its function says it returns: {error}. Correct the type hint, or give the new step another name."
        ) from error


def _close(value: Awaitable[object]) -> None:
    if inspect.iscoroutine(value):
        value.close()
