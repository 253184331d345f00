-- name: lock_lanes
-- What was set for the named lanes, locked one by one in the order given.
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
-- One that exists already is a unique violation: the batch is decided again, and finds it.
insert into ff_lane (namespace, lane_id, paused_at_ms, reason, event_seq)
select * from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(paused_at_ms)s::bigint[], %(reason)s::text[],
                     %(event_seq)s::integer[]);

-- name: update_lanes
update ff_lane c
   set paused_at_ms = n.paused_at_ms, reason = n.reason, event_seq = n.event_seq
  from unnest(%(namespace)s::text[], %(lane_id)s::text[], %(paused_at_ms)s::bigint[], %(reason)s::text[],
              %(event_seq)s::integer[]) as n (namespace, lane_id, paused_at_ms, reason, event_seq)
 where c.namespace = any (array[n.namespace collate "C"]) and c.lane_id = n.lane_id collate "C";
