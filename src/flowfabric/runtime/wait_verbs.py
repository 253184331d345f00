"""The verbs of a context that wait: `wait`, `sleep`, `waitpoint`, `approve`, `inbox`, and the twins of plain code."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from types import UnionType
from typing import Any, Final, Protocol, TypeVar, overload

import msgspec

from flowfabric.domain import inputs, wait_inputs
from flowfabric.domain.approvals import CHOICES, Approval, Question, approvals_in, question
from flowfabric.domain.conditions import AtLeast, Condition, Either, Every, On, OperatorOnly, checked, stored
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.outcomes import Signal, WaitOver, Waitpoint
from flowfabric.domain.waiting import FOR_APPROVAL, OnTimeout
from flowfabric.runtime.durations import Duration, instant_ms, milliseconds
from flowfabric.runtime.typed_values import TypedValue, json_or_refusal
from flowfabric.runtime.wait_desk import SLEEP, SLEEPING, NewWaitpoint, Wait
from flowfabric.runtime.waits import Waits, WaitTimeout

T = TypeVar("T")

TURNS_MAX: Final = 1_000
"""How many turns an inbox has at most in one execution: each is a stored step."""

_One = str | On | OperatorOnly
_Several = Every | Either | AtLeast


class _Waiting(Protocol):
    """What these verbs need of a context."""

    @property
    def execution_id(self) -> str:
        """The execution."""

    @property
    def waits(self) -> Waits:
        """The waits of the attempt."""

    def raise_if_cancelled(self) -> None:
        """Raise AttemptCancelled if the attempt must stop."""


class WaitVerbs:
    """The part of a context that waits."""

    @overload
    async def wait(
        self,
        condition: _One,
        type: type[T],
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> T: ...
    @overload
    async def wait(
        self,
        condition: _Several,
        type: type[T],
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> list[T]: ...
    @overload
    async def wait(
        self,
        condition: _One,
        type: UnionType | None = None,
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> Any: ...
    @overload
    async def wait(
        self,
        condition: _Several,
        type: UnionType | None = None,
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> list[Any]: ...
    async def wait(
        self: _Waiting,
        condition: Condition | str,
        type: object = None,
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> Any:
        """Wait until signals satisfy the condition, and return what they carry: `await ctx.wait("editor", Verdict)`.

        Meanwhile the execution holds no worker: the function ends here with AttemptSuspended, and runs again from its
        top when the wait is over, with all its steps and waits stored. A short wait may go on in place.

        A key, `On` and `OperatorOnly` give one value. `Every`, `Either` and `AtLeast` give a list of values, in the
        order of their arrival. Values pass through `type`; without it they are plain JSON values. With `Signal` as the
        type you get the signals themselves, with their keys, names and sources.

        The wait is stored under `name`, which is the key unless you give another one. `timeout` is a span that begins
        when the wait begins, or an instant; then `on_timeout` says what happens. By default this raises WaitTimeout.
        """
        asked = _Asked(self, condition, type, name)
        return asked.value_in(await self.waits.wait(asked.wait(timeout, on_timeout)))

    @overload
    def wait_sync(
        self,
        condition: _One,
        type: type[T],
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> T: ...
    @overload
    def wait_sync(
        self,
        condition: _Several,
        type: type[T],
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> list[T]: ...
    @overload
    def wait_sync(
        self,
        condition: _One,
        type: UnionType | None = None,
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> Any: ...
    @overload
    def wait_sync(
        self,
        condition: _Several,
        type: UnionType | None = None,
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> list[Any]: ...
    def wait_sync(
        self: _Waiting,
        condition: Condition | str,
        type: object = None,
        *,
        name: str | None = None,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
    ) -> Any:
        """`wait` for plain functions, in a thread or in a child process."""
        asked = _Asked(self, condition, type, name)
        return asked.value_in(_waited(self, asked.wait(timeout, on_timeout)))

    # ── sleeping ─────────────────────────────────────────────────────────────────────────────────

    async def sleep(self: _Waiting, name: str, span: Duration) -> None:
        """Sleep for this span, counted once for all attempts: `await ctx.sleep("cool-down", "2h")`.

        A long sleep holds no worker. An operator can end it with `ff resume`.
        """
        await self.waits.wait(_sleep_for(name, span))

    def sleep_sync(self: _Waiting, name: str, span: Duration) -> None:
        """`sleep` for plain functions."""
        _waited(self, _sleep_for(name, span))

    async def sleep_until(self: _Waiting, name: str, moment: datetime) -> None:
        """Sleep until this moment, by the store's clock. A moment in the past is over at once."""
        await self.waits.wait(_sleep_until(name, moment))

    def sleep_until_sync(self: _Waiting, name: str, moment: datetime) -> None:
        """`sleep_until` for plain functions."""
        _waited(self, _sleep_until(name, moment))

    # ── waitpoints ───────────────────────────────────────────────────────────────────────────────

    async def waitpoint(
        self: _Waiting,
        key: str,
        *,
        expires_in: Duration | None = None,
        about: Mapping[str, object] | None = None,
        alias: str | None = None,
    ) -> Waitpoint:
        """Make a waitpoint before waiting there, to hand out its token: `(await ctx.waitpoint("editor")).token`.

        Every attempt gets the same waitpoint. `about` is shown to people, `alias` is a business key under which it can
        be signalled, and after `expires_in` it takes no signals any more; the first call that gives one of these sets
        it. A step may take the token as an argument, alone or inside a text: the step stays the same step when the
        secret that signs tokens is rotated.
        """
        return await self.waits.make_waitpoint(_new_waitpoint(key, expires_in, about, alias))

    def waitpoint_sync(
        self: _Waiting,
        key: str,
        *,
        expires_in: Duration | None = None,
        about: Mapping[str, object] | None = None,
        alias: str | None = None,
    ) -> Waitpoint:
        """`waitpoint` for plain functions."""
        _check_no_loop("waitpoint")
        self.raise_if_cancelled()
        return self.waits.make_waitpoint_sync(_new_waitpoint(key, expires_in, about, alias))

    # ── people ───────────────────────────────────────────────────────────────────────────────────

    async def approve(
        self: _Waiting,
        name: str,
        *,
        title: str,
        choices: Sequence[str] = CHOICES,
        approvers: int = 1,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
        rejection_ends: bool = True,
        about: Mapping[str, object] | None = None,
        alias: str | None = None,
    ) -> list[Approval]:
        """Ask people, and return their decisions: `await ctx.approve("go-live", title="Publish?", approvers=2)`.

        The first choice approves, and every other one rejects. It is over when so many different people have approved,
        or with the first rejection. With `rejection_ends=False` it is over when so many people have decided, whatever
        they chose. Look at the choices: this returns for rejections, too.

        Decisions are signals to the waitpoint `name`, as `ff approve` and `ff reject` send them: the name of the signal
        is the choice, and its source is the person. Nobody checks who the sender is, and `about`, which people are
        shown, says so: its `sources` are `unverified`.
        """
        asked = question(_key(name), title, choices, approvers, rejection_ends=rejection_ends)
        wait = _wait_for_approval(asked, timeout, on_timeout)
        await self.waits.make_waitpoint(_new_waitpoint(name, None, asked.about(about), alias))
        return _approvals(asked, await self.waits.wait(wait))

    def approve_sync(
        self: _Waiting,
        name: str,
        *,
        title: str,
        choices: Sequence[str] = CHOICES,
        approvers: int = 1,
        timeout: Duration | datetime | None = None,
        on_timeout: OnTimeout = "resume",
        rejection_ends: bool = True,
        about: Mapping[str, object] | None = None,
        alias: str | None = None,
    ) -> list[Approval]:
        """`approve` for plain functions."""
        _check_no_loop("approve")
        self.raise_if_cancelled()
        asked = question(_key(name), title, choices, approvers, rejection_ends=rejection_ends)
        wait = _wait_for_approval(asked, timeout, on_timeout)
        self.waits.make_waitpoint_sync(_new_waitpoint(name, None, asked.about(about), alias))
        return _approvals(asked, _waited(self, wait))

    # ── inboxes ──────────────────────────────────────────────────────────────────────────────────

    @overload
    def inbox(self, key: str, type: type[T], *, timeout: Duration | None = None) -> AsyncIterator[T]: ...
    @overload
    def inbox(
        self, key: str, type: UnionType | None = None, *, timeout: Duration | None = None
    ) -> AsyncIterator[Any]: ...
    async def inbox(
        self: _Waiting, key: str, type: object = None, *, timeout: Duration | None = None
    ) -> AsyncIterator[Any]:
        """The signals to a key, one after the other: `async for message in ctx.inbox("chat", str)`.

        The k-th turn takes the k-th signal, in every attempt. Each turn is a wait of its own, named `chat[1]`,
        `chat[2]` and so on, with the timeout. A second loop over the same inbox goes on where the first one stopped. An
        execution has at most 1,000 turns of an inbox: end the loop before that, and submit another execution that goes
        on.
        """
        turns = self.waits.turns
        while True:
            turn = turns.get(key, 0) + 1
            if turn > TURNS_MAX:
                raise InvalidInput(
                    f"The inbox {key!r} has had {TURNS_MAX:,} turns, and each is stored with the execution. Submit "
                    "another execution that goes on, and end this one."
                )
            asked = _Asked(self, On(key), type, f"{key}[{turn}]")
            over = await self.waits.wait(asked.wait(timeout, "resume"))
            turns[key] = turn
            yield asked.value_in(over)


class _Asked:
    """A wait that a function asks for, and how its value is read."""

    def __init__(self, ctx: _Waiting, condition: Condition | str, type: object, name: str | None) -> None:
        self._execution_id = ctx.execution_id
        given = checked(condition)
        if name is None and not isinstance(given, On):
            raise InvalidInput(f"A wait for {given!r} needs a name, under which it is stored: ctx.wait(..., name=...).")
        self._name = _key(given.key if name is None and isinstance(given, On) else name, "name")
        self._condition = stored(given)
        self._takes_one = isinstance(given, (On, OperatorOnly))
        self._type = type
        is_plain = type is None or type is Signal
        self._typed = TypedValue(Any if is_plain else type, f"Wait {self._name!r}: its type")

    def wait(self, timeout: Duration | datetime | None, on_timeout: OnTimeout) -> Wait:
        """The wait as it is sent."""
        return _timed(Wait(self._name, self._condition), timeout, on_timeout)

    def value_in(self, over: WaitOver) -> Any:
        """What the wait returns. Raises WaitTimeout if its time is over."""
        _check_in_time(self._name, over)
        values = [self._value_of(each) for each in over.signals]
        return values[0] if self._takes_one else values

    def _value_of(self, signal: Signal) -> Any:
        if self._type is Signal:
            return signal
        data = signal.payload or b"null"
        to = f" to {signal.key!r}" if signal.key else ""
        sender = f" from {signal.source!r}" if signal.source else ""
        wanted = "JSON" if self._type is None else getattr(self._type, "__name__", str(self._type))
        carried = shown(data.decode(errors="replace"))
        what = f"Wait {self._name!r}: the signal{to}{sender} carries {carried}, which is not {wanted}"
        try:
            return self._typed.read(data, what)
        except InvalidInput as error:
            raise InvalidInput(
                f"{error} The signal is stored, so every attempt fails like this. "
                f"`ff replay {self._execution_id} --from-scratch` does all steps again, and waits for a new signal."
            ) from error.__cause__


def _key(value: object, field: str = "name") -> str:
    return inputs.name(field, value, inputs.KEY_CHARS_MAX)


def _timed(wait: Wait, timeout: Duration | datetime | None, on_timeout: OnTimeout) -> Wait:
    on_timeout = wait_inputs.on_timeout(on_timeout, has_timeout=timeout is not None)
    if timeout is None:
        return msgspec.structs.replace(wait, on_timeout=on_timeout)
    if isinstance(timeout, datetime):
        return msgspec.structs.replace(wait, timeout_at_ms=instant_ms("timeout", timeout, 0), on_timeout=on_timeout)
    return msgspec.structs.replace(wait, timeout_ms=milliseconds("timeout", timeout), on_timeout=on_timeout)


def _sleep_for(name: str, span: Duration) -> Wait:
    return Wait(_key(name), SLEEP, timeout_ms=milliseconds("span", span), reason=SLEEPING)


def _sleep_until(name: str, moment: datetime) -> Wait:
    if not isinstance(moment, datetime):
        raise InvalidInput(f"moment is {shown(moment)}; it must be a datetime. For a span, use sleep.")
    return Wait(_key(name), SLEEP, timeout_at_ms=instant_ms("moment", moment, 0), reason=SLEEPING)


def _wait_for_approval(asked: Question, timeout: Duration | datetime | None, on_timeout: OnTimeout) -> Wait:
    wait = Wait(asked.key, stored(checked(asked.condition())), reason=FOR_APPROVAL)
    return _timed(wait, timeout, on_timeout)


def _approvals(asked: Question, over: WaitOver) -> list[Approval]:
    _check_in_time(asked.key, over)
    return approvals_in(over)


def _check_in_time(name: str, over: WaitOver) -> None:
    if over.cause == "timeout":
        raise WaitTimeout(f"The time of wait {name!r} is over, and what it waits for has not come.")


def _new_waitpoint(
    key: str, expires_in: Duration | None, about: Mapping[str, object] | None, alias: str | None
) -> NewWaitpoint:
    if about is not None and not isinstance(about, Mapping):
        raise InvalidInput(f"about is {shown(about)}; it must be a mapping that JSON can carry.")
    return NewWaitpoint(
        _key(key, "key"),
        None if expires_in is None else milliseconds("expires_in", expires_in),
        None if about is None else json_or_refusal(dict(about), "about").decode(),
        None if alias is None else _key(alias, "alias"),
    )


def _waited(ctx: _Waiting, wait: Wait) -> WaitOver:
    _check_no_loop("wait")
    ctx.raise_if_cancelled()
    return ctx.waits.wait_sync(wait)


def _check_no_loop(verb: str) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise InvalidInput(
        f"{verb}_sync would block the event loop that it runs on. Use `await ctx.{verb}(...)` in async functions."
    )
