-- The questions of `ff doctor`. They are rare, so they may read everything that is leased or waits.

-- name: count_leases
-- How many leases each worker holds, with two sample ids. A running execution has one of the given kinds of due
-- moments.
select c.namespace, c.worker_instance_id, count(*), min(c.lease_expires_at_ms), max(c.lease_expires_at_ms),
       min(lower(hex(c.execution_id))), max(lower(hex(c.execution_id)))
  from json_each(?) as k
 cross join ff_exec_core c indexed by ff_exec_core_due
    on c.due_at_ms is not null and c.due_kind = k.value and c.lifecycle_phase = {phase.active}
 group by c.namespace, c.worker_instance_id
 order by c.namespace, c.worker_instance_id;

-- name: count_waiting
-- How much waits in each lane, by required capabilities: their tokens as JSON, null for none. What is parked at a limit
-- or a budget waits, too: it needs a worker once there is room.
select q.namespace, q.lane_id, s.tokens, q.waiting, q.oldest_ms
  from (select namespace, lane_id, capability_set, count(*) as waiting, min(ready_at_ms) as oldest_ms
          from ff_exec_core indexed by ff_exec_core_ready
         where lifecycle_phase = {phase.runnable} and eligibility_state = {eligibility.eligible_now}
         group by namespace, lane_id, capability_set
         union all
        select namespace, lane_id, capability_set, count(*), min(ready_at_ms)
          from ff_at_gate
         where gate_state = {gate_state.parked}
         group by namespace, lane_id, capability_set) q
  left join ff_capability_set s on s.capability_set = q.capability_set;

-- name: count_due
-- How many due moments have come by an instant, by kind.
select c.due_kind, count(*), min(c.due_at_ms)
  from json_each(?2) as k
 cross join ff_exec_core c indexed by ff_exec_core_due
    on c.due_at_ms is not null and c.due_kind = k.value and c.due_at_ms <= ?1
 group by c.due_kind;

-- name: count_overdue_acks
select count(*), min(overdue_at_ms) from ff_cancel_backlog_member where overdue_at_ms <= ?;

-- name: count_overdue_openings
-- How many gates are to be looked at by an instant, and since when the first.
select count(*), min(at_ms) from ff_opening where at_ms <= ?;

-- name: list_leased_gates
-- The gates of every leased execution that has some.
select namespace, gates
  from ff_exec_core indexed by ff_exec_core_gated
 where gates is not null and lifecycle_phase <= {phase.suspended} and lifecycle_phase = {phase.active};

-- name: list_keys_in_use
select namespace, name, key, in_use, busy_until_us, paused_until_ms from ff_limit_key where in_use > 0;

-- name: list_uses_that_matter
-- What is used of budgets, where something is reserved or a limit was reached.
select namespace, name, period_ms, used, reserved, assumed, passed, exceeded
  from ff_budget_use
 where reserved <> '{}' or exceeded <> '[]';

-- name: newest_record
-- When the newest event was written, or the newest execution, if that was later.
select max(coalesce((select occurred_at_ms from ff_event where event_id = (select max(event_id) from ff_event)), 0),
           coalesce((select max(created_at_ms) from ff_exec_core), 0));

-- name: count_held
-- Executions on hold, by namespace: how many, since when the first, and two sample ids. Reads the whole table once.
select c.namespace, count(*),
       min((select max(e.occurred_at_ms) from ff_event e
             where e.partition_key = c.partition_key and e.execution_id = c.execution_id and e.event_type = 'held')),
       min(lower(hex(c.execution_id))), max(lower(hex(c.execution_id)))
  from ff_exec_core c not indexed
 where c.lifecycle_phase = {phase.runnable} and c.eligibility_state = {eligibility.blocked_by_operator}
 group by c.namespace
 order by c.namespace;

-- name: count_endless_waits
-- Suspended executions that have waited since an instant or longer and have no due moment, by namespace: how many, since
-- when the first, and two sample ids.
select c.namespace, count(*), min(c.waiting_since_ms), min(lower(hex(c.execution_id))), max(lower(hex(c.execution_id)))
  from ff_exec_core c
 where c.lifecycle_phase = {phase.suspended} and c.waiting_since_ms <= ? and c.due_at_ms is null
 group by c.namespace
 order by c.namespace;

-- name: list_ends_of_secrets
-- Until when the tokens of each secret are good. No secret is read.
select json_extract(k.value, '$.valid_until_ms') from ff_key_ring r, json_each(r.keys) k;

-- name: count_failed
-- How many executions and flows failed after an instant, by namespace. Reads the whole table of executions once.
select namespace, sum(executions), sum(flows)
  from (select namespace, count(*) as executions, 0 as flows
          from ff_exec_core not indexed
         where terminal_outcome = {outcome.failed} and terminal_at_ms > ?1
         group by namespace
         union all
        select namespace, 0, count(*)
          from ff_flow_core
         where state = {flow_state.failed} and terminal_at_ms > ?1
         group by namespace) f
 group by namespace
 order by namespace;
