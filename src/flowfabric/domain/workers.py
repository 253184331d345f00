"""Workers: what a worker reports about itself, and how long it counts as alive."""

from typing import Final

import msgspec

SILENT_MS: Final = 86_400_000
"""How long a worker that has died is still shown."""
BEAT_MS_MIN: Final = 5_000
"""A worker does not count as silent before this: a heartbeat may be a moment late, even where leases are short."""


class Worker(msgspec.Struct, frozen=True):
    """One worker process, as of its last heartbeat."""

    worker_instance_id: str
    worker_id: str
    namespace: str
    host: str
    pid: int
    lanes: tuple[str, ...]
    capabilities: tuple[str, ...]
    version: str
    started_at_ms: int
    seen_at_ms: int
    alive_until_ms: int
    """If no heartbeat comes by this instant, the worker counts as dead."""

    def is_alive(self, now_ms: int) -> bool:
        """Whether no heartbeat is missing. One comes every third of a lease, so after half a lease one is missing."""
        lease_ms = self.alive_until_ms - self.seen_at_ms
        return now_ms - self.seen_at_ms < min(max(lease_ms // 2, BEAT_MS_MIN), lease_ms)

    def is_silent(self, now_ms: int) -> bool:
        """Whether a heartbeat is missing, but the lease is not over: the worker is probably dead."""
        return not self.is_alive(now_ms) and now_ms < self.alive_until_ms

    def serves(self, namespace: str, lane: str, capabilities: tuple[str, ...]) -> bool:
        """Whether it may claim such an execution."""
        return self.namespace == namespace and lane in self.lanes and set(capabilities) <= set(self.capabilities)
