"""kill -9 of the database server, again and again, under engines that never restart."""

import random
import threading
import time
from pathlib import Path

<<<<<<< HEAD
=======
from flowfabric import Created, open_blocking_engine
from tests.chaos.books import all_executions, assert_nothing_is_broken, events_by_execution, opened
>>>>>>> 1b3e5ba (Reads try as long as writes do while the store is away, and waits spend their own time on it; closing the engine ends them)
from tests.chaos.conftest import CHAOS, Figures
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.sizes import SIZES
from tests.chaos.surviving import surviving

pytestmark = CHAOS


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

<<<<<<< HEAD
    figures(kills=SIZES.server_kills, outage_max_s=f"{max(outages_s):.1f}", **counted)
=======
    assert [report["surprises"] for report in reports] == [[], []]
    expected = asyncio.run(expected_life())
    lives = [life for report in reports for life in report["lives"]]
    assert [answers for _, answers in lives if answers != expected.answers] == []
    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
        shared = {x.execution_id: x for x in all_executions(store) if x.lane == "shared"}
        results = {key: store.result(key) for key in shared if shared[key].has_ended}
    # Nothing that was acknowledged is missing, and nothing is there that was not.
    for key, _ in lives:
        assert normal_events(happened[key]) == expected.events
    created, completed = ([key for report in reports for key in report[what]] for what in ("created", "completed"))
    assert Counter(created) == Counter(shared.keys())
    assert Counter(completed) == Counter(results.keys())
    assert len(happened.keys() - shared.keys()) == len(lives)
    acquired = [tuple(pair) for report in reports for pair in report["acquired"]]
    leased = [
        (key, event.details["lease_epoch"])
        for key in shared
        for event in happened.get(key, [])
        if event.event_type == "acquired"
    ]
    assert Counter(acquired) == Counter(leased)
    ambiguous, resolved = (sum(report[what] for report in reports) for what in ("ambiguous", "resolved"))
    assert ambiguous == resolved
    figures(
        kills=SIZES.server_kills,
        outage_max_s=f"{max(outages_s):.1f}",
        acknowledged=COMMANDS * len(lives) + len(created) + len(acquired) + len(completed),
        missing=0,
        twice=0,
        ambiguous=ambiguous,
        resolved=resolved,
        engine_restarts=0,
    )


def test_whoever_waits_for_a_result_waits_through_the_death_of_the_server(
    server: KillablePostgres, database: str
) -> None:
    told: list[str] = []
    with open_blocking_engine(server.url(database), reconcile=False) as engine:
        created = engine.create_execution("wait", b"")
        assert isinstance(created, Created)
        key = created.execution_id

        def wait() -> None:
            told.append(engine.wait_for_result(key, timeout_ms=60_000).public_state)

        def read() -> None:
            told.append(str(engine.describe_execution(key) is not None))

        callers = [threading.Thread(target=wait), threading.Thread(target=read)]
        server.kill()
        for caller in callers:
            caller.start()
        callers[1].join(0.5)  # neither has given up by then
        during = list(told)
        server.start()
        callers[1].join(60)
        (claimed,) = engine.wait_for_work(worker_id="w", worker_instance_id="w-1", timeout_ms=60_000)
        engine.complete(claimed.lease)
        callers[0].join(60)

    assert during == []
    assert told == ["True", "completed"]


def wait_for_progress(answered: list[Path]) -> None:
    """Until every engine has got some more answers than it has now."""
    before = [file.stat().st_size if file.exists() else 0 for file in answered]
    wait_until(
        lambda: all(
            file.exists() and file.stat().st_size >= size + STEPS_BETWEEN_KILLS
            for file, size in zip(answered, before, strict=True)
        )
    )
>>>>>>> 1b3e5ba (Reads try as long as writes do while the store is away, and waits spend their own time on it; closing the engine ends them)
