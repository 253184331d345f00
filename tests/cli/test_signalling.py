"""What waits is answered: `ff signal`, `ff approve`, `ff reject` and `ff resume`."""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric import AtLeast, OperatorOnly, open_blocking_engine
from flowfabric.cli.exits import Exit
from tests.cli.desk import UNKNOWN
from tests.cli.press import Press
from tests.cli.running import WITHIN_S, at_a_terminal, ff_here, started

QUESTION = {"title": "Publish article 7?", "choices": ["yes", "no"]}
THREE_WAYS = {"choices": ["now", "later", "never"]}


# ── ff signal ────────────────────────────────────────────────────────────────────────────────────


def test_a_signal_that_ends_a_wait_is_said_to(shared: Press) -> None:
    article = shared.suspended()

    ended = shared.ff("signal", article, "editor", "--data", '{"good": true}', "--as", "ann", "--name", "verdict")

    assert ended == (Exit.DONE, f"{article} goes on: the signal has ended its wait for editor\n", "")
    assert shared.state(article) == "resumable"
    assert shared.signals(article) == [("editor", "verdict", b'{"good":true}', "ann")]


def test_a_signal_that_is_not_enough_and_one_that_nobody_waits_for_are_told_apart(press: Press) -> None:
    article = press.suspended(AtLeast(2, "alice", "bob"), name="votes")

    counted = press.ff("signal", article, "alice")
    kept = press.ff("signal", article, "carol")

    assert counted == (
        Exit.DONE,
        f"{article} has taken the signal for alice, and needs more before it goes on\n",
        counted.stderr,
    )
    assert "alice has arrived; still missing: bob" in counted.stderr
    assert kept == (
        Exit.DONE,
        f"{article} keeps the signal: no open wait needs it now, but a later one for carol can\n",
        "It waits for: alice, bob.\n",
    )
    assert press.signals(article) == [("alice", "", b"null", ""), ("carol", "", b"null", "")]


def test_a_signal_is_sent_once_however_often_it_is_sent(press: Press) -> None:
    article = press.suspended()
    call = ("signal", article, "editor", "--data", "1", "--idempotency-key", "mail-1")

    first, again = press.ff(*call), press.ff(*call)
    told = json.loads(press.ff(*call, "--json").stdout)
    other = press.ff(*call[:4], "2", *call[5:])

    assert (first.returncode, again.returncode) == (Exit.DONE, Exit.DONE)
    assert again.stdout == f"{article} has this signal already: one with the same idempotency key was sent before\n"
    assert told["answer"]["type"] == "DuplicateSignal"
    assert (other.returncode, other.stdout) == (Exit.NOT_DONE, "")
    assert len(press.signals(article)) == 1


def test_what_has_ended_and_what_is_closed_take_no_signal(press: Press) -> None:
    gone, closed = press.suspended(), press.suspended()
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.cancel_execution(gone, reason="never mind")
        engine.close_waitpoint(closed, "editor", reason="decided by phone")

    for call in (["signal"], ["approve", "--as", "ann"]):
        too_late = press.ff(*call, gone, "editor")
        shut = press.ff(*call, closed, "editor")

        assert (too_late.returncode, too_late.stdout) == (Exit.NOT_DONE, "")
        assert f"is cancelled, and takes no signals any more. `ff replay {gone}` brings it back" in too_late.stderr
        assert (shut.returncode, shut.stdout) == (Exit.NOT_DONE, "")
        assert "decided by phone" in shut.stderr
    assert press.signals(gone) == press.signals(closed) == []


@pytest.mark.parametrize("verb", [["signal"], ["approve", "--as", "ann"], ["reject", "--as", "ann"]])
def test_a_dry_run_says_what_would_happen_and_sends_nothing(press: Press, verb: list[str]) -> None:
    article, closed, gone = press.suspended(), press.suspended(), press.suspended()
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.close_waitpoint(closed, "editor", reason="decided by phone")
        engine.cancel_execution(gone, reason="never mind")

    fits = press.ff(*verb, article, "editor", "--dry-run")
    does_not = press.ff(*verb, article, "writer", "--dry-run")
    shut = press.ff(*verb, closed, "editor", "--dry-run")
    told = press.ff(*verb, gone, "editor", "--dry-run", "--json")

    assert fits == (Exit.DONE, f"{article} (suspended) would get the signal for its wait 'editor'.\n", "")
    assert does_not.stdout == (f"{article} (suspended) would keep the signal: no open wait waits for 'writer' now.\n")
    assert shut.returncode == Exit.NOT_DONE
    assert "is closed (operator: decided by phone), so this would be refused" in shut.stdout
    assert told.returncode == Exit.NOT_DONE
    assert "has ended as cancelled and takes no signals" in json.loads(told.stdout)["plan"][0]
    assert press.signals(article) == press.signals(closed) == press.signals(gone) == []


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_what_asks_no_question_is_decided_only_if_its_key_is_named(press: Press, verb: str) -> None:
    article = press.suspended()

    refused = press.ff(verb, article, "--as", "ann")

    assert refused.returncode == Exit.WRONG_CALL
    assert f"{article} waits for editor, which is no question to approve or reject." in refused.stderr
    assert press.signals(article) == []
    assert press.ff(verb, article, "editor", "--as", "ann").returncode == Exit.DONE


def test_the_value_may_come_from_standard_input_and_be_any_json(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    article = press.suspended()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'"from afar"')))

    piped = press.ff("signal", article, "editor", "--data", "-")
    negative = press.ff("signal", article, "editor", "--data", "-1")

    assert (piped.returncode, negative.returncode) == (Exit.DONE, Exit.DONE)
    assert [payload for _, _, payload, _ in press.signals(article)] == [b'"from afar"', b"-1"]


PROGRAM = """
from dataclasses import dataclass
from flowfabric import Context, FlowFabric

class Reversed:
    def encode(self, data):
        return data[::-1]
    def decode(self, data):
        return data[::-1]

@dataclass
class Verdict:
    good: bool

ff = FlowFabric("sqlite:///jobs.db", codec=Reversed())

@ff.task(signals={"editor": Verdict})
async def publish(ctx: Context) -> bool:
    return (await ctx.wait("editor", Verdict)).good
"""


@pytest.fixture
def program(press: Press, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The program whose task waits: it has a codec, and declares its signals."""
    (tmp_path / "declaring.py").write_text(PROGRAM)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield ["--app", "declaring:ff"]
    sys.modules.pop("declaring", None)


@pytest.mark.parametrize(
    ("key", "data", "says"),
    [
        ("edtor", '{"good": true}', "Task 'publish' takes no signal 'edtor'; those that it declares are: 'editor'."),
        ("editor", '{"good": "very"}', "Task 'publish': signal 'editor': "),
        ("editor", "null", "Task 'publish': signal 'editor': "),
    ],
)
def test_a_signal_that_the_task_does_not_declare_is_not_sent(
    press: Press, program: list[str], key: str, data: str, says: str
) -> None:
    article = press.suspended()

    for dry_run in ([], ["--dry-run"]):
        ended = press.ff("signal", article, key, "--data", data, *dry_run, *program)

        assert (ended.returncode, ended.stdout) == (Exit.WRONG_CALL, "")
        assert says in ended.stderr
    assert press.signals(article) == []


def test_values_pass_through_the_codec_of_the_program(press: Press, program: list[str]) -> None:
    article = press.suspended()

    sent = press.ff("signal", article, "editor", "--data", '{"good": true}', *program)
    approved = press.ff("approve", article, "boss", "--as", "ann", *program)
    told = json.loads(press.ff("waitpoints", article, "--json", *program).stdout)
    (step,) = json.loads(press.ff("show", article, "--json", *program).stdout)["steps"]

    assert (sent.returncode, approved.returncode) == (Exit.DONE, Exit.DONE)
    assert [payload for _, _, payload, _ in press.signals(article)] == [
        b'{"good":true}'[::-1],
        b'{"choice":"yes","note":""}'[::-1],
    ]
    assert [each["value"] for each in told["signals"]] == [{"good": True}, {"choice": "yes", "note": ""}]
    assert (step["is_wait"], step["result"]["cause"], step["result"]["signals"][0]["value"]) == (
        *(True, "signal"),
        {"good": True},
    )


# ── ff approve, ff reject ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("call", "name", "payload"),
    [
        (["approve", "--as", "ann"], "yes", b'{"choice":"yes","note":""}'),
        (["approve", "--as", "ann", "--choice", "yes"], "yes", b'{"choice":"yes","note":""}'),
        (["reject", "--as", "ann", "--note", "too long"], "no", b'{"choice":"no","note":"too long"}'),
    ],
)
def test_the_key_may_be_left_out_where_one_wait_is_open(
    shared: Press, call: list[str], name: str, payload: bytes
) -> None:
    article = shared.suspended(about=QUESTION)

    ended = shared.ff(*call, article)

    assert ended == (Exit.DONE, f"{article} goes on: the signal has ended its wait for editor\n", "")
    assert shared.signals(article) == [("editor", name, payload, "ann")]


def test_where_several_keys_are_waited_for_they_are_listed_and_nothing_is_sent(press: Press) -> None:
    article = press.suspended(AtLeast(1, "alice", "bob"), name="votes")

    ended = press.ff("approve", article, "--as", "ann")

    assert ended.returncode == Exit.WRONG_CALL
    assert f"Say which key is meant: {article} waits for several (votes: alice, bob)." in ended.stderr
    assert press.signals(article) == []
    assert press.ff("approve", article, "bob", "--as", "ann").returncode == Exit.DONE


def test_what_asks_for_nothing_cannot_be_approved_without_a_key(press: Press) -> None:
    running, sleeping, gone = (
        press.leased().execution_id,
        press.suspended(OperatorOnly(), name="nap"),
        press.suspended(),
    )
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.cancel_execution(gone, reason="never mind")

    for article, says in (
        (running, "is active and has no open wait for a signal"),
        (sleeping, "is suspended and has no open wait for a signal"),
        (gone, "has ended as cancelled; it asks for nothing any more"),
    ):
        ended = press.ff("approve", article, "--as", "ann")

        assert (ended.returncode, ended.stdout) == (Exit.NOT_DONE, "")
        assert says in ended.stderr
        assert press.signals(article) == []


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (["approve", "--choice", "never"], "'never' rejects. Write `ff reject`."),
        (["reject", "--choice", "now"], "'now' approves. Write `ff approve`."),
        (["reject"], "Say which choice is meant with --choice. What rejects at 'editor': later, never."),
        (["reject", "--choice", "perhaps"], "'perhaps' is no choice. What rejects at 'editor': later, never."),
        (["approve", "--choice", "perhaps"], "'perhaps' is no choice. What approves at 'editor': now."),
    ],
)
def test_a_choice_that_does_not_fit_the_question_is_a_wrong_call(press: Press, call: list[str], says: str) -> None:
    article = press.suspended(about=THREE_WAYS)

    ended = press.ff(*call, article, "--as", "ann")

    assert (ended.returncode, ended.stdout) == (Exit.WRONG_CALL, "")
    assert says in ended.stderr
    assert press.signals(article) == []


def test_a_question_with_one_answer_cannot_be_rejected(press: Press) -> None:
    article = press.suspended(about={"choices": ["seen"]})

    refused = press.ff("reject", article, "--as", "ann")
    approved = press.ff("approve", article, "--as", "ann")

    assert refused.returncode == Exit.WRONG_CALL
    assert "No choice of 'editor' rejects: there is only 'seen'." in refused.stderr
    assert approved.returncode == Exit.DONE
    assert press.signals(article)[0][1] == "seen"


# ── ff resume ────────────────────────────────────────────────────────────────────────────────────


def test_an_operator_ends_every_wait_whatever_it_waits_for(shared: Press) -> None:
    article = shared.suspended(OperatorOnly(), name="nap")

    ended = shared.ff("resume", article, "--data", '"go"', "--reason", "the editor is on holiday")

    assert ended == (Exit.DONE, f"{article} goes on: 1 wait ended (nap)\n", "")
    assert shared.state(article) == "resumable"
    assert [(name, payload, source) for _, name, payload, source in shared.signals(article)] == [
        ("resumed", b'"go"', "operator")
    ]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ([], "which null does not fit: Task 'publish': signal 'editor': Expected `object`, got `null`. "),
        (
            ["--data", '{"good": 5}'],
            "which {\"good\":5} does not fit: Task 'publish': signal 'editor': Expected `bool`",
        ),
    ],
)
def test_a_wait_that_declares_its_value_is_not_resumed_with_one_that_does_not_fit(
    press: Press, program: list[str], data: list[str], says: str
) -> None:
    article = press.suspended()

    for dry_run in ([], ["--dry-run"]):
        ended = press.ff("resume", article, *data, *dry_run, *program)

        assert (ended.returncode, ended.stdout) == (Exit.WRONG_CALL, "")
        assert f"{article} waits in 'editor' for a value, {says}" in ended.stderr
        assert ended.stderr.endswith(f"Give one that does: `ff resume {article} --data JSON`.\n")
    assert press.state(article) == "suspended"
    assert press.ff("resume", article, "--data", '{"good": true}', *program).returncode == Exit.DONE


def test_a_wait_for_no_declared_value_is_resumed_without_one(press: Press, program: list[str]) -> None:
    sleeping = press.suspended(OperatorOnly(), name="nap", timeout_ms=60_000)
    other = press.suspended("chief", name="chief")

    assert press.ff("resume", sleeping, *program).returncode == Exit.DONE
    ended = press.ff("resume", other, *program)

    assert ended == (Exit.DONE, f"{other} goes on: 1 wait ended with the value null (chief)\n", "")


def test_what_is_not_suspended_is_left_as_it_is_and_that_is_no_error(press: Press) -> None:
    running = press.leased().execution_id

    ended = press.ff("resume", running)
    planned = press.ff("resume", running, "--dry-run")

    assert ended == (Exit.DONE, f"{running} is active: it is not suspended, so there was nothing to resume\n", "")
    assert planned.stdout == f"{running} is active: it is not suspended, so there is nothing to resume.\n"


def test_somebody_who_resumes_what_is_held_or_is_no_execution_reads_the_right_verb(press: Press) -> None:
    with open_blocking_engine(press.url, reconcile=False) as engine:
        held = engine.create_execution("publish").execution_id
        engine.hold(held)

    for options in ([], ["--dry-run"]):
        assert f"it is held, and `ff unhold {held}` lets it go" in press.ff("resume", held, *options).stdout
    lane = press.ff("resume", "mail")
    assert lane.returncode == Exit.WRONG_CALL
    assert "`ff lanes resume mail` resumes a lane, and `ff schedules resume mail` a schedule." in lane.stderr
    assert "lanes" not in press.ff("resume", UNKNOWN).stderr


def test_what_waits_cannot_be_revoked_or_replayed_and_the_answer_says_what_can_be_done(press: Press) -> None:
    article = press.suspended()
    hint = f"; it waits, `ff explain {article}` says for what, and `ff resume {article}` ends its waits"

    revoked = press.ff("revoke", article)
    replayed = press.ff("replay", article)
    planned = press.ff("replay", article, "--dry-run")

    assert revoked == (Exit.DONE, f"{article} has no lease to take away: no worker has it{hint}\n", "")
    assert (replayed.returncode, replayed.stdout) == (Exit.NOT_DONE, "")
    assert replayed.stderr.endswith(f"{hint}.\n")
    assert planned == (Exit.NOT_DONE, f"{article} has not ended, so it cannot be replayed{hint}.\n", "")


def test_a_dry_run_of_a_resume_names_the_waits(press: Press) -> None:
    article = press.suspended()

    ended = press.ff("resume", article, "--dry-run")

    plan = f"{article} (suspended) would go on, and 1 wait would end with the value null (editor)"
    assert ended == (Exit.DONE, f"{plan}.\n", "")
    assert press.state(article) == "suspended"


def test_somebody_at_a_terminal_is_asked_before_waits_are_ended(press: Press) -> None:
    article = press.suspended()

    asked, refused = at_a_terminal("n\n", "resume", article, "--url", press.url)
    before = press.state(article)
    _, done = at_a_terminal("y\n", "resume", article, "--url", press.url)

    assert "would go on, and 1 wait would end with the value null (editor). Go on? [y/N]" in asked
    assert (refused, before) == (Exit.NOT_DONE, "suspended")
    assert (done, press.state(article)) == (Exit.DONE, "resumable")


def test_an_id_of_nothing_is_answered_as_everywhere(press: Press) -> None:
    for call in (["waitpoints"], ["signal"], ["approve", "--as", "ann"], ["resume"]):
        key = ["editor"] if call[0] == "signal" else []
        ended = press.ff(*call, UNKNOWN, *key)

        assert (ended.returncode, ended.stdout) == (Exit.NOT_FOUND, "")
        assert ended.stderr.startswith(f"ff: There is no execution {UNKNOWN}")


# ── the whole way ────────────────────────────────────────────────────────────────────────────────

ASKING = """
from flowfabric import Context, FlowFabric

ff = FlowFabric("sqlite:///asking.db")

@ff.task
async def publish(ctx: Context, article: int) -> str:
    (approval,) = await ctx.approve("editor", title=f"Publish article {article}?")
    return f"{approval.choice} by {approval.by}: {approval.note}"
"""


@pytest.mark.parametrize(("verb", "result"), [("approve", "yes by ann: well done"), ("reject", "no by ann: well done")])
def test_a_worker_goes_on_with_what_somebody_has_decided_at_the_command_line(
    tmp_path: Path, verb: str, result: str
) -> None:
    (tmp_path / "asking.py").write_text(ASKING)
    url = f"sqlite:///{tmp_path}/asking.db"
    ff_here("migrate", url, "--yes")
    submitted = ff_here("submit", "publish", '{"article": 7}', "--url", url)
    article = submitted.stdout.strip()

    with (
        started(tmp_path, "worker", "asking:ff", "--linger", "0s"),
        open_blocking_engine(url, reconcile=False) as engine,
    ):
        for event in engine.subscribe(execution_id=article):
            if event.event_type == "suspended":
                break
        waiting = ff_here("waiting", "--url", url)
        decided = ff_here(verb, article, "--as", "ann", "--note", "well done", "--url", url)
        engine.wait_for_result(article, timeout_ms=int(WITHIN_S * 1000))
        found = engine.get_result(article)

    assert f"{article}  editor" in waiting.stdout
    assert decided.stdout == f"{article} goes on: the signal has ended its wait for editor\n"
    assert found == json.dumps(result).encode()
