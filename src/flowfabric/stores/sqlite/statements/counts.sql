-- Kept counts (migration 0013). A read of `ff_counted` is exact at any moment, however much has moved since upkeep last
-- added it up.

-- name: insert_count_moves
insert into ff_count_move (number, minute, stood, stands, namespace, lane_id, execution_kind)
values /* rows */ (?, ?, ?, ?, ?, ?, ?);

-- name: find_count_moves
-- Whether so many moves wait to be added up that it is worth a commit.
select exists (select 1 from ff_count_move limit 1 offset ?);

-- name: fold_counts
insert into ff_count (namespace, lane_id, execution_kind, standing, number)
select namespace, lane_id, execution_kind, standing, sum(number)
  from (select namespace, lane_id, execution_kind, stands as standing, number from ff_count_move where stands is not null
         union all
        select namespace, lane_id, execution_kind, stood, -number from ff_count_move where stood is not null)
 where true
 group by namespace, lane_id, execution_kind, standing
having sum(number) <> 0
    on conflict (namespace, lane_id, execution_kind, standing) do update set number = number + excluded.number;

-- name: fold_ends
insert into ff_ends (minute, namespace, public_state, number)
select minute, namespace, stands / 64, sum(number)
  from ff_count_move
 where minute is not null
 group by minute, namespace, stands / 64
    on conflict (minute, namespace, public_state) do update set number = number + excluded.number;

-- name: delete_count_moves
delete from ff_count_move;

-- name: forget_empty_counts
-- Drops counts of what there is no more.
delete from ff_count where number = 0;

-- name: forget_old_ends
delete from ff_ends where minute < ?;

-- name: find_miscounts
-- The counts that differ from what there is. This reads everything.
select namespace, lane_id, execution_kind, standing, sum(kept), sum(found)
  from (select namespace, lane_id, execution_kind, standing, number as kept, 0 as found from ff_counted
         union all
        select namespace, lane_id, execution_kind, standing, 0, number from ff_recounted)
 group by namespace, lane_id, execution_kind, standing
having sum(kept) <> sum(found);

-- name: mend_counts
-- Moves each count to what there is.
insert into ff_count_move (number, stands, namespace, lane_id, execution_kind)
select sum(number), standing, namespace, lane_id, execution_kind
  from (select namespace, lane_id, execution_kind, standing, -number as number from ff_counted
         union all
        select namespace, lane_id, execution_kind, standing, number from ff_recounted)
 group by namespace, lane_id, execution_kind, standing
having sum(number) <> 0;

-- name: count_standings
select standing, sum(number) from ff_counted where ?1 is null or namespace = ?1 group by standing;

-- name: count_live_executions
-- How many executions each lane holds that have not ended, by standing.
select namespace, lane_id, standing, sum(number)
  from ff_counted
 where standing < 64 * {public_state.completed} and (?1 is null or namespace = ?1)
 group by namespace, lane_id, standing;

-- name: count_kept_executions
-- How many executions pass the filters.
select coalesce(sum(number), 0)
  from ff_counted
 where standing < 4096 and (?1 is null or namespace = ?1) and (?2 is null or standing / 64 = ?2)
   and (?3 is null or lane_id = ?3) and (?4 is null or execution_kind = ?4);

-- name: count_for_list
-- How many executions pass the filters; how many of these are in the queue, and how many have failed; and how many entries
-- of the queue a list of those in the queue would read.
select coalesce(sum(number) filter (where is_match), 0),
       coalesce(sum(number) filter (where is_match and is_queued), 0),
       coalesce(sum(number) filter (where is_match and standing / 64 = {public_state.failed}), 0),
       coalesce(sum(number) filter (where is_queued and (?1 is null or ?3 is null or lane_id = ?3)), 0)
  from (select lane_id, standing, number, standing / 4 % 16 = {eligibility.eligible_now} as is_queued,
               (?2 is null or standing / 64 = ?2) and (?3 is null or lane_id = ?3)
               and (?4 is null or execution_kind = ?4) as is_match
          from ff_counted
         where standing < 4096 and (?1 is null or namespace = ?1));

-- name: find_oldest_ready
-- When the first execution became ready that each lane's queue holds: one index step for each set of capabilities and
-- each priority. Of executions with fair keys it reads all.
with recursive space (namespace) as (
    select coalesce(?1, (select min(x.namespace) from ff_exec_core x indexed by ff_exec_core_ready
                          where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}))
     union all
    select (select min(x.namespace) from ff_exec_core x indexed by ff_exec_core_ready
             where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
               and x.namespace > s.namespace)
      from space s
     where namespace is not null and ?1 is null
), lane (namespace, lane_id) as (
    select namespace, (select min(x.lane_id) from ff_exec_core x indexed by ff_exec_core_ready
                        where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
                          and x.namespace = s.namespace)
      from space s
     where namespace is not null
     union all
    select namespace, (select min(x.lane_id) from ff_exec_core x indexed by ff_exec_core_ready
                        where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
                          and x.namespace = l.namespace and x.lane_id > l.lane_id)
      from lane l
     where lane_id is not null
), part (namespace, lane_id, capability_set) as (
    select namespace, lane_id,
           (select min(x.capability_set) from ff_exec_core x indexed by ff_exec_core_ready
             where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
               and x.namespace = l.namespace and x.lane_id = l.lane_id)
      from lane l
     where lane_id is not null
     union all
    select namespace, lane_id,
           (select min(x.capability_set) from ff_exec_core x indexed by ff_exec_core_ready
             where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
               and x.namespace = p.namespace and x.lane_id = p.lane_id and x.capability_set > p.capability_set)
      from part p
     where capability_set is not null
), level (namespace, lane_id, capability_set, priority) as (
    select namespace, lane_id, capability_set,
           (select max(x.priority) from ff_exec_core x indexed by ff_exec_core_ready
             where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
               and x.namespace = p.namespace and x.lane_id = p.lane_id and x.capability_set = p.capability_set)
      from part p
     where capability_set is not null
     union all
    select namespace, lane_id, capability_set,
           (select max(x.priority) from ff_exec_core x indexed by ff_exec_core_ready
             where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
               and x.namespace = l.namespace and x.lane_id = l.lane_id and x.capability_set = l.capability_set
               and x.priority < l.priority)
      from level l
     where priority is not null
)
select namespace, lane_id, min(ready_at_ms)
  from (select namespace, lane_id,
               (select min(x.ready_at_ms) from ff_exec_core x indexed by ff_exec_core_ready
                 where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
                   and x.namespace = l.namespace and x.lane_id = l.lane_id and x.capability_set = l.capability_set
                   and x.priority = l.priority and x.turn = 0) as ready_at_ms
          from level l
         union all
        select namespace, lane_id,
               (select min(x.ready_at_ms) from ff_exec_core x indexed by ff_exec_core_ready
                 where x.lifecycle_phase = {phase.runnable} and x.eligibility_state = {eligibility.eligible_now}
                   and x.namespace = l.namespace and x.lane_id = l.lane_id and x.capability_set = l.capability_set
                   and x.priority = l.priority and x.turn > 0)
          from level l)
 where ready_at_ms is not null
 group by namespace, lane_id;

-- name: find_oldest_suspended
-- When the first suspended execution of each lane was last ready. This reads all that are suspended.
select namespace, lane_id, min(ready_at_ms)
  from ff_exec_core indexed by ff_exec_core_suspended
 where lifecycle_phase = {phase.suspended} and (?1 is null or namespace = ?1)
 group by namespace, lane_id;

-- name: find_next_retention
-- When the next retention of an ended execution is over.
select due_at_ms
  from ff_exec_core indexed by ff_exec_core_due
 where due_kind = {due_kind.retention} and due_at_ms is not null and (?1 is null or namespace = ?1)
 order by due_at_ms
 limit 1;

-- name: find_next_retention_of_flows
select purge_at_ms
  from ff_flow_core indexed by ff_flow_core_purge
 where purge_at_ms is not null and (?1 is null or namespace = ?1)
 order by purge_at_ms
 limit 1;

-- name: count_recent_failures
-- What has failed after an instant, by kind, code and message, among the newest executions with a failure.
select execution_kind, failure_code, coalesce(failure_message, ''), count(*), max(terminal_at_ms)
  from (select namespace, execution_kind, failure_code, failure_message, terminal_outcome, terminal_at_ms
          from ff_exec_core indexed by ff_exec_core_failed
         where failure_code is not null
         order by created_at_ms desc, execution_id desc, partition_key desc
         limit ?3)
 where terminal_outcome = {outcome.failed} and terminal_at_ms > ?2 and (?1 is null or namespace = ?1)
 group by execution_kind, failure_code, coalesce(failure_message, '')
 order by count(*) desc, max(terminal_at_ms) desc, execution_kind, failure_code
 limit ?4;

-- name: count_ends
-- How many executions have ended in each minute, by their public state.
select minute, public_state, sum(number)
  from (select minute, namespace, public_state, number from ff_ends where minute between ?2 and ?3
         union all
        select minute, namespace, stands / 64, number from ff_count_move where minute between ?2 and ?3)
 where ?1 is null or namespace = ?1
 group by minute, public_state
 order by minute, public_state;
