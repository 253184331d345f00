-- compatible_from: 9
-- Waits and signals. What an execution waits for is JSON in its own row; waitpoints and signals are rows of their own.
-- Older programs cannot go on beside this. They take a suspended execution for a damaged row, forget the end of a wait
-- when they write the row of an execution, and leave waitpoints behind when they remove an execution or clear its steps.

-- SQLite cannot change the check of a column, so a column that allows attempt_suspended (7) takes the place of the old
-- one. This writes the table anew, and no index.
drop view ff_execution;

alter table ff_exec_core add column next_attempt_state integer not null default 0 check (next_attempt_state between 0 and 7);

update ff_exec_core set next_attempt_state = attempt_state;

alter table ff_exec_core drop column attempt_state;

alter table ff_exec_core rename column next_attempt_state to attempt_state;

-- Null: the execution has never waited.
alter table ff_exec_core add column inbox text;

-- When its oldest open wait began. It follows from the inbox.
alter table ff_exec_core add column waiting_since_ms integer;

-- Suspended executions, oldest wait first.
create index ff_exec_core_suspended on ff_exec_core (waiting_since_ms, execution_id, partition_key)
    where lifecycle_phase = 2;

-- The uuid of its parent, which is in the same partition, and its place among the children of the parent, as JSON.
alter table ff_exec_core add column parent_id blob;

alter table ff_exec_core add column child_place text;

-- Children, by parent.
create index ff_exec_core_child on ff_exec_core (parent_id, partition_key, created_at_ms, execution_id)
    where parent_id is not null;

-- Whether the step is the end of a wait.
alter table ff_step add column is_wait integer not null default 0 check (is_wait between 0 and 1);

-- How often the attempt that stored the step had called its function.
alter table ff_step add column tries integer not null default 1 check (tries >= 1);

-- One row per place to which signals of an execution can be sent. Subjects are a JSON array.
create table ff_waitpoint (
    partition_key integer not null,
    execution_id  blob    not null,
    key           text    not null,
    life          integer not null,
    waitpoint_id  text    not null,
    created_at_ms integer not null,
    token_kid     text    not null,
    expires_at_ms integer,
    about         text,
    alias         text,
    closed_reason text,
    subjects      text,
    primary key (partition_key, execution_id, key)
) strict, without rowid;

-- The payload is the last column, so that a read of the other columns does not touch the pages of a large payload.
create table ff_signal (
    partition_key   integer not null,
    execution_id    blob    not null,
    number          integer not null,
    signal_id       text    not null,
    waitpoint_id    text    not null,
    key             text    not null,
    name            text    not null,
    source          text    not null,
    claimed_source  text    not null,
    delivered_at_ms integer not null,
    taken_by        text,
    payload         blob    not null,
    primary key (partition_key, execution_id, number)
) strict, without rowid;

-- The signals that no wait has taken.
create index ff_signal_kept on ff_signal (partition_key, execution_id, key, number) where taken_by is null;

-- The idempotency keys of signals.
create table ff_signal_key (
    partition_key   integer not null,
    execution_id    blob    not null,
    key             text    not null,
    idempotency_key text    not null,
    fingerprint     blob    not null,
    signal_id       text    not null,
    namespace       text    not null,
    alias           text,
    primary key (partition_key, execution_id, key, idempotency_key)
) strict, without rowid;

create index ff_signal_key_alias on ff_signal_key (namespace, alias, idempotency_key) where alias is not null;

-- Business keys of waitpoints.
create table ff_alias (
    namespace     text    not null,
    alias         text    not null,
    partition_key integer not null,
    execution_id  blob    not null,
    key           text    not null,
    primary key (namespace, alias)
) strict, without rowid;

create index ff_alias_of_execution on ff_alias (partition_key, execution_id);

-- The secrets that sign tokens, as a JSON array for each purpose.
create table ff_key_ring (
    name text primary key,
    keys text not null
) strict, without rowid;

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
       )) as parent_id
  from ff_exec_core;

-- The original columns first. A signal that was delivered has a key, and maybe a name; a wait that has ended has a name
-- and a cause.
drop view ff_signal_event;

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
           and t.key = 'cairn.instance_id') as instance_tag,
       event_type,
       json_extract(details, '$.key') as key,
       json_extract(details, '$.name') as name,
       json_extract(details, '$.effect') as effect,
       json_extract(details, '$.cause') as cause
  from ff_event e
 where channel = 3;
