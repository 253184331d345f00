-- Flows: executions that belong together, the edges between them, and the accounts of a flow's cancel.

alter table ff_exec_core add column unsettled integer not null default 0 check (unsettled in (0, 1));

-- What waits for others. Few at any time, whatever else there is.
create index ff_exec_core_blocked on ff_exec_core (partition_key, execution_id)
    where lifecycle_phase = 0 and eligibility_state = 2;

-- The members of a flow, and the newest of them first.
drop index ff_exec_core_flow;
create index ff_exec_core_flow on ff_exec_core (flow_id, created_at_ms, execution_id, partition_key)
    where flow_id is not null;

-- A result belongs to one life of its execution. What there was so far is of the present one.
alter table ff_result rename to ff_result_of_the_present;

create table ff_result (
    partition_key integer not null,
    execution_id  blob    not null,
    generation    integer not null default 0,
    result        blob    not null,
    primary key (partition_key, execution_id, generation)
) without rowid, strict;

insert into ff_result (partition_key, execution_id, generation, result)
select r.partition_key, r.execution_id, coalesce(c.replay_count, 0), r.result
  from ff_result_of_the_present r
  left join ff_exec_core c on c.partition_key = r.partition_key and c.execution_id = r.execution_id;

drop table ff_result_of_the_present;

-- Counters and states of one flow; its members carry its id.
create table ff_flow_core (
    partition_key       integer not null check (partition_key between 0 and 255),
    flow_id             blob    not null check (length(flow_id) = 16),
    namespace           text    not null,
    flow_kind           text    not null,
    created_at_ms       integer not null,
    tags                text,
    state               integer not null check (state between 0 and 4),
    graph_revision      integer not null,
    node_count          integer not null,
    edge_count          integer not null,
    live_count          integer not null,
    lost_sinks          integer not null,
    event_seq           integer not null,
    retention_ms        integer,
    started_at_ms       integer,
    terminal_at_ms      integer,
    at_rest_since_ms    integer,
    cancel_reason       text,
    cancellation_policy integer check (cancellation_policy between 0 and 2),
    purge_at_ms         integer,
    primary key (partition_key, flow_id)
) without rowid, strict;

create index ff_flow_core_newest on ff_flow_core (created_at_ms, flow_id, partition_key);

create index ff_flow_core_purge on ff_flow_core (purge_at_ms, partition_key, flow_id) where purge_at_ms is not null;

-- One execution waits for another. Both ends are on the flow's partition.
create table ff_edge (
    partition_key  integer not null check (partition_key between 0 and 255),
    flow_id        blob    not null check (length(flow_id) = 16),
    edge_id        text    not null,
    upstream       blob    not null check (length(upstream) = 16),
    downstream     blob    not null check (length(downstream) = 16),
    pass_result_as text,
    created_at_ms  integer not null,
    outcome        integer not null check (outcome between 0 and 5),
    generation     integer not null,
    resolved_at_ms integer,
    primary key (partition_key, flow_id, edge_id)
) without rowid, strict;

create index ff_edge_upstream on ff_edge (partition_key, upstream);

create index ff_edge_downstream on ff_edge (partition_key, downstream);

-- What a claim looks for, however many edges lead to an execution.
create index ff_edge_passing on ff_edge (partition_key, downstream) where pass_result_as is not null;

-- All edges that lead to one execution, counted.
create table ff_edge_group (
    partition_key       integer not null check (partition_key between 0 and 255),
    downstream          blob    not null check (length(downstream) = 16),
    flow_id             blob    not null check (length(flow_id) = 16),
    policy_kind         integer not null check (policy_kind between 0 and 2),
    policy_k            integer,
    policy_on_satisfied integer check (policy_on_satisfied between 0 and 1),
    total               integer not null,
    success_count       integer not null,
    fail_count          integer not null,
    skip_count          integer not null,
    state               integer not null check (state between 0 and 2),
    passes_results      integer not null check (passes_results in (0, 1)),
    primary key (partition_key, downstream)
) without rowid, strict;

create index ff_edge_group_flow on ff_edge_group (partition_key, flow_id);

-- A cancelled flow of which workers have not yet said that their code has stopped, and who they are.
create table ff_cancel_backlog (
    partition_key   integer not null,
    flow_id         blob    not null,
    requested_at_ms integer not null,
    pending_count   integer not null,
    primary key (partition_key, flow_id)
) without rowid, strict;

create table ff_cancel_backlog_member (
    partition_key integer not null,
    flow_id       blob    not null,
    execution_id  blob    not null,
    overdue_at_ms integer not null,
    primary key (partition_key, flow_id, execution_id)
) without rowid, strict;

create index ff_cancel_backlog_member_overdue on ff_cancel_backlog_member (overdue_at_ms);

-- What the cancel of a flow cancelled: uuids, in the order in which they were told.
create table ff_flow_cancel (
    partition_key integer not null,
    flow_id       blob    not null,
    members       text    not null,
    primary key (partition_key, flow_id)
) without rowid, strict;

-- What the log holds of a flow itself, and not of a member.
create unique index ff_event_of_flow on ff_event (partition_key, flow_id, seq) where execution_id is null;

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
       )) as flow_id
  from ff_exec_core;

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
       tags
  from ff_flow_core;
