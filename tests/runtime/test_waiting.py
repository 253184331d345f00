"""Tasks that wait, on real workers: in threads and child processes, and with signals from outside."""

import asyncio
import logging
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest

from flowfabric import Approval, Context, ExecutionNotCompleted, FlowFabric, InvalidInput, Signalled
from flowfabric.runtime.worker import Worker
from flowfabric.runtime.worker_settings import WorkerSettings
from tests.runtime import isolated_waiting
from tests.runtime.working import WAIT_S_MAX, run, seen, snapshot, until, working
from tests.stores_under_test import on_one_store


async def suspended(ff: FlowFabric, handle: Any, *names: str) -> Any:
    """The execution, once it is suspended with these open waits."""
    return await seen(
        lambda: snapshot(ff, handle),
        lambda x: x.public_state == "suspended" and (not names or [wait.name for wait in x.waits] == list(names)),
    )


async def event_types(ff: FlowFabric, handle: Any) -> list[str]:
    page = await (await ff.engine()).read_events(execution_id=handle.execution_id)
    return [event.event_type for event in page.events]


# ── threads ──────────────────────────────────────────────────────────────────────────────────────


def test_a_plain_function_waits_and_holds_no_slot(ff: FlowFabric) -> None:
    runs: list[int] = []

    @ff.task
    def publish(ctx: Context) -> list[Any]:
        runs.append(ctx.attempt_index)
        verdict = ctx.wait_sync("editor", str)
        ctx.sleep_sync("cool-down", "10ms")
        return [verdict, ctx.attempt_index]

    @ff.task
    def other(ctx: Context) -> str:
        return "there was room"

    async def main() -> list[Any]:
        async with working(ff, concurrency=1):
            handle = await publish.submit()
            await suspended(ff, handle)
            room = await (await other.submit()).result(timeout=WAIT_S_MAX)
            await handle.signal("editor", "fine")
            return [room, *await handle.result(timeout=WAIT_S_MAX)]

    assert run(main) == ["there was room", "fine", 0]
    assert runs == [0, 0, 0]


@on_one_store
def test_a_wait_lets_a_step_of_another_thread_finish_first(ff: FlowFabric) -> None:
    started, may_end = threading.Event(), threading.Event()
    ran: list[str] = []

    def slow() -> str:
        ran.append("slow")
        started.set()
        may_end.wait(WAIT_S_MAX)
        return "slow"

    @ff.task
    def both(ctx: Context) -> list[str]:
        beside = threading.Thread(target=lambda: suppress_all(lambda: ctx.step_sync("slow", slow)))
        beside.start()
        started.wait(WAIT_S_MAX)
        try:
            return [ctx.wait_sync("editor", str), ctx.step_sync("slow", slow)]
        finally:
            may_end.set()
            beside.join()

    def suppress_all(call: Any) -> None:
        with suppress(BaseException):
            call()

    async def main() -> tuple[list[str], list[str], list[str]]:
        async with working(ff):
            handle = await both.submit()
            open_while_it_runs = await seen(lambda: snapshot(ff, handle), lambda x: bool(x.waits))
            may_end.set()
            await suspended(ff, handle)
            steps = [step.name for step in await (await ff.engine()).list_steps(handle.execution_id)]
            await handle.signal("editor", "fine")
            return [open_while_it_runs.public_state], steps, await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == (["active"], ["slow"], ["fine", "slow"])
    assert ran == ["slow"]


@on_one_store
def test_waits_of_two_threads_both_end(ff: FlowFabric) -> None:
    @ff.task
    def both(ctx: Context) -> list[str]:
        values: dict[str, str] = {}

        def wait(key: str) -> None:
            with suppress(BaseException):
                values[key] = ctx.wait_sync(key, str)

        threads = [threading.Thread(target=wait, args=(key,)) for key in ("a", "b")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        ctx.raise_if_cancelled()
        return [values["a"], values["b"]]

    async def main() -> list[str]:
        async with working(ff):
            handle = await both.submit()
            await suspended(ff, handle)
            for key in ("a", "b"):
                await handle.signal(key, key)
            return await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == ["a", "b"]


@on_one_store
def test_a_plain_function_that_swallows_the_suspension_does_not_complete(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task
    def greedy(ctx: Context) -> str:
        with suppress(BaseException):
            return ctx.wait_sync("editor", str)
        with suppress(BaseException):
            ctx.step_sync("work", str.upper, "worked")
        return "finished"

    async def main() -> tuple[list[str], str]:
        async with working(ff):
            handle = await greedy.submit()
            await suspended(ff, handle)
            await until(lambda: any("does not count" in record.getMessage() for record in caplog.records))
            steps = [step.name for step in await (await ff.engine()).list_steps(handle.execution_id)]
            await handle.signal("editor", "fine")
            return steps, await handle.result(timeout=WAIT_S_MAX)

    assert run(main) == ([], "fine")
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


# ── child processes ──────────────────────────────────────────────────────────────────────────────


def test_a_plain_function_waits_in_a_child_process(tmp_path: Path) -> None:
    ff, notes = isolated_waiting.ff, tmp_path / "notes"

    async def main() -> tuple[list[Any], list[str]]:
        async with working(ff):
            handle = await isolated_waiting.plain.submit(str(notes))
            await suspended(ff, handle, "editor")
            await ff.signal_by_token(notes.read_text().strip(), {"stars": 5})
            return await handle.result(timeout=WAIT_S_MAX), await event_types(ff, handle)

    (verdict, error, _, token), types = run(main)

    assert verdict == {"stars": 5}
    assert "wait 'never' is over" in error
    assert notes.read_text().splitlines() == [token]
    assert types.count("suspended") == 3


def test_the_process_of_a_suspended_attempt_is_free_for_another(tmp_path: Path) -> None:
    ff, notes = isolated_waiting.ff, tmp_path / "notes"

    async def main() -> tuple[int, int]:
        async with working(ff, concurrency=1):
            handle = await isolated_waiting.on_a_loop.submit(str(notes))
            await suspended(ff, handle, "editor", "other")
            other = await (await isolated_waiting.where.submit()).result(timeout=WAIT_S_MAX)
            for key in ("editor", "other"):
                await handle.signal(key, key)
            values = await handle.result(timeout=WAIT_S_MAX)
            assert values[:2] == ["editor", "other"]
            return other, int(str(values[2]))

    other, last = run(main)

    assert other == last
    assert "tidied up, suspended" in notes.read_text().splitlines()


def test_a_child_process_asks_people_and_meets_a_closed_waitpoint(tmp_path: Path) -> None:
    ff, notes = isolated_waiting.ff, tmp_path / "notes"

    async def main() -> tuple[list[Approval], str, str]:
        async with working(ff):
            handle = await isolated_waiting.approved.submit()
            await suspended(ff, handle)
            await handle.signal("go-live", {"note": "good"}, name="yes", source="ann")
            approvals = await handle.result(timeout=WAIT_S_MAX)
            greedy = await isolated_waiting.greedy.submit(str(notes))
            await suspended(ff, greedy)
            await greedy.signal("editor", "fine")
            engine = await ff.engine()
            await engine.pause_lane("default")
            closed = await isolated_waiting.at_a_closed_waitpoint.submit()
            await closed.signal("editor", name="made by this")
            await engine.close_waitpoint(closed.execution_id, "editor")
            await engine.resume_lane("default")
            return approvals, await greedy.result(timeout=WAIT_S_MAX), await closed.result(timeout=WAIT_S_MAX)

    assert run(main) == ([Approval("yes", "ann", "good")], "fine", "WaitpointClosed")
    assert notes.read_text().split() == ["AttemptSuspended"]


# ── signals ──────────────────────────────────────────────────────────────────────────────────────


class Reversing:
    """A codec that plain JSON is no input of."""

    def encode(self, data: bytes) -> bytes:
        return b"~" + data[::-1]

    def decode(self, data: bytes) -> bytes:
        if not data.startswith(b"~"):
            raise ValueError("not encoded")
        return data[:0:-1]


def test_signals_pass_through_the_codec_and_plain_ones_are_taken_too(store_url: str) -> None:
    async def main() -> tuple[list[str], list[bytes]]:
        async with FlowFabric(store_url, codec=Reversing()) as ff:

            @ff.task
            async def three(ctx: Context) -> list[str]:
                ticket = await ctx.waitpoint("token")
                tokens.append(ticket.token)
                return [await ctx.wait(key, str) for key in ("handle", "token", "engine")]

            tokens: list[str] = []
            async with working(ff):
                handle = await three.submit()
                await until(lambda: bool(tokens))
                await handle.signal("handle", "a")
                await ff.signal_by_token(tokens[0], "b")
                engine = await ff.engine()
                await engine.signal(handle.execution_id, "engine", b'"c"')
                values = await handle.result(timeout=WAIT_S_MAX)
                return values, [each.payload for each in await engine.list_signals(handle.execution_id)]

    assert run(main) == (["a", "b", "c"], [b'~"a"', b'~"b"', b'"c"'])


@on_one_store
def test_a_member_of_a_flow_takes_signals_and_passes_its_result_on(ff: FlowFabric) -> None:
    @ff.task(signals={"editor": str})
    async def review(ctx: Context) -> str:
        return await ctx.wait("editor", str)

    @ff.task
    async def publish(ctx: Context, verdict: str) -> str:
        return f"published: {verdict}"

    async def main() -> tuple[str, str]:
        async with working(ff):
            async with ff.flow("article") as flow:
                node = flow.add(review)
                published = flow.add(publish, node.output)
            answer = await node.signal("editor", "fine")
            assert isinstance(answer, Signalled)
            return await published.result(timeout=WAIT_S_MAX), answer.effect

    result, effect = run(main)

    assert result == "published: fine"
    assert effect in ("resumed", "buffered")


def test_a_suspended_execution_is_cancelled_at_once(ff: FlowFabric) -> None:
    @ff.task
    async def publish(ctx: Context) -> str:
        return await ctx.wait("editor", str)

    async def main() -> tuple[bool, str]:
        async with working(ff, linger="0s"):
            handle = await publish.submit()
            await suspended(ff, handle)
            cancelled = await handle.cancel()
            with pytest.raises(ExecutionNotCompleted):
                await handle.result(timeout=WAIT_S_MAX)
            return cancelled, await handle.state()

    assert run(main) == (True, "cancelled")


@on_one_store
def test_what_an_attempt_reported_before_it_was_suspended_is_stored(ff: FlowFabric) -> None:
    @ff.task
    async def publish(ctx: Context) -> str:
        ctx.progress(10, "begun")
        await asyncio.sleep(0)  # this report is under way now
        ctx.progress(50, "written")
        return await ctx.wait("editor", str)

    async def main() -> tuple[int | None, str]:
        engine = await ff.engine()
        handle = await publish.submit()

        class AnswersLate:
            """The engine, except that the first report of progress is answered when the execution is suspended."""

            def __getattr__(self, name: str) -> Any:
                return getattr(engine, name)

            async def progress(self, lease: Any, *, percent: int | None, message: str | None) -> None:
                await engine.progress(lease, percent=percent, message=message)
                if percent == 10:
                    await suspended(ff, handle)

        worker = Worker(cast("Any", AnswersLate()), ff.tasks, WorkerSettings(linger_s=0.0))
        working_ = asyncio.create_task(worker.run())
        await suspended(ff, handle)
        worker.stop()
        await working_
        x = await snapshot(ff, handle)
        return x.progress_percent, str(x.progress_message)

    assert run(main) == (50, "written")


@on_one_store
def test_no_wait_begins_after_the_function_has_ended(ff: FlowFabric) -> None:
    said: list[str] = []

    @ff.task
    async def publish(ctx: Context) -> str:
        async def in_the_background() -> None:
            try:
                await ctx.wait("editor", str)
            except asyncio.CancelledError:
                try:
                    await ctx.wait("chief", str)
                except InvalidInput as error:
                    said.append(str(error))

        tasks.append(asyncio.create_task(in_the_background()))
        await ctx.wait("end", str)
        return "done"

    tasks: list[asyncio.Task[None]] = []

    async def main() -> str:
        async with working(ff, linger="1h"):
            handle = await publish.submit()
            await seen(lambda: snapshot(ff, handle), lambda x: len(x.waits) == 2)
            await handle.signal("end", "now")
            result = await handle.result(timeout=WAIT_S_MAX)
            await until(lambda: tasks[0].done())
            return result

    assert run(main) == "done"
    assert said == ["Wait 'chief' begins after the task's function has ended. Await it in the function."]
