"""Plain numbers that are cheap to change: a dictionary and a list are changed much faster than a metric object."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

SECONDS: Final = (
    *(0.001, 0.0025, 0.00625, 0.0156, 0.0391, 0.0977, 0.244, 0.61, 1.53, 3.81, 9.54, 23.8, 59.6, 149.0, 373.0, 931.0),
    *(2330.0, 3600.0),
)
"""The upper ends of the buckets for times: from a millisecond to an hour, each 2.5 times the one before."""
_MILLISECONDS: Final = tuple(bound * 1000 for bound in SECONDS)
SIZES: Final = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)
"""The upper ends of the buckets for sizes of batches."""
NAMES_MAX: Final = 200
"""How many different values a label has at most. All further values share the value `other`."""
OTHER: Final = "other"
_KNOWN_MAX: Final = 10_000
"""For how many names it is remembered to which series they belong."""

Labels = tuple[str, str, str]
"""A namespace, a lane and a task."""


class Histogram:
    """How many values fell into each bucket, and their sum."""

    __slots__ = ("bounds", "counts", "total", "total_ms")

    def __init__(self, bounds: Sequence[float] = SECONDS) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        """The sum of the values, without `total_ms`."""
        self.total_ms = 0

    @property
    def sum(self) -> float:
        """The sum of all values."""
        return self.total + self.total_ms / 1000

    def observe(self, value: float) -> None:
        """Count one value. A time may seem to be negative after a clock was set back: it counts as 0."""
        if value < 0.0:
            value = 0.0
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def observe_ms(self, value_ms: int) -> None:
        """`observe` for a time in whole milliseconds, in a histogram of seconds. Most are a few milliseconds."""
        self.counts[bisect_left(_MILLISECONDS, value_ms)] += 1
        self.total_ms += value_ms if value_ms > 0 else 0

    def buckets(self) -> list[tuple[str, float]]:
        """The buckets with the counts up to their end, the last one without an end."""
        found: list[tuple[str, float]] = []
        so_far = 0
        for bound, count in zip((*map(str, self.bounds), "+Inf"), self.counts, strict=True):
            so_far += count
            found.append((bound, so_far))
        return found


class Series:
    """The numbers of one task in one lane."""

    __slots__ = ("attempt", "attempts", "ended", "lost", "queue", "started", "step", "submitted")

    def __init__(self) -> None:
        self.submitted = 0
        self.started: defaultdict[str, int] = defaultdict(int)
        """By the type of the claim."""
        self.ended: defaultdict[str, int] = defaultdict(int)
        """By outcome."""
        self.attempts: defaultdict[str, int] = defaultdict(int)
        """The attempts that have ended, by outcome."""
        self.lost: defaultdict[str, int] = defaultdict(int)
        """The leases that were taken away, by reason."""
        self.queue = Histogram()
        self.attempt = Histogram()
        self.step = Histogram()


class Capped:
    """The values of one label. After the first ones, every new value is `other`."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def label(self, value: str) -> str:
        """The value itself, or `other`."""
        if value in self._known:
            return value
        if len(self._known) >= NAMES_MAX:
            return OTHER
        self._known.add(value)
        return value


class SeriesByTask:
    """All series. It stays small, however many namespaces, lanes and tasks there are."""

    def __init__(self) -> None:
        self._namespaces, self._lanes, self._tasks = Capped(), Capped(), Capped()
        self._by_labels: dict[Labels, Series] = {}
        self._known: dict[Labels, Series] = {}
        """By the names themselves."""

    def of(self, namespace: str, lane: str, task: str) -> Series:
        """The series of a task."""
        found = self._known.get((namespace, lane, task))
        if found is not None:
            return found
        labels = self._namespaces.label(namespace), self._lanes.label(lane), self._tasks.label(task)
        found = self._by_labels.get(labels)
        if found is None:
            found = self._by_labels[labels] = Series()
        if len(self._known) < _KNOWN_MAX:
            self._known[namespace, lane, task] = found
        return found

    def __iter__(self) -> Iterator[tuple[Labels, Series]]:
        return iter(self._by_labels.items())
