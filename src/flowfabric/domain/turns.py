"""Whose turn it is to walk through all executions: one process at a time, because the walk costs the same for everyone.

A turn has an end, so that the turn of a process that has died passes on. It also says how far the walk has come, so
that the next process goes on from there.
"""

import msgspec

from flowfabric.domain.ids import ExecutionId


class Turn(msgspec.Struct, frozen=True):
    """Who walks, until when at the latest, and after which execution the walk goes on."""

    holder: str
    until_ms: int
    after: ExecutionId | None
    """None: from the beginning."""


def turn_after(kept: Turn | None, asked: Turn, now_ms: int) -> Turn:
    """The turn that holds once somebody has asked. Its holder may change it; anyone else gets it when it is over."""
    if kept is None or kept.holder == asked.holder:
        return asked
    if now_ms < kept.until_ms:
        return kept
    return Turn(asked.holder, asked.until_ms, kept.after)
