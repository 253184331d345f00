-- One row per schedule: what it fires, when, and up to where its slots are settled. A slot is taken under the lock of
-- this row. Either cron and timezone or every_ms and anchor_ms are there. Capabilities, policy and tags are JSON.
create table ff_schedule (
    namespace             text    not null,
    name                  text    not null,
    execution_kind        text    not null,
    payload               blob    not null,
    cron                  text,
    timezone              text,
    every_ms              integer,
    anchor_ms             integer,
    catch_up              text    not null,
    lane_id               text    not null,
    priority              integer not null,
    deadline_after_ms     integer,
    required_capabilities text    not null,
    policy                text,
    tags                  text,
    created_at_ms         integer not null,
    changed_at_ms         integer not null,
    seen_at_ms            integer not null,
    settled_until_ms      integer not null,
    last_slot_ms          integer,
    paused_at_ms          integer,
    pause_reason          text,
    event_seq             integer not null,
    primary key (namespace, name)
) strict, without rowid;
