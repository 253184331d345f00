-- One row per schedule: what it fires, when, and up to where its slots are settled. A slot is taken under the lock of
-- this row. Either cron and timezone or every_ms and anchor_ms are there. Capabilities, policy and tags are JSON.
create table ff_schedule (
    namespace             text collate "C" not null,
    name                  text collate "C" not null,
    execution_kind        text             not null,
    payload               bytea            not null,
    fingerprint           bytea            not null,
    cron                  text,
    timezone              text,
    every_ms              bigint,
    anchor_ms             bigint,
    catch_up              text             not null,
    lane_id               text             not null,
    priority              integer          not null,
    deadline_after_ms     bigint,
    required_capabilities text             not null,
    policy                text,
    tags                  text,
    created_at_ms         bigint           not null,
    changed_at_ms         bigint           not null,
    seen_at_ms            bigint           not null,
    settled_until_ms      bigint           not null,
    last_slot_ms          bigint,
    paused_at_ms          bigint,
    pause_reason          text,
    event_seq             integer          not null,
    primary key (namespace, name)
) with (fillfactor = 50);

-- One row per lane that was ever paused; without paused_at_ms it is not paused now. Nothing is said per execution, so
-- that a pause costs the same however many wait.
create table ff_lane (
    namespace    text collate "C" not null,
    lane_id      text collate "C" not null,
    paused_at_ms bigint,
    reason       text             not null,
    event_seq    integer          not null,
    primary key (namespace, lane_id)
);
