"""Costs that must not grow: claims from a deep queue, and claims while an old snapshot is held open elsewhere."""

import statistics
import time

import psycopg
from databases import postgres_database
from rich.console import Console
from workload import PAYLOAD, RESULT

from flowfabric import BlockingEngine, NewExecution, open_blocking_engine

WAITING = 1_000_000
FINISHED = 1_000_000
CLAIMS = 50
LIMIT = 100
JOBS_UNDER_SNAPSHOT = 100_000

_BULK = """
insert into ff_exec_core (partition_key, execution_id, namespace, lane_id, execution_kind, capability_set,
    created_at_ms, lifecycle_phase, eligibility_state, attempt_state, terminal_outcome, public_state, priority,
    attempt_index, lease_epoch, retry_count, interruption_count, replay_count, event_seq, ready_at_ms, started_at_ms,
    terminal_at_ms)
select 86, (lpad(to_hex({at} + i / 1000), 12, '0') || '70008' || lpad(to_hex(i), 15, '0'))::uuid, 'default',
       'default', 'noop', 0, {at}, {phase}, {eligibility}, {attempt}, {outcome}, {public}, 0, 0, {epoch}, 0, 0, 0, 0,
       {at}, {started}, {started}
  from generate_series(1, %(rows)s) as i
"""


def measure_depth(console: Console, server: str) -> dict[str, float]:
    """How long a claim of 100 takes on an empty store, and with a million waiting and a million finished."""
    with postgres_database(server) as url, open_blocking_engine(url, reconcile=False) as engine:
        with console.status("claims: nothing else there"):
            empty = _claim_ms(engine)
        with console.status("claims: adding a million waiting and a million finished"):
            _fill(url)
        with console.status("claims: from the deep queue"):
            deep = _claim_ms(engine)
    console.print(
        f"claim of {LIMIT}: {empty:.1f} ms on an empty store, {deep:.1f} ms with {WAITING:,} waiting and "
        f"{FINISHED:,} finished: {deep / empty:.2f}x"
    )
    return {"empty_ms": empty, "deep_ms": deep, "ratio": deep / empty}


def measure_old_snapshot(console: Console, server: str) -> dict[str, float]:
    """How long a claim of 100 takes before and after 100,000 jobs have passed under one open transaction."""
    with (
        postgres_database(server) as url,
        open_blocking_engine(url, reconcile=False) as engine,
        psycopg.connect(url) as old,
    ):
        first = _claim_ms(engine)
        old.execute("set transaction isolation level repeatable read")
        old.execute("select count(*) from ff_exec_core")
        with console.status(f"claims: {JOBS_UNDER_SNAPSHOT:,} jobs under an old snapshot"):
            for _ in range(JOBS_UNDER_SNAPSHOT // 1000):
                _create(engine, 1000)
                for _ in range(10):
                    for claimed in engine.claim(worker_id="b", worker_instance_id="b", limit=LIMIT):
                        del claimed
        last = _claim_ms(engine)
    console.print(
        f"claim of {LIMIT} after {JOBS_UNDER_SNAPSHOT:,} jobs under an old snapshot: {first:.1f} ms before, "
        f"{last:.1f} ms after: {last / first:.2f}x"
    )
    return {"before_ms": first, "after_ms": last, "ratio": last / first}


def _claim_ms(engine: BlockingEngine) -> float:
    """The median time of a claim of 100, with 100 new executions before each."""
    times = []
    for _ in range(CLAIMS):
        _create(engine, LIMIT)
        start = time.perf_counter()
        claimed = engine.claim(worker_id="b", worker_instance_id="b", limit=LIMIT)
        times.append(time.perf_counter() - start)
        assert len(claimed) == LIMIT
        engine.complete(claimed[0].lease, RESULT)
    return statistics.median(times) * 1000


def _create(engine: BlockingEngine, count: int) -> None:
    engine.create_executions([NewExecution(kind="noop", payload=PAYLOAD) for _ in range(count)])


def _fill(url: str) -> None:
    now = int(time.time() * 1000)
    waiting = {"at": now, "phase": 0, "eligibility": 0, "attempt": 0, "outcome": 0, "public": 0, "epoch": 0}
    yesterday = now - 86_400_000
    finished = {"at": yesterday, "phase": 3, "eligibility": 8, "attempt": 5, "outcome": 1, "public": 7, "epoch": 1}
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_BULK.format(**waiting, started="null"), {"rows": WAITING})
        connection.execute(
            "insert into ff_ready select namespace, lane_id, capability_set, -priority, ready_at_ms, execution_id,"
            " partition_key from ff_exec_core where lifecycle_phase = 0 on conflict do nothing"
        )
        connection.execute(
            "insert into ff_payload select partition_key, execution_id, %s from ff_exec_core"
            " where lifecycle_phase = 0 on conflict do nothing",
            (PAYLOAD,),
        )
        connection.execute(_BULK.format(**finished, started=now), {"rows": FINISHED})
        connection.execute("analyze")
