"""The checks of the arguments of methods about streams and summaries, in the manner of `inputs`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.json_inputs import JsonBounds, json_mapping
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
from flowfabric.domain.summaries import SUMMARY_BYTES_MAX, SUMMARY_DEPTH_MAX

APPENDS_MAX: Final = 1_000
"""How many streams one call appends to at most."""
_PATCH: Final = JsonBounds("patch", SUMMARY_BYTES_MAX, SUMMARY_DEPTH_MAX, integer_max=2**63 - 1)


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


def packed(value: object, what: str = "said") -> Said:
    """Frames that are packed already. What is in them is not looked at again."""
    if not isinstance(value, Said):
        raise InvalidInput(
            f"{what} is {shown(value)}; it must be what `said` in flowfabric.domain.streams has made of frames."
        )
    return value


def sequence(value: object, what: str) -> Sequence[object]:
    """What is appended to several streams in one call. `what` is the first half of the refusal."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Sequence):
        raise InvalidInput(f"{what}, not {type(value).__name__}.")
    return value


def size_of_call(items: Sequence[Said]) -> None:
    """Refuse what is too much for one call."""
    if len(items) > APPENDS_MAX:
        raise InvalidInput(f"appends has {len(items)} entries; the limit is {APPENDS_MAX}. Send several calls.")
    size = sum(len(each.data) for each in items)
    if size > inputs.CALL_BYTES_MAX:
        raise InvalidInput(
            f"The frames of one call are {size} bytes together; the limit is {inputs.CALL_BYTES_MAX}. Nothing was "
            "appended. Send several calls."
        )


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
    checked = json_mapping(value, _PATCH)
    size = len(msgspec.json.encode(checked))
    if size > SUMMARY_BYTES_MAX:
        raise InvalidInput(
            f"patch has {size} bytes as JSON; the limit is {SUMMARY_BYTES_MAX}. Write what is long as frames."
        )
    return checked
