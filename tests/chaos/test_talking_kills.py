"""kill -9 of workers whose tasks speak, and of those who read along."""

import json
import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from flowfabric import BlockingEngine, ExecutionPolicy, RetryPolicy, StreamFrame, open_blocking_engine
from tests.chaos import talk
from tests.chaos.books import assert_nothing_is_broken, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.processes import Process, wait_until
from tests.chaos.readers import Note, Notebook, read
from tests.chaos.sizes import IS_LONG, SIZES
from tests.chaos.test_task_workers import FfWorker, call, is_run_by
from tests.talks import Line, by_place, spoken_by

pytestmark = in_group("workers")

WORKERS = 2
OPTIONS = ("--concurrency", "8", "--lease", "1s", "--poll", "200ms")
POLICY = ExecutionPolicy(retry=RetryPolicy(max_retries=2, initial_delay_ms=0), max_interruptions=1_000)
FIRST = "is there from the start"
UNENDED = [Line("say", 3), Line("step", 2), Line("say", 2)]
PLACES = 200
"""At how many places each reader stops, and goes on when all is over."""


def test_readers_in_other_processes_end_with_what_one_undisturbed_run_says_while_all_of_them_are_killed(
    url: str, tmp_path: Path, figures: Figures
) -> None:
    chance = random.Random(7)
    with open_blocking_engine(url) as engine, stage(url, tmp_path) as on_stage:
        may_end = tmp_path / "may end"
        scripts = submit(engine, chance, may_end)
        unended = next(iter(scripts))
        signals = [(key, wait) for key, script in scripts.items() for wait in waits_of(script)]
        on_stage.start_reader(FIRST, "follow", scripts, 0)
        on_stage.start_reader("reconnects", "follow", scripts, 3)
        for _ in range(WORKERS):
            on_stage.start_worker()

        wait_until(lambda: unended in on_stage.books()[FIRST] and on_stage.worker_of(unended, engine) is not None)
        on_stage.replace_worker(on_stage.worker_of(unended, engine))
        may_end.touch()
        kills = 1
        while kills < SIZES.talk_kills and engine.count_executions(public_state="active"):
            time.sleep(chance.uniform(0.05, 0.4))  # so that a kill meets any moment of a talk
            on_stage.replace_worker(chance.choice(on_stage.workers))
            if kills % 2:
                on_stage.replace_reader("reconnects")
            kills += 1
            if kills == SIZES.talk_kills // 2:
                on_stage.start_reader("comes late", "turn_pages", scripts)
            send(engine, signals, len(scripts) // SIZES.talk_kills)
        send(engine, signals, len(signals))
        on_stage.wait_for_readers()
        books = on_stage.books()

        whole = {key: list(rest_of(engine, key, None)) for key in scripts}
        for key, script in scripts.items():
            assert by_place((frame.step, frame.value) for frame in whole[key]) == spoken_by(script)
        for name, book in books.items():
            for key, notes in book.items():
                assert list(read(notes).frames) == whole[key], name
                # Also one who has stopped anywhere, and goes on now.
                for count in chance.sample(range(len(notes)), min(len(notes), PLACES // len(scripts))):
                    seen = read(notes[:count])
                    for frame in rest_of(engine, key, notes[count - 1].cursor if count else None):
                        seen.add(frame)
                    assert list(seen.frames) == whole[key], (name, count)

    with opened(url) as store:
        assert_nothing_is_broken(store)
    restarts = restarts_in(books)
    assert restarts["worker_lost"], "nobody was killed in the middle of a talk"
    figures(kills=kills, talks=len(scripts), differences=0, **restarts)


def submit(engine: BlockingEngine, chance: random.Random, may_end: Path) -> Mapping[str, list[Line]]:
    """Talks, each with the script that is known here. The first one stays in its worker until the file exists."""
    kinds = talk.NARRATORS if IS_LONG else talk.NARRATORS[:3]  # a child process takes long to start
    made: dict[str, list[Line]] = {}
    for number in range(SIZES.talks):
        script = [line(chance) for _ in range(chance.randint(2, 6))] if number else UNENDED
        new = call(kinds[number % len(kinds)], script=script, fails=chance.choice((0, 0, 0, 1)))
        if not number:
            new = call("narrate_and_stay", script=script, may_end=str(may_end))
        made[engine.create_executions([replace(new, policy=POLICY)])[0].execution_id] = script
    return made


def line(chance: random.Random) -> Line:
    return Line(
        what=chance.choice(("say", "say", "say", "step", "step", "step", "both", "nap", "wait", "flush")),
        texts=chance.randint(0, 4),
        pause_ms=chance.choice((0, 1, 10, 25, 80, 81)),
        tries=chance.choice((1, 1, 1, 2, 3)),
    )


def waits_of(script: Sequence[Line]) -> list[str]:
    return [f"wait-{number}" for number, each in enumerate(script) if each.what == "wait"]


def send(engine: BlockingEngine, signals: list[tuple[str, str]], count: int) -> None:
    """Send the next signals, so many at most."""
    for key, wait in signals[:count]:
        engine.signal(key, wait, b'"go on"')
    del signals[:count]


def restarts_in(books: Mapping[str, Mapping[str, Sequence[Note]]]) -> Counter[str]:
    """How often readers were told that something no longer counts, and why."""
    frames = (frame for book in books.values() for notes in book.values() for note in notes for frame in note.frames)
    return Counter(frame.value.why for frame in frames if frame.kind == "restart")


def rest_of(engine: BlockingEngine, key: str, cursor: str | None) -> Iterator[StreamFrame]:
    """What a reader at the cursor gets now."""
    while (page := engine.read_stream(key, cursor=cursor, limit=1000)).frames:
        yield from page.frames
        cursor = page.next_cursor


class Stage:
    """Workers that speak, and readers in other processes."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self.workers: list[Process] = []
        self._readers: dict[str, Process] = {}
        self._orders: dict[str, tuple[object, ...]] = {}

    def start_worker(self) -> None:
        self.workers.append(FfWorker(self._url, self._folder, *OPTIONS, app="tests.chaos.talk:ff"))

    def worker_of(self, key: str, engine: BlockingEngine) -> Process | None:
        """The worker that runs the execution now."""
        return next((worker for worker in self.workers if is_run_by(engine, key, worker.pid)), None)

    def replace_worker(self, worker: Process | None) -> None:
        """Kill a worker, and start another one."""
        assert worker is not None
        self.workers.remove(worker)
        worker.kill()
        self.start_worker()

    def start_reader(self, name: str, program: str, scripts: Mapping[str, object], *more: object) -> None:
        """Let somebody read all streams, in a process."""
        self._orders[name] = program, self._url, json.dumps(list(scripts)), self._folder / name, *more
        self._start(name)

    def replace_reader(self, name: str) -> None:
        """Kill a reader, and let another process go on."""
        self._readers.pop(name).end()
        self._start(name)

    def _start(self, name: str) -> None:
        program, *arguments = self._orders[name]
        self._readers[name] = Process("tests.chaos.readers", str(program), tuple(arguments), self._folder)

    def wait_for_readers(self) -> None:
        """Until all streams are over."""
        for process in self._readers.values():
            assert process.report() == "done"

    def books(self) -> dict[str, dict[str, list[Note]]]:
        """What each reader has read of each stream."""
        return {name: Notebook(self._folder / name).by_execution() for name in self._readers}

    def end(self) -> None:
        for process in (*self.workers, *self._readers.values()):
            process.end()


@contextmanager
def stage(url: str, folder: Path) -> Iterator[Stage]:
    found = Stage(url, folder)
    try:
        yield found
    finally:
        found.end()
