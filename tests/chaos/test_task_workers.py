"""`ff worker` under the worst of nights: told to stop under load, frozen beyond its leases, killed between steps."""

import json
import random
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from flowfabric import BlockingEngine, NewExecution, PublicState, open_blocking_engine
from tests.chaos import shop
from tests.chaos.books import assert_nothing_is_broken, events_by_execution, opened
from tests.chaos.conftest import Figures, in_group
from tests.chaos.processes import FINISH_S_MAX, Process, wait_until
from tests.chaos.sizes import SIZES

pytestmark = in_group("workers")

GRACE_S = 0.5
LEASE_S = 1.0


class FfWorker(Process):
    """`ff worker tests.chaos.shop:ff`, or with another program, as a process of its own."""

    def __init__(self, url: str, folder: Path, *options: str, app: str = "tests.chaos.shop:ff") -> None:
        environment = json.dumps({shop.URL: url, shop.EFFECTS: str(folder / "effects")})
        words = ("worker", app, "--log-level", "warning", *options)
        super().__init__("tests.chaos.programs", "ff", (environment, *words), folder)


@contextmanager
def worker(url: str, folder: Path, *options: str) -> Iterator[FfWorker]:
    process = FfWorker(url, folder, *options)
    try:
        yield process
    finally:
        process.end()


def call(kind: str, **arguments: object) -> NewExecution:
    return NewExecution(kind=kind, payload=msgspec.json.encode({"arguments": arguments}))


def count(engine: BlockingEngine, state: PublicState) -> int:
    return len(engine.list_executions(public_state=state, limit=1000).items)


def completions(engine: BlockingEngine, keys: Sequence[str]) -> None:
    """Wait until all of them have ended."""
    for key in keys:
        engine.wait_for_result(key, timeout_ms=int(FINISH_S_MAX * 1000))


def test_a_worker_told_to_stop_under_load_loses_nothing_and_burns_nothing(
    url: str, tmp_path: Path, figures: Figures
) -> None:
    chance = random.Random(7)
    took_s: list[float] = []
    keys: list[str] = []
    options = ("--concurrency", "8", "--grace", f"{GRACE_S}s", "--lease", "20s")
    with open_blocking_engine(url) as engine:
        for _ in range(SIZES.sigterms):
            # Most are done within the grace, some are not.
            spans = [chance.choice((0.01, 0.05, 0.2, 1.5)) for _ in range(16)]
            made = engine.create_executions([call(chance.choice(("serve", "cook")), for_s=span) for span in spans])
            keys += [each.execution_id for each in made]
            with worker(url, tmp_path, *options) as process:
                wait_until(lambda: count(engine, "active") > 0)
                time.sleep(chance.uniform(0, 0.1))  # so that the signal meets any moment of the work
                told_at = time.monotonic()
                process.signal(signal.SIGTERM)
                process.ended()
                took_s.append(time.monotonic() - told_at)
            assert count(engine, "active") == 0
        # What all of them have left behind is more than eight at a time can do while anyone waits.
        with worker(url, tmp_path, "--concurrency", "256", *options[2:]) as process:
            completions(engine, keys)
            process.signal(signal.SIGTERM)
            process.ended()
        found = [engine.describe_execution(key) for key in keys]

    with opened(url) as store:
        assert_nothing_is_broken(store)
    assert {x.public_state for x in found if x is not None} == {"completed"}
    assert sum(x.retry_count + x.interruption_count for x in found if x is not None) == 0
    assert max(took_s) < GRACE_S + 1.0 + SIZES.margin_ms / 1000
    figures(sigterms=SIZES.sigterms, executions=len(keys), lost=0, burned=0, exit_max_s=f"{max(took_s):.2f}")


def test_a_second_signal_makes_it_leave_now(url: str, tmp_path: Path) -> None:
    with open_blocking_engine(url) as engine:
        keys = [each.execution_id for each in engine.create_executions([call("serve", for_s=600.0)] * 2)]
        with worker(url, tmp_path, "--grace", "10m", "--lease", "20s") as process:
            wait_until(lambda: count(engine, "active") == len(keys))
            process.signal(signal.SIGTERM)
            process.signal(signal.SIGINT)
            process.ended()
        found = [engine.describe_execution(key) for key in keys]

    given_back = [(x.public_state, x.interruption_count) for x in found if x is not None]
    assert given_back == [("waiting", 0)] * 2, process.said


def test_a_worker_frozen_for_longer_than_its_leases_has_no_result_accepted_under_them(
    url: str, tmp_path: Path, figures: Figures
) -> None:
    chance = random.Random(7)
    keys: list[str] = []
    options = ("--concurrency", "4", "--lease", f"{LEASE_S}s", "--poll", "200ms")
    with open_blocking_engine(url) as engine:
        with worker(url, tmp_path, *options) as frozen, worker(url, tmp_path, *options) as other:
            wait_until(lambda: {frozen.pid, other.pid} <= {each.pid for each in engine.list_workers()})
            for _ in range(SIZES.worker_pauses):
                latest: list[str] = []

                def has_work_in_the_frozen_one(latest: list[str] = latest) -> bool:
                    # The other one may take all that there is before this one has its turn.
                    if not count(engine, "waiting"):
                        calls = [call(chance.choice(("serve", "cook")), for_s=LEASE_S / 2) for _ in range(16)]
                        latest += [each.execution_id for each in engine.create_executions(calls)]
                    return any(is_run_by(engine, key, frozen.pid) for key in latest)

                wait_until(has_work_in_the_frozen_one)
                keys += latest
                frozen.signal(signal.SIGSTOP)
                time.sleep(1.5 * LEASE_S)  # by the store's clock, which nobody can move for other processes
                frozen.signal(signal.SIGCONT)
                completions(engine, latest)
            for process in (frozen, other):
                process.signal(signal.SIGTERM)
                process.ended()
        tokens = {key: int(engine.get_result(key) or b"0") for key in keys}

    with opened(url) as store:
        assert_nothing_is_broken(store)
        happened = events_by_execution(store)
    reclaimed = 0
    for key in keys:
        leases = [event for event in happened[key] if event.event_type == "acquired"]
        reclaimed += len(leases) > 1
        assert [event.event_type for event in happened[key] if event.channel == "completion"] == ["completed"]
        # The result says under which lease it was made: it must be the one that was the last.
        assert tokens[key] == leases[-1].details["lease_epoch"]
    assert reclaimed, "nothing was taken from the frozen worker"
    figures(pauses=SIZES.worker_pauses, executions=len(keys), reclaimed=reclaimed, stale_accepted=0)


def is_run_by(engine: BlockingEngine, key: str, pid: int) -> bool:
    attempts = engine.list_attempts(key)
    return bool(attempts) and f"-{pid}-" in (attempts[-1].worker_instance_id or "") and not attempts[-1].outcome


def test_a_worker_killed_anywhere_in_ten_steps_never_has_a_stored_step_run_again(
    url: str, tmp_path: Path, figures: Figures
) -> None:
    chance = random.Random(7)
    ran_again = 0
    with open_blocking_engine(url) as engine:
        for _ in range(SIZES.crash_points):
            key = engine.create_executions([call("publish")])[0].execution_id
            stored_at_crash: dict[str, int] = {}
            with worker(url, tmp_path, "--lease", f"{LEASE_S}s", "--poll", "200ms") as process:
                crash_at = chance.randrange(1, shop.STEPS)
                wait_until(lambda key=key, at=crash_at: sum(effects_of(tmp_path, key).values()) >= at)
                time.sleep(chance.uniform(0, 0.01))  # so that the crash meets any side of an effect and of its record
                process.kill()
                effects = effects_of(tmp_path, key)
                stored_at_crash = {step.name: effects[step.name] for step in engine.list_steps(key)}
            with worker(url, tmp_path, "--lease", f"{LEASE_S}s", "--poll", "200ms") as process:
                completions(engine, [key])
                # The first one may have come to the end, and then this one is still starting.
                wait_until(lambda pid=process.pid: any(each.pid == pid for each in engine.list_workers()))
                process.signal(signal.SIGTERM)
                process.ended()
            effects = effects_of(tmp_path, key)
            assert set(effects) == {f"step {number}" for number in range(shop.STEPS)}
            assert {name: effects[name] for name in stored_at_crash} == stored_at_crash
            assert len(engine.list_steps(key)) == shop.STEPS
            # Only the one that was under way: its effect had happened, and its record had not.
            assert sum(effects.values()) - shop.STEPS in (0, 1)
            ran_again += sum(effects.values()) - shop.STEPS

    with opened(url) as store:
        assert_nothing_is_broken(store)
    figures(crashes=SIZES.crash_points, stored_steps_run_again=0, steps_under_way_run_again=ran_again)


def effects_of(folder: Path, key: str) -> Mapping[str, int]:
    """How often each step of the execution had its effect."""
    path = folder / "effects"
    lines = path.read_text().splitlines() if path.exists() else []
    return Counter(f"step {line.split()[1]}" for line in lines if line.startswith(key))
