-- compatible_from: 8
-- Replays that keep steps, and replays of whole flows. Steps are numbered in the order in which they were stored; those
-- of older releases have no number, and their times tell. A member of a flow keeps the name of its node. One that a replay
-- of its flow brings back, and that is not back yet, is marked with what becomes of its steps (0 keep, 1 clear).
-- Older programs cannot go on beside this: they would take such a member for one that has simply ended.
-- The views name the lane and the kind as everything else does; the earlier names stay.
alter table ff_step add column number integer;

create index ff_step_number on ff_step (partition_key, execution_id, number) where number is not null;

alter table ff_exec_core add column node text, add column coming_back smallint;

create or replace view ff_execution as
select partition_key, '{fp:' || partition_key || '}:' || execution_id as execution_id, namespace, lane_id,
       execution_kind,
       ('{runnable,active,suspended,terminal,cancelled}'::text[])[lifecycle_phase + 1] as lifecycle_phase,
       case when lifecycle_phase = 1 then 'leased' else 'unowned' end as ownership_state,
       ('{eligible_now,not_eligible_until_time,blocked_by_dependencies,blocked_by_budget,blocked_by_quota,'
        'blocked_by_route,blocked_by_lane_state,blocked_by_operator,not_applicable}'::text[])[eligibility_state + 1]
           as eligibility_state,
       ('{pending_first_attempt,running_attempt,attempt_interrupted,pending_retry_attempt,pending_replay_attempt,'
        'attempt_terminal,cancelled}'::text[])[attempt_state + 1] as attempt_state,
       ('{none,success,failed,cancelled,expired,skipped}'::text[])[terminal_outcome + 1] as terminal_outcome,
       ('{waiting,delayed,rate_limited,waiting_children,active,suspended,resumable,completed,failed,cancelled,'
        'expired,skipped}'::text[])[public_state + 1] as public_state,
       priority, attempt_index, lease_epoch, retry_count, interruption_count, replay_count,
       worker_id, worker_instance_id, lease_expires_at_ms,
       created_at_ms, started_at_ms, terminal_at_ms, delay_until_ms, deadline_at_ms,
       cancellation_reason, cancelled_by, failure_code, failure_message, progress_percent, progress_message, tags,
       flow_id::text as flow_id, node, lane_id as lane, execution_kind as kind
  from ff_exec_core cross join (values (true)) as read_only;

create or replace view ff_flow as
select partition_key, flow_id::text as flow_id, namespace, flow_kind,
       ('{open,running,completed,failed,cancelled}'::text[])[state + 1] as state,
       graph_revision, node_count, edge_count, live_count, lost_sinks, retention_ms,
       created_at_ms, started_at_ms, terminal_at_ms, at_rest_since_ms, cancel_reason,
       ('{cancel_all,cancel_pending,flow_only}'::text[])[cancellation_policy + 1] as cancellation_policy,
       tags, flow_kind as kind
  from ff_flow_core cross join (values (true)) as read_only;
