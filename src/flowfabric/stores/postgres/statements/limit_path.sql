-- Claims of executions that are plain but for their limits, where the rules have decided about the slots alone
-- (`domain/slots.py`). The executions and the keys are locked, and each statement writes what becomes of the named ones.
-- As in fast_path.sql, the values are those that the rules have given a sample. What is the same for all, such as the
-- lane, stands in each row, or the planner would look for the lane first.

-- columns: limited
c.partition_key, c.execution_id::text, c.lease_epoch, c.event_seq, c.execution_kind, c.namespace, c.lane_id, c.tags,
c.policy, c.priority, c.ready_at_ms, c.gates,
c.attempt_state = {created.attempt_state} and c.terminal_outcome = {created.terminal_outcome}
and c.deadline_at_ms is null and c.inbox is null and c.flow_id is null and c.turn = 0
and coalesce(c.lease_era = %(lease_era)s::bigint, false) as is_plain

-- name: lock_limited_ready
-- Does the same as lock_ready, but for flows, and reads only what a claim of such an execution needs.
select
       /* columns: limited */, p.payload
  from ff_ready r
  join ff_exec_core c on c.partition_key = any (array[r.partition_key]) and c.execution_id = r.execution_id
  left join ff_payload p on p.partition_key = any (array[r.partition_key]) and p.execution_id = r.execution_id
 where r.namespace = %(namespace)s and r.lane_id = %(lane_id)s and r.capability_set = %(capability_set)s
   and c.lifecycle_phase + 0 = {phase.runnable} and c.eligibility_state + 0 = {eligibility.eligible_now}
   and c.priority + 0 = -r.rank and c.turn + 0 = r.turn and c.ready_at_ms + 0 = r.ready_at_ms
   and not exists (select from ff_lane l
                    where l.namespace = %(namespace)s and l.lane_id = %(lane_id)s and l.paused_at_ms is not null)
 order by r.namespace, r.lane_id, r.capability_set, r.rank, r.turn, r.ready_at_ms, r.execution_id, r.partition_key
 limit %(most)s
   for update of c skip locked;

-- name: lock_limited_parked
-- Does the same as lock_parked, and reads only what a claim of such an execution needs; the payload only on request.
/* part: rooms_at_gates */
select
       /* columns: limited */, p.payload, n.place, n.lane_id, n.capability_set, n.there
/* part: first_of_rooms */
  left join ff_payload p on %(with_payloads)s and p.partition_key = any (array[c.partition_key])
   and p.execution_id = c.execution_id;

-- name: lease_limited
-- Leases executions, those of the queue and those that were parked until now.
with named as materialized (
    select n.*, %(namespace)s::text as namespace, %(lane_id)s::text as lane_id,
           %(capability_set)s::integer as capability_set, 0 as turn
      from unnest(
               %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(gates)s::text[], %(is_ready)s::boolean[],
               %(rank)s::integer[], %(ready_at_ms)s::bigint[], %(event_seq)s::integer[], %(lease_epoch)s::bigint[],
               %(lease_mark)s::text[], %(details)s::text[], %(worker_id)s::text[], %(worker_instance_id)s::text[],
               %(lease_ttl_ms)s::bigint[]
           ) with ordinality as n (
               partition_key, execution_id, gates, is_ready, rank, ready_at_ms, event_seq, lease_epoch, lease_mark,
               details, worker_id, worker_instance_id, lease_ttl_ms, ordinal
           )
), updated as (
    update ff_exec_core c
       set lifecycle_phase = {leased.lifecycle_phase}, eligibility_state = {leased.eligibility_state},
           attempt_state = {leased.attempt_state}, public_state = {leased.public_state}, lease_epoch = n.lease_epoch,
           event_seq = n.event_seq + {leased.events}, worker_id = n.worker_id,
           worker_instance_id = n.worker_instance_id, lease_ttl_ms = n.lease_ttl_ms,
           lease_expires_at_ms = %(now_ms)s::bigint + n.lease_ttl_ms, attempt_started_at_ms = %(now_ms)s::bigint,
           started_at_ms = coalesce(c.started_at_ms, %(now_ms)s::bigint), delay_until_ms = null,
           lease_mark = n.lease_mark, gates = n.gates
      from named n
     where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
), no_longer_ready as (
    delete from ff_ready r using named n
     where n.is_ready and r.namespace = any (array[n.namespace]) and r.lane_id = n.lane_id
       and r.capability_set = n.capability_set and r.rank = n.rank and r.turn = n.turn
       and r.ready_at_ms = n.ready_at_ms and r.execution_id = n.execution_id and r.partition_key = n.partition_key
), at_gates as (
    update ff_at_gate g set gate_state = {leased.gate_state}
      from named n
     where g.partition_key = any (array[n.partition_key]) and g.execution_id = n.execution_id
), now_due as (
    insert into ff_lease_sheet (due_at_ms, partition_keys, execution_ids)
    select %(now_ms)s::bigint + lease_ttl_ms, array_agg(partition_key), array_agg(execution_id)
      from named
     group by lease_ttl_ms
)
insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, details, occurred_at_ms)
select {leased.channel}, {leased.event_type}, namespace, partition_key, execution_id, event_seq + {leased.events},
       details, %(now_ms)s::bigint
  from named
 order by ordinal;

-- name: park_limited
-- Parks executions of the queue, each at its only limit.
with named as materialized (
    select n.*, %(namespace)s::text as namespace, %(lane_id)s::text as lane_id,
           %(capability_set)s::integer as capability_set, 0 as turn
      from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(gates)s::text[], %(rank)s::integer[],
                  %(ready_at_ms)s::bigint[])
           as n (partition_key, execution_id, gates, rank, ready_at_ms)
), updated as (
    update ff_exec_core c
       set eligibility_state = {parked.eligibility_state}, public_state = {parked.public_state}, gates = n.gates
      from named n
     where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
), no_longer_ready as (
    delete from ff_ready r using named n
     where r.namespace = any (array[n.namespace]) and r.lane_id = n.lane_id
       and r.capability_set = n.capability_set and r.rank = n.rank and r.turn = n.turn
       and r.ready_at_ms = n.ready_at_ms and r.execution_id = n.execution_id and r.partition_key = n.partition_key
)
update ff_at_gate g set gate_state = {parked.gate_state}
  from named n
 where g.partition_key = any (array[n.partition_key]) and g.execution_id = n.execution_id;

-- name: admit_limited
-- Puts executions back into the queue that were parked, each at its only limit.
with named as materialized (
    select n.*, %(namespace)s::text as namespace, %(lane_id)s::text as lane_id,
           %(capability_set)s::integer as capability_set, 0 as turn
      from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(gates)s::text[], %(rank)s::integer[],
                  %(ready_at_ms)s::bigint[])
           as n (partition_key, execution_id, gates, rank, ready_at_ms)
), updated as (
    update ff_exec_core c
       set eligibility_state = {created.eligibility_state}, public_state = {created.public_state}, gates = n.gates
      from named n
     where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
), now_ready as (
    insert into ff_ready (namespace, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key)
    select namespace, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key from named
)
update ff_at_gate g set gate_state = {created.gate_state}
  from named n
 where g.partition_key = any (array[n.partition_key]) and g.execution_id = n.execution_id;
