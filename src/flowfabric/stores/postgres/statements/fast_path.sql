-- The steps of a plain execution (`domain/plain.py`), each as one statement that reads, writes and answers. The values
-- that it writes are those that the rules have given a sample, such as `{leased.public_state}`. An execution that is
-- not plain is not answered here, and the rules decide it. Random stories that run with and without these statements must
-- end equal.

-- part: policies
-- What the policy of `x`, which is JSON, means for its completion: whether it is plain, and its retention. A regular
-- expression would cost more than all other conditions together.
cross join lateral (
          select split_part(translate(split_part(x.policy, '"retention_ms":', 2), '}', ','), ',', 1) as digits
      ) d
cross join lateral (
          select x.policy is null
                 or x.policy like '{"_%%}' and strpos(x.policy, '"attempt_timeout_ms":') = 0
                    and octet_length(d.digits) <= 15 and translate(d.digits, '0123456789', '') = '' as is_plain_policy
      ) p
cross join lateral (
          select case when p.is_plain_policy and d.digits <> '' then d.digits::bigint end as retention_ms
      ) r

-- part: ending
-- What becomes of the executions in `plain` themselves, of members of flows, too. What the last attempt was stays in the
-- record.
updated as (
    update ff_exec_core c
       set lifecycle_phase = {completed.lifecycle_phase}, eligibility_state = {completed.eligibility_state},
           attempt_state = {completed.attempt_state}, terminal_outcome = {completed.terminal_outcome},
           public_state = {completed.public_state},
           event_seq = e.event_seq + {completed.events}, lease_ttl_ms = null, lease_expires_at_ms = null,
           terminal_at_ms = e.now_ms, failure_code = null, failure_message = null
      from plain e
     where c.partition_key = any (array[e.partition_key]) and c.execution_id = e.execution_id
), resulted as (
    insert into ff_result (partition_key, execution_id, generation, result)
    -- A join of the results would compare each with each, and results that pass through the parts above are copied.
    select partition_key, execution_id, replay_count, (%(result)s::bytea[])[ordinal]
      from plain
     where (%(result)s::bytea[])[ordinal] is not null
        on conflict (partition_key, execution_id, generation) do update set result = excluded.result
)

-- part: completion
-- What else becomes of the executions in `plain`, and what is returned of them.
now_due as (
    insert into ff_due (due_kind, due_at_ms, partition_key, execution_id)
    select {completed.due_kind}, now_ms + retention_ms, partition_key, execution_id
      from plain
     where retention_ms is not null
), happened as (
    insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, occurred_at_ms)
    select {completed.channel}, {completed.event_type}, namespace, partition_key, execution_id,
           event_seq + {completed.events}, now_ms
      from plain
     order by ordinal
), counted as (
    insert into ff_count_move (number, minute, stood, stands, namespace, lane_id, execution_kind)
    select count(*), now_ms / 60000, {leased.standing},
           case when retention_ms is null then {completed.standing_for_ever} else {completed.standing_to_go} end,
           namespace, lane_id, execution_kind
      from plain
     group by namespace, lane_id, execution_kind, now_ms, retention_ms is null
)
select ordinal::integer, case when %(is_told)s then namespace end, case when %(is_told)s then lane_id end,
       case when %(is_told)s then execution_kind end, case when %(is_told)s then now_ms - attempt_started_at_ms end
  from plain;

-- part: held
-- The named executions, locked in the given order, and whether they are plain but for the time.
held as materialized (
    select c.*, n.ordinal
      from unnest(
               %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(attempt_index)s::integer[],
               %(lease_epoch)s::bigint[], %(lease_mark)s::text[]
           ) with ordinality as n (partition_key, execution_id, attempt_index, lease_epoch, lease_mark, ordinal)
     cross join lateral (
               select x.partition_key, x.execution_id, x.namespace, x.event_seq, x.replay_count, x.lease_expires_at_ms,
                      x.attempt_started_at_ms, x.lane_id, x.execution_kind, r.retention_ms,
                      x.lifecycle_phase = {leased.lifecycle_phase}
                      and x.lease_epoch = n.lease_epoch and x.attempt_index = n.attempt_index
                      and x.lease_mark is not distinct from n.lease_mark
                      and p.is_plain_policy and x.deadline_at_ms is null
                      and x.lease_ttl_ms is not null and x.attempt_started_at_ms is not null
                      and x.inbox is null and x.parent_id is null and x.gates is null
                      and (%(scope)s::text is null or x.namespace = %(scope)s) as is_plain
                 from ff_exec_core x
                /* part: policies */
                where x.partition_key = n.partition_key and x.execution_id = n.execution_id and x.flow_id is null
                  for update of x
           ) c
)

-- name: fast_complete
-- Completes the named executions whose lease is valid, and returns them. It locks all named executions in the given
-- order, because those that it does not complete are decided later, and must not have to be waited for then.
with /* part: held */, moment as materialized (
    -- The time after the locks: the count makes this part wait for them.
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
      from (select count(*) from held) as counted
), plain as materialized (
    select h.*, m.now_ms
      from held h cross join moment m
     where h.is_plain and h.lease_expires_at_ms > m.now_ms
), /* part: ending */, /* part: completion */;

-- name: complete_at_once
-- Does the same as a batch of its own, and leaves the batch's marker. If it cannot complete all of them, it writes
-- nothing and returns no row.
with /* part: held */, moment as materialized (
    select now_ms
      from (select count(*) as number, bool_and(is_plain) as are_plain, min(lease_expires_at_ms) as first_end_ms,
                   coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
              from held) as m
     where number = cardinality(%(execution_id)s::uuid[]) and are_plain and first_end_ms > now_ms
), plain as materialized (
    select h.*, m.now_ms from held h cross join moment m
), marked as (
    insert into ff_batch (batch_id, committed_at_ms) select %(batch_id)s, now_ms from moment
), /* part: ending */, /* part: completion */;

-- name: hold_executions
-- Locks the named executions that belong to no flow, in the given order.
select count(*)
  from (select from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
         cross join lateral (
                   select from ff_exec_core x
                    where x.partition_key = n.partition_key and x.execution_id = n.execution_id and x.flow_id is null
                      for update
               ) c) as held;

-- name: complete_at_limits
-- Does the same as fast_complete for executions that have the given gates and hold a slot of each of the given keys of
-- limits, and returns them. If anybody is parked at one of the keys that must be empty, it does nothing. The executions
-- and then the keys must be locked before, by other statements, so that this one sees who is parked there.
with crowd as materialized (
    select 1
      from unnest(%(empty_namespace)s::text[], %(empty_name)s::text[], %(empty_key)s::text[])
           as n (namespace, name, gate_key)
     cross join lateral (
               select from ff_at_gate x
                where x.gate_state = {gate_state.parked} and x.namespace = n.namespace collate "C"
                  and x.gate_kind = {gate_kind.limit} and x.name = n.name collate "C"
                  and x.gate_key = n.gate_key collate "C"
                order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id
                limit 1
           ) g
     limit 1
), moment as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
     where not exists (select from crowd)
), plain as materialized (
    select x.partition_key, x.execution_id, x.namespace, x.event_seq, x.replay_count, x.attempt_started_at_ms, x.lane_id, x.execution_kind, r.retention_ms, n.ordinal, m.now_ms
      from moment m
     cross join unnest(
               %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(attempt_index)s::integer[],
               %(lease_epoch)s::bigint[], %(lease_mark)s::text[], %(gates)s::text[]
           ) with ordinality as n (partition_key, execution_id, attempt_index, lease_epoch, lease_mark, gates, ordinal)
      join ff_exec_core x on x.partition_key = any (array[n.partition_key]) and x.execution_id = n.execution_id
     /* part: policies */
     where x.lifecycle_phase + 0 = {leased.lifecycle_phase} and x.lease_epoch = n.lease_epoch
       and x.attempt_index = n.attempt_index and x.lease_mark is not distinct from n.lease_mark
       and x.lease_ttl_ms is not null and x.attempt_started_at_ms is not null and p.is_plain_policy and x.deadline_at_ms is null and x.inbox is null
       and x.parent_id is null and x.flow_id is null and x.gates = n.gates
       and (%(scope)s::text is null or x.namespace = %(scope)s) and x.lease_expires_at_ms > m.now_ms
), no_longer_at_gates as (
    delete from ff_at_gate g using plain e
     where g.partition_key = any (array[e.partition_key]) and g.execution_id = e.execution_id
), /* part: ending */, /* part: completion */;

-- part: creation
-- New executions that may run at once, need no capability and have no tags, and the marker of a batch of its own.
moment as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
), new as materialized (
    select n.*, m.now_ms
      from unnest(
               %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(namespace)s::text[], %(lane_id)s::text[],
               %(execution_kind)s::text[], %(policy)s::text[], %(priority)s::integer[], %(payload)s::bytea[],
               %(created_by)s::text[]
           ) as n (partition_key, execution_id, namespace, lane_id, execution_kind, policy, priority, payload,
                   created_by)
     cross join moment m
), born as (
    insert into ff_exec_core (
        partition_key, execution_id, namespace, lane_id, execution_kind, capability_set, policy, created_at_ms,
        eligibility_state, public_state, priority, ready_at_ms, lifecycle_phase, attempt_state, terminal_outcome,
        attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq, lease_era,
        created_by
    )
    select partition_key, execution_id, namespace, lane_id, execution_kind, 0, policy, now_ms,
           {created.eligibility_state}, {created.public_state}, priority, now_ms, {created.lifecycle_phase},
           {created.attempt_state}, {created.terminal_outcome}, {created.attempt_index}, {created.lease_epoch},
           {created.retry_count}, {created.interruption_count}, {created.replay_count}, {created.event_seq},
           %(lease_era)s::bigint, created_by
      from new
), laden as (
    insert into ff_payload (partition_key, execution_id, payload) select partition_key, execution_id, payload from new
), queued as (
    insert into ff_ready (namespace, lane_id, capability_set, rank, ready_at_ms, execution_id, partition_key)
    select namespace, lane_id, 0, -priority, now_ms, execution_id, partition_key from new
), counted as (
    insert into ff_count_move (number, stands, namespace, lane_id, execution_kind)
    select count(*), {created.standing}, namespace, lane_id, execution_kind
      from new
     group by namespace, lane_id, execution_kind
), marked as (
    insert into ff_batch (batch_id, committed_at_ms)
    select %(batch_id)s::bytea, now_ms from moment where %(batch_id)s::bytea is not null
)

-- name: fast_create
-- Creates new executions that may run at once, need no capability and have no tags, puts them into the queue, and
-- returns the instant of their creation. As a batch of its own it also leaves the marker and notifies other processes.
with /* part: creation */
select now_ms, array(select pg_notify('flowfabric_ready', n.note)::text from unnest(%(note)s::text[]) as n (note))
  from moment;

-- name: create_remembered
-- The same, and keeps the answers to commands that have ids. If one of these ids is in use, it fails.
with /* part: creation */, remembered as (
    insert into ff_command (scope, command_id, fingerprint, answer, expires_at_ms)
    select n.*, now_ms + %(kept_for_ms)s::bigint
      from unnest(%(scope)s::text[], %(command_id)s::text[], %(fingerprint)s::bytea[], %(answer)s::bytea[]) as n
     cross join moment
)
select now_ms, array(select pg_notify('flowfabric_ready', n.note)::text from unnest(%(note)s::text[]) as n (note))
  from moment;

-- name: create_at_limits
-- Creates executions; some of them name limits. It writes nothing and returns no row in two cases: one of these limits
-- is not set, or other executions are already parked where a new one would wait. It takes no lock to look at that.
with moment as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
     where not exists (select from unnest(%(limit_namespace)s::text[], %(limit_name)s::text[]) as s (namespace, name)
                        where not exists (select from ff_limit l
                                           where l.namespace = s.namespace collate "C" and l.name = s.name collate "C"))
       and not exists (select from unnest(%(room_namespace)s::text[], %(room_name)s::text[], %(room_key)s::text[],
                                          %(room_lane)s::text[], %(room_tokens)s::text[])
                                   as n (namespace, name, gate_key, lane_id, tokens)
                         join ff_capability_set s on s.tokens = any (array[n.tokens])
                        cross join lateral (
                                  select from ff_at_gate x
                                   where x.gate_state = {gate_state.parked} and x.namespace = n.namespace collate "C"
                                     and x.gate_kind = {gate_kind.limit} and x.name = n.name collate "C"
                                     and x.gate_key = n.gate_key collate "C" and x.lane_id = n.lane_id collate "C"
                                     and x.capability_set = s.capability_set
                                   order by x.namespace, x.gate_kind, x.name, x.gate_key, x.lane_id, x.capability_set,
                                            x.rank
                                   limit 1
                              ) g)
), new as materialized (
    select n.*, m.now_ms
      from moment m
     cross join unnest(
               %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(namespace)s::text[], %(lane_id)s::text[],
               %(execution_kind)s::text[], %(policy)s::text[], %(priority)s::integer[], %(payload)s::bytea[],
               %(created_by)s::text[], %(gates)s::text[], %(capability_set)s::integer[]
           ) as n (partition_key, execution_id, namespace, lane_id, execution_kind, policy, priority, payload,
                   created_by, gates, capability_set)
), born as (
    insert into ff_exec_core (
        partition_key, execution_id, namespace, lane_id, execution_kind, capability_set, policy, created_at_ms,
        eligibility_state, public_state, priority, ready_at_ms, lifecycle_phase, attempt_state, terminal_outcome,
        attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq, lease_era, created_by,
        gates
    )
    select partition_key, execution_id, namespace, lane_id, execution_kind, capability_set, policy, now_ms,
           {created.eligibility_state}, {created.public_state}, priority, now_ms, {created.lifecycle_phase},
           {created.attempt_state}, {created.terminal_outcome}, {created.attempt_index}, {created.lease_epoch},
           {created.retry_count}, {created.interruption_count}, {created.replay_count}, {created.event_seq},
           %(lease_era)s::bigint, created_by, gates
      from new
), laden as (
    insert into ff_payload (partition_key, execution_id, payload) select partition_key, execution_id, payload from new
), queued as (
    insert into ff_ready (namespace, lane_id, capability_set, rank, ready_at_ms, execution_id, partition_key)
    select namespace, lane_id, capability_set, -priority, now_ms, execution_id, partition_key from new
), standing as (
    insert into ff_at_gate (
        partition_key, execution_id, namespace, gate_kind, name, gate_key, gate_state, lane_id, capability_set, rank,
        turn, ready_at_ms
    )
    select n.partition_key, n.execution_id, n.namespace, {gate_kind.limit}, n.name, n.gate_key, {created.gate_state},
           n.lane_id, n.capability_set, -n.priority, 0, m.now_ms
      from moment m
     cross join unnest(
               %(at_partition_key)s::smallint[], %(at_execution_id)s::uuid[], %(at_namespace)s::text[],
               %(at_lane_id)s::text[], %(at_priority)s::integer[], %(at_name)s::text[], %(at_gate_key)s::text[],
               %(at_capability_set)s::integer[]
           ) as n (partition_key, execution_id, namespace, lane_id, priority, name, gate_key, capability_set)
), counted as (
    insert into ff_count_move (number, stands, namespace, lane_id, execution_kind)
    select count(*), {created.standing}, namespace, lane_id, execution_kind
      from new
     group by namespace, lane_id, execution_kind
), marked as (
    insert into ff_batch (batch_id, committed_at_ms) select %(batch_id)s::bytea, now_ms from moment
)
select now_ms, array(select pg_notify('flowfabric_ready', n.note)::text from unnest(%(note)s::text[]) as n (note))
  from moment;

-- name: create_leased
-- Creates such executions with leases for the workers that wait for them, leaves the batch's marker, and returns the
-- instant of their creation. If a lane that these workers serve is paused or holds anything, it writes nothing.
with moment as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms
     where not exists (select from unnest(%(of_namespace)s::text[], %(of_lane)s::text[]) as s (namespace, lane_id)
                        cross join lateral (select from ff_ready r
                                             where r.namespace = s.namespace and r.lane_id = s.lane_id limit 1) as held)
       and not exists (select from unnest(%(of_namespace)s::text[], %(of_lane)s::text[]) as s (namespace, lane_id)
                        cross join lateral (select from ff_lane l
                                             where l.namespace = s.namespace and l.lane_id = s.lane_id
                                               and l.paused_at_ms is not null limit 1) as paused)
), new as materialized (
    select n.*, m.now_ms, m.now_ms + n.lease_ttl_ms as lease_expires_at_ms
      from moment m
     cross join unnest(
               %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(namespace)s::text[], %(lane_id)s::text[],
               %(execution_kind)s::text[], %(policy)s::text[], %(priority)s::integer[], %(payload)s::bytea[],
               %(created_by)s::text[], %(worker_id)s::text[], %(worker_instance_id)s::text[],
               %(lease_ttl_ms)s::bigint[], %(details)s::text[], %(lease_mark)s::text[]
           ) as n (partition_key, execution_id, namespace, lane_id, execution_kind, policy, priority, payload,
                   created_by, worker_id, worker_instance_id, lease_ttl_ms, details, lease_mark)
), born as (
    insert into ff_exec_core (
        partition_key, execution_id, namespace, lane_id, execution_kind, capability_set, policy, created_at_ms,
        eligibility_state, public_state, priority, ready_at_ms, lifecycle_phase, attempt_state, terminal_outcome,
        attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq, worker_id,
        worker_instance_id, lease_ttl_ms, lease_expires_at_ms, attempt_started_at_ms, started_at_ms, lease_mark,
        lease_era, created_by
    )
    select partition_key, execution_id, namespace, lane_id, execution_kind, 0, policy, now_ms,
           {leased.eligibility_state}, {leased.public_state}, priority, now_ms, {leased.lifecycle_phase},
           {leased.attempt_state}, {leased.terminal_outcome}, {leased.attempt_index}, {leased.lease_epoch},
           {leased.retry_count}, {leased.interruption_count}, {leased.replay_count}, {leased.event_seq}, worker_id,
           worker_instance_id, lease_ttl_ms, lease_expires_at_ms, now_ms, now_ms, lease_mark, %(lease_era)s::bigint,
           created_by
      from new
), laden as (
    insert into ff_payload (partition_key, execution_id, payload) select partition_key, execution_id, payload from new
), now_due as (
    insert into ff_lease_sheet (due_at_ms, partition_keys, execution_ids)
    select lease_expires_at_ms, array_agg(partition_key), array_agg(execution_id) from new group by lease_expires_at_ms
), happened as (
    insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, details, occurred_at_ms)
    select {leased.channel}, {leased.event_type}, namespace, partition_key, execution_id, {leased.event_seq}, details,
           now_ms
      from new
), counted as (
    insert into ff_count_move (number, stands, namespace, lane_id, execution_kind)
    select count(*), {leased.standing}, namespace, lane_id, execution_kind
      from new
     group by namespace, lane_id, execution_kind
), marked as (
    insert into ff_batch (batch_id, committed_at_ms) select %(batch_id)s, now_ms from moment
)
select now_ms from moment;

-- name: fast_claim
-- Leases the head of a lane's queue, read from a given place on, and returns it. All executions of the head must be in
-- the queue for the first time, and the lane must not be paused and must hold nothing that needs capabilities;
-- otherwise the statement changes nothing. Members of flows are read without locks: a batch that holds a member must
-- not wait for a flow, and this batch may have to.
with head as materialized (
    select c.*, r.ctid as ready_row
      from ff_ready r
     cross join lateral (
               select *
                 from (select x.partition_key, x.execution_id, x.namespace, x.lane_id, x.execution_kind, x.priority,
                              x.ready_at_ms, x.lease_epoch, x.event_seq, x.tags, x.policy,
                              x.attempt_state = {created.attempt_state}
                              and x.terminal_outcome = {created.terminal_outcome} and x.deadline_at_ms is null
                              and (x.policy is null
                                   or x.policy like '{"_%%}' and strpos(x.policy, '"attempt_timeout_ms":') = 0)
                              and x.inbox is null and x.gates is null
                              and coalesce(x.lease_era = %(lease_era)s::bigint, false) as is_plain
                         from ff_exec_core x
                        where x.partition_key = any (array[r.partition_key]) and x.execution_id = r.execution_id
                          and x.flow_id is null and x.lifecycle_phase + 0 = {created.lifecycle_phase}
                          and x.eligibility_state + 0 = {created.eligibility_state}
                          and x.priority + 0 = -r.rank and x.ready_at_ms + 0 = r.ready_at_ms
                          for update skip locked) as solo
                union all
               select m.partition_key, m.execution_id, m.namespace, m.lane_id, m.execution_kind, m.priority,
                      m.ready_at_ms, m.lease_epoch, m.event_seq, m.tags, m.policy, false
                 from ff_exec_core m
                where m.partition_key = any (array[r.partition_key]) and m.execution_id = r.execution_id
                  and m.flow_id::text is not null and m.lifecycle_phase + 0 = {phase.runnable}
                  and m.eligibility_state + 0 = {eligibility.eligible_now}
                  and m.priority + 0 = -r.rank and m.ready_at_ms + 0 = r.ready_at_ms
                limit 1
           ) c
     where r.namespace = %(namespace)s and r.lane_id = %(lane_id)s and r.capability_set = 0
       and (r.rank, r.turn, r.ready_at_ms) >= (%(from_rank)s::integer, 0, %(from_ready_at_ms)s::bigint)
       and not exists (select from ff_ready o
                        where o.namespace = %(namespace)s and o.lane_id = %(lane_id)s and o.capability_set > 0)
       and not exists (select from ff_lane l
                        where l.namespace = %(namespace)s and l.lane_id = %(lane_id)s and l.paused_at_ms is not null)
     order by r.namespace, r.lane_id, r.capability_set, r.rank, r.turn, r.ready_at_ms, r.execution_id,
              r.partition_key
     limit %(most)s
), moment as materialized (
    select coalesce(%(now_ms)s::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint) as now_ms,
           coalesce(every_one, false) as is_plain
      from (select bool_and(is_plain) as every_one from head) as counted
), plain as materialized (
    select h.*, m.now_ms from head h cross join moment m where m.is_plain
), updated as (
    update ff_exec_core c
       set lifecycle_phase = {leased.lifecycle_phase}, eligibility_state = {leased.eligibility_state},
           attempt_state = {leased.attempt_state}, public_state = {leased.public_state},
           lease_epoch = e.lease_epoch + {leased.epochs}, event_seq = e.event_seq + {leased.events},
           worker_id = %(worker_id)s, worker_instance_id = %(worker_instance_id)s, lease_ttl_ms = %(lease_ttl_ms)s,
           lease_expires_at_ms = e.now_ms + %(lease_ttl_ms)s, attempt_started_at_ms = e.now_ms,
           started_at_ms = coalesce(c.started_at_ms, e.now_ms), delay_until_ms = null,
           lease_mark = (e.lease_epoch + {leased.epochs}) || '.' || %(claim_mark)s::text
      from plain e
     where c.partition_key = any (array[e.partition_key]) and c.execution_id = e.execution_id
), no_longer_ready as (
    -- By their places in the table, which this statement has read: that saves a search in the index for each.
    delete from ff_ready where ctid = any (array(select ready_row from plain))
), now_due as (
    insert into ff_lease_sheet (due_at_ms, partition_keys, execution_ids)
    select min(now_ms) + %(lease_ttl_ms)s, array_agg(partition_key), array_agg(execution_id)
      from plain
    having count(*) > 0
), happened as (
    insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, details, occurred_at_ms)
    select {leased.channel}, {leased.event_type}, namespace, partition_key, execution_id, event_seq + {leased.events},
           %(details_before_epoch)s::text || (lease_epoch + {leased.epochs}) || %(details_after_epoch)s::text, now_ms
      from plain
     order by priority desc, ready_at_ms, execution_id, partition_key
), counted as (
    insert into ff_count_move (number, stood, stands, namespace, lane_id, execution_kind)
    select count(*), {created.standing}, {leased.standing}, namespace, lane_id, execution_kind
      from plain
     group by namespace, lane_id, execution_kind
), marked as (
    insert into ff_batch (batch_id, committed_at_ms)
    select %(batch_id)s, now_ms from plain limit 1
        on conflict do nothing
)
select e.partition_key, e.execution_id::text, e.lease_epoch + {leased.epochs}, e.execution_kind, e.namespace, e.lane_id,
       e.tags, e.policy, e.priority, e.ready_at_ms, e.now_ms, p.payload
  from plain e
  left join ff_payload p on p.partition_key = any (array[e.partition_key]) and p.execution_id = e.execution_id;
