"""kill -9 of the database server, again and again, under engines that never restart."""

import asyncio
import random
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from tests.chaos.books import all_executions, assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import CHAOS, Figures
from tests.chaos.killable_postgres import KillablePostgres
from tests.chaos.lives import COMMANDS, expected_life, normal_events
from tests.chaos.processes import running, wait_until
from tests.chaos.sizes import SIZES

pytestmark = CHAOS

ENGINES = ("ada", "bea")
STEPS_BETWEEN_KILLS = 20


def test_the_server_dies_again_and_again_and_engines_go_on_as_if_nothing_had_happened(
    server: KillablePostgres, database: str, tmp_path: Path, figures: Figures
) -> None:
    url = server.url(database)
    chance = random.Random()
    outages_s: list[float] = []
    answered = {name: tmp_path / f"{name}.answered" for name in ENGINES}

    with ExitStack() as stack:
        engines = [
            stack.enter_context(running("survive", url, answered[name], name, folder=tmp_path)) for name in ENGINES
        ]
        for engine in engines:
            assert engine.line() == "ready"
        for _ in range(SIZES.server_kills):
            wait_for_progress(list(answered.values()))
            time.sleep(chance.uniform(0, 0.05))  # so that a kill meets any step of a batch
            killed_at = time.monotonic()
            server.kill()
            server.start()
            outages_s.append(time.monotonic() - killed_at)
            assert all(engine.is_running for engine in engines)
        wait_for_progress(list(answered.values()))
        for engine in engines:
            engine.tell("stop")
        reports = [engine.report() for engine in engines]

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


def wait_for_progress(answered: list[Path]) -> None:
    """Until every engine has got some more answers than it has now."""
    before = [file.stat().st_size if file.exists() else 0 for file in answered]
    wait_until(
        lambda: all(
            file.exists() and file.stat().st_size >= size + STEPS_BETWEEN_KILLS
            for file, size in zip(answered, before, strict=True)
        )
    )
