-- Steps change only under the lock of their execution, so they need no locks of their own.

-- name: read_named_steps
select s.partition_key, s.execution_id::text, s.name, s.fingerprint, s.result, s.attempt_index, s.recorded_at_ms,
       s.number, s.is_wait, s.tries, s.lease_epoch
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(name)s::text[])
       as n (partition_key, execution_id, name)
  join ff_step s on s.partition_key = any (array[n.partition_key]) and s.execution_id = n.execution_id
   and s.name = n.name collate "C";

-- name: read_last_step_numbers
-- The highest number of a step of each named execution.
select n.partition_key, n.execution_id::text, s.number
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 cross join lateral (
           select x.number from ff_step x
            where x.partition_key = n.partition_key and x.execution_id = n.execution_id and x.number is not null
            order by x.number desc
            limit 1
       ) s;

-- name: read_step_places
-- All steps of the named executions, without their results.
select s.partition_key, s.execution_id::text, s.name, s.recorded_at_ms, s.number
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_step s on s.partition_key = any (array[n.partition_key]) and s.execution_id = n.execution_id;

-- name: read_steps
-- All steps of an execution, by name.
select partition_key, execution_id::text, name, fingerprint, result, attempt_index, recorded_at_ms, number, is_wait,
       tries, lease_epoch
  from ff_step
 where partition_key = %(partition_key)s and execution_id = %(execution_id)s::uuid
 order by name;

-- name: insert_steps
insert into ff_step (
    partition_key, execution_id, name, fingerprint, result, attempt_index, recorded_at_ms, number, is_wait, tries,
    lease_epoch
)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(name)s::text[], %(fingerprint)s::bytea[],
           %(result)s::bytea[], %(attempt_index)s::integer[], %(recorded_at_ms)s::bigint[], %(number)s::integer[],
           %(is_wait)s::smallint[], %(tries)s::integer[], %(lease_epoch)s::bigint[]
       );

-- name: delete_steps
delete from ff_step c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: delete_named_steps
delete from ff_step c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(name)s::text[])
       as n (partition_key, execution_id, name)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
   and c.name = n.name collate "C";

-- name: lock_workers
-- The records of the named workers, locked one by one in the given order.
select w.namespace, w.worker_instance_id, w.worker_id, w.host, w.pid, w.lanes, w.capabilities, w.version,
       w.started_at_ms, w.seen_at_ms, w.alive_until_ms
  from unnest(%(namespace)s::text[], %(worker_instance_id)s::text[]) as n (namespace, worker_instance_id)
 cross join lateral (
           select * from ff_worker x
            where x.namespace = n.namespace collate "C" and x.worker_instance_id = n.worker_instance_id collate "C"
              for update
       ) w;

-- name: list_workers
select namespace, worker_instance_id, worker_id, host, pid, lanes, capabilities, version, started_at_ms, seen_at_ms,
       alive_until_ms
  from ff_worker
 where %(namespace)s::text is null or namespace = %(namespace)s
 order by namespace, worker_instance_id;

-- name: find_silent_workers
select namespace, worker_instance_id from ff_worker where alive_until_ms <= %(until_ms)s limit %(most)s;

-- name: save_workers
insert into ff_worker (
    namespace, worker_instance_id, worker_id, host, pid, lanes, capabilities, version, started_at_ms, seen_at_ms,
    alive_until_ms
)
select * from unnest(
           %(namespace)s::text[], %(worker_instance_id)s::text[], %(worker_id)s::text[], %(host)s::text[],
           %(pid)s::integer[], %(lanes)s::text[], %(capabilities)s::text[], %(version)s::text[],
           %(started_at_ms)s::bigint[], %(seen_at_ms)s::bigint[], %(alive_until_ms)s::bigint[]
       )
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
delete from ff_worker c
 using unnest(%(namespace)s::text[], %(worker_instance_id)s::text[]) as n (namespace, worker_instance_id)
 where c.namespace = any (array[n.namespace collate "C"]) and c.worker_instance_id = n.worker_instance_id collate "C";
