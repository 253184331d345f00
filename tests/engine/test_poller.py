"""The poller rests while nobody waits, and everyone who comes wakes it."""

import threading
from collections.abc import Callable, Collection

from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.news import Committed, Waits
from flowfabric.engine.poller import Poller
from flowfabric.stores.memory.store import MemoryStore
from tests.engine.commands import WAIT_S_MAX

NOBODY = Waits([], [], False)
FIRST = ExecutionId("{fp:1}:01890000-0000-7000-8000-000000000001")
SECOND = ExecutionId("{fp:1}:01890000-0000-7000-8000-000000000002")


class TwoInTurn:
    """One waits for an end, and goes. Another comes just when the poller has asked and found nobody."""

    def __init__(self) -> None:
        self.begin: Callable[[], None] = lambda: None
        self.second_was_rung = threading.Event()
        self._now = Waits([FIRST], [], False)

    def waits(self, *, with_leases: bool = False) -> Waits:
        found = self._now
        if found is NOBODY:
            self._now = Waits([SECOND], [], False)
            self.begin()
        return found

    def lanes_waited_for(self) -> Collection[Lane]:
        return ()

    def others_committed(self, committed: Committed) -> None:
        if FIRST in committed.ended:
            self._now = NOBODY
        if SECOND in committed.ended:
            self.second_was_rung.set()


def test_one_who_begins_to_wait_while_the_poller_asks_who_waits_is_polled_for() -> None:
    waiters = TwoInTurn()
    poller = Poller(MemoryStore("memory"), waiters)
    waiters.begin = poller.begin
    try:
        poller.begin()

        assert waiters.second_was_rung.wait(WAIT_S_MAX)
    finally:
        poller.close()
