-- One row per schedule: what it fires, when, and up to where its slots are settled. A slot is taken under the lock of
-- this row. Either cron and timezone or every_ms and anchor_ms are there. Capabilities, policy and tags are JSON.
create table ff_schedule (
    namespace             text    not null,
    name                  text    not null,
    execution_kind        text    not null,
    payload               blob    not null,
    fingerprint           blob    not null,
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

-- One row per lane that was ever paused; without paused_at_ms it is not paused now. Nothing is said per execution, so
-- that a pause costs the same however many wait.
create table ff_lane (
    namespace    text    not null,
    lane_id      text    not null,
    paused_at_ms integer,
    reason       text    not null,
    event_seq    integer not null,
    primary key (namespace, lane_id)
) strict, without rowid;

-- What happens to a lane is the operator's doing, and is about no execution and no flow.
drop view ff_operator_event;

create view ff_operator_event as
select event_id,
       iif(coalesce(execution_id, flow_id) is null, null, lower(
           substr(hex(coalesce(execution_id, flow_id)), 1, 8) || '-' || substr(hex(coalesce(execution_id, flow_id)), 9, 4) || '-'
           || substr(hex(coalesce(execution_id, flow_id)), 13, 4) || '-' || substr(hex(coalesce(execution_id, flow_id)), 17, 4) || '-'
           || substr(hex(coalesce(execution_id, flow_id)), 21)
       )) as execution_id,
       event_type, details, occurred_at_ms, partition_key, namespace,
       (select value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e
 where channel = 2;
