"""Records as rows of SQLite, and back. A value that does not parse raises Corruption with table, key and column."""

from functools import lru_cache

import msgspec

from flowfabric.domain.errors import Corruption
from flowfabric.domain.events import Event
from flowfabric.domain.execution import Attempt, Due, Execution, FailedAttempt, due_of
from flowfabric.domain.flow import CancelBacklog, Edge, EdgeGroup, Flow, PendingAck, purge_at_ms
from flowfabric.domain.ids import (
    PARTITIONS,
    ExecutionId,
    FlowId,
    flow_partition,
    make_execution_id,
    partition_in,
    partition_of,
    uuid_from_hex,
    uuid_in,
)
from flowfabric.domain.states import ATTEMPT_OUTCOMES, CHANNELS
from flowfabric.domain.steps import Step
from flowfabric.domain.waiting import SignalKey, StoredSignal, StoredWaitpoint
from flowfabric.stores._shared import flows as _flows
from flowfabric.stores._shared.encoding import (
    ATTEMPT_OUTCOME_CODES,
    ATTEMPT_STATE_CODES,
    CHANNEL_CODES,
    DUE_KIND_CODES,
    ELIGIBILITY_CODES,
    OUTCOME_CODES,
    PHASE_CODES,
    PUBLIC_STATE_CODES,
    STEPS_RULE_CODES,
    StoredExecution,
    details_of,
    details_text,
    policy_text,
    tags_text,
)
from flowfabric.stores._shared.encoding import execution_of as _execution_of
from flowfabric.stores._shared.flows import (
    CANCELLATION_POLICY_CODES,
    FLOW_STATE_CODES,
    GROUP_STATE_CODES,
    StoredEdge,
    StoredFlow,
    StoredGroup,
    join_columns,
)
from flowfabric.stores._shared.gates import gates_text, turn_of
from flowfabric.stores._shared.waiting import child_place_text, inbox_text, waiting_since_ms, waitpoint_columns
from flowfabric.stores.sqlite.json_rows import Key, Row, StoredAck, StoredBacklog


@lru_cache(maxsize=16_384)
def key_of(execution_id: ExecutionId) -> Key:
    """An id as the two columns it is stored in."""
    return partition_in(execution_id), bytes.fromhex(uuid_in(execution_id).replace("-", ""))


@lru_cache(maxsize=4096)
def flow_key_of(flow_id: FlowId) -> Key:
    """A flow's id as the two columns it is stored in."""
    return flow_partition(flow_id), bytes.fromhex(flow_id.replace("-", ""))


def id_of(partition: int, uuid: bytes) -> ExecutionId:
    """The id that two columns spell."""
    return make_execution_id(partition, uuid_from_hex(uuid.hex()))


def uuid_bytes(uuid: str | None) -> bytes | None:
    """A flow id as it is stored."""
    return None if uuid is None else bytes.fromhex(uuid.replace("-", ""))


def born_row_of(x: Execution, capability_set: int) -> Row:
    """A new execution as a row for insert_executions."""
    due = due_of(x)
    return (
        *key_of(x.execution_id),
        x.namespace,
        x.lane,
        uuid_bytes(x.flow_id),
        x.kind,
        capability_set,
        policy_text(x.policy),
        x.idempotency_key,
        x.created_at_ms,
        tags_text(x.tags),
        ELIGIBILITY_CODES[x.eligibility_state],
        PUBLIC_STATE_CODES[x.public_state],
        x.priority,
        x.ready_at_ms,
        None if due is None else DUE_KIND_CODES[due.kind],
        None if due is None else due.due_at_ms,
        x.delay_until_ms,
        x.deadline_at_ms,
        x.lease_era,
        x.node,
        None if x.parent_id is None else key_of(x.parent_id)[1],
        child_place_text(x.child_place),
        x.created_by,
    )


def gated_row_of(x: Execution, capability_set: int) -> Row:
    """A new execution as a row for insert_gated_executions."""
    return (*born_row_of(x, capability_set), gates_text(x.gates), turn_of(x.gates))


def hot_row_of(x: Execution) -> Row:
    """An execution as a row for update_hot_columns."""
    due = due_of(x)
    return (
        *key_of(x.execution_id),
        PHASE_CODES[x.lifecycle_phase],
        ELIGIBILITY_CODES[x.eligibility_state],
        ATTEMPT_STATE_CODES[x.attempt_state],
        OUTCOME_CODES[x.terminal_outcome],
        PUBLIC_STATE_CODES[x.public_state],
        x.attempt_index,
        x.lease_epoch,
        x.event_seq,
        None if due is None else DUE_KIND_CODES[due.kind],
        None if due is None else due.due_at_ms,
        x.worker_id,
        x.worker_instance_id,
        x.lease_ttl_ms,
        x.lease_expires_at_ms,
        x.attempt_started_at_ms,
        x.started_at_ms,
        x.terminal_at_ms,
        x.ready_at_ms,
        x.lease_mark,
        x.lease_era,
    )


def hot_gated_row_of(x: Execution) -> Row:
    """An execution as a row for update_hot_columns_and_gates."""
    return (*hot_row_of(x), gates_text(x.gates), turn_of(x.gates))


def moved_row_of(x: Execution) -> Row:
    """An execution as a row for update_moved."""
    states = (ELIGIBILITY_CODES[x.eligibility_state], PUBLIC_STATE_CODES[x.public_state])
    return (*key_of(x.execution_id), *states, gates_text(x.gates), turn_of(x.gates))


def waiting_row_of(x: Execution) -> Row:
    """An execution as a row for update_waiting_columns."""
    return (*hot_row_of(x), inbox_text(x.inbox), waiting_since_ms(x))


def row_of(x: Execution) -> Row:
    """An execution as a row for update_executions."""
    return (
        *hot_row_of(x),
        tags_text(x.tags),
        x.priority,
        x.retry_count,
        x.interruption_count,
        x.replay_count,
        x.delay_until_ms,
        x.deadline_at_ms,
        x.cancellation_reason,
        x.cancelled_by,
        x.failure_code,
        x.failure_message,
        x.progress_percent,
        x.progress_message,
        x.unsettled,
        None if x.coming_back is None else STEPS_RULE_CODES[x.coming_back],
        inbox_text(x.inbox),
        waiting_since_ms(x),
    )


def execution_of(row: StoredExecution, capabilities: tuple[str, ...]) -> Execution:
    """The execution that a row spells."""
    if len(row.execution_id) != 32 or not 0 <= row.partition_key < PARTITIONS:
        raise Corruption(
            f"ff_exec_core, key {row.partition_key}, x'{row.execution_id}': column execution_id or partition_key is "
            "no part of an id. Repair or delete the row; no other execution is affected."
        )
    if len(row.flow_id) not in (0, 32):
        row.damaged = "flow_id"
    if row.parent_id:
        if len(row.parent_id) != 32:
            row.damaged = "parent_id"
        row.parent_id = uuid_from_hex(row.parent_id.lower())
    return _execution_of(
        row,
        make_execution_id(row.partition_key, uuid_from_hex(row.execution_id.lower())),
        uuid_from_hex(row.flow_id.lower()) if row.flow_id else None,
        capabilities,
    )


def flow_row_of(flow: Flow) -> Row:
    """A flow as a row for save_flows."""
    return (
        *flow_key_of(flow.flow_id),
        flow.namespace,
        flow.kind,
        flow.created_at_ms,
        tags_text(flow.tags),
        FLOW_STATE_CODES[flow.state],
        flow.graph_revision,
        flow.node_count,
        flow.edge_count,
        flow.live_count,
        flow.lost_sinks,
        flow.event_seq,
        flow.retention_ms,
        flow.started_at_ms,
        flow.terminal_at_ms,
        flow.at_rest_since_ms,
        flow.cancel_reason,
        None if flow.cancellation_policy is None else CANCELLATION_POLICY_CODES[flow.cancellation_policy],
        purge_at_ms(flow),
        flow.created_by,
    )


def flow_of(row: StoredFlow) -> Flow:
    """The flow that a row spells."""
    return _flows.flow_of(row, _flow_id_in(row.flow_id, "ff_flow_core", "flow_id"))


def edge_row_of(edge: Edge) -> Row:
    """An edge as a row for save_edges."""
    return (
        *flow_key_of(edge.flow_id),
        edge.edge_id,
        key_of(edge.upstream)[1],
        key_of(edge.downstream)[1],
        edge.pass_result_as,
        edge.created_at_ms,
        OUTCOME_CODES[edge.outcome],
        edge.generation,
        edge.resolved_at_ms,
    )


def edge_of(row: StoredEdge) -> Edge:
    """The edge that a row spells."""
    flow_id = _flow_id_in(row.flow_id, "ff_edge", "flow_id")
    if len(row.upstream) != 32 or len(row.downstream) != 32:
        row.damaged = "upstream" if len(row.downstream) == 32 else "downstream"
    upstream, downstream = _id_in(row.partition_key, row.upstream), _id_in(row.partition_key, row.downstream)
    return _flows.edge_of(row, flow_id, upstream, downstream)


def group_row_of(group: EdgeGroup) -> Row:
    """A group as a row for save_groups."""
    return (
        *key_of(group.downstream),
        flow_key_of(group.flow_id)[1],
        *join_columns(group.join),
        group.total,
        group.success_count,
        group.fail_count,
        group.skip_count,
        GROUP_STATE_CODES[group.state],
        group.passes_results,
    )


def group_of(row: StoredGroup) -> EdgeGroup:
    """The group that a row spells."""
    flow_id = _flow_id_in(row.flow_id, "ff_edge_group", "flow_id")
    if len(row.downstream) != 32:
        row.damaged = "downstream"
    return _flows.group_of(row, flow_id, _id_in(row.partition_key, row.downstream))


def backlog_of(row: StoredBacklog) -> CancelBacklog:
    """The backlog of a flow's cancel that a row spells."""
    flow_id = _flow_id_in(row.flow_id, "ff_cancel_backlog", "flow_id")
    return CancelBacklog(flow_id, row.requested_at_ms, row.pending_count)


def ack_of(row: StoredAck) -> PendingAck:
    """The acknowledgement that a row spells."""
    flow_id = _flow_id_in(row.flow_id, "ff_cancel_backlog_member", "flow_id")
    return PendingAck(flow_id, _id_in(row.partition_key, row.execution_id), row.overdue_at_ms)


@lru_cache(1_000)
def _flow_id_in(digits: str, table: str, column: str) -> FlowId:
    if len(digits) != 32:
        finding = f"column {column} is not part of an id. Repair or delete the row; no other flow is affected."
        raise Corruption(f"{table}, key x'{digits}': {finding}")
    return FlowId(uuid_from_hex(digits.lower()))


@lru_cache(16_384)  # the id of a member is in its edges and in its group, too
def _id_in(partition: int, digits: str) -> ExecutionId:
    return make_execution_id(partition, uuid_from_hex(digits.lower()))


def attempt_row_of(attempt: Attempt) -> Row:
    """An attempt as a row for save_attempts."""
    return (
        *key_of(attempt.execution_id),
        attempt.attempt_index,
        attempt.lease_epoch,
        attempt.worker_id,
        attempt.worker_instance_id,
        attempt.started_at_ms,
        attempt.terminal_at_ms,
        None if attempt.outcome is None else ATTEMPT_OUTCOME_CODES[attempt.outcome],
    )


def attempt_of(execution_id: ExecutionId, row: Row) -> Attempt:
    """The attempt that a row of load_attempts spells."""
    index, epoch, worker, instance, started_at_ms, terminal_at_ms, outcome = row
    if outcome is not None and not 0 <= outcome < len(ATTEMPT_OUTCOMES):
        raise Corruption(
            f"ff_attempt, key {execution_id}, attempt {index}: column outcome does not parse ({outcome}). "
            "Repair or delete the row."
        )
    ended = None if outcome is None else ATTEMPT_OUTCOMES[outcome]
    return Attempt(execution_id, index, epoch, worker, instance, started_at_ms, terminal_at_ms, ended)


def failure_row_of(failure: FailedAttempt) -> Row:
    """Every column of ff_failure."""
    return (
        *key_of(failure.execution_id),
        failure.attempt_index,
        failure.lease_epoch,
        failure.code,
        failure.message,
        failure.traceback,
    )


def step_row_of(step: Step) -> Row:
    """Every column of ff_step."""
    return (
        *key_of(step.execution_id),
        step.name,
        step.fingerprint,
        step.result,
        step.attempt_index,
        step.recorded_at_ms,
        step.number,
        step.is_wait,
        step.tries,
        step.lease_epoch,
    )


def step_of(execution_id: ExecutionId, name: str, row: Row) -> Step:
    """The step that a row of ff_step spells."""
    fingerprint, result, attempt_index, at_ms, number, is_wait, tries, epoch = row
    return Step(execution_id, name, fingerprint, result, attempt_index, at_ms, number, bool(is_wait), tries, epoch)


def waitpoint_row_of(waitpoint: StoredWaitpoint) -> Row:
    """Every column of ff_waitpoint."""
    return (*key_of(waitpoint.execution_id), *waitpoint_columns(waitpoint))


def signal_row_of(signal: StoredSignal) -> Row:
    """Every column of ff_signal."""
    return (
        *key_of(signal.execution_id),
        signal.number,
        signal.signal_id,
        signal.waitpoint_id,
        signal.key,
        signal.name,
        signal.source,
        signal.claimed_source,
        signal.delivered_at_ms,
        signal.taken_by,
        signal.payload,
    )


def signal_key_row_of(key: SignalKey) -> Row:
    """Every column of ff_signal_key."""
    return (
        *key_of(key.execution_id),
        key.key,
        key.idempotency_key,
        key.fingerprint,
        key.signal_id,
        key.namespace,
        key.alias,
    )


def event_row_of(event: Event) -> Row:
    """An event as a row for insert_events."""
    if event.execution_id is None:
        # An event without an execution and without a flow is on the partition of the empty id.
        partition, uuid = partition_of(uuid_bytes(event.flow_id) or b""), None
    else:
        partition, uuid = key_of(ExecutionId(event.execution_id))
    return (
        CHANNEL_CODES[event.channel],
        event.event_type,
        event.namespace,
        partition,
        uuid,
        uuid_bytes(event.flow_id),
        event.seq,
        details_text(event.details),
        event.occurred_at_ms,
    )


def event_of(row: Row) -> Event:
    """The event that a row of read_events spells."""
    event_id, channel, event_type, namespace, partition, uuid, flow, seq, details, at = row
    if not 0 <= channel < len(CHANNELS):
        raise _damaged_event(event_id, "channel", str(channel))
    try:
        known_details = details_of(details)
    except msgspec.MsgspecError as error:
        raise _damaged_event(event_id, "details", str(error)) from error
    return Event(
        event_id,
        CHANNELS[channel],
        event_type,
        namespace,
        None if uuid is None else id_of(partition, uuid),
        None if flow is None else uuid_from_hex(flow.hex()),
        seq,
        known_details,
        at,
    )


def _damaged_event(event_id: int, column: str, finding: str) -> Corruption:
    return Corruption(f"ff_event, key {event_id}: column {column} does not parse ({finding}). Repair or delete it.")


def due_position(due: Due | None) -> Row:
    """The position after which find_due goes on."""
    return (-1, -1, b"") if due is None else (due.due_at_ms, *key_of(due.execution_id))
