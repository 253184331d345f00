"""The signals that a task declares: their keys, and the types of their values. They are checked at the sender."""

from collections.abc import Mapping
from typing import Any

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.runtime.codecs import Codec, encoded
from flowfabric.runtime.typed_values import TypedValue, json_or_refusal


class DeclaredSignals:
    """The signals of one task: `@ff.task(signals={"approve": Decision})`."""

    def __init__(self, signals: Mapping[str, Any]) -> None:
        if not isinstance(signals, Mapping):
            raise InvalidInput(
                f"signals is {shown(signals)}; it must be a mapping of keys to types, such as {{'approve': Decision}}."
            )
        self._types = {
            inputs.name("signals", key, inputs.KEY_CHARS_MAX): TypedValue(hint, f"Signal {key!r}")
            for key, hint in signals.items()
        }

    def __contains__(self, key: str) -> bool:
        return key in self._types

    def written(self, task: str, key: str, value: object) -> bytes:
        """The value as JSON. Raises InvalidInput if the task declares no such signal, or if the value does not fit."""
        typed = self._types.get(key)
        if typed is None:
            known = ", ".join(map(repr, sorted(self._types))) or "none"
            raise InvalidInput(f"Task {task!r} takes no signal {shown(key)}; those that it declares are: {known}.")
        return typed.written(value, f"Task {task!r}: signal {key!r}")


def payload_of(codec: Codec, task: str, key: str, value: object, declared: DeclaredSignals | None) -> bytes:
    """The payload of a signal to an execution of a task."""
    what = f"signal {key!r}"
    if declared is None:
        return encoded(codec, json_or_refusal(value, f"Task {task!r}: {what}"), what)
    return encoded(codec, declared.written(task, key, value), what)
