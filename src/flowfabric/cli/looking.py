"""The verbs that look at executions and workers: `ls`, `show`, `explain`, `workers`, `stats`. They change nothing."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, cast

from cyclopts import Parameter

from flowfabric.cli.answering import Answers, answers_to
from flowfabric.cli.children import children_of, show_children
from flowfabric.cli.filters import ANY, Filters, execution_id_of, flow_of_that_id
from flowfabric.cli.flows import show_flow
from flowfabric.cli.gate_words import gates_in_words
from flowfabric.cli.logs import frames_of
from flowfabric.cli.output import (
    Column,
    Json,
    State,
    clock_time,
    document,
    facts,
    note,
    pairs,
    say,
    table,
    took,
    when,
)
from flowfabric.cli.stored import arguments_in, codec_of, in_a_document, in_a_line, value_in
from flowfabric.cli.target import HERE, Target, opened
from flowfabric.cli.timeline import details_in_words, events_of, happened, step_in_words
from flowfabric.cli.wait_words import is_escalated
from flowfabric.cli.waiting import show_waits, signal_in_json
from flowfabric.cli.watching import watchable
from flowfabric.domain.words import counted, span

if TYPE_CHECKING:
    from flowfabric.domain.events import Event
    from flowfabric.domain.outcomes import WaitOver
    from flowfabric.domain.snapshots import AttemptSnapshot, ExecutionSnapshot, Kept, StepSnapshot, WorkerSnapshot
    from flowfabric.runtime.codecs import Codec

Id = Annotated[str, Parameter(help="An execution's id, or the uuid in it.")]

IdOrFlow = Annotated[str, Parameter(help="An execution's id, or the uuid in it. That of a flow shows the flow.")]


@watchable
def ls(
    *,
    where: Filters = ANY,
    limit: Annotated[int, Parameter(help="How many at most, up to 1000.")] = 50,
    cursor: Annotated[str | None, Parameter(help="Go on where an earlier list ended.")] = None,
    at: Target = HERE,
    json: Json = False,
) -> None:
    """List executions, newest first."""
    with opened(at) as engine:
        page = engine.list_executions(**where.for_engine(engine), cursor=cursor, limit=limit)
        found = cast("Sequence[ExecutionSnapshot]", page.items)
        if json:
            document({"executions": found, "next_cursor": page.next_cursor})
            return
        now_ms = engine.server_time_ms()
    if not found:
        say("No execution was found." if where.are_given else "There are no executions yet.")
        return
    columns: list[tuple[Column, Sequence[str]]] = [
        (Column("ID", is_whole=True), [x.execution_id for x in found]),
        (Column("STATE", is_state=True), [x.public_state for x in found]),
        (Column("HELD"), [_held(x) for x in found]),
        (Column("CODE"), ["" if x.failure is None else x.failure.code for x in found]),
        (Column("KIND"), [x.kind for x in found]),
        (Column("LANE"), [x.lane for x in found]),
        (Column("CREATED"), [when(x.created_at_ms, now_ms) for x in found]),
        (Column("ATTEMPT", is_number=True), ["-" if x.started_at_ms is None else _attempt(x) for x in found]),
    ]
    # Columns without any content, such as those for holds and failures, are left out.
    shown = [(column, cells) for column, cells in columns if any(cells)]
    table([column for column, _ in shown], list(zip(*(cells for _, cells in shown), strict=True)))
    if page.next_cursor is not None:
        note(f"There are more: --cursor {page.next_cursor}")


@watchable
def show(execution_id: IdOrFlow, /, *, at: Target = HERE, json: Json = False) -> None:
    """Show one execution: its facts, its attempts, and what happened when."""
    with opened(at) as engine:
        flow = flow_of_that_id(engine, execution_id)
        if flow is not None:
            note(f"{execution_id} is a flow; this is what `ff flow show` says.")
            show_flow(engine, flow, codec_of(at), json=json)
            return
        execution_id = execution_id_of(engine, execution_id)
        explanation = engine.explain(execution_id)  # first, because it raises the error for an unknown id
        x = engine.describe_execution(execution_id)
        assert x is not None
        attempts, steps = engine.list_attempts(execution_id), engine.list_steps(execution_id)
        waits = [step.name for step in steps if step.is_wait and json]
        ends = {name: engine.get_wait(execution_id, name) for name in waits}
        events = events_of(engine, execution_id)
        children = children_of(engine, execution_id)
        answers = answers_to(engine, x, beside_children=True)
        summary, said = engine.read_summary(execution_id), frames_of(engine, execution_id)
        codec = codec_of(at)
        arguments = arguments_in(engine.get_payload(execution_id), codec)
        result = value_in(engine.get_result(execution_id), codec, "the result")
        now_ms = engine.server_time_ms()
    if json:
        document(
            {
                "execution": x,
                "explanation": explanation,
                "arguments": in_a_document(arguments),
                "result": result,
                "summary": summary and {"version": summary.version, "document": summary.document},
                "frames": said,
                "attempts": attempts,
                "steps": [_step_in_json(step, ends.get(step.name), codec) for step in steps],
                "events": events,
                "children": children,
            }
        )
        return
    values = {
        "arguments": in_a_line(arguments),
        "result": in_a_line(result),
        "summary": None if summary is None else in_a_line(summary.document),
        "frames": said.in_words(),
    }
    _show_facts(x, explanation, values, now_ms)
    if x.waits:
        say("")
        show_waits([x], now_ms, in_a_list=False)
    if x.waits or (x.gates is not None and x.public_state == "rate_limited"):
        answers.show()
    if children:
        say("")
        show_children(children, now_ms)
    if attempts:
        say("")
        _show_attempts(attempts, x, now_ms)
        _show_failures(attempts)
    say("")
    _show_timeline(x, steps, events)


@watchable
def explain(execution_id: Id, /, *, at: Target = HERE, json: Json = False) -> None:
    """Say why an execution does not run, what it does, or how it ended; and what you can type if it waits."""
    with opened(at) as engine:
        execution_id = execution_id_of(engine, execution_id)
        explanation = engine.explain(execution_id)
        x = engine.describe_execution(execution_id)
        answers = Answers() if x is None else answers_to(engine, x)
    if json:
        commands = [each.text for each in answers.commands]
        document({"execution_id": execution_id, "explanation": explanation, "commands": commands})
    else:
        say(explanation)
        answers.show()


@watchable
def workers(*, at: Target = HERE, json: Json = False) -> None:
    """List the workers that live, and those that died within a day."""
    with opened(at) as engine:
        found = engine.list_workers()
        now_ms = engine.server_time_ms()
    if json:
        document({"workers": found})
    elif not found:
        say("No worker is alive, and none has died within a day.")
    else:
        table(
            [
                Column("WORKER", is_whole=True),
                Column("ALIVE"),
                Column("LANES"),
                Column("SEEN"),
                Column("HOST"),
                Column("PID", is_number=True),
                Column("CAPABILITIES"),
                Column("NAMESPACE"),
            ],
            [_worker_row(worker, now_ms) for worker in found],
        )


@watchable
def stats(*, at: Target = HERE, json: Json = False) -> None:
    """Count executions and flows by state, workers, and events."""
    with opened(at) as engine:
        found = engine.stats()
        now_ms = engine.server_time_ms()
    if json:
        document(found)
        return
    oldest_ms = found.oldest_ready_at_ms
    facts(
        {
            **{f"executions {state}": count for state, count in found.executions.items() if count},
            **{f"flows {state}": count for state, count in found.flows.items() if count},
            "oldest waiting": "-" if oldest_ms is None else span(now_ms - oldest_ms),
            "parked at limits": found.parked_at_limits or None,
            "parked at budgets": found.parked_at_budgets or None,
            "live workers": found.live_workers,
            "cancels not acknowledged": found.pending_cancel_acks,
            "events": None if found.log is None else f"{found.log.first_event_id} to {found.log.last_event_id}",
            "ended, to be removed": _removals(found.kept, now_ms),
            "ended, kept for ever": _counts(found.kept.executions_for_ever, found.kept.flows_for_ever),
            "schema version": found.schema_version,
        }
    )


# ── what is shown ────────────────────────────────────────────────────────────────────────────────


def _counts(executions: int, flows: int) -> str:
    return f"{counted(executions, 'execution')}, {counted(flows, 'flow')}"


def _removals(kept: "Kept", now_ms: int) -> str:
    counts = _counts(kept.executions_to_go, kept.flows_to_go)
    return counts if kept.next_at_ms is None else f"{counts}; the next {when(kept.next_at_ms, now_ms)}"


def _show_facts(x: "ExecutionSnapshot", explanation: str, values: Mapping[str, str | None], now_ms: int) -> None:
    facts(
        {
            "id": x.execution_id,
            "kind": x.kind,
            "state": State(x.public_state),
            "why": explanation,
            "lane": x.lane,
            "namespace": x.namespace,
            "flow": x.flow_id,
            "node": x.node,
            "parent": x.parent_id,
            "priority": x.priority,
            "created": _instant(x.created_at_ms, now_ms),
            "created by": x.created_by,
            "started": _instant(x.started_at_ms, now_ms),
            "delayed until": _instant(x.delay_until_ms, now_ms),
            "deadline": _instant(x.deadline_at_ms, now_ms),
            "ended": _instant(x.terminal_at_ms, now_ms),
            "progress": None
            if x.progress_percent is None
            else f"{x.progress_percent} % {x.progress_message or ''}".rstrip(),
            "retries": x.retry_count,
            "interruptions": x.interruption_count,
            "replays": x.replay_count,
            "capabilities": ", ".join(x.required_capabilities) or None,
            **({} if x.gates is None else gates_in_words(x.gates)),
            "tags": pairs(x.tags) or None,
            **values,
        }
    )


def _held(x: "ExecutionSnapshot") -> str:
    """What an operator is to do about it: let it go, or answer in place of somebody who did not."""
    if x.lifecycle_phase == "suspended" and any(map(is_escalated, x.waits)):
        return "escalated"
    return "held" if x.blocking_reason == "paused_by_operator" else ""


def _attempt(x: "ExecutionSnapshot | AttemptSnapshot") -> str:
    """The number of the attempt; the first is 1."""
    return str(x.attempt_index + 1)


def _show_attempts(attempts: "Sequence[AttemptSnapshot]", x: "ExecutionSnapshot", now_ms: int) -> None:
    not_ended = "suspended" if x.lifecycle_phase == "suspended" else "running"
    table(
        [
            Column("ATTEMPT", is_number=True),
            Column("OUTCOME", is_state=True),
            Column("WORKER"),
            Column("STARTED"),
            Column("ENDED"),
            Column("LASTED"),
        ],
        [
            (
                _attempt(each),
                each.outcome or not_ended,
                each.worker_instance_id or each.worker_id or "-",
                when(each.started_at_ms, now_ms),
                when(each.terminal_at_ms, now_ms),
                took(each.started_at_ms, each.terminal_at_ms, now_ms).partition(" ")[2],
            )
            for each in attempts
        ],
    )


def _show_failures(attempts: "Sequence[AttemptSnapshot]") -> None:
    """Why each attempt failed. A traceback that several share is shown once."""
    shown: dict[str, int] = {}
    for each in attempts:
        failure = each.failure
        if failure is None:
            continue
        say("")
        message = f": {failure.message}" if failure.message else ""
        say(f"attempt {each.attempt_index + 1} failed: {failure.code}{message}")
        if failure.traceback is None:
            continue
        first = shown.setdefault(failure.traceback, each.attempt_index)
        if first != each.attempt_index:
            say(f"    (The traceback is the same as that of attempt {first + 1}.)")
            continue
        for line in failure.traceback.splitlines():
            say(f"    {line}")


def _show_timeline(x: "ExecutionSnapshot", steps: "Sequence[StepSnapshot]", events: "Sequence[Event]") -> None:
    lines = [(clock_time(x.created_at_ms), "created", "")]
    # The end of a wait is a step, too, but an event tells of it.
    done = [step for step in steps if not step.is_wait]
    left = sorted(done, key=lambda step: (step.attempt_index, step.recorded_at_ms))
    attempt = -1
    for event in events:
        at_ms = event.occurred_at_ms
        # A step is stored while its attempt runs, perhaps in the same millisecond as the attempt's beginning or end.
        while left and left[0].attempt_index <= attempt and left[0].recorded_at_ms <= at_ms:
            lines.append(_step_line(left.pop(0)))
        if event.event_type == "acquired":
            attempt = cast("int", event.details["attempt_index"])
        lines.append((clock_time(at_ms), happened(event), details_in_words(event)))
    lines += map(_step_line, left)
    table([Column("TIME (UTC)", is_whole=True), Column("EVENT", is_whole=True), Column("DETAILS")], lines)


def _step_line(step: "StepSnapshot") -> tuple[str, str, str]:
    return clock_time(step.recorded_at_ms), "step", step_in_words(step)


def _worker_row(worker: "WorkerSnapshot", now_ms: int) -> Sequence[str]:
    return (
        worker.worker_instance_id,
        "yes" if worker.is_alive else "silent" if worker.is_silent else "no",
        ", ".join(worker.lanes),
        when(worker.seen_at_ms, now_ms),
        worker.host,
        str(worker.pid),
        ", ".join(worker.capabilities),
        worker.namespace,
    )


def _step_in_json(step: "StepSnapshot", end: "WaitOver | None", codec: "Codec | None") -> Mapping[str, object]:
    result: object
    if end is None:
        result = value_in(step.result, codec, f"the result of step {step.name!r}")
    else:
        result = {"cause": end.cause, "signals": [signal_in_json(each, codec) for each in end.signals]}
    return {
        "name": step.name,
        "attempt_index": step.attempt_index,
        "recorded_at_ms": step.recorded_at_ms,
        "is_wait": step.is_wait,
        "tries": step.tries,
        "result": result,
    }


def _instant(at_ms: int | None, now_ms: int) -> str | None:
    return None if at_ms is None else f"{clock_time(at_ms)} UTC ({when(at_ms, now_ms)})"
