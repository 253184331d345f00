"""The settings of a worker, with their defaults."""

from collections.abc import Sequence

import msgspec

from flowfabric.domain import inputs
from flowfabric.domain.errors import InvalidInput


class WorkerSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a worker works."""

    lanes: Sequence[str] = ("default",)
    namespace: str = "default"
    capabilities: Sequence[str] = ()
    concurrency: int = 16
    """How many attempts run at the same time, here and in child processes. With `processes` it is their number."""
    processes: int = 0
    """0: only tasks with isolation='process' run in child processes, at most one per slot, started when needed.
    Above 0: all tasks run in child processes, and this is their number."""
    lease_ttl_ms: int = 30_000
    poll_s: float = 1.0
    linger_s: float = 5.0
    """How long waits of async functions stay in memory before their execution is suspended. A task may say otherwise.
    0: they do not."""
    flush_s: float = 0.02
    """How long what an attempt says is gathered before it is stored, unless it is much."""
    grace_s: float = 30.0
    """How long running attempts have to finish when the worker stops, and a child to stop when its lease is lost."""
    worker_id: str = ""
    """The worker's name; by default the name of the machine."""

    def __post_init__(self) -> None:
        """Refuse settings with which the worker could not work."""
        inputs.lanes(self.lanes)
        inputs.name("namespace", self.namespace)
        inputs.capabilities("capabilities", self.capabilities)
        inputs.integer("concurrency", self.concurrency, 1, 10_000)
        inputs.integer("processes", self.processes, 0, 1_000)
        inputs.integer("lease_ttl_ms", self.lease_ttl_ms, 100, inputs.LEASE_TTL_MS_MAX)
        for field, value, low in (
            ("poll", self.poll_s, 0.01),
            ("grace", self.grace_s, 0.0),
            ("linger", self.linger_s, 0.0),
            ("flush", self.flush_s, 0.001),
        ):
            if not low <= value <= 86_400:
                raise InvalidInput(f"{field} is {value} s; it must be from {low:g} s to a day.")

    @property
    def slots(self) -> int:
        """How many attempts run at the same time."""
        return self.processes or self.concurrency
