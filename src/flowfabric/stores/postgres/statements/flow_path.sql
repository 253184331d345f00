-- The steps of plain members of flows (`domain/plain_members.py`), each as one statement that reads, writes and answers.
-- The values that it compares and writes are those that the rules have given a sample flow. If anything is not plain, a
-- statement writes nothing, and the rules decide the whole batch.

-- name: create_flows
-- Creates flows with plain members, puts members that may run at once into the queue, leaves the marker of the batch,
-- and notifies other processes.
with moment as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
), flows as (
    insert into ff_flow_core (
        partition_key, flow_id, namespace, flow_kind, tags, node_count, edge_count, live_count, retention_ms,
        created_by, created_at_ms, state, graph_revision, lost_sinks, event_seq
    )
    select n.*, m.now_ms, {flow_submitted.state}, {flow_submitted.graph_revision}, {flow_submitted.lost_sinks},
           {flow_submitted.event_seq}
      from moment m
     cross join unnest(
               %(partition_key)s::smallint[], %(flow_id)s::uuid[], %(namespace)s::text[], %(flow_kind)s::text[],
               %(flow_tags)s::text[], %(node_count)s::integer[], %(edge_count)s::integer[], %(live_count)s::integer[],
               %(retention_ms)s::bigint[], %(created_by)s::text[]
           ) as n
), new as materialized (
    select (%(partition_key)s::smallint[])[n.place] as partition_key, (%(flow_id)s::uuid[])[n.place] as flow_id,
           (%(namespace)s::text[])[n.place] as namespace, (%(created_by)s::text[])[n.place] as created_by, n.*, m.now_ms
      from moment m
     cross join unnest(
               %(member_flow)s::integer[], %(execution_id)s::uuid[], %(lane_id)s::text[], %(execution_kind)s::text[],
               %(policy)s::text[], %(priority)s::integer[], %(payload)s::bytea[], %(node)s::text[],
               %(is_blocked)s::boolean[]
           ) as n (place, execution_id, lane_id, execution_kind, policy, priority, payload, node, is_blocked)
), born as (
    insert into ff_exec_core (
        partition_key, execution_id, namespace, lane_id, flow_id, execution_kind, capability_set, policy,
        created_at_ms, eligibility_state, public_state, priority, ready_at_ms, lifecycle_phase, attempt_state,
        terminal_outcome, attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq,
        lease_era, node, created_by
    )
    select partition_key, execution_id, namespace, lane_id, flow_id, execution_kind, 0, policy, now_ms,
           case when is_blocked then {blocked.eligibility_state} else {created.eligibility_state} end,
           case when is_blocked then {blocked.public_state} else {created.public_state} end,
           priority, now_ms, {created.lifecycle_phase}, {created.attempt_state}, {created.terminal_outcome},
           {created.attempt_index}, {created.lease_epoch}, {created.retry_count}, {created.interruption_count},
           {created.replay_count}, {created.event_seq}, %(lease_era)s::bigint, node, created_by
      from new
), laden as (
    insert into ff_payload (partition_key, execution_id, payload) select partition_key, execution_id, payload from new
), queued as (
    insert into ff_ready (namespace, lane_id, capability_set, rank, ready_at_ms, execution_id, partition_key)
    select namespace, lane_id, 0, -priority, now_ms, execution_id, partition_key from new where not is_blocked
), edges as (
    insert into ff_edge (
        edge_id, upstream, downstream, pass_result_as, partition_key, flow_id, created_at_ms, outcome, generation
    )
    select n.edge_id, n.upstream, n.downstream, n.pass_result_as, (%(partition_key)s::smallint[])[n.place],
           (%(flow_id)s::uuid[])[n.place], m.now_ms, {edge_pending.outcome}, {edge_pending.generation}
      from moment m
     cross join unnest(
               %(edge_flow)s::integer[], %(edge_id)s::text[], %(upstream)s::uuid[], %(downstream)s::uuid[],
               %(pass_result_as)s::text[]
           ) as n (place, edge_id, upstream, downstream, pass_result_as)
), groups as (
    insert into ff_edge_group (
        downstream, policy_kind, policy_k, policy_on_satisfied, total, passes_results, partition_key, flow_id,
        success_count, fail_count, skip_count, state
    )
    select n.downstream, n.policy_kind, n.policy_k, n.policy_on_satisfied, n.total, n.passes_results,
           (%(partition_key)s::smallint[])[n.place], (%(flow_id)s::uuid[])[n.place], {group_pending.success_count},
           {group_pending.fail_count}, {group_pending.skip_count}, {group_pending.state}
      from unnest(
               %(group_flow)s::integer[], %(group_of)s::uuid[], %(policy_kind)s::smallint[], %(policy_k)s::integer[],
               %(policy_on_satisfied)s::smallint[], %(total)s::integer[], %(passes_results)s::smallint[]
           ) as n (place, downstream, policy_kind, policy_k, policy_on_satisfied, total, passes_results)
), counted as (
    insert into ff_count_move (number, stands, namespace, lane_id, execution_kind)
    select * from unnest(%(moved_number)s::integer[], %(moved_to)s::smallint[], %(moved_namespace)s::text[],
                         %(moved_lane)s::text[], %(moved_kind)s::text[])
), marked as (
    insert into ff_batch (batch_id, committed_at_ms) select %(batch_id)s::bytea, now_ms from moment
)
select array(select pg_notify('flowfabric_ready', n.note)::text from unnest(%(note)s::text[]) as n (note));

-- name: hold_flows_of
-- Locks the flows of the named executions, in the order of their ids.
with wanted as materialized (
    select distinct m.partition_key, m.flow_id
      from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
     cross join lateral (
               select x.partition_key, x.flow_id from ff_exec_core x
                where x.partition_key = n.partition_key and x.execution_id = n.execution_id
                  and x.flow_id::text is not null
                limit 1
           ) m
     order by m.partition_key, m.flow_id
)
select count(*)
  from (select from wanted n
         cross join lateral (
                   select from ff_flow_core x
                    where x.partition_key = n.partition_key and x.flow_id = n.flow_id
                      for update
               ) f) as held;

-- name: hold_members
-- Locks the named members and those that wait for them, in the order of their ids. Their flows must be locked before, by
-- another statement, so that this one sees all edges.
with wanted as materialized (
    select n.partition_key, n.execution_id
      from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
     union
    select n.partition_key, e.downstream
      from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
     cross join lateral (
               select x.downstream from ff_edge x
                where x.upstream = n.execution_id and x.partition_key + 0 = n.partition_key
               offset 0
           ) e
     order by 1, 2
)
select count(*)
  from (select from wanted n
         cross join lateral (
                   select from ff_exec_core x
                    where x.partition_key = n.partition_key and x.execution_id = n.execution_id
                      and x.flow_id::text is not null
                      for update
               ) c) as held;

-- name: complete_members
-- Completes the named members if all of them are plain and all their leases are valid, and returns them, each with the lane
-- and the place in the queue of the member that may run now. Their flows and they must be locked before, by other
-- statements.
with moment as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
), named as materialized (
    select x.partition_key, x.execution_id, x.namespace, x.lane_id, x.execution_kind, x.flow_id, x.event_seq,
           x.replay_count, x.attempt_started_at_ms, n.ordinal, m.now_ms, f.live_count, f.event_seq as flow_seq, f.retention_ms as flow_retention_ms, e.edge_id,
           w.execution_id as child_id, w.lane_id as child_lane, w.execution_kind as child_kind,
           w.capability_set as child_set, w.priority as child_priority,
           x.lifecycle_phase = {leased.lifecycle_phase}
           and x.lease_epoch = n.lease_epoch and x.attempt_index = n.attempt_index
           and x.lease_mark is not distinct from n.lease_mark and x.lease_expires_at_ms > m.now_ms
           and x.lease_ttl_ms is not null and x.attempt_started_at_ms is not null
           and p.is_plain_policy and x.deadline_at_ms is null
           and x.inbox is null and x.parent_id is null and x.gates is null
           and x.replay_count = {edge_resolved.generation}
           and (%(scope)s::text is null or x.namespace = %(scope)s)
           and f.state = {flow_started.state} and f.lost_sinks = 0 and f.terminal_at_ms is null
           and f.cancellation_policy is null and (f.tags is null or f.tags like '{"%%}')
           and (e.edge_id is null
                or e.outcome = {edge_pending.outcome} and e.generation = {edge_pending.generation}
                   and g.policy_kind = {group_pending.policy_kind} and g.total = {group_pending.total}
                   and g.success_count = {group_pending.success_count} and g.fail_count = {group_pending.fail_count}
                   and g.skip_count = {group_pending.skip_count} and g.state = {group_pending.state}
                   and w.flow_id = x.flow_id and w.namespace = x.namespace
                   and w.lifecycle_phase = {blocked.lifecycle_phase}
                   and w.eligibility_state = {blocked.eligibility_state}
                   and w.attempt_state = {blocked.attempt_state}
                   and w.terminal_outcome = {blocked.terminal_outcome} and w.deadline_at_ms is null
                   and w.delay_until_ms is null and w.inbox is null and w.gates is null) as is_plain
      from moment m
     cross join unnest(
               %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(attempt_index)s::integer[],
               %(lease_epoch)s::bigint[], %(lease_mark)s::text[]
           ) with ordinality as n (partition_key, execution_id, attempt_index, lease_epoch, lease_mark, ordinal)
     cross join lateral (
               select * from ff_exec_core y
                where y.partition_key = n.partition_key and y.execution_id = n.execution_id
                limit 1
           ) x
     /* part: policies */
      join ff_flow_core f on f.partition_key = any (array[x.partition_key]) and f.flow_id = x.flow_id
      left join lateral (
               select y.edge_id, y.partition_key, y.downstream, y.outcome, y.generation from ff_edge y
                where y.upstream = x.execution_id and y.partition_key + 0 = x.partition_key
               offset 0
           ) e on true
      left join ff_edge_group g on g.partition_key = any (array[e.partition_key]) and g.downstream = e.downstream
      left join ff_exec_core w on w.partition_key = any (array[e.partition_key]) and w.execution_id = e.downstream
), verdict as materialized (
    -- By itself, so that it is found once, and not anew for each member.
    select bool_and(is_plain) and count(*) = count(distinct ordinal)
           and count(*) = cardinality(%(execution_id)s::uuid[]) as are_plain
      from named
), plain as materialized (
    -- A member that several others wait for is there several times, and is not plain.
    select h.* from named h cross join verdict v where v.are_plain
), over as materialized (
    -- The flows, each with how many of its members end. Where these are all that live, the flow is over.
    select partition_key, flow_id, namespace, now_ms, flow_seq, flow_retention_ms, count(*) as number,
           count(*) = live_count as is_over
      from plain
     group by partition_key, flow_id, namespace, now_ms, flow_seq, flow_retention_ms, live_count
), /* part: ending */, resolved as (
    update ff_edge c
       set outcome = {edge_resolved.outcome}, generation = {edge_resolved.generation}, resolved_at_ms = e.now_ms
      from plain e
     where c.partition_key = any (array[e.partition_key]) and c.flow_id = e.flow_id and c.edge_id = e.edge_id
), satisfied as (
    update ff_edge_group c
       set success_count = {group_satisfied.success_count}, state = {group_satisfied.state}
      from plain e
     where c.partition_key = any (array[e.partition_key]) and c.downstream = e.child_id
), unblocked as (
    update ff_exec_core c
       set eligibility_state = {unblocked.eligibility_state}, public_state = {unblocked.public_state},
           ready_at_ms = e.now_ms
      from plain e
     where c.partition_key = any (array[e.partition_key]) and c.execution_id = e.child_id
), queued as (
    insert into ff_ready (namespace, lane_id, capability_set, rank, ready_at_ms, execution_id, partition_key)
    select namespace, child_lane, child_set, -child_priority, now_ms, child_id, partition_key
      from plain
     where child_id is not null
), of_flows as (
    update ff_flow_core c
       set live_count = c.live_count - e.number,
           state = case when e.is_over then {flow_completed.state} else c.state end,
           event_seq = case when e.is_over then c.event_seq + {flow_completed.events} else c.event_seq end,
           terminal_at_ms = case when e.is_over then e.now_ms end,
           at_rest_since_ms = case when e.is_over then e.now_ms end,
           purge_at_ms = case when e.is_over then e.now_ms + c.retention_ms end
      from over e
     where c.partition_key = any (array[e.partition_key]) and c.flow_id = e.flow_id
), happened as (
    insert into ff_event (channel, event_type, namespace, partition_key, execution_id, flow_id, seq, occurred_at_ms)
    select channel, event_type, namespace, partition_key, execution_id, flow_id, seq, now_ms
      from (select {completed.channel} as channel, {completed.event_type} as event_type, namespace, partition_key,
                   execution_id, flow_id, event_seq + {completed.events} as seq, now_ms, ordinal
              from plain
             union all
            select {flow_completed.channel}, {flow_completed.event_type}, namespace, partition_key, null, flow_id,
                   flow_seq + {flow_completed.events}, now_ms, null
              from over
             where is_over) as both_kinds
     order by ordinal nulls last
), counted as (
    insert into ff_count_move (number, minute, stood, stands, namespace, lane_id, execution_kind)
    select count(*), now_ms / 60000, {leased.standing}, {member_completed.standing}, namespace, lane_id, execution_kind
      from plain
     group by namespace, lane_id, execution_kind, now_ms
     union all
    select count(*), null, {blocked.standing}, {unblocked.standing}, namespace, child_lane, child_kind
      from plain
     where child_id is not null
     group by namespace, child_lane, child_kind
     union all
    select count(*), null, {flow_started.standing},
           case when flow_retention_ms is null then {flow_completed.standing_for_ever}
                else {flow_completed.standing_to_go} end, namespace, '', ''
      from over
     where is_over
     group by namespace, flow_retention_ms is null
)
select ordinal::integer, case when %(is_told)s then namespace end, case when %(is_told)s then lane_id end,
       case when %(is_told)s then execution_kind end, case when %(is_told)s then now_ms - attempt_started_at_ms end,
       case when child_id is not null then namespace end, child_lane, child_set, child_priority, partition_key,
       child_id::text
  from plain;

-- name: claim_members
-- As fast_claim, also for members of flows to which at most one result is passed: it starts their flows, and returns what is
-- passed to them. A flow that is to be started and that another transaction holds is left to the rules. A row of nulls says
-- that there was nothing to look at.
with head as materialized (
    select c.*, r.ctid as ready_row, s.is_ours, g.passes_results,
           c.is_plain_itself
           and (c.flow_id is null
                or coalesce(f.state <> {flow_submitted.state} or s.is_ours, false)
                   and (g.downstream is null or g.passes_results = 0 or g.total = {group_satisfied.total})) as is_plain
      from ff_ready r
     cross join lateral (
               select x.partition_key, x.execution_id, x.namespace, x.lane_id, x.execution_kind, x.priority,
                      x.ready_at_ms, x.lease_epoch, x.event_seq, x.tags, x.policy, x.flow_id,
                      x.attempt_state = {created.attempt_state}
                      and x.terminal_outcome = {created.terminal_outcome} and x.deadline_at_ms is null
                      and (x.policy is null
                           or x.policy like '{"_%%}' and strpos(x.policy, '"attempt_timeout_ms":') = 0)
                      and x.inbox is null and x.gates is null
                      and coalesce(x.lease_era = %(lease_era)s::bigint, false) as is_plain_itself
                 from ff_exec_core x
                where x.partition_key = any (array[r.partition_key]) and x.execution_id = r.execution_id
                  and x.lifecycle_phase + 0 = {created.lifecycle_phase}
                  and x.eligibility_state + 0 = {created.eligibility_state}
                  and x.priority + 0 = -r.rank and x.ready_at_ms + 0 = r.ready_at_ms
                  for update skip locked
           ) c
      left join ff_flow_core f on f.partition_key = any (array[c.partition_key]) and f.flow_id = c.flow_id
      left join lateral (
               select true as is_ours
                 from ff_flow_core y
                where y.partition_key = any (array[f.partition_key]) and y.flow_id = f.flow_id
                  and y.state + 0 = {flow_submitted.state} and y.terminal_at_ms is null
                  and y.cancellation_policy is null and (y.tags is null or y.tags like '{"%%}')
                  for update skip locked
           ) s on true
      left join ff_edge_group g on g.partition_key = any (array[c.partition_key])
            and g.downstream = case when c.flow_id is not null then c.execution_id end
     where r.namespace = %(namespace)s and r.lane_id = %(lane_id)s and r.capability_set = 0
       and (r.rank, r.turn, r.ready_at_ms) >= (%(from_rank)s::integer, 0, %(from_ready_at_ms)s::bigint)
       and not exists (select from ff_ready o
                        where o.namespace = %(namespace)s and o.lane_id = %(lane_id)s and o.capability_set > 0)
       and not exists (select from ff_lane l
                        where l.namespace = %(namespace)s and l.lane_id = %(lane_id)s and l.paused_at_ms is not null)
     order by r.namespace, r.lane_id, r.capability_set, r.rank, r.turn, r.ready_at_ms, r.execution_id,
              r.partition_key
     limit %(most)s
), moment as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms,
           coalesce(every_one, false) as is_plain
      from (select bool_and(is_plain) as every_one from head) as counted
), plain as materialized (
    select h.*, m.now_ms from head h cross join moment m where m.is_plain
), starting as materialized (
    select distinct partition_key, flow_id, namespace, now_ms from plain where is_ours
), started as (
    update ff_flow_core c
       set state = {flow_started.state}, started_at_ms = e.now_ms
      from starting e
     where c.partition_key = any (array[e.partition_key]) and c.flow_id = e.flow_id
), updated as (
    update ff_exec_core c
       set lifecycle_phase = {leased.lifecycle_phase}, eligibility_state = {leased.eligibility_state},
           attempt_state = {leased.attempt_state}, public_state = {leased.public_state},
           lease_epoch = e.lease_epoch + {leased.epochs}, event_seq = e.event_seq + {leased.events},
           worker_id = %(worker_id)s, worker_instance_id = %(worker_instance_id)s, lease_ttl_ms = %(lease_ttl_ms)s,
           lease_expires_at_ms = e.now_ms + %(lease_ttl_ms)s, attempt_started_at_ms = e.now_ms,
           started_at_ms = coalesce(c.started_at_ms, e.now_ms), delay_until_ms = null,
           lease_mark = (e.lease_epoch + {leased.epochs}) || '.' || %(claim_mark)s::text
      from plain e
     where c.partition_key = any (array[e.partition_key]) and c.execution_id = e.execution_id
), no_longer_ready as (
    delete from ff_ready where ctid = any (array(select ready_row from plain))
), now_due as (
    insert into ff_lease_sheet (due_at_ms, partition_keys, execution_ids)
    select min(now_ms) + %(lease_ttl_ms)s, array_agg(partition_key), array_agg(execution_id)
      from plain
    having count(*) > 0
), happened as (
    insert into ff_event (
        channel, event_type, namespace, partition_key, execution_id, flow_id, seq, details, occurred_at_ms
    )
    select {leased.channel}, {leased.event_type}, namespace, partition_key, execution_id, flow_id,
           event_seq + {leased.events},
           %(details_before_epoch)s::text || (lease_epoch + {leased.epochs}) || %(details_after_epoch)s::text, now_ms
      from plain
     order by priority desc, ready_at_ms, execution_id, partition_key
), counted as (
    insert into ff_count_move (number, stood, stands, namespace, lane_id, execution_kind)
    select count(*), {created.standing}, {leased.standing}, namespace, lane_id, execution_kind
      from plain
     group by namespace, lane_id, execution_kind
     union all
    select count(*), {flow_submitted.standing}, {flow_started.standing}, namespace, '', ''
      from starting
     group by namespace
), marked as (
    insert into ff_batch (batch_id, committed_at_ms)
    select %(batch_id)s, now_ms from plain limit 1
        on conflict do nothing
)
select e.partition_key, e.execution_id::text, e.lease_epoch + {leased.epochs}, e.execution_kind, e.namespace, e.lane_id,
       e.tags, e.policy, e.priority, e.ready_at_ms, e.now_ms, p.payload, e.flow_id::text, y.pass_result_as, r.result
  from plain e
  left join ff_payload p on p.partition_key = any (array[e.partition_key]) and p.execution_id = e.execution_id
  left join lateral (
           select x.partition_key, x.upstream, x.generation, x.pass_result_as from ff_edge x
            where x.downstream = case when e.passes_results = 1 then e.execution_id end
              and x.partition_key + 0 = e.partition_key
              and x.pass_result_as is not null and x.outcome = {edge_resolved.outcome}
           offset 0
       ) y on true
  left join ff_result r on r.partition_key = any (array[y.partition_key]) and r.execution_id = y.upstream
        and r.generation = y.generation
 union all
select null, null, null, null, null, null, null, null, null, null, null, null, null, null, null
 where not exists (select from head)
   and not exists (select from ff_ready o
                    where o.namespace = %(namespace)s and o.lane_id = %(lane_id)s and o.capability_set > 0);
