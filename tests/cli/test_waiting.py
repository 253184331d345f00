"""What waits is shown: for whom, until when, with which waitpoints and secrets. Tokens and secrets never are."""

import json
import sqlite3
from pathlib import Path
from typing import get_args

import pytest

from flowfabric import AtLeast, Event, Every, InvalidToken, OperatorOnly, open_blocking_engine
from flowfabric.cli.exits import Exit
from flowfabric.cli.timeline import details_in_words
from flowfabric.domain.waiting import WaitCause
from tests.cli.press import Press

DAY_MS = 86_400_000
QUESTION = {"title": "Publish article 7?", "choices": ["yes", "no"]}


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
    assert shared.ff("waiting", "--key", "nobody").stdout == "Nothing waits at a waitpoint 'nobody'.\n"


def test_nothing_that_waits_is_said_in_a_sentence(press: Press) -> None:
    press.leased()

    assert press.ff("waiting") == (Exit.DONE, "Nothing waits.\n", "")


# ── ff waitpoints, and tokens ────────────────────────────────────────────────────────────────────


def test_waitpoints_are_listed_with_their_question_and_their_signals(shared: Press) -> None:
    article = shared.suspended(AtLeast(2, "editor", "boss"), name="votes", about=QUESTION)
    shared.ff("signal", article, "editor", "--data", '{"good": true}', "--as", "ann")

    said = shared.ff("waitpoints", article).stdout
    told = json.loads(shared.ff("waitpoints", article, "--json").stdout)

    assert "Publish article 7?" in said
    assert '{"good":true}' in said
    assert "ann" in said
    assert sorted((each["key"], each["state"], each["waiting_signals"]) for each in told["waitpoints"]) == [
        ("boss", "open", 0),
        ("editor", "open", 1),
    ]
    assert [(each["key"], each["source"], each["value"]) for each in told["signals"]] == [
        ("editor", "ann", {"good": True})
    ]


def test_an_alias_is_listed_with_its_waitpoint(press: Press) -> None:
    article = press.suspended(about=QUESTION, alias="article-7")

    said = press.ff("waitpoints", article).stdout
    told = json.loads(press.ff("waitpoints", article, "--json").stdout)

    assert [line.split()[:2] for line in said.splitlines()] == [["KEY", "ALIAS"], ["editor", "article-7"]]
    assert [each["alias"] for each in told["waitpoints"]] == ["article-7"]
    assert "ALIAS" not in press.ff("waitpoints", press.suspended()).stdout


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


def test_a_wait_at_a_closed_waitpoint_says_so_and_what_to_do(shared: Press) -> None:
    article = shared.suspended(AtLeast(2, "editor", "boss"), name="votes")
    with open_blocking_engine(shared.url, reconcile=False) as engine:
        engine.close_waitpoint(article, "boss", reason="left")

    listed = shared.ff("waiting")
    shown = shared.ff("show", article).stdout

    assert " editor, boss (closed) " in listed.stdout
    assert "`ff resume ID` ends its wait" in listed.stderr
    assert "waitpoint boss (operator: left) is closed and takes no signals, so resume or cancel" in " ".join(
        shown.split()
    )


def test_a_grace_of_nothing_ends_old_tokens_at_once(press: Press) -> None:
    article = press.suspended()
    (token, _) = press.tokens(article)

    planned = press.ff("secrets", "rotate", "--grace", "0s", "--dry-run")
    rotated = press.ff("secrets", "rotate", "--grace", "0s", "--yes")

    assert planned.stdout.endswith(", and no earlier token is good any more.\n")
    assert rotated.stdout.endswith(" No earlier token is good any more.\n")
    with open_blocking_engine(press.url, reconcile=False) as engine, pytest.raises(InvalidToken):
        engine.signal_by_token(token)


def test_a_dry_run_rotates_nothing(press: Press) -> None:
    press.suspended()
    before = press.ff("secrets", "list", "--json").stdout

    ended = press.ff("secrets", "rotate", "--dry-run")
    told = json.loads(press.ff("secrets", "rotate", "--dry-run", "--json").stdout)

    assert ended.stdout.startswith("A new secret would sign tokens, and those that ")
    assert ended.stdout.endswith(" stay good for another 7 d.\n")
    assert [f"{sentence}." for sentence in told["plan"]] == [ended.stdout.strip()]
    assert press.ff("secrets", "list", "--json").stdout == before


def test_secrets_of_the_environment_are_not_rotated_here(press: Press, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLOWFABRIC_SIGNING_KEYS", "ours:" + "A" * 44)

    ended = press.ff("secrets", "rotate", "--yes")

    assert (ended.returncode, ended.stdout) == (Exit.NOT_DONE, "")
    assert "come from the environment" in ended.stderr
    assert json.loads(press.ff("secrets", "list", "--json").stdout)["kids"] == {"ours": None}


def test_a_look_without_the_secrets_of_the_workers_makes_no_secret(
    press: Press, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLOWFABRIC_SIGNING_KEYS", "ours:" + "A" * 44)
    article = press.suspended(about=QUESTION)
    monkeypatch.delenv("FLOWFABRIC_SIGNING_KEYS")

    looks = [press.ff(verb, article) for verb in ("waitpoints", "explain", "show")]
    (listed,) = json.loads(press.ff("waitpoints", article, "--json").stdout)["waitpoints"]

    assert [each.returncode for each in looks] == [Exit.DONE] * 3
    assert (listed["token_kid"], listed["token_fingerprint"]) == ("ours", "")
    assert json.loads(press.ff("secrets", "list", "--json").stdout)["kids"] == {}


# ── ff show, explain, ls, tail ───────────────────────────────────────────────────────────────────


def test_what_waits_shows_its_open_waits_and_a_suspended_attempt(press: Press) -> None:
    article = press.suspended(timeout_ms=3 * DAY_MS + 5_000, on_timeout="escalate")

    said = press.ff("show", article).stdout
    told = json.loads(press.ff("show", article, "--json").stdout)

    assert "WAITS FOR  SINCE     UNTIL   THEN IT\neditor     just now  in 3 d  asks an operator\n" in said
    assert "suspended" in said.split("ATTEMPT")[1].splitlines()[1]
    assert [wait["name"] for wait in told["execution"]["waits"]] == ["editor"]
    assert "editor" in press.ff("explain", article).stdout


def test_what_waits_says_what_it_asks_and_what_to_type(press: Press) -> None:
    signal, value = press.suspended(about=QUESTION), "--data JSON"
    asks = press.suspended(about=QUESTION, reason="waiting_for_approval")
    both = press.suspended(Every("editor", "the chief"), name="both")
    nap = press.suspended(OperatorOnly(), name="nap")
    lingering = press.leased()
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.open_wait(lingering, "editor", "editor")
        engine.close_waitpoint(both, "editor", reason="gone")

    commands = {
        key: json.loads(press.ff("explain", key, "--json").stdout)["commands"]
        for key in (signal, asks, both, nap, lingering.execution_id)
    }

    assert commands == {
        signal: [f"ff signal {signal} editor {value}", f"ff resume {signal} {value}"],
        asks: [
            *(f"ff {verb} {asks} editor --as NAME" for verb in ("approve", "reject")),
            f"ff resume {asks}",
        ],
        both: [f"ff signal {both} 'the chief' {value}", f"ff resume {both} {value}"],
        nap: [f"ff resume {nap}"],
        lingering.execution_id: [f"ff signal {lingering.execution_id} editor {value}"],
    }
    for verb in ("show", "explain"):
        said = press.ff(verb, asks).stdout
        assert "It asks: Publish article 7? (yes, no)\n" in said
        assert f"\nff approve {asks} editor --as NAME  " in said
    assert "waitpoint editor (operator: gone) is closed and takes no signals" in press.ff("explain", both).stdout


def test_the_events_of_a_wait_are_sentences(press: Press) -> None:
    article = press.suspended(timeout_ms=3 * DAY_MS)
    press.ff("signal", article, "editor", "--as", "ann", "--name", "yes")
    press.ff("signal", article, "editor")
    nap = press.suspended(OperatorOnly(), name="nap")
    press.ff("resume", nap, "--reason", "the editor is on holiday")

    said = press.ff("tail", "--from", "start", "--until-idle").stdout
    shown = press.ff("show", article).stdout

    assert " step" not in said + shown
    assert " publish suspended: waits for editor, until 20" in said
    assert " publish delivered: editor (yes) from ann: ended a wait\n" in said
    assert " publish delivered: editor: kept for a later wait\n" in said
    assert " publish resumed: wait editor is over, by a signal\n" in said
    assert " publish delivered: a signal (resumed) from operator: ended a wait\n" in said
    assert " publish resumed: wait nap is over, by an operator: the editor is on holiday\n" in said


@pytest.mark.parametrize("cause", get_args(WaitCause))
def test_every_cause_of_the_end_of_a_wait_has_words(cause: str) -> None:
    event = Event(1, "signal", "resumed", "default", None, None, 1, {"name": "editor", "cause": cause}, 0)

    assert details_in_words(event).startswith("wait editor is over, by ")


def test_what_nobody_answered_is_shown_as_escalated(press: Press) -> None:
    article = press.suspended(timeout_ms=0, on_timeout="escalate")
    with open_blocking_engine(press.url, reconcile=False) as engine:
        engine.reconcile()

    listed = press.ff("ls").stdout.splitlines()
    waits = press.ff("waiting").stdout.splitlines()

    assert listed[1].split()[1:3] == ["suspended", "escalated"]
    assert " escalated " in waits[1]
    held = press.suspended()
    press.ff("hold", held)
    assert ["suspended", "held"] in [line.split()[1:3] for line in press.ff("ls").stdout.splitlines()]
    assert "escalated: the time of wait editor is over, and an operator is asked" in (
        press.ff("tail", "--from", "start", "--until-idle", "--execution", article).stdout
    )


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("hold", "will be held once it is resumed"),
        ("unhold", "is not held"),
        ("priority 7", "has priority 7 (before: 0)"),
        ("cancel", "is cancelled"),
    ],
)
def test_what_waits_can_be_steered(press: Press, call: str, says: str) -> None:
    article = press.suspended()

    planned = press.ff(*call.split(), article, "--dry-run")
    ended = press.ff(*call.split(), article)

    assert planned.returncode == Exit.DONE, planned
    assert ended == (Exit.DONE, f"{article} {says}\n", "")
