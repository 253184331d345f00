-- States are stored as their position in the alphabets of flowfabric.domain.states; the view ff_execution spells
-- them out. partition_key leads every primary key. No extension, trigger or superuser is needed.

create table ff_meta (
    name  text primary key,
    value text not null
);

-- One row per execution: scalars only. No column that changes is indexed, and half of each page is left free, so that
-- an update finds room beside the row and touches no index.
create table ff_exec_core (
    partition_key         smallint not null check (partition_key between 0 and 255),
    execution_id          uuid     not null,
    namespace             text     not null,
    lane_id               text     not null,
    flow_id               uuid,
    execution_kind        text     not null,
    capability_set        integer  not null,
    policy                text,
    idempotency_key       text,
    created_at_ms         bigint   not null,
    tags                  text,
    lifecycle_phase       smallint not null check (lifecycle_phase between 0 and 4),
    eligibility_state     smallint not null check (eligibility_state between 0 and 8),
    attempt_state         smallint not null check (attempt_state between 0 and 6),
    terminal_outcome      smallint not null check (terminal_outcome between 0 and 5),
    public_state          smallint not null check (public_state between 0 and 11),
    priority              integer  not null,
    attempt_index         integer  not null,
    lease_epoch           bigint   not null,
    retry_count           integer  not null,
    interruption_count    integer  not null,
    replay_count          integer  not null,
    event_seq             integer  not null,
    ready_at_ms           bigint   not null,
    worker_id             text,
    worker_instance_id    text,
    lease_ttl_ms          bigint,
    lease_expires_at_ms   bigint,
    attempt_started_at_ms bigint,
    started_at_ms         bigint,
    terminal_at_ms        bigint,
    delay_until_ms        bigint,
    deadline_at_ms        bigint,
    cancellation_reason   text,
    cancelled_by          text,
    failure_code          text,
    failure_message       text,
    progress_percent      smallint,
    progress_message      text,
    primary key (partition_key, execution_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- For listings, and by a condition that is always true for nothing else: in an empty table all indexes look alike, and
-- a lookup by key that was planned then would go on walking through this one.
create index ff_exec_core_newest on ff_exec_core (created_at_ms, execution_id, partition_key) where created_at_ms >= 0;

create index ff_exec_core_flow on ff_exec_core (flow_id) where flow_id is not null;

-- The queue that claims read: a row is inserted when its execution may run, and deleted when it may not.
create table ff_ready (
    namespace      text     not null,
    lane_id        text     not null,
    capability_set integer  not null,
    -- The priority, negated: the whole order ascends, so that one comparison of rows says where to start.
    rank           integer  not null,
    ready_at_ms    bigint   not null,
    execution_id   uuid     not null,
    partition_key  smallint not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create unique index ff_ready_order on ff_ready
    (namespace, lane_id, capability_set, rank, ready_at_ms, execution_id, partition_key);

-- The next due moment of each execution: leases, delays, attempt timeouts, deadlines, retention.
create table ff_due (
    due_kind      smallint not null,
    due_at_ms     bigint   not null,
    partition_key smallint not null,
    execution_id  uuid     not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create unique index ff_due_order on ff_due (due_kind, due_at_ms, partition_key, execution_id);

create table ff_payload (
    partition_key smallint not null,
    execution_id  uuid     not null,
    payload       bytea    not null,
    primary key (partition_key, execution_id)
);

create table ff_result (
    partition_key smallint not null,
    execution_id  uuid     not null,
    result        bytea    not null,
    primary key (partition_key, execution_id)
);

-- Tags once more, for searching.
create table ff_tag (
    partition_key smallint not null,
    execution_id  uuid     not null,
    key           text     not null,
    value         text     not null,
    created_at_ms bigint   not null,
    primary key (partition_key, execution_id, key)
);

-- Only for listings, like ff_exec_core_newest.
create index ff_tag_search on ff_tag (key, value, created_at_ms, execution_id, partition_key) where created_at_ms >= 0;

-- Sets of required capabilities, each once. Set 0 is the empty one and has no row.
create table ff_capability_set (
    capability_set integer generated always as identity primary key,
    tokens         text not null unique
);

-- One row per attempt, written when it ends; the running one stands on its execution.
create table ff_attempt (
    partition_key      smallint not null,
    execution_id       uuid     not null,
    attempt_index      integer  not null,
    lease_epoch        bigint   not null,
    worker_id          text,
    worker_instance_id text,
    started_at_ms      bigint,
    terminal_at_ms     bigint,
    outcome            smallint check (outcome between 0 and 7),
    primary key (partition_key, execution_id, attempt_index)
);

-- The one log. Readers go by transaction ids, because event ids become visible out of order.
create table ff_event (
    event_id       bigint generated always as identity (cache 1),
    txid           xid8     not null default pg_current_xact_id(),
    channel        smallint not null check (channel between 0 and 3),
    event_type     text     not null,
    namespace      text     not null,
    partition_key  smallint not null,
    execution_id   uuid,
    flow_id        uuid,
    seq            integer  not null,
    details        text,
    occurred_at_ms bigint   not null
);

create index ff_event_by_transaction on ff_event (txid, event_id);

-- For whoever has much to catch up on and reads it page by page.
create index ff_event_order on ff_event (event_id);

create unique index ff_event_of_entity on ff_event (partition_key, (coalesce(execution_id, flow_id)), seq);

create table ff_idempotency (
    partition_key       smallint not null,
    namespace           text     not null,
    idempotency_key     text     not null,
    execution_partition smallint not null,
    execution_id        uuid     not null,
    fingerprint         bytea    not null,
    expires_at_ms       bigint   not null,
    primary key (partition_key, namespace, idempotency_key)
);

create index ff_idempotency_expiry on ff_idempotency (expires_at_ms);

create table ff_command (
    scope         text   not null,
    command_id    text   not null,
    fingerprint   bytea  not null,
    answer        bytea  not null,
    expires_at_ms bigint not null,
    primary key (scope, command_id)
);

create index ff_command_expiry on ff_command (expires_at_ms);

-- One row per committed batch, so that a commit whose answer was lost can be told from one that never was.
create table ff_batch (
    batch_id        bytea primary key,
    committed_at_ms bigint not null
);

create index ff_batch_age on ff_batch (committed_at_ms);

-- PostgreSQL lets nobody write through a view that joins something, be it nothing.
create view ff_execution as
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
       cancellation_reason, cancelled_by, failure_code, failure_message, progress_percent, progress_message, tags
  from ff_exec_core cross join (values (true)) as read_only;

-- The four outboxes of the original system, read-only, with its columns.
create view ff_lease_event as
select event_id, execution_id::text as execution_id,
       case when event_type = 'acquired' then
           (select value from ff_meta where name = 'store') || ':' || execution_id || ':'
           || (details::json ->> 'attempt_index') || ':' || (details::json ->> 'lease_epoch')
       end as lease_id,
       case when channel = 0 then event_type else 'released' end as event_type,
       occurred_at_ms, partition_key::integer as partition_key, namespace,
       (select t.value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e cross join (values (true)) as read_only
 where channel = 0
    -- The holder's own ending of a lease is one row, on the completion channel.
    or (channel = 1 and event_type = 'completed')
    or (channel = 1 and event_type = 'failed' and details::json ->> 'code' <> 'worker_lost');

create view ff_completion_event as
select partition_key, event_id, execution_id, flow_id,
       case when event_type = 'completed' then 'success' else event_type end as outcome,
       namespace,
       (select t.value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag,
       occurred_at_ms, occurred_at_ms as committed_at_ms, occurred_at_ms as dispatched_at_ms
  from ff_event e cross join (values (true)) as read_only
 where channel = 1 and execution_id is not null;

create view ff_operator_event as
select event_id, coalesce(execution_id, flow_id)::text as execution_id, event_type, details::jsonb as details,
       occurred_at_ms, partition_key::integer as partition_key, namespace,
       (select t.value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e cross join (values (true)) as read_only
 where channel = 2;

create view ff_signal_event as
select event_id, execution_id::text as execution_id,
       details::json ->> 'signal_id' as signal_id,
       details::json ->> 'waitpoint_id' as waitpoint_id,
       details::json ->> 'source_identity' as source_identity,
       occurred_at_ms as delivered_at_ms, partition_key::integer as partition_key, namespace,
       (select t.value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e cross join (values (true)) as read_only
 where channel = 3;
