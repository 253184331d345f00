"""Child processes: they run what they are given, die alone, and stop when their lease is lost."""

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from flowfabric import ExecutionPolicy, InvalidInput
from flowfabric.fabric import FlowFabric
from flowfabric.runtime import isolation
from flowfabric.runtime.context import Context
from flowfabric.runtime.isolation import Child, Deaths
from flowfabric.runtime.threads import Threads
from flowfabric.runtime.worker_tasks import WorkerTasks
from tests.runtime import isolated
from tests.runtime.isolated import ff
from tests.runtime.test_stopping import AT_ONCE_S
from tests.runtime.working import WAIT_S_MAX, ended, run, seen, snapshot, until, working


def words_in(path: Path) -> list[str]:
    return path.read_text().split("\n")[:-1] if path.exists() else []


def test_isolated_functions_run_in_a_child_that_is_kept_and_others_do_not() -> None:
    async def main() -> list[int]:
        async with working(ff):
            handles = [await task.submit() for task in (isolated.where, isolated.where, isolated.anywhere)]
            first = [await handle.result(timeout=WAIT_S_MAX) for handle in handles]
            return [*first, await (await isolated.where_async.submit()).result(timeout=WAIT_S_MAX)]

    one, other, here, later = run(main)

    assert here == os.getpid()
    assert os.getpid() not in (one, other, later)
    assert later in (one, other)
    assert not any(psutil.pid_exists(pid) for pid in (one, other, later))


def test_steps_progress_and_deadline_reach_the_store_through_the_parent(tmp_path: Path) -> None:
    async def main() -> tuple[str, str, Any]:
        async with working(ff):
            plain = await isolated.with_steps.submit(path=str(tmp_path / "plain"))
            other = await isolated.with_steps_async.submit(path=str(tmp_path / "async"))
            results = await plain.result(timeout=WAIT_S_MAX), await other.result(timeout=WAIT_S_MAX)
            return *results, await snapshot(ff, plain)

    plain, other, x = run(main)

    assert (plain, other) == ("plain", "async")
    assert (words_in(tmp_path / "plain"), words_in(tmp_path / "async")) == (["plain"], ["async"])
    assert (x.progress_percent, x.progress_message) == (70, "noted")


def test_what_a_child_raises_is_reported_as_what_it_is() -> None:
    async def main() -> list[Any]:
        async with working(ff):
            handles = [await isolated.with_mixed_up_steps.submit(), await isolated.leave.submit()]
            return [await ended(ff, handle) for handle in handles]

    mixed_up, left = run(main)

    assert (mixed_up.public_state, mixed_up.failure.code) == ("failed", "Conflict")
    assert (left.public_state, left.failure.code) == ("failed", "SystemExit")


def test_while_children_die_young_each_next_one_starts_after_a_longer_pause() -> None:
    deaths = Deaths(lambda: 100.0)
    pauses = [deaths.pause_s]
    for was_young in (True, True, True, False):
        deaths.seen(was_young)
        pauses.append(deaths.pause_s)

    before, first, second, third, after = pauses

    assert 0 < first <= 0.11 < 2 * third
    assert second <= 0.21
    assert third <= 0.41
    assert (before, after) == (0, 0)


def test_a_child_that_dies_as_soon_as_it_is_asked_is_replaced_after_a_pause(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "YOUNG_S", 600.0)  # on a busy machine it is seconds before it has imported its task

    async def main() -> None:
        async with working(ff):
            engine = await ff.engine()
            policy = ExecutionPolicy(max_interruptions=1)
            created = await engine.create_execution("die", b'{"arguments":{}}', policy=policy)
            await engine.wait_for_result(created.execution_id, timeout_ms=int(2 * WAIT_S_MAX * 1000))

    run(main)

    assert sum("the next one starts in" in record.getMessage() for record in caplog.records) == 2


def test_a_poison_job_kills_its_child_and_is_stopped_by_its_interruptions() -> None:
    async def main() -> tuple[Any, int]:
        async with working(ff):
            engine = await ff.engine()
            created = await engine.create_execution(
                "die", b'{"arguments":{}}', policy=ExecutionPolicy(max_interruptions=1)
            )
            x = await engine.wait_for_result(created.execution_id, timeout_ms=int(2 * WAIT_S_MAX * 1000))
            return x, await (await isolated.where.submit()).result(timeout=WAIT_S_MAX)

    poison, pid = run(main)

    assert (poison.public_state, poison.failure.code) == ("failed", "worker_lost")
    assert (poison.interruption_count, poison.retry_count) == (2, 0)
    assert pid != os.getpid()


@pytest.mark.parametrize("task", [isolated.compute_for_ever, isolated.wait_for_ever], ids=["plain", "async"])
def test_a_child_whose_lease_is_lost_is_stopped_and_may_tidy_up(task: Any, tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def main() -> None:
        async with working(ff, lease="600ms", grace="20s"):
            handle = await task.submit(path=str(notes))
            await until(lambda: bool(words_in(notes)))
            await (await ff.engine()).cancel_execution(handle.execution_id, reason="enough")
            await until(lambda: "tidied up" in words_in(notes))
            await until(lambda: not psutil.pid_exists(int(words_in(notes)[0])))

    run(main)


def test_a_child_that_refuses_to_stop_is_killed_after_the_grace(tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def main() -> None:
        async with working(ff, lease="600ms", grace="300ms"):
            handle = await isolated.refuse_to_stop.submit(path=str(notes))
            await until(lambda: bool(words_in(notes)))
            await (await ff.engine()).cancel_execution(handle.execution_id, reason="enough")
            await until(lambda: not psutil.pid_exists(int(words_in(notes)[0])))

    run(main)


def test_a_child_that_runs_nothing_when_it_is_told_to_stop_ends_at_once() -> None:
    async def main() -> float:
        child = await Child.started(Threads("test"), WorkerTasks())
        told_at = time.monotonic()
        await child.stop(2 * AT_ONCE_S)
        took_s = time.monotonic() - told_at
        await child.end()
        return took_s

    assert run(main) < AT_ONCE_S


def test_a_worker_that_stops_hands_back_what_its_children_run_once_they_are_gone(tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def main() -> tuple[Any, bool]:
        async with ff:
            engine = await ff.engine()
            worker = asyncio.create_task(ff.run_worker(grace="1m"))
            handle = await isolated.refuse_to_stop.submit(path=str(notes))
            await until(lambda: bool(words_in(notes)))
            worker.cancel()
            x = await seen(
                lambda: engine.describe_execution(handle.execution_id),
                lambda x: x is not None and x.public_state != "active",
            )
            goes_on = psutil.pid_exists(int(words_in(notes)[0]))
            await asyncio.wait([worker])
            return x, goes_on

    x, goes_on = run(main)

    assert (x.public_state, x.retry_count, x.interruption_count) == ("waiting", 0, 0)
    assert not goes_on


@pytest.mark.parametrize("what", ["raise", "return", "progress", "step"])
def test_a_forked_branch_does_not_answer_for_the_child_that_was_asked(what: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def main() -> tuple[int, Any, list[int]]:
        async with working(ff, processes=1):
            handle = await isolated.fork_and.submit(what=what, notes=str(notes))
            pid = await handle.result(timeout=WAIT_S_MAX)
            doubles = [await isolated.double.submit(n=n) for n in range(4)]
            return pid, await snapshot(ff, handle), [await each.result(timeout=WAIT_S_MAX) for each in doubles]

    pid, x, doubles = run(main)

    assert pid > 0
    assert doubles == [0, 2, 4, 6]
    assert (x.interruption_count, x.progress_percent) == (0, None)
    *refusals, branch = words_in(notes)
    assert branch == f"the branch ended with {1 if what == 'raise' else 0}"
    assert all("forked" in refusal for refusal in refusals)
    assert len(refusals) == (what in ("progress", "step"))


def test_a_branch_forked_by_an_async_function_does_not_answer_either(tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def main() -> list[int]:
        async with working(ff, processes=1):
            first = await isolated.fork_async.submit(notes=str(notes))
            handles = [first, await isolated.where_async.submit()]
            return [await each.result(timeout=WAIT_S_MAX) for each in handles]

    one, other = run(main)

    assert one == other > 0
    assert words_in(notes) == ["the branch ended with 0"]


@pytest.mark.parametrize("die", [False, True], ids=["the child goes on", "the child dies"])
def test_a_forked_branch_that_goes_on_neither_holds_up_its_execution_nor_the_next(die: bool, tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def main() -> tuple[int, Any, int]:
        async with working(ff, processes=1):
            handle = await isolated.fork_and_leave_it.submit(notes=str(notes), die=die)
            pid = await handle.result(timeout=WAIT_S_MAX)
            return pid, await snapshot(ff, handle), await (await isolated.where.submit()).result(timeout=WAIT_S_MAX)

    try:
        pid, x, later = run(main)
        assert psutil.pid_exists(int(words_in(notes)[0]))
    finally:
        for left in words_in(notes):
            os.kill(int(left), signal.SIGKILL)

    assert pid == later
    assert x.interruption_count == die


def test_a_pool_of_processes_inside_a_child_works_and_ends() -> None:
    async def main() -> tuple[list[float], int]:
        async with working(ff, processes=1):
            handle = await isolated.pool.submit(numbers=[4, 9, 16])
            result = await handle.result(timeout=WAIT_S_MAX)
            return result, await (await isolated.double.submit(n=3)).result(timeout=WAIT_S_MAX)

    assert run(main) == ([2.0, 3.0, 4.0], 6)


def test_what_a_child_prints_and_what_its_programs_write_does_not_reach_the_worker(capfd: Any) -> None:
    async def main() -> list[int]:
        async with working(ff, processes=1):
            handles = [await task.submit() for task in (isolated.talk, isolated.where)]
            return [await each.result(timeout=WAIT_S_MAX) for each in handles]

    one, other = run(main)

    assert one == other
    assert "x" * 1_000 in (written := capfd.readouterr().out)
    assert "y" * 1_000 in written


@pytest.mark.parametrize("what", ["garbage", "a line", "a character", "an answer to an earlier lease"])
def test_a_child_that_answers_what_nobody_asked_is_killed_and_replaced(what: str, caplog: Any) -> None:
    async def main() -> tuple[int, Any]:
        async with working(ff, processes=1):
            handle = await isolated.speak_for_another.submit(what=what)
            return await handle.result(timeout=WAIT_S_MAX), await snapshot(ff, handle)

    pid, x = run(main)

    assert pid > 4
    assert (x.interruption_count, x.retry_count) == (1, 0)
    assert "was killed, because it" in caplog.text


def test_code_that_closes_the_line_to_the_worker_ends_its_child_alone() -> None:
    async def main() -> tuple[int, Any]:
        async with working(ff, processes=1):
            handle = await isolated.close_descriptors.submit()
            return await handle.result(timeout=WAIT_S_MAX), await snapshot(ff, handle)

    pid, x = run(main)

    assert pid > 0
    assert (x.interruption_count, x.lease_epoch) == (1, 3)


def test_a_thread_that_an_attempt_left_behind_does_not_speak_for_the_next_one(tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def main() -> tuple[list[int], Any]:
        async with working(ff, processes=1):
            first = await isolated.leave_a_thread.submit(notes=str(notes))
            pid = await first.result(timeout=WAIT_S_MAX)
            second = await isolated.let_it_speak.submit()
            return [pid, await second.result(timeout=WAIT_S_MAX)], await snapshot(ff, second)

    (one, other), x = run(main)

    assert one == other
    assert x.progress_percent is None
    (refusal,) = words_in(notes)
    assert "has ended" in refusal


def test_everything_that_is_claimed_for_a_child_begins_however_long_its_neighbours_take(tmp_path: Path) -> None:
    """Eight slots: four neighbours that wait until the quick ones have ended, and four quick ones with a timeout."""

    async def main() -> list[Any]:
        async with working(ff, concurrency=8):
            slow = [await isolated.slow_neighbour.submit(until=str(tmp_path / "over")) for _ in range(4)]
            quick = [await isolated.quick.submit() for _ in range(4)]
            ends = [await ended(ff, handle) for handle in quick]
            (tmp_path / "over").touch()
            return [*ends, *[await ended(ff, handle) for handle in slow]]

    assert [x.public_state for x in run(main)] == ["completed"] * 8


def test_code_that_holds_the_gil_for_longer_than_its_lease_keeps_it_in_a_child() -> None:
    async def main() -> tuple[int, Any]:
        async with working(ff, processes=1, lease="1s"):
            handle = await isolated.hold.submit(seconds=3.0)
            return await handle.result(timeout=2 * WAIT_S_MAX), await snapshot(ff, handle)

    index, x = run(main)

    assert (index, x.lease_epoch, x.interruption_count) == (0, 1, 0)


def test_code_that_holds_the_gil_for_longer_than_its_lease_is_fenced_and_not_doubled_without_a_child() -> None:
    async def main() -> tuple[int, Any, list[str]]:
        async with working(ff, lease="500ms"):
            handle = await isolated.hold.submit(seconds=1.5)
            result = await handle.result(timeout=2 * WAIT_S_MAX)
            events = await (await ff.engine()).read_events(execution_id=handle.execution_id)
            return result, await snapshot(ff, handle), [event.event_type for event in events.events]

    index, x, events = run(main)

    assert (index, x.interruption_count) == (1, 1)
    assert events == ["acquired", "expired", "acquired", "completed"]


def test_a_worker_that_runs_all_in_children_refuses_a_task_that_they_could_not_find() -> None:
    local = FlowFabric("memory://")

    @local.task
    def hidden(ctx: Context) -> None:
        return

    async def main() -> None:
        async with local:
            await local.run_worker(processes=1)

    with pytest.raises(InvalidInput, match="'hidden' cannot run in a child process"):
        run(main)
