"""The write side of PostgreSQL: READ COMMITTED, locks first, the clock read after the locks.

A batch is three round trips: open and lock, look at the queue, write and commit. Rows are locked in one order:
executions by id, then keys, then side rows; what a claim finds locked it passes over, so no claim ever waits.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.pq import TransactionStatus

from flowfabric.domain.commands import Claim, Envelope
from flowfabric.domain.errors import Contention, Corruption
from flowfabric.domain.execution import Due, Execution, IdempotencyKey, Ready, queue_order, ready_of
from flowfabric.domain.ids import make_execution_id, partition_in, uuid_in
from flowfabric.domain.outcomes import Outcome, RememberedAnswer
from flowfabric.domain.working_set import Changes, ClaimNeed, KeyInNamespace, Loaded, Needs
from flowfabric.ports import CommitUnknown, ConnectionLost
from flowfabric.stores._shared.encoding import key_partition, writes_of
from flowfabric.stores._shared.side_rows import side_row_changes
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.connection import Connection, translated, translating_errors
from flowfabric.stores.postgres.fast_path import FastPath, part_of

if TYPE_CHECKING:
    from flowfabric.stores.postgres.store import PostgresStore

log = logging.getLogger("flowfabric.stores.postgres")

Cursor = psycopg.Cursor[tuple[Any, ...]]
Statement = tuple[str, Mapping[str, object] | None]


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
            self._connection = self.store.connect(prepares=True)
        return self._connection

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
        self._connection = self.store.connect(prepares=True)

    def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
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
        path = FastPath(batch, self._store.name)
        if not path.completions and not path.claims:
            return {}
        locking: list[Statement] = []
        if path.to_lock_first:
            locking.append((self._sql["lock_executions"], rows.keys(path.to_lock_first)))
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
        """Open the transaction, lock what the batch names, and look at the queue."""
        if self._is_open and needs.is_empty:
            return self._loaded
        with translating_errors(self._store.connector):
            lanes = list(dict.fromkeys((need.namespace, lane) for need in needs.claims for lane in need.lanes))
            opening = self._opening()
            first = list(opening)
            if needs.executions:
                first.append((self._sql["lock_executions"], rows.keys(sorted(needs.executions, key=rows.lock_order))))
            if needs.idempotency_keys:
                first.append((self._sql["lock_idempotency_keys"], _key_arrays(sorted(needs.idempotency_keys))))
            if needs.answers:
                first.append((self._sql["lock_answers"], _answer_keys(sorted(needs.answers))))
            if needs.payloads:
                first.append((self._sql["read_payloads"], rows.keys(needs.payloads)))
            for namespace, lane in lanes:
                first.append((self._sql["ready_capability_sets"], {"namespace": namespace, "lane_id": lane}))
            if not lanes:
                first.append((self._sql["clock"], None))
            answers = self._run(first)[len(opening) :]
            if needs.executions:
                self._take_executions(answers.pop(0))
            if needs.idempotency_keys:
                self._take_keys(answers.pop(0))
            if needs.answers:
                for row in answers.pop(0):
                    self._loaded.answers[row[0], row[1]] = RememberedAnswer(*row)
            if needs.payloads:
                for partition, uuid, payload in answers.pop(0):
                    self._loaded.payloads[make_execution_id(partition, uuid)] = payload
            if lanes:
                self._load_queue(needs, dict(zip(lanes, answers, strict=True)))
            else:
                self.now_ms = self._store.clock_or(answers[0][0][0])
            return self._loaded

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

    def _take_executions(self, found: Sequence[rows.Row]) -> None:
        for row in found:
            x = rows.execution_in(row, self._store.capabilities.tokens(row[6], self._connection))
            self._loaded.executions[x.execution_id] = x

    def _take_keys(self, found: Sequence[rows.Row]) -> None:
        for namespace, key, partition, uuid, fingerprint, expires_at_ms in found:
            self._loaded.idempotency_keys[namespace, key] = IdempotencyKey(
                namespace, key, make_execution_id(partition, uuid), fingerprint, expires_at_ms
            )

    def _load_queue(self, needs: Needs, sets: Mapping[tuple[str, str], Sequence[rows.Row]]) -> None:
        """Lock the head of each part of the queue that a claim of the batch may take from."""
        most: dict[tuple[str, str, int], int] = {}
        parts_of: dict[ClaimNeed, list[tuple[str, str, int]]] = {}
        for need, limit in needs.claims.items():
            parts_of[need] = []
            for lane in need.lanes:
                for (capability_set,) in sets[need.namespace, lane]:
                    tokens = self._tokens_or_none(capability_set)
                    if tokens is not None and need.capabilities.issuperset(tokens):
                        part = (need.namespace, lane, capability_set)
                        parts_of[need].append(part)
                        most[part] = max(most.get(part, 0), limit)
        statements = [self._lock_ready(part, limit) for part, limit in most.items()]
        marker = [] if self._marks_at_once or not statements else [self._marker]
        self._has_written |= bool(marker)
        *found, clock = self._run([*marker, *statements, (self._sql["clock"], None)])
        self.now_ms = self._store.clock_or(clock[0][0])
        heads = found[len(marker) :]
        ready = {part: self._take_part(part, most[part], head) for part, head in zip(most, heads, strict=True)}
        for need, limit in needs.claims.items():
            candidates = [entry for part in parts_of[need] for entry in ready[part]]
            self._loaded.candidates[need] = sorted(candidates, key=queue_order)[:limit]

    def _lock_ready(self, part: tuple[str, str, int], most: int) -> Statement:
        namespace, lane, capability_set = part
        values = {"namespace": namespace, "lane_id": lane, "capability_set": capability_set, "most": most}
        return self._sql["lock_ready"], values

    def _tokens_or_none(self, capability_set: int) -> tuple[str, ...] | None:
        try:
            return self._store.capabilities.tokens(capability_set, self._connection)
        except Corruption as error:
            log.error("executions passed over", extra={"cause": str(error)})
            return None

    def _take_part(self, part: tuple[str, str, int], most: int, found: Sequence[rows.Row]) -> list[Ready]:
        """The candidates of one part of the queue. In the place of each damaged row another one is read."""
        asked = most
        while True:
            healthy = self._take_ready(part[2], found)
            if len(healthy) >= most or len(found) < asked:
                return healthy
            asked = most + len(found) - len(healthy)
            (found,) = self._run([self._lock_ready(part, asked)])

    def _take_ready(self, capability_set: int, found: Sequence[rows.Row]) -> list[Ready]:
        tokens = self._store.capabilities.tokens(capability_set, self._connection)
        taken: list[Ready] = []
        for row in found:
            try:
                x = rows.execution_in(row, tokens)
                payload = row[rows.EXECUTION_COLUMNS]
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
                taken.append(ready)
        return taken

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
            if changes.events:
                self._write("insert_events", rows.events(changes.events))
            gone = [x for x, after in changes.executions if x is not None and after is None]
            if gone:
                self._delete(gone)
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
        if side.ready_new:
            self._write("insert_ready", rows.ready_rows(side.ready_new, self._capability_set))
        if side.due_gone:
            self._write("delete_due", rows.due_rows(sorted(side.due_gone, key=_lock_order)))
        if side.due_new:
            self._write("insert_due", rows.due_rows(side.due_new))

    def _save_results(self, changes: Changes) -> None:
        kept = {key: result for key, result in changes.results.items() if result is not None}
        if kept:
            self._write("save_results", {**rows.keys(kept), "result": rows.blobs(kept.values())})
        if len(kept) < len(changes.results):
            self._write("delete_results", rows.keys(key for key in changes.results if key not in kept))

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
        for table in ("events", "attempts", "tags", "results", "payloads", "executions"):
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


def _answer_keys(keys: Sequence[KeyInNamespace]) -> rows.Arrays:
    return {"scope": rows.texts(scope for scope, _ in keys), "command_id": rows.texts(name for _, name in keys)}


def _answer_arrays(answers: Sequence[RememberedAnswer]) -> rows.Arrays:
    return {
        **_answer_keys([(row.scope, row.command_id) for row in answers]),
        "fingerprint": rows.blobs(row.fingerprint for row in answers),
        "answer": rows.blobs(row.answer for row in answers),
        "expires_at_ms": rows.numbers(row.expires_at_ms for row in answers),
    }
