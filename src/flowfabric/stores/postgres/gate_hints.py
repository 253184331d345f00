"""What this process knows of the gates that a batch will need, before the batch has read anything.

A command does not name the gates of its executions. Without hints, a batch locks its executions in one round trip, and
learns from them which keys of limits it has to lock in the next. But the gates that an execution names never change,
and most leases end in the process that has claimed them. So the gates of leased executions are remembered here. For
claims, what the last claims of a lane have met is remembered: the parts of its queue, and the keys if they are few.

A hint may be missing or wrong. Then the batch asks for what it lacks in further round trips, as it would without hints,
and what it has locked in vain it leaves as it was.
"""

import threading
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from flowfabric.domain.batch_io import Changes, Needs
from flowfabric.domain.decide.foreseeing import foreseen_ends, foreseen_keys
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.limits import KeyAt

if TYPE_CHECKING:
    from flowfabric.domain.gates import Gates

LEASES_MAX: Final = 20_000
"""How many leased executions are remembered. The oldest are forgotten first."""
KEYS_MAX: Final = 4
"""If a claim meets more keys than this, the next claim will meet others."""


class LaneHint(msgspec.Struct, frozen=True):
    """What claims have met in a lane."""

    capability_sets: Sequence[int]
    """The parts of its queue."""
    keys: frozenset[KeyAt]
    """The keys of the limits of the executions that waited there."""
    is_steady: bool
    """Whether two claims in a row have met these keys."""


class GateHints:
    """Shared by the committers of one store."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._leased: dict[ExecutionId, tuple[str, Gates]] = {}
        """Leased executions with gates that belong to no flow: their namespaces and gates."""
        self._lanes: dict[Lane, LaneHint] = {}

    def are_solos(self, execution_ids: Collection[ExecutionId]) -> bool:
        """Whether all of these executions are known to belong to no flow. An execution never changes that."""
        return all(key in self._leased for key in execution_ids)

    def of_ends(self, execution_ids: Iterable[ExecutionId]) -> Needs:
        """What the ends of the leases of these executions need."""
        leased = self._leased
        return foreseen_ends([found for key in execution_ids if (found := leased.get(key)) is not None])

    def of_claims(self, lanes: Iterable[Lane]) -> Needs:
        """What claims in these lanes need."""
        found = (hint for lane in lanes if (hint := self._lanes.get(lane)) is not None)
        return foreseen_keys({key for hint in found if hint.is_steady for key in hint.keys})

    def parts_of(self, lane: Lane) -> Sequence[int]:
        """The parts of the lane's queue, as far as they are known."""
        hint = self._lanes.get(lane)
        return () if hint is None else hint.capability_sets

    def note_claims(self, lane: Lane, capability_sets: Sequence[int], keys: Collection[KeyAt] | None) -> None:
        """Remember what claims have met in a lane. None: nothing with gates waited there."""
        with self._lock:
            if keys is None:
                self._lanes.pop(lane, None)
                return
            before = self._lanes.get(lane)
            few = frozenset(keys if len(keys) <= KEYS_MAX else ())
            self._lanes[lane] = LaneHint(capability_sets, few, before is not None and before.keys == few)

    def note(self, changes: Changes) -> None:
        """Remember which executions with gates are leased from now on, and forget those that are not."""
        with self._lock:
            leased = self._leased
            for before, x in changes.executions:
                if x is not None and x.gates is not None and x.lifecycle_phase == "active" and x.flow_id is None:
                    leased[x.execution_id] = (x.namespace, x.gates)
                elif before is not None and before.gates is not None:
                    leased.pop(before.execution_id, None)
            while len(leased) > LEASES_MAX:
                del leased[next(iter(leased))]
