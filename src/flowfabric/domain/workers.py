"""Who runs executions: what a worker says of itself, and until when that may be believed."""

from typing import Final

import msgspec

SILENT_MS: Final = 86_400_000
"""How long a worker that has died is still shown."""


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
    """Not heard of by then, it is taken for dead."""

    def serves(self, namespace: str, lane: str, capabilities: tuple[str, ...]) -> bool:
        """Whether it may claim such an execution."""
        return self.namespace == namespace and lane in self.lanes and set(capabilities) <= set(self.capabilities)
