"""Plain commands of a batch, done by statements that write many executions at once and make no records of them.

`_shared.fast_path` says which commands are tried. A look at the rows says which of their executions are plain; the
rest of the batch is decided by the rules, in the same transaction.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import msgspec

from flowfabric.domain.commands import Claim
from flowfabric.domain.counting import Move
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.execution import QueueOrder
from flowfabric.domain.ids import make_execution_id, uuid_from_hex
from flowfabric.domain.lanes import MINUTE_MS
from flowfabric.domain.news import PlainStep
from flowfabric.domain.outcomes import Claimed, Completed, Outcome
from flowfabric.domain.plain import CREATED, LEASED, first_claim, is_plain_policy
from flowfabric.domain.policies import ExecutionPolicy
from flowfabric.ports.writing import Batch
from flowfabric.stores._shared.counts import count_move_row_of
from flowfabric.stores._shared.encoding import policy_of, policy_text, tags_of
from flowfabric.stores._shared.fast_path import (
    NO_FAST_ANSWERS,
    FastAnswers,
    PlainCommands,
    PlainCompletion,
    answers_to,
    lease_details_around_epoch,
)
from flowfabric.stores._shared.samples import STANDINGS
from flowfabric.stores._shared.statements import Statements, row_counts
from flowfabric.stores.sqlite.connection import is_undecodable
from flowfabric.stores.sqlite.json_rows import Row, calls
from flowfabric.stores.sqlite.rows import key_of

LARGE: Final = "-"
"""Stands for a payload that is read by itself."""

EPOCHS: Final = LEASED.after.lease_epoch - CREATED.after.lease_epoch
"""How far a claim moves the epoch on."""


class _InQueue(msgspec.Struct, array_like=True, gc=False):
    """A row of find_plain_head."""

    row_id: int
    partition_key: int
    execution_id: str
    lane: str
    lease_epoch: int
    kind: str
    policy: str | None
    tags: str | None
    priority: int
    ready_at_ms: int
    is_plain: int
    payload: str | None


class _Leased(msgspec.Struct, array_like=True, gc=False):
    """A row of find_plain_leases."""

    place: int
    row_id: int
    namespace: str
    lane: str
    kind: str
    policy: str | None
    started_at_ms: int
    life: int


_HEAD: Final = msgspec.json.Decoder(list[_InQueue])
_LEASES: Final = msgspec.json.Decoder(list[_Leased])


class FastPath:
    """The fast statements of one transaction."""

    def __init__(self, connection: sqlite3.Connection, sql: Statements, store_name: str, era: int, now_ms: int) -> None:
        self._connection = connection
        self._sql = sql
        self._store_name = store_name
        self._era = era
        self._now_ms = now_ms
        self._is_told = False
        self._answers: dict[int, Outcome] = {}
        self._moves: Counter[Move] = Counter()
        self._told: list[PlainStep] = []
        self.payload_bytes = 0
        """How many bytes of payloads and results were written."""

    def answers(self, batch: Batch) -> FastAnswers:
        """Do what the statements can do, and return its answers."""
        commands = PlainCommands(batch.envelopes, self._store_name, lanes_max=None)
        if commands.is_empty:
            return NO_FAST_ANSWERS
        self._is_told = batch.is_told
        for scope, completions in commands.completions.items():
            self._complete(scope, completions)
        if commands.creations:
            self._create(commands)
            self._answers.update(answers_to(commands.creations, batch.envelopes))
        made = len(commands.creations)
        # A claim must see what the commands before it have done, also those that are decided.
        if len(self._answers) + len(commands.claims) == len(batch.envelopes):
            self._claim(commands.claims)
        minute = self._now_ms // MINUTE_MS
        self._insert("insert_count_moves", [count_move_row_of(*moved, minute) for moved in self._moves.items()])
        ready = commands.lanes_left_filled(self._answers)
        # A creation writes no event.
        return FastAnswers(self._answers, ready, len(self._answers) > made, self._told)

    # ── create ───────────────────────────────────────────────────────────────────────────────────

    def _create(self, commands: PlainCommands) -> None:
        made, actors = commands.made, commands.actors
        rows = [
            (
                *key_of(each.execution_id),
                each.namespace,
                each.lane,
                each.kind,
                policy_text(each.policy),
                each.priority,
                actors.get(each.execution_id),
            )
            for each in made
        ]
        self._insert("insert_plain_executions", rows, (self._now_ms, self._now_ms, self._era))
        self._insert("insert_payloads", [(*key_of(each.execution_id), each.payload) for each in made])
        self.payload_bytes += sum(len(each.payload) for each in made)
        for of, number in Counter((each.namespace, each.lane, each.kind) for each in made).items():
            self._moves[Move(*of, None, STANDINGS["created"])] += number
        if self._is_told:
            self._told += [PlainStep("created", each.namespace, each.lane, each.kind) for each in made]

    # ── claim ────────────────────────────────────────────────────────────────────────────────────

    def _claim(self, claims: Iterable[tuple[int, Claim]]) -> None:
        for place, command in claims:
            head = self._head_of(command)
            if head is None:
                return  # this claim is decided, and so are those after it, which must find less
            answer, row_ids = head
            self._answers[place] = answer
            before, after = lease_details_around_epoch(command)
            lease = (command.worker_id, command.worker_instance_id, command.lease_ttl_ms, command.mark or None)
            self._run("fast_claim", (row_ids, self._now_ms, *lease))
            self._run("insert_events_of_claim", (row_ids, self._now_ms, before, after))

    def _head_of(self, command: Claim) -> tuple[list[Claimed], str] | None:
        """What the claim finds, and the numbers of its rows. None: there is nothing, or not all of it is plain."""
        found: list[_InQueue] = []
        for lane in command.lanes:
            text = self._text(self._sql["find_plain_head"], (command.namespace, lane, command.limit, self._era))
            if text is None:
                return None
            found += _HEAD.decode(text)
        if len(command.lanes) > 1:
            found = sorted(found, key=_queue_order)[: command.limit]
        if not found or not all(row.is_plain and _plain_policy(row.policy) is not None for row in found):
            return None
        try:
            tags = [dict(tags_of(row.tags)) for row in found]
        except msgspec.MsgspecError:
            return None  # a row is damaged; a decision skips it
        answer: list[Claimed] = []
        for row, known_tags in zip(found, tags, strict=True):
            payload = self._payload_in(row)
            if payload is None:
                return None  # the payload is gone; a decision skips the execution
            answer.append(
                first_claim(
                    command,
                    self._store_name,
                    make_execution_id(row.partition_key, uuid_from_hex(row.execution_id)),
                    kind=row.kind,
                    namespace=command.namespace,
                    lane=row.lane,
                    epoch=row.lease_epoch + EPOCHS,
                    payload=payload,
                    tags=known_tags,
                    now_ms=self._now_ms,
                )
            )
        for of, number in Counter((command.namespace, row.lane, row.kind) for row in found).items():
            self._moves[Move(*of, STANDINGS["created"], STANDINGS["leased"])] += number
        if self._is_told:
            self._told += [
                PlainStep("leased", command.namespace, row.lane, row.kind, self._now_ms - row.ready_at_ms)
                for row in found
            ]
        return answer, _list_of(found)

    def _payload_in(self, row: _InQueue) -> bytes | None:
        if row.payload is None:
            return None
        if row.payload != LARGE:
            return bytes.fromhex(row.payload)
        key = (row.partition_key, bytes.fromhex(row.execution_id))
        found = self._connection.execute(self._sql["load_payload"], key).fetchone()
        return None if found is None else bytes(found[0])

    # ── complete ─────────────────────────────────────────────────────────────────────────────────

    def _complete(self, scope: str | None, completions: Sequence[PlainCompletion]) -> None:
        """Complete those of the executions that are plain."""
        by_retention: dict[int | None, list[_Leased]] = {}
        for row in self._leased(completions):
            policy = _plain_policy(row.policy)
            if policy is not None and (scope is None or row.namespace == scope):
                by_retention.setdefault(policy.retention_ms, []).append(row)
        for retention_ms, ended in by_retention.items():
            self._complete_leased(ended, completions, retention_ms)

    def _complete_leased(
        self, ended: Sequence[_Leased], completions: Sequence[PlainCompletion], retention_ms: int | None
    ) -> None:
        row_ids = _list_of(ended)
        results: list[Row] = []
        for row in ended:
            one = completions[row.place]
            execution_id, result = one.command.fence.execution_id, one.command.result
            self._answers[one.index] = Completed(execution_id)
            if result is not None:
                results.append((*key_of(execution_id), row.life, result))
                self.payload_bytes += len(result)
        self._run("insert_completed_attempts", (row_ids, self._now_ms))
        self._insert("save_results", results)
        self._run("insert_events_of_completion", (row_ids, self._now_ms))
        self._run("fast_complete", (row_ids, self._now_ms, retention_ms))
        standings = STANDINGS["leased"], STANDINGS["completed_for_ever" if retention_ms is None else "completed_to_go"]
        for of, number in Counter((row.namespace, row.lane, row.kind) for row in ended).items():
            self._moves[Move(*of, *standings)] += number
        if self._is_told:
            self._told += [
                PlainStep("completed", row.namespace, row.lane, row.kind, self._now_ms - row.started_at_ms)
                for row in ended
            ]

    def _leased(self, completions: Sequence[PlainCompletion]) -> list[_Leased]:
        """The executions that are plain but perhaps for their policy."""
        rows = [
            (place, *key_of(fence.execution_id), fence.attempt_index, fence.lease_epoch, one.lease_mark)
            for place, one in enumerate(completions)
            for fence in (one.command.fence,)
        ]
        found: list[_Leased] = []
        for sql, values in calls(self._sql, "find_plain_leases", rows):
            if (text := self._text(sql, [*values, self._now_ms])) is not None:
                found += _LEASES.decode(text)
        return found

    # ── what is common to all ────────────────────────────────────────────────────────────────────

    def _text(self, statement: str, values: Sequence[object]) -> str | None:
        """The JSON text that a statement returns. None: it returns none, or one of the texts in it is damaged."""
        try:
            text: str | None = self._connection.execute(statement, values).fetchone()[0]
        except sqlite3.OperationalError as error:
            if not is_undecodable(error):
                raise
            return None
        return text

    def _run(self, statement: str, values: Row) -> None:
        self._connection.execute(self._sql[statement], values)

    def _insert(self, statement: str, rows: Sequence[Row], first: Row = ()) -> None:
        """Write rows with a repeated statement, in as few calls as possible."""
        at = 0
        for count in row_counts(len(rows)):
            values = [*first, *(value for row in rows[at : at + count] for value in row)]
            self._connection.execute(self._sql.repeated(statement, count), values)
            at += count


def _queue_order(row: _InQueue) -> QueueOrder:
    # As a text of hexadecimal digits, an id has the same order as with hyphens. What is plain has no turn.
    return -row.priority, 0, row.ready_at_ms, row.execution_id, row.partition_key


@lru_cache(maxsize=1024)
def _plain_policy(text: str | None) -> ExecutionPolicy | None:
    """The policy that was stored. None: it is not plain, or it is damaged, which a decision reports."""
    try:
        policy = policy_of(text)
    except (msgspec.MsgspecError, InvalidInput):
        return None
    return policy if is_plain_policy(policy) else None


def _list_of(rows: Iterable[_InQueue | _Leased]) -> str:
    """The numbers of rows, as statements take them."""
    return msgspec.json.encode([row.row_id for row in rows]).decode()
