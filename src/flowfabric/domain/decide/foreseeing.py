"""What a batch will need of limits and budgets, as far as the loaded executions show it before anything is decided.

A command does not name the gates of its executions. Without this, every batch with gates would be decided once just to
find out what it lacks. To foresee too little does no harm: the decision then asks for the rest.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from flowfabric.domain.batch_io import ClaimNeed, Loaded, Needs
from flowfabric.domain.commands import Claim, Envelope, executions_named_by
from flowfabric.domain.decide.leasing import part_of_queue
from flowfabric.domain.decide.rule import RULES
from flowfabric.domain.execution import Execution
from flowfabric.domain.gates import GateAt, Gates
from flowfabric.domain.limits import KeyAt, room_in, unused
from flowfabric.domain.queue import parked_max
from flowfabric.domain.turnstiles import ADMITTED_MAX
from flowfabric.domain.working_set import WorkingSet


def foreseen(batch: Sequence[Envelope], wanted: Needs, loaded: Loaded) -> Needs | None:
    """What is still to be loaded for the gates of these executions. None: nothing, as for most batches."""
    for loaded_one in loaded.executions.values():
        if loaded_one.gates is not None:
            break
    else:
        return None
    more = Needs()
    for need in wanted.claims:
        candidates = (ready.execution_id for ready in loaded.candidates.get(need, ()) if ready.is_gated)
        _foresee_claims(map(loaded.executions.get, candidates), more)
    ending = dict.fromkeys(
        key for each in batch if RULES[type(each.command)].ends_attempt for key in executions_named_by(each.command)
    )
    leased = (x for key in ending if (x := loaded.executions.get(key)) is not None and x.lifecycle_phase == "active")
    _foresee_ends([(x.namespace, x.gates) for x in leased if x.gates is not None], more)
    more = more.beyond(wanted)
    return None if more.is_empty else more


def foreseen_candidates(batch: Sequence[Envelope], wanted: Needs, loaded: Loaded, now_ms: int) -> dict[ClaimNeed, int]:
    """How many candidates claims will look at, if it is more than they have asked for, because most of them will park.

    Their gates are loaded. It counts limits only, and as if the claims came before all other commands.
    """
    more: dict[ClaimNeed, int] = {}
    for need, asked in wanted.claims.items():
        there = (loaded.executions.get(ready.execution_id) for ready in loaded.candidates.get(need, ()))
        slots = Counter((x.namespace, x.gates.slots_to_take) for x in there if x is not None and x.gates is not None)
        if slots.total() < asked:
            continue  # there are no more of them
        passing = sum(_room_for(of, number, loaded, now_ms) for of, number in slots.items())
        most = 0
        for each in batch:
            if isinstance(each.command, Claim) and part_of_queue(each.command) == need:
                taken = min(each.command.limit, passing)
                passing -= taken
                most += taken if taken == each.command.limit else taken + parked_max(each.command.limit)
        if most > asked:
            more[need] = most
    return more


def _room_for(of: tuple[str, tuple[tuple[str, str], ...]], number: int, loaded: Loaded, now_ms: int) -> int:
    """How many of so many executions may be leased that name these limits."""
    namespace, slots = of
    for name, key in slots:
        at = (namespace, name, key)
        limit = loaded.limits.get((namespace, name, None))
        number = room_in(limit and loaded.limits.get(at, limit), loaded.key_uses.get(at) or unused(at), now_ms, number)
    return number


def foreseen_for_claims(ws: WorkingSet, claims: Iterable[Envelope]) -> Needs:
    """What claims hand out of the executions that the commands before them have made ready."""
    more = Needs()
    for each in claims:
        if isinstance(each.command, Claim):
            for x in ws.queue.made_ready(part_of_queue(each.command), each.command.limit):
                if ws.payloads.known(x.execution_id) is None:
                    more.payloads.add(x.execution_id)
                if x.flow_id is not None and not ws.graph.knows_inputs(x.execution_id):
                    more.inputs.add(x.execution_id)
    return more


def foreseen_ends(leased: Iterable[tuple[str, Gates]]) -> Needs:
    """What is needed to end leases of executions, by their namespaces and gates."""
    more = Needs()
    _foresee_ends(leased, more)
    return more


def foreseen_keys(keys: Iterable[KeyAt]) -> Needs:
    """What is needed to lease executions with these keys."""
    more = Needs()
    for at in keys:
        _foresee_key(*at, more)
    return more


def _foresee_claims(candidates: Iterable[Execution | None], more: Needs) -> None:
    """A claim looks at all gates of each candidate."""
    limits: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
    for x in candidates:
        if x is None or x.gates is None:
            continue
        limits.add((x.namespace, x.gates.slots_to_take))
        for name, _ in x.gates.budgets:
            more.budgets.add((x.namespace, name))
        if x.gates.fair_key is not None:
            more.lane_turns.add((x.namespace, x.lane, x.priority))
    for namespace, named in limits:
        for name, key in named:
            _foresee_key(namespace, name, key, more)


def _foresee_ends(leased: Iterable[tuple[str, Gates]], more: Needs) -> None:
    """The end of a lease gives each slot back, and lets one in for it."""
    freed: Counter[GateAt] = Counter()
    for namespace, gates in leased:
        for name, key in gates.slots:
            freed[namespace, "limit", name, key] += 1
        for reservation in gates.reservations:
            for name, period_ms in reservation.chain:
                more.budgets.add((namespace, name))
                more.budget_uses.add((namespace, name, period_ms))
                freed[namespace, "budget", name, ""] += 1
    for namespace, kind, name, key in freed:
        if kind == "limit":
            _foresee_key(namespace, name, key, more)
    more.parked = {gate: min(number, ADMITTED_MAX) for gate, number in freed.items()}


def _foresee_key(namespace: str, name: str, key: str, more: Needs) -> None:
    more.key_uses.add((namespace, name, key))
    more.limits.add((namespace, name, None))
    more.limits.add((namespace, name, key))
