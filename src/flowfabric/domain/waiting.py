"""The records of waiting: open waits, waitpoints, signals, and the keys that sign tokens.

What an execution waits for is part of its own record (`Inbox`), so its next due moment follows from the record alone,
and an end need not look for anything else: a waitpoint is open only while its execution lives. Waitpoints and signals
are rows of their own, because there may be many of them.
"""

from hashlib import blake2b, sha256
from typing import Any, Final, Literal, get_args

import msgspec

from flowfabric.domain.children import ChildGroup
from flowfabric.domain.ids import ExecutionId, uuid_from_hex
from flowfabric.domain.states import TerminalOutcome

OnTimeout = Literal["resume", "fail", "cancel", "expire", "escalate"]
"""What happens when the time of a wait is over. `escalate`: it goes on waiting, and an operator is asked."""
ON_TIMEOUT: Final[tuple[OnTimeout, ...]] = get_args(OnTimeout)
WaitCause = Literal["signal", "timeout", "operator", "children"]
"""What ended a wait."""
Effect = Literal["resumed", "counted", "buffered"]
"""What a signal did. `resumed`: it ended an open wait. `counted`: an open wait counts it, and needs more signals.
`buffered`: no open wait counts it, and it is kept for a later wait."""

WAIT_TIMEOUT: Final = "wait_timeout"
"""The failure code, or the reason of the cancel, if the time of a wait is over."""
FOR_APPROVAL: Final = "waiting_for_approval"
"""The reason of a wait for people who decide."""
SYSTEM_TIMEOUT: Final = "system_timeout"
"""The source of a cancel because the time of a wait is over."""
SIGNALS_MAX: Final = 10_000
"""How many signals one life of an execution takes at most."""
SUBJECTS_MAX: Final = 1_000
"""For how many persons tokens of one waitpoint are issued at most. All of them are in its row."""
WAITS_MAX: Final = 1_000
"""How many waits of one execution are open at once at most. All of them are in its record."""


class OpenWait(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A wait that is not over."""

    name: str
    condition: str
    """The condition in its stored form (`conditions.stored`). The same wait has the same text in every attempt."""
    since_ms: int
    timeout_at_ms: int | None = None
    """When its time is over. It is set once, and no later attempt moves it."""
    on_timeout: OnTimeout = "resume"
    reason: str = ""
    is_escalated: bool = False
    """Its time was over, and an operator was asked."""
    lease_epoch: int = 0
    """The lease under which a worker has last asked for it. No other worker waits to hear of its end."""


class SuspendedAttempt(msgspec.Struct, frozen=True, gc=False):
    """An attempt that was suspended at least once. When it ends, its row says who ran it last and when it began."""

    worker_id: str
    worker_instance_id: str
    started_at_ms: int


class Inbox(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What an execution waits for, and what has come for it. Most executions have none."""

    life: int = 0
    """The life of waitpoints that are made now. It grows when a replay clears some."""
    signals: int = 0
    """The number of its last signal."""
    waits: tuple[OpenWait, ...] = ()
    """The open waits, oldest first. They stay open when an attempt ends and another follows."""
    unanswered: tuple[str, ...] = ()
    """Waits for which the present worker has asked, and which have ended since. The worker does not know this yet."""
    attempt: SuspendedAttempt | None = None
    """The present attempt, if it was suspended before. It may be running again."""
    held: bool = False
    """An operator has put it on hold while it was suspended, so it does not run when it is resumed."""
    children: int = 0
    """How many children it has made in this life."""
    groups: tuple[ChildGroup, ...] = ()
    """The groups of its children. If there are many, those whose children have all succeeded are missing."""


EMPTY_INBOX: Final = Inbox()


class StoredWaitpoint(msgspec.Struct, frozen=True, gc=False):
    """An inbox of one execution, known by its key. It is open while the execution lives, unless it was closed."""

    execution_id: ExecutionId
    key: str
    life: int
    waitpoint_id: str
    created_at_ms: int
    token_kid: str
    """The key that signs its token."""
    expires_at_ms: int | None = None
    about: str | None = None
    """JSON that is shown to people."""
    alias: str | None = None
    closed_reason: str | None = None
    """Why an operator has closed it. None: nobody has."""
    subjects: tuple[str, ...] = ()
    """The persons for whom tokens of their own were issued."""


class StoredSignal(msgspec.Struct, frozen=True, gc=False):
    """A message to a waitpoint. It is kept until a wait takes it, and is listed for as long as the execution exists."""

    execution_id: ExecutionId
    number: int
    """Its place in the order of arrival at this execution."""
    signal_id: str
    waitpoint_id: str
    key: str
    name: str
    source: str
    claimed_source: str
    delivered_at_ms: int
    payload: bytes
    taken_by: str | None = None
    """The name of the wait that has taken it."""


def waitpoint_id(execution_id: ExecutionId, key: str, life: int) -> str:
    """The id of a waitpoint, a uuid. It follows from these three, so every attempt gets the same."""
    return _derived_uuid("waitpoint", execution_id, str(life), key)


def signal_id(execution_id: ExecutionId, life: int, number: int) -> str:
    """The id of a signal, a uuid. It follows from these three."""
    return _derived_uuid("signal", execution_id, str(life), str(number))


def _derived_uuid(*parts: str) -> str:
    # Only the last part may hold a NUL, so different parts never make the same text.
    digits = sha256("\0".join(parts).encode()).hexdigest()
    # Version 8 is the version of uuids that a program derives in its own way.
    return uuid_from_hex(f"{digits[:12]}8{digits[13:16]}{8 | int(digits[16], 16) & 3:x}{digits[17:32]}")


class SignalMark(msgspec.Struct, frozen=True, gc=False):
    """What a condition sees of a signal."""

    number: int
    key: str
    name: str
    source: str


class SignalKey(msgspec.Struct, frozen=True, gc=False):
    """The promise that an idempotency key means one signal, as long as this life of the execution lasts."""

    execution_id: ExecutionId
    key: str
    idempotency_key: str
    fingerprint: bytes
    signal_id: str
    namespace: str
    alias: str | None
    """The alias to which the signal was sent. A repeated signal finds it here when the alias is free again."""


class Alias(msgspec.Struct, frozen=True, gc=False):
    """A business key of a waitpoint. The next waitpoint may take it over when the execution has ended."""

    namespace: str
    alias: str
    execution_id: ExecutionId
    key: str
    holder_outcome: TerminalOutcome = "none"
    """How the execution has ended, as of the moment when this was loaded. It is not stored here."""


def is_good_until(valid_until_ms: int | None, now_ms: int) -> bool:
    """Whether tokens of a key with this end are good now. The current key has no end."""
    return valid_until_ms is None or now_ms < valid_until_ms


class SigningKey(msgspec.Struct, frozen=True, gc=False):
    """A secret that signs tokens, and its name."""

    kid: str
    secret: bytes
    valid_until_ms: int | None = None
    """None: it is the current one. Otherwise tokens that it has signed are good until this instant."""

    @property
    def is_current(self) -> bool:
        """Whether new tokens are signed with it."""
        return self.valid_until_ms is None

    def is_valid(self, now_ms: int) -> bool:
        """Whether its tokens are good."""
        return is_good_until(self.valid_until_ms, now_ms)

    def __repr__(self) -> str:
        return f"SigningKey(kid={self.kid!r}, valid_until_ms={self.valid_until_ms!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """The same for tracebacks that show values."""
        return [("kid", self.kid), ("valid_until_ms", self.valid_until_ms)]


class KeyRing(msgspec.Struct, frozen=True, gc=False):
    """All keys that the store keeps, in the order in which they were made. The last one is the current one."""

    name: str
    keys: tuple[SigningKey, ...] = ()

    @property
    def current(self) -> SigningKey:
        """The key that signs. There must be one."""
        return self.keys[-1]

    def key(self, kid: str) -> SigningKey | None:
        """The key of this kid, valid or not."""
        return next((key for key in self.keys if key.kid == kid), None)


WAITPOINT_KEYS: Final = "waitpoints"
"""The name of the key ring that signs tokens of waitpoints."""


def wait_fingerprint(condition: str) -> bytes:
    """The fingerprint of the step that a wait for this stored condition becomes. No other step has it."""
    return blake2b(b"wait\0" + condition.encode(), digest_size=16).digest()


def signal_fingerprint(name: str, payload: bytes) -> bytes:
    """What makes two signals with one idempotency key the same signal."""
    return blake2b(name.encode() + b"\0" + payload, digest_size=16).digest()
