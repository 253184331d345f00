-- compatible_from: 5
-- The mark of the last claim with the epoch that it belongs to, and the era of the store in which the execution was made
-- or last leased: a claim that was lost in a failover is told from the one that came in its place. Older releases leave
-- both alone, so neither is required.
alter table ff_exec_core add column lease_mark text, add column lease_era bigint;

-- The id of the last lease with its mark; those before it are told by attempt and epoch alone.
create or replace view ff_lease_event as
select event_id, execution_id::text as execution_id,
       case when event_type = 'acquired' then
           (select value from ff_meta where name = 'store') || ':' || execution_id || ':'
           || (details::json ->> 'attempt_index') || ':' || (details::json ->> 'lease_epoch')
           || coalesce((select ':' || split_part(c.lease_mark, '.', 2) from ff_exec_core c
                         where c.partition_key = e.partition_key and c.execution_id = e.execution_id
                           and split_part(c.lease_mark, '.', 1) = details::json ->> 'lease_epoch'), '')
       end as lease_id,
       case when channel = 0 then event_type else 'released' end as event_type,
       occurred_at_ms, partition_key::integer as partition_key, namespace,
       (select t.value from ff_tag t
         where t.partition_key = e.partition_key and t.execution_id = e.execution_id
           and t.key = 'cairn.instance_id') as instance_tag
  from ff_event e cross join (values (true)) as read_only
 where channel = 0
    -- The holder's own ending of a lease is one row, on the completion channel.
    or (channel = 1 and event_type = 'completed')
    or (channel = 1 and event_type = 'failed' and details::json ->> 'code' <> 'worker_lost');
