"""Plans hold whatever the statistics say: a lookup stays one, at whatever moment ANALYZE happened to run.

A new statement belongs into one of the tables below. If a hot one is shown here to walk where it should look up, see
the head of statements/executions.sql for the way to write it.
"""

import re
from collections.abc import Iterator
from typing import Any, Final

import psycopg
import pytest

from flowfabric import ExecutionPolicy, FlowGraph, RetryPolicy, open_blocking_engine
from flowfabric.stores._shared.statements import Statements
from flowfabric.stores.postgres.connection import FOR_TRANSACTION
from flowfabric.testing import ManualClock
from tests.postgres_server import connected, empty_store
from tests.sizes import IS_FULL
from tests.stores.postgres.conftest import Sql

STATEMENTS: Final = Statements("flowfabric.stores.postgres")
ROWS: Final = 20_000 if IS_FULL else 4_000

CORE: Final = "ff_exec_core_pkey (partition_key, execution_id)"
PAYLOAD: Final = "ff_payload_pkey (partition_key, execution_id)"
READY: Final = (
    "ff_ready_order (namespace, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key)"
)
LANE: Final = "ff_ready_order (namespace, lane_id)"
PART: Final = "ff_ready_order (namespace, lane_id, capability_set)"
SWITCH: Final = "ff_lane_pkey (namespace, lane_id)"
DUE: Final = "ff_due_order (due_kind, due_at_ms, partition_key, execution_id)"
SHEETS: Final = "ff_lease_sheet_order (due_at_ms)"
EVENTS_OF_ONE: Final = "ff_event_of_execution (partition_key, execution_id)"
EVENTS_OF_FLOW: Final = "ff_event_of_flow (partition_key, flow_id)"
PROMISE: Final = "ff_idempotency_pkey (partition_key, namespace, idempotency_key)"
ANSWER: Final = "ff_command_pkey (scope, command_id)"
RESULT: Final = "ff_result_pkey (partition_key, execution_id, generation)"
FLOW: Final = "ff_flow_core_pkey (partition_key, flow_id)"
EDGE: Final = "ff_edge_pkey (partition_key, flow_id, edge_id)"
EDGES_OF_FLOW: Final = "ff_edge_pkey (partition_key, flow_id)"
EDGES_FROM: Final = "ff_edge_from (upstream)"
EDGES_TO: Final = "ff_edge_to (downstream)"
GROUP: Final = "ff_edge_group_pkey (partition_key, downstream)"
GROUPS_OF_FLOW: Final = "ff_edge_group_of_flow (flow_id)"
BACKLOG: Final = "ff_cancel_backlog_pkey (partition_key, flow_id)"
ACK: Final = "ff_cancel_backlog_member_pkey (partition_key, flow_id, execution_id)"
ACKS_OF_FLOW: Final = "ff_cancel_backlog_member_pkey (partition_key, flow_id)"
CANCEL: Final = "ff_flow_cancel_pkey (partition_key, flow_id)"
WAITPOINT: Final = "ff_waitpoint_pkey (partition_key, execution_id, key)"
WAITPOINTS_OF_ONE: Final = "ff_waitpoint_pkey (partition_key, execution_id)"
SIGNAL: Final = "ff_signal_pkey (partition_key, execution_id, number)"
SIGNALS_OF_ONE: Final = "ff_signal_pkey (partition_key, execution_id)"
KEPT: Final = "ff_signal_kept (execution_id, key)"
SIGNAL_KEY: Final = "ff_signal_key_pkey (partition_key, execution_id, key, idempotency_key)"
ALIAS: Final = "ff_alias_pkey (namespace, alias)"

LIMIT: Final = "ff_limit_pkey (namespace, name)"
OVERRIDE: Final = "ff_limit_override_pkey (namespace, name, key)"
KEY_USE: Final = "ff_limit_key_pkey (namespace, name, key)"
LANE_TURN: Final = "ff_lane_turn_pkey (namespace, lane_id, priority)"
KEY_TURN: Final = "ff_key_turn_pkey (namespace, lane_id, priority, fair_key)"
BUDGET: Final = "ff_budget_pkey (namespace, name)"
BUDGET_USE: Final = "ff_budget_use_pkey (namespace, name, period_ms)"
LEDGER_OF_ONE: Final = "ff_ledger_pkey (partition_key, execution_id)"
AT_GATE: Final = "ff_at_gate_pkey (partition_key, execution_id)"
PARKED: Final = "ff_at_gate_parked (namespace, gate_kind, name, gate_key)"
ROOM: Final = "ff_at_gate_parked (namespace, gate_kind, name, gate_key, lane_id, capability_set)"
OPENING: Final = "ff_opening_pkey (namespace, gate_kind, name, gate_key)"
OLDEST: Final = "ff_at_gate_oldest (gate_state, namespace, gate_kind, name, gate_key)"

STREAM: Final = "ff_stream_pkey (partition_key, execution_id)"
CHUNK: Final = "ff_stream_chunk_pkey (partition_key, execution_id, lease_epoch, first_seq)"
CHUNKS_OF_ONE: Final = "ff_stream_chunk_pkey (partition_key, execution_id)"
SUMMARY: Final = "ff_summary_pkey (partition_key, execution_id)"

CHILDREN: Final = "ff_exec_core_child (parent_id, partition_key)"

HOT: Final[dict[str, list[str]]] = {
    "lock_executions": [CORE],
    "lock_solo_executions": [CORE, CORE],
    "lock_late_solo_executions": [CORE, CORE],
    "lock_live_children": [CHILDREN, CORE],
    "update_executions": [CORE],
    "update_hot_columns": [CORE],
    "update_waiting_columns": [CORE],
    "delete_executions": [CORE],
    "read_payloads": [PAYLOAD],
    "delete_payloads": [PAYLOAD],
    "delete_results": ["ff_result_pkey (partition_key, execution_id)"],
    "delete_results_of_lives": [RESULT],
    "delete_tags": ["ff_tag_pkey (partition_key, execution_id)"],
    "delete_attempts": ["ff_attempt_pkey (partition_key, execution_id)"],
    "keep_last_attempts": [CORE],
    "delete_failures": ["ff_failure_pkey (partition_key, execution_id)"],
    "ready_capability_sets": [LANE, PART, SWITCH],
    "lock_ready": [PART, CORE, PAYLOAD, FLOW, GROUP, SWITCH],
    "delete_ready": [READY],
    "delete_due": [DUE],
    "delete_lease_sheets": [SHEETS],
    "find_due": [
        "ff_due_order (due_kind, due_at_ms, ROW(due_at_ms, partition_key, execution_id))",
        "ff_lease_sheet_order (due_at_ms, due_at_ms)",
        CORE,
    ],
    "drop_lease_sheets": [SHEETS, "Tid Scan of ff_lease_sheet", CORE],
    "find_due_rows": [DUE, SHEETS],
    "find_end_of_page": ["ff_exec_core_pkey (ROW(partition_key, execution_id))"],
    "find_side_rows": [
        "ff_exec_core_pkey (ROW(partition_key, execution_id), ROW(partition_key, execution_id))",
        READY,
        GROUP,
        AT_GATE,
    ],
    "fast_complete": [CORE, CORE],
    "complete_at_once": [CORE, CORE],
    "fast_claim": [
        "ff_ready_order (namespace, lane_id, capability_set, ROW(rank, turn, ready_at_ms))",
        PART,
        CORE,
        CORE,
        CORE,
        "Tid Scan of ff_ready",
        PAYLOAD,
        SWITCH,
    ],
    "hold_flows_of": [CORE, FLOW],
    "hold_members": [EDGES_FROM, CORE],
    "complete_members": [CORE, CORE, CORE, CORE, FLOW, FLOW, EDGES_FROM, EDGE, GROUP, GROUP],
    "claim_members": [
        "ff_ready_order (namespace, lane_id, capability_set, ROW(rank, turn, ready_at_ms))",
        PART,
        PART,
        CORE,
        CORE,
        FLOW,
        FLOW,
        FLOW,
        GROUP,
        EDGES_TO,
        RESULT,
        "Tid Scan of ff_ready",
        PAYLOAD,
        SWITCH,
    ],
    "create_flows": [],
    "create_leased": [LANE, SWITCH],
    "create_at_limits": [LIMIT, ROOM, "ff_capability_set_tokens_key (tokens)"],
    "hold_executions": [CORE],
    "complete_at_limits": [PARKED, CORE, CORE, AT_GATE],
    "lock_limited_ready": [PART, CORE, PAYLOAD, SWITCH],
    "lock_limited_parked": [
        PARKED,
        "ff_at_gate_parked (namespace, gate_kind, name, gate_key, ROW(lane_id, capability_set))",
        ROOM,
        ROOM,
        CORE,
        PAYLOAD,
    ],
    "lease_limited": [CORE, READY, AT_GATE],
    "park_limited": [CORE, READY, AT_GATE],
    "admit_limited": [CORE, AT_GATE],
    "read_events": ["ff_event_by_transaction (txid)", "ff_event_by_transaction (txid)"],
    "read_rest_of_events": ["ff_event_order (event_id)"],
    "read_events_of_execution": [EVENTS_OF_ONE],
    "read_newest_events": ["ff_event_order (event_id)", "ff_event_order ()"],
    "end_of_log": ["ff_event_by_transaction ()", "ff_meta_pkey (name)"],
    "check_cursor": ["ff_event_order (event_id)", "ff_meta_pkey (name)"],
    "note_purge": [EVENTS_OF_ONE],
    "delete_events": [EVENTS_OF_ONE],
    "delete_old_events": [EVENTS_OF_FLOW],
    "read_key_holders": [PROMISE],
    "lock_idempotency_keys": [PROMISE],
    "update_idempotency_keys": [PROMISE],
    "delete_idempotency_keys": [PROMISE],
    "delete_idempotency_keys_of_executions": [PROMISE],
    "lock_answers": [ANSWER],
    "update_answers": [ANSWER],
    "delete_answers": [ANSWER],
    "read_named_steps": ["ff_step_pkey (partition_key, execution_id, name)"],
    "read_last_step_numbers": ["ff_step_number (partition_key, execution_id)"],
    "read_step_places": ["ff_step_pkey (partition_key, execution_id)"],
    "delete_steps": ["ff_step_pkey (partition_key, execution_id)"],
    "delete_named_steps": ["ff_step_pkey (partition_key, execution_id, name)"],
    "lock_lanes": [SWITCH],
    "update_lanes": [SWITCH],
    "lock_workers": ["ff_worker_pkey (namespace, worker_instance_id)"],
    "lock_schedules": ["ff_schedule_pkey (namespace, name)"],
    "update_schedules": ["ff_schedule_pkey (namespace, name)"],
    "delete_schedules": ["ff_schedule_pkey (namespace, name)"],
    "delete_workers": ["ff_worker_pkey (namespace, worker_instance_id)"],
    "delete_old_batches": ["ff_batch_age (committed_at_ms, committed_at_ms)"],
    "find_batch": ["ff_batch_pkey (batch_id)"],
    "lock_flows": [CORE, FLOW],
    "lock_open_flows": [FLOW],
    "update_flows": [FLOW],
    "delete_flows": [FLOW],
    "read_members": [CORE, GROUP],
    "read_members_of_flows": ["ff_exec_core_flow (flow_id)", GROUP],
    "read_downstreams": [EDGES_FROM, CORE, GROUP],
    "read_upstreams": [EDGES_TO, CORE, GROUP],
    "read_outgoing": [EDGES_FROM],
    "read_reach": [EDGES_FROM, EDGES_FROM],
    "read_incoming": [EDGES_TO],
    "read_passing": [EDGES_TO, RESULT],
    "read_edges": [EDGE],
    "read_edges_of_flows": [EDGES_OF_FLOW],
    "update_edges": [EDGE],
    "delete_edges_of_flows": [EDGES_OF_FLOW],
    "read_groups": [GROUP],
    "read_groups_of_flow": [GROUPS_OF_FLOW, CORE, EDGES_TO, CORE],
    "update_groups": [GROUP],
    "delete_groups_of_flows": [GROUPS_OF_FLOW],
    "read_cancelled_members": [CANCEL],
    "delete_cancelled_members": [CANCEL],
    "read_backlogs": [BACKLOG],
    "delete_backlogs": [BACKLOG],
    "read_acks": [ACK],
    "read_acks_of_flows": [ACKS_OF_FLOW],
    "delete_acks": [ACK],
    "delete_acks_of_flows": [ACKS_OF_FLOW],
    "note_purge_of_flows": [EVENTS_OF_FLOW],
    "delete_events_of_flows": [EVENTS_OF_FLOW, "ff_event_order (event_id)"],
    "read_named_waitpoints": [WAITPOINT],
    "read_waitpoints_of_executions": [WAITPOINTS_OF_ONE],
    "delete_named_waitpoints": [WAITPOINT],
    "delete_waitpoints": [WAITPOINTS_OF_ONE],
    "read_named_signals": [SIGNAL],
    "read_kept_signals": [KEPT],
    "read_signals_of_executions": [SIGNALS_OF_ONE],
    "take_signals": [SIGNAL],
    "delete_named_signals": [SIGNAL],
    "delete_signals": [SIGNALS_OF_ONE],
    "read_signal_keys": [SIGNAL_KEY],
    "read_alias_keys": ["ff_signal_key_alias (namespace, alias, idempotency_key)"],
    "delete_signal_keys_of_waitpoints": ["ff_signal_key_pkey (partition_key, execution_id, key)"],
    "delete_signal_keys": ["ff_signal_key_pkey (partition_key, execution_id)"],
    "lock_aliases": [ALIAS, CORE],
    "update_aliases": [ALIAS],
    "delete_named_aliases": [ALIAS],
    "delete_aliases": ["ff_alias_of_execution (partition_key, execution_id)"],
    "lock_key_rings": ["ff_key_ring_pkey (name)"],
    "update_key_rings": ["ff_key_ring_pkey (name)"],
    "lock_access_tokens": ["ff_access_token_pkey (token_id)"],
    "read_access_token": ["ff_access_token_pkey (token_id)"],
    "list_access_tokens": ["ff_access_token_created (ROW(created_at_ms, token_id))"],
    "find_surplus_sessions": ["ff_access_token_created (created_at_ms)"],
    "find_dead_access_tokens": ["ff_access_token_ends (ends_at_ms)"],
    "update_access_tokens": ["ff_access_token_pkey (token_id)"],
    "delete_access_tokens": ["ff_access_token_pkey (token_id)"],
    "update_gates": [CORE],
    "update_moved": [CORE],
    "update_hot_columns_and_gates": [CORE],
    "read_limits": [LIMIT],
    "delete_limits": [LIMIT],
    "read_limit_overrides": [OVERRIDE],
    "delete_limit_overrides": [OVERRIDE],
    "read_budgets": [BUDGET, BUDGET, BUDGET],
    "read_lane_turns": [LANE_TURN],
    "read_key_turns": [KEY_TURN],
    "lock_late_key_turns": [KEY_TURN],
    "save_key_turns": [KEY_TURN],
    "delete_key_turns": [KEY_TURN],
    "read_key_uses": [KEY_USE],
    "lock_late_key_uses": [KEY_USE],
    "save_key_uses": [KEY_USE],
    "delete_key_uses": [KEY_USE],
    "read_budget_uses": [BUDGET_USE],
    "lock_late_budget_uses": [BUDGET_USE],
    "save_budget_uses": [BUDGET_USE],
    "delete_budget_uses": [BUDGET_USE],
    "read_ledger": ["ff_ledger_pkey (partition_key, execution_id, budget, period_ms, day_ms)"],
    "keep_daily_sums": [LEDGER_OF_ONE],
    "delete_ledger": [LEDGER_OF_ONE],
    "read_spend_keys": ["ff_spend_key_pkey (partition_key, execution_id, budget, idempotency_key)"],
    "delete_spend_keys": ["ff_spend_key_pkey (partition_key, execution_id)"],
    "lock_parked": [
        PARKED,
        "ff_at_gate_parked (namespace, gate_kind, name, gate_key, ROW(lane_id, capability_set))",
        ROOM,
        ROOM,
        CORE,
    ],
    "lock_running": [OLDEST, OLDEST, CORE, CORE],
    "find_crowded": [ROOM, "ff_capability_set_tokens_key (tokens)"],
    "find_oldest_at_gates": [OLDEST],
    "find_crowded_keys": [PARKED, PARKED],
    "read_openings": [OPENING],
    "delete_openings": [OPENING],
    "delete_at_gate": ["ff_at_gate_pkey (partition_key, execution_id, gate_kind, name, gate_key)"],
    "delete_gates": [AT_GATE],
    "read_gate_rows": [AT_GATE],
    "read_streams": [STREAM],
    "read_chunks": [CHUNK],
    "read_oldest_chunks": [CHUNKS_OF_ONE],
    "delete_named_chunks": [CHUNK],
    "read_summaries": [SUMMARY],
    "delete_all_that_was_said": [STREAM, CHUNKS_OF_ONE, SUMMARY],
}
"""What runs with pinned plans, and how each table is searched: the index, and the columns that a search is given."""

SORTS_WHAT_IT_FINDS: Final = {
    *("read_events", "lock_flows", "note_purge_of_flows", "list_executions_of_flow", "count_recent_ends"),
    *("find_old_events", "read_waitpoints", "count_recent_failures", "keep_daily_sums", "sum_spending_by_execution"),
    *("find_due", "hold_flows_of", "hold_members"),
}
"""All others find their rows in the order they are wanted in, or sort no more than the rows of a batch."""

KEY: Final = {"partition_key": 86, "execution_id": "01a1de98-5e63-7000-8000-f1ac0874dc2f"}
BEFORE: Final = {**KEY, "created_at_ms": 2**41}
ANY: Final = {"namespace": "default", "public_state": None, "lane_id": None, "flow_id": None, "kind": None, "most": 100}

READS: Final[dict[str, tuple[dict[str, object], list[str]]]] = {
    "find_old_events": ({"partition_key": 0, "until_ms": 2**41, "most": 500}, [EVENTS_OF_FLOW]),
    "read_executions": ({"partition_key": "{86}", "execution_id": f"{{{KEY['execution_id']}}}"}, [CORE]),
    "read_result": (KEY, [CORE, "ff_result_pkey (partition_key, execution_id)"]),
    "read_attempts": (KEY, ["ff_attempt_pkey (partition_key, execution_id)", CORE, CORE]),
    "read_failures": (KEY, ["ff_failure_pkey (partition_key, execution_id)"]),
    "read_last_failure": (KEY, ["ff_failure_pkey (partition_key, execution_id)"]),
    "list_executions": (
        {**ANY, **BEFORE},
        ["ff_exec_core_newest (ROW(created_at_ms, execution_id, partition_key))"],
    ),
    "list_failed_executions": (
        {**ANY, **BEFORE, "public_state": 8},
        ["ff_exec_core_failed (ROW(created_at_ms, execution_id, partition_key))"],
    ),
    "count_recent_failures": (
        {"namespace": None, "since_ms": 0, "newest": 10_000, "most": 100},
        ["ff_exec_core_failed ()"],
    ),
    "find_next_retention": ({"namespace": None}, ["ff_due_order (due_kind)", CORE]),
    "find_next_retention_of_flows": ({"namespace": None}, ["ff_flow_core_purge ()"]),
    "list_executions_of_flow": (
        {**ANY, **BEFORE, "flow_id": KEY["execution_id"]},
        ["ff_exec_core_flow (flow_id)"],
    ),
    "list_tagged_executions": (
        {**ANY, **BEFORE, "tag_key": "team.name", "tag_value": "billing"},
        ["ff_tag_search (key, value, ROW(created_at_ms, execution_id, partition_key))", CORE],
    ),
    "find_ended_executions": (
        {**BEFORE, "namespace": None, "ended_before_ms": 2**41, "most": 100},
        ["ff_exec_core_newest (ROW(created_at_ms, execution_id, partition_key))"],
    ),
    "find_ended_flows": (
        {**BEFORE, "flow_id": KEY["execution_id"], "namespace": None, "ended_before_ms": 2**41, "most": 100},
        ["ff_flow_core_newest (ROW(created_at_ms, flow_id, partition_key))"],
    ),
    "count_executions_of_flow": (
        {**ANY, "created_before_ms": 2**41, "flow_id": KEY["execution_id"]},
        ["ff_exec_core_flow (flow_id)"],
    ),
    "count_tagged_executions": (
        {**ANY, "created_before_ms": 2, "tag_key": "team.name", "tag_value": "billing"},
        ["ff_tag_search (key, value, created_at_ms)", CORE],
    ),
    "count_recent_ends": (
        {"namespace": None, "since_ms": 0, "most": 20_000},
        ["ff_event_order ()", CORE],
    ),
    "find_nth_newest_event": ({"newer": 100}, ["ff_event_order ()"]),
    "read_log_extent": ({}, ["ff_event_order ()", "ff_event_order ()"]),
    "read_flow": ({"partition_key": 86, "flow_id": KEY["execution_id"]}, [FLOW]),
    "list_flows": (
        {"namespace": "default", "state": None, "most": 100, "created_at_ms": 2**41, "partition_key": 86}
        | {"flow_id": KEY["execution_id"]},
        ["ff_flow_core_newest (ROW(created_at_ms, flow_id, partition_key))"],
    ),
    "find_flows_to_purge": ({"until_ms": 1, "most": 500}, ["ff_flow_core_purge (purge_at_ms)"]),
    "find_overdue_acks": ({"until_ms": 1, "most": 500}, ["ff_cancel_backlog_overdue (overdue_at_ms)"]),
    "find_expired_idempotency_keys": ({"until_ms": 1, "most": 500}, ["ff_idempotency_expiry (expires_at_ms)"]),
    "newest_record": ({}, ["ff_event_order ()", "ff_exec_core_newest ()"]),
    "read_steps": (KEY, ["ff_step_pkey (partition_key, execution_id)"]),
    "find_news": (
        {
            "partition_key": "{86}",
            "execution_id": f"{{{KEY['execution_id']}}}",
            "lease_partition": "{86}",
            "lease_execution": f"{{{KEY['execution_id']}}}",
            "lease_epoch": "{1}",
            "flow_partition": "{86}",
            "flow_id": f"{{{KEY['execution_id']}}}",
            "lingering_partition": "{86}",
            "lingering_execution": f"{{{KEY['execution_id']}}}",
        },
        [CORE, CORE, CORE, ACKS_OF_FLOW],
    ),
    "poll": (
        {"now_ms": 1, "due_kind": "{0,5}", "timer": "{3,6}", "namespace": "{default}", "lane_id": "{default}"},
        [
            "ff_due_order (due_kind, due_at_ms)",
            "ff_due_order (due_kind, due_at_ms)",
            SHEETS,
            "ff_cancel_backlog_overdue (overdue_at_ms)",
            "ff_opening_due (at_ms)",
            "ff_opening_due (at_ms)",
            "Seq Scan of ff_lane",  # nothing is paused here,
            "Seq Scan of ff_ready",  # and nothing waits
        ],
    ),
    "list_children": (
        {**KEY, "parent_id": KEY["execution_id"], "created_at_ms": 0, "only_live": True, "most": 100},
        ["ff_exec_core_child (parent_id, partition_key, ROW(created_at_ms, execution_id))"],
    ),
    "read_results": ({"partition_key": [0], "execution_id": [KEY["execution_id"]]}, [CORE, RESULT]),
    "list_suspended": (
        {**KEY, "waiting_since_ms": 1, "namespace": None, "key": "approval", "most": 100},
        ["ff_exec_core_suspended (ROW(waiting_since_ms, execution_id, partition_key))", WAITPOINT],
    ),
    "read_waitpoints": (KEY, [WAITPOINTS_OF_ONE, KEPT]),
    "read_waitpoint_of_id": ({**KEY, "waitpoint_id": KEY["execution_id"]}, [WAITPOINTS_OF_ONE]),
    "read_signals": (
        {**KEY, "key": None, "after": 100, "most": 100},
        ["ff_signal_pkey (partition_key, execution_id, number)"],
    ),
    "read_alias": ({"namespace": "default", "alias": "order-7"}, [ALIAS, CORE]),
    "find_expired_answers": ({"until_ms": 1, "most": 500}, ["ff_command_expiry (expires_at_ms)"]),
    "list_keys_of_limit": (
        {"namespace": "default", "name": "api", "after": "7", "most": 100},
        [KEY_USE, OVERRIDE],
    ),
    "sum_spending_by_execution": (
        {**KEY, "namespace": "default", "budget": "team", "most": 100},
        [
            "ff_ledger_pkey (ROW(partition_key, execution_id), budget)",
            "ff_ledger_pkey (partition_key, execution_id, budget)",
        ],
    ),
    "find_openings": ({"until_ms": 1, "most": 500}, ["ff_opening_due (at_ms)"]),
    "find_idle_keys": ({"until_ms": 1, "most": 500}, ["ff_limit_key_idle (idle_at_ms)"]),
    "find_old_uses": (
        {"namespace": "", "name": "", "period_ms": 1, "until_ms": 2**41, "most": 500},
        ["ff_budget_use_age (period_ms, ROW(period_ms, namespace, name))"],
    ),
    "find_long_streams": ({"most": 100}, ["ff_stream_too_long ()"]),
    "read_stream_ends": ({"partition_key": "{86}", "execution_id": f"{{{KEY['execution_id']}}}"}, [CORE, STREAM]),
    "read_step_marks": (KEY, ["ff_step_number (partition_key, execution_id)"]),
    "read_retried": (
        KEY,
        [
            STREAM,
            "ff_stream_chunk_retried (execution_id, lease_epoch)",
            "ff_stream_chunk_retried (execution_id, lease_epoch, retried)",
        ],
    ),
    "read_stream_part": (
        {**KEY, "lease_epoch": 1, "next_seq": 100, "most": 100, "bytes_max": 2**22},
        [CHUNK, "ff_stream_chunk_pkey (partition_key, execution_id, ROW(lease_epoch, first_seq))"],
    ),
    "find_turns_of_keys": (
        {"namespace": "", "lane_id": "", "priority": -1, "fair_key": "", "most": 2000},
        # There are few lanes: those may be read as a whole.
        ["Seq Scan of ff_lane_turn", "ff_key_turn_pkey (ROW(namespace, lane_id, priority, fair_key))"],
    ),
}
"""What is planned anew each time, for its values and for tables as they are: only tables with rows are of interest."""

AS_GOOD: Final = {
    "sum_spending_by_execution": [
        "ff_ledger_budget (namespace, budget, ROW(partition_key, execution_id))",
        "ff_ledger_pkey (partition_key, execution_id, budget)",
    ],
}
"""Which of two indexes is read depends on the statistics of the moment."""

READ_BY_KEY: Final = [
    *("read_executions", "read_result", "read_payloads", "read_attempts", "read_failures"),
    *("read_last_failure", "read_steps", "read_named_steps", "read_waitpoints", "read_waitpoint_of_id", "read_signals"),
    *("read_streams", "read_stream_ends", "read_step_marks", "read_retried", "read_stream_part", "read_summaries"),
]
"""What readers prepare: the plan is kept while tables grow."""

SEARCHES_NOTHING: Final = {
    "pin_plans",
    "pin_plans_by_key",
    "lift_limits",
    "set_lock_wait",
    "share_definitions",
    "lock_definitions",
    "fast_create",
    "create_remembered",
    "clock",
    "insert_executions",
    "insert_payloads",
    "save_results",
    "insert_tags",
    "save_attempts",
    "save_failures",
    "insert_capability_set",
    "insert_ready",
    "insert_due",
    "insert_lease_sheets",
    "insert_events",
    "insert_count_moves",
    "lock_counts",
    "insert_steps",
    "insert_lanes",
    "save_workers",
    "insert_schedules",
    "notify",
    "insert_turn",
    "save_meta",
    "insert_idempotency_keys",
    "insert_answers",
    "insert_batch",
    "give_up_batch",
    "insert_flows",
    "insert_edges",
    "insert_groups",
    "insert_cancelled_members",
    "save_backlogs",
    "save_acks",
    "save_waitpoints",
    "insert_signals",
    "insert_signal_keys",
    "insert_aliases",
    "insert_key_rings",
    "insert_access_tokens",
    "insert_gated_executions",
    "save_limits",
    "save_limit_overrides",
    "save_budgets",
    "save_ledger",
    "insert_spend_keys",
    "lock_key_turns",
    "lock_key_uses",
    "lock_budget_uses",
    "save_lane_turns",
    "lock_openings",
    "save_openings",
    "save_at_gate",
    "save_streams",
    "insert_chunks",
    "save_summaries",
}
"""What only writes, or asks the server something."""

COLD: Final = {
    "lock_turn": "a few rows",
    "read_meta": "two rows",
    "read_key_ring": "one row",
    "list_workers": "one row for each worker process",
    "find_silent_workers": "the same",
    "list_schedules": "one row for each schedule",
    "list_lane_switches": "one row for each lane that was ever paused",
    "read_capability_set": "as many rows as there are kinds of workers; remembered by every process",
    "read_capability_set_id": "the same",
    "count_kept": "counts everything, so it reads everything",
    "count_kept_flows": "the same",
    "find_miscounts": "the same",
    "mend_counts": "the same",
    "count_standings": "the kept counts: one row for each lane, kind and standing, and what was not added up yet",
    "count_live_executions": "the same",
    "count_kept_executions": "the same",
    "count_for_list": "the same",
    "find_count_moves": "what was not added up yet",
    "fold_counts": "the same",
    "forget_empty_counts": "the kept counts",
    "count_ends": "a few rows for each minute of a day",
    "forget_old_ends": "the same",
    "find_oldest_suspended": "everything that is suspended",
    "find_oldest_ready": "a step for each lane, capability set and priority of the queue; test_counts.py shows it",
    "list_queued_executions": "up to 1,000 rows of the queue",
    "count_held": "the same",
    "count_failed": "the same",
    "count_pending_acks": "one row for each cancelled flow that waits for acknowledgements",
    "read_schema_version": "one row for each migration",
    "count_executions": "reads all that may count, by the index or from end to end, whichever is shorter",
    "end_stranded_sessions": "the server's own views, after a wait of seconds",
    "open_transactions": "the same, by hand",
    "server_state": "the same",
    "this_session": "the server's own views, once for each connection",
    "end_session": "the server's own views, after a lost connection",
    "whose_store": "two rows, and the server's own list of databases",
    "server_identity": "the server's own",
    "count_leases": "by hand: everything that is leased",
    "count_waiting": "by hand: everything that waits",
    "count_endless_waits": "by hand: everything that has been suspended for long",
    "list_ends_of_secrets": "by hand: one row",
    "count_due": "by hand: everything that is overdue",
    "count_overdue_acks": "the same",
    "count_overdue_openings": "the same",
    "list_leased_gates": "by hand: everything that is leased",
    "list_keys_in_use": "by hand: the keys of everything that is leased",
    "list_uses_that_matter": "by hand: one row for each budget and period",
    "find_budgets_under": "by hand: the budgets under one that gets another parent",
    "count_parked": "up to 10,000 that are parked at a gate; test_many_parked.py shows that these are all",
    "count_parked_before": "the same",
    "list_limits": "one row for each limit",
    "list_budgets": "one row for each budget",
    "sum_spending_by_flow": "sums up all that was spent of a budget",
    "sum_spending_by_kind": "the same",
    "sum_spending_by_day": "the same",
}
"""What may be planned in any way, and why."""


# ── moments ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def empty() -> Iterator[Sql]:
    yield from _analyzed()


@pytest.fixture(scope="module")
def all_waiting() -> Iterator[Sql]:
    yield from _analyzed(filled=True)


@pytest.fixture(scope="module")
def all_finished() -> Iterator[Sql]:
    yield from _analyzed(filled=True, finished=True)


@pytest.fixture(params=["empty", "all_waiting", "all_finished"])
def at_any_moment(request: pytest.FixtureRequest) -> Sql:
    """A database whose statistics were taken at one of the worst moments."""
    database: Sql = request.getfixturevalue(request.param)
    return database


def _analyzed(*, filled: bool = False, finished: bool = False) -> Iterator[Sql]:
    with empty_store() as url, connected(url) as connection:
        if filled:
            _live_through(url, finished=finished)
            _wait(connection)
            _stand_at_gates(connection)
            _speak(connection)
            _multiply(connection)
        connection.execute("analyze")
        yield connection


def _live_through(url: str, *, finished: bool) -> None:
    """One execution that leaves a row in every table that it can, waiting again or finished."""
    clock = ManualClock()
    with open_blocking_engine(url, clock=clock, reconcile=False) as engine:
        engine.create_execution(
            "kind",
            b"payload",
            tags={"team.name": "billing"},
            idempotency_key="once",
            deadline_at_ms=clock.now_ms + 3_600_000,
            policy=ExecutionPolicy(retry=RetryPolicy(max_retries=1), retention_ms=3_600_000),
            command_id="once",
        )
        (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
        engine.record_step(claimed.lease, "step", b"result")
        engine.fail(claimed.lease, code="boom", retry_after_ms=0)
        if finished:
            (claimed,) = engine.claim(worker_id="w", worker_instance_id="i")
            engine.complete(claimed.lease, b"result")
        graph = FlowGraph("order")
        graph.node("pay", "kind", lane="flows", policy=ExecutionPolicy(retention_ms=3_600_000))
        graph.node("ship", "kind", lane="flows", policy=ExecutionPolicy(retention_ms=3_600_000))
        graph.edge("pay", "ship", pass_result_as="receipt")
        flow_id = engine.submit_flow(graph).flow_id
        engine.claim(worker_id="w", worker_instance_id="i", lanes=["flows"])
        if finished:
            engine.cancel_flow(flow_id, reason="enough")


def _wait(connection: Sql) -> None:
    """One row in each table of waits, signals and tokens."""
    of_one = "select partition_key, execution_id, 'approval'"
    for statement in (
        "insert into ff_waitpoint (partition_key, execution_id, key, life, waitpoint_id, created_at_ms, token_kid)"
        f" {of_one}, 0, 'w', 1, 'k'",
        "insert into ff_signal (partition_key, execution_id, key, number, signal_id, waitpoint_id, name, source,"
        f" claimed_source, delivered_at_ms, payload) {of_one}, 1, 's', 'w', '', '', '', 1, 'yes'",
        "insert into ff_signal_key (partition_key, execution_id, key, idempotency_key, fingerprint, signal_id,"
        f" namespace, alias) {of_one}, 'once', 'f', 's', namespace, 'order-7'",
        f"insert into ff_alias (partition_key, execution_id, key, namespace, alias) {of_one}, namespace, 'order-7'",
        "insert into ff_key_ring (name, keys) select 'waitpoints', '[]'",
        "insert into ff_access_token (token_id, secret_hash, kind, role, name, created_at_ms, approves_own, ends_at_ms)"
        " select 'a', 'hash', 'access', 'viewer', 'ann', 1, 0, 7",
    ):
        connection.execute(f"{statement} from ff_exec_core limit 1".encode())


def _stand_at_gates(connection: Sql) -> None:
    """One row in each table of limits and budgets that grows."""
    of_one = "select partition_key, execution_id, namespace"
    for statement in (
        "insert into ff_limit_override (namespace, name, key, per_ms) select namespace, 'api', 'k', 1",
        "insert into ff_limit_key (namespace, name, key, in_use, busy_until_us, paused_until_ms, idle_at_ms)"
        " select namespace, 'api', 'k', 0, 0, 0, 7",
        "insert into ff_key_turn (namespace, lane_id, priority, fair_key, turn, given_at_ms)"
        " select namespace, lane_id, 0, 'k', 1, 1",
        "insert into ff_budget_use (namespace, name, period_ms, used, reserved, assumed, passed, exceeded)"
        " select namespace, 'team', 0, '{}', '{}', '{}', '[]', '[]'",
        "insert into ff_ledger (partition_key, execution_id, namespace, budget, period_ms, day_ms, amounts)"
        f" {of_one}, 'team', 0, 0, '{{}}'",
        "insert into ff_spend_key (partition_key, execution_id, budget, idempotency_key, amounts, answer)"
        " select partition_key, execution_id, 'team', 'once', '{}', ''",
        "insert into ff_opening (namespace, gate_kind, name, gate_key, at_ms) select namespace, 0, 'api', 'k', 1",
        "insert into ff_at_gate (partition_key, execution_id, namespace, gate_kind, name, gate_key, gate_state,"
        f" lane_id, capability_set, rank, turn, ready_at_ms) {of_one}, 0, 'api', 'k', 1, lane_id, 1, 0, 0, 7",
    ):
        connection.execute(f"{statement} from ff_exec_core limit 1".encode())


def _speak(connection: Sql) -> None:
    """One row in each table of what executions say."""
    of_one = "select partition_key, execution_id"
    for statement in (
        "insert into ff_stream (partition_key, execution_id, lease_epoch, next_seq, attempt_index, kept_frames,"
        f" kept_bytes, is_too_long, first_epoch, first_seq) {of_one}, 1, 9, 0, 9, 99, 0, 0, 0",
        "insert into ff_stream_chunk (partition_key, execution_id, lease_epoch, first_seq, attempt_index, frame_count,"
        f" byte_count, at_ms, retried, data) {of_one}, 1, 0, 0, 9, 99, 1, '[[\"step\",2]]', 'frames'",
        f"insert into ff_summary (partition_key, execution_id, version, document) {of_one}, 1, '{{}}'",
    ):
        connection.execute(f"{statement} from ff_exec_core limit 1".encode())


COPIED_WITH: Final = {
    "execution_id": "md5(i::text)::uuid",
    "flow_id": "case when original.row ->> 'flow_id' is not null then md5(i::text)::uuid end",
    "edge_id": "i::text",
    "upstream": "md5(i::text)::uuid",
    "downstream": "md5((i + 1)::text)::uuid",
    "purge_at_ms": "case when original.row ->> 'purge_at_ms' is not null then i end",
    "overdue_at_ms": "i",
    "event_id": "i + 1000",
    "txid": "i::text",
    "idempotency_key": "i::text",
    "command_id": "i::text",
    "batch_id": r"'\x' || lpad(to_hex(i), 8, '0')",
    "created_at_ms": "i",
    "ready_at_ms": "i",
    "due_at_ms": "i",
    "number": "i",
    "alias": "i::text",
    "fair_key": "i::text",
    "period_ms": "i",
    "at_ms": "i",
    "idle_at_ms": "i",
    "token_id": "i::text",
    "ends_at_ms": "i",
}
"""What makes a copy of a row another row; a table has some of these columns."""
COPIED_IN: Final = {
    "ff_limit_override": {"key": "i::text"},
    "ff_limit_key": {"key": "i::text"},
    "ff_opening": {"gate_key": "i::text"},
}
"""The same for single tables."""
STAYS_SMALL: Final = {"ff_meta", "ff_schema_version", "ff_capability_set", "ff_key_ring", "ff_limit", "ff_lane_turn"}


def _multiply(connection: Sql) -> None:
    """Many copies of one row in every table that has one and grows."""
    tables = connection.execute("select relname from pg_class where relkind = 'r' and relname like 'ff\\_%'").fetchall()
    for table in sorted({name for (name,) in tables} - STAYS_SMALL):
        columns = COPIED_WITH | COPIED_IN.get(table, {})
        differing = ", ".join(f"'{column}', {value}" for column, value in columns.items())
        connection.execute(
            f"insert into {table} overriding system value select copy.*"
            f"  from (select to_jsonb(t) as row from {table} t limit 1) as original"
            f" cross join generate_series(1, {ROWS}) as i"
            f" cross join jsonb_populate_record(null::{table}, original.row || jsonb_build_object({differing})) as copy"
        )


# ── plans ────────────────────────────────────────────────────────────────────────────────────────

Plan = dict[str, Any]


def pinned_plan(database: Sql, name: str, pins: str = "pin_plans") -> Plan:
    """The plan that a batch gets: pinned, and made for any values."""
    parameters: list[str] = []

    def number(match: re.Match[str]) -> str:
        if match[1] not in parameters:
            parameters.append(match[1])
        return f"${parameters.index(match[1]) + 1}"

    statement = re.sub(r"%\((\w+)\)s", number, STATEMENTS[name])
    values = f"({', '.join(['null'] * len(parameters))})" if parameters else ""
    with database.transaction(force_rollback=True):
        database.execute(STATEMENTS[pins].encode(), FOR_TRANSACTION if pins == "pin_plans" else None)
        database.execute(f"prepare looked_at as {statement}".encode(), prepare=False)
        cursor = database.execute(f"explain (format json) execute looked_at {values}".encode(), prepare=False)
        plan = _plan_in(cursor)
        database.execute("deallocate looked_at")
    return plan


def fresh_plan(database: Sql, name: str, values: dict[str, object]) -> Plan:
    """The plan that a reader gets: made for these values, with the server's usual settings."""
    explain = f"explain (format json) {STATEMENTS[name]}".encode()
    return _plan_in(database.execute(explain, values, prepare=False))


def _plan_in(cursor: psycopg.Cursor[tuple[Any, ...]]) -> Plan:
    row = cursor.fetchone()
    assert row is not None
    plan: Plan = row[0][0]["Plan"]
    return plan


def nodes_of(plan: Plan) -> Iterator[Plan]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes_of(part)


def searches_in(plan: Plan) -> list[str]:
    """How a plan reads tables: for an index the columns it is given, which are none if it is walked through."""
    return sorted(
        f"{node['Index Name']} ({', '.join(_columns_given(node))})"
        if "Index Name" in node
        else f"{node['Node Type']} of {node['Relation Name']}"
        for node in nodes_of(plan)
        if "Relation Name" in node and node["Node Type"] != "ModifyTable"
    )


def _columns_given(scan: Plan) -> list[str]:
    """The left sides of an index condition, as in ((a = $1) AND (b IS NULL) AND (ROW(c, d) > ROW($2, $3))).

    A column of an index that is the sum of a column and 0 is shown as that column.
    """
    condition = re.sub(r"\((\w+) \+ 0\)", r"\1", scan.get("Index Cond", ""))
    return re.findall(r"\((\w+(?:\([\w, ]+\))?) (?:[<>=]+ |IS NULL)", condition)


def sorts_of_tables(plan: Plan) -> list[str]:
    """Sorts that read more than what the statement was given or has found already."""
    return [node["Node Type"] for node in nodes_of(plan) if "Sort" in node["Node Type"] and searches_in(node)]


@pytest.mark.xdist_group("postgres: plans")
@pytest.mark.parametrize("name", HOT)
def test_a_hot_statement_looks_up_its_rows(at_any_moment: Sql, name: str) -> None:
    plan = pinned_plan(at_any_moment, name)

    assert searches_in(plan) == sorted(HOT[name])
    assert name in SORTS_WHAT_IT_FINDS or sorts_of_tables(plan) == []


@pytest.mark.xdist_group("postgres: plans")
@pytest.mark.parametrize("name", READS)
def test_a_read_looks_up_its_rows(all_finished: Sql, name: str) -> None:
    values, searches = READS[name]

    plan = fresh_plan(all_finished, name, values)

    assert searches_in(plan) in (sorted(searches), AS_GOOD.get(name))
    assert name in SORTS_WHAT_IT_FINDS or sorts_of_tables(plan) == []


@pytest.mark.xdist_group("postgres: plans")
@pytest.mark.parametrize("name", READ_BY_KEY)
def test_a_plan_that_readers_keep_looks_up_executions(at_any_moment: Sql, name: str) -> None:
    searches = searches_in(pinned_plan(at_any_moment, name, pins="pin_plans_by_key"))

    assert searches
    by_id = ("(partition_key, execution_id", "ff_signal_kept (execution_id", "ff_stream_chunk_retried (execution_id")
    assert [search for search in searches if not any(index in search for index in by_id)] == []


@pytest.mark.xdist_group("postgres: plans")
@pytest.mark.parametrize("name", sorted(SEARCHES_NOTHING))
def test_what_only_writes_reads_no_table(empty: Sql, name: str) -> None:
    plan = pinned_plan(empty, name)

    assert searches_in(plan) == []


@pytest.mark.xdist_group("postgres: plans")
def test_what_has_ended_is_grouped_by_policy_before_policies_are_read(all_finished: Sql) -> None:
    plan = fresh_plan(all_finished, "count_kept", {"namespace": None})

    groups = [node["Group Key"] for node in nodes_of(plan) if "Group Key" in node]
    of_rows = groups[-1]
    assert len(groups) > 1
    assert [key.rpartition(".")[-1] for key in of_rows] == ["namespace", "policy"]


def test_no_statement_is_forgotten_here() -> None:
    listed = [*HOT, *READS, *SEARCHES_NOTHING, *COLD]

    assert sorted(listed) == sorted(STATEMENTS.names)
