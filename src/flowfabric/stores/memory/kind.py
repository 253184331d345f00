"""`memory://`: a store for one process, which forgets."""

import secrets

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.health.facts import Facts
from flowfabric.ports.clock import Clock
from flowfabric.ports.store import Store
from flowfabric.stores.kinds import Opening, StoreKind
from flowfabric.stores.memory.store import MemoryStore


class MemoryKind(StoreKind):
    """Stores in memory. Each opening makes a new one."""

    examples = ("memory://",)
    is_shared = False

    def open(self, url: str, how: Opening) -> Store:
        if url not in ("memory://", "memory:///"):
            raise InvalidInput("A store in memory has no name, and names no store of before. Write 'memory://'.")
        return MemoryStore(f"memory-{secrets.token_hex(6)}", how.clock)

    def examine(self, url: str, *, clock: Clock | None, machine: Clock | None) -> Facts:
        self.open(url, Opening()).close()  # raises if it names no store
        raise InvalidInput("What is in memory is only there for its own process. Name a database.")
