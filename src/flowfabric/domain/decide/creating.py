"""CreateExecution, CreateExecutions: one execution per id and per idempotency key."""

from typing import Final

from msgspec.structs import replace

from flowfabric.domain.batch_io import Needs
from flowfabric.domain.commands import CreateExecution, CreateExecutions, content_fingerprint
from flowfabric.domain.decide.ending import ENGINE, end_cancelled
from flowfabric.domain.decide.gating import check_dimensions, no_budget, no_limit, settle
from flowfabric.domain.decide.rule import rule, weight_of_data
from flowfabric.domain.decide.seeing import what_a_creation_sees
from flowfabric.domain.errors import Conflict, EngineError, with_place
from flowfabric.domain.execution import Execution, IdempotencyKey, OnEnded
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.limits import built_in_limit, is_full
from flowfabric.domain.outcomes import Created, Dropped, Duplicate
from flowfabric.domain.traces import traced
from flowfabric.domain.working_set import WorkingSet

REPLACED: Final = "replaced"
"""The reason of the cancel of an execution that had to make room for a new one."""


@rule(
    CreateExecution,
    sees=what_a_creation_sees,
    leaves_queue=True,
    weight=lambda command: weight_of_data(command.payload),
)
def create_unless_full(ws: WorkingSet, command: CreateExecution) -> Created | Duplicate | Dropped:
    """Make the execution. If one of its limits is full, `when_full` says what happens first."""
    if command.debounce_ms is not None:
        return _debounced(ws, command, command.debounce_ms)
    if command.when_full == "wait":
        return create(ws, command, ws.actor)
    before = _made_before(ws, command, None)
    in_the_way = None if before is not None else _in_the_way(ws, command)
    if in_the_way is not None and command.when_full == "drop_new":
        return Dropped(in_the_way)
    if in_the_way is not None:
        x = ws.execution_with_flow(in_the_way)
        if x is not None and not x.has_ended:
            end_cancelled(ws, x, REPLACED, ENGINE)
    return before or create(ws, command, ws.actor)


def _in_the_way(ws: WorkingSet, command: CreateExecution) -> ExecutionId | None:
    """The oldest execution at the first limit that is full: one that waits, or else one that runs."""
    assert command.gates is not None
    for name, key in command.gates.limits:
        at = (command.namespace, name, key)
        if is_full(ws.turnstiles.limit(at), ws.turnstiles.use(at)):
            waiting, running = ws.turnstiles.in_the_way((command.namespace, "limit", name, key))
            return running if command.when_full == "drop_new" else waiting or running
    return None


def create(
    ws: WorkingSet,
    command: CreateExecution,
    created_by: str | None,
    flow_id: FlowId | None = None,
    node: str | None = None,
) -> Created | Duplicate:
    """Make the execution, unless its key or its id shows that it was made before."""
    return _made_before(ws, command, flow_id) or _make(ws, command, created_by, flow_id, node)


def _debounced(ws: WorkingSet, command: CreateExecution, debounce_ms: int) -> Created | Duplicate:
    """Make the execution, with a delay, in place of the last one of its key, unless that one has started."""
    assert command.idempotency_key is not None
    existing = ws.executions.get(command.execution_id) if command.id_was_given else None
    if existing is not None:
        return _same_or_conflict(ws, existing, command, None)
    last = ws.idempotency_key(command.namespace, command.idempotency_key, with_holder=True)
    x = None if last is None else ws.executions.get(last.execution_id)
    if x is not None and x.lifecycle_phase == "runnable" and x.attempt_state == "pending_first_attempt":
        end_cancelled(ws, x, REPLACED, ENGINE)
    return _make(ws, replace(command, delay_until_ms=ws.now_ms + debounce_ms), ws.actor)


def _make(
    ws: WorkingSet,
    command: CreateExecution,
    created_by: str | None,
    flow_id: FlowId | None = None,
    node: str | None = None,
) -> Created:
    key = command.idempotency_key
    if command.gates is not None:
        check_gates(ws, command.namespace, command.gates)
    x = new_execution(command, created_by, flow_id, node, ws.now_ms, ws.era)
    if ws.trace is not None:
        x = traced(x, "submit", ws.trace)
    ws.executions.put(x)
    ws.payloads.put_at(x.execution_id, command.payload)
    if key is not None:
        ws.idempotency_keys.put(
            IdempotencyKey(
                command.namespace,
                key,
                x.execution_id,
                content_fingerprint(command.kind, command.payload),
                ws.now_ms + command.idempotency_ttl_ms,
            )
        )
    return Created(x.execution_id, x.public_state)


def _made_before(ws: WorkingSet, command: CreateExecution, flow_id: FlowId | None) -> Duplicate | None:
    """The answer if the execution was made before, which its key or its id shows."""
    key = command.idempotency_key
    if key is not None:
        needs_holder = flow_id is not None or command.idempotency_on_ended != "return"
        promised = ws.idempotency_key(command.namespace, key, with_holder=needs_holder)
        if promised is not None and not _is_free(ws, promised, command.idempotency_on_ended):
            if promised.fingerprint != content_fingerprint(command.kind, command.payload):
                raise Conflict(
                    f"idempotency_key {key!r} belongs to {promised.execution_id}, which was created with another "
                    "kind or payload. Use a new key for new work."
                )
            return Duplicate(promised.execution_id)
    existing = ws.executions.get(command.execution_id) if command.id_was_given else None
    return None if existing is None else _same_or_conflict(ws, existing, command, flow_id)


def check_gates(ws: WorkingSet, namespace: str, gates: Gates) -> None:
    """Raise the refusal if a limit or a budget is not set. A built-in limit is set now."""
    for name, _ in gates.limits:
        if ws.limits.get((namespace, name, None)) is None:
            built_in = built_in_limit(namespace, name)
            if built_in is None:
                raise no_limit(namespace, name)
            ws.limits.put(built_in)
    for name, amounts in gates.budgets:
        budget = ws.budgets.get((namespace, name))
        if budget is None:
            raise no_budget(namespace, name)
        check_dimensions(budget, amounts)


def _what_creations_see(command: CreateExecutions, wanted: Needs) -> None:
    for item in command.items:
        what_a_creation_sees(item, wanted)


@rule(
    CreateExecutions,
    sees=_what_creations_see,
    weight=lambda command: sum(weight_of_data(item.payload) for item in command.items),
)
def create_all(ws: WorkingSet, command: CreateExecutions) -> list[Created | Duplicate | Dropped]:
    """Make all executions. If one is refused, the whole call is refused, and the error names its index."""
    answers: list[Created | Duplicate | Dropped] = []
    for index, item in enumerate(command.items):
        try:
            answers.append(create_unless_full(ws, item))
            if item.when_full != "wait":
                settle(ws)  # the next item must see what was given back
        except EngineError as refusal:
            if len(command.items) == 1:
                raise
            why = f"items[{index}]: {refusal} None of the {len(command.items)} items was created."
            raise with_place(refusal, why) from None
    return answers


def _is_free(ws: WorkingSet, promised: IdempotencyKey, on_ended: OnEnded) -> bool:
    """Whether the execution of a key has ended, and `on_ended` lets a new execution take the key."""
    if on_ended == "return":
        return False
    x = ws.executions.get(promised.execution_id)
    if x is None or x.counts_as_live:
        return x is None
    return on_ended == "renew" or x.terminal_outcome != "success"


def _same_or_conflict(
    ws: WorkingSet, existing: Execution, command: CreateExecution, flow_id: FlowId | None
) -> Duplicate:
    same = (
        existing.namespace == command.namespace
        and existing.flow_id == flow_id
        and existing.kind == command.kind
        and ws.payload(existing.execution_id) == command.payload
    )
    if not same:
        raise Conflict(
            f"execution_id {command.execution_id} is taken by an execution with another namespace, flow, kind or "
            "payload. Use a new id for new work."
        )
    return Duplicate(existing.execution_id)


def new_execution(
    command: CreateExecution, created_by: str | None, flow_id: FlowId | None, node: str | None, now_ms: int, era: int
) -> Execution:
    """The record of an execution that nobody has claimed yet."""
    delayed = command.delay_until_ms is not None and command.delay_until_ms > now_ms
    return Execution(
        execution_id=command.execution_id,
        namespace=command.namespace,
        lane=command.lane,
        flow_id=flow_id,
        kind=command.kind,
        required_capabilities=command.required_capabilities,
        policy=command.policy,
        tags=command.tags,
        idempotency_key=command.idempotency_key,
        created_at_ms=now_ms,
        lifecycle_phase="runnable",
        eligibility_state="not_eligible_until_time" if delayed else "eligible_now",
        attempt_state="pending_first_attempt",
        terminal_outcome="none",
        priority=command.priority,
        attempt_index=0,
        lease_epoch=0,
        retry_count=0,
        interruption_count=0,
        replay_count=0,
        event_seq=0,
        ready_at_ms=now_ms,
        delay_until_ms=command.delay_until_ms if delayed else None,
        deadline_at_ms=command.deadline_at_ms,
        lease_era=era,
        node=node,
        gates=command.gates,
        created_by=created_by,
    )
