"""Parents and children in a memory store: what batches load, and what callers read."""

from bisect import insort
from collections.abc import Iterable
from itertools import islice

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.execution import Execution
from flowfabric.domain.ids import ExecutionId, partition_in, uuid_in
from flowfabric.domain.listing import ListPosition
from flowfabric.stores.memory.records import Records


class MemoryFamilies(Records):
    """The children of executions."""

    def children(
        self, parent_id: ExecutionId, after: ListPosition | None, limit: int, *, only_live: bool = False
    ) -> list[Execution]:
        with self._reading():
            found = (self._at(at) for at in self._children.get(parent_id, ()) if after is None or at > after)
            return list(islice((x for x in found if not (only_live and x.has_ended)), limit))

    def with_results(self, execution_ids: Iterable[ExecutionId]) -> list[tuple[Execution, bytes | None]]:
        with self._reading():
            found = [x for x in map(self._executions.get, sorted(execution_ids)) if x is not None]
            return [(x, self._results.get((x.execution_id, x.replay_count))) for x in found]

    def _load_live_children(self, needs: Needs, loaded: Loaded) -> None:
        for key, most in needs.live_children:
            found = sorted(map(self._at, self._children.get(key, ())), key=_id)
            live = [x for x in found if not x.has_ended][:most]
            if len(live) >= len(loaded.live_children.get(key, ())):
                loaded.live_children[key] = [x.execution_id for x in live]
            loaded.executions.update((x.execution_id, x) for x in live)

    def _add_child(self, x: Execution) -> None:
        if x.parent_id is not None:
            insort(self._children.setdefault(x.parent_id, []), _position(x))

    def _remove_child(self, x: Execution) -> None:
        if x.parent_id is not None:
            self._children[x.parent_id].remove(_position(x))


def _id(x: Execution) -> ExecutionId:
    return x.execution_id


def _position(x: Execution) -> ListPosition:
    return ListPosition(x.created_at_ms, uuid_in(x.execution_id), partition_in(x.execution_id))
