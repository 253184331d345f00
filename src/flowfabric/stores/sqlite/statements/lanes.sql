-- name: load_lane
select namespace, lane_id, paused_at_ms, reason, event_seq from ff_lane where namespace = ? and lane_id = ?;

-- name: list_lane_switches
-- One row for each lane that was ever paused.
select namespace, lane_id, paused_at_ms, reason, event_seq
  from ff_lane
 where ?1 is null or namespace = ?1
 order by namespace, lane_id;

-- name: save_lanes
insert into ff_lane (namespace, lane_id, paused_at_ms, reason, event_seq) values /* rows */ (?, ?, ?, ?, ?)
on conflict (namespace, lane_id) do update set
    paused_at_ms = excluded.paused_at_ms,
    reason = excluded.reason,
    event_seq = excluded.event_seq;

-- name: count_recent_ends
-- How many executions of each lane have ended after an instant, among the newest events.
select c.namespace, c.lane_id, count(*)
  from (select * from ff_event order by event_id desc limit ?3) e
 cross join ff_exec_core c on c.partition_key = e.partition_key and c.execution_id = e.execution_id
 where e.channel = {channel.completion} and e.occurred_at_ms > ?2 and (?1 is null or e.namespace = ?1)
 group by c.namespace, c.lane_id;

-- name: find_nth_newest_event
-- When the nth newest event happened.
select occurred_at_ms from ff_event order by event_id desc limit 1 offset ?;

-- name: count_kept
-- Ended executions without a flow, by namespace: how many, how many have a retention, and when the first one expires.
select namespace, count(*), count(due_at_ms), min(due_at_ms)
  from ff_exec_core not indexed
 where lifecycle_phase >= {phase.terminal} and flow_id is null and (?1 is null or namespace = ?1)
 group by namespace;

-- name: count_kept_flows
-- The same for flows that are over and have no living member.
select namespace, count(*), count(purge_at_ms), min(purge_at_ms)
  from ff_flow_core
 where state >= {flow_state.completed} and (node_count = 0 or at_rest_since_ms is not null)
   and (?1 is null or namespace = ?1)
 group by namespace;

-- name: count_pending_acks
select coalesce(sum(b.pending_count), 0)
  from ff_cancel_backlog b
 cross join ff_flow_core f on f.partition_key = b.partition_key and f.flow_id = b.flow_id
 where ?1 is null or f.namespace = ?1;

-- name: read_log_extent
select f.event_id, f.occurred_at_ms, l.event_id, l.occurred_at_ms
  from (select * from ff_event order by event_id limit 1) f
 cross join (select * from ff_event order by event_id desc limit 1) l;

-- name: read_schema_version
select max(version) from ff_schema_version;
