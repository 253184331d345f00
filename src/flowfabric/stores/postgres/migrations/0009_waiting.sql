-- compatible_from: 9
-- Waits and signals. What an execution waits for is JSON in its own row; waitpoints and signals are rows of their own.
-- Older programs cannot go on beside this. They take a suspended execution for a damaged row, forget the end of a wait
-- when they write the row of an execution, and leave waitpoints behind when they remove an execution or clear its steps.

-- One more state of attempts: attempt_suspended (7).
alter table ff_exec_core drop constraint ff_exec_core_attempt_state_check;

alter table ff_exec_core add constraint ff_exec_core_attempt_state_check check (attempt_state between 0 and 7);

-- inbox: null if the execution has never waited. waiting_since_ms: when the oldest open wait of a suspended execution
-- began. It follows from the inbox and the phase. It is null as long as nothing is suspended, so that all other updates
-- of the row still touch no index.
alter table ff_exec_core add column inbox text, add column waiting_since_ms bigint;

-- Suspended executions, oldest wait first.
create index ff_exec_core_suspended on ff_exec_core (waiting_since_ms, execution_id, partition_key)
    where waiting_since_ms is not null;

-- The uuid of its parent, which is in the same partition, and its place among the children of the parent, as JSON.
alter table ff_exec_core add column parent_id uuid, add column child_place text;

-- Children, by parent.
create index ff_exec_core_child on ff_exec_core (parent_id, partition_key, created_at_ms, execution_id)
    where parent_id is not null;

-- Whether the step is the end of a wait.
alter table ff_step add column is_wait smallint not null default 0 check (is_wait between 0 and 1);

-- How often the attempt that stored the step had called its function.
alter table ff_step add column tries integer not null default 1 check (tries >= 1);

-- One row per place to which signals of an execution can be sent. Subjects are a JSON array.
create table ff_waitpoint (
    partition_key smallint         not null,
    execution_id  uuid             not null,
    key           text collate "C" not null,
    life          integer          not null,
    waitpoint_id  text             not null,
    created_at_ms bigint           not null,
    token_kid     text             not null,
    expires_at_ms bigint,
    about         text,
    alias         text,
    closed_reason text,
    subjects      text,
    primary key (partition_key, execution_id, key)
);

create table ff_signal (
    partition_key   smallint         not null,
    execution_id    uuid             not null,
    number          integer          not null,
    signal_id       text             not null,
    waitpoint_id    text             not null,
    key             text collate "C" not null,
    name            text             not null,
    source          text             not null,
    claimed_source  text             not null,
    delivered_at_ms bigint           not null,
    taken_by        text,
    payload         bytea            not null,
    primary key (partition_key, execution_id, number)
);

-- The signals that no wait has taken. It does not begin like the primary key: in an empty table both would look the same
-- to a plan that is used for hours.
create index ff_signal_kept on ff_signal (execution_id, key, number) where taken_by is null;

-- The idempotency keys of signals.
create table ff_signal_key (
    partition_key   smallint         not null,
    execution_id    uuid             not null,
    key             text collate "C" not null,
    idempotency_key text collate "C" not null,
    fingerprint     bytea            not null,
    signal_id       text             not null,
    namespace       text collate "C" not null,
    alias           text collate "C",
    primary key (partition_key, execution_id, key, idempotency_key)
);

create index ff_signal_key_alias on ff_signal_key (namespace, alias, idempotency_key, execution_id)
    where alias is not null;

-- Business keys of waitpoints.
create table ff_alias (
    namespace     text collate "C" not null,
    alias         text collate "C" not null,
    partition_key smallint         not null,
    execution_id  uuid             not null,
    key           text             not null,
    primary key (namespace, alias)
);

create index ff_alias_of_execution on ff_alias (partition_key, execution_id);

-- The secrets that sign tokens, as a JSON array for each purpose.
create table ff_key_ring (
    name text collate "C" primary key,
    keys text not null
);

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
       '{fp:' || partition_key || '}:' || parent_id as parent_id
  from ff_exec_core cross join (values (true)) as read_only;

-- The original columns first. A signal that was delivered has a key, and maybe a name; a wait that has ended has a name
-- and a cause.
create or replace view ff_signal_event as
select event_id, execution_id::text as execution_id,
       details::json ->> 'signal_id' as signal_id,
       details::json ->> 'waitpoint_id' as waitpoint_id,
       details::json ->> 'source_identity' as source_identity,
       occurred_at_ms as delivered_at_ms, partition_key::integer as partition_key, namespace,
       (select t.value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag,
       event_type,
       details::json ->> 'key' as key,
       details::json ->> 'name' as name,
       details::json ->> 'effect' as effect,
       details::json ->> 'cause' as cause
  from ff_event e cross join (values (true)) as read_only
 where channel = 3;
