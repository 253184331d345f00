-- Executions that belong together: flows, the edges between their members, and what a cancel waits for. Everything of
-- a flow is on the flow's partition.

-- One row per flow, written whenever a member ends. Half of each page is left free, and no column that changes often is
-- indexed, so that such an update touches no index.
create table ff_flow_core (
    partition_key       smallint not null check (partition_key between 0 and 255),
    flow_id             uuid     not null,
    namespace           text     not null,
    flow_kind           text     not null,
    created_at_ms       bigint   not null,
    tags                text,
    state               smallint not null check (state between 0 and 4),
    graph_revision      bigint   not null,
    node_count          integer  not null,
    edge_count          integer  not null,
    live_count          integer  not null,
    lost_sinks          integer  not null,
    event_seq           integer  not null,
    retention_ms        bigint,
    started_at_ms       bigint,
    terminal_at_ms      bigint,
    at_rest_since_ms    bigint,
    cancel_reason       text,
    cancellation_policy smallint check (cancellation_policy between 0 and 2),
    -- When its retention is over: follows from the other columns, and is there to be searched.
    purge_at_ms         bigint,
    primary key (partition_key, flow_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

create index ff_flow_core_newest on ff_flow_core (created_at_ms, flow_id, partition_key) where created_at_ms >= 0;

create index ff_flow_core_purge on ff_flow_core (purge_at_ms) where purge_at_ms is not null;

-- The downstream waits for the upstream. Edge ids are compared by code point, as everywhere.
create table ff_edge (
    partition_key  smallint         not null,
    flow_id        uuid             not null,
    edge_id        text collate "C" not null,
    upstream       uuid             not null,
    downstream     uuid             not null,
    pass_result_as text,
    created_at_ms  bigint           not null,
    outcome        smallint         not null check (outcome between 0 and 5),
    generation     integer          not null,
    resolved_at_ms bigint,
    primary key (partition_key, flow_id, edge_id)
) with (fillfactor = 50);

-- No two indexes of a table begin alike: in an empty table they would look the same to a plan that is used for hours.
create index ff_edge_from on ff_edge (upstream);

create index ff_edge_to on ff_edge (downstream);

-- All edges that lead to one execution, counted; written whenever one of its upstreams ends.
create table ff_edge_group (
    partition_key       smallint not null,
    downstream          uuid     not null,
    flow_id             uuid     not null,
    policy_kind         smallint not null check (policy_kind between 0 and 2),
    policy_k            integer,
    policy_on_satisfied smallint check (policy_on_satisfied between 0 and 1),
    total               integer  not null,
    success_count       integer  not null,
    fail_count          integer  not null,
    skip_count          integer  not null,
    state               smallint not null check (state between 0 and 2),
    passes_results      smallint not null check (passes_results between 0 and 1),
    primary key (partition_key, downstream)
) with (fillfactor = 50);

create index ff_edge_group_of_flow on ff_edge_group (flow_id);

-- Cancelled flows of which workers have not yet said that their code has stopped, and those workers' executions.
create table ff_cancel_backlog (
    partition_key   smallint not null,
    flow_id         uuid     not null,
    requested_at_ms bigint   not null,
    pending_count   integer  not null,
    primary key (partition_key, flow_id)
);

create table ff_cancel_backlog_member (
    partition_key smallint not null,
    flow_id       uuid     not null,
    execution_id  uuid     not null,
    overdue_at_ms bigint   not null,
    primary key (partition_key, flow_id, execution_id)
);

create index ff_cancel_backlog_overdue on ff_cancel_backlog_member (overdue_at_ms);

-- What the cancel of a flow cancelled, so that it can be told again: uuids as JSON, written once.
create table ff_flow_cancel (
    partition_key smallint not null,
    flow_id       uuid     not null,
    members       text     not null,
    primary key (partition_key, flow_id)
);

-- It has ended, and not everyone who waits for it has been told.
alter table ff_exec_core add column unsettled smallint not null default 0 check (unsettled between 0 and 1);

-- Each life of an execution has a result of its own, because edges pass on the result of the life that resolved them.
alter table ff_result add column generation integer not null default 0;

-- Until now a replay took the old result away, so what is there belongs to the life of now.
update ff_result r
   set generation = c.replay_count
  from ff_exec_core c
 where c.partition_key = r.partition_key and c.execution_id = r.execution_id and c.replay_count <> 0;

alter table ff_result drop constraint ff_result_pkey;

alter table ff_result add primary key (partition_key, execution_id, generation);

-- A flow may have the uuid of one of its members, and each counts its own events.
drop index ff_event_of_entity;

create unique index ff_event_of_execution on ff_event (partition_key, execution_id, seq);

create unique index ff_event_of_flow on ff_event (partition_key, flow_id, seq) where execution_id is null;

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
       flow_id::text as flow_id
  from ff_exec_core cross join (values (true)) as read_only;

create view ff_flow as
select partition_key, flow_id::text as flow_id, namespace, flow_kind,
       ('{open,running,completed,failed,cancelled}'::text[])[state + 1] as state,
       graph_revision, node_count, edge_count, live_count, lost_sinks, retention_ms,
       created_at_ms, started_at_ms, terminal_at_ms, at_rest_since_ms, cancel_reason,
       ('{cancel_all,cancel_pending,flow_only}'::text[])[cancellation_policy + 1] as cancellation_policy,
       tags
  from ff_flow_core cross join (values (true)) as read_only;

-- Listings only: by a condition that is always true these are of use to nothing else. In an empty table all indexes look
-- alike, and a lookup by key that was planned then would go on walking through one of them.
drop index ff_exec_core_newest;

create index ff_exec_core_newest on ff_exec_core (created_at_ms, execution_id, partition_key) where created_at_ms >= 0;

drop index ff_tag_search;

create index ff_tag_search on ff_tag (key, value, created_at_ms, execution_id, partition_key) where created_at_ms >= 0;
