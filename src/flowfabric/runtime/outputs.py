"""Placeholders for the results of a flow's members, to be used as arguments of other members."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

import msgspec
import msgspec.inspect

from flowfabric.domain.errors import InvalidInput

PathStep = str | int
"""A key or an index: one step into a value."""

_PLAIN_KINDS: Final = (
    msgspec.inspect.BoolType,
    msgspec.inspect.FloatType,
    msgspec.inspect.IntType,
    msgspec.inspect.NoneType,
    msgspec.inspect.StrType,
)


class Output:
    """Stands for the result of a member of a flow, or for a part of the result, as an argument of another member.

    It is not the value, which is known only when the member has run.
    """

    __slots__ = ("_kind", "_path", "_source")

    def __init__(self, source: object, kind: msgspec.inspect.Type, path: tuple[PathStep, ...] = ()) -> None:
        self._source = source
        self._kind = kind
        self._path = path

    def __repr__(self) -> str:
        return f"<output of {self._source!r}{''.join(f'[{step!r}]' for step in self._path)}>"

    def __getitem__(self, step: PathStep) -> "Output":
        if isinstance(step, bool) or not isinstance(step, (str, int)):
            raise InvalidInput(f"{self!r} has parts by key or by index, not by {type(step).__name__}.")
        written, kind = part_of(self._kind, step)
        return Output(self._source, kind, (*self._path, written))

    def __getattr__(self, name: str) -> "Output":
        # Python and its libraries look up such names on any object.
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
    """The member whose output it is."""
    return output._source


def path_of(output: Output) -> tuple[PathStep, ...]:
    """Keys and indexes that lead to the part of the result that is meant."""
    return output._path


def kind_of(output: Output) -> msgspec.inspect.Type:
    """The kind of the value."""
    return output._kind


def outputs_in(value: object, at: tuple[PathStep, ...] = ()) -> Iterator[tuple[tuple[PathStep, ...], Output]]:
    """The outputs in an argument, with their places: the argument itself, or items of a list, tuple or dict."""
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
    """Whether an argument is an output, or holds one."""
    return next(outputs_in(value), None) is not None


def without_outputs(value: object) -> object:
    """The same value with None in the place of each output."""
    if isinstance(value, Output):
        return None
    if isinstance(value, dict):
        return {key: without_outputs(each) if isinstance(key, str) else each for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_outputs(each) for each in value]
    return value


# ── parts of results ─────────────────────────────────────────────────────────────────────────────


def part_of(kind: msgspec.inspect.Type, step: PathStep) -> tuple[PathStep, msgspec.inspect.Type]:
    """How a key or index of a value of this kind is written in JSON, and the kind of the part.

    Raises InvalidInput if values of this kind have no such part.
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
    kind: msgspec.inspect.Type, step: PathStep, fields: Sequence[msgspec.inspect.Field], first: int
) -> tuple[PathStep, msgspec.inspect.Type]:
    for index, field in enumerate(fields):
        if step in (field.name, index):
            return first + index, field.type
    raise _no_such_part(kind, step, [field.name for field in fields])


def _part_of_model(kind: msgspec.inspect.CustomType, step: PathStep) -> tuple[PathStep, msgspec.inspect.Type]:
    fields: Mapping[str, Any] = getattr(kind.cls, "model_fields", {})
    if step not in fields:
        raise _no_such_part(kind, step, list(fields))
    field = fields[str(step)]
    return field.serialization_alias or step, msgspec.inspect.type_info(field.annotation)


def never_fits(source: msgspec.inspect.Type, target: msgspec.inspect.Type) -> bool:
    """Whether no result of one kind can be an argument of the other kind. In doubt it is False."""
    if type(source) is type(target) or not isinstance(source, _PLAIN_KINDS) or not isinstance(target, _PLAIN_KINDS):
        return False
    return not (isinstance(source, msgspec.inspect.IntType) and isinstance(target, msgspec.inspect.FloatType))


def name_of(kind: msgspec.inspect.Type) -> str:
    """The name of a kind, for error messages."""
    cls = getattr(kind, "cls", None)
    return type(kind).__name__.removesuffix("Type").lower() if cls is None else str(cls.__name__)


def _no_such_part(kind: msgspec.inspect.Type, step: PathStep, parts: Sequence[str] = ()) -> InvalidInput:
    known = f"; its parts are {', '.join(parts)}" if parts else ""
    return InvalidInput(f"A result of type {name_of(kind)} has no part {step!r}{known}.")
