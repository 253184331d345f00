-- compatible_from: 15
-- A plain completion leaves its attempt in the record of the execution: who ran it, and since when. A row of ff_attempt is
-- written only when the record changes again. Older programs cannot go on beside this: they would take the worker for one
-- that has a lease, and forget the attempt.

create or replace view ff_execution as
select partition_key, '{fp:' || partition_key || '}:' || execution_id as execution_id, namespace, lane_id,
       execution_kind,
       ('{runnable,active,suspended,terminal,cancelled}'::text[])[lifecycle_phase + 1] as lifecycle_phase,
       case when lifecycle_phase = 1 then 'leased' else 'unowned' end as ownership_state,
       ('{eligible_now,not_eligible_until_time,blocked_by_dependencies,blocked_by_budget,blocked_by_quota,'
        'blocked_by_route,blocked_by_lane_state,blocked_by_operator,not_applicable}'::text[])[eligibility_state + 1]
           as eligibility_state,
       ('{pending_first_attempt,running_attempt,attempt_interrupted,pending_retry_attempt,pending_replay_attempt,'
        'attempt_terminal,cancelled,attempt_suspended}'::text[])[attempt_state + 1] as attempt_state,
       ('{none,success,failed,cancelled,expired,skipped}'::text[])[terminal_outcome + 1] as terminal_outcome,
       ('{waiting,delayed,rate_limited,waiting_children,active,suspended,resumable,completed,failed,cancelled,'
        'expired,skipped}'::text[])[public_state + 1] as public_state,
       priority, attempt_index, lease_epoch, retry_count, interruption_count, replay_count,
       case when lifecycle_phase = 1 then worker_id end as worker_id,
       case when lifecycle_phase = 1 then worker_instance_id end as worker_instance_id, lease_expires_at_ms,
       created_at_ms, started_at_ms, terminal_at_ms, delay_until_ms, deadline_at_ms,
       cancellation_reason, cancelled_by, failure_code, failure_message, progress_percent, progress_message, tags,
       flow_id::text as flow_id, node, lane_id as lane, execution_kind as kind, waiting_since_ms,
       '{fp:' || partition_key || '}:' || parent_id as parent_id, created_by
  from ff_exec_core cross join (values (true)) as read_only;
