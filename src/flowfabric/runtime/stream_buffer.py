"""What an attempt has said and what is not stored yet: frames, and patches of its summary. From any thread."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from flowfabric.domain.streams import APPEND_BYTES_MAX, FRAME_BYTES_MAX, FRAMES_MAX, StoredFrame
from flowfabric.domain.summaries import SUMMARY_BYTES_MAX, both

FRAME_BYTES: Final = 40
"""With how many bytes a frame counts beside its payload, so that there is a bound for many small frames, too."""
HURRY_BYTES: Final = 32 * 1024
"""If so much has gathered, it is sent at once."""
FULL_BYTES: Final = 1024 * 1024
"""If so much waits, code in threads and in child processes has to wait before it can write more."""
LIMIT_BYTES: Final = 8 * FULL_BYTES
"""So much may wait at most. Code on the event loop of the worker cannot be made to wait, so it may come that far."""


class Mark(NamedTuple):
    """How much was said up to a moment: so many frames, and so many patches."""

    frames: int
    patches: int


class Patch:
    """A patch of the summary. It may stand for several that were made one after the other."""

    def __init__(self, document: dict[str, Any], size: int, number: int) -> None:
        self.document = document
        self.size = size
        """Its bytes as JSON, or a few more."""
        self.number = number
        """The number of the last patch in it."""
        self.is_under_way = False

    def takes(self, document: dict[str, Any], size: int, number: int) -> bool:
        """Add the next patch to this one. False: no single patch would do the same, or it would be too large."""
        together = None if self.is_under_way else both(self.document, document)
        if together is None:
            return False
        size += self.size
        if size > SUMMARY_BYTES_MAX:
            size = len(msgspec.json.encode(together))
        if size > SUMMARY_BYTES_MAX:
            return False
        self.document, self.size, self.number = together, size, number
        return True


class StreamBuffer:
    """Gathers what one attempt says, in order. `report` is called when something is to be sent; True: at once."""

    def __init__(self, report: Callable[[bool], None]) -> None:
        self._report = report
        self._changed = threading.Condition()  # re-entrant: a garbage collection may print in the middle
        self._frames: list[StoredFrame] = []
        """The frames that are not taken yet."""
        self._bytes = 0
        """The payloads of these frames."""
        self._patches: list[Patch] = []
        self._waiting = 0
        """The bytes that count for everything that is not stored."""
        self._frames_said = self._frames_stored = 0
        self._patches_said = self._patches_stored = 0
        self._left_line = 0
        """The number of the last frame that was left because its line had no end."""
        self._is_reported = False
        self.must_hurry = False
        """Whether everything is to be sent at once."""
        self.is_closed = False
        self.dropped = 0
        """How many frames were dropped: those that were not stored when this was closed, and those that came later."""

    # ── adding ───────────────────────────────────────────────────────────────────────────────────

    def add(self, frame: StoredFrame, *, may_wait: bool) -> bool:
        """Add a frame. If there is no room, wait for it in this thread. Without `may_wait`: False at the limit."""
        with self._changed:
            if self._waiting >= FULL_BYTES and not self._has_room(may_wait):
                return False
            if self.is_closed:
                self.dropped += 1
                return True
            self._append(frame)
            must_report = self._must_report()
        if must_report:
            self._report(self.must_hurry)
        return True

    def add_output(self, part: StoredFrame, *, may_wait: bool) -> None:
        """Add what code has printed. A line that is printed in parts is one frame, unless some parts were sent before.

        Output for which there is no room is dropped and counted: no code expects an error from `print`.
        """
        with self._changed:
            if (self._waiting >= FULL_BYTES and not self._has_room(may_wait)) or self.is_closed:
                self.dropped += 1
                return
            last = self._frames[-1] if self._frames else None
            if last is None or not _is_one_line(last, part):
                self._append(part)
            else:
                self._frames[-1] = last._replace(payload=last.payload + part.payload)
                self._bytes += len(part.payload)
                self._waiting += len(part.payload)
            must_report = self._must_report()
        if must_report:
            self._report(self.must_hurry)

    def add_all(self, frames: Sequence[StoredFrame]) -> None:
        """Add frames whether there is room or not. The caller waits afterwards, if need be."""
        with self._changed:
            if self.is_closed:
                self.dropped += len(frames)
                return
            for frame in frames:
                self._append(frame)
            must_report = self._must_report()
        if must_report:
            self._report(self.must_hurry)

    def patch(self, document: dict[str, Any], size: int) -> None:
        """Add a patch of the summary."""
        with self._changed:
            if self.is_closed:
                return
            self._patches_said += 1
            before = sum(patch.size for patch in self._patches[-1:])
            if self._patches and self._patches[-1].takes(document, size, self._patches_said):
                self._waiting += self._patches[-1].size - before
            else:
                self._patches.append(Patch(document, size, self._patches_said))
                self._waiting += size
            must_report = self._must_report()
        if must_report:
            self._report(self.must_hurry)

    def _append(self, frame: StoredFrame) -> None:
        size = len(frame.payload)
        self._frames.append(frame)
        self._frames_said += 1
        self._bytes += size
        self._waiting += size + FRAME_BYTES

    def _must_report(self) -> bool:
        """Whether there is news for the one who sends: there is something, or there is much."""
        is_much = self._bytes + FRAME_BYTES * len(self._frames) >= HURRY_BYTES
        if self._is_reported and (self.must_hurry or not is_much):
            return False
        self._is_reported, self.must_hurry = True, self.must_hurry or is_much
        return True

    def _has_room(self, may_wait: bool) -> bool:
        if not may_wait:
            return self._waiting < LIMIT_BYTES
        self._changed.wait_for(lambda: self._waiting < FULL_BYTES or self.is_closed)
        return True

    # ── sending ──────────────────────────────────────────────────────────────────────────────────

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left to be sent."""
        return not self._frames and not self._patches

    @property
    def has_patches(self) -> bool:
        """Whether patches are left to be sent."""
        return bool(self._patches)

    @property
    def is_full(self) -> bool:
        """Whether so much waits that code in threads has to wait."""
        return self._waiting >= FULL_BYTES

    def hurry(self) -> None:
        """Let everything be sent at once."""
        self.must_hurry = True
        self._report(True)

    def take(
        self, frames_max: int = FRAMES_MAX, bytes_max: int = APPEND_BYTES_MAX, *, leaves_open_line: bool = False
    ) -> list[StoredFrame]:
        """Take the oldest frames: as many as fit, and at least one if there are any.

        With `leaves_open_line`, a line at the end that code is just printing is left for the next time, but only once.
        """
        with self._changed:
            if len(self._frames) <= frames_max and self._bytes <= bytes_max:
                taken, self._frames = self._frames, []
                if leaves_open_line and self._left_line < self._frames_said and taken and _is_open(taken[-1]):
                    self._frames.append(taken.pop())
                    self._left_line = self._frames_said
                self._bytes = sum(len(frame.payload) for frame in self._frames)
                self._is_reported, self.must_hurry = bool(self._frames), False
                return taken
            count = size = 0
            for frame in self._frames[:frames_max]:
                if count and size + len(frame.payload) > bytes_max:
                    break
                size += len(frame.payload)
                count += 1
            taken = self._frames[:count]
            del self._frames[:count]
            self._bytes -= size
            return taken

    def stored(self, count: int, size: int) -> None:
        """So many of the taken frames, with payloads of this size, are stored."""
        with self._changed:
            self._frames_stored += count
            self._waiting -= size + count * FRAME_BYTES
            self._changed.notify_all()

    def first_patch(self) -> Patch | None:
        """The oldest patch. It is there until `patched` is called, and nothing is added to it from now on."""
        with self._changed:
            for patch in self._patches[:1]:
                patch.is_under_way = True
                return patch
            return None

    def patched(self, patch: Patch) -> None:
        """The oldest patch is stored, or was refused."""
        with self._changed:
            if self._patches[:1] == [patch]:
                del self._patches[0]
                self._patches_stored = patch.number
                self._waiting -= patch.size
                self._changed.notify_all()

    # ── waiting ──────────────────────────────────────────────────────────────────────────────────

    def mark(self) -> Mark:
        """How much was said up to now."""
        return Mark(self._frames_said, self._patches_said)

    def has_stored(self, mark: Mark) -> bool:
        """Whether everything up to the mark is stored, or will never be."""
        return self.is_closed or (self._frames_stored >= mark.frames and self._patches_stored >= mark.patches)

    def wait_until_stored(self, mark: Mark) -> None:
        """Wait for that in this thread."""
        with self._changed:
            self._changed.wait_for(lambda: self.has_stored(mark))

    def close(self, under_way: int = 0) -> int:
        """Drop what is not stored, and everything that comes later. Returns how many frames were dropped so far.

        `under_way` is how many frames were taken and are not stored.
        """
        with self._changed:
            if not self.is_closed:
                self.is_closed = True
                self.dropped += len(self._frames) + under_way
                self._frames, self._patches, self._waiting = [], [], 0
                self._changed.notify_all()
            return self.dropped


def _is_open(frame: StoredFrame) -> bool:
    """Whether the frame is a line that has no end yet."""
    return frame.kind in ("stdout", "stderr") and not frame.payload.endswith(b"\n")


def _is_one_line(last: StoredFrame, part: StoredFrame) -> bool:
    """Whether the part goes on with the line of the last frame."""
    return (
        _is_open(last)
        and (last.kind, last.spoken_in) == (part.kind, part.spoken_in)
        and len(last.payload) + len(part.payload) <= FRAME_BYTES_MAX
    )
