"""One batch on PostgreSQL: READ COMMITTED, locks first, the clock read after the locks.

A batch is three round trips: open and lock, look at the queue, write and commit. One that is easy throughout is two,
and one whose answers are known before it is sent is one (see `at_once`). Rows are locked in one order, so that no two
batches wait for each other:

1. executions that belong to no flow, by id;
2. flows, by id;
3. idempotency keys, kept answers, workers, then schedules;
4. members of flows, by id;
5. what a claim finds: executions, then the flows that it starts. A claim passes over what others hold, and after it
   the batch waits for nobody.

Edges, groups and the accounts of a cancel change only under the lock of their flow, and a member ends, becomes ready
or is blocked only under it, too. The rest of a member (its lease, progress, priority, tags, a hold) also changes
without it. Which members a batch changes shows only when it is decided. So, if flows are concerned, `load` locks
them and only looks at their members; `keep` then locks the members that were changed or named, reads them anew, and
looks at the queue. What a batch of solo executions needs is all in `load`, which costs it nothing for flows.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg.pq import TransactionStatus

from flowfabric.domain.commands import Claim, Envelope
from flowfabric.domain.errors import Contention, Corruption
from flowfabric.domain.exchange import Changes, ClaimNeed, KeyInNamespace, Loaded, Needs
from flowfabric.domain.execution import Execution, IdempotencyKey, Ready, queue_order, ready_of
from flowfabric.domain.ids import ExecutionId, FlowId, make_execution_id
from flowfabric.domain.lanes import LaneSwitch
from flowfabric.domain.outcomes import Completed, Outcome, RememberedAnswer
from flowfabric.domain.steps import StepPlace, in_stored_order
from flowfabric.ports import NOTHING_EASILY, CommitUnknown, ConnectionLost, Easily, NotCommitted, Overtaken
from flowfabric.stores._shared.flows import FLOW_STATE_CODES
from flowfabric.stores._shared.schedules import schedule_of
from flowfabric.stores._shared.workers import worker_of
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.at_once import AtOnce, sent_at_once
from flowfabric.stores.postgres.connection import (
    FOR_TRANSACTION,
    LOCK_WAIT_MS,
    Connection,
    check_alive,
    is_refusal,
    translating_errors,
)
from flowfabric.stores.postgres.fast_path import FastPath, answers_to, create_values, part_of, parts_entered
from flowfabric.stores.postgres.flow_reads import Ask, FlowReads
from flowfabric.stores.postgres.notes import News
from flowfabric.stores.postgres.queue_heads import Part
from flowfabric.stores.postgres.saving import Saving, Statement

if TYPE_CHECKING:
    from flowfabric.stores.postgres.writer import PostgresWriter

log = logging.getLogger("flowfabric.stores.postgres")

Cursor = psycopg.Cursor[tuple[Any, ...]]

UNNOTICED_WAIT_MS: Final = 50
"""How long a batch may have waited for members without being decided again, if they are as they were."""

_OPEN: Final = FLOW_STATE_CODES["open"]


class PostgresTransaction:
    """One atomic batch."""

    def __init__(
        self, writer: "PostgresWriter", connection: Connection, batch_id: bytes, lock_wait_ms: int | None = None
    ) -> None:
        self._writer = writer
        self._store = writer.store
        self._sql = writer.store.sql
        self._connection = connection
        self._batch_id = batch_id
        self._lock_wait_ms = lock_wait_ms
        self._loaded = Loaded()
        self._reads = FlowReads(self._loaded, self._execution_in)
        self._asked = Needs()
        self._members: set[ExecutionId] = set()
        """Executions named by the batch that belong to flows."""
        self._ours: set[ExecutionId] = set()
        """Members that are locked."""
        self._surveys = False
        """Whether members are only looked at until `keep`."""
        self._kept = False
        self._capability_sets: dict[KeyInNamespace, Sequence[int]] = {}
        self._candidates: dict[ExecutionId, tuple[FlowId, int | None, bool]] = {}
        """Members that a claim may take: their flow, its state, and whether results are passed to them."""
        self._writes: list[Statement] = []
        self._news = News()
        self._at_once: AtOnce | None = None
        self._is_open = False
        self._marks_at_once = True
        self._has_written = False
        self._new_sets: dict[tuple[str, ...], int] = {}
        self.now_ms = 0

    # ── the fast path ────────────────────────────────────────────────────────────────────────────

    def answer_easy(self, batch: Sequence[Envelope]) -> Easily:
        """Answer what three statements can, exactly as it would be decided; the rest is left."""
        # Behind a pooler plans are pinned by a transaction, and so is a wait for locks that is not the usual one.
        has_session = self._writer.has_pinned_plans and not self._store.connector.is_pooled
        if has_session and self._lock_wait_ms is None:
            self._at_once = sent_at_once(batch, self._store, {**self._marker[1], "lease_era": self.era})
            if self._at_once is not None:
                self._store.queue_heads.enter(parts_entered(self._at_once.left))
                with translating_errors(self._store.connector):
                    check_alive(self._connection)  # otherwise it is left in doubt
                return self._at_once.easily
        claims = [each.command for each in batch if isinstance(each.command, Claim) and each.command_id is None]
        # Claims that find nothing leave nothing behind, not even a marker: workers ask all the time.
        self._marks_at_once = len(claims) < len(batch)
        # Where the batches before were about members of flows, this one hardly finds anything easy.
        if self._store.meets_members:
            return NOTHING_EASILY
        # Nor do claims find anything where the last ones did not, unless something was heard of since.
        if not self._marks_at_once and self._store.queue_heads.are_idle(
            {(claim.namespace, lane) for claim in claims for lane in claim.lanes}
        ):
            return NOTHING_EASILY
        path = FastPath(batch, self._store.name)
        if not path.completions and not path.claims and not path.creations:
            return NOTHING_EASILY
        locking: list[Statement] = []
        if path.to_lock_first:
            locking.append((self._sql["lock_solo_executions"], rows.keys(path.to_lock_first)))
        statements = [
            (self._sql["fast_complete"], path.complete_values(scope, easy, self._store.given_now_ms))
            for scope, easy in path.completions.items()
        ]
        if path.creations:
            made = path.made
            in_a_batch = {
                "now_ms": self._store.given_now_ms,
                "batch_id": None,
                "note": "{}",
                "lease_era": self.era,
            }
            statements.append((self._sql["fast_create"], {**create_values(made), **in_a_batch}))
            self._store.queue_heads.enter(parts_entered(made))
        starts = [self._store.queue_heads.start_of(part_of(command)) for _, command in path.claims]
        for (_, command), start in zip(path.claims, starts, strict=True):
            values = path.claim_values(command, start, self.era, self._store.given_now_ms)
            statements.append((self._sql["fast_claim"], {**values, **self._marker[1]}))
        with translating_errors(self._store.connector):
            opening = [*self._opening(), *locking]
            self._has_written = True
            # Whoever is left to be decided needs to know the time.
            clock = [] if path.is_all_of(batch) else [(self._sql["clock"], None)]
            era = self.era
            found = self._run([*opening, *statements, *clock])
            if self.era != era:
                # What was written is of an era that is over. From the start, the long way.
                self.rollback()
                self._is_open = False
                return NOTHING_EASILY
            del found[: len(opening)]
        if clock:
            self.now_ms = self._store.clock_or(found.pop()[0][0])
        self._has_written = self._marks_at_once or any(found)
        answers: dict[int, Outcome] = {}
        for easy in path.completions.values():
            answers |= path.completed(easy, found.pop(0))
        if path.creations:
            answers |= answers_to(path.creations, batch)
            found.pop(0)
        try:
            for (index, command), start, head in zip(path.claims, starts, found, strict=True):
                first = path.first_place(head) if len(head) == command.limit else None
                self._store.queue_heads.found(part_of(command), start, first)
                if head:
                    answers[index] = path.claimed(command, head)
        except Corruption:
            # What was taken cannot be handed out. From the start, the long way: it passes over what is damaged.
            self.rollback()
            self._is_open = False
            return NOTHING_EASILY
        ready = path.lanes_left_filled(answers)
        self._news.ready.update(ready)
        self._news.ended += [each.execution_id for each in answers.values() if isinstance(each, Completed)]
        # To make something is no event.
        self._news.has_events = len(answers) > len(path.creations)
        return Easily(answers, ready, has_events=self._news.has_events)

    def _opening(self) -> list[Statement]:
        """What opens the transaction, the first time."""
        if self._is_open:
            return []
        self._is_open = True
        self._has_written = self._marks_at_once
        opening: list[Statement] = [("begin isolation level read committed", None)]
        wait = {"lock_wait_ms": LOCK_WAIT_MS if self._lock_wait_ms is None else self._lock_wait_ms}
        if not self._writer.has_pinned_plans:
            opening.append((self._sql["pin_plans"], {**FOR_TRANSACTION, **wait}))
        elif self._lock_wait_ms is not None:
            opening.append((self._sql["set_lock_wait"], wait))
        if self._marks_at_once:
            opening.append(self._marker)
        return opening

    @property
    def era(self) -> int:
        """The era of the store, as far as the connection tells."""
        return self._writer.era

    @property
    def _marker(self) -> tuple[str, Mapping[str, object]]:
        """What leaves the batch's marker.

        It is sent before the commit is, so that whoever asks for it waits for a commit that is still on its way.
        """
        return self._sql["insert_batch"], {"batch_id": self._batch_id, "now_ms": self._store.given_now_ms}

    # ── load ─────────────────────────────────────────────────────────────────────────────────────

    def load(self, needs: Needs) -> Loaded:
        """Open the transaction, lock what the batch names, and look at the queue; of flows, see above."""
        new = needs.beyond(self._asked)
        self._asked.add(new)
        if self._is_open and new.is_empty:
            return self._loaded
        with translating_errors(self._store.connector):
            if new.key_holders:
                new.executions |= self._look_at_holders(new)
                self._asked.add(new)
            at_once = self._asks_for_flows_at_once(new)
            asks: list[Ask] = []
            if new.executions:
                keys = rows.keys(sorted(new.executions, key=rows.lock_order))
                asks.append(Ask("lock_solo_executions", keys, self._take_solos))
            if at_once:
                asks.append(self._reads.lock_flows(new.flows, new.flows_of))
            asks += self._other_asks(new)
            if at_once:
                asks += [self._reads.survey(new.executions), *self._reads.graph(new)]
            self._ask(asks, self._opening(), reads_clock=True)
            self._check_holders(new)
            members = new.executions & self._members
            concerns_flows = bool(new.flows) or not members.isdisjoint(new.flows_of)
            if new.flows_of:
                self._store.meets_members = concerns_flows
            self._surveys = self._surveys or concerns_flows
            asks = []
            if concerns_flows and not at_once:
                asks.append(self._reads.lock_flows((), members & new.flows_of))
            if members and (self._kept or not self._surveys):
                asks.append(self._lock_members(members))
            elif members and not at_once:
                asks.append(self._reads.survey(members))
            if not at_once:
                asks += self._reads.graph(new)
            if asks:
                self._ask(asks, reads_clock=True)
            if further := self._reads.further():
                self._ask(further)
            if not self._surveys or self._kept:
                self._load_queue(new.claims, [])
            else:
                self._loaded.candidates.update((need, []) for need in new.claims)
            return self._loaded

    def _look_at_holders(self, needs: Needs) -> set[ExecutionId]:
        """The executions that hold the keys. They are locked before the keys are, so nothing is locked here."""
        values = rows.idempotency_keys(sorted(needs.key_holders))
        opening = self._opening()
        found = self._run([*opening, (self._sql["read_key_holders"], values)])[-1]
        return {make_execution_id(partition, uuid) for partition, uuid in found}

    def _check_holders(self, needs: Needs) -> None:
        """Give up if a key was renewed since the look at its holder: the new one cannot be locked before the key."""
        promises = (self._loaded.idempotency_keys.get(at) for at in needs.key_holders)
        if any(found is not None and found.execution_id not in self._asked.executions for found in promises):
            raise Overtaken("An idempotency key was renewed meanwhile; the batch is decided anew.")

    def _asks_for_flows_at_once(self, needs: Needs) -> bool:
        """Whether flows are locked in the first round trip, or only once a named execution is seen to have one.

        At once, if they are named or were met just before, or if something has to be locked after them.
        """
        if needs.flows:
            return True
        locked_later = needs.idempotency_keys or needs.answers or needs.workers or needs.schedules
        # The steps of what has ended do not change; but it may end as long as its flow is not locked.
        read_later = needs.step_places
        return bool(needs.flows_of) and (self._store.meets_members or bool(locked_later or read_later))

    def _other_asks(self, needs: Needs) -> list[Ask]:
        """What comes between flows and their members in the order of locks, and what needs no lock."""
        asks: list[Ask] = []
        if needs.idempotency_keys:
            asks.append(
                Ask("lock_idempotency_keys", rows.idempotency_keys(sorted(needs.idempotency_keys)), self._take_keys)
            )
        if needs.answers:
            asks.append(Ask("lock_answers", rows.answer_keys(sorted(needs.answers)), self._take_answers))
        if needs.workers:
            asks.append(Ask("lock_workers", rows.worker_keys(sorted(needs.workers)), self._take_workers))
        if needs.schedules:
            asks.append(Ask("lock_schedules", rows.schedule_keys(sorted(needs.schedules)), self._take_schedules))
        if needs.lanes:
            asks.append(Ask("lock_lanes", rows.lane_keys(sorted(needs.lanes)), self._take_lanes))
        if needs.steps:
            asks.append(Ask("read_named_steps", rows.step_keys(needs.steps), self._take_steps))
            recording = rows.keys({key for key, _ in needs.steps})
            asks.append(Ask("read_last_step_numbers", recording, self._take_step_numbers))
        if needs.step_places:
            asks.append(Ask("read_step_places", rows.keys(needs.step_places), self._take_step_places))
        if needs.payloads:
            asks.append(Ask("read_payloads", rows.keys(needs.payloads), self._take_payloads))
        for namespace, lane in dict.fromkeys((need.namespace, lane) for need in needs.claims for lane in need.lanes):
            values = {"namespace": namespace, "lane_id": lane}
            take = partial(self._take_capability_sets, (namespace, lane))
            asks.append(Ask("ready_capability_sets", values, take))
        return asks

    def _lock_members(self, execution_ids: Iterable[ExecutionId]) -> Ask:
        return Ask("lock_executions", rows.keys(sorted(execution_ids, key=rows.lock_order)), self._take_locked_members)

    def _ask(self, asks: Sequence[Ask], before: Sequence[Statement] = (), *, reads_clock: bool = False) -> None:
        """Send statements in one go, and hand their rows to whoever wants them."""
        statements = [*before, *((self._sql[ask.statement], ask.values) for ask in asks)]
        if reads_clock:
            statements.append((self._sql["clock"], None))
        found = self._run(statements)
        if reads_clock:
            self.now_ms = self._store.clock_or(found.pop()[0][0])
        for ask, answer in zip(asks, found[len(before) :], strict=True):
            ask.take(answer)

    def _run(self, statements: Sequence[Statement]) -> list[list[rows.Row]]:
        """Send statements in one go; all their rows."""
        with self._noticing_what_lasts(), self._connection.pipeline():
            cursors = [self._send(sql, values) for sql, values in statements]
        found = [cursor.fetchall() if cursor.description is not None else [] for cursor in cursors]
        if not self._writer.has_pinned_plans:
            # A pooler may lead to another server than the last time. What pins the plans also tells the timeline.
            for (sql, _), answer in zip(statements, found, strict=True):
                if sql == self._sql["pin_plans"]:
                    self._writer.take_timeline(answer[0][-1])
        return found

    @contextmanager
    def _noticing_what_lasts(self) -> Iterator[None]:
        """Have the writer do something about what would stop the next batch just the same."""
        try:
            yield
        except psycopg.errors.LockNotAvailable:
            self._writer.waited_in_vain = True
            raise
        except psycopg.errors.ReadOnlySqlTransaction:
            self._writer.was_read_only = True
            raise

    def _send(self, sql: str, values: Mapping[str, object] | None) -> Cursor:
        cursor = self._connection.cursor(binary=True)
        cursor.execute(sql.encode(), values)
        return cursor

    def _execution_in(self, row: rows.Row) -> Execution:
        return rows.execution_in(row, self._store.capabilities.tokens(row[6], self._connection))

    def _take_solos(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            partition, uuid, flow_id = row[rows.EXECUTION_COLUMNS :]
            if row[0] is not None:
                x = self._execution_in(row)
                self._loaded.executions[x.execution_id] = x
            elif flow_id is not None:
                self._members.add(make_execution_id(partition, uuid))

    def _take_locked_members(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            x = self._execution_in(row)
            self._ours.add(x.execution_id)
            # One that is as it was stays the very record that decisions saw.
            if x != self._loaded.executions.get(x.execution_id):
                self._loaded.executions[x.execution_id] = x

    def _take_keys(self, found: Sequence[rows.Row]) -> None:
        for namespace, key, partition, uuid, fingerprint, expires_at_ms in found:
            self._loaded.idempotency_keys[namespace, key] = IdempotencyKey(
                namespace, key, make_execution_id(partition, uuid), fingerprint, expires_at_ms
            )

    def _take_answers(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.answers[row[0], row[1]] = RememberedAnswer(*row)

    def _take_workers(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.workers[row[0], row[1]] = worker_of(row)

    def _take_schedules(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.schedules[row[0], row[1]] = schedule_of(row)

    def _take_lanes(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            self._loaded.lanes[row[0], row[1]] = LaneSwitch(*row)

    def _take_capability_sets(self, key: KeyInNamespace, found: Sequence[rows.Row]) -> None:
        self._capability_sets[key] = [row[0] for row in found if row[0] is not None]
        paused_at_ms, reason, event_seq = found[0][1:]
        if event_seq is not None:
            self._loaded.lanes[key] = LaneSwitch(*key, paused_at_ms, reason, event_seq)
        if self._capability_sets[key] or paused_at_ms is not None:
            self._store.queue_heads.are_busy([key])
        else:
            self._store.queue_heads.found_idle(key)

    def _take_steps(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            step = rows.step_in(row)
            self._loaded.steps[step.execution_id, step.name] = step

    def _take_step_numbers(self, found: Sequence[rows.Row]) -> None:
        for partition, uuid, number in found:
            self._loaded.last_step_numbers[make_execution_id(partition, uuid)] = number

    def _take_step_places(self, found: Sequence[rows.Row]) -> None:
        places = self._loaded.step_places
        for partition, uuid, *place in found:
            places.setdefault(make_execution_id(partition, uuid), []).append(StepPlace(*place))
        for key, of_one in places.items():
            places[key] = in_stored_order(of_one)

    def _take_payloads(self, found: Sequence[rows.Row]) -> None:
        for partition, uuid, payload in found:
            self._loaded.payloads[make_execution_id(partition, uuid)] = payload

    # ── keep ─────────────────────────────────────────────────────────────────────────────────────

    def keep(self, touched: Iterable[ExecutionId]) -> bool:
        """Lock the members that were changed or named, and look at the queue. False: all is as it was decided on."""
        strangers = {key for key in touched if self._is_member(key) and key not in self._ours}
        if self._kept or not self._surveys:
            if strangers:
                raise Contention("Members of a flow changed while the batch was decided; it is decided anew.")
            return False
        self._kept = True
        to_lock = strangers | self._members
        decided_at_ms = self.now_ms
        before = {key: self._loaded.executions.get(key) for key in to_lock}
        asks = [self._lock_members(to_lock)] if to_lock else []
        with translating_errors(self._store.connector):
            if self._asked.claims:
                self._load_queue(self._asked.claims, asks)
            elif asks:
                self._ask(asks, reads_clock=True)
        for key in to_lock - self._ours:
            self._loaded.executions.pop(key, None)
        is_unchanged = all(self._loaded.executions.get(key) is x for key, x in before.items())
        return bool(self._asked.claims) or not is_unchanged or self.now_ms - decided_at_ms > UNNOTICED_WAIT_MS

    def _is_member(self, execution_id: ExecutionId) -> bool:
        x = self._loaded.executions.get(execution_id)
        return x is not None and x.flow_id is not None

    # ── the queue ────────────────────────────────────────────────────────────────────────────────

    def _load_queue(self, claims: Mapping[ClaimNeed, int], before: Sequence[Ask]) -> None:
        """Lock the head of each part of the queue that a claim of the batch may take from."""
        if not claims:
            return
        most: dict[Part, int] = {}
        parts_of: dict[ClaimNeed, list[Part]] = {}
        for need, limit in claims.items():
            parts_of[need] = []
            for lane in need.open_lanes(self._loaded.lanes):
                for capability_set in self._capability_sets[need.namespace, lane]:
                    tokens = self._tokens_or_none(capability_set)
                    if tokens is not None and need.capabilities.issuperset(tokens):
                        part = (need.namespace, lane, capability_set)
                        parts_of[need].append(part)
                        most[part] = max(most.get(part, 0), limit)
        heads: dict[Part, Sequence[rows.Row]] = {}
        asks = [
            Ask("lock_ready", _part_values(part, limit), partial(heads.__setitem__, part))
            for part, limit in most.items()
        ]
        marker = [] if self._marks_at_once or not asks else [self._marker]
        self._has_written |= bool(marker)
        if before or asks:
            self._ask([*before, *asks], marker, reads_clock=True)
        ready = {part: self._take_part(part, most[part], head) for part, head in heads.items()}
        left_out = self._prepare_candidates()
        for need, limit in claims.items():
            candidates = [entry for part in parts_of[need] for entry in ready[part]]
            self._loaded.candidates[need] = [
                entry for entry in sorted(candidates, key=queue_order)[:limit] if entry.execution_id not in left_out
            ]

    def _tokens_or_none(self, capability_set: int) -> tuple[str, ...] | None:
        try:
            return self._store.capabilities.tokens(capability_set, self._connection)
        except Corruption as error:
            log.error("executions passed over: %s", error, extra={"cause": str(error)})
            return None

    def _take_part(self, part: Part, most: int, found: Sequence[rows.Row]) -> list[Ready]:
        """The candidates of one part of the queue. In the place of each damaged row another one is read."""
        asked = most
        while True:
            healthy = self._take_ready(part[2], found)
            if len(healthy) >= most or len(found) < asked:
                return healthy
            asked = most + len(found) - len(healthy)
            (found,) = self._run([(self._sql["lock_ready"], _part_values(part, asked))])

    def _take_ready(self, capability_set: int, found: Sequence[rows.Row]) -> list[Ready]:
        tokens = self._store.capabilities.tokens(capability_set, self._connection)
        taken: list[Ready] = []
        for row in found:
            try:
                x = rows.execution_in(row, tokens)
                payload, flow_state, passes_results = row[rows.EXECUTION_COLUMNS :]
                if payload is None:
                    raise Corruption(f"ff_payload, key {x.execution_id}: the row is gone.")
            except Corruption as error:
                # One damaged row must not keep a whole lane from being claimed.
                log.error("execution passed over: %s", error, extra={"cause": str(error)})
                continue
            ready = ready_of(x)
            if ready is not None:
                self._loaded.executions[x.execution_id] = x
                self._loaded.payloads[x.execution_id] = payload
                if x.flow_id is not None:
                    self._ours.add(x.execution_id)
                    self._candidates[x.execution_id] = (FlowId(x.flow_id), flow_state, bool(passes_results))
                taken.append(ready)
        return taken

    def _prepare_candidates(self) -> set[ExecutionId]:
        """Lock the flows that a claim would start, and read what is passed to members.

        Returned are those that cannot be claimed now, because someone else holds their flow, or something is damaged.
        """
        to_start = {flow_id for flow_id, state, _ in self._candidates.values() if state == _OPEN}
        self._loaded.started_flows.update(flow_id for flow_id, state, _ in self._candidates.values() if state != _OPEN)
        self._loaded.passing.update((key, []) for key in self._candidates)
        left_out: set[ExecutionId] = set()
        asks: list[Ask] = []
        if not_ours := to_start.difference(self._loaded.flows):
            asks.append(self._reads.lock_open_flows(not_ours))
        asks += self._reads.inputs((key for key, (*_, passes) in self._candidates.items() if passes), left_out)
        if asks:
            self._ask(asks)
        held = to_start.difference(self._loaded.flows)
        left_out.update(key for key, (flow_id, *_) in self._candidates.items() if flow_id in held)
        self._candidates.clear()
        return left_out

    # ── save ─────────────────────────────────────────────────────────────────────────────────────

    def save(self, changes: Changes) -> None:
        """Prepare what is to be written; it goes over together with the commit."""
        self._has_written = True
        with translating_errors(self._store.connector):
            saving = Saving(self._store, self._loaded, self._capability_set)
            self._writes += saving.statements_for(changes)
        self._news.ready |= saving.news.ready
        self._news.lost += saving.news.lost
        self._news.ended += saving.news.ended
        self._news.has_events |= saving.news.has_events

    def _capability_set(self, tokens: tuple[str, ...]) -> int:
        return self._store.capabilities.id_of(tokens, self._connection, self._new_sets)

    # ── end ──────────────────────────────────────────────────────────────────────────────────────

    def commit(self) -> None:
        """Write everything and make it so, in one round trip if there is no pooler."""
        self._writer.in_doubt = self._at_once
        try:
            found = self._send_commit()
        except psycopg.Error as error:
            meaning = self._store.connector.meaning_of(error)
            if not self._was_refused(error):
                raise CommitUnknown(str(meaning), None if isinstance(meaning, ConnectionLost) else meaning) from error
            self._writer.in_doubt = None
            self.rollback()
            raise meaning if isinstance(meaning, Contention) else NotCommitted(meaning) from error
        self._writer.in_doubt = None
        if self._at_once is not None:
            if found is None:
                self._store.queue_heads.are_busy(self._at_once.served)
                raise Overtaken("A lane that was idle is not any more; the batch is decided anew.")
            self._at_once.happened(found[0])

    def _send_commit(self) -> rows.Row | None:
        """Of a batch that is one statement, what it found."""
        if self._at_once is not None:
            with self._noticing_what_lasts():
                return self._send(self._sql[self._at_once.statement], self._at_once.values).fetchone()
        self._writes += self._store.notification(self._news)
        if self._store.connector.is_pooled:
            # The driver sends a Flush behind the end of a pipeline. If the transaction has ended by then, a pooler
            # takes the Flush for the beginning of the next one, and keeps a server connection for it.
            if self._writes:
                self._run(self._writes)
            self._connection.commit()
        else:
            self._run([*self._writes, ("commit", None)])
        return None

    def _was_refused(self, error: psycopg.Error) -> bool:
        """Whether the server itself has said that there was no commit."""
        if self._connection.info.transaction_status is TransactionStatus.INERROR:
            return True  # a statement before the commit was refused, and the transaction is still to be rolled back
        return is_refusal(error)

    def rollback(self) -> None:
        """Leave everything as it was."""
        try:
            if self._has_written or self._connection.info.transaction_status is not TransactionStatus.INTRANS:
                self._connection.rollback()
            else:
                # It comes to the same; but after a rollback the driver has the server forget all that was prepared, and
                # claims that find nothing are what an idle worker sends all the time.
                self._connection.commit()
        except psycopg.Error as error:
            cause = type(error).__name__
            log.warning("rollback failed; the connection is dropped: %s", cause, extra={"cause": cause})
            self._connection.close()


def _part_values(part: Part, most: int) -> Mapping[str, object]:
    namespace, lane, capability_set = part
    return {"namespace": namespace, "lane_id": lane, "capability_set": capability_set, "most": most}
