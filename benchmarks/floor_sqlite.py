"""The floor under SQLite: the rows that the engine writes per job, by bare SQL in batches of 100, synchronous=FULL.

It reads no record, decides nothing, answers nobody, and knows beforehand what every row will be.
"""

import os
import sqlite3
import time
from pathlib import Path

from workload import PAYLOAD, RESULT, Measured

from flowfabric import open_blocking_engine

BATCH = 100
CREATE = """
insert into ff_exec_core (partition_key, execution_id, namespace, lane_id, execution_kind, capability_set,
    created_at_ms, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome, public_state, priority,
    attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq, ready_at_ms)
values (86, ?, 'default', 'default', 'noop', 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?)
"""
PICK = """
select execution_id from ff_exec_core indexed by ff_exec_core_ready
 where lifecycle_phase = 0 and eligibility_state = 0
   and namespace = 'default' and lane_id = 'default' and capability_set = 0
 order by priority desc, ready_at_ms, execution_id, partition_key limit 100
"""
CLAIM = """
update ff_exec_core set lifecycle_phase = 1, eligibility_state = 8, attempt_state = 1, public_state = 4,
    lease_epoch = 1, event_seq = 1, due_kind = 2, due_at_ms = ?1, worker_id = 'bench', worker_instance_id = 'floor',
    lease_ttl_ms = 30000, lease_expires_at_ms = ?1, attempt_started_at_ms = ?2, started_at_ms = ?2
 where partition_key = 86 and execution_id = ?3
"""
COMPLETE = """
update ff_exec_core set lifecycle_phase = 3, attempt_state = 5, terminal_outcome = 1, public_state = 7, event_seq = 2,
    due_kind = null, due_at_ms = null, lease_ttl_ms = null, lease_expires_at_ms = null, terminal_at_ms = ?
 where partition_key = 86 and execution_id = ?
"""
EVENT = """
insert into ff_event (channel, event_type, namespace, partition_key, execution_id, seq, details, occurred_at_ms)
values (?, ?, 'default', 86, ?, ?, ?, ?)
"""
ACQUIRED = '{"attempt_index":0,"lease_epoch":1,"worker_instance_id":"floor","claim_type":"first"}'


def measure(folder: Path, jobs: int) -> Measured:
    """Jobs per second on a fresh file of the engine's own schema."""
    path = folder / "floor.db"
    with open_blocking_engine(f"sqlite:///{path}", reconcile=False):
        pass
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("pragma synchronous = full")
    connection.execute("pragma cache_size = -16384")
    now = int(time.time() * 1000)
    ids = [(now + i // 10).to_bytes(6, "big") + os.urandom(10) for i in range(jobs)]
    start = time.perf_counter()
    for at in range(0, jobs, BATCH):
        some = ids[at : at + BATCH]
        connection.execute("begin immediate")
        connection.executemany(CREATE, [(key, now, now) for key in some])
        connection.executemany("insert into ff_payload values (86, ?, ?)", [(key, PAYLOAD) for key in some])
        _commit(connection, now)
    middle = time.perf_counter()
    done = 0
    while done < jobs:
        connection.execute("begin immediate")
        some = [row[0] for row in connection.execute(PICK)]
        connection.executemany(CLAIM, [(now + 30_000, now, key) for key in some])
        connection.executemany(EVENT, [(0, "acquired", key, 1, ACQUIRED, now) for key in some])
        _commit(connection, now)
        connection.execute("begin immediate")
        connection.executemany(COMPLETE, [(now, key) for key in some])
        connection.executemany(
            "insert into ff_result (partition_key, execution_id, result) values (86, ?, ?)",
            [(key, RESULT) for key in some],
        )
        connection.executemany(EVENT, [(1, "completed", key, 2, None, now) for key in some])
        _commit(connection, now)
        done += len(some)
    end = time.perf_counter()
    connection.close()
    return Measured(jobs / (middle - start), jobs / (end - middle), jobs / (end - start))


def _commit(connection: sqlite3.Connection, now: int) -> None:
    connection.execute("insert into ff_batch values (?, ?)", (os.urandom(16), now))
    connection.execute("commit")
