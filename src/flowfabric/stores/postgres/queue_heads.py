"""Where each part of the queue begins, as far as this process knows.

While a transaction is open anywhere in the cluster, the index of the queue keeps the entries of executions that were
claimed since, and every claim would have to step over all of them. So a claim starts at the first entry that the claim
before it found. When this process puts an execution before that entry, the start moves back at once. When another
process resumes an execution there, it says so (`notes`), and the start moves back, too. What another process puts there
otherwise is seen once the remembered start is too old and the queue is read from its very beginning.

Idle lanes are remembered, too: a lane whose queue is empty and that is not paused. Commits of other processes may
change that unnoticed, so a statement that relies on an idle lane checks the lane again.
"""

import threading
import time
from collections.abc import Collection, Mapping
from typing import Final

from flowfabric.domain.lanes import Lane

KNOWN_FOR_S: Final = 0.1
"""How long an execution that another process puts at the front of a busy queue may be overlooked."""

Part = tuple[str, str, int]
"""Namespace, lane and capability set."""
Place = tuple[int, int]
"""Rank (the priority, negated) and the instant of becoming ready."""
VERY_BEGINNING: Final[Place] = (-(2**31), -1)


class QueueHeads:
    """The first living entry of each part, shared by the committers of one store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._heads: dict[Part, tuple[Place, float]] = {}
        self._idle: set[Lane] = set()

    def are_idle(self, lanes: Collection[Lane]) -> bool:
        """Whether all of these lanes are known to be idle."""
        with self._lock:
            return self._idle.issuperset(lanes)

    def found_idle(self, lane: Lane) -> None:
        """Note that a claim has found the lane empty and not paused."""
        with self._lock:
            self._idle.add(lane)

    def are_busy(self, lanes: Collection[Lane]) -> None:
        """Note that something may wait in these lanes, or that they may be paused."""
        with self._lock:
            self._idle.difference_update(lanes)

    def start_of(self, part: Part) -> Place:
        """Where a claim may start to read."""
        with self._lock:
            head, known_since = self._heads.get(part, (VERY_BEGINNING, 0.0))
            return head if time.monotonic() - known_since < KNOWN_FOR_S else VERY_BEGINNING

    def found(self, part: Part, start: Place, first: Place | None) -> None:
        """Remember the first place that a claim found from `start` on; None: the claim found less than it asked for."""
        with self._lock:
            if first is None:
                self._heads.pop(part, None)
            elif start == VERY_BEGINNING:
                self._heads[part] = (first, time.monotonic())
            elif part in self._heads:
                head, known_since = self._heads[part]
                # Something may have entered before `start` meanwhile. Then the head stays where it is.
                self._heads[part] = (first if head == start else head, known_since)

    def enter(self, ranks: Mapping[Part, int]) -> None:
        """Move the start back for executions that are about to enter with these ranks, if they come before the start.

        With the same rank as the start, a new execution comes after it, because it becomes ready later.
        """
        with self._lock:
            for part, rank in ranks.items():
                self._idle.discard(part[:2])
                head, known_since = self._heads.get(part, (VERY_BEGINNING, 0.0))
                if rank < head[0]:
                    self._heads[part] = ((rank, -1), known_since)

    def entered(self, part: Part, place: Place) -> None:
        """Move the start back to an execution that was put before the start."""
        with self._lock:
            self._idle.discard(part[:2])
            head, known_since = self._heads.get(part, (VERY_BEGINNING, 0.0))
            if place < head:
                self._heads[part] = (place, known_since)
