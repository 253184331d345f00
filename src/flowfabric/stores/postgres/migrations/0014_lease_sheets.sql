-- compatible_from: 13
-- When leases end, on sheets: one row for all leases that begin together, instead of a row of ff_due for each of them.
-- Nothing is removed from a sheet. When its instant has come, upkeep looks which of its leases have not ended by
-- another way, and drops the sheet once none is left.
--
-- Older programs can go on beside this, and their leases are still found in ff_due. Their upkeep knows no sheets: while
-- no newer program runs upkeep, a lease that a newer program has given ends only when the walk of the older one through
-- all executions has come by. Rows that are in ff_due now stay there, and go when their instant has come.

create table ff_lease_sheet (
    due_at_ms      bigint     not null,
    partition_keys smallint[] not null,
    execution_ids  uuid[]     not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0, toast_tuple_target = 8160);

-- Ids hardly become shorter when they are compressed.
alter table ff_lease_sheet alter column partition_keys set storage external,
                           alter column execution_ids set storage external;

create index ff_lease_sheet_order on ff_lease_sheet (due_at_ms);
