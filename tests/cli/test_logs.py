"""`ff logs`: what counts of what an execution has said, what no longer does, and what it says meanwhile."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, get_args

import pytest

from flowfabric import BlockingEngine, ExecutionPolicy, Frame, Lease, StreamFrame, open_blocking_engine
from flowfabric.cli.exits import Exit
from flowfabric.cli.logs import Stream, restart_in_words
from flowfabric.domain import inputs
from flowfabric.domain.stream_pages import Why
from flowfabric.domain.streams import SpokenIn, StoredFrame, said
from tests.cli.press import Press
from tests.cli.running import FF, WITHIN_S

LANE = "talk"


@contextmanager
def talking(press: Press) -> Iterator[BlockingEngine]:
    with open_blocking_engine(press.url, reconcile=False) as engine:
        yield engine


def begun(engine: BlockingEngine, policy: ExecutionPolicy | None = None) -> Lease:
    """An execution that runs."""
    engine.create_execution("answer", lane=LANE, policy=policy or ExecutionPolicy())
    return claimed(engine)


def claimed(engine: BlockingEngine) -> Lease:
    (found,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=[LANE])
    return found.lease


def started_over(engine: BlockingEngine, lease: Lease) -> Lease:
    """The next attempt of the execution."""
    engine.revoke_lease(lease.execution_id)
    return claimed(engine)


def said_twice(engine: BlockingEngine) -> str:
    """An execution whose first attempt has stored a step and was lost. The second has completed."""
    lease = begun(engine)
    engine.append_frames(lease, [b"I thi"])
    engine.append_frames(lease, [b"Loaded. "], step="load")
    engine.record_step(lease, "load", b"1")
    lease = started_over(engine, lease)
    engine.append_frames(lease, [b"I think, ", b"so I am.\n"])
    engine.complete(lease)
    return lease.execution_id


def in_json(press: Press, *arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in press.ff("logs", *arguments, "--json").stdout.splitlines()]


# ── what counts ──────────────────────────────────────────────────────────────────────────────────


def test_text_is_put_together_as_it_is_and_other_frames_have_lines_of_their_own(shared: Press) -> None:
    with talking(shared) as engine:
        lease = begun(engine)
        frames = [
            Frame(b"Six tim"),
            Frame(b"es seven"),
            Frame(b'{"citations": 3}', "json"),
            Frame(b"printed\n", "stdout"),
            Frame(b"warned", "stderr"),
            Frame(b"INFO shop paid\n", "log"),
            Frame(b"ERROR shop broken\n  in a line", "log"),
            Frame(bytes(1_234), "blob"),
            Frame(b"is 42"),
        ]
        engine.append_frames(lease, frames)

    ended = shared.ff("logs", lease.execution_id)

    assert ended == (
        Exit.DONE,
        'Six times seven\n{"citations": 3}\nprinted\nwarned\nINFO shop paid\nERROR shop broken\n'
        "  in a line\n(1,234 bytes of data)\nis 42\n",
        "",
    )


def test_only_what_counts_is_shown_and_all_of_it_with_marks_on_demand(shared: Press) -> None:
    with talking(shared) as engine:
        key = said_twice(engine)

    shown, whole = shared.ff("logs", key), shared.ff("logs", key, "--all")

    assert shown == (Exit.DONE, "Loaded. I think, so I am.\n", "")
    lines = [re.sub(r"^\S+ \S+  ", "", line) for line in whole.stdout.splitlines()]
    assert lines == [
        'void    attempt 1  token 1  frame 0  text: "I thi"',
        'counts  attempt 1  token 1  frame 1  step load  text: "Loaded. "',
        'counts  attempt 2  token 3  frame 0  text: "I think, "',
        'counts  attempt 2  token 3  frame 1  text: "so I am.\\n"',
    ]


def test_what_one_attempt_has_said_is_shown_also_if_it_no_longer_counts(press: Press) -> None:
    with talking(press) as engine:
        key = said_twice(engine)

    assert press.ff("logs", key, "--attempt", "1").stdout == "I thiLoaded. \n"
    assert press.ff("logs", key, "--attempt", "2").stdout == "I think, so I am.\n"
    assert press.ff("logs", key, "--attempt", "2", "-f").stdout == "I think, so I am.\n"
    assert press.ff("logs", key, "--attempt", "3") == (Exit.DONE, "", "Attempt 3 has said nothing; others have.\n")


def test_kinds_can_be_chosen(press: Press) -> None:
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [Frame(b"a"), Frame(b"b", "stdout"), Frame(b"1", "json"), Frame(b"c", "stdout")])
    key = lease.execution_id

    assert press.ff("logs", key, "--kind", "stdout").stdout == "bc\n"
    assert press.ff("logs", key, "--kind", "stdout", "--kind", "json").stdout == "b\n1\nc\n"
    assert press.ff("logs", key, "--kind", "blob") == (
        Exit.DONE,
        "",
        "It has said other things, but nothing of that kind that counts.\n",
    )
    wrong = press.ff("logs", key, "--kind", "colour")
    assert (wrong.returncode, wrong.stdout) == (Exit.WRONG_CALL, "")


def test_a_limit_shows_the_last_frames(press: Press) -> None:
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [f"{number}\n".encode() for number in range(1_200)])
        engine.complete(lease)

    assert press.ff("logs", lease.execution_id, "--limit", "2").stdout == "1198\n1199\n"
    assert press.ff("logs", lease.execution_id, "--limit", "2", "-f").stdout == "1198\n1199\n"
    assert len(press.ff("logs", lease.execution_id).stdout.splitlines()) == 1_200


def test_the_uuid_alone_is_enough(press: Press) -> None:
    with talking(press) as engine:
        key = said_twice(engine)

    assert press.ff("logs", key.rpartition(":")[2]).stdout == "Loaded. I think, so I am.\n"


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────


def test_each_frame_is_a_json_document_with_its_value(shared: Press) -> None:
    with talking(shared) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [Frame(b"42"), Frame(b'{"a": [1]}', "json"), Frame(b"\xff", "blob")], step="ask")
        engine.append_frames(lease, [Frame(b"7\n", "log")])
        engine.append_frames(lease, [Frame(b"\xff", "stdout")])
        at_ms = engine.read_stream(lease.execution_id).frames[0].at_ms

    found = in_json(shared, lease.execution_id)

    assert found[0] == {
        "lease_epoch": 1,
        "seq": 0,
        "kind": "text",
        "attempt_index": 0,
        "step": "ask",
        "step_try": 1,
        "at_ms": at_ms,
        "value": "42",
    }
    assert [each["value"] for each in found] == ["42", {"a": [1]}, {"base64": "/w=="}, "7\n", {"base64": "/w=="}]


def test_in_json_all_frames_say_whether_they_count(press: Press) -> None:
    with talking(press) as engine:
        key = said_twice(engine)

    found = in_json(press, key, "--all")

    assert [(each["attempt_index"], each["seq"], each["counts"]) for each in found] == [
        (0, 0, False),
        (0, 1, True),
        (1, 0, True),
        (1, 1, True),
    ]


# ── terminals ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("options", [[], ["--all"], ["--json"], ["--all", "--json"]])
def test_what_an_execution_says_cannot_command_a_terminal(press: Press, options: list[str]) -> None:
    nasty = "\x1b[2J\x1b]0;title\x07\x9b31m\x00\x08\x7f\u202eback\u2028\ufeff"
    kinds = ("text", "json", "stdout", "stderr", "log")
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [Frame(f"{nasty} {kind}".encode(), kind) for kind in kinds], step=None)
        engine.append_frames(lease, [Frame(json.dumps({nasty: nasty}).encode(), "json")])

    said = press.ff("logs", lease.execution_id, *options).stdout

    assert [char for char in said if not char.isprintable() and char != "\n"] == []
    assert "title" in said


def test_line_ends_tabs_and_characters_that_letters_need_stay(press: Press) -> None:
    text = "a\tb\r\nc\u200cd 👩\u200d🚀\n"
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [text.encode()])
        engine.append_frames(lease, [b"10 %\r", b"20 %\r", b"\n30 %", b"\r\n"])

    said = press.ff("logs", lease.execution_id).stdout

    assert said == "a\tb\nc\u200cd 👩\u200d🚀\n10 %\n20 %\n30 %\n"


def test_a_character_may_begin_in_one_frame_and_end_in_the_next(press: Press) -> None:
    first, second = "😀".encode()[:2], "😀".encode()[2:]
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [Frame(first), Frame(b"!", "stdout"), Frame(second), Frame(b"\xff")])

    assert press.ff("logs", lease.execution_id).stdout == "!😀\ufffd\n"


# ── nothing to show ──────────────────────────────────────────────────────────────────────────────


def test_an_execution_that_has_said_nothing_has_a_sentence(press: Press) -> None:
    with talking(press) as engine:
        waiting = engine.create_execution("answer", lane="elsewhere").execution_id
        lease = begun(engine)
        silent = press.ff("logs", lease.execution_id)
        engine.complete(lease)

    assert press.ff("logs", waiting) == (Exit.DONE, "", "It has not started, so it has said nothing yet.\n")
    assert silent == (Exit.DONE, "", "It has said nothing yet.\n")
    assert press.ff("logs", lease.execution_id) == (Exit.DONE, "", "It has said nothing.\n")
    assert press.ff("logs", lease.execution_id, "--json") == (Exit.DONE, "", "It has said nothing.\n")


def test_what_no_longer_counts_is_not_shown_but_it_says_how_to_see_it(press: Press) -> None:
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [b"lost"])
        started_over(engine, lease)

    ended = press.ff("logs", lease.execution_id)

    assert ended == (
        Exit.DONE,
        "",
        "Nothing of what it has said counts any more: it has started over. Add --all to see it.\n",
    )


def test_a_stream_that_was_trimmed_says_so(shared: Press) -> None:
    with talking(shared) as engine:
        lease = begun(engine, ExecutionPolicy(stream_max_frames=2))
        for number in range(4):
            engine.append_frames(lease, [f"{number}\n".encode()])
        engine.reconcile()

    for options in ([], ["--all"]):
        ended = shared.ff("logs", lease.execution_id, *options)
        assert len(ended.stdout.splitlines()) == 2
        assert ended.stderr == (
            "The stream had become longer than its policy allows, so its oldest frames were removed.\n"
        )
    assert shared.ff("logs", lease.execution_id).stdout == "2\n3\n"


def test_frames_that_are_removed_while_it_reads_are_reported_and_none_comes_twice(
    press: Press, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("flowfabric.cli.logs.PAGE", 1)
    with talking(press) as engine:
        lease = begun(engine, ExecutionPolicy(stream_max_frames=2))
        engine.append_frames(lease, [b"0"])
        reading = Stream(engine, lease.execution_id, None, ()).so_far("effective")
        first = next(reading)
        for number in range(1, 6):
            engine.append_frames(lease, [f"{number}".encode()])
        engine.reconcile()
        rest = list(reading)

    assert [frame.payload for frame in [first, *rest]] == [b"0", b"4", b"5"]
    assert capsys.readouterr().err == (
        "Frames were removed before they could be shown. This goes on with the first frame that is kept.\n"
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("-f --all", "Leave one of them out."),
        ("--attempt 0", "--attempt is 0; it must be at least 1."),
        ("--limit 0", "--limit is 0; it must be at least 1."),
        ("--limit 1.5", "--limit is '1.5'; write a whole number."),
    ],
)
def test_options_that_cannot_work_are_refused(press: Press, options: str, says: str) -> None:
    with talking(press) as engine:
        key = said_twice(engine)

    ended = press.ff("logs", key, *options.split())

    assert (ended.returncode, ended.stdout) == (Exit.WRONG_CALL, "")
    assert says in ended.stderr


# ── following ────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def following(press: Press, key: str, *options: str, before: str = "") -> Iterator["subprocess.Popen[str]"]:
    """`ff logs -f` as a process of its own, which keeps what it writes until it means to show it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", before + FF, "logs", key, "-f", *options, "--url", press.url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    hangs = threading.Timer(WITHIN_S, process.send_signal, [signal.SIGABRT])  # it then says where it hangs
    hangs.start()
    try:
        yield process
    finally:
        hangs.cancel()
        process.kill()
        process.communicate()


def heard(process: "subprocess.Popen[str]", number: int) -> str:
    """The next characters that it writes."""
    assert process.stdout is not None
    return process.stdout.read(number)


def test_a_follower_shows_what_is_said_as_it_is_said_and_ends_with_the_execution(shared: Press) -> None:
    with talking(shared) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [b"one, "])
        with following(shared, lease.execution_id) as process:
            assert heard(process, 5) == "one, "  # in the middle of a line
            engine.append_frames(lease, [b"two, "])
            assert heard(process, 5) == "two, "
            engine.append_frames(lease, [b"three"])
            engine.complete(lease)
            rest, said = process.communicate(timeout=WITHIN_S)

    assert (process.returncode, rest) == (Exit.DONE, "three\n")
    assert said.startswith("It completed")


@pytest.mark.parametrize("keeps_a_step", [False, True])
def test_a_follower_says_when_an_attempt_starts_over_why_and_what_is_kept(press: Press, keeps_a_step: bool) -> None:
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [b"one"], step="load")
        if keeps_a_step:
            engine.record_step(lease, "load", b"1")
        with following(press, lease.execution_id) as process:
            assert heard(process, 3) == "one"
            lease = started_over(engine, lease)
            engine.append_frames(lease, [b"two\n"])
            engine.fail(lease, code="broken")
            rest, said = process.communicate(timeout=WITHIN_S)

    kept = (
        "Of what is above, only what was said in step load still counts."
        if keeps_a_step
        else "Nothing of what is above counts any more."
    )
    assert rest == (f"\n--- Attempt 2 starts over, because the worker of the one before was lost. {kept} ---\ntwo\n")
    assert process.returncode == Exit.DONE
    assert "broken" in said


@pytest.mark.parametrize("why", get_args(Why))
@pytest.mark.parametrize("number", [0, 1, 2, 8])
def test_every_reason_to_start_over_has_words(why: Why, number: int) -> None:
    names = "abcdefgh"[:number]
    said = {
        "why": why,
        "kept": [{"step": name, "lease_epoch": 1, "try": 1} for name in names],
        "tries": dict.fromkeys(names or "a", 2),
    }

    words = restart_in_words(StreamFrame(3, -1, "restart", json.dumps(said).encode(), 1, None, 0))

    if why == "step_retried":
        assert words.startswith("--- Tried again: step")
    else:
        assert words.startswith("--- Attempt 2 ")
    named = {
        0: "Nothing of what is above counts",
        1: "in step a ",
        2: "in steps a and b ",
        8: "in steps a, b, c, d, e and 3 others ",
    }
    assert why == "step_retried" or named[number] in words


def test_a_follower_says_when_a_step_is_tried_again(press: Press) -> None:
    with talking(press) as engine:
        lease = begun(engine)
        fence = inputs.fence(lease)
        engine.append_said([said(fence, [StoredFrame("text", b"one", SpokenIn("ask", 1))])])
        with following(press, lease.execution_id) as process:
            assert heard(process, 3) == "one"
            engine.append_said([said(fence, [StoredFrame("text", b"two", SpokenIn("ask", 2))])])
            engine.complete(lease)
            rest, _ = process.communicate(timeout=WITHIN_S)

    assert rest == ("\n--- Tried again: step ask (try 2). What earlier tries have said no longer counts. ---\ntwo\n")
    assert '  step ask (try 2)  text: "two"' in press.ff("logs", lease.execution_id, "--all").stdout


def test_a_follower_in_json_gets_the_restart_as_a_frame(press: Press) -> None:
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [b"one"])
        with following(press, lease.execution_id, "--json") as process:
            assert process.stdout is not None
            first = json.loads(process.stdout.readline())
            lease = started_over(engine, lease)
            engine.append_frames(lease, [b"two"])
            engine.complete(lease)
            rest, _ = process.communicate(timeout=WITHIN_S)

    found = [first, *map(json.loads, rest.splitlines())]
    assert [(each["kind"], each["lease_epoch"], each["seq"]) for each in found] == [
        ("text", 1, 0),
        ("restart", 3, -1),
        ("text", 3, 0),
    ]
    assert found[1]["value"] == {"why": "worker_lost", "kept": [], "tries": {}}


def test_one_attempt_can_be_followed_also_after_it_no_longer_counts(press: Press) -> None:
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [b"one, "])
        with following(press, lease.execution_id, "--attempt", "1") as process:
            assert heard(process, 5) == "one, "
            engine.append_frames(lease, [b"two"])
            lease = started_over(engine, lease)
            engine.append_frames(lease, [b"three"])
            engine.complete(lease)
            rest, _ = process.communicate(timeout=WITHIN_S)

    assert (process.returncode, rest) == (Exit.DONE, "two\n")


def test_the_end_of_a_followed_execution_that_is_removed_has_words(press: Press) -> None:
    with talking(press) as engine:
        key = said_twice(engine)
        engine.purge(ended_before_ms=engine.server_time_ms() + 1)

        assert Stream(engine, key, None, ()).end_in_words() == "It has ended, and was removed."


def test_ctrl_c_ends_a_follower_at_the_start_of_a_line(press: Press) -> None:
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [b"one"])
        with following(press, lease.execution_id) as process:
            assert heard(process, 3) == "one"
            process.send_signal(signal.SIGINT)
            rest, said = process.communicate(timeout=WITHIN_S)

    assert (process.returncode, rest, said) == (Exit.INTERRUPTED, "\n", "")


def test_ctrl_c_ends_a_follower_although_the_interrupt_was_lost_on_its_way(press: Press) -> None:
    """Some code of libraries drops every error of a lookup."""
    deaf = """
import os
from flowfabric.engine.shells import BlockingBell
wait, lost, waits = BlockingBell.wait, [], [b"."]
async def lose_the_first(bell, timeout_s):
    try:
        os.write(1, waits.pop() if waits else b"")
        return await wait(bell, timeout_s)
    except KeyboardInterrupt:
        if lost:
            raise
        lost.append(1)
        return False
BlockingBell.wait = lose_the_first
"""
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [b"one"])
        with following(press, lease.execution_id, before=deaf) as process:
            assert heard(process, 4) == "one."  # now it waits
            process.send_signal(signal.SIGINT)
            rest, said = process.communicate(timeout=WITHIN_S)

    assert (process.returncode, rest, said) == (Exit.INTERRUPTED, "\n", "")


@pytest.mark.parametrize("trouble", ["threading.Event().wait()", "raise RuntimeError('no thread')"])
def test_ctrl_c_ends_a_follower_although_its_engine_cannot_be_closed_any_more(press: Press, trouble: str) -> None:
    broken = f"""
import threading
from flowfabric.engine.wakeups import Wakeups
def close(self):
    {trouble}
Wakeups.close = close
"""
    with talking(press) as engine:
        lease = begun(engine)
        engine.append_frames(lease, [b"one"])
        with following(press, lease.execution_id, before=broken) as process:
            assert heard(process, 3) == "one"
            process.send_signal(signal.SIGINT)
            rest, said = process.communicate(timeout=WITHIN_S)

    assert (process.returncode, rest, said) == (Exit.INTERRUPTED, "\n", "")


def test_a_follower_of_what_has_ended_shows_it_and_ends(press: Press) -> None:
    with talking(press) as engine:
        key = said_twice(engine)

    ended = press.ff("logs", key, "-f")

    assert (ended.returncode, ended.stdout) == (Exit.DONE, "Loaded. I think, so I am.\n")
    assert ended.stderr.startswith("It completed")


# ── ff show ──────────────────────────────────────────────────────────────────────────────────────


def test_show_has_the_summary_and_the_number_of_frames(shared: Press) -> None:
    with talking(shared) as engine:
        key = said_twice(engine)
        silent = begun(engine).execution_id
        lease = begun(engine, ExecutionPolicy(stream_max_frames=1_100))
        engine.append_frames(lease, [b"a"] * 1_200)
        engine.append_frames(lease, [b"a"])
        engine.reconcile()
        engine.patch_summary(lease, {"stage": "done", "tokens": {"in": 3}})

    said, told = shared.ff("show", key).stdout, json.loads(shared.ff("show", key, "--json").stdout)
    assert "\nframes         3; `ff logs` shows them\n" in said
    assert "summary" not in said
    assert (told["summary"], told["frames"]) == (None, {"count": 3, "has_more": False, "truncated": False})
    assert "frames" not in shared.ff("show", silent).stdout

    said = shared.ff("show", lease.execution_id).stdout
    told = json.loads(shared.ff("show", lease.execution_id, "--json").stdout)
    assert '\nsummary        {"stage":"done","tokens":{"in":3}}\n' in said
    assert "\nframes         more than 1000; the oldest were removed; `ff logs` shows them\n" in said
    assert told["summary"] == {"version": 1, "document": {"stage": "done", "tokens": {"in": 3}}}
    assert told["frames"] == {"count": 1_000, "has_more": True, "truncated": True}
