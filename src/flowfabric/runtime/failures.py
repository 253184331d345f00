"""How an exception of a task is reported: a code, a message, and whether another attempt may follow."""

from typing import Final

import msgspec

from flowfabric.domain import gate_inputs
from flowfabric.domain.errors import Conflict, InvalidInput
from flowfabric.domain.inputs import NAME_CHARS_MAX, TEXT_BYTES_MAX
from flowfabric.domain.limits import PAUSE_MS_MAX
from flowfabric.runtime.declared_gates import Limit
from flowfabric.runtime.durations import Duration, milliseconds
from flowfabric.runtime.fan_out import ChildFailed
from flowfabric.runtime.tracebacks import traceback_of
from flowfabric.runtime.waits import WaitTimeout


class Permanent(Exception):
    """Raised by a task to fail for good: no retry follows, whatever the policy says."""

    def __init__(self, message: str = "", *, code: str = "Permanent") -> None:
        super().__init__(message)
        self.code = code


class RateLimited(Exception):
    """Raised by a task when a service answers that it gets too many requests: `RateLimited("openai", retry_after=20)`.

    The key of the limit is paused for everyone, and this execution is tried again after that time. This counts neither
    as a retry nor as an interruption. If there is no such limit, the attempt fails, unless the execution names it.
    """

    def __init__(self, limit: str | Limit, /, *, retry_after: Duration, key: str = "") -> None:
        self.limit = limit.name if isinstance(limit, Limit) else gate_inputs.limit_name(limit, "limit")
        self.key = gate_inputs.limit_key(key)
        # A service may ask for a pause of 0 s, or for years. What it answers must not make the attempt fail.
        self.retry_after_ms = min(max(1, milliseconds("retry_after", retry_after)), PAUSE_MS_MAX)
        named = f"{self.limit}[{self.key}]" if self.key else self.limit
        super().__init__(f"{named} may be used again in {self.retry_after_ms / 1000:g} s")


class Throttled(msgspec.Struct, frozen=True, tag=True):
    """The function has raised RateLimited."""

    limit: str
    key: str
    retry_after_ms: int


class AttemptFailure(msgspec.Struct, frozen=True, tag=True):
    """A failed attempt, as it is reported to the engine."""

    code: str
    message: str
    retryable: bool
    trace: str = ""
    """The traceback, short enough to be stored."""


NEVER_BETTER: Final = (Permanent, InvalidInput, Conflict, WaitTimeout, ChildFailed)
"""Every attempt would raise these again: the stored data, or the code that uses it, is wrong."""


def failure_of(error: BaseException, give_up_on: tuple[type[BaseException], ...] = ()) -> AttemptFailure:
    """The failure that an exception means. Its code is the exception's class, unless it names another."""
    code = error.code if isinstance(error, Permanent) else type(error).__name__
    try:
        message = str(error)
    except Exception:  # a broken __str__ must not hide what happened
        message = ""
    return AttemptFailure(
        _printable(code)[:NAME_CHARS_MAX] or "error",
        fitting(message),
        not isinstance(error, (*NEVER_BETTER, *give_up_on)),
        traceback_of(error),
    )


def cause_of(failure: AttemptFailure) -> str:
    """The failure in one line of a log."""
    return f"{failure.code}: {failure.message}" if failure.message else failure.code


def fitting(message: str) -> str:
    """The message as the engine accepts it: a long one is cut, and characters that cannot be stored are replaced."""
    data = message.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace")
    if len(data) > TEXT_BYTES_MAX:
        data = data[: TEXT_BYTES_MAX - 3] + b"..."
    return data.decode("utf-8", "ignore")


def _printable(code: str) -> str:
    return "".join(each for each in code if each.isprintable())
