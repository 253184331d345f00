"""The write side of PostgreSQL: READ COMMITTED, locks first, the clock read after the locks.

A batch is three round trips: open and lock, look at the queue, write and commit. Rows are locked in one order, so that
no two batches wait for each other:

1. executions that belong to no flow, by id;
2. flows, by id;
3. idempotency keys, then kept answers;
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
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import psycopg
from psycopg.pq import TransactionStatus

from flowfabric.domain.commands import Claim, Envelope
from flowfabric.domain.errors import Contention, Corruption
from flowfabric.domain.exchange import Changes, ClaimNeed, KeyInNamespace, Loaded, Needs
from flowfabric.domain.execution import Due, Execution, IdempotencyKey, Ready, queue_order, ready_of
from flowfabric.domain.ids import ExecutionId, FlowId, make_execution_id, partition_in, uuid_in
from flowfabric.domain.outcomes import Outcome, RememberedAnswer
from flowfabric.ports import CommitUnknown, ConnectionLost
from flowfabric.stores._shared.encoding import key_partition, writes_of
from flowfabric.stores._shared.flows import FLOW_STATE_CODES, members_text
from flowfabric.stores._shared.side_rows import side_row_changes
from flowfabric.stores._shared.workers import worker_of
from flowfabric.stores.postgres import flow_rows, rows
from flowfabric.stores.postgres.connection import Connection, translated, translating_errors
from flowfabric.stores.postgres.fast_path import FastPath, part_of
from flowfabric.stores.postgres.flow_reads import Ask, FlowReads
from flowfabric.stores.postgres.listening import notification_of
from flowfabric.stores.postgres.queue_heads import Part

if TYPE_CHECKING:
    from flowfabric.stores.postgres.store import PostgresStore

log = logging.getLogger("flowfabric.stores.postgres")

Cursor = psycopg.Cursor[tuple[Any, ...]]
Statement = tuple[str, Mapping[str, object] | None]

UNNOTICED_WAIT_MS: Final = 50
"""How long a batch may have waited for members without being decided again, if they are as they were."""

_OPEN: Final = FLOW_STATE_CODES["open"]


class PostgresWriter:
    """Owned by one committer thread."""

    def __init__(self, store: "PostgresStore") -> None:
        self.store = store
        self.waited_in_vain = False
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        """The connection, new if the last one is gone."""
        if self._connection is None or self._connection.closed:
            self._connect()
        assert self._connection is not None
        return self._connection

    def _connect(self) -> None:
        self._connection = self.store.connect(prepares=True)
        self.store.our_sessions[self] = self._connection.info.backend_pid

    def begin(self, batch_id: bytes) -> "PostgresTransaction":
        """A transaction; it is opened on the server together with its first statement."""
        self._end_stranded_sessions()
        return PostgresTransaction(self, self.connection, batch_id)

    def was_committed(self, batch_id: bytes) -> bool:
        """Whether the batch's marker is there; waits for a first try that is still committing."""
        self._end_stranded_sessions()
        try:
            with translating_errors(self.store.connector), self.connection.transaction(force_rollback=True):
                self.connection.execute(self.store.sql["pin_plans"])
                cursor = self.connection.execute(self.store.sql["try_batch_id"], {"batch_id": batch_id})
                return cursor.fetchone() is None
        except Contention as error:
            # Whatever happens, the batch may not be decided again before this is answered.
            self.waited_in_vain = True
            raise ConnectionLost("the session of the first try has not ended yet") from error

    def _end_stranded_sessions(self) -> None:
        """After a wait for a lock that took too long: its holder may be frozen, or gone without a word."""
        if self.waited_in_vain:
            self.waited_in_vain = False
            with translating_errors(self.store.connector):
                ended = self.connection.execute(self.store.sql["end_stranded_sessions"]).fetchall()
            if ended:
                log.warning("ended sessions that had stopped within a batch", extra={"sessions": len(ended)})

    def reconnect(self) -> None:
        """Start over with a new connection."""
        self.close()
        self._connect()

    def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            self.store.our_sessions.pop(self, None)
            self._connection.close()
            self._connection = None


class PostgresTransaction:
    """One atomic batch."""

    def __init__(self, writer: PostgresWriter, connection: Connection, batch_id: bytes) -> None:
        self._writer = writer
        self._store = writer.store
        self._sql = writer.store.sql
        self._connection = connection
        self._batch_id = batch_id
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
        self._capability_sets: dict[tuple[str, str], Sequence[rows.Row]] = {}
        self._candidates: dict[ExecutionId, tuple[FlowId, int | None, bool]] = {}
        """Members that a claim may take: their flow, its state, and whether results are passed to them."""
        self._writes: list[Statement] = []
        self._is_open = False
        self._marks_at_once = True
        self._has_written = False
        self._new_sets: dict[tuple[str, ...], int] = {}
        self.now_ms = 0

    # ── the fast path ────────────────────────────────────────────────────────────────────────────

    def answer_easy(self, batch: Sequence[Envelope]) -> Mapping[int, Outcome]:
        """Answer what two statements can, exactly as it would be decided; the rest is left."""
        # Claims that find nothing leave nothing behind, not even a marker: workers ask all the time.
        self._marks_at_once = not all(isinstance(each.command, Claim) and each.command_id is None for each in batch)
        # Where the batches before were about members of flows, this one hardly finds anything easy.
        if self._store.meets_members:
            return {}
        path = FastPath(batch, self._store.name)
        if not path.completions and not path.claims:
            return {}
        locking: list[Statement] = []
        if path.to_lock_first:
            locking.append((self._sql["lock_solo_executions"], rows.keys(path.to_lock_first)))
        statements = [
            (self._sql["complete_easily"], path.complete_values(scope, easy, self._store.given_now_ms))
            for scope, easy in path.completions.items()
        ]
        starts = [self._store.queue_heads.start_of(part_of(command)) for _, command in path.claims]
        for (_, command), start in zip(path.claims, starts, strict=True):
            values = path.claim_values(command, start, self._store.given_now_ms)
            statements.append((self._sql["claim_easily"], {**values, **self._marker[1]}))
        with translating_errors(self._store.connector):
            opening = [*self._opening(), *locking]
            self._has_written = True
            found = self._run([*opening, *statements, (self._sql["clock"], None)])[len(opening) :]
        self.now_ms = self._store.clock_or(found.pop()[0][0])
        self._has_written = self._marks_at_once or any(found)
        answers: dict[int, Outcome] = {}
        for easy in path.completions.values():
            answers |= path.completed(easy, found.pop(0))
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
            return {}
        return answers

    def _opening(self) -> list[Statement]:
        """What opens the transaction, the first time."""
        if self._is_open:
            return []
        self._is_open = True
        self._has_written = self._marks_at_once
        opening: list[Statement] = [("begin", None), (self._sql["pin_plans"], None)]
        return [*opening, self._marker] if self._marks_at_once else opening

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
            self._ask(asks, self._opening(), reads_clock=at_once or not new.claims)
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

    def _asks_for_flows_at_once(self, needs: Needs) -> bool:
        """Whether flows are locked in the first round trip, or only once a named execution is seen to have one.

        At once, if they are named or were met just before, or if something has to be locked after them.
        """
        if needs.flows:
            return True
        return bool(needs.flows_of) and (
            self._store.meets_members or bool(needs.idempotency_keys) or bool(needs.answers)
        )

    def _other_asks(self, needs: Needs) -> list[Ask]:
        """What comes between flows and their members in the order of locks, and what needs no lock."""
        asks: list[Ask] = []
        if needs.idempotency_keys:
            asks.append(Ask("lock_idempotency_keys", _key_arrays(sorted(needs.idempotency_keys)), self._take_keys))
        if needs.answers:
            asks.append(Ask("lock_answers", _answer_keys(sorted(needs.answers)), self._take_answers))
        if needs.workers:
            asks.append(Ask("lock_workers", _worker_keys(sorted(needs.workers)), self._take_workers))
        if needs.steps:
            asks.append(Ask("read_named_steps", rows.step_keys(needs.steps), self._take_steps))
        if needs.payloads:
            asks.append(Ask("read_payloads", rows.keys(needs.payloads), self._take_payloads))
        for namespace, lane in dict.fromkeys((need.namespace, lane) for need in needs.claims for lane in need.lanes):
            values = {"namespace": namespace, "lane_id": lane}
            take = partial(self._capability_sets.__setitem__, (namespace, lane))
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
        try:
            with self._connection.pipeline():
                cursors = [self._send(sql, values) for sql, values in statements]
        except psycopg.errors.LockNotAvailable:
            self._writer.waited_in_vain = True
            raise
        return [cursor.fetchall() if cursor.description is not None else [] for cursor in cursors]

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

    def _take_steps(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            step = rows.step_in(row)
            self._loaded.steps[step.execution_id, step.name] = step

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
            for lane in need.lanes:
                for (capability_set,) in self._capability_sets[need.namespace, lane]:
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
            log.error("executions passed over", extra={"cause": str(error)})
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
                log.error("execution passed over", extra={"cause": str(error)})
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
            self._save_executions(changes)
            self._save_side_rows(changes)
            if changes.attempts:
                self._write("save_attempts", rows.attempts(list(changes.attempts.values())))
            self._save_results(changes)
            self._save_tags(changes)
            self._save_keys(changes)
            self._save_steps_and_workers(changes)
            self._save_flows(changes)
            if changes.events:
                self._write("insert_events", rows.events(changes.events))
            gone = [x for x, after in changes.executions if x is not None and after is None]
            if gone:
                self._delete(gone)
            gone_flows = [flow.flow_id for flow, after in changes.flows if flow is not None and after is None]
            if gone_flows:
                self._delete_flows(gone_flows)
            if changes.forget_batches_before_ms is not None:
                self._write("delete_old_batches", {"before_ms": changes.forget_batches_before_ms})

    def _write(self, statement: str, values: Mapping[str, object]) -> None:
        self._writes.append((self._sql[statement], values))

    def _capability_set(self, tokens: tuple[str, ...]) -> int:
        return self._store.capabilities.id_of(tokens, self._connection, self._new_sets)

    def _save_executions(self, changes: Changes) -> None:
        executions = writes_of(changes)
        if executions.born:
            born = sorted(executions.born, key=_lock_order)
            self._write("insert_executions", rows.born(born, lambda x: self._capability_set(x.required_capabilities)))
            ids = [x.execution_id for x in born]
            payloads = {"payload": rows.blobs([changes.payloads[key] for key in ids])}
            self._write("insert_payloads", {**rows.keys(ids), **payloads})
        if executions.narrow:
            keys = rows.keys(x.execution_id for x in executions.narrow)
            self._write("update_hot_columns", {**keys, **rows.hot_columns(executions.narrow)})
        if executions.wide:
            keys = rows.keys(x.execution_id for x in executions.wide)
            columns = {**rows.hot_columns(executions.wide), **rows.cold_columns(executions.wide)}
            self._write("update_executions", {**keys, **columns})

    def _save_side_rows(self, changes: Changes) -> None:
        side = side_row_changes(changes)
        # By key, like every other lock, because deleting a row locks it.
        if side.ready_gone:
            self._write("delete_ready", rows.ready_rows(sorted(side.ready_gone, key=_lock_order), self._capability_set))
        for ready in side.ready_new:
            part = (ready.namespace, ready.lane, self._capability_set(ready.required_capabilities))
            self._store.queue_heads.entered(part, (-ready.priority, ready.ready_at_ms))
        if side.ready_new and self._store.notifies:
            lanes = dict.fromkeys((ready.namespace, ready.lane) for ready in side.ready_new)
            self._write("notify_ready", {"note": rows.texts(map(notification_of, lanes))})
        if side.ready_new:
            self._write("insert_ready", rows.ready_rows(side.ready_new, self._capability_set))
        if side.due_gone:
            self._write("delete_due", rows.due_rows(sorted(side.due_gone, key=_lock_order)))
        if side.due_new:
            self._write("insert_due", rows.due_rows(side.due_new))

    def _save_results(self, changes: Changes) -> None:
        kept = {life: result for life, result in changes.results.items() if result is not None}
        if kept:
            self._write("save_results", {**rows.lives(kept), "result": rows.blobs(kept.values())})
        if len(kept) < len(changes.results):
            self._write("delete_results_of_lives", rows.lives(life for life in changes.results if life not in kept))

    def _save_tags(self, changes: Changes) -> None:
        changed = [
            (before, x)
            for before, x in changes.executions
            if x is not None and x.tags != (before.tags if before is not None else {})
        ]
        replaced = [x.execution_id for before, x in changed if before is not None]
        if replaced:
            self._write("delete_tags", rows.keys(replaced))
        tags = [(x, key, value) for _, x in changed for key, value in x.tags.items()]
        if tags:
            self._write(
                "insert_tags",
                {
                    **rows.keys(x.execution_id for x, _, _ in tags),
                    "key": rows.texts(key for _, key, _ in tags),
                    "value": rows.texts(value for _, _, value in tags),
                    "created_at_ms": rows.numbers(x.created_at_ms for x, _, _ in tags),
                },
            )

    def _save_steps_and_workers(self, changes: Changes) -> None:
        if changes.cleared_steps:
            self._write("delete_steps", rows.keys(changes.cleared_steps))
        if changes.steps:
            self._write("insert_steps", rows.steps(list(changes.steps.values())))
        if alive := [worker for worker in changes.workers.values() if worker is not None]:
            self._write("save_workers", rows.workers(alive))
        if gone := [at for at, worker in changes.workers.items() if worker is None]:
            self._write("delete_workers", _worker_keys(gone))

    def _save_keys(self, changes: Changes) -> None:
        for known in (False, True):
            promised = [
                row
                for at, row in sorted(changes.idempotency_keys.items())
                if row is not None and (at in self._loaded.idempotency_keys) is known
            ]
            if promised:
                self._write(
                    "update_idempotency_keys" if known else "insert_idempotency_keys", _promise_arrays(promised)
                )
            answers = [
                row
                for at, row in sorted(changes.answers.items())
                if row is not None and (at in self._loaded.answers) is known
            ]
            if answers:
                self._write("update_answers" if known else "insert_answers", _answer_arrays(answers))
        forgotten = [at for at, row in sorted(changes.idempotency_keys.items()) if row is None]
        if forgotten:
            self._write("delete_idempotency_keys", _key_arrays(forgotten))
        dropped = [at for at, answer in sorted(changes.answers.items()) if answer is None]
        if dropped:
            self._write("delete_answers", _answer_keys(dropped))

    def _delete(self, gone: Sequence[Execution]) -> None:
        """Remove executions with all that belongs to them, and note how far the log has lost events."""
        keys = rows.keys(x.execution_id for x in gone)
        self._write("note_purge", keys)
        for table in ("events", "attempts", "steps", "tags", "results", "payloads", "executions"):
            self._write(f"delete_{table}", keys)
        keyed = [x for x in gone if x.idempotency_key is not None]
        if keyed:
            promised = [(x.namespace, x.idempotency_key or "") for x in keyed]
            self._write(
                "delete_idempotency_keys_of_executions",
                {
                    **_key_arrays(promised),
                    "execution_partition": rows.numbers(partition_in(x.execution_id) for x in keyed),
                    "execution_id": rows.words(uuid_in(x.execution_id) for x in keyed),
                },
            )

    # ── save: flows ──────────────────────────────────────────────────────────────────────────────

    def _save_flows(self, changes: Changes) -> None:
        """Write flows, their graphs and the accounts of their cancels; all of it is under the locks of the flows."""
        born = [flow for before, flow in changes.flows if before is None and flow is not None]
        if born:
            born.sort(key=lambda flow: flow_rows.lock_order(flow.flow_id))
            self._write("insert_flows", flow_rows.flows(born))
        changed = [
            flow for before, flow in changes.flows if before is not None and flow is not None and flow is not before
        ]
        if changed:
            keys = flow_rows.flow_keys(flow.flow_id for flow in changed)
            self._write("update_flows", {**keys, **flow_rows.changing_columns(changed)})
        self._save_graph(changes)
        if changes.cancelled_members:
            members = {"members": rows.texts(map(members_text, changes.cancelled_members.values()))}
            self._write("insert_cancelled_members", {**flow_rows.flow_keys(changes.cancelled_members), **members})
        self._save_backlogs(changes)

    def _save_graph(self, changes: Changes) -> None:
        new_edges = [edge for before, edge in changes.edges if before is None]
        if new_edges:
            self._write("insert_edges", flow_rows.edges(new_edges))
        edges = [edge for before, edge in changes.edges if before is not None and edge is not before]
        if edges:
            self._write("update_edges", flow_rows.resolved_edges(edges))
        new_groups = [group for before, group in changes.groups if before is None]
        if new_groups:
            self._write("insert_groups", flow_rows.groups(new_groups))
        groups = [group for before, group in changes.groups if before is not None and group is not before]
        if groups:
            self._write("update_groups", flow_rows.groups(groups))

    def _save_backlogs(self, changes: Changes) -> None:
        backlogs = [backlog for backlog in changes.backlogs.values() if backlog is not None]
        if backlogs:
            counts = {
                "requested_at_ms": rows.numbers(backlog.requested_at_ms for backlog in backlogs),
                "pending_count": rows.numbers(backlog.pending_count for backlog in backlogs),
            }
            self._write("save_backlogs", {**flow_rows.flow_keys(backlog.flow_id for backlog in backlogs), **counts})
        if done := [flow_id for flow_id, backlog in changes.backlogs.items() if backlog is None]:
            self._write("delete_backlogs", flow_rows.flow_keys(done))
        if acks := [ack for ack in changes.acks.values() if ack is not None]:
            self._write("save_acks", flow_rows.acks(acks))
        if given := [key for key, ack in changes.acks.items() if ack is None]:
            self._write("delete_acks", flow_rows.ack_keys(given))

    def _delete_flows(self, gone: Sequence[FlowId]) -> None:
        """Remove flows with all that belongs to them but their members, and note how far the log has lost events."""
        keys = flow_rows.flow_keys(gone)
        self._write("note_purge_of_flows", keys)
        for what in ("events_of_flows", "edges_of_flows", "groups_of_flows", "backlogs", "acks_of_flows"):
            self._write(f"delete_{what}", keys)
        self._write("delete_cancelled_members", keys)
        self._write("delete_flows", keys)

    # ── end ──────────────────────────────────────────────────────────────────────────────────────

    def commit(self) -> None:
        """Write everything and make it so, in one round trip if there is no pooler."""
        try:
            if self._store.connector.is_pooled:
                # The driver sends a Flush behind the end of a pipeline. If the transaction has ended by then, a pooler
                # takes the Flush for the beginning of the next one, and keeps a server connection for it.
                if self._writes:
                    self._run(self._writes)
                self._connection.commit()
            else:
                self._run([*self._writes, ("commit", None)])
        except psycopg.Error as error:
            if self._store.connector.lost_prepared_statements(error):
                self.rollback()
                raise ConnectionLost("the pooler lost a prepared statement; going on without them") from error
            meaning = translated(error)
            if isinstance(meaning, ConnectionLost):
                raise CommitUnknown(str(meaning)) from error
            # A statement was refused, so the commit behind it was never run.
            self.rollback()
            raise meaning from error

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
            log.warning("rollback failed; the connection is dropped", extra={"cause": type(error).__name__})
            self._connection.close()


def _lock_order(row: Execution | Ready | Due) -> tuple[int, str]:
    return rows.lock_order(row.execution_id)


def _part_values(part: Part, most: int) -> Mapping[str, object]:
    namespace, lane, capability_set = part
    return {"namespace": namespace, "lane_id": lane, "capability_set": capability_set, "most": most}


def _key_arrays(keys: Sequence[KeyInNamespace]) -> rows.Arrays:
    return {
        "partition_key": rows.numbers(key_partition(*key) for key in keys),
        "namespace": rows.texts(namespace for namespace, _ in keys),
        "idempotency_key": rows.texts(key for _, key in keys),
    }


def _promise_arrays(promised: Sequence[IdempotencyKey]) -> rows.Arrays:
    return {
        **_key_arrays([(row.namespace, row.key) for row in promised]),
        "execution_partition": rows.numbers(partition_in(row.execution_id) for row in promised),
        "execution_id": rows.words(uuid_in(row.execution_id) for row in promised),
        "fingerprint": rows.blobs(row.fingerprint for row in promised),
        "expires_at_ms": rows.numbers(row.expires_at_ms for row in promised),
    }


def _worker_keys(keys: Sequence[KeyInNamespace]) -> rows.Arrays:
    return {
        "namespace": rows.texts(namespace for namespace, _ in keys),
        "worker_instance_id": rows.texts(name for _, name in keys),
    }


def _answer_keys(keys: Sequence[KeyInNamespace]) -> rows.Arrays:
    return {"scope": rows.texts(scope for scope, _ in keys), "command_id": rows.texts(name for _, name in keys)}


def _answer_arrays(answers: Sequence[RememberedAnswer]) -> rows.Arrays:
    return {
        **_answer_keys([(row.scope, row.command_id) for row in answers]),
        "fingerprint": rows.blobs(row.fingerprint for row in answers),
        "answer": rows.blobs(row.answer for row in answers),
        "expires_at_ms": rows.numbers(row.expires_at_ms for row in answers),
    }
