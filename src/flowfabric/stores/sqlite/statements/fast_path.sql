-- The steps of plain executions (`domain/plain.py`), which read no record. The values that these statements write are
-- those that the rules have given a sample, such as `{leased.public_state}`. What they leave out is decided by the rules.
-- Executions are named by the numbers of their rows, as one JSON array: that saves a search in an index.

-- name: insert_plain_executions
-- New executions that may run at once, need no capability and have no tags.
insert into ff_exec_core (
    partition_key, execution_id, namespace, lane_id, execution_kind, policy, priority, created_by, capability_set,
    created_at_ms, ready_at_ms, lease_era, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome,
    public_state, attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq
)
select n.column1, n.column2, n.column3, n.column4, n.column5, n.column6, n.column7, n.column8, 0, ?, ?, ?,
       {created.lifecycle_phase}, {created.eligibility_state}, {created.attempt_state},
       {created.terminal_outcome}, {created.public_state}, {created.attempt_index}, {created.lease_epoch},
       {created.retry_count}, {created.interruption_count}, {created.replay_count}, {created.event_seq}
  from (values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?)) as n;

-- name: find_plain_head
-- The head of a lane's queue, as one JSON array, with payloads up to a size. Each row says whether it is plain, and is in
-- the queue for the first time in this era. Nothing is found if the lane is paused. Null: it holds something that needs
-- capabilities, which is not looked at here. A member comes with its flow, whether the flow is still to be started, and the
-- results that are passed to it.
select case when not exists (select 1
                               from ff_exec_core o indexed by ff_exec_core_ready
                              where o.lifecycle_phase = {phase.runnable}
                                and o.eligibility_state = {eligibility.eligible_now}
                                and o.namespace = ?1 and o.lane_id = ?2 and o.capability_set > 0)
            then json_group_array(json_array(
                     c.rowid, c.partition_key, lower(hex(c.execution_id)), c.lane_id, c.lease_epoch, c.execution_kind,
                     c.policy, c.tags, c.priority, c.ready_at_ms,
                     length(c.execution_id) = 16 and c.partition_key between 0 and 255
                     and c.attempt_state = {created.attempt_state} and c.terminal_outcome = {created.terminal_outcome}
                     and c.lease_era is ?4 and c.worker_id is null and c.deadline_at_ms is null
                     and c.inbox is null and c.gates is null
                     and (c.flow_id is null
                          or length(c.flow_id) = 16 and f.state is not null
                             and (f.state > {flow_submitted.state}
                                  or f.terminal_at_ms is null and f.cancellation_policy is null
                                     and (f.tags is null or json_valid(f.tags)))),
                     (select iif(length(p.payload) <= 4096, hex(p.payload), '-')
                        from ff_payload p
                       where p.partition_key = c.partition_key and p.execution_id = c.execution_id),
                     lower(hex(c.flow_id)),
                     f.state = {flow_submitted.state},
                     json(case when c.flow_id is not null
                     then (select json_group_array(json_array(
                                      coalesce(e.resolved_at_ms, 0), e.edge_id, e.pass_result_as,
                                      case when r.result is null then null
                                           when length(r.result) <= 4096 then hex(r.result) else '-' end))
                             from ff_edge e indexed by ff_edge_passing
                             left join ff_result r
                               on r.partition_key = e.partition_key and r.execution_id = e.upstream
                              and r.generation = e.generation
                            where e.partition_key = c.partition_key and e.downstream = c.execution_id
                              and e.pass_result_as is not null and e.outcome = {edge_resolved.outcome}) end)
                 ))
       end
  from (select rowid, *
          from ff_exec_core indexed by ff_exec_core_ready
         where lifecycle_phase = {phase.runnable} and eligibility_state = {eligibility.eligible_now}
           and namespace = ?1 and lane_id = ?2 and capability_set = 0
           and not exists (select 1 from ff_lane l
                            where l.namespace = ?1 and l.lane_id = ?2 and l.paused_at_ms is not null)
         order by priority desc, turn, ready_at_ms, execution_id, partition_key
         limit ?3) c
  left join ff_flow_core f on f.partition_key = c.partition_key and f.flow_id = c.flow_id;

-- part: set_leased
lifecycle_phase = {leased.lifecycle_phase}, eligibility_state = {leased.eligibility_state},
       attempt_state = {leased.attempt_state}, public_state = {leased.public_state},
       lease_epoch = lease_epoch + {leased.epochs}, event_seq = event_seq + {leased.events},
       due_kind = {leased.due_kind}, due_at_ms = ?2 + ?5, worker_id = ?3, worker_instance_id = ?4, lease_ttl_ms = ?5,
       lease_expires_at_ms = ?2 + ?5, attempt_started_at_ms = ?2, started_at_ms = coalesce(started_at_ms, ?2),
       delay_until_ms = null, lease_mark = (lease_epoch + {leased.epochs}) || '.' || ?6

-- name: fast_claim
-- Leases these executions.
update ff_exec_core as c
   set /* part: set_leased */
  from /* part: sent_numbers */ as n
 where c.rowid = +n.column1
   and /* part: sent_first */;

-- name: insert_events_of_claim
-- The events of leases that were just given. Only the row knows the epoch, which stands between two parts of the details.
insert into ff_event (
    channel, event_type, namespace, partition_key, execution_id, flow_id, seq, details, occurred_at_ms
)
select {leased.channel}, {leased.event_type}, c.namespace, c.partition_key, c.execution_id, c.flow_id, c.event_seq,
       ?3 || c.lease_epoch || ?4, ?2
  from json_each(?1) as k
 cross join ff_exec_core c on c.rowid = k.value
 order by k.key;

-- name: find_plain_leases
-- Those of the named executions whose lease is valid and whose end concerns nobody but those who wait at its gates, as
-- one JSON array.
select json_group_array(json_array(
           n.column1, c.rowid, c.namespace, c.lane_id, c.execution_kind, c.policy, c.attempt_started_at_ms,
           c.replay_count, c.gates
       ))
  from (values /* rows */ (?, ?, ?, ?, ?, ?)) as n
 cross join ff_exec_core c on c.partition_key = n.column2 and c.execution_id = n.column3
 where c.lifecycle_phase = {leased.lifecycle_phase} and c.eligibility_state = {leased.eligibility_state}
   and c.attempt_state = {leased.attempt_state} and c.terminal_outcome = {leased.terminal_outcome}
   and c.attempt_index = n.column4 and c.lease_epoch = n.column5 and c.lease_mark is n.column6
   and c.lease_expires_at_ms > ? and c.lease_ttl_ms is not null and c.attempt_started_at_ms is not null
   and c.deadline_at_ms is null and c.flow_id is null and c.parent_id is null and c.inbox is null;

-- name: insert_events_of_completion
-- The events of executions that are about to be completed.
insert into ff_event (channel, event_type, namespace, partition_key, execution_id, flow_id, seq, occurred_at_ms)
select {completed.channel}, {completed.event_type}, c.namespace, c.partition_key, c.execution_id, c.flow_id,
       c.event_seq + {completed.events}, ?2
  from json_each(?1) as k
 cross join ff_exec_core c on c.rowid = k.value
 order by k.key;

-- name: fast_complete
-- Completes these executions, which are all kept for equally long. What the last attempt was stays in the record.
update ff_exec_core as c
   set lifecycle_phase = {completed.lifecycle_phase}, eligibility_state = {completed.eligibility_state},
       attempt_state = {completed.attempt_state}, terminal_outcome = {completed.terminal_outcome},
       public_state = {completed.public_state}, event_seq = event_seq + {completed.events},
       due_kind = iif(?3 is null, null, {completed.due_kind}), due_at_ms = ?2 + ?3, lease_ttl_ms = null,
       lease_expires_at_ms = null, terminal_at_ms = ?2, failure_code = null, failure_message = null
  from /* part: sent_numbers */ as n
 where c.rowid = +n.column1
   and /* part: sent_first */;
