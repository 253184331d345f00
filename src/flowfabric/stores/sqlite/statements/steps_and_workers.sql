-- name: load_step
select fingerprint, result, attempt_index, recorded_at_ms, number, is_wait, tries, lease_epoch
  from ff_step
 where partition_key = ? and execution_id = ? and name = ?;

-- name: load_steps
-- All steps of an execution, by name.
select name, fingerprint, result, attempt_index, recorded_at_ms, number, is_wait, tries, lease_epoch
  from ff_step
 where partition_key = ? and execution_id = ?
 order by name;

-- name: load_last_step_number
-- The highest number of a step of an execution.
select max(number)
  from ff_step indexed by ff_step_number
 where partition_key = ? and execution_id = ? and number is not null;

-- name: load_step_places
-- All steps of the named executions, without their results.
select json_group_array(json_array(s.partition_key, hex(s.execution_id), s.name, s.recorded_at_ms, s.number))
  from (values /* rows */ (?, ?)) as n
 cross join ff_step s on s.partition_key = n.column1 and s.execution_id = n.column2;

-- name: insert_steps
insert into ff_step (
    partition_key, execution_id, name, fingerprint, result, attempt_index, recorded_at_ms, number, is_wait, tries,
    lease_epoch
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: delete_named_steps
delete from ff_step where partition_key = ? and execution_id = ? and name = ?;

-- name: delete_steps
delete from ff_step where partition_key = ? and execution_id = ?;

-- name: load_worker
select namespace, worker_instance_id, worker_id, host, pid, lanes, capabilities, version, started_at_ms, seen_at_ms,
       alive_until_ms
  from ff_worker
 where namespace = ? and worker_instance_id = ?;

-- name: list_workers
select namespace, worker_instance_id, worker_id, host, pid, lanes, capabilities, version, started_at_ms, seen_at_ms,
       alive_until_ms
  from ff_worker
 where ?1 is null or namespace = ?1
 order by namespace, worker_instance_id;

-- name: find_silent_workers
select namespace, worker_instance_id from ff_worker where alive_until_ms <= ? limit ?;

-- name: save_workers
insert into ff_worker (
    namespace, worker_instance_id, worker_id, host, pid, lanes, capabilities, version, started_at_ms, seen_at_ms,
    alive_until_ms
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (namespace, worker_instance_id) do update set
    worker_id = excluded.worker_id,
    host = excluded.host,
    pid = excluded.pid,
    lanes = excluded.lanes,
    capabilities = excluded.capabilities,
    version = excluded.version,
    seen_at_ms = excluded.seen_at_ms,
    alive_until_ms = excluded.alive_until_ms;

-- name: delete_workers
delete from ff_worker where namespace = ? and worker_instance_id = ?;
