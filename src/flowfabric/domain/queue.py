"""The queue as a batch sees it: the candidates from the store, and those that the batch itself has made ready."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

from flowfabric.domain.batch_io import ClaimNeed, Loaded, Needs
from flowfabric.domain.execution import Execution, Ready, queue_order, ready_of
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.tables import MoreNeeded, NotLoaded, Table

Passes = Callable[[Execution], Execution | None]
PARKED_MAX: Final = 100
"""How many executions one claim parks before it gives up, or twice as many as it may take."""


class Queue:
    """Candidates of claims, in queue order."""

    def __init__(
        self,
        executions: Table[ExecutionId, Execution],
        puts: Sequence[Execution],
        loaded: Loaded,
        needs: Needs,
        missing: Needs,
    ) -> None:
        """`puts`: all executions that the batch changes, in the order of the changes."""
        self._executions = executions
        self._loaded = loaded
        self._needs = needs
        self._missing = missing
        self._newly_ready: list[Ready] = []
        self._taken: dict[ClaimNeed, int] = {}
        self.stale: list[Ready] = []
        """Rows of the queue that no record justifies."""
        self.cut_short: set[tuple[str, str]] = set()
        """Lanes in which a claim has parked so many that it gave up. There may be more to claim."""
        self._puts = puts
        self._puts_read = 0

    def lanes_with_news(self) -> set[tuple[str, str]]:
        """The lanes (with namespaces) in which this batch has made an execution ready that is still there."""
        return {(ready.namespace, ready.lane) for ready in self._still_newly_ready()}

    def candidates(self, need: ClaimNeed) -> list[Execution]:
        """The executions with gates that such a claim may look at."""
        found = (ready.execution_id for ready in self._loaded.candidates.get(need, ()) if ready.is_gated)
        gated = [x for x in map(self._executions.known, found) if x is not None]
        fresh = (ready.execution_id for ready in self._still_newly_ready() if ready.is_gated and need.admits(ready))
        return gated + [x for x in map(self._executions.known, fresh) if x is not None]

    def claimable(self, need: ClaimNeed, limit: int, passes: Passes) -> list[Execution]:
        """The next executions that such a claim may take, in queue order, after the earlier commands of the batch.

        `passes` lets an execution with gates through, or parks it.
        """
        chosen: list[Execution] = []
        parked = 0
        open_lanes = need.open_lanes(self._loaded.lanes)
        fresh = self._fresh(need, open_lanes)
        stored = self._stored(need, open_lanes)
        entry = next(stored, None)
        while len(chosen) < limit and (entry is not None or fresh):
            if fresh and (entry is None or queue_order(fresh[-1]) < queue_order(entry)):
                ready = fresh.pop()
            else:
                assert entry is not None
                ready = entry
                entry = next(stored, None)
            x = self._executions.get(ready.execution_id)
            assert x is not None
            if x.gates is not None:
                passed = passes(x)
                if passed is None:
                    parked += 1
                    if parked >= max(PARKED_MAX, 2 * limit):
                        self.cut_short.update((need.namespace, lane) for lane in open_lanes)
                        break
                    continue
                x = passed
            chosen.append(x)
        if entry is not None:
            self._taken[need] -= 1  # read, but not taken
        elif len(chosen) < limit:
            self._ask_for_more(need)
        return chosen

    def _ask_for_more(self, need: ClaimNeed) -> None:
        """Ask for more candidates, if earlier commands of the batch have taken so many that the loaded ones ran out."""
        asked = self._needs.claims.get(need, 0)
        if 0 < asked <= len(self._loaded.candidates[need]):
            self._missing.claims[need] = asked * 2
            raise MoreNeeded

    def _fresh(self, need: ClaimNeed, open_lanes: Collection[str]) -> list[Ready]:
        """The executions that became ready in this batch and still are. The one to run first is last in the list."""
        admitted = [r for r in self._still_newly_ready() if r.lane in open_lanes and need.admits(r)]
        return sorted(admitted, key=queue_order, reverse=True)

    def _still_newly_ready(self) -> Collection[Ready]:
        for x in self._puts[self._puts_read :]:
            ready = ready_of(x)
            if ready is not None:
                self._newly_ready.append(ready)
        self._puts_read = len(self._puts)
        if self._newly_ready:
            self._newly_ready = [r for r in dict.fromkeys(self._newly_ready) if self._still_ready(r)]
        return self._newly_ready

    def _still_ready(self, ready: Ready) -> bool:
        x = self._executions.changed.get(ready.execution_id)
        return x is not None and ready_of(x) == ready

    def _stored(self, need: ClaimNeed, open_lanes: Collection[str]) -> Iterator[Ready]:
        """The store's candidates that no earlier command of the batch has touched."""
        candidates = self._loaded.candidates.get(need)
        if candidates is None:
            raise NotLoaded(need)
        while (index := self._taken.get(need, 0)) < len(candidates):
            self._taken[need] = index + 1
            ready = candidates[index]
            if ready.execution_id in self._executions.changed or ready.lane not in open_lanes:
                continue
            x = self._executions.loaded.get(ready.execution_id)
            if x is None or ready_of(x) != ready or not need.admits(ready):
                self.stale.append(ready)
                continue
            yield ready
