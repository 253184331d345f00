"""A worker that is frozen until its lease is over, and then goes on as if nothing had happened."""

import json
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psutil
import psycopg
import pytest

from flowfabric import BlockingEngine, ExecutionSnapshot, NewExecution, open_blocking_engine
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.processes import Process, running, wait_until
from tests.chaos.sizes import SIZES

pytestmark = in_group("workers")

LEASE_TTL_MS = 400
FREED_S = 6.0
"""A wait for a lock gives up after five seconds, and then frees it."""
HOLDERS_OF_LOCKS = """
    select count(*) from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction' and wait_event = 'ClientRead'"""


def nobody(engine: BlockingEngine) -> None:
    """It is back in the queue, and stays there."""


def another_runs_it(engine: BlockingEngine) -> None:
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="another")
    assert claimed.claim_type == "reclaim"


def another_has_completed_it(engine: BlockingEngine) -> None:
    (claimed,) = engine.claim(worker_id="w", worker_instance_id="another")
    engine.complete(claimed.lease, b"in time")


@pytest.mark.parametrize(
    ("meanwhile", "refusal", "state"),
    [
        (nobody, "ExecutionNotActive", "waiting"),
        (another_runs_it, "StaleLease", "active"),
        (another_has_completed_it, "ExecutionNotActive", "completed"),
    ],
)
def test_a_worker_frozen_beyond_its_lease_completes_nothing_when_it_wakes(
    url: str,
    tmp_path: Path,
    figures: Figures,
    meanwhile: Callable[[BlockingEngine], None],
    refusal: str,
    state: str,
) -> None:
    answers: Counter[str] = Counter()
    with open_blocking_engine(url) as engine:
        for number in range(SIZES.pauses):
            key = engine.create_execution("kind", priority=number).execution_id
            with running("complete_when_told", url, LEASE_TTL_MS, folder=tmp_path) as worker:
                assert worker.line() == key

                worker.signal(signal.SIGSTOP)
                worker.tell("complete it")
                wait_until(lambda key=key: snapshot(engine, key).public_state == "waiting")
                meanwhile(engine)
                worker.signal(signal.SIGCONT)

                answers[worker.report()["answer"]] += 1
                assert snapshot(engine, key).public_state == state
                assert engine.get_result(key) != b"late"
                if state != "completed":
                    engine.cancel_execution(key, reason="seen enough")
    with opened(url) as store:
        assert_nothing_is_broken(store)
    assert answers == {refusal: SIZES.pauses}
    figures(pauses=SIZES.pauses, accepted=0, refused=f"{SIZES.pauses} as {refusal}")


def test_a_process_frozen_in_the_middle_of_a_batch_does_not_keep_its_locks(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    url = server.url(database)
    took_s: list[float] = []
    with open_blocking_engine(url, reconcile=False) as engine:
        created = [each.execution_id for each in engine.create_executions([NewExecution(kind="kind")] * 10)]
        ids, rounds = tmp_path / "ids", tmp_path / "rounds"
        ids.write_text(json.dumps(created))
        with running("move_without_end", url, ids, rounds, folder=tmp_path) as process:
            assert process.line() == "ready"
            for _ in range(SIZES.freezes):
                before = rounds.stat().st_size
                wait_until(lambda before=before: rounds.stat().st_size > before + 1)
                freeze_in_a_batch(process, url)
                started_at = time.monotonic()

                for key in created:
                    assert engine.change_priority(key, 7).new_priority == 7

                took_s.append(time.monotonic() - started_at)
                process.signal(signal.SIGCONT)
            process.tell("stop")
            assert process.report()["surprises"] == []
    with opened(url) as store:
        assert_nothing_is_broken(store)
    assert max(took_s) < FREED_S + SIZES.margin_ms / 1000
    figures(freezes=SIZES.freezes, freed_max_s=f"{max(took_s):.1f}")


def freeze_in_a_batch(process: Process, url: str) -> None:
    """Stop the process, and let it go on, until it is stopped between the first and the last word of a batch."""
    with psycopg.connect(url, autocommit=True) as connection:
        while True:
            process.signal(signal.SIGSTOP)
            wait_until(lambda: is_stopped(process))
            (holders,) = connection.execute(HOLDERS_OF_LOCKS).fetchone() or (0,)
            if holders:
                return
            process.signal(signal.SIGCONT)


def is_stopped(process: Process) -> bool:
    return psutil.Process(process.pid).status() == psutil.STATUS_STOPPED


def snapshot(engine: BlockingEngine, execution_id: str) -> ExecutionSnapshot:
    found = engine.describe_execution(execution_id)
    assert found is not None
    return found
