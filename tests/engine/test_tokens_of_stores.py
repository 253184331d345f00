"""Whose tokens a store takes: its own, those of its restored copy, and nobody else's."""

import base64
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from flowfabric import BlockingEngine, Conflict, InvalidInput, InvalidToken, Refused, open_blocking_engine
from flowfabric.engine.signing import KEYS_VARIABLE
from flowfabric_conformance.wait_stage import waiting

SECRET = base64.b64encode(b"configured" * 4).decode()


@contextmanager
def opened(file: Path) -> Iterator[BlockingEngine]:
    with open_blocking_engine(f"sqlite:///{file}", reconcile=False) as engine:
        yield engine


def a_token(file: Path) -> str:
    with opened(file) as engine:
        return waiting(engine).token


def opens(file: Path, token: str) -> bool:
    with opened(file) as engine:
        try:
            return engine.signal_by_token(token).effect == "resumed"
        except InvalidToken:
            return False


def test_a_token_opens_its_own_store_after_a_restart_and_no_other(tmp_path: Path):
    own, other = tmp_path / "own.db", tmp_path / "other.db"
    token = a_token(own)
    a_token(other)  # it has a key, which has the same name

    assert not opens(other, token)
    assert opens(own, token)


def test_stores_with_the_same_configured_keys_take_only_their_own_tokens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(KEYS_VARIABLE, f"shared:{SECRET}")
    own, other = tmp_path / "own.db", tmp_path / "other.db"
    token = a_token(own)
    a_token(other)

    assert token.startswith("wp1.shared.")
    assert not opens(other, token)
    assert opens(own, token)


def test_a_token_that_somebody_has_got_opens_the_restored_backup(tmp_path: Path):
    own, backup = tmp_path / "own.db", tmp_path / "backup.db"
    token = a_token(own)
    with sqlite3.connect(own) as source, sqlite3.connect(backup) as copy:
        source.backup(copy)
        copy.execute("update ff_meta set value = 'restored' where name = 'incarnation'")
    source.close()
    copy.close()

    assert opens(backup, token)


def test_with_configured_keys_no_secret_is_in_the_store_and_none_is_rotated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(KEYS_VARIABLE, f"shared:{SECRET}")
    file = tmp_path / "own.db"
    with opened(file) as engine:
        waiting(engine)
        with pytest.raises(Refused, match="come from the environment"):
            engine.rotate_waitpoint_secret()
        assert engine.list_waitpoint_kids() == {"shared": None}

    with sqlite3.connect(file) as connection:
        assert connection.execute("select count(*) from ff_key_ring").fetchone() == (0,)
    connection.close()


def test_wrong_keys_in_the_environment_are_noticed_when_the_engine_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(KEYS_VARIABLE, "k1:short")

    with pytest.raises(InvalidInput, match="Entry 1 of FLOWFABRIC_SIGNING_KEYS"), opened(tmp_path / "own.db"):
        pass
    monkeypatch.delenv(KEYS_VARIABLE)
    assert a_token(tmp_path / "own.db").startswith("wp1.k1.")


def test_no_log_and_no_event_shows_a_secret_or_a_token(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    secret = b"hush, nobody may ever see this one"
    with caplog.at_level(logging.DEBUG), opened(tmp_path / "own.db") as engine:
        engine.rotate_waitpoint_secret(kid="k7", secret=secret)
        with pytest.raises(Conflict) as refusal:
            engine.rotate_waitpoint_secret(kid="k7", secret=secret[::-1])
        token = waiting(engine).token
        engine.signal_by_token(token)
        with pytest.raises(InvalidToken):
            engine.signal_by_token(token[:-1])
        shown = f"{engine.read_events()!r} {caplog.text} {refusal.value!r} {engine.list_waitpoint_kids()}"

    mac = token.rpartition(".")[2]
    for hidden in (secret.decode(), repr(secret)[2:-1], secret.hex(), base64.b64encode(secret).decode(), mac):
        assert hidden not in shown
