"""What must hold for limits and budgets: after every batch, by what the batch has changed, and at the end.

`gate_invariants` says most of it. The checks here compare a batch with the events that it has written, and with what
was true before it, so they tell in another way than the rules what a batch may do. Those of budgets are in
`budget_checks`.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from flowfabric.domain.budgets import Amounts, plus, remaining
from flowfabric.domain.decide.creating import REPLACED
from flowfabric.domain.execution import Execution
from flowfabric.domain.gate_invariants import Lease, gate_violations_at_rest, gate_violations_between
from flowfabric.domain.ids import uuid_in
from flowfabric.domain.invariants import Contents
from flowfabric.domain.limits import KeyAt, by_present_numbers
from tests.simulation.budget_checks import BUDGET_CHECKS
from tests.simulation.checks import after_each_batch, at_the_end
from tests.simulation.gate_watch import Batch, slots_wanted, waits_in_order
from tests.simulation.officers import WHEN_FULL

if TYPE_CHECKING:
    from flowfabric import Event
    from flowfabric.domain.batch_io import Changes, KeyTurnAt
    from flowfabric.domain.gates import Gate
    from tests.simulation.world import World


@after_each_batch
def _limits_and_budgets_hold(world: "World", changes: "Changes", now_ms: int) -> Iterator[str]:
    if not world.plan.has_gates:
        return
    batch = Batch(world, changes, now_ms)
    before, after = batch.before.books, batch.after.books
    yield from gate_violations_at_rest(after)
    begun = [Lease(x, starts) for x, starts in batch.starts]
    yield from gate_violations_between(before, after, begun, with_blocks={at for _, at in batch.blocks})
    for check in (
        _starts_keep_to_the_rate,
        _nothing_starts_under_a_paused_key,
        _who_would_rather_not_wait_does_not,
        _the_oldest_is_replaced,
        *BUDGET_CHECKS,
        _gates_are_fixed,
        _turns_are_fair,
        _the_first_is_claimed,
        _nobody_steps_over_the_parked,
        _no_block_steps_over_the_parked,
    ):
        yield from check(batch)
    world.gates.full_at.update((at, world.batches) for at in _may_have_been_full(batch))
    world.gates.now = batch.after


# ── limits ───────────────────────────────────────────────────────────────────────────────────────


def _starts_keep_to_the_rate(batch: Batch) -> Iterator[str]:
    """No window has more starts than the rate allows, and nothing but a start takes one, or gives one back."""
    started = batch.started_under()
    for at in [at for at in batch.watch.starts if at[1] in batch.limit_names]:
        del batch.watch.starts[at]  # an officer has changed it: from here on other numbers count
    for at in {**started, **batch.changes.key_uses}:
        limit = batch.after.limit(at)
        if at[1] in batch.limit_names or limit is None or limit.rate is None:
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
    begun = [(x, at) for x, _ in batch.starts for at in batch.keys_of(x)]
    for x, at in (*begun, *batch.blocks):
        is_set = batch.before.limit(at) is not None and at[1] not in batch.limit_names
        if is_set and batch.before.use(at).paused_until_ms > batch.now_ms:
            yield f"{x.execution_id} has started while {at} was paused"
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


# ── when it is full ──────────────────────────────────────────────────────────────────────────────


def _may_have_been_full(batch: Batch) -> Iterator[KeyAt]:
    """The keys of which all slots may have been in use at some moment of the batch, or are now."""
    for at in {**batch.before.books.key_uses, **batch.after.books.key_uses}:
        limits = (batch.before.limit(at), batch.after.limit(at))
        numbers = [limit.concurrency for limit in limits if limit is not None and limit.concurrency is not None]
        in_use = max(batch.before.use(at).in_use + len(batch.changed), batch.after.use(at).in_use)
        if numbers and in_use >= min(numbers):
            yield at


def _stays_full(batch: Batch, at: KeyAt) -> bool:
    """Whether all slots of a key were in use all the time, and are held by the same leases as before."""
    limit = batch.before.limit(at)
    if limit is None or limit.concurrency is None or at[1] in batch.limit_names:
        return False
    held_since = len(batch.running_at(at)) + sum(
        before is not None and x is not None and _holds(before, at) and before.lease_epoch == x.lease_epoch
        for before, x in batch.changed.values()
    )
    return held_since >= limit.concurrency


def _holds(x: Execution, at: KeyAt) -> bool:
    return x.gates is not None and at[1:] in x.gates.slots


def _who_would_rather_not_wait_does_not(batch: Batch) -> Iterator[str]:
    """While a limit is full, who drops itself is not made, and who replaces another has done so."""
    for before, x in batch.changed.values():
        if before is not None or x is None or WHEN_FULL not in x.tags:
            continue
        full = next((at for at in batch.keys_of(x) if _stays_full(batch, at)), None)
        if full is None:
            continue
        if x.tags[WHEN_FULL] == "drop_new":
            yield f"{x.execution_id} was made while {full} was full, and it was to be dropped then"
        elif not any(full in slots_wanted(was) for was, _ in _replaced(batch)):
            yield f"{x.execution_id} was made while {full} was full, and it has replaced nobody"


def _replaced(batch: Batch) -> list[tuple[Execution, Execution]]:
    """The executions that were cancelled so that others could be made, before the batch and after it."""
    found = []
    for before, x in batch.changed.values():
        if before is not None and x is not None and any(map(_tells_of_a_replacement, batch.events[x.execution_id])):
            found.append((before, x))
    return found


def _tells_of_a_replacement(event: "Event") -> bool:
    return event.event_type == "cancelled" and event.details.get("reason") == REPLACED


def _the_oldest_is_replaced(batch: Batch) -> Iterator[str]:
    """One that waits is replaced before one that runs, and of those the oldest."""
    made = [x for before, x in batch.changed.values() if before is None and x is not None]
    wanted = {at for x in made if x.tags.get(WHEN_FULL) == "cancel_oldest" for at in batch.keys_of(x)}
    for before, x in _replaced(batch):
        shared = [at for at in slots_wanted(before) if at in wanted]
        if not shared:
            yield f"{x.execution_id} was replaced, and nobody was made who needs its place"
        elif not any(_was_the_oldest(batch, before, x, at) for at in shared):
            yield f"{x.execution_id} was replaced, and at {shared} it was not the oldest"


def _was_the_oldest(batch: Batch, before: Execution, x: Execution, at: KeyAt) -> bool:
    others = batch.waiting_at(at)
    if before.lifecycle_phase == "active" and not others:
        others = batch.running_at(at)
    elif before.lifecycle_phase == "active":
        return False
    return all(_age(x) < _age(y) for y in others)


def _age(x: Execution) -> tuple[int, str]:
    return x.ready_at_ms, uuid_in(x.execution_id)


# ── who is next ──────────────────────────────────────────────────────────────────────────────────


def _gates_are_fixed(batch: Batch) -> Iterator[str]:
    for before, x in batch.changed.values():
        if before is None or x is None:
            continue
        was, now = before.gates, x.gates
        if was is not None and was.are_named and now is None:
            yield f"{x.execution_id} has lost its gates"
        if was is None or now is None:
            continue
        if (was.limits, was.budgets, was.fair_key) != (now.limits, now.budgets, now.fair_key):
            yield f"{x.execution_id} has other gates now: {was}, {now}"


def _turns_are_fair(batch: Batch) -> Iterator[str]:
    """A fair key gets the turn that runs now, or the one after its last, and a lease makes its turn the present one."""
    for before, x in batch.changed.values():
        if x is None or x.gates is None or not waits_in_order(x) or (at := _turns_at(x)) is None:
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


def _the_first_is_claimed(batch: Batch) -> Iterator[str]:
    """Nobody is leased while somebody stays in the queue who comes first, and whom the same worker could run."""
    ready = [y for y in batch.unchanged if y.eligibility_state == "eligible_now"]
    for key, events in batch.events.items():
        x, after = batch.changed[key]
        if x is None or x.eligibility_state != "eligible_now":
            continue
        if after is not None and after.priority > x.priority:
            x = replace(x, priority=after.priority)  # somebody has raised it, and then it was leased
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
    """Who is admitted, or comes to a gate at which others are parked, has nobody before it there who stays.

    One batch may park an execution and admit it again. At which of its gates that was is not known, so it has done
    wrong only if others stay at each of them. A budget is an exception: of those who are parked there, one that needs
    too much does not hold up those behind it.
    """
    parked = [y for y in batch.unchanged if y.gates is not None and y.gates.parked is not None]
    for before, x in batch.changed.values() if parked else ():
        if x is None or x.gates is None or (before is not None and before.eligibility_state == "eligible_now"):
            continue
        is_leased = any(event.event_type == "acquired" for event in batch.events[x.execution_id])
        if x.eligibility_state != "eligible_now" and not is_leased:
            continue
        came = before if before is not None and waits_in_order(before) else None
        gates = _gates_of(x) if came is None else {_parked_at(came)}
        is_admitted = came is not None or x.gates.admitted or is_leased
        first = [y for y in parked if _shares_a_room(x, y) and _comes_first(y, came or x)]
        passed = {_parked_at(y): y for y in first if not (is_admitted and _may_not_fit(batch, y))}
        stepped_over = [passed[gate] for gate in gates if gate in passed]
        if stepped_over and (not is_admitted or len(stepped_over) == len(gates)):
            y = stepped_over[0]
            yield f"{x.execution_id} has stepped over {y.execution_id}, which is parked: {y.gates}"


def _may_not_fit(batch: Batch, y: Execution) -> bool:
    """Whether one that is parked at a budget may have needed more of it than was left for it when others were admitted.

    What is left before the batch counts, and what is left after it, each without what those need who come first and
    whom the batch has moved.
    """
    kind, name, _ = _parked_at(y) or ("limit", "", "")
    if kind != "budget":
        return False
    first = [x for _, x in batch.changed.values() if x is not None and _shares_a_room(x, y)]
    needed = [_needed(batch, x, name) for x in (y, *(x for x in first if _comes_first(x, y)))]
    for moment in (batch.before, batch.after):
        budget = moment.books.budgets.get((y.namespace, name))
        if budget is None:
            return True
        left = remaining(budget, moment.budget_use((y.namespace, name, budget.period_at(batch.now_ms))))
        if any(sum(each.get(unit, 0) for each in needed) > amount for unit, amount in left.items()):
            return True
    return False


def _needed(batch: Batch, x: Execution, name: str) -> Amounts:
    """What a claim reserves of a budget: what it reserves of the budgets under it counts, too."""
    total: Amounts = {}
    for named, amounts in () if x.gates is None else x.gates.budgets:
        if any(budget.name == name for moment in (batch.before, batch.after) for budget in moment.chain(named)):
            total = plus(total, amounts)
    return total


def _no_block_steps_over_the_parked(batch: Batch) -> Iterator[str]:
    """A block takes no slot of a key while others of its lane are parked there."""
    parked = [y for y in batch.unchanged if y.gates is not None and y.gates.parked is not None]
    for x, at in batch.blocks if parked else ():
        if x.lifecycle_phase != "active":
            continue  # it was parked itself
        passed = next((y for y in parked if _parked_at(y) == ("limit", *at[1:]) and _shares_a_room(x, y)), None)
        if passed is not None:
            yield f"a block of {x.execution_id} has stepped over {passed.execution_id}, which is parked: {passed.gates}"


def _parked_at(x: Execution) -> "Gate | None":
    return None if x.gates is None else x.gates.parked


def _gates_of(x: Execution) -> "set[Gate | None]":
    if x.gates is None:
        return set()
    return {("limit", *each) for each in x.gates.limits} | {("budget", name, "") for name, _ in x.gates.budgets}


@at_the_end
def _nothing_is_held_at_the_end(world: "World", contents: Contents) -> Iterator[str]:
    for use in world.store._key_uses.values():
        if use.in_use:
            yield f"{use.in_use} slots of {use.at} are in use, and nobody works"
    for budget_use in world.store._budget_uses.values():
        if budget_use.reserved:
            yield f"{budget_use.reserved} of {budget_use.at} is reserved, and nobody works"
