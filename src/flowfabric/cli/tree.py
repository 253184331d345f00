"""A flow drawn as a tree of its members."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.cli.output import State, took
from flowfabric.domain.words import span

if TYPE_CHECKING:
    from flowfabric.domain.flow_snapshots import EdgeSnapshot, FlowSnapshot
    from flowfabric.domain.joins import Join
    from flowfabric.domain.snapshots import ExecutionSnapshot

ALIKE_MIN: Final = 4
"""So many members that are alike stand in one line."""
ARGUMENTS_CHARS_MAX: Final = 60
"""Arguments that are longer do not stand beside a member."""

Line = Sequence[str]


class Tree:
    """Members below the first one each depends on; where one stands below another one, too, it is only named.

    Members are alike if they are of one kind, in one state, failed with one code, and have the same members before and
    after them. Many of those are one line, unless every one is to be shown.
    How long a member has run is counted from when it began, where that is known.
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
            # What was added since the members were read is shown by the next look.
            if edge.upstream in self._by_id and edge.downstream in self._by_id:
                if edge.downstream not in self._below[edge.upstream]:
                    self._below[edge.upstream].append(edge.downstream)
                self._above[edge.downstream].append(edge.upstream)
        self._arguments_of = arguments_of
        self._alike_min = len(self._by_id) + 1 if every else ALIKE_MIN

    def lines(self, now_ms: int) -> Iterator[Line]:
        """The lines of the tree, each in parts."""
        shown: set[str] = set()
        # A stack and not a recursion: a flow may be a chain of thousands.
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
        """The members in their order, those that are alike together with the first of them if they are many."""
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
        """The arguments of what failed: they tell it from the others of its kind."""
        text = (None if x.failure is None else self._arguments_of(x.execution_id)) or "{}"
        return f" {text}" if text != "{}" and len(text) <= ARGUMENTS_CHARS_MAX else ""

    def _named(self, group: Sequence[str]) -> str:
        return group[0] if len(group) == 1 else f"({len(group)} of them)"

    def _lasted(self, group: Sequence[str], now_ms: int) -> str:
        """How long the shortest and the longest of them ran; nothing if that is not known of each."""
        if any(key not in self._began for key in group):
            return ""
        lasted = sorted(
            (now_ms if x.terminal_at_ms is None else x.terminal_at_ms) - began_at_ms
            for x in map(self._by_id.__getitem__, group)
            if (began_at_ms := self._began[x.execution_id]) is not None
        )
        return f", {span(lasted[0])} to {span(lasted[-1])} each" if lasted else ""


def member_name(x: "ExecutionSnapshot") -> str:
    """What a member is called: by its node, with its kind where the name does not begin with it."""
    if x.node is None:
        return x.kind
    return x.node if x.node.startswith(x.kind) else f"{x.node} ({x.kind})"


def _failure(x: "ExecutionSnapshot", *, with_message: bool) -> str:
    if x.failure is None:
        return ""
    message = f": {x.failure.message}" if with_message and x.failure.message else ""
    return f", {x.failure.code}{message}"


def _join(policy: "Join", total: int) -> str:
    from flowfabric.domain.joins import AllOf, AnyOf, Quorum

    match policy:
        case AllOf():
            return "" if total < 2 else f" (after all {total})"
        case AnyOf():
            return f" (after any of {total})"
        case Quorum(k=k):
            return f" (after {k} of {total})"
