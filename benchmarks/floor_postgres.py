"""The floor under PostgreSQL: the rows that the engine writes per job, by bare SQL in batches of 100, two connections.

One fused statement per batch and phase, with all conditions left out that the engine must check.
"""

import os
import threading
import time

import psycopg
from workload import PAYLOAD, RESULT, Measured

BATCH = 100
CONNECTIONS = 2
PINS = (
    "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c enable_bitmapscan=off "
    "-c enable_sort=off -c plan_cache_mode=force_generic_plan -c jit=off"
)
CREATE = """
with n as (select * from unnest(%(id)s::uuid[], %(payload)s::bytea[]) as t (id, payload)),
     c as (insert into ff_exec_core (partition_key, execution_id, namespace, lane_id, execution_kind, capability_set,
               created_at_ms, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome, public_state,
               priority, attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq,
               ready_at_ms)
           select 86, id, 'default', 'default', 'noop', 0, %(now)s, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, %(now)s from n),
     p as (insert into ff_payload select 86, id, payload from n),
     b as (insert into ff_batch values (%(batch)s, %(now)s))
insert into ff_ready select 'default', 'default', 0, 0, %(now)s, id, 86 from n
"""
CLAIM = """
with k as (delete from ff_ready where ctid = any (array(
               select ctid from ff_ready where namespace = 'default' and lane_id = 'default' and capability_set = 0
                order by namespace, lane_id, capability_set, rank, ready_at_ms, execution_id, partition_key
                limit 100 for update skip locked)) returning execution_id),
     u as (update ff_exec_core c set lifecycle_phase = 1, eligibility_state = 8, attempt_state = 1, public_state = 4,
               lease_epoch = 1, event_seq = 1, worker_id = 'bench', worker_instance_id = 'floor',
               lease_ttl_ms = 30000, lease_expires_at_ms = %(now)s + 30000, attempt_started_at_ms = %(now)s,
               started_at_ms = %(now)s
             from k where c.partition_key = 86 and c.execution_id = k.execution_id returning c.execution_id),
     d as (insert into ff_lease_sheet
           select %(now)s + 30000, array_agg(86::smallint), array_agg(execution_id) from u having count(*) > 0),
     e as (insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, details,
               occurred_at_ms)
           select 0, 'acquired', 'default', 86, execution_id, 1,
                  '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"floor","claim_type":"first"}', %(now)s
             from u),
     b as (insert into ff_batch values (%(batch)s, %(now)s))
select u.execution_id, p.payload from u join ff_payload p on p.partition_key = 86 and p.execution_id = u.execution_id
"""
COMPLETE = """
with n as (select * from unnest(%(id)s::uuid[]) as t (id)),
     u as (update ff_exec_core c set lifecycle_phase = 3, attempt_state = 5, terminal_outcome = 1, public_state = 7,
               event_seq = 2, lease_ttl_ms = null, lease_expires_at_ms = null, terminal_at_ms = %(now)s
             from n where c.partition_key = 86 and c.execution_id = n.id),
     r as (insert into ff_result (partition_key, execution_id, result) select 86, id, %(result)s from n),
     b as (insert into ff_batch values (%(batch)s, %(now)s))
insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, occurred_at_ms)
select 1, 'completed', 'default', 86, id, 2, %(now)s from n
"""


def measure(url: str, jobs: int) -> Measured:
    """Jobs per second on a fresh database of the engine's own schema."""
    now = int(time.time() * 1000)
    ids = [_uuid(now + i // 10) for i in range(jobs)]
    shares = [ids[i::CONNECTIONS] for i in range(CONNECTIONS)]
    connections = [psycopg.connect(url, autocommit=True, options=PINS, prepare_threshold=0) for _ in shares]
    create_s = _together([lambda c=c, s=s: _create(c, s, now) for c, s in zip(connections, shares, strict=True)])
    # The floor gets the statistics of the best moment; the engine has to do without.
    connections[0].execute("vacuum analyze")
    drain_s = _together([lambda c=c: _drain(c, now) for c in connections])
    [[done]] = connections[0].execute("select count(*) from ff_exec_core where lifecycle_phase = 3").fetchall()
    assert done == jobs, f"the floor finished {done} of {jobs} jobs"
    for connection in connections:
        connection.close()
    return Measured(jobs / create_s, jobs / drain_s, jobs / (create_s + drain_s))


def _create(connection: psycopg.Connection, ids: list[str], now: int) -> None:
    payload = '"\\\\x' + PAYLOAD.hex() + '"'
    for at in range(0, len(ids), BATCH):
        some = ids[at : at + BATCH]
        values = {"id": _array(some), "payload": _array([payload] * len(some)), "now": now, "batch": os.urandom(16)}
        connection.execute(CREATE, values)


def _drain(connection: psycopg.Connection, now: int) -> None:
    while claimed := connection.execute(CLAIM, {"now": now, "batch": os.urandom(16)}, binary=True).fetchall():
        ids = _array([str(row[0]) for row in claimed])
        values = {"id": ids, "now": now, "result": RESULT, "batch": os.urandom(16)}
        connection.execute(COMPLETE, values)


def _together(tasks: list) -> float:
    threads = [threading.Thread(target=task) for task in tasks]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start


def _array(values: list[str]) -> str:
    return "{" + ",".join(values) + "}"


def _uuid(now_ms: int) -> str:
    digits = f"{now_ms:012x}7{os.urandom(10).hex()[:3]}8{os.urandom(10).hex()[:15]}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
