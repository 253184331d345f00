"""How answers are kept: for a repeated command, and as the step of a wait that is over."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from flowfabric.domain.commands import Envelope, request_fingerprint
from flowfabric.domain.known_types import known
from flowfabric.domain.outcomes import (
    Answer,
    Appended,
    Claimed,
    Created,
    Dropped,
    Duplicate,
    LeaseLost,
    Outcome,
    Renewed,
    WaitOver,
)

ANSWER_TTL_MS: Final = 86_400_000
"""How long a repeated command id gets the answer of its first use."""


class RememberedAnswer(msgspec.Struct, frozen=True):
    """The answer to the first use of a command id. A repeated command gets it again and has no second effect."""

    scope: str
    command_id: str
    fingerprint: bytes
    answer: bytes
    expires_at_ms: int


def remembered(envelope: Envelope, outcome: Outcome, now_ms: int) -> RememberedAnswer:
    """What is kept of the first answer to a command that has an id."""
    assert envelope.command_id is not None
    return RememberedAnswer(
        envelope.scope or "",
        envelope.command_id,
        request_fingerprint(envelope.command),
        pack_outcome(outcome),
        now_ms + ANSWER_TTL_MS,
    )


class _Kept(msgspec.Struct, frozen=True):
    """An outcome in a form that decodes without guessing: a list, or a single answer, or nothing."""

    answers: Sequence[Answer]
    is_list: bool


class _Stored(msgspec.Struct, frozen=True):
    """The same, before each answer is decoded into its class."""

    answers: list[dict[str, Any]]
    is_list: bool


_DECODER: Final = msgspec.msgpack.Decoder(_Stored)
_FORMER_NAMES: Final = {"ClaimedUntil": "Claimed"}
"""What classes were called before: a kept answer has the name that its class had then."""


def pack_outcome(outcome: Outcome) -> bytes:
    """An outcome as bytes."""
    if isinstance(outcome, list):
        return msgspec.msgpack.encode(_Kept(outcome, is_list=True))
    assert not isinstance(outcome, bool), "upkeep is not repeated by command id"
    return msgspec.msgpack.encode(_Kept([] if outcome is None else [outcome], is_list=False))


def unpack_outcome(data: bytes) -> Outcome:
    """The outcome that was packed."""
    stored = _DECODER.decode(data)
    classes = {each.__name__: each for each in _subclasses(Answer)}
    answers = [msgspec.convert(each, classes[each["type"]]) for each in map(_renamed, stored.answers)]
    if not stored.is_list:
        return answers[0] if answers else None
    claimed = [answer for answer in answers if isinstance(answer, Claimed)]
    renewed = [answer for answer in answers if isinstance(answer, (Renewed, LeaseLost))]
    if any(isinstance(answer, Appended) for answer in answers):
        return [answer for answer in answers if isinstance(answer, (Appended, LeaseLost))]
    return claimed or renewed or [answer for answer in answers if isinstance(answer, (Created, Duplicate, Dropped))]


def _renamed(stored: dict[str, Any]) -> dict[str, Any]:
    name = stored["type"]
    return {**stored, "type": _FORMER_NAMES.get(name, name)}


def _subclasses(of: type[Answer]) -> Iterator[type[Answer]]:
    for each in of.__subclasses__():
        yield each
        yield from _subclasses(each)


for _each in _subclasses(Answer):
    known(_each)

_WAIT_OVER: Final = msgspec.msgpack.Decoder(WaitOver)


def pack_wait_over(over: WaitOver) -> bytes:
    """The end of a wait as the result of its step."""
    return msgspec.msgpack.encode(over)


def unpack_wait_over(result: bytes) -> WaitOver:
    """The end of a wait that was stored as a step."""
    return _WAIT_OVER.decode(result)
