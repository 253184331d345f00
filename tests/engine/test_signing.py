"""Which keys an engine signs and verifies with, when it reads them, and what it never shows."""

import base64
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flowfabric import ManualClock
from flowfabric.app import open_store
from flowfabric.domain import tokens
from flowfabric.domain.commands import Envelope
from flowfabric.domain.errors import InvalidInput, InvalidToken, Refused
from flowfabric.domain.ids import make_execution_id
from flowfabric.domain.outcomes import SecretRotated, Waitpoint, WaitpointMade
from flowfabric.domain.waiting import KeyRing, SigningKey, waitpoint_id
from flowfabric.engine.shells import BlockingShell, run_now
from flowfabric.engine.signing import (
    FILE_VARIABLE,
    FRESH_S,
    KEYS_VARIABLE,
    UNKNOWN_S,
    WITHOUT_END_MS,
    KnownKeys,
    Signing,
    keys_in_environment,
)
from flowfabric.ports.store import Store
from tests.assembled import assembled
from tests.domain.token_mutations import mutations

DAY = 86_400_000
EXECUTION = make_execution_id(86, "0191f3a4-7c1e-7000-8000-0123456789ab")
S1, S2 = b"1" * 32, b"hush, nobody may ever see this one"


class Watched:
    """A store that counts how often its keys and its time are read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.reads = 0
        self.time_reads = 0

    def key_ring(self, name: str) -> KeyRing | None:
        self.reads += 1
        return self._store.key_ring(name)

    @property
    def now_ms(self) -> int:
        self.time_reads += 1
        return self._store.now_ms

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class Process:
    """What one process knows of the keys of a store that it shares with others."""

    def __init__(self, shell: BlockingShell, store: Store, configured: KeyRing | None = None) -> None:
        self.moment_s = 1000.0
        self.shell = shell
        self.store = Watched(store)
        self.keys = KnownKeys(configured, monotonic=lambda: self.moment_s)
        self.signing = Signing(self.keys, shell, self.store)

    def current_kid(self) -> str:
        return run_now(self.signing.current_kid())

    def mint(self, kid: str | None = None, *, subject: str = "", namespace: str = "default") -> str:
        return run_now(self.signing.mint(made(kid or self.current_kid(), subject, namespace)))

    def verify(self, token: object, scope: str | None = None) -> tokens.TokenIds:
        return run_now(self.signing.verify(token, scope))

    def rotate(self, kid: str | None = None, secret: bytes | None = None, grace_ms: int = 7 * DAY) -> SecretRotated:
        command = self.signing.rotation(kid, secret, grace_ms)
        answer = run_now(self.shell.execute(Envelope(command)))
        self.keys.forget()
        return answer

    def opens(self, token: object, scope: str | None = None) -> bool:
        try:
            return self.verify(token, scope).execution_id == EXECUTION
        except InvalidToken:
            return False


def made(kid: str, subject: str = "", namespace: str = "default") -> WaitpointMade:
    return WaitpointMade(waitpoint_id(EXECUTION, "editor", 0), "editor", EXECUTION, 0, kid, namespace, subject)


@pytest.fixture
def start(clock: ManualClock) -> Iterator[Callable[..., Process]]:
    """Starts processes on one store."""
    with assembled(open_store("memory://", clock=clock)) as parts:
        yield lambda configured=None: Process(BlockingShell(parts.commits), parts.store, configured)


@pytest.fixture
def process(start: Callable[..., Process]) -> Process:
    return start()


# ── the keys of the store ────────────────────────────────────────────────────────────────────────


def test_the_first_key_is_made_when_it_is_first_needed(process: Process):
    assert run_now(process.signing.kids()) == {}

    assert process.current_kid() == "k1"

    ring = process.store.key_ring("waitpoints")
    assert [key.kid for key in ring.keys] == ["k1"]
    assert len(ring.current.secret) == 32
    assert run_now(process.signing.kids()) == {"k1": None}


def test_a_stranger_makes_no_key(process: Process, start: Callable[..., Process]):
    token = start(a_ring("k1")).mint()

    assert not process.opens(token)
    assert process.store.key_ring("waitpoints") is None


def test_two_processes_that_need_the_first_key_at_once_use_the_same(start: Callable[..., Process]):
    one, other = start(), start()
    run_now(one.signing.kids())
    run_now(other.signing.kids())  # both have read that there is none

    assert one.current_kid() == other.current_kid() == "k1"
    assert len(one.store.key_ring("waitpoints").keys) == 1
    assert other.opens(one.mint())
    assert one.opens(other.mint())
    assert one.mint() == other.mint()


def test_keys_are_read_once_and_not_for_every_token(process: Process):
    token = process.mint()
    reads = process.store.reads

    for _ in range(1000):
        assert process.opens(token)
        assert not process.opens(token[:-1])
        assert process.mint() == token

    assert process.store.reads == reads
    assert process.store.time_reads == 0


def test_an_answer_to_a_caller_holds_the_token(process: Process):
    of_nobody, of_ann = made(process.current_kid()), made(process.current_kid(), "ann")

    found = run_now(process.signing.waitpoints([of_nobody, of_ann]))

    assert found == (
        Waitpoint(of_nobody.waitpoint_id, "editor", process.mint()),
        Waitpoint(of_ann.waitpoint_id, "editor", process.mint(subject="ann")),
    )
    assert process.verify(found[1].token).subject_among(["ann"]) == "ann"


def test_a_token_is_good_in_its_namespace_only(process: Process):
    token = process.mint(namespace="shop")

    assert process.opens(token, "shop")
    assert process.opens(token, None)
    assert not process.opens(token, "default")


# ── rotation ─────────────────────────────────────────────────────────────────────────────────────


def test_a_waitpoint_keeps_its_token_until_the_grace_of_its_kid_is_over(process: Process, clock: ManualClock):
    before = process.mint("k1")
    assert process.rotate(grace_ms=DAY) == SecretRotated("k2", "k1")

    assert process.current_kid() == "k2"
    assert process.mint("k1") == before
    clock.advance(DAY - 1)
    assert process.opens(before)
    assert process.mint("k1") == before
    clock.advance(1)
    assert not process.opens(before)
    assert process.mint("k1") == process.mint("k2") != before
    assert process.opens(process.mint("k1"))
    assert run_now(process.signing.kids()) == {"k2": None}


def test_kids_are_listed_with_the_end_of_their_grace(process: Process, clock: ManualClock):
    process.current_kid()
    process.rotate("spring", S2, grace_ms=DAY)

    assert run_now(process.signing.kids()) == {"k1": clock.now_ms + DAY, "spring": None}


def test_a_token_under_a_key_that_another_process_has_just_made_is_good_at_once(start: Callable[..., Process]):
    one, other = start(), start()
    assert other.opens(one.mint())
    one.rotate()

    assert other.opens(one.mint())
    assert other.mint("k2") == one.mint("k2")


def test_another_processes_rotation_is_known_soon(start: Callable[..., Process]):
    one, other = start(), start()
    leaked = one.mint()
    assert other.opens(leaked)
    one.rotate(grace_ms=0)

    assert not one.opens(leaked)
    other.moment_s += FRESH_S
    assert not other.opens(leaked)
    assert other.current_kid() == "k2"


def test_unknown_kids_do_not_make_the_engine_read_again_and_again(process: Process, start: Callable[..., Process]):
    foreign = [start(a_ring(f"x{number}")).mint() for number in range(20)]
    process.mint()
    reads = process.store.reads

    assert not any(process.opens(token) for token in foreign)
    assert process.store.reads == reads + 1
    process.moment_s += UNKNOWN_S
    assert not any(process.opens(token) for token in foreign)
    assert process.store.reads == reads + 2


def test_a_forged_token_of_a_former_key_costs_no_read(process: Process):
    former = process.mint()
    process.rotate()
    process.current_kid()
    reads = process.store.reads

    assert not process.opens(former[:-1] + ("A" if former[-1] != "A" else "E"))
    assert (process.store.reads, process.store.time_reads) == (reads, 0)


def test_of_many_callers_one_reads_the_keys_again_and_the_others_go_on(process: Process):
    process.current_kid()
    process.moment_s += FRESH_S

    found = [process.keys.fresh() for _ in range(5)]

    assert found[0] is None
    assert all(ring is not None and ring.current.kid == "k1" for ring in found[1:])


def test_a_read_that_began_before_a_rotation_does_not_bring_the_former_keys_back(process: Process):
    old, began_s = a_ring("k1"), process.moment_s
    process.keys.learn(old, began_s)
    process.moment_s += 0.01
    process.keys.forget()

    process.keys.learn(old, began_s)

    assert process.keys.fresh() is None


def test_no_mutation_of_a_real_token_is_verified_and_nothing_is_written_or_logged(
    process: Process, caplog: pytest.LogCaptureFixture
):
    real = [process.mint(subject=subject) for subject in ("", "ann")]
    process.rotate()
    real.append(process.mint())
    before = process.store.key_ring("waitpoints")

    with caplog.at_level(logging.DEBUG):
        assert not any(process.opens(token) for token in mutations(real, 500, seed=3))

    assert all(process.opens(token) for token in real)
    assert process.store.key_ring("waitpoints") == before
    assert caplog.records == []


# ── the keys of the environment ──────────────────────────────────────────────────────────────────


def a_ring(kid: str, secret: bytes = S2) -> KeyRing:
    return KeyRing("waitpoints", (SigningKey(kid, secret),))


def entry(kid: str, secret: bytes, until: str = "") -> str:
    return f"{kid}:{base64.b64encode(secret).decode()}{until}"


def test_keys_of_the_environment_take_precedence_and_nothing_secret_is_stored(start: Callable[..., Process]):
    configured = keys_in_environment({KEYS_VARIABLE: f"{entry('new', S2)},{entry('old', S1)}"})
    process = start(configured)

    assert process.current_kid() == "new"
    assert process.opens(process.mint("new"))
    assert process.opens(process.mint("old"))
    assert process.mint("old") != process.mint("new")
    assert process.mint("k1") == process.mint("new"), "a kid that the store had before"
    assert run_now(process.signing.kids()) == {"new": None, "old": WITHOUT_END_MS}
    assert process.store.reads == 0
    assert process.store.key_ring("waitpoints") is None


def test_tokens_of_the_store_are_not_good_if_the_environment_names_keys(start: Callable[..., Process]):
    token = start().mint()

    assert not start(a_ring("k1")).opens(token)
    assert not start(a_ring("k2")).opens(token)


def test_configured_keys_cannot_be_rotated_in_the_store(start: Callable[..., Process]):
    with pytest.raises(Refused, match=r"come from the environment .* Put a new key in front there"):
        start(a_ring("k1")).rotate()


def test_the_date_of_a_configured_key_is_its_last_day(start: Callable[..., Process], clock: ManualClock):
    last_day = "@2023-11-20"
    until_ms = 1_700_524_800_000  # 2023-11-21T00:00:00Z
    configured = keys_in_environment({KEYS_VARIABLE: f"{entry('new', S2)},{entry('old', S1, last_day)}"})
    process = start(configured)
    token = process.mint("old")

    clock.advance(until_ms - 1 - clock.now_ms)
    assert process.opens(token)
    clock.advance(1)
    assert not process.opens(token)
    assert process.mint("old") == process.mint("new")


@pytest.mark.parametrize("spelled", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("padding", ["", "="])
def test_a_secret_may_be_spelled_in_both_kinds_of_base64(spelled: Callable[[bytes], bytes], padding: str):
    secret = b"\xfb\xff\xfe" * 10 + b"\xff\xff"
    text = spelled(secret).decode().rstrip("=") + padding

    assert keys_in_environment({KEYS_VARIABLE: f"k1:{text}"}) == a_ring("k1", secret)


def test_a_file_may_hold_the_keys_line_by_line(tmp_path: Path):
    file = tmp_path / "keys"
    file.write_text(f"\n {entry('k2', S2)} \n{entry('k1', S1)},\n\n")

    ring = keys_in_environment({FILE_VARIABLE: str(file)})

    assert ring == KeyRing("waitpoints", (SigningKey("k1", S1, WITHOUT_END_MS), SigningKey("k2", S2)))


def test_without_a_variable_the_store_keeps_the_keys():
    assert keys_in_environment({}) is None
    assert keys_in_environment({KEYS_VARIABLE: "", FILE_VARIABLE: ""}) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (",", "names no key"),
        ("hush", "Entry 1 of FLOWFABRIC_SIGNING_KEYS has a secret of 0 bytes"),
        (f"HUSH:{entry('k1', S2)}", "Entry 1 .* has no kid of 1 to 16 letters"),
        (entry("k1", S2).removeprefix("k1:"), "Entry 1 .* has no kid"),
        (entry("k.1", S2), "has no kid"),
        (f"{entry('k1', S1)},k2:hush!", "Entry 2 .* has a secret that is not base64"),
        (f"k2:{'hush' * 6}x", "not base64"),
        (entry("k1", S2[:31]), "has a secret of 31 bytes"),
        (f"{entry('k1', S1)},{entry('k1', S2)}", "names a kid twice"),
        (entry("k1", S2, "@2026-12-31"), "has a date, but the first key signs"),
        (f"{entry('k2', S1)},{entry('k1', S2, '@soon')}", "Entry 2 .* has a date that is not like 2026-12-31"),
        (f"{entry('k2', S1)},{entry('k1', S2, '@')}", "has a date that is not like"),
        (f"{entry('k2', S1)},{entry('k1', S2, '@9999-12-31')}", "has a date that is not like"),
    ],
)
def test_a_wrong_list_of_keys_is_refused_and_no_message_shows_a_secret(text: str, why: str):
    with pytest.raises(InvalidInput, match=why) as refusal:
        keys_in_environment({KEYS_VARIABLE: text})

    shown = f"{refusal.value}"
    assert "hush" not in shown
    assert base64.b64encode(S2).decode()[:8] not in shown
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


def test_a_file_of_keys_that_cannot_be_read_is_named(tmp_path: Path):
    for path in (tmp_path / "missing", tmp_path):
        with pytest.raises(InvalidInput, match=f"The file {path}, which FLOWFABRIC_SIGNING_KEYS_FILE names, cannot be"):
            keys_in_environment({FILE_VARIABLE: str(path)})
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="it is no text"):
        keys_in_environment({FILE_VARIABLE: str(binary)})


def test_both_variables_at_once_are_refused(tmp_path: Path):
    with pytest.raises(InvalidInput, match=r"are both set\. Set one of them"):
        keys_in_environment({KEYS_VARIABLE: entry("k1", S1), FILE_VARIABLE: str(tmp_path)})


def test_no_text_of_the_known_keys_shows_a_secret(start: Callable[..., Process]):
    process = start(a_ring("k1"))
    process.keys.learn(a_ring("k1"), 0)

    for thing in (process.keys, process.keys.fresh(), process.keys.configured, process.signing):
        assert "hush" not in f"{thing!r}{thing!s}"
