-- columns: budget
b.namespace, b.name, b.limits, b.soft_limits, b.period, b.parent, b.on_exceeded, b.reset_at_ms

-- columns: budget_use
u.namespace, u.name, u.period_ms, u.used, u.reserved, u.assumed, u.passed, u.exceeded

-- name: update_gates
-- The gates of executions, with the turn that follows from them.
update ff_exec_core as c
   set gates = n.column3,
       turn = n.column4
  from (values /* rows */ (?, ?, ?, ?)) as n
 where c.partition_key = +n.column1 and c.execution_id = +n.column2
   and /* part: sent_first */;

-- name: update_moved
-- Executions that were parked or admitted, and in which nothing else has changed.
update ff_exec_core as c
   set eligibility_state = n.column3,
       public_state = n.column4,
       gates = n.column5,
       turn = n.column6
  from (values /* rows */ (?, ?, ?, ?, ?, ?)) as n
 where c.partition_key = +n.column1 and c.execution_id = +n.column2
   and /* part: sent_first */;

-- name: update_hot_columns_and_gates
-- The columns of update_hot_columns and of update_gates.
update ff_exec_core as c
   set lifecycle_phase = n.column3,
       eligibility_state = n.column4,
       attempt_state = n.column5,
       terminal_outcome = n.column6,
       public_state = n.column7,
       attempt_index = n.column8,
       lease_epoch = n.column9,
       event_seq = n.column10,
       due_kind = n.column11,
       due_at_ms = n.column12,
       worker_id = n.column13,
       worker_instance_id = n.column14,
       lease_ttl_ms = n.column15,
       lease_expires_at_ms = n.column16,
       attempt_started_at_ms = n.column17,
       started_at_ms = n.column18,
       terminal_at_ms = n.column19,
       ready_at_ms = n.column20,
       lease_mark = n.column21,
       lease_era = n.column22,
       gates = n.column23,
       turn = n.column24
  from (values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)) as n
 where c.partition_key = +n.column1 and c.execution_id = +n.column2
   and /* part: sent_first */;

-- name: load_limits
select json_group_array(json_array(l.namespace, l.name, null, l.concurrency, l.rate, l.per_ms, l.burst))
  from (values /* rows */ (?, ?)) as n
 cross join ff_limit l on l.namespace = n.column1 and l.name = n.column2;

-- name: load_limit_overrides
-- The numbers of single keys.
select json_group_array(json_array(l.namespace, l.name, l.key, l.concurrency, l.rate, l.per_ms, l.burst))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_limit_override l on l.namespace = n.column1 and l.name = n.column2 and l.key = n.column3;

-- name: load_key_uses
select json_group_array(json_array(u.namespace, u.name, u.key, u.in_use, u.busy_until_us, u.paused_until_ms))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_limit_key u on u.namespace = n.column1 and u.name = n.column2 and u.key = n.column3;

-- name: load_lane_turns
select json_group_array(json_array(t.namespace, t.lane_id, t.priority, t.turn))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_lane_turn t on t.namespace = n.column1 and t.lane_id = n.column2 and t.priority = n.column3;

-- name: load_key_turns
select json_group_array(json_array(t.namespace, t.lane_id, t.priority, t.fair_key, t.turn, t.given_at_ms))
  from (values /* rows */ (?, ?, ?, ?)) as n
 cross join ff_key_turn t on t.namespace = n.column1 and t.lane_id = n.column2 and t.priority = n.column3
   and t.fair_key = n.column4;

-- name: load_budgets
select json_group_array(json_array(/* columns: budget */))
  from (values /* rows */ (?, ?)) as n
 cross join ff_budget b on b.namespace = n.column1 and b.name = n.column2;

-- name: find_budgets_under
-- The budgets that have one of the given ones as their parent, each with its place among them.
select json_group_array(json_array(n.column1, b.name))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_budget b indexed by ff_budget_under on b.namespace = n.column2 and b.parent = n.column3;

-- name: load_budget_uses
select json_group_array(json_array(/* columns: budget_use */))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_budget_use u on u.namespace = n.column1 and u.name = n.column2 and u.period_ms = n.column3;

-- name: load_ledger
select json_group_array(json_array(
           l.partition_key, hex(l.execution_id), l.namespace, l.budget, l.period_ms, l.day_ms, l.amounts
       ))
  from (values /* rows */ (?, ?, ?, ?, ?)) as n
 cross join ff_ledger l on l.partition_key = n.column1 and l.execution_id = n.column2 and l.budget = n.column3
   and l.period_ms = n.column4 and l.day_ms = n.column5;

-- name: load_spend_keys
select json_group_array(json_array(
           k.partition_key, hex(k.execution_id), k.budget, k.idempotency_key, k.amounts, hex(k.answer)
       ))
  from (values /* rows */ (?, ?, ?, ?)) as n
 cross join ff_spend_key k on k.partition_key = n.column1 and k.execution_id = n.column2 and k.budget = n.column3
   and k.idempotency_key = n.column4;

-- name: find_crowded_gates
-- Which of the given gates have a parked execution. A gate has a number before its name.
select json_group_array(n.column1)
  from (values /* rows */ (?, ?, ?, ?, ?)) as n
 where exists (select 1
                 from ff_at_gate g indexed by ff_at_gate_parked
                where g.gate_state = {gate_state.parked} and g.namespace = n.column2 and g.gate_kind = n.column3
                  and g.name = n.column4 and g.gate_key = n.column5);

-- name: load_rooms
-- The lanes and capability sets of the executions that are parked at a gate: one index step for each lane and each set.
with recursive r (lane_id) as (
    select (select min(lane_id)
              from ff_at_gate indexed by ff_at_gate_parked
             where gate_state = {gate_state.parked} and namespace = ?1 and gate_kind = ?2 and name = ?3
               and gate_key = ?4)
     union all
    select (select min(g.lane_id)
              from ff_at_gate g indexed by ff_at_gate_parked
             where g.gate_state = {gate_state.parked} and g.namespace = ?1 and g.gate_kind = ?2 and g.name = ?3
               and g.gate_key = ?4 and g.lane_id > r.lane_id)
      from r
     where r.lane_id is not null
),
found (lane_id, capability_set) as (
    select r.lane_id,
           (select min(g.capability_set)
              from ff_at_gate g indexed by ff_at_gate_parked
             where g.gate_state = {gate_state.parked} and g.namespace = ?1 and g.gate_kind = ?2 and g.name = ?3
               and g.gate_key = ?4 and g.lane_id = r.lane_id)
      from r
     where r.lane_id is not null
     union all
    select found.lane_id,
           (select min(g.capability_set)
              from ff_at_gate g indexed by ff_at_gate_parked
             where g.gate_state = {gate_state.parked} and g.namespace = ?1 and g.gate_kind = ?2 and g.name = ?3
               and g.gate_key = ?4 and g.lane_id = found.lane_id and g.capability_set > found.capability_set)
      from found
     where found.capability_set is not null
)
select json_group_array(json_array(lane_id, capability_set)) from found where capability_set is not null;

-- name: load_parked
-- The first executions of one room, in queue order.
select json_group_array(json_array(partition_key, hex(execution_id), -rank, turn, ready_at_ms))
  from (select partition_key, execution_id, rank, turn, ready_at_ms
          from ff_at_gate indexed by ff_at_gate_parked
         where gate_state = {gate_state.parked} and namespace = ? and gate_kind = ? and name = ? and gate_key = ?
           and lane_id = ? and capability_set = ?
         order by rank, turn, ready_at_ms, execution_id, partition_key
         limit ?) as found;

-- name: find_crowded
-- Which of the given rooms hold a parked execution. A room has a number, a gate, a lane and a capability set.
select json_group_array(n.column1)
  from (values /* rows */ (?, ?, ?, ?, ?, ?, ?)) as n
 where exists (select 1
                 from ff_at_gate g indexed by ff_at_gate_parked
                where g.gate_state = {gate_state.parked} and g.namespace = n.column2 and g.gate_kind = n.column3
                  and g.name = n.column4 and g.gate_key = n.column5 and g.lane_id = n.column6
                  and g.capability_set = n.column7);

-- name: find_oldest_at_gate
-- The executions that have stood at a gate longest, in one of its states.
select ready_at_ms, execution_id, partition_key
  from ff_at_gate indexed by ff_at_gate_oldest
 where namespace = ? and gate_kind = ? and name = ? and gate_key = ? and gate_state = ?
 order by ready_at_ms, execution_id, partition_key
 limit ?;

-- name: find_running_at_gate
-- The oldest executions that run under a gate and need not pause yet. One whose gates do not parse is not among them.
select g.partition_key, g.execution_id
  from ff_at_gate g indexed by ff_at_gate_oldest
 cross join ff_exec_core c on c.partition_key = g.partition_key and c.execution_id = g.execution_id
 where g.namespace = ? and g.gate_kind = ? and g.name = ? and g.gate_key = ? and g.gate_state = {gate_state.leased}
   and iif(json_valid(c.gates), json_extract(c.gates, '$.must_pause') is not true, 0)
 order by g.ready_at_ms, g.execution_id, g.partition_key
 limit ?;

-- name: find_crowded_keys
-- The next keys of a limit after a key at which executions are parked: one index step for each.
with recursive found (gate_key, number) as (
    select (select min(gate_key)
              from ff_at_gate indexed by ff_at_gate_parked
             where gate_state = {gate_state.parked} and namespace = ?1 and gate_kind = {gate_kind.limit} and name = ?2
               and gate_key > ?3), 1
     union all
    select (select min(g.gate_key)
              from ff_at_gate g indexed by ff_at_gate_parked
             where g.gate_state = {gate_state.parked} and g.namespace = ?1 and g.gate_kind = {gate_kind.limit}
               and g.name = ?2 and g.gate_key > found.gate_key), found.number + 1
      from found
     where found.gate_key is not null and found.number < ?4
)
select gate_key from found where gate_key is not null;

-- name: save_limits
insert into ff_limit (namespace, name, concurrency, rate, per_ms, burst) values /* rows */ (?, ?, ?, ?, ?, ?)
on conflict (namespace, name) do update set
    concurrency = excluded.concurrency,
    rate = excluded.rate,
    per_ms = excluded.per_ms,
    burst = excluded.burst;

-- name: save_limit_overrides
insert into ff_limit_override (namespace, name, key, concurrency, rate, per_ms, burst)
values /* rows */ (?, ?, ?, ?, ?, ?, ?)
on conflict (namespace, name, key) do update set
    concurrency = excluded.concurrency,
    rate = excluded.rate,
    per_ms = excluded.per_ms,
    burst = excluded.burst;

-- name: delete_limits
delete from ff_limit where namespace = ? and name = ?;

-- name: delete_limit_overrides
delete from ff_limit_override where namespace = ? and name = ? and key = ?;

-- name: save_key_uses
insert into ff_limit_key (namespace, name, key, in_use, busy_until_us, paused_until_ms, idle_at_ms)
values /* rows */ (?, ?, ?, ?, ?, ?, ?)
on conflict (namespace, name, key) do update set
    in_use = excluded.in_use,
    busy_until_us = excluded.busy_until_us,
    paused_until_ms = excluded.paused_until_ms,
    idle_at_ms = excluded.idle_at_ms;

-- name: delete_key_uses
-- Keys of one limit.
delete from ff_limit_key where namespace = ? and name = ? and key in (/* rows */ (?));

-- name: save_lane_turns
insert into ff_lane_turn (namespace, lane_id, priority, turn) values /* rows */ (?, ?, ?, ?)
on conflict (namespace, lane_id, priority) do update set turn = excluded.turn;

-- name: save_key_turns
insert into ff_key_turn (namespace, lane_id, priority, fair_key, turn, given_at_ms)
values /* rows */ (?, ?, ?, ?, ?, ?)
on conflict (namespace, lane_id, priority, fair_key) do update set
    turn = excluded.turn,
    given_at_ms = excluded.given_at_ms;

-- name: delete_key_turns
delete from ff_key_turn where namespace = ? and lane_id = ? and priority = ? and fair_key = ?;

-- name: save_budgets
insert into ff_budget (namespace, name, limits, soft_limits, period, parent, on_exceeded, reset_at_ms)
values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (namespace, name) do update set
    limits = excluded.limits,
    soft_limits = excluded.soft_limits,
    period = excluded.period,
    parent = excluded.parent,
    on_exceeded = excluded.on_exceeded,
    reset_at_ms = excluded.reset_at_ms;

-- name: save_budget_uses
insert into ff_budget_use (namespace, name, period_ms, used, reserved, assumed, passed, exceeded)
values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (namespace, name, period_ms) do update set
    used = excluded.used,
    reserved = excluded.reserved,
    assumed = excluded.assumed,
    passed = excluded.passed,
    exceeded = excluded.exceeded;

-- name: delete_budget_uses
delete from ff_budget_use where namespace = ? and name = ? and period_ms = ?;

-- name: save_ledger
insert into ff_ledger (partition_key, execution_id, namespace, budget, period_ms, day_ms, amounts)
values /* rows */ (?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, execution_id, budget, period_ms, day_ms) do update set amounts = excluded.amounts;

-- name: save_spend_keys
insert into ff_spend_key (partition_key, execution_id, budget, idempotency_key, amounts, answer)
values /* rows */ (?, ?, ?, ?, ?, ?)
on conflict (partition_key, execution_id, budget, idempotency_key) do update set
    amounts = excluded.amounts,
    answer = excluded.answer;

-- name: save_openings
-- The earliest instant counts.
insert into ff_opening (namespace, gate_kind, name, gate_key, at_ms) values /* rows */ (?, ?, ?, ?, ?)
on conflict (namespace, gate_kind, name, gate_key) do update set at_ms = min(at_ms, excluded.at_ms);

-- name: delete_openings
delete from ff_opening where namespace = ? and gate_kind = ? and name = ? and gate_key = ?;

-- name: save_at_gate
insert into ff_at_gate (
    partition_key, execution_id, namespace, gate_kind, name, gate_key, gate_state, lane_id, capability_set, rank, turn,
    ready_at_ms
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, execution_id, gate_kind, name, gate_key) do update set
    gate_state = excluded.gate_state,
    lane_id = excluded.lane_id,
    capability_set = excluded.capability_set,
    rank = excluded.rank,
    turn = excluded.turn,
    ready_at_ms = excluded.ready_at_ms;

-- name: delete_at_gate
delete from ff_at_gate where partition_key = ? and execution_id = ? and gate_kind = ? and name = ? and gate_key = ?;

-- name: delete_gates
-- All rows of executions of one partition.
delete from ff_at_gate where partition_key = ? and execution_id in (/* rows */ (?));

-- name: keep_daily_sums
-- Add what an execution has spent to the sums of days.
insert into ff_budget_day (namespace, budget, day_ms, execution_kind, dimension, amount)
select l.namespace, l.budget, l.day_ms, ?3, k.key, k.value
  from ff_ledger l, json_each(l.amounts) k
 where l.partition_key = ?1 and l.execution_id = ?2
    on conflict (namespace, budget, day_ms, execution_kind, dimension) do update set amount = amount + excluded.amount;

-- name: delete_ledger
delete from ff_ledger where partition_key = ? and execution_id = ?;

-- name: delete_spend_keys
delete from ff_spend_key where partition_key = ? and execution_id = ?;

-- name: list_limits
-- Limits by namespace and name, from the given one on. Without a namespace: of all namespaces.
select l.namespace, l.name, null, l.concurrency, l.rate, l.per_ms, l.burst
  from ff_limit l
 where (l.namespace, l.name) >= (?1, ?2) and (?3 is null or l.namespace = ?3)
 order by l.namespace, l.name
 limit ?4;

-- name: list_override_keys
-- The next keys of a limit after a key that have numbers of their own.
select key from ff_limit_override where namespace = ? and name = ? and key > ? order by key limit ?;

-- name: list_used_keys
-- The next keys of a limit after a key that are used.
select key from ff_limit_key where namespace = ? and name = ? and key > ? order by key limit ?;

-- name: count_parked
-- How many executions are parked at a gate, up to a number.
select count(*)
  from (select 1
          from ff_at_gate indexed by ff_at_gate_parked
         where gate_state = {gate_state.parked} and namespace = ? and gate_kind = ? and name = ? and gate_key = ?
         limit ?) as found;

-- name: find_place_at_gate
-- The place in the queue of an execution that is parked at a gate. No row: it is not.
select rank, turn, ready_at_ms, execution_id, partition_key
  from ff_at_gate
 where partition_key = ? and execution_id = ? and gate_kind = ? and name = ? and gate_key = ?
   and gate_state = {gate_state.parked};

-- name: count_parked_before
-- How many executions of one room are in front of a place in the queue, up to a number.
select count(*)
  from (select 1
          from ff_at_gate indexed by ff_at_gate_parked
         where gate_state = {gate_state.parked} and namespace = ? and gate_kind = ? and name = ? and gate_key = ?
           and lane_id = ? and capability_set = ?
           and (rank, turn, ready_at_ms, execution_id, partition_key) < (?, ?, ?, ?, ?)
         limit ?) as found;

-- name: list_budgets
-- Budgets by namespace and name, after the given one. Without a namespace: of all namespaces.
select /* columns: budget */
  from ff_budget b
 where (b.namespace, b.name) > (?1, ?2) and (?3 is null or b.namespace = ?3)
 order by b.namespace, b.name
 limit ?4;

-- name: sum_spending_by_execution
-- What the next executions after the given one have spent of a budget, by dimension.
select l.partition_key, l.execution_id, a.key, sum(a.value)
  from (select distinct partition_key, execution_id
          from ff_ledger indexed by ff_ledger_budget
         where namespace = ?1 and budget = ?2 and (partition_key, execution_id) > (?3, ?4)
         order by partition_key, execution_id
         limit ?5) f
 cross join ff_ledger l indexed by ff_ledger_budget
    on l.namespace = ?1 and l.budget = ?2 and l.partition_key = f.partition_key and l.execution_id = f.execution_id
 cross join json_each(l.amounts) a
 group by l.partition_key, l.execution_id, a.key
 order by l.partition_key, l.execution_id, a.key;

-- name: sum_spending_by_flow
-- What flows have spent of a budget, by dimension.
select c.flow_id, a.key, sum(a.value)
  from ff_ledger l indexed by ff_ledger_budget
 cross join ff_exec_core c on c.partition_key = l.partition_key and c.execution_id = l.execution_id
 cross join json_each(l.amounts) a
 where l.namespace = ? and l.budget = ? and c.flow_id is not null
 group by c.flow_id, a.key
 order by c.flow_id, a.key;

-- name: sum_spending_by_kind
-- What executions of each kind have spent of a budget, by dimension, also executions that are gone.
select execution_kind, dimension, sum(amount)
  from (select c.execution_kind, a.key as dimension, a.value as amount
          from ff_ledger l indexed by ff_ledger_budget
         cross join ff_exec_core c on c.partition_key = l.partition_key and c.execution_id = l.execution_id
         cross join json_each(l.amounts) a
         where l.namespace = ?1 and l.budget = ?2
         union all
        select execution_kind, dimension, amount from ff_budget_day where namespace = ?1 and budget = ?2)
 group by execution_kind, dimension
 order by execution_kind, dimension;

-- name: sum_spending_by_day
-- What was spent of a budget on each day, by dimension, also by executions that are gone.
select day_ms, dimension, sum(amount)
  from (select l.day_ms, a.key as dimension, a.value as amount
          from ff_ledger l indexed by ff_ledger_budget
         cross join json_each(l.amounts) a
         where l.namespace = ?1 and l.budget = ?2
         union all
        select day_ms, dimension, amount from ff_budget_day where namespace = ?1 and budget = ?2)
 group by day_ms, dimension
 order by day_ms, dimension;

-- name: find_openings
-- Gates that are to be looked at by an instant, earliest first.
select namespace, gate_kind, name, gate_key
  from ff_opening indexed by ff_opening_due
 where at_ms <= ?
 order by at_ms, namespace, gate_kind, name, gate_key
 limit ?;

-- name: find_idle_keys
-- Keys of limits whose row says nothing any more at an instant.
select namespace, name, key
  from ff_limit_key indexed by ff_limit_key_idle
 where idle_at_ms is not null and idle_at_ms <= ?
 order by idle_at_ms
 limit ?;

-- name: find_old_uses
-- The next uses of budgets whose periods began by an instant, the earliest first.
select namespace, name, period_ms
  from ff_budget_use indexed by ff_budget_use_age
 where period_ms <= ?4 and (period_ms, namespace, name) > (?1, ?2, ?3)
 order by period_ms, namespace, name
 limit ?5;

-- name: find_gated
-- Executions with gates that have not ended, in the order of their ids, after the given one.
select partition_key, execution_id
  from ff_exec_core indexed by ff_exec_core_gated
 where gates is not null and lifecycle_phase <= {phase.suspended} and (partition_key, execution_id) > (?, ?)
 order by partition_key, execution_id
 limit ?;

-- name: find_at_gates
-- Executions that stand at a gate, in the order of their ids, after the given one.
select distinct partition_key, execution_id
  from ff_at_gate
 where (partition_key, execution_id) > (?, ?)
 order by partition_key, execution_id
 limit ?;

-- name: load_gate_rows
-- The rows of the named executions at gates.
select json_group_array(json_array(
           g.partition_key, hex(g.execution_id), g.namespace, g.gate_kind, g.name, g.gate_key, g.gate_state, g.lane_id,
           g.capability_set, -g.rank, g.turn, g.ready_at_ms
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_at_gate g on g.partition_key = n.column1 and g.execution_id = n.column2;

-- name: find_turns_of_keys
select k.namespace, k.lane_id, k.priority, k.fair_key, k.turn, k.given_at_ms, coalesce(l.turn, 0)
  from ff_key_turn k
  left join ff_lane_turn l on l.namespace = k.namespace and l.lane_id = k.lane_id and l.priority = k.priority
 where (k.namespace, k.lane_id, k.priority, k.fair_key) > (?, ?, ?, ?)
 order by k.namespace, k.lane_id, k.priority, k.fair_key
 limit ?;
