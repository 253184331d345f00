-- The steps of executions that are plain but for their limits, where the rules have decided about the slots alone
-- (`domain/slots.py`). As in fast_path.sql, the values are those that the rules have given a sample, and executions are
-- named by the numbers of their rows, as one JSON array.

-- columns: at_limits
c.rowid, c.partition_key, lower(hex(c.execution_id)), c.namespace, c.lane_id, c.lease_epoch, c.execution_kind, c.policy,
c.tags, c.priority, c.ready_at_ms, c.gates, c.lease_era,
length(c.execution_id) = 16 and c.partition_key between 0 and 255
and c.attempt_state = {created.attempt_state} and c.terminal_outcome = {created.terminal_outcome}
and c.worker_id is null and c.deadline_at_ms is null and c.flow_id is null and c.inbox is null and c.turn = 0

-- name: insert_limited_executions
-- New executions with limits that may run at once, need no capability and have no tags.
insert into ff_exec_core (
    partition_key, execution_id, namespace, lane_id, execution_kind, policy, priority, created_by, gates,
    capability_set, created_at_ms, ready_at_ms, lease_era, lifecycle_phase, eligibility_state, attempt_state,
    terminal_outcome, public_state, attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq
)
select n.column1, n.column2, n.column3, n.column4, n.column5, n.column6, n.column7, n.column8, n.column9, ?, ?, ?, ?,
       {created.lifecycle_phase}, {created.eligibility_state}, {created.attempt_state},
       {created.terminal_outcome}, {created.public_state}, {created.attempt_index}, {created.lease_epoch},
       {created.retry_count}, {created.interruption_count}, {created.replay_count}, {created.event_seq}
  from (values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?)) as n;

-- name: find_limited_head
-- The head of a lane's queue, of the executions without gates and of those with limits, as one JSON array in no order.
-- Null: the lane is paused, or it holds something else, which is not looked at here.
select case when not exists (select 1
                               from ff_exec_core o indexed by ff_exec_core_ready
                              where o.lifecycle_phase = {phase.runnable}
                                and o.eligibility_state = {eligibility.eligible_now}
                                and o.namespace = ?1 and o.lane_id = ?2
                                and o.capability_set > 0 and o.capability_set < ?4)
             and not exists (select 1
                               from ff_exec_core o indexed by ff_exec_core_ready
                              where o.lifecycle_phase = {phase.runnable}
                                and o.eligibility_state = {eligibility.eligible_now}
                                and o.namespace = ?1 and o.lane_id = ?2 and o.capability_set > ?4)
             and not exists (select 1 from ff_lane l
                              where l.namespace = ?1 and l.lane_id = ?2 and l.paused_at_ms is not null)
            then json_group_array(json_array(
                     /* columns: at_limits */,
                     (select iif(length(p.payload) <= 4096, hex(p.payload), '-')
                        from ff_payload p
                       where p.partition_key = c.partition_key and p.execution_id = c.execution_id)
                 ))
       end
  from (select * from (select rowid as row_id
                         from ff_exec_core indexed by ff_exec_core_ready
                        where lifecycle_phase = {phase.runnable} and eligibility_state = {eligibility.eligible_now}
                          and namespace = ?1 and lane_id = ?2 and capability_set = ?4
                        order by priority desc, turn, ready_at_ms, execution_id, partition_key
                        limit ?3)
         union all
        select * from (select rowid as row_id
                         from ff_exec_core indexed by ff_exec_core_ready
                        where lifecycle_phase = {phase.runnable} and eligibility_state = {eligibility.eligible_now}
                          and namespace = ?1 and lane_id = ?2 and capability_set = 0
                        order by priority desc, turn, ready_at_ms, execution_id, partition_key
                        limit ?3)) as found
 cross join ff_exec_core c on c.rowid = found.row_id;

-- name: find_limited_parked
-- The first executions that are parked at the named keys, as one JSON array: for each key where somebody is parked, its
-- number, the lane, the set, whether all who are parked there have this lane and this set, and the first of them.
with room as materialized (
    select n.column1 as number, n.column2 as namespace, n.column3 as name, n.column4 as gate_key,
           (select min(g.lane_id)
              from ff_at_gate g indexed by ff_at_gate_parked
             where g.gate_state = {gate_state.parked} and g.namespace = n.column2
               and g.gate_kind = {gate_kind.limit} and g.name = n.column3 and g.gate_key = n.column4) as lane_id
      from (values /* rows */ (?, ?, ?, ?)) as n
)
select json_group_array(json_array(
           r.number, r.lane_id,
           (select min(g.capability_set)
              from ff_at_gate g indexed by ff_at_gate_parked
             where g.gate_state = {gate_state.parked} and g.namespace = r.namespace
               and g.gate_kind = {gate_kind.limit} and g.name = r.name and g.gate_key = r.gate_key
               and g.lane_id = r.lane_id),
           (select max(g.capability_set)
              from ff_at_gate g indexed by ff_at_gate_parked
             where g.gate_state = {gate_state.parked} and g.namespace = r.namespace
               and g.gate_kind = {gate_kind.limit} and g.name = r.name and g.gate_key = r.gate_key
               and g.lane_id = r.lane_id),
           (select max(g.lane_id)
              from ff_at_gate g indexed by ff_at_gate_parked
             where g.gate_state = {gate_state.parked} and g.namespace = r.namespace
               and g.gate_kind = {gate_kind.limit} and g.name = r.name and g.gate_key = r.gate_key),
           json((select json_group_array(json_array(/* columns: at_limits */))
                   from (select partition_key, execution_id
                           from ff_at_gate indexed by ff_at_gate_parked
                          where gate_state = {gate_state.parked} and namespace = r.namespace
                            and gate_kind = {gate_kind.limit} and name = r.name and gate_key = r.gate_key
                            and lane_id = r.lane_id and capability_set = ?
                          order by rank, turn, ready_at_ms, execution_id, partition_key
                          limit ?) as found
                  cross join ff_exec_core c indexed by sqlite_autoindex_ff_exec_core_1
                    on c.partition_key = found.partition_key and c.execution_id = found.execution_id))
       ))
  from room as r
 where r.lane_id is not null;

-- name: lease_let_in
-- Leases executions that were parked before, and that have the same gates now.
update ff_exec_core as c
   set /* part: set_leased */, gates = ?7
  from /* part: sent_numbers */ as n
 where c.rowid = +n.column1
   and /* part: sent_first */;

-- name: park_limited
-- Parks executions of the queue, all at one key, which is their only limit.
update ff_exec_core as c
   set eligibility_state = {parked.eligibility_state}, public_state = {parked.public_state}, gates = ?2
  from /* part: sent_numbers */ as n
 where c.rowid = +n.column1
   and /* part: sent_first */;

-- name: admit_limited
-- Puts executions back into the queue that were parked, all at one key, which is their only limit.
update ff_exec_core as c
   set eligibility_state = {created.eligibility_state}, public_state = {created.public_state}, gates = ?2
  from /* part: sent_numbers */ as n
 where c.rowid = +n.column1
   and /* part: sent_first */;

-- name: set_gate_states
-- Where executions of one partition stand at all their gates.
update ff_at_gate set gate_state = ? where partition_key = ? and execution_id in (/* rows */ (?));
