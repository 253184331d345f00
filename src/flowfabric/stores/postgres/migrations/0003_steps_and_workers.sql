-- What running functions leave behind while they run, and who runs them.

-- One row per named step that an attempt has finished; the next attempt does not run it again.
create table ff_step (
    partition_key  smallint         not null,
    execution_id   uuid             not null,
    name           text collate "C" not null,
    fingerprint    bytea            not null,
    result         bytea            not null,
    attempt_index  integer          not null,
    recorded_at_ms bigint           not null,
    primary key (partition_key, execution_id, name)
);

-- One row per worker process, written at every heartbeat. Lanes and capabilities are JSON arrays.
create table ff_worker (
    namespace          text collate "C" not null,
    worker_instance_id text collate "C" not null,
    worker_id          text             not null,
    host               text             not null,
    pid                integer          not null,
    lanes              text             not null,
    capabilities       text             not null,
    version            text             not null,
    started_at_ms      bigint           not null,
    seen_at_ms         bigint           not null,
    alive_until_ms     bigint           not null,
    primary key (namespace, worker_instance_id)
) with (fillfactor = 50);
