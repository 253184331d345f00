"""Bytes ⇄ arguments and results: JSON through a function's type hints, checked before anything is sent.

What is encoded is decoded again at once, the way a worker will, so that a wrong argument fails where it was written
and not hours later in another process. Nothing is ever unpickled.
"""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, Final, NoReturn, Protocol, get_type_hints
from uuid import UUID

import msgspec
import msgspec.inspect

from flowfabric.domain.errors import InvalidInput, shown

Step = str | int
"""A key or an index: one step into a value."""

_REFUSED: Final = {
    inspect.Parameter.VAR_POSITIONAL: "*args, whose names and types nobody can know",
    inspect.Parameter.VAR_KEYWORD: "**kwargs, whose names and types nobody can know",
    inspect.Parameter.POSITIONAL_ONLY: "positional-only parameters, and arguments are stored by name",
}
_TAKES_CONTEXT: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_CARRIED: Final = (bytes, bytearray, memoryview, datetime, date, time, timedelta, Decimal, UUID)
"""What JSON carries as text; kept as it is where types are compared."""
_ALIKE: Final = (int, str, bool)
"""Types whose values are the same in JSON, so that there is nothing to compare."""
_PLAIN_KINDS: Final = (
    msgspec.inspect.BoolType,
    msgspec.inspect.FloatType,
    msgspec.inspect.IntType,
    msgspec.inspect.NoneType,
    msgspec.inspect.StrType,
)
_MISSING: Final = object()


class Codec(Protocol):
    """What payloads and results pass through on their way to the store and back, to encrypt or compress them.

    `encode` is a function: the same data becomes the same bytes, or else a repeated submit with the same idempotency
    key looks like another one. For encryption that means a nonce that is derived from the data.
    """

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


def encoded(codec: Codec, data: bytes, what: str) -> bytes:
    """What is stored of the data. Raises InvalidInput that names what it is and why the codec failed."""
    try:
        return codec.encode(data)
    except Exception as error:
        raise _codec_failed(codec, "encode", what, error) from error


def decoded(codec: Codec, data: bytes, what: str) -> bytes:
    """What was encoded. Raises InvalidInput that names what it is and why the codec failed."""
    try:
        return codec.decode(data)
    except Exception as error:
        raise _codec_failed(codec, "decode", what, error) from error


def _codec_failed(codec: Codec, verb: str, what: str, error: Exception) -> InvalidInput:
    return InvalidInput(
        f"The codec {type(codec).__name__} could not {verb} {what}: {type(error).__name__}: {error}. "
        "Correct the codec, or give it its key, and then replay the execution."
    )


# ── what is not known yet ────────────────────────────────────────────────────────────────────────


class Output:
    """Stands for what a member of a flow will return, or for a part of it, as an argument of another member.

    It is not the value: that is known only when the member has run.
    """

    __slots__ = ("_kind", "_path", "_source")

    def __init__(self, source: object, kind: msgspec.inspect.Type, path: tuple[Step, ...] = ()) -> None:
        self._source = source
        self._kind = kind
        self._path = path

    def __repr__(self) -> str:
        return f"<output of {self._source!r}{''.join(f'[{step!r}]' for step in self._path)}>"

    def __getitem__(self, step: Step) -> "Output":
        if isinstance(step, bool) or not isinstance(step, (str, int)):
            raise InvalidInput(f"{self!r} has parts by key or by index, not by {type(step).__name__}.")
        written, kind = part_of(self._kind, step)
        return Output(self._source, kind, (*self._path, written))

    def __getattr__(self, name: str) -> "Output":
        # Python and its libraries look for names like these in everything they meet.
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def _is_not_known(self, *_: object, **__: object) -> NoReturn:
        raise InvalidInput(
            f"{self!r} is not known while the flow is built. Pass it on as an argument of flow.add(...), and look at "
            "its value in the task that gets it."
        )

    __bool__ = __iter__ = __len__ = __str__ = __format__ = __call__ = __eq__ = __ne__ = _is_not_known
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __index__ = _is_not_known
    __hash__ = object.__hash__


def source_of(output: Output) -> object:
    """Whose output it is."""
    return output._source


def outputs_in(value: object, at: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Output]]:
    """The outputs in an argument, and where: it is one itself, or a list, tuple or dict that holds some."""
    if isinstance(value, Output):
        yield at, value
    elif isinstance(value, dict):
        for key, each in value.items():
            if isinstance(key, str):
                yield from outputs_in(each, (*at, key))
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            yield from outputs_in(each, (*at, index))


def holds_output(value: object) -> bool:
    """Whether an argument is, or holds, what is not known yet."""
    return next(outputs_in(value), None) is not None


class Hole(msgspec.Struct, frozen=True, array_like=True):
    """A place in the arguments that is filled with (a part of) what another member of the flow returned."""

    at: tuple[Step, ...]
    """The parameter, then keys and indexes into its value."""
    input: str
    """The name under which the result is passed on."""
    path: tuple[Step, ...]
    """Keys and indexes into the result."""


class Call(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A payload: the arguments that are known, and the places of those that others will return."""

    arguments: dict[str, msgspec.Raw]
    outputs: tuple[Hole, ...] = ()


# ── signatures ───────────────────────────────────────────────────────────────────────────────────


def untyped_call(arguments: Mapping[str, object]) -> bytes:
    """A call as bytes, of a function whose type hints nobody knows here: the arguments are what JSON holds."""
    return msgspec.json.encode(Call({name: msgspec.Raw(msgspec.json.encode(each)) for name, each in arguments.items()}))


class Signature:
    """How one function's arguments and result are written down."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._name = name
        parameters = list(inspect.signature(function).parameters.values())
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
            each.name: _Field(hints.get(each.name, Any), f"Task {name!r}: parameter {each.name!r}")
            for each in parameters[1:]
        }
        self._optional = {each.name for each in parameters[1:] if each.default is not inspect.Parameter.empty}
        self._required = self._fields.keys() - self._optional
        self._result = _Field(hints.get("return", Any), f"Task {name!r}: its result")

    def __str__(self) -> str:
        return str(self._signature)

    # arguments

    def bind(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> dict[str, object]:
        """The arguments by name. Raises InvalidInput if the function has no such parameters, or needs others."""
        if not args and self._required <= kwargs.keys() <= self._fields.keys():
            return dict(kwargs)  # what most calls look like, at a tenth of the cost
        try:
            return self._signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise InvalidInput(f"Task {self._name!r}: {error}. Its parameters are {self._signature}.") from None

    def with_defaults(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """The arguments by name, with the function's own defaults for those that are left out."""
        bound = self._signature.bind(**arguments)
        bound.apply_defaults()
        return bound.arguments

    def check_taken_by(self, function: Callable[..., Any], what: str) -> None:
        """Raise InvalidInput unless the function can be called with all parameters by name."""
        try:
            inspect.signature(function).bind(**dict.fromkeys(self._fields))
        except TypeError as error:
            raise InvalidInput(
                f"Task {self._name!r}: {what} is called with the task's parameters, {self._signature}, and does "
                f"not take them: {error}. Write for example: lambda {next(iter(self._fields), '')}, **_: ..."
            ) from None

    def payload(self, arguments: Mapping[str, object], name_input: Callable[[Output], str] | None = None) -> bytes:
        """A call as bytes. Raises InvalidInput that names the argument if the function would not take it.

        `name_input` names the input that brings an output; without it there is no flow, and no output is taken.
        """
        known: dict[str, msgspec.Raw] = {}
        holes: list[Hole] = []
        for name, value in arguments.items():
            what = f"Task {self._name!r}: argument {name!r}"
            outputs = [] if name_input is None else list(outputs_in(value, (name,)))
            if name_input is None or not outputs:
                known[name] = msgspec.Raw(self._fields[name].written(value, what))
                continue
            if isinstance(value, Output) and never_fits(value._kind, self._fields[name].kind):
                raise InvalidInput(
                    f"{what} cannot be {value!r}: that is {_name_of(value._kind)}, and the parameter is "
                    f"{_name_of(self._fields[name].kind)}."
                )
            holes += [Hole(at, name_input(output), output._path) for at, output in outputs]
            if not isinstance(value, Output):
                # Only the whole can be checked against the hint, so that is left to the worker.
                known[name] = msgspec.Raw(_encoded(_without_outputs(value), what))
        return msgspec.json.encode(Call(known, tuple(holes)))

    def arguments(self, payload: bytes, inputs: Mapping[str, bytes]) -> dict[str, object]:
        """The arguments that a payload holds, with what upstreams returned. Raises InvalidInput if they do not fit.

        Where a join did without an upstream, its place in a list or dict is left out; an argument that is nothing else
        is the parameter's default, or None if the parameter takes it.
        """
        try:
            call = msgspec.json.decode(payload, type=Call)
        except msgspec.MsgspecError as error:
            raise InvalidInput(
                f"Task {self._name!r}: the payload is not a call of a task ({error}). Submit it with task.submit(...)."
            ) from error
        given = dict(call.arguments)
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
        return {
            each: self._fields[each].read(data, f"Task {self._name!r}: argument {each!r}")
            for each, data in given.items()
        }

    def _fill(self, given: dict[str, msgspec.Raw], holes: Sequence[Hole], inputs: Mapping[str, bytes]) -> None:
        nested: dict[str, list[tuple[tuple[Step, ...], Any]]] = {}
        for hole in holes:
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
            filled = msgspec.json.decode(given[name])
            # From the last place to the first, so that taking one out moves none that is still to come.
            for at, value in reversed(values):
                _put(filled, at, value)
            given[name] = msgspec.Raw(msgspec.json.encode(filled))

    def _part(self, result: bytes | None, path: tuple[Step, ...], parameter: str) -> Any:
        """What of a result becomes an argument; `_MISSING` if there is no result."""
        if result is None:
            return _MISSING
        try:
            value = msgspec.json.decode(result)
            for step in path:
                value = value[step]
        except (msgspec.MsgspecError, KeyError, IndexError, TypeError) as error:
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
        """The kind of its results."""
        return self._result.kind

    def result(self, value: object) -> bytes:
        """A result as bytes. Raises InvalidInput if it is not what the function says it returns."""
        return self._result.written(value, f"Task {self._name!r}: its result", is_strict=False)

    def result_in(self, data: bytes) -> Any:
        """The result that was written. Raises InvalidInput if the function has come to return something else."""
        return self._result.read(data, f"Task {self._name!r}: its result")


def _hints_of(function: Callable[..., Any], context: str, name: str) -> dict[str, Any]:
    """The type hints of all parameters but the context, which nobody has to be able to import."""
    annotations = {key: hint for key, hint in inspect.get_annotations(function).items() if key != context}
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


class _Field:
    """One parameter, or the result: how its values are written, and read again."""

    def __init__(self, hint: Any, what: str) -> None:
        self._hint = hint
        try:
            self._decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(hint, dec_hook=_from_json)
            self.kind = msgspec.inspect.type_info(hint)
            kinds = list(_kinds_in(self.kind))
        except (TypeError, NameError) as error:
            raise _unsuitable(what, str(error)) from error
        for kind in kinds:
            if isinstance(kind, msgspec.inspect.CustomType) and not hasattr(kind.cls, "model_validate_json"):
                raise _unsuitable(what, f"JSON cannot carry {kind.cls.__name__}")
        self._is_loose = any(isinstance(kind, msgspec.inspect.AnyType) for kind in kinds)
        self.takes_none = _reads(self._decoder, b"null")

    def written(self, value: object, what: str, *, is_strict: bool = True) -> bytes:
        """The value as JSON. Raises InvalidInput if it is not what the hint says."""
        if type(value) is self._hint and self._hint in _ALIKE:
            return _encoded(value, what)
        try:
            # By its Python type first: JSON alone would take bytes for text, and a date for the text that spells it.
            plain = msgspec.to_builtins(value, builtin_types=_CARRIED, enc_hook=_to_json)
            taken = msgspec.convert(plain, self._hint, dec_hook=_from_json)
            data = _encoded(value, what)
            read = self._decoder.decode(data)
        except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise InvalidInput(f"{what}: {error}.") from error
        if b"null" in data and _has_unwritable_float(plain):
            raise InvalidInput(f"{what} holds a float that is not a number or infinite, which JSON cannot carry.")
        if is_strict and self._is_loose and taken != read:
            raise InvalidInput(
                f"{what} would arrive as {shown(read)}, because its type hint says no more. Give it one that does."
            )
        return data

    def read(self, data: "bytes | msgspec.Raw", what: str) -> Any:
        """The value that was written. Raises InvalidInput if it is none of the hint's."""
        try:
            return self._decoder.decode(data)
        except (msgspec.MsgspecError, ValueError) as error:
            raise InvalidInput(f"{what}: {error}.") from error


def _kinds_in(info: object, seen: set[int] | None = None) -> Iterator[object]:
    """All kinds of values that a type consists of; recursive types are walked once."""
    seen = set() if seen is None else seen
    if id(info) in seen:
        return
    seen.add(id(info))
    if isinstance(info, tuple):
        for each in info:
            yield from _kinds_in(each, seen)
    elif isinstance(info, (msgspec.inspect.Type, msgspec.inspect.Field)):
        yield info
        for field in info.__struct_fields__:
            yield from _kinds_in(getattr(info, field), seen)


def _unsuitable(what: str, why: str) -> InvalidInput:
    return InvalidInput(
        f"{what} has a type that cannot be written down: {why}. Use plain types, dataclasses, msgspec structs or "
        "pydantic models."
    )


def _reads(decoder: "msgspec.json.Decoder[Any]", data: bytes) -> bool:
    try:
        decoder.decode(data)
    except (msgspec.MsgspecError, ValueError):
        return False
    return True


def _encoded(value: object, what: str) -> bytes:
    try:
        return msgspec.json.encode(value, enc_hook=_to_json)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInput(f"{what}: {error}.") from error


def _has_unwritable_float(plain: object) -> bool:
    if isinstance(plain, float):
        return not math.isfinite(plain)
    if isinstance(plain, dict):
        return any(_has_unwritable_float(each) for pair in plain.items() for each in pair)
    return isinstance(plain, (list, tuple)) and any(_has_unwritable_float(each) for each in plain)


# ── values with places to be filled ──────────────────────────────────────────────────────────────


def _without_outputs(value: object) -> object:
    """The same value with null wherever an output stands."""
    if isinstance(value, Output):
        return None
    if isinstance(value, dict):
        return {key: _without_outputs(each) if isinstance(key, str) else each for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_outputs(each) for each in value]
    return value


def _put(value: Any, at: tuple[Step, ...], what: object) -> None:
    for step in at[:-1]:
        value = value[step]
    if what is _MISSING:
        del value[at[-1]]
    else:
        value[at[-1]] = what


# ── pydantic's models, without knowing pydantic ──────────────────────────────────────────────────


def _to_json(value: object) -> object:
    if isinstance(value, Output):
        raise TypeError(
            f"{value!r} is for flow.add(...): as an argument, or in a list or a dict by name that is one, nowhere else"
        )
    dump = getattr(value, "model_dump_json", None)
    if dump is None:
        raise TypeError(f"JSON cannot carry {type(value).__name__}")
    # By alias, because that is what a model reads; as text, because only there numbers keep all their digits.
    return msgspec.json.decode(dump(by_alias=True, round_trip=True))


def _from_json(kind: type, value: object) -> object:
    validate = getattr(kind, "model_validate_json", None)
    if validate is None:
        raise TypeError(f"JSON cannot carry {kind.__name__}")
    # As JSON and not as Python values: a strict model takes text for a date only there.
    return validate(msgspec.json.encode(value))


# ── parts of results ─────────────────────────────────────────────────────────────────────────────


def part_of(kind: msgspec.inspect.Type, step: Step) -> tuple[Step, msgspec.inspect.Type]:
    """How a step into a value of this kind is written in JSON, and the kind of what is there.

    Raises InvalidInput where the kind says that there is no such part.
    """
    match kind:
        case msgspec.inspect.AnyType():
            return step, kind
        case msgspec.inspect.Metadata():
            return part_of(kind.type, step)
        case msgspec.inspect.UnionType():
            others = [each for each in kind.types if not isinstance(each, msgspec.inspect.NoneType)]
            return part_of(others[0], step) if len(others) == 1 else (step, msgspec.inspect.AnyType())
        case msgspec.inspect.DictType():
            return str(step), kind.value_type
        case msgspec.inspect.ListType() | msgspec.inspect.VarTupleType() if isinstance(step, int):
            return step, kind.item_type
        case msgspec.inspect.TupleType() if isinstance(step, int) and -len(kind.item_types) <= step < len(
            kind.item_types
        ):
            return step, kind.item_types[step]
        case msgspec.inspect.StructType() if kind.array_like:
            return _place_in(kind, step, kind.fields, 0 if kind.tag is None else 1)
        case msgspec.inspect.NamedTupleType():
            return _place_in(kind, step, kind.fields, 0)
        case msgspec.inspect.StructType() | msgspec.inspect.DataclassType() | msgspec.inspect.TypedDictType():
            for field in kind.fields:
                if field.name == step:
                    return field.encode_name, field.type
            raise _no_such_part(kind, step, [field.name for field in kind.fields])
        case msgspec.inspect.CustomType():
            return _part_of_model(kind, step)
        case _:
            raise _no_such_part(kind, step)


def _place_in(
    kind: msgspec.inspect.Type, step: Step, fields: Sequence[msgspec.inspect.Field], first: int
) -> tuple[Step, msgspec.inspect.Type]:
    for index, field in enumerate(fields):
        if step in (field.name, index):
            return first + index, field.type
    raise _no_such_part(kind, step, [field.name for field in fields])


def _part_of_model(kind: msgspec.inspect.CustomType, step: Step) -> tuple[Step, msgspec.inspect.Type]:
    fields: Mapping[str, Any] = getattr(kind.cls, "model_fields", {})
    if step not in fields:
        raise _no_such_part(kind, step, list(fields))
    field = fields[str(step)]
    return field.serialization_alias or step, msgspec.inspect.type_info(field.annotation)


def never_fits(source: msgspec.inspect.Type, target: msgspec.inspect.Type) -> bool:
    """Whether no result of one kind can be an argument of the other. Only said of kinds that are beyond doubt."""
    if type(source) is type(target) or not isinstance(source, _PLAIN_KINDS) or not isinstance(target, _PLAIN_KINDS):
        return False
    return not (isinstance(source, msgspec.inspect.IntType) and isinstance(target, msgspec.inspect.FloatType))


def _name_of(kind: msgspec.inspect.Type) -> str:
    cls = getattr(kind, "cls", None)
    return type(kind).__name__.removesuffix("Type").lower() if cls is None else str(cls.__name__)


def _no_such_part(kind: msgspec.inspect.Type, step: Step, parts: Sequence[str] = ()) -> InvalidInput:
    known = f"; its parts are {', '.join(parts)}" if parts else ""
    return InvalidInput(f"A result of type {_name_of(kind)} has no part {step!r}{known}.")


# ── single values ────────────────────────────────────────────────────────────────────────────────


def json_of(value: object, *, is_canonical: bool = False) -> bytes:
    """A value as JSON; canonical: equal values give equal bytes, in whatever order their parts were put together."""
    return msgspec.json.encode(value, enc_hook=_to_json, order="deterministic" if is_canonical else None)


def decoder_of_result(function: Callable[..., Any]) -> "msgspec.json.Decoder[Any]":
    """Reads what a function returned, by its type hint if it has one that can be read."""
    try:
        hint = get_type_hints(inspect.unwrap(function), include_extras=True).get("return", Any)
        return msgspec.json.Decoder(hint, dec_hook=_from_json)
    except (TypeError, NameError, AttributeError):  # no function of its own: a partial, a builtin, a bound object
        return msgspec.json.Decoder(Any)
