"""Random lives of an execution that speaks: every reader sees what a model says that counts.

Claims, frames inside and outside of steps, tries, stored steps, failures, releases, lost workers, suspensions, replays
and cancels come in any order. Readers read when they like, as much as they like, and go on from any cursor that they
ever had.
"""

import random
from typing import TYPE_CHECKING

import msgspec
import pytest

from flowfabric import Transcript
from flowfabric.domain.commands import AppendFrames
from flowfabric.domain.errors import EngineError
from flowfabric.domain.policies import ExecutionPolicy, RetryPolicy
from flowfabric.domain.stream_pages import StreamCursor, StreamFrame
from flowfabric.domain.streams import START, Said, SpokenIn, StoredFrame, said
from tests.domain.stream_model import Spoken, StreamModel
from tests.domain.streaming_world import StreamingWorld, text
from tests.sizes import IS_FULL

if TYPE_CHECKING:
    from collections.abc import Callable

    from flowfabric.domain.lease import Fence

UNTIRING = ExecutionPolicy(
    retry=RetryPolicy(max_retries=1_000, initial_delay_ms=0, jitter=0.0), max_interruptions=1_000, max_replays=None
)
SEEDS = 1_000 if IS_FULL else 40
MOMENTS = 60
PAGE_SIZES = (1, 2, 3, 7, 1_000_000)


def _as_spoken(frame: StreamFrame) -> Spoken:
    return Spoken(frame.lease_epoch, frame.seq, frame.payload, frame.step, frame.step_try)


class Reader:
    """Somebody who reads now and then, and keeps what counts."""

    def __init__(self, story: "Story", cursor: StreamCursor, frames: tuple[StreamFrame, ...] = ()) -> None:
        self._story = story
        self.cursor = cursor
        self._transcript = Transcript()
        for frame in frames:
            self._transcript.add(frame)

    @property
    def frames(self) -> tuple[StreamFrame, ...]:
        return tuple(self._transcript.frames)

    def copy(self) -> "Reader":
        return Reader(self._story, self.cursor, self.frames)

    def read_page(self) -> bool:
        """Read one page, and compare. False: there is nothing more."""
        world, model, chance = self._story.world, self._story.model, self._story.chance
        before = self.cursor
        part = world.read(before, chance.choice(PAGE_SIZES), chunks_at_once=chance.choice((1, 2, 100)))
        for frame in part.frames:
            self._transcript.add(frame)
        self.cursor = part.cursor
        restarts = [frame for frame in part.frames if frame.kind == "restart"]
        assert restarts == part.frames[:1] * len(restarts), "a restart is the first frame of its page"
        if restarts:
            self._check_why(restarts[0], before)
        expected = [frame for frame in model.counting if (frame.epoch, frame.seq) <= self.cursor.position]
        assert list(map(_as_spoken, self.frames)) == expected
        return not part.is_at_end

    def _check_why(self, restart: StreamFrame, before: StreamCursor) -> None:
        world, model = self._story.world, self._story.model
        why = msgspec.json.decode(restart.payload)["why"]
        assert before.position != START
        assert restart.lease_epoch == model.epoch
        if before.known_replays < world.x.replay_count:
            assert why == "replayed"
        elif (expected := model.why_since(before.known_epoch)) is not None:
            # A record that has ended does not say whether the last retry that it counted was claimed.
            assert why == expected or (world.x.has_ended and why == self._story.why)
        else:
            assert why == "step_retried"

    def read_all(self) -> None:
        while self.read_page():
            pass
        assert list(map(_as_spoken, self.frames)) == self._story.model.counting


class Story:
    """A random life."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.drops_steps = self.chance.random() < 0.6
        """Whether replays drop steps. Then no last try is silent: a dropped step would be all that knew of it."""
        self.world = StreamingWorld(starts=False, policy=UNTIRING)
        self.model = StreamModel()
        self.why = "first"
        self.open_steps: dict[str, int] = {}
        """Steps that are under way, each with its try."""
        self.order: list[str] = []
        """The names of all stored steps, ends of waits among them, in order."""
        self.numbers = 0
        self.fences: list[Fence] = []
        self.last_said: Said | None = None
        self.readers = [Reader(self, self.world.start) for _ in range(4)]
        self.saved: list[Reader] = []

    def run(self) -> None:
        for _ in range(MOMENTS):
            self._one_moment()
            self._readers_read()
        for reader in [*self.readers, *self.saved]:
            reader.read_all()

    def _readers_read(self) -> None:
        for reader in self.readers:
            if self.chance.random() < 0.3:
                reader.read_page()
            if self.chance.random() < 0.1:
                self.saved.append(reader.copy())
        if self.saved and self.chance.random() < 0.2:
            self.chance.choice(self.saved).copy().read_all()
        for size in self.chance.sample(PAGE_SIZES, 2):
            assert list(map(_as_spoken, self.world.read_all(size))) == self.model.counting
        assert list(map(_as_spoken, self.world.read_all(view="all"))) == self.model.all

    # ── what happens ─────────────────────────────────────────────────────────────────────────────

    def _one_moment(self) -> None:
        phase = self.world.x.lifecycle_phase
        if phase == "active":
            often: list[Callable[[], None]] = [
                self._speak,
                self._speak,
                self._speak,
                self._store_step,
                self._retry_step,
            ]
            seldom = [
                self._fail,
                self._fail_for_good,
                self._release,
                self._lose,
                self._suspend,
                self._complete,
                self._repeat,
                self._speak_as_a_zombie,
            ]
            self.chance.choice(often * 4 + seldom)()
        elif self.world.x.has_ended:
            self._replay()
        elif self.chance.random() < 0.1:
            self._cancel()
        elif phase == "suspended":
            self.world.signal(f"key {self.numbers}")
            self.order.append(f"wait {self.numbers}")
        else:
            self._claim()

    def _claim(self) -> None:
        epoch = self.world.claim().lease.lease_epoch
        self.fences.append(self.world.fence)
        self.model.claim(epoch, self.why)
        self.open_steps = {}
        self.last_said = None

    def _new_text(self) -> bytes:
        self.numbers += 1
        return b"%d" % self.numbers

    def _some_said(self, only_in: str | None = None) -> Said:
        """Some frames, inside and outside of steps that run side by side."""
        names = [name for name in ("a", "b", "c", "d") if name not in self.model.stored]
        while names and len(self.open_steps) < 2 and self.chance.random() < 0.7:
            self.open_steps.setdefault(self.chance.choice(names), 1)
        where = [only_in] if only_in is not None else [None, *self.open_steps]
        seq = len([frame for frame in self.model.all if frame.epoch == self.model.epoch])
        frames: list[StoredFrame] = []
        for number in range(self.chance.randint(1, 4)):
            step = self.chance.choice(where)
            if step is not None and self.chance.random() < 0.1:
                self.open_steps[step] += 1
            spoken_in = None if step is None else SpokenIn(step, self.open_steps[step])
            frames.append(text(self._new_text(), spoken_in))
            self.model.say(seq + number, frames[-1].payload, step, self.open_steps.get(step or "", 1))
        return said(self.world.fence, frames, self.chance.choice((None, seq)))

    def _maybe_said(self) -> Said | None:
        return self._some_said() if self.chance.random() < 0.5 else None

    def _speak(self) -> None:
        self.last_said = self._some_said()
        seq = self.world.one(AppendFrames(self.last_said)).first_seq
        self.last_said = msgspec.structs.replace(self.last_said, first_seq=seq)

    def _repeat(self) -> None:
        """The answer to an append was lost."""
        if self.last_said is not None:
            self.world.one(AppendFrames(self.last_said))

    def _speak_as_a_zombie(self) -> None:
        """Somebody has lost the lease, and does not know it."""
        if len(self.fences) > 1:
            fence = self.chance.choice(self.fences[:-1])
            with pytest.raises(EngineError):
                self.world.one(AppendFrames(said(fence, [text(b"from the grave")], self.chance.choice((None, 0)))))

    def _retry_step(self) -> None:
        if self.open_steps:
            self.open_steps[self.chance.choice(list(self.open_steps))] += 1

    def _store_step(self) -> None:
        if not self.open_steps:
            return
        name = self.chance.choice(list(self.open_steps))
        has_last_words = self.chance.random() < 0.5 or (self.drops_steps and self.open_steps[name] > 1)
        last_words = self._some_said(only_in=name) if has_last_words else None
        tries = self.open_steps.pop(name)
        self.world.record_step(name, tries=tries, said=last_words)
        self.model.store(name, tries)
        self.order.append(name)

    def _fail(self) -> None:
        self.world.fail(said=self._maybe_said())
        self.why = "retried"

    def _fail_for_good(self) -> None:
        self.world.fail(retryable=False, said=self._maybe_said())

    def _complete(self) -> None:
        self.world.complete(self._maybe_said())

    def _release(self) -> None:
        self.world.release(self._maybe_said())
        self.why = "released"

    def _lose(self) -> None:
        self.world.lose()
        self.why = "worker_lost"

    def _suspend(self) -> None:
        self.numbers += 1
        command = self.world.suspend_command(f"key {self.numbers}", f"wait {self.numbers}")
        self.world.send(command, None)
        self.why = "resumed"

    def _cancel(self) -> None:
        self.world.cancel()

    def _replay(self) -> None:
        how = self.chance.choice(("keep", "clear", "from_step")) if self.drops_steps else "keep"
        if how == "from_step" and self.order:
            from_step = self.chance.choice(self.order)
            self.order = self.order[: self.order.index(from_step)]
            self.world.replay(from_step=from_step)
        elif how == "clear":
            self.order = []
            self.world.replay(steps="clear")
        else:
            self.world.replay(steps="keep")
        self.model.replay([name for name in self.order if name in self.model.stored])
        self.why = "replayed"


@pytest.mark.parametrize("first_seed", range(0, SEEDS, 10))
def test_every_reader_sees_what_counts_at_any_moment_and_from_any_cursor(first_seed: int):
    for seed in range(first_seed, first_seed + 10):
        Story(seed).run()
