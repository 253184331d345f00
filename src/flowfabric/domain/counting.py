"""How executions and flows are counted, so that nobody has to count them later.

What a store holds is kept as numbers, by namespace, lane, kind and standing. A commit moves executions from one
standing to another, and these moves follow from the records before and after it. So no rule knows of the counts, and
none can forget to count.
"""

from typing import Final, Literal, NamedTuple, get_args

from flowfabric.domain.batch_io import Changes
from flowfabric.domain.execution import Execution
from flowfabric.domain.flow import FLOW_STATES, Flow, FlowState, over_since_ms, purge_at_ms
from flowfabric.domain.states import (
    ELIGIBILITY_STATES,
    PUBLIC_STATES,
    STATE_VECTORS,
    EligibilityState,
    LifecyclePhase,
    PublicState,
    StateVector,
    public_state,
)

ENDS_KEPT_MINUTES: Final = 25 * 60
"""For how long it is kept how many executions have ended in each minute: a day, and an hour to look back on it."""

Keeping = Literal["not_kept", "for_ever", "to_go"]
"""What becomes of a record that has ended. To go: it is removed when its retention is over. Members are kept with their
flow, so they are `not_kept` by themselves."""
KEEPINGS: Final[tuple[Keeping, ...]] = get_args(Keeping)

Standing = int
"""A public state, an eligibility and a keeping, or a state of a flow and a keeping, as one number.

For an execution it is 64 * public state + 4 * eligibility + keeping, for a flow FLOWS + 4 * state + keeping. Migrations
compute the same from the columns.
"""
FLOWS: Final = 4096


class Move(NamedTuple):
    """From which standing to which one executions or flows have moved. None: they are new, or were removed."""

    namespace: str
    lane: str
    kind: str
    before: Standing | None
    after: Standing | None


class ExecutionStanding(NamedTuple):
    """The standing of executions."""

    public_state: PublicState
    phase: LifecyclePhase
    eligibility: EligibilityState
    keeping: Keeping


class FlowStanding(NamedTuple):
    """The standing of flows."""

    state: FlowState
    keeping: Keeping


class Miscount(NamedTuple):
    """A kept count that differs from what there is."""

    namespace: str
    lane: str
    kind: str
    standing: Standing
    kept: int
    counted: int


def _code(vector: StateVector) -> Standing:
    phase, eligibility, attempt_state, outcome = vector
    shown = public_state(phase, eligibility, outcome, attempt_state)
    return 64 * PUBLIC_STATES.index(shown) + 4 * ELIGIBILITY_STATES.index(eligibility)


_CODES: Final = {vector: _code(vector) for vector in STATE_VECTORS}
_PHASES: Final = {
    public_state(phase, eligibility, outcome, attempt_state): phase
    for phase, eligibility, attempt_state, outcome in STATE_VECTORS
}
_FLOW_CODES: Final = {state: FLOWS + 4 * index for index, state in enumerate(FLOW_STATES)}
_FOR_EVER: Final = KEEPINGS.index("for_ever")
_TO_GO: Final = KEEPINGS.index("to_go")


def standing_of(x: Execution) -> Standing:
    """The standing in which an execution is counted."""
    code = _CODES[x.lifecycle_phase, x.eligibility_state, x.attempt_state, x.terminal_outcome]
    if x.terminal_outcome == "none" or x.flow_id is not None:
        return code
    return code + (_FOR_EVER if x.policy.retention_ms is None else _TO_GO)


def standing_of_flow(flow: Flow) -> Standing:
    """The standing in which a flow is counted."""
    code = _FLOW_CODES[flow.state]
    if over_since_ms(flow) is None:
        return code
    return code + (_FOR_EVER if purge_at_ms(flow) is None else _TO_GO)


def standing_in(code: Standing) -> ExecutionStanding | FlowStanding:
    """What a number means."""
    keeping = KEEPINGS[code % 4]
    if code >= FLOWS:
        return FlowStanding(FLOW_STATES[(code - FLOWS) // 4], keeping)
    shown = PUBLIC_STATES[code // 64]
    return ExecutionStanding(shown, _PHASES[shown], ELIGIBILITY_STATES[code // 4 % 16], keeping)


def moves_in(changes: Changes) -> dict[Move, int]:
    """How many executions and flows a batch has moved from which standing to which."""
    # Every execution of every batch comes here, so the moves are gathered as plain tuples.
    moves: dict[tuple[str, str, str, Standing | None, Standing | None], int] = {}
    for before, x in changes.executions:
        was = None if before is None else standing_of(before)
        now = None if x is None else standing_of(x)
        if was != now and (of := x or before) is not None:
            at = (of.namespace, of.lane, of.kind, was, now)
            moves[at] = moves.get(at, 0) + 1
    for flow_before, flow in changes.flows:
        was = None if flow_before is None else standing_of_flow(flow_before)
        now = None if flow is None else standing_of_flow(flow)
        if was != now and (of_flow := flow or flow_before) is not None:
            at = (of_flow.namespace, "", "", was, now)
            moves[at] = moves.get(at, 0) + 1
    return {Move(*at): number for at, number in moves.items()}


def is_end(move: Move) -> bool:
    """Whether executions have ended by this move."""
    return _has_ended(move.after) and not _has_ended(move.before)


def _has_ended(code: Standing | None) -> bool:
    return code is not None and FIRST_ENDED <= code < FLOWS


FIRST_ENDED: Final = 64 * PUBLIC_STATES.index("completed")
"""Standings of executions from this one on are of those that have ended."""
assert all((_CODES[vector] >= FIRST_ENDED) == (vector[3] != "none") for vector in STATE_VECTORS)
