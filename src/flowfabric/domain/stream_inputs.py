"""The checks of the arguments of methods about streams and summaries, in the manner of `inputs`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.lease import Fence
from flowfabric.domain.stream_pages import STREAM_VIEWS, StreamView
from flowfabric.domain.streams import (
    APPEND_BYTES_MAX,
    FRAME_BYTES_MAX,
    FRAME_KINDS,
    FRAMES_MAX,
    Frame,
    Said,
    SpokenIn,
    StoredFrame,
    said,
)
from flowfabric.domain.summaries import SUMMARY_BYTES_MAX, SUMMARY_DEPTH_MAX, depth_of

APPENDS_MAX: Final = 1_000
"""How many streams one call appends to at most."""


def append(fence: Fence, frames: object, step: object, first_seq: object, what: str = "frames") -> Said:
    """Frames to be appended to one stream."""
    if isinstance(frames, (str, bytes, Mapping)) or not isinstance(frames, Sequence):
        raise InvalidInput(f"{what} is a sequence of frames, not {type(frames).__name__}.")
    if not 1 <= len(frames) <= FRAMES_MAX:
        raise InvalidInput(f"{what} has {len(frames)} entries; it must have 1 to {FRAMES_MAX}.")
    spoken_in = None if step is None else SpokenIn(inputs.name("step", step), 1)
    checked = [stored_frame(each, spoken_in, f"{what}[{place}]") for place, each in enumerate(frames)]
    size = sum(len(each.payload) for each in checked)
    if size > APPEND_BYTES_MAX:
        raise InvalidInput(f"{what} has {size} bytes; the limit is {APPEND_BYTES_MAX}. Append several times.")
    if first_seq is not None:
        inputs.integer("first_seq", first_seq, 0, inputs.INSTANT_MS_MAX)
    return said(fence, checked, first_seq if isinstance(first_seq, int) else None)


def stored_frame(frame: object, spoken_in: SpokenIn | None, what: str) -> StoredFrame:
    """One frame: a `Frame`, or the bytes of a text."""
    if not isinstance(frame, Frame):
        return StoredFrame("text", inputs.payload(what, frame, FRAME_BYTES_MAX), spoken_in)
    if frame.kind not in FRAME_KINDS:
        raise InvalidInput(f"{what} has the kind {shown(frame.kind)}; it must be one of {', '.join(FRAME_KINDS)}.")
    return StoredFrame(frame.kind, inputs.payload(what, frame.payload, FRAME_BYTES_MAX), spoken_in)


def stream_view(value: object) -> StreamView:
    """Which frames a reader wants."""
    for known in STREAM_VIEWS:
        if value == known:
            return known
    raise InvalidInput(f"view is {shown(value)}; it must be 'effective' or 'all'.")


def patch(value: object) -> dict[str, Any]:
    """A merge patch: an object of JSON."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"patch is a mapping, not {type(value).__name__}. It is merged into the summary.")
    try:
        encoded = msgspec.json.encode(value)
        found = msgspec.json.decode(encoded)
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"patch cannot be written as JSON: {error}. Give plain values.") from None
    if len(encoded) > SUMMARY_BYTES_MAX:
        raise InvalidInput(f"patch has {len(encoded)} bytes as JSON; the limit is {SUMMARY_BYTES_MAX}.")
    if depth_of(found) > SUMMARY_DEPTH_MAX:
        raise InvalidInput(f"patch is more than {SUMMARY_DEPTH_MAX} levels deep. Make it flatter.")
    checked: dict[str, Any] = found
    inputs.text("patch", encoded.decode(), SUMMARY_BYTES_MAX)
    return checked
