"""Which tokens an engine remembers, for how long, and what it never shows."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from rich.pretty import pretty_repr

from flowfabric import ManualClock, StoreUnavailable
from flowfabric.app import open_store
from flowfabric.domain import access
from flowfabric.domain.commands import CreateAccessToken, LogIn
from flowfabric.engine.engine import Engine
from flowfabric.engine.known_tokens import FRESH_S, KNOWN_MAX, REFRESH_S, KnownToken, KnownTokens
from flowfabric.engine.shells import run_now
from flowfabric.ports.store import Store
from tests.assembled import assembled

DAY = 86_400_000
CHANCE = bytes(range(40))


class Time:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Process:
    """One of two processes on the same store."""

    def __init__(self, engine: Engine, time: Time) -> None:
        self.reads = 0
        self.is_away = False
        self._store: Any = engine._store
        tokens = KnownTokens(monotonic=time)
        self.engine = Engine(replace(engine._services, tokens=tokens))
        self.engine._store = self  # type: ignore[assignment]

    def access_token(self, token_id: str) -> Any:
        self.reads += 1
        if self.is_away:
            raise StoreUnavailable("it is away", is_final=True)
        return self._store.access_token(token_id)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def knows(self, secret: str) -> bool:
        return run_now(self.engine.authenticate(secret)) is not None


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def store(clock: ManualClock) -> Iterator[Store]:
    opened = open_store("memory://", clock=clock)
    yield opened
    opened.close()


@pytest.fixture
def pair(store: Store, time: Time) -> Iterator[tuple[Process, Process]]:
    with assembled(store) as parts:
        yield Process(parts.engine._engine, time), Process(parts.engine._engine, time)


def made(process: Process, **what: Any) -> access.NewAccessToken:
    return run_now(process.engine.create_access_token("viewer", **what))


def test_a_token_that_is_used_again_and_again_is_read_once(pair: tuple[Process, Process], time: Time):
    one, _ = pair
    token = made(one)
    one.knows(token.secret)  # notes the day, and reads the token again
    one.reads = 0

    assert all(one.knows(token.secret) for _ in range(100))

    assert one.reads == 0


def test_after_half_a_second_one_caller_reads_again(pair: tuple[Process, Process], time: Time):
    one, _ = pair
    token = made(one)
    one.knows(token.secret)
    one.reads = 0

    time.now_s += REFRESH_S
    assert all(one.knows(token.secret) for _ in range(100))

    assert one.reads == 1


def test_a_token_that_another_process_revokes_ends_within_a_second(pair: tuple[Process, Process], time: Time):
    one, other = pair
    token = made(one)
    assert one.knows(token.secret)
    run_now(other.engine.revoke_access_token(token.token.token_id))

    time.now_s += REFRESH_S - 0.001
    before = one.knows(token.secret)
    time.now_s += FRESH_S - REFRESH_S + 0.001

    assert (before, one.knows(token.secret)) == (True, False)


def test_the_engine_that_revokes_knows_it_at_once(pair: tuple[Process, Process]):
    one, _ = pair
    token = made(one)
    session = run_now(one.engine.log_in(token.secret))
    assert session is not None
    assert one.knows(session.secret)

    run_now(one.engine.revoke_access_token(token.token.token_id))

    assert not one.knows(token.secret)
    assert not one.knows(session.secret)


def test_what_is_older_than_a_second_is_not_used_if_the_store_is_away(pair: tuple[Process, Process], time: Time):
    one, _ = pair
    token = made(one)
    one.knows(token.secret)
    one.is_away = True

    time.now_s += FRESH_S

    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            one.knows(token.secret)


def test_a_read_that_began_before_a_revocation_is_not_remembered(time: Time):
    known = KnownTokens(monotonic=time)
    token = access.AccessToken("a" * 12, b"x" * 32, "access", "viewer", None, "ann", 0)
    began_s = time.now_s
    time.now_s += 0.1

    known.forget()
    known.learn(token.token_id, KnownToken(token, None, 0), began_s)

    assert known.fresh(token.token_id) is None


def test_ids_that_strangers_make_up_are_not_remembered(pair: tuple[Process, Process]):
    one, _ = pair
    wrong = access.minted(CHANCE).text

    assert not any(one.knows(wrong) for _ in range(3))

    assert one.reads == 3
    assert repr(one.engine._services.tokens) == "KnownTokens(0 tokens)"


def test_so_many_tokens_are_remembered_and_not_more(time: Time):
    known = KnownTokens(monotonic=time)
    token = access.AccessToken("a" * 12, b"x" * 32, "access", "viewer", None, "ann", 0)
    known.learn("first", KnownToken(token, None, 0), time.now_s)
    for number in range(KNOWN_MAX - 1):
        known.learn(str(number), KnownToken(token, None, 0), time.now_s)
    assert known.fresh("first") is not None  # it is used, so another one is forgotten

    known.learn("last", KnownToken(token, None, 0), time.now_s)

    assert known.fresh("0") is None
    assert known.fresh("first") is not None
    assert known.fresh("last") is not None


def test_the_day_of_the_last_use_is_written_once_a_day(pair: tuple[Process, Process], clock: ManualClock, time: Time):
    one, _ = pair
    token = made(one)
    days: list[int | None] = []
    for _ in range(3):
        for _ in range(5):
            one.knows(token.secret)
            time.now_s += FRESH_S
        (listed,) = run_now(one.engine.list_access_tokens()).items
        assert isinstance(listed, access.AccessTokenSnapshot)
        days.append(listed.used_day_ms)
        clock.advance(DAY)

    today = clock.now_ms // DAY * DAY
    assert days == [today - 3 * DAY, today - 2 * DAY, today - DAY]


def test_nothing_shows_a_secret_or_its_hash(pair: tuple[Process, Process], caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    one, _ = pair
    token = made(one)
    session = run_now(one.engine.log_in(token.secret))
    assert session is not None
    stored = one._store.access_token(token.token.token_id)
    minted = access.minted(CHANCE)
    presented = access.presented(token.secret)
    assert presented is not None
    objects = [
        token,
        session,
        stored,
        minted,
        presented,
        one.engine._services.tokens,
        CreateAccessToken("a" * 12, stored.secret_hash, "access", "viewer", None, None, None, False),
        LogIn("a" * 12, stored.secret_hash, "b" * 12, stored.secret_hash),
    ]

    said = "".join(f"{each!r} {each} {pretty_repr(each)}" for each in objects) + caplog.text

    for secret in (token.secret, session.secret, minted.text):
        assert secret[17:] not in said
    for secret_hash in (stored.secret_hash, minted.secret_hash, presented.secret_hash):
        assert repr(secret_hash) not in said
        assert secret_hash.hex() not in said
