"""Bytes ⇄ arguments and results: JSON through a function's type hints, checked before anything is sent.

What is encoded is decoded again at once, the way a worker will, so that a wrong argument fails where it was written
and not hours later in another process. Nothing is ever unpickled.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, get_type_hints

import msgspec

from flowfabric.domain.errors import InvalidInput

_REFUSED: Final = {
    inspect.Parameter.VAR_POSITIONAL: "*args",
    inspect.Parameter.VAR_KEYWORD: "**kwargs",
}


class Codec(Protocol):
    """What payloads and results pass through on their way to the store and back, to encrypt or compress them."""

    def encode(self, data: bytes) -> bytes:
        """What is stored."""

    def decode(self, data: bytes) -> bytes:
        """What was encoded."""


class Plain:
    """The codec that changes nothing."""

    def encode(self, data: bytes) -> bytes:
        """The same bytes."""
        return data

    def decode(self, data: bytes) -> bytes:
        """The same bytes."""
        return data


class OutputOf(msgspec.Struct, frozen=True, array_like=True):
    """An argument that is (a part of) what another execution of the flow returned."""

    input: str
    """The name under which the result is passed."""
    path: tuple[str | int, ...] = ()
    """Which part of it: keys and indexes, from the outside in."""


class Call(msgspec.Struct, frozen=True, omit_defaults=True):
    """A payload: the arguments that are known, and those that others will return."""

    arguments: msgspec.Raw
    outputs: dict[str, OutputOf] = msgspec.field(default_factory=dict)


class Signature:
    """How one function's arguments and result are written down."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._name = name
        parameters = list(inspect.signature(function).parameters.values())
        if not parameters or parameters[0].kind in _REFUSED:
            raise InvalidInput(f"Task {name!r} must take a context first: def {name}(ctx, ...).")
        for parameter in parameters[1:]:
            if parameter.kind in _REFUSED:
                raise InvalidInput(
                    f"Task {name!r} takes {_REFUSED[parameter.kind]}, whose types nobody can know. "
                    "Name its parameters one by one; a list or a dict may be one of them."
                )
        self._signature = inspect.Signature(parameters[1:])
        try:
            hints = get_type_hints(function, include_extras=True)
        except NameError as error:
            raise InvalidInput(f"Task {name!r} has a type hint that cannot be resolved: {error}.") from error
        self._hints = {each.name: hints.get(each.name, Any) for each in parameters[1:]}
        self._fields = {each: self._decoder(hint, f"parameter {each!r}") for each, hint in self._hints.items()}
        self._result: msgspec.json.Decoder[Any] = self._decoder(hints.get("return", Any), "its result")

    def _decoder(self, hint: Any, what: str) -> "msgspec.json.Decoder[Any]":
        try:
            return msgspec.json.Decoder(hint, dec_hook=_from_json)
        except TypeError as error:
            raise InvalidInput(
                f"Task {self._name!r}: {what} has a type that JSON cannot carry ({error}). Use plain types, "
                "dataclasses, msgspec structs or pydantic models."
            ) from error

    # ── arguments ────────────────────────────────────────────────────────────────────────────────

    def payload(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> bytes:
        """A call as bytes. Raises InvalidInput that names the parameter if the function would not take it."""
        try:
            bound = self._signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise InvalidInput(f"Task {self._name!r}: {error}. Its parameters are {self._signature}.") from None
        known: dict[str, msgspec.Raw] = {}
        outputs: dict[str, OutputOf] = {}
        for each, value in bound.items():
            if isinstance(value, OutputOf):
                outputs[each] = value
            else:
                known[each] = msgspec.Raw(self._checked(self._fields[each], value, f"argument {each!r}"))
        return msgspec.json.encode(Call(msgspec.Raw(msgspec.json.encode(known)), outputs))

    def arguments(self, payload: bytes, inputs: Mapping[str, bytes]) -> dict[str, object]:
        """The arguments that a payload holds, with what upstreams have returned."""
        call = msgspec.json.decode(payload, type=Call)
        given = msgspec.json.decode(call.arguments, type=dict[str, msgspec.Raw])
        for each, output in call.outputs.items():
            given[each] = _part_of(output, inputs, self._name, each)
        unknown = given.keys() - self._fields.keys()
        if unknown:
            raise InvalidInput(
                f"Task {self._name!r} has no parameter {sorted(unknown)[0]!r} any more, and the payload holds it. "
                "Keep old parameters until what was submitted with them has run."
            )
        found: dict[str, object] = {}
        for each, data in given.items():
            try:
                found[each] = self._fields[each].decode(data)
            except msgspec.MsgspecError as error:
                raise InvalidInput(f"Task {self._name!r}: argument {each!r}: {error}.") from error
        return found

    # ── results ──────────────────────────────────────────────────────────────────────────────────

    def result(self, value: object) -> bytes:
        """A result as bytes. Raises InvalidInput if it is not what the function says it returns."""
        return self._checked(self._result, value, "its result")

    def result_in(self, data: bytes) -> Any:
        """The result that was written."""
        return self._result.decode(data)

    def _checked(self, decoder: "msgspec.json.Decoder[Any]", value: object, what: str) -> bytes:
        try:
            data = msgspec.json.encode(value, enc_hook=_to_json)
            decoder.decode(data)
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError) as error:
            raise InvalidInput(f"Task {self._name!r}: {what}: {error}.") from error
        return data


def _part_of(output: OutputOf, inputs: Mapping[str, bytes], task: str, parameter: str) -> msgspec.Raw:
    data = inputs.get(output.input)
    if data is None:
        raise InvalidInput(
            f"Task {task!r}: argument {parameter!r} should come from another task, which returned nothing."
        )
    if not output.path:
        return msgspec.Raw(data)
    value: Any = msgspec.json.decode(data)
    try:
        for step in output.path:
            value = value[step]
    except (KeyError, IndexError, TypeError) as error:
        raise InvalidInput(
            f"Task {task!r}: argument {parameter!r} should be {list(output.path)} of what another task returned, "
            f"which has no such part ({error!r})."
        ) from error
    return msgspec.Raw(msgspec.json.encode(value))


def _to_json(value: object) -> object:
    """Pydantic models, without knowing pydantic."""
    dump = getattr(value, "model_dump", None)
    if dump is None:
        raise TypeError(f"{type(value).__name__} is nothing that JSON can carry")
    return dump(mode="json")


def _from_json(kind: type, value: object) -> object:
    validate = getattr(kind, "model_validate", None)
    if validate is None:
        raise TypeError(f"{kind.__name__} is nothing that JSON can carry")
    return validate(value)
