"""The options of a submit about debouncing: of several calls with one key, only the last one runs."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from flowfabric.domain import debouncing
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.runtime.durations import Duration, milliseconds


class DebounceOptions(msgspec.Struct, frozen=True):
    """How long a submit waits for another one that replaces it."""

    span_ms: int
    key: str | Callable[..., str] = ""
    """Calls with the same key replace each other: a text, or a function of the task's arguments."""

    @property
    def function(self) -> Callable[..., Any] | None:
        """The function of the task's arguments, if there is one."""
        return None if isinstance(self.key, str) else self.key

    def key_of(self, task: str, arguments: Callable[[], Mapping[str, object]]) -> str:
        """The key of a call. `arguments` gives all arguments of the call by name."""
        if isinstance(self.key, str):
            return self.key
        try:
            return debouncing.debounce_key(self.key(**arguments()))
        except Exception as error:
            raise InvalidInput(
                f"Task {task!r}: debounce_by could not be made of the arguments: {type(error).__name__}: {error}. The "
                "function takes the arguments of the task, and returns a text."
            ) from error


def changed_debounce(
    options: DebounceOptions | None,
    *,
    debounce: Duration | None = None,
    debounce_key: str | None = None,
    debounce_by: Callable[..., str] | None = None,
) -> DebounceOptions | None:
    """The options with the given ones changed and checked."""
    if debounce is not None:
        span_ms = milliseconds("debounce", debounce)
        if not 1 <= span_ms <= debouncing.DEBOUNCE_MS_MAX:
            raise InvalidInput(f"debounce is {shown(debounce)}; it must be more than nothing, and at most 30 days.")
        options = DebounceOptions(span_ms) if options is None else replace(options, span_ms=span_ms)
    if debounce_key is None and debounce_by is None:
        return options
    if options is None:
        raise InvalidInput("debounce_key= and debounce_by= belong to debounce=, which is not given. Give a span.")
    if debounce_by is not None:
        if not callable(debounce_by):
            raise InvalidInput("debounce_by is a function of the task's arguments that returns a key.")
        return replace(options, key=debounce_by)
    return replace(options, key=debouncing.debounce_key(debounce_key))
