"""A batch whose first commands complete leases that hold slots of limits, and nothing else, where nobody is parked.

Such a completion concerns the execution and the keys of its limits. A statement ends the executions as it ends plain
ones, and the rules say what is used of the keys afterwards. Which slots a lease holds is remembered from its claim; the
statement checks that its execution has these gates still. It also checks that nobody is parked at these keys. If
somebody is, or if time counts there, the batch is decided as any other.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from flowfabric.domain.commands import Claim
from flowfabric.domain.limits import KeyAt, KeyUse, is_idle, without_slot
from flowfabric.domain.plain import holds_only_slots
from flowfabric.ports.writing import Answered, Batch
from flowfabric.stores._shared.fast_path import PlainCompletion, completion_in, is_bare
from flowfabric.stores._shared.gates import gates_text
from flowfabric.stores.postgres import gate_rows, rows
from flowfabric.stores.postgres.connection import translating_errors
from flowfabric.stores.postgres.decided_batch import DecidedBatch
from flowfabric.stores.postgres.fast_path import FastAnswers, complete_values, completed, told_of
from flowfabric.stores.postgres.gate_loading import KEY_USES, key_places
from flowfabric.stores.postgres.saving import Statement
from flowfabric.stores.postgres.transaction import PostgresTransaction

if TYPE_CHECKING:
    from flowfabric.domain.gates import Gates
    from flowfabric.domain.ids import ExecutionId
    from flowfabric.stores.postgres.writer import PostgresWriter


class LimitBatch:
    """One transaction: executions and keys are locked, a statement completes, and the rest is decided after it."""

    def __init__(
        self,
        writer: "PostgresWriter",
        scope: str | None,
        completions: list[PlainCompletion],
        leases: "dict[ExecutionId, tuple[str, Gates]]",
    ) -> None:
        self._writer = writer
        self._store = writer.store
        self._scope = scope
        self._completions = completions
        self._leases = leases
        self._keys = sorted({at for key in leases for at in self._slots_of(key)})

    @classmethod
    def of(cls, writer: "PostgresWriter", batch: Batch) -> "LimitBatch | None":
        """The plan, if the batch is completions of such leases, perhaps with claims after them; otherwise None."""
        store, scopes = writer.store, set()
        completions: list[PlainCompletion] = []
        leases: dict[ExecutionId, tuple[str, Gates]] = {}
        has_claims = False
        for index, envelope in enumerate(batch.envelopes):
            if isinstance(envelope.command, Claim) and is_bare(envelope) and completions:
                has_claims = True
                continue
            one = completion_in(index, envelope, store.name)
            lease = None if one is None or has_claims else store.gate_hints.lease_of(one.command.fence.execution_id)
            if one is None or lease is None or not holds_only_slots(lease[1]):
                return None
            completions.append(one)
            leases[one.command.fence.execution_id] = lease
            scopes.add(envelope.scope)
        if len(leases) != len(completions) or len(scopes) != 1:
            return None
        plan = cls(writer, scopes.pop(), completions, leases)
        # After these locks, claims could take those of other keys only if they are free.
        is_simple = not has_claims or len(plan._keys) == 1
        return plan if is_simple and not store.gate_hints.need_rules(plan._keys) else None

    def run(self, batch: Batch) -> Answered:
        """Complete, decide the commands that are not answered by that, if any, and commit."""
        statements = self._statements(is_told=batch.is_told)  # before it stands in line, where it may hold up others
        self._store.gate_line.wait(self, key_places(self._keys))
        try:
            return self._committed(batch, statements)
        finally:
            self._store.gate_line.leave(self)

    def _statements(self, *, is_told: bool) -> list[Statement]:
        """Lock the executions, lock the keys, read what is used of them, and complete."""
        sql, keys = self._store.sql, gate_rows.key_keys(self._keys)
        values = complete_values(self._scope, self._completions, self._store.given_now_ms, is_told=is_told)
        in_order = [one.command.fence.execution_id for one in self._completions]
        of_keys = {"key_namespace": keys["namespace"], "key_name": keys["name"], "key": keys["key"]}
        gates = rows.texts(gates_text(self._leases[key][1]) for key in in_order)
        return [
            (sql["hold_executions"], rows.keys(in_order)),
            (sql["lock_key_uses"], keys),
            (sql["read_key_uses"], keys),
            (sql["complete_at_limits"], {**values, **of_keys, "gates": gates}),
        ]

    def _committed(self, batch: Batch, statements: Sequence[Statement]) -> Answered:
        tx = self._writer.transaction(batch)
        try:
            fast, writes = self._answers(tx, statements, is_told=batch.is_told)
        except BaseException:
            tx.rollback()
            raise
        if not fast.answers:
            tx.rollback()
            return DecidedBatch(self._writer.transaction(batch), stands_as=self).run(batch)
        if len(fast.answers) < len(batch.envelopes):
            tx.send_first(writes)
            answered = DecidedBatch(tx, fast, holds=self._keys, stands_as=self).run(batch)
        else:
            answered = Answered([fast.answers[place] for place in range(len(batch.envelopes))], fast.committed)
            try:
                batch.commits(answered)
            except BaseException:
                tx.rollback()
                raise
            tx.commit(writes, fast.news)
        self._store.gate_hints.forget(self._ended(fast.answers))
        return answered

    def _answers(
        self, tx: PostgresTransaction, statements: Sequence[Statement], *, is_told: bool
    ) -> tuple[FastAnswers, list[Statement]]:
        """What the statement has answered, and what is to be written then. No answers: everything is to be decided."""
        tx.has_written = True
        with translating_errors(self._store.connector):
            _, made, used, found = tx.run(statements, reads_clock=True)
        uses = dict(map(KEY_USES.record_of, used))
        if not found:
            self._store.gate_hints.note_parked({(at[0], "limit", at[1], at[2]): "somebody" for at in self._keys})
        # The rules look at the definition of a limit if its rate may have changed.
        busy = [at for at, use in uses.items() if use.busy_until_us > tx.now_ms * 1000]
        self._store.gate_hints.note_rates(busy)
        if made or busy or not found:
            return FastAnswers({}), []
        answers = completed(self._completions, found)
        freed = Counter(at for key in self._ended(answers) for at in self._slots_of(key))
        after = [without_slot(uses[at], number) for at, number in sorted(freed.items())]
        told = told_of((), found, ()) if is_told else ()
        fast = FastAnswers(answers, has_events=True, plain=told, freed=freed.keys())
        return fast, self._writes(tx, after)

    def _writes(self, tx: PostgresTransaction, after: Sequence[KeyUse]) -> list[Statement]:
        kept = [use for use in after if not is_idle(use, tx.now_ms)]
        idle = [use.at for use in after if is_idle(use, tx.now_ms)]
        writes: list[Statement] = []
        if kept:
            writes.append((tx.sql["save_key_uses"], gate_rows.key_uses(kept)))
        if idle:
            writes.append((tx.sql["delete_key_uses"], gate_rows.key_keys(idle)))
        return writes

    def _slots_of(self, execution_id: "ExecutionId") -> list[KeyAt]:
        namespace, gates = self._leases[execution_id]
        return [(namespace, name, key) for name, key in gates.slots]

    def _ended(self, answers: Mapping[int, object]) -> "list[ExecutionId]":
        return [one.command.fence.execution_id for one in self._completions if one.index in answers]
