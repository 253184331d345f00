"""Engines that never restart, whatever happens to the database, and the account of it all at the end."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.chaos.books import all_executions, assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.lives import COMMANDS, expected_life, normal_events
from tests.chaos.processes import Process, running, wait_until

ENGINES = ("ada", "bea")
STEPS_BETWEEN_FAULTS = 20


class Survivors:
    """Processes that tell lives and share a queue, each with an engine of its own."""

    def __init__(self, processes: list[Process], answered: list[Path]) -> None:
        self._processes = processes
        self._answered = answered

    @property
    def are_running(self) -> bool:
        return all(process.is_running for process in self._processes)

    def wait_for_progress(self) -> None:
        """Until every engine has got some more answers than it has now."""
        before = [file.stat().st_size if file.exists() else 0 for file in self._answered]
        wait_until(
            lambda: all(
                file.exists() and file.stat().st_size >= size + STEPS_BETWEEN_FAULTS
                for file, size in zip(self._answered, before, strict=True)
            )
        )

    def stop_and_compare(self, url: str) -> dict[str, object]:
        """End them; what was acknowledged must be in the store exactly once, and nothing else. Returned is how much."""
        for process in self._processes:
            process.tell("stop")
        reports = [process.report() for process in self._processes]
        surprises = Counter(surprise for report in reports for surprise in report["surprises"])
        assert not surprises, surprises
        expected = asyncio.run(expected_life())
        lives = [life for report in reports for life in report["lives"]]
        assert [answers for _, answers in lives if answers != expected.answers] == []
        with opened(url) as store:
            assert_nothing_is_broken(store)
            happened = events_by_execution(store)
            shared = {x.execution_id: x for x in all_executions(store) if x.lane == "shared"}
            results = {key: store.result(key) for key in shared if shared[key].has_ended}
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
        return {
            "acknowledged": COMMANDS * len(lives) + len(created) + len(acquired) + len(completed),
            "missing": 0,
            "twice": 0,
            "ambiguous": ambiguous,
            "resolved": resolved,
            "engine_restarts": 0,
        }


@contextmanager
def surviving(url: str, folder: Path) -> Iterator[Survivors]:
    """Two of them, at work."""
    answered = [folder / f"{name}.answered" for name in ENGINES]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(running("survive", url, file, name, folder=folder))
            for name, file in zip(ENGINES, answered, strict=True)
        ]
        for process in processes:
            assert process.line() == "ready"
        yield Survivors(processes, answered)
