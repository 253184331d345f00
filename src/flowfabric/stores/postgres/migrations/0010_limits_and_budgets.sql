-- compatible_from: 10
-- Limits and budgets. What an execution must pass, and what its lease has taken, is JSON in its own row.
-- Older programs cannot go on beside this: they would claim executions past their limits, and never give back what a
-- lease has taken.

-- gates: null if the execution has none. Its capability set then says that it waits in the plain part of the queue.
-- turn: its turn among the executions of its lane and priority with fair keys. It follows from the gates. 0: it has
-- none.
alter table ff_exec_core add column gates text, add column turn integer not null default 0;

alter table ff_ready add column turn integer not null default 0;

drop index ff_ready_order;

create unique index ff_ready_order on ff_ready
    (namespace, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key);

-- The gates of the executions that a schedule makes. Null: they have none.
alter table ff_schedule add column gates text;

-- The numbers of a limit.
create table ff_limit (
    namespace   text collate "C" not null,
    name        text collate "C" not null,
    concurrency integer,
    rate        integer,
    per_ms      bigint           not null,
    burst       integer,
    primary key (namespace, name)
);

-- The numbers of single keys.
create table ff_limit_override (
    namespace   text collate "C" not null,
    name        text collate "C" not null,
    key         text collate "C" not null,
    concurrency integer,
    rate        integer,
    per_ms      bigint           not null,
    burst       integer,
    primary key (namespace, name, key)
);

-- What is used of a key. An idle key needs no row. idle_at_ms follows from the other columns; null: it is in use. Half of
-- each page is left free, as everywhere where one row changes again and again.
create table ff_limit_key (
    namespace       text collate "C" not null,
    name            text collate "C" not null,
    key             text collate "C" not null,
    in_use          integer          not null check (in_use >= 0),
    busy_until_us   bigint           not null,
    paused_until_ms bigint           not null,
    idle_at_ms      bigint,
    primary key (namespace, name, key)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create index ff_limit_key_idle on ff_limit_key (idle_at_ms) where idle_at_ms is not null;

-- The turn that was claimed last, by lane and priority.
create table ff_lane_turn (
    namespace text collate "C" not null,
    lane_id   text collate "C" not null,
    priority  integer          not null,
    turn      integer          not null,
    primary key (namespace, lane_id, priority)
) with (fillfactor = 50);

-- The turn that a fair key was given last, by lane and priority. Idle ones are found by a walk: an index over turns
-- would change with every submit.
create table ff_key_turn (
    namespace   text collate "C" not null,
    lane_id     text collate "C" not null,
    priority    integer          not null,
    fair_key    text collate "C" not null,
    turn        integer          not null,
    given_at_ms bigint           not null,
    primary key (namespace, lane_id, priority, fair_key)
) with (fillfactor = 50);

-- In the tables below the primary key is the last index that is made. In an empty table all indexes cost the same, and
-- then the server takes the last one, for plans that are used for hours.

-- A budget as it was set. Limits and period are JSON.
create table ff_budget (
    namespace   text collate "C" not null,
    name        text collate "C" not null,
    limits      text             not null,
    soft_limits text             not null,
    period      text,
    parent      text collate "C",
    on_exceeded text             not null,
    reset_at_ms bigint
);

create index ff_budget_under on ff_budget (namespace, parent, name) where parent is not null;

alter table ff_budget add primary key (namespace, name);

-- What is used of a budget in one period. Amounts and dimensions are JSON.
create table ff_budget_use (
    namespace text collate "C" not null,
    name      text collate "C" not null,
    period_ms bigint           not null,
    used      text             not null,
    reserved  text             not null,
    assumed   text             not null,
    passed    text             not null,
    exceeded  text             not null
) with (fillfactor = 50);

-- A sum, so that no statement takes this index to find the use of one period.
create index ff_budget_use_age on ff_budget_use ((period_ms + 0), namespace, name);

alter table ff_budget_use add primary key (namespace, name, period_ms);

-- What each execution has spent of a budget, by period and day.
create table ff_ledger (
    partition_key smallint         not null,
    execution_id  uuid             not null,
    namespace     text collate "C" not null,
    budget        text collate "C" not null,
    period_ms     bigint           not null,
    day_ms        bigint           not null,
    amounts       text             not null
);

create index ff_ledger_budget on ff_ledger (namespace, budget, partition_key, execution_id);

alter table ff_ledger add primary key (partition_key, execution_id, budget, period_ms, day_ms);

-- What executions had spent that are gone, by day, kind and dimension.
create table ff_budget_day (
    namespace      text collate "C" not null,
    budget         text collate "C" not null,
    day_ms         bigint           not null,
    execution_kind text collate "C" not null,
    dimension      text collate "C" not null,
    amount         bigint           not null,
    primary key (namespace, budget, day_ms, execution_kind, dimension)
);

-- The idempotency keys of spends.
create table ff_spend_key (
    partition_key   smallint         not null,
    execution_id    uuid             not null,
    budget          text collate "C" not null,
    idempotency_key text collate "C" not null,
    amounts         text             not null,
    answer          bytea            not null,
    primary key (partition_key, execution_id, budget, idempotency_key)
);

-- When a gate is to be looked at again.
create table ff_opening (
    namespace text collate "C" not null,
    gate_kind smallint         not null check (gate_kind between 0 and 2),
    name      text collate "C" not null,
    gate_key  text collate "C" not null,
    at_ms     bigint           not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

create index ff_opening_due on ff_opening (at_ms, namespace, gate_kind, name, gate_key);

alter table ff_opening add primary key (namespace, gate_kind, name, gate_key);

-- Who stands at which gate: queued, parked or leased, with the place in the queue. rank is the priority, negated.
create table ff_at_gate (
    partition_key  smallint         not null,
    execution_id   uuid             not null,
    namespace      text collate "C" not null,
    gate_kind      smallint         not null check (gate_kind between 0 and 2),
    name           text collate "C" not null,
    gate_key       text collate "C" not null,
    gate_state     smallint         not null check (gate_state between 0 and 2),
    lane_id        text collate "C" not null,
    capability_set integer          not null,
    rank           integer          not null,
    turn           integer          not null,
    ready_at_ms    bigint           not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

-- The waiting rooms, in the order of the queue.
create index ff_at_gate_parked on ff_at_gate
    (namespace, gate_kind, name, gate_key, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key)
    where gate_state = 1;

-- Who has stood there longest.
create index ff_at_gate_oldest on ff_at_gate
    (gate_state, namespace, gate_kind, name, gate_key, ready_at_ms, execution_id, partition_key);

alter table ff_at_gate add primary key (partition_key, execution_id, gate_kind, name, gate_key);

-- Views for people, under the names that the snapshots use.

-- Each key of a limit that is used, at which executions are parked, or that has numbers of its own; and the key ''.
create view ff_limit_status as
select k.namespace, k.name, k.key,
       case when o.key is null then l.concurrency else o.concurrency end as concurrency,
       case when o.key is null then l.rate else o.rate end as rate,
       case when o.key is null then l.per_ms else o.per_ms end as per_ms,
       case when o.key is null then l.burst else o.burst end as burst,
       coalesce(u.in_use, 0) as in_use,
       (select count(*) from ff_at_gate g
         where g.gate_state = 1 and g.namespace = k.namespace and g.gate_kind = 0 and g.name = k.name
           and g.gate_key = k.key) as parked,
       nullif(u.paused_until_ms, 0) as paused_until_ms
  from (select namespace, name, '' collate "C" as key from ff_limit
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
select c.namespace, ('{limit,budget}'::text[])[g.gate_kind + 1] as gate, g.name, g.gate_key as key,
       '{fp:' || c.partition_key || '}:' || c.execution_id as execution_id,
       c.execution_kind as kind, c.lane_id as lane, c.priority, c.worker_id, c.lease_expires_at_ms
  from ff_at_gate g
  join ff_exec_core c on c.partition_key = g.partition_key and c.execution_id = g.execution_id
 where g.gate_state = 2;

-- The executions that wait for a limit or for a budget.
create view ff_parked_execution as
select c.namespace, ('{limit,budget}'::text[])[g.gate_kind + 1] as gate, g.name, g.gate_key as key,
       '{fp:' || c.partition_key || '}:' || c.execution_id as execution_id,
       c.execution_kind as kind, c.lane_id as lane, c.priority, g.turn, g.ready_at_ms
  from ff_at_gate g
  join ff_exec_core c on c.partition_key = g.partition_key and c.execution_id = g.execution_id
 where g.gate_state = 1;

-- What is used of each budget: a row for each dimension in each period. period_ms is null if nothing was used so far.
create view ff_budget_status as
select b.namespace, b.name, d.key as dimension, u.period_ms,
       coalesce((u.used::json ->> d.key)::bigint, 0) as used,
       coalesce((u.reserved::json ->> d.key)::bigint, 0) as reserved,
       coalesce((u.assumed::json ->> d.key)::bigint, 0) as assumed,
       d.value::bigint as hard_limit,
       (b.soft_limits::json ->> d.key)::bigint as soft_limit,
       b.parent, b.on_exceeded,
       (select count(*) from ff_at_gate g
         where g.gate_state = 1 and g.namespace = b.namespace and g.gate_kind = 1 and g.name = b.name
           and g.gate_key = '') as parked
  from ff_budget b
 cross join lateral json_each_text(b.limits::json) as d (key, value)
  left join ff_budget_use u on u.namespace = b.namespace and u.name = b.name;
