"""What all racing processes share: verbs sent until the time is over, and every answer kept."""

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from flowfabric import Engine, EngineError
from flowfabric.engine import limits
from tests.chaos.sizes import IS_LONG

Verb = Callable[[], Awaitable[None]]

ANSWERS_MIN = 400
"""A race goes on beyond its time until there are so many: on a busy machine too little would happen to be a race."""
LOCK_PATIENCE_S = 60.0
"""In the short form: on a busy machine, a process that holds a lock may not run for some seconds."""


class Contestant:
    """Counts answers and named refusals; whatever else comes back is a surprise, and a surprise is a bug."""

    answers_min = ANSWERS_MIN

    def __init__(
        self,
        engine: Engine,
        name: str,
        seconds: float,
        named_refusals: Mapping[str, tuple[type[EngineError], ...]],
    ) -> None:
        if not IS_LONG:
            limits.LOCK_PATIENCE_S = LOCK_PATIENCE_S
        self._engine = engine
        self._name = name
        self._named_refusals = named_refusals
        self._end_at = time.monotonic() + seconds
        self._chance = random.Random(name)
        self._numbers = itertools.count()
        self.answers: Counter[str] = Counter()
        self.surprises: list[str] = []

    async def _send(self, verbs: Iterable[tuple[Verb, int]], *, pause_s: float = 0.0) -> None:
        """Send each verb over and over, from so many callers at once."""
        await asyncio.gather(*(self._repeat(verb, pause_s) for verb, callers in verbs for _ in range(callers)))

    async def _repeat(self, verb: Verb, pause_s: float) -> None:
        while time.monotonic() < self._end_at or self.answers.total() < self.answers_min:
            await verb()
            if pause_s:
                await asyncio.sleep(self._chance.uniform(0, pause_s))  # so that races meet in ever new ways

    async def _ask(self, verb: str, answer: Awaitable[Any]) -> Any:
        try:
            got = await answer
        except self._named_refusals[verb] as refusal:
            self.answers[f"{verb}: {refusal.code}"] += 1
            return None
        except Exception as surprise:
            self.surprises.append(f"{verb}: {surprise!r}")
            return None
        self.answers[f"{verb}: {type(got).__name__}"] += 1
        return got
