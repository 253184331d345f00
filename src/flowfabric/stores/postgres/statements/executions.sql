-- Arrays in, rows out: one statement per table per batch. No statement here decides a transition; a condition on a
-- state only finds candidates, and the domain checks each of them again.
--
-- A statement is planned once and then used for hours, so its plan must not depend on how full a table was. Where given
-- rows are looked up in a table, the first column of its index is compared with `= any (array[...])`, which leaves the
-- planner one way: a lookup for each given row. With a plain `=` the planner may also walk through the whole index, and
-- does so if statistics say that the table is nearly empty. A lateral select with a limit or a lock has the same
-- effect.

-- columns: execution
c.partition_key, c.execution_id::text, c.namespace, c.lane_id, c.flow_id::text, c.execution_kind, c.capability_set,
c.policy, c.idempotency_key, c.created_at_ms, c.tags, c.lifecycle_phase, c.eligibility_state, c.attempt_state,
c.terminal_outcome, c.priority, c.attempt_index, c.lease_epoch, c.retry_count, c.interruption_count, c.replay_count,
c.event_seq, c.ready_at_ms, c.worker_id, c.worker_instance_id, c.lease_ttl_ms, c.lease_expires_at_ms,
c.attempt_started_at_ms, c.started_at_ms, c.terminal_at_ms, c.delay_until_ms, c.deadline_at_ms,
c.cancellation_reason, c.cancelled_by, c.failure_code, c.failure_message, c.progress_percent, c.progress_message,
c.unsettled, c.lease_mark, c.lease_era, c.node, c.coming_back, c.inbox, c.parent_id::text, c.child_place, c.gates,
c.created_by

-- name: pin_plans_by_key
-- A plan that was made while a table was small must not scan it once it has grown. For reads by the key of executions,
-- in this transaction only.
select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
       set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true),
       set_config('enable_material', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true),
       set_config('jit', 'off', true);

-- name: pin_plans
-- Statistics taken at a bad moment must not turn an index lookup into a scan of the table, and nobody waits for long
-- for a lock whose holder is busy, frozen or gone. Defaults that the role or the database has for other programs must
-- not reach a batch: its timeouts, its isolation, and whether NULL in an array is a null. The settings hold for this
-- transaction only, which also works behind a pooler, or for a session, which must be ours alone.
select set_config('enable_seqscan', 'off', %(for_transaction)s),
       set_config('enable_hashjoin', 'off', %(for_transaction)s),
       set_config('enable_mergejoin', 'off', %(for_transaction)s),
       set_config('enable_bitmapscan', 'off', %(for_transaction)s),
       set_config('enable_sort', 'off', %(for_transaction)s),
       set_config('enable_material', 'off', %(for_transaction)s),
       set_config('plan_cache_mode', 'force_generic_plan', %(for_transaction)s),
       set_config('jit', 'off', %(for_transaction)s),
       set_config('lock_timeout', %(lock_wait_ms)s::text, %(for_transaction)s),
       set_config('array_nulls', 'on', %(for_transaction)s),
       set_config('default_transaction_isolation', 'read committed', %(for_transaction)s),
       set_config('idle_in_transaction_session_timeout', '60s', %(for_transaction)s),
       set_config('statement_timeout', '0', %(for_transaction)s),
       -- New in PostgreSQL 17.
       case when current_setting('transaction_timeout', true) is not null
            then set_config('transaction_timeout', '0', %(for_transaction)s) end,
       -- Not a setting: the timeline of the server, which the writer has to know.
       case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end;

-- name: lift_limits
-- A migration has no time limit, even if the role has one.
select set_config('statement_timeout', '0', true),
       set_config('idle_in_transaction_session_timeout', '0', true),
       case when current_setting('transaction_timeout', true) is not null
            then set_config('transaction_timeout', '0', true) end;

-- name: set_lock_wait
select set_config('lock_timeout', %(lock_wait_ms)s::text, true);

-- name: notify
-- Sends notifications when the transaction commits. PostgreSQL sends equal ones of a transaction once.
select pg_notify(n.channel, n.note) from unnest(%(channel)s::text[], %(note)s::text[]) as n (channel, note);

-- name: clock
-- The store's time, read after the locks.
select (extract(epoch from clock_timestamp()) * 1000)::bigint;

-- name: lock_solo_executions
-- Locks the named executions that belong to no flow, as lock_executions does. Of the others it returns only the flow:
-- an execution never changes its flow, so this needs no lock.
select
       /* columns: execution */,
       n.partition_key, n.execution_id::text,
       case when c.execution_id is null then
           (select m.flow_id::text from ff_exec_core m
             where m.partition_key = n.partition_key and m.execution_id = n.execution_id)
       end
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  left join lateral (
           select * from ff_exec_core x
            where x.partition_key = n.partition_key and x.execution_id = n.execution_id and x.flow_id is null
              for update
       ) c on true;

-- name: lock_late_solo_executions
-- The same for a batch that holds later locks already. Nobody is waited for, so the last column says whether another
-- transaction holds an execution that should have been locked.
select
       /* columns: execution */,
       n.partition_key, n.execution_id::text, m.flow_id::text,
       c.execution_id is null and m.execution_id is not null and m.flow_id is null
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  left join lateral (
           select * from ff_exec_core x
            where x.partition_key = n.partition_key and x.execution_id = n.execution_id and x.flow_id is null
              for update skip locked
       ) c on true
  left join lateral (
           select x.execution_id, x.flow_id from ff_exec_core x
            where x.partition_key = n.partition_key and x.execution_id = n.execution_id
       ) m on true;

-- name: lock_executions
-- The named executions, locked one by one in the given order, which is the order of their ids, so that two batches
-- cannot wait for each other. The select is lateral, because a join could choose an order of its own.
select
       /* columns: execution */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 cross join lateral (
           select * from ff_exec_core x
            where x.partition_key = n.partition_key and x.execution_id = n.execution_id
              for update
       ) c;

-- name: read_executions
-- The named executions, unlocked.
select
       /* columns: execution */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_exec_core c on c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: ready_capability_sets
-- The capability sets that a lane's queue holds: one index step per set, however long the queue is. Each row also holds
-- the state of the lane, if an operator has set one; if the queue is empty, a single row holds that state alone.
with recursive found (capability_set) as (
    (select capability_set from ff_ready
      where namespace = %(namespace)s and lane_id = %(lane_id)s
      order by namespace, lane_id, capability_set limit 1)
     union all
    select next.capability_set
      from found
     cross join lateral (
               select r.capability_set from ff_ready r
                where r.namespace = %(namespace)s and r.lane_id = %(lane_id)s
                  and r.capability_set > found.capability_set
                order by r.namespace, r.lane_id, r.capability_set limit 1
           ) next
)
select f.capability_set, l.paused_at_ms, l.reason, l.event_seq
  from (values (true)) as one
  left join found f on true
  left join ff_lane l on l.namespace = %(namespace)s and l.lane_id = %(lane_id)s;

-- name: lock_ready
-- The head of one part of the queue with its payloads, in queue order. Executions that others hold are skipped, and so
-- are those that have just been taken: PostgreSQL tests the conditions again on the locked row, and they are written so
-- that no index can match them. Nothing is found in a paused lane, even if it was paused after the batch has read the
-- state of the lane: the batch may have waited for locks in between. A row of the queue that stands in the wrong place
-- does not count, because its execution would be there twice. For a member of a flow the row also holds the flow's
-- state, unlocked, and whether results are passed to the member. Where there can be no group, its key is null, so that
-- it is not looked up.
select
       /* columns: execution */,
       p.payload, f.state, g.passes_results
  from ff_ready r
  join ff_exec_core c on c.partition_key = any (array[r.partition_key]) and c.execution_id = r.execution_id
  left join ff_payload p on p.partition_key = any (array[r.partition_key]) and p.execution_id = r.execution_id
  left join ff_flow_core f on f.partition_key = any (array[c.partition_key]) and f.flow_id = c.flow_id
  left join ff_edge_group g on g.partition_key = any (array[c.partition_key])
        and g.downstream = case when c.flow_id is not null then c.execution_id end
 where r.namespace = %(namespace)s and r.lane_id = %(lane_id)s and r.capability_set = %(capability_set)s
   and c.lifecycle_phase + 0 = {phase.runnable} and c.eligibility_state + 0 = {eligibility.eligible_now}
   and c.priority + 0 = -r.rank and c.turn + 0 = r.turn and c.ready_at_ms + 0 = r.ready_at_ms
   and not exists (select from ff_lane l
                    where l.namespace = %(namespace)s and l.lane_id = %(lane_id)s and l.paused_at_ms is not null)
 order by r.namespace, r.lane_id, r.capability_set, r.rank, r.turn, r.ready_at_ms, r.execution_id, r.partition_key
 limit %(most)s
   for update of c skip locked;

-- name: insert_executions
-- New records in their first state: runnable, never attempted. Changes within the same batch are an update. If a record
-- exists already, that is a unique violation: the batch is decided again, and finds the record.
insert into ff_exec_core (
    partition_key, execution_id, namespace, lane_id, flow_id, execution_kind, capability_set, policy,
    idempotency_key, created_at_ms, tags, eligibility_state, public_state, priority, ready_at_ms, delay_until_ms,
    deadline_at_ms, lease_era, node, parent_id, child_place, created_by, lifecycle_phase, attempt_state,
    terminal_outcome, attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq
)
select n.*, {phase.runnable}, {attempt_state.pending_first_attempt}, {outcome.none}, 0, 0, 0, 0, 0, 0
  from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(namespace)s::text[], %(lane_id)s::text[],
           %(flow_id)s::uuid[], %(execution_kind)s::text[], %(capability_set)s::integer[], %(policy)s::text[],
           %(idempotency_key)s::text[], %(created_at_ms)s::bigint[], %(tags)s::text[],
           %(eligibility_state)s::smallint[], %(public_state)s::smallint[], %(priority)s::integer[],
           %(ready_at_ms)s::bigint[], %(delay_until_ms)s::bigint[], %(deadline_at_ms)s::bigint[],
           %(lease_era)s::bigint[], %(node)s::text[], %(parent_id)s::uuid[], %(child_place)s::text[],
           %(created_by)s::text[]
       ) as n;

-- name: insert_gated_executions
-- The same for executions with gates.
insert into ff_exec_core (
    partition_key, execution_id, namespace, lane_id, flow_id, execution_kind, capability_set, policy,
    idempotency_key, created_at_ms, tags, eligibility_state, public_state, priority, ready_at_ms, delay_until_ms,
    deadline_at_ms, lease_era, node, parent_id, child_place, created_by, gates, turn, lifecycle_phase, attempt_state,
    terminal_outcome, attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq
)
select n.*, {phase.runnable}, {attempt_state.pending_first_attempt}, {outcome.none}, 0, 0, 0, 0, 0, 0
  from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(namespace)s::text[], %(lane_id)s::text[],
           %(flow_id)s::uuid[], %(execution_kind)s::text[], %(capability_set)s::integer[], %(policy)s::text[],
           %(idempotency_key)s::text[], %(created_at_ms)s::bigint[], %(tags)s::text[],
           %(eligibility_state)s::smallint[], %(public_state)s::smallint[], %(priority)s::integer[],
           %(ready_at_ms)s::bigint[], %(delay_until_ms)s::bigint[], %(deadline_at_ms)s::bigint[],
           %(lease_era)s::bigint[], %(node)s::text[], %(parent_id)s::uuid[], %(child_place)s::text[],
           %(created_by)s::text[], %(gates)s::text[], %(turn)s::integer[]
       ) as n;

-- name: update_executions
-- Whole records, locked by this transaction.
update ff_exec_core c
   set lifecycle_phase = n.lifecycle_phase,
       eligibility_state = n.eligibility_state,
       attempt_state = n.attempt_state,
       terminal_outcome = n.terminal_outcome,
       public_state = n.public_state,
       attempt_index = n.attempt_index,
       lease_epoch = n.lease_epoch,
       event_seq = n.event_seq,
       worker_id = n.worker_id,
       worker_instance_id = n.worker_instance_id,
       lease_ttl_ms = n.lease_ttl_ms,
       lease_expires_at_ms = n.lease_expires_at_ms,
       attempt_started_at_ms = n.attempt_started_at_ms,
       started_at_ms = n.started_at_ms,
       terminal_at_ms = n.terminal_at_ms,
       lease_mark = n.lease_mark,
       lease_era = n.lease_era,
       tags = n.tags,
       priority = n.priority,
       retry_count = n.retry_count,
       interruption_count = n.interruption_count,
       replay_count = n.replay_count,
       ready_at_ms = n.ready_at_ms,
       delay_until_ms = n.delay_until_ms,
       deadline_at_ms = n.deadline_at_ms,
       cancellation_reason = n.cancellation_reason,
       cancelled_by = n.cancelled_by,
       failure_code = n.failure_code,
       failure_message = n.failure_message,
       progress_percent = n.progress_percent,
       progress_message = n.progress_message,
       unsettled = n.unsettled,
       coming_back = n.coming_back,
       inbox = n.inbox,
       waiting_since_ms = n.waiting_since_ms
  from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(lifecycle_phase)s::smallint[],
           %(eligibility_state)s::smallint[], %(attempt_state)s::smallint[], %(terminal_outcome)s::smallint[],
           %(public_state)s::smallint[], %(attempt_index)s::integer[], %(lease_epoch)s::bigint[],
           %(event_seq)s::integer[], %(worker_id)s::text[], %(worker_instance_id)s::text[],
           %(lease_ttl_ms)s::bigint[], %(lease_expires_at_ms)s::bigint[], %(attempt_started_at_ms)s::bigint[],
           %(started_at_ms)s::bigint[], %(terminal_at_ms)s::bigint[], %(tags)s::text[],
           %(priority)s::integer[], %(retry_count)s::integer[], %(interruption_count)s::integer[],
           %(replay_count)s::integer[], %(ready_at_ms)s::bigint[], %(delay_until_ms)s::bigint[],
           %(deadline_at_ms)s::bigint[], %(cancellation_reason)s::text[], %(cancelled_by)s::text[],
           %(failure_code)s::text[], %(failure_message)s::text[], %(progress_percent)s::smallint[],
           %(progress_message)s::text[], %(unsettled)s::smallint[], %(lease_mark)s::text[], %(lease_era)s::bigint[],
           %(coming_back)s::smallint[], %(inbox)s::text[], %(waiting_since_ms)s::bigint[]
       ) as n (
           partition_key, execution_id, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome,
           public_state, attempt_index, lease_epoch, event_seq, worker_id, worker_instance_id, lease_ttl_ms,
           lease_expires_at_ms, attempt_started_at_ms, started_at_ms, terminal_at_ms, tags, priority,
           retry_count, interruption_count, replay_count, ready_at_ms, delay_until_ms, deadline_at_ms,
           cancellation_reason, cancelled_by, failure_code, failure_message, progress_percent, progress_message,
           unsettled, lease_mark, lease_era, coming_back, inbox, waiting_since_ms
       )
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: update_hot_columns
-- The columns that a claim, a renewal, a completion and a satisfied join change, for records without other changes.
update ff_exec_core c
   set lifecycle_phase = n.lifecycle_phase,
       eligibility_state = n.eligibility_state,
       attempt_state = n.attempt_state,
       terminal_outcome = n.terminal_outcome,
       public_state = n.public_state,
       attempt_index = n.attempt_index,
       lease_epoch = n.lease_epoch,
       event_seq = n.event_seq,
       worker_id = n.worker_id,
       worker_instance_id = n.worker_instance_id,
       lease_ttl_ms = n.lease_ttl_ms,
       lease_expires_at_ms = n.lease_expires_at_ms,
       attempt_started_at_ms = n.attempt_started_at_ms,
       started_at_ms = n.started_at_ms,
       terminal_at_ms = n.terminal_at_ms,
       ready_at_ms = n.ready_at_ms,
       lease_mark = n.lease_mark,
       lease_era = n.lease_era
  from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(lifecycle_phase)s::smallint[],
           %(eligibility_state)s::smallint[], %(attempt_state)s::smallint[], %(terminal_outcome)s::smallint[],
           %(public_state)s::smallint[], %(attempt_index)s::integer[], %(lease_epoch)s::bigint[],
           %(event_seq)s::integer[], %(worker_id)s::text[], %(worker_instance_id)s::text[],
           %(lease_ttl_ms)s::bigint[], %(lease_expires_at_ms)s::bigint[], %(attempt_started_at_ms)s::bigint[],
           %(started_at_ms)s::bigint[], %(terminal_at_ms)s::bigint[], %(ready_at_ms)s::bigint[],
           %(lease_mark)s::text[], %(lease_era)s::bigint[]
       ) as n (
           partition_key, execution_id, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome,
           public_state, attempt_index, lease_epoch, event_seq, worker_id, worker_instance_id, lease_ttl_ms,
           lease_expires_at_ms, attempt_started_at_ms, started_at_ms, terminal_at_ms, ready_at_ms, lease_mark,
           lease_era
       )
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: update_waiting_columns
-- The hot columns, and those that say what an execution waits for. Suspensions and signals change no other columns.
update ff_exec_core c
   set lifecycle_phase = n.lifecycle_phase,
       eligibility_state = n.eligibility_state,
       attempt_state = n.attempt_state,
       terminal_outcome = n.terminal_outcome,
       public_state = n.public_state,
       attempt_index = n.attempt_index,
       lease_epoch = n.lease_epoch,
       event_seq = n.event_seq,
       worker_id = n.worker_id,
       worker_instance_id = n.worker_instance_id,
       lease_ttl_ms = n.lease_ttl_ms,
       lease_expires_at_ms = n.lease_expires_at_ms,
       attempt_started_at_ms = n.attempt_started_at_ms,
       started_at_ms = n.started_at_ms,
       terminal_at_ms = n.terminal_at_ms,
       ready_at_ms = n.ready_at_ms,
       lease_mark = n.lease_mark,
       lease_era = n.lease_era,
       inbox = n.inbox,
       waiting_since_ms = n.waiting_since_ms
  from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(lifecycle_phase)s::smallint[],
           %(eligibility_state)s::smallint[], %(attempt_state)s::smallint[], %(terminal_outcome)s::smallint[],
           %(public_state)s::smallint[], %(attempt_index)s::integer[], %(lease_epoch)s::bigint[],
           %(event_seq)s::integer[], %(worker_id)s::text[], %(worker_instance_id)s::text[],
           %(lease_ttl_ms)s::bigint[], %(lease_expires_at_ms)s::bigint[], %(attempt_started_at_ms)s::bigint[],
           %(started_at_ms)s::bigint[], %(terminal_at_ms)s::bigint[], %(ready_at_ms)s::bigint[],
           %(lease_mark)s::text[], %(lease_era)s::bigint[], %(inbox)s::text[], %(waiting_since_ms)s::bigint[]
       ) as n (
           partition_key, execution_id, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome,
           public_state, attempt_index, lease_epoch, event_seq, worker_id, worker_instance_id, lease_ttl_ms,
           lease_expires_at_ms, attempt_started_at_ms, started_at_ms, terminal_at_ms, ready_at_ms, lease_mark,
           lease_era, inbox, waiting_since_ms
       )
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: delete_executions
delete from ff_exec_core c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: insert_payloads
insert into ff_payload (partition_key, execution_id, payload)
select * from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(payload)s::bytea[]);

-- name: read_payloads
select c.partition_key, c.execution_id::text, c.payload
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_payload c on c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: delete_payloads
delete from ff_payload c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: save_results
insert into ff_result (partition_key, execution_id, generation, result)
select * from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(generation)s::integer[],
                     %(result)s::bytea[])
on conflict (partition_key, execution_id, generation) do update set result = excluded.result;

-- name: read_result
-- The result of the present life.
select r.result
  from ff_exec_core c
  join ff_result r on r.partition_key = c.partition_key and r.execution_id = c.execution_id
   and r.generation = c.replay_count
 where c.partition_key = %(partition_key)s and c.execution_id = %(execution_id)s::uuid;

-- name: delete_results_of_lives
delete from ff_result c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(generation)s::integer[])
       as n (partition_key, execution_id, generation)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
   and c.generation = n.generation;

-- name: delete_results
-- The results of all lives.
delete from ff_result c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: insert_tags
insert into ff_tag (partition_key, execution_id, key, value, created_at_ms)
select * from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(key)s::text[], %(value)s::text[],
                     %(created_at_ms)s::bigint[]);

-- name: delete_tags
delete from ff_tag c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: save_attempts
insert into ff_attempt (
    partition_key, execution_id, attempt_index, lease_epoch, worker_id, worker_instance_id, started_at_ms,
    terminal_at_ms, outcome
)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(attempt_index)s::integer[],
           %(lease_epoch)s::bigint[], %(worker_id)s::text[], %(worker_instance_id)s::text[],
           %(started_at_ms)s::bigint[], %(terminal_at_ms)s::bigint[], %(outcome)s::smallint[]
       )
on conflict (partition_key, execution_id, attempt_index) do update set
    lease_epoch = excluded.lease_epoch,
    worker_id = excluded.worker_id,
    worker_instance_id = excluded.worker_instance_id,
    started_at_ms = excluded.started_at_ms,
    terminal_at_ms = excluded.terminal_at_ms,
    outcome = excluded.outcome;

-- name: keep_last_attempts
-- Writes rows for the last attempts that stand in the records of ended executions, which are about to change.
insert into ff_attempt (
    partition_key, execution_id, attempt_index, lease_epoch, worker_id, worker_instance_id, started_at_ms,
    terminal_at_ms, outcome
)
select c.partition_key, c.execution_id, c.attempt_index, c.lease_epoch, c.worker_id, c.worker_instance_id,
       c.attempt_started_at_ms, c.terminal_at_ms, {completed.attempt_outcome}
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_exec_core c on c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
 where c.lifecycle_phase + 0 = {phase.terminal} and c.attempt_started_at_ms is not null
on conflict (partition_key, execution_id, attempt_index) do update set
    lease_epoch = excluded.lease_epoch,
    worker_id = excluded.worker_id,
    worker_instance_id = excluded.worker_instance_id,
    started_at_ms = excluded.started_at_ms,
    terminal_at_ms = excluded.terminal_at_ms,
    outcome = excluded.outcome;

-- name: read_attempts
-- A plain completion leaves its attempt in the record. If the attempt was run again, a row of its first run remains.
select a.attempt_index, a.lease_epoch, a.worker_id, a.worker_instance_id, a.started_at_ms, a.terminal_at_ms, a.outcome
  from ff_attempt a
 where a.partition_key = %(partition_key)s and a.execution_id = %(execution_id)s::uuid
   and not exists (select 1 from ff_exec_core c
                    where c.partition_key = a.partition_key and c.execution_id = a.execution_id
                      and c.attempt_index = a.attempt_index and c.lifecycle_phase + 0 = {phase.terminal}
                      and c.attempt_started_at_ms is not null)
 union all
select attempt_index, lease_epoch, worker_id, worker_instance_id, attempt_started_at_ms, terminal_at_ms,
       {completed.attempt_outcome}
  from ff_exec_core
 where partition_key = %(partition_key)s and execution_id = %(execution_id)s::uuid and lifecycle_phase + 0 = {phase.terminal}
   and attempt_started_at_ms is not null;

-- name: delete_attempts
delete from ff_attempt c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: save_failures
-- An attempt that is replayed may fail again.
insert into ff_failure (
    partition_key, execution_id, attempt_index, lease_epoch, failure_code, message, traceback
)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(attempt_index)s::integer[],
           %(lease_epoch)s::bigint[], %(failure_code)s::text[], %(message)s::text[], %(traceback)s::text[]
       )
on conflict (partition_key, execution_id, attempt_index) do update set
    lease_epoch = excluded.lease_epoch,
    failure_code = excluded.failure_code,
    message = excluded.message,
    traceback = excluded.traceback;

-- name: read_failures
select attempt_index, lease_epoch, failure_code, message, traceback
  from ff_failure
 where partition_key = %(partition_key)s and execution_id = %(execution_id)s::uuid
 order by attempt_index;

-- name: read_last_failure
select attempt_index, lease_epoch, failure_code, message, traceback
  from ff_failure
 where partition_key = %(partition_key)s and execution_id = %(execution_id)s::uuid
 order by attempt_index desc
 limit 1;

-- name: delete_failures
delete from ff_failure c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: insert_capability_set
insert into ff_capability_set (tokens) values (%(tokens)s) on conflict (tokens) do nothing;

-- name: read_capability_set_id
select capability_set from ff_capability_set where tokens = %(tokens)s;

-- name: read_capability_set
select tokens from ff_capability_set where capability_set = %(capability_set)s::integer;

-- name: insert_ready
-- A row that exists already is correct, and stays.
insert into ff_ready (namespace, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key)
select * from unnest(
           %(namespace)s::text[], %(lane_id)s::text[], %(capability_set)s::integer[], %(rank)s::integer[],
           %(turn)s::integer[], %(ready_at_ms)s::bigint[], %(execution_id)s::uuid[], %(partition_key)s::smallint[]
       )
on conflict do nothing;

-- name: delete_ready
delete from ff_ready r
 using unnest(
           %(namespace)s::text[], %(lane_id)s::text[], %(capability_set)s::integer[], %(rank)s::integer[],
           %(turn)s::integer[], %(ready_at_ms)s::bigint[], %(execution_id)s::uuid[], %(partition_key)s::smallint[]
       ) as n (namespace, lane_id, capability_set, rank, turn, ready_at_ms, execution_id, partition_key)
 where r.namespace = any (array[n.namespace]) and r.lane_id = n.lane_id and r.capability_set = n.capability_set
   and r.rank = n.rank and r.turn = n.turn and r.ready_at_ms = n.ready_at_ms and r.execution_id = n.execution_id
   and r.partition_key = n.partition_key;

-- name: insert_due
-- A row that exists already is correct, and stays.
insert into ff_due (due_kind, due_at_ms, partition_key, execution_id)
select * from unnest(%(due_kind)s::smallint[], %(due_at_ms)s::bigint[], %(partition_key)s::smallint[],
                     %(execution_id)s::uuid[])
on conflict do nothing;

-- name: delete_due
delete from ff_due d
 using unnest(
           %(due_kind)s::smallint[], %(due_at_ms)s::bigint[], %(partition_key)s::smallint[], %(execution_id)s::uuid[]
       ) as n (due_kind, due_at_ms, partition_key, execution_id)
 where d.due_kind = any (array[n.due_kind]) and d.due_at_ms = n.due_at_ms and d.partition_key = n.partition_key
   and d.execution_id = n.execution_id;

-- name: insert_lease_sheets
-- One sheet for each instant at which leases end.
insert into ff_lease_sheet (due_at_ms, partition_keys, execution_ids)
select n.due_at_ms, array_agg(n.partition_key order by n.ordinal), array_agg(n.execution_id order by n.ordinal)
  from unnest(%(due_at_ms)s::bigint[], %(partition_key)s::smallint[], %(execution_id)s::uuid[])
       with ordinality as n (due_at_ms, partition_key, execution_id, ordinal)
 group by n.due_at_ms;

-- name: delete_lease_sheets
-- Drops the sheets that hold exactly the given executions, in the given order, and nothing else.
delete from ff_lease_sheet s
 using (select n.due_at_ms, array_agg(n.partition_key order by n.ordinal) as partition_keys,
               array_agg(n.execution_id order by n.ordinal) as execution_ids
          from unnest(%(due_at_ms)s::bigint[], %(partition_key)s::smallint[], %(execution_id)s::uuid[])
               with ordinality as n (due_at_ms, partition_key, execution_id, ordinal)
         group by n.due_at_ms) g
 where s.due_at_ms = any (array[g.due_at_ms]) and s.execution_ids = g.execution_ids
   and s.partition_keys = g.partition_keys;

-- name: find_news
-- Which of the given executions have ended or are not there, which of the given leases are over, which of the given
-- flows wait for no acknowledgement, and which of the given lingering executions have a wait that is over and not
-- answered yet, or are not leased any more; each by its place among the given ones. In JSON a quote inside of a text is
-- escaped, so the pattern finds the field of the inbox and nothing else.
select array (
           select n.place
             from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[])
                  with ordinality as n (partition_key, execution_id, place)
             left join lateral (
                       select c.terminal_at_ms, true as is_there from ff_exec_core c
                        where c.partition_key = n.partition_key and c.execution_id = n.execution_id limit 1
                   ) x on true
            where x.is_there is null or x.terminal_at_ms is not null
       ),
       array (
           select n.place
             from unnest(%(lease_partition)s::smallint[], %(lease_execution)s::uuid[], %(lease_epoch)s::bigint[])
                  with ordinality as n (partition_key, execution_id, lease_epoch, place)
             left join lateral (
                       select c.lease_epoch, c.lifecycle_phase, true as is_there from ff_exec_core c
                        where c.partition_key = n.partition_key and c.execution_id = n.execution_id limit 1
                   ) x on true
            where x.is_there is null or x.lease_epoch <> n.lease_epoch or x.lifecycle_phase <> {phase.active}
       ),
       array (
           select n.place
             from unnest(%(flow_partition)s::smallint[], %(flow_id)s::uuid[])
                  with ordinality as n (partition_key, flow_id, place)
             left join lateral (
                       select true as is_there from ff_cancel_backlog_member m
                        where m.partition_key = n.partition_key and m.flow_id = n.flow_id limit 1
                   ) x on true
            where x.is_there is null
       ),
       array (
           select n.place
             from unnest(%(lingering_partition)s::smallint[], %(lingering_execution)s::uuid[])
                  with ordinality as n (partition_key, execution_id, place)
             left join lateral (
                       select c.inbox, c.lifecycle_phase, true as is_there from ff_exec_core c
                        where c.partition_key = n.partition_key and c.execution_id = n.execution_id limit 1
                   ) x on true
            where x.is_there is null or x.lifecycle_phase <> {phase.active} or x.inbox like '%%"unanswered":[%%'
       );

-- name: poll
-- Which kinds of due moments have come, by the server's clock unless an instant is given, whether an acknowledgement is
-- overdue, which of the given lanes have claimable work, when the next timer is over or a gate is to be looked at, and
-- whether a gate is to be looked at now: one index step for each.
with now as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as ms
)
select array (
           select k.due_kind
             from now n
            cross join unnest(%(due_kind)s::smallint[]) as k (due_kind)
            cross join lateral (
                      (select from ff_due d where d.due_kind = k.due_kind and d.due_at_ms <= n.ms
                        order by d.due_kind, d.due_at_ms limit 1)
                       union all
                      (select from ff_lease_sheet s where k.due_kind = {due_kind.lease} and s.due_at_ms <= n.ms
                        order by s.due_at_ms limit 1)
                       limit 1
                  ) d
       ),
       exists (
           select from now n
            cross join lateral (
                      select from ff_cancel_backlog_member m where m.overdue_at_ms <= n.ms
                       order by m.overdue_at_ms limit 1
                  ) m
       ),
       array (
           select l.ordinal
             from unnest(%(namespace)s::text[], %(lane_id)s::text[]) with ordinality as l (namespace, lane_id, ordinal)
            cross join lateral (
                      select from ff_ready r where r.namespace = l.namespace and r.lane_id = l.lane_id
                       order by r.namespace, r.lane_id limit 1
                  ) r
            where not exists (select from ff_lane p
                               where p.namespace = l.namespace and p.lane_id = l.lane_id
                                 and p.paused_at_ms is not null)
            order by l.ordinal
       ),
       least(
           (select min(d.due_at_ms) - min(n.ms)
              from now n
             cross join unnest(%(timer)s::smallint[]) as k (due_kind)
             cross join lateral (
                       select x.due_at_ms from ff_due x where x.due_kind = k.due_kind and x.due_at_ms > n.ms
                        order by x.due_kind, x.due_at_ms limit 1
                   ) d),
           (select o.at_ms - n.ms
              from now n
             cross join lateral (select x.at_ms from ff_opening x where x.at_ms > n.ms order by x.at_ms limit 1) o)
       ),
       exists (
           select from now n
            cross join lateral (select from ff_opening x where x.at_ms <= n.ms order by x.at_ms limit 1) o
       );

-- name: find_due
-- Due moments that have come, earliest first, after the given one. The ends of leases are on sheets, which also hold
-- leases that have ended since by another way. A sheet is read together with all others of its instant, because the
-- order is that of executions, and not of sheets. The last column says what was found on a sheet.
select u.due_at_ms, u.partition_key, u.execution_id::text, u.is_on_sheet
  from ((select d.due_at_ms, d.partition_key, d.execution_id, false as is_on_sheet
           from ff_due d
          where d.due_kind = %(due_kind)s and d.due_at_ms <= %(until_ms)s
            and (d.due_at_ms, d.partition_key, d.execution_id)
                > (%(due_at_ms)s, %(partition_key)s::smallint, %(execution_id)s::uuid)
          order by d.due_kind, d.due_at_ms, d.partition_key, d.execution_id
          limit %(most)s)
          union
        (select s.due_at_ms, n.partition_key, n.execution_id, true
           from ff_lease_sheet s
          cross join lateral unnest(s.partition_keys, s.execution_ids) as n (partition_key, execution_id)
          cross join lateral (
                    select from ff_exec_core c
                     where c.partition_key = n.partition_key and c.execution_id = n.execution_id
                       and c.lifecycle_phase + 0 = {phase.active} and c.lease_expires_at_ms + 0 = s.due_at_ms
                     limit 1
                ) c
          where %(due_kind)s = {due_kind.lease} and s.due_at_ms between %(due_at_ms)s and %(until_ms)s
            and (s.due_at_ms, n.partition_key, n.execution_id)
                > (%(due_at_ms)s, %(partition_key)s::smallint, %(execution_id)s::uuid)
          order by s.due_at_ms
          fetch first (%(most)s) rows with ties)) u
 order by u.due_at_ms, u.partition_key, u.execution_id
 limit %(most)s;

-- name: drop_lease_sheets
-- Drops sheets whose instant has come and that hold no live lease. The server's clock counts unless an instant is given.
-- It locks no execution: a lease that begins or is renewed now is noted on another sheet.
with now as materialized (
    select coalesce(%(until_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as ms
)
delete from ff_lease_sheet d
 where d.ctid = any (array(
           select s.ctid
             from ff_lease_sheet s
            where s.due_at_ms <= (select n.ms from now n)
              and not exists (select from unnest(s.partition_keys, s.execution_ids) as n (partition_key, execution_id)
                               cross join lateral (
                                         select from ff_exec_core c
                                          where c.partition_key = n.partition_key
                                            and c.execution_id = n.execution_id
                                            and c.lifecycle_phase + 0 = {phase.active}
                                            and c.lease_expires_at_ms + 0 = s.due_at_ms
                                          limit 1
                                     ) c)
            order by s.due_at_ms
            limit %(most)s
              for update skip locked));

-- name: find_end_of_page
-- The last execution of a page in the order of their ids, after the given one; no row if the page is not full.
select c.partition_key, c.execution_id::text
  from ff_exec_core c
 where (c.partition_key, c.execution_id) > (%(partition_key)s::smallint, %(execution_id)s::uuid)
 order by c.partition_key, c.execution_id
offset %(most)s::integer - 1
 limit 1;

-- name: find_side_rows
-- Executions in the order of their ids, with the side rows that they need, as far as these exist, and with the groups
-- of executions that wait for others. An ended execution is included only if it may need a side row, or has one.
select
       /* columns: execution */,
       r.execution_id is not null,
       /* columns: group */
  from ff_exec_core c
  left join lateral (
           select q.execution_id from ff_ready q
            where q.namespace = c.namespace and q.lane_id = c.lane_id and q.capability_set = c.capability_set
              and q.rank = -c.priority and q.turn = c.turn and q.ready_at_ms = c.ready_at_ms
              and q.execution_id = c.execution_id and q.partition_key = c.partition_key
            limit 1
       ) r on true
  left join ff_edge_group g on g.partition_key = any (array[c.partition_key])
        and g.downstream = case when c.lifecycle_phase = {phase.runnable}
                                 and c.eligibility_state = {eligibility.blocked_by_dependencies}
                                then c.execution_id end
 where (c.partition_key, c.execution_id) > (%(partition_key)s::smallint, %(execution_id)s::uuid)
   and (c.partition_key, c.execution_id) <= (%(last_partition)s::smallint, %(last_execution)s::uuid)
   and (c.terminal_at_ms is null or c.unsettled <> 0 or c.coming_back is not null
        or c.policy like '%%"retention_ms"%%' or r.execution_id is not null
        or (c.gates is not null
            and exists (select from ff_at_gate a
                         where a.partition_key = any (array[c.partition_key]) and a.execution_id = c.execution_id)))
 order by c.partition_key, c.execution_id;

-- name: find_due_rows
-- Which of the given due moments are noted, in rows or on sheets.
select n.due_kind, n.due_at_ms, n.partition_key, n.execution_id::text
  from unnest(
           %(due_kind)s::smallint[], %(due_at_ms)s::bigint[], %(partition_key)s::smallint[], %(execution_id)s::uuid[]
       ) as n (due_kind, due_at_ms, partition_key, execution_id)
 cross join lateral (
           (select from ff_due x
             where x.due_kind = n.due_kind and x.due_at_ms = n.due_at_ms and x.partition_key = n.partition_key
               and x.execution_id = n.execution_id
             limit 1)
            union all
           (select from ff_lease_sheet s
             where n.due_kind = {due_kind.lease} and s.due_at_ms = n.due_at_ms
               and n.execution_id = any (s.execution_ids) and n.partition_key = any (s.partition_keys)
             limit 1)
            limit 1
       ) d;

-- name: list_executions
-- Newest first. A filter that is null lets everything pass. Every instant is at or after zero; the statement has to say
-- so, or it cannot use the index.
select
       /* columns: execution */
  from ff_exec_core c
 where (c.created_at_ms, c.execution_id, c.partition_key)
       < (%(created_at_ms)s, %(execution_id)s::uuid, %(partition_key)s::smallint)
   and c.created_at_ms >= 0
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
   and (%(public_state)s::smallint is null or c.public_state = %(public_state)s)
   and (%(lane_id)s::text is null or c.lane_id = %(lane_id)s)
   and (%(flow_id)s::uuid is null or c.flow_id = %(flow_id)s::uuid)
   and (%(kind)s::text is null or c.execution_kind = %(kind)s)
 order by c.created_at_ms desc, c.execution_id desc, c.partition_key desc
 limit %(most)s;

-- name: list_queued_executions
-- The same for what waits, found in the queue, then sorted. It is used while the queue is short.
select
       /* columns: execution */
  from (select r.partition_key, r.execution_id
          from ff_ready r
         where (%(namespace)s::text is null or r.namespace = %(namespace)s)
           and (%(lane_id)s::text is null or r.lane_id = %(lane_id)s)
        offset 0) q
  join ff_exec_core c on c.partition_key = q.partition_key and c.execution_id = q.execution_id
 where (c.created_at_ms, c.execution_id, c.partition_key)
       < (%(created_at_ms)s, %(execution_id)s::uuid, %(partition_key)s::smallint)
   and (%(public_state)s::smallint is null or c.public_state = %(public_state)s)
   and (%(kind)s::text is null or c.execution_kind = %(kind)s)
   and (%(tag_key)s::text is null
        or exists (select from ff_tag t
                    where t.partition_key = c.partition_key and t.execution_id = c.execution_id
                      and t.key = %(tag_key)s and t.value = %(tag_value)s))
 order by c.created_at_ms desc, c.execution_id desc, c.partition_key desc
 limit %(most)s;

-- name: list_failed_executions
-- The same for what has failed, through its index. What failed before and is tried again is there, too.
select
       /* columns: execution */
  from ff_exec_core c
 where (c.created_at_ms, c.execution_id, c.partition_key)
       < (%(created_at_ms)s, %(execution_id)s::uuid, %(partition_key)s::smallint)
   and c.failure_code is not null and c.terminal_outcome = {outcome.failed}
   and (%(public_state)s::smallint is null or c.public_state = %(public_state)s)
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
   and (%(lane_id)s::text is null or c.lane_id = %(lane_id)s)
   and (%(kind)s::text is null or c.execution_kind = %(kind)s)
 order by c.created_at_ms desc, c.execution_id desc, c.partition_key desc
 limit %(most)s;

-- name: list_executions_of_flow
-- The same for the members of one flow: all of them are found by the flow, then sorted.
select
       /* columns: execution */
  from (select * from ff_exec_core x where x.flow_id = %(flow_id)s::uuid offset 0) c
 where (c.created_at_ms, c.execution_id, c.partition_key)
       < (%(created_at_ms)s, %(execution_id)s::uuid, %(partition_key)s::smallint)
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
   and (%(public_state)s::smallint is null or c.public_state = %(public_state)s)
   and (%(lane_id)s::text is null or c.lane_id = %(lane_id)s)
   and (%(kind)s::text is null or c.execution_kind = %(kind)s)
 order by c.created_at_ms desc, c.execution_id desc, c.partition_key desc
 limit %(most)s;

-- name: list_tagged_executions
-- As list_executions, found through a tag.
select
       /* columns: execution */
  from ff_tag t
  join ff_exec_core c on c.partition_key = t.partition_key and c.execution_id = t.execution_id
 where t.key = %(tag_key)s and t.value = %(tag_value)s
   and (t.created_at_ms, t.execution_id, t.partition_key)
       < (%(created_at_ms)s, %(execution_id)s::uuid, %(partition_key)s::smallint)
   and t.created_at_ms >= 0
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
   and (%(public_state)s::smallint is null or c.public_state = %(public_state)s)
   and (%(lane_id)s::text is null or c.lane_id = %(lane_id)s)
   and (%(flow_id)s::uuid is null or c.flow_id = %(flow_id)s::uuid)
   and (%(kind)s::text is null or c.execution_kind = %(kind)s)
 order by t.created_at_ms desc, t.execution_id desc, t.partition_key desc
 limit %(most)s;

-- name: count_executions
-- How many executions pass the filters. It is planned for the given values, and may read the whole table.
select count(*)
  from ff_exec_core c
 where c.created_at_ms < %(created_before_ms)s and c.created_at_ms >= 0
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
   and (%(public_state)s::smallint is null or c.public_state = %(public_state)s)
   and (%(lane_id)s::text is null or c.lane_id = %(lane_id)s)
   and (%(flow_id)s::uuid is null or c.flow_id = %(flow_id)s::uuid)
   and (%(kind)s::text is null or c.execution_kind = %(kind)s);

-- name: count_executions_of_flow
-- The same for the members of one flow.
select count(*)
  from (select * from ff_exec_core x where x.flow_id = %(flow_id)s::uuid offset 0) c
 where c.created_at_ms < %(created_before_ms)s
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
   and (%(public_state)s::smallint is null or c.public_state = %(public_state)s)
   and (%(lane_id)s::text is null or c.lane_id = %(lane_id)s)
   and (%(kind)s::text is null or c.execution_kind = %(kind)s);

-- name: count_tagged_executions
-- The same, found through a tag.
select count(*)
  from ff_tag t
  join ff_exec_core c on c.partition_key = t.partition_key and c.execution_id = t.execution_id
 where t.key = %(tag_key)s and t.value = %(tag_value)s
   and t.created_at_ms < %(created_before_ms)s and t.created_at_ms >= 0
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
   and (%(public_state)s::smallint is null or c.public_state = %(public_state)s)
   and (%(lane_id)s::text is null or c.lane_id = %(lane_id)s)
   and (%(flow_id)s::uuid is null or c.flow_id = %(flow_id)s::uuid)
   and (%(kind)s::text is null or c.execution_kind = %(kind)s);

-- name: find_ended_executions
-- Executions without a flow that ended before an instant, newest first.
select c.created_at_ms, c.execution_id::text, c.partition_key
  from ff_exec_core c
 where (c.created_at_ms, c.execution_id, c.partition_key)
       < (%(created_at_ms)s, %(execution_id)s::uuid, %(partition_key)s::smallint)
   and c.created_at_ms >= 0
   and c.lifecycle_phase >= {phase.terminal} and c.terminal_at_ms < %(ended_before_ms)s and c.flow_id is null
   and (%(namespace)s::text is null or c.namespace = %(namespace)s)
 order by c.created_at_ms desc, c.execution_id desc, c.partition_key desc
 limit %(most)s;
