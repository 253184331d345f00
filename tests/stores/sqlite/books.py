"""What must hold in a database file whatever happened to it, asked in SQL, beside the engine."""

import sqlite3
from pathlib import Path


def connected(path: Path) -> sqlite3.Connection:
    """A connection like any program's, except that it never checkpoints beside a running engine."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=20)
    connection.execute("pragma wal_autocheckpoint = 0")
    return connection


def violations(connection: sqlite3.Connection) -> list[object]:
    """Everything that is wrong with the file and with the records in it, as of one moment."""
    connection.execute("begin")
    try:
        found: list[object] = [row for row in connection.execute("pragma integrity_check") if row != ("ok",)]
        for sentence, query in _MUST_BE_EMPTY.items():
            found += [(sentence, *row) for row in connection.execute(query).fetchmany(5)]
        return found
    finally:
        connection.execute("rollback")


_MUST_BE_EMPTY = {
    "events have a gap, or differ in number from what the execution counts": """
        select hex(c.execution_id), c.event_seq, count(e.seq), max(e.seq)
          from ff_exec_core c
          left join ff_event e on e.partition_key = c.partition_key and e.execution_id = c.execution_id
         group by c.partition_key, c.execution_id
        having c.event_seq <> count(e.seq) or c.event_seq <> coalesce(max(e.seq), 0)""",
    "an execution ended more than once": """
        select hex(execution_id), count(*) from ff_event where channel = 1
         group by partition_key, execution_id having count(*) > 1""",
    "an execution and the log differ on whether and how it has ended": """
        select hex(c.execution_id), c.terminal_outcome, e.event_type
          from ff_exec_core c
          left join ff_event e
            on e.partition_key = c.partition_key and e.execution_id = c.execution_id and e.channel = 1
         where coalesce(e.event_type, 'none') <> json_extract(
                   '["none","completed","failed","cancelled","expired","skipped"]',
                   '$[' || c.terminal_outcome || ']')""",
    "an execution has no payload": """
        select hex(execution_id) from ff_exec_core
        except select hex(execution_id) from ff_payload""",
    "an execution is active without a lease, or has a lease without being active": """
        select hex(execution_id) from ff_exec_core
         where (lifecycle_phase = 1) <> (lease_expires_at_ms is not null)""",
    "an attempt is missing": """
        select hex(c.execution_id), c.attempt_index, count(a.attempt_index)
          from ff_exec_core c
          left join ff_attempt a on a.partition_key = c.partition_key and a.execution_id = c.execution_id
                                and (c.attempt_started_at_ms is null or a.attempt_index <> c.attempt_index)
         where c.started_at_ms is not null
         group by c.partition_key, c.execution_id
        having count(a.attempt_index) + (c.attempt_started_at_ms is not null and c.lifecycle_phase <> 1)
               <> c.attempt_index + (c.lifecycle_phase <> 1 and c.attempt_state <> 7)""",
}
