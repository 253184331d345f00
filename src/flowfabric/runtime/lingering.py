"""Which attempts of a worker linger: they wait in memory, with lease and slot, instead of being suspended."""

from collections.abc import Callable
from itertools import islice
from typing import Protocol


class Lingerer(Protocol):
    """An attempt that can be asked to linger no longer."""

    def hurry(self) -> None:
        """Suspend the execution as soon as no step runs."""


class Lingering:
    """The attempts that linger now, in the order in which they began."""

    def __init__(self, linger_s: float, *, on_begin: Callable[[], None]) -> None:
        self.linger_s = linger_s
        """How long attempts linger, unless their task says otherwise."""
        self.is_allowed = True
        """Whether attempts may linger now. False: the worker stops, or has no free slot while work waits."""
        self._lingerers: dict[Lingerer, None] = {}
        self._on_begin = on_begin

    def __len__(self) -> int:
        return len(self._lingerers)

    def begin(self, lingerer: Lingerer) -> None:
        """Note an attempt that lingers."""
        self._lingerers[lingerer] = None
        self._on_begin()

    def end(self, lingerer: Lingerer) -> None:
        """Forget an attempt that does not linger any more."""
        self._lingerers.pop(lingerer, None)

    def give_way(self, count: int) -> None:
        """Ask the attempts that linger longest to be suspended, so that their slots are free for work."""
        for each in list(islice(self._lingerers, count)):
            del self._lingerers[each]
            each.hurry()
