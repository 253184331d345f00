"""The verbs about flows: `flow ls`, `flow show`, `flow cancel`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal, cast

from cyclopts import App, Parameter

from flowfabric.cli.exits import NotDone
from flowfabric.cli.output import Column, Json, clock_time, counted, document, note, say, table, when
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.domain.errors import NotFound

if TYPE_CHECKING:
    from flowfabric.domain.joins import Join
    from flowfabric.domain.snapshots import EdgeSnapshot, ExecutionSnapshot, FlowSnapshot
    from flowfabric.engine.blocking import BlockingEngine

Id = Annotated[str, Parameter(help="The flow's id.")]
PAGE: Final = 1000

flow: Final = App(name="flow", help="Look at flows, and cancel them.")


@flow.command
def ls(
    *,
    state: Annotated[
        Literal["open", "running", "completed", "failed", "cancelled"] | None, Parameter(help="In this state.")
    ] = None,
    limit: Annotated[int, Parameter(help="How many at most, up to 1000.")] = 50,
    cursor: Annotated[str | None, Parameter(help="Go on where an earlier list ended.")] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """List flows, newest first."""
    with opened(at) as engine:
        page = engine.list_flows(state=state, cursor=cursor, limit=limit)
        found = cast("Sequence[FlowSnapshot]", page.items)
        now_ms = engine.server_time_ms()
    if json:
        document({"flows": found, "next_cursor": page.next_cursor})
        return
    if not found:
        say("There are none.")
        return
    table(
        [
            Column("ID", is_whole=True),
            Column("STATE"),
            Column("KIND"),
            Column("NODES", is_number=True),
            Column("CREATED"),
            Column("ENDED"),
        ],
        [
            (
                x.flow_id,
                x.state,
                x.kind,
                str(x.node_count),
                when(x.created_at_ms, now_ms),
                when(x.terminal_at_ms, now_ms),
            )
            for x in found
        ],
    )
    if page.next_cursor is not None:
        note(f"There are more: --cursor {page.next_cursor}")


@flow.command
def show(flow_id: Id, /, *, at: Target = HERE, json: Json = False) -> None:
    """Show a flow as a tree of its members, each with its state; a member with several parents stands once."""
    with opened(at) as engine:
        found = _known(engine, flow_id)
        members, edges = _members_of(engine, found.flow_id), engine.list_edges(found.flow_id)
        now_ms = engine.server_time_ms()
    if json:
        document({"flow": found, "members": members, "edges": edges})
        return
    ended = "" if found.terminal_at_ms is None else f", ended {when(found.terminal_at_ms, now_ms)}"
    say(f"{found.kind} {found.flow_id} is {found.state}: created {clock_time(found.created_at_ms)} UTC{ended}")
    if found.cancel_reason is not None:
        say(f"cancelled ({found.cancellation_policy}): {found.cancel_reason}")
    for line in _tree(found, members, edges):
        say(line)
    if found.pending_cancel_acks:
        say(f"not yet stopped: {', '.join(found.pending_cancel_acks)}")


@flow.command
def cancel(
    flow_id: Id,
    /,
    *,
    policy: Annotated[
        Literal["cancel_all", "cancel_pending", "flow_only"],
        Parameter(help="Which members end with it: all, those that do not run, or none."),
    ] = "cancel_all",
    wait: Annotated[bool, Parameter(help="Return once the code of every member has stopped.")] = False,
    reason: Annotated[str, Parameter(help="Why; it is written to the log.")] = "by an operator",
    at: Target = HERE,
    json: Json = False,
) -> None:
    """End a flow for good."""
    from flowfabric.domain.outcomes import FlowCancelled

    # Whoever waits must not depend on a worker to do the upkeep: the last one may have died.
    with opened(at, reconcile=wait) as engine:
        answer = engine.cancel_flow(flow_id, reason=reason, policy=policy, wait=wait)
        if not isinstance(answer, FlowCancelled) and answer.stored_cancellation_policy is None:
            raise NotDone(
                f"Flow {flow_id} is {_known(engine, flow_id).state} already; there is nothing left to cancel."
            )
    if json:
        document({"flow_id": flow_id, "answer": answer})
        return
    members = counted(len(answer.member_execution_ids), "member")
    if isinstance(answer, FlowCancelled):
        say(f"{flow_id} is cancelled, and {members} with it.")
    else:
        say(f"{flow_id} was cancelled before, and {members} with it.")


# ── helpers ──────────────────────────────────────────────────────────────────────────────────────


def _known(engine: "BlockingEngine", flow_id: str) -> "FlowSnapshot":
    found = engine.describe_flow(flow_id)
    if found is None:
        raise NotFound("flow", f"There is no flow {flow_id}. Check the id and the namespace.")
    return found


def _members_of(engine: "BlockingEngine", flow_id: str) -> "list[ExecutionSnapshot]":
    """All members, oldest first."""
    members: list[ExecutionSnapshot] = []
    cursor = None
    while True:
        page = engine.list_executions(flow_id=flow_id, cursor=cursor, limit=PAGE)
        members += cast("Sequence[ExecutionSnapshot]", page.items)
        cursor = page.next_cursor
        if cursor is None:
            return members[::-1]


def _tree(
    found: "FlowSnapshot", members: "Sequence[ExecutionSnapshot]", edges: "Sequence[EdgeSnapshot]"
) -> Iterator[str]:
    """The members below the first one each depends on; where it stands below another one too, it is only named."""
    by_id = {x.execution_id: x for x in members}
    joins = {group.downstream: _join(group.policy, group.total) for group in found.groups}
    children: dict[str, list[str]] = {key: [] for key in by_id}
    for edge in edges:
        if edge.downstream not in children[edge.upstream]:
            children[edge.upstream].append(edge.downstream)
    below = {edge.downstream for edge in edges}
    shown: set[str] = set()
    # A stack and not a recursion: a flow may be a chain of thousands.
    stack = [(key, "", "") for key in reversed(by_id) if key not in below]
    while stack:
        key, guide, indent = stack.pop()
        x = by_id[key]
        if key in shown:
            yield f"{guide}↑ {x.kind} {key}"
            continue
        shown.add(key)
        yield f"{guide}{x.public_state} {x.kind} {key}{joins.get(key, '')}"
        last = len(children[key]) - 1
        stack += [
            (child, indent + ("└─ " if number == last else "├─ "), indent + ("   " if number == last else "│  "))
            for number, child in reversed(list(enumerate(children[key])))
        ]


def _join(policy: "Join", total: int) -> str:
    from flowfabric.domain.joins import AllOf, AnyOf, Quorum

    match policy:
        case AllOf():
            return "" if total < 2 else f" (after all {total})"
        case AnyOf():
            return f" (after any of {total})"
        case Quorum(k=k):
            return f" (after {k} of {total})"
