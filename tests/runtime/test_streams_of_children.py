"""What tasks in child processes write: the same as in the worker, and in order with their steps."""

import os
import time
from pathlib import Path
from typing import Any

import pytest

from flowfabric import StreamFrame, Summary
from flowfabric.runtime.handles import Handle
from tests.runtime import isolated_streams
from tests.runtime.isolated_streams import ff
from tests.runtime.test_streams import LATE, frames_of, lines_in, text_in, values_in
from tests.runtime.working import WAIT_S_MAX, ended, run, seen, snapshot, until, working, working_on


async def said_so_far(handle: Handle[Any]) -> list[Any]:
    engine = await ff.engine()
    return values_in(list((await engine.read_stream(handle.execution_id)).frames))


@pytest.mark.parametrize("task", [isolated_streams.plain, isolated_streams.on_a_loop], ids=lambda task: task.name)
def test_a_child_speaks_in_order_and_in_its_steps(task: Any) -> None:
    async def main() -> tuple[list[StreamFrame], Summary | None, int]:
        async with working(ff):
            handle = await task.submit()
            pid = await handle.result(timeout=WAIT_S_MAX)
            return await frames_of(handle), await handle.summary(), pid

    frames, summary, pid = run(main)

    assert pid != os.getpid()
    assert [(frame.kind, frame.step) for frame in frames] == [
        ("text", None),
        ("text", "s"),
        ("json", None),
        ("blob", None),
        ("text", None),
        ("text", None),
    ]
    assert values_in(frames[:4]) == ["before, ", "in a step, ", {"n": 1}, b"\x00"]
    assert text_in(frames[4:]) == "x" * 100_000
    assert summary == Summary(1, {"stage": "done"})


@pytest.mark.parametrize(
    "task", [isolated_streams.flushing, isolated_streams.flushing_on_a_loop], ids=lambda task: task.name
)
def test_a_flush_of_a_child_returns_when_everything_is_stored(task: Any, tmp_path: Path) -> None:
    notes, go = tmp_path / "notes", tmp_path / "notes.go"

    async def main() -> tuple[list[Any], Summary | None, list[Any]]:
        async with working(ff, flush=LATE):
            handle = await task.submit(notes=str(notes))
            await until(notes.exists)
            before, summary = await said_so_far(handle), await handle.summary()
            go.touch()
            await ended(ff, handle)
            return before, summary, await said_so_far(handle)

    assert run(main) == (["a"], Summary(1, {"n": 1}), ["a", "b"])


def test_what_a_child_says_is_stored_without_a_flush_while_it_works(tmp_path: Path) -> None:
    async def main() -> list[Any]:
        async with working(ff):
            handle = await isolated_streams.without_a_flush.submit(notes=str(tmp_path / "go"))
            found = await seen(lambda: said_so_far(handle), bool)
            (tmp_path / "go").touch()
            await ended(ff, handle)
            return found

    assert run(main) == ["a"]


def test_the_tries_of_a_step_in_a_child_are_numbered_as_they_are_stored() -> None:
    async def main() -> tuple[list[StreamFrame], Any]:
        async with working(ff):
            handle = await isolated_streams.retried.submit()
            await ended(ff, handle)
            return await frames_of(handle), await (await ff.engine()).get_step(handle.execution_id, "ask")

    frames, step = run(main)

    assert [(frame.value, frame.step_try) for frame in frames] == [("try 3", 3)]
    assert step.tries == 3


def test_a_child_that_writes_faster_than_it_is_stored_waits_and_loses_nothing() -> None:
    async def main() -> tuple[int, list[StreamFrame]]:
        async with working(ff):
            handle = await isolated_streams.much.submit(count=300)
            count = await handle.result(timeout=WAIT_S_MAX)
            return count, await frames_of(handle)

    count, frames = run(main)

    assert len(frames) == count
    assert [frame.seq for frame in frames] == list(range(count))
    numbers = [int(frame.value.split()[0][1:]) for frame in frames]
    assert sorted(numbers) == sorted([*range(300), *range(300)])


def test_of_a_child_that_dies_only_what_was_said_in_stored_steps_counts() -> None:
    async def main() -> tuple[str, list[Any]]:
        async with working(ff):
            handle = await isolated_streams.dies.submit()
            await ended(ff, handle)
            every = await (await ff.engine()).read_stream(handle.execution_id, view="all")
            return text_in(await frames_of(handle)), values_in(list(every.frames))

    text, every = run(main)

    assert text == "stored, second"
    assert every == ["stored, ", "first", "second"]


@pytest.mark.parametrize(
    "task", [isolated_streams.endless, isolated_streams.endless_on_a_loop], ids=lambda task: task.name
)
@pytest.mark.parametrize("how", ["cancelled", "waiting"])
def test_a_child_that_writes_without_an_end_is_stopped_at_once(task: Any, how: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes"

    async def main() -> tuple[str, float]:
        async with ff:
            async with working_on(ff, grace="0s" if how == "waiting" else "1h"):
                handle = await task.submit(notes=str(notes))
                await until(notes.exists)
                await seen(lambda: said_so_far(handle), bool)
                began_at = time.monotonic()
                if how == "cancelled":
                    await handle.cancel()
            return (await snapshot(ff, handle)).public_state, time.monotonic() - began_at

    state, took_s = run(main)

    assert state == how
    assert took_s < WAIT_S_MAX, "it waited for the parent, and was only killed at the end of the grace"


def test_a_process_that_a_child_has_forked_cannot_speak_and_is_told_so() -> None:
    async def main() -> tuple[str, str]:
        async with working(ff):
            handle = await isolated_streams.forks.submit()
            return await handle.result(timeout=WAIT_S_MAX), text_in(await frames_of(handle))

    answer, text = run(main)

    assert answer.startswith("This process was forked from the one that runs the attempt")
    assert text == "before, after"


def test_the_output_of_children_is_captured_each_for_itself_and_still_written(
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def main() -> list[list[tuple[str, str | None, str]]]:
        async with working(ff):
            handles = [await isolated_streams.printing.submit(name) for name in ("ada", "grace")]
            handles.append(await isolated_streams.printing_on_a_loop.submit("loop"))
            handles.append(await isolated_streams.not_captured.submit())
            for handle in handles:
                await handle.result(timeout=WAIT_S_MAX)
            return [lines_in(await frames_of(handle)) for handle in handles]

    ada, grace, on_a_loop, nothing = run(main)

    def expected(name: str) -> list[tuple[str, str | None, str]]:
        return [
            ("stdout", None, f"printed by {name}\n"),
            ("log", None, f"WARNING shop logged by {name}\n"),
            ("stdout", "s", f"in a step of {name}\n"),
            ("stdout", None, "the end\n"),
        ]

    assert (ada, grace) == (expected("ada"), expected("grace"))
    assert on_a_loop == [("stdout", None, "printed by loop\n"), ("stdout", None, "in a thread of loop\n")]
    assert nothing == [("text", None, "said")]
    written = capfd.readouterr()
    assert written.out.count("printed by ada") == 1
    assert written.err.count("logged by ada") == 1
