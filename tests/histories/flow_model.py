"""What clients may hear about one flow, one call at a time.

What a call does to the flow is in `flow_rules`. A retry follows at once. Only two things happen by themselves, and both
when upkeep finds time: a lease that may be over by the end of a call may have been ended, and a cancel may have been
acknowledged for a worker whose lease would be over.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import inf
from typing import Any, TypeVar

from tests.histories.flow_rules import Changing, Member, State, may_retry
from tests.histories.flow_shapes import ADDED, SHAPES, Shape
from tests.histories.history import Call

T = TypeVar("T")
HISTORY_MS = 300_000
"""No history takes as long as this. The long leases take longer."""
OF_HOLDERS = ("complete", "fail", "release")


def _told(call: Call, name: str, **fields: Any) -> bool:
    """Whether the answer is this one, or was lost."""
    answer = call.answer
    return answer is None or (answer.get("is") == name and all(answer.get(k) == v for k, v in fields.items()))


def _refused(call: Call, name: str, **fields: Any) -> bool:
    answer = call.answer
    return answer is not None and answer.get("refused") == name and all(answer.get(k) == v for k, v in fields.items())


class FlowModel:
    """The model that the checker asks. The shape of the flow is the second word of its name."""

    first = State()

    def words(self, state: Any) -> str:
        members = ", ".join(f"{name}: {now.phase} in epoch {now.epoch}" for name, now in state.members)
        edges = ", ".join(f"{edge} {end or 'pending'}" for edge, end in state.edges)
        return f"{state.flow}; {members}; {edges}"

    def after(self, state: Any, call: Call, alone: bool) -> Iterator[State]:
        shape = SHAPES[call.about.split()[1]]
        for now in _as_time_goes(shape, state, call):
            for then in self._answers(Changing(shape, now), call, alone):
                if call.answer is not None or then != now:
                    yield then

    def _answers(self, flow: Changing, call: Call, alone: bool) -> Iterator[State]:
        if call.verb == "submit":
            yield from _submit(flow, call)
        elif call.verb == "claim":
            yield from _claim(flow, call, alone)
        elif flow.state.flow == "absent":
            is_read = call.verb in ("describe", "look")
            if _told(call, "NoneType") if is_read else _refused(call, "NotFound"):
                yield flow.state
        elif call.verb in OF_HOLDERS:
            yield from _of_holder(flow, call)
        else:
            yield from getattr(self, f"_{call.verb}")(flow, call)

    # ── building ─────────────────────────────────────────────────────────────────────────────────

    def _add(self, flow: Changing, call: Call) -> Iterator[State]:
        if flow.state.flow == "cancelled":
            if _refused(call, "FlowTerminal"):
                yield flow.state
        elif ADDED in flow.members:
            if _told(call, "Duplicate"):
                yield flow.state
        else:
            if flow.state.flow in ("completed", "failed"):
                flow.reopen()
            flow.state = flow.state._replace(revision=flow.state.revision + 1)
            flow.members[ADDED] = Member()
            for upstream in call.given["after"]:
                flow.link(upstream + ADDED)
            flow.wait(ADDED)
            if _told(call, "Created", public_state=flow.members[ADDED].phase):
                yield flow.done()

    def _link(self, flow: Changing, call: Call) -> Iterator[State]:
        edge = call.given["edge"]
        why = _why_no_link(flow, edge)
        if why is not None:
            if _refused(call, why):
                yield flow.state
        elif _told(call, "DependencyAdded", graph_revision=flow.state.revision + 1):
            flow.state = flow.state._replace(revision=flow.state.revision + 1)
            flow.link(edge)
            flow.wait(edge[1])
            yield flow.done()

    # ── operators ────────────────────────────────────────────────────────────────────────────────

    def _cancel(self, flow: Changing, call: Call) -> Iterator[State]:
        name = call.given["member"]
        member = flow.members.get(name)
        if member is None or (member.has_ended and member.phase != "cancelled"):
            if _refused(call, "NotFound" if member is None else "InvalidInput"):
                yield flow.state
        elif _told(call, "Cancelled", public_state="cancelled"):
            if not member.has_ended:
                flow.cancel(name, call.given["reason"])
            yield flow.done()

    def _revoke(self, flow: Changing, call: Call) -> Iterator[State]:
        name = call.given["member"]
        member = flow.members.get(name)
        if member is None:
            if _refused(call, "NotFound"):
                yield flow.state
        elif member.phase != "active":
            if _told(call, "AlreadySatisfied", reason="no_active_lease"):
                yield flow.state
        elif _told(call, "Revoked", lease_epoch=member.epoch + 1):
            taken = (call.answer or {}).get("lease_id")
            if taken is None or member.lease_id in ("?", taken):
                flow.queue(name, "reclaim", epoch=member.epoch + 1)
                yield flow.done()

    def _replay(self, flow: Changing, call: Call) -> Iterator[State]:
        name = call.given["member"]
        member = flow.members.get(name)
        if member is None or not member.has_ended:
            if _refused(call, "NotFound" if member is None else "ExecutionNotTerminal"):
                yield flow.state
        elif flow.returns_nobody:
            if _refused(call, "FlowTerminal"):
                yield flow.state
        else:
            if flow.state.flow in ("completed", "failed"):
                flow.reopen()
            runs = flow.replay([name])
            if _told(call, "Replayed", public_state="waiting" if runs else "waiting_children"):
                yield flow.done()

    def _cancel_flow(self, flow: Changing, call: Call) -> Iterator[State]:
        state, policy, reason = flow.state, call.given["policy"], call.given["reason"]
        if state.flow in ("completed", "failed", "cancelled"):
            stored = {"stored_cancellation_policy": state.policy, "stored_cancel_reason": state.reason}
            if _told(call, "FlowAlreadyTerminal", **stored, members=list(state.cancelled)):
                yield state
            return
        live = sorted(name for name, each in flow.members.items() if not each.has_ended)
        leased = [name for name in live if flow.members[name].phase == "active"]
        chosen = {"cancel_all": live, "cancel_pending": [each for each in live if each not in leased]}.get(policy, [])
        if _told(call, "FlowCancelled", cancellation_policy=policy, members=chosen):
            flow.state = state._replace(flow="cancelled", policy=policy, reason=reason, cancelled=tuple(chosen))
            owed = frozenset((name, flow.members[name].expires_ms[0]) for name in leased if name in chosen)
            flow.state = flow.state._replace(unacknowledged=owed)
            flow.cancel_all(chosen, reason)
            yield flow.done()

    def _acknowledge(self, flow: Changing, call: Call) -> Iterator[State]:
        if _told(call, "NoneType"):
            left = {each for each in flow.state.unacknowledged if each[0] != call.given["member"]}
            yield flow.state._replace(unacknowledged=frozenset(left))

    def _replay_flow(self, flow: Changing, call: Call) -> Iterator[State]:
        what = call.given["what"]
        chosen = flow.not_completed()
        if what != "failed":
            chosen = set(flow.members) if what == "all" else flow.beyond(what)
        if not all(flow.members[each].has_ended for each in chosen):
            if _refused(call, "FlowNotTerminal"):
                yield flow.state
        elif _told(call, "FlowReplayed", members=sorted(chosen)):
            if chosen and not call.given["dry_run"]:
                if flow.state.flow in ("completed", "failed", "cancelled"):
                    flow.reopen()
                flow.replay(chosen)
            yield flow.done()

    # ── readers ──────────────────────────────────────────────────────────────────────────────────

    def _describe(self, flow: Changing, call: Call) -> Iterator[State]:
        state = flow.state
        owed = state.unacknowledged
        if call.answer is not None:
            shown = call.answer.get("unacknowledged", ())
            owed = frozenset(each for each in owed if each[0] in shown or each[1] > call.ended_ms)
        if _told(
            call,
            "FlowSnapshot",
            state=state.flow,
            graph_revision=state.revision,
            node_count=len(state.members),
            edge_count=len(state.edges),
            cancel_reason=state.reason,
            cancellation_policy=state.policy,
            unacknowledged=sorted(name for name, _ in owed),
            groups=[_group(flow, name) for name in flow.members if flow.into(name)],
        ):
            yield state._replace(unacknowledged=owed)

    def _look(self, flow: Changing, call: Call) -> Iterator[State]:
        member = flow.members.get(call.given["member"])
        if member is None:
            if _told(call, "NoneType"):
                yield flow.state
        elif _told(
            call,
            "ExecutionSnapshot",
            public_state=member.phase,
            lease_epoch=member.epoch,
            retry_count=member.retries,
            replay_count=member.lives,
            cancellation_reason=member.reason,
        ):
            yield flow.state

    def _edges(self, flow: Changing, call: Call) -> Iterator[State]:
        names = {"": "pending", "completed": "satisfied"}
        edges = sorted([edge[:2], names.get(end, "impossible")] for edge, end in flow.edges.items())
        if _told(call, "Edges", edges=edges):
            yield flow.state


def _as_time_goes(shape: Shape, state: State, call: Call) -> Iterator[State]:
    """The same state, and what it is when leases have been ended that may be over by the end of the call."""
    yield state
    now_ms = min(call.ended_ms, call.begun_ms + HISTORY_MS)
    over = [name for name, each in state.members if each.phase == "active" and each.expires_ms[0] <= now_ms]
    for lost in _subsets(over):
        if lost:
            flow = Changing(shape, state)
            for name in lost:
                flow.queue(name, "reclaim", epoch=flow.members[name].epoch + 1)
            yield flow.done()


def _subsets(of: Sequence[T]) -> Iterator[tuple[T, ...]]:
    for size in range(len(of) + 1):
        yield from combinations(of, size)


def _group(flow: Changing, member: str) -> list[Any]:
    """What is told about the join of a member: its counts, and whether it is decided."""
    into = flow.into(member)
    ends = [flow.edges[edge] for edge in into]
    failed = ends.count("failed") + ends.count("cancelled")
    running = sum(not flow.edges[edge] and not flow.members[edge[0]].has_ended for edge in into)
    state = flow.decided.get(member) or ("cancelled" if flow.members[member].has_ended else "pending")
    return [member, len(ends), ends.count("completed"), failed, ends.count("skipped"), running, state]


def _why_no_link(flow: Changing, edge: str) -> str | None:
    if flow.state.flow == "cancelled":
        return "FlowTerminal"
    if edge[0] not in flow.members or edge[1] not in flow.members:
        return "NotAMember"
    if edge in flow.edges:
        return "EdgeExists"
    if edge[0] in flow.beyond([edge[1]]):
        return "CycleDetected"
    child = flow.members[edge[1]]
    return "ExecutionNotEligible" if child.phase == "active" or child.has_ended else None


# ── submits and claims ───────────────────────────────────────────────────────────────────────────


def _submit(flow: Changing, call: Call) -> Iterator[State]:
    is_named = call.given["is_named"]
    if flow.state.flow != "absent":
        if _told(call, "FlowSubmitted") if is_named and flow.state.was_named else _refused(call, "Conflict"):
            yield flow.state
    elif _told(call, "FlowSubmitted"):
        flow.state = State("open", revision=1, was_named=is_named)
        for name in flow.shape.members:
            flow.members[name] = Member("waiting")
        for edge in flow.shape.edges:
            flow.link(edge)
        for name in flow.shape.members:
            if flow.into(name):
                flow.wait(name)
        yield flow.done()


def _claim(flow: Changing, call: Call, alone: bool) -> Iterator[State]:
    """Only who waits for nobody. Who asks alone, and could get somebody, gets at least one."""
    waiting = {name: each for name, each in flow.members.items() if each.phase == "waiting"}
    limit = call.given["limit"]
    if call.answer is None:
        untold = ("?", call.begun_ms + call.given["ttl_ms"], inf)
        for some in _subsets([*waiting]):
            if len(some) <= limit:
                yield _leased(flow, dict.fromkeys(some, untold))
    elif "leases" in call.answer:
        leases = call.answer["leases"]
        is_good = all(
            name in waiting and [epoch, claim_type] == [waiting[name].epoch + 1, waiting[name].next_claim]
            for name, epoch, _, claim_type, _ in leases
        )
        if is_good and len(leases) <= limit and not (alone and not leases and waiting):
            yield _leased(flow, {name: (lease_id, ends, ends) for name, _, lease_id, _, ends in leases})


def _leased(flow: Changing, leases: dict[str, tuple[str, float, float]]) -> State:
    if not leases:
        return flow.state
    now = Changing(flow.shape, flow.state._replace(has_started=True))
    for name, (lease_id, *ends) in leases.items():
        member = now.members[name]
        member = member._replace(phase="active", epoch=member.epoch + 1, lease_id=lease_id)
        now.members[name] = member._replace(expires_ms=(ends[0], ends[1]))
    return now.done()


# ── what only the holder of the lease may do ─────────────────────────────────────────────────────


def _of_holder(flow: Changing, call: Call) -> Iterator[State]:
    lease, name = call.given["lease"], call.given["member"]
    member = flow.members[name]
    is_its = (lease["lease_epoch"], lease["lease_id"]) == (member.epoch, member.lease_id)
    if member.phase == "active":
        if is_its and member.expires_ms[0] <= call.ended_ms and _refused(call, "LeaseExpired"):
            yield flow.state
        elif is_its and member.expires_ms[1] > call.begun_ms:
            yield from _held(flow, name, call)
        elif not is_its and _refused(call, "StaleLease"):
            yield flow.state
    elif is_its and member.ended_by == call.verb:
        if _told(call, {"complete": "Completed", "fail": "TerminalFailed"}[call.verb]):
            yield flow.state
    elif _refused(call, "ExecutionNotActive", public_state=member.phase, lease_epoch=member.epoch):
        yield flow.state


def _held(flow: Changing, name: str, call: Call) -> Iterable[State]:
    member = flow.members[name]
    said = {"lease_id": member.lease_id, "ended_by": call.verb}
    if call.verb == "complete":
        if _told(call, "Completed"):
            flow.end(name, "completed", **said)
            yield flow.done()
    elif call.verb == "release":
        if _told(call, "Released"):
            flow.queue(name, "reclaim")
            yield flow.done()
    elif flow.returns_nobody:
        if _told(call, "TerminalFailed"):
            flow.queue(name, "retry")
            flow.members[name] = flow.members[name]._replace(lease_id=member.lease_id, ended_by="fail")
            yield flow.done()
    elif may_retry(member, call.given["retryable"]):
        if _told(call, "RetryScheduled"):
            flow.queue(name, "retry", retries=member.retries + 1)
            yield flow.done()
    elif _told(call, "TerminalFailed"):
        flow.end(name, "failed", **said)
        yield flow.done()
