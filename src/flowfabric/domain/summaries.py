"""The summary of an execution: one small JSON document that its attempts patch, as RFC 7396 says."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from flowfabric.domain.errors import Corruption, InvalidInput
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.undecodable import UNDECODABLE

SUMMARY_BYTES_MAX: Final = 64 * 1024
SUMMARY_DEPTH_MAX: Final = 16

Document = Mapping[str, Any]


class StoredSummary(msgspec.Struct, frozen=True, gc=False):
    """The summary of an execution. It stays when attempts end, and when frames are removed."""

    execution_id: ExecutionId
    version: int
    document: str
    """JSON."""


def document_of(summary: StoredSummary) -> dict[str, Any]:
    """The document. A text that is no object of JSON is Corruption."""
    try:
        return msgspec.json.decode(summary.document, type=dict[str, Any])
    except UNDECODABLE as error:
        raise Corruption(
            f"ff_summary, key {summary.execution_id}: column document does not parse ({error}). "
            "Repair or delete the row."
        ) from error


def merged(document: Document, patch: Document) -> dict[str, Any]:
    """The document after a merge patch: None removes a member, an object is merged, anything else replaces."""
    found = dict(document)
    for key, value in patch.items():
        if value is None:
            found.pop(key, None)
        elif isinstance(value, Mapping):
            before = found.get(key)
            found[key] = merged(before if isinstance(before, Mapping) else {}, value)
        else:
            found[key] = value
    return found


def both(first: Document, second: Document) -> dict[str, Any] | None:
    """One patch that does what these two do, one after the other. None: no single patch does that.

    If the first one replaces or removes a member and the second one has an object there, the object must not be merged
    into what is stored, and a patch cannot say so.
    """
    found = dict(first)
    for key, value in second.items():
        if isinstance(value, Mapping) and key in found:
            before = found[key]
            together = both(before, value) if isinstance(before, Mapping) else None
            if together is None:
                return None
            found[key] = together
        else:
            found[key] = value
    return found


def depth_of(value: object) -> int:
    """How deep a document is: a plain value has depth 0. It stops counting above the limit."""
    level, depth = [value], 0
    while True:
        inner = [each for each in level if isinstance(each, (Mapping, list, tuple))]
        if not inner or depth > SUMMARY_DEPTH_MAX:
            return depth
        depth += 1
        level = [part for each in inner for part in (each.values() if isinstance(each, Mapping) else each)]


def check_fits(document: Document, encoded: str) -> None:
    """Refuse a document that is too large or too deep."""
    size = len(encoded.encode())
    if size > SUMMARY_BYTES_MAX:
        raise InvalidInput(
            f"The summary would have {size} bytes; the limit is {SUMMARY_BYTES_MAX}. Remove members from it with None, "
            "and write what is long as frames."
        )
    if depth_of(document) > SUMMARY_DEPTH_MAX:
        raise InvalidInput(f"The summary would be more than {SUMMARY_DEPTH_MAX} levels deep. Make it flatter.")
