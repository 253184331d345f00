"""What the checks of limits and budgets look at: the records before and after a batch, and what the batch has done."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from flowfabric.domain.budgets import Amounts, Budget, BudgetUse, LedgerLine, named_in, plus
from flowfabric.domain.execution import Execution
from flowfabric.domain.gate_invariants import Books
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, unused

if TYPE_CHECKING:
    from flowfabric.domain.batch_io import Changes, KeyTurnAt, LineAt, UseAt
    from flowfabric.domain.gates import Gate
    from flowfabric.stores.memory.store import MemoryStore
    from tests.simulation.world import World

NS = "default"
LOST = ("expired", "revoked")
"""The events of leases that have ended without their holders."""


class Moment(NamedTuple):
    """The records of limits and budgets at one moment."""

    books: Books
    ledger: "Mapping[LineAt, LedgerLine]"
    lane_turns: Mapping[tuple[str, str, int], int]

    def limit(self, at: KeyAt) -> Limit | None:
        """The numbers of a key: its own, or those of all keys."""
        return self.books.key(at)[0]

    def use(self, at: KeyAt) -> KeyUse:
        """What is used of a key."""
        return self.books.key_uses.get(at, unused(at))

    def budget_use(self, at: "UseAt") -> BudgetUse:
        """What is used of a budget in a period."""
        return self.books.budget_uses.get(at, BudgetUse(*at))

    def chain(self, name: str) -> list[Budget]:
        """A budget and its ancestors."""
        return self.books.chain(NS, name)


def moment_of(store: "MemoryStore") -> Moment:
    """The records as they are now."""
    books = Books(
        executions={key: x for key, x in store._executions.items() if x.gates is not None},
        limits=dict(store._limits),
        key_uses=dict(store._key_uses),
        budgets=dict(store._budgets),
        budget_uses=dict(store._budget_uses),
        openings=dict(store._openings),
        ledger=(),
        now_ms=store.now_ms,
    )
    return Moment(books, dict(store._ledger), {at: each.turn for at, each in store._lane_turns.items()})


class GateWatch:
    """What the checks remember from batch to batch."""

    def __init__(self, store: "MemoryStore") -> None:
        self.now = moment_of(store)
        self.starts: dict[KeyAt, list[int]] = {}
        """By key: when attempts have started since its numbers were changed last."""
        self.lost: Counter[tuple[str, str]] = Counter()
        """By execution and budget: how much was reserved under leases that were lost, at most."""
        self.turns: dict[KeyTurnAt, int] = {}
        """By fair key: the highest turn that it was given."""
        self.full_at: dict[KeyAt, int] = {}
        """By key: the number of the last batch during or after which as many may have run as the limit allows."""

    def will_be_looked_at(self, gate: "Gate") -> bool:
        """Whether an instant is noted at which a gate is looked at."""
        return (NS, *gate) in self.now.books.openings


class Batch:
    """One batch, as the checks see it."""

    def __init__(self, world: "World", changes: "Changes", now_ms: int) -> None:
        self.watch = world.gates
        self.changes = changes
        self.now_ms = now_ms
        self.before, self.after = world.gates.now, moment_of(world.store)
        self.changed = {(x or before).execution_id: (before, x) for before, x in changes.executions if x or before}
        self.unchanged = [
            x for x in world.store._executions.values() if x.execution_id not in self.changed and not x.has_ended
        ]
        self.events = {key: [each for each in changes.events if each.execution_id == key] for key in self.changed}
        self.starts = [
            (x, event.details["claim_type"] != "resume")
            for event in changes.events
            if event.event_type == "acquired" and (x := self._record(event.execution_id or "")).gates is not None
        ]
        """Executions with gates that were leased, and whether an attempt has started with that."""
        self.blocks = list(self._blocks_begun())
        """Executions with keys of which blocks of their code have got a slot, and a start was counted for that."""
        self.limit_names = {name for _, name, _ in changes.limits}
        self.is_about_budgets = bool(changes.budgets) or any(
            event.event_type == "budget_reset" for event in changes.events
        )

    def _record(self, execution_id: str) -> Execution:
        before, x = self.changed[execution_id]
        found = x or before
        assert found is not None
        return found

    def keys_of(self, x: Execution) -> list[KeyAt]:
        """The keys of limits that an execution names."""
        return [] if x.gates is None else [(x.namespace, name, key) for name, key in x.gates.limits]

    def started_under(self) -> dict[KeyAt, int]:
        """By key: how many attempts and blocks have started. A key of which only resumes took a slot has 0."""
        found: dict[KeyAt, int] = {}
        for x, counts in self.starts:
            for at in self.keys_of(x):
                found[at] = found.get(at, 0) + counts
        for _, at in self.blocks:
            found[at] = found.get(at, 0) + 1
        return found

    def _blocks_begun(self) -> Iterator[tuple[Execution, KeyAt]]:
        """Executions with the keys of which blocks of their code have got a slot."""
        for before, x in self.changed.values():
            was, now = (None if each is None else each.gates for each in (before, x))
            is_leased = any(event.event_type == "acquired" for event in self.events[(x or before).execution_id])
            if before is not None and was is not None and was.waits_at is not None and is_leased:
                yield before, (before.namespace, *was.waits_at)
            elif x is not None and now is not None and x.lifecycle_phase == "active":
                for name, key, number in now.blocks:
                    if was is None or (name, key, number) not in was.blocks:
                        yield x, (x.namespace, name, key)

    def waiting_at(self, at: KeyAt) -> list[Execution]:
        """The executions that the batch has not touched and that wait for a slot of a key."""
        return [y for y in self.unchanged if waits_in_order(y) and at in slots_wanted(y)]

    def running_at(self, at: KeyAt) -> list[Execution]:
        """The executions that the batch has not touched and that hold a slot of a key."""
        return [y for y in self.unchanged if y.lifecycle_phase == "active" and at in slots_wanted(y)]

    def spent(self) -> dict[tuple[str, str, int], Amounts]:
        """By execution, budget and period: what the batch has added to the ledger."""
        found: dict[tuple[str, str, int], Amounts] = {}
        for (execution_id, budget, period_ms, day_ms), line in self.changes.ledger.items():
            known = self.before.ledger.get((execution_id, budget, period_ms, day_ms))
            less = {} if known is None else {name: -amount for name, amount in known.amounts.items()}
            at = (execution_id, budget, period_ms)
            found[at] = plus(found.get(at, {}), plus(line.amounts, less))
        return found

    def lost(self) -> "list[tuple[Execution, Mapping[tuple[str, int], Amounts], bool]]":
        """Executions whose lease was lost, with what it had reserved by budget and period, and whether that is certain.

        A cancel ends a lease with the same event as a revocation, and loses nothing.
        """
        found = []
        for before, x in self.changed.values():
            if before is None or before.lifecycle_phase != "active" or before.gates is None:
                continue
            if x is not None and x.lifecycle_phase == "active" and x.lease_epoch == before.lease_epoch:
                continue
            types = [event.event_type for event in self.events[before.execution_id]]
            assert before.lease_expires_at_ms is not None
            is_over = before.lease_expires_at_ms <= self.now_ms
            if is_over or any(each in LOST for each in types):
                is_certain = is_over or "expired" in types or "cancelled" not in types
                found.append((before, reserved_by(before, self.before), is_certain))
        return found


def reserved_by(x: Execution, moment: Moment) -> Mapping[tuple[str, int], Amounts]:
    """What the lease of an execution has reserved, by budget and period."""
    found: dict[tuple[str, int], Amounts] = {}
    for reservation in () if x.gates is None else x.gates.reservations:
        for name, period_ms in reservation.chain:
            counted = named_in(reservation.amounts, moment.books.budgets[x.namespace, name])
            found[name, period_ms] = plus(found.get((name, period_ms), {}), counted)
    return found


def slots_wanted(x: Execution) -> list[KeyAt]:
    """The keys of which an execution takes a slot, or has taken one."""
    return [] if x.gates is None else [(x.namespace, name, key) for name, key in x.gates.slots_to_take]


def waits_in_order(x: Execution) -> bool:
    """Whether it is in the queue, or parked."""
    return x.eligibility_state in ("eligible_now", "blocked_by_quota", "blocked_by_budget")
