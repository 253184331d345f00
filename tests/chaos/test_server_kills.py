"""kill -9 of the database server, again and again, under engines that never restart."""

import random
import threading
import time
from pathlib import Path

import pytest

from flowfabric import Created, open_blocking_engine
from flowfabric.engine import limits
from tests.chaos.conftest import Figures, in_group
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.sizes import SIZES
from tests.chaos.surviving import surviving

pytestmark = in_group("servers")


def test_the_server_dies_again_and_again_and_engines_go_on_as_if_nothing_had_happened(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    url = server.url(database)
    chance = random.Random()
    outages_s: list[float] = []

    with surviving(url, tmp_path) as engines:
        for _ in range(SIZES.server_kills):
            engines.wait_for_progress()
            time.sleep(chance.uniform(0, 0.05))  # so that a kill meets any step of a batch
            killed_at = time.monotonic()
            server.kill()
            server.start()
            outages_s.append(time.monotonic() - killed_at)
            assert engines.are_running
        engines.wait_for_progress()
        counted = engines.stop_and_compare(url)

    figures(kills=SIZES.server_kills, outage_max_s=f"{max(outages_s):.1f}", **counted)


def test_whoever_waits_for_a_result_waits_through_the_death_of_the_server(
    server: KillablePostgres, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # How long a busy machine takes to start a server again is not what is asked here.
    monkeypatch.setattr(limits, "RECONNECT_S_MAX", 120.0)
    told: list[str] = []
    with open_blocking_engine(server.url(database), reconcile=False) as engine:
        created = engine.create_execution("wait", b"")
        assert isinstance(created, Created)
        key = created.execution_id

        def wait() -> None:
            told.append(engine.wait_for_result(key, timeout_ms=240_000).public_state)

        def read() -> None:
            told.append(str(engine.describe_execution(key) is not None))

        callers = [threading.Thread(target=wait), threading.Thread(target=read)]
        server.kill()
        for caller in callers:
            caller.start()
        callers[1].join(0.5)  # neither has given up by then
        during = list(told)
        server.start()
        callers[1].join(120)
        (claimed,) = engine.wait_for_work(worker_id="w", worker_instance_id="w-1", timeout_ms=120_000)
        engine.complete(claimed.lease)
        callers[0].join(120)

    assert during == []
    assert told == ["True", "completed"]
