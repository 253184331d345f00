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

-- A budget as it was set. Limits and period are JSON.
create table ff_budget (
    namespace   text collate "C" not null,
    name        text collate "C" not null,
    limits      text             not null,
    soft_limits text             not null,
    period      text,
    parent      text collate "C",
    on_exceeded text             not null,
    reset_at_ms bigint,
    primary key (namespace, name)
);

-- What is used of a budget in one period. Amounts and dimensions are JSON.
create table ff_budget_use (
    namespace text collate "C" not null,
    name      text collate "C" not null,
    period_ms bigint           not null,
    used      text             not null,
    reserved  text             not null,
    assumed   text             not null,
    passed    text             not null,
    exceeded  text             not null,
    primary key (namespace, name, period_ms)
) with (fillfactor = 50);

-- In the tables below the primary key is the last index that is made. In an empty table all indexes cost the same, and
-- then the server takes the last one, for plans that are used for hours.

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
