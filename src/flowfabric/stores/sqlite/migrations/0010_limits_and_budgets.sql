-- compatible_from: 10
-- Limits and budgets. What an execution must pass, and what its lease has taken, is JSON in its own row.
-- Older programs cannot go on beside this: they would claim executions past their limits, and never give back what a
-- lease has taken.

-- Null: the execution has no gates. Its capability set then says that it waits in the plain part of the queue.
alter table ff_exec_core add column gates text;

-- Its turn among the executions of its lane and priority with fair keys. It follows from the gates. 0: it has none.
alter table ff_exec_core add column turn integer not null default 0;

drop index ff_exec_core_ready;

create index ff_exec_core_ready on ff_exec_core
    (namespace, lane_id, capability_set, priority desc, turn, ready_at_ms, execution_id, partition_key)
    where lifecycle_phase = 0 and eligibility_state = 0;

-- Executions with gates that have not ended, for the repair of ff_at_gate.
create index ff_exec_core_gated on ff_exec_core (partition_key, execution_id)
    where gates is not null and lifecycle_phase <= 2;

-- The gates of the executions that a schedule makes. Null: they have none.
alter table ff_schedule add column gates text;

-- The numbers of a limit.
create table ff_limit (
    namespace   text    not null,
    name        text    not null,
    concurrency integer,
    rate        integer,
    per_ms      integer not null,
    burst       integer,
    primary key (namespace, name)
) strict, without rowid;

-- The numbers of single keys.
create table ff_limit_override (
    namespace   text    not null,
    name        text    not null,
    key         text    not null,
    concurrency integer,
    rate        integer,
    per_ms      integer not null,
    burst       integer,
    primary key (namespace, name, key)
) strict, without rowid;

-- What is used of a key. An idle key needs no row. idle_at_ms follows from the other columns; null: it is in use.
create table ff_limit_key (
    namespace       text    not null,
    name            text    not null,
    key             text    not null,
    in_use          integer not null check (in_use >= 0),
    busy_until_us   integer not null,
    paused_until_ms integer not null,
    idle_at_ms      integer,
    primary key (namespace, name, key)
) strict, without rowid;

create index ff_limit_key_idle on ff_limit_key (idle_at_ms) where idle_at_ms is not null;

-- The turn that was claimed last, by lane and priority.
create table ff_lane_turn (
    namespace text    not null,
    lane_id   text    not null,
    priority  integer not null,
    turn      integer not null,
    primary key (namespace, lane_id, priority)
) strict, without rowid;

-- The turn that a fair key was given last, by lane and priority. Idle ones are found by a walk: an index over turns
-- would change with every submit.
create table ff_key_turn (
    namespace   text    not null,
    lane_id     text    not null,
    priority    integer not null,
    fair_key    text    not null,
    turn        integer not null,
    given_at_ms integer not null,
    primary key (namespace, lane_id, priority, fair_key)
) strict, without rowid;

-- A budget as it was set. Limits and period are JSON.
create table ff_budget (
    namespace   text    not null,
    name        text    not null,
    limits      text    not null,
    soft_limits text    not null,
    period      text,
    parent      text,
    on_exceeded text    not null,
    reset_at_ms integer,
    primary key (namespace, name)
) strict, without rowid;

create index ff_budget_under on ff_budget (namespace, parent, name) where parent is not null;

-- What is used of a budget in one period. Amounts and dimensions are JSON.
create table ff_budget_use (
    namespace text    not null,
    name      text    not null,
    period_ms integer not null,
    used      text    not null,
    reserved  text    not null,
    assumed   text    not null,
    passed    text    not null,
    exceeded  text    not null,
    primary key (namespace, name, period_ms)
) strict, without rowid;

create index ff_budget_use_age on ff_budget_use (period_ms, namespace, name);

-- What each execution has spent of a budget, by period and day.
create table ff_ledger (
    partition_key integer not null,
    execution_id  blob    not null,
    namespace     text    not null,
    budget        text    not null,
    period_ms     integer not null,
    day_ms        integer not null,
    amounts       text    not null,
    primary key (partition_key, execution_id, budget, period_ms, day_ms)
) strict, without rowid;

create index ff_ledger_budget on ff_ledger (namespace, budget, partition_key, execution_id);

-- What executions had spent that are gone, by day, kind and dimension.
create table ff_budget_day (
    namespace      text    not null,
    budget         text    not null,
    day_ms         integer not null,
    execution_kind text    not null,
    dimension      text    not null,
    amount         integer not null,
    primary key (namespace, budget, day_ms, execution_kind, dimension)
) strict, without rowid;

-- The idempotency keys of spends.
create table ff_spend_key (
    partition_key   integer not null,
    execution_id    blob    not null,
    budget          text    not null,
    idempotency_key text    not null,
    amounts         text    not null,
    answer          blob    not null,
    primary key (partition_key, execution_id, budget, idempotency_key)
) strict, without rowid;

-- When a gate is to be looked at again.
create table ff_opening (
    namespace text    not null,
    gate_kind integer not null check (gate_kind between 0 and 2),
    name      text    not null,
    gate_key  text    not null,
    at_ms     integer not null,
    primary key (namespace, gate_kind, name, gate_key)
) strict, without rowid;

create index ff_opening_due on ff_opening (at_ms, namespace, gate_kind, name, gate_key);

-- Who stands at which gate: queued, parked or leased, with the place in the queue. rank is the priority, highest first.
create table ff_at_gate (
    partition_key  integer not null,
    execution_id   blob    not null,
    namespace      text    not null,
    gate_kind      integer not null check (gate_kind between 0 and 2),
    name           text    not null,
    gate_key       text    not null,
    gate_state     integer not null check (gate_state between 0 and 2),
    lane_id        text    not null,
    capability_set integer not null,
    rank           integer not null,
    turn           integer not null,
    ready_at_ms    integer not null,
    primary key (partition_key, execution_id, gate_kind, name, gate_key)
) strict, without rowid;

-- The waiting rooms, in the order of the queue.
create index ff_at_gate_parked on ff_at_gate
    (namespace, gate_kind, name, gate_key, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key)
    where gate_state = 1;

create index ff_at_gate_oldest on ff_at_gate
    (namespace, gate_kind, name, gate_key, gate_state, ready_at_ms, execution_id, partition_key);

-- Views for people, under the names that the snapshots use.

-- Each key of a limit that is used, at which executions are parked, or that has numbers of its own; and the key ''.
create view ff_limit_status as
select k.namespace, k.name, k.key,
       iif(o.key is null, l.concurrency, o.concurrency) as concurrency,
       iif(o.key is null, l.rate, o.rate) as rate,
       iif(o.key is null, l.per_ms, o.per_ms) as per_ms,
       iif(o.key is null, l.burst, o.burst) as burst,
       coalesce(u.in_use, 0) as in_use,
       (select count(*) from ff_at_gate g
         where g.gate_state = 1 and g.namespace = k.namespace and g.gate_kind = 0 and g.name = k.name
           and g.gate_key = k.key) as parked,
       nullif(u.paused_until_ms, 0) as paused_until_ms
  from (select namespace, name, '' as key from ff_limit
         union
        select namespace, name, key from ff_limit_override
         union
        select namespace, name, key from ff_limit_key
         union
        select namespace, name, gate_key from ff_at_gate where gate_state = 1 and gate_kind = 0) k
  join ff_limit l on l.namespace = k.namespace and l.name = k.name
  left join ff_limit_override o on o.namespace = k.namespace and o.name = k.name and o.key = k.key
  left join ff_limit_key u on u.namespace = k.namespace and u.name = k.name and u.key = k.key;

-- The executions that hold a slot of a limit, or run on a budget.
create view ff_slot_holder as
select c.namespace, json_extract('["limit","budget"]', '$[' || g.gate_kind || ']') as gate, g.name, g.gate_key as key,
       '{fp:' || c.partition_key || '}:' || lower(
           substr(hex(c.execution_id), 1, 8) || '-' || substr(hex(c.execution_id), 9, 4) || '-'
           || substr(hex(c.execution_id), 13, 4) || '-' || substr(hex(c.execution_id), 17, 4) || '-'
           || substr(hex(c.execution_id), 21)
       ) as execution_id,
       c.execution_kind as kind, c.lane_id as lane, c.priority, c.worker_id, c.lease_expires_at_ms
  from ff_at_gate g
  join ff_exec_core c on c.partition_key = g.partition_key and c.execution_id = g.execution_id
 where g.gate_state = 2;

-- The executions that wait for a limit or for a budget.
create view ff_parked_execution as
select c.namespace, json_extract('["limit","budget"]', '$[' || g.gate_kind || ']') as gate, g.name, g.gate_key as key,
       '{fp:' || c.partition_key || '}:' || lower(
           substr(hex(c.execution_id), 1, 8) || '-' || substr(hex(c.execution_id), 9, 4) || '-'
           || substr(hex(c.execution_id), 13, 4) || '-' || substr(hex(c.execution_id), 17, 4) || '-'
           || substr(hex(c.execution_id), 21)
       ) as execution_id,
       c.execution_kind as kind, c.lane_id as lane, c.priority, g.turn, g.ready_at_ms
  from ff_at_gate g
  join ff_exec_core c on c.partition_key = g.partition_key and c.execution_id = g.execution_id
 where g.gate_state = 1;

-- What is used of each budget: a row for each dimension in each period. period_ms is null if nothing was used so far.
create view ff_budget_status as
select b.namespace, b.name, d.key as dimension, u.period_ms,
       coalesce((select v.value from json_each(u.used) v where v.key = d.key), 0) as used,
       coalesce((select v.value from json_each(u.reserved) v where v.key = d.key), 0) as reserved,
       coalesce((select v.value from json_each(u.assumed) v where v.key = d.key), 0) as assumed,
       d.value as hard_limit,
       (select v.value from json_each(b.soft_limits) v where v.key = d.key) as soft_limit,
       b.parent, b.on_exceeded,
       (select count(*) from ff_at_gate g
         where g.gate_state = 1 and g.namespace = b.namespace and g.gate_kind = 1 and g.name = b.name
           and g.gate_key = '') as parked
  from ff_budget b
  join json_each(b.limits) d
  left join ff_budget_use u on u.namespace = b.namespace and u.name = b.name;
