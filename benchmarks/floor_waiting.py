"""The floor under waiting: the rows that the engine writes for a wait, by bare SQL, in as few commits as can be.

It reads no record, decides nothing, answers nobody, and knows beforehand what every row will be. Durability is that of
the engine: `synchronous = full` in SQLite, `fsync` and `synchronous_commit` on in PostgreSQL.
"""

import os
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence

import psycopg
from floor_postgres import PINS
from workload import RESULT

from flowfabric import open_blocking_engine

PAUSE_S = 0.02
CONNECTIONS = 2
"""How many connections write to PostgreSQL at once. In SQLite one is fastest."""

INBOX = '{"signals":%d,"waits":[{"name":"go","condition":"\\"go\\"","since_ms":1790000000000,"lease_epoch":1}]}'
SUSPENDED = '{"names":["go"],"keys":["go"],"timeout_at_ms":null}'
DELIVERED = (
    '{"key":"go","name":"","signal_id":"0190b4d2-0000-8000-8000-000000000000",'
    '"waitpoint_id":"0190b4d2-0000-8000-8000-000000000000","source_identity":"","effect":"resumed"}'
)
RESUMED = '{"name":"go","cause":"signal"}'
ACQUIRED = '{"attempt_index":0,"lease_epoch":2,"worker_instance_id":"floor","claim_type":"resume"}'
UUID_TEXT = "0190b4d2-0000-8000-8000-000000000000"
END = b"\x93" + b"x" * 120
"""As long as the packed end of a wait that one signal has ended."""
COLUMNS = (
    "partition_key, execution_id, namespace, lane_id, execution_kind, capability_set, created_at_ms, lifecycle_phase, "
    "eligibility_state, attempt_state, terminal_outcome, public_state, priority, attempt_index, lease_epoch, "
    "retry_count, interruption_count, replay_count, event_seq, ready_at_ms"
)
LEASE = "worker_id = null, worker_instance_id = null, lease_ttl_ms = null, lease_expires_at_ms = null"
EVENT_COLUMNS = "channel, event_type, namespace, partition_key, execution_id, seq, details, occurred_at_ms"


class Floor(ABC):
    """One connection that writes. Each method is one commit."""

    @abstractmethod
    def create(self, ids: Sequence[bytes]) -> None:
        """Make executions that are leased."""

    @abstractmethod
    def suspend(self, ids: Sequence[bytes]) -> None:
        """Suspend them."""

    @abstractmethod
    def signal(self, ids: Sequence[bytes], *, then: str) -> None:
        """Signal each, and end its wait. `then`: it is `ready`, or it is `leased`, as before or again."""

    @abstractmethod
    def claim(self, ids: Sequence[bytes]) -> None:
        """Lease them again."""

    @abstractmethod
    def complete(self, ids: Sequence[bytes]) -> None:
        """End them."""

    @abstractmethod
    def note_sizes(self) -> None:
        """Give the planner the statistics of the best moment. The engine has to do without."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""


def opened(url: str) -> Floor:
    """A connection to a database with the engine's schema."""
    with open_blocking_engine(url, reconcile=False):
        pass
    return _floor(url)


def _floor(url: str) -> Floor:
    return SqliteFloor(url.removeprefix("sqlite:///")) if url.startswith("sqlite") else PostgresFloor(url)


def commit_ms(floor: Floor, commits: int) -> float:
    """Milliseconds for one signal after which the execution is leased, in one commit or in two."""
    [key] = ids = new_ids(1)
    floor.create(ids)
    floor.suspend(ids)
    time.sleep(PAUSE_S)
    start = time.perf_counter()
    floor.signal([key], then="leased" if commits == 1 else "ready")
    if commits > 1:
        floor.claim([key])
    return (time.perf_counter() - start) * 1000


def cycles_per_s(url: str, cycles: int = 4_000, at_once: int = 200) -> float:
    """Cycles of suspend, signal, claim and complete per second."""
    floors = [opened(url)]
    if not url.startswith("sqlite"):
        floors += [_floor(url) for _ in range(CONNECTIONS - 1)]
    shares = [new_ids(cycles // len(floors)) for _ in floors]
    for floor, ids in zip(floors, shares, strict=True):
        floor.create(ids)
    floors[0].note_sizes()

    def work(floor: Floor, ids: Sequence[bytes]) -> None:
        for begin in range(0, len(ids), at_once):
            part = ids[begin : begin + at_once]
            floor.suspend(part)
            floor.signal(part, then="ready")
            floor.claim(part)
            floor.complete(part)

    threads = [threading.Thread(target=work, args=share) for share in zip(floors, shares, strict=True)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took_s = time.perf_counter() - start
    for floor in floors:
        floor.close()
    return cycles / took_s


def new_ids(count: int) -> list[bytes]:
    """Ids of so many executions, in order."""
    now = int(time.time() * 1000)
    return sorted(now.to_bytes(6, "big") + os.urandom(10) for _ in range(count))


class SqliteFloor(Floor):
    """A file with the engine's schema."""

    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute("pragma synchronous = full")
        self._connection.execute("pragma cache_size = -16384")

    def create(self, ids: Sequence[bytes]) -> None:
        insert = f"insert into ff_exec_core ({COLUMNS}) values (86, ?1, 'default', 'default', 'noop', 0, ?2, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, ?2)"  # noqa: E501 - one row
        self._commit((insert, [(key, _now()) for key in ids]))

    def suspend(self, ids: Sequence[bytes]) -> None:
        update = (
            f"update ff_exec_core set lifecycle_phase = 2, eligibility_state = 8, attempt_state = 7, public_state = 5, "
            f"event_seq = 2, inbox = ?2, waiting_since_ms = ?3, due_kind = null, due_at_ms = null, {LEASE} "
            f"where partition_key = 86 and execution_id = ?1"
        )
        waitpoint = (
            "insert into ff_waitpoint (partition_key, execution_id, key, life, waitpoint_id, created_at_ms, token_kid) "
            "values (86, ?1, 'go', 0, ?2, ?3, 'k1')"
        )
        attempt = "insert into ff_attempt values (86, ?1, 0, 1, 'bench', 'floor', ?2, null, null)"
        now = _now()
        self._commit(
            (update, [(key, INBOX % 0, now) for key in ids]),
            (waitpoint, [(key, UUID_TEXT, now) for key in ids]),
            (attempt, [(key, now) for key in ids]),
            self._events(ids, (0, "suspended", 2, SUSPENDED)),
        )

    def signal(self, ids: Sequence[bytes], *, then: str) -> None:
        states = (0, 0, 7, 6) if then == "ready" else (1, 8, 1, 4)
        update = (
            f"update ff_exec_core set lifecycle_phase = {states[0]}, eligibility_state = {states[1]}, "
            f"attempt_state = {states[2]}, public_state = {states[3]}, event_seq = 4, inbox = ?2, "
            f"waiting_since_ms = null where partition_key = 86 and execution_id = ?1"
        )
        signal = "insert into ff_signal values (86, ?1, 1, ?2, ?2, 'go', '', '', '', ?3, 'go', x'6e756c6c')"
        step = (
            "insert into ff_step (partition_key, execution_id, name, fingerprint, result, attempt_index, "
            "recorded_at_ms, number, is_wait) values (86, ?1, 'go', ?2, ?3, 0, ?4, 1, 1)"
        )
        now = _now()
        self._commit(
            (update, [(key, INBOX % 1) for key in ids]),
            (signal, [(key, UUID_TEXT, now) for key in ids]),
            (step, [(key, key, END, now) for key in ids]),
            self._events(ids, (3, "delivered", 3, DELIVERED), (3, "resumed", 4, RESUMED)),
        )

    def claim(self, ids: Sequence[bytes]) -> None:
        update = (
            "update ff_exec_core set lifecycle_phase = 1, eligibility_state = 8, attempt_state = 1, public_state = 4, "
            "lease_epoch = 2, event_seq = 5, due_kind = 2, due_at_ms = ?2, worker_id = 'bench', "
            "worker_instance_id = 'floor', lease_ttl_ms = 30000, lease_expires_at_ms = ?2, attempt_started_at_ms = ?3 "
            "where partition_key = 86 and execution_id = ?1"
        )
        now = _now()
        self._commit(
            (update, [(key, now + 30_000, now) for key in ids]), self._events(ids, (0, "acquired", 5, ACQUIRED))
        )

    def complete(self, ids: Sequence[bytes]) -> None:
        update = (
            f"update ff_exec_core set lifecycle_phase = 3, attempt_state = 5, terminal_outcome = 1, public_state = 7, "
            f"event_seq = 6, due_kind = null, due_at_ms = null, {LEASE}, terminal_at_ms = ?2 "
            f"where partition_key = 86 and execution_id = ?1"
        )
        attempt = (
            "update ff_attempt set outcome = 0, terminal_at_ms = ?2 where partition_key = 86 and execution_id = ?1"
        )
        result = "insert into ff_result (partition_key, execution_id, result) values (86, ?1, ?2)"
        now = _now()
        self._commit(
            (update, [(key, now) for key in ids]),
            (attempt, [(key, now) for key in ids]),
            (result, [(key, RESULT) for key in ids]),
            self._events(ids, (1, "completed", 6, None)),
        )

    def note_sizes(self) -> None:
        pass

    def close(self) -> None:
        self._connection.close()

    def _events(self, ids: Sequence[bytes], *events: tuple[int, str, int, str | None]) -> tuple[str, list[object]]:
        insert = f"insert into ff_event ({EVENT_COLUMNS}) values (?, ?, 'default', 86, ?, ?, ?, ?)"
        now = _now()
        return insert, [
            (channel, kind, key, seq, details, now) for key in ids for channel, kind, seq, details in events
        ]

    def _commit(self, *writes: tuple[str, Sequence[object]]) -> None:
        self._connection.execute("begin immediate")
        for sql, values in writes:
            self._connection.executemany(sql, values)
        self._connection.execute("insert into ff_batch values (?, ?)", (os.urandom(16), _now()))
        self._connection.execute("commit")


N = "n as (select * from unnest(%(id)s::uuid[]) as t (id))"
MARKER = "m as (insert into ff_batch values (%(batch)s, %(now)s))"
SHEET = "insert into ff_lease_sheet select %(due)s, array_agg(86::smallint), array_agg(id) from n"


class PostgresFloor(Floor):
    """A database with the engine's schema. Each commit is one statement."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True, options=PINS, prepare_threshold=0)
        self._due = _now() + 30_000

    def create(self, ids: Sequence[bytes]) -> None:
        self._run(
            f"""with {N}, {MARKER},
            d as ({SHEET})
            insert into ff_exec_core ({COLUMNS})
            select 86, id, 'default', 'default', 'noop', 0, %(now)s, 1, 8, 1, 0, 4, 0, 0, 1, 0, 0, 0, 1, %(now)s
              from n""",
            ids,
        )

    def suspend(self, ids: Sequence[bytes]) -> None:
        self._run(
            f"""with {N}, {MARKER},
            u as (update ff_exec_core c set lifecycle_phase = 2, eligibility_state = 8, attempt_state = 7,
                      public_state = 5, event_seq = 2, inbox = %(inbox)s, waiting_since_ms = %(now)s, {LEASE}
                    from n where c.partition_key = 86 and c.execution_id = n.id),
            w as (insert into ff_waitpoint (partition_key, execution_id, key, life, waitpoint_id, created_at_ms,
                      token_kid)
                  select 86, id, 'go', 0, '{UUID_TEXT}', %(now)s, 'k1' from n),
            a as (insert into ff_attempt select 86, id, 0, 1, 'bench', 'floor', %(now)s, null, null from n)
            insert into ff_event ({EVENT_COLUMNS})
            select 0, 'suspended', 'default', 86, id, 2, %(suspended)s, %(now)s from n""",
            ids,
            inbox=INBOX % 0,
            suspended=SUSPENDED,
        )

    def signal(self, ids: Sequence[bytes], *, then: str) -> None:
        states = (0, 0, 7, 6) if then == "ready" else (1, 8, 1, 4)
        side = (
            "r as (insert into ff_ready select 'default', 'default', 0, 0, %(now)s, id, 86 from n)"
            if then == "ready"
            else f"r as ({SHEET})"
        )
        self._run(
            f"""with {N}, {MARKER}, {side},
            u as (update ff_exec_core c set lifecycle_phase = {states[0]}, eligibility_state = {states[1]},
                      attempt_state = {states[2]}, public_state = {states[3]}, event_seq = 4, inbox = %(inbox)s,
                      waiting_since_ms = null
                    from n where c.partition_key = 86 and c.execution_id = n.id),
            s as (insert into ff_signal
                  select 86, id, 1, '{UUID_TEXT}', '{UUID_TEXT}', 'go', '', '', '', %(now)s, 'go', 'null'::bytea
                    from n),
            p as (insert into ff_step (partition_key, execution_id, name, fingerprint, result, attempt_index,
                      recorded_at_ms, number, is_wait)
                  select 86, id, 'go', %(batch)s, %(end)s, 0, %(now)s, 1, 1 from n)
            insert into ff_event ({EVENT_COLUMNS})
            select 3, e.kind, 'default', 86, id, e.seq, e.details, %(now)s
              from n, (values ('delivered', 3, %(delivered)s), ('resumed', 4, %(resumed)s))
                      as e (kind, seq, details)""",
            ids,
            inbox=INBOX % 1,
            end=END,
            delivered=DELIVERED,
            resumed=RESUMED,
        )

    def claim(self, ids: Sequence[bytes]) -> None:
        self._run(
            f"""with {N}, {MARKER},
            k as (delete from ff_ready where ctid = any (array(
                      select ctid from ff_ready where namespace = 'default' and lane_id = 'default'
                         and capability_set = 0
                       order by namespace, lane_id, capability_set, rank, ready_at_ms, execution_id, partition_key
                       limit {len(ids)} for update skip locked))),
            u as (update ff_exec_core c set lifecycle_phase = 1, eligibility_state = 8, attempt_state = 1,
                      public_state = 4, lease_epoch = 2, event_seq = 5, worker_id = 'bench',
                      worker_instance_id = 'floor', lease_ttl_ms = 30000, lease_expires_at_ms = %(now)s + 30000,
                      attempt_started_at_ms = %(now)s
                    from n where c.partition_key = 86 and c.execution_id = n.id),
            d as ({SHEET})
            insert into ff_event ({EVENT_COLUMNS})
            select 0, 'acquired', 'default', 86, id, 5, %(acquired)s, %(now)s from n""",
            ids,
            acquired=ACQUIRED,
        )

    def complete(self, ids: Sequence[bytes]) -> None:
        self._run(
            f"""with {N}, {MARKER},
            u as (update ff_exec_core c set lifecycle_phase = 3, attempt_state = 5, terminal_outcome = 1,
                      public_state = 7, event_seq = 6, {LEASE}, terminal_at_ms = %(now)s
                    from n where c.partition_key = 86 and c.execution_id = n.id),
            a as (insert into ff_attempt select 86, id, 0, 1, 'bench', 'floor', %(now)s, %(now)s, 0 from n
                  on conflict (partition_key, execution_id, attempt_index)
                  do update set outcome = excluded.outcome, terminal_at_ms = excluded.terminal_at_ms),
            r as (insert into ff_result (partition_key, execution_id, result) select 86, id, %(result)s from n)
            insert into ff_event ({EVENT_COLUMNS})
            select 1, 'completed', 'default', 86, id, 6, null, %(now)s from n""",
            ids,
            result=RESULT,
        )

    def note_sizes(self) -> None:
        self._connection.execute("vacuum analyze")

    def close(self) -> None:
        self._connection.close()

    def _run(self, sql: str, ids: Sequence[bytes], **values: object) -> None:
        given = {"id": [key.hex() for key in ids], "now": _now(), "due": self._due, "batch": os.urandom(16), **values}
        self._connection.execute(sql, given)


def _now() -> int:
    return int(time.time() * 1000)
