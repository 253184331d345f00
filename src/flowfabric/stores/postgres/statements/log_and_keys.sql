-- name: insert_events
insert into ff_event (
    channel, event_type, namespace, partition_key, execution_id, flow_id, seq, details, occurred_at_ms
)
select * from unnest(
           %(channel)s::smallint[], %(event_type)s::text[], %(namespace)s::text[], %(partition_key)s::smallint[],
           %(execution_id)s::uuid[], %(flow_id)s::uuid[], %(seq)s::integer[], %(details)s::text[],
           %(occurred_at_ms)s::bigint[]
       );

-- name: end_of_log
-- The present snapshot, the timeline of the server, the note of note_purge, and the newest event: the one with the
-- highest transaction id, with enough columns to distinguish it from another event that might get the same ids. A
-- standby does not say which timeline it is on.
select pg_current_snapshot()::text,
       case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end,
       (select value from ff_meta where name = 'purged'),
       (select concat_ws(':', txid, event_id, seq, occurred_at_ms, coalesce(execution_id, flow_id))
          from ff_event order by txid desc, event_id desc limit 1);

-- name: read_events
-- The events that are visible now, were not visible in the old snapshot, and pass the filters, in order. A transaction
-- that the old snapshot did not see either came later or was open then, so two index ranges find all such events.
select event_id, channel, event_type, namespace, partition_key, execution_id::text, flow_id::text, seq, details,
       occurred_at_ms
  from (select * from ff_event where txid >= pg_snapshot_xmax(%(after)s::pg_snapshot)
         union all
        select * from ff_event where txid = any (array(select pg_snapshot_xip(%(after)s::pg_snapshot)))) e
 where (%(channels)s::smallint[] is null or channel = any (%(channels)s::smallint[]))
   and (%(namespace)s::text is null or namespace = %(namespace)s)
   and (%(flow_id)s::uuid is null or flow_id = %(flow_id)s::uuid)
 order by event_id
 limit %(most)s;

-- name: read_rest_of_events
-- The same between two snapshots and after an event, in the order of the index: the rest of an earlier page that was
-- cut by its limit; or the log from its beginning.
select event_id, channel, event_type, namespace, partition_key, execution_id::text, flow_id::text, seq, details,
       occurred_at_ms
  from ff_event
 where event_id > %(after_id)s
   and not pg_visible_in_snapshot(txid, %(after)s::pg_snapshot)
   and (%(upto)s::text is null or pg_visible_in_snapshot(txid, %(upto)s::pg_snapshot))
   and (%(channels)s::smallint[] is null or channel = any (%(channels)s::smallint[]))
   and (%(namespace)s::text is null or namespace = %(namespace)s)
   and (%(flow_id)s::uuid is null or flow_id = %(flow_id)s::uuid)
 order by event_id
 limit %(most)s;

-- name: read_events_of_execution
-- The same for one execution, through its index.
select event_id, channel, event_type, namespace, partition_key, execution_id::text, flow_id::text, seq, details,
       occurred_at_ms
  from ff_event
 where partition_key = %(partition_key)s and execution_id = %(execution_id)s::uuid
   and not pg_visible_in_snapshot(txid, %(after)s::pg_snapshot)
   and (%(upto)s::text is null or pg_visible_in_snapshot(txid, %(upto)s::pg_snapshot))
   and event_id > %(after_id)s
   and (%(channels)s::smallint[] is null or channel = any (%(channels)s::smallint[]))
   and (%(namespace)s::text is null or namespace = %(namespace)s)
   and (%(flow_id)s::uuid is null or flow_id = %(flow_id)s::uuid)
 order by seq
 limit %(most)s;

-- name: read_newest_events
-- The newest events that pass the filters, newest first, of those with the last ids.
select event_id, channel, event_type, namespace, partition_key, execution_id::text, flow_id::text, seq, details,
       occurred_at_ms
  from ff_event
 where event_id > (select max(event_id) from ff_event) - %(among)s
   and (%(channels)s::smallint[] is null or channel = any (%(channels)s::smallint[]))
   and (%(namespace)s::text is null or namespace = %(namespace)s)
 order by event_id desc
 limit %(most)s;

-- name: check_cursor
-- Whether an event that the reader of a cursor has seen is lost, and whether events were purged that it had not read.
-- Events that were purged before the cursor was made do not matter: its reader could never have read them. Later purges
-- keep the highest transaction id of all purges. Of a page that was cut, the reader has read the events of its upper
-- snapshot up to an event id.
select pg_snapshot_xmax(n.seen) > pg_snapshot_xmax(pg_current_snapshot())
       or %(newest)s::text is not null
       and not exists (select from ff_event
                        where event_id = split_part(%(newest)s, ':', 2)::bigint
                          and concat_ws(':', txid, event_id, seq, occurred_at_ms, coalesce(execution_id, flow_id))
                              = %(newest)s),
       exists (select from ff_meta
                where name = 'purged'
                  and split_part(value, ':', 1) is distinct from %(purge)s
                  and not pg_visible_in_snapshot(split_part(value, ':', 1)::xid8, n.seen)
                  and (split_part(value, ':', 2) is distinct from %(newest_purged)s
                       and not pg_visible_in_snapshot(split_part(value, ':', 2)::xid8, n.seen)
                       or n.is_cut and split_part(value, ':', 3)::bigint > %(after_id)s))
  from (select coalesce(%(upto)s::pg_snapshot, %(after)s::pg_snapshot) as seen,
               %(upto)s::pg_snapshot is not null as is_cut) n;

-- name: note_purge
-- Notes the purge's own transaction, the newest transaction whose events are removed, and the last of their event ids.
with gone as materialized (
    select e.txid, e.event_id
      from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
      join ff_event e
        on e.partition_key = any (array[n.partition_key]) and e.execution_id = n.execution_id
), taken as (
    select txid, max(event_id) over () as event_id from gone order by txid desc limit 1
)
insert into ff_meta (name, value)
select 'purged', pg_current_xact_id()::text || ':' || txid || ':' || event_id from taken
-- Another purge may have committed since this statement began to read.
on conflict (name) do update set value = pg_current_xact_id()::text
    || ':' || greatest(split_part(ff_meta.value, ':', 2)::xid8, split_part(excluded.value, ':', 2)::xid8)
    || ':' || greatest(split_part(ff_meta.value, ':', 3)::bigint, split_part(excluded.value, ':', 3)::bigint);

-- name: find_old_events
-- The times of old events that belong to no execution and no flow. All such events are on one partition.
select occurred_at_ms
  from ff_event
 where partition_key = %(partition_key)s and execution_id is null and flow_id is null
   and occurred_at_ms <= %(until_ms)s
 order by occurred_at_ms
 limit %(most)s;

-- name: delete_old_events
-- Removes such events, and notes the same facts as note_purge.
with gone as (
    delete from ff_event
     where partition_key = %(partition_key)s and execution_id is null and flow_id is null
       and occurred_at_ms <= %(until_ms)s
    returning txid, event_id
), taken as (
    select txid, max(event_id) over () as event_id from gone order by txid desc limit 1
)
insert into ff_meta (name, value)
select 'purged', pg_current_xact_id()::text || ':' || txid || ':' || event_id from taken
on conflict (name) do update set value = pg_current_xact_id()::text
    || ':' || greatest(split_part(ff_meta.value, ':', 2)::xid8, split_part(excluded.value, ':', 2)::xid8)
    || ':' || greatest(split_part(ff_meta.value, ':', 3)::bigint, split_part(excluded.value, ':', 3)::bigint);

-- name: delete_events
delete from ff_event e
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where e.partition_key = any (array[n.partition_key]) and e.execution_id = n.execution_id;

-- name: read_meta
select value from ff_meta where name = %(name)s;

-- name: insert_turn
insert into ff_meta (name, value) values (%(name)s, '') on conflict (name) do nothing;

-- name: lock_turn
select value, coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)
  from ff_meta where name = %(name)s for update;

-- name: save_meta
insert into ff_meta (name, value) values (%(name)s, %(value)s) on conflict (name) do update set value = excluded.value;

-- name: whose_store
-- What a caller's own connection leads to: the name of the store, the database, whether the role may ask which server
-- this is, whether NULL in an array is a null there, and the timeline of the server.
select m.value, d.oid::bigint, has_function_privilege('pg_control_system()', 'execute'), current_setting('array_nulls'),
       case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end
  from ff_meta m, pg_database d
 where m.name = 'store' and d.datname = current_database();

-- name: server_identity
select system_identifier from pg_control_system();

-- name: read_key_holders
select i.execution_partition, i.execution_id::text
  from unnest(%(partition_key)s::smallint[], %(namespace)s::text[], %(idempotency_key)s::text[])
       as n (partition_key, namespace, idempotency_key)
  join ff_idempotency i
    on i.partition_key = any (array[n.partition_key]) and i.namespace = n.namespace
   and i.idempotency_key = n.idempotency_key;

-- name: lock_idempotency_keys
-- Locks the keys that exist. A key that does not exist can only be inserted once.
select k.namespace, k.idempotency_key, k.execution_partition, k.execution_id::text, k.fingerprint, k.expires_at_ms
  from unnest(%(partition_key)s::smallint[], %(namespace)s::text[], %(idempotency_key)s::text[])
       as n (partition_key, namespace, idempotency_key)
 cross join lateral (
           select * from ff_idempotency i
            where i.partition_key = n.partition_key and i.namespace = n.namespace
              and i.idempotency_key = n.idempotency_key
              for update
       ) k;

-- name: insert_idempotency_keys
insert into ff_idempotency (
    partition_key, namespace, idempotency_key, execution_partition, execution_id, fingerprint, expires_at_ms
)
select * from unnest(
           %(partition_key)s::smallint[], %(namespace)s::text[], %(idempotency_key)s::text[],
           %(execution_partition)s::smallint[], %(execution_id)s::uuid[], %(fingerprint)s::bytea[],
           %(expires_at_ms)s::bigint[]
       );

-- name: update_idempotency_keys
update ff_idempotency k
   set execution_partition = n.execution_partition, execution_id = n.execution_id, fingerprint = n.fingerprint,
       expires_at_ms = n.expires_at_ms
  from unnest(
           %(partition_key)s::smallint[], %(namespace)s::text[], %(idempotency_key)s::text[],
           %(execution_partition)s::smallint[], %(execution_id)s::uuid[], %(fingerprint)s::bytea[],
           %(expires_at_ms)s::bigint[]
       ) as n (partition_key, namespace, idempotency_key, execution_partition, execution_id, fingerprint, expires_at_ms)
 where k.partition_key = any (array[n.partition_key]) and k.namespace = n.namespace
   and k.idempotency_key = n.idempotency_key;

-- name: delete_idempotency_keys
delete from ff_idempotency k
 using unnest(%(partition_key)s::smallint[], %(namespace)s::text[], %(idempotency_key)s::text[])
       as n (partition_key, namespace, idempotency_key)
 where k.partition_key = any (array[n.partition_key]) and k.namespace = n.namespace
   and k.idempotency_key = n.idempotency_key;

-- name: delete_idempotency_keys_of_executions
-- A key that stands for another execution by now is kept.
delete from ff_idempotency k
 using unnest(%(partition_key)s::smallint[], %(namespace)s::text[], %(idempotency_key)s::text[],
              %(execution_partition)s::smallint[], %(execution_id)s::uuid[])
       as n (partition_key, namespace, idempotency_key, execution_partition, execution_id)
 where k.partition_key = any (array[n.partition_key]) and k.namespace = n.namespace
   and k.idempotency_key = n.idempotency_key
   and k.execution_partition = n.execution_partition and k.execution_id = n.execution_id;

-- name: find_expired_idempotency_keys
select namespace, idempotency_key from ff_idempotency
 where expires_at_ms <= %(until_ms)s order by expires_at_ms limit %(most)s;

-- name: lock_answers
select k.scope, k.command_id, k.fingerprint, k.answer, k.expires_at_ms
  from unnest(%(scope)s::text[], %(command_id)s::text[]) as n (scope, command_id)
 cross join lateral (
           select * from ff_command c where c.scope = n.scope and c.command_id = n.command_id for update
       ) k;

-- name: insert_answers
insert into ff_command (scope, command_id, fingerprint, answer, expires_at_ms)
select * from unnest(%(scope)s::text[], %(command_id)s::text[], %(fingerprint)s::bytea[], %(answer)s::bytea[],
                     %(expires_at_ms)s::bigint[]);

-- name: update_answers
update ff_command k
   set fingerprint = n.fingerprint, answer = n.answer, expires_at_ms = n.expires_at_ms
  from unnest(%(scope)s::text[], %(command_id)s::text[], %(fingerprint)s::bytea[], %(answer)s::bytea[],
              %(expires_at_ms)s::bigint[]) as n (scope, command_id, fingerprint, answer, expires_at_ms)
 where k.scope = any (array[n.scope]) and k.command_id = n.command_id;

-- name: delete_answers
delete from ff_command k
 using unnest(%(scope)s::text[], %(command_id)s::text[]) as n (scope, command_id)
 where k.scope = any (array[n.scope]) and k.command_id = n.command_id;

-- name: find_expired_answers
select scope, command_id from ff_command where expires_at_ms <= %(until_ms)s order by expires_at_ms limit %(most)s;

-- name: insert_batch
-- Leaves the marker of a batch. A marker that this transaction has left before stays.
insert into ff_batch (batch_id, committed_at_ms)
values (%(batch_id)s, coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint))
on conflict do nothing;

-- name: give_up_batch
-- Waits for a first try that is still committing. If the first try has left no marker, this leaves a marker that says
-- that the batch was given up: its time is the present instant, negated. A late statement of the first try fails
-- because of this marker.
insert into ff_batch (batch_id, committed_at_ms)
values (%(batch_id)s, -coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) - 1)
on conflict do nothing;

-- name: find_batch
-- When a batch was committed; negative if it was given up.
select committed_at_ms from ff_batch where batch_id = %(batch_id)s;

-- name: end_stranded_sessions
-- Ends sessions of engines that stopped in the middle of a batch and keep its locks: their process is frozen, or gone
-- without the server's knowledge. Such a session is known by its marker, which only a batch writes. Only sessions of
-- the same role may be ended.
select pg_terminate_backend(a.pid)
  from pg_stat_activity a
 where a.datname = current_database() and a.usename = current_user
   and a.wait_event = 'ClientRead' and a.state_change < clock_timestamp() - interval '4 seconds'
   and exists (select from pg_locks l
                where l.pid = a.pid and l.relation = 'ff_batch'::regclass and l.mode = 'RowExclusiveLock');

-- name: this_session
select pid, backend_start from pg_stat_activity where pid = pg_backend_pid();

-- name: end_session
select pg_terminate_backend(pid) from pg_stat_activity where pid = %(pid)s and backend_start = %(began_at)s;

-- name: delete_old_batches
-- Deletes the markers of committed batches and of those that were given up.
delete from ff_batch where committed_at_ms > -%(before_ms)s::bigint and committed_at_ms < %(before_ms)s;
