"""Faults that only `make chaos-long` brings: they take long, or need what is not installed everywhere."""

import os
import random
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest

from flowfabric import open_blocking_engine
from tests.chaos.books import all_events, opened
from tests.chaos.conftest import Figures
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.long.disturbed_proxy import DisturbedProxy
from tests.chaos.processes import wait_until
from tests.chaos.surviving import surviving
from tests.server import ff_server

FAULTS = int(os.environ.get("FF_CHAOS_FAULTS", "5"))
"""How many faults there are in one run of a test."""
READERS = 20
FAKE_TIME = os.environ.get("FF_LIBFAKETIME", "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")
"""A package of the operating system. The variable says where it lies elsewhere."""
HOUR_S = 3_600
pytestmark = pytest.mark.timeout(3_600)
chance = random.Random()


def test_sessions_of_the_database_are_terminated_at_random_and_nothing_is_lost(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    terminated = 0
    with surviving(server.url(database), tmp_path) as engines:
        with psycopg.connect(server.url("postgres"), autocommit=True) as operator:
            while terminated < FAULTS:
                engines.wait_for_progress()
                time.sleep(chance.uniform(0, 0.05))
                ended = operator.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s"
                    " order by random() limit 2",
                    (database,),
                ).fetchall()
                terminated += len(ended)
                assert engines.are_running
        engines.wait_for_progress()
        counted = engines.stop_and_compare(server.url(database))
    figures(terminated=terminated, **counted)


def test_packets_come_late_or_never_and_nothing_is_lost(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    wire = DisturbedProxy(server.socket, one_in=200, seed=chance.randrange(10**6))
    with wire.running(), surviving(wire.url(database), tmp_path) as engines:
        while wire.faults.total() < FAULTS:
            engines.wait_for_progress()
            assert engines.are_running
        wire.is_calm = True
        engines.wait_for_progress()
        counted = engines.stop_and_compare(server.url(database))
    figures(**wire.faults, **counted)


def test_the_clock_of_the_engines_jumps_by_an_hour_and_nothing_is_early_or_lost(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = tmp_path / "clock"
    clock.write_text("+0\n")
    # The processes that are forked later have it: the first of them makes the server that forks them. The database has
    # its own clock, and the monotonic clock goes on as it was.
    assert "multiprocessing.forkserver" not in sys.modules or not _is_forking(), "run this test by itself"
    for name, value in {
        "LD_PRELOAD": FAKE_TIME,
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }.items():
        monkeypatch.setenv(name, value)
    with surviving(server.url(database), tmp_path) as engines:
        monkeypatch.delenv("LD_PRELOAD")
        assert all("libfaketime" in Path(f"/proc/{each.pid}/maps").read_text() for each in engines._processes)
        for _ in range(FAULTS):
            engines.wait_for_progress()
            clock.write_text(f"{chance.choice([-HOUR_S, -300, 0, 300, HOUR_S]):+d}\n")
            assert engines.are_running
        engines.wait_for_progress()
        counted = engines.stop_and_compare(server.url(database))
    figures(jumps=FAULTS, **counted)


def _is_forking() -> bool:
    from multiprocessing.forkserver import _forkserver

    return _forkserver._forkserver_pid is not None


def test_servers_are_killed_under_readers_of_events_and_nobody_misses_one(
    url: str, tmp_path: Path, figures: Figures
) -> None:
    seen: list[list[int]] = [[] for _ in range(READERS)]
    enough = threading.Event()
    failures: list[str] = []

    def read(number: int) -> None:
        try:
            with open_blocking_engine(served.url) as reader:
                for event in reader.subscribe():
                    seen[number].append(event.event_id)
                    if event.event_type == "cancelled" and enough.is_set() and event.execution_id == last[0]:
                        return
        except Exception as error:
            failures.append(repr(error))

    last = [""]
    with open_blocking_engine(url, reconcile=False, migrate=True) as engine, ff_server.running(url, tmp_path) as served:
        threads = [threading.Thread(target=read, args=[number], daemon=True) for number in range(READERS)]
        for thread in threads:
            thread.start()
        for _ in range(FAULTS):
            before = min(map(len, seen))
            for _ in range(30):
                made = engine.create_execution("kind").execution_id
                engine.cancel_execution(made, reason="seen enough")
            wait_until(lambda before=before: bool(failures) or min(map(len, seen)) > before)
            served.kill()
            engine.cancel_execution(engine.create_execution("kind").execution_id, reason="while it is away")
            served.start()
        last[0] = engine.create_execution("kind").execution_id
        enough.set()
        engine.cancel_execution(last[0], reason="the last one")
        for thread in threads:
            thread.join(120)
    assert failures == []
    with opened(url) as store:
        expected = [event.event_id for event in all_events(store)]
    assert [ids for ids in seen if ids != expected] == []
    figures(kills=FAULTS, readers=READERS, events=len(expected), read=sum(map(len, seen)), lost=0, twice=0)
