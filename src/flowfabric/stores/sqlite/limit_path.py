"""Plain commands of a batch about executions that name limits, done by statements that write many of them at once.

The rules about slots (`domain/slots.py`) say who is leased, let in and parked, and statements write that. If anything
else matters (a rate, a pause, an attempt that is not the first), RulesNeeded is raised before anything is written.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from flowfabric.domain.commands import Claim, CreateExecution
from flowfabric.domain.counting import Move
from flowfabric.domain.decide.admitting import limit_gate
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import ExecutionId
from flowfabric.domain.limits import KeyAt, KeyUse, is_idle
from flowfabric.domain.news import PlainStep
from flowfabric.domain.slots import RulesNeeded, Sharing
from flowfabric.ports.writing import Batch
from flowfabric.stores._shared.capability_sets import MARKS
from flowfabric.stores._shared.encoding import policy_text
from flowfabric.stores._shared.fast_path import lease_details_around_epoch
from flowfabric.stores._shared.gates import gate_row_of, gates_text, key_use_row_of
from flowfabric.stores._shared.limited import PARKED, QUEUED, RUNNING, admitted_text, leased, parked_text
from flowfabric.stores._shared.samples import SAMPLES
from flowfabric.stores.sqlite.fast_statements import FastWork, list_of
from flowfabric.stores.sqlite.gate_rows import GateRows
from flowfabric.stores.sqlite.limit_rows import Limited, LimitRows
from flowfabric.stores.sqlite.rows import key_of
from flowfabric.stores.sqlite.slot_shares import Ending, Lease, SlotShares

if TYPE_CHECKING:
    from flowfabric.domain.lanes import Lane
    from flowfabric.stores.sqlite.json_rows import Row
    from flowfabric.stores.sqlite.readers import ReadSide

LEASED_AT_GATE: Final = SAMPLES["leased"]["gate_state"]
PARKED_AT_GATE: Final = SAMPLES["parked"]["gate_state"]
QUEUED_AT_GATE: Final = SAMPLES["created"]["gate_state"]


class LimitPath:
    """What one transaction does with executions that name limits, and with others in the same lanes."""

    def __init__(self, fast: FastWork, store: "ReadSide") -> None:
        self.work = self._fast = fast
        """What was done here."""
        self._store = store
        self._rows = LimitRows(fast)
        self.ready: Collection[Lane] = ()
        """The lanes in which a claim may find something now."""
        self.freed: Collection[KeyAt] = ()
        """The keys that got a slot back."""

    def _gated_set(self) -> int | None:
        """The number of the part of the queue for executions with limits. None: there have been none."""
        return self._store.capabilities.find_id(MARKS["gated"], self._fast.connection, {})

    # ── create ───────────────────────────────────────────────────────────────────────────────────

    def may_make(self, made: Sequence[CreateExecution]) -> bool:
        """Whether their limits are set, and nobody is parked where one of them would wait."""
        if self._gated_set() is None:
            return False
        at = {(each.namespace, name, key, each.lane) for each, name, key in _limits_of(made)}
        limits = {(namespace, name) for namespace, name, _, _ in at}
        if len(self._rows.set_limits(sorted(limits))) < len(limits):
            return False
        rooms = [(limit_gate((namespace, name, key)), lane, ()) for namespace, name, key, lane in at]
        return not GateRows(self._fast.connection, self._store).crowded(rooms)

    def make(self, made: Sequence[CreateExecution], actors: Mapping[ExecutionId, str]) -> None:
        """Create executions that `may_make` has looked at. Their payloads are written elsewhere."""
        fast, gated_set = self._fast, self._gated_set()
        rows = [
            (
                *key_of(each.execution_id),
                each.namespace,
                each.lane,
                each.kind,
                policy_text(each.policy),
                each.priority,
                actors.get(each.execution_id),
                gates_text(each.gates),
            )
            for each in made
        ]
        fast.insert("insert_limited_executions", rows, (gated_set, fast.now_ms, fast.now_ms, fast.era))
        at_gates = [
            (
                *key_of(each.execution_id),
                *gate_row_of(limit_gate((each.namespace, name, key))),
                QUEUED_AT_GATE,
                each.lane,
                gated_set,
                -each.priority,
                0,
                fast.now_ms,
            )
            for each, name, key in _limits_of(made)
        ]
        fast.insert("save_at_gate", at_gates)

    # ── share out the slots ──────────────────────────────────────────────────────────────────────

    def share_out(
        self, batch: Batch, endings: Mapping[int, Ending], claims: Sequence[tuple[int, Claim]]
    ) -> Sequence[tuple[int, Claim]]:
        """Give the slots of leases that end to others, and answer claims. Returns the claims, with those taken along.

        The leases themselves are ended elsewhere. RulesNeeded: nothing was written.
        """
        gated_set = self._gated_set()
        if gated_set is None:
            raise RulesNeeded
        shares = SlotShares(self._fast, self._rows, gated_set, endings, claims)
        shares.decide(batch)
        sharing, leases = shares.sharing, shares.leases()
        if not (endings or sharing.parked or any(leases.values())):
            raise RulesNeeded  # the claims have found nothing; a decision knows that nothing is to be written
        self._write_leases(shares.claims, leases)
        self._write_places(shares, endings)
        self._write_uses(shares.keys.uses, sharing)
        self._count(leases, shares)
        self.freed = sharing.freed
        self.ready = shares.lanes_with_more()
        return shares.claims

    def _write_leases(self, claims: Sequence[tuple[int, Claim]], leases: Mapping[int, Sequence[Lease]]) -> None:
        fast = self._fast
        for place, command in claims:
            its = [x for x, _ in leases[place]]
            fast.answers[place] = [claimed for _, claimed in leases[place]]
            lease = (command.worker_id, command.worker_instance_id, command.lease_ttl_ms, command.mark or None)
            if untouched := [x for x in its if not x.was_parked]:
                fast.run("fast_claim", (list_of(untouched), fast.now_ms, *lease))
            for gates, let_in in _by_gates([x for x in its if x.was_parked], _leased_text).items():
                fast.run("lease_let_in", (list_of(let_in), fast.now_ms, *lease, gates))
            if its:
                details = lease_details_around_epoch(command)
                fast.run("insert_events_of_claim", (list_of(its), fast.now_ms, *details))
            fast.tell(
                PlainStep("leased", x.row.namespace, x.row.lane, x.row.kind, fast.now_ms - x.row.ready_at_ms)
                for x in its
            )
        with_gates = [x.execution_id for its in leases.values() for x, _ in its if x.gates is not None]
        self._at_gates("set_gate_states", with_gates, LEASED_AT_GATE)

    def _write_places(self, shares: SlotShares, endings: Mapping[int, Ending]) -> None:
        for statement, text_of, xs, state in (
            ("park_limited", parked_text, shares.parked, PARKED_AT_GATE),
            ("admit_limited", admitted_text, shares.admitted, QUEUED_AT_GATE),
        ):
            for gates, alike in _by_gates(xs, text_of).items():
                self._fast.run(statement, (list_of(alike), gates))
            self._at_gates("set_gate_states", [x.execution_id for x in xs], state)
        self._at_gates("delete_gates", [ending.execution_id for ending in endings.values()])

    def _at_gates(self, statement: str, xs: Iterable[ExecutionId], *first: object) -> None:
        """Run a statement about the rows of executions at gates, which are found by partition."""
        by_partition: dict[int, list[Row]] = {}
        for x in xs:
            partition, uuid = key_of(x)
            by_partition.setdefault(partition, []).append((uuid,))
        for partition, there in by_partition.items():
            self._fast.insert(statement, there, (*first, partition))

    def _write_uses(self, stored: Mapping[KeyAt, KeyUse], sharing: Sharing) -> None:
        fast = self._fast
        idle: dict[tuple[str, str], list[Row]] = {}
        kept: list[Row] = []
        for at, use in sharing.uses.items():
            if not is_idle(use, fast.now_ms):
                if use != stored.get(at):
                    kept.append(key_use_row_of(use))
            elif at in stored:
                idle.setdefault(at[:2], []).append((at[2],))
        fast.insert("save_key_uses", kept)
        for of, keys in idle.items():
            fast.insert("delete_key_uses", keys, of)

    def _count(self, leases: Mapping[int, Sequence[Lease]], shares: SlotShares) -> None:
        running = [x for its in leases.values() for x, _ in its]
        for xs, standing in ((running, RUNNING), (shares.parked, PARKED), (shares.admitted, QUEUED)):
            kinds = Counter((x.row.namespace, x.row.lane, x.row.kind, x.is_ready) for x in xs)
            for (namespace, lane, kind, is_ready), number in kinds.items():
                self._fast.moves[Move(namespace, lane, kind, QUEUED if is_ready else PARKED, standing)] += number


def _leased_text(gates: Gates) -> str | None:
    return leased(gates)[1]


def _by_gates(xs: Iterable[Limited], text_of: Callable[[Gates], str | None]) -> dict[str | None, list[Limited]]:
    """Executions by the text that their gates are to be."""
    found: dict[str | None, list[Limited]] = {}
    for x in xs:
        if x.gates is not None:
            found.setdefault(text_of(x.gates), []).append(x)
    return found


def _limits_of(made: Iterable[CreateExecution]) -> list[tuple[CreateExecution, str, str]]:
    """Each new execution with the name and the key of each of its limits."""
    return [(each, name, key) for each in made if each.gates is not None for name, key in each.gates.limits]
