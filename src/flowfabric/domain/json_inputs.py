"""The check of arguments that are kept as JSON, in the manner of `inputs`."""

import math
from collections.abc import Mapping

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown


class JsonBounds(msgspec.Struct, frozen=True):
    """What one argument may be."""

    field: str
    bytes_max: int
    depth_max: int
    """How many mappings and lists may be in each other."""
    integer_max: int


def json_mapping(value: Mapping[object, object], bounds: JsonBounds) -> dict[str, object]:
    """The mapping as it comes back from JSON. What would change, and what not every store can keep, is refused.

    How many bytes it has altogether is for the caller to check.
    """
    return _mapping(bounds.field, value, bounds, 1)


def _mapping(where: str, value: Mapping[object, object], bounds: JsonBounds, depth: int) -> dict[str, object]:
    _check_depth(bounds, depth)
    for each in value:
        inputs.text(f"a key in {where}", each, bounds.bytes_max)
    return {str(each): _any(f"{where}[{shown(each)}]", part, bounds, depth + 1) for each, part in value.items()}


def _any(where: str, value: object, bounds: JsonBounds, depth: int) -> object:
    match value:
        case None | bool():
            return value
        case str():
            return inputs.text(where, value, bounds.bytes_max)
        case int():
            return inputs.integer(where, value, -bounds.integer_max, bounds.integer_max)
        case float() if math.isfinite(value):
            return value
        case Mapping():
            return _mapping(where, value, bounds, depth)
        case list() | tuple():
            _check_depth(bounds, depth)
            return [_any(f"{where}[{at}]", part, bounds, depth + 1) for at, part in enumerate(value)]
        case _:
            raise InvalidInput(
                f"{where} is {shown(value)}, which is no JSON. Use texts, finite numbers, True, False, None, lists "
                "and mappings."
            )


def _check_depth(bounds: JsonBounds, depth: int) -> None:
    if depth > bounds.depth_max:
        raise InvalidInput(f"{bounds.field} is nested deeper than {bounds.depth_max}. Make it flatter.")
