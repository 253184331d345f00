"""What a batch will need of limits and budgets, as far as the loaded executions show it before anything is decided.

A command does not name the gates of its executions. Without this, every batch with gates would be decided once just to
find out what it lacks. To foresee too little does no harm: the decision then asks for the rest.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from flowfabric.domain.batch_io import Loaded, Needs
from flowfabric.domain.commands import Envelope, executions_named_by
from flowfabric.domain.decide.rule import RULES
from flowfabric.domain.execution import Execution
from flowfabric.domain.turnstiles import ADMITTED_MAX

if TYPE_CHECKING:
    from flowfabric.domain.gates import GateAt


def foreseen(batch: Sequence[Envelope], wanted: Needs, loaded: Loaded) -> Needs | None:
    """What is still to be loaded for the gates of these executions. None: nothing, as for most batches."""
    for x in loaded.executions.values():
        if x.gates is not None:
            break
    else:
        return None
    more = Needs()
    for need in wanted.claims:
        candidates = (ready.execution_id for ready in loaded.candidates.get(need, ()) if ready.is_gated)
        _foresee_claims(map(loaded.executions.get, candidates), more)
    ending = (
        key for each in batch if RULES[type(each.command)].ends_attempt for key in executions_named_by(each.command)
    )
    _foresee_ends(map(loaded.executions.get, dict.fromkeys(ending)), more)
    more = more.beyond(wanted)
    return None if more.is_empty else more


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


def _foresee_ends(ending: Iterable[Execution | None], more: Needs) -> None:
    """The end of a lease gives each slot back, and lets one in for it."""
    freed: Counter[GateAt] = Counter()
    for x in ending:
        if x is None or x.gates is None or x.lifecycle_phase != "active":
            continue
        for name, key in x.gates.slots:
            freed[x.namespace, "limit", name, key] += 1
        for reservation in x.gates.reservations:
            for name, period_ms in reservation.chain:
                more.budgets.add((x.namespace, name))
                more.budget_uses.add((x.namespace, name, period_ms))
                freed[x.namespace, "budget", name, ""] += 1
    for namespace, kind, name, key in freed:
        if kind == "limit":
            _foresee_key(namespace, name, key, more)
    more.parked = {gate: min(number, ADMITTED_MAX) for gate, number in freed.items()}


def _foresee_key(namespace: str, name: str, key: str, more: Needs) -> None:
    more.key_uses.add((namespace, name, key))
    more.limits.add((namespace, name, None))
    more.limits.add((namespace, name, key))
