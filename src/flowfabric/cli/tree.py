"""A flow drawn as a tree of its members."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.cli.output import State, took
from flowfabric.domain.words import span
from flowfabric.drawing.collapsing import ALIKE_MIN

if TYPE_CHECKING:
    from flowfabric.domain.flow_snapshots import EdgeSnapshot, FlowSnapshot
    from flowfabric.domain.joins import Join
    from flowfabric.domain.snapshots import ExecutionSnapshot

ARGUMENTS_CHARS_MAX: Final = 60
"""Longer arguments are not shown beside a member."""

Line = Sequence[str]


class Tree:
    """Each member stands below the first member that it depends on. Below further ones only its name is repeated.

    Members are alike if they have the same kind, state, failure code, and the same members before and after them. Many
    alike members share one line, unless all must be shown. The time that a member has run is counted from its
    beginning, if that is known.
    """

    def __init__(
        self,
        found: "FlowSnapshot",
        members: "Sequence[ExecutionSnapshot]",
        edges: "Sequence[EdgeSnapshot]",
        began: Mapping[str, int | None],
        *,
        arguments_of: Callable[[str], str | None] = lambda _: None,
        every: bool = False,
    ) -> None:
        self._by_id = {x.execution_id: x for x in members}
        self._began = began
        self._joins = {group.downstream: _join(group.policy, group.total) for group in found.groups}
        self._below: dict[str, list[str]] = {key: [] for key in self._by_id}
        self._above: dict[str, list[str]] = {key: [] for key in self._by_id}
        for edge in edges:
            # Members that were added since are shown the next time.
            if edge.upstream in self._by_id and edge.downstream in self._by_id:
                if edge.downstream not in self._below[edge.upstream]:
                    self._below[edge.upstream].append(edge.downstream)
                self._above[edge.downstream].append(edge.upstream)
        self._arguments_of = arguments_of
        self._alike_min = len(self._by_id) + 1 if every else ALIKE_MIN

    def lines(self, now_ms: int) -> Iterator[Line]:
        """The lines of the tree, each in parts."""
        shown: set[str] = set()
        # A stack, no recursion: a flow may be a chain of thousands of members.
        stack = [(group, "", "") for group in reversed(self._grouped([k for k in self._by_id if not self._above[k]]))]
        while stack:
            group, guide, indent = stack.pop()
            first = group[0]
            if first in shown:
                yield [f"{guide}↑ {member_name(self._by_id[first])} {self._named(group)}"]
                continue
            shown.update(group)
            yield self._line(group, guide, now_ms)
            below = self._grouped(self._below[first])
            last = len(below) - 1
            stack += [
                (each, indent + ("└─ " if number == last else "├─ "), indent + ("   " if number == last else "│  "))
                for number, each in reversed(list(enumerate(below)))
            ]

    def _grouped(self, keys: Sequence[str]) -> list[list[str]]:
        """The members in their order. If many are alike, they form one group in the place of the first."""
        groups: dict[object, list[str]] = {}
        for key in keys:
            x = self._by_id[key]
            alike = (
                x.kind,
                x.public_state,
                None if x.failure is None else x.failure.code,
                tuple(self._above[key]),
                tuple(self._below[key]),
            )
            groups.setdefault(alike, []).append(key)
        return [
            part
            for group in groups.values()
            for part in ([group] if len(group) >= self._alike_min else [[key] for key in group])
        ]

    def _line(self, group: Sequence[str], guide: str, now_ms: int) -> Line:
        x = self._by_id[group[0]]
        join = self._joins.get(x.execution_id, "")
        if len(group) == 1:
            lasted = took(self._began.get(x.execution_id), x.terminal_at_ms, now_ms)
            return [
                *(guide, State(x.public_state), f" {member_name(x)} {x.execution_id}{self._arguments(x)}"),
                *(join, f", {lasted}" if lasted else "", _failure(x, with_message=True)),
            ]
        return [
            *(f"{guide}{len(group)} × ", State(x.public_state), f" {x.kind}"),
            *(join, self._lasted(group, now_ms), _failure(x, with_message=False)),
            f", such as {x.execution_id}" if x.failure is not None else "",
        ]

    def _arguments(self, x: "ExecutionSnapshot") -> str:
        """The arguments of a failed member, which distinguish it from others of its kind."""
        text = (None if x.failure is None else self._arguments_of(x.execution_id)) or "{}"
        return f" {text}" if text != "{}" and len(text) <= ARGUMENTS_CHARS_MAX else ""

    def _named(self, group: Sequence[str]) -> str:
        return group[0] if len(group) == 1 else f"({len(group)} of them)"

    def _lasted(self, group: Sequence[str], now_ms: int) -> str:
        """The shortest and the longest running time in the group; empty if one of them is unknown."""
        if any(key not in self._began for key in group):
            return ""
        lasted = sorted(
            (now_ms if x.terminal_at_ms is None else x.terminal_at_ms) - began_at_ms
            for x in map(self._by_id.__getitem__, group)
            if (began_at_ms := self._began[x.execution_id]) is not None
        )
        return f", {span(lasted[0])} to {span(lasted[-1])} each" if lasted else ""


def member_name(x: "ExecutionSnapshot") -> str:
    """The name of a member: its node, with its kind if the node's name does not begin with the kind."""
    if x.node is None:
        return x.kind
    return x.node if x.node.startswith(x.kind) else f"{x.node} ({x.kind})"


def _failure(x: "ExecutionSnapshot", *, with_message: bool) -> str:
    if x.failure is None:
        return ""
    message = f": {x.failure.message}" if with_message and x.failure.message else ""
    return f", {x.failure.code}{message}"


def _join(policy: "Join", total: int) -> str:
    from flowfabric.drawing.picture import rule_of

    rule, _, words = rule_of(policy, total)
    return "" if rule == "all" and total < 2 else f" (after {words})"
