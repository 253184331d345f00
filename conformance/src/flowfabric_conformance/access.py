"""Access tokens: who may come in, until when, and what every holder of a token is told."""

import re
from typing import Any

import pytest

from flowfabric import (
    AccessTokenSnapshot,
    AlreadySatisfied,
    BlockingEngine,
    Conflict,
    InvalidInput,
    ManualClock,
    NewAccessToken,
    NotFound,
    Page,
    Principal,
    Session,
    TokenRevoked,
)
from flowfabric.domain.access import SESSIONS_MAX
from flowfabric_conformance.cases import rule_cases
from flowfabric_conformance.stage import refused
from flowfabric_conformance.wait_stage import DAY_MS, HOUR_MS

ROLES = ("viewer", "submitter", "approver", "worker", "operator", "admin")


def listed(engine: BlockingEngine, **which: Any) -> list[AccessTokenSnapshot]:
    return _tokens(engine.list_access_tokens(**which))


def _tokens(*pages: Page) -> list[AccessTokenSnapshot]:
    return [each for page in pages for each in page.items if isinstance(each, AccessTokenSnapshot)]


def logged_in(engine: BlockingEngine, token: NewAccessToken) -> Session:
    """The session that a token opens."""
    session = engine.log_in(token.secret)
    assert session is not None
    return session


def told(engine: BlockingEngine) -> list[tuple[str, str, dict[str, object]]]:
    """The events about tokens: their namespaces, types and details."""
    events = engine.read_events(limit=100).events
    return [(each.namespace, each.event_type, dict(each.details)) for each in events if "token" in each.details]


@rule_cases("role", ROLES)
def test_a_token_lets_its_holder_in(engine: BlockingEngine, clock: ManualClock, role: Any) -> None:
    made = engine.acting_as("root").create_access_token(role, namespace="shop", name="ann", expires_in_ms=90 * DAY_MS)

    who = engine.authenticate(made.secret)

    ends_at_ms = clock.now_ms + 90 * DAY_MS
    assert who == Principal("ann", role, "shop", made.token.token_id, False, "access", ends_at_ms)
    assert re.fullmatch(r"fft_[a-z2-7]{12}_[A-Za-z0-9_-]{43}", made.secret)
    today_ms = clock.now_ms - clock.now_ms % DAY_MS
    assert listed(engine) == [
        AccessTokenSnapshot(
            made.token.token_id,
            "access",
            role,
            "shop",
            "ann",
            True,
            clock.now_ms,
            "root",
            ends_at_ms,
            None,
            None,
            False,
            today_ms,
        )
    ]


def test_a_token_without_a_name_is_called_by_its_id(engine: BlockingEngine, clock: ManualClock) -> None:
    made = engine.create_access_token("viewer")

    who = engine.authenticate(made.secret)

    assert who is not None
    assert (who.name, who.namespace, who.expires_at_ms) == (made.token.token_id, None, None)


def test_what_is_no_token_lets_nobody_in(engine: BlockingEngine, clock: ManualClock) -> None:
    good = engine.create_access_token("admin").secret
    other = engine.create_access_token("admin").secret
    wrong: list[Any] = ["", None, 7, b"fft", good.encode(), "fft_", good[:-1], good + "A", good.upper(), f" {good}"]
    wrong += [good[:17] + other[17:], good.replace("fft_", "ffs_"), "fft_" + "a" * 12 + good[16:], "x" * 100_000]

    assert [engine.authenticate(each) for each in wrong] == [None] * len(wrong)
    for each in wrong:
        assert engine.log_in(each) is None
        engine.log_out(each)
    assert engine.authenticate(good) is not None


def test_a_token_is_good_until_its_end(engine: BlockingEngine, clock: ManualClock) -> None:
    short = engine.create_access_token("viewer", expires_in_ms=HOUR_MS)
    long = engine.create_access_token("viewer", expires_in_ms=HOUR_MS + 1)

    clock.advance(HOUR_MS)

    assert engine.authenticate(short.secret) is None
    assert engine.authenticate(long.secret) is not None
    assert {each.token_id: each.is_alive for each in listed(engine)} == {
        short.token.token_id: False,
        long.token.token_id: True,
    }


def test_a_revoked_token_is_worthless_at_once(engine: BlockingEngine, clock: ManualClock) -> None:
    made = engine.create_access_token("operator", namespace="shop", name="ann")
    assert engine.authenticate(made.secret) is not None

    answer = engine.acting_as("root").revoke_access_token(made.token.token_id, reason="she has left")

    assert answer == TokenRevoked(made.token.token_id)
    assert engine.authenticate(made.secret) is None
    assert engine.log_in(made.secret) is None
    (token,) = listed(engine)
    assert (token.is_alive, token.revoked_at_ms) == (False, clock.now_ms)
    clock.advance(HOUR_MS)
    assert isinstance(engine.revoke_access_token(made.token.token_id), AlreadySatisfied)
    assert listed(engine)[0].revoked_at_ms == clock.now_ms - HOUR_MS


def test_a_session_allows_what_its_token_allows(engine: BlockingEngine, clock: ManualClock) -> None:
    token = engine.create_access_token("approver", namespace="shop", name="ann", approves_own=True)

    session = logged_in(engine, token)

    ends_at_ms = clock.now_ms + 12 * HOUR_MS
    (stored,) = listed(engine, kind="session")
    who = Principal("ann", "approver", "shop", stored.token_id, True, "session", ends_at_ms)
    assert engine.authenticate(session.secret) == session.principal == who
    assert session.expires_at_ms == stored.expires_at_ms == ends_at_ms
    assert session.secret != token.secret
    assert (stored.parent_id, stored.created_by) == (token.token.token_id, "ann")
    assert {each.kind for each in listed(engine, kind=None)} == {"access", "session"}


def test_a_session_ends_after_twelve_hours_and_its_token_does_not(engine: BlockingEngine, clock: ManualClock) -> None:
    token = engine.create_access_token("viewer")
    session = logged_in(engine, token)

    clock.advance(12 * HOUR_MS)

    assert engine.authenticate(session.secret) is None
    assert engine.authenticate(token.secret) is not None


def test_a_session_is_not_good_for_longer_than_its_token(engine: BlockingEngine, clock: ManualClock) -> None:
    token = engine.create_access_token("viewer", expires_in_ms=HOUR_MS)

    assert logged_in(engine, token).expires_at_ms == clock.now_ms + HOUR_MS


def test_a_session_ends_with_its_token(engine: BlockingEngine, clock: ManualClock) -> None:
    token = engine.create_access_token("viewer")
    session = logged_in(engine, token)
    assert engine.authenticate(session.secret) is not None

    engine.revoke_access_token(token.token.token_id)

    assert engine.authenticate(session.secret) is None


def test_a_session_can_be_revoked_by_itself(engine: BlockingEngine, clock: ManualClock) -> None:
    token = engine.create_access_token("viewer")
    session, other = logged_in(engine, token), logged_in(engine, token)

    engine.revoke_access_token(session.principal.token_id)

    found = [engine.authenticate(each.secret) for each in (session, other, token)]
    assert [each is not None for each in found] == [False, True, True]


def test_logging_out_ends_the_session_alone(engine: BlockingEngine, clock: ManualClock) -> None:
    token = engine.create_access_token("viewer")
    session, other = logged_in(engine, token), logged_in(engine, token)

    for _ in range(2):
        engine.log_out(session.secret)

    found = [engine.authenticate(each.secret) for each in (session, other, token)]
    assert [each is not None for each in found] == [False, True, True]
    engine.log_out(token.secret)
    assert engine.authenticate(token.secret) is not None


def test_a_token_has_so_many_sessions_and_a_further_one_ends_the_oldest(
    engine: BlockingEngine, clock: ManualClock
) -> None:
    token, other = engine.create_access_token("viewer"), engine.create_access_token("viewer")
    sessions = [logged_in(engine, other)]
    for _ in range(SESSIONS_MAX + 2):
        clock.advance(1)
        sessions.append(logged_in(engine, token))

    is_good = [engine.authenticate(each.secret) is not None for each in sessions]

    assert is_good == [True, False, False, *[True] * SESSIONS_MAX]
    assert engine.authenticate(token.secret) is not None


def test_a_session_opens_no_other_session(engine: BlockingEngine, clock: ManualClock) -> None:
    session = logged_in(engine, engine.create_access_token("admin"))

    assert engine.log_in(session.secret) is None


def test_a_login_link_opens_one_session(engine: BlockingEngine, clock: ManualClock) -> None:
    link = engine.create_login_token()
    assert engine.authenticate(link.secret) is None

    session = logged_in(engine, link)

    who = engine.authenticate(session.secret)
    assert who is not None
    assert (who.name, who.role, who.namespace) == ("local", "admin", None)
    assert engine.log_in(link.secret) is None
    clock.advance(HOUR_MS)
    assert session.expires_at_ms == clock.now_ms + 11 * HOUR_MS


def test_a_login_link_is_good_for_ten_minutes(engine: BlockingEngine, clock: ManualClock) -> None:
    link = engine.create_login_token("viewer", namespace="shop", name="ann")

    clock.advance(600_000)

    assert engine.log_in(link.secret) is None


def test_whether_there_is_a_token_does_not_depend_on_its_life(engine: BlockingEngine, clock: ManualClock) -> None:
    assert engine.has_access_tokens() is False
    logged_in(engine, engine.create_login_token())
    assert engine.has_access_tokens() is False

    made = engine.create_access_token("viewer", namespace="shop", expires_in_ms=1)
    clock.advance(HOUR_MS)

    assert engine.has_access_tokens() is True
    assert engine.scoped("office").has_access_tokens() is True
    assert engine.authenticate(made.secret) is None


def test_a_namespace_administers_only_its_own_tokens(engine: BlockingEngine, clock: ManualClock) -> None:
    shop, office = engine.scoped("shop"), engine.scoped("office")
    everywhere = engine.create_access_token("admin", name="everywhere")
    foreign = office.create_access_token("admin", name="office")
    own = shop.create_access_token("admin", name="shop")
    with pytest.raises(InvalidInput):
        shop.create_access_token("admin", namespace="office")

    assert own.token.namespace == "shop"
    assert [each.name for each in listed(shop)] == ["shop"]
    with refused(engine, NotFound) as unknown:
        shop.revoke_access_token("a" * 12)
    for other in (everywhere, foreign):
        with refused(engine, NotFound) as hidden:
            shop.revoke_access_token(other.token.token_id)
        assert str(hidden.value).replace(other.token.token_id, "a" * 12) == str(unknown.value)
        assert engine.authenticate(other.secret) is not None
    assert shop.revoke_access_token(own.token.token_id) == TokenRevoked(own.token.token_id)


def test_a_confined_engine_lets_in_whom_its_namespace_concerns(engine: BlockingEngine, clock: ManualClock) -> None:
    shop = engine.scoped("shop")
    everywhere = engine.create_access_token("viewer", name="everywhere")
    own = engine.create_access_token("viewer", namespace="shop", name="own")
    foreign = engine.create_access_token("viewer", namespace="office", name="foreign")

    found = [shop.authenticate(each.secret) for each in (everywhere, own, foreign)]
    session = logged_in(shop, everywhere)

    assert [None if each is None else (each.name, each.namespace) for each in found] == [
        ("everywhere", "shop"),
        ("own", "shop"),
        None,
    ]
    assert session.principal.namespace == "shop"
    assert shop.log_in(foreign.secret) is None


def test_events_tell_who_did_what_to_which_token(engine: BlockingEngine, clock: ManualClock) -> None:
    root = engine.acting_as("root")
    token = root.create_access_token("operator", namespace="shop", name="ann")
    session = logged_in(engine, token)
    engine.log_out(session.secret)
    root.revoke_access_token(token.token.token_id, reason="she has left")
    link = engine.create_login_token()

    about = {"token": token.token.token_id, "name": "ann"}
    of_session = {"token": session.principal.token_id, "name": "ann"}
    assert told(engine) == [
        (
            "shop",
            "token_created",
            {**about, "kind": "access", "role": "operator", "expires_at_ms": None, "actor": "root"},
        ),
        (
            "shop",
            "logged_in",
            {**of_session, "with": token.token.token_id, "expires_at_ms": session.expires_at_ms},
        ),
        ("shop", "logged_out", of_session),
        (
            "shop",
            "token_revoked",
            {**about, "kind": "access", "role": "operator", "reason": "she has left", "actor": "root"},
        ),
        (
            "",
            "token_created",
            {
                "token": link.token.token_id,
                "name": "local",
                "kind": "login",
                "role": "admin",
                "expires_at_ms": clock.now_ms + 600_000,
            },
        ),
    ]
    assert [namespace for namespace, _, _ in told(engine.scoped("shop"))] == ["shop"] * 4


def test_a_secret_is_in_no_text_and_in_no_event(engine: BlockingEngine, clock: ManualClock) -> None:
    tokens = [engine.create_access_token("admin"), engine.create_login_token()]
    made: list[NewAccessToken | Session] = [*tokens, *(logged_in(engine, each) for each in tokens)]

    shown = repr([made, listed(engine, kind=None), told(engine), [engine.authenticate(each.secret) for each in made]])

    for each in made:
        assert each.secret not in shown
        assert each.secret[17:] not in shown


def test_tokens_are_listed_page_by_page_newest_first(engine: BlockingEngine, clock: ManualClock) -> None:
    names = []
    for number in range(5):
        names.append(f"ann-{number}")
        engine.create_access_token("viewer", name=names[-1], namespace="shop" if number % 2 else None)
        clock.advance(1)

    first = engine.list_access_tokens(limit=2)
    second = engine.list_access_tokens(limit=2, cursor=first.next_cursor)
    third = engine.list_access_tokens(limit=2, cursor=second.next_cursor)

    assert [each.name for each in _tokens(first, second, third)] == names[::-1]
    assert third.next_cursor is None
    assert [each.name for each in listed(engine, namespace="shop")] == ["ann-3", "ann-1"]


def test_tokens_of_one_instant_are_listed_once_each(engine: BlockingEngine, clock: ManualClock) -> None:
    made = {engine.create_access_token("viewer").token.token_id for _ in range(5)}

    found: list[str] = []
    cursor = None
    while len(found) < 10:
        page = engine.list_access_tokens(limit=2, cursor=cursor)
        found += [each.token_id for each in _tokens(page)]
        cursor = page.next_cursor
        if cursor is None:
            break

    assert sorted(found) == sorted(made)


def test_the_day_of_the_last_use_is_noted(engine: BlockingEngine, clock: ManualClock) -> None:
    made = engine.create_access_token("viewer")
    assert listed(engine)[0].used_day_ms is None

    clock.advance(3 * DAY_MS)
    engine.log_in(made.secret)

    assert listed(engine)[0].used_day_ms == clock.now_ms - clock.now_ms % DAY_MS


def test_a_dead_token_is_removed_after_thirty_days(engine: BlockingEngine, clock: ManualClock) -> None:
    expired = engine.create_access_token("viewer", name="expired", expires_in_ms=DAY_MS)
    revoked = engine.create_access_token("viewer", name="revoked")
    alive = engine.create_access_token("viewer", name="alive")
    session = logged_in(engine, alive)
    engine.revoke_access_token(revoked.token.token_id)

    clock.advance(30 * DAY_MS)
    assert engine.reconcile()["dead_tokens"] == 1
    left = {expired.token.token_id, alive.token.token_id, session.principal.token_id}
    assert {each.token_id for each in listed(engine, kind=None)} == left
    clock.advance(DAY_MS)
    assert engine.reconcile()["dead_tokens"] == 2

    assert [each.name for each in listed(engine, kind=None)] == ["alive"]
    assert engine.authenticate(alive.secret) is not None


def test_a_session_whose_token_is_gone_lets_nobody_in(engine: BlockingEngine, clock: ManualClock) -> None:
    token = engine.create_access_token("viewer")
    session = logged_in(engine, token)
    engine.revoke_access_token(token.token.token_id)
    clock.advance(30 * DAY_MS)
    engine.reconcile()

    assert listed(engine) == []
    assert engine.authenticate(session.secret) is None


def test_a_repeated_request_shows_no_secret_again(engine: BlockingEngine, clock: ManualClock) -> None:
    first = engine.create_access_token("viewer", name="ann", command_id="once")

    with refused(engine, Conflict) as refusal:
        engine.create_access_token("viewer", name="ann", command_id="once")

    assert first.token.token_id in str(refusal.value)
    assert len(listed(engine)) == 1
    with refused(engine, Conflict):
        engine.create_access_token("admin", name="ann", command_id="once")


def test_a_repeated_revocation_gets_the_first_answer(engine: BlockingEngine, clock: ManualClock) -> None:
    made = engine.create_access_token("viewer", name="ann")
    first = engine.revoke_access_token(made.token.token_id, command_id="once")
    clock.advance(1)

    again = engine.revoke_access_token(made.token.token_id, command_id="once")

    assert first == again == TokenRevoked(made.token.token_id)


def test_an_approver_does_not_approve_its_own_work(engine: BlockingEngine, clock: ManualClock) -> None:
    made = [
        engine.create_access_token("approver", name="ann"),
        engine.create_access_token("approver", name="ann", approves_own=True),
        engine.create_access_token("operator", name="ann"),
        engine.create_access_token("viewer", name="ann"),
    ]

    principals = [engine.authenticate(each.secret) for each in made]

    found = [(each.may_approve("ann"), each.may_approve("bob"), each.may_approve(None)) for each in principals if each]
    assert found == [(False, True, True), (True, True, True), (True, True, True), (False, False, False)]


REFUSED: list[tuple[str, Any]] = [
    ("role", lambda engine: engine.create_access_token("root")),
    ("role", lambda engine: engine.create_access_token(None)),
    ("namespace", lambda engine: engine.create_access_token("viewer", namespace="")),
    ("namespace", lambda engine: engine.create_access_token("viewer", namespace="x" * 129)),
    ("name", lambda engine: engine.create_access_token("viewer", name="")),
    ("name", lambda engine: engine.create_access_token("viewer", name="x" * 257)),
    ("name", lambda engine: engine.create_access_token("viewer", name="a\nb")),
    ("expires_in_ms", lambda engine: engine.create_access_token("viewer", expires_in_ms=0)),
    ("expires_in_ms", lambda engine: engine.create_access_token("viewer", expires_in_ms=1.5)),
    ("expires_in_ms", lambda engine: engine.create_access_token("viewer", expires_in_ms=2**53)),
    ("approves_own", lambda engine: engine.create_access_token("viewer", approves_own="yes")),
    ("role", lambda engine: engine.create_login_token("root")),
    ("kind", lambda engine: engine.list_access_tokens(kind="other")),
    ("limit", lambda engine: engine.list_access_tokens(limit=0)),
    ("cursor", lambda engine: engine.list_access_tokens(cursor="garbage")),
    ("token_id", lambda engine: engine.revoke_access_token("")),
    ("token_id", lambda engine: engine.revoke_access_token(7)),
    ("token_id", lambda engine: engine.revoke_access_token("A" * 12)),
    ("reason", lambda engine: engine.revoke_access_token("a" * 12, reason=7)),
    ("reason", lambda engine: engine.revoke_access_token("a" * 12, reason="x" * 5000)),
]


def test_what_cannot_be_a_token_is_refused(engine: BlockingEngine, clock: ManualClock) -> None:
    for what, call in REFUSED:
        with refused(engine, InvalidInput) as refusal:
            call(engine)

        assert what in str(refusal.value)
    assert listed(engine, kind=None) == []


def test_a_whole_token_is_no_id_and_is_not_shown(engine: BlockingEngine, clock: ManualClock) -> None:
    made = engine.create_access_token("viewer")

    with refused(engine, InvalidInput) as refusal:
        engine.revoke_access_token(made.secret)

    assert "Give only its id" in str(refusal.value)
    assert made.secret[17:] not in str(refusal.value)
