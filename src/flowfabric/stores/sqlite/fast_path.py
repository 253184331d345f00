"""Plain commands of a batch, done by statements that write many executions at once and make no records of them.

`_shared.fast_path` says which commands are tried. A look at the rows says which of their executions are plain; the
rest of the batch is decided by the rules, in the same transaction.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec.structs import astuple

from flowfabric.domain.commands import Claim
from flowfabric.domain.counting import Move, Standing
from flowfabric.domain.execution import QueueOrder
from flowfabric.domain.flow import Passed, inputs_from
from flowfabric.domain.ids import make_execution_id, uuid_from_hex
from flowfabric.domain.lanes import MINUTE_MS
from flowfabric.domain.news import PlainStep
from flowfabric.domain.outcomes import Claimed, Completed, Outcome
from flowfabric.domain.plain import first_claim
from flowfabric.domain.remembered_answers import remembered
from flowfabric.domain.slots import RulesNeeded
from flowfabric.ports.writing import Batch
from flowfabric.stores._shared.counts import count_move_row_of
from flowfabric.stores._shared.encoding import policy_text, tags_of
from flowfabric.stores._shared.fast_path import (
    NO_FAST_ANSWERS,
    FastAnswers,
    PlainCommands,
    PlainCompletion,
    answers_to,
    lease_details_around_epoch,
    plain_policy,
)
from flowfabric.stores._shared.flow_samples import FLOW_STANDINGS
from flowfabric.stores._shared.limited import only_limits
from flowfabric.stores._shared.samples import STANDINGS
from flowfabric.stores.sqlite.fast_statements import FastStatements, FastWork, list_of
from flowfabric.stores.sqlite.flow_creation import create_flows
from flowfabric.stores.sqlite.flow_path import Child, End, FlowPath
from flowfabric.stores.sqlite.json_rows import Row, calls
from flowfabric.stores.sqlite.limit_path import LimitPath
from flowfabric.stores.sqlite.limit_rows import EPOCHS, LARGE
from flowfabric.stores.sqlite.rows import key_of
from flowfabric.stores.sqlite.slot_shares import Ending

if TYPE_CHECKING:
    from flowfabric.stores.sqlite.readers import ReadSide


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
    flow_id: str
    """Of what belongs to no flow, it is empty."""
    starts_flow: int | None
    passed: list[tuple[int, str, str, str | None]] | None
    """The results that are passed to a member: when, by which edge, under which name."""


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
    gates: str | None


WithSlots = dict[str | None, list[_Leased]]
"""By scope, the leases that hold slots of limits, and that completions may end."""
_HEAD: Final = msgspec.json.Decoder(list[_InQueue])
_LEASES: Final = msgspec.json.Decoder(list[_Leased])


class FastPath(FastStatements):
    """The fast statements of one transaction."""

    def __init__(self, connection: sqlite3.Connection, store: "ReadSide", era: int, now_ms: int) -> None:
        super().__init__(connection, store.sql)
        self._store = store
        self._store_name = store.name
        self._era = era
        self._now_ms = now_ms
        self._is_told = False
        self._answers: dict[int, Outcome] = {}
        self._moves: defaultdict[Move, int] = defaultdict(int)
        self._told: list[PlainStep] = []
        self._children: Sequence[Child] = ()
        """The members of flows that may run now."""
        self._taken: set[int] = set()
        """The numbers of the rows that claims have taken."""
        self.payload_bytes = 0
        """How many bytes of payloads and results were written."""

    def answers(self, batch: Batch, commands: PlainCommands) -> FastAnswers:
        """Do what the statements can do, and return its answers. `commands`: as they were found before the lock."""
        commands.find_claims(batch.envelopes)
        for place, key in list(commands.answer_keys.items()):
            if self._connection.execute(self._sql["load_answer"], key).fetchone() is not None:
                commands.leave_to_the_rules(place)
        if commands.is_empty:
            return NO_FAST_ANSWERS
        self._is_told = batch.is_told
        limits = self._limit_path(is_told=batch.is_told)
        with_slots = self._complete_all(batch, commands)
        slots = sum(map(len, with_slots.values()))
        if commands.creations:
            self._create(commands, limits)
            self._answers.update(answers_to(commands.creations, batch.envelopes))
        if commands.flows:
            self._create_flows(batch, commands)
        if commands.answer_keys:
            kept = [remembered(batch.envelopes[at], self._answers[at], self._now_ms) for at in commands.answer_keys]
            self.insert("save_answers", [astuple(each) for each in kept])
        made = len(commands.creations) + len(commands.flows)
        # A claim must see what the commands before it have done, also those that are decided. The same holds for those
        # who wait for a slot.
        if len(self._answers) + slots + len(commands.claims) == len(batch.envelopes):
            left = commands.claims if slots else self._claim(commands.claims)
            if slots or left:
                self._share_out_slots(batch, commands, limits, with_slots, left)
        minute = self._now_ms // MINUTE_MS
        self.insert("insert_count_moves", [count_move_row_of(*moved, minute) for moved in self._moves.items()])
        ready = commands.lanes_left_filled(self._answers)
        ready |= {(child.namespace, child.lane) for child in self._children if child.row_id not in self._taken}
        ready.update(limits.ready)
        # A creation writes no event.
        return FastAnswers(self._answers, ready, len(self._answers) > made, self._told, limits.freed)

    def _limit_path(self, *, is_told: bool) -> LimitPath:
        work = FastWork(self._connection, self._sql, self._store_name, self._era, self._now_ms, is_told=is_told)
        return LimitPath(work, self._store)

    # ── create ───────────────────────────────────────────────────────────────────────────────────

    def _create(self, commands: PlainCommands, limits: LimitPath) -> None:
        limited = [each for each in commands.made if each.gates is not None]
        if limited and not limits.may_make(limited):
            commands.leave_creations_with_limits()
            limited = []
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
            if each.gates is None
        ]
        self.insert("insert_plain_executions", rows, (self._now_ms, self._now_ms, self._era))
        if limited:
            limits.make(limited, actors)
        self.insert("insert_payloads", [(*key_of(each.execution_id), each.payload) for each in made])
        self.payload_bytes += sum(len(each.payload) for each in made)
        self._move([(each.namespace, each.lane, each.kind) for each in made], None, STANDINGS["created"])
        if self._is_told:
            self._told += [PlainStep("created", each.namespace, each.lane, each.kind) for each in made]

    def _create_flows(self, batch: Batch, commands: PlainCommands) -> None:
        flows = list(commands.flows.values())
        for move, number in create_flows(self, flows, self._now_ms, self._era).items():
            self._moves[move] += number
        made = [each for flow in flows for _, each in flow.command.nodes]
        self.payload_bytes += sum(len(each.payload) for each in made)
        self._answers.update((place, flow.answer) for place, flow in commands.flows.items())
        if self._is_told:
            self._told += [PlainStep("created", each.namespace, each.lane, each.kind) for each in made]
        entering = [each for flow in flows for each in flow.entering]
        if batch.take_along({(each.namespace, each.lane) for each in entering}, len(entering)):
            commands.find_claims(batch.envelopes)

    # ── claim ────────────────────────────────────────────────────────────────────────────────────

    def _claim(self, claims: Sequence[tuple[int, Claim]]) -> Sequence[tuple[int, Claim]]:
        """Answer claims of lanes without limits, and return those that are left, if others may wait in their lanes."""
        for number, (place, command) in enumerate(claims):
            try:
                head = self._head_of(command)
            except _OthersWait:
                return claims[number:]
            if head is None:
                return ()  # this claim is decided, and so are those after it, which must find less
            answer, found = head
            row_ids = list_of(found)
            self._taken.update(row.row_id for row in found)
            self._answers[place] = answer
            before, after = lease_details_around_epoch(command)
            lease = (command.worker_id, command.worker_instance_id, command.lease_ttl_ms, command.mark or None)
            self.run("fast_claim", (row_ids, self._now_ms, *lease))
            self.run("insert_events_of_claim", (row_ids, self._now_ms, before, after))
            self._start_flows(command.namespace, found)
        return ()

    def _start_flows(self, namespace: str, found: Iterable[_InQueue]) -> None:
        """The flows of these members run from now on, if they did not."""
        starting = {(row.partition_key, bytes.fromhex(row.flow_id)) for row in found if row.starts_flow}
        self.change("start_flows", list(starting), (self._now_ms,))
        if starting:
            of = Move(namespace, "", "", FLOW_STANDINGS["flow_submitted"], FLOW_STANDINGS["flow_started"])
            self._moves[of] += len(starting)

    def _head_of(self, command: Claim) -> tuple[list[Claimed], list[_InQueue]] | None:
        """What the claim finds, and its rows. None: there is nothing, or not all of it is plain."""
        found: list[_InQueue] = []
        for lane in command.lanes:
            text = self.text(self._sql["find_plain_head"], (command.namespace, lane, command.limit, self._era))
            if text is None:
                raise _OthersWait
            found += _HEAD.decode(text)
        if len(command.lanes) > 1:
            found = sorted(found, key=_queue_order)[: command.limit]
        if not found or not all(row.is_plain and plain_policy(row.policy) is not None for row in found):
            return None
        try:
            tags = [dict(tags_of(row.tags)) for row in found]
        except msgspec.MsgspecError:
            return None  # a row is damaged; a decision skips it
        answer: list[Claimed] = []
        for row, known_tags in zip(found, tags, strict=True):
            payload, inputs = self._payload_in(row), _inputs_in(row)
            if payload is None or inputs is None:
                return None  # the payload is gone, so a decision skips the execution; or it reads what is large
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
                    flow_id=uuid_from_hex(row.flow_id) if row.flow_id else None,
                    inputs=inputs,
                )
            )
        places = [(command.namespace, row.lane, row.kind) for row in found]
        self._move(places, STANDINGS["created"], STANDINGS["leased"])
        if self._is_told:
            self._told += [
                PlainStep("leased", command.namespace, row.lane, row.kind, self._now_ms - row.ready_at_ms)
                for row in found
            ]
        return answer, found

    def _payload_in(self, row: _InQueue) -> bytes | None:
        if row.payload is None:
            return None
        if row.payload != LARGE:
            return bytes.fromhex(row.payload)
        key = (row.partition_key, bytes.fromhex(row.execution_id))
        found = self._connection.execute(self._sql["load_payload"], key).fetchone()
        return None if found is None else bytes(found[0])

    # ── complete ─────────────────────────────────────────────────────────────────────────────────

    def _complete_all(self, batch: Batch, commands: PlainCommands) -> "WithSlots":
        """Complete what is plain. Returns the leases that are plain but for their limits."""
        with_slots: WithSlots = {scope: [] for scope in commands.completions}
        wanted = commands.number_of_completions
        # If the last completions ended members of flows, these probably do so, too. Then members are looked for first.
        looks_first = self._store.meets_members
        if wanted and looks_first:
            self._complete_members(batch, commands, with_slots)
        if len(self._answers) < wanted:
            for scope, completions in commands.completions.items():
                with_slots[scope] = self._complete(scope, completions)
            if not looks_first and len(self._answers) + sum(map(len, with_slots.values())) < wanted:
                self._complete_members(batch, commands, with_slots)
        return with_slots

    def _complete(self, scope: str | None, completions: Sequence[PlainCompletion]) -> "list[_Leased]":
        """Complete those of the executions that are plain. Returns those that are plain but for their limits."""
        plain: list[_Leased] = []
        with_slots: list[_Leased] = []
        for row in self._leased(completions):
            if plain_policy(row.policy) is None or (scope is not None and row.namespace != scope):
                continue
            if row.gates is None:
                plain.append(row)
            elif only_limits(row.gates) is not None:
                with_slots.append(row)
        self._complete_plain(plain, completions)
        return with_slots

    def _complete_plain(self, rows: "Sequence[_Leased]", completions: Sequence[PlainCompletion]) -> None:
        by_retention: dict[int | None, list[_Leased]] = {}
        for row in rows:
            policy = plain_policy(row.policy)
            assert policy is not None
            by_retention.setdefault(policy.retention_ms, []).append(row)
        for retention_ms, ended in by_retention.items():
            standing = STANDINGS["completed_for_ever" if retention_ms is None else "completed_to_go"]
            self._complete_leased(ended, completions, retention_ms, standing)

    def _complete_members(self, batch: Batch, commands: PlainCommands, with_slots: "WithSlots") -> None:
        """Complete those of the rest that are plain members of flows. Claims must come after all of them."""
        if not commands.ends_come_first(batch.envelopes):
            return
        path = FlowPath(self, self._sql, self._now_ms)
        self._store.meets_members = False
        for scope, completions in commands.completions.items():
            others = {row.place for row in with_slots[scope]}
            left = [
                one for place, one in enumerate(completions) if one.index not in self._answers and place not in others
            ]
            ends = path.plain_ends(commands, scope, left)
            if ends:
                self._store.meets_members = True
                # A flow is kept as a whole: its members have no retention of their own.
                self._complete_leased(ends, left, None, FLOW_STANDINGS["member_completed"])
                path.pass_on(ends)
        for move, number in path.moves.items():
            self._moves[move] += number
        self._children = path.children
        if path.children and batch.take_along(path.lanes, len(path.children)):
            commands.find_claims(batch.envelopes)

    def _complete_leased(
        self,
        ended: "Sequence[_Leased | End]",
        completions: Sequence[PlainCompletion],
        retention_ms: int | None,
        standing: Standing,
    ) -> None:
        row_ids = list_of(ended)
        results: list[Row] = []
        for row in ended:
            one = completions[row.place]
            execution_id, result = one.command.fence.execution_id, one.command.result
            self._answers[one.index] = Completed(execution_id)
            if result is not None:
                results.append((*key_of(execution_id), row.life, result))
                self.payload_bytes += len(result)
        self.insert("save_results", results)
        self.run("insert_events_of_completion", (row_ids, self._now_ms))
        self.run("fast_complete", (row_ids, self._now_ms, retention_ms))
        self._move([(row.namespace, row.lane, row.kind) for row in ended], STANDINGS["leased"], standing)
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
            if (text := self.text(sql, [*values, self._now_ms])) is not None:
                found += _LEASES.decode(text)
        return found

    def _move(self, places: Sequence[tuple[str, str, str]], before: Standing | None, after: Standing) -> None:
        """Count executions that go from one standing to another, by the namespace, lane and kind of each."""
        moved: dict[tuple[str, str, str], int] = {}  # a Counter takes longer to make than most batches to count
        for place in places:
            moved[place] = moved.get(place, 0) + 1
        for place, number in moved.items():
            self._moves[Move(*place, before, after)] += number

    # ── slots ────────────────────────────────────────────────────────────────────────────────────

    def _share_out_slots(
        self,
        batch: Batch,
        commands: PlainCommands,
        limits: LimitPath,
        with_slots: "WithSlots",
        claims: Sequence[tuple[int, Claim]],
    ) -> None:
        """Complete leases that hold slots, and answer claims, unless the rules are needed for that."""
        endings: dict[int, Ending] = {}
        for scope, rows in with_slots.items():
            for row in rows:
                one, gates = commands.completions[scope][row.place], only_limits(row.gates)
                assert gates is not None
                endings[one.index] = Ending(one.command.fence.execution_id, row.namespace, gates)
        try:
            answered = limits.share_out(batch, endings, claims)
        except RulesNeeded:
            return
        commands.claims += answered[len(claims) :]
        for scope, rows in with_slots.items():
            self._complete_plain(rows, commands.completions[scope])
        self._answers.update(limits.work.answers)
        self._told += limits.work.told
        for move, number in limits.work.moves.items():
            self._moves[move] += number


class _OthersWait(Exception):
    """Not only executions without gates and capabilities wait in a lane."""


def _inputs_in(row: _InQueue) -> dict[str, bytes] | None:
    """What is passed to a member. None: some of it has to be read by itself."""
    if not row.passed:
        return {}
    if any(result == LARGE for *_, result in row.passed):
        return None
    return inputs_from(
        Passed(at_ms, edge_id, name, None if result is None else bytes.fromhex(result))
        for at_ms, edge_id, name, result in row.passed
    )


def _queue_order(row: _InQueue) -> QueueOrder:
    # As a text of hexadecimal digits, an id has the same order as with hyphens. What is plain has no turn.
    return -row.priority, 0, row.ready_at_ms, row.execution_id, row.partition_key
