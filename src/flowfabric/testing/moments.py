"""Moments of a task for which a test plans something: `kit.at_step("charge", "unstored").crash()`."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Literal, NamedTuple, Protocol

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.runtime.context import Context
from flowfabric.runtime.durations import Duration, milliseconds
from flowfabric.runtime.tasks import Task

When = Literal["before", "unstored", "stored"]
"""Before the code runs; after it has run, with its result not stored; after its result is stored."""


class Place(NamedTuple):
    """A place that an attempt has reached."""

    step: str | None
    """The step; None: the function itself."""
    when: When


class Troubles(Protocol):
    """Troubles that a worker can have in the middle of its work."""

    async def crash(self, ctx: Context) -> None:
        """The worker dies."""

    async def lose_lease(self, ctx: Context, *, told: bool) -> None:
        """The worker is frozen for as long as a lease lasts."""

    async def cancel(self, ctx: Context, reason: str) -> None:
        """The execution is cancelled, and the worker learns that."""

    async def pass_time(self, ms: int) -> None:
        """Time passes while the worker works."""


Happening = Callable[[Troubles, Context], Awaitable[None]]


class Plan:
    """What happens at a moment, and how many times are left."""

    def __init__(self, moment: "Moment", what: str, happening: Happening) -> None:
        self._moment = moment
        self._what = what
        self.happening = happening
        self._left = moment.times

    def __str__(self) -> str:
        return f"{self._what} {self._moment}"

    @property
    def is_over(self) -> bool:
        """Whether it has happened as often as planned."""
        return self._left == 0

    def takes(self, place: Place, ctx: Context) -> bool:
        """Whether this place is the planned moment. If so, it is counted."""
        if self.is_over or not self._moment.is_at(place, ctx):
            return False
        self._left -= 1
        return True


class Moment:
    """A future moment of an attempt. Each verb plans what happens then, once or `times` times."""

    def __init__(
        self,
        plans: list[Plan],
        step: str | None,
        when: When,
        *,
        of: Task[..., Any] | None,
        attempt: int | None,
        times: int,
    ) -> None:
        known = ("before", "unstored") if step is None else ("before", "unstored", "stored")
        if when not in known:
            raise InvalidInput(f"when is {shown(when)}; it must be one of {', '.join(map(repr, known))}.")
        if of is not None and not isinstance(of, Task):
            raise InvalidInput(f"of is {shown(of)}; it must be a task, or left out for any.")
        self._plans = plans
        self._step = None if step is None else inputs.name("step", step)
        self._when = when
        self._task = None if of is None else of.name
        self._attempt = None if attempt is None else inputs.integer("attempt", attempt, 0, inputs.INSTANT_MS_MAX)
        self.times = inputs.integer("times", times, 1, inputs.INSTANT_MS_MAX)

    def __str__(self) -> str:
        where = "at the function" if self._step is None else f"at step {self._step!r}"
        task = "" if self._task is None else f" of {self._task!r}"
        attempt = "" if self._attempt is None else f" in attempt {self._attempt}"
        return f"{where} ({self._when}){task}{attempt}"

    def is_at(self, place: Place, ctx: Context) -> bool:
        """Whether this place is the moment."""
        return (
            place == (self._step, self._when)
            and self._task in (None, ctx.task)
            and self._attempt in (None, ctx.attempt_index)
        )

    # ── what happens ─────────────────────────────────────────────────────────────────────────────

    def crash(self) -> None:
        """The worker dies, with all that it runs. Nothing is reported; its leases run out by themselves."""
        self._plan("crash", lambda run, ctx: run.crash(ctx))

    def lose_lease(self, *, told: bool = True) -> None:
        """The worker is frozen for as long as a lease lasts, so it has lost its leases when it goes on.

        Its next renewal shows that, and the worker stops the code. With `told=False` the worker does not know it yet:
        the code goes on, and the engine refuses all its reports.
        """
        self._plan("lose_lease", lambda run, ctx: run.lose_lease(ctx, told=told))

    def cancel(self, reason: str = "cancelled by the test") -> None:
        """The execution is cancelled while it runs, and its code is asked to stop."""
        self._plan("cancel", lambda run, ctx: run.cancel(ctx, reason))

    def advance(self, span: Duration) -> None:
        """Time passes while the code runs. The lease is renewed meanwhile; timeouts and deadlines count."""
        ms = milliseconds("span", span)
        self._plan("advance", lambda run, ctx: run.pass_time(ms))

    def fail(self, error: Exception) -> None:
        """The step, or the function, raises this error instead of going on."""
        if not isinstance(error, Exception):
            raise InvalidInput(
                f"error is {shown(error)}; it must be an exception, such as ConnectionError('no answer')."
            )

        async def raise_it(run: Troubles, ctx: Context) -> None:
            raise error.with_traceback(None)  # raised more than once, it would collect tracebacks

        self._plan("fail", raise_it)

    def do(self, action: Callable[[Context], object]) -> None:
        """Call the action with the attempt's context, and await its result if that is awaitable."""

        async def call(run: Troubles, ctx: Context) -> None:
            answer = action(ctx)
            if inspect.isawaitable(answer):
                await answer

        self._plan("do", call)

    def _plan(self, what: str, happening: Happening) -> None:
        self._plans.append(Plan(self, what, happening))
