-- compatible_from: 11
-- Who may use a server, and who has made an execution. Older programs can go on beside this: they make executions that
-- nobody is known to have made, and leave tokens alone.

-- The person on whose behalf an execution or a flow was made, and a schedule declared. Null: not known.
alter table ff_exec_core add column created_by text;

alter table ff_flow_core add column created_by text;

alter table ff_schedule add column created_by text;

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
       worker_id, worker_instance_id, lease_expires_at_ms,
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
       tags, flow_kind as kind, created_by
  from ff_flow_core;

-- Access tokens, sessions and login links. A secret is not here: only its SHA-256 is. A token without a namespace opens
-- all of them. ends_at_ms is the earlier one of expires_at_ms and revoked_at_ms.
create table ff_access_token (
    token_id      text primary key,
    secret_hash   blob    not null,
    kind          text    not null,
    role          text    not null,
    namespace     text,
    name          text    not null,
    created_at_ms integer not null,
    created_by    text,
    expires_at_ms integer,
    revoked_at_ms integer,
    parent_id     text,
    approves_own  integer not null check (approves_own between 0 and 1),
    used_day_ms   integer,
    ends_at_ms    integer
) strict, without rowid;

create index ff_access_token_created on ff_access_token (created_at_ms, token_id);

create index ff_access_token_ends on ff_access_token (ends_at_ms) where ends_at_ms is not null;
