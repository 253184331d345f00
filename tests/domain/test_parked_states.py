"""An execution can be parked at a limit or at a budget in front of every attempt that it can have."""

from collections.abc import Callable, Sequence

import pytest

from flowfabric.domain.commands import (
    AnyCommand,
    Claim,
    Complete,
    CreateExecution,
    Fail,
    ReplayExecution,
    RevokeLease,
    SendSignal,
    SetBudget,
    SetLimit,
    Suspend,
)
from flowfabric.domain.conditions import On, stored
from flowfabric.domain.execution import Execution
from flowfabric.domain.gates import Gates
from flowfabric.domain.ids import lane_partition, make_execution_id
from flowfabric.domain.lease import Fence
from flowfabric.domain.limits import Limit
from flowfabric.domain.states import STATE_VECTORS
from tests.domain.gate_world import NS, POLICY, GateWorld

Step = Callable[[Execution, Fence], AnyCommand]
CLAIM = Claim("w", "w", ("default",), NS, frozenset(), 1, 10_000, "m")
BLOCKER, PARKED = (make_execution_id(lane_partition("default"), f"00000000-0000-7000-8000-{n:012x}") for n in (1, 2))


def _claim(_: Execution, __: Fence) -> AnyCommand:
    return CLAIM


def _fail(_: Execution, fence: Fence) -> AnyCommand:
    return Fail(fence, "boom", "", True, 0)


def _revoke(x: Execution, __: Fence) -> AnyCommand:
    return RevokeLease(x.execution_id, "", "", "")


def _complete(_: Execution, fence: Fence) -> AnyCommand:
    return Complete(fence, None)


def _replay(x: Execution, __: Fence) -> AnyCommand:
    return ReplayExecution(x.execution_id)


def _suspend(_: Execution, fence: Fence) -> AnyCommand:
    return Suspend(fence, "editor", stored(On("editor")), None, None, "resume", "waiting_for_signal", "k1")


def _signal(x: Execution, __: Fence) -> AnyCommand:
    return SendSignal(x.execution_id, "editor", b"yes", "", "", "", None, "k1")


IN_FRONT_OF: dict[str, Sequence[Step]] = {
    "pending_first_attempt": (),
    "pending_retry_attempt": (_claim, _fail),
    "attempt_interrupted": (_claim, _revoke),
    "pending_replay_attempt": (_claim, _complete, _replay),
    "attempt_suspended": (_claim, _suspend, _signal),
}


def _limit(concurrency: int) -> AnyCommand:
    return SetLimit(Limit(NS, "api", None, concurrency, None, None, None), False)


def _budget(usd: int) -> AnyCommand:
    return SetBudget(NS, "team", {"usd": usd}, {}, None, None, "pause", False)


CLOSED_BY = {
    "blocked_by_quota": _limit(1),
    "blocked_by_budget": _budget(1),
}


def _creation(key: str, gates: Gates) -> AnyCommand:
    return CreateExecution(
        key, False, "k", b"", "default", NS, 0, None, None, None, 1, (), POLICY, {}, "return", gates, "wait"
    )


@pytest.mark.parametrize("attempt_state", IN_FRONT_OF)
@pytest.mark.parametrize("eligibility", CLOSED_BY)
def test_a_claim_parks_it_when_its_gate_has_closed(eligibility: str, attempt_state: str) -> None:
    world = GateWorld(0)

    def now() -> Execution:
        return next(x for x in world.executions() if x.execution_id == PARKED)

    world.send(_limit(2), _budget(10))
    world.send(_creation(BLOCKER, Gates((("api", ""),), (), None)))
    world.send(CLAIM)
    world.send(_creation(PARKED, Gates((("api", ""),), (("team", {"usd": 2}),), None)))
    for step in IN_FRONT_OF[attempt_state]:
        world.send(step(now(), world.fences[-1]))
    before = now()
    world.send(CLOSED_BY[eligibility])
    world.send(CLAIM)

    assert (before.eligibility_state, before.attempt_state) == ("eligible_now", attempt_state)
    assert (now().eligibility_state, now().attempt_state) == (eligibility, attempt_state)


def test_these_are_all_states_of_parked_executions() -> None:
    legal = {vector for vector in STATE_VECTORS if vector[1] in CLOSED_BY}

    assert legal == {("runnable", eligibility, state, "none") for eligibility in CLOSED_BY for state in IN_FRONT_OF}
