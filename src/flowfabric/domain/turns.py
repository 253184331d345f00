"""Which process may walk through all executions: one at a time, because one walk is enough for all processes.

A turn has an end, so that another process can take over from one that has died. The turn also stores how far the walk
has come, so that the next process goes on from there.
"""

import msgspec

from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.known_types import known


@known
class Turn(msgspec.Struct, frozen=True):
    """Which process walks, until when at the latest, and after which execution the walk goes on."""

    holder: str
    until_ms: int
    after: ExecutionId | None
    """None: from the beginning."""


def turn_after(kept: Turn | None, asked: Turn, now_ms: int) -> Turn:
    """The turn after a process has asked for it. The holder may change its turn. Others get it when it is over."""
    if kept is None or kept.holder == asked.holder:
        return asked
    if now_ms < kept.until_ms:
        return kept
    return Turn(asked.holder, asked.until_ms, kept.after)
