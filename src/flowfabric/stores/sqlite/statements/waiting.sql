-- columns: waitpoint
w.partition_key, hex(w.execution_id), w.key, w.life, w.waitpoint_id, w.created_at_ms, w.token_kid, w.expires_at_ms,
w.about, w.alias, w.closed_reason, w.subjects

-- columns: signal
s.partition_key, hex(s.execution_id), s.number, s.signal_id, s.waitpoint_id, s.key, s.name, s.source,
s.claimed_source, s.delivered_at_ms, s.taken_by

-- columns: signal_key
k.partition_key, hex(k.execution_id), k.key, k.idempotency_key, hex(k.fingerprint), k.signal_id, k.namespace, k.alias

-- name: load_waitpoints
select json_group_array(json_array(/* columns: waitpoint */))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_waitpoint w on w.partition_key = n.column1 and w.execution_id = n.column2 and w.key = n.column3;

-- name: load_waitpoints_of_executions
-- All waitpoints of the named executions, with the number of their kept signals.
select json_group_array(json_array(
           /* columns: waitpoint */,
           (select count(*) from ff_signal s indexed by ff_signal_kept
             where s.partition_key = w.partition_key and s.execution_id = w.execution_id and s.key = w.key
               and s.taken_by is null)
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_waitpoint w on w.partition_key = n.column1 and w.execution_id = n.column2;

-- name: load_waitpoint_of_id
-- One waitpoint of an execution, by its own id.
select json_group_array(json_array(/* columns: waitpoint */))
  from ff_waitpoint w
 where w.partition_key = ? and w.execution_id = ? and w.waitpoint_id = ?;

-- name: load_signals
-- The named signals, with payloads up to a size; larger payloads are read one by one.
select json_group_array(json_array(
           /* columns: signal */, iif(length(s.payload) <= 4096, hex(s.payload), null)
       ))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_signal s on s.partition_key = n.column1 and s.execution_id = n.column2 and s.number = n.column3;

-- name: load_signal_payload
select payload from ff_signal where partition_key = ? and execution_id = ? and number = ?;

-- name: load_signals_of_executions
-- All signals of the named executions, without their payloads.
select json_group_array(json_array(/* columns: signal */))
  from (values /* rows */ (?, ?)) as n
 cross join ff_signal s on s.partition_key = n.column1 and s.execution_id = n.column2;

-- name: load_kept_signals
-- The oldest signals of the named waitpoints that no wait has taken, at most so many of each.
select json_group_array(json_array(/* columns: signal */))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_signal s on s.partition_key = n.column1 and s.execution_id = n.column2
   and s.number in (select k.number from ff_signal k indexed by ff_signal_kept
                     where k.partition_key = n.column1 and k.execution_id = n.column2 and k.key = n.column3
                       and k.taken_by is null
                     order by k.number
                     limit ?);

-- name: list_signal_numbers
-- The next signals of an execution, or of one of its waitpoints.
select number
  from ff_signal
 where partition_key = ?1 and execution_id = ?2 and (?3 is null or key = ?3) and number > ?4
 order by number
 limit ?5;

-- name: load_signal_keys
select json_group_array(json_array(/* columns: signal_key */))
  from (values /* rows */ (?, ?, ?, ?)) as n
 cross join ff_signal_key k on k.partition_key = n.column1 and k.execution_id = n.column2 and k.key = n.column3
   and k.idempotency_key = n.column4;

-- name: load_alias_keys
-- Idempotency keys of signals that were sent to the named aliases.
select json_group_array(json_array(/* columns: signal_key */))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_signal_key k indexed by ff_signal_key_alias
    on k.namespace = n.column1 and k.alias = n.column2 and k.idempotency_key = n.column3 and k.alias is not null;

-- name: load_aliases
-- The named aliases, with the outcomes of the executions that have them.
select json_group_array(json_array(
           a.namespace, a.alias, a.partition_key, hex(a.execution_id), a.key, c.terminal_outcome
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_alias a on a.namespace = n.column1 and a.alias = n.column2
 cross join ff_exec_core c indexed by sqlite_autoindex_ff_exec_core_1
    on c.partition_key = a.partition_key and c.execution_id = a.execution_id;

-- name: load_key_ring
select keys from ff_key_ring where name = ?;

-- name: list_suspended
-- Suspended executions, oldest wait first, after the given position. A filter that is null lets everything pass.
select c.partition_key, c.execution_id
  from ff_exec_core c indexed by ff_exec_core_suspended
 where c.lifecycle_phase = {phase.suspended}
   and (c.waiting_since_ms, c.execution_id, c.partition_key) > (?1, ?2, ?3)
   and (?4 is null or c.namespace = ?4)
   and (?5 is null or exists (select 1
                                from ff_waitpoint w
                               where w.partition_key = c.partition_key and w.execution_id = c.execution_id
                                 and w.key = ?5))
 order by c.waiting_since_ms, c.execution_id, c.partition_key
 limit ?6;

-- name: find_waits_over_among
-- Which of the given executions have a wait that is over and not answered yet, or are not leased any more. An inbox that
-- does not parse counts, too: the next command of its worker then says what is wrong with it.
select n.column1, n.column2
  from (values /* rows */ (?, ?)) as n
  left join ff_exec_core c on c.partition_key = n.column1 and c.execution_id = n.column2
 where n.column1 is not null
   and (c.partition_key is null or c.lifecycle_phase <> {phase.active}
        or iif(json_valid(c.inbox), json_array_length(c.inbox, '$.unanswered') > 0, c.inbox is not null));

-- name: save_waitpoints
insert into ff_waitpoint (
    partition_key, execution_id, key, life, waitpoint_id, created_at_ms, token_kid, expires_at_ms, about, alias,
    closed_reason, subjects
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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

-- name: insert_signals
insert into ff_signal (
    partition_key, execution_id, number, signal_id, waitpoint_id, key, name, source, claimed_source, delivered_at_ms,
    taken_by, payload
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: take_signals
-- Waits take these signals. Without the name of a wait, a signal is kept again.
update ff_signal as s
   set taken_by = n.column4
  from (values /* rows */ (?, ?, ?, ?)) as n
 where s.partition_key = +n.column1 and s.execution_id = +n.column2 and s.number = +n.column3
   and /* part: sent_first */;

-- name: save_signal_keys
insert into ff_signal_key (
    partition_key, execution_id, key, idempotency_key, fingerprint, signal_id, namespace, alias
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, execution_id, key, idempotency_key) do update set
    fingerprint = excluded.fingerprint,
    signal_id = excluded.signal_id,
    namespace = excluded.namespace,
    alias = excluded.alias;

-- name: save_aliases
insert into ff_alias (namespace, alias, partition_key, execution_id, key) values /* rows */ (?, ?, ?, ?, ?)
on conflict (namespace, alias) do update set
    partition_key = excluded.partition_key,
    execution_id = excluded.execution_id,
    key = excluded.key;

-- name: save_key_rings
insert into ff_key_ring (name, keys) values /* rows */ (?, ?)
on conflict (name) do update set keys = excluded.keys;

-- name: delete_named_waitpoints
delete from ff_waitpoint where partition_key = ? and execution_id = ? and key = ?;

-- name: delete_waitpoints
delete from ff_waitpoint where partition_key = ? and execution_id = ?;

-- name: delete_named_signals
delete from ff_signal where partition_key = ? and execution_id = ? and number = ?;

-- name: delete_signals
delete from ff_signal where partition_key = ? and execution_id = ?;

-- name: delete_signal_keys_of_waitpoints
delete from ff_signal_key where partition_key = ? and execution_id = ? and key = ?;

-- name: delete_signal_keys
delete from ff_signal_key where partition_key = ? and execution_id = ?;

-- name: delete_named_aliases
delete from ff_alias where namespace = ? and alias = ?;

-- name: delete_aliases
delete from ff_alias where partition_key = ? and execution_id = ?;
