"""Payloads ⇄ arguments and results: JSON through a function's type hints, checked before anything is sent.

Arguments are encoded and decoded again at once, as a worker will do, so that a wrong argument fails where it was
written, and not hours later in another process. Nothing is ever unpickled.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, Final, get_type_hints

import msgspec
import msgspec.inspect

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.known_types import known
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.runtime.annotations import annotations_of, signature_of
from flowfabric.runtime.outputs import (
    Output,
    PathStep,
    kind_of,
    name_of,
    never_fits,
    outputs_in,
    path_of,
    without_outputs,
)
from flowfabric.runtime.typed_values import TypedValue, json_or_refusal

_REFUSED: Final = {
    inspect.Parameter.VAR_POSITIONAL: "*args, whose names and types nobody can know",
    inspect.Parameter.VAR_KEYWORD: "**kwargs, whose names and types nobody can know",
    inspect.Parameter.POSITIONAL_ONLY: "positional-only parameters, and arguments are stored by name",
}
_TAKES_CONTEXT: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_MISSING: Final = object()


class Hole(msgspec.Struct, frozen=True, array_like=True):
    """A place in the arguments that is filled with the result of another member of the flow, or with a part."""

    at: tuple[PathStep, ...]
    """The parameter, then keys and indexes into its value."""
    input: str
    """The name under which the result is passed on."""
    path: tuple[PathStep, ...]
    """Keys and indexes into the result."""


@known
class WrittenCall(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A payload: the known arguments, and the places of those that other members will return."""

    arguments: dict[str, msgspec.Raw]
    outputs: tuple[Hole, ...] = ()


_CALL: Final = msgspec.json.Decoder(WrittenCall)


def untyped_call(arguments: Mapping[str, object]) -> bytes:
    """A call as bytes, for a function whose type hints are unknown here. The arguments must be plain JSON values."""
    return msgspec.json.encode(
        WrittenCall({name: msgspec.Raw(msgspec.json.encode(each)) for name, each in arguments.items()})
    )


class Signature:
    """Encodes and decodes the arguments and the result of one function."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._name = name
        parameters = list(signature_of(function).parameters.values())
        if not parameters or parameters[0].kind not in _TAKES_CONTEXT:
            raise InvalidInput(f"Task {name!r} must take a context first: def {function.__name__}(ctx, ...).")
        for parameter in parameters[1:]:
            if parameter.kind in _REFUSED:
                raise InvalidInput(
                    f"Task {name!r} takes {_REFUSED[parameter.kind]}. "
                    "Name its parameters one by one; a list or a dict may be one of them."
                )
        self._signature = inspect.Signature(parameters[1:])
        hints = _hints_of(function, parameters[0].name, name)
        self._fields = {
            each.name: TypedValue(hints.get(each.name, Any), f"Task {name!r}: parameter {each.name!r}")
            for each in parameters[1:]
        }
        self._optional = {each.name for each in parameters[1:] if each.default is not inspect.Parameter.empty}
        self._required = self._fields.keys() - self._optional
        self._what = {each: f"Task {name!r}: argument {each!r}" for each in self._fields}
        """What errors call an argument. Written once: most calls need none of these texts."""
        self._what_result = f"Task {name!r}: its result"
        self._result = TypedValue(hints.get("return", Any), self._what_result)

    def __str__(self) -> str:
        return str(self._signature)

    # arguments

    def bind(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object]:
        """The arguments by name. Raises InvalidInput if the function has no such parameters, or needs others."""
        if not args and self._required <= kwargs.keys() <= self._fields.keys():
            return dict(kwargs)  # most calls are like this, and it costs a tenth
        try:
            return self._signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise InvalidInput(f"Task {self._name!r}: {error}. Its parameters are {self._signature}.") from None

    def with_defaults(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """The arguments by name, with the function's own defaults for the missing ones."""
        bound = self._signature.bind(**arguments)
        bound.apply_defaults()
        return bound.arguments

    def check_taken_by(self, function: Callable[..., Any], what: str) -> None:
        """Raise InvalidInput unless the function can be called with all parameters by name."""
        try:
            signature_of(function).bind(**dict.fromkeys(self._fields))
        except TypeError as error:
            raise InvalidInput(
                f"Task {self._name!r}: {what} is called with the task's parameters, {self._signature}, and does "
                f"not take them: {error}. Write for example: lambda {next(iter(self._fields), '')}, **_: ..."
            ) from None

    def payload(self, arguments: Mapping[str, object], name_input: Callable[[Output], str] | None = None) -> bytes:
        """A call as bytes. Raises InvalidInput, with the argument's name, if the function would not accept an argument.

        `name_input` gives the name of the input for an output. Outside of a flow it is None, and outputs are refused.
        """
        known: dict[str, msgspec.Raw] = {}
        holes: list[Hole] = []
        for name, value in arguments.items():
            what = f"Task {self._name!r}: argument {name!r}"
            outputs = [] if name_input is None else list(outputs_in(value, (name,)))
            if name_input is None or not outputs:
                known[name] = msgspec.Raw(self._fields[name].written(value, what))
                continue
            if isinstance(value, Output) and never_fits(kind_of(value), self._fields[name].kind):
                raise InvalidInput(
                    f"{what} cannot be {value!r}: that is {name_of(kind_of(value))}, and the parameter is "
                    f"{name_of(self._fields[name].kind)}."
                )
            holes += [Hole(at, name_input(output), path_of(output)) for at, output in outputs]
            if not isinstance(value, Output):
                # Only the whole value can be checked against the type hint, so the worker checks it.
                known[name] = msgspec.Raw(json_or_refusal(without_outputs(value), what))
        return msgspec.json.encode(WrittenCall(known, tuple(holes)))

    def arguments(self, payload: bytes, inputs: Mapping[str, bytes]) -> dict[str, object]:
        """The arguments of a payload, with the results of upstream members. Raises InvalidInput if they do not fit.

        If a join did not need an upstream member, its place in a list or dict is left out. If its result was a whole
        argument, the argument is the parameter's default, or None if the parameter accepts None.
        """
        try:
            call = _CALL.decode(payload)
        except UNDECODABLE as error:
            raise InvalidInput(
                f"Task {self._name!r}: the payload is not a call of a task ({error}). Submit it with task.submit(...)."
            ) from error
        given = call.arguments
        if call.outputs:
            self._fill(given, call.outputs, inputs)
        if not given.keys() <= self._fields.keys():
            unknown = min(given.keys() - self._fields.keys())
            raise InvalidInput(
                f"Task {self._name!r} has no parameter {unknown!r} any more, and the payload holds it. "
                "Keep old parameters until what was submitted with them has run."
            )
        if not self._required <= given.keys():
            missing = min(self._required - given.keys())
            raise InvalidInput(
                f"Task {self._name!r}: argument {missing!r} is missing from the payload. A new parameter needs a "
                "default until what was submitted without it has run."
            )
        return {each: self._fields[each].read(data, self._what[each]) for each, data in given.items()}

    def _fill(self, given: dict[str, msgspec.Raw], holes: Sequence[Hole], inputs: Mapping[str, bytes]) -> None:
        nested: dict[str, list[tuple[tuple[PathStep, ...], Any]]] = {}
        for hole in holes:
            if not hole.at:
                raise self._no_such_place("")
            name = str(hole.at[0])
            value = self._part(inputs.get(hole.input), hole.path, name)
            if len(hole.at) > 1:
                nested.setdefault(name, []).append((hole.at[1:], value))
            elif value is not _MISSING:
                given[name] = msgspec.Raw(msgspec.json.encode(value))
            elif name not in self._optional:
                self._check_takes_none(name, hole.input)
                given[name] = msgspec.Raw(b"null")
        for name, values in nested.items():
            try:
                filled = msgspec.json.decode(given[name])
                # From the last place to the first, so that a removal does not move the places that follow.
                for at, value in reversed(values):
                    _put(filled, at, value)
                given[name] = msgspec.Raw(msgspec.json.encode(filled))
            except (*UNDECODABLE, KeyError, IndexError, TypeError):
                raise self._no_such_place(name) from None

    def _no_such_place(self, name: str) -> InvalidInput:
        return InvalidInput(
            f"Task {self._name!r}: the payload puts the result of another task into argument {name!r}, at a place that "
            "is not there. Submit the flow with flow.submit(...)."
        )

    def _part(self, result: bytes | None, path: tuple[PathStep, ...], parameter: str) -> Any:
        """The part of a result that becomes an argument; `_MISSING` if there is no result."""
        if result is None:
            return _MISSING
        try:
            value = msgspec.json.decode(result)
            for step in path:
                value = value[step]
        except (*UNDECODABLE, KeyError, IndexError, TypeError) as error:
            where = "".join(f"[{step!r}]" for step in path)
            raise InvalidInput(
                f"Task {self._name!r}: argument {parameter!r} should be {where or 'all'} of what another task "
                f"returned, and that is not there ({error!r})."
            ) from error
        return value

    def _check_takes_none(self, parameter: str, source: str) -> None:
        if parameter in self._fields and not self._fields[parameter].takes_none:
            raise InvalidInput(
                f"Task {self._name!r}: argument {parameter!r} should come from {source!r}, which has not completed. "
                "Where a join does without some of its upstreams, let the parameter be optional, or take a list."
            )

    # results

    @property
    def returns(self) -> msgspec.inspect.Type:
        """The kind of the function's results."""
        return self._result.kind

    def result(self, value: object) -> bytes:
        """A result as bytes. Raises InvalidInput if it does not fit the function's type hint."""
        return self._result.written(value, self._what_result, is_strict=False)

    def result_in(self, data: bytes) -> Any:
        """The result that was stored. Raises InvalidInput if it does not fit the function's present type hint."""
        return self._result.read(data, self._what_result)


def _hints_of(function: Callable[..., Any], context: str, name: str) -> dict[str, Any]:
    """The type hints of all parameters except the context, whose type need not be importable."""
    annotations = {key: hint for key, hint in annotations_of(function).items() if key != context}
    try:
        return get_type_hints(
            SimpleNamespace(__annotations__=annotations),
            globalns=getattr(inspect.unwrap(function), "__globals__", {}),
            include_extras=True,
        )
    except NameError as error:
        raise InvalidInput(
            f"Task {name!r} has a type hint that cannot be resolved: {error}. Import the type at the top of the "
            "module, not inside a function or under TYPE_CHECKING: it is needed when the program runs."
        ) from error


def _put(value: Any, at: tuple[PathStep, ...], what: object) -> None:
    for step in at[:-1]:
        value = value[step]
    if what is _MISSING:
        del value[at[-1]]
    else:
        value[at[-1]] = what
