"""Through which index each statement finds its rows."""

_GATE = r"namespace=\? AND gate_kind=\? AND name=\? AND gate_key=\?"
_KEYS = r"namespace=\? AND gate_kind=\? AND name=\? AND gate_key>\?"
_ONE = r"partition_key=\? AND execution_id=\? AND gate_kind=\? AND name=\? AND gate_key=\?"
_EPOCH = r"partition_key=\? AND execution_id=\? AND lease_epoch=\?"

SEARCHES: dict[str, list[str]] = {
    "load_ready_capability_sets": [
        r"l USING PRIMARY KEY \(namespace=\? AND lane_id=\?\) LEFT-JOIN",
        r"ff_exec_core USING (COVERING )?INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\?\)",
        r"c USING (COVERING )?INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\? AND capability_set>\?\)",
    ],
    "load_ready": [
        r"ff_exec_core USING INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\? AND capability_set=\?\)",
        r"p USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)",
    ],
    "find_plain_head": [
        r"ff_exec_core USING INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\? AND capability_set=\?\)",
        r"l USING PRIMARY KEY \(namespace=\? AND lane_id=\?\)",
        r"f USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\) LEFT-JOIN",
        r"p USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)",
        r"e USING INDEX ff_edge_passing \(partition_key=\? AND downstream=\?\)",
        r"r USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND generation=\?\) LEFT-JOIN",
        r"o USING (COVERING )?INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\? AND capability_set>\?\)",
    ],
    "find_plain_leases": [r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"],
    "find_plain_ends": [
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
        r"f USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\) LEFT-JOIN",
        r"e USING INDEX ff_edge_upstream \(partition_key=\? AND upstream=\?\) LEFT-JOIN",
        r"g USING PRIMARY KEY \(partition_key=\? AND downstream=\?\) LEFT-JOIN",
        r"d USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\) LEFT-JOIN",
    ],
    "resolve_plain_edges": [r"e USING (COVERING )?INDEX ff_edge_downstream \(partition_key=\? AND downstream=\?\)"],
    "satisfy_plain_groups": [r"g USING PRIMARY KEY \(partition_key=\? AND downstream=\?\)"],
    "unblock_plain": [r"c USING INTEGER PRIMARY KEY \(rowid=\?\)"],
    "start_flows": [r"f USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "count_ends_of_members": [r"f USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "complete_flows": [r"f USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "insert_events_of_flows": [r"f USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "fast_claim": [r"c USING INTEGER PRIMARY KEY \(rowid=\?\)"],
    "fast_complete": [r"c USING INTEGER PRIMARY KEY \(rowid=\?\)"],
    "insert_events_of_claim": [r"c USING INTEGER PRIMARY KEY \(rowid=\?\)"],
    "insert_events_of_completion": [r"c USING INTEGER PRIMARY KEY \(rowid=\?\)"],
    "find_limited_head": [
        r"ff_exec_core USING INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\? AND capability_set=\?\)",
        r"ff_exec_core USING INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\? AND capability_set=\?\)",
        r"c USING INTEGER PRIMARY KEY \(rowid=\?\)",
        r"p USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)",
        r"o USING (COVERING )?INDEX ff_exec_core_ready "
        r"\(namespace=\? AND lane_id=\? AND capability_set>\? AND capability_set<\?\)",
        r"o USING (COVERING )?INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\? AND capability_set>\?\)",
        r"l USING PRIMARY KEY \(namespace=\? AND lane_id=\?\)",
    ],
    "find_limited_parked": [
        rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE}\)",
        rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id=\?\)",
        rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id=\?\)",
        rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE}\)",
        rf"ff_at_gate USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id=\? AND capability_set=\?\)",
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
    ],
    **{
        name: [r"c USING INTEGER PRIMARY KEY \(rowid=\?\)"]
        for name in ("lease_let_in", "park_limited", "admit_limited")
    },
    "set_gate_states": [r"ff_at_gate USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_executions": [r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"],
    "update_executions": [
        r"c USING (COVERING )?INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"
    ],
    "update_hot_columns": [
        r"c USING (COVERING )?INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"
    ],
    "update_waiting_columns": [
        r"c USING (COVERING )?INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"
    ],
    "find_due": [
        r"ff_exec_core USING COVERING INDEX ff_exec_core_due"
        r" \(due_kind=\? AND \(due_at_ms,partition_key,execution_id\)>\(\?,\?,\?\) AND due_at_ms<\?\)"
    ],
    "list_executions": [
        r"ff_exec_core USING INDEX ff_exec_core_newest \(\(created_at_ms,execution_id,partition_key\)<\(\?,\?,\?\)\)"
    ],
    "list_failed_executions": [
        r"ff_exec_core USING INDEX ff_exec_core_failed \(\(created_at_ms,execution_id,partition_key\)<\(\?,\?,\?\)\)"
    ],
    "find_next_retention": [r"ff_exec_core USING INDEX ff_exec_core_due \(due_kind=\? AND due_at_ms>\?\)"],
    "find_next_retention_of_flows": [r"ff_flow_core USING INDEX ff_flow_core_purge \(purge_at_ms>\?\)"],
    "find_oldest_ready": [
        rf"x USING (COVERING )?INDEX ff_exec_core_ready{columns}"
        for columns in (
            "",
            r" \(namespace>\?\)",
            r" \(namespace=\?\)",
            r" \(namespace=\? AND lane_id>\?\)",
            r" \(namespace=\? AND lane_id=\?\)",
            r" \(namespace=\? AND lane_id=\? AND capability_set>\?\)",
            r" \(namespace=\? AND lane_id=\? AND capability_set=\?\)",
            r" \(namespace=\? AND lane_id=\? AND capability_set=\? AND priority<\?\)",
            *2 * (r" \(namespace=\? AND lane_id=\? AND capability_set=\? AND priority=\? AND turn=\?\)",),
            *2 * (r" \(namespace=\? AND lane_id=\? AND capability_set=\? AND priority=\? AND turn>\?\)",),
        )
    ],
    "find_ended_executions": [
        r"ff_exec_core USING INDEX ff_exec_core_newest \(\(created_at_ms,execution_id,partition_key\)<\(\?,\?,\?\)\)"
    ],
    "list_tagged_executions": [
        r"t USING COVERING INDEX ff_tag_search"
        r" \(key=\? AND value=\? AND \(created_at_ms,execution_id,partition_key\)<\(\?,\?,\?\)\)",
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
    ],
    "list_members": [
        r"ff_exec_core USING INDEX ff_exec_core_flow"
        r" \(flow_id=\? AND \(created_at_ms,execution_id,partition_key\)<\(\?,\?,\?\)\)"
    ],
    "count_executions": [r"ff_exec_core USING INDEX ff_exec_core_newest \(created_at_ms<\?\)"],
    "count_tagged_executions": [
        r"t USING COVERING INDEX ff_tag_search \(key=\? AND value=\? AND created_at_ms<\?\)",
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
    ],
    "count_members": [r"ff_exec_core USING INDEX ff_exec_core_flow \(flow_id=\? AND created_at_ms<\?\)"],
    "delete_executions": [r"ff_exec_core USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND .*\)"],
    "read_events": [r"ff_event USING INTEGER PRIMARY KEY \(rowid>\?\)"],
    "read_newest_events": [r"ff_event USING INTEGER PRIMARY KEY \(rowid>\?\)"],
    "read_events_of_execution": [
        r"ff_event USING INDEX ff_event_of_execution \(partition_key=\? AND execution_id=\?\)"
    ],
    "last_event_id_of_execution": [r"ff_event USING COVERING INDEX ff_event_of_execution \(partition_key=\? AND .*\)"],
    "delete_events": [r"ff_event USING INDEX ff_event_of_execution \(partition_key=\? AND execution_id=\?\)"],
    "load_payload": [r"ff_payload USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_payloads": [r"p USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_payloads": [r"ff_payload USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_result": [
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
        r"r USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND generation=\?\)",
    ],
    "load_result_of_life": [r"ff_result USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND generation=\?\)"],
    "delete_result_of_life": [
        r"ff_result USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND generation=\?\)"
    ],
    "delete_results": [r"ff_result USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_tags": [r"ff_tag USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_attempts": [
        r"a USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)",
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
        r"ff_exec_core USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
    ],
    "keep_last_attempt": [
        r"ff_exec_core USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"
    ],
    "delete_attempts": [r"ff_attempt USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_failures": [r"ff_failure USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_last_failure": [r"ff_failure USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_failures": [r"ff_failure USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_capability_set": [r"ff_capability_set USING INTEGER PRIMARY KEY \(rowid=\?\)"],
    "load_capability_set_id": [r"ff_capability_set USING COVERING INDEX sqlite_autoindex_.* \(tokens=\?\)"],
    "become_writer": [r"ff_meta USING (COVERING )?PRIMARY KEY \(name=\?\)"],
    "load_idempotency_key": [r"ff_idempotency USING PRIMARY KEY \(partition_key=\? AND namespace=\? AND .*\)"],
    "delete_idempotency_keys": [r"ff_idempotency USING PRIMARY KEY \(partition_key=\? AND namespace=\? AND .*\)"],
    "delete_idempotency_keys_of_executions": [
        r"ff_idempotency USING PRIMARY KEY \(partition_key=\? AND namespace=\? AND idempotency_key=\?\)"
    ],
    "find_expired_idempotency_keys": [
        r"ff_idempotency USING COVERING INDEX ff_idempotency_expiry \(expires_at_ms<\?\)"
    ],
    "load_answer": [r"ff_command USING PRIMARY KEY \(scope=\? AND command_id=\?\)"],
    "delete_answers": [r"ff_command USING PRIMARY KEY \(scope=\? AND command_id=\?\)"],
    "find_expired_answers": [r"ff_command USING COVERING INDEX ff_command_expiry \(expires_at_ms<\?\)"],
    "find_batch": [r"ff_batch USING PRIMARY KEY \(batch_id=\?\)"],
    "load_step": [r"ff_step USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND name=\?\)"],
    "load_steps": [r"ff_step USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_last_step_number": [
        r"ff_step USING COVERING INDEX ff_step_number \(partition_key=\? AND execution_id=\? AND number>\?\)"
    ],
    "load_step_places": [r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_steps": [r"ff_step USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_named_steps": [r"ff_step USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND name=\?\)"],
    "load_worker": [r"ff_worker USING PRIMARY KEY \(namespace=\? AND worker_instance_id=\?\)"],
    "delete_workers": [r"ff_worker USING PRIMARY KEY \(namespace=\? AND worker_instance_id=\?\)"],
    "load_lane": [r"ff_lane USING PRIMARY KEY \(namespace=\? AND lane_id=\?\)"],
    "list_lane_switches": [],
    "list_workers": [],
    "find_silent_workers": [],
    "load_schedule": [r"ff_schedule USING PRIMARY KEY \(namespace=\? AND name=\?\)"],
    "delete_schedules": [r"ff_schedule USING PRIMARY KEY \(namespace=\? AND name=\?\)"],
    "list_schedules": [],
    "poll": [
        r"ff_exec_core USING COVERING INDEX ff_exec_core_due \(due_kind=\? AND due_at_ms>\? AND due_at_ms<\?\)",
        r"ff_cancel_backlog_member USING COVERING INDEX ff_cancel_backlog_member_overdue \(overdue_at_ms<\?\)",
        r"ff_exec_core USING INDEX ff_exec_core_ready \(namespace=\? AND lane_id=\?\)",
        r"p USING PRIMARY KEY \(namespace=\? AND lane_id=\?\)",
        r"k VIRTUAL TABLE INDEX 1:",
        r"ff_exec_core USING COVERING INDEX ff_exec_core_due \(due_kind=\? AND due_at_ms>\?\)",
        r"ff_opening USING COVERING INDEX ff_opening_due \(at_ms>\?\)",
        r"ff_opening USING COVERING INDEX ff_opening_due \(at_ms<\?\)",
    ],
    "delete_old_batches": [r"ff_batch USING COVERING INDEX ff_batch_age \(committed_at_ms<\?\)"],
    "load_flows": [r"f USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "load_open_flows": [r"f USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "list_flows": [
        r"ff_flow_core USING INDEX ff_flow_core_newest \(\(created_at_ms,flow_id,partition_key\)<\(\?,\?,\?\)\)"
    ],
    "find_ended_flows": [
        r"ff_flow_core USING INDEX ff_flow_core_newest \(\(created_at_ms,flow_id,partition_key\)<\(\?,\?,\?\)\)"
    ],
    "load_members": [r"c USING INDEX ff_exec_core_flow \(flow_id=\?\)"],
    "find_flows_to_purge": [
        r"ff_flow_core USING COVERING INDEX ff_flow_core_purge \(purge_at_ms>\? AND purge_at_ms<\?\)"
    ],
    "delete_flows": [r"ff_flow_core USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "load_edges": [r"e USING PRIMARY KEY \(partition_key=\? AND flow_id=\? AND edge_id=\?\)"],
    "load_edges_from": [r"e USING INDEX ff_edge_upstream \(partition_key=\? AND upstream=\?\)"],
    "load_edges_beyond": [r"e USING INDEX ff_edge_upstream \(partition_key=\? AND upstream=\?\)"] * 2,
    "load_edges_to": [r"e USING INDEX ff_edge_downstream \(partition_key=\? AND downstream=\?\)"],
    "load_edges_of_flows": [r"e USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "load_inputs": [
        r"e USING INDEX ff_edge_passing \(partition_key=\? AND downstream=\?\)",
        r"r USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND generation=\?\) LEFT-JOIN",
    ],
    "delete_edges_of_flows": [r"ff_edge USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "load_groups": [r"g USING PRIMARY KEY \(partition_key=\? AND downstream=\?\)"],
    "load_groups_of_flows": [r"g USING INDEX ff_edge_group_flow \(partition_key=\? AND flow_id=\?\)"],
    "view_groups": [
        r"g USING INDEX ff_edge_group_flow \(partition_key=\? AND flow_id=\?\)",
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
        r"e USING INDEX ff_edge_downstream \(partition_key=\? AND downstream=\?\)",
        r"u USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
    ],
    "delete_groups_of_flows": [
        r"ff_edge_group USING (COVERING )?INDEX ff_edge_group_flow \(partition_key=\? AND flow_id=\?\)"
    ],
    "find_ended_among": [
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\) LEFT-JOIN"
    ],
    "find_leases_over_among": [
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\) LEFT-JOIN"
    ],
    "find_acknowledged_among": [r"m USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "find_blocked": [
        r"ff_exec_core USING (COVERING )?INDEX ff_exec_core_blocked \(\(partition_key,execution_id\)>\(\?,\?\)\)"
    ],
    "load_backlogs": [r"b USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "delete_backlogs": [r"ff_cancel_backlog USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "load_acks": [r"m USING PRIMARY KEY \(partition_key=\? AND flow_id=\? AND execution_id=\?\)"],
    "load_acks_of_flows": [r"m USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "find_overdue_acks": [
        r"ff_cancel_backlog_member USING COVERING INDEX ff_cancel_backlog_member_overdue \(overdue_at_ms<\?\)"
    ],
    "delete_acks": [
        r"ff_cancel_backlog_member USING PRIMARY KEY \(partition_key=\? AND flow_id=\? AND execution_id=\?\)"
    ],
    "delete_acks_of_flows": [r"ff_cancel_backlog_member USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "load_cancelled_members": [r"ff_flow_cancel USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "delete_cancelled_members": [r"ff_flow_cancel USING PRIMARY KEY \(partition_key=\? AND flow_id=\?\)"],
    "last_event_id_of_flow": [r"ff_event USING (COVERING )?INDEX ff_event_of_flow \(partition_key=\? AND flow_id=\?\)"],
    "find_old_events": [r"ff_event USING INDEX ff_event_of_flow \(partition_key=\? AND flow_id=\?\)"],
    "last_of_old_events": [r"ff_event USING INDEX ff_event_of_flow \(partition_key=\? AND flow_id=\?\)"],
    "delete_old_events": [r"ff_event USING INDEX ff_event_of_flow \(partition_key=\? AND flow_id=\?\)"],
    "delete_events_of_flows": [
        r"ff_event USING (COVERING )?INDEX ff_event_of_flow \(partition_key=\? AND flow_id=\?\)"
    ],
    "count_overdue_acks": [
        r"ff_cancel_backlog_member USING COVERING INDEX ff_cancel_backlog_member_overdue \(overdue_at_ms<\?\)"
    ],
    "newest_record": [
        r"ff_event USING INTEGER PRIMARY KEY \(rowid=\?\)",
        r"ff_event",
        r"ff_exec_core USING COVERING INDEX ff_exec_core_newest",
    ],
    "load_meta": [r"ff_meta USING PRIMARY KEY \(name=\?\)"],
    "load_waitpoints": [r"w USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND key=\?\)"],
    "load_waitpoints_of_executions": [
        r"w USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)",
        r"s USING (COVERING )?INDEX ff_signal_kept \(partition_key=\? AND execution_id=\? AND key=\?\)",
    ],
    "load_signals": [r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND number=\?\)"],
    "load_signal_payload": [r"ff_signal USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND number=\?\)"],
    "load_signals_of_executions": [r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_kept_signals": [
        r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND number=\?\)",
        r"k USING (COVERING )?INDEX ff_signal_kept \(partition_key=\? AND execution_id=\? AND key=\?\)",
    ],
    "load_waitpoint_of_id": [r"w USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "list_signal_numbers": [
        r"ff_signal USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND number>\?\)",
    ],
    "load_signal_keys": [
        r"k USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND key=\? AND idempotency_key=\?\)"
    ],
    "load_alias_keys": [r"k USING INDEX ff_signal_key_alias \(namespace=\? AND alias=\? AND idempotency_key=\?\)"],
    "load_aliases": [
        r"a USING PRIMARY KEY \(namespace=\? AND alias=\?\)",
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
    ],
    "load_key_ring": [r"ff_key_ring USING PRIMARY KEY \(name=\?\)"],
    "list_children": [
        r"c USING INDEX ff_exec_core_child"
        r" \(parent_id=\? AND partition_key=\? AND \(created_at_ms,execution_id\)>\(\?,\?\)\)"
    ],
    "list_live_children": [r"c USING INDEX ff_exec_core_child \(parent_id=\? AND partition_key=\?\)"],
    "list_suspended": [
        r"c USING INDEX ff_exec_core_suspended \(\(waiting_since_ms,execution_id,partition_key\)>\(\?,\?,\?\)\)",
        r"w USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND key=\?\)",
    ],
    "find_waits_over_among": [
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\) LEFT-JOIN"
    ],
    "take_signals": [r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND number=\?\)"],
    "delete_named_waitpoints": [r"ff_waitpoint USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND key=\?\)"],
    "delete_waitpoints": [r"ff_waitpoint USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_named_signals": [r"ff_signal USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND number=\?\)"],
    "delete_signals": [r"ff_signal USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_signal_keys_of_waitpoints": [
        r"ff_signal_key USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND key=\?\)"
    ],
    "delete_signal_keys": [r"ff_signal_key USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_named_aliases": [r"ff_alias USING PRIMARY KEY \(namespace=\? AND alias=\?\)"],
    "delete_aliases": [
        r"ff_alias USING (COVERING )?INDEX ff_alias_of_execution \(partition_key=\? AND execution_id=\?\)"
    ],
    "update_gates": [
        r"c USING (COVERING )?INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"
    ],
    "update_moved": [
        r"c USING (COVERING )?INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"
    ],
    "update_hot_columns_and_gates": [
        r"c USING (COVERING )?INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)"
    ],
    "load_limits": [r"l USING PRIMARY KEY \(namespace=\? AND name=\?\)"],
    "load_limit_overrides": [r"l USING PRIMARY KEY \(namespace=\? AND name=\? AND key=\?\)"],
    "load_key_uses": [r"u USING PRIMARY KEY \(namespace=\? AND name=\? AND key=\?\)"],
    "load_lane_turns": [r"t USING PRIMARY KEY \(namespace=\? AND lane_id=\? AND priority=\?\)"],
    "load_key_turns": [r"t USING PRIMARY KEY \(namespace=\? AND lane_id=\? AND priority=\? AND fair_key=\?\)"],
    "load_budgets": [r"b USING PRIMARY KEY \(namespace=\? AND name=\?\)"],
    "load_budget_uses": [r"u USING PRIMARY KEY \(namespace=\? AND name=\? AND period_ms=\?\)"],
    "load_ledger": [
        r"l USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND budget=\? AND period_ms=\? AND day_ms=\?\)"
    ],
    "load_spend_keys": [
        r"k USING PRIMARY KEY \(partition_key=\? AND execution_id=\? AND budget=\? AND idempotency_key=\?\)"
    ],
    "load_rooms": [
        rf"ff_at_gate USING (COVERING )?INDEX ff_at_gate_parked \({_GATE}\)",
        rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id>\?\)",
        rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id=\?\)",
        rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id=\? AND capability_set>\?\)",
    ],
    "load_parked": [
        rf"ff_at_gate USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id=\? AND capability_set=\?\)"
    ],
    "find_crowded_gates": [rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE}\)"],
    "find_crowded": [rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id=\? AND capability_set=\?\)"],
    "find_oldest_at_gate": [rf"ff_at_gate USING COVERING INDEX ff_at_gate_oldest \({_GATE} AND gate_state=\?\)"],
    "find_running_at_gate": [
        rf"g USING COVERING INDEX ff_at_gate_oldest \({_GATE} AND gate_state=\?\)",
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
    ],
    "find_crowded_keys": [
        rf"ff_at_gate USING (COVERING )?INDEX ff_at_gate_parked \({_KEYS}\)",
        rf"g USING (COVERING )?INDEX ff_at_gate_parked \({_KEYS}\)",
    ],
    "delete_limits": [r"ff_limit USING PRIMARY KEY \(namespace=\? AND name=\?\)"],
    "delete_limit_overrides": [r"ff_limit_override USING PRIMARY KEY \(namespace=\? AND name=\? AND key=\?\)"],
    "delete_key_uses": [r"ff_limit_key USING PRIMARY KEY \(namespace=\? AND name=\? AND key=\?\)"],
    "delete_key_turns": [
        r"ff_key_turn USING PRIMARY KEY \(namespace=\? AND lane_id=\? AND priority=\? AND fair_key=\?\)"
    ],
    "delete_openings": [rf"ff_opening USING PRIMARY KEY \({_GATE}\)"],
    "delete_at_gate": [rf"ff_at_gate USING PRIMARY KEY \({_ONE}\)"],
    "delete_gates": [r"ff_at_gate USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "keep_daily_sums": [r"l USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_ledger": [r"ff_ledger USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_spend_keys": [r"ff_spend_key USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "list_limits": [r"l USING PRIMARY KEY \(\(namespace,name\)>\(\?,\?\)\)"],
    "list_override_keys": [r"ff_limit_override USING PRIMARY KEY \(namespace=\? AND name=\? AND key>\?\)"],
    "list_used_keys": [r"ff_limit_key USING PRIMARY KEY \(namespace=\? AND name=\? AND key>\?\)"],
    "count_parked": [rf"ff_at_gate USING (COVERING )?INDEX ff_at_gate_parked \({_GATE}\)"],
    "find_place_at_gate": [rf"ff_at_gate USING PRIMARY KEY \({_ONE}\)"],
    "count_parked_before": [
        rf"ff_at_gate USING (COVERING )?INDEX ff_at_gate_parked \({_GATE} AND lane_id=\? AND capability_set=\?"
        r" AND \(rank,turn,ready_at_ms,execution_id,partition_key\)<\(\?,\?,\?,\?,\?\)\)"
    ],
    "find_budgets_under": [r"b USING COVERING INDEX ff_budget_under \(namespace=\? AND parent=\?\)"],
    "delete_budget_uses": [r"ff_budget_use USING PRIMARY KEY \(namespace=\? AND name=\? AND period_ms=\?\)"],
    "find_old_uses": [
        r"ff_budget_use USING COVERING INDEX ff_budget_use_age "
        r"\(\(period_ms,namespace,name\)>\(\?,\?,\?\) AND period_ms<\?\)"
    ],
    "list_budgets": [r"b USING PRIMARY KEY \(\(namespace,name\)>\(\?,\?\)\)"],
    "find_openings": [r"ff_opening USING COVERING INDEX ff_opening_due \(at_ms<\?\)"],
    "find_idle_keys": [r"ff_limit_key USING COVERING INDEX ff_limit_key_idle \(idle_at_ms>\? AND idle_at_ms<\?\)"],
    "find_turns_of_keys": [
        r"k USING PRIMARY KEY \(\(namespace,lane_id,priority,fair_key\)>\(\?,\?,\?,\?\)\)",
        r"l USING PRIMARY KEY \(namespace=\? AND lane_id=\? AND priority=\?\)( LEFT-JOIN)?",
    ],
    "find_gated": [
        r"ff_exec_core USING (COVERING )?INDEX ff_exec_core_gated \(\(partition_key,execution_id\)>\(\?,\?\)\)"
    ],
    "find_at_gates": [r"ff_at_gate USING PRIMARY KEY \(\(partition_key,execution_id\)>\(\?,\?\)\)"],
    "load_gate_rows": [r"g USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_streams": [r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "load_chunk": [rf"ff_stream_chunk USING PRIMARY KEY \({_EPOCH} AND first_seq=\?\)"],
    "load_oldest_chunks": [r"ff_stream_chunk USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "read_chunks": [
        r"c USING PRIMARY KEY"
        r" \(partition_key=\? AND execution_id=\? AND \(lease_epoch,first_seq\)>\(\?,\?\)\)",
        rf"b USING PRIMARY KEY \({_EPOCH} AND first_seq<\?\)",
    ],
    "read_retried": [
        rf"ff_stream_chunk USING COVERING INDEX ff_stream_chunk_retried \({_EPOCH}( AND retried>\?)?\)",
        rf"c USING COVERING INDEX ff_stream_chunk_retried \({_EPOCH} AND retried>\?\)",
        rf"c USING COVERING INDEX ff_stream_chunk_retried \({_EPOCH} AND retried=\?\)",
    ],
    "read_step_marks": [
        r"ff_step USING COVERING INDEX ff_step_number \(partition_key=\? AND execution_id=\? AND number>\?\)"
    ],
    "read_stream_ends": [
        r"c USING INDEX sqlite_autoindex_ff_exec_core_1 \(partition_key=\? AND execution_id=\?\)",
        r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\) LEFT-JOIN",
    ],
    "find_speakers": [
        r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)",
        r"s USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)",
    ],
    "load_summary": [r"ff_summary USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_named_chunks": [rf"ff_stream_chunk USING PRIMARY KEY \({_EPOCH} AND first_seq=\?\)"],
    "delete_chunks": [r"ff_stream_chunk USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_streams": [r"ff_stream USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "delete_summaries": [r"ff_summary USING PRIMARY KEY \(partition_key=\? AND execution_id=\?\)"],
    "find_long_streams": [],
    "load_access_token": [r"ff_access_token USING PRIMARY KEY \(token_id=\?\)"],
    "list_access_tokens": [
        r"ff_access_token USING INDEX ff_access_token_created \(\(created_at_ms,token_id\)<\(\?,\?\)\)"
    ],
    "find_surplus_sessions": [r"ff_access_token USING INDEX ff_access_token_created \(created_at_ms>\?\)"],
    "find_dead_access_tokens": [r"ff_access_token USING COVERING INDEX ff_access_token_ends \(ends_at_ms<\?\)"],
    "delete_access_tokens": [r"ff_access_token USING PRIMARY KEY \(token_id=\?\)"],
}
"""The searches of each statement. A statement that is missing here must not read any table at all."""
