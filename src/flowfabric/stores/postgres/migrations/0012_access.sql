-- compatible_from: 11
-- Who may use a server, and who has made an execution. Older programs can go on beside this: they make executions that
-- nobody is known to have made, and leave tokens alone.

-- The person on whose behalf an execution or a flow was made, and a schedule declared. Null: not known.
alter table ff_exec_core add column created_by text;

alter table ff_flow_core add column created_by text;

alter table ff_schedule add column created_by text;

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
       worker_id, worker_instance_id, lease_expires_at_ms,
       created_at_ms, started_at_ms, terminal_at_ms, delay_until_ms, deadline_at_ms,
       cancellation_reason, cancelled_by, failure_code, failure_message, progress_percent, progress_message, tags,
       flow_id::text as flow_id, node, lane_id as lane, execution_kind as kind, waiting_since_ms,
       '{fp:' || partition_key || '}:' || parent_id as parent_id, created_by
  from ff_exec_core cross join (values (true)) as read_only;

create or replace view ff_flow as
select partition_key, flow_id::text as flow_id, namespace, flow_kind,
       ('{open,running,completed,failed,cancelled}'::text[])[state + 1] as state,
       graph_revision, node_count, edge_count, live_count, lost_sinks, retention_ms,
       created_at_ms, started_at_ms, terminal_at_ms, at_rest_since_ms, cancel_reason,
       ('{cancel_all,cancel_pending,flow_only}'::text[])[cancellation_policy + 1] as cancellation_policy,
       tags, flow_kind as kind, created_by
  from ff_flow_core cross join (values (true)) as read_only;

-- Access tokens, sessions and login links. A secret is not here: only its SHA-256 is. A token without a namespace opens
-- all of them. ends_at_ms is the earlier one of expires_at_ms and revoked_at_ms.
create table ff_access_token (
    token_id      text collate "C" not null,
    secret_hash   bytea    not null,
    kind          text     not null,
    role          text     not null,
    namespace     text,
    name          text     not null,
    created_at_ms bigint   not null,
    created_by    text,
    expires_at_ms bigint,
    revoked_at_ms bigint,
    parent_id     text,
    approves_own  smallint not null check (approves_own between 0 and 1),
    used_day_ms   bigint,
    ends_at_ms    bigint
);

create index ff_access_token_created on ff_access_token (created_at_ms, token_id);

create index ff_access_token_ends on ff_access_token (ends_at_ms) where ends_at_ms is not null;

-- Made last: in an empty table the index by age would look the same to a plan that is used for hours.
alter table ff_access_token add primary key (token_id);
