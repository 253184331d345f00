"""Random stories of access tokens: every store ends them as the reference store does."""

import random
from pathlib import Path
from typing import Any

import pytest

from flowfabric import BlockingEngine, EngineError, ManualClock
from flowfabric.app import open_store
from flowfabric.domain.access import ROLES, AccessToken
from flowfabric.domain.commands import (
    AnyCommand,
    CreateAccessToken,
    Envelope,
    ForgetAccessToken,
    LogIn,
    LogOut,
    NoteTokenUse,
    RevokeAccessToken,
)
from flowfabric.domain.invariants import violations
from tests.assembled import assembled
from tests.faulty_store import FaultyStore
from tests.stores_under_test import STORES

IDS = [letter * 12 for letter in "abcdefgh"]
HASHES = [bytes([number]) * 32 for number in range(3)]
NAMESPACES = (None, "shop", "office")
JUMPS_MS = (0, 0, 1, 600_000, 12 * 3_600_000, 86_400_000, 30 * 86_400_000)


def a_command(chance: random.Random) -> Envelope:
    token_id, other = chance.choice(IDS), chance.choice(IDS)
    secret = chance.choice(HASHES)
    scope = chance.choice((None, None, *NAMESPACES))
    commands: list[AnyCommand] = [
        *[_a_creation(chance, token_id, secret, scope)] * 3,
        *[LogIn(token_id, secret, other, chance.choice(HASHES))] * 4,
        LogOut(token_id),
        RevokeAccessToken(token_id, chance.choice(("", "ü {left}"))),
        NoteTokenUse(token_id),
        *[ForgetAccessToken(token_id)] * 2,
    ]
    return Envelope(chance.choice(commands), scope, actor=chance.choice((None, "root")))


def _a_creation(chance: random.Random, token_id: str, secret: bytes, scope: str | None) -> CreateAccessToken:
    kind: Any = chance.choice(("access", "access", "login"))
    lifetime_ms = 600_000 if kind == "login" else chance.choice((None, 1, 3_600_000, 90 * 86_400_000))
    namespace = chance.choice(NAMESPACES) if scope is None else scope
    name = chance.choice((None, "ann", "bob"))
    return CreateAccessToken(
        token_id, secret, kind, chance.choice(ROLES), namespace, name, lifetime_ms, chance.random() < 0.2
    )


def told(url: str, seed: int) -> list[object]:
    """What the commands of a story were answered, in batches, and what the store holds in the end."""
    chance, clock = random.Random(seed), ManualClock()
    said: list[object] = []
    store = FaultyStore(open_store(url, clock=clock, migrate=True))
    store.committers = 1  # with two, the order of commands about different tokens is not fixed
    try:
        with assembled(store) as parts:
            for _ in range(40):
                batch = [a_command(chance) for _ in range(chance.randint(1, 6))]
                answers = parts.commits.execute_all(batch)
                said += [repr(each) if isinstance(each, EngineError) else each for each in answers]
                for changes in store.committed:
                    said += violations(changes, clock.now_ms)
                store.committed.clear()
                clock.advance(chance.choice(JUMPS_MS))
            said.append(parts.engine.reconcile()["dead_tokens"])
            said += [store.access_token(key) for key in IDS]
            said += [_listed(store, chance) for _ in range(5)]
            said.append(_events(parts.engine))
    finally:
        store.close()
    return said


def _listed(store: FaultyStore, chance: random.Random) -> list[AccessToken]:
    kind: Any = chance.choice((None, "access", "session", "login"))
    namespace, after = chance.choice(NAMESPACES), chance.choice((None, (ManualClock().now_ms + 86_400_000, "d" * 12)))
    return store.access_tokens(namespace, kind, after, chance.choice((1, 3, 100)))


def _events(engine: BlockingEngine) -> list[tuple[str, str, dict[str, object]]]:
    return [(each.namespace, each.event_type, dict(each.details)) for each in engine.read_events(limit=1000).events]


@pytest.mark.parametrize("name", [name for name in STORES if name != "memory"])
def test_a_story_of_tokens_ends_the_same_on_every_store(name: str, tmp_path: Path) -> None:
    seed = 1
    with STORES["memory"].empty(tmp_path) as url:
        expected = told(url, seed)

    with STORES[name].empty(tmp_path) as url:
        assert told(url, seed) == expected
