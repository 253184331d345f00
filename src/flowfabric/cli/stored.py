"""Arguments and results for people: decoded by the codec of the program, as JSON, and not too long."""

from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from flowfabric.cli.output import readable

if TYPE_CHECKING:
    from flowfabric.cli.target import Target
    from flowfabric.runtime.codecs import Codec

LINE_CHARS_MAX: Final = 1_000
"""How many characters of a value a line shows."""
DOCUMENT_BYTES_MAX: Final = 64 * 1024
"""How long arguments may be in a JSON document; longer ones are cut."""


def codec_of(at: "Target") -> "Codec | None":
    """The codec of the program, if there is a program."""
    fabric = at.place().fabric
    return None if fabric is None else fabric.codec


def value_in(data: bytes | None, codec: "Codec | None", what: str) -> object:
    """Stored bytes as a value. Bytes that the codec cannot decode are shown as they are, with the reason."""
    from flowfabric.domain.errors import InvalidInput
    from flowfabric.runtime.codecs import decoded

    if data is None or codec is None:
        return readable(data)
    try:
        return readable(decoded(codec, data, what))
    except InvalidInput as error:
        return {"not_decoded": str(error), "base64": b64encode(data).decode()}


def arguments_in(payload: bytes, codec: "Codec | None") -> object:
    """The arguments in a payload, by name. A payload that is not the call of a task is shown as it is."""
    value = value_in(payload, codec, "the arguments") if payload else None
    if not isinstance(value, dict) or not isinstance(value.get("arguments"), dict):
        return value
    try:
        return _filled(**value)
    except (LookupError, TypeError, ValueError):  # the payload only looks like a call
        return value


def _filled(arguments: dict[str, Any], outputs: Sequence[Any] = ()) -> dict[str, Any]:
    """The arguments, with a note in each place that the result of another member will fill."""
    for (*way, last), source, path in outputs:
        place: Any = arguments
        for step in way:
            place = place[step]
        place[last] = {"result_of": source, **({"part": path} if path else {})}
    return arguments


def in_a_line(value: object) -> str | None:
    """A value as JSON on one line. A value that is cut ends with its length."""
    if value is None:
        return None
    text = _json(value)
    if len(text) <= LINE_CHARS_MAX:
        return text
    return f"{text[:LINE_CHARS_MAX]}... (cut; it is {len(text.encode()):,} bytes long)"


def in_a_document(value: object) -> object:
    """A value for a JSON document: the whole value, or its beginning and its length."""
    data = _json(value).encode()
    if len(data) <= DOCUMENT_BYTES_MAX:
        return value
    return {"cut": data[:DOCUMENT_BYTES_MAX].decode("utf-8", "ignore"), "bytes": len(data)}


def _json(value: object) -> str:
    import msgspec

    return msgspec.json.encode(value, enc_hook=str).decode()
