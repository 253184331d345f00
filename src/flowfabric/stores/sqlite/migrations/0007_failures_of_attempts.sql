-- compatible_from: 5
-- Why attempts failed, one row for each that did. Older releases neither write these rows nor remove them, so a row counts
-- only for the attempt and the epoch that it names.
create table ff_failure (
    partition_key integer not null,
    execution_id  blob    not null,
    attempt_index integer not null,
    lease_epoch   integer not null,
    failure_code  text    not null,
    message       text    not null,
    traceback     text,
    primary key (partition_key, execution_id, attempt_index)
) without rowid, strict;
