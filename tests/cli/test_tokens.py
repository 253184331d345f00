"""`ff tokens`, and on whose behalf `ff` acts."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from flowfabric.cli.exits import Exit
from tests.cli.desk import Desk, a_desk
from tests.cli.running import Ended, ff_here


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with a_desk("sqlite", tmp_path) as desk:
        yield desk


def ff(desk: Desk, *arguments: str) -> Ended:
    return ff_here(*arguments, "--url", desk.url)


def made(desk: Desk, *more: str) -> str:
    """A new token, as it is printed."""
    ended = ff(desk, "tokens", "create", "--role", "operator", "--expires", "90d", *more)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_a_token_is_printed_alone_so_that_a_script_can_take_it(desk: Desk) -> None:
    ended = ff(desk, "tokens", "create", "--role", "viewer", "--namespace", "shop", "--expires", "90d", "--name", "ann")

    secret = ended.stdout.strip()
    token_id = secret.split("_")[1]
    assert ended.stdout == f"{secret}\n"
    assert ended.stderr.startswith(f"Token {token_id} for ann: viewer in namespace shop, until 2")
    assert ended.stderr.endswith(" UTC. It is not shown again.\n")
    with desk.engine() as engine:
        assert engine.authenticate(secret) is not None


def test_a_token_without_end_opens_all_namespaces_unless_one_is_named(desk: Desk) -> None:
    ended = ff(desk, "tokens", "create", "--role", "admin", "--expires", "never")

    assert "admin in all namespaces, without end." in ended.stderr


def test_tokens_are_listed_with_their_state_and_no_secret(desk: Desk) -> None:
    empty = ff(desk, "tokens", "list").stdout
    ann, bob = made(desk, "--name", "ann"), made(desk, "--name", "bob", "--namespace", "shop")
    with desk.engine() as engine:
        engine.log_in(ann)
    ff(desk, "tokens", "revoke", bob.split("_")[1], "--yes")

    rows = [line.split() for line in ff(desk, "tokens", "list").stdout.splitlines()[1:]]
    every = ff(desk, "tokens", "list", "--sessions")

    assert empty == "There is no access token. `ff tokens create` makes one.\n"
    assert {(row[0], *row[1:5]) for row in rows} == {
        (ann.split("_")[1], "operator", "all", "ann", "good"),
        (bob.split("_")[1], "operator", "shop", "bob", "revoked"),
    }
    assert "ann (session)" in every.stdout
    shown = every.stdout + ff(desk, "tokens", "list", "--sessions", "--json").stdout
    assert all(secret[17:] not in shown for secret in (ann, bob))


def test_a_namespace_sees_only_its_own_tokens(desk: Desk) -> None:
    everywhere = made(desk, "--name", "ann")

    listed = ff(desk, "tokens", "list", "--namespace", "shop")
    revoked = ff(desk, "tokens", "revoke", everywhere.split("_")[1], "--yes", "--namespace", "shop")

    assert listed.stdout.startswith("There is no access token.")
    assert revoked.returncode == Exit.NOT_FOUND
    with desk.engine() as engine:
        assert engine.authenticate(everywhere) is not None


def test_revoking_says_what_it_did(desk: Desk) -> None:
    token_id = made(desk).split("_")[1]

    planned = ff(desk, "tokens", "revoke", token_id, "--dry-run").stdout
    first = ff(desk, "tokens", "revoke", token_id, "--yes").stdout
    second = ff(desk, "tokens", "revoke", token_id, "--yes").stdout

    assert (planned, first, second) == (
        f"Token {token_id} would be worthless.\n",
        f"Token {token_id} is worthless from now on.\n",
        f"Token {token_id} was revoked before.\n",
    )


def test_a_whole_token_where_its_id_belongs_is_not_shown_again(desk: Desk) -> None:
    secret = made(desk)

    ended = ff(desk, "tokens", "revoke", secret, "--yes")

    assert ended.returncode == Exit.WRONG_CALL
    assert "Give only its id" in ended.stderr
    assert secret[17:] not in ended.stderr


def test_the_story_of_a_token_is_told_in_words(desk: Desk) -> None:
    secret = made(desk, "--name", "ann", "--actor", "root")
    with desk.engine() as engine:
        session = engine.log_in(secret)
        assert session is not None
        engine.log_out(session.secret)
    ff(desk, "tokens", "revoke", secret.split("_")[1], "--yes", "--reason", "she has left", "--actor", "root")

    told = ff(desk, "tail", "--from", "start", "--until-idle", "--channel", "operator").stdout

    token, other = secret.split("_")[1], session.principal.token_id
    assert "token_created" in told
    assert f"token {token} of ann, operator, expires at 2" in told
    assert f"token {other} of ann, expires at 2" in told
    assert f"token {token} of ann, operator: she has left, by root" in told
    assert secret[17:] not in told


def test_what_ff_makes_and_steers_names_the_actor(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made_id = ff(desk, "submit", "charge", "--actor", "ann").stdout.strip()
    monkeypatch.setenv("FLOWFABRIC_ACTOR", "bob")
    ff(desk, "hold", made_id)
    ff(desk, "cancel", made_id, "--actor", "carol")
    monkeypatch.delenv("FLOWFABRIC_ACTOR")

    shown = json.loads(ff(desk, "show", made_id, "--json").stdout)
    text = ff(desk, "show", made_id).stdout

    assert shown["execution"]["created_by"] == "ann"
    assert [(each["event_type"], each["details"]["actor"]) for each in shown["events"]] == [
        ("held", "bob"),
        ("cancelled", "carol"),
    ]
    assert "created by     ann" in text
    assert "actor bob" in text
    assert "actor carol" in text


def test_without_an_actor_nothing_is_said_about_one(desk: Desk) -> None:
    made_id = ff(desk, "submit", "charge").stdout.strip()
    ff(desk, "hold", made_id)

    shown = ff(desk, "show", made_id)

    assert "created by" not in shown.stdout
    assert "actor" not in shown.stdout
