"""The messages between a worker and its child processes: a mark, a length, then MessagePack. Never pickle."""

import struct
from typing import Final, Literal

import msgspec

from flowfabric.domain import errors
from flowfabric.domain.budgets import StepCharge
from flowfabric.domain.creation import NewChild
from flowfabric.domain.errors import EngineError, Refused
from flowfabric.domain.outcomes import Reserved, SlotTaken, Spent, WaitOver, Waitpoint
from flowfabric.runtime.budget_desk import Reservation, Spend
from flowfabric.runtime.limit_desk import Slot
from flowfabric.runtime.running import Call, Ending
from flowfabric.runtime.steps import StoredStep
from flowfabric.runtime.wait_desk import NewWaitpoint, Wait

MARK: Final = b"\xc1"
"""The first byte of each message. Neither UTF-8 nor MessagePack has it, so foreign output on the line is noticed."""

LENGTH: Final = struct.Struct(">I")


class Run(msgspec.Struct, frozen=True, tag=True):
    """To the child: run this attempt."""

    module: str
    task: str
    call: Call
    speaks_every_ms: int = 5
    """How long what the attempt says is gathered before it is sent to the parent."""


class Cancel(msgspec.Struct, frozen=True, tag=True):
    """To the child: stop the attempt that you run, then end."""

    reason: str


class Speaker(msgspec.Struct, frozen=True):
    """Which process speaks, and about which attempt. The parent accepts only the process that it asked."""

    pid: int
    execution_id: str
    attempt_index: int
    fencing_token: int

    @classmethod
    def about(cls, call: Call, pid: int) -> "Speaker":
        """The process with this pid, which runs the call."""
        assignment = call.assignment
        return cls(pid, assignment.execution_id, assignment.attempt_index, assignment.fencing_token)


class LoadStep(msgspec.Struct, frozen=True, tag=True):
    """To the parent: what is stored for the step of this name?"""

    speaker: Speaker
    number: int
    name: str


class RecordStep(msgspec.Struct, frozen=True, tag=True):
    """To the parent: store this step."""

    speaker: Speaker
    number: int
    name: str
    fingerprint: bytes
    result: bytes
    tries: int = 1
    charge: StepCharge | None = None
    took_s: float | None = None


class AskBudget(msgspec.Struct, frozen=True, tag=True):
    """To the parent: charge this, or reserve this."""

    speaker: Speaker
    number: int
    spend: Spend | None = None
    reservation: Reservation | None = None


class AskSlot(msgspec.Struct, frozen=True, tag=True):
    """To the parent: take this slot of a limit, or give it back."""

    speaker: Speaker
    number: int
    slot: Slot
    gives: bool


class AskWait(msgspec.Struct, frozen=True, tag=True):
    """To the parent: open this wait, and suspend the execution if that is wanted."""

    speaker: Speaker
    number: int
    wait: Wait
    suspends: bool


class AskWaitpoint(msgspec.Struct, frozen=True, tag=True):
    """To the parent: make this waitpoint."""

    speaker: Speaker
    number: int
    waitpoint: NewWaitpoint


class AskChildren(msgspec.Struct, frozen=True, tag=True):
    """To the parent: make this group of children."""

    speaker: Speaker
    number: int
    name: str
    items: tuple[NewChild, ...]


class AskEnds(msgspec.Struct, frozen=True, tag=True):
    """To the parent: how have these children ended?"""

    speaker: Speaker
    number: int
    execution_ids: tuple[str, ...]


class Speak(msgspec.Struct, frozen=True, tag=True):
    """To the parent: the attempt has said this. The answer comes when there is room for more."""

    speaker: Speaker
    number: int
    frames: bytes
    """The frames, packed (`pack`)."""
    patches: tuple[bytes, ...] = ()
    """Patches of the summary, as JSON."""


class AskFlush(msgspec.Struct, frozen=True, tag=True):
    """To the parent: answer when everything that the attempt has said is stored."""

    speaker: Speaker
    number: int


class Progress(msgspec.Struct, frozen=True, tag=True):
    """To the parent: the attempt has come so far."""

    speaker: Speaker
    percent: int | None
    message: str | None


class Ended(msgspec.Struct, frozen=True, tag=True):
    """To the parent: this is how the attempt ended."""

    speaker: Speaker
    ending: Ending
    is_last: bool = False
    """The process must run no other attempt, because a step whose time is over still runs in it."""


class Refusal(msgspec.Struct, frozen=True, tag=True):
    """To the child: the error with which its question was refused."""

    kind: str
    message: str
    what: str = ""
    """The entity that was not found, or the dimension of which too little is left."""
    remaining: int = 0


class Answer(msgspec.Struct, frozen=True, tag=True):
    """To the child: the answer to the question with this number."""

    number: int
    step: StoredStep | None = None
    over: WaitOver | None = None
    word: Literal["suspended", "go on"] | None = None
    waitpoint: Waitpoint | None = None
    children: tuple[str, ...] = ()
    ends: bytes = b""
    """JSON, because results are JSON."""
    spent: Spent | None = None
    reserved: Reserved | None = None
    slot: SlotTaken | None = None
    must_pause: bool = False
    """The attempt is to stop at its next step, because a budget is exceeded."""
    refusal: Refusal | None = None


ToChild = Run | Cancel | Answer
Question = (
    LoadStep | RecordStep | AskBudget | AskSlot | AskWait | AskWaitpoint | AskChildren | AskEnds | Speak | AskFlush
)
ToParent = Question | Progress | Ended

_encoder: Final = msgspec.msgpack.Encoder()
to_child: Final = msgspec.msgpack.Decoder(ToChild)
to_parent: Final = msgspec.msgpack.Decoder(ToParent)


_BY_MESSAGE: Final = (
    errors.Conflict,
    errors.InvalidInput,
    errors.StoreUnavailable,
    errors.StaleLease,
    errors.WaitpointClosed,
)
"""Errors that a message is enough to make."""


def framed(message: ToChild | ToParent) -> bytes:
    """The message as bytes for the line."""
    data = _encoder.encode(message)
    return MARK + LENGTH.pack(len(data)) + data


def refusal_of(error: EngineError) -> Refusal:
    """An error as it is sent to the child."""
    what, remaining = "", 0
    if isinstance(error, errors.BudgetExceeded):
        what, remaining = error.dimension, error.remaining
    elif isinstance(error, errors.NotFound):
        what = error.entity
    return Refusal(type(error).__name__, str(error), what, remaining)


def error_in(refusal: Refusal) -> EngineError:
    """The error that a refusal carries, in its own class if the refusal is enough to make it."""
    if refusal.kind == errors.BudgetExceeded.__name__:
        return errors.BudgetExceeded(refusal.what, refusal.remaining, refusal.message)
    if refusal.kind == errors.NotFound.__name__:
        return errors.NotFound(refusal.what, refusal.message)
    kind = getattr(errors, refusal.kind, Refused)
    if kind not in _BY_MESSAGE:
        kind = Refused
    error: EngineError = kind(refusal.message)
    return error
