"""Approvals: a question to people, and their decisions.

A decision is a signal to the waitpoint of the question. Its **name** is the choice, because conditions see names and
no payloads; its source is the person; its payload is JSON, such as `{"choice": "yes", "note": "well written"}`. Build
it with `decision`, so that every sender builds it in the same way.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.conditions import AtLeast, Condition, Either, On
from flowfabric.domain.errors import InvalidInput, shown
from flowfabric.domain.outcomes import Signal, WaitOver
from flowfabric.domain.undecodable import UNDECODABLE
from flowfabric.domain.waiting import WaitCause

CHOICES: Final = ("yes", "no")
CHOICES_MAX: Final = 16
APPROVERS_MAX: Final = 100


class Approval(msgspec.Struct, frozen=True):
    """One decision of one person."""

    choice: str
    by: str
    """The source of the signal: who has decided. Empty: the sender did not say."""
    note: str = ""


class Question(msgspec.Struct, frozen=True):
    """What people are asked. The first choice approves; every other choice rejects."""

    key: str
    title: str
    choices: tuple[str, ...]
    approvers: int
    rejection_ends: bool

    def condition(self) -> Condition:
        """What ends the wait: enough people, or one rejection."""
        if not self.rejection_ends:
            return AtLeast(self.approvers, self.key, distinct="sources")
        approve, *reject = self.choices
        enough = AtLeast(self.approvers, self.key, name=approve, distinct="sources")
        return Either(enough, *(On(self.key, name=each) for each in reject)) if reject else enough

    def about(self, more: Mapping[str, object] | None) -> dict[str, object]:
        """What people are shown. Nobody checks who a sender of a decision is, and this says so."""
        return {
            **(more or {}),
            "title": self.title,
            "choices": list(self.choices),
            "approvers": self.approvers,
            "sources": "unverified",
        }


def question(key: str, title: str, choices: Sequence[str], approvers: int, *, rejection_ends: bool) -> Question:
    """A question, checked. Raises InvalidInput if nobody could answer it."""
    inputs.text("title", title, inputs.TAG_VALUE_BYTES_MAX)
    if isinstance(choices, (str, bytes)) or not isinstance(choices, Sequence):
        raise InvalidInput(f"choices is {shown(choices)}; it must be a sequence of texts, such as ('yes', 'no').")
    given = tuple(inputs.name("choices", each, inputs.KEY_CHARS_MAX) for each in choices)
    if not given or len(given) > CHOICES_MAX or len(set(given)) < len(given):
        raise InvalidInput(f"choices is {shown(choices)}; it must be 1 to {CHOICES_MAX} different texts.")
    inputs.integer("approvers", approvers, 1, APPROVERS_MAX)
    return Question(key, title, given, approvers, inputs.flag("rejection_ends", rejection_ends))


def decision(choice: str, note: str = "") -> tuple[str, dict[str, str]]:
    """The name and the value of the signal that carries a decision."""
    return choice, {"choice": choice, "note": note}


def approvals_in(over: WaitOver) -> list[Approval]:
    """The decisions that ended the wait, in the order of their arrival. Their payloads are decoded already."""
    return [Approval(_choice(each, over.cause), each.source, _field(each.payload, "note")) for each in over.signals]


def _choice(signal: Signal, cause: WaitCause) -> str:
    if cause == "operator":  # an operator who resumes the execution decides nothing, unless the payload says what
        return _field(signal.payload, "choice") or signal.name
    return signal.name or _field(signal.payload, "choice")


def _field(payload: bytes, field: str) -> str:
    """A text in the payload of a decision; empty if there is none. A plain text as payload is the choice."""
    try:
        value: Any = msgspec.json.decode(payload or b"null")
    except UNDECODABLE:
        return ""
    if isinstance(value, str) and field == "choice":
        return value
    found = value.get(field) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
