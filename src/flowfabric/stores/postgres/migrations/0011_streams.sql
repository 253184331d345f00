-- compatible_from: 11
-- Streams: what running executions say, and their summaries.
-- Older programs cannot go on beside this: they would leave the streams of removed executions behind, and store steps
-- without their epoch, so that the frames of these steps would not count.

-- The lease under which a step was stored. Null: it is the end of a wait, or was stored before this column was there.
alter table ff_step add column lease_epoch bigint;

-- Where the stream of an execution ends, and how much of it is kept. It is written with every chunk, so half of each
-- page is left free.
create table ff_stream (
    partition_key smallint not null,
    execution_id  uuid     not null,
    lease_epoch   bigint   not null,
    next_seq      bigint   not null,
    attempt_index integer  not null,
    kept_frames   bigint   not null,
    kept_bytes    bigint   not null,
    is_too_long   smallint not null check (is_too_long between 0 and 1),
    first_epoch   bigint   not null,
    first_seq     bigint   not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- The streams that upkeep makes shorter. It does not begin like the primary key: in an empty table both would look the
-- same to a plan that is used for hours.
create index ff_stream_too_long on ff_stream (execution_id, partition_key) where is_too_long = 1;

alter table ff_stream add primary key (partition_key, execution_id);

-- Frames that were sent together, packed. retried: the steps that were tried more than once, as JSON.
create table ff_stream_chunk (
    partition_key smallint not null,
    execution_id  uuid     not null,
    lease_epoch   bigint   not null,
    first_seq     bigint   not null,
    attempt_index integer  not null,
    frame_count   integer  not null,
    byte_count    integer  not null,
    at_ms         bigint   not null,
    retried       text collate "C",
    data          bytea    not null
);

-- The chunks with frames of such steps. It does not begin like the primary key, either.
create index ff_stream_chunk_retried on ff_stream_chunk (execution_id, lease_epoch, retried, first_seq)
    where retried is not null;

alter table ff_stream_chunk add primary key (partition_key, execution_id, lease_epoch, first_seq);

-- The summary of an execution: a JSON document.
create table ff_summary (
    partition_key smallint not null,
    execution_id  uuid     not null,
    version       integer  not null,
    document      text     not null,
    primary key (partition_key, execution_id)
) with (fillfactor = 50);
