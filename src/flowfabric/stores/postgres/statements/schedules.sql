-- Schedules, and up to where their slots are settled.

-- columns: schedule
namespace, name, execution_kind, payload, fingerprint, cron, timezone, every_ms, anchor_ms, catch_up, lane_id,
priority, deadline_after_ms, required_capabilities, policy, tags, gates, created_at_ms, changed_at_ms,
seen_at_ms, settled_until_ms, last_slot_ms, paused_at_ms, pause_reason, event_seq, created_by

-- name: lock_schedules
-- The named schedules, locked one by one in the given order, so that each slot fires once.
select s.*
  from unnest(%(namespace)s::text[], %(name)s::text[]) as n (namespace, name)
 cross join lateral (
           select /* columns: schedule */ from ff_schedule x
            where x.namespace = n.namespace collate "C" and x.name = n.name collate "C"
              for update
       ) s;

-- name: list_schedules
select /* columns: schedule */
  from ff_schedule
 where %(namespace)s::text is null or namespace = %(namespace)s
 order by namespace, name;

-- name: insert_schedules
insert into ff_schedule (/* columns: schedule */)
select * from unnest(
           %(namespace)s::text[], %(name)s::text[], %(execution_kind)s::text[], %(payload)s::bytea[],
           %(fingerprint)s::bytea[], %(cron)s::text[], %(timezone)s::text[], %(every_ms)s::bigint[],
           %(anchor_ms)s::bigint[], %(catch_up)s::text[], %(lane_id)s::text[], %(priority)s::integer[],
           %(deadline_after_ms)s::bigint[], %(required_capabilities)s::text[], %(policy)s::text[], %(tags)s::text[],
           %(gates)s::text[], %(created_at_ms)s::bigint[], %(changed_at_ms)s::bigint[], %(seen_at_ms)s::bigint[],
           %(settled_until_ms)s::bigint[], %(last_slot_ms)s::bigint[], %(paused_at_ms)s::bigint[],
           %(pause_reason)s::text[], %(event_seq)s::integer[], %(created_by)s::text[]
       );

-- name: update_schedules
update ff_schedule c set
       execution_kind = n.execution_kind,
       payload = n.payload,
       fingerprint = n.fingerprint,
       cron = n.cron,
       timezone = n.timezone,
       every_ms = n.every_ms,
       anchor_ms = n.anchor_ms,
       catch_up = n.catch_up,
       lane_id = n.lane_id,
       priority = n.priority,
       deadline_after_ms = n.deadline_after_ms,
       required_capabilities = n.required_capabilities,
       policy = n.policy,
       tags = n.tags,
       gates = n.gates,
       created_at_ms = n.created_at_ms,
       changed_at_ms = n.changed_at_ms,
       seen_at_ms = n.seen_at_ms,
       settled_until_ms = n.settled_until_ms,
       last_slot_ms = n.last_slot_ms,
       paused_at_ms = n.paused_at_ms,
       pause_reason = n.pause_reason,
       event_seq = n.event_seq,
       created_by = n.created_by
  from unnest(
           %(namespace)s::text[], %(name)s::text[], %(execution_kind)s::text[], %(payload)s::bytea[],
           %(fingerprint)s::bytea[], %(cron)s::text[], %(timezone)s::text[], %(every_ms)s::bigint[],
           %(anchor_ms)s::bigint[], %(catch_up)s::text[], %(lane_id)s::text[], %(priority)s::integer[],
           %(deadline_after_ms)s::bigint[], %(required_capabilities)s::text[], %(policy)s::text[], %(tags)s::text[],
           %(gates)s::text[], %(created_at_ms)s::bigint[], %(changed_at_ms)s::bigint[], %(seen_at_ms)s::bigint[],
           %(settled_until_ms)s::bigint[], %(last_slot_ms)s::bigint[], %(paused_at_ms)s::bigint[],
           %(pause_reason)s::text[], %(event_seq)s::integer[], %(created_by)s::text[]
       ) as n (
           /* columns: schedule */
       )
 where c.namespace = any (array[n.namespace collate "C"]) and c.name = n.name collate "C";

-- name: delete_schedules
delete from ff_schedule c
 using unnest(%(namespace)s::text[], %(name)s::text[]) as n (namespace, name)
 where c.namespace = any (array[n.namespace collate "C"]) and c.name = n.name collate "C";
