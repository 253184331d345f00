-- name: lock_live_children
-- The first children of the named executions that have not ended, locked. They come late in the order of locks, so
-- nobody is waited for: of a child that another transaction holds, or that has just ended, only the id is returned.
select
       /* columns: execution */,
       l.partition_key, l.execution_id::text
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(most)s::integer[])
           as n (partition_key, execution_id, most)
 cross join lateral (
           select x.partition_key, x.execution_id from ff_exec_core x
            where x.parent_id = n.execution_id and x.partition_key = n.partition_key
              and x.terminal_outcome + 0 = {outcome.none}
            order by x.parent_id, x.partition_key, x.created_at_ms, x.execution_id
            limit n.most
       ) l
  left join lateral (
           select * from ff_exec_core x
            where x.partition_key = l.partition_key and x.execution_id = l.execution_id
              and x.terminal_outcome + 0 = {outcome.none}
              for update skip locked
       ) c on true;

-- name: list_children
-- The children of an execution, oldest first, after the given position: all, or those that have not ended.
select
       /* columns: execution */
  from ff_exec_core c
 where c.parent_id = %(parent_id)s::uuid and c.partition_key = %(partition_key)s
   and (c.created_at_ms, c.execution_id) > (%(created_at_ms)s, %(execution_id)s::uuid)
   and (not %(only_live)s or c.terminal_outcome = {outcome.none})
 order by c.parent_id, c.partition_key, c.created_at_ms, c.execution_id
 limit %(most)s;

-- name: read_results
-- The results of the named executions, each of its present life.
select c.partition_key, c.execution_id::text, r.result
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_exec_core c on c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
  join ff_result r on r.partition_key = any (array[c.partition_key]) and r.execution_id = c.execution_id
   and r.generation = c.replay_count;
