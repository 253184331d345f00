"""What reads return about waiting: open waits and waitpoints as they were at one moment."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from flowfabric.domain.conditions import from_stored, keys_of
from flowfabric.domain.execution import Execution
from flowfabric.domain.waiting import OpenWait, StoredWaitpoint


class WaitSnapshot(msgspec.Struct, frozen=True):
    """One open wait as it was when it was read."""

    name: str
    keys: tuple[str, ...]
    """The keys of its waitpoints. A wait that only an operator or its timeout ends has none."""
    since_ms: int
    timeout_at_ms: int | None
    on_timeout: str
    reason: str


class WaitpointSnapshot(msgspec.Struct, frozen=True):
    """One waitpoint as it was when it was read. Its token is not shown."""

    waitpoint_id: str
    execution_id: str
    key: str
    state: Literal["open", "closed"]
    created_at_ms: int
    expires_at_ms: int | None
    closed_reason: str | None
    """`operator`, and the reason that the operator gave; `expired`; or `ended`, as its execution has. None: open."""
    waiting_signals: int
    """How many of its signals no wait has taken."""
    about: Mapping[str, object]
    """What is shown to people."""
    token_kid: str
    """The name of the key that signs its token."""
    token_fingerprint: str
    """It tells two tokens apart, and shows nothing of them. Empty: this process does not have the key."""
    alias: str | None = None
    """The business key under which it can be signalled."""


def wait_snapshot_of(wait: OpenWait) -> WaitSnapshot:
    """The public face of an open wait."""
    return WaitSnapshot(
        wait.name,
        keys_of(from_stored(wait.condition)),
        wait.since_ms,
        wait.timeout_at_ms,
        wait.on_timeout,
        wait.reason,
    )


def waitpoint_snapshot_of(
    waitpoint: StoredWaitpoint, x: Execution, now_ms: int, *, waiting_signals: int, kid: str, fingerprint: str
) -> WaitpointSnapshot:
    """The public face of a waitpoint. `kid` and `fingerprint` are those of its token."""
    closed_reason = why_closed(waitpoint, x, now_ms)
    return WaitpointSnapshot(
        waitpoint_id=waitpoint.waitpoint_id,
        execution_id=waitpoint.execution_id,
        key=waitpoint.key,
        state="open" if closed_reason is None else "closed",
        created_at_ms=waitpoint.created_at_ms,
        expires_at_ms=waitpoint.expires_at_ms,
        closed_reason=closed_reason,
        waiting_signals=waiting_signals,
        about={} if waitpoint.about is None else msgspec.json.decode(waitpoint.about, type=dict[str, object]),
        token_kid=kid,
        token_fingerprint=fingerprint,
        alias=waitpoint.alias,
    )


def why_closed(waitpoint: StoredWaitpoint, x: Execution, now_ms: int) -> str | None:
    """Why a waitpoint of this execution takes no signals. None: it is open."""
    if waitpoint.closed_reason is not None:
        reason = waitpoint.closed_reason
        return f"operator: {reason}" if reason else "operator"
    if waitpoint.expires_at_ms is not None and waitpoint.expires_at_ms <= now_ms:
        return "expired"
    return "ended" if x.has_ended else None
