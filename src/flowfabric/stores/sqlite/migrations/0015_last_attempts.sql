-- compatible_from: 15
-- A plain completion leaves its attempt in the record of the execution: who ran it, and since when. A row of ff_attempt is
-- written only when the record changes again. Older programs cannot go on beside this: they would take the worker for one
-- that has a lease, and forget the attempt.

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
                    || '"pending_replay_attempt","attempt_terminal","cancelled","attempt_suspended"]',
                    '$[' || attempt_state || ']') as attempt_state,
       json_extract('["none","success","failed","cancelled","expired","skipped"]',
                    '$[' || terminal_outcome || ']') as terminal_outcome,
       json_extract('["waiting","delayed","rate_limited","waiting_children","active","suspended","resumable",'
                    || '"completed","failed","cancelled","expired","skipped"]',
                    '$[' || public_state || ']') as public_state,
       priority, attempt_index, lease_epoch, retry_count, interruption_count, replay_count,
       iif(lifecycle_phase = 1, worker_id, null) as worker_id,
       iif(lifecycle_phase = 1, worker_instance_id, null) as worker_instance_id, lease_expires_at_ms,
       created_at_ms, started_at_ms, terminal_at_ms, delay_until_ms, deadline_at_ms,
       cancellation_reason, cancelled_by, failure_code, failure_message, progress_percent, progress_message, tags,
       iif(flow_id is null, null, lower(
           substr(hex(flow_id), 1, 8) || '-' || substr(hex(flow_id), 9, 4) || '-'
           || substr(hex(flow_id), 13, 4) || '-' || substr(hex(flow_id), 17, 4) || '-'
           || substr(hex(flow_id), 21)
       )) as flow_id,
       node, lane_id as lane, execution_kind as kind, iif(lifecycle_phase = 2, waiting_since_ms, null) as waiting_since_ms,
       iif(parent_id is null, null, '{fp:' || partition_key || '}:' || lower(
           substr(hex(parent_id), 1, 8) || '-' || substr(hex(parent_id), 9, 4) || '-'
           || substr(hex(parent_id), 13, 4) || '-' || substr(hex(parent_id), 17, 4) || '-'
           || substr(hex(parent_id), 21)
       )) as parent_id,
       created_by
  from ff_exec_core;
