"""Random stories in which executions say something and others read it, made from a seed and nothing else."""

import random
from typing import Any

from flowfabric import ExecutionPolicy, Frame, RetryPolicy
from tests.stores.stories import _CHANCES, STEPS, Again, LeaseGuessed, LeaseSeen, Scene, Step, Sweep, Words
from tests.stores.wait_stories import _Waiting

FRAMES: tuple[Any, ...] = (b"a", b"b", b"", Frame(b'{"n": 1}', "json"), Frame(b"\x00\xff" * 40, "blob"))
PATCHES: tuple[dict[str, Any], ...] = (
    {"stage": "one"},
    {"stage": "two", "tokens": {"in": 7}},
    {"stage": None, "tokens": {"in": None, "out": [1, "ü"]}},
    {},
)
RETRY = RetryPolicy(max_retries=5, initial_delay_ms=0, jitter=0.0)
SPEAKING = (
    ExecutionPolicy(),
    *[ExecutionPolicy(retry=RETRY)] * 3,
    *[ExecutionPolicy(retry=RETRY, stream_max_frames=3)] * 3,
    ExecutionPolicy(stream_max_frames=1),
    ExecutionPolicy(stream_max_bytes=100),
    ExecutionPolicy(retention_ms=0),
)
WITH_WORDS = ("record_step", "complete", "fail", "release", "suspend", "open_wait", "delay", "progress")
"""Commands that a worker sends together with what its attempt has said."""


def story_of_streams(seed: int) -> list[Scene]:
    """The story that belongs to a seed."""
    teller = _Speaking(random.Random(seed), 6, _ABOUT_STREAMS)
    return [teller.opening(), *(teller.scene(10) for _ in range(70))]


class _Speaking(_Waiting):
    """Someone who thinks mostly of streams."""

    def lease(self) -> LeaseSeen | LeaseGuessed:
        """Mostly one of the last leases: whoever speaks still holds it as a rule."""
        chance = self.chance
        return LeaseSeen(int(chance.expovariate(1.0)), {}) if chance.random() < 0.85 else super().lease()

    def _creation(self, execution_id: str) -> dict[str, Any]:
        return super()._creation(execution_id) | {"policy": self.chance.choice(SPEAKING)}

    def step(self) -> Step | Again | Sweep:
        step = super().step()
        if not isinstance(step, Step) or step.method not in WITH_WORDS or self.chance.random() < 0.5:
            return step
        lease = step.arguments.get("lease")
        if not isinstance(lease, LeaseSeen | LeaseGuessed) or self.chance.random() < 0.05:
            lease = self.lease()
        return step._replace(said=self._words(lease))

    def _words(self, lease: LeaseSeen | LeaseGuessed) -> Words:
        chance = self.chance
        frames = []
        for _ in range(chance.choice((1, 1, 2, 3))):
            step = chance.choice((None, *STEPS))
            # As many tries as `record_step` says of the step, or fewer.
            step_try = 1 if step is None else chance.randint(1, 1 + STEPS.index(step))
            frames.append((chance.choice((b"x", b"yy", b"")), step, step_try))
        return Words(lease, frames, self._first_seq())

    def _first_seq(self) -> int | None:
        return None if self.chance.random() < 0.7 else self.chance.choice((0, 0, 1, 2, 3))

    def _frames(self) -> list[Any]:
        return [self.chance.choice(FRAMES) for _ in range(self.chance.choice((1, 1, 1, 2, 3)))]

    def append_frames(self) -> dict[str, Any]:
        step = self.chance.choice((None, None, *STEPS))
        return {"lease": self.lease(), "frames": self._frames(), "step": step, "first_seq": self._first_seq()}

    def append_all(self) -> dict[str, Any]:
        appends = [
            (self.lease(), self._frames(), self.chance.choice((None, *STEPS)), self._first_seq())
            for _ in range(self.chance.randint(1, 5))
        ]
        return {"appends": appends}

    def patch_summary(self) -> dict[str, Any]:
        return {"lease": self.lease(), "patch": self.chance.choice(PATCHES)}

    def read(self) -> Step:
        chance = self.chance
        if chance.random() < 0.2:
            return super().read()
        if chance.random() < 0.6:
            return Step("follow", {"execution_id": chance.choice(self.ids), "limit": chance.choice((1, 2, 1000))})
        scope = None if chance.random() < 0.8 else "tenant-a"
        if chance.random() < 0.3:
            return Step("read_summary", {"execution_id": self.id()}, scope)
        view = chance.choice(("effective", "all"))
        return Step(
            "read_stream", {"execution_id": self.id(), "limit": chance.choice((1, 3, 1000)), "view": view}, scope
        )

    def scene(self, steps_max: int) -> Scene:
        """With many reads: they are to meet streams in all states."""
        return super().scene(steps_max)._replace(reads=[self.read() for _ in range(6)])


_ABOUT_STREAMS = _CHANCES | {
    "create_execution": 12,
    "claim": 50,
    "append_frames": 50,
    "append_all": 20,
    "patch_summary": 12,
    "record_step": 40,
    "suspend": 8,
    "signal": 10,
    "resume_execution": 6,
    "fail": 14,
    "complete": 10,
    "release": 6,
    "revoke_lease": 6,
    "replay_execution": 14,
    "cancel_execution": 2,
    "cancel_flow": 1,
    "fire_schedule": 1,
    "purge": 1,
    "add_execution": 3,
    "add_dependency": 2,
}
