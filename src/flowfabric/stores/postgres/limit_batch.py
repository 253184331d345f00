"""A batch about executions that are plain but for their limits: leases that hold slots are completed, others begin.

Such a completion concerns the execution and the keys of its limits, such a claim the queue besides. So the batch loads
no whole records. It reads places in the queue and what is used of the keys, the rules about slots (`domain/slots.py`)
say who is leased, let in and parked, and statements write that for all of them at once. Which slots a lease holds is
remembered from its claim; the statement checks that its execution has these gates still. If anything else matters (a
rate, a pause, an attempt that is not the first), the batch is decided as any other.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from flowfabric.domain.commands import Claim
from flowfabric.domain.decide.admitting import limit_gate
from flowfabric.domain.lanes import Lane
from flowfabric.domain.limits import is_idle, unused
from flowfabric.domain.plain import holds_only_slots
from flowfabric.domain.queue import parked_max
from flowfabric.domain.slots import MoreReadyNeeded, RulesNeeded, Sharing
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores._shared.capability_sets import MARKS
from flowfabric.stores._shared.fast_path import PlainCompletion, completion_in, is_bare
from flowfabric.stores._shared.limited import PARKED, QUEUED, RUNNING, leased_text
from flowfabric.stores.postgres import gate_rows, limit_rows, rows
from flowfabric.stores.postgres.connection import translating_errors
from flowfabric.stores.postgres.decided_batch import DecidedBatch
from flowfabric.stores.postgres.fast_path import FastAnswers, complete_values, completed, told_of
from flowfabric.stores.postgres.flow_reads import Ask
from flowfabric.stores.postgres.gate_definitions import DEFINITIONS_LOCK
from flowfabric.stores.postgres.gate_loading import key_places
from flowfabric.stores.postgres.limit_rows import Lease, Limited
from flowfabric.stores.postgres.limit_seen import OnlyThisTime, Seen
from flowfabric.stores.postgres.saving import Statement
from flowfabric.stores.postgres.transaction import PostgresTransaction

if TYPE_CHECKING:
    from flowfabric.domain.gates import Gates
    from flowfabric.domain.ids import ExecutionId
    from flowfabric.domain.outcomes import Outcome
    from flowfabric.stores.postgres.store import PostgresStore
    from flowfabric.stores.postgres.writer import PostgresWriter


class LimitBatch:
    """One transaction: executions and keys are locked, the slots are shared out, and all is written at once."""

    def __init__(
        self,
        writer: "PostgresWriter",
        scope: str | None,
        completions: list[PlainCompletion],
        leases: "dict[ExecutionId, tuple[str, Gates]]",
        claims: dict[int, Claim],
        capability_set: int,
    ) -> None:
        self._writer = writer
        self._store = writer.store
        self._scope = scope
        self._completions = completions
        self._leases = leases
        self._claims = claims
        """By place in the batch."""
        self._slots = {
            key: [(namespace, name, of) for name, of in gates.slots] for key, (namespace, gates) in leases.items()
        }
        """By execution whose lease ends, the keys at which it holds a slot."""
        self._ending = Counter(at for slots in self._slots.values() for at in slots)
        """How many leases give back a slot of each key."""
        self._expects_crowd = self._store.gate_hints.are_crowded(self._ending)
        self._lane = _lane_of(claims)
        expected = self._store.gate_hints.keys_of(self._lane) if self._lane is not None else ()
        self._knows_keys = not claims or bool(expected)
        """Whether the keys are known before the queue is read."""
        self._keys = {*self._ending, *expected}
        """The keys that are locked."""
        self._capability_set = capability_set
        """The number of the part of the queue for executions with limits."""
        self._has_joined = False

    @classmethod
    def of(cls, writer: "PostgresWriter", batch: Batch) -> "LimitBatch | None":
        """The plan, if the batch is completions of such leases, and claims of such executions; otherwise None."""
        store, scopes = writer.store, set()
        completions: list[PlainCompletion] = []
        leases: dict[ExecutionId, tuple[str, Gates]] = {}
        claims: dict[int, Claim] = {}
        for index, envelope in enumerate(batch.envelopes):
            if isinstance(envelope.command, Claim) and is_bare(envelope):
                claims[index] = envelope.command
                continue
            one = completion_in(index, envelope, store.name)
            lease = None if one is None else store.gate_hints.lease_of(one.command.fence.execution_id)
            if one is None or lease is None or not holds_only_slots(lease[1]):
                return None
            completions.append(one)
            leases[one.command.fence.execution_id] = lease
            scopes.add(envelope.scope)
        if len(leases) != len(completions) or len(scopes) > 1 or not (completions or claims):
            return None
        gated_set = store.capabilities.known_id(MARKS["gated"])
        if gated_set is None:
            return None
        if claims and not _serves_limited(store, claims, gated_set, has_completions=bool(completions)):
            return None
        plan = cls(writer, scopes.pop() if scopes else None, completions, leases, claims, gated_set)
        return None if store.gate_hints.need_rules(plan._keys) else plan

    def run(self, batch: Batch) -> Answered:
        """Share out the slots, write what has changed, and commit."""
        try:
            try:
                self._call_claims(batch)
            except RulesNeeded:
                return self._by_rules(batch)
            asks = self._first_asks(is_told=batch.is_told)  # before it stands in line, where it may hold up others
            self._stand_in_line()
            tx = self._writer.transaction(batch)
            try:
                answered = self._committed(tx, batch, asks)
            except RulesNeeded as needed:
                tx.rollback()
                if not isinstance(needed, OnlyThisTime):
                    self._store.gate_hints.note_rules_needed(self._lane, self._ending)
                return self._by_rules(batch)
            except BaseException:
                tx.rollback()
                raise
            if answered.committed is None:
                tx.rollback()
            return answered
        finally:
            self._store.gate_line.leave(self)

    def _by_rules(self, batch: Batch) -> Answered:
        return DecidedBatch(self._writer.transaction(batch), stands_as=self).run(batch)

    def _call_claims(self, batch: Batch) -> None:
        """Let claims join that wait where the freed slots are probably taken. So the queue is read with the keys."""
        hints = self._store.gate_hints
        lane = hints.lane_of_crowd(self._ending) if self._completions and not self._claims else None
        if lane is None or not hints.keys_of(lane) or list(hints.parts_of(lane)) != [self._capability_set]:
            return
        self._keys.update(hints.keys_of(lane))
        if not hints.need_rules(self._keys) and not hints.lane_needs_rules(lane):
            self._take_along(batch, {lane}, len(self._completions))

    def _stand_in_line(self) -> None:
        if self._knows_keys:
            self._store.gate_line.wait(self, key_places(self._keys))

    # ── read ─────────────────────────────────────────────────────────────────────────────────────

    def _first_asks(self, *, is_told: bool) -> "tuple[Seen, list[Ask]]":
        """Lock the executions that end, the keys and the head of the queue, as far as they are known."""
        seen = Seen()
        in_order = sorted(self._leases, key=rows.lock_order)
        asks = [Ask("hold_executions", rows.keys(in_order), _ignored)] if in_order else []
        if self._knows_keys:
            asks += self._key_asks(seen, is_told=is_told)
        if self._claims:
            asks += self._head_asks(seen, sum(claim.limit for claim in self._claims.values()))
        return seen, asks if not self._knows_keys else [*asks, *self._definitions(seen)]

    def _key_asks(self, seen: Seen, *, is_told: bool) -> list[Ask]:
        """Lock the keys, read what is used of them and who is parked there, and complete."""
        keys = gate_rows.key_keys(sorted(self._keys))
        asks = [
            Ask("lock_key_uses", keys, seen.take_made),
            Ask("read_key_uses", keys, seen.take_uses),
        ]
        if not self._completions:
            return asks
        if self._expects_crowd:
            most = {limit_gate(at): number for at, number in self._ending.items()}
            in_full = {"lease_era": self._writer.era, "with_payloads": bool(self._claims)}
            values = {**gate_rows.gates_with_numbers("most", most), **in_full}
            asks.append(
                Ask("lock_limited_parked", values, partial(seen.take_parked, list(self._ending), self._capability_set))
            )
        empty = gate_rows.key_keys([] if self._expects_crowd else sorted(self._ending))
        completing = {
            **complete_values(self._scope, self._completions, self._store.given_now_ms, is_told=is_told),
            **{f"empty_{name}": values for name, values in empty.items()},
        }
        in_order = [one.command.fence.execution_id for one in self._completions]
        completing["gates"] = rows.texts(leased_text(self._leases[key][1]) for key in in_order)
        asks.append(Ask("complete_at_limits", completing, seen.take_ended))
        return asks

    def _head_asks(self, seen: Seen, most: int) -> list[Ask]:
        """Lock the head of the queue. Nothing but executions with limits may wait in the lane."""
        assert self._lane is not None
        namespace, lane = self._lane
        seen.asked = most
        values = {
            "namespace": namespace,
            "lane_id": lane,
            "capability_set": self._capability_set,
            "most": most,
            "lease_era": self._writer.era,
        }
        of_lane = {"namespace": namespace, "lane_id": lane}
        return [
            Ask("ready_capability_sets", of_lane, seen.take_parts),
            Ask("lock_limited_ready", values, seen.take_heads),
        ]

    def _definitions(self, seen: Seen) -> list[Ask]:
        """Read the numbers of the keys. If executions may be parked, they must hold until the commit."""
        if not self._claims and not self._expects_crowd:
            return []
        keys = sorted(self._keys)
        take = seen.take_numbers
        asks = [
            Ask("read_limits", gate_rows.limit_keys(sorted({at[:2] for at in keys})), take),
            Ask("read_limit_overrides", gate_rows.key_keys(keys), take),
        ]
        if self._claims:
            asks.insert(0, Ask("share_definitions", {"lock": DEFINITIONS_LOCK}, _ignored))
        return asks

    def _read_rest(self, tx: PostgresTransaction, seen: Seen, *, is_told: bool) -> None:
        """Lock the keys that only the queue has shown."""
        if self._knows_keys:
            return
        self._keys.update(at for x in seen.heads or () for at in x.slots)
        if self._keys:
            self._store.gate_line.wait(self, key_places(self._keys))
            tx.ask([*self._key_asks(seen, is_told=is_told), *self._definitions(seen)], reads_clock=True)

    def _read_more(self, tx: PostgresTransaction, seen: Seen, most: int) -> None:
        """Lock more of the queue."""
        asks = self._head_asks(seen, most)
        parked = [x.execution_id for there in seen.parked.values() for x in there if x.payload is None]
        if parked:
            asks.append(Ask("read_payloads", rows.keys(parked), seen.take_payloads))
        tx.ask([*asks, *self._definitions(seen)])
        if not self._keys.issuperset(at for x in seen.heads or () for at in x.slots):
            raise RulesNeeded

    # ── decide ───────────────────────────────────────────────────────────────────────────────────

    def _committed(self, tx: PostgresTransaction, batch: Batch, first: "tuple[Seen, list[Ask]]") -> Answered:
        era, (seen, asks) = tx.era, first
        tx.has_written = True  # rows that were made to be locked must not be committed
        with translating_errors(self._store.connector):
            tx.ask(asks, reads_clock=True)
            self._read_rest(tx, seen, is_told=batch.is_told)
            if tx.era != era:
                raise RulesNeeded  # the statements wrote values of an era that is over
            self._check(tx, seen)
            while True:
                try:
                    sharing, taken = self._shared_out(seen, tx.now_ms)
                except MoreReadyNeeded:
                    self._read_more(tx, seen, 2 * seen.asked)
                    continue
                if not self._takes_along(batch, seen, sharing):
                    break
                self._read_more(tx, seen, max(seen.asked, self._expected(sharing.still_admitted)))
        return self._written(tx, batch, seen, sharing, taken)

    def _check(self, tx: PostgresTransaction, seen: Seen) -> None:
        """RulesNeeded: the batch is not as simple as it was expected to be."""
        if len(seen.ended) < len(self._completions):
            if not seen.ended and not self._expects_crowd:
                self._store.gate_hints.note_crowds(self._ending)
            raise OnlyThisTime
        busy = [at for at, use in seen.uses.items() if use.busy_until_us > tx.now_ms * 1000]
        if busy:
            # Without claims, the numbers of the limit were not read.
            self._store.gate_hints.note_rates(busy)
            raise RulesNeeded
        if any(seen.uses.get(at, unused(at)).in_use < number for at, number in self._ending.items()):
            raise RulesNeeded
        if not self._keys.issuperset(at for there in seen.parked.values() for x in there for at in x.slots):
            raise RulesNeeded
        if not self._keys.issuperset(at for x in seen.heads or () for at in x.slots):
            raise RulesNeeded

    def _shared_out(self, seen: Seen, now_ms: int) -> "tuple[Sharing, dict[int, list[Lease]]]":
        """Who gets which slots: the commands are taken in their order."""
        if self._claims:
            sets = [row[0] for row in seen.parts if row[0] is not None]
            if seen.parts[0][1] is not None or any(each != self._capability_set for each in sets):
                raise RulesNeeded  # the lane is paused, or others wait there, too
            if any((x.namespace, x.lane) != self._lane for there in seen.parked.values() for x in there):
                raise RulesNeeded  # those who are let in are not for these claims
        limits = {at: limit for at in self._keys if (limit := seen.numbers_of(at)) is not None}
        if any(limit.rate is not None for limit in limits.values()):
            self._store.gate_hints.note_rates(at for at, limit in limits.items() if limit.rate is not None)
        sharing = Sharing(
            limits,
            {at: seen.uses.get(at) or unused(at) for at in self._keys},
            [x.waiting for x in seen.heads or ()],
            {at: [x.waiting for x in there] for at, there in seen.parked.items()},
            now_ms,
            asked=seen.asked,
        )
        known = {x.execution_id: x for x in seen.all()}
        ends = {one.index: one.command.fence.execution_id for one in self._completions}
        taken: dict[int, list[Lease]] = {}
        for place in sorted({*ends, *self._claims}):
            if place in ends:
                sharing.end(self._slots[ends[place]])
            else:
                claim = self._claims[place]
                taken[place] = [Lease(known[each.execution_id], claim) for each in sharing.claim(claim.limit)]
        return sharing, taken

    def _takes_along(self, batch: Batch, seen: Seen, sharing: Sharing) -> bool:
        """Let claims join that wait for those who were let in."""
        if self._has_joined or not sharing.still_admitted:
            return False
        lanes = {(x.namespace, x.lane) for there in seen.parked.values() for x in there}
        self._has_joined = True
        return len(lanes) == 1 and self._take_along(batch, lanes, sharing.still_admitted)

    def _take_along(self, batch: Batch, lanes: set[Lane], enough: int) -> bool:
        before = len(batch.envelopes)
        if not batch.take_along(lanes, enough):
            return False
        self._has_joined = True
        for place in range(before, len(batch.envelopes)):
            command = batch.envelopes[place].command
            if not isinstance(command, Claim) or not is_bare(batch.envelopes[place]) or len(command.lanes) != 1:
                raise RulesNeeded
            self._claims[place] = command
        self._lane = _lane_of(self._claims)
        if self._lane is None or {self._lane} != lanes:
            raise RulesNeeded
        return True

    def _expected(self, admitted: int) -> int:
        """How many of the queue the claims will look at, if so many executions were let in."""
        limits = [claim.limit for claim in self._claims.values()]
        return admitted if sum(limits) <= admitted else admitted + parked_max(max(limits))

    # ── write ────────────────────────────────────────────────────────────────────────────────────

    def _written(
        self, tx: PostgresTransaction, batch: Batch, seen: Seen, sharing: Sharing, taken: dict[int, list[Lease]]
    ) -> Answered:
        known = {x.execution_id: x for x in seen.all()}
        leases = [lease for each in taken.values() for lease in each]
        leased = {lease.x.execution_id for lease in leases}
        parked = [known[key] for key in sharing.parked]
        admitted = [known[key] for key in sharing.admitted if key not in leased]
        answers: dict[int, Outcome] = {**completed(self._completions, seen.ended)}
        for place, each in taken.items():
            answers[place] = [limit_rows.claimed(lease, self._store.name, tx.era, tx.now_ms) for lease in each]
        told = [*told_of((), seen.ended, ()), *limit_rows.told_of_leases(leases, tx.now_ms)] if batch.is_told else ()
        ready = {(x.namespace, x.lane) for x in admitted}
        if sharing.was_cut_short and self._lane is not None:
            ready.add(self._lane)
        has_events = bool(self._completions or leases)
        fast = FastAnswers(answers, ready, has_events, told, sharing.freed)
        in_order = [answers[place] for place in range(len(batch.envelopes))]
        if not (has_events or parked or admitted):
            self._note(seen, sharing, leases)
            return Answered(in_order, None)
        answered = Answered(in_order, fast.committed)
        writes = self._writes(tx, seen, sharing, leases, parked, admitted)
        batch.commits(answered)
        tx.commit([*tx.mark(), *writes], fast.news)
        self._note(seen, sharing, leases)
        return answered

    def _writes(
        self,
        tx: PostgresTransaction,
        seen: Seen,
        sharing: Sharing,
        leases: Sequence[Lease],
        parked: Sequence[Limited],
        admitted: Sequence[Limited],
    ) -> list[Statement]:
        sql, now_ms = tx.sql, tx.now_ms
        writes: list[Statement] = []
        if leases:
            lane = (leases[0].x.namespace, leases[0].x.lane)
            values = partial(limit_rows.lease_values, leases, lane, self._capability_set, tx.era, now_ms)
            writes.append((sql["lease_limited"], values))
        for statement, values_of, xs in (
            ("park_limited", limit_rows.park_values, parked),
            ("admit_limited", limit_rows.admit_values, admitted),
        ):
            for lane in sorted({(x.namespace, x.lane) for x in xs}):
                of_lane = [x for x in xs if (x.namespace, x.lane) == lane]
                writes.append((sql[statement], partial(values_of, of_lane, lane, self._capability_set)))
                if statement == "admit_limited":
                    place = min((-x.priority, x.ready_at_ms) for x in of_lane)
                    self._store.queue_heads.entered((*lane, self._capability_set), place)
        uses = [sharing.uses[at] for at in sorted(self._keys)]
        idle = [use.at for use in uses if is_idle(use, now_ms) and (use.at in seen.made or use.at in seen.uses)]
        kept = [use for use in uses if not is_idle(use, now_ms) and use != seen.uses.get(use.at)]
        if kept:
            writes.append((sql["save_key_uses"], gate_rows.key_uses(kept)))
        if idle:
            writes.append((sql["delete_key_uses"], gate_rows.key_keys(idle)))
        moves = limit_rows.move_values(
            (([lease.x for lease in leases], RUNNING), (parked, PARKED), (admitted, QUEUED)), now_ms
        )
        if moves is not None:
            writes.append((sql["insert_count_moves"], moves))
        return writes

    def _note(self, seen: Seen, sharing: Sharing, leases: Sequence[Lease]) -> None:
        """Remember what the next batches should know."""
        hints = self._store.gate_hints
        hints.forget(self._leases)
        hints.note_leases((lease.x.execution_id, lease.x.namespace, lease.gates) for lease in leases)
        hints.note_crowds({at for at in self._keys if sharing.are_left_at(at)}, self._lane)
        if self._expects_crowd and seen.are_all_parked_known(self._ending):
            hints.note_parked({limit_gate(at): () for at in self._ending if not sharing.are_left_at(at)})
        if self._lane is not None and seen.heads:
            hints.note_claims(self._lane, [self._capability_set], {at for x in seen.heads for at in x.slots})
        if self._lane is not None and seen.heads is not None:
            if seen.heads:
                self._store.queue_heads.are_busy([self._lane])
            elif seen.parts[0][0] is None:
                self._store.queue_heads.found_idle(self._lane)


def _serves_limited(
    store: "PostgresStore", claims: Mapping[int, Claim], gated_set: int, *, has_completions: bool
) -> bool:
    """Whether nothing but executions with limits is expected in the lane of these claims."""
    lane = _lane_of(claims)
    if lane is None or store.gate_hints.lane_needs_rules(lane):
        return False
    if list(store.gate_hints.parts_of(lane)) != [gated_set]:
        return False
    return has_completions or not store.queue_heads.are_idle([lane])


def _lane_of(claims: Mapping[int, Claim]) -> Lane | None:
    """The lane of these claims. None: there are several, or none."""
    lanes = {(claim.namespace, claim.lanes) for claim in claims.values()}
    if len(lanes) != 1:
        return None
    ((namespace, named),) = lanes
    return (namespace, named[0]) if len(named) == 1 else None


def _ignored(found: Sequence[rows.Row]) -> None:
    """The statement only locks."""
