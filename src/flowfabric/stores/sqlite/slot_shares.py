"""Who gets the slots in one batch: what matters to them is read, and the rules about slots are asked."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from flowfabric.domain.commands import Claim
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.lanes import Lane
from flowfabric.domain.limits import KeyAt, unused
from flowfabric.domain.outcomes import Claimed
from flowfabric.domain.queue import parked_max
from flowfabric.domain.slots import MoreReadyNeeded, RulesNeeded, Sharing
from flowfabric.ports.writing import Batch
from flowfabric.stores._shared.fast_path import is_bare
from flowfabric.stores._shared.limited import slots_of
from flowfabric.stores.sqlite.fast_statements import FastWork
from flowfabric.stores.sqlite.limit_rows import Keys, Limited, LimitRows


class Ending(NamedTuple):
    """A lease that a completion ends."""

    execution_id: ExecutionId
    namespace: str
    gates: Gates

    @property
    def slots(self) -> Sequence[KeyAt]:
        """It gives back a slot of each of these keys."""
        return slots_of(self.namespace, self.gates)


class Lease(NamedTuple):
    """An execution that a claim leases, and what its worker gets."""

    x: Limited
    claimed: Claimed


class SlotShares:
    """The ends of leases and the claims of one batch."""

    def __init__(
        self,
        fast: FastWork,
        rows: LimitRows,
        gated_set: int,
        endings: Mapping[int, Ending],
        claims: Sequence[tuple[int, Claim]],
    ) -> None:
        """`gated_set`: the number of the part of the queue for executions with limits."""
        self._fast = fast
        self._rows = rows
        self._gated_set = gated_set
        self._endings = endings
        self.claims = list(claims)
        """By place in the batch, also those that were taken along."""
        self.keys = Keys(set(), {}, {})
        self._ready: Sequence[Limited] = ()
        self._parked: Mapping[KeyAt, Sequence[Limited]] = {}
        self._chosen: dict[int, list[ExecutionId]] = {}

    def decide(self, batch: Batch) -> None:
        """Share out the slots. Claims that wait for those who are let in join the batch."""
        self._read_keys_of_endings()
        self.sharing = self._shared_out()
        if self.sharing.still_admitted and self._takes_along(batch, self.sharing.still_admitted):
            self.sharing = self._shared_out()

    # ── read ─────────────────────────────────────────────────────────────────────────────────────

    def _read_keys_of_endings(self) -> None:
        """Read the keys that get slots back, and those who are parked there."""
        ending = Counter(at for each in self._endings.values() for at in each.slots)
        if not ending:
            return
        self._learn(ending)
        if any(self.keys.uses.get(at, unused(at)).in_use < number for at, number in ending.items()):
            raise RulesNeeded
        self._parked = self._rows.parked(list(ending), max(ending.values()), self._gated_set)
        self._learn(at for there in self._parked.values() for x in there for at in x.waiting.slots)

    def _learn(self, keys: Iterable[KeyAt]) -> None:
        """Read the numbers of keys, and what is used of them, if they are not known yet."""
        if unknown := [at for at in dict.fromkeys(keys) if at not in self.keys.seen]:
            self.keys.add(self._rows.keys(unknown))

    # ── decide ───────────────────────────────────────────────────────────────────────────────────

    def _shared_out(self) -> Sharing:
        lanes = self._lanes()
        limits = [claim.limit for _, claim in self.claims]
        asked = sum(limits)
        while True:
            if lanes is not None:
                self._ready = self._rows.ready(*lanes, asked, self._gated_set)
                self._learn(at for x in self._ready for at in x.waiting.slots)
            sharing = Sharing(
                self.keys.limits,
                {at: self.keys.uses.get(at) or unused(at) for at in self.keys.seen},
                [x.waiting for x in self._ready],
                {at: [x.waiting for x in there] for at, there in self._parked.items()},
                self._fast.now_ms,
                asked=asked,
            )
            try:
                self._chosen = self._in_turn(sharing)
            except MoreReadyNeeded:
                asked += parked_max(max(limits))
            else:
                return sharing

    def _lanes(self) -> tuple[str, Sequence[str]] | None:
        """The namespace and the lanes of the claims. RulesNeeded: they differ, or others are parked at the keys."""
        served = {(claim.namespace, claim.lanes) for _, claim in self.claims}
        if not served:
            return None
        if len(served) > 1:
            raise RulesNeeded
        ((namespace, lanes),) = served
        if any(x.row.namespace != namespace or x.row.lane not in lanes for x in self._all_parked()):
            raise RulesNeeded  # those who are let in are not for these claims
        return namespace, lanes

    def _all_parked(self) -> Iterable[Limited]:
        return (x for there in self._parked.values() for x in there)

    def _in_turn(self, sharing: Sharing) -> dict[int, list[ExecutionId]]:
        """Take ends and claims in their order. Returns who is leased, by the place of the claim."""
        claims = dict(self.claims)
        chosen: dict[int, list[ExecutionId]] = {}
        for place in sorted({*self._endings, *claims}):
            if place in claims:
                chosen[place] = [each.execution_id for each in sharing.claim(claims[place].limit)]
            else:
                sharing.end(self._endings[place].slots)
        return chosen

    def _takes_along(self, batch: Batch, admitted: int) -> bool:
        """Let claims join that wait for those who were let in."""
        lanes = {(x.row.namespace, x.row.lane) for x in self._all_parked()}
        before = len(batch.envelopes)
        if not batch.take_along(lanes, admitted):
            return False
        for place in range(before, len(batch.envelopes)):
            envelope = batch.envelopes[place]
            if not isinstance(envelope.command, Claim) or not is_bare(envelope):
                raise RulesNeeded
            self.claims.append((place, envelope.command))
        return True

    # ── what comes of it ─────────────────────────────────────────────────────────────────────────

    @cached_property
    def _known(self) -> Mapping[ExecutionId, Limited]:
        return {x.execution_id: x for x in (*self._ready, *self._all_parked())}

    def leases(self) -> dict[int, list[Lease]]:
        """Who is leased, by the place of the claim. RulesNeeded: a row is damaged; a decision skips it."""
        chosen = {place: [self._known[key] for key in keys] for place, keys in self._chosen.items()}
        payloads = self._rows.payloads_of([x for its in chosen.values() for x in its])
        return {
            place: [Lease(x, self._rows.claimed(x, claim, payloads[x.execution_id])) for x in chosen[place]]
            for place, claim in self.claims
        }

    @cached_property
    def parked(self) -> Sequence[Limited]:
        """Those who were in the queue, and are parked now."""
        return [self._known[key] for key in self.sharing.parked]

    @cached_property
    def admitted(self) -> Sequence[Limited]:
        """Those who were parked, and are in the queue now."""
        leased = {key for keys in self._chosen.values() for key in keys}
        return [self._known[key] for key in self.sharing.admitted if key not in leased]

    def lanes_with_more(self) -> Collection[Lane]:
        """The lanes in which a claim may find something now."""
        found = {(x.row.namespace, x.row.lane) for x in self.admitted}
        if self.sharing.was_cut_short:
            found.update((claim.namespace, lane) for _, claim in self.claims for lane in claim.lanes)
        return found
