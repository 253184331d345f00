-- compatible_from: 5
-- From which schema on older code may go on beside a migration. The ones so far are for code that knows them.
alter table ff_schema_version add column compatible_from integer;

update ff_schema_version set compatible_from = version;
