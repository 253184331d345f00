-- Where a statement orders parked executions by more columns than it needs, that leaves the planner one index.
--
-- Turns of fair keys, uses of keys and uses of budgets are locked, each table in the order of its keys. A row that does
-- not exist yet is inserted, so that there is something to lock. One statement does both, because a batch that inserts
-- one row waits for others as a batch that locks one does: with two statements, there would be two orders. A row that
-- exists is locked by its conflict, and "where false" leaves it as it is. The row is read by the next statement, which
-- sees what was committed before the lock. Limits, budgets and turns of lanes are read without locks. Rows at gates,
-- lines of the ledger and keys of spends change only under the lock of their execution.
--
-- A batch that holds later locks waits for nobody: the lock_late statements return only rows that exist and are free.

-- columns: budget
b.namespace, b.name, b.limits, b.soft_limits, b.period, b.parent, b.on_exceeded, b.reset_at_ms

-- columns: budget_use
u.namespace, u.name, u.period_ms, u.used, u.reserved, u.assumed, u.passed, u.exceeded

-- name: update_gates
-- The gates of executions, with the turn that follows from them.
update ff_exec_core c
   set gates = n.gates, turn = n.turn
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(gates)s::text[], %(turn)s::integer[])
       as n (partition_key, execution_id, gates, turn)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: update_moved
-- Executions that were parked or admitted, and in which nothing else has changed.
update ff_exec_core c
   set eligibility_state = n.eligibility_state,
       public_state = n.public_state,
       gates = n.gates,
       turn = n.turn
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(eligibility_state)s::smallint[],
              %(public_state)s::smallint[], %(gates)s::text[], %(turn)s::integer[])
       as n (partition_key, execution_id, eligibility_state, public_state, gates, turn)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: update_hot_columns_and_gates
-- The columns of update_hot_columns and of update_gates.
update ff_exec_core c
   set lifecycle_phase = n.lifecycle_phase,
       eligibility_state = n.eligibility_state,
       attempt_state = n.attempt_state,
       terminal_outcome = n.terminal_outcome,
       public_state = n.public_state,
       attempt_index = n.attempt_index,
       lease_epoch = n.lease_epoch,
       event_seq = n.event_seq,
       worker_id = n.worker_id,
       worker_instance_id = n.worker_instance_id,
       lease_ttl_ms = n.lease_ttl_ms,
       lease_expires_at_ms = n.lease_expires_at_ms,
       attempt_started_at_ms = n.attempt_started_at_ms,
       started_at_ms = n.started_at_ms,
       terminal_at_ms = n.terminal_at_ms,
       ready_at_ms = n.ready_at_ms,
       lease_mark = n.lease_mark,
       lease_era = n.lease_era,
       gates = n.gates,
       turn = n.turn
  from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(lifecycle_phase)s::smallint[],
           %(eligibility_state)s::smallint[], %(attempt_state)s::smallint[], %(terminal_outcome)s::smallint[],
           %(public_state)s::smallint[], %(attempt_index)s::integer[], %(lease_epoch)s::bigint[],
           %(event_seq)s::integer[], %(worker_id)s::text[], %(worker_instance_id)s::text[],
           %(lease_ttl_ms)s::bigint[], %(lease_expires_at_ms)s::bigint[], %(attempt_started_at_ms)s::bigint[],
           %(started_at_ms)s::bigint[], %(terminal_at_ms)s::bigint[], %(ready_at_ms)s::bigint[],
           %(lease_mark)s::text[], %(lease_era)s::bigint[], %(gates)s::text[], %(turn)s::integer[]
       ) as n (
           partition_key, execution_id, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome,
           public_state, attempt_index, lease_epoch, event_seq, worker_id, worker_instance_id, lease_ttl_ms,
           lease_expires_at_ms, attempt_started_at_ms, started_at_ms, terminal_at_ms, ready_at_ms, lease_mark,
           lease_era, gates, turn
       )
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: read_limits
select l.namespace, l.name, null, l.concurrency, l.rate, l.per_ms, l.burst
  from unnest(%(namespace)s::text[], %(name)s::text[]) as n (namespace, name)
  join ff_limit l on l.namespace = any (array[n.namespace collate "C"]) and l.name = n.name collate "C";

-- name: read_limit_overrides
-- The numbers of single keys.
select l.namespace, l.name, l.key, l.concurrency, l.rate, l.per_ms, l.burst
  from unnest(%(namespace)s::text[], %(name)s::text[], %(key)s::text[]) as n (namespace, name, key)
  join ff_limit_override l on l.namespace = any (array[n.namespace collate "C"]) and l.name = n.name collate "C"
   and l.key = n.key collate "C";

-- name: read_budgets
-- The named budgets, with all their ancestors.
with recursive chain (namespace, name, parent, depth) as (
    select b.namespace, b.name, b.parent, 1
      from unnest(%(namespace)s::text[], %(name)s::text[]) as n (namespace, name)
      join ff_budget b on b.namespace = any (array[n.namespace collate "C"]) and b.name = n.name collate "C"
     union
    select b.namespace, b.name, b.parent, c.depth + 1
      from chain c
      join ff_budget b on b.namespace = any (array[c.namespace]) and b.name = c.parent
     where c.depth < 8
)
select
       /* columns: budget */
  from (select distinct namespace, name from chain) n
 cross join lateral (select * from ff_budget x where x.namespace = n.namespace and x.name = n.name limit 1) b;

-- name: find_budgets_under
-- The budgets that have one of the named ones as their parent, each with its place among them.
select n.place::integer, b.name
  from unnest(%(namespace)s::text[], %(name)s::text[]) with ordinality as n (namespace, name, place)
  join ff_budget b on b.namespace = any (array[n.namespace collate "C"]) and b.parent = n.name collate "C";

-- name: read_lane_turns
select t.namespace, t.lane_id, t.priority, t.turn
  from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(priority)s::integer[]) as n (namespace, lane_id, priority)
  join ff_lane_turn t on t.namespace = any (array[n.namespace collate "C"]) and t.lane_id = n.lane_id collate "C"
   and t.priority = n.priority;

-- name: save_lane_turns
-- Several batches may claim in one lane. The highest turn counts.
insert into ff_lane_turn as t (namespace, lane_id, priority, turn)
select * from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(priority)s::integer[], %(turn)s::integer[])
on conflict (namespace, lane_id, priority) do update set turn = excluded.turn where t.turn < excluded.turn;

-- name: read_key_turns
select t.namespace, t.lane_id, t.priority, t.fair_key, t.turn, t.given_at_ms
  from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(priority)s::integer[], %(fair_key)s::text[])
       as n (namespace, lane_id, priority, fair_key)
  join ff_key_turn t on t.namespace = any (array[n.namespace collate "C"]) and t.lane_id = n.lane_id collate "C"
   and t.priority = n.priority and t.fair_key = n.fair_key collate "C";

-- name: lock_key_turns
insert into ff_key_turn (namespace, lane_id, priority, fair_key, turn, given_at_ms)
select n.namespace, n.lane_id, n.priority, n.fair_key, 0, 0
  from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(priority)s::integer[], %(fair_key)s::text[])
       as n (namespace, lane_id, priority, fair_key)
on conflict (namespace, lane_id, priority, fair_key) do update set turn = excluded.turn where false;

-- name: lock_late_key_turns
select t.namespace, t.lane_id, t.priority, t.fair_key, t.turn, t.given_at_ms
  from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(priority)s::integer[], %(fair_key)s::text[])
       as n (namespace, lane_id, priority, fair_key)
 cross join lateral (
           select * from ff_key_turn x
            where x.namespace = n.namespace collate "C" and x.lane_id = n.lane_id collate "C"
              and x.priority = n.priority and x.fair_key = n.fair_key collate "C"
              for update skip locked
       ) t;

-- name: save_key_turns
update ff_key_turn c
   set turn = n.turn, given_at_ms = n.given_at_ms
  from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(priority)s::integer[], %(fair_key)s::text[],
              %(turn)s::integer[], %(given_at_ms)s::bigint[])
       as n (namespace, lane_id, priority, fair_key, turn, given_at_ms)
 where c.namespace = any (array[n.namespace collate "C"]) and c.lane_id = n.lane_id collate "C"
   and c.priority = n.priority and c.fair_key = n.fair_key collate "C";

-- name: delete_key_turns
delete from ff_key_turn c
 using unnest(%(namespace)s::text[], %(lane_id)s::text[], %(priority)s::integer[], %(fair_key)s::text[])
       as n (namespace, lane_id, priority, fair_key)
 where c.namespace = any (array[n.namespace collate "C"]) and c.lane_id = n.lane_id collate "C"
   and c.priority = n.priority and c.fair_key = n.fair_key collate "C";

-- name: read_key_uses
select u.namespace, u.name, u.key, u.in_use, u.busy_until_us, u.paused_until_ms
  from unnest(%(namespace)s::text[], %(name)s::text[], %(key)s::text[]) as n (namespace, name, key)
  join ff_limit_key u on u.namespace = any (array[n.namespace collate "C"]) and u.name = n.name collate "C"
   and u.key = n.key collate "C";

-- name: lock_key_uses
-- Returns the keys that had no row. Their rows are removed again, unless the batch changes them. They stay out of the
-- index of idle keys, so that the batch that takes a slot changes no index.
insert into ff_limit_key (namespace, name, key, in_use, busy_until_us, paused_until_ms, idle_at_ms)
select n.namespace, n.name, n.key, 0, 0, 0, null
  from unnest(%(namespace)s::text[], %(name)s::text[], %(key)s::text[]) as n (namespace, name, key)
on conflict (namespace, name, key) do update set in_use = excluded.in_use where false
returning namespace, name, key;

-- name: lock_late_key_uses
select u.namespace, u.name, u.key, u.in_use, u.busy_until_us, u.paused_until_ms
  from unnest(%(namespace)s::text[], %(name)s::text[], %(key)s::text[]) as n (namespace, name, key)
 cross join lateral (
           select * from ff_limit_key x
            where x.namespace = n.namespace collate "C" and x.name = n.name collate "C" and x.key = n.key collate "C"
              for update skip locked
       ) u;

-- name: save_key_uses
update ff_limit_key c
   set in_use = n.in_use,
       busy_until_us = n.busy_until_us,
       paused_until_ms = n.paused_until_ms,
       idle_at_ms = n.idle_at_ms
  from unnest(
           %(namespace)s::text[], %(name)s::text[], %(key)s::text[], %(in_use)s::integer[],
           %(busy_until_us)s::bigint[], %(paused_until_ms)s::bigint[], %(idle_at_ms)s::bigint[]
       ) as n (namespace, name, key, in_use, busy_until_us, paused_until_ms, idle_at_ms)
 where c.namespace = any (array[n.namespace collate "C"]) and c.name = n.name collate "C"
   and c.key = n.key collate "C";

-- name: delete_key_uses
delete from ff_limit_key c
 using unnest(%(namespace)s::text[], %(name)s::text[], %(key)s::text[]) as n (namespace, name, key)
 where c.namespace = any (array[n.namespace collate "C"]) and c.name = n.name collate "C"
   and c.key = n.key collate "C";

-- name: read_budget_uses
select
       /* columns: budget_use */
  from unnest(%(namespace)s::text[], %(name)s::text[], %(period_ms)s::bigint[]) as n (namespace, name, period_ms)
  join ff_budget_use u on u.namespace = any (array[n.namespace collate "C"]) and u.name = n.name collate "C"
   and u.period_ms = n.period_ms;

-- name: lock_budget_uses
insert into ff_budget_use (namespace, name, period_ms, used, reserved, assumed, passed, exceeded)
select n.namespace, n.name, n.period_ms, '{}', '{}', '{}', '[]', '[]'
  from unnest(%(namespace)s::text[], %(name)s::text[], %(period_ms)s::bigint[]) as n (namespace, name, period_ms)
on conflict (namespace, name, period_ms) do update set used = excluded.used where false;

-- name: lock_late_budget_uses
select
       /* columns: budget_use */
  from unnest(%(namespace)s::text[], %(name)s::text[], %(period_ms)s::bigint[]) as n (namespace, name, period_ms)
 cross join lateral (
           select * from ff_budget_use x
            where x.namespace = n.namespace collate "C" and x.name = n.name collate "C" and x.period_ms = n.period_ms
              for update skip locked
       ) u;

-- name: save_budget_uses
update ff_budget_use c
   set used = n.used,
       reserved = n.reserved,
       assumed = n.assumed,
       passed = n.passed,
       exceeded = n.exceeded
  from unnest(
           %(namespace)s::text[], %(name)s::text[], %(period_ms)s::bigint[], %(used)s::text[], %(reserved)s::text[],
           %(assumed)s::text[], %(passed)s::text[], %(exceeded)s::text[]
       ) as n (namespace, name, period_ms, used, reserved, assumed, passed, exceeded)
 where c.namespace = any (array[n.namespace collate "C"]) and c.name = n.name collate "C"
   and c.period_ms = n.period_ms;

-- name: delete_budget_uses
delete from ff_budget_use c
 using unnest(%(namespace)s::text[], %(name)s::text[], %(period_ms)s::bigint[]) as n (namespace, name, period_ms)
 where c.namespace = any (array[n.namespace collate "C"]) and c.name = n.name collate "C"
   and c.period_ms = n.period_ms;

-- name: read_ledger
select l.partition_key, l.execution_id::text, l.namespace, l.budget, l.period_ms, l.day_ms, l.amounts
  from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(budget)s::text[], %(period_ms)s::bigint[],
           %(day_ms)s::bigint[]
       ) as n (partition_key, execution_id, budget, period_ms, day_ms)
  join ff_ledger l on l.partition_key = any (array[n.partition_key]) and l.execution_id = n.execution_id
   and l.budget = n.budget collate "C" and l.period_ms = n.period_ms and l.day_ms = n.day_ms;

-- name: read_spend_keys
select k.partition_key, k.execution_id::text, k.budget, k.idempotency_key, k.amounts, k.answer
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(budget)s::text[], %(idempotency_key)s::text[])
       as n (partition_key, execution_id, budget, idempotency_key)
  join ff_spend_key k on k.partition_key = any (array[n.partition_key]) and k.execution_id = n.execution_id
   and k.budget = n.budget collate "C" and k.idempotency_key = n.idempotency_key collate "C";

-- part: rooms_at_gates
with recursive gate as materialized (
    select *
      from unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[],
                  %(most)s::integer[])
           with ordinality as n (namespace, gate_kind, name, gate_key, most, place)
), room (place, lane_id, capability_set) as (
    select n.place, g.lane_id, g.capability_set
      from gate n
     cross join lateral (
               select x.lane_id, x.capability_set from ff_at_gate x
                where x.gate_state = {gate_state.parked} and x.namespace = n.namespace collate "C"
                  and x.gate_kind = n.gate_kind and x.name = n.name collate "C" and x.gate_key = n.gate_key collate "C"
                order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set
                limit 1
           ) g
     union all
    select n.place, g.lane_id, g.capability_set
      from room r
      join gate n on n.place = r.place
     cross join lateral (
               select x.lane_id, x.capability_set from ff_at_gate x
                where x.gate_state = {gate_state.parked} and x.namespace = n.namespace collate "C"
                  and x.gate_kind = n.gate_kind and x.name = n.name collate "C" and x.gate_key = n.gate_key collate "C"
                  and (x.lane_id, x.capability_set) > (r.lane_id, r.capability_set)
                order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set
                limit 1
           ) g
), counted as materialized (
    select n.*, r.lane_id, r.capability_set,
           (select count(*)
              from (select from ff_at_gate x
                     where x.gate_state = {gate_state.parked} and x.namespace = n.namespace collate "C"
                       and x.gate_kind = n.gate_kind and x.name = n.name collate "C"
                       and x.gate_key = n.gate_key collate "C" and x.lane_id = r.lane_id
                       and x.capability_set = r.capability_set
                     order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set, x.rank
                     limit n.most) as those) as there
      from room r
      join gate n on n.place = r.place
)

-- part: first_of_rooms
  from counted n
  left join lateral (
           select e.*
             from ff_at_gate g
             join ff_exec_core e on e.partition_key = any (array[g.partition_key]) and e.execution_id = g.execution_id
            where g.gate_state = {gate_state.parked} and g.namespace = n.namespace collate "C"
              and g.gate_kind = n.gate_kind and g.name = n.name collate "C" and g.gate_key = n.gate_key collate "C"
              and g.lane_id = n.lane_id and g.capability_set = n.capability_set
              and e.lifecycle_phase + 0 = {phase.runnable}
              and e.eligibility_state + 0 in ({eligibility.blocked_by_quota}, {eligibility.blocked_by_budget})
            order by g.namespace, g.gate_kind, g.name, g.gate_key, g.lane_id, g.capability_set, g.rank, g.turn,
                     g.ready_at_ms, g.execution_id, g.partition_key
            limit n.most
              for update of e skip locked
       ) c on true

-- name: lock_parked
-- The first executions of each room at the named gates: so many of each lane and capability set, in queue order. Those
-- that others hold are skipped; each row also says which gate it is about, in which room, and how many of the room there
-- are, up to the number that is asked for. A room whose executions are all held has one row without an execution. As in
-- lock_ready, the conditions are tested again on the locked row.
/* part: rooms_at_gates */
select
       /* columns: execution */,
       n.place, n.lane_id, n.capability_set, n.there
/* part: first_of_rooms */;

-- name: lock_running
-- The oldest executions that run under a gate and need not pause yet, so many of each gate. Those that others hold are
-- skipped; each row also says which gate it is about, and how many there are, up to the number that is asked for. In
-- JSON a quote inside of a text is escaped, so the pattern finds the field of the gates and nothing else.
with counted as materialized (
    select n.*,
           (select count(*)
              from (select from ff_at_gate x
                      join ff_exec_core y on y.partition_key = any (array[x.partition_key])
                       and y.execution_id = x.execution_id
                     where x.gate_state = {gate_state.leased} and x.namespace = n.namespace collate "C"
                       and x.gate_kind = n.gate_kind and x.name = n.name collate "C"
                       and x.gate_key = n.gate_key collate "C" and y.gates not like '%%"must_pause":true%%'
                     order by x.gate_state, x.namespace, x.gate_kind, x.name, x.gate_key, x.ready_at_ms
                     limit n.most) as those) as there
      from unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[],
                  %(most)s::integer[])
           with ordinality as n (namespace, gate_kind, name, gate_key, most, place)
)
select
       /* columns: execution */,
       n.place, n.there
  from counted n
  left join lateral (
           select e.*
             from ff_at_gate g
             join ff_exec_core e on e.partition_key = any (array[g.partition_key]) and e.execution_id = g.execution_id
            where g.gate_state = {gate_state.leased} and g.namespace = n.namespace collate "C"
              and g.gate_kind = n.gate_kind and g.name = n.name collate "C" and g.gate_key = n.gate_key collate "C"
              and e.lifecycle_phase + 0 = {phase.active} and e.gates not like '%%"must_pause":true%%'
            order by g.gate_state, g.namespace, g.gate_kind, g.name, g.gate_key, g.ready_at_ms, g.execution_id,
                     g.partition_key
            limit n.most
              for update of e skip locked
       ) c on true;

-- name: find_crowded
-- Which of the named rooms at gates have an execution that is parked there, by their place among the named ones. A room
-- is named by the tokens of its capabilities.
select n.place::integer
  from unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[],
              %(lane_id)s::text[], %(tokens)s::text[])
       with ordinality as n (namespace, gate_kind, name, gate_key, lane_id, tokens, place)
  join ff_capability_set s on s.tokens = any (array[n.tokens])
 cross join lateral (
           select from ff_at_gate x
            where x.gate_state = {gate_state.parked} and x.namespace = n.namespace collate "C"
              and x.gate_kind = n.gate_kind and x.name = n.name collate "C" and x.gate_key = n.gate_key collate "C"
              and x.lane_id = n.lane_id collate "C" and x.capability_set = s.capability_set
            order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set, x.rank
            limit 1
       ) g;

-- name: find_oldest_at_gates
-- The executions that have stood longest at each named gate, in a named state, and the place of the gate among the named
-- ones.
select n.place::integer, g.ready_at_ms, g.execution_id::text, g.partition_key
  from unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[],
              %(gate_state)s::smallint[])
       with ordinality as n (namespace, gate_kind, name, gate_key, gate_state, place)
 cross join lateral (
           select x.ready_at_ms, x.execution_id, x.partition_key from ff_at_gate x
            where x.gate_state = n.gate_state and x.namespace = n.namespace collate "C"
              and x.gate_kind = n.gate_kind and x.name = n.name collate "C" and x.gate_key = n.gate_key collate "C"
            order by x.gate_state, x.namespace, x.gate_kind, x.name, x.gate_key, x.ready_at_ms, x.execution_id,
                     x.partition_key
            limit %(most)s::integer
       ) g;

-- name: find_crowded_keys
-- The next keys of a limit, from the given one on or after it, at which executions are parked: one index step for each.
with recursive found (gate_key, number) as (
    (select x.gate_key, 1
       from ff_at_gate x
      where x.gate_state = {gate_state.parked} and x.namespace = %(namespace)s and x.gate_kind = {gate_kind.limit}
        and x.name = %(name)s and x.gate_key >= %(after)s and (x.gate_key > %(after)s or %(with_it)s::boolean)
      order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id
      limit 1)
     union all
    select g.gate_key, f.number + 1
      from found f
     cross join lateral (
               select x.gate_key from ff_at_gate x
                where x.gate_state = {gate_state.parked} and x.namespace = %(namespace)s
                  and x.gate_kind = {gate_kind.limit} and x.name = %(name)s and x.gate_key > f.gate_key
                order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id
                limit 1
           ) g
     where f.number < %(most)s::integer
)
select gate_key from found;

-- name: save_limits
insert into ff_limit (namespace, name, concurrency, rate, per_ms, burst)
select * from unnest(%(namespace)s::text[], %(name)s::text[], %(concurrency)s::integer[], %(rate)s::integer[],
                     %(per_ms)s::bigint[], %(burst)s::integer[])
on conflict (namespace, name) do update set
    concurrency = excluded.concurrency,
    rate = excluded.rate,
    per_ms = excluded.per_ms,
    burst = excluded.burst;

-- name: save_limit_overrides
insert into ff_limit_override (namespace, name, key, concurrency, rate, per_ms, burst)
select * from unnest(%(namespace)s::text[], %(name)s::text[], %(key)s::text[], %(concurrency)s::integer[],
                     %(rate)s::integer[], %(per_ms)s::bigint[], %(burst)s::integer[])
on conflict (namespace, name, key) do update set
    concurrency = excluded.concurrency,
    rate = excluded.rate,
    per_ms = excluded.per_ms,
    burst = excluded.burst;

-- name: delete_limits
delete from ff_limit c
 using unnest(%(namespace)s::text[], %(name)s::text[]) as n (namespace, name)
 where c.namespace = any (array[n.namespace collate "C"]) and c.name = n.name collate "C";

-- name: delete_limit_overrides
delete from ff_limit_override c
 using unnest(%(namespace)s::text[], %(name)s::text[], %(key)s::text[]) as n (namespace, name, key)
 where c.namespace = any (array[n.namespace collate "C"]) and c.name = n.name collate "C"
   and c.key = n.key collate "C";

-- name: save_budgets
insert into ff_budget (namespace, name, limits, soft_limits, period, parent, on_exceeded, reset_at_ms)
select * from unnest(
           %(namespace)s::text[], %(name)s::text[], %(limits)s::text[], %(soft_limits)s::text[], %(period)s::text[],
           %(parent)s::text[], %(on_exceeded)s::text[], %(reset_at_ms)s::bigint[]
       )
on conflict (namespace, name) do update set
    limits = excluded.limits,
    soft_limits = excluded.soft_limits,
    period = excluded.period,
    parent = excluded.parent,
    on_exceeded = excluded.on_exceeded,
    reset_at_ms = excluded.reset_at_ms;

-- name: save_ledger
insert into ff_ledger (partition_key, execution_id, namespace, budget, period_ms, day_ms, amounts)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(namespace)s::text[], %(budget)s::text[],
           %(period_ms)s::bigint[], %(day_ms)s::bigint[], %(amounts)s::text[]
       )
on conflict (partition_key, execution_id, budget, period_ms, day_ms) do update set amounts = excluded.amounts;

-- name: insert_spend_keys
insert into ff_spend_key (partition_key, execution_id, budget, idempotency_key, amounts, answer)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(budget)s::text[], %(idempotency_key)s::text[],
           %(amounts)s::text[], %(answer)s::bytea[]
       );

-- name: share_definitions
-- Limits and budgets stay as they are until this batch commits.
select pg_advisory_xact_lock_shared(%(lock)s::bigint);

-- name: lock_definitions
-- Only this batch changes limits and budgets until it commits, and nobody depends on them meanwhile.
select pg_advisory_xact_lock(%(lock)s::bigint);

-- name: read_openings
-- The versions of those of the named rows that exist, by their places among the named ones.
select n.place::integer, o.xmin::text
  from unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[])
       with ordinality as n (namespace, gate_kind, name, gate_key, place)
  join ff_opening o on o.namespace = any (array[n.namespace collate "C"]) and o.gate_kind = n.gate_kind
   and o.name = n.name collate "C" and o.gate_key = n.gate_key collate "C";

-- name: lock_openings
-- For a batch that writes some rows and removes others: all of them are locked in one order first. A row that does not
-- exist is made, and this batch writes or removes it.
insert into ff_opening (namespace, gate_kind, name, gate_key, at_ms)
select n.namespace, n.gate_kind, n.name, n.gate_key, 9223372036854775807
  from unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[])
       as n (namespace, gate_kind, name, gate_key)
on conflict (namespace, gate_kind, name, gate_key) do update set at_ms = excluded.at_ms where false;

-- name: save_openings
-- The earliest instant counts. The row is written also if its instant stays: it gets another version then, and whoever
-- looks at the gate now does not remove it.
insert into ff_opening as o (namespace, gate_kind, name, gate_key, at_ms)
select * from unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[],
                     %(at_ms)s::bigint[])
on conflict (namespace, gate_kind, name, gate_key) do update set at_ms = least(o.at_ms, excluded.at_ms);

-- name: delete_openings
-- Rows that somebody has written since they were read stay. Those that lock_openings has made go.
delete from ff_opening c
 using unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[],
              %(version)s::text[]) as n (namespace, gate_kind, name, gate_key, version)
 where c.namespace = any (array[n.namespace collate "C"]) and c.gate_kind = n.gate_kind
   and c.name = n.name collate "C" and c.gate_key = n.gate_key collate "C"
   and (c.xmin::text = n.version or c.at_ms = 9223372036854775807);

-- name: save_at_gate
insert into ff_at_gate (
    partition_key, execution_id, namespace, gate_kind, name, gate_key, gate_state, lane_id, capability_set, rank, turn,
    ready_at_ms
)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(namespace)s::text[], %(gate_kind)s::smallint[],
           %(name)s::text[], %(gate_key)s::text[], %(gate_state)s::smallint[], %(lane_id)s::text[],
           %(capability_set)s::integer[], %(rank)s::integer[], %(turn)s::integer[], %(ready_at_ms)s::bigint[]
       )
on conflict (partition_key, execution_id, gate_kind, name, gate_key) do update set
    gate_state = excluded.gate_state,
    lane_id = excluded.lane_id,
    capability_set = excluded.capability_set,
    rank = excluded.rank,
    turn = excluded.turn,
    ready_at_ms = excluded.ready_at_ms;

-- name: delete_at_gate
delete from ff_at_gate c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(gate_kind)s::smallint[], %(name)s::text[],
              %(gate_key)s::text[]) as n (partition_key, execution_id, gate_kind, name, gate_key)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
   and c.gate_kind = n.gate_kind and c.name = n.name collate "C" and c.gate_key = n.gate_key collate "C";

-- name: delete_gates
-- All rows of executions.
delete from ff_at_gate c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: keep_daily_sums
-- Add what executions have spent to the sums of days, in the order of their keys: other batches may add to the same.
insert into ff_budget_day as d (namespace, budget, day_ms, execution_kind, dimension, amount)
select l.namespace, l.budget, l.day_ms, n.execution_kind collate "C", a.key collate "C", sum(a.value::bigint)::bigint
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(execution_kind)s::text[])
       as n (partition_key, execution_id, execution_kind)
 cross join lateral (
           select * from ff_ledger x
            where x.partition_key = n.partition_key and x.execution_id = n.execution_id
              for update
       ) l
 cross join lateral json_each_text(l.amounts::json) as a (key, value)
 group by l.namespace, l.budget, l.day_ms, n.execution_kind collate "C", a.key collate "C"
 order by l.namespace, l.budget, l.day_ms, n.execution_kind collate "C", a.key collate "C"
    on conflict (namespace, budget, day_ms, execution_kind, dimension) do update set
       amount = d.amount + excluded.amount;

-- name: delete_ledger
delete from ff_ledger c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: delete_spend_keys
delete from ff_spend_key c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: list_limits
-- Limits by namespace and name, from the given one on. Without a namespace: of all namespaces.
select l.namespace, l.name, null, l.concurrency, l.rate, l.per_ms, l.burst
  from ff_limit l
 where (l.namespace, l.name) >= (%(of_namespace)s, %(name)s)
   and (%(namespace)s::text is null or l.namespace = %(namespace)s)
 order by l.namespace, l.name
 limit %(most)s;

-- name: list_keys_of_limit
-- The next keys of a limit after a key that have numbers of their own or are used.
select k.key
  from (select key from (select o.key from ff_limit_override o
                          where o.namespace = %(namespace)s and o.name = %(name)s and o.key > %(after)s
                          order by o.key
                          limit %(most)s) as own
         union
        select key from (select u.key from ff_limit_key u
                          where u.namespace = %(namespace)s and u.name = %(name)s and u.key > %(after)s
                          order by u.key
                          limit %(most)s) as used) k
 order by k.key
 limit %(most)s;

-- name: count_parked
-- How many executions are parked at each named gate, up to a number, by the place of the gate among the named ones.
select n.place::integer, g.parked
  from unnest(%(namespace)s::text[], %(gate_kind)s::smallint[], %(name)s::text[], %(gate_key)s::text[])
       with ordinality as n (namespace, gate_kind, name, gate_key, place)
 cross join lateral (
           select count(*) as parked
             from (select from ff_at_gate x
                    where x.gate_state = {gate_state.parked} and x.namespace = n.namespace collate "C"
                      and x.gate_kind = n.gate_kind and x.name = n.name collate "C"
                      and x.gate_key = n.gate_key collate "C"
                    order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set
                    limit %(most)s) as those
       ) g;

-- name: count_parked_before
-- How many executions are parked at a gate in front of an execution that is parked there, up to a number of each room.
-- In each room they are the first ones, so those behind it are not read. No row: it is not parked there. The sum keeps
-- the planner from looking for it among all that are parked.
with recursive b as materialized (
    select *
      from ff_at_gate x
     where x.partition_key = %(partition_key)s and x.execution_id = %(execution_id)s::uuid
       and x.gate_kind = %(gate_kind)s and x.name = %(name)s and x.gate_key = %(gate_key)s
       and x.namespace = %(namespace)s and x.gate_state + 0 = {gate_state.parked}
), room (lane_id, capability_set) as (
    (select x.lane_id, x.capability_set
       from ff_at_gate x
      where x.gate_state = {gate_state.parked} and x.namespace = %(namespace)s and x.gate_kind = %(gate_kind)s
        and x.name = %(name)s and x.gate_key = %(gate_key)s
      order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set
      limit 1)
     union all
    select g.lane_id, g.capability_set
      from room r
     cross join lateral (
               select x.lane_id, x.capability_set from ff_at_gate x
                where x.gate_state = {gate_state.parked} and x.namespace = %(namespace)s
                  and x.gate_kind = %(gate_kind)s and x.name = %(name)s and x.gate_key = %(gate_key)s
                  and (x.lane_id, x.capability_set) > (r.lane_id, r.capability_set)
                order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set
                limit 1
           ) g
)
select (select coalesce(sum(f.number), 0)::bigint
          from room r
         cross join lateral (
                   select count(*) as number
                     from (select from ff_at_gate x
                            where x.gate_state = {gate_state.parked} and x.namespace = %(namespace)s
                              and x.gate_kind = %(gate_kind)s and x.name = %(name)s and x.gate_key = %(gate_key)s
                              and x.lane_id = r.lane_id and x.capability_set = r.capability_set
                              and (x.rank, x.turn, x.ready_at_ms, x.execution_id, x.partition_key)
                                  < (b.rank, b.turn, b.ready_at_ms, b.execution_id, b.partition_key)
                            order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set, x.rank
                            limit %(most)s) as those
               ) f)
  from b;

-- name: list_budgets
-- Budgets by namespace and name, after the given one. Without a namespace: of all namespaces.
select
       /* columns: budget */
  from ff_budget b
 where (b.namespace, b.name) > (%(of_namespace)s, %(name)s)
   and (%(namespace)s::text is null or b.namespace = %(namespace)s)
 order by b.namespace, b.name
 limit %(most)s;

-- name: sum_spending_by_execution
-- What the next executions after the given one have spent of a budget, by dimension.
select l.partition_key, l.execution_id::text, a.key, sum(a.value::bigint)::bigint
  from (select distinct partition_key, execution_id
          from ff_ledger
         where namespace = %(namespace)s and budget = %(budget)s
           and (partition_key, execution_id) > (%(partition_key)s::smallint, %(execution_id)s::uuid)
         order by partition_key, execution_id
         limit %(most)s) f
  join ff_ledger l on l.partition_key = f.partition_key and l.execution_id = f.execution_id
   and l.budget = %(budget)s
 cross join lateral json_each_text(l.amounts::json) as a (key, value)
 group by l.partition_key, l.execution_id, a.key
 order by l.partition_key, l.execution_id, a.key collate "C";

-- name: sum_spending_by_flow
-- What flows have spent of a budget, by dimension.
select c.flow_id::text, a.key, sum(a.value::bigint)::bigint
  from ff_ledger l
  join ff_exec_core c on c.partition_key = l.partition_key and c.execution_id = l.execution_id
 cross join lateral json_each_text(l.amounts::json) as a (key, value)
 where l.namespace = %(namespace)s and l.budget = %(budget)s and c.flow_id is not null
 group by c.flow_id, a.key
 order by c.flow_id, a.key collate "C";

-- name: sum_spending_by_kind
-- What executions of each kind have spent of a budget, by dimension, also executions that are gone.
select s.execution_kind, s.dimension, sum(s.amount)::bigint
  from (select c.execution_kind collate "C" as execution_kind, a.key as dimension, a.value::bigint as amount
          from ff_ledger l
          join ff_exec_core c on c.partition_key = l.partition_key and c.execution_id = l.execution_id
         cross join lateral json_each_text(l.amounts::json) as a (key, value)
         where l.namespace = %(namespace)s and l.budget = %(budget)s
         union all
        select execution_kind, dimension, amount from ff_budget_day
         where namespace = %(namespace)s and budget = %(budget)s) s
 group by s.execution_kind, s.dimension
 order by s.execution_kind collate "C", s.dimension collate "C";

-- name: sum_spending_by_day
-- What was spent of a budget on each day, by dimension, also by executions that are gone.
select s.day_ms, s.dimension, sum(s.amount)::bigint
  from (select l.day_ms, a.key as dimension, a.value::bigint as amount
          from ff_ledger l
         cross join lateral json_each_text(l.amounts::json) as a (key, value)
         where l.namespace = %(namespace)s and l.budget = %(budget)s
         union all
        select day_ms, dimension, amount from ff_budget_day
         where namespace = %(namespace)s and budget = %(budget)s) s
 group by s.day_ms, s.dimension
 order by s.day_ms, s.dimension collate "C";

-- name: find_openings
-- Gates that are to be looked at by an instant, earliest first.
select namespace, gate_kind, name, gate_key
  from ff_opening
 where at_ms <= %(until_ms)s
 order by at_ms, namespace, gate_kind, name, gate_key
 limit %(most)s;

-- name: find_idle_keys
-- Keys of limits whose row says nothing any more at an instant.
select namespace, name, key
  from ff_limit_key
 where idle_at_ms is not null and idle_at_ms <= %(until_ms)s
 order by idle_at_ms
 limit %(most)s;

-- name: find_old_uses
-- The next uses of budgets whose periods began by an instant, the earliest first.
select namespace, name, period_ms
  from ff_budget_use
 where period_ms + 0 <= %(until_ms)s
   and (period_ms + 0, namespace, name) > (%(period_ms)s::bigint, %(namespace)s collate "C", %(name)s collate "C")
 order by period_ms + 0, namespace, name
 limit %(most)s;

-- name: read_gate_rows
-- The rows of the named executions at gates.
select g.partition_key, g.execution_id::text, g.namespace, g.gate_kind, g.name, g.gate_key, g.gate_state, g.lane_id,
       g.capability_set, -g.rank, g.turn, g.ready_at_ms
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_at_gate g on g.partition_key = any (array[n.partition_key]) and g.execution_id = n.execution_id;

-- name: find_turns_of_keys
select k.namespace, k.lane_id, k.priority, k.fair_key, k.turn, k.given_at_ms, coalesce(l.turn, 0)
  from (select * from ff_key_turn
         where (namespace, lane_id, priority, fair_key)
               > (%(namespace)s collate "C", %(lane_id)s collate "C", %(priority)s::integer, %(fair_key)s collate "C")
         order by namespace, lane_id, priority, fair_key
         limit %(most)s) k
  left join ff_lane_turn l on l.namespace = any (array[k.namespace]) and l.lane_id = k.lane_id
   and l.priority = k.priority
 order by k.namespace, k.lane_id, k.priority, k.fair_key;
