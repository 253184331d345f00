-- States are stored as their position in the alphabets of flowfabric.domain.states; the view ff_execution spells
-- them out. partition_key leads every primary key.

create table ff_meta (
    name  text primary key,
    value text not null
) without rowid, strict;

-- One row per execution: scalars only, so that a change of state never rewrites a payload or a result.
create table ff_exec_core (
    partition_key         integer not null check (partition_key between 0 and 255),
    execution_id          blob    not null check (length(execution_id) = 16),
    namespace             text    not null,
    lane_id               text    not null,
    flow_id               blob,
    execution_kind        text    not null,
    capability_set        integer not null,
    policy                text,
    idempotency_key       text,
    created_at_ms         integer not null,
    tags                  text,
    lifecycle_phase       integer not null check (lifecycle_phase between 0 and 4),
    eligibility_state     integer not null check (eligibility_state between 0 and 8),
    attempt_state         integer not null check (attempt_state between 0 and 6),
    terminal_outcome      integer not null check (terminal_outcome between 0 and 5),
    public_state          integer not null check (public_state between 0 and 11),
    priority              integer not null,
    attempt_index         integer not null,
    lease_epoch           integer not null,
    retry_count           integer not null,
    interruption_count    integer not null,
    replay_count          integer not null,
    event_seq             integer not null,
    ready_at_ms           integer not null,
    due_kind              integer,
    due_at_ms             integer,
    worker_id             text,
    worker_instance_id    text,
    lease_ttl_ms          integer,
    lease_expires_at_ms   integer,
    attempt_started_at_ms integer,
    started_at_ms         integer,
    terminal_at_ms        integer,
    delay_until_ms        integer,
    deadline_at_ms        integer,
    cancellation_reason   text,
    cancelled_by          text,
    failure_code          text,
    failure_message       text,
    progress_percent      integer,
    progress_message      text,
    primary key (partition_key, execution_id)
) strict;

-- The queue that claims read. On SQLite a partial index is the narrow ready table, and cannot drift from its record.
create index ff_exec_core_ready on ff_exec_core
    (namespace, lane_id, capability_set, priority desc, ready_at_ms, execution_id, partition_key)
    where lifecycle_phase = 0 and eligibility_state = 0;

-- The next due moment of each execution: leases, delays, attempt timeouts, deadlines, retention.
create index ff_exec_core_due on ff_exec_core (due_kind, due_at_ms, partition_key, execution_id)
    where due_at_ms is not null;

create index ff_exec_core_newest on ff_exec_core (created_at_ms, execution_id, partition_key);

create index ff_exec_core_flow on ff_exec_core (flow_id) where flow_id is not null;

create table ff_payload (
    partition_key integer not null,
    execution_id  blob    not null,
    payload       blob    not null,
    primary key (partition_key, execution_id)
) without rowid, strict;

create table ff_result (
    partition_key integer not null,
    execution_id  blob    not null,
    result        blob    not null,
    primary key (partition_key, execution_id)
) without rowid, strict;

-- Tags once more, for searching.
create table ff_tag (
    partition_key integer not null,
    execution_id  blob    not null,
    key           text    not null,
    value         text    not null,
    created_at_ms integer not null,
    primary key (partition_key, execution_id, key)
) without rowid, strict;

create index ff_tag_search on ff_tag (key, value, created_at_ms, execution_id, partition_key);

-- Sets of required capabilities, each once. Set 0 is the empty one and has no row.
create table ff_capability_set (
    capability_set integer primary key autoincrement,
    tokens         text not null unique
) strict;

-- One row per attempt, written when it ends; the running one stands on its execution.
create table ff_attempt (
    partition_key      integer not null,
    execution_id       blob    not null,
    attempt_index      integer not null,
    lease_epoch        integer not null,
    worker_id          text,
    worker_instance_id text,
    started_at_ms      integer,
    terminal_at_ms     integer,
    outcome            integer check (outcome between 0 and 7),
    primary key (partition_key, execution_id, attempt_index)
) without rowid, strict;

-- The one log. Ids are never used twice, and their order is the order of commits.
create table ff_event (
    event_id       integer primary key autoincrement,
    channel        integer not null check (channel between 0 and 3),
    event_type     text    not null,
    namespace      text    not null,
    partition_key  integer not null,
    execution_id   blob,
    flow_id        blob,
    seq            integer not null,
    details        text,
    occurred_at_ms integer not null
) strict;

create unique index ff_event_of_execution on ff_event (partition_key, execution_id, seq) where execution_id is not null;

create table ff_idempotency (
    partition_key   integer not null,
    namespace       text    not null,
    idempotency_key text    not null,
    execution_partition integer not null,
    execution_id    blob    not null,
    fingerprint     blob    not null,
    expires_at_ms   integer not null,
    primary key (partition_key, namespace, idempotency_key)
) without rowid, strict;

create index ff_idempotency_expiry on ff_idempotency (expires_at_ms);

create table ff_command (
    scope         text    not null,
    command_id    text    not null,
    fingerprint   blob    not null,
    answer        blob    not null,
    expires_at_ms integer not null,
    primary key (scope, command_id)
) without rowid, strict;

create index ff_command_expiry on ff_command (expires_at_ms);

-- One row per committed batch, so that a commit whose answer was lost can be told from one that never was.
create table ff_batch (
    batch_id        blob primary key,
    committed_at_ms integer not null
) without rowid, strict;

create index ff_batch_age on ff_batch (committed_at_ms);

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
       cancellation_reason, cancelled_by, failure_code, failure_message, progress_percent, progress_message, tags
  from ff_exec_core;

-- The four outboxes of the original system, read-only, with its columns.
create view ff_lease_event as
select event_id,
       lower(
           substr(hex(execution_id), 1, 8) || '-' || substr(hex(execution_id), 9, 4) || '-'
           || substr(hex(execution_id), 13, 4) || '-' || substr(hex(execution_id), 17, 4) || '-'
           || substr(hex(execution_id), 21)
       ) as execution_id,
       iif(event_type = 'acquired',
           (select 'sqlite-' || value from ff_meta where name = 'incarnation') || ':' || lower(
               substr(hex(execution_id), 1, 8) || '-' || substr(hex(execution_id), 9, 4) || '-'
               || substr(hex(execution_id), 13, 4) || '-' || substr(hex(execution_id), 17, 4) || '-'
               || substr(hex(execution_id), 21)
           ) || ':' || json_extract(details, '$.attempt_index') || ':' || json_extract(details, '$.lease_epoch'),
           null) as lease_id,
       iif(channel = 0, event_type, 'released') as event_type,
       occurred_at_ms, partition_key, namespace,
       (select value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e
 where channel = 0
    -- The holder's own ending of a lease is one row, on the completion channel.
    or (channel = 1 and event_type = 'completed')
    or (channel = 1 and event_type = 'failed' and json_extract(details, '$.code') not in ('worker_lost'));

create view ff_completion_event as
select partition_key, event_id,
       lower(
           substr(hex(execution_id), 1, 8) || '-' || substr(hex(execution_id), 9, 4) || '-'
           || substr(hex(execution_id), 13, 4) || '-' || substr(hex(execution_id), 17, 4) || '-'
           || substr(hex(execution_id), 21)
       ) as execution_id,
       iif(flow_id is null, null, lower(
           substr(hex(flow_id), 1, 8) || '-' || substr(hex(flow_id), 9, 4) || '-'
           || substr(hex(flow_id), 13, 4) || '-' || substr(hex(flow_id), 17, 4) || '-'
           || substr(hex(flow_id), 21)
       )) as flow_id,
       iif(event_type = 'completed', 'success', event_type) as outcome,
       namespace,
       (select value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag,
       occurred_at_ms, occurred_at_ms as committed_at_ms, occurred_at_ms as dispatched_at_ms
  from ff_event e
 where channel = 1 and execution_id is not null;

create view ff_operator_event as
select event_id,
       lower(
           substr(hex(coalesce(execution_id, flow_id)), 1, 8) || '-' || substr(hex(coalesce(execution_id, flow_id)), 9, 4) || '-'
           || substr(hex(coalesce(execution_id, flow_id)), 13, 4) || '-' || substr(hex(coalesce(execution_id, flow_id)), 17, 4) || '-'
           || substr(hex(coalesce(execution_id, flow_id)), 21)
       ) as execution_id,
       event_type, details, occurred_at_ms, partition_key, namespace,
       (select value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e
 where channel = 2;

create view ff_signal_event as
select event_id,
       lower(
           substr(hex(execution_id), 1, 8) || '-' || substr(hex(execution_id), 9, 4) || '-'
           || substr(hex(execution_id), 13, 4) || '-' || substr(hex(execution_id), 17, 4) || '-'
           || substr(hex(execution_id), 21)
       ) as execution_id,
       json_extract(details, '$.signal_id') as signal_id,
       json_extract(details, '$.waitpoint_id') as waitpoint_id,
       json_extract(details, '$.source_identity') as source_identity,
       occurred_at_ms as delivered_at_ms, partition_key, namespace,
       (select value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e
 where channel = 3;
