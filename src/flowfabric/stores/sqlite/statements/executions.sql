-- Statements that name `(?, …)` after `/* rows */` are repeated once per row, so that a whole batch is one call:
-- every call into SQLite gives up the interpreter lock, and under load getting it back costs milliseconds.
-- For the same reason a read returns all its rows as one JSON value.

-- part: sent_first
-- SQLite begins with the rows that were sent, whatever somebody has counted by ANALYZE: it takes them for very few. And with
-- a plus before their columns, it cannot search them for what it has read from the table. Both change only plans.
likelihood(n.column1 is not null, 0.000001)

-- part: sent_numbers
-- The numbers of rows that were sent as one JSON array. With a limit, SQLite takes them as a whole.
(select k.value as column1 from json_each(?1) as k limit -1)

-- columns: execution
c.partition_key, hex(c.execution_id), c.namespace, c.lane_id, hex(c.flow_id), c.execution_kind, c.capability_set,
c.policy, c.idempotency_key, c.created_at_ms, c.tags, c.lifecycle_phase, c.eligibility_state, c.attempt_state,
c.terminal_outcome, c.priority, c.attempt_index, c.lease_epoch, c.retry_count, c.interruption_count, c.replay_count,
c.event_seq, c.ready_at_ms, c.worker_id, c.worker_instance_id, c.lease_ttl_ms, c.lease_expires_at_ms,
c.attempt_started_at_ms, c.started_at_ms, c.terminal_at_ms, c.delay_until_ms, c.deadline_at_ms,
c.cancellation_reason, c.cancelled_by, c.failure_code, c.failure_message, c.progress_percent, c.progress_message,
c.unsettled, c.lease_mark, c.lease_era, c.node, c.coming_back, c.inbox, hex(c.parent_id), c.child_place,
c.gates, c.created_by

-- name: insert_executions
-- New records in their first state: runnable, never attempted. Changes within the same batch are an update.
insert into ff_exec_core (
    partition_key, execution_id, namespace, lane_id, flow_id, execution_kind, capability_set, policy,
    idempotency_key, created_at_ms, tags, eligibility_state, public_state, priority, ready_at_ms, due_kind, due_at_ms,
    delay_until_ms, deadline_at_ms, lease_era, node, parent_id, child_place, created_by, lifecycle_phase,
    attempt_state, terminal_outcome, attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq
) values /* rows */ (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    {phase.runnable}, {attempt_state.pending_first_attempt}, {outcome.none}, 0, 0, 0, 0, 0, 0
);

-- name: insert_gated_executions
-- The same for executions with gates.
insert into ff_exec_core (
    partition_key, execution_id, namespace, lane_id, flow_id, execution_kind, capability_set, policy,
    idempotency_key, created_at_ms, tags, eligibility_state, public_state, priority, ready_at_ms, due_kind, due_at_ms,
    delay_until_ms, deadline_at_ms, lease_era, node, parent_id, child_place, created_by, gates, turn,
    lifecycle_phase, attempt_state, terminal_outcome, attempt_index, lease_epoch, retry_count, interruption_count, replay_count,
    event_seq
) values /* rows */ (
    ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    {phase.runnable}, {attempt_state.pending_first_attempt}, {outcome.none}, 0, 0, 0, 0, 0, 0
);

-- name: update_executions
-- Whole records.
update ff_exec_core as c
   set lifecycle_phase = n.column3,
       eligibility_state = n.column4,
       attempt_state = n.column5,
       terminal_outcome = n.column6,
       public_state = n.column7,
       attempt_index = n.column8,
       lease_epoch = n.column9,
       event_seq = n.column10,
       due_kind = n.column11,
       due_at_ms = n.column12,
       worker_id = n.column13,
       worker_instance_id = n.column14,
       lease_ttl_ms = n.column15,
       lease_expires_at_ms = n.column16,
       attempt_started_at_ms = n.column17,
       started_at_ms = n.column18,
       terminal_at_ms = n.column19,
       ready_at_ms = n.column20,
       lease_mark = n.column21,
       lease_era = n.column22,
       tags = n.column23,
       priority = n.column24,
       retry_count = n.column25,
       interruption_count = n.column26,
       replay_count = n.column27,
       delay_until_ms = n.column28,
       deadline_at_ms = n.column29,
       cancellation_reason = n.column30,
       cancelled_by = n.column31,
       failure_code = n.column32,
       failure_message = n.column33,
       progress_percent = n.column34,
       progress_message = n.column35,
       unsettled = n.column36,
       coming_back = n.column37,
       inbox = n.column38,
       waiting_since_ms = n.column39
  from (values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)) as n
 where c.partition_key = +n.column1 and c.execution_id = +n.column2
   and /* part: sent_first */;

-- name: update_hot_columns
-- The columns that a claim, a renewal, a completion and a satisfied join change, for records without other changes.
update ff_exec_core as c
   set lifecycle_phase = n.column3,
       eligibility_state = n.column4,
       attempt_state = n.column5,
       terminal_outcome = n.column6,
       public_state = n.column7,
       attempt_index = n.column8,
       lease_epoch = n.column9,
       event_seq = n.column10,
       due_kind = n.column11,
       due_at_ms = n.column12,
       worker_id = n.column13,
       worker_instance_id = n.column14,
       lease_ttl_ms = n.column15,
       lease_expires_at_ms = n.column16,
       attempt_started_at_ms = n.column17,
       started_at_ms = n.column18,
       terminal_at_ms = n.column19,
       ready_at_ms = n.column20,
       lease_mark = n.column21,
       lease_era = n.column22
  from (values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)) as n
 where c.partition_key = +n.column1 and c.execution_id = +n.column2
   and /* part: sent_first */;

-- name: update_waiting_columns
-- The hot columns, and those that say what an execution waits for. Suspensions and signals change no other columns.
update ff_exec_core as c
   set lifecycle_phase = n.column3,
       eligibility_state = n.column4,
       attempt_state = n.column5,
       terminal_outcome = n.column6,
       public_state = n.column7,
       attempt_index = n.column8,
       lease_epoch = n.column9,
       event_seq = n.column10,
       due_kind = n.column11,
       due_at_ms = n.column12,
       worker_id = n.column13,
       worker_instance_id = n.column14,
       lease_ttl_ms = n.column15,
       lease_expires_at_ms = n.column16,
       attempt_started_at_ms = n.column17,
       started_at_ms = n.column18,
       terminal_at_ms = n.column19,
       ready_at_ms = n.column20,
       lease_mark = n.column21,
       lease_era = n.column22,
       inbox = n.column23,
       waiting_since_ms = n.column24
  from (values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)) as n
 where c.partition_key = +n.column1 and c.execution_id = +n.column2
   and /* part: sent_first */;

-- name: load_executions
-- The named executions, as one JSON array of rows.
select json_group_array(json_array(
           /* columns: execution */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_exec_core c on c.partition_key = n.column1 and c.execution_id = n.column2;

-- name: load_ready
-- The head of one part of the queue, in queue order, with payloads up to a size; larger payloads are read one by one.
select json_group_array(json_array(
           /* columns: execution */,
           (select iif(length(p.payload) <= 4096, hex(p.payload), null)
              from ff_payload p
             where p.partition_key = c.partition_key and p.execution_id = c.execution_id)
       ))
  from (select *
          from ff_exec_core indexed by ff_exec_core_ready
         where lifecycle_phase = {phase.runnable} and eligibility_state = {eligibility.eligible_now}
           and namespace = ? and lane_id = ? and capability_set = ?
         order by priority desc, turn, ready_at_ms, execution_id, partition_key
         limit ?) c;

-- name: load_ready_capability_sets
-- The capability sets that a lane's queue holds: one index step per set, however long the queue is; and the state of
-- the lane, if an operator has set one.
with recursive found (capability_set) as (
    select (select min(capability_set) from ff_exec_core indexed by ff_exec_core_ready
             where lifecycle_phase = {phase.runnable} and eligibility_state = {eligibility.eligible_now}
               and namespace = ?1 and lane_id = ?2)
     union all
    select (select min(c.capability_set) from ff_exec_core c indexed by ff_exec_core_ready
             where c.lifecycle_phase = {phase.runnable} and c.eligibility_state = {eligibility.eligible_now}
               and c.namespace = ?1 and c.lane_id = ?2
               and c.capability_set > found.capability_set)
      from found
     where found.capability_set is not null
)
select (select json_group_array(capability_set) from found where capability_set is not null),
       l.paused_at_ms, l.reason, l.event_seq
  from (select 1) as n
  left join ff_lane l on l.namespace = ?1 and l.lane_id = ?2;

-- name: delete_executions
delete from ff_exec_core where partition_key = ? and execution_id = ?;

-- name: insert_payloads
insert into ff_payload (partition_key, execution_id, payload) values /* rows */ (?, ?, ?);

-- name: load_payloads
-- The payloads of the named executions up to a size; larger payloads are read one by one.
select json_group_array(json_array(
           p.partition_key, hex(p.execution_id), iif(length(p.payload) <= 4096, hex(p.payload), null)
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_payload p on p.partition_key = n.column1 and p.execution_id = n.column2;

-- name: load_payload
select payload from ff_payload where partition_key = ? and execution_id = ?;

-- name: delete_payloads
delete from ff_payload where partition_key = ? and execution_id = ?;

-- name: save_results
-- Each result belongs to one life of its execution.
insert into ff_result (partition_key, execution_id, generation, result) values /* rows */ (?, ?, ?, ?)
on conflict (partition_key, execution_id, generation) do update set result = excluded.result;

-- name: load_result
-- The result of the present life.
select r.result
  from ff_exec_core c
 cross join ff_result r
    on r.partition_key = c.partition_key and r.execution_id = c.execution_id and r.generation = c.replay_count
 where c.partition_key = ? and c.execution_id = ?;

-- name: load_result_of_life
select result from ff_result where partition_key = ? and execution_id = ? and generation = ?;

-- name: delete_result_of_life
delete from ff_result where partition_key = ? and execution_id = ? and generation = ?;

-- name: delete_results
-- The results of all lives.
delete from ff_result where partition_key = ? and execution_id = ?;

-- name: insert_tags
insert into ff_tag (partition_key, execution_id, key, value, created_at_ms) values /* rows */ (?, ?, ?, ?, ?);

-- name: delete_tags
delete from ff_tag where partition_key = ? and execution_id = ?;

-- name: save_attempts
insert into ff_attempt (
    partition_key, execution_id, attempt_index, lease_epoch, worker_id, worker_instance_id, started_at_ms,
    terminal_at_ms, outcome
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, execution_id, attempt_index) do update set
    lease_epoch = excluded.lease_epoch,
    worker_id = excluded.worker_id,
    worker_instance_id = excluded.worker_instance_id,
    started_at_ms = excluded.started_at_ms,
    terminal_at_ms = excluded.terminal_at_ms,
    outcome = excluded.outcome;

-- name: keep_last_attempt
-- Writes a row for the last attempt that stands in the record of an ended execution, which is about to change.
insert into ff_attempt (
    partition_key, execution_id, attempt_index, lease_epoch, worker_id, worker_instance_id, started_at_ms,
    terminal_at_ms, outcome
)
select partition_key, execution_id, attempt_index, lease_epoch, worker_id, worker_instance_id, attempt_started_at_ms,
       terminal_at_ms, {completed.attempt_outcome}
  from ff_exec_core
 where partition_key = ? and execution_id = ? and lifecycle_phase = {phase.terminal}
   and attempt_started_at_ms is not null
on conflict (partition_key, execution_id, attempt_index) do update set
    lease_epoch = excluded.lease_epoch,
    worker_id = excluded.worker_id,
    worker_instance_id = excluded.worker_instance_id,
    started_at_ms = excluded.started_at_ms,
    terminal_at_ms = excluded.terminal_at_ms,
    outcome = excluded.outcome;

-- name: load_attempts
-- A plain completion leaves its attempt in the record. If the attempt was run again, a row of its first run remains.
select a.attempt_index, a.lease_epoch, a.worker_id, a.worker_instance_id, a.started_at_ms, a.terminal_at_ms, a.outcome
  from ff_attempt a
 where a.partition_key = ?1 and a.execution_id = ?2
   and not exists (select 1 from ff_exec_core c
                    where c.partition_key = a.partition_key and c.execution_id = a.execution_id
                      and c.attempt_index = a.attempt_index and c.lifecycle_phase = {phase.terminal}
                      and c.attempt_started_at_ms is not null)
 union all
select attempt_index, lease_epoch, worker_id, worker_instance_id, attempt_started_at_ms, terminal_at_ms,
       {completed.attempt_outcome}
  from ff_exec_core
 where partition_key = ?1 and execution_id = ?2 and lifecycle_phase = {phase.terminal}
   and attempt_started_at_ms is not null;

-- name: delete_attempts
delete from ff_attempt where partition_key = ? and execution_id = ?;

-- name: save_failures
-- An attempt that is replayed may fail again.
insert into ff_failure (
    partition_key, execution_id, attempt_index, lease_epoch, failure_code, message, traceback
) values /* rows */ (?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, execution_id, attempt_index) do update set
    lease_epoch = excluded.lease_epoch,
    failure_code = excluded.failure_code,
    message = excluded.message,
    traceback = excluded.traceback;

-- name: load_failures
select attempt_index, lease_epoch, failure_code, message, traceback
  from ff_failure
 where partition_key = ? and execution_id = ?
 order by attempt_index;

-- name: load_last_failure
select attempt_index, lease_epoch, failure_code, message, traceback
  from ff_failure
 where partition_key = ? and execution_id = ?
 order by attempt_index desc
 limit 1;

-- name: delete_failures
delete from ff_failure where partition_key = ? and execution_id = ?;

-- name: insert_capability_set
insert into ff_capability_set (tokens) values (?) on conflict (tokens) do nothing;

-- name: load_capability_set_id
select capability_set from ff_capability_set where tokens = ?;

-- name: load_capability_set
select tokens from ff_capability_set where capability_set = ?;

-- name: list_executions
-- Newest first, in flows and outside of them. A filter that is null lets everything pass.
select partition_key, execution_id
  from ff_exec_core
 where (created_at_ms, execution_id, partition_key) < (?1, ?2, ?3)
   and (?4 is null or namespace = ?4)
   and (?5 is null or public_state = ?5)
   and (?6 is null or lane_id = ?6)
   and (?8 is null or execution_kind = ?8)
 order by created_at_ms desc, execution_id desc, partition_key desc
 limit ?9;

-- name: list_queued_executions
-- The same for what waits, found in the queue, then sorted. It is used while the queue is short.
select c.partition_key, c.execution_id
  from ff_exec_core c indexed by ff_exec_core_ready
 where c.lifecycle_phase = {phase.runnable} and c.eligibility_state = {eligibility.eligible_now}
   and (?4 is null or c.namespace = ?4) and (?6 is null or c.lane_id = ?6) and ?7 is null
   and (c.created_at_ms, c.execution_id, c.partition_key) < (?1, ?2, ?3)
   and (?5 is null or c.public_state = ?5) and (?8 is null or c.execution_kind = ?8)
   and (?10 is null or exists (select 1 from ff_tag t
                                where t.partition_key = c.partition_key and t.execution_id = c.execution_id
                                  and t.key = ?10 and t.value = ?11))
 order by c.created_at_ms desc, c.execution_id desc, c.partition_key desc
 limit ?9;

-- name: list_failed_executions
-- The same for what has failed, through its index. What failed before and is tried again is there, too.
select partition_key, execution_id
  from ff_exec_core indexed by ff_exec_core_failed
 where failure_code is not null and terminal_outcome = {outcome.failed}
   and (created_at_ms, execution_id, partition_key) < (?1, ?2, ?3)
   and (?4 is null or namespace = ?4)
   and (?5 is null or public_state = ?5)
   and (?6 is null or lane_id = ?6)
   and (?8 is null or execution_kind = ?8)
 order by created_at_ms desc, execution_id desc, partition_key desc
 limit ?9;

-- name: list_tagged_executions
-- The same, found through a tag.
select c.partition_key, c.execution_id
  from ff_tag t
  join ff_exec_core c on c.partition_key = t.partition_key and c.execution_id = t.execution_id
 where t.key = ?10 and t.value = ?11
   and (t.created_at_ms, t.execution_id, t.partition_key) < (?1, ?2, ?3)
   and (?4 is null or c.namespace = ?4)
   and (?5 is null or c.public_state = ?5)
   and (?6 is null or c.lane_id = ?6)
   and (?7 is null or c.flow_id = ?7)
   and (?8 is null or c.execution_kind = ?8)
 order by t.created_at_ms desc, t.execution_id desc, t.partition_key desc
 limit ?9;

-- name: list_members
-- The same for one flow, through its index.
select partition_key, execution_id
  from ff_exec_core indexed by ff_exec_core_flow
 where flow_id = ?7
   and (created_at_ms, execution_id, partition_key) < (?1, ?2, ?3)
   and (?4 is null or namespace = ?4)
   and (?5 is null or public_state = ?5)
   and (?6 is null or lane_id = ?6)
   and (?8 is null or execution_kind = ?8)
 order by created_at_ms desc, execution_id desc, partition_key desc
 limit ?9;

-- name: count_executions
-- How many executions pass the filters. Nothing is sorted.
select count(*)
  from ff_exec_core indexed by ff_exec_core_newest
 where created_at_ms < ?1
   and (?2 is null or namespace = ?2)
   and (?3 is null or public_state = ?3)
   and (?4 is null or lane_id = ?4)
   and (?5 is null or flow_id = ?5)
   and (?6 is null or execution_kind = ?6);

-- name: count_tagged_executions
-- The same, found through a tag.
select count(*)
  from ff_tag t
  join ff_exec_core c on c.partition_key = t.partition_key and c.execution_id = t.execution_id
 where t.key = ?7 and t.value = ?8 and t.created_at_ms < ?1
   and (?2 is null or c.namespace = ?2)
   and (?3 is null or c.public_state = ?3)
   and (?4 is null or c.lane_id = ?4)
   and (?5 is null or c.flow_id = ?5)
   and (?6 is null or c.execution_kind = ?6);

-- name: count_members
-- The same for one flow, through its index.
select count(*)
  from ff_exec_core indexed by ff_exec_core_flow
 where flow_id = ?5 and created_at_ms < ?1
   and (?2 is null or namespace = ?2)
   and (?3 is null or public_state = ?3)
   and (?4 is null or lane_id = ?4)
   and (?6 is null or execution_kind = ?6);

-- name: find_ended_executions
-- Executions without a flow that ended before an instant, newest first.
select created_at_ms, execution_id, partition_key
  from ff_exec_core
 where (created_at_ms, execution_id, partition_key) < (?1, ?2, ?3)
   and lifecycle_phase >= {phase.terminal} and terminal_at_ms < ?5 and flow_id is null
   and (?4 is null or namespace = ?4)
 order by created_at_ms desc, execution_id desc, partition_key desc
 limit ?6;

-- name: find_due
-- Due moments that have come, earliest first, after the given row.
select due_at_ms, partition_key, execution_id
  from ff_exec_core indexed by ff_exec_core_due
 where due_at_ms is not null
   and due_kind = ?1 and due_at_ms <= ?2
   and (due_at_ms, partition_key, execution_id) > (?3, ?4, ?5)
 order by due_at_ms, partition_key, execution_id
 limit ?6;

-- name: poll
-- Which of the given kinds of due moments have come by the given instant, whether an acknowledgement is overdue, which
-- of the given lanes have claimable work, when the next of the given timers is over or a gate is to be looked at, and
-- whether a gate is to be looked at now: one index step for each.
select (select json_group_array(k.value)
          from json_each(?2) as k
         where exists (select 1
                         from ff_exec_core indexed by ff_exec_core_due
                        where due_at_ms is not null and due_kind = k.value and due_at_ms <= ?1)),
       exists (select 1 from ff_cancel_backlog_member where overdue_at_ms <= ?1),
       (select json_group_array(l.key)
          from json_each(?3) as l
         where exists (select 1
                         from ff_exec_core indexed by ff_exec_core_ready
                        where lifecycle_phase = {phase.runnable} and eligibility_state = {eligibility.eligible_now}
                          and namespace = json_extract(l.value, '$[0]') and lane_id = json_extract(l.value, '$[1]'))
           and not exists (select 1
                             from ff_lane p
                            where p.namespace = json_extract(l.value, '$[0]')
                              and p.lane_id = json_extract(l.value, '$[1]') and p.paused_at_ms is not null)),
       (select min((select due_at_ms
                      from ff_exec_core indexed by ff_exec_core_due
                     where due_at_ms is not null and due_kind = k.value and due_at_ms > ?1
                     order by due_at_ms
                     limit 1))
          from json_each(?4) as k),
       (select min(at_ms) from ff_opening where at_ms > ?1),
       exists (select 1 from ff_opening where at_ms <= ?1);

-- name: find_ended_among
-- Which of the given executions have ended, or do not exist.
select n.column1, n.column2
  from (values /* rows */ (?, ?)) as n
  left join ff_exec_core c on c.partition_key = n.column1 and c.execution_id = n.column2
 where n.column1 is not null and (c.partition_key is null or c.terminal_at_ms is not null);

-- name: find_leases_over_among
-- Which of the given leases are over; a lease is given as execution and epoch.
select n.column1, n.column2, n.column3
  from (values /* rows */ (?, ?, ?)) as n
  left join ff_exec_core c on c.partition_key = n.column1 and c.execution_id = n.column2
 where n.column1 is not null
   and (c.partition_key is null or c.lease_epoch <> n.column3 or c.lifecycle_phase <> {phase.active});
