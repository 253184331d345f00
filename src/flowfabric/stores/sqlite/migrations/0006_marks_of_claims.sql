-- compatible_from: 5
-- The mark of the last claim with the epoch that it belongs to, and the era of the store in which the execution was made
-- or last leased: a claim that was lost with a restore is told from the one that came in its place. Older releases leave
-- both alone, so neither is required.
alter table ff_exec_core add column lease_mark text;

alter table ff_exec_core add column lease_era integer;

-- The id of the last lease with its mark; those before it are told by attempt and epoch alone.
drop view ff_lease_event;

create view ff_lease_event as
select event_id,
       lower(
           substr(hex(execution_id), 1, 8) || '-' || substr(hex(execution_id), 9, 4) || '-'
           || substr(hex(execution_id), 13, 4) || '-' || substr(hex(execution_id), 17, 4) || '-'
           || substr(hex(execution_id), 21)
       ) as execution_id,
       iif(event_type = 'acquired',
           (select 'sqlite-' || value from ff_meta where name = 'incarnation') || ':' || lower(
               substr(hex(execution_id), 1, 8) || '-' || substr(hex(execution_id), 9, 4) || '-'
               || substr(hex(execution_id), 13, 4) || '-' || substr(hex(execution_id), 17, 4) || '-'
               || substr(hex(execution_id), 21)
           ) || ':' || json_extract(details, '$.attempt_index') || ':' || json_extract(details, '$.lease_epoch')
           || coalesce((select ':' || substr(c.lease_mark, instr(c.lease_mark, '.') + 1) from ff_exec_core c
                         where c.partition_key = e.partition_key and c.execution_id = e.execution_id
                           and c.lease_mark like json_extract(e.details, '$.lease_epoch') || '.%'), ''),
           null) as lease_id,
       iif(channel = 0, event_type, 'released') as event_type,
       occurred_at_ms, partition_key, namespace,
       (select value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e
 where channel = 0
    -- The holder's own ending of a lease is one row, on the completion channel.
    or (channel = 1 and event_type = 'completed')
    or (channel = 1 and event_type = 'failed' and json_extract(details, '$.code') not in ('worker_lost'));
