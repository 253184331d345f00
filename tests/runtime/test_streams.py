"""What tasks write, and what readers of their handles get: on every store."""

import asyncio
import threading
from contextlib import suppress
from typing import Any

import pytest

from flowfabric import (
    Context,
    ExecutionNotCompleted,
    FlowFabric,
    InvalidInput,
    Retry,
    StreamFrame,
    Summary,
    Transcript,
)
from flowfabric.runtime.handles import Handle
from flowfabric.runtime.stream_verbs import parts_of
from tests.runtime.working import WAIT_S_MAX, ended, run, seen, snapshot, until, working

AT_ONCE = Retry(3, initial_delay="1ms", jitter=0.0)
LATE = "1h"
"""A flush that never comes by itself in a test."""


async def frames_of(handle: Handle[Any]) -> list[StreamFrame]:
    """All frames that count, once the execution has ended."""
    async with asyncio.timeout(WAIT_S_MAX):
        return [frame async for frame in handle.stream()]


def values_in(frames: list[StreamFrame]) -> list[Any]:
    return [frame.value for frame in frames]


def text_in(frames: list[StreamFrame]) -> str:
    return "".join(str(frame.value) for frame in frames)


def lines_in(frames: list[StreamFrame]) -> list[tuple[str, str | None, Any]]:
    """What was printed, with the parts of a line put together: on a busy machine some may have been sent before."""
    lines: list[tuple[str, str | None, Any]] = []
    for frame in frames:
        kind, step, text = lines[-1] if lines else ("", None, "")
        if kind in ("stdout", "stderr") and (kind, step) == (frame.kind, frame.step) and not text.endswith("\n"):
            lines[-1] = (kind, step, text + frame.value)
        else:
            lines.append((frame.kind, frame.step, frame.value))
    return lines


# ── what can be written ──────────────────────────────────────────────────────────────────────────


def test_texts_bytes_and_values_arrive_as_they_were_written(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("Grüße, ")
        ctx.write("")
        ctx.write(b"\x00\xff")
        ctx.emit({"citations": [1, 2], "done": True})
        ctx.emit("a text")

    async def main() -> list[StreamFrame]:
        async with working(ff):
            return await frames_of(await speak.submit())

    frames = run(main)

    assert [(frame.kind, frame.value) for frame in frames] == [
        ("text", "Grüße, "),
        ("text", ""),
        ("blob", b"\x00\xff"),
        ("json", {"citations": [1, 2], "done": True}),
        ("json", "a text"),
    ]
    assert [frame.seq for frame in frames] == [0, 1, 2, 3, 4]
    assert {(frame.lease_epoch, frame.attempt_index, frame.step, frame.step_try) for frame in frames} == {
        (1, 0, None, 1)
    }


def test_a_text_that_is_too_long_for_a_frame_is_cut_between_characters(ff: FlowFabric) -> None:
    text = "a" + "ü" * 65_536 + "€" * 30_000

    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write(text)

    async def main() -> list[StreamFrame]:
        async with working(ff):
            return await frames_of(await speak.submit())

    frames = run(main)

    assert len(frames) == 4
    assert all(len(frame.payload) <= 65_536 for frame in frames)
    assert "".join(frame.payload.decode() for frame in frames) == text


@pytest.mark.parametrize("char", ["a", "ü", "€", "😀"])
@pytest.mark.parametrize("before", range(4))
def test_parts_are_whole_characters_and_lose_nothing(char: str, before: int) -> None:
    data = ("x" * before + char * 140_000).encode()

    parts = list(parts_of(data))

    assert b"".join(parts) == data
    assert all(part.decode() and len(part) <= 65_536 for part in parts)
    assert all(len(part) > 65_532 for part in parts[:-1])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda ctx: ctx.write(7), "ctx.write takes a text or bytes, not int. Use ctx.emit for other values."),
        (lambda ctx: ctx.write(bytes(65_537)), "ctx.write got 65537 bytes; a frame has 65536 at most"),
        (lambda ctx: ctx.emit("x" * 65_535), "ctx.emit got a value of 65537 bytes as JSON; a frame has 65536 at most"),
        (lambda ctx: ctx.emit(object()), "ctx.emit: JSON cannot carry object"),
        (lambda ctx: ctx.summary([1]), "patch is a mapping, not list"),
        (lambda ctx: ctx.summary({"a": "x" * 70_000}), "the limit is 65536"),
    ],
)
def test_what_does_not_fit_is_refused_where_it_is_written(wrong: Any, words: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        wrong(Context.for_test())

    assert words in str(refusal.value)


def test_a_text_with_a_lone_surrogate_is_written_with_an_escape(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("a\ud800b")

    async def main() -> list[StreamFrame]:
        async with working(ff):
            return await frames_of(await speak.submit())

    assert values_in(run(main)) == ["a\\ud800b"]


def test_a_context_without_a_worker_takes_what_is_said_and_keeps_nothing() -> None:
    ctx = Context.for_test()

    ctx.write("text")
    ctx.emit({"a": 1})
    ctx.summary({"a": 1})
    ctx.flush_sync()
    asyncio.run(ctx.flush())


# ── steps ────────────────────────────────────────────────────────────────────────────────────────


def test_frames_know_their_step_on_the_loop_in_threads_and_in_steps_inside_of_steps(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        async def outer() -> None:
            ctx.write("outer")
            await ctx.step("inner", lambda: ctx.write("inner"))
            await asyncio.gather(*(asyncio.to_thread(ctx.write, "outer, too") for _ in range(2)))

        ctx.write("before")
        await ctx.step("outer", outer)
        await ctx.options(timeout="1m").step("timed", lambda: ctx.write("timed"))
        ctx.write("after")

    @ff.task
    def speak_in_a_thread(ctx: Context) -> None:
        ctx.write("before")
        ctx.step_sync("outer", lambda: ctx.step_sync("inner", lambda: ctx.write("inner")))
        ctx.options(timeout="1m").step_sync("timed", lambda: ctx.write("timed"))
        ctx.write("after")

    async def main() -> list[list[tuple[str | None, str]]]:
        async with working(ff):
            handles = [await speak.submit(), await speak_in_a_thread.submit()]
            return [[(frame.step, frame.value) for frame in await frames_of(handle)] for handle in handles]

    on_loop, in_thread = run(main)

    assert on_loop == [
        (None, "before"),
        ("outer", "outer"),
        ("inner", "inner"),
        ("outer", "outer, too"),
        ("outer", "outer, too"),
        ("timed", "timed"),
        (None, "after"),
    ]
    assert in_thread == [(None, "before"), ("inner", "inner"), ("timed", "timed"), (None, "after")]


@pytest.mark.parametrize("kind", ["async", "plain step", "plain"])
def test_of_a_step_that_is_tried_again_only_the_last_try_counts(ff: FlowFabric, kind: str) -> None:
    tries: list[int] = []

    def ask(ctx: Context) -> str:
        tries.append(1)
        ctx.write(f"try {len(tries)}")
        if len(tries) < 3:
            raise ConnectionError("away")
        return "answer"

    async def ask_async(ctx: Context) -> str:
        return ask(ctx)

    @ff.task
    async def speak(ctx: Context, kind: str) -> None:
        steps = ctx.options(retry=AT_ONCE)
        if kind == "async":
            await steps.step("ask", lambda: ask_async(ctx))
        else:
            await steps.step("ask", lambda: ask(ctx))

    @ff.task
    def speak_in_a_thread(ctx: Context) -> None:
        ctx.options(retry=AT_ONCE).step_sync("ask", lambda: ask(ctx))

    async def main() -> tuple[list[StreamFrame], Any, Any]:
        async with working(ff):
            handle = await (speak_in_a_thread.submit() if kind == "plain" else speak.submit(kind))
            await ended(ff, handle)
            engine = await ff.engine()
            every = await engine.read_stream(handle.execution_id, view="all")
            return await frames_of(handle), every.frames, await engine.get_step(handle.execution_id, "ask")

    frames, every, step = run(main)

    assert [(frame.value, frame.step_try) for frame in frames] == [("try 3", 3)]
    assert [(frame.value, frame.step_try) for frame in every] == [("try 1", 1), ("try 2", 2), ("try 3", 3)]
    assert step.tries == 3


def test_after_a_retry_the_stream_reads_as_if_nothing_had_happened(ff: FlowFabric) -> None:
    attempts: list[int] = []

    @ff.task(retry=AT_ONCE)
    async def speak(ctx: Context) -> None:
        attempts.append(ctx.attempt_index)
        await ctx.step("head", lambda: ctx.write("head, "))
        ctx.write("middle, ")
        await ctx.flush()
        if len(attempts) == 1:
            ctx.write("and a mistake")
            raise ConnectionError("away")
        ctx.write("tail")

    async def main() -> tuple[list[StreamFrame], list[Any]]:
        async with working(ff):
            handle = await speak.submit()
            await ended(ff, handle)
            every = await (await ff.engine()).read_stream(handle.execution_id, view="all")
            return await frames_of(handle), values_in(list(every.frames))

    frames, every = run(main)

    assert attempts == [0, 1]
    assert text_in(frames) == "head, middle, tail"
    assert [frame.lease_epoch for frame in frames] == [1, 2, 2]
    assert every == ["head, ", "middle, ", "and a mistake", "middle, ", "tail"]


def test_a_reader_that_follows_hears_of_the_restart_and_drops_what_is_void(ff: FlowFabric) -> None:
    attempts: list[int] = []
    may_fail = asyncio.Event()

    @ff.task(retry=AT_ONCE)
    async def speak(ctx: Context) -> None:
        attempts.append(ctx.attempt_index)
        await ctx.step("head", lambda: ctx.write("head, "))
        ctx.write("middle, ")
        if len(attempts) == 1:
            await ctx.flush()
            await may_fail.wait()
            raise ConnectionError("away")
        ctx.write("tail")

    async def main() -> tuple[list[StreamFrame], Transcript, str | None]:
        transcript, got = Transcript(), list[StreamFrame]()
        async with working(ff), asyncio.timeout(WAIT_S_MAX):
            stream = (await speak.submit()).stream()
            async for frame in stream:
                got.append(frame)
                transcript.add(frame)
                if frame.value == "middle, ":
                    may_fail.set()
        return got, transcript, stream.closed_reason

    got, transcript, reason = run(main)

    restarts = [frame.value for frame in got if frame.kind == "restart"]
    assert len(restarts) == 1
    assert (restarts[0].why, [each.step for each in restarts[0].kept]) == ("retried", ["head"])
    assert str(restarts[0]) == ""
    assert text_in(list(transcript.frames)) == "head, middle, tail"
    assert reason == "completed"


# ── readers ──────────────────────────────────────────────────────────────────────────────────────


def test_a_reader_gets_frames_while_the_task_still_runs_and_goes_on_from_its_cursor(ff: FlowFabric) -> None:
    may_end = asyncio.Event()

    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("first")
        await may_end.wait()
        ctx.write("last")

    async def main() -> tuple[str, Any, Any]:
        async with working(ff), asyncio.timeout(WAIT_S_MAX):
            handle = await speak.submit()
            stream = handle.stream()
            before = stream.cursor
            first = await anext(stream)
            cursor = stream.cursor
            may_end.set()
            rest = [frame.value async for frame in speak.handle(handle.execution_id).stream(cursor=cursor)]
            return first.value, rest, before

    assert run(main) == ("first", ["last"], None)


def test_synchronous_code_reads_the_same(ff: FlowFabric) -> None:
    @ff.task
    def speak(ctx: Context) -> None:
        ctx.write("a")
        ctx.emit({"b": 1})
        ctx.summary({"stage": "done"})

    async def main() -> Handle[None]:
        async with working(ff):
            handle = await speak.submit()
            await ended(ff, handle)
            with pytest.raises(InvalidInput, match=r"stream_sync\(\) would stop the event loop"):
                handle.stream_sync()
            read = await asyncio.to_thread(lambda: (list(handle.stream_sync()), handle.summary_sync()))
            frames, summary = read
            assert values_in(frames) == ["a", {"b": 1}]
            assert summary == Summary(1, {"stage": "done"})
            return handle

    run(main)


def test_members_of_flows_and_children_have_streams_and_summaries_too(ff: FlowFabric) -> None:
    @ff.task
    async def member(ctx: Context, name: str) -> str:
        ctx.write(name)
        ctx.summary({"name": name})
        return name

    @ff.task
    async def parent(ctx: Context) -> list[str]:
        ctx.write("before, ")
        found = await ctx.map("pages", member, ["x", "y"])
        ctx.write("after")
        return list(found)

    async def main() -> tuple[Any, ...]:
        async with working(ff):
            async with ff.flow("pair") as flow:
                node = flow.add(member, "in a flow")
            above = await parent.submit()
            await ended(ff, above)
            children = await (await ff.engine()).list_children(above.execution_id)
            said = [await frames_of(member.handle(child.execution_id)) for child in children.items]
            return (
                text_in(await frames_of(node)),
                await node.summary(),
                text_in(await frames_of(above)),
                [text_in(each) for each in said],
            )

    of_member, summary, of_parent, of_children = run(main)

    assert of_member == "in a flow"
    assert summary == Summary(1, {"name": "in a flow"})
    assert of_parent.endswith("after")
    assert of_children == ["x", "y"]


def test_an_execution_that_says_nothing_has_no_frames_and_no_summary(ff: FlowFabric) -> None:
    @ff.task
    async def silent(ctx: Context) -> None:
        return

    async def main() -> tuple[list[StreamFrame], Summary | None]:
        async with working(ff):
            handle = await silent.submit()
            await ended(ff, handle)
            return await frames_of(handle), await handle.summary()

    assert run(main) == ([], None)


def test_the_stream_of_a_member_that_is_not_submitted_yet_is_refused(ff: FlowFabric) -> None:
    @ff.task
    async def member(ctx: Context) -> None:
        return

    with ff.flow("one") as flow:
        node = flow.add(member)
        with pytest.raises(InvalidInput, match="not submitted yet"):
            node.stream()


# ── when it is sent ──────────────────────────────────────────────────────────────────────────────


def test_flush_returns_when_everything_is_stored_and_not_before(ff: FlowFabric) -> None:
    seen_inside: list[list[Any]] = []

    @ff.task
    async def speak(ctx: Context) -> None:
        await ctx.flush()
        ctx.write("a")
        ctx.summary({"n": 1})
        await ctx.flush()
        engine = await ff.engine()
        page = await engine.read_stream(ctx.execution_id)
        seen_inside.append([values_in(list(page.frames)), await engine.read_summary(ctx.execution_id)])

    @ff.task
    def speak_in_a_thread(ctx: Context) -> None:
        ctx.flush_sync()
        ctx.write("a")
        ctx.summary({"n": 1})
        ctx.flush_sync()
        engine = ff.blocking_engine()
        page = engine.read_stream(ctx.execution_id)
        seen_inside.append([values_in(list(page.frames)), engine.read_summary(ctx.execution_id)])

    async def main() -> None:
        async with working(ff, flush=LATE):
            for task in (speak, speak_in_a_thread):
                await ended(ff, await task.submit())

    run(main)

    assert seen_inside == [[["a"], Summary(1, {"n": 1})]] * 2


def test_flush_sync_on_an_event_loop_is_refused(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> str:
        with pytest.raises(InvalidInput, match=r"await ctx\.flush"):
            ctx.flush_sync()
        return "refused"

    async def main() -> str:
        async with working(ff):
            return await (await speak.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == "refused"


def test_code_with_an_event_loop_of_its_own_in_a_thread_can_speak_step_and_flush(ff: FlowFabric) -> None:
    @ff.task
    def speak(ctx: Context) -> str:
        async def own() -> str:
            ctx.write("a")
            await ctx.step("s", lambda: ctx.write("b"))
            ctx.write("c")
            await ctx.flush()
            page = await asyncio.to_thread(ff.blocking_engine().read_stream, ctx.execution_id)
            return text_in(list(page.frames))

        return asyncio.run(own())

    async def main() -> str:
        async with working(ff, flush=LATE):
            return await (await speak.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == "abc"


@pytest.mark.parametrize("how", ["returns", "fails", "is rate limited", "waits", "sleeps", "makes children", "takes"])
def test_what_was_said_is_stored_with_whatever_the_code_does_next(ff: FlowFabric, how: str) -> None:
    from flowfabric import Permanent, RateLimited

    runs: list[int] = []

    @ff.task(lane="elsewhere")
    async def child(ctx: Context) -> None:
        return

    @ff.task
    async def speak(ctx: Context, how: str) -> None:
        runs.append(1)
        if len(runs) > 1:
            await asyncio.Event().wait()
        ctx.write("said")
        ctx.summary({"said": True})
        if how == "fails":
            raise Permanent("enough")
        if how == "is rate limited":
            raise RateLimited("api", retry_after="1h")
        if how == "waits":
            await ctx.wait("signal")
        if how == "sleeps":
            await ctx.sleep("nap", "1h")
        if how == "makes children":
            await ctx.map("none", child, [])  # an empty group sends nothing
            await ctx.run("child", child)
        if how == "takes":
            async with ctx.limited("api"):
                await asyncio.Event().wait()

    async def main() -> tuple[list[Any], Summary | None]:
        async with working(ff, flush=LATE, linger="0s", lanes=["default"]):
            engine = await ff.engine()
            await engine.set_limit("api", concurrency=5)
            handle = await speak.submit(how)
            await until(lambda: bool(runs))

            async def read() -> list[Any]:
                return values_in(list((await engine.read_stream(handle.execution_id)).frames))

            found = await seen(read, bool)
            summary = await handle.summary()
            if how in ("waits", "sleeps"):
                await seen(lambda: snapshot(ff, handle), lambda x: x.public_state == "suspended")
            await handle.cancel()
            return found, summary

    assert run(main) == (["said"], Summary(1, {"said": True}))


def test_an_execution_that_is_suspended_keeps_one_stream_over_its_leases(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        await ctx.step("head", lambda: ctx.write("head, "))
        ctx.write("waiting, ")
        await ctx.wait("go")
        ctx.write("tail")

    async def main() -> tuple[str, str]:
        async with working(ff, linger="0s"):
            handle = await speak.submit()
            await seen(lambda: snapshot(ff, handle), lambda x: x.public_state == "suspended")
            page = await (await ff.engine()).read_stream(handle.execution_id)
            await handle.signal("go")
            await ended(ff, handle)
            return text_in(list(page.frames)), text_in(await frames_of(handle))

    assert run(main) == ("head, waiting, ", "head, waiting, tail")


def test_what_code_writes_while_it_unwinds_from_a_suspension_is_dropped(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("before")
        try:
            await ctx.wait("go")
        finally:
            ctx.write("after")
            await ctx.flush()

    async def main() -> list[Any]:
        async with working(ff, linger="0s"):
            handle = await speak.submit()
            await seen(lambda: snapshot(ff, handle), lambda x: x.public_state == "suspended")
            await until(lambda: any("is suspended" in record.getMessage() for record in caplog.records))
            return values_in(list((await (await ff.engine()).read_stream(handle.execution_id)).frames))

    caplog.set_level("INFO", "flowfabric")

    assert run(main) == ["before"]
    (line,) = [record for record in caplog.records if "is suspended" in record.getMessage()]
    assert line.getMessage().endswith("; 1 frame of its stream had to be dropped")
    assert vars(line)["frames_dropped"] == 1


def test_metered_steps_and_spends_take_along_what_was_said(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> list[list[Any]]:
        engine, found = await ff.engine(), list[list[Any]]()

        async def read() -> None:
            found.append(values_in(list((await engine.read_stream(ctx.execution_id)).frames)))

        metered = ctx.metered("team", reserve={"tokens": 1}, cost=lambda _: {"tokens": 1})
        await metered.step("ask", lambda: ctx.write("asked"))
        await read()
        ctx.write("spent")
        await ctx.spend("team", tokens=1)
        await read()
        ctx.write("reserved")
        await ctx.reserve("team", tokens=1)
        await read()
        return found

    async def main() -> list[list[Any]]:
        async with working(ff, flush=LATE):
            await (await ff.engine()).set_budget("team", limits={"tokens": 100})
            return await (await speak.submit()).result(timeout=WAIT_S_MAX)

    assert run(main) == [["asked"], ["asked", "spent"], ["asked", "spent", "reserved"]]


def test_an_attempt_that_is_handed_back_hands_over_what_it_has_said(ff: FlowFabric) -> None:
    spoken = asyncio.Event()

    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("said")
        spoken.set()
        await asyncio.Event().wait()

    async def main() -> tuple[str, list[Any]]:
        async with ff:
            async with working(ff, flush=LATE, grace="0s"):
                handle = await speak.submit()
                await spoken.wait()
            state = (await snapshot(ff, handle)).public_state
            return state, values_in(list((await (await ff.engine()).read_stream(handle.execution_id)).frames))

    assert run(main) == ("waiting", ["said"])


def test_code_that_cannot_be_stopped_is_released_with_what_it_has_said(ff: FlowFabric) -> None:
    spoken, may_end = threading.Event(), threading.Event()

    @ff.task
    def stubborn(ctx: Context) -> None:
        ctx.write("said")
        spoken.set()
        may_end.wait(WAIT_S_MAX)
        ctx.write("too late")

    async def main() -> tuple[str, list[Any]]:
        async with ff:
            async with working(ff, flush=LATE, grace="0s"):
                handle = await stubborn.submit()
                await until(spoken.is_set)
            state = (await snapshot(ff, handle)).public_state
            may_end.set()
            return state, values_in(list((await (await ff.engine()).read_stream(handle.execution_id)).frames))

    assert run(main) == ("waiting", ["said"])


# ── summaries ────────────────────────────────────────────────────────────────────────────────────


def test_patches_that_come_fast_are_one_version(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        for done in range(100):
            ctx.summary({"done": done, "parts": {str(done % 3): done}})

    async def main() -> Summary | None:
        async with working(ff, flush=LATE):
            handle = await speak.submit()
            await ended(ff, handle)
            return await handle.summary()

    assert run(main) == Summary(1, {"done": 99, "parts": {"0": 99, "1": 97, "2": 98}})


def test_patches_that_cannot_be_merged_are_sent_one_after_the_other(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.summary({"part": {"old": 1}})
        await ctx.flush()
        ctx.summary({"part": None})
        ctx.summary({"part": {"new": 2}})

    async def main() -> Summary | None:
        async with working(ff):
            handle = await speak.submit()
            await ended(ff, handle)
            return await handle.summary()

    assert run(main) == Summary(3, {"part": {"new": 2}})


def test_a_summary_that_would_be_too_large_is_logged_and_the_task_completes(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task
    async def speak(ctx: Context) -> str:
        ctx.summary({"a": "x" * 40_000})
        await ctx.flush()
        ctx.summary({"b": "x" * 40_000})
        ctx.write("said")
        await ctx.flush()
        ctx.summary({"c": 1})
        return "done"

    async def main() -> tuple[str, Summary | None, list[Any]]:
        async with working(ff):
            handle = await speak.submit()
            result = await handle.result(timeout=WAIT_S_MAX)
            return result, await handle.summary(), values_in(await frames_of(handle))

    result, summary, said = run(main)

    assert (result, said) == ("done", ["said"])
    assert summary == Summary(2, {"a": "x" * 40_000, "c": 1})
    (line,) = [record for record in caplog.records if "summary" in record.getMessage()]
    assert "speak" in line.getMessage()
    assert "patched its summary, and that was refused: The summary would have 8" in line.getMessage()


# ── how much is kept ─────────────────────────────────────────────────────────────────────────────


def test_a_task_or_a_call_says_how_much_of_a_stream_is_kept(ff: FlowFabric) -> None:
    @ff.task(stream_max_frames=3)
    async def speak(ctx: Context) -> None:
        for number in range(10):
            ctx.write(str(number))
            await ctx.flush()

    async def main() -> list[list[Any]]:
        async with working(ff):
            found: list[list[Any]] = []
            for task in (speak, speak.options(stream_max_frames=5), speak.options(stream_max_bytes=2)):
                handle = await task.submit()
                await ended(ff, handle)
                engine = await ff.engine()
                await engine.reconcile()
                found.append(values_in(await frames_of(handle)))
            return found

    assert run(main) == [["7", "8", "9"], ["5", "6", "7", "8", "9"], ["8", "9"]]


@pytest.mark.parametrize("wrong", [{"stream_max_frames": 0}, {"stream_max_bytes": "8"}])
def test_a_wrong_bound_of_a_stream_is_refused(wrong: dict[str, Any]) -> None:
    ff = FlowFabric("memory://")

    with pytest.raises(InvalidInput, match=next(iter(wrong))):
        ff.task(**wrong)


# ── no lease ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["async", "plain"])
def test_after_its_lease_was_taken_nothing_of_an_attempt_is_stored_and_the_log_counts_it(
    ff: FlowFabric, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    spoken, told = threading.Event(), threading.Event()
    runs: list[int] = []

    @ff.task
    async def speak(ctx: Context) -> None:
        runs.append(1)
        if len(runs) > 1:
            ctx.write("again")
            return
        ctx.write("one")
        ctx.write("two")
        spoken.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        ctx.write("three")
        await ctx.flush()

    @ff.task
    def speak_in_a_thread(ctx: Context) -> None:
        runs.append(1)
        if len(runs) > 1:
            ctx.write("again")
            return
        ctx.write("one")
        ctx.write("two")
        spoken.set()
        ctx.cancelled.wait(WAIT_S_MAX)
        ctx.write("three")
        told.set()
        ctx.flush_sync()

    async def main() -> list[Any]:
        async with working(ff, flush=LATE):
            handle = await (speak if kind == "async" else speak_in_a_thread).submit()
            await until(spoken.is_set)
            engine = await ff.engine()
            await engine.revoke_lease(handle.execution_id)
            with suppress(ExecutionNotCompleted):
                await handle.result(timeout=WAIT_S_MAX)
            await until(lambda: any("its lease is over" in record.getMessage() for record in caplog.records))
            return values_in(list((await engine.read_stream(handle.execution_id, view="all")).frames))

    caplog.set_level("INFO", "flowfabric")

    assert run(main) == ["again"]
    (line,) = [record for record in caplog.records if "its lease is over" in record.getMessage()]
    assert "; 3 frames of its stream had to be dropped" in line.getMessage()
    assert vars(line)["frames_dropped"] == 3
