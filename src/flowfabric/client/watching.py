"""Leases that others may have ended: the server is asked again and again while some are held."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from flowfabric.client.line import Line
from flowfabric.domain.errors import EngineError
from flowfabric.domain.lease import Lease

log = logging.getLogger("flowfabric.client")

ASK_MS: Final = 1_000
"""How long one request waits. Leases that are claimed meanwhile are named in the next one."""
NONE_HELD_S: Final = 0.1
"""How soon it looks again whether leases are held."""
FAILED_S: Final = 1.0

AGAIN_S: Final = 5.0
"""After how long a lease is reported again: its attempt may need time to stop."""


@contextmanager
def watching(
    line: Line,
    wait_for_lost: Callable[[Sequence[Lease], int], Awaitable[Sequence[str]]],
    held: Callable[[], Sequence[Lease]],
    on_lost: Callable[[Sequence[str]], None],
) -> Iterator[None]:
    """While the block lasts, call `on_lost`, from the line's thread, with held executions whose lease may be over."""

    async def watch() -> None:
        told: dict[tuple[str, int], float] = {}
        named: set[tuple[str, int]] = set()
        """What the request before this one has named."""
        while True:
            now = time.monotonic()
            leases = [lease for lease in held() if told.get(_key(lease), -AGAIN_S) + AGAIN_S < now]
            told = {key: at for key, at in told.items() if at + AGAIN_S > now}
            if not leases:
                await asyncio.sleep(NONE_HELD_S)
                continue
            try:
                lost = await wait_for_lost(leases, ASK_MS)
            except EngineError as error:
                log.debug("the server cannot say which leases are over: %s", error, extra={"cause": str(error)})
                await asyncio.sleep(FAILED_S)
                continue
            told |= {_key(lease): time.monotonic() for lease in leases if lease.execution_id in lost}
            # A lease that ended before the server heard of it is reported by nobody. So a new one is looked at once.
            new = [lease.execution_id for lease in leases if _key(lease) not in named]
            named = {_key(lease) for lease in leases}
            if lost or new:
                on_lost([*lost, *new])

    work = line.begin(watch())
    try:
        yield
    finally:
        work.cancel()


def _key(lease: Lease) -> tuple[str, int]:
    return lease.execution_id, lease.lease_epoch
