"""How what attempts say gets to the store: in order, once, together with what follows, and never more than fits."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import pytest

from flowfabric import Contention, Context, FlowFabric, InvalidInput, StoreUnavailable, StreamFrame, Summary
from flowfabric.domain.batch_io import Changes
from flowfabric.domain.lease import Lease
from flowfabric.domain.outcomes import Appended, LeaseLost
from flowfabric.domain.streams import Said
from flowfabric.engine.engine import Engine
from flowfabric.ports.errors import CommitUnknown, ConnectionLost
from flowfabric.runtime.stream_buffer import StreamBuffer
from tests.runtime.test_outages import Scene, worker_on_a_faulty_store
from tests.runtime.working import WAIT_S_MAX, run, seen, until

NEVER_S = 3_600.0
"""A flush that never comes by itself in a test."""
MIB = 1024 * 1024


@pytest.fixture
def ff() -> FlowFabric:
    return FlowFabric("memory://")


async def frames_of(scene: Scene, key: str) -> list[StreamFrame]:
    return list((await scene.engine.read_stream(key, limit=1000)).frames)


async def said_by(scene: Scene, key: str) -> str:
    return "".join(str(frame.value) for frame in await frames_of(scene, key))


async def completed(scene: Scene, key: str) -> str:
    return await seen(lambda: scene.state_of(key), lambda state: state in ("completed", "failed"))


def chunks_in(changes: Changes) -> list[tuple[int, int]]:
    """The first number and the count of each chunk that a batch has written."""
    return [(chunk.first_seq, chunk.count) for chunk in changes.chunks.values() if chunk is not None]


def with_chunks(scene: Scene) -> list[Changes]:
    """The batches that have written frames."""
    return [changes for changes in scene.store.committed if chunks_in(changes)]


class Watched:
    """The engine of a worker. It notes who sends frames, and calls `on_append` before they are sent."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.appends: list[Sequence[Said]] = []
        self.carried: list[Said] = []
        self.on_append: Callable[[], Awaitable[object]] | None = None
        self.completed_together = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def saying(self, said: Said) -> Engine:
        self.carried.append(said)
        return self._engine.saying(said)

    async def append_said(self, items: Sequence[Said]) -> list[Appended | LeaseLost]:
        self.appends.append(items)
        if self.on_append is not None:
            await self.on_append()
        return await self._engine.append_said(items)

    async def complete_all(self, completions: Sequence[tuple[Lease, bytes | None]]) -> Any:
        self.completed_together += len(completions)
        return await self._engine.complete_all(completions)


class Watching:
    """Makes the watched engine of a scene, and hands it out."""

    engine: Watched

    def __call__(self, engine: Engine) -> Any:
        self.engine = Watched(engine)
        return self.engine


# ── together with what follows ───────────────────────────────────────────────────────────────────


def test_a_step_and_an_end_are_committed_with_all_frames_before_them(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("a")

        def step() -> None:
            ctx.write("b")
            ctx.write("c")

        await ctx.step("s", step)
        ctx.write("d")

    watching = Watching()

    async def main() -> tuple[str, list[Changes]]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S, through=watching) as scene:
            key = await scene.create("speak")
            await completed(scene, key)
            return await said_by(scene, key), with_chunks(scene)

    text, (with_step, with_end) = run(main)

    assert text == "abcd"
    assert (chunks_in(with_step), [step.name for step in with_step.steps.values()]) == ([(0, 3)], ["s"])
    assert chunks_in(with_end) == [(3, 1)]
    assert [x.public_state for _, x in with_end.executions if x is not None] == ["completed"]
    assert (watching.engine.appends, len(watching.engine.carried)) == ([], 2)


def test_attempts_that_say_nothing_make_no_commands_of_their_own_and_complete_together(ff: FlowFabric) -> None:
    @ff.task
    async def silent(ctx: Context) -> None:
        await ctx.step("s", lambda: 1)

    watching = Watching()

    async def main() -> None:
        async with worker_on_a_faulty_store(ff, through=watching) as scene:
            for key in [await scene.create("silent") for _ in range(5)]:
                await completed(scene, key)

    run(main)

    assert (watching.engine.appends, watching.engine.carried, watching.engine.completed_together) == ([], [], 5)


def test_an_attempt_that_has_nothing_left_to_say_completes_with_the_others(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("a")
        await ctx.flush()

    watching = Watching()

    async def main() -> None:
        async with worker_on_a_faulty_store(ff, through=watching) as scene:
            await completed(scene, await scene.create("speak"))

    run(main)

    assert (len(watching.engine.appends), watching.engine.carried, watching.engine.completed_together) == (1, [], 1)


def test_steps_that_are_stored_at_the_same_time_all_have_their_frames(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        def step(number: int) -> int:
            for _ in range(20):
                ctx.write(f"{number} ")
            return number

        await asyncio.gather(*(ctx.step(f"s{number}", step, number) for number in range(20)))

    async def main() -> None:
        async with worker_on_a_faulty_store(ff, flush_s=0.001) as scene:
            key = await scene.create("speak")
            await completed(scene, key)
            stored: dict[str, int] = {}
            for changes in scene.store.committed:
                for chunk in changes.chunks.values():
                    assert chunk is not None
                frames = sum(count for _, count in chunks_in(changes))
                stored[""] = stored.get("", 0) + frames
                for step in changes.steps.values():
                    stored[step.name] = stored[""]
            frames_now = await frames_of(scene, key)
            for number in range(20):
                last = max(frame.seq for frame in frames_now if frame.step == f"s{number}")
                assert stored[f"s{number}"] > last, "a step was stored before its frames"
            assert sorted(frame.seq for frame in frames_now) == list(range(400))

    run(main)


def test_a_step_and_an_end_wait_for_the_frames_that_are_under_way(ff: FlowFabric) -> None:
    under_way, may_go_on = asyncio.Event(), asyncio.Event()

    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("a")
        flushing = asyncio.create_task(ctx.flush())
        await under_way.wait()
        await ctx.step("s", lambda: 1)
        await flushing

    watching = Watching()

    async def hold() -> None:
        under_way.set()
        await may_go_on.wait()

    async def main() -> tuple[int, bool, list[str]]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S, through=watching) as scene:
            watching.engine.on_append = hold
            key = await scene.create("speak")
            await under_way.wait()
            (attempt,) = scene.worker._attempts
            speech = attempt._speech
            assert speech is not None
            # The flush waits for the end of the turn, and so does the step.
            await until(lambda: speech._news is not None and len(speech._news._callbacks) >= 2)
            before = len(watching.engine.carried), any(changes.steps for changes in scene.store.committed)
            may_go_on.set()
            await completed(scene, key)
            return *before, [step.name for changes in scene.store.committed for step in changes.steps.values()]

    assert run(main) == (0, False, ["s"])
    assert watching.engine.carried == []


def test_more_than_one_append_can_hold_goes_ahead_of_the_command(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> None:
        for _ in range(25_000):
            ctx.write("x")
        for _ in range(40):
            ctx.write("y" * 60_000)
        await ctx.step("s", lambda: None)

    async def main() -> list[tuple[int, int]]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S) as scene:
            key = await scene.create("speak")
            await completed(scene, key)
            return [chunk for changes in with_chunks(scene) for chunk in chunks_in(changes)]

    chunks = run(main)

    assert [first for first, _ in chunks] == [sum(count for _, count in chunks[:at]) for at in range(len(chunks))]
    assert sum(count for _, count in chunks) == 25_040
    assert max(count for _, count in chunks) <= 10_000


def test_a_refused_command_keeps_its_frames_for_the_next_one(ff: FlowFabric) -> None:
    @ff.task
    async def speak(ctx: Context) -> str:
        ctx.write("a")
        with pytest.raises(InvalidInput, match="result"):
            await ctx.step("big", lambda: "x" * 20_000_000)
        ctx.write("b")
        await ctx.step("small", lambda: ctx.write("c"))
        return "x" * 20_000_000  # refused, too: then the attempt fails, with the rest

    async def main() -> tuple[str, str, list[tuple[int, int]]]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S) as scene:
            key = await scene.create("speak")
            state = await completed(scene, key)
            chunks = [chunk for changes in with_chunks(scene) for chunk in chunks_in(changes)]
            return state, await said_by(scene, key), chunks

    state, text, chunks = run(main)

    assert (state, text) == ("failed", "abc")
    assert chunks == [(0, 1), (1, 2)]


# ── all together, and when ───────────────────────────────────────────────────────────────────────


def test_the_frames_of_all_attempts_of_a_worker_go_in_one_command(ff: FlowFabric) -> None:
    ready: list[int] = []
    all_ready, may_end = asyncio.Event(), asyncio.Event()

    @ff.task
    async def speak(ctx: Context) -> None:
        ready.append(1)
        if len(ready) == 16:
            all_ready.set()
        await all_ready.wait()
        ctx.write("a")
        await may_end.wait()

    watching = Watching()

    async def main() -> list[int]:
        async with worker_on_a_faulty_store(ff, through=watching) as scene:
            keys = [await scene.create("speak") for _ in range(16)]
            for key in keys:
                await seen(lambda key=key: frames_of(scene, key), bool)
            may_end.set()
            for key in keys:
                await completed(scene, key)
            return [len(items) for items in watching.engine.appends]

    assert run(main) == [16]


def test_what_is_much_is_sent_before_its_time(ff: FlowFabric) -> None:
    may_end = asyncio.Event()

    @ff.task
    async def speak(ctx: Context, size: int) -> None:
        ctx.write("x" * size)
        await may_end.wait()

    watching = Watching()

    async def main() -> list[int]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S, through=watching) as scene:
            engine = scene.engine
            little = await engine.create_execution("speak", b'{"arguments":{"size":32000}}')
            much = await engine.create_execution("speak", b'{"arguments":{"size":33000}}')
            await seen(lambda: frames_of(scene, much.execution_id), bool)
            sent = [said.size for items in watching.engine.appends for said in items]
            may_end.set()
            for created in (little, much):
                await completed(scene, created.execution_id)
            return sent

    # What waits anyway goes along.
    assert sorted(run(main)) in ([33_000], [32_000, 33_000])


def test_frames_that_are_written_in_a_thread_are_sent_while_it_works(ff: FlowFabric) -> None:
    may_end = threading.Event()

    @ff.task
    def speak(ctx: Context) -> None:
        ctx.write("a")
        assert may_end.wait(WAIT_S_MAX)

    async def main() -> str:
        async with worker_on_a_faulty_store(ff) as scene:
            key = await scene.create("speak")
            await seen(lambda: frames_of(scene, key), bool)
            may_end.set()
            return await completed(scene, key)

    assert run(main) == "completed"


def test_summaries_of_several_attempts_are_patched_beside_their_frames(ff: FlowFabric) -> None:
    may_end = asyncio.Event()

    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("a")
        ctx.summary({"n": 1})
        await may_end.wait()

    async def main() -> list[Summary | None]:
        async with worker_on_a_faulty_store(ff) as scene:
            keys = [await scene.create("speak") for _ in range(3)]
            found = [await seen(lambda key=key: scene.engine.read_summary(key), bool) for key in keys]
            may_end.set()
            for key in keys:
                await completed(scene, key)
            return found

    assert run(main) == [Summary(1, {"n": 1})] * 3


# ── lost answers, and a store that is away ───────────────────────────────────────────────────────


class LosesAnswers(Watched):
    """An engine whose answers to some commands are lost after the commit, or that does not send them at all."""

    losses = 2
    is_lost_before = False

    async def append_said(self, items: Sequence[Said]) -> list[Appended | LeaseLost]:
        if self.is_lost_before:
            self._lose()
        answers = await super().append_said(items)
        self._lose()
        return answers

    def saying(self, said: Said) -> Any:
        return _LosesAnswers(super().saying(said), self)

    async def patch_summary(self, lease: Lease, patch: Any) -> Summary:
        answer = await self._engine.patch_summary(lease, patch)
        self._lose()
        return answer

    def _lose(self) -> None:
        if self.losses:
            self.losses -= 1
            raise StoreUnavailable("the answer is lost")


class _LosesAnswers:
    def __init__(self, engine: Engine, owner: LosesAnswers) -> None:
        self._engine = engine
        self._owner = owner

    def __getattr__(self, name: str) -> Any:
        send = getattr(self._engine, name)

        async def sent(*args: object, **kwargs: object) -> Any:
            if self._owner.is_lost_before:
                self._owner._lose()
            answer = await send(*args, **kwargs)
            self._owner._lose()
            return answer

        return sent


@pytest.mark.parametrize("is_lost_before", [False, True], ids=["after the commit", "before it"])
@pytest.mark.parametrize("where", ["flush", "step", "end", "summary"])
def test_frames_whose_answer_was_lost_are_sent_again_and_count_once(
    ff: FlowFabric, where: str, is_lost_before: bool
) -> None:
    @ff.task
    async def speak(ctx: Context, where: str) -> None:
        ctx.write("a")
        if where == "summary":
            ctx.summary({"n": 1})
        if where in ("flush", "summary"):
            task = asyncio.create_task(ctx.flush())
            await asyncio.sleep(0)
            ctx.write("b")
            await task
        if where == "step":
            await ctx.step("s", lambda: ctx.write("b"))
        if where == "end":
            ctx.write("b")

    engines: list[LosesAnswers] = []

    def through(engine: Engine) -> Any:
        engines.append(LosesAnswers(engine))
        engines[0].is_lost_before = is_lost_before
        return engines[0]

    async def main() -> tuple[str, list[int], int]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S, through=through) as scene:
            created = await scene.engine.create_execution("speak", b'{"arguments":{"where":"%s"}}' % where.encode())
            state = await completed(scene, created.execution_id)
            await until(lambda: not engines[0].losses)
            frames = await frames_of(scene, created.execution_id)
            return state, [frame.seq for frame in frames], engines[0].losses

    assert run(main) == ("completed", [0, 1], 0)


@pytest.mark.parametrize("error", [ConnectionLost("away"), CommitUnknown("cut")])
@pytest.mark.parametrize("point", ["begin", "before commit", "after commit"])
def test_commits_that_fail_or_whose_answer_is_lost_leave_each_frame_once(
    ff: FlowFabric, point: Any, error: Exception
) -> None:
    scenes: list[Scene] = []

    @ff.task
    async def speak(ctx: Context) -> None:
        for number in range(5):
            ctx.write(f"{number} ")
            if number % 2:
                scenes[0].store.breaks(point, error, when=lambda needs: bool(needs.streams) or point == "begin")
                await ctx.flush()
            else:
                scenes[0].store.breaks(point, error, when=lambda needs: bool(needs.streams) or point == "begin")
                await ctx.step(f"s{number}", lambda: ctx.write("step "))

    async def main() -> tuple[str, str]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S) as scene:
            scenes.append(scene)
            key = await scene.create("speak")
            return await completed(scene, key), await said_by(scene, key)

    assert run(main) == ("completed", "0 step 1 2 step 3 4 step ")


def test_a_flush_waits_for_a_store_that_is_away_and_the_attempt_goes_on(ff: FlowFabric) -> None:
    scenes: list[Scene] = []

    @ff.task
    async def speak(ctx: Context) -> str:
        scenes[0].store.breaks("begin", StoreUnavailable("away"), times=5)
        ctx.write("a")
        await ctx.flush()
        return await said_by(scenes[0], ctx.execution_id)

    async def main() -> bytes | None:
        async with worker_on_a_faulty_store(ff) as scene:
            scenes.append(scene)
            key = await scene.create("speak")
            await completed(scene, key)
            return await scene.engine.get_result(key)

    assert run(main) == b'"a"'


def test_one_stream_that_cannot_be_stored_does_not_hold_up_the_others(ff: FlowFabric) -> None:
    locked = asyncio.Event()
    may_end = asyncio.Event()
    started: list[str] = []

    @ff.task
    async def speak(ctx: Context) -> None:
        started.append(ctx.execution_id)
        if len(started) == 3:
            locked.set()
        await locked.wait()
        ctx.write("a")
        await may_end.wait()

    class Locked(Watched):
        """Somebody holds the lock of the first execution."""

        is_locked = True
        refused = 0

        async def append_said(self, items: Sequence[Said]) -> list[Appended | LeaseLost]:
            if self.is_locked and any(said.fence.execution_id == started[0] for said in items):
                self.refused += 1
                raise Contention("locked")
            return await super().append_said(items)

    engines: list[Locked] = []

    def through(engine: Engine) -> Any:
        engines.append(Locked(engine))
        return engines[0]

    async def main() -> list[str]:
        async with worker_on_a_faulty_store(ff, through=through) as scene:
            keys = [await scene.create("speak") for _ in range(3)]
            for key in started[1:] or keys:
                if key != (started or [""])[0]:
                    await seen(lambda key=key: frames_of(scene, key), bool)
            await until(lambda: engines[0].refused >= 2)
            assert await frames_of(scene, started[0]) == []
            engines[0].is_locked = False
            await seen(lambda: frames_of(scene, started[0]), bool)
            may_end.set()
            return [await completed(scene, key) for key in keys]

    assert run(main) == ["completed"] * 3


def test_an_append_that_is_refused_although_the_lease_lives_is_an_error_in_the_log_and_the_task_completes(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task
    async def speak(ctx: Context) -> str:
        ctx.write("a")
        await ctx.flush()
        ctx.write("b")
        await ctx.flush()
        return "done"

    class Refuses(Watched):
        async def append_said(self, items: Sequence[Said]) -> list[Appended | LeaseLost]:
            return [LeaseLost(said.fence.execution_id, "conflict") for said in items]

    async def main() -> bytes | None:
        async with worker_on_a_faulty_store(ff, through=Refuses) as scene:
            key = await scene.create("speak")
            await completed(scene, key)
            return await scene.engine.get_result(key)

    assert run(main) == b'"done"'
    (line,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert "cannot write to its stream any more: conflict" in line.getMessage()


# ── full buffers ─────────────────────────────────────────────────────────────────────────────────


def buffer_of(scene: Scene) -> StreamBuffer:
    """The buffer of the only attempt that runs."""
    (attempt,) = scene.worker._attempts
    assert attempt._speech is not None
    return attempt._speech._buffer


def test_a_thread_waits_while_a_mebibyte_waits_to_be_stored_and_goes_on_when_there_is_room(ff: FlowFabric) -> None:
    written: list[int] = []
    may_store = asyncio.Event()

    @ff.task
    def speak(ctx: Context) -> None:
        for number in range(64):
            ctx.write("x" * 65_536)
            written.append(number)

    watching = Watching()

    async def main() -> tuple[int, str]:
        async with worker_on_a_faulty_store(ff, through=watching) as scene:
            watching.engine.on_append = may_store.wait
            key = await scene.create("speak")
            await until(lambda: len(written) >= 16)
            await until(lambda: bool(buffer_of(scene)._changed._waiters))
            at_most = len(written)
            may_store.set()
            return at_most, await completed(scene, key)

    assert run(main) == (16, "completed")
    assert len(written) == 64
    assert max(sum(said.size for said in items) for items in watching.engine.appends) <= MIB


def test_code_on_the_loop_may_go_on_up_to_eight_mebibytes_and_then_has_to_flush(ff: FlowFabric) -> None:
    @ff.task(stream_max_bytes=64 * MIB)
    async def speak(ctx: Context) -> list[int]:
        written = 0
        with suppress(InvalidInput):
            while True:
                ctx.write("x" * 65_536)
                written += 1
        with pytest.raises(InvalidInput, match=r"8 MiB that this attempt has written .*await ctx\.flush\(\)"):
            ctx.emit(1)
        await ctx.flush()
        for _ in range(10):
            ctx.write("y" * 65_536)
        await ctx.flush()
        return [written]

    async def main() -> tuple[Any, int]:
        async with worker_on_a_faulty_store(ff) as scene:
            created = await scene.engine.create_execution("speak", b'{"arguments":{}}')
            key = created.execution_id
            await completed(scene, key)
            count, cursor = 0, None
            while (page := await scene.engine.read_stream(key, cursor=cursor, view="all")).frames:
                count, cursor = count + len(page.frames), page.next_cursor
            return await scene.engine.get_result(key), count

    result, count = run(main)

    written = int(result.strip(b"[]"))
    assert written == 128
    assert count == written + 10


def test_a_thread_that_waits_for_room_goes_on_when_its_lease_is_lost(ff: FlowFabric) -> None:
    written: list[int] = []
    over = threading.Event()

    @ff.task
    def speak(ctx: Context) -> None:
        if ctx.attempt_index:
            return
        for number in range(64):
            ctx.write("x" * 65_536)
            written.append(number)
        over.set()
        ctx.flush_sync()

    class Stuck(Watched):
        """Frames are never stored."""

        async def append_said(self, items: Sequence[Said]) -> list[Appended | LeaseLost]:
            await asyncio.Event().wait()
            raise AssertionError

    async def main() -> str:
        async with worker_on_a_faulty_store(ff, through=Stuck) as scene:
            key = await scene.create("speak")
            await until(lambda: len(written) >= 15)
            assert not over.is_set()
            await scene.engine.revoke_lease(key)
            await until(over.is_set)
            return await completed(scene, key)

    assert run(main) == "completed"


# ── ends ─────────────────────────────────────────────────────────────────────────────────────────


def test_an_attempt_that_is_cancelled_while_its_frames_are_under_way_leaves_no_gap(ff: FlowFabric) -> None:
    under_way, may_go_on = asyncio.Event(), asyncio.Event()

    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("a")
        try:
            await ctx.flush()
        finally:
            ctx.write("b")

    watching = Watching()

    async def hold() -> None:
        under_way.set()
        await may_go_on.wait()

    async def main() -> tuple[str, str]:
        async with worker_on_a_faulty_store(ff, through=watching) as scene:
            watching.engine.on_append = hold
            key = await scene.create("speak")
            await under_way.wait()
            scene.worker.stop()
            scene.worker.stop()  # hands back what runs
            may_go_on.set()
            return await seen(lambda: scene.state_of(key), lambda state: state == "waiting"), await said_by(scene, key)

    assert run(main) == ("waiting", "ab")


def test_a_step_that_is_cancelled_while_it_is_stored_leaves_each_frame_once(ff: FlowFabric) -> None:
    under_way = asyncio.Event()

    class Slow(Watched):
        """A step is answered late, after it was committed."""

        def saying(self, said: Said) -> Any:
            engine = self._engine.saying(said)

            class Saying:
                def __getattr__(self, name: str) -> Any:
                    return getattr(engine, name)

                async def record_step(self, *args: Any, **kwargs: Any) -> Any:
                    await engine.record_step(*args, **kwargs)
                    under_way.set()
                    await asyncio.Event().wait()

            return Saying()

    @ff.task
    async def speak(ctx: Context) -> None:
        async def step() -> None:
            ctx.write("a")

        try:
            await ctx.step("s", step)
        finally:
            ctx.write("b")

    async def main() -> tuple[str, str]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S, through=Slow) as scene:
            key = await scene.create("speak")
            await under_way.wait()
            scene.worker.stop()
            scene.worker.stop()
            return await seen(lambda: scene.state_of(key), lambda state: state == "waiting"), await said_by(scene, key)

    assert run(main) == ("waiting", "ab")


def test_a_zombie_that_does_not_know_it_is_one_is_stopped_by_its_own_flush(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    started, stopped = asyncio.Event(), asyncio.Event()

    @ff.task
    async def speak(ctx: Context) -> None:
        if started.is_set():
            ctx.write("second")
            return
        ctx.write("first, ")
        await ctx.flush()
        started.set()
        try:
            while True:
                ctx.write("x")
                await asyncio.sleep(0)
        finally:
            stopped.set()

    class Unprompted(Watched):
        """It hears nothing of leases that were taken away."""

        def watch_leases(self, held: Any, on_lost: Any) -> Any:
            return self._engine.watch_leases(held, lambda _: None)

    async def main() -> tuple[str, str]:
        async with worker_on_a_faulty_store(ff, through=Unprompted, lease_ttl_ms=3_600_000) as scene:
            key = await scene.create("speak")
            await started.wait()
            await scene.engine.revoke_lease(key)
            await stopped.wait()
            return await completed(scene, key), await said_by(scene, key)

    caplog.set_level(logging.INFO, "flowfabric")

    assert run(main) == ("completed", "second")
    (line,) = [record for record in caplog.records if "its lease is over" in record.getMessage()]
    assert vars(line)["frames_dropped"] > 0


def test_a_worker_that_dies_sends_nothing_more(ff: FlowFabric) -> None:
    spoken = asyncio.Event()

    @ff.task
    async def speak(ctx: Context) -> None:
        ctx.write("a")
        spoken.set()
        try:
            await asyncio.Event().wait()
        finally:
            ctx.write("b")

    watching = Watching()

    async def main() -> tuple[bool, bool]:
        async with worker_on_a_faulty_store(ff, flush_s=NEVER_S, through=watching) as scene:
            await scene.create("speak")
            await spoken.wait()
            was_set = scene.worker._flusher._timer is not None
            scene.worker.die()
            return was_set, scene.worker._flusher._timer is not None

    assert run(main) == (True, False)
    assert (watching.engine.appends, watching.engine.carried) == ([], [])


def test_what_a_thread_writes_after_the_end_of_its_attempt_is_dropped(ff: FlowFabric) -> None:
    may_write, has_written = threading.Event(), threading.Event()
    refusals: list[BaseException] = []

    @ff.task
    def speak(ctx: Context, first: str) -> None:
        def late() -> None:
            may_write.wait(WAIT_S_MAX)
            try:
                ctx.write("late")
                ctx.emit({"late": True})
                ctx.summary({"late": True})
                ctx.flush_sync()
            except BaseException as error:
                refusals.append(error)
            has_written.set()

        if first:
            ctx.write(first)
        threading.Thread(target=late, daemon=True).start()

    async def main(first: str) -> tuple[str, Summary | None]:
        may_write.clear()
        has_written.clear()
        async with worker_on_a_faulty_store(ff) as scene:
            created = await scene.engine.create_execution("speak", b'{"arguments":{"first":"%s"}}' % first.encode())
            await completed(scene, created.execution_id)
            may_write.set()
            await until(has_written.is_set)
            return await said_by(scene, created.execution_id), await scene.engine.read_summary(created.execution_id)

    assert run(lambda: main("said")) == ("said", None)
    assert run(lambda: main("")) == ("", None)
    assert refusals == []
