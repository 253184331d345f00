"""`memory://`: a store for one process. Its records are gone when the process ends."""

import secrets

from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.health.facts import Facts
from flowfabric.ports.clock import Clock
from flowfabric.ports.store import Store
from flowfabric.stores.kinds import Opening, StoreKind
from flowfabric.stores.memory.store import MemoryStore


class MemoryKind(StoreKind):
    """Stores in memory. Each `open` makes a new, empty store."""

    examples = ("memory://",)
    is_shared = False

    def open(self, url: str, how: Opening) -> Store:
        if url not in ("memory://", "memory:///"):
            raise InvalidInput("A store in memory has no name, and names no store of before. Write 'memory://'.")
        return MemoryStore(f"memory-{secrets.token_hex(6)}", how.clock)

    def examine(self, url: str, *, clock: Clock | None, machine: Clock | None) -> Facts:
        self.open(url, Opening()).close()  # raises if the url names no store
        raise InvalidInput("What is in memory is only there for its own process. Name a database.")
