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
