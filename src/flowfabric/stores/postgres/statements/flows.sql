-- Flows and their graphs. Edges, groups and the records of a cancel change only under the lock of their flow, so they
-- are read after that lock and need no locks of their own.
--
-- Rows are found by the uuid of an execution or of a flow. The partition is only compared afterwards, in a form that no
-- index can match. For the same reason the test for members casts the flow's id to text. A lateral select
-- with an offset is a lookup for each given row, even where the rows are sorted or counted afterwards.

-- columns: flow
f.partition_key, f.flow_id::text, f.namespace, f.flow_kind, f.created_at_ms, f.tags, f.state, f.graph_revision,
f.node_count, f.edge_count, f.live_count, f.lost_sinks, f.event_seq, f.retention_ms, f.started_at_ms,
f.terminal_at_ms, f.at_rest_since_ms, f.cancel_reason, f.cancellation_policy, f.created_by

-- columns: edge
e.partition_key, e.flow_id::text, e.edge_id, e.upstream::text, e.downstream::text, e.pass_result_as, e.created_at_ms,
e.outcome, e.generation, e.resolved_at_ms

-- columns: group
g.partition_key, g.downstream::text, g.flow_id::text, g.policy_kind, g.policy_k, g.policy_on_satisfied, g.total,
g.success_count, g.fail_count, g.skip_count, g.state, g.passes_results

-- name: lock_flows
-- The named flows, and the flows of the named executions, locked one by one in the order of their ids. An execution
-- never changes its flow, so finding its flow needs no lock.
with wanted as materialized (
    select partition_key, flow_id
      from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as named (partition_key, flow_id)
     union
    select m.partition_key, m.flow_id
      from unnest(%(member_partition)s::smallint[], %(member_id)s::uuid[]) as n (partition_key, execution_id)
     cross join lateral (
               select x.partition_key, x.flow_id from ff_exec_core x
                where x.partition_key = n.partition_key and x.execution_id = n.execution_id
                  and x.flow_id::text is not null
                limit 1
           ) m
     order by partition_key, flow_id
)
select /* columns: flow */
  from wanted n
 cross join lateral (
           select * from ff_flow_core x
            where x.partition_key = n.partition_key and x.flow_id = n.flow_id
              for update
       ) f;

-- name: lock_open_flows
-- The named flows that no other transaction has locked; they are locked.
select /* columns: flow */
  from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 cross join lateral (
           select * from ff_flow_core x
            where x.partition_key = n.partition_key and x.flow_id = n.flow_id
              for update skip locked
       ) f;

-- name: read_flow
select /* columns: flow */
  from ff_flow_core f
 where f.partition_key = %(partition_key)s and f.flow_id = %(flow_id)s::uuid;

-- name: list_flows
-- Newest first. A filter that is null lets everything pass.
select /* columns: flow */
  from ff_flow_core f
 where (f.created_at_ms, f.flow_id, f.partition_key)
       < (%(created_at_ms)s, %(flow_id)s::uuid, %(partition_key)s::smallint)
   and f.created_at_ms >= 0
   and (%(namespace)s::text is null or f.namespace = %(namespace)s)
   and (%(state)s::smallint is null or f.state = %(state)s)
 order by f.created_at_ms desc, f.flow_id desc, f.partition_key desc
 limit %(most)s;

-- name: find_ended_flows
-- Flows that were over before an instant, newest first.
select /* columns: flow */
  from ff_flow_core f
 where (f.created_at_ms, f.flow_id, f.partition_key)
       < (%(created_at_ms)s, %(flow_id)s::uuid, %(partition_key)s::smallint)
   and f.created_at_ms >= 0
   and f.state >= {flow_state.completed}
   and case when f.node_count > 0 then f.at_rest_since_ms else f.terminal_at_ms end < %(ended_before_ms)s
   and (%(namespace)s::text is null or f.namespace = %(namespace)s)
 order by f.created_at_ms desc, f.flow_id desc, f.partition_key desc
 limit %(most)s;

-- name: find_flows_to_purge
select flow_id::text from ff_flow_core where purge_at_ms <= %(until_ms)s order by purge_at_ms limit %(most)s;

-- name: insert_flows
-- If a flow exists already, that is a unique violation: the batch is decided again, and finds the flow.
insert into ff_flow_core (
    partition_key, flow_id, namespace, flow_kind, created_at_ms, tags, state, graph_revision, node_count, edge_count,
    live_count, lost_sinks, event_seq, retention_ms, started_at_ms, terminal_at_ms, at_rest_since_ms, cancel_reason,
    cancellation_policy, purge_at_ms, created_by
)
select * from unnest(
           %(partition_key)s::smallint[], %(flow_id)s::uuid[], %(namespace)s::text[], %(flow_kind)s::text[],
           %(created_at_ms)s::bigint[], %(tags)s::text[], %(state)s::smallint[], %(graph_revision)s::bigint[],
           %(node_count)s::integer[], %(edge_count)s::integer[], %(live_count)s::integer[], %(lost_sinks)s::integer[],
           %(event_seq)s::integer[], %(retention_ms)s::bigint[], %(started_at_ms)s::bigint[],
           %(terminal_at_ms)s::bigint[], %(at_rest_since_ms)s::bigint[], %(cancel_reason)s::text[],
           %(cancellation_policy)s::smallint[], %(purge_at_ms)s::bigint[], %(created_by)s::text[]
       );

-- name: update_flows
-- Whole records, locked by this transaction.
update ff_flow_core c
   set tags = n.tags,
       state = n.state,
       graph_revision = n.graph_revision,
       node_count = n.node_count,
       edge_count = n.edge_count,
       live_count = n.live_count,
       lost_sinks = n.lost_sinks,
       event_seq = n.event_seq,
       retention_ms = n.retention_ms,
       started_at_ms = n.started_at_ms,
       terminal_at_ms = n.terminal_at_ms,
       at_rest_since_ms = n.at_rest_since_ms,
       cancel_reason = n.cancel_reason,
       cancellation_policy = n.cancellation_policy,
       purge_at_ms = n.purge_at_ms
  from unnest(
           %(partition_key)s::smallint[], %(flow_id)s::uuid[], %(tags)s::text[], %(state)s::smallint[],
           %(graph_revision)s::bigint[], %(node_count)s::integer[], %(edge_count)s::integer[],
           %(live_count)s::integer[], %(lost_sinks)s::integer[], %(event_seq)s::integer[], %(retention_ms)s::bigint[],
           %(started_at_ms)s::bigint[], %(terminal_at_ms)s::bigint[], %(at_rest_since_ms)s::bigint[],
           %(cancel_reason)s::text[], %(cancellation_policy)s::smallint[], %(purge_at_ms)s::bigint[]
       ) as n (
           partition_key, flow_id, tags, state, graph_revision, node_count, edge_count, live_count, lost_sinks,
           event_seq, retention_ms, started_at_ms, terminal_at_ms, at_rest_since_ms, cancel_reason,
           cancellation_policy, purge_at_ms
       )
 where c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id;

-- name: read_members
-- The named executions that belong to a flow, unlocked, with the groups of edges that lead to them.
select
       /* columns: execution */,
       /* columns: group */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_exec_core c on c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
  left join ff_edge_group g on g.partition_key = any (array[c.partition_key]) and g.downstream = c.execution_id
 where c.flow_id::text is not null;

-- name: read_members_of_flows
-- All members of the named flows, in the same way.
select
       /* columns: execution */,
       /* columns: group */
  from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 cross join lateral (
           select * from ff_exec_core x
            where x.flow_id = n.flow_id and x.flow_id is not null and x.partition_key + 0 = n.partition_key
           offset 0
       ) c
  left join ff_edge_group g on g.partition_key = any (array[c.partition_key]) and g.downstream = c.execution_id;

-- name: read_downstreams
-- The executions to which edges lead from the named ones, each once, in the same way.
select
       /* columns: execution */,
       /* columns: group */
  from (select distinct e.partition_key, e.downstream
          from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
         cross join lateral (
                   select x.partition_key, x.downstream from ff_edge x
                    where x.upstream = n.execution_id and x.partition_key + 0 = n.partition_key
                   offset 0
               ) e) as n
  join ff_exec_core c on c.partition_key = any (array[n.partition_key]) and c.execution_id = n.downstream
  left join ff_edge_group g on g.partition_key = any (array[n.partition_key]) and g.downstream = n.downstream;

-- name: read_upstreams
-- The executions from which edges lead to the named ones, each once, in the same way.
select
       /* columns: execution */,
       /* columns: group */
  from (select distinct e.partition_key, e.upstream
          from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
         cross join lateral (
                   select x.partition_key, x.upstream from ff_edge x
                    where x.downstream = n.execution_id and x.partition_key + 0 = n.partition_key
                   offset 0
               ) e) as n
  join ff_exec_core c on c.partition_key = any (array[n.partition_key]) and c.execution_id = n.upstream
  left join ff_edge_group g on g.partition_key = any (array[n.partition_key]) and g.downstream = n.upstream;

-- name: read_outgoing
-- The edges that leave the named executions.
select /* columns: edge */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_edge e on e.upstream = any (array[n.execution_id]) and e.partition_key + 0 = n.partition_key;

-- name: read_reach
-- The edges that leave the named executions, and those that leave all executions that can be reached from there.
with recursive reached (partition_key, execution_id) as (
    select partition_key, execution_id
      from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
     union
    select e.partition_key, e.downstream
      from reached r
      join ff_edge e on e.upstream = any (array[r.execution_id]) and e.partition_key + 0 = r.partition_key
)
select /* columns: edge */
  from reached r
  join ff_edge e on e.upstream = any (array[r.execution_id]) and e.partition_key + 0 = r.partition_key;

-- name: read_incoming
-- The edges that lead to the named executions.
select /* columns: edge */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_edge e on e.downstream = any (array[n.execution_id]) and e.partition_key + 0 = n.partition_key;

-- name: read_passing
-- The edges that pass a result to the named executions, with the result if there is one.
select /* columns: edge */, r.result
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_edge e on e.downstream = any (array[n.execution_id]) and e.partition_key + 0 = n.partition_key
  left join ff_result r on r.partition_key = any (array[e.partition_key])
        and r.execution_id = case when e.outcome = {outcome.success} then e.upstream end and r.generation = e.generation
 where e.pass_result_as is not null;

-- name: read_edges
select /* columns: edge */
  from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[], %(edge_id)s::text[])
       as n (partition_key, flow_id, edge_id)
  join ff_edge e on e.partition_key = any (array[n.partition_key]) and e.flow_id = n.flow_id
   and e.edge_id = n.edge_id collate "C";

-- name: read_edges_of_flows
-- All edges of the named flows.
select /* columns: edge */
  from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
  join ff_edge e on e.partition_key = any (array[n.partition_key]) and e.flow_id = n.flow_id;

-- name: insert_edges
insert into ff_edge (
    partition_key, flow_id, edge_id, upstream, downstream, pass_result_as, created_at_ms, outcome, generation,
    resolved_at_ms
)
select * from unnest(
           %(partition_key)s::smallint[], %(flow_id)s::uuid[], %(edge_id)s::text[], %(upstream)s::uuid[],
           %(downstream)s::uuid[], %(pass_result_as)s::text[], %(created_at_ms)s::bigint[], %(outcome)s::smallint[],
           %(generation)s::integer[], %(resolved_at_ms)s::bigint[]
       );

-- name: update_edges
-- The columns of an edge that can change.
update ff_edge c
   set outcome = n.outcome, generation = n.generation, resolved_at_ms = n.resolved_at_ms
  from unnest(
           %(partition_key)s::smallint[], %(flow_id)s::uuid[], %(edge_id)s::text[], %(outcome)s::smallint[],
           %(generation)s::integer[], %(resolved_at_ms)s::bigint[]
       ) as n (partition_key, flow_id, edge_id, outcome, generation, resolved_at_ms)
 where c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id and c.edge_id = n.edge_id collate "C";

-- name: read_groups
select /* columns: group */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_edge_group g on g.partition_key = any (array[n.partition_key]) and g.downstream = n.execution_id;

-- name: read_groups_of_flow
-- The groups of a flow. Each row also says whether the group's execution has ended, and how many of its edges are
-- pending whose upstream has not ended.
select /* columns: group */,
       (c.terminal_outcome <> {outcome.none})::integer,
       (select count(*)::integer
          from (select x.partition_key, x.upstream from ff_edge x
                 where x.downstream = g.downstream and x.partition_key + 0 = g.partition_key
                   and x.outcome = {outcome.none}
                offset 0) e
          join ff_exec_core u on u.partition_key = any (array[e.partition_key]) and u.execution_id = e.upstream
         where u.terminal_outcome = {outcome.none})
  from ff_edge_group g
  join ff_exec_core c on c.partition_key = any (array[g.partition_key]) and c.execution_id = g.downstream
 where g.flow_id = %(flow_id)s::uuid and g.partition_key + 0 = %(partition_key)s;

-- name: insert_groups
insert into ff_edge_group (
    partition_key, downstream, flow_id, policy_kind, policy_k, policy_on_satisfied, total, success_count, fail_count,
    skip_count, state, passes_results
)
select * from unnest(
           %(partition_key)s::smallint[], %(downstream)s::uuid[], %(flow_id)s::uuid[], %(policy_kind)s::smallint[],
           %(policy_k)s::integer[], %(policy_on_satisfied)s::smallint[], %(total)s::integer[],
           %(success_count)s::integer[], %(fail_count)s::integer[], %(skip_count)s::integer[], %(state)s::smallint[],
           %(passes_results)s::smallint[]
       );

-- name: update_groups
update ff_edge_group c
   set policy_kind = n.policy_kind,
       policy_k = n.policy_k,
       policy_on_satisfied = n.policy_on_satisfied,
       total = n.total,
       success_count = n.success_count,
       fail_count = n.fail_count,
       skip_count = n.skip_count,
       state = n.state,
       passes_results = n.passes_results
  from unnest(
           %(partition_key)s::smallint[], %(downstream)s::uuid[], %(policy_kind)s::smallint[], %(policy_k)s::integer[],
           %(policy_on_satisfied)s::smallint[], %(total)s::integer[], %(success_count)s::integer[],
           %(fail_count)s::integer[], %(skip_count)s::integer[], %(state)s::smallint[], %(passes_results)s::smallint[]
       ) as n (
           partition_key, downstream, policy_kind, policy_k, policy_on_satisfied, total, success_count, fail_count,
           skip_count, state, passes_results
       )
 where c.partition_key = any (array[n.partition_key]) and c.downstream = n.downstream;

-- name: read_cancelled_members
select c.flow_id::text, c.members
  from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
  join ff_flow_cancel c on c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id;

-- name: insert_cancelled_members
-- A flow is cancelled once. A replay opens it again, and deletes these rows.
insert into ff_flow_cancel (partition_key, flow_id, members)
select * from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[], %(members)s::text[])
on conflict do nothing;

-- name: read_backlogs
select c.flow_id::text, c.requested_at_ms, c.pending_count
  from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
  join ff_cancel_backlog c on c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id;

-- name: save_backlogs
insert into ff_cancel_backlog (partition_key, flow_id, requested_at_ms, pending_count)
select * from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[], %(requested_at_ms)s::bigint[],
                     %(pending_count)s::integer[])
on conflict (partition_key, flow_id) do update set
    requested_at_ms = excluded.requested_at_ms, pending_count = excluded.pending_count;

-- name: read_acks
select c.partition_key, c.flow_id::text, c.execution_id::text, c.overdue_at_ms
  from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[], %(execution_id)s::uuid[])
       as n (partition_key, flow_id, execution_id)
  join ff_cancel_backlog_member c on c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id
   and c.execution_id = n.execution_id;

-- name: read_acks_of_flows
-- The members that have not acknowledged the cancel of their flow.
select c.partition_key, c.flow_id::text, c.execution_id::text
  from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 cross join lateral (
           select * from ff_cancel_backlog_member m
            where m.partition_key = n.partition_key and m.flow_id = n.flow_id
           offset 0
       ) c;

-- name: find_overdue_acks
select partition_key, flow_id::text, execution_id::text from ff_cancel_backlog_member
 where overdue_at_ms <= %(until_ms)s order by overdue_at_ms limit %(most)s;

-- name: save_acks
insert into ff_cancel_backlog_member (partition_key, flow_id, execution_id, overdue_at_ms)
select * from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[], %(execution_id)s::uuid[],
                     %(overdue_at_ms)s::bigint[])
on conflict (partition_key, flow_id, execution_id) do update set overdue_at_ms = excluded.overdue_at_ms;

-- name: delete_acks
delete from ff_cancel_backlog_member c
 using unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[], %(execution_id)s::uuid[])
       as n (partition_key, flow_id, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id and c.execution_id = n.execution_id;

-- name: note_purge_of_flows
-- As note_purge, for the events of flows themselves.
with taken as (
    select e.txid, max(e.event_id) over () as event_id
      from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
     cross join lateral (
               select x.txid, x.event_id from ff_event x
                where x.partition_key = n.partition_key and x.flow_id = n.flow_id and x.execution_id is null
               offset 0
           ) e
     order by e.txid desc
     limit 1
)
insert into ff_meta (name, value)
select 'purged', pg_current_xact_id()::text || ':' || txid || ':' || event_id from taken
on conflict (name) do update set value = pg_current_xact_id()::text
    || ':' || greatest(split_part(ff_meta.value, ':', 2)::xid8, split_part(excluded.value, ':', 2)::xid8)
    || ':' || greatest(split_part(ff_meta.value, ':', 3)::bigint, split_part(excluded.value, ':', 3)::bigint);

-- name: delete_events_of_flows
-- The events of flows themselves. The events of members are deleted with the members.
delete from ff_event c
 where c.event_id = any (array(
           select e.event_id
             from unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
            cross join lateral (
                      select x.event_id from ff_event x
                       where x.partition_key = n.partition_key and x.flow_id = n.flow_id and x.execution_id is null
                      offset 0
                  ) e
       ));

-- name: delete_edges_of_flows
delete from ff_edge c
 using unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 where c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id;

-- name: delete_groups_of_flows
delete from ff_edge_group c
 using unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 where c.flow_id = any (array[n.flow_id]) and c.partition_key + 0 = n.partition_key;

-- name: delete_backlogs
delete from ff_cancel_backlog c
 using unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 where c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id;

-- name: delete_acks_of_flows
delete from ff_cancel_backlog_member c
 using unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 where c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id;

-- name: delete_cancelled_members
delete from ff_flow_cancel c
 using unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 where c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id;

-- name: delete_flows
delete from ff_flow_core c
 using unnest(%(partition_key)s::smallint[], %(flow_id)s::uuid[]) as n (partition_key, flow_id)
 where c.partition_key = any (array[n.partition_key]) and c.flow_id = n.flow_id;
