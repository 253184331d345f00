-- What running functions leave behind while they run, and who runs them.

-- One row per named step that an attempt has finished; the next attempt does not run it again.
create table ff_step (
    partition_key  integer not null,
    execution_id   blob    not null,
    name           text    not null,
    fingerprint    blob    not null,
    result         blob    not null,
    attempt_index  integer not null,
    recorded_at_ms integer not null,
    primary key (partition_key, execution_id, name)
) strict, without rowid;

-- One row per worker process, written at every heartbeat. Lanes and capabilities are JSON arrays.
create table ff_worker (
    namespace          text    not null,
    worker_instance_id text    not null,
    worker_id          text    not null,
    host               text    not null,
    pid                integer not null,
    lanes              text    not null,
    capabilities       text    not null,
    version            text    not null,
    started_at_ms      integer not null,
    seen_at_ms         integer not null,
    alive_until_ms     integer not null,
    primary key (namespace, worker_instance_id)
) strict, without rowid;
