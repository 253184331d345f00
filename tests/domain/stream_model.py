"""What a stream says, kept by hand: a list from which each event takes the frames that no longer count.

It knows nothing of how frames are stored or found. The rules are written as what happens to the list, and not as a
question to each frame, so that both can hardly be wrong in the same way.
"""

from typing import Final, NamedTuple

WHY: Final = ("replayed", "retried", "worker_lost", "released", "resumed")
"""Why an execution was claimed again. If it was claimed several times, the first of these that applies is shown."""


class Spoken(NamedTuple):
    """One frame."""

    epoch: int
    seq: int
    payload: bytes
    step: str | None
    step_try: int


class StreamModel:
    """What counts, at any moment."""

    def __init__(self) -> None:
        self.epoch = 0
        self.counting: list[Spoken] = []
        self.all: list[Spoken] = []
        self.stored: dict[str, tuple[int, int]] = {}
        """Stored steps, in order: the epoch and the try that has stored each."""
        self.claims: list[tuple[int, str]] = []
        """Each claimed epoch, and why it was claimed."""

    def claim(self, epoch: int, why: str) -> None:
        """The function runs again from the top: only stored steps need not be said again."""
        self.epoch = epoch
        self.claims.append((epoch, why))
        self._drop_what_is_not_stored()

    def say(self, seq: int, payload: bytes, step: str | None, step_try: int) -> None:
        """A frame is written. If it is the first of a new try, the step says everything again."""
        if step is not None:
            self._drop_earlier_tries(step, step_try)
        frame = Spoken(self.epoch, seq, payload, step, step_try)
        self.all.append(frame)
        self.counting.append(frame)

    def store(self, step: str, tries: int) -> None:
        """A step is stored. Its last try may have said nothing at all."""
        self.stored[step] = self.epoch, tries
        self._drop_earlier_tries(step, tries)

    def replay(self, kept: list[str]) -> None:
        """Steps that a replay drops will be done again. What the last run has said stays until the next one begins."""
        self.stored = {step: self.stored[step] for step in kept}
        last_run = [frame for frame in self.counting if frame.epoch == self.epoch]
        self._drop_what_is_not_stored()
        self.counting = [frame for frame in self.counting if frame.epoch != self.epoch] + last_run

    def _drop_what_is_not_stored(self) -> None:
        self.counting = [
            frame for frame in self.counting if self.stored.get(frame.step or "") == (frame.epoch, frame.step_try)
        ]

    def _drop_earlier_tries(self, step: str, step_try: int) -> None:
        self.counting = [
            frame
            for frame in self.counting
            if (frame.epoch, frame.step) != (self.epoch, step) or frame.step_try >= step_try
        ]

    def why_since(self, epoch: int) -> str | None:
        """Why there are claims after an epoch. None: there are none."""
        reasons = {why for claimed, why in self.claims if claimed > epoch}
        return next((why for why in WHY if why in reasons), None)
