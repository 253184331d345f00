"""What must hold for limits and budgets: after every batch, by what the batch has changed, and at the end.

`gate_invariants` says most of it. The checks here compare a batch with the events that it has written, and with what
was true before it, so they tell in another way than the rules what a batch may do.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from flowfabric.domain.budgets import Amounts, Budget, BudgetUse, LedgerLine, exceeded_in, named_in, plus
from flowfabric.domain.execution import Execution
from flowfabric.domain.gate_invariants import Books, Lease, gate_violations_at_rest, gate_violations_between
from flowfabric.domain.ids import uuid_in
from flowfabric.domain.invariants import Contents
from flowfabric.domain.limits import KeyAt, KeyUse, Limit, by_present_numbers, unused
from tests.simulation import work
from tests.simulation.checks import after_each_batch, at_the_end

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
        """By key: how many attempts have started. A key of which only resumes took a slot has 0."""
        found: dict[KeyAt, int] = {}
        for x, counts in self.starts:
            for at in self.keys_of(x):
                found[at] = found.get(at, 0) + counts
        return found

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


@after_each_batch
def _limits_and_budgets_hold(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    if not world.plan.has_gates:
        return
    batch = Batch(world, changes, now_ms)
    before, after = batch.before.books, batch.after.books
    yield from gate_violations_at_rest(after)
    yield from gate_violations_between(before, after, [Lease(x, starts) for x, starts in batch.starts])
    for check in (
        _starts_keep_to_the_rate,
        _nothing_starts_under_a_paused_key,
        _a_reset_begins_a_period,
        _only_an_exceeded_budget_pauses,
        _what_runs_on_an_exceeded_budget_will_stop,
        _reservations_fit,
        _what_is_spent_was_reserved_first,
        _what_was_lost_is_charged,
        _the_ledger_adds_up,
        _parents_are_charged,
        _gates_are_fixed,
        _turns_are_fair,
        _the_first_is_claimed,
        _nobody_steps_over_the_parked,
    ):
        yield from check(batch)
    world.gates.now = batch.after


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def _starts_keep_to_the_rate(batch: Batch) -> Iterator[str]:
    """No window has more starts than the rate allows, and nothing but a start takes one, or gives one back."""
    started = batch.started_under()
    for at in {**started, **batch.changes.key_uses}:
        limit = batch.after.limit(at)
        if at[1] in batch.limit_names or limit is None or limit.rate is None:
            batch.watch.starts.pop(at, None)  # an officer has changed it: from here on other numbers count
            continue
        now_us = batch.now_ms * 1000
        was, now = (by_present_numbers(limit, moment.use(at), batch.now_ms) for moment in (batch.before, batch.after))
        busy_until_us = max(was.busy_until_us, now_us) + started.get(at, 0) * limit.pace_us
        if max(now.busy_until_us, now_us) != busy_until_us:
            yield f"{at} is busy until {now.busy_until_us} by its record, and until {busy_until_us} by its starts"
        history = batch.watch.starts.setdefault(at, [])
        history += [batch.now_ms] * started.get(at, 0)
        for place, began_ms in enumerate(history):
            window_us = (batch.now_ms - began_ms) * 1000
            if (len(history) - place - limit.starts_at_once) * limit.pace_us > window_us:
                yield f"{at} had {len(history) - place} starts within {window_us} us: {limit}"


def _nothing_starts_under_a_paused_key(batch: Batch) -> Iterator[str]:
    for x, _ in batch.starts:
        for at in batch.keys_of(x):
            is_set = batch.before.limit(at) is not None and at[1] not in batch.limit_names
            if is_set and batch.before.use(at).paused_until_ms > batch.now_ms:
                yield f"{x.execution_id} was leased while {at} was paused"
    for at, use in batch.before.books.key_uses.items():
        if use.paused_until_ms > max(batch.now_ms, batch.after.use(at).paused_until_ms):
            yield f"{at} was paused until {use.paused_until_ms}, and is so no longer"
    for event in batch.changes.events:
        if event.event_type == "limit_paused":
            at = (event.namespace, str(event.details["limit"]), str(event.details.get("key", "")))
            until_ms = event.details["until_ms"]
            assert isinstance(until_ms, int)
            if batch.after.use(at).paused_until_ms < until_ms:
                yield f"{at} was paused until {until_ms}, and its record does not say so"


# ── budgets ──────────────────────────────────────────────────────────────────────────────────────


def _a_reset_begins_a_period(batch: Batch) -> Iterator[str]:
    for event in batch.changes.events:
        if event.event_type == "budget_reset":
            at = (event.namespace, str(event.details["budget"]))
            was_ms = batch.before.books.budgets[at].period_at(batch.now_ms)
            if batch.after.books.budgets[at].period_at(batch.now_ms + 1) == was_ms:
                yield f"budget {at} was reset, and its period began at {was_ms} as before"


def _only_an_exceeded_budget_pauses(batch: Batch) -> Iterator[str]:
    """Who is told to pause names, or has spent on, a budget that is exceeded and lets others pause."""
    if batch.is_about_budgets:
        return
    budgets = batch.after.books.budgets
    uses = batch.after.books.budget_uses
    exceeded = [budgets[at[:2]] for at, use in uses.items() if exceeded_in(budgets[at[:2]], use)]
    if any(budget.on_exceeded == "pause" for budget in exceeded):
        return
    for before, x in batch.changed.values():
        was_told = before is not None and before.gates is not None and before.gates.must_pause
        if x is not None and x.gates is not None and x.gates.must_pause and not was_told:
            yield f"{x.execution_id} is to pause, and of what is exceeded nothing lets it pause: {exceeded}"


def _reservations_fit(batch: Batch) -> Iterator[str]:
    """Who reserves finds room. What is spent counts in any case, so it may fill a budget over its limit."""
    for at, use in batch.changes.budget_uses.items():
        if at[:2] in batch.changes.budgets:
            continue
        known = batch.before.budget_use(at)
        for name, limit in batch.after.books.budgets[at[:2]].limits.items():
            reserves = use.reserved.get(name, 0) > known.reserved.get(name, 0)
            spends = use.used.get(name, 0) != known.used.get(name, 0)
            if reserves and not spends and use.used.get(name, 0) + use.reserved.get(name, 0) > limit:
                yield f"more of {name} is reserved than budget {at} has: {use}, and its limit is {limit}"
    for x, _ in batch.starts:
        if x.lifecycle_phase == "active" and x.gates is not None and not batch.is_about_budgets:
            yield from _estimates_are_reserved(batch, x)


def _estimates_are_reserved(batch: Batch, x: Execution) -> Iterator[str]:
    """What an execution has reserved, spent, or given back with a step, is at least its estimate."""
    assert x.gates is not None
    if any(key == x.execution_id for key, _ in batch.changes.steps):
        return
    reserved = reserved_by(x, batch.after)
    spent = batch.spent()
    for name, amounts in x.gates.budgets:
        for budget in batch.after.chain(name):
            period_ms = budget.period_at(batch.now_ms)
            held = plus(
                reserved.get((budget.name, period_ms), {}), spent.get((x.execution_id, budget.name, period_ms), {})
            )
            for dimension, amount in named_in(amounts, budget).items():
                if held.get(dimension, 0) < amount:
                    yield f"{x.execution_id} was leased, and only {held} of {amount} is reserved of {budget.name!r}"


def _what_is_spent_was_reserved_first(batch: Batch) -> Iterator[str]:
    """What an attempt spends on a budget is taken out of what it has reserved of it. Parents are not looked at."""
    spent = batch.spent()
    parents = {budget.parent for budget in batch.after.books.budgets.values()}
    for before, x in batch.changed.values():
        if before is None or x is None or before.lease_epoch != x.lease_epoch or x.lifecycle_phase != "active":
            continue
        was, now = reserved_by(before, batch.before), reserved_by(x, batch.after)
        for (name, period_ms), amounts in was.items():
            used = spent.get((x.execution_id, name, period_ms), {})
            if (
                name not in parents
                and any(used.get(each) for each in amounts)
                and now.get((name, period_ms)) == amounts
            ):
                yield f"{x.execution_id} has spent {used} of {name!r}, and {amounts} is reserved as before"


def _what_was_lost_is_charged(batch: Batch) -> Iterator[str]:
    spent = batch.spent()
    allowed: dict[UseAt, Amounts] = {}
    for x, reserved, is_certain in batch.lost():
        may_be_less = not is_certain or any(key == x.execution_id for key, _ in batch.changes.steps)
        for (name, period_ms), amounts in reserved.items():
            at = (x.namespace, name, period_ms)
            allowed[at] = plus(allowed.get(at, {}), amounts)
            batch.watch.lost[x.execution_id, name] += amounts.get("usd", 0)
            charged = spent.get((x.execution_id, name, period_ms), {})
            if not may_be_less and any(charged.get(dimension, 0) < amount for dimension, amount in amounts.items()):
                yield f"{x.execution_id} was lost with {amounts} of {name!r} reserved, and only {charged} was charged"
    for x, _ in batch.starts:  # it may have been lost in the same batch
        assert x.gates is not None
        if any(event.event_type in LOST for event in batch.events[x.execution_id]):
            for name, amounts in x.gates.budgets:
                for budget in batch.after.chain(name):
                    at = (x.namespace, budget.name, budget.period_at(batch.now_ms))
                    allowed[at] = plus(allowed.get(at, {}), amounts)
                    batch.watch.lost[x.execution_id, budget.name] += amounts.get("usd", 0)
    for at, use in batch.changes.budget_uses.items():
        known = batch.before.budget_use(at)
        for name, amount in use.assumed.items():
            if amount - known.assumed.get(name, 0) > allowed.get(at, {}).get(name, 0):
                yield f"{amount - known.assumed.get(name, 0)} of {at} is assumed to be spent, and nobody has lost it"


def _the_ledger_adds_up(batch: Batch) -> Iterator[str]:
    """What is used grows by what the ledger says, and by what officers correct, which never goes below 0."""
    least: dict[UseAt, Amounts] = {}
    for (_, name, period_ms), amounts in batch.spent().items():
        least[NS, name, period_ms] = plus(least.get((NS, name, period_ms), {}), amounts)
    most = dict(least)
    for event in batch.changes.events:
        if event.event_type != "budget_charged":
            continue
        if batch.is_about_budgets:
            return
        amounts = event.details["amounts"]
        assert isinstance(amounts, dict)
        for budget in batch.after.chain(str(event.details["budget"])):
            at = (event.namespace, budget.name, budget.period_at(batch.now_ms))
            least[at] = plus(least.get(at, {}), amounts)
            most[at] = plus(most.get(at, {}), {name: max(amount, 0) for name, amount in amounts.items()})
    for at in {**least, **batch.changes.budget_uses}:
        known = batch.before.budget_use(at).used
        now = batch.after.budget_use(at).used
        for name in {**known, **now, **least.get(at, {})}:
            change = now.get(name, 0) - known.get(name, 0)
            if not least.get(at, {}).get(name, 0) <= change <= most.get(at, {}).get(name, 0):
                yield f"{change:+d} of {at} is used, and the ledger says {least.get(at, {})} to {most.get(at, {})}"


def _parents_are_charged(batch: Batch) -> Iterator[str]:
    """What is spent on a budget counts in its parent, too."""
    if batch.is_about_budgets:
        return
    sums: dict[tuple[str, str], Amounts] = {}
    for (execution_id, name, _), amounts in batch.spent().items():
        sums[execution_id, name] = plus(sums.get((execution_id, name), {}), amounts)
    below: dict[tuple[str, str], Amounts] = {}
    for (execution_id, name), amounts in sums.items():
        parent = batch.after.books.budgets[NS, name].parent
        before, _ = batch.changed.get(execution_id, (None, None))
        if parent is None or (before is not None and _has_reserved_under_another_parent(batch, before)):
            continue
        counted = named_in(amounts, batch.after.books.budgets[NS, parent])
        below[execution_id, parent] = plus(below.get((execution_id, parent), {}), counted)
    for (execution_id, parent), amounts in below.items():
        charged = sums.get((execution_id, parent), {})
        if any(charged.get(name, 0) < amount for name, amount in amounts.items()):
            yield f"{execution_id} has spent {amounts} below budget {parent!r}, which was charged {charged}"


def _has_reserved_under_another_parent(batch: Batch, x: Execution) -> bool:
    for reservation in () if x.gates is None else x.gates.reservations:
        now = [budget.name for budget in batch.after.chain(reservation.budget)]
        if [name for name, _ in reservation.chain] != now:
            return True
    return False


def _what_runs_on_an_exceeded_budget_will_stop(batch: Batch) -> Iterator[str]:
    books = batch.after.books
    exceeded = {budget.name for budget in books.budgets.values() if exceeded_in(budget, books.use(budget))}
    for x in books.alive if exceeded else ():
        if x.lifecycle_phase != "active" or x.gates is None or x.gates.must_pause:
            continue
        for name, _ in x.gates.budgets:
            if name in exceeded and (x.namespace, "budget", name, "") not in books.openings:
                yield f"{x.execution_id} runs on budget {name!r}, which is exceeded, and nobody will stop it"


# ── who is next ──────────────────────────────────────────────────────────────────────────────────


def _gates_are_fixed(batch: Batch) -> Iterator[str]:
    for before, x in batch.changed.values():
        if before is None or x is None:
            continue
        was, now = before.gates, x.gates
        if was is not None and was.must_pass and now is None:
            yield f"{x.execution_id} has lost its gates"
        if was is None or now is None:
            continue
        if (was.limits, was.budgets, was.fair_key) != (now.limits, now.budgets, now.fair_key):
            yield f"{x.execution_id} has other gates now: {was}, {now}"


def _turns_are_fair(batch: Batch) -> Iterator[str]:
    """A fair key gets the turn that runs now, or the one after its last, and a lease makes its turn the present one."""
    for before, x in batch.changed.values():
        if x is None or x.gates is None or not _waits_in_order(x) or (at := _turns_at(x)) is None:
            continue
        if before is not None and before.gates is not None and before.gates.turn == x.gates.turn:
            continue
        known, runs_now = batch.watch.turns.get(at, 0), batch.before.lane_turns.get(at[:3], 0)
        if not runs_now <= x.gates.turn <= max(batch.after.lane_turns.get(at[:3], 0), known) + len(batch.changed):
            yield f"{x.execution_id} of {at} has got turn {x.gates.turn}, after {known}; turn {runs_now} runs"
        batch.watch.turns[at] = max(known, x.gates.turn)
    for x, _ in batch.starts:
        if (at := _turns_at(x)) is not None and _turn(x) > batch.after.lane_turns.get(at[:3], 0):
            yield f"{x.execution_id} was leased in turn {_turn(x)} of {at[:3]}, which is not the turn that runs now"


def _turns_at(x: Execution) -> "KeyTurnAt | None":
    assert x.gates is not None
    return None if x.gates.fair_key is None else (x.namespace, x.lane, x.priority, x.gates.fair_key)


def _waits_in_order(x: Execution) -> bool:
    return x.eligibility_state in ("eligible_now", "blocked_by_quota", "blocked_by_budget")


def _the_first_is_claimed(batch: Batch) -> Iterator[str]:
    """Nobody is leased while somebody stays in the queue who comes first, and whom the same worker could run."""
    ready = [y for y in batch.unchanged if y.eligibility_state == "eligible_now"]
    for key, events in batch.events.items():
        x, _ = batch.changed[key]
        if x is None or x.eligibility_state != "eligible_now":
            continue
        if any(event.event_type == "acquired" for event in events):
            first = next((y for y in ready if _shares_a_room(x, y) and _comes_first(y, x)), None)
            if first is not None:
                yield f"{x.execution_id} was leased before {first.execution_id}, which comes first"


def _shares_a_room(x: Execution, y: Execution) -> bool:
    return (x.namespace, x.lane, x.required_capabilities) == (y.namespace, y.lane, y.required_capabilities)


def _comes_first(y: Execution, x: Execution) -> bool:
    if y.priority != x.priority:
        return y.priority > x.priority
    mine, other = _turn(x), _turn(y)
    if bool(mine) != bool(other):
        return False  # one without a fair key is always in the turn that runs now
    return (other, y.ready_at_ms, uuid_in(y.execution_id)) < (mine, x.ready_at_ms, uuid_in(x.execution_id))


def _turn(x: Execution) -> int:
    return 0 if x.gates is None else x.gates.turn


def _nobody_steps_over_the_parked(batch: Batch) -> Iterator[str]:
    """Who is admitted, or comes to a gate at which others are parked, has nobody before it there who stays."""
    parked = [y for y in batch.unchanged if y.gates is not None and y.gates.parked is not None]
    for before, x in batch.changed.values() if parked else ():
        if x is None or x.gates is None or (before is not None and before.eligibility_state == "eligible_now"):
            continue
        is_leased = any(event.event_type == "acquired" for event in batch.events[x.execution_id])
        if x.eligibility_state != "eligible_now" and not is_leased:
            continue
        was_parked = before is not None and _waits_in_order(before)
        gates = {_parked_at(before)} if before is not None and was_parked else _gates_of(x)
        others = (y for y in parked if _parked_at(y) in gates and _shares_a_room(x, y))
        passed = next((y for y in others if _comes_first(y, before if before is not None and was_parked else x)), None)
        if passed is not None:
            yield f"{x.execution_id} has stepped over {passed.execution_id}, which is parked: {passed.gates}"


def _parked_at(x: Execution) -> "Gate | None":
    return None if x.gates is None else x.gates.parked


def _gates_of(x: Execution) -> "set[Gate | None]":
    if x.gates is None:
        return set()
    return {("limit", *each) for each in x.gates.limits} | {("budget", name, "") for name, _ in x.gates.budgets}


# ── what user code knows ─────────────────────────────────────────────────────────────────────────


@at_the_end
def _what_was_spent_is_charged_once(world: "World", contents: Contents) -> Iterator[str]:
    """At least what user code was answered, and at most what it has asked for, with what was lost."""
    below = {
        name: [each for each in work.PARENTS if each == name or work.PARENTS[each] == name] for name in work.PARENTS
    }
    lines: Counter[tuple[str, str]] = Counter()
    for line in world.store._ledger.values():
        lines[line.execution_id, line.budget] += line.amounts.get("usd", 0)
    asked, charged = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for (execution_id, budget, _), amount in world.ledger.asked.items():
        asked[execution_id, budget] += amount
    for (execution_id, budget, _), amount in world.ledger.charged.items():
        charged[execution_id, budget] += amount
    for execution_id, budget in sorted({*lines, *charged}):
        if execution_id in world.purged:
            continue
        of_ledger = lines[execution_id, budget]
        least = charged[execution_id, budget]
        most = sum(asked[execution_id, each] + world.gates.lost[execution_id, each] for each in below[budget])
        if not least <= of_ledger <= most:
            yield f"{execution_id} has {of_ledger} of {budget!r} in the ledger, not {least} to {most}"


@at_the_end
def _a_limit_of_a_budget_is_passed_once_in_a_period(world: "World", contents: Contents) -> Iterator[str]:
    told = Counter(
        (event.event_type, str(event.details["budget"]), str(event.details["dimension"]))
        for event in contents.events
        if event.event_type in ("soft_limit_passed", "budget_exceeded")
    )
    periods = Counter(name for _, name, _ in world.store._budget_uses)
    for (event_type, name, dimension), number in told.items():
        if number > periods[name]:
            yield f"{event_type} of {dimension} was told {number} times of budget {name!r}, in {periods[name]} periods"


@at_the_end
def _nothing_is_held_at_the_end(world: "World", contents: Contents) -> Iterator[str]:
    for use in world.store._key_uses.values():
        if use.in_use:
            yield f"{use.in_use} slots of {use.at} are in use, and nobody works"
    for budget_use in world.store._budget_uses.values():
        if budget_use.reserved:
            yield f"{budget_use.reserved} of {budget_use.at} is reserved, and nobody works"
