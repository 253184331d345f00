"""What this process knows of the gates that a batch will need, before the batch has read anything.

A command does not name the gates of its executions. Without hints, a batch locks its executions in one round trip, and
learns from them which keys of limits it has to lock in the next. But the gates that an execution names never change,
and most leases end in the process that has claimed them. So the gates of leased executions are remembered here. For
claims, what the last claims of a lane have met is remembered: the parts of its queue, and the keys if they are few.

A hint may be missing or wrong. Then the batch asks for what it lacks in further round trips, as it would without hints,
and what it has locked in vain it leaves as it was.
"""

import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Final

import msgspec

from flowfabric.domain.batch_io import Changes, Needs
from flowfabric.domain.decide.foreseeing import foreseen_ends, foreseen_keys
from flowfabric.domain.gates import GateAt
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.limits import KeyAt

if TYPE_CHECKING:
    from flowfabric.domain.gates import Gates

LEASES_MAX: Final = 20_000
"""How many leased executions are remembered. The oldest are forgotten first."""
KEYS_MAX: Final = 4
"""If a claim meets more keys than this, the next claim will meet others."""
CROWDED_S: Final = 1.0
"""For how long new executions are expected to park, after some have found others parked where they would wait."""
RULES_S: Final = 1.0
"""For how long batches are decided record by record, after one has found that more matters than slots."""


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
        self._crowded_until = 0.0
        self._crowded: dict[KeyAt, frozenset[Lane]] = {}
        """Keys of limits at which somebody was parked when a batch last looked, and in which lanes, if known."""
        self._with_rate: set[KeyAt] = set()
        self._rules_until: dict[KeyAt | Lane, float] = {}

    def note_crowd(self) -> None:
        """Remember that new executions could not be put into the queue without a decision."""
        self._crowded_until = time.monotonic() + CROWDED_S

    def expects_crowd(self) -> bool:
        """Whether new executions with limits will probably have to be decided."""
        return time.monotonic() < self._crowded_until

    def need_rules(self, keys: Iterable[KeyAt]) -> bool:
        """Whether one of these keys has a rate, or a batch of late has found out that more matters there than slots."""
        return any(key in self._with_rate or self._needs_rules(key) for key in keys)

    def lane_needs_rules(self, lane: Lane) -> bool:
        """Whether a claim of late has found out that more matters in this lane than slots."""
        return self._needs_rules(lane)

    def _needs_rules(self, of: KeyAt | Lane) -> bool:
        return bool(self._rules_until) and time.monotonic() < self._rules_until.get(of, 0.0)

    def note_rules_needed(self, lane: Lane | None, keys: Iterable[KeyAt]) -> None:
        """Remember for a while that batches about this lane and these keys must be decided record by record."""
        until = time.monotonic() + RULES_S
        with self._lock:
            if len(self._rules_until) > LEASES_MAX:
                self._rules_until.clear()
            self._rules_until.update((key, until) for key in keys)
            if lane is not None:
                self._rules_until[lane] = until

    def are_crowded(self, keys: Iterable[KeyAt]) -> bool:
        """Whether somebody was parked at one of these keys when a batch last looked there."""
        return any(key in self._crowded for key in keys)

    def lane_of_crowd(self, keys: Iterable[KeyAt]) -> Lane | None:
        """The lane of all who are parked at these keys. None: it is not known, or there are several."""
        known = [self._crowded.get(key, frozenset()) for key in keys]
        lanes = set[Lane]().union(*known)
        return lanes.pop() if all(known) and len(lanes) == 1 else None

    def note_crowds(self, keys: Iterable[KeyAt], lane: Lane | None = None) -> None:
        """Remember that somebody is parked at these keys, and in which lane, if that is known."""
        with self._lock:
            for key in keys:
                self._note_crowd_at(key, lane)

    def _note_crowd_at(self, key: KeyAt, lane: Lane | None) -> None:
        self._crowded[key] = self._crowded.get(key, frozenset()).union(() if lane is None else (lane,))

    def note_rates(self, keys: Iterable[KeyAt]) -> None:
        """Remember that time counts at these keys."""
        with self._lock:
            self._with_rate.update(keys)
            if len(self._with_rate) > LEASES_MAX:
                self._with_rate.clear()

    def note_parked(self, parked: Mapping[GateAt, Sized]) -> None:
        """Remember at which gates a batch has found somebody parked, and at which nobody."""
        with self._lock:
            for (namespace, kind, name, key), there in parked.items():
                if kind == "limit" and len(there):
                    self._note_crowd_at((namespace, name, key), None)
                elif kind == "limit":
                    self._crowded.pop((namespace, name, key), None)
            if len(self._crowded) > LEASES_MAX:
                self._crowded.clear()

    def lease_of(self, execution_id: ExecutionId) -> "tuple[str, Gates] | None":
        """The namespace and the gates of an execution that was leased with gates, and belongs to no flow."""
        return self._leased.get(execution_id)

    def forget(self, execution_ids: Iterable[ExecutionId]) -> None:
        """Forget leases that have ended."""
        with self._lock:
            for key in execution_ids:
                self._leased.pop(key, None)

    def note_leases(self, leases: "Iterable[tuple[ExecutionId, str, Gates]]") -> None:
        """Remember executions that are leased from now on, and belong to no flow, with their namespaces and gates."""
        with self._lock:
            for key, namespace, gates in leases:
                self._leased[key] = (namespace, gates)
            self._forget_the_oldest()

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

    def keys_of(self, lane: Lane) -> Collection[KeyAt]:
        """The keys that claims in this lane meet, if they are few and always the same."""
        hint = self._lanes.get(lane)
        return hint.keys if hint is not None and hint.is_steady else ()

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
                if x is not None and x.gates is not None and x.gates.parked is not None:
                    self._note_crowd_at((x.namespace, *x.gates.parked[1:]), (x.namespace, x.lane))
            self._forget_the_oldest()

    def _forget_the_oldest(self) -> None:
        while len(self._leased) > LEASES_MAX:
            del self._leased[next(iter(self._leased))]
