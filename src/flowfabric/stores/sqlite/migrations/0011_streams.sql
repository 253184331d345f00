-- compatible_from: 11
-- What executions say: the end of each stream, its frames, and summaries.
-- Older programs cannot go on beside this. They leave all of it behind when they remove an execution, and store steps
-- without the lease under which frames were written in them.

-- The lease under which the step was stored. Null: it is the end of a wait, or an older program has stored it.
alter table ff_step add column lease_epoch integer;

-- With all that says which frames count, so that a reader of a stream does not touch the results of steps.
drop index ff_step_number;

create index ff_step_number on ff_step (partition_key, execution_id, number, lease_epoch, tries)
    where number is not null;

-- One row per execution that has said something: where its stream ends and begins, and how much of it is kept.
create table ff_stream (
    partition_key integer not null,
    execution_id  blob    not null,
    lease_epoch   integer not null,
    next_seq      integer not null,
    attempt_index integer not null,
    kept_frames   integer not null,
    kept_bytes    integer not null,
    is_too_long   integer not null check (is_too_long between 0 and 1),
    first_epoch   integer not null,
    first_seq     integer not null,
    primary key (partition_key, execution_id)
) strict, without rowid;

-- The streams of which upkeep removes the oldest frames.
create index ff_stream_too_long on ff_stream (partition_key, execution_id) where is_too_long = 1;

-- Frames that were sent together. Retried is a JSON array of the steps that were tried more than once, or null. The data
-- is the last column, so that a read of the other columns does not touch its pages.
create table ff_stream_chunk (
    partition_key integer not null,
    execution_id  blob    not null,
    lease_epoch   integer not null,
    first_seq     integer not null,
    attempt_index integer not null,
    frame_count   integer not null,
    byte_count    integer not null,
    at_ms         integer not null,
    retried       text,
    data          blob    not null,
    primary key (partition_key, execution_id, lease_epoch, first_seq)
) strict, without rowid;

-- The chunks with frames of steps that were tried more than once.
create index ff_stream_chunk_retried on ff_stream_chunk (partition_key, execution_id, lease_epoch, retried, first_seq)
    where retried is not null;

-- The summary of an execution, as JSON, and how often it was changed.
create table ff_summary (
    partition_key integer not null,
    execution_id  blob    not null,
    version       integer not null,
    document      text    not null,
    primary key (partition_key, execution_id)
) strict, without rowid;
