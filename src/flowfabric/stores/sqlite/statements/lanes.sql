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
