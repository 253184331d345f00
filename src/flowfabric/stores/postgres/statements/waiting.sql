-- Waitpoints, signals and their keys change only under the lock of their execution, so they need no locks of their own.
-- Aliases and key rings are locked.

-- columns: waitpoint
w.partition_key, w.execution_id::text, w.key, w.life, w.waitpoint_id, w.created_at_ms, w.token_kid, w.expires_at_ms,
w.about, w.alias, w.closed_reason, w.subjects

-- columns: signal
s.partition_key, s.execution_id::text, s.number, s.signal_id, s.waitpoint_id, s.key, s.name, s.source,
s.claimed_source, s.delivered_at_ms, s.taken_by

-- columns: signal_key
k.partition_key, k.execution_id::text, k.key, k.idempotency_key, k.fingerprint, k.signal_id, k.namespace, k.alias

-- name: read_named_waitpoints
select
       /* columns: waitpoint */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(key)s::text[])
       as n (partition_key, execution_id, key)
  join ff_waitpoint w on w.partition_key = any (array[n.partition_key]) and w.execution_id = n.execution_id
   and w.key = n.key collate "C";

-- name: read_waitpoints_of_executions
-- All waitpoints of the named executions.
select
       /* columns: waitpoint */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_waitpoint w on w.partition_key = any (array[n.partition_key]) and w.execution_id = n.execution_id;

-- name: read_waitpoints
-- The waitpoints of one execution, by age and key, and how many kept signals each has.
select
       /* columns: waitpoint */,
       (select count(*) from ff_signal s
         where s.execution_id = w.execution_id and s.key = w.key and s.taken_by is null
           and s.partition_key + 0 = w.partition_key)
  from ff_waitpoint w
 where w.partition_key = %(partition_key)s and w.execution_id = %(execution_id)s::uuid
 order by w.created_at_ms, w.key;

-- name: read_waitpoint_of_id
-- One waitpoint of an execution, by its own id.
select
       /* columns: waitpoint */
  from ff_waitpoint w
 where w.partition_key = %(partition_key)s and w.execution_id = %(execution_id)s::uuid
   and w.waitpoint_id = %(waitpoint_id)s;

-- name: save_waitpoints
insert into ff_waitpoint (
    partition_key, execution_id, key, life, waitpoint_id, created_at_ms, token_kid, expires_at_ms, about, alias,
    closed_reason, subjects
)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(key)s::text[], %(life)s::integer[],
           %(waitpoint_id)s::text[], %(created_at_ms)s::bigint[], %(token_kid)s::text[], %(expires_at_ms)s::bigint[],
           %(about)s::text[], %(alias)s::text[], %(closed_reason)s::text[], %(subjects)s::text[]
       )
on conflict (partition_key, execution_id, key) do update set
    life = excluded.life,
    waitpoint_id = excluded.waitpoint_id,
    created_at_ms = excluded.created_at_ms,
    token_kid = excluded.token_kid,
    expires_at_ms = excluded.expires_at_ms,
    about = excluded.about,
    alias = excluded.alias,
    closed_reason = excluded.closed_reason,
    subjects = excluded.subjects;

-- name: delete_named_waitpoints
delete from ff_waitpoint c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(key)s::text[])
       as n (partition_key, execution_id, key)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
   and c.key = n.key collate "C";

-- name: delete_waitpoints
delete from ff_waitpoint c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: read_named_signals
select
       /* columns: signal */,
       s.payload
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(number)s::integer[])
       as n (partition_key, execution_id, number)
  join ff_signal s on s.partition_key = any (array[n.partition_key]) and s.execution_id = n.execution_id
   and s.number = n.number;

-- name: read_kept_signals
-- The oldest signals of each named waitpoint that no wait has taken, without their payloads, in the order of arrival.
select n.partition_key, n.execution_id::text, n.key, s.number, s.name, s.source
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(key)s::text[], %(most)s::integer[])
       as n (partition_key, execution_id, key, most)
 cross join lateral (
           select x.number, x.name, x.source from ff_signal x
            where x.execution_id = n.execution_id and x.key = n.key collate "C" and x.taken_by is null
              and x.partition_key + 0 = n.partition_key
            order by x.execution_id, x.key, x.number
            limit n.most
       ) s;

-- name: read_signals_of_executions
-- All signals of the named executions, without their payloads.
select
       /* columns: signal */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_signal s on s.partition_key = any (array[n.partition_key]) and s.execution_id = n.execution_id;

-- name: read_signals
-- The next signals of one execution in the order of their arrival. A key that is null lets all of them pass.
select
       /* columns: signal */,
       s.payload
  from ff_signal s
 where s.partition_key = %(partition_key)s and s.execution_id = %(execution_id)s::uuid
   and (%(key)s::text is null or s.key = %(key)s) and s.number > %(after)s
 order by s.number
 limit %(most)s;

-- name: insert_signals
insert into ff_signal (
    partition_key, execution_id, number, signal_id, waitpoint_id, key, name, source, claimed_source, delivered_at_ms,
    taken_by, payload
)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(number)s::integer[], %(signal_id)s::text[],
           %(waitpoint_id)s::text[], %(key)s::text[], %(name)s::text[], %(source)s::text[],
           %(claimed_source)s::text[], %(delivered_at_ms)s::bigint[], %(taken_by)s::text[], %(payload)s::bytea[]
       );

-- name: take_signals
update ff_signal c
   set taken_by = n.taken_by
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(number)s::integer[], %(taken_by)s::text[])
       as n (partition_key, execution_id, number, taken_by)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id and c.number = n.number;

-- name: delete_named_signals
delete from ff_signal c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(number)s::integer[])
       as n (partition_key, execution_id, number)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id and c.number = n.number;

-- name: delete_signals
delete from ff_signal c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: read_signal_keys
select
       /* columns: signal_key */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(key)s::text[], %(idempotency_key)s::text[])
       as n (partition_key, execution_id, key, idempotency_key)
  join ff_signal_key k on k.partition_key = any (array[n.partition_key]) and k.execution_id = n.execution_id
   and k.key = n.key collate "C" and k.idempotency_key = n.idempotency_key collate "C";

-- name: read_alias_keys
-- The keys of signals that were sent to an alias. If several executions have had the alias, the key of the last one.
select
       /* columns: signal_key */
  from unnest(%(namespace)s::text[], %(alias)s::text[], %(idempotency_key)s::text[])
       as n (namespace, alias, idempotency_key)
 cross join lateral (
           select * from ff_signal_key x
            where x.namespace = n.namespace collate "C" and x.alias = n.alias collate "C"
              and x.idempotency_key = n.idempotency_key collate "C"
            order by x.namespace desc, x.alias desc, x.idempotency_key desc, x.execution_id desc
            limit 1
       ) k;

-- name: insert_signal_keys
insert into ff_signal_key (
    partition_key, execution_id, key, idempotency_key, fingerprint, signal_id, namespace, alias
)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(key)s::text[], %(idempotency_key)s::text[],
           %(fingerprint)s::bytea[], %(signal_id)s::text[], %(namespace)s::text[], %(alias)s::text[]
       );

-- name: delete_signal_keys_of_waitpoints
delete from ff_signal_key c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(key)s::text[])
       as n (partition_key, execution_id, key)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
   and c.key = n.key collate "C";

-- name: delete_signal_keys
delete from ff_signal_key c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: lock_aliases
-- Locks the aliases that exist, one by one in the given order. The outcome of each holder is read without a lock. A
-- holder that is not there any more counts as cancelled.
select a.namespace, a.alias, a.partition_key, a.execution_id::text, a.key,
       coalesce(c.terminal_outcome, {outcome.cancelled})
  from unnest(%(namespace)s::text[], %(alias)s::text[]) as n (namespace, alias)
 cross join lateral (
           select * from ff_alias x
            where x.namespace = n.namespace collate "C" and x.alias = n.alias collate "C"
              for update
       ) a
  left join ff_exec_core c on c.partition_key = any (array[a.partition_key]) and c.execution_id = a.execution_id;

-- name: read_alias
-- The same for one alias, unlocked.
select a.namespace, a.alias, a.partition_key, a.execution_id::text, a.key,
       coalesce(c.terminal_outcome, {outcome.cancelled})
  from ff_alias a
  left join ff_exec_core c on c.partition_key = a.partition_key and c.execution_id = a.execution_id
 where a.namespace = %(namespace)s and a.alias = %(alias)s;

-- name: insert_aliases
insert into ff_alias (namespace, alias, partition_key, execution_id, key)
select * from unnest(
           %(namespace)s::text[], %(alias)s::text[], %(partition_key)s::smallint[], %(execution_id)s::uuid[],
           %(key)s::text[]
       );

-- name: update_aliases
update ff_alias c
   set partition_key = n.partition_key, execution_id = n.execution_id, key = n.key
  from unnest(
           %(namespace)s::text[], %(alias)s::text[], %(partition_key)s::smallint[], %(execution_id)s::uuid[],
           %(key)s::text[]
       ) as n (namespace, alias, partition_key, execution_id, key)
 where c.namespace = any (array[n.namespace collate "C"]) and c.alias = n.alias collate "C";

-- name: delete_named_aliases
delete from ff_alias c
 using unnest(%(namespace)s::text[], %(alias)s::text[]) as n (namespace, alias)
 where c.namespace = any (array[n.namespace collate "C"]) and c.alias = n.alias collate "C";

-- name: delete_aliases
-- The aliases of the named executions.
delete from ff_alias c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: lock_key_rings
select r.name, r.keys
  from unnest(%(name)s::text[]) as n (name)
 cross join lateral (
           select * from ff_key_ring x where x.name = n.name collate "C" for update
       ) r;

-- name: read_key_ring
select name, keys from ff_key_ring where name = %(name)s;

-- name: insert_key_rings
insert into ff_key_ring (name, keys) select * from unnest(%(name)s::text[], %(keys)s::text[]);

-- name: update_key_rings
update ff_key_ring c
   set keys = n.keys
  from unnest(%(name)s::text[], %(keys)s::text[]) as n (name, keys)
 where c.name = any (array[n.name collate "C"]);

-- name: list_suspended
-- Suspended executions, oldest wait first, after the given position. A filter that is null lets everything pass.
select
       /* columns: execution */
  from ff_exec_core c
 where (c.waiting_since_ms, c.execution_id, c.partition_key)
       > (%(waiting_since_ms)s, %(execution_id)s::uuid, %(partition_key)s::smallint)
   and c.waiting_since_ms is not null
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
   and (%(key)s::text is null
        or exists (select from ff_waitpoint w
                    where w.partition_key = c.partition_key and w.execution_id = c.execution_id and w.key = %(key)s))
 order by c.waiting_since_ms, c.execution_id, c.partition_key
 limit %(most)s;
