-- name: lock_lanes
-- The states of the named lanes, locked one by one in the given order.
select l.namespace, l.lane_id, l.paused_at_ms, l.reason, l.event_seq
  from unnest(%(namespace)s::text[], %(lane_id)s::text[]) as n (namespace, lane_id)
 cross join lateral (
           select * from ff_lane x
            where x.namespace = n.namespace collate "C" and x.lane_id = n.lane_id collate "C"
              for update
       ) l;

-- name: list_lane_switches
-- One row for each lane that was ever paused.
select namespace, lane_id, paused_at_ms, reason, event_seq
  from ff_lane
 where %(namespace)s::text is null or namespace = %(namespace)s
 order by namespace, lane_id;

-- name: insert_lanes
-- If a lane exists already, that is a unique violation: the batch is decided again, and finds the lane.
insert into ff_lane (namespace, lane_id, paused_at_ms, reason, event_seq)
select * from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(paused_at_ms)s::bigint[], %(reason)s::text[],
                     %(event_seq)s::integer[]);

-- name: update_lanes
update ff_lane c
   set paused_at_ms = n.paused_at_ms, reason = n.reason, event_seq = n.event_seq
  from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(paused_at_ms)s::bigint[], %(reason)s::text[],
              %(event_seq)s::integer[]) as n (namespace, lane_id, paused_at_ms, reason, event_seq)
 where c.namespace = any (array[n.namespace collate "C"]) and c.lane_id = n.lane_id collate "C";

-- name: count_recent_ends
-- How many executions of each lane have ended after an instant, among the newest events.
select c.namespace, c.lane_id, count(*)
  from (select * from ff_event order by event_id desc limit %(most)s) e
 cross join lateral (
           select x.namespace, x.lane_id from ff_exec_core x
            where x.partition_key = e.partition_key and x.execution_id = e.execution_id
            limit 1
       ) c
 where e.channel = {channel.completion} and e.occurred_at_ms > %(since_ms)s
   and (%(namespace)s::text is null or e.namespace = %(namespace)s)
 group by c.namespace, c.lane_id;

-- name: find_nth_newest_event
-- When the nth newest event happened.
select occurred_at_ms from ff_event order by event_id desc limit 1 offset %(newer)s;

-- name: count_kept
-- Ended executions without a flow, by namespace: how many, how many have a retention, and when the first one expires.
-- Many executions have the same policy, so each policy is parsed once, and not once per execution.
select namespace, sum(ended)::bigint, coalesce(sum(ended) filter (where has_retention), 0)::bigint,
       min(first_at_ms + substring(policy from '"retention_ms":([0-9]{1,15})')::bigint) filter (where has_retention)
  from (select namespace, policy, count(*) as ended, min(terminal_at_ms) as first_at_ms,
               coalesce(policy, '') like '%%"retention_ms":%%' as has_retention
          from ff_exec_core
         where lifecycle_phase >= {phase.terminal} and flow_id is null
           and (%(namespace)s::text is null or namespace = %(namespace)s)
         group by namespace, policy) c
 group by namespace;

-- name: count_kept_flows
-- The same for flows that are over and have no living member.
select namespace, count(*), count(purge_at_ms), min(purge_at_ms)
  from ff_flow_core
 where state >= {flow_state.completed} and (node_count = 0 or at_rest_since_ms is not null)
   and (%(namespace)s::text is null or namespace = %(namespace)s)
 group by namespace;

-- name: count_pending_acks
select coalesce(sum(b.pending_count), 0)::bigint
  from ff_cancel_backlog b
  join ff_flow_core f on f.partition_key = b.partition_key and f.flow_id = b.flow_id
 where %(namespace)s::text is null or f.namespace = %(namespace)s;

-- name: read_log_extent
select f.event_id, f.occurred_at_ms, l.event_id, l.occurred_at_ms
  from (select * from ff_event order by event_id limit 1) f
 cross join (select * from ff_event order by event_id desc limit 1) l;

-- name: read_schema_version
select max(version) from ff_schema_version;
