"""Those who answer with tokens, those who forge them, and the officer who rotates secrets."""

import random
from typing import TYPE_CHECKING

from flowfabric import InvalidToken, Refused
from flowfabric.domain import tokens
from flowfabric.domain.waiting import WAITPOINT_KEYS, SigningKey
from tests.simulation import work
from tests.simulation.ledger import FORGED, Letter
from tests.simulation.plan import actor
from tests.simulation.processes import Simulated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.simulation.world import World

HEARD_S = 1.5
"""After so long, every engine knows of a rotation that another one has made."""
GRACES_MS = (0, 0, 500, 60_000)


@actor(6)
async def answer(process: Simulated, chance: random.Random) -> str:
    """Somebody who gets a token and uses it, perhaps later, and perhaps more than once."""
    world = process.world
    asking = sorted(x.execution_id for x in world.executions() if x.kind == "confer" and not x.has_ended)
    if not asking:
        return "nobody asks"
    began_at, person = world.now, chance.choice(work.PERSONS)
    execution_id = chance.choice(asking)
    issued = await process.engine.issue_token(execution_id, work.BOARD, source=person)
    letter = Letter(issued.token, execution_id, person)
    world.ledger.letters.append(letter)
    if chance.random() < 0.3:
        return f"{execution_id} {person} keeps {tokens.kid_of(letter.token)}"
    try:
        return await _send(process, chance, letter)
    except InvalidToken:
        if _is_good(world, letter) and world.rotated_at + HEARD_S < began_at:
            world.fail(f"{execution_id}: a token was issued for {person}, and is refused")
        raise


@actor(12)
async def answer_again(process: Simulated, chance: random.Random) -> str:
    """Somebody who uses a token that was issued before: the execution may have ended, the secret may be outdated."""
    world = process.world
    if not world.ledger.letters:
        return "no letter"
    letter = chance.choice(world.ledger.letters[-8:])
    if _is_good(world, letter) or world.rotated_at + HEARD_S >= world.now:
        return await _send(process, chance, letter)
    return await _send_in_vain(process, letter.token, "outdated")


async def _send(process: Simulated, chance: random.Random, letter: Letter) -> str:
    """Send a decision by token, perhaps twice, and under another name than one's own."""
    ledger, number = process.world.ledger, chance.getrandbits(40)
    life, choice = ledger.life_of(letter.execution_id), chance.choice(("yes", "yes", "no"))
    for _ in range(chance.choice((1, 1, 2))):
        sent = await process.engine.signal_by_token(
            letter.token, b'{"note":"%d"}' % number, name=choice, source="me", idempotency_key=f"letter-{number}"
        )
        ledger.signed[sent.signal_id] = letter.person
        ledger.was_signalled(letter.execution_id, life, f"letter-{number}", sent.signal_id)
    return f"{letter.execution_id} {letter.person} {choice} {tokens.kid_of(letter.token)} {sent}"


def _is_good(world: "World", letter: Letter) -> bool:
    """Whether the store has the execution of a token, and the secret of the token is not outdated."""
    kid = tokens.kid_of(letter.token)
    is_valid = any(key.kid == kid and key.is_valid(world.now_ms) for key in _keys(world))
    return is_valid and world.epoch_of(letter.execution_id) is not None


def _keys(world: "World") -> "Sequence[SigningKey]":
    ring = world.store.key_ring(WAITPOINT_KEYS)
    return () if ring is None else ring.keys


@actor(4)
async def forge(process: Simulated, chance: random.Random) -> str:
    """Somebody who knows everything about a token but the secret. Nothing that such a person sends may arrive."""
    letters = process.world.ledger.letters
    if len(letters) < 2:
        return "no letter"
    letter, other = chance.sample(letters[-8:], 2)
    version, kid, ids, mac = letter.token.split(".")
    how = chance.choice(("secret", "kid", "ids", "mac"))
    if how == "secret":
        named = next(tokens.verify(letter.token, key, None) for key in _keys(process.world) if key.kid == kid)
        secret = b"a secret of somebody else, not ours"
        token = tokens.mint(
            SigningKey(kid, secret), "default", named.execution_id, named.waitpoint_id, named.life, letter.person
        )
    elif how == "kid":
        token = ".".join((version, chance.choice(("k1", "k2", "k99", f"k{chance.randint(3, 9)}")), ids, mac))
    else:
        _, _, ids_of_other, mac_of_other = other.token.split(".")
        token = ".".join((version, kid, *((ids_of_other, mac) if how == "ids" else (ids, mac_of_other))))
    if token in (each.token for each in letters):
        return "nothing to forge"
    return await _send_in_vain(process, token, how)


async def _send_in_vain(process: Simulated, token: str, why: str) -> str:
    """Send with a token that is wrong. Nobody may learn more than that, not even whether the execution has ended."""
    try:
        await process.engine.signal_by_token(token, b'{"note":"%s"}' % FORGED.encode(), name="yes")
    except InvalidToken:
        return f"{why} is refused"
    except Refused as error:
        process.world.fail(f"a token is wrong ({why}), and the answer is {error!r}")
        raise
    process.world.fail(f"a token is wrong ({why}), and is accepted")
    return "accepted"


@actor(4)
async def rotate_secret(process: Simulated, chance: random.Random) -> str:
    """The officer. Without a grace, all earlier tokens are void."""
    world = process.world
    before = {key.kid for key in _keys(world)}
    kid = chance.choice((None, None, f"by-hand-{chance.randint(1, 3)}"))
    grace_ms = chance.choice(GRACES_MS)
    rotated = await process.engine.rotate_waitpoint_secret(kid=kid, grace_ms=grace_ms)
    for key in _keys(world):
        if key.kid in before and key.is_valid(world.now_ms + grace_ms):
            world.fail(f"the secret {key.kid} outlives a rotation with a grace of {grace_ms} ms")
    return f"{rotated.kid} after {grace_ms} ms"
