"""The queue as a batch sees it: the candidates from the store, and those that the batch itself has made ready."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

from flowfabric.domain.batch_io import ClaimNeed, Loaded, Needs
from flowfabric.domain.execution import Execution, QueueOrder, Ready, queue_order, ready_of
from flowfabric.domain.fairness import FIRST_TURN, LaneTurn, TurnsAt
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.tables import MoreNeeded, NotLoaded, Table

Passes = Callable[[Execution], Execution | None]
NO_TURNS: Final[Mapping[TurnsAt, LaneTurn]] = {}
PARKED_MAX: Final = 100
"""How many executions one claim parks before it gives up, or twice as many as it may take."""


def parked_max(limit: int) -> int:
    """How many executions a claim parks before it gives up."""
    return max(PARKED_MAX, 2 * limit)


class Stream:
    """Candidates in queue order: of one kind, or new in this batch.

    The kinds are: without gates, with gates, and with turns in one lane.
    """

    def __init__(self, entries: Sequence[Ready], *, is_new: bool = False) -> None:
        self.entries = entries
        self.is_new = is_new
        self.next = 0


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
        self._streams: dict[ClaimNeed, list[Stream]] = {}
        self.stale: list[Ready] = []
        """Rows of the queue that no record justifies."""
        self.cut_short: set[tuple[str, str]] = set()
        """Lanes in which a claim has parked so many that it gave up. There may be more to claim."""
        self._puts = puts
        self._puts_read = 0

    def lanes_with_news(self) -> set[tuple[str, str]]:
        """The lanes (with namespaces) in which this batch has made an execution ready that is still there."""
        return {(ready.namespace, ready.lane) for ready in self._still_newly_ready()}

    def made_ready(self, need: ClaimNeed, most: int) -> Iterable[Execution]:
        """The first executions that this batch has made ready and that such a claim may take, at most so many."""
        fresh = self._fresh(need, need.open_lanes(self._loaded.lanes), NO_TURNS)[:most]
        return (self._executions[ready.execution_id] for ready in fresh)

    def gated(self, need: ClaimNeed) -> list[Execution]:
        """The executions with gates that such a claim may look at."""
        stored = self._executions.loaded
        found: list[ExecutionId] = []
        for ready in self._loaded.candidates.get(need, ()):
            x = stored.get(ready.execution_id)
            # One that names no limit may have to pass one: a block of its code waits there.
            if ready.is_gated or (x is not None and x.gates is not None and x.gates.must_pass):
                found.append(ready.execution_id)
        if self._newly_ready or len(self._puts) > self._puts_read:
            found += [
                ready.execution_id for ready in self._still_newly_ready() if ready.is_gated and need.admits(ready)
            ]
        return [x for x in map(self._executions.known, found) if x is not None] if found else []

    def claimable(
        self, need: ClaimNeed, limit: int, passes: Passes, turns: Mapping[TurnsAt, LaneTurn] = NO_TURNS
    ) -> list[Execution]:
        """The next executions that such a claim may take, in queue order, after the earlier commands of the batch.

        `passes` lets an execution with gates through, or parks it. `turns`: the turns of lanes, where there are some.
        """
        chosen: list[Execution] = []
        parked = 0
        open_lanes = need.open_lanes(self._loaded.lanes)
        streams = self._streams_of(need)
        if fresh := self._fresh(need, open_lanes, turns):
            streams = [*streams, Stream(fresh, is_new=True)]
        while len(chosen) < limit:
            heads = [stream for stream in streams if self._head(stream, need, open_lanes) is not None]
            if not heads or parked:
                # Those that were parked may have left too few of their kind. Others must not come first for that.
                self._ask_for_more(need)
            if not heads:
                break
            best = (
                heads[0]
                if len(heads) == 1
                else min(heads, key=lambda stream: _order(stream.entries[stream.next], turns))
            )
            ready = best.entries[best.next]
            best.next += 1
            x = self._executions.get(ready.execution_id)
            assert x is not None
            if x.gates is not None and x.gates.must_pass:
                passed = passes(x)
                if passed is None:
                    parked += 1
                    if parked >= parked_max(limit):
                        self.cut_short.update((need.namespace, lane) for lane in open_lanes)
                        break
                    continue
                x = passed
            chosen.append(x)
        return chosen

    def _streams_of(self, need: ClaimNeed) -> list[Stream]:
        streams = self._streams.get(need)
        if streams is None:
            candidates = self._loaded.candidates.get(need)
            if candidates is None:
                raise NotLoaded(need)
            parts: dict[tuple[bool, str], list[Ready]] = {}
            for ready in candidates:
                # Turns of different lanes cannot be compared, so each lane has a stream of its own.
                parts.setdefault((ready.is_gated, ready.lane if ready.turn else ""), []).append(ready)
            streams = self._streams[need] = [Stream(entries) for entries in parts.values()]
        return streams

    def _head(self, stream: Stream, need: ClaimNeed, open_lanes: Collection[str]) -> Ready | None:
        """The next candidate of a stream. A stored one that an earlier command of the batch has touched is new now."""
        while stream.next < len(stream.entries):
            ready = stream.entries[stream.next]
            if stream.is_new:
                if self._still_ready(ready):
                    return ready
            elif ready.execution_id not in self._executions.changed and ready.lane in open_lanes:
                x = self._executions.loaded.get(ready.execution_id)
                if x is not None and ready_of(x) == ready and need.admits(ready):
                    return ready
                self.stale.append(ready)
            stream.next += 1
        return None

    def _ask_for_more(self, need: ClaimNeed) -> None:
        """Ask for more candidates, if the claims of the batch have used up all of one kind that were loaded."""
        asked = self._needs.claims.get(need, 0)
        for stream in self._streams[need]:
            if asked and stream.next >= len(stream.entries) >= asked:
                self._missing.claims[need] = asked * 2
                raise MoreNeeded

    def _fresh(
        self, need: ClaimNeed, open_lanes: Collection[str], turns: Mapping[TurnsAt, LaneTurn]
    ) -> Sequence[Ready]:
        """The executions that became ready in this batch and still are, in queue order."""
        admitted = [r for r in self._still_newly_ready() if r.lane in open_lanes and need.admits(r)]
        return sorted(admitted, key=lambda ready: _order(ready, turns))

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


def _order(ready: Ready, turns: Mapping[TurnsAt, LaneTurn]) -> QueueOrder:
    """Its order in the queue. Turns of different lanes are compared by how far they are from the turn that runs now."""
    if not ready.turn:
        return queue_order(ready)
    lane_turn = turns.get((ready.namespace, ready.lane, ready.priority))
    return queue_order(ready, FIRST_TURN if lane_turn is None else max(lane_turn.turn, FIRST_TURN))
