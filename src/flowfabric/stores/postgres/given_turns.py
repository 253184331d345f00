"""The turns that this process has given inside of callers' transactions.

A caller may commit much later. If it held the row of a fair key's turn until then, all others would wait that give the
same key a turn. So a turn that is given there is only remembered here. Other processes do not know of it, and may give
the same turn once more; the next turn that this process gives in a batch of its own is stored.
"""

import threading
from collections.abc import Collection, Mapping
from typing import Final

from flowfabric.domain.batch_io import Loaded
from flowfabric.domain.fairness import KeyTurn, KeyTurnAt

KEYS_MAX: Final = 10_000
"""How many keys are remembered."""


class GivenTurns:
    """The last turn of each fair key, shared by all callers and committers of one store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: dict[KeyTurnAt, KeyTurn] = {}

    def note(self, given: Mapping[KeyTurnAt, KeyTurn | None]) -> None:
        """Remember turns that were given. If the caller rolls back, its turns stay unused, which does no harm."""
        if not given:
            return
        with self._lock:
            if len(self._turns) > KEYS_MAX:
                self._turns.clear()
            for at, turn in given.items():
                known = self._turns.get(at)
                if turn is not None and (known is None or known.turn < turn.turn):
                    self._turns[at] = turn

    def add_to(self, loaded: Loaded, asked: Collection[KeyTurnAt]) -> None:
        """Let a batch see the turns that it asks for, if they are later than the stored ones."""
        if not self._turns:
            return
        with self._lock:
            for at in asked:
                given, stored = self._turns.get(at), loaded.key_turns.get(at)
                if given is not None and (stored is None or stored.turn < given.turn):
                    loaded.key_turns[at] = given
