"""The engine shares its interpreter with the user's code, which may well be busy.

Every call into SQLite gives up the interpreter, and a thread that computes may keep it for the switch interval of 5 ms
before it gives it back. So a batch is a handful of calls, however many rows it has.
"""

import asyncio
import threading

import pytest

from flowfabric import NewExecution, open_engine
from flowfabric.domain import inputs
from flowfabric.domain.commands import Complete, Envelope
from tests.assembled import Assembled
from tests.stores.sqlite.conftest import writer_of

JOBS = 200
HANGS_AFTER_S = 40.0
"""A bound for something that has come to a standstill, not a measure of speed: a few seconds are usual."""


@pytest.mark.xdist_group("sqlite: busy interpreter")
def test_two_hundred_lives_end_while_a_thread_computes_without_pause(url: str) -> None:
    stop = threading.Event()

    def compute() -> None:
        value = 0
        while not stop.is_set():
            for number in range(1000):
                value = (value * 31 + number) % 1_000_003

    async def live() -> list[bytes | None]:
        async with open_engine(url, reconcile=False) as engine:
            created = await asyncio.gather(*(engine.create_execution("kind", b"payload") for _ in range(JOBS)))
            claimed = await engine.claim(worker_id="w", worker_instance_id="i", limit=JOBS)
            await asyncio.gather(*(engine.complete(each.lease, b"done") for each in claimed))
            return await asyncio.gather(*(engine.get_result(each.execution_id) for each in created))

    computing = threading.Thread(target=compute)
    computing.start()
    try:
        results = asyncio.run(asyncio.wait_for(live(), HANGS_AFTER_S))
    finally:
        stop.set()
        computing.join()

    assert results == [b"done"] * JOBS


def test_a_batch_is_a_handful_of_statements_however_many_rows_it_has(parts: Assembled) -> None:
    engine, connection = parts.engine, writer_of(parts).connection
    assert connection is not None
    statements: list[str] = []
    connection.set_trace_callback(statements.append)
    calls = {}

    engine.create_executions([NewExecution(kind="kind")] * JOBS)
    calls["create"] = len(statements)
    statements.clear()
    claimed = engine.claim(worker_id="w", worker_instance_id="i", limit=JOBS)
    calls["claim"] = len(statements)
    statements.clear()
    parts.commits.execute_all([Envelope(Complete(inputs.fence(each.lease), b"done")) for each in claimed])
    calls["complete"] = len(statements)
    connection.set_trace_callback(None)

    # Rows go in lots of powers of two, 128 + 64 + 8 here, so each table takes three calls; the completions may have
    # been taken up in two batches.
    assert calls["create"] < 20
    assert calls["claim"] < 20
    assert calls["complete"] < 60
