"""Who gets the slots of limits, where executions are plain but for their limits, and the limits have no rate.

The rules about gates (`decide.gating`) decide this for whole records, one after the other. Where so little can happen,
the places in the queue and the slots are enough to know what they would decide, and a store need not load and write
whole records. If anything else matters, `Sharing` says that the rules are needed. Tests compare it with the rules.
"""

from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from flowfabric.domain.execution import QueueOrder
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.limits import (
    KeyAt,
    KeyUse,
    Limit,
    is_idle,
    room_in,
    unused,
    why_closed,
    with_slot,
    without_slot,
)
from flowfabric.domain.queue import parked_max


class Waiting(NamedTuple):
    """An execution in the queue, or parked at a key."""

    order: QueueOrder
    execution_id: ExecutionId
    slots: Sequence[KeyAt]
    """A claim takes a slot of each of these keys."""


class RulesNeeded(Exception):
    """More matters here than slots."""


class MoreReadyNeeded(Exception):
    """The claims have used up all that was read of the queue, and there may be more."""


class Sharing:
    """The ends of leases and the claims of one batch, in their order."""

    def __init__(
        self,
        limits: Mapping[KeyAt, Limit],
        uses: Mapping[KeyAt, KeyUse],
        ready: Sequence[Waiting],
        parked: Mapping[KeyAt, Sequence[Waiting]],
        now_ms: int,
        *,
        asked: int,
    ) -> None:
        """Take over what was read, in the order of the queue.

        `limits`: the numbers that hold for each key. `asked`: how many of the queue were asked for. If `ready` are
        fewer, they are all that there are. `parked`: the first ones at each key that gets a slot back.
        """
        self.uses = dict(uses)
        """What is used of each key now."""
        self.parked: dict[ExecutionId, KeyAt] = {}
        """Those that were in the queue and are parked now, with the key at which they are."""
        self.admitted: dict[ExecutionId, KeyAt] = {}
        """Those that were parked and are in the queue now, with the key at which they were."""
        self.freed: set[KeyAt] = set()
        """A slot of each of these keys was given back."""
        self.was_cut_short = False
        """Whether a claim has parked so many that it gave up. There may be more to claim."""
        if any(limit.rate is not None for limit in limits.values()):
            raise RulesNeeded
        if any(use.paused_until_ms > now_ms or use.busy_until_us > now_ms * 1000 for use in uses.values()):
            raise RulesNeeded
        self._limits = limits
        self._ready = ready
        self._next = 0
        self._asked = asked
        self._fresh: list[Waiting] = []
        """Those that this batch has let in, and that wait in the queue now."""
        self._rooms = {at: list(there) for at, there in parked.items()}
        """Those that are parked now, by key."""
        self._now_ms = now_ms

    def end(self, slots: Iterable[KeyAt]) -> None:
        """A lease gives its slots back. For each of them the first one in line is let in, if there is room."""
        for at in slots:
            use = without_slot(self.uses[at])
            self.uses[at] = unused(at) if is_idle(use, self._now_ms) else use
            self.freed.add(at)
            room = self._rooms.get(at)
            if room and room_in(self._limits.get(at), use, self._now_ms, 1):
                self._let_in(room.pop(0), at)

    def _let_in(self, x: Waiting, at: KeyAt) -> None:
        if x.execution_id in self.parked:
            raise RulesNeeded  # it was in the queue when the batch began, and its gates change nevertheless
        insort(self._fresh, x)
        self.admitted[x.execution_id] = at

    def claim(self, limit: int) -> list[Waiting]:
        """The executions that a claim leases, in the order of the queue. Those that find a key full are parked."""
        chosen: list[Waiting] = []
        parked = 0
        while len(chosen) < limit:
            is_used_up = self._next >= len(self._ready)
            if is_used_up and len(self._ready) >= self._asked:
                raise MoreReadyNeeded  # also before those who were let in: others may come before them
            if is_used_up and not self._fresh:
                break
            x = self._take_first()
            full = self._full_key(x)
            if full is None:
                for at in x.slots:
                    self.uses[at] = with_slot(self._limits.get(at), self.uses[at], self._now_ms, starts=True)
                chosen.append(x)
                continue
            self._park(x, full)
            parked += 1
            if parked >= parked_max(limit):
                self.was_cut_short = True
                break
        return chosen

    def _take_first(self) -> Waiting:
        """The next one in the order of the queue."""
        ready = self._ready[self._next] if self._next < len(self._ready) else None
        if ready is None or (self._fresh and self._fresh[0] < ready):
            return self._fresh.pop(0)
        self._next += 1
        return ready

    def _full_key(self, x: Waiting) -> KeyAt | None:
        for at in x.slots:
            if why_closed(self._limits.get(at), self.uses[at], self._now_ms) is not None:
                return at
        return None

    def _park(self, x: Waiting, at: KeyAt) -> None:
        if len(x.slots) > 1:
            raise RulesNeeded  # its other keys may have room for others
        if self.admitted.pop(x.execution_id, None) is None:
            self.parked[x.execution_id] = at
        insort(self._rooms.setdefault(at, []), x)

    @property
    def still_admitted(self) -> int:
        """How many of those that were let in wait for a claim."""
        return len(self._fresh)

    def are_left_at(self, at: KeyAt) -> bool:
        """Whether some of those that are known are parked at a key now."""
        return bool(self._rooms.get(at))


def gates_parked(gates: Gates, name: str, key: str) -> Gates:
    """The gates of an execution that is parked at a key of a limit."""
    return replace(gates, parked=("limit", name, key), admitted=False)


def gates_admitted(gates: Gates) -> Gates:
    """The gates of an execution that was parked, and is back in the queue."""
    return replace(gates, parked=None, admitted=True)


def gates_leased(gates: Gates) -> Gates:
    """The gates of an execution that is leased: it holds a slot of each of its limits."""
    return replace(gates, parked=None, admitted=False, slots=gates.slots_to_take)


def are_only_limits(gates: Gates) -> bool:
    """Whether an execution that waits has limits, and nothing else happens at its gates."""
    return gates_leased(gates) == Gates(limits=gates.limits, slots=gates.limits)
