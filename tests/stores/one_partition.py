"""A kind of store as somebody else would write and register one: in memory, and its batches stay in one partition."""

from flowfabric.ports.store import Store
from flowfabric.stores.kinds import Opening, StoreKind
from flowfabric.stores.memory.store import MemoryStore


class OnePartitionKind(StoreKind):
    """Stores in memory that refuse a batch which changes records of two partitions."""

    examples = ("one-partition://",)
    is_shared = False

    def open(self, url: str, how: Opening) -> Store:
        return MemoryStore("one-partition", how.clock, batches_stay_in_one_partition=True)
