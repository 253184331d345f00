-- name: list_children
-- The children of an execution, oldest first, after the given position: all, or those that have not ended.
select c.partition_key, c.execution_id
  from ff_exec_core c indexed by ff_exec_core_child
 where c.partition_key = ?1 and c.parent_id = ?2 and (c.created_at_ms, c.execution_id) > (?3, ?4)
   and (not ?5 or c.terminal_outcome = {outcome.none})
 order by c.created_at_ms, c.execution_id
 limit ?6;

-- name: list_live_children
-- The first children that have not ended.
select c.partition_key, c.execution_id
  from ff_exec_core c indexed by ff_exec_core_child
 where c.partition_key = ? and c.parent_id = ? and c.terminal_outcome = {outcome.none}
 order by c.created_at_ms, c.execution_id
 limit ?;
