"""One call of a step's function: how often it was tried, how long it may take, and what its code knows of that."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.streams import SpokenIn

StepWatch = Callable[[str], AbstractContextManager[object]]
"""Called with the name of a step. While the step runs, the block of what it returns is open."""

is_in_plain_step: ContextVar[bool] = ContextVar("flowfabric_is_in_plain_step", default=False)
"""Whether this code runs inside a plain step, which holds a thread until the code ends."""

_step: ContextVar[SpokenIn | None] = ContextVar("flowfabric_step", default=None)
"""The step in which this code runs, and which try of the step it is."""

_try: ContextVar["Try | None"] = ContextVar("flowfabric_try", default=None)
"""The innermost try with a timeout in which this code runs."""


class StepTimeout(TimeoutError):
    """The time of a step is over, and the step has not ended. Nothing was stored until then."""


class Try:
    """One call of a step's function."""

    def __init__(
        self,
        name: str,
        number: int = 1,
        timeout_s: float | None = None,
        *,
        charge_of: Callable[[Any], StepCharge] | None = None,
    ) -> None:
        self.number = number
        self._charge_of = charge_of
        self.is_charged = False
        """Whether its result is stored, and what it has spent is charged."""
        self.timeout_s = timeout_s
        self.has_returned = False
        """Whether the function has returned. An error after that is no error of the function."""
        self.is_late = False
        """Whether its time is over."""
        self._name = name
        self._outer: Try | None = None
        self._ends_at: float | None = None
        self._began_at: float | None = None

    @property
    def took_s(self) -> float | None:
        """How long it runs by now. None: nobody watches it."""
        return None if self._began_at is None else time.monotonic() - self._began_at

    @contextmanager
    def begun(self, watch: StepWatch | None = None) -> Iterator[None]:
        """The code of the block, and threads that it starts, run inside this try."""
        step = _step.set(SpokenIn(self._name, self.number))
        self._outer = _try.get()
        # A try without a timeout does not hide the timeout of the step around it.
        this = _try.set(self if self.timeout_s is not None else self._outer)
        try:
            if watch is None:
                yield
            else:
                self._began_at = time.monotonic()
                with watch(self._name):
                    yield
        finally:
            _try.reset(this)
            _step.reset(step)

    async def in_time(self, work: Awaitable[Any]) -> Any:
        """Await the work. When its time is over, the work is cancelled, and this raises StepTimeout.

        The time begins with the first call. Work that catches its cancellation and returns has returned.
        """
        if self.timeout_s is None:
            return await work
        if self._ends_at is None:
            self._ends_at = asyncio.get_running_loop().time() + self.timeout_s
        limit = asyncio.timeout_at(self._ends_at)
        try:
            async with limit:
                return await work
        except TimeoutError as error:
            # A TimeoutError of the function itself does not come from a cancellation.
            if limit.expired() and isinstance(error.__cause__, asyncio.CancelledError):
                raise self.timed_out() from None
            raise

    def charge(self, value: Any) -> StepCharge | None:
        """What the call has spent, to be charged with its result. None: it spends nothing."""
        return None if self._charge_of is None else self._charge_of(value)

    def restart(self) -> None:
        """Let the time begin again with the next call of `in_time`."""
        self._ends_at = None

    def timed_out(self) -> StepTimeout:
        """Note that the time is over, and return the error that says so."""
        self.is_late = True
        return StepTimeout(f"Step {self._name!r} has not ended within {self.timeout_s:g} s.")

    def check(self) -> None:
        """Raise StepTimeout if the time of this try is over, or of one around it."""
        if self.is_late:
            raise StepTimeout(f"The time of step {self._name!r} is over, so its code should end.")
        if self._outer is not None:
            self._outer.check()


def spoken_in() -> SpokenIn | None:
    """The step in which this code runs, and its try. None: it runs in no step."""
    return _step.get()


def is_in_step() -> bool:
    """Whether this code runs inside a step."""
    return _step.get() is not None


def check_not_in_step(what: str) -> None:
    """Refuse a wait inside a step: the step could not end before the wait, and the wait not before the step."""
    if (inside := _step.get()) is not None:
        raise InvalidInput(
            f"{what} is called inside step {inside.step!r}. A step runs to its end while the execution is leased, so "
            "it cannot wait. Wait before the step or after it."
        )


def check_in_time() -> None:
    """Raise StepTimeout if this code runs inside a step whose time is over."""
    if (this := _try.get()) is not None:
        this.check()
