-- Schedules, and up to where their slots are settled.

-- columns: schedule
namespace, name, execution_kind, payload, fingerprint, cron, timezone, every_ms, anchor_ms, catch_up, lane_id,
priority, deadline_after_ms, required_capabilities, policy, tags, gates, created_at_ms, changed_at_ms,
seen_at_ms, settled_until_ms, last_slot_ms, paused_at_ms, pause_reason, event_seq, created_by

-- name: load_schedule
select /* columns: schedule */ from ff_schedule where namespace = ? and name = ?;

-- name: list_schedules
select /* columns: schedule */
  from ff_schedule
 where ?1 is null or namespace = ?1
 order by namespace, name;

-- name: save_schedules
insert into ff_schedule (/* columns: schedule */)
values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (namespace, name) do update set
    execution_kind = excluded.execution_kind,
    payload = excluded.payload,
    fingerprint = excluded.fingerprint,
    cron = excluded.cron,
    timezone = excluded.timezone,
    every_ms = excluded.every_ms,
    anchor_ms = excluded.anchor_ms,
    catch_up = excluded.catch_up,
    lane_id = excluded.lane_id,
    priority = excluded.priority,
    deadline_after_ms = excluded.deadline_after_ms,
    required_capabilities = excluded.required_capabilities,
    policy = excluded.policy,
    tags = excluded.tags,
    gates = excluded.gates,
    created_at_ms = excluded.created_at_ms,
    changed_at_ms = excluded.changed_at_ms,
    seen_at_ms = excluded.seen_at_ms,
    settled_until_ms = excluded.settled_until_ms,
    last_slot_ms = excluded.last_slot_ms,
    paused_at_ms = excluded.paused_at_ms,
    pause_reason = excluded.pause_reason,
    event_seq = excluded.event_seq,
    created_by = excluded.created_by;

-- name: delete_schedules
delete from ff_schedule where namespace = ? and name = ?;
