-- compatible_from: 13
-- How many executions and flows there are, kept by those who change them, so that nobody has to count them.
-- Older programs cannot go on beside this: they would change executions without counting them.

-- A standing says in which state they are, and what becomes of them after their end (domain/counting.py). For an
-- execution it is 64 * public_state + 4 * eligibility_state + k. k is 1 if it has ended and is kept for ever, 2 if it has
-- ended and its retention removes it, and 0 for all others and for members of flows. For a flow it is 4096 + 4 * state + k,
-- and lane and kind are empty.
create table ff_count (
    namespace      text     not null,
    lane_id        text     not null,
    execution_kind text     not null,
    standing       smallint not null,
    number         bigint   not null,
    primary key (namespace, lane_id, execution_kind, standing)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- How many executions have ended in each minute of the last day, by their public state.
create table ff_ends (
    minute       integer  not null,
    namespace    text     not null,
    public_state smallint not null,
    number       bigint   not null,
    primary key (minute, namespace, public_state)
) with (fillfactor = 50);

-- What commits have moved from one standing to another since upkeep last added it to the tables above. Rows are only
-- inserted, so commits of several processes never wait for each other. stood null: they are new. stands null: they were
-- removed. minute: in which minute they have ended, null if they have not.
create table ff_count_move (
    number         integer  not null,
    minute         integer,
    stood          smallint,
    stands         smallint,
    namespace      text     not null,
    lane_id        text     not null,
    execution_kind text     not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- What there is, exact at any moment: the counts, and all that has moved since.
create view ff_counted as
select namespace, lane_id, execution_kind, standing, sum(number)::bigint as number
  from (select namespace, lane_id, execution_kind, standing, number from ff_count
         union all
        select namespace, lane_id, execution_kind, stands, number from ff_count_move where stands is not null
         union all
        select namespace, lane_id, execution_kind, stood, -number from ff_count_move where stood is not null) c
 group by namespace, lane_id, execution_kind, standing
having sum(number) <> 0;

-- What there is, counted. This reads everything.
create view ff_recounted as
select namespace, lane_id, execution_kind,
       (64 * public_state + 4 * eligibility_state
        + case when lifecycle_phase < 3 or flow_id is not null then 0
               when coalesce(policy, '') like '%"retention_ms":%' then 2
               else 1 end)::smallint as standing,
       count(*) as number
  from ff_exec_core
 group by 1, 2, 3, 4
 union all
select namespace, '', '',
       (4096 + 4 * state
        + case when state < 2 or (node_count > 0 and at_rest_since_ms is null) then 0
               when purge_at_ms is null then 1
               else 2 end)::smallint,
       count(*)
  from ff_flow_core
 group by 1, 4;

-- Nobody writes until this is done.
lock table ff_exec_core, ff_flow_core in share mode;

insert into ff_count (namespace, lane_id, execution_kind, standing, number)
select namespace, lane_id, execution_kind, standing, number from ff_recounted;

-- Failed executions, and those that failed before and are tried again, newest first. Executions that never fail are not in
-- it, and no change of theirs touches it.
create index ff_exec_core_failed on ff_exec_core (created_at_ms, execution_id, partition_key)
    where failure_code is not null;
