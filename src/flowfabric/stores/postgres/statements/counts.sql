-- Kept counts (migration 0013). A read of `ff_counted` is exact at any moment, however much has moved since upkeep last
-- added it up, because one statement sees one moment.

-- name: insert_count_moves
insert into ff_count_move (number, minute, stood, stands, namespace, lane_id, execution_kind)
select * from unnest(%(number)s::integer[], %(minute)s::integer[], %(stood)s::smallint[], %(stands)s::smallint[],
                     %(namespace)s::text[], %(lane_id)s::text[], %(kind)s::text[]);

-- name: find_count_moves
-- Whether so many moves wait to be added up that it is worth a commit.
select exists (select from ff_count_move offset %(few)s limit 1);

-- name: fold_counts
-- Adds moves up. Those that another transaction adds up at the same time are skipped. Counts are written in one order,
-- so that two processes cannot wait for each other.
with taken as materialized (
    delete from ff_count_move
     where ctid = any (array(select ctid from ff_count_move limit %(most)s for update skip locked))
    returning *
), counted as (
    insert into ff_count (namespace, lane_id, execution_kind, standing, number)
    select namespace, lane_id, execution_kind, standing, sum(number)
      from (select namespace, lane_id, execution_kind, stands as standing, number from taken where stands is not null
             union all
            select namespace, lane_id, execution_kind, stood, -number from taken where stood is not null) m
     group by namespace, lane_id, execution_kind, standing
    having sum(number) <> 0
     order by namespace, lane_id, execution_kind, standing
        on conflict (namespace, lane_id, execution_kind, standing)
        do update set number = ff_count.number + excluded.number
)
insert into ff_ends (minute, namespace, public_state, number)
select minute, namespace, stands / 64, sum(number)
  from taken
 where minute is not null
 group by minute, namespace, stands / 64
 order by minute, namespace, stands / 64
    on conflict (minute, namespace, public_state) do update set number = ff_ends.number + excluded.number;

-- name: forget_empty_counts
-- Drops counts of what there is no more. Those that another transaction changes are skipped: nobody waits out of order.
delete from ff_count
 where ctid = any (array(select ctid from ff_count where number = 0 for update skip locked));

-- name: forget_old_ends
delete from ff_ends where minute < %(before_minute)s;

-- name: lock_counts
-- Keeps others from mending at the same time. All other commits go on.
select pg_advisory_xact_lock(%(lock)s::bigint);

-- name: find_miscounts
-- The counts that differ from what there is. This reads everything.
select namespace, lane_id, execution_kind, standing, coalesce(k.number, 0), coalesce(c.number, 0)
  from ff_counted k
  full join ff_recounted c using (namespace, lane_id, execution_kind, standing)
 where coalesce(k.number, 0) <> coalesce(c.number, 0);

-- name: mend_counts
-- Moves each count to what there is. What is committed after the moment of this statement counts itself.
insert into ff_count_move (number, stands, namespace, lane_id, execution_kind)
select coalesce(c.number, 0) - coalesce(k.number, 0), standing, namespace, lane_id, execution_kind
  from ff_counted k
  full join ff_recounted c using (namespace, lane_id, execution_kind, standing)
 where coalesce(k.number, 0) <> coalesce(c.number, 0);

-- name: count_standings
select standing, sum(number)::bigint
  from ff_counted
 where %(namespace)s::text is null or namespace = %(namespace)s
 group by standing;

-- name: count_live_executions
-- How many executions each lane holds that have not ended, by standing.
select namespace, lane_id, standing, sum(number)::bigint
  from ff_counted
 where standing < 64 * {public_state.completed} and (%(namespace)s::text is null or namespace = %(namespace)s)
 group by namespace, lane_id, standing;

-- name: count_kept_executions
-- How many executions pass the filters.
select coalesce(sum(number), 0)::bigint
  from ff_counted
 where standing < 4096
   and (%(namespace)s::text is null or namespace = %(namespace)s)
   and (%(public_state)s::smallint is null or standing / 64 = %(public_state)s)
   and (%(lane_id)s::text is null or lane_id = %(lane_id)s)
   and (%(kind)s::text is null or execution_kind = %(kind)s);

-- name: count_for_list
-- How many executions pass the filters; how many of these are in the queue, and how many have failed; and how many rows of
-- the queue a list of those in the queue would read.
select coalesce(sum(number) filter (where is_match), 0)::bigint,
       coalesce(sum(number) filter (where is_match and is_queued), 0)::bigint,
       coalesce(sum(number) filter (where is_match and standing / 64 = {public_state.failed}), 0)::bigint,
       coalesce(sum(number) filter (
           where is_queued and (%(namespace)s::text is null or %(lane_id)s::text is null or lane_id = %(lane_id)s)
       ), 0)::bigint
  from (select lane_id, standing, number, standing / 4 %% 16 = {eligibility.eligible_now} as is_queued,
               (%(public_state)s::smallint is null or standing / 64 = %(public_state)s)
               and (%(lane_id)s::text is null or lane_id = %(lane_id)s)
               and (%(kind)s::text is null or execution_kind = %(kind)s) as is_match
          from ff_counted
         where standing < 4096 and (%(namespace)s::text is null or namespace = %(namespace)s)) c;

-- name: find_oldest_ready
-- When the first execution became ready that each lane's queue holds: one index step for each set of capabilities, each
-- priority and each turn of a fair key.
with recursive step as (
    (select namespace, lane_id, capability_set, rank, turn, ready_at_ms
       from ff_ready
      where %(namespace)s::text is null or namespace >= %(namespace)s
      order by namespace, lane_id, capability_set, rank, turn, ready_at_ms
      limit 1)
     union all
    select next.*
      from step s
     cross join lateral (
               select r.namespace, r.lane_id, r.capability_set, r.rank, r.turn, r.ready_at_ms
                 from ff_ready r
                where (r.namespace, r.lane_id, r.capability_set, r.rank, r.turn)
                      > (s.namespace, s.lane_id, s.capability_set, s.rank, s.turn)
                order by r.namespace, r.lane_id, r.capability_set, r.rank, r.turn, r.ready_at_ms
                limit 1
           ) next
     where %(namespace)s::text is null or s.namespace = %(namespace)s
)
select namespace, lane_id, min(ready_at_ms)
  from step
 where %(namespace)s::text is null or namespace = %(namespace)s
 group by namespace, lane_id;

-- name: find_oldest_suspended
-- When the first suspended execution of each lane was last ready. This reads all that are suspended.
select namespace, lane_id, min(ready_at_ms)
  from ff_exec_core
 where waiting_since_ms is not null and lifecycle_phase = {phase.suspended}
   and (%(namespace)s::text is null or namespace = %(namespace)s)
 group by namespace, lane_id;

-- name: find_next_retention
-- When the next retention of an ended execution is over.
select d.due_at_ms
  from ff_due d
 cross join lateral (
           select x.namespace from ff_exec_core x
            where x.partition_key = d.partition_key and x.execution_id = d.execution_id
            limit 1
       ) c
 where d.due_kind = {due_kind.retention} and (%(namespace)s::text is null or c.namespace = %(namespace)s)
 order by d.due_at_ms
 limit 1;

-- name: find_next_retention_of_flows
select purge_at_ms
  from ff_flow_core
 where purge_at_ms is not null and (%(namespace)s::text is null or namespace = %(namespace)s)
 order by purge_at_ms
 limit 1;

-- name: count_recent_failures
-- What has failed after an instant, by kind, code and message, among the newest executions with a failure.
select execution_kind, failure_code, coalesce(failure_message, ''), count(*), max(terminal_at_ms)
  from (select namespace, execution_kind, failure_code, failure_message, terminal_outcome, terminal_at_ms
          from ff_exec_core
         where failure_code is not null
         order by created_at_ms desc, execution_id desc, partition_key desc
         limit %(newest)s) f
 where terminal_outcome = {outcome.failed} and terminal_at_ms > %(since_ms)s
   and (%(namespace)s::text is null or namespace = %(namespace)s)
 group by execution_kind, failure_code, coalesce(failure_message, '')
 order by count(*) desc, max(terminal_at_ms) desc, execution_kind, failure_code
 limit %(most)s;

-- name: count_ends
-- How many executions have ended in each minute, by their public state.
select minute, public_state, sum(number)::bigint
  from (select minute, namespace, public_state, number from ff_ends where minute between %(since)s and %(until)s
         union all
        select minute, namespace, (stands / 64)::smallint, number
          from ff_count_move
         where minute between %(since)s and %(until)s) e
 where %(namespace)s::text is null or namespace = %(namespace)s
 group by minute, public_state
 order by minute, public_state;
