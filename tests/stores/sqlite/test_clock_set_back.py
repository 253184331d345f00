"""A machine whose clock is set back, under one engine or under several on the same file."""

import logging
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from flowfabric import BlockingEngine, ManualClock, open_blocking_engine
from flowfabric.app import accept_clock, examine
from flowfabric.domain.health.judging import findings
from flowfabric.domain.passing_time import KeptTime
from flowfabric.stores.sqlite.store import SqliteStore
from flowfabric.stores.sqlite.store_time import StoreTime, ThisMachine

NOW = 1_900_000_000_000
HOUR = 3_600_000
YEAR = 365 * 24 * HOUR


class FakeMachine:
    """A wall clock that a test sets, and a monotonic clock that only passes."""

    def __init__(self, wall_ms: int = NOW, boot_id: str = "") -> None:
        self.wall_ms = wall_ms
        self.monotonic_ms = 5_000
        self.boot_id = boot_id

    def passes(self, ms: int) -> None:
        self.wall_ms += ms
        self.monotonic_ms += ms


@pytest.fixture
def machine() -> FakeMachine:
    return FakeMachine()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "jobs.db"


@contextmanager
def engine_on(path: Path, machine: FakeMachine) -> Iterator[BlockingEngine]:
    with open_blocking_engine(f"sqlite:///{path}", clock=StoreTime(machine), reconcile=False) as engine:
        yield engine


def kept_in(path: Path) -> KeptTime:
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        (found,) = connection.execute("select value from ff_meta where name = 'clock'").fetchone()
    return msgspec.json.decode(found, type=KeptTime)


def claim(engine: BlockingEngine) -> list[str]:
    claimed = engine.claim(worker_id="w", worker_instance_id="w-1", limit=1, lease_ttl_ms=30_000)
    return [each.execution_id for each in claimed]


def test_the_lease_of_a_dead_worker_is_over_in_time_though_the_clock_went_back_an_hour(
    path: Path, machine: FakeMachine, caplog: pytest.LogCaptureFixture
) -> None:
    with engine_on(path, machine) as engine:
        job = engine.create_execution("kind").execution_id
        assert claim(engine) == [job]
        machine.passes(10_000)
        machine.wall_ms -= HOUR
        machine.passes(19_000)
        assert claim_after_sweep(engine) == []
        machine.passes(1_001)
        assert claim_after_sweep(engine) == [job]

    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert ["3600.0 s behind" in record.getMessage() for record in warnings] == [True]


def claim_after_sweep(engine: BlockingEngine) -> list[str]:
    engine.reconcile()
    return claim(engine)


def test_time_does_not_go_back_across_a_restart_by_more_than_a_second(path: Path, machine: FakeMachine) -> None:
    with engine_on(path, machine) as engine:
        engine.create_execution("kind")
        machine.passes(999)
        engine.create_execution("kind")
        before = engine.server_time_ms()

    rebooted = FakeMachine(NOW - HOUR)
    with engine_on(path, rebooted) as engine:
        assert engine.server_time_ms() >= before - 1_000
        rebooted.passes(60_000)
        assert engine.server_time_ms() == NOW + 60_000


def test_engines_on_one_file_agree_and_none_goes_back_behind_what_another_has_committed(path: Path) -> None:
    ours, theirs = FakeMachine(), FakeMachine()
    with engine_on(path, ours) as one, engine_on(path, theirs) as other:
        one.create_execution("kind")
        theirs.wall_ms = NOW - HOUR
        assert other.server_time_ms() == NOW
        ours.passes(600_000)
        one.create_execution("kind")
        made = other.create_execution("kind").execution_id
        found = other.describe_execution(made)

    assert found is not None
    assert found.created_at_ms == NOW + 600_000


def test_a_process_that_is_started_after_the_clock_was_set_back_has_the_time_of_one_that_idled(path: Path) -> None:
    machine = FakeMachine(boot_id="this boot")
    with engine_on(path, machine) as idle:
        job = idle.create_execution("kind").execution_id
        machine.wall_ms -= HOUR
        machine.passes(600_000)
        with engine_on(path, machine) as started:
            assert started.server_time_ms() == idle.server_time_ms() == NOW + 600_000
            (claimed,) = started.claim(worker_id="w", worker_instance_id="w-1", limit=1, lease_ttl_ms=30_000)
            idle.reconcile()
            started.complete(claimed.lease, b"done")
        assert idle.get_result(job) == b"done"


def test_real_processes_of_one_boot_read_the_same_monotonic_clock() -> None:
    here = ThisMachine()
    shown = "from flowfabric.stores.sqlite.store_time import ThisMachine as M; print(M().boot_id, M().monotonic_ms)"
    before_ms = here.monotonic_ms
    boot_id, _, monotonic_ms = subprocess.check_output([sys.executable, "-c", shown], text=True).rpartition(" ")

    assert boot_id == here.boot_id
    if boot_id:
        assert before_ms <= int(monotonic_ms) <= here.monotonic_ms


def test_a_clock_that_is_set_right_is_followed_again(path: Path, machine: FakeMachine) -> None:
    with engine_on(path, machine) as engine:
        engine.create_execution("kind")
        machine.wall_ms -= HOUR
        engine.create_execution("kind")
        machine.wall_ms += HOUR
        machine.passes(5_000)

        assert engine.server_time_ms() == NOW + 5_000


def test_the_highest_time_is_not_written_with_every_batch(path: Path, machine: FakeMachine) -> None:
    with engine_on(path, machine) as engine:
        for _ in range(3):
            engine.create_execution("kind")
            machine.passes(400)
        first = kept_in(path)
        machine.passes(400)
        engine.create_execution("kind")

    assert (first, kept_in(path)) == (KeptTime(NOW), KeptTime(NOW + 1_600))


def test_after_a_jump_forward_by_mistake_an_operator_accepts_the_clock_and_all_engines_follow(
    path: Path, machine: FakeMachine
) -> None:
    operator = FakeMachine()
    with engine_on(path, machine) as engine:
        engine.create_execution("kind")
        machine.wall_ms += YEAR
        engine.create_execution("kind")
        machine.wall_ms -= YEAR
        machine.passes(2_000)
        assert engine.server_time_ms() == NOW + YEAR + 2_000
        engine.create_execution("kind")

        with closing(SqliteStore(str(path), clock=StoreTime(operator))) as store:
            assert store.accept_clock() == YEAR + 2_000

        machine.passes(1_000)
        made = engine.create_execution("kind").execution_id
        found = engine.describe_execution(made)
        assert found is not None
        assert found.created_at_ms == NOW + 3_000
    assert kept_in(path) == KeptTime(NOW + 3_000, 1)


def test_the_doctor_tells_how_far_the_clock_is_behind_and_what_to_do(path: Path, machine: FakeMachine) -> None:
    with engine_on(path, machine) as engine:
        engine.create_execution("kind", delay_until_ms=NOW + HOUR)
    back = ManualClock(NOW - HOUR)

    (finding,) = findings(examine(f"sqlite:///{path}", machine=back))

    assert finding.problem == "clock_set_back"
    assert "60 min behind the time of the database" in finding.what
    assert "`ff clock accept`" in finding.advice


def test_a_submit_in_a_transaction_of_the_caller_keeps_to_the_same_time(path: Path, machine: FakeMachine) -> None:
    theirs = FakeMachine()
    with engine_on(path, machine) as engine, engine_on(path, theirs) as other:
        machine.passes(HOUR)
        engine.create_execution("kind")
        with closing(sqlite3.connect(path)) as conn, other.transaction(conn):
            made = other.create_execution("kind", conn=conn).execution_id
        found = engine.describe_execution(made)

    assert found is not None
    assert found.created_at_ms == NOW + HOUR


def test_a_kept_time_that_does_not_parse_is_replaced(path: Path, machine: FakeMachine) -> None:
    with engine_on(path, machine) as engine:
        engine.create_execution("kind")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("update ff_meta set value = 'soon' where name = 'clock'")
        machine.passes(1_000)
        engine.create_execution("kind")

    assert kept_in(path) == KeptTime(NOW + 1_000)


def test_accepting_a_clock_that_is_followed_changes_nothing(path: Path) -> None:
    with open_blocking_engine(f"sqlite:///{path}", reconcile=False) as engine:
        engine.create_execution("kind")

    assert accept_clock(f"sqlite:///{path}") == 0


def test_that_an_operator_has_accepted_the_clock_is_logged_by_those_who_are_there_and_not_at_each_opening(
    path: Path, machine: FakeMachine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="flowfabric.stores.sqlite")

    def logged() -> int:
        return sum("an operator has accepted the clock" in record.getMessage() for record in caplog.records)

    with engine_on(path, machine) as engine:
        accept_clock(f"sqlite:///{path}")
        by_the_operator = logged()
        engine.create_execution("kind")
        assert (by_the_operator, logged()) == (1, 2)
    with engine_on(path, machine) as engine:
        engine.create_execution("kind")
    assert logged() == 2
