"""What tasks print and log becomes frames of their streams: each attempt gets its own, and nothing else changes."""

import asyncio
import contextlib
import io
import logging
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from flowfabric import Context, FlowFabric, InvalidInput, StreamFrame
from flowfabric.runtime.capture import capturing
from flowfabric.runtime.handles import Handle
from flowfabric.testing import Kit
from tests.runtime.test_streams import frames_of, lines_in
from tests.runtime.working import WAIT_S_MAX, ended, run, until, working

log = logging.getLogger("shop.orders")


@pytest.fixture
def ff() -> Iterator[FlowFabric]:
    with FlowFabric("memory://") as fabric:
        yield fabric


@pytest.fixture(autouse=True)
def _nothing_stays_behind() -> Iterator[None]:
    before = sys.stdout, sys.stderr, logging.Logger.callHandlers
    yield
    assert (sys.stdout, sys.stderr, logging.Logger.callHandlers) == before


async def outcome_of(handle: Handle[Any]) -> list[tuple[str, Any]]:
    await handle.result(timeout=WAIT_S_MAX)
    return shown(await frames_of(handle))


def shown(frames: list[StreamFrame]) -> list[tuple[str, Any]]:
    return [(kind, value) for kind, _, value in lines_in(frames)]


def test_print_and_log_records_become_frames_and_are_written_as_before(
    ff: FlowFabric, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task(capture="stdout, stderr,logging")
    async def work(ctx: Context) -> None:
        print("one", "line", 1)
        print("no line yet", end="")
        print(" and its end")
        print("an error", file=sys.stderr)
        log.warning("order %d is late", 7)
        try:
            raise ValueError("why")
        except ValueError:
            log.exception("it broke")
        ctx.log.warning("by the context's own logger")
        print()

    async def main() -> list[tuple[str, Any]]:
        async with working(ff):
            return await outcome_of(await work.submit())

    frames = run(main)

    kinds = [kind for kind, _ in frames]
    assert kinds == ["stdout", "stdout", "stderr", "log", "log", "log", "stdout"]
    values = [value for _, value in frames]
    assert values[:4] == [
        "one line 1\n",
        "no line yet and its end\n",
        "an error\n",
        "WARNING shop.orders order 7 is late\n",
    ]
    assert values[4].startswith("ERROR shop.orders it broke\nTraceback (most recent call last):\n")
    assert values[4].endswith("ValueError: why\n")
    assert values[5:] == ["WARNING flowfabric.task.work by the context's own logger\n", "\n"]
    assert capsys.readouterr().out == "one line 1\nno line yet and its end\n\n"
    assert [record.getMessage() for record in caplog.records if record.name == "shop.orders"] == [
        "order 7 is late",
        "it broke",
    ]


@pytest.mark.parametrize("what", ["stdout", "stderr", "logging"])
def test_only_what_is_named_is_captured(ff: FlowFabric, what: str) -> None:
    @ff.task(capture=what)
    def work(ctx: Context) -> None:
        print("out")
        print("err", file=sys.stderr)
        log.warning("logged")

    @ff.task
    def other(ctx: Context) -> None:
        print("out")
        print("err", file=sys.stderr)
        log.warning("logged")

    async def main() -> list[list[tuple[str, Any]]]:
        async with working(ff):
            return [await outcome_of(await task.submit()) for task in (work, other)]

    captured, nothing = run(main)

    of = {
        "stdout": ("stdout", "out\n"),
        "stderr": ("stderr", "err\n"),
        "logging": ("log", "WARNING shop.orders logged\n"),
    }
    assert captured == [of[what]]
    assert nothing == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("stdot", "capture names 'stdot'; it may name stdout, stderr, logging, with commas in between."),
        ("", "capture names ''"),
        ("stdout,", "capture names ''"),
        (["stdout"], "it must be a text such as 'stdout,logging'"),
        (True, "it must be a text"),
    ],
)
def test_unknown_words_are_refused_when_the_task_is_defined(ff: FlowFabric, wrong: Any, words: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        ff.task(capture=wrong)

    assert words in str(refusal.value)


def test_sixteen_attempts_at_once_each_get_their_own_output(ff: FlowFabric, capsys: pytest.CaptureFixture[str]) -> None:
    barrier = threading.Barrier(16)
    together: list[int] = []
    all_there = asyncio.Event()

    @ff.task(capture="stdout,logging")
    async def on_the_loop(ctx: Context, number: int) -> None:
        together.append(number)
        if len(together) == 16:
            all_there.set()
        await all_there.wait()
        for line in range(20):
            print("loop", number, line)
            await asyncio.sleep(0)
            log.warning("loop %d %d", number, line)
            await asyncio.to_thread(print, "thread of", number, line)
            await ctx.step(f"s{line}", lambda line=line: print("step of", number, line))

    @ff.task(capture="stdout,logging")
    def in_a_thread(ctx: Context, number: int) -> None:
        barrier.wait(WAIT_S_MAX)
        for line in range(20):
            print("loop", number, line)
            log.warning("loop %d %d", number, line)
            print("thread of", number, line)
            ctx.step_sync(f"s{line}", lambda line=line: print("step of", number, line))

    async def main() -> list[list[tuple[str, Any]]]:
        async with working(ff, concurrency=16):
            found = []
            for task in (on_the_loop, in_a_thread):
                handles = [await task.submit(number) for number in range(16)]
                found += [await outcome_of(handle) for handle in handles]
            return found

    all_frames = run(main)

    for number, frames in zip([*range(16), *range(16)], all_frames, strict=True):
        assert frames == [
            frame
            for line in range(20)
            for frame in (
                ("stdout", f"loop {number} {line}\n"),
                ("log", f"WARNING shop.orders loop {number} {line}\n"),
                ("stdout", f"thread of {number} {line}\n"),
                ("stdout", f"step of {number} {line}\n"),
            )
        ]
    lines = [
        f"{word} {number} {line}\n"
        for word in ("loop", "thread of", "step of")
        for number in (*range(16), *range(16))
        for line in range(20)
    ]
    # Threads that print at the same time may mix their lines on a terminal, with or without us.
    assert sorted(capsys.readouterr().out) == sorted("".join(lines))


def test_output_knows_the_step_in_which_it_was_written(ff: FlowFabric) -> None:
    @ff.task(capture="stdout,logging")
    async def work(ctx: Context) -> None:
        def step() -> None:
            print("in the step")
            log.warning("in the step")

        print("before", end="")
        await ctx.step("s", step)
        print("after")

    async def main() -> list[tuple[str | None, Any]]:
        async with working(ff):
            handle = await work.submit()
            await ended(ff, handle)
            return [(step, value) for _, step, value in lines_in(await frames_of(handle))]

    assert run(main) == [
        (None, "before"),
        ("s", "in the step\n"),
        ("s", "WARNING shop.orders in the step\n"),
        (None, "after\n"),
    ]


def test_records_of_the_worker_itself_are_not_captured(ff: FlowFabric, caplog: pytest.LogCaptureFixture) -> None:
    @ff.task(capture="stdout,stderr,logging")
    async def work(ctx: Context) -> None:
        logging.getLogger("flowfabric.worker").warning("ours")
        logging.getLogger("flowfabric.engine").warning("ours")
        logging.getLogger("flowfabrics").warning("theirs")

    async def main() -> list[tuple[str, Any]]:
        handler = logging.StreamHandler(sys.stderr)
        before = sys.stderr
        async with working(ff):
            await until(lambda: sys.stderr is not before)
            handler.setStream(sys.stderr)
            logging.getLogger("flowfabric").addHandler(handler)
            try:
                return await outcome_of(await work.submit())
            finally:
                logging.getLogger("flowfabric").removeHandler(handler)

    assert run(main) == [("log", "WARNING flowfabrics theirs\n")]


def test_what_a_handler_writes_for_a_captured_record_is_not_captured_again(ff: FlowFabric) -> None:
    @ff.task(capture="stdout,logging")
    async def work(ctx: Context) -> None:
        log.warning("once")

    @ff.task(capture="stdout")
    async def streams_only(ctx: Context) -> None:
        log.warning("once")

    async def main() -> list[list[tuple[str, Any]]]:
        before = sys.stdout
        async with working(ff):
            await until(lambda: sys.stdout is not before)
            handler = logging.StreamHandler(sys.stdout)
            log.addHandler(handler)
            try:
                return [await outcome_of(await task.submit()) for task in (work, streams_only)]
            finally:
                log.removeHandler(handler)

    assert run(main) == [[("log", "WARNING shop.orders once\n")], [("stdout", "once\n")]]


class Raising(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        raise OSError("the disk is full")


def test_a_handler_or_a_stream_that_raises_loses_no_frame_and_raises_as_before(ff: FlowFabric) -> None:
    class Broken(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError("the pipe is broken")

    @ff.task(capture="stdout,logging")
    async def work(ctx: Context) -> list[str]:
        raised: list[str] = []
        for act in (
            lambda: print("printed"),
            lambda: log.warning("logged"),
            lambda: log.warning("%d", "not a number"),
        ):
            try:
                act()
            except OSError as error:
                raised.append(str(error))
        return raised

    async def main() -> tuple[list[str], list[tuple[str, Any]]]:
        with contextlib.redirect_stdout(Broken()):
            async with working(ff):
                handle = await work.submit()
                return await handle.result(timeout=WAIT_S_MAX), await outcome_of(handle)

    handler = Raising()
    log.addHandler(handler)
    try:
        raised, frames = run(main)
    finally:
        log.removeHandler(handler)

    assert raised == ["the pipe is broken", "the disk is full", "the disk is full"]
    assert frames == [
        ("stdout", "printed"),
        ("log", "WARNING shop.orders logged\n"),
        ("log", "WARNING shop.orders '%d' ('not a number',)\n"),
    ]


def test_loggers_that_do_not_propagate_are_captured_too(ff: FlowFabric) -> None:
    alone = logging.getLogger("alone")

    @ff.task(capture="logging")
    async def work(ctx: Context) -> None:
        alone.warning("heard")

    async def main() -> list[tuple[str, Any]]:
        async with working(ff):
            return await outcome_of(await work.submit())

    alone.propagate = False
    try:
        assert run(main) == [("log", "WARNING alone heard\n")]
    finally:
        alone.propagate = True


def test_a_formatter_of_the_program_still_writes_tracebacks_in_its_own_way(ff: FlowFabric) -> None:
    lines: list[str] = []

    class Short(logging.Formatter):
        def formatException(self, ei: Any) -> str:
            return f"<{ei[1]}>"

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    @ff.task(capture="logging")
    async def work(ctx: Context) -> None:
        try:
            raise ValueError("why")
        except ValueError:
            log.exception("it broke")

    async def main() -> None:
        async with working(ff):
            await ended(ff, await work.submit())

    handler = Kept()
    handler.setFormatter(Short())
    log.addHandler(handler)
    try:
        run(main)
    finally:
        log.removeHandler(handler)

    assert lines == ["it broke\n<why>"]


def test_output_that_is_redirected_by_the_code_stays_where_it_is(ff: FlowFabric) -> None:
    @ff.task(capture="stdout")
    async def work(ctx: Context) -> str:
        with contextlib.redirect_stdout(io.StringIO()) as mine:
            print("mine")
        sys.stdout.writelines(["a\n", "b\n"])
        print("", end="")
        return mine.getvalue()

    async def main() -> tuple[str, list[tuple[str, Any]]]:
        async with working(ff):
            handle = await work.submit()
            return await handle.result(timeout=WAIT_S_MAX), await outcome_of(handle)

    assert run(main) == ("mine\n", [("stdout", "a\n"), ("stdout", "b\n")])


def test_the_streams_are_wrapped_only_while_a_worker_with_such_a_task_runs(ff: FlowFabric) -> None:
    inside: list[bool] = []

    @ff.task
    async def plain(ctx: Context) -> None:
        inside.append(sys.stdout is before)

    async def main() -> None:
        async with working(ff):
            await ended(ff, await plain.submit())

    before = sys.stdout
    run(main)
    ff.task(capture="stdout", name="captured")(lambda ctx: None)
    run(main)

    assert inside == [True, False]
    assert sys.stdout is before


def test_a_wrapped_stream_still_is_what_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    inner = sys.stdout

    with capturing({"stdout"}), capturing({"stdout", "logging"}):
        assert sys.stdout is not inner
        assert (sys.stdout.encoding, sys.stdout.writable()) == (inner.encoding, inner.writable())
        print("before the end", flush=True)
        assert sys.stdout.write("four") == 4

    assert sys.stdout is inner
    assert capsys.readouterr().out == "before the end\nfour"


def test_a_stream_that_somebody_else_has_wrapped_meanwhile_is_left_alone() -> None:
    before = sys.stdout
    theirs = io.StringIO()

    with capturing({"stdout"}):
        sys.stdout = theirs
    assert sys.stdout is theirs

    sys.stdout = before


def test_a_process_without_standard_output_is_captured_all_the_same(ff: FlowFabric) -> None:
    @ff.task(capture="stdout")
    async def work(ctx: Context) -> None:
        print("into the void")
        sys.stdout.flush()

    async def main() -> list[tuple[str, Any]]:
        async with working(ff):
            return await outcome_of(await work.submit())

    before = sys.stdout
    sys.stdout = None
    try:
        assert run(main) == [("stdout", "into the void\n")]
    finally:
        sys.stdout = before


def test_a_long_line_is_cut_and_strange_characters_are_escaped(ff: FlowFabric) -> None:
    @ff.task(capture="stdout")
    def work(ctx: Context) -> None:
        sys.stdout.write("ü" * 70_000 + "\n")
        with contextlib.suppress(UnicodeEncodeError):
            print("\ud800")

    async def main() -> list[tuple[str, Any]]:
        async with working(ff):
            return await outcome_of(await work.submit())

    values = [value for _, value in run(main)]

    assert "".join(values).startswith("ü" * 70_000 + "\n\\ud800")


def test_output_on_the_loop_beyond_the_limit_is_dropped_and_print_does_not_raise(ff: FlowFabric) -> None:
    @ff.task(capture="stdout", stream_max_bytes=64 * 1024 * 1024)
    async def work(ctx: Context) -> int:
        for _ in range(200):
            sys.stdout.write("x" * 65_535 + "\n")
        return 200

    async def main() -> tuple[int, int]:
        async with working(ff):
            handle = await work.submit()
            return await handle.result(timeout=WAIT_S_MAX), len(await frames_of(handle))

    with contextlib.redirect_stdout(io.StringIO()):
        assert run(main) == (200, 128)


def test_output_is_captured_under_the_kit(ff: FlowFabric) -> None:
    @ff.task(capture="stdout", isolation=None)
    def work(ctx: Context) -> None:
        print("under the kit")

    with Kit(ff) as kit:
        handle = work.submit_sync()
        kit.run_until_idle()

        assert shown(kit.frames(handle)) == [("stdout", "under the kit\n")]
