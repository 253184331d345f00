"""The ends of plain members of flows: what statements do for many of them at once, without records of them.

All commands of a batch that concern one flow are either done here or left to the rules, so that their order does not
matter. Members that may run now are there for the claims of the same batch.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from flowfabric.domain.counting import Move
from flowfabric.domain.ids import make_execution_id, uuid_from_hex
from flowfabric.domain.lanes import Lane
from flowfabric.domain.plain_members import FIRST_COMPLETED
from flowfabric.stores._shared.fast_path import PlainCommands, PlainCompletion, plain_policy
from flowfabric.stores._shared.flow_samples import FLOW_STANDINGS
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.sqlite.fast_statements import FastStatements, list_of
from flowfabric.stores.sqlite.json_rows import Key, Row, calls
from flowfabric.stores.sqlite.rows import key_of


class End(msgspec.Struct, array_like=True, gc=False):
    """A row of find_plain_ends: a member that ends, and the member that waits for it alone."""

    place: int
    row_id: int
    partition_key: int
    namespace: str
    lane: str
    kind: str
    policy: str | None
    started_at_ms: int
    flow_id: str
    live_count: int | None
    is_kept_for_ever: int
    child_row_id: int | None
    child_id: str
    """It is empty if nobody waits."""
    child_lane: str | None
    child_kind: str | None
    is_plain: int | None

    @property
    def life(self) -> int:
        """The life in which it ends: it was never replayed."""
        return FIRST_COMPLETED.first.replay_count


_ENDS: Final = msgspec.json.Decoder(list[End])


class Child(msgspec.Struct, frozen=True, gc=False):
    """A member that may run now."""

    row_id: int
    key: Key
    namespace: str
    lane: str
    kind: str


class FlowPath:
    """The ends of members in one batch."""

    def __init__(self, statements: FastStatements, sql: Statements, now_ms: int) -> None:
        self._statements = statements
        self._sql = sql
        self._now_ms = now_ms
        self.children: list[Child] = []
        """The members that may run now."""
        self.moves: Counter[Move] = Counter()
        """How the counts of flows, and of members that may run now, change."""

    def plain_ends(self, commands: PlainCommands, scope: str | None, left: Sequence[PlainCompletion]) -> list[End]:
        """Which of these completions end plain members. `left`: in one scope."""
        rows = [
            (place, *key_of(fence.execution_id), fence.attempt_index, fence.lease_epoch, one.lease_mark)
            for place, one in enumerate(left)
            for fence in (one.command.fence,)
        ]
        by_flow: defaultdict[str, list[End]] = defaultdict(list)
        for sql, values in calls(self._sql, "find_plain_ends", rows):
            # The time stands before the rows.
            if (text := self._statements.text(sql, [self._now_ms, *values])) is None:
                return []
            for end in _ENDS.decode(text):
                by_flow[end.flow_id].append(end)
        return [
            end
            for ends in by_flow.values()
            if _are_plain(ends, commands) and (scope is None or ends[0].namespace == scope)
            for end in ends
        ]

    def pass_on(self, ends: Iterable[End]) -> None:
        """Resolve the edges that leave these members, let those run that waited, and count the ends."""
        by_flow: dict[str, list[End]] = {}
        for end in ends:
            by_flow.setdefault(end.flow_id, []).append(end)
            if end.child_row_id is not None:
                assert end.child_lane is not None
                assert end.child_kind is not None
                key = end.partition_key, bytes.fromhex(end.child_id)
                self.children.append(Child(end.child_row_id, key, end.namespace, end.child_lane, end.child_kind))
        if self.children:
            keys = [child.key for child in self.children]
            self._statements.change("resolve_plain_edges", keys, (self._now_ms,))
            self._statements.change("satisfy_plain_groups", keys)
            self._statements.run("unblock_plain", (list_of(self.children), self._now_ms))
            standings = FLOW_STANDINGS["blocked"], FLOW_STANDINGS["unblocked"]
            for child in self.children:
                self.moves[Move(child.namespace, child.lane, child.kind, *standings)] += 1
        self._count(by_flow.values())

    def _count(self, flows: Iterable[Sequence[End]]) -> None:
        """Count the ends in each flow. A flow without a live member is over."""
        over: list[Key] = []
        numbers: list[Row] = []
        for ends in flows:
            flow = ends[0]
            key = flow.partition_key, bytes.fromhex(flow.flow_id)
            numbers.append((*key, len(ends)))
            if flow.live_count == len(ends):
                over.append(key)
                after = "flow_completed_for_ever" if flow.is_kept_for_ever else "flow_completed_to_go"
                standings = FLOW_STANDINGS["flow_started"], FLOW_STANDINGS[after]
                self.moves[Move(flow.namespace, "", "", *standings)] += 1
        self._statements.change("count_ends_of_members", numbers)
        self._statements.change("complete_flows", over, (self._now_ms,) * 3)
        self._statements.change("insert_events_of_flows", over, (self._now_ms,))

    @property
    def lanes(self) -> set[Lane]:
        """Where the members are that may run now."""
        return {(child.namespace, child.lane) for child in self.children}


def _are_plain(ends: Sequence[End], commands: PlainCommands) -> bool:
    """Whether all that the batch does to one flow is plain."""
    if len({end.row_id for end in ends}) < len(ends):
        return False
    for end in ends:
        if not end.is_plain or plain_policy(end.policy) is None:
            return False
        # Both ends of an edge are on the flow's partition.
        if end.child_id and make_execution_id(end.partition_key, uuid_from_hex(end.child_id)) in commands.named:
            return False
    return True
