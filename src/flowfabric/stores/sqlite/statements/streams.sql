-- name: load_streams
-- Where the named streams end and begin.
select json_group_array(json_array(
           s.partition_key, hex(s.execution_id), s.lease_epoch, s.next_seq, s.attempt_index, s.kept_frames,
           s.kept_bytes, s.is_too_long, s.first_epoch, s.first_seq
       ))
  from (values /* rows */ (?, ?)) as n
 cross join ff_stream s on s.partition_key = n.column1 and s.execution_id = n.column2;

-- name: load_chunk
select lease_epoch, first_seq, attempt_index, frame_count, byte_count, at_ms, retried, data
  from ff_stream_chunk
 where partition_key = ? and execution_id = ? and lease_epoch = ? and first_seq = ?;

-- name: load_oldest_chunks
-- The oldest chunks of a stream, without their frames.
select lease_epoch, first_seq, attempt_index, frame_count, byte_count, at_ms, retried
  from ff_stream_chunk
 where partition_key = ? and execution_id = ?
 order by lease_epoch, first_seq
 limit ?;

-- name: read_chunks
-- The chunks of a stream that end after the given number of an epoch, in order.
select c.lease_epoch, c.first_seq, c.attempt_index, c.frame_count, c.byte_count, c.at_ms, c.retried, c.data
  from ff_stream_chunk c
 where c.partition_key = ?1 and c.execution_id = ?2
   and (c.lease_epoch, c.first_seq) >= (?3, coalesce((select max(b.first_seq)
                                                        from ff_stream_chunk b
                                                       where b.partition_key = ?1 and b.execution_id = ?2
                                                         and b.lease_epoch = ?3 and b.first_seq <= ?4), 0))
   and (c.lease_epoch > ?3 or c.first_seq + c.frame_count > ?4)
 order by c.lease_epoch, c.first_seq;

-- name: read_retried
-- Which steps of an epoch were tried more than once, and the first chunk that says so: one index step for each text.
with recursive found (retried) as (
    select (select min(retried) from ff_stream_chunk indexed by ff_stream_chunk_retried
             where partition_key = ?1 and execution_id = ?2 and lease_epoch = ?3 and retried is not null)
     union all
    select (select min(c.retried) from ff_stream_chunk c indexed by ff_stream_chunk_retried
             where c.partition_key = ?1 and c.execution_id = ?2 and c.lease_epoch = ?3 and c.retried > found.retried)
      from found
     where found.retried is not null
)
select (select min(c.first_seq) from ff_stream_chunk c indexed by ff_stream_chunk_retried
         where c.partition_key = ?1 and c.execution_id = ?2 and c.lease_epoch = ?3 and c.retried = found.retried),
       found.retried
  from found
 where found.retried is not null;

-- name: read_step_marks
-- The stored steps of an execution that say which frames count, from the index alone.
select name, lease_epoch, tries, number
  from ff_step indexed by ff_step_number
 where partition_key = ? and execution_id = ? and number is not null and lease_epoch is not null;

-- name: read_stream_ends
-- Where the streams of the named executions end, and the epochs and states of these executions.
select c.partition_key, c.execution_id, coalesce(s.lease_epoch, 0), coalesce(s.next_seq, 0), c.lease_epoch,
       c.public_state
  from (values /* rows */ (?, ?)) as n
 cross join ff_exec_core c on c.partition_key = n.column1 and c.execution_id = n.column2
  left join ff_stream s on s.partition_key = n.column1 and s.execution_id = n.column2;

-- name: find_long_streams
select partition_key, execution_id from ff_stream indexed by ff_stream_too_long where is_too_long = 1 limit ?;

-- name: find_speakers
-- Which of the named executions have a stream or a summary.
select n.column1, n.column2
  from (values /* rows */ (?, ?)) as n
 where exists (select 1 from ff_stream s where s.partition_key = n.column1 and s.execution_id = n.column2)
    or exists (select 1 from ff_summary s where s.partition_key = n.column1 and s.execution_id = n.column2);

-- name: load_summary
select version, document from ff_summary where partition_key = ? and execution_id = ?;

-- name: save_streams
insert into ff_stream (
    partition_key, execution_id, lease_epoch, next_seq, attempt_index, kept_frames, kept_bytes, is_too_long,
    first_epoch, first_seq
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (partition_key, execution_id) do update set
    lease_epoch = excluded.lease_epoch,
    next_seq = excluded.next_seq,
    attempt_index = excluded.attempt_index,
    kept_frames = excluded.kept_frames,
    kept_bytes = excluded.kept_bytes,
    is_too_long = excluded.is_too_long,
    first_epoch = excluded.first_epoch,
    first_seq = excluded.first_seq;

-- name: insert_chunks
insert into ff_stream_chunk (
    partition_key, execution_id, lease_epoch, first_seq, attempt_index, frame_count, byte_count, at_ms, retried, data
) values /* rows */ (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: save_summaries
insert into ff_summary (partition_key, execution_id, version, document) values /* rows */ (?, ?, ?, ?)
on conflict (partition_key, execution_id) do update set
    version = excluded.version,
    document = excluded.document;

-- name: delete_named_chunks
delete from ff_stream_chunk where partition_key = ? and execution_id = ? and lease_epoch = ? and first_seq = ?;

-- name: delete_chunks
delete from ff_stream_chunk where partition_key = ? and execution_id = ?;

-- name: delete_streams
delete from ff_stream where partition_key = ? and execution_id = ?;

-- name: delete_summaries
delete from ff_summary where partition_key = ? and execution_id = ?;
