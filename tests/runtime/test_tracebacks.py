"""Tracebacks of failed attempts: what is kept of them, what is left out, and who shows them."""

import functools
import json
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from flowfabric import AttemptSnapshot, ExecutionNotCompleted, ExecutionSnapshot, Failure, FlowFabric
from flowfabric.domain.inputs import TRACEBACK_BYTES_MAX
from flowfabric.runtime.context import Context
from flowfabric.runtime.failures import AttemptFailure
from flowfabric.runtime.running import run_plain
from flowfabric.runtime.task_options import Retry
from flowfabric.runtime.tracebacks import NO_LIBRARIES, NO_MIDDLE, traceback_of
from tests.runtime import isolated
from tests.runtime.working import WAIT_S_MAX, ended, run, working

PASSWORD = "hunter2"


def raised_by(function: Callable[..., object], *arguments: object) -> BaseException:
    """What a function raises, with a traceback that begins in the function."""
    with pytest.raises(BaseException) as caught:  # noqa: PT011 - whatever it is
        function(*arguments)
    assert caught.tb.tb_next is not None
    return caught.value.with_traceback(caught.tb.tb_next)


def as_run_by_a_worker(function: Callable[[Context], object]) -> str:
    """The traceback of a function that raises, called as a worker calls it."""
    ff = FlowFabric("memory://")
    ending = run_plain(ff.task(function), Context.for_test(), {})
    assert isinstance(ending, AttemptFailure)
    return ending.trace


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────


def test_a_traceback_begins_with_the_users_own_function() -> None:
    def charge(ctx: Context) -> None:
        raise ValueError("no such card")

    told = as_run_by_a_worker(charge)

    assert told.startswith("Traceback (most recent call last):\n")
    assert told.endswith("ValueError: no such card\n")
    assert 'raise ValueError("no such card")' in told
    assert "flowfabric/runtime/attempt.py" not in told


def test_a_traceback_tells_the_cause() -> None:
    def charge(ctx: Context) -> None:
        try:
            raise KeyError("card")
        except KeyError as error:
            raise ValueError("no such card") from error

    told = as_run_by_a_worker(charge)

    assert told.index("KeyError: 'card'") < told.index("direct cause") < told.index("ValueError: no such card")


def test_a_traceback_holds_lines_and_no_values() -> None:
    def charge(ctx: Context) -> None:
        password = "".join(reversed("2retnuh"))
        assert password == PASSWORD
        raise ValueError("refused")

    assert PASSWORD not in as_run_by_a_worker(charge)


def test_frames_of_libraries_are_what_is_cut() -> None:
    def deep(levels: int) -> None:
        json.loads("1", object_hook=None, parse_int=lambda text: deep(levels - 1) if levels else int("x" * 40))

    told = traceback_of(raised_by(deep, 20))

    assert told.startswith(NO_LIBRARIES)
    assert NO_MIDDLE not in told
    assert "json/decoder.py" not in told
    assert told.count("in deep") == 21
    assert told.endswith("'" + "x" * 40 + "'\n")
    assert len(told.encode()) <= TRACEBACK_BYTES_MAX


def test_of_a_program_that_is_too_deep_both_ends_are_kept() -> None:
    lines = [f"def f{n}(): f{n + 1}() # {'-' * 200}" for n in range(200)]
    names: dict[str, Any] = {}
    exec(compile("\n".join([*lines, "def f200(): raise ValueError('é' * 100_000)"]), "x" * 100, "exec"), names)

    told = traceback_of(raised_by(names["f0"]))

    assert NO_MIDDLE in told
    assert "in f1\n" in told
    assert "in f200\n" in told
    assert "ValueError: éé" in told
    assert TRACEBACK_BYTES_MAX - 4096 < len(told.encode()) <= TRACEBACK_BYTES_MAX


def test_a_message_of_any_length_leaves_the_frames_alone() -> None:
    def charge(ctx: Context) -> None:
        raise ValueError("x" * 1_000_000)

    told = as_run_by_a_worker(charge)

    assert "in charge\n" in told
    assert len(told) < 4096


def test_a_program_that_is_installed_beside_libraries_is_no_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flowfabric.runtime.tracebacks._LIBRARIES", (f"{tmp_path}/",))

    def function(module: str, code: str) -> Callable[..., object]:
        names: dict[str, Any] = {"__name__": module}
        file = tmp_path.joinpath(*module.split(".")).with_suffix(".py")
        exec(compile(code, str(file), "exec"), names)
        return cast("Callable[..., object]", names["f"])

    ask = function("shop.bank.api", "def f(): raise ValueError('closed')")
    for number in range(200):
        # Python folds lines that are equal.
        ask = functools.partial(function("wire.net", f"def f{number}(ask): ask()\nf = f{number}"), ask)
    charge = function("shop.pay", "def f(ask): ask()")

    told = traceback_of(raised_by(charge, ask))

    assert told.startswith(NO_LIBRARIES)
    assert [line.split('"')[1] for line in told.splitlines() if 'File "' in line] == [
        str(tmp_path / "shop/pay.py"),
        str(tmp_path / "shop/bank/api.py"),
    ]


@pytest.mark.parametrize("text", ["nul \0", "lone \ud800"])
def test_a_traceback_holds_only_what_every_store_keeps(text: str) -> None:
    def charge(ctx: Context) -> None:
        raise ValueError(text)

    told = as_run_by_a_worker(charge)

    assert "\0" not in told
    assert told.encode()


def test_an_exception_that_cannot_be_shown_is_still_a_failure() -> None:
    class Broken(Exception):
        @property
        def __notes__(self) -> object:
            raise RuntimeError("never")

        def __str__(self) -> str:
            raise RuntimeError("never")

    def charge(ctx: Context) -> None:
        raise Broken

    assert "Broken" in as_run_by_a_worker(charge)


def test_groups_and_endless_recursion_are_told_within_the_limit() -> None:
    def endless(n: int) -> int:
        return endless(n + 1) + 1

    def charge(ctx: Context) -> None:
        errors = [raised_by(endless, 0) for _ in range(20)]
        raise BaseExceptionGroup("many", errors)

    told = as_run_by_a_worker(charge)

    assert "many (20 sub-exceptions)" in told
    assert len(told.encode()) <= TRACEBACK_BYTES_MAX


# ── who shows them ───────────────────────────────────────────────────────────────────────────────


def test_every_failed_attempt_shows_its_traceback(ff: FlowFabric) -> None:
    @ff.task(retry=Retry(1, initial_delay="1ms"))
    async def charge(ctx: Context, card: str) -> str:
        raise ValueError(f"try {ctx.attempt_index}")

    async def main() -> tuple[list[AttemptSnapshot], ExecutionSnapshot, ExecutionNotCompleted]:
        async with working(ff):
            handle = await charge.submit(card="4711")
            with pytest.raises(ExecutionNotCompleted) as caught:
                await handle.result(timeout=WAIT_S_MAX)
            engine = await ff.engine()
            return await engine.list_attempts(handle.execution_id), await handle.describe(), caught.value

    attempts, x, error = run(main)

    failures = [attempt.failure for attempt in attempts]
    assert [failure and (failure.code, failure.message) for failure in failures] == [
        ("ValueError", "try 0"),
        ("ValueError", "try 1"),
    ]
    for number, failure in enumerate(failures):
        assert failure is not None
        assert failure.traceback is not None
        assert 'raise ValueError(f"try {ctx.attempt_index}")' in failure.traceback
        assert failure.traceback.endswith(f"ValueError: try {number}\n")
        assert "4711" not in failure.traceback
    assert x.failure == failures[1]
    assert error.failure_traceback == failures[1].traceback
    assert "ValueError: try 1" in "".join(traceback.format_exception(error))


def test_an_isolated_task_brings_its_traceback_back_from_the_child() -> None:
    async def main() -> ExecutionSnapshot:
        async with working(isolated.ff):
            return await ended(isolated.ff, await isolated.leave.submit())

    failure = run(main).failure

    assert failure is not None
    assert failure.traceback is not None
    assert "in leave\n" in failure.traceback
    assert "flowfabric/runtime" not in failure.traceback


def test_tracebacks_can_be_turned_off_and_are_logged_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    ff = FlowFabric("memory://", tracebacks=False)

    @ff.task
    async def charge(ctx: Context) -> None:
        raise ValueError("no such card")

    async def main() -> ExecutionSnapshot:
        async with working(ff):
            return await ended(ff, await charge.submit())

    assert run(main).failure == Failure("ValueError", "no such card")
    assert 'raise ValueError("no such card")' in caplog.text


def test_a_result_that_cannot_be_stored_has_a_traceback_too() -> None:
    ff = FlowFabric("memory://")

    @ff.task
    async def charge(ctx: Context) -> str:
        return "x" * (1024 * 1024)

    async def main() -> ExecutionSnapshot:
        async with working(ff):
            return await ended(ff, await charge.submit())

    failure = run(main).failure

    assert failure is not None
    assert failure.traceback is not None
    assert failure.traceback.endswith(f"InvalidInput: {failure.message}\n")
