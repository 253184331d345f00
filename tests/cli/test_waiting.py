"""The verbs for what waits: who is waited for, how somebody answers, and what is never shown."""

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from flowfabric import AtLeast, Condition, Lease, OperatorOnly, open_blocking_engine
from flowfabric.cli.exits import Exit
from tests.cli.desk import UNKNOWN
from tests.cli.running import Ended, at_a_terminal, ff_here
from tests.stores_under_test import SHARED_STORES, STORES

DAY_MS = 86_400_000
QUESTION = {"title": "Publish article 7?", "choices": ["yes", "no"]}
THREE_WAYS = {"choices": ["now", "later", "never"]}


class Press(NamedTuple):
    """A database in which things wait."""

    url: str

    def suspended(
        self,
        condition: Condition | str = "editor",
        *,
        name: str = "editor",
        about: dict[str, object] | None = None,
        timeout_ms: int | None = None,
        on_timeout: str = "resume",
    ) -> str:
        """An execution that waits."""
        with open_blocking_engine(self.url, reconcile=False) as engine:
            lease = self.leased()
            if about is not None:
                engine.create_waitpoint(lease, "editor", about=about)
            engine.suspend(lease, name, condition, timeout_ms=timeout_ms, on_timeout=on_timeout)  # type: ignore[arg-type]
            return lease.execution_id

    def leased(self) -> Lease:
        """An execution that runs."""
        with open_blocking_engine(self.url, reconcile=False) as engine:
            engine.create_execution("publish", lane="press")
            (claimed,) = engine.claim(worker_id="w", worker_instance_id="w-1", lanes=["press"])
            return claimed.lease

    def ff(self, *arguments: str) -> Ended:
        return ff_here(*arguments, "--url", self.url)

    def state(self, execution_id: str) -> str:
        with open_blocking_engine(self.url, reconcile=False) as engine:
            found = engine.describe_execution(execution_id)
            assert found is not None
            return found.public_state

    def signals(self, execution_id: str) -> list[tuple[str, str, bytes, str]]:
        with open_blocking_engine(self.url, reconcile=False) as engine:
            return [(each.key, each.name, each.payload, each.source) for each in engine.list_signals(execution_id)]

    def tokens(self, execution_id: str) -> list[str]:
        with open_blocking_engine(self.url, reconcile=False) as engine:
            return [engine.issue_token(execution_id, "editor", source=name).token for name in ("", "ann")]


@pytest.fixture(params=SHARED_STORES)
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Press]:
    with STORES[request.param].empty(tmp_path) as url:
        with open_blocking_engine(url, reconcile=False, migrate=True):
            pass
        yield Press(url)


@pytest.fixture
def press(tmp_path: Path) -> Iterator[Press]:
    with STORES["sqlite"].empty(tmp_path) as url:
        with open_blocking_engine(url, reconcile=False, migrate=True):
            pass
        yield Press(url)


# ── ff waiting ───────────────────────────────────────────────────────────────────────────────────


def test_a_list_says_who_is_waited_for_since_when_until_when_and_what_follows(shared: Press) -> None:
    endless = shared.suspended()
    votes = shared.suspended(AtLeast(2, "alice", "bob"), name="votes", timeout_ms=3 * DAY_MS + 5_000, on_timeout="fail")
    sleeping = shared.suspended(OperatorOnly(), name="nap", timeout_ms=DAY_MS + 5_000)

    head, *rows = (line.split("  ") for line in shared.ff("waiting").stdout.splitlines())
    cells = [[cell.strip() for cell in row if cell.strip()] for row in rows]

    assert [cell.strip() for cell in head if cell.strip()] == [
        *("ID", "WAITS FOR", "SINCE", "UNTIL", "THEN IT", "WAIT", "KIND", "LANE"),
    ]
    assert [(row[0], row[1]) for row in cells] == [(endless, "editor"), (votes, "alice, bob"), (sleeping, "its time")]
    assert cells[0][3:] == ["-", "publish", "press"]
    assert cells[1][3:] == ["in 3 d", "fails", "votes", "publish", "press"]
    assert cells[2][3:] == ["in 24 h", "goes on", "nap", "publish", "press"]


def test_a_list_in_json_has_the_open_waits_and_a_cursor(shared: Press) -> None:
    waiting = [shared.suspended() for _ in range(3)]

    first = json.loads(shared.ff("waiting", "--limit", "2", "--json").stdout)
    rest = json.loads(shared.ff("waiting", "--cursor", first["next_cursor"], "--json").stdout)
    noted = shared.ff("waiting", "--limit", "2")

    assert [x["execution_id"] for x in first["executions"] + rest["executions"]] == waiting
    assert first["executions"][0]["waits"][0]["keys"] == ["editor"]
    assert rest["next_cursor"] is None
    assert noted.stderr == f"There are more: --cursor {first['next_cursor']}\n"


def test_a_key_finds_those_that_have_a_waitpoint_of_that_key(shared: Press) -> None:
    shared.suspended()
    other = shared.suspended("bank", name="bank")

    found = json.loads(shared.ff("waiting", "--key", "bank", "--json").stdout)

    assert [x["execution_id"] for x in found["executions"]] == [other]
    assert shared.ff("waiting", "--key", "nobody").stdout == "Nothing waits that has a waitpoint 'nobody'.\n"


def test_nothing_that_waits_is_said_in_a_sentence(press: Press) -> None:
    press.leased()

    assert press.ff("waiting") == (Exit.DONE, "Nothing waits.\n", "")


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
        "",
    )
    assert kept == (
        Exit.DONE,
        f"{article} keeps the signal: no open wait takes carol now, and a later one will\n",
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
        assert "is cancelled" in too_late.stderr
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


def test_the_value_may_come_from_standard_input_and_be_any_json(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    import io
    import sys

    article = press.suspended()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'"from afar"')))

    piped = press.ff("signal", article, "editor", "--data", "-")
    negative = press.ff("signal", article, "editor", "--data", "-1")

    assert (piped.returncode, negative.returncode) == (Exit.DONE, Exit.DONE)
    assert [payload for _, _, payload, _ in press.signals(article)] == [b'"from afar"', b"-1"]


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
        (running, "is active and waits for no signal"),
        (sleeping, "is suspended and waits for no signal"),
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


def test_what_is_not_suspended_is_left_as_it_is_and_that_is_no_error(press: Press) -> None:
    running = press.leased().execution_id

    ended = press.ff("resume", running)
    planned = press.ff("resume", running, "--dry-run")

    assert ended == (Exit.DONE, f"{running} is active: it is not suspended, so there was nothing to resume\n", "")
    assert planned.stdout == f"{running} is active: it is not suspended, so there is nothing to resume.\n"


def test_a_dry_run_of_a_resume_names_the_waits(press: Press) -> None:
    article = press.suspended()

    ended = press.ff("resume", article, "--dry-run")

    assert ended == (Exit.DONE, f"{article} (suspended) would go on, and 1 wait would end (editor).\n", "")
    assert press.state(article) == "suspended"


def test_somebody_at_a_terminal_is_asked_before_waits_are_ended(press: Press) -> None:
    article = press.suspended()

    asked, refused = at_a_terminal("n\n", "resume", article, "--url", press.url)
    before = press.state(article)
    _, done = at_a_terminal("y\n", "resume", article, "--url", press.url)

    assert "would go on, and 1 wait would end (editor). Go on? [y/N]" in asked
    assert (refused, before) == (Exit.NOT_DONE, "suspended")
    assert (done, press.state(article)) == (Exit.DONE, "resumable")


# ── ff waitpoints, and tokens ────────────────────────────────────────────────────────────────────


def test_waitpoints_are_listed_with_their_question_and_their_signals(shared: Press) -> None:
    article = shared.suspended(AtLeast(2, "editor", "boss"), name="votes", about=QUESTION)
    shared.ff("signal", article, "editor", "--data", '{"good": true}', "--as", "ann")

    said = shared.ff("waitpoints", article).stdout
    told = json.loads(shared.ff("waitpoints", article, "--json").stdout)

    assert "Publish article 7?" in said
    assert '{"good":true}' in said
    assert "ann" in said
    assert [(each["key"], each["state"], each["waiting_signals"]) for each in told["waitpoints"]] == [
        ("editor", "open", 1),
        ("boss", "open", 0),
    ] or sorted((each["key"], each["waiting_signals"]) for each in told["waitpoints"]) == [("boss", 0), ("editor", 1)]
    assert [(each["key"], each["source"], each["value"]) for each in told["signals"]] == [
        ("editor", "ann", {"good": True})
    ]


def test_what_a_stranger_says_about_himself_is_marked_as_unverified(press: Press) -> None:
    article = press.suspended(AtLeast(5, "editor", distinct="signals"), name="votes")
    (token, _) = press.tokens(article)
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.signal_by_token(token, b'"yes"', source="the king")

    assert "the king (unverified)" in press.ff("waitpoints", article).stdout


def test_an_execution_without_waitpoints_says_so(press: Press) -> None:
    running = press.leased().execution_id

    assert press.ff("waitpoints", running).stdout == (
        "It has no waitpoints: it has never waited for a signal, and none was sent to it.\n"
    )


def test_no_verb_shows_a_token_or_a_secret(press: Press, tmp_path: Path) -> None:
    article = press.suspended(about=QUESTION)
    tokens = press.tokens(article)
    (file,) = tmp_path.glob("*.db")
    with sqlite3.connect(file) as connection:
        ((keys,),) = connection.execute("select keys from ff_key_ring").fetchall()
    connection.close()
    secrets = [part for part in keys.replace('"', " ").replace(",", " ").split() if len(part) > 30]
    calls = [
        ["waiting"],
        ["waitpoints", article],
        ["show", article],
        ["explain", article],
        ["tail", "--from", "start", "--until-idle"],
        ["secrets", "list"],
        ["signal", article, "editor"],
        ["secrets", "rotate", "--yes"],
        ["doctor"],
    ]

    said = "".join(text for call in calls for options in ([], ["--json"]) for text in press.ff(*call, *options)[1:])

    assert secrets
    assert [each for each in (*tokens, *(token.rpartition(".")[2] for token in tokens), *secrets) if each in said] == []


# ── ff secrets ───────────────────────────────────────────────────────────────────────────────────


def test_secrets_are_listed_by_name_with_the_end_of_their_grace(shared: Press) -> None:
    empty = shared.ff("secrets", "list").stdout
    shared.suspended()
    rotated = shared.ff("secrets", "rotate", "--kid", "spring", "--grace", "2d", "--yes")

    kids = json.loads(shared.ff("secrets", "list", "--json").stdout)["kids"]
    (first,) = [kid for kid in kids if kid != "spring"]
    rows = [line.split() for line in shared.ff("secrets", "list").stdout.splitlines()[1:]]

    assert empty == "There is no secret yet: the first waitpoint makes one.\n"
    assert rotated.stdout.startswith(f"Secret spring signs tokens from now on. Those of {first} stay good until 2")
    assert kids["spring"] is None
    assert kids[first] is not None
    assert {(row[0], row[1]) for row in rows} == {(first, "old"), ("spring", "current")}


def test_a_grace_of_nothing_ends_old_tokens_at_once(press: Press) -> None:
    article = press.suspended()
    (token, _) = press.tokens(article)

    planned = press.ff("secrets", "rotate", "--grace", "0s", "--dry-run")
    rotated = press.ff("secrets", "rotate", "--grace", "0s", "--yes")

    assert planned.stdout.endswith(" are good no more, at once.\n")
    assert rotated.stdout.endswith(" are good no more.\n")
    with open_blocking_engine(press.url, reconcile=False) as engine, pytest.raises(Exception, match="not valid here"):
        engine.signal_by_token(token)


def test_a_dry_run_rotates_nothing(press: Press) -> None:
    press.suspended()
    before = press.ff("secrets", "list", "--json").stdout

    ended = press.ff("secrets", "rotate", "--dry-run")
    told = json.loads(press.ff("secrets", "rotate", "--dry-run", "--json").stdout)

    assert ended.stdout.startswith("A new secret would sign tokens, and those that ")
    assert ended.stdout.endswith(" are good for another 7 d.\n")
    assert [f"{sentence}." for sentence in told["plan"]] == [ended.stdout.strip()]
    assert press.ff("secrets", "list", "--json").stdout == before


def test_secrets_of_the_environment_are_not_rotated_here(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOWFABRIC_SIGNING_KEYS", "ours:" + "A" * 44)

    ended = press.ff("secrets", "rotate", "--yes")

    assert (ended.returncode, ended.stdout) == (Exit.NOT_DONE, "")
    assert "come from the environment" in ended.stderr
    assert json.loads(press.ff("secrets", "list", "--json").stdout)["kids"] == {"ours": None}


# ── ff show, explain, ls, tail ───────────────────────────────────────────────────────────────────


def test_what_waits_shows_its_open_waits_and_a_suspended_attempt(press: Press) -> None:
    article = press.suspended(timeout_ms=3 * DAY_MS + 5_000, on_timeout="escalate")

    said = press.ff("show", article).stdout
    told = json.loads(press.ff("show", article, "--json").stdout)

    assert "WAITS FOR  SINCE     UNTIL   THEN IT\neditor     just now  in 3 d  asks an operator\n" in said
    assert "suspended" in said.split("ATTEMPT")[1].splitlines()[1]
    assert [wait["name"] for wait in told["execution"]["waits"]] == ["editor"]
    assert "editor" in press.ff("explain", article).stdout


def test_the_events_of_a_wait_are_sentences(press: Press) -> None:
    article = press.suspended(timeout_ms=3 * DAY_MS)
    press.ff("signal", article, "editor", "--as", "ann", "--name", "yes")
    press.ff("signal", article, "editor")
    nap = press.suspended(OperatorOnly(), name="nap")
    press.ff("resume", nap, "--reason", "the editor is on holiday")

    said = press.ff("tail", "--from", "start", "--until-idle").stdout

    assert " publish suspended: waits for editor, until 20" in said
    assert " publish delivered: editor (yes) from ann: ended a wait\n" in said
    assert " publish delivered: editor: kept for a later wait\n" in said
    assert " publish resumed: wait editor is over, by a signal\n" in said
    assert " publish resumed: wait nap is over, by an operator: the editor is on holiday\n" in said


def test_what_nobody_answered_is_shown_as_escalated(press: Press) -> None:
    article = press.suspended(timeout_ms=0, on_timeout="escalate")
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.reconcile()

    listed = press.ff("ls").stdout.splitlines()
    waits = press.ff("waiting").stdout.splitlines()

    assert listed[1].split()[1:3] == ["suspended", "escalated"]
    assert " escalated " in waits[1]
    assert "escalated: the time of wait editor is over, and an operator is asked" in (
        press.ff("tail", "--from", "start", "--until-idle", "--execution", article).stdout
    )


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("hold", "is held once it is resumed"),
        ("unhold", "is not held"),
        ("priority 7", "has priority 7 (before: 0)"),
        ("revoke", "has no lease to take away: no worker has it"),
        ("cancel", "is cancelled"),
    ],
)
def test_what_waits_can_be_steered(press: Press, call: str, says: str) -> None:
    article = press.suspended()

    planned = press.ff(*call.split(), article, "--dry-run")
    ended = press.ff(*call.split(), article)

    assert planned.returncode == Exit.DONE, planned
    assert ended == (Exit.DONE, f"{article} {says}\n", "")


def test_an_id_of_a_flow_or_of_nothing_is_answered_as_everywhere(press: Press) -> None:
    for call in (["waitpoints"], ["signal"], ["approve", "--as", "ann"], ["resume"]):
        key = ["editor"] if call[0] == "signal" else []
        ended = press.ff(*call, UNKNOWN, *key)

        assert (ended.returncode, ended.stdout) == (Exit.NOT_FOUND, "")
        assert ended.stderr.startswith(f"ff: There is no execution {UNKNOWN}")
