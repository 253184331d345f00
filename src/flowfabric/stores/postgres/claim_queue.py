"""The queue as claims read it: a claim locks the head of each part, and skips executions that other batches hold."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from flowfabric.domain.batch_io import ClaimNeed, KeyInNamespace, Loaded
from flowfabric.domain.errors import Corruption
from flowfabric.domain.execution import Ready, queue_order, ready_of
from flowfabric.domain.ids import ExecutionId, FlowId
from flowfabric.domain.lanes import Lane, LaneState
from flowfabric.stores._shared.flows import FLOW_STATE_CODES
from flowfabric.stores.postgres import rows
from flowfabric.stores.postgres.flow_reads import Ask, FlowReads
from flowfabric.stores.postgres.gate_hints import GateHints
from flowfabric.stores.postgres.queue_heads import Part
from flowfabric.stores.postgres.transaction import PostgresTransaction

if TYPE_CHECKING:
    from flowfabric.domain.limits import KeyAt

log = logging.getLogger("flowfabric.stores.postgres")

_OPEN: Final = FLOW_STATE_CODES["open"]


class ClaimQueue:
    """Finds the executions that the claims of one batch may take, and adds them to what the batch has loaded."""

    def __init__(self, tx: PostgresTransaction, loaded: Loaded, ours: set[ExecutionId], flows: FlowReads) -> None:
        """`ours`: the members of flows that the batch has locked. Members that are locked here are added to it."""
        self._tx = tx
        self._store = tx.store
        self._loaded = loaded
        self._ours = ours
        self._flows = flows
        self._capability_sets: dict[KeyInNamespace, Sequence[int]] = {}
        self._expected: dict[Part, tuple[int, Sequence[rows.Row]]] = {}
        """Heads that were locked because something with gates was expected there, and how many were asked for."""
        self._candidates: dict[ExecutionId, tuple[FlowId, int | None, bool]] = {}
        """Members that a claim may take: their flow, its state, and whether results are passed to them."""

    def lanes(self, claims: Iterable[ClaimNeed]) -> list[Ask]:
        """Ask what waits in the lanes that the claims name, and whether the lanes are paused."""
        asks: list[Ask] = []
        for namespace, lane in dict.fromkeys((need.namespace, lane) for need in claims for lane in need.lanes):
            values = {"namespace": namespace, "lane_id": lane}
            take = partial(self._take_capability_sets, (namespace, lane))
            asks.append(Ask("ready_capability_sets", values, take))
        return asks

    def _take_capability_sets(self, key: KeyInNamespace, found: Sequence[rows.Row]) -> None:
        self._capability_sets[key] = [row[0] for row in found if row[0] is not None]
        paused_at_ms, reason, event_seq = found[0][1:]
        if event_seq is not None:
            self._loaded.lanes[key] = LaneState(*key, paused_at_ms, reason, event_seq)
        if self._capability_sets[key] or paused_at_ms is not None:
            self._store.queue_heads.are_busy([key])
        else:
            self._store.queue_heads.found_idle(key)

    def expected_heads(self, claims: Mapping[ClaimNeed, int], hints: GateHints) -> list[Ask]:
        """Ask for the heads of parts that the last claims have met, before it is known which parts there are now."""
        _, most = self._parts(claims, hints.parts_of)
        return [
            Ask("lock_ready", _part_values(part, limit), partial(self._take_expected, part, limit))
            for part, limit in most.items()
        ]

    def _take_expected(self, part: Part, limit: int, found: Sequence[rows.Row]) -> None:
        self._expected[part] = (limit, found)

    def _parts(
        self, claims: Mapping[ClaimNeed, int], sets_of: Callable[[KeyInNamespace], Sequence[int]]
    ) -> tuple[dict[ClaimNeed, list[Part]], dict[Part, int]]:
        """The parts of the queue from which each claim may take, and how many candidates are needed of each part."""
        most: dict[Part, int] = {}
        parts_of: dict[ClaimNeed, list[Part]] = {}
        for need, limit in claims.items():
            parts_of[need] = []
            for lane in need.open_lanes(self._loaded.lanes):
                for capability_set in sets_of((need.namespace, lane)):
                    tokens = self._tokens_or_none(capability_set)
                    if tokens is not None and need.capabilities.issuperset(tokens):
                        part = (need.namespace, lane, capability_set)
                        parts_of[need].append(part)
                        most[part] = max(most.get(part, 0), limit)
        return parts_of, most

    def lock_heads(self, claims: Mapping[ClaimNeed, int], before: Sequence[Ask] = ()) -> None:
        """Lock the head of each part of the queue from which a claim of the batch may take; `before` is sent first."""
        parts_of, most = self._parts(claims, self._capability_sets.__getitem__)
        heads: dict[Part, Sequence[rows.Row]] = {}
        for part, limit in most.items():
            asked, found = self._expected.pop(part, (0, ()))
            if asked >= limit:
                heads[part] = found
        asks = [
            Ask("lock_ready", _part_values(part, limit), partial(heads.__setitem__, part))
            for part, limit in most.items()
            if part not in heads
        ]
        if before or asks:
            self._tx.ask([*before, *asks], self._tx.mark() if asks else [], reads_clock=True)
        ready = {part: self._take_part(part, most[part], head) for part, head in heads.items()}
        left_out = self._prepare_candidates()
        self._note_gates(claims)
        for need, limit in claims.items():
            first = [entry for head in self._heads_by_kind(parts_of[need], ready) for entry in head[:limit]]
            self._loaded.candidates[need] = [entry for entry in first if entry.execution_id not in left_out]

    def _note_gates(self, claims: Iterable[ClaimNeed]) -> None:
        """Remember which parts and which keys of limits claims have met in their lanes, for the next claims."""
        met: dict[Lane, set[KeyAt]] = {}
        for x in self._loaded.executions.values():
            if x.gates is not None and x.eligibility_state == "eligible_now":
                keys = ((x.namespace, name, key) for name, key in x.gates.slots_to_take)
                met.setdefault((x.namespace, x.lane), set()).update(keys)
        for lane in {(need.namespace, lane) for need in claims for lane in need.lanes}:
            if capability_sets := self._capability_sets.get(lane):
                self._store.gate_hints.note_claims(lane, capability_sets, met.get(lane))

    def _heads_by_kind(self, parts: Sequence[Part], ready: Mapping[Part, Sequence[Ready]]) -> list[list[Ready]]:
        """The heads, each in queue order: without gates, with gates, and with turns in each lane by itself."""
        heads: dict[tuple[str, str], list[Ready]] = {}
        for part in parts:
            _, lane, capability_set = part
            kind = self._store.capabilities.part(capability_set, self._tx.connection)
            heads.setdefault((kind, lane if kind == "fair" else ""), []).extend(ready[part])
        return [sorted(head, key=queue_order) for head in heads.values()]

    def _tokens_or_none(self, capability_set: int) -> tuple[str, ...] | None:
        try:
            return self._store.capabilities.tokens(capability_set, self._tx.connection)
        except Corruption as error:
            log.error("executions of a damaged set are skipped: %s", error, extra={"cause": str(error)})
            return None

    def _take_part(self, part: Part, most: int, found: Sequence[rows.Row]) -> list[Ready]:
        """The candidates of one part of the queue. For each damaged row another row is read."""
        asked = most
        while True:
            healthy = self._take_ready(part[2], found)
            if len(healthy) >= most or len(found) < asked:
                return healthy
            asked = most + len(found) - len(healthy)
            (found,) = self._tx.run([(self._tx.sql["lock_ready"], _part_values(part, asked))])

    def _take_ready(self, capability_set: int, found: Sequence[rows.Row]) -> list[Ready]:
        tokens = self._store.capabilities.tokens(capability_set, self._tx.connection)
        taken: list[Ready] = []
        for row in found:
            try:
                x = rows.execution_in(row, tokens)
                payload, flow_state, passes_results = row[rows.EXECUTION_COLUMNS :]
                if payload is None:
                    raise Corruption(f"ff_payload, key {x.execution_id}: the row is gone.")
            except Corruption as error:
                # One damaged row must not keep a whole lane from being claimed.
                log.error("a damaged execution is skipped: %s", error, extra={"cause": str(error)})
                continue
            ready = ready_of(x)
            if ready is not None:
                self._loaded.executions[x.execution_id] = x
                self._loaded.payloads[x.execution_id] = payload
                if x.flow_id is not None:
                    self._ours.add(x.execution_id)
                    self._candidates[x.execution_id] = (FlowId(x.flow_id), flow_state, bool(passes_results))
                taken.append(ready)
        return taken

    def _prepare_candidates(self) -> set[ExecutionId]:
        """Lock the flows that a claim would start, and read the results that are passed to members.

        Returns the members that cannot be claimed now: another batch holds their flow, or a row is damaged.
        """
        to_start = {flow_id for flow_id, state, _ in self._candidates.values() if state == _OPEN}
        self._loaded.started_flows.update(flow_id for flow_id, state, _ in self._candidates.values() if state != _OPEN)
        self._loaded.passing.update((key, []) for key in self._candidates)
        left_out: set[ExecutionId] = set()
        asks: list[Ask] = []
        if not_ours := to_start.difference(self._loaded.flows):
            asks.append(self._flows.lock_open_flows(not_ours))
        asks += self._flows.inputs((key for key, (*_, passes) in self._candidates.items() if passes), left_out)
        if asks:
            self._tx.ask(asks)
        held = to_start.difference(self._loaded.flows)
        left_out.update(key for key, (flow_id, *_) in self._candidates.items() if flow_id in held)
        self._candidates.clear()
        return left_out


def _part_values(part: Part, most: int) -> Mapping[str, object]:
    namespace, lane, capability_set = part
    return {"namespace": namespace, "lane_id": lane, "capability_set": capability_set, "most": most}
