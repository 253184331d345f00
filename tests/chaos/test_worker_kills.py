"""kill -9 of workers, one after the other, in the middle of their work."""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from flowfabric import BlockingEngine, Event, NewExecution, open_blocking_engine
from tests.chaos.books import assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.processes import Process, running, wait_until
from tests.chaos.programs import LEASE_TTL_MS
from tests.chaos.sizes import SIZES

pytestmark = in_group("workers")

SURVIVOR = "survivor"
MORTAL = 2
BACKLOG = 30
"""How much waits in the queue at any time, so that a worker always holds something when it is killed."""
PROMISED_MS = LEASE_TTL_MS + 1_000


def test_workers_die_again_and_again_and_every_execution_ends_exactly_once(
    url: str, tmp_path: Path, figures: Figures
) -> None:
    killed_at_ms: dict[str, int] = {}

    # Who looks on does not help: what is recovered is recovered by workers.
    with open_blocking_engine(url, reconcile=False) as onlooker, crew(url, tmp_path) as workers:
        created: list[str] = []
        for _ in range(SIZES.worker_kills):
            victim = workers.next_victim
            created += feed_until_at_work(onlooker, workers, victim)
            time.sleep(random.uniform(0, 0.05))  # so that a kill meets any step of the work
            killed_at_ms[victim] = onlooker.server_time_ms()
            workers.kill(victim)
            workers.start_another()
        endings = onlooker.subscribe(channels=["completion"])
        for _ in created:
            next(endings)
        refusals = workers.stop()

    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
    assert happened.keys() == set(created)
    for events in happened.values():
        assert [event.event_type for event in events if event.channel == "completion"] == ["completed"]
    for execution_id, epoch, _ in acknowledged(tmp_path):
        assert last_epoch(happened[execution_id]) == epoch
    recovered_ms, slow = recoveries(happened, killed_at_ms)
    assert recovered_ms, "nobody was killed in the middle of anything"
    assert recovered_ms[-1] <= PROMISED_MS + SIZES.margin_ms
    # A lease that ran out under a living worker was its last: what that worker then sent was refused.
    assert len(refusals) <= slow
    figures(
        kills=SIZES.worker_kills,
        executions=len(created),
        lost=0,
        ended_twice=0,
        orphans=len(recovered_ms),
        recovery_p50_ms=recovered_ms[len(recovered_ms) // 2],
        recovery_p99_ms=recovered_ms[len(recovered_ms) * 99 // 100],
        recovery_max_ms=recovered_ms[-1],
        promised_ms=PROMISED_MS,
        late_and_refused=len(refusals),
    )


class Crew:
    """One worker that lives through it all, and others that are new all the time."""

    def __init__(self, url: str, folder: Path, stack: ExitStack) -> None:
        self._url = url
        self._folder = folder
        self._stack = stack
        self._started = 0
        self._working: dict[str, Process] = {}

    def start(self, name: str) -> None:
        notes = _notes(self._folder)
        self._working[name] = self._stack.enter_context(running("work", self._url, notes, name, folder=self._folder))

    def start_another(self) -> None:
        self._started += 1
        self.start(f"worker-{self._started}")

    @property
    def next_victim(self) -> str:
        """The mortal one that has served longest."""
        return next(name for name in self._working if name != SURVIVOR)

    def has_worked(self, name: str) -> bool:
        return any(who == name for _, _, who in acknowledged(self._folder))

    def kill(self, name: str) -> None:
        self._working.pop(name).kill()

    def stop(self) -> Sequence[str]:
        """Let all of them end well; what they were refused."""
        refusals: list[str] = []
        for process in self._working.values():
            process.tell("stop")
        for process in self._working.values():
            refusals += process.report()["refusals"]
        return refusals


@contextmanager
def crew(url: str, folder: Path) -> Iterator[Crew]:
    _notes(folder).touch()
    with ExitStack() as stack:
        workers = Crew(url, folder, stack)
        workers.start(SURVIVOR)
        for _ in range(MORTAL):
            workers.start_another()
        yield workers


def acknowledged(folder: Path) -> list[tuple[str, int, str]]:
    """Execution, epoch and worker of each completion that was acknowledged."""
    # What follows the last end of a line was not written whole.
    lines = _notes(folder).read_text().split("\n")[:-1]
    return [(key, int(epoch), worker) for key, epoch, worker in (line.split(" ") for line in lines)]


def _notes(folder: Path) -> Path:
    return folder / "acknowledged"


def feed_until_at_work(engine: BlockingEngine, workers: Crew, name: str) -> list[str]:
    """Until the worker has completed something. Work does not run out meanwhile, or it would never come to do any."""
    created: list[str] = []

    def is_at_work() -> bool:
        created.extend(top_up(engine))
        return workers.has_worked(name)

    wait_until(is_at_work)
    return created


def top_up(engine: BlockingEngine) -> list[str]:
    if len(engine.list_executions(public_state="waiting", limit=BACKLOG).items) == BACKLOG:
        return []
    return [each.execution_id for each in engine.create_executions([NewExecution(kind="kind")] * BACKLOG)]


def last_epoch(events: Sequence[Event]) -> object:
    return [event.details["lease_epoch"] for event in events if event.event_type == "acquired"][-1]


def recoveries(happened: Mapping[str, Sequence[Event]], killed_at_ms: Mapping[str, int]) -> tuple[list[int], int]:
    """How long after the kill each orphan was back in the queue, ascending; and how many leases else ran out."""
    took_ms: list[int] = []
    slow = 0
    for events in happened.values():
        holder = ""
        for event in events:
            if event.event_type == "acquired":
                holder = str(event.details["worker_instance_id"])
            elif event.event_type == "expired":
                if holder in killed_at_ms:
                    took_ms.append(event.occurred_at_ms - killed_at_ms[holder])
                else:
                    slow += 1
    return sorted(took_ms), slow
