-- The questions of `ff doctor`. They are rare, so they may read everything that is leased or waits.

-- part: running
-- Every running execution, and others: its next due moment is of one of the given kinds, and is a row or on a sheet.
select partition_key, execution_id from ff_due where due_kind = any (%(due_kind)s::smallint[])
 union
select n.partition_key, n.execution_id
  from ff_lease_sheet s
 cross join lateral unnest(s.partition_keys, s.execution_ids) as n (partition_key, execution_id)

-- name: count_leases
-- How many leases each worker holds, with two sample ids.
select c.namespace, c.worker_instance_id, count(*), min(c.lease_expires_at_ms), max(c.lease_expires_at_ms),
       min(c.execution_id::text), max(c.execution_id::text)
  from (/* part: running */) r
  join ff_exec_core c on c.partition_key = r.partition_key and c.execution_id = r.execution_id
 where c.lifecycle_phase = {phase.active}
 group by c.namespace, c.worker_instance_id
 order by c.namespace, c.worker_instance_id;

-- name: count_waiting
-- How much waits in each lane, by required capabilities: their tokens as JSON, null for none. What is parked at a limit
-- or a budget waits, too: it needs a worker once there is room.
select q.namespace, q.lane_id, s.tokens, q.waiting, q.oldest_ms
  from (select namespace, lane_id, capability_set, count(*) as waiting, min(ready_at_ms) as oldest_ms
          from ff_ready
         group by namespace, lane_id, capability_set
         union all
        select namespace, lane_id, capability_set, count(*), min(ready_at_ms)
          from ff_at_gate
         where gate_state = {gate_state.parked}
         group by namespace, lane_id, capability_set) q
  left join ff_capability_set s on s.capability_set = q.capability_set
 order by q.namespace, q.lane_id, q.capability_set;

-- name: count_due
-- How many due moments have come by an instant, by kind.
select due_kind, count(*), min(due_at_ms)
  from (select due_kind, due_at_ms from ff_due
         union all
        select {due_kind.lease}, s.due_at_ms
          from ff_lease_sheet s
         cross join lateral unnest(s.partition_keys, s.execution_ids) as n (partition_key, execution_id)
          join ff_exec_core c on c.partition_key = n.partition_key and c.execution_id = n.execution_id
         where c.lifecycle_phase = {phase.active} and c.lease_expires_at_ms = s.due_at_ms) d
 where due_kind = any (%(due_kind)s::smallint[]) and due_at_ms <= %(until_ms)s
 group by due_kind
 order by due_kind;

-- name: count_overdue_acks
select count(*), min(overdue_at_ms) from ff_cancel_backlog_member where overdue_at_ms <= %(until_ms)s;

-- name: count_overdue_openings
-- How many gates are to be looked at by an instant, and since when the first.
select count(*), min(at_ms) from ff_opening where at_ms <= %(until_ms)s;

-- name: list_leased_gates
-- The gates of every leased execution that has some.
select c.namespace, c.gates
  from (/* part: running */) r
  join ff_exec_core c on c.partition_key = r.partition_key and c.execution_id = r.execution_id
 where c.lifecycle_phase = {phase.active} and c.gates is not null;

-- name: list_keys_in_use
select namespace, name, key, in_use, busy_until_us, paused_until_ms from ff_limit_key where in_use > 0;

-- name: list_uses_that_matter
-- What is used of budgets, where something is reserved or a limit was reached.
select namespace, name, period_ms, used, reserved, assumed, passed, exceeded
  from ff_budget_use
 where reserved <> '{}' or exceeded <> '[]';

-- name: newest_record
-- When the newest event was written, or the newest execution, if that was later.
select greatest(
           (select occurred_at_ms from ff_event order by event_id desc limit 1),
           (select max(created_at_ms) from ff_exec_core where created_at_ms >= 0),
           0
       );

-- name: open_transactions
-- Open transactions of other sessions on this database, oldest first. A query is shown up to its first literal only.
select a.pid::text, false, (extract(epoch from clock_timestamp() - a.xact_start) * 1000)::bigint,
       coalesce(a.application_name, ''), coalesce(a.state, ''),
       left(regexp_replace(split_part(a.query, '''', 1), '\s+', ' ', 'g'), 60)
  from pg_stat_activity a
 where a.datname = current_database() and a.pid <> pg_backend_pid() and a.backend_type = 'client backend'
   and a.xact_start is not null
 union all
select p.gid, true, (extract(epoch from clock_timestamp() - p.prepared) * 1000)::bigint, '', 'prepared', ''
  from pg_prepared_xacts p
 where p.database = current_database()
 order by 3 desc;

-- name: server_state
-- Whether the server is a standby, whether commits wait for the disk, how many sessions are hidden from our role, and
-- for how many followers commits do not wait.
select pg_is_in_recovery(), current_setting('synchronous_commit') <> 'off',
       (select count(*)
          from pg_stat_activity
         where datname = current_database() and query = '<insufficient privilege>'),
       case when current_setting('synchronous_standby_names') = '' then (select count(*) from pg_stat_replication)
            else 0 end;

-- name: count_held
-- Executions on hold, by namespace: how many, since when the first, and two sample ids. Reads the whole table once.
select c.namespace, count(*),
       min((select max(e.occurred_at_ms) from ff_event e
             where e.partition_key = c.partition_key and e.execution_id = c.execution_id and e.event_type = 'held')),
       min(c.execution_id::text), max(c.execution_id::text)
  from ff_exec_core c
 where c.lifecycle_phase = {phase.runnable} and c.eligibility_state = {eligibility.blocked_by_operator}
 group by c.namespace
 order by c.namespace;

-- name: count_endless_waits
-- Suspended executions that have waited since an instant or longer and have no due moment, by namespace: how many, since
-- when the first, and two sample ids.
select c.namespace, count(*), min(c.waiting_since_ms), min(c.execution_id::text), max(c.execution_id::text)
  from ff_exec_core c
 where c.waiting_since_ms <= %(since_ms)s and c.lifecycle_phase = {phase.suspended}
   and not exists (select from ff_due d
                    where d.due_kind = any (%(due_kind)s::smallint[])
                      and d.partition_key = c.partition_key and d.execution_id = c.execution_id)
 group by c.namespace
 order by c.namespace;

-- name: list_ends_of_secrets
-- Until when the tokens of each secret are good. No secret is read.
select (k ->> 'valid_until_ms')::bigint from ff_key_ring, json_array_elements(keys::json) k;

-- name: count_failed
-- How many executions and flows failed after an instant, by namespace. Reads the whole table of executions once.
select namespace, sum(executions), sum(flows)
  from (select namespace, count(*) as executions, 0 as flows
          from ff_exec_core
         where terminal_outcome = {outcome.failed} and terminal_at_ms > %(since_ms)s
         group by namespace
         union all
        select namespace, 0, count(*)
          from ff_flow_core
         where state = {flow_state.failed} and terminal_at_ms > %(since_ms)s
         group by namespace) f
 group by namespace
 order by namespace;
