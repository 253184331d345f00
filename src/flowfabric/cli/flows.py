"""The verbs about flows: `flow ls`, `flow show`, `flow cancel`, `flow replay`."""

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Final, Literal, cast

from cyclopts import App, Parameter

from flowfabric.cli.consent import ASK, Consent
from flowfabric.cli.exits import NotDone, WrongCall
from flowfabric.cli.filters import execution_id_of, flow_id_of, members_of
from flowfabric.cli.output import Column, Json, State, clock_time, document, note, say, table, took, when
from flowfabric.cli.replaying import no_such_node, words_for_members
from flowfabric.cli.stored import arguments_in, codec_of, in_a_line
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.cli.timeline import began_since_replay, events_of
from flowfabric.cli.tree import Tree, member_name
from flowfabric.cli.watching import watchable
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.states import PUBLIC_STATES
from flowfabric.domain.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flowfabric.domain.flow_snapshots import FlowSnapshot
    from flowfabric.domain.snapshots import ExecutionSnapshot
    from flowfabric.domain.steps import StepsRule
    from flowfabric.engine.blocking import BlockingEngine
    from flowfabric.runtime.codecs import Codec

Id = Annotated[str, Parameter(help="The flow's id.")]
LOOKED_UP_MAX: Final = 50

flow: Final = App(name="flow", help="Look at flows, cancel and replay them.")


@flow.command
@watchable
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
        say("No flow was found." if state is not None else "There are no flows yet.")
        return
    table(
        [
            Column("ID", is_whole=True),
            Column("STATE", is_state=True),
            Column("KIND"),
            Column("MEMBERS", is_number=True),
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
@watchable
def show(
    flow_id: Id,
    /,
    *,
    every: Annotated[bool, Parameter(name="--all", help="Show each member, even if many are alike.")] = False,
    svg: Annotated[bool, Parameter(help="Print the flow as a picture: the text of an SVG file.")] = False,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Show a flow: its progress, and its members as a tree. Many members that are alike share one line."""
    if svg and json:
        raise WrongCall("--svg and --json print the flow in two ways. Give one of them.")
    with opened(at) as engine:
        found = _known(engine, flow_id)
        if svg:
            _print_svg(engine, found, every=every)
        else:
            show_flow(engine, found, codec_of(at), every=every, json=json)


def _print_svg(engine: "BlockingEngine", found: "FlowSnapshot", *, every: bool) -> None:
    from flowfabric.drawing.picture import Records, layout_of
    from flowfabric.drawing.svg import svg_of

    records = Records(found, members_of(engine, found.flow_id), engine.list_edges(found.flow_id))
    say(svg_of(layout_of(records, engine.server_time_ms(), None if every else ())).rstrip("\n"))


def show_flow(
    engine: "BlockingEngine",
    found: "FlowSnapshot",
    codec: "Codec | None",
    *,
    every: bool = False,
    json: bool = False,
) -> None:
    """Show a flow that was read already."""
    members, edges = members_of(engine, found.flow_id), engine.list_edges(found.flow_id)
    now_ms = engine.server_time_ms()
    if json:
        document({"flow": found, "members": members, "edges": edges})
        return
    has = {"completed": "has ", "failed": "has ", "cancelled": "was "}.get(found.state, "is ")
    say(f"{found.kind} {found.flow_id} {has}", State(found.state), f": {_progress(members)}")
    ended = "" if found.terminal_at_ms is None else f", {took(found.created_at_ms, found.terminal_at_ms, now_ms)}"
    by = "" if found.created_by is None else f" by {found.created_by}"
    say(f"created{by} {clock_time(found.created_at_ms)} UTC ({when(found.created_at_ms, now_ms)}){ended}")
    if found.cancel_reason is not None:
        say(f"cancelled ({found.cancellation_policy}): {found.cancel_reason or 'no reason given'}")
    tree = Tree(
        found,
        members,
        edges,
        _began(engine, members),
        arguments_of=lambda key: in_a_line(arguments_in(engine.get_payload(key), codec)),
        every=every,
    )
    for line in tree.lines(now_ms):
        say(*line)
    if found.pending_cancel_acks:
        say(f"not yet stopped: {', '.join(found.pending_cancel_acks)}")


def _began(engine: "BlockingEngine", members: "Sequence[ExecutionSnapshot]") -> "Mapping[str, int | None]":
    """When each member began to run, after its last replay.

    For a replayed member this is read from its events. If too many members were replayed, it is left out for all of
    them.
    """
    began = {x.execution_id: x.started_at_ms for x in members if not x.replay_count}
    replayed = [x.execution_id for x in members if x.replay_count]
    if len(replayed) <= LOOKED_UP_MAX:
        began |= {key: began_since_replay(events_of(engine, key)) for key in replayed}
    return began


def _progress(members: "Sequence[ExecutionSnapshot]") -> str:
    """How many members have completed, and how many are in other states: '48 of 50 completed, 1 failed, 1 active'."""
    states = Counter(x.public_state for x in members)
    done = f"{states['completed']} of {len(members)} completed"
    # End states come first, and among those the bad ones.
    others = [state for state in reversed(PUBLIC_STATES) if state != "completed"]
    others.sort(key=lambda state: (state not in ("failed", "expired"), state not in ("skipped", "cancelled")))
    return ", ".join([done, *(f"{states[state]} {state}" for state in others if states[state])])


@flow.command
def cancel(
    flow_id: Id,
    /,
    *,
    policy: Annotated[
        Literal["cancel_all", "cancel_pending", "flow_only"],
        Parameter(help="Which members end with the flow: all, only those that do not run, or none."),
    ] = "cancel_all",
    wait: Annotated[bool, Parameter(help="Return once the code of every member has stopped.")] = False,
    reason: Annotated[str, Parameter(help="The reason; it is written to the log.")] = "by an operator",
    at: Target = HERE,
    json: Json = False,
) -> None:
    """End a flow for good."""
    from flowfabric.domain.outcomes import FlowCancelled

    # With --wait this process does the upkeep itself: the last worker may have died.
    with opened(at, reconcile=wait) as engine:
        flow_id = flow_id_of(engine, flow_id, instead="ff cancel")
        answer = engine.cancel_flow(flow_id, reason=reason, policy=policy, wait=wait)
        if not isinstance(answer, FlowCancelled) and answer.stored_cancellation_policy is None:
            raise NotDone(
                f"Flow {flow_id} has already ended as {_known(engine, flow_id).state}; there is nothing left to cancel."
            )
    if json:
        document({"flow_id": flow_id, "answer": answer})
        return
    members = counted(len(answer.member_execution_ids), "member")
    if isinstance(answer, FlowCancelled):
        say(f"{flow_id} is cancelled, and {members} with it.")
    else:
        say(f"{flow_id} was cancelled before, and {members} with it.")


@flow.command
def replay(
    flow_id: Id,
    /,
    *,
    failed: Annotated[
        bool, Parameter(help="Members that failed, expired, were cancelled or skipped: the default.")
    ] = False,
    all_: Annotated[bool, Parameter(name="--all", help="Every member, from scratch.")] = False,
    from_: Annotated[
        tuple[str, ...],
        Parameter(name="--from", help="This member, by its node, id or uuid, and all members downstream."),
    ] = (),
    steps: Annotated[
        Literal["keep", "clear"] | None, Parameter(help="Keep stored steps, or do everything again.")
    ] = None,
    consent: Consent = ASK,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """Bring members of a flow back to life, even of a cancelled flow."""
    if failed + all_ + bool(from_) > 1:
        raise WrongCall("--failed, --all and --from choose other members each. Give one of them.")
    with opened(at) as engine:
        flow_id = flow_id_of(engine, flow_id, instead="ff replay")
        members = {x.execution_id: x for x in members_of(engine, flow_id)}
        named = [_member_named(engine, flow_id, text, members) for text in from_]
        what: Literal["failed", "all"] | list[str] = named or ("all" if all_ else "failed")
        rule: StepsRule | None = "clear" if what == "all" and steps is None else steps
        chosen = engine.replay_flow(flow_id, what=what, steps=steps, dry_run=True).execution_ids
        if chosen and not consent.dry_run:
            for key in chosen:
                note(_line(members[key]))
            consent.ask(words_for_members(members, chosen, rule, "will"))
            chosen = engine.replay_flow(flow_id, what=what, steps=steps).execution_ids
    if json:
        replayed = [members[key] for key in chosen if key in members]
        document({"flow_id": flow_id, "done": not consent.dry_run, "execution_ids": chosen, "members": replayed})
        return
    for key in chosen if consent.dry_run else ():
        say(_line(members[key]))
    if chosen and consent.dry_run:
        say(f"{words_for_members(members, chosen, rule, 'would')}.")
    else:
        say(f"{counted(len(chosen), 'member')} of {len(members)} {'would be ' if consent.dry_run else ''}replayed.")


# ── helpers ──────────────────────────────────────────────────────────────────────────────────────


def _known(engine: "BlockingEngine", flow_id: str) -> "FlowSnapshot":
    found = engine.describe_flow(flow_id_of(engine, flow_id))
    assert found is not None
    return found


def _member_named(engine: "BlockingEngine", flow_id: str, text: str, members: "Mapping[str, ExecutionSnapshot]") -> str:
    """The member, found by the name of its node or by its id."""
    from flowfabric.domain.ids import parse_uuid

    named = [key for key, x in members.items() if x.node == text]
    if named:
        return named[0]
    if not text.startswith("{fp:"):
        try:
            parse_uuid(text)
        except InvalidInput:
            raise InvalidInput(no_such_node(flow_id, text, members.values())) from None
    return execution_id_of(engine, text)


def _line(x: "ExecutionSnapshot") -> str:
    return f"{x.public_state} {member_name(x)} {x.execution_id}"
