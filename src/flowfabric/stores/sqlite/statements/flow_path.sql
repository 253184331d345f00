-- The steps of plain members of flows (`domain/plain_members.py`), which read no record. The values that these statements
-- compare and write are those that the rules have given a sample. What is not plain is left to the rules.

-- name: insert_plain_members
-- New members of new flows. The last value of each says whether it waits for other members.
insert into ff_exec_core (
    partition_key, execution_id, namespace, lane_id, flow_id, execution_kind, policy, priority, created_by, node,
    capability_set, created_at_ms, ready_at_ms, lease_era, eligibility_state, public_state, lifecycle_phase,
    attempt_state, terminal_outcome, attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq
)
select n.column1, n.column2, n.column3, n.column4, n.column5, n.column6, n.column7, n.column8, n.column9, n.column10,
       0, ?, ?, ?, iif(n.column11, {blocked.eligibility_state}, {created.eligibility_state}),
       iif(n.column11, {blocked.public_state}, {created.public_state}), {created.lifecycle_phase},
       {created.attempt_state}, {created.terminal_outcome}, {created.attempt_index}, {created.lease_epoch},
       {created.retry_count}, {created.interruption_count}, {created.replay_count}, {created.event_seq}
  from (values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)) as n;

-- name: find_plain_ends
-- The named members of flows, as one JSON array, each with its flow and with the member that waits for it alone, if there
-- is one. A member that several others wait for is there several times. Each row says whether all in it is plain.
select json_group_array(json_array(
           n.column1, c.rowid, c.partition_key, c.namespace, c.lane_id, c.execution_kind, c.policy,
           coalesce(c.attempt_started_at_ms, 0), lower(hex(c.flow_id)), f.live_count, f.retention_ms is null,
           d.rowid, lower(hex(d.execution_id)), d.lane_id, d.execution_kind,
           c.lifecycle_phase = {leased.lifecycle_phase} and c.eligibility_state = {leased.eligibility_state}
           and c.attempt_state = {leased.attempt_state} and c.terminal_outcome = {leased.terminal_outcome}
           and c.attempt_index = n.column4 and c.lease_epoch = n.column5 and c.lease_mark is n.column6
           and c.lease_expires_at_ms > ? and c.lease_ttl_ms is not null and c.attempt_started_at_ms is not null
           and c.deadline_at_ms is null and c.parent_id is null and c.inbox is null and c.gates is null
           and c.replay_count = {edge_resolved.generation}
           and f.state = {flow_started.state} and f.lost_sinks = 0 and f.terminal_at_ms is null
           and f.cancellation_policy is null and (f.tags is null or json_valid(f.tags))
           and (e.edge_id is null
                or e.outcome = {edge_pending.outcome} and e.generation = {edge_pending.generation}
                   and length(e.edge_id) > 0 and e.flow_id = c.flow_id and g.flow_id = c.flow_id
                   and g.policy_kind = {group_pending.policy_kind} and g.total = {group_pending.total}
                   and g.success_count = {group_pending.success_count} and g.fail_count = {group_pending.fail_count}
                   and g.skip_count = {group_pending.skip_count} and g.state = {group_pending.state}
                   and d.flow_id = c.flow_id and d.namespace = c.namespace
                   and d.lifecycle_phase = {blocked.lifecycle_phase}
                   and d.eligibility_state = {blocked.eligibility_state}
                   and d.attempt_state = {blocked.attempt_state}
                   and d.terminal_outcome = {blocked.terminal_outcome}
                   and d.worker_id is null and d.deadline_at_ms is null and d.delay_until_ms is null
                   and d.due_at_ms is null and d.inbox is null and d.gates is null)
       ))
  from (values /* rows */ (?, ?, ?, ?, ?, ?)) as n
 cross join ff_exec_core c indexed by sqlite_autoindex_ff_exec_core_1
    on c.partition_key = n.column2 and c.execution_id = n.column3
  left join ff_flow_core f on f.partition_key = c.partition_key and f.flow_id = c.flow_id
  left join ff_edge e indexed by ff_edge_upstream
    on e.partition_key = c.partition_key and e.upstream = c.execution_id
  left join ff_edge_group g on g.partition_key = e.partition_key and g.downstream = e.downstream
  left join ff_exec_core d indexed by sqlite_autoindex_ff_exec_core_1
    on d.partition_key = e.partition_key and d.execution_id = e.downstream
 where c.flow_id is not null;

-- name: resolve_plain_edges
-- The edges that lead to these members: the upstream of each has completed.
update ff_edge as e indexed by ff_edge_downstream
   set outcome = {edge_resolved.outcome}, generation = {edge_resolved.generation}, resolved_at_ms = ?
  from (values /* rows */ (?, ?)) as n
 where e.partition_key = +n.column1 and e.downstream = +n.column2
   and /* part: sent_first */;

-- name: satisfy_plain_groups
-- The groups of these members: the one edge of each is resolved.
update ff_edge_group as g
   set success_count = {group_satisfied.success_count}, state = {group_satisfied.state}
  from (values /* rows */ (?, ?)) as n
 where g.partition_key = +n.column1 and g.downstream = +n.column2
   and /* part: sent_first */;

-- name: unblock_plain
-- These members may run now.
update ff_exec_core as c
   set eligibility_state = {unblocked.eligibility_state}, public_state = {unblocked.public_state}, ready_at_ms = ?2
  from /* part: sent_numbers */ as n
 where c.rowid = +n.column1
   and /* part: sent_first */;

-- name: start_flows
-- These flows run from now on.
update ff_flow_core as f
   set state = {flow_started.state}, started_at_ms = ?
  from (values /* rows */ (?, ?)) as n
 where f.partition_key = +n.column1 and f.flow_id = +n.column2
   and /* part: sent_first */;

-- name: count_ends_of_members
-- So many members have ended in these flows.
update ff_flow_core as f
   set live_count = f.live_count - n.column3
  from (values /* rows */ (?, ?, ?)) as n
 where f.partition_key = +n.column1 and f.flow_id = +n.column2
   and /* part: sent_first */;

-- name: complete_flows
-- All members of these flows have completed.
update ff_flow_core as f
   set state = {flow_completed.state}, event_seq = f.event_seq + {flow_completed.events}, terminal_at_ms = ?,
       at_rest_since_ms = ?, purge_at_ms = ? + f.retention_ms
  from (values /* rows */ (?, ?)) as n
 where f.partition_key = +n.column1 and f.flow_id = +n.column2
   and /* part: sent_first */;

-- name: insert_events_of_flows
-- The events of these flows, which have just been completed.
insert into ff_event (channel, event_type, namespace, partition_key, flow_id, seq, occurred_at_ms)
select {flow_completed.channel}, {flow_completed.event_type}, f.namespace, f.partition_key, f.flow_id, f.event_seq, ?
  from (values /* rows */ (?, ?)) as n
 cross join ff_flow_core f on f.partition_key = n.column1 and f.flow_id = n.column2;
