"""What the docs promise about a flow: how it stands, and what an end, a cancel and a replay do to it.

It shares no code with the package. Where the docs leave a case open, it follows the package's rules. All that one call
moves is moved at once: these flows are far smaller than the 500 executions that one transaction moves.
"""

from collections.abc import Iterable, Iterator
from math import inf
from typing import Any, Final, Literal, NamedTuple

from tests.histories.flow_shapes import RETRIES, Join, Shape

ENDED: Final = ("completed", "failed", "cancelled", "skipped")
Verdict = Literal["pending", "satisfied", "impossible"]


class Member(NamedTuple):
    """How one member stands."""

    phase: str = "waiting_children"
    """Its public state."""
    epoch: int = 0
    lease_id: str | None = None
    """Of the live lease, or of the one that ended it; "?" if nobody was told."""
    ended_by: str = ""
    """The verb with which its worker has ended it: it may say so again."""
    expires_ms: tuple[float, float] = (inf, inf)
    """The earliest and the latest moment at which the live lease may end."""
    next_claim: str = "first"
    retries: int = 0
    lives: int = 0
    reason: str | None = None
    """Why it was cancelled."""
    needless: bool = False
    """Whether a join has cancelled it."""

    @property
    def has_ended(self) -> bool:
        return self.phase in ENDED

    @property
    def has_started(self) -> bool:
        """Whether it was claimed in this life."""
        return self.phase == "active" or self.next_claim not in ("first", "replay")


class State(NamedTuple):
    """How one flow stands. The edges are pairs of letters, each with the end of the upstream that it has counted."""

    flow: str = "absent"
    members: tuple[tuple[str, Member], ...] = ()
    edges: tuple[tuple[str, str], ...] = ()
    """The end is a phase, or "" while the edge is pending. A third sign tells two edges of one pair apart."""
    decided: tuple[tuple[str, Verdict], ...] = ()
    """Joins that are decided, by member."""
    has_started: bool = False
    """Whether a member was ever claimed."""
    revision: int = 0
    policy: str | None = None
    reason: str | None = None
    cancelled: tuple[str, ...] = ()
    """The members that the cancel of the flow has cancelled."""
    unacknowledged: frozenset[tuple[str, float]] = frozenset()
    """Members that were cancelled while they ran, and the earliest moment at which their leases would have ended."""
    was_named: bool = False
    """Whether the submit had a command id."""


class Changing:
    """One flow while it is changed."""

    def __init__(self, shape: Shape, state: State) -> None:
        self.shape = shape
        self.state = state
        self.members = dict(state.members)
        self.edges = dict(state.edges)
        self.decided = dict(state.decided)

    def done(self) -> State:
        """The flow after the change. It ends with its last member, and runs from the first claim on."""
        state = self.state
        flow = state.flow
        if flow in ("open", "running"):
            flow = "running" if state.has_started else "open"
            if all(each.has_ended for each in self.members.values()):
                sinks = [each for name, each in self.members.items() if not any(edge[0] == name for edge in self.edges)]
                flow = "completed" if all(each.phase == "completed" for each in sinks) else "failed"
        return state._replace(
            flow=flow,
            members=tuple(sorted(self.members.items())),
            edges=tuple(sorted(self.edges.items())),
            decided=tuple(sorted(self.decided.items())),
        )

    def reopen(self) -> None:
        """A completed, failed or cancelled flow is open again, and a cancel is forgotten."""
        self.state = self.state._replace(
            flow="open", policy=None, reason=None, cancelled=(), unacknowledged=frozenset()
        )

    @property
    def returns_nobody(self) -> bool:
        """Whether no member goes back to the queue any more."""
        return self.state.flow == "cancelled" and self.state.policy != "flow_only"

    # ── the graph ────────────────────────────────────────────────────────────────────────────────

    def into(self, member: str) -> list[str]:
        return [edge for edge in self.edges if edge[1] == member]

    def out_of(self, member: str) -> list[str]:
        return [edge for edge in self.edges if edge[0] == member]

    def beyond(self, members: Iterable[str]) -> set[str]:
        """These members and everything downstream of them."""
        found = set(members)
        todo = list(found)
        while todo:
            new = {edge[1] for edge in self.out_of(todo.pop())} - found
            found |= new
            todo += new
        return found

    def join(self, member: str) -> Join:
        return self.shape.join(member)

    def verdict(self, member: str) -> Verdict:
        """What follows from the ends that the edges to the member have counted."""
        ends = [self.edges[edge] for edge in self.into(member)]
        completed = ends.count("completed")
        lost = sum(end not in ("", "completed") for end in ends)
        needed = self.join(member).needed
        if completed >= (len(ends) if needed is None else needed):
            return "satisfied"
        return "impossible" if lost > len(ends) - (len(ends) if needed is None else needed) else "pending"

    # ── ends ─────────────────────────────────────────────────────────────────────────────────────

    def end(self, member: str, phase: str, **fields: Any) -> None:
        """End a member, and do all that follows from its end."""
        self._end(member, phase, **fields)
        self._pass_on([member])

    def cancel(self, member: str, reason: str) -> None:
        """Cancel a member. Upstreams of one that was still waiting for them may be needless then."""
        waited = self.members[member].phase == "waiting_children"
        self._cancel(member, reason)
        self._pass_on([member, *(self._without_needless(member) if waited else ())])

    def cancel_all(self, members: Iterable[str], reason: str) -> None:
        """Cancel members together with their flow: whatever their edges, they are cancelled and not skipped."""
        members = list(members)
        for member in members:
            self._cancel(member, reason)
        for member in members:
            for edge in self.out_of(member):
                self.edges[edge] = self.edges[edge] or "cancelled"

    def decide(self, member: str) -> None:
        """Let a member run, or skip it, if the ends of its upstreams say so. A decided join stays decided."""
        self._pass_on(self._decide(member))

    def _end(self, member: str, phase: str, **fields: Any) -> None:
        now = self.members[member]
        kept: dict[str, Any] = {"lease_id": None, "ended_by": "", "expires_ms": (inf, inf), **fields}
        self.members[member] = now._replace(phase=phase, **kept)

    def _cancel(self, member: str, reason: str, **fields: Any) -> None:
        now = self.members[member]
        epoch = now.epoch + (now.phase == "active")
        self._end(member, "cancelled", epoch=epoch, reason=reason, **fields)

    def _pass_on(self, ended: list[str]) -> None:
        """Let every edge that leaves an ended member count its end, once in each life, and so on down the graph."""
        while ended:
            member = ended.pop(0)
            waiting = [edge for edge in self.out_of(member) if not self.edges[edge]]
            for edge in waiting:
                self.edges[edge] = self.members[member].phase
            for edge in waiting:
                ended += self._decide(edge[1])

    def _decide(self, member: str) -> list[str]:
        """The members that have ended because of the decision."""
        if member in self.decided or self.members[member].has_ended:
            return []
        verdict = self.verdict(member)
        if verdict == "pending":
            return []
        self.decided[member] = verdict
        now = self.members[member]
        if verdict == "impossible":
            self._end(member, "skipped")
            return [member, *self._without_needless(member)]
        if now.phase == "waiting_children":
            self.members[member] = now._replace(phase="waiting")
        return self._without_needless(member)

    def _without_needless(self, downstream: str) -> list[str]:
        """Cancel direct upstreams that no undecided join needs, if one of their joins says so.

        One that was still waiting for others needs them no more. Those may have a join of their own that says so.
        """
        cancelled = []
        for edge in self.into(downstream):
            upstream = edge[0]
            if self.edges[edge] or self.members[upstream].has_ended:
                continue
            beyond = [edge[1] for edge in self.out_of(upstream)]
            if any(each not in self.decided and not self.members[each].has_ended for each in beyond):
                continue
            asking = [self.decided[each] for each in beyond if each in self.decided and self.join(each).cancels]
            if asking:
                waited = self.members[upstream].phase == "waiting_children"
                self._cancel(upstream, f"sibling_quorum_{asking[0]}", needless=True)
                cancelled += [upstream, *(self._without_needless(upstream) if waited else ())]
        return cancelled

    # ── building ─────────────────────────────────────────────────────────────────────────────────

    def link(self, edge: str) -> None:
        """Add an edge. An upstream that has ended counts at once."""
        upstream = self.members[edge[0]]
        self.edges[edge] = upstream.phase if upstream.has_ended else ""

    def wait(self, member: str) -> None:
        """Let a member wait for its new edges, unless it has an any-of or a quorum that is satisfied already."""
        if self.join(member).needed is not None and self.decided.get(member) == "satisfied":
            return
        self.decided.pop(member, None)
        self.members[member] = self.members[member]._replace(phase="waiting_children")
        self.decide(member)

    # ── leases that end without an end ───────────────────────────────────────────────────────────

    def queue(self, member: str, next_claim: str, **fields: Any) -> None:
        """Put a member back into the queue; in a cancelled flow it is cancelled instead."""
        now = self.members[member]
        if self.returns_nobody:
            self.members[member] = now._replace(phase="waiting", **fields)
            self.cancel(member, self.state.reason or "")
        else:
            kept: dict[str, Any] = {"lease_id": None, "expires_ms": (inf, inf), **fields}
            self.members[member] = now._replace(phase="waiting", next_claim=next_claim, **kept)

    # ── replays ──────────────────────────────────────────────────────────────────────────────────

    def replay(self, members: Iterable[str]) -> list[str]:
        """Let ended members live again, downstream first, and name those that run at once.

        Upstreams that these no longer need are cancelled in the end.
        """
        coming = set(members)
        ready = []
        for member in self._downstream_first(coming):
            if self._bring_back(member, coming):
                ready.append(member)
            coming.discard(member)
        for member in ready:
            self._pass_on(self._without_needless(member))
        return ready

    def _downstream_first(self, members: set[str]) -> Iterator[str]:
        left = set(members)
        while left:
            free = sorted(each for each in left if not (self.beyond([each]) - {each}) & left)
            yield from free
            left -= set(free)

    def _bring_back(self, member: str, coming: set[str]) -> bool:
        """True: it runs at once. `coming`: members that will be back a moment later."""
        now = self.members[member]
        for edge in self.out_of(member):
            self._take_back(edge)
        for edge in self.into(member):
            is_there = self.members[edge[0]].phase == "completed" and edge[0] not in coming
            self.edges[edge] = "completed" if is_there else ""
        self.decided.pop(member, None)
        runs = not self.into(member) or self.verdict(member) == "satisfied"
        if runs and self.into(member):
            self.decided[member] = "satisfied"
        phase = "waiting" if runs else "waiting_children"
        self.members[member] = Member(phase, now.epoch + 1, next_claim="replay", lives=now.lives + 1)
        return runs

    def _take_back(self, edge: str) -> None:
        """A downstream that has not started waits for the new end, unless its join is satisfied without it."""
        child = self.members[edge[1]]
        if not self.edges[edge] or child.has_ended or child.has_started:
            return
        self.edges[edge] = ""
        if self.decided.get(edge[1]) == "satisfied" and self.verdict(edge[1]) != "satisfied":
            del self.decided[edge[1]]
            self.members[edge[1]] = child._replace(phase="waiting_children")

    def not_completed(self) -> set[str]:
        """The members that `replay_flow` brings back if nothing else is said."""
        lost = {name for name, now in self.members.items() if now.phase in ("failed", "cancelled", "skipped")}
        chosen = {name for name in lost if not self.members[name].needless}
        asking = chosen | {name for name, now in self.members.items() if now.phase == "waiting_children"}
        while asking:
            asking = {upstream for name in asking for upstream in self._may_need(name)} & lost - chosen
            chosen |= asking
        return chosen

    def _may_need(self, member: str) -> Iterator[str]:
        """The upstreams of a member whose join is not satisfied by those that have completed."""
        upstreams = [edge[0] for edge in self.into(member)]
        completed = sum(self.members[each].phase == "completed" for each in upstreams)
        needed = self.join(member).needed
        if completed < (len(upstreams) if needed is None else needed):
            yield from upstreams


def may_retry(member: Member, retryable: bool) -> bool:
    """Whether a failure leads to another attempt."""
    return retryable and member.retries < RETRIES
