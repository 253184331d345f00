"""Nothing that has ended keeps its lease: whatever goes wrong on the way, the execution is reported or taken over."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from flowfabric import Context, Engine, FlowFabric, ManualClock, Retry
from flowfabric.domain.errors import SchemaMismatch
from flowfabric.runtime.engines import WorkerEngine
from tests.runtime.test_outages import Scene, worker_on_a_faulty_store
from tests.runtime.working import ended, run, seen, until, working

LEASE_MS = 30_000
SECRET = "secret"
"""The word at which a codec breaks."""


class KeylessCodec:
    """Has lost the key for one word, on its way to the store or back."""

    def __init__(self, *, can_encode: bool = True, can_decode: bool = True, error: BaseException | None = None) -> None:
        self._can_encode = can_encode
        self._can_decode = can_decode
        self._error = error or KeyError("the key is gone")

    def encode(self, data: bytes) -> bytes:
        if SECRET.encode() in data and not self._can_encode:
            raise self._error
        return data

    def decode(self, data: bytes) -> bytes:
        if SECRET.encode() in data and not self._can_decode:
            raise self._error
        return data


class JammedEngine:
    """An engine of which some methods fail."""

    def __init__(self, engine: Engine, jammed: tuple[str, ...], error: Exception) -> None:
        self._engine = engine
        self._jammed = jammed
        self._error = error

    def __getattr__(self, name: str) -> Any:
        return self._fail if name in self._jammed else getattr(self._engine, name)

    async def _fail(self, *args: object, **kwargs: object) -> None:
        raise self._error


def through_jammed(*methods: str, error: Exception | None = None) -> Callable[[Engine], WorkerEngine]:
    """What a worker speaks through; without an error of its own, it fails in a way that nobody has foreseen."""
    return lambda engine: cast("WorkerEngine", JammedEngine(engine, methods, error or ZeroDivisionError("a bug")))


# ── a codec that raises ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["awaited", "plain"])
def test_a_result_that_the_codec_cannot_encode_fails_the_attempt_for_good_and_names_the_error(kind: str) -> None:
    ff = FlowFabric("memory://", codec=KeylessCodec(can_encode=False))

    @ff.task(retry=Retry(5))
    async def awaited(ctx: Context) -> str:
        return SECRET

    @ff.task(retry=Retry(5))
    def plain(ctx: Context) -> str:
        return SECRET

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await ff.tasks[kind].submit())

    x = run(main)

    assert (x.public_state, x.retry_count, x.failure.code) == ("failed", 0, "InvalidInput")
    assert "KeylessCodec could not encode the result: KeyError: 'the key is gone'" in x.failure.message


def test_arguments_that_the_codec_cannot_decode_fail_the_attempt_for_good_and_name_the_error() -> None:
    ff = FlowFabric("memory://", codec=KeylessCodec(can_decode=False))

    @ff.task(retry=Retry(5))
    async def say(ctx: Context, word: str) -> None:
        return

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await say.submit(SECRET))

    x = run(main)

    assert (x.public_state, x.retry_count, x.failure.code) == ("failed", 0, "InvalidInput")
    assert "KeylessCodec could not decode the arguments: KeyError: 'the key is gone'" in x.failure.message


def test_a_step_that_the_codec_cannot_encode_fails_the_attempt_for_good_and_is_named() -> None:
    ff = FlowFabric("memory://", codec=KeylessCodec(can_encode=False))

    @ff.task(retry=Retry(5))
    async def order(ctx: Context) -> None:
        await ctx.step("charge", lambda: SECRET)

    async def main() -> Any:
        async with working(ff):
            return await ended(ff, await order.submit())

    x = run(main)

    assert (x.public_state, x.retry_count, x.failure.code) == ("failed", 0, "InvalidInput")
    assert "could not encode the result of step 'charge'" in x.failure.message


# ── what nobody has foreseen ─────────────────────────────────────────────────────────────────────


async def ends_and_is_taken_over(
    scene: Scene, clock: ManualClock, execution_id: str, caplog: pytest.LogCaptureFixture
) -> str:
    """What was logged of the attempt, once.

    The worker lives and renews what it holds; yet this lease runs out, and the execution can be claimed again.
    """
    await until(lambda: bool(attempt_errors(caplog)))
    for _ in range(4):
        clock.advance(LEASE_MS // 3)
        await scene.worker.renew()
    (told,) = attempt_errors(caplog)
    await scene.engine.reconcile()
    x = await scene.engine.describe_execution(execution_id)
    assert x is not None
    assert x.interruption_count == 1
    return told


def attempt_errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        caplog.handler.format(record)
        for record in caplog.records
        if record.levelname == "ERROR" and getattr(record, "execution_id", None)
    ]


def test_a_codec_that_breaks_beyond_exceptions_does_not_keep_the_lease(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(BaseException):
        """What no handler of exceptions catches."""

    ff = FlowFabric("memory://", codec=KeylessCodec(can_encode=False, error=Broken()))
    clock = ManualClock()

    @ff.task
    async def tell(ctx: Context) -> str:
        return SECRET

    async def main() -> str:
        async with worker_on_a_faulty_store(ff, clock=clock, poll_s=60.0) as scene:
            key = await scene.create(tell.name)
            return await ends_and_is_taken_over(scene, clock, key, caplog)

    assert "Its lease runs out" in run(main)


def test_an_unknown_task_that_cannot_be_put_off_does_not_keep_its_lease(caplog: pytest.LogCaptureFixture) -> None:
    ff = FlowFabric("memory://")
    clock = ManualClock()

    async def main() -> str:
        through = through_jammed("delay", error=SchemaMismatch("of another time"))
        async with worker_on_a_faulty_store(ff, clock=clock, poll_s=60.0, through=through) as scene:
            key = await scene.create("nobody knows it")
            return await ends_and_is_taken_over(scene, clock, key, caplog)

    assert "of another time" in run(main)


def test_completions_that_cannot_be_sent_together_are_sent_one_by_one() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def tell(ctx: Context) -> str:
        return "done"

    async def main() -> list[str]:
        async with worker_on_a_faulty_store(ff, through=through_jammed("complete_all")) as scene:
            keys = [await scene.create(tell.name) for _ in range(3)]
            for key in keys:
                await seen(lambda key=key: scene.state_of(key), lambda state: state != "active")
            return [await scene.state_of(key) for key in keys]

    assert run(main) == ["completed"] * 3


@pytest.mark.parametrize("jammed", [("complete", "complete_all"), ("fail",), ("delay",)])
def test_an_end_that_cannot_be_reported_does_not_keep_its_lease(
    jammed: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    ff = FlowFabric("memory://")
    clock = ManualClock()

    @ff.task
    async def complete(ctx: Context) -> None:
        return

    @ff.task
    async def fail(ctx: Context) -> None:
        raise ValueError

    async def main() -> str:
        async with worker_on_a_faulty_store(ff, clock=clock, poll_s=60.0, through=through_jammed(*jammed)) as scene:
            key = await scene.create(jammed[0])
            return await ends_and_is_taken_over(scene, clock, key, caplog)

    told = run(main)

    assert "Its lease runs out" in told
    assert "ZeroDivisionError: a bug" in told
