"""The log of a worker: what each line says, which fields it carries, and how it is written."""

import asyncio
import json
import logging
import time
from typing import Any

import pytest

from flowfabric import Context, FlowFabric, OperatorOnly, Retry
from flowfabric.runtime import logs
from flowfabric.runtime.lease_keeper import LeaseKeeper
from flowfabric.runtime.logs import JsonLines, TextLines
from tests.runtime import isolated
from tests.runtime.working import ended, run, snapshot, until, working

Record = dict[str, Any]


@pytest.fixture
def ff() -> FlowFabric:
    return FlowFabric("memory://")


def lines_of(caplog: pytest.LogCaptureFixture, execution_id: str) -> list[Record]:
    """What the log says of an execution's attempts."""
    return [
        {**vars(record), "text": record.getMessage()}
        for record in caplog.records
        if record.name == "flowfabric.worker" and vars(record).get("execution_id") == execution_id
    ]


def facts(line: Record) -> tuple[object, ...]:
    return line["levelname"], line["task"], line["attempt_index"], line.get("outcome"), line.get("cause")


# ── one line at the start, one at the end ────────────────────────────────────────────────────────


def test_an_attempt_is_one_line_when_it_starts_and_one_when_it_has_ended(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task(retry=Retry(1, initial_delay="1ms"))
    async def charge(ctx: Context) -> str:
        if ctx.attempt_index == 0:
            raise ValueError("no such\ncard")
        return "paid"

    async def main() -> str:
        async with working(ff):
            handle = await charge.submit()
            await ended(ff, handle)
            return handle.execution_id

    caplog.set_level(logging.DEBUG, "flowfabric")
    key = run(main)

    lines = lines_of(caplog, key)
    assert [facts(line) for line in lines] == [
        ("DEBUG", "charge", 0, None, None),
        ("WARNING", "charge", 0, "retry", "ValueError: no such\ncard"),
        ("DEBUG", "charge", 1, None, None),
        ("INFO", "charge", 1, "success", None),
    ]
    assert lines[0]["text"] == f"charge {key} attempt 1 starts"
    assert lines[1]["text"].startswith(f"charge {key} attempt 1 failed after 0.")
    assert ", and attempt 2 follows at " in lines[1]["text"]
    assert lines[1]["text"].endswith(": ValueError: no such card")
    assert lines[3]["text"].startswith(f"charge {key} attempt 2 completed after 0.")
    assert all(isinstance(line["duration_ms"], int) for line in lines[1::2])
    assert [line["fencing_token"] for line in lines] == [1, 1, 2, 2]


def test_a_failure_for_good_is_an_error_and_its_traceback_follows_the_line(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task
    async def charge(ctx: Context) -> None:
        raise ValueError("no such card")

    async def main() -> str:
        async with working(ff):
            handle = await charge.submit()
            await ended(ff, handle)
            return handle.execution_id

    key = run(main)

    (line,) = lines_of(caplog, key)
    assert facts(line) == ("ERROR", "charge", 0, "failed", "ValueError: no such card")
    assert " failed for good after 0." in line["text"]
    assert "\n" not in line["text"]
    assert 'raise ValueError("no such card")' in logging.Formatter().format(caplog.records[-1])


def test_what_a_stop_hands_back_and_what_a_cancel_takes_away_is_said(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    started: list[str] = []

    @ff.task
    async def wait(ctx: Context) -> None:
        started.append(ctx.execution_id)
        await asyncio.Event().wait()

    async def main() -> tuple[str, str]:
        async with working(ff, lease="300ms", grace="0s") as stop:
            stopped, cancelled = await wait.submit(), await wait.submit()
            await until(lambda: len(started) == 2)
            await cancelled.cancel("enough")
            await until(lambda: bool(lines_of(caplog, cancelled.execution_id)))
            stop.set()
            await until(lambda: bool(lines_of(caplog, stopped.execution_id)))
            return stopped.execution_id, cancelled.execution_id

    caplog.set_level(logging.INFO, "flowfabric")
    stopped, cancelled = run(main)

    (handed_back,) = lines_of(caplog, stopped)
    (taken_away,) = lines_of(caplog, cancelled)
    assert facts(handed_back) == ("INFO", "wait", 0, "released", None)
    assert handed_back["text"].endswith(" s, because the worker stops")
    assert facts(taken_away) == ("INFO", "wait", 0, "lost", "It was cancelled by an operator: enough.")
    assert taken_away["text"].endswith(" s, because its lease is over: It was cancelled by an operator: enough.")


def test_a_timeout_that_ends_a_lingering_attempt_is_named(ff: FlowFabric, caplog: pytest.LogCaptureFixture) -> None:
    @ff.task
    async def wait(ctx: Context) -> None:
        await ctx.wait("editor", timeout="10ms", on_timeout="fail")

    async def main() -> str:
        async with working(ff, linger="1h"):
            handle = await wait.submit()
            await until(lambda: bool(lines_of(caplog, handle.execution_id)))
            return handle.execution_id

    caplog.set_level(logging.INFO, "flowfabric")
    (line,) = lines_of(caplog, run(main))

    assert facts(line)[:4] == ("INFO", "wait", 0, "lost")
    assert line["text"].endswith(
        " s, because its lease is over: It failed with wait_timeout: nothing ended the wait 'editor' in time."
    )


def test_a_wait_for_an_operator_is_no_sleep(ff: FlowFabric, caplog: pytest.LogCaptureFixture) -> None:
    @ff.task
    async def wait(ctx: Context) -> None:
        await ctx.wait(OperatorOnly(), name="boss")

    @ff.task
    async def nap(ctx: Context) -> None:
        await ctx.sleep("nap", "1h")

    async def main() -> list[str]:
        async with working(ff, linger="0s"):
            handles = [await wait.submit(), await nap.submit()]
            for handle in handles:
                await until(lambda key=handle.execution_id: bool(lines_of(caplog, key)))  # type: ignore[misc]
            return [handle.execution_id for handle in handles]

    caplog.set_level(logging.INFO, "flowfabric")
    said = [line["text"] for key in run(main) for line in lines_of(caplog, key)]

    assert "; it waits in 'boss' for an operator, and holds nothing meanwhile" in said[0]
    assert "; it sleeps in 'nap', and holds nothing meanwhile" in said[1]


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that are not told of lost leases: such news is a hint, and may come late."""
    monkeypatch.setattr(LeaseKeeper, "_suspect", lambda keeper, execution_ids: None)


@pytest.mark.usefixtures("deaf")
@pytest.mark.parametrize(("verb", "level"), [("cancel", "INFO"), ("revoke", "WARNING")])
def test_a_result_that_comes_too_late_is_a_warning_unless_it_was_cancelled(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture, verb: str, level: str
) -> None:
    caplog.set_level(logging.INFO, "flowfabric")

    @ff.task
    async def charge(ctx: Context) -> str:
        engine = await ff.engine()
        if verb == "cancel":
            await engine.cancel_execution(ctx.execution_id, reason="enough")
        elif ctx.attempt_index == 0:
            await engine.revoke_lease(ctx.execution_id)
        return "paid"

    async def main() -> str:
        async with working(ff):
            handle = await charge.submit()
            await until(lambda: any(line["attempt_index"] == 0 for line in lines_of(caplog, handle.execution_id)))
            return handle.execution_id

    key = run(main)

    line = next(line for line in lines_of(caplog, key) if line["attempt_index"] == 0)
    assert facts(line)[:4] == (level, "charge", 0, "lost")
    assert f"{key} attempt 1 completed after 0." in line["text"]
    assert " s, and that was refused, because its lease is over: " in line["text"]


@pytest.mark.usefixtures("deaf")
def test_a_failure_that_comes_too_late_is_one_line_and_its_traceback(
    ff: FlowFabric, caplog: pytest.LogCaptureFixture
) -> None:
    @ff.task
    async def charge(ctx: Context) -> str:
        await (await ff.engine()).cancel_execution(ctx.execution_id, reason="enough")
        raise ValueError("no such\ncard")

    async def main() -> str:
        async with working(ff):
            handle = await charge.submit()
            await until(lambda: bool(lines_of(caplog, handle.execution_id)))
            return handle.execution_id

    caplog.set_level(logging.INFO, "flowfabric")
    key = run(main)

    (line,) = lines_of(caplog, key)
    assert f"{key} attempt 1 failed (ValueError: no such card) after 0." in line["text"]
    assert "\n" not in line["text"]
    assert line["exc_text"].endswith("ValueError: no such\ncard")


def test_a_child_that_dies_is_named_with_its_cause(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> str:
        async with working(isolated.ff):
            handle = await isolated.die.submit()
            await until(lambda: bool(lines_of(caplog, handle.execution_id)))
            await handle.cancel()
            assert (await snapshot(isolated.ff, handle)).public_state == "cancelled"
            return handle.execution_id

    key = run(main)

    line = lines_of(caplog, key)[0]
    assert facts(line) == ("ERROR", "die", 0, "interrupted", "the process that ran it was ended by SIGKILL")
    assert line["text"].endswith(": the process that ran it was ended by SIGKILL")


# ── how it is written ────────────────────────────────────────────────────────────────────────────


def a_record(message: str, error: Exception | None = None, **extra: object) -> logging.LogRecord:
    exc_info = None if error is None else (type(error), error, None)
    return logging.getLogger("shop").makeRecord("shop", logging.INFO, "", 0, message, (), exc_info, extra=extra)


OF_AN_ATTEMPT = {"task": "charge", "execution_id": "{fp:86}:0198", "attempt_index": 1}


def test_a_line_of_an_attempt_names_it_once() -> None:
    own = TextLines().format(a_record("charging", **OF_AN_ATTEMPT))
    ours = TextLines().format(a_record("charge {fp:86}:0198 attempt 2 starts", **OF_AN_ATTEMPT))

    assert own.endswith(" INFO shop charging (charge {fp:86}:0198 attempt 2)")
    assert ours.endswith(" INFO shop charge {fp:86}:0198 attempt 2 starts")
    assert TextLines().format(a_record("hello")).endswith(" INFO shop hello")


def test_a_line_has_its_time_in_utc_wherever_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    record = a_record("hello")
    record.created = 1_794_800_000.007
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    try:
        assert TextLines().format(record) == "2026-11-16 03:33:20.007Z INFO shop hello"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_text_log_shows_what_a_terminal_would_obey_and_nobody_can_forge_a_line_of_it() -> None:
    forged = "2026-11-16 04:00:00,000 INFO shop all is well"
    nasty = f"no \x1b]0;owned\x07\x1b[2J card \u202e\ud800\r\n{forged}\u2028{forged}"

    line, *below = TextLines().format(a_record(nasty, ValueError(nasty), **OF_AN_ATTEMPT)).split("\n")

    shown = "no \\x1b]0;owned\\x07\\x1b[2J card \\u202e\\ud800"
    assert line.endswith(f" INFO shop {shown}  {forged} {forged} (charge {{fp:86}}:0198 attempt 2)")
    assert below == [f"    ValueError: {shown}", f"    {forged}", f"    {forged}"]
    assert all(each.isprintable() for each in [line, *below])


def test_a_text_log_leaves_the_traceback_to_other_handlers_as_it_was() -> None:
    record = a_record("hello", ValueError("two\nlines"))

    TextLines().format(record)

    assert logging.Formatter().format(record) == "hello\nValueError: two\nlines"


def test_a_record_is_one_json_object_on_one_line() -> None:
    record = a_record("two\nlines \ud800 é", ValueError("boom"), cents=990, card=Context, **OF_AN_ATTEMPT)

    text = JsonLines().format(record)

    assert text.isprintable()
    told = json.loads(text)
    assert list(told)[:4] == ["time", "level", "logger", "message"]
    assert told.pop("time").endswith("+00:00")
    assert told == {
        "level": "info",
        "logger": "shop",
        "message": "two\nlines \ud800 é",
        "cents": 990,
        "card": repr(Context),
        "traceback": "ValueError: boom",
        **OF_AN_ATTEMPT,
    }


def test_a_field_of_the_program_does_not_take_the_place_of_ours() -> None:
    told = json.loads(JsonLines().format(a_record("hello", level="high", logger="mine")))

    assert (told["level"], told["logger"]) == ("info", "shop")


# ── whose code runs ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("where", ["on the loop", "in a thread"])
def test_a_record_of_another_library_is_written_with_the_attempt_whose_code_runs(where: str) -> None:
    ff = FlowFabric("memory://")
    library = logging.getLogger("library")
    handler = _Kept(JsonLines())
    library.addHandler(handler)

    @ff.task
    async def on_the_loop(ctx: Context) -> None:
        library.warning("from %s", where)
        await ctx.step("one", library.warning, "from a step")

    @ff.task
    def in_a_thread(ctx: Context) -> None:
        library.warning("from %s", where)
        ctx.step_sync("one", library.warning, "from a step")

    async def main() -> str:
        async with working(ff, worker_id="till"):
            handle = await (on_the_loop if where == "on the loop" else in_a_thread).submit()
            await ended(ff, handle)
            library.warning("outside")
            return handle.execution_id

    try:
        key = run(main)
    finally:
        library.removeHandler(handler)

    *inside, outside = map(json.loads, handler.lines)
    assert [line["message"] for line in inside] == [f"from {where}", "from a step"]
    for line in inside:
        assert (line["execution_id"], line["attempt_index"], line["task"]) == (key, 0, where.replace(" ", "_"))
        assert line["worker_instance_id"].startswith("till-")
    assert "execution_id" not in outside


def test_a_record_about_another_execution_keeps_its_own_facts() -> None:
    record = logging.makeLogRecord({"msg": "about another", "execution_id": "other", "task": "theirs"})
    logs.begin({"execution_id": "ours", "task": "ours", "attempt_index": 0})
    try:
        told = json.loads(JsonLines().format(record))
    finally:
        logs.end()

    assert (told["execution_id"], told["task"]) == ("other", "theirs")
    assert "attempt_index" not in told


class _Kept(logging.Handler):
    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self.setFormatter(formatter)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))
