"""Access tokens: how they are written, and what each command makes of each token."""

from typing import Any

import pytest
from msgspec.structs import replace

from flowfabric.domain import access
from flowfabric.domain.access import (
    DAY_MS,
    DEAD_TOKENS_KEPT_MS,
    LOGIN_MS,
    ROLES,
    SESSION_MS,
    AccessToken,
    LoggedIn,
    Principal,
    TokenKind,
    TokenMade,
    TokenRevoked,
    principal_of,
)
from flowfabric.domain.access_invariants import access_violations
from flowfabric.domain.batch_io import Changes, Loaded
from flowfabric.domain.commands import (
    AnyCommand,
    CreateAccessToken,
    Envelope,
    ForgetAccessToken,
    LogIn,
    LogOut,
    NoteTokenUse,
    RevokeAccessToken,
    request_fingerprint,
)
from flowfabric.domain.decide import apply_batch, needs
from flowfabric.domain.errors import Conflict, EngineError, InvalidToken, NotFound
from flowfabric.domain.outcomes import AlreadySatisfied, Outcome
from flowfabric.domain.working_set import WorkingSet
from tests.domain.records import NOW, STORE

ID, SESSION = "a" * 12, "b" * 12
HASH, OTHER = b"1" * 32, b"2" * 32
TODAY = NOW - NOW % DAY_MS
CHANCE = bytes(range(40))


def a_token(**fields: Any) -> AccessToken:
    return replace(AccessToken(ID, HASH, "access", "operator", "shop", "ann", NOW - DAY_MS, "root"), **fields)


class Books:
    """The tokens of a store, and commands to it. Invariants hold after each."""

    def __init__(self, *tokens: AccessToken) -> None:
        self.tokens = {token.token_id: token for token in tokens}
        self.events: list[tuple[str, str, dict[str, object]]] = []

    def send(
        self, *commands: AnyCommand, scope: str | None = None, actor: str | None = None, now_ms: int = NOW
    ) -> list[Outcome | EngineError]:
        batch = [Envelope(command, scope, actor=actor) for command in commands]
        wanted = needs(batch)
        loaded = Loaded(access_tokens={key: self.tokens[key] for key in wanted.access_tokens & self.tokens.keys()})
        ws = WorkingSet(loaded, wanted, now_ms=now_ms, store=STORE)
        answers = apply_batch(ws, batch)
        changes = ws.changes()
        assert list(access_violations(changes, now_ms)) == []
        for before, token in changes.access_tokens:
            if token is not None:
                self.tokens[token.token_id] = token
            elif before is not None:
                del self.tokens[before.token_id]
        self.events += [(each.namespace, each.event_type, dict(each.details)) for each in changes.events]
        return answers


# ── how a token is written ───────────────────────────────────────────────────────────────────────


def test_a_token_is_found_by_its_id_and_its_hash():
    made = access.minted(CHANCE)

    assert access.presented(made.text) == (made.token_id, made.secret_hash)
    assert made.text == "fft_aaaqeayeauda_CAkKCwwNDg8QERITFBUWFxgZGhscHR4fICEiIyQlJic"
    assert len(made.secret_hash) == 32


def test_no_other_spelling_of_a_token_is_the_same_token():
    text = access.minted(CHANCE).text
    spellings = {text[:at] + char + text[at + 1 :] for at in range(len(text)) for char in "Aa2_-=. \u00e9\n"}
    spellings |= {text[:-1], text + "A", text + "=", text + "\n", text.upper(), text.replace("_", "-"), ""}

    found = {access.presented(each) for each in spellings - {text}}

    assert access.presented(text) not in found
    assert access.presented(text.encode()) is None


def test_the_last_bits_of_a_token_are_not_free():
    text = access.minted(CHANCE).text

    same_bytes = [text[:-1] + char for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"]

    assert sum(access.presented(each) is not None for each in same_bytes) == 16


# ── create ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("kind", ["access", "login"])
def test_a_token_is_stored_as_it_was_asked_for(role: Any, kind: TokenKind):
    books = Books()

    answer = books.send(CreateAccessToken(ID, HASH, kind, role, "shop", "ann", LOGIN_MS, False), actor="root")

    assert answer == [TokenMade(ID, NOW, NOW + LOGIN_MS)]
    assert books.tokens == {ID: AccessToken(ID, HASH, kind, role, "shop", "ann", NOW, "root", NOW + LOGIN_MS)}


def test_an_id_that_is_taken_is_refused():
    books = Books(a_token())

    (refusal,) = books.send(CreateAccessToken(ID, OTHER, "access", "admin", None, None, None, False))

    assert isinstance(refusal, Conflict)
    assert books.tokens == {ID: a_token()}


def test_a_repeated_request_is_the_same_whatever_was_made_up_for_it():
    first = CreateAccessToken(ID, HASH, "access", "admin", None, None, None, False)

    assert request_fingerprint(first) == request_fingerprint(replace(first, token_id=SESSION, secret_hash=OTHER))
    assert request_fingerprint(first) != request_fingerprint(replace(first, role="viewer"))


# ── log in ───────────────────────────────────────────────────────────────────────────────────────

NO_SESSION = {
    "no token": [],
    "another secret": [a_token(secret_hash=OTHER)],
    "a session": [a_token(kind="session", expires_at_ms=NOW + 1)],
    "expired": [a_token(expires_at_ms=NOW)],
    "revoked": [a_token(revoked_at_ms=NOW)],
    "a link that was used": [a_token(kind="login", expires_at_ms=NOW + 1, revoked_at_ms=NOW - 1)],
    "another namespace": [a_token(namespace="office")],
}


@pytest.mark.parametrize("tokens", NO_SESSION.values(), ids=list(NO_SESSION))
def test_what_opens_no_session_changes_nothing(tokens: list[AccessToken]):
    books = Books(*tokens)

    (refusal,) = books.send(LogIn(ID, HASH, SESSION, OTHER), scope="shop")

    assert isinstance(refusal, InvalidToken)
    assert books.tokens == {each.token_id: each for each in tokens}
    assert books.events == []


@pytest.mark.parametrize(
    ("token", "ends_at_ms"),
    [
        (a_token(), NOW + SESSION_MS),
        (a_token(expires_at_ms=NOW + SESSION_MS + 1), NOW + SESSION_MS),
        (a_token(expires_at_ms=NOW + 7), NOW + 7),
        (a_token(kind="login", expires_at_ms=NOW + 7), NOW + SESSION_MS),
    ],
)
def test_a_session_ends_after_twelve_hours_or_with_its_token(token: AccessToken, ends_at_ms: int):
    books = Books(replace(token, created_at_ms=NOW - 1))

    (answer,) = books.send(LogIn(ID, HASH, SESSION, OTHER))

    who = Principal("ann", "operator", "shop", SESSION, False, "session", ends_at_ms)
    assert answer == LoggedIn(who, ends_at_ms)
    assert books.tokens[SESSION].parent_id == (None if token.kind == "login" else ID)


def test_two_log_ins_with_one_link_open_one_session():
    books = Books(a_token(kind="login", created_at_ms=NOW - 1, expires_at_ms=NOW + 7))

    first, second = books.send(LogIn(ID, HASH, SESSION, OTHER), LogIn(ID, HASH, "c" * 12, OTHER))

    assert isinstance(first, LoggedIn)
    assert isinstance(second, InvalidToken)
    assert set(books.tokens) == {ID, SESSION}
    assert books.tokens[ID].revoked_at_ms == NOW


# ── the end of a token ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("scope", "namespace", "is_found"),
    [
        (None, None, True),
        (None, "shop", True),
        ("shop", "shop", True),
        ("shop", "office", False),
        ("shop", None, False),
    ],
)
def test_a_namespace_revokes_only_its_own_tokens(scope: str | None, namespace: str | None, is_found: bool):
    books = Books(a_token(namespace=namespace))

    (answer,) = books.send(RevokeAccessToken(ID, "why"), scope=scope)

    assert answer == TokenRevoked(ID) if is_found else isinstance(answer, NotFound)
    assert books.tokens[ID].revoked_at_ms == (NOW if is_found else None)


def test_a_token_that_was_revoked_stays_as_it_is():
    books = Books(a_token(revoked_at_ms=NOW - 7))

    (answer,) = books.send(RevokeAccessToken(ID, "again"))

    assert isinstance(answer, AlreadySatisfied)
    assert books.tokens[ID].revoked_at_ms == NOW - 7
    assert books.events == []


@pytest.mark.parametrize(
    ("token", "is_ended"),
    [
        (a_token(kind="session", created_at_ms=NOW - 1, expires_at_ms=NOW + 1), True),
        (a_token(kind="session", created_at_ms=NOW - 1, expires_at_ms=NOW), False),
        (a_token(), False),
        (a_token(kind="login", created_at_ms=NOW - 1, expires_at_ms=NOW + 1), False),
    ],
)
def test_logging_out_ends_a_session_and_nothing_else(token: AccessToken, is_ended: bool):
    books = Books(token)

    assert books.send(LogOut(ID)) == [is_ended]

    assert (books.tokens[ID] != token) == is_ended
    assert len(books.events) == is_ended


@pytest.mark.parametrize(
    ("token", "is_removed"),
    [
        (a_token(), False),
        (a_token(expires_at_ms=NOW - DEAD_TOKENS_KEPT_MS + 1, created_at_ms=0), False),
        (a_token(expires_at_ms=NOW - DEAD_TOKENS_KEPT_MS, created_at_ms=0), True),
        (a_token(revoked_at_ms=NOW - DEAD_TOKENS_KEPT_MS, created_at_ms=0), True),
        (a_token(revoked_at_ms=NOW - DEAD_TOKENS_KEPT_MS, expires_at_ms=NOW + 1, created_at_ms=0), True),
    ],
)
def test_a_token_is_removed_thirty_days_after_its_end(token: AccessToken, is_removed: bool):
    books = Books(token)

    assert books.send(ForgetAccessToken(ID)) == [is_removed]

    assert (ID not in books.tokens) == is_removed


@pytest.mark.parametrize(("used_day_ms", "is_written"), [(None, True), (TODAY - DAY_MS, True), (TODAY, False)])
def test_a_day_is_noted_once(used_day_ms: int | None, is_written: bool):
    books = Books(a_token(used_day_ms=used_day_ms))

    assert books.send(NoteTokenUse(ID), NoteTokenUse(ID)) == [is_written, False]

    assert books.tokens[ID].used_day_ms == TODAY


def test_a_token_that_is_gone_is_neither_used_nor_removed():
    assert Books().send(NoteTokenUse(ID), LogOut(ID)) == [False, False]
    assert Books().send(ForgetAccessToken(ID)) == [False]


# ── who it is ────────────────────────────────────────────────────────────────────────────────────

PRESENTED = access.Presented(ID, HASH)
PARENT = a_token(token_id="c" * 12)
LATER = {"expires_at_ms": NOW + 1, "kind": "session", "parent_id": PARENT.token_id}


@pytest.mark.parametrize(
    ("token", "parent", "is_known"),
    [
        (None, None, False),
        (a_token(), None, True),
        (a_token(secret_hash=OTHER), None, False),
        (a_token(kind="login", expires_at_ms=NOW + 1), None, False),
        (a_token(expires_at_ms=NOW), None, False),
        (a_token(expires_at_ms=NOW + 1), None, True),
        (a_token(revoked_at_ms=NOW), None, False),
        (a_token(**LATER), PARENT, True),
        (a_token(**LATER), None, False),
        (a_token(**LATER), replace(PARENT, revoked_at_ms=NOW), False),
        (a_token(**LATER), replace(PARENT, expires_at_ms=NOW), False),
        (a_token(**{**LATER, "parent_id": None}), None, True),
    ],
)
def test_who_presents_a_token(token: AccessToken | None, parent: AccessToken | None, is_known: bool):
    assert (principal_of(token, parent, PRESENTED, None, NOW) is not None) == is_known


@pytest.mark.parametrize(
    ("namespace", "scope", "seen"),
    [(None, None, None), ("shop", None, "shop"), (None, "shop", "shop"), ("shop", "shop", "shop")],
)
def test_a_principal_is_confined_to_token_and_engine(namespace: str | None, scope: str | None, seen: str | None):
    who = principal_of(a_token(namespace=namespace), None, PRESENTED, scope, NOW)

    assert who is not None
    assert who.namespace == seen


def test_a_token_of_another_namespace_is_unknown():
    assert principal_of(a_token(namespace="office"), None, PRESENTED, "shop", NOW) is None


@pytest.mark.parametrize(
    ("role", "own", "others"),
    [
        ("viewer", False, False),
        ("submitter", False, False),
        ("approver", False, True),
        ("worker", False, False),
        ("operator", True, True),
        ("admin", True, True),
    ],
)
def test_who_may_approve_what(role: Any, own: bool, others: bool):
    who = Principal("ann", role)

    assert (who.may_approve("ann"), who.may_approve("bob"), who.may_approve(None)) == (own, others, others)
    assert replace(who, approves_own=True).may_approve("ann") == others


# ── invariants ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (None, a_token(secret_hash=b"short"), "hash of 5 bytes"),
        (None, a_token(expires_at_ms=NOW - DAY_MS), "expires before"),
        (None, a_token(revoked_at_ms=NOW + 1), "in the future"),
        (None, a_token(used_day_ms=TODAY + 1), "no day"),
        (None, a_token(kind="session"), "too long"),
        (None, a_token(kind="login", expires_at_ms=NOW + LOGIN_MS), "too long"),
        (None, a_token(parent_id=SESSION), "opened by another"),
        (a_token(), a_token(role="admin"), "another one"),
        (a_token(), a_token(secret_hash=OTHER), "another one"),
        (a_token(revoked_at_ms=NOW), a_token(), "its end has changed"),
        (a_token(used_day_ms=TODAY), a_token(used_day_ms=TODAY - DAY_MS), "before it was used"),
        (a_token(), None, "is removed"),
    ],
)
def test_a_batch_that_breaks_a_token_is_found(before: AccessToken | None, after: AccessToken | None, said: str):
    (found,) = access_violations(Changes(access_tokens=[(before, after)]), NOW)

    assert said in found
    assert repr(HASH) not in found
