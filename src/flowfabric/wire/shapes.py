"""How a type of the code looks on the wire, and the way there and back.

JSON already has a form for most types, and these travel as they are. Some need another form: bytes are an object that
names their encoding, a lease is one text, a condition and a flow's graph are plain objects. A type that holds one of
these gets a twin with the same fields, made here from its annotations, so no type is written twice.
"""

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import FieldInfo, asdict, fields, replace

from flowfabric.domain import conditions
from flowfabric.domain.conditions import Condition
from flowfabric.domain.creation import NewExecution
from flowfabric.domain.errors import EngineError, InvalidInput
from flowfabric.domain.graph import FlowGraph, GraphEdge
from flowfabric.domain.ids import parse_execution_id
from flowfabric.domain.inputs import DEFAULT_NAMESPACE, INSTANT_MS_MAX, integer
from flowfabric.domain.inputs import name as checked_name
from flowfabric.domain.joins import Join
from flowfabric.domain.lease import Fence, Lease
from flowfabric.domain.stream_inputs import append
from flowfabric.domain.stream_pages import StreamFrame, StreamPage
from flowfabric.domain.streams import Append, Frame, Said, last_tries, unpack
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.wire.leases import lease_in
from flowfabric.wire.problems import RefusedItem, error_of, refused_item


class Data(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Bytes: either as base64, or, if they are JSON, as this JSON."""

    base64: bytes | UnsetType = UNSET
    json: Raw | UnsetType = UNSET


class Codec(NamedTuple):
    """What one side of the wire knows: how it writes bytes, and how it writes and reads leases."""

    lease_out: Callable[[Lease], str]
    lease_in: Callable[[str], Lease]
    payloads: Literal["base64", "json"] = "base64"


Step = Callable[[Any, Codec], Any]


class Shape(NamedTuple):
    """The form of a type on the wire. A step that is None changes nothing."""

    wire: Any
    out: Step | None
    back: Step | None

    def to_wire(self, value: Any, codec: Codec) -> Any:
        """A value as it is sent."""
        return value if self.out is None else self.out(value, codec)

    def from_wire(self, value: Any, codec: Codec) -> Any:
        """A value as it was before it was sent."""
        return value if self.back is None else self.back(value, codec)


def shape_of(hint: Any, *, strict: bool = False) -> Shape:
    """The shape of a type. `strict`: for what a caller sends, so unknown fields are refused and defaults left out."""
    key = (repr(hint) if hint == _FRAMES else hint, strict)
    if key not in _known:
        _known[key] = _Shaping(strict).of(hint)
    return _known[key]


_known: dict[Any, Shape] = {}

_ENDED: Final = tuple[Lease, bytes | None]
_FRAMES: Final = Frame | bytes
_NAMED_TUPLES: Final[dict[Any, tuple[str, tuple[str, ...]]]] = {
    Append: ("Append", ("lease", "frames", "step", "first_seq")),
    _ENDED: ("Ended", ("lease", "result")),
}
"""Tuples whose places have names on the wire."""
_TUPLES: Final[dict[Any, Any]] = {(StreamPage, "frames"): tuple[StreamFrame, ...]}
"""Fields that hold a tuple, and promise only a sequence."""


# ── bytes, leases, conditions, errors ────────────────────────────────────────────────────────────


def _data_of(value: Any, codec: Codec) -> Any:
    if not isinstance(value, bytes | bytearray | memoryview):
        return value  # the other side says what is wrong with it
    value = bytes(value)
    if codec.payloads == "json" and value:
        try:
            msgspec.json.decode(value)
            return Data(json=Raw(value))
        except UNDECODABLE:
            pass
    return Data(base64=value)


def _bytes_in(data: Data, _: Codec) -> bytes:
    match data.base64, data.json:
        case bytes() as value, UnsetType():
            return value
        case UnsetType(), Raw() as value:
            return bytes(value)
        case _:
            raise InvalidInput('Bytes are written as {"base64": "…"} or {"json": …}: give exactly one of the two.')


def _condition_out(value: Any, _: Codec) -> Any:
    return value if isinstance(value, str) else conditions.plain(conditions.checked(value))


def _condition_back(value: Any, _: Codec) -> Condition | str:
    return value if isinstance(value, str) else conditions.from_plain(value)


_BYTES: Final = Shape(Data, _data_of, _bytes_in)
_LEASE: Final = Shape(str, lambda lease, codec: codec.lease_out(lease), lambda text, codec: codec.lease_in(text))
_FENCE: Final = Shape(
    str,
    lambda fence, codec: codec.lease_out(lease_in(fence)),
    lambda text, codec: _fence_of(codec.lease_in(text)),
)
_CONDITION: Final = Shape(str | dict[str, Any], _condition_out, _condition_back)
_ERROR: Final = Shape(RefusedItem, lambda error, _: refused_item(error), lambda item, _: error_of(item.problem))


def _fence_of(lease: Lease) -> Fence:
    return Fence(parse_execution_id(lease.execution_id), lease.attempt_index, lease.lease_epoch, lease.lease_id)


class SaidFrames(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """Frames, packed as a worker in Python packs them. Others append their frames by `append_frames`."""

    lease: str
    frames: Data
    first_seq: int | None = None


def _said_out(said: Any, codec: Codec) -> Any:
    if not isinstance(said, Said):
        return said
    return SaidFrames(codec.lease_out(lease_in(said.fence)), Data(base64=said.data), said.first_seq)


def _said_back(item: SaidFrames, codec: Codec) -> Said:
    """The frames, after every check that `append_frames` makes: what is packed came from a stranger."""
    data = _bytes_in(item.frames, codec)
    try:
        frames = unpack(data)
    except (*UNDECODABLE, IndexError):
        raise InvalidInput("The frames are not packed as a worker packs them. Append them by append_frames.") from None
    fence = _fence_of(codec.lease_in(item.lease))
    checked = append(fence, [Frame(each.payload, each.kind) for each in frames], None, item.first_seq)
    for each in frames:
        if each.spoken_in is not None:
            checked_name("step", each.spoken_in.step)
            integer("step_try", each.spoken_in.step_try, 1, INSTANT_MS_MAX)
    return replace(checked, data=data, retried=last_tries(each.spoken_in for each in frames))


# ── everything that is made of these ─────────────────────────────────────────────────────────────


class _Shaping:
    """Finds the shapes of types, in one of the two ways."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict

    def of(self, hint: Any) -> Shape:
        if hint in _SPECIAL:
            return _SPECIAL[hint]
        origin, args = get_origin(hint), get_args(hint)
        if hint == _FRAMES:
            frame = self._of(Frame)
            return Shape(frame.wire, lambda v, c: frame.to_wire(v if isinstance(v, Frame) else Frame(v), c), frame.back)
        if hint is FlowGraph:
            return self._graph()
        if origin in (Union, types.UnionType):
            return self._union(args)
        if origin in (list, Sequence) or (origin is tuple and args[1:] == (...,)):
            return self._list(origin, self._of(args[0]))
        if origin is tuple and hint in _NAMED_TUPLES:
            return self._named_tuple(*_NAMED_TUPLES[hint], [self._of(arg) for arg in args])
        if origin in (dict, Mapping):
            return self._mapping(self._of(args[1]))
        if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
            return self._struct(hint)
        return Shape(Any if hint is object else hint, None, None)

    def _of(self, hint: Any) -> Shape:
        return shape_of(hint, strict=self._strict)

    def _list(self, origin: Any, item: Shape) -> Shape:
        # Whether it was a list or a tuple shows in the annotation. A Sequence comes back as a list.
        whole = tuple if origin is tuple else list
        wire = types.GenericAlias(whole, (item.wire, ...) if origin is tuple else (item.wire,))
        return Shape(
            wire,
            item.out and (lambda values, codec: _each(values, item.to_wire, codec)),
            item.back and (lambda values, codec: whole(item.from_wire(value, codec) for value in values)),
        )

    def _mapping(self, item: Shape) -> Shape:
        return Shape(
            types.GenericAlias(dict, (str, item.wire)),
            item.out and (lambda values, codec: _each_value(values, item.to_wire, codec)),
            item.back and (lambda values, codec: {name: item.from_wire(each, codec) for name, each in values.items()}),
        )

    def _named_tuple(self, name: str, names: Sequence[str], parts: Sequence[Shape]) -> Shape:
        twin = msgspec.defstruct(
            name,
            [
                (name, part.wire, None) if type(None) in get_args(part.wire) else (name, part.wire)
                for name, part in zip(names, parts, strict=True)
            ],
            forbid_unknown_fields=self._strict,
        )

        def out(values: Any, codec: Codec) -> Any:
            if not isinstance(values, tuple) or len(values) != len(parts):
                return values
            return twin(*(part.to_wire(value, codec) for part, value in zip(parts, values, strict=True)))

        def back(item: Any, codec: Codec) -> Any:
            return tuple(part.from_wire(getattr(item, name), codec) for name, part in zip(names, parts, strict=True))

        return Shape(twin, out, back)

    def _union(self, members: Sequence[Any]) -> Shape:
        if _is_condition(members):
            return _CONDITION
        shapes = {member: self._of(member) for member in members}
        wire: Any = Union[tuple(shape.wire for shape in shapes.values())]  # noqa: UP007 - the members are known only here
        if not any(shape.out for shape in shapes.values()):
            return Shape(wire, None, None)

        def out(value: Any, codec: Codec) -> Any:
            for member, shape in shapes.items():
                if shape.out and _is_of(value, member):
                    return shape.out(value, codec)
            return value

        def back(value: Any, codec: Codec) -> Any:
            for shape in shapes.values():
                if shape.back and _is_of(value, shape.wire):
                    return shape.back(value, codec)
            return value

        return Shape(wire, out, back)

    def _struct(self, struct: type[msgspec.Struct]) -> Shape:
        own = fields(struct)
        shapes = {field.name: self._of(_TUPLES.get((struct, field.name), field.type)) for field in own}
        if not any(shape.out for shape in shapes.values()):
            return Shape(struct, None, None)
        config = struct.__struct_config__
        twin = msgspec.defstruct(
            struct.__name__,
            [(field.name, *_type_and_default(field, shapes[field.name])) for field in own],
            namespace={"__doc__": struct.__doc__},
            tag=config.tag,
            tag_field=config.tag_field,
            forbid_unknown_fields=self._strict,
            omit_defaults=self._strict,
            kw_only=True,
        )
        # All fields are copied together, and only those with another form are looked at one by one.
        changed = [(field.name, field.default, shape) for field, shape in _changed(own, shapes)]

        def out(value: Any, codec: Codec) -> Any:
            if type(value) is not struct:
                return value
            given = asdict(value)
            for name, default, shape in changed:
                each = given[name]
                if each is default:
                    del given[name]
                elif shape.out is not None:
                    given[name] = shape.out(each, codec)
            return twin(**given)

        def back(item: Any, codec: Codec) -> Any:
            given = asdict(item)
            for name, _, shape in changed:
                each = given[name]
                if each is UNSET:
                    del given[name]
                elif shape.back is not None:
                    given[name] = shape.back(each, codec)
            return struct(**given)

        return Shape(twin, out, back)

    def _graph(self) -> Shape:
        node, edge, join = self._of(NewExecution), self._of(GraphEdge), self._of(Join)
        twin = msgspec.defstruct(
            "FlowGraph",
            [
                ("kind", str),
                ("namespace", str | UnsetType, UNSET),
                ("flow_id", str | None, None),
                ("tags", dict[str, str], msgspec.field(default_factory=dict)),
                ("nodes", types.GenericAlias(dict, (str, node.wire)), msgspec.field(default_factory=dict)),
                ("edges", types.GenericAlias(list, (edge.wire,)), msgspec.field(default_factory=list)),
                ("joins", types.GenericAlias(dict, (str, join.wire)), msgspec.field(default_factory=dict)),
            ],
            namespace={"__doc__": "A whole flow: nodes by name, edges between them, and how they join."},
            forbid_unknown_fields=self._strict,
            omit_defaults=self._strict,
        )

        def out(graph: Any, codec: Codec) -> Any:
            if not isinstance(graph, FlowGraph):
                return graph
            nodes = {name: node.to_wire(each, codec) for name, each in graph.nodes.items()}
            namespace = UNSET if graph.namespace is DEFAULT_NAMESPACE else graph.namespace
            return twin(graph.kind, namespace, graph.flow_id, graph.tags, nodes, graph.edges, graph.joins)

        def back(item: Any, codec: Codec) -> FlowGraph:
            namespace = DEFAULT_NAMESPACE if item.namespace is UNSET else item.namespace
            graph = FlowGraph(item.kind, namespace=namespace, flow_id=item.flow_id, tags=item.tags)
            for name, each in item.nodes.items():
                graph.nodes[name] = node.from_wire(each, codec)
            for each in item.edges:
                graph.edge(each.upstream, each.downstream, pass_result_as=each.pass_result_as)
            for name, policy in item.joins.items():
                graph.join(name, policy)
            return graph

        return Shape(twin, out, back)


_SPECIAL: Final[Mapping[Any, Shape]] = {
    bytes: _BYTES,
    Lease: _LEASE,
    Fence: _FENCE,
    EngineError: _ERROR,
    Said: Shape(SaidFrames, _said_out, _said_back),
}


def _type_and_default(field: FieldInfo, shape: Shape) -> tuple[Any, ...]:
    """The type of a field of a twin, and its default. A field with another form has none: it is left out.

    So is the namespace: whether it was given matters to an engine that is confined to one.
    """
    if field.required:
        return (shape.wire,)
    if _may_be_unset(field, shape):
        return (Union[shape.wire, UnsetType], UNSET)  # noqa: UP007 - the type is known only here
    if field.default_factory is not msgspec.NODEFAULT:
        return (shape.wire, msgspec.field(default_factory=field.default_factory))
    return (shape.wire, field.default)


def _changed(own: Sequence[FieldInfo], shapes: Mapping[str, Shape]) -> Iterator[tuple[FieldInfo, Shape]]:
    """The fields of a struct that have another form in its twin, or may be missing there."""
    for field in own:
        if _may_be_unset(field, shapes[field.name]):
            yield field, shapes[field.name]


def _may_be_unset(field: FieldInfo, shape: Shape) -> bool:
    return shape.out is not None or field.default is DEFAULT_NAMESPACE


def _is_condition(members: Sequence[Any]) -> bool:
    return set(get_args(Condition)) <= set(members)


def _is_of(value: Any, hint: Any) -> bool:
    """Whether a value is of one member of a union."""
    origin = get_origin(hint) or hint
    if origin is bytes:
        return isinstance(value, bytes | bytearray | memoryview)
    if origin in (list, tuple, Sequence):
        return isinstance(value, list | tuple)
    if origin in (dict, Mapping):
        return isinstance(value, Mapping)
    return isinstance(origin, type) and isinstance(value, origin)


def _each(values: Any, step: Step, codec: Codec) -> Any:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Sequence):
        return values  # the other side says what is wrong with it
    return [step(value, codec) for value in values]


def _each_value(values: Any, step: Step, codec: Codec) -> Any:
    if not isinstance(values, Mapping):
        return values
    return {name: step(value, codec) for name, value in values.items()}
