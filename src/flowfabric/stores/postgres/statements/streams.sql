-- Streams, chunks and summaries change only under the lock of their execution, so they need no locks of their own.

-- columns: stream
s.partition_key, s.execution_id::text, s.lease_epoch, s.next_seq, s.attempt_index, s.kept_frames, s.kept_bytes,
s.is_too_long, s.first_epoch, s.first_seq

-- columns: chunk
c.partition_key, c.execution_id::text, c.lease_epoch, c.first_seq, c.attempt_index, c.frame_count, c.byte_count,
c.at_ms, c.retried

-- name: read_streams
select
       /* columns: stream */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_stream s on s.partition_key = any (array[n.partition_key]) and s.execution_id = n.execution_id;

-- name: save_streams
insert into ff_stream (
    partition_key, execution_id, lease_epoch, next_seq, attempt_index, kept_frames, kept_bytes, is_too_long, first_epoch,
    first_seq
)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(lease_epoch)s::bigint[], %(next_seq)s::bigint[],
           %(attempt_index)s::integer[], %(kept_frames)s::bigint[], %(kept_bytes)s::bigint[],
           %(is_too_long)s::smallint[], %(first_epoch)s::bigint[], %(first_seq)s::bigint[]
       )
on conflict (partition_key, execution_id) do update set
    lease_epoch = excluded.lease_epoch,
    next_seq = excluded.next_seq,
    attempt_index = excluded.attempt_index,
    kept_frames = excluded.kept_frames,
    kept_bytes = excluded.kept_bytes,
    is_too_long = excluded.is_too_long,
    first_epoch = excluded.first_epoch,
    first_seq = excluded.first_seq;

-- name: read_chunks
select
       /* columns: chunk */,
       c.data
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(lease_epoch)s::bigint[], %(first_seq)s::bigint[])
       as n (partition_key, execution_id, lease_epoch, first_seq)
  join ff_stream_chunk c on c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
   and c.lease_epoch = n.lease_epoch and c.first_seq = n.first_seq;

-- name: read_oldest_chunks
-- The oldest chunks of each named execution, in order, without their frames.
select
       /* columns: chunk */
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(most)s::integer[])
       as n (partition_key, execution_id, most)
 cross join lateral (
           select * from ff_stream_chunk x
            where x.partition_key = n.partition_key and x.execution_id = n.execution_id
            order by x.partition_key, x.execution_id, x.lease_epoch, x.first_seq
            limit n.most
       ) c;

-- name: insert_chunks
-- The frames of all chunks are one value, and each chunk is a part of it.
insert into ff_stream_chunk (
    partition_key, execution_id, lease_epoch, first_seq, attempt_index, frame_count, byte_count, at_ms, retried, data
)
select n.partition_key, n.execution_id, n.lease_epoch, n.first_seq, n.attempt_index, n.frame_count, n.byte_count,
       n.at_ms, n.retried, substring(%(data)s::bytea from n.data_from for n.data_bytes)
  from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(lease_epoch)s::bigint[], %(first_seq)s::bigint[],
           %(attempt_index)s::integer[], %(frame_count)s::integer[], %(byte_count)s::integer[], %(at_ms)s::bigint[],
           %(retried)s::text[], %(data_from)s::integer[], %(data_bytes)s::integer[]
       ) as n (partition_key, execution_id, lease_epoch, first_seq, attempt_index, frame_count, byte_count, at_ms,
               retried, data_from, data_bytes);

-- name: delete_named_chunks
delete from ff_stream_chunk c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[], %(lease_epoch)s::bigint[], %(first_seq)s::bigint[])
       as n (partition_key, execution_id, lease_epoch, first_seq)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
   and c.lease_epoch = n.lease_epoch and c.first_seq = n.first_seq;

-- name: delete_all_that_was_said
-- All that executions have said: their streams with all chunks, and their summaries.
with streams as (
    delete from ff_stream c
     using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
     where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
), chunks as (
    delete from ff_stream_chunk c
     using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
     where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id
)
delete from ff_summary c
 using unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 where c.partition_key = any (array[n.partition_key]) and c.execution_id = n.execution_id;

-- name: read_summaries
select s.partition_key, s.execution_id::text, s.version, s.document
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
  join ff_summary s on s.partition_key = any (array[n.partition_key]) and s.execution_id = n.execution_id;

-- name: save_summaries
insert into ff_summary (partition_key, execution_id, version, document)
select * from unnest(
           %(partition_key)s::smallint[], %(execution_id)s::uuid[], %(version)s::integer[], %(document)s::text[]
       )
on conflict (partition_key, execution_id) do update set version = excluded.version, document = excluded.document;

-- name: find_long_streams
select partition_key, execution_id::text from ff_stream where is_too_long = 1 limit %(most)s;

-- name: read_stream_ends
-- Where the streams of the given executions end, with the epoch and the state of each execution.
select n.partition_key, n.execution_id::text, x.stream_epoch, x.next_seq, x.lease_epoch, x.public_state
  from unnest(%(partition_key)s::smallint[], %(execution_id)s::uuid[]) as n (partition_key, execution_id)
 cross join lateral (
           select c.lease_epoch, c.public_state, coalesce(s.lease_epoch, 0) as stream_epoch,
                  coalesce(s.next_seq, 0) as next_seq
             from ff_exec_core c
             left join ff_stream s on s.partition_key = c.partition_key and s.execution_id = c.execution_id
            where c.partition_key = n.partition_key and c.execution_id = n.execution_id
            limit 1
       ) x;

-- name: read_step_marks
-- The steps of an execution that were stored under a known epoch, without their results.
select s.name, s.lease_epoch, s.tries, s.number
  from ff_step s
 where s.partition_key = %(partition_key)s and s.execution_id = %(execution_id)s::uuid
   and s.lease_epoch is not null and s.number is not null;

-- name: read_retried
-- Which steps were tried more than once in the last epoch of a stream, and the first chunk that says so: one search for
-- each text, however many chunks have it.
with recursive found (lease_epoch, first_seq, retried) as (
    (select c.lease_epoch, c.first_seq, c.retried
       from ff_stream_chunk c
      where c.execution_id = %(execution_id)s::uuid
        and c.lease_epoch = (select s.lease_epoch from ff_stream s
                              where s.partition_key = %(partition_key)s and s.execution_id = %(execution_id)s::uuid)
        and c.retried is not null and c.partition_key + 0 = %(partition_key)s
      order by c.execution_id, c.lease_epoch, c.retried, c.first_seq
      limit 1)
    union all
    select n.lease_epoch, n.first_seq, n.retried
      from found f
     cross join lateral (
               select c.lease_epoch, c.first_seq, c.retried
                 from ff_stream_chunk c
                where c.execution_id = %(execution_id)s::uuid and c.lease_epoch = f.lease_epoch
                  and c.retried > f.retried and c.partition_key + 0 = %(partition_key)s
                order by c.execution_id, c.lease_epoch, c.retried, c.first_seq
                limit 1
           ) n
)
select lease_epoch, first_seq, retried from found;

-- name: read_stream_part
-- The chunks of an execution that end after a position, in order. The first one may begin before the position. Behind
-- the last chunk that fits into the answer, chunks are without their data. The innermost select has no condition but
-- that of its index, so that the server takes the first rows from there, and does not read and sort all of them.
select
       /* columns: chunk */,
       case when c.place <= %(most)s and c.bytes_before < %(bytes_max)s then c.data end
  from (select c.*,
               row_number() over in_order as place,
               coalesce(sum(c.byte_count) over (in_order rows between unbounded preceding and 1 preceding), 0)
                   as bytes_before
          from (select * from ff_stream_chunk x
                 where x.partition_key = %(partition_key)s and x.execution_id = %(execution_id)s::uuid
                   and (x.lease_epoch, x.first_seq) >= (
                           %(lease_epoch)s::bigint,
                           coalesce(
                               (select b.first_seq from ff_stream_chunk b
                                 where b.partition_key = %(partition_key)s and b.execution_id = %(execution_id)s::uuid
                                   and b.lease_epoch = %(lease_epoch)s::bigint
                                   and b.first_seq <= %(next_seq)s::bigint
                                 order by b.lease_epoch desc, b.first_seq desc
                                 limit 1),
                               0
                           )
                       )
                 order by x.lease_epoch, x.first_seq
                 limit %(most)s + 2) c
         where (c.lease_epoch, c.first_seq + c.frame_count) > (%(lease_epoch)s::bigint, %(next_seq)s::bigint)
        window in_order as (order by c.lease_epoch, c.first_seq)) c
 order by c.lease_epoch, c.first_seq;
