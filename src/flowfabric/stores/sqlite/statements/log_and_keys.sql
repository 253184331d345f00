-- name: insert_events
insert into ff_event (
    channel, event_type, namespace, partition_key, execution_id, flow_id, seq, details, occurred_at_ms
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: read_events
-- The events after a position that pass the filters; a filter that is null lets everything pass.
select event_id, channel, event_type, namespace, partition_key, execution_id, flow_id, seq, details, occurred_at_ms
  from ff_event
 where event_id > ?1
   and (?2 is null or (?2 >> channel) & 1)
   and (?3 is null or namespace = ?3)
   and (?4 is null or flow_id = ?4)
 order by event_id
 limit ?5;

-- name: read_events_of_execution
-- The same for one execution, through its index.
select event_id, channel, event_type, namespace, partition_key, execution_id, flow_id, seq, details, occurred_at_ms
  from ff_event indexed by ff_event_of_execution
 where partition_key = ?6 and execution_id = ?7
   and event_id > ?1
   and (?2 is null or (?2 >> channel) & 1)
   and (?3 is null or namespace = ?3)
   and (?4 is null or flow_id = ?4)
 order by seq
 limit ?5;

-- name: read_newest_events
-- The newest events after a position that pass the filters, newest first.
select event_id, channel, event_type, namespace, partition_key, execution_id, flow_id, seq, details, occurred_at_ms
  from ff_event
 where event_id > ?1
   and (?2 is null or (?2 >> channel) & 1)
   and (?3 is null or namespace = ?3)
 order by event_id desc
 limit ?4;

-- name: last_event_id
-- The highest id that was ever given, even if its row is gone.
select coalesce((select seq from sqlite_sequence where name = 'ff_event'), 0);

-- name: last_event_id_of_execution
select max(event_id) from ff_event indexed by ff_event_of_execution where partition_key = ? and execution_id = ?;

-- name: delete_events
delete from ff_event where partition_key = ? and execution_id = ?;

-- name: last_event_id_of_flow
-- Of the flow's own events, without the events of its members.
select max(event_id)
  from ff_event indexed by ff_event_of_flow
 where execution_id is null and partition_key = ? and flow_id = ?;

-- name: delete_events_of_flows
delete from ff_event indexed by ff_event_of_flow where execution_id is null and partition_key = ? and flow_id = ?;

-- name: find_old_events
-- The times of old events that belong to no execution and no flow. All such events are on one partition.
select occurred_at_ms
  from ff_event indexed by ff_event_of_flow
 where execution_id is null and partition_key = ? and flow_id is null and occurred_at_ms <= ?
 order by occurred_at_ms
 limit ?;

-- name: last_of_old_events
select max(event_id)
  from ff_event indexed by ff_event_of_flow
 where execution_id is null and partition_key = ? and flow_id is null and occurred_at_ms <= ?;

-- name: delete_old_events
delete from ff_event indexed by ff_event_of_flow
 where execution_id is null and partition_key = ? and flow_id is null and occurred_at_ms <= ?;

-- name: load_meta
select value from ff_meta where name = ?;

-- name: save_meta
insert into ff_meta (name, value) values (?, ?) on conflict (name) do update set value = excluded.value;

-- name: become_writer
-- Changes nothing, but takes SQLite's own write lock for a transaction that has not written yet.
update ff_meta set value = value where name = '';

-- name: load_idempotency_key
select execution_partition, execution_id, fingerprint, expires_at_ms
  from ff_idempotency
 where partition_key = ? and namespace = ? and idempotency_key = ?;

-- name: save_idempotency_keys
insert into ff_idempotency (
    partition_key, namespace, idempotency_key, execution_partition, execution_id, fingerprint, expires_at_ms
) values /* rows */ (?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, namespace, idempotency_key) do update set
    execution_partition = excluded.execution_partition,
    execution_id = excluded.execution_id,
    fingerprint = excluded.fingerprint,
    expires_at_ms = excluded.expires_at_ms;

-- name: delete_idempotency_keys
delete from ff_idempotency where partition_key = ? and namespace = ? and idempotency_key = ?;

-- name: delete_idempotency_keys_of_executions
-- A key that stands for another execution by now is kept.
delete from ff_idempotency
 where partition_key = ? and namespace = ? and idempotency_key = ?
   and execution_partition = ? and execution_id = ?;

-- name: find_expired_idempotency_keys
select namespace, idempotency_key from ff_idempotency where expires_at_ms <= ? order by expires_at_ms limit ?;

-- name: load_answer
select fingerprint, answer, expires_at_ms from ff_command where scope = ? and command_id = ?;

-- name: save_answers
insert into ff_command (scope, command_id, fingerprint, answer, expires_at_ms) values /* rows */ (?, ?, ?, ?, ?)
on conflict (scope, command_id) do update set
    fingerprint = excluded.fingerprint,
    answer = excluded.answer,
    expires_at_ms = excluded.expires_at_ms;

-- name: delete_answers
delete from ff_command where scope = ? and command_id = ?;

-- name: find_expired_answers
select scope, command_id from ff_command where expires_at_ms <= ? order by expires_at_ms limit ?;

-- name: insert_batch
insert into ff_batch (batch_id, committed_at_ms) values (?, ?);

-- name: find_batch
select 1 from ff_batch where batch_id = ?;

-- name: delete_old_batches
delete from ff_batch where committed_at_ms < ?;
