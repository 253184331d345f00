-- Statements that name `(?, …)` after `/* rows */` are repeated once per row, so that a whole batch is one call. A read
-- returns all its rows as one JSON array.

-- columns: flow
f.partition_key, hex(f.flow_id), f.namespace, f.flow_kind, f.created_at_ms, f.tags, f.state, f.graph_revision,
f.node_count, f.edge_count, f.live_count, f.lost_sinks, f.event_seq, f.retention_ms, f.started_at_ms,
f.terminal_at_ms, f.at_rest_since_ms, f.cancel_reason, f.cancellation_policy, f.created_by

-- columns: edge
e.partition_key, hex(e.flow_id), e.edge_id, hex(e.upstream), hex(e.downstream), e.pass_result_as, e.created_at_ms,
e.outcome, e.generation, e.resolved_at_ms

-- columns: group
g.partition_key, hex(g.downstream), hex(g.flow_id), g.policy_kind, g.policy_k, g.policy_on_satisfied, g.total,
g.success_count, g.fail_count, g.skip_count, g.state, g.passes_results

-- name: save_flows
insert into ff_flow_core (
    partition_key, flow_id, namespace, flow_kind, created_at_ms, tags, state, graph_revision, node_count, edge_count,
    live_count, lost_sinks, event_seq, retention_ms, started_at_ms, terminal_at_ms, at_rest_since_ms, cancel_reason,
    cancellation_policy, purge_at_ms, created_by
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, flow_id) do update set
    tags = excluded.tags,
    state = excluded.state,
    graph_revision = excluded.graph_revision,
    node_count = excluded.node_count,
    edge_count = excluded.edge_count,
    live_count = excluded.live_count,
    lost_sinks = excluded.lost_sinks,
    event_seq = excluded.event_seq,
    retention_ms = excluded.retention_ms,
    started_at_ms = excluded.started_at_ms,
    terminal_at_ms = excluded.terminal_at_ms,
    at_rest_since_ms = excluded.at_rest_since_ms,
    cancel_reason = excluded.cancel_reason,
    cancellation_policy = excluded.cancellation_policy,
    purge_at_ms = excluded.purge_at_ms;

-- name: load_flows
-- The named flows.
select json_group_array(json_array(
           /* columns: flow */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_flow_core f on f.partition_key = n.column1 and f.flow_id = n.column2;

-- name: load_open_flows
-- The named flows of which no member has been claimed yet.
select json_group_array(json_array(
           /* columns: flow */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_flow_core f on f.partition_key = n.column1 and f.flow_id = n.column2 and f.state = {flow_state.open};

-- name: list_flows
-- Newest first. A filter that is null lets everything pass.
select json_group_array(json_array(
           /* columns: flow */
       ))
  from (select *
          from ff_flow_core indexed by ff_flow_core_newest
         where (created_at_ms, flow_id, partition_key) < (?1, ?2, ?3)
           and (?4 is null or namespace = ?4)
           and (?5 is null or state = ?5)
         order by created_at_ms desc, flow_id desc, partition_key desc
         limit ?6) f;

-- name: load_members
-- All executions of the named flows.
select json_group_array(json_array(
           /* columns: execution */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_exec_core c indexed by ff_exec_core_flow on c.flow_id = n.column2 and c.partition_key = n.column1;

-- name: find_ended_flows
-- Flows that were over before an instant, newest first.
select json_group_array(json_array(
           /* columns: flow */
       ))
  from (select *
          from ff_flow_core indexed by ff_flow_core_newest
         where (created_at_ms, flow_id, partition_key) < (?1, ?2, ?3)
           and state >= {flow_state.completed} and iif(node_count, at_rest_since_ms, terminal_at_ms) < ?5
           and (?4 is null or namespace = ?4)
         order by created_at_ms desc, flow_id desc, partition_key desc
         limit ?6) f;

-- name: find_flows_to_purge
select partition_key, flow_id
  from ff_flow_core indexed by ff_flow_core_purge
 where purge_at_ms is not null and purge_at_ms <= ?
 order by purge_at_ms, partition_key, flow_id
 limit ?;

-- name: delete_flows
delete from ff_flow_core where partition_key = ? and flow_id = ?;

-- name: save_edges
insert into ff_edge (
    partition_key, flow_id, edge_id, upstream, downstream, pass_result_as, created_at_ms, outcome, generation,
    resolved_at_ms
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, flow_id, edge_id) do update set
    outcome = excluded.outcome,
    generation = excluded.generation,
    resolved_at_ms = excluded.resolved_at_ms;

-- name: load_edges
-- The named edges.
select json_group_array(json_array(
           /* columns: edge */
       ))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_edge e on e.partition_key = n.column1 and e.flow_id = n.column2 and e.edge_id = n.column3;

-- name: load_edges_from
-- The edges that leave the named executions.
select json_group_array(json_array(
           /* columns: edge */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_edge e indexed by ff_edge_upstream on e.partition_key = n.column1 and e.upstream = n.column2;

-- name: load_edges_beyond
-- The edges that leave the named executions and every execution that can be reached from them.
with recursive reached (partition_key, execution_id) as (
    values /* rows */ (?, ?)
     union
    select e.partition_key, e.downstream
      from reached r
     cross join ff_edge e indexed by ff_edge_upstream
        on e.partition_key = r.partition_key and e.upstream = r.execution_id
)
select json_group_array(json_array(
           /* columns: edge */
       ))
  from reached r
 cross join ff_edge e indexed by ff_edge_upstream
    on e.partition_key = r.partition_key and e.upstream = r.execution_id;

-- name: load_edges_to
-- The edges that lead to the named executions.
select json_group_array(json_array(
           /* columns: edge */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_edge e indexed by ff_edge_downstream on e.partition_key = n.column1 and e.downstream = n.column2;

-- name: load_edges_of_flows
-- All edges of the named flows.
select json_group_array(json_array(
           /* columns: edge */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_edge e on e.partition_key = n.column1 and e.flow_id = n.column2;

-- name: load_inputs
-- The edges that pass a result to the named executions, with the results up to a size; larger results are read one by
-- one.
select json_group_array(json_array(
           /* columns: edge */,
           length(r.result), iif(length(r.result) <= 4096, hex(r.result), null)
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_edge e indexed by ff_edge_passing
    on e.partition_key = n.column1 and e.downstream = n.column2 and e.pass_result_as is not null
  left join ff_result r
    on r.partition_key = e.partition_key and r.execution_id = e.upstream and r.generation = e.generation
   and e.outcome = {outcome.success};

-- name: delete_edges_of_flows
delete from ff_edge where partition_key = ? and flow_id = ?;

-- name: save_groups
insert into ff_edge_group (
    partition_key, downstream, flow_id, policy_kind, policy_k, policy_on_satisfied, total, success_count, fail_count,
    skip_count, state, passes_results
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, downstream) do update set
    policy_kind = excluded.policy_kind,
    policy_k = excluded.policy_k,
    policy_on_satisfied = excluded.policy_on_satisfied,
    total = excluded.total,
    success_count = excluded.success_count,
    fail_count = excluded.fail_count,
    skip_count = excluded.skip_count,
    state = excluded.state,
    passes_results = excluded.passes_results;

-- name: load_groups
-- The groups of edges that lead to the named executions.
select json_group_array(json_array(
           /* columns: group */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_edge_group g on g.partition_key = n.column1 and g.downstream = n.column2;

-- name: load_groups_of_flows
-- All groups of the named flows.
select json_group_array(json_array(
           /* columns: group */
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_edge_group g indexed by ff_edge_group_flow on g.partition_key = n.column1 and g.flow_id = n.column2;

-- name: view_groups
-- All groups of one flow, with the columns of the executions at both ends that callers see.
select json_group_array(json_array(
           /* columns: group */,
           (select c.terminal_outcome <> {outcome.none}
              from ff_exec_core c
             where c.partition_key = g.partition_key and c.execution_id = g.downstream),
           (select count(*)
              from ff_edge e indexed by ff_edge_downstream
             cross join ff_exec_core u on u.partition_key = e.partition_key and u.execution_id = e.upstream
             where e.partition_key = g.partition_key and e.downstream = g.downstream
               and e.outcome = {outcome.none} and u.terminal_outcome = {outcome.none})
       ))
  from ff_edge_group g indexed by ff_edge_group_flow
 where g.partition_key = ? and g.flow_id = ?;

-- name: delete_groups_of_flows
delete from ff_edge_group indexed by ff_edge_group_flow where partition_key = ? and flow_id = ?;

-- name: find_blocked
-- Executions that wait for others, in the order of their ids, after the given one.
select partition_key, execution_id
  from ff_exec_core indexed by ff_exec_core_blocked
 where lifecycle_phase = {phase.runnable} and eligibility_state = {eligibility.blocked_by_dependencies}
   and (partition_key, execution_id) > (?, ?)
 order by partition_key, execution_id
 limit ?;

-- name: save_backlogs
insert into ff_cancel_backlog (partition_key, flow_id, requested_at_ms, pending_count) values /* rows */ (?, ?, ?, ?)
on conflict (partition_key, flow_id) do update set
    requested_at_ms = excluded.requested_at_ms,
    pending_count = excluded.pending_count;

-- name: load_backlogs
select json_group_array(json_array(b.partition_key, hex(b.flow_id), b.requested_at_ms, b.pending_count))
  from (values /* rows */ (?, ?)) as n
 cross join ff_cancel_backlog b on b.partition_key = n.column1 and b.flow_id = n.column2;

-- name: delete_backlogs
delete from ff_cancel_backlog where partition_key = ? and flow_id = ?;

-- name: save_acks
insert into ff_cancel_backlog_member (partition_key, flow_id, execution_id, overdue_at_ms)
values /* rows */ (?, ?, ?, ?)
on conflict (partition_key, flow_id, execution_id) do update set overdue_at_ms = excluded.overdue_at_ms;

-- name: load_acks
select json_group_array(json_array(m.partition_key, hex(m.flow_id), hex(m.execution_id), m.overdue_at_ms))
  from (values /* rows */ (?, ?, ?)) as n
 cross join ff_cancel_backlog_member m
    on m.partition_key = n.column1 and m.flow_id = n.column2 and m.execution_id = n.column3;

-- name: load_acks_of_flows
-- The members that the cancels of these flows still wait for.
select json_group_array(json_array(m.partition_key, hex(m.flow_id), hex(m.execution_id), m.overdue_at_ms))
  from (values /* rows */ (?, ?)) as n
 cross join ff_cancel_backlog_member m on m.partition_key = n.column1 and m.flow_id = n.column2;

-- name: find_overdue_acks
select partition_key, flow_id, execution_id
  from ff_cancel_backlog_member indexed by ff_cancel_backlog_member_overdue
 where overdue_at_ms <= ?
 order by overdue_at_ms, partition_key, flow_id, execution_id
 limit ?;

-- name: delete_acks
delete from ff_cancel_backlog_member where partition_key = ? and flow_id = ? and execution_id = ?;

-- name: delete_acks_of_flows
delete from ff_cancel_backlog_member where partition_key = ? and flow_id = ?;

-- name: insert_cancelled_members
insert into ff_flow_cancel (partition_key, flow_id, members) values /* rows */ (?, ?, ?);

-- name: load_cancelled_members
select members from ff_flow_cancel where partition_key = ? and flow_id = ?;

-- name: delete_cancelled_members
delete from ff_flow_cancel where partition_key = ? and flow_id = ?;

-- name: find_acknowledged_among
-- Which of the given flows wait for no acknowledgement of their cancel.
select n.column1, n.column2
  from (values /* rows */ (?, ?)) as n
 where n.column1 is not null
   and not exists (select 1 from ff_cancel_backlog_member m
                    where m.partition_key = n.column1 and m.flow_id = n.column2);
