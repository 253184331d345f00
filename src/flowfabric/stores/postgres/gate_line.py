"""The committers of one process stand in line here for the turns and uses that they are about to lock.

A batch waits for a lock on the server only for a moment, and then its commands are tried again one by one. That is
right if another program holds the lock. But where all executions name one key, every batch of this process needs the
same row, and the batch that holds it is sure to end soon. So batches wait for each other here first, in order. This is
no more than politeness: what keeps the rows safe is their lock on the server.
"""

import threading
from collections.abc import Collection
from typing import Any, Final

LONGEST_S: Final = 1.0
"""How long a batch lets others go first. After that it asks the server, and finds out what is wrong."""
BRIEFLY_S: Final = 0.03
"""The same for a batch that holds locks for which the others may be waiting."""


class GateLine:
    """Shared by the committers of one store."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._line: list[tuple[object, frozenset[Any]]] = []

    def wait(self, batch: object, places: Collection[Any], longest_s: float = LONGEST_S) -> None:
        """Wait until no batch that came before needs one of these. It stays in line until it leaves."""
        with self._changed:
            # For what it stands in line already, it has waited. Those behind it wait for it.
            waited_for = [its_places for each, its_places in self._line if each is batch]
            mine = (batch, frozenset(places).difference(*waited_for))
            if not mine[1]:
                return
            self._line.append(mine)
            self._changed.wait_for(lambda: self._is_next(mine), longest_s)

    def leave(self, batch: object) -> None:
        """Let the next ones go on: the batch has ended."""
        with self._changed:
            self._line = [each for each in self._line if each[0] is not batch]
            self._changed.notify_all()

    def _is_next(self, mine: tuple[object, frozenset[Any]]) -> bool:
        batch, places = mine
        for each in self._line:
            if each is mine:
                return True
            if each[0] is not batch and not places.isdisjoint(each[1]):
                return False
        return True
