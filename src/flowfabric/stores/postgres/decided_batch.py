"""A batch that the rules decide: load and lock what it names, decide, write, commit.

Edges, groups and the records of a cancel change only under the lock of their flow. A member ends, becomes ready or is
blocked only under that lock, too. The rest of a member (its lease, progress, priority, tags, a hold) also changes
without the lock. Only the decision shows which members a batch changes. So, if a batch concerns flows, `load` locks the
flows and reads their members without locks. Once the batch is decided, `lock_touched` locks the members that were
changed or named, reads them anew, and reads the queue. If a member is different then, the batch is decided again. For a
batch of executions without flows `load` does everything, and flows cost nothing.

The rules about parents and children find out while they decide which other executions they need, and the rules about
limits and budgets which gates. The batch holds locks by then, so it does not wait for those that come earlier in the
order: if it cannot have one, it starts over, and locks all of them first, in order.
"""

from collections.abc import Collection, Iterable
from typing import Final

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.commands import Claim, Complete, OpenGate
from flowfabric.domain.errors import Contention
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId, make_execution_id
from flowfabric.domain.limits import KeyAt
from flowfabric.ports.errors import Overtaken
from flowfabric.ports.writing import Answered, Batch, Decided
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.belongings import Belongings, inboxes_named, needs_of
from flowfabric.stores.postgres.claim_queue import ClaimQueue
from flowfabric.stores.postgres.connection import translating_errors
from flowfabric.stores.postgres.families import Families
from flowfabric.stores.postgres.fast_path import NO_FAST_ANSWERS, FastAnswers
from flowfabric.stores.postgres.flow_reads import Ask, FlowReads
from flowfabric.stores.postgres.gate_definitions import check_definitions
from flowfabric.stores.postgres.gate_loading import GateLoading
from flowfabric.stores.postgres.gate_saving import made_in_vain, with_looks
from flowfabric.stores.postgres.record_reads import ExecutionReads, RecordReads
from flowfabric.stores.postgres.saving import Saving, Statement
from flowfabric.stores.postgres.transaction import PostgresTransaction

UNNOTICED_WAIT_MS: Final = 50
"""If a batch waited longer than this for members, it is decided again, even if the members are unchanged."""
LOCKED_KINDS: Final = (
    *("executions", "flows", "flows_of", "idempotency_keys", "aliases", "key_rings", "answers", "workers", "schedules"),
    *("access_tokens", "lanes", "key_turns", "key_uses", "budget_uses"),
)
"""What a batch that starts over locks at once, if the first try has come to need it."""


class OutOfTurn(Overtaken):
    """The batch needs a lock only now, after locks that come later in the order, and does not wait for it."""

    def __init__(self, locks: Needs) -> None:
        super().__init__("A lock is needed that comes before others; the batch starts over and takes it first.")
        self.locks = locks


class DecidedBatch:
    """The plan for any batch, and for the commands that a fast batch leaves undecided."""

    def __init__(
        self,
        tx: PostgresTransaction,
        fast: FastAnswers = NO_FAST_ANSWERS,
        *,
        locks_first: Needs | None = None,
        holds: Collection[KeyAt] = (),
        stands_as: object | None = None,
    ) -> None:
        """`fast`: what the fast statements have done before, in the same transaction.

        `locks_first`: what an earlier try has come to lock, beyond what the batch names. `holds`: keys of limits that
        the fast statements have locked. `stands_as`: what stands in line for locks in its place, if something does.
        """
        self._tx = tx
        self._fast = fast
        self._locks_first = locks_first
        self._has_locked = False
        """Whether executions have been locked: further ones are not waited for."""
        self._store = tx.store
        self._loaded = Loaded()
        self._asked = Needs()
        self._ours: set[ExecutionId] = set()
        """Members of flows that are locked."""
        self._flows = FlowReads(self._loaded, self._execution_in)
        self._executions = ExecutionReads(self._loaded, self._ours, self._flows.surveyed, self._execution_in)
        self._records = RecordReads(self._loaded)
        self._belongings = Belongings(self._loaded)
        self._families = Families(self._loaded, self._execution_in)
        given_turns, line = self._store.given_turns, self._store.gate_line
        self._gates = GateLoading(self._loaded, self._ours, self._flows, given_turns, line, self._execution_in)
        self._queue = ClaimQueue(tx, self._loaded, self._ours, self._flows)
        self._gates.note_held(holds)
        self._stands_as = stands_as or self
        self._surveys = False
        """Whether members are read without locks until `lock_touched`."""
        self._has_locked_touched = False
        self._new_sets: dict[tuple[str, ...], int] = {}

    @property
    def now_ms(self) -> int:
        """The store's time, read after the locks."""
        return self._tx.now_ms

    @property
    def era(self) -> int:
        """The era of the store."""
        return self._tx.era

    def run(self, batch: Batch) -> Answered:
        """Decide the batch, and commit what it changes."""
        looks = (each.command for each in batch.envelopes)
        self._gates.to_look_at = list(dict.fromkeys(look.gate for look in looks if isinstance(look, OpenGate)))
        try:
            return self._committed(batch)
        finally:
            self._gates.leave_line(self._stands_as)

    def _committed(self, batch: Batch) -> Answered:
        try:
            decided = self._decided(batch)
            self._note_inboxes(batch)
            if decided.changes.is_empty and not self._fast.answers:
                self._tx.rollback()
                return Answered(decided.answers, None)
            self._tx.has_written = True
            with translating_errors(self._store.connector):
                check_definitions(self._tx, self._asked, self._loaded, decided.changes)
                saving = Saving(self._store, self._loaded, self._capability_set, self.now_ms, self._gates.noted_looks)
                writes = saving.statements_for(with_looks(decided.changes, self._gates.passed_over, self.now_ms))
                writes += self._rows_made_in_vain(decided)
            answered = Answered(decided.answers, self._fast.then(decided.committed))
            batch.commits(answered)
        except BaseException:
            self._tx.rollback()
            raise
        self._tx.commit([*self._tx.mark(), *writes], self._fast.news.and_then(saving.news))
        self._store.gate_hints.note_parked(self._loaded.parked)
        self._store.gate_hints.note(decided.changes)
        return answered

    def _rows_made_in_vain(self, decided: Decided) -> list[Statement]:
        made = made_in_vain(self._gates.made, decided.changes)
        return [(self._tx.sql[statement], values) for statement, values in made]

    def _decided(self, batch: Batch) -> Decided:
        while True:
            decided = batch.decide(self, self._fast.answers, self._touched_differ)
            if not self.lock_touched(decided.touched):
                return decided

    def _note_inboxes(self, batch: Batch) -> None:
        """Note for the next batch of claims and completions whether most of what they meet is plain."""
        met = self._loaded.executions.values()
        if met and any(isinstance(envelope.command, Claim | Complete) for envelope in batch.envelopes):
            with_more = sum(x.inbox is not None or x.gates is not None for x in met)
            self._store.meets_inboxes = 2 * with_more > len(met)

    def _execution_in(self, row: rows.Row) -> Execution:
        return rows.execution_in(row, self._store.capabilities.tokens(row[6], self._tx.connection))

    def _capability_set(self, tokens: tuple[str, ...]) -> int:
        return self._store.capabilities.id_of(tokens, self._tx.connection, self._new_sets)

    # ── load ─────────────────────────────────────────────────────────────────────────────────────

    def load(self, needs: Needs) -> Loaded:
        """Lock what the batch names, and read the queue. The head of this module explains how flows differ."""
        new = needs.beyond(self._asked)
        if self._gates.widens(new, len(needs.executions)):
            new = new.beyond(self._asked)
        self._asked.add(new)
        if self._tx.is_open and new.is_empty:
            return self._loaded
        is_late, self._has_locked = self._has_locked, True
        with translating_errors(self._store.connector):
            if new.key_holders:
                new.executions |= self._look_at_holders(new)
                self._asked.add(new)
            if not is_late:
                if self._locks_first is not None:
                    new.add(self._locks_first)
                expected = self._add_hints(new)
                self._asked.add(new)
            if self._gates.come_after(new):
                raise self._out_of_turn()
            self._gates.wait_in_line(self._stands_as, new)
            at_once = self._asks_for_flows_at_once(new, is_late=is_late)
            asks: list[Ask] = []
            if new.executions:
                lock = self._executions.lock_late_solos if is_late else self._executions.lock_solos
                asks.append(lock(new.executions))
            if at_once:
                asks.append(self._flows.lock_flows(new.flows, new.flows_of))
            asks += [*self._families.asks(new), *self._records.asks(new), *self._belongings.asks(new)]
            asks += self._queue.lanes(new.claims)
            if at_once:
                asks.append(self._flows.survey(new.executions))
            if at_once or not new.executions:
                asks += self._flows.graph(new)
            asks += self._gates.asks(new, self._asked)
            if not is_late:
                asks += expected
            self._tx.ask(asks, reads_clock=True)
            if self._gates.holds_locks:
                self._tx.has_written = True  # rows that were made to be locked must not be committed
            self._check_turn()
            if new.running:
                self._load_flows_of_running()
            self._check_holders(new)
            self._load_members(new, flows_are_locked=at_once, is_late=is_late)
            if further := self._flows.further():
                self._tx.ask(further)
            if self._surveys and not self._has_locked_touched:
                self._loaded.candidates.update((need, []) for need in new.claims)
            elif new.claims:
                self._queue.lock_heads(new.claims)
            return self._loaded

    def _add_hints(self, needs: Needs) -> list[Ask]:
        """Add what the gates of these executions and claims will need, and ask for the heads of their queues.

        Nothing is added if the batch may concern a flow, because flows are locked before keys of limits.
        """
        hints = self._store.gate_hints
        if needs.flows or self._surveys or not hints.are_solos(needs.flows_of):
            return []
        if needs.flows_of:
            needs.add(hints.of_ends(needs.flows_of))
        lanes = {(each.namespace, lane) for each in needs.claims for lane in each.lanes}
        if not lanes or self._store.queue_heads.are_idle(lanes):
            return []
        needs.add(hints.of_claims(lanes))
        return self._queue.expected_heads(needs.claims, hints)

    def _load_flows_of_running(self) -> None:
        if flows := self._gates.flows_of_running():
            self._tx.ask(flows)
        if self._gates.leave_out_held_flows():
            self._surveys = True  # the end of a member concerns others

    def _load_members(self, new: Needs, *, flows_are_locked: bool, is_late: bool) -> None:
        """Lock the named members of flows, or read them without locks; in both cases after their flows."""
        members = new.executions & self._executions.members
        concerns_flows = bool(new.flows) or not members.isdisjoint(new.flows_of)
        if new.flows_of:
            self._store.meets_members = concerns_flows
        self._surveys = self._surveys or concerns_flows
        asks: list[Ask] = []
        if concerns_flows and not flows_are_locked:
            if is_late:
                raise self._out_of_turn()  # the flow of a parent comes before what the batch has locked
            asks.append(self._flows.lock_flows((), members & new.flows_of))
        locks_members = bool(members) and (self._has_locked_touched or not self._surveys)
        if locks_members:
            asks += self._lock_members(members)
        elif members and not flows_are_locked:
            asks.append(self._flows.survey(members))
        if not flows_are_locked and new.executions:
            asks += self._flows.graph(new)
        if asks:
            self._tx.ask(asks, reads_clock=True)
        if locks_members:
            self._read_late_steps(members)

    def _lock_members(self, members: Collection[ExecutionId]) -> list[Ask]:
        """Lock these members, then read their waitpoints and signals again: they were first read without the lock."""
        named = inboxes_named(self._asked).intersection(members)
        again = self._belongings.asks_again(needs_of(self._asked, named)) if named else []
        return [self._executions.lock_members(members), *again]

    def _read_late_steps(self, members: Collection[ExecutionId]) -> None:
        """Read the steps of members that have an inbox again: a signal may have stored a step before their lock."""
        found = ((key, self._loaded.executions.get(key)) for key in members)
        with_inbox = {key for key, x in found if x is not None and x.inbox is not None} - inboxes_named(self._asked)
        if with_inbox and (asks := self._belongings.asks_again(needs_of(self._asked, with_inbox))):
            self._tx.ask(asks)

    def _look_at_holders(self, needs: Needs) -> set[ExecutionId]:
        """The executions that hold the idempotency keys.

        Nothing is locked here: executions are locked before their keys.
        """
        values = rows.idempotency_keys(sorted(needs.key_holders))
        (found,) = self._tx.run([(self._tx.sql["read_key_holders"], values)])
        return {make_execution_id(partition, uuid) for partition, uuid in found}

    def _check_holders(self, needs: Needs) -> None:
        """Give up if a key has a new holder since it was read: the holder must be locked before the key."""
        promises = (self._loaded.idempotency_keys.get(at) for at in needs.key_holders)
        if any(found is not None and found.execution_id not in self._asked.executions for found in promises):
            raise Overtaken("An idempotency key was renewed meanwhile; the batch is decided anew.")

    def _check_turn(self) -> None:
        """Start over if a lock is held that the batch has come to need."""
        held = self._executions.held | self._families.held
        if held or self._gates.was_kept_out:
            raise self._out_of_turn(held)

    def _out_of_turn(self, held: Collection[ExecutionId] = ()) -> OutOfTurn:
        """The whole batch starts over, also what the fast statements have answered: that is rolled back."""
        locks = Needs()
        for kind in LOCKED_KINDS:
            getattr(locks, kind).update(getattr(self._asked, kind))
        locks.executions.update(held)
        return OutOfTurn(locks)

    def _asks_for_flows_at_once(self, needs: Needs, *, is_late: bool) -> bool:
        """Whether flows are locked in the first round trip, or only once a named execution turns out to be a member.

        They are locked at once if the batch names flows, if the batches before met members, or if the batch locks
        something that comes after flows in the order of locks.
        """
        if needs.flows or is_late:
            return bool(needs.flows)
        if self._store.gate_hints.are_solos(needs.flows_of):
            return False
        locked_keys = needs.idempotency_keys or needs.aliases or needs.key_rings or needs.answers
        locked_records = needs.workers or needs.access_tokens or needs.schedules
        locked_at_gates = needs.key_turns or needs.key_uses or needs.budget_uses
        locked_later = locked_keys or locked_records or locked_at_gates
        # The steps of an ended execution do not change; but a member may still end until its flow is locked.
        read_later = needs.step_places or needs.inboxes
        return bool(needs.flows_of) and (self._store.meets_members or bool(locked_later or read_later))

    # ── after the decision ───────────────────────────────────────────────────────────────────────

    def lock_touched(self, touched: Iterable[ExecutionId]) -> bool:
        """Lock the members that were changed or named, and read the queue. True: the batch must be decided again.

        If claims were decided before this, they have not seen the queue.
        """
        claims_were_early = self._surveys and not self._has_locked_touched and bool(self._asked.claims)
        return self._touched_differ(touched) or claims_were_early

    def _touched_differ(self, touched: Iterable[ExecutionId]) -> bool:
        """Lock the members that were changed or named, and read the queue. True: one of them has changed meanwhile."""
        strangers = {key for key in touched if self._is_member(key) and key not in self._ours}
        if self._has_locked_touched or not self._surveys:
            if strangers:
                raise Contention("Members of a flow changed while the batch was decided; it is decided anew.")
            return False
        self._has_locked_touched = True
        to_lock = strangers | self._executions.members
        now_ms = self.now_ms + self._tx.since_now_ms
        before = {key: self._loaded.executions.get(key) for key in to_lock}
        belonging = needs_of(self._asked, to_lock)
        belonged = self._belongings.known(belonging)
        asks = self._lock_members(to_lock) if to_lock else []
        if to_lock and self._gates.holds_locks:
            self._tx.wait_briefly()
        with translating_errors(self._store.connector):
            if self._asked.claims:
                self._queue.lock_heads(self._asked.claims, asks)
            elif asks:
                self._tx.ask(asks, reads_clock=True)
            self._read_late_steps(to_lock)
        has_waited = self.now_ms - now_ms > UNNOTICED_WAIT_MS
        for key in to_lock - self._ours:
            self._loaded.executions.pop(key, None)
        is_unchanged = all(self._loaded.executions.get(key) is x for key, x in before.items())
        is_unchanged = is_unchanged and self._belongings.known(belonging) == belonged
        return not is_unchanged or has_waited

    def _is_member(self, execution_id: ExecutionId) -> bool:
        x = self._loaded.executions.get(execution_id)
        return x is not None and x.flow_id is not None
