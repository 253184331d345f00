"""Single values ⇄ JSON, through a type hint: arguments, results, and results of steps."""

import inspect
import math
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final, get_type_hints
from uuid import UUID

import msgspec
import msgspec.inspect

from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.runtime.outputs import Output

_CARRIED: Final = (bytes, bytearray, memoryview, datetime, date, time, timedelta, Decimal, UUID)
"""Types that JSON carries as text. They are kept as they are where types are compared."""
_ALIKE: Final = (int, str, bool)
"""Types whose values are the same in JSON, so that no comparison is needed."""


class TypedValue:
    """Encodes and decodes the values of one parameter, or of the result."""

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
        """The value as JSON. Raises InvalidInput if it does not fit the type hint."""
        if type(value) is self._hint and self._hint in _ALIKE:
            return json_or_refusal(value, what)
        if value is None and self.takes_none:
            return b"null"
        try:
            # The Python type is checked first: JSON alone would accept bytes for text, and a date for a text.
            plain = msgspec.to_builtins(value, builtin_types=_CARRIED, enc_hook=_to_json)
            taken = msgspec.convert(plain, self._hint, dec_hook=_from_json)
            data = json_or_refusal(value, what)
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
        """The value that was encoded. Raises InvalidInput if it does not fit the type hint."""
        try:
            return self._decoder.decode(data)
        except (*UNDECODABLE, ValueError) as error:
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
    except (*UNDECODABLE, ValueError):
        return False
    return True


def json_or_refusal(value: object, what: str) -> bytes:
    """The value as JSON. If that is impossible, InvalidInput names the value by `what`."""
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


# ── pydantic's models, without knowing pydantic ──────────────────────────────────────────────────


def _to_json(value: object) -> object:
    if isinstance(value, Output):
        raise TypeError(
            f"{value!r} is for flow.add(...): as an argument, or in a list or a dict by name that is one, nowhere else"
        )
    dump = getattr(value, "model_dump_json", None)
    if dump is None:
        raise TypeError(f"JSON cannot carry {type(value).__name__}")
    # By alias, because a model reads aliases; as JSON text, because only there numbers keep all their digits.
    return msgspec.json.decode(dump(by_alias=True, round_trip=True))


def _from_json(kind: type, value: object) -> object:
    validate = getattr(kind, "model_validate_json", None)
    if validate is None:
        raise TypeError(f"JSON cannot carry {kind.__name__}")
    # As JSON, not as Python values: a strict model accepts a text for a date only in JSON.
    return validate(msgspec.json.encode(value))


# ── values without a task ────────────────────────────────────────────────────────────────────────


def json_of(value: object, *, is_canonical: bool = False) -> bytes:
    """A value as JSON. Canonical: equal values give equal bytes, even if their dicts have another order."""
    return msgspec.json.encode(value, enc_hook=_to_json, order="deterministic" if is_canonical else None)


def decoder_of_result(function: Callable[..., Any]) -> "msgspec.json.Decoder[Any]":
    """A decoder for a function's results, by its type hint if it has one that can be resolved."""
    try:
        hint = get_type_hints(inspect.unwrap(function), include_extras=True).get("return", Any)
        return msgspec.json.Decoder(hint, dec_hook=_from_json)
    except (TypeError, NameError, AttributeError):  # a partial, a builtin or a callable object
        return msgspec.json.Decoder(Any)
