"""TakeSlot, ParkAtLimit, GiveSlot: blocks of code that take part in a limit, beyond the limits of their execution.

A slot of a block is one of the slots of the lease, so whatever ends the lease gives it back. A block that finds the
limit full waits a little with its lease. Then the lease is given up, and with it everything that it holds. The next
claim takes the slots of all blocks that the code was in, and of the one that waits, or it takes none. So two executions
that enter two limits in different orders do not wait for each other for ever, and the code comes as far as that block.
"""

from msgspec.structs import replace

from flowfabric.domain.commands import GiveSlot, ParkAtLimit, TakeSlot
from flowfabric.domain.decide.admitting import key_now, look_again
from flowfabric.domain.decide.finishing import cancel_with_flow, must_not_return
from flowfabric.domain.decide.gating import (
    gates_or_none,
    give_slot_back,
    no_limit,
    park,
    take_slot_at,
)
from flowfabric.domain.decide.leasing import held_under, is_lease_of, runnable_now, suspend_attempt
from flowfabric.domain.decide.rule import rule
from flowfabric.domain.decide.seeing import its_executions, its_executions_and_their_flows
from flowfabric.domain.decide.waiting import with_inbox
from flowfabric.domain.errors import InvalidInput
from flowfabric.domain.execution import Execution
from flowfabric.domain.gates import Gate, Gates
from flowfabric.domain.limits import BLOCKS_MAX, opens_at_ms, why_closed
from flowfabric.domain.outcomes import AlreadySatisfied, LimitFull, Parked, SlotTaken
from flowfabric.domain.working_set import MoreNeeded, WorkingSet

_NO_GATES = Gates()


@rule(TakeSlot, sees=its_executions)
def take_slot(ws: WorkingSet, command: TakeSlot, scope: str | None) -> SlotTaken | LimitFull:
    """Take a slot and a start for the block, or say that there is no room. Who holds the key already, goes on."""
    return _taken_or_full(ws, held_under(ws, command.fence, scope), command)


@rule(ParkAtLimit, sees=its_executions_and_their_flows, enters_queue=True, ends_attempt=True)
def park_at_limit(ws: WorkingSet, command: ParkAtLimit, scope: str | None) -> SlotTaken | Parked | AlreadySatisfied:
    """Take a slot for the block, or give up the lease until there is one. The attempt goes on then.

    If the same lease reports it again, it gets the same answer.
    """
    x = ws.execution(command.fence.execution_id, scope)
    parked = Parked(x.execution_id, command.limit, command.key)
    waits_at = None if x.gates is None else x.gates.waits_at
    if waits_at == (command.limit, command.key) and is_lease_of(ws, x, command.fence):
        return parked
    x = held_under(ws, command.fence, scope)
    answer = _taken_or_full(ws, x, command)
    if isinstance(answer, SlotTaken):
        return answer
    if x.inbox is not None and x.inbox.unanswered:
        return AlreadySatisfied("another_wait_is_over")
    x = ws.emit(x, "lease", "released", {"limit": command.limit, "key": command.key})
    x = suspend_attempt(ws, with_inbox(x))
    if must_not_return(ws, x):
        cancel_with_flow(ws, x)
    else:
        _park(ws, x, command)
    return parked


def _park(ws: WorkingSet, x: Execution, command: ParkAtLimit) -> None:
    gates = x.gates or _NO_GATES
    blocks = (*gates.blocks, (command.limit, command.key, command.block))
    gates = replace(gates, blocks=blocks, waits_at=(command.limit, command.key))
    gate = _gate(command)
    park(ws, replace(runnable_now(x, "attempt_suspended", ws.now_ms), gates=gates), gate)
    if _why_closed(ws, x, command) is None:
        look_again(ws, (x.namespace, *gate), ws.now_ms)  # there is room, but others wait in front of it


@rule(GiveSlot, sees=its_executions)
def give_slot(ws: WorkingSet, command: GiveSlot, scope: str | None) -> None:
    """Give back the slot of a block. What the execution names itself stays until the lease ends."""
    x = held_under(ws, command.fence, scope)
    gates = x.gates or _NO_GATES
    blocks = tuple(block for block in gates.blocks if block[:2] != (command.limit, command.key))
    if blocks == gates.blocks:
        return
    gates = replace(gates, blocks=blocks)
    ws.executions.put(replace(x, gates=gates_or_none(replace(gates, slots=gates.slots_to_take))))
    give_slot_back(ws, (x.namespace, command.limit, command.key))


def _taken_or_full(ws: WorkingSet, x: Execution, command: TakeSlot | ParkAtLimit) -> SlotTaken | LimitFull:
    gates = x.gates or _NO_GATES
    if (command.limit, command.key) in gates.limits:
        return SlotTaken(command.limit, command.key, command.block, is_named=True)
    for name, key, number in gates.blocks:
        if (name, key) == (command.limit, command.key):
            return SlotTaken(name, key, number)
    at = (x.namespace, command.limit, command.key)
    is_crowded = _is_crowded(ws, x, command)
    if ws.turnstiles.limit(at) is None:
        raise no_limit(x.namespace, command.limit)
    if len(gates.blocks) >= BLOCKS_MAX:
        raise InvalidInput(
            f"{x.execution_id} is in {len(gates.blocks)} limited blocks, which is the most at once. Leave one first."
        )
    if is_crowded or _why_closed(ws, x, command) is not None:
        return LimitFull(command.limit, command.key, opens_at_ms(*key_now(ws, at), ws.now_ms))
    take_slot_at(ws, at, starts=True)
    gates = replace(gates, blocks=(*gates.blocks, (command.limit, command.key, command.block)))
    ws.executions.put(replace(x, gates=replace(gates, slots=gates.slots_to_take)))
    return SlotTaken(command.limit, command.key, command.block)


def _is_crowded(ws: WorkingSet, x: Execution, command: TakeSlot | ParkAtLimit) -> bool:
    """Whether others of its lane and capabilities are parked there: they come first.

    Everything else that the decision needs is asked for in the same round.
    """
    try:
        return ws.turnstiles.is_crowded(x, _gate(command))
    except MoreNeeded:
        _why_closed(ws, x, command)
        raise


def _why_closed(ws: WorkingSet, x: Execution, command: TakeSlot | ParkAtLimit) -> str | None:
    at = (x.namespace, command.limit, command.key)
    try:
        ws.turnstiles.limit(at)
    except MoreNeeded:
        ws.turnstiles.use(at)
        raise
    return why_closed(*key_now(ws, at), ws.now_ms)


def _gate(command: TakeSlot | ParkAtLimit) -> Gate:
    return ("limit", command.limit, command.key)
