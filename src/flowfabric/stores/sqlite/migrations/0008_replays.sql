-- compatible_from: 8
-- Replays that keep steps, and replays of whole flows. Steps are numbered in the order in which they were stored; those
-- of older releases have no number, and their times tell. A member of a flow keeps the name of its node. One that a replay
-- of its flow brings back, and that is not back yet, is marked with what becomes of its steps (0 keep, 1 clear).
-- Older programs cannot go on beside this: they would take such a member for one that has simply ended.
-- The views name the lane and the kind as everything else does; the earlier names stay.
alter table ff_step add column number integer;

create index ff_step_number on ff_step (partition_key, execution_id, number) where number is not null;

alter table ff_exec_core add column node text;

alter table ff_exec_core add column coming_back integer check (coming_back between 0 and 1);

drop view ff_execution;

create view ff_execution as
select partition_key,
       '{fp:' || partition_key || '}:' || lower(
           substr(hex(execution_id), 1, 8) || '-' || substr(hex(execution_id), 9, 4) || '-'
           || substr(hex(execution_id), 13, 4) || '-' || substr(hex(execution_id), 17, 4) || '-'
           || substr(hex(execution_id), 21)
       ) as execution_id,
       namespace, lane_id, execution_kind,
       json_extract('["runnable","active","suspended","terminal","cancelled"]',
                    '$[' || lifecycle_phase || ']') as lifecycle_phase,
       iif(lifecycle_phase = 1, 'leased', 'unowned') as ownership_state,
       json_extract('["eligible_now","not_eligible_until_time","blocked_by_dependencies","blocked_by_budget",'
                    || '"blocked_by_quota","blocked_by_route","blocked_by_lane_state","blocked_by_operator",'
                    || '"not_applicable"]',
                    '$[' || eligibility_state || ']') as eligibility_state,
       json_extract('["pending_first_attempt","running_attempt","attempt_interrupted","pending_retry_attempt",'
                    || '"pending_replay_attempt","attempt_terminal","cancelled"]',
                    '$[' || attempt_state || ']') as attempt_state,
       json_extract('["none","success","failed","cancelled","expired","skipped"]',
                    '$[' || terminal_outcome || ']') as terminal_outcome,
       json_extract('["waiting","delayed","rate_limited","waiting_children","active","suspended","resumable",'
                    || '"completed","failed","cancelled","expired","skipped"]',
                    '$[' || public_state || ']') as public_state,
       priority, attempt_index, lease_epoch, retry_count, interruption_count, replay_count,
       worker_id, worker_instance_id, lease_expires_at_ms,
       created_at_ms, started_at_ms, terminal_at_ms, delay_until_ms, deadline_at_ms,
       cancellation_reason, cancelled_by, failure_code, failure_message, progress_percent, progress_message, tags,
       iif(flow_id is null, null, lower(
           substr(hex(flow_id), 1, 8) || '-' || substr(hex(flow_id), 9, 4) || '-'
           || substr(hex(flow_id), 13, 4) || '-' || substr(hex(flow_id), 17, 4) || '-'
           || substr(hex(flow_id), 21)
       )) as flow_id,
       node, lane_id as lane, execution_kind as kind
  from ff_exec_core;

drop view ff_flow;

create view ff_flow as
select partition_key,
       lower(
           substr(hex(flow_id), 1, 8) || '-' || substr(hex(flow_id), 9, 4) || '-'
           || substr(hex(flow_id), 13, 4) || '-' || substr(hex(flow_id), 17, 4) || '-'
           || substr(hex(flow_id), 21)
       ) as flow_id,
       namespace, flow_kind,
       json_extract('["open","running","completed","failed","cancelled"]', '$[' || state || ']') as state,
       graph_revision, node_count, edge_count, live_count, lost_sinks, retention_ms,
       created_at_ms, started_at_ms, terminal_at_ms, at_rest_since_ms, cancel_reason,
       json_extract('["cancel_all","cancel_pending","flow_only"]',
                    '$[' || cancellation_policy || ']') as cancellation_policy,
       tags, flow_kind as kind
  from ff_flow_core;
