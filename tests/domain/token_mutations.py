"""Wrong tokens that look like right ones: mutations of real tokens, as a forger or a mail program would make them."""

import hmac
import random
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
ODD = "=+/.%&?# \t\n\r\0~\u200b\u0430\uff21\u00e9\U0001f511:,;'\""


def mutations(real: Sequence[str], number: int, seed: int) -> Iterator[str]:
    """So many wrong tokens. None of them is one of the real tokens."""
    chance = random.Random(seed)
    genuine = frozenset(real)
    made = 0
    while made < number:
        token = chance.choice(real)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            token = chance.choice(_MUTATIONS)(token, real, chance)
        if token not in genuine:
            made += 1
            yield token


def _replaced(token: str, real: Sequence[str], chance: random.Random) -> str:
    at = chance.randrange(len(token) + 1)
    return token[:at] + chance.choice(ALPHABET) + token[at + 1 :]


def _odd(token: str, real: Sequence[str], chance: random.Random) -> str:
    at = chance.randrange(len(token) + 1)
    return token[:at] + chance.choice(ODD) + token[at + chance.randint(0, 1) :]


def _inserted(token: str, real: Sequence[str], chance: random.Random) -> str:
    at = chance.randrange(len(token) + 1)
    return token[:at] + chance.choice(ALPHABET) + token[at:]


def _removed(token: str, real: Sequence[str], chance: random.Random) -> str:
    at = chance.randrange(len(token) + 1)
    return token[:at] + token[at + chance.randint(1, 3) :]


def _swapped(token: str, real: Sequence[str], chance: random.Random) -> str:
    at = chance.randrange(len(token) + 1)
    return token[:at] + token[at + 1 : at + 2] + token[at : at + 1] + token[at + 2 :]


def _cut(token: str, real: Sequence[str], chance: random.Random) -> str:
    return token[: chance.randrange(len(token) + 1)]


def _other_case(token: str, real: Sequence[str], chance: random.Random) -> str:
    at = chance.randrange(len(token) + 1)
    return token[:at] + token[at:].swapcase()


def _crossed(token: str, real: Sequence[str], chance: random.Random) -> str:
    """Parts of several real tokens: the mac of one over the ids of another."""
    parts, others = token.split("."), chance.choice(real).split(".")
    at = chance.randrange(4)
    return ".".join([*parts[:at], others[at], *parts[at + 1 :]])


def _spelled_otherwise(token: str, real: Sequence[str], chance: random.Random) -> str:
    """The same bytes in other spellings of base64."""
    head, _, tail = token.rpartition(".")
    if not tail:
        return token + "="
    spare = ALPHABET[(_value(tail[-1]) & ~3) + chance.randint(0, 3)]
    return chance.choice(
        [
            token + "=",
            token + "==",
            token.replace("-", "+").replace("_", "/") + chance.choice(("", "=")),
            f"{head}.{tail[:-1]}{spare}",
            token.replace(".", "%2E"),
            f" {token}",
            f"{token}\n",
        ]
    )


def _bit_flipped(token: str, real: Sequence[str], chance: random.Random) -> str:
    """One bit of ids or mac is another, and the text is well-formed."""
    parts = token.split(".")
    at = chance.choice((2, 3))
    data = bytearray(_decoded(parts[at])) if len(parts) == 4 else bytearray()
    if not data:
        return token
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return ".".join([*parts[:at], _encoded(data), *parts[at + 1 :]])


def _signed_by_another(token: str, real: Sequence[str], chance: random.Random) -> str:
    """A mac over the same ids, by somebody who guesses the secret or the text that is signed."""
    version, _, rest = token.partition(".")
    kid, _, rest = rest.partition(".")
    secret = chance.choice((b"", bytes(32), b"secret", kid.encode(), chance.randbytes(32)))
    ids = _decoded(rest.partition(".")[0])
    message = chance.choice((ids, kid.encode() + b"\0" + ids, token.encode()))
    return f"{version}.{kid}.{_encoded(ids)}.{_encoded(hmac.digest(secret, message, 'sha256'))}"


def _value(character: str) -> int:
    return max(0, ALPHABET.find(character))


def _decoded(text: str) -> bytes:
    text = "".join(character for character in text if character in ALPHABET)
    return urlsafe_b64decode(text[: len(text) // 4 * 4])


def _encoded(data: bytes | bytearray) -> str:
    return urlsafe_b64encode(bytes(data)).rstrip(b"=").decode()


_MUTATIONS: Sequence[Callable[[str, Sequence[str], random.Random], str]] = (
    _replaced,
    _odd,
    _inserted,
    _removed,
    _swapped,
    _cut,
    _other_case,
    _crossed,
    _spelled_otherwise,
    _bit_flipped,
    _signed_by_another,
)
